/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* GCM's assembly as the kernel module has it, linux/Kbuild, under names of its own: for check_residue.c. */
#define LC_ONE_MESSAGE
#define LC_SMALL 1
#define lc_aes_gcm_ kernel_gcm_
#define lc_aes_gcm_encrypt_ kernel_gcm_encrypt_
#define lc_aes_gcm_decrypt_ kernel_gcm_decrypt_
#define lc_aes_gcm_powers_ kernel_gcm_powers_
#define lc_aes_gcm_powers_pclmul kernel_gcm_powers_pclmul
#define lc_aes_gcm_powers_vaes_avx512_256 kernel_gcm_powers_vaes_avx512_256

#include "../../src/x86/aes_gcm.S"

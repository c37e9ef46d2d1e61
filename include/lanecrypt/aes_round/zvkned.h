/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RISC-V with Zvkned, the vector AES instructions, and vectors of 128 bits or more.  Single blocks pass through memory, as
 * compilers hand no fixed-size vectors over in registers.  Compiled only where the compiler itself knows Zvkned; never run on
 * hardware.
 */
#ifndef LANECRYPT_AES_ROUND_ZVKNED_H
#define LANECRYPT_AES_ROUND_ZVKNED_H

#include "halves_steps.h"

#define LC_AES_ROUND_HOST "zvkned"

#define LC_AES_ZVKNED_CLOBBERED                                                                                                    \
    "memory", "vl", "vtype", "v8", "v9", "v10", "v11", "v16", "v17", "v18", "v19", "v24", "v25", "v26", "v27"

#define LC_AES_ZVKNED_ROUND(name, instruction)                                                                                     \
    LC_AES_INLINE lc_aes_block lc_aes_##name(lc_aes_block x, lc_aes_block k)                                                       \
    {                                                                                                                              \
        __asm__ volatile("vsetivli zero, 4, e32, m1, ta, ma\n\t"                                                                   \
                         "vle32.v v8, (%0)\n\t"                                                                                    \
                         "vle32.v v16, (%1)\n\t" instruction "\n\t"                                                                \
                         "vse32.v v8, (%0)"                                                                                        \
                         :                                                                                                         \
                         : "r"(&x), "r"(&k)                                                                                        \
                         : LC_AES_ZVKNED_CLOBBERED);                                                                               \
        return x;                                                                                                                  \
    }

LC_AES_ZVKNED_ROUND(sb_sr_ak, "vaesef.vv v8, v16")
LC_AES_ZVKNED_ROUND(sb_sr_mc_ak, "vaesem.vv v8, v16")
LC_AES_ZVKNED_ROUND(isb_isr_ak, "vaesdf.vv v8, v16")
LC_AES_ZVKNED_ROUND(isb_isr_ak_imc, "vaesdm.vv v8, v16")

#include "key_before_imc.h"

/*
 * Wide forms: as many blocks in one turn as four vector registers hold.  State in v8, keys in v16, zero keys in v24.  One key for
 * all blocks is spread by VAESZ, which adds it to each block of zeros.  Lengths are at most those of the registers, so that a turn
 * has whole blocks; memory is accessed by bytes, as it may have any alignment.
 */
#define LC_AES_HOST_VLA
#define LC_AES_ZVKNED_WIDE(name, instructions)                                                                                     \
    LC_AES_INLINE size_t lc_aes_vla_##name(unsigned char *d, const unsigned char *s, const unsigned char *k, size_t num_blocks,    \
                                           size_t key_stride)                                                                      \
    {                                                                                                                              \
        size_t left = num_blocks, most, now, len;                                                                                  \
                                                                                                                                   \
        __asm__ volatile("beqz %[left], 5f\n\t"                                                                                    \
                         "vsetvli %[most], zero, e32, m4, ta, ma\n\t"                                                              \
                         "vmv.v.i v24, 0\n\t"                                                                                      \
                         "bnez %[stride], 1f\n\t"                                                                                  \
                         "vmv.v.i v16, 0\n\t"                                                                                      \
                         "vsetivli zero, 16, e8, m1, ta, ma\n\t"                                                                   \
                         "vle8.v v8, (%[k])\n\t"                                                                                   \
                         "vsetvli %[most], zero, e32, m4, ta, ma\n\t"                                                              \
                         "vaesz.vs v16, v8\n"                                                                                      \
                         "1:\tsrli %[most], %[most], 2\n"                                                                          \
                         "2:\tmv %[now], %[left]\n\t"                                                                              \
                         "bleu %[now], %[most], 3f\n\t"                                                                            \
                         "mv %[now], %[most]\n"                                                                                    \
                         "3:\tslli %[len], %[now], 4\n\t"                                                                          \
                         "sub %[left], %[left], %[now]\n\t"                                                                        \
                         "slli %[now], %[now], 2\n\t"                                                                              \
                         "vsetvli zero, %[len], e8, m4, ta, ma\n\t"                                                                \
                         "vle8.v v8, (%[s])\n\t"                                                                                   \
                         "beqz %[stride], 4f\n\t"                                                                                  \
                         "vle8.v v16, (%[k])\n\t"                                                                                  \
                         "add %[k], %[k], %[len]\n"                                                                                \
                         "4:\tvsetvli zero, %[now], e32, m4, ta, ma\n\t" instructions "\n\t"                                       \
                         "vsetvli zero, %[len], e8, m4, ta, ma\n\t"                                                                \
                         "vse8.v v8, (%[d])\n\t"                                                                                   \
                         "add %[s], %[s], %[len]\n\t"                                                                              \
                         "add %[d], %[d], %[len]\n\t"                                                                              \
                         "bnez %[left], 2b\n"                                                                                      \
                         "5:"                                                                                                      \
                         : [d] "+&r"(d), [s] "+&r"(s), [k] "+&r"(k), [left] "+&r"(left), [most] "=&r"(most), [now] "=&r"(now),     \
                           [len] "=&r"(len)                                                                                        \
                         : [stride] "r"(key_stride)                                                                                \
                         : LC_AES_ZVKNED_CLOBBERED);                                                                               \
        return num_blocks;                                                                                                         \
    }

LC_AES_ZVKNED_WIDE(sb_sr_ak, "vaesef.vv v8, v16")
LC_AES_ZVKNED_WIDE(sb_sr_mc_ak, "vaesem.vv v8, v16")
LC_AES_ZVKNED_WIDE(isb_isr_ak, "vaesdf.vv v8, v16")
LC_AES_ZVKNED_WIDE(isb_isr_ak_imc, "vaesdm.vv v8, v16")
LC_AES_ZVKNED_WIDE(isb_isr_imc_ak, "vaesdm.vv v8, v24\n\tvxor.vv v8, v8, v16")
LC_AES_ZVKNED_WIDE(ak_sb_sr, "vxor.vv v8, v8, v16\n\tvaesef.vv v8, v24")
LC_AES_ZVKNED_WIDE(ak_sb_sr_mc, "vxor.vv v8, v8, v16\n\tvaesem.vv v8, v24")
LC_AES_ZVKNED_WIDE(ak_isb_isr, "vxor.vv v8, v8, v16\n\tvaesdf.vv v8, v24")
LC_AES_ZVKNED_WIDE(ak_isb_isr_imc, "vxor.vv v8, v8, v16\n\tvaesdm.vv v8, v24")
LC_AES_ZVKNED_WIDE(keyless_mc, "vaesdf.vv v8, v24\n\tvaesem.vv v8, v24")
LC_AES_ZVKNED_WIDE(keyless_imc, "vaesef.vv v8, v24\n\tvaesdm.vv v8, v24")

#undef LC_AES_ZVKNED_ROUND
#undef LC_AES_ZVKNED_WIDE
#undef LC_AES_ZVKNED_CLOBBERED

#endif

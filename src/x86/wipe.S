/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "asm.h"

.text

/*
 * void lc_wipe_high_vectors(void)
 *
 * Zeros in the vector registers 16 to 31.  AVX512F, AVX512VL.  C code doesn't use them, but the C library does: its memcpy() leaves
 * there what it has copied, up to 128 bytes.
 */
FUNC(lc_wipe_high_vectors)
.irp i, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vpxord %xmm\i, %xmm\i, %xmm\i
.endr
    RETURN
END_FUNC(lc_wipe_high_vectors)

.section .note.GNU-stack, "", @progbits

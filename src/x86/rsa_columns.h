/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What x86/rsa.S and x86/rsa_one.S share: up to twenty columns of products, C0 to C19, in as many vector registers. */
#ifndef LC_X86_RSA_COLUMNS_H
#define LC_X86_RSA_COLUMNS_H

.macro _set_columns
    _set_vectors
.irp i, 0,1,2,3,4,5,6,7,8,9
    .set C\i, V\i
    .set C1\i, V1\i
.endr
.endm

.macro _zero r
    vpxorq \r, \r, \r
.endm

/* The instruction or macro `insn` with column k, an expression, as its last operand */
.macro _column k, insn:vararg
.irp c, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19
.if \c == (\k)
    \insn, C\c
.endif
.endr
.endm

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA for x86-64 with AVX-512 IFMA, one or two numbers at once, which lie across lanes.
 *
 * What is done with this function is in x86/rsa_one.c.  It leaves secrets in vector registers; lc_rsa_wipe_<impl>() is for that.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * A number has G blocks of N limbs of 52 bits, N = 5, 8 or 10: block k is in lane k, and limb j of all blocks is in one vector.
 * Two numbers, modulo p and q, have G = 4 lanes each, and one number modulo n has G = 8.  A block is a digit of base
 *
 *      X = 2^(52 N - 2),      R = X^G
 *
 * The two bits to spare are in its highest limb.  So a block may be X or a little more, up to X + 2^(52 N - 52): carries go through
 * the limbs of a block, and those that come out of it to the next block, but no further.
 *
 * The modulus m is below R / 2^8: 1024 bits of 1032, 1536 of 1656, 2048 of 2072; and with G = 8, 2048 bits of 2064, 3072 of 3312,
 * 4096 of 4144.  Numbers needn't be below m.
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * For each block a_i of a, the lowest first: add a_i b, add a multiple of m that makes the lowest block zero, and move all blocks
 * down by one.  What b or m is multiplied by, a block, is in all lanes of its number.  All lanes have the product of two blocks to
 * do, 2 N^2 multiplications for the lower and upper halves, which gives 2 N columns.  The upper N of lane k weigh 2^(52 N) = 4 X;
 * when the lower ones move down from lane k + 1 to lane k, the upper ones of lane k are added to them, times 4.
 *
 * Which multiple?  Montgomery's is q m with q = t k mod X, where t is the lowest block and k = -1/m mod X.  But then a product of
 * two blocks and another chain of carries are between t and q.  Only the last block is done so.  For the others m is replaced by
 * k m, whose lowest block is X - 1, in other words -1 (H. Orup, "Simplifying quotient determination in high-radix modular
 * multiplication", 1995).  There q is t mod X itself, and
 *
 *      (t + q k m) / X = (t - q) / X + q (k m + 1) / X
 *
 * So q is multiplied by (k m + 1) / X, which is at most m, and what t has above X is carried.  In all
 *
 *      r < (a b + X^(G-1) k m + X^G m) / R < (A B / 2^8 + 2) m         for a < A m, b < B m
 *
 * With A and B up to 8 it is below 2.25 m.
 *
 * In the last block, t + q m_0 is a multiple of X, so what is carried is known from its highest column c: it is c / 2^50, rounded
 * up, as the columns below add less than 2^12 to c.
 *
 * Columns: with each block of a, a column gets up to 2 N - 1 products of less than 2^52 for b, and as many for m.  Moving down
 * adds four times as many from the upper columns: 10 (2 N - 1) G 2^52 in all, which is below 2^63.
 *
 * 4 G N^2 + N^2 multiplications: with G = 4 it's 425, 1088, 1700, and with G = 8 825, 2112, 3300.  On Zen 5, two a cycle, this is
 * 75 to 90 % of the time: the rest is where the last block of q, and the result, wait for carries.
 */
#include "asm.h"
#include "rsa_columns.h"

/* struct lc_rsa_one, asserted in x86/rsa_one.c */
#define FIRST 0         /* for vpermq: the number's lowest lane */
#define DOWN VL         /* the next lane */
#define UP (2 * VL)     /* the lane before; before the lowest, a number's highest */
#define MASKS (3 * VL)
#define K (4 * VL)
#define M (14 * VL)
#define M_HIGH (24 * VL)

.section .rodata.lc_rsa_one, "a", @progbits
.p2align 3
.Lmask52:
    .quad (1 << 52) - 1
.Lmask50:
    .quad (1 << 50) - 1

.text

/* ---- Registers ---- */

#define R       %rdi
#define FACTOR  %rsi    /* its block i is what the other one is multiplied by */
#define FACTOR2 %rdx
#define W       %rcx    /* struct lc_rsa_one */
#define BLOCKS  %r8     /* G */
#define LEN     %r9     /* bytes of a number: N VL */
#define BLOCK   %r10    /* i, from 0 on */
#define MODULUS %r11    /* m or (k m + 1) / X */
#define SECOND  %rax    /* the second number of FACTOR; if there is none, FACTOR */

/* Masks of lanes */
#define NOT_HIGHEST %k1 /* of a number */
#define LOWEST      %k2
#define OF_SECOND   %k3 /* all of the second number, or the upper four lanes of the only one */

/*
 * C*: columns.  S*: limbs of q, in all lanes.  T*: temporary.
 * D*: the upper halves' part of the columns N - 3 to N + 2, which have the most products to wait for; not with N = 10.
 */
.macro _set_registers
    _set_columns
.irp i, 0,1,2,3,4,5,6,7,8,9
    .set S\i, V2\i
.endr
    .set D0, V16
    .set D1, V17
    .set D2, V18
    .set D3, V19
    .set D4, V28
    .set D5, V29
    .set T0, V30
    .set T1, V31
.endm

/* ---- Parts of a multiplication, with N limbs a block ---- */

/* _column, for the upper half of a product */
.macro _upper_column k, insn:vararg
.if N == 10 || (\k) < N - 3 || (\k) > N + 2
    _column \k, \insn
.else
.irp d, 0,1,2,3,4,5
.if \d == (\k) - (N - 3)
    \insn, D\d
.endif
.endr
.endif
.endm

/* C += D, D = 0 */
.macro _add_upper_columns
.if N < 10
.irp d, 0,1,2,3,4,5
    _column N-3+\d, _add_upper_column D\d
.endr
.endif
.endm
.macro _add_upper_column d, c
    vpaddq \d, \c, \c
    _zero \d
.endm

/* Columns += limb i of a block * the number at `base` */
.macro _multiply_limb i, limb, base
.irp j, 0,1,2,3,4,5,6,7,8,9
.if \j < N
    vmovdqa64 \j*VL(\base), T1
    _column \i+\j, vpmadd52luq T1, \limb
    _upper_column \i+\j+1, vpmadd52huq T1, \limb
.endif
.endr
.endm

/* S, in limbs of 52 bits and below X; T1 = what it has above */
.macro _carry_block
    _carry_limb 0, S0, S1
    _carry_limb 1, S1, S2
    _carry_limb 2, S2, S3
    _carry_limb 3, S3, S4
    _carry_limb 4, S4, S5
    _carry_limb 5, S5, S6
    _carry_limb 6, S6, S7
    _carry_limb 7, S7, S8
    _carry_limb 8, S8, S9
    _carry_limb 9, S9
.endm
.macro _carry_limb j, s, above
.if \j < N - 1
    vpsrlq $52, \s, T1                  /* (multiplications don't look at it) */
    vpaddq T1, \above, \above
.elseif \j == N - 1
    vpsrlq $50, \s, T1
    vpandq .Lmask50(%rip){1to8}, \s, \s
.endif
.endm

/* The columns of all blocks down by one block, and T1 added to the lowest */
.macro _move_down
    vmovdqa64 DOWN(W), T0
.irp j, 0,1,2,3,4,5,6,7,8,9
.if \j < N
    _column N+\j, _move_column_down C\j
.endif
.endr
    vpaddq T1, C0, C0{LOWEST}
.endm
.macro _move_column_down lower, upper
    vpermq \lower, T0, \lower{NOT_HIGHEST}{z}
    vpsllq $2, \upper, \upper
    vpaddq \upper, \lower, \lower
    _zero \upper
.endm

/* S = S * k mod X, the highest column first, in place */
.macro _multiply_k
.irp k, 9,8,7,6,5,4,3,2,1,0
.if \k < N
    _zero T0
    _zero T1
.irp i, 0,1,2,3,4,5,6,7,8,9
.if \i <= \k
    vpmadd52luq K+(\k-\i)*VL(W), S\i, T0
.endif
.if \i < \k
    vpmadd52huq K+(\k-1-\i)*VL(W), S\i, T1
.endif
.endr
    vpaddq T0, T1, S\k
.endif
.endr
.endm

/* T1 = what is carried out of the lowest block, the rest of which is zero */
.macro _carry_of_zeros
    vpaddq .Lmask50(%rip){1to8}, TOP, T1
    vpsrlq $50, T1, T1
.endm

/* The columns to r.  What a block has above X goes to the next one, and through it.  The highest block has nothing there. */
.macro _store_blocks
    vpbroadcastq .Lmask52(%rip), T0
    vmovdqa64 UP(W), S0
    vpsrlq $52, TOP2, T1
    vpandq T0, TOP2, TOP2
    vpaddq T1, TOP, TOP
    vpsrlq $50, TOP, T1
    vpandq .Lmask50(%rip){1to8}, TOP, TOP
    vpermq T1, S0, T1
.irp j, 0,1,2,3,4,5,6,7,8,9
.if \j < N
    vpaddq T1, C\j, C\j
.if \j < N - 1
    vpsrlq $52, C\j, T1
    vpandq T0, C\j, C\j
.endif
    vmovdqa64 C\j, \j*VL(R)
.endif
.endr
.endm

/* ---- The function ---- */

/* It with N = n.  (For a square, half of the products of a_i b could be saved, but not in all lanes.) */
.macro _multiply symbol, n
    .set N, \n
    _column N-1, .set TOP
    _column N-2, .set TOP2
.irp c, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19
.if \c < 2*N
    _zero C\c
.endif
.endr
.if N < 10
.irp d, 0,1,2,3,4,5
    _zero D\d
.endr
.endif
    xor %r10d, %r10d
    lea M_HIGH(W), MODULUS

.Lblock\n\()_\symbol:
.irp i, 0,1,2,3,4,5,6,7,8,9
.if \i < N
    vpbroadcastq \i*VL(FACTOR,BLOCK,8), T0
    vpblendmq \i*VL(SECOND,BLOCK,8){1to8}, T0, T0{OF_SECOND}
    _multiply_limb \i, T0, FACTOR2
.endif
.endr
    test BLOCK, BLOCK
    jz .Lquotient\n\()_\symbol          /* nothing is multiplied by m yet */
.Lmodulus\n\()_\symbol:
.irp i, 0,1,2,3,4,5,6,7,8,9
.if \i < N
    _multiply_limb \i, S\i, MODULUS
.endif
.endr
    cmp BLOCKS, BLOCK
    je .Lresult\n\()_\symbol
.Lquotient\n\()_\symbol:
    _add_upper_columns
    vmovdqa64 FIRST(W), T0
.irp i, 0,1,2,3,4,5,6,7,8,9
.if \i < N
    vpermq C\i, T0, S\i
.endif
.endr
    _carry_block
    inc BLOCK
    cmp BLOCKS, BLOCK
    je .Llast\n\()_\symbol
    _move_down
    jmp .Lblock\n\()_\symbol

.Llast\n\()_\symbol:
    _multiply_k
    _carry_block
    lea M(W), MODULUS
    jmp .Lmodulus\n\()_\symbol

.Lresult\n\()_\symbol:
    _add_upper_columns
    _carry_of_zeros
    _move_down
    _store_blocks
    vzeroupper
    RETURN
.endm

.macro _implementation symbol, vl
    .set VL, \vl
    _set_registers

/*
 * void lc_rsa_one_mul_<impl>(struct lc_rsa_limb *r, const struct lc_rsa_limb *a, const struct lc_rsa_limb *b,
 *                             const struct lc_rsa_one *w, uint64_t blocks, uint64_t len)
 *
 * r = a * b / R modulo m, in blocks as above.  r may be a or b.
 * blocks: G, 4 or 8.  len: bytes of a number, N VL.  All aligned to VL.
 * Time and addresses depend on blocks and len.  Clobbers all vector registers and k1 to k3.
 */
FUNC(lc_rsa_one_mul_\symbol)
    kmovw MASKS(W), NOT_HIGHEST
    kmovw MASKS+2(W), LOWEST
    mov $0xf0, %eax
    kmovw %eax, OF_SECOND
    lea 4*8(FACTOR), SECOND
    cmp $4, BLOCKS
    cmovne FACTOR, SECOND
    cmp $8*VL, LEN
    je .Llen8_\symbol
    ja .Llen10_\symbol
    _multiply \symbol, 5
.Llen8_\symbol:
    _multiply \symbol, 8
.Llen10_\symbol:
    _multiply \symbol, 10
END_FUNC(lc_rsa_one_mul_\symbol)

.endm

_implementation avx512ifma_512, 64

.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Points of a curve y^2 = x^3 - 3 x + b in Jacobian coordinates, one at a time, as macros: what the NIST curves have in common,
 * with numbers in general registers (words.h).  (X : Y : Z) is the point (X / Z^2, Y / Z^3), or infinity if Z is 0.
 *
 * Whoever includes this defines, in addition to what words.h needs,
 *
 *      W               the register that points to struct lc_<curve>_work
 *      X0              a temporary, %rax
 *      TOP, TOP32      the word above r, and its lower half
 *
 * and macros whose operands are numbers' places in that struct:
 *
 *      _multiply a, b      r = a * b; it may move W, see below.
 *      _square a           r = a * a
 *      _reduce_once        r -= p, unless that is negative; TOP is the word above r.
 *      _add_p_if           r += p where the mask X0 is -1, not 0; the flags are those of the last addition.
 */
#ifndef LC_X86_JACOBIAN_H
#define LC_X86_JACOBIAN_H

#include "words.h"

/* struct lc_<curve>_work: asserted in x86/<curve>_bmi2.c */
#define NUMBER (8*WORDS) /* bytes */
#define PX 0
#define PY NUMBER
#define PZ (2*NUMBER)
#define EX (3*NUMBER)
#define EY (4*NUMBER)
#define INDEX (5*NUMBER)
#define T0 (5*NUMBER+16)
#define T1 (6*NUMBER+16)
#define T2 (7*NUMBER+16)
#define T3 (8*NUMBER+16)

/*
 * Products are functions, which take nearly all registers, so W is what one factor is pointed to by: it is BASE behind the struct's
 * beginning.
 */
.set BASE, 0

/* W is at the number a, or where it was, if that is b; then `other` points to the other one. */
.macro _point_to a, b, other
.if \b == BASE
    lea \a-BASE(W), \other
.else
    lea \b-BASE(W), \other
  .if \a != BASE
    lea \a-BASE(W), W
  .endif
    .set BASE, \a
.endif
.endm
.macro _point_to_begin
.if BASE != 0
    lea -BASE(W), W
.endif
    .set BASE, 0
.endm

/* r = the number at n, and back */
.macro _get n
    _load \n-BASE(W)
.endm
.macro _put n
    _store \n-BASE(W)
.endm

/* r += the number at n */
.macro _add n
    xor TOP32, TOP32
    _add_words \n-BASE(W)
    adc $0, TOP
    _reduce_once
.endm

/* r -= it */
.macro _sub n
    _sub_words \n-BASE(W)
    sbb X0, X0
    _add_p_if
.endm

/* r = r / 2: an odd number has p added first, which makes one bit more than r has, and that is shifted in. */
.macro _half
    mov R0, X0
    and $1, %eax
    neg X0
    _add_p_if
#if WORDS == 6
    rcr R5
    rcr R4
#endif
    rcr R3
    rcr R2
    rcr R1
    rcr R0
.endm

/*
 * (X : Y : Z) = 2 (X : Y : Z), with a = -3:
 *
 *      L = 3 (X - Z^2)(X + Z^2) / 2,   B = X Y^2
 *      X' = L^2 - 2 B,   Y' = L (B - X') - Y^4,   Z' = Y Z
 *
 * That is the usual formula with Z' = 2 Y Z, scaled by 1/2: one number is halved, and five doublings of numbers are saved.
 * Infinity, Z = 0, remains that.
 */
.macro _double_point
    _square PZ
    _put T0
    _get PX
    _sub T0
    _put T1                   /* X - Z^2 */
    _get PX
    _add T0
    _put T2                   /* X + Z^2 */
    _square PY
    _put T0                   /* Y^2 */
    _multiply T1, T2
    _put T1
    _half
    _add T1
    _put T1                   /* L */
    _multiply PX, T0
    _put T2                   /* B */
    _multiply PY, PZ
    _put PZ
    _square T1
    _sub T2
    _sub T2
    _put PX
    _square T0
    _put T3                   /* Y^4 */
    _get T2
    _sub PX
    _put T2
    _multiply T1, T2
    _sub T3
    _put PY
.endm

/*
 * (X : Y : Z) += the entry, the affine point (x, y):
 *
 *      H = x Z^2 - X,   R = y Z^3 - Y,   V = X H^2
 *      X' = R^2 - H^3 - 2 V,   Y' = R (V - X') - Y H^3,   Z' = Z H
 *
 * If the points are equal or opposite, H is 0, so Z' is 0; and X' is 0 then if they are equal.  Infinity plus the entry gives
 * Z' = 0, too.
 */
.macro _add_entry
    _square PZ
    _put T0                   /* Z^2 */
    _multiply EX, T0
    _sub PX
    _put T1                   /* H */
    _multiply PZ, T0
    _put T0                   /* Z^3 */
    _multiply PZ, T1
    _put PZ
    _multiply EY, T0
    _sub PY
    _put T0                   /* R */
    _square T1
    _put T2                   /* H^2 */
    _multiply T1, T2
    _put T1                   /* H^3 */
    _multiply PX, T2
    _put T2                   /* V */
    _square T0
    _sub T1
    _sub T2
    _sub T2
    _put PX
    _multiply PY, T1
    _put T1                   /* Y H^3 */
    _get T2
    _sub PX
    _put T2
    _multiply T0, T2
    _sub T1
    _put PY
.endm

/*
 * The entry = table[..][index] of a table of words, 2 WORDS of them, each with that of all entries next to each other.  Eight
 * entries at a time: a mask for each, which is -1 for one of all, and the words' sums, in the end of four numbers each.
 */
.macro _select_base entries
    .set SUMS, 2*WORDS
    vpbroadcastd INDEX(W), %ymm14   /* the index, less the first entry's number */
.irp i, 0,1,2,3,4,5,6,7,8,9,10,11
  .if \i < SUMS
    vpxor %xmm\i, %xmm\i, %xmm\i
  .endif
.endr
    mov $\entries/8, %ecx
.Lselect_base_bmi2:
    vpcmpeqd .Lfirst_entries(%rip), %ymm14, %ymm12
    vpcmpeqd .Lfirst_entries+32(%rip), %ymm14, %ymm13
    vpaddd .Lminus_eight(%rip), %ymm14, %ymm14
.irp i, 0,1,2,3,4,5,6,7,8,9,10,11
  .if \i < SUMS
    vpand 8*\entries*\i(TABLE), %ymm12, %ymm15
    vpor %ymm15, %ymm\i, %ymm\i
    vpand 8*\entries*\i+32(TABLE), %ymm13, %ymm15
    vpor %ymm15, %ymm\i, %ymm\i
  .endif
.endr
    add $64, TABLE
    dec %ecx
    jnz .Lselect_base_bmi2
    _store_sums 0, 1, 2, 3, EX(W)
    _store_sums 4, 5, 6, 7, 32+EX(W)
#if WORDS == 6
    _store_sums 8, 9, 10, 11, 64+EX(W)
#endif
    vzeroupper
.endm
/* One word from the four numbers of each sum */
.macro _store_sums a, b, c, d, to
    vpunpcklqdq %ymm\b, %ymm\a, %ymm12
    vpunpckhqdq %ymm\b, %ymm\a, %ymm13
    vpor %ymm13, %ymm12, %ymm12
    vpunpcklqdq %ymm\d, %ymm\c, %ymm13
    vpunpckhqdq %ymm\d, %ymm\c, %ymm15
    vpor %ymm15, %ymm13, %ymm13
    vperm2i128 $0x20, %ymm13, %ymm12, %ymm15
    vperm2i128 $0x31, %ymm13, %ymm12, %ymm12
    vpor %ymm15, %ymm12, %ymm12
    vmovdqu %ymm12, \to
.endm

.section .rodata.lc_jacobian, "a", @progbits
.p2align 5
.Lfirst_entries:
    .long 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
.Lminus_eight:
    .long -8, -8, -8, -8, -8, -8, -8, -8
.text

#endif

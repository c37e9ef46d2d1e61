/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-384 for x86-64 with AVX-512 IFMA: as many points at once as a vector has 64-bit lanes, each lane another one.
 *
 * What is done with points, and why it is right, is in x86/p384.c, which calls these functions.  x86/curve256.S has the same
 * functions for primes of 256 bits.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * A number x modulo p = 2^384 - 2^128 - 2^96 + 2^32 - 1 is kept as x * 2^416 mod p (Montgomery's form), in eight limbs of 52 bits,
 * limb i of all lanes in one vector; eight vectors, the lowest first, are a number here.  It needn't be below p: each of them has
 * its bound, a small multiple of p.  The limbs hold 2^416 = 2^32 p, so that no bound has to be kept small.
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * a * b / 2^416 mod p: the 64 products, and for each of the lowest eight columns t the multiple m of p that makes it a multiple of
 * 2^52.  As -1/p = 2^32 + 1 (mod 2^52),
 *
 *      s = t + (2^32 t mod 2^52),      m = s mod 2^52
 *
 * where s is one multiplication with an addition, and the instructions take the lower 52 bits of s themselves.  Then
 *
 *      t + m * p  =  (t - m + m * 2^32)  -  m * 2^96  -  m * 2^128  +  m * 2^384
 *
 * In the first term 2^32 m = 2^52 floor(2^32 m / 2^52) + (2^32 t mod 2^52), as m = t modulo 2^20; and s - m = 2^52 floor(s / 2^52).
 * So it gives the next column floor(s / 2^52) + floor(2^32 m / 2^52).  The last term is the products of m and of 2^20 in the column
 * 7 above, and for the other two there are products of what is left to 2^52 - 1, which is ~m:
 *
 *      -m 2^44  =  ~m 2^44 - 2^96 + 2^44,      -m 2^24  =  ~m 2^24 - 2^76 + 2^24
 *
 * in the columns 1 and 2 above.  Of these constants nothing remains, over all eight steps, but 2^44 in column 1, 2^24 in column 2,
 * and -2^44 and -2^24 in the columns 9 and 10, which are the result's limbs 1 and 2.
 *
 * That makes 128 multiplications for the products, or 72 for a square's, and eight in each of the eight steps.  (Products with all
 * limbs of p would be 16 in each step.)
 *
 * The products go limb by limb of one factor, with all limbs of the other in registers: 16 multiplications that don't wait for each
 * other.  Column by column they do, eight in a row, and that took 20 % longer.
 *
 * Of a < A p and b < B p the result is below (A B / 2^32 + 1) p, since it is (a b + m p) / 2^416 with m < 2^416, and p < 2^384.
 * With all bounds below 20 that is 1.0001 p, for sums of two products, a b + c d, too.
 *
 * -- Sums -----------------------------------------------------------------------------------------------------------------------
 *
 * What comes out of a multiplication has limbs of more than 52 bits, and of either sign.  Before these are carried, numbers are
 * added and subtracted limb by limb, with a multiple of p that keeps the number from being negative.  So there is one carry for
 * all.
 */
#include "asm.h"

/* struct lc_p384_lanes, in numbers: asserted in x86/p384.c */
#define FE (8 * VL)
#define PX 0
#define PY FE
#define PZ (2 * FE)
#define EX (3 * FE)
#define EY (4 * FE)
#define NEGATIVE (5 * FE)
#define INDEX (5 * FE + VL)
#define T0 (5 * FE + 2 * VL)
#define T1 (6 * FE + 2 * VL)
#define T2 (7 * FE + 2 * VL)
#define T3 (8 * FE + 2 * VL)

.section .rodata.lc_p384, "a", @progbits
.p2align 6
.Lmask52:
    .quad (1 << 52) - 1
.Lpower20:
    .quad 1 << 20
.Lpower24:
    .quad 1 << 24
.Lpower32:
    .quad 1 << 32
.Lpower44:
    .quad 1 << 44
/* Multiples of p: the limbs 0, 1, 2 and 7; the others are 0. */
.macro _multiple_of_p n
.Lp_times_\n:
    .quad \n * ((1 << 32) - 1), -\n * (1 << 44), -\n * (1 << 24), \n * (1 << 20)
.endm
_multiple_of_p 2
_multiple_of_p 4
_multiple_of_p 12
_multiple_of_p 16

.text

#define W               %rdi    /* struct lc_p384_lanes */

/* ---- Registers ---- */

/*
 * B*: a factor; of the other one, A has a limb at a time.  L*: columns, of which no more than ten are at work at once, so they take
 * turns.  R* are the result's limbs, where column 8 to 15 end up.
 */
.macro _set_registers
    _set_vectors
.irp i, 0,1,2,3,4,5,6,7
    .set B\i, V\i
.endr
.irp i, 0,1,2,3,4,5
    .set L1\i, V1\i                 /* column 10 to 15 */
    .set L\i, V1\i
.endr
    .set L6, V16
    .set L7, V17
    .set L8, V8
    .set L9, V9
    .set R0, L8
    .set R1, L9
    .set R2, L10
    .set R3, L11
    .set R4, L12
    .set R5, L13
    .set R6, L14
    .set R7, L15
    .set TMP, V18
    .set TMP2, V19
    .set POWER20, V20
    .set POWER24, V21
    .set POWER32, V22
    .set POWER44, V23
    .set MASK52, V24
    .set A, V25
    .set C, V26
    .set SIGN, V25
    .set D2, V26                /* a square's other factor, twice the first */
    .set D3, V27
    .set D4, V28
    .set D5, V29
    .set D6, V30
    .set D7, V31
.endm

.macro _load_constants
    vpbroadcastq .Lpower20(%rip), POWER20
    vpbroadcastq .Lpower24(%rip), POWER24
    vpbroadcastq .Lpower32(%rip), POWER32
    vpbroadcastq .Lpower44(%rip), POWER44
    vpbroadcastq .Lmask52(%rip), MASK52
.endm

.macro _zero r
    vpxorq \r, \r, \r
.endm

/* ---- Multiplication ---- */

/* m = L\k, all of column k: adds what m * p makes of it to the columns above. */
.macro _reduce k, k1, k2, k3, k7, k8
    vpmadd52luq POWER32, L\k, L\k                      /* s */
    vpxorq MASK52, L\k, TMP
    vpsrlq $52, L\k, TMP2
    vpmadd52huq POWER32, L\k, L\k1
    vpmadd52luq POWER44, TMP, TMP2                      /* not to L\k1, which the next column is waiting for */
    vpmadd52luq POWER20, L\k, L\k7
    vpmadd52huq POWER20, L\k, L\k8
    vpmadd52huq POWER44, TMP, L\k2
    vpmadd52luq POWER24, TMP, L\k2
    vpmadd52huq POWER24, TMP, L\k3
    vpaddq TMP2, L\k1, L\k1
.endm

/*
 * All rows, where _row i, args adds the products with limb i to the columns i to i + 8.  A column's reduction comes after the next
 * row, as it has to wait.
 */
.macro _rows row, args:vararg
.irp i, 0,3,4,5,6,7,8
    _zero L\i
.endr
    vmovdqa64 POWER44, L1
    vmovdqa64 POWER24, L2
    \row 0, \args
    _zero L9
    \row 1, \args
    _reduce 0, 1, 2, 3, 7, 8
    _zero L10
    \row 2, \args
    _reduce 1, 2, 3, 4, 8, 9
    _zero L11
    \row 3, \args
    _reduce 2, 3, 4, 5, 9, 10
    _zero L12
    \row 4, \args
    _reduce 3, 4, 5, 6, 10, 11
    _zero L13
    \row 5, \args
    _reduce 4, 5, 6, 7, 11, 12
    _zero L14
    \row 6, \args
    _reduce 5, 6, 7, 8, 12, 13
    _zero L15
    \row 7, \args
    _reduce 6, 7, 8, 9, 13, 14
    _reduce 7, 8, 9, 10, 14, 15
    vpsubq POWER44, R1, R1
    vpsubq POWER24, R2, R2
.endm

/* R = a * b, not carried; a and b are offsets from a_base and b_base. */
.macro _multiply a, b, a_base=W, b_base=W
.irp i, 0,1,2,3,4,5,6,7
    vmovdqa64 (\b) + \i*VL(\b_base), B\i
.endr
    _rows _product_row, \a, \a_base
.endm
.macro _product_row i, a, a_base
    vmovdqa64 (\a) + \i*VL(\a_base), A
    _limb_times_b \i, A
.endm
/* The lower halves first, then the upper ones: a column waits for four cycles before the next product can be added. */
.macro _limb_times_b i, a
.irp k, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14
.irp j, 0,1,2,3,4,5,6,7
.if \i + \j == \k
    vpmadd52luq B\j, \a, L\k
.endif
.endr
.endr
.irp k, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
.irp j, 0,1,2,3,4,5,6,7
.if \i + \j + 1 == \k
    vpmadd52huq B\j, \a, L\k
.endif
.endr
.endr
.endm

/* R = a * b + c * d, not carried */
.macro _multiply_two a, b, c, d
.irp i, 0,1,2,3,4,5,6,7
    vmovdqa64 (\b) + \i*VL(W), B\i
.endr
    _rows _two_product_row, \a, \c, \d
.endm
.macro _two_product_row i, a, c, d
    vmovdqa64 (\a) + \i*VL(W), A
    vmovdqa64 (\c) + \i*VL(W), C
    _limb_times_b \i, A
.irp k, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14
.irp j, 0,1,2,3,4,5,6,7
.if \i + \j == \k
    vpmadd52luq (\d) + \j*VL(W), C, L\k
.endif
.endr
.endr
.irp k, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
.irp j, 0,1,2,3,4,5,6,7
.if \i + \j + 1 == \k
    vpmadd52huq (\d) + \j*VL(W), C, L\k
.endif
.endr
.endr
.endm

/*
 * R = a^2, not carried: of the products of different limbs each once, by twice the higher limb.  Twice a number's limbs from i + 1
 * on are 2 a_(i+1), 2 a_(i+2) + what a_(i+1) has above 51 bits, and so on, of which the multiplications take 52 bits.  (The highest
 * limb has none above: a is below 2^415.)
 */
.macro _square a
.irp i, 0,1,2,3,4,5,6,7
    vmovdqa64 (\a) + \i*VL(W), B\i
.endr
    _twice 2, 1
    _twice 3, 2
    _twice 4, 3
    _twice 5, 4
    _twice 6, 5
    _twice 7, 6
    _rows _square_row
.endm
.macro _twice i, below
    vpaddq B\i, B\i, D\i
    vpsrlq $51, B\below, TMP
    vpaddq TMP, D\i, D\i
.endm
.macro _square_row i, args
.if \i < 7
.irp j, 1,2,3,4,5,6,7
.if \j == \i + 1
    vpaddq B\j, B\j, A
.endif
.endr
.endif
    _square_products vpmadd52luq, \i, 0
    _square_products vpmadd52huq, \i, 1
.endm
.macro _square_products insn, i, up
.irp k, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
.if 2*\i + \up == \k
    \insn B\i, B\i, L\k
.elseif 2*\i + 1 + \up == \k && \i < 7
    \insn A, B\i, L\k
.else
.irp j, 2,3,4,5,6,7
.if \i + \j + \up == \k && \j > \i + 1
    \insn D\j, B\i, L\k
.endif
.endr
.endif
.endr
.endm

/* ---- Sums.  R is what is added to, limb by limb. ---- */

.macro _each_limb insn, offset
.irp i, 0,1,2,3,4,5,6,7
    \insn (\offset) + \i*VL(W), R\i, R\i
.endr
.endm
.macro _load_r offset
.irp i, 0,1,2,3,4,5,6,7
    vmovdqa64 (\offset) + \i*VL(W), R\i
.endr
.endm
.macro _store_r offset, base=W
.irp i, 0,1,2,3,4,5,6,7
    vmovdqa64 R\i, (\offset) + \i*VL(\base)
.endr
.endm
.macro _add_fe offset
    _each_limb vpaddq, \offset
.endm
.macro _sub_fe offset
    _each_limb vpsubq, \offset
.endm
/* R += n p */
.macro _add_p n
    vpaddq .Lp_times_\n(%rip){1to8}, R0, R0
    vpaddq .Lp_times_\n + 8(%rip){1to8}, R1, R1
    vpaddq .Lp_times_\n + 16(%rip){1to8}, R2, R2
    vpaddq .Lp_times_\n + 24(%rip){1to8}, R7, R7
.endm
/* R = -R */
.macro _negate
    _zero TMP
.irp i, 0,1,2,3,4,5,6,7
    vpsubq R\i, TMP, R\i
.endr
.endm
/* R *= 2^n */
.macro _shift n
.irp i, 0,1,2,3,4,5,6,7
    vpsllq $\n, R\i, R\i
.endr
.endm
/* R *= 3 */
.macro _triple
.irp i, 0,1,2,3,4,5,6,7
    vpaddq R\i, R\i, TMP
    vpaddq TMP, R\i, R\i
.endr
.endm
/* R -= 8 a */
.macro _sub_8_fe offset
.irp i, 0,1,2,3,4,5,6,7
    vpsllq $3, (\offset) + \i*VL(W), TMP
    vpsubq TMP, R\i, R\i
.endr
.endm

/* R's limbs, of up to 63 bits and a sign, to 52 bits; the number is 0 .. 2^416 - 1. */
.macro _carry
    _carry_limb R0, R1
    _carry_limb R1, R2
    _carry_limb R2, R3
    _carry_limb R3, R4
    _carry_limb R4, R5
    _carry_limb R5, R6
    _carry_limb R6, R7
.endm
.macro _carry_limb from, to
    vpsraq $52, \from, TMP
    vpandq MASK52, \from, \from
    vpaddq TMP, \to, \to
.endm
.macro _carry_to offset
    _carry
    _store_r \offset
.endm

/* ---- Selection, all of the table being read ---- */

/* d = mask ? a : d, where all bits of an element of mask are the same; a may be memory. */
.macro _choose a, mask, d
    vpternlogq $0xb8, \a, \mask, \d
.endm
/* mask = all bits of an element are bit n of x */
.macro _mask_of_bit n, x, mask
    vpsllq $63-\n, \x, \mask
    vpsraq $63, \mask, \mask
.endm

#define TABLE           %rsi

/* ---- The functions ---- */

.macro _implementation symbol, vl
.set VL, \vl
.set CODE, EVEX
_set_registers
_begin_code lc_p384_\symbol

/*
 * void lc_p384_mul_<impl>(struct lc_p384_fe *r, const struct lc_p384_fe *a, const struct lc_p384_fe *b)
 *
 * r = a * b / 2^416 mod p in all lanes, below (A B / 2^32 + 1) p if a < A p and b < B p.  r may be a or b.  Aligned to VL.
 * Clobbers vector registers 0..25.
 */
FUNC(lc_p384_mul_\symbol)
    _load_constants
    _multiply 0, 0, a_base=%rsi, b_base=%rdx
    _carry
    _store_r 0, %rdi
    vzeroupper
    RETURN
END_FUNC(lc_p384_mul_\symbol)

/*
 * void lc_p384_sqr_<impl>(struct lc_p384_fe *r)
 *
 * r = r * r / 2^416 mod p, as above; r is below 2^415.  Clobbers all vector registers.
 */
FUNC(lc_p384_sqr_\symbol)
    _load_constants
    _square 0
    _carry_to 0
    vzeroupper
    RETURN
END_FUNC(lc_p384_sqr_\symbol)

/*
 * void lc_p384_double_<impl>(struct lc_p384_lanes *w, size_t times)
 *
 * (X : Y : Z) = 2^times (X : Y : Z), times > 0, in Jacobian coordinates, x = X / Z^2, y = Y / Z^3:
 *
 *      alpha = 3 (X - Z^2)(X + Z^2),   gamma = Y^2,   beta = X gamma
 *      X' = alpha^2 - 8 beta,   Y' = alpha (4 beta - X') - 8 gamma^2,   Z' = 2 Y Z
 *
 * No exceptions: infinity, Z = 0, stays infinity, and no point of the curve has Y = 0.
 *
 * Bounds, in p, before and after: X 13.1, Y 2, Z 2.1.  Products: 1.0001.  X - Z^2 + 2p and X + Z^2: 15.2.  alpha: 3.01.
 * X' = alpha^2 - 8 beta + 12p: 13.1, not negative as 8 beta < 8.01.  4 beta - X' + 16p: 20.1.  -8 gamma + 12p: 12.
 *
 * Clobbers all vector registers, rsi, and T0..T3.
 */
FUNC(lc_p384_double_\symbol)
    _load_constants
.p2align 5
.Ldouble_\symbol:
    _square PZ
    _carry_to T0                /* Z^2 */
    _square PY
    _carry_to T1                /* gamma */
    _multiply PY, PZ
    _shift 1
    _carry_to PZ
    _load_r PX
    _sub_fe T0
    _add_p 2
    _carry_to T2
    _load_r PX
    _add_fe T0
    _carry_to T3
    _multiply T2, T3
    _triple
    _carry_to T2                /* alpha */
    _multiply PX, T1
    _carry_to T3                /* beta */
    _square T2
    _sub_8_fe T3
    _add_p 12
    _carry_to PX
    _load_r T3
    _shift 2
    _sub_fe PX
    _add_p 16
    _carry_to T0                /* 4 beta - X' */
    _load_r T1
    _shift 3
    _negate
    _add_p 12
    _carry_to T3                /* -8 gamma */
    _multiply_two T2, T0, T1, T3
    _carry_to PY
    dec %rsi
    jnz .Ldouble_\symbol
    vzeroupper
    RETURN
END_FUNC(lc_p384_double_\symbol)

/*
 * void lc_p384_add_<impl>(struct lc_p384_lanes *w)
 *
 * (X : Y : Z) += (x, y) in all lanes, where the point (x, y) is the entry, its y negated in lanes where `negative` is -1, not 0:
 *
 *      H = x Z^2 - X,   R = y Z^3 - Y,   V = X H^2
 *      X' = R^2 - H^3 - 2 V,   Y' = R (V - X') - Y H^3,   Z' = Z H
 *
 * Exceptions: if the points are equal or opposite, H is 0, so Z' is 0, and remains 0 in whatever is done afterwards.
 * The first should be a doubling, the second infinity.  Infinity plus the entry gives Z' = 0, too.
 *
 * Bounds, in p, before: X 13.1, Y 2, Z 2.1, x and y 2.  Products: 1.0001.  H, with 16p: 17.1.  R, with 4p, y Z^3 of either sign:
 * 5.1, not negative as 1.0001 + 2 < 4.  X', with 4p: 5.1, not negative as 3.01 < 4.  V - X' + 16p: 17.1.  -Y + 4p: 4.
 * After: X 5.1, Y and Z 1.0001.
 *
 * Clobbers all vector registers, and T0..T3.
 */
FUNC(lc_p384_add_\symbol)
    _load_constants
    _square PZ
    _carry_to T0                /* Z^2 */
    _multiply PZ, T0
    _carry_to T1                /* Z^3 */
    _multiply EX, T0
    _sub_fe PX
    _add_p 16
    _carry_to T2                /* H */
    _multiply EY, T1
    vmovdqa64 NEGATIVE(W), SIGN
.irp i, 0,1,2,3,4,5,6,7
    vpxorq SIGN, R\i, R\i
    vpsubq SIGN, R\i, R\i
.endr
    _sub_fe PY
    _add_p 4
    _carry_to T3                /* R */
    _multiply PZ, T2
    _carry_to PZ
    _square T2
    _carry_to T0                /* H^2 */
    _multiply PX, T0
    _carry_to T1                /* V */
    _multiply T2, T0
    _carry_to T0                /* H^3 */
    _square T3
    _sub_fe T0
    _sub_fe T1
    _sub_fe T1
    _add_p 4
    _carry_to PX
    _load_r T1
    _sub_fe PX
    _add_p 16
    _carry_to T1                /* V - X' */
    _load_r PY
    _negate
    _add_p 4
    _carry_to T2                /* -Y */
    _multiply_two T3, T1, T2, T0
    _carry_to PY
    vzeroupper
    RETURN
END_FUNC(lc_p384_add_\symbol)

/*
 * void lc_p384_select_<impl>(struct lc_p384_lanes *w, const struct lc_p384_entry table[8])
 *
 * The entry = table[index] in each lane, index < 8.  Each lane has its own table, aligned to VL.
 * Clobbers vector registers 0..7.
 */
FUNC(lc_p384_select_\symbol)
    .set BIT0, V4
    .set BIT1, V5
    .set BIT2, V6
    vmovdqa64 INDEX(W), V7
    _mask_of_bit 0, V7, BIT0
    _mask_of_bit 1, V7, BIT1
    _mask_of_bit 2, V7, BIT2
.irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
  .irp e, 0,1,2,3
    vmovdqa64 \e*4*FE + \i*VL(TABLE), V\e
    _choose (2*\e+1)*2*FE+\i*VL(TABLE), BIT0, V\e
  .endr
    _choose V1, BIT1, V0
    _choose V3, BIT1, V2
    _choose V2, BIT2, V0
    vmovdqa64 V0, EX + \i*VL(W)
.endr
    vzeroupper
    RETURN
END_FUNC(lc_p384_select_\symbol)

/*
 * void lc_p384_select_base_<impl>(struct lc_p384_lanes *w, const uint64_t table[12][32])
 *
 * The entry = table[..][index] in each lane, index < 32: one table for all lanes, six 64-bit words of x and six of y, and of each
 * word all 32 next to each other.  A vector has 8 of them, vpermt2q takes one of 16 for each lane, and of two such results a bit
 * of the index chooses.  Words take a quarter less memory than limbs; they are cut here.
 * Clobbers vector registers 0..13.
 */
FUNC(lc_p384_select_base_\symbol)
    .set BIT4, V11
    .set MASK52, V12
    vmovdqa64 INDEX(W), V10
    _mask_of_bit 4, V10, BIT4
    vpbroadcastq .Lmask52(%rip), MASK52
    _select_words 0, EX
    _select_words 6*32*8, EY
    vzeroupper
    RETURN
END_FUNC(lc_p384_select_base_\symbol)

/*
 * void lc_p384_clear_<impl>(void)
 *
 * Zeros in all vector registers: these functions leave secrets there, and are called in turn.
 */
FUNC(lc_p384_clear_\symbol)
    vzeroall
.irp i, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vpxord %xmm\i, %xmm\i, %xmm\i
.endr
    RETURN
END_FUNC(lc_p384_clear_\symbol)

_end_code lc_p384_\symbol
.endm

/* The words at `at` in the table to V0..V5, and as limbs to the number at `to` */
.macro _select_words at, to
.irp i, 0,1,2,3,4,5
    vmovdqa64 (\at) + \i*256(TABLE), V\i
    vpermt2q (\at) + \i*256 + 64(TABLE), V10, V\i
    vmovdqa64 (\at) + \i*256 + 128(TABLE), V6
    vpermt2q (\at) + \i*256 + 192(TABLE), V10, V6
    _choose V6, BIT4, V\i
.endr
    vpandq MASK52, V0, V6
    vmovdqa64 V6, (\to)(W)
    _limb_of_two 0, 52, 1, 12, "(\to) + VL"
    _limb_of_two 1, 40, 2, 24, "(\to) + 2*VL"
    _limb_of_two 2, 28, 3, 36, "(\to) + 3*VL"
    _limb_of_two 3, 16, 4, 48, "(\to) + 4*VL"
    vpsrlq $4, V4, V6
    vpandq MASK52, V6, V6
    vmovdqa64 V6, (\to) + 5*VL(W)
    _limb_of_two 4, 56, 5, 8, "(\to) + 6*VL"
    vpsrlq $44, V5, V6
    vmovdqa64 V6, (\to) + 7*VL(W)
.endm
/* (word `low` >> right | word `high` << left), its lower 52 bits */
.macro _limb_of_two low, right, high, left, to
    vpsrlq $\right, V\low, V6
    vpsllq $\left, V\high, V7
    vpternlogq $0xa8, MASK52, V7, V6
    vmovdqa64 V6, \to(W)
.endm

_implementation avx512ifma_512, 64

.section .note.GNU-stack, "", @progbits

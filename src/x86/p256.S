/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-256 for x86-64 with AVX-512 IFMA: as many points at once as a vector has 64-bit lanes, each lane another one.
 *
 * What is done with points, and why it is right, is in x86/p256.c, which calls these functions.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * A number x modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1 is kept as x * 2^260 mod p (Montgomery's form), in five limbs of 52 bits,
 * limb i of all lanes in one vector; five vectors, the lowest first, are a number here.  It needn't be below p: each of them has
 * its bound, a small multiple of p, and all of them are below 2^260 = 16 p, so that the highest limb has no more than 52 bits, too.
 * The instructions multiply the lower 52 bits of two limbs and add the lower or the upper 52 bits of the product to 64 bits.
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * a * b / 2^260 mod p: the 25 products, column by column, and for each of the lowest five columns t the multiple m of p that makes
 * it a multiple of 2^52. As p = -1 (mod 2^52), m is t mod 2^52 itself: no multiplication.  And as m * p + m has no low bits,
 *
 *      t + m * p  =  (t - m)  +  m * 2^96  +  m * 2^192  +  m * (2^256 - 2^224)
 *
 * The first term is t / 2^52 in the next column, the others are the products of m and of 2^44, 2^36 and 2^48 - 2^16 in the columns
 * 1, 3 and 4 above.  Multiplications by 2^44 and 2^36 could be shifts; on Zen 4, which has a multiplication a cycle and a shift a
 * cycle, that is no faster.
 *
 * Of a < A p and b < B p the result is below (A B / 16 + 1) p, since it is (a b + m p) / 2^260 with m < 2^260, and p < 2^256; that
 * has to be below 16 p.
 * Two products with one reduction, a b + c d, take 130 multiplications instead of 160: below ((A B + C D) / 16 + 1) p.
 *
 * A square has its ten products of different limbs once, and the sum of them is doubled.  (A limb times 2 has more than 52 bits.)
 *
 * Each column has two accumulators, for lower and upper halves: the chains are half as long.
 *
 * -- Sums -----------------------------------------------------------------------------------------------------------------------
 *
 * What comes out of a multiplication has limbs of more than 52 bits.  Before these are carried, numbers are added and subtracted
 * limb by limb, with a multiple of p that keeps the number, not the limbs, from being negative.  So there is one carry for all.
 * Where a bound becomes too large, _fold takes away q p, where q = limb 4 / 2^48 is the number divided by 2^256, as far as the
 * highest limb tells.  The lower limbs, not carried yet, are below 2^60, so they can change it by 2^216 at most, and what is left
 * is below 2^256 + 2^216 + q * 2^224 < 1.01 p.  It isn't negative either: for q = 0 it is the number, for q = -1 the number plus p,
 * and above that, q (2^256 - p), which is above 2^223, is more than 2^216.
 */
#include "asm.h"

/* struct lc_p256_lanes, in numbers: asserted in x86/p256.c */
#define FE (5 * VL)
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

.section .rodata.lc_p256, "a", @progbits
.p2align 6
.Lconstants:
.Lmask52:
    .quad (1 << 52) - 1
.Lreduce1:
    .quad 1 << 44
.Lreduce3:
    .quad 1 << 36
.Lreduce4:
    .quad (1 << 48) - (1 << 16)
/* Multiples of p, so that no limb but the highest matters in size: limb by limb */
.macro _multiple_of_p n
    .quad \n * ((1 << 52) - 1), \n * ((1 << 44) - 1), 0, \n * (1 << 36), \n * ((1 << 48) - (1 << 16))
.endm
.Lp_times_2:
    _multiple_of_p 2
.Lp_times_4:
    _multiple_of_p 4
.Lp_times_12:
    _multiple_of_p 12

.text

#define W               %rdi    /* struct lc_p256_lanes */

/* ---- Registers ---- */

/*
 * A*, C*: factors; L*, H*: accumulators, which take turns, since no more than five columns are at work at once.  R* are the
 * result's limbs, where column 5 to 9 end up.
 */
.macro _set_registers
    _set_vectors
    .set A0, V0
    .set A1, V1
    .set A2, V2
    .set A3, V3
    .set A4, V4
    .set C0, V5
    .set C1, V6
    .set C2, V7
    .set C3, V8
    .set C4, V9
    .set L0, V10
    .set L1, V11
    .set L2, V12
    .set L3, V13
    .set L4, V14
    .set L5, V10
    .set L6, V11
    .set L7, V12
    .set L8, V13
    .set H1, V15
    .set H2, V16
    .set H3, V17
    .set H4, V18
    .set H5, V19
    .set H6, V20
    .set H7, V15
    .set H8, V16
    .set H9, V17
    .set R0, V10
    .set R1, V11
    .set R2, V12
    .set R3, V13
    .set R4, V17
    .set TMP, V21
    .set X1, V22                /* a square's products of different limbs: the lower halves of odd and even columns, .. */
    .set X0, V23
    .set Y1, V24                /* .. and the upper ones */
    .set Y0, V25
    .set SIGN, V26
    .set MASK52, V28
    .set REDUCE1, V29
    .set REDUCE3, V30
    .set REDUCE4, V31
.endm

.macro _load_constants
    vpbroadcastq .Lmask52(%rip), MASK52
    vpbroadcastq .Lreduce1(%rip), REDUCE1
    vpbroadcastq .Lreduce3(%rip), REDUCE3
    vpbroadcastq .Lreduce4(%rip), REDUCE4
.endm

.macro _zero r
    vpxorq \r, \r, \r
.endm

/* Five registers = the number at `at`, offset(register) */
.macro _load_fe name, offset, base
.irp i, 0,1,2,3,4
    vmovdqa64 (\offset) + \i*VL(\base), \name\i
.endr
.endm

.macro _store_r offset, base=W
.irp i, 0,1,2,3,4
    vmovdqa64 R\i, (\offset) + \i*VL(\base)
.endr
.endm

/* ---- Multiplication ---- */

/* Column k of the products of registers \a0..4 and the number at offset(base): its lower halves, and the upper ones of the next. */
.macro _products k, k1, a, offset, base
.irp i, 0,1,2,3,4
.irp j, 0,1,2,3,4
.if \i + \j == \k
    vpmadd52luq (\offset) + \j*VL(\base), \a\i, L\k
    vpmadd52huq (\offset) + \j*VL(\base), \a\i, H\k1
.endif
.endr
.endr
.endm

/* m = L\k, all of column k: adds m * p / 2^52, and what L\k has above 52 bits, to the columns above. */
.macro _reduce k, k1, k2, k3, k4, k5
    vpmadd52luq REDUCE1, L\k, L\k1
    vpsrlq $52, L\k, TMP
    vpmadd52huq REDUCE1, L\k, H\k2
    vpmadd52luq REDUCE3, L\k, L\k3
    vpaddq TMP, L\k1, L\k1
    vpmadd52huq REDUCE3, L\k, H\k4
    vpmadd52luq REDUCE4, L\k, L\k4
    vpmadd52huq REDUCE4, L\k, H\k5
.endm

/*
 * R = a * b, not carried; or, with c and d, a * b + c * d.  a and c are offsets from W unless bases are given; A and C are
 * clobbered.  Five columns are at work: those of the products one by one, and with each the reduction of the one two before it.
 */
.macro _multiply a, b, c, d, a_base=W, b_base=W
    _load_fe A, \a, \a_base
.ifnb \c
    _load_fe C, \c, W
.endif
.irp i, L0,L1,L2,L3,L4,H1,H2,H3,H4,H5
    _zero \i
.endr
    _columns 0, 1, \b, \b_base, \d
    _columns 1, 2, \b, \b_base, \d
    vpaddq H1, L1, L1
    _reduce 0, 1, 2, 3, 4, 5
    _columns 2, 3, \b, \b_base, \d
    vpaddq H2, L2, L2
    _zero L5
    _zero H6
    _reduce 1, 2, 3, 4, 5, 6
    _columns 3, 4, \b, \b_base, \d
    vpaddq H3, L3, L3
    _zero L6
    _zero H7
    _reduce 2, 3, 4, 5, 6, 7
    _columns 4, 5, \b, \b_base, \d
    vpaddq H4, L4, L4
    _zero L7
    _zero H8
    _reduce 3, 4, 5, 6, 7, 8
    _columns 5, 6, \b, \b_base, \d
    _zero L8
    _zero H9
    _reduce 4, 5, 6, 7, 8, 9
    _columns 6, 7, \b, \b_base, \d
    _columns 7, 8, \b, \b_base, \d
    _columns 8, 9, \b, \b_base, \d
    vpaddq H5, L5, L5
    vpaddq H6, L6, L6
    vpaddq H7, L7, L7
    vpaddq H8, L8, L8
.endm
.macro _columns k, k1, b, b_base, d
    _products \k, \k1, A, \b, \b_base
.ifnb \d
    _products \k, \k1, C, \d, W
.endif
.endm

/* Column k of a square: the products of different limbs, doubled, and added to L\k */
.macro _square_column k, x, y, next_y
.irp i, 0,1,2,3,4
.irp j, 0,1,2,3,4
.if \i + \j == \k && \i < \j
    vpmadd52luq A\i, A\j, \x
    vpmadd52huq A\i, A\j, \next_y
.endif
.endr
.endr
.if \k > 0
    vpaddq \y, \x, \x
    _zero \y
    vpaddq \x, \x, \x
  .if \k < 9
    vpaddq \x, L\k, L\k
  .else
    vpaddq \x, H\k, H\k
  .endif
    _zero \x
.endif
.endm
/* The square of limb i, in the columns 2i and 2i + 1 */
.macro _square_limb i, k, k1
    vpmadd52luq A\i, A\i, L\k
    vpmadd52huq A\i, A\i, H\k1
.endm

/* R = a^2, not carried */
.macro _square a
    _load_fe A, \a, W
.irp i, L0,L1,L2,L3,L4,H1,H2,H3,H4,H5,X0,X1,Y0,Y1
    _zero \i
.endr
    _square_limb 0, 0, 1
    _square_column 1, X1, Y1, Y0
    vpaddq H1, L1, L1
    _reduce 0, 1, 2, 3, 4, 5
    _square_limb 1, 2, 3
    _square_column 2, X0, Y0, Y1
    vpaddq H2, L2, L2
    _zero L5
    _zero H6
    _reduce 1, 2, 3, 4, 5, 6
    _square_column 3, X1, Y1, Y0
    vpaddq H3, L3, L3
    _zero L6
    _zero H7
    _reduce 2, 3, 4, 5, 6, 7
    _square_limb 2, 4, 5
    _square_column 4, X0, Y0, Y1
    vpaddq H4, L4, L4
    _zero L7
    _zero H8
    _reduce 3, 4, 5, 6, 7, 8
    _square_column 5, X1, Y1, Y0
    _zero L8
    _zero H9
    _reduce 4, 5, 6, 7, 8, 9
    _square_limb 3, 6, 7
    _square_column 6, X0, Y0, Y1
    _square_column 7, X1, Y1, Y0
    _square_limb 4, 8, 9
    _square_column 8, X0, Y0, Y1
    vpaddq H5, L5, L5
    vpaddq H6, L6, L6
    vpaddq H7, L7, L7
    vpaddq H8, L8, L8
.endm

/* ---- Sums.  R is what is added to, limb by limb. ---- */

.macro _load_r offset
.irp i, 0,1,2,3,4
    vmovdqa64 (\offset) + \i*VL(W), R\i
.endr
.endm
.macro _add_fe offset
.irp i, 0,1,2,3,4
    vpaddq (\offset) + \i*VL(W), R\i, R\i
.endr
.endm
.macro _sub_fe offset
.irp i, 0,1,2,3,4
    vpsubq (\offset) + \i*VL(W), R\i, R\i
.endr
.endm
/* R += n p; limb 2 of it is 0. */
.macro _add_p n
.irp i, 0,1,3,4
    vpaddq .Lp_times_\n + 8*\i(%rip){1to8}, R\i, R\i
.endr
.endm
/* R = -R */
.macro _negate
    _zero TMP
.irp i, 0,1,2,3,4
    vpsubq R\i, TMP, R\i
.endr
.endm
/* R *= 2^n */
.macro _shift n
.irp i, 0,1,2,3,4
    vpsllq $\n, R\i, R\i
.endr
.endm

/* R -= q p, see the top of this file */
.macro _fold
    vpsraq $48, R4, TMP
    vpsllq $44, TMP, A0
    vpsllq $36, TMP, A1
    vpsllq $48, TMP, A2
    vpsllq $16, TMP, A3
    vpaddq TMP, R0, R0
    vpsubq A0, R1, R1
    vpsubq A1, R3, R3
    vpsubq A2, R4, R4
    vpaddq A3, R4, R4
.endm

/* R's limbs, of up to 63 bits and a sign, to 52 bits; the number is 0 .. 2^260 - 1. */
.macro _carry
    _carry_limb R0, R1
    _carry_limb R1, R2
    _carry_limb R2, R3
    _carry_limb R3, R4
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
_begin_code lc_p256_\symbol

/*
 * void lc_p256_mul_<impl>(struct lc_p256_fe *r, const struct lc_p256_fe *a, const struct lc_p256_fe *b)
 *
 * r = a * b / 2^260 mod p in all lanes, below (A B / 16 + 1) p if a < A p and b < B p.  r may be a or b.  Aligned to VL.
 * Clobbers vector registers 0..21 and 28..31.
 */
FUNC(lc_p256_mul_\symbol)
    _load_constants
    _multiply 0, 0, a_base=%rsi, b_base=%rdx
    _carry
    _store_r 0, %rdi
    vzeroupper
    RETURN
END_FUNC(lc_p256_mul_\symbol)

/*
 * void lc_p256_sqr_<impl>(struct lc_p256_fe *r)
 *
 * r = r * r / 2^260 mod p, as above.
 */
FUNC(lc_p256_sqr_\symbol)
    _load_constants
    _square 0
    _carry_to 0
    vzeroupper
    RETURN
END_FUNC(lc_p256_sqr_\symbol)

/*
 * void lc_p256_double_<impl>(struct lc_p256_lanes *w, size_t times)
 *
 * (X : Y : Z) = 2^times (X : Y : Z), times > 0, in Jacobian coordinates, x = X / Z^2, y = Y / Z^3:
 *
 *      alpha = 3 (X - Z^2)(X + Z^2),   gamma = Y^2,   beta = X gamma
 *      X' = alpha^2 - 8 beta,   Y' = alpha (4 beta - X') - 8 gamma^2,   Z' = 2 Y Z
 *
 * No exceptions: infinity, Z = 0, stays infinity, and no point of the curve has Y = 0.
 *
 * Bounds, in p, before: X 2, Y 2.5, Z 4.  delta = Z^2: 2.  gamma: 1.4.  Z': 2 (2.5 * 4 / 16 + 1) < 3.3.  X - delta + 2p and X +
 * delta: 4.  alpha: 3 (4 * 4 / 16 + 1) = 6.  beta: 2 * 1.4 / 16 + 1 < 1.2.  alpha^2 - 8 beta + 12p: 6 * 6 / 16 + 1 + 12 < 15.3,
 * folded. 4 beta - X' + 2p: 6.8.  12p - 8 gamma: 12, not negative as 8 * 1.4 < 12.  Y': (6 * 6.8 + 1.4 * 12) / 16 + 1 < 4.7,
 * folded.
 *
 * Clobbers vector registers 0..25 and 28..31, rsi, and T0..T3.
 */
FUNC(lc_p256_double_\symbol)
    _load_constants
.p2align 5
.Ldouble_\symbol:
    _square PZ
    _carry_to T0                /* delta */
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
.irp i, 0,1,2,3,4
    vpaddq R\i, R\i, TMP
    vpaddq TMP, R\i, R\i
.endr
    _carry_to T2                /* alpha */
    _multiply PX, T1
    _carry_to T3                /* beta */
    _square T2
    _add_p 12
.irp i, 0,1,2,3,4
    vpsllq $3, T3 + \i*VL(W), TMP
    vpsubq TMP, R\i, R\i
.endr
    _fold
    _carry_to PX
    _load_r T3
    _shift 2
    _sub_fe PX
    _add_p 2
    _carry_to T0                /* 4 beta - X' */
    _load_r T1
    _shift 3
    _negate
    _add_p 12
    _carry_to T3                /* -8 gamma */
    _multiply T2, T0, T1, T3
    _fold
    _carry_to PY
    dec %rsi
    jnz .Ldouble_\symbol
    vzeroupper
    RETURN
END_FUNC(lc_p256_double_\symbol)

/*
 * void lc_p256_add_<impl>(struct lc_p256_lanes *w)
 *
 * (X : Y : Z) += (x, y) in all lanes, where the point (x, y) is the entry, its y negated in lanes where `negative` is -1, not 0:
 *
 *      H = x Z^2 - X,   R = y Z^3 - Y,   V = X H^2
 *      X' = R^2 - H^3 - 2 V,   Y' = R (V - X') - Y H^3,   Z' = Z H
 *
 * Exceptions: if the points are equal or opposite, H is 0, so Z' is 0, and remains 0 in whatever is done afterwards.
 * The first should be a doubling, the second infinity.  Infinity plus the entry gives Z' = 0, too.
 *
 * Bounds, in p, before: X 2, Y 2.5, Z 4, x 2, y 2.  Z^2: 2.  x Z^2: 1.25.  H, with 2p: 3.25.  Z^3: 1.5.  y Z^3: 1.2.  R, with 4p,
 * y of either sign: 5.2, not negative as 1.2 + 2.5 < 4.  Z': 1.9.  H^2: 1.7.  V: 1.3.  H^3: 1.4.  X', with 4p: 5.2^2 / 16 + 1 +
 * 4, not negative as 1.4 + 2.6 < 4.01 (exactly: H^2 < 1.661, V < 1.208, H^3 < 1.338, and 1.338 + 2.416 < 4), folded.  V - X' +
 * 2p: 3.3. 4p - Y: 4.  Y': (5.2 * 3.3 + 4 * 1.4) / 16 + 1 < 2.5.
 *
 * Clobbers vector registers 0..26 and 28..31, and T0..T3.
 */
FUNC(lc_p256_add_\symbol)
    _load_constants
    _square PZ
    _carry_to T0                /* Z^2 */
    _multiply PZ, T0
    _carry_to T1                /* Z^3 */
    _multiply EX, T0
    _sub_fe PX
    _add_p 2
    _carry_to T2                /* H */
    _multiply EY, T1
    vmovdqa64 NEGATIVE(W), SIGN
.irp i, 0,1,2,3,4
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
    _fold
    _carry_to PX
    _load_r T1
    _sub_fe PX
    _add_p 2
    _carry_to T1                /* V - X' */
    _load_r PY
    _negate
    _add_p 4
    _carry_to T2                /* -Y */
    _multiply T3, T1, T2, T0
    _carry_to PY
    vzeroupper
    RETURN
END_FUNC(lc_p256_add_\symbol)

/*
 * void lc_p256_select_<impl>(struct lc_p256_lanes *w, const struct lc_p256_entry table[8])
 *
 * The entry = table[index] in each lane, index < 8.  Each lane has its own table, aligned to VL.
 * Clobbers vector registers 0..7.
 */
FUNC(lc_p256_select_\symbol)
    .set BIT0, V4
    .set BIT1, V5
    .set BIT2, V6
    vmovdqa64 INDEX(W), V7
    _mask_of_bit 0, V7, BIT0
    _mask_of_bit 1, V7, BIT1
    _mask_of_bit 2, V7, BIT2
.irp i, 0,1,2,3,4,5,6,7,8,9
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
END_FUNC(lc_p256_select_\symbol)

/*
 * void lc_p256_select_base_<impl>(struct lc_p256_lanes *w, const uint64_t table[10][64])
 *
 * The entry = table[..][index] in each lane, index < 64: one table for all lanes, and of each limb all 64 next to each other.  A
 * vector has 8 of them, vpermt2q takes one of 16 for each lane, and of four such results two bits of the index choose.
 * Clobbers vector registers 0..6.
 */
FUNC(lc_p256_select_base_\symbol)
    .set BIT4, V4
    .set BIT5, V5
    vmovdqa64 INDEX(W), V6
    _mask_of_bit 4, V6, BIT4
    _mask_of_bit 5, V6, BIT5
.irp i, 0,1,2,3,4,5,6,7,8,9
  .irp e, 0,1,2,3
    vmovdqa64 \i*512 + \e*128(TABLE), V\e
    vpermt2q \i*512 + \e*128 + 64(TABLE), V6, V\e
  .endr
    _choose V1, BIT4, V0
    _choose V3, BIT4, V2
    _choose V2, BIT5, V0
    vmovdqa64 V0, EX + \i*VL(W)
.endr
    vzeroupper
    RETURN
END_FUNC(lc_p256_select_base_\symbol)

/*
 * void lc_p256_clear_<impl>(void)
 *
 * Zeros in all vector registers that these functions have used: they leave secrets there, and are called in turn.
 */
FUNC(lc_p256_clear_\symbol)
    vzeroall
.irp i, 16,17,18,19,20,21,22,23,24,25,26
    vpxord %xmm\i, %xmm\i, %xmm\i
.endr
    RETURN
END_FUNC(lc_p256_clear_\symbol)

_end_code lc_p256_\symbol
.endm

_implementation avx512ifma_512, 64

.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-256 and SM2's curve for x86-64 with AVX-512 IFMA, or AVX-IFMA: as many points at once as a vector has 64-bit lanes, each lane
 * another one.
 *
 * What is done with points, and why it is right, is in x86/curve_lanes.c, which calls these functions.  The curves
 * differ in their prime p: PRIME says which, in what is made of it.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * The primes are
 *
 *      P-256   p = 2^256 - 2^224 + 2^192 + 2^96 - 1
 *      SM2     p = 2^256 - 2^224 - 2^96 + 2^64 - 1
 *
 * A number x modulo p is kept as x * 2^260 mod p (Montgomery's form), in five limbs of 52 bits, limb i of all lanes in one vector;
 * five vectors, the lowest first, are a number here.  It needn't be below p: each of them has its bound, a small multiple of p, and
 * all of them are below 2^260 = 16 p, so that the highest limb has no more than 52 bits, too.  (For both p it is 16.00000001 p, and
 * so bounds in p are the same.)
 * The instructions multiply the lower 52 bits of two limbs and add the lower or the upper 52 bits of the product to 64 bits.
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * a * b / 2^260 mod p: the 25 products, limb by limb of a, in ten columns.  For each of the lowest five columns t, once it is
 * complete, the multiple m of p that makes it a multiple of 2^52. As p = -1 (mod 2^52), m is t mod 2^52 itself: no multiplication.
 * And as m * p + m has no low bits,
 *
 *      P-256   t + m * p  =  (t - m)  +  m * 2^96  +  m * 2^192  +  m * (2^256 - 2^224)
 *      SM2     t + m * p  =  (t - m)  -  m * (2^96 - 2^64)  +  m * (2^256 - 2^224)
 *
 * The first term is t / 2^52 in the next column.  P-256's others are the products of m and of 2^44, 2^36 and 2^48 - 2^16 in the
 * columns 1, 3 and 4 above.  Multiplications by 2^44 and 2^36 could be shifts; on Zen 4, which has a multiplication a cycle and a
 * shift a cycle, that is no faster.
 *
 * SM2's are those of m and of 2^48 - 2^16 in column 4, and what is less: with c = 2^44 - 2^12, and with what m lacks to 2^52 - 1,
 * which is ~m, so that no column that is still to be reduced is negative,
 *
 *      -m c  =  ~m c - 2^52 c + c
 *
 * in column 1 above.  Of these constants nothing remains, over all five steps, but c in column 1 and -c in column 6, which is the
 * result's limb 1: that is what these columns begin with.  So a column takes four multiplications, P-256's six: a product takes 70
 * of them, or 80; a square 50, or 60.
 *
 * Of a < A p and b < B p the result is below (A B / 16 + 1) p, since it is (a b + m p) / 2^260 with m < 2^260, and p < 2^256; that
 * has to be below 16 p.
 * Two products with one reduction, a b + c d, take 130 multiplications instead of 160 (SM2: 120, 140): below
 * ((A B + C D) / 16 + 1) p.
 *
 * A square has its ten products of different limbs first, and the sums of them doubled.  (A limb times 2 has more than 52 bits.)
 * So SM2's columns 1 and 6 begin with the halves of c and -c there.
 *
 * -- Two at a time --------------------------------------------------------------------------------------------------------------
 *
 * A column's products, the five reductions and the carries are chains; one multiplication alone takes 96 cycles instead of the 80
 * that its instructions take.  And on Zen 4 whatever isn't a multiplication costs half a cycle, unless multiplications are near. It
 * looks ahead no further than the next one.  So there are two streams, P and Q, each with ten columns and two more registers. What
 * is begun is in P.  While the second half of that is done in Q, where it is moved to, the first half of another multiplication is
 * done in P; and then what has come out of Q is added up, carried and stored.  Such a pair of halves is a function, one for each
 * pair of operations, so that a formula is a list of calls, which take next to nothing, and so are carries.  Moving eight or nine
 * registers is for free on CPUs that rename them.
 *
 * Formulas go round in a loop like that: an operation needs none of what was begun just before it.  In a doubling the last thing is
 * Y', so the first thing of the next one is what doesn't need it: (X - Z^2)(X + Z^2).  With Y^2 first it takes 372 cycles on Zen 5
 * instead of 329.
 *
 * With VEX coding there are 16 registers, and so one stream: P and Q are the same registers.  What the functions below begin is
 * done as a whole where its second half would be.  They store nothing in between that it reads.
 *
 * -- Sums -----------------------------------------------------------------------------------------------------------------------
 *
 * What comes out of a multiplication has limbs of more than 52 bits.  Before these are carried, numbers are added and subtracted
 * limb by limb, with a multiple of p that keeps the number, not the limbs, from being negative.  So there is one carry for all.
 * What is only added to or multiplied gets less than that: nothing, or no mask.
 * Where a bound becomes too large, _fold takes away q p, where q = limb 4 / 2^48 is the number divided by 2^256, as far as the
 * highest limb tells.  The lower limbs, not carried yet, are below 2^60, so they can change it by 2^216 at most, and what is left
 * is below 2^256 + 2^216 + q * 2^225 < 1.01 p.  It isn't negative either: for q = 0 it is the number, for q = -1 the number plus p,
 * and above that, q (2^256 - p), which is above 2^223, is more than 2^216.  (2^256 - p is less than 2^224 for P-256, and a bit more
 * for SM2.)
 *
 * VEX coding has no arithmetic shift of 64 bits.  A carry is a logical shift there, as no limb but the highest is negative: the
 * multiples of p that are added have 2^62 in each limb, taken from the next one, and SM2's columns begin with 2^53 in the same way
 * (_constants_of_limbs).  Lower limbs are below 2^63 then, and what is left after _fold is below 2^256 + 2^219 + q * 2^225; which
 * changes nothing above.
 */
#include "ifma.h"

/* What is worked on, in numbers (x86/curve_lanes.h) */
#define FE (5 * VL)
#define PX 0
#define PY FE
#define PZ (2 * FE)
#define PZZ (3 * FE)
#define EX (4 * FE)
#define EY (5 * FE)
#define NEGATIVE (6 * FE)
#define INDEX (6 * FE + VL)
#define T0 (6 * FE + 2 * VL)
#define T1 (7 * FE + 2 * VL)
#define T2 (8 * FE + 2 * VL)
#define T3 (9 * FE + 2 * VL)
#define T4 (10 * FE + 2 * VL)

/* What PRIME may be */
#define P256 0
#define SM2 1

.section .rodata.lc_curve256, "a", @progbits
.p2align 6
.Lmask52:
    .quad (1 << 52) - 1
.Lpower36:
    .quad 1 << 36
.Lpower44:
    .quad 1 << 44
.Lfactor4:
    .quad (1 << 48) - (1 << 16)
.Lfactor1:
    .quad (1 << 44) - (1 << 12)
.Lbias1_half:
    .quad (1 << 43) - (1 << 11)
.Lbias6:
    .quad -((1 << 44) - (1 << 12))
.Lbias6_half:
    .quad -((1 << 43) - (1 << 11))
/* Multiples of p, so that no limb but the highest matters in size: limb by limb, of P-256 and, from OF_PRIME on, of SM2 */
.macro _multiple_of_p n
.Lp_times_\n:
    .quad \n * ((1 << 52) - 1), \n * ((1 << 44) - 1), 0, \n * (1 << 36), \n * ((1 << 48) - (1 << 16))
    .quad -\n, \n * ((1 << 12) - (1 << 44)), 0, 0, \n * ((1 << 48) - (1 << 16))
.endm
_multiple_of_p 2
_multiple_of_p 4
_multiple_of_p 12

/*
 * For VEX coding, in all lanes: the limbs of the same numbers, where 2^62 = 1024 * 2^52 is taken from each and given to the one
 * below; of P-256 and, from 4 OF_PRIME on, of SM2.
 */
.macro _limbs_in_lanes n, l0, l1, l2, l3, l4
    _in_lanes "\n * (\l0) + (1024 << 52)"
    _in_lanes "\n * (\l1) + (1024 << 52) - 1024"
    _in_lanes "\n * (\l2) + (1024 << 52) - 1024"
    _in_lanes "\n * (\l3) + (1024 << 52) - 1024"
    _in_lanes "\n * (\l4) - 1024"
.endm
.p2align 5
.irp n, 2,4,12
.Lvex_p_times_\n:
    _limbs_in_lanes \n, "(1 << 52) - 1", "(1 << 44) - 1", 0, "1 << 36", "(1 << 48) - (1 << 16)"
    _limbs_in_lanes \n, -1, "(1 << 12) - (1 << 44)", 0, 0, "(1 << 48) - (1 << 16)"
.endr
_constant .Lvex_mask52, "(1 << 52) - 1"
_constant .Lvex_power36, "1 << 36"
_constant .Lvex_power44, "1 << 44"
_constant .Lvex_factor4, "(1 << 48) - (1 << 16)"
.Lvex_bias1:
_constant .Lvex_factor1, "(1 << 44) - (1 << 12)"
/*
 * What the columns 6 to 9 begin with, -c in the same way with 2 * 2^52; and halves, but of column 9, which isn't doubled in
 * squares
 */
_constant .Lvex_bias1_half, "(1 << 43) - (1 << 11)"
_constant .Lvex_bias6, "(2 << 52) - (1 << 44) + (1 << 12)"
_constant .Lvex_bias6_half, "(1 << 52) - (1 << 43) + (1 << 11)"
.Lvex_bias7:
_constant .Lvex_bias8, "(2 << 52) - 2"
.Lvex_bias7_half:
_constant .Lvex_bias8_half, "(1 << 52) - 1"
.Lvex_bias9:
_constant .Lvex_bias9_half, -2
_constant .Lvex_top_bit, "1 << 63"
_constant .Lvex_top_bit_of_q, "1 << 15"
_constant .Lvex_upper_dword, "1 << 32"

.text

#define W               %rdi    /* what is worked on */
#define TABLE           %rsi

/* ---- Registers: columns 0 to 9 of either stream, a limb of its first factor, and one for what is needed in between ---- */

.macro _set_registers
    _set_vectors
.irp i, 0,1,2,3,4,5,6,7,8,9
    _name P\i, \i
.endr
.if CODE == EVEX
    _name Q0, 10
    _name Q1, 11
    _name Q2, 12
    _name Q3, 13
    _name Q4, 14
    _name Q5, 15
    _name Q6, 16
    _name Q7, 17
    _name Q8, 18
    _name Q9, 19
    _name PA, 20
    _name QA, 21
    _name PTMP, 22
    _name QTMP, 23
    _name SUM, 24
    _name SUM_CARRY, 25
    _name bias1_half, 26
    _name bias6_half, 27
    _name MASK52, 28
    .set CARRIED, %r10
    _name REDUCE1, 29
    _name bias1, 29
    _name REDUCE3, 30
    _name bias6, 30
    _name REDUCE4, 31
.else
  .irp i, 0,1,2,3,4,5,6,7,8,9
    _name Q\i, \i
  .endr
    _name SUM, 0
    _name SUM_CARRY, 1
    _name PA, 10
    _name QA, 10
    _name PTMP, 11
    _name QTMP, 11
    _name MASK52, 12
    .set CARRIED, %r9
    _name REDUCE1, 13
    _name REDUCE3, 14
    _name REDUCE4, 15
.endif
.endm

/* d = a constant in all lanes */
.macro _all constant, d
.if CODE == EVEX
    vpbroadcastq .L\constant(%rip), \d
.else
    vmovdqa .Lvex_\constant(%rip), \d
.endif
.endm
.macro _load_constants
    _all mask52, MASK52
.if PRIME == P256
    _all power44, REDUCE1
    _all power36, REDUCE3
.else
    _all factor1, REDUCE1
  .if CODE == EVEX
    _all bias1_half, bias1_half
    _all bias6, bias6
    _all bias6_half, bias6_half
  .endif
.endif
    _all factor4, REDUCE4
.endm

/* ---- Multiplication.  s is the stream; factors are offsets from a base register. ---- */

/* Limb i of a times all limbs of b, in the columns i to i + 5 */
.macro _row s, i, a, b, a_base, b_base
    _load_vector ((\a)+\i*VL), \a_base, \s\()A
    _products_from 0, \s, \i, \b, \b_base
.endm
/* Limb i, in A, times those of b from `from` on */
.macro _products_from from, s, i, b, base
.if VL == 64
.irp j, 0,1,2,3,4
.if \j >= \from
    _load_vector ((\b)+\j*VL), \base, \s\()TMP
    _product_of_limbs \s, \i+\j, \s\()TMP
.endif
.endr
.else
    _halves_from lu, 0, \from, \s, \i, \b, \base
    _halves_from hu, 1, \from, \s, \i, \b, \base
.endif
.endm
.macro _halves_from which, up, from, s, i, b, base
.irp j, 0,1,2,3,4
.irp k, 0,1,2,3,4,5,6,7,8,9
.if \j >= \from && \k == \i + \j + \up
    _madd_memory \which, "((\b) + \j*VL)", \base, \s\()A, \s\k
.endif
.endr
.endr
.endm

/* m = column k, which is complete: adds m * p / 2^52, and what it has above 52 bits, to the columns above. */
.macro _reduce s, k
.if \k == 0
    _reduce_column \s, 0, 1, 2, 3, 4, 5
.elseif \k == 1
    _reduce_column \s, 1, 2, 3, 4, 5, 6
.elseif \k == 2
    _reduce_column \s, 2, 3, 4, 5, 6, 7
.elseif \k == 3
    _reduce_column \s, 3, 4, 5, 6, 7, 8
.else
    _reduce_column \s, 4, 5, 6, 7, 8, 9
.endif
.endm
.macro _reduce_column s, k, k1, k2, k3, k4, k5
.if PRIME == P256
    _madd lu, REDUCE1, \s\k, \s\k1
    vpsrlq $52, \s\k, \s\()TMP
    _madd hu, REDUCE1, \s\k, \s\k2
    vpaddq \s\()TMP, \s\k1, \s\k1
    _madd lu, REDUCE3, \s\k, \s\k3
    _madd hu, REDUCE3, \s\k, \s\k4
.else
    _logic vpxor, MASK52, \s\k, \s\()A                     /* ~m */
    vpsrlq $52, \s\k, \s\()TMP
    _madd lu, REDUCE1, \s\()A, \s\k1
    vpaddq \s\()TMP, \s\k1, \s\k1
    _madd hu, REDUCE1, \s\()A, \s\k2
.endif
    _madd lu, REDUCE4, \s\k, \s\k4
    _madd hu, REDUCE4, \s\k, \s\k5
.endm

/*
 * What the columns begin with: zeros, and where there is a reduction, SM2's constants in the columns 1 and 6, or with VEX coding 1
 * and 6 to 9; half: _half, for squares
 */
.macro _begin_columns s, half
.irp k, 0,1,2,3,4,5,6,7,8,9
.if PRIME == SM2 && (\k == 1 || \k == 6 || (CODE == VEX && \k > 6))
    _begin_column \s\k, \k, \half
.else
    _zero \s\k
.endif
.endr
.endm
.macro _begin_column column, k, half
.if CODE == VEX
    vmovdqa .Lvex_bias\k\half(%rip), \column
.else
    vmovdqa64 bias\k\half, \column
.endif
.endm
/* The same for columns that have something */
.macro _add_biases s
.if PRIME == SM2
    vpaddq REDUCE1, \s\()1, \s\()1
.if CODE == VEX
.irp k, 6,7,8,9
    vpaddq .Lvex_bias\k(%rip), \s\k, \s\k
.endr
.else
    vpaddq bias6, \s\()6, \s\()6
.endif
.endif
.endm
.macro _zero_columns s
.irp k, 0,1,2,3,4,5,6,7,8,9
    _zero \s\k
.endr
.endm

/* Limb i of a times those above it: products of different limbs, to be doubled */
.macro _square_row s, i, a, base
    _load_vector ((\a)+\i*VL), \base, \s\()A
    _products_from (\i+1), \s, \i, \a, \base
.endm
.macro _square_limb s, i, k, k1, a, base
    _load_vector ((\a)+\i*VL), \base, \s\()A
    _madd lu, \s\()A, \s\()A, \s\k
    _madd hu, \s\()A, \s\()A, \s\k1
.endm

/*
 * Step n of 0 to 5 of what leaves a number in columns 5 to 9 of a stream, not carried:
 *      mul a, b                a * b
 *      sqr a                   a^2
 *      add_mul a, b            a * b and what the columns had before
 * or products in ten columns, which add_mul goes on with:
 *      products a, b           a * b
 *      twice_sqr a             2 a^2
 */
.macro _step_mul n, s, a, b, a_base, b_base
.if \n == 0
    _begin_columns \s
.endif
    _step_rows \n, \s, \a, \b, \a_base, \b_base
.endm
.macro _step_add_mul n, s, a, b, a_base, b_base
.if \n == 0
    _add_biases \s
.endif
    _step_rows \n, \s, \a, \b, \a_base, \b_base
.endm
.macro _step_rows n, s, a, b, a_base, b_base
.if \n < 5
    _row \s, \n, \a, \b, \a_base, \b_base
.else
    _reduce \s, 4
.endif
.if \n > 0 && \n < 5
    _reduce \s, (\n - 1)
.endif
.endm
.macro _step_products n, s, a, b, a_base, b_base
.if \n == 0
    _zero_columns \s
.endif
.if \n < 5
    _row \s, \n, \a, \b, \a_base, \b_base
.endif
.endm
.macro _step_twice_sqr n, s, a, b, a_base, b_base
.if \n == 0
    _zero_columns \s
.endif
.if \n < 2
    _double_products \n, \s, \a, \a_base
.elseif \n == 2
    _square_limb \s, 0, 0, 1, \a, \a_base
    _square_limb \s, 1, 2, 3, \a, \a_base
    _square_limb \s, 2, 4, 5, \a, \a_base
    _square_limb \s, 3, 6, 7, \a, \a_base
    _square_limb \s, 4, 8, 9, \a, \a_base
  .irp k, 0,1,2,3,4,5,6,7,8,9
    vpaddq \s\k, \s\k, \s\k
  .endr
.endif
.endm
.macro _double_products n, s, a, base
.if \n == 0
    _square_row \s, 0, \a, \base
    _square_row \s, 1, \a, \base
.else
    _square_row \s, 2, \a, \base
    _square_row \s, 3, \a, \base
  .irp k, 1,2,3,4,5,6,7,8
    vpaddq \s\k, \s\k, \s\k
  .endr
.endif
.endm
.macro _step_sqr n, s, a, b, a_base, b_base
.if \n == 0
    _begin_columns \s, _half
.endif
    _square_steps \n, \s, \a, \a_base
.endm
.macro _square_steps n, s, a, base
.if \n < 2
    _double_products \n, \s, \a, \base
.elseif \n == 2
    _square_limb \s, 0, 0, 1, \a, \base
    _reduce \s, 0
    _square_limb \s, 1, 2, 3, \a, \base
    _square_limb \s, 2, 4, 5, \a, \base
.elseif \n == 3
    _reduce \s, 1
    _square_limb \s, 3, 6, 7, \a, \base
    _reduce \s, 2
.elseif \n == 4
    _square_limb \s, 4, 8, 9, \a, \base
    _reduce \s, 3
.else
    _reduce \s, 4
.endif
.endm

/*
 * What functions are made of: a list of multiplications, of which _begin begins the first one, each _next leaves what was begun in
 * the columns 5 to 9 of Q and begins another one, and _end leaves the last one there.  Factors are offsets from W, or from other
 * registers.  With two streams these are functions of the implementation, the ones that are next above, by numbers.  Factors of
 * what was begun are where r8 and r9 point, so that the caller has to say where the next ones are.
 *
 * After half of it, a multiplication has something in the columns from 2 on, and a square in those from 1 on.
 */
.macro _begin op, a, b, a_base=W, b_base=W
.if CODE == EVEX
    _point_to "\a", \a_base, %r8
    _point_to "\b", \b_base, %r9
  .ifc \op,mul
    call 21b
  .else
    call 22b
  .endif
.endif
.endm
.macro _next op, a, b, op2, a2, b2, a_base=W, b_base=W, a2_base=W, b2_base=W
.if CODE == EVEX
    _point_to "\a2", \a2_base, %r10
    _point_to "\b2", \b2_base, %r11
  .ifc \op\()_\op2,mul_mul
    call 25b
  .endif
  .ifc \op\()_\op2,mul_sqr
    call 26b
  .endif
  .ifc \op\()_\op2,sqr_mul
    call 27b
  .endif
  .ifc \op\()_\op2,sqr_sqr
    call 28b
  .endif
.else
    _whole \op, "\a", "\b", \a_base, \b_base
.endif
.endm
.macro _end op, a, b, a_base=W, b_base=W
.if CODE == EVEX
  .ifc \op,sqr
    call 24b
  .else
    call 23b
  .endif
.else
    _whole \op, "\a", "\b", \a_base, \b_base
.endif
.endm
.macro _point_to offset, base, r
.ifnb \offset
    lea \offset(\base), \r
.endif
.endm
/* Begins the last part of a sum of two products, a * b, which is called add_mul; the first one is twice_sqr c, or products c, d. */
.macro _begin_sum a, b, op, c, d
    _point_to "\c", W, %r8
    _point_to "\d", W, %r9
.irp n, 0,1,2,3,4
    _step_\op \n, P, 0, 0, %r8, %r9
.endr
.if CODE == EVEX
    _add_biases P
    _point_to "\a", W, %r8
    _point_to "\b", W, %r9
    call 29b
.endif
.endm
.macro _stream_functions name
INNER_FUNC(lc_\name\()_begin_mul)
21:
    _begin_columns P
INNER_ENTRY(lc_\name\()_begin_rows)
29:
.irp n, 0,1,2
    _step_rows \n, P, 0, 0, %r8, %r9
.endr
    RETURN
END_FUNC(lc_\name\()_begin_mul)
END_FUNC(lc_\name\()_begin_rows)
INNER_FUNC(lc_\name\()_begin_sqr)
22:
.irp n, 0,1,2
    _step_sqr \n, P, 0, 0, %r8, %r8
.endr
    RETURN
END_FUNC(lc_\name\()_begin_sqr)
INNER_FUNC(lc_\name\()_end_mul)
23:
    _to_end 2
.irp n, 3,4,5
    _step_rows \n, Q, 0, 0, %r8, %r9
.endr
    RETURN
END_FUNC(lc_\name\()_end_mul)
INNER_FUNC(lc_\name\()_end_sqr)
24:
    _to_end 1
.irp n, 3,4,5
    _step_sqr \n, Q, 0, 0, %r8, %r8
.endr
    RETURN
END_FUNC(lc_\name\()_end_sqr)
_halves_function 25, \name, mul, mul
_halves_function 26, \name, mul, sqr
_halves_function 27, \name, sqr, mul
_halves_function 28, \name, sqr, sqr
.endm
.macro _to_end first
.irp k, 1,2,3,4,5,6,7,8,9
.if \k >= \first
    _mov P\k, Q\k
.endif
.endr
.endm
/* The second half of one multiplication and the first half of another one, in turn */
.macro _halves_function number, name, op, op2
INNER_FUNC(lc_\name\()_\op\()_\op2)
\number:
.ifc \op,sqr
    _to_end 1
.else
    _to_end 2
.endif
    _step_\op 3, Q, 0, 0, %r8, %r9
    _step_\op2 0, P, 0, 0, %r10, %r11
    _step_\op 4, Q, 0, 0, %r8, %r9
    _step_\op2 1, P, 0, 0, %r10, %r11
    _step_\op 5, Q, 0, 0, %r8, %r9
    _step_\op2 2, P, 0, 0, %r10, %r11
    mov %r10, %r8
    mov %r11, %r9
    RETURN
END_FUNC(lc_\name\()_\op\()_\op2)
.endm

/*
 * With one stream: all of a mul, sqr or add_mul, of numbers at \a(\a_base) and \b(\b_base).  It is a function of the
 * implementation, the one that is next above: 10 is r9 * r8, 11 adds that to what is in the columns, 12 is r8^2.
 */
.macro _whole op, a, b, a_base, b_base
    _whole_\op "\a", "\b", \a_base, \b_base
.endm
.macro _whole_mul a, b, a_base, b_base
    lea \a(\a_base), %r9
    lea \b(\b_base), %r8
    call 10b
.endm
.macro _whole_add_mul a, b, a_base, b_base
    lea \a(\a_base), %r9
    lea \b(\b_base), %r8
    _add_biases P
    call 11b
.endm
.macro _whole_sqr a, b, a_base, b_base
    lea \a(\a_base), %r8
    call 12b
.endm
.macro _inner_functions curve, symbol
    _name_chosen
INNER_FUNC(lc_\curve\()_product_\symbol)
10:
    _begin_columns P
INNER_ENTRY(lc_\curve\()_add_product_\symbol)
11:
.irp n, 0,1,2,3,4,5
    _step_rows \n, P, 0, 0, %r9, %r8
.endr
    RETURN
END_FUNC(lc_\curve\()_product_\symbol)
END_FUNC(lc_\curve\()_add_product_\symbol)
INNER_FUNC(lc_\curve\()_square_\symbol)
12:
    _begin_columns P, _half
.irp n, 0,1,2,3,4,5
    _square_steps \n, P, 0, %r8
.endr
    RETURN
END_FUNC(lc_\curve\()_square_\symbol)
/* V5 = one of the 32 words at TABLE, which goes on to the next ones */
INNER_FUNC(lc_\curve\()_word_\symbol)
    _one_of_32 0, V5
    add $256, TABLE
    RETURN
END_FUNC(lc_\curve\()_word_\symbol)
.endm

/* ---- Sums, in the columns 5 to 9 of a stream, limb by limb ---- */

.macro _each s, insn:vararg
    _each_limb \s\()5, 0, \insn
    _each_limb \s\()6, 1, \insn
    _each_limb \s\()7, 2, \insn
    _each_limb \s\()8, 3, \insn
    _each_limb \s\()9, 4, \insn
.endm
.macro _each_limb r, i, insn, offset, base=W
    \insn (\offset) + \i*VL(\base), \r, \r
.endm
.macro _sub_fe s, offset, base=W
    _each \s, vpsubq, \offset, \base
.endm
.macro _load s, offset, base=W
    _load_vector ((\offset)+0*VL), \base, \s\()5
    _load_vector ((\offset)+1*VL), \base, \s\()6
    _load_vector ((\offset)+2*VL), \base, \s\()7
    _load_vector ((\offset)+3*VL), \base, \s\()8
    _load_vector ((\offset)+4*VL), \base, \s\()9
.endm
.macro _store s, offset, base=W
    _store_vector \s\()5, ((\offset)+0*VL), \base
    _store_vector \s\()6, ((\offset)+1*VL), \base
    _store_vector \s\()7, ((\offset)+2*VL), \base
    _store_vector \s\()8, ((\offset)+3*VL), \base
    _store_vector \s\()9, ((\offset)+4*VL), \base
.endm
/* d = a `insn` limb i of n p, in all lanes */
.macro _with_p insn, n, i, a, d
.if CODE == VEX
    \insn .Lvex_p_times_\n + 4*OF_PRIME + 32*\i(%rip), \a, \d
.elseif VL == 64
    \insn .Lp_times_\n + OF_PRIME + 8*\i(%rip){1to8}, \a, \d
.else
    \insn .Lp_times_\n + OF_PRIME + 8*\i(%rip){1to4}, \a, \d
.endif
.endm
/* += n p */
.macro _add_p s, n
.irp k, 5,6,7,8,9
.if LIMBS_OF_P >> (\k - 5) & 1
    _with_p vpaddq, \n, (\k - 5), \s\k, \s\k
.endif
.endr
.endm
/* -= 4 x, of x at `offset` */
.macro _sub_4 s, offset
    _sub_4_limb \s, \s\()5, 0, \offset
    _sub_4_limb \s, \s\()6, 1, \offset
    _sub_4_limb \s, \s\()7, 2, \offset
    _sub_4_limb \s, \s\()8, 3, \offset
    _sub_4_limb \s, \s\()9, 4, \offset
.endm
.macro _sub_4_limb s, r, i, offset
.if CODE == EVEX
    vpsllq $2, (\offset) + \i*VL(W), \s\()TMP
.else
    vmovdqa (\offset) + \i*VL(W), \s\()TMP
    vpsllq $2, \s\()TMP, \s\()TMP
.endif
    vpsubq \s\()TMP, \r, \r
.endm
.macro _twice s
.irp k, 5,6,7,8,9
    vpaddq \s\k, \s\k, \s\k
.endr
.endm
.macro _triple s
.irp k, 5,6,7,8,9
    vpaddq \s\k, \s\k, \s\()TMP
    vpaddq \s\()TMP, \s\k, \s\k
.endr
.endm
.macro _negate s
    _zero \s\()TMP
.irp k, 5,6,7,8,9
    vpsubq \s\k, \s\()TMP, \s\k
.endr
.endm

/* The factor at `to` = b `insn` a + n p, beside streams that are at work */
.macro _sum to, insn, a, b, n, a_base=W, b_base=W
.irp i, 0,1,2,3,4
    _load_vector ((\b)+\i*VL), \b_base, SUM
    \insn (\a) + \i*VL(\a_base), SUM, SUM
  .ifnb \n
  .if LIMBS_OF_P >> \i & 1
    _with_p vpaddq, \n, \i, SUM, SUM
  .endif
  .endif
  .if \i > 0
    vpaddq SUM_CARRY, SUM, SUM
  .endif
    _store_vector SUM, ((\to)+\i*VL), W
  .if \i < 4
    _carry_of SUM, SUM_CARRY
  .endif
.endr
.endm

/* The factor at `to` = n p - a */
.macro _sum_negated to, a, n
.irp i, 0,1,2,3,4
  .if LIMBS_OF_P >> \i & 1
    _p_limb \n, \i, SUM
  .else
    _zero SUM
  .endif
    vpsubq (\a) + \i*VL(W), SUM, SUM
  .if \i > 0
    vpaddq SUM_CARRY, SUM, SUM
  .endif
    _store_vector SUM, ((\to)+\i*VL), W
  .if \i < 4
    _carry_of SUM, SUM_CARRY
  .endif
.endr
.endm

.macro _p_limb n, i, d
.if CODE == EVEX
    vpbroadcastq .Lp_times_\n + OF_PRIME + 8*\i(%rip), \d
.else
    vmovdqa .Lvex_p_times_\n + 4*OF_PRIME + 32*\i(%rip), \d
.endif
.endm

/* -= q p, see the top of this file */
.macro _fold s
.if CODE == EVEX
    vpsraq $48, \s\()9, \s\()TMP
.else
    vpaddq .Lvex_top_bit(%rip), \s\()9, \s\()TMP
    vpsrlq $48, \s\()TMP, \s\()TMP
    vpsubq .Lvex_top_bit_of_q(%rip), \s\()TMP, \s\()TMP
.endif
    vpsllq $44, \s\()TMP, \s\()0
.if PRIME == P256
    vpsllq $36, \s\()TMP, \s\()1
.else
    vpsllq $12, \s\()TMP, \s\()1
.endif
    vpsllq $48, \s\()TMP, \s\()2
    vpsllq $16, \s\()TMP, \s\()3
    vpaddq \s\()TMP, \s\()5, \s\()5
.if PRIME == P256
    vpsubq \s\()0, \s\()6, \s\()6
    vpsubq \s\()1, \s\()8, \s\()8
.else
    vpaddq \s\()0, \s\()6, \s\()6
    vpsubq \s\()1, \s\()6, \s\()6
.endif
    vpsubq \s\()2, \s\()9, \s\()9
    vpaddq \s\()3, \s\()9, \s\()9
.endm

/*
 * Carries limbs of up to 63 bits and a sign; the number is 0 .. 2^260 - 1.  _carry leaves 52 bits in each limb.  What is only to be
 * multiplied keeps the others, which multiplications don't read: _carry_factor.
 */
.macro _carry s
    _carry_limb \s, \s\()5, \s\()6
    _logic vpand, MASK52, \s\()5, \s\()5
    _carry_limb \s, \s\()6, \s\()7
    _logic vpand, MASK52, \s\()6, \s\()6
    _carry_limb \s, \s\()7, \s\()8
    _logic vpand, MASK52, \s\()7, \s\()7
    _carry_limb \s, \s\()8, \s\()9
    _logic vpand, MASK52, \s\()8, \s\()8
.endm
.macro _carry_limb s, from, to
    _carry_of \from, \s\()TMP
    vpaddq \s\()TMP, \to, \to
.endm
.macro _carry_limbs s
    _carry_limb \s, \s\()5, \s\()6
    _carry_limb \s, \s\()6, \s\()7
    _carry_limb \s, \s\()7, \s\()8
    _carry_limb \s, \s\()8, \s\()9
.endm
/* Q to where CARRIED points, by functions of the implementation, the ones that are next above */
.macro _carry_to offset, base=W
    lea \offset(\base), CARRIED
    call 31b
.endm
.macro _carry_factor offset, base=W
    lea \offset(\base), CARRIED
    call 32b
.endm
.macro _fold_to offset, base=W
    lea \offset(\base), CARRIED
    call 33b
.endm
.macro _carry_functions name
INNER_FUNC(lc_\name\()_fold)
33:
    _fold Q
INNER_ENTRY(lc_\name\()_carry)
31:
    _carry Q
    _store Q, 0, CARRIED
    RETURN
END_FUNC(lc_\name\()_fold)
END_FUNC(lc_\name\()_carry)
INNER_FUNC(lc_\name\()_carry_factor)
32:
    _carry_limbs Q
    _store Q, 0, CARRIED
    RETURN
END_FUNC(lc_\name\()_carry_factor)
.endm

/* ---- Selection, all of the table being read ---- */

#include "select_lanes.h"

/* The entry = Q0..4, Q5..9, the second number 2p less it in lanes where `negative` is -1 */
.macro _store_entry
.irp i, 0,1,2,3,4
    _store_vector Q\i, (EX+\i*VL), W
.endr
    _store_y
.endm
.macro _store_y
.if CODE == EVEX
    .set SIGN, V24
.else
    .set SIGN, V10
.endif
    _load_vector NEGATIVE, W, SIGN
    _all mask52, MASK52
.irp i, 5,6,7,8,9
    _logic vpxor, SIGN, Q\i, Q\i
    vpsubq SIGN, Q\i, Q\i
  .if LIMBS_OF_P >> (\i - 5) & 1
  .if CODE == EVEX
    _with_p vpandq, 2, (\i-5), SIGN, QTMP
  .else
    _with_p vpand, 2, (\i-5), SIGN, QTMP
  .endif
    vpaddq QTMP, Q\i, Q\i
  .endif
.endr
    _carry_to EY
.endm

/* Q0..4, Q5..9 = the points at the addresses at rsi, one in each lane */
.macro _load_points
.if VL == 64
  .irp i, 0,1,2,3,4,5,6,7
    mov 8*\i(%rsi), %rax
    _load_vector 0, %rax, V\i
  .endr
.else
  .irp i, 0,1,2,3
    mov 8*\i(%rsi), %rax
    _load_vector 0, %rax, V\i
  .endr
  .irp i, 4,5,6,7
    mov 8*(\i-4)(%rsi), %rax
    _load_vector 32, %rax, V\i
  .endr
.endif
    _all mask52, MASK52
    _transpose_pair V0, V1, V8, V9
    _transpose_pair V2, V3, V10, V11
    _transpose_pair V4, V5, V12, V13
    _transpose_pair V6, V7, V14, V15
.if VL == 64
    /* words 0, 2, 4, 6 of two lanes in V8, 10, 12, 14, and 1, 3, 5, 7 in V9, 11, 13, 15 */
    _transpose_quads V8, V10, V12, V14, V0, V2, V4, V6
    _transpose_quads V9, V11, V13, V15, V1, V3, V5, V7
.else
    /* words 0, 2 of two lanes in V8, 10, and 1, 3 in V9, 11; and in the same way y */
    _transpose_halves V8, V10, V0, V2
    _transpose_halves V9, V11, V1, V3
    _transpose_halves V12, V14, V4, V6
    _transpose_halves V13, V15, V5, V7
.endif
    _limbs 0, 1, 2, 3, Q0, Q1, Q2, Q3, Q4
    _limbs 4, 5, 6, 7, Q5, Q6, Q7, Q8, Q9
.endm
.macro _transpose_pair a, b, even, odd
    vpunpcklqdq \b, \a, \even
    vpunpckhqdq \b, \a, \odd
.endm
/* Of two vectors, the lower halves, and the upper ones */
.macro _transpose_halves a, b, low, high
.if CODE == EVEX
    vshufi64x2 $0, \b, \a, \low
    vshufi64x2 $3, \b, \a, \high
.else
    vperm2i128 $0x20, \b, \a, \low
    vperm2i128 $0x31, \b, \a, \high
.endif
.endm
/* Words 0 to 3 of a number of each lane's point in V6..V9, with VEX coding */
.macro _load_words at
.irp i, 0,1,2,3
    mov 8*\i(%rsi), %rax
    vmovdqa \at(%rax), V\i
.endr
    _transpose_pair V0, V1, V10, V11
    _transpose_pair V2, V3, V12, V13
    _transpose_halves V10, V12, V6, V8
    _transpose_halves V11, V13, V7, V9
.endm
/* Of four vectors with quarters q0..q3 each: the first quarters of all, the second ones, .. */
.macro _transpose_quads a, b, c, d, w0, w1, w2, w3
    vshufi64x2 $0x88, \b, \a, V22      /* a0 a2 b0 b2 */
    vshufi64x2 $0xdd, \b, \a, V23      /* a1 a3 b1 b3 */
    vshufi64x2 $0x88, \d, \c, V26
    vshufi64x2 $0xdd, \d, \c, V27
    vshufi64x2 $0x88, V26, V22, \w0
    vshufi64x2 $0x88, V27, V23, \w1
    vshufi64x2 $0xdd, V26, V22, \w2
    vshufi64x2 $0xdd, V27, V23, \w3
.endm
/* Five limbs of the words in V\i.. */
.macro _limbs a, b, c, d, l0, l1, l2, l3, l4
.if CODE == EVEX
    vpandq MASK52, V\a, \l0
.else
    vpand .Lvex_mask52(%rip), V\a, \l0
.endif
    _limb V\a, V\b, 52, \l1
    _limb V\b, V\c, 40, \l2
    _limb V\c, V\d, 28, \l3
    vpsrlq $16, V\d, \l4
.endm
.macro _limb low, high, n, l
.if CODE == EVEX
    vpsrlq $\n, \low, V22
    vpsllq $64-\n, \high, \l
    vpternlogq $0xa8, MASK52, V22, \l    /* (l | V22) & MASK52 */
.else
    vpsrlq $\n, \low, V14
    vpsllq $64-\n, \high, \l
    vpor V14, \l, \l
    vpand .Lvex_mask52(%rip), \l, \l
.endif
.endm
/* With VEX coding, the words in V6..V9 become limbs there, in the columns 5 to 9. */
.macro _limbs_in_place
    _limbs 6, 7, 8, 9, P5, P6, P7, P8, P9
.endm

/* ---- Affine additions: a and b are the registers that point to the points ---- */

/* rax = FE * half; a2, b2 = what a and b are in the second half */
.macro _second_half half, a, a2, b, b2
    lea (\half,\half,4), %rax
.if VL == 64
    shl $6, %rax
.else
    shl $5, %rax
.endif
    lea (\a,%rax,2), \a2
    lea (\b,%rax,2), \b2
.endm
/* b.x -= a.x */
.macro _difference s, a, b
    _load \s, 0, \b
    _sub_fe \s, 0, \a
    _add_p \s, 2
    _carry_to 0, \b
.endm
/* l^2 -> x, to a.x; and a.x - x, the factor at `to` */
.macro _tree_x s, a, b, to
    _sub_fe \s, 0, \a
    _sub_fe \s, 0, \a
    _sub_fe \s, 0, \b
    _add_p \s, 12
    _fold_to \to
.irp i, 0,1,2,3,4
    _load_vector (\i*VL), \a, \s\i
.endr
    _store \s, 0, \a
    _subtract_from \s
    _add_p \s, 2
    _carry_factor \to
.endm
/* Columns 0 to 4 less columns 5 to 9 */
.macro _subtract_from s
    vpsubq \s\()5, \s\()0, \s\()5
    vpsubq \s\()6, \s\()1, \s\()6
    vpsubq \s\()7, \s\()2, \s\()7
    vpsubq \s\()8, \s\()3, \s\()8
    vpsubq \s\()9, \s\()4, \s\()9
.endm
/* l (a.x - x) -> y, to a.y */
.macro _tree_y s, a
    _sub_fe \s, FE, \a
    _add_p \s, 2
    _fold_to FE, \a
.endm

/* T0 = Z^2 - X + 2p, T4 = X + Z^2 */
.macro _sums_function name
INNER_FUNC(lc_\name\()_sums)
34:
    _sum T0, vpsubq, PX, PZZ, 2
    _sum T4, vpaddq, PX, PZZ
    RETURN
END_FUNC(lc_\name\()_sums)
.endm

/* ---- The functions.  SM2's products clobber vector registers 26 and 27, too, beside what is said there. ---- */

.macro _implementation curve, prime, symbol, vl, code
.set VL, \vl
.set CODE, \code
.set PRIME, \prime
.set OF_PRIME, 40 * PRIME
.if CODE == VEX
  .set LIMBS_OF_P, 0b11111  /* in multiples of p: those that aren't 0 */
.elseif PRIME == P256
  .set LIMBS_OF_P, 0b11011
.else
  .set LIMBS_OF_P, 0b10011
.endif
_set_registers
_begin_code lc_\curve\()_\symbol

.if CODE == EVEX
_stream_functions \curve\()_\symbol
.else
_inner_functions \curve, \symbol
.endif
_carry_functions \curve\()_\symbol
_sums_function \curve\()_\symbol

/*
 * void lc_<curve>_mul_<impl>(void *r, const void *a, const void *b)
 *
 * r = a * b / 2^260 mod p in all lanes, below (A B / 16 + 1) p if a < A p and b < B p.  r may be a or b.  Aligned to VL.
 * Clobbers vector registers 0..23 and 28..31, and r8..r10; in VEX coding this and all other functions, but `clear`, may clobber all
 * 16, rsi and r8 to r11.
 */
FUNC(lc_\curve\()_mul_\symbol)
    _load_constants
    _begin mul, 0, 0, %rsi, %rdx
    _end mul, 0, 0, %rsi, %rdx
    _carry_to 0
    vzeroupper
    RETURN
END_FUNC(lc_\curve\()_mul_\symbol)

/*
 * void lc_<curve>_sqr_<impl>(void *r)
 *
 * r = r * r / 2^260 mod p, as above.
 */
FUNC(lc_\curve\()_sqr_\symbol)
    _load_constants
    _begin sqr, 0
    _end sqr, 0
    _carry_to 0
    vzeroupper
    RETURN
END_FUNC(lc_\curve\()_sqr_\symbol)

/*
 * void lc_<curve>_double_<impl>(void *w, size_t times)
 *
 * (X : Y : Z) = 2^times (X : Y : Z), times > 0, in Jacobian coordinates, x = X / Z^2, y = Y / Z^3, with Z^2 kept beside:
 *
 *      alpha = 3 (X - Z^2)(X + Z^2),   gamma = Y^2,   beta = X gamma
 *      X' = alpha^2 - 8 beta,   -Y' = -alpha (4 beta - X') + 8 gamma^2,   Z' = 2 Y Z
 *
 * where 8 gamma^2 is twice the square of 2 gamma.  No exceptions: infinity, Z = 0, stays infinity, and no point of the curve has
 * Y = 0.
 *
 * Bounds, in p, before: X 2, Y 2.5, Z 4, Z^2 2.  2 gamma: 2.8.  Z': 2 (2.5 * 4 / 16 + 1) < 3.3.  Z^2 - X + 2p and X + Z^2: 4.
 * -alpha: 3 (4 * 4 / 16 + 1) = 6.  2 beta: 2 * 2.8 / 16 + 1 < 1.4.  alpha^2 - 8 beta + 12p: 6 * 6 / 16 + 1 + 12 < 15.3, and not
 * negative as 4 * 1.4 < 12, folded.  4 beta - X' + 2p: 4.8.  -Y': (6 * 4.8 + 2 * 2.8^2) / 16 + 1 < 3.8.  Y', with 4p: 4, folded.
 * Z'^2: 3.3^2 / 16 + 1 < 1.7.
 *
 * Clobbers vector registers 0..25 and 28..31, rsi, r8..r11, and T0..T4.
 */
FUNC(lc_\curve\()_double_\symbol)
    _load_constants
    call 34b
    _begin mul, T0, T4
.p2align 5
.Ldouble_\curve\()_\symbol:
    _next mul, T0, T4, sqr, PY
    _triple Q
    _carry_factor T2            /* -alpha */
    _next sqr, PY, , mul, PY, PZ
    _twice Q
    _carry_factor T1            /* 2 gamma */
    _next mul, PY, PZ, mul, PX, T1
    _twice Q
    _carry_factor PZ            /* Z' */
    _next mul, PX, T1, sqr, T2
    _store Q, T3                /* 2 beta, not carried */
    _next sqr, T2, , sqr, PZ
    _add_p Q, 12
    _sub_4 Q, T3
    _fold_to PX
    _load Q, T3
    _twice Q
    _sub_fe Q, PX
    _add_p Q, 2
    _carry_factor T3            /* 4 beta - X' */
    _end sqr, PZ
    _carry_to PZZ
    call 34b                    /* for the next one already */
    _begin_sum T2, T3, twice_sqr, T1
.if CODE == EVEX
    cmp $1, %rsi
    je 1f
    _next mul, T2, T3, mul, T0, T4
    jmp 2f
1:
.endif
    _end add_mul, T2, T3
2:
    _negate Q
    _add_p Q, 4
    _fold_to PY
    dec %rsi
    jnz .Ldouble_\curve\()_\symbol
    vzeroupper
    RETURN
END_FUNC(lc_\curve\()_double_\symbol)

/*
 * void lc_<curve>_add_<impl>(void *w)
 *
 * (X : Y : Z) += (x, y) in all lanes, where the point (x, y) is the entry:
 *
 *      H = x Z^2 - X,   R = y Z^3 - Y,   V = X H^2
 *      X' = R^2 - H^3 - 2 V,   Y' = R (V - X') - Y H^3,   Z' = Z H
 *
 * Exceptions: if the points are equal or opposite, H is 0, so Z' is 0, and remains 0 in whatever is done afterwards.
 * The first should be a doubling, the second infinity.  Infinity plus the entry gives Z' = 0, too.
 *
 * Bounds, in p, before: X 2, Y 2.5, Z 4, Z^2 2, x 2, y 2.  x Z^2: 1.25.  H, with 2p: 3.25.  Z^3: 1.5.  y Z^3: 1.2.  R, with 4p:
 * 5.2.  Z': 1.9, and its square: 1.3.  H^2: 1.7.  V: 1.3.  H^3: 1.4.  X', with 4p: 5.2^2 / 16 + 1 + 4, not negative as 1.4 + 2.6
 * < 4.01 (exactly: H^2 < 1.661, V < 1.208, H^3 < 1.338, and 1.338 + 2.416 < 4), folded.  V - X' + 2p: 3.3.  4p - Y: 4.
 * Y': (5.2 * 3.3 + 4 * 1.4) / 16 + 1 < 2.5.
 *
 * Clobbers vector registers 0..25 and 28..31, r8..r11, and T0..T3.
 */
FUNC(lc_\curve\()_add_\symbol)
    _load_constants
    _begin mul, EX, PZZ
    _next mul, EX, PZZ, mul, PZ, PZZ
    _sub_fe Q, PX
    _add_p Q, 2
    _carry_factor T2            /* H */
    _next mul, PZ, PZZ, sqr, T2
    _carry_factor T1            /* Z^3 */
    _next sqr, T2, , mul, EY, T1
    _carry_factor T0            /* H^2 */
    _next mul, EY, T1, mul, PZ, T2
    _sub_fe Q, PY
    _add_p Q, 4
    _carry_factor T3            /* R */
    _next mul, PZ, T2, mul, T2, T0
    _carry_factor PZ
    _next mul, T2, T0, mul, PX, T0
    _carry_to T1                /* H^3 */
    _next mul, PX, T0, sqr, T3
    _store Q, T0                /* V, not carried */
    _next sqr, T3, , sqr, PZ
    _sub_fe Q, T1
    _sub_fe Q, T0
    _sub_fe Q, T0
    _add_p Q, 4
    _fold_to PX
    _load Q, T0
    _sub_fe Q, PX
    _add_p Q, 2
    _carry_factor T0            /* V - X' */
    _sum_negated PY, PY, 4
    _end sqr, PZ
    _carry_to PZZ
    _begin_sum T3, T0, products, PY, T1
    _end add_mul, T3, T0
    _carry_to PY
    vzeroupper
    RETURN
END_FUNC(lc_\curve\()_add_\symbol)

/*
 * void lc_<curve>_select_<impl>(void *w, const void *table)
 *
 * The entry = table[index] in each lane, index < 8, its y negated (2p - y) in lanes where `negative` is -1, not 0.  Each lane has
 * its own table, aligned to VL.
 * Clobbers rax, ecx, rsi, r10 and vector registers 0..7, 15..19, 23, 24 and 28.
 */
FUNC(lc_\curve\()_select_\symbol)
    _take_entry 10, \curve\()_\symbol
    _load Q, EY
    _store_y
    vzeroupper
    RETURN
END_FUNC(lc_\curve\()_select_\symbol)

/*
 * void lc_<curve>_select_base_<impl>(void *w, const void *table)
 *
 * The entry = table[..][index] in each lane, index < 32, and negated as above: one table for all lanes, four 64-bit words of x and
 * four of y, and of each word all 32 next to each other.  vpermt2q takes one of two vectors' elements for each lane, and of two
 * such results, each of 16 elements, a bit of the index chooses; of four, each of 8 elements, two bits do.  Words take a fifth less
 * memory than limbs; they are cut here.
 * Clobbers r10 and vector registers 0..8, 10..21, 23, 24 and 28.
 */
FUNC(lc_\curve\()_select_base_\symbol)
.if CODE == EVEX
    .set INDEXES, V8
    .set BIT3, V20
    .set BIT4, V21
    _load_vector INDEX, W, V8
.if VL < 64
    _mask_of_bit 3, V8, BIT3
.endif
    _mask_of_bit 4, V8, BIT4
.irp i, 0,1,2,3,4,5,6,7
    _one_of_16 \i*256, V\i, V14
    _one_of_16 \i*256 + 128, V11, V15
    _choose V11, BIT4, V\i
.endr
    _all mask52, MASK52
    _limbs 0, 1, 2, 3, Q0, Q1, Q2, Q3, Q4
    _limbs 4, 5, 6, 7, Q5, Q6, Q7, Q8, Q9
    _store_entry
.else
    _set_chosen_of_4 INDEX(W)
.irp y, 0,1
  .irp i, 6,7,8,9
    call lc_\curve\()_word_\symbol
    vmovdqa V5, V\i
  .endr
    _limbs_in_place
  .if \y
    _store_y
  .else
    _store P, EX
  .endif
.endr
.endif
    vzeroupper
    RETURN
END_FUNC(lc_\curve\()_select_base_\symbol)

/* ---- What only P-256 has: prepared keys and pools ---- */

.if PRIME == P256

/*
 * void lc_p256_load_<impl>(void *w, const uint64_t *const *points)
 *
 * The entry = *points[lane] in each lane, negated as above: points that are not secret, each 64 bytes aligned to 64, four words
 * of x and four of y, below 2p and 2^256.  Lanes of words are turned into words of lanes, and those into limbs.
 * Clobbers rax, r10, and vector registers 0..19, 22..24, 26..28.
 */
FUNC(lc_p256_load_\symbol)
.if CODE == EVEX
    _load_points
    _store_entry
.else
    _load_words 0
    _limbs_in_place
    _store P, EX
    _load_words 32
    _limbs_in_place
    _store_y
.endif
    vzeroupper
    RETURN
END_FUNC(lc_p256_load_\symbol)

/*
 * void lc_p256_tree_products_<impl>(void *products, const void *a, void *b, size_t half)
 *
 * The first part of 2 half affine additions a[k] + b[k], half > 0: b[k].x becomes the difference d[k] = b[k].x - a[k].x, and
 *
 *      products[k + 1] = d[0] d[1] .. d[k]     and the same of the second half, from products[half + 2] on,
 *
 * where products[0] and products[half + 1] are 1.  Bounds, in p: x 2; d, with 2p: 4; products 2.
 *
 * Clobbers rax, rcx, rdx, rsi, rdi, r8..r11, and vector registers 0..23 and 28..31.
 */
FUNC(lc_p256_tree_products_\symbol)
    _load_constants
.if CODE == EVEX
    push %rbx
    push %rbp
    push %r12
    _second_half %rcx, %rsi, %rbx, %rdx, %rbp
    lea FE(%rdi,%rax), %r12
.p2align 5
.Ltree_products_\symbol:
    _difference Q, %rsi, %rdx
    _begin mul, 0, 0, %rdi, %rdx
    _difference Q, %rbx, %rbp
    _next mul, , , mul, 0, 0, , , %r12, %rbp
    _carry_to FE, %rdi
    _end mul
    _carry_to FE, %r12
.irp r, %rsi, %rbx, %rdx, %rbp
    add $2*FE, \r
.endr
    add $FE, %rdi
    add $FE, %r12
    dec %rcx
    jnz .Ltree_products_\symbol
    pop %r12
    pop %rbp
    pop %rbx
.else
    mov %rcx, %r10
    mov $2, %r11d
.p2align 5
.Ltree_products_\symbol:
    _difference P, %rsi, %rdx
    _whole mul, 0, 0, %rdi, %rdx
    _carry_to FE, %rdi
    add $2*FE, %rsi
    add $2*FE, %rdx
    add $FE, %rdi
    dec %rcx
    jnz .Ltree_products_\symbol
    add $FE, %rdi
    mov %r10, %rcx
    dec %r11d
    jnz .Ltree_products_\symbol
.endif
    vzeroupper
    RETURN
END_FUNC(lc_p256_tree_products_\symbol)

/*
 * void lc_p256_tree_sums_<impl>(void *w, void *a, void *b, void *products, size_t half)
 *
 * The second part: a[k] += b[k], from d and products as above.  w->x and w->y are the inverses of the last products of either half.
 * From the last one to the first, u being the inverse of products[k + 1] and d standing in b[k].x:
 *
 *      1 / d[k] = u products[k],   u = u d[k]
 *      l = (b.y - a.y) / d,   x = l^2 - 2 a.x - d,   y = l (a.x - x) - a.y
 *
 * Bounds, in p: a.x 1.01, y 2, d 4, products 2, u 2.  1 / d: 1.3.  b.y - a.y + 2p: 4.  l: 1.4.  x: 1.2 + 12, not negative as 2.02 +
 * 4 < 12, folded.  a.x - x + 2p: 3.1.  y, with 2p: 3.3, folded.
 *
 * b and products, which are secret and of no more use, have zeros then: written here, since they are in the first cache now.
 *
 * Clobbers rax, rcx, rdx, rsi, r8..r11, vector registers 0..25 and 28..31, and w->x, w->y, T0..T3.
 */
FUNC(lc_p256_tree_sums_\symbol)
    _load_constants
.if CODE == EVEX
    push %rbx
    push %rbp
    push %r12
    push %r13
    mov %rcx, %r13
    mov %r8, %rcx
    _second_half %rcx, %rsi, %rbx, %rdx, %rbp
    lea FE(%r13,%rax), %r12
    add %rax, %r12
    add %rax, %r13
.irp r, %rsi, %rbx, %rdx, %rbp
    lea (\r,%rax,2), \r
.endr
.Ltree_sums_\symbol:
.irp r, %rsi, %rbx, %rdx, %rbp
    sub $2*FE, \r
.endr
    sub $FE, %r13
    sub $FE, %r12
    _begin mul, PX, 0, W, %r13
    _sum T2, vpsubq, FE, FE, 2, %rsi, %rdx
    _sum T3, vpsubq, FE, FE, 2, %rbx, %rbp
    _next mul, , , mul, PY, 0, , , W, %r12
    _carry_factor T0            /* 1 / d */
    _next mul, , , mul, PX, 0, , , W, %rdx
    _carry_factor T1
    _next mul, , , mul, PY, 0, , , W, %rbp
    _carry_factor PX            /* u */
    _next mul, , , mul, T2, T0
    _carry_factor PY
    _next mul, , , mul, T3, T1
    _carry_factor T2            /* l */
    _next mul, , , sqr, T2
    _carry_factor T3
    _next sqr, , , sqr, T3
    _tree_x Q, %rsi, %rdx, T0
    _next sqr, , , mul, T2, T0
    _tree_x Q, %rbx, %rbp, T1
    _next mul, , , mul, T3, T1
    _tree_y Q, %rsi
    _end mul
    _tree_y Q, %rbx
    /* With products[k] those of k + 1, of which the turn before this one was the last to need any. */
    _clear_points FE, %rax, %eax, %rdx, %rbp, %r13, %r12
    dec %rcx
    jnz .Ltree_sums_\symbol
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
.else
    imul $2*FE, %r8, %r10
    lea (%rsi,%r10,2), %rsi
    lea (%rdx,%r10,2), %rdx
    lea FE(%rcx,%r10), %r10
    mov %r8, %rax
    mov %r8, %rcx
    lea PY(W), %r11
.Ltree_sums_\symbol:
    sub $2*FE, %rsi
    sub $2*FE, %rdx
    sub $FE, %r10
    _whole mul, 0, 0, %r11, %r10
    _carry_factor T0            /* 1 / d */
    _whole mul, 0, 0, %r11, %rdx
    _carry_factor 0, %r11       /* u */
    _sum T2, vpsubq, FE, FE, 2, %rsi, %rdx
    _whole mul, T2, T0, W, W
    _carry_factor T2            /* l */
    _whole sqr, T2, , W, W
    _tree_x P, %rsi, %rdx, T0
    _whole mul, T2, T0, W, W
    _tree_y P, %rsi
    _clear_points FE, %r8, %r8d, %rdx, %r10
    dec %rcx
    jnz .Ltree_sums_\symbol
    mov %rax, %rcx
    sub $FE, %r10
    sub $FE, %r11               /* PX, for the first half */
    cmp W, %r11
    jae .Ltree_sums_\symbol
.endif
    vzeroupper
    RETURN
END_FUNC(lc_p256_tree_sums_\symbol)

.endif

/*
 * void lc_<curve>_clear_<impl>(void)
 *
 * Zeros in all vector registers that these functions have used: they leave secrets there, and are called in turn.
 */
FUNC(lc_\curve\()_clear_\symbol)
    vzeroall
.if CODE == EVEX
.irp i, 16,17,18,19,20,21,22,23,24,25,26,27
    vpxord %xmm\i, %xmm\i, %xmm\i
.endr
.endif
    RETURN
END_FUNC(lc_\curve\()_clear_\symbol)

_end_code lc_\curve\()_\symbol
.endm

_implementation p256, P256, avx512ifma_512, 64, EVEX
_implementation p256, P256, avx512ifma_256, 32, EVEX
_implementation p256, P256, avxifma, 32, VEX
_implementation sm2, SM2, avx512ifma_512, 64, EVEX
_implementation sm2, SM2, avx512ifma_256, 32, EVEX
_implementation sm2, SM2, avxifma, 32, VEX

.section .note.GNU-stack, "", @progbits

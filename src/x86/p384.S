/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-384 for x86-64 with AVX-512 IFMA, or AVX-IFMA: as many points at once as a vector has 64-bit lanes, each lane another one.
 *
 * What is done with points, and why it is right, is in x86/curve_lanes.c, which calls these functions.  x86/curve256.S has the same
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
 * The products go limb by limb of one factor, with all limbs of the other from memory: 16 multiplications, of which each waits for
 * one other at most (ifma.h).  Column by column they wait, eight in a row, and that took 20 % longer.  Rows of products are in
 * loops, in which columns move down by one register, but not beside squares: that is a third of the code, and takes up to 1 %
 * longer.
 *
 * But a step has to wait for the one before, and the carries at the end for each other.  So two multiplications are under way at a
 * time, in two streams, the second half of one in Q and the first half of the next in P, as in x86/curve256.S.  An operation
 * therefore needs none of what was begun just before it; and where a number has to be carried and another one is made of it, both
 * begin with limbs that aren't carried.  Of a product whose factors are ready at different times, the later one goes limb by limb.
 * docs/publickey.md has what an addition and a doubling take, by count and measured, and what lost.
 *
 * Of a < A p and b < B p the result is below (A B / 2^32 + 1) p, since it is (a b + m p) / 2^416 with m < 2^416, and p < 2^384.
 * With all bounds below 400 that is 1.0001 p, for sums of two products, a b + c d, too.
 *
 * -- Sums -----------------------------------------------------------------------------------------------------------------------
 *
 * What comes out of a multiplication has limbs of more than 52 bits, and of either sign.  Before these are carried, numbers are
 * added and subtracted limb by limb, with a multiple of p that keeps the number from being negative.  So there is one carry for
 * all.
 *
 * With VEX coding no limb is negative but the highest, so that a carry is a logical shift; and there is one stream: what is begun
 * is done as a whole where its second half would be.  x86/curve256.S says more about both.
 */
#include "ifma.h"

/* What is worked on, in numbers (x86/curve_lanes.h) */
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
#define TP (9 * FE + 2 * VL)        /* where a square has its doubled limbs; and another one that begins before it ends */
#define TQ (10 * FE + 2 * VL)
#define SIGN (11 * FE + 2 * VL)

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
_multiple_of_p 64
/*
 * For VEX coding, in all lanes: the same, where more * 2^52 is taken from each limb and given to the one below; the others.  For
 * 64p, which is added up to four times, that is less.
 */
.macro _limbs_in_lanes n, more=1024
.Lvex_p_times_\n:
    _in_lanes "\n * ((1 << 32) - 1) + (\more << 52)"
    _in_lanes "-\n * (1 << 44) + (\more << 52) - \more"
    _in_lanes "-\n * (1 << 24) + (\more << 52) - \more"
    _in_lanes "\n * (1 << 20) - \more"
    _in_lanes "(\more << 52) - \more"
.endm
.p2align 5
.irp n, 2,4,12,16
_limbs_in_lanes \n
.endr
_limbs_in_lanes 64, 256
_constant .Lvex_mask52, "(1 << 52) - 1"
_constant .Lvex_power20, "1 << 20"
_constant .Lvex_power24, "1 << 24"
_constant .Lvex_power32, "1 << 32"
_constant .Lvex_power44, "1 << 44"
/* What a product's upper columns begin with: what has to be taken from 9 and 10, and 2^52 in the same way */
.Lvex_columns:                  /* 8 to 15 */
    _in_lanes 0
_constant .Lvex_column9, "(1 << 52) - (1 << 44)"
_constant .Lvex_column10, "(1 << 52) - (1 << 24) - 1"
_constant .Lvex_column11, "(1 << 52) - 1"
.rept 3
    _in_lanes "(1 << 52) - 1"
.endr
_constant .Lvex_column15, -1
.set .Lvex_upper_dword, .Lvex_power32

.text

#define W               %rdi    /* what is worked on */
#define TABLE           %rsi

/* ---- Registers ---- */

/*
 * Two products are under way at a time, in streams P and Q.  Of each, P0 to P15 are columns, of which no more than ten are at work
 * at once, so they take turns; PA has a limb of a factor, and PTMP and PTMP2 what is needed in between.  The result's limbs are
 * columns 8 to 15 of Q.  CARRIED is where a carried number goes to.
 */
.macro _set_registers
    _set_vectors
.irp i, 0,1,2,3,4,5,6,7,8,9
    _name P\i, \i
.endr
.irp i, 0,1,2,3,4,5
    _name P1\i, \i
.endr
.if CODE == EVEX
  .irp i, 0,1,2,3,4,5,6,7,8,9
    _name Q\i, 1\i
  .endr
  .irp i, 0,1,2,3,4,5
    _name Q1\i, 1\i
  .endr
    _name PA, 20
    _name QA, 21
    _name PTMP, 22
    _name QTMP, 23
    _name PTMP2, 24
    _name QTMP2, 25
    .set CARRIED, %r10
    _name POWER20, 26
    _name POWER24, 27
    _name POWER32, 28
    _name POWER44, 29
    _name MASK52, 30
.else
  .irp i, 0,1,2,3,4,5,6,7,8,9
    _name Q\i, \i
  .endr
  .irp i, 0,1,2,3,4,5
    _name Q1\i, \i
  .endr
    _name PA, 10
    _name QA, 10
    _name QTMP2, 10
    _name PTMP2, 10             /* a limb of a factor isn't needed any more then */
    _name PTMP, 11
    _name QTMP, 11
    .set CARRIED, %r9
    _name POWER20, 12
    _name POWER24, 13
    _name POWER32, 14
    _name POWER44, 15
.endif
.endm

.macro _load_constants
.if CODE == EVEX
    vpbroadcastq .Lpower20(%rip), POWER20
    vpbroadcastq .Lpower24(%rip), POWER24
    vpbroadcastq .Lpower32(%rip), POWER32
    vpbroadcastq .Lpower44(%rip), POWER44
    vpbroadcastq .Lmask52(%rip), MASK52
.else
    vmovdqa .Lvex_power20(%rip), POWER20
    vmovdqa .Lvex_power24(%rip), POWER24
    vmovdqa .Lvex_power32(%rip), POWER32
    vmovdqa .Lvex_power44(%rip), POWER44
.endif
.endm

/* insn: vpand, vpxor; with the lower 52 bits */
.macro _with_mask insn, a, d
.if CODE == EVEX
    \insn\()q MASK52, \a, \d
.else
    \insn .Lvex_mask52(%rip), \a, \d
.endif
.endm

/* ---- Multiplication.  s is the stream; factors are offsets from a base register. ---- */

/* m = column k, which is complete: adds what m * p makes of it to the columns above. */
.macro _reduce s, k
.if \k == 0
    _reduce_column \s, 0, 1, 2, 3, 7, 8
.elseif \k == 1
    _reduce_column \s, 1, 2, 3, 4, 8, 9
.elseif \k == 2
    _reduce_column \s, 2, 3, 4, 5, 9, 10
.elseif \k == 3
    _reduce_column \s, 3, 4, 5, 6, 10, 11
.elseif \k == 4
    _reduce_column \s, 4, 5, 6, 7, 11, 12
.elseif \k == 5
    _reduce_column \s, 5, 6, 7, 8, 12, 13
.elseif \k == 6
    _reduce_column \s, 6, 7, 8, 9, 13, 14
.else
    _reduce_column \s, 7, 8, 9, 10, 14, 15
.endif
.endm
.macro _reduce_column s, k, k1, k2, k3, k7, k8
    _reduce_to \s, \s\k, \s\k1, \s\k2, \s\k3, \s\k7, \s\k8
.endm
.macro _reduce_to s, k, k1, k2, k3, k7, k8
    _madd lu, POWER32, \k, \k                          /* s */
    _with_mask vpxor, \k, \s\()TMP
    vpsrlq $52, \k, \s\()TMP2
    _madd hu, POWER32, \k, \k1
    _madd lu, POWER44, \s\()TMP, \s\()TMP2           /* not to column k1, which the next step is waiting for */
    _madd lu, POWER20, \k, \k7
    _madd hu, POWER20, \k, \k8
    _madd hu, POWER44, \s\()TMP, \k2
    _madd lu, POWER24, \s\()TMP, \k2
    _madd hu, POWER24, \s\()TMP, \k3
    vpaddq \s\()TMP2, \k1, \k1
.endm

/*
 * Step n of 0 to 8 of what leaves a number in columns 8 to 15 of a stream, not carried, where _row_op n adds the products with limb
 * n to the columns n to n + 8.  A column's reduction comes after the next row, as it has to wait.
 */
.macro _step n, s, op, a, b, c, d, a_base, b_base, c_base, d_base
.if \n == 0
  .irp k, 0,3,4,5,6,7
    _zero \s\k
  .endr
    _mov POWER44, \s\()1
    _mov POWER24, \s\()2
.endif
.irp k, 8,9,10,11,12,13,14,15
  .if \k == \n + 8
    _begin_column \s\k, \k
  .endif
.endr
.if \n < 8
    _row_\op \n, \s, \a, \b, \c, \d, \a_base, \b_base, \c_base, \d_base
.else
    _reduce \s, 7
  .if CODE == EVEX
    vpsubq POWER44, \s\()9, \s\()9
    vpsubq POWER24, \s\()10, \s\()10
  .endif
.endif
.if \n > 0 && \n < 8
    _reduce \s, (\n - 1)
.endif
.endm

.macro _begin_column r, k
.if CODE == EVEX || \k == 8
    _zero \r
.elseif \k == 9
    vmovdqa .Lvex_column9(%rip), \r
.elseif \k == 10
    vmovdqa .Lvex_column10(%rip), \r
.elseif \k < 15
    vmovdqa .Lvex_column11(%rip), \r
.else
    vmovdqa .Lvex_column15(%rip), \r
.endif
.endm

/*
 * a * b.  With less than 512 bits, the lower halves first, then the upper ones: a column waits for four cycles before the next
 * product can be added.
 */
.macro _row_mul i, s, a, b, c, d, a_base, b_base, c_base, d_base
    _load_vector ((\a)+\i*VL), \a_base, \s\()A
.if VL == 64
.irp j, 0,1,2,3,4,5,6,7
    _load_vector ((\b)+\j*VL), \b_base, \s\()TMP2
    _product_of_limbs \s, \i+\j, \s\()TMP2
.endr
.else
.irp k, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14
.if \k >= \i && \k < \i + 8
    _madd_memory lu, "((\b) + (\k-\i)*VL)", \b_base, \s\()A, \s\k
.endif
.endr
.irp k, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
.if \k > \i && \k <= \i + 8
    _madd_memory hu, "((\b) + (\k-\i-1)*VL)", \b_base, \s\()A, \s\k
.endif
.endr
.endif
.endm

/*
 * a^2: of the products of different limbs each once, by twice the higher limb.  Twice a number's limbs from i + 1 on are 2 a_(i+1),
 * 2 a_(i+2) + what a_(i+1) has above 51 bits, and so on, of which the multiplications take 52 bits.  (The highest limb has none
 * above: a is below 2^415.)  b: a number's place in memory, for these limbs: _double_limbs comes first.
 */
.macro _double_limbs a, b
.irp j, 2,3,4,5,6,7
    _load_vector \j*VL, \a, PTMP
    _load_vector (\j-1)*VL, \a, PTMP2
    vpaddq PTMP, PTMP, PTMP
    vpsrlq $51, PTMP2, PTMP2
    vpaddq PTMP2, PTMP, PTMP
    _store_vector PTMP, \j*VL, \b
.endr
.endm
.macro _row_sqr i, s, a, b, c, d, a_base, b_base, c_base, d_base
    _load_vector ((\a)+\i*VL), \a_base, \s\()A
.if \i < 7
    _load_vector ((\a)+(\i+1)*VL), \a_base, \s\()TMP
    vpaddq \s\()TMP, \s\()TMP, \s\()TMP
.endif
.if VL == 64
    _product_of_limbs \s, 2*\i, \s\()A
  .if \i < 7
    _product_of_limbs \s, 2*\i+1, \s\()TMP
  .endif
.irp j, 2,3,4,5,6,7
  .if \j > \i + 1
    _load_vector ((\b)+\j*VL), \b_base, \s\()TMP2
    _product_of_limbs \s, \i+\j, \s\()TMP2
  .endif
.endr
.else
    _square_products lu, \i, 0, \s, \b, \b_base
    _square_products hu, \i, 1, \s, \b, \b_base
.endif
.endm
.macro _square_products which, i, up, s, b, base
.irp k, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
.if 2*\i + \up == \k
    _madd \which, \s\()A, \s\()A, \s\k
.elseif 2*\i + 1 + \up == \k && \i < 7
    _madd \which, \s\()TMP, \s\()A, \s\k
.else
.irp j, 2,3,4,5,6,7
.if \i + \j + \up == \k && \j > \i + 1
    _madd_memory \which, "((\b) + \j*VL)", \base, \s\()A, \s\k
.endif
.endr
.endif
.endr
.endm

/*
 * Functions are lists of multiplications, as in x86/curve256.S: _begin begins the first one, each _next leaves what was begun in
 * the columns 8 to 15 of Q and begins another one, and _end leaves the last one there.  Factors are offsets from W, or from other
 * registers.  With two streams these are functions of the implementation, the ones that are next above, by numbers.  Factors of
 * what was begun are where r8 and r9 point, and of `two` also rcx and rdx; the caller has to say where the next ones are.
 */
.macro _begin op, a, b, a_base=W, b_base=W
.if CODE == EVEX
    lea \a(\a_base), %r10
    lea \b(\b_base), %r11
  .ifc \op,mul
    call 21b
  .else
    call 32b
    call 22b
  .endif
.endif
.endm
.macro _next op, a, b, op2, a2, b2, c2, d2, a2_base=W, b2_base=W
.if CODE == EVEX
    lea \a2(\a2_base), %r10
    lea \b2(\b2_base), %r11
  .ifc \op2,sqr
    call 32b
  .endif
  .ifc \op\()_\op2,mul_mul
    call 26b
  .endif
  .ifc \op\()_\op2,mul_sqr
    call 27b
  .endif
  .ifc \op\()_\op2,sqr_mul
    call 28b
  .endif
  .ifc \op\()_\op2,sqr_sqr
    call 29b
  .endif
  .ifc \op2,two
    lea \c2(W), %rcx
    lea \d2(W), %rdx
    call 30b
  .endif
.else
    _whole \op, \a, \b, , , W, W
.endif
.endm
.macro _end op, a, b, c, d, a_base=W, b_base=W
.if CODE == EVEX
  .ifc \op,mul
    call 23b
  .endif
  .ifc \op,two
    call 25b
  .endif
.else
    _whole \op, \a, \b, \c, \d, \a_base, \b_base
.endif
.endm
/*
 * Rows of products in a loop.  Before a row, columns move down by one register; behind it, or before the next one, the lowest of
 * these ten is reduced.  They are in such an order that after half a product P has the columns 3 to 11 where they are without a
 * loop, and after all of it Q has the columns 8 to 15 there.  The factors whose limbs are a row each are where a and c point to,
 * which go on, and all limbs of the others where b and d do.
 */
.macro _in_order s, insn:vararg
.ifc \s,P
    \insn P2, P3, P4, P5, P6, P7, P8, P9, P0, P1
.else
    \insn Q6, Q7, Q8, Q9, Q0, Q1, Q2, Q3, Q4, Q5
.endif
.endm
.macro _zero_but_first_two k0, k1, k2, k3, k4, k5, k6, k7, k8, k9
.irp k, \k1, \k4, \k5, \k6, \k7, \k8
    _zero \k
.endr
    _mov POWER44, \k2
    _mov POWER24, \k3
.endm
.macro _move_down k0, k1, k2, k3, k4, k5, k6, k7, k8, k9
    _mov \k1, \k0
    _mov \k2, \k1
    _mov \k3, \k2
    _mov \k4, \k3
    _mov \k5, \k4
    _mov \k6, \k5
    _mov \k7, \k6
    _mov \k8, \k7
    _mov \k9, \k8
.endm
.macro _reduce_lowest s, k0, k1, k2, k3, k4, k5, k6, k7, k8, k9
    _reduce_to \s, \k0, \k1, \k2, \k3, \k7, \k8
.endm
.macro _reduce_next s, k0, k1, k2, k3, k4, k5, k6, k7, k8, k9
    _reduce_to \s, \k1, \k2, \k3, \k4, \k8, \k9
.endm
.macro _begin_highest k0, k1, k2, k3, k4, k5, k6, k7, k8, k9
.if CODE == EVEX
    _zero \k9
.else
    vmovdqa (%rax), \k9
    add $VL, %rax
.endif
.endm
.macro _add_row s, a, b, k0, k1, k2, k3, k4, k5, k6, k7, k8, k9
    _load_vector 0, \a, \s\()A
    add $VL, \a
.if VL == 64
    _add_product 0, \s, \b, \k1, \k2
    _add_product 1, \s, \b, \k2, \k3
    _add_product 2, \s, \b, \k3, \k4
    _add_product 3, \s, \b, \k4, \k5
    _add_product 4, \s, \b, \k5, \k6
    _add_product 5, \s, \b, \k6, \k7
    _add_product 6, \s, \b, \k7, \k8
    _add_product 7, \s, \b, \k8, \k9
.else
    _madd_memory lu, 0, \b, \s\()A, \k1
    _madd_memory lu, VL, \b, \s\()A, \k2
    _madd_memory lu, 2*VL, \b, \s\()A, \k3
    _madd_memory lu, 3*VL, \b, \s\()A, \k4
    _madd_memory lu, 4*VL, \b, \s\()A, \k5
    _madd_memory lu, 5*VL, \b, \s\()A, \k6
    _madd_memory lu, 6*VL, \b, \s\()A, \k7
    _madd_memory lu, 7*VL, \b, \s\()A, \k8
    _madd_memory hu, 0, \b, \s\()A, \k2
    _madd_memory hu, VL, \b, \s\()A, \k3
    _madd_memory hu, 2*VL, \b, \s\()A, \k4
    _madd_memory hu, 3*VL, \b, \s\()A, \k5
    _madd_memory hu, 4*VL, \b, \s\()A, \k6
    _madd_memory hu, 5*VL, \b, \s\()A, \k7
    _madd_memory hu, 6*VL, \b, \s\()A, \k8
    _madd_memory hu, 7*VL, \b, \s\()A, \k9
.endif
.endm
.macro _add_product j, s, b, k, k1
    _load_vector \j*VL, \b, \s\()TMP2
    _madd hu, \s\()TMP2, \s\()A, \k1
    _madd lu, \s\()TMP2, \s\()A, \k
.endm
/* A row of a * b, or of a * b + c * d */
.macro _add_rows s, op, a, b, c, d
    _in_order \s, _begin_highest
    _in_order \s, _add_row \s, \a, \b,
.ifc \op,two
    _in_order \s, _add_row \s, \c, \d,
.endif
.endm
.macro _end_product
    _in_order Q, _reduce_next Q,
.if CODE == EVEX
    vpsubq POWER44, Q9, Q9
    vpsubq POWER24, Q0, Q0
.endif
.endm
/* What P has in the half goes to where Q has it when its lowest column is to be reduced before row 4. */
.macro _to_loop
    _mov P3, Q6
    _mov P4, Q7
    _mov P5, Q8
    _mov P6, Q9
    _mov P7, Q0
    _mov P8, Q1
    _mov P9, Q2
    _mov P0, Q3
    _mov P1, Q4
.endm

.macro _stream_functions name
INNER_FUNC(lc_\name\()_begin_mul)
21:
    _in_order P, _zero_but_first_two
    mov $4, %eax
    jmp 2f
.p2align 4
1:
    _in_order P, _move_down
    _in_order P, _reduce_lowest P,
2:
    _add_rows P, mul, %r10, %r11
    dec %eax
    jnz 1b
    mov %r10, %r8
    mov %r11, %r9
    RETURN
END_FUNC(lc_\name\()_begin_mul)
INNER_FUNC(lc_\name\()_begin_sqr)
22:
.irp n, 0,1,2,3
    _step \n, P, sqr, 0, 0, , , %r10, %r11
.endr
    mov %r10, %r8
    mov %r11, %r9
    RETURN
END_FUNC(lc_\name\()_begin_sqr)
INNER_FUNC(lc_\name\()_double_limbs)
32:
    _double_limbs %r10, %r11
    RETURN
END_FUNC(lc_\name\()_double_limbs)
    _end_function 23, \name, mul
    _end_function 25, \name, two
    _loop_function 26, \name, mul
    _halves_function 27, \name, mul, sqr
    _halves_function 28, \name, sqr, mul
    _halves_function 29, \name, sqr, sqr
    _loop_function 30, \name, two
.endm
.macro _end_function number, name, op
INNER_FUNC(lc_\name\()_end_\op)
\number:
    _to_loop
    mov $4, %eax
    jmp 2f
.p2align 4
1:
    _in_order Q, _move_down
2:
    _add_rows Q, \op, %r8, %r9, %rcx, %rdx
    _in_order Q, _reduce_lowest Q,
    dec %eax
    jnz 1b
    _end_product
    RETURN
END_FUNC(lc_\name\()_end_\op)
.endm
/* The second half of a product, and the first half of another one, or of two */
.macro _loop_function number, name, op
INNER_FUNC(lc_\name\()_mul_\op)
\number:
    _to_loop
    _in_order P, _zero_but_first_two
    mov $4, %eax
    jmp 2f
.p2align 4
1:
    _in_order P, _move_down
    _in_order P, _reduce_lowest P,
    _in_order Q, _move_down
2:
    _add_rows Q, mul, %r8, %r9
    _in_order Q, _reduce_lowest Q,
    _add_rows P, \op, %r10, %r11, %rcx, %rdx
    dec %eax
    jnz 1b
    _end_product
    mov %r10, %r8
    mov %r11, %r9
    RETURN
END_FUNC(lc_\name\()_mul_\op)
.endm
/* After half of it, there is something in the columns 3 to 11. */
.macro _to_end
.irp k, 3,4,5,6,7,8,9,10,11
    _mov P\k, Q\k
.endr
.endm
/* The second half of one multiplication and the first half of another one, in turn, one of which is a square */
.macro _halves_function number, name, op, op2
INNER_FUNC(lc_\name\()_\op\()_\op2)
\number:
    _to_end
.ifc \op,mul
    .set DONE, 4*VL             /* what r8 has gone on */
.else
    .set DONE, 0
.endif
.irp n, 0,1,2,3
    _step (\n + 4), Q, \op, -DONE, 0, , , %r8, %r9
    _step \n, P, \op2, 0, 0, , , %r10, %r11
.endr
    _step 8, Q, \op, 0, 0, , , %r8, %r9
.ifc \op2,mul
    lea 4*VL(%r10), %r8
.else
    mov %r10, %r8
.endif
    mov %r11, %r9
    RETURN
END_FUNC(lc_\name\()_\op\()_\op2)
.endm

/*
 * With one stream: all of it, by a function of the implementation, the one that is next above.  Factors are where r9, r8, r10 and
 * r11 point; a square's b is r8.
 */
.macro _whole op, a, b, c, d, a_base, b_base
    lea \a(\a_base), %r9
    lea \b(\b_base), %r8
.ifc \op,mul
    call 11b
.endif
.ifc \op,sqr
    call 12b
.endif
.ifc \op,two
    lea \c(W), %r10
    lea \d(W), %r11
    call 13b
.endif
.endm
.macro _product_function number, name, op
INNER_FUNC(lc_\name)
\number:
    lea .Lvex_columns(%rip), %rax
    _in_order Q, _zero_but_first_two
    _add_rows Q, \op, %r9, %r8, %r10, %r11
    mov $7, %ecx
.p2align 4
1:
    _in_order Q, _move_down
    _add_rows Q, \op, %r9, %r8, %r10, %r11
    _in_order Q, _reduce_lowest Q,
    dec %ecx
    jnz 1b
    _end_product
    RETURN
END_FUNC(lc_\name)
.endm
.macro _inner_functions symbol
    _name_chosen
    .set BIT5, V15
    _product_function 11, p384_product_\symbol, mul
INNER_FUNC(lc_p384_square_\symbol)
12:
    _double_limbs %r9, %r8
.irp n, 0,1,2,3,4,5,6,7,8
    _step \n, P, sqr, 0, 0, , , %r9, %r8
.endr
    RETURN
END_FUNC(lc_p384_square_\symbol)
    _product_function 13, p384_two_products_\symbol, two
/* V5 = one of the 64 words at TABLE, which goes on to the next ones */
INNER_FUNC(lc_p384_word_\symbol)
    _one_of_32 0, V5
    _one_of_32 256, V7
    vpxor V5, V7, V7
    vpand BIT5, V7, V7
    vpxor V7, V5, V5
    add $512, TABLE
    RETURN
END_FUNC(lc_p384_word_\symbol)
.endm
/* ---- Sums, in the columns 8 to 15 of a stream, limb by limb ---- */

.macro _each s, insn:vararg
    _each_limb \s\()8, 0, \insn
    _each_limb \s\()9, 1, \insn
    _each_limb \s\()10, 2, \insn
    _each_limb \s\()11, 3, \insn
    _each_limb \s\()12, 4, \insn
    _each_limb \s\()13, 5, \insn
    _each_limb \s\()14, 6, \insn
    _each_limb \s\()15, 7, \insn
.endm
.macro _each_limb r, i, insn, args:vararg
    \insn \r, \i, \args
.endm
.macro _load_limb r, i, offset, base=W
    _load_vector ((\offset)+\i*VL), \base, \r
.endm
.macro _store_limb r, i, offset, base=W
    _store_vector \r, ((\offset)+\i*VL), \base
.endm
.macro _add_limb r, i, offset
    vpaddq (\offset) + \i*VL(W), \r, \r
.endm
.macro _sub_limb r, i, offset, base=W
    vpsubq (\offset) + \i*VL(\base), \r, \r
.endm
.macro _shift_limb r, i, n
    vpsllq $\n, \r, \r
.endm
/* -r, where tmp is 0 */
.macro _negate_limb r, i, tmp
    vpsubq \r, \tmp, \r
.endm
.macro _triple_limb r, i, tmp
    vpaddq \r, \r, \tmp
    vpaddq \tmp, \r, \r
.endm
.macro _sub_8_limb r, i, offset, tmp
.if CODE == EVEX
    vpsllq $3, (\offset) + \i*VL(W), \tmp
.else
    vmovdqa (\offset) + \i*VL(W), \tmp
    vpsllq $3, \tmp, \tmp
.endif
    vpsubq \tmp, \r, \r
.endm
/* at `offset`: what is there, less r, less twice what is at `twice` */
.macro _difference_limb r, i, offset, twice, tmp
    _load_vector ((\offset)+\i*VL), W, \tmp
    vpsubq \r, \tmp, \tmp
    vpsubq (\twice) + \i*VL(W), \tmp, \tmp
    vpsubq (\twice) + \i*VL(W), \tmp, \tmp
    _store_vector \tmp, ((\offset)+\i*VL), W
.endm
.macro _sign_limb r, i, sign
    _logic vpxor, \sign, \r, \r
    vpsubq \sign, \r, \r
.endm
.macro _load s, offset, base=W
    _each \s, _load_limb, \offset, \base
.endm
.macro _store s, offset, base=W
    _each \s, _store_limb, \offset, \base
.endm
.macro _add_fe s, offset
    _each \s, _add_limb, \offset
.endm
.macro _sub_fe s, offset, base=W
    _each \s, _sub_limb, \offset, \base
.endm
.macro _shift s, n
    _each \s, _shift_limb, \n
.endm
.macro _negate s
    _zero \s\()TMP
    _each \s, _negate_limb, \s\()TMP
.endm
.macro _triple s
    _each \s, _triple_limb, \s\()TMP
.endm
.macro _sub_8_fe s, offset
    _each \s, _sub_8_limb, \offset, \s\()TMP
.endm
/* += n p */
.macro _add_p s, n
    _add_limb_of_p \s\()8, \n, 0
    _add_limb_of_p \s\()9, \n, 1
    _add_limb_of_p \s\()10, \n, 2
    _add_limb_of_p \s\()15, \n, 3
.if CODE == VEX
.irp k, 11,12,13,14
    _add_limb_of_p \s\k, \n, 4
.endr
.endif
.endm
.macro _add_limb_of_p r, n, i
.if CODE == VEX
    vpaddq .Lvex_p_times_\n + 32*\i(%rip), \r, \r
.elseif VL == 64
    vpaddq .Lp_times_\n + 8*\i(%rip){1to8}, \r, \r
.else
    vpaddq .Lp_times_\n + 8*\i(%rip){1to4}, \r, \r
.endif
.endm

/* The limbs, of up to 63 bits and a sign, to 52 bits; the number is 0 .. 2^416 - 1. */
.macro _carry s
    _carry_limb \s, 8, 9
    _carry_limb \s, 9, 10
    _carry_limb \s, 10, 11
    _carry_limb \s, 11, 12
    _carry_limb \s, 12, 13
    _carry_limb \s, 13, 14
    _carry_limb \s, 14, 15
.endm
.macro _carry_limb s, from, to
    _carry_of \s\from, \s\()TMP
    _with_mask vpand, \s\from, \s\from
    vpaddq \s\()TMP, \s\to, \s\to
.endm
/* Q to where CARRIED points, by a function of the implementation, the one that is next above */
.macro _carry_to offset, base=W
    lea \offset(\base), CARRIED
    call 31b
.endm
.macro _carry_function name
INNER_FUNC(lc_\name\()_carry)
31:
    _carry Q
    _store Q, 0, CARRIED
    RETURN
END_FUNC(lc_\name\()_carry)
.endm

/* ---- Selection, all of the table being read ---- */

#include "select_lanes.h"

/* The sign is the next addition's. */
.macro _take_sign tmp
    _load_vector NEGATIVE, W, \tmp
    _store_vector \tmp, SIGN, W
.endm

/* ---- Affine additions, by functions of the implementation, the ones that are next above ---- */

/* Q = b - a + 64p, of the coordinate at `offset` from registers that point to points */
.macro _difference offset, a, b
    lea \offset(\a), %r11
    lea \offset(\b), %rax
    call 36b
    call 37b
.endm
/* Q = l^2 -> x, to a.x; and a.x - x, the factor at `to` */
.macro _tree_x a, b, to
    mov \a, %r11
    mov \b, %rax
    lea \to(W), CARRIED
    call 37b
    call 37b
    xchg %rax, %r11
    call 37b
    call 38b
    call 31b
    call 39b
    call 38b
    call 31b
.endm
/* Q = l (a.x - x) -> y, to a.y */
.macro _tree_y a
    lea FE(\a), %r11
    call 37b
    call 38b
    _carry_to FE, \a
.endm
.macro _tree_functions name
INNER_FUNC(lc_\name\()_load)
36:
    _load Q, 0, %rax
    RETURN
END_FUNC(lc_\name\()_load)
INNER_FUNC(lc_\name\()_subtract)
37:
    _sub_fe Q, 0, %r11
    _add_p Q, 64
    RETURN
END_FUNC(lc_\name\()_subtract)
INNER_FUNC(lc_\name\()_add_64p)
38:
    _add_p Q, 64
    RETURN
END_FUNC(lc_\name\()_add_64p)
INNER_FUNC(lc_\name\()_subtract_from)
39:
    _each Q, _subtract_from_limb, %rax, QTMP
    RETURN
END_FUNC(lc_\name\()_subtract_from)
.endm
/* r goes to where `base` points, and is what was there less r. */
.macro _subtract_from_limb r, i, base, tmp
    _load_vector (\i*VL), \base, \tmp
    _store_vector \r, (\i*VL), \base
    vpsubq \r, \tmp, \r
.endm

/* ---- The functions ---- */

.macro _implementation symbol, vl, code
.set VL, \vl
.set CODE, \code
_set_registers
_begin_code lc_p384_\symbol

.if CODE == EVEX
_stream_functions p384_\symbol
.else
_inner_functions \symbol
.endif
_carry_function p384_\symbol
_tree_functions p384_\symbol

/*
 * void lc_p384_mul_<impl>(void *r, const void *a, const void *b)
 *
 * r = a * b / 2^416 mod p in all lanes, below (A B / 2^32 + 1) p if a < A p and b < B p.  r may be a or b.  Aligned to VL.
 * Clobbers vector registers 0..30, rax, and r8..r11; in VEX coding this and all other functions, but `clear`, may clobber all 16,
 * rax, rcx and r8 to r11.
 */
FUNC(lc_p384_mul_\symbol)
    _load_constants
    _begin mul, 0, 0, %rsi, %rdx
    _end mul, 0, 0, , , %rsi, %rdx
    _carry_to 0, %rdi
    vzeroupper
    RETURN
END_FUNC(lc_p384_mul_\symbol)

/*
 * void lc_p384_sqr_<impl>(void *r), two numbers of memory
 *
 * r[0] = r[0]^2 / 2^416 mod p, as above; r[0] is below 2^415.  Clobbers r[1], too.
 */
FUNC(lc_p384_sqr_\symbol)
    _load_constants
    _begin sqr, 0, FE
    _next sqr, 0, FE, mul, 0, 0 /* (no formula ends with a square) */
    _carry_to 0
    vzeroupper
    RETURN
END_FUNC(lc_p384_sqr_\symbol)

/*
 * void lc_p384_double_<impl>(void *w, size_t times)
 *
 * (X : Y : Z) = 2^times (X : Y : Z), times > 0, in Jacobian coordinates, x = X / Z^2, y = Y / Z^3:
 *
 *      alpha = 3 (X - Z^2)(X + Z^2),   gamma = Y^2,   beta = X gamma
 *      X' = alpha^2 - 8 beta,   Y' = alpha (4 beta - X') - 8 gamma^2,   Z' = 2 Y Z
 *
 * No exceptions: infinity, Z = 0, stays infinity, and no point of the curve has Y = 0.
 *
 * Bounds, in p, before: X 90, Y 70, Z 2.1.  Products: 1.0001.  X - Z^2 + 2p and X + Z^2: 92.  alpha: 3.01.
 * X' = alpha^2 - 8 beta + 12p: 13.1, not negative as 8 beta < 8.01.  4 beta - X' + 16p = 12 beta - alpha^2 + 4p: 16.1, not negative
 * as alpha^2 < 1.01.  -8 gamma + 12p: 12.  After: X 13.1, Y 1.0001, Z 2.1.
 *
 * Clobbers all vector registers but the last, rax, rcx, rdx, rsi, r8..r11, T0..T3, TP and TQ.
 */
FUNC(lc_p384_double_\symbol)
    _load_constants
.p2align 5
.Ldouble_\symbol:
    _begin sqr, PZ, TP
    _next sqr, PZ, TP, sqr, PY, TQ
    _store Q, T0                /* Z^2, not carried */
    _load Q, PX
    _sub_fe Q, T0
    _add_p Q, 2
    _carry_to T2
    _load Q, PX
    _add_fe Q, T0
    _carry_to T3
    _next sqr, PY, TQ, mul, T2, T3
    _carry_to T1                /* gamma */
    _next mul, T2, T3, mul, T1, PX
    _triple Q
    _carry_to T2                /* alpha */
    _next mul, T1, PX, sqr, T2, TP
    _carry_to T3                /* beta */
    _next sqr, T2, TP, mul, PY, PZ
    _store Q, TP                /* alpha^2, not carried */
    _sub_8_fe Q, T3
    _add_p Q, 12
    _carry_to PX
    _load Q, T3
    _triple Q
    _shift Q, 2
    _sub_fe Q, TP
    _add_p Q, 4
    _carry_to T0                /* 4 beta - X' */
    _load Q, T1
    _shift Q, 3
    _negate Q
    _add_p Q, 12
    _carry_to T3                /* -8 gamma */
    _next mul, PY, PZ, two, T0, T2, T3, T1
    _shift Q, 1
    _carry_to PZ
    _end two, T0, T2, T3, T1
    _carry_to PY
    dec %rsi
    jnz .Ldouble_\symbol
    vzeroupper
    RETURN
END_FUNC(lc_p384_double_\symbol)

/*
 * void lc_p384_add_<impl>(void *w)
 *
 * (X : Y : Z) += (x, y) in all lanes, where the point (x, y) is the entry, its y negated in lanes where `sign` is -1, not 0:
 *
 *      H = x Z^2 - X,   R = y Z^3 - Y,   V = X H^2
 *      X' = R^2 - H^3 - 2 V,   Y' = R (V - X') - Y H^3,   Z' = Z H
 *
 * where y Z^3 is (y Z) Z^2, so that its first product needn't wait for Z^2.
 *
 * Exceptions: if the points are equal or opposite, H is 0, so Z' is 0, and remains 0 in whatever is done afterwards.
 * The first should be a doubling, the second infinity.  Infinity plus the entry gives Z' = 0, too.
 *
 * Bounds, in p, before: X 13.1, Y 2, Z 2.1, x and y 90.  Products: 1.0001.  H, with 16p: 17.1.  R, with 4p, y Z^3 of either sign:
 * 5.1, not negative as 1.0001 + 2 < 4.  X', with 4p: 5.1, not negative as 3.01 < 4.  V - X' + 16p: 17.1.  -Y + 4p: 4.
 * After: X 5.1, Y and Z 1.0001.
 *
 * Clobbers all vector registers but the last, rax, rcx, rdx, r8..r11, T0..T3, TP and TQ.
 */
FUNC(lc_p384_add_\symbol)
    _load_constants
    _begin sqr, PZ, TP
    _next sqr, PZ, TP, mul, EY, PZ
    _carry_to T0                /* Z^2 */
    _next mul, EY, PZ, mul, T0, EX
    _carry_to T1                /* y Z */
    _next mul, T0, EX, mul, T1, T0
    _sub_fe Q, PX
    _add_p Q, 16
    _carry_to T2                /* H */
    _next mul, T1, T0, sqr, T2, TP
    _load_vector SIGN, W, QTMP
    _each Q, _sign_limb, QTMP
    _sub_fe Q, PY
    _add_p Q, 4
    _carry_to T3                /* R */
    _next sqr, T2, TP, sqr, T3, TQ
    _carry_to T0                /* H^2 */
    _next sqr, T3, TQ, mul, T0, PX
    _store Q, TQ                /* R^2, not carried */
    _next mul, T0, PX, mul, T0, T2
    _carry_to T1                /* V */
    _next mul, T0, T2, mul, T2, PZ
    _each Q, _difference_limb, TQ, T1, QTMP /* R^2 - H^3 - 2 V, not carried */
    _carry_to T0                /* H^3 */
    _load Q, TQ
    _add_p Q, 4
    _carry_to PX
    _load Q, T1
    _sub_fe Q, TQ
    _add_p Q, 12
    _carry_to T1                /* V - X' */
    _load Q, PY
    _negate Q
    _add_p Q, 4
    _carry_to PY                /* -Y */
    _next mul, T2, PZ, two, T1, T3, PY, T0
    _carry_to PZ
    _end two, T1, T3, PY, T0
    _carry_to PY
    vzeroupper
    RETURN
END_FUNC(lc_p384_add_\symbol)

/*
 * void lc_p384_point_<impl>(void *w)
 *
 * The entry = that with y negated where `negative` is -1, not 0, and each coordinate with 64p, as a pool has them.  Before, both
 * are below p, as select_base leaves them.  With EVEX coding nothing is carried: limbs may have either sign.
 * Clobbers rax and vector registers 10 to 22.
 */
FUNC(lc_p384_point_\symbol)
    lea EX(W), %rax
    call 36b
    call 38b
.if CODE == EVEX
.irp limb, "Q8, 0", "Q9, 1", "Q10, 2", "Q15, 7" /* in the others p has 0. */
    _store_limb \limb, EX
.endr
.else
    _carry_to EX
.endif
    lea EY(W), %rax
    call 36b
    _load_vector NEGATIVE, W, PTMP
    _each Q, _sign_limb, PTMP
    call 38b
.if CODE == EVEX
    _store Q, EY
.else
    _carry_to EY
.endif
    vzeroupper
    RETURN
END_FUNC(lc_p384_point_\symbol)

/*
 * void lc_p384_tree_products_<impl>(void *products, const void *a, void *b, size_t half)
 *
 * The first part of 2 half affine additions a[k] + b[k], half > 0: b[k].x becomes the difference d[k] = b[k].x - a[k].x, and
 *
 *      products[k + 1] = d[0] d[1] .. d[k]     and the same of the second half, from products[half + 2] on,
 *
 * where products[0] and products[half + 1] are 1.
 *
 * Bounds, in p, after up to five rounds of additions, the last of these being what the sums of the fifth have.  All coordinates
 * have 64p; without these, an entry's x is 0 .. 1, and l^2 - a.x - b.x makes of that
 *
 *      -2 .. 1.1,   -2.1 .. 5.1,   -10.2 .. 5.2,   -10.3 .. 21.4,   -42.7 .. 21.7
 *
 * y is -1 .. 1 there, and l (a.x - x) - a.y makes -1 .. 2.1, -2.1 .. 2.1, -2.1 .. 3.2, -3.2 .. 3.2 and -3.2 .. 4.3 of it.  So with
 * 64p nothing is negative.  d, with 64p: 64 +- 31.7, of numbers of up to four rounds.  Products 1.0001.
 *
 * Clobbers rax, rcx, rdx, rsi, rdi, r8..r11, and all vector registers but the last.
 */
FUNC(lc_p384_tree_products_\symbol)
    _load_constants
    push %rbx
    push %rbp
    push %r12
.if CODE == EVEX
    imul $FE, %rcx, %rax
    lea (%rsi,%rax,2), %rbx     /* a, b and products of the second half */
    lea (%rdx,%rax,2), %rbp
    lea FE(%rdi,%rax), %r12
.p2align 5
.Ltree_products_\symbol:
    _difference 0, %rsi, %rdx
    _carry_to 0, %rdx
    _begin mul, 0, 0, %rdi, %rdx
    _difference 0, %rbx, %rbp
    _carry_to 0, %rbp
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
.else
    mov %rcx, %rbp
    mov $2, %r12d
.Ltree_chain_\symbol:
    mov %rbp, %rbx
.p2align 5
.Ltree_products_\symbol:
    _difference 0, %rsi, %rdx
    _carry_to 0, %rdx
    _whole mul, 0, 0, , , %rdi, %rdx
    _carry_to FE, %rdi
    add $2*FE, %rsi
    add $2*FE, %rdx
    add $FE, %rdi
    dec %rbx
    jnz .Ltree_products_\symbol
    add $FE, %rdi
    dec %r12d
    jnz .Ltree_chain_\symbol
.endif
    pop %r12
    pop %rbp
    pop %rbx
    vzeroupper
    RETURN
END_FUNC(lc_p384_tree_products_\symbol)

/*
 * void lc_p384_tree_sums_<impl>(void *w, void *a, void *b, void *products, size_t half)
 *
 * The second part: a[k] += b[k], from d and products as above.  w->x and w->y are the inverses of the last products of either half.
 * From the last one to the first, u being the inverse of products[k + 1] and d standing in b[k].x:
 *
 *      1 / d[k] = u products[k],   u = u d[k]
 *      l = (b.y - a.y) / d,   x = l^2 - 2 a.x - d,   y = l (a.x - x) - a.y
 *
 * Bounds, in p: as above.  b.y - a.y, with 64p: 64 +- 6.4.  x: a.x, twice, and d have 64p each, so these are added four times, and
 * x has them once.  a.x - x, with 64p: 32 .. 128.1.  -a.y: 64p are added twice, as a.y has them.
 *
 * b and products, which are secret and of no more use, have zeros then: written here, since they are in the first cache now.
 *
 * Clobbers rax, rcx, rdx, rsi, r8..r11, all vector registers but the last, and w->x, w->y, T0..T3, TP and TQ.
 */
FUNC(lc_p384_tree_sums_\symbol)
    _load_constants
    push %rbx
    push %rbp
    push %r12
    push %r13
.if CODE == EVEX
    mov %rcx, %r13
    mov %r8, %rcx
    imul $FE, %rcx, %rax
    lea (%rsi,%rax,2), %rsi     /* after the first half, and after the second one */
    lea (%rdx,%rax,2), %rdx
    lea (%rsi,%rax,2), %rbx
    lea (%rdx,%rax,2), %rbp
    add %rax, %r13
    lea FE(%r13,%rax), %r12
.Ltree_sums_\symbol:
.irp r, %rsi, %rbx, %rdx, %rbp
    sub $2*FE, \r
.endr
    sub $FE, %r13
    sub $FE, %r12
    _begin mul, PX, 0, W, %r13
    _difference FE, %rsi, %rdx
    _carry_to T2
    _difference FE, %rbx, %rbp
    _carry_to T3
    _next mul, , , mul, PY, 0, , , W, %r12
    _carry_to T0                /* 1 / d */
    _next mul, , , mul, PX, 0, , , W, %rdx
    _carry_to T1
    _next mul, , , mul, PY, 0, , , W, %rbp
    _carry_to PX                /* u */
    _next mul, , , mul, T2, T0
    _carry_to PY
    _next mul, , , mul, T3, T1
    _carry_to T2                /* l */
    _next mul, , , sqr, T2, TP
    _carry_to T3
    _next sqr, , , sqr, T3, TQ
    _tree_x %rsi, %rdx, T0
    _next sqr, , , mul, T2, T0
    _tree_x %rbx, %rbp, T1
    _next mul, , , mul, T3, T1
    _tree_y %rsi
    _end mul
    _tree_y %rbx
    /* With products[k] those of k + 1, of which the turn before this one was the last to need any. */
    _clear_points FE, %rax, %eax, %rdx, %rbp, %r13, %r12
    dec %rcx
    jnz .Ltree_sums_\symbol
.else
    mov %r8, %rbp
    imul $2*FE, %r8, %rax
    lea (%rsi,%rax,2), %rsi
    lea (%rdx,%rax,2), %rdx
    lea FE(%rcx,%rax), %r12
    lea PY(W), %r13
.Ltree_half_\symbol:
    mov %rbp, %rbx
.Ltree_sums_\symbol:
    sub $2*FE, %rsi
    sub $2*FE, %rdx
    sub $FE, %r12
    _whole mul, 0, 0, , , %r13, %r12
    _carry_to T0                /* 1 / d */
    _whole mul, 0, 0, , , %r13, %rdx
    _carry_to 0, %r13           /* u */
    _difference FE, %rsi, %rdx
    _carry_to T2
    _whole mul, T2, T0, , , W, W
    _carry_to T2                /* l */
    _whole sqr, T2, TP, , , W, W
    _tree_x %rsi, %rdx, T0
    _whole mul, T2, T0, , , W, W
    _tree_y %rsi
    _clear_points FE, %rax, %eax, %rdx, %r12
    dec %rbx
    jnz .Ltree_sums_\symbol
    sub $FE, %r12
    sub $FE, %r13               /* PX, for the first half */
    cmp W, %r13
    jae .Ltree_half_\symbol
.endif
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    vzeroupper
    RETURN
END_FUNC(lc_p384_tree_sums_\symbol)

/*
 * void lc_p384_select_<impl>(void *w, const void *table)
 *
 * The entry = table[index] in each lane, index < 8, and the sign is `negative`.  Each lane has its own table, aligned to VL.
 * Clobbers rax, ecx, rsi and vector registers 0..7.
 */
FUNC(lc_p384_select_\symbol)
    _take_sign V0
    _take_entry 16, p384_\symbol
    vzeroupper
    RETURN
END_FUNC(lc_p384_select_\symbol)

/*
 * void lc_p384_select_base_<impl>(void *w, const void *table)
 *
 * The same with table[..][index], index < 64: one table for all lanes, six 64-bit words of x and six of y, and of each
 * word all 64 next to each other.  vpermt2q takes one of two vectors' elements for each lane, and of four such results, each of 16
 * elements, two bits of the index choose; of eight, each of 8 elements, three bits do.  Words take a quarter less memory than
 * limbs; they are cut here.
 * Clobbers rax, rcx, rsi and vector registers 0..17.
 */
FUNC(lc_p384_select_base_\symbol)
.if CODE == EVEX
    .set INDEXES, V10
    .set BIT3, V13
    .set BIT4, V11
    .set BIT5, V17
    .set MASK52, V12
    _take_sign V10
    vmovdqa64 INDEX(W), V10
.if VL < 64
    _mask_of_bit 3, V10, BIT3
.endif
    _mask_of_bit 4, V10, BIT4
    _mask_of_bit 5, V10, BIT5
    vpbroadcastq .Lmask52(%rip), MASK52
    lea EX(W), %rax
    mov $2, %ecx                /* x, y */
.p2align 5
.Lselect_base_\symbol:
    _select_words
.else
    _take_sign V0
    _set_chosen_of_4 INDEX(W)
    vmovdqa INDEX(W), V5
    vpsllq $58, V5, V5
    vpxor BIT5, BIT5, BIT5
    vpcmpgtq V5, BIT5, BIT5
    lea EX(W), %rax
    mov $2, %ecx
.p2align 5
.Lselect_base_\symbol:
    _select_words_by_masks \symbol
.endif
    add $FE, %rax
    dec %ecx
    jnz .Lselect_base_\symbol
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
.if CODE == EVEX
.irp i, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vpxord %xmm\i, %xmm\i, %xmm\i
.endr
.endif
    RETURN
END_FUNC(lc_p384_clear_\symbol)

_end_code lc_p384_\symbol
.endm

/* The words at TABLE, which goes on, to V0..V5, and as limbs to the number at rax */
.macro _select_words
.irp i, 0,1,2,3,4,5
    _one_of_16 \i*512, V\i, V9
    _one_of_16 \i*512 + 128, V6, V14
    _one_of_16 \i*512 + 256, V7, V15
    _one_of_16 \i*512 + 384, V8, V16
    _choose V6, BIT4, V\i
    _choose V8, BIT4, V7
    _choose V7, BIT5, V\i
.endr
    add $6*512, TABLE
    vpandq MASK52, V0, V6
    vmovdqa64 V6, (%rax)
    _limb_of_two 0, 52, 1, 12, VL
    _limb_of_two 1, 40, 2, 24, 2*VL
    _limb_of_two 2, 28, 3, 36, 3*VL
    _limb_of_two 3, 16, 4, 48, 4*VL
    vpsrlq $4, V4, V6
    vpandq MASK52, V6, V6
    vmovdqa64 V6, 5*VL(%rax)
    _limb_of_two 4, 56, 5, 8, 6*VL
    vpsrlq $44, V5, V6
    vmovdqa64 V6, 7*VL(%rax)
.endm
/* (word `low` >> right | word `high` << left), its lower 52 bits */
.macro _limb_of_two low, right, high, left, to
    vpsrlq $\right, V\low, V6
    vpsllq $\left, V\high, V7
    vpternlogq $0xa8, MASK52, V7, V6
    vmovdqa64 V6, \to(%rax)
.endm

/* The same in VEX coding, for the words at TABLE, which goes on; a word is in V5, and the one below it in V6. */
.macro _select_words_by_masks symbol
    call lc_p384_word_\symbol
    vpand .Lvex_mask52(%rip), V5, V8
    _store_vector V8, 0, %rax
    _limb_of_next \symbol, 52, 12, VL
    _limb_of_next \symbol, 40, 24, 2*VL
    _limb_of_next \symbol, 28, 36, 3*VL
    _limb_of_next \symbol, 16, 48, 4*VL
    vpsrlq $4, V5, V8
    vpand .Lvex_mask52(%rip), V8, V8
    _store_vector V8, 5*VL, %rax
    _limb_of_next \symbol, 56, 8, 6*VL
    vpsrlq $44, V5, V8
    _store_vector V8, 7*VL, %rax
.endm
.macro _limb_of_next symbol, right, left, to
    vmovdqa V5, V6
    call lc_p384_word_\symbol
    vpsrlq $\right, V6, V8
    vpsllq $\left, V5, V9
    vpor V9, V8, V8
    vpand .Lvex_mask52(%rip), V8, V8
    _store_vector V8, \to, %rax
.endm

_implementation avx512ifma_512, 64, EVEX
_implementation avx512ifma_256, 32, EVEX
_implementation avxifma, 32, VEX

.section .note.GNU-stack, "", @progbits

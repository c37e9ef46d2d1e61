/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ladder of X25519 in eight lanes once more, with limbs of 52 bits: for CPUs that do few vector instructions a cycle, but as
 * many multiplications as others.  Those are Intel's servers, with two ports for vectors of 512 bits.
 *
 * x86/curve25519.S has limbs of 51 bits.  A step takes 851 instructions there that need a port, 392 of them multiplications; here
 * it's 731, with 473.  But more of them wait for each other.  docs/publickey.md has what that takes.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * x = sum of limb_i * 2^(52 i), five limbs.  Two kinds:
 *
 *      tight   what is multiplied.  The instructions read the lower 52 bits of a limb only, so what is above is left there, and
 *              doesn't count.  Limb 4 is below 2^47 + 2^11.
 *      loose   limbs below 2^62, of which all bits count: what comes out of a multiplication, and sums of that
 *
 * A carry makes a number tight.  What limb 4 has from 2^255 on, q, is first: limb 4 is cut, and 19 q added to limb 0.  Then each
 * limb's bits above 52 are added to the next one, without a mask.  q is below 2^15 and the last carry below 2^10, so limb 4 is as
 * small as said.
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * Limbs i and j have the lower half of their product in column i + j, and the upper half in the next one.  Columns 5 to 9 are
 * carried, again without masks, and as 2^260 = 608 (mod p), column c + 5 times 608 is added to column c and its upper half to
 * column c + 1: nine multiplications, as column 9 times 608 has no upper half.  Columns c and c + 5 have ten products of halves,
 * whatever c is: five chains of the same length, which take turns, as in x86/curve25519.S.
 *
 * In a square, products of different limbs are there once, and columns 1 to 6 are doubled before other products are added.  Those
 * with limb 4 have it doubled instead, which has room for that.
 *
 * -- Bounds ---------------------------------------------------------------------------------------------------------------------
 *
 * In units of 2^52, a half of a product is below 1, and column 4 has the most of columns 0 to 4, 9.  The lower half of 608 times
 * the column above adds 1, the upper half of the one before less than 608: so limbs are at most 10 less 10, plus 607.  In columns 5
 * to 9 nothing is above 8.
 *
 * Column 9 is the upper half of limb 4's square, below 2^42 + 2^8, and a carry below 8.  608 times that is below 2^52.
 *
 * What others are subtracted from has a bias, 352 p, where columns 0 to 4 begin, limb by limb: 352 (2^52 - 1), but for the lowest
 * limb, and 352 (2^47 - 1), which is 11 units less 352: more than any limb without a bias.  In a square that is doubled but for
 * column 0, so that begins with twice as much.  So the largest limb is 704 + 10, the largest sum 724 units, below 2^62 = 1024.
 */
#include "ifma.h"

.section .rodata.lc_25519_radix52, "a", @progbits
.p2align 3
.Lmask47: .quad (1 << 47) - 1
.Lmask51: .quad (1 << 51) - 1
.Lnineteen: .quad 19
.Lfold: .quad 608               /* 2^260 mod p */
.La24: .quad 121665             /* (486662 - 2) / 4 */
.Ltop_bit: .quad 1 << 63
/* Limbs of 352 p: the lowest, and twice that; limbs 1 to 3; limb 4 */
.Lbias_0: .quad 352 * ((1 << 52) - 19)
.Lbias_0_twice: .quad 704 * ((1 << 52) - 19)
.Lbias: .quad 352 * ((1 << 52) - 1)
.Lbias_4: .quad 352 * ((1 << 47) - 1)

.text

.set VL, 64
.set CODE, EVEX
/* What is worked on, in numbers (x86/curve25519.h) */
#define FE (5 * VL)
#define X1 0
#define X2 FE
#define Z2 (2 * FE)
#define X3 (3 * FE)
#define Z3 (4 * FE)
#define TA (5 * FE)
#define TB (6 * FE)
#define TC (7 * FE)
#define TD (8 * FE)
#define TE (9 * FE)
#define TF (10 * FE)
#define TG (11 * FE)
#define TH (12 * FE)
#define BITS (13 * FE)
#define W %rdi

/*
 * Two products or squares are calculated at a time.  P* and Q* are their columns 5 to 9, R* and S* columns 0 to 4 and the results;
 * B* and D* are the factors that are in registers.  FACTOR is a limb of another one, or 608, and else 19.
 */
.macro _names name, n0, n1, n2, n3, n4
    _name \name\()0, \n0
    _name \name\()1, \n1
    _name \name\()2, \n2
    _name \name\()3, \n3
    _name \name\()4, \n4
.endm
_set_vectors
_names P, 0, 1, 2, 3, 4
_names R, 5, 6, 7, 8, 9
_names Q, 10, 11, 12, 13, 14
_names S, 15, 16, 17, 18, 19
_names B, 20, 21, 22, 23, 24
_names D, 25, 26, 27, 28, 29
_name TMP, 30
_name FACTOR, 31

.macro _all constant, d
    vpbroadcastq \constant(%rip), \d
.endm
.macro _load_fe name, offset
.irp i, 0,1,2,3,4
    _load_vector ((\offset)+\i*VL), W, \name\i
.endr
.endm
.macro _store_fe name, offset
.irp i, 0,1,2,3,4
    _store_vector \name\i, ((\offset)+\i*VL), W
.endr
.endm

.macro _copy a, b
.irp i, 0,1,2,3,4
    _mov \a\i, \b\i
.endr
.endm

/*
 * Turn \s of chain \c of a * b: 5 - c upper halves and 4 - c lower ones for column c + 5, then c upper and c + 1 lower ones for c.
 * Limb SHARED of a, which is in memory, is loaded once for nearly all chains.
 */
.macro _product_turn s, c, a, b, high, low
.if \s < 5-\c
    _product_of_limb hu, SHARED, \c+4, \a, \b, \high\c
.elseif \s < 9-2*\c && \s < 5
    _product_of_limb lu, \s+2*\c-4, \c+5, \a, \b, \high\c
.elseif \s < 9-2*\c
    _product_of_limb lu, SHARED, \c+5, \a, \b, \high\c
.elseif \s < 9-\c && \s < 5
    _product_of_limb hu, SHARED, \c-1, \a, \b, \low\c
.elseif \s < 9-\c
    _product_of_limb hu, \s+2*\c-9, \c-1, \a, \b, \low\c
.else
    _product_of_limb lu, SHARED, \c, \a, \b, \low\c
.endif
.endm
/* d += limb i of a times limb sum - i of b */
.macro _product_of_limb which, i, sum, a, b, d
.irp j, 0,1,2,3,4
.if (\sum) - (\i) == \j
.if (\i) == SHARED
    _madd \which, FACTOR, \b\j, \d
.else
    vpmadd52\which\()q (\i)*VL(\a), \b\j, \d
.endif
.endif
.endr
.endm
.macro _product_turns s, a, b, high, low
.if \s < 5
.set SHARED, 4-\s
.else
.set SHARED, 9-\s
.endif
    _mov SHARED*VL(\a), FACTOR
.irp c, 0,1,2,3,4
    _product_turn \s, \c, \a, \b, \high, \low
.endr
.endm

/* Turn \s of a^2, of six.  twice: limb 4, doubled */
.macro _square_turns s, a, high, low, twice
.if \s == 0
    vpaddq \a\()4, \a\()4, \twice
    _madd hu, \a\()1, \a\()3, \high\()0
    _madd hu, \a\()1, \a\()2, \low\()4
    _madd hu, \a\()2, \a\()3, \high\()1
    _madd lu, \a\()1, \a\()2, \low\()3
    _madd hu, \a\()0, \a\()1, \low\()2
.elseif \s == 1
    _madd lu, \a\()2, \a\()3, \high\()0
    _madd hu, \a\()0, \a\()3, \low\()4
    vpaddq \high\()1, \high\()1, \high\()1
    _madd lu, \a\()4, \a\()4, \high\()3
    _madd hu, \a\()4, \a\()4, \high\()4
    _madd hu, \a\()0, \a\()2, \low\()3
.elseif \s == 2
    _madd hu, \a\()1, \twice, \high\()1
    _madd lu, \a\()3, \twice, \high\()2
    vpaddq \high\()0, \high\()0, \high\()0
    _madd lu, \a\()1, \a\()3, \low\()4
    _madd lu, \a\()0, \a\()3, \low\()3
    _madd lu, \a\()0, \a\()2, \low\()2
.elseif \s == 3
    _madd hu, \a\()0, \twice, \high\()0
    _madd hu, \a\()2, \twice, \high\()2
    _madd hu, \a\()3, \twice, \high\()3
    _madd lu, \a\()2, \twice, \high\()1
    _madd lu, \a\()0, \a\()1, \low\()1
    vpaddq \low\()4, \low\()4, \low\()4
    vpaddq \low\()3, \low\()3, \low\()3
    vpaddq \low\()2, \low\()2, \low\()2
.elseif \s == 4
    _madd lu, \a\()1, \twice, \high\()0
    _madd hu, \a\()3, \a\()3, \high\()2
    _madd lu, \a\()3, \a\()3, \high\()1
    _madd lu, \a\()0, \twice, \low\()4
    _madd hu, \a\()1, \a\()1, \low\()3
    vpaddq \low\()1, \low\()1, \low\()1
.elseif \s == 5
    _madd hu, \a\()2, \a\()2, \high\()0
    _madd lu, \a\()2, \a\()2, \low\()4
    _madd lu, \a\()1, \a\()1, \low\()2
    _madd hu, \a\()0, \a\()0, \low\()1
    _madd lu, \a\()0, \a\()0, \low\()0
.endif
.endm

/* Columns 0 to 4 += 608 times the others: step \i.  FACTOR is 608, t is clobbered. */
.macro _fold i, high, low, t
.if \i > 0
.irp before, 0,1,2,3
.if \before == \i - 1
    vpsrlq $52, \high\before, \t
    vpaddq \t, \high\i, \high\i
.endif
.endr
.endif
    _madd lu, FACTOR, \high\i, \low\i
.irp next, 1,2,3,4
.if \next == \i + 1
    _madd hu, FACTOR, \high\i, \low\next
.endif
.endr
.endm
.macro _fold_one
    _all .Lfold, FACTOR
.irp i, 0,1,2,3,4
    _fold \i, P, R, B0
.endr
.endm
.macro _fold_both
    _all .Lfold, FACTOR
.irp i, 0,1,2,3,4
    _fold \i, P, R, B0
    _fold \i, Q, S, TMP
.endr
.endm

/* A number becomes tight: the first limb, then limb \i.  FACTOR is 19, TMP is clobbered. */
.macro _carry_begin a
    vpsrlq $47, \a\()4, TMP
    vpandq .Lmask47(%rip){1to8}, \a\()4, \a\()4
    _madd lu, FACTOR, TMP, \a\()0
.endm
.macro _carry_to i, a
.irp before, 0,1,2,3
.if \before == \i - 1
    vpsrlq $52, \a\before, TMP
    vpaddq TMP, \a\i, \a\i
.endif
.endr
.endm

_begin_code lc_25519_avx512ifma_512_radix52

/* All columns are 0, but those of R have a bias. */
INNER_FUNC(lc_25519_begin_radix52)
11:
    _all .Lbias_0, R0
    _all .Lbias, R1
    _mov R1, R2
    _mov R1, R3
    _all .Lbias_4, R4
.irp i, 0,1,2,3,4
    _zero P\i
    _zero Q\i
    _zero S\i
.endr
    RETURN
END_FUNC(lc_25519_begin_radix52)
/* Those with products leave 19 in FACTOR, for a carry.  R = a * B, S = a2 * D, of a at r8, a2 at r9 */
INNER_FUNC(lc_25519_two_products_radix52)
13:
.irp s, 0,1,2,3,4,5,6,7,8,9
    _product_turns \s, %r8, B, P, R
    _product_turns \s, %r9, D, Q, S
.endr
    _fold_both
    _all .Lnineteen, FACTOR
    RETURN
END_FUNC(lc_25519_two_products_radix52)
/* R = a * B, S = D^2 */
INNER_FUNC(lc_25519_product_and_square_radix52)
15:
.irp s, 0,1,2,3,4,5,6,7,8,9
    _product_turns \s, %r8, B, P, R
    _square_turns \s, D, Q, S, TMP
.endr
    _fold_both
    _all .Lnineteen, FACTOR
    RETURN
END_FUNC(lc_25519_product_and_square_radix52)
/* R = B^2, S = D^2 */
INNER_FUNC(lc_25519_two_squares_radix52)
14:
.irp s, 0,1,2,3,4,5
    _square_turns \s, B, P, R, FACTOR
    _square_turns \s, D, Q, S, TMP
.endr
    _fold_both
    RETURN
END_FUNC(lc_25519_two_squares_radix52)
/* R = B^2 */
INNER_FUNC(lc_25519_square_radix52)
12:
.irp s, 0,1,2,3,4,5
    _square_turns \s, B, P, R, FACTOR
.endr
    _fold_one
    RETURN
END_FUNC(lc_25519_square_radix52)
/* B = R + S, D = R - S, tight, of loose numbers; then B and D become tight by themselves */
INNER_FUNC(lc_25519_sum_and_difference_radix52)
16:
.irp i, 4,0,1,2,3
    vpaddq S\i, R\i, B\i
    vpsubq S\i, R\i, D\i
.endr
INNER_ENTRY(lc_25519_carry_two_radix52)
19:
    _carry_begin B
    _carry_begin D
.irp i, 1,2,3,4
    _carry_to \i, B
    _carry_to \i, D
.endr
    RETURN
END_FUNC(lc_25519_sum_and_difference_radix52)
END_FUNC(lc_25519_carry_two_radix52)
/* D, tight */
INNER_FUNC(lc_25519_carry_radix52)
18:
    _carry_begin D
.irp i, 1,2,3,4
    _carry_to \i, D
.endr
    RETURN
END_FUNC(lc_25519_carry_radix52)

.macro _sum_and_difference
    call 16b
.endm
.macro _sum_and_difference_of a, to
    _load_fe R, \a
    _load_fe S, \a+FE
    _sum_and_difference
    _store_fe B, \to
    _store_fe D, \to+FE
.endm
/* R has a bias, but of _two_unbiased. */
.macro _two_products a, a2
    lea \a(W), %r8
    lea \a2(W), %r9
    call 11b
    call 13b
.endm
.macro _two_unbiased a, a2
    lea \a(W), %r8
    lea \a2(W), %r9
    call 11b
.irp i, 0,1,2,3,4
    _zero R\i
.endr
    call 13b
.endm
.macro _product_and_square a
    lea \a(W), %r8
    call 11b
    call 15b
.endm
.macro _two_squares
    call 11b
    _all .Lbias_0_twice, R0
    call 14b
.endm
.macro _square
    call 11b
    _all .Lbias_0_twice, R0
    call 12b
.endm
/* P += 121665 d, of a tight d.  Clobbers Q1 and t.  Upper halves of column 5 are below 2^13. */
.macro _add_a24_times d, t
    _all .La24, Q1
    _zero \t
    _madd hu, Q1, \d\()4, \t
.irp i, 0,1,2,3,4
    _madd lu, Q1, \d\i, P\i
.endr
    _madd hu, Q1, \d\()0, P1
    _madd hu, Q1, \d\()1, P2
    _madd hu, Q1, \d\()2, P3
    _madd hu, Q1, \d\()3, P4
    vpmadd52luq .Lfold(%rip){1to8}, \t, P0
.endm

.macro _step
    vmovdqa64 (%rsi), P0
    vptestmq .Ltop_bit(%rip){1to8}, P0, %k1
    vpaddq P0, P0, P0
    vmovdqa64 P0, (%rsi)
    _sum_and_difference_of X3, TC
    _copy B, P
    _copy D, Q
    _sum_and_difference_of X2, TA
.irp i, 0,1,2,3,4
    vmovdqa64 P\i, B\i{%k1}
    vmovdqa64 Q\i, D\i{%k1}
.endr
    _two_squares
    _store_fe R, TF
    _store_fe S, TG
    _load_fe B, TA
    _load_fe D, TB
    _two_products TD, TC
    _load_fe P, TF
    _load_fe Q, TG
    _copy P, B
    _copy Q, D
    call 19b
    _store_fe B, TF
    _store_fe D, TG
.irp i, 0,1,2,3,4
    vpsubq Q\i, P\i, D\i
.endr
    call 18b
    _store_fe D, TE             /* E */
    _add_a24_times D, Q0
    _copy P, D
    call 18b
    _store_fe D, TH             /* A'^2 + 121665 E */
    _sum_and_difference
    _store_fe B, TC
    _load_fe B, TG
    _product_and_square TF
    _store_fe R, X2
    _copy S, D
    call 18b
    _load_fe B, TC
    _square
    _store_fe R, X3
    _load_fe B, TH
    _two_unbiased TE, X1
    _store_fe R, Z2
    _store_fe S, Z3
.endm

/* limb i of five of 52 bits = limbs i and next of five of 51 */
.macro _to_52 i, next, d
    vpsrlq $\i, B\i, \d
    vpsllq $63-\i, B\next, P0
    vpsrlq $12, P0, P0
    vporq P0, \d, \d
.endm
.macro _to_51 i, before
    vpsllq $\i, B\i, P\i
    vpandq FACTOR, P\i, P\i
    vpsllq $12, B\before, D0
    vpsrlq $64-\i, D0, D0
    vporq D0, P\i, P\i
.endm

/*
 * void lc_25519_ladder_avx512ifma_512_radix52(void *w)
 *
 * The same as lc_25519_ladder_avx512ifma_512 (x86/curve25519.S, which has the formulas), but x3 is made of x1 here.  Before it,
 * limbs of x1 have 51 bits, those of x2, z2 and z3 52, loose: 1, 0 and 1 are the same in both.  Afterwards x2 and z2 have 51 bits,
 * but for limb 4, which is below 2^51 + 2^15.
 *
 * Clobbers all vector registers, k1, rax, rcx, rsi, rdi, r8 and r9.
 */
FUNC(lc_25519_ladder_avx512ifma_512_radix52)
    _load_fe B, X1
    _to_52 0, 1, R0
    _to_52 1, 2, R1
    _to_52 2, 3, R2
    _to_52 3, 4, R3
    vpsrlq $4, B4, R4
    _store_fe R, X1
    vpaddq .Lbias_0(%rip){1to8}, R0, R0
.irp i, 1,2,3
    vpaddq .Lbias(%rip){1to8}, R\i, R\i
.endr
    vpaddq .Lbias_4(%rip){1to8}, R4, R4
    _store_fe R, X3
    _all .Lnineteen, FACTOR
    lea BITS + 3*VL(W), %rsi
    mov $63, %ecx
    mov $4, %eax
.p2align 5
.Lstep:
    _step
    dec %ecx
    jnz .Lstep
    mov $64, %ecx
    sub $VL, %rsi
    dec %eax
    jnz .Lstep
    lea X2(W), %rdi
    mov $2, %ecx
.Lto_51:
    _load_fe D, 0
    _all .Lnineteen, FACTOR
    call 18b
    _copy D, B
    _all .Lmask51, FACTOR
    vpandq FACTOR, B0, P0
    _to_51 1, 0
    _to_51 2, 1
    _to_51 3, 2
    vpsllq $4, B4, P4
    vpsllq $12, B3, D0
    vpsrlq $60, D0, D0
    vpaddq D0, P4, P4
    _store_fe P, 0
    add $FE, %rdi
    dec %ecx
    jnz .Lto_51
    vzeroupper
    RETURN
END_FUNC(lc_25519_ladder_avx512ifma_512_radix52)
_end_code lc_25519_avx512ifma_512_radix52

.section .note.GNU-stack, "", @progbits

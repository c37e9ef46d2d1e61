/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519 for x86-64 with AVX-512 IFMA, or AVX-IFMA: as many points at once as a vector has 64-bit lanes, each lane another one.
 *
 * What is done with points, and why it is right, is in x86/curve25519.c, which calls these functions.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * A number modulo p = 2^255 - 19 has five limbs, x = sum of limb_i * 2^(51 i), limb i of all lanes in one vector; five vectors, the
 * lowest first, are a number here.  Two kinds:
 *
 *      tight   limb 0 below 2^51 + 19 * 2^11, the others below 2^51 + 2^11: what is multiplied
 *      loose   limbs below 2^62: what comes out of a multiplication, and sums of that; _carry makes it tight
 *
 * The instructions multiply the lower 52 bits of two limbs and add the lower or the upper 52 bits of the product to 64 bits.
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * Limbs i and j give a product of 102 bits: its lower 52 bits belong to column i + j, and the upper ones, times 2, as columns are
 * 51 bits apart, to the next column.  So a column is its lower halves, and twice the sum of the upper ones.  As 2^255 = 19 (mod p),
 * column c + 5 goes to column c, times 19.  19 P = 2 (8 P + P) + P, and doubling is to be done anyway: so it costs a shift and two
 * additions.  In one accumulator, P, and then another, R:
 *
 *      P = upper halves of column c + 5;    P = 2 P + lower halves;
 *      R = 9 P + upper halves of column c;  R = 2 R + P + lower halves
 *
 * These are ten multiplications for each c, whatever it is: five chains of the same length, 50 multiplications in all.  Chains take
 * turns, and as a multiplication's result takes 4 cycles, a single product keeps the multiplier of Zen 4 busy, which takes one a
 * cycle.  Zen 5 has two, so two products that don't need each other take turns, too, 55 cycles for both.  For that, one factor of
 * each is in memory.  A limb of it is loaded for nearly all chains of a turn: Intel's Granite Rapids multiplies twice a cycle, but
 * only 1.4 times if each multiplication reads memory.  With 16 registers each does.  docs/publickey.md has what functions take, by
 * count and measured, and what lost.
 *
 * In a square, products of different limbs are there once and count twice: 30 multiplications, 6 for each chain, and another
 * doubling: column = 2 (2 (their upper halves) + their lower halves + a square's upper half) + a square's lower half.
 *
 * Radix 2^52 needs no doubling of upper halves, and no mask to carry, as only 52 bits are multiplied.  But 2^260 is 608 (mod p),
 * and 608 P has too many bits, so that it takes nine multiplications more.  x86/curve25519_radix52.S has a ladder with that.
 *
 * -- Bounds ---------------------------------------------------------------------------------------------------------------------
 *
 * In units of 2^52: lower halves are below 1, and upper halves of tight limbs' products below 1/4 and a bit.  So columns 5 to 9 are
 * below 6.5, 5, 3.5, 2 and 0.5, columns 0 to 4 below 1, 2.5, 4, 5.5 and 7 by themselves, and with 19 times the others below 124.5,
 * 97.5, 70.5, 43.5 and 16.5: a product's or a square's limbs are below 125.
 *
 * What others are subtracted from must not become negative.  That is a product with a bias, a multiple of p: P doesn't begin with
 * 0 but with the limbs of 8 p as they are, 8 (2^51 - 1) and 8 (2^51 - 19), so it's in the result 2 * 19 times: 304 p, limbs of 152
 * less a bit.  So the limbs of such a product are 151.9 to 277; those of such a square, where it's doubled twice, 303.9 to 429.  (A
 * bias costs nothing: it is copied instead of zero.)
 *
 * 2^62 is 1024 of these units.
 */
#include "ifma.h"

/* What the ladder works on, in numbers (x86/curve25519.h) */
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

/* What the rest works on */
#define PX 0
#define PY FE
#define PZ (2 * FE)
#define PT (3 * FE)
#define E_PLUS (4 * FE)
#define E_MINUS (5 * FE)
#define E_T (6 * FE)
#define E_Z (7 * FE)
#define U0 (8 * FE)
#define U1 (9 * FE)
#define U2 (10 * FE)
#define NEGATIVE (11 * FE)
#define K (11 * FE + VL)
#define ENTRY_INDEX (K + 5 * VL)

/* Bytes of an addend in one lane, LC_25519_ROW words */
#define ROW 160

/* The generator's table: bytes of a limb's 16 elements, of a window's 15 limbs */
#define TABLE_LIMB 128
#define TABLE_WINDOW (15 * TABLE_LIMB)

.section .rodata.lc_25519, "a", @progbits
.p2align 6
.Llanes:
    .quad 0, 1, 2, 3, 4, 5, 6, 7
.Lhalf_lanes:                   /* the same for VPERMD, which moves halves of lanes */
    .long 0, 1, 2, 3, 4, 5, 6, 7
_constant .Lmask51, "(1 << 51) - 1"
_constant .Lnineteen, 19
/* Limbs of multiples of p: the lowest, all others */
_constant .Lp_times_8_lowest, "8 * ((1 << 51) - 19)"
_constant .Lp_times_8, "8 * ((1 << 51) - 1)"
_constant .Lp_times_304_lowest, "304 * ((1 << 51) - 19)"
_constant .Lp_times_304, "304 * ((1 << 51) - 1)"
_constant .Lp_times_1024_lowest, "1024 * ((1 << 51) - 19)"
_constant .Lp_times_1024, "1024 * ((1 << 51) - 1)"
_constant .La24, 121665         /* (486662 - 2) / 4 */
_constant .Ltop_bit, "1 << 63"
_constant .Lone, 1
_constant .Ltwo, 2
_constant .Lthree, 3
_constant .Lall_bits, -1
_constant .Lpositive, "1 << 4"  /* of a digit of the generator's multiplier */
_constant .Lupper_half, "1 << 3" /* of the index of its entry */
_constant .Lupper_dword, "1 << 32"

.text

#define W               %rdi    /* what is worked on */
#define TABLE           %rsi

/* ---- Registers ---- */

/*
 * Two products or squares are calculated at a time, in streams: P* and Q* are their accumulators, R* and S* their results, B* and
 * D* the factors that are in registers.  All of them are used for sums in between.  INDEX is Q0, while entries are selected.
 *
 * With 16 registers there is one stream.  D is what R is, and there is neither Q nor S: formulas that need them are written once
 * more, with what is between two products in memory.  CHOICE is for what chooses between numbers; then it is NINETEEN again.
 */
.macro _names name, n0, n1, n2, n3, n4
    _name \name\()0, \n0
    _name \name\()1, \n1
    _name \name\()2, \n2
    _name \name\()3, \n3
    _name \name\()4, \n4
.endm
.macro _set_registers
    _set_vectors
    _names P, 0, 1, 2, 3, 4
    _names R, 5, 6, 7, 8, 9
.if CODE == EVEX
    _names Q, 10, 11, 12, 13, 14
    _names S, 15, 16, 17, 18, 19
    _names B, 20, 21, 22, 23, 24
    _names D, 25, 26, 27, 28, 29
    _name MASK51, 30
    _name NINETEEN, 31
    _name FACTOR, 31
    _name INDEX, 10
    _name TMP, 0
.else
    _names B, 10, 11, 12, 13, 14
    _names D, 5, 6, 7, 8, 9
    _name NINETEEN, 15
    _name CHOICE, 15
    _names QUARTER, 0, 1, 2, 3, 4
    _name INDEX, 4
    _name TMP, 15
.endif
.endm

.macro _load_constants
.if CODE == EVEX
    vpbroadcastq .Lmask51(%rip), MASK51
    vpbroadcastq .Lnineteen(%rip), NINETEEN
.else
    vmovdqa .Lnineteen(%rip), NINETEEN
.endif
.endm

.macro _and_mask a, d
.if CODE == EVEX
    vpandq MASK51, \a, \d
.else
    vpand .Lmask51(%rip), \a, \d
.endif
.endm
/* d = a constant in all lanes */
.macro _all constant, d
.if CODE == EVEX
    vpbroadcastq \constant(%rip), \d
.else
    vmovdqa \constant(%rip), \d
.endif
.endm

/* insn with a constant in all lanes, and the other operands */
.macro _with_all insn, constant, operands:vararg
.if CODE == VEX
    \insn \constant(%rip), \operands
.elseif VL == 64
    \insn \constant(%rip){1to8}, \operands
.else
    \insn \constant(%rip){1to4}, \operands
.endif
.endm

/* A vector at offset(base) */
.macro _load offset, base, d
    _mov "\offset(\base)", \d
.endm
.macro _store d, offset, base
    _mov \d, "\offset(\base)"
.endm
/* Five registers = the number at offset(base), and back */
.macro _load_fe name, offset, base=W
.irp i, 0,1,2,3,4
    _load ((\offset)+\i*VL), \base, \name\i
.endr
.endm
.macro _store_fe name, offset, base=W
.irp i, 0,1,2,3,4
    _store \name\i, ((\offset)+\i*VL), \base
.endr
.endm

/* ---- Multiplication ---- */

/* The accumulators of the upper columns: 0, or what becomes the bias */
.macro _begin_columns p, bias
.if \bias
    _all .Lp_times_8_lowest, \p\()0
    _all .Lp_times_8, \p\()1
.irp i, 2,3,4
    _mov \p\()1, \p\i
.endr
.else
.irp i, 0,1,2,3,4
    _zero \p\i
.endr
.endif
.endm

.macro _double r
    vpaddq \r, \r, \r
.endm
/* r = 4 p; r = 9 p; r = 2 r + p */
.macro _four p, r
    vpsllq $2, \p, \r
.endm
.macro _nine p, r
    vpsllq $3, \p, \r
    vpaddq \p, \r, \r
.endm
.macro _double_add p, r
    vpaddq \r, \r, \r
    vpaddq \p, \r, \r
.endm

/*
 * Turn \s of chain \c of r = a * b, see above: 5 - c upper halves, 4 - c lower ones, c upper ones, c + 1 lower ones.  Of the 50
 * multiplications 42 take the limb of a that is SHARED in their turn.
 */
.macro _product_turn s, c, a, base, b, p, r
.if \s == 5-\c
    _double \p\c
.endif
.if \s == 9-2*\c
    _nine \p\c, \r\c
.endif
.if \s == 9-\c
    _double_add \p\c, \r\c
.endif
.if \s < 5-\c
    _product_of_limb hu, SHARED, \c+4, \a, \base, \b, \p\c
.elseif \s < 9-2*\c && \s < 5
    _product_of_limb lu, \s+2*\c-4, \c+5, \a, \base, \b, \p\c
.elseif \s < 9-2*\c
    _product_of_limb lu, SHARED, \c+5, \a, \base, \b, \p\c
.elseif \s < 9-\c && \s < 5
    _product_of_limb hu, SHARED, \c-1, \a, \base, \b, \r\c
.elseif \s < 9-\c
    _product_of_limb hu, \s+2*\c-9, \c-1, \a, \base, \b, \r\c
.else
    _product_of_limb lu, SHARED, \c, \a, \base, \b, \r\c
.endif
.endm
/* d += limb i of a times limb sum - i of b */
.macro _product_of_limb which, i, sum, a, base, b, d
.irp j, 0,1,2,3,4
.if (\sum) - (\i) == \j
.if CODE == EVEX && (\i) == SHARED
    _madd \which, FACTOR, \b\j, \d
.else
    _madd_memory \which, "((\a) + (\i)*VL)", \base, \b\j, \d
.endif
.endif
.endr
.endm
.macro _product_turns s, a, b, p, r, base
.if \s < 5
.set SHARED, 4-\s
.else
.set SHARED, 9-\s
.endif
.if CODE == EVEX
    _load ((\a) + SHARED*VL), \base, FACTOR
.endif
.irp c, 0,1,2,3,4
    _product_turn \s, \c, \a, \base, \b, \p, \r
.endr
.endm

/* Turn \s of r = a^2: of six */
.macro _square_turns s, a, p, r
.if \s == 0
    _madd hu, \a\()0, \a\()4, \p\()0
    _madd hu, \a\()1, \a\()4, \p\()1
    _madd hu, \a\()2, \a\()4, \p\()2
    _madd hu, \a\()3, \a\()4, \p\()3
    _madd hu, \a\()4, \a\()4, \p\()4
.elseif \s == 1
    _madd hu, \a\()1, \a\()3, \p\()0
    _madd hu, \a\()2, \a\()3, \p\()1
    _double \p\()2
    _madd lu, \a\()3, \a\()4, \p\()2
    _four \p\()3, \p\()3
    _madd lu, \a\()4, \a\()4, \p\()3
    _double \p\()4
    _four \p\()4, \r\()4
    _madd hu, \a\()0, \a\()3, \r\()4
.elseif \s == 2
    _double \p\()0
    _madd lu, \a\()1, \a\()4, \p\()0
    _double \p\()1
    _madd lu, \a\()2, \a\()4, \p\()1
    _madd hu, \a\()3, \a\()3, \p\()2
    _four \p\()3, \r\()3
    _madd hu, \a\()0, \a\()2, \r\()3
    _madd hu, \a\()1, \a\()2, \r\()4
.elseif \s == 3
    _madd lu, \a\()2, \a\()3, \p\()0
    _double \p\()1
    _madd lu, \a\()3, \a\()3, \p\()1
    _double \p\()2
    _four \p\()2, \r\()2
    _madd hu, \a\()0, \a\()1, \r\()2
    _double_add \p\()3, \r\()3
    _madd lu, \a\()0, \a\()3, \r\()3
    _double_add \p\()4, \r\()4
    _madd lu, \a\()0, \a\()4, \r\()4
.elseif \s == 4
    _madd hu, \a\()2, \a\()2, \p\()0
    _nine \p\()1, \r\()1
    _madd lu, \a\()0, \a\()1, \r\()1
    _double_add \p\()2, \r\()2
    _madd lu, \a\()0, \a\()2, \r\()2
    _madd lu, \a\()1, \a\()2, \r\()3
    _madd lu, \a\()1, \a\()3, \r\()4
.elseif \s == 5
    _double \p\()0
    _nine \p\()0, \r\()0
    _double_add \p\()0, \r\()0
    _madd lu, \a\()0, \a\()0, \r\()0
    _madd hu, \a\()0, \a\()0, \r\()1
    _double_add \p\()2, \r\()2
    _madd lu, \a\()1, \a\()1, \r\()2
    _madd hu, \a\()1, \a\()1, \r\()3
    _double_add \p\()4, \r\()4
    _madd lu, \a\()2, \a\()2, \r\()4
    _double_add \p\()1, \r\()1
    _double_add \p\()3, \r\()3
.endif
.endm
.macro _begin_square p, bias
    _begin_columns \p, \bias
.if \bias
    _double \p\()4               /* which is doubled once less than the others */
.endif
.endm

/*
 * R = a * B, S = a2 * D, loose, for tight numbers: a and a2 are offsets.  Or one of them alone; or squares, of B and D.  Where bias
 * is 1, the result has one.
 *
 * What takes long is in functions (_product_functions), which several have in common.  Macros call those that are next above, which
 * are the implementation's own, by numbers.
 */
.macro _product a, bias, base=W
    lea \a(\base), %r8
    _begin_columns P, \bias
    call 11b
.endm
.macro _square bias
    _begin_square P, \bias
    call 12b
.endm
.macro _two_products a, bias, a2, bias2
    lea \a(W), %r8
    lea \a2(W), %r9
    _begin_columns P, \bias
    _begin_columns Q, \bias2
    call 13b
.endm
.macro _two_squares bias, bias2
    _begin_square P, \bias
    _begin_square Q, \bias2
    call 14b
.endm
/* R = a * B, S = D^2 */
.macro _product_and_square a, bias, bias2
    lea \a(W), %r8
    _begin_columns P, \bias
    _begin_square Q, \bias2
    call 15b
.endm

.macro _product_functions symbol
.if CODE == VEX
INNER_FUNC(lc_25519_product_of_\symbol)
19:
    _load_fe B, 0, %r9
INNER_ENTRY(lc_25519_product_\symbol)
.else
INNER_FUNC(lc_25519_product_\symbol)
.endif
11:
.irp s, 0,1,2,3,4,5,6,7,8,9
    _product_turns \s, 0, B, P, R, %r8
.endr
.if CODE == EVEX
    _all .Lnineteen, NINETEEN
.endif
    RETURN
END_FUNC(lc_25519_product_\symbol)
.if CODE == VEX
END_FUNC(lc_25519_product_of_\symbol)
.endif
INNER_FUNC(lc_25519_square_\symbol)
12:
.irp s, 0,1,2,3,4,5
    _square_turns \s, B, P, R
.endr
    RETURN
END_FUNC(lc_25519_square_\symbol)
.if CODE == EVEX
INNER_FUNC(lc_25519_two_products_\symbol)
13:
.irp s, 0,1,2,3,4,5,6,7,8,9
    _product_turns \s, 0, B, P, R, %r8
    _product_turns \s, 0, D, Q, S, %r9
.endr
    _all .Lnineteen, NINETEEN
    RETURN
END_FUNC(lc_25519_two_products_\symbol)
INNER_FUNC(lc_25519_two_squares_\symbol)
14:
.irp s, 0,1,2,3,4,5
    _square_turns \s, B, P, R
    _square_turns \s, D, Q, S
.endr
    RETURN
END_FUNC(lc_25519_two_squares_\symbol)
INNER_FUNC(lc_25519_product_and_square_\symbol)
15:
.irp s, 0,1,2,3,4,5,6,7,8,9
    _product_turns \s, 0, B, P, R, %r8
    _square_turns \s, D, Q, S
.endr
    _all .Lnineteen, NINETEEN
    RETURN
END_FUNC(lc_25519_product_and_square_\symbol)
/* B = R + S, D = R - S, tight, of loose numbers, which are clobbered */
INNER_FUNC(lc_25519_sum_and_difference_\symbol)
16:
    _add_to R, S, B
    _sub_to R, S, D
    _carry B, B, R
    _carry D, D, S
    RETURN
END_FUNC(lc_25519_sum_and_difference_\symbol)
/* B = R, tight.  Clobbers Q. */
INNER_FUNC(lc_25519_carry_r_\symbol)
17:
    _carry R, B, Q
    RETURN
END_FUNC(lc_25519_carry_r_\symbol)
/* D = S, tight.  Clobbers Q. */
INNER_FUNC(lc_25519_carry_s_\symbol)
18:
    _carry S, D, Q
    RETURN
END_FUNC(lc_25519_carry_s_\symbol)
.else
/* P = R + the number at r10, R = R - that number: tight, at r11 and behind that, of loose numbers.  Clobbers B. */
INNER_FUNC(lc_25519_sum_and_difference_\symbol)
16:
.irp i, 0,1,2,3,4
    vpaddq \i*VL(%r10), R\i, P\i
.endr
.irp i, 0,1,2,3,4
    vpsubq \i*VL(%r10), R\i, R\i
.endr
    _carry P, P, B
    _carry R, R, B
    _store_fe P, 0, %r11
    _store_fe R, FE, %r11
    RETURN
END_FUNC(lc_25519_sum_and_difference_\symbol)
/* B = R, tight, and at r10.  Clobbers P. */
INNER_FUNC(lc_25519_carry_r_\symbol)
17:
    _carry R, B, P
    _store_fe B, 0, %r10
    RETURN
END_FUNC(lc_25519_carry_r_\symbol)
/* B0 = one of the 16 elements at TABLE, which goes on to the next ones */
INNER_FUNC(lc_25519_limb_\symbol)
18:
    _select_limb 0, B0, B3
    add $TABLE_LIMB, TABLE
    RETURN
END_FUNC(lc_25519_limb_\symbol)
.endif
.endm

/* ---- Sums ---- */

/* d = r, tight; d may be r.  t is clobbered. */
.macro _carry r, d, t
    vpsrlq $51, \r\()4, \t\()4
    vpsrlq $51, \r\()0, \t\()0
    vpsrlq $51, \r\()1, \t\()1
    vpsrlq $51, \r\()2, \t\()2
    vpsrlq $51, \r\()3, \t\()3
    _and_mask \r\()0, \d\()0
    _madd lu, NINETEEN, \t\()4, \d\()0
    _and_mask \r\()1, \d\()1
    vpaddq \t\()0, \d\()1, \d\()1
    _and_mask \r\()2, \d\()2
    vpaddq \t\()1, \d\()2, \d\()2
    _and_mask \r\()3, \d\()3
    vpaddq \t\()2, \d\()3, \d\()3
    _and_mask \r\()4, \d\()4
    vpaddq \t\()3, \d\()4, \d\()4
.endm

/* d = x + z, d = x - z */
.macro _add_to x, z, d
.irp i, 0,1,2,3,4
    vpaddq \z\i, \x\i, \d\i
.endr
.endm
.macro _sub_to x, z, d
.irp i, 0,1,2,3,4
    vpsubq \z\i, \x\i, \d\i
.endr
.endm
/* By functions, which clobber Q, or P with VEX coding: B = R + S, D = R - S, tight, of loose numbers */
.macro _sum_and_difference
    call 16b
.endm
/* B = R, tight, and in memory */
.macro _carry_r to, base=W
.if CODE == EVEX
    call 17b
  .ifnb \to
    _store_fe B, \to, \base
  .endif
.else
    lea \to(\base), %r10
    call 17b
.endif
.endm
/* D = S, tight, and in memory */
.macro _carry_s to, base=W
    call 18b
.ifnb \to
    _store_fe D, \to, \base
.endif
.endm
.macro _copy a, b
.irp i, 0,1,2,3,4
    _mov \a\i, \b\i
.endr
.endm

/* ---- Points ---- */

/*
 * Numbers in registers are chosen by %k1 or, in VEX coding, by CHOICE, all bits of each lane.  (A mask that is secret is never one
 * of memory.)  VBLENDVPD would be one instruction instead of three, but small cores take it apart into eight.
 */
/* b = a where it is set */
.macro _move_if a, b
.irp i, 0,1,2,3,4
    vmovdqa64 \a\i, \b\i{%k1}
.endr
.endm
/* d = b where it is set, else a; in VEX coding, and d isn't a. */
.macro _choose a, b, d
.irp i, 0,1,2,3,4
    vpxor \a\i, \b\i, \d\i
    vpand CHOICE, \d\i, \d\i
    vpxor \a\i, \d\i, \d\i
.endr
.endm
/* d = a, or b where it is set, and b = a there: exchanged but for the name of one */
.macro _exchange a, b, d
.irp i, 0,1,2,3,4
.if CODE == VEX
    _exchange_limb \a\i, \b\i, \d\i
.else
    vpblendmq \b\i, \a\i, \d\i{%k1}
    vpblendmq \a\i, \b\i, \b\i{%k1}
.endif
.endr
.endm
.macro _exchange_limb a, b, d
    vpxor \a, \b, \d
    vpand CHOICE, \d, \d
    vpxor \d, \b, \b
    vpxor \a, \d, \d
.endm
/* B0, or what is at a where it is set, to b, and the other one to a */
.macro _exchange_with a, b
    _load \a, W, B1
    _exchange_limb B1, B0, B2
    _store B2, \a, W
    _store B0, \b, W
.endm
/* CHOICE isn't needed any more. */
.macro _end_choice
.if CODE == VEX
    vmovdqa .Lnineteen(%rip), NINETEEN
.endif
.endm

/*
 * Numbers of the entry with the index INDEX of the generator's table: _set_index, then _select for each.  With 256 bits it's one of
 * the lower eight or, where %k2 is set, of the upper eight, and t is clobbered.
 *
 * In VEX coding VPERMD takes one of four, by the two halves of a lane, and of four such results the one whose mask isn't 0 is it.
 */
.macro _set_index
.if CODE == VEX
    vpsrlq $2, INDEX, QUARTER3
    vpand .Lthree(%rip), QUARTER3, QUARTER3
    vpxor QUARTER0, QUARTER0, QUARTER0
    vpcmpeqq QUARTER0, QUARTER3, QUARTER0
    vpcmpeqq .Lone(%rip), QUARTER3, QUARTER1
    vpcmpeqq .Ltwo(%rip), QUARTER3, QUARTER2
    vpcmpeqq .Lthree(%rip), QUARTER3, QUARTER3
    _double INDEX
    vpshufd $0xa0, INDEX, INDEX
    vpor .Lupper_dword(%rip), INDEX, INDEX
.elseif VL == 32
    _with_all vptestmq, .Lupper_half, INDEX, %k2
.endif
.endm
.macro _select n, d, t
.irp i, 0,1,2,3,4
    _select_limb (5*\n+\i)*TABLE_LIMB, \d\i, \t
.endr
.endm
.macro _select_limb at, d, t
.if CODE == VEX
    vpermd \at(TABLE), INDEX, \d
    vpand QUARTER0, \d, \d
.irp quarter, 1,2,3
    vpermd \at+\quarter*VL(TABLE), INDEX, \t
    vpand QUARTER\quarter, \t, \t
    vpor \t, \d, \d
.endr
.else
    vmovdqa64 \at(TABLE), \d
    vpermt2q \at + VL(TABLE), INDEX, \d
.if VL == 32
    vmovdqa64 \at + 2*VL(TABLE), \t
    vpermt2q \at + 3*VL(TABLE), INDEX, \t
    vmovdqa64 \t, \d{%k2}
.endif
.endif
.endm

/*
 * (X : Y : Z : T) += the entry (Hisil and others, as below, for a curve with a = -1):
 *
 *      A = (Y - X)(y - x),   B = (Y + X)(y + x),   C = T 2 d x y,   D = Z 2 z
 *      E = B - A,   H = B + A,   F = D - C,   G = D + C
 *      X' = E F,   Y' = G H,   T' = E H,   Z' = F G
 *
 * In lanes of %k1 the negative entry, which has -x: y + x and y - x have been exchanged already, and F and G are here.  As d
 * isn't a square, there are no exceptions.
 *
 * Without a table, the entry has a z, else that is 1.
 *
 * What was just calculated is the factor in registers, as the other one would take the way through memory.
 *
 * Loose: X; Y and Z, with a bias.  D has 152 at least, C is below 125, and D + C below 2 * 277 + 125.  T is tight.
 */
.macro _add_entry symbol
.if CODE == EVEX
    test TABLE, TABLE
    jz .Ladd_\symbol
    _load_fe B, PT
    _product E_T, 0                 /* early, as it is alone */
    _store_fe R, U0                 /* C */
.Ladd_\symbol:
    _load_fe S, PX
    _load_fe R, PY
    _sum_and_difference             /* Y + X, Y - X */
    _two_products E_PLUS, 1, E_MINUS, 0
    _sum_and_difference
    _store_fe D, U1                 /* E */
    _store_fe B, U2                 /* H */
    test TABLE, TABLE
    jz .Lnot_affine_\symbol
    _load_fe R, PZ
    _load_fe S, U0
.irp i, 0,1,2,3,4
    _double R\i                     /* D */
.endr
    jmp .Lboth_\symbol
.Lnot_affine_\symbol:
    _load_fe R, PZ
    _carry_r
    _load_fe D, PT
    _two_products E_Z, 1, E_T, 0
.Lboth_\symbol:
    _sum_and_difference             /* G, F */
    _copy B, P
    _move_if D, B
    _move_if P, D
    _store_fe D, U0
    _two_products U2, 1, U1, 0
    _store_fe R, PY
    _store_fe S, PX
    _load_fe D, U2
    _two_products U0, 1, U1, 0
    _store_fe R, PZ
    _carry_s PT
.else
    _add_entry_in_memory \symbol
.endif
.endm

/* R += 121665 p; q is clobbered. */
.macro _add_a24_times p, q
.irp i, 0,1,2,3,4
    _zero \q\i
.endr
.if CODE == VEX
    vmovdqa .La24(%rip), CHOICE
.endif
    _madd_a24 hu, \p\()4, \q\()0
    _madd_a24 hu, \p\()0, \q\()1
    _madd_a24 hu, \p\()1, \q\()2
    _madd_a24 hu, \p\()2, \q\()3
    _madd_a24 hu, \p\()3, \q\()4
.irp i, 0,1,2,3,4
    _madd_a24 lu, \p\i, R\i
    _double \q\i
.endr
    _end_choice
    _madd lu, NINETEEN, \q\()0, R0
.irp i, 1,2,3,4
    vpaddq \q\i, R\i, R\i
.endr
.endm
.macro _madd_a24 which, x, d
.if CODE == VEX
    _madd \which, CHOICE, \x, \d
.else
    _with_all vpmadd52\which\()q, .La24, \x, \d
.endif
.endm

/* A step of the ladder, as lc_25519_ladder_<impl> has it */
.macro _ladder_step
    vmovdqa64 (%rsi), P0
    _with_all vptestmq, .Ltop_bit, P0, %k1
    _double P0
    vmovdqa64 P0, (%rsi)
    _load_fe R, X3
    _load_fe S, Z3
    _sum_and_difference
    _store_fe B, TC
    _store_fe D, TD
    _copy B, P
    _copy D, Q
    _load_fe R, X2
    _load_fe S, Z2
    _sum_and_difference
    _store_fe B, TA
    _store_fe D, TB
    _move_if P, B
    _move_if Q, D
    _two_squares 1, 0           /* A'^2, B'^2 */
    _carry_r TF
    _carry_s TG
    _sub_to R, S, S
    _carry_s TE                 /* E */
    _add_a24_times D, Q
    _carry_r TH                 /* A'^2 + 121665 E */
    _load_fe B, TA
    _load_fe D, TB
    _two_products TD, 1, TC, 0
    _sum_and_difference         /* D A + C B, D A - C B */
    _square 1
    _store_fe R, X3
    _load_fe B, TG
    _product_and_square TF, 1, 0
    _store_fe R, X2
    _carry_s
    _load_fe B, TH
    _two_products TE, 0, X1, 0
    _store_fe R, Z2
    _store_fe S, Z3
.endm

/* A doubling, as lc_25519_double_<impl> has it */
.macro _double_point
    _load_fe S, PX
    _carry_s U0
    _load_fe R, PY
    _carry_r PY
    _two_squares 1, 0
    _sum_and_difference
    _store_fe B, U2             /* H */
    _store_fe D, PX             /* G */
    _load_fe S, PZ
    _carry_s
    _load_fe B, PY
    _product_and_square U0, 0, 1
    _add_to R, R, R
    _carry_r U1                 /* E */
    _add_to S, S, S
    _sub_of PX, S, S
    _carry_s                    /* F */
    _load_fe B, U2
    _product PX, 1
    _store_fe R, PY
    _copy D, B
    _two_products PX, 1, U1, 0
    _store_fe R, PZ
    _store_fe S, PX
.endm

/* ---- Formulas in 16 registers, which have their comments above and below ---- */

/* R = a * b, loose; R = a^2: of tight numbers in memory */
.macro _product_of a, b, bias
    lea \a(W), %r8
    lea \b(W), %r9
    _begin_columns P, \bias
    call 19b
.endm
.macro _square_of a, bias
    _load_fe B, \a
    _square \bias
.endm
/* d = r - z, z in memory */
.macro _sub_of z, r, d
.irp i, 0,1,2,3,4
    vpsubq (\z) + \i*VL(W), \r\i, \d\i
.endr
.endm
/* P = R + z, R = R - z: tight, at `to` and behind it, of R, loose, and a loose z in memory.  B is clobbered. */
.macro _sum_and_difference_of z, to
    lea \z(W), %r10
    lea \to(W), %r11
    call 16b
.endm

.macro _ladder_step_in_memory
    _load_fe R, X3
    _sum_and_difference_of Z3, TC
    _load_fe R, X2
    _sum_and_difference_of Z2, TA
    vmovdqa (%rsi), CHOICE
    vpaddq CHOICE, CHOICE, B0
    vmovdqa B0, (%rsi)
    _zero B0
    vpcmpgtq CHOICE, B0, CHOICE
    _load_fe B, TC
    _choose P, B, B
    _store_fe B, TE             /* A' */
    _load_fe P, TD
    _choose R, P, B             /* B' */
    _end_choice
    _square 0
    _store_fe R, X2             /* B'^2 */
    _carry_r TG
    _square_of TE, 1            /* A'^2 */
    _carry_r TF
    _copy R, B
    _sub_of X2, R, R
    _store_fe B, X2
    _carry_r TE                 /* E */
    _copy B, P
    _load_fe R, X2
    _add_a24_times P, B
    _carry_r TH                 /* A'^2 + 121665 E */
    _product_of TC, TB, 0
    _store_fe R, X2
    _product_of TD, TA, 1
    _sum_and_difference_of X2, TC /* D A + C B, D A - C B */
    _square_of TC, 1
    _store_fe R, X3
    _square_of TD, 0
    _carry_r TD
    _product X1, 0
    _store_fe R, Z3
    _product_of TF, TG, 1
    _store_fe R, X2
    _product_of TE, TH, 0
    _store_fe R, Z2
.endm

.macro _double_in_memory
    _load_fe R, PX
    _carry_r U0
    _square 0
    _store_fe R, PX
    _load_fe R, PY
    _carry_r PY
    _square 1
    _sum_and_difference_of PX, U1 /* H, G */
    _product_of U0, PY, 0
    _add_to R, R, R
    _carry_r U0                 /* E */
    _product_of U1, U2, 1
    _store_fe R, PY
    _load_fe R, PZ
    _carry_r PZ
    _square 1
    _add_to R, R, R
    _sub_of U2, R, R
    _carry_r PX                 /* F */
    _product U2, 1
    _store_fe R, PZ
    _product_of U0, PX, 0
    _store_fe R, PX
.endm

.macro _add_entry_in_memory symbol
    _load_fe R, PY
    _sum_and_difference_of PX, U0 /* Y + X, Y - X */
    _product_of E_MINUS, U1, 0
    _store_fe R, PX
    _product_of E_PLUS, U0, 1
    _sum_and_difference_of PX, U0 /* H, E */
    _product_of E_T, PT, 0
    _store_fe R, PX             /* C */
    _load_fe R, PZ
    test TABLE, TABLE
    jz .Lnot_affine_\symbol
    _add_to R, R, R             /* D */
    jmp .Lboth_\symbol
.Lnot_affine_\symbol:
    _carry_r PZ
    _product E_Z, 1
.Lboth_\symbol:
    _sum_and_difference_of PX, PX /* G, F */
    vmovdqa NEGATIVE(W), CHOICE
    _exchange R, P, B
    _end_choice
    _store_fe P, U2
    _product U1, 0
    _store_fe R, PX
    _product U2, 1
    _store_fe R, PZ
    _product_of U2, U0, 1
    _store_fe R, PY
    _product U1, 0
    _carry_r PT
.endm

/* Limb i of (2x : 2y), of limbs of y + x and y - x; lowest: _lowest, or nothing */
.macro _first_limb i, plus, minus, lowest
    vpsubq \minus, \plus, TMP
    _with_all vpaddq, .Lp_times_8\lowest, TMP, TMP
    _store TMP, (PX+\i*VL), W
    vpaddq \minus, \plus, TMP
    _with_all vpaddq, .Lp_times_304\lowest, TMP, TMP
    _store TMP, (PY+\i*VL), W
.endm

/* P\i = limb i of B, and what is above 51 bits of the one before */
.macro _carry_to_limb before, i
    vpsrlq $51, P\before, R4
    vpaddq R4, B\i, P\i
.endm

/* ---- The functions ---- */

.macro _implementation symbol, vl, code
.set VL, \vl
.set CODE, \code
_set_registers
_begin_code lc_25519_\symbol

_product_functions \symbol

/*
 * void lc_25519_mul_<impl>(void *r, const void *a, const void *b)
 *
 * r = a * b mod p in all lanes, all tight.  r may be a or b.  Aligned to VL.
 * Clobbers vector registers 0..14, 20..24, 30 and 31, and r8 to r10.
 */
FUNC(lc_25519_mul_\symbol)
    _load_constants
    _load_fe B, 0, %rdx
    _product 0, 0, %rsi
    _carry_r 0
    vzeroupper
    RETURN
END_FUNC(lc_25519_mul_\symbol)

/*
 * void lc_25519_sqr_<impl>(void *r, const void *a, size_t times)
 *
 * r = a^(2^times), times > 0, as above.
 */
FUNC(lc_25519_sqr_\symbol)
    _load_constants
    _load_fe B, 0, %rsi
.p2align 5
.Lsquare_\symbol:
    _square 0
.if CODE == EVEX
    _carry_r
.else
    _carry_r 0                  /* (which is r, whatever is left there in between) */
.endif
    dec %rdx
    jnz .Lsquare_\symbol
.if CODE == EVEX
    _store_fe B, 0
.endif
    vzeroupper
    RETURN
END_FUNC(lc_25519_sqr_\symbol)

/*
 * void lc_25519_sqr_two_<impl>(void *a, size_t times)
 *
 * a = a^(2^times), times > 0, of two numbers in each lane, tight.  As neither waits for the other, that takes as long as one.
 * Clobbers all vector registers.
 */
FUNC(lc_25519_sqr_two_\symbol)
    _load_constants
.if CODE == EVEX
    _load_fe B, 0
    _load_fe D, FE
.endif
.p2align 5
.Lsquare_two_\symbol:
.if CODE == EVEX
    _two_squares 0, 0
    _carry_r
    _carry_s
.else
.irp a, 0,FE
    _square_of \a, 0
    _carry_r \a
.endr
.endif
    dec %rsi
    jnz .Lsquare_two_\symbol
.if CODE == EVEX
    _store_fe B, 0
    _store_fe D, FE
.endif
    vzeroupper
    RETURN
END_FUNC(lc_25519_sqr_two_\symbol)

/*
 * void lc_25519_sums_<impl>(void *sum, void *difference, const void *a, const void *b)
 *
 * sum = a + b, difference = a - b, tight, for limbs of a and b below 2^61 - 2^15: the limbs of 1024 p are added before b is
 * subtracted.  sum and difference may be a or b, or the same, if only the difference is wanted.  Clobbers vector registers 0..9 and
 * 20..31.
 */
FUNC(lc_25519_sums_\symbol)
    _load_constants
    _load_fe P, 0, %rdx
    _load_fe R, 0, %rcx
    _add_to P, R, B
    _sub_to P, R, D
    _with_all vpaddq, .Lp_times_1024_lowest, D0, D0
.irp i, 1,2,3,4
    _with_all vpaddq, .Lp_times_1024, D\i, D\i
.endr
    _carry B, B, P
    _carry D, D, P
    _store_fe B, 0, %rdi
    _store_fe D, 0, %rsi
    vzeroupper
    RETURN
END_FUNC(lc_25519_sums_\symbol)

/*
 * void lc_25519_ladder_<impl>(void *w)
 *
 * 255 steps of the Montgomery ladder (RFC 7748, 5).  Before a step (X2 : Z2) and (X3 : Z3) are two points whose difference has the
 * u of x1; the step doubles the first, or the second where the highest bit of w->bits is set, and adds both:
 *
 *      A = X2 + Z2,  B = X2 - Z2,  C = X3 + Z3,  D = X3 - Z3;   A' = A or C,  B' = B or D
 *      X2 = A'^2 B'^2,  Z2 = E (A'^2 + 121665 E)  with  E = A'^2 - B'^2
 *      X3 = (D A + C B)^2,  Z3 = x1 (D A - C B)^2
 *
 * So the first one is always the one that was doubled: a bit of w->bits is set where the multiplier's bit isn't the one above it.
 * D A and C B needn't be exchanged, as only the sign of their difference would change.
 *
 * The products are in an order in which none needs what was just calculated, but Z3, whose factor is the square before it.
 *
 * Loose: X2, Z2, X3, Z3; X2 and X3, from which Z2 and Z3 are subtracted, have a bias, and so have A'^2 and D A; before the first
 * step, X3 is u and the limbs of p.  Upper halves of 121665 E are below 2^17.  The largest sum is X3 + Z3, 429 + 125.  Tight at the
 * end: X2, Z2.  w->bits is 0 then.
 *
 * Clobbers all vector registers, k1, rax, rcx, rsi and r8 to r11.
 */
FUNC(lc_25519_ladder_\symbol)
    _load_constants
    lea BITS + 3*VL(W), %rsi
    mov $63, %ecx
    mov $4, %eax
.p2align 5
.Lstep_\symbol:
.if CODE == EVEX
    _ladder_step
.else
    _ladder_step_in_memory
.endif
    dec %ecx
    jnz .Lstep_\symbol
    mov $64, %ecx
    sub $VL, %rsi
    dec %eax
    jnz .Lstep_\symbol
    _carry_r Z2
    _load_fe R, X2
    _carry_r X2
    vzeroupper
    RETURN
END_FUNC(lc_25519_ladder_\symbol)

/*
 * void lc_25519_double_<impl>(void *w, size_t times)
 *
 * (X : Y : Z : T) = 2^times (X : Y : Z : T), times > 0, in extended coordinates, x = X / Z, y = Y / Z, T = X Y / Z (Hisil, Wong,
 * Carter and Dawson, "Twisted Edwards curves revisited", 2008, with -1 times their F and H, and so all four coordinates):
 *
 *      E = 2 X Y,   G = Y^2 - X^2,   H = Y^2 + X^2,   F = 2 Z^2 - G
 *      X' = E F,   Y' = G H,   T' = E H,   Z' = F G
 *
 * No exceptions.  T isn't needed, and calculated once at the end.  By count, X Y and (X + Y)^2 - H take the same time.
 *
 * Loose: X; Y and Z, with a bias.  (All may be without before.)  Y^2 has one, so G isn't negative, and Z^2, so F isn't, as G is
 * tight by then.  The largest sum is 2 Z^2, 858.  T is tight.  PX has G in between.
 *
 * Clobbers all vector registers, rsi and r8 to r11.
 */
FUNC(lc_25519_double_\symbol)
    _load_constants
.p2align 5
.Ldouble_\symbol:
.if CODE == EVEX
    _double_point
.else
    _double_in_memory
.endif
    dec %rsi
    jnz .Ldouble_\symbol
.if CODE == EVEX
    _load_fe B, U2
    _product U1, 0
.else
    _product_of U0, U1, 0
.endif
    _carry_r PT
    vzeroupper
    RETURN
END_FUNC(lc_25519_double_\symbol)

/*
 * void lc_25519_first_<impl>(void *w, const uint64_t window[15][16])
 *
 * (X : Y : Z) = (2x : 2y : 2), the entry with each lane's w->index, 0 .. 15, of a window of the generator's table, see below; and
 * the addend's t is its 2 d x y: the caller makes T = 2 x y of it.
 *
 * Loose, as if added: X has the limbs of 8 p, so that they aren't negative, and Y and Z have the bias, 304 p.
 *
 * Clobbers vector registers 0, 10, 20..29, and k2.
 */
FUNC(lc_25519_first_\symbol)
    _mov ENTRY_INDEX(W), INDEX
    _set_index
.if CODE == EVEX
    _select 0, B, TMP
    _select 1, D, TMP
    _first_limb 0, B0, D0, _lowest
  .irp i, 1,2,3,4
    _first_limb \i, B\i, D\i
  .endr
    _select 2, B, TMP
    _store_fe B, E_T
.else
  .irp i, 0,1,2,3,4
    call 18b
    _store B0, (PY+\i*VL), W
  .endr
  .irp i, 0,1,2,3,4
    call 18b
    _load (PY+\i*VL), W, B1
    .if \i == 0
    _first_limb 0, B1, B0, _lowest
    .else
    _first_limb \i, B1, B0
    .endif
  .endr
  .irp i, 0,1,2,3,4
    call 18b
    _store B0, (E_T+\i*VL), W
  .endr
.endif
    _all .Lp_times_304_lowest, B0
    _with_all vpaddq, .Ltwo, B0, B0
    _mov B0, PZ(W)
    _all .Lp_times_304, B0
.irp i, 1,2,3,4
    _store B0, (PZ+\i*VL), W
.endr
    vzeroupper
    RETURN
END_FUNC(lc_25519_first_\symbol)

/*
 * void lc_25519_comb_<impl>(void *w, const uint64_t (*table)[15][16], size_t windows)
 *
 * (X : Y : Z : T) += the sum of an entry of each window, that of w->k's next five bits: entries 15 .. 0 negated, for 0 .. 15, and
 * entries 0 .. 15, for 16 .. 31.  A window has 15 limbs of 16 entries each, aligned to VL: VPERMT2Q takes one of 16 for each lane.
 * (In 256 bits it is one of 8, so there are two.)  windows > 0.  A word of w->k is for 11 windows, and is shifted by five bits in
 * each.
 *
 * Without a table, windows is 1, and what is added is the addend, z too, negated where `negative` is -1, not 0: there y + x and
 * y - x are exchanged, in memory.  (add() in curve25519.c.)  See _add_entry.
 *
 * Clobbers all vector registers, k1, k2, rax, rcx, rdx, rsi and r8 to r11.
 */
FUNC(lc_25519_comb_\symbol)
    _load_constants
    lea K(W), %rax
    mov $11, %ecx
.p2align 5
.Lcomb_\symbol:
    test TABLE, TABLE
    jz .Lgiven_\symbol
    _mov (%rax), INDEX
    vpsrlq $5, INDEX, P0
    _mov P0, (%rax)
.if CODE == VEX
    vpsrlq $4, INDEX, CHOICE
    vpand .Lone(%rip), CHOICE, CHOICE
    vpaddq .Lall_bits(%rip), CHOICE, CHOICE
    vmovdqa CHOICE, NEGATIVE(W)
    vpxor CHOICE, INDEX, INDEX
    _set_index
  .irp i, 0,1,2,3,4
    call 18b
    _store B0, (E_PLUS+\i*VL), W
  .endr
  .irp i, 0,1,2,3,4
    call 18b
    _exchange_with (E_PLUS+\i*VL), (E_MINUS+\i*VL)
  .endr
  .irp i, 0,1,2,3,4
    call 18b
    _store B0, (E_T+\i*VL), W
  .endr
    jmp .Lexchanged_\symbol
.Lgiven_\symbol:
    vmovdqa NEGATIVE(W), CHOICE
  .irp i, 0,1,2,3,4
    _load (E_MINUS+\i*VL), W, B0
    _exchange_with (E_PLUS+\i*VL), (E_MINUS+\i*VL)
  .endr
.Lexchanged_\symbol:
    _end_choice
.else
    _with_all vptestnmq, .Lpositive, INDEX, %k1
    vpternlogq $0x0f, INDEX, INDEX, INDEX{%k1} /* inverted */
    _set_index
    _select 0, B, P0
    _select 1, D, P0
    _select 2, R, P0
    _store_fe R, E_T
    jmp .Lexchange_\symbol
.Lgiven_\symbol:
    vmovdqa64 NEGATIVE(W), P0
    vptestmq P0, P0, %k1
    _load_fe B, E_PLUS
    _load_fe D, E_MINUS
.Lexchange_\symbol:
    _exchange B, D, P
    _store_fe P, E_PLUS
    _store_fe D, E_MINUS
.endif
    _add_entry \symbol
.if CODE == EVEX
    add $TABLE_WINDOW, TABLE
.endif
    dec %ecx
    jnz .Lsame_word_\symbol
    mov $11, %ecx
    add $VL, %rax
.Lsame_word_\symbol:
    dec %rdx
    jnz .Lcomb_\symbol
    vzeroupper
    RETURN
END_FUNC(lc_25519_comb_\symbol)

/*
 * void lc_25519_rows_<impl>(uint64_t *rows, const void *addend)
 *
 * rows[lane] = the addend in that lane.  Clobbers rax, rdi, rsi and vector registers 0..3.
 */
FUNC(lc_25519_rows_\symbol)
    mov $10, %eax
.p2align 4
.Lrows_\symbol:
    _mov (%rsi), V0
    _mov VL(%rsi), V1
    vpunpcklqdq V1, V0, V2
    vpunpckhqdq V1, V0, V3
    vmovdqa %xmm2, (%rdi)
    vmovdqa %xmm3, ROW(%rdi)
.if CODE == VEX
    vextracti128 $1, V2, 2*ROW(%rdi)
    vextracti128 $1, V3, 3*ROW(%rdi)
.else
.irp j, 1,2,3
.if \j < VL / 16
    vextracti32x4 $\j, V2, 2*\j*ROW(%rdi)
    vextracti32x4 $\j, V3, (2*\j+1)*ROW(%rdi)
.endif
.endr
.endif
    add $2*VL, %rsi
    add $16, %rdi
    dec %eax
    jnz .Lrows_\symbol
    vzeroupper
    RETURN
END_FUNC(lc_25519_rows_\symbol)

/*
 * void lc_25519_take_<impl>(void *w, const uint64_t *const *rows)
 *
 * The addend of each lane = the 20 words at rows[lane], which aren't secret: a row of the above, or of the table of multiples of
 * the generator, whose entries have no z, so that is the caller's.  Two words of four lanes, or two, are loaded side by side.
 * Clobbers rax, rcx, rdx, rsi, rdi, r8..r11 and vector registers 0..3.
 */
FUNC(lc_25519_take_\symbol)
    mov (%rsi), %rax
    mov 8(%rsi), %rcx
    mov 16(%rsi), %rdx
    mov 24(%rsi), %r8
.if VL == 64
    mov 32(%rsi), %r9
    mov 40(%rsi), %r10
    mov 48(%rsi), %r11
    mov 56(%rsi), %rsi
.endif
    push %rbx
    xor %ebx, %ebx
.p2align 5
.Ltake_\symbol:
    vmovdqu (%rax,%rbx), %xmm0
    vmovdqu (%rcx,%rbx), %xmm1
    vinserti128 $1, (%rdx,%rbx), %ymm0, %ymm0
    vinserti128 $1, (%r8,%rbx), %ymm1, %ymm1
.if VL == 64
    vinserti32x4 $2, (%r9,%rbx), V0, V0
    vinserti32x4 $2, (%r10,%rbx), V1, V1
    vinserti32x4 $3, (%r11,%rbx), V0, V0
    vinserti32x4 $3, (%rsi,%rbx), V1, V1
.endif
    vpunpcklqdq V1, V0, V2
    vpunpckhqdq V1, V0, V3
    _store V2, E_PLUS, W
    _store V3, (E_PLUS+VL), W
    add $2*VL, W
    add $16, %ebx
    cmp $160, %ebx
    jne .Ltake_\symbol
    pop %rbx
    vzeroupper
    RETURN
END_FUNC(lc_25519_take_\symbol)

/*
 * void lc_25519_replace_zeros_<impl>(void *a, uint64_t *used)
 *
 * used = -1, and 0 where a, tight, is 0 modulo p; there a = 1.  a is below 2p, so (a + 19) / 2^255, rounded down, says how often
 * p is in it.  used is aligned to VL.  Clobbers vector registers 0..4, 9, 20..24, 30 and 31, and k1.
 */
FUNC(lc_25519_replace_zeros_\symbol)
    _load_constants
    _load_fe B, 0
    vpaddq NINETEEN, B0, P0
    _carry_to_limb 0, 1
    _carry_to_limb 1, 2
    _carry_to_limb 2, 3
    _carry_to_limb 3, 4
    vpsrlq $51, P4, R4
    _mov B0, P0
    _madd lu, NINETEEN, R4, P0
    _carry_to_limb 0, 1
    _carry_to_limb 1, 2
    _carry_to_limb 2, 3
    _carry_to_limb 3, 4
.irp i, 1,2,3,4
    _logic vpor, P\i, P0, P0
.endr
.if CODE == VEX
    _and_mask P0, P0
    vpxor P1, P1, P1
    vpcmpeqq P1, P0, P0
.irp i, 0,1,2,3,4
    vpandn B\i, P0, B\i
.endr
    vpand .Lone(%rip), P0, P1
    vpor P1, B0, B0
    _store_fe B, 0
    vpxor .Lall_bits(%rip), P0, P0
.else
    vptestmq MASK51, P0, %k1
.irp i, 1,2,3,4
    vmovdqa64 B\i, B\i{%k1}{z}
.endr
    vpbroadcastq .Lone(%rip), P0
    vmovdqa64 B0, P0{%k1}
    vmovdqa64 P0, B0
    _store_fe B, 0
    vpternlogq $0xff, P0, P0, P0{%k1}{z}
.endif
    _mov P0, (%rsi)
    vzeroupper
    RETURN
END_FUNC(lc_25519_replace_zeros_\symbol)

/*
 * void lc_25519_exchange_<impl>(void *r, const void *a, size_t other)
 *
 * r's lane i = a's lane i ^ other.  r may be a.  Clobbers vector registers 0 and 1.
 */
FUNC(lc_25519_exchange_\symbol)
.if CODE == VEX
    add %edx, %edx
    vmovd %edx, %xmm1
    vpbroadcastd %xmm1, V1
    vpxor .Lhalf_lanes(%rip), V1, V1
.else
    vpbroadcastq %rdx, V1
    vpxorq .Llanes(%rip), V1, V1
.endif
.irp i, 0,1,2,3,4
.if CODE == VEX
    vpermd \i*VL(%rsi), V1, V0
.else
    vpermq \i*VL(%rsi), V1, V0
.endif
    _mov V0, \i*VL(%rdi)
.endr
    vzeroupper
    RETURN
END_FUNC(lc_25519_exchange_\symbol)

/*
 * void lc_25519_clear_<impl>(void)
 *
 * Zeros in all vector registers, k1 and k2: these functions leave secrets there, and are called in turn.
 */
FUNC(lc_25519_clear_\symbol)
    vzeroall
.if CODE == EVEX
.irp i, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vpxord %xmm\i, %xmm\i, %xmm\i
.endr
    kxorw %k1, %k1, %k1
.if VL == 32
    kxorw %k2, %k2, %k2
.endif
.endif
    RETURN
END_FUNC(lc_25519_clear_\symbol)

_end_code lc_25519_\symbol
.endm

_implementation avx512ifma_512, 64, EVEX
_implementation avx512ifma_256, 32, EVEX
_implementation avxifma, 32, VEX

.section .note.GNU-stack, "", @progbits

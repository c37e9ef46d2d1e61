/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One ladder of X25519 for x86-64 with AVX-512 IFMA: what a step has to multiply is in the four lanes of vectors of 256 bits.
 *
 * x86/curve25519_one.c calls it.  The same instructions multiply four or eight points at once in x86/curve25519.S, whose head says
 * how numbers of five limbs of 51 bits are multiplied, and why.  Here it's one point, so what counts is how long a step waits.
 *
 * -- A step ---------------------------------------------------------------------------------------------------------------------
 *
 * Of the two points the first has the lower two lanes, and the second the upper two, always: X + Z and X - Z.  The bit says which
 * half is doubled; the other one becomes the sum.  Say it's the lower one that is doubled, and (A, B, C, D) are the four lanes.
 *
 *      (A, B, C, D) * (A, B, B, A) = (A^2, B^2, CB, DA)                    one product
 *      (G, E, s, d) = (A^2 + B^2, A^2 - B^2, CB + DA, CB - DA)             sums and differences of neighbours
 *      (G^2, E^2, S, T) = their squares                                    one square
 *      (E, E, T, T) * (F, -F, u, -u), and added to it (G^2 - E^2, G^2 - E^2, S, S)     one product
 *
 * with F = 2 G + 486662 E.  That is the next step's (A, B, C, D), as four times the ladder's new coordinates (RFC 7748, 5) are
 *
 *      X = 4 A^2 B^2 = G^2 - E^2,    Z = 4 E (A^2 + 121665 E) = E (2 (G + E) + 486660 E) = E F
 *
 * and those of the sum S = (DA + CB)^2 and u T = u (DA - CB)^2.  So a step is three products in a row, which is the least that the
 * ladder has, and F waits for none but the first one.  Nothing is exchanged: the bit chooses masks, and how lanes are permuted for
 * the first product's second factor.
 *
 * -- Cycles ---------------------------------------------------------------------------------------------------------------------
 *
 * By count a step has 145 multiplications, 10 of them by 486662 and 5 by 19, and 238 other calculations, 30 of which move lanes.  A
 * CPU that multiplies twice a cycle needs 73 cycles for the former; with four vector instructions a cycle, all take 96.  (Ice Lake
 * and Tiger Lake have three, of which two multiply and another one moves lanes: 128.)  By latencies, on Zen 5 4 cycles for a
 * multiplication or what moves lanes from half to half, and 2 for all else, it is 32 for each product, 27 for the square, 6 for
 * each of three carries, and 10 for what moves lanes and for the sums: about 120.  It takes 139.  docs/publickey.md says what lost.
 *
 * So chains are short here: each column has accumulators of its own for lower halves and upper ones, and all 32 registers are used.
 * Multiplications are in an order by how much has to follow them, those by limb 0, which is the last to be carried, at the end.
 *
 * -- Bounds ---------------------------------------------------------------------------------------------------------------------
 *
 * Limbs are tight before they are multiplied (x86/curve25519.S): limb 0 below 2^51 + 19 * 2^11, the others below 2^51 + 2^11, of
 * the 52 bits that count.  A carry makes so of all limbs below 2^62.  In units of 2^52, the limbs of a product or a square of
 * tight numbers are below 125.
 *
 * What something is subtracted from has the limbs of 304 p added before, 152 less a bit each:
 *
 *      A^2 and CB, lanes 0 and 2         below 277; sums below 402, differences from 26 to 277
 *      G^2 and S                         below 277; G^2 - E^2 from 26 to 277
 *      the last product                  below 125, and what is added below 277: 402
 *      F                                 2 G + 2 * 2^18 and the lower halves of 486662 E: below 2.1 (in limb 0 it's 2 * 19 * 2^18);
 *                                        304 p - F is below 152
 *
 * So no limb is above 2^61, no carry above 2^10, and no limb negative.  -u is p - u, reduced, so that u and -u are tight.
 */
#include "ifma.h"

/* struct lc_25519_ladder_one: asserted in x86/curve25519_one.c */
#define LANES 0
#define U_FACTORS 160
#define MULTIPLIER 320

.section .rodata.lc_25519_one, "a", @progbits
.p2align 5
/* Limbs of multiples of p in lanes 0 and 2: the lowest, all others */
.Lp_times_304_lowest:
    .quad 304 * ((1 << 51) - 19), 0, 304 * ((1 << 51) - 19), 0
.Lp_times_304:
    .quad 304 * ((1 << 51) - 1), 0, 304 * ((1 << 51) - 1), 0
.Lp_times_152:
    .quad 152 * ((1 << 51) - 1), 0, 152 * ((1 << 51) - 1), 0
.Lneighbours:                   /* the second factor's lanes, if the lower half is doubled; else they are these ^ 3 */
    .quad 0, 1, 1, 0
.Lmask51:
    .quad (1 << 51) - 1
.Lnineteen:
    .quad 19
.Lcoefficient:                  /* of the curve */
    .quad 486662

.text

/* ---- Registers ---- */

#define W               %rdi    /* struct lc_25519_ladder_one */
#define STEP            %rsi

/*
 * A and B are factors, R results.  P5 to P9 and Q5 to Q8 are the accumulators of columns 5 to 9, for upper and for lower halves, U1
 * to U4 and R0 to R4 those of columns 1 to 4 and 0 to 4.  X is where Q is, and T0.
 */
.set VL, 32
.set CODE, EVEX
_set_vectors
.irp i, 0,1,2,3,4
    _name A\i, \i
    _name R\i, 1\i
.endr
_name B0, 5
_name B1, 6
_name B2, 7
_name B3, 8
_name B4, 9
.irp i, 5,6,7,8,9
    _name P\i, 1\i
.endr
.irp i, 1,2,3,4
    _name U\i, 2\i
.endr
.irp i, 5,6,7,8
    _name Q\i, 2\i
.endr
_name X0, 20
_name X1, 25
_name X2, 26
_name X3, 27
_name X4, 28
_name T0, 20
_name T1, 31
_name MASK51, 29
_name NINETEEN, 30

#define ODD %k1                 /* lanes 1 and 3 */
#define DOUBLED %k2             /* the half that is doubled, and the other one: secret */
#define ADDED %k3

/* ---- Multiplication ---- */

/* d += the lower or the upper halves of the products of limb i of A and b */
.macro _lu i, b, d
    vpmadd52luq A\i, \b, \d
.endm
.macro _hu i, b, d
    vpmadd52huq A\i, \b, \d
.endm
.macro _zeros registers:vararg
.irp r, \registers
    _zero \r
.endr
.endm

/* p = 2 p + q, and then 2 p + s */
.macro _double_add p, q, s
    vpaddq \p, \p, \p
    vpaddq \q, \p, \p
.ifnb \s
    vpaddq \p, \p, \p
    vpaddq \s, \p, \p
.endif
.endm
/* d = r + 2 u + 19 p = 16 p + p + 2 (u + p) + r.  There may be no u, or no r. */
.macro _fold p, u, r, d
    vpsllq $4, \p, T0
    vpaddq \p, T0, T0
.ifnb \u
    vpaddq \u, \p, \p
.endif
    vpaddq \p, \p, \p
.ifb \r
    vpaddq T0, \p, \d
.else
    vpaddq T0, \p, \p
    vpaddq \p, \r, \d
.endif
.endm

/* R += A * B */
.macro _multiply
    _zeros P5,P6,P7,P8,P9,Q5,Q6,Q7,Q8,U1,U2,U3,U4
    _hu 1, B3, P5
    _hu 1, B4, P6
    _lu 1, B4, Q5
    _lu 1, B3, R4
    _hu 2, B4, P7
    _hu 1, B2, U4
    _lu 2, B4, Q6
    _lu 1, B2, R3
    _hu 2, B2, P5
    _hu 2, B3, P6
    _lu 2, B3, Q5
    _lu 2, B2, R4
    _hu 3, B4, P8
    _hu 3, B3, P7
    _hu 2, B1, U4
    _hu 1, B1, U3
    _hu 3, B1, P5
    _hu 3, B2, P6
    _lu 3, B4, Q7
    _lu 3, B3, Q6
    _lu 3, B2, Q5
    _lu 3, B1, R4
    _lu 2, B1, R3
    _lu 1, B1, R2
    _hu 0, B4, P5
    _hu 4, B4, P9
    _hu 4, B3, P8
    _hu 4, B2, P7
    _hu 4, B1, P6
    _hu 0, B3, U4
    _hu 0, B2, U3
    _hu 0, B1, U2
    _hu 4, B0, P5
    _lu 4, B4, Q8
    _lu 4, B3, Q7
    _lu 4, B2, Q6
    _lu 4, B1, Q5
    _lu 0, B4, R4
    _lu 0, B3, R3
    _lu 0, B2, R2
    _lu 0, B1, R1
    _hu 3, B0, U4
    _hu 2, B0, U3
    _hu 1, B0, U2
    _hu 0, B0, U1
    _lu 4, B0, R4
    _lu 3, B0, R3
    _lu 2, B0, R2
    _lu 1, B0, R1
    _lu 0, B0, R0
    vpaddq P9, P9, P9
    _fold P9, U4, R4, R4
    _double_add P5, Q5
    _fold P5, , R0, R0
    _double_add P6, Q6
    _fold P6, U1, R1, R1
    _double_add P7, Q7
    _fold P7, U2, R2, R2
    _double_add P8, Q8
    _fold P8, U3, R3, R3
.endm

/*
 * R = A^2 + 304 p in lanes 0 and 2, in two parts: multiplications, and then sums.  Products of different limbs count twice, so P is
 * their upper halves, Q their lower ones and squares' upper ones.  Q8 is column 6's square's lower half; that of column 8 is in P8.
 * Columns 0 to 4 are likewise: of 1 U1, of 2 U2 and R2, of 3 U3 and R3, of 4 U4, T1 and R4.
 */
.macro _begin_square
    _zeros P5,P6,P7,P8,P9,Q5,Q6,Q7,Q8,U2,U3,U4,T1
    vmovdqa64 .Lp_times_304_lowest(%rip), R0
    vmovdqa64 .Lp_times_152(%rip), U1
    vmovdqa64 .Lp_times_304(%rip), R2
    vmovdqa64 .Lp_times_152(%rip), R3
    vmovdqa64 .Lp_times_304(%rip), R4
    _hu 1, A3, P5
    _hu 2, A3, P6
    _hu 2, A4, P7
    _hu 3, A4, P8
    _lu 2, A3, Q5
    _lu 2, A4, Q6
    _lu 3, A4, Q7
    _lu 3, A3, Q8
    _hu 1, A4, P6
    _hu 0, A4, P5
    _lu 1, A4, Q5
    _hu 3, A3, Q7
    _hu 4, A4, P9
    vpsllq $2, P8, P8
    _lu 4, A4, P8
    _hu 2, A2, Q5
    _hu 1, A2, U4
    _lu 1, A3, T1
    _hu 0, A1, U2
    _hu 0, A2, U3
    _hu 0, A3, U4
    _lu 1, A2, R3
    vpaddq U2, U2, U2
    _lu 2, A2, R4
    _hu 1, A1, R3
    _lu 0, A1, U1
    _lu 0, A2, U2
    _lu 0, A3, R3
    _lu 0, A4, T1
    _lu 1, A1, R2
    _hu 0, A0, U1
    _lu 0, A0, R0
.endm
.macro _end_square
    vpaddq P5, P5, P5
    vpaddq Q5, P5, P5
    vpaddq P5, P5, P5
    _fold P5, , R0, R0
    _double_add P6, Q6, Q8
    _fold P6, U1, , R1
    vpaddq P7, P7, P7
    vpaddq Q7, P7, P7
    vpaddq P7, P7, P7
    _fold P7, U2, R2, R2
    _double_add U3, R3
    _fold P8, U3, , R3
    _double_add U4, T1
    vpaddq P9, P9, P9
    _fold P9, U4, R4, R4
.endm

/* ---- Sums ---- */

/* d = r, tight, in all lanes or in those of a mask; r is clobbered unless it is d.  Clobbers P. */
.macro _carry r, d, lanes
    vpsrlq $51, \r\()4, P9
    vpsrlq $51, \r\()0, P5
    vpsrlq $51, \r\()1, P6
    vpsrlq $51, \r\()2, P7
    vpsrlq $51, \r\()3, P8
    vpandq MASK51, \r\()0, \d\()0 \lanes
    vpmadd52luq NINETEEN, P9, \d\()0 \lanes
.irp i, 1,2,3,4
    vpandq MASK51, \r\i, \r\i
.endr
    vpaddq P5, \r\()1, \d\()1 \lanes
    vpaddq P6, \r\()2, \d\()2 \lanes
    vpaddq P7, \r\()3, \d\()3 \lanes
    vpaddq P8, \r\()4, \d\()4 \lanes
.endm

/*
 * void lc_25519_ladder_one_avx512ifma_256(struct lc_25519_ladder_one *w)
 *
 * 255 steps: w->lanes has X + Z and X - Z of two points, tight, before infinity and the point that has u, afterwards the multiple
 * and the sum of both.  w->u, which is only read, has u and -u in each half, tight.  Aligned to 32.  Time depends on nothing.
 *
 * Clobbers all vector registers, k1 to k3, rax and rsi.
 */
FUNC(lc_25519_ladder_one_avx512ifma_256)
    mov $0x0a, %eax
    kmovw %eax, ODD
    vpbroadcastq .Lmask51(%rip), MASK51
    vpbroadcastq .Lnineteen(%rip), NINETEEN
.irp i, 0,1,2,3,4
    vmovdqa64 LANES+32*\i(W), R\i
.endr
    mov $254, %esi
.p2align 5
.Lstep_one:
    _carry R, A                 /* A, B, C, D */
    mov STEP, %rax
    shr $6, %rax
    mov MULTIPLIER(W, %rax, 8), %rax
    shrx STEP, %rax, %rax
    and $1, %eax
    lea (%rax, %rax, 2), %eax   /* 0 or 3 */
    vpbroadcastq %rax, T1
    vpxorq .Lneighbours(%rip), T1, T1
    lea 3(%rax, %rax, 2), %eax  /* 3 or 12 */
    kmovw %eax, DOUBLED
    xor $15, %eax
    kmovw %eax, ADDED
.irp i, 3,4,2,1,0
    vpermq A\i, T1, B\i
.endr
    vmovdqa64 .Lp_times_304_lowest(%rip), R0
.irp i, 1,2,3,4
    vmovdqa64 .Lp_times_304(%rip), R\i
.endr
    _multiply
    _zero T1
.irp i, 4,0,1,2,3
    vpshufd $0x4e, R\i, B\i
    vpsubq R\i, T1, R\i{ODD}
    vpaddq B\i, R\i, R\i
.endr
    _carry R, A                 /* G, E, s, d */
    _begin_square
    /* B = 2 G + 486662 E, A = E, in the half that is doubled: R1 isn't in use here. */
.irp i, 0,1,2,3,4
    vpunpcklqdq A\i, A\i, B\i
    vpunpckhqdq A\i, A\i, A\i
.endr
    _zero R1
    vpmadd52huq .Lcoefficient(%rip){1to4}, A4, R1
    vpmadd52huq .Lcoefficient(%rip){1to4}, A0, B1
    vpmadd52huq .Lcoefficient(%rip){1to4}, A1, B2
    vpmadd52huq .Lcoefficient(%rip){1to4}, A2, B3
    vpmadd52huq .Lcoefficient(%rip){1to4}, A3, B4
    vpmadd52luq NINETEEN, R1, B0
.irp i, 0,1,2,3,4
    vpaddq B\i, B\i, B\i
    vpmadd52luq .Lcoefficient(%rip){1to4}, A\i, B\i
.endr
    _end_square
    /* F, -F; u, -u */
    vpbroadcastq .Lp_times_304_lowest(%rip), T0
    vpsubq B0, T0, B0{ODD}
    vpbroadcastq .Lp_times_304(%rip), T0
.irp i, 1,2,3,4
    vpsubq B\i, T0, B\i{ODD}
.endr
    _carry B, B
.irp i, 0,1,2,3,4
    vmovdqa64 U_FACTORS+32*\i(W), X\i
    vmovdqa64 X\i, B\i{ADDED}  /* (not from memory by a secret mask) */
.endr
    /* A = E, E; T, T.  R = G^2 - E^2, twice; S, S */
.irp i, 4,0,1,2,3
    vpunpckhqdq R\i, R\i, X\i
    vpunpcklqdq R\i, R\i, R\i
    vpsubq X\i, R\i, R\i{DOUBLED}
.endr
    _carry X, A, {ADDED}
    _multiply
    sub $1, STEP
    jnc .Lstep_one
    _carry R, A
.irp i, 0,1,2,3,4
    vmovdqa64 A\i, LANES+32*\i(W)
.endr
    vzeroupper
    RETURN
END_FUNC(lc_25519_ladder_one_avx512ifma_256)

.section .note.GNU-stack, "", @progbits

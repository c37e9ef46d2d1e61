/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Curve25519 for x86-64 with BMI2: one point, in general registers.
 *
 * What is done with points, and why it is right, is in curve25519_body.h, which calls these functions.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * A number modulo p = 2^255 - 19 is four 64-bit words, the lowest first.  Of what may be in them there are three kinds:
 *
 *      tight        below 2^255 + 2^23: products and squares; what is loaded is below p
 *      a difference below 2^256 - 38 = 2p
 *      any          below 2^256: what is multiplied
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * Row by row: the four products of a row are summed by themselves, and then added to the rows above.  (That takes as many
 * instructions as two chains by adcx and adox, which would need ADX.)  The three lowest words are complete early, and are put aside
 * in memory, so that there are registers enough.
 *
 * 2^256 is 38 (mod p): the upper four words, times 38, are added to the lower ones, which gives less than 39 * 2^256.  What is in
 * that above 2^255 is below 78, and times 19 it is added to the rest: below 2^255 + 2^11, tight.
 *
 * A square has its six products of different words once, and the sum of them is doubled.
 *
 * -- Sums and differences -------------------------------------------------------------------------------------------------------
 *
 *      tight + tight         any.  If there is a carry, the sum without it is below 2^24, and 38 is added to the lowest word alone.
 *      any + tight           any.  If there is a carry, the sum without it is below 2^255 + 2^23; 38 is added, and that has none.
 *      any - tight           below 2^256; a difference if it's tight - tight.  If there is a borrow, what is in the words is above
 *                            2^255 - 2^24, and 38 is subtracted, which gives no other borrow.
 *      any - a difference    below 2^256.  If there is a borrow, what is in the words is above 2^256 - (2^256 - 38).
 */
#include "asm.h"

/* struct lc_25519_ladder_bmi2: asserted in x86/curve25519_bmi2.c */
#define LX2 0(W)
#define LZ2 32(W)
#define LX3 64(W)
#define LZ3 96(W)
#define LU 128(W)
#define L0 160(W)
#define L1 192(W)
#define L2 224(W)
#define L3 256(W)
#define L4 288(W)
#define L5 320(W)
#define LADDER_LOW 352
#define BITS 376

/* struct lc_25519_point_bmi2 */
#define PX 0(W)
#define PY 32(W)
#define PZ 64(W)
#define PT 96(W)
#define P0 128(W)
#define P1 160(W)
#define P2 192(W)
#define P3 224(W)
#define P4 256(W)
#define POINT_LOW 288

/* struct lc_25519_addend_bmi2, struct lc_25519_entry */
#define Q_PLUS 0(Q)
#define Q_MINUS 32(Q)
#define Q_DXY2 64(Q)
#define Q_Z2 96(Q)

.text

/* ---- Registers ---- */

#define W               %rdi    /* struct lc_25519_ladder_bmi2 or lc_25519_point_bmi2 */
#define FACTOR          %rdx    /* what mulx multiplies by */
#define Q               %rsi
#define COUNT           %rsi
/* Results are here; a row's products are before. */
#define R0              %rax
#define R1              %rcx
#define R2              %rbx
#define R3              %rbp
#define TOP             %r13
#define TMP             %r14
/* Sums of rows */
#define S0              %r8
#define S1              %r9
#define S2              %r10
#define S3              %r11
#define S4              %r12

#define WORDS 4
#include "words.h"

/* ---- Sums: m is a number in memory, r is R0..R3 ---- */

/* r += m, both tight */
.macro _add_tight m
    _add_words \m
    sbb S0, S0
    and $38, %r8d
    add S0, R0
.endm

/* r += m, which is tight */
.macro _add m
    _add_words \m
    sbb S0, S0
    and $38, %r8d
    add S0, R0
    adc $0, R1
    adc $0, R2
    adc $0, R3
.endm

/* r -= m, which is tight, or a difference */
.macro _sub m
    _sub_words \m
    sbb S0, S0
    and $38, %r8d
    sub S0, R0
    sbb $0, R1
    sbb $0, R2
    sbb $0, R3
.endm

/* ---- Products ---- */

/* r = r and TOP 2^256, tight; TOP is below 2^18. */
.macro _reduce_top
    add R3, R3
    adc TOP, TOP
    shr R3
    imul $19, TOP
    add TOP, R0
    adc $0, R1
    adc $0, R2
    adc $0, R3
.endm

/* r, top = FACTOR times the four words */
.macro _row a0, a1, a2, a3, top=TOP
    mulx \a0, R0, R1
    mulx \a1, TMP, R2
    add TMP, R1
    mulx \a2, TMP, R3
    adc TMP, R2
    mulx \a3, TMP, \top
    adc TMP, R3
    adc $0, \top
.endm

/* t0..t4 = t0..t3 + b a, one word of b */
.macro _add_row b, a, t0, t1, t2, t3, t4
    mov \b, FACTOR
    _row \a, 8+\a, 16+\a, 24+\a, \t4
    add R0, \t0
    adc R1, \t1
    adc R2, \t2
    adc R3, \t3
    adc $0, \t4
.endm

/* r = the upper words, 38 times, + the lower words, of which three are in memory */
.macro _fold low
    mov $38, %edx
    _row S3, S4, S0, S1
    add \low(W), R0
    adc 8+\low(W), R1
    adc 16+\low(W), R2
    adc S2, R3
    adc $0, TOP
    _reduce_top
.endm

/* r = a * b.  low(W): where there is room for three words; it may be b. */
.macro _multiply a, b, low
    mov \b, FACTOR
    mulx \a, R0, S0
    mulx 8+\a, R1, S1
    mov R0, \low(W)
    add R1, S0
    mulx 16+\a, R1, S2
    adc R1, S1
    mulx 24+\a, R1, S3
    adc R1, S2
    adc $0, S3
    _add_row 8+\b, \a, S0, S1, S2, S3, S4
    mov S0, 8+\low(W)
    _add_row 16+\b, \a, S1, S2, S3, S4, S0
    mov S1, 16+\low(W)
    _add_row 24+\b, \a, S2, S3, S4, S0, S1
    _fold \low
.endm

/* r = a^2.  low(W): likewise; it may be a. */
.macro _square a, low
    mov \a, FACTOR
    mulx 8+\a, R3, TOP              /* words 1 and 2 */
    mulx 16+\a, R0, S2
    add R0, TOP
    mulx 24+\a, R0, S3
    adc R0, S2
    adc $0, S3                      /* words 1 to 4: R3, TOP, S2, S3 */
    mov 8+\a, FACTOR
    mulx 16+\a, R0, R1
    mulx 24+\a, R2, S4
    add R2, R1
    adc $0, S4
    mov 16+\a, FACTOR
    mulx 24+\a, R2, S0
    add R0, S2
    adc R1, S3
    adc R2, S4
    adc $0, S0                      /* words 5 and 6: S4, S0 */
    mov $0, %r9d                    /* word 7: S1 */
    add R3, R3
    adc TOP, TOP
    adc S2, S2
    adc S3, S3
    adc S4, S4
    adc S0, S0
    adc S1, S1
    mov \a, FACTOR
    mulx FACTOR, R0, R1
    mov R0, \low(W)
    add R1, R3
    mov 8+\a, FACTOR
    mov R3, 8+\low(W)
    mulx FACTOR, R1, R2
    adc R1, TOP
    adc R2, S2
    mov 16+\a, FACTOR
    mov TOP, 16+\low(W)
    mulx FACTOR, R1, R2
    adc R1, S3
    adc R2, S4
    mov 24+\a, FACTOR
    mulx FACTOR, R1, R2
    adc R1, S0
    adc R2, S1
    _fold \low
.endm

_begin_code lc_25519_bmi2_avx2

/*
 * void lc_25519_mul_bmi2_avx2(struct lc_25519_words *r, const struct lc_25519_words *a, const struct lc_25519_words *b)
 *
 * r = a * b mod p, tight, for any numbers.  r may be b, not a.
 */
FUNC(lc_25519_mul_bmi2_avx2)
    _save_registers %r15
    mov %rdx, %r15
    _multiply 0(%rsi), 0(%r15), 0
    _store 0(%rdi)
    _restore_registers %r15
    RETURN
END_FUNC(lc_25519_mul_bmi2_avx2)

/*
 * void lc_25519_sqr_bmi2_avx2(struct lc_25519_words *r, const struct lc_25519_words *a, size_t times)
 *
 * r = a^(2^times) mod p, tight, for any number; times >= 1.  r may be a.
 */
FUNC(lc_25519_sqr_bmi2_avx2)
    _save_registers %r15
    mov %rdx, %r15
.Lsquare_25519:
    _square 0(%rsi), 0
    _store 0(%rdi)
    mov %rdi, %rsi
    sub $1, %r15                /* (dec would leave a secret carry in the flags, which the check of constant time rejects) */
    jnz .Lsquare_25519
    _restore_registers %r15
    RETURN
END_FUNC(lc_25519_sqr_bmi2_avx2)

/*
 * void lc_25519_ladder_bmi2_avx2(struct lc_25519_ladder_bmi2 *w)
 *
 * 255 steps of Montgomery's ladder (RFC 7748, 5).  Before, (X2 : Z2) and (X3 : Z3) are infinity and the point that has u, all of
 * them tight; bit 254 of `bits` belongs to the first step, and is set where the multiplier's bit isn't the one above.
 *
 *      A = X2 + Z2,   B = X2 - Z2,   C = X3 + Z3,   D = X3 - Z3
 *      X3' = (D A + C B)^2,   Z3' = u (D A - C B)^2
 *      X2' = A^2 B^2,   Z2' = E (A^2 + 121665 E),   E = A^2 - B^2
 *
 * Where points are to be exchanged first, D A and C B are just exchanged.  So nothing depends on that but A and B of the last line.
 */
FUNC(lc_25519_ladder_bmi2_avx2)
    _save_registers
    mov $254, %esi
.p2align 5
.Lstep_25519:
    _load LX3
    _sub LZ3
    _store L3                   /* D */
    _load LX2
    _add_tight LZ2
    _store L0                   /* A */
    _multiply L3, L0, LADDER_LOW
    _store L4                   /* D A */
    _load LX2
    _sub LZ2
    _store L1                   /* B */
    _load LX3
    _add_tight LZ3
    _store L2                   /* C */
    _multiply L2, L1, LADDER_LOW
    _store L5                   /* C B */
    _add_tight L4
    _store LX3
    _load L4
    _sub L5
    _store LZ3
    _square LZ3, LADDER_LOW
    _store LZ3
    /* A or C, B or D */
    mov COUNT, S0
    shr $6, S0
    mov BITS(W, S0, 8), S0
    shrx COUNT, S0, S0
    test $1, %r8b
.irp at, 0,8,16,24,32,40,48,56
    mov \at + L0, R0
    cmovnz \at + L2, R0
    mov R0, \at + L0
.endr
    _square L1, LADDER_LOW
    _store L1                   /* B^2 */
    _square L0, LADDER_LOW
    _store L0                   /* A^2 */
    _sub L1
    _store L2                   /* E */
    _multiply LU, LZ3, LADDER_LOW
    _store LZ3
    _square LX3, LADDER_LOW
    _store LX3
    mov $121665, %edx           /* (486662 - 2) / 4 */
    _row L2, 8+L2, 16+L2, 24+L2
    _add_words L0
    adc $0, TOP
    _reduce_top
    _store L3
    _multiply L0, L1, LADDER_LOW
    _store LX2
    _multiply L2, L3, LADDER_LOW
    _store LZ2
    sub $1, COUNT
    jnc .Lstep_25519
    _restore_registers
    RETURN
END_FUNC(lc_25519_ladder_bmi2_avx2)

/*
 * void lc_25519_double_bmi2_avx2(struct lc_25519_point_bmi2 *p, size_t times)
 *
 * p = 2^times p, times >= 1, from X, Y and Z, which are tight:
 *
 *      H = Y^2 + X^2,   G = Y^2 - X^2,   E = H - (X - Y)^2 = 2 X Y,   F = 2 Z^2 - G
 *      X' = E F,   Y' = G H,   Z' = F G,   T' = E H
 *
 * T is calculated when all is done, as doubling doesn't need it.
 */
FUNC(lc_25519_double_bmi2_avx2)
    _save_registers
.p2align 5
.Ldouble_25519:
    _square PX, POINT_LOW
    _store P0                   /* X^2 */
    _square PY, POINT_LOW
    _store P1                   /* Y^2 */
    _load PX
    _sub PY
    _store P4
    _square PZ, POINT_LOW
    _store P2                   /* Z^2 */
    _square P4, POINT_LOW
    _store P4                   /* (X - Y)^2 */
    _load P1
    _sub P0
    _store P3                   /* G */
    _load P1
    _add_tight P0
    _store P0                   /* H */
    _sub P4
    _store P1                   /* E */
    _load P2
    _add_tight P2
    _sub P3
    _store P2                   /* F */
    _multiply P3, P0, POINT_LOW
    _store PY
    _multiply P1, P2, POINT_LOW
    _store PX
    _multiply P2, P3, POINT_LOW
    _store PZ
    sub $1, COUNT
    jnz .Ldouble_25519
    _multiply P0, P1, POINT_LOW
    _store PT
    _restore_registers
    RETURN
END_FUNC(lc_25519_double_bmi2_avx2)

/*
 * void lc_25519_add_bmi2_avx2(struct lc_25519_point_bmi2 *p, const struct lc_25519_addend_bmi2 *q, int with_t)
 * void lc_25519_add_affine_bmi2_avx2(struct lc_25519_point_bmi2 *p, const struct lc_25519_addend_bmi2 *q, int with_t)
 *
 * p += q, where p is tight, and q any number; in the second one q's z is 1.  T is calculated if with_t is 1, not 0.
 *
 *      A = (Y - X)(y - x),   B = (Y + X)(y + x),   C = T 2 d x y,   D = Z 2 z
 *      E = B - A,   F = D - C,   G = D + C,   H = B + A
 *      X' = E F,   Y' = G H,   Z' = F G,   T' = E H
 */
#define WITH_T 1
#define AFFINE 2
.p2align 4
.L25519_add_bmi2_avx2:
FUNC(lc_25519_add_bmi2_avx2)
    _save_registers %r15
    mov %edx, %r15d
    _load PY
    _sub PX
    _store P0
    _load PY
    _add_tight PX
    _store P1
    _multiply PT, Q_DXY2, POINT_LOW
    _store P2                   /* C */
    _multiply P0, Q_MINUS, POINT_LOW
    _store P0                   /* A */
    _multiply P1, Q_PLUS, POINT_LOW
    _store P1                   /* B */
    test $AFFINE, %r15d
    jz 1f
    _load PZ
    _add_tight PZ
    jmp 2f
1:
    _multiply PZ, Q_Z2, POINT_LOW
2:
    _store P3                   /* D */
    _add P2
    _store P4                   /* G */
    _load P3
    _sub P2
    _store P3                   /* F */
    _load P1
    _sub P0
    _store P2                   /* E */
    _load P1
    _add_tight P0
    _store P1                   /* H */
    _multiply P3, P4, POINT_LOW
    _store PZ
    _multiply P2, P3, POINT_LOW
    _store PX
    _multiply P4, P1, POINT_LOW
    _store PY
    test $WITH_T, %r15d
    jz 3f
    _multiply P2, P1, POINT_LOW
    _store PT
3:
    _restore_registers %r15
    RETURN
END_FUNC(lc_25519_add_bmi2_avx2)

FUNC(lc_25519_add_affine_bmi2_avx2)
    or $AFFINE, %edx
    _jump_to jmp, 25519_add_bmi2_avx2
END_FUNC(lc_25519_add_affine_bmi2_avx2)

/*
 * void lc_25519_select_bmi2_avx2(struct lc_25519_addend_bmi2 *q, const struct lc_25519_entry comb[16], uint64_t index,
 *                                uint64_t negative)
 *
 * q = comb[index], index < 16, or its negative where `negative` is -1, not 0: y + x and y - x are exchanged then, and 2 d x y is 2p
 * less that.  All of the table is read.
 */
#define COMB %rsi
FUNC(lc_25519_select_bmi2_avx2)
    vmovd %edx, %xmm4
    vpbroadcastd %xmm4, %ymm4       /* the index, less the entry's number */
    vmovq %rcx, %xmm6
    vpbroadcastq %xmm6, %ymm6       /* the sign */
    vpcmpeqd %ymm5, %ymm5, %ymm5    /* -1 */
    vpxor %xmm0, %xmm0, %xmm0       /* y + x */
    vpxor %xmm1, %xmm1, %xmm1       /* y - x */
    vpxor %xmm2, %xmm2, %xmm2       /* 2 d x y */
    vpxor %xmm3, %xmm3, %xmm3
    mov $8, %eax
.Lselect_25519:
.irp e, 0,1
    vpcmpeqd %ymm4, %ymm3, %ymm10
    vpaddd %ymm5, %ymm4, %ymm4
    vpand 96*\e(COMB), %ymm10, %ymm7
    vpand 96*\e+32(COMB), %ymm10, %ymm8
    vpand 96*\e+64(COMB), %ymm10, %ymm9
    vpor %ymm7, %ymm0, %ymm0
    vpor %ymm8, %ymm1, %ymm1
    vpor %ymm9, %ymm2, %ymm2
.endr
    add $192, COMB
    dec %eax
    jnz .Lselect_25519
    vpxor %ymm0, %ymm1, %ymm7
    vpand %ymm6, %ymm7, %ymm7
    vpxor %ymm7, %ymm0, %ymm0
    vpxor %ymm7, %ymm1, %ymm1
    vmovdqu %ymm0, (%rdi)
    vmovdqu %ymm1, 32(%rdi)
    vpxor %ymm6, %ymm2, %ymm2       /* 2^256 - 1 less it */
    vmovdqu %ymm2, 64(%rdi)
    vzeroupper
    and $37, %ecx
    mov $0, %eax
    sub %rcx, 64(%rdi)
    sbb %rax, 72(%rdi)
    sbb %rax, 80(%rdi)
    sbb %rax, 88(%rdi)
    RETURN
END_FUNC(lc_25519_select_bmi2_avx2)

_end_code lc_25519_bmi2_avx2

.section .note.GNU-stack, "", @progbits

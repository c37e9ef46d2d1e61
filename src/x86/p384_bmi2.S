/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-384 for x86-64 with BMI2: one point, in general registers.
 *
 * What is done with points, and why it is right, is in ec_one_body.h, which calls these functions.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * A number x modulo p = 2^384 - 2^128 - 2^96 + 2^32 - 1 is kept as x * 2^384 mod p (Montgomery's form), in six 64-bit words, the
 * lowest first, and always below p.
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * a * b / 2^384 mod p, word by word of b: t += a * b_i; then the multiple m of p that makes t's lowest word zero; t moves down by a
 * word.  As 1 / p = -(2^32 + 1) (mod 2^64), with the lowest word t_0
 *
 *      m = t_0 + 2^32 t_0 mod 2^64,      t + m p = t + m * 2^32 - m - m * 2^96 - m * 2^128 + m * 2^384
 *
 * There is nothing to multiply: let h be the upper half of m and l = 2^32 t_0 mod 2^64, which is what m * 2^32 has in the word 0,
 * too; h is what it has in the word 1.  t_0 + l is m and a carry c.  So the word 0 is gone, and with 64 bits less
 *
 *      t / 2^64 - ((l - h - c) + (h + m) * 2^64) + m * 2^320
 *
 * where what is subtracted has three words; its lowest one may lend from the others, and never all of it.  If m isn't 0, what is
 * subtracted isn't, either, and what it lends in the end comes from m * 2^320.
 *
 * Bounds: t < 2p before and a < p, so t + a * b_i < p * (2^64 - 1) + 2p, which may be more than 2^448: seven words and a carry.
 * With m p it's below p * 2^65 + p, so there is one bit above seven words, the sum of both carries.  It is the seventh word after t
 * has moved down.  t < 2p again, as in mod.h.
 *
 * Of a row, first the products by the words 0, 2 and 4 of a are added, which lie side by side, then those by 1, 3 and 5: 13
 * additions.  Two chains at a time, by adcx and adox, would be 12, an instruction that clears the flags and one for the last carry.
 *
 * A square has its fifteen products of different words once, and the sum of them is doubled.  It's reduced when it is complete, by
 * the same steps, of six words: t + m p < 2^384 + 2^64 p, which moved down is below p + 2^65.  Then the upper half is added.
 *
 * All of them end below 2p, and one subtraction of p makes that less than p.
 */
#include "asm.h"

/* struct lc_p384_work: asserted in x86/p384_bmi2.c */
#define PX 0(W)
#define PY 48(W)
#define PZ 96(W)
#define EX 144(W)
#define EY 192(W)
#define INDEX 240(W)
#define NEGATIVE 248(W)
#define T0 256(W)
#define T1 304(W)
#define T2 352(W)
#define T3 400(W)

.section .rodata.lc_p384_bmi2, "a", @progbits
.p2align 3
.Lp0:
    .quad 0x00000000ffffffff        /* of p; the third word is -2, the others are -1 */
.Lp1:
    .quad 0xffffffff00000000

.text

/* ---- Registers ---- */

#define W               %rdi    /* struct lc_p384_work */
#define FACTOR          %rdx    /* what mulx multiplies by */
#define TABLE           %rsi
/* The sum that moves down: in turn each of them is its lowest word.  (All of them have a lower half that is called %r..d.) */
#define S0              %r8
#define S1              %r9
#define S2              %r10
#define S3              %r11
#define S4              %r12
#define S5              %r13
#define S6              %r14
/* Temporaries, and the upper half of a square */
#define X0              %rax
#define X1              %rcx
#define X2              %rbx
#define X3              %rbp
#define X4              %rsi
#define X5              %r15
/* Where all results are: after six words S6 is the lowest one. */
#define R0              S6
#define R1              S0
#define R2              S1
#define R3              S2
#define R4              S3
#define R5              S4
#define TOP             S5

.macro _save_registers
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
.endm

.macro _restore_registers
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
.endm

/* ---- Loads, stores, sums: operands are numbers in memory, r is R0..R5 ---- */

.macro _load m
    mov \m, R0
    mov 8+\m, R1
    mov 16+\m, R2
    mov 24+\m, R3
    mov 32+\m, R4
    mov 40+\m, R5
.endm

.macro _store m
    mov R0, \m
    mov R1, 8+\m
    mov R2, 16+\m
    mov R3, 24+\m
    mov R4, 32+\m
    mov R5, 40+\m
.endm

/* r -= p, unless that is negative; TOP is the word above r. */
.macro _reduce_once
    mov R0, X0
    mov R1, X1
    mov R2, X2
    mov R3, X3
    mov R4, X4
    mov R5, X5
    sub .Lp0(%rip), X0
    sbb .Lp1(%rip), X1
    sbb $-2, X2
    sbb $-1, X3
    sbb $-1, X4
    sbb $-1, X5
    sbb $0, TOP
    cmovnc X0, R0
    cmovnc X1, R1
    cmovnc X2, R2
    cmovnc X3, R3
    cmovnc X4, R4
    cmovnc X5, R5
.endm

/* r += p where the mask X0 is -1, not 0; the flags are those of the last addition. */
.macro _add_p_if
    mov %eax, %ecx                  /* X1 = the lower half of X0 */
    mov X0, X2
    shl $32, X2
    lea (X0, X0), X3
    add X1, R0
    adc X2, R1
    adc X3, R2
    adc X0, R3
    adc X0, R4
    adc X0, R5
.endm

.macro _add m
    xor %r13d, %r13d                /* TOP */
    add \m, R0
    adc 8+\m, R1
    adc 16+\m, R2
    adc 24+\m, R3
    adc 32+\m, R4
    adc 40+\m, R5
    adc $0, TOP
    _reduce_once
.endm

.macro _sub m
    sub \m, R0
    sbb 8+\m, R1
    sbb 16+\m, R2
    sbb 24+\m, R3
    sbb 32+\m, R4
    sbb 40+\m, R5
    sbb X0, X0
    _add_p_if
.endm

/* r = r / 2: an odd number has p added first, which makes 385 bits, and its top one is shifted in. */
.macro _half
    mov R0, X0
    and $1, %eax
    neg X0
    _add_p_if
    rcr R5
    rcr R4
    rcr R3
    rcr R2
    rcr R1
    rcr R0
.endm

/* ---- Products ---- */

/*
 * t0..t6 + m p, moved down: t1..t6, t0; X5 is the word above t6.  Without t6, if that and X5 are 0: t1..t5, t0.  carry: a register,
 * whose lower half is `carry32`.
 */
.macro _reduce_word carry, carry32, t0, t1, t2, t3, t4, t5, t6
    mov \t0, X0
    shl $32, X0                     /* l */
    mov \t0, FACTOR
    add X0, FACTOR                  /* m, c */
    rorx $32, FACTOR, \t0
    mov \t0\()d, \t0\()d            /* h */
    sbb \t0, X0
    sbb $0, \t0
    mov $0, \carry32
    add FACTOR, \t0
    adc \carry, \carry
    sub X0, \t1
    sbb \t0, \t2
    sbb \carry, \t3
    sbb $0, \t4
    sbb $0, \t5
.ifb \t6
    mov FACTOR, \t0
    sbb $0, \t0
.else
    sbb $0, FACTOR
    mov X5, \t0
    add FACTOR, \t6
    adc $0, \t0
.endif
.endm

/* t0..t6 += a * b, one word of it; X5 = the carry */
.macro _row a, b, t0, t1, t2, t3, t4, t5, t6
    mov \b, FACTOR
    mulx \a, X0, X1
    add X0, \t0
    adc X1, \t1
    mulx 16+\a, X2, X3
    adc X2, \t2
    adc X3, \t3
    mulx 32+\a, X0, X1
    adc X0, \t4
    adc X1, \t5
    adc $0, \t6
    mulx 8+\a, X2, X3
    add X2, \t1
    adc X3, \t2
    mulx 24+\a, X0, X1
    adc X0, \t3
    adc X1, \t4
    mulx 40+\a, X2, X3
    adc X2, \t5
    adc X3, \t6
    mov $0, %r15d
    adc X5, X5
.endm

/* r = a * b */
.macro _multiply a, b
    mov \b, FACTOR
    mulx \a, S0, S1
    mulx 8+\a, X0, S2
    add X0, S1
    mulx 16+\a, X0, S3
    adc X0, S2
    mulx 24+\a, X0, S4
    adc X0, S3
    mulx 32+\a, X0, S5
    adc X0, S4
    mulx 40+\a, X0, S6
    adc X0, S5
    adc $0, S6
    mov $0, %r15d
    _reduce_word X1, %ecx, S0, S1, S2, S3, S4, S5, S6
    _row \a, 8+\b, S1, S2, S3, S4, S5, S6, S0
    _reduce_word X1, %ecx, S1, S2, S3, S4, S5, S6, S0
    _row \a, 16+\b, S2, S3, S4, S5, S6, S0, S1
    _reduce_word X1, %ecx, S2, S3, S4, S5, S6, S0, S1
    _row \a, 24+\b, S3, S4, S5, S6, S0, S1, S2
    _reduce_word X1, %ecx, S3, S4, S5, S6, S0, S1, S2
    _row \a, 32+\b, S4, S5, S6, S0, S1, S2, S3
    _reduce_word X1, %ecx, S4, S5, S6, S0, S1, S2, S3
    _row \a, 40+\b, S5, S6, S0, S1, S2, S3, S4
    _reduce_word X1, %ecx, S5, S6, S0, S1, S2, S3, S4
    _reduce_once
.endm

/* a * a, twelve words: R0..R5, S5, X5, X2, X3, X1, X4 */
.macro _square_words a
    mov \a, FACTOR                  /* 0 by 1 to 5: words 1 to 6 */
    mulx 8+\a, R1, R2
    mulx 16+\a, X0, R3
    add X0, R2
    mulx 24+\a, X0, R4
    adc X0, R3
    mulx 32+\a, X0, R5
    adc X0, R4
    mulx 40+\a, X0, S5
    adc X0, R5
    adc $0, S5
    mov 8+\a, FACTOR                /* 1 by 2 to 5: words 3 to 7 */
    mulx 16+\a, X0, X1
    mulx 32+\a, X2, X3
    mov $0, %r15d
    add X0, R3
    adc X1, R4
    adc X2, R5
    adc X3, S5
    adc $0, X5
    mulx 24+\a, X0, X1
    mulx 40+\a, X2, X3
    add X0, R4
    adc X1, R5
    adc X2, S5
    adc X3, X5
    mov 16+\a, FACTOR               /* 2 by 3 to 5: words 5 to 8 */
    mulx 24+\a, X0, X1
    mulx 40+\a, X3, X2
    add X0, R5
    adc X1, S5
    adc X3, X5
    adc $0, X2
    mulx 32+\a, X0, X1
    add X0, S5
    adc X1, X5
    adc $0, X2
    mov 24+\a, FACTOR               /* 3 by 4 and 5: words 7 to 9 */
    mulx 32+\a, X0, X1
    mulx 40+\a, X4, X3
    add X0, X5
    adc X1, X2
    adc $0, X3
    mov 32+\a, FACTOR               /* 4 by 5: words 9 and 10 */
    mulx 40+\a, X0, X1
    add X4, X2
    adc X0, X3
    adc $0, X1
    mov $0, %esi
    add R1, R1
    adc R2, R2
    adc R3, R3
    adc R4, R4
    adc R5, R5
    adc S5, S5
    adc X5, X5
    adc X2, X2
    adc X3, X3
    adc X1, X1
    adc X4, X4                      /* word 11 */
    mov \a, FACTOR
    mulx FACTOR, R0, X0
    add X0, R1
    mov 8+\a, FACTOR
    mulx FACTOR, FACTOR, X0
    adc FACTOR, R2
    adc X0, R3
    mov 16+\a, FACTOR
    mulx FACTOR, FACTOR, X0
    adc FACTOR, R4
    adc X0, R5
    mov 24+\a, FACTOR
    mulx FACTOR, FACTOR, X0
    adc FACTOR, S5
    adc X0, X5
    mov 32+\a, FACTOR
    mulx FACTOR, FACTOR, X0
    adc FACTOR, X2
    adc X0, X3
    mov 40+\a, FACTOR
    mulx FACTOR, FACTOR, X0
    adc FACTOR, X1
    adc X0, X4
.endm

/* r = those / 2^384.  It takes W for a carry, as there is no other register left. */
.macro _reduce_words
    _reduce_word %rdi, %edi, R0, R1, R2, R3, R4, R5
    _reduce_word %rdi, %edi, R1, R2, R3, R4, R5, R0
    _reduce_word %rdi, %edi, R2, R3, R4, R5, R0, R1
    _reduce_word %rdi, %edi, R3, R4, R5, R0, R1, R2
    _reduce_word %rdi, %edi, R4, R5, R0, R1, R2, R3
    _reduce_word %rdi, %edi, R5, R0, R1, R2, R3, R4
    add S5, R0
    adc X5, R1
    adc X2, R2
    adc X3, R3
    adc X1, R4
    adc X4, R5
    mov $0, %r13d
    adc $0, TOP
    _reduce_once
.endm

/* r = a * a */
.macro _square a
    _square_words \a
    push W
    _reduce_words
    pop W
.endm

_begin_code lc_p384_bmi2_avx2

/*
 * void lc_p384_mul_bmi2_avx2(uint64_t r[6], const uint64_t a[6], const uint64_t b[6])
 *
 * r = a * b / 2^384 mod p, where a, b < p.  r may be a or b.
 */
FUNC(lc_p384_mul_bmi2_avx2)
    _save_registers
    push %rdi
    mov %rdx, %rdi
    _multiply 0(%rdi), 0(%rsi)
    pop %rdi
    _store 0(%rdi)
    _restore_registers
    RETURN
END_FUNC(lc_p384_mul_bmi2_avx2)

/*
 * void lc_p384_sqr_bmi2_avx2(uint64_t r[6], const uint64_t a[6])
 *
 * r = a^2 / 2^384 mod p, where a < p.  r may be a.
 */
FUNC(lc_p384_sqr_bmi2_avx2)
    _save_registers
    push %rdi
    mov %rsi, %rdi
    _square_words 0(%rdi)
    _reduce_words
    pop %rdi
    _store 0(%rdi)
    _restore_registers
    RETURN
END_FUNC(lc_p384_sqr_bmi2_avx2)

/*
 * void lc_p384_double_bmi2_avx2(struct lc_p384_work *w, size_t times)
 *
 * (X : Y : Z) = 2 (X : Y : Z), as often; times >= 1.  The formula is that of lc_p256_double_bmi2_avx2.
 */
FUNC(lc_p384_double_bmi2_avx2)
    _save_registers
    vmovq %rsi, %xmm0           /* a square takes all general registers */
.Ldouble_bmi2:
    _square PZ
    _store T0
    _load PX
    _sub T0
    _store T1                   /* X - Z^2 */
    _load PX
    _add T0
    _store T2                   /* X + Z^2 */
    _square PY
    _store T0                   /* Y^2 */
    _multiply T1, T2
    _store T1
    _half
    _add T1
    _store T1                   /* L */
    _multiply PX, T0
    _store T2                   /* B */
    _multiply PY, PZ
    _store PZ
    _square T1
    _sub T2
    _sub T2
    _store PX
    _square T0
    _store T3                   /* Y^4 */
    _load T2
    _sub PX
    _store T2
    _multiply T1, T2
    _sub T3
    _store PY
    vmovq %xmm0, %rsi
    sub $1, %rsi
    vmovq %rsi, %xmm0
    jnz .Ldouble_bmi2
    _restore_registers
    RETURN
END_FUNC(lc_p384_double_bmi2_avx2)

/*
 * void lc_p384_add_bmi2_avx2(struct lc_p384_work *w)
 *
 * (X : Y : Z) += the entry, the affine point (x, y), as lc_p256_add_bmi2_avx2 does it: Z = 0 if the points are equal or opposite,
 * and X = 0 then if they are equal.  Infinity plus the entry gives Z = 0, too.
 */
FUNC(lc_p384_add_bmi2_avx2)
    _save_registers
    _square PZ
    _store T0                   /* Z^2 */
    _multiply EX, T0
    _sub PX
    _store T1                   /* H */
    _multiply PZ, T0
    _store T0                   /* Z^3 */
    _multiply PZ, T1
    _store PZ
    _multiply EY, T0
    _sub PY
    _store T0                   /* R */
    _square T1
    _store T2                   /* H^2 */
    _multiply T1, T2
    _store T1                   /* H^3 */
    _multiply PX, T2
    _store T2                   /* V */
    _square T0
    _sub T1
    _sub T2
    _sub T2
    _store PX
    _multiply PY, T1
    _store T1                   /* Y H^3 */
    _load T2
    _sub PX
    _store T2
    _multiply T0, T2
    _sub T1
    _store PY
    _restore_registers
    RETURN
END_FUNC(lc_p384_add_bmi2_avx2)

/*
 * void lc_p384_select_bmi2_avx2(struct lc_p384_work *w, const struct lc_p384_point table[16])
 *
 * The entry = table[index], index < 16, with -y for y where `negative` is -1, not 0.  All of the table is read.  y isn't 0.
 */
FUNC(lc_p384_select_bmi2_avx2)
    vpbroadcastd INDEX, %ymm4       /* the index, less the entry's number */
    vpcmpeqd %ymm5, %ymm5, %ymm5    /* -1 */
    vpxor %xmm0, %xmm0, %xmm0       /* x, and y, whose first words are the upper half of ymm1 */
    vpxor %xmm1, %xmm1, %xmm1
    vpxor %xmm2, %xmm2, %xmm2
    vpxor %xmm3, %xmm3, %xmm3
    mov $8, %ecx
.Lselect_bmi2:
.irp e, 0,1
    vpcmpeqd %ymm4, %ymm3, %ymm6
    vpaddd %ymm5, %ymm4, %ymm4
    vpand 96*\e(TABLE), %ymm6, %ymm7
    vpor %ymm7, %ymm0, %ymm0
    vpand 96*\e+32(TABLE), %ymm6, %ymm7
    vpor %ymm7, %ymm1, %ymm1
    vpand 96*\e+64(TABLE), %ymm6, %ymm7
    vpor %ymm7, %ymm2, %ymm2
.endr
    add $192, TABLE
    dec %ecx
    jnz .Lselect_bmi2
    /* p - y = ~y + p + 1, if it's that; of p + 1 the first word is 2^32, and the others are those of p. */
    vpbroadcastq NEGATIVE, %ymm4
    vpblendd $0xf0, %ymm4, %ymm3, %ymm3
    vpxor %ymm3, %ymm1, %ymm1
    vpxor %ymm4, %ymm2, %ymm2
    vmovdqu %ymm0, EX
    vmovdqu %ymm1, 32+EX
    vmovdqu %ymm2, 64+EX
    vzeroupper
    mov NEGATIVE, %rax
    mov %rax, %rcx
    shl $32, %rcx
    xor %edx, %edx
    sub %rcx, %rdx
    lea (%rax, %rax), %rsi
    add %rdx, EY
    adc %rcx, 8+EY
    adc %rsi, 16+EY
    adc %rax, 24+EY
    adc %rax, 32+EY
    adc %rax, 40+EY
    RETURN
END_FUNC(lc_p384_select_bmi2_avx2)

_end_code lc_p384_bmi2_avx2

.section .note.GNU-stack, "", @progbits

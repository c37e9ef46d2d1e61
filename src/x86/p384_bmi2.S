/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-384 for x86-64 with BMI2: one point, in general registers.
 *
 * What is done with points, and why it is right, is in ec_one.c, which calls these functions.
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

.text

/* ---- Registers ---- */

#define W               %rdi    /* struct lc_p384_work, in ec_work.h */
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
#define TOP32           %r13d

#define WORDS 6
#include "jacobian.h"

/* ---- Sums: what jacobian.h needs of them; r is R0..R5 ---- */

/* r -= p, unless that is negative; TOP is the word above r. */
.macro _reduce_once
    mov R0, X0
    mov R1, X1
    mov R2, X2
    mov R3, X3
    mov R4, X4
    mov R5, X5
    mov $0xffffffff, %edx
    sub FACTOR, X0
    not FACTOR
    sbb FACTOR, X1
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
.macro _product a, b
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
    mov $0, TOP32
    adc $0, TOP
    _reduce_once
.endm

/* The same by functions, as jacobian.h has it.  A square takes all registers. */
.macro _multiply a, b
    _point_to \a, \b, %rsi
    call lc_p384_product_bmi2_avx2
.endm
.macro _square a
    push W
    lea \a-BASE(W), %rdi
    call lc_p384_square_bmi2_avx2
    pop W
.endm

_begin_code lc_p384_bmi2_avx2

/* r = the number at rdi times the one at rsi */
INNER_FUNC(lc_p384_product_bmi2_avx2)
    _product 0(%rdi), 0(%rsi)
    RETURN
END_FUNC(lc_p384_product_bmi2_avx2)

/* r = the number at rdi, squared; it clobbers rdi. */
INNER_FUNC(lc_p384_square_bmi2_avx2)
    _square_words 0(%rdi)
    _reduce_words
    RETURN
END_FUNC(lc_p384_square_bmi2_avx2)

/*
 * void lc_p384_mul_bmi2_avx2(uint64_t r[6], const uint64_t a[6], const uint64_t b[6])
 *
 * r = a * b / 2^384 mod p, where a, b < p.  r may be a or b.
 */
FUNC(lc_p384_mul_bmi2_avx2)
    _save_registers %r15
    push %rdi
    mov %rdx, %rdi
    call lc_p384_product_bmi2_avx2
    pop %rdi
    _store 0(%rdi)
    _restore_registers %r15
    RETURN
END_FUNC(lc_p384_mul_bmi2_avx2)

/*
 * void lc_p384_sqr_bmi2_avx2(uint64_t r[6], const uint64_t a[6])
 *
 * r = a^2 / 2^384 mod p, where a < p.  r may be a.
 */
FUNC(lc_p384_sqr_bmi2_avx2)
    _save_registers %r15
    push %rdi
    mov %rsi, %rdi
    call lc_p384_square_bmi2_avx2
    pop %rdi
    _store 0(%rdi)
    _restore_registers %r15
    RETURN
END_FUNC(lc_p384_sqr_bmi2_avx2)

/*
 * void lc_p384_double_bmi2_avx2(uint64_t *w, size_t times)
 *
 * (X : Y : Z) = 2 (X : Y : Z), as often; times >= 1.  jacobian.h has the formula.
 */
FUNC(lc_p384_double_bmi2_avx2)
    _save_registers %r15
    vmovq %rsi, %xmm0           /* a square takes all general registers */
.Ldouble_bmi2:
    _double_point
    _point_to_begin
    vmovq %xmm0, %rsi
    sub $1, %rsi
    vmovq %rsi, %xmm0
    jnz .Ldouble_bmi2
    _restore_registers %r15
    RETURN
END_FUNC(lc_p384_double_bmi2_avx2)

/*
 * void lc_p384_add_bmi2_avx2(uint64_t *w)
 *
 * (X : Y : Z) += the entry.  jacobian.h has the formula, and what Z and X tell where it doesn't hold.
 */
FUNC(lc_p384_add_bmi2_avx2)
    _save_registers %r15
    _add_entry
    .set BASE, 0
    _restore_registers %r15
    RETURN
END_FUNC(lc_p384_add_bmi2_avx2)

/*
 * void lc_p384_select_bmi2_avx2(uint64_t *w, const uint64_t *table)
 *
 * The entry = table[index], index < 16.  All of the table is read.
 */
FUNC(lc_p384_select_bmi2_avx2)
    vpbroadcastd INDEX(W), %ymm4    /* the index, less the entry's number */
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
    vmovdqu %ymm0, EX(W)
    vmovdqu %ymm1, 32+EX(W)
    vmovdqu %ymm2, 64+EX(W)
    vzeroupper
    RETURN
END_FUNC(lc_p384_select_bmi2_avx2)

/*
 * void lc_p384_select_base_bmi2_avx2(uint64_t *w, const uint64_t *table)
 *
 * The entry = table[..][index], of 12 words with 64 entries each.  All of the table is read.
 */
FUNC(lc_p384_select_base_bmi2_avx2)
    _select_base 64
    RETURN
END_FUNC(lc_p384_select_base_bmi2_avx2)

_end_code lc_p384_bmi2_avx2

.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * P-256 for x86-64 with BMI2: one point, in general registers.
 *
 * What is done with points, and why it is right, is in ec_one.c, which calls these functions.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * A number x modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1 is kept as x * 2^256 mod p (Montgomery's form), in four 64-bit words, the
 * lowest first, and always below p.
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * a * b / 2^256 mod p, word by word of b: t += a * b_i; then the multiple m of p that makes t's lowest word zero; t moves down by a
 * word.  As p = -1 (mod 2^64), m is the lowest word itself, and t + m p, without that word, which goes away, is
 *
 *      t + m * 2^96 + m * (2^256 - 2^224 + 2^192)
 *
 * two shifts of m by 32 for the words 1 and 2; and for the words 3 and 4 the same are subtracted from m and from m 2^64.  (A
 * product by 2^64 - 2^32 + 1 takes 1 % longer.)
 *
 * Bounds: t < 2p before and a < p, so t + a * b_i < p * (2^64 - 1) + 2p, less than 2^320: five words.  m p is below p * 2^64, so
 * there may be a bit above these, which is the word that is the fifth one after t has moved down.  t < 2p again, as in mod.h.
 *
 * The four products of a row are summed by themselves and then added to t: that takes nine additions, one after another.  Two
 * chains side by side, by adcx and adox, take as many, and two instructions more, for the flags and the last carry.  So ADX isn't
 * needed.
 *
 * A square has its six products of different words once, and the sum of them is doubled.  It's reduced when it is complete, by the
 * same steps; then the upper half is added.  (What is left of the lower half is at most p, the upper one is below p^2 / 2^256.)
 *
 * All of them end below 2p, and one subtraction of p makes that less than p.
 */
#include "asm.h"

.text

/* ---- Registers ---- */

#define W               %rdi    /* struct lc_p256_work, in ec_work.h */
#define FACTOR          %rdx    /* what mulx multiplies by */
#define TABLE           %rsi
#define SHIFT           %rsi    /* 32 */
/* The sum that moves down: in turn each of them is its lowest word. */
#define S0              %r8
#define S1              %r9
#define S2              %r10
#define S3              %r11
#define S4              %r12
/* A row's products; other temporaries */
#define X0              %rax
#define X1              %rcx
#define X2              %rbx
#define X3              %rbp
#define X4              %r13
#define X5              %r14
/* Where all results are: after four words S4 is the lowest one. */
#define R0              S4
#define R1              S0
#define R2              S1
#define R3              S2
#define TOP             S3
#define TOP32           %r11d
/* The sum modulo n */
#define N0              %r10
#define N1              %r11
#define N2              %r12
#define N3              %r13
#define N4              %r9
/* struct lc_mod */
#define MOD_M           8
#define MOD_NEG_INVERSE 56

#define WORDS 4
#include "jacobian.h"

/* ---- Sums: what jacobian.h needs of them; r is R0..R3 ---- */

/* r -= p, unless that is negative; TOP is the word above r. */
.macro _reduce_once
    mov R0, X0
    mov R1, X1
    mov R2, X2
    mov R3, X3
    sub $-1, X0
    mov $0xffffffff, %edx
    sbb FACTOR, X1
    sbb $0, X2
    mov $0xffffffff00000001, FACTOR
    sbb FACTOR, X3
    sbb $0, TOP
    cmovnc X0, R0
    cmovnc X1, R1
    cmovnc X2, R2
    cmovnc X3, R3
.endm

/* r += p where the mask X0 is -1, not 0; the flags are those of the last addition. */
.macro _add_p_if
    mov %eax, %ecx                  /* X1 = the lower half of X0, X2 = -X1 */
    mov X1, X2
    neg X2
    add X0, R0
    adc X1, R1
    adc $0, R2
    adc X2, R3
.endm

/* ---- Products ---- */

/* t0..t4 + m p, moved down: t1..t4, t0, where m = t0 */
.macro _reduce_word t0, t1, t2, t3, t4
    shlx SHIFT, \t0, FACTOR
    shrx SHIFT, \t0, X1
    mov \t0, X2
    mov \t0, X3
    sub FACTOR, X2
    sbb X1, X3
    mov $0, \t0
    add FACTOR, \t1
    adc X1, \t2
    adc X2, \t3
    adc X3, \t4
    adc $0, \t0
.endm

/* t0..t4 += a * b, one word of it */
.macro _row a, b, t0, t1, t2, t3, t4
    mov \b, FACTOR
    mulx \a, X0, X1
    mulx 8+\a, X5, X2
    add X5, X1
    mulx 16+\a, X5, X3
    adc X5, X2
    mulx 24+\a, X5, X4
    adc X5, X3
    adc $0, X4
    add X0, \t0
    adc X1, \t1
    adc X2, \t2
    adc X3, \t3
    adc X4, \t4
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
    adc $0, S4
    _reduce_word S0, S1, S2, S3, S4
    _row \a, 8+\b, S1, S2, S3, S4, S0
    _reduce_word S1, S2, S3, S4, S0
    _row \a, 16+\b, S2, S3, S4, S0, S1
    _reduce_word S2, S3, S4, S0, S1
    _row \a, 24+\b, S3, S4, S0, S1, S2
    _reduce_word S3, S4, S0, S1, S2
    _reduce_once
.endm

/* The same, where t4 is 0: t1..t3, t0.  (Their sum is below 2^256: it is m p and more, and m p / 2^64 is below p.) */
.macro _reduce_word_of_4 t0, t1, t2, t3
    shlx SHIFT, \t0, FACTOR
    shrx SHIFT, \t0, X1
    mov \t0, X2
    mov \t0, X3
    sub FACTOR, X2
    sbb X1, X3
    add FACTOR, \t1
    adc X1, \t2
    adc X2, \t3
    mov $0, \t0
    adc X3, \t0
.endm

/* r = a * a */
.macro _square_of a
    mov \a, FACTOR
    mulx 8+\a, S0, S1               /* words 1 and 2 */
    mulx 16+\a, X0, S2
    add X0, S1
    mulx 24+\a, X0, X4
    adc X0, S2
    adc $0, X4                      /* words 1 to 4: S0, S1, S2, X4 */
    mov 8+\a, FACTOR
    mulx 16+\a, X0, X1
    mulx 24+\a, X2, X5
    add X2, X1
    adc $0, X5
    mov 16+\a, FACTOR
    mulx 24+\a, X2, S3
    add X0, S2
    adc X1, X4
    adc X2, X5
    adc $0, S3                      /* words 5 and 6: X5, S3 */
    mov $0, %eax                    /* word 7: X0 */
    add S0, S0
    adc S1, S1
    adc S2, S2
    adc X4, X4
    adc X5, X5
    adc S3, S3
    adc X0, X0
    mov \a, FACTOR
    mulx FACTOR, S4, X1
    add X1, S0
    mov 8+\a, FACTOR
    mulx FACTOR, X1, X2
    adc X1, S1
    adc X2, S2
    mov 16+\a, FACTOR
    mulx FACTOR, X1, X2
    adc X1, X4
    adc X2, X5
    mov 24+\a, FACTOR
    mulx FACTOR, X1, X2
    adc X1, S3
    adc X2, X0
    _reduce_word_of_4 S4, S0, S1, S2
    _reduce_word_of_4 S0, S1, S2, S4
    _reduce_word_of_4 S1, S2, S4, S0
    _reduce_word_of_4 S2, S4, S0, S1
    add X4, S4
    adc X5, S0
    adc S3, S1
    adc X0, S2
    mov $0, TOP
    adc $0, TOP
    _reduce_once
.endm

/* As jacobian.h has it, not by functions: these would take 6 % longer. */
.macro _multiply a, b
    _product \a(W), \b(W)
.endm
.macro _square a
    _square_of \a(W)
.endm

_begin_code lc_p256_bmi2_avx2

/*
 * void lc_p256_mul_bmi2_avx2(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
 *
 * r = a * b / 2^256 mod p, where a, b < p.  r may be a or b.
 */
FUNC(lc_p256_mul_bmi2_avx2)
    push %r15
    mov %rdx, %r15
    mov %rsi, %rax
    _save_registers
    mov $32, SHIFT
    push %rdi
    mov %rax, %rdi
    _product 0(%rdi), 0(%r15)
    pop %rdi
    _store 0(%rdi)
    _restore_registers
    pop %r15
    RETURN
END_FUNC(lc_p256_mul_bmi2_avx2)

/*
 * void lc_p256_sqr_bmi2_avx2(uint64_t r[4], const uint64_t a[4])
 *
 * r = a^2 / 2^256 mod p, where a < p.  r may be a.
 */
FUNC(lc_p256_sqr_bmi2_avx2)
    mov %rsi, %rax
    _save_registers
    mov $32, SHIFT
    push %rdi
    mov %rax, %rdi
    _square_of 0(%rdi)
    pop %rdi
    _store 0(%rdi)
    _restore_registers
    RETURN
END_FUNC(lc_p256_sqr_bmi2_avx2)

/*
 * void lc_p256_double_bmi2_avx2(uint64_t *w, size_t times)
 *
 * (X : Y : Z) = 2 (X : Y : Z), as often; times >= 1.  jacobian.h has the formula.
 */
FUNC(lc_p256_double_bmi2_avx2)
    push %r15
    mov %rsi, %r15
    _save_registers
    mov $32, SHIFT
.Ldouble_bmi2:
    _double_point
    sub $1, %r15                /* (dec would leave a secret carry in the flags, which the check of constant time rejects) */
    jnz .Ldouble_bmi2
    _restore_registers
    pop %r15
    RETURN
END_FUNC(lc_p256_double_bmi2_avx2)

/*
 * void lc_p256_add_bmi2_avx2(uint64_t *w)
 *
 * (X : Y : Z) += the entry.  jacobian.h has the formula, and what Z and X tell where it doesn't hold.
 */
FUNC(lc_p256_add_bmi2_avx2)
    _save_registers
    mov $32, SHIFT
    _add_entry
    _restore_registers
    RETURN
END_FUNC(lc_p256_add_bmi2_avx2)

/*
 * void lc_p256_select_bmi2_avx2(uint64_t *w, const uint64_t *table)
 *
 * The entry = table[index], index < 16.  All of the table is read.
 */
FUNC(lc_p256_select_bmi2_avx2)
    vpbroadcastd INDEX(W), %ymm4    /* the index, less the entry's number */
    vpcmpeqd %ymm5, %ymm5, %ymm5    /* -1 */
    vpxor %xmm0, %xmm0, %xmm0       /* x */
    vpxor %xmm1, %xmm1, %xmm1       /* y */
    vpxor %xmm2, %xmm2, %xmm2
    mov $8, %ecx
.Lselect_bmi2:
.irp e, 0,1
    vpcmpeqd %ymm4, %ymm2, %ymm3
    vpaddd %ymm5, %ymm4, %ymm4
    vpand 64*\e(TABLE), %ymm3, %ymm6
    vpand 64*\e+32(TABLE), %ymm3, %ymm7
    vpor %ymm6, %ymm0, %ymm0
    vpor %ymm7, %ymm1, %ymm1
.endr
    add $128, TABLE
    dec %ecx
    jnz .Lselect_bmi2
    vmovdqu %ymm0, EX(W)
    vmovdqu %ymm1, EY(W)
    vzeroupper
    RETURN
END_FUNC(lc_p256_select_bmi2_avx2)

/*
 * void lc_p256_select_base_bmi2_avx2(uint64_t *w, const uint64_t *table)
 *
 * The entry = table[..][index], of 8 words with 32 entries each.  All of the table is read.
 */
FUNC(lc_p256_select_base_bmi2_avx2)
    _select_base 32
    RETURN
END_FUNC(lc_p256_select_base_bmi2_avx2)

/* The sum += the lower halves of the four words at a, each times FACTOR; and then += the upper ones, which wait in registers. */
.macro _add_lower_halves a
    mulx (\a), %rax, %rcx
    add %rax, N0
    mulx 8(\a), %rax, %rbp
    adc %rax, N1
    mulx 16(\a), %rax, %r14
    adc %rax, N2
    mulx 24(\a), %rax, %r15
    adc %rax, N3
    adc $0, N4
.endm
.macro _add_upper_halves
    add %rcx, N1
    adc %rbp, N2
    adc %r14, N3
    adc %r15, N4
.endm

/*
 * void lc_p256_mul_add_bmi2_avx2(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const uint64_t c[4],
 *                                const struct lc_mod *m)
 *
 * r = (a * b + c) / 2^256 mod m, where a, b, c < m: lc_mod_mul_add() of mod.h for n, p, or any m < 2^256 - 2^193, as SM2's are.
 * r may be any of them.
 *
 * For each word of b, t += a * b_i, then t += m * q.  The lower halves of four products are added in one chain of carries, then the
 * upper ones in another.  Before and after that t < m + a, as (m + a + (2^64 - 1) (a + m)) / 2^64 = m + a.  So its fifth word is 0
 * or 1, and that of t + a * b_i < m + 2^64 a < (2^64 + 1) m < 2^320 - 2^256 isn't 2^64 - 1: the first chain's carry fits into it.
 */
FUNC(lc_p256_mul_add_bmi2_avx2)
    _save_registers %r15
    push %rdi
    add $MOD_M, %r8                 /* m's words */
    mov %rdx, %rbx
    mov (%rcx), N0
    mov 8(%rcx), N1
    mov 16(%rcx), N2
    mov 24(%rcx), N3
    xor %r9d, %r9d                  /* N4 */
    mov $4, %edi
1:
    mov (%rbx), FACTOR
    _add_lower_halves %rsi
    mov N0, FACTOR
    imul MOD_NEG_INVERSE-MOD_M(%r8), FACTOR /* q */
    _add_upper_halves
    _add_lower_halves %r8           /* so N0 is 0 */
    _add_upper_halves
    adc $0, N0
    mov N0, %rax                    /* t moves down by a word. */
    mov N1, N0
    mov N2, N1
    mov N3, N2
    mov N4, N3
    mov %rax, N4
    add $8, %rbx
    dec %edi
    jnz 1b
    mov N0, %rax
    mov N1, %rcx
    mov N2, %rbp
    mov N3, %r14
    sub (%r8), %rax
    sbb 8(%r8), %rcx
    sbb 16(%r8), %rbp
    sbb 24(%r8), %r14
    sbb $0, N4
    cmovc N0, %rax
    cmovc N1, %rcx
    cmovc N2, %rbp
    cmovc N3, %r14
    pop %rdi
    mov %rax, (%rdi)
    mov %rcx, 8(%rdi)
    mov %rbp, 16(%rdi)
    mov %r14, 24(%rdi)
    _restore_registers %r15
    RETURN
END_FUNC(lc_p256_mul_add_bmi2_avx2)

_end_code lc_p256_bmi2_avx2

.section .note.GNU-stack, "", @progbits

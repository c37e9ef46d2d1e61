/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SHA-512 (FIPS 180-4, 6.4.2) of one message: rounds in general registers, and beside them the schedule in vectors of two words.
 *
 *   lc_sha512_blocks_avx512  AVX512F, BW, VL; BMI2
 *   lc_sha512_blocks_avx2    AVX2, BMI2 (of AVX2 only what AVX has)
 *
 *      void f(uint64_t h[24], const uint8_t *data, size_t num);
 *
 * h[0..7] = the hash value after num blocks at data, num > 0.  h[8..23] is overwritten.  Both have any alignment.  Clobbers rax,
 * rcx, rdx, rsi, r8..r11, the flags and vector registers; those that had secrets are zero afterwards.  Time depends on num alone.
 *
 * A round takes 22 instructions that only the four scalar units can do, so 5.5 cycles where there are four, if no other waits.  The
 * vectors' work for it, 7 instructions with ternary logic and 12 without, finds other units.  Vectors of four words would have less
 * of it; but the last word of the schedule that a word needs is two before it, so halves would be made one after the other.
 * On Zen 4 a round takes 6.7 cycles, and 7.7 without ternary logic.  Where the vectors' instructions stand matters: all of them
 * before both rounds, it is 7.2; with words that come from vectors by vmovq and vpextrq instead of through memory, 7.8.
 */
#include "asm.h"
#include "../sha2_constants.h"

.set HASH, %rdi
.set DATA, %rsi
.set NUM, %rdx
.set K, %rcx
.set RA, %rax
.set RB, %rbx
.set RC, %r8
.set RD, %r9
.set RE, %r10
.set RF, %r11
.set RG, %r12
.set RH, %r13
.set T0, %r14
.set AB, %r15       /* a ^ b of this round, b ^ c of the next; and a temporary before that */
.set BC, %rbp       /* the other way round in odd rounds */

.set W0, %xmm0      /* the schedule's last 16 words */
.set W1, %xmm1
.set W2, %xmm2
.set W3, %xmm3
.set W4, %xmm4
.set W5, %xmm5
.set W6, %xmm6
.set W7, %xmm7
.set S0, %xmm8
.set S1, %xmm9
.set T1, %xmm10
.set T2, %xmm11

.set WK, 64         /* bytes from HASH: words and constants of the next 16 rounds */

.section .rodata
.balign 16
.Lk:
    .quad LC_SHA512_K
.Lk_end:
    .skip 128 /* for words that nobody needs */
.Lswap:
    .byte 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8

.text

/* d = s rotated right by r0 ^ rotated by r1 ^ shifted by r2; d, t, u are distinct, and neither t nor u is s */
.macro _sigma r0, r1, r2, s, d, t, u
.if CODE == EVEX
    vprorq $\r0, \s, \t
    vprorq $\r1, \s, \u
    vpsrlq $\r2, \s, \d
    vpternlogd $0x96, \t, \u, \d
.else
    vpsrlq $\r0, \s, \t
    vpsllq $64-\r0, \s, \u
    vpxor \u, \t, \t
    vpsrlq $\r1, \s, \u
    vpxor \u, \t, \t
    vpsllq $64-\r1, \s, \u
    vpxor \u, \t, \t
    vpsrlq $\r2, \s, \d
    vpxor \t, \d, \d
.endif
.endm

/*
 *      h += K + W + Sigma1(e) + Ch(e, f, g);  d += h;  h += Sigma0(a) + Maj(a, b, c)
 *
 * Ch = ((f ^ g) & e) ^ g, and Maj = ((a ^ b) & (b ^ c)) ^ b, where b ^ c was a ^ b in the round before.  What depends on e comes
 * first, as the next round waits for it.
 */
.macro _round i, a, b, c, d, e, f, g, h, ab, bc
    add WK+8*(\i)(HASH), \h
    rorx $14, \e, T0
    rorx $18, \e, \ab
    xor \ab, T0
    rorx $41, \e, \ab
    xor \ab, T0
    mov \f, \ab
    xor \g, \ab
    and \e, \ab
    xor \g, \ab
    add \ab, \h
    add T0, \h
    add \h, \d
    rorx $28, \a, T0
    rorx $34, \a, \ab
    xor \ab, T0
    rorx $39, \a, \ab
    xor \ab, T0
    add T0, \h
    mov \a, \ab
    xor \b, \ab
    and \ab, \bc
    xor \b, \bc
    add \bc, \h
.endm

/* The words W\i and their constants, to where the rounds find them */
.macro _put_words i
    vpaddq 16*\i(K), W\i, S0
    vmovdqu S0, WK+16*\i(HASH)
.endm

/*
 * Two rounds with the words W\i, which become the two 16 later:  W[t] + sigma0(W[t + 1]) + W[t + 9] + sigma1(W[t + 14]).
 * (In the last 16 rounds nobody needs those.  Code without them would be half as long again.)
 */
.macro _two_rounds i, i1, i4, i5, i7, a, b, c, d, e, f, g, h
    vpalignr $8, W\i, W\i1, S0
    vpalignr $8, W\i4, W\i5, S1
    vpaddq S1, W\i, W\i
    _sigma 1, 8, 7, S0, S0, T1, T2
    _round 2*\i, \a, \b, \c, \d, \e, \f, \g, \h, AB, BC
    _sigma 19, 61, 6, W\i7, S1, T1, T2
    vpaddq S0, W\i, W\i
    vpaddq S1, W\i, W\i
    _round 2*\i+1, \h, \a, \b, \c, \d, \e, \f, \g, BC, AB
    _put_words \i
.endm

.macro _load_words i
    vmovdqu 16*\i(DATA), W\i
    vpshufb .Lswap(%rip), W\i, W\i
    _put_words \i
.endm
.macro _load_hash i, r
    mov 8*\i(HASH), \r
.endm
.macro _add_hash i, r
    add 8*\i(HASH), \r
    mov \r, 8*\i(HASH)
.endm
.macro _for_hash insn
    \insn 0, RA
    \insn 1, RB
    \insn 2, RC
    \insn 3, RD
    \insn 4, RE
    \insn 5, RF
    \insn 6, RG
    \insn 7, RH
.endm

.macro _implementation name, coding
.set CODE, \coding
FUNC(lc_sha512_blocks_\name)
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    _for_hash _load_hash
.Lblock\@:
    lea .Lk(%rip), K
    _for_each 8, _load_words \i
    _advance 128, DATA
    mov RB, BC
    xor RC, BC
.Lrounds\@:
    _advance 128, K
    _two_rounds 0, 1, 4, 5, 7, RA, RB, RC, RD, RE, RF, RG, RH
    _two_rounds 1, 2, 5, 6, 0, RG, RH, RA, RB, RC, RD, RE, RF
    _two_rounds 2, 3, 6, 7, 1, RE, RF, RG, RH, RA, RB, RC, RD
    _two_rounds 3, 4, 7, 0, 2, RC, RD, RE, RF, RG, RH, RA, RB
    _two_rounds 4, 5, 0, 1, 3, RA, RB, RC, RD, RE, RF, RG, RH
    _two_rounds 5, 6, 1, 2, 4, RG, RH, RA, RB, RC, RD, RE, RF
    _two_rounds 6, 7, 2, 3, 5, RE, RF, RG, RH, RA, RB, RC, RD
    _two_rounds 7, 0, 3, 4, 6, RC, RD, RE, RF, RG, RH, RA, RB
    lea .Lk_end(%rip), T0
    cmp T0, K
    jne .Lrounds\@
    _for_hash _add_hash
    sub $1, NUM
    jnz .Lblock\@
    xor %eax, %eax
    xor %r8d, %r8d
    xor %r9d, %r9d
    xor %r10d, %r10d
    xor %r11d, %r11d
    vzeroall
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    RETURN
END_FUNC(lc_sha512_blocks_\name)
.endm

_implementation avx512, EVEX
_implementation avx2, VEX

.section .note.GNU-stack, "", @progbits

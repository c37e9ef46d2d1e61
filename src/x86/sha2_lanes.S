/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SHA-256 and SHA-512 of several messages at once (FIPS 180-4): a vector has one word of each message, a lane each, and all of them
 * go through the rounds together.  One body for both hashes:
 *
 *   lc_sha512_lanes_avx512_512  8 messages; AVX512F, BW, VL
 *   lc_sha512_lanes_avx512_256  4 messages; AVX512F, BW, VL     lc_sha256_lanes_avx512_256  8
 *   lc_sha512_lanes_avx2        4 messages; AVX2                lc_sha256_lanes_avx2        8
 *
 * (SHA-256 of 16 messages in 512-bit vectors comes out of it too: on Zen 4 in 66 cycles a block and message, and SHA-NI takes 65.)
 *
 * The parameters, set by .set: VL and CODE (asm.h), WORD (bytes of a word: 4 or 8), ROUNDS (64 or 80), and IN_TURN: whether rounds
 * and the words of 16 rounds later are made in turn, rather than by eight.  That takes half as much code again.  On Zen 4 it is 4 %
 * faster for 512-bit vectors, and 8 % for 256-bit ones with ternary logic; without, 3 %.
 *
 *      void f(struct lc_sha256_lanes *l, size_t num);
 *
 * l->h = the hash values after num blocks, num > 0, from each of l->data.  l->h: word by word, each of all messages; l->data:
 * as many pointers as there are lanes, of any alignment.  l->w is overwritten: it has the message schedule.  Clobbers rax, rcx,
 * rdx, rsi, r8, r9, r10, the flags and vector registers, which are zero afterwards; the others have addresses and numbers.  Time
 * depends on num alone.
 */
#include "asm.h"
#include "../sha2_constants.h"
#include "hash_lanes.h"

.set L, %rdi            /* struct lc_sha256_lanes, struct lc_sha512_lanes; layout.h */
.set NUM, %rsi          /* blocks */
.set K, %rdx            /* constants of the next rounds */
.set CUR, %rcx          /* of the schedule, 8 words: those of these rounds */
.set OTHER, %r8         /*                          those of the next */
.set COUNT, %r9         /* steps of 8 rounds that are left */
.set COUNT_32, %r9d
.set OFFSET, %r10       /* in the messages */
.set OFFSET_32, %r10d
.set PTR, %rax

.section .rodata
.balign 8
.Lk_4:
    .long LC_SHA256_K
.Lk_8:
    .quad LC_SHA512_K

.text

/* ---- Instructions by the size of words ---- */

.macro _shift_right n, s, d
.if WORD == 4
    vpsrld $\n, \s, \d
.else
    vpsrlq $\n, \s, \d
.endif
.endm

/* d ^= s rotated right by n; or where that is said, shifted.  VEX; clobbers t. */
.macro _xor_rotated n, s, d, t, only_shift=0
    _shift_right \n, \s, \t
    vpxor \t, \d, \d
.if !\only_shift
  .if WORD == 4
    vpslld $32-\n, \s, \t
  .else
    vpsllq $64-\n, \s, \t
  .endif
    vpxor \t, \d, \d
.endif
.endm

.macro _rotate n, s, d
.if WORD == 4
    vprord $\n, \s, \d
.else
    vprorq $\n, \s, \d
.endif
.endm

/* d = s rotated by r0 ^ rotated by r1 ^ rotated by r2 (or shifted).  d, t, u are distinct, and none is s. */
.macro _sigma r0, r1, r2, only_shift, s, d, t, u
.if CODE == EVEX
    _rotate \r0, \s, \d
    _rotate \r1, \s, \t
  .if \only_shift
    _shift_right \r2, \s, \u
  .else
    _rotate \r2, \s, \u
  .endif
    vpternlogd $0x96, \t, \u, \d
.else
    _shift_right \r0, \s, \d
  .if WORD == 4
    vpslld $32-\r0, \s, \t
  .else
    vpsllq $64-\r0, \s, \t
  .endif
    vpxor \t, \d, \d
    _xor_rotated \r1, \s, \d, \t
    _xor_rotated \r2, \s, \d, \u, \only_shift
.endif
.endm

/* FIPS 180-4, 4.1.2 and 4.1.3 */
.macro _big_sigma1 s, d, t, u
.if WORD == 4
    _sigma 6, 11, 25, 0, \s, \d, \t, \u
.else
    _sigma 14, 18, 41, 0, \s, \d, \t, \u
.endif
.endm
.macro _big_sigma0 s, d, t, u
.if WORD == 4
    _sigma 2, 13, 22, 0, \s, \d, \t, \u
.else
    _sigma 28, 34, 39, 0, \s, \d, \t, \u
.endif
.endm
.macro _small_sigma0 s, d, t, u
.if WORD == 4
    _sigma 7, 18, 3, 1, \s, \d, \t, \u
.else
    _sigma 1, 8, 7, 1, \s, \d, \t, \u
.endif
.endm
.macro _small_sigma1 s, d, t, u
.if WORD == 4
    _sigma 17, 19, 10, 1, \s, \d, \t, \u
.else
    _sigma 19, 61, 6, 1, \s, \d, \t, \u
.endif
.endm

/* ---- A block ---- */

/*
 * Round i of 8; the variables have changed names in place of contents.  After 8 rounds they have their own again.
 *
 *      h += Sigma1(e) + Ch(e, f, g) + K + W;  d += h;  h += Sigma0(a) + Maj(a, b, c)
 *
 * With ternary logic Ch and Maj are an instruction each.  Without, Ch = ((f ^ g) & e) ^ g, and Maj = ((a ^ b) & (b ^ c)) ^ b, where
 * b ^ c was a ^ b in the round before: AB is for this one, BC for the next.
 */
.macro _round_with i, a, b, c, d, e, f, g, h, ab, bc
    _broadcast \i*WORD(K), T0
    _add \i*VL(CUR), \h, \h
    _add T0, \h, \h
    _big_sigma1 \e, T0, T1, T2
.if CODE == EVEX
    _mov \e, T3
    vpternlogd $0xca, \g, \f, T3
.else
    vpxor \f, \g, T3
    vpand \e, T3, T3
    vpxor \g, T3, T3
.endif
    _add T3, \h, \h
    _add T0, \h, \h
    _add \h, \d, \d
    _big_sigma0 \a, T0, T1, T2
.if CODE == EVEX
    _mov \a, T3
    vpternlogd $0xe8, \c, \b, T3
    _add T3, \h, \h
.else
    vpxor \a, \b, \ab
    vpand \ab, \bc, \bc
    vpxor \b, \bc, \bc
    _add \bc, \h, \h
.endif
    _add T0, \h, \h
.endm
/* d = word i of the schedule, or d += it, from the first of CUR on: after its 8 come OTHER's, then those that replace CUR's. */
.macro _load_word i, d
.if \i % 16 < 8
    _mov \i%16*VL(CUR), \d
.else
    _mov (\i-8)*VL(OTHER), \d
.endif
.endm
.macro _add_word i, d
.if \i % 16 < 8
    _add \i%16*VL(CUR), \d, \d
.else
    _add (\i-8)*VL(OTHER), \d, \d
.endif
.endm

/*
 * Word i of CUR becomes the one 16 later:  W[i] + sigma0(W[i + 1]) + W[i + 9] + sigma1(W[i + 14]).  The last, two before the new
 * one, is in LAST, where the new one is put too.
 */
.macro _schedule i, last
    _load_word (\i+1), T0
    _small_sigma1 \last, T1, T2, T3
    _small_sigma0 T0, \last, T2, T3
    _add T1, \last, \last
    _add_word \i, \last
    _add_word (\i+9), \last
    _mov \last, \i*VL(CUR)
.endm

/* Eight rounds, eight words of the schedule, or both in turn. */
.macro _step i, last, rounds, words, variables:vararg
.if \rounds
    _round_with \i, \variables
.endif
.if \words
    _schedule \i, \last
.endif
.endm
.macro _eight rounds, words
    _step 0, LAST0, \rounds, \words, A, B, C, D, E, F, G, H, X0, X1
    _step 1, LAST1, \rounds, \words, H, A, B, C, D, E, F, G, X1, X0
    _step 2, LAST0, \rounds, \words, G, H, A, B, C, D, E, F, X0, X1
    _step 3, LAST1, \rounds, \words, F, G, H, A, B, C, D, E, X1, X0
    _step 4, LAST0, \rounds, \words, E, F, G, H, A, B, C, D, X0, X1
    _step 5, LAST1, \rounds, \words, D, E, F, G, H, A, B, C, X1, X0
    _step 6, LAST0, \rounds, \words, C, D, E, F, G, H, A, B, X0, X1
    _step 7, LAST1, \rounds, \words, B, C, D, E, F, G, H, A, X1, X0
.endm

/* ---- The functions ---- */

.macro _add_hash i, d
    _add LANES_H+\i*VL(L), \d, \d
    _mov \d, LANES_H+\i*VL(L)
.endm

.macro _lanes
    _set_vectors
    _name_vector A, 0
    _name_vector B, 1
    _name_vector C, 2
    _name_vector D, 3
    _name_vector E, 4
    _name_vector F, 5
    _name_vector G, 6
    _name_vector H, 7
    _name_vector T0, 8
    _name_vector T1, 9
    _name_vector T2, 10
    _name_vector T3, 11
    _name_vector T4, 12     /* only while blocks are loaded */
    _name_vector T5, 13
    _name_vector X0, 12     /* a ^ b, b ^ c; without ternary logic */
    _name_vector X1, 13
    _name_vector LAST0, 14  /* the last words of the schedule of even and of odd number */
    _name_vector LAST1, 15

    xor OFFSET_32, OFFSET_32
    _mov LANES_H+0*VL(L), A
    _mov LANES_H+1*VL(L), B
    _mov LANES_H+2*VL(L), C
    _mov LANES_H+3*VL(L), D
    _mov LANES_H+4*VL(L), E
    _mov LANES_H+5*VL(L), F
    _mov LANES_H+6*VL(L), G
    _mov LANES_H+7*VL(L), H
.Lblock\@:
    _load_blocks
    _mov -2*VL(CUR), LAST0
    _mov -1*VL(CUR), LAST1
    lea LANES_W(L), CUR
    lea LANES_W+8*VL(L), OTHER
.if WORD == 4
    lea .Lk_4(%rip), K
.else
    lea .Lk_8(%rip), K
.endif
    mov $ROUNDS/8, COUNT_32
.if CODE == VEX
    vpxor B, C, X1
.endif
.Lrounds\@:
.if IN_TURN
    cmp $2, COUNT_32
    jbe .Lno_words\@ /* the last 16 are there */
    _eight 1, 1
    jmp .Lscheduled\@
.Lno_words\@:
    _eight 1, 0
.else
    _eight 1, 0
    cmp $2, COUNT_32
    jbe .Lscheduled\@
    _eight 0, 1
.endif
.Lscheduled\@:
    mov CUR, PTR
    mov OTHER, CUR
    mov PTR, OTHER
    _advance (8*WORD), K
    dec COUNT_32
    jnz .Lrounds\@
    _add_hash 0, A
    _add_hash 1, B
    _add_hash 2, C
    _add_hash 3, D
    _add_hash 4, E
    _add_hash 5, F
    _add_hash 6, G
    _add_hash 7, H
    dec NUM
    jnz .Lblock\@
    vzeroall
    RETURN
.endm

.macro _implementation hash, name, vector_len, coding, word, rounds, in_turn
.set VL, \vector_len
.set CODE, \coding
.set WORD, \word
.set ROUNDS, \rounds
.set IN_TURN, \in_turn
.set LANES_W, 8*8*WORD
.set LANES_DATA, LANES_W+16*8*WORD
_begin_code lc_\hash\()_\name
FUNC(lc_\hash\()_lanes_\name)
    _lanes
END_FUNC(lc_\hash\()_lanes_\name)
_end_code lc_\hash\()_\name
.endm

_implementation sha256, avx512_256, 32, EVEX, 4, 64, 0
_implementation sha256, avx2, 32, VEX, 4, 64, 0
_implementation sha512, avx512_512, 64, EVEX, 8, 80, 1
_implementation sha512, avx512_256, 32, EVEX, 8, 80, 1
_implementation sha512, avx2, 32, VEX, 8, 80, 0

.section .note.GNU-stack, "", @progbits

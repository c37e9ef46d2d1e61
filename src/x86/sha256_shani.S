/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SHA-256 (FIPS 180-4) by the CPU's SHA instructions, of one message and of two.  Needs SHA-NI and SSSE3; the instructions have no
 * VEX form, so all is legacy SSE.  One body:
 *
 *      void lc_sha256_blocks_shani(uint32_t h[8], const uint8_t *data, size_t num);
 *      void lc_sha256_lanes_shani(struct lc_sha256_lanes *l, size_t num);
 *
 * h = the hash value after num blocks at data, num > 0; the same for two messages: l->h has the values one after the other, l->data
 * the pointers.  Data and hash values have any alignment.  Clobbers rax, rcx, rdx, rsi, r8, the flags and the xmm registers, which
 * are zero afterwards as far as they were used.  Time depends on num alone.
 *
 * sha256rnds2 does two rounds in 4 cycles on Zen 4, and a message can't be faster, as each needs the one before.  A second message
 * fits in between: 65 cycles a block, where one alone takes 130.  With four it would be 63: sha256msg1 and sha256msg2 keep the same
 * unit busy.
 */
#include "asm.h"
#include "../sha2_constants.h"

.set HASH, %rdi
.set DATA0, %rsi
.set NUM, %rdx
.set DATA1, %rcx
.set K, %rax
.set COUNT, %r8d
.set LANES_DATA, 768 /* layout.h */

.set WK, %xmm0        /* words and constants of four rounds; sha256rnds2 takes them from here */
.set TMP, %xmm1
.set STATE0_0, %xmm2  /* of message 0: a, b, e, f from the highest 32 bits down */
.set STATE1_0, %xmm3  /* c, d, g, h; after two rounds these are what a, b, e, f were, and it is the other way round */
.set M0_0, %xmm4      /* the last 16 words of the schedule */
.set M1_0, %xmm5
.set M2_0, %xmm6
.set M3_0, %xmm7
.set STATE0_1, %xmm8
.set STATE1_1, %xmm9
.set M0_1, %xmm10
.set M1_1, %xmm11
.set M2_1, %xmm12
.set M3_1, %xmm13

.section .rodata
.balign 16
.Lk:
    .long LC_SHA256_K
.Lswap:
    .byte 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12

.text

/* a, b, c, d and e, f, g, h in memory <-> STATE0 and STATE1 */
.macro _load_state m
    movdqu 32*\m(HASH), STATE1_\m
    movdqu 32*\m+16(HASH), STATE0_\m
    pshufd $0x1b, STATE1_\m, TMP        /* d c b a from the lowest */
    pshufd $0x1b, STATE0_\m, STATE1_\m  /* h g f e */
    movdqa STATE1_\m, STATE0_\m
    punpcklqdq TMP, STATE1_\m           /* h g d c */
    punpckhqdq TMP, STATE0_\m           /* f e b a */
.endm
.macro _store_state m
    pshufd $0x1b, STATE0_\m, TMP        /* a b e f */
    pshufd $0x1b, STATE1_\m, STATE1_\m  /* c d g h */
    movdqa TMP, STATE0_\m
    punpcklqdq STATE1_\m, TMP
    punpckhqdq STATE1_\m, STATE0_\m
    movdqu TMP, 32*\m(HASH)
    movdqu STATE0_\m, 32*\m+16(HASH)
.endm

/* Between blocks the hash values are in memory as they are in registers. */
.macro _save_state m
    movdqu STATE0_\m, 32*\m(HASH)
    movdqu STATE1_\m, 32*\m+16(HASH)
.endm
.macro _add_saved_state m
    movdqu 32*\m(HASH), TMP
    paddd TMP, STATE0_\m
    movdqu 32*\m+16(HASH), TMP
    paddd TMP, STATE1_\m
.endm

.macro _load_words m, i
    movdqu 16*\i(DATA\m), M\i\()_\m
    pshufb .Lswap(%rip), M\i\()_\m
.endm
.macro _load_block m
    _load_words \m, 0
    _load_words \m, 1
    _load_words \m, 2
    _load_words \m, 3
    _advance 64, DATA\m
.endm

/* Four rounds with M\i, and with more = 1 the four words 16 after M\i instead of it: msg1, W[t - 7], msg2. */
.macro _four_rounds m, i, i1, i2, i3, more
    movdqa 16*\i(K), WK
    paddd M\i\()_\m, WK
    sha256rnds2 STATE0_\m, STATE1_\m
    pshufd $0x0e, WK, WK
    sha256rnds2 STATE1_\m, STATE0_\m
.if \more
    sha256msg1 M\i1\()_\m, M\i\()_\m
    movdqa M\i3\()_\m, TMP
    palignr $4, M\i2\()_\m, TMP
    paddd TMP, M\i\()_\m
    sha256msg2 M\i3\()_\m, M\i\()_\m
.endif
.endm
.macro _sixteen_rounds num_messages, more
    _for_each \num_messages, _four_rounds \i, 0, 1, 2, 3, \more
    _for_each \num_messages, _four_rounds \i, 1, 2, 3, 0, \more
    _for_each \num_messages, _four_rounds \i, 2, 3, 0, 1, \more
    _for_each \num_messages, _four_rounds \i, 3, 0, 1, 2, \more
.endm

.macro _wipe m
    pxor M0_\m, M0_\m
    pxor M1_\m, M1_\m
    pxor M2_\m, M2_\m
    pxor M3_\m, M3_\m
    pxor STATE0_\m, STATE0_\m
    pxor STATE1_\m, STATE1_\m
.endm

.macro _blocks num_messages
    _for_each \num_messages, _load_state \i
.Lblock\@:
    _for_each \num_messages, _save_state \i
    _for_each \num_messages, _load_block \i
    lea .Lk(%rip), K
    mov $3, COUNT
.Lrounds\@:
    _sixteen_rounds \num_messages, 1
    _advance 64, K
    dec COUNT
    jnz .Lrounds\@
    _sixteen_rounds \num_messages, 0
    _for_each \num_messages, _add_saved_state \i
    dec NUM
    jnz .Lblock\@
    _for_each \num_messages, _store_state \i
    _for_each \num_messages, _wipe \i
    pxor WK, WK
    pxor TMP, TMP
    RETURN
.endm

_begin_code lc_sha256_shani

FUNC(lc_sha256_blocks_shani)
    _blocks 1
END_FUNC(lc_sha256_blocks_shani)

FUNC(lc_sha256_lanes_shani)
    mov DATA0, NUM
    mov LANES_DATA(HASH), DATA0
    mov LANES_DATA+8(HASH), DATA1
    _blocks 2
END_FUNC(lc_sha256_lanes_shani)

_end_code lc_sha256_shani

.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SM3 of several messages at once (GM/T 0004-2012, GB/T 32905-2016; the names of functions and variables are the standard's): a
 * vector has one word of each message, a lane each, and all of them go through the rounds together.
 *
 *   lc_sm3_lanes_avx512_512  16 messages; AVX512F, BW, VL
 *   lc_sm3_lanes_avx512_256   8 messages; AVX512F, BW, VL
 *   lc_sm3_lanes_avx2         8 messages; AVX2
 *
 *      void f(struct lc_sm3_lanes *l, size_t num);
 *
 * l->h = the hash values after num blocks, num > 0, from each of l->data.  l->h: word by word, each of all messages; l->data:
 * as many pointers as there are lanes, of any alignment.  l->w is overwritten: it has all 68 words of the message schedule, so that
 * no round has to know where in a ring it is.  Clobbers rax, rcx, rdx, rsi, r8, r9, r10, the flags and vector registers, which are
 * zero afterwards; the others have addresses and numbers.  Time depends on num alone.
 *
 * -- Costs ----------------------------------------------------------------------------------------------------------------------
 *
 * With ternary logic and rotations a round has 6 rotations, 8 additions and 5 logical instructions, and a word of the schedule, of
 * which 52 are made, 4 rotations and 3.  In all 592 rotations and 988 others.  Zen 4 does one 512-bit rotation a cycle, or two
 * others, so that 16 blocks take 790 cycles at least, and 1036 with loading them: docs/hashes.md.  By count, on Intel, where a
 * 512-bit rotation has one port and all else that and another one, 790 as well.
 *
 * Zen 5 does four instructions a cycle, of which two may be rotations, and a result is there after two cycles.  So the chain from
 * one round's E to the next is the bound: two additions, a rotation, an addition, a rotation and ternary logic are 12 cycles, and
 * 768 a block.  A block takes 790 to 820.
 */
#include "asm.h"
#include "hash_lanes.h"

.set L, %rdi            /* struct lc_sm3_lanes; layout.h */
.set NUM, %rsi          /* blocks */
.set T, %rdx            /* constants of the next rounds */
.set CUR, %rcx          /* the schedule's words of the next rounds */
.set NEXT, %r8          /* where the next block's words go */
.set COUNT_32, %r9d     /* steps of 4 rounds that are left */
.set OFFSET, %r10       /* in the messages */
.set OFFSET_32, %r10d
.set PTR, %rax

.set WORD, 4
.set LANES_W, 4*8*16
.set LANES_DATA, LANES_W+4*68*16

.section .rodata
.balign 4
.Lt: /* the standard's T_j, rotated to the left by j mod 32 */
.set J, 0
.rept 16
    .long (0x79cc4519 << J | 0x79cc4519 >> (32 - J)) & 0xffffffff
    .set J, J + 1
.endr
.rept 48
    .long (0x7a879d8a << (J % 32) | 0x7a879d8a >> (32 - J % 32)) & 0xffffffff
    .set J, J + 1
.endr

.text

/* d = s rotated to the left by n.  VEX: clobbers t; s may be memory then and not d. */
.macro _rotate n, s, d, t
.if CODE == EVEX
    vprold $\n, \s, \d
.else
    vpsrld $32-\n, \s, \t
    vpslld $\n, \s, \d
    vpxor \t, \d, \d
.endif
.endm

/*
 * d ^= s rotated to the left by n0 ^ s rotated by n1; s may be d.  Clobbers t, u, v.  On Zen 5 ternary logic's result is a cycle
 * later if the register that it overwrites isn't the operand that is made last: so it overwrites a rotated one.
 */
.macro _xor_rotations n0, n1, s, d, t, u, v
    _rotate \n0, \s, \t, \v
    _rotate \n1, \s, \u, \v
.if CODE == EVEX
    vpternlogd $0x96, \t, \d, \u
    _mov \u, \d
.else
    _xor3 \t, \u, \d
.endif
.endm

/*
 * Round i of 4, in which word h is H and d is D of the round, and then E and A of the next.  FF and GG of the first 16 rounds are
 * a ^ b ^ c; then FF takes what two of the three have, and GG(e, f, g) is f where e has ones and g elsewhere.
 *
 *      SS1 = ((A <<< 12) + E + T) <<< 7,  SS2 = SS1 ^ (A <<< 12)
 *      A' = FF(A, B, C) + D + SS2 + (W[j] ^ W[j + 4]),  E' = P0(GG(E, F, G) + H + SS1 + W[j])
 *      B <<<= 9,  F <<<= 19
 */
.macro _round i, early, a, b, c, d, e, f, g, h
    _rotate 12, \a, T0, T2
.if CODE == EVEX
  .if VL == 64
    vpaddd \i*4(T){1to16}, \e, T1
  .else
    vpaddd \i*4(T){1to8}, \e, T1
  .endif
    _add T0, T1, T1
.else
    _add T0, \e, T1
    vpbroadcastd \i*4(T), T2
    _add T2, T1, T1
.endif
    _rotate 7, T1, T1, T2
    _mov \i*VL(CUR), T4
    _add T4, \h, \h
    _xor (\i+4)*VL(CUR), T4, T4
    _add T4, \d, \d
    _gg \early, \e, \f, \g, \h, T2
    _add T1, \h, \h
    _xor T1, T0, T0
    _ff \early, \a, \b, \c, \d, T4, T5
    _rotate 9, \b, \b, T2
    _rotate 19, \f, \f, T3
    _xor_rotations 9, 17, \h, \h, T3, T1, T2
    _add T0, \d, \d
.endm
/* h += GG(e, f, g) */
.macro _gg early, e, f, g, h, t
.if CODE == EVEX
    _mov \e, \t
  .if \early
    vpternlogd $0x96, \g, \f, \t
  .else
    vpternlogd $0xca, \g, \f, \t
  .endif
.else
    vpxor \f, \g, \t
  .if \early
    vpxor \e, \t, \t
  .else
    vpand \e, \t, \t
    vpxor \g, \t, \t
  .endif
.endif
    _add \t, \h, \h
.endm
/* d += FF(a, b, c).  What two of three have is a & b and (a ^ b) & c, which have no ones in common: VEX adds them. */
.macro _ff early, a, b, c, d, t, u
.if CODE == EVEX
    _mov \a, \t
  .if \early
    vpternlogd $0x96, \c, \b, \t
  .else
    vpternlogd $0xe8, \c, \b, \t
  .endif
.else
    vpxor \a, \b, \t
  .if \early
    vpxor \c, \t, \t
  .else
    vpand \c, \t, \t
    vpand \a, \b, \u
    _add \u, \d, \d
  .endif
.endif
    _add \t, \d, \d
.endm

/* Word 16 + i: P1(W[i] ^ W[i + 7] ^ (W[i + 13] <<< 15)) ^ (W[i + 3] <<< 7) ^ W[i + 10], P1(x) = x ^ (x <<< 15) ^ (x <<< 23) */
.macro _schedule i
.if CODE == EVEX
    vprold $15, (\i+13)*VL(CUR), T0
    _mov \i*VL(CUR), T1
    vpternlogd $0x96, (\i+7)*VL(CUR), T1, T0
    vprold $7, (\i+3)*VL(CUR), T1
    vprold $15, T0, T2
    vprold $23, T0, T3
    vpternlogd $0x96, T2, T3, T0
    vpternlogd $0x96, (\i+10)*VL(CUR), T1, T0
.else
    _mov (\i+13)*VL(CUR), T1
    _rotate 15, T1, T0, T2
    vpxor \i*VL(CUR), T0, T0
    vpxor (\i+7)*VL(CUR), T0, T0
    _mov (\i+3)*VL(CUR), T3
    _rotate 7, T3, T1, T2
    vpxor (\i+10)*VL(CUR), T1, T1
    _xor_rotations 15, 23, T0, T0, T2, T3, T4
    vpxor T1, T0, T0
.endif
    _mov T0, (\i+16)*VL(CUR)
.endm

/* Four rounds, after which the variables have their own names again, and four words of the schedule if those are still needed */
.macro _four early, words
    _step 0, \early, \words, A, B, C, D, E, F, G, H
    _step 1, \early, \words, D, A, B, C, H, E, F, G
    _step 2, \early, \words, C, D, A, B, G, H, E, F
    _step 3, \early, \words, B, C, D, A, F, G, H, E
    _advance 4*4, T
    _advance 4*VL, CUR
.endm
.macro _step i, early, words, variables:vararg
    _round \i, \early, \variables
.if \words
    _schedule \i
.endif
.endm

.macro _load_hash i, d
    _mov LANES_H+\i*VL(L), \d
.endm
.macro _xor_hash i, d
    _xor LANES_H+\i*VL(L), \d, \d
    _mov \d, LANES_H+\i*VL(L)
.endm
/* The macro for each word of the hash values and its variable */
.macro _for_each_word insn
    \insn 0, A
    \insn 1, B
    \insn 2, C
    \insn 3, D
    \insn 4, E
    \insn 5, F
    \insn 6, G
    \insn 7, H
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
    _name_vector T4, 12
    _name_vector T5, 13

    xor OFFSET_32, OFFSET_32
    _for_each_word _load_hash
    _load_blocks
.Lblock\@:
    lea LANES_W(L), CUR
    lea .Lt(%rip), T
    mov $4, COUNT_32
.Learly\@:
    _four 1, 1
    dec COUNT_32
    jnz .Learly\@
    mov $9, COUNT_32
.Llate\@:
    _four 0, 1
    dec COUNT_32
    jnz .Llate\@
    /* 12 rounds and, around each four, a part of the next block, if there is one: these rounds have no schedule to make */
    lea LANES_W(L), NEXT
    mov $4, COUNT_32
    jmp .Lpart\@
.Llast\@:
    _four 0, 0
.Lpart\@:
    cmp $1, NUM
    je .Lloaded\@
    _load_part NEXT
.Lloaded\@:
    dec COUNT_32
    jnz .Llast\@
    _for_each_word _xor_hash
    dec NUM
    jnz .Lblock\@
    vzeroall
    RETURN
.endm

.macro _implementation name, vector_len, coding
.set VL, \vector_len
.set CODE, \coding
_begin_code lc_sm3_\name
FUNC(lc_sm3_lanes_\name)
    _lanes
END_FUNC(lc_sm3_lanes_\name)
_end_code lc_sm3_\name
.endm

_implementation avx512_512, 64, EVEX
_implementation avx512_256, 32, EVEX
_implementation avx2, 32, VEX

.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hashes of several messages at once: a vector has one word of each message, a lane each.  What SHA-2 and SM3 have in common is
 * loading a block of each message, 16 words in big-endian order.
 *
 * The parameters: VL and CODE (asm.h), WORD (bytes of a word: 4 or 8), LANES_W and LANES_DATA (offsets in the structure at L, which
 * begins with the hash values).  The names of registers are the includer's: L, CUR, OFFSET, COUNT_32, PTR and T0..T5.
 */
#ifndef LC_X86_HASH_LANES_H
#define LC_X86_HASH_LANES_H

.set LANES_H, 0

.section .rodata
.balign 64
.Lswap_4:
.rept 4
    .byte 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
.endr
.Lswap_8:
.rept 4
    .byte 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8
.endr
.text

.macro _add a, b, d
.if WORD == 4
    vpaddd \a, \b, \d
.else
    vpaddq \a, \b, \d
.endif
.endm

/* d = a word of memory, in all lanes */
.macro _broadcast s, d
.if WORD == 4
    vpbroadcastd \s, \d
.else
    vpbroadcastq \s, \d
.endif
.endm

/*
 * W = the blocks' words.  16 bytes of each message at a time: VL / 16 of them side by side make a vector, so that those of lane
 * per * q + j are the 128 bits q of vector j, per = 16 / WORD.  In each 128 bits the words then change places with the vectors' own
 * numbers.  So most of the transposition is done by loads; one of whole vectors would take twice as many shuffles.
 * _load_part does that for the 16 bytes at OFFSET of each message, whose words go to cur; both go on.  Clobbers T0..T5.
 */
.macro _load_part_of_lane q, j, d
    mov LANES_DATA+8*((16/WORD)*\q+\j)(L), PTR
.if \q == 0
    vmovdqu (PTR,OFFSET), \d\()_XMM
.elseif VL == 32
    vinserti128 $1, (PTR,OFFSET), \d\()_YMM, \d\()_YMM
.else
    vinserti32x4 $\q, (PTR,OFFSET), \d, \d
.endif
.endm
.macro _load_vector j, d
    _load_part_of_lane 0, \j, \d
    _load_part_of_lane 1, \j, \d
.if VL == 64
    _load_part_of_lane 2, \j, \d
    _load_part_of_lane 3, \j, \d
.endif
.if WORD == 4
    vpshufb .Lswap_4(%rip), \d, \d
.else
    vpshufb .Lswap_8(%rip), \d, \d
.endif
.endm
.macro _load_part cur
.if WORD == 4
    _for_each 4, _load_vector \i, T\i
    vpunpckldq T1, T0, T4
    vpunpckhdq T1, T0, T5
    vpunpckldq T3, T2, T0
    vpunpckhdq T3, T2, T1
    vpunpcklqdq T0, T4, T2
    vpunpckhqdq T0, T4, T3
    vpunpcklqdq T1, T5, T0
    vpunpckhqdq T1, T5, T1
    _mov T2, 0*VL(\cur)
    _mov T3, 1*VL(\cur)
    _mov T0, 2*VL(\cur)
    _mov T1, 3*VL(\cur)
.else
    _for_each 2, _load_vector \i, T\i
    vpunpcklqdq T1, T0, T2
    vpunpckhqdq T1, T0, T3
    _mov T2, 0*VL(\cur)
    _mov T3, 1*VL(\cur)
.endif
    _advance 16, OFFSET
    _advance (16/WORD*VL), \cur
.endm
/* All of the blocks: CUR goes from W to its end, OFFSET to that of the block. */
.macro _load_blocks
    lea LANES_W(L), CUR
    mov $WORD, COUNT_32 /* parts of 16 bytes in a block of 16 words */
.Lload\@:
    _load_part CUR
    dec COUNT_32
    jnz .Lload\@
.endm

#endif

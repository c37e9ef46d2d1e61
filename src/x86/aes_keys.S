/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES key expansion with AES-NI.  Needs AES and SSSE3; legacy SSE coding, so that it serves every implementation.
 *
 * FIPS 197, section 5.2: with words of 4 bytes, w[i] = w[i-n] ^ f(w[i-1]), n = 4, 6, 8 words of key, where f is
 * SubWord(RotWord()) ^ rcon for i % n == 0, SubWord for n == 8 and i % 8 == 4, else the identity.
 *
 * AESKEYGENASSIST computes f, but takes 12 cycles and more, and its rcon is an immediate, which forces unrolling.  AESENCLAST
 * does better: with the word broadcast to all four columns, ShiftRows moves nothing that differs, so the result is SubWord in each
 * column, xored with a "round key" that is the rcon in each column.  PSHUFB rotates and broadcasts at once.  4 + 1 cycles a
 * step, in a loop, rcon doubled by PADDD (an integer shift does, as the bytes above are zero), to 0x1b behind 0x80.
 *
 * The running xor within the group, w[0], w[0]^w[1], ..., is two shifts and xors: x ^= x << 32; x ^= x << 64.
 *
 * Constant time: AESENCLAST is; the only branches are on the key's length.
 */
#include "asm.h"

.section .rodata.lc_aes_keys, "a", @progbits
.p2align 4
.Lrot_word:    /* RotWord of the top word, in every word: bytes 13, 14, 15, 12 */
    .fill 4, 4, 0x0c0f0e0d
.Lrot_word_1:  /* the same of word 1 (192-bit keys hold words 4, 5 in one register) */
    .fill 4, 4, 0x04070605
.Lone:
    .fill 4, 4, 1
.Lrcon_1b:
    .fill 4, 4, 0x1b

.text

#define ENC %rdi
#define DEC %rsi
#define KEY %rdx
#define KEY_LEN %rcx
#define RCON %xmm5
#define ROT %xmm4

/* d ^= f(s) in the way above; t is clobbered */
.macro _subword_rot d, s, t
    movdqa \s, \t
    pshufb ROT, \t
    aesenclast RCON, \t
    pslld $1, RCON
    pxor \t, \d
.endm

/* d = running xor over its words; t is clobbered */
.macro _running_xor d, t
    movdqa \d, \t
    pslldq $4, \t
    pxor \t, \d
    movdqa \d, \t
    pslldq $8, \t
    pxor \t, \d
.endm

/*
 * void lc_aes_expand_aesni(uint8_t enc[15][16], uint8_t (*dec)[16], const uint8_t *key, size_t key_len);
 *
 * enc: 240 bytes, 16-byte aligned; dec the same or NULL; key: key_len = 16, 24 or 32 bytes.  See src/aes.h for the layout.
 * Clobbers rax, rcx, rdx, r8, r9, xmm0-xmm6; the registers that held keys are zeroed.
 */
FUNC(lc_aes_expand_aesni)
    movdqa .Lone(%rip), RCON
    movdqa .Lrot_word(%rip), ROT
    movdqu (KEY), %xmm0
    pxor %xmm6, %xmm6
    movdqa %xmm0, (ENC)
    movdqa %xmm6, 0x10(ENC)
    movdqa %xmm6, 0x20(ENC)
    cmp $24, KEY_LEN
    je .Lexpand_192
    ja .Lexpand_256

    /* 128: ten steps of four words; slots 5..14.  rcon goes 1, 2, ..., 0x80, then 0x1b, 0x36. */
    movdqa %xmm6, 0x30(ENC)
    movdqa %xmm6, 0x40(ENC)
    lea 0x50(ENC), %rax
    mov $10, %r8d
1:  movdqa %xmm0, %xmm3
    _running_xor %xmm0, %xmm1
    _subword_rot %xmm0, %xmm3, %xmm2
    movdqa %xmm0, (%rax)
    add $0x10, %rax
    cmp $3, %r8d
    jne 2f
    movdqa .Lrcon_1b(%rip), RCON
2:  dec %r8d
    jnz 1b
    mov $4, %r9d /* unused slots */
    jmp .Linvert

.Lexpand_256:
    /* Two registers, eight words; the even half takes RotWord and rcon, the odd half SubWord alone.  Slots 1, then 2..14. */
    movdqu 0x10(KEY), %xmm1
    movdqa %xmm1, 0x10(ENC)
    lea 0x20(ENC), %rax
    mov $7, %r8d
1:  movdqa %xmm0, %xmm2
    _running_xor %xmm0, %xmm2
    _subword_rot %xmm0, %xmm1, %xmm2
    movdqa %xmm0, (%rax)
    dec %r8d
    jz 2f
    _running_xor %xmm1, %xmm2
    pshufd $0xff, %xmm0, %xmm2
    aesenclast %xmm6, %xmm2
    pxor %xmm2, %xmm1
    movdqa %xmm1, 0x10(%rax)
    add $0x20, %rax
    jmp 1b
2:  xor %r9d, %r9d
    jmp .Linvert

.Lexpand_192:
    /*
     * Six words a step: xmm0 holds four, the low half of xmm1 two.  Slot 0, then the words follow from slot 3 on, so that
     * slot 14 is the last: w[4], w[5] go to slot 3.  The last step's words 4 and 5 would lie behind slot 14 and aren't stored.
     */
    movq 0x10(KEY), %xmm1
    movdqa .Lrot_word_1(%rip), ROT
    lea 0x30(ENC), %rax
    mov $8, %r8d
1:  movq %xmm1, (%rax)
    _running_xor %xmm0, %xmm2
    _subword_rot %xmm0, %xmm1, %xmm2
    movdqu %xmm0, 8(%rax)
    dec %r8d
    jz 2f
    movdqa %xmm1, %xmm2         /* w[4], w[5] ^= running xor, on from w[3] */
    pslldq $4, %xmm2
    pxor %xmm2, %xmm1
    pshufd $0xff, %xmm0, %xmm2
    pxor %xmm2, %xmm1
    add $0x18, %rax
    jmp 1b
2:  mov $2, %r9d

.Linvert:
    /* dec: slot 0 = enc 14, 14 = enc 0; between: InvMixColumns of enc in reverse order, unused slots zero as in enc. */
    test DEC, DEC
    jz .Lwipe
    movdqa (ENC), %xmm0
    movdqa 0xe0(ENC), %xmm1
    movdqa %xmm0, 0xe0(DEC)
    movdqa %xmm1, (DEC)
    movdqa %xmm6, 0x10(DEC)
    movdqa %xmm6, 0x20(DEC)
    movdqa %xmm6, 0x30(DEC)
    movdqa %xmm6, 0x40(DEC)
    shl $4, %r9d
    lea 0x10(DEC, %r9), %rax    /* the first used slot behind slot 0 */
    lea 0xd0(ENC), %r8
    mov $0xd0, %ecx
    sub %r9d, %ecx              /* bytes of inner round keys */
1:  aesimc (%r8), %xmm0
    movdqa %xmm0, (%rax)
    add $0x10, %rax
    sub $0x10, %r8
    sub $0x10, %ecx
    jnz 1b
.Lwipe:
    pxor %xmm0, %xmm0
    pxor %xmm1, %xmm1
    pxor %xmm2, %xmm2
    pxor %xmm3, %xmm3
    RETURN
END_FUNC(lc_aes_expand_aesni)

.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES key expansion with AES-NI.  Needs AES and SSSE3.  It is in legacy SSE coding, so that it serves every implementation.
 *
 * -- Which words there are ------------------------------------------------------------------------------------------------------
 *
 * FIPS 197, section 5.2.  The schedule is a row of words of 4 bytes.  The first n = 4, 6 or 8 are the key, and each further one is
 *
 *   w[i] = w[i - n] ^ f(w[i - 1]),   f = SubWord(RotWord()) ^ rcon   for i % n == 0
 *                                    f = SubWord                     for n == 8 and i % 8 == 4
 *                                    f = identity                    otherwise
 *
 * So words are made in groups: f is something else than the identity once in 4 or 6 words, and in a group all that remains is a
 * running xor.  Let o[0], o[1], .. be the group of n (or half of 8) words before, and s = f of the last word.  The new words are
 *
 *   s ^ o[0],   s ^ o[0] ^ o[1],   s ^ o[0] ^ o[1] ^ o[2],   ..
 *
 * -- How f is computed ----------------------------------------------------------------------------------------------------------
 *
 * AESKEYGENASSIST computes f, but takes 12 cycles and more, and its rcon is an immediate, which forces unrolling.  AESENCLAST does
 * better.  It is ShiftRows, SubBytes and an xor with its key.  ShiftRows moves each byte to another column of the same row.  If the
 * same word stands in all four columns, it moves nothing that differs.  So the result is SubWord in each column, xored with the
 * "key", and that is rcon in each column.  One PSHUFB before it rotates the word and puts it in all columns.  4 + 1 cycles a step.
 *
 * It is a loop, so rcon is computed as well: 1, 2, 4, .., 0x80, then 0x1b and 0x36, each the double in AES's field of the one
 * before.  PSLLD doubles it: up to 0x80 no bit leaves the byte, and 0x1b is then loaded.
 *
 * -- The running xor ------------------------------------------------------------------------------------------------------------
 *
 * With x << 32 for a shift by a word, x ^= x << 32 makes w[0], w[0]^w[1], w[1]^w[2], w[2]^w[3].  Then x ^= x << 64 makes
 * w[0], w[0]^w[1], w[0]^w[1]^w[2], w[0]^w[1]^w[2]^w[3].
 *
 * Constant time: AESENCLAST is; the only branches are on the key's length.
 */
#include "asm.h"

.section .rodata.lc_aes_keys, "a", @progbits
.p2align 4
.Lrot_word_3:   /* RotWord of word 3, in every word: bytes 13, 14, 15, 12 */
    .fill 4, 4, 0x0c0f0e0d
.Lrot_word_1:   /* the same of word 1 */
    .fill 4, 4, 0x04070605
.Lone:
    .fill 4, 4, 1
.Lrcon_1b:
    .fill 4, 4, 0x1b

.text

/* ---- Registers ---- */

#define ENC      %rdi   /* enc: slots of 16 bytes */
#define DEC      %rsi   /* dec: the same, or 0 */
#define KEY      %rdx
#define KEY_LEN  %rcx   /* 16, 24 or 32 */
#define OUT      %rax   /* where the next slot goes */
#define STEPS    %r8d   /* left in the loop */
#define UNUSED   %r9    /* slots after slot 0 that this length of key leaves empty; for dec their bytes */
#define UNUSED32 %r9d
/* for dec */
#define IN       %r8    /* the slot that comes next, from the end of enc */
#define BYTES32  %ecx   /* of slots left */

#define W0       %xmm0  /* the group's words 0..3 */
#define W1       %xmm1  /* words 4..7 (256-bit keys), or 4 and 5 (192), the other half then being of no account */
#define SCRATCH  %xmm2
#define BEFORE   %xmm3  /* the group before (128-bit keys) */
#define ROT      %xmm4  /* shuffle: the last word of a group, rotated, in all words */
#define RCON     %xmm5  /* rcon in all words */
#define ZERO     %xmm6

/* ---- Steps ---- */

/* d ^= SubWord(RotWord(last word of s)) ^ rcon, in each word; rcon is doubled; t is clobbered */
.macro _add_rotated d, s, t
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

/* ---- The function ---- */

/*
 * void lc_aes_expand_aesni(uint8_t enc[15][16], uint8_t (*dec)[16], const uint8_t *key, size_t key_len);
 *
 * enc = the round keys for encryption, dec = those for decryption; src/aes.h has the layout: 15 slots, of which 128-bit keys leave
 * slots 1..4 unused and 192-bit keys slots 1..2.
 *
 * enc: 240 bytes, 16-byte aligned; dec the same or NULL; key: key_len = 16, 24 or 32 bytes of any alignment.
 * Clobbers rax, rcx, rdx, r8, r9, the flags, xmm0-xmm6; the registers that held keys are zeroed.  No stack.
 * Constant time: branches and addresses depend on key_len and on whether dec is NULL only.
 */
FUNC(lc_aes_expand_aesni)
    movdqa .Lone(%rip), RCON
    movdqa .Lrot_word_3(%rip), ROT
    movdqu (KEY), W0
    pxor ZERO, ZERO
    movdqa W0, (ENC)
    movdqa ZERO, 0x10(ENC)          /* unused slots: 1, 2 for two of the three */
    movdqa ZERO, 0x20(ENC)
    cmp $24, KEY_LEN
    je .Lexpand_192
    ja .Lexpand_256

    /* 128: ten groups of four words, slots 5..14. */
    movdqa ZERO, 0x30(ENC)
    movdqa ZERO, 0x40(ENC)
    lea 0x50(ENC), OUT
    mov $10, STEPS
1:  movdqa W0, BEFORE
    _running_xor W0, W1             /* W1 as scratch, SCRATCH for the other chain */
    _add_rotated W0, BEFORE, SCRATCH
    movdqa W0, (OUT)
    add $0x10, OUT
    cmp $3, STEPS                   /* was it the eighth, with 0x80? */
    jne 2f
    movdqa .Lrcon_1b(%rip), RCON
2:  dec STEPS
    jnz 1b
    mov $4, UNUSED32
    jmp .Linvert

.Lexpand_256:
    /*
     * Seven groups of eight words.  The first half takes RotWord and rcon, the second SubWord alone.  Slot 1 is the key's second
     * half; then slots 2..14, as the last group has only its first half.
     */
    movdqu 0x10(KEY), W1
    movdqa W1, 0x10(ENC)
    lea 0x20(ENC), OUT
    mov $7, STEPS
1:  movdqa W0, SCRATCH
    _running_xor W0, SCRATCH
    _add_rotated W0, W1, SCRATCH
    movdqa W0, (OUT)
    dec STEPS
    jz 2f
    _running_xor W1, SCRATCH
    pshufd $0xff, W0, SCRATCH       /* word 3 in all words */
    aesenclast ZERO, SCRATCH
    pxor SCRATCH, W1
    movdqa W1, 0x10(OUT)
    add $0x20, OUT
    jmp 1b
2:  xor UNUSED32, UNUSED32
    jmp .Linvert

.Lexpand_192:
    /*
     * Eight groups of six words: W0 has four, the low half of W1 two.  The key's first four words are slot 0.  Words 4 and on are
     * stored from slot 3 on without a gap, so that slot 14 is the last.  The last group's words 4 and 5 would lie after slot 14,
     * and aren't made.
     */
    movq 0x10(KEY), W1
    movdqa .Lrot_word_1(%rip), ROT  /* the group's last word is word 1 of W1 */
    lea 0x30(ENC), OUT
    mov $8, STEPS
1:  movq W1, (OUT)
    _running_xor W0, SCRATCH
    _add_rotated W0, W1, SCRATCH
    movdqu W0, 8(OUT)
    dec STEPS
    jz 2f
    movdqa W1, SCRATCH              /* words 4, 5: the running xor, which goes on from word 3 */
    pslldq $4, SCRATCH
    pxor SCRATCH, W1
    pshufd $0xff, W0, SCRATCH
    pxor SCRATCH, W1
    add $0x18, OUT
    jmp 1b
2:  mov $2, UNUSED32

.Linvert:
    /* dec: slot 0 = enc's 14, slot 14 = enc's 0; between them InvMixColumns of enc in reverse order; unused slots as in enc. */
    test DEC, DEC
    jz .Lwipe
    movdqa (ENC), W0
    movdqa 0xe0(ENC), W1
    movdqa W0, 0xe0(DEC)
    movdqa W1, (DEC)
    movdqa ZERO, 0x10(DEC)          /* slots 1..4, of which the loop fills those that are used */
    movdqa ZERO, 0x20(DEC)
    movdqa ZERO, 0x30(DEC)
    movdqa ZERO, 0x40(DEC)
    shl $4, UNUSED32
    lea 0x10(DEC, UNUSED), OUT      /* the first used slot after slot 0 */
    lea 0xd0(ENC), IN
    mov $0xd0, BYTES32              /* 13 slots, less the unused ones */
    sub UNUSED32, BYTES32
1:  aesimc (IN), W0
    movdqa W0, (OUT)
    add $0x10, OUT
    sub $0x10, IN
    sub $0x10, BYTES32
    jnz 1b
.Lwipe:
    pxor W0, W0
    pxor W1, W1
    pxor SCRATCH, SCRATCH
    pxor BEFORE, BEFORE
    RETURN
END_FUNC(lc_aes_expand_aesni)

.section .note.GNU-stack, "", @progbits

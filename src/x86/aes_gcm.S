/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM for x86-64: a body for vectors, aes_gcm_body.h, and one for single blocks, aes_gcm_blocks.h, for CPUs without VAES; and
 * an instance of one of them for each implementation.  The table of instances is in "The implementations"; src/x86/rows.def says
 * what each needs and the CPUs it is for.
 *
 * -- GCM ----------------------------------------------------------------------------------------------------------------------
 *
 *      C[i] = P[i] + AES(J0 + i)               for the blocks i = 1, 2, .. of the text; J0 is made of the nonce
 *      tag  = AES(J0) + hash(AAD, C, lengths)  AAD and C are padded with zeros to whole blocks, the lengths in bits are a block
 *
 * It is explained where it is done:
 *
 *      what a call does, in which order                                aes_gcm_body.h, aes_gcm_blocks.h
 *      the counter J0 + i and its order of bytes                       "Counters" there
 *      the hash, its order of bits, its products and their sums        "GHASH", _products
 *      the powers of the hash key, and which block has which           _hash_vector, lc_aes_gcm_powers_pclmul
 *      the reduction                                                   _reduce_low
 *      AES and hash together, and costs                                "The loop"; by blocks _turn_step
 *      parts of blocks without a byte too much                         _load_part
 */
#include "asm.h"

#ifndef LC_SMALL /* 1: less code, for kernels */
#define LC_SMALL 0
#endif

/* ---- Data ---- */

.section .rodata.lc_aes_gcm, "a", @progbits
.p2align 6
.Lbswap:            /* byte order of each 16 bytes reversed */
    .rept 4
    .byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    .endr
.Lpoly:             /* 1 + x + x^6, from bit 63 downwards: see _reduce_low; */
    .set .Lones, .Lpoly+8 /* and ones, which masks are made of: so this line has been read before sums are reduced */
    .rept 4
    .quad 0xc200000000000000, -1
    .endr
.Lx_inverse:        /* x^-1 = 1 + x + x^6 + x^127, from bit 127 downwards: see lc_aes_gcm_powers_pclmul */
    .quad 1, 0xc200000000000000
.Lshift_right:      /* 16 bytes at .Lshift_right + n: a shuffle that shifts to the right by n bytes; zeros come in */
    .byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .fill 16, 1, -1
    .fill 16, 1, -1
.Lmask_end:         /* 16 or 32 bytes at .Lmask_end - n: n bytes of ones, n <= 32, then zeros */
    .fill 32, 1, 0
    .fill 16, 1, -1
.Lreverse_last:     /* 16 bytes at .Lreverse_last - 16 + n: a shuffle that puts the last n bytes, reversed, at the top */
    .byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
.Lreverse_part:     /* 16 bytes at .Lreverse_part - 16 + 16 * n: see _load_reversed; byte 15 - i gets byte i of n, or 0 */
    .set N_BYTES, 1
    .rept 16
    .set BYTE, 15
    .rept 16
      .if BYTE >= N_BYTES
        .byte -1
      .elseif N_BYTES >= 8 && BYTE >= 8
        .byte BYTE - N_BYTES + 16
      .elseif N_BYTES >= 4 && N_BYTES < 8 && BYTE >= 4
        .byte BYTE - N_BYTES + 8
      .elseif N_BYTES < 4 && BYTE > 0
        .byte BYTE - N_BYTES + 6
      .else
        .byte BYTE
      .endif
    .set BYTE, BYTE - 1
    .endr
    .set N_BYTES, N_BYTES + 1
    .endr

.text

/* ---- Registers ---- */

#define KEY      %rdi   /* struct lc_gcm_key */
#define DST      %rsi   /* where the next text goes */
#define SRC      %rdx   /* the next text */
#define LEN      %rcx   /* bytes of text left */
#define LEN32    %ecx
#define MSG      %r8    /* struct lc_gcm_msg */
#define FLAGS    %r9    /* see below */
#define FLAGS32  %r9d
#define FLAGS8   %r9b
#define TMP      %r10   /* scratch */
#define TMP32    %r10d
#define POWER_AT %r11   /* -16 * how many blocks the sums still wait for: at POWERS_END + POWER_AT is the next one's power of H */
#define POWER_AT32 %r11d
#define ROUNDS   %rax   /* how many rounds there are, as their loop counts: see aes_rounds.h */
#define ROUNDS32 %eax
/* While AAD is hashed: */
#define AAD      %rax   /* the next bytes of it */
#define AAD_LEN  %r10   /* bytes of it left */
#define AAD_LEN32 %r10d
#define AAD_TMP  %r11
#define AAD_TMP32 %r11d
#define MASK     %k1    /* with EVEX: a bit for each byte of a part of a vector */

/* In FLAGS: enum lc_gcm_how, asserted in layout.h, and what the bodies add */
#define LENGTHS  1      /* LC_GCM_LAST: the length block and AES(J0) are to follow. */

/* struct lc_gcm_key, lc_gcm_msg, enum lc_gcm_how: asserted in layout.h */
#define SLOT(i) 16*(i)-KEY_AT(KEY)
#define SLOT_AT(i, index) 16*(i)-KEY_AT(KEY,index)
#define KEY_ROUNDS 240-KEY_AT
#define MSG_AAD (0-MSG_AT)
#define MSG_AAD_LEN (8-MSG_AT)
#define MSG_J0 (16-MSG_AT)
#define MSG_HASH (32-MSG_AT)
#define MSG_BITS (48-MSG_AT)
#define MSG_DONE (64-MSG_AT)
#define MSG_NONCE (72-MSG_AT)
#define MSG_TAG (80-MSG_AT)
#define MSG_GROUP (96-MSG_AT)

/*
 * Vector registers by role.  `_vector NAME, n` gives register n three names: NAME, of VL bytes, and NAME_YMM and NAME_XMM, its
 * lower 32 and 16 bytes.  Two roles share a register where one is over before the other begins.
 */
.macro _vector name, n
    _name_vector \name, \n
    .set \name\()_YMM, %ymm\n
.endm

/* ---- Operand macros of this file ---- */

/* An instruction on xmm registers below 16, whatever VL is; op: its name in the legacy coding. */
.macro _xmm_move op, s, d   /* d = s */
  .if CODE == SSE
    \op \s, \d
  .else
    v\op \s, \d
  .endif
.endm
.macro _xmm_op op, s, d     /* d = d op s */
  .if CODE == SSE
    \op \s, \d
  .else
    v\op \s, \d, \d
  .endif
.endm

/* 16 bytes from disp + base + index, of any alignment (see _load_at in asm.h) */
.macro _load_block_at disp, base, index, d
    _xmm_move movdqu, "\disp(\base,\index)", \d
.endm

/* d = s with the 16 bytes of each lane in reverse order. */
.macro _reverse_bytes s, d
    _shufb .Lbswap(%rip), \s, \d
.endm
.macro _reverse_block d
    _xmm_op pshufb, .Lbswap(%rip), \d
.endm

/* d = one half of a * one half of b, without carries: 64 * 64 bits give 127.  imm: bits 0 and 4 pick the higher half of b and a. */
.macro _clmul imm, a, b, d
  .if CODE == SSE
   .ifnc \b,\d
    movdqa \b, \d
   .endif
    pclmulqdq \imm, \a, \d
  .else
    vpclmulqdq \imm, \a, \b, \d
  .endif
.endm

.macro _swap_halves r
  .if CODE == SSE
    pshufd $0x4e, \r, \r
  .else
    vpshufd $0x4e, \r, \r
  .endif
.endm

/* A whole register = 0, one below 16 or above 15.  (Except in the legacy coding, writing the low 16 bytes clears the rest.) */
.macro _zero role
  .if CODE == SSE
    pxor \role\()_XMM, \role\()_XMM
  .else
    vpxor %xmm0, %xmm0, \role\()_XMM /* if it's above 7, this is shorter than by itself */
  .endif
.endm
.macro _wipe_high role
    vpxord \role\()_XMM, \role\()_XMM, \role\()_XMM
.endm

/* d = n, rounded up to the bytes of whole blocks */
.macro _whole_blocks n, d
    lea 15(\n), \d
    and $-16, \d
.endm

#include "aes_rounds.h"

/* ---- GHASH ---- */

/*
 * What is computed.  Blocks are polynomials in x of degree up to 127 with coefficients 0 and 1; the sum of two is their xor, and
 * the product is taken modulo x^128 + x^7 + x^2 + x + 1: wherever x^128 comes up, x^7 + x^2 + x + 1 takes its place.  With the
 * hash key H, AES of a block of zeros, the hash of blocks B[1] .. B[n] is
 *
 *      B[1] * H^n + B[2] * H^(n - 1) + .. + B[n] * H       or, block after block,      hash = (hash + B[i]) * H
 *
 * The second form is a chain, where each product waits for the one before.  In the first form no product waits for another, and
 * as reduction modulo a polynomial can be done after a sum as well as before it, a sum of any number of products needs only one.
 * So blocks are taken in batches: the hash so far (HASH) is added to a batch's first block; each block of the batch is multiplied
 * by a power of its own, H^n to H^1, and added to the sums (_add_outer, _add_middle); then the sums are reduced (_reduce_low,
 * _reduce_middle), and are the hash so far.
 *
 * The order of bits.  GCM counts from the left: the coefficient of x^0 is the highest bit of byte 0, that of x^7 the lowest bit
 * of byte 0, that of x^8 the highest bit of byte 1, and that of x^127 the lowest bit of byte 15.  x86 counts bytes and bits from
 * the right.  Reversing the order of the bytes, a shuffle, makes it consistent: then a block, read as a number of 128 bits, has
 * in bit k the coefficient of x^(127 - k).  All bits are the wrong way round, but for a product without carries that doesn't
 * matter, as no direction is special in it.  Bit k of the product of two numbers is the sum of all a[i] b[j] with i + j = k, and
 * those are the coefficients of x^(127 - i) * x^(127 - j) = x^(254 - k).  So the product is right, and the wrong way round as
 * well:
 *
 *      bit of the product               255     254     253     ..     128     127     ..      1       0
 *      the coefficient in it            none    x^0     x^1            x^126   x^127           x^253   x^254
 *      as two blocks would have it      x^0     x^1     x^2     ..     x^127   x^128   ..      x^254   x^255
 *
 * It is one bit too low for its upper half to be a block, or, as the last line reads it, it is x times what it should be.  The
 * remedy isn't to shift each product: the powers of H in the key are H^i * x^-1.  The product's x and the x^-1 cancel out.
 */

/*
 * LO, MI, HI = s * power, 256 bits, in each lane.  width: empty, or _XMM, for one block, or _YMM, for two.  The other lanes are 0
 * then, as VEX and EVEX have it; so what adds up whole vectors may follow, as the last line here does.
 *
 * Each factor is two halves of 64 bits, and their four products come with three weights, which get a sum each:
 *
 *      LO, bits 0 ..       lower half * lower half                                             $0x00
 *      MI, bits 64 ..      lower half * higher half + higher half * lower half                 $0x10, $0x01
 *      HI, bits 128 ..     higher half * higher half                                           $0x11
 *
 * Karatsuba's way has three products: (lower + higher) * (lower + higher) - LO - HI is MI.  But it takes a shuffle and an xor for
 * each block, to add the halves, and on Intel a shuffle may take the multiplier's port, p5: nothing would be won.  With 16
 * registers it is what batches and the loop do: see "GHASH outside of the loop" in the body.  With EVEX the loop has two sums.
 */
.macro _products s, power=POWER, width=
    _clmul $0x01, \power\width, \s\width, MI\width
    _clmul $0x10, \power\width, \s\width, SCRATCH0\width
    _clmul $0x00, \power\width, \s\width, LO\width
    _clmul $0x11, \power\width, \s\width, HI\width
    _xor SCRATCH0, MI, MI
.endm

/*
 * HI = the sums modulo the polynomial, in each lane.  LO, MI and SCRATCH0 are clobbered.  width: as in _products.
 *
 * The sums overlap.  These are the four 64-bit words of the number that they make up, and the powers of x in each:
 *
 *      word            3               2               1               0
 *      powers          x^0 .. 63       x^64 .. 127     x^128 .. 191    x^192 .. 255
 *      HI              higher half     lower half
 *      MI                              higher half     lower half
 *      LO                                              higher half     lower half
 *
 * Words 3 and 2 are right as they are.  Words 1 and 0 have to be replaced by what they are modulo the polynomial; word 0 goes
 * first, as part of it moves to word 1.  It holds L * x^192 for an L of degree up to 63, and
 *
 *      L * x^192  =  L * x^128 * x^64  =  L * (1 + x + x^2 + x^7) * x^64  =  L * x^64  +  L * (x + x^2 + x^7) * x^64
 *
 * The first term is L in word 2.  The second one has powers from x^65 to x^134, so it lies in words 2 and 1.  It is a product
 * without carries of two words, L and a constant; as above the product is x times what it should be, so the constant has one x
 * less: C = 1 + x + x^6, which is bits 63, 62 and 57 (.Lpoly).  C * L is a number of 128 bits for words 2 and 1, which is where
 * MI is.  L is LO's lower half and goes to the higher half of MI; LO's higher half belongs to word 1, the lower half of MI.  So
 * with the halves of LO exchanged, both are where they should be, and word 0 is gone:
 *
 *      MI += swap(LO) + C * lower half of LO           and the same again for word 1:
 *      HI += swap(MI) + C * lower half of MI
 */
.macro _reduce_low width=
    _clmul_poly LO\width, SCRATCH0\width
    _swap_halves LO\width
    _xor3 SCRATCH0\width, LO\width, MI\width
.endm
.macro _reduce_middle scratch=SCRATCH0, width=
    _clmul_poly MI\width, \scratch\width
    _swap_halves MI\width
    _xor3 \scratch\width, MI\width, HI\width
.endm
.macro _clmul_poly s, d
    _clmul $0x00, .Lpoly(%rip), \s, \d
.endm

/* What Karatsuba's MI has too much */
.macro _take_outer
    _xor LO, MI, MI
    _xor HI, MI, MI
.endm

/* The end of a batch: the sums are reduced, and the lanes added up: HASH_XMM = the hash so far. */
.macro _reduce_to_hash
  .if CODE != EVEX
    _take_outer
  .endif
    _reduce_low
    _reduce_middle
  .if VL == 64
    vextracti64x4 $1, HI, SCRATCH0_YMM
    vpxor SCRATCH0_YMM, HI_YMM, HI_YMM
  .endif
  .if VL >= 32
    vextracti128 $1, HI_YMM, SCRATCH0_XMM
    vpxor SCRATCH0_XMM, HASH_XMM, HASH_XMM
  .endif
    _xmm_op pxor, HI_XMM, HASH_XMM
.endm

/* ---- Parts of vectors ---- */

/*
 * Without masks n bytes are read or written as two pieces that overlap: the first bytes, and the last ones,
 * which end with byte n.  Not one byte outside of the n is touched.
 */

/*
 * d (xmm) = n = 1..16 bytes at p, zeros after them.  The last bytes, in SCRATCH0, go to the top of the register first, and from
 * there down to their place, by a shuffle.  n is kept, scratch is clobbered.
 */
.macro _load_part p, n, scratch, scratch32, d
    cmp $8, \n
    jb .Lbelow8\@
    _xmm_move movq, (\p), \d
    _load_last_bytes movq, 8, \p, \n
    jmp .Lmerge\@
.Lbelow8\@:
    cmp $4, \n
    jb .Lbelow4\@
    _xmm_move movd, (\p), \d
    _load_last_bytes movd, 4, \p, \n
    jmp .Lmerge\@
.Lbelow4\@:
    movzbl (\p), \scratch32
    _xmm_move movd, \scratch32, \d
    cmp $1, \n
    je .Lend\@
    movzwl -2(\p,\n), \scratch32
    _xmm_move movd, \scratch32, SCRATCH0_XMM
    _xmm_op pslldq, $14, SCRATCH0_XMM
.Lmerge\@:
    lea .Lshift_right+16(%rip), \scratch
    sub \n, \scratch
    _xmm_move movdqu, (\scratch), SCRATCH1_XMM
    _xmm_op pshufb, SCRATCH1_XMM, SCRATCH0_XMM
    _xmm_op por, SCRATCH0_XMM, \d
.Lend\@:
.endm
.macro _load_last_bytes op, size, p, n
    _xmm_move \op, "-\size(\p,\n)", SCRATCH0_XMM
    _xmm_op pslldq, $16-\size, SCRATCH0_XMM
.endm

/* The same for n = 1..31 and 32 bytes; d: a role */
.macro _load_part_32 p, n, scratch, scratch32, d
    cmp $16, \n
    ja .Labove16\@
    _load_part \p, \n, \scratch, \scratch32, \d\()_XMM
    jmp .Lend\@
.Labove16\@:
    lea .Lshift_right+32(%rip), \scratch
    sub \n, \scratch
    _load_block_at -16, \p, \n, SCRATCH0_XMM
    vpshufb (\scratch), SCRATCH0_XMM, SCRATCH0_XMM
    vmovdqu (\p), \d\()_XMM
    vinserti128 $1, SCRATCH0_XMM, \d, \d
.Lend\@:
.endm

/*
 * The first n = 1..15 bytes of s to p.  The last bytes are brought down to the low end of SCRATCH0, by a shuffle from
 * .Lshift_right. SCRATCH0, SCRATCH1 and scratch are clobbered.
 */
.macro _store_part p, n, scratch, scratch32, scratch8, s=DATA3_XMM
    _xmm_move movdqa, \s, SCRATCH0_XMM
    lea .Lshift_right(%rip), \scratch
    cmp $8, \n
    jb .Lbelow8\@
    _xmm_move movq, \s, (\p)
    _store_last_bytes movq, 8, \p, \n, \scratch
    jmp .Lend\@
.Lbelow8\@:
    cmp $4, \n
    jb .Lbelow4\@
    _xmm_move movd, \s, (\p)
    _store_last_bytes movd, 4, \p, \n, \scratch
    jmp .Lend\@
.Lbelow4\@:
    _xmm_move movq, \s, \scratch
    mov \scratch8, (\p)
    cmp $2, \n
    jb .Lwipe\@
    shr $8, \scratch
    mov \scratch8, 1(\p)
    cmp $2, \n
    je .Lwipe\@
    shr $8, \scratch
    mov \scratch8, 2(\p)
.Lwipe\@:
    xor \scratch32, \scratch32        /* key stream that the text has no use for */
.Lend\@:
.endm
.macro _store_last_bytes op, size, p, n, shuffles
    _load_block_at -\size, \shuffles, \n, SCRATCH1_XMM
    _xmm_op pshufb, SCRATCH1_XMM, SCRATCH0_XMM
    _xmm_move \op, SCRATCH0_XMM, "-\size(\p,\n)"
.endm

#include "aes_gcm_body.h"
#include "aes_gcm_blocks.h"

/* ---- The implementations ---- */

/* What a body's macros go by: VL, CODE, and powers of H in the key */
.macro _describe vl, code, num_powers, key_at=0, msg_at=0
    .set VL, \vl
    .set CODE, \code
    .set VECTORS, 4
    .set SMALL, CODE != EVEX || LC_SMALL   /* Do heads have their rounds in loops, and both directions one text? */
    .set HAS_SHORT, VL == 64 && LC_SMALL == 0
    .set HAS_SAME_PASS, CODE == EVEX && LC_SMALL == 0 /* Is text hashed in the rounds that decrypt it? */
    .set OPEN_LEN_WIDE, 4064               /* .. if it has no more bytes than these: see "Opening"; but by 512 bits, */
    .set OPEN_LEN, OPEN_LEN_WIDE           /* if the CPU isn't Intel's or the key not of 32 bytes: than these */
  .if VL == 64
    .set OPEN_LEN, 1536
  .endif
    .set LAST_IS_TURN, HAS_SHORT           /* Is the last group a turn of the loop, which is left before its text? */
    .set TWO_BATCHES, VL == 64 || SMALL == 0 /* Do nine or more vectors have no loop? */
    .set BASES, 0                           /* Has the loop a BASE for each vector? */
    .set KARATSUBA, 0                       /* EVEX: has the loop three products for a block?  (HAS_SHORT: there are both.) */
    .set KEY_AT, \key_at                   /* KEY and MSG are so far behind where their structures begin: so what they address */
    .set MSG_AT, \msg_at                   /* is at 8 bits' distance, and instructions are shorter. */
    .set NUM_POWERS, \num_powers           /* H^NUM_POWERS .. H^1, */
    .set POWERS_END, 256 + 16 * NUM_POWERS - KEY_AT /* then zeros, */
    .set FOLDED, POWERS_END + 48            /* and then for 512 bits some times x^64: see "The loop"; */
    .set HALVES_END, FOLDED + 16 * NUM_POWERS /* or with 16 registers the added halves of all, and zeros: see "GHASH outside .." */
    .set AAD_BATCH, 16 * NUM_POWERS / VL * VL /* bytes of AAD in a batch of the hash, at most: whole vectors, if there is more */
    .set TINY, VL - 16                      /* bytes of AAD, and of text, that are tiny: see the body */
    _name_registers
.endm

/*
 * Messages without text have one function for all rows with AVX-512, and one for all others, whose keys are the same: by the legacy
 * coding, which takes half a cycle more than by VEX would.  Upper halves of registers are clean when functions are called.
 */
.macro _empty_message impl, code, num_powers
#if LC_SMALL == 0
    _describe 16, \code, \num_powers
    _aes_gcm_empty \impl
#endif
.endm

.macro _implementation impl, vl, code, num_powers, key_at=0, empty=
    _begin_code lc_aes_gcm_\impl
  .ifnb \empty
    _empty_message \impl, \code, \num_powers
  .endif
    _describe \vl, \code, \num_powers, \key_at
    _aes_gcm \impl, \vl
    _end_code lc_aes_gcm_\impl
.endm

.macro _implementation_blocks impl, code
    _begin_code lc_aes_gcm_\impl
  .if \code == SSE
    _empty_message \impl, \code, 19
  .endif
    _describe 16, \code, 19, 128, 128
    .set VECTORS, 8
    _name_registers_blocks
    _aes_gcm_blocks \impl
    _end_code lc_aes_gcm_\impl
.endm

/* The one after it, which is a part of its code, with Karatsuba's loop.  It is before it, so that both are fetched at once. */
.macro _karatsuba_implementation impl, of
    .p2align 6
    _begin_code lc_aes_gcm_\impl
FUNC(lc_aes_gcm_decrypt_\impl)
    or $TO_DECRYPT|BY_KARATSUBA|J0_LAST, FLAGS32
    _jump_to jmp, aes_gcm_encrypt_\of
END_FUNC(lc_aes_gcm_decrypt_\impl)
FUNC(lc_aes_gcm_encrypt_\impl)
    or $BY_KARATSUBA|J0_LAST, FLAGS32
    _jump_to jmp, aes_gcm_encrypt_\of
END_FUNC(lc_aes_gcm_encrypt_\impl)
.endm

/* The one before it, which is a part of its code; but more of what is short goes to the code for 256 bits. */
.macro _narrow_implementation impl
    _decryption \impl
    .p2align 4
.Laes_gcm_encrypt_\impl:
FUNC(lc_aes_gcm_encrypt_\impl)
    or $J0_LAST, FLAGS32
    test $FROM_NONCE, FLAGS8
    jz 2f
    mov MSG_AAD_LEN(MSG), AAD_LEN
    _narrow_messages 96, 16
    _narrow_messages 32, 64
2:  _jump_to jmp, aes_gcm_encrypt_\impl\()_wide
END_FUNC(lc_aes_gcm_encrypt_\impl)
    _end_code lc_aes_gcm_\impl
.endm

/* With EVEX, 256 bits need 18 powers; but short messages of the 512-bit code go there too, with keys of 36. */
/*              impl             VL  CODE  powers: LC_GCM_POWERS or LC_GCM_POWERS_AVX512 */
_not_in_kernel _implementation_blocks aesni, SSE
_implementation_blocks aesni_avx, VEX
_implementation vaes_avx2,       32, VEX,  19, 128
_implementation vaes_avx512_256, 32, EVEX, 36, 0, empty
#if LC_SMALL
_implementation vaes_avx512_512, 64, EVEX, 36
#else
_karatsuba_implementation vaes_avx512_512_karatsuba, vaes_avx512_512_wide
_begin_code lc_aes_gcm_vaes_avx512_512
_implementation vaes_avx512_512_wide, 64, EVEX, 36, 128
_end_code lc_aes_gcm_vaes_avx512_512_karatsuba
_narrow_implementation vaes_avx512_512
#endif

/* ---- Powers of the hash key ---- */

/* HI = TO_HASH0 * POWER */
.macro _multiply
    _products TO_HASH0
    _reduce_low
    _reduce_middle
.endm

#define POWERS      %rdi    /* KEY + 256: key->powers, which begins with the highest power */
#define POWER_N     %rcx    /* where H^n is */
#define POWER_I     %rax    /* where H^i is, i = 1 .. n */
#define POWER_N_I   %rdx    /* where H^(n + i) goes; higher powers are below lower ones */

/*
 * void lc_aes_gcm_powers_pclmul(struct lc_gcm_key *key);
 *
 * To key->powers: H^19 .. H^1, where H = AES(0), each times x^-1, and three blocks of zeros; then the sum of each one's halves, in
 * both halves, and two of zeros.  Why the x^-1: see "GHASH".  Why in this order, and why zeros: see _hash_vector.  Why 19: a batch
 * of blocks has up to 16 of text, two of AAD, and the length block.
 *
 * H * x^-1.  A block has x^0 in its highest bit, and every bit further down is one more power of x.  So a product by x^-1
 * shifts the number left by one bit.  The bit that falls out, x^0, becomes x^-1, and that is 1 + x + x^6 + x^127: times x, it is
 * x + x^2 + x^7 + x^128, which is 1 as x^128 = 1 + x + x^2 + x^7.
 *
 * The others.  A product of two of these, H^n * x^-1 and H^i * x^-1, has a factor x too much as all products here, and comes out
 * as H^(n + i) * x^-1, as it should be.  From H^1 .. H^n follow H^(n + 1) .. H^2n by a product with H^n each: the longest chain
 * of products has five of them (H^2, H^4, H^8, H^16, H^19), where one after the other would be 18.
 *
 * Clobbers rax, rcx, rdx, rdi, r10, the flags, xmm0-xmm5, xmm8, xmm12.  No stack.  Constant time: branches and addresses depend
 * on the number of rounds only.
 */
_describe 16, SSE, 19
FUNC(lc_aes_gcm_powers_pclmul)
    /* DATA0 = H, byte-reversed */
    _count_rounds
    pxor DATA0_XMM, DATA0_XMM
    pxor SLOT(0), DATA0_XMM
    mov ROUNDS, TMP
1:  aesenc SLOT_AT(14, TMP), DATA0_XMM
    add $16, TMP
    jnz 1b
    aesenclast SLOT(14), DATA0_XMM
    _reverse_block DATA0_XMM

    /* DATA0 = H * x^-1.  Only 64-bit halves can be shifted: SCRATCH1 has the bit that goes from the lower to the higher one. */
    movdqa DATA0_XMM, SCRATCH0_XMM
    psrad $31, SCRATCH0_XMM     /* the sign of each 32-bit word, in all of its bits */
    pshufd $0xff, SCRATCH0_XMM, SCRATCH0_XMM
    pand .Lx_inverse(%rip), SCRATCH0_XMM
    movdqa DATA0_XMM, SCRATCH1_XMM
    psrlq $63, SCRATCH1_XMM
    pslldq $8, SCRATCH1_XMM
    psllq $1, DATA0_XMM
    por SCRATCH1_XMM, DATA0_XMM
    pxor SCRATCH0_XMM, DATA0_XMM

    lea POWERS_END-16(KEY), POWER_N
    movdqa DATA0_XMM, (POWER_N)
    pxor SCRATCH0_XMM, SCRATCH0_XMM
    movdqa SCRATCH0_XMM, POWERS_END(KEY)
    movdqa SCRATCH0_XMM, POWERS_END+16(KEY)
    movdqa SCRATCH0_XMM, POWERS_END+32(KEY)
    add $256, KEY               /* POWERS from here on */
2:  movdqa (POWER_N), TO_HASH0_XMM
    mov POWER_N, POWER_N_I
    lea 16*NUM_POWERS-16(POWERS), POWER_I
3:  movdqa (POWER_I), POWER_XMM
    sub $16, POWER_N_I
    sub $16, POWER_I
    _multiply
    movdqa HI_XMM, (POWER_N_I)
    cmp POWERS, POWER_N_I       /* H^19? */
    je 4f
    cmp POWER_N, POWER_I        /* i <= n? */
    jae 3b
    mov POWER_N_I, POWER_N      /* n = 2 * n */
    jmp 2b
4:  lea 16*NUM_POWERS(POWERS), POWER_N
5:  movdqa (POWERS), TO_HASH0_XMM
    _add_halves TO_HASH0, HI
    movdqa HI_XMM, HALVES_END-POWERS_END(POWERS)
    add $16, POWERS
    cmp POWER_N, POWERS
    jb 5b
    pxor SCRATCH0_XMM, SCRATCH0_XMM
    .irp i, 0,1
    movdqa SCRATCH0_XMM, HALVES_END-POWERS_END+16*\i(POWERS)
    .endr
    .irp role, DATA0,TO_HASH0,LO,MI,HI,SCRATCH0,SCRATCH1,POWER
    _zero \role
    .endr
    RETURN
END_FUNC(lc_aes_gcm_powers_pclmul)

/*
 * void lc_aes_gcm_powers_<impl>(struct lc_gcm_key *key);
 *
 * To key->powers: H^36 .. H^1 and zeros as lc_aes_gcm_powers_pclmul has them, which says how; here a vector at a time.  For 512
 * bits also x^64 times H^16, H^12, H^8, H^4, for the loop.
 *
 * Kernels have one function for both, by 256 bits: half a kilobyte less, and a key of the 512-bit row takes 60 cycles more.
 *
 * Clobbers rax, rcx, rdx, rdi, the flags, zmm4, zmm8-zmm14.  No stack.  Constant time: branches and addresses depend on the
 * number of rounds only.
 */
.macro _powers_evex impl, has_folded
FUNC(lc_aes_gcm_powers_\impl)
    /* J0 = H, then H * x^-1 */
    vmovdqa SLOT(0), J0_XMM
    _encrypt_j0 by_loop=1, counter=ROUNDS, counter32=ROUNDS32
    _reverse_block J0_XMM
    vpsrad $31, J0_XMM, SCRATCH0_XMM
    vpshufd $0xff, SCRATCH0_XMM, SCRATCH0_XMM
    vpand .Lx_inverse(%rip), SCRATCH0_XMM, SCRATCH0_XMM
    vpsrlq $63, J0_XMM, SCRATCH1_XMM
    vpslldq $8, SCRATCH1_XMM, SCRATCH1_XMM
    vpsllq $1, J0_XMM, J0_XMM
    vpternlogd $0x96, SCRATCH0_XMM, SCRATCH1_XMM, J0_XMM

    /* TO_HASH0 = the vector's powers, H^LANES .. H^1; POWER = the first of them in each lane */
    vmovdqa J0_XMM, TO_HASH0_XMM
    vmovdqa J0_XMM, POWER_XMM
    _multiply
    vinserti128 $1, J0_XMM, HI_YMM, TO_HASH0_YMM
    vinserti128 $1, HI_XMM, HI_YMM, POWER_YMM
  .if VL == 64
    vmovdqa TO_HASH0_YMM, J0_YMM
    _multiply
    vinserti64x4 $1, J0_YMM, HI, TO_HASH0
    _spread HI, POWER
  .endif
    lea POWERS_END-VL(KEY), POWER_N
    vmovdqu64 TO_HASH0, (POWER_N)
    _zero SCRATCH0
    vmovdqa SCRATCH0_XMM, POWERS_END(KEY)
    vmovdqa SCRATCH0_XMM, POWERS_END+16(KEY)
    vmovdqa SCRATCH0_XMM, POWERS_END+32(KEY)
    add $256, KEY               /* POWERS from here on */
1:  mov POWER_N, POWER_N_I
    lea 16*NUM_POWERS-VL(POWERS), POWER_I
2:  vmovdqu64 (POWER_I), TO_HASH0
    sub $VL, POWER_N_I
    sub $VL, POWER_I
    _multiply
    vmovdqu64 HI, (POWER_N_I)
    cmp POWERS, POWER_N_I
    je 3f
    cmp POWER_N, POWER_I
    jae 2b
    mov POWER_N_I, POWER_N
    _spread HI, POWER
    jmp 1b
3:
  .if \has_folded
    mov $-16*VECTORS, POWER_I   /* x^64 times every fourth power */
4:  vmovdqa 16*NUM_POWERS(POWERS,POWER_I,4), TO_HASH0_XMM
    _fold TO_HASH0, HI, _XMM
    vmovdqa HI_XMM, FOLDED-256+16*VECTORS(POWERS,POWER_I)
    add $16, POWER_I
    jnz 4b
  .endif
    .irp role, TO_HASH0,LO,MI,HI,POWER,SCRATCH0,SCRATCH1,J0
    _zero \role
    .endr
    vzeroupper
    RETURN
END_FUNC(lc_aes_gcm_powers_\impl)
.endm

_describe 32, EVEX, 36
#if LC_SMALL
    .p2align 4
.Laes_gcm_powers_vaes_avx512_512:
_powers_evex vaes_avx512_512, 1
FUNC(lc_aes_gcm_powers_vaes_avx512_256)
    _jump_to jmp, aes_gcm_powers_vaes_avx512_512
END_FUNC(lc_aes_gcm_powers_vaes_avx512_256)
#else
_powers_evex vaes_avx512_256, 0
_describe 64, EVEX, 36
_powers_evex vaes_avx512_512, 1
#endif

/* ---- Several messages at once ---- */

#ifndef LC_ONE_MESSAGE /* a kernel's requests are single messages */

/*
 * As many short messages as a vector has lanes, MESSAGES, are done side by side: one alone would leave the units idle most of the
 * time, waiting for results.
 *
 * A pass takes the next PASS bytes of each message, PER vectors: four vectors of counters go through the AES rounds.  A nonce has
 * 12 bytes here and a text at most 32 blocks, so counters are below 256, in the last byte of a block: an xor puts them there, in
 * the order of bytes that AES wants.  The first round key is xored into the nonces already.  Message m's vectors are PER * m and
 * those after it; with EVEX they are hashed between the next pass's rounds.  With 16 registers there is no room for that: they are
 * hashed at once, by powers from memory.
 *
 * Each message has its own sums LO, MI and HI, and nothing is reduced before the end.  They begin with the products of its AAD
 * and of its length block, in two lanes.  In the end the lanes are added up, so that each message has one lane of LO, MI and HI:
 * then one reduction is enough for all.  The J0s are a vector like that from the beginning.
 *
 * Tried on Zen 4, and within 2 % of this: the AAD and the lengths of all four in a vector's lanes (half as many products, but
 * more shuffles, and registers only after the passes); the rounds of the first pass unrolled; nonces by one masked load each.
 */
#define PASS 64

.section .rodata.lc_aes_gcm, "a", @progbits
.p2align 3
.Lpass_len:         /* in memory, as CMOV wants it */
    .quad PASS
.text

#define ITEMS    %rsi   /* struct lc_aead_item *[MESSAGES] */
#define DECRYPT  %edx   /* whether text is ciphertext */
#define DONE     %r8    /* how many bytes of each message's text have been done, or more than it has */
#define DONE32   %r8d
#define MAX_LEN  %r9    /* of the longest text */
#define MAX_LEN32 %r9d
#define ONES     %r11   /* with EVEX: all bits 1; its lower bits make masks */
#define TEXT_AT_16 %r11 /* with 16 registers: TEXT_AT, */
#define TEXT_AT_16_8 %r11b
#define PART_TMP %r11   /* or scratch */
#define PART_TMP32 %r11d
/* One after the other in the same register: */
#define ITEM     %rax   /* the message's struct lc_aead_item */
#define ITEM32   %eax   /* (with 16 registers then where its text goes, or scratch) */
#define ITEM8    %al
#define COUNTERS_AT %rax /* .Lcounters+32; ROUNDS is %rax, too */
#define WRONG    %eax   /* the answer */
#define LEFT     %rcx   /* bytes of this message's text that are left, or the negative of them; a mask of them */
#define LEFT32   %ecx
#define BEGIN_AT %rcx   /* where the power of H for this message's AAD is: like POWER_AT, as is TEXT_AT */
#define TEXT_AT  %r10   /* .. for the next block of its text; TMP */

/* struct lc_aead_item: asserted in layout.h */
#define ITEM_DST 0
#define ITEM_TAG 8
#define ITEM_SRC 16
#define ITEM_LEN 24
#define ITEM_AAD 32
#define ITEM_AAD_LEN 40
#define ITEM_NONCE 48

/* Numbers 0 .. are messages; those of DATA, TO_HASH, POWER, and of OF<v>_NONCE and so on are vectors. */
.macro _name_registers_many
    _set_vectors
    _vector DATA0, 0        /* counters, key stream, text */
    _vector DATA1, 1
    _vector DATA2, 2
    _vector DATA3, 3
    _vector NEW_NONCE, 0    /* as a message begins: its nonce, */
    _vector LEN_BLOCK, 1    /* its length block, */
    _vector AAD_BLOCK, 2    /* its AAD; and both of them */
    _vector TWO_POWERS, 3   /* their powers of H */
    _vector LO, 0           /* in the end: sums with a lane for each message */
    _vector MI, 1
    _vector HI, 2
    _vector TAGS, 0         /* to decrypt: the tags that came with the messages; HI has what they should be */
  .if CODE == EVEX
    _vector TO_HASH0, 4     /* text to be hashed, byte-reversed */
    _vector TO_HASH1, 5
    _vector TO_HASH2, 6
    _vector TO_HASH3, 7
    _vector POWER0, 8       /* its powers of H */
    _vector POWER1, 9
    _vector POWER2, 10
    _vector POWER3, 11
    _vector SCRATCH0, 12    /* clobbered by most macros */
    _vector SCRATCH1, 13
    _vector ROUND_KEY, 14   /* a round key; and in its place, */
    _vector BSWAP, 14       /* .Lbswap, when text is added, */
    _vector J0, 15          /* the J0s, and then AES of them */
    _vector NONCE0, 16      /* in each lane, the first round key added */
    _vector NONCE1, 17
    _vector NONCE2, 18
    _vector NONCE3, 19
    _vector LO0, 20         /* sums of each message */
    _vector LO1, 21
    _vector LO2, 22
    _vector LO3, 23
    _vector MI0, 24
    _vector MI1, 25
    _vector MI2, 26
    _vector MI3, 27
    _vector HI0, 28
    _vector HI1, 29
    _vector HI2, 30
    _vector HI3, 31
  .else
    _vector LO0, 4
    _vector MI0, 5
    _vector HI0, 6
    _vector LO1, 7
    _vector MI1, 8
    _vector HI1, 9
    _vector SCRATCH0, 10
    _vector SCRATCH1, 11
    _vector ROUND_KEY, 12
    _vector J0, 13
    _vector NONCE0, 14
    _vector NONCE1, 15
  .endif
  .if PER == 1
    _for_each 4, _of_message \i, \i
  .else
    _of_message 0, 0
    _of_message 1, 0
    _of_message 2, 1
    _of_message 3, 1
  .endif
.endm
.macro _of_message v, m
    .set OF\v\()_NONCE, NONCE\m
    .set OF\v\()_LO, LO\m
    .set OF\v\()_MI, MI\m
    .set OF\v\()_HI, HI\m
.endm

/* `insn` for message m's vectors; their numbers in the message are \v&(PER-1). */
.macro _for_vectors_of m, insn:vararg
    .irp v, 0,1,2,3
    .if \v / PER == \m
    \insn
    .endif
    .endr
.endm

/* Message m begins: NONCE<m>; LO<m>, MI<m>, HI<m> = the products of AAD and length block, a lane each; MAX_LEN */
.macro _begin_message m
  .if CODE == EVEX
    mov 8*\m(ITEMS), ITEM
  .else
    mov (ITEMS), ITEM
  .endif
    mov ITEM_NONCE(ITEM), TMP
    vmovd (TMP), NEW_NONCE_XMM  /* by words: see make_j0() in gcm.c */
    vpinsrd $1, 4(TMP), NEW_NONCE_XMM, NEW_NONCE_XMM
    vpinsrd $2, 8(TMP), NEW_NONCE_XMM, NEW_NONCE_XMM
    vpxor SLOT(0), NEW_NONCE_XMM, NEW_NONCE_XMM
    _spread NEW_NONCE, NONCE\m
    mov ITEM_LEN(ITEM), LEFT
    cmp LEFT, MAX_LEN
    cmovb LEFT, MAX_LEN

    /* The length block in bits: two words, which are its bytes in reverse order. */
    vmovq ITEM_LEN(ITEM), LEN_BLOCK_XMM
    vmovhps ITEM_AAD_LEN(ITEM), LEN_BLOCK_XMM, LEN_BLOCK_XMM
    vpsllq $3, LEN_BLOCK_XMM, LEN_BLOCK_XMM
    _xmm_op pxor, AAD_BLOCK_XMM, AAD_BLOCK_XMM
    mov ITEM_AAD_LEN(ITEM), TMP
    test TMP, TMP
    jz 1f                       /* 110 cycles on Zen 4 if nothing is loaded from NULL */
  .if CODE == EVEX
    bzhi TMP, ONES, TMP
    kmovq TMP, MASK
    mov ITEM_AAD(ITEM), TMP
    vmovdqu8 (TMP), AAD_BLOCK_XMM{MASK}{z}
  .else
    mov ITEM_AAD(ITEM), ITEM
    _load_part ITEM, TMP, PART_TMP, PART_TMP32, AAD_BLOCK_XMM
  .endif
    _reverse_block AAD_BLOCK_XMM
1:  vinserti128 $1, LEN_BLOCK_XMM, AAD_BLOCK_YMM, AAD_BLOCK_YMM

    /* The AAD's power: as many blocks are still to come as the text has, and two more, itself and the length block, with H^1. */
    neg LEFT
    sub $32, BEGIN_AT
    and $-16, BEGIN_AT          /* -16 * (blocks + 2) */
    vmovdqu POWERS_END(KEY,BEGIN_AT), TWO_POWERS_XMM
    vinserti128 $1, POWERS_END-16(KEY), TWO_POWERS_YMM, TWO_POWERS_YMM
    vpclmulqdq $0x00, TWO_POWERS_YMM, AAD_BLOCK_YMM, LO\m\()_YMM
    vpclmulqdq $0x11, TWO_POWERS_YMM, AAD_BLOCK_YMM, HI\m\()_YMM
  .if CODE == EVEX
    vpclmulqdq $0x01, TWO_POWERS_YMM, AAD_BLOCK_YMM, MI\m\()_YMM
    vpclmulqdq $0x10, TWO_POWERS_YMM, AAD_BLOCK_YMM, LEN_BLOCK_YMM
    vpxord LEN_BLOCK_YMM, MI\m\()_YMM, MI\m\()_YMM
  .else
    vmovdqu HALVES_END(KEY,BEGIN_AT), TWO_POWERS_XMM
    vinserti128 $1, HALVES_END-16(KEY), TWO_POWERS_YMM, TWO_POWERS_YMM
    _add_halves AAD_BLOCK, LEN_BLOCK
    vpclmulqdq $0x00, TWO_POWERS, LEN_BLOCK, MI\m
  .endif
.endm

.macro _counters_of v
    _xor_at VL*(\v&(PER-1)), COUNTERS_AT, DONE, OF\v\()_NONCE, DATA\v
.endm

/*
 * The text of message m from DONE on, up to PASS bytes, under the key stream of its DATA.  What its sums lack then is TO_HASH *
 * POWER.  A message that has no more text takes no part: its TO_HASH is 0.
 */
.macro _message_text m
    mov 8*\m(ITEMS), ITEM
    _for_vectors_of \m, _zero TO_HASH\v
    mov DONE, LEFT
    sub ITEM_LEN(ITEM), LEFT    /* less than 0, if there is any */
    jae .Lnothing\@
    lea -16(LEFT), TEXT_AT
    and $-16, TEXT_AT           /* -16 * (blocks that are left + 1, the length block) */
    _for_vectors_of \m, _load_at POWERS_END+VL*(\v&(PER-1)), KEY, TEXT_AT, POWER\v
    neg LEFT
    cmp $PASS, LEFT
    cmova .Lpass_len(%rip), LEFT
    bzhi LEFT, ONES, LEFT
    _for_vectors_of \m, _masked_text \v, (\v&(PER-1)), .Lnothing\@
.Lnothing\@:
.endm
.macro _masked_text v, j, none
  .if \j
    shr $VL, LEFT
    jz \none
  .endif
    kmovq LEFT, MASK
    mov ITEM_SRC(ITEM), TMP
    vmovdqu8 VL*\j(TMP,DONE), TO_HASH\v{MASK}{z}
    vpxord TO_HASH\v, DATA\v, DATA\v
    mov ITEM_DST(ITEM), TMP
    vmovdqu8 DATA\v, VL*\j(TMP,DONE){MASK}
    test DECRYPT, DECRYPT
    jnz 1f
    vmovdqu8 DATA\v, TO_HASH\v{MASK}{z}
1:  vpshufb BSWAP, TO_HASH\v, TO_HASH\v
.endm

/*
 * The same with 16 registers, hashed.  a and b: the message's two vectors; a part of one is always done as b.  The last round's key
 * is in ROUND_KEY, and that round isn't done yet.  part: _part_text_16, which jumps back to hash.
 */
.macro _message_text_16 m, a, b, part, hash
    mov 8*\m(ITEMS), ITEM
    mov DONE, LEFT
    sub ITEM_LEN(ITEM), LEFT
    jae .Lnothing\@
    lea -16(LEFT), TEXT_AT_16
    and $-16, TEXT_AT_16
    neg LEFT
    mov ITEM_SRC(ITEM), TMP
    add DONE, TMP
    cmp $VL, LEFT
    jb .Lone\@
    mov ITEM_DST(ITEM), ITEM
    add DONE, ITEM
    _whole_text_16 \a, 0
    _hash_now \a
    sub $VL, LEFT
    jz .Lnothing\@
    add $VL, TEXT_AT_16
    cmp $VL, LEFT
    jb .Lsecond\@
    _whole_text_16 \b, VL
\hash:
    _hash_now \b
    jmp .Lnothing\@
.Lsecond\@:
    add $VL, TMP
    add $VL, DONE
   .if \m
    _mov DATA\b, DATA\a
   .else
    _mov DATA\b, DATA0
   .endif
.Lone\@:
   .if \m
    _mov DATA\a, DATA0
    or $8, TEXT_AT_16
    add $8, ITEMS
   .endif
    jmp \part
.Lnothing\@:
.endm
.macro _whole_text_16 v, at
    vmovdqu \at(TMP), SCRATCH0
    vpxor ROUND_KEY, SCRATCH0, SCRATCH1
    vaesenclast SCRATCH1, DATA\v, DATA\v
    vmovdqu DATA\v, \at(ITEM)
    test DECRYPT, DECRYPT
    jz 1f
    vmovdqa SCRATCH0, DATA\v
1:  _reverse_bytes DATA\v, DATA\v
.endm
.macro _hash_now v
    _clmul_at $0x00, POWERS_END, KEY, TEXT_AT_16, DATA\v, SCRATCH0
    _xor SCRATCH0, OF\v\()_LO, OF\v\()_LO
    _clmul_at $0x11, POWERS_END, KEY, TEXT_AT_16, DATA\v, SCRATCH0
    _xor SCRATCH0, OF\v\()_HI, OF\v\()_HI
    _add_halves DATA\v, SCRATCH1
    _clmul_at $0x00, HALVES_END, KEY, TEXT_AT_16, SCRATCH1, SCRATCH1
    _xor SCRATCH1, OF\v\()_MI, OF\v\()_MI
.endm

/*
 * LEFT < VL bytes at TMP, which are the last ones, and come from DONE on in the text; their key stream in DATA0.  ITEMS is their
 * message's, and bit 3 of TEXT_AT_16 says which one that is.
 */
.macro _part_text_16 hash0, hash1
    _load_part_32 TMP, LEFT, ITEM, ITEM32, DATA1
    _xor DATA1, ROUND_KEY, SCRATCH0
    vaesenclast SCRATCH0, DATA0, DATA0
    test DECRYPT, DECRYPT
    jnz 1f
    lea .Lmask_end(%rip), ITEM
    sub LEFT, ITEM
    vpand (ITEM), DATA0, DATA1
1:  mov (ITEMS), ITEM
    mov ITEM_DST(ITEM), TMP
    add DONE, TMP
    cmp $16, LEFT32
    jb 2f
    vmovdqu DATA0_XMM, (TMP)
    vextracti128 $1, DATA0, DATA0_XMM
    add $16, TMP
    sub $16, LEFT32
    jz 3f
2:  _store_part TMP, LEFT, ITEM, ITEM32, ITEM8, DATA0_XMM
3:  and $-PASS, DONE
    _reverse_bytes DATA1, DATA1
    test $8, TEXT_AT_16_8
    jz \hash0
    _mov DATA1, DATA3
    sub $8, TEXT_AT_16
    sub $8, ITEMS
    jmp \hash1
.endm

/* The sums += TO_HASH<v> * POWER<v>, in two steps.  Two vectors of a message are added at once, in four. */
.macro _outer_products v
    _add_outer \v, POWER\v, LO\v, HI\v
.endm
.macro _middle_products v
    _add_middle \v, power=POWER\v, mi=MI\v
.endm
.macro _pair_step n, m, a, b
  .if (\n) == 0
    _pair_products $0x00, \m, \a, \b, LO
  .elseif (\n) == 1
    _pair_products $0x11, \m, \a, \b, HI
  .elseif (\n) == 2
    _pair_products $0x01, \m, \a, \b, MI
  .elseif (\n) == 3
    _pair_products $0x10, \m, \a, \b, MI
  .endif
.endm
.macro _pair_products imm, m, a, b, sum
    vpclmulqdq \imm, POWER\a, TO_HASH\a, SCRATCH0
    vpclmulqdq \imm, POWER\b, TO_HASH\b, SCRATCH1
    _xor3 SCRATCH0, SCRATCH1, \sum\m
.endm

/* Step n = 0 .. 7 of a pass's products */
.macro _many_step n
  .if PER == 1
    .irp v, 0,1,2,3
    .if (\n) == (2 * \v)
    _outer_products \v
    .elseif (\n) == (2 * \v + 1)
    _middle_products \v
    .endif
    .endr
  .else
    _pair_step \n, 0, 0, 1
    _pair_step \n-4, 1, 2, 3
  .endif
.endm

/* A round of slot 5 or a later one, and the step that follows it */
.macro _many_round slot
    _load_lanes_low SLOT(\slot), ROUND_KEY
    _for_each 4, _aes enc, ROUND_KEY, DATA\i
    _many_step (\slot-5)
.endm

/* Rounds up to slot `last` - 1; also: another instruction of each */
.macro _many_rounds last, also:vararg
1:  _load_lanes_low_at 16*(\last), KEY, ROUNDS, ROUND_KEY
    _for_each 4, _aes enc, ROUND_KEY, DATA\i
    \also
    add $16, ROUNDS
    jnz 1b
.endm

/* A vector with a lane for each message: lane m = lane 0 of x<m> */
.macro _lanes_of x, d
  .if MESSAGES == 4
    vshufi32x4 $0, \x\()1, \x\()0, SCRATCH0
    vshufi32x4 $0, \x\()3, \x\()2, SCRATCH1
    vshufi32x4 $0x88, SCRATCH1, SCRATCH0, \d
  .elseif CODE == EVEX
    vinserti32x4 $1, \x\()1_XMM, \x\()0, \d
  .else
    vinserti128 $1, \x\()1_XMM, \x\()0, \d
  .endif
.endm

/*
 * .. lane m = the sum of x<m>'s lanes.  Step by step: pairs of neighbours in a and b are added, a's in the lower half of the
 * result and b's in the upper half.  Twice that, and four vectors have become one, with their sums in their order.
 */
.macro _sums_of_lanes x, d
  .if MESSAGES == 4
    _add_neighbours \x\()0, \x\()1, SCRATCH1, SCRATCH1
    _add_neighbours \x\()2, \x\()3, \d, \d
    _add_neighbours SCRATCH1, \d, SCRATCH1, \d
  .else
    _add_neighbours \x\()0, \x\()1, SCRATCH1, \d
  .endif
.endm
.macro _add_neighbours a, b, scratch, d
  .if VL == 64
    vshufi32x4 $0x88, \b, \a, SCRATCH0      /* lanes 0 and 2 of both */
    vshufi32x4 $0xdd, \b, \a, \scratch      /* lanes 1 and 3 */
  .elseif CODE == EVEX
    vshufi32x4 $0, \b, \a, SCRATCH0
    vshufi32x4 $3, \b, \a, \scratch
  .else
    vperm2i128 $0x20, \b, \a, SCRATCH0
    vperm2i128 $0x31, \b, \a, \scratch
  .endif
    _xor SCRATCH0, \scratch, \d
.endm

/* In the end: message m's tag is written, or read into its lane of TAGS. */
.macro _write_tag m
    mov 8*\m(ITEMS), ITEM
    mov ITEM_TAG(ITEM), TMP
  .if VL == 64
    vextracti32x4 $\m, HI, (TMP)
  .elseif \m
    vextracti128 $1, HI, (TMP)
  .else
    vmovdqu HI_XMM, (TMP)
  .endif
.endm
.macro _read_tag m
    mov 8*\m(ITEMS), ITEM
    mov ITEM_TAG(ITEM), TMP
  .if \m == 0
    vmovdqu (TMP), TAGS_XMM
  .elseif VL == 64
    vinserti32x4 $\m, (TMP), TAGS, TAGS
  .else
    vinserti128 $1, (TMP), TAGS, TAGS
  .endif
.endm

/*
 * unsigned lc_aes_gcm_many_<impl>(const struct lc_gcm_key *key, struct lc_aead_item *const items[MESSAGES], int decrypt);
 *
 * Messages of up to 16 * (NUM_POWERS - 2) bytes, and 512, with up to 16 bytes of AAD and 12-byte nonces.  To encrypt, their tags
 * are written, and eax = 0.  To decrypt, they are compared: of eax, bits 2 * i and 2 * i + 1 are set where a half of item i's tag
 * is wrong.
 *
 * Clobbers rax, rcx, r8-r11, the flags, all vector registers, k1.  No stack.  Constant time: branches and addresses depend on
 * lengths, the number of rounds and decrypt only.
 */
.macro _aes_gcm_many impl
FUNC(lc_aes_gcm_many_\impl)
  .if CODE == EVEX
    mov $-1, ONES
  .endif
    xor MAX_LEN32, MAX_LEN32
  .if CODE == EVEX
    _for_each MESSAGES, _begin_message \i
    xor DONE32, DONE32
  .else
    add $8, ITEMS
    mov $1, DONE32
.Lbegin\@:                      /* the second one, then the first one */
    _begin_message 0
    test DONE32, DONE32
    jz .Lbegun\@
    _mov NONCE0, NONCE1
    _mov LO0, LO1
    _mov MI0, MI1
    _mov HI0, HI1
    sub $8, ITEMS
    xor DONE32, DONE32
    jmp .Lbegin\@
.Lbegun\@:
  .endif

    /* The first pass, with J0 = nonce || 1 */
    _lanes_of NONCE, J0
    _load_lanes_low .Lone(%rip), ROUND_KEY
    _xor ROUND_KEY, J0, J0
    lea .Lcounters+32(%rip), COUNTERS_AT
    _for_each 4, _counters_of \i
    mov KEY_ROUNDS(KEY), ROUNDS32
    shl $4, ROUNDS32
    neg ROUNDS
    add $16, ROUNDS             /* as _count_rounds has it */
    _many_rounds 14, _aes enc, ROUND_KEY, J0
    _load_lanes_low SLOT(14), ROUND_KEY
    _aes enclast, ROUND_KEY, J0

.Lpass\@:
  .if CODE == EVEX
    _for_each 4, _aes enclast, ROUND_KEY, DATA\i
    _mov .Lbswap(%rip), BSWAP
    _for_each MESSAGES, _message_text \i
  .else
    _message_text_16 0, 0, 1, .Lpart\@, .Lhash0\@
    _message_text_16 1, 2, 3, .Lpart\@, .Lhash1\@
  .endif
    add $PASS, DONE
    cmp DONE, MAX_LEN
    jbe .Lend\@

    lea .Lcounters+32(%rip), COUNTERS_AT
    _for_each 4, _counters_of \i
    mov KEY_ROUNDS(KEY), ROUNDS32
  .if CODE == EVEX
    sub $10, ROUNDS32           /* the rounds before slot 5: 0, 2 or 4 */
    jz 2f
    shl $4, ROUNDS32
    neg ROUNDS
    _many_rounds 5
2:  .irp slot, 5,6,7,8,9,10,11,12,13
    _many_round \slot
    .endr
  .else
    shl $4, ROUNDS32
    neg ROUNDS
    add $16, ROUNDS
    _many_rounds 14
  .endif
    _load_lanes_low SLOT(14), ROUND_KEY
    jmp .Lpass\@
  .if CODE != EVEX
.Lpart\@:
    _part_text_16 .Lhash0\@, .Lhash1\@
  .endif

.Lend\@:
  .if CODE == EVEX
    .irp n, 0,1,2,3,4,5,6,7
    _many_step \n
    .endr
  .endif
    _sums_of_lanes LO, LO
    _sums_of_lanes MI, MI
    _sums_of_lanes HI, HI
  .if CODE != EVEX
    _take_outer
  .endif
    _reduce_low
    _reduce_middle
    _reverse_bytes HI, HI
    _xor J0, HI, HI             /* tags */
    test DECRYPT, DECRYPT
    jnz 1f
    _for_each MESSAGES, _write_tag \i
    xor WRONG, WRONG
    jmp 2f
1:  _for_each MESSAGES, _read_tag \i
  .if CODE == EVEX
    vpcmpneqq HI, TAGS, MASK
    kmovd MASK, WRONG
  .else
    vpcmpeqq HI, TAGS, TAGS
    vmovmskpd TAGS, WRONG
    xor $15, WRONG
  .endif
2:
    /* No secrets stay: powers, sums, round keys, nonces with a round key, AES(J0).  What other registers have is text. */
    .irp role, LO,MI,HI
    _zero \role
    .endr
  .if CODE == EVEX
    _for_each 4, _zero POWER\i
  .else
    _zero DATA3
  .endif
    .irp role, SCRATCH0,SCRATCH1,ROUND_KEY,J0
    _zero \role
    .endr
    .irp role, NONCE,LO,MI,HI
  .if CODE == EVEX
    _for_each MESSAGES, _wipe_high \role\i
  .else
    _for_each MESSAGES, _zero \role\i
  .endif
    .endr
    vzeroupper
    RETURN
END_FUNC(lc_aes_gcm_many_\impl)
.endm
/* _lanes_of and _sums_of_lanes are for two and four lanes; 16 registers are enough for two messages. */
.macro _implementation_many impl, vl, code, num_powers
    _describe \vl, \code, \num_powers
    .set MESSAGES, VL / 16
    .set PER, PASS / VL
    _name_registers_many
    _aes_gcm_many \impl
.endm

.globl lc_aes_gcm_many_begin, lc_aes_gcm_many_end
.hidden lc_aes_gcm_many_begin, lc_aes_gcm_many_end
lc_aes_gcm_many_begin:
_implementation_many vaes_avx2,       32, VEX,  19
_implementation_many vaes_avx512_256, 32, EVEX, 36
_implementation_many vaes_avx512_512, 64, EVEX, 36
lc_aes_gcm_many_end:
#endif

.section .note.GNU-stack, "", @progbits

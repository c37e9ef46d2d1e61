/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM for x86-64: one body with 16 registers, and an instance of it for each implementation, to encrypt and to decrypt.  The
 * table of instances is after the body; src/x86/rows.def says what each needs and the CPUs it is for.  AVX-512 has a body of its
 * own, with masks and 32 registers: aes_gcm_evex.h, included below.
 *
 * -- GCM ----------------------------------------------------------------------------------------------------------------------
 *
 *      C[i] = P[i] + AES(J0 + i)               for the blocks i = 1, 2, .. of the text; J0 is made of the nonce
 *      tag  = AES(J0) + hash(AAD, C, lengths)  AAD and C are padded with zeros to whole blocks, the lengths in bits are a block
 *
 * It is explained where it is done:
 *
 *      the counter J0 + i and its order of bytes                       _next_counters
 *      the hash, its order of bits, its products and their sums        "GHASH", _multiply_add
 *      the powers of the hash key, and which block has which           _accumulate_vector, lc_aes_gcm_powers_pclmul
 *      the reduction                                                   _reduce_low
 *      AES and hash together, costs, and knobs for tuning              "The loop", and the table of instances
 *      parts of blocks without a byte too much                         _load_part
 *
 * -- A call -------------------------------------------------------------------------------------------------------------------
 *
 * One call does all there is to do for a message, as most messages are short, and what is around the text decides their cost.
 * Reductions and the latency of their products are what to save.  A group is VECTORS vectors, what the loop takes at once.
 *
 *      text of less than a group,      AAD, text and length block are one batch of the hash: one reduction.
 *      AAD of at most a block
 *
 *      text of less than a group,      The AAD in batches of up to AAD_BATCH bytes.  Text and length block are one more.
 *      longer AAD
 *
 *      longer text                     The AAD in batches.  The loop, with one reduction for each group but the last.  The
 *                                      last group is a batch.  The rest of the text and the length block are one more.
 *
 * Parameters of the body: VL and CODE (see asm.h), and those of the table of instances.
 */
#include "asm.h"

/* ---- Data ---- */

.section .rodata.lc_aes_gcm, "a", @progbits
.p2align 6
.Lbswap:            /* byte order of each 16 bytes reversed */
    .rept 4
    .byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    .endr
.Lpoly:             /* 1 + x + x^6, from bit 63 downwards: see _reduce_low */
    .rept 4
    .quad 0xc200000000000000, 0
    .endr
.Llanes:            /* what is added to J0's counter in lane 0, 1, .. of the first vector */
    .long 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0
.Lstep16:           /* counters in a vector of 16, 32 (below), 64 bytes */
    .long 1, 0, 0, 0
.p2align 5
.Lstep32:
    .rept 2
    .long 2, 0, 0, 0
    .endr
.Lone:              /* the last bytes of J0, 0, 0, 0, 1, if the nonce has 12 bytes */
    .long 0, 0, 0, 0x01000000
.Lx_inverse:        /* x^-1 = 1 + x + x^6 + x^127, from bit 127 downwards: see lc_aes_gcm_powers_pclmul */
    .quad 1, 0xc200000000000000
.Lstep64:
    .long 4, 0, 0, 0
.Lshift_right:      /* 16 bytes at .Lshift_right + n: a shuffle that shifts to the right by n bytes; zeros come in */
    .byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .fill 16, 1, -1
    .fill 16, 1, -1
.Lmask_end:         /* 16 or 32 bytes at .Lmask_end - n: n bytes of ones, n <= 32, then zeros */
    .fill 32, 1, 0

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
#define TMP      %r10   /* scratch; the counter in the rounds' loop */
#define TMP32    %r10d
#define TMP8     %r10b
#define POWER_AT %r11   /* -16 * how many blocks the sums still wait for: at POWERS_END + POWER_AT is the next one's power of H */
#define POWER_AT32 %r11d
#define ROUNDS   %rax   /* how many rounds there are, as their loop counts: see aes_rounds.h */
#define ROUNDS32 %eax
/* While AAD is hashed, there are no rounds yet, and POWER_AT isn't set before the vector is in its register. */
#define AAD      %rax   /* the next bytes of it */
#define AAD_LEN  %r10   /* bytes of it left */
#define AAD_LEN32 %r10d
#define AAD_TMP  %r11
#define AAD_TMP32 %r11d
#define MASK     %k1    /* of the bodies for EVEX: a bit for each byte of a part of a vector */

/* In FLAGS: */
#define LENGTHS  16     /* LC_GCM_LAST: the length block and AES(J0) are to follow.  16 is also what that adds to a length. */
#define ONE_BATCH 32    /* the AAD is in the same batch of the hash as the text will be */

/* struct lc_gcm_key, lc_gcm_msg, enum lc_gcm_how: asserted in layout.h */
#define SLOT(i) 16*(i)(KEY)
#define SLOT_AT(i, index) 16*(i)(KEY,index)
#define KEY_ROUNDS 240
#define NUM_POWERS 18       /* H^18 .. H^1, and then zeros: see lc_aes_gcm_powers_pclmul */
#define POWERS_END (256 + 16 * NUM_POWERS)
#define MSG_AAD 0
#define MSG_AAD_LEN 8
#define MSG_J0 16
#define MSG_HASH 32
#define MSG_AES_J0 32       /* AES(J0) waits where the hash was, and where the tag will be */
#define MSG_BITS 48
#define MSG_DONE 64
#define MSG_NONCE 72
#define MSG_TAG 80

#define AAD_BATCH 256       /* bytes of AAD in a batch of the hash, at most: 16 blocks, as there are powers for */
#define PRODUCTS 4          /* of a vector and its powers, see _multiply_add: as many steps in the loop */

/*
 * Vector registers by role.  `_vector NAME, n` gives register n three names: NAME, of VL bytes, and NAME_YMM and NAME_XMM, its
 * lower 32 and 16 bytes.  Two roles share a register where one is over before the other begins.  There are 16
 * registers, and what has no room is in memory.
 */
.macro _vector name, n
    _name_vector \name, \n
    .set \name\()_YMM, %ymm\n
.endm

.macro _name_registers
    _set_vectors
    _vector DATA0, 0        /* DATA0 .. of the VECTORS in flight: counters, encrypted to a key stream, to which text is added */
    _vector DATA1, 1
    _vector DATA2, 2
    _vector DATA3, 3
    _vector J0, 1           /* J0, and then AES(J0), which goes through the rounds with DATA0 */
    _vector TO_HASH0, 4     /* TO_HASH0 .. of the VECTORS: what is to be hashed, AAD or ciphertext, byte-reversed */
    _vector TO_HASH1, 5
    _vector TO_HASH2, 6
    _vector TO_HASH3, 7
    _vector LO, 8           /* sums of products: their bits 0 .. 127, */
    _vector MI, 9           /* 64 .. 191, */
    _vector HI, 10          /* and 128 .. 255 */
    _vector SCRATCH0, 11    /* clobbered by most macros */
    _vector SCRATCH1, 12
    _vector ROUND_KEY, 13   /* a round key */
    _vector POWER, 13       /* powers of H outside of the loop, where no round key is needed */
    _vector COUNTERS, 14    /* the next vector's counter blocks, byte-reversed, so that the number is the lowest 32 bits */
    _vector HASH, 15        /* lane 0: the hash so far, to be added to the next block that is hashed; other lanes: 0 */
    _vector LOOP_POWER, 15  /* one of the loop's powers of H; HASH is free there, as the hash is in TO_HASH0 */
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

/* 16 bytes of struct lc_gcm_msg, which were just stored as two words: so by two loads, as said there. */
.macro _load_words offset, d
    _xmm_move movq, \offset(MSG), \d
    _xmm_op movhps, \offset+8(MSG), \d
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

.macro _clear r
    _xor \r, \r, \r
.endm

/* The same for a whole register, below 16 or above 15.  (Except in the legacy coding, writing the low 16 bytes clears the rest.) */
.macro _wipe_low role
    _xmm_op pxor, \role\()_XMM, \role\()_XMM
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

/* ---- AES ---- */

/*
 * d = the next vector's counter blocks, to be encrypted; COUNTERS moves on.
 *
 * A counter block is J0 with its last 4 bytes, a big-endian number, counted up; the other 12 bytes stay as they are.
 * Byte-reversed, as COUNTERS holds it, the number is the lowest 32 bits of a lane, in x86's order.  So an addition of 32-bit words
 * counts: its carry is lost at 2^32, which is what GCM wants, and 0 is added to the words above.  One shuffle restores the order
 * of bytes.
 */
.macro _next_counters d
    _reverse_bytes COUNTERS, \d
  .if VL == 32
    vpaddd .Lstep32(%rip), COUNTERS, COUNTERS
  .else
    _op3 paddd, vpaddd, vpaddd, .Lstep16(%rip), COUNTERS, COUNTERS
  .endif
.endm

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
 * by a power of its own, H^n to H^1, and added to the sums (_multiply_add); then the sums are reduced (_reduce_low,
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
 * LO, MI, HI += block * power, 256 bits, in each lane.  block: TO_HASH0; power: POWER; width: empty, or _XMM, for one block.
 *
 * Each factor is two halves of 64 bits, and their four products come with three weights, which get a sum each:
 *
 *      LO, bits 0 ..       lower half * lower half                                             $0x00
 *      MI, bits 64 ..      lower half * higher half + higher half * lower half                 $0x10, $0x01
 *      HI, bits 128 ..     higher half * higher half                                           $0x11
 *
 * Karatsuba's way has three products: (lower + higher) * (lower + higher) - LO - HI is MI.  But it takes a shuffle and an xor for
 * each block, to add the halves, and on Intel a shuffle takes the multiplier's port, p5: nothing would be won.  (On AMD, where a
 * product takes a slot of the AES unit, it might be; not tried.)
 */
.macro _multiply_add width
    _clmul $0x00, POWER\width, TO_HASH0\width, SCRATCH0\width
    _clmul $0x11, POWER\width, TO_HASH0\width, SCRATCH1\width
    _xor SCRATCH0, LO, LO
    _xor SCRATCH1, HI, HI
    _clmul $0x01, POWER\width, TO_HASH0\width, SCRATCH0\width
    _clmul $0x10, POWER\width, TO_HASH0\width, SCRATCH1\width
    _xor3 SCRATCH0, SCRATCH1, MI
.endm

.macro _clear_sums
    _clear LO
    _clear MI
    _clear HI
.endm

/*
 * A vector of blocks (or of AAD) in TO_HASH0, or one block in TO_HASH0_XMM, is to be hashed next: it is byte-reversed, and the
 * hash so far is added to its first block.  After a batch's first vector HASH is 0, and so nothing is added to the others.
 */
.macro _take_vector
    _reverse_bytes TO_HASH0, TO_HASH0
    _xor HASH, TO_HASH0, TO_HASH0
    _clear HASH
.endm
.macro _take_block
    _reverse_block TO_HASH0_XMM
    _xmm_op pxor, HASH_XMM, TO_HASH0_XMM
    _clear HASH
.endm

/*
 * .. and added to the sums, under the powers that it has in its batch.
 *
 * The key has the powers in falling order, and then three blocks of zeros.  When n blocks are still to come, the first of them
 * takes H^n, which is 16 * n bytes before POWERS_END.  So one load at POWERS_END + POWER_AT, POWER_AT = -16 * n, has the right
 * power for each lane, whatever n is.  If there are fewer blocks than lanes, the lanes that have none get a power of 0, and give
 * nothing.
 */
.macro _accumulate_vector
    _load_at POWERS_END, KEY, POWER_AT, POWER
    _multiply_add
    add $VL, POWER_AT
.endm
.macro _accumulate_block
    _load_block_at POWERS_END, KEY, POWER_AT, POWER_XMM
    _multiply_add _XMM
    add $16, POWER_AT
.endm

/*
 * HI = the sums modulo the polynomial, in each lane.  LO, MI and SCRATCH0 are clobbered.
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
.macro _reduce_low
    _clmul_poly LO, SCRATCH0
    _swap_halves LO
    _xor3 SCRATCH0, LO, MI
.endm
.macro _reduce_middle
    _clmul_poly MI, SCRATCH0
    _swap_halves MI
    _xor3 SCRATCH0, MI, HI
.endm
.macro _clmul_poly s, d
    _clmul $0x00, .Lpoly(%rip), \s, \d
.endm

/* The end of a batch: the sums are reduced, and the lanes added up: HASH_XMM = the hash so far. */
.macro _reduce_to_hash
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
 * There are no masks.  So n bytes are read or written as two pieces that overlap: the first bytes, and the last ones,
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

/* The same for n = 1..31 and TO_HASH0, 32 bytes */
.macro _load_part_32 p, n, scratch, scratch32
    cmp $16, \n
    ja .Labove16\@
    _load_part \p, \n, \scratch, \scratch32, TO_HASH0_XMM
    jmp .Lend\@
.Labove16\@:
    lea .Lshift_right+32(%rip), \scratch
    sub \n, \scratch
    _load_block_at -16, \p, \n, SCRATCH0_XMM
    vpshufb (\scratch), SCRATCH0_XMM, SCRATCH0_XMM
    vmovdqu (\p), TO_HASH0_XMM
    vinserti128 $1, SCRATCH0_XMM, TO_HASH0, TO_HASH0
.Lend\@:
.endm

/*
 * The first n = 1..15 bytes of DATA0_XMM to p.  The last bytes are brought down to the low end of SCRATCH0, by a shuffle from
 * .Lshift_right. SCRATCH0, SCRATCH1 and scratch are clobbered.
 */
.macro _store_part p, n, scratch, scratch32, scratch8
    _xmm_move movdqa, DATA0_XMM, SCRATCH0_XMM
    lea .Lshift_right(%rip), \scratch
    cmp $8, \n
    jb .Lbelow8\@
    _xmm_move movq, DATA0_XMM, (\p)
    _store_last_bytes movq, 8, \p, \n, \scratch
    jmp .Lend\@
.Lbelow8\@:
    cmp $4, \n
    jb .Lbelow4\@
    _xmm_move movd, DATA0_XMM, (\p)
    _store_last_bytes movd, 4, \p, \n, \scratch
    jmp .Lend\@
.Lbelow4\@:
    _xmm_move movq, DATA0_XMM, \scratch
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

/* ---- The loop ---- */

/*
 * It takes groups of VECTORS vectors, and encrypts the counters of one group while it hashes the ciphertext of the group before:
 * the steps of the hash go between the AES instructions, so that both units have work.
 *
 * The hash in the loop.  Each lane has a hash of its own, of the blocks that come to this lane, and the lanes don't meet.  With
 * LANES blocks in a vector, the next block in the same lane is LANES blocks further on.  So vector v of a group is multiplied by
 * H^(LANES * (VECTORS - v)) in all lanes, the sums are reduced as a vector, and added to the first vector of the next group.
 * That is one reduction for a group, and powers that never change.  What is missing in the end: in the message, lane i comes i
 * blocks after lane 0, so its power should be i less, but in the loop it has been the same.  This comes right by itself, as the
 * last group isn't hashed in the loop but after it, under H^(LANES * VECTORS) .. H^1, each block with its own power (.Lpending):
 * there lane i's power is i less, and whatever its hash has been so far is in that product.
 *
 * The schedule.  HASH_STEP counts the steps: PRODUCTS for each vector, one vector after the other, then two for the reduction.
 * From slot HASH_FROM on there is one step after each AES_PER_STEP AES instructions.  Slot 5 is the first that all key lengths
 * have: rounds of AES-128 have slots 5 to 14, those of AES-192 begin at 3, those of AES-256 at 1.  With 4 vectors, 18 steps fall
 * into the 9 rounds that are left before the last, two into each.
 *
 * (As four pieces of four products after four rounds, the legacy SSE code took 17 % longer on Zen 4; 512 bits didn't care.)
 *
 * What it costs, in uops for 4 vectors, AES-128: AES 40, products 16 + 2, shuffles 10, sums 18, keys and counters 12.
 */

/* Where vector v's power is, the first of LANES: -16 * LANES * (VECTORS - v) from the end, and 16 * LANES is VL */
#define LOOP_POWER_AT(v) POWERS_END-VL*(VECTORS-(v))(KEY)

/* d = one half of vector v * one half of its power, in all lanes; imm: see _clmul. */
.macro _clmul_loop_power imm, v, d
  .if VL == 16
    _clmul \imm, LOOP_POWER_AT(\v), TO_HASH\v, \d
  .else
    _clmul \imm, LOOP_POWER, TO_HASH\v, \d
  .endif
.endm

/* sum += that product; the first one is the sum. */
.macro _add_product imm, v, first, sum, scratch
  .if \first
    _clmul_loop_power \imm, \v, \sum
  .else
    _clmul_loop_power \imm, \v, \scratch
    _xor \scratch, \sum, \sum
  .endif
.endm

/* The four products of vector v, see _multiply_add */
.macro _low_product v
  .if VL > 16
    _load_lanes_low LOOP_POWER_AT(\v), LOOP_POWER
  .endif
    _add_product $0x00, \v, (\v == 0), LO, SCRATCH0
.endm
.macro _high_product v
    _add_product $0x11, \v, (\v == 0), HI, SCRATCH1
.endm
.macro _first_middle_product v
    _add_product $0x01, \v, (\v == 0), MI, SCRATCH0
.endm
.macro _second_middle_product v
    _add_product $0x10, \v, 0, MI, SCRATCH1
.endm

/* The step whose number is HASH_STEP: if it is a product of vector v; if it is of the reduction; whichever it is */
.macro _product_step v
  .if HASH_STEP == (PRODUCTS * \v)
    _low_product \v
  .elseif HASH_STEP == (PRODUCTS * \v + 1)
    _high_product \v
  .elseif HASH_STEP == (PRODUCTS * \v + 2)
    _first_middle_product \v
  .elseif HASH_STEP == (PRODUCTS * \v + 3)
    _second_middle_product \v
  .endif
.endm
.macro _reduction_step
  .if HASH_STEP == (PRODUCTS * VECTORS)
    _reduce_low
  .elseif HASH_STEP == (PRODUCTS * VECTORS + 1)
    _reduce_middle
  .endif
.endm
.macro _next_hash_step
    _for_each VECTORS, _product_step \i
    _reduction_step
    .set HASH_STEP, HASH_STEP + 1
.endm

/* The AES round of this slot for a group, with steps of the hash in between */
.macro _round_and_hash slot
    _load_lanes_low SLOT(\slot), ROUND_KEY
    _for_each VECTORS, _aes_and_hash \slot, \i
.endm
.macro _aes_and_hash slot, v
    _aes enc, ROUND_KEY, DATA\v
  .if \slot >= HASH_FROM && ((\v + 1) % AES_PER_STEP) == 0
    _next_hash_step
  .endif
.endm

/* After the rounds: TO_HASH0 += the hash of the group before, in each lane. */
.macro _add_loop_hash
  .if HASH_STEP < (PRODUCTS * VECTORS + 2)
    .error "The rounds have no room for all steps of the hash: begin at an earlier slot, or have fewer AES instructions a step."
  .endif
    _xor HI, TO_HASH0, TO_HASH0
.endm

/*
 * Vector v of a group: its last round, whose key is in ROUND_KEY, and its text; TO_HASH<v> = its ciphertext, byte-reversed.
 *
 * AESENCLAST ends with the xor of its key.  So the text is added to the key, and not to the result: that shortens the chain.
 */
.macro _vector_text dir, v
  .ifc \dir,enc
    _movu VL*\v(SRC), SCRATCH0
    _xor ROUND_KEY, SCRATCH0, SCRATCH0
    _aes enclast, SCRATCH0, DATA\v
    _movu DATA\v, VL*\v(DST)
    _reverse_bytes DATA\v, TO_HASH\v
  .else
    _movu VL*\v(SRC), TO_HASH\v
    _xor ROUND_KEY, TO_HASH\v, SCRATCH0
    _aes enclast, SCRATCH0, DATA\v
    _movu DATA\v, VL*\v(DST)
    _reverse_bytes TO_HASH\v, TO_HASH\v
  .endif
.endm
.macro _group_text dir
    _for_each VECTORS, _vector_text \dir, \i
    _advance VECTORS*VL, SRC
    _advance VECTORS*VL, DST
    add $-VECTORS * VL, LEN
.endm

/* TO_HASH<v - 1> = TO_HASH<v>; nothing for v = 0. */
.macro _move_down v
    .irp below, 0,1,2,3,4,5,6
  .if (\below + 1) == \v
    _mov TO_HASH\v, TO_HASH\below
  .endif
    .endr
.endm

/* ---- The body ---- */

/*
 * void lc_aes_gcm_{en,de}crypt_<impl>(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len,
 *                                     struct lc_gcm_msg *msg, unsigned how);
 *
 * A message, or the next piece of one.  The contract is in gcm_internal.h; what it means here:
 *
 *  - msg->hash goes on: first over the AAD, then over the text.  What comes as AAD may also be ciphertext that a stream has kept
 *    back.  The end of the AAD, and that of the text, is padded with zeros to a whole block.  So a stream gives whole blocks,
 *    except at these two ends.
 *  - The counter goes on from msg->num_done.
 *  - With LC_GCM_LAST, the length block is hashed and AES(J0) added: msg->hash is the tag then.  While the function works, AES(J0)
 *    is in msg->hash; the hash has been loaded by then.
 *
 * key: 16-byte aligned; nothing else need be.  dst and src: len bytes, equal or disjoint; reads and writes stay within them, and
 * within the AAD.
 *
 * Clobbers rax, rcx, rdx, rsi, rdi, r9-r11, the flags, vector registers 0 to 15.  No stack.  Constant time: branches
 * and addresses depend on lengths, the number of rounds and how only.
 */
.macro _aes_gcm impl, dir, vl
FUNC(lc_aes_gcm_\dir\()rypt_\impl)
    shl $4, FLAGS32             /* how: LC_GCM_LAST, 1, becomes LENGTHS, 16 */

    /* The hash so far, J0, the first counters */
    _load_words MSG_HASH, HASH_XMM
    _reverse_block HASH_XMM
    _load_words MSG_J0, DATA0_XMM
    _xmm_move movdqa, DATA0_XMM, COUNTERS_XMM
    _reverse_block COUNTERS_XMM
    _xmm_move movd, MSG_DONE(MSG), SCRATCH0_XMM
    _xmm_op paddd, SCRATCH0_XMM, COUNTERS_XMM
  .if VL == 32
    vinserti128 $1, COUNTERS_XMM, COUNTERS, COUNTERS
  .endif
    _op3 paddd, vpaddd, vpaddd, .Llanes(%rip), COUNTERS, COUNTERS

    /* ---- AAD ---- */
    mov MSG_AAD_LEN(MSG), AAD_LEN
    test AAD_LEN, AAD_LEN
    jz .Ltext\@
    mov MSG_AAD(MSG), AAD
    cmp $16, AAD_LEN
    ja .Laad\@
    cmp $VECTORS * VL, LEN
    jae .Laad\@

    /* A block at most, and text of less than a group: one batch for everything.  Its powers are set in .Laad_block. */
    or $ONE_BATCH, FLAGS32
    _clear_sums
    jmp .Laad_part\@

.Laad\@:                        /* a batch: min(AAD_LEN, AAD_BATCH) bytes */
    _clear_sums
    _whole_blocks AAD_LEN, POWER_AT
    cmp $AAD_BATCH, POWER_AT
    jbe 2f
    mov $AAD_BATCH, POWER_AT32
2:  neg POWER_AT
.Laad_vector\@:
    cmp $VL, AAD_LEN
    jb .Laad_part\@
    _movu (AAD), TO_HASH0
    _take_vector
    _accumulate_vector
    add $VL, AAD
    sub $VL, AAD_LEN
    test POWER_AT, POWER_AT
    jnz .Laad_vector\@
    jmp .Laad_reduce\@
.Laad_part\@:                   /* the last bytes, less than a vector, and zeros after them */
  .if VL == 32
    _load_part_32 AAD, AAD_LEN, AAD_TMP, AAD_TMP32
  .else
    _load_part AAD, AAD_LEN, AAD_TMP, AAD_TMP32, TO_HASH0_XMM
  .endif
    test $ONE_BATCH, FLAGS32
    jnz .Laad_block\@
    _whole_blocks AAD_LEN, POWER_AT
    neg POWER_AT
    _take_vector
    _accumulate_vector
    xor AAD_LEN32, AAD_LEN32
.Laad_reduce\@:                 /* AAD_LEN: what is left for more batches */
    _reduce_to_hash
    test AAD_LEN, AAD_LEN
    jnz .Laad\@
    jmp .Ltext\@

.Laad_block\@:
    /* The batch: the blocks of the text, the length block if it is to follow, and this one.  FLAGS is ONE_BATCH + LENGTHS or 0. */
    _whole_blocks LEN, POWER_AT
    add FLAGS, POWER_AT
    sub $ONE_BATCH - 16, POWER_AT
    neg POWER_AT
    _take_block
    _accumulate_block
    jmp .Ltail\@

    /* ---- Text ---- */

.Ltext\@:
    cmp $VECTORS * VL, LEN
    jb .Lno_group\@
    _count_rounds
    _for_each VECTORS, _next_counters DATA\i
    _looped_rounds VECTORS, DATA, ROUND_KEY
    _group_text \dir            /* the first group: nothing to be hashed yet but what the AAD has left */
    _xor HASH, TO_HASH0, TO_HASH0
    cmp $VECTORS * VL, LEN
    jb .Lpending\@
    .p2align 4
.Lgroup\@:
    .set HASH_STEP, 0
    _for_each VECTORS, _next_counters DATA\i
    _load_lanes_low SLOT(0), ROUND_KEY
    _for_each VECTORS, _xor ROUND_KEY, DATA\i, DATA\i
    cmpl $12, KEY_ROUNDS(KEY)
    jb .L10\@
    je .L12\@
    _round_and_hash 1
    _round_and_hash 2
.L12\@:
    _round_and_hash 3
    _round_and_hash 4
.L10\@:
    .irp slot, 5,6,7,8,9,10,11,12,13
    _round_and_hash \slot
    .endr
    _load_lanes_low SLOT(14), ROUND_KEY
    _group_text \dir
    _add_loop_hash
    cmp $VECTORS * VL, LEN
    jae .Lgroup\@

    /* The last group is a batch, each block under its own power.  Vectors move down to TO_HASH0 one by one: that is short. */
.Lpending\@:
    _clear_sums
    _clear HASH
    mov $-VECTORS * VL, POWER_AT
2:  _accumulate_vector
    _for_each VECTORS, _move_down \i
    test POWER_AT, POWER_AT
    jnz 2b
    _reduce_to_hash

.Lno_group\@:
    _clear_sums

    /*
     * The tail: less than a group, and the length block, are a batch, which may have the AAD in it already.  Vector by vector is
     * encrypted and hashed: POWER_AT moves on, and nothing is reduced until the length block, under H^1, is in the sums as well.
     */
.Ltail\@:
    _count_rounds
    _whole_blocks LEN, POWER_AT
    and $LENGTHS, FLAGS32
    add FLAGS, POWER_AT
    neg POWER_AT
    /*
     * AES(J0) goes through the rounds with the first vector, and waits in memory.  (On Zen 4, for 128 and 256 bits, that saves 3
     * cycles of a message of 16 bytes.)
     */
    _load_words MSG_J0, J0_XMM
    _next_counters DATA0
    _looped_rounds 2, DATA, ROUND_KEY /* DATA1 is J0 */
    _xmm_op aesenclast, ROUND_KEY_XMM, J0_XMM
    _xmm_move movdqu, J0_XMM, MSG_AES_J0(MSG)
    test LEN32, LEN32
    jnz .Lvector_text\@
    jmp .Lend\@
.Lvector\@:
    _next_counters DATA0
    _looped_rounds 1, DATA, ROUND_KEY
.Lvector_text\@:
    cmp $VL, LEN32
    jb .Lpart\@
    _movu (SRC), TO_HASH0
    _xor ROUND_KEY, TO_HASH0, SCRATCH0
    _aes enclast, SCRATCH0, DATA0
    _movu DATA0, (DST)
  .ifc \dir,enc
    _mov DATA0, TO_HASH0
  .endif
.Lhash\@:                       /* TO_HASH0: the ciphertext, with zeros after its end */
    _take_vector
    _accumulate_vector
    add $VL, SRC
    add $VL, DST
    sub $VL, LEN32
    ja .Lvector\@

.Lend\@:
    test $LENGTHS, FLAGS32
    jz 2f
    _load_words MSG_BITS, TO_HASH0_XMM  /* byte-reversed already */
    _xmm_op pxor, HASH_XMM, TO_HASH0_XMM
    _clear HASH
    mov $-16, POWER_AT          /* H^1.  (A vector that wasn't full has moved it too far.) */
    _accumulate_block
2:  _reduce_to_hash
    _reverse_block HASH_XMM
    test $LENGTHS, FLAGS32
    jz 2f
    _xmm_move movdqu, MSG_AES_J0(MSG), SCRATCH0_XMM
    _xmm_op pxor, SCRATCH0_XMM, HASH_XMM
2:  _xmm_move movdqu, HASH_XMM, MSG_HASH(MSG)

    /*
     * No secrets stay in registers: round keys, powers, sums, AES(J0), and J0, which may be a hash.  Without text, DATA0 is a block
     * before its last round: if its key stream became known, that would give the round key away.
     */
    .irp role, DATA0,J0,TO_HASH0,LO,MI,HI,SCRATCH0,SCRATCH1,ROUND_KEY,COUNTERS,HASH
    _wipe_low \role
    .endr
  .if VL > 16
    vzeroupper
  .endif
    RETURN

    /*
     * The end of the text, LEN bytes, less than a vector.  The hash wants zeros after the ciphertext.  To decrypt, they are
     * loaded with it; to encrypt, what DATA0 has there is key stream and is cut off.
     */
.Lpart\@:
  .if VL == 32
    _load_part_32 SRC, LEN, TMP, TMP32
    vpxor ROUND_KEY, TO_HASH0, SCRATCH0
    vaesenclast SCRATCH0, DATA0, DATA0
   .ifc \dir,enc
    lea .Lmask_end(%rip), TMP
    sub LEN, TMP
    vpand (TMP), DATA0, TO_HASH0
   .endif
    cmp $16, LEN32              /* a whole block first */
    jb 2f
    vmovdqu DATA0_XMM, (DST)
    vextracti128 $1, DATA0, DATA0_XMM
    add $16, DST
    sub $16, LEN32
    jz 3f
2:  _store_part DST, LEN, TMP, TMP32, TMP8
3:
  .else
    _load_part SRC, LEN, TMP, TMP32, TO_HASH0_XMM
    _xor TO_HASH0, ROUND_KEY, ROUND_KEY
    _aes enclast, ROUND_KEY, DATA0
   .ifc \dir,enc
    lea .Lmask_end(%rip), TMP
    sub LEN, TMP
    _xmm_move movdqu, (TMP), TO_HASH0_XMM
    _xmm_op pand, DATA0_XMM, TO_HASH0_XMM
   .endif
    _store_part DST, LEN, TMP, TMP32, TMP8
  .endif
    mov $VL, LEN32              /* as if the vector had been full: it is the last one */
    jmp .Lhash\@

END_FUNC(lc_aes_gcm_\dir\()rypt_\impl)
.endm

/* ---- The implementations ---- */

/*
 * The table has a line for each implementation.  Besides VL and CODE it has three knobs, which are explained at the loop:
 *
 *      VECTORS         vectors in flight in the loop: at most 4, as there are no more registers.
 *                      VL / 16 * VECTORS is at most 16: the last batch of a message can have as many blocks of text, one of
 *                      AAD and the length block, and the key has 18 powers of H.
 *      HASH_FROM       the slot of the AES round where the steps of the hash begin: 5 or later
 *      AES_PER_STEP    how many AES instructions come before each of them
 *
 * Odd numbers will do as well.  What can't work is refused when the file is assembled.
 */
.macro _implementation impl, vl, code, vectors, hash_from, aes_per_step
    .set VL, \vl
    .set CODE, \code
    .set VECTORS, \vectors
    .set HASH_FROM, \hash_from
    .set AES_PER_STEP, \aes_per_step
  .if HASH_FROM < 5
    .error "The hash would have steps in rounds that AES-128 and AES-192 don't have."
  .endif
  .if VECTORS > 4
    .error "There are no registers for so many vectors."
  .endif
  .if (VECTORS * VL + 2 * 16) > (NUM_POWERS * 16)
    .error "So many vectors need more powers of H than struct lc_gcm_key has."
  .endif
    _name_registers
    _begin_code lc_aes_gcm_\impl
    _aes_gcm \impl, enc, \vl
    _aes_gcm \impl, dec, \vl
    _end_code lc_aes_gcm_\impl
.endm

/*              impl             VL  CODE  VECTORS  HASH_FROM  AES_PER_STEP */
_implementation aesni,           16, SSE,  4,       5,         2
_implementation aesni_avx,       16, VEX,  4,       5,         2
_implementation vaes_avx2,       32, VEX,  4,       5,         2

/* ---- Powers of the hash key ---- */

#define POWERS      %rdi    /* KEY + 256: key->powers, which begins with the highest power */
#define POWER_N     %rcx    /* where H^n is */
#define POWER_I     %rax    /* where H^i is, i = 1 .. n */
#define POWER_N_I   %rdx    /* where H^(n + i) goes; higher powers are below lower ones */

/*
 * void lc_aes_gcm_powers_pclmul(struct lc_gcm_key *key);
 *
 * To key->powers: H^18 .. H^1, where H = AES(0), each times x^-1, and three blocks of zeros.  Why the x^-1: see "GHASH".  Why in
 * this order, and why zeros: see _accumulate_vector.  Why 18: see _implementation.
 *
 * H * x^-1.  A block has x^0 in its highest bit, and every bit further down is one more power of x.  So a product by x^-1
 * shifts the number left by one bit.  The bit that falls out, x^0, becomes x^-1, and that is 1 + x + x^6 + x^127: times x, it is
 * x + x^2 + x^7 + x^128, which is 1 as x^128 = 1 + x + x^2 + x^7.
 *
 * The others.  A product of two of these, H^n * x^-1 and H^i * x^-1, has a factor x too much as all products here, and comes out
 * as H^(n + i) * x^-1, as it should be.  From H^1 .. H^n follow H^(n + 1) .. H^2n by a product with H^n each: the longest chain
 * of products has five of them (H^2, H^4, H^8, H^16, H^18), where one after the other would be 17.
 *
 * Clobbers rax, rcx, rdx, rdi, r10, the flags, xmm0, xmm4, xmm8-xmm13.  No stack.  Constant time: branches and addresses depend
 * on the number of rounds only.
 */
.set VL, 16
.set CODE, SSE
.set VECTORS, 1
_name_registers
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
    _clear_sums
    _multiply_add _XMM
    _reduce_low
    _reduce_middle
    movdqa HI_XMM, (POWER_N_I)
    cmp POWERS, POWER_N_I       /* H^18? */
    je 4f
    cmp POWER_N, POWER_I        /* i <= n? */
    jae 3b
    mov POWER_N_I, POWER_N      /* n = 2 * n */
    jmp 2b
4:  .irp role, DATA0,TO_HASH0,LO,MI,HI,SCRATCH0,SCRATCH1,POWER
    _wipe_low \role
    .endr
    RETURN
END_FUNC(lc_aes_gcm_powers_pclmul)

/* ---- AVX-512 ---- */

#undef NUM_POWERS
#define NUM_POWERS 36
#define FOLDED (POWERS_END + 48) /* and after H^36 .. H^1 and zeros, what the loop for 512 bits wants: see _loop_powers */
#include "aes_gcm_evex.h"

/* ---- Several messages at once ---- */

#ifndef LC_ONE_MESSAGE /* a kernel's requests are single messages */

/*
 * As many short messages as a vector has lanes, MESSAGES, are done side by side: one alone would leave the units idle most of the
 * time, waiting for results.
 *
 * A pass takes the next VL bytes of each message: a vector of counters for each goes through the AES rounds, and the ciphertext
 * of the pass before is hashed between the rounds.  A nonce has 12 bytes here and a text at most 16 blocks, so counters are below
 * 256, in the last byte of a block: an xor puts them there, in the order of bytes that AES wants.  The first round key is xored
 * into the nonces already.
 *
 * Each message has its own sums LO, MI and HI, and nothing is reduced before the end.  They begin with the products of its AAD
 * and of its length block, in two lanes.  In the end the lanes are added up, so that each message has one lane of LO, MI and HI:
 * then one reduction is enough for all.  The J0s are a vector like that from the beginning.
 *
 * Tried on Zen 4, and within 2 % of this: the AAD and the lengths of all four in a vector's lanes (half as many products, but
 * more shuffles, and registers only after the passes); the rounds of the first pass unrolled; nonces by one masked load each.
 */
.section .rodata.lc_aes_gcm, "a", @progbits
.p2align 6
.Lmany_counters:    /* of a message's blocks: the last byte of big-endian numbers */
    .irp i, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
    .long 0, 0, 0, \i << 24
    .endr
.Lvector_len_64:    /* VL, in memory, as CMOV wants it */
    .quad 64
.text

#define ITEMS    %rsi   /* struct lc_aead_item *[MESSAGES] */
#define DECRYPT  %edx   /* whether text is ciphertext */
#define DONE     %r8    /* how many bytes of each message's text have been done, or more than it has */
#define DONE32   %r8d
#define MAX_LEN  %r9    /* of the longest text */
#define MAX_LEN32 %r9d
#define ONES     %r11   /* all bits 1; its lower bits make masks */
/* One after the other in the same register: */
#define ITEM     %rax   /* the message's struct lc_aead_item */
#define COUNTERS_AT %rax /* .Lmany_counters; ROUNDS is %rax, too */
#define WRONG    %eax   /* the answer */
#define LEFT     %rcx   /* bytes of this message's text that are left, or the negative of them */
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

/* Numbers 0 .. are messages. */
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
    _vector NEXT_COUNTERS, 14   /* and counters, when they are xored into the nonces */
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
.endm

/* Message m begins: NONCE<m>; LO<m>, MI<m>, HI<m> = the products of AAD and length block, a lane each; MAX_LEN */
.macro _begin_message m
    mov 8*\m(ITEMS), ITEM
    mov ITEM_NONCE(ITEM), TMP
    vmovd (TMP), NEW_NONCE_XMM  /* by words: see make_j0() in gcm.c */
    vpinsrd $1, 4(TMP), NEW_NONCE_XMM, NEW_NONCE_XMM
    vpinsrd $2, 8(TMP), NEW_NONCE_XMM, NEW_NONCE_XMM
    vpxor SLOT(0), NEW_NONCE_XMM, NEW_NONCE_XMM
    vshufi32x4 $0, NEW_NONCE, NEW_NONCE, NONCE\m
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
    bzhi TMP, ONES, TMP
    kmovq TMP, MASK
    mov ITEM_AAD(ITEM), TMP
    vmovdqu8 (TMP), AAD_BLOCK_XMM{MASK}{z}
    _reverse_block AAD_BLOCK_XMM
1:  vinserti128 $1, LEN_BLOCK_XMM, AAD_BLOCK_YMM, AAD_BLOCK_YMM

    /* The AAD's power: as many blocks are still to come as the text has, and two more, itself and the length block, with H^1. */
    neg LEFT
    sub $32, BEGIN_AT
    and $-16, BEGIN_AT          /* -16 * (blocks + 2) */
    vmovdqu POWERS_END(KEY,BEGIN_AT), TWO_POWERS_XMM
    vinserti128 $1, POWERS_END-16(KEY), TWO_POWERS_YMM, TWO_POWERS_YMM
    vpclmulqdq $0x00, TWO_POWERS_YMM, AAD_BLOCK_YMM, LO\m\()_YMM
    vpclmulqdq $0x01, TWO_POWERS_YMM, AAD_BLOCK_YMM, MI\m\()_YMM
    vpclmulqdq $0x10, TWO_POWERS_YMM, AAD_BLOCK_YMM, LEN_BLOCK_YMM
    vpclmulqdq $0x11, TWO_POWERS_YMM, AAD_BLOCK_YMM, HI\m\()_YMM
    vpxord LEN_BLOCK_YMM, MI\m\()_YMM, MI\m\()_YMM
.endm

/*
 * The text of message m from DONE on, up to VL bytes, under the key stream DATA<m>.  What its sums lack then is TO_HASH<m> *
 * POWER<m>.  A message that has no more text takes no part: its TO_HASH<m> is 0.
 */
.macro _message_text m, vl
    mov 8*\m(ITEMS), ITEM
    _clear TO_HASH\m
    mov DONE, LEFT
    sub ITEM_LEN(ITEM), LEFT    /* less than 0, if there is any */
    jae .Lnothing\@
    lea -16(LEFT), TEXT_AT
    and $-16, TEXT_AT           /* -16 * (blocks that are left + 1, the length block) */
    vmovdqu64 POWERS_END(KEY,TEXT_AT), POWER\m
    neg LEFT
    cmp $VL, LEFT
    cmova .Lvector_len_\vl(%rip), LEFT
    bzhi LEFT, ONES, TMP
    kmovq TMP, MASK
    mov ITEM_SRC(ITEM), TMP
    vmovdqu8 (TMP,DONE), TO_HASH\m{MASK}{z}
    vpxord TO_HASH\m, DATA\m, DATA\m
    mov ITEM_DST(ITEM), TMP
    vmovdqu8 DATA\m, (TMP,DONE){MASK}
    test DECRYPT, DECRYPT
    jnz 1f
    vmovdqu8 DATA\m, TO_HASH\m{MASK}{z}
1:  vpshufb BSWAP, TO_HASH\m, TO_HASH\m
.Lnothing\@:
.endm

/* The sums of message m += TO_HASH<m> * POWER<m>, in two steps */
.macro _outer_products m
    vpclmulqdq $0x00, POWER\m, TO_HASH\m, SCRATCH0
    vpclmulqdq $0x11, POWER\m, TO_HASH\m, SCRATCH1
    vpxord SCRATCH0, LO\m, LO\m
    vpxord SCRATCH1, HI\m, HI\m
.endm
.macro _middle_products m
    vpclmulqdq $0x01, POWER\m, TO_HASH\m, SCRATCH0
    vpclmulqdq $0x10, POWER\m, TO_HASH\m, SCRATCH1
    _xor3 SCRATCH0, SCRATCH1, MI\m
.endm

/* A round of slot 5 or a later one, and the step that follows it: message 0 has those of slots 5 and 6, message 1 of 7 and 8, .. */
.macro _many_round slot
    vbroadcasti32x4 SLOT(\slot), ROUND_KEY
    _for_each MESSAGES, _aes enc, ROUND_KEY, DATA\i
    _for_each MESSAGES, _step_of_message \slot, \i
.endm
.macro _step_of_message slot, m
  .if \slot == (5 + 2 * \m)
    _outer_products \m
  .elseif \slot == (6 + 2 * \m)
    _middle_products \m
  .endif
.endm

/* A vector with a lane for each message: lane m = lane 0 of x<m> */
.macro _lanes_of x, d
    vshufi32x4 $0, \x\()1, \x\()0, SCRATCH0
    vshufi32x4 $0, \x\()3, \x\()2, SCRATCH1
    vshufi32x4 $0x88, SCRATCH1, SCRATCH0, \d
.endm

/*
 * .. lane m = the sum of x<m>'s lanes.  Step by step: pairs of neighbours in a and b are added, a's in the lower half of the
 * result and b's in the upper half.  Twice that, and four vectors have become one, with their sums in their order.
 */
.macro _sums_of_lanes x, d
    _add_neighbours \x\()0, \x\()1, SCRATCH1, SCRATCH1
    _add_neighbours \x\()2, \x\()3, \d, \d
    _add_neighbours SCRATCH1, \d, SCRATCH1, \d
.endm
.macro _add_neighbours a, b, scratch, d
    vshufi32x4 $0x88, \b, \a, SCRATCH0      /* lanes 0 and 2 of both */
    vshufi32x4 $0xdd, \b, \a, \scratch      /* lanes 1 and 3 */
    vpxord SCRATCH0, \scratch, \d
.endm

/* In the end: message m's tag is written, or read into its lane of TAGS. */
.macro _write_tag m
    mov 8*\m(ITEMS), ITEM
    mov ITEM_TAG(ITEM), TMP
    vextracti32x4 $\m, HI, (TMP)
.endm
.macro _read_tag m
    mov 8*\m(ITEMS), ITEM
    mov ITEM_TAG(ITEM), TMP
  .if \m == 0
    vmovdqu (TMP), TAGS_XMM
  .else
    vinserti32x4 $\m, (TMP), TAGS, TAGS
  .endif
.endm

/*
 * unsigned lc_aes_gcm_many_<impl>(const struct lc_gcm_key *key, struct lc_aead_item *const items[MESSAGES], int decrypt);
 *
 * Messages of up to LC_GCM_MANY_LEN bytes, with up to 16 bytes of AAD and 12-byte nonces.  To encrypt, their tags are
 * written, and eax = 0.  To decrypt, they are compared: of eax, bits 2 * i and 2 * i + 1 are set where a half of item i's tag is
 * wrong.
 *
 * Clobbers rax, rcx, r8-r11, the flags, all vector registers, k1.  No stack.  Constant time: branches and addresses depend on
 * lengths, the number of rounds and decrypt only.
 */
.macro _aes_gcm_many impl, vl
FUNC(lc_aes_gcm_many_\impl)
    mov $-1, ONES
    xor MAX_LEN32, MAX_LEN32
    _for_each MESSAGES, _begin_message \i

    /* The first pass, with J0 = nonce || 1 */
    _lanes_of NONCE, J0
    vbroadcasti32x4 .Lone(%rip), NEXT_COUNTERS
    vpxord NEXT_COUNTERS, J0, J0
    _for_each MESSAGES, vpxord .Lmany_counters(%rip), NONCE\i, DATA\i
    mov KEY_ROUNDS(KEY), ROUNDS32
    shl $4, ROUNDS32
    neg ROUNDS
    add $16, ROUNDS             /* as _count_rounds has it */
1:  vbroadcasti32x4 SLOT_AT(14, ROUNDS), ROUND_KEY
    _for_each MESSAGES, _aes enc, ROUND_KEY, DATA\i
    _aes enc, ROUND_KEY, J0
    add $16, ROUNDS
    jnz 1b
    vbroadcasti32x4 SLOT(14), ROUND_KEY
    vaesenclast ROUND_KEY, J0, J0
    xor DONE32, DONE32

.Lpass\@:
    _for_each MESSAGES, _aes enclast, ROUND_KEY, DATA\i
    vmovdqa64 .Lbswap(%rip), BSWAP
    _for_each MESSAGES, _message_text \i, \vl
    add $VL, DONE
    cmp DONE, MAX_LEN
    jbe .Lend\@

    lea .Lmany_counters(%rip), COUNTERS_AT
    vmovdqa64 (COUNTERS_AT,DONE), NEXT_COUNTERS
    _for_each MESSAGES, vpxord NEXT_COUNTERS, NONCE\i, DATA\i
    mov KEY_ROUNDS(KEY), ROUNDS32
    sub $10, ROUNDS32           /* the rounds before slot 5: 0, 2 or 4 */
    jz 2f
    shl $4, ROUNDS32
    neg ROUNDS
1:  vbroadcasti32x4 SLOT_AT(5, ROUNDS), ROUND_KEY
    _for_each MESSAGES, _aes enc, ROUND_KEY, DATA\i
    add $16, ROUNDS
    jnz 1b
2:  .irp slot, 5,6,7,8,9,10,11,12,13
    _many_round \slot
    .endr
    vbroadcasti32x4 SLOT(14), ROUND_KEY
    jmp .Lpass\@

.Lend\@:
    _for_each MESSAGES, _last_products \i
    _sums_of_lanes LO, LO
    _sums_of_lanes MI, MI
    _sums_of_lanes HI, HI
    _reduce_low
    _reduce_middle
    _reverse_bytes HI, HI
    vpxord J0, HI, HI           /* tags */
    test DECRYPT, DECRYPT
    jnz 1f
    _for_each MESSAGES, _write_tag \i
    xor WRONG, WRONG
    jmp 2f
1:  _for_each MESSAGES, _read_tag \i
    vpcmpneqq HI, TAGS, MASK
    kmovd MASK, WRONG
2:
    /* No secrets stay: powers, sums, round keys, nonces with a round key, AES(J0).  What other registers have is text. */
    .irp role, LO,MI,HI
    _wipe_low \role
    .endr
    _for_each MESSAGES, _wipe_low POWER\i
    .irp role, SCRATCH0,SCRATCH1,ROUND_KEY,J0
    _wipe_low \role
    .endr
    .irp role, NONCE,LO,MI,HI
    _for_each MESSAGES, _wipe_high \role\i
    .endr
    vzeroupper
    RETURN
END_FUNC(lc_aes_gcm_many_\impl)
.endm
.macro _last_products m
    _outer_products \m
    _middle_products \m
.endm

/*
 * Everything goes by VL and MESSAGES, except _lanes_of and _sums_of_lanes, which are for four lanes, and the caller, who gives four
 * messages.  (Tried: with these two for two lanes, VL = 32 does two messages, and does them right.)
 */
.macro _implementation_many impl, vl
    .set VL, \vl
    .set CODE, EVEX
    .set MESSAGES, VL / 16
  .if MESSAGES != 4
    .error "_lanes_of and _sums_of_lanes are for four lanes."
  .endif
    _name_registers_many
    _aes_gcm_many \impl, \vl
.endm

.globl lc_aes_gcm_many_begin, lc_aes_gcm_many_end
.hidden lc_aes_gcm_many_begin, lc_aes_gcm_many_end
lc_aes_gcm_many_begin:
_implementation_many vaes_avx512_512, 64
lc_aes_gcm_many_end:
#endif

.section .note.GNU-stack, "", @progbits

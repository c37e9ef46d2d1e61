/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM: the body of the rows without VAES, whose vectors are single blocks, for aes_gcm.S, which explains GCM, the hash and its
 * order of bits.  Macros that aes_gcm_body.h has as well come from there; VECTORS is 8 here, and a group is eight blocks.
 *
 * A call does the odd blocks first:
 *
 *      head      1 to 8 blocks, as many as leave a multiple of eight; code for each number.  J0 is in the same rounds.
 *      turns     a group each, if there are more than 16 blocks.  Then whole groups have no head.
 *      last      a group, if there is one
 *
 * The first eight vector registers give shorter instructions: so they are what is summed, and the blocks have the others.  KEY and
 * MSG point into the middle of what is read, for the same reason.
 *
 * Only the last block of all can be a part of one.  Up to 16 blocks are one batch of the hash, with the AAD and the length block,
 * if there are powers for all: one reduction.  Of a longer text the AAD and the head are a batch, each turn is one, and the last
 * group.
 *
 * What bounds it.  Short messages: the count of instructions.  So there is nothing in a short message's way but branches: what has
 * no register waits in memory only in long ones.  The head and the last group are hashed block by block where their last round is,
 * with no register for ciphertext: the CPU finds what it can do meanwhile in the rounds of the next group, or of the next message.
 *
 * A turn has the rounds of eight blocks and the hash of eight others in between, for two units; see _turn.  Eight, as AESENC has a
 * latency of 3 to 4 cycles (7 or 8 on the oldest CPUs that have it), and two units start two a cycle.  (With four blocks in flight
 * AES-256 took up to 12 % longer on Zen 5.)
 *
 *      sealing   the group before, as the ciphertext of this one isn't there yet.  It waits in msg->group.
 *      opening   the same group.  It is copied to msg->group first: each block is read once, as another thread might change it.
 *
 * Heads of three blocks and more have their rounds in loops, one of two blocks and a group three rounds a turn (_rounds_by_three):
 * unrolled they take no less, but for heads of more blocks.  A group two rounds a turn takes 1 to 4 % longer up to 256 bytes.
 *
 * With LC_SMALL, for kernels, all heads have their rounds in loops; both directions have one text; and there is no code for what
 * is empty, for more than a block of AAD in the text's batch, and for whole groups.
 *
 * What a turn costs, AES-128 / AES-256: AES 80 / 112, products 24 + 1, shuffles 17, counters 8, last key with the text 8, sums and
 * halves 31 + 6: 176 / 208 for 128 bytes, and on Intel, whose p0, p1 (but for products) and p5 take them, 59 / 69 cycles (counted).
 * Zen 5 takes 65 / 74 (16 KB); its products are 50.
 */
#ifndef LC_X86_AES_GCM_BLOCKS_H
#define LC_X86_AES_GCM_BLOCKS_H

#define N8 %r10b
#define TABLE %r10          /* .Lcounters; N */
/* In FLAGS, and FLAGS8, where tests take few bytes: what is passed, LENGTHS, FROM_NONCE, PUBLIC, TO_DECRYPT, and */
#define LONG 2              /* there are turns; */
#define ENDS 4              /* sealing: the last of them; */
#define HEAD_DONE 8         /* a piece with counters of its own: these are for a group; or nothing but up to 7 bytes of AAD; */
#define TURNING 32          /* not for the first one of a long text */
#define GROUP_LEN 128
#define SOME_AAD 192        /* bytes of AAD that are hashed together with a text, at most: with a head of seven blocks, 19 */
/* In msg->group, after the ciphertext of a group, in a call with turns: AES(J0), which is wiped, and the length block */
#define MSG_LONG_J0 MSG_GROUP+GROUP_LEN
#define MSG_LENGTHS MSG_GROUP+GROUP_LEN+16

.macro _name_registers_blocks
    _set_vectors
    _vector LO, 0           /* sums of products, by Karatsuba: see aes_gcm_body.h */
    _vector MI, 1
    _vector HI, 2
    _vector SCRATCH0, 3
    _vector SCRATCH1, 4
    _vector CARRY, 4        /* the difference of a carry, */
    _vector PRODUCT, 5      /* and what of it a block gets */
    _vector ROUND_KEY, 5
    _vector LENGTH_BLOCK, 5 /* byte-reversed; 0 if it isn't to follow */
    _vector BASE, 6         /* what counters are made of: see "Counters" there */
    _vector HASH, 7         /* AAD and the hash so far, before the head; and in turns, where it is to be added to the first block */
    _vector J0, 7           /* J0, the first round key added; then AES(J0): in the head and the last group */
    _vector DATA0, 8        /* the blocks in flight: counters, key stream, text */
    _vector DATA1, 9
    _vector DATA2, 10
    _vector DATA3, 11
    _vector DATA4, 12
    _vector DATA5, 13
    _vector DATA6, 14
    _vector DATA7, 15
    _vector TO_HASH0, 15    /* AAD */
.endm

/* d = one half of the operand at disp(base) or disp(base, index) * one half of b */
.macro _clmul_mem imm, disp, base, index, b, d
  .ifb \index
    _clmul \imm, "\disp(\base)", \b, \d
  .else
    _clmul \imm, "\disp(\base,\index)", \b, \d
  .endif
.endm

/*
 * The sums += x * the power at disp(base, index) or disp(base); how: first, the sums = that, and x may be HI.  clobber: the legacy
 * coding may use the register of x.
 */
.macro _hash_block x, disp, base, index, how=more, clobber=0
  .ifc \how,first
    _clmul_mem $0x00, \disp, \base, \index, \x, LO
    _add_halves \x, MI
    _clmul_mem $0x00, \disp+HALVES_END-POWERS_END, \base, \index, MI, MI
    _clmul_mem $0x11, \disp, \base, \index, \x, HI
  .else
    _clmul_mem $0x00, \disp, \base, \index, \x, SCRATCH0
    _xor SCRATCH0, LO, LO
    _add_halves \x, SCRATCH0
    _clmul_mem $0x00, \disp+HALVES_END-POWERS_END, \base, \index, SCRATCH0, SCRATCH0
    _xor SCRATCH0, MI, MI
   .if CODE == SSE && \clobber
    _clmul_mem $0x11, \disp, \base, \index, \x, \x
    _xor \x, HI, HI
   .else
    _clmul_mem $0x11, \disp, \base, \index, \x, SCRATCH0
    _xor SCRATCH0, HI, HI
   .endif
  .endif
.endm

/* Rounds of a head, with J0's beside them */
.macro _head_rounds first, slot
    _rounds_from \first, \slot
    _aes enc, ROUND_KEY, J0
.endm
.macro _all_head_rounds first
  .if LC_SMALL || \first < 6
   .if LC_SMALL == 0            /* or else it has been counted */
    mov KEY_ROUNDS(KEY), TMP2_32 /* as _count_rounds has it */
    shl $4, TMP2_32
    neg TMP2
    add $16, TMP2
   .endif
1:  _load_at (SLOT_14-KEY_AT), KEY, TMP2, ROUND_KEY
    _for_each_from \first, _aes enc, ROUND_KEY, DATA\i
    _aes enc, ROUND_KEY, J0
    add $16, TMP2
    jnz 1b
    _mov SLOT(14), ROUND_KEY
  .elseif \first == 6
    _rounds_by_three 6, TMP2, J0
  .else
    cmpl $12, KEY_ROUNDS(KEY)
    jb .L10\@
    je .L12\@
    _head_rounds \first, 1
    _head_rounds \first, 2
.L12\@:
    _head_rounds \first, 3
    _head_rounds \first, 4
.L10\@:
    .irp slot, 5,6,7,8,9,10,11,12,13
    _head_rounds \first, \slot
    .endr
    _mov SLOT(14), ROUND_KEY
  .endif
.endm

/* The head: blocks `first` .. 7 and J0 up to their last round, and J0's */
.macro _block_head first, rounds, open, seal
  .if LC_SMALL == 0
   .if \first < 4
    _for_each_from \first, _xor 16*(\i-\first)(NEXT), BASE, DATA\i
   .else
    _for_each_from \first, _xor .Lcounters+32+16*(\i-\first)(%rip), BASE, DATA\i
   .endif
  .endif
\rounds:
    _all_head_rounds \first
    _aes enclast, ROUND_KEY, J0
  .if LC_SMALL == 0
    test $TO_DECRYPT, FLAGS8
    jnz \open
  .endif
  .ifnb \seal
    jmp \seal
  .endif
.endm

/* Block v's last round, whose key is in ROUND_KEY, its text, and its hash, of the power at AT */
.macro _block_text dir, v
  .ifc \dir,enc
   .if CODE == SSE
    movdqu 16*\v(SRC), SCRATCH0
    pxor ROUND_KEY, SCRATCH0
   .else
    _xor 16*\v(SRC), ROUND_KEY, SCRATCH0
   .endif
    _aes enclast, SCRATCH0, DATA\v
    _movu DATA\v, 16*\v(DST)
    _reverse_bytes DATA\v, DATA\v
    _hash_block DATA\v, 16*\v, AT
  .else
    _movu 16*\v(SRC), SCRATCH1
    _xor ROUND_KEY, SCRATCH1, SCRATCH0
    _aes enclast, SCRATCH0, DATA\v
    _movu DATA\v, 16*\v(DST)
   .ifc \dir,any
    test $TO_DECRYPT, FLAGS8
    jnz 1f
    _mov DATA\v, SCRATCH1
1:
   .endif
    _reverse_bytes SCRATCH1, SCRATCH1
    _hash_block SCRATCH1, 16*\v, AT, clobber=1
  .endif
.endm
/* .. of all: labels for those from 1, .., 7 on; and where to go if the last one isn't whole */
.macro _block_texts dir, from1, from2, from3, from4, from5, from6, from7, part
    _block_text \dir, 0
\from1:
    _block_text \dir, 1
\from2:
    _block_text \dir, 2
\from3:
    _block_text \dir, 3
\from4:
    _block_text \dir, 4
\from5:
    _block_text \dir, 5
\from6:
    _block_text \dir, 6
\from7:
    cmp N, LEN
    jb \part
    _block_text \dir, 7
.endm

/*
 * A turn's rounds.  After each two instructions of a round there is a step of the hash: four of each block, the first block's last,
 * as it waits for the hash before, and the reduction.  They fall into the rounds that all key lengths have.
 */
.macro _turn_step_of v, n
  .if HASH_STEP == (4 * \n)
    _movu MSG_GROUP+16*\v(MSG), SCRATCH0
    _reverse_bytes SCRATCH0, SCRATCH0
   .if \v == 0
    _xor HASH, SCRATCH0, SCRATCH0
   .endif
  .elseif HASH_STEP == (4 * \n + 1)
    _turn_product $0x00, POWERS_END-GROUP_LEN+16*\v, SCRATCH0, \n, LO
  .elseif HASH_STEP == (4 * \n + 2)
    _add_halves SCRATCH0, SCRATCH1
    _turn_product $0x00, HALVES_END-GROUP_LEN+16*\v, SCRATCH1, \n, MI
  .elseif HASH_STEP == (4 * \n + 3)
    _turn_product $0x11, POWERS_END-GROUP_LEN+16*\v, SCRATCH0, \n, HI, SCRATCH0
  .endif
.endm
.macro _turn_product imm, disp, x, n, sum, scratch=SCRATCH1
  .if \n == 0
    _clmul_mem \imm, \disp, KEY, , \x, \sum
  .else
    _clmul_mem \imm, \disp, KEY, , \x, \scratch
    _xor \scratch, \sum, \sum
  .endif
.endm
.macro _turn_step
    .irp n, 0,1,2,3,4,5,6,7
    _turn_step_of ((\n+1)%8), \n
    .endr
  .if HASH_STEP == 32
    _take_outer
    _reduce_low
  .elseif HASH_STEP == 33
    _reduce_middle
  .endif
    .set HASH_STEP, HASH_STEP + 1
.endm
.macro _turn_round slot
    _mov SLOT(\slot), ROUND_KEY
    .irp pair, 0,2,4,6
    _turn_aes \pair
    _turn_step
    .endr
.endm
.macro _turn_aes pair
    _for_each 8, _turn_aes_of \pair, \i, DATA\i
.endm
.macro _turn_aes_of pair, i_of, d
  .if \i_of == \pair || \i_of == \pair + 1
    _aes enc, ROUND_KEY, \d
  .endif
.endm

/* DATA0 .. DATA7 = the next group's counters, if they are public */
.macro _group_counters
    lea .Lcounters(%rip), TABLE
    _for_each 8, _xor_at 16*\i, TABLE, NEXT, BASE, DATA\i
.endm

/* d ^= CARRY where TABLE, which is at COUNTERS_CARRIED for these blocks, has ones */
.macro _carry_into_block at, d
    _op3 pand, vpand, vpand, \at(TABLE), CARRY, PRODUCT
    _xor PRODUCT, \d, \d
.endm

/*
 * d (xmm) = n = 1..16 bytes at p, byte-reversed, zeros before them.  Nothing outside of them is read: the first and the last ones
 * overlap in one register, and a shuffle from .Lreverse_part puts each where it belongs.  p and scratch are clobbered; n < 8 is
 * elsewhere: see _load_few.
 */
.macro _load_reversed p, n, scratch, d, few, loaded
    cmp $8, \n
    jb \few
    _xmm_move movq, (\p), \d
    _xmm_op movhps, "-8(\p,\n)", \d
\loaded:
    lea (\n,\n), \scratch
    lea .Lreverse_part-16(%rip), \p
    _xmm_op pshufb, "(\p,\scratch,8)", \d
.endm
.macro _load_few p, n, scratch32, d, few, loaded:vararg
\few:
    cmp $4, \n
    jb .Lbelow4\@
    _xmm_move movd, (\p), \d
    _xmm_move movd, "-4(\p,\n)", SCRATCH0_XMM
.Lmerge\@:
    _xmm_op punpckldq, SCRATCH0_XMM, \d
    \loaded
.Lbelow4\@:
    movzbl (\p), \scratch32
    _xmm_move movd, \scratch32, \d
    _xmm_move movd, \scratch32, SCRATCH0_XMM
    cmp $1, \n
    je .Lmerge\@
    movzwl -2(\p,\n), \scratch32
    _xmm_move movd, \scratch32, SCRATCH0_XMM
    jmp .Lmerge\@
.endm

.macro _few_aad_loaded empty, loaded
  .if LC_SMALL == 0
    test $HEAD_DONE, FLAGS8
    jnz \empty
  .endif
    jmp \loaded
.endm

/* d has 16 bytes, of which the last AAD_LEN = 1..16 are the last ones of the AAD: those, byte-reversed, zeros before them. */
.macro _last_of_aad d
    lea .Lreverse_last-16(%rip), AAD
    _load_block_at 0, AAD, AAD_LEN, SCRATCH1
    _xmm_op pshufb, SCRATCH1, \d
.endm

/* AT = the power of the first block of text; none: where to go if there is neither text nor a length block */
.macro _powers_at none
    _whole_blocks LEN, AT
    test $LENGTHS, FLAGS8
    jz .Lno_lengths\@
    add $16, AT
.Lno_lengths\@:
    neg AT
  .ifnb \none
    jz \none
  .endif
    lea POWERS_END(KEY,AT), AT
.endm

/*
 * void lc_aes_gcm_{en,de}crypt_<impl>(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len,
 *                                     struct lc_gcm_msg *msg, unsigned how);
 *
 * A message, or the next piece of one: the contract is in gcm_internal.h.
 *
 * key: 16-byte aligned; nothing else need be, but msg->group.  dst and src: len bytes, equal or disjoint; reads and writes stay
 * within them, and within the AAD.
 *
 * Clobbers rax, rcx, rdx, rsi, rdi, r8-r11, the flags, xmm0-xmm15.  No stack.  Constant time: branches and addresses depend on
 * lengths, the number of rounds and how only; from the nonce also on counters, which their lengths determine.
 */
.macro _aes_gcm_blocks impl
    .p2align 4
    _decryption \impl
    .p2align 4
.Laes_gcm_encrypt_\impl:
FUNC(lc_aes_gcm_encrypt_\impl)
    _advance KEY_AT, KEY
    _advance MSG_AT, MSG
    mov MSG_AAD_LEN(MSG), AAD_LEN
    mov MSG_AAD(MSG), AAD
    test $FROM_NONCE, FLAGS8
    jz .Lpiece\@

    /* A message begins.  The nonce by words: see make_j0() in gcm.c. */
    mov MSG_NONCE(MSG), TMP2
    _load_nonce BASE_XMM
    _op3 pxor, vpxor, vpxor, SLOT(0), BASE, BASE
  .if LC_SMALL == 0
    test LEN, LEN
    jz .Lempty\@
.Lnot_empty\@:
  .endif
    test $LENGTHS, FLAGS8
    jz .Lfirst\@
    _xmm_move movq, LEN, LENGTH_BLOCK
    _zero HASH
    test AAD_LEN, AAD_LEN
    jz .Lno_aad\@
    _xmm_move movq, AAD_LEN, SCRATCH1
    _xmm_op punpcklqdq, SCRATCH1, LENGTH_BLOCK
    cmp $16, AAD_LEN
    _xmm_op psllq, $3, LENGTH_BLOCK
  .if LC_SMALL
    ja .Lmuch_aad\@
  .else
    ja .Lsome_aad\@
  .endif
.Laad_part\@:
    _load_reversed AAD, AAD_LEN, AAD_TMP, HI, .Lfew_aad\@, .Laad_loaded\@
    _xor HI, HASH, HASH
    cmp $2*GROUP_LEN, LEN
    ja .Llong\@
    _powers_at
    _hash_block HASH, -16, AT, how=first
.Llengths\@:
    _hash_block LENGTH_BLOCK, POWERS_END-16, KEY
.Lsums\@:
    test LEN, LEN
    jz .Lno_text\@
.Lheads\@:
    lea -1(LEN), N
    and $GROUP_LEN-16, N32
    add $16, N32                /* bytes of the head's blocks; block v's text is 16 * v bytes after SRC and DST, its power at AT */
    lea -GROUP_LEN(SRC,N), SRC
    lea -GROUP_LEN(DST,N), DST
    lea -GROUP_LEN(AT,N), AT
    test $FROM_NONCE, FLAGS8
    jz .Lpiece_heads\@          /* with counters of its own */
    _op3 pxor, vpxor, vpxor, .Lone(%rip), BASE, J0
  .if LC_SMALL
    lea .Lcounters+32-8*16(%rip), NEXT
    add N, NEXT
    _for_each 8, _xor 16*\i(NEXT), BASE, DATA\i
.Lhead_by_number\@:
    _count_rounds counter32=TMP2_32, counter=TMP2
  .endif
    cmp $64, N32
    ja .Lheads_58\@
    cmp $32, N32
    ja .Lheads_34\@
    je .Lhead2\@
    _block_head 7, .Lrounds1\@, .Lopen7\@, .Lseal7\@
.Lhead2\@:
    _block_head 6, .Lrounds2\@, .Lopen6\@, .Lseal6\@
.Lheads_34\@:
    cmp $48, N32
    ja .Lhead4\@
    _block_head 5, .Lrounds3\@, .Lopen5\@, .Lseal5\@
.Lhead4\@:
    _block_head 4, .Lrounds4\@, .Lopen4\@, .Lseal4\@
.Lheads_58\@:
  .if LC_SMALL == 0
    lea .Lcounters+32(%rip), NEXT
  .endif
    cmp $96, N32
    ja .Lheads_78\@
    je .Lhead6\@
    _block_head 3, .Lrounds5\@, .Lopen3\@, .Lseal3\@
.Lhead6\@:
    _block_head 2, .Lrounds6\@, .Lopen2\@, .Lseal2\@
.Lheads_78\@:
    cmp $112, N32
    ja .Lhead8\@
    _block_head 1, .Lrounds7\@, .Lopen1\@, .Lseal1\@
.Lhead8\@:
  .if LC_SMALL == 0
    _for_each 8, _xor 16*\i(NEXT), BASE, DATA\i
  .endif
.Lrounds8\@:                   /* those of any group, and J0 by itself */
    _encrypt_j0
  .if LC_SMALL == 0
    test $LONG, FLAGS8
    jnz .Lno_head_j0\@
  .endif
    jmp .Lsingle_group\@
.Lseal0\@:
  .if LC_SMALL
    _block_texts any, .Lseal1\@, .Lseal2\@, .Lseal3\@, .Lseal4\@, .Lseal5\@, .Lseal6\@, .Lseal7\@, .Lpart\@
  .else
    _block_texts enc, .Lseal1\@, .Lseal2\@, .Lseal3\@, .Lseal4\@, .Lseal5\@, .Lseal6\@, .Lseal7\@, .Lpart\@
  .endif
.Ltext_end\@:
    sub N, LEN
    ja .Lmore\@

.Lreduce\@:
    _take_outer
.Lreduce_sums\@:
    _reduce_low
    _reduce_middle
.Lresult\@:
    _reverse_block HI
    not FLAGS32
    test $LENGTHS+FROM_NONCE, FLAGS8
    jnz .Lpiece_end\@
    _xmm_op pxor, J0, HI
    mov MSG_TAG(MSG), TMP
    _movu HI, (TMP)
.Lwipe\@:

    /* No secrets stay in registers.  What DATA0 to DATA6 have is text; with LC_SMALL, before a short head, the nonce and a key. */
    .irp role, DATA7,LO,MI,HI,SCRATCH0,SCRATCH1,ROUND_KEY,BASE,J0
    _zero \role
    .endr
  .if LC_SMALL
    _for_each 7, _zero DATA\i
  .endif
    RETURN

    /* No AAD, or, with nothing before, no text */
.Lno_aad\@:
    _xmm_op psllq, $3, LENGTH_BLOCK
    cmp $2*GROUP_LEN, LEN
    ja .Llong\@
    lea 31(LEN), AT
    and $-16, AT
    neg AT
    lea POWERS_END(KEY,AT), AT
    _hash_block LENGTH_BLOCK, POWERS_END-16, KEY, how=first
    jmp .Lsums\@

  .if LC_SMALL == 0
    /* A whole message without text, and with little AAD: what there is to do and nothing to ask.  The length block has a half. */
.Lempty\@:
    cmp $SOME_AAD, AAD_LEN
    ja .Lnot_empty\@
    _op3 pxor, vpxor, vpxor, .Lone(%rip), BASE, J0
    test AAD_LEN, AAD_LEN
    jz .Lno_hash\@
    _xmm_move movq, AAD_LEN, LENGTH_BLOCK
    _xmm_op psllq, $3, LENGTH_BLOCK
    cmp $16, AAD_LEN
    ja .Lempty_aad\@
    _load_reversed AAD, AAD_LEN, AAD_TMP, HI, .Lempty_few\@, .Lempty_loaded\@
    _hash_block HI, POWERS_END-32, KEY, how=first
.Lempty_lengths\@:
    _clmul_mem $0x00, POWERS_END-16, KEY, , LENGTH_BLOCK, SCRATCH0
    _take_outer
    _xor SCRATCH0, MI, MI
    _clmul_mem $0x10, POWERS_END-16, KEY, , LENGTH_BLOCK, LENGTH_BLOCK
    _xor LENGTH_BLOCK, HI, HI
.Lhash_of_empty\@:
    _encrypt_j0
    jmp .Lreduce_sums\@
.Lno_hash\@:
    _for_sums _zero
    jmp .Lhash_of_empty\@
.Lempty_few\@:
    or $HEAD_DONE, FLAGS32
  .endif
    _load_few AAD, AAD_LEN, AAD_TMP32, HI, .Lfew_aad\@, _few_aad_loaded .Lempty_loaded\@, .Laad_loaded\@

.Lno_text\@:
    test $LENGTHS, FLAGS8
    jz .Lreduce\@
    test $FROM_NONCE, FLAGS8
    jz 1f
    _op3 pxor, vpxor, vpxor, .Lone(%rip), BASE, J0
    jmp 2f
1:  _load_halves MSG, J0, MSG_J0
    _op3 pxor, vpxor, vpxor, SLOT(0), J0, J0
2:
  .if LC_SMALL == 0
    _take_outer
    jmp .Lhash_of_empty\@
  .else
    _encrypt_j0
    jmp .Lreduce\@
  .endif

    /* A head's text, to be decrypted */
  .if LC_SMALL == 0
.Lopen0\@:
    _block_texts dec, .Lopen1\@, .Lopen2\@, .Lopen3\@, .Lopen4\@, .Lopen5\@, .Lopen6\@, .Lopen7\@, .Lpart\@
    jmp .Ltext_end\@
  .endif

    /*
     * The last block of all, as its last round's key is in ROUND_KEY, of which LEN + 16 - N bytes are text.  The hash wants zeros
     * after the ciphertext.  To decrypt, they are loaded with it; to encrypt, what DATA7 has there is key stream and is cut off.
     */
.Lpart\@:
    add $7*16, SRC
    add $7*16, DST
    sub N, LEN
    add $16, LEN
    _load_reversed SRC, LEN, TMP2, DATA0, .Lfew_bytes\@, .Lbytes_loaded\@
    _reverse_bytes DATA0, SCRATCH1
    _xor SCRATCH1, ROUND_KEY, ROUND_KEY
    _aes enclast, ROUND_KEY, DATA7
    test $TO_DECRYPT, FLAGS8
    jnz 1f
    lea .Lmask_end(%rip), TMP2
    sub LEN, TMP2
    _movu (TMP2), DATA0
    _op3 pand, vpand, vpand, DATA7, DATA0, DATA0
    _reverse_block DATA0
1:
    _hash_block DATA0, 7*16, AT
    _store_part DST, LEN, TMP2, TMP2_32, TMP2_8, DATA7
    jmp .Lreduce\@
    _load_few SRC, LEN, TMP2_32, DATA0, .Lfew_bytes\@, jmp .Lbytes_loaded\@

    /* More text after a head: a group, the last one .. */
.Lmore\@:
    _advance GROUP_LEN, SRC
    _advance GROUP_LEN, DST
    cmp $GROUP_LEN, LEN
    ja .Lturns\@
    _advance GROUP_LEN, AT
    test $FROM_NONCE, FLAGS8
    jz .Lpiece_group\@
    lea .Lcounters+32(%rip), TMP2
    add N, TMP2
    _for_each 8, _xor 16*\i(TMP2), BASE, DATA\i
.Lsingle_group\@:

    /* A group whose rounds have no hash: the last one, or of a long text that is sealed the first */
.Lgroup\@:
  .if LC_SMALL
    _loop_of_rounds 0, N, N32
  .else
    _rounds_by_three 0, N
  .endif
    mov $GROUP_LEN, N32
    test $LONG, FLAGS8
    jnz 1f
  .if LC_SMALL == 0
    test $TO_DECRYPT, FLAGS8
    jnz .Lopen0\@
  .endif
    jmp .Lseal0\@
1:  test $TO_DECRYPT, FLAGS8
    jz .Lseal_group\@

    /* The last group of a long text, up to the last round.  The hash so far, the lengths and AES(J0) are taken back. */
.Llast_group\@:
    mov $GROUP_LEN, N32
    _movu MSG_LENGTHS(MSG), SCRATCH1
    lea POWERS_END-GROUP_LEN(KEY), AT
    test $LENGTHS, FLAGS8
    jz 1f
    sub $16, AT
1:
    _hash_block HASH, 0, AT, how=first
    _hash_block SCRATCH1, POWERS_END-16, KEY
    _movu MSG_LONG_J0(MSG), J0
    _zero SCRATCH0
    _movu SCRATCH0, MSG_LONG_J0(MSG)
  .if LC_SMALL == 0
    test $TO_DECRYPT, FLAGS8
    jnz .Lopen0\@
  .endif
    jmp .Lseal0\@

    /* More than 16 blocks: the AAD and the head are a batch. */
.Llong\@:
    _movu LENGTH_BLOCK, MSG_LENGTHS(MSG)
  .if LC_SMALL
    lea -1(LEN), AT
    and $GROUP_LEN-16, AT32
    add $16, AT
  .else
    lea 15(LEN), AT
    and $GROUP_LEN-16, AT32
    jz .Lno_head\@
  .endif
    add $15, AAD_LEN
    and $-16, AAD_LEN
    add AT, AAD_LEN
    neg AAD_LEN
    neg AT
    lea POWERS_END(KEY,AT), AT
    _hash_block HASH, POWERS_END, KEY, AAD_LEN, first
    jmp .Lheads\@

  .if LC_SMALL == 0
    /* Whole groups have no head: the first one is hashed in a turn, too.  (AES-256, 384 bytes: 5 % less.) */
.Lno_head\@:
    _mov HASH, MI               /* no AAD: sums that are reduced to the hash so far */
    _mov HASH, HI
    _zero LO
    test AAD_LEN, AAD_LEN
    jz .Lno_head_sums\@
    _hash_block HASH, POWERS_END-16, KEY, how=first
.Lno_head_sums\@:
    or $LONG+HEAD_DONE, FLAGS32
    test $FROM_NONCE, FLAGS8
    jz 2f
    _op3 pxor, vpxor, vpxor, .Lone(%rip), BASE, J0
    jmp 3f
2:  _load_halves MSG, J0, MSG_J0
    _op3 pxor, vpxor, vpxor, SLOT(0), J0, J0
3:  jmp .Lrounds8\@
.Lno_head_j0\@:
    xor N32, N32
  .endif

    /* .. or there are turns. */
.Lturns\@:
    or $LONG, FLAGS32
    _movu J0, MSG_LONG_J0(MSG)
    _zero HASH
    _reduce_to_hash
    lea 32(N), NEXT             /* the head has used N / 16 of them */
    test $FROM_NONCE, FLAGS8
    jnz .Lpublic_counters\@
    jmp .Lpiece_turns\@
  .if LC_SMALL == 0
    .p2align 4
  .endif
.Lturn\@:
    test $TO_DECRYPT, FLAGS8
    jz .Lhash_and_rounds\@
    .irp v, 0,1,2,3,4,5,6,7
    _movu 16*\v(SRC), SCRATCH0
    _movu SCRATCH0, MSG_GROUP+16*\v(MSG)
    .endr
    lea MSG_GROUP(MSG), N
.Lhash_and_rounds\@:
    .set HASH_STEP, 0
    _all_rounds 0, _turn_round
  .if HASH_STEP < 34
    .error "The rounds have no room for all steps of the hash."
  .endif
    _mov HI, HASH
    test $TO_DECRYPT, FLAGS8
    jnz 1f
    test $ENDS, FLAGS8
    jnz .Llast_group\@
.Lseal_group\@:
    mov SRC, N
1:
    .irp v, 0,1,2,3,4,5,6,7
   .if CODE == SSE
    movdqu 16*\v(N), SCRATCH0
    pxor ROUND_KEY, SCRATCH0
   .else
    _xor 16*\v(N), ROUND_KEY, SCRATCH0
   .endif
    _aes enclast, SCRATCH0, DATA\v
    _movu DATA\v, 16*\v(DST)
    .endr
    test $TO_DECRYPT, FLAGS8
    jnz 2f
    .irp v, 0,1,2,3,4,5,6,7
    _movu DATA\v, MSG_GROUP+16*\v(MSG)
    .endr
2:  _advance GROUP_LEN, SRC
    _advance GROUP_LEN, DST
    add $-GROUP_LEN, LEN
    test $FROM_NONCE+PUBLIC, FLAGS8
    jz .Lpiece_group\@
    add $GROUP_LEN, NEXT
    cmp $16*256-GROUP_LEN, NEXT32
    ja .Lcarries\@
.Lpublic_counters\@:
    _group_counters
.Lcounted\@:
    test $TURNING, FLAGS8
    jz .Lfirst_group\@
.Lnext\@:
    cmp $GROUP_LEN, LEN
    ja .Lturn\@
    test $TO_DECRYPT, FLAGS8
    jnz .Lgroup\@
    or $ENDS, FLAGS32
    jmp .Lhash_and_rounds\@

    /* The first group of a long text.  To be sealed, it has no other one before it to be hashed. */
.Lfirst_group\@:
    or $TURNING, FLAGS32
    test $TO_DECRYPT, FLAGS8
    jz .Lgroup\@
    jmp .Lnext\@

    /* Some of the next counters are of the next 256. */
.Lcarries\@:
    _mov SLOT(0), ROUND_KEY
    _xor ROUND_KEY, BASE, SCRATCH0
    _reverse_bytes SCRATCH0, SCRATCH0
    _op3 paddd, vpaddd, vpaddd, .Lcarry(%rip), SCRATCH0, SCRATCH0
    _reverse_bytes SCRATCH0, SCRATCH0
    _xor ROUND_KEY, SCRATCH0, SCRATCH0
    _xor BASE, SCRATCH0, CARRY
    _group_counters
    lea COUNTERS_CARRIED-16*240(TABLE,NEXT), TABLE
    _for_each 8, _carry_into_block 16*\i, DATA\i
    _mov SCRATCH0, BASE
    sub $16*256, NEXT
    jmp .Lcounted\@

    /* ---- Pieces ---- */

.Lpiece\@:
    _load_halves MSG, BASE, MSG_J0
    _reverse_block BASE
    _xmm_move movd, MSG_DONE(MSG), SCRATCH0_XMM
    _xmm_op paddd, SCRATCH0_XMM, BASE
    _load_halves MSG, LENGTH_BLOCK, MSG_BITS
    test $LENGTHS, FLAGS8
    jnz .Lgo_on\@
.Lfirst\@:                      /* no length block follows */
    _zero LENGTH_BLOCK
.Lgo_on\@:                      /* with the hash of what came before */
    _load_halves MSG, HASH, MSG_HASH
    _reverse_block HASH
    test AAD_LEN, AAD_LEN
    jz .Laad_in_hash\@
    cmp $16, AAD_LEN
    jbe .Laad_part\@

    /* AAD of a block and more, in batches that are reduced.  What is left in the end, less than a block, is a batch, too. */
.Lmuch_aad\@:
    mov AAD_LEN, POWER_AT
    and $-16, POWER_AT
    cmp $AAD_BATCH, POWER_AT
    jbe 1f
    mov $AAD_BATCH, POWER_AT32
1:  add POWER_AT, AAD
    sub POWER_AT, AAD_LEN
    neg POWER_AT
    _load_block_at 0, AAD, POWER_AT, TO_HASH0
    _reverse_block TO_HASH0
.Laad_batch\@:
    _for_sums _zero
    _xor HASH, TO_HASH0, TO_HASH0
1:  _hash_block TO_HASH0, POWERS_END, KEY, POWER_AT, clobber=1
    add $16, POWER_AT
    jz 2f
    _load_block_at 0, AAD, POWER_AT, TO_HASH0
    _reverse_block TO_HASH0
    jmp 1b
2:  _zero HASH
    _reduce_to_hash
    cmp $16, AAD_LEN
    jae .Lmuch_aad\@
    test AAD_LEN, AAD_LEN
    jz .Laad_in_hash\@
    _load_block_at -16, AAD, AAD_LEN, TO_HASH0
    _last_of_aad TO_HASH0
    xor AAD_LEN32, AAD_LEN32
    lea -16(AAD_LEN), POWER_AT
    jmp .Laad_batch\@

  .if LC_SMALL == 0
    /*
     * AAD of a whole message is hashed with the text in one batch, or with the head of a long one, if there are powers for all.
     * The last block, which may be a part, comes first: it ends with the last byte of what is loaded.
     */
.Lsome_aad\@:
    cmp $SOME_AAD, AAD_LEN
    ja .Lmuch_aad\@
.Lempty_aad\@:
    _load_block_at -16, AAD, AAD_LEN, HI
    lea -1(AAD_LEN), AAD_TMP
    and $-16, AAD_TMP           /* bytes before the last block */
    sub AAD_TMP, AAD_LEN
    _last_of_aad HI
    lea (LEN,AAD_TMP), AT
    cmp $16*NUM_POWERS-32, AT
    ja .Lno_batch\@
    lea 31(LEN), AT
.Laad_products\@:
    and $-16, AT
    neg AT
    lea POWERS_END(KEY,AT), AT
    _hash_block HI, -16, AT, how=first
    mov MSG_AAD(MSG), AAD_LEN
    add AAD_TMP, AAD_LEN
    neg AAD_TMP
1:  _load_block_at 0, AAD_LEN, AAD_TMP, TO_HASH0
    _reverse_block TO_HASH0
    _hash_block TO_HASH0, -16, AT, AAD_TMP, clobber=1
    add $16, AAD_TMP
    jnz 1b
    test LEN, LEN
    jz .Lempty_lengths\@
    cmp $2*GROUP_LEN, LEN
    jbe .Llengths\@
    _movu LENGTH_BLOCK, MSG_LENGTHS(MSG)
    lea 15(LEN), N
    test $GROUP_LEN-16, N8
    jz .Lno_head_sums\@
    jmp .Lheads\@
.Lno_batch\@:
    lea 15(LEN), AT
    and $GROUP_LEN-16, AT32     /* none if there is no head */
    cmp $2*GROUP_LEN, LEN
    ja .Laad_products\@
    mov MSG_AAD(MSG), AAD
    mov MSG_AAD_LEN(MSG), AAD_LEN
    jmp .Lmuch_aad\@
  .endif

    /* The counters of eight blocks, the first ones of which may not be wanted; N: 16 * how many are */
.Lpiece_heads\@:
    _load_halves MSG, J0, MSG_J0
    _op3 pxor, vpxor, vpxor, SLOT(0), J0, J0
.Lpiece_counters\@:
    lea .Lnumbers_1-8*16(%rip), TMP2
    add N, TMP2
    _piece_counters 0, VL*\i(TMP2)
    _op3 paddd, vpaddd, vpaddd, VL*7(TMP2), BASE, BASE
    test $HEAD_DONE, FLAGS8
    jnz .Lpiece_counted\@
    or $HEAD_DONE, FLAGS32
  .if LC_SMALL
    jmp .Lhead_by_number\@
  .else
    cmp $32, N32
    jb .Lrounds1\@
    je .Lrounds2\@
    cmp $64, N32
    jb .Lrounds3\@
    je .Lrounds4\@
    cmp $96, N32
    jb .Lrounds5\@
    je .Lrounds6\@
    cmp $112, N32
    je .Lrounds7\@
    jmp .Lrounds8\@
  .endif
.Lpiece_group\@:
    mov $GROUP_LEN, N32
    jmp .Lpiece_counters\@
.Lpiece_counted\@:
    test $LONG, FLAGS8
    jz .Lgroup\@
    jmp .Lcounted\@

.Lpiece_turns\@:
    test $PUBLIC, FLAGS8
    jz .Lpiece_group\@

    /* BASE is the counter block before the next one.  It loses its last byte, which follows from its number, and its order of bytes
       and gets the first key: as in a call from the nonce.  Its last byte is in the head's, of N bytes, or before it. */
    shr $4, N32
    add MSG_DONE(MSG), N32
    add $1, N32
    movzbl N8, N32
    shl $4, N32
    _reverse_bytes BASE, BASE
    lea .Lcounters(%rip), NEXT
    _load_at 0, NEXT, N, ROUND_KEY
    _xor ROUND_KEY, BASE, BASE
    _op3 pxor, vpxor, vpxor, SLOT(0), BASE, BASE
    lea 16(N), NEXT             /* 16 * 256 if all that follow have carried */
    cmp $16*256-GROUP_LEN, NEXT32
    jbe .Lpublic_counters\@
    jmp .Lcarries\@

    /* The hash so far, and no AAD */
.Laad_in_hash\@:
    cmp $2*GROUP_LEN, LEN
    jbe 1f                      /* The proofs take it for a loop when a length leads back. */
    jmp .Llong\@
1:  _powers_at .Lnothing\@
    _hash_block HASH, 0, AT, how=first
    jmp .Llengths\@
.Lnothing\@:                    /* nothing is left to be hashed: HASH is the hash */
    _mov HASH, HI
    jmp .Lresult\@
.Lpiece_end\@:
    test $LENGTHS, FLAGS8      /* 0 if they were wanted */
    jnz 1f
    _xmm_op pxor, J0, HI
1:  _movu HI, MSG_HASH(MSG)
  .if LC_SMALL == 0
    .irp i, 0,1,2,3,4,5,6
    _zero DATA\i                /* counters, maybe, of blocks that there weren't */
    .endr
  .endif
    jmp .Lwipe\@
END_FUNC(lc_aes_gcm_encrypt_\impl)
.endm

#endif

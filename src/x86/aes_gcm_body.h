/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM: the body of the rows with VAES, for aes_gcm.S, which explains GCM, the hash and its order of bits; and macros that
 * aes_gcm_blocks.h uses as well, the body of the others.
 *
 * A call takes its text in vectors, four at a time, and the odd ones first:
 *
 *      empty     a whole message without text, and at most a block of AAD: a function of its own, lc_aes_gcm_empty_<impl>
 *      short     512 bits: a whole message of up to four vectors, with code of its own up to the tag
 *      tiny      up to VL - 16 bytes of text: one vector, whose last lane is J0.  (512 bits: none; but where 256 bits are better,
 *                what is short goes to the code for them: _narrow_messages.)
 *      head      1 to 4 vectors, as many as leave a multiple of four; code for each number
 *      loop      four vectors a turn, if there are more than eight; the hash has a reduction each turn, or without EVEX every other
 *      last      four vectors, if there are more than four.  (512 bits, after the loop: a turn of it up to the text.)
 *
 * Only the last vector of all can be a part of one; so the tail needs no code of its own.  Up to eight vectors are one batch of the
 * hash with the AAD and the length block: one reduction.  Of a longer text, the last eight are; 512 bits, after the loop: the last
 * four.  (EVEX: nine and ten vectors have no loop, but two batches, see _long_text; nor have up to OPEN_LEN bytes that are opened,
 * see "Opening".)
 *
 * What bounds it.  Short messages: the count of instructions; on Intel how many of them have 512-bit results, as it seems (see
 * "Short"), and p5, where all shuffles go and, while 512-bit vectors are in flight, most of the rest.  From 256 bytes to 2 KB:
 * how much of the next message the CPU has begun when the hash of this one ends.  So with EVEX AES(J0) comes after the text,
 * where its unit is idle, or of what is opened in a free lane of the last vector; without, J0 is in the head's rounds, which
 * takes fewer instructions, and it waits in msg->group.  Beyond: the loop, see there.
 *
 * Both directions are one function, by a flag: all implementations together have to stay small.  (Two functions: up to 1 % faster
 * on Zen 5, and twice the code; a loop for each direction: within 2 % either way.)  With EVEX there are masks and 32 registers.
 * Without, parts of vectors are loaded and stored by pieces (_load_part), what has no register is in memory, powers of H, round
 * keys, AES(J0) and the lengths, and heads have their rounds in a loop, three a turn, and their texts in both directions in one.
 *
 * With LC_SMALL, for kernels, the latter goes for EVEX as well, loops have one round a turn, and there is no code for what is empty
 * or short.  Text of 256 to 512 bytes takes 3 % longer.
 *
 * Parameters: those of _describe.
 */
#ifndef LC_X86_AES_GCM_BODY_H
#define LC_X86_AES_GCM_BODY_H

/* ---- Data ---- */

/* Where these two are after their tables: as numbers, since clang gives a difference of labels four bytes in each instruction. */
.set HIGH_CARRIED, 17*64 + 64
.set COUNTERS_CARRIED, 16*(256 + 16)

.section .rodata.lc_aes_gcm, "a", @progbits
#if LC_SMALL == 0
.p2align 11         /* So bit 10 of an address is set from the last line of .Lhigh on. */
#else
.p2align 6
#endif
.Lword_0:           /* masks of words */
    .rept 4
    .long -1, 0, 0, 0
    .endr
#if LC_SMALL == 0
.Lhigh:             /* the higher half of a counter's last byte, by groups of 16 blocks; and again that of the first group */
    .set HIGH_HALF, 0
    .rept 17
    .rept 4
    .long 0, 0, 0, (HIGH_HALF & 15) << 28
    .endr
    .set HIGH_HALF, HIGH_HALF + 1
    .endr
#endif
.Lcarry:            /* little-endian: 256 */
    .rept 4
    .long 256, 0, 0, 0
    .endr
#if LC_SMALL == 0
.org .Lhigh+HIGH_CARRIED /* which ones of the last two of .Lhigh are of the next 256 blocks */
    .fill 64, 1, 0
    .fill 64, 1, 255
#endif
.Lwords_01:
    .rept 4
    .long -1, -1, 0, 0
    .endr
.Lword_2:
    .rept 4
    .long 0, 0, -1, 0
    .endr
#if LC_SMALL == 0
.Lshort_counters:   /* of a short message's last vector, for 1, 2, 3, 4 vectors; if 16, 32, 48 bytes are free, J0's is the last */
    .irp i, 2,6,10,14
    .irp last, \i+3,1,1,1
    .long 0, 0, 0, \i << 24, 0, 0, 0, (\i+1) << 24, 0, 0, 0, (\i+2) << 24, 0, 0, 0, (\last) << 24
    .endr
    .endr
#endif
.Ltiny_32:          /* the counters of a tiny message and, in the last lane, J0's, as the last byte of big-endian numbers */
    .irp i, 2,1
    .long 0, 0, 0, \i << 24
    .endr
.p2align 6
    .skip 32        /* as a message's text begins with counter 2, its vectors' counters are aligned */
.Lcounters:         /* the last byte of big-endian counters that end in 0, 1, .., 255, 0, .., 15 */
    .set .Lone, .Lcounters+16 /* J0's, if the nonce has 12 bytes */
    .set COUNTER_BYTE, 0
    .rept 256 + 16
    .long 0, 0, 0, (COUNTER_BYTE & 255) << 24
    .set COUNTER_BYTE, COUNTER_BYTE + 1
    .endr
.org .Lcounters+COUNTERS_CARRIED /* which ones of the last 32 of these are of the next 256 */
    .fill 16 * 16, 1, 0
    .fill 16 * 16, 1, 255
.p2align 6
.Lblocks_64:        /* little-endian: the blocks of 1, 2, 3, 4 vectors, in each lane */
    .irp i, 4,8,12,16
    .rept 4
    .long \i, 0, 0, 0
    .endr
    .endr
.Lblocks_32:
    .irp i, 2,4,6,8
    .rept 2
    .long \i, 0, 0, 0
    .endr
    .endr
.Lnumbers_1:        /* 1, 2, .. */
    .irp i, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
    .long \i, 0, 0, 0
    .endr
    .set .Lblocks_16, .Lnumbers_1
.text

/* ---- Registers: KEY, DST, SRC, LEN, MSG, FLAGS, TMP, AAD, AAD_LEN, MASK as in aes_gcm.S, and ---- */

#define AT       %rax       /* where the next block's power of H is, counted from POWERS_END */
#define AT32     %eax
#define TMP8     %r10b
#define N        %r10       /* bytes of the vectors that have been done last; TMP */
#define N32      %r10d
#define TMP2     %r11
#define TMP2_32  %r11d
#define TMP2_8   %r11b
#define FIRST    %r11       /* the first counters of a message: those of its next vectors */
#define COUNTERS %rax       /* before the loop, with public counters: .Lcounters, */
#define NEXT     %r11       /* and where those of the next group are in it; in the loop, where they are in memory, */
#define NEXT_LAST %rax      /* and the last place where none of them has carried; COUNTERS */
#define NEXT32   %r11d
#define NEXT8    %r11b
/* Where the loop with two sums has the higher halves of last bytes, with public counters: see _for_high */
#define HIGH     %r11       /* vector 0's; NEXT */
#define HIGH32   %r11d
#define HIGH_LAST %rax      /* 32 bytes before vector 3's; COUNTERS */
#define HIGH_LAST32 %eax
#define HIGH_STEP %r10      /* from vector 0's to vector 1's; N */
#define HIGH_STEP32 %r10d
#define GROUP    %r10       /* in the loop with late groups: msg->group; N */

/* In FLAGS, and FLAGS8, where a test takes three bytes less: LENGTHS, and */
#define FROM_NONCE 16       /* LC_GCM_FROM_NONCE; if not, there may have been text before, and J0 is secret unless this is set: */
#define PUBLIC   64         /* LC_GCM_PUBLIC */
#define HAS_J0   32         /* with 16 registers: AES(J0) is in J0, not in msg->group; */
#define TO_DECRYPT 128      /* text is to be decrypted */
#define LATE     512        /* LC_GCM_LATE: the loop hashes a group a turn later; */
#define SAME_PASS 32        /* with EVEX: text is hashed in the rounds that decrypt it, if it is opened from the nonce and has */
                            /* no more bytes than OPEN_LEN: see "Opening"; batches of its hash have, but the first, */
#define OPEN_BATCH 512      /* so many of them */
#define J0_LAST  4          /* .. and AES(J0) comes after all text: not so on Intel's CPUs with longer keys, up to */
#define J0_BEFORE_LEN 1152  /* so many bytes */
#define SHORT_AAD 8         /* 512 bits: the AAD that is hashed is a short message's; */
#define BY_KARATSUBA 2      /* 512 bits: the loop has Karatsuba's products, not two sums */

.macro _name_registers
    _set_vectors
  .if CODE != EVEX
    /* 16 registers.  The first eight give shorter instructions: so they are what is summed and added. */
    _vector LO, 0           /* for the roles see below */
    _vector MI, 1
    _vector HI, 2
    _vector SCRATCH0, 3
    _vector SCRATCH1, 4
    _vector NONCE, 4
    _vector ROUND_KEY, 5
    _vector POWER, 5
    _vector J0, 6
    _vector BASE, 6
    _vector HASH, 7
    _vector PRODUCT, 4
    _vector LOOP_POWER, 7
    _vector CARRY, 7
    _vector DATA0, 8
    _vector DATA1, 9
    _vector DATA2, 10
    _vector DATA3, 11
    _vector TO_HASH0, 12
    _vector TO_HASH1, 13
    _vector TO_HASH2, 14
    _vector TO_HASH3, 15
    _vector HEAD_J0, 15     /* J0 in the head's rounds */
  .else
    _vector DATA0, 0        /* the vectors in flight: counters, key stream, text */
    _vector DATA1, 1
    _vector DATA2, 2
    _vector DATA3, 3
    _vector TO_HASH0, 4     /* their ciphertext, byte-reversed */
    _vector TO_HASH1, 5
    _vector TO_HASH2, 6
    _vector TO_HASH3, 7
    _vector LO, 8           /* sums of products: their bits 0 .. 127, */
    _vector MI, 9           /* 64 .. 191, */
    _vector HI, 10          /* and 128 .. 255 */
    _vector ROUND_KEY, 11
    _vector POWER, 11       /* powers of H outside of the rounds */
    _vector SCRATCH0, 12
    _vector SCRATCH1, 13
    _vector NONCE, 14       /* of a short message: what its counters are made of */
    _vector J0, 14          /* J0, the first round key added; then AES(J0) */
    _vector HASH, 15        /* AAD and the hash so far, to be multiplied; or to be added to the first vector */
  .endif
    /* With 16 registers, powers and keys come from memory, and AES(J0) and the lengths wait in struct lc_gcm_msg. */
  .if CODE == EVEX
    _vector CARRY, 9        /* with MI: between two turns of the loop, the difference of a carry */
    _vector PRODUCT, 12     /* with SCRATCH0, in the loop with two sums: a product that is added with a late one */
    _vector BASE1, 8        /* the loop with two sums, by 512 bits: BASE for vector 1, and so on; BASE itself is vector 0's */
    _vector BASE2, 24
    _vector BASE3, 25
    _vector LOOP_POWER, 16  /* a power of H in the last rounds */
    _vector TEXT0, 17       /* ciphertext, as it was read: see .Lopen_group */
    _vector TEXT1, 18
    _vector TEXT2, 19
    _vector TEXT3, 20
    _vector UPPER0, 16      /* the loop's powers of H: for the upper half of a block, */
    _vector UPPER1, 17
    _vector UPPER2, 18
    _vector UPPER3, 19
    _vector LOWER0, 20      /* and times x^64, for the lower half; by Karatsuba the sum of the halves of UPPER0 */
    _vector LOWER1, 21
    _vector LOWER2, 22
    _vector LOWER3, 23
    _vector MI_LATE, 24     /* by Karatsuba: products that wait for their sum, */
    _vector HI_LATE, 25
    _vector LO_LATE, 13     /* with keys that the loop loads then */
    _vector PRODUCT_LATE, 14
    _vector ROUND_KEY6, 13  /* the loop's round keys of these slots.  SCRATCH1, J0, HASH and LENGTH_BLOCK are free there: */
    _vector ROUND_KEY7, 14  /* J0 and the lengths wait in struct lc_gcm_msg. */
    _vector ROUND_KEY8, 15
    _vector ROUND_KEY9, 30
    _vector ROUND_KEY10, 26
    _vector ROUND_KEY11, 27
    _vector ROUND_KEY12, 28
    _vector ROUND_KEY13, 29
    _vector LENGTH_BLOCK, 30 /* byte-reversed; 0 if it isn't to follow */
    _vector BASE, 31        /* what counters are made of: see "Counters" */
  .endif
.endm

/* ---- Operand macros ---- */

/* `insn` for i = first .. VECTORS - 1 */
.macro _for_each_from first, insn:vararg
.irp i, 0,1,2,3,4,5,6,7
.if \i >= \first && \i < VECTORS
    \insn
.endif
.endr
.endm

/* Slots whose keys the loop has in registers: as many as there are free ones */
#define FIRST_KEPT 6
#define KEPT_SLOTS 6,7,8,9,10,11,12,13

/* Nobody needs FIRST here.  But .Llast reads by it, and checks of the code that join all paths have to see one table in it. */
.macro _first_again
    lea .Lcounters+32(%rip), FIRST
.endm

/* The last lane of d = s, an xmm register or memory; and back */
.macro _insert_last s, d
  .if CODE == VEX
    vinserti128 $1, \s, \d, \d
  .else
    vinserti32x4 $VL/16-1, \s, \d, \d
  .endif
.endm
.macro _extract_last s, d
  .if VL == 64
    vextracti32x4 $3, \s, \d
  .else
    vextracti128 $1, \s, \d
  .endif
.endm

/* Every lane of d = the first one of s */
.macro _spread s, d
  .if VL == 64
    vshufi32x4 $0, \s, \s, \d
  .elseif CODE == EVEX
    vinserti32x4 $1, \s\()_XMM, \s, \d
  .elseif VL == 32
    vinserti128 $1, \s\()_XMM, \s, \d
  .else
    _mov \s, \d
  .endif
.endm

/* d = a ^ 16 bytes .. VL bytes at disp + base + index */
.macro _xor_at disp, base, index, a, d
    _xor "\disp(\base,\index)", \a, \d
.endm

/* d = the nonce's 12 bytes, at a register, and zeros, by words: see make_j0() in gcm.c. */
.macro _load_nonce d, from=TMP2
    _xmm_move movd, (\from), \d
  .if CODE == EVEX
    vpinsrd $1, 4(\from), \d, \d
    vpinsrd $2, 8(\from), \d, \d
  .else
    _xmm_move movd, 4(\from), SCRATCH0_XMM
    _xmm_move movd, 8(\from), SCRATCH1_XMM
    _xmm_op punpckldq, SCRATCH0_XMM, \d
    _xmm_op punpcklqdq, SCRATCH1_XMM, \d
  .endif
.endm

/* The same in each lane, and 0, and the first round key added */
.macro _nonce_evex scratch0, scratch1, d
    vpbroadcastd (TMP2), \d
    vpbroadcastd 4(TMP2), \scratch0
    vpbroadcastd 8(TMP2), \scratch1
    _load_lanes_low SLOT(0), ROUND_KEY
    vpternlogd $0xe4, .Lword_0(%rip), \scratch0, \d    /* mask ? d : scratch0 */
    vpternlogd $0x6c, .Lword_2(%rip), ROUND_KEY, \scratch1 /* scratch1 & mask ^ ROUND_KEY */
    vpternlogd $0x6c, .Lwords_01(%rip), \scratch1, \d
.endm

/* d = the length block, byte-reversed, of a whole message, with EVEX */
.macro _length_block scratch, d
    vmovq LEN, \scratch
    vmovhps MSG_AAD_LEN(MSG), \scratch, \scratch
    vpsllq $3, \scratch, \d
.endm

/* AT = 16 * the blocks of LEN bytes, and of the length block if it is to follow */
.macro _blocks_to_hash
    _whole_blocks LEN, AT
    test $LENGTHS, FLAGS8
    jz .Lno_lengths\@
    add $16, AT
.Lno_lengths\@:
.endm

.macro _for_sums insn
    .irp role, LO,MI,HI
    \insn \role
    .endr
.endm

/* MASK = n bytes, n < VL */
.macro _mask n, tmp
    bzhi \n, .Lones(%rip), \tmp
    kmovq \tmp, MASK
.endm

/* MASK = the bytes of LEN's last vector, 1 .. VL: all ones, shifted right by TMP = -LEN, which counts modulo VL */
.macro _mask_last mask=TMP, mask32=TMP32
    mov LEN, TMP
    neg TMP
  .if VL == 64
    shrx TMP, .Lones(%rip), \mask
  .else
    shrx TMP32, .Lones(%rip), \mask32
  .endif
    kmovq \mask, MASK
.endm

/* ---- Counters ---- */

/*
 * The counters of a call from the nonce begin with 2.  BASE is nonce || counter in each lane, but for the counter's last byte, with
 * the first round key added.  So one xor with last bytes from memory makes a block that is ready for the second round.  After 256
 * blocks BASE is made anew.  A group may have blocks of both: those whose last byte has come round get the difference.  All of that
 * is public.
 *
 * A piece's J0 can be a hash, which is secret.  So nothing may depend on when it carries: BASE is its last counter block with the
 * bytes reversed, so that an addition of 32-bit words counts as GCM wants it, and each group's blocks are made of that.  If its J0
 * is public, that is so up to the loop only, whose counters are as those from the nonce.
 */
.macro _piece_counters first, numbers
    _for_each_from \first, _op3 paddd, vpaddd, vpaddd, \numbers, BASE, DATA\i
    _for_each_from \first, _reverse_bytes DATA\i, DATA\i
    _load_lanes_low SLOT(0), ROUND_KEY
    _for_each_from \first, _xor ROUND_KEY, DATA\i, DATA\i
.endm

/*
 * DATA0 .. DATA3 = the next group's counters, if they are public.  NEXT is their address: with an index, Intel's CPUs make two uops
 * of an instruction that has three operands.
 */
.macro _next_counters
    _for_each VECTORS, _xor VL*\i(NEXT), BASE, DATA\i
.endm

/*
 * A group by 512 bits is 16 blocks, for which that table has four lines of 64 bytes.  A long text reads each once.  If they aren't
 * in any cache, each turn of the loop waits for memory: its instructions fill the CPU's queues before the next turn's loads.  So
 * with two sums the loop has a BASE for each vector, with the lower half of the last bytes.  From group to group only their higher
 * half changes: .Lhigh has a line for each value of it, and a line is asked for HIGH_AHEAD groups before.
 *
 * Counters of vectors are 2 modulo 4 at first.  So of the four vectors of a group one has the higher half of the next group in two
 * lanes, and those after it in all four.  Vector v reads t[v] bytes after its group's line, where a group begins with 4 h + 2,
 * modulo 16:
 *
 *      h       t[0]    t[1]    t[2]    t[3]
 *      0       0       0       0       32
 *      1       0       0       32      64
 *      2       0       32      64      64
 *      3       32      64      64      64
 *
 * With HIGH_STEP = t[1] - t[0] and HIGH_LAST = HIGH + t[3] - t[0] - 32, vector 2 reads at HIGH_LAST + HIGH_STEP.
 *
 * insn for each vector v, whose bytes are at disp + at
 */
#define HIGH_AHEAD 6
.macro _for_high insn, high=HIGH, last=HIGH_LAST, step=HIGH_STEP
    \insn 0, "(\high)", BASE, 0
    \insn 0, "(\high,\step)", BASE1, 1
    \insn 0, "(\last,\step)", BASE2, 2
    \insn 32, "(\last)", BASE3, 3
.endm
.macro _high_counters disp, at, base, v
    vpxord \disp\at, \base, DATA\v
.endm
.macro _high_base disp, at, base, v
    vpxord \disp\at, DATA\v, \base
.endm
.macro _high_carry disp, at, base, v /* the group's line is the last but one */
    vpternlogd $0x78, HIGH_CARRIED-64*15+\disp\at, CARRY, DATA\v
    vpxord CARRY, \base, \base
.endm

/* ---- AES ---- */

.macro _rounds_from first, slot
    _load_lanes_low SLOT(\slot), ROUND_KEY
    _for_each_from \first, _aes enc, ROUND_KEY, DATA\i
.endm

/*
 * All rounds of DATA<first> .. DATA3 but the last, whose key is then in ROUND_KEY.  insn SLOT stands for a round from slot 5 on,
 * which all key lengths have.
 */
.macro _all_rounds first, insn:vararg
    _some_rounds \first
    _common_rounds \insn
.endm
.macro _some_rounds first       /* those that not all key lengths have */
    cmpl $12, KEY_ROUNDS(KEY)
    jb .L10\@
    je .L12\@
    _rounds_from \first, 1
    _rounds_from \first, 2
.L12\@:
    _rounds_from \first, 3
    _rounds_from \first, 4
.L10\@:
.endm
.macro _common_rounds insn:vararg
    .irp slot, 5,6,7,8,9,10,11,12,13
    \insn \slot
    .endr
    _load_lanes_low SLOT(14), ROUND_KEY
.endm

.macro _round_of_j0 op, slot
  .if CODE == SSE
    \op SLOT(\slot), J0_XMM
  .else
    v\op SLOT(\slot), J0_XMM, J0_XMM
  .endif
.endm

/*
 * J0 = AES(J0), the first key added before.  With LC_SMALL by a loop, which counter counts, where that takes no longer: with EVEX a
 * message of 64 to 512 bytes would take 6 to 13 cycles more.
 */
.macro _encrypt_j0 by_loop=LC_SMALL&&CODE!=EVEX, counter=TMP2, counter32=TMP2_32
  .if \by_loop
    _count_rounds counter32=\counter32, counter=\counter
1:
   .if CODE == SSE
    aesenc SLOT_AT(14, \counter), J0_XMM
   .else
    vaesenc SLOT_AT(14, \counter), J0_XMM, J0_XMM
   .endif
    add $16, \counter
    jnz 1b
  .else
    cmpl $12, KEY_ROUNDS(KEY)
    jb .L10\@
    je .L12\@
    _round_of_j0 aesenc, 1
    _round_of_j0 aesenc, 2
.L12\@:
    _round_of_j0 aesenc, 3
    _round_of_j0 aesenc, 4
.L10\@:
    .irp slot, 5,6,7,8,9,10,11,12,13
    _round_of_j0 aesenc, \slot
    .endr
  .endif
    _round_of_j0 aesenclast, 14
.endm

/* All rounds but the last one, in a loop that counter counts.  j0: a block beside the vectors */
.macro _loop_of_rounds first, counter, counter32, j0
    _count_rounds counter32=\counter32, counter=\counter
1:  _round_at \first, 0, \counter, \j0
    add $16, \counter
    jnz 1b
    _load_lanes_low SLOT(14), ROUND_KEY
.endm

/*
 * The same, three a turn: nine are three turns, eleven begin with the second round of one, thirteen with the third.  (With one a
 * turn, messages of up to 256 bytes by AVX2 took 0 to 15 % longer on Granite Rapids, and what they took varied with where the code
 * was: that loop's end is predicted badly.)
 */
.macro _rounds_by_three first, counter, j0
    mov $-15*16, \counter
    cmpl $12, KEY_ROUNDS(KEY)
    ja 3f
    lea 48(\counter), \counter
    je 2f
    lea 48(\counter), \counter
1:  _round_at \first, 0, \counter, \j0
2:  _round_at \first, 16, \counter, \j0
3:  _round_at \first, 32, \counter, \j0
    add $48, \counter
    jnz 1b
    _load_lanes_low SLOT(14), ROUND_KEY
.endm
.macro _round_at first, at, counter, j0
    _load_lanes_low_at (SLOT_14-KEY_AT+\at), KEY, \counter, ROUND_KEY
    _for_each_from \first, _aes enc, ROUND_KEY, DATA\i
  .ifnb \j0
    _xmm_op aesenc, ROUND_KEY_XMM, \j0\()_XMM
  .endif
.endm

/*
 * The head: vectors `first` .. 3 up to their last round.  A call from the nonce makes its counters here, others have them.  N gets
 * the first vector.  SRC and DST go back: vector v's text is VL * v bytes after them.
 */
.macro _head first, rounds
    _for_each_from \first, _xor VL*(\i-\first)(FIRST), BASE, DATA\i
\rounds:
  .if SMALL == 0
    _all_rounds \first, _rounds_from \first,
  .elseif VL == 64              /* which needs FIRST again */
    _loop_of_rounds \first, N, N32
    mov $(VECTORS-1-\first)*VL, N32
  .elseif CODE == EVEX
    _loop_of_rounds \first, TMP2, TMP2_32
  .else
   .if LC_SMALL
    _loop_of_rounds \first, TMP2, TMP2_32, HEAD_J0
   .else
    _rounds_by_three \first, TMP2, HEAD_J0
   .endif
    _xmm_op aesenclast, ROUND_KEY_XMM, HEAD_J0_XMM
    _xmm_move movdqu, HEAD_J0_XMM, MSG_GROUP(MSG)
  .endif
    add $VL, N32
  .if \first
    sub $\first*VL, SRC
    sub $\first*VL, DST
  .endif
.endm

/* ---- Text ---- */

/*
 * Vector v's last round, whose key is in ROUND_KEY, and its text; TO_HASH<v> = its ciphertext, byte-reversed.  dir: enc, dec, or
 * any, as FLAGS says.
 *
 * reversed: in the loop, TO_HASH or the DATA that it is done with; only if dir is enc.
 * scratch: clobbered
 *
 * AESENCLAST ends with the xor of its key.  So the text is added to the key, and not to the result: that shortens the chain.
 */
.macro _full_vector dir, v, first=0, reversed=TO_HASH, scratch=SCRATCH0
  .ifc \dir,enc
    _xor VL*(\v-\first)(SRC), ROUND_KEY, \scratch
    _aes enclast, \scratch, DATA\v
    _movu DATA\v, VL*(\v-\first)(DST)
    _reverse_bytes DATA\v, \reversed\v
  .else
    _movu VL*(\v-\first)(SRC), TO_HASH\v
    _xor ROUND_KEY, TO_HASH\v, \scratch
    _aes enclast, \scratch, DATA\v
    _movu DATA\v, VL*(\v-\first)(DST)
   .ifc \dir,any
    test $TO_DECRYPT, FLAGS8
    jnz 1f
    _mov DATA\v, TO_HASH\v
1:
   .endif
    _reverse_bytes TO_HASH\v, TO_HASH\v
  .endif
.endm

/* .. of the bytes in MASK, which are VL * at bytes after SRC and DST.  The hash wants zeros after them. */
.macro _masked_vector dir, v, at
    vmovdqu8 VL*\at(SRC), TO_HASH\v{MASK}{z}
    _xor ROUND_KEY, TO_HASH\v, SCRATCH0
    _aes enclast, SCRATCH0, DATA\v
    vmovdqu8 DATA\v, VL*\at(DST){MASK}
  .ifc \dir,enc
    vmovdqu8 DATA\v, TO_HASH\v{MASK}{z}
  .endif
  .ifc \dir,any
    test $TO_DECRYPT, FLAGS8
    jnz 1f
    vmovdqu8 DATA\v, TO_HASH\v{MASK}{z}
1:
  .endif
    vpshufb .Lbswap(%rip), TO_HASH\v, TO_HASH\v
.endm

/* ---- GHASH outside of the loop ---- */

/*
 * Sums of products are LO, MI, HI as _products has them.  But with 16 registers, CPUs without AVX-512, products are Karatsuba's: MI
 * is the sum of (lower + higher half) * (lower + higher half of the power), and _reduce_to_hash takes LO and HI out of it.  That is
 * three products and not four, for a shuffle and two xors; AMD has one unit for products, and each keeps it for two cycles.  The
 * powers' added halves are in the key, from HALVES_END downwards, as the powers are from POWERS_END.
 */

/* d = in each half the sum of the halves of s */
.macro _add_halves s, d
  .if CODE == SSE
    pshufd $0x4e, \s, \d
  .else
    vpshufd $0x4e, \s, \d
  .endif
    _xor \s, \d, \d
.endm

/* The sums = s * POWER.  With 16 registers halves has the power's added halves; s is kept. */
.macro _first_products s, halves, width=
  .if CODE == EVEX
    _products \s, POWER, \width
  .else
    _add_halves \s\width, MI\width
    _clmul $0x00, POWER\width, \s\width, LO\width
    _clmul $0x11, POWER\width, \s\width, HI\width
    _clmul $0x00, \halves, MI\width, MI\width
  .endif
.endm

/* The sums = the length block * H, or 0 if it isn't to follow */
.macro _length_products
    _load_halves MSG, SCRATCH1_XMM, MSG_BITS
    _xmm_move movdqa, POWERS_END-16(KEY), POWER_XMM
    test $LENGTHS, FLAGS8
    jnz 1f
    _zero SCRATCH1
1:  _first_products SCRATCH1, HALVES_END-16(KEY), _XMM
.endm

/* The sums += TO_HASH<v> * power, in two halves.  at: where its added halves are, counted from HALVES_END + index */
.macro _add_outer v, power=POWER, lo=LO, hi=HI
    _clmul $0x00, \power, TO_HASH\v, SCRATCH0
    _clmul $0x11, \power, TO_HASH\v, SCRATCH1
    _xor SCRATCH0, \lo, \lo
    _xor SCRATCH1, \hi, \hi
.endm
.macro _add_middle v, at, index, power=POWER, mi=MI
  .if CODE == EVEX
    _clmul $0x01, \power, TO_HASH\v, SCRATCH0
    _clmul $0x10, \power, TO_HASH\v, SCRATCH1
    _xor3 SCRATCH0, SCRATCH1, \mi
  .else
    _add_halves TO_HASH\v, SCRATCH0
    _clmul_at $0x00, HALVES_END+\at, KEY, \index, SCRATCH0, SCRATCH0
    _xor SCRATCH0, \mi, \mi
  .endif
.endm
.macro _clmul_at imm, disp, base, index, b, d
    _clmul \imm, "\disp(\base,\index)", \b, \d
.endm

/*
 * Vector v is hashed, each block under its own power.
 *
 * The key has the powers in falling order, and then three blocks of zeros.  When n blocks are still to come, the first of them
 * takes H^n, which is 16 * n bytes before POWERS_END.  So one load at POWERS_END + AT, AT = -16 * n, has the right power for each
 * lane, whatever n is.  If there are fewer blocks than lanes, the lanes that have none get a power of 0, and give nothing.
 */
.macro _hash_vector v
    _load_at POWERS_END, KEY, AT, POWER
    _add_outer \v
    _add_middle \v, 0, AT
    add $VL, AT
    _zero TO_HASH\v
.endm

/*
 * With EVEX two vectors are added at once, by sums of three: the first one's outer products wait in SCRATCH0 and TO_HASH<late>, its
 * own or that of one that has been hashed.
 */
.macro _outer_late v, power, late
    _clmul $0x00, \power, TO_HASH\v, SCRATCH0
    _clmul $0x11, \power, TO_HASH\v, TO_HASH\late
.endm
.macro _add_outer_and_late v, power, late
    _clmul $0x00, \power, TO_HASH\v, SCRATCH1
    _xor3 SCRATCH0, SCRATCH1, LO
    _clmul $0x11, \power, TO_HASH\v, SCRATCH0
    _xor3 SCRATCH0, TO_HASH\late, HI
.endm

/* The last group's rounds, with the hash of the four vectors before it in between.  Vector 0 comes last, as it was ready last. */
.macro _last_round slot
    _rounds_from 0, \slot
  .if CODE == EVEX
    _last_pair (\slot-5), 1, 2
    _last_pair (\slot-9), 3, 0
  .elseif \slot < 13
    .irp v, 1,2,3,0
    .if \slot == (5 + 2 * ((\v + 3) % 4))
    _load_at POWERS_END+VL*\v, KEY, AT, LOOP_POWER
    _add_outer \v, LOOP_POWER
    .elseif \slot == (6 + 2 * ((\v + 3) % 4))
    _add_middle \v, VL*\v, AT, LOOP_POWER
    .endif
    .endr
  .endif
.endm
.macro _last_pair n, a, b       /* Step n = 0 .. 3; both pairs' late products wait in TO_HASH1. */
  .if (\n) == 0
    _load_at POWERS_END+VL*\a, KEY, AT, LOOP_POWER
    _add_middle \a, power=LOOP_POWER
  .elseif (\n) == 1
    _outer_late \a, LOOP_POWER, 1
  .elseif (\n) == 2
    _load_at POWERS_END+VL*\b, KEY, AT, LOOP_POWER
    _add_outer_and_late \b, LOOP_POWER, 1
  .elseif (\n) == 3
    _add_middle \b, power=LOOP_POWER
  .endif
.endm

/* ---- The loop ---- */

/*
 * A turn encrypts the counters of one group of four vectors while it hashes the ciphertext of the group before: the steps of the
 * hash go between the AES instructions, so that both units have work.  HASH_STEP counts them.  Slot 5 is the first that all key
 * lengths have: rounds of AES-128 have slots 5 to 14, those of AES-192 begin at 3, those of AES-256 at 1.  17 steps fall into the 9
 * rounds that are left before the last.
 *
 * The hash in the loop.  Each lane has a hash of its own, of the blocks that come to this lane, and the lanes don't meet.  With
 * LANES = VL / 16 blocks in a vector, the next block in the same lane is LANES blocks further on.  So vector v of a group is
 * multiplied by P = H^(LANES * (4 - v)) in all lanes, the sums are reduced as a vector, and added to the first vector of the next
 * group.  That is one reduction for a group, and powers that never change.  What is missing in the end: in the message, lane i
 * comes i blocks after lane 0, so its power should be i less, but in the loop it has been the same.  This comes right by itself, as
 * the last eight vectors, or four, aren't hashed in the loop but after it, each block with its own power: there lane i's power is i
 * less, and whatever its hash has been so far is in that product.
 *
 * With 512 bits the last group's rounds are a turn as any, which is left before its text (LAST_IS_TURN).  So the group before it is
 * hashed as others are, with a reduction more; and .Llast_rounds, ten lines of code, isn't fetched.  The hash so far comes last: it
 * is added to vector 0 when the others have been multiplied.  Cold that is 700 to 1,000 cycles less; warm 1 % more for sealing by
 * AES-256, and up to 4 % less by AES-128.  With 256 bits it was 2 to 4 % more.
 *
 * There are two sums, not three.  A block is two halves, and the lower half, coefficients of x^64 and up, is x^64
 * times what it would be as the upper one.  So
 *
 *      block * P  =  upper * P  +  lower * (x^64 * P)
 *
 * with both halves as polynomials of degree up to 63 and x^64 * P reduced beforehand.  Each term is two products:
 *
 *      MI, bits 64 ..      upper * lower half of P  +  lower * lower half of x^64 * P      $0x01 and UPPER, $0x00 and LOWER
 *      HI, bits 128 ..     upper * higher half of P  +  lower * higher half of x^64 * P    $0x11 and UPPER, $0x10 and LOWER
 *
 * There is no LO, and so only the second half of the reduction.  With 16 registers, and with 512 bits on Zen 5, there are three,
 * Karatsuba's: see "GHASH outside of the loop".  With 16 registers every other turn has no reduction: its sums stay, and its powers
 * are those of a group more.  N is KEY, or so much below it that these are at the same offsets from it.  The last turn has a
 * reduction; so, if their number is odd, the first one.
 *
 * What a turn costs for 512 bits, AES-128 / AES-256, in uops:
 *
 *      AES 40 / 56                                                                   Intel p0        AMD: FP0/1
 *      products 16 + 1                                                               Intel p5        AMD: one of the same two
 *      shuffles: ciphertext 4, reduction 1                                           Intel p5
 *      counters with the first key 4, last key with the text 4, sums 9               Intel p0 or p5
 *
 * Together 79 / 95 for Intel's two ports: as long as AES alone takes p0, 40 and 56 cycles.  For 16 KB that is 2560 and 3584.
 * Measured on Emerald Rapids: 2666 cycles for 16 KB with AES-128, sealing, and 2603, opening.  With counters that are added and
 * then get the first key, 83 uops instead of 79, it was 2787 and 2751.
 *
 * Zen 4 has two pipes for them.  A 512-bit round takes both for one cycle; a product, of any length, one of them for two.  So 40 /
 * 56 rounds and 17 products are 57 / 73 cycles.  It needs a shuffle for each round key that is loaded into all lanes, so eight of
 * them stay in registers (on Intel four changed nothing).  With four keys there 16 KB took 4,230 cycles, with eight 4,080 (sealing,
 * AES-128): a turn is 62.6, and 77.9 by AES-256.  Opening, where the ciphertext is there from the beginning, it is 60.5 and 74.9.
 * Other orders of steps (later ones in threes, before or after the rounds' instructions) took as long or longer.
 *
 * Zen 5 does all rounds at two a cycle, whatever their width, but a product takes its unit for two cycles: 17 of them are 34.
 * Karatsuba's way has 14, for 28, and 6 uops more.  With 512 bits there are both loops; BY_KARATSUBA, a row of its own, chooses.
 * 16 KB by AES-128 took 2,604 cycles with two sums, sealing, and 2,470 by Karatsuba, opening 2,640 and 2,330; by AES-256 2,990 and
 * 3,000, 2,890 and 2,755.  Loads of round keys into all lanes need no shuffle there; but kept in registers they are fewer
 * instructions (none kept: 2 to 6 % longer from 2 KB up).  On Zen 4 Karatsuba's loop took 3 % longer.  On Intel it has 5 uops more
 * for the two ports, and that is what it costs: 16 KB by AES-128 on Granite Rapids 2,837 cycles and 2,636, sealing, and 2,699 and
 * 2,575, opening; by AES-256, which rounds bound, opening 3,713 and 3,647.
 *
 * What it costs without EVEX, AES-128 / AES-256: AES 40 / 56, products 12 + 1, shuffles 9, counters 4, last key with the text 4,
 * sums 18, as there are none of three.  Together 88 / 104; by a reduction each turn, and with each vector's halves added by
 * themselves, it was 93 / 109.  For 256 bits Intel has three ports for them, p0, p1 (but for products) and p5: 29.3 / 34.7 cycles
 * for 128 bytes.  With two sums as above it was 87 / 103, and measured on Emerald Rapids 32.0 / 40.6.  But a product takes AMD as
 * long by 256 bits as by 512.  16 KB by AES-128 / AES-256 on Zen 4 took 5,720 / 6,610 cycles with two sums, and take 5,010 / 5,990,
 * still with a reduction each turn.  Without, Zen 5 takes 1 to 9 % less.
 *
 * Late groups (LATE).  When a text is encrypted, the products of a turn wait for the ciphertext of the turn before, and what
 * waits fills the CPU's queues.  So with 512 bits, in Karatsuba's loop, a group waits for another turn, in msg->group, bytes
 * reversed.  At a turn's end the next one takes its place.  The first turn hashes zeros.  In the end there are eight vectors to be
 * hashed, not four: the first four have the loop's powers, and a reduction, a turn without a text.  That costs 25 cycles, and the
 * caller says when it is worth it (LC_GCM_LATE): 16 KB by AES-128 / AES-256 took 2,490 / 3,010 cycles, and take 2,400 / 2,820.  The
 * group has to be aligned: vectors that span lines took more time than all of that saves.  With 256 bits no key has the powers that
 * twelve vectors in one batch would need.
 *
 * Sums of three: every other product waits for the next one, and both are added by one instruction.  With two sums what waits has a
 * register of TO_HASH, that of a vector whose products are done; and the last product of all, which has to wait for the next
 * group's text, has PRODUCT.
 */
.macro _loop_product n, imm, power, s, d, late, sum
  .if HASH_STEP == \n
    vpclmulqdq \imm, \power, \s, \d
   .ifnb \sum
    _xor3 \late, \d, \sum
   .endif
  .endif
.endm
.macro _loop_step_two_sums
    _loop_product 0, $0x01, UPPER1, TO_HASH1, MI
    _loop_product 1, $0x00, LOWER1, TO_HASH1, PRODUCT
    _loop_product 2, $0x01, UPPER2, TO_HASH2, HI, PRODUCT, MI
    _loop_product 3, $0x11, UPPER1, TO_HASH1, HI
    _loop_product 4, $0x10, LOWER1, TO_HASH1, TO_HASH1
    _loop_product 5, $0x11, UPPER2, TO_HASH2, PRODUCT, TO_HASH1, HI
    _loop_product 6, $0x00, LOWER2, TO_HASH2, TO_HASH1
    _loop_product 7, $0x01, UPPER3, TO_HASH3, PRODUCT, TO_HASH1, MI
    _loop_product 8, $0x10, LOWER2, TO_HASH2, TO_HASH2
    _loop_product 9, $0x11, UPPER3, TO_HASH3, PRODUCT, TO_HASH2, HI
    _loop_product 10, $0x00, LOWER3, TO_HASH3, TO_HASH1
    _loop_product 11, $0x01, UPPER0, TO_HASH0, PRODUCT, TO_HASH1, MI
    _loop_product 12, $0x10, LOWER3, TO_HASH3, TO_HASH3
    _loop_product 13, $0x11, UPPER0, TO_HASH0, PRODUCT, TO_HASH3, HI
    _loop_product 14, $0x00, LOWER0, TO_HASH0, TO_HASH1
    _loop_product 15, $0x10, LOWER0, TO_HASH0, PRODUCT
  .if HASH_STEP == 16
    _xor TO_HASH1, MI, MI
    _reduce_middle TO_HASH1
  .endif
.endm

/* Where the loop's powers of vector v are, and with 16 registers their added halves, of what N points to */
#define UPPER_AT(v, key) POWERS_END-VL*VECTORS+VL*v(key)
#define ADDED_AT(v) HALVES_END-VL*VECTORS+VL*v(N)

/*
 * With 16 registers.  The power comes from memory, by way of LOOP_POWER.  The halves of vectors a and b are added at once: a's sum
 * is the lower half of each lane of SCRATCH0, b's the higher one.  It is the n-th pair.
 */
.macro _loop_product_16 imm, at, s, sum
  .ifnc \imm,$0x11             /* which comes after $0x00, by the same power */
    _load_lanes_low \at, LOOP_POWER
  .endif
    _clmul \imm, LOOP_POWER, \s, PRODUCT
    _xor PRODUCT, \sum, \sum
.endm
.macro _loop_step_16 a, b, n
  .if HASH_STEP == (8 * \n)
    _loop_product_16 $0x00, UPPER_AT(\a,N), TO_HASH\a, LO
  .elseif HASH_STEP == (8 * \n + 1)
    _loop_product_16 $0x11, UPPER_AT(\a,N), TO_HASH\a, HI
  .elseif HASH_STEP == (8 * \n + 2)
    vpunpcklqdq TO_HASH\b, TO_HASH\a, SCRATCH0
    vpunpckhqdq TO_HASH\b, TO_HASH\a, TO_HASH\a
  .elseif HASH_STEP == (8 * \n + 3)
    _xor TO_HASH\a, SCRATCH0, SCRATCH0
    _loop_product_16 $0x00, ADDED_AT(\a), SCRATCH0, MI
  .elseif HASH_STEP == (8 * \n + 4)
    _loop_product_16 $0x00, UPPER_AT(\b,N), TO_HASH\b, LO
  .elseif HASH_STEP == (8 * \n + 5)
    _loop_product_16 $0x11, UPPER_AT(\b,N), TO_HASH\b, HI
  .elseif HASH_STEP == (8 * \n + 7)
    _loop_product_16 $0x01, ADDED_AT(\b), SCRATCH0, MI
  .endif
.endm

/* By Karatsuba with 32 registers, for vector v, the n-th in turn: a third product waits for the fourth. */
.macro _loop_step_karatsuba v, n
  .if HASH_STEP == (4 * \n)
    _loop_product_of_4 $0x00, UPPER\v, TO_HASH\v, \n, LO
  .elseif HASH_STEP == (4 * \n + 1)
    _loop_product_of_4 $0x11, UPPER\v, TO_HASH\v, \n, HI
  .elseif HASH_STEP == (4 * \n + 2)
    _add_halves TO_HASH\v, SCRATCH0
  .elseif HASH_STEP == (4 * \n + 3)
    _loop_product_of_4 $0x00, LOWER\v, SCRATCH0, \n, MI
  .endif
.endm
.macro _loop_product_of_4 imm, power, s, n, sum
  .if \n == 0
    vpclmulqdq \imm, \power, \s, \sum
  .elseif \n == 1
    vpclmulqdq \imm, \power, \s, PRODUCT_LATE
    vpxord PRODUCT_LATE, \sum, \sum
  .elseif \n == 2
    vpclmulqdq \imm, \power, \s, \sum\()_LATE
  .else
    vpclmulqdq \imm, \power, \s, PRODUCT_LATE
    _xor3 \sum\()_LATE, PRODUCT_LATE, \sum
  .endif
.endm

/* Step HASH_STEP: the products, the first vector's last, as it waits for the hash before; with EVEX reduced */
.macro _loop_step
  .if CODE != EVEX
    _loop_step_16 1, 2, 0
    _loop_step_16 3, 0, 1
  .elseif KARATSUBA
    _loop_step_karatsuba 1, 0
    _loop_step_karatsuba 2, 1
    _loop_step_karatsuba 3, 2
    _loop_step_karatsuba 0, 3
  .else
    _loop_step_two_sums
  .endif
  .if KARATSUBA && HASH_STEP == 16
    _xor3 LO, HI, MI
    _reduce_low
  .elseif KARATSUBA && HASH_STEP == 17
    _reduce_middle
  .endif
    .set HASH_STEP, HASH_STEP + 1
.endm

/*
 * A round, with steps of the hash in between.  (With 16 registers, two sums and three steps a round from slot 8 on, Emerald Rapids
 * was 2 % faster; Zen 4 is 2 to 5 % faster with two.)  With 16 registers slot 5 has none: that is 0 to 2 % less on Granite Rapids.
 */
.macro _loop_round slot
  .if CODE == EVEX && \slot >= FIRST_KEPT + 2 * KARATSUBA
    _loop_round_by ROUND_KEY\slot
  .else
    _load_lanes_low SLOT(\slot), ROUND_KEY
    _loop_round_by ROUND_KEY
  .endif
.endm
.macro _loop_round_by key
    _for_each 2, _aes enc, \key, DATA\i
    _loop_step
    _aes enc, \key, DATA2
    _aes enc, \key, DATA3
    _loop_step
.endm

.macro _loop_lower v
  .if KARATSUBA
    _add_halves UPPER\v, LOWER\v
  .elseif VL == 64
    _load_lanes FOLDED+16*\v(KEY), LOWER\v
  .else
    _fold UPPER\v, LOWER\v
  .endif
.endm

/* With EVEX: what both loops have, and the others */
.macro _loop_constants
    _for_each VECTORS, _load_lanes UPPER_AT(\i,KEY), UPPER\i
    .irp slot, KEPT_SLOTS
    .if \slot >= FIRST_KEPT + 2
    _load_lanes SLOT(\slot), ROUND_KEY\slot
    .endif
    .endr
.endm
.macro _loop_more_constants
    _for_each VECTORS, _loop_lower \i
  .if KARATSUBA == 0
    _load_lanes SLOT(6), ROUND_KEY6
    _load_lanes SLOT(7), ROUND_KEY7
  .endif
.endm

/* d = x^64 * s, reduced: s is moved down by half its length, and what falls out is folded, as in _reduce_middle. */
.macro _fold s, d, width
    _clmul $0x00, .Lpoly(%rip), \s\width, SCRATCH0\width
    vpshufd $0x4e, \s\width, \d\width
    _xor SCRATCH0\width, \d\width, \d\width
.endm

/* ---- The body ---- */

/*
 * 512 bits: on Zen 4, which does 512 bits in two steps, what is short goes to the code for 256 bits.  There 64 bytes took 62 cycles
 * instead of 72, and 96 bytes 72 instead of 83; 16 bytes with 64 of AAD 73 instead of 88 (without the code for short messages).
 * Zen 5's units are whole, and it makes a product in two cycles whatever its width.  So are Intel's.
 */
.macro _narrow_messages len, aad_len
    cmp $\len, LEN
    ja 1f
    cmp $\aad_len, AAD_LEN
    _jump_to jbe, aes_gcm_encrypt_vaes_avx512_256
1:
.endm

/* Decryption is encryption with a flag. */
.macro _decryption impl
FUNC(lc_aes_gcm_decrypt_\impl)
    or $TO_DECRYPT, FLAGS32
    _jump_to jmp, aes_gcm_encrypt_\impl
END_FUNC(lc_aes_gcm_decrypt_\impl)
.endm

/*
 * void lc_aes_gcm_{en,de}crypt_<impl>(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len,
 *                                     struct lc_gcm_msg *msg, unsigned how);
 *
 * A message, or the next piece of one: the contract is in gcm_internal.h.
 *
 * key: 16-byte aligned; nothing else need be.  dst and src: len bytes, equal or disjoint; reads and writes stay within them, and
 * within the AAD.
 *
 * Clobbers rax, rcx, rdx, rsi, r8-r11, the flags, all vector registers that the instruction set has, k1.  No stack.  Constant time:
 * branches and addresses depend on lengths, the number of rounds and how only; from the nonce also on counters, which their
 * lengths determine.
 */
.macro _aes_gcm impl, vl
    .p2align 4
    _decryption \impl
  .if HAS_SHORT
    .p2align 6
  .else
    .p2align 4
  .endif
.Laes_gcm_encrypt_\impl:
FUNC(lc_aes_gcm_encrypt_\impl)
  .if HAS_SHORT
    test $FROM_NONCE, FLAGS8
    jz .Lnew_piece\@            /* its AAD is hashed before its text is looked at: so the proof goes, too */
  .endif
  .if KEY_AT
    _advance KEY_AT, KEY
  .endif
    mov MSG_AAD_LEN(MSG), AAD_LEN
    mov MSG_AAD(MSG), AAD
  .if HAS_SHORT
    test $LENGTHS, FLAGS8
    jz .Lnot_short\@
    lea -1(LEN), TMP2
    cmp $VECTORS*VL-1, TMP2     /* none is as if there were much */
    ja .Lnot_short\@

    /*
     * Short: a whole message of 1 to 4 vectors.  The same as elsewhere, but with nothing to ask on the way, and J0 in the last lane
     * of the last vector if that is free.  For its time is its chain, nonce to tag, over how many such chains are in flight; and
     * what Zen 5 has in flight are 448 instructions.  48 bytes by AES-256 are 180 of them; they took 66 cycles, of 230
     * instructions, and take 56.
     *
     * It comes first, and one vector is one piece of code up to the tag.  For code that isn't in the caches is fetched as far as it
     * goes straight on, eight lines at once; a jump to somewhere else waits for memory once more.
     *
     * A block of AAD and the lengths are hashed by 256 bits.  On Granite Rapids what such a message takes follows the number of its
     * 512-bit results, 57 at 16 bytes and 48 so: with five fewer it was 3 cycles of 39 less.  Results of fewer bits, instructions
     * without any hardly count.  So there must be a limit to how many of these registers there are for all calls in flight.
     */
    mov MSG_NONCE(MSG), TMP2
    _nonce_evex MI, HI, NONCE
    _length_block SCRATCH0_XMM, SCRATCH0_XMM
    _zero TO_HASH3
    test AAD_LEN, AAD_LEN
    jz .Lshort_lengths\@
    cmp $16, AAD_LEN
    ja .Lshort_aad\@
    _mask AAD_LEN, TMP2
    vmovdqu8 (AAD), TO_HASH3_XMM{MASK}{z}
    _reverse_bytes TO_HASH3_XMM, TO_HASH3_XMM
.Lshort_lengths\@:
    vinserti128 $1, SCRATCH0_XMM, TO_HASH3_YMM, TO_HASH3_YMM
    _short_powers
    vmovdqu64 POWERS_END(KEY,AAD_LEN), POWER_XMM
    vinserti128 $1, POWERS_END-16(KEY), POWER_YMM, POWER_YMM
    _products TO_HASH3, POWER, _YMM
.Lshort_first\@:
    shrx TMP2, .Lones(%rip), TMP
    kmovq TMP, MASK
    and $48, TMP2_32            /* 0 if the last vector has no free lane */
    lea .Lshort_counters(%rip), TMP
    cmp $2*VL, LEN
    ja .Lshort_34\@
    cmp $VL, LEN
    ja .Lshort2\@
    _short_text 3
.Lshort_end\@:
    test TMP2_32, TMP2_32
    jz .Lshort_j0\@
    vextracti32x4 $3, DATA3, J0_XMM
.Lshort_tag\@:
    _reduce_low
    _reduce_middle
    _reverse_bytes HI, HI
    vextracti64x4 $1, HI, SCRATCH0_YMM
    vpxor SCRATCH0_YMM, HI_YMM, HI_YMM
    vextracti128 $1, HI_YMM, SCRATCH0_XMM
    vpternlogd $0x96, SCRATCH0_XMM, J0_XMM, HI_XMM
    mov MSG_TAG(MSG), TMP
    vmovdqu HI_XMM, (TMP)
    .irp role, DATA3,LO,MI,HI,SCRATCH0,SCRATCH1,ROUND_KEY,J0
    _zero \role
    .endr
    vzeroupper
    RETURN
.Lnew_piece\@:
    _advance KEY_AT, KEY
    mov MSG_AAD_LEN(MSG), AAD_LEN
    mov MSG_AAD(MSG), AAD
    jmp .Lpiece\@
.Lshort_j0\@:
    vpxor .Lone(%rip), NONCE_XMM, J0_XMM
    _encrypt_j0
    jmp .Lshort_tag\@
.Lshort2\@:
    _short_text 2, .Lshort_open2\@, .Lshort_hash2\@, .Lshort_end\@
.Lshort_34\@:
    cmp $3*VL, LEN
    ja .Lshort4\@
    _short_text 1, .Lshort_open3\@, .Lshort_hash3\@, .Lshort_hash2\@
.Lshort4\@:
    _short_text 0, .Lshort_open4\@, .Lshort_hash4\@, .Lshort_end\@
    _short_open 2, .Lshort_open2\@, .Lshort_hash2\@
    _short_open 1, .Lshort_open3\@, .Lshort_hash3\@
    _short_open 0, .Lshort_open4\@, .Lshort_hash4\@
    /* More AAD is hashed first.  Then its hash is in the place of a block of AAD, but takes a power less: AAD_LEN is 0. */
.Lshort_long_aad\@:
    or $SHORT_AAD, FLAGS32
    vmovdqa64 SCRATCH0_XMM, LENGTH_BLOCK_XMM
    _zero HASH
    jmp .Laad\@
.Lshort_aad_done\@:
    vmovdqa64 LENGTH_BLOCK_XMM, SCRATCH0_XMM
    _wipe_high LENGTH_BLOCK
    vmovdqa HASH_XMM, TO_HASH3_XMM
    _zero HASH
    _zero TO_HASH0
    jmp .Lshort_lengths\@
.Lshort_aad\@:                 /* two or three blocks of AAD: by 512 bits, the lengths in the last lane */
    cmp $TINY, AAD_LEN
    ja .Lshort_long_aad\@
    _mask AAD_LEN, TMP2
    vmovdqu8 (AAD), TO_HASH3{MASK}{z}
    _reverse_bytes TO_HASH3, TO_HASH3
    vinserti32x4 $3, SCRATCH0_XMM, TO_HASH3, TO_HASH3
    _short_powers
    _load_at POWERS_END, KEY, AAD_LEN, POWER
    vinserti32x4 $3, POWERS_END-16(KEY), POWER, POWER
    _products TO_HASH3
    jmp .Lshort_first\@
.Lnot_short\@:
  .else
    test $FROM_NONCE, FLAGS8
    jz .Lpiece\@
  .endif
  .if VL == 64 && SMALL
    _narrow_messages 96, 16
    _narrow_messages 32, 64
  .endif

    /* A message begins.  The nonce by words: see make_j0() in gcm.c. */
    mov MSG_NONCE(MSG), TMP2
  .if CODE == EVEX
    _nonce_evex SCRATCH0, SCRATCH1, BASE
    _length_block SCRATCH0_XMM, LENGTH_BLOCK_XMM
    _zero HASH
  .else
    vpbroadcastd (TMP2), BASE
    vpbroadcastd 4(TMP2), SCRATCH0
    vpbroadcastd 8(TMP2), SCRATCH1
    _zero HASH
    vpblendd $0x22, SCRATCH0, BASE, BASE
    vpblendd $0x44, SCRATCH1, BASE, BASE
    vpblendd $0x88, HASH, BASE, BASE
    _load_lanes_low SLOT(0), ROUND_KEY
    _xor ROUND_KEY, BASE, BASE
    _xmm_move movq, LEN, SCRATCH0_XMM
    _xmm_move movq, AAD_LEN, SCRATCH1_XMM
    _xmm_op punpcklqdq, SCRATCH1_XMM, SCRATCH0_XMM
    _xmm_op psllq, $3, SCRATCH0_XMM
    _xmm_move movdqu, SCRATCH0_XMM, MSG_BITS(MSG)
  .endif
    test $LENGTHS, FLAGS8
    jz .Lfirst\@
.Lset_up\@:

    /* ---- AAD ---- */
    test AAD_LEN, AAD_LEN
    jz .Laad_in_hash\@
    cmp $TINY, AAD_LEN
    ja .Laad\@
  .if CODE == EVEX
    _mask AAD_LEN, TMP2
    vmovdqu8 (AAD), TO_HASH0{MASK}{z}
  .else
    _load_part AAD, AAD_LEN, AAD_TMP, AAD_TMP32, TO_HASH0_XMM
  .endif
    _reverse_bytes TO_HASH0, TO_HASH0
    _xor TO_HASH0, HASH, HASH
.Laad_in_hash\@:                /* HASH: up to TINY bytes of AAD and the hash so far, the last lane free if there are more */
    cmp $2*VECTORS*VL, LEN
  .if HAS_SHORT
    jbe .Lone_batch\@
    _long_text \@
  .else
    ja .Llong\@
  .endif
.Lone_batch\@:

    /* One batch: AAD, text, and the length block, which takes the last lane of the AAD's vector, if that has more than one. */
    _blocks_to_hash
    add $15, AAD_LEN
    and $-16, AAD_LEN
    add AT, AAD_LEN
    neg AAD_LEN                 /* where the AAD's powers are, as AT */
    jz .Lnothing\@
    neg AT
    _load_at POWERS_END, KEY, AAD_LEN, POWER
  .if CODE == EVEX
    _insert_last LENGTH_BLOCK_XMM, HASH
  .else
    test $LENGTHS, FLAGS8
    jz 1f
    _load_halves MSG, SCRATCH0_XMM, MSG_BITS
    _insert_last SCRATCH0_XMM, HASH
1:
  .endif
    _insert_last POWERS_END-16(KEY), POWER
  .if CODE != EVEX
    _load_at HALVES_END, KEY, AAD_LEN, SCRATCH0
    _insert_last HALVES_END-16(KEY), SCRATCH0
  .endif
    _first_products HASH, SCRATCH0
  .if TWO_BATCHES
    _zero HASH                  /* of a batch before: there is none */
  .endif
  .if VL == 64
    test LEN, LEN
    jnz .Lheads\@

    /* No text, and much AAD */
    xor N32, N32
    _zero TO_HASH3
    test $FROM_NONCE, FLAGS8
    jz .Lend\@
    vpxord .Lone(%rip), BASE_XMM, J0_XMM
    jmp .Lend\@
  .else
    cmp $TINY, LEN
    ja .Lheads\@

    /* Tiny.  With EVEX no branch is taken here by a whole message with AES-256 and some text. */
    test $FROM_NONCE, FLAGS8
    jz .Ltiny_piece\@
    _xor .Ltiny_\vl(%rip), BASE, DATA3
.Ltiny_rounds\@:
    _all_rounds 3, _rounds_from 3,
    test LEN, LEN
    jz .Ltiny_empty\@
  .if CODE == EVEX
    _mask LEN, TMP
    _masked_vector any, 3, 0
    _extract_last DATA3, J0_XMM
    _hash_vector 3
  .else
    or $HAS_J0, FLAGS32
    mov $VL, N32
    sub $3*VL, SRC
    sub $3*VL, DST
    jmp .Lseal3\@
  .endif
  .endif

  .if HAS_SHORT == 0
    _finish \@
  .endif
  .if VL < 64
.Ltiny_empty\@:
    _aes enclast, ROUND_KEY, DATA3
    _extract_last DATA3, J0_XMM
    jmp .Lreduce\@
.Ltiny_piece\@:
    _piece_counters 3, .Lnumbers_1(%rip)
  .if CODE != EVEX
    _load_halves MSG, J0_XMM, MSG_J0
    _xmm_op pxor, ROUND_KEY_XMM, J0_XMM
  .endif
    _insert_last J0_XMM, DATA3
    jmp .Ltiny_rounds\@
  .endif

    /* N, without the first vector, and FIRST, for LEN bytes or the first of them */
.Lheads\@:
    lea .Lcounters+32(%rip), FIRST
.Lnext_heads\@:
  .if HAS_SHORT
    cmp $VECTORS*VL, LEN
    jb .Lpart_of_heads\@
    _opening \@
.Lwhole_heads\@:
  .elseif CODE == EVEX
    cmp $VECTORS*VL, LEN
    jae .Lno_part\@
    _mask_last
.Lwhole_heads\@:
  .endif
    lea -1(LEN), N
    and $(VECTORS-1)*VL, N32
.Lheads_of_n\@:
    test $FROM_NONCE, FLAGS8
    jz .Lpiece_heads\@
  .if CODE == EVEX
    vpxord .Lone(%rip), BASE_XMM, J0_XMM
  .else
    _op3 pxor, vpxor, vpxor, .Lone(%rip), BASE_XMM, HEAD_J0_XMM
  .endif
    cmp $VL, N32
    ja .Lheads_34\@
    je .Lhead2\@
    _head 3, .Lrounds1\@
    _to_text 3, .Lopen3\@, .Lseal3\@
.Lhead2\@:
    _head 2, .Lrounds2\@
    _to_text 2, .Lopen2\@, .Lseal2\@
.Lheads_34\@:
    cmp $2*VL, N32
    ja .Lhead4\@
    _head 1, .Lrounds3\@
    _to_text 1, .Lopen1\@, .Lseal1\@
.Lhead4\@:
    _head 0, .Lrounds4\@
.Ltext0\@:
  .if SMALL
.Lseal0\@:
    _texts any, .Lseal1\@, .Lseal2\@, .Lseal3\@, .Lpart\@
  .else
    test $TO_DECRYPT, FLAGS8
    jnz .Lopen0\@
.Lseal0\@:
    _texts enc, .Lseal1\@, .Lseal2\@, .Lseal3\@
    jmp .Ltext_end\@
.Lopen0\@:                     /* here, as lines that follow are fetched with those before: see docs/gcm.md, "Cold code" */
    _texts dec, .Lopen1\@, .Lopen2\@, .Lopen3\@
.Ltext_end\@:
  .endif
    add $VECTORS*VL, SRC
    add $VECTORS*VL, DST
    sub N, LEN
  .if HAS_SHORT
    jbe .Ltext_done\@
    _more_text \@
.Ltext_done\@:
  .else
    ja .Lmore\@
  .endif
    xor LEN32, LEN32
.Lend\@:
  .if CODE == EVEX
    test $LENGTHS, FLAGS8
    jz .Lhash\@
.Lj0\@:
    _encrypt_j0
  .else
    test $HAS_J0, FLAGS8
    jnz .Lhash\@
    _xmm_move movdqu, MSG_GROUP(MSG), J0_XMM
    _zero SCRATCH0
    _xmm_move movdqu, SCRATCH0_XMM, MSG_GROUP(MSG)
  .endif
  .if HAS_SAME_PASS
    test $SAME_PASS, FLAGS8     /* all is hashed; 512 bits: or nothing of the last group */
   .if VL == 64
    jnz .Lopen_j0\@
   .else
    jnz .Lreduce\@
   .endif
  .endif
.Lhash\@:
    cmp $2*VL, N32
    jb .Lhash3\@
    je .Lhash2\@
    cmp $3*VL, N32
    je .Lhash1\@
  .if LAST_IS_TURN              /* vector 0 comes last: the hash before is added to it */
    add $VL, AT
  .else
    _hash_vector 0
  .endif
.Lhash1\@:
    _hash_vector 1
.Lhash2\@:
    _hash_vector 2
.Lhash3\@:
    _hash_vector 3
  .if LAST_IS_TURN
    cmp $VECTORS*VL, N32
    jne 1f
    _xor HASH, TO_HASH0, TO_HASH0
    _load_at POWERS_END-VECTORS*VL, KEY, AT, POWER
    _add_outer 0
    _add_middle 0
    _zero TO_HASH0
1:
  .endif
    test LEN, LEN
  .if HAS_SHORT
    jnz .Lhashed\@
    _finish \@
.Lhashed\@:
  .else
    jz .Lreduce\@
  .endif
  .if SMALL && VL < 64          /* else FIRST is as it was */
    lea .Lcounters+32(%rip), FIRST
  .endif
    add N, FIRST                /* the head has used N / 16 of them, of 16 bytes each */
  .if HAS_SAME_PASS
    test $SAME_PASS, FLAGS8
    jnz .Lopen_more\@
.Lbatch_after_head\@:
  .endif
  .if TWO_BATCHES
    cmp $VECTORS*VL, LEN
    jbe .Lnext_heads\@

    /* The first of two batches has ended.  The sums of the next one begin with the length block. */
.Lnext_batch\@:
    _zero HASH
    _reduce_to_hash
    vmovdqa POWERS_END-16(KEY), POWER_XMM
    vmovdqa64 LENGTH_BLOCK_XMM, SCRATCH1_XMM
    _products SCRATCH1, POWER, _XMM
    _blocks_to_hash
    neg AT
   .if HAS_SAME_PASS
    test $SAME_PASS, FLAGS8
    jnz .Lopen_group\@
   .endif
  .endif
    jmp .Lnext_heads\@

  .if CODE != EVEX
.Lpart\@:
    _part
    jmp .Lend\@
  .endif

    /* The counters of all four vectors, the first ones of which may not be wanted */
.Lpiece_heads\@:
    lea .Lnumbers_1-(VECTORS-1)*VL(%rip), FIRST
    add N, FIRST
    _piece_counters 0, VL*\i(FIRST)
    _op3 paddd, vpaddd, vpaddd, .Lblocks_\vl-.Lnumbers_1+(VECTORS-1)*VL(FIRST), BASE, BASE
  .if TWO_BATCHES
    _first_again
  .endif
  .if CODE != EVEX
    _load_halves MSG, HEAD_J0_XMM, MSG_J0
    _xmm_op pxor, ROUND_KEY_XMM, HEAD_J0_XMM
  .endif
    cmp $VL, N32
    jb .Lrounds1\@
    je .Lrounds2\@
    cmp $2*VL, N32
    je .Lrounds3\@
    jmp .Lrounds4\@

  .if HAS_SHORT == 0
    _long_text \@
    _more_text \@
  .endif

  .if HAS_SHORT
.Lpart_of_heads\@:
    _mask_last
    jmp .Lwhole_heads\@
  .elseif CODE == EVEX
.Lno_part\@:
   .if HAS_SAME_PASS
    _opening \@
   .else
    kmovq .Lones(%rip), MASK
    jmp .Lwhole_heads\@
   .endif
  .endif
  .if HAS_SAME_PASS
    /*
     * "Opening".  The ciphertext is there from the beginning.  So a group is hashed in its own rounds, not in those of the group
     * after it, and no products are left when the rounds end.  After a head of one to three vectors that is how all groups are
     * done, up to OPEN_LEN bytes.  By 512 bits that is until the loop's fewer instructions win: on Zen 5 from 1 KB on with AES-256,
     * which loses 3 % at 1420 bytes, and from 3 KB on with AES-128, which wins 4 %.  By 256 bits, as long as counters don't carry;
     * so also by AES-256 on Intel's CPUs, where rounds bound both (OPEN_LEN_WIDE).  Each vector is read once, and kept for the last
     * round: another thread might change it.
     *
     * If the text's last vector has a free lane, J0 is in it, and AES(J0) costs two moves: on Granite Rapids 5 to 12 % less up to
     * 416 bytes by 512 bits, 6 to 8 % by 256.  What follows is for other texts.
     *
     * The longer keys' AES(J0) is a chain of 60 to 70 cycles on Intel's CPUs, which the tag waits for, while what has begun of the
     * next message fills the queues.  Where it begins before the last group's rounds, on Granite Rapids, AES-256 takes 5 to 13 %
     * less from 352 to 960 bytes, by 256 bits 5 to 8 % from 257 to 480.  It took 3 to 4 % more from 1420 bytes on, and AES-128 2 to
     * 5 % more from 304 to 512.  Nobody measured it on AMD's.
     */
.Lopen_next\@:
    _advance VECTORS*VL, SRC
    _advance VECTORS*VL, DST
    _advance VECTORS*VL, FIRST
    _zero HASH
.Lopen_more\@:
    test AT32, AT32             /* 0 if a batch has ended */
    jnz .Lopen_group\@
    cmp $OPEN_BATCH, LEN
    jbe .Lnext_batch\@
    _zero HASH
    _reduce_to_hash
    _for_sums _zero
    mov $-OPEN_BATCH, AT
.Lopen_group\@:
    _for_each VECTORS, _xor VL*\i(FIRST), BASE, DATA\i
    cmp $VECTORS*VL, LEN
    jbe .Lopen_last\@
    kmovq .Lones(%rip), MASK
.Lopen_mask\@:
    _for_each 3, _movu VL*\i(SRC), TEXT\i
    vmovdqu8 VL*3(SRC), TEXT3{MASK}{z}
    _for_each VECTORS, _reverse_bytes TEXT\i, TO_HASH\i
    _xor HASH, TO_HASH0, TO_HASH0
    jmp .Llast_rounds\@
  .endif

.Lgroup_more\@:
    cmp $VECTORS*VL, N32
    jne .Lhash\@

    /* Five to eight vectors, the first four of which are done */
  .if TWO_BATCHES
    _xor HASH, TO_HASH0, TO_HASH0 /* of the batch before, or 0 */
   .if LAST_IS_TURN
    _zero HASH
   .endif
  .endif
    test $FROM_NONCE, FLAGS8
    jnz 1f
    _piece_counters 0, .Lnumbers_1+VL*\i(%rip)
    jmp .Llast_rounds\@
  .if TWO_BATCHES
1:  _for_each VECTORS, _xor VL*(VECTORS+\i)(FIRST), BASE, DATA\i
  .else
1:  _for_each VECTORS, _xor .Lcounters+32+VL*(VECTORS+\i)(%rip), BASE, DATA\i
  .endif
.Llast_rounds\@:
    _all_rounds 0, _last_round
    add $VECTORS*VL, AT
  .if HAS_SAME_PASS
    test $SAME_PASS, FLAGS8
    jnz .Lopen_texts\@
  .endif
  .if CODE == EVEX
    _mask_last
    _wipe_high LOOP_POWER
  .endif
    mov $VECTORS*VL, N32
    jmp .Ltext0\@
  .if HAS_SAME_PASS
.Lopen_texts\@:
    _for_each VECTORS, _open_vector \i
    sub $VECTORS*VL, LEN
    ja .Lopen_next\@
    _zero TO_HASH1              /* which has been a product's */
    _wipe_high LOOP_POWER
    _for_each VECTORS, _wipe_high TEXT\i
    test $VL-16, TMP8
    jz 1f
    _extract_last DATA3, J0_XMM
    jmp .Lreduce\@
1:  test $J0_LAST, FLAGS8
    jz .Lreduce\@
    test $LENGTHS, FLAGS8
    jz .Lreduce\@
   .if VL == 64
    xor LEN32, LEN32            /* it may be less */
   .endif
    jmp .Lj0\@
.Lopen_last\@:
    _mask_last TMP2, TMP2_32
    test $VL-16, TMP8           /* Is the last lane free?  That is asked again after the text. */
    jz 1f
    _insert_last J0_XMM, DATA3
    jmp .Lopen_mask\@
1:  test $J0_LAST, FLAGS8
    jnz .Lopen_mask\@
  .if VL == 64                  /* one piece of code for both: the row has a limit */
    jmp .Lj0\@
.Lopen_j0\@:
    test LEN, LEN
    jnz .Lopen_mask\@
    jmp .Lreduce\@
.Lopen_longer\@:                /* than OPEN_LEN: no loop yet? */
    test $J0_LAST, FLAGS8
    jnz .Lmuch_longer\@
    cmpl $14, KEY_ROUNDS(KEY)
    jb .Lmuch_longer\@
    cmp $OPEN_LEN_WIDE, LEN
    jbe .Lopen_batches\@
    jmp .Lmuch_longer\@
  .else
    _encrypt_j0
    jmp .Lopen_mask\@
  .endif
  .endif

  .if HAS_SHORT
.Lnext_group\@:
    test $BY_KARATSUBA, FLAGS8
    jz .Lfolded_next\@
    jmp .Lloop_next\@
  .else
    .set .Lnext_group\@, .Lloop_next\@
  .endif

.Lpiece_group\@:
    _op3 paddd, vpaddd, vpaddd, .Lblocks_\vl+VL*(VECTORS-1)(%rip), BASE, BASE
.Lpiece_next\@:
    _piece_counters 0, .Lnumbers_1+VL*\i(%rip)
    jmp .Lnext_group\@
.Lpiece_loop\@:
    test $PUBLIC, FLAGS8
    jz .Lpiece_next\@
  .if HAS_SHORT
    test $BY_KARATSUBA, FLAGS8
    jnz 1f
    testb $3, MSG_DONE(MSG)     /* Are counters 2 modulo 4? */
    jz 1f
    and $~PUBLIC, FLAGS32
    jmp .Lpiece_next\@
1:
  .endif

    /* BASE is the counter block before the next one.  It loses its last byte, which follows from its number, and its order of bytes
       and gets the first key: as in a call from the nonce.  Its last byte is in the head's, of N / 16 blocks, or before it. */
    shr $4, NEXT32
    add MSG_DONE(MSG), NEXT32
    dec NEXT32
    movzbl NEXT8, NEXT32
    shl $4, NEXT32
    _reverse_bytes BASE, BASE
    _load_lanes_low_at 0, COUNTERS, NEXT, ROUND_KEY
    _xor ROUND_KEY, BASE, BASE
    _load_lanes_low SLOT(0), ROUND_KEY
    _xor ROUND_KEY, BASE, BASE
    add $16, NEXT32             /* 256 * 16 if all that follow have carried */
  .if HAS_SHORT
    test $BY_KARATSUBA, FLAGS8
    jz .Lfolded_loop\@
  .endif
    jmp .Lpublic_loop\@
.Lcarries\@:
    _load_lanes_low SLOT(0), ROUND_KEY
    _xor ROUND_KEY, BASE, SCRATCH0
    _reverse_bytes SCRATCH0, SCRATCH0
    _op3 paddd, vpaddd, vpaddd, .Lcarry(%rip), SCRATCH0, SCRATCH0
    _reverse_bytes SCRATCH0, SCRATCH0
    _xor ROUND_KEY, SCRATCH0, SCRATCH0
    _xor BASE, SCRATCH0, CARRY
  .if HAS_SHORT                 /* in the order of use: see _more_text */
    test $BY_KARATSUBA, FLAGS8
    jnz 1f
    _for_high _high_counters
    _for_high _high_carry
    sub $1024, HIGH
    sub $1024, HIGH_LAST
    jmp .Lfolded_next\@
1:
  .endif
    _next_counters
    _for_each VECTORS, _carry_into_next VL*\i, DATA\i
    _mov SCRATCH0, BASE
    sub $16*256, NEXT
    jmp .Lloop_next\@

.Lpiece\@:
    _load_halves MSG, J0_XMM, MSG_J0
    _op3 pshufb, vpshufb, vpshufb, .Lbswap(%rip), J0_XMM, LO_XMM
  .if CODE == EVEX
    vpxor SLOT(0), J0_XMM, J0_XMM
  .endif
    _xmm_move movd, MSG_DONE(MSG), SCRATCH0_XMM
    _xmm_op paddd, SCRATCH0_XMM, LO_XMM
    _spread LO, BASE
  .if CODE == EVEX
    _load_halves MSG, SCRATCH0_XMM, MSG_BITS
    vmovdqa64 SCRATCH0_XMM, LENGTH_BLOCK_XMM
    test $LENGTHS, FLAGS8
    jnz .Lgo_on\@
  .endif
.Lfirst\@:                     /* no length block follows */
  .if CODE == EVEX
    _wipe_high LENGTH_BLOCK
  .endif
.Lgo_on\@:                     /* with the hash of what came before */
    _load_halves MSG, HASH_XMM, MSG_HASH
    _reverse_block HASH_XMM
    jmp .Lset_up\@

    /* More AAD: in batches of up to AAD_BATCH bytes */
.Laad\@:
    _for_sums _zero
    _whole_blocks AAD_LEN, POWER_AT
    cmp $AAD_BATCH, POWER_AT
    jbe 1f
    mov $AAD_BATCH, POWER_AT32
1:  neg POWER_AT
2:  cmp $VL, AAD_LEN
    jb 3f
    _movu (AAD), TO_HASH0
    _aad_vector
    add $VL, AAD
    sub $VL, AAD_LEN
    add $VL, POWER_AT
    jnz 2b
    jmp 4f
3:                              /* the last bytes, less than a vector, and zeros after them */
  .if CODE == EVEX
    _mask AAD_LEN, AAD_TMP
    vmovdqu8 (AAD), TO_HASH0{MASK}{z}
  .else
    _load_part_32 AAD, AAD_LEN, AAD_TMP, AAD_TMP32, TO_HASH0
  .endif
    _whole_blocks AAD_LEN, POWER_AT
    neg POWER_AT
    _aad_vector
    xor AAD_LEN32, AAD_LEN32
4:  _reduce_to_hash
    test AAD_LEN, AAD_LEN
    jnz .Laad\@
  .if HAS_SHORT
    test $SHORT_AAD, FLAGS8
    jnz .Lshort_aad_done\@
  .endif
    jmp .Laad_in_hash\@
END_FUNC(lc_aes_gcm_encrypt_\impl)
.endm

#if LC_SMALL == 0
/*
 * int lc_aes_gcm_empty_<impl>(const struct lc_gcm_key *key, uint8_t *tag, const uint8_t *aad, size_t aad_len,
 *                             const uint8_t *nonce, const uint8_t *given);
 *
 * A whole message without text, and with up to 16 bytes of AAD.  Without a given tag: tag = its tag, and the answer is LC_OK.  Else
 * whether the given tag is right, LC_OK or LC_ERR_AUTH.  The contract is in gcm_internal.h.
 *
 * Nothing but AES(J0), and AAD * H^2 + lengths * H.  Of the length block only the half with the AAD's length isn't 0, and it is the
 * upper half: two products, which give no LO.  And xmm registers are enough: by one ymm register for both blocks, which wants moves
 * between lanes and VZEROUPPER, Granite Rapids took 1 cycle more.
 *
 * Its chain is some 60 cycles, and a call takes 15, some 90 instructions at six a cycle: several calls are in flight, and what
 * counts is how many instructions there are, in C as well.  So its arguments come in registers, it asks nothing but what it is to
 * do with the tag, and lc_gcm_seal() and lc_gcm_open() end with a jump to it.  What the tag should be never leaves the registers,
 * and no branch is on whether the given one is right.
 *
 * Clobbers rax, rdx, r11, the flags, xmm0-xmm4 and xmm6, with EVEX xmm8-xmm10, xmm12-xmm14 and k1.  No stack.  Constant time:
 * branches and addresses depend on aad_len and the number of rounds only.
 */
#define EMPTY_TAG %rsi
#define EMPTY_AAD %rdx
#define EMPTY_AAD_LEN %rcx
#define EMPTY_NONCE %r8
#define EMPTY_GIVEN %r9
#define ERR_AUTH (-5)           /* LC_ERR_AUTH */
.macro _aes_gcm_empty impl
    .p2align 4
FUNC(lc_aes_gcm_empty_\impl)
    _load_nonce J0_XMM, EMPTY_NONCE
    _xmm_op pxor, .Lone(%rip), J0_XMM
    _round_of_j0 pxor, 0
    _encrypt_j0
    lea (,EMPTY_AAD_LEN,8), TMP2
    _xmm_move movq, TMP2, SCRATCH0_XMM
    _clmul $0x00, POWERS_END-16(KEY), SCRATCH0_XMM, MI_XMM
    _clmul $0x10, POWERS_END-16(KEY), SCRATCH0_XMM, HI_XMM
    test EMPTY_AAD_LEN, EMPTY_AAD_LEN
    jz 1f
   .if CODE == EVEX
    bzhi EMPTY_AAD_LEN, .Lones(%rip), TMP2
    kmovq TMP2, MASK
    vmovdqu8 (EMPTY_AAD), LO_XMM{MASK}{z}
    _reverse_block LO_XMM
   .else
    _load_reversed EMPTY_AAD, EMPTY_AAD_LEN, TMP2, LO_XMM, .Lfew\@, .Lloaded\@
   .endif
    _clmul $0x01, POWERS_END-32(KEY), LO_XMM, SCRATCH0_XMM
    _clmul $0x10, POWERS_END-32(KEY), LO_XMM, SCRATCH1_XMM
   .if CODE == EVEX
    vpternlogd $0x96, SCRATCH0_XMM, SCRATCH1_XMM, MI_XMM
   .else
    _xmm_op pxor, SCRATCH0_XMM, MI_XMM
    _xmm_op pxor, SCRATCH1_XMM, MI_XMM
   .endif
    _clmul $0x11, POWERS_END-32(KEY), LO_XMM, SCRATCH0_XMM
    _xmm_op pxor, SCRATCH0_XMM, HI_XMM
    _clmul $0x00, POWERS_END-32(KEY), LO_XMM, LO_XMM
    _reduce_low _XMM
1:  _reduce_middle width=_XMM
    _reverse_block HI_XMM
    _xmm_op pxor, J0_XMM, HI_XMM
    xor %eax, %eax
    test EMPTY_TAG, EMPTY_TAG   /* not EMPTY_GIVEN: so a caller that has no tag to open faults, and isn't told that it's right */
    jnz 2f
   .if CODE == EVEX
    vpcmpeqd (EMPTY_GIVEN), HI_XMM, SCRATCH0_XMM
    vmovmskps SCRATCH0_XMM, %edx
   .else
    movdqu (EMPTY_GIVEN), SCRATCH0_XMM
    pcmpeqd HI_XMM, SCRATCH0_XMM
    movmskps SCRATCH0_XMM, %edx
   .endif
    mov $ERR_AUTH, TMP2_32
    xor $15, %edx               /* which of the four words are wrong: that is a secret */
    cmovnz TMP2_32, %eax
    xor %edx, %edx
3:  .irp role, LO,MI,HI,SCRATCH0,SCRATCH1,J0
    _zero \role
    .endr
    RETURN
2:  _xmm_move movdqu, HI_XMM, (EMPTY_TAG)
    jmp 3b
   .if CODE != EVEX
    _load_few EMPTY_AAD, EMPTY_AAD_LEN, TMP2_32, LO_XMM, .Lfew\@, jmp .Lloaded\@
   .endif
END_FUNC(lc_aes_gcm_empty_\impl)
.endm
#endif

/* The end of a call.  id: what labels of _aes_gcm end in.  (A macro, as 512 bits have it elsewhere: in the order of use.) */
.macro _finish id
.Lreduce\id:
    _zero HASH
    _reduce_to_hash
.Lnothing\id:                    /* nothing is left to be hashed: HASH is the hash */
    _reverse_block HASH_XMM
    not FLAGS32
    test $LENGTHS|FROM_NONCE, FLAGS8
    jnz .Lpiece_end\id
    _xmm_op pxor, J0_XMM, HASH_XMM
    mov MSG_TAG(MSG), TMP
    _xmm_move movdqu, HASH_XMM, (TMP)
.Lwipe\id:

    /* No secrets stay in registers.  What DATA0 to DATA2 have is text. */
    .irp role, DATA3,TO_HASH0,LO,MI,HI,SCRATCH0,SCRATCH1,ROUND_KEY,J0,HASH
    _zero \role
    .endr
  .if CODE == EVEX
    _wipe_high LENGTH_BLOCK
    _wipe_high BASE
  .endif
    vzeroupper
    RETURN

.Lpiece_end\id:
    test $LENGTHS, FLAGS8      /* 0 if they were wanted */
    jnz 1f
    _xmm_op pxor, J0_XMM, HASH_XMM
1:  _xmm_move movdqu, HASH_XMM, MSG_HASH(MSG)
    .irp i, 0,1,2
    _zero DATA\i                /* counters, maybe, of vectors that there weren't */
    .endr
    jmp .Lwipe\id
.endm

/*
 * More than one batch, up to the head.  What has a loop comes first, and 512 bits have it where the AAD ends: less code to be
 * fetched.  id: as in _finish.
 *
 * The AAD, m blocks, is multiplied by H^m in all lanes, and added to the first vector.  Its block j is in lane j: so it takes part
 * in what becomes of text that is j blocks after the first one, and that is right, as its power should be H^(m - j) at the first
 * block.
 *
 * Nine or ten vectors: the loop would be one turn or two, and that isn't worth the powers and keys that it loads.  So there are two
 * batches: the AAD and the head; and the last eight vectors, the first of which gets the hash so far.  That takes 7 to 15 % less by
 * 256 bits on Zen 5.  Eleven and twelve are faster by the loop, as there the head's hash goes into AES rounds.  (With LC_SMALL
 * twelve are done so, too.)  What is opened from the nonce goes to .Lopen_long: see "Opening".
 *
 * Lost: the head's hash in the next four vectors' rounds (products of vectors that aren't there: 228 cycles for 528 bytes, not
 * 217), and after these rounds (no faster, and 1 KB more).
 */
.macro _long_text id
.Llong\id:
  .if TWO_BATCHES
   .if HAS_SAME_PASS
    mov FLAGS32, TMP2_32
    not TMP2_32
    test $FROM_NONCE|TO_DECRYPT, TMP2_8
    jz .Lopen_long\id
   .endif
   .if SMALL == 0
    cmp $(2*VECTORS+2)*VL, LEN
   .else
    cmp $3*VECTORS*VL, LEN
   .endif
    jbe .Ltwo_batches\id
.Lmuch_longer\id:
  .endif
  .if HAS_SHORT
    /*
     * Code that comes later is asked for: the loop with two sums, 18 lines, 14 after it, and the one of a last group's first text,
     * which few heads run through.  Cold, they come while others are waited for: see docs/gcm.md, "Cold code".  By a loop, of 67
     * bytes; each line by itself takes seven.  Not so for one turn of the loop, which with AES-256 would take 4 % longer.
     */
    cmp $3*VECTORS*VL, LEN
    jbe 1f
    test $BY_KARATSUBA, FLAGS8
    jnz 1f
    lea .Lfolded_powers\id+128(%rip), AT
    mov $4, TMP2_32
0:
    .irp i, -2,-1,0,1,2,3,4,5   /* distances of four of them take a byte */
    prefetcht0 64*\i(AT)
    .endr
    add $8*64, AT
    dec TMP2_32
    jnz 0b
    prefetcht0 .Ltext0\id(%rip)
1:
  .endif
    _zero TO_HASH0
    _zero TO_HASH1
    _zero TO_HASH2
    xor AT32, AT32
    neg AAD_LEN
    jz 1f
    and $-16, AAD_LEN           /* -16 * m */
    _load_lanes_at POWERS_END, KEY, AAD_LEN, POWER
    _products HASH
    _reduce_low
    _reduce_middle
    _mov HI, HASH
1:
  .if CODE == EVEX
    lea .Lcounters+32(%rip), FIRST
    kmovq .Lones(%rip), MASK
    jmp .Lwhole_heads\id
  .else
    jmp .Lheads\id
  .endif

  .if TWO_BATCHES
   .if HAS_SAME_PASS
.Lopen_long\id:
    cmp $OPEN_LEN, LEN
   .if VL == 64
    ja .Lopen_longer\id
.Lopen_batches\id:
    prefetcht0 .Lhashed\id(%rip) /* as above: what is jumped to, as what follows comes by itself */
    .irp i, 0,1,2,18,19,20
    prefetcht0 .Lopen_more\id+64*\i(%rip)
    .endr
    prefetcht0 .Lreduce\id+64(%rip)
    prefetcht0 .Lreduce\id+128(%rip)
   .else
    ja .Lmuch_longer\id
    cmp $OPEN_BATCH, LEN
    jbe .Lone_batch\id
   .endif
    lea -1(LEN), AT             /* the first batch: one vector, and those that leave a multiple of OPEN_BATCH */
    and $OPEN_BATCH-VL, AT32
    jmp 2f
   .endif
.Ltwo_batches\id:
    lea -1(LEN), AT             /* the head's bytes: one vector, and those that leave a multiple of four */
    and $(VECTORS-1)*VL, AT32
2:  add $VL, AT
    neg AT
    neg AAD_LEN
    and $-16, AAD_LEN
    add AT, AAD_LEN
    _load_at POWERS_END, KEY, AAD_LEN, POWER
    _products HASH
   .if HAS_SAME_PASS
    _zero HASH
   .endif
    jmp .Lheads\id
  .endif
.endm

/*
 * More text after a head: up to four vectors, which go elsewhere, or the loop.  512 bits have it where the head's text ends, and
 * right before the call's end.  So a long message's code is in the order of its use, with one jump more for either loop, and the
 * one back to the text.  Cold that is 9 % less for the loop with two sums on Granite Rapids.  id: as in _finish.
 */
.macro _more_text id
.Lmore\id:
    cmp $VECTORS*VL, LEN
    jbe .Lgroup_more\id
  .if TWO_BATCHES
    test AT32, AT32             /* two batches? */
    jnz .Lhash\id
  .endif

    /* After the head: its N bytes are in the last TO_HASH, and the others are 0. */
    cmp $2*VL, N32
    ja 2f
    je 1f
    _xor HASH, TO_HASH3, TO_HASH3
    jmp 4f
1:  _xor HASH, TO_HASH2, TO_HASH2
    jmp 4f
2:  cmp $3*VL, N32
    ja 3f
    _xor HASH, TO_HASH1, TO_HASH1
    jmp 4f
3:  _xor HASH, TO_HASH0, TO_HASH0
4:  lea .Lcounters(%rip), COUNTERS
    lea 32(N), NEXT             /* the head has used N / 16 of them */
  .if HAS_SHORT                 /* msg->group gets the hash so far, too, and loses it at the end of this turn */
    test $LATE, FLAGS32
    jz 1f
    lea MSG_GROUP(MSG), GROUP
    .irp v, 0,1,2,3
    _movu TO_HASH\v, VL*\v(GROUP)
    _zero TO_HASH\v
    .endr
1:
  .endif
  .if CODE == EVEX
    test $FROM_NONCE, FLAGS8
    jz 1f                       /* they are there already */
    vpxor SLOT(0), J0_XMM, J0_XMM
    vmovdqu J0_XMM, MSG_J0(MSG)
    vmovdqu64 LENGTH_BLOCK_XMM, MSG_BITS(MSG)
1:  _loop_constants
   .if HAS_SHORT
    test $BY_KARATSUBA, FLAGS8
    jz .Lfolded_powers\id
    .set KARATSUBA, 1
   .endif
    _loop_more_constants
  .else
    lea -1(LEN), N              /* an odd number of turns begins with one that has a reduction */
    and $VECTORS*VL, N32
    lea -VECTORS*VL(KEY,N), N
    _for_sums _zero
  .endif
    test $FROM_NONCE, FLAGS8
    jz .Lpiece_loop\id
.Lpublic_loop\id:
    add COUNTERS, NEXT
    add $16*256-VECTORS*VL, NEXT_LAST
    cmp NEXT_LAST, NEXT
    ja .Lcarries\id
    _next_counters
    _loop any, .Lgroup\id, .Lpiece_group\id, .Lcarries\id, .Lloop_next\id, .Lloop_end\id
.Lloop_end\id:
  .if HAS_SHORT
    test $LATE, FLAGS32
    jz 1f
    _for_each VECTORS, _movu VL*\i(GROUP), TO_HASH\i /* a turn of the hash more */
    _xor HI, TO_HASH0, TO_HASH0
    .set HASH_STEP, 0
    .rept 18
    _loop_step
    .endr
1:  _zero PRODUCT               /* the other loop's last one: here it is in the sums */
    jmp .Lfolded_end\id
    .set KARATSUBA, 0
.Lfolded_powers\id:
    _loop_more_constants
    test $FROM_NONCE, FLAGS8
    jz .Lpiece_loop\id
.Lfolded_loop\id:               /* NEXT is 16 times the first counter's last byte */
    _for_each VECTORS, _xor_at VL*\i, COUNTERS, NEXT, BASE, DATA\i
    shr $1, NEXT32              /* 128 * group + 32 * h + 16 */
    mov NEXT32, HIGH_STEP32
    shr $1, HIGH_STEP32         /* 64 * group + 16 * h + 8 */
    mov NEXT32, HIGH_LAST32
    xor HIGH_STEP32, HIGH_LAST32
    and $32, HIGH_LAST32        /* 32 if h is 1 or 2 */
    kmovd HIGH_LAST32, MASK
    and HIGH_STEP32, HIGH32
    and $32, HIGH32             /* 32 if h is 3 */
    mov HIGH_STEP32, HIGH_LAST32
    and $-64, HIGH_LAST32
    add HIGH_LAST32, HIGH32
    and $32, HIGH_STEP32        /* 32 if h is 2 or 3 */
    lea .Lhigh(%rip), HIGH_LAST
    add HIGH_LAST, HIGH
    lea 64*5(HIGH), HIGH_LAST   /* so most of these have a distance of 8 bits */
    .irp i, 1,2,3,4,5,6
    prefetcht0 64*(\i-5)(HIGH_LAST)
    .endr
    kmovd MASK, HIGH_LAST32
    add HIGH, HIGH_LAST
    _for_high _high_base
    test $1024, HIGH
    jnz .Lcarries\id
    .set BASES, 1
    _loop any, .Lfolded_group\id, .Lpiece_group\id, .Lcarries\id, .Lfolded_next\id, .Lfolded_end\id
    .set BASES, 0
.Lfolded_end\id:
    _xor PRODUCT, HI, HASH
  .endif

    /* The last vectors are one batch, with the length block. */
  .if CODE == EVEX
   .if TWO_BATCHES
    _first_again
   .endif
    .irp role, UPPER,LOWER      /* UPPER0 is LOOP_POWER, too, and if it is used again it is wiped again */
    _for_each VECTORS, _wipe_high \role\i
    .endr
    .irp slot, 9,10,11,12,13    /* others are in registers that get new values below, or had them since */
    _wipe_high ROUND_KEY\slot
    .endr
   .if HAS_SHORT
    _wipe_high MI_LATE          /* or BASE2 and BASE3 */
    _wipe_high HI_LATE
   .endif
    _load_halves MSG, J0_XMM, MSG_J0
    vpxor SLOT(0), J0_XMM, J0_XMM
  .endif
    _length_products
    _blocks_to_hash
  .if LAST_IS_TURN
    neg AT
    _load_lanes_low SLOT(14), ROUND_KEY
    _mask_last
    mov $VECTORS*VL, N32
    jmp .Ltext0\id
  .else
    _advance VECTORS*VL, AT
    neg AT
    jmp .Llast_rounds\id
  .endif
.endm

/*
 * Where a head begins, with four vectors of text or more: MASK, and how groups are to be opened, see "Opening".  On to the first
 * group if there is no head; TMP is clobbered.  (A macro, as 512 bits have it elsewhere: in the order of use.)
 */
.macro _opening id
    kmovq .Lones(%rip), MASK
    test $TO_DECRYPT, FLAGS8
    jz .Lwhole_heads\id
    test $FROM_NONCE, FLAGS8
    jz .Lwhole_heads\id
    test AT32, AT32             /* 0 if the loop is to be taken */
    jz .Lwhole_heads\id
    or $SAME_PASS, FLAGS32
    cmp $J0_BEFORE_LEN, LEN
    ja 1f
    cmpl $10, KEY_ROUNDS(KEY)
    jne 2f
1:  or $J0_LAST, FLAGS32
2:  lea -1(LEN), N
    and $(VECTORS-1)*VL, N32
    cmp $(VECTORS-1)*VL, N32
    jne .Lheads_of_n\id
    vpxord .Lone(%rip), BASE_XMM, J0_XMM
    jmp .Lopen_group\id
.endm

/* From a head's last round to its text */
.macro _to_text first, open, seal
  .if SMALL == 0
    test $TO_DECRYPT, FLAGS8
    jnz \open
  .endif
    jmp \seal
.endm

/* The text of a head, or of the last four vectors, from vector 0, 1, 2 or 3 on */
.macro _texts dir, from1, from2, from3, part
    _full_vector \dir, 0
\from1:
    _full_vector \dir, 1
\from2:
    _full_vector \dir, 2
\from3:
  .if CODE == EVEX
    _masked_vector \dir, 3, 3
  .else
    cmp N, LEN
    jb \part
    _full_vector \dir, 3
  .endif
.endm

/* Vector v of a group whose ciphertext was read before */
.macro _open_vector v
    _xor TEXT\v, ROUND_KEY, SCRATCH0
    _aes enclast, SCRATCH0, DATA\v
  .if \v < 3
    _movu DATA\v, VL*\v(DST)
  .else
    vmovdqu8 DATA\v, VL*\v(DST){MASK}
  .endif
.endm

/* A short message: TMP2 = -LEN, AT and AAD_LEN = where the powers of its text and AAD are */
.macro _short_powers
    mov LEN, TMP2
    neg TMP2
    lea -16(TMP2), AT           /* the text's blocks, and the length block: so what AT is added to is a multiple of VL */
    and $-16, AT
    neg AAD_LEN
    and $-16, AAD_LEN
    add AT, AAD_LEN
.endm

/* Its vectors `first` .. 3.  Vector 3 alone: no `open` to jump to, but one text for both directions. */
.macro _short_text first, open, hash, end
    vpxord 4*VL*(3-\first)(TMP,TMP2,4), NONCE, DATA3
    .irp v, 0,1,2
    .if \v >= \first
    vpxord .Lcounters+32+VL*(\v-\first)(%rip), NONCE, DATA\v
    .endif
    .endr
    _all_rounds \first, _rounds_from \first,
  .ifnb \open
    test $TO_DECRYPT, FLAGS8
    jnz \open
    _short_vectors enc, \first
\hash:
  .else
    _masked_vector any, 3, 0
  .endif
  .if \first == 3
    _short_hash 3, 3
  .elseif \first == 1
    _short_hash 1, 1
    _advance VL, AT             /* and the other two vectors as if they were all */
  .else
    _short_pair 2, 3, \first
   .if \first == 0
    _short_pair 0, 1, 0
   .endif
    _zero TO_HASH2
  .endif
  .ifnb \end
    jmp \end
  .endif
.endm
.macro _short_open first, open, hash
\open:
    _short_vectors dec, \first
    jmp \hash
.endm
.macro _short_vectors dir, first
    .irp v, 0,1,2
    .if \v >= \first
    _full_vector \dir, \v, \first
    .endif
    .endr
    _masked_vector \dir, 3, (3-\first)
.endm
.macro _short_power v, first
    _load_at POWERS_END+VL*(\v-\first), KEY, AT, POWER
.endm
.macro _short_hash v, first
    _short_power \v, \first
    _add_outer \v
    _add_middle \v
.endm
.macro _short_pair a, b, first
    _short_power \a, \first
    _add_middle \a
    _outer_late \a, POWER, 2
    _short_power \b, \first
    _add_outer_and_late \b, POWER, 2
    _add_middle \b
.endm

.macro _loop_text dir, reversed=TO_HASH
    .irp v, 1,2,3,0             /* as they are hashed */
  .if CODE == EVEX && KARATSUBA == 0
    _full_vector \dir, \v, 0, \reversed, MI /* as PRODUCT waits in SCRATCH0 */
  .else
    _full_vector \dir, \v, 0, \reversed
  .endif
    .endr
.endm

/*
 * The turns, for counters in DATA0 to DATA3.  Labels: the turn; what makes counters otherwise; where that goes on; where it ends.
 */
.macro _loop dir, group, piece_group, carries, next, end
    .p2align 4
\group:
  .if CODE == EVEX
    .set HASH_STEP, 0
  .else
    .set HASH_STEP, -2          /* a round later: see _loop_round */
  .endif
    _all_rounds 0, _loop_round
  .if (CODE == EVEX && HASH_STEP < 17 + KARATSUBA) || HASH_STEP < 16
    .error "The rounds have no room for all steps of the hash."
  .endif
  .if LAST_IS_TURN
    cmp $VECTORS*VL, LEN
    jbe \end
  .endif
  .ifc \dir,any
    test $TO_DECRYPT, FLAGS8
    jnz .Lopen\@
  .if KARATSUBA
    _loop_text enc, DATA
    test $LATE, FLAGS32
    jz .Lsoon\@
    lea MSG_GROUP(MSG), GROUP   /* again: other paths to here have a number in it, and a checker can't tell */
    .irp v, 1,2,3,0
    _movu VL*\v(GROUP), TO_HASH\v
    _movu DATA\v, VL*\v(GROUP)
    .endr
    jmp .Ltexts\@
.Lsoon\@:
    _for_each VECTORS, _mov DATA\i, TO_HASH\i
  .else
    _loop_text enc
  .endif
  .if LAST_IS_TURN == 0
    jmp .Ltexts\@
.Lopen\@:
    _loop_text dec
  .endif
.Ltexts\@:
  .else
    _loop_text \dir
  .endif
  .if CODE == EVEX && KARATSUBA == 0
    _xor3 HI, PRODUCT, TO_HASH0
  .elseif CODE == EVEX
    _xor HI, TO_HASH0, TO_HASH0
  .else
    cmp KEY, N
    lea -VECTORS*VL(KEY), N     /* the next turn's powers */
    cmovne KEY, N
    jne 3f
    _take_outer
    _reduce_low
    _reduce_middle
    _xor HI, TO_HASH0, TO_HASH0
    _for_sums _zero
3:
  .endif
    _advance VECTORS*VL, SRC
    _advance VECTORS*VL, DST
    add $-VECTORS*VL, LEN
    test $FROM_NONCE|PUBLIC, FLAGS8
    jz \piece_group
  .if BASES
    add $64, HIGH
    add $64, HIGH_LAST
    prefetcht0 64*HIGH_AHEAD(HIGH)
    test $1024, HIGH
    jnz \carries
    _for_high _high_counters
  .else
    add $VECTORS*VL, NEXT
    cmp NEXT_LAST, NEXT
    ja \carries
    _next_counters
  .endif
\next:
  .if LAST_IS_TURN
    jmp \group
.Lopen\@:
    _loop_text dec
    jmp .Ltexts\@
  .else
    cmp $VECTORS*VL, LEN
    ja \group
  .endif
.endm

.macro _aad_vector
    _reverse_bytes TO_HASH0, TO_HASH0
    _xor HASH, TO_HASH0, TO_HASH0
    _zero HASH
    _load_at POWERS_END, KEY, POWER_AT, POWER
    _add_outer 0
    _add_middle 0, 0, POWER_AT
.endm

/* d ^= CARRY where counters are of the next 256, as NEXT is before it comes round */
.macro _carry_into_next at, d
  .if CODE == EVEX
    vpternlogd $0x78, COUNTERS_CARRIED-16*240+\at(NEXT), CARRY, \d
  .else
    vpand COUNTERS_CARRIED-16*240+\at(NEXT), CARRY, PRODUCT
    _xor PRODUCT, \d, \d
  .endif
.endm

/*
 * With 16 registers: the last vector, as its last round's key is in ROUND_KEY, of which LEN + VL - N bytes are text.  The hash
 * wants zeros after the ciphertext.  To decrypt, they are loaded with it; to encrypt, what DATA3 has there is key stream and is cut
 * off.
 */
.macro _part
    add $3*VL, SRC
    add $3*VL, DST
    sub N, LEN
    add $VL, LEN
    _load_part_32 SRC, LEN, TMP2, TMP2_32, TO_HASH3
    _xor TO_HASH3, ROUND_KEY, ROUND_KEY
    _aes enclast, ROUND_KEY, DATA3
    test $TO_DECRYPT, FLAGS8
    jnz 1f
    lea .Lmask_end(%rip), TMP2
    sub LEN, TMP2
    _movu (TMP2), TO_HASH3
    _op3 pand, vpand, vpand, DATA3, TO_HASH3, TO_HASH3
1:
    _reverse_bytes TO_HASH3, TO_HASH3
    vextracti128 $1, DATA3, SCRATCH0_XMM /* of a tiny message AES(J0) */
    cmp $16, LEN32
    jbe 2f
    vmovdqu DATA3_XMM, (DST)
    vmovdqa SCRATCH0_XMM, DATA3_XMM
    add $16, DST
    sub $16, LEN32
    jmp 3f
2:  vmovdqa SCRATCH0_XMM, J0_XMM
    cmp $16, LEN32
    jb 3f
    vmovdqu DATA3_XMM, (DST)
    jmp 4f
3:  _store_part DST, LEN, TMP2, TMP2_32, TMP2_8
4:  xor LEN32, LEN32
.endm

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM with masks and 32 registers (EVEX): the body of the AVX-512 rows and their powers of the hash key, for aes_gcm.S, which
 * explains GCM, the hash and its order of bits.
 *
 * A call takes its text in vectors, four at a time, and the odd ones first:
 *
 *      tiny      up to VL - 16 bytes of text: one vector, whose last lane is J0
 *      head      1 to 4 vectors, as many as leave a multiple of four; straight code for each number
 *      loop      four vectors a turn, if there are more than eight; the hash has a reduction each turn
 *      last      four vectors, if there are more than four
 *
 * Only the last vector of all can be a part of one, and has a mask; so the tail needs no code of its own.  Up to eight vectors are
 * one batch of the hash with the AAD and the length block: one reduction.  Of a longer text, the last eight are.
 *
 * What bounds it.  Short messages: the count of instructions, and p5 on Intel, where all shuffles go and, while 512-bit vectors are
 * in flight, most of the rest.  From 256 bytes to 2 KB: how much of the next message the CPU has begun when the hash of this one
 * ends.  So AES(J0) comes after the text, where its unit is idle.  Beyond: the loop, see there.
 *
 * Parameters of the body: VL, 32 or 64.  VECTORS is 4.
 */
#ifndef LC_X86_AES_GCM_EVEX_H
#define LC_X86_AES_GCM_EVEX_H

/* ---- Data ---- */

.section .rodata.lc_aes_gcm, "a", @progbits
.Lones:
    .quad -1
.p2align 6
.Lword_0:           /* masks of words */
    .rept 4
    .long -1, 0, 0, 0
    .endr
.Lwords_01:
    .rept 4
    .long -1, -1, 0, 0
    .endr
.Lwords_012:
    .rept 4
    .long -1, -1, -1, 0
    .endr
.Ltiny_64:          /* the counters of a tiny message and, in the last lane, J0's, as the last byte of big-endian numbers */
    .irp i, 2,3,4,1
    .long 0, 0, 0, \i << 24
    .endr
.Ltiny_32:
    .irp i, 2,1
    .long 0, 0, 0, \i << 24
    .endr
    .skip 16
.p2align 6
.Lcounters:         /* the last byte of big-endian counters that end in 0, 1, .., 255, 0, .., 15 */
    .set COUNTER_BYTE, 0
    .rept 256 + 16
    .long 0, 0, 0, (COUNTER_BYTE & 255) << 24
    .set COUNTER_BYTE, COUNTER_BYTE + 1
    .endr
.Lcarried:          /* which ones of the last 32 of these are of the next 256 */
    .fill 16 * 16, 1, 0
    .fill 16 * 16, 1, 255
.Lcarry:            /* little-endian: 256 */
    .rept 4
    .long 256, 0, 0, 0
    .endr
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
    .skip 48
.Lnumbers_1:        /* 1, 2, .. */
    .irp i, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
    .long \i, 0, 0, 0
    .endr
.text

/* ---- Registers: KEY, DST, SRC, LEN, MSG, FLAGS, TMP, AAD, AAD_LEN, MASK as in aes_gcm.S, and ---- */

#define AT       %rax       /* where the next block's power of H is, counted from POWERS_END */
#define AT32     %eax
#define N        %r10       /* bytes of the vectors that have been done last; TMP */
#define N32      %r10d
#define TMP2     %r11
#define TMP2_32  %r11d
#define FIRST    %r11       /* the first counters of a message: those of its next vectors */
#define COUNTERS %rax       /* in the loop, of a whole message: .Lcounters, */
#define NEXT     %r11       /* and where those of the next group are in it */
#define NEXT32   %r11d

/* In FLAGS: LENGTHS, and */
#define LENGTHS_OF_FLAGS %r9b /* .. by itself: 16 or 0 */
#define PIECE    256        /* not LC_GCM_WHOLE: J0 is secret, and there may have been text before */

.macro _name_registers_evex
    _set_vectors
    _vector DATA0, 0        /* the vectors in flight: counters, key stream, text */
    _vector DATA1, 1
    _vector DATA2, 2
    _vector DATA3, 3
    _vector TO_HASH0, 4     /* their ciphertext, byte-reversed */
    _vector TO_HASH1, 5
    _vector TO_HASH2, 6
    _vector TO_HASH3, 7
    _vector LO, 8           /* sums of products: their bits 0 .. 127, */
    _vector PRODUCT, 8      /* (in the loop: a product that is added with a late one) */
    _vector MI, 9           /* 64 .. 191, */
    _vector HI, 10          /* and 128 .. 255 */
    _vector ROUND_KEY, 11
    _vector POWER, 11       /* powers of H outside of the rounds */
    _vector SCRATCH0, 12
    _vector SCRATCH1, 13
    _vector J0, 14          /* J0, the first round key added; then AES(J0) */
    _vector HASH, 15        /* AAD and the hash so far, to be multiplied; or to be added to the first vector */
    _vector UPPER0, 16      /* the loop's powers of H: for the upper half of a block, */
    _vector UPPER1, 17
    _vector UPPER2, 18
    _vector UPPER3, 19
    _vector LOWER0, 20      /* and times x^64, for the lower half */
    _vector LOWER1, 21
    _vector LOWER2, 22
    _vector LOWER3, 23
    _vector MI_LATE, 24     /* products that wait for their sum */
    _vector HI_LATE, 25
    _vector ROUND_KEY10, 26       /* the loop's round keys of these slots */
    _vector ROUND_KEY11, 27
    _vector ROUND_KEY12, 28
    _vector ROUND_KEY13, 29
    _vector LENGTH_BLOCK, 30 /* byte-reversed; 0 if it isn't to follow */
    _vector BASE, 31        /* what counters are made of: see "Counters" */
.endm

/* ---- Operand macros ---- */

/* A whole register = 0; below 16, writing its low 16 bytes clears the rest. */
.macro _zero role
    vpxor \role\()_XMM, \role\()_XMM, \role\()_XMM
.endm

/* `insn` for i = first .. VECTORS - 1 */
.macro _for_each_from first, insn:vararg
.irp i, 0,1,2,3
.if \i >= \first
    \insn
.endif
.endr
.endm

/* The last lane of d = s, an xmm register or memory; and back */
.macro _insert_last s, d
    vinserti32x4 $VL/16-1, \s, \d, \d
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
  .else
    vinserti32x4 $1, \s\()_XMM, \s, \d
  .endif
.endm

/* MASK = n bytes, n < VL */
.macro _mask n, tmp
    mov $-1, \tmp
    bzhi \n, \tmp, \tmp
    kmovq \tmp, MASK
.endm

/* MASK = the bytes of LEN's last vector, 1 .. VL: all ones, shifted right by -LEN modulo VL. */
.macro _mask_last
    mov LEN, TMP
    and $VL-1, TMP
    neg TMP
  .if VL == 64
    shrx TMP, .Lones(%rip), TMP
  .else
    shrx TMP32, .Lones(%rip), TMP32
  .endif
    kmovq TMP, MASK
.endm

/* ---- Counters ---- */

/*
 * A whole message's counters begin with 2.  BASE is nonce || counter in each lane, but for the counter's last byte, with the first
 * round key added.  So one xor with last bytes from memory makes a block that is ready for the second round.  After 256 blocks BASE
 * is made anew.  A group may have blocks of both: those whose last byte has come round get the difference.  All of that is public.
 *
 * A piece's J0 can be a hash, which is secret.  So nothing may depend on when it carries: BASE is its last counter block with the
 * bytes reversed, so that an addition of 32-bit words counts as GCM wants it, and each group's blocks are made of that.
 */
.macro _piece_counters first, numbers
    _for_each_from \first, vpaddd \numbers, BASE, DATA\i
    _for_each_from \first, vpshufb .Lbswap(%rip), DATA\i, DATA\i
    _load_lanes_low SLOT(0), ROUND_KEY
    _for_each_from \first, _xor ROUND_KEY, DATA\i, DATA\i
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
    cmpl $12, KEY_ROUNDS(KEY)
    jb .L10\@
    je .L12\@
    _rounds_from \first, 1
    _rounds_from \first, 2
.L12\@:
    _rounds_from \first, 3
    _rounds_from \first, 4
.L10\@:
    .irp slot, 5,6,7,8,9,10,11,12,13
    \insn \slot
    .endr
    _load_lanes_low SLOT(14), ROUND_KEY
.endm

/* J0 = AES(J0), the first key added before */
.macro _encrypt_j0
    cmpl $12, KEY_ROUNDS(KEY)
    jb .L10\@
    je .L12\@
    vaesenc SLOT(1), J0_XMM, J0_XMM
    vaesenc SLOT(2), J0_XMM, J0_XMM
.L12\@:
    vaesenc SLOT(3), J0_XMM, J0_XMM
    vaesenc SLOT(4), J0_XMM, J0_XMM
.L10\@:
    .irp slot, 5,6,7,8,9,10,11,12,13
    vaesenc SLOT(\slot), J0_XMM, J0_XMM
    .endr
    vaesenclast SLOT(14), J0_XMM, J0_XMM
.endm

/*
 * The head: vectors `first` .. 3 up to their last round.  A whole message makes its counters here, a piece has them.  SRC and DST
 * go back: vector v's text is VL * v bytes after them.
 */
.macro _head first, rounds
    _for_each_from \first, vpxord VL*(\i-\first)(FIRST), BASE, DATA\i
\rounds:
    _all_rounds \first, _rounds_from \first,
    mov $(VECTORS-\first)*VL, N32
  .if \first
    sub $\first*VL, SRC
    sub $\first*VL, DST
  .endif
.endm

/* ---- Text ---- */

/* Vector v's last round, whose key is in ROUND_KEY, and its text; TO_HASH<v> = its ciphertext, byte-reversed: see _vector_text */
.macro _full_vector dir, v
  .ifc \dir,enc
    vpxord VL*\v(SRC), ROUND_KEY, SCRATCH0
    _aes enclast, SCRATCH0, DATA\v
    _movu DATA\v, VL*\v(DST)
    vpshufb .Lbswap(%rip), DATA\v, TO_HASH\v
  .else
    _movu VL*\v(SRC), TO_HASH\v
    _xor ROUND_KEY, TO_HASH\v, SCRATCH0
    _aes enclast, SCRATCH0, DATA\v
    _movu DATA\v, VL*\v(DST)
    vpshufb .Lbswap(%rip), TO_HASH\v, TO_HASH\v
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
    vpshufb .Lbswap(%rip), TO_HASH\v, TO_HASH\v
.endm

/* ---- GHASH outside of the loop: LO, MI, HI as _multiply_add has them ---- */

/* LO, MI, HI = s * POWER */
.macro _products s, power=POWER, width=
    vpclmulqdq $0x01, \power\width, \s\width, MI\width
    vpclmulqdq $0x10, \power\width, \s\width, SCRATCH0\width
    vpclmulqdq $0x00, \power\width, \s\width, LO\width
    vpclmulqdq $0x11, \power\width, \s\width, HI\width
    _xor SCRATCH0, MI, MI
.endm

/* LO, MI, HI += TO_HASH<v> * power, in two halves */
.macro _add_outer v, power=POWER
    vpclmulqdq $0x00, \power, TO_HASH\v, SCRATCH0
    vpclmulqdq $0x11, \power, TO_HASH\v, SCRATCH1
    _xor SCRATCH0, LO, LO
    _xor SCRATCH1, HI, HI
.endm
.macro _add_middle v, power=POWER
    vpclmulqdq $0x01, \power, TO_HASH\v, SCRATCH0
    vpclmulqdq $0x10, \power, TO_HASH\v, SCRATCH1
    _xor3 SCRATCH0, SCRATCH1, MI
.endm

/* Vector v is hashed, each block under its own power. */
.macro _hash_vector v
    _load_at POWERS_END, KEY, AT, POWER
    add $VL, AT
    _add_outer \v
    _add_middle \v
    _zero TO_HASH\v
.endm

/* The last group's rounds, with the hash of the four vectors before it in between.  Vector 0 comes last, as it was ready last. */
.macro _last_round slot
    _rounds_from 0, \slot
  .if \slot < 13
    .irp v, 1,2,3,0
    .if \slot == (5 + 2 * ((\v + 3) % 4))
    _load_at POWERS_END+VL*\v, KEY, AT, UPPER0
    _add_outer \v, UPPER0
    .elseif \slot == (6 + 2 * ((\v + 3) % 4))
    _add_middle \v, UPPER0
    .endif
    .endr
  .endif
.endm

/* ---- The loop ---- */

/*
 * As in aes_gcm.S, each lane has a hash of its own, and vector v of a group is multiplied by P = H^(VL / 16 * (4 - v)), the same in
 * all lanes.  But there are two sums, not three.  A block is two halves, and the lower half, coefficients of x^64 and up, is x^64
 * times what it would be as the upper one.  So
 *
 *      block * P  =  upper * P  +  lower * (x^64 * P)
 *
 * with both halves as polynomials of degree up to 63 and x^64 * P reduced beforehand.  Each term is two products:
 *
 *      MI, bits 64 ..      upper * lower half of P  +  lower * lower half of x^64 * P      $0x01 and UPPER, $0x00 and LOWER
 *      HI, bits 128 ..     upper * higher half of P  +  lower * higher half of x^64 * P    $0x11 and UPPER, $0x10 and LOWER
 *
 * There is no LO, and so only the second half of the reduction.
 *
 * What a turn costs for 512 bits, AES-128 / AES-256, in uops:
 *
 *      AES 40 / 56                                                                   Intel p0        AMD: FP0/1
 *      products 16 + 1                                                               Intel p5        AMD: one of the same two
 *      shuffles: ciphertext 4, reduction 1                                           Intel p5
 *      counters with the first key 4, last key with the text 4, sums 9               Intel p0 or p5
 *
 * Together 79 / 95 for Intel's two ports: as long as AES alone takes p0, 40 and 56 cycles.  For 16 KB that is 2560 and 3584.  AMD
 * needs a shuffle for each round key that is loaded into all lanes: so four of them stay in registers, which changes nothing on
 * Intel and hasn't been measured on AMD.
 *
 * Measured on Emerald Rapids: 2666 cycles for 16 KB with AES-128, sealing, and 2603, opening.  With counters that are added and
 * then get the first key, 83 uops instead of 79, it was 2787 and 2751.
 *
 * Sums of three: every other product waits in `late` for the next one, and both are added by one instruction.
 */
.macro _loop_product imm, v, n, sum, late, power
  .if \n == 0
    vpclmulqdq \imm, \power\v, TO_HASH\v, \sum
  .elseif (\n % 2) == 1
    vpclmulqdq \imm, \power\v, TO_HASH\v, \late
  .else
    vpclmulqdq \imm, \power\v, TO_HASH\v, PRODUCT
    _xor3 \late, PRODUCT, \sum
  .endif
.endm

/* Step HASH_STEP, if it is of vector v, which is the n-th in turn */
.macro _loop_step_of v, n
  .if HASH_STEP == (4 * \n)
    _loop_product $0x01, \v, (2*\n), MI, MI_LATE, UPPER
  .elseif HASH_STEP == (4 * \n + 1)
    _loop_product $0x11, \v, (2*\n), HI, HI_LATE, UPPER
  .elseif HASH_STEP == (4 * \n + 2)
    _loop_product $0x00, \v, (2*\n+1), MI, MI_LATE, LOWER
  .elseif HASH_STEP == (4 * \n + 3)
    _loop_product $0x10, \v, (2*\n+1), HI, HI_LATE, LOWER
  .endif
.endm
.macro _loop_step           /* 16 products, the first vector's last, as it waits for the hash before; and the reduction */
    _loop_step_of 1, 0
    _loop_step_of 2, 1
    _loop_step_of 3, 2
    _loop_step_of 0, 3
  .if HASH_STEP == 16
    _xor MI_LATE, MI, MI
    _reduce_middle
  .endif
    .set HASH_STEP, HASH_STEP + 1
.endm

/* A round, with two steps of the hash in between */
.macro _loop_round slot
  .if \slot < 10
    _load_lanes_low SLOT(\slot), ROUND_KEY
    _loop_round_by ROUND_KEY
  .else
    _loop_round_by ROUND_KEY\slot
  .endif
.endm
.macro _loop_round_by key
    _for_each 2, _aes enc, \key, DATA\i
    _loop_step
    _aes enc, \key, DATA2
    _aes enc, \key, DATA3
    _loop_step
.endm

.macro _loop_powers v
    _load_lanes POWERS_END-VL*(VECTORS-\v)(KEY), UPPER\v
  .if VL == 64
    _load_lanes FOLDED+16*\v(KEY), LOWER\v
  .else
    _fold UPPER\v, LOWER\v
  .endif
.endm

/* d = x^64 * s, reduced: s is moved down by half its length, and what falls out is folded, as in _reduce_middle. */
.macro _fold s, d, width
    vpclmulqdq $0x00, .Lpoly(%rip), \s, SCRATCH0\width
    vpshufd $0x4e, \s, \d
    vpxord SCRATCH0\width, \d, \d
.endm

/* ---- The body ---- */

/*
 * lc_aes_gcm_{en,de}crypt_<impl>: as _aes_gcm in aes_gcm.S, and LC_GCM_WHOLE.
 *
 * Clobbers rax, rcx, rdx, rsi, r8-r11, the flags, all vector registers, k1.  No stack.  Constant time: branches and addresses
 * depend on lengths, the number of rounds and how only; in whole messages also on counters, which their lengths determine.
 */
.macro _aes_gcm_evex impl, dir, vl
    .p2align 4
.L\dir\()rypt_\vl:
FUNC(lc_aes_gcm_\dir\()rypt_\impl)
    mov MSG_AAD_LEN(MSG), AAD_LEN
    mov MSG_AAD(MSG), AAD
    test $2, FLAGS32
    jz .Lpiece\@
#ifndef __KERNEL__ /* It has no whole messages, and its linkage may put padding between that label and the function. */
  .if VL == 64
    /* What is tiny for 256 bits goes there: without 512-bit vectors, Intel's p1 takes a part.  33 cycles for 16 bytes, not 41. */
    cmp $16, LEN
    ja 1f
    cmp $16, AAD_LEN
    jbe .L\dir\()rypt_32
1:
  .endif
#endif

    /* A whole message.  The nonce by words: see make_j0() in gcm.c. */
    mov MSG_NONCE(MSG), TMP2
    vpbroadcastd (TMP2), BASE
    vpbroadcastd 4(TMP2), SCRATCH0
    vpbroadcastd 8(TMP2), SCRATCH1
    _load_lanes_low SLOT(0), ROUND_KEY
    vpternlogd $0xe4, .Lword_0(%rip), SCRATCH0, BASE    /* mask ? BASE : SCRATCH0 */
    vpternlogd $0xe4, .Lwords_01(%rip), SCRATCH1, BASE
    vpternlogd $0x6c, .Lwords_012(%rip), ROUND_KEY, BASE /* BASE & mask ^ ROUND_KEY */
    vmovq LEN, SCRATCH0_XMM
    vpinsrq $1, MSG_AAD_LEN(MSG), SCRATCH0_XMM, SCRATCH0_XMM
    vpsllq $3, SCRATCH0_XMM, LENGTH_BLOCK_XMM
    _zero HASH
    mov $LENGTHS, FLAGS32
.Lset_up\@:

    /* ---- AAD ---- */
    test AAD_LEN, AAD_LEN
    jz .Laad_in_hash\@
    cmp $VL-16, AAD_LEN
    ja .Laad\@
    _mask AAD_LEN, TMP2
    vmovdqu8 (AAD), TO_HASH0{MASK}{z}
    vpshufb .Lbswap(%rip), TO_HASH0, TO_HASH0
    _xor TO_HASH0, HASH, HASH
.Laad_in_hash\@:                /* HASH: up to VL - 16 bytes of AAD and the hash so far, the last lane free */
    cmp $2*VECTORS*VL, LEN
    ja .Llong\@

    /* One batch: AAD, text, and the length block, which takes the last lane of the AAD's vector. */
    _whole_blocks LEN, AT
    movzbl LENGTHS_OF_FLAGS, TMP2_32
    add TMP2, AT
    add $15, AAD_LEN
    and $-16, AAD_LEN
    add AT, AAD_LEN
    neg AAD_LEN                 /* where the AAD's powers are, as AT */
    jz .Lnothing\@
    neg AT
    _load_at POWERS_END, KEY, AAD_LEN, POWER
    _insert_last LENGTH_BLOCK_XMM, HASH
    _insert_last POWERS_END-16(KEY), POWER
    _products HASH
    cmp $VL-16, LEN
    ja .Lheads\@

    /* Tiny: no branch is taken but for AES-128 and AES-192, and without text */
    test $PIECE, FLAGS32
    jnz .Ltiny_piece\@
    vpxord .Ltiny_\vl(%rip), BASE, DATA3
.Ltiny_rounds\@:
    _all_rounds 3, _rounds_from 3,
    test LEN, LEN
    jz .Ltiny_empty\@
    _mask LEN, TMP
    _masked_vector \dir, 3, 0
    _extract_last DATA3, J0_XMM
    _hash_vector 3

.Lreduce\@:
    _zero HASH
    _reduce_to_hash
.Lnothing\@:                  /* nothing is left to be hashed: HASH is the hash */
    _reverse_block HASH_XMM
    test $PIECE, FLAGS32
    jnz .Lpiece_end\@
    vpxor J0_XMM, HASH_XMM, HASH_XMM
    mov MSG_TAG(MSG), TMP
    vmovdqu HASH_XMM, (TMP)
.Lwipe\@:

    /* No secrets stay in registers.  What DATA0 to DATA2 have is text. */
    .irp role, DATA3,TO_HASH0,LO,MI,HI,SCRATCH0,SCRATCH1,ROUND_KEY,J0,HASH
    _zero \role
    .endr
    _wipe_high LENGTH_BLOCK
    _wipe_high BASE
    vzeroupper
    RETURN

.Lpiece_end\@:
    test $LENGTHS, FLAGS32
    jz 1f
    vpxor J0_XMM, HASH_XMM, HASH_XMM
1:  vmovdqu HASH_XMM, MSG_HASH(MSG)
    .irp i, 0,1,2
    _zero DATA\i                /* counters, maybe, of vectors that there weren't */
    .endr
    jmp .Lwipe\@

.Ltiny_empty\@:
    _aes enclast, ROUND_KEY, DATA3
    _extract_last DATA3, J0_XMM
    jmp .Lreduce\@
.Ltiny_piece\@:
    _piece_counters 3, .Lnumbers_1(%rip)
    _insert_last J0_XMM, DATA3
    jmp .Ltiny_rounds\@

    /* N, without the first vector, and FIRST, for LEN bytes or the first of them */
.Lheads\@:
    lea .Lcounters+32(%rip), FIRST
.Lnext_heads\@:
    cmp $VECTORS*VL, LEN
    ja .Lno_part\@
    _mask_last
.Lmasked\@:
    lea -1(LEN), N
    and $(VECTORS-1)*VL, N32
    test $PIECE, FLAGS32
    jnz .Lpiece_heads\@
    vpxord .Lcounters+16(%rip), BASE_XMM, J0_XMM
    cmp $VL, N32
    ja .Lheads_34\@
    je .Lhead2\@
    _head 3, .Lrounds1\@
    jmp .Ltext3\@
.Lhead2\@:
    _head 2, .Lrounds2\@
    jmp .Ltext2\@
.Lheads_34\@:
    cmp $2*VL, N32
    ja .Lhead4\@
    _head 1, .Lrounds3\@
    jmp .Ltext1\@
.Lhead4\@:
    _head 0, .Lrounds4\@
.Ltext0\@:
    _full_vector \dir, 0
.Ltext1\@:
    _full_vector \dir, 1
.Ltext2\@:
    _full_vector \dir, 2
.Ltext3\@:
    _masked_vector \dir, 3, 3
    add $VECTORS*VL, SRC
    add $VECTORS*VL, DST
    sub N, LEN
    ja .Lmore\@
    xor LEN32, LEN32
    test $LENGTHS, FLAGS32
    jz .Lhash\@
    _encrypt_j0
.Lhash\@:
    cmp $2*VL, N32
    jb .Lhash3\@
    je .Lhash2\@
    cmp $3*VL, N32
    je .Lhash1\@
    _hash_vector 0
.Lhash1\@:
    _hash_vector 1
.Lhash2\@:
    _hash_vector 2
.Lhash3\@:
    _hash_vector 3
    test LEN, LEN
    jz .Lreduce\@
    lea .Lcounters+32(%rip), FIRST /* the head has used N / 16 of them, of 16 bytes each */
    add N, FIRST
    jmp .Lnext_heads\@
.Lmore\@:
    cmp $VECTORS*VL, LEN
    ja .Lloop\@
    cmp $VECTORS*VL, N32
    je .Llast\@
    jmp .Lhash\@

.Lno_part\@:
    mov $-1, TMP
    kmovq TMP, MASK
    jmp .Lmasked\@

    /* The counters of all four vectors, the first ones of which may not be wanted */
.Lpiece_heads\@:
    lea .Lnumbers_1-(VECTORS-1)*VL(%rip), FIRST
    add N, FIRST
    _piece_counters 0, VL*\i(FIRST)
    vpaddd .Lblocks_\vl-.Lnumbers_1+(VECTORS-1)*VL(FIRST), BASE, BASE
    cmp $VL, N32
    jb .Lrounds1\@
    je .Lrounds2\@
    cmp $2*VL, N32
    je .Lrounds3\@
    jmp .Lrounds4\@

    /*
     * More than eight vectors.  The AAD, m blocks, is multiplied by H^m in all lanes, and added to the first vector.  Its block j
     * is in lane j: so it takes part in what becomes of text that is j blocks after the first one, and that is right, as its power
     * should be H^(m - j) at the first block.
     */
.Llong\@:
    _zero TO_HASH0
    _zero TO_HASH1
    _zero TO_HASH2
    xor AT32, AT32
    neg AAD_LEN
    jz .Lheads\@
    and $-16, AAD_LEN           /* -16 * m */
    _load_lanes_at POWERS_END, KEY, AAD_LEN, POWER
    _products HASH
    _reduce_low
    _reduce_middle
    _mov HI, HASH
    jmp .Lheads\@

    /* After the head: its N bytes are in the last TO_HASH, and the others are 0. */
.Lloop\@:
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
4:  _for_each VECTORS, _loop_powers \i
    .irp slot, 10,11,12,13
    _load_lanes SLOT(\slot), ROUND_KEY\slot
    .endr
    lea .Lcounters(%rip), COUNTERS
    lea 32(N), NEXT             /* the head has used N / 16 of them */
    test $PIECE, FLAGS32
    jnz .Lpiece_next\@
    _for_each VECTORS, vpxord VL*\i(COUNTERS,NEXT), BASE, DATA\i

    .p2align 4
.Lgroup\@:
    .set HASH_STEP, 0
    _all_rounds 0, _loop_round
  .if HASH_STEP < 17
    .error "The rounds have no room for all steps of the hash."
  .endif
    _for_each VECTORS, _full_vector \dir, \i
    _xor3 HI, HI_LATE, TO_HASH0
    _advance VECTORS*VL, SRC
    _advance VECTORS*VL, DST
    add $-VECTORS*VL, LEN
    test $PIECE, FLAGS32
    jnz .Lpiece_group\@
    add $VECTORS*VL, NEXT
    cmp $16*256-VECTORS*VL, NEXT32
    ja .Lcarries\@
    _for_each VECTORS, vpxord VL*\i(COUNTERS,NEXT), BASE, DATA\i
.Lnext_group\@:
    cmp $VECTORS*VL, LEN
    ja .Lgroup\@

    /* The last eight vectors are one batch, with the length block. */
    vmovdqa64 POWERS_END-16(KEY), UPPER0_XMM
    _products LENGTH_BLOCK, UPPER0, _XMM
    _whole_blocks LEN, AT
    movzbl LENGTHS_OF_FLAGS, N32
    lea VECTORS*VL(AT,N), AT
    neg AT
    jmp .Llast_rounds\@

    /* Five to eight vectors, the first four of which are done */
.Llast\@:
    test $PIECE, FLAGS32
    jz 1f
    _piece_counters 0, .Lnumbers_1+VL*\i(%rip)
    jmp .Llast_rounds\@
1:  _for_each VECTORS, vpxord .Lcounters+32+VL*(VECTORS+\i)(%rip), BASE, DATA\i
.Llast_rounds\@:
    _all_rounds 0, _last_round
    add $VECTORS*VL, AT
    _mask_last
    mov $VECTORS*VL, N32
    .irp role, UPPER,LOWER
    _for_each VECTORS, _wipe_high \role\i
    .endr
    .irp slot, 10,11,12,13
    _wipe_high ROUND_KEY\slot
    .endr
    _wipe_high MI_LATE
    _wipe_high HI_LATE
    jmp .Ltext0\@

.Lpiece_group\@:
    vpaddd .Lblocks_\vl+VL*(VECTORS-1)(%rip), BASE, BASE
.Lpiece_next\@:
    _piece_counters 0, .Lnumbers_1+VL*\i(%rip)
    jmp .Lnext_group\@
.Lcarries\@:
    _load_lanes_low SLOT(0), ROUND_KEY
    _xor ROUND_KEY, BASE, SCRATCH0
    vpshufb .Lbswap(%rip), SCRATCH0, SCRATCH0
    vpaddd .Lcarry(%rip), SCRATCH0, SCRATCH0
    vpshufb .Lbswap(%rip), SCRATCH0, SCRATCH0
    _xor ROUND_KEY, SCRATCH0, SCRATCH0
    _xor BASE, SCRATCH0, SCRATCH1
    _for_each VECTORS, vpxord VL*\i(COUNTERS,NEXT), BASE, DATA\i
    /* DATA ^= carried & SCRATCH1 */
    _for_each VECTORS, vpternlogd $0x78, .Lcarried-.Lcounters-16*240+VL*\i(COUNTERS,NEXT), SCRATCH1, DATA\i
    _mov SCRATCH0, BASE
    sub $16*256, NEXT
    jmp .Lnext_group\@

.Lpiece\@:
    shl $4, FLAGS32             /* LC_GCM_LAST, 1, becomes LENGTHS, 16 */
    or $PIECE, FLAGS32
    _load_words MSG_HASH, HASH_XMM
    _reverse_block HASH_XMM
    _load_words MSG_J0, J0_XMM
    vpshufb .Lbswap(%rip), J0_XMM, LO_XMM
    vpxor SLOT(0), J0_XMM, J0_XMM
    vmovd MSG_DONE(MSG), SCRATCH0_XMM
    vpaddd SCRATCH0_XMM, LO_XMM, LO_XMM
    _spread LO, BASE
    _load_words MSG_BITS, SCRATCH0_XMM
    vmovdqa64 SCRATCH0_XMM, LENGTH_BLOCK_XMM
    test $LENGTHS, FLAGS32
    jnz .Lset_up\@
    _wipe_high LENGTH_BLOCK
    jmp .Lset_up\@

    /* More AAD: in batches of up to AAD_BATCH bytes */
.Laad\@:
    _zero LO
    _zero MI
    _zero HI
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
3:  _mask AAD_LEN, AAD_TMP      /* the last bytes, less than a vector, and zeros after them */
    vmovdqu8 (AAD), TO_HASH0{MASK}{z}
    _whole_blocks AAD_LEN, POWER_AT
    neg POWER_AT
    _aad_vector
    xor AAD_LEN32, AAD_LEN32
4:  _reduce_to_hash
    test AAD_LEN, AAD_LEN
    jnz .Laad\@
    jmp .Laad_in_hash\@
END_FUNC(lc_aes_gcm_\dir\()rypt_\impl)
.endm
.macro _aad_vector
    vpshufb .Lbswap(%rip), TO_HASH0, TO_HASH0
    _xor HASH, TO_HASH0, TO_HASH0
    _zero HASH
    _load_at POWERS_END, KEY, POWER_AT, POWER
    _add_outer 0
    _add_middle 0
.endm

/* ---- Powers of the hash key ---- */

/*
 * void lc_aes_gcm_powers_<impl>(struct lc_gcm_key *key);
 *
 * To key->powers: H^36 .. H^1 and zeros as lc_aes_gcm_powers_pclmul has them, which says how; here a vector at a time.  For 512
 * bits also x^64 times H^16, H^12, H^8, H^4, for the loop.
 *
 * Clobbers rax, rcx, rdx, rdi, the flags, zmm4, zmm8-zmm14.  No stack.  Constant time: branches and addresses depend on the number
 * of rounds only.
 */
.macro _powers_evex impl
FUNC(lc_aes_gcm_powers_\impl)
    /* J0 = H, then H * x^-1 */
    vmovdqa SLOT(0), J0_XMM
    _encrypt_j0
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
  .if VL == 64
    _for_each VECTORS, _fold_power \i
  .endif
    .irp role, TO_HASH0,LO,MI,HI,POWER,SCRATCH0,SCRATCH1,J0
    _zero \role
    .endr
    vzeroupper
    RETURN
END_FUNC(lc_aes_gcm_powers_\impl)
.endm

/* HI = TO_HASH0 * POWER */
.macro _multiply
    _products TO_HASH0
    _reduce_low
    _reduce_middle
.endm

.macro _fold_power v
    vmovdqa 16*NUM_POWERS-VL*(VECTORS-\v)(POWERS), TO_HASH0_XMM
    _fold TO_HASH0_XMM, HI_XMM, _XMM
    vmovdqa HI_XMM, FOLDED-256+16*\v(POWERS)
.endm

/* ---- The implementations ---- */

.macro _implementation_evex impl, vl
    .set VL, \vl
    .set CODE, EVEX
    .set VECTORS, 4
    _name_registers_evex
    _begin_code lc_aes_gcm_\impl
    _aes_gcm_evex \impl, enc, \vl
    _aes_gcm_evex \impl, dec, \vl
    _end_code lc_aes_gcm_\impl
    _powers_evex \impl
.endm

_implementation_evex vaes_avx512_256, 32
_implementation_evex vaes_avx512_512, 64

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-XTS for x86-64: one body, and an instance of it for each implementation and direction.  The table of instances is at the end
 * of this file; src/x86/rows.def says what each needs and the CPUs it is for.
 *
 * Parameters of the body:
 *
 *   VL, CODE       see asm.h; (16, SSE), (16, VEX), (32, VEX), (32, EVEX), (64, EVEX) are those that are useful and tested
 *   SHORT_LEN      units of at most so many bytes (a multiple of 16) are done block by block, and so is what stealing takes, unless
 *                  STEAL_IN_VECTOR; 0 for 512 bits, which have other code for short units
 *   TWEAKS_ROUND   the AES round, 5 to 13, after which a group has the instructions that make the next group's tweaks
 *
 * -- XTS ------------------------------------------------------------------------------------------------------------------------
 *
 * A data unit, for instance a disk sector, has an iv of 16 bytes.  Its block j becomes
 *
 *   C[j] = AES(P[j] ^ T[j]) ^ T[j],   T[0] = AES_tweakkey(iv),   T[j] = T[0] * x^j in GF(2^128).
 *
 * Decryption has the same tweaks, and AES's inverse for the data.  How tweaks are multiplied is derived at _next_tweaks, how a
 * unit's first ones are made at _first_tweaks, and ciphertext stealing at .Lsteal.  docs/xts.md introduces the mode and the field.
 *
 * -- What bounds it -------------------------------------------------------------------------------------------------------------
 *
 * The AES unit.  For 64 bytes and n rounds (n = 10, 12, 14) it is busy for n cycles, whether they go as one 512-bit uop on one port
 * (Intel: p0; Zen 4: two passes of FP0/1) or as two 256-bit ones on two.  Everything else has to fit beside it:
 *
 *   Intel, 512 bits: p0 AES, bit shifts; p5 byte shifts, shuffles, carry-less multiplies; p0 or p5 logic.
 *   Zen 4, 512 bits: FP0/1 AES; multiplies take an AES slot each; FP1/2 shuffles, shifts; FP0-3 logic.
 *
 * A group of 4 vectors, 256 bytes for VL = 64, AES-256:
 *
 *   56 AES rounds                                                                      p0 56
 *   4 loads, 4 ternary xors (data, tweak, key 0), 4 xors (tweak, key 14), 4 stores     p0 or p5 8
 *   the next group's tweaks: 2 shuffles, 1 multiply, 7 byte shifts, 4 ternary logic    p5 10, p0 or p5 4
 *
 * So on Intel 78 uops share the 112 slots of p0 and p5 in 56 cycles: the AES port is the bound.  On Zen 4 the bound is 57 cycles;
 * 59 to 60 are measured, and 57 without the tweaks' uops.  That shuffles and AES meet on FP1 would explain it, but isn't shown.
 *
 * The next group's tweaks are made as one piece among a group's rounds, after round TWEAKS_ROUND.  At the beginning of the group
 * they would be in the queue before its rounds, and 128-bit code loses 8 %.  After round 11 they come too late, and 512-bit code
 * loses 6 %.  256-bit code loses 3 % after round 8.  In between it is a matter of 1 .. 3 %.  (An instruction here and there between
 * the rounds measured the same as one piece: out-of-order execution does that.)
 *
 * -- Short units ----------------------------------------------------------------------------------------------------------------
 *
 * Bulk is easy.  Disks have units of 512 and 4096 bytes, and there the frame around the loop is what counts.
 *
 *  - One function does the whole unit, iv included.  Round keys and constants are loaded while the iv is in the AES unit.
 *  - The iv is loaded in two halves: _load_halves says why.
 *  - The first tweaks come from the very first by variable shifts, not one from the other: _first_tweaks.
 *  - 512-bit code encrypts the iv in all lanes at once, unless the unit is short: _aes_iv.
 *  - A short unit stops as soon as it has enough tweaks, and after a unit's last group none are made: _count_needed.
 *  - What is left after the groups goes vector by vector, then block by block.  Very short units go block by block at once:
 *    SHORT_LEN.
 *  - In 512-bit code the rest goes as one, two or three vectors side by side, of which the last may be a part: .Ltail, which is
 *    .Lfew below.  Four go two by two.  A rest of one block is done in an xmm register: .Lone.
 *  - If groups would leave three vectors of a unit by itself, its first one goes ahead of the groups, and two come last: .Lahead.
 *  - What ends by stealing and has up to PAIRS_LEN has no group at all: all of its vectors go two by two.
 *  - Where a unit ends by stealing, the last vector has the last whole block, too, even if that is alone in it.  Then there is only
 *    one block by itself, the second step.  Not so where two whole vectors come before it, or nothing does.
 *  - In 128-bit code that encrypts, a group has it, if one ends there: AFTER_NOT_KEPT.
 *  - With 14 rounds the second two of four vectors begin two rounds after the first two: _hold.
 *  - What has no group takes its round keys from memory as they are needed: .Lfew.  A group has 15 of them in registers, which
 *    are wiped in the end.  On Zen 4 that saved 12 of 67 cycles for AES-128 and 96 bytes, on Granite Rapids 5 of 55 for 144.
 *    Rests after groups do the same: loads are free beside AES.
 *  - Instructions in flight bound short units on Zen 5: a unit's time is its chain, some 110 cycles for AES-128, over how many
 *    units are in flight.  So these parts count instructions: 79 for 16 bytes (with the call), 117 for 32, 140 for 96.
 *  - Many units in a call: the ivs of VECTORS * VL / 16 units are encrypted at once, before the data of the unit that comes next
 *    (.Lbatch).  A unit's first tweaks are made among the rounds of the last group of the unit before it (.Llast_group).  So the
 *    AES unit isn't idle between units.
 */
#include "asm.h"

/*
 * Vectors in flight: as many are encrypted side by side.  Another number is more than a change here: _next_tweaks relies on how
 * far apart the vectors of two groups are, and without EVEX four take all registers that there are.
 */
#define VECTORS 4

/* ---- Data ---- */

.section .rodata.lc_aes_xts, "a", @progbits
.p2align 6
.Lpoly:             /* x^7 + x^2 + x + 1, for carry-less products */
    .quad 0x87, 0
    /*
     * Shuffles that shift 16 bytes by k: down at .Lbyte_shift + k, up at .Lbyte_shift - k; zeros come in.  And a mask of all bytes
     * but the first r, at .Lones - r, with 15 zeros before it.
     */
.Lones:
    .fill 16, 1, -1
.Lbyte_shift:
    .byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
.Lleave_bits:       /* (0xf0 is no index, as -1 isn't.)  See _begin_doubling. */
    .byte 0xf0, -1, -1, -1, -1, -1, -1, -1, 0xf0, -1, -1, -1, -1, -1, -1, -1
.set .Lmask_48, . - 6       /* the mask of 48 bytes, as 64 bits; zeros follow */
.set .Lmask_word_0, . - 2   /* the low word of a lane */
.Lshift_left:       /* n, for both halves of lane n */
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    .quad \n, \n
    .endr
.Lshift_right:      /* 64 - n, the same */
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    .quad 64 - \n, 64 - \n
    .endr
#ifndef LC_SMALL
    /*
     * n, then 64 - n, for the halves of a last vector in which stealing begins, a byte each (512 bits): to encrypt, then to
     * decrypt.  Its first lane has the last whole block, whose number is one more when a unit is decrypted; the third and fourth
     * have the first two blocks, and the second one the third; or, of only two blocks, the second one has the first.  For 2, 3 and
     * 4 blocks, then for one vector more, where it may be one block, too: 5 to 8.
     */
.macro _steal_lanes lanes:vararg
    .irp n, \lanes
    .byte \n, \n
    .endr
    .irp n, \lanes
    .byte 64 - \n, 64 - \n
    .endr
.endm
.Lsteal_shifts:
    _steal_lanes 1,0,0,0
    _steal_lanes 2,0,0,0
    _steal_lanes 2,0,0,1
    _steal_lanes 3,0,0,1
    _steal_lanes 3,2,0,1
    _steal_lanes 4,2,0,1
    _steal_lanes 4,0,0,0
    _steal_lanes 5,0,0,0
    _steal_lanes 5,4,0,0
    _steal_lanes 6,4,0,0
    _steal_lanes 6,0,4,5
    _steal_lanes 7,0,4,5
    _steal_lanes 7,6,4,5
    _steal_lanes 8,6,4,5
#endif
.Lleave_index:      /* see _begin_doubling */
    .byte 1, -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1
.Lpoly_doubled:     /* what bits 127 and 63 turn into when a lane is doubled: x^128 = 0x87; x^64 is the high half's bit 0 */
    .quad 0x87, 1
    /* These five vectors are loaded by each group of 256-bit code: each is in one cache line, as it's at a multiple of 32. */
.Lcarries_256:      /* a shuffle: byte 3 of each dword, into words 0..3; both lanes */
    .rept 2
    .byte 3, -1, 7, -1, 11, -1, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1
    .endr
.Lpick_word_0:      /* shuffles: word n alone, in place of word 0; both lanes.  (0x87 is no index, as -1 isn't.) */
.set .Lleave_table, . + 1
    .rept 2
    .byte 0, 1, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87
    .endr
.Lpick_word_1:
    .rept 2
    .byte 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
    .endr
.Lpick_word_2:
    .rept 2
    .byte 4, 5, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
    .endr
.Lpick_word_3:
    .rept 2
    .byte 6, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
    .endr
.if (. - .Lcarries_256) != 160 || ((.Lcarries_256 - .Lpoly) & 31) != 0
    .error "what 256-bit code loads is to be at multiples of 32"
.endif
.Lcarries_512:      /* a shuffle: bytes 3 and 2 of dwords 0 and 2, into words 0..3 */
    .byte 3, -1, 2, -1, 11, -1, 10, -1, -1, -1, -1, -1, -1, -1, -1, -1

.text

/* ---- Registers ---- */

#define KEY       %rdi  /* struct lc_xts_key, plus KEY_BIAS */
#define DST       %rsi  /* where the next output goes */
#define SRC       %rdx  /* the next input */
#define LEN       %rcx  /* bytes of whole blocks left in this unit, without what stealing takes; 0 between units */
#define LEN32     %ecx  /* (a unit has at most 2^24 bytes) */
#define LEN8      %cl
#define TWEAK_PTR %r8   /* one unit: uint8_t[16], the iv, or a tweak */
#define UNITS     %r8   /* many units: struct lc_xts_units */
#define HOW       %r9d  /* HOW_ flags */
#define HOW8      %r9b
#define AFTER     %rax  /* what comes after these LEN bytes in this unit; 0: nothing, which is the usual case; else see AFTER_ */
#define AFTER32   %eax
#define AFTER8    %al
#define LEFT      %r10  /* bytes in the units after this one */
#define LEFT32    %r10d
#define TMP       %r11  /* scratch */
#define TMP32     %r11d
#define TMP8      %r11b
#define NEEDED    %r11  /* made by _count_needed */
#define NEEDED32  %r11d
#define PART      %k1   /* with EVEX: a bit for each byte of the last vector's text, or of what stealing exchanges */

/* enum lc_xts_how, src/xts_internal.h */
#define HOW_RETURN_TWEAK 1
#define HOW_ENCRYPTED 2
#define HOW_UNITS 4
/* of the function's own */
#define HOW_START_BIT 3
#define HOW_START (1 << HOW_START_BIT)  /* many units, and no iv has been encrypted yet */
#define HOW_MORE HOW_START              /* 512 bits, in a unit: two vectors come now, and a block or vectors follow: .Lmore */
#define HOW_KEYS 16                     /* round keys have been in registers */
#define HOW_STEAL 32                    /* 512 bits: this unit ends by stealing: it begins in a vector, or has its second step */
#define HOW_APART 64                    /* 512 bits: both steps are apart from the vectors, and this is the first */
#define HOW_THREE 128                   /* 512 bits: a vector before the last two goes with them: .Lthree */

/*
 * AFTER is 0 if nothing comes after the LEN bytes.  Else it is one of
 *
 *   length % 16 of the unit, and/or AFTER_NEXT    a block and so many bytes have been kept back for ciphertext stealing; the caller
 *                                                 wants the tweak that follows
 *   AFTER_NOT_KEPT, and that                      the same, but LEN still has the block: it may be the last one of a group
 *                                                 (128 bits, encryption)
 *   AFTER_PIPELINED                               the unit ends with this group, and TWEAK0..3 are the next unit's already
 *
 * So LEN + AFTER is more than LEN unless nothing comes after it: see _count_needed.
 */
#define AFTER_TAIL 15           /* mask of length % 16 */
#define AFTER_NEXT 16           /* (no more than a block's: the tweak that follows is one more) */
#define AFTER_PIPELINED 32
#define AFTER_NOT_KEPT 64

/*
 * LEN32 tells .Lblock what its block is.  16 or more: an ordinary one, the first of so many bytes.  While ciphertext is stolen no
 * whole blocks are left, and it is a mark for the step.
 */
#define STEAL_FIRST 1
#define STEAL_SECOND 0

/* struct lc_xts_key and struct lc_xts_units: asserted in C */
#define KEY_TWEAK 0
#define KEY_ENC 240
#define KEY_ROUNDS 480
#define KEY_DEC 496
#define UNITS_LEN 16
#define UNITS_INDEX 24      /* offset of the next tweak in UNITS_TWEAK; BATCH_LEN: they are used up */
#define UNITS_IV 32
#define UNITS_STEP 96
#define UNITS_TWEAK 144

/*
 * Memory operands of round key i, for the data and for the iv.  An instruction with a displacement of -128 .. 127 is three bytes
 * shorter.  So KEY points into the middle of the keys of the function's direction, and these and the number of rounds are within
 * reach: _bias_key has the numbers.
 */
#define DATA_KEY(i) DATA_SLOT+16*(i)(KEY)
#define TWEAK_KEY(i) TWEAK_SLOT+16*(i)(KEY)
#define NUM_ROUNDS ROUNDS_AT(KEY) /* 32 bits: 10, 12 or 14 */

/* KEY_BIAS: what is added to the struct's address.  DATA_SLOT, TWEAK_SLOT, ROUNDS_AT: offsets from there. */
.macro _bias_key dir
  .ifc \dir,enc
    .set DATA_SLOT, -128    /* slots to 111, rounds at 112 */
    .set KEY_BIAS, KEY_ENC - DATA_SLOT
  .else
    .set DATA_SLOT, -112    /* rounds at -128, slots to 127 */
    .set KEY_BIAS, KEY_DEC - DATA_SLOT
  .endif
    .set TWEAK_SLOT, KEY_TWEAK - KEY_BIAS
    .set ROUNDS_AT, KEY_ROUNDS - KEY_BIAS
.endm

.macro _name_registers
    _set_vectors

    /* A group's text */
    _name_vector DATA0, 0
    _name_vector DATA1, 1
    _name_vector DATA2, 2
    _name_vector DATA3, 3
    /* Tweaks of the next VECTORS vectors.  In the loop they are ready when a group begins. */
    _name_vector TWEAK0, 4
    _name_vector TWEAK1, 5
    _name_vector TWEAK2, 6
    _name_vector TWEAK3, 7
    /* A group's tweaks ^ last round key: what its last round adds */
    _name_vector LAST0, 8
    _name_vector LAST1, 9
    _name_vector LAST2, 10
    _name_vector LAST3, 11

    /*
     * TWEAK_XMM: tweak of the next single block.  As a whole: a unit's first tweak in all lanes, in _first_tweaks.  128 bits: it is
     * TWEAK0; 256 bits: in the place of TWEAK3, which nothing needs then.
     */
  .if VL == 16
    _name_vector TWEAK, 4
  .elseif VL == 32
    _name_vector TWEAK, 7
  .else
    _name_vector TWEAK, 12
  .endif
    /* While tweaks are made: four carries in each lane, then the products of these and POLY.  (512 bits: in the place of TWEAK) */
    .set PRODUCTS, V12
    _name_vector SCRATCH, 13
    /* In a batch of ivs: the step from iv to iv, then their round key */
    .set IV_STEP, V13
    .set IV_KEY, V13
    /* The round key in use, where not all of them are in registers */
  .if VL == 64
    _name_vector ROUND_KEY, 11  /* units of up to three vectors have no use for LAST3 */
  .else
    _name_vector ROUND_KEY, 14
  .endif
    /* .Lpoly in all lanes; VL > 16 */
    _name_vector POLY, 15
    /* In the places of POLY and PRODUCTS for VL = 16: _begin_doubling */
    _name_vector LEAVE, 15
    _name_vector LEAVE_TABLE, 12

  .if CODE == EVEX
    /* Round keys in all lanes.  AES-128 has 0 and 5 to 14, AES-192 0 and 3 to 14. */
    _name_vector ROUND_KEY0, 16
    _name_vector ROUND_KEY1, 17
    _name_vector ROUND_KEY2, 18
    _name_vector ROUND_KEY3, 19
    _name_vector ROUND_KEY4, 20
    _name_vector ROUND_KEY5, 21
    _name_vector ROUND_KEY6, 22
    _name_vector ROUND_KEY7, 23
    _name_vector ROUND_KEY8, 24
    _name_vector ROUND_KEY9, 25
    _name_vector ROUND_KEY10, 26
    _name_vector ROUND_KEY11, 27
    _name_vector ROUND_KEY12, 28
    _name_vector ROUND_KEY13, 29
    _name_vector ROUND_KEY14, 30
  .endif

    /* Round keys 0, when a group begins, and 14, among its rounds */
  .if CODE == EVEX
    .set FIRST_KEY, ROUND_KEY0
    .set LAST_KEY, ROUND_KEY14
  .else
    .set FIRST_KEY, ROUND_KEY
    .set LAST_KEY, SCRATCH
  .endif

  .if VL == 64
    /* .Lmask_word_0 and .Lcarries_512 in all lanes */
    .set WORD_0, V14
    .set CARRIES, V31
    /* Where tweaks are made by shifts, and TWEAK3 isn't there yet, or has been used */
    .set SCRATCH2, TWEAK3
    .set SCRATCH2_YMM, TWEAK3_YMM
  .else
    .set SCRATCH2, V14
  .endif

    /* Single blocks: the block; in ciphertext stealing a scratch register and the tweak of the second step */
  .if VL == 64
    .set BLOCK_XMM, DATA1_XMM                   /* where a last vector is */
    .set STEAL_XMM, DATA0_XMM
  .else
    .set BLOCK_XMM, DATA0_XMM
    .set STEAL_XMM, DATA1_XMM
  .endif
    .set STEAL_TWEAK_XMM, DATA2_XMM

    .set GROUP_LEN, VECTORS * VL
    /* The tweaks of a batch of units, 16 bytes for each unit: as many as VECTORS vectors hold */
    .set BATCH_LEN, VECTORS * VL
    /* Has .Lblock a part that stealing begins with round key 0 and the tweak in place?  (SSE would have more instructions.) */
    .set BLOCK_BEGUN, 0
  .if CODE == VEX
    _not_in_kernel .set BLOCK_BEGUN, 1
  .endif
    /* Units of at most so many bytes: .Lfew.  A kernel's are sectors, and longer. */
    .set FEW_LEN, 0
  .if VL == 64
    _not_in_kernel .set FEW_LEN, 2 * VL
  .endif
    /* Units of at most so many bytes: .Lahead.  Longer ones gain little by that, and each such length is a proof of its own. */
    .set AHEAD_LEN, 2048
    /*
     * Units that end by stealing, with at most so many bytes of whole blocks (a multiple of 16), have no groups, but two vectors
     * after two.  On Emerald Rapids 340 bytes take 97 cycles and not 108 (AES-256 140 and 145).  It gains there to 900 bytes, but
     * two times two vectors have some 40 instructions more than a group.  What they save, once a unit, is about as much: keys that
     * are loaded into registers and wiped, and two vectors of first tweaks.  So longer units might lose on Zen 5 (not measured).
     */
    .set PAIRS_LEN, 592
    /* Units of so many bytes or more have tweaks as for a group, and are not .Lfew, nor only single blocks. */
  .if FEW_LEN
    .set SHORTEST_LEN, FEW_LEN + 16
  .else
    .set SHORTEST_LEN, SHORT_LEN + 16
  .endif
    /* Are all round keys in registers? */
    .set ALL_KEYS, CODE == EVEX
    /* The struct has step, 2 * step and 4 * step.  From vector to vector it is VL / 16 times step: the entry number VL / 32. */
    .set UNITS_STEP_OF_VECTOR, UNITS_STEP + 16 * (VL / 32)
.endm

/*
 * Instructions that only calls for many units need.  A kernel's requests have one each: built with LC_ONE_UNIT, the functions don't
 * know HOW_UNITS.
 */
#ifdef LC_ONE_UNIT
.macro _many_units insn:vararg
.endm
#else
.macro _many_units insn:vararg
    \insn
.endm
#endif

.macro _if_more_units to
    _many_units test LEFT, LEFT
    _many_units jnz \to
.endm

#include "aes_rounds.h"

/*
 * _mov, _movu and _xor of V0 .. V15, whole or, with _16, their lower 16 or 32 bytes.  Where there is a VEX instruction it is two
 * bytes shorter than the EVEX one, and MOVUPS is a byte shorter than MOVDQU.
 */
.macro _mov_low s, d
.if CODE == EVEX && VL < 64
    vmovdqa \s, \d
.else
    _mov "\s", \d
.endif
.endm
.macro _movu_low s, d
.if CODE == SSE
    movups \s, \d
.elseif CODE == EVEX && VL < 64
    vmovdqu \s, \d
.else
    _movu "\s", "\d"
.endif
.endm
.macro _xor_low a, b, d
.if CODE == EVEX && VL < 64
    vpxor \a, \b, \d
.else
    _xor \a, \b, \d
.endif
.endm
.macro _mov_16 s, d
.if CODE == SSE
    movdqa \s, \d
.else
    vmovdqa \s, \d
.endif
.endm
.macro _movu_16 s, d
.if CODE == SSE
    movups \s, \d
.else
    vmovdqu \s, \d
.endif
.endm

/* ---- AES ---- */

/*
 * Go to `to10` for AES-128 and to `to12` for AES-192.  Slots of round keys are counted from the end (src/aes.h), so what these lack
 * is the first rounds: 1 to 4, or 1 and 2.
 */
.macro _skip_rounds to10, to12
    cmpl $12, NUM_ROUNDS
    jb \to10
    je \to12
.endm

/*
 * The whole AES on one 16-byte block, keys from memory; base points DATA_SLOT before slot 0.  Unrolled: with loops, for the iv and
 * for the data, 16-byte units took 10 cycles more.
 */
.macro _aes_block dir, base, block
    _xor DATA_SLOT(\base), \block, \block
    _middle_rounds_of_block \dir, \base, \block
    _aes \dir\()last, 16*14+DATA_SLOT(\base), \block
.endm
.macro _middle_rounds_of_block dir, base, block
    _skip_rounds .Lr10\@, .Lr12\@
    .irp r, 1,2
    _aes \dir, 16*\r+DATA_SLOT(\base), \block
    .endr
.Lr12\@:
    .irp r, 3,4
    _aes \dir, 16*\r+DATA_SLOT(\base), \block
    .endr
.Lr10\@:
    .irp r, 5,6,7,8,9,10,11,12,13
    _aes \dir, 16*\r+DATA_SLOT(\base), \block
    .endr
.endm
/*
 * The whole AES on the iv, in all lanes of TWEAK.  A unit's time is the chain from its iv to its last text.  A shuffle across lanes
 * takes 5 cycles of it on Zen 5; that the keys come into all lanes takes none.  (512 bits)
 */
.macro _aes_iv
    _load_lanes TWEAK_KEY(0), ROUND_KEY
    _xor ROUND_KEY, TWEAK, TWEAK
    _skip_rounds .Lr10\@, .Lr12\@
    .irp r, 1,2
    _iv_round enc, \r
    .endr
.Lr12\@:
    .irp r, 3,4
    _iv_round enc, \r
    .endr
.Lr10\@:
    .irp r, 5,6,7,8,9,10,11,12,13
    _iv_round enc, \r
    .endr
    _iv_round enclast, 14
.endm
.macro _iv_round which, r
    _load_lanes TWEAK_KEY(\r), ROUND_KEY
    _aes \which, ROUND_KEY, TWEAK
.endm

/* The macro `insn`, first operand: a register with round key r.  That is its own if ALL_KEYS are loaded; else it is loaded now. */
.macro _with_key r, insn, operands:vararg
  .if ALL_KEYS
    \insn ROUND_KEY\r, \operands
  .else
    _load_lanes DATA_KEY(\r), ROUND_KEY
    \insn ROUND_KEY, \operands
  .endif
.endm

/* One round on DATA0 .. DATA<n - 1> */
.macro _aes_vectors key, dir, n
    _for_each \n, _aes \dir, \key, DATA\i
.endm

/*
 * Rounds 1 to 13 on DATA0 .. DATA<n - 1>, or what else the macro `vectors` takes n for; after round TWEAKS_ROUND comes the macro
 * `tweaks`, with its argument; and after round 2, which only AES-256 has, the macro `hold`.
 */
.macro _middle_rounds dir, n, tweaks, vectors=_aes_vectors, hold
    _skip_rounds .Lr10\@, .Lr12\@
    .irp r, 1,2
    _with_key \r, \vectors, \dir, \n
    .endr
    \hold
.Lr12\@:
    .irp r, 3,4
    _with_key \r, \vectors, \dir, \n
    .endr
.Lr10\@:
    .irp r, 5,6,7,8,9,10,11,12,13
    _with_key \r, \vectors, \dir, \n
  .if \r == TWEAKS_ROUND
    \tweaks
  .endif
    .endr
.endm

/*
 * A block of data, and rounds 1 to 13 of a vector of it: with LC_SMALL in loops, unless the vector's keys are in registers.
 * Sectors have neither.
 */
#ifdef LC_SMALL
.macro _aes_data_block dir
    _xor DATA_KEY(0), BLOCK_XMM, BLOCK_XMM
    _count_rounds NUM_ROUNDS, TMP32, TMP
1:  _aes_at \dir, DATA_SLOT+SLOT_14, KEY, TMP, BLOCK_XMM
    add $16, TMP
    jnz 1b
    _aes \dir\()last, DATA_KEY(14), BLOCK_XMM
.endm
.macro _aes_at dir, disp, base, index, d
    _aes \dir, "\disp(\base,\index)", \d
.endm
.macro _middle_rounds_of_one dir
  .if ALL_KEYS
    _middle_rounds \dir, 1
  .else
    _count_rounds NUM_ROUNDS, TMP32, TMP
1:  _load_lanes_at DATA_SLOT+SLOT_14, KEY, TMP, ROUND_KEY
    _aes \dir, ROUND_KEY, DATA0
    add $16, TMP
    jnz 1b
  .endif
.endm
#else
.macro _aes_data_block dir
    _aes_block \dir, KEY, BLOCK_XMM
.endm
.macro _middle_rounds_of_one dir
    _middle_rounds \dir, 1
.endm
#endif

/*
 * BLOCK_XMM = AES(BLOCK_XMM ^ TWEAK_XMM) ^ TWEAK_XMM.  What doesn't need the block is done beside it, in LAST0_XMM, which functions
 * wipe in the end: stealing waits for two blocks, one after the other.
 */
.macro _xts_block dir
#ifndef LC_SMALL
  .if CODE == EVEX
    vpternlogd $0x96, DATA_KEY(0), TWEAK_XMM, BLOCK_XMM
    _xts_block_begun \dir
    .exitm
  .endif
#endif
    _xor TWEAK_XMM, BLOCK_XMM, BLOCK_XMM
    _aes_data_block \dir
    _xor TWEAK_XMM, BLOCK_XMM, BLOCK_XMM
.endm

/* The same when BLOCK_XMM has been xored with the tweak and round key 0 */
.macro _xts_block_begun dir
    vpxor DATA_KEY(14), TWEAK_XMM, LAST0_XMM
    _middle_rounds_of_block \dir, KEY, BLOCK_XMM
    _aes \dir\()last, LAST0_XMM, BLOCK_XMM
.endm

/* ---- Tweaks ---- */

/*
 * NEEDED = LEN + AFTER.  A block has 16 bytes and so has its tweak, and AFTER is 0 if nothing comes after the LEN bytes.  So one
 * comparison says whether more tweaks are needed:
 *
 *   NEEDED <= n           n bytes of tweaks are all that the unit needs (but for stealing's second one, which is a doubling)
 *   NEEDED == 0           the unit has ended
 *
 * In a group, where LEN is no less than GROUP_LEN, NEEDED is less by that: 0 says that nothing comes after this group.
 */
.macro _count_needed less=
    lea \less(LEN, AFTER), NEEDED
.endm

/*
 * d = s * x in each 16-byte lane, a doubling: see _next_tweaks, k = 1.  xmm registers; t is clobbered.  s may be d.
 *
 * PADDQ doubles both halves by themselves.  The bits that leave them, 127 and 63, come back as .Lpoly_doubled, by a mask: PSRAD
 * makes each dword all ones or all zeros by its sign, and PSHUFD $0x13 takes dword 3 to dword 0 and dword 1 to dword 2.
 */
.macro _double s, d, t
.if CODE == SSE
    movdqa \s, \t
    psrad $31, \t
    pshufd $0x13, \t, \t
    pand .Lpoly_doubled(%rip), \t
  .ifnc \s,\d
    movdqa \s, \d
  .endif
    paddq \d, \d
    pxor \t, \d
.else
    vpsrad $31, \s, \t
    vpaddq \s, \s, \d
    vpshufd $0x13, \t, \t
    vpand .Lpoly_doubled(%rip), \t, \t
    vpxor \d, \t, \d
.endif
.endm

/*
 * The same for up to four doublings in a row from `first` on (128 bits), but what leaves both halves is known beforehand: these are
 * the top bits of bytes 15 and 7 of `first`, as what comes in stays below.  So from tweak to tweak it is an addition and a xor.
 * With _double it is four instructions, and on Zen 5, where each takes two cycles, AES-128 waited for them: 34 cycles for four
 * blocks, not 22.  more: does another one follow?
 *
 * What comes in is made by a byte shuffle of LEAVE_TABLE.  Its pattern, LEAVE, begins as `first` rotated by a byte: bytes 15 and 7
 * are bytes 0 and 8.  There the four bits are kept, inverted, above an index of four bits, which is 1 and 0.  A byte whose top bit
 * is set gives 0.  Else nothing of it is left but the index, shifted as often as the bits: 1, 2, 4, 8, all of which are 0x87 in the
 * table, and 0, which is 1.  All other bytes of LEAVE have ones above, more than are shifted out.
 *
 * By a sign (PSRAD) and a mask it is an instruction more for each tweak, and on Intel one that only AES's ports have.  These bound
 * the loop: on Granite Rapids units of 1600 bytes took 10 % longer so, AES-256.  A shift in place of the rotation, which is on the
 * chain from tweaks to tweaks, lost more than that.
 */
.macro _begin_doubling first
.if CODE == SSE
    movdqa \first, LEAVE
    palignr $15, LEAVE, LEAVE
    pandn .Lleave_bits(%rip), LEAVE
    por .Lleave_index(%rip), LEAVE
.else
    vpalignr $15, \first, \first, LEAVE
    vpandn .Lleave_bits(%rip), LEAVE, LEAVE
    vpor .Lleave_index(%rip), LEAVE, LEAVE
.endif
    _movu_low .Lleave_table(%rip), LEAVE_TABLE
.endm
.macro _double_next s, d, more=1
.if CODE == SSE
    movdqa LEAVE_TABLE, SCRATCH
    pshufb LEAVE, SCRATCH
  .if \more
    paddd LEAVE, LEAVE
  .endif
    movdqa \s, \d
    paddq \d, \d
    pxor SCRATCH, \d
.else
    vpshufb LEAVE, LEAVE_TABLE, SCRATCH
  .if \more
    vpaddd LEAVE, LEAVE, LEAVE
  .endif
    vpaddq \s, \s, \d
    vpxor SCRATCH, \d, \d
.endif
.endm
/* TWEAK1..3 from TWEAK0, of which _begin_doubling was told, or of the tweak before it */
.macro _doublings
    _double_next TWEAK0, TWEAK1
    _double_next TWEAK1, TWEAK2
    _double_next TWEAK2, TWEAK3, 0
.endm

/*
 * How the next group's tweaks are made: _next_tweaks and the macros before it.
 *
 * -- Multiplying by x^k
 *
 * docs/xts.md, "The field", has it in full.  A tweak is read as a little-endian number whose bit i is the coefficient of x^i, so
 * multiplying by x^k is a shift to the left by k bits.  The k bits that fall out at the top, as a number of their own, are
 * c = T >> (128 - k).  They stand for c * x^128, and x^128 is the same as x^7 + x^2 + x + 1, which as a number is 0x87.  With clmul
 * for the product of polynomials, the carry-less one,
 *
 *     T * x^k = (T << k) ^ clmul(c, 0x87)
 *
 * The product has at most k + 7 bits, so nothing has to be reduced a second time.
 *
 * k = 1 is a doubling.  A unit's tweaks could be doubled one after the other, but that is a chain of several instructions for each
 * block, and AES on whole vectors is faster.  (128-bit code does it: there the AES unit leaves time enough.)
 *
 * k = 8 suits vectors.  All lanes are multiplied by the same x^8; the shift is one of a whole byte (VPSLLDQ); c is the top byte,
 * T[15]; and the product, of at most 15 bits, changes bytes 0 and 1 only.
 *
 * -- One multiply for four carries
 *
 * VPCLMULQDQ multiplies 64 bits in each lane, and a carry has 8.  Let four carries c0 to c3 be words of 16 bits in the operand.  As
 * no product has more than 15 bits, they don't run into each other:
 *
 *     clmul(c0 | c1 << 16 | c2 << 32 | c3 << 48, 0x87) = p0 | p1 << 16 | p2 << 32 | p3 << 48,   pn = clmul(cn, 0x87)
 *
 * So there is one multiply where there would be four, and no more instructions: those that gather the carries and take the products
 * apart replace the ones that would single out a carry and multiply it.  On Intel multiplies cost little, as p5 has time.  On AMD
 * each takes an AES slot (512 bits) or two (256 bits).
 *
 * -- 256 bits: two blocks a vector, eight a group
 *
 * The next group's tweaks T' are eight blocks further on, so Tn' = Tn * x^8.  The carries are T0[15], T1[15], T2[15], T3[15].
 *
 * -- 512 bits: four blocks a vector, sixteen a group
 *
 * T2 is eight blocks after T0, and T0' eight after T2.  The same goes for T1, T3 and T1'.  So
 *
 *     T0' = T2 * x^8      T1' = T3 * x^8
 *     T2' = T0' * x^8     T3' = T1' * x^8
 *
 * It seems that T2' has to wait for T0', of which it needs the top byte.  But T0' is T2 shifted up by a byte, and the product
 * changes only its two lowest bytes.  So T0'[15] is T2[14], which is there already, and T1'[15] is T3[14].  All four carries are
 * known from the start: T2[15], T2[14], T3[15], T3[14].
 *
 * -- What lost, on Zen 4
 *
 *     a multiply for each vector                                  2 .. 4 % slower from 1 KB up
 *     c * 0x87 by additions and VPMULTISHIFTQB, no multiply       2 %
 *     bit shifts in its place                                     not tried: on Intel they are in the AES unit's way
 *     GFNI's affine transformation in its place                   not tried: on AMD it takes an AES slot as well
 */

/* PRODUCTS, words 0..3 of each lane = the products of s0[15], s0[14], s1[15], s1[14].  (512 bits) */
.macro _products_512 s0, s1
    vshufps $0xff, \s1, \s0, PRODUCTS       /* dwords 0, 1: top dword of s0; dwords 2, 3: of s1 */
    vpshufb CARRIES, PRODUCTS, PRODUCTS
    vpclmulqdq $0x00, POLY, PRODUCTS, PRODUCTS
.endm

/* PRODUCTS, words 0..3 of each lane = the products of TWEAK0[15] .. TWEAK3[15]; SCRATCH is clobbered.  (256 bits) */
.macro _products_256
    vshufps $0xff, TWEAK1, TWEAK0, PRODUCTS
    vshufps $0xff, TWEAK3, TWEAK2, SCRATCH
    vshufps $0x88, SCRATCH, PRODUCTS, PRODUCTS      /* the top dwords of TWEAK0..3 */
    vpshufb .Lcarries_256(%rip), PRODUCTS, PRODUCTS
    vpclmulqdq $0x00, POLY, PRODUCTS, PRODUCTS
.endm

/* d = s * x^8 with the product in word n of PRODUCTS; SCRATCH is clobbered. */
.macro _times_x8 s, n, d
    vpslldq $1, \s, \d
  .if VL == 32
    vpshufb .Lpick_word_\n(%rip), PRODUCTS, SCRATCH
    _xor_low SCRATCH, \d, \d
  .elseif \n == 0
    _xor_masked PRODUCTS, WORD_0, \d
  .else
    vpsrldq $2 * \n, PRODUCTS, SCRATCH              /* word n to word 0 */
    _xor_masked SCRATCH, WORD_0, \d
  .endif
.endm

/* d = s * x^8, with a multiply of its own: d = SCRATCH ^ t; t may be d.  Before that comes `insn`.  (512 bits) */
.macro _times_x8_alone s, t, d, insn:vararg
    vpsrldq $15, \s, SCRATCH
    vpclmulqdq $0x00, POLY, SCRATCH, SCRATCH
    vpslldq $1, \s, \t
    \insn
    _xor SCRATCH, \t, \d
.endm

/* d ^= a & mask (EVEX) */
.macro _xor_masked a, mask, d
    vpternlogd $0x78, \mask, \a, \d
.endm

/*
 * TWEAK0..3 = the tweaks of the group after this one; PRODUCTS and SCRATCH are clobbered.  512 bits: goes to `enough` when the unit
 * has no use for more than TWEAK0.
 */
.macro _next_tweaks enough
  .if VL == 16
    _begin_doubling TWEAK3
    _double_next TWEAK3, TWEAK0
    _doublings
  .elseif VL == 32
    _products_256
    _times_x8 TWEAK0, 0, TWEAK0
    _times_x8 TWEAK1, 1, TWEAK1
    _times_x8 TWEAK2, 2, TWEAK2
    _times_x8 TWEAK3, 3, TWEAK3
  .else
    _products_512 TWEAK2, TWEAK3
    _times_x8 TWEAK2, 0, TWEAK0
    cmp $VL, NEEDED
    jbe \enough
    _times_x8 TWEAK3, 2, TWEAK1
    _times_x8 TWEAK0, 1, TWEAK2
    _times_x8 TWEAK1, 3, TWEAK3
  .endif
.endm

/*
 * TWEAK0..3 from the unit's first tweak in TWEAK_XMM, or in all lanes of TWEAK (512 bits, but not in a kernel); TWEAK, PRODUCTS,
 * SCRATCH and SCRATCH2 are clobbered.  Goes to `enough` as soon as the unit has no use for more; 512 bits: if it has less than a
 * group, or is done in pairs (HOW_STEAL).
 *
 * They are made from T alone, not one from the other: block n has T * x^n, n = 0 .. 7 or 15, and the formula is that of
 * _next_tweaks with another k in each lane.  No instruction shifts 128 bits by a number of its own for each lane.  VPSLLVQ and
 * VPSRLVQ do so with 64-bit halves.  Let T be high:low, and S both halves shifted down:
 *
 *     S_low  = low >> (64 - n)      the bits that leave the low half; they enter the high half at its bottom
 *     S_high = high >> (64 - n)     the bits that leave the high half: the carry c, for the product
 *
 *     T * x^n = (high << n ^ S_low):(low << n) ^ clmul(S_high, 0x87)
 *
 * n = 0 makes a shift by 64, which gives 0 in these instructions, as it should.  For n = 7 the product has 7 + 7 bits, and changes
 * the low half only.
 *
 * 256-bit vectors hold the eight lanes in four vectors, 512-bit ones in two.  The other two of these have n = 8 .. 15, and a
 * product of at most 22 bits.  (They could be made of the first two: times x^8.  That is an instruction less, but the text of a
 * unit of 512 bytes waited for them: 112 cycles on Zen 5, not 107.  Less than a group does so, .Lthree and .Lmore: waiting is no
 * matter there, and instructions are.  Directly, 160 to 240 bytes took 3 to 6 % more on Zen 5, and 160 to 192 took 6 % more on
 * Granite Rapids, whose AES port has the shifts.)  128-bit vectors are doubled.
 */
.macro _first_tweaks enough
  .if VL == 16
    _begin_doubling TWEAK0
    _doublings
  .else
   .if VL == 32
    .if CODE == EVEX
    vinserti32x4 $1, TWEAK_XMM, TWEAK, TWEAK
    .else
    vinserti128 $1, TWEAK_XMM, TWEAK, TWEAK
    .endif
   .else
    .if FEW_LEN == 0
    _load_lanes .Lpoly(%rip), POLY
    vshufi32x4 $0, TWEAK, TWEAK, TWEAK
    .endif
   .endif
    _shifted_tweaks 0, TWEAK0
   .if VL == 32
    _count_needed
    cmp $VL, NEEDED
    jbe \enough
   .endif
    _shifted_tweaks 1, TWEAK1
   .if VL == 32
    cmp $2 * VL, NEEDED
    jbe \enough
   .elseif FEW_LEN
    test $HOW_STEAL, HOW8
    jnz \enough
    cmp $GROUP_LEN, LEN32
    jb \enough
   .endif
    _shifted_tweaks 2, TWEAK2
    _shifted_tweaks 3, TWEAK3, PRODUCTS
  .endif
.endm

/* d = the tweaks of vector i from TWEAK, the first one in all lanes; scratch is clobbered.  Either may be TWEAK. */
.macro _shifted_tweaks i, d, scratch=SCRATCH2
    _shifted .Lshift_left+VL*\i, .Lshift_right+VL*\i, \d, \scratch, , (%rip)
.endm
/* left and right: n and 64 - n, registers, or where they are in memory, from `at` on; suffix: of the other registers' names */
.macro _shifted left, right, d, scratch, suffix, at:vararg
    vpsrlvq \right\at, TWEAK\suffix, SCRATCH\suffix                   /* S */
    vpsllvq \left\at, TWEAK\suffix, \d
    vpclmulqdq $0x01, POLY\suffix, SCRATCH\suffix, \scratch\suffix    /* clmul(S_high, 0x87) */
    vpslldq $8, SCRATCH\suffix, SCRATCH\suffix                        /* S_low in the high half, 0 in the low one */
    _xor3 SCRATCH\suffix, \scratch\suffix, \d
.endm

/*
 * The same for the first lane of ymm d, LEN + `more` bytes after TWEAK_XMM: up to 9 blocks, and the product has up to 16 bits.
 * TMP = .Lshift_left.  (512 bits.  For two lanes, as PCLMULQDQ is another feature than VPCLMULQDQ.)
 */
.macro _tweak_after_len more, d
    _shifted \more, .Lshift_right-.Lshift_left+\more, \d, SCRATCH2, _YMM, (TMP,LEN)
.endm

/*
 * For a last vector in which stealing begins: TWEAK1 = its tweaks, made of TWEAK, that of what is left, in all lanes; and TWEAK_XMM
 * = that of the second step.  See .Lsteal: decryption takes T[m + 1] in the place of T[m].  (512 bits)
 */
.macro _steal_tweaks dir
    lea .Lshift_left(%rip), TMP
  .ifc \dir,enc
    .set STEAL_AFTER, 0
  .else
    .set STEAL_AFTER, 16
  .endif
    vpmovzxbq .Lsteal_shifts-.Lshift_left-2*32+STEAL_AFTER(TMP,LEN,2), TWEAK1
    vpmovzxbq .Lsteal_shifts-.Lshift_left-2*32+STEAL_AFTER+8(TMP,LEN,2), SCRATCH2
    _shifted TWEAK1, SCRATCH2, TWEAK1, SCRATCH2
    _tweak_after_len -STEAL_AFTER, TWEAK_YMM
.endm

/* Among a group's rounds: LAST0..3, and the tweaks of what comes after it.  n: the number in the body's labels. */
.macro _group_tweaks n
  .if CODE != EVEX
    _load_lanes DATA_KEY(14), LAST_KEY
    _for_each VECTORS, _last_key \i
  .endif
    _count_needed -GROUP_LEN
    test NEEDED, NEEDED
#ifdef LC_ONE_UNIT
    jz .Ltweaks_done\n          /* nothing comes after it */
#else
    jz .Llast_group\n           /* nothing of this unit */
#endif
    _next_tweaks .Ltweaks_done\n
.Ltweaks_done\n:
.endm

/* ---- The parts of a group, and its end ---- */

/*
 * Vector i of a group: DATA = input ^ tweak ^ round key 0, which begins AES, and LAST = tweak ^ round key 14.  With that for a key
 * the last round also does the xor with the tweak that ends XTS.  Before the rounds it is in their way: there it made 4096 bytes 3
 * to 4 % longer by 128 bits and AVX2 (Granite Rapids, AES-128).  With EVEX it stands there all the same: among the rounds it
 * gained 1 %, but by 256 bits 1420 to 1550 bytes took 5 % longer.
 */
.macro _load_data i
  .if CODE == VEX
    vpxor VL*\i(SRC), FIRST_KEY, DATA\i
    vpxor TWEAK\i, DATA\i, DATA\i
  .else
    _movu_low VL*\i(SRC), DATA\i
    _xor3 FIRST_KEY, TWEAK\i, DATA\i
  .endif
  .if CODE == EVEX
    _last_key \i
  .endif
.endm
.macro _last_key i
    _xor LAST_KEY, TWEAK\i, LAST\i
.endm

/*
 * Ciphertext stealing: the first r = AFTER bytes of X, BLOCK_XMM, and the r bytes that follow the last whole block change places.
 * at: where these are, from SRC and DST.  As dst may be src, they are loaded before X's are stored.  (EVEX)
 */
.macro _exchange_part at
    _load_part \at, STEAL_XMM
    vmovdqu8 BLOCK_XMM, \at(DST){PART}
    vmovdqu8 STEAL_XMM, BLOCK_XMM{PART}
.endm
.macro _load_part at, d
    bzhi AFTER32, .Lones(%rip), TMP32
    kmovd TMP32, PART
    vmovdqu8 \at(SRC), \d{PART}{z}
.endm
/*
 * The same, and X ^= the tweak ^ round key 0.  All that is made without waiting for X, in LAST0_XMM, which functions wipe in the
 * end.  Then X = (X & mask) ^ that.  (512 bits)
 */
.macro _exchange_part_begin at
    _load_part \at, LAST0_XMM
    lea .Lones(%rip), TMP
    sub AFTER, TMP
    vpternlogd $0x96, DATA_KEY(0), TWEAK_XMM, LAST0_XMM
    vmovdqu (TMP), SCRATCH_XMM
    vmovdqu8 BLOCK_XMM, \at(DST){PART}
    vpternlogd $0x6a, LAST0_XMM, SCRATCH_XMM, BLOCK_XMM
.endm

/*
 * The last n = 1 or 2 vectors of a unit, whose tweaks are there, and where they lead: .Lfew, with round keys that are loaded as
 * they are needed.  So they may have been loaded, or not.  After two vectors there may be more, when that is left: HOW_MORE.  The
 * last vector is DATA1; the first one of two is DATA0.
 *
 * The last vector may be a part, under a mask.  But what is stored under one can't be forwarded to a load: units of 64 bytes, in
 * place again and again, would take 5 cycles more on Zen 5.  So only 48 bytes have one.
 */
.macro _few_vectors dir, n, fn
    .set LAST_AT, (\n - 1) * VL
.Lfew_\n\fn:
    cmp $LAST_AT + 48, LEN32
    ja 2f
    jb 1f
    kmovq .Lmask_48(%rip), PART
    vmovdqu8 LAST_AT(SRC), DATA1{PART}{z}
    jmp .Lfew_loaded_\n\fn
1:
  .if \n == 2                                   /* one has 32 bytes at least: .Lone */
    cmp $LAST_AT + 32, LEN32
    je 1f
    vmovdqu LAST_AT(SRC), DATA1_XMM
    jmp .Lfew_loaded_\n\fn
1:
  .endif
    vmovdqu LAST_AT(SRC), DATA1_YMM
    jmp .Lfew_loaded_\n\fn
2:  _movu_low LAST_AT(SRC), DATA1
.Lfew_loaded_\n\fn:
  .if \n == 2
    _movu_low (SRC), DATA0
  .endif
    .set ALL_KEYS, 0
    _with_key 0, _begin_last, \n
    _with_key 14, _last_keys, \n
  .if \n == 2
    test $HOW_THREE, HOW8
    jnz .Lthree_rounds\fn
  .endif
  .if \n == 2
    _middle_rounds \dir, \n, , _aes_last_vectors, _hold
  .else
    _middle_rounds \dir, \n, , _aes_last_vectors
  .endif
    .set ALL_KEYS, CODE == EVEX
  .if \n == 2
.Lfew_rounds_done\fn:
  .endif
    _for_last \n, _aes \dir\()last, LAST\i, DATA\i
  .if \n == 2
    _movu_low DATA0, (DST)
    test $HOW_STEAL + HOW_MORE, HOW8
    jnz .Lfew_others\fn
  .else
    test $HOW_STEAL, HOW8
    jnz .Lfew_stolen\fn
  .endif
    cmp $LAST_AT + 48, LEN32
    jb 1f
    ja 2f
    vmovdqu8 DATA1, LAST_AT(DST){PART}
    jmp 4f
2:  _movu_low DATA1, LAST_AT(DST)
    jmp 4f
1:
  .if \n == 2
    cmp $LAST_AT + 32, LEN32
    je 3f
    vmovdqu DATA1_XMM, LAST_AT(DST)
    jmp 4f
3:
  .endif
    vmovdqu DATA1_YMM, LAST_AT(DST)
4:  test $~HOW_ENCRYPTED, HOW8                  /* a unit by itself, as most are? */
    jnz .Lfew_done\fn
  .if \n == 2
    _wipe LAST0_XMM
  .endif                                        /* as .Lend, one jump less */
    _wipe LAST1_XMM
    _wipe ROUND_KEY_XMM
    vzeroupper
    RETURN
.endm
/* `insn` for the last n of two vectors, where \i stands for their numbers */
.macro _for_last n, insn:vararg
.irp i, 0,1
.if \i >= 2 - \n
    \insn
.endif
.endr
.endm
.macro _begin_last key, n
    _for_last \n, _xor3 \key, TWEAK\i, DATA\i
.endm
.macro _last_keys key, n
    _for_last \n, _xor \key, TWEAK\i, LAST\i
.endm
.macro _aes_last_vectors key, dir, n
    _for_last \n, _aes \dir, \key, DATA\i
.endm
/*
 * POLY = POLY, but not before DATA1 is there.  Where four vectors are done two by two, the tweaks of the second two are made with
 * POLY, so their rounds begin a little after those of the first two.  All four at once keep Intel's only port for rounds of 512
 * bits busy, and the next call's iv, which is younger, gets no turn.  With AES-256, 208 to 240 bytes take 90 cycles and not 97
 * (Emerald Rapids); in a chain, each iv being the output before it, 150 and not 147.  Each further round would gain 2.5 cycles and
 * cost 1.3 in a chain.  On Zen 5 it might cost the latency of a round, so it is no more than two.  One round of AES-128 gained 1 %,
 * and cost 1.5 % in a chain.
 */
.macro _hold
    vpternlogd $0xf0, DATA1, DATA1, POLY        /* the first of three operands, which is the last one here */
.endm
/* A unit's vectors are done, LEN bytes from SRC on. */
.macro _vectors_done fn
  .if FEW_LEN
    test $HOW_RETURN_TWEAK, HOW8                /* (HOW_APART is without vectors) */
  .else
    test $HOW_RETURN_TWEAK + HOW_APART, HOW8
  .endif
    jnz .Lafter\fn
    _many_units add LEN, SRC
    _many_units add LEN, DST
    _many_units xor LEN32, LEN32
    jmp .Lunit_end\fn
.endm

/* d = 0, d being xmm8 or above.  (What is xored with itself is no operand at all; a register below 8 is a byte less.) */
.macro _wipe d
    vpxor %xmm0, %xmm0, \d
.endm

/*
 * Leave no round keys in registers, nor what is xored with one.  Registers 16 and up matter most: hardly any other code uses them,
 * so keys would stay there, and get into signal frames and core dumps.  (With VEX or EVEX, zeroing an xmm register zeroes all of
 * it.)
 */
.macro _wipe_keys
  .if CODE == SSE
    .irp v, LAST0_XMM, LAST1_XMM, LAST2_XMM, LAST3_XMM, SCRATCH_XMM, ROUND_KEY_XMM  /* SCRATCH: as LAST_KEY and IV_KEY */
    pxor \v, \v
    .endr
  .else
    _wipe LAST2_XMM
    _wipe SCRATCH_XMM
   .if VL < 64                                  /* the others: at .Lend */
    .irp v, LAST1_XMM, LAST3_XMM, ROUND_KEY_XMM
    _wipe \v
    .endr
   .endif
  .endif
  .if CODE == EVEX
    _each_key _wipe_key
  .endif
.endm
.macro _wipe_key r
    vpxord ROUND_KEY\r\()_XMM, ROUND_KEY\r\()_XMM, ROUND_KEY\r\()_XMM
.endm
.macro _load_key r
    _load_lanes DATA_KEY(\r), ROUND_KEY\r
.endm
/*
 * The macro `insn` for all slots of round keys (EVEX).  Shorter keys leave some unused, and don't need them here either: to jump
 * over these is 16 bytes more, and on Granite Rapids AES-128 of 288 to 448 bytes takes 2 % less so, AES-256 1 % more.
 */
.macro _each_key insn
    .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14
    \insn \r
    .endr
.endm

/* ---- The body ---- */

/*
 * A unit of a few 512-bit vectors that .Lfew does not take goes to the code for 256 bits.  On Zen 4, which does 512 bits in two
 * steps, that is up to 15 % faster; AES-256 of 192 bytes is 5 % slower.  Not so where the units are as wide as the vectors: on
 * Zen 5 it took 25 to 58 % longer for 144 to 256 bytes, and 18 to 26 % up to 352.
 */
.macro _narrow_units dir
    _many_units test $HOW_UNITS, HOW8
    _many_units jnz 1f
  .if FEW_LEN
    cmp $FEW_LEN + 15, LEN
    jbe 1f
  .endif
    cmp $352, LEN
    _jump_to jbe, aes_xts_\dir\()rypt_vaes_avx512_256
1:
.endm

/* TWEAK, each lane = the iv, loaded in two halves: see _load_halves */
.macro _load_iv_lanes
    vpbroadcastq (TWEAK_PTR), TWEAK
    vpbroadcastq 8(TWEAK_PTR), SCRATCH
    vpunpcklqdq SCRATCH, TWEAK, TWEAK
.endm

/*
 * void lc_aes_xts_{enc,dec}rypt_<impl>(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len,
 *                                      union lc_xts_tweak tweak, unsigned how);
 *
 * dst = the data units in src, encrypted or decrypted.  key: 16-byte aligned; nothing else need be.  dst and src: len bytes, equal
 * or disjoint; reads and writes stay within them.
 *
 * how without HOW_UNITS: one unit, or a piece of one.  len: at least 16 bytes, and a multiple of 16 unless the unit
 * ends with it; or 0, if it is only the tweak that is wanted.  tweak: 16 bytes, the iv, or with HOW_ENCRYPTED the tweak
 * of the piece's first block; with HOW_RETURN_TWEAK that of the block after the piece is stored there (nothing useful
 * if the unit has ended by stealing).
 *
 * how = HOW_UNITS: as many units as there are.  len > 0.  tweak: struct lc_xts_units, 16-byte aligned;
 * units of unit_len bytes each, the last one may be shorter, but each has at least 16 bytes.
 *
 * Clobbers rax, rcx, rdx, rsi, rdi, r8-r11, the flags, all vector registers; k1 with EVEX.  No stack.
 * Constant time: branches and addresses depend on the lengths, the number of rounds and how only.
 */
.macro _aes_xts impl, dir
    _bias_key \dir
    /* 256 bits: may the last vector have the block with which stealing begins?  Encryption's tweaks are in order. */
    .set STEAL_IN_VECTOR, 0
    /* 128 bits: may a group end with it?  (By 256 bits it gained less than 1 % there, and 257 bytes took up to 5 % longer.) */
    .set STEAL_IN_GROUP, 0
  .ifc \dir,enc
    .set STEAL_IN_VECTOR, VL == 32
    _not_in_kernel .set STEAL_IN_GROUP, VL == 16
  .endif

  .if CODE == EVEX || VL == 16
    /* .Lshort_iv is aligned so, too: what comes before it doesn't depend on other rows' lengths.  256 bits: units of 16 and 32
     * bytes took up to 15 and 10 % longer elsewhere (Granite Rapids, AES-128). */
    .p2align 6
  .else
    .p2align 4
  .endif
.Laes_xts_\dir\()rypt_\impl:
FUNC(lc_aes_xts_\dir\()rypt_\impl)
  .if VL == 64
    _in_kernel _narrow_units \dir               /* so what comes on here has a group */
  .endif
    add $KEY_BIAS, KEY
#ifdef LC_ONE_UNIT
    _load_halves TWEAK_PTR, TWEAK_XMM
    test $HOW_ENCRYPTED, HOW8
    jnz .Lencrypted\@
#else
    test HOW, HOW
    jnz .Lhow\@
.Liv\@:
  .if FEW_LEN
    cmp $SHORTEST_LEN, LEN32                    /* shorter units are done by .Lfew or as single blocks */
    jb .Lshort_iv\@
    _load_iv_lanes
  .else
    _load_halves TWEAK_PTR, TWEAK_XMM
  .endif
    xor LEFT32, LEFT32                          /* this unit is the only one */
#endif
  .if FEW_LEN
    _aes_iv
  .else
    lea TWEAK_SLOT-DATA_SLOT(KEY), TMP          /* the tweak key, as _aes_block wants it */
    _aes_block enc, TMP, TWEAK_XMM
  .endif
.Lencrypted\@:
  .if VL < 64
    cmp $SHORTEST_LEN, LEN32                    /* shorter units don't need what is loaded here */
    jb .Lsplit\@
  .elseif FEW_LEN
    cmp $GROUP_LEN, LEN32
    jb .Lsplit\@
    cmp $PAIRS_LEN + AFTER_TAIL, LEN32
    ja .Lload_keys\@
    test $AFTER_TAIL, LEN8                      /* .Lsplit_tail has such units done without a group */
    jnz .Lsplit\@
  .endif

.Lload_keys\@:
    or $HOW_KEYS, HOW
  .if CODE == EVEX
    _each_key _load_key
  .endif
  .if VL == 64
    _load_lanes .Lcarries_512(%rip), CARRIES
    _load_lanes .Lmask_word_0(%rip), WORD_0
  .endif
  .if VL == 32
    _load_lanes .Lpoly(%rip), POLY
  .endif
    _many_units test $HOW_UNITS, HOW8
    _many_units jnz .Lunit_next\@

.Lsplit\@:
    /* A unit of LEN bytes.  If that isn't a multiple of 16, the last whole block and the rest are kept back for stealing. */
  .if FEW_LEN
    cmp $16, LEN32
    jbe .Lone\@
    _load_lanes .Lpoly(%rip), POLY
  .endif
    mov LEN32, AFTER32
    and $AFTER_TAIL, AFTER32
  .if VL == 64
    jnz .Lsplit_tail\@
  .else
    jz 1f
    sub AFTER32, LEN32
    sub $16, LEN32                              /* (a unit has at least 16 bytes) */
   .if STEAL_IN_VECTOR || SHORT_LEN == VL
    _not_in_kernel cmp $SHORT_LEN, LEN32        /* what vectors need has been loaded, and one there is */
    _not_in_kernel je .Lfirst_tweaks\@
   .endif
1:
  .endif
    test $HOW_RETURN_TWEAK, HOW8
    jz 1f
    or $AFTER_NEXT, AFTER32
1:
  .if VL < 64
    cmp $SHORT_LEN, LEN32
    jbe .Lblocks\@
   .if STEAL_IN_GROUP
    test $AFTER_TAIL, AFTER8
    jz .Lfirst_tweaks\@
    add $16, LEN32                              /* a group may have that block.  (If it's the only group, it measured worse.) */
    or $AFTER_NOT_KEPT, AFTER32
   .endif
  .elseif FEW_LEN
    cmp $FEW_LEN, LEN32
    jbe .Lfew_of_many\@
  .endif

.Lfirst_tweaks\@:
  .if FEW_LEN
    _first_tweaks .Ltail_more\@
    test $HOW_UNITS, HOW8
    jz 1f
  .else
    _first_tweaks .Lvectors\@
  .endif
    _many_units cmp $AFTER_PIPELINED, AFTER32   /* .Llast_group came here: back among the rounds */
    _many_units je .Ltweaks_done\@
  .if FEW_LEN
    jmp .Lgroup\@
1:  cmp $AHEAD_LEN, LEN32
    ja .Lgroup\@
   .ifc \dir,enc
    lea 127(LEN), TMP32                         /* of 129 .. 192 bytes after groups it makes 0 .. 63, modulo 256 */
   .else
    lea 127(LEN,AFTER), TMP32                   /* the same, with the block that is kept back */
   .endif
    test $0xc0, TMP8
    jz .Lahead\@
  .else
    cmp $GROUP_LEN - 1, LEN32                   /* (127 fits into the 8 bits of a short instruction, and 128 doesn't) */
    jbe .Lvectors\@
  .endif
    .p2align 4
.Lgroup\@:
    /* VECTORS vectors, whose tweaks are in TWEAK0..3 */
  .if CODE != EVEX
    _load_lanes DATA_KEY(0), FIRST_KEY
  .endif
    _for_each VECTORS, _load_data \i
    _middle_rounds \dir, VECTORS, "_group_tweaks \@"     /* and TWEAK0..3 = the next ones */
    _for_each VECTORS, _aes \dir\()last, LAST\i, DATA\i
    _for_each VECTORS, _movu_low DATA\i, VL*\i(DST)
    _advance GROUP_LEN, SRC
    _advance GROUP_LEN, DST
    add $-GROUP_LEN, LEN32
    cmp $GROUP_LEN - 1, LEN32
    ja .Lgroup\@
  .if VL < 64
    test NEEDED32, NEEDED32                     /* of _group_tweaks; not 0 if .Llast_group took a tweak */
    jz .Lunit_end\@
  .endif
    _many_units cmp $AFTER_PIPELINED, AFTER32   /* set among the rounds of this group? */
  .if STEAL_IN_GROUP
    jae .Lgroups_done\@
  .else
    _many_units je .Lunit_pipelined\@
  .endif

.Lvectors\@:
  .if VL == 64
    /* Less than a group, with the block that was kept back: .Ltail.  The tweaks are there already, the next one's in TWEAK0. */
    _count_needed
    test NEEDED32, NEEDED32
    jz .Lunit_end\@
    _mov_16 TWEAK0_YMM, TWEAK_YMM
   .if FEW_LEN
    test $AFTER_TAIL, AFTER8
    jnz .Lkept_back\@
    cmp $16, LEN32
    ja .Ltail\@
.Lone\@:
    /* One block; or none, if it is only the tweak that is wanted.  (Flags: of the comparison that led here.) */
    jb .Lunit_end\@
.Lone_block\@:
    _movu_16 (SRC), BLOCK_XMM
    vpternlogd $0x96, DATA_KEY(0), TWEAK_XMM, BLOCK_XMM
.Lone_begun\@:
    _xts_block_begun \dir
    _movu_16 BLOCK_XMM, (DST)
    test $HOW_UNITS + HOW_RETURN_TWEAK + HOW_KEYS + HOW_STEAL + HOW_APART, HOW8
    jz .Lone_end\@
    test $~(HOW_STEAL | HOW_ENCRYPTED), HOW8    /* a unit by itself that ended by stealing? */
    jz .Lend\@
    test $HOW_APART, HOW8
    jnz .Lsteal_second\@
    and $~HOW_STEAL, HOW
    jmp .Lfew_done\@
.Lone_end\@:
    _wipe LAST0_XMM
    vzeroupper
    RETURN
.Lahead\@:
    /*
     * The groups would leave three vectors.  So the unit's first one is done now, by .Lfew_1, and two are left.  Side by side, with
     * a round's latency of 3 cycles, three keep Intel's p0 busy to the end; two leave a third of it to the next call's iv.
     * (With the block that is kept back for stealing; docs/xts.md has what that costs.)
     */
    _mov_low TWEAK1, TWEAK
    jmp .Lalone\@
   .else
    test LEN32, LEN32
    jnz .Ltail\@
    test $HOW_APART, HOW8
    jnz .Lsteal\@                               /* else it is only the tweak that is wanted */
   .endif
  .else
   .if VL == 32
    /* Up to three whole vectors.  Their tweaks are there already, the next one's in TWEAK0. */
    cmp $VL, LEN32
    jb .Lpart\@
    _movu_low (SRC), DATA0
.Lvector\@:
    _with_key 0, _xor3, TWEAK0, DATA0
    _with_key 14, _xor, TWEAK0, LAST0
    _middle_rounds_of_one \dir
    _aes \dir\()last, LAST0, DATA0
    sub $VL, LEN32
    .if STEAL_IN_VECTOR
    jb .Lvector_done\@
    .endif
    _movu_low DATA0, (DST)
    lea VL(SRC), SRC                /* (keeps the flags) */
    lea VL(DST), DST
    jnz 1f
    test AFTER32, AFTER32
    jz .Lunit_end\@
1:  _mov_low TWEAK1, TWEAK0         /* each tweak a place further */
    _mov_low TWEAK2, TWEAK1
    _mov_low TWEAK3, TWEAK2
    jmp .Lvectors\@
.Lpart\@:
    _mov_low TWEAK0, TWEAK          /* TWEAK_XMM: the next block's */
    .if STEAL_IN_VECTOR
    test LEN32, LEN32
    jz .Lsteal\@
    test $AFTER_TAIL, AFTER8
    jnz .Lkept_back\@
    .endif
   .endif

.Lblocks\@:
    /* Single blocks, as many as LEN has, the first one's tweak in TWEAK_XMM; then what AFTER says. */
    test LEN32, LEN32
    jz .Lsteal\@
    _movu_16 (SRC), BLOCK_XMM
.Lblock\@:
  .if BLOCK_BEGUN
    vpxor DATA_KEY(0), TWEAK_XMM, LAST0_XMM
    vpxor BLOCK_XMM, LAST0_XMM, BLOCK_XMM
.Lblock_begun\@:
    _xts_block_begun \dir
  .else
    _xts_block \dir
  .endif
    cmp $STEAL_FIRST, LEN32     /* less: STEAL_SECOND; more: an ordinary block */
    je .Lstolen\@
    _movu_16 BLOCK_XMM, (DST)
    jb .Lstealing_done\@
    add $16, SRC
    add $16, DST
    sub $16, LEN32
    jnz 1f
    test AFTER32, AFTER32
    jz .Lunit_end\@
1:  _double TWEAK_XMM, TWEAK_XMM, SCRATCH_XMM
    jmp .Lblocks\@

  .if STEAL_IN_VECTOR
.Lkept_back\@:
    /*
     * A block is left, and m.  They are a vector, with m in its lower half, BLOCK_XMM, which becomes X.  Nothing is forwarded from
     * two stores to a load.  So there are two loads, and one store, of the block only: of data that is done in place again and
     * again, m was stored by itself, and what .Lstolen loads begins in m.
     */
    vperm2i128 $0x01, TWEAK0_YMM, TWEAK0_YMM, TWEAK0_YMM
    vmovdqa TWEAK0_XMM, TWEAK_XMM               /* T[m] */
    vmovdqu 16(SRC), DATA0_XMM
    vinserti128 $1, (SRC), DATA0_YMM, DATA0_YMM
    jmp .Lvector\@
.Lvector_done\@:
    vextracti128 $1, DATA0_YMM, (DST)           /* (LEN32 = -16) */
    add $16, SRC
    add $16, DST
  .endif
.Lsteal\@:
    /*
     * Ciphertext stealing.  SRC is at the last whole block, m, and r = 1 .. 15 bytes follow it, the part block m + 1.
     *
     *   first    X = AES(block m)
     *   second   Y = AES(the r bytes of m + 1, and X[r..15], which make them a whole block)
     *   output   Y in the place of block m, then X[0..r-1]
     *
     * Encryption does the first step under T[m] and the second under T[m + 1].  Decryption begins with Y, which was made under
     * T[m + 1].  So it takes that tweak first, and then T[m].  All else is the same.
     *
     * Each step is what .Lblock does with a block.  LEN32 is 0 and not needed now: it says there which of the two it is.
     */
    and $AFTER_TAIL, AFTER32                    /* r */
    jz .Lunit_tweak\@
  .ifc \dir,enc
    _double TWEAK_XMM, STEAL_TWEAK_XMM, SCRATCH_XMM
  .else
    _mov_16 TWEAK_XMM, STEAL_TWEAK_XMM
    _double TWEAK_XMM, TWEAK_XMM, SCRATCH_XMM
  .endif
  .if STEAL_IN_VECTOR
    test LEN32, LEN32
    jnz .Lstolen\@                              /* a vector had m */
  .endif
    _movu_16 (SRC), BLOCK_XMM
    add $STEAL_FIRST, LEN32
    jmp .Lblock\@
.Lstolen\@:
    /*
     * X[0..r-1] and the r bytes of input change places: with EVEX under a mask, _exchange_part.  Else memory is accessed 16 bytes
     * at a time, within the unit and without a loop over bytes.  Shifts are by shuffles, whose patterns are at .Lbyte_shift.  (r is
     * public, and so may be an address.)
     *
     *   Z = 16 bytes from src + r: the r bytes of input are at its top.  As dst may be src, it is loaded before W is stored.
     *   W = X shifted up by 16 - r bytes: X[0..r-1] is at its top.
     *   W goes to dst + r.  Its top is in place there.  What is below will be overwritten by Y.
     *   Z, shifted down by 16 - r bytes, has the r bytes of input first, then zeros.  It takes the place of the r bytes of X.
     *
     * (The tweak and round key 0 are xored into Z, not into X: the second step waits for X.)
     */
  .if CODE == EVEX
    _exchange_part 16
    neg AFTER                                   /* -r, to the end of the stealing */
  .else
    lea .Lbyte_shift(%rip), TMP
    _load_at -16, TMP, AFTER, SCRATCH_XMM       /* the pattern at .Lbyte_shift - (16 - r) */
    _shufb SCRATCH_XMM, BLOCK_XMM, STEAL_XMM    /* W */
    _load_at 0, SRC, AFTER, SCRATCH_XMM         /* Z */
    _store_at STEAL_XMM, 0, DST, AFTER
    neg AFTER                                   /* -r, to the end of the stealing */
    _load_at 16, TMP, AFTER, STEAL_XMM          /* the pattern at .Lbyte_shift + (16 - r) */
    _shufb STEAL_XMM, SCRATCH_XMM, SCRATCH_XMM
    _load_at -16, TMP, AFTER, STEAL_XMM         /* the mask at .Lones - r */
    _op3 pand, vpand, vpandd, STEAL_XMM, BLOCK_XMM, BLOCK_XMM
   .if BLOCK_BEGUN
    vpxor STEAL_TWEAK_XMM, SCRATCH_XMM, SCRATCH_XMM
    vpxor DATA_KEY(0), SCRATCH_XMM, LAST0_XMM
    vpxor BLOCK_XMM, LAST0_XMM, BLOCK_XMM
   .else
    _xor SCRATCH_XMM, BLOCK_XMM, BLOCK_XMM
   .endif
  .endif
    _mov_16 STEAL_TWEAK_XMM, TWEAK_XMM
    xor LEN32, LEN32                            /* STEAL_SECOND */
  .if BLOCK_BEGUN
    jmp .Lblock_begun\@
  .else
    jmp .Lblock\@
  .endif
.Lstealing_done\@:
    sub $16, AFTER
    sub AFTER, SRC                              /* += 16 + r */
    sub AFTER, DST
  .endif

  .if VL == 64
.Lunit_end\@:
    _if_more_units .Lunit_next\@
.Lunit_last\@:
  .else
.Lunit_tweak\@:
  .endif
    test $HOW_RETURN_TWEAK, HOW8
    jz 1f
    _movu_16 TWEAK_XMM, (TWEAK_PTR)
1:
  .if VL < 64
.Lunit_end\@:                                   /* nothing comes after the unit, so no tweak is wanted */
    _if_more_units .Lunit_next\@
  .endif
    test $HOW_KEYS, HOW8
    jz .Lend\@
    _wipe_keys
.Lend\@:
    /* These have keys even without HOW_KEYS. */
  .if CODE != SSE
    _wipe LAST0_XMM
  .endif
  .if VL == 64
    _wipe LAST1_XMM
    _wipe ROUND_KEY_XMM
  .endif
  .if VL > 16
    vzeroupper
  .endif
    RETURN

  .if STEAL_IN_GROUP
.Lgroups_done\@:
    /* AFTER_PIPELINED or AFTER_NOT_KEPT.  Flags: of the comparison with the former. */
    je .Lunit_pipelined\@
    and $AFTER_TAIL, AFTER32
    sub $16, LEN32
    jb 1f
    jmp .Lblocks\@
1:  /* The last group had m: X is DATA3, and TWEAK_XMM is T[m + 1]. */
    sub $16, SRC
    sub $16, DST
    _mov_16 TWEAK_XMM, STEAL_TWEAK_XMM
    _mov_16 DATA3_XMM, BLOCK_XMM
    _xor DATA3_XMM, DATA3_XMM, DATA3_XMM        /* what stealing leaves out of X is nobody's */
    jmp .Lstolen\@
  .endif

#ifndef LC_ONE_UNIT
.Lhow\@:
    test $HOW_UNITS, HOW8
    jnz .Lunits\@
    test $HOW_ENCRYPTED, HOW8
    jz .Liv\@
  .if FEW_LEN
    _load_iv_lanes
    xor LEFT32, LEFT32
    cmp $SHORTEST_LEN, LEN32
    jb .Lshort\@
  .else
    _load_halves TWEAK_PTR, TWEAK_XMM
    xor LEFT32, LEFT32
  .endif
    jmp .Lencrypted\@
#endif

  .if FEW_LEN
    .p2align 6                  /* 16 bytes: 20.5 cycles, not 21 to 23, on Zen 5 */
.Lshort_iv\@:
    /* For one or two vectors instructions count.  So the iv is in TWEAK_XMM alone. */
    _load_halves TWEAK_PTR, TWEAK_XMM
    xor LEFT32, LEFT32
    lea TWEAK_SLOT-DATA_SLOT(KEY), TMP
    _aes_block enc, TMP, TWEAK_XMM
.Lshort\@:
    /* .Lsplit for these */
    cmp $16, LEN32
    jbe .Lone\@
    _load_lanes .Lpoly(%rip), POLY
    test $AFTER_TAIL, LEN8
    jz .Lfew\@
    mov LEN32, AFTER32
    and $AFTER_TAIL, AFTER32
    jmp .Lsplit_tail\@

  .endif

  .if VL == 64
.Lsplit_tail\@:
    /*
     * .Lsplit for a length that isn't a multiple of 16.  The last whole block, m, is kept back for stealing.  But for encryption,
     * whose tweaks are in order, it may be the last one of a group.  Units of up to PAIRS_LEN have no group: then m is in a vector,
     * and all come two by two, .Lmore.
     */
    sub AFTER32, LEN32
   .if FEW_LEN == 0
    sub $16, LEN32
    or $HOW_APART, HOW
    jmp .Lfirst_tweaks\@
   .else
    cmp $PAIRS_LEN, LEN32
    jbe 1f
    .ifc \dir,dec
    sub $16, LEN32
    .endif
    jmp .Lfirst_tweaks\@                        /* (what jumps back by a comparison is a loop to proofs/) */
1:  or $HOW_STEAL, HOW
    cmp $16, LEN32
    je .Lapart\@
    cmp $FEW_LEN, LEN32
    jbe 2f                                      /* (likewise) */
    jmp .Lfirst_tweaks\@
2:  vshufi32x4 $0, TWEAK, TWEAK, TWEAK
    cmp $VL, LEN32
    ja .Lfew_two\@
    jmp .Lfew_steal\@
.Lfew\@:
    /* One or two vectors, the last one may be a part.  Round keys are loaded as they are needed. */
    vshufi32x4 $0, TWEAK, TWEAK, TWEAK
.Lfew_of_many\@:                                /* (many units' TWEAK has all lanes) */
    cmp $VL, LEN32
    ja .Lfew_two\@
    _shifted_tweaks 0, TWEAK1
    _few_vectors \dir, 1, \@
.Lfew_two\@:
    _shifted_tweaks 0, TWEAK0
    test $HOW_STEAL, HOW8
    jnz .Lfew_steal\@
    _shifted_tweaks 1, TWEAK1
    _few_vectors \dir, 2, \@
.Lfew_done\@:
    cmp $GROUP_LEN, LEN32
    ja .Lahead_done\@
    _vectors_done \@
.Lahead_done\@:
    /*
     * A vector has gone ahead, and TWEAK has the group's first tweaks.  .Lfew_done knows it by LEN: of one or two vectors that are
     * all that is left it is 128 at most.
     */
    add $VL, SRC
    add $VL, DST
    sub $VL, LEN32
    _mov_low TWEAK, TWEAK0
    _mov_low TWEAK2, TWEAK1
    _mov_low TWEAK3, TWEAK2
    _times_x8_alone TWEAK1, TWEAK3, TWEAK3
    jmp .Lgroup\@

.Lfew_steal\@:
    /*
     * Stealing begins in the last vector, which has one to four blocks.  Nothing is forwarded from two stores to a load.  So the
     * last block is loaded by itself, as the call before stored it; else units of 49 bytes, in place, would take 120 cycles on
     * Zen 5, not 97.
     */
    _steal_tweaks \dir
    vmovdqu -16(SRC,LEN), DATA1_XMM
    test $16, LEN8
    jnz 2f
    vinserti128 $1, -32(SRC,LEN), DATA1_YMM, DATA1_YMM
    test $32, LEN8
    jnz 3f
    vinserti64x4 $1, -64(SRC,LEN), DATA1, DATA1
    jmp 3f
2:  test $32, LEN8
    jz 3f
    vinserti64x4 $1, -48(SRC,LEN), DATA1, DATA1
3:  cmp $VL, LEN32
    ja 4f
    jmp .Lfew_loaded_1\@
4:  jmp .Lfew_loaded_2\@
.Lfew_others\@:
    test $HOW_MORE, HOW8
    jnz .Lmore\@
.Lfew_stolen\@:
    test $16, LEN8
    jnz 2f
    vextracti128 $1, DATA1_YMM, -32(DST,LEN)
    test $32, LEN8
    jnz 3f
    vextracti64x4 $1, DATA1, -64(DST,LEN)
    jmp 3f
2:  test $32, LEN8
    jz 3f
    vextracti64x4 $1, DATA1, -48(DST,LEN)
3:  lea -16(SRC,LEN), SRC
    lea -16(DST,LEN), DST
    jmp .Lexchange\@
.Lmore\@:
    /*
     * Two vectors are done, of four, or of two and a block; or of up to eight where the unit ends by stealing.  The other tweaks
     * are made here, even if they are there already: in program order after the first two vectors' rounds, they don't hold these
     * up.  208 to 240 bytes took 5 to 7 % more where they came before (Granite Rapids).  A block with which stealing begins is by
     * itself, as any other one.
     */
    and $~HOW_MORE, HOW
    _wipe LAST1_XMM                             /* one block wipes none of these, but LAST0 */
    _wipe ROUND_KEY_XMM
    _movu_low DATA1, VL(DST)
    _advance 2*VL, SRC
    _advance 2*VL, DST
    add $-2*VL, LEN32
    _times_x8_alone TWEAK0, TWEAK0, TWEAK0
    _times_x8_alone TWEAK1, TWEAK1, TWEAK1
    _mov_16 TWEAK0_XMM, TWEAK_XMM
    cmp $16, LEN32
    jne .Ltail\@
    test $HOW_STEAL, HOW8
    jz .Lone_block\@
.Lapart\@:
    or $HOW_APART, HOW
    jmp .Lsteal\@

.Lkept_back\@:
    /*
     * What comes after the groups ends by stealing.  The last vector has m, unless two whole vectors come before m, or nothing
     * does.  (Encryption might have it as any other block, and load X for the second step.  But in place, again and again, a load
     * of a vector would wait for the block that was stored into it.  After a whole group there is time.)
     */
    or $HOW_STEAL, HOW
   .ifc \dir,enc
    test LEN32, LEN32
    jz .Lin_group\@
   .else
    add $16, LEN32
   .endif
    cmp $16, LEN32
    je .Lapart\@
   .ifc \dir,enc
    jmp .Ltail\@
.Lin_group\@:                                   /* X is the last block of a group. */
    sub $16, SRC
    sub $16, DST
    vextracti32x4 $3, DATA3, BLOCK_XMM
    vpxor DATA3_XMM, DATA3_XMM, DATA3_XMM       /* what stealing leaves out of X is nobody's */
    jmp .Lexchange\@
   .endif
   .endif
.Ltail\@:
    /*
     * What groups have left: LEN = 16 .. GROUP_LEN bytes of whole blocks, the first one's tweak in TWEAK_XMM too.  It is done as
     * units of a few vectors are, up to three at once: they wait for AES, and that keys are loaded again costs nothing.  A kernel,
     * whose sectors have no such rest, has code for one vector.
     */
   .if FEW_LEN
    cmp $2*VL, LEN32
    ja 2f
.Ltail_2\@:
    test $HOW_STEAL, HOW8
    jnz 1f
    cmp $VL, LEN32
    ja 3f                                       /* (what jumps back by a comparison is a loop to proofs/) */
.Lalone\@:
    _mov_low TWEAK0, TWEAK1
    jmp .Lfew_1\@
1:  vshufi32x4 $0, TWEAK, TWEAK, TWEAK
    jmp .Lfew_steal\@
2:
.Ltail_more\@:
    /* LEN = 144 .. 240; with HOW_STEAL to PAIRS_LEN, and then all of these have HOW_MORE. */
    lea 256-2*VL-32(LEN), TMP32                 /* a block and two vectors go one after the other, as four vectors do */
    cmp $VL - 32, TMP8
    ja 1f
    test $HOW_STEAL, HOW8                       /* so do three where stealing begins: units of 161 to 207 bytes gain 2 to 3 % */
    jz .Lthree\@
1:  or $HOW_MORE, HOW
3:  jmp .Lfew_2\@
.Lthree\@:
    /*
     * Of three vectors the first is DATA2, and the others are done as two are, but for their rounds: .Lthree_rounds has those of
     * all three, in a loop, which measured as fast as without.  Where the third vector's rounds came after the others', as in
     * .Lmore, 160 to 192 bytes took 8 to 12 % longer (Granite Rapids).
     */
    _load_lanes DATA_KEY(0), ROUND_KEY
    _movu_low (SRC), DATA2
    _xor3 ROUND_KEY, TWEAK0, DATA2
    _load_lanes DATA_KEY(14), ROUND_KEY
    _xor ROUND_KEY, TWEAK0, LAST2
    _mov_16 TWEAK1_XMM, TWEAK_XMM
    _times_x8_alone TWEAK0, TWEAK2, TWEAK1, _mov_low TWEAK1, TWEAK0
    add $VL, SRC
    add $VL, DST
    sub $VL, LEN32
    or $HOW_THREE, HOW8
    jmp .Lfew_2\@
.Lthree_rounds\@:
    and $~HOW_THREE & 0xff, HOW8
    _count_rounds NUM_ROUNDS, TMP32, TMP        /* see aes_rounds.h */
    .p2align 5                                  /* the loop has 32 bytes; in two cache lines it lost up to a cycle */
2:  _load_lanes_at DATA_SLOT+SLOT_14, KEY, TMP, ROUND_KEY
    _aes_vectors ROUND_KEY, \dir, 3
    add $16, TMP
    jnz 2b
    _aes \dir\()last, LAST2, DATA2
    _movu_low DATA2, -VL(DST)
    _wipe LAST2_XMM
    jmp .Lfew_rounds_done\@
   .else
    bzhi LEN, .Lones(%rip), TMP
    kmovq TMP, PART
    vmovdqu8 (SRC), DATA0{PART}{z}
    _xor3 ROUND_KEY0, TWEAK0, DATA0
    _xor ROUND_KEY14, TWEAK0, LAST0
    _middle_rounds_of_one \dir
    _aes \dir\()last, LAST0, DATA0
    vmovdqu8 DATA0, (DST){PART}
    cmp $VL, LEN32
    ja 1f
    _vectors_done \@
1:  add $VL, SRC
    add $VL, DST
    sub $VL, LEN32
    _mov_16 TWEAK1_XMM, TWEAK_XMM
    _mov_low TWEAK1, TWEAK0
    _mov_low TWEAK2, TWEAK1
    _mov_low TWEAK3, TWEAK2
    jmp .Ltail\@
   .endif

.Lafter\@:
    /* The vectors are done, LEN bytes from SRC on.  Now their next tweak is wanted, or stealing, whose block m follows. */
    lea .Lshift_left(%rip), TMP
    _load_lanes .Lpoly(%rip), POLY              /* (where one block came it isn't there) */
    vinserti128 $1, TWEAK_XMM, TWEAK_YMM, TWEAK_YMM
    _tweak_after_len 0, TWEAK_YMM
    add LEN, SRC
    add LEN, DST
    xor LEN32, LEN32
   .if FEW_LEN
    jmp .Lunit_last\@
   .else
    test $HOW_APART, HOW8
    jz .Lunit_last\@
   .endif
.Lsteal\@:
    /* As VL < 64 has it.  SRC is at block m, TWEAK_XMM has its tweak; LEN is 0, or m's 16.  (17 to 31 bytes have no other.) */
  .ifc \dir,enc
    _double TWEAK_XMM, STEAL_TWEAK_XMM, SCRATCH_XMM
  .else
    _mov_16 TWEAK_XMM, STEAL_TWEAK_XMM
    _double TWEAK_XMM, TWEAK_XMM, SCRATCH_XMM
  .endif
   .if FEW_LEN
    jmp .Lone_block\@
.Lsteal_second\@:
    _mov_16 STEAL_TWEAK_XMM, TWEAK_XMM
    xor $HOW_APART, HOW
.Lexchange\@:
    /*
     * BLOCK_XMM = X, TWEAK_XMM = the second step's tweak, SRC and DST are at block m.  With HOW_STEAL .Lone doesn't end as if
     * there were no more keys in registers than its own.
     */
    _exchange_part_begin 16
    lea 16(AFTER), LEN32
    jmp .Lone_begun\@
   .else
    _movu_16 (SRC), BLOCK_XMM
    _xts_block \dir
    _mov_16 STEAL_TWEAK_XMM, TWEAK_XMM
    _exchange_part 16
    _xts_block \dir
    _movu_16 BLOCK_XMM, (DST)
    lea 16(AFTER), LEN32
    add LEN, SRC
    add LEN, DST
    xor LEN32, LEN32
    and $~HOW_APART, HOW
    jmp .Lunit_end\@
   .endif
  .endif

#ifndef LC_ONE_UNIT
/* ---- Many units ---- */

.Llast_group\@:
    /*
     * From among the rounds of a group with which the unit ends.  If another whole unit follows, its first tweaks are made here, so
     * that the AES unit doesn't wait between units: it is busy with this group's other rounds.
     */
    test LEFT, LEFT
    jz .Ltweaks_done\@
    cmp UNITS_LEN(UNITS), LEFT
    jb .Ltweaks_done\@
    _take_unit_tweak
    or $AFTER_PIPELINED, AFTER32                /* (it is 0 as long as a unit's last group is the end of it) */
    jmp .Lfirst_tweaks\@

.Lunit_pipelined\@:
    /* The group is done.  The next unit begins with tweaks that are there, and as long as this one: a multiple of GROUP_LEN. */
    xor AFTER32, AFTER32
    mov UNITS_LEN(UNITS), LEN
    sub LEN, LEFT
    cmpl $BATCH_LEN - 1, UNITS_INDEX(UNITS)
    jbe .Lgroup\@
    test LEFT, LEFT             /* that was the batch's last tweak; does any unit need another batch? */
    jz .Lgroup\@
    jmp .Lbatch\@

.Lunits\@:
    /* As if the last of a batch came next: .Lunit_next then makes a batch, and comes again. */
    or $HOW_START, HOW
    mov LEN, LEFT
    xor LEN32, LEN32
    movl $BATCH_LEN - 16, UNITS_INDEX(UNITS)
    jmp .Lload_keys\@

  .if FEW_LEN
    .p2align 6                  /* not here or there: units of 64 bytes took up to 10 % more, on Zen 5 */
  .endif
.Lunit_next\@:
    /* Between units, LEN = 0: take the next one's tweak.  If it was the last of its batch, make another batch first. */
    _take_unit_tweak
    cmp $BATCH_LEN - 1, TMP32
    jbe .Lunit_len\@
    test $HOW_START, HOW8
    jnz .Lbatch\@
    cmp UNITS_LEN(UNITS), LEFT
    jbe .Lunit_len\@            /* no other unit follows */
.Lbatch\@:
    /*
     * Encrypt the ivs of the next VECTORS * VL / 16 units.  It stands before this unit's data in program order.  So the ivs are
     * older, get their turn in the AES unit, and are there when this unit is done.
     */
    movl $0, UNITS_INDEX(UNITS)
    _movu_low UNITS_IV(UNITS), DATA0                /* the ivs of a vector of units */
    _load_lanes UNITS_STEP_OF_VECTOR(UNITS), IV_STEP
    _addq DATA0, IV_STEP, DATA1
    _addq DATA1, IV_STEP, DATA2
    _addq DATA2, IV_STEP, DATA3
    _addq DATA3, IV_STEP, IV_STEP
    _movu_low IV_STEP, UNITS_IV(UNITS)              /* where the next batch begins */
    _load_lanes TWEAK_KEY(0), IV_KEY
    _for_each VECTORS, _xor_low IV_KEY, DATA\i, DATA\i
    _count_rounds NUM_ROUNDS, TMP32, TMP         /* a loop over the rounds: see aes_rounds.h */
2:  _load_lanes_at TWEAK_SLOT+SLOT_14, KEY, TMP, IV_KEY
    _for_each VECTORS, _aes enc, IV_KEY, DATA\i
    add $16, TMP
    jnz 2b
    _load_lanes TWEAK_KEY(14), IV_KEY
    _for_each VECTORS, _store_unit_tweaks \i
    btr $HOW_START_BIT, HOW
    jc .Lunit_next\@            /* the first batch: now take its first tweak */
    test LEN, LEN
    jnz .Lgroup\@               /* from .Lunit_pipelined, where the unit has begun; from .Lunit_next it is 0 */
.Lunit_len\@:
    /* LEN = the unit's length, which is unit_len or all that is left */
    mov UNITS_LEN(UNITS), LEN
    cmp LEFT, LEN
    cmova LEFT, LEN
    sub LEN, LEFT
    jmp .Lsplit\@
#endif
END_FUNC(lc_aes_xts_\dir\()rypt_\impl)
.endm

/* TWEAK_XMM = the next unit's first tweak, from the batch.  TMP32 = UNITS_INDEX, which is then that of the one after it. */
.macro _take_unit_tweak
    mov UNITS_INDEX(UNITS), TMP32
  .if VL == 64
    _load_lanes_at UNITS_TWEAK, UNITS, TMP, TWEAK
  .else
    _load_at UNITS_TWEAK, UNITS, TMP, TWEAK_XMM
  .endif
    add $16, TMP32
    mov TMP32, UNITS_INDEX(UNITS)
.endm

/* The end of a batch's AES: the tweaks of vector i of units */
.macro _store_unit_tweaks i
    _aes enclast, IV_KEY, DATA\i
    _movu_low DATA\i, UNITS_TWEAK+VL*\i(UNITS)
.endm

/* ---- The instances ---- */

.macro _implementation impl, vl, code, short_len, tweaks_round
    .set VL, \vl
    .set CODE, \code
    .set SHORT_LEN, \short_len
    .set TWEAKS_ROUND, \tweaks_round
  .if SHORT_LEN % 16 != 0
    .error "SHORT_LEN must be a multiple of 16"
  .endif
  .if TWEAKS_ROUND < 5 || TWEAKS_ROUND > 13
    .error "TWEAKS_ROUND must be 5 to 13: a round that all lengths of key have"
  .endif
    _name_registers
    _begin_code lc_aes_xts_\impl
    _aes_xts \impl, enc
    _aes_xts \impl, dec
    _end_code lc_aes_xts_\impl
.endm

/* The one before it, which is a part of its code; but units of a few vectors go to the code for 256 bits. */
.macro _narrow_implementation impl
    _narrow_function \impl, enc
    _narrow_function \impl, dec
    _end_code lc_aes_xts_\impl
.endm
.macro _narrow_function impl, dir
FUNC(lc_aes_xts_\dir\()rypt_\impl)
    _narrow_units \dir
    _jump_to jmp, aes_xts_\dir\()rypt_\impl\()_wide
END_FUNC(lc_aes_xts_\dir\()rypt_\impl)
.endm

/*
 * SHORT_LEN: 128-bit code has no use for less than a group of vectors; with EVEX there are 15 keys to load and to wipe.
 * TWEAKS_ROUND: see "What bounds it".  Of 128-bit code it was chosen on Zen 5, where others took up to 2 % longer.
 */
/*              impl             VL  CODE  SHORT_LEN  TWEAKS_ROUND */
_implementation aesni,           16, SSE,  48,        6
_implementation aesni_avx,       16, VEX,  48,        8
_implementation vaes_avx2,       32, VEX,  16,        5
_implementation vaes_avx512_256, 32, EVEX, 32,        5
#ifdef LC_SMALL
_implementation vaes_avx512_512, 64, EVEX, 0,         7
#else
_begin_code lc_aes_xts_vaes_avx512_512
_implementation vaes_avx512_512_wide, 64, EVEX, 0,    7
_narrow_implementation vaes_avx512_512
#endif

.section .note.GNU-stack, "", @progbits

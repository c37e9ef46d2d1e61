/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-CTR for x86-64: one body, and an instance of it for each implementation.  The table of instances is at the end of this file;
 * src/x86/rows.def says what each needs and the CPUs it is for.
 *
 * Parameters of the body: VL and CODE, see asm.h.
 *
 * -- CTR ------------------------------------------------------------------------------------------------------------------------
 *
 * Block i of the message is xored with AES(iv + i), where iv is a big-endian number of 16 bytes.  x86 adds little-endian numbers.
 * So counters are kept with their 16 bytes reversed, and reversed again before they are encrypted.  No addition has a carry across
 * the 64-bit halves of a vector.  Callers see to it that none is needed: the low half doesn't wrap within a call.
 *
 * -- What bounds it -------------------------------------------------------------------------------------------------------------
 *
 * The AES unit: for n rounds (10, 12, 14) n cycles for 64 bytes, as one 512-bit uop a cycle or two of 256 bits.  The rest is
 *
 *   5 uops for a vector    a shuffle, an addition, two xors (one with a load), a store
 *   2 uops for a round     a load of its key; and half of an addition and of a branch.  Once for all vectors in flight
 *
 * 8 vectors are in flight: a CPU that begins two rounds in a cycle, and takes four cycles for each, is busy with as many.  On
 * Intel, 512 bits: p0 n; p5 1; p0 or p5 3.  There is room for all of it, and 4 vectors would be enough, as groups of vectors don't
 * depend on each other; 4 of 256 bits took 9 % longer than 8 (Emerald Rapids).  Zen 4 and Zen 5 need a shuffle for each round key
 * that is loaded into all lanes: 4 vectors of 512 bits took 5 % longer than 8 on Zen 4.  So vectors of 512 bits, which have 32
 * registers, keep round keys in them from 8 vectors on: all 11 of AES-128.  Longer keys have a loop for the 2 or 4 rounds that
 * come before the last 10, with keys from memory; to unroll these as well would be 192 bytes of code.  On Zen 5, which begins two
 * rounds in a cycle, whatever their width, the rounds of 512 bytes take 4 n cycles, 40 for AES-128; a group of many takes 41.
 *
 * Everything else waits for the first counters.  So an iv comes into all lanes by loads, not by a shuffle across lanes, and
 * the counters of a first group of 512-bit vectors by a tree of additions.  In later groups each is the one before plus a constant:
 * they have time, and as vectors then begin one after the other they are less in each other's way (2 %).  Of narrower vectors each
 * second one is: half as long a chain (but with SSE, which would have copies to make).
 *
 * A unit takes the oldest instruction that is ready: all counters of a group would come before its first round.  So with 256 bits
 * round 1 of two vectors comes before the counters of the next two: 1 to 6 groups took 1 to 4 % less (Granite Rapids).  With 128
 * bits it was up to 1 % less, and 1 % more for long texts with AES-256.  On Zen 5 shuffles of bytes take slots of AES: 16 rounds
 * beside 8 of them 10 cycles, and by themselves 8.  So it matters in what order all that comes.  With all counters first, and then
 * all xors of round key 0, it was 1 to 2 % slower.
 *
 * What is left after the groups goes as 1 to 4 vectors side by side, of which only the last can be a part: each of these numbers
 * has its rounds, and the text after them in common.  Its round keys come from memory, so there are none to wipe but the last.
 *
 * A message of a few vectors counts instructions and jumps, above all those that are taken.  So the code for one comes first, then
 * that for two, and what only more of them need comes later.  The rounds of one vector are no loop: on Zen 4 a loop that lay in two
 * lines of 64 bytes took 3 cycles more than in one, 27 instead of 24, and without a loop it is 21.  So it is with two and three
 * vectors of 128 bits.  A single one of these takes its round keys as memory operands; two or three took up to 2 cycles longer so
 * than with a load for all (Granite Rapids, AES-256).
 */
#include "asm.h"

/* ---- Data ---- */

.section .rodata.lc_aes_ctr, "a", @progbits
.p2align 6
.Llane_numbers:     /* n for lane n = 0..3 */
    .quad 0, 0, 1, 0, 2, 0, 3, 0
.Lcounters_in_16:   /* counters in a vector of so many bytes */
    .quad 1, 0
.Lcounters_in_32:
    .quad 2, 0
.Lcounters_in_64:
    .quad 4, 0
.Lbswap:            /* a shuffle that reverses 16 bytes */
    .byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

.text

/* ---- Registers ---- */

#define KEY      %rdi   /* struct lc_ctr_key */
#define DST      %rsi   /* where the next output goes */
#define SRC      %rdx   /* the next input */
#define LEN      %rcx   /* bytes left; from more than 3 vectors on, less a group */
#define LEN32    %ecx
#define LEN8     %cl
#define IV       %r8    /* the first counter, 16 bytes */
#define TMP      %rax   /* scratch; the count of a loop of rounds */
#define TMP32    %eax
#define TMP16    %ax
/* The last bytes are xored in general registers. */
#define STREAM   %r9    /* the next 8 bytes of key stream */
#define STREAM32 %r9d
#define STREAM16 %r9w
#define STREAM8  %r9b
#define START    %r9    /* groups of 256-bit vectors: KEY_DISTANCE's number */
#define PART     %k1    /* with AVX-512: a bit for each byte of the last vector's text */

/*
 * struct lc_ctr_key begins with the round keys, and their number is behind them.  Offsets are asserted in C.  These here are from
 * slot 8, where KEY is from the prologue on: so all of them have 8 bits.
 */
#define SLOT_8 128
#define SLOT(i) 16*((i)-8)(KEY)
#define SLOT_5  -48
#define SLOT_14 96
#define KEY_ROUNDS   112
#define KEY_DISTANCE 116        /* from the last slot to that of round 2, 32 bits: 16 * (2 - rounds) */

.macro _name_registers
    _set_vectors
    _name_vector DATA0, 0       /* counters while they are encrypted, then output */
    _name_vector DATA1, 1
    _name_vector DATA2, 2       /* the same, and 16 bytes of output in the last part */
    _name_vector DATA3, 3       /* the same, and key stream in the last part */
    _name_vector ROUND_KEY, 4   /* a round key in each lane; after the loop the last one.  (Of the lower eight: shorter codes.) */
    _name_vector LAST, 5        /* last round key ^ input: what the last round adds; before, a group's round key 1 */
    _name_vector STEP, 6        /* what is added to the counters for the next vector: its number of lanes */
    _name_vector BSWAP, 7       /* .Lbswap in each lane */
    _name_vector DATA4, 8       /* as DATA0 */
    _name_vector DATA5, 9
    _name_vector DATA6, 10
    _name_vector DATA7, 11
    _name_vector COUNTERS, 12   /* the next vector's counters, bytes reversed: little-endian numbers; the low halves count */
    _name_vector STEP2, 13      /* STEP times 2, 4 and 8 */
  .if VL == 64
    _name_vector STEP4, 14
    _name_vector STEP8, 15
    _name_vector SLOT0, 16      /* round keys of a loop of groups, as slots have them; that of slot 14 is ROUND_KEY */
    _name_vector SLOT5, 17
    _name_vector SLOT6, 18
    _name_vector SLOT7, 19
    _name_vector SLOT8, 20
    _name_vector SLOT9, 21
    _name_vector SLOT10, 22
    _name_vector SLOT11, 23
    _name_vector SLOT12, 24
    _name_vector SLOT13, 25
  .endif
.endm

/* ---- Steps ---- */

/* d = the next counters as they are encrypted */
.macro _take_counters d
    _shufb BSWAP, COUNTERS, \d
    _addq STEP, COUNTERS, COUNTERS
.endm

/* The same, and round 0 */
.macro _begin_vector d
    _take_counters \d
    _xor ROUND_KEY, \d, \d
.endm

/* The same for two: half as many steps in a chain.  256 bits: and round 1, whose key is in LAST */
.macro _begin_two a, b
    _shufb BSWAP, COUNTERS, \a
    _xor ROUND_KEY, \a, \a
    _addq STEP, COUNTERS, \b
    _shufb BSWAP, \b, \b
    _xor ROUND_KEY, \b, \b
  .if VL == 32
    _aes enc, LAST, \a
    _aes enc, LAST, \b
  .endif
    _addq STEP2, COUNTERS, COUNTERS
.endm

/* `insn` for i = first .. last */
.macro _for_each_from first, last, insn:vararg
.irp i, 0,1,2,3,4,5,6,7
.if \i >= \first && \i <= \last
    \insn
.endif
.endr
.endm

/* One round of theirs.  further: bytes from TMP's slot to that of this round's key */
.macro _round first, last, further=0
    _load_lanes_low_at SLOT_14+\further, KEY, TMP, ROUND_KEY
    _for_each_from \first, \last, _aes enc, ROUND_KEY, DATA\i
.endm

/*
 * `insn` for the slots of all rounds but the last one, where \r is the number of the slot.  Shorter keys begin later, as the flags
 * have it: `below` if the key has 10 rounds, `equal` if 12.
 */
.macro _for_each_slot insn:vararg
    jb 2f
    je 1f
    .irp r, 1,2,3,4,5,6,7,8,9,10,11,12,13
  .if \r == 3
1:
  .elseif \r == 5
2:
  .endif
    \insn
    .endr
.endm

/* Their round with the key of that slot */
.macro _round_of slot, first, last
  .if VL == 16 && \first == \last
    _for_each_from \first, \last, _aes enc, SLOT(\slot), DATA\i
  .else
    _load_lanes_low SLOT(\slot), ROUND_KEY
    _for_each_from \first, \last, _aes enc, ROUND_KEY, DATA\i
  .endif
.endm

/*
 * DATA<first> .. DATA<last> = the next counters after all rounds but the last one; ROUND_KEY = the last one's key.  9, 11 or 13
 * rounds: for up to STRAIGHT vectors all in a row, shorter keys beginning later; for up to four the first one and then pairs, as a
 * loop of one round would be bound by its branch: two vectors of 512 bits took 3 to 5 cycles longer with one (Granite Rapids).
 * Groups of 8 with AVX and AVX2 have such pairs, too; the second's round 1 is in _begin_two.  5 to 8 groups of AES-128 so take 15
 * to 20 cycles less, as if a branch were foreseen (Granite Rapids).  SSE takes as long with one round a turn.
 *
 * The last round is always in slot 14 (src/aes.h).  So with n rounds, round r has the slot n - r before it.  TMP is the distance,
 * -16 * (n - r), and the loop ends when it is 0.  But round 1 is in slot 1, too, where it waits for no distance.
 */
.macro _rounds first, last
    _load_lanes_low SLOT(0), ROUND_KEY
  .if \last - \first > 3 && CODE != SSE
   .if VL == 32
    _load_lanes_low SLOT(1), LAST
   .endif
    _begin_two DATA0, DATA1
    _begin_two DATA2, DATA3
    _begin_two DATA4, DATA5
    _begin_two DATA6, DATA7
  .elseif \first == 0
    _for_each_from \first, \last, _begin_vector DATA\i
  .else                         /* these are the last ones */
    _for_each_from \first, 2, _begin_vector DATA\i
    _shufb BSWAP, COUNTERS, DATA3
    _xor ROUND_KEY, DATA3, DATA3
  .endif
  .if \last - \first < STRAIGHT
    cmpl $12, KEY_ROUNDS(KEY)
    _for_each_slot _round_of \r, \first, \last
  .else
   .if \last - \first > 3 && VL == 32
    mov START, TMP
   .else
    movslq KEY_DISTANCE(KEY), TMP
   .endif
   .if \last - \first > 3 && (CODE == SSE || VL == 64)
    sub $16, TMP                /* round 1, too */
1:  _round \first, \last
    add $16, TMP
   .else
    .if \last - \first <= 3 || VL == 16
    _round_of 1, \first, \last
    .endif
    .if \last - \first < 3     /* its bytes, here less one, are in one line */
    .p2align 6,,2*((5+VL/64)*(\last-\first+1)+7+VL/64)+5
    .endif
1:  _round \first, \last
    _round \first, \last, 16
    add $32, TMP
   .endif
    jnz 1b
  .endif
    _load_lanes_low SLOT(14), ROUND_KEY
.endm

/* DATA0 .. DATA7 = the next counters, none of which waits for more than two others */
.macro _take_8_at_once
    _addq STEP, COUNTERS, DATA1
    _shufb BSWAP, COUNTERS, DATA0
    _addq STEP2, COUNTERS, DATA2
    _addq STEP4, COUNTERS, DATA4
    _addq STEP2, DATA1, DATA3
    _addq STEP4, DATA1, DATA5
    _addq STEP4, DATA2, DATA6
    _addq STEP4, DATA3, DATA7
    _addq STEP8, COUNTERS, COUNTERS
    _for_each_from 1, 7, _shufb BSWAP, DATA\i, DATA\i
.endm

/*
 * Groups of 8 vectors of 512 bits, with the round keys that all keys have, and that of round 0, in registers.  LEN: less a group;
 * there is one at least.
 */
.macro _groups_of_8
    _load_lanes SLOT(0), SLOT0
    _addq STEP2, STEP2, STEP4
    _addq STEP4, STEP4, STEP8
    .irp r, 5,6,7,8,9,10,11,12,13
    _load_lanes SLOT(\r), SLOT\r
    .endr
    _load_lanes SLOT(14), ROUND_KEY
    _take_8_at_once
    jmp 4f
3:  _for_each 8, _take_counters DATA\i
4:  mov $10, TMP32              /* the first round's slot is 5 + 10 - rounds */
    sub KEY_ROUNDS(KEY), TMP32
    _for_each 8, _xor SLOT0, DATA\i, DATA\i
    jz 2f
    movslq TMP32, TMP
    shl $4, TMP
1:  _load_lanes_at SLOT_5, KEY, TMP, LAST
    _aes_8 LAST
    add $16, TMP
    jnz 1b
2:  .irp r, 5,6,7,8,9,10,11,12,13
    _aes_8 SLOT\r
    .endr
    _for_each 8, _vector \i, \i
    _advance 8*VL, SRC
    _advance 8*VL, DST
    sub $8*VL, LEN
    jae 3b
    .irp r, 0,5,6,7,8,9,10,11,12,13
    _xor SLOT\r, SLOT\r, SLOT\r               /* wipes it */
    .endr
.endm
.macro _aes_8 key
    _for_each 8, _aes enc, \key, DATA\i
.endm

/*
 * dst = src ^ key stream for a whole vector, which is vector `at` of the text from SRC on.  The result of the last round is xored
 * with the input: dst = src ^ AESENCLAST(data, key).  As AESENCLAST ends with the xor of its key, the input can be xored into the
 * key instead: a step less in the chain from counter to output.
 */
.macro _vector i, at
    _end_vector \i, \at
    _store_vector \i, \at
.endm
.macro _end_vector i, at
  .if CODE == SSE
    _movu VL*(\at)(SRC), LAST
    _xor ROUND_KEY, LAST, LAST
  .else
    _xor VL*(\at)(SRC), ROUND_KEY, LAST
  .endif
    _aes enclast, LAST, DATA\i
.endm
.macro _store_vector i, at
    _movu DATA\i, VL*(\at)(DST)
.endm

/* Xor n = 4 or 2 bytes if LEN has that bit.  stream: so much of STREAM, which moves on; reg: of TMP, as scratch. */
.macro _crypt_bytes_if_left n, reg, stream
    test $\n, LEN8
    jz 1f
    mov (SRC), \reg
    xor \stream, \reg
    mov \reg, (DST)
    add $\n, SRC
    add $\n, DST
    shr $8 * \n, STREAM
1:
.endm

/* ---- The body ---- */

/*
 * 512 bits: 256 bits are faster for up to 32 bytes, 21 cycles on Zen 4 instead of 24, AES-128.  Zen 4, which does 512 bits in two
 * steps, is faster with them for 65 to 128 bytes as well, 28 cycles instead of 33; Zen 5, whose units are as wide as the vectors,
 * took 28 instead of 21.  (A kernel has no such row.)
 */
.macro _narrow_texts
    cmp $VL/2, LEN
    _jump_to jbe, aes_ctr_vaes_avx512_256
.endm

/*
 * 256 bits with AVX-512 have code for up to two vectors, the last under a mask.  Longer texts go to that of AVX2: of whole vectors
 * it takes as long, and of texts that end in a part 1 to 7 cycles more (Granite Rapids, up to 511 bytes).
 */
.macro _long_texts
    cmp $2*VL, LEN
    _jump_to ja, aes_ctr_vaes_avx2
.endm

/* One whole block: 128-bit code is up to two cycles faster, as it begins and ends with less. */
.macro _one_block
    cmp $16, LEN
    _jump_to je, aes_ctr_aesni_avx
.endm

/*
 * void lc_aes_ctr_<impl>(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16]);
 *
 * dst = src ^ key stream.  key: 16-byte aligned; nothing else need be.  dst and src: len bytes, len > 0, equal or disjoint; reads
 * and writes stay within them.  iv: the first counter, whose low 64 bits don't wrap before the last block.
 *
 * Clobbers rax, rcx, rdx, rsi, rdi, r9, the flags, the vector registers, k1 with AVX-512.  No stack.  Constant time: branches
 * and addresses depend on len and the number of rounds only.
 */
.macro _aes_ctr impl, vl
  .if VL == 32 && !SHORT
    .p2align 4
  .else
    .p2align 6                  /* AVX: elsewhere long texts took up to 2 % more (Granite Rapids, AES-128); AVX2 as long */
  .endif
.Laes_ctr_\impl:
FUNC(lc_aes_ctr_\impl)
  .if VL == 64
    _not_in_kernel _narrow_texts
  .elseif VL == 32
   .if SHORT
    _long_texts
   .endif
    _not_in_kernel _one_block
  .endif
    _load_lanes_low .Lbswap(%rip), BSWAP
    _load_lanes_low .Lcounters_in_\vl(%rip), STEP

    /* COUNTERS = iv + 0, iv + 1, .. in the lanes.  The iv is loaded as halves, see _load_halves. */
  .if VL == 16
    _load_halves IV, COUNTERS
  .else
    vpbroadcastq (IV), COUNTERS
    vpbroadcastq 8(IV), DATA0
    vpunpcklqdq DATA0, COUNTERS, COUNTERS
  .endif
    _shufb BSWAP, COUNTERS, COUNTERS
  .if VL > 16
    _addq .Llane_numbers(%rip), COUNTERS, COUNTERS
  .endif

    sub $-SLOT_8, KEY
.Lnext\@:
    cmp $VL, LEN
    jbe .Lone\@
  .if !SHORT
    cmp $3*VL, LEN
    ja .Lmany\@
  .endif
    /* 2 or 3 vectors: SRC and DST go on to the last one's text */
    lea -1(LEN), TMP
    and $3*VL, TMP32            /* VL * (the number of vectors - 1) */
    add TMP, SRC
    add TMP, DST
  .if !SHORT
    cmp $VL, TMP32
    ja .Lthree\@
  .endif
    _rounds 2, 3
    _vector 2, -1
    jmp .Llast\@

.Lone\@:
    _rounds 3, 3
.Llast\@:                       /* the last vector, DATA3, of 1 .. VL bytes */
    and $VL-1, LEN32
    jnz .Lpart\@
    _vector 3, 0

.Ldone\@:
    _xor ROUND_KEY, ROUND_KEY, ROUND_KEY    /* wipes the last round key, and what was xored with it */
    _xor LAST, LAST, LAST
  .if VL > 16
    vzeroupper
  .endif
    RETURN

  .if CODE == EVEX || SHORT
.Lpart\@:                       /* a part of the last vector, under a mask: but what is stored so can't be forwarded to a load */
   .if VL == 32
    cmp $16, LEN32
    je 1f
   .endif
    mov $-1, TMP
    bzhi LEN, TMP, TMP          /* a bit for each byte */
    kmovq TMP, PART
    vmovdqu8 (SRC), LAST{PART}{z}
    _xor ROUND_KEY, LAST, LAST
    vaesenclast LAST, DATA3, DATA3
    vmovdqu8 DATA3, (DST){PART}
    jmp .Ldone\@
   .if VL == 32
1:  vpxor (SRC), ROUND_KEY_XMM, LAST_XMM
    vaesenclast LAST_XMM, DATA3_XMM, DATA3_XMM
    vmovdqu DATA3_XMM, (DST)
    jmp .Ldone\@
   .endif
  .else
.Lpart\@:                       /* a part of the last vector: 1 .. VL - 1 bytes, LEN, as 16, 8, 4, 2 and 1, as its bits say */
    _aes enclast, ROUND_KEY, DATA3
   .if VL == 32
    test $16, LEN8
    jz 1f
    vpxor (SRC), DATA3_XMM, DATA2_XMM
    vmovdqu DATA2_XMM, (DST)
    and $15, LEN32
    jz .Ldone\@
    add $16, SRC
    add $16, DST
    vextracti128 $1, DATA3, DATA3_XMM
1:
   .endif
   .if CODE == SSE
    movq DATA3_XMM, STREAM
   .else
    vmovq DATA3_XMM, STREAM
   .endif
    test $8, LEN8
    jz 1f
    xor (SRC), STREAM
    mov STREAM, (DST)
    add $8, SRC
    add $8, DST
   .if CODE == SSE
    movhlps DATA3_XMM, DATA3_XMM        /* SSSE3 has no PEXTRQ */
    movq DATA3_XMM, STREAM
   .else
    vpextrq $1, DATA3_XMM, STREAM
   .endif
1:
    _crypt_bytes_if_left 4, TMP32, STREAM32
    _crypt_bytes_if_left 2, TMP16, STREAM16
    test $1, LEN8
    jz 1f
    xor (SRC), STREAM8
    mov STREAM8, (DST)
1:
    xor STREAM32, STREAM32              /* what the text had no use for */
    jmp .Ldone\@
  .endif

  .if !SHORT
.Lthree\@:
    _rounds 1, 3
    _vector 1, -2
    _vector 2, -1
    jmp .Llast\@

.Lmany\@:                       /* more than 3 vectors */
   .if CODE != SSE
    _addq STEP, STEP, STEP2
   .endif
    sub $8*VL, LEN
    jae .Lgroups\@
    _rounds 0, 3
    _advance 3*VL, SRC
    _advance 3*VL, DST
    _vector 0, -3
    _vector 1, -2
    _vector 2, -1
    sub $-4*VL, LEN             /* from less 8 to less 4 */
    jbe .Llast\@
    _vector 3, 0
    _advance VL, SRC
    _advance VL, DST
    jmp .Lnext\@

.Lgroups\@:
   .if KEYS_IN_REGISTERS
    _groups_of_8
   .else
    .if VL == 32
    movslq KEY_DISTANCE(KEY), START
    .endif
.Leight\@:
    _rounds 0, 7
    .if VL == 32                 /* stores after all else: 1 % faster on Zen 5, but not so with 128 bits */
    _for_each 8, _end_vector \i, \i
    _for_each 8, _store_vector \i, \i
    .else
    _for_each 8, _vector \i, \i
    .endif
    _advance 8*VL, SRC
    _advance 8*VL, DST
    sub $8*VL, LEN
    jae .Leight\@
   .endif
    add $8*VL, LEN
    jz .Ldone\@
    jmp .Lnext\@
  .endif
END_FUNC(lc_aes_ctr_\impl)
.endm

/* ---- The instances ---- */

/* short: has code for one and two vectors only, and masks */
.macro _implementation impl, vl, code, short=0
    .set VL, \vl
    .set CODE, \code
    .set KEYS_IN_REGISTERS, 0
  .if VL == 64
    _not_in_kernel .set KEYS_IN_REGISTERS, 1    /* there code has to be small */
  .endif
    .set STRAIGHT, 1
    .set SHORT, \short
  .if VL == 16
    _not_in_kernel .set STRAIGHT, 3             /* 32 bytes, AES-128: 17.5 cycles on Zen 5, not 19 */
  .endif
    _name_registers
    _begin_code lc_aes_ctr_\impl
    _aes_ctr \impl, \vl
    _end_code lc_aes_ctr_\impl
.endm

/* The one before it, which is a part of its code; but texts of two vectors go to the code for AVX2. */
.macro _narrow_implementation impl
FUNC(lc_aes_ctr_\impl)
    cmp $2*VL, LEN
    ja 1f
    cmp $VL, LEN
    _jump_to ja, aes_ctr_vaes_avx2
    _narrow_texts
1:  _jump_to jmp, aes_ctr_\impl\()_wide
END_FUNC(lc_aes_ctr_\impl)
    _end_code lc_aes_ctr_\impl
.endm

/*              impl             VL  CODE, short */
_not_in_kernel _implementation aesni, 16, SSE
_implementation aesni_avx,       16, VEX
_not_in_kernel _implementation vaes_avx512_256, 32, VEX, 1
_implementation vaes_avx2,       32, VEX
#ifdef LC_SMALL
_implementation vaes_avx512_512, 64, EVEX
#else
_begin_code lc_aes_ctr_vaes_avx512_512
_implementation vaes_avx512_512_wide, 64, EVEX
_narrow_implementation vaes_avx512_512
#endif

.section .note.GNU-stack, "", @progbits

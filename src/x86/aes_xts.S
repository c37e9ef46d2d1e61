/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-XTS for x86-64: one body, five implementations, each for encryption and decryption.
 *
 *   lc_aes_xts_*_aesni               AES SSSE3                         Westmere; Silvermont and other small cores without AVX
 *   lc_aes_xts_*_aesni_avx           AES SSSE3 AVX                     Sandy Bridge .. Skylake, Zen 1, Zen 2
 *   lc_aes_xts_*_vaes_avx2           VAES VPCLMULQDQ AVX2              Zen 3; Alder Lake and later clients
 *   lc_aes_xts_*_vaes_avx512_256     VAES VPCLMULQDQ AVX512F/BW/VL     Ice Lake, Tiger Lake: 256-bit vectors keep their clock
 *   lc_aes_xts_*_vaes_avx512_512     the same                          Rocket Lake, Sapphire Rapids and later; Zen 4, Zen 5
 *
 * Parameters of the body: VL and CODE (see asm.h); (16, 0), (16, 1), (32, 1), (32, 2), (64, 2) are those that are
 * useful and tested.
 *
 * -- XTS --------------------------------------------------------------------------------------------------------------------
 *
 * Block j of a data unit is C[j] = AES(P[j] ^ T[j]) ^ T[j] with T[0] = AES_tweakkey(iv), T[j] = T[0] * x^j in GF(2^128) modulo
 * x^128 + x^7 + x^2 + x + 1; a block is read as a little-endian number whose bit i is the coefficient of x^i.  So a product by
 * x^k is a shift to the left by k bits, and the k bits that fall out, c, come back as c * x^128 = c * (x^7 + x^2 + x + 1),
 * a carry-less product by 0x87.
 *
 * -- What bounds it -----------------------------------------------------------------------------------------------------------
 *
 * The AES unit.  Per 64 bytes and n rounds (n = 10, 12, 14) it is busy for n cycles, whether they go as one 512-bit uop on one port
 * (Intel: p0; Zen 4: two passes of FP0/1) or as two 256-bit ones on two.  Everything else has to hide behind it:
 *
 *   Intel, 512 bits: p0 AES, bit shifts; p5 byte shifts, shuffles, carry-less multiplies; p0 or p5 logic.
 *   Zen 4, 512 bits: FP0/1 AES; multiplies take an AES slot each; FP1/2 shuffles, shifts; FP0-3 logic.
 *
 * A group of 4 vectors, 256 bytes for VL = 64, AES-256:
 *
 *   56 AES rounds                                                   p0 56
 *   4 loads, 4 ternary xors (data, tweak, key 0), 4 xors (tweak, key 14), 4 stores     p0 or p5 8
 *   the next group's tweaks: 2 shuffles, 1 multiply, 7 byte shifts, 4 ternary logic    p5 10, p0 or p5 4
 *
 * So on Intel 78 uops for the 112 slots of p0 and p5 in 56 cycles: the AES port is the bound.  On Zen 4 the bound is 57 cycles;
 * 59 to 60 are measured, and 57 without the tweaks' uops; that shuffles and AES meet on FP1 would explain it, but isn't shown.
 *
 * -- Short units ----------------------------------------------------------------------------------------------------------------
 *
 * Bulk is easy; disks have units of 512 and 4096 bytes, and there the frame around the loop is what counts:
 *
 *  - One function does the whole unit, iv included: round keys and constants are loaded while the iv is in the AES unit.
 *  - The iv is loaded in two halves.  Callers write it as two 64-bit words, sector number and 0, just before; a load of 16 bytes
 *    couldn't be forwarded from two stores, and would wait until both are in the cache: 100 cycles in which calls don't overlap.
 *  - T[0..7] come from T[0] by variable shifts, not one from the other; T[8..15] from these (_first_tweaks).  A short
 *    unit stops as soon as it has enough, and behind a unit's last group no tweaks are made.
 *  - Many units in a call: the ivs of 4 * VL / 16 units are encrypted at once (.Lunit_next); and the first tweaks of a
 *    unit are made among the rounds of the last group of the one before (.Llast_group), so that the AES unit isn't idle in between.
 *
 * The next tweaks are computed as one piece among a group's rounds, behind round HOOK.  At the beginning of the group they are in
 * the queue before its rounds, and 128-bit code loses 8 %; behind round 11 they come too late, and 512-bit code loses 6 %.  In
 * between it is a matter of 1 .. 3 %.  An instruction here and there between the rounds measured the same as one piece.
 */
#include "asm.h"

/* ---- Data ---- */

.section .rodata.lc_aes_xts, "a", @progbits
.p2align 6
.Lshift_left:       /* n, and 64 - n, for both halves of lane n = 0..7 */
    .irp n, 0,1,2,3,4,5,6,7
    .quad \n, \n
    .endr
.Lshift_right:
    .irp n, 0,1,2,3,4,5,6,7
    .quad 64 - \n, 64 - \n
    .endr
.Lpoly:             /* x^7 + x^2 + x + 1, for carry-less products */
    .quad 0x87, 0
.Lword0:            /* the low word of a lane */
    .quad 0xffff, 0
.Lpoly_x:           /* what bits 127 and 63 turn into when a lane is doubled: x^128 = 0x87; x^64 is the high half's bit 0 */
    .quad 0x87, 1
.Lcarry_pair:       /* bytes 3 and 2 of dwords 0 and 2, into words 0..3 */
    .byte 3, -1, 2, -1, 11, -1, 10, -1, -1, -1, -1, -1, -1, -1, -1, -1
.Lcarry_quad:       /* byte 3 of each dword, into words 0..3; both lanes */
    .rept 2
    .byte 3, -1, 7, -1, 11, -1, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1
    .endr
.Lword_0:           /* word n alone, in place of word 0; both lanes */
    .rept 2
    .byte 0, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
    .endr
.Lword_1:
    .rept 2
    .byte 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
    .endr
.Lword_2:
    .rept 2
    .byte 4, 5, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
    .endr
.Lword_3:
    .rept 2
    .byte 6, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
    .endr
    /* Shuffles that shift 16 bytes by k: to the right at .Lbyte_shift + k, to the left at .Lbyte_shift - k; zeros come in. */
    .fill 16, 1, -1
.Lbyte_shift:
    .byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .fill 16, 1, -1

.text

/* ---- Registers ---- */

#define KEY     %rdi    /* struct lc_xts_key, biased so that all keys of the direction have 8-bit displacements */
#define DST     %rsi
#define SRC     %rdx
#define LEN     %rcx    /* bytes of whole blocks left in this unit, without the two that ciphertext stealing takes */
#define LEN32   %ecx
#define TWEAK   %r8     /* uint8_t[16], or struct lc_xts_units for many units */
#define HOW     %r9d    /* enum lc_xts_how */
#define HOW8    %r9b
#define REST    %rax    /* length % 16 of this unit | NEXT_WANTED, or PIPELINED */
#define REST32  %eax
#define REST8   %al
#define LEFT    %r10    /* bytes in the units behind this one */
#define TMP     %r11
#define TMP32   %r11d

/* enum lc_xts_how, src/xts_internal.h */
#define HOW_RETURN_TWEAK 1
#define HOW_ENCRYPTED 2
#define HOW_UNITS 4
/* of the function's own */
#define HOW_START 8     /* no tweak has been encrypted yet */
#define HOW_KEYS 16     /* round keys have been in registers */

/* In REST; neither makes LEN + REST equal to a group's length. */
#define NEXT_WANTED 0x100   /* whatever the length, the tweak behind the piece is wanted */
#define PIPELINED 0x200     /* the unit ends with this group, and T0..T3 are the next unit's already */

/* struct lc_xts_key and struct lc_xts_units: asserted in src/x86/xts.c */
#define KEY_TWEAK 0
#define KEY_ENC 240
#define KEY_ROUNDS 480
#define KEY_DEC 496
#define UNITS_LEN 16
#define UNITS_INDEX 24
#define UNITS_IV 32
#define UNITS_STEP 96
#define UNITS_TWEAK 144

/*
 * D0-3 data, T0-3 tweaks, L0-3 tweak ^ last round key.  The lower 16 are all there is without EVEX, where the round key passes
 * through KT; with EVEX the 15 keys stay in K0-14.
 */
.macro _name_registers
    _set_vectors
    /* Units of up to SHORT bytes, and what stealing takes, are faster block by block. */
  .if VL == 16
    .set SHORT, 48
  .elseif CODE == 2
    .set SHORT, 32      /* with 15 keys to load and to wipe */
  .else
    .set SHORT, 16
  .endif
    /* The round behind which the next tweaks are computed */
  .if VL == 32
    .set HOOK, 5
  .else
    .set HOOK, 7
  .endif
    .irp i, 0,1,2,3
    .set D\i, V\i
    .endr
    .set T0, V4
    .set T1, V5
    .set T2, V6
    .set T3, V7
    .set L0, V8
    .set L1, V9
    .set L2, V10
    .set L3, V11
    .set KT, V14        /* without EVEX */
    .set A, V12
    .set B, V13
  .if VL == 64
    .set C, T2          /* in _first_tweaks only, which makes T2 last */
  .else
    .set C, V14
  .endif
    .set POLY, V15      /* not for VL = 16 */
  .if CODE == 2
    .set K0, V16
    .set K1, V17
    .set K2, V18
    .set K3, V19
    .set K4, V20
    .set K5, V21
    .set K6, V22
    .set K7, V23
    .set K8, V24
    .set K9, V25
    .set K10, V26
    .set K11, V27
    .set K12, V28
    .set K13, V29
    .set K14, V30
  .endif
  .if VL == 64
    .set CARRY, V31     /* .Lcarry_pair */
    .set WORD0, V14     /* .Lword0 */
  .endif
.endm

/*
 * Instructions that only calls for many units need.  A kernel's requests have one each: built with LC_ONE_UNIT, the functions don't
 * know HOW_UNITS.
 */
#ifdef LC_ONE_UNIT
.macro _units insn:vararg
.endm
#else
.macro _units insn:vararg
    \insn
.endm
#endif

/* One 16-byte lane of the same */
#define XD %xmm0        /* D0 */
#define XE %xmm1
#define XT %xmm12       /* a tweak */
#define XU %xmm2        /* the other one, in ciphertext stealing */
#define XTMP %xmm13

/* ---- Steps ---- */

/* Memory operands of round key i for the data (of this direction: see BIAS) and for the iv */
#define DATA_KEY(i) DATA_SLOT+16*(i)(KEY)
#define TWEAK_KEY(i) TWEAK_SLOT+16*(i)(KEY)

/* Go to `to10` for AES-128 and to `to12` for AES-192: the rounds that they don't have come first. */
.macro _skip_rounds to10, to12
    cmpl $12, KEY_ROUNDS-BIAS(KEY)
    jb \to10
    je \to12
.endm

/*
 * d = all rounds on one 16-byte block, keys from memory: base points DATA_SLOT before slot 0.  Unrolled: with loops, for the iv and
 * for the data, 16-byte units took 10 cycles more.
 */
.macro _crypt_block op, base, d
    _xor DATA_SLOT(\base), \d, \d
    _skip_rounds .Lr10\@, .Lr12\@
    .irp i, 1,2
    _aes \op, 16*\i+DATA_SLOT(\base), \d
    .endr
.Lr12\@:
    .irp i, 3,4
    _aes \op, 16*\i+DATA_SLOT(\base), \d
    .endr
.Lr10\@:
    .irp i, 5,6,7,8,9,10,11,12,13
    _aes \op, 16*\i+DATA_SLOT(\base), \d
    .endr
    _aes \op\()last, 16*14+DATA_SLOT(\base), \d
.endm

/* One round i on the vectors listed. */
.macro _round op, i, vectors:vararg
  .if CODE == 2
    .irp d, \vectors
    _aes \op, K\i, \d
    .endr
  .else
    _load_lanes DATA_KEY(\i), KT
    .irp d, \vectors
    _aes \op, KT, \d
    .endr
  .endif
.endm

/* Rounds 1..13 on the vectors listed.  hook: a macro (with its argument) that is put behind round HOOK. */
.macro _rounds op, hook, vectors:vararg
    _skip_rounds .Lr10\@, .Lr12\@
    .irp i, 1,2
    _round \op, \i, \vectors
    .endr
.Lr12\@:
    .irp i, 3,4
    _round \op, \i, \vectors
    .endr
.Lr10\@:
    .irp i, 5,6,7,8,9,10,11,12,13
    _round \op, \i, \vectors
  .if \i == HOOK
    \hook
  .endif
    .endr
.endm

/* d = s * x in each 16-byte lane; xmm or V registers of VL = 16; t is clobbered.  s may be d. */
.macro _double s, d, t
.if CODE == 0
    movdqa \s, \t
    psrad $31, \t               /* sign of each dword, all over it */
    pshufd $0x13, \t, \t        /* dword 0 = sign of bit 127, dword 2 = sign of bit 63 */
    pand .Lpoly_x(%rip), \t
  .ifnc \s,\d
    movdqa \s, \d
  .endif
    paddq \d, \d
    pxor \t, \d
.else
    vpsrad $31, \s, \t
    vpaddq \s, \s, \d
    vpshufd $0x13, \t, \t
    vpand .Lpoly_x(%rip), \t, \t
    vpxor \t, \d, \d
.endif
.endm

/*
 * The tweaks of the next vectors.
 *
 * T * x^8 is T << 8, a byte shift, xored with c * 0x87, c being T's top byte.  The field's way is a carry-less multiply
 * for each vector. But a multiply takes 64 bits, and here has work for 8 (for a stride of 16 blocks: 16).  So four top
 * bytes go into one, as the words of the operand, which leave room for the products' 15 bits: no more instructions, and
 * a quarter of the multiplies.  On Intel these cost little, p5 has time; on AMD each takes an AES slot (512 bits) or
 * two (256 bits).
 *
 * 512 bits: the vectors are 4 blocks apart, so T0, T2 and T1, T3 are x^8 apart, and so are T2, T0' and T3, T1' for the tweaks T' of
 * the next group:  T0' = T2 * x^8,  T2' = T0' * x^8, the latter with top byte T0'[15] = T2[14], as the product only reaches the two
 * low bytes.  Hence all four carries are there at once: T2[15], T2[14], T3[15], T3[14].
 *
 * 256 bits: the vectors are 2 blocks apart and a group is 8, so Tn' = Tn * x^8 with the carries Tn[15], n = 0..3.
 *
 * Tried and slower, on Zen 4: a multiply for each vector (2 .. 4 % from 1 KB up); c * 0x87 by additions and VPMULTISHIFTQB in place
 * of the multiply (2 %).  Not tried, as counting says no: bit shifts in its place (on Intel they are in the AES unit's way), and
 * GFNI's affine transformation (on AMD it takes an AES slot as well).
 */

/* A = the products for s0[15], s0[14], s1[15], s1[14] in words 0..3 of each lane.  (512 bits) */
.macro _carry_products s0, s1
    vshufps $0xff, \s1, \s0, A
    vpshufb CARRY, A, A
    vpclmulqdq $0x00, POLY, A, A
.endm

/* d = s * x^8 with the product in word n of A; B is clobbered.  (512 bits) */
.macro _times_x8 s, n, d
    vpslldq $1, \s, \d
  .if \n == 0
    vpternlogd $0x78, WORD0, A, \d     /* d ^= A & WORD0 */
  .else
    vpsrldq $2 * \n, A, B
    vpternlogd $0x78, WORD0, B, \d
  .endif
.endm

/* The same for 256 bits: the product in word n of A, alone, by a shuffle. */
.macro _times_x8_256 d, n
    vpslldq $1, \d, \d
    vpshufb .Lword_\n(%rip), A, B
    _xor B, \d, \d
.endm

/* T0..T3 = the tweaks of the group behind this one; A, B and XTMP are clobbered. */
.macro _next_tweaks
  .if VL == 16
    _double T3, T0, XTMP
    _double T0, T1, XTMP
    _double T1, T2, XTMP
    _double T2, T3, XTMP
  .elseif VL == 32
    vshufps $0xff, T1, T0, A
    vshufps $0xff, T3, T2, B
    vshufps $0x88, B, A, A              /* the top dwords of T0..T3 */
    vpshufb .Lcarry_quad(%rip), A, A
    vpclmulqdq $0x00, POLY, A, A
    _times_x8_256 T0, 0
    _times_x8_256 T1, 1
    _times_x8_256 T2, 2
    _times_x8_256 T3, 3
  .else
    _carry_products T2, T3
    _times_x8 T2, 0, T0
    _times_x8 T3, 2, T1
    _times_x8 T0, 1, T2
    _times_x8 T1, 3, T3
  .endif
.endm

/*
 * T0..T3 from the unit's first tweak in XT (lane 0 of A).
 *
 * Lane n of the first 8 is T * x^n = T << n ^ c * 0x87: both halves are shifted by n; what leaves the low half enters
 * the high one, and c is what leaves the high one.  With s = T >> (64 - n) in both halves (0 for n = 0, a shift by 64),
 * the former is the low half of s and c the high half.  256-bit vectors hold the 8 lanes in four; 512-bit ones in two,
 * the other two are these times x^8. 128-bit: doublings.  Goes to `enough` as soon as the unit has no use for more.
 */
.macro _first_tweaks enough
  .if VL == 16
    _mov XT, T0
    _double T0, T1, XTMP
    _double T1, T2, XTMP
    _double T2, T3, XTMP
  .elseif VL == 32
   .if CODE == 2
    vinserti32x4 $1, XT, A, A
   .else
    vinserti128 $1, XT, A, A
   .endif
    _shifted_tweaks 0, T0
    lea (LEN, REST), TMP
    cmp $VL, TMP
    jbe \enough
    _shifted_tweaks 1, T1
    cmp $2 * VL, TMP
    jbe \enough
    _shifted_tweaks 2, T2
    _shifted_tweaks 3, T3
  .else
    vshufi32x4 $0, A, A, A
    _shifted_tweaks 0, T0
    lea (LEN, REST), TMP
    cmp $VL, TMP
    jbe \enough
    _shifted_tweaks 1, T1
    cmp $2 * VL, TMP
    jbe \enough
    _carry_products T0, T1
    _times_x8 T0, 0, T2
    _times_x8 T1, 2, T3
  .endif
.endm

.macro _shifted_tweaks i, t     /* A: T in all lanes; B, C are clobbered */
    vpsrlvq .Lshift_right+VL*\i(%rip), A, B
    vpsllvq .Lshift_left+VL*\i(%rip), A, \t
    vpclmulqdq $0x01, POLY, B, C
    vpslldq $8, B, B
    _xor3 B, C, \t
.endm

/* d = data ^ tweak ^ key 0, and l = tweak ^ key 14, to be the last round's key */
.macro _load_data i
  .if CODE == 2
    vmovdqu64 VL*\i(SRC), D\i
    vpternlogd $0x96, K0, T\i, D\i
    vpxord K14, T\i, L\i
  .else
    _movu VL*\i(SRC), D\i
    _xor KT, D\i, D\i
    _xor T\i, D\i, D\i
    _xor B, T\i, L\i
  .endif
.endm

/* Among a group's rounds: the tweaks of what comes behind it. n: the suffix of the body's labels. */
.macro _group_tweaks n
    lea (LEN, REST), TMP
    cmp $4 * VL, TMP
#ifdef LC_ONE_UNIT
    je .Lresume\n               /* nothing */
#else
    je .Llast_group\n           /* nothing of this unit */
#endif
    _next_tweaks
.Lresume\n:
.endm

/*
 * Leave no round keys behind, nor what is xored with one.  Registers 16 and up matter most: hardly any other code uses
 * them, so keys would stay there, and get into signal frames and core dumps.  (With VEX or EVEX, zeroing an xmm
 * register zeroes all of it.)
 */
.macro _wipe_keys
  .if CODE == 0
    .irp i, 8,9,10,11,13,14     /* L0-3, what B was for a batch of ivs, KT */
    pxor %xmm\i, %xmm\i
    .endr
  .else
    vpxor %xmm0, %xmm0, %xmm0
    .irp i, 8,9,10,11,13,14
    vmovdqa %xmm0, %xmm\i
    .endr
  .endif
  .if CODE == 2
    .irp i, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
    vpxord %xmm\i, %xmm\i, %xmm\i
    .endr
  .endif
.endm

/* ---- The body ---- */

/*
 * void lc_aes_xts_{enc,dec}rypt_<impl>(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len,
 *                                      void *tweak, unsigned how);
 *
 * dst = the data units in src, encrypted or decrypted.  key: 16-byte aligned; nothing else need be.  dst and src: len bytes, equal
 * or disjoint; reads and writes stay within them.
 *
 * how without HOW_UNITS: one unit, or a piece of one.  len: at least 16 bytes, and a multiple of 16 unless the unit
 * ends with it; or 0, if it is only the tweak that is wanted.  tweak: 16 bytes, the iv, or with HOW_ENCRYPTED the tweak
 * of the piece's first block; with HOW_RETURN_TWEAK that of the block behind the piece is stored there (nothing useful
 * if the unit has ended by stealing).
 *
 * how = HOW_UNITS: as many units as there are.  len > 0.  tweak: struct lc_xts_units, 16-byte aligned;
 * units of unit_len bytes each, the last one may be shorter, none below 16 bytes.
 *
 * Clobbers rax, rcx, rdx, rsi, rdi, r8-r11, the flags, all vector registers; k1 for VL = 64.  No stack.
 * Constant time: branches and addresses depend on the lengths, the number of rounds and how only.
 */
.macro _aes_xts impl, dir
  .ifc \dir,enc                /* the keys of this direction and the number of rounds are within -128 .. 127 of KEY */
    .set DATA_SLOT, -128
    .set BIAS, KEY_ENC - DATA_SLOT
  .else
    .set DATA_SLOT, -112
    .set BIAS, KEY_DEC - DATA_SLOT
  .endif
  .set TWEAK_SLOT, KEY_TWEAK - BIAS

FUNC(lc_aes_xts_\dir\()rypt_\impl)
    add $BIAS, KEY
    _units test $HOW_UNITS, HOW8
    _units jnz .Lunits\@
    _load_halves TWEAK, XT
    _units xor %r10d, %r10d     /* LEFT = 0 */
    test $HOW_ENCRYPTED, HOW8
    jnz .Lencrypted\@
    lea TWEAK_SLOT-DATA_SLOT(KEY), TMP
    _crypt_block enc, TMP, XT
.Lencrypted\@:
    cmp $SHORT + 16, LEN        /* such a short unit needs no vectors */
    jb .Lsplit\@

.Lload_keys\@:
    or $HOW_KEYS, HOW
  .if CODE == 2
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14
    _load_lanes DATA_KEY(\i), K\i
    .endr
  .endif
  .if VL == 64
    _load_lanes .Lcarry_pair(%rip), CARRY
    _load_lanes .Lword0(%rip), WORD0
  .endif
  .if VL > 16
    _load_lanes .Lpoly(%rip), POLY
  .endif
    _units test $HOW_UNITS, HOW8
    _units jnz .Lunit_next\@

.Lsplit\@:
    /* If the length isn't a multiple of 16, the last whole block and the rest are kept back for ciphertext stealing. */
    mov LEN32, REST32
    and $15, REST32
    jz 1f
    sub REST, LEN
    sub $16, LEN
1:  test $HOW_RETURN_TWEAK, HOW8
    jz 1f
    or $NEXT_WANTED, REST32
1:  cmp $SHORT, LEN32
    jbe .Lblock\@

.Lfirst_tweaks\@:
    _first_tweaks .Lvectors\@
    _units cmp $PIPELINED, REST32
    _units je .Lresume\@
    cmp $4 * VL, LEN32
    jb .Lvectors\@
    .p2align 4
.Lgroup\@:
  .if CODE != 2
    _load_lanes DATA_KEY(0), KT
    _load_lanes DATA_KEY(14), B
  .endif
    .irp i, 0,1,2,3
    _load_data \i
    .endr
    _rounds \dir, "_group_tweaks \@", D0, D1, D2, D3
    .irp i, 0,1,2,3
    _aes \dir\()last, L\i, D\i
    .endr
    .irp i, 0,1,2,3
    _movu D\i, VL*\i(DST)
    .endr
    sub $-4 * VL, SRC           /* -128 fits into 8 bits */
    sub $-4 * VL, DST
    add $-4 * VL, LEN32
    cmp $4 * VL, LEN32
    jae .Lgroup\@
    _units cmp $PIPELINED, REST32
    _units je .Lunit_pipelined\@

.Lvectors\@:
  .if VL > 16
    /* Up to three whole vectors; for VL = 64 then a part of one.  Their tweaks are there already. */
    cmp $VL, LEN32
    jb .Lpart\@
    _movu (SRC), D0
.Lvector\@:
  .if CODE == 2
    vpternlogd $0x96, K0, T0, D0
    vpxord K14, T0, L0
  .else
    _load_lanes DATA_KEY(0), KT
    _xor KT, D0, D0
    _xor T0, D0, D0
    _load_lanes DATA_KEY(14), KT
    _xor KT, T0, L0
  .endif
    _rounds \dir, , D0
    _aes \dir\()last, L0, D0
  .if VL == 64
    cmp $VL, LEN32
    jb .Lstore_part\@
  .endif
    _movu D0, (DST)
    add $VL, SRC
    add $VL, DST
    _mov T1, T0
    _mov T2, T1
    _mov T3, T2
    sub $VL, LEN32
    jmp .Lvectors\@
.Lpart\@:
  .endif
    _mov T0, A                  /* XT = its lane 0 */
  .if VL == 64
    test LEN32, LEN32
    jz .Lblock\@
    /* One to three blocks, masked: a block is two quadwords */
    shr $3, LEN32
    mov $-1, TMP32
    shl %cl, TMP32
    not TMP32
    kmovd TMP32, %k1
    lea 3(TMP, TMP, 2), TMP32   /* (mask + 1) * 3: the lane behind them, for XT */
    shl $3, LEN32
    vmovdqu64 (SRC), D0{%k1}{z}
    jmp .Lvector\@
.Lstore_part\@:
    vmovdqu64 D0, (DST){%k1}
    add LEN, SRC
    add LEN, DST
    xor LEN32, LEN32
    kmovd TMP32, %k1
    vpcompressq T0, A{%k1}{z}
  .endif

.Lblock\@:
    /* Single blocks, none to three, the first one's tweak in XT; then what REST says. */
    test LEN32, LEN32
    jz .Lsteal\@
    _movu (SRC), XD
.Lblock_crypt\@:
    _xor XT, XD, XD
    _crypt_block \dir, KEY, XD
    _xor XT, XD, XD
    cmp $1, LEN32
    je .Lstolen\@
    _movu XD, (DST)
    jb .Lstealing_done\@
    add $16, SRC
    add $16, DST
    sub $16, LEN32
    lea (LEN, REST), TMP
    test TMP32, TMP32
    jz .Lunit_end\@
    _double XT, XT, XTMP
    jmp .Lblock\@

.Lsteal\@:
    /*
     * Ciphertext stealing: the last whole block, m, and r = 1..15 bytes behind it.
     *   encryption: X = AES(P[m]) under T[m], Y = AES(P[m + 1] || X[r..15]) under T[m + 1]
     *   decryption: the same, T[m + 1] first and then T[m]
     *   out: Y, then the first r bytes of X.
     * Both go through the code above; LEN = 1 marks the first, 0 the second.
     */
    test $15, REST8
    jz .Lunit_end\@
  .ifc \dir,enc
    _double XT, XU, XTMP
  .else
    _mov XT, XU
    _double XT, XT, XTMP
  .endif
    _movu (SRC), XD
    mov $1, LEN32
    jmp .Lblock_crypt\@
.Lstolen\@:
    /*
     * W = X[0..r-1] at the top of 16 bytes, which go to dst + r: there the bytes below will be overwritten by Y.
     * Z = src[r..r+15] has P[m + 1] at its top.  So W ^ Z, shifted down by 16 - r, swaps the one for the other in X.
     */
    and $15, REST32
    lea .Lbyte_shift(%rip), TMP
    _load_at -16, TMP, REST, XTMP
    _shufb XTMP, XD, XE
    _load_at 0, SRC, REST, XTMP
    _store_at XE, 0, DST, REST
    _xor XE, XTMP, XTMP
    neg REST
    _load_at 16, TMP, REST, XE
    _shufb XE, XTMP, XTMP
    _xor XTMP, XD, XD
    _mov XU, XT
    xor LEN32, LEN32
    jmp .Lblock_crypt\@
.Lstealing_done\@:
    sub REST, SRC
    sub REST, DST
    add $16, SRC
    add $16, DST

.Lunit_end\@:
    _units test LEFT, LEFT
    _units jnz .Lunit_next\@
    test $HOW_RETURN_TWEAK, HOW8
    jz 1f
    _movu XT, (TWEAK)
1:
    test $HOW_KEYS, HOW8
    jz 1f
    _wipe_keys
1:
  .if VL > 16
    vzeroupper
  .endif
    RETURN

#ifndef LC_ONE_UNIT
.Llast_group\@:
    /*
     * The unit ends with this group.  If another whole one follows, make its first tweaks now, while the AES unit is busy with
     * this group's other rounds, so that it doesn't wait between units.
     */
    test LEFT, LEFT
    jz .Lresume\@
    cmp UNITS_LEN(TWEAK), LEFT
    jb .Lresume\@
    mov UNITS_INDEX(TWEAK), TMP32
    _load_at UNITS_TWEAK, TWEAK, TMP, XT
    add $16, TMP32
    mov TMP32, UNITS_INDEX(TWEAK)
    mov $PIPELINED, REST32
    jmp .Lfirst_tweaks\@

.Lunit_pipelined\@:
    xor REST32, REST32
    mov UNITS_LEN(TWEAK), LEN
    sub LEN, LEFT
    cmpl $4 * VL, UNITS_INDEX(TWEAK)
    jne .Lgroup\@
    test LEFT, LEFT             /* tweaks for nobody? */
    jz .Lgroup\@
    jmp .Lbatch\@

.Lunits\@:
    or $HOW_START, HOW
    mov LEN, LEFT
    xor LEN32, LEN32
    movl $4 * VL - 16, UNITS_INDEX(TWEAK)
    jmp .Lload_keys\@

.Lunit_next\@:
    /*
     * Take the next unit's tweak.  If that was the last of its batch, encrypt the ivs of the next 4 * VL / 16 units: in
     * program order before this unit's data, so that they are older, get their turn in the AES unit and are there when
     * this unit is done.
     */
    mov UNITS_INDEX(TWEAK), TMP32
    _load_at UNITS_TWEAK, TWEAK, TMP, XT
    add $16, TMP32
    mov TMP32, UNITS_INDEX(TWEAK)
    cmp $4 * VL, TMP32
    jne .Lunit_len\@
    test $HOW_START, HOW8
    jnz .Lbatch\@
    cmp UNITS_LEN(TWEAK), LEFT
    jbe .Lunit_len\@            /* this is the last unit */
.Lbatch\@:
    movl $0, UNITS_INDEX(TWEAK)
    _movu UNITS_IV(TWEAK), D0
    _load_lanes UNITS_STEP+16*(VL/32)(TWEAK), B
    _addq B, D0, D1
    _addq B, D1, D2
    _addq B, D2, D3
    _addq D3, B, B
    _movu B, UNITS_IV(TWEAK)
    _load_lanes TWEAK_KEY(0), B
    .irp i, 0,1,2,3
    _xor B, D\i, D\i
    .endr
    xor TMP32, TMP32
    sub KEY_ROUNDS-BIAS(KEY), TMP32
    shl $4, TMP32
    movslq TMP32, TMP
    add $16, TMP
2:  _load_lanes_at TWEAK_SLOT+224, KEY, TMP, B
    .irp i, 0,1,2,3
    _aes enc, B, D\i
    .endr
    add $16, TMP
    jnz 2b
    _load_lanes TWEAK_KEY(14), B
    .irp i, 0,1,2,3
    _aes enclast, B, D\i
    _movu D\i, UNITS_TWEAK+VL*\i(TWEAK)
    .endr
    btr $3, HOW                 /* HOW_START */
    jc .Lunit_next\@
    test LEN, LEN               /* not 0: pipelined */
    jnz .Lgroup\@
.Lunit_len\@:
    mov UNITS_LEN(TWEAK), LEN
    cmp LEFT, LEN
    cmova LEFT, LEN
    sub LEN, LEFT
    jmp .Lsplit\@
#endif
END_FUNC(lc_aes_xts_\dir\()rypt_\impl)
.endm

/* ---- The implementations ---- */

.macro _implementation impl, vl, code
    .set VL, \vl
    .set CODE, \code
    _name_registers
    _begin_code lc_aes_xts_\impl
    _aes_xts \impl, enc
    _aes_xts \impl, dec
    _end_code lc_aes_xts_\impl
.endm

_implementation aesni, 16, 0
_implementation aesni_avx, 16, 1
_implementation vaes_avx2, 32, 1
_implementation vaes_avx512_256, 32, 2
_implementation vaes_avx512_512, 64, 2

.section .note.GNU-stack, "", @progbits

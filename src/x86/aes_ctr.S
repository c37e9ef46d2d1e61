/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-CTR for x86-64: one body, five implementations.
 *
 *   lc_aes_ctr_aesni               AES SSSE3
 *   lc_aes_ctr_aesni_avx           AES SSSE3 AVX
 *   lc_aes_ctr_vaes_avx2           VAES AVX2
 *   lc_aes_ctr_vaes_avx512_256     VAES AVX512F/BW/VL
 *   lc_aes_ctr_vaes_avx512_512     the same
 *
 * Parameters of the body: VL and CODE (see asm.h).
 *
 * Block i of the message is xored with AES(iv + i), a big-endian addition.  The counters are kept byte-reversed, in each 16-byte
 * lane of a vector one, so that the addition is one of 64 bits; callers see to it that the upper half stays the same.
 *
 * What bounds it is the AES unit: for n rounds (10, 12, 14) n cycles for 64 bytes, as one 512-bit uop a cycle or two of 256 bits.
 * The rest is 5 uops for a vector, a shuffle, an addition, two xors (one with a load), a store, and for each round of a group a
 * load of its key, an addition and a branch.  On Intel, 512 bits: p0 n; p5 1; p0 or p5 3.  So there is room for all of it, and
 * rounds needn't be unrolled.  Groups don't depend on each other, and one begins before the one before it has ended.
 *
 * What is left behind the groups goes as four, two and one vectors, and a part of one: one after another instead, 256 bytes took
 * half as long again.  Round keys come from memory, so there are none to wipe but the last.
 */
#include "asm.h"

/* ---- Data ---- */

.section .rodata.lc_aes_ctr, "a", @progbits
.p2align 6
.Llanes:            /* what is added to the first counter in lane n, little-endian */
    .quad 0, 0, 1, 0, 2, 0, 3, 0
.Lstep16:           /* counters in a vector */
    .quad 1, 0
.Lstep32:
    .quad 2, 0
.Lstep64:
    .quad 4, 0
.Lbswap:            /* byte order of 16 bytes reversed */
    .byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

.text

/* ---- Registers ---- */

#define KEY     %rdi    /* struct lc_ctr_key */
#define DST     %rsi
#define SRC     %rdx
#define LEN     %rcx
#define LEN32   %ecx
#define IV      %r8
#define ROUNDS  %rax    /* see aes_rounds.h */
#define ROUNDS32 %eax
#define TMP     %r9
#define TMP32   %r9d

/* struct lc_ctr_key: asserted in src/x86/ctr.c */
#define SLOT(i) 16*(i)(KEY)
#define KEY_ROUNDS 240

.macro _name_registers
    _set_vectors
    .irp i, 0,1,2,3,4,5,6,7
    .set D\i, V\i
    .endr
    .set CTR, V8        /* the next vector's counters, each a little-endian number of which the low half counts */
    .set STEP, V9
    .set BSWAP, V10
    .set KT, V11        /* round key */
    .set L, V12         /* data ^ last round key */
.endm
#define XCTR %xmm8

#include "aes_rounds.h"

/* ---- The body ---- */

/* d = the next counters as they are encrypted */
.macro _next_counters d
    _shufb BSWAP, CTR, \d
    _addq STEP, CTR, CTR
.endm

/* dst = src ^ key stream: n vectors at once, and on to what is behind them. */
.macro _vectors n, numbers:vararg
    .irp i, \numbers
    _next_counters D\i
    .endr
    _rounds \numbers
    .irp i, \numbers
    _movu VL*\i(SRC), L
    _xor KT, L, L
    _aes enclast, L, D\i
    .endr
    .irp i, \numbers
    _movu D\i, VL*\i(DST)
    .endr
    sub $-\n * VL, SRC          /* -128 fits into 8 bits */
    sub $-\n * VL, DST
.endm

/* The same if LEN has that bit. */
.macro _vectors_if n, numbers:vararg
    test $\n * VL, LEN32
    jz .Lskip\@
    _vectors \n, \numbers
.Lskip\@:
.endm

/* Xor n bytes, 4, 2 or 1, if LEN has that bit, with the key stream in rax, of which ks is a part of the size of reg. */
.macro _xor_bytes n, reg, ks
    test $\n, LEN32
    jz 1f
    mov (SRC), \reg
    xor \ks, \reg
    mov \reg, (DST)
.if \n > 1
    add $\n, SRC
    add $\n, DST
    shr $8 * \n, %rax
.endif
1:
.endm

/*
 * void lc_aes_ctr_<impl>(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16]);
 *
 * dst = src ^ key stream.  key: 16-byte aligned; nothing else need be.  dst and src: len bytes, len > 0, equal or disjoint; reads
 * and writes stay within them.  iv: the first counter, whose low 64 bits don't wrap before the last block.
 *
 * Clobbers rax, rcx, rdx, rsi, rdi, r9, the flags, all vector registers below 16; k1 with EVEX.  No stack.  Constant time: branches
 * and addresses depend on len and the number of rounds only.
 */
.macro _aes_ctr impl, vl
FUNC(lc_aes_ctr_\impl)
    _count_rounds
    _load_lanes_low .Lbswap(%rip), BSWAP
    _load_lanes_low .Lstep\vl(%rip), STEP
  .if CODE == 0
    movq (IV), XCTR
    movhps 8(IV), XCTR
    pshufb %xmm10, XCTR
  .else
    vmovq (IV), XCTR
    vmovhps 8(IV), XCTR, XCTR
    vpshufb %xmm10, XCTR, XCTR
  .endif
  .if VL == 64
    vshufi32x4 $0, CTR, CTR, CTR
  .elseif CODE == 2
    vinserti32x4 $1, XCTR, CTR, CTR
  .elseif VL == 32
    vinserti128 $1, XCTR, CTR, CTR
  .endif
  .if VL > 16
    _addq .Llanes(%rip), CTR, CTR
  .endif
    sub $8 * VL, LEN
    jb .Lrest\@
    .p2align 4
.Lgroup\@:
    _vectors 8, 0, 1, 2, 3, 4, 5, 6, 7
    sub $8 * VL, LEN
    jae .Lgroup\@
.Lrest\@:
    _vectors_if 4, 0, 1, 2, 3
    _vectors_if 2, 0, 1
    _vectors_if 1, 0
    and $VL - 1, LEN32
    jnz .Lpart\@

.Ldone\@:
    _xor KT, KT, KT             /* the last round key, and what was xored with it */
    _xor L, L, L
  .if VL > 16
    vzeroupper
  .endif
    RETURN

.Lpart\@:
    _next_counters D0
    _rounds 0
  .if CODE == 2
    mov $-1, TMP
    shl %cl, TMP
    not TMP
    kmovq TMP, %k1
    vmovdqu8 (SRC), L{%k1}{z}
    vpxord KT, L, L
    vaesenclast L, D0, D0
    vmovdqu8 D0, (DST){%k1}
    jmp .Ldone\@
  .else
    _aes enclast, KT, D0
   .if VL == 32
    test $16, LEN32
    jz 1f
    vpxor (SRC), %xmm0, %xmm1
    vmovdqu %xmm1, (DST)
    add $16, SRC
    add $16, DST
    vextracti128 $1, %ymm0, %xmm0
1:
   .endif
   .if CODE == 0
    movq %xmm0, %rax
   .else
    vmovq %xmm0, %rax
   .endif
    test $8, LEN32
    jz 1f
    mov (SRC), TMP
    xor %rax, TMP
    mov TMP, (DST)
    add $8, SRC
    add $8, DST
   .if CODE == 0
    movhlps %xmm0, %xmm0
    movq %xmm0, %rax
   .else
    vpextrq $1, %xmm0, %rax
   .endif
1:
    _xor_bytes 4, TMP32, %eax
    _xor_bytes 2, %r9w, %ax
    _xor_bytes 1, %r9b, %al
    jmp .Ldone\@
  .endif
END_FUNC(lc_aes_ctr_\impl)
.endm

/* ---- The implementations ---- */

.macro _implementation impl, vl, code
    .set VL, \vl
    .set CODE, \code
    _name_registers
    _begin_code lc_aes_ctr_\impl
    _aes_ctr \impl, \vl
    _end_code lc_aes_ctr_\impl
.endm

_implementation aesni, 16, 0
_implementation aesni_avx, 16, 1
_implementation vaes_avx2, 32, 1
_implementation vaes_avx512_256, 32, 2
_implementation vaes_avx512_512, 64, 2

.section .note.GNU-stack, "", @progbits

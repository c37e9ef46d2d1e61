/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20 for x86-64, with Poly1305 in its shadow: one body, four implementations.
 *
 *   ssse3            SSSE3; no Poly1305
 *   avx2             AVX2, BMI2
 *   avx512_256       AVX512F/BW/VL, BMI2, 256-bit vectors
 *   avx512_512       the same, 512-bit vectors, and those of 256 for up to four blocks
 *
 * Parameters of the body: VL and CODE (see asm.h).
 *
 * The state is 16 words, seen as four by four; a quarter round works on a column (a, b, c, d), or on a diagonal:
 *
 *      a += b;  d = (d ^ a) <<< 16;     c += d;  b = (b ^ c) <<< 12
 *      a += b;  d = (d ^ a) <<< 8;      c += d;  b = (b ^ c) <<< 7
 *
 * There are two layouts.
 *
 * Columns: vector i holds word i of as many blocks as it has lanes of 32 bits.  Quarter rounds need no shuffles, and four of them
 * are independent, but in the end 16 vectors have to be transposed, and less than a whole pass is a waste.
 *
 * Rows: a vector holds a row of the state of as many blocks as it has lanes of 128 bits, and four vectors are a set.  Between
 * columns and diagonals rows are rotated.  A set is one chain: 20 rounds of 4 steps of addition, xor and rotation, on Intel 240
 * cycles, on AMD, where rotations take two, 320.  Sets beside each other are hardly slower than one, until they fill the ports.
 *
 * What bounds columns.  With 512 bits, a pass of 16 blocks takes
 *
 *      960 uops of rounds, 320 of them rotations;  16 additions;  64 shuffles;  16 xors
 *
 * for two ports on Intel (rotations p0, shuffles p5): 528 cycles for 1024 bytes, counted.  Zen 4 has the same throughput, one
 * rotation a cycle, but takes 657, 590 of them for the rounds.  Of eleven orders of instructions, that of two quarter rounds a step
 * behind the other two is the best, but they are within 10 %.  Lost: byte shuffles in place of rotations by 16 and 8, 4 %.
 *
 * Poly1305 takes the multiplier and the general registers, which are free meanwhile: see `_hash_chunk`.  Or there are one or two
 * sets of rows beside the columns, for four or eight blocks that passes would leave over: 30 uops a set in a double round that has
 * 96.  Zen 4, 512 bits: 812 and 979 cycles, where the pass alone takes 657 and rows alone 300 and 477.
 */
#include "asm.h"
#include "poly1305_scalar.h"

/* struct lc_chacha20_run (chacha20_run.h), asserted in src/x86/chacha20.c */
.set RUN_WORDS, 0
.set RUN_S1, 64
.set RUN_H, 80
.set RUN_R, 104
.set RUN_RM, 560
.set RUN_DST, 584
.set RUN_SRC, 592
.set RUN_HASHED, 600
.set RUN_APART, 608
.set RUN_IVS, 640
.set RUN_FIRST, 896
.set RUN_SPILL, 960
.set RUN_LAST, 960
.set RUN_MORE, 1088

.section .rodata.lc_chacha20, "a", @progbits
.p2align 6
.Lblocks:                       /* row layout: what is added to the counter in each lane, set after set */
    .long 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0
    .long 4, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0
    .long 8, 0, 0, 0, 9, 0, 0, 0, 10, 0, 0, 0, 11, 0, 0, 0
.Lrol16:                        /* bytes of words rotated, for vectors of up to 32 bytes */
    .rept 2
    .byte 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
    .endr
.Lrol8:
    .rept 2
    .byte 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
    .endr
.Lstep16:                       /* blocks in a pass of columns */
    .long 4, 4, 4, 4
.Lstep32:
    .long 8
.Lstep64:
    .long 16

.text

/* ---- Registers ---- */

/*
 * Columns: V0..V15 are the words.  Where there are only 16 registers, V0..V7 and V12..V15 are, and the third row is two words in V8
 * and V9 and two in memory.
 * Rows: V0..V3 are the rows of a set, V4..V7 those of the next, and so on.
 */
.macro _name_registers
    _set_vectors
  .if CODE == 2
    .set T0, V28
    .set T1, V29
    .set T2, V30
    .set T3, V31
    .set IVS, V24               /* the last row of the first set's blocks */
    .set TEXT, V25
  .else
    .set T0, V12
    .set T1, V13
    .set IVS, V14
    .set TEXT, V15
  .endif
.endm

/* ---- Quarter rounds ---- */

.macro _addd a, b, d
    _op3 paddd, vpaddd, vpaddd, \a, \b, \d
.endm

/* v <<<= n; t is only used where there is no rotation and no shuffle for it */
.macro _rol n, v, t
.if CODE == 2
    vprold $\n, \v, \v
.elseif \n == 16
    _shufb .Lrol16(%rip), \v, \v
.elseif \n == 8
    _shufb .Lrol8(%rip), \v, \v
.elseif CODE == 1
    vpslld $\n, \v, \t
    vpsrld $32 - \n, \v, \v
    vpor \t, \v, \v
.else
    movdqa \v, \t
    pslld $\n, \t
    psrld $32 - \n, \v
    por \t, \v
.endif
.endm

/* Step 0..11 of a quarter round on (a, b, c, d) */
.macro _quarter_step step, a, b, c, d, t
.if \step == 0 || \step == 6
    _addd \b, \a, \a
.elseif \step == 1 || \step == 7
    _xor \a, \d, \d
.elseif \step == 2
    _rol 16, \d, \t
.elseif \step == 3 || \step == 9
    _addd \d, \c, \c
.elseif \step == 4 || \step == 10
    _xor \c, \b, \b
.elseif \step == 5
    _rol 12, \b, \t
.elseif \step == 8
    _rol 8, \d, \t
.else
    _rol 7, \b, \t
.endif
.endm

/* ---- Poly1305 in the shadow ---- */

/*
 * A pass of columns has room for about as much of Poly1305 as it makes bytes of text.  One chain of blocks would be too slow, at 12
 * cycles a block (poly1305_scalar.h).  So there are two, r8..r10 and r11..r13, from rsi and CHAIN_OFF behind it, of m blocks each,
 * joined behind the rounds:
 *
 *      h = h * r^m + h'
 *
 * with r^m made once for a message.  (A chain for even and one for odd blocks, both multiplied by r^2, would need no joining, but
 * r^2 isn't clamped, so that a block has 8 wide multiplications and not 4.)
 *
 * A pass of 512 bits takes 60 blocks, six in each double round: 31 uops each, 1860, with the 1056 of the vectors 2916, on six a
 * cycle 486 cycles.  On Intel each mulx has a uop on p5 too: (1056 + 240) / 2 = 648.  Zen 4: 686 cycles, where a pass without takes
 * 657; 256 bits, 28 blocks: 429 and 427; AVX2: 530 and 529.  A pass has four blocks more than that.  One chain of these behind the
 * rounds cost 45 cycles; so they are left to vectors, many passes' at once (x86/chacha20poly1305.c), at 12.
 *
 * Lost: IFMA behind each 1024 bytes, 38 % longer for 64 KB, and AVX2's multiplications behind them, 36 %.  IFMA between the rounds
 * was counted only: 42 vector uops for 8 blocks are 336 a pass, for the ports that are full already.
 */

/* Step 0..3 of a block, h = (h + m) * r with m at rsi + off: between vector instructions, which leave the flags alone. */
.macro _hash_chunk chunk, off, h0, h1, h2
.if \chunk == 0
    _poly_add \h0, \h1, \h2, \off(%rsi), 8+\off(%rsi), $1
.endif
    _poly_mul_step \chunk, \h0, \h1, \h2, RUN_R(%rdi), RUN_R+8(%rdi), RUN_S1(%rdi), %rax, %rbx, %rcx, %rbp
.endm

/* The next chunk of a double round: the chains take turns, block by block. */
.macro _hash_next
    .irp chunk, 0,1,2,3
  .if CHUNK % 8 == \chunk
    _hash_chunk \chunk, CHUNK/8*16, %r8, %r9, %r10
  .elseif CHUNK % 8 == \chunk + 4
    _hash_chunk \chunk, CHUNK/8*16+CHAIN_OFF, %r11, %r12, %r13
  .endif
    .endr
    .set CHUNK, CHUNK + 1
.endm

/* One of NUM_SLOTS places in a double round, over which the chunks of HASHED blocks are spread. */
.macro _slot
    .set SLOT, SLOT + 1
    .rept 8
  .if CHUNK * NUM_SLOTS < 4 * HASHED * SLOT
    _hash_next
  .endif
    .endr
.endm

/*
 * h = h * r^m + h', from r8..r10 and r11..r13 to r8..r10, and h' = 0.  r^m is below 2^131 and not clamped: nine products, of words
 * at 2^0, 2^64, 2^128 and what is above, in r11, r12, r13, rbp, rcx.  The bits from 2^130 on come back times 5, as 4 times and as
 * once themselves, and the few that then are above 2^130 once more: h2 is at most 4.
 */
.macro _hash_join
    mov %r8, %rdx
    mulx RUN_RM(%rdi), %rax, %rbx
    add %rax, %r11
    adc %rbx, %r12
    mov $0, %ebp
    adc $0, %r13
    mulx RUN_RM+16(%rdi), %rax, %rbx
    add %rax, %r13
    adc %rbx, %rbp
    mulx RUN_RM+8(%rdi), %rax, %rbx
    add %rax, %r12
    adc %rbx, %r13
    adc $0, %rbp
    mov %r9, %rdx
    mulx RUN_RM(%rdi), %rax, %rbx
    add %rax, %r12
    adc %rbx, %r13
    adc $0, %rbp
    mulx RUN_RM+8(%rdi), %rax, %rbx
    add %rax, %r13
    adc %rbx, %rbp
    mulx RUN_RM+16(%rdi), %rax, %rcx
    adc $0, %rcx
    add %rax, %rbp
    adc $0, %rcx
    mov %r10, %rdx
    mulx RUN_RM(%rdi), %rax, %rbx
    add %rax, %r13
    adc %rbx, %rbp
    adc $0, %rcx
    mulx RUN_RM+8(%rdi), %rax, %rbx
    add %rax, %rbp
    adc %rbx, %rcx
    imul RUN_RM+16(%rdi), %rdx
    add %rdx, %rcx

    mov %r11, %r8
    mov %r12, %r9
    mov %r13, %r10
    and $3, %r10d
    and $-4, %r13
    add %r13, %r8
    adc %rbp, %r9
    adc %rcx, %r10
    shrd $2, %rbp, %r13
    shrd $2, %rcx, %rbp
    shr $2, %rcx
    add %r13, %r8
    adc %rbp, %r9
    adc %rcx, %r10
    mov %r10, %rax
    and $3, %r10d
    shr $2, %rax
    lea (%rax,%rax,4), %rax
    add %rax, %r8
    adc $0, %r9
    adc $0, %r10
    xor %r11d, %r11d
    xor %r12d, %r12d
    xor %r13d, %r13d
.endm

/* ---- A set of rows ---- */

.macro _shufd n, v
.if CODE == 0
    pshufd $\n, \v, \v
.else
    vpshufd $\n, \v, \v
.endif
.endm

/*
 * Rows rotated so that diagonals are columns, or back.  It's a, c and d that move, and not b, which is the last to be ready and
 * what the next round waits for: so it takes no time in the chain.
 */
.macro _turn na, nc, nd, a, c, d
    _shufd \na, \a
    _shufd \nd, \d
    _shufd \nc, \c
.endm

/* IVS: words 12..15 in each lane.  They were written just before, as two words of 64 bits, and are read as such. */
.macro _load_iv
.if CODE == 0
    movq RUN_WORDS+48(%rdi), %xmm14
    movhps RUN_WORDS+56(%rdi), %xmm14
.elseif CODE == 1
    vmovq RUN_WORDS+48(%rdi), %xmm14
    vmovhps RUN_WORDS+56(%rdi), %xmm14, %xmm14
    vinserti128 $1, %xmm14, IVS, IVS
.else
    vmovq RUN_WORDS+48(%rdi), %xmm24
    vmovhps RUN_WORDS+56(%rdi), %xmm24, %xmm24
  .if VL == 64
    vshufi32x4 $0, IVS, IVS, IVS
  .else
    vinserti32x4 $1, %xmm24, IVS, IVS
  .endif
.endif
.endm

/* A set's first state */
.macro _set_begin set, a, b, c, d
    _load_lanes RUN_WORDS(%rdi), V\a
    _load_lanes RUN_WORDS+16(%rdi), V\b
    _load_lanes RUN_WORDS+32(%rdi), V\c
    _addd .Lblocks+\set*VL(%rip), IVS, V\d
.endm

/* Behind the rounds: the first state is added; blocks is what that has besides IVS. */
.macro _set_add a, b, c, d, blocks
    _load_lanes RUN_WORDS(%rdi), T0
    _addd T0, \a, \a
    _load_lanes RUN_WORDS+16(%rdi), T1
    _addd T1, \b, \b
    _load_lanes RUN_WORDS+32(%rdi), T0
    _addd T0, \c, \c
    _addd \blocks, IVS, T1
    _addd T1, \d, \d
.endm

/* ---- Columns ---- */

/* Two quarter rounds beside each other, and two others a step behind. */
.macro _four_quarters pa, pb, pc, pd, qa, qb, qc, qd, ra, rb, rc, rd, sa, sb, sc, sd
    .irp step, 0,1,2,3,4,5,6,7,8,9,10,11
    _quarter_step \step, V\pa, V\pb, V\pc, V\pd
    _quarter_step \step, V\qa, V\qb, V\qc, V\qd
  .if \step > 0
    _quarter_step (\step-1), V\ra, V\rb, V\rc, V\rd
    _quarter_step (\step-1), V\sa, V\sb, V\sc, V\sd
  .endif
  .if SETS > 0
    _quarter_step \step, V16, V17, V18, V19
  .endif
  .if SETS > 1
    _quarter_step \step, V20, V21, V22, V23
  .endif
    _slot
    .endr
    _quarter_step 11, V\ra, V\rb, V\rc, V\rd
    _quarter_step 11, V\sa, V\sb, V\sc, V\sd
.endm

/* Two quarter rounds; V10 and V11 are free. */
.macro _two_quarters pa, pb, pd, qa, qb, qd
    .irp step, 0,1,2,3,4,5,6,7,8,9,10,11
    _quarter_step \step, V\pa, V\pb, V8, V\pd, V10
    _quarter_step \step, V\qa, V\qb, V9, V\qd, V11
    _slot
    .endr
.endm

/* V8 and V9, words from of the third row, go to memory and the two other ones come. */
.macro _swap_words from, to
    _mov_mem V8, RUN_SPILL+\from*VL(%rdi)
    _mov_mem V9, RUN_SPILL+\from*VL+VL(%rdi)
    _mov_mem RUN_SPILL+\to*VL(%rdi), V8
    _mov_mem RUN_SPILL+\to*VL+VL(%rdi), V9
.endm

/* d = s, one of them aligned memory */
.macro _mov_mem s, d
.if CODE == 0
    movdqa \s, \d
.elseif CODE == 1
    vmovdqa \s, \d
.else
    vmovdqa64 \s, \d
.endif
.endm

/* _turn for the sets beside columns */
.macro _more_turn na, nc, nd
.if SETS > 0
    _turn \na, \nc, \nd, V16, V18, V19
.endif
.if SETS > 1
    _turn \na, \nc, \nd, V20, V22, V23
.endif
.endm

/* hashed: blocks of Poly1305 beside it.  sets: of rows that go along, in V16..V19 and V20..V23. */
.macro _columns_double_round hashed, sets=0
    .set HASHED, \hashed
    .set SETS, \sets
    .set SLOT, 0
    .set CHUNK, 0
  .if CODE == 2
    .set NUM_SLOTS, 24
    _four_quarters 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15
    _more_turn 0x93, 0x39, 0x4e
    _four_quarters 0, 5, 10, 15, 1, 6, 11, 12, 2, 7, 8, 13, 3, 4, 9, 14
    _more_turn 0x39, 0x93, 0x4e
  .else
    .set NUM_SLOTS, 48
    _two_quarters 0, 4, 12, 1, 5, 13
    _swap_words 0, 2
    _two_quarters 2, 6, 14, 3, 7, 15
    _two_quarters 0, 5, 15, 1, 6, 12
    _swap_words 2, 0
    _two_quarters 2, 7, 13, 3, 4, 14
  .endif
.endm

/* d = the word at memory s in every lane */
.macro _broadcast s, d
.if CODE == 0
    movd \s, \d
    pshufd $0, \d, \d
.else
    vpbroadcastd \s, \d
.endif
.endm

/* d += the word at memory a in every lane */
.macro _addd_word a, d, t
.if CODE < 2
    _broadcast \a, \t
    _addd \t, \d, \d
.elseif VL == 64
    vpaddd \a{1to16}, \d, \d
.else
    vpaddd \a{1to8}, \d, \d
.endif
.endm

.macro _unpack which, a, b, d
    _op3 punpck\which, vpunpck\which, vpunpck\which, \a, \b, \d
.endm

/*
 * Four words of as many blocks as there are lanes: a, b, c, d, each one of the words, become in each 16 bytes the four words of the
 * first, the second, the third and the fourth block there, in b, c, d, a.
 */
.macro _transpose_words a, b, c, d, t0, t1
    _unpack ldq, V\b, V\a, \t0
    _unpack hdq, V\b, V\a, V\a
    _unpack ldq, V\d, V\c, \t1
    _unpack hdq, V\d, V\c, V\c
    _unpack lqdq, \t1, \t0, V\b
    _unpack lqdq, V\c, V\a, V\d
    _unpack hqdq, \t1, \t0, \t0
    _unpack hqdq, V\c, V\a, V\a
    _mov \t0, V\c
.endm

/* dst = src ^ v; src aligned for CODE 0 only if that is v, so there is a load of its own. */
.macro _xor_text v, off, src, dst, t
.if CODE == 0
    movdqu \off(\src), \t
    pxor \t, \v
    movdqu \v, \off(\dst)
.else
    _xor \off(\src), \v, \v
    _movu \v, "\off(\dst)"
.endif
.endm

/* 256 bits: d = the lower halves, or the upper ones, of a and b */
.macro _lower_halves a, b, d
.if CODE == 1
    vperm2i128 $0x20, \b, \a, \d
.else
    vshufi32x4 $0, \b, \a, \d
.endif
.endm
.macro _upper_halves a, b, d
.if CODE == 1
    vperm2i128 $0x31, \b, \a, \d
.else
    vshufi32x4 $3, \b, \a, \d
.endif
.endm

/* 512 bits: a, b, c, d, four rows of four blocks, become the blocks. */
.macro _transpose_lanes a, b, c, d
    vshufi32x4 $0x44, \b, \a, T0
    vshufi32x4 $0xee, \b, \a, T1
    vshufi32x4 $0x44, \d, \c, T2
    vshufi32x4 $0xee, \d, \c, T3
    vshufi32x4 $0x88, T2, T0, \a
    vshufi32x4 $0xdd, T2, T0, \b
    vshufi32x4 $0x88, T3, T1, \c
    vshufi32x4 $0xdd, T3, T1, \d
.endm

/* 512 bits: blocks j, 4 + j, 8 + j, 12 + j out of their four rows. */
.macro _blocks_out_512 j, a, b, c, d, src, dst
    _transpose_lanes V\a, V\b, V\c, V\d
    _xor_text V\a, 64*\j, \src, \dst
    _xor_text V\b, 64*\j+256, %rcx, %rdx
    _xor_text V\c, 64*\j+512, %rcx, %rdx
    _xor_text V\d, 64*\j+768, %rcx, %rdx
.endm

/* 256 bits: half of blocks j and 4 + j, out of two rows. */
.macro _blocks_out_256 j, half, a, b, src, dst, t
    _upper_halves V\a, V\b, \t
    _lower_halves V\a, V\b, V\a
    _xor_text V\a, 64*\j+32*\half, \src, \dst
    _xor_text \t, 64*\j+256+32*\half, %rcx, %rdx
.endm

/* The rest of a pass: the first state is added, words become blocks, rcx is src and rdx dst, and r8 and r9 those of block 0. */
.macro _columns_end vl
.if CODE == 2
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11
    _addd_word RUN_WORDS+4*\i(%rdi), V\i
    .endr
    .irp i, 2,3,4,5
    vpaddd RUN_IVS-128+64*\i(%rdi), V1\i, V1\i
    .endr
    vmovdqa64 RUN_IVS(%rdi), T0
    _addd_word .Lstep\vl\()(%rip), T0
    vmovdqa64 T0, RUN_IVS(%rdi)
    _transpose_words 0, 1, 2, 3, T0, T1
    _transpose_words 4, 5, 6, 7, T2, T3
    _transpose_words 8, 9, 10, 11, T0, T1
    _transpose_words 12, 13, 14, 15, T2, T3
  .if VL == 64
    _blocks_out_512 0, 1, 5, 9, 13, %r8, %r9
    _blocks_out_512 1, 2, 6, 10, 14, %rcx, %rdx
    _blocks_out_512 2, 3, 7, 11, 15, %rcx, %rdx
    _blocks_out_512 3, 0, 4, 8, 12, %rcx, %rdx
  .else
    _blocks_out_256 0, 0, 1, 5, %r8, %r9, T0
    _blocks_out_256 0, 1, 9, 13, %r8, %r9, T1
    _blocks_out_256 1, 0, 2, 6, %rcx, %rdx, T2
    _blocks_out_256 1, 1, 10, 14, %rcx, %rdx, T3
    _blocks_out_256 2, 0, 3, 7, %rcx, %rdx, T0
    _blocks_out_256 2, 1, 11, 15, %rcx, %rdx, T1
    _blocks_out_256 3, 0, 0, 4, %rcx, %rdx, T2
    _blocks_out_256 3, 1, 8, 12, %rcx, %rdx, T3
  .endif
.else
    _mov_mem V8, RUN_SPILL(%rdi)
    _mov_mem V9, RUN_SPILL+VL(%rdi)
    .irp i, 0,1,2,3,4,5,6,7
    _addd_word RUN_WORDS+4*\i(%rdi), V\i, V8
    .endr
    .irp i, 2,3,4,5
    _addd RUN_IVS-128+64*\i(%rdi), V1\i, V1\i
    .endr
    _mov_mem RUN_IVS(%rdi), V8
    _addd_word .Lstep\vl\()(%rip), V8, V9
    _mov_mem V8, RUN_IVS(%rdi)
    _transpose_words 0, 1, 2, 3, V8, V9
    _transpose_words 4, 5, 6, 7, V8, V9
    _transpose_words 12, 13, 14, 15, V8, V9
  .if VL == 32
    _blocks_out_256 0, 0, 1, 5, %r8, %r9, V8
    _blocks_out_256 1, 0, 2, 6, %rcx, %rdx, V9
    _blocks_out_256 2, 0, 3, 7, %rcx, %rdx, V10
    _blocks_out_256 3, 0, 0, 4, %rcx, %rdx, V11
  .else
    _xor_text V1, 0, %r8, %r9, V8
    _xor_text V5, 16, %r8, %r9, V9
    _xor_text V13, 48, %r8, %r9, V10
    _xor_text V2, 64, %rcx, %rdx, V8
    _xor_text V6, 80, %rcx, %rdx, V9
    _xor_text V14, 112, %rcx, %rdx, V10
    _xor_text V3, 128, %rcx, %rdx, V8
    _xor_text V7, 144, %rcx, %rdx, V9
    _xor_text V15, 176, %rcx, %rdx, V10
    _xor_text V0, 192, %rcx, %rdx, V8
    _xor_text V4, 208, %rcx, %rdx, V9
    _xor_text V12, 240, %rcx, %rdx, V10
  .endif
    .irp i, 0,1,2,3
    _mov_mem RUN_SPILL+\i*VL(%rdi), V\i
    _addd_word RUN_WORDS+32+4*\i(%rdi), V\i, V8
    .endr
    _transpose_words 0, 1, 2, 3, V8, V9
  .if VL == 32
    _blocks_out_256 0, 1, 1, 13, %r8, %r9, V8
    _blocks_out_256 1, 1, 2, 14, %rcx, %rdx, V9
    _blocks_out_256 2, 1, 3, 15, %rcx, %rdx, V10
    _blocks_out_256 3, 1, 0, 12, %rcx, %rdx, V11
  .else
    _xor_text V1, 32, %r8, %r9, V8
    _xor_text V2, 96, %rcx, %rdx, V9
    _xor_text V3, 160, %rcx, %rdx, V10
    _xor_text V0, 224, %rcx, %rdx, V11
  .endif
.endif
.endm

/* Zeros in vectors: with CODE 2, in all of 512 bits. */
.macro _wipe numbers:vararg
    .irp i, \numbers
  .if CODE == 0
    pxor %xmm\i, %xmm\i
  .elseif \i < 16
    vpxor %xmm\i, %xmm\i, %xmm\i
  .else
    vpxord %xmm\i, %xmm\i, %xmm\i
  .endif
    .endr
.endm

/*
 * void lc_chacha20_columns_<impl>(struct lc_chacha20_run *run, size_t num_passes, unsigned hash);
 *
 * num_passes > 0 passes of VL / 4 blocks each: run->dst = run->src ^ key stream.  With run->apart, block 0 is xored to run->first
 * and block 1 to run->dst, and apart is cleared.  dst, src and the counters in ivs move on.
 *
 * hash: 0; or 1: in each pass 2 * m blocks at run->hashed go through Poly1305, before anything is written, from run->poly's h by r
 * and s1, with r^m in rm, and hashed moves on; or, with 512 bits and num_passes = 1, 2 (3): four (eight) more blocks of key
 * stream, those of run->words, go to run->more, by one set (two sets) of rows beside the columns; the rest of run->more is spoilt.
 *
 * `hashed` blocks go into each of the first `loops` double rounds.  run is 64-byte aligned, texts needn't be.
 *
 * Clobbers all general registers that callers save, the flags, all vectors; uses the stack.  Constant time: branches and addresses
 * depend on num_passes, hash and apart only.
 */
.macro _columns impl, vl, hashed, loops
FUNC(lc_chacha20_columns_\impl)
  .if \hashed
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsi, %r15
    mov %edx, %r14d
    shl $8, %r14d                   /* hash << 8 | rounds to go */
    mov RUN_HASHED(%rdi), %rsi
    mov RUN_H(%rdi), %r8
    mov RUN_H+8(%rdi), %r9
    mov RUN_H+16(%rdi), %r10
    xor %r11d, %r11d
    xor %r12d, %r12d
    xor %r13d, %r13d
  .endif
    .p2align 4
.Lpass\@:
    .irp i, 0,1,2,3,4,5,6,7,8,9
    _broadcast RUN_WORDS+4*\i(%rdi), V\i
    .endr
  .if CODE == 2
    _broadcast RUN_WORDS+40(%rdi), V10
    _broadcast RUN_WORDS+44(%rdi), V11
  .else
    _broadcast RUN_WORDS+40(%rdi), V12
    _broadcast RUN_WORDS+44(%rdi), V13
    _mov_mem V12, RUN_SPILL+2*VL(%rdi)
    _mov_mem V13, RUN_SPILL+3*VL(%rdi)
  .endif
    .irp i, 2,3,4,5
    _mov_mem RUN_IVS-128+64*\i(%rdi), V1\i
    .endr
  .if \hashed
    mov $10, %r14b
    cmp $256, %r14d
    jb .Lplain\@
   .if VL == 64
    cmp $512, %r14d
    jae .Lmore\@
   .endif

    .set CHAIN_OFF, \hashed * \loops * 8
    .p2align 5
.Lhash\@:
    _columns_double_round \hashed
    add $8 * \hashed, %rsi
    dec %r14b
    cmp $10 - \loops, %r14b
    jne .Lhash\@
    add $CHAIN_OFF, %rsi
    _hash_join
    mov %r8, RUN_H(%rdi)
    mov %r9, RUN_H+8(%rdi)
   .if \loops == 10
    jmp .Lout\@
   .else
    mov $10 - \loops, %r14b
   .endif
  .else
    mov $10, %eax
  .endif
    .p2align 5
.Lplain\@:
    _columns_double_round 0
  .if \hashed
    dec %r14b
  .else
    dec %eax
  .endif
    jnz .Lplain\@
.Lout\@:
    mov RUN_SRC(%rdi), %rcx
    mov RUN_DST(%rdi), %rdx
    mov %rcx, %r8
    mov %rdx, %r9
    cmpb $0, RUN_APART(%rdi)
    jne .Lapart\@
.Lnot_apart\@:
    _columns_end \vl
    add $16 * VL, %rcx
    add $16 * VL, %rdx
    mov %rcx, RUN_SRC(%rdi)
    mov %rdx, RUN_DST(%rdi)
  .if \hashed
    mov RUN_H(%rdi), %r8
    mov RUN_H+8(%rdi), %r9
    dec %r15
  .else
    dec %rsi
  .endif
    jnz .Lpass\@
  .if CODE == 0
    _wipe 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  .else
    vzeroall
  .endif
  .if CODE == 2
    _wipe 28, 29, 30, 31
  .else
    .irp i, 0,1,2,3
    _mov_mem V0, RUN_SPILL+\i*VL(%rdi)
    .endr
  .endif
  .if VL > 16
    vzeroupper
  .endif
  .if \hashed
    mov %rsi, RUN_HASHED(%rdi)
    mov %r10, RUN_H+16(%rdi)
    xor %eax, %eax
    xor %r8d, %r8d
    xor %r9d, %r9d
    xor %r10d, %r10d
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
  .endif
    RETURN
.Lapart\@:
    sub $64, %rcx
    sub $64, %rdx
    lea RUN_FIRST(%rdi), %r8
    mov %r8, %r9
    movb $0, RUN_APART(%rdi)
    jmp .Lnot_apart\@

  .if VL == 64
.Lmore\@:
    _load_iv
    _set_begin 0, 16, 17, 18, 19
    _set_begin 1, 20, 21, 22, 23
    cmp $768, %r14d
    jae .Lmore_round\@
.Lmore_half_round\@:
    _columns_double_round 0, 1
    dec %r14b
    jnz .Lmore_half_round\@
    jmp .Lmore_end\@
    .p2align 5
.Lmore_round\@:
    _columns_double_round 0, 2
    dec %r14b
    jnz .Lmore_round\@
.Lmore_end\@:
    _set_add V16, V17, V18, V19, .Lblocks(%rip)
    _transpose_lanes V16, V17, V18, V19
    _set_add V20, V21, V22, V23, .Lblocks+64(%rip)
    _transpose_lanes V20, V21, V22, V23
    .irp i, 16,17,18,19,20,21,22,23
    _mov_mem V\i, RUN_MORE-1024+64*\i(%rdi)
    .endr
    _wipe 16, 17, 18, 19, 20, 21, 22, 23, 24
    jmp .Lout\@
  .endif
END_FUNC(lc_chacha20_columns_\impl)
.endm

/* ---- Rows: sets beside each other ---- */

/* The same step of a quarter round for each set */
.macro _sets_step step, sets:vararg
    .irp q, \sets
  .if \q == 0
    _quarter_step \step, V0, V1, V2, V3, T0
  .elseif \q == 1
    _quarter_step \step, V4, V5, V6, V7, T1
  .elseif \q == 2
    _quarter_step \step, V8, V9, V10, V11, T0
  .else
    _quarter_step \step, V12, V13, V14, V15
  .endif
    .endr
.endm

/* _turn for each set */
.macro _sets_turn na, nc, nd, sets:vararg
    .irp q, \sets
  .if \q == 0
    _turn \na, \nc, \nd, V0, V2, V3
  .elseif \q == 1
    _turn \na, \nc, \nd, V4, V6, V7
  .elseif \q == 2
    _turn \na, \nc, \nd, V8, V10, V11
  .else
    _turn \na, \nc, \nd, V12, V14, V15
  .endif
    .endr
.endm

.macro _sets_double_round sets:vararg
    .irp step, 0,1,2,3,4,5,6,7,8,9,10,11
    _sets_step \step, \sets
    .endr
    _sets_turn 0x93, 0x39, 0x4e, \sets
    .irp step, 0,1,2,3,4,5,6,7,8,9,10,11
    _sets_step \step, \sets
    .endr
    _sets_turn 0x39, 0x93, 0x4e, \sets
.endm

/* n sets: their first states and rounds; then eax = n. */
.macro _rows_rounds n, sets:vararg
    .irp q, \sets
  .if \q == 0
    _set_begin 0, 0, 1, 2, 3
  .elseif \q == 1
    _set_begin 1, 4, 5, 6, 7
  .elseif \q == 2
    _set_begin 2, 8, 9, 10, 11
  .else
    _set_begin 3, 12, 13, 14, 15
  .endif
    .endr
    mov $10, %eax
    .p2align 5
.Lround\@:
    _sets_double_round \sets
    dec %eax
    jnz .Lround\@
    mov $\n, %eax
.endm

/* The next vector of text; or a part of one, and the text is at its end. */
.macro _emit v, part
    sub $VL, %rcx
    jb \part
  .if CODE == 0
    movdqu (%rdx), TEXT
    pxor TEXT, \v
  .else
    _xor (%rdx), \v, \v
  .endif
    _movu \v, "(%rsi)"
    add $VL, %rdx
    add $VL, %rsi
.endm

/* What comes behind the rounds: set after set, each being moved to V0..V3, its blocks.  max: the largest number of sets. */
.macro _rows_end max
    lea .Lblocks(%rip), %r9
.Lset\@:
    _set_add V0, V1, V2, V3, (%r9)
  .if VL == 64
    _transpose_lanes V0, V1, V2, V3
  .elseif VL == 32
    _upper_halves V0, V1, T0
    _upper_halves V2, V3, T1
    _lower_halves V0, V1, V0
    _lower_halves V2, V3, V1
    _mov T0, V2
    _mov T1, V3
  .endif
    test %r8d, %r8d
    jnz .Lapart\@
    _emit V0, .Lpart0\@
  .if VL < 64
    _emit V1, .Lpart1\@
   .if VL < 32
    _emit V2, .Lpart2\@
    _emit V3, .Lpart3\@
   .endif
  .endif
.Lsecond_block\@:
  .if VL == 64
    _emit V1, .Lpart1\@
  .endif
  .if VL > 16
    _emit V2, .Lpart2\@
    _emit V3, .Lpart3\@
  .endif
    dec %eax
    jz .Lall\@
    add $VL, %r9
    _mov V4, V0
    _mov V5, V1
    _mov V6, V2
    _mov V7, V3
    _mov V8, V4
    _mov V9, V5
    _mov V10, V6
    _mov V11, V7
  .if \max == 4
    _mov V12, V8
    _mov V13, V9
    _mov V14, V10
    _mov V15, V11
  .endif
    jmp .Lset\@
.Lall\@:
    xor %ecx, %ecx
.Ldone\@:
    _wipe 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  .if CODE == 2
    _wipe 24, 25, 28, 29, 30, 31
  .endif
  .if VL > 16
    vzeroupper
  .endif
    mov %ecx, %eax
    RETURN

.Lapart\@:
    _mov_mem V0, RUN_FIRST(%rdi)
  .if VL < 64
    _mov_mem V1, RUN_FIRST+VL(%rdi)
  .endif
  .if VL < 32
    _mov_mem V2, RUN_FIRST+2*VL(%rdi)
    _mov_mem V3, RUN_FIRST+3*VL(%rdi)
  .endif
    xor %r8d, %r8d
    jmp .Lsecond_block\@

.Lpart3\@:
    _mov V3, V2
.Lpart2\@:
    _mov V2, V1
.Lpart1\@:
    _mov V1, V0
.Lpart0\@:
    add $VL, %ecx               /* nothing from NULL, by a mask, would take 110 cycles on Zen 4 */
    jz .Ldone\@
  .if CODE == 2
    mov $-1, %rax
    bzhi %rcx, %rax, %rax
    kmovq %rax, %k1
    vmovdqu8 (%rdx), TEXT{%k1}{z}
    vpxord TEXT, V0, V0
    vmovdqu8 V0, (%rsi){%k1}
    vmovdqu8 V0, V0{%k1}{z}
    _mov_mem V0, RUN_LAST(%rdi)
  .else
    /* the key stream goes behind run->last, which is zeros first */
    _mov_mem V0, RUN_LAST+64(%rdi)
    _xor V1, V1, V1
    _mov_mem V1, RUN_LAST(%rdi)
    xor %r9d, %r9d
    jmp .Lwords\@
.Lword\@:
    mov -8(%rdx,%r9), %rax
    xor RUN_LAST+56(%rdi,%r9), %rax
    mov %rax, -8(%rsi,%r9)
    mov %rax, RUN_LAST-8(%rdi,%r9)
.Lwords\@:
    add $8, %r9
    cmp %rcx, %r9
    jbe .Lword\@
    sub $8, %r9
    jmp .Lbytes\@
.Lbyte\@:
    movzbl (%rdx,%r9), %eax
    xor RUN_LAST+64(%rdi,%r9), %al
    mov %al, (%rsi,%r9)
    mov %al, RUN_LAST(%rdi,%r9)
    inc %r9
.Lbytes\@:
    cmp %rcx, %r9
    jb .Lbyte\@
    _mov_mem V1, RUN_LAST+64(%rdi)
  .endif
    jmp .Ldone\@
.endm

/*
 * unsigned lc_chacha20_rows_<impl>(struct lc_chacha20_run *run, uint8_t *dst, const uint8_t *src, size_t len, unsigned apart);
 *
 * dst = src ^ key stream, len bytes, of the blocks from run->words on; if apart is 1, the key stream of block 0 goes to run->first
 * and the text begins with block 1.  len + 64 * apart is not 0, and at most what the largest number of sets can do.  dst and src
 * are equal or disjoint.  Nothing beyond len bytes is read or written.
 *
 * Returns the length of what was left for less than a vector.  If that isn't 0, the output of it is in run->last too, with zeros
 * behind it.  (For readers that come right after: a masked store, or one of bytes, isn't forwarded to their loads.)
 *
 * Clobbers rax, rcx, rdx, rsi, r8, r9, the flags, k1, vectors.  No stack.  Constant time: branches and addresses depend on len
 * and apart.
 *
 * n: numbers of sets for which there are rounds, the smallest first.  What all of them share is there once.
 */
.macro _rows impl, max, n:vararg
FUNC(lc_chacha20_rows_\impl)
    mov %r8d, %eax
    shl $6, %eax
    add %ecx, %eax
    _load_iv
    .irp sets, \n
  .if \sets < \max
    cmp $4 * VL * \sets, %eax
    jbe .Lsets_\impl\()_\sets
  .endif
    .endr
    .irp sets, 4, 3, 2, 1
  .if \sets == \max
    _rows_rounds_of \sets
  .endif
    .endr
.Lrows_end_\impl:
    _rows_end \max
    .irp sets, \n
  .if \sets < \max
.Lsets_\impl\()_\sets:
    _rows_rounds_of \sets
    jmp .Lrows_end_\impl
  .endif
    .endr
END_FUNC(lc_chacha20_rows_\impl)
.endm
.macro _rows_rounds_of n
.if \n == 1
    _rows_rounds 1, 0
.elseif \n == 2
    _rows_rounds 2, 0, 1
.elseif \n == 3
    _rows_rounds 3, 0, 1, 2
.else
    _rows_rounds 4, 0, 1, 2, 3
.endif
.endm

/* ---- r^m ---- */

/*
 * void lc_poly1305_power_bmi2(struct lc_chacha20_run *run, unsigned n);
 *
 * From run->poly's r: s1, and rm = r^m for m = 2 * (2^n - 1), n > 1, by x = x^2 * r and a last square.
 */
FUNC(lc_poly1305_power_bmi2)
    .irp i, %rbx, %rbp, %r12, %r13
    push \i
    .endr
    mov RUN_R(%rdi), %r8
    mov RUN_R+8(%rdi), %r9
    xor %r10d, %r10d
    xor %r11d, %r11d
    xor %r12d, %r12d
    xor %r13d, %r13d
    mov %r9, %rax
    shr $2, %rax
    add %r9, %rax
    mov %rax, RUN_S1(%rdi)
.Lsquare:
    mov %r8, RUN_RM(%rdi)
    mov %r9, RUN_RM+8(%rdi)
    mov %r10, RUN_RM+16(%rdi)
    _hash_join
    dec %esi
    jz .Lpower
    _poly_mul %r8, %r9, %r10, RUN_R(%rdi), RUN_R+8(%rdi), RUN_S1(%rdi), %rax, %rcx, %rbx, %rbp
    jmp .Lsquare
.Lpower:
    mov %r8, RUN_RM(%rdi)
    mov %r9, RUN_RM+8(%rdi)
    mov %r10, RUN_RM+16(%rdi)
    .irp i, %r13, %r12, %rbp, %rbx
    pop \i
    .endr
    .irp i, %eax, %ecx, %edx, %r8d, %r9d, %r10d
    xor \i, \i
    .endr
    RETURN
END_FUNC(lc_poly1305_power_bmi2)

/* ---- The implementations ---- */

.macro _implementation impl, vl, code, hashed, loops, max_sets, sets:vararg
    .set VL, \vl
    .set CODE, \code
    _name_registers
    _begin_code lc_chacha20_\impl
    _columns \impl, \vl, \hashed, \loops
    _rows \impl, \max_sets, \sets
    _end_code lc_chacha20_\impl
.endm

_implementation ssse3, 16, 0, 0, 0, 3, 1, 3
_implementation avx2, 32, 1, 4, 7, 3, 1, 3
_implementation avx512_256, 32, 2, 4, 7, 4, 1, 2, 4
_implementation avx512_512, 64, 2, 6, 10, 3, 2, 3

.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20 for x86-64, with Poly1305 in its shadow: one body, four implementations.
 *
 * They are rows of src/x86/rows.def, which says what each needs and the CPUs it is for.  The table at the end of this file has
 * what the body is built with for each, and what can be tuned for a CPU.
 *
 * -- ChaCha20 -----------------------------------------------------------------------------------------------------------------
 *
 * 64 bytes of key stream, a block, come from a state of 16 words of 32 bits, seen as four by four:
 *
 *       0   1   2   3      row A: constants
 *       4   5   6   7      row B: the key
 *       8   9  10  11      row C: the key
 *      12  13  14  15      row D: the block's number (word 12), the nonce
 *
 * A quarter round mixes four words (a, b, c, d), one of each row:
 *
 *      a += b;  d = (d ^ a) <<< 16;     c += d;  b = (b ^ c) <<< 12
 *      a += b;  d = (d ^ a) <<< 8;      c += d;  b = (b ^ c) <<< 7
 *
 * A double round takes the four columns (0 4 8 12), (1 5 9 13), (2 6 10 14), (3 7 11 15), and then the four diagonals
 * (0 5 10 15), (1 6 11 12), (2 7 8 13), (3 4 9 14).  After ten of them the first state is added, word by word.
 *
 * Blocks don't depend on each other.  So vectors do the same to several of them, and there are two ways to lay them out.
 *
 * -- Columns ------------------------------------------------------------------------------------------------------------------
 *
 * Vector WORDi holds word i of as many blocks as it has lanes of 32 bits: 4, 8 or 16.  That many blocks are a pass.
 *
 *                  lane 0            lane 1            lane 2
 *      WORD0       block 0, word 0   block 1, word 0   block 2, word 0   ..
 *      WORD1       block 0, word 1   block 1, word 1   block 2, word 1   ..
 *
 * A quarter round of all these blocks is a quarter round of four registers, be it a column or a diagonal.  Nothing is shuffled, and
 * four quarter rounds are independent of each other.  The price: at the end 16 vectors have to be transposed, as text has the words
 * of a block one after the other; and a pass costs the same however few of its blocks are wanted.
 *
 * Loops have one round, not two, where there are registers for it.  Let the words of a row change places: what has been in place i
 * of rows A, B, C, D goes to 1 - i, 2 - i, 3 - i, -i, modulo 4.
 *
 *       0   1   2   3                     1   0   3   2
 *       4   5   6   7                     6   5   4   7
 *       8   9  10  11                    11  10   9   8
 *      12  13  14  15                    12  15  14  13
 *
 * Then columns are what diagonals were: 1 6 11 12, 0 5 10 15, 3 4 9 14, 2 7 8 13.  And the same once more leads back.  (Rows that
 * are only rotated don't have this: the way back from diagonals is another one.)  It takes hardly a move: see _name_swap.
 *
 * With 512 bits, a pass of 16 blocks takes
 *
 *      960 uops of rounds, 320 of them rotations;  16 additions;  64 shuffles;  16 xors
 *
 * for two ports on Intel (rotations p0, shuffles p5): 528 cycles for 1024 bytes, counted.  Zen 4 has the same throughput, one
 * rotation a cycle, but took 657, 590 of them for the rounds, when loops had two.  Of eleven orders of instructions, that of two
 * quarter rounds a step after the other two was the best (`lag` of _columns_round), but they were within 10 %.  Lost: byte shuffles
 * in place of rotations by 16 and 8, 4 %.
 *
 * Zen 5 with 512-bit units begins four of these uops a cycle, two of them rotations.  So the rounds of a pass could take 240
 * cycles, but each waits for the one before: 80 steps of an addition, an xor and a rotation, 480 cycles; they take 490 to 515.  32
 * registers hold two passes, each of which can hide what the other waits for.  Then ports are the bound, 1920 uops at four a
 * cycle, again 480 cycles, but for both.  They take 584.  What lost: the second pass 0 to 12 steps after the first, 584 to 633;
 * half a round after it, 590 to 650.  With half the units, as Zen 4 and Intel have, a pass is bound by ports already; but on
 * Granite Rapids passes take 594 by themselves and 550 in pairs, which fill the ports better.
 *
 * -- Rows ---------------------------------------------------------------------------------------------------------------------
 *
 * A vector holds one row of the state of as many blocks as it has lanes of 128 bits: 1, 2 or 4.  Four vectors are a set.
 *
 *                  lane 0                lane 1
 *      SET0_A      block 0, words 0..3   block 1, words 0..3     ..
 *      SET0_B      block 0, words 4..7   block 1, words 4..7     ..
 *      SET0_C      block 0, words 8..11  block 1, words 8..11    ..
 *      SET0_D      block 0, words 12..15 block 1, words 12..15   ..
 *
 * One quarter round of the four vectors does all four columns at once.  Between columns and diagonals rows are rotated (_turn).  A
 * set is one chain: 20 rounds of 4 steps of addition, xor and rotation, on Intel 240 cycles, on AMD, where rotations take two, 320.
 * Sets beside each other are hardly slower than one, until they fill the ports.
 *
 * So columns are for the bulk, and rows for what is short, and for the end of a message.
 *
 * -- In the shadow of columns -------------------------------------------------------------------------------------------------
 *
 * Columns keep the vector units busy, and nothing else.  There is room for
 *
 *  - Poly1305, which takes the multiplier and the general registers: see "Poly1305 in the shadow" below;
 *  - or one or two sets of rows, for four or eight blocks that passes would leave over: 30 uops a set in a double round that has
 *    96.  Zen 4, 512 bits: 812 and 979 cycles, where the pass alone takes 657 and rows alone 300 and 477.
 *
 * With AVX2 there are no registers for a set of rows, but a block in general registers fits: nine blocks in the time of eight, 620
 * cycles on Zen 5 where one by rows takes 475; with AVX-512 and 256 bits 524, as a pass without.
 *
 * With 512 bits such a block is the first one, beside the pass after it, or beside two sets of rows.  So Poly1305's key costs a
 * message little whose text fills vectors.  Emerald Rapids takes 585 cycles for such a pass, 557 for one alone, and 735 with four
 * more blocks by rows; and 446 for nine blocks with two sets, 504 with three.  There are 3 units that vectors leave to the block,
 * and 5 for both: 1040 instructions of the block and 1056 of a pass, or 600 of two sets.
 *
 * Rows leave more idle than columns do: beside the last ones of a message, by 128 and 256 bits, Poly1305 goes on with what is
 * before them.
 */
#include "asm.h"
#include "poly1305_scalar.h"

/*
 * struct lc_chacha20_run (chacha20_run.h), asserted beside it.  RUN is 128 bytes after its beginning: so what is used most has
 * short addresses, within 128 bytes on both sides.
 */
#define RUN_WORDS 0-128
#define RUN_RM 64-128
#define RUN_DST 88-128
#define RUN_SRC 96-128
#define RUN_HASHED 104-128
#define RUN_APART 112-128
#define RUN_ROUNDS 116-128
#define RUN_MISSING 116-128
#define RUN_S1 120-128
#define RUN_SINGLE 128-128
#define RUN_H 144-128
#define RUN_R 168-128
#define RUN_IVS 640-128
#define RUN_FIRST 896-128
#define RUN_SPILL 960-128
#define RUN_LAST 960-128
#define RUN_MORE 1088-128

.section .rodata.lc_chacha20, "a", @progbits
.p2align 6
.Lblocks:                       /* rows: what is added to the block's number in each lane, set after set */
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
.Lblock_numbers:                /* columns: what is added to word 12 in each lane */
    .long 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
.Lpass_blocks:                  /* columns, 512 bits: blocks in a pass, for each lane of rows; or one word */
    .rept 4
    .long 16, 0, 0, 0
    .endr

.text
.p2align 6                      /* where loops lie doesn't depend on what is linked before */

/* ---- Registers ---- */

/* Everywhere.  The words of the first state, and its row at 16 * n; see struct lc_chacha20_run. */
#define RUN             %rdi    /* _begin_run makes it of the argument */
#define FIRST_WORD(i)   RUN_WORDS+4*i(RUN)
#define FIRST_ROW(n)    RUN_WORDS+16*n(RUN)
#define NUM_ROUNDS      20
.macro _begin_run
    sub $-128, RUN
.endm

/* Columns, while their rounds go on; if this implementation hashes meanwhile: Poly1305's registers, too. */
#define PASSES_ARG      %rsi    /* the arguments num_passes and */
#define BESIDE_ARG32    %edx    /* hash */
#define BESIDE_ARG8     %dl
#define MSG             %rsi    /* the blocks that Poly1305 goes on with */
#define H0              %r8     /* Poly1305's h, the first chain's, in three words */
#define H1              %r9
#define H2              %r14
#define H2_32           %r14d
#define G0              %r11    /* g, the second chain's */
#define G0_32           %r11d
#define G1              %r12
#define G1_32           %r12d
#define G2              %r13
#define G2_32           %r13d
#define FACTOR          %rdx    /* what mulx multiplies by, or half of what mul gives; clobbered, as are the next four */
#define HASH_T0         %rax
#define HASH_T1         %rbx
#define HASH_T2         %rcx
#define HASH_T2_32      %ecx
#define HASH_T3         %rbp
#define HASH_T3_32      %ebp
#define BESIDE32        %r10d   /* hash << 8 | rounds to go; one register for two, as there is no other */

/* The values of hash: what is done beside the rounds of columns */
#define BESIDE_HASH     (1 << 8)
#define BESIDE_SIDE0    (2 << 8)    /* a set of rows; with 256 bits, a block in general registers */
#define BESIDE_SIDES    (3 << 8)    /* two sets */
#define BESIDE_PAIRS    (4 << 8)    /* the next pass */
#define BESIDE_LANES    (5 << 8)    /* nothing, but each block has its own words 12..15 */
#define BESIDE_PRODUCTS (6 << 8)    /* the next pass, and a product that nobody uses */
#define BESIDE_AHEAD    (7 << 8)    /* the same, but of the next pass only the key stream is wanted, elsewhere */
#define BESIDE_FIRST    (8 << 8)    /* with 512 bits, block 0 in general registers; the pass begins with block 1 */

/* Columns, after their rounds */
#define PASS_SRC        %rcx    /* the text of this pass.. */
#define PASS_DST        %rdx
#define FIRST_SRC       %r8     /* ..and of its first block, which may lie apart */
#define FIRST_DST       %r9
#define LAST_SRC        %rax    /* ..and, if there is LAST_APART, of its last block, too */
#define LAST_DST        %rbx

/* Rows */
#define DST             %rsi
#define SRC             %rdx
#define LEN             %rcx    /* bytes of text to go; in the end less than a vector */
#define LEN32           %ecx
#define APART           %r8
#define APART32         %r8d    /* 1 or 2: the first block isn't text, but goes to run->first */
#define TOTAL32         %eax    /* bytes of all blocks */
#define ROUNDS32        %r11d   /* double rounds to go; and 256 times how many of them still have Poly1305 */
#define ROUNDS8         %r11b
#define SETS32          %eax    /* sets whose text is still to come */
#define BLOCKS          %r9     /* .Lblocks, for the present set */
#define POS             %r9     /* in the bytes that don't fill a vector */
#define POS32           %r9d
#define ROL             %r10    /* .Lrol16 */
#define TEXT_MASK       %k1     /* a bit for each of these bytes */
#define BITS            %rax    /* for TEXT_MASK; or a few bytes of text */
#define BITS32          %eax
#define BITS8           %al

/* Names for the four vectors that a quarter round works on, and for one that it may clobber: <name>_A .. _D, and _T. */
.macro _name_quarter name, a, b, c, d, t
    .set \name\()_A, \a
    .set \name\()_B, \b
    .set \name\()_C, \c
    .set \name\()_D, \d
    .set \name\()_SHORT, VL == 32
    _name_in_place \name\()_A, \a
    _name_in_place \name\()_B, \b
    _name_in_place \name\()_C, \c
    _name_in_place \name\()_D, \d
  .ifnb \t
    .set \name\()_T, \t
  .endif
.endm

/*
 * In a quarter round each of the four words is written twice, to <name>_A_MID and <name>_A_OUT and so on.  That is where it is, but
 * for a word that changes places with that of another quarter, which comes later in the same steps.  The other one's goes to t
 * first.  So there is a place for the first one's when it is done, and then the other one's goes to where that was.
 *
 * (Instructions with two operands can't do that.)
 */
.macro _name_in_place word, v
    .set \word\()_MID, \v
    .set \word\()_OUT, \v
.endm
.macro _name_swap first, second, row, t
    .set \first\()_\row\()_OUT, \second\()_\row
    .set \second\()_\row\()_MID, \t
    .set \second\()_SHORT, 0
    .set \second\()_\row\()_OUT, \first\()_\row
.endm

/*
 * Vectors.  With CODE 2 there are 32, and rotations need no temporary.  Otherwise there are 16, and columns don't fit: of the third
 * row, words 8..11, two are in THIRD0 and THIRD1 and two in memory.
 *
 * MIRROR0 .. MIRROR3 are columns whose words change places, as the head of this file has it.
 */
.macro _name_registers
    _set_vectors

    /* Columns: the words, and their columns and diagonals as quarters */
    .irp i, 0,1,2,3,4,5,6,7,8,9,12,13,14,15
    .set WORD\i, V\i
    .endr
  .if CODE == EVEX
    .set WORD10, V10
    .set WORD11, V11
    _name_quarter COLUMN0, WORD0, WORD4, WORD8, WORD12
    _name_quarter COLUMN1, WORD1, WORD5, WORD9, WORD13
    _name_quarter COLUMN2, WORD2, WORD6, WORD10, WORD14
    _name_quarter COLUMN3, WORD3, WORD7, WORD11, WORD15
    _name_quarter DIAGONAL0, WORD0, WORD5, WORD10, WORD15
    _name_quarter DIAGONAL1, WORD1, WORD6, WORD11, WORD12
    _name_quarter DIAGONAL2, WORD2, WORD7, WORD8, WORD13
    _name_quarter DIAGONAL3, WORD3, WORD4, WORD9, WORD14
    _name_quarter MIRROR0, WORD0, WORD4, WORD8, WORD12
    _name_quarter MIRROR1, WORD1, WORD5, WORD9, WORD13
    _name_quarter MIRROR2, WORD2, WORD6, WORD10, WORD14
    _name_quarter MIRROR3, WORD3, WORD7, WORD11, WORD15
    _name_swap MIRROR1, MIRROR0, A, V26
    _name_swap MIRROR3, MIRROR2, A, V27
    _name_swap MIRROR0, MIRROR2, B, V28
    _name_swap MIRROR3, MIRROR0, C, V29
    _name_swap MIRROR1, MIRROR2, C, V30
    _name_swap MIRROR1, MIRROR3, D, V31
    .set COLUMN_T0, V28         /* temporaries, after the rounds */
    .set COLUMN_T1, V29
    .set COLUMN_T2, V30
    .set COLUMN_T3, V31
   .if VL == 64
    .set COLUMN_TEXT, COLUMN_T0     /* the second of a pair has all others */
   .else
    .set COLUMN_TEXT, V27
   .endif
    /* Columns, in a pair of passes: those of the second one, whose word i is in V<16 + i> */
    _name_quarter OTHER_COLUMN0, V16, V20, V24, V28
    _name_quarter OTHER_COLUMN1, V17, V21, V25, V29
    _name_quarter OTHER_COLUMN2, V18, V22, V26, V30
    _name_quarter OTHER_COLUMN3, V19, V23, V27, V31
    _name_quarter OTHER_DIAGONAL0, V16, V21, V26, V31
    _name_quarter OTHER_DIAGONAL1, V17, V22, V27, V28
    _name_quarter OTHER_DIAGONAL2, V18, V23, V24, V29
    _name_quarter OTHER_DIAGONAL3, V19, V20, V25, V30
  .else
    .set THIRD0, V8             /* words 8 and 10, or 11 and 9 */
    .set THIRD1, V9
    _name_quarter MIRROR0, WORD0, WORD4, THIRD0, WORD12, V10
    _name_quarter MIRROR1, WORD1, WORD5, THIRD1, WORD13, V10
    _name_quarter MIRROR2, WORD2, WORD6, THIRD1, WORD14, V10
    _name_quarter MIRROR3, WORD3, WORD7, THIRD0, WORD15, V10
   .if CODE == VEX
    _name_swap MIRROR0, MIRROR2, B, V11
    _name_swap MIRROR1, MIRROR3, D, V11
   .endif
    .set COLUMN_T0, V8          /* temporaries, after the rounds, when the third row is in memory */
    .set COLUMN_T1, V9
    .set COLUMN_T2, V10
    .set COLUMN_T3, V11
    .set LATE0, V0              /* words 8..11, back from there when the text of the others is written */
    .set LATE1, V1
    .set LATE2, V2
    .set LATE3, V3
  .endif

    /* Columns, transposed (see _transpose_words): the rows of block j, and of those 4, 8 and 12 after it */
  .if CODE == EVEX
    _name_quarter BLOCK0, WORD1, WORD5, WORD9, WORD13
    _name_quarter BLOCK1, WORD2, WORD6, WORD10, WORD14
    _name_quarter BLOCK2, WORD3, WORD7, WORD11, WORD15
    _name_quarter BLOCK3, WORD0, WORD4, WORD8, WORD12
  .else
    _name_quarter BLOCK0, WORD1, WORD5, LATE1, WORD13
    _name_quarter BLOCK1, WORD2, WORD6, LATE2, WORD14
    _name_quarter BLOCK2, WORD3, WORD7, LATE3, WORD15
    _name_quarter BLOCK3, WORD0, WORD4, LATE0, WORD12
  .endif

    /* Rows: sets, and with 512 bits sets at the side of columns */
  .if VL == 64
    .set ROW_T0, V28
    .set ROW_T1, V29
    .set ROW_T2, V30
    .set ROW_T3, V31
    .set IVS, V24               /* words 12..15 of the first state in each lane */
    .set IVS_XMM, %xmm24
    .set TEXT, V25
    _name_quarter SIDE0, V16, V17, V18, V19
    _name_quarter SIDE1, V20, V21, V22, V23
  .else
    .set ROW_T0, V12
    .set ROW_T1, V13
    .set IVS, V14
    .set IVS_XMM, %xmm14
    .set TEXT, V15
  .endif
    _name_quarter SET0, V0, V1, V2, V3, ROW_T0
    _name_quarter SET1, V4, V5, V6, V7, ROW_T1
    _name_quarter SET2, V8, V9, V10, V11, ROW_T0
    .set OUT0, V0               /* the blocks of a set, when they are in order */
    .set OUT1, V1
    .set OUT2, V2
    .set OUT3, V3
.endm

/* ---- Instructions ---- */

.macro _addd a, b, d
    _op3 paddd, vpaddd, vpaddd, \a, \b, \d
.endm

.macro _unpack which, a, b, d
    _op3 punpck\which, vpunpck\which, vpunpck\which, \a, \b, \d
.endm

/* d = s, one of them aligned memory */
.macro _mov_mem s, d
.if CODE == SSE
    movdqa \s, \d
.elseif CODE == VEX
    vmovdqa \s, \d
.else
    vmovdqa64 \s, \d
.endif
.endm

/* d = the word at memory s in every lane */
.macro _broadcast s, d
.if CODE == SSE
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

/* d = v <<< n, which may spoil v; t is only used where there is no rotation and no shuffle for it */
.macro _rol n, v, t, d
.if ROTATES
    vprold $\n, \v, \d
.elseif \n == 16 && ROL_IN_REGISTER
    _shufb (ROL), \v, \d
.elseif \n == 8 && ROL_IN_REGISTER
    _shufb 32(ROL), \v, \d
.elseif \n == 16
    _shufb .Lrol16(%rip), \v, \d
.elseif \n == 8
    _shufb .Lrol8(%rip), \v, \d
.elseif CODE == VEX
    vpslld $\n, \v, \t
    vpsrld $32 - \n, \v, \v
    vpor \v, \t, \d
.else
    movdqa \v, \t
    pslld $\n, \t
    psrld $32 - \n, \v
    por \t, \v
.endif
.endm

/* Each lane of 128 bits: its words permuted */
.macro _shufd n, v
.if CODE == SSE
    pshufd $\n, \v, \v
.else
    vpshufd $\n, \v, \v
.endif
.endm

/* 256 bits: d = the lower halves, or the upper ones, of a and b */
.macro _lower_halves a, b, d
.if CODE == VEX
    vperm2i128 $0x20, \b, \a, \d
.else
    vshufi32x4 $0, \b, \a, \d
.endif
.endm
.macro _upper_halves a, b, d
.if CODE == VEX
    vperm2i128 $0x31, \b, \a, \d
.else
    vshufi32x4 $3, \b, \a, \d
.endif
.endm

/* Zeros in vectors of these numbers: with CODE 2, in all of 512 bits. */
.macro _wipe_vectors numbers:vararg
    .irp i, \numbers
  .if CODE == SSE
    pxor %xmm\i, %xmm\i
  .elseif \i < 16
    vpxor %xmm\i, %xmm\i, %xmm\i
  .else
    vpxord %xmm\i, %xmm\i, %xmm\i
  .endif
    .endr
.endm

/*
 * out = to ^ from in a quarter round; low is one of the two, and high the other.  Where vectors have 256 bits, most of these are
 * V0..V15: VEX instructions are shorter than EVEX ones, and shorter by one more byte if the first operand is one of V0..V7, as a
 * and b often are.
 */
.macro _xor_short from, to, low, high, out
.if SHORT
    vpxor \low, \high, \out
.else
    _xor \from, \to, \out
.endif
.endm

/* ---- Quarter rounds ---- */

#define QUARTER_STEPS 12

/* Orders of steps, by number of quarter or set: see _columns_round and _rows_double_round */
#define ORDER_OF_A_PASS 2,1,1,0,1,2,3,2,0,3,0,0,3,1,0,3,1,0,3,1,2,1,3,2,3,2,1,3,1,1,3,0,2,2,2,0,3,0,3,1,1,3,0,0,0,2,2,2
#define ORDER_OF_TWO_SETS 0,0,0,0,0,0,0,0,0,1,1,1,0,0,1,1,0,0,1,1,0,1,1,0,0,0,0,0,0,1, \
        1,1,1,0,0,1,0,1,0,1,1,1,0,0,1,1,1,0,0,0,1,1,1,1,1,1,0,1,1,1

/* Step 0..11 of a quarter round, by its name */
.macro _step step, quarter
    .set SHORT, \quarter\()_SHORT
  .if CODE == SSE
    _quarter_step \step, \quarter\()_T, \quarter\()_A, \quarter\()_A, \quarter\()_A, \quarter\()_B, \quarter\()_B, \quarter\()_B, \
        \quarter\()_C, \quarter\()_C, \quarter\()_C, \quarter\()_D, \quarter\()_D, \quarter\()_D
  .else
    _quarter_step \step, \quarter\()_T, \quarter\()_A, \quarter\()_A_MID, \quarter\()_A_OUT, \
        \quarter\()_B, \quarter\()_B_MID, \quarter\()_B_OUT, \quarter\()_C, \quarter\()_C_MID, \quarter\()_C_OUT, \
        \quarter\()_D, \quarter\()_D_MID, \quarter\()_D_OUT
  .endif
.endm
.macro _quarter_step step, t, a, a_mid, a_out, b, b_mid, b_out, c, c_mid, c_out, d, d_mid, d_out
.if \step == 0
    _addd \b, \a, \a_mid
.elseif \step == 1
    _xor_short \a_mid, \d, \a_mid, \d, \d_mid
.elseif \step == 2
    _rol 16, \d_mid, \t, \d_mid
.elseif \step == 3
    _addd \d_mid, \c, \c_mid
.elseif \step == 4
    _xor_short \c_mid, \b, \b, \c_mid, \b_mid
.elseif \step == 5
    _rol 12, \b_mid, \t, \b_mid
.elseif \step == 6
    _addd \b_mid, \a_mid, \a_out
.elseif \step == 7
    _xor_short \a_out, \d_mid, \a_out, \d_mid, \d_mid
.elseif \step == 8
    _rol 8, \d_mid, \t, \d_out
.elseif \step == 9
    _addd \d_out, \c_mid, \c_out
.elseif \step == 10
    _xor_short \c_out, \b_mid, \b_mid, \c_out, \b_mid
.else
    _rol 7, \b_mid, \t, \b_out
.endif
.endm

/* ---- A set of rows ---- */

/*
 * A quarter round of a set mixes the words that are above each other.  Before the diagonals rows are rotated so that diagonals
 * become columns, and afterwards back:
 *
 *      0  1  2  3                          3  0  1  2      A: one place to the right
 *      4  5  6  7                          4  5  6  7      B: stays
 *      8  9 10 11                          9 10 11  8      C: one place to the left
 *     12 13 14 15                         14 15 12 13      D: two places
 *
 * The usual way leaves A, and rotates B, C and D.  Only how the rows stand to each other counts, so any of them may stay.  B is the
 * last to be ready, and the next round begins with it: its rotation would lengthen the chain, twice in a double round.  The other
 * rows have been ready for a while, and their rotations take no time.
 */
#define LEFT1 0x39              /* word i comes from i + 1 */
#define LEFT2 0x4e
#define RIGHT1 0x93

.macro _turn turn_a, turn_c, set
    .irp i, 0,1,2
    _turn_row \i, \turn_a, \turn_c, \set
    .endr
.endm
.macro _turn_row i, turn_a, turn_c, set
  .if \i == 0
    _shufd \turn_a, \set\()_A
  .elseif \i == 1
    _shufd LEFT2, \set\()_D
  .else
    _shufd \turn_c, \set\()_C
  .endif
.endm
.macro _turn_to_diagonals set
    _turn RIGHT1, LEFT1, \set
.endm
.macro _turn_to_columns set
    _turn LEFT1, RIGHT1, \set
.endm

/* IVS: words 12..15 in each lane.  They were written just before, as two words of 64 bits, and are read as such. */
.macro _load_iv
.if CODE == SSE
    movq RUN_WORDS+48(RUN), IVS_XMM
    movhps RUN_WORDS+56(RUN), IVS_XMM
.elseif CODE == VEX
    vmovq RUN_WORDS+48(RUN), IVS_XMM
    vmovhps RUN_WORDS+56(RUN), IVS_XMM, IVS_XMM
    vinserti128 $1, IVS_XMM, IVS, IVS
.else
    vmovq RUN_WORDS+48(RUN), IVS_XMM
    vmovhps RUN_WORDS+56(RUN), IVS_XMM, IVS_XMM
  .if VL == 64
    vshufi32x4 $0, IVS, IVS, IVS
  .else
    vinserti32x4 $1, IVS_XMM, IVS, IVS
  .endif
.endif
.endm

/* A set's first state; blocks is what its lanes add to the number in IVS. */
.macro _set_begin set, blocks
    _load_lanes FIRST_ROW(0), \set\()_A
    _load_lanes FIRST_ROW(1), \set\()_B
    _load_lanes FIRST_ROW(2), \set\()_C
    _addd \blocks, IVS, \set\()_D
.endm
/* The sets SET<SETS_BEGUN> .. SET<num - 1> begin, too. */
.macro _sets_begin num
    .irp set, 0,1,2
  .if \set >= SETS_BEGUN && \set < \num
    _set_begin SET\set, .Lblocks+\set*VL(%rip)
  .endif
    .endr
    .set SETS_BEGUN, \num
.endm

/* After the rounds: the first state is added; here to one set or two, but for row D. */
.macro _set_add_rows set, other
    _load_lanes FIRST_ROW(0), ROW_T0
    _add_to_row ROW_T0, A, \set, \other
    _load_lanes FIRST_ROW(1), ROW_T1
    _add_to_row ROW_T1, B, \set, \other
    _load_lanes FIRST_ROW(2), ROW_T0
    _add_to_row ROW_T0, C, \set, \other
.endm
.macro _add_to_row t, row, set, other
    _addd \t, \set\()_\row, \set\()_\row
  .ifnb \other
    _addd \t, \other\()_\row, \other\()_\row
  .endif
.endm
.macro _set_add_blocks set, blocks
    _addd \blocks, IVS, ROW_T1
    _addd ROW_T1, \set\()_D, \set\()_D
.endm

/* 512 bits: four rows of four blocks become the blocks, the first in _A and so on. */
.macro _transpose_lanes set
    vshufi32x4 $0x44, \set\()_B, \set\()_A, ROW_T0
    vshufi32x4 $0xee, \set\()_B, \set\()_A, ROW_T1
    vshufi32x4 $0x44, \set\()_D, \set\()_C, ROW_T2
    vshufi32x4 $0xee, \set\()_D, \set\()_C, ROW_T3
    vshufi32x4 $0x88, ROW_T2, ROW_T0, \set\()_A
    vshufi32x4 $0xdd, ROW_T2, ROW_T0, \set\()_B
    vshufi32x4 $0x88, ROW_T3, ROW_T1, \set\()_C
    vshufi32x4 $0xdd, ROW_T3, ROW_T1, \set\()_D
.endm

/* 512 bits: a set's blocks go to memory. */
.macro _store_blocks set, off
    _mov_mem \set\()_A, \off(RUN)
    _mov_mem \set\()_B, \off+64(RUN)
    _mov_mem \set\()_C, \off+128(RUN)
    _mov_mem \set\()_D, \off+192(RUN)
.endm

/* ---- Poly1305 in the shadow ---- */

/*
 * A pass of columns has room for about as much of Poly1305 as it makes bytes of text.  (poly1305_scalar.h says what a block of it
 * is, and why r and s1 are what they are.)
 *
 * -- Two chains --
 *
 * A block needs the hash of all blocks before it, and takes 12 cycles for that.  A pass with 512 bits has 657 cycles and is to take
 * 60 blocks: 720 cycles, if they were one chain.  So there are two, and each gets m blocks that follow each other:
 *
 *      blocks          1  2  ..  m    m+1  m+2  ..  2m
 *                      first chain    second chain
 *
 * The first goes on from the hash h so far, and ends with h' = h * r^m + (what its own blocks give).  The second begins with 0 and
 * ends with g.  The hash of all 2m blocks is what it would be if the second chain had begun with h' and not with 0.  Each of its m
 * blocks would have multiplied h' by r once.  So
 *
 *      h  =  h' * r^m  +  g                                                                    (_hash_join)
 *
 * after the rounds.  r^m doesn't depend on the message and is made once for many passes (lc_poly1305_power_x86_64, which needs
 * m = 2 * (2^n - 1)).
 *
 * Two chains of even and of odd blocks would need no join.  But both would multiply by r^2 in each block, and r^2 isn't clamped:
 * 8 wide multiplications a block and not 4.
 *
 * -- Where the instructions are --
 *
 * The chains take turns, block by block.  A block is cut into 4 steps (_poly_mul_step), and a turn of a loop of columns has
 * HASH_PLACES places for them, one after each step of its quarter rounds.  Steps are spread over these places evenly.
 *
 * -- How much --
 *
 * A pass with 512 bits takes 60 blocks, six in two rounds: 31 uops each, 1860, with the 1056 of the vectors 2916, on six a
 * cycle 486 cycles.  On Intel each mulx has a uop on p5, too: (1056 + 240) / 2 = 648.  Zen 4: 686 cycles, where a pass without
 * takes 657; 256 bits, 28 blocks: 429 and 427; AVX2: 530 and 529; SSSE3, 12 blocks by mul: about 540 and 531.  A pass has four
 * blocks more than that.  One chain of these after the rounds cost 45 cycles; so they are left to vectors, many passes' at once
 * (x86/chacha20poly1305.c), at 12; with SSSE3 to one chain, at 55.
 *
 * Lost: IFMA after each 1024 bytes, 38 % longer for 64 KB, and AVX2's multiplications after them, 36 %.  IFMA between the rounds
 * was counted only: 42 vector uops for 8 blocks are 336 a pass, for the ports that are full already.
 */

/* Step 0..3 of a block, (h0, h1, h2) = (h + block) * r, with the block at MSG + off */
.macro _hash_step step, off, h0, h1, h2
.if \step == 0
    _poly_add \h0, \h1, \h2, \off(MSG), 8+\off(MSG), $1
.endif
    _poly_mul_step \step, \h0, \h1, \h2, RUN_R(RUN), RUN_R+8(RUN), RUN_S1(RUN), HASH_T0, HASH_T1, HASH_T2, HASH_T3
.endm

/*
 * The next step in a turn of a loop, number HASH_STEP.  Four are a block, which is the first chain's and the second's in turns; so
 * eight are 16 bytes for each of them.  The second chain is CHAIN_LEN after the first.  Rows have one chain.
 */
.macro _hash_next
  .if ONE_CHAIN
    _hash_step (HASH_STEP%4), HASH_STEP/4*16, H0, H1, H2
  .elseif HASH_STEP / 4 % 2 == 0
    _hash_step (HASH_STEP%4), HASH_STEP/8*16, H0, H1, H2
  .else
    _hash_step (HASH_STEP%4), HASH_STEP/8*16+CHAIN_LEN, G0, G1, G2
  .endif
    .set HASH_STEP, HASH_STEP + 1
.endm

/* The next of HASH_PLACES places: HASH_PLACE / HASH_PLACES of all steps are to be done by now. */
.macro _hash_here
    .set HASH_PLACE, HASH_PLACE + 1
    .rept 4 * HASH_NOW
  .if HASH_STEP * HASH_PLACES < 4 * HASH_NOW * HASH_PLACE
    _hash_next
  .endif
    .endr
.endm

/*
 * h = h * r^m + g, and g = 0.  The products are added to g, whose words at 2^0, 2^64, 2^128 get two more, at 2^192 and 2^256.
 *
 * h and x = r^m are below 2^131, and neither is clamped: nine products of words, 262 bits.  The product of the uppermost words fits
 * into 64 bits.  Let c be what is at 2^130 and above, which is below 2^132.  It comes back as 5 * c = 4 * c + c:
 *
 *      4 * c     is the upper three words as they are, but for the two bits below 2^130
 *      c         is the same, shifted to the right by 2
 *
 * Their sum with the lower 130 bits is below 2^135.  So a few bits are above 2^130 again, less than 2^5, and come back once more in
 * the same way.  After that h2 is at most 4.
 */
#define PRODUCT_192 HASH_T3     /* the words of the product at 2^192 and 2^256 */
#define PRODUCT_192_32 HASH_T3_32
#define PRODUCT_256 HASH_T2
#define PRODUCT_256_32 HASH_T2_32
#define PRODUCT_LO  HASH_T0     /* of one word by one */
#define PRODUCT_HI  HASH_T1
.macro _join_factor h           /* the next products multiply by h */
  .if MULX
    mov \h, FACTOR
  .endif
.endm
.macro _join_product h, i, low, high /* high:low += h * x<i>; the flags have the carry */
  .if MULX
    mulx RUN_RM+8*\i(RUN), PRODUCT_LO, PRODUCT_HI
    add PRODUCT_LO, \low
    adc PRODUCT_HI, \high
  .else
    mov \h, PRODUCT_LO
    mulq RUN_RM+8*\i(RUN)
    add PRODUCT_LO, \low
    adc FACTOR, \high
  .endif
.endm
.macro _hash_join
    mov $0, PRODUCT_192_32
    _join_factor H0
    _join_product H0, 0, G0, G1
    adc $0, G2
    _join_product H0, 2, G2, PRODUCT_192
    _join_product H0, 1, G1, G2
    adc $0, PRODUCT_192
    _join_factor H1
    _join_product H1, 0, G1, G2
    adc $0, PRODUCT_192
    mov $0, PRODUCT_256_32
    _join_product H1, 1, G2, PRODUCT_192
    adc $0, PRODUCT_256
    _join_product H1, 2, PRODUCT_192, PRODUCT_256
    _join_factor H2
    _join_product H2, 0, G2, PRODUCT_192
    adc $0, PRODUCT_256
    _join_product H2, 1, PRODUCT_192, PRODUCT_256
    imul RUN_RM+16(RUN), H2
    add H2, PRODUCT_256

    mov G0, H0                      /* the lower 130 bits */
    mov G1, H1
    mov G2, H2
    and $3, H2_32
    and $-4, G2                     /* + 4 * c */
    add G2, H0
    adc PRODUCT_192, H1
    adc PRODUCT_256, H2
    shrd $2, PRODUCT_192, G2           /* + c */
    shrd $2, PRODUCT_256, PRODUCT_192
    shr $2, PRODUCT_256
    add G2, H0
    adc PRODUCT_192, H1
    adc PRODUCT_256, H2
    mov H2, PRODUCT_LO              /* what is above 2^130 now, times 5 */
    and $3, H2_32
    shr $2, PRODUCT_LO
    lea (PRODUCT_LO,PRODUCT_LO,4), PRODUCT_LO
    add PRODUCT_LO, H0
    adc $0, H1
    adc $0, H2
    xor G0_32, G0_32
    xor G1_32, G1_32
    xor G2_32, G2_32
.endm

/* ---- A block in general registers ---- */

/*
 * Zen 5 has a latency of two cycles for integer vectors, and of one for general registers.  So a single block, a chain of 240
 * instructions, is faster by these: 298 cycles for 64 bytes and what is around them, where rows take 401, and with AVX2 500.
 *
 * Fourteen registers are free for sixteen words.  As in columns with 16 registers two words of the third row are in memory: words
 * 10 and 11, and while these are worked on 8 and 9.
 */
#define SINGLE_THIRD0 %r14d
#define SINGLE_THIRD1 %r15d
#define SINGLE_SPILL(n) RUN_SINGLE+4*(n)(RUN)   /* word 8 + n */
#define SINGLE_ROUNDS RUN_ROUNDS(RUN)           /* rounds or double rounds to go, for which there is no register: 0 in the end */

.macro _name_single
    _name_quarter SINGLE_COLUMN0, %eax, %esi, SINGLE_THIRD0, %r10d
    _name_quarter SINGLE_COLUMN1, %ebx, %ebp, SINGLE_THIRD1, %r11d
    _name_quarter SINGLE_COLUMN2, %ecx, %r8d, SINGLE_THIRD0, %r12d
    _name_quarter SINGLE_COLUMN3, %edx, %r9d, SINGLE_THIRD1, %r13d
    _name_quarter SINGLE_MIRROR2, %ecx, %r8d, SINGLE_THIRD1, %r12d
    _name_quarter SINGLE_MIRROR3, %edx, %r9d, SINGLE_THIRD0, %r13d
    _name_quarter SINGLE_DIAGONAL0, %eax, %ebp, SINGLE_THIRD0, %r13d
    _name_quarter SINGLE_DIAGONAL1, %ebx, %r8d, SINGLE_THIRD1, %r10d
    _name_quarter SINGLE_DIAGONAL2, %ecx, %r9d, SINGLE_THIRD0, %r11d
    _name_quarter SINGLE_DIAGONAL3, %edx, %esi, SINGLE_THIRD1, %r12d
.endm

/* Step 0..3 of a quarter of a quarter round: d = (d ^ (a += b)) <<< n, or with others in their places */
.macro _single_step step, a, b, d, n
  .if \step == 0
    add \b, \a
  .elseif \step == 1
    xor \a, \d
  .else
    rol $\n, \d
  .endif
.endm
.macro _single_quarter_step step, quarter
  .if \step < 3
    _single_step \step, \quarter\()_A, \quarter\()_B, \quarter\()_D, 16
  .elseif \step < 6
    _single_step (\step-3), \quarter\()_C, \quarter\()_D, \quarter\()_B, 12
  .elseif \step < 9
    _single_step (\step-6), \quarter\()_A, \quarter\()_B, \quarter\()_D, 8
  .else
    _single_step (\step-9), \quarter\()_C, \quarter\()_D, \quarter\()_B, 7
  .endif
.endm
.macro _single_quarters quarter, other
    .irp step, 0,1,2,3,4,5,6,7,8,9,10,11
    _single_quarter_step \step, \quarter
    _single_quarter_step \step, \other
    .endr
.endm
.macro _single_swap from, to
    mov SINGLE_THIRD0, SINGLE_SPILL(\from)
    mov SINGLE_THIRD1, SINGLE_SPILL(\from+1)
    mov SINGLE_SPILL(\to), SINGLE_THIRD0
    mov SINGLE_SPILL(\to+1), SINGLE_THIRD1
.endm

/* Instruction n of a double round: two quarters, two words change places with two in memory, and so on */
#define SINGLE_DOUBLE_ROUND 104
.macro _single_instruction n
  .if \n < 24
    _single_of_two (\n), SINGLE_COLUMN0, SINGLE_COLUMN1
  .elseif \n < 28
    _single_swap_step (\n-24), 0, 2
  .elseif \n < 52
    _single_of_two (\n-28), SINGLE_COLUMN2, SINGLE_COLUMN3
  .elseif \n < 76
    _single_of_two (\n-52), SINGLE_DIAGONAL0, SINGLE_DIAGONAL1
  .elseif \n < 80
    _single_swap_step (\n-76), 2, 0
  .else
    _single_of_two (\n-80), SINGLE_DIAGONAL2, SINGLE_DIAGONAL3
  .endif
.endm
.macro _single_all_done
  .if SINGLE_STEP != SINGLE_DOUBLE_ROUND
    .error "there are too few places for a block's double round"
  .endif
.endm
.macro _single_of_two n, quarter, other
  .if \n % 2 == 0
    _single_quarter_step (\n/2), \quarter
  .else
    _single_quarter_step (\n/2), \other
  .endif
.endm
.macro _single_swap_step n, from, to
  .if \n == 0
    mov SINGLE_THIRD0, SINGLE_SPILL(\from)
  .elseif \n == 1
    mov SINGLE_THIRD1, SINGLE_SPILL(\from+1)
  .elseif \n == 2
    mov SINGLE_SPILL(\to), SINGLE_THIRD0
  .else
    mov SINGLE_SPILL(\to+1), SINGLE_THIRD1
  .endif
.endm

/*
 * The same double round, evenly among as many instructions of vectors: first _single_among, then each of these by
 * _beside_single, as _in_order calls it.
 */
.macro _single_among num
    .set SINGLE_STEP, 0
    .set PLACE, 0
    .set NUM_PLACES, \num
.endm
.macro _beside_single insn, n, of
    \insn \n, \of
    .set PLACE, PLACE + 1
    .rept 2
  .if SINGLE_STEP * NUM_PLACES < SINGLE_DOUBLE_ROUND * PLACE
    _single_instruction SINGLE_STEP
    .set SINGLE_STEP, SINGLE_STEP + 1
  .endif
    .endr
.endm

/* The first state of the block `after` that of run->words, and how many turns of a loop its rounds are */
.macro _single_begin rounds, after=0
    mov FIRST_WORD(10), SINGLE_THIRD0
    mov FIRST_WORD(11), SINGLE_THIRD1
    mov SINGLE_THIRD0, SINGLE_SPILL(2)
    mov SINGLE_THIRD1, SINGLE_SPILL(3)
    movl $\rounds, SINGLE_ROUNDS
    mov FIRST_WORD(0), %eax
    mov FIRST_WORD(1), %ebx
    mov FIRST_WORD(2), %ecx
    mov FIRST_WORD(3), %edx
    mov FIRST_WORD(4), %esi
    mov FIRST_WORD(5), %ebp
    mov FIRST_WORD(6), %r8d
    mov FIRST_WORD(7), %r9d
    mov FIRST_WORD(8), SINGLE_THIRD0
    mov FIRST_WORD(9), SINGLE_THIRD1
    mov FIRST_WORD(12), %r10d
    mov FIRST_WORD(13), %r11d
    mov FIRST_WORD(14), %r12d
    mov FIRST_WORD(15), %r13d
  .if \after
    add $\after, %r10d
  .endif
.endm

/*
 * Beside a pass: the next of the 24 steps of a round, two quarters' step.  The words change places as those of the pass do; those
 * of the third row, when they go to memory and others come, as with 16 registers.  A vector that a pass doesn't need then helps.
 */
.macro _single_here
  .if HASH_PLACE < QUARTER_STEPS
    _single_quarter_step HASH_PLACE, SINGLE_COLUMN0
    _single_quarter_step HASH_PLACE, SINGLE_COLUMN1
  .else
    _single_quarter_step (HASH_PLACE-QUARTER_STEPS), SINGLE_MIRROR2
    _single_quarter_step (HASH_PLACE-QUARTER_STEPS), SINGLE_MIRROR3
  .endif
    .set HASH_PLACE, HASH_PLACE + 1
  .if HASH_PLACE == QUARTER_STEPS
   .if CODE == EVEX
    _single_swap_third %xmm24
   .else
    _single_swap_third %xmm10
   .endif
  .elseif HASH_PLACE == 2 * QUARTER_STEPS
    xchg %eax, %ebx             /* row A */
    xchg %ecx, %edx
    xchg %esi, %r8d             /* B */
    xchg %r11d, %r13d           /* D */
  .endif
.endm
.macro _single_swap_third t
    vmovd SINGLE_THIRD0, \t
    mov SINGLE_SPILL(3), SINGLE_THIRD0
    vmovd \t, SINGLE_SPILL(3)
    vmovd SINGLE_THIRD1, \t
    mov SINGLE_SPILL(2), SINGLE_THIRD1
    vmovd \t, SINGLE_SPILL(2)
.endm

/* The block's words are done; what was in memory is wiped.  to: where in run it goes */
.macro _single_word_out i, word
    add FIRST_WORD(\i), \word
    mov \word, SINGLE_TO+4*\i(RUN)
.endm
.macro _single_end after, to
    .set SINGLE_TO, \to
    add $\after, %r10d
    .irp n, "0,%eax","1,%ebx","2,%ecx","3,%edx","4,%esi","5,%ebp","6,%r8d","7,%r9d","8,%r14d","9,%r15d"
    _single_word_out \n
    .endr
    .irp n, "12,%r10d","13,%r11d","14,%r12d","15,%r13d"
    _single_word_out \n
    .endr
    mov SINGLE_SPILL(2), %eax
    mov SINGLE_SPILL(3), %ebx
    _single_word_out 10, %eax
    _single_word_out 11, %ebx
    xor %eax, %eax
    mov %rax, SINGLE_SPILL(0)
    mov %rax, SINGLE_SPILL(2)
.endm

/* ---- Columns ---- */

/*
 * The leading quarters, and the trailing ones `lag` steps after them, both lists of names.  After each step of the leading ones
 * comes the same step of the sets of rows at the side, and a place for Poly1305.
 */
.macro _quarter_rounds lag, leading, trailing
    .irp step, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23
  .if \step < QUARTER_STEPS
    _step_of_each \step, \leading
  .endif
  .if \step >= \lag && \step - \lag < QUARTER_STEPS
    _step_of_each (\step-\lag), \trailing
  .endif
  .if \step < QUARTER_STEPS
    _for_each SIDES, _step \step, SIDE\i
   .if SINGLE
    .rept 2 * QUARTER_STEPS / HASH_PLACES
    _single_here
    .endr
   .else
    _hash_here
   .endif
  .endif
    .endr
.endm
.macro _step_of_each step, quarters:vararg
    .irp quarter, \quarters
    _step \step, \quarter
    .endr
.endm

/* Quarters or sets, step by step: order says whose step is next.  What has to be before what: _name_swap, and a set's own order. */
.macro _in_order step, name, order:vararg
    .irp i, 0,1,2,3
    .set STEP_\i, 0
    .endr
    .irp i, \order
    \step STEP_\i, \name\i
    .set STEP_\i, STEP_\i + 1
    .endr
.endm

/* With 16 registers: two of the third row's words go to memory, to the places that they have in the next round; others come. */
#define SPILL(n) RUN_SPILL+(n)*VL(RUN)      /* word 8 + n */
.macro _swap_third
    _mov_mem SPILL(1), V10
    _mov_mem SPILL(3), V11
    _mov_mem THIRD1, SPILL(1)
    _mov_mem THIRD0, SPILL(3)
    _mov V10, THIRD1
    _mov V11, THIRD0
.endm

/* ..and other words that change places, for which there is no temporary */
.macro _swap v, w, t
    _mov \v, \t
    _mov \w, \v
    _mov \t, \w
.endm
.macro _swap_others
    _swap WORD0, WORD1, V10
    _swap WORD2, WORD3, V11
  .if CODE == SSE
    _swap WORD13, WORD15, V10
    _swap WORD4, WORD6, V11
  .endif
.endm

/*
 * 16 registers: two quarters, step by step.  order says whose step is next, 0 for the first and 1 for the second; 2, with SSE, is
 * the load that _swap_third_loaded relies on.  A rotation by shifts is three steps: a shift, with SSE after a copy, the other
 * shift, and what joins them.  left: which of these is the shift to the left, for the first quarter, 0 or 1; with AVX2 it is 0.
 * The quarters have one temporary, so an order has one such rotation at a time.
 */
.macro _ordered_quarters first, second, left, order:vararg
    .set FIRST_STEP, 0
    .set SECOND_STEP, 0
    .irp next, \order
  .if \next == 0
    _ordered_step FIRST_STEP, \left, \first
    .set FIRST_STEP, FIRST_STEP + 1
  .elseif \next == 1
    _ordered_step SECOND_STEP, 0, \second
    .set SECOND_STEP, SECOND_STEP + 1
  .else
    _mov_mem SPILL(3), V11
  .endif
    .endr
.endm
.macro _ordered_step step, left, quarter
  .if \step < 5
    _step \step, \quarter
  .elseif \step < 8
    _rol_step (\step-5), \left, 12, \quarter\()_B_MID, \quarter\()_T, \quarter\()_B_MID
  .elseif \step < 13
    _step (\step-2), \quarter
  .else
    _rol_step (\step-13), \left, 7, \quarter\()_B_MID, \quarter\()_T, \quarter\()_B_OUT
  .endif
.endm
.macro _rol_step step, left, n, v, t, d
  .if CODE == VEX
   .if \step == 0
    vpslld $\n, \v, \t
   .elseif \step == 1
    vpsrld $32 - \n, \v, \v
   .else
    vpor \v, \t, \d
   .endif
  .else
   .if \step == 0
    movdqa \v, \t
   .endif
   .if \step == \left
    pslld $\n, \t
   .elseif \step < 2
    psrld $32 - \n, \v
   .else
    por \t, \v
   .endif
  .endif
.endm
/*
 * AVX2, without Poly1305: words change places without a move between registers.  Words 0 and 2 wait in memory for the end of the
 * round, so that words 1 and 3 can be written to where they were.  Until that, those are where the third row's other words are
 * loaded to; the first sums of these go where they belong.
 */
.macro _swap_by_memory
    _mov_mem WORD0, SPILL(0)
    _mov_mem WORD2, SPILL(2)
    _mov_mem SPILL(1), WORD0
    _mov_mem SPILL(3), WORD2
    _mov_mem THIRD1, SPILL(1)
    _mov_mem THIRD0, SPILL(3)
    .set MIRROR1_C, WORD0
    .set MIRROR3_C, WORD2
    .set MIRROR1_A_OUT, WORD0
    .set MIRROR3_A_OUT, WORD2
.endm
.macro _swapped_by_memory
    _mov_mem SPILL(0), WORD1
    _mov_mem SPILL(2), WORD3
    .set MIRROR1_C, THIRD1
    .set MIRROR3_C, THIRD0
    .set MIRROR1_A_OUT, WORD1
    .set MIRROR3_A_OUT, WORD3
.endm
/* _swap_third, with SPILL(3) in V11 already */
.macro _swap_third_loaded
    _mov_mem THIRD0, SPILL(3)
    _mov_mem SPILL(1), V10
    _mov_mem THIRD1, SPILL(1)
    _mov V10, THIRD1
    _mov V11, THIRD0
.endm

/* The words of a set of rows at the side change places, too. */
.macro _mirror_side set
    _shufd 0xb1, \set\()_A             /* word i comes from 1 - i, */
    _shufd 0xc6, \set\()_B             /* 2 - i, */
    _shufd 0x1b, \set\()_C             /* 3 - i, */
    _shufd 0x6c, \set\()_D             /* -i */
.endm

/*
 * A round.  hash_blocks: blocks of Poly1305 in it.  sides: sets of rows that go along, SIDE0 and SIDE1.  single: a block goes
 * along.  lag: how many steps two quarters are after the other two, with 32 registers.
 *
 * The orders of the quarters are those that were the fastest on Zen 5.  With 16 registers only two that are in the same half of a
 * round can change places without a move.  Neither of the two is late: on Granite Rapids a step's delay costs 2 to 3 %.
 *
 * 16 registers, without Poly1305: the orders of steps were found by searches on Emerald Rapids, and are no better than others by
 * any count.  A round is 64 uops for three ports, 21.3 cycles.  By SSSE3 it took 28 on Granite Rapids, and much the same with as
 * many registers as one likes: a uop gets its port when it is renamed, long before it is ready, and four chains don't have enough
 * that is ready for each port.  One step elsewhere is mostly 2 to 7 % slower.  On Emerald Rapids a pass takes 592 cycles by SSSE3,
 * and 607 in an order that was found by a search on Granite Rapids, where that took 26 cycles a round.  By AVX2 it takes 590, and
 * 610 side by side, with moves.  Six uops are renamed at a time, so which of them go together counts, too; so orders were taken
 * that are good in any case: with a no-op or two in each round passes still take less than 600.
 *
 * On Granite Rapids the SSSE3 order found there took 605, 623 or 642 cycles by the number of uops before the loop, modulo 3.  On
 * Emerald Rapids a pass without Poly1305 doesn't depend on that, and one with it in its first rounds takes 626 or 636 cycles:
 * there are as many no-ops before the loop as make it 626.
 *
 * 256 bits, a pass that only waits for itself, as on Zen 5, has lag 0, too, and the older of two rotations is first.  By 512 bits,
 * which had that order before, two rounds took 48 cycles there, which is the bound.  With Poly1305 beside it, this order takes 1 %
 * longer.
 *
 * 512 bits, nothing beside it: the order was found by a search on Emerald Rapids, as for 16 registers.  A pass takes 561 cycles,
 * 561 to 565 with a no-op or two in each round, and 592 with lag 0; ports allow 528.  A model that begins the oldest instructions
 * first gives this order and the others the same time, for Zen 4's units and Zen 5's: 481 cycles for the rounds.
 */
.macro _columns_round hash_blocks, sides=0, single=0, lag=1
    .set ONE_CHAIN, 0
    .set HASH_NOW, \hash_blocks
    .set SIDES, \sides
    .set SINGLE, \single
    .set HASH_PLACE, 0
    .set HASH_STEP, 0
  .if VL == 64 && \sides == 0 && \hash_blocks == 0 && \single == 0
    _in_order _step, MIRROR, ORDER_OF_A_PASS
  .elseif CODE == EVEX
    .set HASH_PLACES, QUARTER_STEPS
    _quarter_rounds \lag, "MIRROR1,MIRROR3", "MIRROR0,MIRROR2"
    _for_each SIDES, _mirror_side SIDE\i
  .elseif CODE == SSE && \hash_blocks == 0
    _ordered_quarters MIRROR0, MIRROR2, 0, 0,1,2,1,0,0,1,0,0,0,0,0,1,1,0,1,1,1,0,1,1,0,1,1,1,0,0,0,0,0,1,1,1
    _swap_third_loaded
    _ordered_quarters MIRROR1, MIRROR3, 1, 0,1,1,0,0,0,1,1,0,0,0,1,0,1,0,0,1,1,1,1,1,0,1,1,0,0,0,0,0,1,1,1
    _swap_others
  .elseif \hash_blocks == 0 && \single == 0
    _ordered_quarters MIRROR0, MIRROR2, 0, 0,1,0,1,1,0,0,1,0,0,1,0,0,1,1,1,0,0,1,1,1,0,0,1,0,0,1,0,0,1,1,1
    _swap_by_memory
    _ordered_quarters MIRROR1, MIRROR3, 0, 0,1,0,1,0,1,1,0,0,0,1,0,0,1,1,0,1,0,1,1,0,1,1,0,0,0,1,0,0,1,1,1
    _swapped_by_memory
  .else
    .set HASH_PLACES, 2 * QUARTER_STEPS
    _quarter_rounds 0, MIRROR0, MIRROR2
    _swap_third
    _quarter_rounds 0, MIRROR1, MIRROR3
    _swap_others
  .endif
.endm

/* Two rounds with Poly1305, for 512 bits: six blocks are three for each of the chains, which take turns. */
.macro _columns_double_round hash_blocks
    .set ONE_CHAIN, 0
    .set HASH_NOW, \hash_blocks
    .set SIDES, 0
    .set SINGLE, 0
    .set HASH_PLACE, 0
    .set HASH_STEP, 0
    .set HASH_PLACES, 2 * QUARTER_STEPS
    _quarter_rounds 1, "COLUMN0,COLUMN1", "COLUMN2,COLUMN3"
    _quarter_rounds 1, "DIAGONAL0,DIAGONAL1", "DIAGONAL2,DIAGONAL3"
.endm

/*
 * Two rounds of two passes, which have all registers.  The second one's steps are PAIR_LAG after the first one's: of all distances
 * the best on Zen 5, by up to 8 %.
 */
#define PAIR_LAG 8
.macro _pair_double_round
    .set HASH_NOW, 0
    .set SIDES, 0
    .set SINGLE, 0
    _quarter_rounds PAIR_LAG, "COLUMN0,COLUMN1,COLUMN2,COLUMN3", "OTHER_COLUMN0,OTHER_COLUMN1,OTHER_COLUMN2,OTHER_COLUMN3"
    _quarter_rounds PAIR_LAG, "DIAGONAL0,DIAGONAL1,DIAGONAL2,DIAGONAL3", \
        "OTHER_DIAGONAL0,OTHER_DIAGONAL1,OTHER_DIAGONAL2,OTHER_DIAGONAL3"
.endm

/* `insn` i, second: with the numbers of the vectors of a word, in the first pass of a pair and in the second */
.macro _each_of_words insn
    .irp n, "0,16","1,17","2,18","3,19","4,20","5,21","6,22","7,23","8,24","9,25","10,26","11,27","12,28","13,29","14,30","15,31"
    \insn \n
    .endr
.endm

/* The second pass begins as the first one, but for word 12.. */
.macro _second_word i, second
    vmovdqa64 V\i, V\second
.endm

/* ..and when the first is done, its words come to where that one's were.  Nothing of them is left where they have been. */
#define WAITING(n) RUN_MORE+64*(n)(RUN)
.macro _first_word i, second
  .if \i < 12
    vmovdqa64 V\second, V\i
    vpxord V\second, V\second, V\second
  .else
    vmovdqa64 WAITING(\i-12), V\i
  .endif
.endm

/* With BESIDE_LANES: words 12..15 of the first state, each as a vector.  Else words 13..15 are the same in all blocks. */
#define IV(word) RUN_IVS+64*(word-12)(RUN)

/* The first state */
.macro _columns_begin impl
    .irp i, 0,1,2,3,4,5,6,7
    _broadcast FIRST_WORD(\i), WORD\i
    .endr
  .if CODE == EVEX
    .irp i, 8,9,10,11
    _broadcast FIRST_WORD(\i), WORD\i
    .endr
  .else
    _broadcast FIRST_WORD(8), THIRD0
    _broadcast FIRST_WORD(10), THIRD1
    _broadcast FIRST_WORD(9), WORD12        /* which are free yet */
    _broadcast FIRST_WORD(11), WORD13
    _mov_mem WORD12, SPILL(1)
    _mov_mem WORD13, SPILL(3)
  .endif
  .if LANES
    cmp $BESIDE_LANES, BESIDE32
    je .Llanes_begin_\impl
  .endif
    .irp i, 12,13,14,15
    _broadcast FIRST_WORD(\i), WORD\i
    .endr
    _addd .Lblock_numbers(%rip), WORD12, WORD12
.Lbegun_\impl:
.endm

/* The first state of words 12..15 is added, and the next pass has the next blocks. */
.macro _add_ivs impl, t
  .if LANES
    cmp $BESIDE_LANES, BESIDE32
    je .Llanes_end_\impl
  .endif
    .irp i, 12,13,14,15
    _addd_word FIRST_WORD(\i), WORD\i, \t
    .endr
    _addd .Lblock_numbers(%rip), WORD12, WORD12
    addl $VL / 4, FIRST_WORD(12)
.Lended_\impl:
.endm

/*
 * Four words, 4k .. 4k + 3, of as many blocks as there are lanes.  In each 16 bytes, the vectors a, b, c, d have one of the words,
 * of four blocks.  Afterwards they have the four words of one block: b of the first, c, d, and a of the fourth block.
 *
 *      a   0.0 1.0 2.0 3.0                 b   0.0 0.1 0.2 0.3         (2.1: word 1 of block 2)
 *      b   0.1 1.1 2.1 3.1                 c   1.0 1.1 1.2 1.3
 *      c   0.2 1.2 2.2 3.2                 d   2.0 2.1 2.2 2.3
 *      d   0.3 1.3 2.3 3.3                 a   3.0 3.1 3.2 3.3
 *
 * That is BLOCK0 .. BLOCK3; the next 16 bytes of the same vectors have BLOCK0 + 4, and so on.
 */
.macro _transpose_words a, b, c, d, t0, t1
    _unpack ldq, \b, \a, \t0        /* 0.0 0.1 1.0 1.1 */
    _unpack hdq, \b, \a, \a         /* 2.0 2.1 3.0 3.1 */
    _unpack ldq, \d, \c, \t1        /* 0.2 0.3 1.2 1.3 */
    _unpack hdq, \d, \c, \c         /* 2.2 2.3 3.2 3.3 */
    _unpack lqdq, \t1, \t0, \b
    _unpack lqdq, \c, \a, \d
    _unpack hqdq, \t1, \t0, \t0
    _unpack hqdq, \c, \a, \a
    _mov \t0, \c
.endm

/* dst = src ^ v; src aligned for CODE 0 only if that is v, so there is a load of its own. */
.macro _xor_text v, off, src, dst, t
.if CODE == SSE
    movdqu \off(\src), \t
    pxor \t, \v
    movdqu \v, \off(\dst)
.else
    _xor \off(\src), \v, \v
    _movu \v, "\off(\dst)"
.endif
.endm

/* The text of a block of this pass, from byte off of it on, as much as v has */
.macro _xor_block v, block, off, t
.if \block == 0
    _xor_text \v, \off, FIRST_SRC, FIRST_DST, \t
.elseif LAST_APART && \block == VL / 4 - 1
    _xor_text \v, \off, LAST_SRC, LAST_DST, \t
.else
    _xor_text \v, 64*\block+\off, PASS_SRC, PASS_DST, \t
.endif
.endm

/* The text of this pass from byte off of it on, as far as a mask of bytes goes */
.macro _xor_masked v, off, mask
    vmovdqu8 \off(PASS_SRC), COLUMN_TEXT{\mask}{z}
    vpxord COLUMN_TEXT, \v, \v
    vmovdqu8 \v, \off(PASS_DST){\mask}
.endm

/*
 * 512 bits: blocks j, 4 + j, 8 + j, and 12 + j as far as the tail goes, a mask of bytes.  Or, where the flags say so, there is no
 * 12 + j, and the tail is that of 8 + j.
 */
.macro _blocks_out_512 j, tail, impl
    _transpose_lanes BLOCK\j
    _xor_block BLOCK\j\()_A, \j, 0
    _xor_block BLOCK\j\()_B, (\j+4), 0
  .if PAIRS
    jnz .Lshort_\impl\()_\j
  .endif
    _xor_block BLOCK\j\()_C, (\j+8), 0
    _xor_masked BLOCK\j\()_D, 64*(\j+12), \tail
.Lout_\impl\()_\j:
.endm
.macro _short_out_512 j, tail, impl
.Lshort_\impl\()_\j:
    _xor_masked BLOCK\j\()_C, 64*(\j+8), \tail
    jmp .Lout_\impl\()_\j
.endm

/* 256 bits: half of the blocks j and 4 + j, rows A and B; with a mask of bytes, as far as it goes */
.macro _half_blocks_out_256 j, off, a, b, t, tail
    _upper_halves \a, \b, \t
    _lower_halves \a, \b, \a
    _xor_block \a, \j, \off
  .ifb \tail
    _xor_block \t, (\j+4), \off
  .else
    _xor_masked \t, 64*(\j+4)+\off, \tail
  .endif
.endm
.macro _blocks_out_256_ab j, t, tail
    _half_blocks_out_256 \j, 0, BLOCK\j\()_A, BLOCK\j\()_B, \t, \tail
.endm
.macro _blocks_out_256_cd j, t, tail
    _half_blocks_out_256 \j, 32, BLOCK\j\()_C, BLOCK\j\()_D, \t, \tail
.endm
.macro _blocks_out_256 j, t0, t1, tail
    _blocks_out_256_ab \j, \t0, \tail
    kshiftrq $32, \tail, %k5
    _blocks_out_256_cd \j, \t1, %k5
.endm

/* 128 bits: block j, rows A, B and D; and row C */
.macro _block_out_128_abd j
    _xor_block BLOCK\j\()_A, \j, 0, COLUMN_T0
    _xor_block BLOCK\j\()_B, \j, 16, COLUMN_T1
    _xor_block BLOCK\j\()_D, \j, 48, COLUMN_T2
.endm
.macro _block_out_128_c j, t
    _xor_block BLOCK\j\()_C, \j, 32, \t
.endm

/*
 * The rest of a pass: the first state is added, the blocks' numbers go on, words become blocks, and text is xored: at FIRST_SRC and
 * FIRST_DST that of block 0, at LAST_SRC and LAST_DST the last one's, if that may lie apart, the others' at PASS_SRC and PASS_DST.
 */
.macro _columns_end_32_registers impl
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11
    _addd_word FIRST_WORD(\i), WORD\i
    .endr
    _add_ivs \impl
    _transpose_words WORD0, WORD1, WORD2, WORD3, COLUMN_T0, COLUMN_T1
    _transpose_words WORD4, WORD5, WORD6, WORD7, COLUMN_T2, COLUMN_T3
    _transpose_words WORD8, WORD9, WORD10, WORD11, COLUMN_T0, COLUMN_T1
    _transpose_words WORD12, WORD13, WORD14, WORD15, COLUMN_T2, COLUMN_T3
  .if VL == 64
   .if PAIRS
    test $PASS_IS_SHORT, PASS_STATE
   .endif
    _blocks_out_512 0, %k1, \impl
    _blocks_out_512 1, %k2, \impl
    _blocks_out_512 2, %k3, \impl
    _blocks_out_512 3, %k4, \impl
  .else
    _blocks_out_256 0, COLUMN_T0, COLUMN_T1, %k1
    _blocks_out_256 1, COLUMN_T2, COLUMN_T3, %k2
    _blocks_out_256 2, COLUMN_T0, COLUMN_T1, %k3
    _blocks_out_256 3, COLUMN_T2, COLUMN_T3, %k4
  .endif
.endm

/* The same in 16 registers: without the third row first, which waits in memory, and then that. */
.macro _columns_end_16_registers impl
    _mov_mem THIRD0, SPILL(0)
    _mov_mem THIRD1, SPILL(2)
    .irp i, 0,1,2,3,4,5,6,7
    _addd_word FIRST_WORD(\i), WORD\i, COLUMN_T0
    .endr
    _add_ivs \impl, COLUMN_T0
    _transpose_words WORD0, WORD1, WORD2, WORD3, COLUMN_T0, COLUMN_T1
    _transpose_words WORD4, WORD5, WORD6, WORD7, COLUMN_T0, COLUMN_T1
    _transpose_words WORD12, WORD13, WORD14, WORD15, COLUMN_T0, COLUMN_T1
    .irp j, 0,1,2,3
  .if VL == 32
    _blocks_out_256_ab \j, COLUMN_T\j
  .else
    _block_out_128_abd \j
  .endif
    .endr
    .irp n, 0,1,2,3
    _mov_mem SPILL(\n), LATE\n
    _addd_word FIRST_WORD((8+\n)), LATE\n, COLUMN_T0
    .endr
    _transpose_words LATE0, LATE1, LATE2, LATE3, COLUMN_T0, COLUMN_T1
    .irp j, 0,1,2,3
  .if VL == 32
    _blocks_out_256_cd \j, COLUMN_T\j
  .else
    _block_out_128_c \j, COLUMN_T\j
  .endif
    .endr
.endm

.macro _columns_end impl
  .if CODE == EVEX
    _columns_end_32_registers \impl
  .else
    _columns_end_16_registers \impl
  .endif
.endm

/*
 * void lc_chacha20_columns_<impl>(struct lc_chacha20_run *run, size_t num_passes, unsigned hash);
 *
 * num_passes > 0 passes of VL / 4 blocks each, from that of run->words on: run->dst = run->src ^ key stream.  If run->apart is odd,
 * block 0 is xored to run->first and block 1 to run->dst; if it is 2 or 3, without AVX-512, not in a kernel, and for one pass
 * with hash 0 or 1, the last block is xored to run->more[0].  apart is cleared.  dst, src and the number in words move on.
 *
 * With AVX-512, hash / 256 is how many bytes a pass lacks at its end, up to 255, which aren't read or written; num_passes = 1 then.
 * With hash % 256 = 4 or 6, the last pair lacks so many, up to 511.
 *
 * hash % 256 says what is done beside the rounds:
 *
 *      0       nothing
 *      1       in each pass 2 * m blocks at run->hashed go through Poly1305, before anything is written, from run->poly's h by r
 *              and s1, with r^m in rm; hashed moves on
 *      2, 3    with 512 bits and num_passes = 1: four (eight) more blocks of key stream, those after the pass, go to run->more; the
 *              rest of run->more is spoilt
 *      2       with 256 bits, not in a kernel, and num_passes = 1: the same with one block, by general registers; run->single gets
 *              zeros
 *      4       with 512 bits, not in a kernel, and num_passes even: the next pass.  256 bytes of run->more get zeros
 *      5       not in a kernel: nothing, and num_passes = 1; but words 12..15 of each block are in run->ivs, and don't move on
 *      6       as 4, and vector multipliers are kept awake
 *      7       as 6, with num_passes = 2 and a second pass that has no text: its key stream goes to run->hashed, a multiple of 64,
 *              which stays; dst and src are then the end of that
 *      8       with 512 bits, not in a kernel, num_passes = 1 and run->apart = 0: block 0, by general registers.  Its key stream
 *              goes to run->first, and the pass has the blocks after it; run->rounds and run->single get zeros
 *
 * run is 64-byte aligned, texts needn't be.
 *
 * Clobbers all general registers that callers save, the flags, all vectors; uses the stack.  Constant time: branches and addresses
 * depend on num_passes, hash and apart only.
 *
 * Poly1305 is in the first HASH_TURNS turns of a loop, HASH_BLOCKS blocks in each; a turn is HASH_TURN_ROUNDS rounds.
 */
.macro _columns impl
    .set CHAIN_BLOCKS, HASH_BLOCKS * HASH_TURNS / 2         /* m */
    .set HASH_TURN_ROUNDS, 1
  .if VL == 64
    .set HASH_TURN_ROUNDS, 2
  .endif
    .set CHAIN_LEN, 16 * CHAIN_BLOCKS
  .if HASH_BLOCKS % 2 != 0 || ((CHAIN_BLOCKS + 2) & (CHAIN_BLOCKS + 1)) != 0
    .error "two chains take turns, and have m = 2 * (2^n - 1) blocks each"
  .endif
    .set PASSES, %r15           /* to go */
    .set PASSES32, %r15d
    .set ROUNDS, %r10b          /* rounds to go: the lowest byte of BESIDE32 */
    .set PASS_STATE, ROUNDS     /* after the rounds: one of these, or 0 */
    .set PASS_IS_SHORT, 1       /* the last four blocks are not to be done, and the four before as far as masks go */
    .set SECOND_WAITS, 2        /* the next pass's rounds are done, too */

FUNC(lc_chacha20_columns_\impl)
    _begin_run
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    mov PASSES_ARG, PASSES
  .if MASKS
    movzbl BESIDE_ARG8, BESIDE32
    shl $8, BESIDE32
    or $-1, %rcx
    .irp i, %k1, %k2, %k3, %k4
    kmovq %rcx, \i
    .endr
    shr $8, BESIDE_ARG32
   .if PAIRS
    mov BESIDE_ARG32, RUN_MISSING(RUN)
   .endif
    jnz .Ltails_\impl
.Lmasks_\impl:
  .else
    mov BESIDE_ARG32, BESIDE32
    shl $8, BESIDE32
  .endif
    mov RUN_HASHED(RUN), MSG
    mov RUN_H(RUN), H0
    mov RUN_H+8(RUN), H1
    mov RUN_H+16(RUN), H2
    xor G0_32, G0_32
    xor G1_32, G1_32
    xor G2_32, G2_32

    .p2align 4
.Lpass_\impl:
    _columns_begin \impl
    cmp $BESIDE_HASH, BESIDE32
    mov $NUM_ROUNDS, ROUNDS
    jb .Lplain_rounds_\impl
   .if VL == 64 || BLOCK_BESIDE
    ja .Lsides_\impl
   .elseif LANES
    ja .Lplain_rounds_\impl
   .endif

    /* The rounds with Poly1305 in them */
    .p2align 4
.Lhash_rounds_\impl:
  .if HASH_TURN_ROUNDS == 2
    _columns_double_round HASH_BLOCKS
  .else
    _columns_round HASH_BLOCKS
  .endif
    add $16 * HASH_BLOCKS / 2, MSG
    sub $HASH_TURN_ROUNDS, ROUNDS
    cmp $NUM_ROUNDS - HASH_TURN_ROUNDS * HASH_TURNS, ROUNDS
    jne .Lhash_rounds_\impl
    add $CHAIN_LEN, MSG         /* the second chain's blocks */
    _hash_join
    mov H0, RUN_H(RUN)          /* as FIRST_SRC and FIRST_DST need the registers; H2 stays */
    mov H1, RUN_H+8(RUN)
   .if HASH_TURN_ROUNDS * HASH_TURNS == NUM_ROUNDS
    jmp .Lrounds_end_\impl
   .else
    mov $NUM_ROUNDS - HASH_TURN_ROUNDS * HASH_TURNS, ROUNDS
   .endif
   .if CODE == SSE
    .nops 2, 1                  /* with what aligns the loop, three no-ops: see _columns_round */
   .endif

    /* The others */
    .p2align 4
.Lplain_rounds_\impl:
    _columns_round 0, lag=0
    dec ROUNDS
    jnz .Lplain_rounds_\impl

.Lrounds_end_\impl:
    mov RUN_SRC(RUN), PASS_SRC
    mov RUN_DST(RUN), PASS_DST
    mov PASS_SRC, FIRST_SRC
    mov PASS_DST, FIRST_DST
    shrl RUN_APART(RUN)
    jc .Lfirst_apart_\impl
.Lfirst_known_\impl:
  .if LAST_APART
    lea 64*(VL/4-1)(PASS_SRC), LAST_SRC
    lea 64*(VL/4-1)(PASS_DST), LAST_DST
    shrl RUN_APART(RUN)
    jc .Llast_apart_\impl
  .endif
.Ltext_\impl:
    _columns_end \impl
    add $16 * VL, PASS_SRC
    add $16 * VL, PASS_DST
    mov PASS_SRC, RUN_SRC(RUN)
    mov PASS_DST, RUN_DST(RUN)
  .if PAIRS
    test $SECOND_WAITS, PASS_STATE
    jnz .Lsecond_\impl
  .endif
    mov RUN_H(RUN), H0
    mov RUN_H+8(RUN), H1
    dec PASSES
    jnz .Lpass_\impl

  .if CODE == SSE
    _wipe_vectors 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  .else
    vzeroall
  .endif
  .if CODE == EVEX
    _wipe_vectors 26, 27, 28, 29, 30, 31        /* COLUMN_T0 .. COLUMN_T3 */
  .else
    .irp n, 0,1,2,3
    _mov_mem V0, SPILL(\n)              /* zeros */
    .endr
  .endif
  .if VL > 16
    vzeroupper
  .endif
    mov MSG, RUN_HASHED(RUN)
    mov H2, RUN_H+16(RUN)
    xor %eax, %eax              /* these have secrets; in rcx and rdx are addresses */
    xor %r8d, %r8d
    xor %r9d, %r9d
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    RETURN

    /* Block 0 lies apart, and the text begins with block 1: so the place of block 0 would be 64 bytes before it. */
.Lfirst_apart_\impl:
    sub $64, PASS_SRC
    sub $64, PASS_DST
    lea RUN_FIRST(RUN), FIRST_SRC
    mov FIRST_SRC, FIRST_DST
    jmp .Lfirst_known_\impl
  .if LAST_APART
.Llast_apart_\impl:
    lea RUN_MORE(RUN), LAST_SRC
    mov LAST_SRC, LAST_DST
    jmp .Ltext_\impl
  .endif

  .if LANES
    /* Blocks of different messages */
.Llanes_begin_\impl:
    .irp i, 12,13,14,15
    _mov_mem IV(\i), WORD\i
    .endr
    jmp .Lbegun_\impl
.Llanes_end_\impl:
    .irp i, 12,13,14,15
    _addd IV(\i), WORD\i, WORD\i
    .endr
    jmp .Lended_\impl
  .endif

  .if MASKS
.Ltails_\impl:
   .if PAIRS
    cmp $BESIDE_FIRST, BESIDE32
    jae .Ltail_\impl
    cmp $BESIDE_PAIRS, BESIDE32     /* whose first pass is whole */
    jae .Lmasks_\impl
   .endif
    /* Masks for what a pass has of its last four blocks, or of the four before: edx bytes less than 256 or 512 */
.Ltail_\impl:
    mov %edx, %eax
    neg %eax
    movzbl %al, %eax
    mov $-1, %rcx
    xor %edx, %edx
    .irp i, %k1, %k2, %k3, %k4
    bzhi %rax, %rcx, %rbp
    kmovq %rbp, \i
    sub $64, %eax
    cmovb %edx, %eax
    .endr
   .if PAIRS
    cmp $BESIDE_PAIRS, BESIDE32
    jb .Lmasks_\impl
    cmp $BESIDE_FIRST, BESIDE32
    jae .Lmasks_\impl
    mov RUN_MISSING(RUN), %eax
    dec %eax
    shr $8, %eax
    mov %al, PASS_STATE         /* PASS_IS_SHORT, if more than 256 are missing */
    jmp .Lsecond_known_\impl
   .else
    jmp .Lmasks_\impl
   .endif
  .endif

  .if PAIRS
    /*
     * Where vector multiplications follow: without any for a while, a Granite Rapids begins them slowly, sometimes very.  ChaCha20
     * by itself gains by leaving its multipliers asleep.  docs/chacha20poly1305.md has figures.
     */
.Lproducts_\impl:
    vpmuludq V0, V0, V16
    cmp $BESIDE_AHEAD, BESIDE32
    jb .Lpairs_\impl
    /* The second pass's text is zeros.  Stores have a port of their own, which the rounds leave idle. */
    vpxord V16, V16, V16
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    _mov_mem V16, 64*\i(MSG)
    .endr
    /* Two passes at a time.  After the rounds the second one waits for the end of the first, which needs four registers. */
.Lpairs_\impl:
    _each_of_words _second_word
    vpaddd .Lpass_blocks(%rip){1to16}, V12, V28
    .p2align 4
.Lpair_rounds_\impl:
    _pair_double_round
    sub $2, ROUNDS
    jnz .Lpair_rounds_\impl
    _mov_mem V28, WAITING(0)
    _mov_mem V29, WAITING(1)
    _mov_mem V30, WAITING(2)
    _mov_mem V31, WAITING(3)
    mov $SECOND_WAITS, PASS_STATE
    jmp .Lrounds_end_\impl
.Lsecond_\impl:
    cmp $BESIDE_AHEAD, BESIDE32
    jb .Lsecond_follows_\impl
    mov MSG, RUN_SRC(RUN)
    mov MSG, RUN_DST(RUN)
.Lsecond_follows_\impl:
    xor PASS_STATE, PASS_STATE
    dec PASSES
    cmp $1, PASSES
    jne .Lsecond_known_\impl
    mov RUN_MISSING(RUN), %edx
    test %edx, %edx
    jnz .Ltail_\impl
.Lsecond_known_\impl:
    _each_of_words _first_word
    _mov_mem V16, WAITING(0)        /* zeros */
    _mov_mem V16, WAITING(1)
    _mov_mem V16, WAITING(2)
    _mov_mem V16, WAITING(3)
    jmp .Lrounds_end_\impl

    _short_out_512 0, %k1, \impl
    _short_out_512 1, %k2, \impl
    _short_out_512 2, %k3, \impl
    _short_out_512 3, %k4, \impl
  .endif

  .if VL == 64
    /* Sets of rows at the side.  Both begin and end, but with BESIDE_SIDE0 the second one gets no rounds. */
.Lsides_\impl:
   .if PAIRS                    /* and so LANES */
    cmp $BESIDE_FIRST, BESIDE32
    jae .Lfirst_beside_columns_\impl
    cmp $BESIDE_PRODUCTS, BESIDE32
    jae .Lproducts_\impl
    cmp $BESIDE_LANES, BESIDE32
    jae .Lplain_rounds_\impl
    cmp $BESIDE_PAIRS, BESIDE32
    jae .Lpairs_\impl
   .endif
    _load_iv
    vpaddd .Lpass_blocks(%rip), IVS, IVS
    _set_begin SIDE0, .Lblocks(%rip)
    _set_begin SIDE1, .Lblocks+VL(%rip)
    cmp $BESIDE_SIDES, BESIDE32
    jae .Ltwo_sides_\impl
.Lone_side_\impl:
    _columns_round 0, 1
    dec ROUNDS
    jnz .Lone_side_\impl
    jmp .Lsides_end_\impl
    .p2align 4
.Ltwo_sides_\impl:
    _columns_round 0, 2
    dec ROUNDS
    jnz .Ltwo_sides_\impl
.Lsides_end_\impl:
    _set_add_rows SIDE0, SIDE1
    _set_add_blocks SIDE0, .Lblocks(%rip)
    _set_add_blocks SIDE1, .Lblocks+VL(%rip)
    _transpose_lanes SIDE0
    _transpose_lanes SIDE1
    _store_blocks SIDE0, RUN_MORE
    _store_blocks SIDE1, RUN_MORE+256
    _wipe_vectors 16, 17, 18, 19, 20, 21, 22, 23, 24    /* SIDE0, SIDE1, IVS */
    jmp .Lrounds_end_\impl
  .endif

  .if BLOCK_BESIDE || FIRST_BESIDE
    /* A block beside, in general registers, all of which it needs but two.  Afterwards they are as they would be otherwise. */
   .if FIRST_BESIDE
.Lfirst_beside_columns_\impl:
    vpaddd .Lblock_numbers+4(%rip){1to16}, WORD12, WORD12
    _single_begin NUM_ROUNDS / 2
    .p2align 4
.Lblock_beside_\impl:
    _single_among 96
    .rept 2
    _in_order "_beside_single _step,", MIRROR, ORDER_OF_A_PASS
    .endr
    _single_all_done
   .else
.Lsides_\impl:
    cmp $BESIDE_LANES, BESIDE32
    jae .Lplain_rounds_\impl
    _single_begin NUM_ROUNDS, VL / 4
    .p2align 4
.Lblock_beside_\impl:
    _columns_round 0, 0, 1
   .endif
    subl $1, SINGLE_ROUNDS
    jnz .Lblock_beside_\impl
   .if FIRST_BESIDE
    _single_end 0, RUN_FIRST
    addl $1, FIRST_WORD(12)
   .else
    _single_end VL / 4, RUN_MORE
    .if CODE == EVEX
    _wipe_vectors 24
    .endif
   .endif
    mov $1, PASSES32
    xor BESIDE32, BESIDE32
    xor G0_32, G0_32
    mov RUN_H+16(RUN), H2
    mov RUN_HASHED(RUN), MSG
    jmp .Lrounds_end_\impl
  .endif
END_FUNC(lc_chacha20_columns_\impl)
.endm

/* ---- Rows: sets beside each other ---- */

/*
 * A double round of SET0 .. SET<num - 1>, with so many blocks of Poly1305 in it.  A set is ROWS_LAG steps after the one before it,
 * 6 at most.  Side by side they want the same port at a time: by 512 bits rotations have but one on Intel, and so have turns.  On
 * Granite Rapids two sets take 376 cycles with a lag of 6, and 387 without; three 522, and 574.  Lags of 4 to 9 are within 2 %.
 *
 * Two sets of 512 bits have an order that was found by a search on Emerald Rapids, where ChaCha20 of 257 to 512 bytes takes 374
 * cycles, and 386 with a lag of 6.  When calls don't overlap, others are better: 388 by one that was searched for so, 411 by this
 * one, 426 with a lag of 6; but messages take the same time.  (Three sets: of all orders 510 where a lag takes 516 to 527.)
 */
.macro _rows_double_round num, hash_blocks=0
  .if VL == 64 && \num == 2 && \hash_blocks == 0
    _in_order _rows_instruction, SET, ORDER_OF_TWO_SETS
  .else
    _rows_by_steps \num, \hash_blocks
  .endif
.endm
.macro _rows_instruction n, set
  .if \n < QUARTER_STEPS
    _step \n, \set
  .elseif \n < QUARTER_STEPS + 3
    _turn_row (\n-QUARTER_STEPS), RIGHT1, LEFT1, \set
  .elseif \n < 2 * QUARTER_STEPS + 3
    _step (\n-QUARTER_STEPS-3), \set
  .else
    _turn_row (\n-2*QUARTER_STEPS-3), LEFT1, RIGHT1, \set
  .endif
.endm
.macro _rows_by_steps num, hash_blocks
    .set ONE_CHAIN, 1
    .set HASH_NOW, \hash_blocks
    .set HASH_PLACE, 0
    .set HASH_PLACES, 2 * QUARTER_STEPS
    .set HASH_STEP, 0
    .irp step, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37
    _for_each \num, _rows_step (\step-\i*ROWS_LAG), SET\i
  .if \step != QUARTER_STEPS && \step < 2 * QUARTER_STEPS + 1
    _hash_here
  .endif
    .endr
.endm
.macro _rows_step step, set
  .if \step < 0
  .elseif \step < QUARTER_STEPS
    _step \step, \set
  .elseif \step == QUARTER_STEPS
    _turn_to_diagonals \set
  .elseif \step < 2 * QUARTER_STEPS + 1
    _step (\step-QUARTER_STEPS-1), \set
  .elseif \step == 2 * QUARTER_STEPS + 1
    _turn_to_columns \set
  .endif
.endm

#define ROWS_HASH_SETS 2        /* with Poly1305 beside them, there is code for these only; with SSE, for one, too */

/*
 * The rounds of SET0 .. SET<num - 1>; then SETS32 = num.  With SSE, Poly1305 has its turns between double rounds: all of it is one
 * block, and CPUs that look some hundred instructions ahead do both at a time.
 */
.macro _rows_rounds impl, num
    mov $NUM_ROUNDS / 2, ROUNDS32
    .p2align 4
.Lround_\impl\()_\num:
  .if ROWS_HASH && CODE == SSE && \num <= ROWS_HASH_SETS
    cmp $256, ROUNDS32
    jae .Lhash_turn_\impl
.Lhashed_\impl\()_\num:
  .endif
    _rows_double_round \num
    dec ROUNDS8
  .if \num == ROWS_HASH_SETS
.Lrounds_left_\impl:             /* the flags say if there are any */
  .endif
    jnz .Lround_\impl\()_\num
    mov $\num, SETS32
.endm

/* The same, with Poly1305 in the first double rounds; the others, if there are any, are those of _rows_rounds. */
#define ROWS_HASH_BLOCKS 4      /* in a double round: 48 cycles, as one set takes on Zen 5; with SSE two, one after the other */
#define HASH_DST        %r12    /* meanwhile, as Poly1305 needs their registers */
#define HASH_SRC        %r13
#define HASH_LEN        %r15
#define HASH_H2         %rax    /* H2, outside of Poly1305's turns */
/* The next vector of text; or `part` if there is only a part of one. */
.macro _rows_text v, part
    sub $VL, LEN
    jb \part
  .if CODE == SSE
    movdqu (SRC), TEXT
    pxor TEXT, \v
  .else
    _xor (SRC), \v, \v
  .endif
    _movu \v, (DST)
    add $VL, SRC
    add $VL, DST
.endm

/* A set moves to another's place. */
.macro _move_set from, to
    .irp row, A, B, C, D
    _mov \from\()_\row, \to\()_\row
    .endr
.endm

/*
 * What comes after the rounds: set after set, each being moved to SET0.  Rows become blocks there: OUT0 .. OUT3 are the vectors in
 * the order of the text, of which the first 64 / VL are the first block.
 */
.macro _rows_end
    lea .Lblocks(%rip), BLOCKS
.Lset\@:
    _set_add_rows SET0
    _set_add_blocks SET0, (BLOCKS)
  .if VL == 64
    _transpose_lanes SET0
  .elseif VL == 32
    _upper_halves SET0_A, SET0_B, ROW_T0
    _upper_halves SET0_C, SET0_D, ROW_T1
    _lower_halves SET0_A, SET0_B, OUT0
    _lower_halves SET0_C, SET0_D, OUT1
    _mov ROW_T0, OUT2
    _mov ROW_T1, OUT3
  .endif
    test APART32, APART32
    jnz .Lapart\@
    .irp i, 0,1,2,3
  .if \i < 64 / VL
    _rows_text OUT\i, .Lpart\@_\i
  .endif
    .endr
.Lsecond_block\@:
    .irp i, 0,1,2,3
  .if \i >= 64 / VL
    _rows_text OUT\i, .Lpart\@_\i
  .endif
    .endr
    dec SETS32
    jz .Lall\@
    add $VL, BLOCKS
    _move_set SET1, SET0
    _move_set SET2, SET1
    jmp .Lset\@
.Lall\@:
    xor LEN32, LEN32
.Ldone\@:
  .if CODE == SSE
    _wipe_vectors 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  .else
    vzeroall
  .endif
  .if VL == 64
    _wipe_vectors 24, 25, 28, 29, 30, 31        /* IVS, TEXT, ROW_T0 .. ROW_T3 */
  .endif
  .if VL > 16
    vzeroupper
  .endif
    mov LEN32, %eax
    RETURN

.Lapart\@:
    .irp i, 0,1,2,3
  .if \i < 64 / VL
    _mov_mem OUT\i, RUN_FIRST+\i*VL(RUN)
  .endif
    .endr
    xor APART32, APART32
    jmp .Lsecond_block\@

    /* OUT<i> is the vector of which there is only a part: it goes to OUT0. */
.Lpart\@_3:
    _mov OUT3, OUT2
.Lpart\@_2:
    _mov OUT2, OUT1
.Lpart\@_1:
    _mov OUT1, OUT0
.Lpart\@_0:
    add $VL, LEN32              /* nothing from NULL, by a mask, would take 110 cycles on Zen 4 */
    jz .Ldone\@
  .if MASKS
    mov $-1, BITS
    bzhi LEN, BITS, BITS
    kmovq BITS, TEXT_MASK
    vmovdqu8 (SRC), TEXT{TEXT_MASK}{z}
    vpxord TEXT, OUT0, OUT0
    vmovdqu8 OUT0, (DST){TEXT_MASK}
    vmovdqu8 OUT0, OUT0{TEXT_MASK}{z}
    _mov_mem OUT0, RUN_LAST(RUN)
  .else
    /* By words of 64 bits, and then bytes.  The key stream goes to memory after run->last, which is zeros first. */
    _mov_mem OUT0, RUN_LAST+64(RUN)
    _xor OUT1, OUT1, OUT1
    _mov_mem OUT1, RUN_LAST(RUN)
    xor POS32, POS32
    jmp .Lwords\@
.Lword\@:
    mov -8(SRC,POS), BITS
    xor RUN_LAST+56(RUN,POS), BITS
    mov BITS, -8(DST,POS)
    mov BITS, RUN_LAST-8(RUN,POS)
.Lwords\@:
    add $8, POS                 /* is there one more up to here? */
    cmp LEN, POS
    jbe .Lword\@
    sub $8, POS
    jmp .Lbytes\@
.Lbyte\@:
    movzbl (SRC,POS), BITS32
    xor RUN_LAST+64(RUN,POS), BITS8
    mov BITS8, (DST,POS)
    mov BITS8, RUN_LAST(RUN,POS)
    inc POS
.Lbytes\@:
    cmp LEN, POS
    jb .Lbyte\@
    _mov_mem OUT1, RUN_LAST+64(RUN)
  .endif
    jmp .Ldone\@
.endm

/*
 * unsigned lc_chacha20_rows_<impl>(struct lc_chacha20_run *run, uint8_t *dst, const uint8_t *src, size_t len, unsigned apart);
 *
 * apart % 256 is 0, 1 or 2, and called apart from here on.
 *
 * dst = src ^ key stream, len bytes, of the blocks from run->words on; if apart isn't 0, the key stream of block 0 goes to
 * run->first and the text begins with block 1.  The bytes of all blocks are not 0, and at most what the largest number of sets can
 * do.  dst and src are equal or disjoint.  Nothing beyond len bytes is read or written.
 *
 * apart is 2 with 512 bits only, not in a kernel, for a len of 257 to 512: block 0 is made by general registers.  run->dst and
 * run->src are dst and src afterwards; run->apart, run->rounds and run->single have zeros.
 *
 * Returns the length of what was left for less than a vector.  If that isn't 0, the output of it is in run->last too, with zeros
 * after it.  (For readers that come right after: a masked store, or one of bytes, isn't forwarded to their loads.)
 *
 * If there are ROWS_HASH, apart is 0 and len at most 8 * VL: 2 * VL * (apart / 256) bytes at run->hashed go through Poly1305,
 * apart / 256 being at most 10, before anything is written, from run->poly's h by r and s1; hashed moves on.
 *
 * Clobbers all general registers that callers save, the flags, k1, vectors.  Uses the stack only if it hashes or apart is 2.
 * Constant time: branches and addresses depend on len and apart.
 *
 * row_sets: numbers of sets for which there are rounds, the smallest first.  A call takes the smallest that suffices.  What comes
 * after the rounds is there once, and follows those of the largest number, MAX_SETS.
 */
.macro _rows impl, row_sets:vararg
    .set ROWS_LEAST, 0
    .irp num, \row_sets
   .if ROWS_LEAST == 0
    .set ROWS_LEAST, \num
   .endif
    .set MAX_SETS, \num
    .endr
FUNC(lc_chacha20_rows_\impl)
    _begin_run
    _load_iv
  .if FIRST_BESIDE
    cmp $2, APART32
    je .Lfirst_beside_\impl
  .endif
    .set SETS_BEGUN, 0
    _sets_begin ROWS_LEAST
  .if !ROTATES
    lea .Lrol16(%rip), ROL
  .endif
  .if ROWS_HASH
    cmp $256, APART32
    jae .Lhash_rows_\impl
  .endif
    mov APART32, TOTAL32
    shl $6, TOTAL32
    add LEN32, TOTAL32
    .irp num, \row_sets
    _sets_begin \num
  .if \num < MAX_SETS
    cmp $4 * VL * \num, TOTAL32
    jbe .Lsets_\impl\()_\num
  .endif
    .endr
    .set ROL_IN_REGISTER, !ROTATES
    .irp num, \row_sets
  .if \num == MAX_SETS
    _rows_rounds \impl, \num
  .endif
    .endr
.Lrows_end_\impl:
    _rows_end
    .irp num, \row_sets
  .if \num < MAX_SETS
.Lsets_\impl\()_\num:
    _rows_rounds \impl, \num
    jmp .Lrows_end_\impl
  .endif
    .endr
  .if FIRST_BESIDE
    /* Two sets, which begin with block 1, and block 0 beside them.  It needs all general registers but one. */
.Lfirst_beside_\impl:
    vbroadcasti32x4 .Lblocks+16(%rip), ROW_T0
    vpaddd ROW_T0, IVS, IVS
    .set SETS_BEGUN, 0
    _sets_begin 2
    .irp i, %rbx, %rbp, %r12, %r13, %r14, %r15
    push \i
    .endr
    mov DST, RUN_DST(RUN)
    mov SRC, RUN_SRC(RUN)
    mov LEN32, RUN_APART(RUN)
    _single_begin NUM_ROUNDS / 2
    .p2align 4
.Lfirst_round_\impl:
    _single_among 60
    _in_order "_beside_single _rows_instruction,", SET, ORDER_OF_TWO_SETS
    _single_all_done
    subl $1, SINGLE_ROUNDS
    jnz .Lfirst_round_\impl
    _single_end 0, RUN_FIRST
    .irp i, %r15, %r14, %r13, %r12, %rbp, %rbx
    pop \i
    .endr
    xor APART32, APART32        /* the others that had words */
    xor %r10d, %r10d
    xor %r11d, %r11d
    mov $2, SETS32
    mov RUN_DST(RUN), DST
    mov RUN_SRC(RUN), SRC
    mov RUN_APART(RUN), LEN32
    mov APART32, RUN_APART(RUN)
    jmp .Lrows_end_\impl
  .endif
  .if ROWS_HASH
.Lhash_rows_\impl:
    lea NUM_ROUNDS/2(APART), ROUNDS32
    mov RUN_H+8(RUN), H1
    mov RUN_H+16(RUN), HASH_H2
    .set SETS_BEGUN, ROWS_LEAST
    _sets_begin ROWS_HASH_SETS
.Lhash_turn_\impl:
    .irp i, %rbx, %rbp, %r12, %r13, %r14, %r15
    push \i
    .endr
    mov DST, HASH_DST
    mov SRC, HASH_SRC
    mov LEN, HASH_LEN
    mov HASH_H2, H2
    mov RUN_HASHED(RUN), MSG
    mov RUN_H(RUN), H0
    .p2align 4
.Lhash_round_\impl:
   .if CODE == SSE
    .irp step, 0,1,2,3
    _hash_step \step, 0, H0, H1, H2
    .endr
    add $16, MSG
    add $128, ROUNDS8           /* twice */
    jnc .Lhash_round_\impl
    sub $256, ROUNDS32
   .else
    _rows_double_round ROWS_HASH_SETS, ROWS_HASH_BLOCKS
    add $16 * ROWS_HASH_BLOCKS, MSG
    sub $256 + 1, ROUNDS32
    cmp $256, ROUNDS32
    jae .Lhash_round_\impl
   .endif
    mov MSG, RUN_HASHED(RUN)
    mov H0, RUN_H(RUN)
    xor APART32, APART32
    mov HASH_DST, DST
    mov HASH_SRC, SRC
    mov HASH_LEN, LEN
    mov H2, HASH_H2
    .irp i, %r15, %r14, %r13, %r12, %rbp, %rbx
    pop \i
    .endr
   .if CODE == SSE
    cmp $256, ROUNDS32
    jae .Lhash_goes_on_\impl
   .endif
    mov H1, RUN_H+8(RUN)
    mov HASH_H2, RUN_H+16(RUN)
   .if CODE == SSE
.Lhash_goes_on_\impl:
    cmp $4 * VL, LEN
    ja .Lhashed_\impl\()_2
    jmp .Lhashed_\impl\()_1
   .else
    test ROUNDS32, ROUNDS32
    jmp .Lrounds_left_\impl
   .endif
  .endif
END_FUNC(lc_chacha20_rows_\impl)
.endm

/* ---- One block ---- */

/* Four words of the block, and those of the first state added, go to run->more. */
.macro _single_out n, v, w0, w1, w2, w3
    movd \w0, \v
    movd \w1, %xmm4
    movd \w2, %xmm5
    movd \w3, %xmm6
    punpckldq %xmm4, \v
    punpckldq %xmm6, %xmm5
    punpcklqdq %xmm5, \v
    paddd FIRST_ROW(\n), \v
    movdqa \v, RUN_MORE+16*\n(RUN)
    pxor \v, \v
.endm

/*
 * void lc_chacha20_apply_<impl>(uint8_t *dst, const uint8_t *src, const uint8_t *keystream, size_t num_blocks);
 *
 * dst = src ^ keystream, num_blocks > 0 blocks of 64 bytes; dst == src is possible, and they needn't be aligned.  With 512 bits,
 * not in a kernel.  Clobbers rax, rcx, the flags, vector 0.  Constant time: branches and addresses depend on num_blocks only.
 */
#define APPLY_DST       %rdi
#define APPLY_SRC       %rsi
#define APPLY_STREAM    %rdx
#define APPLY_BLOCKS    %rcx    /* to go */
#define APPLY_AT        %rax
.macro _apply impl
FUNC(lc_chacha20_apply_\impl)
    xor %eax, %eax
    .p2align 4
.Lapply_\impl:
    vmovdqu64 (APPLY_STREAM,APPLY_AT), %zmm0
    vpxord (APPLY_SRC,APPLY_AT), %zmm0, %zmm0
    vmovdqu64 %zmm0, (APPLY_DST,APPLY_AT)
    add $64, APPLY_AT
    dec APPLY_BLOCKS
    jnz .Lapply_\impl
    vpxor %xmm0, %xmm0, %xmm0
    vzeroupper
    RETURN
END_FUNC(lc_chacha20_apply_\impl)
.endm

/*
 * void lc_chacha20_block_<impl>(struct lc_chacha20_run *run);
 *
 * run->more[0] = the key stream of run->words.  run->single gets zeros.  Clobbers all general registers that callers save, the
 * flags, seven vectors; uses the stack.  Constant time.
 *
 * All rows have the same: on a CPU for which it is, instructions without VEX don't wait for what AVX has left in the vectors.
 */
.macro _block impl
FUNC(lc_chacha20_block_\impl)
    _begin_run
    .irp i, %rbx, %rbp, %r12, %r13, %r14, %r15
    push \i
    .endr
    _single_begin NUM_ROUNDS / 2
    .p2align 4
.Lsingle_\impl:
    _single_quarters SINGLE_COLUMN0, SINGLE_COLUMN1
    _single_swap 0, 2
    _single_quarters SINGLE_COLUMN2, SINGLE_COLUMN3
    _single_quarters SINGLE_DIAGONAL0, SINGLE_DIAGONAL1
    _single_swap 2, 0
    _single_quarters SINGLE_DIAGONAL2, SINGLE_DIAGONAL3
    subl $1, SINGLE_ROUNDS
    jnz .Lsingle_\impl

    _single_out 0, %xmm0, %eax, %ebx, %ecx, %edx
    _single_out 1, %xmm1, %esi, %ebp, %r8d, %r9d
    _single_out 3, %xmm3, %r10d, %r11d, %r12d, %r13d
    mov SINGLE_SPILL(2), %r8d
    mov SINGLE_SPILL(3), %r9d
    _single_out 2, %xmm2, SINGLE_THIRD0, SINGLE_THIRD1, %r8d, %r9d
    movdqa %xmm2, SINGLE_SPILL(0)       /* zeros */
    _wipe_vectors 4, 5, 6
    .irp i, %eax, %ecx, %edx, %esi, %r8d, %r9d, %r10d, %r11d
    xor \i, \i
    .endr
    .irp i, %r15, %r14, %r13, %r12, %rbp, %rbx
    pop \i
    .endr
    RETURN
END_FUNC(lc_chacha20_block_\impl)
.endm

/* ---- r^m ---- */

/*
 * void lc_poly1305_power_x86_64(struct lc_chacha20_run *run, unsigned n);
 *
 * From run->poly's r: s1, and rm = r^m for m = 2 * (2^n - 1), n > 1.
 *
 * Begin with x = r.  x = x^2 * r makes r^3 of it, r^7, r^15 and so on: after n - 1 times r^(2^n - 1).  A last square makes r^m.
 * So it takes n squares, which are joins, x * x + 0, and n - 1 products by r, which is clamped, as in a block.  m has this form for
 * their sake.
 *
 * rm is below 2^131.  Clobbers rax, rcx, rdx, rsi, rdi, r8, r9, r11, the flags; on the stack are the caller's registers only.
 * Nothing secret is left in a register.  Constant time: branches depend on n only.
 */
#define POWER_N32 %esi
    .set MULX, 0                /* by mulx, which most rows have, a message takes the same time */
FUNC(lc_poly1305_power_x86_64)
    _begin_run
    .irp i, %rbx, %rbp, %r12, %r13, %r14
    push \i
    .endr
    mov RUN_R(RUN), H0
    mov RUN_R+8(RUN), H1
    xor H2_32, H2_32
    xor G0_32, G0_32
    xor G1_32, G1_32
    xor G2_32, G2_32
    mov H1, HASH_T0
    shr $2, HASH_T0
    add H1, HASH_T0
    mov HASH_T0, RUN_S1(RUN)
.Lsquare:
    mov H0, RUN_RM(RUN)
    mov H1, RUN_RM+8(RUN)
    mov H2, RUN_RM+16(RUN)
    _hash_join
    dec POWER_N32
    jz .Lpower
    _poly_mul H0, H1, H2, RUN_R(RUN), RUN_R+8(RUN), RUN_S1(RUN), HASH_T0, HASH_T2, HASH_T1, HASH_T3
    jmp .Lsquare
.Lpower:
    mov H0, RUN_RM(RUN)
    mov H1, RUN_RM+8(RUN)
    mov H2, RUN_RM+16(RUN)
    .irp i, %r14, %r13, %r12, %rbp, %rbx
    pop \i
    .endr
    .irp i, %eax, %ecx, %edx, %r8d, %r9d
    xor \i, \i
    .endr
    RETURN
END_FUNC(lc_poly1305_power_x86_64)

/* ---- The implementations ---- */

/* Which there are, and what the parameters mean: chacha20_tuning.h. */
.macro _implementation impl, vl, code, hash_blocks, hash_turns, row_sets:vararg
    .set VL, \vl
    .set CODE, \code
    .set ROTATES, CODE == EVEX
    .set MASKS, CODE == EVEX
    .set MULX, CODE != SSE      /* there is BMI2 wherever there is AVX2 */
    .set HASH_BLOCKS, \hash_blocks
    .set HASH_TURNS, \hash_turns
    .set ROWS_LAG, 0
    .set PAIRS, 0
    .set GENERAL, 0
    .set BLOCK_BESIDE, 0
    .set ROWS_HASH, 0
    .set FIRST_BESIDE, 0
    .set LAST_APART, 0
    .set LANES, 0
    _not_in_kernel .set LANES, 1
    _not_in_kernel .set LAST_APART, !MASKS
  .if VL == 64
    .set ROWS_LAG, 6
    _not_in_kernel .set PAIRS, 1
    _not_in_kernel .set FIRST_BESIDE, 1
  .else
    _not_in_kernel .set GENERAL, 1
  .endif
  .if VL == 32
    _not_in_kernel .set BLOCK_BESIDE, 1
  .endif
  .if VL <= 32
    _not_in_kernel .set ROWS_HASH, 1
  .endif
    _name_registers
    _name_single
    _begin_code lc_chacha20_\impl
  .if PAIRS
    _begin_code lc_chacha20_\impl\()_wide_general    /* the same, called in other ways */
    _begin_code lc_chacha20_\impl\()_wide
  .endif
  .if GENERAL
    _begin_code lc_chacha20_\impl\()_general
  .endif
    .set ROL_IN_REGISTER, 0
    _columns \impl
  .if CODE == SSE
    .nops 16                    /* what follows begins where its loops were measured */
  .endif
  .if VL == 32
    .set CODE, VEX              /* shorter than by EVEX, and 16 vectors suffice */
  .endif
    _rows \impl, \row_sets
  .if PAIRS
    _apply \impl
  .endif
    _end_code lc_chacha20_\impl
  .if PAIRS
    _end_code lc_chacha20_\impl\()_wide_general
    _end_code lc_chacha20_\impl\()_wide
  .endif
  .if GENERAL
    .if CODE == SSE
    _block \impl\()_general
    .endif
    _end_code lc_chacha20_\impl\()_general
  .endif
.endm

#define SHAPE(symbol, vl, code, hash_blocks, hash_turns, most_sets, ...) \
    _implementation symbol, vl, code, hash_blocks, hash_turns, __VA_ARGS__
#include "chacha20_tuning.h"

.section .note.GNU-stack, "", @progbits

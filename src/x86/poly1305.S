/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Poly1305 for x86-64: four implementations.
 *
 *   lc_poly1305_blocks_x86_64           block after block, in general registers, on any CPU
 *   lc_poly1305_blocks_bmi2             the same by MULX
 *   lc_poly1305_blocks_avx2             four blocks at once
 *   lc_poly1305_blocks_avx512_ifma      eight blocks at once
 *
 * They are rows of src/x86/rows.def, which says what each needs and the CPUs it is for.
 *
 * -- Block after block ----------------------------------------------------------------------------------------------------------
 *
 * poly1305_scalar.h derives what a block is and how it is multiplied: 12.4 cycles each on Zen 4.  Nearly all of that is latency,
 * but there is no room for much else: two such chains side by side take 20.4, and two blocks at once, under r^2 and r, would need
 * 13 multiplications instead of 12, as r^2 isn't clamped.
 *
 * -- Several blocks at once -----------------------------------------------------------------------------------------------------
 *
 * The hash of the blocks m1 .. mk is
 *
 *      m1 * r^k  +  m2 * r^(k-1)  +  ..  +  mk * r
 *
 * and h = (h + m) * r for each block is Horner's rule for it, a chain.  With n lanes, let k be a multiple of n.  Lane i = 0 .. n-1
 * takes each n-th block, and what it has so far is multiplied by r^n before the next is added:
 *
 *      A = A * r^n + M
 *
 * At the end the last block of lane i has been multiplied by nothing yet.  n - 1 - i others follow it in the message, so it is to
 * be multiplied by r^(n - i); and then the same factor is right for all that the lane has.  The sum of the lanes is the hash.
 *
 * With r^2n, two of these steps share one reduction:
 *
 *      A = (A * r^n + M) * r^n + M'  =  A * r^2n + M * r^n + M'
 *
 * A group is n blocks.  What the call begins with is added to the first block.  Blocks that don't make a whole group come first,
 * one by one or with zeros before them.
 *
 * -- When it pays ---------------------------------------------------------------------------------------------------------------
 *
 * The powers come from r by the scalar multiplication, by the clamped r each time, and are kept in the state: a call for which
 * they don't pay, and for which there are none yet, is scalar, as are short ones in any case.  Cycles on Zen 4, for a call that
 * makes the powers and (in brackets) one that finds them:
 *
 *      bytes               16     64    112       128        256        512       1024      4096     16384
 *      bmi2                15     53     90       103        203        405        810      3200     12840
 *      avx2                15     53     90       103 (88)   185 (131)  299 (224)  481 (406) 1556      5850 (5770)
 *      avx512_ifma         15     53     90 (71)  103 (71)   159 (105)  214 (148)  315 (231)  832      2812 (2735)
 *      libcrypto 3.0       31     50              (95)           (127)      (202)      (352)     (1200)    (4480)
 *      the same, AVX2                                            (148)                 (523)     (2035)    (8030)
 *      ipsec-mb 1.3        62    104    149       164        221        317        440      1182      4030
 *
 * (libcrypto: EVP_MAC_update, without AVX-512 by OPENSSL_ia32cap; ipsec-mb: a job, the tag included.)
 */
#include "asm.h"
#include "poly1305_scalar.h"

/* To be tuned for a CPU: where the figures above cross, in bytes of a call. */
#define AVX2_MIN      128       /* from here on vectors pay, if there are powers */
#define IFMA_MIN      96
#define AVX2_MIN_NEW  256       /* and if there are none */
#define IFMA_MIN_NEW  208
#define AVX2_MIN_TWO  512       /* so many left pay for r^2n, if that isn't there */
#define IFMA_MIN_TWO  512

/* struct lc_poly1305_state: asserted in layout.h */
#define STATE_H0 0
#define STATE_H1 8
#define STATE_H2 16
#define STATE_R0 24
#define STATE_R1 32
#define NUM_POWERS 84           /* the highest power there is: 0; n, with all below it; or 2n as well */
#define POWERS 96

/* struct lc_poly1305_part: asserted in layout.h */
#define PART_BLOCKS 0
#define PART_NUM 8
#define PART_SIZE 16

/* ---- Data ---- */

.section .rodata.lc_poly1305, "a", @progbits
.p2align 5
.Lmask26:
    .rept 4
    .quad (1 << 26) - 1
    .endr
.Lpad26:                        /* 2^128, in limb 4 */
    .rept 4
    .quad 1 << 24
    .endr
.Lmask44:
    .quad (1 << 44) - 1
.Lmask42:
    .quad (1 << 42) - 1
.Lpad44:                        /* 2^128, in limb 2 */
    .quad 1 << 40
.Lwrap:                         /* 2^(88 + 52) = 2^10 * 2^130 */
    .quad 5 << 10
.Lshift44:                      /* 2^52 / 2^44 */
    .quad 1 << 8
.Lfive44:                       /* 2^130 */
    .quad 5
.Llanes:                        /* r^8 .. r^1 for the lanes, from r^8 .. r^5 (8..) and r^4 .. r^1 (0..) */
    .byte 8, 0, 9, 1, 10, 2, 11, 3
.Lfirst:                        /* at k: the lanes of the last k of 8 blocks */
    .byte 0, 0x80, 0xa0, 0xa8, 0xaa, 0xea, 0xfa, 0xfe, 0xff

.text

/* ---- Scalar ---- */

/* Registers of lc_poly1305_blocks_<impl>, scalar and vectors alike */
#define STATE           %rdi    /* struct lc_poly1305_state */
#define MSG             %rsi    /* what is still to come of the message, up to MSG_END */
#define LEN             %rdx    /* argument */
#define PAD             %rcx    /* argument: 1, or 0 for a last block that has its bit already */
#define MSG_END         %rcx    /* with vectors, for which pad is 1 */
#define H1              %r8     /* h, or a power of r, in three words: H0 (below), H1, H2 */
#define H2              %r9
#define S1              %r12    /* r1 + (r1 >> 2) */
#define LIMIT           %r13    /* of a loop: where MSG is when it ends */
#define COUNT32         %r13d   /* of a loop: how often it is still to be done */
#define MUL_T1          %r11    /* with MUL_T0 (below), clobbered by _multiply; free otherwise, and then they have other names */
#define MUL_T2          %rbx
#define MUL_T3          %rbp

/* mul wants rax; without it rax is a good place for h. */
.macro _name_scalar mulx
    .set MULX, \mulx
  .if MULX
    .set H0, %rax
    .set MUL_T0, %r10
  .else
    .set H0, %r10
    .set MUL_T0, %rax
  .endif
.endm

.macro _load_h
    mov STATE_H0(STATE), H0
    mov STATE_H1(STATE), H1
    mov STATE_H2(STATE), H2
.endm

.macro _store_h
    mov H0, STATE_H0(STATE)
    mov H1, STATE_H1(STATE)
    mov H2, STATE_H2(STATE)
.endm

/* H = r: the first of its powers */
.macro _load_r
    mov STATE_R0(STATE), H0
    mov STATE_R1(STATE), H1
    xor H2, H2
.endm

/* s1 = r1 + r1 / 4; r1: memory */
.macro _make_s1 r1, s1
    mov \r1, \s1
    shr $2, \s1
    add \r1, \s1
.endm

.macro _add_block pad
    _poly_add H0, H1, H2, (MSG), 8(MSG), \pad
    add $16, MSG
.endm

/* H *= r */
.macro _multiply
    _poly_mul H0, H1, H2, STATE_R0(STATE), STATE_R1(STATE), S1, MUL_T0, MUL_T1, MUL_T2, MUL_T3
.endm

/* The blocks from MSG to LIMIT, one at least */
.macro _scalar_loop pad
    .p2align 4
.Lblock\@:
    _add_block \pad
    _multiply
    cmp LIMIT, MSG
    jne .Lblock\@
.endm

.macro _scalar_begin
    .irp i, %rbx, %rbp, %r12, %r13
    push \i
    .endr
    _make_s1 STATE_R1(STATE), S1
    _load_h
.endm

.macro _scalar_end
    _store_h
    .irp i, %r13, %r12, %rbp, %rbx
    pop \i
    .endr
    .irp i, %eax, %edx, %r8d, %r9d, %r10d, %r11d
    xor \i, \i
    .endr
    RETURN
.endm

/*
 * void lc_poly1305_blocks_<impl>(struct lc_poly1305_state *s, const uint8_t *msg, size_t len, uint64_t pad);
 *
 * For each block of 16 bytes of msg: h = (h + block + pad * 2^128) * r  mod 2^130 - 5; the contract is in poly1305_internal.h.
 * s: 16-byte aligned; msg: any alignment.  Reads len bytes of msg and no others.
 *
 * Clobbers rax, rcx, rdx, rsi, r8-r11, the flags; with AVX2 all ymm registers, with IFMA all zmm registers and k1-k4; on the stack
 * are the caller's rbx, rbp, r12 and r13 only.  Nothing secret is left in a register.  Constant time: branches and addresses
 * depend on len, pad and num_powers only.
 */
.macro _scalar_blocks impl
    .p2align 4
.Lpoly1305_blocks_\impl:
FUNC(lc_poly1305_blocks_\impl)
    _scalar_begin
    lea (MSG,LEN), LIMIT
    _scalar_loop PAD
    _scalar_end
END_FUNC(lc_poly1305_blocks_\impl)
.endm

/* ---- Parts ---- */

/* Registers of the two functions below */
#define TAG             %rdi    /* or STATE */
#define PART            %rsi    /* struct lc_poly1305_part, the next one */
#define NUM_PARTS       %rdx    /* argument */
#define KEY_ARG         %rcx    /* argument */
#define PARTS_END       %r11
#define BLOCK           %rbx    /* of the present part */
#define NUM_BLOCKS      %rbp    /* that are left in it */
#define PARTS_H0        %r8     /* h */
#define PARTS_H0_32     %r8d
#define PARTS_H1        %r9
#define PARTS_H1_32     %r9d
#define PARTS_H2        %r10
#define PARTS_H2_32     %r10d
#define PARTS_S1        %r14
#define KEY             %r15
#define PARTS_T0        %rax    /* clobbered by multiplications */
#define PARTS_T1        %rcx
#define PARTS_T2        %r12
#define PARTS_T3        %r13

/* h goes on with NUM_PARTS parts; r0, r1: memory. */
.macro _parts r0, r1
    shl $4, NUM_PARTS           /* PART_SIZE */
    lea (PART,NUM_PARTS), PARTS_END
.Lpart\@:
    mov PART_NUM(PART), NUM_BLOCKS
    mov PART_BLOCKS(PART), BLOCK
    add $PART_SIZE, PART
    sub $1, NUM_BLOCKS
    jb .Lpart_done\@
    .p2align 4
.Lpart_block\@:
    _poly_add PARTS_H0, PARTS_H1, PARTS_H2, (BLOCK), 8(BLOCK), $1
    _poly_mul PARTS_H0, PARTS_H1, PARTS_H2, \r0, \r1, PARTS_S1, PARTS_T0, PARTS_T1, PARTS_T2, PARTS_T3
    add $16, BLOCK
    sub $1, NUM_BLOCKS
    jae .Lpart_block\@
.Lpart_done\@:
    cmp PARTS_END, PART
    jb .Lpart\@
.endm

.macro _parts_begin
    .irp i, %rbx, %rbp, %r12, %r13, %r14, %r15
    push \i
    .endr
.endm
.macro _parts_end
    .irp i, %r15, %r14, %r13, %r12, %rbp, %rbx
    pop \i
    .endr
    .irp i, %eax, %ecx, %edx, %r8d, %r9d, %r10d
    xor \i, \i
    .endr
    RETURN
.endm

/*
 * void lc_poly1305_parts_<impl>(struct lc_poly1305_state *s, const struct lc_poly1305_part *parts, size_t num_parts);
 *
 * Poly1305 goes on with the blocks of one part after the other, as lc_poly1305_blocks_fn does with pad = 1.  num_parts > 0; any
 * of them may be empty.  Clobbers and constant time as above, with rbx, rbp and r12-r15 on the stack; addresses come from the
 * parts too.
 */
.macro _scalar_parts impl
FUNC(lc_poly1305_parts_\impl)
    _parts_begin
    mov STATE_H0(STATE), PARTS_H0
    mov STATE_H1(STATE), PARTS_H1
    mov STATE_H2(STATE), PARTS_H2
    _make_s1 STATE_R1(STATE), PARTS_S1
    _parts STATE_R0(STATE), STATE_R1(STATE)
    mov PARTS_H0, STATE_H0(STATE)
    mov PARTS_H1, STATE_H1(STATE)
    mov PARTS_H2, STATE_H2(STATE)
    _parts_end
END_FUNC(lc_poly1305_parts_\impl)
.endm

/*
 * void lc_poly1305_whole_<impl>(uint64_t tag[2], const struct lc_poly1305_part *parts, size_t num_parts, uint8_t key[32]);
 *
 * The tag of all of a message, its last block padded with zeros like the others: tag = (h mod 2^130 - 5) + s  mod 2^128.  key: r,
 * which is clamped in place, and s.  Clobbers and constant time as for the function above.
 */
.macro _scalar_whole impl
FUNC(lc_poly1305_whole_\impl)
    _parts_begin
    mov KEY_ARG, KEY
    mov $0x0ffffffc0fffffff, PARTS_T0
    and PARTS_T0, (KEY)
    sub $3, PARTS_T0            /* 0x0ffffffc0ffffffc */
    and 8(KEY), PARTS_T0
    mov PARTS_T0, 8(KEY)
    mov PARTS_T0, PARTS_S1
    shr $2, PARTS_S1
    add PARTS_T0, PARTS_S1
    xor PARTS_H0_32, PARTS_H0_32
    xor PARTS_H1_32, PARTS_H1_32
    xor PARTS_H2_32, PARTS_H2_32
    _parts (KEY), 8(KEY)
    /*
     * h is below 1.25 * 2^130, so 2^130 - 5 is in it once at most: if h + 5 reaches 2^130.  Then h + 5, without what is at 2^130,
     * is h mod 2^130 - 5, and otherwise h is.  And s is added.
     */
    mov PARTS_H0, PARTS_T0
    mov PARTS_H1, PARTS_T1
    add $5, PARTS_T0
    adc $0, PARTS_T1
    adc $0, PARTS_H2
    shr $2, PARTS_H2
    cmovnz PARTS_T0, PARTS_H0
    cmovnz PARTS_T1, PARTS_H1
    add 16(KEY), PARTS_H0
    adc 24(KEY), PARTS_H1
    mov PARTS_H0, (TAG)
    mov PARTS_H1, 8(TAG)
    _parts_end
END_FUNC(lc_poly1305_whole_\impl)
.endm

.macro _scalar impl, mulx
    _name_scalar \mulx
    _begin_code lc_poly1305_\impl
    _scalar_blocks \impl
    _scalar_parts \impl
    _scalar_whole \impl
    _end_code lc_poly1305_\impl
.endm
_not_in_kernel _scalar x86_64, 0
_scalar bmi2, 1                 /* and so do the vectors */

/* ---- Vectors ---- */

/* The end of a function that has used vectors; after it nothing is left of them. */
.macro _vectors_end
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vpxor %xmm\i, %xmm\i, %xmm\i
    .endr
    vzeroupper
    _scalar_end
.endm

/* a, b = the sums of x's two lanes, of y's; x and t are clobbered. */
.macro _sum_pair x, y, a, b, t
    vpunpckhqdq \y, \x, \t
    vpunpcklqdq \y, \x, \x
    vpaddq \t, \x, \x
    vmovq \x, \a
    vpextrq $1, \x, \b
.endm

/*
 * H = w0 + w1 * 2^64 + w2 * 2^128, reduced so that h2 is at most 4; w2 < 2^61 is clobbered.
 *
 * Two bits of w2 are below 2^130 and stay.  The others, e, come back times 5: as e and as 4 * e, which is w2 without the two bits.
 */
.macro _reduce_h w0, w1, w2
    mov \w2, H2
    and $3, H2
    mov \w2, H0
    shr $2, H0
    and $-4, \w2
    add \w2, H0
    mov \w1, H1
    add \w0, H0
    adc $0, H1
    adc $0, H2
.endm

/* ---- AVX2 ---- */

/*
 * Four lanes of 64 bits.  The multiplication, vpmuludq, takes 32 bits of each lane by 32 and gives all 64 bits.  Vectors have no
 * carry.  So numbers are cut into limbs that are shorter than 32 bits, and sums of several products still fit into a lane.
 *
 * -- The product --
 *
 * 26 bits: five limbs are 130 bits, just what the modulus has.  So limb i times limb j stands at 2^(26 (i + j)), a limb's place, or
 * if i + j >= 5
 *
 *      2^(26 (i + j))  =  2^130 * 2^(26 (i + j - 5))  =  5 * 2^(26 (i + j - 5)),
 *
 * which is a limb's place, too, times 5.  The powers of r are therefore kept with 5 times their limbs 1..4, as s1..s4:
 *
 *      d0 = a0 r0 + a1 s4 + a2 s3 + a3 s2 + a4 s1
 *      d1 = a0 r1 + a1 r0 + a2 s4 + a3 s3 + a4 s2
 *      d2 = a0 r2 + a1 r1 + a2 r0 + a3 s4 + a4 s3
 *      d3 = a0 r3 + a1 r2 + a2 r1 + a3 r0 + a4 s4
 *      d4 = a0 r4 + a1 r3 + a2 r2 + a3 r1 + a4 r0
 *
 * 25 multiplications for four blocks, and with two groups twice as many with one carrying.
 *
 * -- Carrying --
 *
 * What is above 26 bits of d0 goes to d1, and so on, and from d4, times 5, to d0.  As one chain that would be long.  Two run side
 * by side instead, and each carries what the other has brought:
 *
 *      d0 -> d1 -> d2 -> d3 -> d4
 *      d3 -> d4 -> d0 -> d1
 *
 * Limbs needn't be below 2^26 afterwards, only short enough for the next product ("lazy").
 *
 * -- Bounds --
 *
 * Limbs are below 2^26 + 2^11 after carrying, those of powers below 2^26.5, and 5 times that; the first group, the hash added, is
 * below 2^28.  So sums of 5 products are below 2^59, of 10 below 2^60, of all lanes below 2^61.  What comes back from d4, times 5,
 * is below 2^37.  So d0 carries less than 2^11 to d1, which ends below 2^26 + 2^11.  So does d4, to which d3 carries less than 2^9
 * the second time.
 *
 * -- What it costs --
 *
 * For two groups, 128 bytes: 50 products, 45 sums, 26 uops for splitting, 5 to add the second group, 23 for carries, together 149,
 * and 22 loads: 50 cycles for Intel's three ports, 37 for Zen's four; 45 are measured on Zen 4.  (Broadcasts from memory cost
 * loads only, and save registers.)  One group at a time takes 29 cycles there.
 */
.set VL, 32
_set_vectors
.irp i, 0,1,2,3,4
_name_vector A26_\i, \i         /* what is multiplied: the lanes' hashes, or a group */
.endr
_name_vector D26_0, 5           /* sums of products */
_name_vector D26_1, 6
_name_vector D26_2, 7
_name_vector D26_3, 8
_name_vector D26_4, 9
_name_vector LO26, 10           /* the lower 64 bits of the lanes' blocks, or powers */
_name_vector HI26, 11           /* the upper ones */
_name_vector TOP26, 14          /* what is above 2^128 */
_name_vector T26_0, 12
_name_vector T26_1, 13
_name_vector T26_2, 14          /* the same as TOP26 */
_name_vector R26, 15            /* a limb of a power; while carrying: the mask of 26 bits */

/* In the state: limbs 0..4, and then 5 times 1..4, of .. */
#define LANES POWERS            /* r^4, r^2, r^3, r^1, in the lanes; the first by itself is r^4 */
#define LANES_STEP 32
#define BROADCAST (POWERS+288)  /* r^8, in 32 bits each */
#define BROADCAST_STEP 4

/* a0..a4 = the limbs of lo + hi * 2^64 */
.macro _split26 lo, hi, a0, a1, a2, a3, a4
    vpsrlq $26, \lo, \a1
    vpsrlq $52, \lo, \a2
    vpand .Lmask26(%rip), \lo, \a0
    vpsllq $12, \hi, \a3
    vpor \a3, \a2, \a2
    vpsrlq $14, \hi, \a3
    vpsrlq $40, \hi, \a4
    vpand .Lmask26(%rip), \a1, \a1
    vpand .Lmask26(%rip), \a2, \a2
    vpand .Lmask26(%rip), \a3, \a3
.endm

/* The same for three words, the third one in TOP26 */
.macro _split26_top a0, a1, a2, a3, a4
    _split26 LO26, HI26, \a0, \a1, \a2, \a3, \a4
    vpsllq $24, TOP26, TOP26
    vpaddq TOP26, \a4, \a4
.endm

/* a0..a4 = the limbs of H, in lane 0; the others are zero. */
.macro _split26_words a0, a1, a2, a3, a4
    vmovq H0, LO26_XMM
    vmovq H1, HI26_XMM
    vmovq H2, TOP26_XMM
    _split26_top \a0, \a1, \a2, \a3, \a4
.endm

/* Store A26, and 5 times its limbs 1..4: by `op`, as much of the registers as `width` says (nothing, or _XMM). */
.macro _store26 op, width, base, step
    .irp i, 0,1,2,3,4
    _store26_limb \op, A26_\i, \width, \base+\step*\i
    .endr
    .irp i, 1,2,3,4
    vpsllq $2, A26_\i, T26_0
    vpaddq T26_0, A26_\i, A26_\i
    _store26_limb \op, A26_\i, \width, \base+\step*(4+\i)
    .endr
.endm
.macro _store26_limb op, limb, width, place
    \op \limb\width, \place(STATE)
.endm

/* A26 = the 4 blocks at MSG + disp, in the lanes: 0, 2, 1, 3, which is how unpacking leaves them */
.macro _load26 disp
    vmovdqu \disp(MSG), T26_0
    vmovdqu \disp+32(MSG), T26_1
    vpunpcklqdq T26_1, T26_0, LO26
    vpunpckhqdq T26_1, T26_0, HI26
    _split26 LO26, HI26, A26_0, A26_1, A26_2, A26_3, A26_4
    vpor .Lpad26(%rip), A26_4, A26_4
.endm

/*
 * D26 += A26 * (the power whose limbs are at base, step apart), or = if `first`.  It goes limb by limb of the power, r0..r4 and
 * s1..s4: `load` gets one, the same for all lanes or each lane's own, and it multiplies wherever it stands in the formula above.
 */
.macro _mul26 load, base, step, first
    /*           limb                              sums                                    by */
    _mul26_limb \load, \base,         \first, D26_0, D26_1, D26_2, D26_3, D26_4,     A26_0, A26_1, A26_2, A26_3, A26_4   /* r0 */
    _mul26_limb \load, \base+\step,   0,      D26_1, D26_2, D26_3, D26_4, ,          A26_0, A26_1, A26_2, A26_3          /* r1 */
    _mul26_limb \load, \base+5*\step, 0,      D26_0, , , , ,                         A26_4                               /* s1 */
    _mul26_limb \load, \base+2*\step, 0,      D26_2, D26_3, D26_4, , ,               A26_0, A26_1, A26_2                 /* r2 */
    _mul26_limb \load, \base+6*\step, 0,      D26_0, D26_1, , , ,                    A26_3, A26_4                        /* s2 */
    _mul26_limb \load, \base+3*\step, 0,      D26_3, D26_4, , , ,                    A26_0, A26_1                        /* r3 */
    _mul26_limb \load, \base+7*\step, 0,      D26_0, D26_1, D26_2, , ,               A26_2, A26_3, A26_4                 /* s3 */
    _mul26_limb \load, \base+4*\step, 0,      D26_4, , , , ,                         A26_0                               /* r4 */
    _mul26_limb \load, \base+8*\step, 0,      D26_0, D26_1, D26_2, D26_3, ,          A26_1, A26_2, A26_3, A26_4          /* s4 */
.endm
/* Each d += a * limb, or = if `first`; those that aren't given are left out. */
.macro _mul26_limb load, limb, first, d0, d1, d2, d3, d4, a0, a1, a2, a3, a4
    \load \limb(STATE), R26
    _mul26_term \first, \a0, \d0, T26_0
    _mul26_term \first, \a1, \d1, T26_1
    _mul26_term \first, \a2, \d2, T26_2
    _mul26_term \first, \a3, \d3, T26_0
    _mul26_term \first, \a4, \d4, T26_1
.endm
.macro _mul26_term first, a, d, t
  .ifnb \d
   .if \first
    vpmuludq \a, R26, \d
   .else
    vpmuludq \a, R26, \t
    vpaddq \t, \d, \d
   .endif
  .endif
.endm

/* D26 += A26 */
.macro _add26
    .irp i, 0,1,2,3,4
    vpaddq A26_\i, D26_\i, D26_\i
    .endr
.endm

/* A26 = D26, carried */
.macro _carry26
    vmovdqa .Lmask26(%rip), R26
    _carry26_pair D26_0, D26_1, D26_0, D26_3, D26_4, D26_3
    vpsrlq $26, D26_4, T26_1
    vpsrlq $26, D26_1, T26_0
    vpand R26, D26_4, D26_4
    vpand R26, D26_1, D26_1
    vpaddq T26_0, D26_2, D26_2
    vpaddq T26_1, D26_0, D26_0      /* once and 4 times */
    vpsllq $2, T26_1, T26_1
    vpaddq T26_1, D26_0, D26_0
    _carry26_pair D26_2, D26_3, A26_2, D26_0, D26_1, A26_0
    vpsrlq $26, D26_3, T26_0
    vpand R26, D26_3, A26_3
    vpaddq T26_0, D26_4, A26_4
    vmovdqa D26_1, A26_1
.endm
/* d carries to e, and f to g; a = what stays of d, b of f. */
.macro _carry26_pair d, e, a, f, g, b
    vpsrlq $26, \d, T26_0
    vpsrlq $26, \f, T26_1
    vpand R26, \d, \a
    vpand R26, \f, \b
    vpaddq T26_0, \e, \e
    vpaddq T26_1, \g, \g
.endm

/* General registers, where nothing is multiplied */
#define AVX2_LEFT       %r11    /* bytes to go */
#define AVX2_WANTED32   %r10d   /* the highest power */
#define LIMB0           %r10    /* the sums of the lanes; then words 0, 1 and 2 in LIMB0, LIMB1 and LIMB3 */
#define LIMB1           %r11
#define LIMB2           %rbx
#define LIMB3           %rbp
#define LIMB4           %r9
#define LIMB_NONE       %r8
#define LIMB_T          %rax

_begin_code lc_poly1305_avx2
FUNC(lc_poly1305_blocks_avx2)
    cmp $1, PAD
    _jump_to jne, poly1305_blocks_bmi2
    cmp $AVX2_MIN, LEN
    _jump_to jb, poly1305_blocks_bmi2
    cmpl $0, NUM_POWERS(STATE)
    jne .Lavx2_begin
    cmp $AVX2_MIN_NEW, LEN
    _jump_to jb, poly1305_blocks_bmi2
.Lavx2_begin:
    lea (MSG,LEN), MSG_END
    _scalar_begin
    /* One by one, until groups of 4 blocks are left */
    mov LEN, LIMIT
    and $48, LIMIT
    jz .Lavx2_whole_groups
    add MSG, LIMIT
    _scalar_loop $1
.Lavx2_whole_groups:
    _split26_words D26_0, D26_1, D26_2, D26_3, D26_4

    /* As many powers as it pays for, or as there are */
    mov MSG_END, AVX2_LEFT
    sub MSG, AVX2_LEFT
    mov $4, COUNT32
    mov $8, AVX2_WANTED32
    cmp $AVX2_MIN_TWO, AVX2_LEFT
    cmovb COUNT32, AVX2_WANTED32
    cmp AVX2_WANTED32, NUM_POWERS(STATE)
    jae .Lavx2_powers
    mov AVX2_WANTED32, NUM_POWERS(STATE)
    _load_r
    /* r, r^2, r^3, r^4: each comes to lane 0, and the others move up. */
.Lavx2_power:
    vmovq H0, T26_0_XMM
    vmovq H1, T26_1_XMM
    vmovq H2, R26_XMM
    vpermq $0x90, LO26, LO26        /* lanes 0, 0, 1, 2 */
    vpermq $0x90, HI26, HI26
    vpermq $0x90, TOP26, TOP26
    vpblendd $3, T26_0, LO26, LO26  /* lane 0 */
    vpblendd $3, T26_1, HI26, HI26
    vpblendd $3, R26, TOP26, TOP26
    sub $1, COUNT32
    jz .Lavx2_power_lanes
    _multiply
    jmp .Lavx2_power
.Lavx2_power_lanes:
    vpermq $0xd8, LO26, LO26        /* r^4, r^2, r^3, r^1, as blocks 0, 2, 1, 3 */
    vpermq $0xd8, HI26, HI26
    vpermq $0xd8, TOP26, TOP26
    _split26_top A26_0, A26_1, A26_2, A26_3, A26_4
    _store26 vmovdqu, , LANES, LANES_STEP
    cmpl $8, NUM_POWERS(STATE)
    jb .Lavx2_powers
    /* r^8, from r^4 in H */
    mov $4, COUNT32
.Lavx2_power_8:
    _multiply
    sub $1, COUNT32
    jnz .Lavx2_power_8
    _split26_words A26_0, A26_1, A26_2, A26_3, A26_4
    _store26 vmovd, _XMM, BROADCAST, BROADCAST_STEP

    /* The first group, the hash added to its first block */
.Lavx2_powers:
    _load26 0
    .irp i, 0,1,2,3,4
    vpaddq D26_\i, A26_\i, A26_\i
    .endr
    add $64, MSG
    cmpl $8, NUM_POWERS(STATE)
    jb .Lavx2_group
    lea -128(MSG_END), LIMIT
    cmp LIMIT, MSG
    ja .Lavx2_group
    .p2align 6
.Lavx2_two_groups:                  /* A = A * r^8 + M * r^4 + M' */
    _mul26 vpbroadcastd, BROADCAST, BROADCAST_STEP, 1
    _load26 0
    _mul26 vpbroadcastd, LANES, LANES_STEP, 0
    _load26 64
    _add26
    _carry26
    sub $-128, MSG
    cmp LIMIT, MSG
    jbe .Lavx2_two_groups
.Lavx2_group:                       /* A = A * r^4 + M */
    cmp MSG_END, MSG
    je .Lavx2_last
    _mul26 vpbroadcastd, LANES, LANES_STEP, 1
    _load26 0
    _add26
    _carry26
    add $64, MSG
    jmp .Lavx2_group

.Lavx2_last:                        /* each lane by its own power */
    _mul26 vmovdqu, LANES, LANES_STEP, 1
    /* The lanes' sums: limbs below 2^61 */
    .irp i, 0,1,2,3,4
    vextracti128 $1, D26_\i, A26_\i\()_XMM
    .endr
    .irp i, 0,1,2,3,4
    vpaddq D26_\i\()_XMM, A26_\i\()_XMM, A26_\i\()_XMM
    .endr
    _sum_pair A26_0_XMM, A26_1_XMM, LIMB0, LIMB1, R26_XMM
    _sum_pair A26_2_XMM, A26_3_XMM, LIMB2, LIMB3, R26_XMM
    _sum_pair A26_4_XMM, A26_4_XMM, LIMB4, LIMB_NONE, R26_XMM
    /* 26 bits apart, they overlap: words 0, 1 and 2 become their sum, in LIMB0, LIMB1 and LIMB3. */
    mov LIMB1, LIMB_T               /* at 2^26 */
    shl $26, LIMB_T
    shr $38, LIMB1
    add LIMB_T, LIMB0
    adc $0, LIMB1
    mov LIMB2, LIMB_T               /* at 2^52 */
    shl $52, LIMB_T
    shr $12, LIMB2
    add LIMB_T, LIMB0
    adc LIMB2, LIMB1
    mov LIMB3, LIMB_T               /* at 2^78 = 2^(64 + 14) */
    shl $14, LIMB_T
    shr $50, LIMB3
    add LIMB_T, LIMB1
    adc $0, LIMB3
    mov LIMB4, LIMB_T               /* at 2^104 = 2^(64 + 40) */
    shl $40, LIMB_T
    shr $24, LIMB4
    add LIMB_T, LIMB1
    adc LIMB4, LIMB3
    _reduce_h LIMB0, LIMB1, LIMB3
    _vectors_end
END_FUNC(lc_poly1305_blocks_avx2)
_end_code lc_poly1305_avx2

/* ---- AVX512_IFMA ---- */

/*
 * Eight lanes.  A multiplication takes 52 bits of each lane by 52, and adds the lower 52 bits of the product to one register, d, or
 * the upper 52 to another, e.
 *
 * -- Limbs --
 *
 * Three limbs, of 44, 44 and 42 bits: 130 bits, at 1, 2^44 and 2^88.  Limb i times limb j is at 2^(44 (i + j)): a limb's place, or
 * 2^132 (limbs 1 and 2) and 2^176 (2 and 2), which are 132 bits above limbs 0 and 1.  As
 *
 *      2^132  =  4 * 2^130  =  20
 *
 * they come back times 20.  The powers of r are therefore used with s1 and s2, 20 times the limbs r1 and r2:
 *
 *      d0, e0:  a0 r0 + a1 s2 + a2 s1      at 1
 *      d1, e1:  a0 r1 + a1 r0 + a2 s2      at 2^44
 *      d2, e2:  a0 r2 + a1 r1 + a2 r0      at 2^88
 *
 * Nine products of two halves each: 18 multiplications for eight blocks.  A group to be added is what d begins with.
 *
 * -- The upper halves --
 *
 * An e is 52 bits above its d, and so 8 bits above the next limb: e0 * 2^8 goes to d1, and e1 * 2^8 to d2.  e2 is at
 * 2^(88 + 52) = 2^10 * 2^130, which is 5 * 2^10 at 1: it goes to d0.  Each is one more multiplication, a uop where a shift and an
 * addition are two.  (_merge44)
 *
 * -- Carrying --
 *
 * A limb has 44 bits, and a factor may have 52.  So limbs may be a few bits too long, and no chain of carries is needed at all: the
 * three d are cut at once, at 44, 44 and 42 bits, and what was above goes to the next limb, from the last, times 5, to the first.
 * (One carry after the other, until limb 1 has got that of limb 0: 11 % longer for 512 bytes, 3 % for 16 KB.)
 *
 * -- Bounds --
 *
 * Limbs are below 2^44 + 2^16, 2^44 + 2^11, 2^42 + 2^11 after carrying; powers from the scalar code have up to 2^42.4 in r2; so
 * s1 < 2^48.4, s2 < 2^46.8.  In the first group, the hash added, limbs are below 2^45, 2^45, 2^43.4.
 *
 *      two groups, limb 2: the sum is below 2^90.3, so e2 < 2^38.3, and 5 * 2^10 * e2 < 2^51
 *      limbs 0 and 1: it is below 2^95, so e * 2^8 < 2^51
 *      a multiplication takes 52 bits of a factor and gives 52 of a product, so all of these have to be below 2^52
 *      d has at most 6 lower halves and an e * 2^8: d < 2^55; what is cut off is below 2^13, 5 times that below 2^16
 *
 * -- What it costs --
 *
 * For two groups, 256 bytes: 40 multiplications, 16 uops for splitting, 8 for carries, together 64, and 4 loads.  On Intel's
 * servers, with two ports for 512 bits, that is 32 cycles: 34.3 are measured on Granite Rapids, where 36.4 were with shifts and
 * additions instead of three of these multiplications, 68 uops.  On Zen 4 the multiplications alone take 40.  43 were measured
 * there with 37 of 68 uops.
 * (Loads at offsets that are merged under a mask, instead of shuffles: 4 % longer.)
 * One group at a time takes 25 on Granite Rapids.
 */

/* Names for vectors of vl bytes: 64, or 32 where powers are made */
.macro _name_ifma_vectors vl
    .set VL, \vl
    _set_vectors
    _name_vector A44_0, 0       /* what the lanes have */
    _name_vector A44_1, 1
    _name_vector A44_2, 2
    _name_vector D44_0, 3       /* sums of products, lower 52 bits */
    _name_vector D44_1, 4
    _name_vector D44_2, 5
    _name_vector E44_0, 6       /* upper 52 bits */
    _name_vector E44_1, 7
    _name_vector E44_2, 8
    _name_vector M44_0, 9       /* a group; or a product */
    _name_vector M44_1, 10
    _name_vector M44_2, 11
    _name_vector LO44, 12       /* the lower 64 bits of the lanes' blocks, or powers */
    _name_vector HI44, 13       /* the upper ones */
    _name_vector TOP44, 14      /* what is above 2^128 */
    _name_vector MASK44, 15
    _name_vector MASK42, 16
    _name_vector WRAP44, 17     /* 5 * 2^10 */
    _name_vector PAD44, 18
    _name_vector R44_0, 20      /* r^8, or a power for each lane */
    _name_vector R44_1, 21
    _name_vector R44_2, 22
    _name_vector S44_1, 23      /* 20 times these */
    _name_vector S44_2, 24
    _name_vector RR44_0, 25     /* r^16 */
    _name_vector RR44_1, 26
    _name_vector RR44_2, 27
    _name_vector SS44_1, 28     /* 20 times these */
    _name_vector SS44_2, 29
    _name_vector FIRST44_0, 25  /* the first group, until r^16 is needed */
    _name_vector FIRST44_1, 26
    _name_vector FIRST44_2, 27
.endm

/* In the state: the limbs r0, r1, r2 of .. */
#define IFMA_LANES POWERS           /* r^8, r^4, r^7, r^3, r^6, r^2, r^5, r^1, in the lanes; the first by itself is r^8 */
#define IFMA_POWER_16 POWERS+192    /* r^16 */

/* m0..m2 = the limbs of lo + hi * 2^64; lo is clobbered. */
.macro _split44 lo, hi, m0, m1, m2
    vpandq MASK44, \lo, \m0
    vpsrlq $44, \lo, \lo
    vpsllq $20, \hi, \m1
    vpsrlq $24, \hi, \m2
    vpternlogq $0xc8, \lo, MASK44, \m1      /* (m1 | lo) & mask */
.endm

/* m0..m2 = the 8 blocks at MSG + disp, in the lanes: 0, 4, 1, 5, 2, 6, 3, 7, which is how unpacking leaves them */
.macro _load44 disp, m0, m1, m2
    vmovdqu64 \disp(MSG), \m0
    vmovdqu64 \disp+64(MSG), \m1
    vpunpcklqdq \m1, \m0, LO44
    vpunpckhqdq \m1, \m0, HI44
    _split44 LO44, HI44, \m0, \m1, \m2
    vporq PAD44, \m2, \m2
.endm

/* s = 20 * r */
.macro _times20 r, s
    vpsllq $2, \r, \s
    vpaddq \r, \s, \s
    vpsllq $2, \s, \s
.endm

/* D, E += a * r */
.macro _mul44 a0, a1, a2, r0, r1, r2, s1, s2
    _mul44_limb \a2, \s1, \s2, \r0
    _mul44_limb \a1, \s2, \r0, \r1
    _mul44_limb \a0, \r0, \r1, \r2
.endm
/* One limb of a, by what it meets in d0, in d1 and in d2 */
.macro _mul44_limb a, b0, b1, b2
    vpmadd52luq \b0, \a, D44_0
    vpmadd52huq \b0, \a, E44_0
    vpmadd52luq \b1, \a, D44_1
    vpmadd52huq \b1, \a, E44_1
    vpmadd52luq \b2, \a, D44_2
    vpmadd52huq \b2, \a, E44_2
.endm

/* Sums begin with 0. */
.macro _clear44 regs:vararg
    .irp reg, \regs
    vpxorq \reg, \reg, \reg
    .endr
.endm

/* sum += x * factor; factor: 8 bytes of memory */
.macro _add_times44 factor, x, sum
  .if VL == 64
    vpmadd52luq \factor(%rip){1to8}, \x, \sum
  .else
    vpmadd52luq \factor(%rip){1to4}, \x, \sum
  .endif
.endm

/* D = D and E, each where it belongs */
.macro _merge44
    vpmadd52luq WRAP44, E44_2, D44_0
    _add_times44 .Lshift44, E44_0, D44_1
    _add_times44 .Lshift44, E44_1, D44_2
.endm

/* a = D and E, carried; E are what is cut off. */
.macro _carry44 a0, a1, a2
    _merge44
    vpsrlq $44, D44_1, E44_1
    vpsrlq $42, D44_2, E44_2
    vpandq MASK42, D44_2, D44_2
    vpandq MASK44, D44_1, D44_1
    vpaddq E44_1, D44_2, \a2
    vpsrlq $44, D44_0, E44_0
    vpandq MASK44, D44_0, \a0
    vpaddq E44_0, D44_1, \a1
    _add_times44 .Lfive44, E44_2, \a0
.endm

/* M = a * r: in 256 bits, which on Zen 4 is faster than 512 */
.macro _product44 a0, a1, a2
    _clear44 D44_0, D44_1, D44_2, E44_0, E44_1, E44_2
    _mul44 \a0, \a1, \a2, R44_0, R44_1, R44_2, S44_1, S44_2
    _carry44 M44_0, M44_1, M44_2
.endm

/* General registers and masks, where nothing is multiplied */
#define IFMA_T              %r10    /* a length or an address */
#define IFMA_T_32           %r10d
#define FIRST               %r10    /* the first k = 1..8 blocks: 16 * (k - 1), then k - 1 */
#define FIRST_32            %r10d
#define FIRST_UPPER         %r11    /* where the last four of them begin, in bytes, if there are more than four */
#define FIRST_UPPER_32      %r11d
#define FIRST_UPPER_T       %rbx
#define MISSING_32          %ebx    /* words of 64 bits that aren't there: 2 * (8 - k) */
#define WORDS_32            %ebp    /* a bit for each of the 16 words that are there */
#define LANES_TABLE         %r11    /* .Lfirst */
#define LANES_FIRST_32      %r11d
#define LANES_REST_32       %ebx
#define WORDS_LOWER         %k1     /* of blocks 0..3 of the group.. */
#define WORDS_UPPER         %k2     /* ..and 4..7 */
#define LANES_FIRST         %k3     /* lanes that have a block */
#define LANE_HASH           %k4     /* the lane of the first one */
#define IFMA_LIMB0          %r10    /* the sums of the lanes; then words 0, 1 and 2 */
#define IFMA_LIMB1          %r11
#define IFMA_LIMB2          %rbx
#define IFMA_LIMB_NONE      %rbp

_name_ifma_vectors 64
_begin_code lc_poly1305_avx512_ifma
FUNC(lc_poly1305_blocks_avx512_ifma)
    cmp $1, PAD
    _jump_to jne, poly1305_blocks_bmi2
    cmp $IFMA_MIN, LEN
    _jump_to jb, poly1305_blocks_bmi2
    cmpl $0, NUM_POWERS(STATE)
    jne .Lifma_begin
    cmp $IFMA_MIN_NEW, LEN
    _jump_to jb, poly1305_blocks_bmi2
.Lifma_begin:
    lea (MSG,LEN), MSG_END
    _scalar_begin
    /* One block above a multiple of 8 isn't worth a group. */
    mov LEN, IFMA_T
    and $112, IFMA_T_32
    cmp $16, IFMA_T_32
    jne .Lifma_first_group
    _add_block $1
    _multiply

    /*
     * The first k = 1..8 of the rest, to FIRST44: blocks of zeros, without pad, before them complete the group.
     * (Loads of the group under masks, from before the message, take 3 cycles less, but 400 more if there is no page.)
     */
.Lifma_first_group:
    lea -16(MSG_END), FIRST
    sub MSG, FIRST
    and $112, FIRST_32
    xor FIRST_UPPER_32, FIRST_UPPER_32
    mov FIRST, FIRST_UPPER_T
    sub $48, FIRST_UPPER_T
    cmova FIRST_UPPER_T, FIRST_UPPER
    mov FIRST_32, MISSING_32
    shr $3, MISSING_32
    xor $14, MISSING_32
    mov $-1, WORDS_32
    shlx MISSING_32, WORDS_32, WORDS_32
    kmovw WORDS_32, WORDS_LOWER
    shr $8, WORDS_32
    kmovw WORDS_32, WORDS_UPPER
    vpexpandq (MSG), FIRST44_0{WORDS_LOWER}{z}
    vpexpandq (MSG,FIRST_UPPER), FIRST44_1{WORDS_UPPER}{z}
    lea 16(MSG,FIRST), MSG
    lea .Lfirst(%rip), LANES_TABLE
    shr $4, FIRST_32
    movzbl (LANES_TABLE,FIRST), LANES_REST_32       /* at k - 1: all but the first block */
    movzbl 1(LANES_TABLE,FIRST), LANES_FIRST_32     /* at k */
    kmovw LANES_FIRST_32, LANES_FIRST
    xor LANES_FIRST_32, LANES_REST_32
    kmovw LANES_REST_32, LANE_HASH
    vpbroadcastq .Lmask44(%rip), MASK44
    vpbroadcastq .Lmask42(%rip), MASK42
    vpbroadcastq .Lwrap(%rip), WRAP44
    vpbroadcastq .Lpad44(%rip), PAD44
    vpunpcklqdq FIRST44_1, FIRST44_0, LO44
    vpunpckhqdq FIRST44_1, FIRST44_0, HI44
    _split44 LO44, HI44, FIRST44_0, FIRST44_1, FIRST44_2
    vporq PAD44, FIRST44_2, FIRST44_2{LANES_FIRST}
    vpbroadcastq H0, LO44{LANE_HASH}{z}
    vpbroadcastq H1, HI44{LANE_HASH}{z}
    vpbroadcastq H2, TOP44{LANE_HASH}{z}
    _split44 LO44, HI44, M44_0, M44_1, M44_2
    vpsllq $40, TOP44, TOP44
    vpaddq M44_0, FIRST44_0, FIRST44_0
    vpaddq M44_1, FIRST44_1, FIRST44_1
    vpaddq M44_2, FIRST44_2, FIRST44_2
    vpaddq TOP44, FIRST44_2, FIRST44_2

    cmpl $0, NUM_POWERS(STATE)
    jne .Lifma_powers

    /* r^4 .. r^1 in lanes 0..3, each coming to lane 0 while the others move up; and these times r^4 */
    movl $8, NUM_POWERS(STATE)
    _load_r
    mov $4, COUNT32
    _name_ifma_vectors 32
.Lifma_power:
    vpbroadcastq H0, D44_0
    vpbroadcastq H1, D44_1
    vpbroadcastq H2, D44_2
    valignq $3, D44_0, LO44, LO44
    valignq $3, D44_1, HI44, HI44
    valignq $3, D44_2, TOP44, TOP44
    sub $1, COUNT32
    jz .Lifma_power_lanes
    _multiply
    jmp .Lifma_power
.Lifma_power_lanes:
    _split44 LO44, HI44, A44_0, A44_1, A44_2
    vpsllq $40, TOP44, TOP44
    vpaddq TOP44, A44_2, A44_2
    vpbroadcastq A44_0_XMM, R44_0       /* r^4 */
    vpbroadcastq A44_1_XMM, R44_1
    vpbroadcastq A44_2_XMM, R44_2
    _times20 R44_1, S44_1
    _times20 R44_2, S44_2
    _product44 A44_0, A44_1, A44_2      /* M = r^8 .. r^5 */
    _name_ifma_vectors 64
    vpmovzxbq .Llanes(%rip), D44_0
    vmovdqa64 D44_0, D44_1
    vmovdqa64 D44_0, D44_2
    vpermi2q M44_0, A44_0, D44_0
    vpermi2q M44_1, A44_1, D44_1
    vpermi2q M44_2, A44_2, D44_2
    vpbroadcastq M44_0_XMM, R44_0       /* r^8 */
    vpbroadcastq M44_1_XMM, R44_1
    vpbroadcastq M44_2_XMM, R44_2
    vmovdqu64 D44_0, IFMA_LANES(STATE)
    vmovdqu64 D44_1, IFMA_LANES+64(STATE)
    vmovdqu64 D44_2, IFMA_LANES+128(STATE)
    jmp .Lifma_first

.Lifma_powers:
    vpbroadcastq IFMA_LANES(STATE), R44_0
    vpbroadcastq IFMA_LANES+64(STATE), R44_1
    vpbroadcastq IFMA_LANES+128(STATE), R44_2
.Lifma_first:
    vmovdqa64 FIRST44_0, A44_0
    vmovdqa64 FIRST44_1, A44_1
    vmovdqa64 FIRST44_2, A44_2
    cmp MSG_END, MSG
    je .Lifma_last
    _times20 R44_1, S44_1
    _times20 R44_2, S44_2
    lea -256(MSG_END), LIMIT
    cmpl $16, NUM_POWERS(STATE)
    je .Lifma_power_16
    lea IFMA_MIN_TWO(MSG), IFMA_T
    cmp MSG_END, IFMA_T
    ja .Lifma_group
    movl $16, NUM_POWERS(STATE)
    _name_ifma_vectors 32
    _product44 R44_0, R44_1, R44_2
    vmovq M44_0_XMM, IFMA_POWER_16(STATE)
    vmovq M44_1_XMM, IFMA_POWER_16+8(STATE)
    vmovq M44_2_XMM, IFMA_POWER_16+16(STATE)
    _name_ifma_vectors 64
    vpbroadcastq M44_0_XMM, RR44_0
    vpbroadcastq M44_1_XMM, RR44_1
    vpbroadcastq M44_2_XMM, RR44_2
    jmp .Lifma_two_groups_begin
.Lifma_power_16:
    cmp LIMIT, MSG
    ja .Lifma_group
    vpbroadcastq IFMA_POWER_16(STATE), RR44_0
    vpbroadcastq IFMA_POWER_16+8(STATE), RR44_1
    vpbroadcastq IFMA_POWER_16+16(STATE), RR44_2
.Lifma_two_groups_begin:
    _times20 RR44_1, SS44_1
    _times20 RR44_2, SS44_2
    .p2align 6
.Lifma_two_groups:                  /* A = A * r^16 + M * r^8 + M' */
    _load44 0, M44_0, M44_1, M44_2
    _load44 128, D44_0, D44_1, D44_2
    _clear44 E44_0, E44_1, E44_2
    _mul44 M44_0, M44_1, M44_2, R44_0, R44_1, R44_2, S44_1, S44_2
    _mul44 A44_0, A44_1, A44_2, RR44_0, RR44_1, RR44_2, SS44_1, SS44_2
    _carry44 A44_0, A44_1, A44_2
    add $256, MSG
    cmp LIMIT, MSG
    jbe .Lifma_two_groups

.Lifma_group:                       /* A = A * r^8 + M */
    cmp MSG_END, MSG
    je .Lifma_last
    _load44 0, D44_0, D44_1, D44_2
    _clear44 E44_0, E44_1, E44_2
    _mul44 A44_0, A44_1, A44_2, R44_0, R44_1, R44_2, S44_1, S44_2
    _carry44 A44_0, A44_1, A44_2
    sub $-128, MSG
    jmp .Lifma_group

.Lifma_last:                        /* each lane by its own power */
    vmovdqu64 IFMA_LANES(STATE), R44_0
    vmovdqu64 IFMA_LANES+64(STATE), R44_1
    vmovdqu64 IFMA_LANES+128(STATE), R44_2
    _times20 R44_1, S44_1
    _times20 R44_2, S44_2
    _clear44 D44_0, D44_1, D44_2, E44_0, E44_1, E44_2
    _mul44 A44_0, A44_1, A44_2, R44_0, R44_1, R44_2, S44_1, S44_2
    _merge44
    /* The lanes' sums: limbs below 2^58 */
    .irp i, 0,1,2
    vextracti64x4 $1, D44_\i, A44_\i\()_YMM
    .endr
    .irp i, 0,1,2
    vpaddq D44_\i\()_YMM, A44_\i\()_YMM, A44_\i\()_YMM
    .endr
    .irp i, 0,1,2
    vextracti128 $1, A44_\i\()_YMM, D44_1_XMM
    vpaddq D44_1_XMM, A44_\i\()_XMM, A44_\i\()_XMM
    .endr
    _sum_pair A44_0_XMM, A44_1_XMM, IFMA_LIMB0, IFMA_LIMB1, MASK44_XMM
    _sum_pair A44_2_XMM, A44_2_XMM, IFMA_LIMB2, IFMA_LIMB_NONE, MASK44_XMM
    /* 44 bits apart, they overlap: words 0, 1 and 2 become their sum. */
    mov IFMA_LIMB1, H0              /* at 2^44 */
    shl $44, H0
    shr $20, IFMA_LIMB1
    mov IFMA_LIMB2, H1              /* at 2^88 = 2^(64 + 24) */
    shl $24, H1
    shr $40, IFMA_LIMB2
    add H0, IFMA_LIMB0
    adc H1, IFMA_LIMB1
    adc $0, IFMA_LIMB2
    _reduce_h IFMA_LIMB0, IFMA_LIMB1, IFMA_LIMB2
    .irp i, 20,21,22,23,24,25,26,27,28,29
    vpxorq %zmm\i, %zmm\i, %zmm\i
    .endr
    _vectors_end
END_FUNC(lc_poly1305_blocks_avx512_ifma)
_end_code lc_poly1305_avx512_ifma

.section .note.GNU-stack, "", @progbits

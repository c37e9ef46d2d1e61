/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Poly1305 for x86-64: three implementations.
 *
 *   lc_poly1305_blocks_bmi2             BMI2
 *   lc_poly1305_blocks_avx2             BMI2 AVX2
 *   lc_poly1305_blocks_avx512_ifma      BMI2 AVX2 AVX512F/BW/VL/IFMA
 *
 * The first takes block after block (poly1305_scalar.h), 12.4 cycles each on Zen 4.  Nearly all of that is latency, but there is no
 * room for much else: two such chains side by side take 20.4, and two blocks at once, under r^2 and r, would need 13
 * multiplications instead of 12, as r^2 isn't clamped.
 *
 * -- Several blocks at once -----------------------------------------------------------------------------------------------
 *
 * With n lanes, lane i takes each n-th block, and what it has so far is multiplied by r^n before the next is added:
 *
 *      A = A * r^n + M                     or two of these steps with one reduction:
 *      A = A * r^2n + M * r^n + M'
 *
 * At the end lane i, whose last block is followed by n - 1 - i others, is multiplied by r^(n - i), and the lanes are added.
 * What the call begins with is added to the first block.
 *
 * The powers come from r by the scalar multiplication, by the clamped r each time, and are kept in the state: a call for which they
 * don't pay, and for which there are none yet, is scalar, as are short ones in any case.  *_MIN and so on are where the figures
 * cross on Zen 4; cycles there, for a call that makes the powers and (in brackets) one that finds them:
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

/* A call's bytes for which vectors pay: if there are powers, if there are none; what is left then for the two steps in one */
#define AVX2_MIN 128
#define AVX2_MIN_NEW 256
#define AVX2_MIN_TWO 512
#define IFMA_MIN 96
#define IFMA_MIN_NEW 208
#define IFMA_MIN_TWO 512

/* ---- Data ---- */

.section .rodata.lc_poly1305, "a", @progbits
.p2align 5
.Lmask26:
    .rept 4
    .quad (1 << 26) - 1
    .endr
.Lpad26:
    .rept 4
    .quad 1 << 24
    .endr
.Lmask44:
    .quad (1 << 44) - 1
.Lmask42:
    .quad (1 << 42) - 1
.Lpad44:
    .quad 1 << 40
.Lwrap:             /* 2^(88 + 52) = 2^10 * 2^130 */
    .quad 5 << 10
.Llanes:            /* r^8 .. r^1 for the lanes, from r^8 .. r^5 (8..) and r^4 .. r^1 (0..) */
    .byte 8, 0, 9, 1, 10, 2, 11, 3
.Lfirst:            /* at k: the lanes of the last k of 8 blocks */
    .byte 0, 0x80, 0xa0, 0xa8, 0xaa, 0xea, 0xfa, 0xfe, 0xff

.text

/* ---- Registers ---- */

#define STATE   %rdi    /* struct lc_poly1305_state */
#define MSG     %rsi
#define LEN     %rdx
#define PAD     %rcx
#define H0      %rax
#define H1      %r8
#define H2      %r9
#define T0      %r10
#define T0_32   %r10d
#define T1      %r11
#define T1_32   %r11d
#define T2      %rbx
#define T2_32   %ebx
#define T3      %rbp
#define T3_32   %ebp
#define S1      %r12    /* r1 + (r1 >> 2) */
#define LIMIT   %r13    /* of a loop */
#define COUNT32 %r13d
#define END     %rcx    /* of the message: with vectors, for which pad is 1 */

/* struct lc_poly1305_state: asserted in src/x86/poly1305.c */
#define STATE_R0 24
#define STATE_R1 32
#define NUM_POWERS 84
#define POWERS 96

/* ---- Scalar ---- */

.macro _load_h
    mov (STATE), H0
    mov 8(STATE), H1
    mov 16(STATE), H2
.endm

.macro _store_h
    mov H0, (STATE)
    mov H1, 8(STATE)
    mov H2, 16(STATE)
.endm

.macro _load_r
    mov STATE_R0(STATE), H0
    mov STATE_R1(STATE), H1
    xor H2, H2
.endm

.macro _add_block pad
    _poly_add H0, H1, H2, (MSG), 8(MSG), \pad
    add $16, MSG
.endm

.macro _multiply
    _poly_mul H0, H1, H2, STATE_R0(STATE), STATE_R1(STATE), S1, T0, T1, T2, T3
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

.macro _begin
    .irp i, %rbx, %rbp, %r12, %r13
    push \i
    .endr
    mov STATE_R1(STATE), S1
    shr $2, S1
    add STATE_R1(STATE), S1
    _load_h
.endm

.macro _end
    _store_h
    .irp i, %r13, %r12, %rbp, %rbx
    pop \i
    .endr
    .irp i, %eax, %edx, %r8d, %r9d, %r10d, %r11d
    xor \i, \i
    .endr
    RETURN
.endm

.macro _scalar
    _begin
    lea (MSG,LEN), LIMIT
    _scalar_loop PAD
    _end
.endm

.macro _wipe_vectors_end
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vpxor %xmm\i, %xmm\i, %xmm\i
    .endr
    vzeroupper
    _end
.endm

/* H = t0 + t1 * 2^64 + t2 * 2^128; t2 < 2^61 is clobbered. */
.macro _reduce_h t0, t1, t2
    mov \t2, H2
    and $3, H2
    mov \t2, H0
    shr $2, H0
    and $-4, \t2
    add \t2, H0
    mov \t1, H1
    add \t0, H0
    adc $0, H1
    adc $0, H2
.endm

/* a, b = the sums of x's, of y's two lanes; both are clobbered. */
.macro _sum_pair x, y, a, b
    vpunpckhqdq \y, \x, %xmm15
    vpunpcklqdq \y, \x, \x
    vpaddq %xmm15, \x, \x
    vmovq \x, \a
    vpextrq $1, \x, \b
.endm

/*
 * void lc_poly1305_blocks_<impl>(struct lc_poly1305_state *s, const uint8_t *msg, size_t len, uint64_t pad);
 *
 * The contract is in poly1305_internal.h.  s: 16-byte aligned; msg: any alignment.  Reads len bytes of msg and none besides.
 *
 * Clobbers rax, rcx, rdx, rsi, r8-r11, the flags; with AVX2 all ymm registers, with IFMA all zmm registers and k1-k4; on the stack
 * are the caller's rbx, rbp, r12 and r13 only.  Nothing secret is left in a register.  Constant time: branches and addresses
 * depend on len, pad and num_powers only.
 */
_begin_code lc_poly1305_bmi2
FUNC(lc_poly1305_blocks_bmi2)
    _scalar
END_FUNC(lc_poly1305_blocks_bmi2)

/* struct lc_poly1305_part: asserted in src/x86/poly1305.c */
#define PART_BLOCKS 0
#define PART_NUM 8

/* h, in r8..r10, goes on with rdx parts at rsi; r0, r1 in memory, s1 in r14. */
.macro _parts r0, r1
    shl $4, %rdx
    lea (%rsi,%rdx), %r11
.Lpart\@:
    mov PART_NUM(%rsi), %rbp
    mov PART_BLOCKS(%rsi), %rbx
    add $16, %rsi
    sub $1, %rbp
    jb .Lpart_done\@
    .p2align 4
.Lpart_block\@:
    _poly_add %r8, %r9, %r10, (%rbx), 8(%rbx), $1
    _poly_mul %r8, %r9, %r10, \r0, \r1, %r14, %rax, %rcx, %r12, %r13
    add $16, %rbx
    sub $1, %rbp
    jae .Lpart_block\@
.Lpart_done\@:
    cmp %r11, %rsi
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
 * void lc_poly1305_parts_bmi2(struct lc_poly1305_state *s, const struct lc_poly1305_part *parts, size_t num_parts);
 *
 * Poly1305 goes on with the blocks of one part after the other, as lc_poly1305_blocks_fn does with pad = 1.  num_parts > 0; any of
 * them may be empty.  Clobbers and constant time as above; addresses come from the parts too.
 */
FUNC(lc_poly1305_parts_bmi2)
    _parts_begin
    mov (%rdi), %r8
    mov 8(%rdi), %r9
    mov 16(%rdi), %r10
    mov STATE_R1(%rdi), %r14
    shr $2, %r14
    add STATE_R1(%rdi), %r14
    _parts STATE_R0(%rdi), STATE_R1(%rdi)
    mov %r8, (%rdi)
    mov %r9, 8(%rdi)
    mov %r10, 16(%rdi)
    _parts_end
END_FUNC(lc_poly1305_parts_bmi2)

/*
 * void lc_poly1305_whole_bmi2(uint64_t tag[2], const struct lc_poly1305_part *parts, size_t num_parts, uint8_t key[32]);
 *
 * The tag of all of a message, its last block padded with zeros like the others.  key: r, which is clamped in place, and s.
 */
FUNC(lc_poly1305_whole_bmi2)
    _parts_begin
    mov %rcx, %r15
    mov $0x0ffffffc0fffffff, %rax
    and %rax, (%r15)
    sub $3, %rax                /* 0x0ffffffc0ffffffc */
    and 8(%r15), %rax
    mov %rax, 8(%r15)
    mov %rax, %r14
    shr $2, %r14
    add %rax, %r14
    xor %r8d, %r8d
    xor %r9d, %r9d
    xor %r10d, %r10d
    _parts (%r15), 8(%r15)
    /* h is below 1.25 * 2^130: h mod 2^130 - 5 is h or, if that reaches 2^130, h + 5.  And s is added. */
    mov %r8, %rax
    mov %r9, %rcx
    add $5, %rax
    adc $0, %rcx
    adc $0, %r10
    shr $2, %r10
    cmovnz %rax, %r8
    cmovnz %rcx, %r9
    add 16(%r15), %r8
    adc 24(%r15), %r9
    mov %r8, (%rdi)
    mov %r9, 8(%rdi)
    _parts_end
END_FUNC(lc_poly1305_whole_bmi2)
_end_code lc_poly1305_bmi2

/* ---- AVX2 ---- */

/*
 * Four lanes and five limbs of 26 bits, for products of 32 bits by 32.  As limb i * limb j at 2^(26 (i + j)) is 5 times as much at
 * 2^(26 (i + j - 5)), the powers are kept with 5 times their limbs 1..4: 25 products.
 *
 * Bounds.  Limbs are below 2^26 + 2^11 after carrying, those of powers below 2^26.5, and 5 times that; the first group, the hash
 * added, is below 2^28.  So sums of 5 products are below 2^59, of 10 below 2^60, of all lanes below 2^61.  Two chains of carries
 * run side by side, 0-1-2-3-4 and 3-4-0-1: what comes back from limb 4, times 5, has less than 2^37, so limb 1 ends below
 * 2^26 + 2^11, and so does 4.
 *
 * For two groups, 128 bytes: 50 products, 45 sums, 26 uops for splitting, 5 to add the second group, 23 for carries, together 149,
 * and 22 loads: 50 cycles for Intel's three ports, 37 for Zen's four; 45 are measured on Zen 4.  (Broadcasts from memory cost
 * loads only, and save registers.)  One group at a time takes 29 cycles there.
 */

/* A: what is multiplied; D: sums of products */
.irp i, 0,1,2,3,4
.set A\i, %ymm\i
.endr
.set D0, %ymm5
.set D1, %ymm6
.set D2, %ymm7
.set D3, %ymm8
.set D4, %ymm9
#define LO %ymm10
#define HI %ymm11
#define X0 %ymm12
#define X1 %ymm13
#define X2 %ymm14
#define R %ymm15

/* Limbs 0..4, and 5 times 1..4 */
#define LANES POWERS            /* of r^4, r^2, r^3, r^1 */
#define BROADCAST (POWERS+288)  /* of r^8: 32 bits each */

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

/* a0..a4 = the limbs of H, in lane 0; the others are zero. */
.macro _split26_words a0, a1, a2, a3, a4
    vmovq H0, %xmm10
    vmovq H1, %xmm11
    vmovq H2, %xmm14
    _split26 LO, HI, \a0, \a1, \a2, \a3, \a4
    vpsllq $24, X2, X2
    vpaddq X2, \a4, \a4
.endm

/* Store A, and 5 times its limbs 1..4. */
.macro _store26 op, reg, base, step
    .irp i, 0,1,2,3,4
    \op \reg\i, \base+\step*\i(STATE)
    .endr
    .irp i, 1,2,3,4
    vpsllq $2, A\i, X0
    vpaddq X0, A\i, A\i
    \op \reg\i, \base+\step*(4+\i)(STATE)
    .endr
.endm

/* A = the next 4 blocks, in the lanes: 0, 2, 1, 3 */
.macro _load26 disp
    vmovdqu \disp(MSG), X0
    vmovdqu \disp+32(MSG), X1
    vpunpcklqdq X1, X0, LO
    vpunpckhqdq X1, X0, HI
    _split26 LO, HI, A0, A1, A2, A3, A4
    vpor .Lpad26(%rip), A4, A4
.endm

/* D += A * (limbs at base, step apart), or = if `first` */
.macro _mul26 load, base, step, first
    _mul26_row \load, \base, \first, D0, D1, D2, D3, D4, A0, A1, A2, A3, A4
    _mul26_row \load, \base+\step, 0, D1, D2, D3, D4, , A0, A1, A2, A3
    _mul26_row \load, \base+5*\step, 0, D0, , , , , A4
    _mul26_row \load, \base+2*\step, 0, D2, D3, D4, , , A0, A1, A2
    _mul26_row \load, \base+6*\step, 0, D0, D1, , , , A3, A4
    _mul26_row \load, \base+3*\step, 0, D3, D4, , , , A0, A1
    _mul26_row \load, \base+7*\step, 0, D0, D1, D2, , , A2, A3, A4
    _mul26_row \load, \base+4*\step, 0, D4, , , , , A0
    _mul26_row \load, \base+8*\step, 0, D0, D1, D2, D3, , A1, A2, A3, A4
.endm
.macro _mul26_row load, p, first, d0, d1, d2, d3, d4, a0, a1, a2, a3, a4
    \load \p(STATE), R
    _mul26_term \first, \a0, \d0, X0
    _mul26_term \first, \a1, \d1, X1
    _mul26_term \first, \a2, \d2, X2
    _mul26_term \first, \a3, \d3, X0
    _mul26_term \first, \a4, \d4, X1
.endm
.macro _mul26_term first, a, d, t
  .ifnb \d
   .if \first
    vpmuludq \a, R, \d
   .else
    vpmuludq \a, R, \t
    vpaddq \t, \d, \d
   .endif
  .endif
.endm

.macro _add26
    .irp i, 0,1,2,3,4
    vpaddq A\i, D\i, D\i
    .endr
.endm

/* A = D, carried */
.macro _carry26
    vmovdqa .Lmask26(%rip), R
    _carry26_pair D0, D1, D0, D3, D4, D3
    vpsrlq $26, D4, X1
    vpsrlq $26, D1, X0
    vpand R, D4, D4
    vpand R, D1, D1
    vpaddq X0, D2, D2
    vpaddq X1, D0, D0
    vpsllq $2, X1, X1
    vpaddq X1, D0, D0
    _carry26_pair D2, D3, A2, D0, D1, A0
    vpsrlq $26, D3, X0
    vpand R, D3, A3
    vpaddq X0, D4, A4
    vmovdqa D1, A1
.endm
.macro _carry26_pair d, e, a, f, g, b
    vpsrlq $26, \d, X0
    vpsrlq $26, \f, X1
    vpand R, \d, \a
    vpand R, \f, \b
    vpaddq X0, \e, \e
    vpaddq X1, \g, \g
.endm

_begin_code lc_poly1305_avx2
FUNC(lc_poly1305_blocks_avx2)
    cmp $1, PAD
    jne .Lavx2_scalar
    cmp $AVX2_MIN, LEN
    jae .Lavx2
.Lavx2_scalar:
    _scalar

.Lavx2:
    cmpl $0, NUM_POWERS(STATE)
    jne 1f
    cmp $AVX2_MIN_NEW, LEN
    jb .Lavx2_scalar
1:  lea (MSG,LEN), END
    _begin
    /* Behind these blocks, groups of 4 are left. */
    mov LEN, LIMIT
    and $48, LIMIT
    jz 1f
    add MSG, LIMIT
    _scalar_loop $1
1:  _split26_words D0, D1, D2, D3, D4

    /* As many powers as it pays for, or as there are */
    mov END, T1
    sub MSG, T1
    mov $4, COUNT32
    mov $8, T0_32
    cmp $AVX2_MIN_TWO, T1
    cmovb COUNT32, T0_32
    cmp T0_32, NUM_POWERS(STATE)
    jae .Lavx2_powers
    mov T0_32, NUM_POWERS(STATE)
    _load_r
    /* r^4 .. r^1, newest first */
.Lavx2_power:
    vmovq H0, %xmm12
    vmovq H1, %xmm13
    vmovq H2, %xmm15
    vpermq $0x90, LO, LO
    vpermq $0x90, HI, HI
    vpermq $0x90, X2, X2
    vpblendd $3, X0, LO, LO
    vpblendd $3, X1, HI, HI
    vpblendd $3, R, X2, X2
    sub $1, COUNT32
    jz 1f
    _multiply
    jmp .Lavx2_power
1:  vpermq $0xd8, LO, LO
    vpermq $0xd8, HI, HI
    vpermq $0xd8, X2, X2
    _split26 LO, HI, A0, A1, A2, A3, A4
    vpsllq $24, X2, X2
    vpaddq X2, A4, A4
    _store26 vmovdqu, %ymm, LANES, 32
    cmpl $8, NUM_POWERS(STATE)
    jb .Lavx2_powers
    /* r^8 */
    mov $4, COUNT32
2:  _multiply
    sub $1, COUNT32
    jnz 2b
    _split26_words A0, A1, A2, A3, A4
    _store26 vmovd, %xmm, BROADCAST, 4

.Lavx2_powers:
    _load26 0
    .irp i, 0,1,2,3,4
    vpaddq D\i, A\i, A\i
    .endr
    add $64, MSG
    cmpl $8, NUM_POWERS(STATE)
    jb .Lavx2_group
    lea -128(END), LIMIT
    cmp LIMIT, MSG
    ja .Lavx2_group
    .p2align 6
.Lavx2_two_groups:
    _mul26 vpbroadcastd, BROADCAST, 4, 1
    _load26 0
    _mul26 vpbroadcastd, LANES, 32, 0
    _load26 64
    _add26
    _carry26
    sub $-128, MSG
    cmp LIMIT, MSG
    jbe .Lavx2_two_groups
.Lavx2_group:
    cmp END, MSG
    je .Lavx2_last
    _mul26 vpbroadcastd, LANES, 32, 1
    _load26 0
    _add26
    _carry26
    add $64, MSG
    jmp .Lavx2_group

.Lavx2_last:
    _mul26 vmovdqu, LANES, 32, 1
    /* The lanes' sums: T0..T3, H2 = limbs below 2^61 */
    .irp i, 0,1,2,3,4
    vextracti128 $1, D\i, %xmm\i
    .endr
    vpaddq %xmm5, %xmm0, %xmm0
    vpaddq %xmm6, %xmm1, %xmm1
    vpaddq %xmm7, %xmm2, %xmm2
    vpaddq %xmm8, %xmm3, %xmm3
    vpaddq %xmm9, %xmm4, %xmm4
    _sum_pair %xmm0, %xmm1, T0, T1
    _sum_pair %xmm2, %xmm3, T2, T3
    _sum_pair %xmm4, %xmm4, H2, H1
    /* T0, T1, T3 = 64-bit words */
    mov T1, H0
    shl $26, H0
    shr $38, T1
    add H0, T0
    adc $0, T1
    mov T2, H0
    shl $52, H0
    shr $12, T2
    add H0, T0
    adc T2, T1
    mov T3, H0
    shl $14, H0
    shr $50, T3
    add H0, T1
    adc $0, T3
    mov H2, H0
    shl $40, H0
    shr $24, H2
    add H0, T1
    adc H2, T3
    _reduce_h T0, T1, T3
    _wipe_vectors_end
END_FUNC(lc_poly1305_blocks_avx2)
_end_code lc_poly1305_avx2

/* ---- AVX512_IFMA ---- */

/*
 * Eight lanes and limbs of 44, 44 and 42 bits.  A multiplication adds the lower 52 bits of a product to one register, D, or the
 * upper 52 to another, E, whose place is 8 bits above the next limb's.  What is at 2^132 = 4 * 2^130 is 20 times as much at 1: s1
 * and s2 are 20 times the limbs r1 and r2.  So there are 18 multiplications:
 *
 *      D0, E0: h0 r0 + h1 s2 + h2 s1       D1, E1: h0 r1 + h1 r0 + h2 s2       D2, E2: h0 r2 + h1 r1 + h2 r0
 *
 * The second group's limbs are what D begins with.
 *
 * Carrying.  E2 is at 2^140, 5 * 2^10, and goes to D0 by one more multiplication; the other E go to the D above.  Then the three
 * D are cut at once, and what was above goes to the next, from D2 times 5 to D0: no chain at all, because factors may have 52
 * bits.  (One carry after the other, until h1 has got that of h0: 11 % longer for 512 bytes, 3 % for 16 KB.)
 *
 * Bounds.  Limbs are below 2^44 + 2^16, 2^44 + 2^11, 2^42 + 2^11 after carrying; powers from the scalar code have up to 2^42.4 in
 * r2; so s1 < 2^48.4, s2 < 2^46.8.  In the first group, the hash added, limbs are below 2^45, 2^45, 2^43.4.  With two groups, the
 * sum for limb 2 is below 2^90.3, E2 < 2^38.3, and 5 * 2^10 * E2 < 2^51; for limbs 0 and 1 it is below 2^95, and E * 2^8 < 2^51;
 * with at most 6 lower halves D < 2^55, and what is cut off is below 2^13.
 *
 * For two groups, 256 bytes: 37 multiplications, 16 uops for splitting, 15 for carries, together 68, and 4 loads.  On Intel's
 * servers, with two ports for 512 bits, that is 34 cycles; on Zen 4 the multiplications alone take 37.  43 are measured there.
 * (Loads at offsets that are merged under a mask, instead of shuffles: 4 % longer.)  One group at a time takes 29.
 */

.macro _name_registers
    _set_vectors
    .set Z_H0, V0       /* what the lanes have */
    .set Z_H1, V1
    .set Z_H2, V2
    .set Z_D0, V3       /* sums of products, lower 52 bits */
    .set Z_D1, V4
    .set Z_D2, V5
    .set Z_E0, V6       /* upper 52 bits */
    .set Z_E1, V7
    .set Z_E2, V8
    .set Z_M0, V9       /* a group, a product */
    .set Z_M1, V10
    .set Z_M2, V11
    .set Z_LO, V12
    .set Z_HI, V13
    .set Z_T, V14
    .set Z_MASK44, V15
    .set Z_MASK42, V16
    .set Z_WRAP, V17
    .set Z_PAD, V18
    .set Z_R0, V20      /* r^8, or a power for each lane */
    .set Z_R1, V21
    .set Z_R2, V22
    .set Z_S1, V23      /* 20 times these */
    .set Z_S2, V24
    .set Z_U0, V25      /* r^16 */
    .set Z_U1, V26
    .set Z_U2, V27
    .set Z_V1, V28
    .set Z_V2, V29
.endm

#define POWER_16 POWERS+192

/* m0..m2 = the limbs of lo + hi * 2^64; lo is clobbered. */
.macro _split44 lo, hi, m0, m1, m2
    vpandq Z_MASK44, \lo, \m0
    vpsrlq $44, \lo, \lo
    vpsllq $20, \hi, \m1
    vpsrlq $24, \hi, \m2
    vpternlogq $0xc8, \lo, Z_MASK44, \m1    /* (m1 | lo) & mask */
.endm

/* m0..m2 = the next 8 blocks, in the lanes: 0, 4, 1, 5, 2, 6, 3, 7 */
.macro _load44 disp, m0, m1, m2
    vmovdqu64 \disp(MSG), \m0
    vmovdqu64 \disp+64(MSG), \m1
    vpunpcklqdq \m1, \m0, Z_LO
    vpunpckhqdq \m1, \m0, Z_HI
    _split44 Z_LO, Z_HI, \m0, \m1, \m2
    vporq Z_PAD, \m2, \m2
.endm

/* s = 20 * r */
.macro _times20 r, s
    vpsllq $2, \r, \s
    vpaddq \r, \s, \s
    vpsllq $2, \s, \s
.endm

/* D, E += a * r */
.macro _mul44 a0, a1, a2, r0, r1, r2, s1, s2
    _mul44_row \a2, \s1, \s2, \r0
    _mul44_row \a1, \s2, \r0, \r1
    _mul44_row \a0, \r0, \r1, \r2
.endm
.macro _mul44_row a, b0, b1, b2
    vpmadd52luq \b0, \a, Z_D0
    vpmadd52huq \b0, \a, Z_E0
    vpmadd52luq \b1, \a, Z_D1
    vpmadd52huq \b1, \a, Z_E1
    vpmadd52luq \b2, \a, Z_D2
    vpmadd52huq \b2, \a, Z_E2
.endm

.macro _zero regs:vararg
    .irp i, \regs
    vpxorq \i, \i, \i
    .endr
.endm

.macro _merge44         /* D0..D2 = D, E */
    vpmadd52luq Z_WRAP, Z_E2, Z_D0
    vpsllq $8, Z_E0, Z_E0
    vpsllq $8, Z_E1, Z_E1
    vpaddq Z_E0, Z_D1, Z_D1
    vpaddq Z_E1, Z_D2, Z_D2
.endm

.macro _carry44 h0, h1, h2
    _merge44
    vpsrlq $44, Z_D1, Z_E1
    vpsrlq $42, Z_D2, Z_E2
    vpandq Z_MASK42, Z_D2, Z_D2
    vpandq Z_MASK44, Z_D1, Z_D1
    vpaddq Z_E1, Z_D2, \h2
    vpsllq $2, Z_E2, Z_T
    vpaddq Z_T, Z_E2, Z_E2
    vpsrlq $44, Z_D0, Z_E0
    vpandq Z_MASK44, Z_D0, Z_D0
    vpaddq Z_E0, Z_D1, \h1
    vpaddq Z_E2, Z_D0, \h0
.endm

/* M = a * r: in 256 bits, which on Zen 4 is faster than 512 */
.macro _product44 a0, a1, a2
    _zero Z_D0, Z_D1, Z_D2, Z_E0, Z_E1, Z_E2
    _mul44 \a0, \a1, \a2, Z_R0, Z_R1, Z_R2, Z_S1, Z_S2
    _carry44 Z_M0, Z_M1, Z_M2
.endm
.macro _vectors vl
    .set VL, \vl
    _name_registers
.endm

_vectors 64
_begin_code lc_poly1305_avx512_ifma
FUNC(lc_poly1305_blocks_avx512_ifma)
    cmp $1, PAD
    jne .Lifma_scalar
    cmp $IFMA_MIN, LEN
    jae .Lifma
.Lifma_scalar:
    _scalar

.Lifma:
    cmpl $0, NUM_POWERS(STATE)
    jne 1f
    cmp $IFMA_MIN_NEW, LEN
    jb .Lifma_scalar
1:  lea (MSG,LEN), END
    _begin
    /* One block above a multiple of 8 isn't worth a group. */
    mov LEN, T0
    and $112, T0_32
    cmp $16, T0_32
    jne 1f
    _add_block $1
    _multiply
    /*
     * The first k = 1..8 of the rest, to U: blocks of zeros, without pad, before them complete the group.  T0 = 16 * (k - 1).
     * (Loads of the group under masks, from before the message, take 3 cycles less, but 400 more if there is no page.)
     */
1:  lea -16(END), T0
    sub MSG, T0
    and $112, T0_32
    xor T1_32, T1_32
    mov T0, T2
    sub $48, T2
    cmova T2, T1                /* bytes before the last 4 blocks */
    mov T0_32, T2_32
    shr $3, T2_32
    xor $14, T2_32              /* 2 * (8 - k), words */
    mov $-1, T3_32
    shlx T2_32, T3_32, T3_32
    kmovw T3_32, %k1
    shr $8, T3_32
    kmovw T3_32, %k2
    vpexpandq (MSG), Z_U0{%k1}{z}
    vpexpandq (MSG,T1), Z_U1{%k2}{z}
    lea 16(MSG,T0), MSG
    lea .Lfirst(%rip), T1
    shr $4, T0_32
    movzbl (T1,T0), T2_32
    movzbl 1(T1,T0), T1_32
    kmovw T1_32, %k3            /* lanes of these blocks */
    xor T1_32, T2_32
    kmovw T2_32, %k4            /* of the first */
    vpbroadcastq .Lmask44(%rip), Z_MASK44
    vpbroadcastq .Lmask42(%rip), Z_MASK42
    vpbroadcastq .Lwrap(%rip), Z_WRAP
    vpbroadcastq .Lpad44(%rip), Z_PAD
    vpunpcklqdq Z_U1, Z_U0, Z_LO
    vpunpckhqdq Z_U1, Z_U0, Z_HI
    _split44 Z_LO, Z_HI, Z_U0, Z_U1, Z_U2
    vporq Z_PAD, Z_U2, Z_U2{%k3}
    vpbroadcastq H0, Z_LO{%k4}{z}
    vpbroadcastq H1, Z_HI{%k4}{z}
    vpbroadcastq H2, Z_T{%k4}{z}
    _split44 Z_LO, Z_HI, Z_M0, Z_M1, Z_M2
    vpsllq $40, Z_T, Z_T
    vpaddq Z_M0, Z_U0, Z_U0
    vpaddq Z_M1, Z_U1, Z_U1
    vpaddq Z_M2, Z_U2, Z_U2
    vpaddq Z_T, Z_U2, Z_U2

    cmpl $0, NUM_POWERS(STATE)
    jne .Lifma_powers

    /* r^4 .. r^1, newest first, and these times r^4 */
    movl $8, NUM_POWERS(STATE)
    _load_r
    mov $4, COUNT32
    _vectors 32
1:  vpbroadcastq H0, Z_D0
    vpbroadcastq H1, Z_D1
    vpbroadcastq H2, Z_D2
    valignq $3, Z_D0, Z_LO, Z_LO
    valignq $3, Z_D1, Z_HI, Z_HI
    valignq $3, Z_D2, Z_T, Z_T
    sub $1, COUNT32
    jz 2f
    _multiply
    jmp 1b
2:  _split44 Z_LO, Z_HI, Z_H0, Z_H1, Z_H2
    vpsllq $40, Z_T, Z_T
    vpaddq Z_T, Z_H2, Z_H2
    vpbroadcastq %xmm0, Z_R0
    vpbroadcastq %xmm1, Z_R1
    vpbroadcastq %xmm2, Z_R2
    _times20 Z_R1, Z_S1
    _times20 Z_R2, Z_S2
    _product44 Z_H0, Z_H1, Z_H2
    _vectors 64
    vpmovzxbq .Llanes(%rip), Z_D0
    vmovdqa64 Z_D0, Z_D1
    vmovdqa64 Z_D0, Z_D2
    vpermi2q Z_M0, Z_H0, Z_D0
    vpermi2q Z_M1, Z_H1, Z_D1
    vpermi2q Z_M2, Z_H2, Z_D2
    vpbroadcastq %xmm9, Z_R0
    vpbroadcastq %xmm10, Z_R1
    vpbroadcastq %xmm11, Z_R2
    vmovdqu64 Z_D0, POWERS(STATE)
    vmovdqu64 Z_D1, POWERS+64(STATE)
    vmovdqu64 Z_D2, POWERS+128(STATE)
    jmp .Lifma_first

.Lifma_powers:
    vpbroadcastq POWERS(STATE), Z_R0
    vpbroadcastq POWERS+64(STATE), Z_R1
    vpbroadcastq POWERS+128(STATE), Z_R2
.Lifma_first:
    vmovdqa64 Z_U0, Z_H0
    vmovdqa64 Z_U1, Z_H1
    vmovdqa64 Z_U2, Z_H2
    cmp END, MSG
    je .Lifma_last
    _times20 Z_R1, Z_S1
    _times20 Z_R2, Z_S2
    lea -256(END), LIMIT
    cmpl $16, NUM_POWERS(STATE)
    je 1f
    lea IFMA_MIN_TWO(MSG), T0
    cmp END, T0
    ja .Lifma_group
    movl $16, NUM_POWERS(STATE)
    _vectors 32
    _product44 Z_R0, Z_R1, Z_R2
    vmovq %xmm9, POWER_16(STATE)
    vmovq %xmm10, POWER_16+8(STATE)
    vmovq %xmm11, POWER_16+16(STATE)
    _vectors 64
    vpbroadcastq %xmm9, Z_U0
    vpbroadcastq %xmm10, Z_U1
    vpbroadcastq %xmm11, Z_U2
    jmp 2f
1:  cmp LIMIT, MSG
    ja .Lifma_group
    vpbroadcastq POWER_16(STATE), Z_U0
    vpbroadcastq POWER_16+8(STATE), Z_U1
    vpbroadcastq POWER_16+16(STATE), Z_U2
2:  _times20 Z_U1, Z_V1
    _times20 Z_U2, Z_V2
    .p2align 6
.Lifma_two_groups:
    _load44 0, Z_M0, Z_M1, Z_M2
    _load44 128, Z_D0, Z_D1, Z_D2
    _zero Z_E0, Z_E1, Z_E2
    _mul44 Z_M0, Z_M1, Z_M2, Z_R0, Z_R1, Z_R2, Z_S1, Z_S2
    _mul44 Z_H0, Z_H1, Z_H2, Z_U0, Z_U1, Z_U2, Z_V1, Z_V2
    _carry44 Z_H0, Z_H1, Z_H2
    add $256, MSG
    cmp LIMIT, MSG
    jbe .Lifma_two_groups

.Lifma_group:
    cmp END, MSG
    je .Lifma_last
    _load44 0, Z_D0, Z_D1, Z_D2
    _zero Z_E0, Z_E1, Z_E2
    _mul44 Z_H0, Z_H1, Z_H2, Z_R0, Z_R1, Z_R2, Z_S1, Z_S2
    _carry44 Z_H0, Z_H1, Z_H2
    sub $-128, MSG
    jmp .Lifma_group

.Lifma_last:
    vmovdqu64 POWERS(STATE), Z_R0
    vmovdqu64 POWERS+64(STATE), Z_R1
    vmovdqu64 POWERS+128(STATE), Z_R2
    _times20 Z_R1, Z_S1
    _times20 Z_R2, Z_S2
    _zero Z_D0, Z_D1, Z_D2, Z_E0, Z_E1, Z_E2
    _mul44 Z_H0, Z_H1, Z_H2, Z_R0, Z_R1, Z_R2, Z_S1, Z_S2
    _merge44
    /* The lanes' sums: T0..T2 = limbs below 2^58 */
    vextracti64x4 $1, Z_D0, %ymm0
    vextracti64x4 $1, Z_D1, %ymm1
    vextracti64x4 $1, Z_D2, %ymm2
    vpaddq %ymm3, %ymm0, %ymm0
    vpaddq %ymm4, %ymm1, %ymm1
    vpaddq %ymm5, %ymm2, %ymm2
    .irp i, 0,1,2
    vextracti128 $1, %ymm\i, %xmm4
    vpaddq %xmm4, %xmm\i, %xmm\i
    .endr
    _sum_pair %xmm0, %xmm1, T0, T1
    _sum_pair %xmm2, %xmm2, T2, T3
    mov T1, H0
    shl $44, H0
    shr $20, T1
    mov T2, H1
    shl $24, H1
    shr $40, T2
    add H0, T0
    adc H1, T1
    adc $0, T2
    _reduce_h T0, T1, T2
    .irp i, 20,21,22,23,24,25,26,27,28,29
    vpxorq %zmm\i, %zmm\i, %zmm\i
    .endr
    _wipe_vectors_end
END_FUNC(lc_poly1305_blocks_avx512_ifma)
_end_code lc_poly1305_avx512_ifma

.section .note.GNU-stack, "", @progbits

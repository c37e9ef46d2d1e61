/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Selection from tables in lanes, all of a table being read: what P-256's, SM2's and P-384's assembly share. */

/* d = mask ? a : d, where all bits of an element of mask are the same; a may be memory. */
.macro _choose a, mask, d
    vpternlogq $0xb8, \a, \mask, \d
.endm
/* mask = all bits of an element are bit n of x */
.macro _mask_of_bit n, x, mask
    vpsllq $63-\n, \x, \mask
    vpsraq $63, \mask, \mask
.endm

/*
 * r = one of the 16 elements at `at` in the table, in each lane by the lower bits of INDEXES: of two vectors or, by BIT3, of four.
 * tmp: with 256 bits only
 */
.macro _one_of_16 at, r, tmp
    vmovdqa64 \at(TABLE), \r
    vpermt2q \at + VL(TABLE), INDEXES, \r
.if VL < 64
    vmovdqa64 \at + 2*VL(TABLE), \tmp
    vpermt2q \at + 3*VL(TABLE), INDEXES, \tmp
    _choose \tmp, BIT3, \r
.endif
.endm

/*
 * The entry, of so many limbs = of each lane's 8 entries in the table the one with its index.  Clobbers TABLE, rax, ecx and vector
 * registers 0..7, or with VEX coding 0..5 and 10..15.
 */
.macro _take_entry limbs, symbol
    lea EX(W), %rax
    mov $\limbs, %ecx
.if CODE == EVEX
    vmovdqa64 INDEX(W), V7
    _mask_of_bit 0, V7, V4
    _mask_of_bit 1, V7, V5
    _mask_of_bit 2, V7, V6
.else
    _set_chosen INDEX(W)
.endif
.p2align 5
.Ltake_\symbol:
.if CODE == EVEX
  .irp e, 0,1,2,3
    vmovdqa64 \e*4*FE(TABLE), V\e
    _choose (2*\e+1)*2*FE(TABLE), V4, V\e
  .endr
    _choose V1, V5, V0
    _choose V3, V5, V2
    _choose V2, V6, V0
    vmovdqa64 V0, (%rax)
.else
    vpand (TABLE), CHOSEN0, V5
  .irp i, 1,2,3,4,5,6,7
    vpand \i*2*FE(TABLE), CHOSEN\i, TAKEN
    vpor TAKEN, V5, V5
  .endr
    vmovdqa V5, (%rax)
.endif
    add $VL, TABLE
    add $VL, %rax
    dec %ecx
    jnz .Ltake_\symbol
.endm

/*
 * In VEX coding: CHOSEN0..7 are all bits of the lanes whose index, which is memory, is that number; or, with _set_chosen_of_4,
 * that number times 4 and a rest, modulo 32.  By the rest VPERMD takes one of four elements, as CHOICE says for the halves of a
 * lane; whoever includes this has .Lvex_upper_dword, 2^32 in all lanes.  Of 8 the one whose mask isn't 0 is it.  (VBLENDVPD, by
 * which 7 instructions choose one of 8 instead of 15, has eight steps on small cores.)
 */
.macro _name_chosen
    .set CHOSEN0, V0
    .set CHOSEN1, V1
    .set CHOSEN2, V2
    .set CHOSEN3, V3
    .set CHOSEN4, V4
    .set CHOSEN5, V10
    .set CHOSEN6, V11
    .set CHOSEN7, V12
    .set CHOICE, V13
    .set TAKEN, V14
.endm
.macro _set_chosen index
    _name_chosen
    vmovdqa \index, CHOICE
    _compare_with_all
.endm
.macro _set_chosen_of_4 index
    _name_chosen
    vmovdqa \index, CHOICE
    vpsllq $59, CHOICE, CHOICE
    vpsrlq $61, CHOICE, CHOICE
    _compare_with_all
    vmovdqa \index, CHOICE
    vpaddq CHOICE, CHOICE, CHOICE
    vpshufd $0xa0, CHOICE, CHOICE
    vpor .Lvex_upper_dword(%rip), CHOICE, CHOICE
.endm
/* CHOICE is 0, 1, .. 7 */
.macro _compare_with_all
    vpcmpeqd TAKEN, TAKEN, TAKEN
    vpxor V15, V15, V15
.irp i, 0,1,2,3,4,5,6,7
    vpcmpeqq V15, CHOICE, CHOSEN\i
  .if \i < 7
    vpaddq TAKEN, CHOICE, CHOICE
  .endif
.endr
.endm
/* d = of the 32 elements at `at`, which all lanes have in common */
.macro _one_of_32 at, d
    vpermd \at(TABLE), CHOICE, \d
    vpand CHOSEN0, \d, \d
.irp i, 1,2,3,4,5,6,7
    vpermd \at+\i*VL(TABLE), CHOICE, TAKEN
    vpand CHOSEN\i, TAKEN, TAKEN
    vpor TAKEN, \d, \d
.endr
.endm

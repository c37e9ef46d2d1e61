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

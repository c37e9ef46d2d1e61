/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One block of Poly1305 in general registers, as macros for whoever has their own loop.
 *
 *      h = (h + m) * r  mod 2^130 - 5
 *
 * h is three 64-bit words.  r, clamped, has two, both below 2^60, and r1 is a multiple of 4: so h[i] * r1 * 2^128, that is
 * h[i] * (r1 / 4) * 2^130, is h[i] * s1 with s1 = r1 / 4 * 5 = r1 + (r1 >> 2), and the product of 3 by 2 words needs three:
 *
 *      d0 = h0 r0 + h1 s1              at 1
 *      d1 = h0 r1 + h1 r0 + h2 s1      at 2^64
 *      d2 = h2 r0                      at 2^128
 *
 * The usual way to carry, from d0 to d1 to d2 and from there to d0 again, is one long chain.  Here the upper word at 2^128,
 *
 *      e2 = high(h0 r1 + h1 r0) + h2 r0,
 *
 * is reduced without waiting for what d0 carries: its lowest two bits stay, and the rest, times 5, enters at 1.  One chain of
 * additions then does everything else, and its last carry makes h2 at most 4:
 *
 *      h0 = low(d0) + 5 * (e2 >> 2)
 *      h1 = low(h0 r1 + h1 r0) + (high(d0) + h2 s1)
 *      h2 = (e2 & 3)
 *
 * Nothing overflows as long as h2, the block and its carry added, is at most 9:  high(d0) < 2.25 * 2^60 and h2 s1 < 11.25 * 2^60;
 * e2 < 11 * 2^60.  So h2 <= 7 before the block will do.
 *
 * 27 instructions a block, 31 uops with 2 for each mulx.  The chain from h0 to h0: a product 4 (h1 begins a cycle later), its
 * sums 3, the multiplication by 5 2, two additions: 12 cycles; 12.4 are measured on Zen 4.  (The long chain: 14.9.  The
 * multiplication by 5 as shift and lea, an instruction less: 13.4.)
 */
#ifndef LC_X86_POLY1305_SCALAR_H
#define LC_X86_POLY1305_SCALAR_H

/*
 * h += m + pad * 2^128.  m0, m1: 64-bit memory or registers.  pad: $1, $0, or a register.
 * (Operands with a comma inside have to be in quotes.)
 */
.macro _poly_add h0, h1, h2, m0, m1, pad
    add \m0, \h0
    adc \m1, \h1
    adc \pad, \h2
.endm

/*
 * h *= r.  r0, r1, s1: registers or memory.  t0..t3 and rdx are clobbered, and hold secrets afterwards; so are the flags.  All
 * eight registers have to be different.
 *
 * In steps 0..3 for who has other instructions to put between them: any that leave the flags and these registers alone.
 */
.macro _poly_mul_step step, h0, h1, h2, r0, r1, s1, t0, t1, t2, t3
.if \step == 0
    mov \h0, %rdx
    mulx \r1, \t0, \t1
    mulx \r0, \h0, \t2
.elseif \step == 1
    mov \h1, %rdx
    mulx \r0, \h1, \t3
    add \t0, \h1
    adc \t3, \t1
    mulx \s1, \t0, \t3
    mov \h2, %rdx
    imul \r0, \h2
.elseif \step == 2
    add \h2, \t1                /* e2 */
    add \t0, \h0
    adc \t3, \t2
    imul \s1, %rdx
    add %rdx, \t2               /* high(d0) + h2 s1 */
    mov \t1, \h2
    mov \t1, \t3
.else
    and $-4, \t1
    shr $2, \t3
    add \t3, \t1
    and $3, \h2
    add \t1, \h0
    adc \t2, \h1
    adc $0, \h2
.endif
.endm

.macro _poly_mul h0, h1, h2, r0, r1, s1, t0, t1, t2, t3
    .irp step, 0,1,2,3
    _poly_mul_step \step, \h0, \h1, \h2, "\r0", "\r1", "\s1", \t0, \t1, \t2, \t3
    .endr
.endm

#endif

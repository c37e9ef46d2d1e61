/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One block of Poly1305 in general registers, as macros for code that has its own loop; and why it works.
 *
 * -- What is computed -----------------------------------------------------------------------------------------------------------
 *
 *      h = (h + m) * r  mod p,  p = 2^130 - 5
 *
 * m is a block, 16 bytes as a little-endian number, with a bit put on top of it, 2^128.  r is the first half of the one-time key.
 * Numbers are in words of 64 bits: h = h0 + h1 * 2^64 + h2 * 2^128, where h2 has a few bits only, and r = r0 + r1 * 2^64.
 *
 * -- The product ----------------------------------------------------------------------------------------------------------------
 *
 * Three words by two are six products.  By where they stand:
 *
 *      at 1          at 2^64                   at 2^128                  at 2^192
 *      h0 r0         h0 r1 + h1 r0             h1 r1 + h2 r0             h2 r1
 *
 * Modulo p, 2^130 is 5.  So what is at 2^130 or above may come back 130 bits lower, times 5.  But words stand at multiples of 64,
 * and 128 isn't 130: a product at 2^128 would have to be cut, and its parts shifted by 2 bits.
 *
 * Clamping avoids that.  Poly1305 clears 22 bits of r before it is used: the upper four of each 32-bit word, and the lower two of
 * each but the first.  Hence r0 and r1 are below 2^60, and r1 is a multiple of 4.  So
 *
 *      r1 * 2^128  =  (r1 / 4) * 2^130  =  (r1 / 4) * 5  =  r1 + r1 / 4  =  s1
 *
 * is a whole number, known before the message is: s1 = r1 + (r1 >> 2), below 1.25 * 2^60.  A product by r1 at 2^128 is a product
 * by s1 at 1, and one at 2^192 is one at 2^64.  Nothing is cut or shifted, and three sums are left:
 *
 *      d0 = h0 r0 + h1 s1              at 1
 *      d1 = h0 r1 + h1 r0 + h2 s1      at 2^64
 *      d2 = h2 r0                      at 2^128
 *
 * -- Carrying -------------------------------------------------------------------------------------------------------------------
 *
 * d0 and d1 have two words each.  The usual way carries the upper word of d0 to d1, that of d1 to d2, and what is above 2^130
 * then, e, to d0 again as 5 * e: one long chain, after which the next block can begin.
 *
 * Here the sum at 2^128 is made without what d0 carries:
 *
 *      e2 = high(h0 r1 + h1 r0) + h2 r0
 *
 * Its lowest two bits are below 2^130 and stay.  The rest, e2 >> 2, comes back to 1, times 5: as (e2 >> 2) + 4 * (e2 >> 2), where
 * the latter is e2 without its lowest two bits.  Meanwhile d0 has become ready.  What is left is one chain of three additions:
 *
 *      h0 = low(d0)             + 5 * (e2 >> 2)
 *      h1 = low(h0 r1 + h1 r0)  + (high(d0) + h2 s1)       + carry
 *      h2 = (e2 & 3)                                       + carry
 *
 * h isn't reduced to less than p, only to h2 <= 4.  That is enough for the next block, and lc_poly1305_tag() does the rest at the
 * end.
 *
 * -- Bounds: no sum overflows its 64 or 128 bits --------------------------------------------------------------------------------
 *
 * Let h2 be at most 9 in the product, the block's bit on top and the carry of its addition included; so h2 <= 7 before the block
 * will do, and 4 is what it is.
 *
 *      d0                 < 2^64 * (2^60 + 1.25 * 2^60)         = 2.25 * 2^124
 *      high(d0) + h2 s1   < 2.25 * 2^60 + 9 * 1.25 * 2^60       = 13.5 * 2^60      < 2^64
 *      h0 r1 + h1 r0      < 2 * 2^124
 *      e2                 < 2 * 2^60 + 9 * 2^60                 = 11 * 2^60        < 2^64
 *      5 * (e2 >> 2)      < 1.25 * 11 * 2^60                    = 13.75 * 2^60     < 2^64
 *      h2                 <= 3 + 1
 *
 * -- What it costs --------------------------------------------------------------------------------------------------------------
 *
 * 27 instructions a block, 31 uops with 2 for each mulx.  The chain from h0 to h0: a product 4 (h1 begins a cycle later), its
 * sums 3, the multiplication by 5 2, two additions: 12 cycles; 12.4 are measured on Zen 4.  (The usual chain: 14.9.  The
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
 * h *= r.  r0, r1, s1: registers or memory.  t0..t3 and rdx are clobbered and hold secrets afterwards; so are the flags.  All eight
 * registers have to be different.
 *
 * With MULX = 1 products are made by mulx, which multiplies by rdx; with 0, for CPUs without BMI2, by mul, which multiplies by rax
 * and gives rdx:rax: t0 has to be rax then.  That is 35 instructions a block, 39 uops, and on Zen 4 13.8 cycles where mulx takes
 * 13.2 in the same run: the chain is much the same.
 *
 * In steps 0..3, for code that has other instructions to put between them.  These have to leave the eight registers alone.  The
 * flags are free there: no carry goes from one step to the next.
 */
.macro _poly_mul_step step, h0, h1, h2, r0, r1, s1, t0, t1, t2, t3
.if \step == 0 && MULX
    mov \h0, %rdx
    mulx \r1, \t0, \t1          /* t1:t0 = h0 r1 */
    mulx \r0, \h0, \t2          /* t2:h0 = h0 r0 */
.elseif \step == 0
    mov \h0, \t0
    mulq \r1
    mov \t0, \t3
    mov %rdx, \t1               /* t1:t3 = h0 r1 */
    mov \h0, \t0
    mulq \r0
    mov \t0, \h0
    mov %rdx, \t2               /* t2:h0 = h0 r0 */
.elseif \step == 1 && MULX
    mov \h1, %rdx
    mulx \r0, \h1, \t3          /* t3:h1 = h1 r0 */
    add \t0, \h1
    adc \t3, \t1                /* t1:h1 = h0 r1 + h1 r0 */
    mulx \s1, \t0, \t3          /* t3:t0 = h1 s1 */
    mov \h2, %rdx
    imul \r0, \h2               /* h2 = d2 */
.elseif \step == 1
    mov \h1, \t0
    mulq \s1
    add \t0, \h0
    adc %rdx, \t2               /* t2:h0 = d0 */
    mov \h1, \t0
    mulq \r0
    mov \t0, \h1
    add \t3, \h1
    adc %rdx, \t1               /* t1:h1 = h0 r1 + h1 r0 */
.elseif \step == 2 && MULX == 0
    mov \h2, \t0
    imul \r0, \h2               /* h2 = d2 */
    imul \s1, \t0
    add \h2, \t1                /* t1 = e2 */
    add \t0, \t2                /* t2 = high(d0) + h2 s1 */
    mov \t1, \h2
    mov \t1, \t3
.elseif \step == 2
    add \h2, \t1                /* t1 = e2 */
    add \t0, \h0
    adc \t3, \t2                /* t2:h0 = d0 */
    imul \s1, %rdx
    add %rdx, \t2               /* t2 = high(d0) + h2 s1 */
    mov \t1, \h2
    mov \t1, \t3
.else
    and $-4, \t1
    shr $2, \t3
    add \t3, \t1                /* t1 = 5 * (e2 >> 2) */
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

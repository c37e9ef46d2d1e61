/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Curves in lanes by AVX-512 IFMA or, in VEX coding, by AVX-IFMA: what their assembly shares */
#ifndef LC_X86_IFMA_H
#define LC_X86_IFMA_H

#include "asm.h"

/* A number in all lanes of a vector of 256 bits: VEX coding has no other way to take it from memory. */
.macro _constant name, number
\name:
    _in_lanes "\number"
.endm
.macro _in_lanes number
    .quad \number, \number, \number, \number
.endm

/* A vector register's name, that of its lower 16 bytes, and its number for what is coded byte by byte */
.macro _name name, number
    .set \name, V\number
    .set \name\()_XMM, %xmm\number
    .set \name\()_NUMBER, \number
.endm

/* vpand, vpor, vpxor, vpandn: in EVEX coding they are called vpandq and so on */
.macro _logic insn, operands:vararg
.if CODE == EVEX
    \insn\()q \operands
.else
    \insn \operands
.endif
.endm

/* r = 0; where there is VEX coding, it takes a byte or two less and clears all of a register, too. */
.macro _zero r
.if \r\()_NUMBER < 16
    vpxor \r\()_XMM, \r\()_XMM, \r\()_XMM
.else
    vpxorq \r, \r, \r
.endif
.endm

/* A vector at offset(base) */
.macro _load_vector offset, base, d
    _mov "\offset(\base)", \d
.endm
.macro _store_vector d, offset, base
    _mov \d, "\offset(\base)"
.endm

/* d = what a limb has above 52 bits; in VEX coding it isn't negative. */
.macro _carry_of limb, d
.if CODE == EVEX
    vpsraq $52, \limb, \d
.else
    vpsrlq $52, \limb, \d
.endif
.endm

/*
 * d += the lower (lu) or upper (hu) 52 bits of the products of a and b.  In _madd_memory a is at offset(base), and in VEX coding
 * base is r8 to r11.
 *
 * Assemblers before binutils 2.40 and LLVM 16 don't know these instructions in VEX coding, so it's done here: C4; inverted, the
 * highest bits of d and of what is multiplied by b, and 2 for the map; 1 for 64 bits, b inverted, 1 for 256 bits, 1 for the prefix
 * 66; B4 or B5; d and the other factor.  Tests do without such a CPU: LC_AVXIFMA_BY_EVEX takes the other coding in its place.
 */
#ifdef LC_AVXIFMA_BY_EVEX
.set BY_EVEX, 1
#else
.set BY_EVEX, 0
#endif
.macro _madd which, a, b, d
.if CODE == EVEX || BY_EVEX
    vpmadd52\which\()q \a, \b, \d
.else
    _vex_madd \which, "\a\()_NUMBER >> 3", \b\()_NUMBER, \d\()_NUMBER
    .byte 0xc0 | (\d\()_NUMBER & 7) << 3 | (\a\()_NUMBER & 7)
.endif
.endm
.macro _madd_memory which, offset, base, b, d
.if CODE == EVEX || BY_EVEX
    vpmadd52\which\()q \offset(\base), \b, \d
.else
    _vex_madd \which, 1, \b\()_NUMBER, \d\()_NUMBER
.set BASE, 8
.irp n, 8,9,10,11
.ifc \base,%r\n
    .set BASE, \n - 8
.endif
.endr
.if BASE == 8
    .error "only r8 to r11 are coded here"
.elseif \offset == 0
    .byte (\d\()_NUMBER & 7) << 3 | BASE
.elseif \offset < 128
    .byte 0x40 | (\d\()_NUMBER & 7) << 3 | BASE, \offset
.else
    .byte 0x80 | (\d\()_NUMBER & 7) << 3 | BASE
    .long \offset
.endif
.endif
.endm
.macro _vex_madd which, high_of_a, b, d
    .byte 0xc4, 0x42 | (1 - (\d >> 3)) << 7 | (1 - (\high_of_a)) << 5, 0x85 | (15 - \b) << 3
.ifc \which,lu
    .byte 0xb4
.else
    .byte 0xb5
.endif
.endm

/*
 * Columns sum and sum + 1 of stream s += the product of f and of the limb in its A.  That is for vectors of 512 bits, where f is
 * loaded once for both: Granite Rapids multiplies twice a cycle, but 1.4 times if a factor of each is in memory.  The upper half is
 * first, so that from limb to limb a column has two other multiplications in between, not none.  (With 256 bits, too, it would
 * gain something, but functions have more bytes.)
 */
.macro _product_of_limbs s, sum, f
.irp k, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
.if \k == (\sum) + 1
    _madd hu, \f, \s\()A, \s\k
.endif
.endr
.irp k, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14
.if \k == (\sum)
    _madd lu, \f, \s\()A, \s\k
.endif
.endr
.endm

/* Zeros in two numbers, each of `fe` bytes, at each pointer.  low: of the index 32 bits */
.macro _clear_points fe, index, low, pointers:vararg
    _zero P0
    mov $(2*\fe-VL), \low
35:
.irp r, \pointers
    _mov P0, "(\r,\index)"
.endr
    sub $VL, \low
    jae 35b
.endm

#endif

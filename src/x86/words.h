/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers of four or six 64-bit words in general registers, as macros: what the curves have in common that calculate one point at
 * a time.  A number is in memory, the lowest word first, or it is r, in registers.
 *
 * Whoever includes this defines
 *
 *      WORDS           of a number, 4 or 6
 *      R0, R1, ..      the registers of r, as many
 */
#ifndef LC_X86_WORDS_H
#define LC_X86_WORDS_H

/* The caller's registers but %r15, and that too if it is given.  The push of `also` is the last one, its pop the first. */
.macro _save_registers also
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
.ifnb \also
    push \also
.endif
.endm

.macro _restore_registers also
.ifnb \also
    pop \also
.endif
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
.endm

/* r = m */
.macro _load m
    mov \m, R0
    mov 8+\m, R1
    mov 16+\m, R2
    mov 24+\m, R3
#if WORDS == 6
    mov 32+\m, R4
    mov 40+\m, R5
#endif
.endm

/* m = r */
.macro _store m
    mov R0, \m
    mov R1, 8+\m
    mov R2, 16+\m
    mov R3, 24+\m
#if WORDS == 6
    mov R4, 32+\m
    mov R5, 40+\m
#endif
.endm

/* r += m, not reduced; the flags are those of the last addition. */
.macro _add_words m
    add \m, R0
    adc 8+\m, R1
    adc 16+\m, R2
    adc 24+\m, R3
#if WORDS == 6
    adc 32+\m, R4
    adc 40+\m, R5
#endif
.endm

/* r -= m, likewise */
.macro _sub_words m
    sub \m, R0
    sbb 8+\m, R1
    sbb 16+\m, R2
    sbb 24+\m, R3
#if WORDS == 6
    sbb 32+\m, R4
    sbb 40+\m, R5
#endif
.endm

#endif

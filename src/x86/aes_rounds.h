/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES with the keys from memory and the rounds in a loop: how the loop counts.
 *
 * A key schedule has 15 slots of 16 bytes, and its last round is always in slot 14 (src/aes.h).  With n rounds, round r has slot
 * 14 - n + r, for r = 1 .. n.  So the loop counts upwards to slot 14: a counter goes from -16 * (n - 1) to 0 in steps of 16, and is
 * at the same time the distance of the round's slot from slot 14.
 *
 * By default _count_rounds takes these, named by the including file:
 *
 *   KEY_ROUNDS(KEY)    the number of rounds, 32 bits
 *   ROUNDS, ROUNDS32   the counter, and its lower half
 */
#ifndef LC_X86_AES_ROUNDS_H
#define LC_X86_AES_ROUNDS_H

#define SLOT_14 224 /* offset of slot 14 */

/* counter = -16 * (rounds - 1); counter32: its lower half; rounds: memory of 32 bits. */
.macro _count_rounds rounds=KEY_ROUNDS(KEY), counter32=ROUNDS32, counter=ROUNDS
    xor \counter32, \counter32
    sub \rounds, \counter32
    shl $4, \counter32
    movslq \counter32, \counter
    add $16, \counter
.endm

#endif

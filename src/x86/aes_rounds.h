/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES encryption of a few vectors with the keys from memory and the rounds in a loop: small, and with no round keys in registers
 * but the last.
 *
 * A key schedule has 15 slots of 16 bytes, and its last round is always in slot 14 (src/aes.h).  With n rounds, round r has slot
 * 14 - n + r, for r = 1 .. n.  So the loop counts upwards to slot 14: a counter goes from -16 * (n - 1) to 0 in steps of 16, and is
 * at the same time the distance of the round's slot from slot 14.
 *
 * _looped_rounds wants these registers and places, named by the including file.  _count_rounds does with any, as arguments.
 *
 *   KEY                the struct that begins with the schedule; SLOT(i) is slot i in it
 *   KEY_ROUNDS         offset of the number of rounds, 32 bits
 *   ROUNDS, ROUNDS32   the counter as it begins, and its lower half; kept for all uses of the loop
 *   TMP                the counter in the loop; clobbered
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

/*
 * All rounds but the last on the n vectors <data>0, <data>1, ..  key: a vector register below 16, in which the last round's key is
 * then found.
 */
.macro _looped_rounds n, data, key
    _load_lanes_low SLOT(0), \key
    _for_each \n, _xor \key, \data\()\i, \data\()\i
    mov ROUNDS, TMP
    .p2align 5
1:  _load_lanes_low_at SLOT_14, KEY, TMP, \key
    _for_each \n, _aes enc, \key, \data\()\i
    add $16, TMP
    jnz 1b
    _load_lanes_low SLOT(14), \key
.endm

#endif

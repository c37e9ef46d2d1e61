/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES encryption of a few vectors with the keys from memory and the rounds in a loop, for CTR and GCM: small, and with no round
 * keys in registers but the last.
 *
 * The including file has named the registers: KEY, the struct, which has round keys in its first 15 slots and their number at
 * KEY_ROUNDS; ROUNDS, and ROUNDS32, its lower half; TMP, which is clobbered; vectors D0.. and KT.  SLOT(i) is slot i.
 */
#ifndef LC_X86_AES_ROUNDS_H
#define LC_X86_AES_ROUNDS_H

/* ROUNDS = where round key 1 is, from slot 14 on: -16 * (rounds - 1) */
.macro _count_rounds
    xor ROUNDS32, ROUNDS32
    sub KEY_ROUNDS(KEY), ROUNDS32
    shl $4, ROUNDS32
    movslq ROUNDS32, ROUNDS
    add $16, ROUNDS
.endm

/* Rounds on D of these numbers, all but the last; KT = the last one's key. */
.macro _rounds numbers:vararg
    _load_lanes_low SLOT(0), KT
    .irp i, \numbers
    _xor KT, D\i, D\i
    .endr
    mov ROUNDS, TMP
    .p2align 5
1:  _load_lanes_low_at 224, KEY, TMP, KT
    .irp i, \numbers
    _aes enc, KT, D\i
    .endr
    add $16, TMP
    jnz 1b
    _load_lanes_low SLOT(14), KT
.endm

#endif

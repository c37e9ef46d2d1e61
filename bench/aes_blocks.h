/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A block of AES-128 as each guest's code has it, one instruction after the other, by <lanecrypt/aes_round.h>'s inline functions.
 * aes_blocks.c is compiled once for each host with that host's options, as src/aes_round_ops.c is.
 */
#ifndef LC_BENCH_AES_BLOCKS_H
#define LC_BENCH_AES_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum bench_guest {
    BENCH_GUEST_X86,           /* 9 AESENC, AESENCLAST */
    BENCH_GUEST_ARM,           /* 10 AESE, 9 AESMC */
    BENCH_GUEST_ARM_PAIRS,     /* the same for a translator that sees 9 pairs of AESE and AESMC */
    BENCH_GUEST_POWER,         /* 9 vcipher, vcipherlast; bytes are numbered from the other end */
    BENCH_GUEST_RISCV64,       /* 18 aes64esm, 2 aes64es */
    BENCH_GUEST_RISCV64_PAIRS, /* the same for a translator that sees 10 pairs */
    BENCH_GUEST_RISCV32,       /* 144 aes32esmi, 16 aes32esi */
    BENCH_NUM_GUESTS
};

/* A block is encrypted `times` times, each time what the time before has made.  The keys are in the guest's byte order too. */
typedef void bench_aes_blocks_run(uint8_t block[16], const uint8_t keys[11][16], size_t times);

struct bench_aes_blocks {
    const char *host; /* LC_AES_ROUND_HOST */
    bench_aes_blocks_run *run[BENCH_NUM_GUESTS];
};

#endif

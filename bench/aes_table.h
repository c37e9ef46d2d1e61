/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES rounds as generic helpers of emulators have them: the peers of `lanecrypt speed --alg aes-round`; no part of the library. */
#ifndef LC_BENCH_AES_TABLE_H
#define LC_BENCH_AES_TABLE_H

#include "lanecrypt/aes_round.h"

/*
 * With a table of 256 bytes for the S-box; and with four of 256 words besides, for whatever has MixColumns or its inverse in it.
 * Tables are looked up at the data: the time is not constant.  Members that nobody times are NULL.
 */
const struct lc_aes_round_ops *bench_aes_byte_table(void);
const struct lc_aes_round_ops *bench_aes_word_tables(void);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES rounds as generic helpers of emulators have them: the peer of `lanecrypt speed --alg aes-round`; no part of the library. */
#ifndef LC_BENCH_AES_TABLE_H
#define LC_BENCH_AES_TABLE_H

#include "lanecrypt/aes_round.h"

/* The S-box is a table of bytes, looked up at the data: its time is not constant.  Members that nobody times are NULL. */
const struct lc_aes_round_ops *bench_aes_table(void);

#endif

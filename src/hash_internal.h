/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* How the row of a hash says what it does with several messages at once. */
#ifndef LC_HASH_INTERNAL_H
#define LC_HASH_INTERNAL_H

#include "internal.h"

/* num_lanes messages, which pay from `least` on, rather than to be done by what comes next in the row, or one after the other. */
#define LC_HASH_LANES(hash)                                                                                                        \
    struct {                                                                                                                       \
        lc_##hash##_lanes_fn *run; /* NULL: none */                                                                                \
        uint8_t num_lanes, least;                                                                                                  \
        uint8_t word_stride, lane_stride; /* word i of lane n is h[i * word_stride + n * lane_stride] */                           \
    }

#endif

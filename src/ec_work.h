/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What operations with one point work on (ec_one.h), with names for a curve's numbers.  Whoever includes it defines CURVE and BITS
 * (ec_names.h).
 */

/* An entry of a table */
struct EC(point) {
    uint64_t x[WORDS], y[WORDS];
};

struct EC(work) {
    uint64_t x[WORDS], y[WORDS], z[WORDS];
    struct EC(point) entry;
    uint64_t index, negative;
    uint64_t t[4][WORDS];
};

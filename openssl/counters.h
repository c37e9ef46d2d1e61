/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How full batches were, if the configuration says `count-batches = yes`: what the module keeps in its own memory, for
 * `lanecrypt doctor --pid` to find there.  Nothing is written anywhere, no other user can read it, and it ends with the process.
 */
#ifndef LANECRYPT_PROVIDER_COUNTERS_H
#define LANECRYPT_PROVIDER_COUNTERS_H

#include <stdint.h>

#define LCP_COUNTERS_MAGIC "lanecrypt's batches, #1" /* with its NUL; another number if the structure is another one */

enum { LCP_COUNTERS_ALIGN = 64, LCP_MAX_KINDS = 32, LCP_MAX_BATCH = 8 };

/* One kind of operation.  [n]: batches of n + 1. */
struct lcp_count {
    char name[24]; /* "" behind the last one */
    uint64_t alone, in_jobs[LCP_MAX_BATCH], in_threads[LCP_MAX_BATCH];
};

/* It begins at a multiple of LCP_COUNTERS_ALIGN. */
struct lcp_counters {
    char magic[24];
    uint64_t is_on;
    struct lcp_count kinds[LCP_MAX_KINDS];
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the public functions of CTR ask of an implementation: a row that writes its calls down and touches nothing, so that lengths
 * and addresses can be any.  In C, as src/ctr_internal.h isn't for C++.
 */
#ifndef LC_TESTS_CTR_WHITE_BOX_H
#define LC_TESTS_CTR_WHITE_BOX_H

#include "lanecrypt/ctr.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WB_CTR_MAX_CALLS = 4 };

struct wb_ctr_call {
    const uint8_t *dst, *src;
    size_t len;
    uint8_t iv[16];
};

/* Make a key of that row.  Its calls go to calls[], from the first one on. */
void wb_ctr_record(struct lc_ctr_key *key, struct wb_ctr_call calls[WB_CTR_MAX_CALLS]);
/* How many were made since then; those that found no room in calls[] too. */
size_t wb_ctr_num_calls(void);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* An implementation of ChaCha20 that only writes down what it is called with. */
#ifndef LC_TESTS_CHACHA20_WHITE_BOX_H
#define LC_TESTS_CHACHA20_WHITE_BOX_H

#include "lanecrypt/chacha20.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WB_CHACHA20_MAX_CALLS 10

struct wb_chacha20_call {
    uint8_t *dst;
    const uint8_t *src;
    size_t len;
    uint32_t iv[4];
};

/* Give the key that implementation, and note its calls from now on, the first of them in calls. */
void wb_chacha20_record(struct lc_chacha20_key *key, struct wb_chacha20_call calls[WB_CHACHA20_MAX_CALLS]);
size_t wb_chacha20_num_calls(void);

#ifdef __cplusplus
}
#endif
#endif

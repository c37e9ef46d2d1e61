/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "ctr_white_box.h"

#include "ctr_internal.h"

static struct wb_ctr_call *calls;
static size_t num_calls;

static void record(const struct lc_ctr_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16])
{
    (void)key;
    if (num_calls < WB_CTR_MAX_CALLS) {
        calls[num_calls].dst = dst;
        calls[num_calls].src = src;
        calls[num_calls].len = len;
        memcpy(calls[num_calls].iv, iv, 16);
    }
    num_calls++;
}

static const struct lc_ctr_impl row = { { .name = "ctr-recorded" }, NULL, record };

void wb_ctr_record(struct lc_ctr_key *key, struct wb_ctr_call to[WB_CTR_MAX_CALLS])
{
    memset(key, 0, sizeof(*key));
    key->impl = &row;
    calls = to;
    num_calls = 0;
}

size_t wb_ctr_num_calls(void)
{
    return num_calls;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "chacha20_white_box.h"

#include "chacha20_internal.h"

static struct wb_chacha20_call *calls;
static size_t num_calls;

static void record(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32], const uint32_t iv[4])
{
    (void)key;
    if (num_calls < WB_CHACHA20_MAX_CALLS) {
        calls[num_calls].dst = dst;
        calls[num_calls].src = src;
        calls[num_calls].len = len;
        memcpy(calls[num_calls].iv, iv, 16);
    }
    num_calls++;
}

static const struct lc_chacha20_impl row = { { .name = "chacha20-recorded" }, record, LC_CHACHA20_AHEAD_LEN };

void wb_chacha20_record(struct lc_chacha20_key *key, struct wb_chacha20_call to[WB_CHACHA20_MAX_CALLS])
{
    memset(key, 0, sizeof(*key));
    key->impl = &row;
    calls = to;
    num_calls = 0;
}

size_t wb_chacha20_num_calls(void)
{
    return num_calls;
}

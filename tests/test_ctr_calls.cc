// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-CTR: what the public functions ask of an implementation.  Its contract (src/ctr_internal.h) is that the low half of the
// counter doesn't wrap within a call and that there are bytes to do.  No data is touched here, so lengths can be any.
#include <algorithm>

#include "ctr_support.h"
#include "ctr_white_box.h"

static uint64_t low_half(const uint8_t *counter)
{
    uint64_t x = 0;

    for (size_t i = 8; i < 16; i++)
        x = x << 8 | counter[i];
    return x;
}

// Addresses that nothing lies at.
static uint8_t *const no_dst = reinterpret_cast<uint8_t *>(1);
static const uint8_t *const no_src = reinterpret_cast<const uint8_t *>(2);

// Are these the calls that do len bytes from counter iv on, in as few as can be?
static void check_calls(const wb_ctr_call *calls, size_t num_calls, size_t len, const Bytes &iv)
{
    uint64_t blocks_before_wrap = -low_half(iv.data()); // 0: 2^64
    size_t num_blocks = len / 16 + (len % 16 != 0), done = 0;
    Bytes counter = iv;

    ASSERT_EQ(num_calls, len == 0 ? 0u : blocks_before_wrap == 0 || num_blocks <= blocks_before_wrap ? 1u : 2u);
    for (size_t i = 0; i < num_calls; i++) {
        ASSERT_EQ(calls[i].dst, no_dst + done);
        ASSERT_EQ(calls[i].src, no_src + done);
        ASSERT_TRUE(same(counter.data(), calls[i].iv, 16));
        ASSERT_GT(calls[i].len, 0u);
        ASSERT_LE(calls[i].len, len - done);
        ASSERT_LE((calls[i].len - 1) / 16, ~low_half(calls[i].iv)) << "the low half wraps within a call";
        done += calls[i].len;
        if (i + 1 < num_calls) {
            ASSERT_EQ(calls[i].len % 16, 0u);
        }
        counter = counter_plus(counter, calls[i].len / 16);
    }
    ASSERT_EQ(done, len);
}

/* clang-format off */
static const uint64_t near_a_wrap[] = { 0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000, 1 << 20, UINT64_C(1) << 28,
                                        (UINT64_C(1) << 28) + 1, UINT64_C(1) << 32, UINT64_C(1) << 58, UINT64_C(1) << 59,
                                        (UINT64_C(1) << 60) - 1, UINT64_C(1) << 60, (UINT64_C(1) << 60) + 1, UINT64_C(1) << 63 };
/* clang-format on */

static std::vector<size_t> some_lens()
{
    std::vector<size_t> lens = { (size_t{ 1 } << 32) - 1, size_t{ 1 } << 32, (size_t{ 1 } << 32) + 1, (size_t{ 1 } << 32) + 16,
                                 size_t{ 1 } << 36,       PTRDIFF_MAX / 2,   PTRDIFF_MAX / 2 + 1 };

    for (size_t len = 0; len <= 1100; len++)
        lens.push_back(len);
    for (size_t len = 0; len <= 40; len++) {
        lens.push_back(PTRDIFF_MAX - 2 - len); // no object is longer than PTRDIFF_MAX
        lens.push_back((size_t{ 1 } << 24) + len);
    }
    return lens;
}

TEST(CtrCalls, Xor)
{
    for (const char *high : { "0000000000000000", "fffffffffffffffe", "ffffffffffffffff", "00000000ffffffff" })
        for (uint64_t n : near_a_wrap)
            for (size_t len : some_lens()) {
                Bytes iv = counter_minus(from_hex(std::string(high) + "0000000000000000"), n);
                wb_ctr_call calls[WB_CTR_MAX_CALLS];
                lc_ctr_key key;

                wb_ctr_record(&key, calls);
                lc_ctr_xor(&key, no_dst, no_src, len, iv.data());
                ASSERT_NO_FATAL_FAILURE(check_calls(calls, wb_ctr_num_calls(), len, iv)) << n << " before " << high << ", " << len;
            }
}

// Whole blocks only, as the rest of one is done by the public function itself.
TEST(CtrCalls, Update)
{
    for (uint64_t n : near_a_wrap)
        for (size_t len : some_lens()) {
            Bytes iv = counter_minus(from_hex("00000000000000010000000000000000"), n), after;
            wb_ctr_call calls[WB_CTR_MAX_CALLS];
            lc_ctr_state state;
            lc_ctr_key key;

            len -= len % 16;
            wb_ctr_record(&key, calls);
            lc_ctr_start(&state, iv.data());
            lc_ctr_update(&key, &state, no_dst, no_src, len);
            ASSERT_NO_FATAL_FAILURE(check_calls(calls, wb_ctr_num_calls(), len, iv)) << n << " before a wrap, " << len;
            ASSERT_TRUE(same(counter_plus(iv, len / 16).data(), state.counter, 16)) << n << " before a wrap, " << len;
            ASSERT_EQ(state.left, 0u);
        }
}

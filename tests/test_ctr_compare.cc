// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-CTR: every implementation against the portable one and against libcrypto, messages in pieces against messages as a whole.
#include <algorithm>

#include "ctr_support.h"

static void compare(const lc_impl_info &impl, size_t key_len, size_t len, Random &random)
{
    Bytes raw = random.bytes(key_len), src = random.bytes(len), iv = random.bytes(16);
    CtrKey key(impl.name, raw), portable(PORTABLE, raw);
    Bytes expected = crypt(portable, src, iv);

    ASSERT_TRUE(same(by_libcrypto(raw, src, iv, expected), expected)) << "portable, " << key_len << ", " << len;
    ASSERT_TRUE(same(expected, crypt(key, src, iv))) << "key of " << key_len << ", data of " << len;
}

TEST_P(Ctr, AllShortLengths)
{
    Random random(110);

    for (size_t key_len : key_lens)
        for (size_t len = 0; len <= 1100; len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, key_len, len, random));
}

TEST_P(Ctr, RandomLengths)
{
    Random random(111);

    for (int i = 0; i < 200; i++)
        ASSERT_NO_FATAL_FAILURE(compare(impl, key_lens[i % 3], 1101 + random.below(70000 - 1100), random));
}

TEST_P(Ctr, LongMessages)
{
    Random random(112);

    for (size_t len : { size_t{ 1 } << 20, (size_t{ 1 } << 20) + 1, (size_t{ 1 } << 20) - 1, (size_t{ 1 } << 24) + 15 })
        ASSERT_NO_FATAL_FAILURE(compare(impl, key_lens[len % 3], len, random));
}

// All that an emulator can be asked which makes mistakes in AES itself (tests/CMakeLists.txt knows one).
TEST_P(Ctr, ThereAndBack)
{
    Random random(113);

    for (size_t key_len : key_lens)
        for (size_t len = 0; len <= 1100; len++) {
            CtrKey key(impl.name, random.bytes(key_len));
            Bytes src = random.bytes(len), iv = random.bytes(16), dst = crypt(key, src, iv);

            ASSERT_TRUE(same(src, crypt(key, dst, iv))) << len;
            ASSERT_TRUE(len < 16 || src != dst) << len;
        }
}

// ---- A message over several calls ----

// Two pieces, three where the message is short: every byte in every place of the state's block.
TEST_P(Ctr, EverySplit)
{
    Random random(120);

    for (size_t key_len : key_lens) {
        Bytes raw = random.bytes(key_len), iv = random.bytes(16);
        CtrKey key(impl.name, raw), portable(PORTABLE, raw);

        for (size_t len = 0; len <= 150; len++) {
            Bytes src = random.bytes(len), expected = crypt(portable, src, iv);

            for (size_t first = 0; first <= len; first++) {
                ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, iv, { first }))) << len << " at " << first;
                for (size_t second = 0; len <= 50 && first + second <= len; second++)
                    ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, iv, { first, second })))
                        << len << " at " << first << ", " << second;
            }
        }
    }
}

// A first piece that leaves every number of bytes of key stream, then one that takes every path of the implementation.
TEST_P(Ctr, EveryLengthBehindEveryRemainder)
{
    Random random(121);
    Bytes raw = random.bytes(32), all = random.bytes(16 + 1100), iv = random.bytes(16);
    CtrKey key(impl.name, raw), portable(PORTABLE, raw);
    Bytes expected = crypt(portable, all, iv);

    for (size_t first = 0; first <= 16; first++)
        for (size_t len = 0; len <= 1100; len++) {
            Bytes src(&all[0], &all[first + len]), result = crypt_in_pieces(key, src, iv, { first });

            ASSERT_TRUE(same(expected.data(), result.data(), first + len)) << len << " after " << first;
        }
}

TEST_P(Ctr, SplitAtRandom)
{
    Random random(122);

    for (int i = 0; i < 500; i++) {
        Bytes raw = random.bytes(key_lens[i % 3]), src = random.bytes(random.below(6000)), iv = random.bytes(16);
        CtrKey key(impl.name, raw), portable(PORTABLE, raw);
        std::vector<size_t> lens;
        size_t left = src.size();

        while (random.below(40)) {
            size_t n = random.below(1 + std::min(left, random.below(2) ? size_t{ 1500 } : size_t{ 40 }));

            lens.push_back(n); // empty ones too
            left -= n;
        }
        ASSERT_TRUE(same(crypt(portable, src, iv), crypt_in_pieces(key, src, iv, lens))) << i;
    }
}

TEST_P(Ctr, ByteByByte)
{
    Random random(123);
    Bytes raw = random.bytes(24), src = random.bytes(3000), iv = random.bytes(16);
    CtrKey key(impl.name, raw), portable(PORTABLE, raw);

    EXPECT_TRUE(same(crypt(portable, src, iv), crypt_in_pieces(key, src, iv, std::vector<size_t>(src.size(), 1))));
}

// A copy of a state goes on where the original was, and neither knows of the other; what the iv's memory holds by then is all the
// same.
TEST_P(Ctr, CopiedState)
{
    Random random(124);
    Bytes raw = random.bytes(32), src = random.bytes(700), iv = random.bytes(16), changed_iv = iv;
    CtrKey key(impl.name, raw), portable(PORTABLE, raw);
    Bytes expected = crypt(portable, src, iv);

    for (size_t first = 0; first <= 160; first++) {
        Bytes dst[3] = { Bytes(700), Bytes(700), Bytes(700) };
        lc_ctr_state state, copy, second_copy;

        lc_ctr_start(&state, changed_iv.data());
        changed_iv.assign(16, 0);
        lc_ctr_update(key, &state, dst[0].data(), src.data(), first);
        memcpy(&copy, &state, sizeof(state));
        lc_ctr_update(key, &state, &dst[0][first], &src[first], 700 - first);
        ASSERT_TRUE(same(expected, dst[0])) << first;
        lc_ctr_state_wipe(&state);
        memcpy(&second_copy, &copy, sizeof(copy));
        lc_ctr_update(key, &copy, &dst[1][first], &src[first], 700 - first);
        lc_ctr_update(key, &second_copy, &dst[2][first], &src[first], 17);
        lc_ctr_update(key, &second_copy, &dst[2][first + 17], &src[first + 17], 700 - first - 17);
        ASSERT_TRUE(same(&expected[first], &dst[1][first], 700 - first)) << first;
        ASSERT_TRUE(same(&expected[first], &dst[2][first], 700 - first)) << first;
        changed_iv = iv;
    }
}

// Calls of two streams with two keys of two implementations, in turn; and one stream that changes its implementation midway.
TEST_P(Ctr, TwoImplementationsSideBySide)
{
    for (const lc_impl_info &other : implementations("ctr")) {
        Random random(125);
        Bytes raw[2] = { random.bytes(32), random.bytes(16) }, src = random.bytes(1000), iv = random.bytes(16);
        CtrKey a(impl.name, raw[0]), a_portable(PORTABLE, raw[0]), b_portable(PORTABLE, raw[1]);
        Bytes dst[3] = { Bytes(1000), Bytes(1000), Bytes(1000) };
        lc_ctr_state state[3];

        if (other.needs & ~lc_cpu_features())
            continue; // has its own, loud skip
        CtrKey b(other.name, raw[1]), a_by_other(other.name, raw[0]);

        SCOPED_TRACE(other.name);
        EXPECT_STREQ(lc_ctr_impl_name(a), impl.name);
        EXPECT_STREQ(lc_ctr_impl_name(b), other.name);
        for (lc_ctr_state &s : state)
            lc_ctr_start(&s, iv.data());
        for (size_t at = 0, turn = 0; at < 1000; turn++) {
            size_t n = std::min(size_t{ 139 }, 1000 - at);

            lc_ctr_update(a, &state[0], &dst[0][at], &src[at], n);
            lc_ctr_update(b, &state[1], &dst[1][at], &src[at], n);
            lc_ctr_update(turn % 2 ? a : a_by_other, &state[2], &dst[2][at], &src[at], n);
            at += n;
        }
        EXPECT_TRUE(same(crypt(a_portable, src, iv), dst[0]));
        EXPECT_TRUE(same(crypt(b_portable, src, iv), dst[1]));
        EXPECT_TRUE(same(crypt(a_portable, src, iv), dst[2]));
    }
}

TEST_P(Ctr, CopiedKey)
{
    Random random(126);
    Bytes raw = random.bytes(32), src = random.bytes(777), iv = random.bytes(16);
    CtrKey portable(PORTABLE, raw), *original = new CtrKey(impl.name, raw);
    lc_ctr_key copy;

    memcpy(&copy, &original->key, sizeof(copy));
    lc_ctr_wipe(&original->key);
    delete original;
    EXPECT_STREQ(lc_ctr_impl_name(&copy), impl.name);
    EXPECT_TRUE(same(crypt(portable, src, iv), crypt(&copy, src, iv)));
    EXPECT_TRUE(same(crypt(portable, src, iv), crypt_in_pieces(&copy, src, iv, { 100 })));
    lc_ctr_wipe(&copy);
}

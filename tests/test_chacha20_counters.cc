// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ChaCha20: counters that end, carry and wrap, at every place of a call; and which calls of the implementation the public functions
// make, whose contract (src/chacha20_internal.h) is that the low word doesn't wrap within one.
#include "chacha20_support.h"
#include "chacha20_white_box.h"

// Distances to a carry, in blocks: all within the first groups, and around the ends of the next ones
static std::vector<size_t> distances()
{
    std::vector<size_t> all = { 63, 64, 65, 127, 128, 129 };

    for (size_t n = 0; n <= 40; n++)
        all.push_back(n);
    return all;
}

// Memory that has to stay as it is: a call that is refused
static void expect_refused(const lc_chacha20_key *key, const Bytes &nonce, uint32_t counter, size_t len)
{
    static Untouchable no;

    EXPECT_EQ(lc_chacha20_crypt(key, no.p, no.p, len, nonce.data(), counter), LC_ERR_LEN) << counter << ", " << len;
    EXPECT_EQ(lc_chacha20_xor(no.p, no.p, len, key->raw, nonce.data(), counter), LC_ERR_LEN) << counter << ", " << len;
}

// With a nonce of 12 bytes, block 2^32 - 1 is the last one.
TEST_P(Chacha20, CounterEnds)
{
    Random random(220);
    Bytes raw = random.bytes(32), nonce = random.bytes(12);
    Chacha20Key key(impl.name, raw);

    for (size_t blocks : distances()) { // that there are left
        const uint32_t counter = static_cast<uint32_t>(0 - blocks);

        if (blocks == 0)
            continue;
        for (size_t len : { 64 * blocks, 64 * blocks - 1, 64 * blocks - 63, 64 * (blocks - 1) }) {
            Bytes src = random.bytes(len), expected = reference::chacha20(raw, src, chacha20_iv(nonce, counter));

            ASSERT_TRUE(same(expected, crypt(key, src, nonce, counter))) << blocks << ", " << len;
            for (size_t at : { len / 2, len / 64 * 64, size_t{ 0 } })
                ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, nonce, counter, { at })))
                    << blocks << ", " << len << ", " << at;
        }
        for (size_t len :
             { 64 * blocks + 1, 64 * blocks + 64, size_t{ 1 } << 38, (size_t{ 1 } << 38) + 64, SIZE_MAX - 62, SIZE_MAX })
            expect_refused(key, nonce, counter, len);
    }
    for (size_t len : { (size_t{ 1 } << 38) + 1, SIZE_MAX - 63, SIZE_MAX })
        expect_refused(key, nonce, 0, len);
    expect_refused(key, nonce, 1, (size_t{ 1 } << 38) - 63);
}

// A stream ends there too, wherever it has been cut; what is refused changes neither the state nor the memory.
TEST_P(Chacha20, StreamsEnd)
{
    static Untouchable no;
    Random random(221);
    Bytes raw = random.bytes(32), nonce = random.bytes(12), src = random.bytes(256);
    Chacha20Key key(impl.name, raw);
    Bytes expected = reference::chacha20(raw, src, chacha20_iv(nonce, UINT32_MAX - 3)); // 4 blocks

    for (size_t at = 0; at <= 256; at++) {
        lc_chacha20_state state;
        Bytes dst(256), before;

        start(&state, key, nonce, UINT32_MAX - 3);
        ASSERT_EQ(lc_chacha20_update(&state, dst.data(), src.data(), at), LC_OK);
        before = bytes_of(state);
        for (size_t len : { 256 - at + 1, 256 - at + 64, size_t{ 512 }, SIZE_MAX, SIZE_MAX - at, SIZE_MAX - at + 1 })
            if (len) {
                ASSERT_EQ(lc_chacha20_update(&state, no.p, no.p, len), LC_ERR_LEN) << len << " after " << at;
            }
        ASSERT_TRUE(same(before, bytes_of(state))) << at;
        ASSERT_EQ(lc_chacha20_update(&state, dst.data() + at, src.data() + at, 256 - at), LC_OK) << at;
        ASSERT_TRUE(same(expected, dst)) << at;
        ASSERT_EQ(lc_chacha20_update(&state, no.p, no.p, 1), LC_ERR_LEN) << at;
        ASSERT_EQ(lc_chacha20_update(&state, nullptr, nullptr, 0), LC_OK) << at;
    }
}

// Data under a 64-bit counter around a carry: in one call, in two, in place
static void check_64(const lc_impl_info &impl, Random &random, uint64_t counter, size_t len, size_t carry)
{
    Bytes raw = random.bytes(32), src = random.bytes(len), nonce = random.bytes(8), iv = chacha20_iv(nonce, counter);
    Bytes expected = reference::chacha20(raw, src, iv), data = src;
    Chacha20Key key(impl.name, raw);
    lc_chacha20_state state;

    SCOPED_TRACE("counter " + to_hex(iv.data(), 8) + ", " + std::to_string(len));
    ASSERT_TRUE(same(chacha20_by_libcrypto(raw, src, iv, expected), expected)) << "the reference itself";
    for (size_t at : { size_t{ 0 }, carry, carry + 1, carry - 1, len / 2 })
        if (at <= len) { // 0 - 1 isn't
            ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, nonce, counter, { at }))) << at;
        }
    start(&state, key, nonce, counter);
    ASSERT_EQ(lc_chacha20_update(&state, data.data(), data.data(), len), LC_OK);
    ASSERT_TRUE(same(expected, data)) << "in place";
}

static void check_all_places(const lc_impl_info &impl, uint64_t carries_at)
{
    Random random(carries_at);

    for (size_t blocks : distances())
        for (size_t len : { 64 * blocks, 64 * blocks + 1, 64 * blocks + 64, 64 * blocks + 700, 64 * blocks + 2200 })
            ASSERT_NO_FATAL_FAILURE(check_64(impl, random, carries_at - blocks, len, 64 * blocks)) << blocks << " before";
}

TEST_P(Chacha20, LowWordWraps)
{
    check_all_places(impl, UINT64_C(1) << 32);
}

TEST_P(Chacha20, LowWordWrapsFarOn)
{
    check_all_places(impl, UINT64_C(0xfedcba98) << 32);
}

TEST_P(Chacha20, WholeCounterWraps)
{
    check_all_places(impl, 0);
}

// From any bit into the next one
TEST_P(Chacha20, EveryBitCarries)
{
    Random random(222);

    for (size_t bit = 0; bit < 64; bit++)
        for (size_t blocks : { 1, 2, 3, 5, 9, 17, 33 })
            ASSERT_NO_FATAL_FAILURE(check_64(impl, random, (UINT64_C(1) << bit) - blocks, 64 * blocks + 300, 64 * blocks));
}

// ---- Which calls are made ----

// Addresses that nothing lies at.
static uint8_t *const no_dst = reinterpret_cast<uint8_t *>(1);
static const uint8_t *const no_src = reinterpret_cast<const uint8_t *>(2);

TEST(Chacha20Calls, Update64)
{
    static const uint64_t near_a_wrap[] = { 0, 1, 2, 3, 15, 16, 17, 1000, 1 << 20, UINT64_C(1) << 26, (UINT64_C(1) << 32) - 1 };
    static const size_t lens[] = {
        0,
        64,
        128,
        1024,
        1088,
        65536,
        size_t{ 1 } << 30,
        (size_t{ 1 } << 32) - 64,
        size_t{ 1 } << 32,
        (size_t{ 1 } << 38) - 64,
        size_t{ 1 } << 38,
        (size_t{ 1 } << 38) + 64,
        (size_t{ 1 } << 40) + 128
    };
    const Bytes nonce = from_hex("0102030405060708");

    for (uint64_t high : { UINT64_C(0), UINT64_C(1), UINT64_C(0xffffffff) })
        for (uint64_t n : near_a_wrap)
            for (size_t len : lens) {
                const uint64_t counter = ((high + 1) << 32) - n;
                wb_chacha20_call calls[WB_CHACHA20_MAX_CALLS];
                lc_chacha20_state state;
                lc_chacha20_key key;
                size_t done = 0;

                SCOPED_TRACE(std::to_string(counter) + ", " + std::to_string(len));
                wb_chacha20_record(&key, calls);
                lc_chacha20_start_64(&state, &key, nonce.data(), counter);
                ASSERT_EQ(lc_chacha20_update(&state, no_dst, no_src, len), LC_OK);
                ASSERT_LE(wb_chacha20_num_calls(), size_t{ WB_CHACHA20_MAX_CALLS });
                for (size_t i = 0; i < wb_chacha20_num_calls(); i++) {
                    const wb_chacha20_call &c = calls[i];

                    ASSERT_EQ(c.dst, no_dst + done);
                    ASSERT_EQ(c.src, no_src + done);
                    ASSERT_GT(c.len, 0u);
                    ASSERT_EQ(c.len % 64, 0u);
                    ASSERT_LE(c.len / 64 - 1, UINT32_MAX - c.iv[0]) << "the low word wraps within a call";
                    ASSERT_EQ(c.iv[0] | static_cast<uint64_t>(c.iv[1]) << 32, counter + done / 64);
                    ASSERT_EQ(c.iv[2], 0x04030201u);
                    ASSERT_EQ(c.iv[3], 0x08070605u);
                    done += c.len;
                }
                ASSERT_EQ(done, len);
                ASSERT_EQ(state.iv[0] | static_cast<uint64_t>(state.iv[1]) << 32, counter + len / 64);
            }
}

// All that a 32-bit counter can count in one call
TEST(Chacha20Calls, WholeMessages)
{
    const Bytes nonce = from_hex("0102030405060708090a0b0c");

    for (uint64_t counter :
         { UINT64_C(0), UINT64_C(1), UINT64_C(5), UINT64_C(0x80000000), UINT64_C(0xfffffffe), UINT64_C(0xffffffff) }) {
        const size_t most = 64 * ((UINT64_C(1) << 32) - counter);

        for (size_t len : { most, most - 1, most - 63, most + 1, most + 64 }) {
            wb_chacha20_call calls[WB_CHACHA20_MAX_CALLS];
            lc_chacha20_key key;

            wb_chacha20_record(&key, calls);
            ASSERT_EQ(lc_chacha20_crypt(&key, no_dst, no_src, len, nonce.data(), static_cast<uint32_t>(counter)),
                      len > most ? LC_ERR_LEN : LC_OK);
            ASSERT_EQ(wb_chacha20_num_calls(), len > most ? 0u : 1u);
            if (len <= most) {
                ASSERT_EQ(calls[0].len, len);
                ASSERT_EQ(calls[0].iv[0], counter);
                ASSERT_EQ(calls[0].iv[3], 0x0c0b0a09u);
            }
        }
    }
}

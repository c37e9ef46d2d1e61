// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ChaCha20: what is read and written.  Overruns hit guard pages (a crash is the failure) or bytes with a known value; keys, nonces
// and texts lie in memory that can't be written.
#include "chacha20_support.h"

TEST_P(Chacha20, EveryAlignment)
{
    static const size_t margin = 64;
    Random random(230);
    Bytes raw = random.bytes(32), nonce = random.bytes(12);
    Chacha20Key key(impl.name, raw);
    Guarded src_memory(2048), dst_memory(2048);

    for (size_t len : { 1, 63, 64, 65, 128, 256, 300, 512, 1100 }) {
        Bytes text = random.bytes(len), expected = reference::chacha20(raw, text, chacha20_iv(nonce, 1));

        for (size_t i = 0; i < 64; i++) {
            uint8_t *src = src_memory.begin() + margin + i;

            memcpy(src, text.data(), len);
            for (size_t j = 0; j < 64; j += 1 + i % 3) {
                uint8_t *dst = dst_memory.begin() + margin + j;

                memset(dst - margin, 0xa5, margin + len + margin);
                ASSERT_EQ(lc_chacha20_crypt(key, dst, src, len, nonce.data(), 1), LC_OK);
                ASSERT_TRUE(same(expected.data(), dst, len)) << len << " from alignment " << i << " to " << j;
                ASSERT_TRUE(all_bytes(dst - margin, margin, 0xa5) && all_bytes(dst + len, margin, 0xa5))
                    << "written outside: " << len << " from alignment " << i << " to " << j;
            }
        }
    }
}

// Everything that the calls take, each by itself between guard pages
struct GuardedChacha20 {
    Guarded src{ 4096 }, dst{ 4096 }, nonce{ 12 }, raw{ 32 }, state{ sizeof(lc_chacha20_state) }, key{ sizeof(lc_chacha20_key) };
};

TEST_P(Chacha20, GuardPages)
{
    Random random(231);
    GuardedChacha20 g;
    Bytes raw = random.bytes(32), nonce = random.bytes(12);
    lc_chacha20_key *key = reinterpret_cast<lc_chacha20_key *>(g.key.at_end(sizeof(lc_chacha20_key)));

    for (size_t len = 0; len <= 4096; len += len < 1200 ? 1 : 13)
        for (unsigned ends : { 0u, 15u, static_cast<unsigned>(random.below(16)) })
            for (bool in_place : { false, true }) {
                Bytes text = random.bytes(len), expected = reference::chacha20(raw, text, chacha20_iv(nonce, 1));
                uint8_t *dst = put(g.dst, ends & 1, in_place ? text : Bytes(len, 0xa5), false);
                const uint8_t *src = in_place ? dst : put(g.src, ends & 2, text, true), *n = put(g.nonce, ends & 4, nonce, true);
                const uint8_t *r = put(g.raw, ends & 8, raw, true);

                g.key.writable();
                ASSERT_EQ(lc_chacha20_init_impl(key, impl.name, r, 32), LC_OK);
                g.key.read_only();
                ASSERT_EQ(lc_chacha20_crypt(key, dst, src, len, n, 1), LC_OK);
                ASSERT_TRUE(holds(g.dst, dst, expected)) << len << ", ends " << ends;
                if (!in_place) {
                    ASSERT_EQ(lc_chacha20_xor(dst, src, len, r, n, 1), LC_OK);
                    ASSERT_TRUE(holds(g.dst, dst, expected)) << len << ", ends " << ends;
                }
            }
}

TEST_P(Chacha20, GuardPagesStream)
{
    Random random(232);
    GuardedChacha20 g;
    Bytes raw = random.bytes(32), start(100);
    lc_chacha20_key *key = reinterpret_cast<lc_chacha20_key *>(g.key.at_end(sizeof(lc_chacha20_key)));
    lc_chacha20_state *state = reinterpret_cast<lc_chacha20_state *>(g.state.at_end(sizeof(lc_chacha20_state)));

    ASSERT_EQ(lc_chacha20_init_impl(key, impl.name, raw.data(), 32), LC_OK);
    g.key.read_only();
    for (size_t len = 0; len <= 600; len++)
        for (bool at_end : { false, true })
            for (size_t before : { 0, 5, 64, 70 }) { // bytes of the call before the one that is looked at
                Bytes nonce = random.bytes(len % 2 ? 8 : 12), text = random.bytes(before + len);
                Bytes expected = reference::chacha20(raw, text, chacha20_iv(nonce, 2));
                auto rest = [before](const Bytes &b) { return Bytes(b.begin() + static_cast<long>(before), b.end()); };
                uint8_t *dst = put(g.dst, at_end, Bytes(len, 0xa5), false);
                const uint8_t *src = put(g.src, at_end, rest(text), true), *n = put(g.nonce, at_end, nonce, true);

                if (nonce.size() == 8)
                    lc_chacha20_start_64(state, key, n, 2);
                else
                    lc_chacha20_start(state, key, n, 2);
                ASSERT_EQ(lc_chacha20_update(state, start.data(), text.data(), before), LC_OK);
                ASSERT_EQ(lc_chacha20_update(state, dst, src, len), LC_OK);
                ASSERT_TRUE(holds(g.dst, dst, rest(expected))) << len << " after " << before;
            }
}

// ---- What is refused, and what is secret ----

TEST_P(Chacha20, KeyLengths)
{
    Bytes raw = Random(233).bytes(256);
    lc_chacha20_key key;

    memset(&key, 0x5a, sizeof(key));
    for (size_t len = 0; len <= 130; len++)
        if (len != 32) {
            EXPECT_EQ(lc_chacha20_init_impl(&key, impl.name, raw.data(), len), LC_ERR_KEY_LEN) << len;
            EXPECT_EQ(lc_chacha20_init(&key, raw.data(), len), LC_ERR_KEY_LEN) << len;
        }
    EXPECT_EQ(lc_chacha20_init_impl(&key, impl.name, nullptr, 0), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_chacha20_init_impl(&key, impl.name, raw.data(), SIZE_MAX), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_chacha20_init_impl(&key, impl.name, raw.data(), (size_t{ 1 } << 32) + 32), LC_ERR_KEY_LEN);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    EXPECT_EQ(lc_chacha20_init_impl(&key, impl.name, raw.data(), 32), LC_OK);
}

TEST(Chacha20Errors, ImplementationNames)
{
    Bytes raw = Random(234).bytes(32);
    lc_chacha20_key key;

    memset(&key, 0x5a, sizeof(key));
    for (const char *name : { "", ",", "chacha20", "chacha20-", "chacha20-portabl", "chacha20-portable,",
                              "chacha20-poly1305-portable", "poly1305-portable", "xts-aes-portable", "chacha20=chacha20-portable" })
        EXPECT_EQ(lc_chacha20_init_impl(&key, name, raw.data(), raw.size()), LC_ERR_IMPL) << name;
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    EXPECT_EQ(lc_chacha20_init_impl(&key, "chacha20-portable", raw.data(), raw.size()), LC_OK);
}

// No bytes at all: nothing is touched, wherever the pointers point and whatever the counter is.
TEST_P(Chacha20, NoData)
{
    static Untouchable no;
    Random random(235);
    Bytes raw = random.bytes(32), nonce = random.bytes(12), data = random.bytes(100);
    Chacha20Key key(impl.name, raw);

    for (uint32_t counter : { 0u, 1u, UINT32_MAX }) {
        EXPECT_EQ(lc_chacha20_crypt(key, nullptr, nullptr, 0, nonce.data(), counter), LC_OK);
        EXPECT_EQ(lc_chacha20_crypt(key, no.p, no.p, 0, nonce.data(), counter), LC_OK);
        EXPECT_EQ(lc_chacha20_xor(nullptr, nullptr, 0, raw.data(), nonce.data(), counter), LC_OK);
    }
    for (size_t first : { 0, 1, 63, 64, 65 }) {
        lc_chacha20_state state;
        Bytes before;

        start(&state, key, nonce, 0);
        ASSERT_EQ(lc_chacha20_update(&state, data.data(), data.data(), first), LC_OK);
        before = bytes_of(state);
        EXPECT_EQ(lc_chacha20_update(&state, nullptr, nullptr, 0), LC_OK);
        EXPECT_EQ(lc_chacha20_update(&state, no.p, no.p, 0), LC_OK);
        EXPECT_TRUE(same(before, bytes_of(state))) << first;
    }
}

TEST_P(Chacha20, Wipe)
{
    Random random(236);
    Bytes raw = random.bytes(32), data = random.bytes(100), key_before;
    lc_chacha20_state state;
    lc_chacha20_key key;

    memset(&key, 0, sizeof(key));
    ASSERT_EQ(lc_chacha20_init_impl(&key, impl.name, raw.data(), raw.size()), LC_OK);
    start(&state, &key, random.bytes(12), 0);
    ASSERT_EQ(lc_chacha20_update(&state, data.data(), data.data(), 100), LC_OK);
    EXPECT_FALSE(all_bytes(state.keystream, sizeof(state.keystream), 0));
    key_before = bytes_of(key);
    lc_chacha20_state_wipe(&state);
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0));
    EXPECT_TRUE(same(key_before, bytes_of(key)));
    lc_chacha20_wipe(&key);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
}

// Starting anew goes on with nothing of the message before.
TEST_P(Chacha20, StartForgets)
{
    Random random(237);
    Bytes raw = random.bytes(32), data = random.bytes(100);
    Chacha20Key key(impl.name, raw);

    for (size_t nonce_len : { 8, 12 }) {
        lc_chacha20_state state, fresh;
        Bytes nonce = random.bytes(nonce_len), dst(100), expected(100);

        start(&fresh, key, nonce, 0);
        ASSERT_EQ(lc_chacha20_update(&fresh, expected.data(), data.data(), 100), LC_OK);
        start(&state, key, random.bytes(12), 0);
        ASSERT_EQ(lc_chacha20_update(&state, dst.data(), data.data(), 99), LC_OK);
        start(&state, key, nonce, 0);
        ASSERT_EQ(lc_chacha20_update(&state, dst.data(), data.data(), 100), LC_OK);
        EXPECT_TRUE(same(expected, dst));
    }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ChaCha20: every implementation against the reference in chacha_support.cc, and that against libcrypto; in one call and in pieces.
#include <algorithm>

#include "chacha20_support.h"

// Lengths at which other code runs than at those before, and what is near them
static std::vector<size_t> long_lens()
{
    std::vector<size_t> lens = { 65536, 65536 + 3, 100000 };

    for (size_t len : { 2048, 4096, 8192, 16384 })
        for (size_t d : { 0, 1, 63, 64, 65, 256, 1023 }) {
            lens.push_back(len + d);
            lens.push_back(len - d);
        }
    return lens;
}

static void compare(const lc_impl_info &impl, Random &random, size_t len)
{
    Bytes raw = random.bytes(32), src = random.bytes(len), nonce = random.bytes(12);
    const uint32_t counter = static_cast<uint32_t>(random.next()) >> random.below(32) >> 1;
    Chacha20Key key(impl.name, raw);
    Bytes iv = chacha20_iv(nonce, counter), expected = reference::chacha20(raw, src, iv), data = src;

    SCOPED_TRACE(std::to_string(len) + " from block " + std::to_string(counter));
    ASSERT_TRUE(same(chacha20_by_libcrypto(raw, src, iv, expected), expected)) << "the reference itself";
    ASSERT_TRUE(same(expected, crypt(key, src, nonce, counter)));
    ASSERT_EQ(lc_chacha20_crypt(key, data.data(), data.data(), len, nonce.data(), counter), LC_OK);
    ASSERT_TRUE(same(expected, data)) << "in place";
    ASSERT_EQ(lc_chacha20_xor(data.data(), src.data(), len, raw.data(), nonce.data(), counter), LC_OK);
    ASSERT_TRUE(same(expected, data)) << "without a key";
    ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, nonce, counter, {}))) << "as a stream";
}

TEST_P(Chacha20, AllShortLengths)
{
    Random random(200);

    for (size_t len = 0; len <= 2200; len++)
        ASSERT_NO_FATAL_FAILURE(compare(impl, random, len));
}

TEST_P(Chacha20, LongLengths)
{
    Random random(201);

    for (size_t len : long_lens())
        ASSERT_NO_FATAL_FAILURE(compare(impl, random, len));
}

// More than 2^16 blocks
TEST_P(Chacha20, LongMessage)
{
    Random random(202);

    ASSERT_NO_FATAL_FAILURE(compare(impl, random, (64 << 16) + 333));
}

// Keys, texts and nonces of which all bits are alike
TEST_P(Chacha20, ExtremeBytes)
{
    for (unsigned which = 0; which < 8; which++)
        for (size_t len : { 64, 200, 1100 }) {
            auto bytes = [which](size_t n, unsigned bit) { return Bytes(n, which >> bit & 1 ? 0xff : 0); };
            Bytes raw = bytes(32, 0), src = bytes(len, 1), nonce = bytes(12, 2);
            Chacha20Key key(impl.name, raw);

            ASSERT_TRUE(same(reference::chacha20(raw, src, chacha20_iv(nonce, 0)), crypt(key, src, nonce, 0))) << which;
        }
}

// ---- Streams ----

static const size_t nonce_lens[] = { 12, 8 };

TEST_P(Chacha20, EverySplit)
{
    Random random(203);
    Bytes raw = random.bytes(32);
    Chacha20Key key(impl.name, raw);

    for (size_t len = 0; len <= 300; len++) {
        Bytes src = random.bytes(len), nonce = random.bytes(nonce_lens[len % 2]);
        const uint32_t counter = static_cast<uint32_t>(random.next()) >> 1;
        Bytes expected = reference::chacha20(raw, src, chacha20_iv(nonce, counter));

        for (size_t at = 0; at <= len; at++)
            ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, nonce, counter, { at }))) << len << " at " << at;
    }
}

TEST_P(Chacha20, EverySplitInThree)
{
    Random random(204);
    Bytes raw = random.bytes(32), nonce = random.bytes(12);
    Chacha20Key key(impl.name, raw);

    for (size_t len : { 63, 64, 65, 130, 200 }) {
        Bytes src = random.bytes(len), expected = reference::chacha20(raw, src, chacha20_iv(nonce, 7));

        for (size_t i = 0; i <= len; i++)
            for (size_t j = i; j <= len; j++)
                ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, nonce, 7, { i, j - i }))) << len << " at " << i << ", " << j;
    }
}

TEST_P(Chacha20, PiecesOfOneLength)
{
    Random random(205);
    Bytes raw = random.bytes(32), nonce = random.bytes(12), src = random.bytes(3000);
    Bytes expected = reference::chacha20(raw, src, chacha20_iv(nonce, 9));
    Chacha20Key key(impl.name, raw);

    for (size_t piece = 1; piece <= 600; piece += piece < 140 ? 1 : 29)
        ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, nonce, 9, std::vector<size_t>(3000 / piece, piece)))) << piece;
}

// Whole blocks, and more calls than it takes until key stream is made ahead for all but long pieces
TEST_P(Chacha20, ManyWholeBlocks)
{
    Random random(213);
    Bytes raw = random.bytes(32), nonce = random.bytes(12), src = random.bytes(20 * 1152 + 100);
    Bytes expected = reference::chacha20(raw, src, chacha20_iv(nonce, 9));
    Chacha20Key key(impl.name, raw);

    for (size_t piece = 64; piece <= 1152; piece += 64)
        ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, nonce, 9, std::vector<size_t>(20, piece)))) << piece;
}

TEST_P(Chacha20, RandomPieces)
{
    Random random(206);

    for (size_t i = 0; i < 200; i++) {
        Bytes raw = random.bytes(32), nonce = random.bytes(nonce_lens[i % 2]), src = random.bytes(random.below(9000));
        Chacha20Key key(impl.name, raw);

        ASSERT_TRUE(same(reference::chacha20(raw, src, chacha20_iv(nonce, i)),
                         crypt_in_pieces(key, src, nonce, i, random_pieces(random, src.size()))))
            << i;
    }
}

TEST_P(Chacha20, StreamsInPlace)
{
    Random random(207);
    Bytes raw = random.bytes(32), nonce = random.bytes(8);
    Chacha20Key key(impl.name, raw);

    for (size_t len = 0; len <= 300; len++) {
        Bytes data = random.bytes(len), expected = reference::chacha20(raw, data, chacha20_iv(nonce, len));
        const size_t at = random.below(len + 1);
        lc_chacha20_state state;

        start(&state, key, nonce, len);
        ASSERT_EQ(lc_chacha20_update(&state, data.data(), data.data(), at), LC_OK);
        ASSERT_EQ(lc_chacha20_update(&state, data.data() + at, data.data() + at, len - at), LC_OK);
        ASSERT_TRUE(same(expected, data)) << len << " at " << at;
    }
}

// The state is copied after any number of bytes, the original wiped, and two copies go on with texts of their own.
TEST_P(Chacha20, CopiedState)
{
    Random random(208);
    Bytes raw = random.bytes(32), nonce = random.bytes(12), src = random.bytes(200), other = random.bytes(200);
    Chacha20Key key(impl.name, raw);

    for (size_t at = 0; at <= 200; at++) {
        lc_chacha20_state state, copies[2];
        Bytes dst(200);

        start(&state, key, nonce, 3);
        ASSERT_EQ(lc_chacha20_update(&state, dst.data(), src.data(), at), LC_OK);
        memcpy(&copies[0], &state, sizeof(state));
        memcpy(&copies[1], &state, sizeof(state));
        lc_chacha20_state_wipe(&state);
        for (lc_chacha20_state &copy : copies) {
            Bytes text = src;

            if (&copy == &copies[1])
                std::copy(other.begin() + static_cast<long>(at), other.end(), text.begin() + static_cast<long>(at));
            ASSERT_EQ(lc_chacha20_update(&copy, dst.data() + at, text.data() + at, 200 - at), LC_OK);
            ASSERT_TRUE(same(reference::chacha20(raw, text, chacha20_iv(nonce, 3)), dst)) << at;
        }
    }
}

// ---- Keys ----

TEST_P(Chacha20, TwoImplementationsSideBySide)
{
    Random random(209);

    for (const lc_impl_info &other : implementations("chacha20")) {
        Bytes raws[2] = { random.bytes(32), random.bytes(32) }, src = random.bytes(1000), nonce = random.bytes(12);

        if (other.needs & ~lc_cpu_features())
            continue; // has its own, loud skip
        Chacha20Key a(impl.name, raws[0]), b(other.name, raws[1]);

        SCOPED_TRACE(other.name);
        EXPECT_STREQ(lc_chacha20_impl_name(a), impl.name);
        EXPECT_STREQ(lc_chacha20_impl_name(b), other.name);
        for (uint32_t i = 0; i < 3; i++) {
            EXPECT_TRUE(same(reference::chacha20(raws[0], src, chacha20_iv(nonce, i)), crypt(a, src, nonce, i)));
            EXPECT_TRUE(same(reference::chacha20(raws[1], src, chacha20_iv(nonce, i)), crypt(b, src, nonce, i)));
        }
    }
}

TEST_P(Chacha20, CopiedKey)
{
    Random random(210);
    Bytes raw = random.bytes(32), src = random.bytes(777), nonce = random.bytes(12);
    Chacha20Key *original = new Chacha20Key(impl.name, raw);
    lc_chacha20_key copy;

    memcpy(&copy, &original->key, sizeof(copy));
    lc_chacha20_wipe(&original->key);
    delete original;
    EXPECT_STREQ(lc_chacha20_impl_name(&copy), impl.name);
    EXPECT_TRUE(same(reference::chacha20(raw, src, chacha20_iv(nonce, 5)), crypt(&copy, src, nonce, 5)));
    lc_chacha20_wipe(&copy);
}

// A stream and its key are copied within a block, and the originals wiped; then the copy is told where its key is.
TEST_P(Chacha20, CopiedStateAndKey)
{
    Random random(211);
    Bytes raw = random.bytes(32), src = random.bytes(777), nonce = random.bytes(12), dst(src.size());
    lc_chacha20_key key, key_copy;
    lc_chacha20_state state, copy;

    for (size_t at : { 0, 1, 64, 500 }) {
        ASSERT_EQ(lc_chacha20_init_impl(&key, impl.name, raw.data(), raw.size()), LC_OK);
        lc_chacha20_start(&state, &key, nonce.data(), 5);
        ASSERT_EQ(lc_chacha20_update(&state, dst.data(), src.data(), at), LC_OK);
        memcpy(&key_copy, &key, sizeof(key_copy));
        memcpy(&copy, &state, sizeof(copy));
        lc_chacha20_state_set_key(&copy, &key_copy);
        lc_chacha20_wipe(&key);
        lc_chacha20_state_wipe(&state);
        ASSERT_EQ(lc_chacha20_update(&copy, dst.data() + at, src.data() + at, src.size() - at), LC_OK);
        EXPECT_TRUE(same(reference::chacha20(raw, src, chacha20_iv(nonce, 5)), dst)) << at;
    }
}

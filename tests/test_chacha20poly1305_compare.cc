// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ChaCha20-Poly1305: whole messages with every implementation against the reference in chacha_support.cc, and that against
// libcrypto; messages in pieces give what they give in one call.
#include <algorithm>

#include "chacha20poly1305_support.h"

static void compare(const lc_impl_info &impl, const Message &m)
{
    ChapolyKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);

    SCOPED_TRACE("text " + std::to_string(m.src.size()) + ", AAD " + std::to_string(m.aad.size()) + ", nonce " +
                 std::to_string(m.nonce.size()));
    ASSERT_TRUE(same(seal_by_libcrypto(m, expected), expected)) << "the reference itself";
    ASSERT_TRUE(both_ways(key, m, expected));
}

TEST_P(Chapoly, AllShortLengths)
{
    Random random(300);

    for (size_t len = 0; len <= 2200; len++)
        ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, len, len % 37)));
}

TEST_P(Chapoly, LongLengths)
{
    Random random(301);

    for (size_t len : { 4096, 16384 })
        for (size_t d : { 0, 1, 15, 16, 63, 64, 65, 256, 1023 })
            for (size_t l : { len + d, len - d })
                ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, l, 13)));
    ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, 65536 + 3, 0)));
}

// More than 2^16 blocks of each kind
TEST_P(Chapoly, LongMessage)
{
    Random random(302);

    ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, (64 << 16) + 333, 5)));
    ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, 77, (16 << 16) + 333)));
}

TEST_P(Chapoly, AllShortAadLengths)
{
    Random random(303);

    for (size_t len : { 0, 1, 64, 100, 300 })
        for (size_t aad_len = 0; aad_len <= 300; aad_len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, len, aad_len)));
}

TEST_P(Chapoly, TextAndAadLengthsTogether)
{
    Random random(304);

    for (size_t len = 0; len <= 66; len++)
        for (size_t aad_len = 0; aad_len <= 66; aad_len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, len, aad_len)));
}

TEST_P(Chapoly, RandomLengths)
{
    Random random(305);

    for (size_t i = 0; i < 60; i++) {
        size_t len = random.below(i % 2 ? 70000 : 5000), aad_len = random.below(i % 4 < 2 ? 30 : 20000);

        ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, len, aad_len, i % 3 ? 12 : 24)));
    }
}

TEST_P(Chapoly, XchachaLengths)
{
    Random random(306);

    for (size_t len = 0; len <= 300; len++)
        ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, len, len % 50, 24)));
}

// A stream under the message's own key, which also continues in a copy that has a copy of the key.
TEST_P(Chapoly, XchachaSubkey)
{
    Random random(319);

    for (size_t len : { 0, 1, 63, 64, 300, 3000 }) {
        Message m = random_message(random, len, 20, 24);
        ChapolyKey key(impl.name, m.raw);
        Bytes dst(len), tag(16);
        uint8_t short_nonce[12];
        struct {
            lc_chacha20poly1305_key key;
            lc_chacha20poly1305_state state;
        } first, second;

        ASSERT_EQ(lc_xchacha20poly1305_subkey(&first.key, short_nonce, key, m.nonce.data(), 24), LC_OK);
        EXPECT_STREQ(lc_chacha20poly1305_impl_name(&first.key), impl.name);
        ASSERT_EQ(lc_chacha20poly1305_start(&first.state, &first.key, short_nonce, 12), LC_OK);
        ASSERT_EQ(lc_chacha20poly1305_aad(&first.state, m.aad.data(), m.aad.size()), LC_OK);
        ASSERT_EQ(lc_chacha20poly1305_encrypt(&first.state, dst.data(), m.src.data(), len / 2), LC_OK);
        memcpy(&second, &first, sizeof(second));
        second.state.key = &second.key;
        memset(&first, 0, sizeof(first));
        ASSERT_EQ(lc_chacha20poly1305_encrypt(&second.state, dst.data() + len / 2, m.src.data() + len / 2, len - len / 2), LC_OK);
        ASSERT_EQ(lc_chacha20poly1305_tag(&second.state, tag.data(), 16), LC_OK);
        ASSERT_TRUE(same(reference::seal(m), { dst, tag })) << len;
    }
}

// Texts, AAD, keys and nonces of which all bits are alike: carries that random ones don't have.
TEST_P(Chapoly, ExtremeBytes)
{
    for (size_t nonce_len : { 12, 24 })
        for (size_t len : { 0, 16, 64, 100, 300, 1100 })
            for (unsigned which = 0; which < 16; which++) {
                auto bytes = [which](size_t n, unsigned bit) { return Bytes(n, which >> bit & 1 ? 0xff : 0); };

                ASSERT_NO_FATAL_FAILURE(compare(impl, { bytes(32, 0), bytes(len, 1), bytes(len / 2, 2), bytes(nonce_len, 3) }));
            }
}

// The ciphertext is all ones, or all zeros: Poly1305 gets blocks that random texts don't give.
TEST_P(Chapoly, ExtremeCiphertexts)
{
    Random random(307);

    for (size_t i = 0; i < 16; i++)
        for (size_t len : { 16, 64, 256, 512, 1024, 2048, 2100 }) {
            Message m = random_message(random, 0, 0);

            m.src = reference::chacha20(m.raw, Bytes(len, i % 2 ? 0xff : 0), chacha20_iv(m.nonce, 1));
            m.aad.assign(i % 3 * 32, i % 4 < 2 ? 0xff : 0);
            ASSERT_NO_FATAL_FAILURE(compare(impl, m));
        }
}

TEST_P(Chapoly, TwoImplementationsSideBySide)
{
    for (const lc_impl_info &other : implementations("chacha20-poly1305")) {
        Random random(308);
        Message a = random_message(random, 1000, 30), b = random_message(random, 500, 10, 24);

        if (other.needs & ~lc_cpu_features())
            continue; // has its own, loud skip
        ChapolyKey key_a(impl.name, a.raw), key_b(other.name, b.raw);

        SCOPED_TRACE(other.name);
        EXPECT_STREQ(lc_chacha20poly1305_impl_name(key_a), impl.name);
        EXPECT_STREQ(lc_chacha20poly1305_impl_name(key_b), other.name);
        for (int i = 0; i < 3; i++) {
            EXPECT_TRUE(both_ways(key_a, a, reference::seal(a)));
            EXPECT_TRUE(both_ways(key_b, b, reference::seal(b)));
        }
    }
}

TEST_P(Chapoly, CopiedKey)
{
    Random random(309);
    Message m = random_message(random, 777, 21);
    ChapolyKey *original = new ChapolyKey(impl.name, m.raw);
    lc_chacha20poly1305_key copy;

    memcpy(&copy, &original->key, sizeof(copy));
    lc_chacha20poly1305_wipe(&original->key);
    delete original;
    EXPECT_STREQ(lc_chacha20poly1305_impl_name(&copy), impl.name);
    EXPECT_TRUE(both_ways(&copy, m, reference::seal(m)));
    lc_chacha20poly1305_wipe(&copy);
}

// ---- Streams ----

TEST_P(Chapoly, EverySplitOfTheText)
{
    Random random(310);

    for (size_t len = 0; len <= 300; len++) {
        Message m = random_message(random, len, len % 18);
        ChapolyKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t at = 0; at <= len; at++)
            ASSERT_TRUE(stream((at + len / 64) % 2, key, m, expected, { m.aad.size() }, { at, len - at })) << len << " at " << at;
    }
}

TEST_P(Chapoly, EverySplitOfTheTextInThree)
{
    Random random(311);

    for (size_t len : { 65, 129, 140, 193 }) {
        Message m = random_message(random, len, 13);
        ChapolyKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t i = 0; i <= len; i++)
            for (size_t j = i; j <= len; j++)
                ASSERT_TRUE(stream((i + j) % 2, key, m, expected, { 13 }, { i, j - i, len - j })) << len << " at " << i << ", "
                    << j;
    }
}

TEST_P(Chapoly, EverySplitOfTheAad)
{
    Random random(312);

    for (size_t aad_len = 0; aad_len <= 150; aad_len++) {
        Message m = random_message(random, aad_len % 5 * 19, aad_len);
        ChapolyKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t at = 0; at <= aad_len; at++)
            ASSERT_TRUE(stream(at % 2, key, m, expected, { at, aad_len - at }, { m.src.size() })) << aad_len << " at " << at;
    }
}

TEST_P(Chapoly, PiecesOfOneLength)
{
    Random random(313);

    for (size_t piece = 1; piece <= 200; piece++) {
        Message m = random_message(random, 500 + piece, 100 + piece);
        ChapolyKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);
        std::vector<size_t> lens[2];

        for (size_t i = 0; i < 2; i++) {
            size_t left = (i ? m.src : m.aad).size();

            for (; left > piece; left -= piece)
                lens[i].push_back(piece);
            lens[i].push_back(left);
        }
        for (bool encrypt : both_directions)
            ASSERT_TRUE(stream(encrypt, key, m, expected, lens[0], lens[1])) << piece;
    }
}

TEST_P(Chapoly, RandomPieces)
{
    Random random(314);

    for (size_t i = 0; i < 200; i++) {
        Message m = random_message(random, random.below(9000), random.below(i % 2 ? 40 : 2000));
        ChapolyKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (bool encrypt : both_directions)
            ASSERT_TRUE(stream(encrypt, key, m, expected, random_pieces(random, m.aad.size()), random_pieces(random, m.src.size())))
                << i;
    }
}

TEST_P(Chapoly, StreamsInPlace)
{
    Random random(315);

    for (size_t len = 0; len <= 300; len++) {
        Message m = random_message(random, len, 20);
        ChapolyKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);
        lc_chacha20poly1305_state state;
        Bytes data = m.src, tag(16);
        size_t at = random.below(len + 1);

        for (bool encrypt : both_directions) {
            ASSERT_EQ(lc_chacha20poly1305_start(&state, key, m.nonce.data(), 12), LC_OK);
            ASSERT_EQ(lc_chacha20poly1305_aad(&state, m.aad.data(), 20), LC_OK);
            ASSERT_EQ(crypt_text(encrypt, &state, data.data(), data.data(), at), LC_OK);
            ASSERT_EQ(crypt_text(encrypt, &state, data.data() + at, data.data() + at, len - at), LC_OK);
            if (encrypt) {
                ASSERT_EQ(lc_chacha20poly1305_tag(&state, tag.data(), 16), LC_OK);
                ASSERT_TRUE(same(expected, { data, tag })) << len << " at " << at;
            } else {
                ASSERT_EQ(lc_chacha20poly1305_verify(&state, tag.data(), 16), LC_OK);
                ASSERT_TRUE(same(m.src, data)) << len << " at " << at;
            }
        }
    }
}

// At every call of a stream its state is copied, the original wiped, and the copy goes on; the copies left behind end as well.
TEST_P(Chapoly, CopiedState)
{
    Random random(316);
    Message m = random_message(random, 200, 50);
    ChapolyKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);

    for (size_t forked_at = 0; forked_at <= 200; forked_at++) {
        lc_chacha20poly1305_state state, copy, fork;
        Bytes dst(200), other(200), tag(16);

        ASSERT_EQ(lc_chacha20poly1305_start(&state, key, m.nonce.data(), 12), LC_OK);
        for (size_t at = 0; at < 50; at += 10) {
            memcpy(&copy, &state, sizeof(copy));
            lc_chacha20poly1305_state_wipe(&state);
            memcpy(&state, &copy, sizeof(copy));
            ASSERT_EQ(lc_chacha20poly1305_aad(&state, &m.aad[at], 10), LC_OK);
        }
        ASSERT_EQ(lc_chacha20poly1305_encrypt(&state, dst.data(), m.src.data(), forked_at), LC_OK);
        memcpy(&fork, &state, sizeof(fork));
        memcpy(&copy, &state, sizeof(copy));
        lc_chacha20poly1305_state_wipe(&state);
        ASSERT_EQ(lc_chacha20poly1305_encrypt(&copy, dst.data() + forked_at, m.src.data() + forked_at, 200 - forked_at), LC_OK);
        ASSERT_EQ(lc_chacha20poly1305_tag(&copy, tag.data(), 16), LC_OK);
        ASSERT_TRUE(same(expected, { dst, tag })) << forked_at;

        // the other one with another text: its own result, from the same beginning
        Message changed = m;
        std::fill(changed.src.begin() + static_cast<long>(forked_at), changed.src.end(), uint8_t{ 0 });
        ASSERT_EQ(lc_chacha20poly1305_encrypt(&fork, other.data() + forked_at, changed.src.data() + forked_at, 200 - forked_at),
                  LC_OK);
        ASSERT_EQ(lc_chacha20poly1305_tag(&fork, tag.data(), 16), LC_OK);
        std::copy_n(dst.begin(), forked_at, other.begin());
        ASSERT_TRUE(same(reference::seal(changed), { other, tag })) << forked_at;
    }
}

// The counter goes up to 2^32 - 1.  The stream is told that it has come that far.
TEST_P(Chapoly, TheLastBlocksOfTheLongestMessage)
{
    static Untouchable no;
    Random random(317);
    Bytes raw = random.bytes(32), src = random.bytes(64 * 40), nonce = random.bytes(12), dst(64 * 40);
    ChapolyKey key(impl.name, raw);

    for (size_t blocks = 1; blocks <= 40; blocks++) // before the last one
        for (size_t cut : { size_t{ 0 }, size_t{ 1 }, 32 * blocks, 64 * blocks - 1 })
            for (bool encrypt : both_directions) {
                const uint32_t first = UINT32_MAX - static_cast<uint32_t>(blocks) + 1;
                lc_chacha20poly1305_state state;

                ASSERT_EQ(lc_chacha20poly1305_start(&state, key, nonce.data(), 12), LC_OK);
                ASSERT_EQ(crypt_text(encrypt, &state, dst.data(), src.data(), 64), LC_OK);
                state.len = LC_CHACHA20POLY1305_MAX_LEN - 64 * blocks;
                state.iv[0] = first;
                ASSERT_EQ(crypt_text(encrypt, &state, no.p, no.p, 64 * blocks + 1), LC_ERR_LEN);
                ASSERT_EQ(crypt_text(encrypt, &state, dst.data(), src.data(), cut), LC_OK);
                ASSERT_EQ(crypt_text(encrypt, &state, no.p, no.p, 64 * blocks - cut + 1), LC_ERR_LEN);
                ASSERT_EQ(crypt_text(encrypt, &state, dst.data() + cut, src.data() + cut, 64 * blocks - cut), LC_OK);
                Bytes text(src.begin(), src.begin() + static_cast<long>(64 * blocks));
                Bytes expected = reference::chacha20(raw, text, chacha20_iv(nonce, first));
                ASSERT_TRUE(same(expected.data(), dst.data(), expected.size())) << blocks << ", " << cut;
                EXPECT_EQ(crypt_text(encrypt, &state, no.p, no.p, 1), LC_ERR_LEN);
                EXPECT_EQ(crypt_text(encrypt, &state, nullptr, nullptr, 0), LC_OK);
            }
}

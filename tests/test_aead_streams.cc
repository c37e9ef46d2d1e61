// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AEADs: messages in pieces give what they give in one call.
#include <algorithm>

#include "aead_support.h"

static const size_t block_len = Mode::block_len;

TEST_P(Aead, EverySplitOfTheText)
{
    Random random(30);

    for (size_t len = 0; len <= Mode::split_len; len++) {
        Message m = random_message(random, nth(Mode::key_lens, len), len, len % 18);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t at = 0; at <= len; at++)
            for (bool encrypt : both_directions)
                ASSERT_TRUE(stream(encrypt, key, m, expected, { m.aad.size() }, { at, len - at })) << len << " at " << at;
    }
}

TEST_P(Aead, EverySplitOfTheTextInThree)
{
    Random random(31);

    for (size_t len : { block_len + 1, 2 * block_len + 1, 5 * block_len / 2, 3 * block_len + 1 }) {
        Message m = random_message(random, nth(Mode::key_lens, len), len, 13);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t i = 0; i <= len; i++)
            for (size_t j = i; j <= len; j++)
                ASSERT_TRUE(stream((i + j) % 2, key, m, expected, { 13 }, { i, j - i, len - j }))
                    << len << " at " << i << ", " << j;
    }
}

TEST_P(Aead, EverySplitOfTheAad)
{
    Random random(32);

    for (size_t aad_len = 0; aad_len <= 2 * block_len + 38; aad_len++) {
        Message m = random_message(random, nth(Mode::key_lens, aad_len), aad_len % 5 * (block_len / 2 + 1), aad_len);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t at = 0; at <= aad_len; at++)
            for (bool encrypt : both_directions)
                ASSERT_TRUE(stream(encrypt, key, m, expected, { at, aad_len - at }, { m.src.size() })) << aad_len << " at " << at;
    }
}

TEST_P(Aead, PiecesOfOneLength)
{
    Random random(33);

    for (size_t piece = 1; piece <= 3 * block_len + 22; piece++) {
        Message m = random_message(random, nth(Mode::key_lens, piece), 6 * block_len + 116 + piece, 100 + piece);
        AeadKey key(impl.name, m.raw);
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

TEST_P(Aead, RandomPieces)
{
    Random random(34);

    for (size_t i = 0; i < 200; i++) {
        size_t nonce_len = nth(Mode::nonce_lens, i % 2 ? 0 : i / 2);

        if (!Mode::flavours[0].takes(nonce_len))
            nonce_len = Mode::nonce_lens[0];
        Message m = random_message(random, nth(Mode::key_lens, i), random.below(9000), random.below(i % 2 ? 40 : 2000), nonce_len);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (bool encrypt : both_directions)
            ASSERT_TRUE(stream(encrypt, key, m, expected, random_pieces(random, m.aad.size()), random_pieces(random, m.src.size())))
                << i;
    }
}

TEST_P(Aead, StreamsInPlace)
{
    Random random(35);

    for (size_t len = 0; len <= 300; len++) {
        Message m = random_message(random, nth(Mode::key_lens, len), len, 20);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);
        Bytes data = m.src, tag(16);
        size_t at = random.below(len + 1);
        State state;

        for (bool encrypt : both_directions) {
            ASSERT_NO_THROW(start(&state, key, m));
            ASSERT_EQ(crypt_text(encrypt, &state, data.data(), data.data(), at), LC_OK);
            ASSERT_EQ(crypt_text(encrypt, &state, data.data() + at, data.data() + at, len - at), LC_OK);
            ASSERT_EQ(tag_or_verify(encrypt, &state, tag.data(), 16), LC_OK);
            ASSERT_TRUE(same({ encrypt ? expected.ct : m.src, expected.tag }, { data, tag })) << len << " at " << at;
        }
    }
}

// Of as much as implementations take at once, and a few bytes in between; by themselves, and in place
TEST_P(Aead, LongPieces)
{
    static const size_t lens[] = { 1024, 1024, 512, 2048, 256, 3072, 1000, 64, 17, 5000 };
    Random random(38);

    for (size_t i = 0; i < 60; i++) {
        std::vector<size_t> pieces;
        size_t len = 0;

        for (size_t j = 0; j < 2 + i % 7; j++) {
            pieces.push_back(lens[i < 10 ? i : random.below(i < 30 ? 6 : 10)]);
            len += pieces.back();
        }
        Message m = random_message(random, nth(Mode::key_lens, i), len, i % 3 * 13);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);
        Bytes data = m.src, tag(16);

        for (bool encrypt : both_directions) {
            State state;
            size_t at = 0;

            ASSERT_TRUE(stream(encrypt, key, m, expected, { m.aad.size() }, pieces)) << i;
            ASSERT_NO_THROW(start(&state, key, m));
            for (size_t piece : pieces) {
                ASSERT_EQ(crypt_text(encrypt, &state, data.data() + at, data.data() + at, piece), LC_OK);
                at += piece;
            }
            ASSERT_EQ(tag_or_verify(encrypt, &state, tag.data(), 16), LC_OK);
            ASSERT_TRUE(same({ encrypt ? expected.ct : m.src, expected.tag }, { data, tag })) << i;
        }
    }
}

// At every call of a stream its state is copied, the original wiped, and the copy goes on; the copies left behind end as well.
TEST_P(Aead, CopiedState)
{
    const size_t len = 200;
    Random random(36);
    Message m = random_message(random, nth(Mode::key_lens, 1), len, 50);
    AeadKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);

    for (size_t forked_at = 0; forked_at <= len; forked_at++) {
        State state, copy, fork;
        Bytes dst(len), other(len), tag(16);

        ASSERT_EQ(Mode::start(&state, key, m.nonce.data(), 12), LC_OK);
        for (size_t at = 0; at < 50; at += 10) {
            memcpy(&copy, &state, sizeof(copy));
            Mode::state_wipe(&state);
            memcpy(&state, &copy, sizeof(copy));
            ASSERT_EQ(Mode::aad(&state, &m.aad[at], 10), LC_OK);
        }
        ASSERT_EQ(Mode::encrypt(&state, dst.data(), m.src.data(), forked_at), LC_OK);
        memcpy(&fork, &state, sizeof(fork));
        memcpy(&copy, &state, sizeof(copy));
        Mode::state_wipe(&state);
        ASSERT_EQ(Mode::encrypt(&copy, dst.data() + forked_at, m.src.data() + forked_at, len - forked_at), LC_OK);
        ASSERT_EQ(Mode::tag(&copy, tag.data(), 16), LC_OK);
        ASSERT_TRUE(same(expected, { dst, tag })) << forked_at;

        // the other one with another text: its own result, from the same beginning
        Message changed = m;
        std::fill(changed.src.begin() + static_cast<long>(forked_at), changed.src.end(), uint8_t{ 0 });
        ASSERT_EQ(Mode::encrypt(&fork, other.data() + forked_at, changed.src.data() + forked_at, len - forked_at), LC_OK);
        ASSERT_EQ(Mode::tag(&fork, tag.data(), 16), LC_OK);
        std::copy_n(dst.begin(), forked_at, other.begin());
        ASSERT_TRUE(same(reference::seal(changed), { other, tag })) << forked_at;
    }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-GCM: messages in pieces give what they give in one call, and many in one call what they give one by one.
#include <algorithm>

#include "gcm_support.h"

TEST_P(Gcm, EverySplitOfTheText)
{
    Random random(30);

    for (size_t len = 0; len <= 100; len++) {
        Message m = random_message(random, key_lens[len % 3], len, len % 18);
        GcmKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t at = 0; at <= len; at++)
            for (bool encrypt : both_directions)
                ASSERT_TRUE(stream(encrypt, key, m, expected, { m.aad.size() }, { at, len - at })) << len << " at " << at;
    }
}

TEST_P(Gcm, EverySplitOfTheTextInThree)
{
    Random random(31);

    for (size_t len : { 17, 33, 40, 49 }) {
        Message m = random_message(random, key_lens[len % 3], len, 13);
        GcmKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t i = 0; i <= len; i++)
            for (size_t j = i; j <= len; j++)
                ASSERT_TRUE(stream((i + j) % 2, key, m, expected, { 13 }, { i, j - i, len - j }))
                    << len << " at " << i << ", " << j;
    }
}

TEST_P(Gcm, EverySplitOfTheAad)
{
    Random random(32);

    for (size_t aad_len = 0; aad_len <= 70; aad_len++) {
        Message m = random_message(random, key_lens[aad_len % 3], aad_len % 5 * 9, aad_len);
        GcmKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t at = 0; at <= aad_len; at++)
            for (bool encrypt : both_directions)
                ASSERT_TRUE(stream(encrypt, key, m, expected, { at, aad_len - at }, { m.src.size() })) << aad_len << " at " << at;
    }
}

TEST_P(Gcm, PiecesOfOneLength)
{
    Random random(33);

    for (size_t piece = 1; piece <= 70; piece++) {
        Message m = random_message(random, key_lens[piece % 3], 200 + piece, 100 + piece);
        GcmKey key(impl.name, m.raw);
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

static std::vector<size_t> random_pieces(Random &random, size_t len)
{
    std::vector<size_t> lens;

    while (len) {
        size_t most = random.below(2) ? 40 : 3000, n = std::min(len, random.below(most));

        if (random.below(2))
            n = n / 16 * 16;
        lens.push_back(n); // empty ones too
        len -= n;
    }
    return lens;
}

TEST_P(Gcm, RandomPieces)
{
    Random random(34);

    for (size_t i = 0; i < 200; i++) {
        static const size_t nonce_lens[] = { 12, 12, 8, 16, 60 };
        Message m = random_message(random, key_lens[i % 3], random.below(6000), random.below(i % 2 ? 40 : 2000), nonce_lens[i % 5]);
        GcmKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (bool encrypt : both_directions)
            ASSERT_TRUE(stream(encrypt, key, m, expected, random_pieces(random, m.aad.size()), random_pieces(random, m.src.size())))
                << i;
    }
}

TEST_P(Gcm, StreamsInPlace)
{
    Random random(35);

    for (size_t len = 0; len <= 200; len++) {
        Message m = random_message(random, key_lens[len % 3], len, 20);
        GcmKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);
        lc_gcm_state state;
        Bytes data = m.src, tag(16);
        size_t at = random.below(len + 1);

        ASSERT_EQ(lc_gcm_start(&state, key, m.nonce.data(), 12), LC_OK);
        ASSERT_EQ(lc_gcm_aad(&state, m.aad.data(), 20), LC_OK);
        ASSERT_EQ(lc_gcm_encrypt(&state, data.data(), data.data(), at), LC_OK);
        ASSERT_EQ(lc_gcm_encrypt(&state, data.data() + at, data.data() + at, len - at), LC_OK);
        ASSERT_EQ(lc_gcm_tag(&state, tag.data(), 16), LC_OK);
        ASSERT_TRUE(same(expected, { data, tag })) << len << " at " << at;

        ASSERT_EQ(lc_gcm_start(&state, key, m.nonce.data(), 12), LC_OK);
        ASSERT_EQ(lc_gcm_aad(&state, m.aad.data(), 20), LC_OK);
        ASSERT_EQ(lc_gcm_decrypt(&state, data.data(), data.data(), at), LC_OK);
        ASSERT_EQ(lc_gcm_decrypt(&state, data.data() + at, data.data() + at, len - at), LC_OK);
        ASSERT_EQ(lc_gcm_verify(&state, tag.data(), 16), LC_OK);
        ASSERT_TRUE(same(m.src, data)) << len << " at " << at;
    }
}

// At every call of a stream its state is copied, the original wiped, and the copy goes on; the copies left behind end as well.
TEST_P(Gcm, CopiedState)
{
    Random random(36);
    Message m = random_message(random, 24, 100, 50);
    GcmKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);

    for (size_t forked_at = 0; forked_at <= 100; forked_at++) {
        lc_gcm_state state, copy, fork;
        Bytes dst(100), other(100), tag(16);

        ASSERT_EQ(lc_gcm_start(&state, key, m.nonce.data(), 12), LC_OK);
        for (size_t at = 0; at < 50; at += 10) {
            memcpy(&copy, &state, sizeof(copy));
            lc_gcm_state_wipe(&state);
            state = copy;
            ASSERT_EQ(lc_gcm_aad(&state, &m.aad[at], 10), LC_OK);
        }
        ASSERT_EQ(lc_gcm_encrypt(&state, dst.data(), m.src.data(), forked_at), LC_OK);
        memcpy(&fork, &state, sizeof(fork));
        memcpy(&copy, &state, sizeof(copy));
        lc_gcm_state_wipe(&state);
        ASSERT_EQ(lc_gcm_encrypt(&copy, dst.data() + forked_at, m.src.data() + forked_at, 100 - forked_at), LC_OK);
        ASSERT_EQ(lc_gcm_tag(&copy, tag.data(), 16), LC_OK);
        ASSERT_TRUE(same(expected, { dst, tag })) << forked_at;

        // the other one with another text: its own result, from the same beginning
        Message changed = m;
        std::fill(changed.src.begin() + static_cast<long>(forked_at), changed.src.end(), uint8_t{ 0 });
        ASSERT_EQ(lc_gcm_encrypt(&fork, other.data() + forked_at, changed.src.data() + forked_at, 100 - forked_at), LC_OK);
        ASSERT_EQ(lc_gcm_tag(&fork, tag.data(), 16), LC_OK);
        std::copy_n(dst.begin(), forked_at, other.begin());
        ASSERT_TRUE(same(reference::seal(changed), { other, tag })) << forked_at;
    }
}

// 2^32 - 2 blocks are allowed, so counters of 12-byte nonces go up to 2^32 - 1.  The stream is told that it has come that far.
TEST_P(Gcm, TheLastBlocksOfTheLongestMessage)
{
    Random random(37);
    Bytes raw = random.bytes(32), src = random.bytes(1000), nonce = random.bytes(12), dst(1000);
    GcmKey key(impl.name, raw);

    for (size_t blocks = 1; blocks <= 50; blocks++) { // before the last one
        const uint32_t first = UINT32_MAX - static_cast<uint32_t>(blocks) + 1;
        Bytes block = nonce;
        lc_gcm_state state;

        for (int i = 3; i >= 0; i--)
            block.push_back(static_cast<uint8_t>((first - 1) >> 8 * i)); // J0 if it were the message's beginning
        ASSERT_EQ(lc_gcm_start(&state, key, nonce.data(), 12), LC_OK);
        ASSERT_EQ(lc_gcm_encrypt(&state, nullptr, nullptr, 0), LC_OK);
        state.len = LC_GCM_MAX_LEN - 16 * blocks;
        ASSERT_EQ(lc_gcm_encrypt(&state, dst.data(), src.data(), 16 * blocks), LC_OK);
        for (size_t i = 0; i < blocks; i++) {
            // a message of one block whose only counter is this one, by the key stream alone
            lc_gcm_state one;
            uint8_t expected[16];

            ASSERT_EQ(lc_gcm_start(&one, key, nonce.data(), 12), LC_OK);
            memcpy(one.j0, block.data(), 16);
            one.len = 16 * i;
            ASSERT_EQ(lc_gcm_encrypt(&one, expected, &src[16 * i], 16), LC_OK);
            ASSERT_TRUE(same(expected, &dst[16 * i], 16)) << blocks << ", " << i;
        }
        EXPECT_EQ(lc_gcm_encrypt(&state, dst.data(), src.data(), 1), LC_ERR_LEN);
    }
}

// ---- Many messages ----

struct Batch {
    std::vector<Message> messages;
    std::vector<Sealed> expected;
    std::vector<Bytes> dst, tags;
    std::vector<lc_aead_item> items;

    // lengths from 0 on, AAD of other lengths, all under one key
    Batch(Random &random, size_t num, size_t max_len)
    {
        Bytes raw = random.bytes(32);

        for (size_t i = 0; i < num; i++) {
            messages.push_back(random_message(random, 32, random.below(max_len + 1), random.below(2) ? random.below(60) : 13));
            messages[i].raw = raw;
            expected.push_back(reference::seal(messages[i]));
        }
        for (size_t i = 0; i < num; i++) {
            dst.push_back(Bytes(messages[i].src.size(), 0x5a));
            tags.push_back(Bytes(16, 0x5a));
        }
        items.resize(num);
    }

    lc_aead_item *seal_items(bool in_place)
    {
        for (size_t i = 0; i < items.size(); i++) {
            const Message &m = messages[i];

            tags[i].assign(16, 0x5a);
            dst[i] = in_place ? m.src : Bytes(m.src.size(), 0x5a);
            items[i] = { dst[i].data(), tags[i].data(), in_place ? dst[i].data() : m.src.data(), m.src.size(), m.aad.data(),
                         m.aad.size(), m.nonce.data(), 77 };
        }
        return items.data();
    }

    lc_aead_item *open_items(bool in_place)
    {
        for (size_t i = 0; i < items.size(); i++) {
            const Message &m = messages[i];

            tags[i] = expected[i].tag;
            dst[i] = in_place ? expected[i].ct : Bytes(m.src.size(), 0x5a);
            items[i] = { dst[i].data(), tags[i].data(), in_place ? dst[i].data() : expected[i].ct.data(), m.src.size(),
                         m.aad.data(), m.aad.size(), m.nonce.data(), 77 };
        }
        return items.data();
    }
};

TEST_P(Gcm, Many)
{
    Random random(40);

    for (size_t num = 0; num <= 40; num++)
        for (size_t max_len : { 20, 300, 1500 }) {
            Batch batch(random, num, max_len);
            GcmKey key(impl.name, num ? batch.messages[0].raw : Bytes(32));

            for (bool in_place : { false, true }) {
                ASSERT_EQ(lc_gcm_seal_many(key, batch.seal_items(in_place), num), LC_OK);
                for (size_t i = 0; i < num; i++) {
                    ASSERT_EQ(batch.items[i].status, LC_OK);
                    ASSERT_TRUE(same(batch.expected[i], { batch.dst[i], batch.tags[i] })) << i << " of " << num;
                }
                ASSERT_EQ(lc_gcm_open_many(key, batch.open_items(in_place), num), LC_OK);
                for (size_t i = 0; i < num; i++) {
                    ASSERT_EQ(batch.items[i].status, LC_OK);
                    ASSERT_TRUE(same(batch.messages[i].src, batch.dst[i])) << i << " of " << num;
                    ASSERT_TRUE(same(batch.expected[i].tag, batch.tags[i])) << i << " of " << num;
                }
            }
        }
    GcmKey key(impl.name, random.bytes(16));
    EXPECT_EQ(lc_gcm_seal_many(key, nullptr, 0), LC_OK);
    EXPECT_EQ(lc_gcm_open_many(key, nullptr, 0), LC_OK);
}

// Each item in turn is bad; the others are none the worse.
TEST_P(Gcm, ManyWithBadOnes)
{
    Random random(41);
    Batch batch(random, 20, 200);
    GcmKey key(impl.name, batch.messages[0].raw);

    for (size_t bad = 0; bad < 20; bad++) {
        batch.open_items(bad % 2);
        batch.tags[bad][bad % 16] ^= 1;
        ASSERT_EQ(lc_gcm_open_many(key, batch.items.data(), 20), LC_ERR_AUTH);
        for (size_t i = 0; i < 20; i++) {
            ASSERT_EQ(batch.items[i].status, i == bad ? LC_ERR_AUTH : LC_OK) << i;
            ASSERT_TRUE(same(i == bad ? Bytes(batch.dst[i].size()) : batch.messages[i].src, batch.dst[i])) << i;
        }
        batch.seal_items(bad % 2);
        batch.items[bad].len = LC_GCM_MAX_LEN + 1;
        ASSERT_EQ(lc_gcm_seal_many(key, batch.items.data(), 20), LC_ERR_LEN);
        for (size_t i = 0; i < 20; i++) {
            ASSERT_EQ(batch.items[i].status, i == bad ? LC_ERR_LEN : LC_OK) << i;
            if (i != bad) {
                ASSERT_TRUE(same(batch.expected[i], { batch.dst[i], batch.tags[i] })) << i;
            } else {
                ASSERT_TRUE(all_bytes(batch.tags[i].data(), 16, 0x5a));
            }
        }
    }
    // of several errors, the first is returned
    for (bool length_first : { false, true }) {
        batch.open_items(false);
        batch.tags[length_first ? 9 : 4][0] ^= 1;
        batch.items[length_first ? 4 : 9].len = LC_GCM_MAX_LEN + 1;
        EXPECT_EQ(lc_gcm_open_many(key, batch.items.data(), 20), length_first ? LC_ERR_LEN : LC_ERR_AUTH);
        EXPECT_EQ(batch.items[4].status, length_first ? LC_ERR_LEN : LC_ERR_AUTH);
        EXPECT_EQ(batch.items[9].status, length_first ? LC_ERR_AUTH : LC_ERR_LEN);
    }
}

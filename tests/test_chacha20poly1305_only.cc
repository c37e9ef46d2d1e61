// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ChaCha20-Poly1305: what the other AEADs don't have: XChaCha20-Poly1305, and a counter that ends.
#include "aead_support.h"

TEST_P(Aead, XchachaLengths)
{
    Random random(306);

    for (size_t len = 0; len <= 300; len++)
        ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, 32, len, len % 50, 24)));
}

// A stream under the message's own key, which also continues in a copy that has a copy of the key.
TEST_P(Aead, XchachaSubkey)
{
    Random random(319);

    for (size_t len : { 0, 1, 63, 64, 300, 3000 }) {
        Message m = random_message(random, 32, len, 20, 24);
        AeadKey key(impl.name, m.raw);
        Bytes dst(len), tag(16);
        uint8_t short_nonce[12];
        struct {
            lc_chacha20poly1305_key key;
            State state;
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

TEST_P(Aead, XchachaSubkeyRefused)
{
    AeadKey key(impl.name, Random(321).bytes(32));
    Bytes before = bytes_of(key.key);
    Untouchable no;

    for (size_t nonce_len : bad_nonce_lens(Mode::flavours[1]))
        EXPECT_EQ(lc_xchacha20poly1305_subkey(reinterpret_cast<Mode::Key *>(no.p), no.p, key, no.p, nonce_len), LC_ERR_NONCE_LEN);
    EXPECT_TRUE(same(before, bytes_of(key.key)));
}

// Long messages in pieces of a pass or more: what is made ahead also serves a state that was moved, and short pieces.
TEST_P(Aead, PiecesOfAPassOrMore)
{
    static const size_t lens[] = { 1024, 1024, 1024, 1040, 1536, 2047, 2048, 3072, 1, 63, 200, 1000, 17500 };
    Random random(326);

    for (size_t i = 0; i < 40; i++) {
        std::vector<size_t> pieces = { 4096 + 16 * i, 4096 };
        size_t len = 0;

        if (i % 4 == 3)
            pieces = { 1024 }; // no pass has the next one beside it yet

        for (size_t j = 0; j < 3 + i % 8; j++)
            pieces.push_back(lens[i < 13 ? i : random.below(13)]);
        for (size_t piece : pieces)
            len += piece;
        Message m = random_message(random, 32, len, i % 3 * 13);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);
        Bytes data = m.src, tag(16), room(sizeof(State) + 64 + 64);

        for (bool encrypt : both_directions) {
            uint8_t *const aligned = room.data() + (-reinterpret_cast<uintptr_t>(room.data()) & 63);
            size_t at = 0, place = 0;
            State *state = reinterpret_cast<State *>(aligned);

            ASSERT_TRUE(stream(encrypt, key, m, expected, { m.aad.size() }, pieces)) << i;
            ASSERT_NO_THROW(start(state, key, m));
            for (size_t piece : pieces) {
                ASSERT_EQ(crypt_text(encrypt, state, data.data() + at, data.data() + at, piece), LC_OK);
                at += piece;
                place = (place + 16) % 64;
                state = static_cast<State *>(memmove(aligned + place, state, sizeof(State)));
            }
            ASSERT_EQ(tag_or_verify(encrypt, state, tag.data(), 16), LC_OK);
            ASSERT_TRUE(all_bytes(state->keystream, sizeof(state->keystream), 0)) << i; // wherever it began
            ASSERT_TRUE(same({ encrypt ? expected.ct : m.src, expected.tag }, { data, tag })) << i;
        }
    }
}

// The counter goes up to 2^32 - 1.  The stream is told that it has come that far.
TEST_P(Aead, TheLastBlocksOfTheLongestMessage)
{
    static Untouchable no;
    Random random(317);
    Bytes raw = random.bytes(32), src = random.bytes(64 * 40), nonce = random.bytes(12), dst(64 * 40);
    AeadKey key(impl.name, raw);

    for (size_t blocks = 1; blocks <= 40; blocks++) // before the last one
        for (size_t cut : { size_t{ 0 }, size_t{ 1 }, 32 * blocks, 64 * blocks - 1 })
            for (bool encrypt : both_directions) {
                const uint32_t first = UINT32_MAX - static_cast<uint32_t>(blocks) + 1;
                State state;

                ASSERT_EQ(lc_chacha20poly1305_start(&state, key, nonce.data(), 12), LC_OK);
                ASSERT_EQ(crypt_text(encrypt, &state, dst.data(), src.data(), 64), LC_OK);
                state.len = LC_CHACHA20POLY1305_MAX_LEN - 64 * blocks;
                state.iv[0] = first;
                ASSERT_EQ(crypt_text(encrypt, &state, no.p, no.p, 64 * blocks + 1), LC_ERR_LEN);
                ASSERT_EQ(crypt_text(encrypt, &state, dst.data(), src.data(), cut), LC_OK);
                ASSERT_LE(state.left, LC_CHACHA20POLY1305_MAX_LEN - state.len) << "no block comes after the last one";
                ASSERT_EQ(crypt_text(encrypt, &state, no.p, no.p, 64 * blocks - cut + 1), LC_ERR_LEN);
                ASSERT_EQ(crypt_text(encrypt, &state, dst.data() + cut, src.data() + cut, 64 * blocks - cut), LC_OK);
                Bytes text(src.begin(), src.begin() + static_cast<long>(64 * blocks));
                Bytes expected = reference::chacha20(raw, text, chacha20_iv(nonce, first));
                ASSERT_TRUE(same(expected.data(), dst.data(), expected.size())) << blocks << ", " << cut;
                EXPECT_EQ(crypt_text(encrypt, &state, no.p, no.p, 1), LC_ERR_LEN);
                EXPECT_EQ(crypt_text(encrypt, &state, nullptr, nullptr, 0), LC_OK);
            }
}

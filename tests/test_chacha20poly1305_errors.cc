// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ChaCha20-Poly1305: everything that has to be refused, that nothing is written then, and that what is secret can be wiped.
#include <algorithm>

#include "chacha20poly1305_support.h"

TEST_P(Chapoly, KeyLengths)
{
    Bytes raw = Random(330).bytes(256);
    lc_chacha20poly1305_key key;

    memset(&key, 0x5a, sizeof(key));
    for (size_t len = 0; len <= 130; len++)
        if (len != 32) {
            EXPECT_EQ(lc_chacha20poly1305_init_impl(&key, impl.name, raw.data(), len), LC_ERR_KEY_LEN) << len;
            EXPECT_EQ(lc_chacha20poly1305_init(&key, raw.data(), len), LC_ERR_KEY_LEN) << len;
        }
    EXPECT_EQ(lc_chacha20poly1305_init_impl(&key, impl.name, raw.data(), SIZE_MAX), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_chacha20poly1305_init_impl(&key, impl.name, raw.data(), (size_t{ 1 } << 32) + 32), LC_ERR_KEY_LEN);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    EXPECT_EQ(lc_chacha20poly1305_init_impl(&key, impl.name, raw.data(), 32), LC_OK);
}

TEST(ChapolyErrors, ImplementationNames)
{
    Bytes raw = Random(331).bytes(32);
    lc_chacha20poly1305_key key;

    memset(&key, 0x5a, sizeof(key));
    for (const char *name : { "", ",", "chacha20-poly1305", "chacha20-poly1305-portabl", "chacha20-poly1305-portable,",
                              "chacha20-portable", "poly1305-portable", "chacha20-poly1305=chacha20-poly1305-portable" })
        EXPECT_EQ(lc_chacha20poly1305_init_impl(&key, name, raw.data(), raw.size()), LC_ERR_IMPL) << name;
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    EXPECT_EQ(lc_chacha20poly1305_init_impl(&key, "chacha20-poly1305-portable", raw.data(), raw.size()), LC_OK);
}

static const size_t bad_tag_lens[] = { 0, 1, 4, 8, 12, 13, 14, 15, 17, 20, 32, 64, SIZE_MAX, (size_t{ 1 } << 32) + 16 };
static const size_t bad_nonce_lens[] = { 0, 1, 7, 8, 11, 13, 16, 23, 25, 32, SIZE_MAX, (size_t{ 1 } << 32) + 12, (size_t{ 1 }
                                                                                                                  << 32) + 24 };

TEST_P(Chapoly, WholeMessagesRefused)
{
    static const size_t too_long = LC_CHACHA20POLY1305_MAX_LEN + 1;
    ChapolyKey key(impl.name, Random(332).bytes(32));
    Bytes before = bytes_of(key.key), nonce(24);
    Untouchable no;

    for (size_t right : { 12, 24 }) {
        auto seal_fn = right == 24 ? lc_xchacha20poly1305_seal : lc_chacha20poly1305_seal;
        auto open_fn = right == 24 ? lc_xchacha20poly1305_open : lc_chacha20poly1305_open;
        auto both = [&](int expected, size_t tag_len, size_t len, const uint8_t *n, size_t nonce_len) {
            EXPECT_EQ(seal_fn(key, no.p, no.p, tag_len, no.p, len, no.p, 16, n, nonce_len), expected);
            EXPECT_EQ(open_fn(key, no.p, no.p, len, no.p, tag_len, no.p, 16, n, nonce_len), expected);
        };

        for (size_t tag_len : bad_tag_lens)
            both(LC_ERR_TAG_LEN, tag_len, 16, nonce.data(), right);
        for (size_t len : { too_long, too_long + 63, size_t{ 1 } << 38, (size_t{ 1 } << 38) + 16, SIZE_MAX, SIZE_MAX - 63 })
            both(LC_ERR_LEN, 16, len, nonce.data(), right);
        for (size_t nonce_len : bad_nonce_lens)
            both(LC_ERR_NONCE_LEN, 16, 16, no.p, nonce_len);
        both(LC_ERR_NONCE_LEN, 16, 16, no.p, 36 - right); // the other one's
    }
    for (size_t nonce_len : { 0, 12, 23, 25 })
        EXPECT_EQ(lc_xchacha20poly1305_subkey(reinterpret_cast<lc_chacha20poly1305_key *>(no.p), no.p, key, no.p, nonce_len),
                  LC_ERR_NONCE_LEN);
    EXPECT_TRUE(same(before, bytes_of(key.key)));
}

TEST_P(Chapoly, NullWithoutLength)
{
    Random random(333);
    Message m = random_message(random, 0, 0);
    ChapolyKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);
    Bytes tag(16), long_nonce = random.bytes(24);
    lc_chacha20poly1305_state state;

    EXPECT_EQ(lc_chacha20poly1305_seal(key, nullptr, tag.data(), 16, nullptr, 0, nullptr, 0, m.nonce.data(), 12), LC_OK);
    EXPECT_TRUE(same(expected.tag, tag));
    EXPECT_EQ(lc_chacha20poly1305_open(key, nullptr, nullptr, 0, tag.data(), 16, nullptr, 0, m.nonce.data(), 12), LC_OK);
    tag[0] ^= 1;
    EXPECT_EQ(lc_chacha20poly1305_open(key, nullptr, nullptr, 0, tag.data(), 16, nullptr, 0, m.nonce.data(), 12), LC_ERR_AUTH);
    EXPECT_EQ(lc_xchacha20poly1305_seal(key, nullptr, tag.data(), 16, nullptr, 0, nullptr, 0, long_nonce.data(), 24), LC_OK);
    EXPECT_EQ(lc_xchacha20poly1305_open(key, nullptr, nullptr, 0, tag.data(), 16, nullptr, 0, long_nonce.data(), 24), LC_OK);
    for (bool right : { true, false }) {
        std::vector<lc_aead_item> items(5, { nullptr, tag.data(), nullptr, 0, nullptr, 0, m.nonce.data(), 77 });

        tag = expected.tag;
        EXPECT_EQ(lc_chacha20poly1305_seal_many(key, items.data(), 5), LC_OK);
        EXPECT_TRUE(same(expected.tag, tag));
        tag[0] ^= right ? 0 : 1;
        EXPECT_EQ(lc_chacha20poly1305_open_many(key, items.data(), 5), right ? LC_OK : LC_ERR_AUTH);
        for (const lc_aead_item &item : items)
            EXPECT_EQ(item.status, right ? LC_OK : LC_ERR_AUTH);
    }
    for (bool encrypt : both_directions) {
        tag = expected.tag;
        ASSERT_EQ(lc_chacha20poly1305_start(&state, key, m.nonce.data(), 12), LC_OK);
        EXPECT_EQ(lc_chacha20poly1305_aad(&state, nullptr, 0), LC_OK);
        EXPECT_EQ(crypt_text(encrypt, &state, nullptr, nullptr, 0), LC_OK);
        EXPECT_EQ(encrypt ? lc_chacha20poly1305_tag(&state, tag.data(), 16) : lc_chacha20poly1305_verify(&state, tag.data(), 16),
                  LC_OK);
        EXPECT_TRUE(same(expected.tag, tag));
    }
}

// ---- What isn't authentic ----

// Opens into memory with a known value; in place too.  Both have to be refused, and leave zeros.
static ::testing::AssertionResult refused(const lc_chacha20poly1305_key *key, const Sealed &s, const Message &m)
{
    Bytes in_place = s.ct, out_of_place(s.ct.size(), 0x5a), tag = s.tag;

    for (Bytes *dst : { &in_place, &out_of_place }) {
        int status = seal_or_open(false, key, dst->data(), dst == &in_place ? dst->data() : s.ct.data(), s.ct.size(), tag.data(),
                                  m.aad.data(), m.aad.size(), m.nonce.data(), m.nonce.size());

        if (status != LC_ERR_AUTH)
            return ::testing::AssertionFailure() << "status " << status;
        if (!all_bytes(dst->data(), dst->size(), 0))
            return ::testing::AssertionFailure() << "the destination isn't wiped";
        if (tag != s.tag)
            return ::testing::AssertionFailure() << "the tag has changed";
    }
    if (m.nonce.size() == 24)
        return ::testing::AssertionSuccess();
    // and by a stream
    lc_chacha20poly1305_state state;
    if (lc_chacha20poly1305_start(&state, key, m.nonce.data(), m.nonce.size()) != LC_OK ||
        lc_chacha20poly1305_aad(&state, m.aad.data(), m.aad.size()) != LC_OK ||
        lc_chacha20poly1305_decrypt(&state, out_of_place.data(), s.ct.data(), s.ct.size()) != LC_OK)
        return ::testing::AssertionFailure() << "the stream doesn't even begin";
    if (lc_chacha20poly1305_verify(&state, s.tag.data(), s.tag.size()) != LC_ERR_AUTH)
        return ::testing::AssertionFailure() << "lc_chacha20poly1305_verify() takes it";
    return ::testing::AssertionSuccess();
}

TEST_P(Chapoly, EveryBitOfTheTagCounts)
{
    Random random(334);

    for (size_t nonce_len : { 12, 24 })
        for (size_t len : { 0, 1, 16, 64, 300 }) {
            Message m = random_message(random, len, 7, nonce_len);
            ChapolyKey key(impl.name, m.raw);
            Sealed s = reference::seal(m);
            Bytes dst;

            ASSERT_EQ(open(key, &dst, s, m), LC_OK);
            for (size_t bit = 0; bit < 128; bit++) {
                flip(&s.tag, bit);
                ASSERT_TRUE(refused(key, s, m)) << "bit " << bit;
                flip(&s.tag, bit);
            }
            // differences that cancel each other out in a sum or a xor over the tag's words
            for (size_t other : { size_t{ 8 }, size_t{ 32 }, size_t{ 64 } }) {
                flip(&s.tag, 0);
                flip(&s.tag, other);
                ASSERT_TRUE(refused(key, s, m)) << "bits 0 and " << other;
                flip(&s.tag, 0);
                flip(&s.tag, other);
            }
            std::fill(s.tag.begin(), s.tag.end(), uint8_t{ 0 });
            ASSERT_TRUE(refused(key, s, m)) << "zeros";
        }
}

TEST_P(Chapoly, EveryBitOfTheInputsCounts)
{
    Random random(335);

    for (size_t len : { 1, 16, 70 }) {
        Message m = random_message(random, len, len / 2 + 5, len == 16 ? 24 : 12);
        ChapolyKey key(impl.name, m.raw);
        Sealed s = reference::seal(m);

        for (Bytes *bytes : { &s.ct, &m.aad, &m.nonce })
            for (size_t bit = 0; bit < 8 * bytes->size(); bit++) {
                flip(bytes, bit);
                ASSERT_TRUE(refused(key, s, m)) << (bytes == &s.ct ? "text" : bytes == &m.aad ? "AAD" : "nonce") << ", bit " << bit;
                flip(bytes, bit);
            }
        for (size_t bit = 0; bit < 256; bit++) {
            Bytes raw = m.raw;

            flip(&raw, bit);
            ASSERT_TRUE(refused(ChapolyKey(impl.name, raw), s, m)) << "key, bit " << bit;
        }
        ASSERT_TRUE(both_ways(key, m, s));
    }
}

// Zeros behind the text or the AAD, and bytes that move from one to the other, are the same to Poly1305 but for the lengths.
TEST_P(Chapoly, LengthsCount)
{
    Random random(336);
    Message m = random_message(random, 30, 14), n = m;
    ChapolyKey key(impl.name, m.raw);
    Sealed s = reference::seal(m), t = s;

    t.ct.push_back(0);
    EXPECT_TRUE(refused(key, t, m));
    n.aad.push_back(0);
    EXPECT_TRUE(refused(key, s, n));
    m.aad.resize(16);
    m.src.resize(32);
    s = t = reference::seal(m);
    n.aad = m.aad;
    n.aad.insert(n.aad.end(), s.ct.begin(), s.ct.begin() + 16);
    t.ct.assign(s.ct.begin() + 16, s.ct.end());
    EXPECT_TRUE(refused(key, t, n));
}

TEST_P(Chapoly, FailureWipesAllLengths)
{
    Random random(337);

    for (size_t len = 0; len <= 1100; len++) {
        Message m = random_message(random, len, len % 20, len % 5 ? 12 : 24);
        ChapolyKey key(impl.name, m.raw);
        Sealed s = reference::seal(m);

        flip(&s.tag, len % 128);
        ASSERT_TRUE(refused(key, s, m)) << len;
    }
}

// ---- Streams out of order ----

enum Call { AAD, ENCRYPT, DECRYPT, TAG, VERIFY, NUM_CALLS };

static int call(Call c, lc_chacha20poly1305_state *state, uint8_t *p, size_t len)
{
    switch (c) {
    case AAD: return lc_chacha20poly1305_aad(state, p, len);
    case ENCRYPT: return lc_chacha20poly1305_encrypt(state, p, p, len);
    case DECRYPT: return lc_chacha20poly1305_decrypt(state, p, p, len);
    case TAG: return lc_chacha20poly1305_tag(state, p, 16);
    default: return lc_chacha20poly1305_verify(state, p, 16);
    }
}

static bool may_follow(Call first, Call second)
{
    return first == AAD || (first == ENCRYPT && (second == ENCRYPT || second == TAG)) ||
           (first == DECRYPT && (second == DECRYPT || second == VERIFY));
}

// Every call behind every other: allowed as the header says, or refused, and then neither the memory nor the state is touched.
TEST_P(Chapoly, EveryOrderOfCalls)
{
    Random random(338);
    ChapolyKey key(impl.name, random.bytes(32));
    Bytes nonce = random.bytes(12), before;
    Untouchable no;

    for (int first = 0; first < NUM_CALLS; first++)
        for (int second = 0; second < NUM_CALLS; second++)
            for (size_t len : { 0, 5, 16, 64, 69 }) {
                lc_chacha20poly1305_state state;
                Bytes data = random.bytes(80);

                SCOPED_TRACE(std::to_string(first) + ", then " + std::to_string(second) + " with " + std::to_string(len));
                ASSERT_EQ(lc_chacha20poly1305_start(&state, key, nonce.data(), 12), LC_OK);
                ASSERT_EQ(call(static_cast<Call>(first), &state, data.data(), len), first == VERIFY ? LC_ERR_AUTH : LC_OK);
                if (may_follow(static_cast<Call>(first), static_cast<Call>(second))) {
                    EXPECT_EQ(call(static_cast<Call>(second), &state, data.data(), len), second == VERIFY ? LC_ERR_AUTH : LC_OK);
                } else {
                    before = bytes_of(state);
                    EXPECT_EQ(call(static_cast<Call>(second), &state, no.p, len), LC_ERR_STATE);
                    EXPECT_TRUE(same(before, bytes_of(state)));
                }
            }
}

TEST_P(Chapoly, StreamLengthsRefused)
{
    Random random(339);
    ChapolyKey key(impl.name, random.bytes(32));
    Bytes nonce = random.bytes(12), data = random.bytes(100), before;
    lc_chacha20poly1305_state state;
    Untouchable no;

    memset(&state, 0x5a, sizeof(state));
    for (size_t nonce_len : bad_nonce_lens)
        EXPECT_EQ(lc_chacha20poly1305_start(&state, key, no.p, nonce_len), LC_ERR_NONCE_LEN);
    EXPECT_EQ(lc_chacha20poly1305_start(&state, key, no.p, 24), LC_ERR_NONCE_LEN);
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0x5a));

    for (size_t done : { 0, 5, 64, 75 }) {
        const size_t most = LC_CHACHA20POLY1305_MAX_LEN;

        ASSERT_EQ(lc_chacha20poly1305_start(&state, key, nonce.data(), 12), LC_OK);
        ASSERT_EQ(lc_chacha20poly1305_aad(&state, data.data(), done), LC_OK);
        before = bytes_of(state);
        for (size_t tag_len : bad_tag_lens) {
            EXPECT_EQ(lc_chacha20poly1305_tag(&state, no.p, tag_len), LC_ERR_TAG_LEN) << tag_len;
            EXPECT_EQ(lc_chacha20poly1305_verify(&state, no.p, tag_len), LC_ERR_TAG_LEN) << tag_len;
        }
        EXPECT_TRUE(same(before, bytes_of(state)));
        for (bool encrypt : both_directions) {
            lc_chacha20poly1305_state text;

            memcpy(&text, &state, sizeof(text));
            ASSERT_EQ(crypt_text(encrypt, &text, data.data(), data.data(), done), LC_OK);
            before = bytes_of(text);
            for (size_t len : { most - done + 1, size_t{ 1 } << 38, SIZE_MAX, SIZE_MAX - done + 1 })
                if (len) {
                    EXPECT_EQ(crypt_text(encrypt, &text, no.p, no.p, len), LC_ERR_LEN) << len;
                }
            EXPECT_TRUE(same(before, bytes_of(text)));
        }
    }
}

// Every bit of a stream's tag, and that a tag of a wrong length doesn't end one.
TEST_P(Chapoly, StreamTags)
{
    Random random(340);
    Message m = random_message(random, 105, 11);
    ChapolyKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);
    lc_chacha20poly1305_state state;
    Bytes dst(105), tag(16 + 16, 0x5a);

    ASSERT_EQ(lc_chacha20poly1305_start(&state, key, m.nonce.data(), 12), LC_OK);
    ASSERT_EQ(lc_chacha20poly1305_aad(&state, m.aad.data(), 11), LC_OK);
    ASSERT_EQ(lc_chacha20poly1305_encrypt(&state, dst.data(), m.src.data(), 105), LC_OK);
    EXPECT_EQ(lc_chacha20poly1305_tag(&state, tag.data(), 15), LC_ERR_TAG_LEN);
    ASSERT_EQ(lc_chacha20poly1305_tag(&state, tag.data(), 16), LC_OK);
    EXPECT_TRUE(same(expected.tag.data(), tag.data(), 16));
    EXPECT_TRUE(all_bytes(tag.data() + 16, 16, 0x5a));
    for (size_t bit = 0; bit <= 128; bit++) { // the last one is none
        Bytes t = expected.tag;

        if (bit < 128)
            flip(&t, bit);
        ASSERT_EQ(lc_chacha20poly1305_start(&state, key, m.nonce.data(), 12), LC_OK);
        ASSERT_EQ(lc_chacha20poly1305_aad(&state, m.aad.data(), 11), LC_OK);
        ASSERT_EQ(lc_chacha20poly1305_decrypt(&state, dst.data(), expected.ct.data(), 105), LC_OK);
        EXPECT_EQ(lc_chacha20poly1305_verify(&state, t.data(), 12), LC_ERR_TAG_LEN);
        EXPECT_EQ(lc_chacha20poly1305_verify(&state, t.data(), 16), bit < 128 ? LC_ERR_AUTH : LC_OK) << bit;
        EXPECT_EQ(lc_chacha20poly1305_verify(&state, t.data(), 16), LC_ERR_STATE) << bit;
    }
}

// ---- Secrets ----

TEST_P(Chapoly, Wipe)
{
    Random random(341);
    Bytes raw = random.bytes(32), data = random.bytes(100);
    lc_chacha20poly1305_state state, ended;
    lc_chacha20poly1305_key key;

    memset(&key, 0, sizeof(key));
    memset(&state, 0, sizeof(state));
    ASSERT_EQ(lc_chacha20poly1305_init_impl(&key, impl.name, raw.data(), raw.size()), LC_OK);
    ASSERT_EQ(lc_chacha20poly1305_start(&state, &key, data.data(), 12), LC_OK);
    ASSERT_EQ(lc_chacha20poly1305_aad(&state, data.data(), 20), LC_OK);
    ASSERT_EQ(lc_chacha20poly1305_encrypt(&state, data.data(), data.data(), 100), LC_OK);
    EXPECT_FALSE(all_bytes(state.keystream, sizeof(state.keystream), 0));
    EXPECT_FALSE(all_bytes(state.r, sizeof(state.r), 0));
    memcpy(&ended, &state, sizeof(state));
    ASSERT_EQ(lc_chacha20poly1305_tag(&ended, data.data(), 16), LC_OK);
    EXPECT_TRUE(all_bytes(ended.keystream, sizeof(ended.keystream), 0)); // nobody needs it any more
    EXPECT_TRUE(all_bytes(ended.hash, sizeof(ended.hash), 0));
    EXPECT_EQ(ended.key, &key);
    Bytes key_before = bytes_of(key);
    lc_chacha20poly1305_state_wipe(&state);
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0));
    EXPECT_TRUE(same(key_before, bytes_of(key)));
    lc_chacha20poly1305_wipe(&key);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
}

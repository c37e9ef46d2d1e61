// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-GCM: everything that has to be refused, that nothing is read or written then, and that what is secret can be wiped.
#include "gcm_support.h"

TEST_P(Gcm, KeyLengths)
{
    Bytes raw = Random(50).bytes(256);
    lc_gcm_key key;

    memset(&key, 0x5a, sizeof(key));
    for (size_t len = 0; len <= 130; len++) {
        if (len == 16 || len == 24 || len == 32)
            continue;
        EXPECT_EQ(lc_gcm_init_impl(&key, impl.name, raw.data(), len), LC_ERR_KEY_LEN) << len;
        EXPECT_EQ(lc_gcm_init(&key, raw.data(), len), LC_ERR_KEY_LEN) << len;
    }
    EXPECT_EQ(lc_gcm_init_impl(&key, impl.name, raw.data(), SIZE_MAX), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_gcm_init_impl(&key, impl.name, raw.data(), (size_t{ 1 } << 32) + 32), LC_ERR_KEY_LEN);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    for (size_t len : key_lens)
        EXPECT_EQ(lc_gcm_init_impl(&key, impl.name, raw.data(), len), LC_OK) << len;
}

TEST(GcmErrors, ImplementationNames)
{
    Bytes raw = Random(52).bytes(32);
    lc_gcm_key key;

    memset(&key, 0x5a, sizeof(key));
    for (const char *name : { "", ",", "gcm", "gcm-aes", "gcm-aes-portabl", "gcm-aes-portable,", "xts-aes-portable",
                              "gcm=gcm-aes-portable" })
        EXPECT_EQ(lc_gcm_init_impl(&key, name, raw.data(), raw.size()), LC_ERR_IMPL) << name;
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    EXPECT_EQ(lc_gcm_init_impl(&key, "gcm-aes-portable", raw.data(), raw.size()), LC_OK);
}

// Memory that can neither be read nor written: if a call is refused, it hasn't been touched.  The page behind a Guarded.
struct Untouchable {
    Guarded memory{ 1 };
    uint8_t *p = memory.end();
};

static const size_t bad_tag_lens[] = { 0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 17, 20, 32, 64, 128, SIZE_MAX, (size_t{ 1 } << 32) + 16 };

TEST_P(Gcm, WholeMessagesRefused)
{
    static const size_t too_long = LC_GCM_MAX_LEN + 1, most_aad = LC_GCM_MAX_AAD_LEN, most_nonce = LC_GCM_MAX_NONCE_LEN;
    GcmKey key(impl.name, Random(53).bytes(32));
    Bytes before = bytes_of(key.key);
    Untouchable no;

    auto both = [&](int expected, size_t tag_len, size_t len, size_t aad_len, size_t nonce_len) {
        EXPECT_EQ(lc_gcm_seal(key, no.p, no.p, tag_len, no.p, len, no.p, aad_len, no.p, nonce_len), expected);
        EXPECT_EQ(lc_gcm_open(key, no.p, no.p, len, no.p, tag_len, no.p, aad_len, no.p, nonce_len), expected);
    };
    for (size_t tag_len : bad_tag_lens)
        both(LC_ERR_TAG_LEN, tag_len, 16, 16, 12);
    for (size_t len : { too_long, too_long + 15, size_t{ 1 } << 36, (size_t{ 1 } << 36) + 16, SIZE_MAX, SIZE_MAX - 15 })
        both(LC_ERR_LEN, 16, len, 16, 12);
    for (size_t aad_len : { most_aad + 1, most_aad + 16, size_t{ 1 } << 62, SIZE_MAX, SIZE_MAX - 15 })
        both(LC_ERR_LEN, 16, 16, aad_len, 12);
    for (size_t nonce_len : { size_t{ 0 }, most_nonce + 1, most_nonce + 13, SIZE_MAX })
        both(LC_ERR_NONCE_LEN, 16, 16, 16, nonce_len);
    EXPECT_TRUE(same(before, bytes_of(key.key)));
}

TEST_P(Gcm, NullWithoutLength)
{
    Random random(54);
    Message m = random_message(random, 16, 0, 0);
    GcmKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);
    Bytes tag(16);
    lc_gcm_state state;

    EXPECT_EQ(lc_gcm_seal(key, nullptr, tag.data(), 16, nullptr, 0, nullptr, 0, m.nonce.data(), 12), LC_OK);
    EXPECT_TRUE(same(expected.tag, tag));
    EXPECT_EQ(lc_gcm_open(key, nullptr, nullptr, 0, tag.data(), 16, nullptr, 0, m.nonce.data(), 12), LC_OK);
    tag[0] ^= 1;
    EXPECT_EQ(lc_gcm_open(key, nullptr, nullptr, 0, tag.data(), 16, nullptr, 0, m.nonce.data(), 12), LC_ERR_AUTH);
    for (bool right : { true, false }) {
        std::vector<lc_aead_item> items(5, { nullptr, tag.data(), nullptr, 0, nullptr, 0, m.nonce.data(), 77 });

        tag = expected.tag;
        EXPECT_EQ(lc_gcm_seal_many(key, items.data(), 5), LC_OK);
        EXPECT_TRUE(same(expected.tag, tag));
        tag[0] ^= right ? 0 : 1;
        EXPECT_EQ(lc_gcm_open_many(key, items.data(), 5), right ? LC_OK : LC_ERR_AUTH);
        for (const lc_aead_item &item : items)
            EXPECT_EQ(item.status, right ? LC_OK : LC_ERR_AUTH);
    }
    for (bool encrypt : both_directions) {
        tag = expected.tag;
        ASSERT_EQ(lc_gcm_start(&state, key, m.nonce.data(), 12), LC_OK);
        EXPECT_EQ(lc_gcm_aad(&state, nullptr, 0), LC_OK);
        EXPECT_EQ(crypt_text(encrypt, &state, nullptr, nullptr, 0), LC_OK);
        EXPECT_EQ(encrypt ? lc_gcm_tag(&state, tag.data(), 16) : lc_gcm_verify(&state, tag.data(), 16), LC_OK);
        EXPECT_TRUE(same(expected.tag, tag));
    }
}

// ---- What isn't authentic ----

// Opens into memory with a known value; in place too.  Both have to be refused, and leave zeros.
static ::testing::AssertionResult refused(const lc_gcm_key *key, const Sealed &s, const Message &m)
{
    Bytes in_place = s.ct, out_of_place(s.ct.size(), 0x5a);

    for (Bytes *dst : { &in_place, &out_of_place }) {
        int status = lc_gcm_open(key, dst->data(), dst == &in_place ? dst->data() : s.ct.data(), s.ct.size(), s.tag.data(),
                                 s.tag.size(), m.aad.data(), m.aad.size(), m.nonce.data(), m.nonce.size());

        if (status != LC_ERR_AUTH)
            return ::testing::AssertionFailure() << "status " << status;
        if (!all_bytes(dst->data(), dst->size(), 0))
            return ::testing::AssertionFailure() << "the destination isn't wiped";
    }
    // and by a stream
    lc_gcm_state state;
    if (lc_gcm_start(&state, key, m.nonce.data(), m.nonce.size()) != LC_OK ||
        lc_gcm_aad(&state, m.aad.data(), m.aad.size()) != LC_OK ||
        lc_gcm_decrypt(&state, out_of_place.data(), s.ct.data(), s.ct.size()) != LC_OK)
        return ::testing::AssertionFailure() << "the stream doesn't even begin";
    if (lc_gcm_verify(&state, s.tag.data(), s.tag.size()) != LC_ERR_AUTH)
        return ::testing::AssertionFailure() << "lc_gcm_verify() takes it";
    return ::testing::AssertionSuccess();
}

static void flip(Bytes *bytes, size_t bit)
{
    (*bytes)[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
}

TEST_P(Gcm, EveryBitOfTheTagCounts)
{
    Random random(55);

    for (size_t len : { 0, 1, 16, 50 }) {
        Message m = random_message(random, 16, len, 7);
        GcmKey key(impl.name, m.raw);

        for (size_t tag_len : tag_lens) {
            Sealed s = reference::seal(m);
            Bytes dst;

            s.tag.resize(tag_len);
            ASSERT_EQ(open(key, &dst, s, m), LC_OK) << tag_len;
            for (size_t bit = 0; bit < 8 * tag_len; bit++) {
                flip(&s.tag, bit);
                ASSERT_TRUE(refused(key, s, m)) << "bit " << bit << " of a tag of " << tag_len;
                flip(&s.tag, bit);
            }
            // differences that cancel each other out in a sum or a xor over the tag's words
            for (size_t other : { size_t{ 8 }, size_t{ 32 }, size_t{ 64 } })
                if (8 * tag_len > other) {
                    flip(&s.tag, 0);
                    flip(&s.tag, other);
                    ASSERT_TRUE(refused(key, s, m)) << "bits 0 and " << other << " of a tag of " << tag_len;
                    flip(&s.tag, 0);
                    flip(&s.tag, other);
                }
            std::fill(s.tag.begin(), s.tag.end(), uint8_t{ 0 });
            ASSERT_TRUE(refused(key, s, m)) << "zeros";
        }
    }
}

TEST_P(Gcm, EveryBitOfTheInputsCounts)
{
    Random random(56);

    for (size_t len : { 1, 16, 40 }) {
        Message m = random_message(random, 32, len, len / 2 + 5, len % 2 ? 12 : 9);
        GcmKey key(impl.name, m.raw);
        Sealed s = reference::seal(m);

        for (Bytes *bytes : { &s.ct, &m.aad, &m.nonce })
            for (size_t bit = 0; bit < 8 * bytes->size(); bit++) {
                flip(bytes, bit);
                ASSERT_TRUE(refused(key, s, m)) << (bytes == &s.ct ? "text" : bytes == &m.aad ? "AAD" : "nonce") << ", bit " << bit;
                flip(bytes, bit);
            }
        ASSERT_TRUE(both_ways(key, m, s));
    }
}

// Zeros behind the text or the AAD, and bytes that move from one to the other, are the same to GHASH but for the length block.
TEST_P(Gcm, LengthsCount)
{
    Random random(57);
    Message m = random_message(random, 32, 32, 16);
    GcmKey key(impl.name, m.raw);
    Sealed s = reference::seal(m), t = s;
    Message n = m;

    t.ct.push_back(0);
    EXPECT_TRUE(refused(key, t, m));
    n.aad.push_back(0);
    EXPECT_TRUE(refused(key, s, n));
    n.aad.assign(s.ct.begin(), s.ct.begin() + 16);
    n.aad.insert(n.aad.begin(), m.aad.begin(), m.aad.end());
    t.ct.assign(s.ct.begin() + 16, s.ct.end());
    EXPECT_TRUE(refused(key, t, n));
}

TEST_P(Gcm, FailureWipesAllLengths)
{
    Random random(58);

    for (size_t len = 0; len <= 600; len++) {
        Message m = random_message(random, key_lens[len % 3], len, len % 20);
        GcmKey key(impl.name, m.raw);
        Sealed s = reference::seal(m);

        flip(&s.tag, len % 128);
        ASSERT_TRUE(refused(key, s, m)) << len;
    }
}

// ---- Streams out of order ----

enum Call { AAD, ENCRYPT, DECRYPT, TAG, VERIFY, NUM_CALLS };

static int call(Call c, lc_gcm_state *state, uint8_t *p, size_t len)
{
    switch (c) {
    case AAD: return lc_gcm_aad(state, p, len);
    case ENCRYPT: return lc_gcm_encrypt(state, p, p, len);
    case DECRYPT: return lc_gcm_decrypt(state, p, p, len);
    case TAG: return lc_gcm_tag(state, p, 16);
    default: return lc_gcm_verify(state, p, 16);
    }
}

static bool may_follow(Call first, Call second)
{
    return first == AAD || (first == ENCRYPT && (second == ENCRYPT || second == TAG)) ||
           (first == DECRYPT && (second == DECRYPT || second == VERIFY));
}

// Every call behind every other: allowed as the header says, or refused, and then neither the memory nor the state is touched.
TEST_P(Gcm, EveryOrderOfCalls)
{
    Random random(59);
    GcmKey key(impl.name, random.bytes(32));
    Bytes nonce = random.bytes(12), before;
    Untouchable no;

    for (int first = 0; first < NUM_CALLS; first++)
        for (int second = 0; second < NUM_CALLS; second++)
            for (size_t len : { 0, 5, 16, 21 }) {
                lc_gcm_state state;
                Bytes data = random.bytes(32);

                SCOPED_TRACE(std::to_string(first) + ", then " + std::to_string(second) + " with " + std::to_string(len));
                ASSERT_EQ(lc_gcm_start(&state, key, nonce.data(), 12), LC_OK);
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

TEST_P(Gcm, StreamLengthsRefused)
{
    Random random(60);
    GcmKey key(impl.name, random.bytes(32));
    Bytes nonce = random.bytes(12), data = random.bytes(64), before;
    lc_gcm_state state;
    Untouchable no;

    memset(&state, 0x5a, sizeof(state));
    for (size_t nonce_len : { size_t{ 0 }, static_cast<size_t>(LC_GCM_MAX_NONCE_LEN) + 1, SIZE_MAX })
        EXPECT_EQ(lc_gcm_start(&state, key, no.p, nonce_len), LC_ERR_NONCE_LEN);
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0x5a));

    for (size_t done : { 0, 5, 16, 37 }) {
        ASSERT_EQ(lc_gcm_start(&state, key, nonce.data(), 12), LC_OK);
        ASSERT_EQ(lc_gcm_aad(&state, data.data(), done), LC_OK);
        before = bytes_of(state);
        const size_t most_aad = LC_GCM_MAX_AAD_LEN, most = LC_GCM_MAX_LEN;

        for (size_t aad_len : { most_aad - done + 1, SIZE_MAX, SIZE_MAX - done, SIZE_MAX - done + 1 })
            if (aad_len) {
                EXPECT_EQ(lc_gcm_aad(&state, no.p, aad_len), LC_ERR_LEN) << aad_len;
            }
        for (size_t tag_len : bad_tag_lens) {
            EXPECT_EQ(lc_gcm_tag(&state, no.p, tag_len), LC_ERR_TAG_LEN) << tag_len;
            EXPECT_EQ(lc_gcm_verify(&state, no.p, tag_len), LC_ERR_TAG_LEN) << tag_len;
        }
        EXPECT_TRUE(same(before, bytes_of(state)));
        for (bool encrypt : both_directions) {
            lc_gcm_state text = state;

            ASSERT_EQ(crypt_text(encrypt, &text, data.data(), data.data(), done), LC_OK);
            before = bytes_of(text);
            for (size_t len : { most - done + 1, size_t{ 1 } << 36, SIZE_MAX, SIZE_MAX - done + 1 })
                if (len) {
                    EXPECT_EQ(crypt_text(encrypt, &text, no.p, no.p, len), LC_ERR_LEN) << len;
                }
            EXPECT_TRUE(same(before, bytes_of(text)));
            text.len = LC_GCM_MAX_LEN - 5; // as if there had been so many
            before = bytes_of(text);
            EXPECT_EQ(crypt_text(encrypt, &text, no.p, no.p, 6), LC_ERR_LEN);
            EXPECT_TRUE(same(before, bytes_of(text)));
            EXPECT_EQ(crypt_text(encrypt, &text, data.data(), data.data(), 5), LC_OK);
            EXPECT_EQ(crypt_text(encrypt, &text, no.p, no.p, 1), LC_ERR_LEN);
            EXPECT_EQ(crypt_text(encrypt, &text, nullptr, nullptr, 0), LC_OK);
        }
    }
}

// Short tags of streams, and that a tag of a wrong length doesn't end one.
TEST_P(Gcm, StreamTags)
{
    Random random(61);
    Message m = random_message(random, 24, 45, 11);
    GcmKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);

    for (size_t tag_len : tag_lens) {
        lc_gcm_state state;
        Bytes dst(45), tag(16, 0x5a);

        ASSERT_EQ(lc_gcm_start(&state, key, m.nonce.data(), 12), LC_OK);
        ASSERT_EQ(lc_gcm_aad(&state, m.aad.data(), 11), LC_OK);
        ASSERT_EQ(lc_gcm_encrypt(&state, dst.data(), m.src.data(), 45), LC_OK);
        EXPECT_EQ(lc_gcm_tag(&state, tag.data(), 11), LC_ERR_TAG_LEN);
        ASSERT_EQ(lc_gcm_tag(&state, tag.data(), tag_len), LC_OK);
        EXPECT_TRUE(same(expected.tag.data(), tag.data(), tag_len));
        EXPECT_TRUE(all_bytes(tag.data() + tag_len, 16 - tag_len, 0x5a));

        for (size_t bit = 0; bit <= 8 * tag_len; bit++) { // the last one is none
            Bytes t(expected.tag.begin(), expected.tag.begin() + static_cast<long>(tag_len));

            if (bit < 8 * tag_len)
                flip(&t, bit);
            ASSERT_EQ(lc_gcm_start(&state, key, m.nonce.data(), 12), LC_OK);
            ASSERT_EQ(lc_gcm_aad(&state, m.aad.data(), 11), LC_OK);
            ASSERT_EQ(lc_gcm_decrypt(&state, dst.data(), expected.ct.data(), 45), LC_OK);
            EXPECT_EQ(lc_gcm_verify(&state, t.data(), 3), LC_ERR_TAG_LEN);
            EXPECT_EQ(lc_gcm_verify(&state, t.data(), tag_len), bit < 8 * tag_len ? LC_ERR_AUTH : LC_OK) << bit;
        }
    }
}

// ---- Secrets ----

TEST_P(Gcm, Wipe)
{
    Random random(62);
    Bytes raw = random.bytes(32), data = random.bytes(37);
    lc_gcm_key key;
    lc_gcm_state state;

    ASSERT_EQ(lc_gcm_init_impl(&key, impl.name, raw.data(), raw.size()), LC_OK);
    ASSERT_EQ(lc_gcm_start(&state, &key, data.data(), 12), LC_OK);
    ASSERT_EQ(lc_gcm_aad(&state, data.data(), 20), LC_OK);
    ASSERT_EQ(lc_gcm_encrypt(&state, data.data(), data.data(), 37), LC_OK);
    EXPECT_FALSE(all_bytes(state.keystream, 16, 0));
    lc_gcm_state ended = state;
    ASSERT_EQ(lc_gcm_tag(&ended, data.data(), 16), LC_OK);
    EXPECT_TRUE(all_bytes(ended.keystream, 16, 0)); // nobody needs it any more
    EXPECT_TRUE(all_bytes(ended.hash, 16, 0));
    EXPECT_EQ(ended.key, &key);
    Bytes key_before = bytes_of(key);
    lc_gcm_state_wipe(&state);
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0));
    EXPECT_TRUE(same(key_before, bytes_of(key)));
    lc_gcm_wipe(&key);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
}

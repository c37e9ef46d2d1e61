// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AEADs: everything that has to be refused, that nothing is read or written then, and that what is secret can be wiped.
#include <algorithm>

#include "aead_support.h"

TEST_P(Aead, KeyLengths)
{
    Bytes raw = Random(50).bytes(256);
    Mode::Key key;

    memset(&key, 0x5a, sizeof(key));
    for (size_t len = 0; len <= 130; len++)
        if (std::find(std::begin(Mode::key_lens), std::end(Mode::key_lens), len) == std::end(Mode::key_lens)) {
            EXPECT_EQ(Mode::init_impl(&key, impl.name, raw.data(), len), LC_ERR_KEY_LEN) << len;
            EXPECT_EQ(Mode::init(&key, raw.data(), len), LC_ERR_KEY_LEN) << len;
        }
    EXPECT_EQ(Mode::init_impl(&key, impl.name, raw.data(), SIZE_MAX), LC_ERR_KEY_LEN);
    EXPECT_EQ(Mode::init_impl(&key, impl.name, raw.data(), (size_t{ 1 } << 32) + 32), LC_ERR_KEY_LEN);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    for (size_t len : Mode::key_lens)
        EXPECT_EQ(Mode::init_impl(&key, impl.name, raw.data(), len), LC_OK) << len;
}

TEST(AeadErrors, ImplementationNames)
{
    const std::string mode = Mode::name, name = Mode::portable;
    Bytes raw = Random(52).bytes(32);
    Mode::Key key;

    memset(&key, 0x5a, sizeof(key));
    for (const std::string &wrong :
         { std::string(), std::string(","), mode, name.substr(0, name.rfind('-')), name.substr(0, name.size() - 1), name + ",",
           mode + "=" + name, std::string("xts-aes-portable"), std::string("chacha20-portable"), std::string("poly1305-portable") })
        EXPECT_EQ(Mode::init_impl(&key, wrong.c_str(), raw.data(), raw.size()), LC_ERR_IMPL) << wrong;
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    EXPECT_EQ(Mode::init_impl(&key, Mode::portable, raw.data(), raw.size()), LC_OK);
}

TEST_P(Aead, WholeMessagesRefused)
{
    const size_t most = Mode::max_len, most_aad = Mode::max_aad_len;
    AeadKey key(impl.name, Random(53).bytes(32));
    Bytes before = bytes_of(key.key);
    Untouchable no;

    for (const Flavour<Mode::Key> &flavour : Mode::flavours) {
        const size_t right = flavour.takes(12) ? 12 : flavour.min_nonce_len;
        Bytes nonce(right);
        auto both = [&](int expected, size_t tag_len, size_t len, size_t aad_len, size_t nonce_len) {
            const uint8_t *n = nonce_len == right && flavour.reads_nonce_first ? nonce.data() : no.p;

            EXPECT_EQ(flavour.seal(key, no.p, no.p, tag_len, no.p, len, no.p, aad_len, n, nonce_len), expected);
            EXPECT_EQ(flavour.open(key, no.p, no.p, len, no.p, tag_len, no.p, aad_len, n, nonce_len), expected);
        };

        for (size_t more : { 1, 15, 16, 32, 48, 63, 64, 80 })
            both(LC_ERR_LEN, 16, most + more, 16, right);
        for (size_t len : { SIZE_MAX, SIZE_MAX - 15, SIZE_MAX - 63 })
            both(LC_ERR_LEN, 16, len, 16, right);
        for (size_t len : { 0, 16 }) { // messages without text go another way
            for (size_t tag_len : bad_tag_lens())
                both(LC_ERR_TAG_LEN, tag_len, len, 16, right);
            for (size_t aad_len : { most_aad + 1, most_aad + 16, size_t{ 1 } << 62, SIZE_MAX, SIZE_MAX - 15 })
                if (aad_len > most_aad && most_aad != SIZE_MAX)
                    both(LC_ERR_LEN, 16, len, aad_len, right);
            for (size_t nonce_len : bad_nonce_lens(flavour))
                both(LC_ERR_NONCE_LEN, 16, len, 16, nonce_len);
        }
    }
    EXPECT_TRUE(same(before, bytes_of(key.key)));
}

TEST_P(Aead, NullWithoutLength)
{
    Random random(54);
    Bytes raw = random.bytes(nth(Mode::key_lens, 0)), tag(16);
    AeadKey key(impl.name, raw);

    for (size_t nonce_len : Mode::nonce_lens) {
        Message m = { raw, {}, {}, random.bytes(nonce_len) };
        Sealed expected = reference::seal(m);
        auto crypt_nothing = [&](bool encrypt) {
            return crypt(encrypt, key, nullptr, nullptr, 0, tag.data(), 16, nullptr, 0, m.nonce.data(), nonce_len);
        };

        EXPECT_EQ(crypt_nothing(true), LC_OK);
        EXPECT_TRUE(same(expected.tag, tag));
        EXPECT_EQ(crypt_nothing(false), LC_OK);
        tag[0] ^= 1;
        EXPECT_EQ(crypt_nothing(false), LC_ERR_AUTH);
    }
    Message m = { raw, {}, {}, random.bytes(12) };
    Sealed expected = reference::seal(m);
    for (bool right : { true, false }) {
        std::vector<lc_aead_item> items(5, { nullptr, tag.data(), nullptr, 0, nullptr, 0, m.nonce.data(), 77 });

        tag = expected.tag;
        EXPECT_EQ(crypt_many(true, key, items.data(), 5), LC_OK);
        EXPECT_TRUE(same(expected.tag, tag));
        tag[0] ^= right ? 0 : 1;
        EXPECT_EQ(crypt_many(false, key, items.data(), 5), right ? LC_OK : LC_ERR_AUTH);
        for (const lc_aead_item &item : items)
            EXPECT_EQ(item.status, right ? LC_OK : LC_ERR_AUTH);
    }
    for (bool encrypt : both_directions) {
        State state;

        tag = expected.tag;
        ASSERT_EQ(Mode::start(&state, key, m.nonce.data(), 12), LC_OK);
        EXPECT_EQ(Mode::aad(&state, nullptr, 0), LC_OK);
        EXPECT_EQ(crypt_text(encrypt, &state, nullptr, nullptr, 0), LC_OK);
        EXPECT_EQ(tag_or_verify(encrypt, &state, tag.data(), 16), LC_OK);
        EXPECT_TRUE(same(expected.tag, tag));
    }
}

// ---- What isn't authentic ----

// Opens into memory with a known value; in place too.  Both have to be refused, and leave zeros.
static ::testing::AssertionResult refused(const Mode::Key *key, const Sealed &s, const Message &m)
{
    Bytes in_place = s.ct, out_of_place(s.ct.size(), 0x5a), tag = s.tag;
    State state;

    for (Bytes *dst : { &in_place, &out_of_place }) {
        int status = crypt(false, key, dst->data(), dst == &in_place ? dst->data() : s.ct.data(), s.ct.size(), tag.data(),
                           tag.size(), m.aad.data(), m.aad.size(), m.nonce.data(), m.nonce.size());

        if (status != LC_ERR_AUTH)
            return ::testing::AssertionFailure() << "status " << status;
        if (!all_bytes(dst->data(), dst->size(), 0))
            return ::testing::AssertionFailure() << "the destination isn't wiped";
        if (tag != s.tag)
            return ::testing::AssertionFailure() << "the tag has changed";
    }
    if (!Mode::flavours[0].takes(m.nonce.size()))
        return ::testing::AssertionSuccess();
    start(&state, key, m);
    must(Mode::decrypt(&state, out_of_place.data(), s.ct.data(), s.ct.size()), "a stream's text");
    if (Mode::verify(&state, s.tag.data(), s.tag.size()) != LC_ERR_AUTH)
        return ::testing::AssertionFailure() << "a stream takes it";
    return ::testing::AssertionSuccess();
}

TEST_P(Aead, EveryBitOfTheTagCounts)
{
    Random random(55);

    for (const Flavour<Mode::Key> &flavour : Mode::flavours)
        for (size_t len : { 0, 1, 16, 50, 64, 300 }) {
            Message m = random_message(random, nth(Mode::key_lens, 0), len, 7, flavour.takes(12) ? 12 : flavour.min_nonce_len);
            AeadKey key(impl.name, m.raw);

            for (size_t tag_len : Mode::tag_lens) {
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
                for (size_t other : { 8, 32, 64 })
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

TEST_P(Aead, EveryBitOfTheInputsCounts)
{
    Random random(56);

    for (size_t nonce_len : Mode::nonce_lens)
        for (size_t len : { 1, 16, 40, 70 }) {
            Message m = random_message(random, 32, len, len / 2 + 5, nonce_len);
            AeadKey key(impl.name, m.raw);
            Sealed s = reference::seal(m);

            for (Bytes *bytes : { &s.ct, &m.aad, &m.nonce })
                for (size_t bit = 0; bit < 8 * bytes->size(); bit++) {
                    flip(bytes, bit);
                    ASSERT_TRUE(refused(key, s, m))
                        << (bytes == &s.ct    ? "text"
                            : bytes == &m.aad ? "AAD"
                                              : "nonce")
                        << ", bit " << bit;
                    flip(bytes, bit);
                }
            for (size_t bit = 0; bit < 256; bit++) {
                Bytes raw = m.raw;

                flip(&raw, bit);
                ASSERT_TRUE(refused(AeadKey(impl.name, raw), s, m)) << "key, bit " << bit;
            }
            ASSERT_TRUE(both_ways(key, m, s));
        }
}

// Zeros after the text or the AAD, and bytes that move from one to the other, change nothing for the authenticator but the lengths.
TEST_P(Aead, LengthsCount)
{
    Random random(57);

    for (size_t missing : { 0, 2 }) { // bytes to whole blocks
        Message m = random_message(random, 32, 32 - missing, 16 - missing), n = m;
        AeadKey key(impl.name, m.raw);
        Sealed s = reference::seal(m), t = s;

        t.ct.push_back(0);
        EXPECT_TRUE(refused(key, t, m));
        n.aad.push_back(0);
        EXPECT_TRUE(refused(key, s, n));
    }
    Message m = random_message(random, 32, 32, 16), n = m;
    AeadKey key(impl.name, m.raw);
    Sealed s = reference::seal(m), t = s;

    n.aad.insert(n.aad.end(), s.ct.begin(), s.ct.begin() + 16);
    t.ct.assign(s.ct.begin() + 16, s.ct.end());
    EXPECT_TRUE(refused(key, t, n));
}

TEST_P(Aead, FailureWipesAllLengths)
{
    Random random(58);

    for (size_t len = 0; len <= 1100; len++) {
        Message m = random_message(random, nth(Mode::key_lens, len), len, len % 20, nth(Mode::nonce_lens, len % 5 ? 0 : len / 5));
        AeadKey key(impl.name, m.raw);
        Sealed s = reference::seal(m);

        flip(&s.tag, len % 128);
        ASSERT_TRUE(refused(key, s, m)) << len;
    }
}

// ---- Streams out of order ----

enum Call { AAD, ENCRYPT, DECRYPT, TAG, VERIFY, NUM_CALLS };

static int call(int c, State *state, uint8_t *p, size_t len)
{
    switch (c) {
    case AAD: return Mode::aad(state, p, len);
    case ENCRYPT: return Mode::encrypt(state, p, p, len);
    case DECRYPT: return Mode::decrypt(state, p, p, len);
    case TAG: return Mode::tag(state, p, 16);
    default: return Mode::verify(state, p, 16);
    }
}

static bool may_follow(int first, int second)
{
    return first == AAD || (first == ENCRYPT && (second == ENCRYPT || second == TAG)) ||
           (first == DECRYPT && (second == DECRYPT || second == VERIFY));
}

// Every call after every other: allowed as the header says, or refused, and then neither the memory nor the state is touched.
TEST_P(Aead, EveryOrderOfCalls)
{
    Random random(59);
    AeadKey key(impl.name, random.bytes(32));
    Bytes nonce = random.bytes(12), before;
    Untouchable no;

    for (int first = 0; first < NUM_CALLS; first++)
        for (int second = 0; second < NUM_CALLS; second++)
            for (size_t len : { 0, 5, 16, 21, 64, 69 }) {
                Bytes data = random.bytes(80);
                State state;

                SCOPED_TRACE(std::to_string(first) + ", then " + std::to_string(second) + " with " + std::to_string(len));
                ASSERT_EQ(Mode::start(&state, key, nonce.data(), 12), LC_OK);
                ASSERT_EQ(call(first, &state, data.data(), len), first == VERIFY ? LC_ERR_AUTH : LC_OK);
                if (may_follow(first, second)) {
                    EXPECT_EQ(call(second, &state, data.data(), len), second == VERIFY ? LC_ERR_AUTH : LC_OK);
                } else {
                    before = bytes_of(state);
                    EXPECT_EQ(call(second, &state, no.p, len), LC_ERR_STATE);
                    EXPECT_TRUE(same(before, bytes_of(state)));
                }
            }
}

TEST_P(Aead, StreamLengthsRefused)
{
    const size_t most = Mode::max_len, most_aad = Mode::max_aad_len;
    Random random(60);
    AeadKey key(impl.name, random.bytes(32));
    Bytes nonce = random.bytes(12), data = random.bytes(100), before;
    State state, text;
    Untouchable no;

    memset(&state, 0x5a, sizeof(state));
    for (size_t nonce_len : bad_nonce_lens(Mode::flavours[0]))
        EXPECT_EQ(Mode::start(&state, key, no.p, nonce_len), LC_ERR_NONCE_LEN);
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0x5a));

    for (size_t done : { 0, 5, 16, 37, 64, 75 }) {
        ASSERT_EQ(Mode::start(&state, key, nonce.data(), 12), LC_OK);
        ASSERT_EQ(Mode::aad(&state, data.data(), done), LC_OK);
        before = bytes_of(state);
        for (size_t aad_len : { most_aad - done + 1, SIZE_MAX, SIZE_MAX - done, SIZE_MAX - done + 1 })
            if (aad_len && most_aad != SIZE_MAX) {
                EXPECT_EQ(Mode::aad(&state, no.p, aad_len), LC_ERR_LEN) << aad_len;
            }
        for (size_t tag_len : bad_tag_lens())
            for (bool encrypt : both_directions)
                EXPECT_EQ(tag_or_verify(encrypt, &state, no.p, tag_len), LC_ERR_TAG_LEN) << tag_len;
        EXPECT_TRUE(same(before, bytes_of(state)));
        for (bool encrypt : both_directions) {
            memcpy(&text, &state, sizeof(text));
            ASSERT_EQ(crypt_text(encrypt, &text, data.data(), data.data(), done), LC_OK);
            before = bytes_of(text);
            for (size_t len : { most - done + 1, most + Mode::block_len, SIZE_MAX, SIZE_MAX - done + 1 })
                if (len) {
                    EXPECT_EQ(crypt_text(encrypt, &text, no.p, no.p, len), LC_ERR_LEN) << len;
                }
            EXPECT_TRUE(same(before, bytes_of(text)));
            text.len = most - 5; // as if there had been so many
            before = bytes_of(text);
            EXPECT_EQ(crypt_text(encrypt, &text, no.p, no.p, 6), LC_ERR_LEN);
            EXPECT_TRUE(same(before, bytes_of(text)));
            EXPECT_EQ(crypt_text(encrypt, &text, data.data(), data.data(), 5), LC_OK);
            EXPECT_EQ(crypt_text(encrypt, &text, no.p, no.p, 1), LC_ERR_LEN);
            EXPECT_EQ(crypt_text(encrypt, &text, nullptr, nullptr, 0), LC_OK);
        }
    }
}

// Every bit of a stream's tag, short tags, and that a tag of a wrong length doesn't end a stream.
TEST_P(Aead, StreamTags)
{
    const size_t bad_len = 11;
    Random random(61);
    Message m = random_message(random, nth(Mode::key_lens, 1), 105, 11);
    AeadKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);

    for (size_t tag_len : Mode::tag_lens) {
        Bytes dst(105), tag(16 + 16, 0x5a);
        State state;

        start(&state, key, m);
        ASSERT_EQ(Mode::encrypt(&state, dst.data(), m.src.data(), 105), LC_OK);
        EXPECT_EQ(Mode::tag(&state, tag.data(), bad_len), LC_ERR_TAG_LEN);
        ASSERT_EQ(Mode::tag(&state, tag.data(), tag_len), LC_OK);
        EXPECT_TRUE(same(expected.tag.data(), tag.data(), tag_len));
        EXPECT_TRUE(all_bytes(tag.data() + tag_len, tag.size() - tag_len, 0x5a));

        for (size_t bit = 0; bit <= 8 * tag_len; bit++) { // the last one is none
            Bytes t(expected.tag.begin(), expected.tag.begin() + static_cast<long>(tag_len));

            if (bit < 8 * tag_len)
                flip(&t, bit);
            start(&state, key, m);
            ASSERT_EQ(Mode::decrypt(&state, dst.data(), expected.ct.data(), 105), LC_OK);
            EXPECT_EQ(Mode::verify(&state, t.data(), bad_len), LC_ERR_TAG_LEN);
            EXPECT_EQ(Mode::verify(&state, t.data(), tag_len), bit < 8 * tag_len ? LC_ERR_AUTH : LC_OK) << bit;
            EXPECT_EQ(Mode::verify(&state, t.data(), tag_len), LC_ERR_STATE) << bit;
        }
    }
}

// ---- Secrets ----

TEST_P(Aead, Wipe)
{
    Random random(62);
    Message m = random_message(random, 32, 101, 20);
    State state, ended;
    Bytes tag(16);
    Mode::Key key;

    memset(&key, 0, sizeof(key));
    memset(&state, 0, sizeof(state));
    ASSERT_EQ(Mode::init_impl(&key, impl.name, m.raw.data(), m.raw.size()), LC_OK);
    start(&state, &key, m);
    ASSERT_EQ(Mode::encrypt(&state, m.src.data(), m.src.data(), m.src.size()), LC_OK);
    EXPECT_FALSE(all_bytes(state.keystream, sizeof(state.keystream), 0));
    memcpy(&ended, &state, sizeof(state));
    ASSERT_EQ(Mode::tag(&ended, tag.data(), 16), LC_OK);
    EXPECT_TRUE(all_bytes(ended.keystream, sizeof(ended.keystream), 0)); // nobody needs it any more
    EXPECT_TRUE(all_bytes(Mode::hash(ended), 16, 0));
    EXPECT_EQ(ended.key, &key);
    Bytes key_before = bytes_of(key);
    Mode::state_wipe(&state);
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0));
    EXPECT_TRUE(same(key_before, bytes_of(key)));
    Mode::wipe(&key);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
}

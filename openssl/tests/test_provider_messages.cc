// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Whole messages by lanecrypt's provider against the default one: every short length, pieces, guard pages, in place, iv lengths,
// counters that wrap, tags that are wrong.
#define OPENSSL_SUPPRESS_DEPRECATED // EVP_CIPHER_CTX_iv_noconst()
#include "evp_support.h"

#include <algorithm>
#include <set>
#include <openssl/proverr.h>
#include <sstream>

FOR_CIPHERS(Messages, ciphers);
FOR_CIPHERS(AeadMessages, ciphers_of({ Kind::GCM, Kind::CHACHA20_POLY1305 }));
FOR_CIPHERS(StreamMessages, ciphers_of({ Kind::GCM, Kind::CTR, Kind::CHACHA20, Kind::CHACHA20_POLY1305 }));
FOR_CIPHERS(XtsMessages, ciphers_of({ Kind::XTS }));
FOR_CIPHERS(CtrMessages, ciphers_of({ Kind::CTR }));

static Bytes cut(const Bytes &bytes, size_t from, size_t to)
{
    return Bytes(bytes.begin() + static_cast<long>(from), bytes.begin() + static_cast<long>(to));
}

static void there_and_back(const Cipher &cipher, EvpMessage m)
{
    EvpMessage expected = m;
    Bytes ct = crypt(Library::stock(), cipher, &expected, true);

    SCOPED_TRACE(
        "text " + std::to_string(m.text.size()) + ", AAD " + std::to_string(m.aad.size()) + ", iv " + std::to_string(m.iv.size()));
    ASSERT_TRUE(same(ct, crypt(Library::lanecrypt(), cipher, &m, true)));
    ASSERT_TRUE(same(expected.tag, m.tag));
    Bytes text = m.text;
    m.text = ct;
    ASSERT_TRUE(same(text, crypt(Library::lanecrypt(), cipher, &m, false)));
}

TEST_P(Messages, AllShortLengths)
{
    Random random(1);

    for (size_t len = cipher.min_len(); len <= 700; len++)
        ASSERT_NO_FATAL_FAILURE(there_and_back(cipher, random_message(random, cipher, len, len % 37)));
}

TEST_P(AeadMessages, AllShortAadLengths)
{
    Random random(10);

    for (size_t aad_len = 0; aad_len <= 600; aad_len++)
        ASSERT_NO_FATAL_FAILURE(there_and_back(cipher, random_message(random, cipher, aad_len % 23, aad_len)));
}

TEST_P(Messages, LongLengths)
{
    Random random(2);

    for (size_t len : { 1420, 4096, 8191, 16384, 16385, 65536, 100003 })
        ASSERT_NO_FATAL_FAILURE(there_and_back(cipher, random_message(random, cipher, len, len)));
    ASSERT_NO_FATAL_FAILURE(there_and_back(cipher, random_message(random, cipher, size_t{ 1 } << 24, 13)));
}

TEST_P(Messages, IvLengths)
{
    Random random(3);

    for (size_t iv_len = 0; iv_len <= 140; iv_len++) {
        Ctx stock = start(Library::stock(), cipher, random.bytes(cipher.key_len), {}, true);
        Ctx ours = start(Library::lanecrypt(), cipher, random.bytes(cipher.key_len), {}, true);
        int expected = set_size(stock.get(), OSSL_CIPHER_PARAM_IVLEN, iv_len);

        if (expected && iv_len != cipher.iv_len && !cipher.aead())
            continue; // the default provider passes over what others have; whether to refuse it is a matter of taste
        ASSERT_EQ(set_size(ours.get(), OSSL_CIPHER_PARAM_IVLEN, iv_len), expected) << iv_len;
        ASSERT_EQ(EVP_CIPHER_CTX_get_iv_length(ours.get()), EVP_CIPHER_CTX_get_iv_length(stock.get())) << iv_len;
        if (expected && cipher.kind == Kind::GCM) {
            EvpMessage m = random_message(random, cipher, 45, 5);

            m.iv = random.bytes(iv_len);
            ASSERT_NO_FATAL_FAILURE(there_and_back(cipher, m));
        }
    }
}

// The provider doesn't expand a key again that a context has already.  So each key differs from the one before it in one bit, and
// each bit gets its turn.
TEST_P(Messages, EachKeyBitSetAnew)
{
    Random random(13);

    for (bool encrypt : { true, false }) {
        EvpMessage m = random_message(random, cipher, 50, 20);
        Ctx ctx = start(Library::lanecrypt(), cipher, m.key, m.iv, encrypt);

        for (size_t bit = 0; bit < 8 * cipher.key_len; bit++) {
            SCOPED_TRACE("bit " + std::to_string(bit % 8) + " of byte " + std::to_string(bit / 8));
            m.key[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            EvpMessage sealed = m;
            Bytes ct = crypt(Library::stock(), cipher, &sealed, true);

            ASSERT_EQ(EVP_CipherInit_ex2(ctx.get(), nullptr, m.key.data(), m.iv.data(), encrypt, nullptr), 1) << errors();
            if (encrypt) {
                ASSERT_TRUE(same(ct, crypt_by(ctx, cipher, &m, true)));
                ASSERT_TRUE(same(sealed.tag, m.tag));
            } else {
                sealed.text = ct;
                ASSERT_TRUE(same(m.text, crypt_by(ctx, cipher, &sealed, false)));
            }
        }
    }
}

// Counters at the end of each of their words, and what they are afterwards.
TEST_P(Messages, IvsThatWrap)
{
    Random random(4);

    for (size_t from = 0; from < cipher.iv_len; from++)
        for (size_t to = from + 1; to <= cipher.iv_len; to++)
            for (int last : { 0xff, 0xfe, 0xf0 }) {
                EvpMessage m = random_message(random, cipher, 16 * random.below(70) + 16 + random.below(16));

                std::fill(m.iv.begin() + static_cast<long>(from), m.iv.begin() + static_cast<long>(to), uint8_t{ 0xff });
                m.iv[cipher.kind == Kind::CHACHA20 ? from : to - 1] = static_cast<uint8_t>(last);
                ASSERT_NO_FATAL_FAILURE(there_and_back(cipher, m));
            }
}

// A text in pieces; `iv`, `updated-iv` and `num` after each of them.
TEST_P(StreamMessages, Pieces)
{
    Random random(5);

    for (size_t round = 0; round < 300; round++) {
        EvpMessage m = random_message(random, cipher, random.below(3000), random.below(200));
        Ctx stock = start(Library::stock(), cipher, m.key, m.iv, true);
        Ctx ours = start(Library::lanecrypt(), cipher, m.key, m.iv, true);
        const size_t most = 1 + random.below(round % 2 ? 40 : 600);

        for (bool aad : { true, false }) {
            const Bytes &in = aad ? m.aad : m.text;

            for (size_t pos = 0; pos < in.size();) {
                size_t n = std::min(in.size() - pos, random.below(most + 1));
                Bytes expected(n + 1), out(n + 1);
                int expected_len, len;

                ASSERT_EQ(update(stock, aad ? nullptr : expected.data(), &expected_len, in.data() + pos, n), 1);
                ASSERT_EQ(update(ours, aad ? nullptr : out.data(), &len, in.data() + pos, n), 1) << errors();
                ASSERT_EQ(len, expected_len);
                ASSERT_TRUE(same(expected, out));
                for (const char *name : { OSSL_CIPHER_PARAM_IV, OSSL_CIPHER_PARAM_UPDATED_IV }) {
                    Bytes iv(16), expected_iv(16);

                    if (can_get(stock, name)) {
                        ASSERT_EQ(get_octets(stock.get(), name, expected_iv.data(), 16), 1) << name;
                        ASSERT_EQ(get_octets(ours.get(), name, iv.data(), 16), 1) << name << ": " << errors();
                        ASSERT_TRUE(same(expected_iv, iv)) << name << " after " << pos + n;
                    }
                }
                if (cipher.kind == Kind::CTR) {
                    ASSERT_EQ(EVP_CIPHER_CTX_get_num(ours.get()), EVP_CIPHER_CTX_get_num(stock.get()));
                }
                pos += n;
            }
        }
        uint8_t tag[16], expected_tag[16];
        int len;
        ASSERT_EQ(EVP_CipherFinal_ex(stock.get(), tag, &len), 1);
        ASSERT_EQ(EVP_CipherFinal_ex(ours.get(), tag, &len), 1) << errors();
        ASSERT_EQ(len, 0);
        if (cipher.aead()) {
            ASSERT_EQ(get_octets(stock.get(), OSSL_CIPHER_PARAM_AEAD_TAG, expected_tag, 16), 1);
            ASSERT_EQ(get_octets(ours.get(), OSSL_CIPHER_PARAM_AEAD_TAG, tag, 16), 1) << errors();
            ASSERT_TRUE(same(expected_tag, tag, 16));
        }
    }
}

// A copy in the middle of a message goes on by itself, whatever becomes of the original.
TEST_P(StreamMessages, Copies)
{
    Random random(12);

    for (size_t before : { 0, 1, 16, 63, 64, 100, 512, 700 }) {
        EvpMessage m = random_message(random, cipher, before + 200, 30), expected = m;
        Bytes ct = crypt(Library::stock(), cipher, &expected, true), out(before + 201), other = random.bytes(64);
        Ctx ctx = start(Library::lanecrypt(), cipher, m.key, m.iv, true);
        uint8_t tag[16];
        int n;

        if (cipher.aead()) {
            ASSERT_EQ(update(ctx, nullptr, &n, m.aad.data(), 30), 1);
        }
        ASSERT_EQ(update(ctx, out.data(), &n, m.text.data(), before), 1);
        Ctx copy = copy_of(ctx);
        ASSERT_EQ(EVP_CipherInit_ex2(ctx.get(), nullptr, other.data(), other.data() + 32, 1, nullptr), 1) << errors();
        ASSERT_EQ(update(ctx, other.data(), &n, other.data(), 64), 1);
        ASSERT_EQ(update(copy, out.data() + before, &n, m.text.data() + before, 100), 1);
        ctx.reset();
        ASSERT_EQ(update(copy, out.data() + before + 100, &n, m.text.data() + before + 100, 100), 1);
        ASSERT_TRUE(same(ct.data(), out.data(), before + 200)) << before;
        ASSERT_EQ(EVP_EncryptFinal_ex(copy.get(), tag, &n), 1);
        if (cipher.aead()) {
            ASSERT_EQ(get_octets(copy.get(), OSSL_CIPHER_PARAM_AEAD_TAG, tag, 16), 1);
            ASSERT_TRUE(same(expected.tag.data(), tag, 16)) << before;
        }
    }
}

// XTS: each update is one data unit, and all of them have the tweak that init was given.
TEST_P(XtsMessages, DataUnits)
{
    Random random(6);

    for (bool encrypt : { true, false })
        for (size_t round = 0; round < 50; round++) {
            EvpMessage m = random_message(random, cipher, 700);
            Ctx stock = start(Library::stock(), cipher, m.key, m.iv, encrypt);
            Ctx ours = start(Library::lanecrypt(), cipher, m.key, m.iv, encrypt);

            for (size_t i = 0; i < 10; i++) {
                size_t len = random.below(4) ? 16 + random.below(680) : random.below(17);
                Bytes expected(700), out(700);
                int expected_len, n, ret = update(stock, expected.data(), &expected_len, m.text.data(), len);

                ASSERT_EQ(update(ours, out.data(), &n, m.text.data(), len), ret) << len;
                ASSERT_EQ(n, expected_len) << len;
                ASSERT_TRUE(same(expected, out)) << len;
                if (random.below(3) == 0) {
                    Bytes iv = random.bytes(16);

                    ASSERT_EQ(EVP_CipherInit_ex2(stock.get(), nullptr, nullptr, iv.data(), -1, nullptr), 1);
                    ASSERT_EQ(EVP_CipherInit_ex2(ours.get(), nullptr, nullptr, iv.data(), -1, nullptr), 1) << errors();
                }
            }
        }
    // the longest one, and a byte more
    EvpMessage m = random_message(random, cipher, (size_t{ 16 } << 20) + 1);
    Ctx stock = start(Library::stock(), cipher, m.key, m.iv, true), ours = start(Library::lanecrypt(), cipher, m.key, m.iv, true);
    Bytes expected(m.text.size()), out(m.text.size());
    for (size_t len : { 16 << 20, (16 << 20) + 1 }) {
        int expected_len, n, ret = update(stock, expected.data(), &expected_len, m.text.data(), len);

        ASSERT_EQ(ret, len == 16 << 20);
        ASSERT_EQ(update(ours, out.data(), &n, m.text.data(), len), ret);
        ASSERT_TRUE(same(expected, out));
    }
}

static void guarded(const Cipher &cipher, const Fetched &fetched, Random &random, size_t before, size_t len, unsigned ends)
{
    static Guarded in_memory(1 << 12), out_memory(1 << 12), aad_memory(1 << 12), key_memory(64), iv_memory(16), tag_memory(16);
    EvpMessage m = random_message(random, cipher, before + len, len % 41), expected = m;
    Bytes ct = crypt(Library::stock(), cipher, &expected, true);
    auto put = [ends](Guarded &memory, unsigned bit, const Bytes &bytes) {
        uint8_t *p = memory.place(ends & bit, bytes.size());

        memory.writable();
        std::copy(bytes.begin(), bytes.end(), p);
        memory.read_only();
        return p;
    };
    uint8_t *key = put(key_memory, 1, m.key), *iv = put(iv_memory, 2, m.iv), *aad = put(aad_memory, 4, m.aad);

    SCOPED_TRACE("text " + std::to_string(len) + " after " + std::to_string(before) + ", ends " + std::to_string(ends));
    for (bool encrypt : { true, false })
        for (bool in_place : { false, true }) {
            const Bytes &from = encrypt ? m.text : ct, &to = encrypt ? ct : m.text;
            uint8_t *in = put(in_memory, 8, cut(from, before, from.size())), *out = out_memory.place(ends & 16, len), tag[16];
            Ctx ctx = new_ctx();
            Bytes first(before + 1);
            int n;

            memset(out_memory.begin(), 0xa5, out_memory.size());
            if (in_place) {
                memcpy(out, in, len);
                in = out;
            }
            ASSERT_EQ(EVP_CipherInit_ex2(ctx.get(), fetched.ours, key, iv, encrypt, nullptr), 1) << errors();
            if (!m.aad.empty()) {
                ASSERT_EQ(update(ctx, nullptr, &n, aad, m.aad.size()), 1) << errors();
            }
            if (before) {
                ASSERT_EQ(update(ctx, first.data(), &n, from.data(), before), 1) << errors();
            }
            ASSERT_EQ(update(ctx, out, &n, in, len), 1) << errors();
            ASSERT_EQ(static_cast<size_t>(n), len);
            ASSERT_TRUE(same(to.data() + before, out, len));
            ASSERT_TRUE(all_bytes(out_memory.begin(), static_cast<size_t>(out - out_memory.begin()), 0xa5));
            ASSERT_TRUE(all_bytes(out + len, static_cast<size_t>(out_memory.end() - out) - len, 0xa5));
            if (!cipher.aead())
                continue;
            if (!encrypt) {
                ASSERT_EQ(set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, put(tag_memory, 1, expected.tag), 16), 1) << errors();
            }
            ASSERT_EQ(EVP_CipherFinal_ex(ctx.get(), tag, &n), 1) << errors();
            if (encrypt) {
                tag_memory.writable();
                ASSERT_EQ(get_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, tag_memory.place(ends & 1, 16), 16), 1) << errors();
                ASSERT_TRUE(same(expected.tag.data(), tag_memory.place(ends & 1, 16), 16));
            }
        }
}

TEST_P(Messages, GuardPages)
{
    Random random(7);
    Fetched fetched(cipher);

    for (size_t len = std::max(size_t{ 1 }, cipher.min_len()); len <= 620; len++)
        for (unsigned ends : { 0u, 31u, static_cast<unsigned>(random.below(32)) }) {
            ASSERT_NO_FATAL_FAILURE(guarded(cipher, fetched, random, 0, len, ends));
            if (cipher.kind != Kind::XTS && len % 3 == 0) {
                ASSERT_NO_FATAL_FAILURE(guarded(cipher, fetched, random, 1 + random.below(140), len, ends));
            }
        }
}

// A key of equal halves decrypts; to encrypt it is refused, when it is set, when it is set again, and when the direction turns.
TEST_P(XtsMessages, EqualHalves)
{
    Random random(14);
    Bytes half = random.bytes(cipher.key_len / 2), key = half, iv = random.bytes(16), ct = random.bytes(64), text[2];
    const auto why = [] { return ERR_GET_REASON(ERR_peek_error()); };
    int n;

    key.insert(key.end(), half.begin(), half.end());
    for (const Library *library : { &Library::stock(), &Library::lanecrypt() }) {
        Ctx ctx = start(*library, cipher, key, iv, false);
        Bytes &out = text[library == &Library::lanecrypt()];

        out.resize(64);
        ASSERT_EQ(update(ctx, out.data(), &n, ct.data(), 64), 1);
    }
    EXPECT_TRUE(same(text[0], text[1]));

    Ctx ctx = start(Library::lanecrypt(), cipher, key, iv, false);
    Bytes out(64, 0x5a);
    ERR_clear_error();
    ASSERT_EQ(EVP_CipherInit_ex2(ctx.get(), nullptr, nullptr, nullptr, 1, nullptr), 1); // the other direction
    EXPECT_EQ(update(ctx, out.data(), &n, ct.data(), 64), 0);
    EXPECT_EQ(why(), PROV_R_XTS_DUPLICATED_KEYS);
    EXPECT_TRUE(all_bytes(out.data(), 64, 0x5a));
    ERR_clear_error();
    EXPECT_EQ(EVP_CipherInit_ex2(ctx.get(), nullptr, key.data(), nullptr, 1, nullptr), 0); // the same key again
    EXPECT_EQ(why(), PROV_R_XTS_DUPLICATED_KEYS);
    ERR_clear_error();
    ASSERT_EQ(EVP_CipherInit_ex2(ctx.get(), nullptr, key.data(), nullptr, 0, nullptr), 1); // and it still decrypts
    ASSERT_EQ(update(ctx, out.data(), &n, ct.data(), 64), 1);
    EXPECT_TRUE(same(text[0], out));
}

// ---- Tags ----

static int open_with(const Cipher &cipher, const EvpMessage &m, const Bytes &ct, const Bytes &tag)
{
    Ctx ctx = start(Library::lanecrypt(), cipher, m.key, m.iv, false);
    Bytes out(ct.size() + 1);
    int n;

    if (set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, tag.data(), tag.size()) != 1)
        return -1;
    if (!m.aad.empty()) {
        EXPECT_EQ(update(ctx, nullptr, &n, m.aad.data(), m.aad.size()), 1);
    }
    if (!ct.empty()) {
        EXPECT_EQ(update(ctx, out.data(), &n, ct.data(), ct.size()), 1);
    }
    return EVP_DecryptFinal_ex(ctx.get(), out.data(), &n);
}

TEST_P(AeadMessages, WrongTags)
{
    Random random(8);

    for (size_t len : { 0, 1, 16, 100 }) {
        EvpMessage m = random_message(random, cipher, len, 7);
        Bytes ct = crypt(Library::stock(), cipher, &m, true);

        for (size_t tag_len : { 4, 8, 12, 13, 14, 15, 16 }) {
            if (cipher.kind != Kind::GCM && tag_len != 16)
                continue;
            Bytes tag = cut(m.tag, 0, tag_len);

            ASSERT_EQ(open_with(cipher, m, ct, tag), 1) << tag_len << ": " << errors();
            for (size_t bit = 0; bit < 8 * tag_len; bit++) {
                tag[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
                ERR_clear_error();
                ASSERT_EQ(open_with(cipher, m, ct, tag), 0) << "bit " << bit << " of " << tag_len;
                ASSERT_EQ(ERR_peek_error(), 0ul) << "callers tell a forgery from other failures by the empty queue";
                tag[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            }
        }
        ERR_clear_error();
        EXPECT_EQ(open_with(cipher, m, ct, {}), -1);
        EXPECT_TRUE(provider_gave_reason());
        EXPECT_EQ(open_with(cipher, m, ct, Bytes(17)), -1);
        EXPECT_TRUE(provider_gave_reason());
    }
}

// A counter that is written by the pointer of a deprecated function
TEST_P(CtrMessages, WrittenIv)
{
    Random random(12);
    EvpMessage m = random_message(random, cipher, 100);
    Bytes first(33), second(100), expected = crypt(Library::stock(), cipher, &m, true);
    Ctx ctx = start(Library::lanecrypt(), cipher, m.key, random.bytes(16), true);
    uint8_t later[16];
    int n;

    for (int turn = 0; turn < 3; turn++) {
        ASSERT_EQ(update(ctx, first.data(), &n, m.text.data(), first.size()), 1);
        uint8_t *iv = EVP_CIPHER_CTX_iv_noconst(ctx.get());
        ASSERT_NE(iv, nullptr);
        memcpy(iv, m.iv.data(), 16);
        ASSERT_EQ(update(ctx, second.data(), &n, m.text.data(), 40), 1);
        ASSERT_EQ(get_octets(ctx.get(), OSSL_CIPHER_PARAM_UPDATED_IV, later, 16), 1); // reading changes nothing
        ASSERT_EQ(update(ctx, second.data() + 40, &n, m.text.data() + 40, 60), 1);
        EXPECT_TRUE(same(expected, second)) << turn;
    }
}

// Tags of lengths that no standard has for the mode, but that the default provider takes
TEST_P(AeadMessages, OddTagLengths)
{
    Random random(11);
    EvpMessage m = random_message(random, cipher, 50, 7);
    Bytes ct = crypt(Library::stock(), cipher, &m, true);

    for (size_t tag_len = 1; tag_len <= 16; tag_len++) {
        Bytes tag = cut(m.tag, 0, tag_len);

        EXPECT_EQ(open_with(cipher, m, ct, tag), 1) << tag_len << ": " << errors();
        tag[tag_len - 1] ^= 1;
        EXPECT_EQ(open_with(cipher, m, ct, tag), 0) << tag_len;
        EXPECT_EQ(ERR_peek_error(), 0ul) << tag_len;
    }
}

// ... and takes at any time: after the text, and another one than was there before it, right or wrong
TEST_P(AeadMessages, OddTagLengthsAfterTheText)
{
    Random random(13);
    EvpMessage m = random_message(random, cipher, 50, 7);
    Bytes ct = crypt(Library::stock(), cipher, &m, true), out(50), wrong(16);

    for (const Bytes &before : { Bytes(), wrong, m.tag })
        for (size_t tag_len = 1; tag_len <= 16; tag_len++)
            for (int flip : { 0, 1 }) {
                Bytes tag = cut(m.tag, 0, tag_len);
                int n;

                tag[0] ^= static_cast<uint8_t>(flip);
                SCOPED_TRACE(std::to_string(before.size()) + ", " + std::to_string(tag_len) + ", " + std::to_string(flip));
                Ctx ctx = start(Library::lanecrypt(), cipher, m.key, m.iv, false);
                if (!before.empty()) {
                    ASSERT_EQ(set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, before.data(), before.size()), 1);
                }
                ASSERT_EQ(update(ctx, nullptr, &n, m.aad.data(), 7), 1);
                ASSERT_EQ(update(ctx, out.data(), &n, ct.data(), 50), 1);
                ASSERT_EQ(set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, tag.data(), tag_len), 1);
                EXPECT_EQ(EVP_DecryptFinal_ex(ctx.get(), out.data(), &n), !flip);
                EXPECT_EQ(ERR_peek_error(), 0ul);
                EXPECT_TRUE(same(m.text, out));
            }
}

// A message in pieces has its keystream ahead.  Neither that nor the key is left where a context was.
TEST_P(AeadMessages, FreedContextsHaveNoSecrets)
{
    Random random(12);
    EvpMessage m = random_message(random, cipher, 16);
    const Bytes zeros(16), key = cut(m.key, 0, 16);
    Bytes stream = crypt(Library::stock(), cipher, &m, true);

    for (size_t i = 0; i < stream.size(); i++)
        stream[i] ^= m.text[i];
    stream.erase(stream.begin(), stream.begin() + 3);
    EXPECT_FALSE(is_in_freed_memory(stream));
    for (const bool is_copied : { false, true }) {
        Ctx ctx = start(Library::lanecrypt(), cipher, m.key, m.iv, true);

        for (int i = 0; i < 3; i++) {
            uint8_t out[16];
            int len;

            ASSERT_EQ(update(ctx, out, &len, zeros.data(), 1), 1);
        }
        if (is_copied)
            ctx = copy_of(ctx);
        ctx.reset();
        EXPECT_FALSE(is_in_freed_memory(stream)) << is_copied;
        EXPECT_FALSE(is_in_freed_memory(key)) << is_copied;
    }
}

// A wrong tag stays wrong: the right one afterwards doesn't open the message.
TEST_P(AeadMessages, NoSecondTry)
{
    Random random(9);

    EvpMessage m = random_message(random, cipher, 40, 7);
    Bytes ct = crypt(Library::stock(), cipher, &m, true), out(40), wrong(16);
    Ctx ctx = start(Library::lanecrypt(), cipher, m.key, m.iv, false);
    int n;
    ASSERT_EQ(update(ctx, nullptr, &n, m.aad.data(), 7), 1);
    ASSERT_EQ(update(ctx, out.data(), &n, ct.data(), 40), 1);
    ASSERT_EQ(set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, wrong.data(), 16), 1);
    ASSERT_EQ(EVP_DecryptFinal_ex(ctx.get(), out.data(), &n), 0);
    set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, m.tag.data(), 16);
    ERR_clear_error();
    EXPECT_EQ(EVP_DecryptFinal_ex(ctx.get(), out.data(), &n), 0);
    EXPECT_TRUE(provider_gave_reason());
    // and a new message begins without a trace of it
    ASSERT_EQ(EVP_DecryptInit_ex2(ctx.get(), nullptr, nullptr, m.iv.data(), nullptr), 1);
    ASSERT_EQ(set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, m.tag.data(), 16), 1);
    ASSERT_EQ(update(ctx, nullptr, &n, m.aad.data(), 7), 1);
    ASSERT_EQ(update(ctx, out.data(), &n, ct.data(), 40), 1);
    ASSERT_EQ(EVP_DecryptFinal_ex(ctx.get(), out.data(), &n), 1) << errors();
    EXPECT_TRUE(same(m.text, out));
}

// ---- What a fetched cipher says of itself ----

TEST_P(Messages, Properties)
{
    Fetched fetched(cipher);

    EXPECT_EQ(EVP_CIPHER_get_key_length(fetched.ours), EVP_CIPHER_get_key_length(fetched.stock));
    EXPECT_EQ(EVP_CIPHER_get_iv_length(fetched.ours), EVP_CIPHER_get_iv_length(fetched.stock));
    EXPECT_EQ(EVP_CIPHER_get_block_size(fetched.ours), EVP_CIPHER_get_block_size(fetched.stock));
    EXPECT_EQ(EVP_CIPHER_get_mode(fetched.ours), EVP_CIPHER_get_mode(fetched.stock));
    EXPECT_EQ(EVP_CIPHER_get_flags(fetched.ours), EVP_CIPHER_get_flags(fetched.stock));
    EXPECT_EQ(EVP_CIPHER_get_nid(fetched.ours), EVP_CIPHER_get_nid(fetched.stock));
    EXPECT_EQ(EVP_CIPHER_get_type(fetched.ours), EVP_CIPHER_get_type(fetched.stock));
}

// All names that a provider's table has for a cipher, in lower case
static std::set<std::string> names_in_table(const Library &library, const char *provider_name, const std::string &cipher)
{
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(library.get(), provider_name);
    int no_store = 0;
    const OSSL_ALGORITHM *algorithms = OSSL_PROVIDER_query_operation(provider, OSSL_OP_CIPHER, &no_store);
    std::set<std::string> names;

    for (; algorithms && algorithms->algorithm_names && names.empty(); algorithms++) {
        std::istringstream list(algorithms->algorithm_names);

        for (std::string name; std::getline(list, name, ':');) {
            std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return tolower(c); });
            names.insert(name);
        }
        if (!names.count(cipher))
            names.clear();
    }
    OSSL_PROVIDER_unload(provider);
    return names;
}

// Aliases and object identifiers too.  By fetching it can't be seen, as libcrypto has a list of its own.
TEST_P(Messages, Names)
{
    std::string name = cipher.name;

    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return tolower(c); });
    std::set<std::string> expected = names_in_table(Library::stock(), "default", name);
    EXPECT_TRUE(expected.count(name));
    EXPECT_EQ(names_in_table(Library::lanecrypt(), "lanecrypt", name), expected);
}

// What the default provider lets a caller get and set, but for what means nothing here.
TEST_P(Messages, ParameterLists)
{
    Fetched fetched(cipher);
    auto missing = [](const OSSL_PARAM *expected, const OSSL_PARAM *actual) {
        const std::string of_others = "padding tls-mac tls-mac-size tls-version use-bits encrypt-then-mac";
        std::string names;

        for (; expected && expected->key; expected++)
            if (of_others.find(expected->key) == std::string::npos && (!actual || !OSSL_PARAM_locate_const(actual, expected->key)))
                names += std::string(" ") + expected->key;
        return names;
    };

    EXPECT_EQ(missing(EVP_CIPHER_gettable_params(fetched.stock), EVP_CIPHER_gettable_params(fetched.ours)), "");
    EXPECT_EQ(missing(EVP_CIPHER_gettable_ctx_params(fetched.stock), EVP_CIPHER_gettable_ctx_params(fetched.ours)), "");
    EXPECT_EQ(missing(EVP_CIPHER_settable_ctx_params(fetched.stock), EVP_CIPHER_settable_ctx_params(fetched.ours)), "");
}

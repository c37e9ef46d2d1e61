// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The calls by which libssl protects records: TLS 1.2's, where one update takes a whole record, and TLS 1.3's.
#include <algorithm>

#include "evp_support.h"

enum { AAD_LEN = 13, EXPLICIT_LEN = 8, TAG_LEN = 16 };

class RecordsOfCipher : public EachCipher {
protected:
    size_t explicit_len() const { return cipher.kind == Kind::GCM ? EXPLICIT_LEN : 0; }
    Bytes header(uint64_t sequence, size_t len) const; // len: as it is on the wire when decrypting, without the tag when encrypting
    Ctx begin(const Library &library, const Bytes &key, const Bytes &iv, bool encrypt) const;
    Bytes stream_of_record(const Ctx &ctx, uint64_t sequence) const; // as stream_of_text()
};
FOR_CIPHERS_AS(Records, RecordsOfCipher, ciphers_of({ Kind::GCM, Kind::CHACHA20_POLY1305 }));
FOR_CIPHERS_AS(GcmRecords, RecordsOfCipher, ciphers_of({ Kind::GCM }));
FOR_CIPHERS_AS(ChachaRecords, RecordsOfCipher, ciphers_of({ Kind::CHACHA20_POLY1305 }));

Bytes RecordsOfCipher::header(uint64_t sequence, size_t len) const
{
    Bytes aad(AAD_LEN);

    for (int i = 0; i < 8; i++)
        aad[static_cast<size_t>(i)] = static_cast<uint8_t>(sequence >> (56 - 8 * i));
    aad[8] = 23;
    aad[9] = aad[10] = 3;
    aad[11] = static_cast<uint8_t>(len >> 8);
    aad[12] = static_cast<uint8_t>(len);
    return aad;
}

// GCM: 4 bytes of the iv are fixed and 8 are in each record.  The sender's 8 begin at random; a length of -1 gives all 12, so that
// both sides' are the same.
Ctx RecordsOfCipher::begin(const Library &library, const Bytes &key, const Bytes &iv, bool encrypt) const
{
    Ctx ctx = start(library, cipher, key, cipher.kind == Kind::GCM ? Bytes() : iv, encrypt);

    if (cipher.kind == Kind::GCM) {
        EXPECT_EQ(set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, iv.data(), 4), 1) << errors();
        if (encrypt) {
            EXPECT_EQ(set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, iv.data(), SIZE_MAX), 1) << errors();
        }
    }
    return ctx;
}

// A record as libssl has it: `tlsaad`, one update in place.  Returns what EVP_Cipher() would.
static int record(const Ctx &ctx, const Bytes &header, uint8_t *bytes, size_t len, bool by_update)
{
    int n = -1;

    if (EVP_CIPHER_CTX_ctrl(ctx.get(), EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, const_cast<uint8_t *>(header.data())) != TAG_LEN)
        return -2;
    if (!by_update)
        return EVP_Cipher(ctx.get(), bytes, bytes, static_cast<unsigned>(len));
    return update(ctx, bytes, &n, bytes, len) == 1 ? n : -1;
}

TEST_P(Records, Tls12)
{
    Random random(30);
    Guarded memory(1 << 15);

    for (bool by_update : { true, false })
        for (size_t keys = 0; keys < 4; keys++) {
            Bytes key = random.bytes(cipher.key_len), iv = random.bytes(12);
            if (keys == 1)
                std::fill(iv.begin() + 4, iv.end(), uint8_t{ 0xff }); // the counter in it wraps
            Ctx stock = begin(Library::stock(), key, iv, true), ours = begin(Library::lanecrypt(), key, iv, true);
            Ctx stock_opens = begin(Library::stock(), key, iv, false), ours_opens = begin(Library::lanecrypt(), key, iv, false);

            for (uint64_t sequence = keys == 2 ? UINT64_MAX - 100 : 0, i = 0; i < 300; sequence++, i++) {
                const size_t text_len = i < 270 ? i : random.below(16384 + 1), len = explicit_len() + text_len + TAG_LEN;
                Bytes text = random.bytes(text_len), expected(len), unused = random.bytes(EXPLICIT_LEN);
                uint8_t *bytes = memory.place(i % 2, len);

                memset(memory.begin(), 0xa5, memory.size());
                if (text_len)
                    memcpy(bytes + explicit_len(), text.data(), text_len);
                std::copy(text.begin(), text.end(), expected.begin() + static_cast<long>(explicit_len()));
                const int written = record(stock, header(sequence, explicit_len() + text_len), expected.data(), len, by_update);
                ASSERT_EQ(written, static_cast<int>(len)) << errors();
                ASSERT_EQ(record(ours, header(sequence, explicit_len() + text_len), bytes, len, by_update), written) << errors();
                ASSERT_TRUE(same(expected.data(), bytes, len)) << "record " << i;

                // ours opened by the default provider, the default one's by ours
                Bytes opened(bytes, bytes + len);
                const int expected_len = record(stock_opens, header(sequence, len), opened.data(), len, by_update);
                ASSERT_GE(expected_len, static_cast<int>(text_len)) << errors();
                ASSERT_EQ(record(ours_opens, header(sequence, len), bytes, len, by_update), expected_len) << errors();
                ASSERT_TRUE(same(text.data(), bytes + explicit_len(), text_len)) << "record " << i;
                ASSERT_TRUE(all_bytes(memory.begin(), static_cast<size_t>(bytes - memory.begin()), 0xa5));
                ASSERT_TRUE(all_bytes(bytes + len, static_cast<size_t>(memory.end() - bytes) - len, 0xa5));
            }
        }
}

// Any bit of a record or its header: refused, nothing of the text is left, and the next record is read as if nothing had been.
TEST_P(Records, Tls12Forged)
{
    Random random(31);
    Bytes key = random.bytes(cipher.key_len), iv = random.bytes(12);
    Ctx seals = begin(Library::stock(), key, iv, true), opens = begin(Library::lanecrypt(), key, iv, false);

    for (size_t text_len : { 0, 1, 40, 300 }) {
        const size_t len = explicit_len() + text_len + TAG_LEN;
        Bytes sealed = random.bytes(len), text(sealed.begin() + static_cast<long>(explicit_len()), sealed.end() - TAG_LEN);
        ASSERT_EQ(record(seals, header(5, explicit_len() + text_len), sealed.data(), len, false), static_cast<int>(len));

        for (bool by_update : { true, false })
            for (size_t bit = 0; bit < 8 * (len + 11); bit += 3) {
                Bytes forged = sealed, aad = header(5, len);

                (bit < 8 * len ? forged[bit / 8] : aad[bit / 8 - len]) ^= static_cast<uint8_t>(1 << bit % 8);
                ERR_clear_error();
                ASSERT_EQ(record(opens, aad, forged.data(), len, by_update), -1) << "bit " << bit;
                ASSERT_TRUE(provider_gave_reason());
                ASSERT_TRUE(all_bytes(forged.data() + explicit_len(), text_len, 0)) << "text is left";
            }
        Bytes opened = sealed;
        ASSERT_GE(record(opens, header(5, len), opened.data(), len, false), static_cast<int>(text_len)) << errors();
        ASSERT_TRUE(same(text.data(), opened.data() + explicit_len(), text_len));
    }
}

// Headers and records of wrong lengths, and GCM's that aren't in place
// Key stream that a call has made: of text that is all zeros.  Empty if it was refused.
static Bytes stream_of_text(const Ctx &ctx)
{
    Bytes text(40), out(40);
    int n;

    return update(ctx, out.data(), &n, text.data(), text.size()) == 1 ? out : Bytes();
}

Bytes RecordsOfCipher::stream_of_record(const Ctx &ctx, uint64_t sequence) const
{
    const size_t len = explicit_len() + 40 + TAG_LEN;
    Bytes bytes(len);

    if (record(ctx, header(sequence, explicit_len() + 40), bytes.data(), len, true) != static_cast<int>(len))
        return {};
    return Bytes(&bytes[explicit_len()], &bytes[explicit_len() + 40]);
}

// Records and other messages by one context: whatever the order, no key stream comes twice.
TEST_P(Records, NoNonceTwice)
{
    static const char *const names[] = {
        "record", "text", "end", "init", "iv", "turn", "turn back", "bad record", "fixed iv", "gen"
    };
    enum { RECORD, TEXT, END, INIT, IV, TURN, TURN_BACK, BAD_RECORD, FIXED_IV, GEN, NUM };
    Random random(36);
    size_t num_streams = 0;

    for (int round = 0; round < 3000; round++) {
        Bytes key = random.bytes(cipher.key_len), iv = random.bytes(12), other(64), gen(8);
        std::vector<Bytes> streams;
        std::string calls;
        uint64_t sequence = 0;
        bool encrypts = true;
        Ctx ctx = begin(Library::lanecrypt(), key, iv, true);
        int n;

        for (int i = 0; i < 12; i++) {
            size_t call = random.below(NUM);
            Bytes stream;

            calls += std::string(names[call]) + "; ";
            if (call == RECORD && encrypts)
                stream = stream_of_record(ctx, sequence++);
            else if (call == TEXT && encrypts)
                stream = stream_of_text(ctx);
            else if (call == END)
                EVP_CipherFinal_ex(ctx.get(), other.data(), &n);
            else if (call == INIT)
                EVP_CipherInit_ex2(ctx.get(), nullptr, random.below(2) ? key.data() : nullptr, nullptr, -1, nullptr);
            else if (call == IV) // a new one each time
                EVP_CipherInit_ex2(ctx.get(), nullptr, nullptr, random.bytes(12).data(), -1, nullptr);
            else if (call == TURN || call == TURN_BACK) {
                encrypts = call == TURN_BACK;
                EVP_CipherInit_ex2(ctx.get(), nullptr, nullptr, nullptr, encrypts, nullptr);
            } else if (call == BAD_RECORD) {
                Bytes aad = header(sequence++, 48);
                EVP_CIPHER_CTX_ctrl(ctx.get(), EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, aad.data());
                update(ctx, other.data(), &n, other.data(), 47);
            } else if (call == FIXED_IV) {
                Bytes fixed = random.bytes(12);
                set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, fixed.data(), cipher.kind == Kind::GCM ? 4 : 12);
            } else if (call == GEN && encrypts) {
                EVP_CIPHER_CTX_ctrl(ctx.get(), EVP_CTRL_GCM_IV_GEN, 8, gen.data());
            }
            ERR_clear_error();
            if (stream.empty())
                continue;
            num_streams++;
            for (const Bytes &earlier : streams)
                ASSERT_NE(earlier, stream) << calls;
            streams.push_back(stream);
        }
    }
    EXPECT_GT(num_streams, 3000u); // the refusals are not all there is
}

// Who has opened the peer's record and turns round doesn't answer under its nonce.
TEST_P(Records, NotThePeersNonce)
{
    Random random(41);
    Bytes key = random.bytes(cipher.key_len), iv = random.bytes(12);
    const size_t len = explicit_len() + 40 + TAG_LEN;
    Bytes sealed(len);
    Ctx peer = begin(Library::stock(), key, iv, true), ours = begin(Library::lanecrypt(), key, iv, false);

    ASSERT_EQ(record(peer, header(7, explicit_len() + 40), sealed.data(), len, true), static_cast<int>(len));
    Bytes stream(&sealed[explicit_len()], &sealed[explicit_len() + 40]);
    ASSERT_GT(record(ours, header(7, len), sealed.data(), len, true), 0) << errors();
    ASSERT_EQ(EVP_CipherInit_ex2(ours.get(), nullptr, nullptr, nullptr, 1, nullptr), 1);
    for (int i = 0; i < 3; i++) {
        EXPECT_NE(stream_of_record(ours, 7), stream);
        EXPECT_NE(stream_of_text(ours), stream);
    }
}

// A header that is refused leaves the one before it alone.
TEST_P(Records, RefusedHeader)
{
    Random random(37);
    Bytes key = random.bytes(cipher.key_len), iv = random.bytes(12), bad = header(UINT64_MAX, 0);
    const size_t len = explicit_len() + 40 + TAG_LEN;
    Bytes expected(len), bytes(len);
    Ctx stock = begin(Library::stock(), key, iv, true), ours = begin(Library::lanecrypt(), key, iv, true);
    int n;

    ASSERT_EQ(record(stock, header(7, explicit_len() + 40), expected.data(), len, true), static_cast<int>(len));
    Bytes good = header(7, explicit_len() + 40);
    ASSERT_EQ(EVP_CIPHER_CTX_ctrl(ours.get(), EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, good.data()), static_cast<int>(TAG_LEN));
    ASSERT_LE(EVP_CIPHER_CTX_ctrl(ours.get(), EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN - 1, bad.data()), 0);
    if (cipher.kind == Kind::GCM) { // a length without room for the explicit iv
        ASSERT_LE(EVP_CIPHER_CTX_ctrl(ours.get(), EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, bad.data()), 0);
    }
    ASSERT_EQ(update(ours, bytes.data(), &n, bytes.data(), len), 1) << errors();
    EXPECT_TRUE(same(expected, bytes));
}

// With ivs that are shorter than what is counted in them
TEST_P(GcmRecords, ShortIvs)
{
    Random random(38);
    Bytes key = random.bytes(cipher.key_len), iv = random.bytes(12);

    for (size_t iv_len = 1; iv_len < 12; iv_len++) {
        Ctx ctx = start(Library::lanecrypt(), cipher, key, {}, true);
        ASSERT_EQ(set_size(ctx.get(), OSSL_CIPHER_PARAM_IVLEN, iv_len), 1);
        for (size_t len : { size_t{ 4 }, iv_len, size_t{ SIZE_MAX } }) {
            ERR_clear_error();
            EXPECT_EQ(set_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, iv.data(), len), 0) << iv_len << ", " << len;
            EXPECT_TRUE(provider_gave_reason());
        }
    }
}

// The iv can be asked for before there is text: then it's drawn.
TEST_P(GcmRecords, IvBeforeText)
{
    Random random(39);
    Ctx ctx = start(Library::lanecrypt(), cipher, random.bytes(cipher.key_len), {}, true);
    uint8_t before[12] = {}, after[12] = {};

    ASSERT_EQ(get_octets(ctx.get(), OSSL_CIPHER_PARAM_IV, before, 12), 1);
    ASSERT_FALSE(stream_of_text(ctx).empty());
    ASSERT_EQ(get_octets(ctx.get(), OSSL_CIPHER_PARAM_IV, after, 12), 1);
    EXPECT_TRUE(same(before, after, 12));
    EXPECT_FALSE(all_bytes(before, 12, 0));
}

// A tag is not left for a message that never ended.
TEST_P(Records, NoStaleTag)
{
    Random random(40);
    Bytes key = random.bytes(cipher.key_len), next = random.bytes(cipher.key_len);
    Ctx ctx = start(Library::lanecrypt(), cipher, key, random.bytes(12), true);
    uint8_t tag[16];
    int n;

    ASSERT_FALSE(stream_of_text(ctx).empty());
    ASSERT_EQ(EVP_CipherFinal_ex(ctx.get(), tag, &n), 1);
    ASSERT_EQ(get_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, tag, 16), 1);
    ASSERT_EQ(EVP_CipherInit_ex2(ctx.get(), nullptr, next.data(), nullptr, -1, nullptr), 1);
    EXPECT_EQ(get_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, tag, 16), 0);
}

TEST_P(Records, Tls12Lengths)
{
    Random random(32);
    Bytes key = random.bytes(cipher.key_len), iv = random.bytes(12);

    for (bool encrypt : { true, false }) {
        Ctx stock = begin(Library::stock(), key, iv, encrypt), ours = begin(Library::lanecrypt(), key, iv, encrypt);

        for (int aad_len : { 0, 1, 12, 14, 16 }) {
            Bytes aad(16);
            int ret = EVP_CIPHER_CTX_ctrl(stock.get(), EVP_CTRL_AEAD_TLS1_AAD, aad_len, aad.data());

            ASSERT_LE(ret, 0);
            ERR_clear_error();
            ASSERT_EQ(EVP_CIPHER_CTX_ctrl(ours.get(), EVP_CTRL_AEAD_TLS1_AAD, aad_len, aad.data()), ret) << aad_len;
            ASSERT_TRUE(provider_gave_reason());
        }
        for (size_t len = 0; len <= 50; len++) {
            Bytes bytes = random.bytes(200);
            int ret = EVP_CIPHER_CTX_ctrl(stock.get(), EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, header(1, len).data());

            ERR_clear_error();
            ASSERT_EQ(EVP_CIPHER_CTX_ctrl(ours.get(), EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, header(1, len).data()), ret) << len;
            if (ret <= 0) {
                ASSERT_TRUE(provider_gave_reason());
                // the default provider keeps the bad header, so the two aren't in the same state
                stock = begin(Library::stock(), key, iv, encrypt);
                ours = begin(Library::lanecrypt(), key, iv, encrypt);
                continue;
            }
            // an update of another length than the header announced
            if (cipher.kind == Kind::CHACHA20_POLY1305) {
                Bytes before = bytes;

                ASSERT_EQ(EVP_Cipher(ours.get(), bytes.data(), bytes.data(), static_cast<unsigned>(len + 17)), -1);
                ASSERT_TRUE(same(before, bytes)) << "written although it was refused";
            }
            stock = begin(Library::stock(), key, iv, encrypt);
            ours = begin(Library::lanecrypt(), key, iv, encrypt);
        }
        if (cipher.kind == Kind::GCM)
            for (size_t len = 0; len < EXPLICIT_LEN + TAG_LEN + 2; len++) {
                Bytes bytes = random.bytes(64), other(64);
                bool in_place = len % 2;

                ours = begin(Library::lanecrypt(), key, iv, encrypt);
                ASSERT_EQ(EVP_CIPHER_CTX_ctrl(ours.get(), EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, header(1, 40).data()), TAG_LEN);
                if (in_place && len >= EXPLICIT_LEN + TAG_LEN)
                    continue;
                Bytes before = bytes;
                uint8_t *out = in_place ? bytes.data() : other.data();
                ASSERT_EQ(EVP_Cipher(ours.get(), out, bytes.data(), static_cast<unsigned>(len)), -1) << len;
                ASSERT_TRUE(same(before, bytes));
                ASSERT_TRUE(all_bytes(other.data(), 64, 0));
            }
    }
}

// GCM's parts of ivs: what may be fixed, `tlsivgen` and `tlsivinv`
TEST_P(GcmRecords, IvParts)
{
    Random random(33);

    for (size_t round = 0; round < 400; round++) {
        const size_t iv_len = random.below(3) ? 12 : 12 + random.below(20);
        const bool encrypt = round % 2;
        EvpMessage m = random_message(random, cipher, 40, 0);
        m.iv = random.bytes(iv_len);
        Ctx stock = start(Library::stock(), cipher, m.key, {}, encrypt);
        Ctx ours = start(Library::lanecrypt(), cipher, m.key, {}, encrypt);
        auto both = [&](int type, int arg, const Bytes &in, bool compare = true) {
            Bytes expected = in, out = in;
            int ret = EVP_CIPHER_CTX_ctrl(stock.get(), type, arg, expected.data());

            ERR_clear_error();
            EXPECT_EQ(EVP_CIPHER_CTX_ctrl(ours.get(), type, arg, out.data()), ret) << type << " " << arg << " " << errors();
            if (ret <= 0 && type != EVP_CTRL_AEAD_SET_IVLEN) {
                EXPECT_TRUE(provider_gave_reason()) << type << " " << arg;
            }
            if (compare) {
                EXPECT_TRUE(same(expected, out)) << type << " " << arg;
            }
            return ret;
        };

        both(EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(iv_len), {});
        if (random.below(4) == 0) { // before there are any parts
            both(EVP_CTRL_GCM_IV_GEN, 8, Bytes(32));
            both(EVP_CTRL_GCM_SET_IV_INV, 8, random.bytes(32));
        }
        both(EVP_CTRL_GCM_SET_IV_FIXED, static_cast<int>(random.below(iv_len + 1)), m.iv, false);
        // the default provider crashes if there is more than the iv
        Bytes too_long(iv_len + 1);
        EXPECT_LE(EVP_CIPHER_CTX_ctrl(ours.get(), EVP_CTRL_GCM_SET_IV_FIXED, static_cast<int>(iv_len + 1), too_long.data()), 0);
        both(EVP_CTRL_GCM_SET_IV_FIXED, -1, m.iv);
        for (size_t i = 0; i < 6; i++) {
            Bytes in = random.bytes(64), expected(64), out(64);
            int n, expected_n;

            if (encrypt ? both(EVP_CTRL_GCM_IV_GEN, static_cast<int>(random.below(iv_len + 3)), Bytes(64)) <= 0
                        : both(EVP_CTRL_GCM_SET_IV_INV, static_cast<int>(random.below(9)), random.bytes(64)) <= 0)
                continue;
            ASSERT_EQ(update(stock, expected.data(), &expected_n, in.data(), 40), 1);
            ASSERT_EQ(update(ours, out.data(), &n, in.data(), 40), 1) << errors();
            ASSERT_TRUE(same(expected, out));
            if (encrypt) {
                ASSERT_EQ(EVP_CipherFinal_ex(stock.get(), expected.data(), &expected_n), 1);
                ASSERT_EQ(EVP_CipherFinal_ex(ours.get(), out.data(), &n), 1);
                both(EVP_CTRL_AEAD_GET_TAG, 16, Bytes(16));
            }
        }
        ASSERT_FALSE(HasFailure()) << "round " << round;
    }
    // the sender's part is random
    Bytes key = random.bytes(cipher.key_len), fixed = random.bytes(4);
    Ctx one = start(Library::lanecrypt(), cipher, key, {}, true), two = start(Library::lanecrypt(), cipher, key, {}, true);
    uint8_t ivs[2][12];
    ASSERT_EQ(EVP_CIPHER_CTX_ctrl(one.get(), EVP_CTRL_GCM_SET_IV_FIXED, 4, fixed.data()), 1);
    ASSERT_EQ(EVP_CIPHER_CTX_ctrl(two.get(), EVP_CTRL_GCM_SET_IV_FIXED, 4, fixed.data()), 1);
    ASSERT_EQ(get_octets(one.get(), OSSL_CIPHER_PARAM_IV, ivs[0], 12), 1);
    ASSERT_EQ(get_octets(two.get(), OSSL_CIPHER_PARAM_IV, ivs[1], 12), 1);
    EXPECT_EQ(memcmp(ivs[0], fixed.data(), 4), 0);
    EXPECT_NE(memcmp(ivs[0] + 4, ivs[1] + 4, 8), 0);
}

// ChaCha20-Poly1305: the whole iv is fixed, and the sequence number is added by xor.
TEST_P(ChachaRecords, FixedIv)
{
    Random random(34);

    Bytes key = random.bytes(32), iv = random.bytes(12), other = random.bytes(12);
    for (bool encrypt : { true, false })
        for (int len : { 0, 1, 4, 11, 12 }) {
            Ctx stock = start(Library::stock(), cipher, key, other, encrypt);
            Ctx ours = start(Library::lanecrypt(), cipher, key, other, encrypt);
            int ret = EVP_CIPHER_CTX_ctrl(stock.get(), EVP_CTRL_AEAD_SET_IV_FIXED, len, iv.data());

            ERR_clear_error();
            ASSERT_EQ(EVP_CIPHER_CTX_ctrl(ours.get(), EVP_CTRL_AEAD_SET_IV_FIXED, len, iv.data()), ret) << len;
            if (ret <= 0) {
                ASSERT_TRUE(provider_gave_reason());
                continue;
            }
            for (uint64_t sequence : { uint64_t{ 0 }, uint64_t{ 0x0123456789abcdef }, UINT64_MAX }) {
                Bytes expected = random.bytes(50 + TAG_LEN), bytes = expected;

                ret = record(stock, header(sequence, encrypt ? 50 : 50 + TAG_LEN), expected.data(), 50 + TAG_LEN, false);
                ASSERT_EQ(record(ours, header(sequence, encrypt ? 50 : 50 + TAG_LEN), bytes.data(), 50 + TAG_LEN, false), ret);
                ASSERT_TRUE(same(expected, bytes));
            }
        }
}

// TLS 1.3: iv, 5 bytes of AAD, text, final, tag; in place (OpenSSL 3.0) and not (3.2 and later); the key is set once.
TEST_P(Records, Tls13)
{
    Random random(35);
    Bytes key = random.bytes(cipher.key_len);
    Ctx seals = start(Library::lanecrypt(), cipher, key, {}, true), opens = start(Library::lanecrypt(), cipher, key, {}, false);

    for (size_t i = 0; i < 400; i++) {
        const size_t len = 1 + (i < 300 ? i : random.below(16385));
        EvpMessage m = { key, random.bytes(12), random.bytes(5), random.bytes(len), {} };
        EvpMessage expected = m;
        Bytes ct = crypt(Library::stock(), cipher, &expected, true), out = m.text, other(len), tag(16), unused(1);
        const bool in_place = i % 2;
        uint8_t *dst = in_place ? out.data() : other.data();
        int n;

        ASSERT_EQ(EVP_CipherInit_ex(seals.get(), nullptr, nullptr, nullptr, m.iv.data(), -1), 1) << errors();
        ASSERT_EQ(update(seals, nullptr, &n, m.aad.data(), 5), 1);
        ASSERT_EQ(update(seals, dst, &n, out.data(), len), 1);
        ASSERT_EQ(static_cast<size_t>(n), len);
        ASSERT_EQ(EVP_CipherFinal_ex(seals.get(), dst + len, &n), 1);
        ASSERT_EQ(n, 0);
        ASSERT_EQ(EVP_CIPHER_CTX_ctrl(seals.get(), EVP_CTRL_AEAD_GET_TAG, 16, tag.data()), 1);
        ASSERT_TRUE(same(ct.data(), dst, len));
        ASSERT_TRUE(same(expected.tag, tag));

        out = ct;
        ASSERT_EQ(EVP_CipherInit_ex(opens.get(), nullptr, nullptr, nullptr, m.iv.data(), -1), 1) << errors();
        ASSERT_EQ(EVP_CIPHER_CTX_ctrl(opens.get(), EVP_CTRL_AEAD_SET_TAG, 16, tag.data()), 1);
        ASSERT_EQ(update(opens, nullptr, &n, m.aad.data(), 5), 1);
        ASSERT_EQ(update(opens, dst, &n, out.data(), len), 1);
        ASSERT_EQ(EVP_CipherFinal_ex(opens.get(), dst + len, &n), 1) << errors();
        ASSERT_TRUE(same(m.text.data(), dst, len));
    }
}

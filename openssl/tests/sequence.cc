// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sequence.h"

#include <algorithm>

Guarded Sequence::in_memory{ 1 << 13 }, Sequence::stock_memory{ 1 << 13 }, Sequence::our_memory{ 1 << 13 };

Sequence::Sequence(const Cipher &c, const Fetched &f, Choices &decisions, uint64_t seed)
    : cipher(c), fetched(f), choices(decisions), random(seed), stock(new_ctx()), ours(new_ctx())
{
    begin();
}

// The same call on both sides.  False: refused, so that nothing can be said of the message any more.
template <typename Call> bool Sequence::both(const std::string &what, Answer answer, Call call)
{
    ERR_clear_error();
    int expected = call(stock.get(), false);
    std::string their_errors = errors();
    int ret = call(ours.get(), true);

    if (answer == Answer::REFUSED || (answer == Answer::EITHER && ret != expected)) {
        if (answer == Answer::REFUSED) {
            EXPECT_LE(ret, 0) << what << ": not refused";
        }
        EXPECT_TRUE(ret > 0 || provider_gave_reason()) << what;
        refused = true;
        return false;
    }
    if (ret <= 0 && their_errors != "no error in the queue") {
        EXPECT_NE(ERR_peek_error(), 0u) << what << ": no error in the queue";
    }
    EXPECT_EQ(ret, expected) << what << "; lanecrypt: " << errors() << "; default: " << their_errors;
    return ret > 0;
}

void Sequence::begin()
{
    encrypt = coin();
    iv_len = cipher.iv_len;
    key_set = finished = tag_set = tag_used = tag_ready = failed = stale = false;
    iv_set = cipher.kind == Kind::CHACHA20_POLY1305; // which begins with one of zeros
    iv.assign(iv_len, 0);
    aad.clear();
    text.clear();
    note("begin");
    ASSERT_EQ(EVP_CipherInit_ex2(stock.get(), fetched.stock, nullptr, nullptr, encrypt, nullptr), 1);
    ASSERT_EQ(EVP_CipherInit_ex2(ours.get(), fetched.ours, nullptr, nullptr, encrypt, nullptr), 1) << errors();
    init(below(16) != 0, below(16) != 0);
}

void Sequence::init(bool with_key, bool with_iv)
{
    Bytes new_key = random.bytes(cipher.key_len), new_iv = random.bytes(iv_len);
    bool new_direction = with_key && coin();

    if (new_direction && coin()) {
        encrypt = !encrypt;
        tag_set = false;
    }
    if (with_key && key_set && below(3) == 0)
        new_key = key; // as `openssl speed` does for each block
    if (with_iv && below(8) == 0) // counters that wrap soon
        std::fill(new_iv.begin(), new_iv.end() - (coin() ? 1 : 0), uint8_t{ 0xff });
    note("init" + std::string(with_key ? " key" : "") + (with_iv ? " iv" : "") + (encrypt ? " encrypt" : " decrypt"));
    both("init", Answer::SAME, [&](EVP_CIPHER_CTX *ctx, bool) {
        return EVP_CipherInit_ex2(ctx, nullptr, with_key ? new_key.data() : nullptr, with_iv ? new_iv.data() : nullptr,
                                  new_direction ? encrypt : -1, nullptr);
    });
    if (with_key) {
        key = new_key;
        key_set = true;
    }
    if (with_iv) {
        iv = new_iv;
        iv_set = true;
        finished = failed = stale = false;
    } else if (with_key && !finished && (!aad.empty() || !text.empty())) {
        stale = true;
    }
    if (with_key || with_iv) {
        tag_ready = false;
        aad.clear();
        text.clear();
    }
    if (tag_used)
        tag_set = false;
}

void Sequence::update(bool is_aad)
{
    static const size_t ranges[] = { 2, 40, 140, 600, 5000 };
    const size_t len = below(ranges[below(5)]);
    const bool in_place = !is_aad && coin(), by_cipher = below(8) == 0;
    uint8_t *in = in_memory.place(coin(), len), *theirs = stock_memory.place(coin(), len), *out = our_memory.place(coin(), len);
    int expected_len = -1, out_len = -1;
    Answer answer = Answer::SAME;
    bool ok;

    if (is_aad && !cipher.aead())
        return;
    if (cipher.kind == Kind::GCM && key_set && !iv_set && encrypt)
        return; // a random iv of each side's own: RandomIv
    if (by_cipher && len == 0)
        return; // to EVP_Cipher() that is a final
    if (len) {
        if (cipher.kind == Kind::CHACHA20_POLY1305 && (!key_set || finished || (is_aad && !text.empty())))
            answer = Answer::REFUSED;
        else if (failed)
            answer = Answer::REFUSED;
        else if (stale && cipher.aead())
            answer = Answer::EITHER;
    } else if (!key_set || !iv_set || finished || stale) {
        answer = Answer::EITHER;
    }
    note((is_aad ? "aad " : "text ") + std::to_string(len) + (in_place ? " in place" : "") + (by_cipher ? " EVP_Cipher" : ""));
    in_memory.writable();
    random.fill(in, len);
    if (!in_place)
        in_memory.read_only();
    memset(stock_memory.begin(), 0xa5, stock_memory.size());
    memset(our_memory.begin(), 0xa5, our_memory.size());
    if (in_place) {
        memcpy(theirs, in, len);
        memcpy(out, in, len);
    }
    ok = both("update", answer, [&](EVP_CIPHER_CTX *ctx, bool our_side) {
        uint8_t *dst = is_aad ? nullptr : our_side ? out : theirs;
        const uint8_t *src = in_place ? dst : in;

        if (by_cipher)
            return EVP_Cipher(ctx, dst, src, static_cast<unsigned>(len));
        return EVP_CipherUpdate(ctx, dst, our_side ? &out_len : &expected_len, src, static_cast<int>(len));
    });
    ASSERT_TRUE(all_bytes(our_memory.begin(), static_cast<size_t>(out - our_memory.begin()), 0xa5));
    ASSERT_TRUE(all_bytes(out + len, static_cast<size_t>(our_memory.end() - out) - len, 0xa5));
    if (ok) {
        ASSERT_EQ(out_len, expected_len);
        ASSERT_TRUE(same(theirs, out, len));
        (is_aad ? aad : text).insert((is_aad ? aad : text).end(), in, in + len);
    } else if (in_place) {
        ASSERT_TRUE(same(in, out, len)) << "written although it was refused";
    } else {
        ASSERT_TRUE(all_bytes(out, len, 0xa5)) << "written although it was refused";
    }
}

// The tag that belongs to what has been decrypted
Bytes Sequence::right_tag()
{
    EvpMessage m = { key, iv, aad, text, {} };
    Ctx ctx = start(Library::stock(), cipher, key, iv, false);
    Bytes plain(text.size() + 1);
    int n;

    if (!aad.empty()) {
        EXPECT_EQ(::update(ctx, nullptr, &n, aad.data(), aad.size()), 1);
    }
    if (!text.empty()) {
        EXPECT_EQ(::update(ctx, plain.data(), &n, text.data(), text.size()), 1);
    }
    plain.pop_back();
    m.text = plain;
    crypt(Library::stock(), cipher, &m, true);
    return m.tag;
}

void Sequence::set_tag()
{
    size_t len = below(6) ? 16 : below(18);
    Bytes tag = encrypt || !key_set || !iv_set || finished ? random.bytes(17) : right_tag();

    if (!cipher.aead())
        return;
    tag.resize(17);
    if (below(4) == 0)
        tag[below(len + 1)] ^= 1;
    note("set tag " + std::to_string(len));
    if (encrypt)
        tag_ready = false; // the default provider refuses it and yet puts it where the tag is
    // Lengths that the standards don't have must be set before there is text.
    const bool gcms = len == 4 || len == 8 || len >= 12, usual = len == 0 || (cipher.kind == Kind::GCM ? gcms : len >= 16);
    if (both("set tag", usual || encrypt || (aad.empty() && text.empty()) ? Answer::SAME : Answer::EITHER,
             [&](EVP_CIPHER_CTX *ctx, bool) { return set_octets(ctx, OSSL_CIPHER_PARAM_AEAD_TAG, tag.data(), len); })) {
        tag_set = true;
        tag_used = false;
    }
}

void Sequence::final()
{
    Answer answer = Answer::SAME;
    uint8_t out[16];
    int expected_len = -1, len = -1;

    if (cipher.kind == Kind::GCM && key_set && !iv_set && encrypt)
        return;
    if (cipher.kind == Kind::CHACHA20_POLY1305) {
        if (!key_set || finished || (!encrypt && !tag_set && !tag_used))
            answer = Answer::REFUSED;
    } else if (failed) {
        answer = Answer::REFUSED;
    }
    if (cipher.aead() && answer == Answer::SAME && (stale || (!encrypt && !tag_set)))
        answer = Answer::EITHER; // there may be a tag of the message before
    note("final");
    bool ok = both("final", answer, [&](EVP_CIPHER_CTX *ctx, bool our_side) {
        return EVP_CipherFinal_ex(ctx, out, our_side ? &len : &expected_len);
    });
    if (ok) {
        ASSERT_EQ(len, expected_len);
    }
    if (!cipher.aead() || refused)
        return;
    if (answer == Answer::EITHER) { // both may have refused for reasons of their own
        refused = true;
        return;
    }
    if (ok) {
        finished = true;
        tag_used = true;
        tag_ready = encrypt;
        if (encrypt)
            get_tag();
    } else if (!encrypt && key_set && iv_set && !finished && tag_set) {
        failed = true;
        tag_used = true;
        finished = cipher.kind == Kind::CHACHA20_POLY1305;
    }
}

void Sequence::get_tag()
{
    size_t len = below(6) ? 16 : below(18);
    uint8_t expected[18] = {}, tag[18] = {};

    if (!cipher.aead())
        return;
    // before the end there is none yet, which the default provider doesn't always say
    Answer answer = tag_ready || !encrypt ? Answer::SAME : Answer::EITHER;
    note("get tag " + std::to_string(len));
    if (both("get tag", answer, [&](EVP_CIPHER_CTX *ctx, bool our_side) {
            return get_octets(ctx, OSSL_CIPHER_PARAM_AEAD_TAG, our_side ? tag : expected, len);
        })) {
        if (answer == Answer::SAME) {
            ASSERT_TRUE(same(expected, tag, 18));
        }
    } else if (answer == Answer::EITHER) {
        refused = false; // which changes nothing
    }
}

void Sequence::get_params()
{
    const char *sizes[] = { OSSL_CIPHER_PARAM_IVLEN, OSSL_CIPHER_PARAM_KEYLEN, OSSL_CIPHER_PARAM_AEAD_TAGLEN,
                            OSSL_CIPHER_PARAM_NUM };

    note("get params");
    for (const char *name : sizes) {
        size_t expected = 12345, value = 12345;

        if (!can_get(stock, name) || ((!tag_set || tag_used) && std::string(name) == OSSL_CIPHER_PARAM_AEAD_TAGLEN))
            continue; // the length of a tag of the message before, or 0, or 16
        ASSERT_EQ(get_size(stock.get(), name, &expected), 1) << name;
        ASSERT_EQ(get_size(ours.get(), name, &value), 1) << name << ": " << errors();
        ASSERT_EQ(value, expected) << name;
    }
    for (const char *name : { OSSL_CIPHER_PARAM_IV, OSSL_CIPHER_PARAM_UPDATED_IV }) {
        uint8_t expected[128] = {}, value[128] = {};
        size_t len = below(8) ? 128 : iv_len;

        if (!can_get(stock, name) || (cipher.kind == Kind::GCM && !iv_set))
            continue; // OpenSSL 4.0 draws a random one
        int ret = get_octets(stock.get(), name, expected, len);
        ASSERT_EQ(get_octets(ours.get(), name, value, len), ret) << name << ": " << errors();
        ASSERT_TRUE(same(expected, value, 128)) << name;
    }
}

void Sequence::set_iv_len()
{
    static const size_t lens[] = { 0, 1, 7, 8, 11, 12, 12, 12, 12, 13, 15, 16, 16, 17, 60, 128, 129 };
    size_t len = lens[below(sizeof(lens) / sizeof(*lens))];

    if (!cipher.aead())
        return;
    note("set ivlen " + std::to_string(len));
    if (both("set ivlen", Answer::SAME, [&](EVP_CIPHER_CTX *ctx, bool) {
            return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(len), nullptr);
        })) {
        if (len != iv_len) {
            finished = iv_set; // the old one doesn't count
            tag_ready = false;
        }
        iv_len = len;
    }
}

// What callers set although it means nothing here
void Sequence::set_others()
{
    unsigned value = static_cast<unsigned>(below(2));
    size_t what = below(cipher.aead() ? 3 : 2), key_len = below(4) ? cipher.key_len : below(70);

    note("set others " + std::to_string(what) + " " + std::to_string(key_len));
    both("set others", Answer::SAME, [&](EVP_CIPHER_CTX *ctx, bool) {
        if (what == 0)
            return EVP_CIPHER_CTX_set_padding(ctx, static_cast<int>(value));
        if (what == 1)
            return EVP_CIPHER_CTX_set_key_length(ctx, static_cast<int>(key_len));
        OSSL_PARAM params[] = { OSSL_PARAM_construct_uint("tls-version", &value),
                                OSSL_PARAM_construct_size_t("tls-mac-size", &key_len),
                                OSSL_PARAM_construct_uint("no-such-parameter", &value), OSSL_PARAM_construct_end() };
        return EVP_CIPHER_CTX_set_params(ctx, params);
    });
}

// Go on with copies, and drop either them or the originals first
void Sequence::copy()
{
    if (cipher.kind == Kind::XTS && !key_set)
        return; // in 3.0 the default provider crashes when the copy is used

    Ctx stock_copy = copy_of(stock), our_copy = copy_of(ours);

    note("copy");
    if (coin()) {
        stock.swap(stock_copy);
        ours.swap(our_copy);
    }
    if (coin() && cipher.kind != Kind::XTS) { // what the other one does must not be seen
        uint8_t bytes[40] = {};
        int n;

        if (key_set && iv_set && !finished)
            ::update(our_copy, bytes, &n, bytes, 40);
    }
}

void Sequence::step()
{
    switch (below(24)) {
    case 0:
    case 1: init(true, true); break;
    case 2:
    case 3:
    case 4: init(false, true); break;
    case 5: // ChaCha20: in the middle of a block, the default provider begins that one again
        if (coin() && (cipher.kind != Kind::CHACHA20 || text.empty()))
            init(true, false);
        break;
    case 6:
        if (coin())
            init(false, false);
        break;
    case 7:
    case 8:
    case 9: update(true); break;
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15: update(false); break;
    case 16: set_tag(); break;
    case 17: get_tag(); break;
    case 18: get_params(); break;
    case 19:
        if (below(3) == 0)
            set_iv_len();
        break;
    case 20:
        if (coin())
            set_others();
        break;
    case 21: copy(); break;
    default:
        if (!encrypt)
            set_tag();
        if (!refused)
            final();
        if (!refused && coin())
            init(false, true);
        break;
    }
    if (refused) { // from here on the two aren't in the same state
        refused = false;
        begin();
    }
}

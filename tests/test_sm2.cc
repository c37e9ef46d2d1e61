// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// SM2: the standard's example, batches, keys, errors, nonces, what no usual signature comes to.
#include <algorithm>
#include <set>

#include "curve_support.h"

const char *const mode_under_test = SIGNATURES;

int init_mode_under_test(const char *impl, std::string *name)
{
    lc_sm2_key key;
    const Bytes raw(BYTES, 7);
    int status = lc_sm2_init_impl(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = lc_sm2_impl_name(&key);
    return status;
}

namespace {

lc_sm2_public_key public_key(const std::string &impl, const Bytes &raw)
{
    lc_sm2_public_key key;

    must(lc_sm2_public_init_impl(&key, impl.c_str(), raw.data(), raw.size()), "lc_sm2_public_init_impl");
    return key;
}

struct KeyPair {
    Bytes raw, public_raw;
    lc_sm2_key key;
    lc_sm2_public_key public_key;

    KeyPair(const std::string &impl, const Number &d) : raw(d.bytes()), public_raw(POINT_LEN)
    {
        must(lc_sm2_init_impl(&key, impl.c_str(), raw.data(), raw.size()), "lc_sm2_init_impl");
        lc_sm2_get_public(&key, public_raw.data());
        public_key = ::public_key(impl, public_raw);
    }
};

const std::string portable = "sm2-portable";

// Deterministic signature
Bytes sign(const lc_sm2_key *key, const Bytes &digest)
{
    Bytes sig(SIG_LEN);

    must(lc_sm2_sign_with(key, sig.data(), digest.data(), nullptr, 0), "lc_sm2_sign_with");
    return sig;
}

Bytes to_der(const Bytes &sig)
{
    Bytes der(LC_SM2_MAX_DER_LEN);

    der.resize(lc_sm2_to_der(der.data(), sig.data()));
    return der;
}

Bytes join(const Number &r, const Number &s)
{
    Bytes both = r.bytes(), last = s.bytes();

    both.insert(both.end(), last.begin(), last.end());
    return both;
}

// The x of a point, modulo n
Number x_of(const Bytes &point)
{
    const Number x(Bytes(point.begin() + 1, point.begin() + SHORT_LEN));

    return add(x, 0, WB_N);
}

// One that is to be verified, with the key that it's about
struct Signature {
    lc_sm2_public_key key;
    Bytes digest, sig;
    int expected;
};

// All of them in one call; each gets its status.
void verify_all(const std::vector<Signature> &signatures)
{
    std::vector<lc_sm2_verify_item> items;
    int first = LC_OK;

    for (const Signature &s : signatures) {
        items.push_back({ &s.key, s.sig.data(), s.digest.data(), 1 });
        if (first == LC_OK)
            first = s.expected;
    }
    EXPECT_EQ(lc_sm2_verify_many(items.data(), items.size()), first);
    for (size_t i = 0; i < items.size(); i++)
        EXPECT_EQ(items[i].status, signatures[i].expected) << i << " of " << items.size();
}

// What is wrong, each in another way; and points that are opposite are added for some.
std::vector<Signature> bad_signatures(const std::string &impl)
{
    Random random(77);
    const KeyPair good(impl, random_number(random, WB_N)), other(impl, 3);
    const Number n = Number::modulus(WB_N), d(good.raw), t = random_number(random, WB_N);
    const Bytes digest = random.bytes(BYTES), right = sign(&good.key, digest);
    const Number r(Bytes(right.begin(), right.begin() + BYTES)), s(Bytes(right.begin() + BYTES, right.end()));
    Bytes wrong = digest;
    std::vector<Signature> bad;

    flip(&wrong, 0);
    bad.push_back({ good.public_key, wrong, right, LC_ERR_SIGNATURE });
    bad.push_back({ good.public_key, digest, join(0, s), LC_ERR_SIGNATURE });
    bad.push_back({ other.public_key, digest, right, LC_ERR_SIGNATURE });
    bad.push_back({ good.public_key, digest, join(r, n), LC_ERR_SIGNATURE });
    bad.push_back({ good.public_key, digest, join(r, subtract(0, r, WB_N)), LC_ERR_SIGNATURE });
    // s G + t Q is infinity: s = -d t
    const Number minus = subtract(0, multiply(d, t, WB_N), WB_N);
    bad.push_back({ good.public_key, digest, join(subtract(t, minus, WB_N), minus), LC_ERR_SIGNATURE });
    bad.push_back({ good.public_key, Bytes(BYTES, 0), join(n, s), LC_ERR_SIGNATURE });
    return bad;
}

// In every lane, with the bad ones in all others
void verify_in_every_lane(const Signature &signature, const std::vector<Signature> &bad)
{
    for (size_t lane = 0; lane < LANES; lane++) {
        std::vector<Signature> all(bad.begin(), bad.begin() + LANES - 1);

        all.insert(all.begin() + static_cast<ptrdiff_t>(lane), signature);
        verify_all(all);
    }
}

Bytes bytes_of_text(const std::string &text)
{
    return Bytes(text.begin(), text.end());
}

const Bytes default_id = bytes_of_text(LC_SM2_DEFAULT_ID);

Bytes z_of(const Bytes &public_raw, const Bytes &id)
{
    Bytes z(LC_SM2_LEN);

    must(lc_sm2_z(z.data(), public_raw.data(), public_raw.size(), id.data(), id.size()), "lc_sm2_z");
    return z;
}

Bytes digest_of(const Bytes &z, const Bytes &msg)
{
    Bytes digest(LC_SM2_LEN);

    must(lc_sm2_digest(digest.data(), z.data(), msg.data(), msg.size()), "lc_sm2_digest");
    return digest;
}

class Sm2 : public EachRow {};

} // namespace

FOR_EACH_ROW(Sm2);

// GB/T 32918.5, annex A, A.2
TEST_P(Sm2, Example)
{
    const Number d(from_hex("3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8")),
        k(from_hex("59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21"));
    const Bytes public_raw = from_hex("0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
                                      "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13");
    const Bytes sig = from_hex("f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
                               "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa");
    const KeyPair key(impl.name, d);
    const Bytes z = z_of(public_raw, default_id), msg = bytes_of_text("message digest"), digest = digest_of(z, msg);
    uint64_t rs[2][WORDS];
    Number r, s;

    EXPECT_EQ(key.public_raw, public_raw);
    EXPECT_EQ(z, from_hex("b2e14c5c79c6df5b85f4fe7ed8db7a262b9da7e07ccb0ea9f4747b8ccda8a4f3"));
    EXPECT_EQ(digest, from_hex("f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640"));
    wb_sign(&key.key, rs, Number(digest).w, k.w);
    memcpy(r.w, rs[0], BYTES);
    memcpy(s.w, rs[1], BYTES);
    EXPECT_EQ(join(r, s), sig);
    // The nonce of RFC 6979 with HMAC-SM3, by a Python program of 30 lines with hmac and integers
    EXPECT_EQ(sign(&key.key, digest), from_hex("24858ee71d63e687feefe41f5af80a59f0791eb1dabc2bbe71daf0e57f06c367"
                                               "3d15550de52785a435004c937256ac715c0e04176ac57062c6722fa692f7a491"));
    verify_in_every_lane({ key.public_key, digest, sig, LC_OK }, bad_signatures(impl.name));
    EXPECT_EQ(lc_sm2_verify_message(&key.public_key, sig.data(), z.data(), msg.data(), msg.size()), LC_OK);
    EXPECT_EQ(lc_sm2_verify_message(&key.public_key, sig.data(), z.data(), msg.data(), msg.size() - 1), LC_ERR_SIGNATURE);
}

// Those of OpenSSL's own tests (evppkey_sm2.txt); the last one's digest has 64 bytes there, and is modulo n here.
TEST_P(Sm2, OpensslsVectors)
{
    static const struct {
        const char *digest, *der;
    } cases[] = {
        { "d7ad397f6ffa5d4f7f11e7217f241607dc30618c236d2c09c1b9ea8fdadee2e8",
          "3046022100ab1db64de7c40edbde6651c9b8ebdb804673db836e5d5c7fe15dcf9ed2725037"
          "022100eba714451ff69b0bb930b379e192e7cd5fa6e3c41c7fbd8303b799ab54a54621" },
        { "b1139602c6ecc9e15e2f3f9c635a1afe737058bc15387479c1ea0d0b3d90e9e5",
          "3045022100e6e0414ebd3a656c35602af14ab20287dbf30d57af75c49a188ed4b42391f224"
          "02202f54f277c606f4605e1ce9514947ffddf94c67a539804a4ed17f852288bdbe2e" },
        { "13d8bc7485fe470b9b8aec07ee14b509f540dcc7bd36457d398f7c076c691784",
          "3046022100ae018933b9ba041784380069f2ddf609694dcd299fdbf23d09f4b711fbc103ec"
          "0221008440bb1a48c132de4fb91be9f43b958142fdd29fb9dabe01b17514023a2f638c" },
    };
    const KeyPair key(impl.name, Number(from_hex("d09156733017bdad809fd9bbd8c693f60230593169b6f94aaf1c8ee138cc99b5")));
    const std::vector<Signature> bad = bad_signatures(impl.name);

    for (const auto &c : cases) {
        const Bytes der = from_hex(c.der);
        Bytes sig(SIG_LEN);

        ASSERT_EQ(lc_sm2_from_der(sig.data(), der.data(), der.size()), LC_OK);
        verify_in_every_lane({ key.public_key, from_hex(c.digest), sig, LC_OK }, bad);
    }
}

// What only sign_many_with() takes isn't looked at by the other one.
TEST_P(Sm2, ExtraOfOthers)
{
    KeyPair pair(impl.name, Number(5));
    Bytes sig(SIG_LEN), digest(32, 1);
    lc_sm2_sign_item item = { &pair.key, sig.data(), digest.data(), nullptr, SIZE_MAX, 1 };

    EXPECT_EQ(lc_sm2_sign_many(&item, 1), LC_OK);
    EXPECT_EQ(lc_sm2_verify(&pair.public_key, sig.data(), digest.data()), LC_OK);
    EXPECT_EQ(lc_sm2_sign_many_with(&item, 1), LC_ERR_LEN);
}

// Batches of all sizes around a vector, under many keys, some items wrong; signatures are the portable implementation's.
TEST_P(Sm2, Batches)
{
    Random random(1);
    std::vector<KeyPair> keys, others;

    for (size_t i = 0; i < 5; i++) {
        keys.emplace_back(impl.name, random_number(random, WB_N));
        others.emplace_back(portable, Number(keys[i].raw));
        EXPECT_EQ(keys[i].public_raw, others[i].public_raw);
    }
    for (size_t num = 0; num <= 17; num++) {
        std::vector<Bytes> sigs, digests;
        std::vector<size_t> lens; // of additional data
        const Bytes extra = random.bytes(LC_SM2_MAX_EXTRA_LEN + 1);
        std::vector<lc_sm2_sign_item> items;
        std::vector<Signature> signatures;
        int first = LC_OK;

        for (size_t i = 0; i < num; i++) {
            sigs.emplace_back(SIG_LEN, 0xa5);
            digests.push_back(random.bytes(BYTES));
            lens.push_back(random.below(6) ? random.below(65) : 65);
        }
        for (size_t i = 0; i < num; i++) {
            items.push_back({ &keys[i % 5].key, sigs[i].data(), digests[i].data(), extra.data(), lens[i], 1 });
            if (first == LC_OK && lens[i] == 65)
                first = LC_ERR_LEN;
        }
        EXPECT_EQ(lc_sm2_sign_many_with(items.data(), num), first);
        for (size_t i = 0; i < num; i++) {
            Bytes expected(SIG_LEN);

            SCOPED_TRACE(std::to_string(i) + " of " + std::to_string(num));
            if (lens[i] == 65) {
                EXPECT_EQ(items[i].status, LC_ERR_LEN);
                EXPECT_TRUE(all_bytes(sigs[i].data(), SIG_LEN, 0xa5));
                continue;
            }
            EXPECT_EQ(items[i].status, LC_OK);
            must(lc_sm2_sign_with(&others[i % 5].key, expected.data(), digests[i].data(), extra.data(), lens[i]), "sign_with");
            EXPECT_EQ(expected, sigs[i]);
#ifdef HAVE_LIBCRYPTO
            EXPECT_TRUE(Libcrypto::sm2_verify(keys[i % 5].public_raw, digests[i], to_der(sigs[i])));
#endif
            if (random.below(4) == 0) {
                flip(&sigs[i], random.below(8 * SIG_LEN));
                signatures.push_back({ keys[i % 5].public_key, digests[i], sigs[i], LC_ERR_SIGNATURE });
            } else {
                signatures.push_back({ keys[i % 5].public_key, digests[i], sigs[i], LC_OK });
            }
        }
        verify_all(signatures);
    }
}

// In every lane, beside other keys and some that are refused
TEST_P(Sm2, EveryLane)
{
    Random random(9);
    const KeyPair key(impl.name, random_number(random, WB_N)), other(impl.name, random_number(random, WB_N)),
        reference(portable, Number(key.raw));
    const Bytes digest = random.bytes(BYTES), expected = sign(&reference.key, digest);

    for (size_t lane = 0; lane < LANES; lane++) {
        std::vector<Bytes> sigs(LANES, Bytes(SIG_LEN));
        std::vector<lc_sm2_sign_item> items;

        for (size_t i = 0; i < LANES; i++)
            items.push_back({ i == lane ? &key.key : &other.key, sigs[i].data(), digest.data(), digest.data(),
                              i == lane ? 0
                              : i % 3   ? i
                                        : 65,
                              1 });
        EXPECT_EQ(lc_sm2_sign_many_with(items.data(), items.size()), LC_ERR_LEN);
        EXPECT_EQ(items[lane].status, LC_OK);
        EXPECT_EQ(sigs[lane], expected) << lane;
    }
}

#ifdef HAVE_LIBCRYPTO
// Its signatures and public keys, and the same with a bit changed; edge keys among them
TEST_P(Sm2, Libcryptos)
{
    Random random(2);
    std::vector<Signature> signatures;

    for (uint64_t i = 0; i < 40; i++) {
        const Number d = i < 4 ? Number(i + 1) : i < 8 ? subtract(0, i - 2, WB_N) : random_number(random, WB_N);
        const KeyPair key(impl.name, d);
        const Bytes digest = i % 10 ? random.bytes(BYTES) : Bytes(BYTES, i % 20 ? 0xff : 0);
        const Bytes der = Libcrypto::sm2_sign(key.raw, digest);
        Bytes sig(SIG_LEN);

        EXPECT_EQ(Libcrypto::ec_public(CURVE_NID, key.raw), key.public_raw);
        ASSERT_EQ(lc_sm2_from_der(sig.data(), der.data(), der.size()), LC_OK);
        EXPECT_EQ(to_der(sig), der);
        signatures.push_back({ key.public_key, digest, sig, LC_OK });
        EXPECT_TRUE(Libcrypto::sm2_verify(key.public_raw, digest, to_der(sign(&key.key, digest))));
        flip(&sig, random.below(8 * SIG_LEN));
        signatures.push_back({ key.public_key, digest, sig, LC_ERR_SIGNATURE });
        EXPECT_FALSE(Libcrypto::sm2_verify(key.public_raw, digest, to_der(sig)));
    }
    verify_all(signatures);
}

// Messages, and identities of all lengths: what libcrypto hashes is the same.
TEST_P(Sm2, LibcryptosIdentities)
{
    Random random(3);
    const KeyPair key(impl.name, random_number(random, WB_N));

    for (size_t len : { 1, 16, 31, 32, 33, 55, 64, 255, 256, 8190 }) { // it refuses 8191
        const Bytes id = random.bytes(len), msg = random.bytes(len % 64 == 0 ? 0 : len), z = z_of(key.public_raw, id);
        Bytes sig(SIG_LEN);

        ASSERT_EQ(lc_sm2_sign_message(&key.key, sig.data(), z.data(), msg.data(), msg.size()), LC_OK);
        EXPECT_EQ(lc_sm2_verify_message(&key.public_key, sig.data(), z.data(), msg.data(), msg.size()), LC_OK);
        EXPECT_TRUE(Libcrypto::sm2_verify_message(key.public_raw, id, msg, to_der(sig))) << len;
        flip(&sig, 7);
        EXPECT_FALSE(Libcrypto::sm2_verify_message(key.public_raw, id, msg, to_der(sig))) << len;
    }
}
#endif

// What Z and the digest are, byte by byte
TEST(Sm2Hash, AsWrittenOut)
{
    const Bytes public_raw = public_of(Number(5).bytes());
    const Number p = Number::modulus(WB_P);
    Bytes id(LC_SM2_MAX_ID_LEN, 'x'), z(LC_SM2_LEN), all, bytes;
    auto append = [&](const Bytes &more) { all.insert(all.end(), more.begin(), more.end()); };

    for (size_t len : { 0, 1, 31, 32, 300, LC_SM2_MAX_ID_LEN }) {
        all = { static_cast<uint8_t>(8 * len >> 8), static_cast<uint8_t>(8 * len) };
        append(Bytes(id.begin(), id.begin() + static_cast<ptrdiff_t>(len)));
        append(subtract(p, 3, WB_P).bytes());
        append(from_hex("28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93"
                        "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"
                        "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0"));
        append(Bytes(public_raw.begin() + 1, public_raw.end()));
        ASSERT_EQ(lc_sm2_z(z.data(), public_raw.data(), public_raw.size(), len ? id.data() : nullptr, len), LC_OK);
        EXPECT_EQ(z, nonce_hash(all));
        // A compressed key is the same key.
        bytes.assign(public_raw.begin(), public_raw.begin() + SHORT_LEN);
        bytes[0] = 2 + (public_raw[POINT_LEN - 1] & 1);
        EXPECT_EQ(z_of(bytes, Bytes(id.begin(), id.begin() + static_cast<ptrdiff_t>(len))), z);
    }
    all = z;
    append(id);
    EXPECT_EQ(digest_of(z, id), nonce_hash(all));
    ASSERT_EQ(lc_sm2_digest(bytes.data(), z.data(), nullptr, 0), LC_OK);
    bytes.resize(LC_SM2_LEN);
    EXPECT_EQ(bytes, nonce_hash(z));

    const Bytes before(LC_SM2_LEN, 0xa5), long_id(LC_SM2_MAX_ID_LEN + 1);
    z = before;
    EXPECT_EQ(lc_sm2_z(z.data(), public_raw.data(), public_raw.size(), long_id.data(), long_id.size()), LC_ERR_LEN);
    EXPECT_EQ(lc_sm2_z(z.data(), public_raw.data(), 64, id.data(), 16), LC_ERR_KEY_LEN);
    bytes = public_raw;
    flip(&bytes, 77);
    EXPECT_EQ(lc_sm2_z(z.data(), bytes.data(), bytes.size(), id.data(), 16), LC_ERR_KEY);
    EXPECT_EQ(z, before);
}

// The usual call takes fresh randomness, the other one the caller's; all are right, and all are different.
TEST_P(Sm2, Hedged)
{
    Random random(3);
    const KeyPair key(impl.name, random_number(random, WB_N));
    const Bytes msg = random.bytes(100), z = z_of(key.public_raw, default_id), digest = digest_of(z, msg);
    const Bytes extra = random.bytes(LC_SM2_MAX_EXTRA_LEN);
    std::set<Bytes> all = { sign(&key.key, digest) };
    std::vector<lc_sm2_sign_item> items;
    std::vector<Bytes> sigs(11, Bytes(SIG_LEN));

    for (Bytes &sig : sigs)
        items.push_back({ &key.key, sig.data(), digest.data(), nullptr, 0, 1 });
    EXPECT_EQ(lc_sm2_sign_many(items.data(), items.size()), LC_OK);
    all.insert(sigs.begin(), sigs.end());
    for (size_t i = 0; i < 3; i++) {
        ASSERT_EQ(lc_sm2_sign(&key.key, sigs[0].data(), digest.data()), LC_OK);
        all.insert(sigs[0]);
        ASSERT_EQ(lc_sm2_sign_message(&key.key, sigs[0].data(), z.data(), msg.data(), msg.size()), LC_OK);
        all.insert(sigs[0]);
    }
    EXPECT_EQ(all.size(), 18u);
    // Every byte of the additional data counts, and its length.
    for (size_t len : { 1, 32, 63, 64 }) {
        Bytes other = extra;

        ASSERT_EQ(lc_sm2_sign_with(&key.key, sigs[0].data(), digest.data(), extra.data(), len), LC_OK);
        EXPECT_TRUE(all.insert(sigs[0]).second);
        ASSERT_EQ(lc_sm2_sign_with(&key.key, sigs[1].data(), digest.data(), extra.data(), len), LC_OK);
        EXPECT_EQ(sigs[0], sigs[1]);
        flip(&other, 8 * len - 1);
        ASSERT_EQ(lc_sm2_sign_with(&key.key, sigs[1].data(), digest.data(), other.data(), len), LC_OK);
        EXPECT_TRUE(all.insert(sigs[1]).second);
    }
    for (const Bytes &sig : all)
        EXPECT_EQ(lc_sm2_verify(&key.public_key, sig.data(), digest.data()), LC_OK);
    EXPECT_EQ(lc_sm2_sign_with(&key.key, sigs[0].data(), digest.data(), extra.data(), 65), LC_ERR_LEN);
}

// Nonces of RFC 6979 with HMAC-SM3 and additional data of any length, and the next ones, against the HMACs written out
TEST_P(Sm2, Nonces)
{
    Random random(20);
    const KeyPair key(impl.name, 12345);
    const Number e(Bytes(BYTES, 0x77));

    for (size_t len = 0; len <= LC_SM2_MAX_EXTRA_LEN; len++) {
        const Bytes extra = random.bytes(len);
        WrittenNonces expected(key.raw, e.bytes(), extra);

        for (unsigned skip = 0; skip < 3; skip++) {
            Number nonce;

            must(wb_nonce(&key.key, nonce.w, e.w, skip, extra.data(), len), "wb_nonce");
            EXPECT_EQ(nonce.bytes(), expected.next()) << len;
            if (!len && !skip) { // the one that signatures have
                uint64_t rs[2][WORDS];
                Number r, s;

                wb_sign(&key.key, rs, e.w, nonce.w);
                memcpy(r.w, rs[0], BYTES);
                memcpy(s.w, rs[1], BYTES);
                EXPECT_EQ(sign(&key.key, e.bytes()), join(r, s));
            }
        }
    }
}

// Nonces and digests at their limits, and those with which there is no signature: r = 0, r + k = n, s = 0.
TEST_P(Sm2, GivenNonces)
{
    Random random(4);
    const Number n = Number::modulus(WB_N), d = random_number(random, WB_N);
    const KeyPair key(impl.name, d);
    std::vector<Signature> signatures;
    std::vector<Number> nonces = { 1, 2, 3, subtract(0, 1, WB_N), subtract(0, 2, WB_N) };

    for (int bit : { 6, 7, 63, 64, 127, 128, BITS - 5, BITS - 4, BITS - 3, BITS - 1 }) {
        Number k;

        k.w[bit / 64] = UINT64_C(1) << bit % 64;
        nonces.push_back(k);
        nonces.push_back(subtract(k, 1, WB_N));
    }
    for (const Number &k : nonces) {
        const Number x = x_of(public_of(k.bytes()));
        Number r, s;
        auto sign_with = [&](const Number &e) {
            uint64_t out[2][WORDS];

            wb_sign(&key.key, out, e.w, k.w);
            memcpy(r.w, out[0], BYTES);
            memcpy(s.w, out[1], BYTES);
        };

        for (const Number &e : { Number(0), Number(1), subtract(0, 1, WB_N), random_number(random, WB_N) }) {
            sign_with(e);
            EXPECT_EQ(r, add(e, x, WB_N));
            // s (1 + d) = k - r d
            EXPECT_EQ(multiply(s, add(1, d, WB_N), WB_N), subtract(k, multiply(r, d, WB_N), WB_N));
            signatures.push_back({ key.public_key, e.bytes(), join(r, s), LC_OK });
            signatures.push_back({ key.public_key, e.bytes(), join(r, subtract(0, s, WB_N)), LC_ERR_SIGNATURE });
            signatures.push_back({ key.public_key, e.bytes(), join(r, n), LC_ERR_SIGNATURE });
            signatures.push_back({ key.public_key, e.bytes(), join(n, s), LC_ERR_SIGNATURE });
        }
        sign_with(subtract(0, x, WB_N));
        EXPECT_EQ(r, Number(0));
        sign_with(subtract(subtract(0, k, WB_N), x, WB_N)); // r = -k
        EXPECT_EQ(s, Number(0));
        sign_with(subtract(multiply(k, invert(d, WB_N), WB_N), x, WB_N)); // r d = k
        EXPECT_EQ(s, Number(0));
    }
    verify_all(signatures);
}

// Verifying where points that are equal or opposite, or infinity, are added on the way; and numbers that are never right
TEST_P(Sm2, Exceptions)
{
    Random random(5);
    const Number n = Number::modulus(WB_N);
    std::vector<Signature> signatures;
    // s G + t Q
    auto make = [&](const Number &d, const Number &s, const Number &t, bool exists = true) {
        const KeyPair key(impl.name, d);
        const Number k = add(s, multiply(t, d, WB_N), WB_N), r = subtract(t, s, WB_N);
        const Number e = exists ? subtract(r, x_of(public_of(k.bytes())), WB_N) : r;

        if (!(r == Number(0)))
            signatures.push_back({ key.public_key, e.bytes(), join(r, s), exists ? LC_OK : LC_ERR_SIGNATURE });
    };

    for (int i = 0; i < 3; i++) {
        const Number d = i ? random_number(random, WB_N) : Number(1), t = random_number(random, WB_N), u = multiply(t, d, WB_N);

        make(d, u, t);                           // s G = t Q
        make(d, subtract(0, u, WB_N), t, false); // s G = -t Q
        make(d, 1, t);
        make(d, subtract(0, 1, WB_N), t);
        make(d, add(u, 1, WB_N), t);
        for (uint64_t small = 1; small < 40; small++) { // also multiples that end near n, where the last addition may be a doubling
            make(d, small, 2 * small);
            make(d, small, subtract(0, small, WB_N), !(d == Number(1)));
        }
        make(d, subtract(0, 2, WB_N), 4);
    }
    const KeyPair key(impl.name, 2);
    const Bytes digest = random.bytes(BYTES);
    for (const Number &x : { Number(1), subtract(0, 1, WB_N), random_number(random, WB_N) }) {
        signatures.push_back({ key.public_key, digest, join(0, x), LC_ERR_SIGNATURE });
        signatures.push_back({ key.public_key, digest, join(x, 0), LC_ERR_SIGNATURE });
        signatures.push_back({ key.public_key, digest, join(n, x), LC_ERR_SIGNATURE });
        signatures.push_back({ key.public_key, digest, join(x, n), LC_ERR_SIGNATURE });
        signatures.push_back({ key.public_key, digest, join(x, Number(Bytes(BYTES, 0xff))), LC_ERR_SIGNATURE });
        // r + s = n: t = 0, and with e = r - x(s G) all else would be right
        const Number s = subtract(0, x, WB_N), e = subtract(x, x_of(public_of(s.bytes())), WB_N);
        signatures.push_back({ key.public_key, e.bytes(), join(x, s), LC_ERR_SIGNATURE });
    }
    verify_all(signatures);
}

// x of the sum may be n or more.  With t = 1 the sum is s G + Q: for Q = P - s G it is the point P, of which x is n + i.
TEST_P(Sm2, XAboveN)
{
    const Number n = Number::modulus(WB_N), p = Number::modulus(WB_P), s = 1234567, r = subtract(1, s, WB_N);
    const Bytes minus = public_of(subtract(0, s, WB_N).bytes());
    auto mul = [](const Number &a, const Number &b) { return multiply(a, b, WB_P); };
    auto sub = [](const Number &a, const Number &b) { return subtract(a, b, WB_P); };
    auto x_and_y = [](const Bytes &point, Number *x, Number *y) {
        *x = Number(Bytes(point.begin() + 1, point.begin() + SHORT_LEN));
        *y = Number(Bytes(point.begin() + SHORT_LEN, point.end()));
    };
    size_t found = 0;
    Number x1, y1, x2, y2;

    x_and_y(minus, &x1, &y1);
    for (uint64_t i = 0; i < 60 && found < 5; i++) {
        Bytes compressed = add(add(n, 0, WB_P), i, WB_P).bytes(), point(POINT_LEN);

        compressed.insert(compressed.begin(), 2);
        if (wb_decode(point.data(), compressed.data(), SHORT_LEN) != LC_OK)
            continue;
        x_and_y(point, &x2, &y2);
        ASSERT_TRUE(x2 < p && !(x2 < n));
        const Number slope = mul(sub(y2, y1), invert(sub(x2, x1), WB_P)), x3 = sub(sub(mul(slope, slope), x1), x2),
                     y3 = sub(mul(slope, sub(x1, x3)), y1);
        Bytes q = join(x3, y3);
        q.insert(q.begin(), 4);
        const lc_sm2_public_key key = public_key(impl.name, q);
        for (uint64_t more : { 0, 1, 2 })
            verify_all({ { key, subtract(r, i + more, WB_N).bytes(), join(r, s), more ? LC_ERR_SIGNATURE : LC_OK } });
        found++;
    }
    EXPECT_EQ(found, 5u);
}

TEST_P(Sm2, Keys)
{
    const Bytes n = Number::modulus(WB_N).bytes(), p = Number::modulus(WB_P).bytes(), good = public_of(Bytes(BYTES, 5));
    lc_sm2_key key;
    lc_sm2_public_key point, other;
    const Bytes before(sizeof(key), 0xa5), point_before(sizeof(point), 0xa5);
    auto refused = [&](const Bytes &raw, int status) {
        memset(&key, 0xa5, sizeof(key));
        EXPECT_EQ(lc_sm2_init_impl(&key, impl.name, raw.data(), raw.size()), status);
        EXPECT_EQ(bytes_of(key), before);
    };
    auto no_point = [&](const Bytes &raw, int status) {
        memset(&point, 0xa5, sizeof(point));
        EXPECT_EQ(lc_sm2_public_init_impl(&point, impl.name, raw.data(), raw.size()), status) << to_hex(raw.data(), raw.size());
        EXPECT_EQ(bytes_of(point), point_before);
    };
    Bytes raw = n;

    refused(Bytes(BYTES, 0), LC_ERR_KEY);
    refused(n, LC_ERR_KEY);
    refused(Bytes(BYTES, 0xff), LC_ERR_KEY);
    for (size_t len : { 0, 1, BYTES - 1, BYTES + 1, 2 * BYTES })
        refused(Bytes(len, 1), LC_ERR_KEY_LEN);
    raw[BYTES - 1] -= 1;
    refused(raw, LC_ERR_KEY); // 1 + d has no inverse
    raw[BYTES - 1] -= 1;
    EXPECT_EQ(lc_sm2_init_impl(&key, impl.name, raw.data(), BYTES), LC_OK);
    raw[BYTES - 1] += 3;
    refused(raw, LC_ERR_KEY);

    // Both encodings are the same key, with either sign.
    for (uint8_t d = 1; d < 20; d++) {
        const Bytes both = public_of(Number(d).bytes());
        Bytes one(both.begin(), both.begin() + SHORT_LEN);

        one[0] = 2 + (both[POINT_LEN - 1] & 1);
        point = public_key(impl.name, both);
        other = public_key(impl.name, one);
        EXPECT_EQ(bytes_of(point), bytes_of(other));
        one[0] ^= 1;
        other = public_key(impl.name, one);
        EXPECT_NE(bytes_of(point), bytes_of(other));
    }
    for (size_t len : { 0, 1, BYTES, BYTES + 2, 2 * BYTES, 2 * BYTES + 2 }) {
        Bytes short_one = good;

        short_one.resize(len, 4);
        no_point(short_one, LC_ERR_KEY_LEN);
    }
    for (int first : { 0, 1, 2, 3, 5, 6, 7, 0xff }) {
        raw = good;
        raw[0] = static_cast<uint8_t>(first);
        no_point(raw, LC_ERR_KEY);
        raw.resize(SHORT_LEN);
        if (first != 2 && first != 3)
            no_point(raw, LC_ERR_KEY);
    }
    for (size_t bit = 8; bit < POINT_LEN * 8; bit += 13) {
        raw = good;
        flip(&raw, bit);
        no_point(raw, LC_ERR_KEY);
    }
    // Coordinates that are right modulo p, but not below it
    raw = p;
    raw.insert(raw.begin(), 2);
    no_point(raw, LC_ERR_KEY);
    raw.resize(POINT_LEN, 0);
    raw[0] = 4;
    no_point(raw, LC_ERR_KEY);
}

TEST_P(Sm2, UnknownImplementations)
{
    lc_sm2_key key;
    lc_sm2_public_key point;
    const Bytes raw(BYTES, 5), good = public_of(raw);

    for (const char *name : { "", ",", "sm2", "sm2-portable,", "sm3-portable" }) {
        EXPECT_EQ(lc_sm2_init_impl(&key, name, raw.data(), raw.size()), LC_ERR_IMPL);
        EXPECT_EQ(lc_sm2_public_init_impl(&point, name, good.data(), good.size()), LC_ERR_IMPL);
    }
    const KeyPair pair(impl.name, 5);
    EXPECT_STREQ(lc_sm2_impl_name(&pair.key), impl.name);
    point = public_key(impl.name, good);
    EXPECT_STREQ(lc_sm2_public_impl_name(&point), impl.name);
}

// Keys of different implementations in one call
TEST_P(Sm2, MixedImplementations)
{
    const KeyPair ours(impl.name, 99), reference(portable, 98);
    std::vector<Bytes> sigs(20, Bytes(SIG_LEN));
    std::vector<lc_sm2_sign_item> items;
    std::vector<Signature> signatures;
    const Bytes digest(BYTES, 1);

    for (size_t i = 0; i < sigs.size(); i++)
        items.push_back({ i % 5 < 3 ? &ours.key : &reference.key, sigs[i].data(), digest.data(), nullptr, 0, 1 });
    EXPECT_EQ(lc_sm2_sign_many_with(items.data(), items.size()), LC_OK);
    for (size_t i = 0; i < sigs.size(); i++)
        signatures.push_back({ i % 5 < 3 ? ours.public_key : reference.public_key, digest, sigs[i], LC_OK });
    signatures[7].digest[0] = 2;
    signatures[7].expected = LC_ERR_SIGNATURE;
    verify_all(signatures);
}

// Exactly the bytes that are promised are read and written.
TEST_P(Sm2, GuardPages)
{
    const KeyPair pair(impl.name, 4321);
    Guarded sig(SIG_LEN), digest(BYTES), extra(64), key(sizeof(lc_sm2_key)), point(sizeof(lc_sm2_public_key)), raw(POINT_LEN),
        z(BYTES), msg(64);
    Random random(6);

    memcpy(key.at_end(sizeof(pair.key)), &pair.key, sizeof(pair.key));
    memcpy(point.at_end(sizeof(pair.public_key)), &pair.public_key, sizeof(pair.public_key));
    key.read_only();
    point.read_only();
    for (bool at_end : { true, false })
        for (size_t len : { 0, 1, 20, 64 }) {
            uint8_t *s = sig.place(at_end, SIG_LEN), *d = put(digest, at_end, random.bytes(BYTES), true);
            uint8_t *zp = put(z, at_end, random.bytes(BYTES), false);
            const uint8_t *e = put(extra, at_end, random.bytes(len), true), *m = put(msg, at_end, random.bytes(len), true);
            const auto *k = reinterpret_cast<const lc_sm2_key *>(key.at_end(sizeof(pair.key)));
            const auto *q = reinterpret_cast<const lc_sm2_public_key *>(point.at_end(sizeof(pair.public_key)));

            ASSERT_EQ(lc_sm2_sign_with(k, s, d, e, len), LC_OK);
            ASSERT_EQ(lc_sm2_verify(q, s, d), LC_OK);
            ASSERT_EQ(lc_sm2_sign(k, s, d), LC_OK);
            ASSERT_EQ(lc_sm2_verify(q, s, d), LC_OK);
            lc_sm2_get_public(k, raw.place(at_end, POINT_LEN));
            EXPECT_TRUE(same(pair.public_raw.data(), raw.place(at_end, POINT_LEN), POINT_LEN));
            ASSERT_EQ(lc_sm2_z(zp, raw.place(at_end, POINT_LEN), POINT_LEN, m, len), LC_OK);
            ASSERT_EQ(lc_sm2_sign_message(k, s, zp, m, len), LC_OK);
            ASSERT_EQ(lc_sm2_verify_message(q, s, zp, m, len), LC_OK);
        }
}

// A signature may be written where the digest, or the message, was.
TEST_P(Sm2, InPlace)
{
    const KeyPair key(impl.name, 77);
    Bytes buffer(SIG_LEN, 9);
    const Bytes digest(buffer.begin(), buffer.begin() + BYTES), expected = sign(&key.key, digest), z(LC_SM2_LEN, 1);

    ASSERT_EQ(lc_sm2_sign_with(&key.key, buffer.data(), buffer.data(), nullptr, 0), LC_OK);
    EXPECT_EQ(buffer, expected);
    ASSERT_EQ(lc_sm2_sign_message(&key.key, buffer.data(), z.data(), buffer.data(), buffer.size()), LC_OK);
    EXPECT_EQ(lc_sm2_verify_message(&key.public_key, buffer.data(), z.data(), expected.data(), expected.size()), LC_OK);
}

TEST_P(Sm2, Wipe)
{
    KeyPair key(impl.name, 77);

    lc_sm2_wipe(&key.key);
    EXPECT_TRUE(all_bytes(&key.key, sizeof(key.key), 0));
}

// ---- DER: ECDSA's code, whose tests have all that is wrong ----

TEST(Sm2Der, ThereAndBack)
{
    Random random(8);

    for (int i = 0; i < 500; i++) {
        Bytes sig = random.bytes(SIG_LEN), back(SIG_LEN);

        for (size_t number = 0; number < SIG_LEN; number += BYTES) // leading zeros
            std::fill_n(sig.begin() + static_cast<ptrdiff_t>(number), random.below(2) ? random.below(BYTES + 1) : 0, 0);
        Bytes der = to_der(sig);
        ASSERT_EQ(lc_sm2_from_der(back.data(), der.data(), der.size()), LC_OK);
        EXPECT_EQ(back, sig);
        for (size_t len = 0; i < 20 && len <= der.size() + 1; len++) {
            Bytes part = der;

            part.resize(len, 0);
            EXPECT_EQ(lc_sm2_from_der(back.data(), part.data(), len), len == der.size() ? LC_OK : LC_ERR_SIGNATURE);
        }
    }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// RSA against published signatures and against libcrypto, with every implementation; the lanes' numbers against a model.
#include <algorithm>
#include <memory>

#include "rsa_support.h"
#include "rsa_white_box.h"

FOR_EACH_ROW(Rsa);

// A whole file in one call, and some of it alone.  Keys come as RSAPublicKey and as SubjectPublicKeyInfo.
static size_t verify_file(const std::string &impl, const std::string &name, Scheme scheme)
{
    std::ifstream in = open_vectors("wycheproof/" + name + ".rsp");
    std::map<std::string, std::string> record;
    std::vector<std::unique_ptr<lc_rsa_public_key>> keys;
    std::vector<Signature> all;

    while (next_record(in, &record)) {
        if (record.count("Public")) {
            const Bytes der = from_hex(record["Public"]), info = from_hex(record["Info"]);
            lc_rsa_public_key other;

            keys.emplace_back(new lc_rsa_public_key);
            must(lc_rsa_public_init_der_impl(keys.back().get(), impl.c_str(), der.data(), der.size()), "RSAPublicKey");
            must(lc_rsa_public_init_der_impl(&other, impl.c_str(), info.data(), info.size()), "SubjectPublicKeyInfo");
            EXPECT_EQ(bytes_of(*keys.back()), bytes_of(other));
        }
        if (!record.count("Sig"))
            continue;
        const lc_rsa_hash hash = hash_of_name(record["Hash"]);
        all.push_back({ keys.back().get(), from_hex(record["Sig"]), hash, digest_of(hash, from_hex(record["Msg"])),
                        std::stoul(record["Salt"]), record["Result"] == "valid" ? LC_OK : LC_ERR_SIGNATURE });
    }
    verify_all(all, scheme);
    for (size_t i = 0; i < all.size(); i += 16)
        EXPECT_EQ(verify(all[i].key, scheme, all[i].sig, all[i].hash, all[i].digest, all[i].salt_len), all[i].expected) << i;
    return all.size();
}

TEST_P(Rsa, WycheproofPkcs1)
{
    size_t num = 0;

    for (const char *bits : { "2048", "3072", "4096" })
        for (const char *hash : { "256", "384", "512" })
            num += verify_file(impl.name, std::string("rsa_signature_") + bits + "_sha" + hash, PKCS1);
    EXPECT_EQ(num, 2330u);
}

TEST_P(Rsa, WycheproofPss)
{
    size_t num = 0;

    for (const char *file : { "2048_sha256_mgf1_0", "2048_sha256_mgf1_32", "2048_sha384_mgf1_48", "3072_sha256_mgf1_32",
                              "4096_sha256_mgf1_32", "4096_sha384_mgf1_48", "4096_sha512_mgf1_32", "4096_sha512_mgf1_64", "misc" })
        num += verify_file(impl.name, std::string("rsa_pss_") + file, PSS);
    EXPECT_EQ(num, 1083u);
}

// NIST's signatures, of SHA-2 and keys of 2048 bits and more.  A key is that of the following ones, too; e may be each one's own.
static void cavp(const std::string &impl, const std::string &name, Scheme scheme, size_t expected_num, size_t expected_right)
{
    std::ifstream in = open_vectors("cryptography_vectors/asymmetric/RSA/FIPS_186-2/" + name + ".rsp");
    std::map<std::string, std::string> record;
    std::vector<std::unique_ptr<lc_rsa_public_key>> keys;
    std::vector<Signature> all;
    Bytes n, e;
    size_t right = 0;

    while (next_record(in, &record)) {
        n = record.count("n") ? from_hex(record["n"]) : n;
        e = record.count("e") ? from_hex((record["e"].size() % 2 ? "0" : "") + record["e"]) : e;
        const std::string hash = record.count("S") ? record["SHAAlg"] : "";
        if (n.size() < 256 || hash.empty() || hash == "SHA1" || hash == "SHA224")
            continue;
        const bool taken = !record.count("Result") || record["Result"] == "P";
        const lc_rsa_hash function = hash_of_name("SHA-" + hash.substr(3));

        keys.emplace_back(new lc_rsa_public_key);
        must(lc_rsa_public_init_impl(keys.back().get(), impl.c_str(), n.data(), n.size(), e.data(), e.size()), "a public key");
        all.push_back({ keys.back().get(), from_hex(record["S"]), function, digest_of(function, from_hex(record["Msg"])),
                        record["SaltVal"].size() / 2, taken ? LC_OK : LC_ERR_SIGNATURE });
        right += taken;
    }
    verify_all(all, scheme);
    expect_records(all.size(), expected_num);
    expect_records(right, expected_right);
}

TEST_P(Rsa, Cavp)
{
    cavp(impl.name, "SigGen15_186-3", PKCS1, 90, 90);
    cavp(impl.name, "SigVer15_186-3", PKCS1, 162, 27);
    cavp(impl.name, "SigGenPSS_186-3", PSS, 90, 90);
    cavp(impl.name, "SigVerPSS_186-3", PSS, 162, 27);
}

#ifdef HAVE_LIBCRYPTO
// Signatures of each are right for the other; PKCS #1's are the same.  With a bit changed they aren't.
TEST_P(Rsa, Libcryptos)
{
    Random random(5);

    for (size_t number = 0; number < RSA_NUM_KEYS; number++) {
        const KeyPair pair(impl.name, number);
        const Libcrypto::RsaKey theirs(key_der(number));

        for (lc_rsa_hash hash : hashes) {
            const Bytes digest = random.bytes(digest_len(hash));
            const size_t most = lc_rsa_len(&pair.key) - digest.size() - 2;
            const size_t salt_lens[] = { 0, 1, digest.size(), most };
            const size_t salt_len = salt_lens[(number + hash) % 4];
            Bytes sig = theirs.sign(digest, -1), pss = sign(&pair.key, PSS, hash, digest, random.bytes(salt_len));

            EXPECT_EQ(sign(&pair.key, PKCS1, hash, digest), sig);
            EXPECT_EQ(verify(&pair.public_key, PKCS1, sig, hash, digest, 0), LC_OK);
            flip(&sig, random.below(8 * sig.size() - 1) + 1);
            EXPECT_EQ(verify(&pair.public_key, PKCS1, sig, hash, digest, 0), LC_ERR_SIGNATURE);
            EXPECT_TRUE(theirs.verify(pss, digest, static_cast<int>(salt_len)));
            pss = theirs.sign(digest, static_cast<int>(salt_len));
            EXPECT_EQ(verify(&pair.public_key, PSS, pss, hash, digest, salt_len), LC_OK);
            EXPECT_EQ(verify(&pair.public_key, PSS, pss, hash, digest, LC_RSA_ANY_SALT_LEN), LC_OK);
            EXPECT_EQ(verify(&pair.public_key, PSS, pss, hash, digest, salt_len + 1), LC_ERR_SIGNATURE);
            flip(&pss, random.below(8 * pss.size() - 1) + 1);
            EXPECT_EQ(verify(&pair.public_key, PSS, pss, hash, digest, LC_RSA_ANY_SALT_LEN), LC_ERR_SIGNATURE);
        }
    }
}
#endif

// Multiples of a prime: in lanes the power is p before it is reduced.  And 1, and what is just below and above p.  One power in a
// call, three, and more than a vector has lanes.
TEST_P(Rsa, PowersOfMultiples)
{
    static const size_t nums[] = { 1, 3, 13 };

    for (size_t number = 0; number < RSA_NUM_KEYS; number++) {
        const KeyPair pair(impl.name, number);
        const size_t half = lc_rsa_len(&pair.key) / 16;
        size_t calls = 0;

        for (size_t prime = 0; prime < 2; prime++) {
            const uint64_t *p = pair.key.prime[prime].m;
            uint64_t x[64] = { 0 }, r[32];
            const std::vector<uint64_t> zero(half), one = [&] {
                std::vector<uint64_t> v(half);
                v[0] = 1;
                return v;
            }();
            const auto power = [&] {
                wb_rsa_power(r, &pair.key, prime, x, in_lanes() ? nums[calls++ % 3] : 1);
                return std::vector<uint64_t>(r, r + half);
            };

            EXPECT_EQ(power(), zero);
            memcpy(x, p, 8 * half);
            EXPECT_EQ(power(), zero);
            x[0]++; // p is odd
            EXPECT_EQ(power(), one);
            x[0] -= 2; // -1, and d is odd, as p - 1 is even
            std::vector<uint64_t> minus_one(p, p + half);
            minus_one[0]--;
            EXPECT_EQ(power(), minus_one);
            memcpy(x, pair.public_key.n, 16 * half);
            EXPECT_EQ(power(), zero);
            memset(x, 0, sizeof(x));
            memcpy(x + half, p, 8 * half);
            EXPECT_EQ(power(), zero);
            x[0] = 1;
            EXPECT_EQ(power(), one);
        }
    }
}

// n = 2^2048 - 2543, and x^3 = 2^64 modulo that: in lanes it's n + 2^64 before it is reduced, which has a bit more than n.
/* clang-format off */
static const char *const root_hex =
    "359d7a2c424110d706672f390bd93f23ace8cc58974a14b37e60e93787ed1b4a7ef0760c1b876714977886bdb51438320cc7fbf8a940f0fac0c43e25"
    "c63940ad28df1a1929f6bb313bff783f3383963302e6908b0709066f04bdd02f30e98ad9cb029e7153a7d15582fb4e9cdec11da1314372f4f7214a8e"
    "faebbdaa372202e0bbab658aa0c7ecfe9831cea32a8086d78cdd72ab1814388bce2eac5a78911e6c2fabeba04889e8b24d690f83dbd7c5cdb5176df3"
    "740bd5d0a1c34c4d8b42344b98fcb16780f71b50f3a80b161cf5b80f8881ecb238b67461ac018c4a83eb3b9edda9eba5ab0f288e9c3cd61d0f24fa91"
    "6482f45ea27cf13c69728f1da4385da5";
/* clang-format on */
TEST_P(Rsa, PublicPowerAboveTheWords)
{
    const Bytes e = { 3 }, root = from_hex(root_hex);
    Bytes n(256, 0xff);
    std::vector<uint64_t> expected(32);
    lc_rsa_public_key key;

    for (unsigned i = 0, minus_n = 2543 - 1; i < 4; i++)
        n[255 - i] ^= static_cast<uint8_t>(minus_n >> (8 * i));
    must(lc_rsa_public_init_impl(&key, impl.name, n.data(), n.size(), e.data(), e.size()), "lc_rsa_public_init_impl");
    expected[1] = 1;
    for (size_t num : { 1, 8 }) {
        std::vector<uint64_t> x(32);

        for (size_t i = 0; i < 256; i++)
            x[i / 8] |= static_cast<uint64_t>(root[255 - i]) << (i % 8 * 8);
        wb_rsa_public_power(x.data(), &key, num);
        EXPECT_EQ(x, expected) << num;
    }
}

// ---- Numbers in lanes ----

namespace {

const uint64_t mask52 = (UINT64_C(1) << 52) - 1;
using Limbs = std::vector<uint64_t>; // one number

// (a b + q m) / R, limb by limb
Limbs product(const Limbs &a, const Limbs &b, const Limbs &m)
{
    const size_t num = m.size();
    std::vector<unsigned __int128> t(2 * num + 1);
    uint64_t inverse = m[0];
    Limbs r(num);

    for (int i = 0; i < 5; i++)
        inverse *= 2 - m[0] * inverse;
    for (size_t i = 0; i < num; i++)
        for (size_t j = 0; j < num; j++)
            t[i + j] += static_cast<unsigned __int128>(a[i]) * b[j];
    for (size_t i = 0; i < num; i++) {
        const uint64_t q = (0 - static_cast<uint64_t>(t[i]) * inverse) & mask52;

        for (size_t j = 0; j < num; j++)
            t[i + j] += static_cast<unsigned __int128>(q) * m[j];
        EXPECT_EQ(static_cast<uint64_t>(t[i]) & mask52, 0u);
        t[i + 1] += t[i] >> 52;
    }
    for (size_t i = 0; i < num; i++) {
        r[i] = static_cast<uint64_t>(t[num + i]) & mask52;
        t[num + i + 1] += t[num + i] >> 52;
    }
    return r;
}

} // namespace

// Of numbers at their limits: all limbs 2^52 - 1 or 0, ones and zeros in turn; moduli of all sizes, with most and few bits; random
// ones.  The result is in a place of its own, and in those of the factors.
TEST(RsaLanes, Products)
{
    static uint64_t a[WB_RSA_MAX_LIMBS][WB_RSA_LANES], b[WB_RSA_MAX_LIMBS][WB_RSA_LANES], m[WB_RSA_MAX_LIMBS][WB_RSA_LANES],
        r[WB_RSA_MAX_LIMBS][WB_RSA_LANES];
    Random random(3);

    for (size_t num : { 20, 30, 40, 60, 80 })
        for (size_t round = 0; round < 16; round++) {
            Limbs numbers[3][WB_RSA_LANES];

            for (size_t lane = 0; lane < WB_RSA_LANES; lane++)
                for (size_t which = 0; which < 3; which++) {
                    const size_t kind = (round + lane * (which + 1)) % 5;

                    for (size_t i = 0; i < num; i++)
                        numbers[which][lane].push_back(
                            kind == 0   ? mask52
                            : kind == 1 ? (i ? 0 : 1)
                            : kind == 2 ? (i % 2 ? mask52 : 0)
                                        : random.next() & mask52);
                    if (which == 2) { // below R / 2^16, and odd
                        const size_t bits = 64 * (num / 10 * 8) - 52 * (num - 2); // of the two highest limbs

                        numbers[2][lane][num - 1] &= bits > 52 ? (UINT64_C(1) << (bits - 52)) - 1 : 0;
                        numbers[2][lane][num - 2] &= bits > 52 ? mask52 : (UINT64_C(1) << bits) - 1;
                        numbers[2][lane][0] |= 1;
                    }
                    for (size_t i = 0; i < num; i++)
                        (which == 0 ? a : which == 1 ? b : m)[i][lane] = numbers[which][lane][i];
                }
            for (int square = 0; square < 2; square++) {
                const int in_place = static_cast<int>(round % 3);

                const int ran = wb_rsa_mul_lanes(r, a, square ? a : b, m, num, square ? round % 2 : in_place);
                if (!ran)
                    GTEST_SKIP() << "no lanes here";
                ASSERT_EQ(ran, 1) << "four lanes give other results than eight: " << num << " limbs, " << square;
                for (size_t lane = 0; lane < WB_RSA_LANES; lane++) {
                    const Limbs expected = product(numbers[0][lane], numbers[square ? 0 : 1][lane], numbers[2][lane]);

                    for (size_t i = 0; i < num; i++)
                        ASSERT_EQ(r[i][lane], expected[i]) << num << " limbs, limb " << i << ", lane " << lane << ", " << square;
                }
            }
        }
}

// ---- Numbers across lanes ----

namespace {

using Words = std::vector<uint64_t>; // a number of any length, the lowest word first

Words add(const Words &a, const Words &b)
{
    Words r(std::max(a.size(), b.size()) + 1);
    unsigned __int128 t = 0;

    for (size_t i = 0; i < r.size(); i++) {
        t += i < a.size() ? a[i] : 0;
        t += i < b.size() ? b[i] : 0;
        r[i] = static_cast<uint64_t>(t);
        t >>= 64;
    }
    return r;
}

Words multiply(const Words &a, const Words &b)
{
    Words r(a.size() + b.size());

    for (size_t i = 0; i < a.size(); i++) {
        unsigned __int128 t = 0;

        for (size_t j = 0; j < b.size(); j++) {
            t += static_cast<unsigned __int128>(a[i]) * b[j] + r[i + j];
            r[i + j] = static_cast<uint64_t>(t);
            t >>= 64;
        }
        r[i + b.size()] = static_cast<uint64_t>(t);
    }
    return r;
}

// Bits first .. first + num - 1
Words part(const Words &a, size_t first, size_t num)
{
    Words r((num + 63) / 64);

    for (size_t i = 0; i < num; i++)
        if ((first + i) / 64 < a.size())
            r[i / 64] |= (a[(first + i) / 64] >> ((first + i) % 64) & 1) << (i % 64);
    return r;
}

Words trimmed(Words a)
{
    while (!a.empty() && a.back() == 0)
        a.pop_back();
    return a;
}

// -1/m mod 2^bits, by Newton's iteration
Words negative_inverse(const Words &m, size_t bits)
{
    const auto negative = [&](Words a) {
        for (uint64_t &word : a)
            word = ~word;
        return part(add(a, { 1 }), 0, bits);
    };
    Words x = part({ 1 }, 0, bits);

    for (size_t right = 1; right < bits; right *= 2)
        x = part(multiply(x, add(negative(part(multiply(m, x), 0, bits)), { 2 })), 0, bits);
    return negative(x);
}

struct Across { // numbers of one layout
    size_t numbers, limbs, blocks = WB_RSA_LANES / numbers, block_bits = 52 * limbs - 2;

    void put(uint64_t (*r)[WB_RSA_LANES], size_t number, const Words &a) const
    {
        for (size_t block = 0; block < blocks; block++)
            for (size_t i = 0; i < limbs; i++)
                r[i][number * blocks + block] = part(a, block * block_bits + 52 * i, i + 1 < limbs ? 52 : 50)[0];
    }
    Words get(const uint64_t (*a)[WB_RSA_LANES], size_t number) const
    {
        Words r;

        for (size_t block = blocks; block-- > 0;) {
            Words digit;

            for (size_t i = limbs; i-- > 0;)
                digit = add(multiply(digit, { UINT64_C(1) << 52 }), { a[i][number * blocks + block] });
            for (size_t bit = 0; bit < block_bits; bit++)
                r = trimmed(add(r, r));
            r = trimmed(add(r, digit));
        }
        return r;
    }
};

} // namespace

// Numbers at their limits: with all bits, with few, blocks of X and more, random ones; moduli of all sizes, the smallest and the
// largest.  The result is what the derivation in x86/rsa_one.S says, and so are its limbs.
TEST(RsaAcross, Products)
{
    static uint64_t a[10][WB_RSA_LANES], b[10][WB_RSA_LANES], m[10][WB_RSA_LANES], m_high[10][WB_RSA_LANES], k[10][WB_RSA_LANES],
        r[10][WB_RSA_LANES];
    Random random(5);

    for (const Across &l : { Across{ 2, 5 }, Across{ 2, 8 }, Across{ 2, 10 }, Across{ 1, 5 }, Across{ 1, 8 }, Across{ 1, 10 } })
        for (size_t round = 0; round < 25; round++) {
            const size_t bits = (l.limbs == 5 ? 256 : l.limbs == 8 ? 384 : 512) * l.blocks;
            const bool square = round % 5 == 4;
            const int in_place = static_cast<int>(round % 3);
            Words moduli[2], inverses[2];

            for (size_t number = 0; number < l.numbers; number++) {
                const auto random_words = [&](size_t kind, size_t num_bits) {
                    Words w((num_bits + 63) / 64);

                    for (uint64_t &word : w)
                        word = kind == 0 ? UINT64_MAX : kind == 1 ? 0 : random.next();
                    return part(w, 0, num_bits);
                };

                moduli[number] = random_words((round + number) % 3, bits);
                moduli[number][0] |= 1;
                moduli[number].back() |= UINT64_C(1) << 63;
                inverses[number] = negative_inverse(moduli[number], l.block_bits);
                l.put(m, number, moduli[number]);
                l.put(m_high, number, part(add(multiply(inverses[number], moduli[number]), { 1 }), l.block_bits, bits + 1));
                for (size_t block = 0; block < l.blocks; block++)
                    for (size_t i = 0; i < l.limbs; i++)
                        k[i][number * l.blocks + block] = part(inverses[number], 52 * i, 52)[0];
                l.put(a, number, random_words(round / 3 % 3, square ? bits + 1 : l.blocks * l.block_bits));
                l.put(b, number, random_words(round / 9 % 3, bits + 1));
                if (round % 2) { // a block's highest limb, and with it what is below
                    const size_t lane = number * l.blocks + random.below(l.blocks - 1);

                    for (size_t i = 0; i < l.limbs; i++)
                        a[i][lane] = b[i][lane] = i + 1 < l.limbs ? mask52 : UINT64_C(1) << 50;
                }
            }
            if (!wb_rsa_mul_one(r, a, square ? a : b, m, m_high, k, l.numbers, l.limbs, in_place))
                GTEST_SKIP() << "no lanes here";
            for (size_t number = 0; number < l.numbers; number++) {
                const Words other = l.get(square ? a : b, number);
                Words t;

                for (size_t block = 0; block < l.blocks; block++) {
                    Words digit;

                    for (size_t i = l.limbs; i-- > 0;)
                        digit = add(multiply(digit, { UINT64_C(1) << 52 }), { a[i][number * l.blocks + block] });
                    t = add(t, multiply(digit, other));
                    Words q = part(multiply(part(t, 0, l.block_bits), inverses[number]), 0, l.block_bits);
                    if (block + 1 < l.blocks) // q k^-1 is what is multiplied by k m
                        t = add(t, multiply(part(t, 0, l.block_bits), multiply(inverses[number], moduli[number])));
                    else
                        t = add(t, multiply(q, moduli[number]));
                    ASSERT_EQ(trimmed(part(t, 0, l.block_bits)), Words());
                    t = trimmed(part(t, l.block_bits, 64 * t.size()));
                }
                ASSERT_EQ(l.get(r, number), t) << l.numbers << " numbers, " << l.limbs << " limbs, round " << round;
            }
            for (size_t i = 0; i < l.limbs; i++)
                for (size_t lane = 0; lane < WB_RSA_LANES; lane++)
                    ASSERT_LE(r[i][lane], i + 1 < l.limbs ? mask52 : UINT64_C(1) << 50) << "limb " << i << ", lane " << lane;
        }
}

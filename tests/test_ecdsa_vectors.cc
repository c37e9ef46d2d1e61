// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ECDSA against published signatures, with every implementation, in every lane.
#include "ecdsa_support.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <sstream>

namespace {

// RFC 6979, A.2.5, those with SHA-256, and A.2.6, those with SHA-384; the keys' public ones are there, too.
struct Rfc6979 {
    const char *raw, *public_raw;
    struct {
        const char *msg, *sig;
    } cases[2];
};
#if BITS == 256
const Rfc6979 rfc6979 = {
    "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
    "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
    "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
    { { "sample", "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                  "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8" },
      { "test", "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083" } }
};
#else
const Rfc6979 rfc6979 = {
    "6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5",
    "04ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc13"
    "8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720",
    { { "sample", "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46"
                  "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8" },
      { "test", "8203b63d3c853e8d77227fb377bcf7b7b772e97892a80f36ab775d509d7a5feb0542a7f0812998da8f1dd3ca3cf023db"
                "ddd0760448d42d8a43af45af836fce4de8be06b485e9b61b827c2f13173923e06a739f040649a667bf3b828246baa5a5" } }
};
#endif

} // namespace

TEST_P(Ecdsa, Rfc6979)
{
    const Bytes raw = from_hex(rfc6979.raw);
    const PrivateKey key(impl.name, raw);
    Bytes public_raw(POINT_LEN);

    ECDSA(get_public)(key, public_raw.data());
    EXPECT_EQ(to_hex(public_raw.data(), POINT_LEN), rfc6979.public_raw);
    for (const auto &c : rfc6979.cases) {
        const Bytes digest = nonce_hash(Bytes(c.msg, c.msg + strlen(c.msg)));
        const PrivateKey other(impl.name, Bytes(BYTES, 0x11));

        EXPECT_TRUE(same(from_hex(c.sig), sign(key, digest)));
        for (size_t lane = 0; lane < LANES; lane++) {
            std::vector<Bytes> sigs(LANES, Bytes(SIG_LEN));
            std::vector<ECDSA(sign_item)> items;
            // The neighbours: other keys, digests and additional data, and some that are refused
            for (size_t i = 0; i < LANES; i++)
                items.push_back({ i == lane ? key : other, sigs[i].data(), digest.data(), i == lane || i % 3 ? digest.size() : 0,
                                  digest.data(), i == lane ? 0 : i, 1 });
            EXPECT_EQ(ECDSA(sign_many_with)(items.data(), items.size()), LC_ERR_LEN);
            EXPECT_EQ(items[lane].status, LC_OK);
            EXPECT_TRUE(same(from_hex(c.sig), sigs[lane])) << lane;
        }
    }
}

// Wycheproof's.  Of p1363 a signature of another length can't get to the door, which takes SIG_LEN bytes.
static void wycheproof(const lc_impl_info &impl, const std::string &name, bool der, bool sha512, size_t num_expected)
{
    std::ifstream in = open_vectors("wycheproof/" + name + ".rsp");
    const std::vector<Signature> bad = bad_signatures(impl.name);
    std::map<std::string, std::string> record;
    // All others do one after another.
    const bool in_lanes = std::string(impl.name).find("avx512ifma") != std::string::npos;
    std::vector<Signature> all;
    size_t num = 0;

    for (; next_record(in, &record); num++) {
        const Bytes msg = from_hex(record["Msg"]), given = from_hex(record["Sig"]);
        const bool valid = record["Result"] == "valid";
        Bytes sig = given, digest(64);

        SCOPED_TRACE(name + ", " + record["Count"]);
        must(lc_sha512(digest.data(), msg.data(), msg.size()), "lc_sha512");
        if (!sha512)
            digest = nonce_hash(msg);
        if (der) {
            sig.assign(SIG_LEN, 0xa5);
            if (ECDSA(from_der)(sig.data(), given.data(), given.size()) != LC_OK) {
                EXPECT_FALSE(valid);
                EXPECT_TRUE(all_bytes(sig.data(), sig.size(), 0xa5));
                continue;
            }
        }
        if (sig.size() != SIG_LEN) {
            EXPECT_FALSE(valid);
            continue;
        }
        const ECDSA(public_key) key = public_key(impl.name, from_hex(record["Key"]));
        const Signature signature = { key, digest, sig, valid ? LC_OK : LC_ERR_SIGNATURE };
        EXPECT_EQ(ECDSA(verify)(&key, sig.data(), digest.data(), digest.size()), signature.expected);
        EXPECT_EQ(ECDSA(verify)(prepared(key), sig.data(), digest.data(), digest.size()), signature.expected);
        all.push_back(signature);
        if (in_lanes)
            verify_in_every_lane(signature, bad);
    }
    EXPECT_EQ(num, num_expected);
    EXPECT_GT(all.size(), num / 2);
    verify_all(all);
}

#if BITS == 256
TEST_P(Ecdsa, WycheproofDer)
{
    wycheproof(impl, "ecdsa_secp256r1_sha256", true, false, 484);
}

TEST_P(Ecdsa, WycheproofP1363)
{
    wycheproof(impl, "ecdsa_secp256r1_sha256_p1363", false, false, 262);
}

TEST_P(Ecdsa, WycheproofSha512)
{
    wycheproof(impl, "ecdsa_secp256r1_sha512_p1363", false, true, 332);
}
#else
TEST_P(Ecdsa, WycheproofDer)
{
    wycheproof(impl, "ecdsa_secp384r1_sha384", true, false, 504);
}

TEST_P(Ecdsa, WycheproofP1363)
{
    wycheproof(impl, "ecdsa_secp384r1_sha384_p1363", false, false, 280);
}

TEST_P(Ecdsa, WycheproofSha512)
{
    wycheproof(impl, "ecdsa_secp384r1_sha512_p1363", false, true, 318);
}
#endif

// NIST's, of CAVP: the records of a file that are about this curve and a hash function that the library has, with the digest
static void for_each_cavp(const std::string &file,
                          const std::function<void(std::map<std::string, std::string> &, const Bytes &)> &test)
{
    std::ifstream in = open_vectors("cryptography_vectors/asymmetric/ECDSA/FIPS_186-3/" + file);
    std::string all{ std::istreambuf_iterator<char>(in), {} };
    const struct {
        const char *name;
        int (*hash)(uint8_t *digest, const uint8_t *msg, size_t len);
        size_t len;
    } hashes[] = { { "SHA-256", lc_sha256, 32 }, { "SHA-384", lc_sha384, 48 }, { "SHA-512", lc_sha512, 64 } };

    all.erase(std::remove(all.begin(), all.end(), '\r'), all.end());
    for (const auto &h : hashes) {
        const std::string title = std::string("\n[P-") + std::to_string(BITS) + "," + h.name + "]";
        const size_t begin = all.find(title) + 1;

        ASSERT_NE(begin, 0u) << title;
        std::istringstream part(all.substr(begin, all.find("\n[", begin) - begin));
        std::map<std::string, std::string> record;
        size_t num = 0;

        for (; next_record(part, &record); num++) {
            const Bytes msg = from_hex(record["Msg"]);
            Bytes digest(h.len);

            SCOPED_TRACE(title + ", " + std::to_string(num));
            must(h.hash(digest.data(), msg.data(), msg.size()), "hash");
            test(record, digest);
        }
        EXPECT_EQ(num, 15u);
    }
}

// With their nonces; and RFC 6979's, which aren't the same, are right, too.
TEST_P(Ecdsa, CavpSignatures)
{
    std::vector<Signature> all;

    for_each_cavp("SigGen.txt", [&](std::map<std::string, std::string> &record, const Bytes &digest) {
        const PrivateKey key(impl.name, from_hex(record["d"]));
        const Bytes k = from_hex(record["k"]), sig = from_hex(record["R"] + record["S"]);
        Bytes first(digest.begin(), digest.begin() + std::min<size_t>(digest.size(), BYTES));
        uint64_t rs[2][WORDS];
        Bytes point(POINT_LEN);

        first.insert(first.begin(), BYTES - first.size(), 0);
        ECDSA(get_public)(key, point.data());
        EXPECT_EQ(to_hex(point.data(), point.size()), "04" + record["Qx"] + record["Qy"]);
        wb_sign(key, rs, add(Number(first), 0, WB_N).w, Number(k).w);
        for (size_t i = 0; i < 2; i++) {
            Number n;

            memcpy(n.w, rs[i], sizeof(n.w));
            EXPECT_TRUE(same(Bytes(sig.begin() + static_cast<long>(i * BYTES), sig.begin() + static_cast<long>((i + 1) * BYTES)),
                             n.bytes()));
        }
        all.push_back({ public_key(impl.name, point), digest, sig, LC_OK });
        all.push_back({ public_key(impl.name, point), digest, sign(key, digest), LC_OK });
    });
    verify_all(all);
}

TEST_P(Ecdsa, CavpVerdicts)
{
    std::vector<Signature> all;
    size_t num_right = 0;

    for_each_cavp("SigVer.rsp", [&](std::map<std::string, std::string> &record, const Bytes &digest) {
        const Bytes point = from_hex("04" + record["Qx"] + record["Qy"]);
        const bool right = record["Result"][0] == 'P';
        ECDSA(public_key) key;

        num_right += right;
        if (ECDSA(public_init_impl)(&key, impl.name, point.data(), point.size()) != LC_OK)
            EXPECT_FALSE(right);
        else
            all.push_back({ key, digest, from_hex(record["R"] + record["S"]), right ? LC_OK : LC_ERR_SIGNATURE });
    });
    EXPECT_EQ(num_right, 9u);
    EXPECT_GT(all.size(), 30u);
    verify_all(all);
}

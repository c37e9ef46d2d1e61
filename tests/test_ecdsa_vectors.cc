// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ECDSA on P-256 against published signatures, with every implementation, in every lane.
#include "ecdsa_p256_support.h"

// RFC 6979, A.2.5, those with SHA-256; the key's public one is there, too.
TEST_P(EcdsaP256, Rfc6979)
{
    const Bytes raw = from_hex("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
    const PrivateKey key(impl.name, raw);
    static const struct {
        const char *msg, *sig;
    } cases[] = {
        { "sample", "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8" },
        { "test", "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                  "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083" },
    };
    Bytes public_raw(65);

    lc_ecdsa_p256_get_public(key, public_raw.data());
    EXPECT_EQ(to_hex(public_raw.data(), 65), "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                                             "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299");
    for (const auto &c : cases) {
        const Bytes digest = sha256(Bytes(c.msg, c.msg + strlen(c.msg)));
        const PrivateKey other(impl.name, Bytes(32, 0x11));

        EXPECT_TRUE(same(from_hex(c.sig), sign(key, digest)));
        for (size_t lane = 0; lane < LANES; lane++) {
            std::vector<Bytes> sigs(LANES, Bytes(64));
            std::vector<lc_ecdsa_p256_sign_item> items;
            // The neighbours: other keys, digests and additional data, and some that are refused
            for (size_t i = 0; i < LANES; i++)
                items.push_back({ i == lane ? key : other, sigs[i].data(), digest.data(), i == lane || i % 3 ? digest.size() : 0,
                                  digest.data(), i == lane ? 0 : i, 1 });
            EXPECT_EQ(lc_ecdsa_p256_sign_many_with(items.data(), items.size()), LC_ERR_LEN);
            EXPECT_EQ(items[lane].status, LC_OK);
            EXPECT_TRUE(same(from_hex(c.sig), sigs[lane])) << lane;
        }
    }
}

// Wycheproof's.  Of p1363 a signature of another length can't get to the door, which takes 64 bytes.
static void wycheproof(const lc_impl_info &impl, const std::string &name, bool der, bool sha512, size_t num_expected)
{
    std::ifstream in = open_vectors("wycheproof/" + name + ".rsp");
    const std::vector<Signature> bad = bad_signatures(impl.name);
    std::map<std::string, std::string> record;
    // The portable one does one after another, and takes ten times as long.
    const bool in_lanes = std::string(impl.name).find("portable") == std::string::npos;
    std::vector<Signature> all;
    size_t num = 0;

    for (; next_record(in, &record); num++) {
        const Bytes msg = from_hex(record["Msg"]), given = from_hex(record["Sig"]);
        const bool valid = record["Result"] == "valid";
        Bytes sig = given, digest(64);

        SCOPED_TRACE(name + ", " + record["Count"]);
        must(lc_sha512(digest.data(), msg.data(), msg.size()), "lc_sha512");
        if (!sha512)
            digest = sha256(msg);
        if (der) {
            sig.assign(64, 0xa5);
            if (lc_ecdsa_p256_from_der(sig.data(), given.data(), given.size()) != LC_OK) {
                EXPECT_FALSE(valid);
                EXPECT_TRUE(all_bytes(sig.data(), sig.size(), 0xa5));
                continue;
            }
        }
        if (sig.size() != 64) {
            EXPECT_FALSE(valid);
            continue;
        }
        const lc_ecdsa_p256_public_key key = public_key(impl.name, from_hex(record["Key"]));
        const Signature signature = { key, digest, sig, valid ? LC_OK : LC_ERR_SIGNATURE };
        EXPECT_EQ(lc_ecdsa_p256_verify(&key, sig.data(), digest.data(), digest.size()), signature.expected);
        all.push_back(signature);
        if (in_lanes)
            verify_in_every_lane(signature, bad);
    }
    EXPECT_EQ(num, num_expected);
    EXPECT_GT(all.size(), num / 2);
    verify_all(all);
}

TEST_P(EcdsaP256, WycheproofDer)
{
    wycheproof(impl, "ecdsa_secp256r1_sha256", true, false, 484);
}

TEST_P(EcdsaP256, WycheproofP1363)
{
    wycheproof(impl, "ecdsa_secp256r1_sha256_p1363", false, false, 262);
}

TEST_P(EcdsaP256, WycheproofSha512)
{
    wycheproof(impl, "ecdsa_secp256r1_sha512_p1363", false, true, 332);
}

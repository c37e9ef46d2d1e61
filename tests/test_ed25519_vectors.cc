// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Ed25519 against published signatures, with every implementation, in every lane.
#include <sstream>

#include "ed25519_support.h"

static bool in_lanes(const lc_impl_info &impl)
{
    return std::string(impl.name).find("portable") == std::string::npos;
}

// The authors' 1024, of messages of 0 .. 1023 bytes; RFC 8032, 7.1, has some of them.
TEST_P(Ed25519, AuthorsSignatures)
{
    std::ifstream in = open_vectors("cryptography_vectors/asymmetric/Ed25519/sign.input");
    const std::vector<Signature> bad = bad_signatures(impl.name);
    std::vector<Signature> all;
    std::vector<lc_ed25519_key> keys(1024);
    std::vector<lc_ed25519_sign_item> items;
    std::vector<Bytes> sigs(1024, Bytes(64));
    std::string line;

    while (std::getline(in, line)) {
        std::istringstream fields(line);
        std::string secret, point, msg, sig;
        const size_t n = all.size();

        std::getline(fields, secret, ':');
        std::getline(fields, point, ':');
        std::getline(fields, msg, ':');
        std::getline(fields, sig, ':');
        SCOPED_TRACE(n);
        ASSERT_LT(n, keys.size());
        must(lc_ed25519_init_impl(&keys[n], impl.name, from_hex(secret.substr(0, 64)).data(), 32), "init_impl");
        EXPECT_EQ(public_of(&keys[n]), from_hex(point));
        all.push_back({ public_key(impl.name, from_hex(point)), from_hex(msg), from_hex(sig.substr(0, 128)), LC_OK });
        if (n < 100 || n % 100 == 99) {
            EXPECT_TRUE(same(all[n].sig, sign(&keys[n], all[n].msg)));
            EXPECT_EQ(lc_ed25519_verify(&all[n].key, all[n].sig.data(), all[n].msg.data(), all[n].msg.size()), LC_OK);
            if (in_lanes(impl))
                verify_in_every_lane(all[n], bad);
        }
    }
    ASSERT_EQ(all.size(), 1024u);
    verify_all(all);
    for (size_t i = 0; i < all.size(); i++)
        items.push_back({ &keys[i], sigs[i].data(), all[i].msg.data(), all[i].msg.size(), 1 });
    EXPECT_EQ(lc_ed25519_sign_many(items.data(), items.size()), LC_OK);
    for (size_t i = 0; i < all.size(); i++) {
        EXPECT_EQ(items[i].status, LC_OK);
        EXPECT_TRUE(same(all[i].sig, sigs[i])) << i;
    }
}

// RFC 8032, 7.1, the last one
TEST_P(Ed25519, Rfc8032Sha)
{
    const PrivateKey key(impl.name, from_hex("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42"));
    const Bytes msg = from_hex("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                               "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");

    EXPECT_EQ(public_of(key), from_hex("ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf"));
    EXPECT_EQ(sign(key, msg), from_hex("dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
                                       "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"));
}

TEST_P(Ed25519, Wycheproof)
{
    std::ifstream in = open_vectors("wycheproof/ed25519.rsp");
    const std::vector<Signature> bad = bad_signatures(impl.name);
    std::map<std::string, std::string> record;
    std::vector<Signature> all, right, wrong;
    size_t num = 0;

    for (; next_record(in, &record); num++) {
        const Bytes sig = from_hex(record["Sig"]);
        const bool valid = record["Result"] == "valid";

        SCOPED_TRACE(record["Count"]);
        if (sig.size() != 64) { // no signature of this interface
            EXPECT_FALSE(valid);
            continue;
        }
        const Signature s = { public_key(impl.name, from_hex(record["Key"])), from_hex(record["Msg"]), sig,
                              valid ? LC_OK : LC_ERR_SIGNATURE };
        EXPECT_EQ(lc_ed25519_verify(&s.key, s.sig.data(), s.msg.data(), s.msg.size()), s.expected);
        all.push_back(s);
        (valid ? right : wrong).push_back(s);
        if (in_lanes(impl))
            verify_in_every_lane(s, bad);
    }
    EXPECT_EQ(num, 151u);
    EXPECT_EQ(all.size(), 139u);
    verify_all(all);
    EXPECT_EQ(verify_batch(right), LC_OK);
    for (const Signature &s : wrong)
        EXPECT_EQ(verify_batch({ right[0], right[1], right[2], s }), LC_ERR_SIGNATURE);
}

/*
 * Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs", 2020 (github.com/novifinancial/ed25519-speccheck, Apache-2.0): where
 * verifiers differ.  docs/publickey.md says what they are.
 */
TEST_P(Ed25519, TamingTheManyEdDSAs)
{
    enum { RIGHT, WRONG, NO_KEY, RIGHT_IN_BATCH };
    static const struct {
        int expected;
        const char *msg, *key, *sig;
    } cases[] = {
        { RIGHT, "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6", /* 0: A and R of small order, S = 0 */
          "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
          "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
          "0000000000000000000000000000000000000000000000000000000000000000" },
        { RIGHT, "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79", /* 1: A of small order */
          "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
          "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43"
          "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04" },
        { RIGHT, "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab", /* 2: R of small order */
          "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
          "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"
          "8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e" },
        { RIGHT, "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79", /* 3: A and R with a part of small order */
          "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
          "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f"
          "87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009" },
        { RIGHT_IN_BATCH, "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c", /* 4: right only times the cofactor */
          "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
          "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed512"
          "5ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09" },
        { RIGHT_IN_BATCH,
          "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c", /* 5: the same, if 8 k isn't reduced */
          "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
          "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7"
          "e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405" },
        { WRONG, "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40", /* 6: S > L */
          "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
          "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e"
          "547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514" },
        { WRONG, "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40", /* 7: S far above L */
          "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
          "8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa1942"
          "7e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22" },
        { WRONG, "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41", /* 8, 9: R = (0, -1), x with a sign */
          "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
          "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
          "03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f" },
        { WRONG, "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
          "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
          "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
          "ca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908" },
        { NO_KEY, "e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b", /* 10, 11: A is that */
          "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"
          "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04" },
        { NO_KEY, "39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f",
          "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"
          "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04" },
        { WRONG, "fdaebc429f4a735932a160da1301080c13280eea8bc280d1b392c6b9e6ba3a5a", /* of a draft: R with y = p */
          "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
          "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
          "454d370c8d9fc323a41450f8d513eafeb5b0697390c1e505a0d4ddc71f566607" },
        { WRONG, "84b698d39be126ff55fe45079e6c8bf64a0d7db6994560b4e96b7021eb39c1a1",
          "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
          "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
          "084d5b99c2a9463d9c8bd5026916996984eeec87ddf1d3be329006ace1b37b09" },
    };
    const std::vector<Signature> bad = bad_signatures(impl.name);

    for (const auto &c : cases) {
        const Bytes raw = from_hex(c.key), msg = from_hex(c.msg), sig = from_hex(c.sig);
        lc_ed25519_public_key key;
        int status = lc_ed25519_public_init_impl(&key, impl.name, raw.data(), raw.size());

        SCOPED_TRACE(&c - cases);
        EXPECT_EQ(status, c.expected == NO_KEY ? LC_ERR_KEY : LC_OK);
        if (status != LC_OK)
            continue;
        const Signature s = { key, msg, sig, c.expected == RIGHT ? LC_OK : LC_ERR_SIGNATURE };
        EXPECT_EQ(lc_ed25519_verify(&key, sig.data(), msg.data(), msg.size()), s.expected);
#ifdef HAVE_LIBCRYPTO
        EXPECT_EQ(Libcrypto::ed25519_verify(raw, msg, sig), c.expected == RIGHT);
#endif
        verify_in_every_lane(s, bad);
        const int batch = c.expected == RIGHT || c.expected == RIGHT_IN_BATCH ? LC_OK : LC_ERR_SIGNATURE;
        for (size_t num : { 1, 3, 9 })
            EXPECT_EQ(verify_batch(std::vector<Signature>(num, s)), batch) << num;
    }
}

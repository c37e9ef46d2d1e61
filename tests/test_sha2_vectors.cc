// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// SHA-2 against published digests, with every implementation: alone, in pieces, and in lanes beside others.
#include "sha2_support.h"

// Alone, in pieces, and three times among others in one call
static void check(const Hash &hash, const lc_impl_info &impl, const Bytes &msg, const Bytes &digest)
{
    const Bytes other(msg.size() / 2 + 1, 0x5a);

    ASSERT_EQ(digest.size(), hash.len);
    EXPECT_TRUE(same(digest, digest_of(hash, impl, msg, {})));
    EXPECT_TRUE(same(digest, digest_of(hash, impl, msg, { 1, hash.block_len, 7, msg.size() / 2 })));
    std::vector<Bytes> digests = digests_of(hash, impl, { msg, other, msg, {}, msg, other });
    for (size_t i = 0; i < 6; i += 2)
        EXPECT_TRUE(same(digest, digests[i]));
}

// The examples of NIST that FIPS 180-4 points to, and the empty message
TEST_P(Sha2, Examples)
{
    static const struct {
        const char *name, *text, *digest;
    } cases[] = {
        { "SHA256", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "SHA256", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "SHA256", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
        { "SHA384", "", "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b" },
        { "SHA384", "abc", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7" },
        { "SHA384",
          "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
          "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039" },
        { "SHA512", "",
          "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
          "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e" },
        { "SHA512", "abc",
          "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" },
        { "SHA512",
          "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
          "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
          "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909" },
    };
    size_t num = 0;

    for (const Hash &hash : hashes)
        for (const auto &c : cases)
            if (std::string(c.name) == hash.name) {
                SCOPED_TRACE(std::string(c.name) + " of \"" + c.text + "\"");
                check(hash, impl, Bytes(c.text, c.text + strlen(c.text)), from_hex(c.digest));
                num++;
            }
    EXPECT_EQ(num, 3 * hashes.size());
}

// Of the same examples, a million times "a"
TEST_P(Sha2, LongExample)
{
    static const struct {
        const char *name, *digest;
    } cases[] = {
        { "SHA256", "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
        { "SHA384", "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985" },
        { "SHA512", "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                    "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b" },
    };

    size_t num = 0;
    for (const Hash &hash : hashes)
        for (const auto &c : cases)
            if (std::string(c.name) == hash.name) {
                check(hash, impl, Bytes(1000000, 'a'), from_hex(c.digest));
                num++;
            }
    EXPECT_EQ(num, hashes.size());
}

// A file of NIST's CAVP: "Len" in bits, of which 0 comes with a byte that isn't the message's
static void check_file(const Hash &hash, const lc_impl_info &impl, const std::string &kind, size_t num_expected)
{
    std::ifstream in = open_vectors("cryptography_vectors/hashes/SHA2/" + std::string(hash.name) + kind + "Msg.rsp");
    std::string word, equals, value;
    size_t len = 0, num = 0;
    Bytes msg;

    while (in >> word) {
        if (word != "Len" && word != "Msg" && word != "MD")
            continue;
        in >> equals >> value;
        if (word == "Len") {
            len = std::stoul(value) / 8;
        } else if (word == "Msg") {
            msg = from_hex(value);
            msg.resize(len);
        } else {
            SCOPED_TRACE(std::string(hash.name) + " of " + std::to_string(len) + " bytes");
            check(hash, impl, msg, from_hex(value));
            num++;
        }
    }
    EXPECT_EQ(num, num_expected);
}

TEST_P(Sha2, CavpShort)
{
    for (const Hash &hash : hashes)
        check_file(hash, impl, "Short", hash.block_len + 1);
}

TEST_P(Sha2, CavpLong)
{
    for (const Hash &hash : hashes)
        check_file(hash, impl, "Long", hash.block_len);
}

// CAVP's Monte Carlo test: 100 times 1000 digests, each of a message of the three digests before it
TEST_P(Sha2, CavpMonteCarlo)
{
    for (const Hash &hash : hashes) {
        std::ifstream in = open_vectors("cryptography_vectors/hashes/SHA2/" + std::string(hash.name) + "Monte.rsp");
        std::string word, equals, value;
        Bytes seed;
        size_t num = 0;

        while (in >> word) {
            if (word == "Seed") {
                in >> equals >> value;
                seed = from_hex(value);
            } else if (word == "MD") {
                Bytes msg;

                in >> equals >> value;
                for (size_t i = 0; i < 3; i++)
                    msg.insert(msg.end(), seed.begin(), seed.end());
                for (size_t i = 0; i < 1000; i++) {
                    State state;

                    must(hash.start_impl(state, impl.name), "start_impl");
                    hash.update(state, msg.data(), msg.size());
                    hash.finish(state, seed.data());
                    msg.erase(msg.begin(), msg.begin() + static_cast<ptrdiff_t>(hash.len));
                    msg.insert(msg.end(), seed.begin(), seed.end());
                }
                ASSERT_TRUE(same(from_hex(value), seed)) << hash.name << ", " << num;
                num++;
            }
        }
        EXPECT_EQ(num, 100u);
    }
}

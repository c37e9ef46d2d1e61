// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Hashes against published digests, with every implementation: alone, in pieces, and in lanes beside others.
#include "hash_support.h"

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

// The examples of NIST that FIPS 180-4 points to; those of GM/T 0004-2012, appendix A; and the empty message
TEST_P(Hashes, Examples)
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
        { "SM3", "", "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b" },
        { "SM3", "abc", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0" },
        { "SM3", "abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd",
          "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732" },
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

// Of NIST's examples, a million times "a"; for SM3 by libcrypto 3.0
TEST_P(Hashes, LongExample)
{
    static const struct {
        const char *name, *digest;
    } cases[] = {
        { "SHA256", "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
        { "SHA384", "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985" },
        { "SHA512", "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                    "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b" },
        { "SM3", "c8aaf89429554029e231941a2acc0ad61ff2a5acd8fadd25847a3a732b3b02c3" },
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

// A file of NIST's CAVP, or of its form: "Len" in bits, of which 0 comes with a byte that isn't the message's
static void check_file(const Hash &hash, const lc_impl_info &impl, const std::string &file, size_t num_expected)
{
    std::ifstream in = open_vectors("cryptography_vectors/hashes/" + file);
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
    expect_records(num, num_expected);
}

TEST_P(Hashes, CavpFiles)
{
    for (const Hash &hash : hashes)
        for (const VectorFile &file : hash.files)
            check_file(hash, impl, file.name, file.num);
}

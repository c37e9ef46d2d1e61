// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-CTR against published vectors, with every implementation.
#include <algorithm>

#include "ctr_support.h"

struct Vector {
    const char *key, *iv, *plaintext, *ciphertext;
};

#define SP_800_38A_IV "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
#define SP_800_38A_PLAINTEXT                                                                                                       \
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"                                                             \
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"

// SP 800-38A, F.5.1 to F.5.6: odd numbers encrypt, even ones decrypt the same bytes.
static const Vector sp_800_38a[] = {
    { "2b7e151628aed2a6abf7158809cf4f3c", SP_800_38A_IV, SP_800_38A_PLAINTEXT,
      "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
      "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee" },
    { "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", SP_800_38A_IV, SP_800_38A_PLAINTEXT,
      "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
      "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050" },
    { "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", SP_800_38A_IV, SP_800_38A_PLAINTEXT,
      "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
      "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6" },
};

// RFC 3686, section 6; the iv is nonce || iv || 1 of that document.
static const Vector rfc_3686[] = {
    { "ae6852f8121067cc4bf7a5765577f39e", "00000030000000000000000000000001", "53696e676c6520626c6f636b206d7367",
      "e4095d4fb7a7b3792d6175a3261311b8" },
    { "7e24067817fae0d743d6ce1f32539163", "006cb6dbc0543b59da48d90b00000001",
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      "5104a106168a72d9790d41ee8edad388eb2e1efc46da57c8fce630df9141be28" },
    { "7691be035e5020a8ac6e618529f9a0dc", "00e0017b27777f3f4a1786f000000001",
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
      "c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef3105325b2072f" },
    { "16af5b145fc9f579c175f93e3bfb0eed863d06ccfdb78515", "0000004836733c147d6d93cb00000001", "53696e676c6520626c6f636b206d7367",
      "4b55384fe259c9c84e7935a003cbe928" },
    { "7c5cb2401b3dc33c19e7340819e0f69c678c3db8e6f6a91a", "0096b03b020c6eadc2cb500d00000001",
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      "453243fc609b23327edfaafa7131cd9f8490701c5ad4a79cfc1fe0ff42f4fb00" },
    { "02bf391ee8ecb159b959617b0965279bf59b60a786d3e0fe", "0007bdfd5cbd60278dcc091200000001",
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
      "96893fc55e5c722f540b7dd1ddf7e758d288bc95c69165884536c811662f2188abee0935" },
    { "776beff2851db06f4c8a0542c8696f6c6a81af1eec96b4d37fc1d689e6c1c104", "00000060db5672c97aa8f0b200000001",
      "53696e676c6520626c6f636b206d7367", "145ad01dbf824ec7560863dc71e3e0c0" },
    { "f6d66d6bd52d59bb0796365879eff886c66dd51a5b6a99744b50590c87a23884", "00faac24c1585ef15a43d87500000001",
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      "f05e231b3894612c49ee000b804eb2a9b8306b508f839d6a5530831d9344af1c" },
    { "ff7a617ce69148e4f1726e2f43581de2aa62d9f805532edff1eed687fb54153d", "001cc5b751a51d70a1c1114800000001",
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
      "eb6c52821d0bbbf7ce7594462aca4faab407df866569fd07f48cc0b583d6071f1ec0e6b8" },
};

template <size_t num_vectors> static void check_vectors(const lc_impl_info &impl, const Vector (&vectors)[num_vectors])
{
    for (const Vector &v : vectors) {
        Bytes raw = from_hex(v.key), iv = from_hex(v.iv), plaintext = from_hex(v.plaintext), ciphertext = from_hex(v.ciphertext);
        CtrKey key(impl.name, raw);

        SCOPED_TRACE(v.key);
        EXPECT_TRUE(same(ciphertext, by_libcrypto(raw, plaintext, iv, ciphertext))); // so the table above has no slip
        EXPECT_TRUE(same(ciphertext, crypt(key, plaintext, iv)));
        EXPECT_TRUE(same(plaintext, crypt(key, ciphertext, iv)));
        for (size_t first = 0; first <= plaintext.size(); first++) {
            EXPECT_TRUE(same(ciphertext, crypt_in_pieces(key, plaintext, iv, { first }))) << first;
            EXPECT_TRUE(same(plaintext, crypt_in_pieces(key, ciphertext, iv, { first }))) << first;
        }
    }
}

TEST_P(Ctr, Sp80038a)
{
    check_vectors(impl, sp_800_38a);
}

TEST_P(Ctr, Rfc3686)
{
    check_vectors(impl, rfc_3686);
}

// tests/gen/ctr_monte_carlo.py has the definition, and printed the expected bytes.
TEST_P(Ctr, MonteCarlo)
{
    Bytes pool(2048), raw(32), iv(16), result(1515);

    for (size_t j = 0; j < pool.size(); j++)
        pool[j] = static_cast<uint8_t>(7 * j + 1);
    std::copy_n(pool.begin(), 32, raw.begin());
    std::copy_n(pool.begin() + 64, 16, iv.begin());
    for (size_t i = 0; i < 10000; i++) {
        CtrKey key(impl.name, Bytes(raw.begin(), raw.begin() + static_cast<long>(key_lens[i % 3])));
        size_t len = 16 + static_cast<size_t>(iv[0] + 256 * iv[1]) % 1500, ones = i % 17;
        uint8_t low = iv[0] % 64;

        std::fill_n(iv.end() - static_cast<long>(ones), ones, 0xff);
        iv[15] ^= low;
        lc_ctr_xor(key, result.data(), pool.data(), len, iv.data());
        for (size_t j = 0; j < len; j++)
            raw[j % 32] ^= result[j];
        std::copy_n(&result[len - 16], 16, iv.begin());
        pool.erase(pool.begin(), pool.begin() + static_cast<long>(len));
        pool.insert(pool.end(), result.begin(), result.begin() + static_cast<long>(len));
    }
    EXPECT_EQ(to_hex(raw.data(), 32), "54b2c86bcc8d557bc594a0a300f72ebc600459de5db60da7d0e7fc36a1e28d43");
    EXPECT_EQ(to_hex(iv.data(), 16), "3ce951f3cfd29d14c7b038b2a497c5cc");
}

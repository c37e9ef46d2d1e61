// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ChaCha20 against the examples of RFC 8439, with every implementation, and with the reference in chacha_support.cc.
#include "chacha20_support.h"

static void check(const lc_impl_info &impl, const char *where, const std::string &raw, const std::string &nonce, uint32_t counter,
                  const Bytes &src, const std::string &dst)
{
    Bytes n = from_hex(nonce), expected = from_hex(dst), k = from_hex(raw);
    Chacha20Key key(impl.name, k);

    SCOPED_TRACE(where);
    EXPECT_TRUE(same(expected, reference::chacha20(k, src, chacha20_iv(n, counter))));
    EXPECT_TRUE(same(expected, crypt(key, src, n, counter)));
    EXPECT_TRUE(same(src, crypt(key, expected, n, counter)));
    EXPECT_TRUE(same(expected, crypt_in_pieces(key, src, n, counter, { 1, 63, 5 })));
    // the other form: the first 4 bytes of the nonce are the upper half of the counter
    Bytes iv = chacha20_iv(n, counter);
    uint64_t counter_64 = 0;
    for (int i = 7; i >= 0; i--)
        counter_64 = counter_64 << 8 | iv[i];
    EXPECT_TRUE(same(expected, crypt_in_pieces(key, src, Bytes(iv.begin() + 8, iv.end()), counter_64, { 1, 63, 5 })));
}

#define ZEROS_15 "000000000000000000000000000000"
#define COUNT_32 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define ZEROS_32 ZEROS_15 ZEROS_15 "0000"
#define LAST_01 ZEROS_15 ZEROS_15 "0001"
#define NONCE_0 "000000000000000000000000"
#define NONCE_2 "000000000000000000000002"
#define JABBERWOCKY_KEY "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"

// 2.3.2, A.1
TEST_P(Chacha20, Rfc8439Blocks)
{
    static const struct {
        const char *where, *raw, *nonce;
        uint32_t counter;
        const char *keystream;
    } cases[] = {
        { "2.3.2", COUNT_32, "000000090000004a00000000", 1,
          "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
          "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e" },
        { "A.1, #1", ZEROS_32, NONCE_0, 0,
          "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
          "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586" },
        { "A.1, #2", ZEROS_32, NONCE_0, 1,
          "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
          "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f" },
        { "A.1, #3", LAST_01, NONCE_0, 1,
          "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
          "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0" },
        { "A.1, #4", "00ff" ZEROS_15 ZEROS_15, NONCE_0, 2,
          "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
          "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096" },
        { "A.1, #5", ZEROS_32, NONCE_2, 0,
          "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
          "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d" },
    };

    for (const auto &c : cases)
        check(impl, c.where, c.raw, c.nonce, c.counter, Bytes(64), c.keystream);
}

// 2.4.2, A.2 (#1 is A.1's)
TEST_P(Chacha20, Rfc8439Encryption)
{
    check(impl, "2.4.2", COUNT_32, "000000000000004a00000000", 1, from_text(sunscreen),
          "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d624e65152ab"
          "8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eedf2785e42"
          "874d");
    check(impl, "A.2, #2", LAST_01, NONCE_2, 1, from_text(ietf_contribution),
          "a3fbf07df3fa2fde4f376ca23e82737041605d9f4f4f57bd8cff2c1d4b7955ec2a97948bd3722915c8f3d337f7d370050e9e96d647b7c39f"
          "56e031ca5eb6250d4042e02785ececfa4b4bb5e8ead0440e20b6e8db09d881a7c6132f420e52795042bdfa7773d8a9051447b3291ce1411c"
          "680465552aa6c405b7764d5e87bea85ad00f8449ed8f72d0d662ab052691ca66424bc86d2df80ea41f43abf937d3259dc4b2d0dfb48a6c91"
          "39ddd7f76966e928e635553ba76c5c879d7b35d49eb2e62b0871cdac638939e25e8a1e0ef9d5280fa8ca328b351c3c765989cbcf3daa8b6c"
          "cc3aaf9f3979c92b3720fc88dc95ed84a1be059c6499b9fda236e7e818b04b0bc39c1e876b193bfe5569753f88128cc08aaa9b63d1a16f80"
          "ef2554d7189c411f5869ca52c5b83fa36ff216b9c1d30062bebcfd2dc5bce0911934fda79a86f6e698ced759c3ff9b6477338f3da4f9cd85"
          "14ea9982ccafb341b2384dd902f3d1ab7ac61dd29c6f21ba5b862f3730e37cfdc4fd806c22f221");
    check(impl, "A.2, #3", JABBERWOCKY_KEY, NONCE_2, 42, from_text(jabberwocky),
          "62e6347f95ed87a45ffae7426f27a1df5fb69110044c0d73118effa95b01e5cf166d3df2d721caf9b21e5fb14c616871fd84c54f9d65b283"
          "196c7fe4f60553ebf39c6402c42234e32a356b3e764312a61a5532055716ead6962568f87d3f3f7704c6a8d1bcd1bf4d50d6154b6da731b1"
          "87b58dfd728afa36757a797ac188d1");
}

// 2.6.2, A.4: keys for Poly1305
TEST_P(Chacha20, Rfc8439Poly1305Keys)
{
    check(impl, "2.6.2", "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f", "000000000001020304050607", 0,
          Bytes(32), "8ad5a08b905f81cc815040274ab29471a833b637e3fd0da508dbb8e2fdd1a646");
    check(impl, "A.4, #1", ZEROS_32, NONCE_0, 0, Bytes(32), "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7");
    check(impl, "A.4, #2", LAST_01, NONCE_2, 0, Bytes(32), "ecfa254f845f647473d3cb140da9e87606cb33066c447b87bc2666dde3fbb739");
    check(impl, "A.4, #3", JABBERWOCKY_KEY, NONCE_2, 0, Bytes(32),
          "965e3bc6f9ec7ed9560808f4d229f94b137ff275ca9b3fcbdd59deaad23310ae");
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ChaCha20-Poly1305 and XChaCha20-Poly1305 against published vectors, with every implementation.
#include "aead_support.h"

static void check(const lc_impl_info &impl, const Message &m, const Sealed &expected)
{
    AeadKey key(impl.name, m.raw);

    EXPECT_TRUE(same(expected, reference::seal(m)));
    EXPECT_TRUE(both_ways(key, m, expected));
    for (bool encrypt : both_directions)
        EXPECT_TRUE(m.nonce.size() == 24 || stream(encrypt, key, m, expected, { m.aad.size() }, { m.src.size() }));
}

static const Bytes key_80 = from_hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");

TEST_P(Aead, Rfc8439Section282)
{
    check(impl, { key_80, from_text(sunscreen), from_hex("50515253c0c1c2c3c4c5c6c7"), from_hex("070000004041424344454647") },
          { from_hex("d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e"
                     "060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576"
                     "d26586cec64b6116"),
            from_hex("1ae10b594f09e26a7e902ecbd0600691") });
}

TEST_P(Aead, Rfc8439SectionA5)
{
    const std::string text =
        "Internet-Drafts are draft documents valid for a maximum of six months and may be updated, replaced, or obsoleted by other "
        "documents at any time. It is inappropriate to use Internet-Drafts as reference material or to cite them other than as "
        "/\xe2\x80\x9cwork in progress./\xe2\x80\x9d";

    check(impl,
          { from_hex("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"), from_text(text),
            from_hex("f33388860000000000004e91"), from_hex("000000000102030405060708") },
          { from_hex("64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb24c6cfc18755d43eea09ee94e382d26b0bdb7b73c32"
                     "1b0100d4f03b7f355894cf332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c8559797a06ef4f0ef61c186"
                     "324e2b3506383606907b6a7c02b0f9f6157b53c867e4b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c52"
                     "3eaf4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a0bb2316053fa76991955ebd63159434ecebb4e46"
                     "6dae5a1073a6727627097a1049e617d91d361094fa68f0ff77987130305beaba2eda04df997b714d6c6f2c29a6ad5cb4022b02709b"),
            from_hex("eead9d67890cbb22392336fea1851f38") });
}

// draft-irtf-cfrg-xchacha-03, 2.2.1: of the reference, as the library's HChaCha20 can only be seen through A.3.1
TEST(AeadReference, Hchacha20)
{
    EXPECT_TRUE(same(from_hex("82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"),
                     reference::hchacha20(from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
                                          from_hex("000000090000004a0000000031415927"))));
}

TEST_P(Aead, XchachaDraftSectionA31)
{
    check(impl,
          { key_80, from_text(sunscreen), from_hex("50515253c0c1c2c3c4c5c6c7"),
            from_hex("404142434445464748494a4b4c4d4e4f5051525354555657") },
          { from_hex("bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c"
                     "54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da97688"
                     "12f615c68b13b52e"),
            from_hex("c0875924c1c7987947deafd8780acf49") });
}

TEST_P(Aead, Wycheproof)
{
    check_records(impl, "wycheproof/chacha20_poly1305.rsp", Mode::flavours[0], 256, 60, 9);
}

TEST_P(Aead, WycheproofX)
{
    check_records(impl, "wycheproof/xchacha20_poly1305.rsp", Mode::flavours[1], 246, 60, 9);
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-GCM against published vectors, with every implementation.
#include "aead_support.h"

// Tags of all lengths; nonces of 1, 12 and 128 bytes.
TEST_P(Aead, CavpEncrypt)
{
    for (const char *bits : { "128", "192", "256" })
        check_records(impl, std::string("cryptography_vectors/ciphers/AES/GCM/gcmEncryptExtIV") + bits + ".rsp", Mode::flavours[0],
                      7875, 0, 0);
}

TEST_P(Aead, CavpDecrypt)
{
    static const struct {
        const char *bits;
        size_t num_invalid;
    } files[] = { { "128", 4011 }, { "192", 3978 }, { "256", 3919 } };

    for (const auto &f : files)
        check_records(impl, std::string("cryptography_vectors/ciphers/AES/GCM/gcmDecrypt") + f.bits + ".rsp", Mode::flavours[0],
                      7875 - f.num_invalid, f.num_invalid, 0);
}

TEST_P(Aead, Wycheproof)
{
    check_records(impl, "wycheproof/aes_gcm.rsp", Mode::flavours[0], 229, 81, 6);
}

// SP 800-38D's predecessor, McGrew and Viega's specification, test case 4: known before the others, and complete in one place.
TEST_P(Aead, McGrewViega4)
{
    Message m = { from_hex("feffe9928665731c6d6a8f9467308308"),
                  from_hex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                           "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"),
                  from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2"), from_hex("cafebabefacedbaddecaf888") };
    AeadKey key(impl.name, m.raw);

    EXPECT_TRUE(both_ways(key, m,
                          { from_hex("42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                                     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"),
                            from_hex("5bc94fbc3221a5db94fae95ae7121a47") }));
}

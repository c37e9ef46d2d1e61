// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The parts under the modes: key expansion, in C and in assembly, and the bitsliced block cipher, which is compiled into a second
// program in its 64-bit form too (-DLC_BITSLICE_SCALAR).  Tested directly, because on most machines faster code hides them.
#include <algorithm>

#include "support.h"
#include "white_box.h"

#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

// FIPS 197, appendix A: the round keys, and what the same key's block is in appendix B or SP 800-38A, F.1 (the first block).
static const struct Fips197Keys {
    const char *key, *round_keys;
} appendix_a[] = {
    { "2b7e151628aed2a6abf7158809cf4f3c",
      "2b7e151628aed2a6abf7158809cf4f3ca0fafe1788542cb123a339392a6c7605f2c295f27a96b9435935807a7359f67f"
      "3d80477d4716fe3e1e237e446d7a883bef44a541a8525b7fb671253bdb0bad00d4d1c6f87c839d87caf2b8bc11f915bc"
      "6d88a37a110b3efddbf98641ca0093fd4e54f70e5f5fc9f384a64fb24ea6dc4fead27321b58dbad2312bf5607f8d292f"
      "ac7766f319fadc2128d12941575c006ed014f9a8c9ee2589e13f0cc8b6630ca6" },
    { "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
      "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7bfe0c91f72402f5a5ec12068e6c827f6b0e7a95b95c56fec2"
      "4db7b4bd69b5411885a74796e92538fde75fad44bb095386485af05721efb14fa448f6d94d6dce24aa326360113b30e6"
      "a25e7ed583b1cf9a27f939436a94f767c0a69407d19da4e1ec1786eb6fa64971485f703222cb8755e26d135233f0b7b3"
      "40beeb282f18a2596747d26b458c553ea7e1466c9411f1df821f750aad07d753ca4005388fcc5006282d166abc3ce7b5"
      "e98ba06f448c773c8ecc720401002202" },
    { "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
      "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff49ba354118e6925afa51a8b5f2067fcde"
      "a8b09c1a93d194cdbe49846eb75d5b9ad59aecb85bf3c917fee94248de8ebe96b5a9328a2678a647983122292f6c79b3"
      "812c81addadf48ba24360af2fab8b46498c5bfc9bebd198e268c3ba709e0421468007bacb2df331696e939e46c518d80"
      "c814e20476a9fb8a5025c02d59c58239de1369676ccc5a71fa2563959674ee155886ca5d2e2f31d77e0af1fa27cf73c3"
      "749c47ab18501ddae2757e4f7401905acafaaae3e4d59b349adf6acebd10190dfe4890d1e6188d0b046df344706c631e" },
};

// FIPS 197, appendix C.
static const struct {
    const char *key, *plaintext, *ciphertext;
} appendix_c[] = {
    { "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a" },
    { "000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff", "dda97ca4864cdfe06eaf70a0ec0d7191" },
    { "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "00112233445566778899aabbccddeeff",
      "8ea2b7ca516745bfeafc49904b496089" },
};

struct Schedule {
    alignas(16) uint8_t enc[15][16]; // as in the keys, and as assembly expects
    alignas(16) uint8_t dec[15][16];
};

static unsigned rounds_of(size_t key_len)
{
    return static_cast<unsigned>(key_len / 4) + 6;
}

// A product in AES's field, bit by bit.
static uint8_t times(uint8_t a, uint8_t b)
{
    uint8_t product = 0;

    for (; b; b >>= 1, a = static_cast<uint8_t>(a << 1 ^ (a & 0x80 ? 0x1b : 0)))
        product ^= b & 1 ? a : 0;
    return product;
}

// FIPS 197, section 5.3.3
static void inv_mix_columns(uint8_t out[16], const uint8_t in[16])
{
    static const uint8_t row[4] = { 0x0e, 0x0b, 0x0d, 0x09 };

    for (int column = 0; column < 4; column++)
        for (int i = 0; i < 4; i++) {
            out[4 * column + i] = 0;
            for (int j = 0; j < 4; j++)
                out[4 * column + i] ^= times(in[4 * column + j], row[(j - i + 4) % 4]);
        }
}

// src/aes.h in other words: the schedule that belongs to these round keys.
static Schedule slots(const Bytes &round_keys)
{
    Schedule s;
    size_t rounds = round_keys.size() / 16 - 1;

    memset(&s, 0, sizeof(s));
    for (size_t r = 0; r <= rounds; r++) {
        const uint8_t *forwards = &round_keys[16 * r], *backwards = &round_keys[16 * (rounds - r)];
        size_t slot = r == 0 ? 0 : 14 - rounds + r;

        memcpy(s.enc[slot], forwards, 16);
        if (r == 0 || r == rounds)
            memcpy(s.dec[slot], backwards, 16);
        else
            inv_mix_columns(s.dec[slot], backwards);
    }
    return s;
}

static void check_expansion(lc_aes_expand_fn *expand)
{
    for (const Fips197Keys &v : appendix_a) {
        Bytes key = from_hex(v.key);
        Schedule expected = slots(from_hex(v.round_keys)), actual;
        alignas(16) uint8_t only_enc[15][16];

        SCOPED_TRACE(key.size());
        memset(&actual, 0xa5, sizeof(actual));
        expand(actual.enc, actual.dec, key.data(), key.size());
        EXPECT_TRUE(same(expected.enc[0], actual.enc[0], sizeof(actual.enc)));
        EXPECT_TRUE(same(expected.dec[0], actual.dec[0], sizeof(actual.dec)));
        memset(only_enc, 0xa5, sizeof(only_enc));
        expand(only_enc, nullptr, key.data(), key.size());
        EXPECT_TRUE(same(expected.enc[0], only_enc[0], sizeof(only_enc)));
    }
}

TEST(Aes, ExpandPortable)
{
    // appendix C.1, round[1].ik_sch: InvMixColumns above is FIPS 197's
    Schedule s;

    lc_aes_expand_portable(s.enc, s.dec, from_hex(appendix_c[0].key).data(), 16);
    EXPECT_EQ(to_hex(s.dec[5], 16), "13aa29be9c8faff6f770f58000f7bf03");
    EXPECT_EQ(to_hex(s.dec[0], 16), "13111d7fe3944a17f307a78b4d2b30c5");
    check_expansion(lc_aes_expand_portable);
}

#if defined(__x86_64__)
TEST(Aes, ExpandAesni)
{
    if (!__builtin_cpu_supports("aes") || !__builtin_cpu_supports("ssse3"))
        GTEST_SKIP() << "lc_aes_expand_aesni() needs aes and ssse3, which are missing here";
    check_expansion(lc_aes_expand_aesni);

    Random random(60);

    for (int i = 0; i < 3000; i++) {
        static const size_t lens[] = { 16, 24, 32 };
        size_t len = lens[i % 3];
        Guarded memory(len); // the key ends at a guard page, or begins at one
        uint8_t *key = i % 2 ? memory.begin() : memory.at_end(len);
        Schedule expected, actual;

        random.fill(key, len);
        memset(&expected, 0xa5, sizeof(expected));
        memset(&actual, 0x5a, sizeof(actual));
        lc_aes_expand_portable(expected.enc, expected.dec, key, len);
        lc_aes_expand_aesni(actual.enc, actual.dec, key, len);
        ASSERT_TRUE(same(expected.enc[0], actual.enc[0], sizeof(actual.enc))) << to_hex(key, len);
        ASSERT_TRUE(same(expected.dec[0], actual.dec[0], sizeof(actual.dec))) << to_hex(key, len);
    }
}
#endif

TEST(Aes, BitsliceFips197)
{
    for (const auto &v : appendix_c) {
        Bytes key = from_hex(v.key), plaintext = from_hex(v.plaintext), ciphertext = from_hex(v.ciphertext);

        SCOPED_TRACE(key.size());
        for (size_t at = 0; at < LC_BITSLICE_BLOCKS; at++) { // in each place, with other blocks around it
            Bytes blocks = Random(at).bytes(16 * LC_BITSLICE_BLOCKS), before;
            lc_aes_bitsliced bs;
            Schedule s;

            std::copy(plaintext.begin(), plaintext.end(), blocks.begin() + static_cast<long>(16 * at));
            before = blocks;
            lc_aes_expand_portable(s.enc, s.dec, key.data(), key.size());
            lc_aes_bitslice_load(&bs, s.enc, rounds_of(key.size()));
            lc_aes_bitslice_encrypt(&bs, blocks.data());
            EXPECT_TRUE(same(ciphertext.data(), &blocks[16 * at], 16)) << at;
            lc_aes_bitslice_decrypt(&bs, blocks.data());
            EXPECT_TRUE(same(before, blocks)) << at;
        }
    }
}

// Every byte value in every position of a block goes through the S-box and its inverse, at every alignment, and nothing is read or
// written after the blocks.
TEST(Aes, BitsliceAllBytesAndAlignments)
{
    static const size_t len = 16 * LC_BITSLICE_BLOCKS;
    Guarded memory(4096);

    for (size_t key_len : { 16, 24, 32 }) {
        Random random(61);
        Bytes key = random.bytes(key_len);
        lc_aes_bitsliced bs;
        Schedule s;

        lc_aes_expand_portable(s.enc, s.dec, key.data(), key.size());
        lc_aes_bitslice_load(&bs, s.enc, rounds_of(key_len));
        for (size_t i = 0; i < 256; i++) {
            uint8_t *blocks = memory.at_end(len + i % 64);
            Bytes expected(len), before;

            memset(memory.at_end(1024), 0xa5, 1024);
            for (size_t j = 0; j < len; j++)
                blocks[j] = static_cast<uint8_t>(i + (j / 16) * 37); // each block has a byte of its own
            before = Bytes(blocks, blocks + len);
            lc_aes_bitslice_encrypt(&bs, blocks);
#ifdef HAVE_LIBCRYPTO
            expected = Libcrypto::ecb(key, true).crypt(before.data(), len, nullptr);
            ASSERT_TRUE(same(expected.data(), blocks, len)) << i;
#endif
            lc_aes_bitslice_decrypt(&bs, blocks);
            ASSERT_TRUE(same(before.data(), blocks, len)) << i;
            ASSERT_TRUE(all_bytes(blocks + len, i % 64, 0xa5) && all_bytes(memory.at_end(1024), 1024 - len - i % 64, 0xa5)) << i;
        }
    }
}

#ifdef HAVE_LIBCRYPTO
TEST(Aes, BitsliceRandomAgainstLibcrypto)
{
    Random random(62);

    for (int i = 0; i < 3000; i++) {
        static const size_t lens[] = { 16, 24, 32 };
        Bytes key = random.bytes(lens[i % 3]), in = random.bytes(16 * LC_BITSLICE_BLOCKS), out = in;
        lc_aes_bitsliced bs;
        Schedule s;

        lc_aes_expand_portable(s.enc, s.dec, key.data(), key.size());
        lc_aes_bitslice_load(&bs, s.enc, rounds_of(key.size()));
        lc_aes_bitslice_encrypt(&bs, out.data());
        ASSERT_TRUE(same(Libcrypto::ecb(key, true).crypt(in.data(), in.size(), nullptr), out)) << i;
        out = in;
        lc_aes_bitslice_decrypt(&bs, out.data());
        ASSERT_TRUE(same(Libcrypto::ecb(key, false).crypt(in.data(), in.size(), nullptr), out)) << i;
    }
}
#endif

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-XTS: everything that has to be refused, that nothing is written then, and that what is secret can be wiped.
#include <algorithm>
#include <climits>
#include <set>

#include "white_box.h"
#include "xts_support.h"

// dst = src, of whole blocks, encrypted under any key by the bitsliced AES.
static void reference_xts(Bytes &dst, const Bytes &src, const Bytes &raw, const Bytes &iv)
{
    const size_t half = raw.size() / 2;
    const uint32_t rounds = static_cast<uint32_t>(half / 4) + 6;
    uint8_t schedule[2][15][16], tweak[16 * LC_BITSLICE_BLOCKS] = { 0 };
    lc_aes_bitsliced keys[2];

    for (size_t k = 0; k < 2; k++) {
        lc_aes_expand_portable(schedule[k], nullptr, raw.data() + k * half, half);
        lc_aes_bitslice_load(&keys[k], schedule[k], rounds);
    }
    std::copy(iv.begin(), iv.end(), tweak);
    lc_aes_bitslice_encrypt(&keys[1], tweak);
    for (size_t at = 0; at + 16 <= src.size(); at += 16) {
        uint8_t block[16 * LC_BITSLICE_BLOCKS] = { 0 }, carry = 0;

        for (size_t i = 0; i < 16; i++)
            block[i] = src[at + i] ^ tweak[i];
        lc_aes_bitslice_encrypt(&keys[0], block);
        for (size_t i = 0; i < 16; i++)
            dst[at + i] = block[i] ^ tweak[i];
        for (size_t i = 0; i < 16; i++) { // the tweak times x
            uint8_t out = tweak[i] >> 7;

            tweak[i] = static_cast<uint8_t>(tweak[i] << 1 | carry);
            carry = out;
        }
        tweak[0] ^= carry ? 0x87 : 0;
    }
}

TEST_P(Xts, KeyLengths)
{
    Bytes raw = Random(50).bytes(256);
    lc_xts_key key;

    memset(&key, 0x5a, sizeof(key));
    for (size_t len = 0; len <= 130; len++) {
        if (len == 32 || len == 48 || len == 64)
            continue;
        EXPECT_EQ(lc_xts_init_impl(&key, impl.name, raw.data(), len), LC_ERR_KEY_LEN) << len;
        EXPECT_EQ(lc_xts_init(&key, raw.data(), len), LC_ERR_KEY_LEN) << len;
    }
    EXPECT_EQ(lc_xts_init_impl(&key, impl.name, raw.data(), SIZE_MAX), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_xts_init_impl(&key, impl.name, raw.data(), (size_t{ 1 } << 32) + 32), LC_ERR_KEY_LEN);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    for (size_t len : key_lens)
        EXPECT_EQ(lc_xts_init_impl(&key, impl.name, raw.data(), len), LC_OK) << len;
}

TEST_P(Xts, EqualHalves)
{
    for (size_t len : key_lens) {
        Bytes raw = Random(51).bytes(len / 2);
        lc_xts_key key;

        raw.insert(raw.end(), raw.begin(), raw.end());
        memset(&key, 0x5a, sizeof(key));
        EXPECT_EQ(lc_xts_init_impl(&key, impl.name, raw.data(), len), LC_ERR_WEAK_KEY);
        EXPECT_EQ(lc_xts_init(&key, raw.data(), len), LC_ERR_WEAK_KEY);
        EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
        for (size_t bit = 0; bit < 8 * len; bit++) { // one bit of difference anywhere is enough
            raw[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            EXPECT_EQ(lc_xts_init_impl(&key, impl.name, raw.data(), len), LC_OK) << bit;
            raw[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
        }
    }
}

// Keys for decryption decrypt, whether their halves are equal or not, and encrypt in none of the ways that there are.
TEST_P(Xts, KeysForDecryption)
{
    Random random(58);

    for (size_t len : key_lens)
        for (bool equal : { false, true }) {
            Bytes raw = random.bytes(len), src = random.bytes(600), iv = sector_iv(7), expected(600), dst(600, 0x5a), before;
            lc_xts_key key;
            lc_xts_state state;

            if (equal)
                std::copy_n(raw.begin(), len / 2, raw.begin() + static_cast<long>(len / 2));
            ASSERT_EQ(lc_xts_init_decrypt_impl(&key, impl.name, raw.data(), len), LC_OK);
            EXPECT_STREQ(lc_xts_impl_name(&key), impl.name);
            before = bytes_of(key);
            lc_xts_start(&state, iv.data());
            for (size_t n : { 16, 17, 512, 600 }) {
                EXPECT_EQ(lc_xts_encrypt(&key, dst.data(), src.data(), n, iv.data()), LC_ERR_DECRYPT_ONLY) << n;
                EXPECT_EQ(lc_xts_encrypt_update(&key, &state, dst.data(), src.data(), n), LC_ERR_DECRYPT_ONLY) << n;
                EXPECT_EQ(lc_xts_encrypt_sectors(&key, dst.data(), src.data(), 600, n, 0, 1), LC_ERR_DECRYPT_ONLY) << n;
            }
            EXPECT_EQ(lc_xts_encrypt(&key, dst.data(), src.data(), LC_XTS_MAX_LEN, iv.data()), LC_ERR_DECRYPT_ONLY);
            for (size_t n : { size_t{ 0 }, size_t{ 15 }, size_t{ LC_XTS_MAX_LEN } + 1, SIZE_MAX })
                EXPECT_EQ(lc_xts_encrypt(&key, dst.data(), src.data(), n, iv.data()), LC_ERR_LEN) << n;
            EXPECT_TRUE(all_bytes(dst.data(), dst.size(), 0x5a));

            // The measure: encryption by the bitsliced AES, whose keys may be any, in the order of IEEE 1619, 5.3.1
            reference_xts(expected, src, raw, iv);
            ASSERT_EQ(lc_xts_decrypt(&key, dst.data(), expected.data(), 592, iv.data()), LC_OK);
            EXPECT_TRUE(same(src.data(), dst.data(), 592));
            ASSERT_EQ(lc_xts_decrypt_update(&key, &state, dst.data(), expected.data(), 592), LC_OK);
            EXPECT_TRUE(same(src.data(), dst.data(), 592));
            ASSERT_EQ(lc_xts_decrypt_sectors(&key, dst.data(), expected.data(), 592, 592, 7, 1), LC_OK);
            EXPECT_TRUE(same(src.data(), dst.data(), 592));
            EXPECT_TRUE(same(before, bytes_of(key)));

            // From here the key is one like others: wiped, and made anew for both
            lc_xts_wipe(&key);
            EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
            EXPECT_EQ(lc_xts_init_impl(&key, impl.name, raw.data(), len), equal ? LC_ERR_WEAK_KEY : LC_OK);
            if (!equal) {
                EXPECT_EQ(lc_xts_encrypt(&key, dst.data(), src.data(), 592, iv.data()), LC_OK);
            }
        }
}

TEST_P(Xts, KeysForDecryptionRefused)
{
    Bytes raw(130);
    lc_xts_key key;

    memset(&key, 0x5a, sizeof(key));
    for (size_t len = 0; len <= 130; len++) {
        if (len == 32 || len == 48 || len == 64)
            continue;
        EXPECT_EQ(lc_xts_init_decrypt_impl(&key, impl.name, raw.data(), len), LC_ERR_KEY_LEN) << len;
        EXPECT_EQ(lc_xts_init_decrypt(&key, raw.data(), len), LC_ERR_KEY_LEN) << len;
    }
    EXPECT_EQ(lc_xts_init_decrypt_impl(&key, "none", raw.data(), 64), LC_ERR_IMPL);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    EXPECT_EQ(lc_xts_init_decrypt(&key, raw.data(), 64), LC_OK);
}

TEST(XtsErrors, ImplementationNames)
{
    Bytes raw = Random(52).bytes(64);
    lc_xts_key key;

    memset(&key, 0x5a, sizeof(key));
    for (const char *name :
         { "", ",", "xts", "xts-aes", "xts-aes-portabl", "xts-aes-portable,", "xts-aes-portable ", " xts-aes-portable",
           "XTS-AES-PORTABLE", "xts=xts-aes-portable", "xts-aes-portable,xts-aes-portable", "best" })
        EXPECT_EQ(lc_xts_init_impl(&key, name, raw.data(), raw.size()), LC_ERR_IMPL) << name;
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    EXPECT_EQ(lc_xts_init_impl(&key, PORTABLE, raw.data(), raw.size()), LC_OK);
}

static std::vector<size_t> bad_lens()
{
    std::vector<size_t> lens = {
        LC_XTS_MAX_LEN + size_t{ 1 },
        LC_XTS_MAX_LEN + size_t{ 16 },
        size_t{ 1 } << 32,
        (size_t{ 1 } << 32) + 16,
        SIZE_MAX,
        SIZE_MAX - 15
    };

    for (size_t len = 0; len < 16; len++)
        lens.push_back(len);
    return lens;
}

TEST_P(Xts, UnitLengths)
{
    Random random(53);
    XtsKey key(impl.name, random.bytes(64));
    Bytes src = random.bytes(64), iv = random.bytes(16), dst(64, 0x5a), key_before = bytes_of(key.key);

    for (size_t len : bad_lens())
        for (bool encrypt : both_directions)
            EXPECT_EQ(crypt(encrypt, key, dst.data(), src.data(), len, iv.data()), LC_ERR_LEN) << len;
    EXPECT_TRUE(all_bytes(dst.data(), dst.size(), 0x5a));
    EXPECT_TRUE(same(key_before, bytes_of(key.key)));
}

TEST_P(Xts, SectorLengths)
{
    Random random(54);
    XtsKey key(impl.name, random.bytes(64));
    Bytes src = random.bytes(4096), dst(4096, 0x5a), key_before = bytes_of(key.key);

    for (bool encrypt : both_directions) {
        for (size_t sector_len : bad_lens())
            for (size_t len : { 0, 16, 512, 4096 })
                EXPECT_EQ(crypt_sectors(encrypt, key, dst.data(), src.data(), len, sector_len, 0, 1), LC_ERR_LEN) << sector_len;
        for (size_t sector_len : { 16, 17, 100, 512, 1024 })
            for (size_t count = 0; count <= 3; count++)
                for (size_t last = 1; last < 16; last++) { // an unfinished sector that is too short
                    size_t len = count * sector_len + last;

                    EXPECT_EQ(crypt_sectors(encrypt, key, dst.data(), src.data(), len, sector_len, 0, 1), LC_ERR_LEN)
                        << count << " of " << sector_len << " and " << last;
                }
        EXPECT_EQ(crypt_sectors(encrypt, key, dst.data(), src.data(), 0, 512, 0, 1), LC_OK); // no bytes at all are fine
        EXPECT_EQ(crypt_sectors(encrypt, key, nullptr, nullptr, 0, 512, 0, 1), LC_OK);
        EXPECT_TRUE(all_bytes(dst.data(), dst.size(), 0x5a));
        EXPECT_EQ(crypt_sectors(encrypt, key, dst.data(), src.data(), 16, LC_XTS_MAX_LEN, 0, 1), LC_OK);
        EXPECT_FALSE(all_bytes(dst.data(), 16, 0x5a));
        dst.assign(4096, 0x5a);
    }
    EXPECT_TRUE(same(key_before, bytes_of(key.key)));
}

TEST_P(Xts, UpdateLengthsAndOrder)
{
    Random random(55);
    XtsKey key(impl.name, random.bytes(64));
    Bytes src = random.bytes(64), iv = random.bytes(16), dst(64), key_before = bytes_of(key.key);

    for (bool encrypt : both_directions)
        for (size_t first : { 0, 16, 32 }) { // at the start of a unit and within it
            lc_xts_state state;
            Bytes before;

            lc_xts_start(&state, iv.data());
            ASSERT_EQ(crypt_update(encrypt, key, &state, dst.data(), src.data(), first), LC_OK);
            before = bytes_of(state);
            dst.assign(64, 0x5a);
            for (size_t len : bad_lens()) // of which 0 is none here
                EXPECT_EQ(crypt_update(encrypt, key, &state, dst.data(), src.data(), len), len ? LC_ERR_LEN : LC_OK) << len;
            EXPECT_EQ(crypt_update(encrypt, key, &state, nullptr, nullptr, 0), LC_OK);
            EXPECT_TRUE(all_bytes(dst.data(), dst.size(), 0x5a));
            EXPECT_TRUE(same(before, bytes_of(state)));

            ASSERT_EQ(crypt_update(encrypt, key, &state, dst.data(), src.data(), 17), LC_OK); // the last call
            before = bytes_of(state);
            dst.assign(64, 0x5a);
            for (size_t len : { 0, 1, 15, 16, 17, 32, 64 })
                EXPECT_EQ(crypt_update(encrypt, key, &state, dst.data(), src.data(), len), LC_ERR_STATE) << len;
            EXPECT_TRUE(all_bytes(dst.data(), dst.size(), 0x5a));
            EXPECT_TRUE(same(before, bytes_of(state)));
            lc_xts_start(&state, iv.data()); // and a new unit can begin
            EXPECT_EQ(crypt_update(encrypt, key, &state, dst.data(), src.data(), 16), LC_OK);
        }
    EXPECT_TRUE(same(key_before, bytes_of(key.key)));
}

TEST_P(Xts, UpdateTotalLength)
{
    Random random(56);
    XtsKey key(impl.name, random.bytes(64));
    Bytes data(LC_XTS_MAX_LEN), iv = random.bytes(16), before;
    lc_xts_state state;

    lc_xts_start(&state, iv.data());
    ASSERT_EQ(lc_xts_encrypt_update(key, &state, data.data(), data.data(), LC_XTS_MAX_LEN - 32), LC_OK);
    before = bytes_of(state);
    for (size_t len : { size_t{ 33 }, size_t{ 48 }, size_t{ LC_XTS_MAX_LEN }, SIZE_MAX, SIZE_MAX - 15 })
        EXPECT_EQ(lc_xts_encrypt_update(key, &state, data.data(), data.data(), len), LC_ERR_LEN) << len;
    EXPECT_TRUE(same(before, bytes_of(state)));
    ASSERT_EQ(lc_xts_encrypt_update(key, &state, data.data(), data.data(), 32), LC_OK);
    for (size_t len : { 16, 17, 32 })
        EXPECT_EQ(lc_xts_encrypt_update(key, &state, data.data(), data.data(), len), LC_ERR_LEN) << len;
    EXPECT_EQ(lc_xts_encrypt_update(key, &state, data.data(), data.data(), 0), LC_OK);
}

TEST_P(Xts, Wipe)
{
    Random random(57);
    Bytes raw = random.bytes(64), data = random.bytes(32);
    lc_xts_state state;
    lc_xts_key key;

    ASSERT_EQ(lc_xts_init_impl(&key, impl.name, raw.data(), raw.size()), LC_OK);
    lc_xts_start(&state, data.data());
    ASSERT_EQ(lc_xts_encrypt_update(&key, &state, data.data(), data.data(), 32), LC_OK);
    EXPECT_FALSE(all_bytes(&key, sizeof(key), 0));
    EXPECT_FALSE(all_bytes(&state, sizeof(state), 0));
    lc_xts_wipe(&key);
    lc_xts_state_wipe(&state);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0));
}

TEST(Status, EachHasItsOwnSentence)
{
    std::set<std::string> sentences;

    for (int status = 0; status >= LC_ERR_DECRYPT_ONLY; status--) {
        ASSERT_NE(lc_strerror(status), nullptr);
        EXPECT_GT(std::string(lc_strerror(status)).size(), 5u) << status;
        EXPECT_TRUE(sentences.insert(lc_strerror(status)).second) << status << ": " << lc_strerror(status);
    }
    EXPECT_EQ(sentences.size(), 11u);
    for (int status : { 1, LC_ERR_DECRYPT_ONLY - 1, INT_MAX, INT_MIN }) {
        ASSERT_NE(lc_strerror(status), nullptr);
        EXPECT_NE(std::string(lc_strerror(status)), "");
        EXPECT_EQ(sentences.count(lc_strerror(status)), 0u) << status;
    }
}

TEST(Version, IsTheHeaders)
{
    EXPECT_EQ(lc_version(), std::to_string(LANECRYPT_VERSION_MAJOR) + "." + std::to_string(LANECRYPT_VERSION_MINOR) + "." +
                                std::to_string(LANECRYPT_VERSION_PATCH));
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-CTR: what has to be refused, that nothing is written then, and that what is secret can be wiped.
#include "ctr_support.h"

TEST_P(Ctr, KeyLengths)
{
    Bytes raw = Random(150).bytes(256);
    lc_ctr_key key;

    memset(&key, 0x5a, sizeof(key));
    for (size_t len = 0; len <= 130; len++) {
        if (len == 16 || len == 24 || len == 32)
            continue;
        EXPECT_EQ(lc_ctr_init_impl(&key, impl.name, raw.data(), len), LC_ERR_KEY_LEN) << len;
        EXPECT_EQ(lc_ctr_init(&key, raw.data(), len), LC_ERR_KEY_LEN) << len;
    }
    EXPECT_EQ(lc_ctr_init_impl(&key, impl.name, nullptr, 0), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_ctr_init_impl(&key, impl.name, raw.data(), SIZE_MAX), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_ctr_init_impl(&key, impl.name, raw.data(), (size_t{ 1 } << 32) + 32), LC_ERR_KEY_LEN);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    for (size_t len : key_lens) {
        EXPECT_EQ(lc_ctr_init_impl(&key, impl.name, raw.data(), len), LC_OK) << len;
        EXPECT_EQ(lc_ctr_init(&key, raw.data(), len), LC_OK) << len;
    }
}

TEST(CtrErrors, ImplementationNames)
{
    Bytes raw = Random(151).bytes(32);
    lc_ctr_key key;

    memset(&key, 0x5a, sizeof(key));
    for (const char *name :
         { "", ",", "ctr", "ctr-aes", "ctr-aes-portabl", "ctr-aes-portable,", "ctr-aes-portable ", " ctr-aes-portable",
           "CTR-AES-PORTABLE", "ctr=ctr-aes-portable", "ctr-aes-portable,ctr-aes-portable", "xts-aes-portable", "best" })
        EXPECT_EQ(lc_ctr_init_impl(&key, name, raw.data(), raw.size()), LC_ERR_IMPL) << name;
    for (const lc_impl_info &other : implementations("xts")) // no mode takes another one's
        EXPECT_EQ(lc_ctr_init_impl(&key, other.name, raw.data(), raw.size()), LC_ERR_IMPL) << other.name;
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0x5a));
    EXPECT_EQ(lc_ctr_init_impl(&key, PORTABLE, raw.data(), raw.size()), LC_OK);
}

// No bytes at all: nothing is touched, wherever the pointers point.
TEST_P(Ctr, NoData)
{
    Random random(152);
    CtrKey key(impl.name, random.bytes(32));
    Bytes src = random.bytes(64), dst(64, 0x5a), key_before = bytes_of(key.key), before;

    for (const char *iv : { "000102030405060708090a0b0c0d0e0f", "ffffffffffffffffffffffffffffffff" }) {
        lc_ctr_state state;

        lc_ctr_xor(key, dst.data(), src.data(), 0, from_hex(iv).data());
        lc_ctr_xor(key, nullptr, nullptr, 0, from_hex(iv).data());
        for (size_t first : { 0, 1, 15, 16 }) {
            Bytes discarded(first);

            lc_ctr_start(&state, from_hex(iv).data());
            lc_ctr_update(key, &state, discarded.data(), src.data(), first);
            before = bytes_of(state);
            lc_ctr_update(key, &state, dst.data(), src.data(), 0);
            lc_ctr_update(key, &state, nullptr, nullptr, 0);
            EXPECT_TRUE(same(before, bytes_of(state))) << first;
        }
    }
    EXPECT_TRUE(all_bytes(dst.data(), dst.size(), 0x5a));
    EXPECT_TRUE(same(key_before, bytes_of(key.key)));
}

TEST_P(Ctr, Wipe)
{
    Random random(153);
    Bytes raw = random.bytes(32), data = random.bytes(33);
    lc_ctr_state state;
    lc_ctr_key key;

    ASSERT_EQ(lc_ctr_init_impl(&key, impl.name, raw.data(), raw.size()), LC_OK);
    lc_ctr_start(&state, data.data());
    lc_ctr_update(&key, &state, data.data(), data.data(), 33);
    EXPECT_FALSE(all_bytes(&key, sizeof(key), 0));
    EXPECT_FALSE(all_bytes(state.keystream, sizeof(state.keystream), 0));
    lc_ctr_wipe(&key);
    lc_ctr_state_wipe(&state);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0));
}

// Starting anew goes on with nothing of the message before.
TEST_P(Ctr, StartForgets)
{
    Random random(154);
    CtrKey key(impl.name, random.bytes(32));
    Bytes data = random.bytes(40), iv = random.bytes(16), expected(40), dst(40);
    lc_ctr_state state;

    lc_ctr_xor(key, expected.data(), data.data(), 40, iv.data());
    lc_ctr_start(&state, data.data());
    lc_ctr_update(key, &state, dst.data(), data.data(), 37);
    lc_ctr_start(&state, iv.data());
    EXPECT_TRUE(same(iv.data(), state.counter, 16));
    lc_ctr_update(key, &state, dst.data(), data.data(), 40);
    EXPECT_TRUE(same(expected, dst));
}

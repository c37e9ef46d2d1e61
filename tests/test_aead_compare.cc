// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AEADs: whole messages with every implementation against the reference in <name>_support.cc, and that against libcrypto.
#include "aead_support.h"

// i chooses among the lengths of keys.
static void compare(const lc_impl_info &impl, Random &random, size_t i, size_t len, size_t aad_len,
                    size_t nonce_len = Mode::nonce_lens[0])
{
    ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, nth(Mode::key_lens, i), len, aad_len, nonce_len)));
}

TEST_P(Aead, AllShortLengths)
{
    Random random(10);

    for (size_t key = 0; key < std::size(Mode::key_lens); key++)
        for (size_t len = 0; len <= Mode::short_len; len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random, key, len, len % 37));
}

TEST_P(Aead, AllShortAadLengths)
{
    Random random(11);

    for (size_t len : { 0, 1, 16, 64, 256, 300, 368, 384 })
        for (size_t aad_len = 0; aad_len <= 300; aad_len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random, aad_len, len, aad_len));
    // GCM's rows hash up to 288, 304 or 576 bytes at once.
    for (size_t len : { 0, 16, 384 })
        for (size_t batch : { 288, 304, 576, 608, 1152 })
            for (size_t aad_len : { batch - 16, batch - 1, batch, batch + 1, batch + 16, batch + 63 })
                ASSERT_NO_FATAL_FAILURE(compare(impl, random, aad_len, len, aad_len));
}

TEST_P(Aead, TextAndAadLengthsTogether)
{
    Random random(12);

    for (size_t len = 0; len <= 66; len++)
        for (size_t aad_len = 0; aad_len <= 66; aad_len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random, len + aad_len, len, aad_len));
}

TEST_P(Aead, RandomLengths)
{
    Random random(13);

    for (size_t i = 0; i < 60; i++) {
        size_t len = random.below(i % 2 ? 70000 : 5000), aad_len = random.below(i % 4 < 2 ? 30 : 20000);

        ASSERT_NO_FATAL_FAILURE(compare(impl, random, i, len, aad_len, nth(Mode::nonce_lens, i % 3 ? 0 : i / 3)));
    }
}

TEST_P(Aead, LongLengths)
{
    Random random(14);

    for (size_t len : { 4096, 16384 })
        for (size_t d : { 0, 1, 15, 16, 31, 63, 64, 65, 256, 1023 })
            for (size_t l : { len + d, len - d })
                ASSERT_NO_FATAL_FAILURE(compare(impl, random, d, l, 13));
    // Each key up to where GCM's counters carry: what its rows do until then depends on the key.
    for (size_t key = 0; key < std::size(Mode::key_lens); key++)
        for (size_t len = 1100; len < 4112; len += len < 4048 ? 59 : 1)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random, key, len, 13));
    ASSERT_NO_FATAL_FAILURE(compare(impl, random, 0, 65536 + 3, 0));
}

// More than 2^16 blocks of each kind: counters and lengths that don't fit into 16 bits.
TEST_P(Aead, LongMessage)
{
    Random random(15);

    ASSERT_NO_FATAL_FAILURE(compare(impl, random, 2, (Mode::block_len << 16) + 333, 5));
    ASSERT_NO_FATAL_FAILURE(compare(impl, random, 0, 77, (16 << 16) + 333));
}

// Texts, AAD, keys and nonces of which all bits are alike: carries and sums that random ones don't have.
TEST_P(Aead, ExtremeBytes)
{
    for (size_t nonce_len : Mode::nonce_lens)
        for (size_t key_len : Mode::key_lens)
            for (size_t len : { 0, 16, 33, 64, 100, 128, 300, 1000, 1100 })
                for (unsigned which = 0; which < 16; which++) {
                    auto bytes = [which](size_t n, unsigned bit) { return Bytes(n, which >> bit & 1 ? 0xff : 0); };

                    ASSERT_NO_FATAL_FAILURE(
                        compare(impl, { bytes(key_len, 0), bytes(len, 1), bytes(len / 2, 2), bytes(nonce_len, 3) }));
                }
}

// The ciphertext is all ones, or all zeros: the authenticator gets blocks that random texts don't give.
TEST_P(Aead, ExtremeCiphertexts)
{
    Random random(16);

    for (size_t i = 0; i < 16; i++)
        for (size_t len : { 16, 64, 256, 512, 1024, 2048, 2100 }) {
            Message m = random_message(random, nth(Mode::key_lens, i), 0, 0);

            m.src.assign(len, i % 2 ? 0xff : 0);
            m.src = reference::seal(m).ct; // what is encrypted twice is decrypted
            m.aad.assign(i % 3 * 32, i % 4 < 2 ? 0xff : 0);
            ASSERT_NO_FATAL_FAILURE(compare(impl, m));
        }
}

// Every length of tag is the beginning of the longest, and is enough to open the message.
TEST_P(Aead, TagLengths)
{
    Random random(17);

    for (size_t len = 0; len <= 40; len++) {
        Message m = random_message(random, nth(Mode::key_lens, len), len, len % 20);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t tag_len : Mode::tag_lens) {
            Bytes dst(len), tag(16, 0x5a), opened(len);

            ASSERT_EQ(crypt(true, key, dst.data(), m.src.data(), tag.data(), tag_len, m), LC_OK);
            ASSERT_TRUE(same(expected.ct, dst));
            ASSERT_TRUE(same(expected.tag.data(), tag.data(), tag_len)) << tag_len;
            ASSERT_TRUE(all_bytes(tag.data() + tag_len, 16 - tag_len, 0x5a)) << tag_len;
            ASSERT_EQ(crypt(false, key, opened.data(), dst.data(), tag.data(), tag_len, m), LC_OK);
            ASSERT_TRUE(same(m.src, opened));
        }
    }
}

// Two keys of two implementations in turn
TEST_P(Aead, TwoImplementationsSideBySide)
{
    for (const lc_impl_info &other : implementations(mode_under_test)) {
        Random random(18);
        Message a = random_message(random, nth(Mode::key_lens, 2), 1000, 30);
        Message b = random_message(random, Mode::key_lens[0], 500, 10, nth(Mode::nonce_lens, 1));

        if (other.needs & ~lc_cpu_features())
            continue; // has its own, loud skip
        AeadKey key_a(impl.name, a.raw), key_b(other.name, b.raw);

        SCOPED_TRACE(other.name);
        EXPECT_STREQ(Mode::impl_name(key_a), impl.name);
        EXPECT_STREQ(Mode::impl_name(key_b), other.name);
        for (int i = 0; i < 3; i++) {
            EXPECT_TRUE(both_ways(key_a, a, reference::seal(a)));
            EXPECT_TRUE(both_ways(key_b, b, reference::seal(b)));
        }
    }
}

TEST_P(Aead, CopiedKey)
{
    Random random(19);
    Message m = random_message(random, 32, 777, 21);
    AeadKey *original = new AeadKey(impl.name, m.raw);
    Mode::Key copy;

    memcpy(&copy, &original->key, sizeof(copy));
    Mode::wipe(&original->key);
    delete original;
    EXPECT_STREQ(Mode::impl_name(&copy), impl.name);
    EXPECT_TRUE(both_ways(&copy, m, reference::seal(m)));
    Mode::wipe(&copy);
}

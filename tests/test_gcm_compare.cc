// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-GCM: whole messages with every implementation against the reference in gcm_support.cc, and that against libcrypto.
#include "gcm_support.h"

static void compare(const lc_impl_info &impl, const Message &m)
{
    GcmKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);

    SCOPED_TRACE(std::to_string(m.raw.size()) + ", text " + std::to_string(m.src.size()) + ", AAD " + std::to_string(m.aad.size()) +
                 ", nonce " + std::to_string(m.nonce.size()));
    ASSERT_TRUE(same(by_libcrypto(m, expected), expected)) << "the reference itself";
    ASSERT_TRUE(both_ways(key, m, expected));
}

TEST_P(Gcm, AllShortLengths)
{
    Random random(10);

    for (size_t key_len : key_lens)
        for (size_t len = 0; len <= 1100; len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, key_len, len, len % 37)));
}

TEST_P(Gcm, AllShortAadLengths)
{
    Random random(11);

    for (size_t len : { 0, 1, 16, 100, 300 })
        for (size_t aad_len = 0; aad_len <= 300; aad_len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, key_lens[aad_len % 3], len, aad_len)));
}

TEST_P(Gcm, TextAndAadLengthsTogether)
{
    Random random(12);

    for (size_t len = 0; len <= 66; len++)
        for (size_t aad_len = 0; aad_len <= 66; aad_len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, key_lens[(len + aad_len) % 3], len, aad_len)));
}

TEST_P(Gcm, RandomLengths)
{
    Random random(13);

    for (size_t i = 0; i < 60; i++) {
        size_t len = random.below(i % 2 ? 70000 : 5000), aad_len = random.below(i % 4 < 2 ? 30 : 20000);

        ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, key_lens[i % 3], len, aad_len)));
    }
}

// More than 2^16 blocks of each: counters and lengths that don't fit into 16 bits.
TEST_P(Gcm, LongMessage)
{
    Random random(14);

    ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, 32, (16 << 16) + 333, 5)));
    ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, 16, 77, (16 << 16) + 333)));
}

TEST_P(Gcm, NonceLengths)
{
    Random random(15);

    for (size_t nonce_len = 1; nonce_len <= 600; nonce_len = nonce_len == 130 ? 600 : nonce_len + 1)
        for (size_t key_len : key_lens)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, key_len, 50, 20, nonce_len)));
}

// Texts, AAD and keys of which all bits are alike: carries and sums that random ones don't have.
TEST_P(Gcm, ExtremeBytes)
{
    for (size_t key_len : key_lens)
        for (size_t len : { 0, 16, 33, 128, 1000 })
            for (unsigned which = 0; which < 16; which++) {
                auto bytes = [which](size_t n, unsigned bit) { return Bytes(n, which >> bit & 1 ? 0xff : 0); };

                ASSERT_NO_FATAL_FAILURE(compare(impl, { bytes(key_len, 0), bytes(len, 1), bytes(len / 2, 2), bytes(12, 3) }));
            }
}

// The 16-byte nonce of a J0: J0 = (N * H ^ L) * H, where L is the block with the nonce's length.
static Bytes nonce_of(const Bytes &raw, const reference::Block &j0)
{
    reference::Block h1 = reference::inverse(reference::hash_key(raw)), n = reference::multiply(j0, h1);

    n.lo ^= 128;
    return reference::store(reference::multiply(n, h1));
}

TEST_P(Gcm, TheReferenceInverts)
{
    for (size_t i = 0; i < 10; i++) {
        Bytes raw = Random(100 + i).bytes(16);
        reference::Block h = reference::hash_key(raw), one = { UINT64_C(1) << 63, 0 };

        ASSERT_TRUE(reference::multiply(h, reference::inverse(h)) == one);
    }
}

// 32 bits are counted: the block behind ...ffffffff is ...00000000, with the same 12 bytes in front.  Nearly all distances from
// the start of a message to the wrap, so that it falls on every place in a group of blocks.
TEST_P(Gcm, CounterWraps)
{
    Random random(16);
    Bytes raw = random.bytes(32), src = random.bytes(600), aad = random.bytes(20);

    for (uint64_t before = 0; before <= 70; before++) // blocks with counters before the wrap, J0 included
        for (uint64_t above : { UINT64_C(0), UINT64_C(0xffffffff), random.next() >> 32 }) {
            uint32_t last = static_cast<uint32_t>(0 - before);
            reference::Block j0 = { above ? ~UINT64_C(0) : random.next(), above << 32 | last };
            Message m = { raw, src, aad, nonce_of(raw, j0) };

            m.src.resize(before % 2 ? 600 : 37 + 16 * before % 512);
            ASSERT_NO_FATAL_FAILURE(compare(impl, m)) << before;
        }
}

// As above, where counters that are kept as little-endian bytes or words would carry too far or not far enough.
TEST_P(Gcm, CounterCarries)
{
    Random random(17);
    Bytes raw = random.bytes(16), src = random.bytes(700);

    for (uint64_t at : { UINT64_C(0x100), UINT64_C(0x10000), UINT64_C(0x1000000), UINT64_C(0x7f000000), UINT64_C(0x80000000) })
        for (uint64_t before = 0; before <= 40; before++) {
            reference::Block j0 = { random.next(), UINT64_C(0xffffffff) << 32 | (at - before) };

            ASSERT_NO_FATAL_FAILURE(compare(impl, { raw, src, {}, nonce_of(raw, j0) }));
        }
}

// Every length of tag is the beginning of the longest, and is enough to open the message.
TEST_P(Gcm, TagLengths)
{
    Random random(18);

    for (size_t len = 0; len <= 40; len++) {
        Message m = random_message(random, key_lens[len % 3], len, len % 20);
        GcmKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (size_t tag_len : tag_lens) {
            Bytes dst(len), tag(16, 0x5a), opened(len);

            ASSERT_EQ(lc_gcm_seal(key, dst.data(), tag.data(), tag_len, m.src.data(), len, m.aad.data(), m.aad.size(),
                                  m.nonce.data(), 12),
                      LC_OK);
            ASSERT_TRUE(same(expected.ct, dst));
            ASSERT_TRUE(same(expected.tag.data(), tag.data(), tag_len)) << tag_len;
            ASSERT_TRUE(all_bytes(tag.data() + tag_len, 16 - tag_len, 0x5a)) << tag_len;
            ASSERT_EQ(lc_gcm_open(key, opened.data(), dst.data(), len, tag.data(), tag_len, m.aad.data(), m.aad.size(),
                                  m.nonce.data(), 12),
                      LC_OK);
            ASSERT_TRUE(same(m.src, opened));
        }
    }
}

// Two keys of two implementations in turn
TEST_P(Gcm, TwoImplementationsSideBySide)
{
    for (const lc_impl_info &other : implementations("gcm")) {
        Random random(19);
        Message a = random_message(random, 32, 1000, 30), b = random_message(random, 16, 500, 10);

        if (other.needs & ~lc_cpu_features())
            continue; // has its own, loud skip
        GcmKey key_a(impl.name, a.raw), key_b(other.name, b.raw);

        SCOPED_TRACE(other.name);
        EXPECT_STREQ(lc_gcm_impl_name(key_a), impl.name);
        EXPECT_STREQ(lc_gcm_impl_name(key_b), other.name);
        for (int i = 0; i < 3; i++) {
            EXPECT_TRUE(both_ways(key_a, a, reference::seal(a)));
            EXPECT_TRUE(both_ways(key_b, b, reference::seal(b)));
        }
    }
}

TEST_P(Gcm, CopiedKey)
{
    Random random(20);
    Message m = random_message(random, 32, 777, 21);
    GcmKey *original = new GcmKey(impl.name, m.raw);
    lc_gcm_key copy;

    memcpy(&copy, &original->key, sizeof(copy));
    lc_gcm_wipe(&original->key);
    delete original;
    EXPECT_STREQ(lc_gcm_impl_name(&copy), impl.name);
    EXPECT_TRUE(both_ways(&copy, m, reference::seal(m)));
    lc_gcm_wipe(&copy);
}

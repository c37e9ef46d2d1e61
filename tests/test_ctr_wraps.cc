// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-CTR: counters that carry, and round to 0, at every place of a call.  The portable implementation is called for each block by
// itself, with counters that the tests have added up, so that no addition of the library is its own measure; and libcrypto is
// asked.
#include "ctr_support.h"

// Data that is encrypted under counters around a carry: as a whole, in two calls, byte by byte around the carry, in place.
static void check(const lc_impl_info &impl, const Bytes &raw, const Bytes &iv, size_t len, size_t carry_block, Random &random)
{
    CtrKey key(impl.name, raw), portable(PORTABLE, raw);
    Bytes src = random.bytes(len), expected = crypt_block_by_block(portable, src, iv), dst = src;

    ASSERT_TRUE(same(by_libcrypto(raw, src, iv, expected), expected)) << "portable, block by block";
    ASSERT_TRUE(same(expected, crypt(key, src, iv)));
    lc_ctr_xor(key, dst.data(), dst.data(), len, iv.data());
    ASSERT_TRUE(same(expected, dst)) << "in place";
    for (size_t at : { 16 * carry_block, 16 * carry_block + 1, 16 * carry_block - 1, len / 2, size_t{ 1 } })
        if (at <= len) { // 0 - 1 isn't
            ASSERT_TRUE(same(expected, crypt_in_pieces(key, src, iv, { at }))) << "in pieces: " << at;
        }
}

// A counter of which `bits` low bits are 1s `blocks` blocks on, so that the one after it carries out of them.
static Bytes carries_behind(size_t blocks, size_t bits, Random &random)
{
    Bytes last = random.bytes(16);

    for (size_t i = 0; i < bits; i++)
        last[15 - i / 8] |= static_cast<uint8_t>(1 << i % 8);
    if (bits < 128)
        last[15 - bits / 8] &= static_cast<uint8_t>(~(1 << bits % 8)); // and no further
    return counter_minus(last, blocks);
}

// Block k is the first one after the carry.  Lengths: to within that block, to its end, and far after it.
static void check_all_places(const lc_impl_info &impl, size_t bits, size_t first_k, size_t last_k, Random &random)
{
    for (size_t k = first_k; k <= last_k; k++)
        for (size_t len : { 16 * k, 16 * k + 1, 16 * k + 16, 16 * k + 200, 16 * k + 1035 }) {
            Bytes raw = random.bytes(key_lens[(k + len) % 3]);
            Bytes iv = k ? carries_behind(k - 1, bits, random) : counter_plus(carries_behind(0, bits, random), 1);

            SCOPED_TRACE("block " + std::to_string(k) + " of " + std::to_string(len) + " bytes, iv " + to_hex(iv.data(), 16));
            ASSERT_NO_FATAL_FAILURE(check(impl, raw, iv, len, k, random));
        }
}

TEST_P(Ctr, LowHalfWraps)
{
    Random random(130);

    check_all_places(impl, 64, 0, 40, random);
}

// Groups have 8, 16 or 32 blocks (8 vectors), and are followed by 4, 2 and 1 vectors.
TEST_P(Ctr, LowHalfWrapsAroundGroups)
{
    Random random(131);

    for (size_t group : { 48, 56, 64, 72, 96, 128, 256, 1024 })
        ASSERT_NO_FATAL_FAILURE(check_all_places(impl, 64, group - 5, group + 5, random));
}

TEST_P(Ctr, Low32BitsWrap)
{
    Random random(132);

    check_all_places(impl, 32, 0, 40, random);
}

TEST_P(Ctr, WholeCounterWraps)
{
    Random random(133);

    check_all_places(impl, 128, 0, 40, random);
    for (size_t group : { 64, 128 })
        ASSERT_NO_FATAL_FAILURE(check_all_places(impl, 128, group - 5, group + 5, random));
}

// From any bit into the next one, with the carry at some places of a call.
TEST_P(Ctr, EveryBitCarries)
{
    Random random(134);

    for (size_t bits = 0; bits <= 128; bits++)
        for (size_t k : { 1, 2, 3, 7, 8, 9, 17, 33 })
            ASSERT_NO_FATAL_FAILURE(check_all_places(impl, bits, k, k, random)) << bits;
}

// The extremes by themselves.
TEST_P(Ctr, FirstAndLastCounters)
{
    Random random(135);

    for (const char *iv :
         { "00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff", "0000000000000000ffffffffffffffff",
           "ffffffffffffffff0000000000000000", "ffffffffffffffffffffffff00000000", "00000000000000000000000100000000",
           "7fffffffffffffffffffffffffffffff", "00000000000000007fffffffffffffff", "fffffffffffffffeffffffffffffffff",
           "80000000000000008000000000000000" })
        for (size_t len : { 0, 1, 15, 16, 17, 31, 32, 64, 128, 129, 256, 512, 513, 1100 }) {
            SCOPED_TRACE(iv);
            ASSERT_NO_FATAL_FAILURE(check(impl, random.bytes(key_lens[len % 3]), from_hex(iv), len, 1, random)) << len;
        }
}

// A long message that wraps far inside.
TEST_P(Ctr, LongMessagesWrap)
{
    Random random(136);

    for (size_t bits : { 16, 32, 64, 128 })
        ASSERT_NO_FATAL_FAILURE(check_all_places(impl, bits, 5000, 5000, random));
}

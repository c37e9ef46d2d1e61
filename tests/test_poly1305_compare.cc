// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Poly1305: every implementation against the reference in chacha_support.cc, and that against libcrypto; in one call, in pieces,
// and with sums, keys and messages made so that carries meet all ones.
#include <algorithm>

#include "poly1305_support.h"

using reference::Number;

static void compare(const lc_impl_info &impl, const Bytes &raw, const Bytes &msg)
{
    Bytes expected = reference::poly1305(raw, msg), tag(16);

    SCOPED_TRACE(std::to_string(msg.size()) + " bytes, key " + to_hex(raw.data(), 32));
    ASSERT_TRUE(same(poly1305_by_libcrypto(raw, msg, expected), expected)) << "the reference itself";
    ASSERT_TRUE(same(expected, tag_of(impl, raw, msg, {})));
    ASSERT_EQ(lc_poly1305(tag.data(), msg.data(), msg.size(), raw.data()), LC_OK);
    ASSERT_TRUE(same(expected, tag)) << "in one call";
}

TEST_P(Poly1305, AllShortLengths)
{
    Random random(240);

    for (size_t len = 0; len <= 1100; len++)
        ASSERT_NO_FATAL_FAILURE(compare(impl, random.bytes(32), random.bytes(len)));
}

TEST_P(Poly1305, LongLengths)
{
    Random random(241);

    for (size_t len : { 2048, 4096, 16384 })
        for (size_t d : { 0, 1, 15, 16, 17, 64, 255 })
            for (size_t l : { len + d, len - d })
                ASSERT_NO_FATAL_FAILURE(compare(impl, random.bytes(32), random.bytes(l)));
    ASSERT_NO_FATAL_FAILURE(compare(impl, random.bytes(32), random.bytes(65536 + 3)));
    ASSERT_NO_FATAL_FAILURE(compare(impl, random.bytes(32), random.bytes((16 << 16) + 333)));
}

// ---- In pieces ----

TEST_P(Poly1305, EverySplit)
{
    Random random(242);

    for (size_t len = 0; len <= 300; len++) {
        Bytes raw = random.bytes(32), msg = random.bytes(len), expected = reference::poly1305(raw, msg);

        for (size_t at = 0; at <= len; at++)
            ASSERT_TRUE(same(expected, tag_of(impl, raw, msg, { at }))) << len << " at " << at;
    }
}

TEST_P(Poly1305, EverySplitInThree)
{
    Random random(243);

    for (size_t len : { 31, 33, 64, 100, 160 }) {
        Bytes raw = random.bytes(32), msg = random.bytes(len), expected = reference::poly1305(raw, msg);

        for (size_t i = 0; i <= len; i++)
            for (size_t j = i; j <= len; j++)
                ASSERT_TRUE(same(expected, tag_of(impl, raw, msg, { i, j - i }))) << len << " at " << i << ", " << j;
    }
}

// Calls for few blocks before, between and after calls for many: powers of r that are there already, or not yet
TEST_P(Poly1305, ShortAndLongPieces)
{
    static const size_t lens[] = { 0, 16, 32, 63, 64, 128, 240, 256, 512, 1024, 1040 };
    Random random(244);
    Bytes raw = random.bytes(32), msg = random.bytes(3 * 1040);

    for (size_t a : lens)
        for (size_t b : lens)
            for (size_t c : lens) {
                msg.resize(a + b + c);
                random.fill(msg.data(), std::min(msg.size(), size_t{ 16 }));
                ASSERT_TRUE(same(reference::poly1305(raw, msg), tag_of(impl, raw, msg, { a, b, c })))
                    << a << ", " << b << ", " << c;
            }
}

TEST_P(Poly1305, PiecesOfOneLength)
{
    Random random(245);
    Bytes raw = random.bytes(32), msg = random.bytes(3000), expected = reference::poly1305(raw, msg);

    for (size_t piece = 1; piece <= 700; piece += piece < 140 ? 1 : 31)
        ASSERT_TRUE(same(expected, tag_of(impl, raw, msg, std::vector<size_t>(3000 / piece, piece)))) << piece;
}

TEST_P(Poly1305, RandomPieces)
{
    Random random(246);

    for (size_t i = 0; i < 200; i++) {
        Bytes raw = random.bytes(32), msg = random.bytes(random.below(9000));

        ASSERT_TRUE(same(reference::poly1305(raw, msg), tag_of(impl, raw, msg, random_pieces(random, msg.size())))) << i;
    }
}

// ---- Extremes ----

// A key of this r, with s = 0
static Bytes key_with(const Bytes &r)
{
    Bytes raw = r;

    raw.resize(32);
    return raw;
}

static std::vector<Bytes> extreme_rs()
{
    std::vector<Bytes> rs = { Bytes(16, 0xff) }; // all bits that clamping leaves

    for (const char *hex :
         { "00000000000000000000000000000000", "01000000000000000000000000000000", "02000000000000000000000000000000",
           "04000000000000000000000000000000", "05000000000000000000000000000000", "00000000000000000000000000000008",
           "ffffff0f000000000000000000000000", "0000000000000000fcffff0ffcffff0f", "000000000000000000000000fcffff0f",
           "ffffff0ffcffff0ffcffff0f00000000", "ffffff03000000000000000000000000", "000000fc0f0000000000000000000000" })
        rs.push_back(from_hex(hex));
    for (uint64_t seed = 0; seed < 4; seed++)
        rs.push_back(Random(seed).bytes(16));
    return rs;
}

// Messages and r of few different bytes, in all lengths that have other code
TEST_P(Poly1305, ExtremeBytes)
{
    for (const Bytes &r : extreme_rs())
        for (uint8_t s : { 0x00, 0xff })
            for (uint8_t byte : { 0xff, 0x00, 0xfe, 0x80 })
                for (size_t len = 0; len <= 1040; len += len < 66 ? 1 : 13) {
                    Bytes raw = r, msg(len, byte);

                    raw.resize(32, s);
                    ASSERT_TRUE(same(reference::poly1305(raw, msg), tag_of(impl, raw, msg, {})))
                        << to_hex(raw.data(), 32) << ", " << len;
                }
}

// Blocks of all ones and of zeros in all orders: each lane of a vector gets each
TEST_P(Poly1305, ExtremeBlocks)
{
    for (const Bytes &r : extreme_rs())
        for (unsigned which = 0; which < 256; which++) {
            Bytes msg;

            for (unsigned i = 0; i < 32; i++)
                msg.resize(msg.size() + 16, which >> i % 8 & 1 ? 0xff : 0);
            ASSERT_TRUE(same(reference::poly1305(key_with(r), msg), tag_of(impl, key_with(r), msg, {}))) << which;
        }
}

// The sum after the last block is exactly this: around p (where the final reduction must and must not subtract), and where words
// and limbs of 26, 44 and 52 bits end.  A last block is looked for that makes it so after others, which are random.
TEST_P(Poly1305, ExtremeSums)
{
    const Number zero = { { 0, 0, 0 } }, pad = { { 0, 0, 1 } };
    std::vector<Number> sums;
    Random random(247);

    for (uint64_t d = 0; d < 12; d++) {
        sums.push_back({ { d, 0, 0 } });
        sums.push_back(reference::subtract(zero, { { d + 1, 0, 0 } }));
    }
    for (int bit : { 26, 44, 52, 64, 78, 88, 104, 128, 129 }) {
        Number power = zero;

        power.w[bit / 64] = UINT64_C(1) << bit % 64;
        for (uint64_t d : { 0, 1, 5 }) {
            sums.push_back(reference::subtract(power, { { d, 0, 0 } }));
            sums.push_back(reference::add(power, { { d, 0, 0 } }));
        }
    }
    for (const Bytes &r : extreme_rs()) {
        Bytes raw = key_with(r);
        const Number number = reference::clamped_r(raw), inverse = reference::inverse(number);

        if (number == zero)
            continue;
        for (size_t i = 0; i < sums.size(); i++) {
            Bytes msg(16 * (4 + (7 * i + r[0]) % 40)); // so that the last block is at any place of a group
            const Number before_r = reference::multiply(sums[i], inverse);
            Number last;

            do { // a quarter of them fits
                random.fill(msg.data(), msg.size());
                last = reference::subtract(reference::subtract(before_r, reference::poly1305_sum(raw, msg)), pad);
            } while (last.w[2] != 0);
            for (size_t j = 0; j < 16; j++)
                msg.push_back(static_cast<uint8_t>(last.w[j / 8] >> 8 * (j % 8)));
            ASSERT_TRUE(reference::poly1305_sum(raw, msg) == sums[i]) << "this test is broken";
            for (uint8_t s : { 0x00, 0x01, 0xff }) {
                std::fill(raw.begin() + 16, raw.end(), s);
                ASSERT_TRUE(same(reference::poly1305(raw, msg), tag_of(impl, raw, msg, {})))
                    << i << ", key " << to_hex(raw.data(), 32) << ", " << to_hex(msg.data(), msg.size());
            }
            std::fill(raw.begin() + 16, raw.end(), uint8_t{ 0 });
        }
    }
}

// Calls go on from any sum below 2^131 (src/poly1305_internal.h says what they may get), and leave one.
TEST_P(Poly1305, ExtremeBeginnings)
{
    static const uint64_t words[] = { 0, 1, UINT64_C(0xfffffffffffffffa), UINT64_C(0xfffffffffffffffb),
                                      UINT64_C(0xffffffffffffffff) };
    Random random(248);
    Bytes text = random.bytes(1024);

    for (const Bytes &r : extreme_rs())
        for (uint64_t high : { 0, 3, 4, 7 })
            for (uint64_t middle : words)
                for (uint64_t low : words)
                    for (size_t len : { 16, 64, 256, 512, 1024 }) {
                        const Number h = { { low, middle, high } };
                        Bytes msg(text.begin(), text.begin() + static_cast<long>(len)), raw = key_with(r);
                        lc_poly1305_state state;

                        if (len > 256 && (low != words[4] || middle != words[4]))
                            continue; // takes too long
                        must(lc_poly1305_start_impl(&state, impl.name, raw.data()), "lc_poly1305_start_impl()");
                        std::copy_n(h.w, 3, state.h);
                        lc_poly1305_update(&state, msg.data(), len);
                        ASSERT_LT(state.h[2], 8u);
                        ASSERT_TRUE(reference::reduce({ { state.h[0], state.h[1], state.h[2] } }) ==
                                    reference::poly1305_sum(raw, msg, h))
                            << to_hex(r.data(), 16) << ", " << len;
                    }
}

// s and the sum add up to 2^128 and more, and words of the sum carry.
TEST_P(Poly1305, FinalCarry)
{
    Random random(249);

    for (size_t i = 0; i < 500; i++) {
        Bytes raw = random.bytes(32), msg = random.bytes(random.below(64));

        std::fill(raw.begin() + 16, raw.begin() + 16 + static_cast<long>(i % 17), uint8_t{ 0xff });
        ASSERT_TRUE(same(reference::poly1305(raw, msg), tag_of(impl, raw, msg, {}))) << i;
    }
}

TEST_P(Poly1305, EveryBitCounts)
{
    Random random(250);
    Bytes raw = random.bytes(32), msg = random.bytes(70);

    for (Bytes *bytes : { &raw, &msg })
        for (size_t bit = 0; bit < 8 * bytes->size(); bit++) {
            Bytes before = tag_of(impl, raw, msg, {});

            flip(bytes, bit);
            Bytes after = tag_of(impl, raw, msg, {});
            ASSERT_TRUE(same(reference::poly1305(raw, msg), after)) << bit;
            if (bytes == &msg) {
                ASSERT_NE(before, after) << bit;
            }
            flip(bytes, bit);
        }
    // a message isn't one with zeros after it
    msg.resize(64);
    Bytes longer = msg;
    longer.push_back(0);
    EXPECT_NE(tag_of(impl, raw, msg, {}), tag_of(impl, raw, longer, {}));
}

// The number arithmetic that the tests above rely on
TEST(Poly1305Reference, Arithmetic)
{
    Random random(251);

    for (size_t i = 0; i < 100; i++) {
        Number a = reference::reduce({ { random.next(), random.next(), random.next() & 3 } });
        Number b = reference::reduce({ { random.next(), random.next(), random.next() & 3 } }), one = { { 1, 0, 0 } };

        ASSERT_TRUE(reference::multiply(a, reference::inverse(a)) == one);
        ASSERT_TRUE(reference::subtract(reference::add(a, b), b) == a);
        ASSERT_TRUE(reference::multiply(a, b) == reference::multiply(b, a));
        ASSERT_TRUE(reference::add(reference::multiply(a, b), b) == reference::multiply(reference::add(a, one), b));
    }
    // 2^130 is 5
    EXPECT_TRUE(reference::multiply({ { 0, 2, 0 } }, { { 0, 1, 0 } }) == reference::Number({ { 0, 0, 2 } }));
    EXPECT_TRUE(reference::multiply({ { 0, 0, 2 } }, { { 2, 0, 0 } }) == reference::Number({ { 5, 0, 0 } }));
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-XTS: every implementation against the portable one and against libcrypto, every way of calling against the simplest one.
#include <algorithm>
#include <stdexcept>

#include "xts_support.h"

#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

// A second opinion; for AES-192 libcrypto has none, and in cross builds there is no libcrypto (tests/CMakeLists.txt says so).
static Bytes by_libcrypto(bool encrypt, const Bytes &raw, const Bytes &src, const Bytes &iv, const Bytes &otherwise)
{
#ifdef HAVE_LIBCRYPTO
    if (raw.size() != 48)
        return Libcrypto::xts(raw, encrypt).crypt(src.data(), src.size(), iv.data());
#endif
    (void)encrypt, (void)raw, (void)src, (void)iv;
    return otherwise;
}

static void compare(const lc_impl_info &impl, size_t key_len, size_t len, Random &random)
{
    Bytes raw = random.bytes(key_len), src = random.bytes(len), iv = random.bytes(16);
    XtsKey key(impl.name, raw), portable(PORTABLE, raw);

    for (bool encrypt : both_directions) {
        Bytes expected = crypt(encrypt, portable, src, iv);

        ASSERT_TRUE(same(by_libcrypto(encrypt, raw, src, iv, expected), expected)) << "portable, " << key_len << ", " << len;
        ASSERT_TRUE(same(expected, crypt(encrypt, key, src, iv))) << encrypt << ", key of " << key_len << ", data of " << len;
    }
}

TEST_P(Xts, AllShortLengths)
{
    Random random(10);

    for (size_t key_len : key_lens)
        for (size_t len = 16; len <= 1100; len++)
            ASSERT_NO_FATAL_FAILURE(compare(impl, key_len, len, random));
}

TEST_P(Xts, RandomLengths)
{
    Random random(11);

    for (int i = 0; i < 200; i++)
        ASSERT_NO_FATAL_FAILURE(compare(impl, key_lens[i % 3], 1101 + random.below(70000 - 1100), random));
}

TEST_P(Xts, LongestUnit)
{
    Random random(12);

    ASSERT_NO_FATAL_FAILURE(compare(impl, 64, LC_XTS_MAX_LEN, random));
}

// Tweaks with one bit set, with one bit clear, and of 1s alone: random ones meet each carry in half the cases only, and long
// runs of equal bits never.  The state's tweak is written directly, after the stream's first block.
TEST_P(Xts, ExtremeTweaks)
{
    Random random(13);
    Bytes raw = random.bytes(64), src = random.bytes(2048);
    XtsKey key(impl.name, raw), portable(PORTABLE, raw);

    for (size_t i = 0; i <= 256; i++)
        for (bool encrypt : both_directions) {
            Bytes expected(src.size()), actual(src.size());
            lc_xts_state s = {}, t;

            lc_xts_start(&s, src.data());
            ASSERT_EQ(crypt_update(encrypt, portable, &s, expected.data(), src.data(), 16), LC_OK);
            memset(s.tweak, i < 128 ? 0 : 0xff, 16);
            if (i < 256)
                s.tweak[i % 128 / 8] ^= static_cast<uint8_t>(1 << i % 8);
            t = s;
            ASSERT_EQ(crypt_update(encrypt, portable, &s, expected.data(), src.data(), src.size()), LC_OK);
            ASSERT_EQ(crypt_update(encrypt, key, &t, actual.data(), src.data(), src.size()), LC_OK);
            ASSERT_TRUE(same(expected, actual)) << i;
            ASSERT_TRUE(same(s.tweak, t.tweak, 16)) << i;
        }
}

// ---- One unit over several calls ----

// Some lengths of pieces, all but the last multiples of 16; returns whether all was as in one call.
static ::testing::AssertionResult pieces(bool encrypt, const lc_xts_key *key, const Bytes &src, const Bytes &expected,
                                         const Bytes &iv, const std::vector<size_t> &lens)
{
    Bytes dst(src.size());
    lc_xts_state state;
    size_t done = 0;

    lc_xts_start(&state, iv.data());
    for (size_t len : lens) {
        if (crypt_update(encrypt, key, &state, dst.data() + done, src.data() + done, len) != LC_OK)
            return ::testing::AssertionFailure() << "refused a piece of " << len << " at " << done;
        done += len;
    }
    if (done != src.size())
        return ::testing::AssertionFailure() << "this test is broken: pieces of " << done << " bytes";
    return same(expected, dst);
}

TEST_P(Xts, SplitAtEveryBlock)
{
    Random random(20);

    for (size_t key_len : key_lens) {
        Bytes raw = random.bytes(key_len), iv = random.bytes(16);
        XtsKey key(impl.name, raw), portable(PORTABLE, raw);

        for (size_t num_blocks = 1; num_blocks <= 40; num_blocks++)
            for (size_t tail : { 0, 1, 7, 15 }) {
                Bytes src = random.bytes(16 * num_blocks + tail);

                for (bool encrypt : both_directions) {
                    Bytes expected = crypt(encrypt, portable, src, iv);

                    for (size_t at = 0; at + 16 <= src.size(); at += 16)
                        ASSERT_TRUE(pieces(encrypt, key, src, expected, iv, { at, src.size() - at })) << src.size() << " at " << at;
                    if (tail == 0) {
                        ASSERT_TRUE(pieces(encrypt, key, src, expected, iv, { src.size(), 0 })) << src.size();
                    }
                }
            }
    }
}

TEST_P(Xts, SplitAtRandom)
{
    Random random(21);

    for (int i = 0; i < 500; i++) {
        Bytes raw = random.bytes(key_lens[i % 3]), src = random.bytes(16 + random.below(6000)), iv = random.bytes(16);
        XtsKey key(impl.name, raw), portable(PORTABLE, raw);

        for (bool encrypt : both_directions) {
            std::vector<size_t> lens;
            size_t left = src.size();

            while (left >= 32) {
                size_t n = 16 * random.below(1 + std::min(left / 16 - 1, random.below(2) ? size_t{ 100 } : size_t{ 6 }));

                lens.push_back(n); // empty ones too
                left -= n;
                if (random.below(20) == 0)
                    break;
            }
            lens.push_back(left);
            ASSERT_TRUE(pieces(encrypt, key, src, crypt(encrypt, portable, src, iv), iv, lens)) << i;
        }
    }
}

// Calls of two streams with two keys of two implementations, in turn; and one stream that changes its implementation midway.
TEST_P(Xts, TwoImplementationsSideBySide)
{
    for (const lc_impl_info &other : implementations("xts")) {
        Random random(22);
        Bytes raw[2] = { random.bytes(64), random.bytes(32) }, src = random.bytes(1000), iv = random.bytes(16);
        XtsKey a(impl.name, raw[0]), a_portable(PORTABLE, raw[0]), b_portable(PORTABLE, raw[1]);
        Bytes dst[3] = { Bytes(1000), Bytes(1000), Bytes(1000) };
        lc_xts_state state[3];

        if (other.needs & ~lc_cpu_features())
            continue; // has its own, loud skip
        XtsKey b(other.name, raw[1]), a_by_other(other.name, raw[0]);

        SCOPED_TRACE(other.name);
        EXPECT_STREQ(lc_xts_impl_name(a), impl.name);
        EXPECT_STREQ(lc_xts_impl_name(b), other.name);
        for (lc_xts_state &s : state)
            lc_xts_start(&s, iv.data());
        for (size_t at = 0; at < 1000;) {
            size_t n = at + 144 + 16 > 1000 ? 1000 - at : 144;

            ASSERT_EQ(lc_xts_encrypt_update(a, &state[0], &dst[0][at], &src[at], n), LC_OK);
            ASSERT_EQ(lc_xts_decrypt_update(b, &state[1], &dst[1][at], &src[at], n), LC_OK);
            ASSERT_EQ(lc_xts_encrypt_update(at / 144 % 2 ? a : a_by_other, &state[2], &dst[2][at], &src[at], n), LC_OK);
            at += n;
        }
        EXPECT_TRUE(same(crypt(true, a_portable, src, iv), dst[0]));
        EXPECT_TRUE(same(crypt(false, b_portable, src, iv), dst[1]));
        EXPECT_TRUE(same(crypt(true, a_portable, src, iv), dst[2]));
    }
}

TEST_P(Xts, CopiedKey)
{
    Random random(23);
    Bytes raw = random.bytes(64), src = random.bytes(777), iv = random.bytes(16);
    XtsKey portable(PORTABLE, raw), *original = new XtsKey(impl.name, raw);
    lc_xts_key copy;

    memcpy(&copy, &original->key, sizeof(copy));
    lc_xts_wipe(&original->key);
    delete original;
    EXPECT_STREQ(lc_xts_impl_name(&copy), impl.name);
    for (bool encrypt : both_directions)
        EXPECT_TRUE(same(crypt(encrypt, portable, src, iv), crypt(encrypt, &copy, src, iv)));
    lc_xts_wipe(&copy);
}

// ---- Sectors ----

static const size_t sector_lens[] = { 16,  17,  31,  32,  33,  48,  64,  100,  128,  176,  181,  255,
                                      256, 260, 272, 448, 512, 520, 528, 1024, 1040, 2048, 4096, 4100 };

// The same by one call a sector with the portable implementation.
static Bytes sectors_one_by_one(bool encrypt, const lc_xts_key *key, const Bytes &src, size_t sector_len, uint64_t sector,
                                uint64_t step)
{
    Bytes dst(src.size());

    for (size_t at = 0; at < src.size(); at += sector_len, sector += step) {
        size_t len = std::min(sector_len, src.size() - at);

        if (crypt(encrypt, key, &dst[at], &src[at], len, sector_iv(sector).data()) != LC_OK)
            throw std::runtime_error("a sector was refused");
    }
    return dst;
}

static ::testing::AssertionResult sectors_are(const Bytes &expected, bool encrypt, bool in_place, const lc_xts_key *key,
                                              const Bytes &src, size_t sector_len, uint64_t sector, uint64_t step)
{
    Bytes dst = in_place ? src : Bytes(src.size(), 0x5a);
    int status = crypt_sectors(encrypt, key, dst.data(), in_place ? dst.data() : src.data(), src.size(), sector_len, sector, step);

    if (status != LC_OK)
        return ::testing::AssertionFailure() << lc_strerror(status);
    return same(expected, dst);
}

static const struct {
    uint64_t first, step;
} numberings[] = {
    { 0, 1 },
    { 12345678901234567, 1 },
    { 7, 8 },
    { 99, 0 },
    { UINT64_MAX, 1 },
    { UINT64_MAX - 2, 1 },    /* round to 0 after the first and after the third sector */
    { UINT64_MAX - 30, 8 },
    { UINT64_C(1) << 63, (UINT64_C(1) << 63) + 3 },
    { 5, UINT64_MAX },
    { 0xfffffffe, 1 },  /* into the upper half */
};

TEST_P(Xts, SectorsAllSizesAndCounts)
{
    Random random(30);
    size_t turn = 0;

    for (size_t sector_len : sector_lens) {
        Bytes raw = random.bytes(key_lens[turn % 3]), all = random.bytes(67 * sector_len);
        XtsKey key(impl.name, raw), portable(PORTABLE, raw);

        for (bool encrypt : both_directions) {
            const auto n = numberings[turn % (sizeof(numberings) / sizeof(numberings[0]))];
            Bytes expected = sectors_one_by_one(encrypt, portable, all, sector_len, n.first, n.step);

            for (size_t count = 1; count <= 67; count = count == 40 ? 67 : count + 1, turn++) {
                Bytes src(all.begin(), all.begin() + static_cast<long>(count * sector_len));
                Bytes result(expected.begin(), expected.begin() + static_cast<long>(count * sector_len));

                ASSERT_TRUE(sectors_are(result, encrypt, turn % 2, key, src, sector_len, n.first, n.step))
                    << count << " sectors of " << sector_len << ", first " << n.first << ", step " << n.step;
            }
        }
        turn++;
    }
}

TEST_P(Xts, SectorsAllNumberings)
{
    Random random(31);

    for (const auto &n : numberings)
        for (size_t sector_len : { 16, 40, 512, 1024 })
            for (size_t key_len : key_lens) {
                Bytes raw = random.bytes(key_len), src = random.bytes(40 * sector_len + 16);
                XtsKey key(impl.name, raw), portable(PORTABLE, raw);

                for (bool encrypt : both_directions) {
                    Bytes expected = sectors_one_by_one(encrypt, portable, src, sector_len, n.first, n.step);

                    for (bool in_place : { false, true })
                        ASSERT_TRUE(sectors_are(expected, encrypt, in_place, key, src, sector_len, n.first, n.step))
                            << sector_len << ", first " << n.first << ", step " << n.step << ", key of " << key_len;
                }
            }
}

TEST_P(Xts, SectorsWithShortLast)
{
    static const uint64_t first = 1000;
    Random random(32);
    Bytes raw = random.bytes(64);
    XtsKey key(impl.name, raw), portable(PORTABLE, raw);

    for (size_t sector_len : sector_lens)
        for (bool encrypt : both_directions) {
            Bytes all = random.bytes(34 * sector_len), whole = sectors_one_by_one(encrypt, portable, all, sector_len, first, 1);

            for (size_t count : { 0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 33 }) // sectors before the short one
                for (size_t last = 16; last < sector_len; last += sector_len <= 272 ? 1 : 1 + random.below(100)) {
                    size_t at = count * sector_len;
                    Bytes src(&all[0], &all[at + last]), expected(&whole[0], &whole[at + last]);

                    ASSERT_EQ(crypt(encrypt, portable, &expected[at], &src[at], last, sector_iv(first + count).data()), LC_OK);
                    ASSERT_TRUE(sectors_are(expected, encrypt, last % 2, key, src, sector_len, first, 1))
                        << count << " sectors of " << sector_len << " and one of " << last;
                }
        }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Curve25519's numbers at their limits, and what implementations do with points, against points one by one.
#include "ed25519_support.h"

namespace {

using Digits = std::array<uint64_t, 5>;

const uint64_t FULL = (UINT64_C(1) << 51) - 1, TIGHT = (UINT64_C(1) << 51) + (UINT64_C(1) << 17) - 1,
               LARGEST = (UINT64_C(1) << 54) - 1;

Number value(const Digits &d)
{
    Number r;

    for (size_t i = 5; i--;)
        r = r * Number(UINT64_C(1) << 51) + Number(d[i]);
    return r;
}

bool is_tight(const Digits &d)
{
    for (uint64_t digit : d)
        if (digit > TIGHT)
            return false;
    return true;
}

Digits digits_of(const Number &a)
{
    Digits d;

    wb_25519_from_words(d.data(), a.w.data());
    return d;
}

Number words_of(const Digits &d)
{
    Number r;

    wb_25519_to_words(r.w.data(), d.data());
    return r;
}

std::vector<Number> limits()
{
    std::vector<Number> all = { 0, 1, 2, 18, 19, 20, difference(P, 1), P, sum(P, 1), sum(P, 18), sum(P, P), sum(sum(P, P), 37) };

    for (size_t bit : { 50, 51, 52, 63, 64, 101, 102, 127, 128, 152, 153, 191, 192, 203, 204, 253, 254, 255 }) {
        Number power;

        power.w[bit / 64] = UINT64_C(1) << bit % 64;
        all.push_back(power);
        all.push_back(difference(power, 1));
    }
    return all;
}

// Digits that are 0, 1, full, and the largest that the operation takes, in every place
std::vector<Digits> digits_up_to(uint64_t largest)
{
    std::vector<Digits> all;
    Random random(7);

    for (uint64_t digit : { UINT64_C(0), UINT64_C(1), FULL, FULL + 1, TIGHT, largest }) {
        all.push_back({ digit, digit, digit, digit, digit });
        for (size_t i = 0; i < 5; i++) {
            all.push_back({});
            all.back()[i] = digit;
            all.push_back({ largest, largest, largest, largest, largest });
            all.back()[i] = digit;
        }
    }
    for (int i = 0; i < 20; i++) {
        Digits d;

        for (uint64_t &digit : d)
            digit = random.next() % (largest + 1);
        all.push_back(d);
    }
    return all;
}

Point point_of(const wb_25519_item &item)
{
    Point p;

    memcpy(p.x.w.data(), item.x, 32);
    memcpy(p.y.w.data(), item.y, 32);
    return p;
}

void put_number(uint64_t words[4], const Number &a)
{
    memcpy(words, a.w.data(), 32);
}

const Number FOUR_FIFTHS = Number(4) * inverse(5);

// k B by the portable code
Point base(const Number &k)
{
    wb_25519_item item = {};

    put_number(item.k, k);
    wb_25519_base(lc_impl_count("ed25519") - 1, &item, 1);
    return point_of(item);
}

} // namespace

TEST(Curve25519Numbers, WordsAndBack)
{
    Random random(1);
    std::vector<Number> all = limits();

    for (int i = 0; i < 50; i++)
        all.push_back(Number(random.bytes(32)));
    for (const Number &a : all) {
        const Digits d = digits_of(a);

        EXPECT_TRUE(is_tight(d));
        EXPECT_EQ(value(d), a + Number(0));
        EXPECT_EQ(words_of(d), a + Number(0));
    }
    for (const Digits &d : digits_up_to(TIGHT))
        EXPECT_EQ(words_of(d), value(d));
}

TEST(Curve25519Numbers, Products)
{
    const std::vector<Digits> all = digits_up_to(LARGEST);

    for (size_t i = 0; i < all.size(); i++) {
        const Number a = value(all[i]);
        Digits r;

        wb_25519_sqr(r.data(), all[i].data());
        EXPECT_TRUE(is_tight(r));
        EXPECT_EQ(value(r), a * a);
        for (size_t j = i % 3; j < all.size(); j += 3) {
            const Number b = value(all[j]);

            wb_25519_mul(r.data(), all[i].data(), all[j].data());
            EXPECT_TRUE(is_tight(r));
            EXPECT_EQ(value(r), a * b);
            wb_25519_mul_small_add(r.data(), all[i].data(), 121665, all[j].data());
            EXPECT_TRUE(is_tight(r));
            EXPECT_EQ(value(r), a * Number(121665) + b);
        }
    }
}

TEST(Curve25519Numbers, SumsAndDifferences)
{
    const std::vector<Digits> tight = digits_up_to(TIGHT), large = digits_up_to((UINT64_C(1) << 53) - 80);

    for (size_t i = 0; i < tight.size(); i++)
        for (size_t j = i % 3; j < tight.size(); j += 3) {
            Digits r;

            wb_25519_add(r.data(), tight[i].data(), tight[j].data());
            EXPECT_EQ(value(r), value(tight[i]) + value(tight[j]));
            wb_25519_sub(r.data(), tight[i].data(), tight[j].data());
            EXPECT_EQ(value(r), value(tight[i]) - value(tight[j]));
            for (uint64_t digit : r)
                EXPECT_LT(digit, UINT64_C(1) << 53);
            wb_25519_sub4(r.data(), tight[i].data(), large[j].data());
            EXPECT_EQ(value(r), value(tight[i]) - value(large[j]));
            for (uint64_t digit : r)
                EXPECT_LE(digit, LARGEST);
        }
}

// k at its limits, on its own and in every lane
TEST_P(Ed25519, MultiplesOfB)
{
    const size_t row = GetParam();
    const Point b = base(1);
    std::vector<std::pair<Number, Point>> cases = {
        { 0, { 0, 1 } },
        { 1, b },
        { 2, b + b },
        { 3, b + b + b },
        { difference(L, 1), negative(b) },
        { L, { 0, 1 } },
        { sum(L, 1), b },
        { difference(L, 2), negative(b + b) },
        { sum(L, L), { 0, 1 } }
    };
    Random random(2);

    EXPECT_EQ(b.y, FOUR_FIFTHS);
    EXPECT_EQ(b.x.w[0] & 1, 0u);
    // powers of 2, one from the other
    Point p = b;
    for (size_t bit = 1; bit < 255; bit++) {
        Number power;

        p = p + p;
        power.w[bit / 64] = UINT64_C(1) << bit % 64;
        cases.push_back({ power, p });
        if (bit % 8 == 0)
            cases.push_back({ difference(power, 1), p + negative(b) });
    }
    cases.push_back({ difference(Number(0, 0, 0, UINT64_C(1) << 63), 1), p + p + negative(b) }); /* 2^255 - 1 */
    // sums
    for (int i = 0; i < 10; i++) {
        const Number k1 = random_number(random, L), k2 = random_number(random, L);

        cases.push_back({ sum(k1, k2), base(k1) + base(k2) });
    }
    for (size_t i = 0; i < cases.size(); i++) {
        wb_25519_item items[LANES] = {};
        const size_t num = 1 + i % LANES;

        for (size_t lane = 0; lane < num; lane++)
            put_number(items[lane].k, cases[(i + lane) % cases.size()].first);
        wb_25519_base(row, items, num);
        for (size_t lane = 0; lane < num; lane++)
            EXPECT_TRUE(point_of(items[lane]) == cases[(i + lane) % cases.size()].second) << i << " " << lane;
        // u = (1 + y) / (1 - y)
        wb_25519_base_u(row, items, num);
        for (size_t lane = 0; lane < num; lane++) {
            const Number y = cases[(i + lane) % cases.size()].second.y;

            EXPECT_TRUE(Number(items[lane].u[0], items[lane].u[1], items[lane].u[2], items[lane].u[3]) ==
                        (Number(1) + y) * inverse(Number(1) - y));
        }
    }
}

// s B - k A for A = a B + T with T of small order, s and k at their limits, where equal and opposite points meet
TEST_P(Ed25519, Checks)
{
    struct Case {
        Number s, k;
        Point a, result;
    };
    const size_t row = GetParam();
    const std::vector<Point> small = small_points();
    std::vector<Case> cases;
    Random random(3);
    std::vector<Number> numbers = { 0, 1, 2, 15, 16, 17, difference(L, 1), difference(L, 2), Number(0, 0, 0, UINT64_C(1) << 60) };

    for (int i = 0; i < 4; i++)
        numbers.push_back(random_number(random, L));
    for (const Number &a : { Number(0), Number(1), difference(L, 1), random_number(random, L) })
        for (const Number &s : numbers)
            for (const Number &k : numbers) {
                const size_t t = random.below(8);
                Number minus_ka;

                wb_25519_mul_add_l(minus_ka.w.data(), k.w.data(), difference(L, a).w.data(), s.w.data());
                cases.push_back({ s, k, base(a) + small[t], base(minus_ka) + small[(8 - t) * (k.w[0] % 8) % 8] });
            }
    for (size_t i = 0; i < cases.size(); i++) {
        wb_25519_item items[LANES] = {};
        const size_t num = 1 + i % LANES;

        for (size_t lane = 0; lane < num; lane++) {
            const Case &c = cases[(i + lane) % cases.size()];

            put_number(items[lane].s, c.s);
            put_number(items[lane].k, c.k);
            put_number(items[lane].x, c.a.x);
            put_number(items[lane].y, c.a.y);
        }
        wb_25519_check(row, items, num);
        for (size_t lane = 0; lane < num; lane++)
            EXPECT_TRUE(point_of(items[lane]) == cases[(i + lane) % cases.size()].result) << i << " " << lane;
    }
}

// On the curve, on the twist, and special ones, in every lane
TEST_P(Ed25519, LaddersAndRoots)
{
    const size_t row = GetParam(), portable = lc_impl_count("ed25519") - 1;
    static const Number d = Number(0) - Number(121665) * inverse(121666);
    std::vector<Number> numbers = limits();
    Random random(4);

    for (int i = 0; i < 60; i++)
        numbers.push_back(Number(random.bytes(32)));
    for (size_t i = 0; i + LANES <= numbers.size(); i++) {
        wb_25519_item items[LANES] = {}, expected[LANES], roots[LANES] = {};
        const size_t num = 1 + i % LANES;

        for (size_t lane = 0; lane < num; lane++) {
            Number u = numbers[i + lane];

            put_number(roots[lane].y, u + Number(0));
            roots[lane].u[0] = random.below(2);
            u.w[3] &= INT64_MAX;
            put_number(items[lane].u, u);
            put_number(items[lane].k, Number(random.bytes(32)));
            items[lane].k[0] &= ~UINT64_C(7);
            items[lane].k[3] = (items[lane].k[3] & INT64_MAX) | UINT64_C(1) << 62;
        }
        memcpy(expected, items, sizeof(items));
        wb_25519_dh(row, items, num);
        wb_25519_decompress(row, roots, num);
        for (size_t lane = 0; lane < num; lane++) {
            wb_25519_dh(portable, &expected[lane], 1);
            EXPECT_TRUE(same(bytes_of(expected[lane]), bytes_of(items[lane])));
            const Point p = point_of(roots[lane]);
            const Number yy = p.y * p.y, u = yy - Number(1), v = d * yy + Number(1);
            const bool only_zero = u == Number(0);
            if (roots[lane].right) {
                EXPECT_TRUE(p.x * p.x * v == u);
                EXPECT_EQ(p.x.w[0] & 1, roots[lane].u[0]);
            } else if (only_zero) {
                EXPECT_EQ(roots[lane].u[0], 1u);
            } else { // u / v isn't a square: its power (p - 1) / 2 is -1
                const Number e(UINT64_C(0xfffffffffffffff6), UINT64_MAX, UINT64_MAX, UINT64_C(0x3fffffffffffffff));
                Number power = 1;

                for (int bit = 253; bit >= 0; bit--) {
                    power = power * power;
                    if (e.w[static_cast<size_t>(bit / 64)] >> (bit % 64) & 1)
                        power = power * u * v;
                }
                EXPECT_TRUE(power == Number(0) - Number(1));
            }
        }
    }
}

// Against bit by bit.  The upper half gives a number below L; the lower half makes the sum of both a little less or more than each
// multiple of L, and as large as it can be.
TEST(Curve25519Numbers, Reduce)
{
    const Number full(UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX);
    const Number gives_most(UINT64_C(0x90ab96761f96c6c9), UINT64_C(0x5ce933740bb82789), UINT64_C(0x9eb18abc7005c941),
                            UINT64_C(0x06249390d9016e7c)); // -1 / 2^256
    Random random(5);
    const auto expected = [](const Number &low, const Number &high) {
        Number r;

        for (size_t bit = 512; bit--;) {
            r = sum(sum(r, r), (bit < 256 ? low : high).w[bit / 64 % 4] >> bit % 64 & 1);
            r = r < L ? r : difference(r, L);
        }
        return r;
    };
    const auto compare = [&](const Number &low, const Number &high) {
        uint64_t wide[8];
        Number r;

        put_number(wide, low);
        put_number(wide + 4, high);
        wb_25519_reduce(r.w.data(), wide);
        EXPECT_TRUE(r == expected(low, high));
    };

    EXPECT_TRUE(expected(0, gives_most) == difference(L, 1));
    for (const Number &high : { Number(0), Number(1), gives_most, full, Number(random.bytes(32)), Number(random.bytes(32)) }) {
        Number low = difference(0, expected(0, high));

        for (int i = 0; i <= 17; i++, low = sum(low, L))
            for (const Number &d : { Number(0), Number(1), Number(2) }) {
                compare(difference(low, d), high);
                compare(sum(low, d), high);
            }
        compare(full, high);
        compare(Number(random.bytes(32)), high);
    }
}

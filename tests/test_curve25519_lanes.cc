// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// What Curve25519 in lanes is made of, at the limits of its numbers: each function against the formula that it is.
#include <functional>

#include "ed25519_support.h"

namespace {

using Limbs = std::array<uint64_t, 5>;

// src/x86/curve25519.S, "Bounds"
const uint64_t UNIT = UINT64_C(1) << 52, FULL = (UINT64_C(1) << 51) - 1, LARGEST = 125 * UNIT,
               LEAST_WITH_BIAS = 152 * UNIT - 304 * 19, LARGEST_WITH_BIAS = 277 * UNIT;
const Limbs TIGHT = { { FULL + (19 << 11), FULL + (1 << 11), FULL + (1 << 11), FULL + (1 << 11), FULL + (1 << 11) } };

struct Lanes {
    uint64_t limb[5][8] = {};

    void set(size_t lane, const Limbs &limbs)
    {
        for (size_t i = 0; i < 5; i++)
            limb[i][lane] = limbs[i];
    }
    // modulo p
    Number operator[](size_t lane) const
    {
        Number r;

        for (size_t i = 5; i--;)
            r = r * Number(UINT64_C(1) << 51) + Number(limb[i][lane]);
        return r;
    }
    bool within(const Limbs &least, const Limbs &largest) const
    {
        for (size_t i = 0; i < 5; i++)
            for (uint64_t value : limb[i])
                if (value < least[i] || value > largest[i])
                    return false;
        return true;
    }
};

Limbs all(uint64_t limb)
{
    return { { limb, limb, limb, limb, limb } };
}

// The largest limbs, the least, each alone among the others, and any in between
std::vector<Limbs> between(const Limbs &least, const Limbs &largest)
{
    std::vector<Limbs> r = { least, largest };
    Random random(11);

    for (size_t i = 0; i < 5; i++) {
        r.push_back(least);
        r.back()[i] = largest[i];
        r.push_back(largest);
        r.back()[i] = least[i];
    }
    for (int n = 0; n < 30; n++) {
        r.push_back(least);
        for (size_t i = 0; i < 5; i++)
            r.back()[i] += random.next() % (largest[i] - least[i] + 1);
    }
    return r;
}

// Numbers in all lanes, each lane with others, and in the next round again
class Source {
public:
    Source(const Limbs &least, const Limbs &largest) : values(between(least, largest)) {}
    Lanes next()
    {
        Lanes r;

        for (size_t lane = 0; lane < LANES; lane++)
            r.set(lane, values[at++ % values.size()]);
        at += 3 + at / values.size() % 5;
        return r;
    }

private:
    std::vector<Limbs> values;
    size_t at = 0;
};

Lanes limit(const Limbs &limbs)
{
    Lanes r;

    for (size_t lane = 0; lane < LANES; lane++)
        r.set(lane, limbs);
    return r;
}

// The largest products: (2^51 - a)^2 = 2^102 - a 2^52 + a^2, whose lower half is a^2, with a = 2^26 - 1 just below 2^52.
const Limbs LARGEST_PRODUCTS = all((UINT64_C(1) << 51) - (UINT64_C(1) << 26) + 1);

const Number D = Number(0) - Number(121665) * inverse(121666);

using Coordinates = std::array<Lanes, 4>; // x, y, z, t

void expect_bounds(const Coordinates &p)
{
    EXPECT_TRUE(p[0].within(all(0), all(LARGEST)));
    EXPECT_TRUE(p[1].within(all(LEAST_WITH_BIAS), all(LARGEST_WITH_BIAS)));
    EXPECT_TRUE(p[2].within(all(LEAST_WITH_BIAS), all(LARGEST_WITH_BIAS)));
    EXPECT_TRUE(p[3].within(all(0), TIGHT));
}

void expect_point(const Coordinates &p, size_t lane, const Number &e, const Number &f, const Number &g, const Number &h)
{
    EXPECT_TRUE(p[0][lane] == e * f);
    EXPECT_TRUE(p[1][lane] == g * h);
    EXPECT_TRUE(p[2][lane] == f * g);
    EXPECT_TRUE(p[3][lane] == e * h);
}

// x, y, z, t as the functions leave them, at their limits
class Points {
public:
    Points()
        : x(all(0), all(LARGEST)), y(all(LEAST_WITH_BIAS), all(LARGEST_WITH_BIAS)), z(all(LEAST_WITH_BIAS), all(LARGEST_WITH_BIAS)),
          t(all(0), TIGHT)
    {
        z.next();
        t.next();
        t.next();
    }
    Coordinates next() { return { { x.next(), y.next(), z.next(), t.next() } }; }
    // all the largest, or what is subtracted the largest and what it's subtracted from the least
    static Coordinates worst(bool largest)
    {
        const Lanes yz = limit(all(largest ? LARGEST_WITH_BIAS : LEAST_WITH_BIAS));

        return { { limit(all(LARGEST)), yz, yz, limit(TIGHT) } };
    }

private:
    Source x, y, z, t;
};

uint64_t (*data(Coordinates *p))[5][8]
{
    return &(*p)[0].limb + 0;
}

void add_and_compare(const wb_25519_kernels &k, const Coordinates &before, const Coordinates &addend, const uint64_t negative[8])
{
    Coordinates p = before;

    k.add(data(&p), &addend[0].limb, negative);
    expect_bounds(p);
    for (size_t lane = 0; lane < LANES; lane++) {
        const Number x = before[0][lane], y = before[1][lane];
        const Number a = (y - x) * addend[negative[lane] ? 0 : 1][lane], b = (y + x) * addend[negative[lane] ? 1 : 0][lane];
        const Number c = before[3][lane] * addend[2][lane], d = before[2][lane] * addend[3][lane];

        expect_point(p, lane, b - a, negative[lane] ? d + c : d - c, negative[lane] ? d - c : d + c, b + a);
    }
}

void double_and_compare(const wb_25519_kernels &k, const Coordinates &before)
{
    Coordinates p = before;

    k.twice(data(&p));
    expect_bounds(p);
    for (size_t lane = 0; lane < LANES; lane++) {
        const Number x = before[0][lane], y = before[1][lane], z = before[2][lane], g = y * y - x * x;

        expect_point(p, lane, x * y + x * y, z * z + z * z - g, g, y * y + x * x);
    }
}

void for_each_kernel(const std::function<void(const wb_25519_kernels &)> &test)
{
    size_t tested = 0;

    for (const wb_25519_kernels *const *k = wb_25519_get_kernels(); *k; k++)
        for (const lc_impl_info &impl : implementations("ed25519"))
            if (std::string(impl.name) == (*k)->row && impl.runs_here) {
                SCOPED_TRACE((*k)->row);
                test(**k);
                tested++;
            }
    if (!tested)
        GTEST_SKIP() << "no implementation here has lanes";
}

} // namespace

// Multiplication takes limbs of 52 bits, and not just tight ones.
TEST(Curve25519Lanes, Products)
{
    for_each_kernel([](const wb_25519_kernels &k) {
        for (const Limbs &largest : { TIGHT, all(UNIT - 1) }) {
            Source as(all(0), largest), bs(all(0), largest);

            bs.next();
            for (int n = 0; n < 300; n++) {
                const Lanes a = n == 0 ? limit(largest) : as.next(), b = n == 0 ? a : bs.next();
                Lanes r;

                k.mul(r.limb, a.limb, b.limb);
                EXPECT_TRUE(r.within(all(0), TIGHT));
                for (size_t lane = 0; lane < LANES; lane++)
                    EXPECT_TRUE(r[lane] == a[lane] * b[lane]);
                k.sqr(r.limb, a.limb, 1);
                EXPECT_TRUE(r.within(all(0), TIGHT));
                for (size_t lane = 0; lane < LANES; lane++)
                    EXPECT_TRUE(r[lane] == a[lane] * a[lane]);
                std::array<Lanes, 2> two = { { b, a } };

                k.sqr(r.limb, a.limb, 3);
                k.sqr_two(&two[0].limb, 3);
                EXPECT_TRUE(two[0].within(all(0), TIGHT) && two[1].within(all(0), TIGHT));
                for (size_t lane = 0; lane < LANES; lane++) {
                    const Number a2 = a[lane] * a[lane], a4 = a2 * a2, b2 = b[lane] * b[lane], b4 = b2 * b2;

                    EXPECT_TRUE(r[lane] == a4 * a4);
                    EXPECT_TRUE(two[0][lane] == b4 * b4);
                    EXPECT_TRUE(two[1][lane] == a4 * a4);
                }
            }
        }
    });
}

// 0, 1, p - 1, p, p + 1 and others that have several forms
TEST(Curve25519Lanes, SpecialNumbers)
{
    const Limbs p_limbs = { { FULL - 18, FULL, FULL, FULL, FULL } };
    std::vector<Limbs> special = { all(0), p_limbs };

    for (uint64_t i = 1; i <= 19; i += 6) {
        special.push_back(all(0));
        special.back()[0] = i;
        special.push_back(p_limbs);
        special.back()[0] += i;
        special.push_back(p_limbs);
        special.back()[0] -= i;
    }
    for_each_kernel([&](const wb_25519_kernels &k) {
        for (size_t i = 0; i < special.size(); i++) {
            Lanes a, b = limit(special[i]), r, difference;

            for (size_t lane = 0; lane < LANES; lane++)
                a.set(lane, special[(i + lane) % special.size()]);
            k.mul(r.limb, a.limb, b.limb);
            for (size_t lane = 0; lane < LANES; lane++)
                EXPECT_TRUE(r[lane] == a[lane] * b[lane]);
            k.sums(r.limb, difference.limb, a.limb, b.limb);
            for (size_t lane = 0; lane < LANES; lane++) {
                EXPECT_TRUE(r[lane] == a[lane] + b[lane]);
                EXPECT_TRUE(difference[lane] == a[lane] - b[lane]);
            }
        }
    });
}

// All forms of 0 and of numbers next to it, where a limb has borrowed from the next one or not
TEST(Curve25519Lanes, ReplaceZeros)
{
    std::vector<Limbs> numbers;

    for (uint64_t d : { 0, 1, 2, 18, 19, 20, 37, 38 })
        for (int borrows = 0; borrows < 16; borrows++)
            for (bool is_small : { false, true }) {
                Limbs limbs = is_small ? all(0) : Limbs{ { FULL - 37, FULL, FULL, FULL, FULL } };

                limbs[0] += d; // p - 19 .. p + 19, 0 .. 38
                for (size_t i = 0; i < 4; i++)
                    if (borrows >> i & 1 && limbs[i] < (i ? 1 << 11 : 19 << 11) && limbs[i + 1] > 0) {
                        limbs[i] += FULL + 1;
                        limbs[i + 1]--;
                    }
                numbers.push_back(limbs);
            }
    for (const Limbs &ones : { all(1), all(FULL) })
        for (size_t i = 0; i < 5; i++) {
            numbers.push_back(all(0));
            numbers.back()[i] = ones[i];
        }
    for_each_kernel([&](const wb_25519_kernels &k) {
        size_t zeros = 0;

        for (size_t i = 0; i < numbers.size(); i++) {
            Lanes a;
            uint64_t used[8];

            for (size_t lane = 0; lane < LANES; lane++)
                a.set(lane, numbers[(i + 5 * lane) % numbers.size()]);
            const Lanes before = a;

            k.replace_zeros(a.limb, used);
            for (size_t lane = 0; lane < LANES; lane++) {
                const bool is_zero = before[lane] == Number(0);

                EXPECT_EQ(used[lane], is_zero ? 0 : UINT64_MAX) << i << " " << lane;
                for (size_t limb = 0; limb < 5; limb++)
                    EXPECT_EQ(a.limb[limb][lane], is_zero ? limb == 0 : before.limb[limb][lane]) << i << " " << lane;
                zeros += is_zero;
            }
        }
        EXPECT_GT(zeros, 30U);
    });
}

TEST(Curve25519Lanes, Sums)
{
    const uint64_t largest = (UINT64_C(1) << 61) - (1 << 15) - 1;

    for_each_kernel([](const wb_25519_kernels &k) {
        Source as(all(0), all(largest)), bs(all(0), all(largest));

        bs.next();
        for (int n = 0; n < 100; n++) {
            const Lanes a = as.next(), b = bs.next();
            Lanes sum, difference;

            k.sums(sum.limb, difference.limb, a.limb, b.limb);
            EXPECT_TRUE(sum.within(all(0), TIGHT));
            EXPECT_TRUE(difference.within(all(0), TIGHT));
            for (size_t lane = 0; lane < LANES; lane++) {
                EXPECT_TRUE(sum[lane] == a[lane] + b[lane]);
                EXPECT_TRUE(difference[lane] == a[lane] - b[lane]);
            }
        }
    });
}

// Coordinates needn't be those of a point: the formulas are what is compared.
TEST(Curve25519Lanes, Points)
{
    for_each_kernel([](const wb_25519_kernels &k) {
        Points points;
        Source tight(all(0), TIGHT);

        for (bool largest : { false, true }) {
            const uint64_t negative[8] = { 0, UINT64_MAX, 0, UINT64_MAX, 0, UINT64_MAX, 0, UINT64_MAX };

            double_and_compare(k, Points::worst(largest));
            add_and_compare(k, Points::worst(largest), { { limit(TIGHT), limit(TIGHT), limit(TIGHT), limit(TIGHT) } }, negative);
            add_and_compare(k, Points::worst(largest), { { limit(TIGHT), limit(TIGHT), limit(TIGHT), limit(all(0)) } }, negative);
        }
        for (int n = 0; n < 200; n++) {
            uint64_t negative[8];

            for (size_t lane = 0; lane < LANES; lane++)
                negative[lane] = 0 - static_cast<uint64_t>(n >> lane & 1);
            double_and_compare(k, points.next());
            add_and_compare(k, points.next(), { { tight.next(), tight.next(), tight.next(), tight.next() } }, negative);
        }
    });
}

// Each lane's 20 words, from any address of a word, and none behind them
TEST(Curve25519Lanes, RowsByAddress)
{
    for_each_kernel([](const wb_25519_kernels &k) {
        std::vector<uint64_t> memory(200);
        uint64_t limbs[20][8];
        const uint64_t *rows[8];

        for (size_t i = 0; i < memory.size(); i++)
            memory[i] = i * UINT64_C(0x9e3779b97f4a7c15);
        for (size_t n = 0; n < 8; n++) {
            for (size_t lane = 0; lane < LANES; lane++)
                rows[lane] = memory.data() + (n + lane) % 8 * 23 + n;
            rows[n] = memory.data() + memory.size() - 20;
            k.take(limbs, rows);
            for (size_t lane = 0; lane < LANES; lane++)
                for (size_t i = 0; i < 20; i++)
                    EXPECT_EQ(limbs[i][lane], rows[lane][i]) << lane << " " << i;
        }
    });
}

// A key's multiples, for x at the largest limbs that a product has and y down to 0.  They needn't be a point: entry by entry it is
// the same formulas.
TEST(Curve25519Lanes, Multiples)
{
    for_each_kernel([](const wb_25519_kernels &k) {
        Source xs(all(0), TIGHT), ys(all(0), all(FULL));

        for (int n = 0; n < 60; n++) {
            const Lanes x = n ? xs.next() : limit(TIGHT), y = n == 0 ? Lanes() : n == 1 ? limit(all(499)) : ys.next();
            static std::array<std::array<Lanes, 4>, 17> table;

            k.multiples(reinterpret_cast<uint64_t(*)[4][5][8]>(table.data()), x.limb, y.limb);
            for (size_t lane = 0; lane < LANES; lane++) {
                const Number plus = y[lane] + x[lane], minus = y[lane] - x[lane], xy = x[lane] * y[lane];
                Number px = x[lane], py = y[lane], pz = 1, pt = xy;

                for (size_t i = 1; i < 17; i++) {
                    if (i > 1) {
                        const Number a = (py - px) * minus, b = (py + px) * plus, c = pt * (D + D) * xy, d = pz + pz;
                        const Number e = b - a, f = d - c, g = d + c, h = b + a;

                        px = e * f;
                        py = g * h;
                        pz = f * g;
                        pt = e * h;
                    }
                    ASSERT_TRUE(table[i][0][lane] == py + px) << i;
                    ASSERT_TRUE(table[i][1][lane] == py - px) << i;
                    ASSERT_TRUE(table[i][2][lane] == pt * (D + D)) << i;
                    ASSERT_TRUE(table[i][3][lane] == pz + pz) << i;
                }
            }
        }
    });
}

// One ladder in four lanes, all 255 steps, from tight numbers that needn't be those of points, nor u and its negative
TEST(Curve25519Lanes, LadderOfOne)
{
    for_each_kernel([](const wb_25519_kernels &k) {
        Source points(all(0), TIGHT), factors(all(0), TIGHT);
        Random random(12);

        for (int n = 0; k.ladder_one && n < 50; n++) {
            Lanes before = n % 9 ? points.next() : limit(TIGHT);
            const Lanes u = n % 9 ? factors.next() : before;
            std::array<uint64_t, 4> multiplier;
            std::array<Number, 4> lane;

            for (uint64_t &word : multiplier)
                word = n < 2 ? 0 - static_cast<uint64_t>(n) : random.next();
            if (n >= 18) { // the largest products are subtracted from 0, in both halves, whichever is doubled
                for (size_t i = 0; i < 4; i++)
                    before.set(i, n >> i & 1 ? LARGEST_PRODUCTS : all(0));
                multiplier[3] = multiplier[3] >> 2 | static_cast<uint64_t>(n >> 4 & 1) << 62;
            }
            Lanes after = before;
            k.ladder_one(after.limb, u.limb, multiplier.data());
            EXPECT_TRUE(after.within(all(0), TIGHT));
            for (size_t i = 0; i < 4; i++)
                lane[i] = before[i];
            for (size_t bit = 255; bit--;) {
                const size_t twice = multiplier[bit / 64] >> bit % 64 & 1 ? 2 : 0, sum = 2 - twice;
                const Number a = lane[twice] * lane[twice], b = lane[twice + 1] * lane[twice + 1], g = a + b, e = a - b;
                const Number cb = lane[sum] * lane[twice + 1], da = lane[sum + 1] * lane[twice],
                             ef = e * (g + g + Number(486662) * e);
                const Number s = (cb + da) * (cb + da), t = (cb - da) * (cb - da);

                lane[twice] = g * g - e * e + ef;
                lane[twice + 1] = g * g - e * e - ef;
                lane[sum] = s + u[sum] * t;
                lane[sum + 1] = s + u[sum + 1] * t;
            }
            for (size_t i = 0; i < 4; i++)
                EXPECT_TRUE(after[i] == lane[i]) << n << " " << i;
        }
    });
}

// Eight lanes with limbs of 52 bits, all 255 steps, from numbers at the limits of src/x86/curve25519_radix52.S
TEST(Curve25519Lanes, LadderOfRadix52)
{
    const uint64_t limb = 10 * UNIT + 597, all_52 = 352 * (UNIT - 1), highest = 352 * (UNIT / 32 - 1);
    const Limbs bias = { { all_52 - 352 * 18, all_52, all_52, all_52, highest } };
    const Limbs largest = { { bias[0] + limb, all_52 + limb, all_52 + limb, all_52 + limb, highest + limb } };
    const Limbs converted = { { FULL, FULL, FULL, FULL, FULL + (1 << 15) } };
    const auto number = [](const Lanes &a, size_t lane) {
        Number r;

        for (size_t i = 5; i--;)
            r = r * Number(UNIT) + Number(a.limb[i][lane]);
        return r;
    };

    for_each_kernel([&](const wb_25519_kernels &k) {
        Source us(all(0), all(FULL)), xs(bias, largest), zs(all(0), all(limb)), other_zs(all(0), all(limb));
        Random random(13);

        other_zs.next();
        for (int n = 0; k.ladder_radix52 && n < 20; n++) {
            const Lanes u = n ? us.next() : limit(all(FULL)),
                        x = n == 0   ? limit(largest)
                            : n == 1 ? limit(bias)
                                     : xs.next(),
                        z = n < 2 ? limit(all(limb)) : zs.next(), z3_before = n < 2 ? z : other_zs.next();
            std::array<Lanes, 4> numbers = { { u, x, z, z3_before } };
            uint64_t bits[4][8];

            for (auto &word : bits)
                for (uint64_t &lane : word)
                    lane = random.next();
            k.ladder_radix52(&numbers[0].limb, bits);
            EXPECT_TRUE(numbers[1].within(all(0), converted) && numbers[2].within(all(0), converted));
            for (size_t lane = 0; lane < LANES; lane++) {
                Number x2 = number(x, lane), z2 = number(z, lane), x3 = u[lane], z3 = number(z3_before, lane);

                for (size_t step = 0; step < 255; step++) {
                    const size_t bit = step < 63 ? 255 - step : 254 - step; // a word of 63 steps, and three of 64
                    const Number a = x2 + z2, b = x2 - z2, c = x3 + z3, d = x3 - z3, da = d * a, cb = c * b;
                    const bool other = (bits[bit / 64][lane] >> bit % 64 & 1) != 0;
                    const Number aa = other ? c * c : a * a, bb = other ? d * d : b * b, e = aa - bb;

                    x2 = aa * bb;
                    z2 = e * (aa + Number(121665) * e);
                    x3 = (da + cb) * (da + cb);
                    z3 = u[lane] * ((da - cb) * (da - cb));
                }
                EXPECT_TRUE(numbers[1][lane] == x2 && numbers[2][lane] == z2) << n << " " << lane;
            }
        }
    });
}

// Every entry, with both signs, in every lane
TEST(Curve25519Lanes, Table)
{
    for_each_kernel([](const wb_25519_kernels &k) {
        const size_t portable = lc_impl_count("ed25519") - 1;

        for (unsigned window = 0; window < WB_25519_WINDOWS; window++) {
            std::vector<std::array<Lanes, 3>> entries;
            Points points;

            for (unsigned e = 0; e < WB_25519_WINDOW_ENTRIES; e++) {
                uint64_t limbs[3][5];
                wb_25519_item item = {};
                const unsigned bit = window * WB_25519_WINDOW_BITS;
                Number x, y;

                item.k[bit / 64] = static_cast<uint64_t>(2 * e + 1) << bit % 64;
                if (bit % 64 > 64 - WB_25519_WINDOW_BITS && bit / 64 < 3)
                    item.k[bit / 64 + 1] = static_cast<uint64_t>(2 * e + 1) >> (64 - bit % 64);
                wb_25519_base(portable, &item, 1);
                memcpy(x.w.data(), item.x, 32);
                memcpy(y.w.data(), item.y, 32);
                wb_25519_get_entry(limbs, window, e);
                entries.push_back({});
                for (size_t i = 0; i < 3; i++) {
                    entries.back()[i] = limit({ { limbs[i][0], limbs[i][1], limbs[i][2], limbs[i][3], limbs[i][4] } });
                    EXPECT_TRUE(entries.back()[i].within(all(0), all(FULL)));
                }
                EXPECT_TRUE(entries.back()[0][0] == y + x) << window << " " << e;
                EXPECT_TRUE(entries.back()[1][0] == y - x) << window << " " << e;
                EXPECT_TRUE(entries.back()[2][0] == (D + D) * x * y) << window << " " << e;
            }
            for (uint64_t first = 0; first < 32; first++) {
                const Coordinates before = first ? points.next() : Points::worst(window % 2);
                Coordinates p = before;
                uint64_t digits[8];

                for (size_t lane = 0; lane < LANES; lane++)
                    digits[lane] = (first + 5 * lane) % 32;
                k.add_base(data(&p), window, digits);
                expect_bounds(p);
                for (size_t lane = 0; lane < LANES; lane++) {
                    const bool negative = digits[lane] < 16;
                    const std::array<Lanes, 3> &e = entries[negative ? 15 - digits[lane] : digits[lane] - 16];
                    const Number x = before[0][lane], y = before[1][lane], z = before[2][lane];
                    const Number a = (y - x) * e[negative ? 0 : 1][0], b = (y + x) * e[negative ? 1 : 0][0];
                    const Number c = before[3][lane] * e[2][0], d = z + z;

                    expect_point(p, lane, b - a, negative ? d + c : d - c, negative ? d - c : d + c, b + a);
                }
            }
        }
    });
}

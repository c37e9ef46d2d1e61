// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The operations of a curve, one point at a time, against the multiplication that is for any modulus; that one is compared with a
// model in test_curve_numbers.cc.
#include <array>
#include <functional>

#include "curve_support.h"
#include "curve_one_white_box.h"

namespace {

Number r_of_montgomery() // 2^BITS modulo p
{
    Number x = 1;

    for (int i = 0; i < BITS; i++)
        x = add(x, x, WB_P);
    return x;
}

void for_each_ops(const std::function<void(const wb_one_ops &)> &test)
{
    size_t num;
    const wb_one_ops *ops = wb_one_get_ops(&num);

    for (size_t i = 0; i < num; i++)
        for (const lc_impl_info &impl : implementations(SIGNATURES))
            if (std::string(impl.name) == ops[i].row && impl.runs_here) {
                SCOPED_TRACE(ops[i].row);
                test(ops[i]);
            }
}

// All numbers below p with these words, which make the carries of sums and of the reduction
std::vector<Number> words_at_limits()
{
    const uint64_t words[] = { 0, 1, UINT64_C(0xffffffff), UINT64_C(0xffffffff00000000), UINT64_MAX };
    std::vector<Number> all;

    for (size_t i = 0; i < (BITS == 256 ? 625 : 15625); i++) {
        Number x;

        for (size_t word = 0, rest = i; word < WORDS; word++, rest /= 5)
            x.w[word] = words[rest % 5];
        if (x < Number::modulus(WB_P))
            all.push_back(x);
    }
    return all;
}

// A point in Jacobian coordinates with that Z
struct JacobianPoint {
    uint64_t c[3][WORDS];

    void set(const Bytes &point, const Number &z)
    {
        const Number r = r_of_montgomery(), zz = multiply(z, z, WB_P);
        const Number x(Bytes(point.begin() + 1, point.begin() + SHORT_LEN)), y(Bytes(point.begin() + SHORT_LEN, point.end()));
        const Number all[3] = { multiply(x, zz, WB_P), multiply(multiply(y, zz, WB_P), z, WB_P), z };

        for (size_t i = 0; i < 3; i++)
            memcpy(c[i], multiply(all[i], r, WB_P).w, sizeof(c[i]));
    }

    // As bytes; empty for Z = 0; fails if anything isn't below p
    Bytes get() const
    {
        const Number p = Number::modulus(WB_P), from = invert(r_of_montgomery(), WB_P);
        Number v[3];

        for (size_t i = 0; i < 3; i++) {
            memcpy(v[i].w, c[i], sizeof(c[i]));
            EXPECT_TRUE(v[i] < p);
            v[i] = multiply(v[i], from, WB_P);
        }
        if (v[2] == Number(0))
            return {};
        const Number inverse = invert(v[2], WB_P), square = multiply(inverse, inverse, WB_P);
        Bytes out = multiply(v[0], square, WB_P).bytes();
        const Bytes last = multiply(multiply(v[1], square, WB_P), inverse, WB_P).bytes();

        out.insert(out.begin(), 4);
        out.insert(out.end(), last.begin(), last.end());
        return out;
    }
};

// A point as in a textbook: y^2 = x^3 - 3x + b
struct Affine {
    Number x, y;
    bool infinite = true;

    Affine() {}
    explicit Affine(const Bytes &point)
        : x(Bytes(point.begin() + 1, point.begin() + SHORT_LEN)), y(Bytes(point.begin() + SHORT_LEN, point.end())), infinite(false)
    {
    }

    Affine plus(const Affine &other) const
    {
        Affine sum;
        Number slope;

        if (infinite || other.infinite)
            return infinite ? other : *this;
        if (!(x == other.x))
            slope = multiply(subtract(y, other.y, WB_P), invert(subtract(x, other.x, WB_P), WB_P), WB_P);
        else if (y == other.y)
            slope = multiply(multiply(3, subtract(multiply(x, x, WB_P), 1, WB_P), WB_P), invert(add(y, y, WB_P), WB_P), WB_P);
        else
            return sum;
        sum.infinite = false;
        sum.x = subtract(subtract(multiply(slope, slope, WB_P), x, WB_P), other.x, WB_P);
        sum.y = subtract(multiply(slope, subtract(x, sum.x, WB_P), WB_P), y, WB_P);
        return sum;
    }

    Affine times(const Number &k) const
    {
        Affine product;

        for (size_t bit = BITS; bit-- > 0;) {
            product = product.plus(product);
            if (k.w[bit / 64] >> bit % 64 & 1)
                product = product.plus(*this);
        }
        return product;
    }
};

} // namespace

// Products and squares, also in place
TEST(One, Multiplication)
{
    const std::vector<Number> limits = words_at_limits();
    const Number from = invert(r_of_montgomery(), WB_P);
    std::vector<std::array<Number, 2>> pairs;
    Random random(13);

    for (size_t i = 0; i < limits.size(); i++)
        for (const Number &b : { limits[i], limits[random.below(limits.size())], limits[random.below(limits.size())],
                                 subtract(0, limits[i], WB_P), random_number(random, WB_P) })
            pairs.push_back({ limits[i], b });
    for (const auto &pair : pairs) {
        const Number product = multiply(multiply(pair[0], pair[1], WB_P), from, WB_P);
        const Number square = multiply(multiply(pair[0], pair[0], WB_P), from, WB_P);

        for_each_ops([&](const wb_one_ops &ops) {
            Number r, a = pair[0], b = pair[1];

            ops.multiply(r.w, a.w, b.w);
            ASSERT_EQ(r, product);
            ops.multiply(b.w, a.w, b.w);
            ASSERT_EQ(b, product);
            b = pair[1];
            ops.multiply(a.w, a.w, b.w);
            ASSERT_EQ(a, product);
            a = pair[0];
            ops.square(r.w, a.w);
            ASSERT_EQ(r, square);
            ops.square(a.w, a.w);
            ASSERT_EQ(a, square);
        });
    }
}

// All small and large multipliers, those around n / 2 and around powers of 2, of the generator and of that as another point: where
// digits change and additions might meet an equal point.  What is expected comes from the affine formulas of the textbook.
TEST(One, Multiples)
{
    const Number n = Number::modulus(WB_N), half = invert(2, WB_N); // (n + 1) / 2
    const Bytes generator = public_of(Number(1).bytes());
    const Affine g(generator);
    std::vector<Number> multipliers;

    for (uint64_t i = 0; i <= 70; i++)
        for (const Number &k : { Number(i), subtract(0, i, WB_N), add(half, i, WB_N), subtract(half, i, WB_N) })
            multipliers.push_back(k);
    for (size_t bit = 7; bit < BITS; bit++) {
        Number k;

        k.w[bit / 64] = UINT64_C(1) << bit % 64;
        for (const Number &near : { k, subtract(k, 1, WB_N), subtract(0, k, WB_N) })
            if (bit % 5 < 2 && near < n)
                multipliers.push_back(near);
    }
    for (const Number &k : multipliers) {
        if (k == Number(0))
            continue;
        const Affine expected = g.times(k);

        ASSERT_FALSE(expected.infinite);
        for_each_ops([&](const wb_one_ops &ops) {
            uint64_t point[2][WORDS];

            ops.base(point, k.w);
            ASSERT_EQ(memcmp(point[0], expected.x.w, BYTES), 0) << to_hex(k.bytes().data(), BYTES);
            ASSERT_EQ(memcmp(point[1], expected.y.w, BYTES), 0) << to_hex(k.bytes().data(), BYTES);
            memcpy(point[0], g.x.w, BYTES);
            memcpy(point[1], g.y.w, BYTES);
            ops.multiple(point, k.w);
            ASSERT_EQ(memcmp(point[0], expected.x.w, BYTES), 0) << to_hex(k.bytes().data(), BYTES);
            ASSERT_EQ(memcmp(point[1], expected.y.w, BYTES), 0) << to_hex(k.bytes().data(), BYTES);
        });
    }
}

// Doubling and adding; equal and opposite points, and infinity, give Z = 0, and X = 0 only if they are equal.
TEST(One, Points)
{
    Random random(14);

    for (int turn = 0; turn < 600; turn++) {
        const Number a = turn % 5 ? random_number(random, WB_N) : Number(1 + static_cast<uint64_t>(turn)),
                     z = turn % 3   ? random_number(random, WB_P)
                         : turn % 2 ? Number(1)
                                    : subtract(0, 1, WB_P);
        const Number b = turn % 8 == 6 ? a : turn % 8 == 7 ? subtract(0, a, WB_N) : random_number(random, WB_N);
        const size_t times = 1 + random.below(5);
        const bool infinity = turn % 16 == 5;
        Number twice = a;

        for (size_t i = 0; i < times; i++)
            twice = add(twice, twice, WB_N);
        for_each_ops([&](const wb_one_ops &ops) {
            JacobianPoint sum, doubled, entry;

            sum.set(public_of(a.bytes()), z);
            entry.set(public_of(b.bytes()), 1);
            if (infinity)
                memset(sum.c[2], 0, sizeof(sum.c[2]));
            doubled = sum;
            ops.twice(doubled.c, times);
            ops.add(sum.c, const_cast<const uint64_t(*)[WORDS]>(entry.c));
            ASSERT_EQ(doubled.get(), infinity ? Bytes() : public_of(twice.bytes()));
            ASSERT_EQ(sum.get(), infinity || turn % 8 >= 6 ? Bytes() : public_of(add(a, b, WB_N).bytes()));
            if (turn % 8 >= 6) {
                ASSERT_EQ(all_bytes(reinterpret_cast<uint8_t *>(sum.c[0]), BYTES, 0), turn % 8 == 6);
            }
        });
    }
}

// Sums, differences and halves at the limits of words: in a doubling, whose numbers are chosen so that X - Z^2, X + Z^2 or their
// product is one of those.  They are no points then, but the formula is the same.  (All as it is kept: r is 2^BITS.)
TEST(One, Sums)
{
    const Number r = r_of_montgomery(), from = invert(r, WB_P), half = invert(2, WB_P);
    const std::vector<Number> limits = words_at_limits();
    Random random(16);
    auto product = [&](const Number &a, const Number &b) { return multiply(multiply(a, b, WB_P), from, WB_P); };
    auto plus = [](const Number &a, const Number &b) { return add(a, b, WB_P); };
    auto minus = [](const Number &a, const Number &b) { return subtract(a, b, WB_P); };
    auto check = [&](const Number &x, const Number &z) {
        const Number y = random_number(random, WB_P), zz = product(z, z), yy = product(y, y), b = product(x, yy);
        const Number t = product(minus(x, zz), plus(x, zz)), l = plus(t, multiply(t, half, WB_P));
        const Number x2 = minus(minus(product(l, l), b), b), y2 = minus(product(l, minus(b, x2)), product(yy, yy));
        const Number want[3] = { x2, y2, product(y, z) };

        for_each_ops([&](const wb_one_ops &ops) {
            uint64_t point[3][WORDS];

            memcpy(point[0], x.w, BYTES);
            memcpy(point[1], y.w, BYTES);
            memcpy(point[2], z.w, BYTES);
            ops.twice(point, 1);
            for (size_t i = 0; i < 3; i++)
                ASSERT_EQ(memcmp(point[i], want[i].w, BYTES), 0) << i;
        });
    };

    for (size_t i = 0; i < limits.size(); i += BITS == 256 ? 1 : 16) { // (16 isn't a multiple of 5: no word is left out)
        const Number &limit = limits[i];

        for (int turn = 0; turn < 4; turn++) {
            const Number z = turn ? random_number(random, WB_P) : r, zz = product(z, z);

            check(plus(limit, zz), z);
            check(minus(limit, zz), z);
        }
        // limit = u v, u = x - z^2, v = x + z^2; half of all numbers are squares, and z is a^((p + 1) / 4) for a = z^2 r.
        for (;;) {
            const Number u = random_number(random, WB_P), v = multiply(multiply(limit, r, WB_P), invert(u, WB_P), WB_P);
            const Number a = multiply(multiply(minus(v, u), half, WB_P), r, WB_P);
            Number z = 1, exponent = Number::modulus(WB_P);

            exponent.w[0]++; // p + 1, which has as many bits
            if (exponent.w[0] == 0)
                exponent.w[1]++;
            for (int bit = BITS - 1; bit >= 2; bit--) {
                z = multiply(z, z, WB_P);
                if (exponent.w[bit / 64] >> bit % 64 & 1)
                    z = multiply(z, a, WB_P);
            }
            if (!(multiply(z, z, WB_P) == a))
                continue;
            check(multiply(plus(u, v), half, WB_P), z);
            break;
        }
    }
}

TEST(One, Select)
{
    const std::vector<Number> limits = words_at_limits();
    uint64_t table[16][2][WORDS];
    Random random(15);

    for (size_t i = 1; i + 16 < limits.size(); i += BITS == 256 ? 16 : 256) { // none of them is 0
        for (size_t e = 0; e < 16; e++) {
            memcpy(table[e][0], random_number(random, WB_P).w, BYTES);
            memcpy(table[e][1], limits[i + e].w, BYTES);
        }
        for_each_ops([&](const wb_one_ops &ops) {
            for (uint64_t index = 0; index < 16; index++) {
                uint64_t entry[2][WORDS];

                ops.select(entry, table, index);
                ASSERT_EQ(memcmp(entry, table[index], sizeof(entry)), 0);
            }
        });
    }
}

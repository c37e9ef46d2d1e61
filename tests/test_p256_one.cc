// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The operations of P-256, one point at a time, against the multiplication that is for any modulus; that one is compared with a
// model in test_curve_numbers.cc.
#include <array>
#include <functional>

#include "curve_support.h"
#include "p256_one_white_box.h"

namespace {

Number r_of_montgomery() // 2^256 modulo p
{
    Number x = 1;

    for (int i = 0; i < 256; i++)
        x = add(x, x, WB_P);
    return x;
}

void for_each_ops(const std::function<void(const wb_p256_ops &)> &test)
{
    size_t num;
    const wb_p256_ops *ops = wb_p256_get_ops(&num);

    for (size_t i = 0; i < num; i++)
        for (const lc_impl_info &impl : implementations("ecdsa-p256"))
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

    for (size_t i = 0; i < 625; i++) {
        Number x;

        for (size_t word = 0, rest = i; word < 4; word++, rest /= 5)
            x.w[word] = words[rest % 5];
        if (x < Number::modulus(WB_P))
            all.push_back(x);
    }
    return all;
}

// A point in Jacobian coordinates with that Z
struct JacobianPoint {
    uint64_t c[3][4];

    void set(const Bytes &point, const Number &z)
    {
        const Number r = r_of_montgomery(), zz = multiply(z, z, WB_P);
        const Number x(Bytes(point.begin() + 1, point.begin() + 33)), y(Bytes(point.begin() + 33, point.end()));
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

} // namespace

// Products and squares, also in place
TEST(P256One, Multiplication)
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

        for_each_ops([&](const wb_p256_ops &ops) {
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

// Doubling and adding; equal and opposite points, and infinity, give Z = 0, and X = 0 only if they are equal.
TEST(P256One, Points)
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
        for_each_ops([&](const wb_p256_ops &ops) {
            JacobianPoint sum, doubled, entry;

            sum.set(public_of(a.bytes()), z);
            entry.set(public_of(b.bytes()), 1);
            if (infinity)
                memset(sum.c[2], 0, sizeof(sum.c[2]));
            doubled = sum;
            ops.twice(doubled.c, times);
            ops.add(sum.c, const_cast<const uint64_t(*)[4]>(entry.c));
            ASSERT_EQ(doubled.get(), infinity ? Bytes() : public_of(twice.bytes()));
            ASSERT_EQ(sum.get(), infinity || turn % 8 >= 6 ? Bytes() : public_of(add(a, b, WB_N).bytes()));
            if (turn % 8 >= 6) {
                ASSERT_EQ(all_bytes(reinterpret_cast<uint8_t *>(sum.c[0]), 32, 0), turn % 8 == 6);
            }
        });
    }
}

// Sums, differences and halves at the limits of words: in a doubling, whose numbers are chosen so that X - Z^2, X + Z^2 or their
// product is one of those.  They are no points then, but the formula is the same.  (All as it is kept: r is 2^256.)
TEST(P256One, Sums)
{
    const Number r = r_of_montgomery(), from = invert(r, WB_P), half = invert(2, WB_P);
    Random random(16);
    auto product = [&](const Number &a, const Number &b) { return multiply(multiply(a, b, WB_P), from, WB_P); };
    auto plus = [](const Number &a, const Number &b) { return add(a, b, WB_P); };
    auto minus = [](const Number &a, const Number &b) { return subtract(a, b, WB_P); };
    auto check = [&](const Number &x, const Number &z) {
        const Number y = random_number(random, WB_P), zz = product(z, z), yy = product(y, y), b = product(x, yy);
        const Number t = product(minus(x, zz), plus(x, zz)), l = plus(t, multiply(t, half, WB_P));
        const Number x2 = minus(minus(product(l, l), b), b), y2 = minus(product(l, minus(b, x2)), product(yy, yy));
        const Number want[3] = { x2, y2, product(y, z) };

        for_each_ops([&](const wb_p256_ops &ops) {
            uint64_t point[3][4];

            memcpy(point[0], x.w, 32);
            memcpy(point[1], y.w, 32);
            memcpy(point[2], z.w, 32);
            ops.twice(point, 1);
            for (size_t i = 0; i < 3; i++)
                ASSERT_EQ(memcmp(point[i], want[i].w, 32), 0) << i;
        });
    };

    for (const Number &limit : words_at_limits()) {
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

            exponent.w[0] = 0;
            exponent.w[1]++; // p + 1, whose lowest 64 bits are 0
            for (int bit = 255; bit >= 2; bit--) {
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

TEST(P256One, Select)
{
    const std::vector<Number> limits = words_at_limits();
    uint64_t table[16][2][4];
    Random random(15);

    for (size_t i = 1; i + 16 < limits.size(); i += 16) { // none of them is 0
        for (size_t e = 0; e < 16; e++) {
            memcpy(table[e][0], random_number(random, WB_P).w, 32);
            memcpy(table[e][1], limits[i + e].w, 32);
        }
        for_each_ops([&](const wb_p256_ops &ops) {
            for (uint64_t index = 0; index < 16; index++)
                for (uint64_t negative : { UINT64_C(0), ~UINT64_C(0) }) {
                    const Number y = negative ? subtract(0, limits[i + index], WB_P) : limits[i + index];
                    uint64_t entry[2][4];

                    ops.select(entry, table, index, negative);
                    ASSERT_EQ(memcmp(entry[0], table[index][0], 32), 0);
                    ASSERT_EQ(memcmp(entry[1], y.w, 32), 0);
                }
        });
    }
}

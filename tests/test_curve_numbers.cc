// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// A curve's numbers against a model that knows nothing but doubling, adding and comparing; and what is done with points in lanes.
#include <array>
#include <cmath>
#include <functional>

#include "curve_support.h"

namespace {

// x = 2x + bit mod m, for x < m
void shift_in(Number *x, unsigned bit, const Number &m)
{
    uint64_t carry = bit, t[WORDS], borrow = 0;

    for (int i = 0; i < WORDS; i++) {
        uint64_t next = x->w[i] >> 63;

        x->w[i] = x->w[i] << 1 | carry;
        carry = next;
    }
    for (int i = 0; i < WORDS; i++) {
        t[i] = x->w[i] - m.w[i] - borrow;
        borrow = x->w[i] < m.w[i] || (x->w[i] == m.w[i] && borrow);
    }
    if (carry || !borrow)
        memcpy(x->w, t, sizeof(t));
}

// A number of so many bits modulo m, which has BITS: the upper BITS - 1 bits are below m as they stand, the others come bit by bit.
Number model_reduce(const uint64_t *words, int bits, const Number &m)
{
    const int others = bits - (BITS - 1);
    Number r;

    for (int i = 0, bit = others; bit < bits; i++, bit += 64) {
        r.w[i] = words[bit / 64] >> bit % 64;
        if (bit % 64 && bit / 64 < (bits - 1) / 64)
            r.w[i] |= words[bit / 64 + 1] << (64 - bit % 64);
    }
    for (int bit = others - 1; bit >= 0; bit--)
        shift_in(&r, words[bit / 64] >> bit % 64 & 1, m);
    return r;
}

Number model_add(const Number &a, const Number &b, const Number &m)
{
    uint64_t sum[WORDS + 1] = { 0 }, carry = 0;
    for (int i = 0; i < WORDS; i++) {
        sum[i] = a.w[i] + b.w[i] + carry;
        carry = sum[i] < a.w[i] || (sum[i] == a.w[i] && carry && b.w[i] == UINT64_MAX) || (carry && sum[i] <= a.w[i]);
    }
    sum[WORDS] = carry;
    return model_reduce(sum, BITS + 1, m);
}

Number model_multiply(const Number &a, const Number &b, const Number &m)
{
    Number r;

    for (int bit = BITS - 1; bit >= 0; bit--) {
        shift_in(&r, 0, m);
        if (b.w[bit / 64] >> bit % 64 & 1)
            r = model_add(r, a, m);
    }
    return r;
}

// Numbers at the limits of words and of the modulus
std::vector<Number> interesting(wb_modulus which)
{
    const Number m = Number::modulus(which);
    std::vector<Number> all = { 0, 1, 2, 3 };
    Random random(9);

    for (uint64_t i = 1; i <= 3; i++)
        all.push_back(subtract(0, i, which));
    for (int bit = 31; bit < BITS; bit += 32) {
        Number x;

        x.w[bit / 64] = UINT64_C(1) << bit % 64;
        if (x < m) {
            all.push_back(x);
            all.push_back(subtract(x, 1, which));
            all.push_back(subtract(0, x, which));
        }
    }
    for (int word = 0; word < WORDS; word++) {
        Number x;

        x.w[word] = UINT64_MAX;
        if (x < m)
            all.push_back(x);
    }
    for (int i = 0; i < 8; i++)
        all.push_back(random_number(random, which));
    return all;
}

} // namespace

TEST(Numbers, AgainstTheModel)
{
    for (wb_modulus which : { WB_P, WB_N }) {
        const Number m = Number::modulus(which);

        for (const Number &a : interesting(which)) {
            for (const Number &b : interesting(which)) {
                const Number product = model_multiply(a, b, m);

                ASSERT_EQ(multiply(a, b, which), product);
                ASSERT_EQ(add(a, b, which), model_add(a, b, m));
                ASSERT_EQ(add(subtract(a, b, which), b, which), a);
                for (const Number &c : { a, b, subtract(0, 1, which) }) {
                    Number r;

                    wb_multiply_add(r.w, a.w, b.w, c.w, which);
                    ASSERT_EQ(r, model_add(product, c, m));
                }
            }
            ASSERT_EQ(model_multiply(a, invert(a, which), m), a == Number(0) ? Number(0) : Number(1));
        }
    }
}

// x of the point with y = 1
#define X_OF_1 LC_NAME_OF(X_OF_1_, CURVE, )
#define X_OF_1_p256 "6916fac45e568b6b9e2e2ecd611b282e5fcc40a3067d601057f879ce5a8a73cc"
#define X_OF_1_p384 "2261b2bf605c22f2f3aef6338719b2c486388ad5240719a5257315969ef01ba27f0a104c89704773a81fdabee6ab5c78"
#define X_OF_1_sm2 "9c17043effe1a805a74a9a5e70b9d659705d3242094a566dc016f49311178d1f"

TEST(Points, YIsBelowP)
{
    const Bytes one = Number(1).bytes();
    Bytes bytes = from_hex("04" X_OF_1), point(POINT_LEN), y = Number::modulus(WB_P).bytes();

    bytes.insert(bytes.end(), one.begin(), one.end());
    ASSERT_EQ(wb_decode(point.data(), bytes.data(), POINT_LEN), LC_OK);
    EXPECT_EQ(point, bytes);
    for (size_t i = BYTES; ++y[--i] == 0;) // p + 1
        ;
    std::copy(y.begin(), y.end(), bytes.end() - BYTES);
    EXPECT_EQ(wb_decode(point.data(), bytes.data(), POINT_LEN), LC_ERR_KEY);
}

// Where y^2 and x^3 - 3x + b, in Montgomery's form, differ in one word only
TEST(Points, AllWordsOfTheEquation)
{
    const Number p = Number::modulus(WB_P);
    const Bytes good = public_of(Bytes(BYTES, 5));
    const Number y(Bytes(good.end() - BYTES, good.end()));
    Number r = 1;

    for (int bit = 0; bit < BITS; bit++)
        r = add(r, r, WB_P);
    const Number square = multiply(multiply(y, y, WB_P), r, WB_P);
    for (int word = 0; word < WORDS; word++) {
        int found = 0;

        for (uint64_t change = 1; change < 100 && found < 3; change++) {
            Number other = square, root = 1;
            Bytes bad = good, point(POINT_LEN);

            other.w[word] ^= change;
            if (!(other < p))
                continue;
            other = multiply(other, invert(r, WB_P), WB_P);
            for (int bit = BITS - 1; bit >= 2; bit--) { // the power of (p + 1) / 4, which is floor(p / 4) + 1
                root = multiply(root, root, WB_P);
                if (p.w[bit / 64] >> bit % 64 & 1)
                    root = multiply(root, other, WB_P);
            }
            root = multiply(root, other, WB_P);
            if (!(multiply(root, root, WB_P) == other))
                continue;
            const Bytes wrong_y = root.bytes();
            std::copy(wrong_y.begin(), wrong_y.end(), bad.end() - BYTES);
            EXPECT_EQ(wb_decode(point.data(), bad.data(), POINT_LEN), LC_ERR_KEY) << "word " << word;
            found++;
        }
        EXPECT_EQ(found, 3);
    }
}

// Whatever the other one is, both are what they are alone.
TEST(Numbers, TwoInverses)
{
    for (wb_modulus which : { WB_P, WB_N }) {
        const wb_modulus other = which == WB_P ? WB_N : WB_P;

        for (const Number &a : interesting(which))
            for (const Number &b : interesting(other)) {
                Number r = a, s = b;

                wb_invert_two(r.w, s.w, which);
                ASSERT_EQ(r, invert(a, which));
                ASSERT_EQ(s, invert(b, other));
            }
    }
}

// ---- Lanes ----

namespace {

const uint64_t mask52 = (UINT64_C(1) << 52) - 1;

using Limbs = std::array<uint64_t, WB_LIMBS>; // of 52 bits

struct Lanes {
    uint64_t limb[WB_LIMBS][8];

    void set(size_t lane, const Limbs &limbs)
    {
        for (size_t i = 0; i < WB_LIMBS; i++)
            limb[i][lane] = limbs[i];
    }
    Limbs get(size_t lane) const
    {
        Limbs limbs;

        for (size_t i = 0; i < WB_LIMBS; i++)
            limbs[i] = limb[i][lane];
        return limbs;
    }
};

// modulo p
Number value(const Limbs &limbs)
{
    uint64_t words[(52 * WB_LIMBS + 63) / 64] = { 0 };

    for (size_t i = 0, bit = 0; i < WB_LIMBS; i++, bit += 52) {
        words[bit / 64] |= (limbs[i] & mask52) << bit % 64;
        if (bit % 64 > 12)
            words[bit / 64 + 1] |= (limbs[i] & mask52) >> (64 - bit % 64);
    }
    return model_reduce(words, 52 * WB_LIMBS, Number::modulus(WB_P));
}

// x + times p, as limbs
Limbs limbs_of(const Number &x, unsigned times)
{
    const Number p = Number::modulus(WB_P);
    Limbs limbs;
    uint64_t carry = 0;

    auto limb_of = [](const Number &n, size_t i) {
        size_t bit = 52 * i;
        uint64_t l = n.w[bit / 64] >> bit % 64;

        if (bit % 64 > 12 && bit / 64 < WORDS - 1)
            l |= n.w[bit / 64 + 1] << (64 - bit % 64);
        return l & mask52;
    };
    for (size_t i = 0; i < WB_LIMBS; i++) {
        carry += limb_of(x, i) + times * limb_of(p, i);
        limbs[i] = carry & mask52;
        carry >>= 52;
    }
    return limbs;
}

// Is it below `times` p and a bit, with limbs of 52 bits?
bool below(const Limbs &limbs, double times)
{
    double x = 0;

    for (size_t i = WB_LIMBS; i-- > 0;) {
        if (limbs[i] > mask52)
            return false;
        x = x * 0x1p52 + static_cast<double>(limbs[i]);
    }
    return x < times * std::ldexp(1, BITS) * 1.0000001;
}

double size_of(const Limbs &limbs)
{
    double x = 0;

    for (size_t i = WB_LIMBS; i-- > 0;)
        x = x * 0x1p52 + static_cast<double>(limbs[i]);
    return std::ldexp(x, -BITS);
}

Number power_of_2(int bit) // modulo p
{
    Number x = 1;

    while (bit--)
        shift_in(&x, 0, Number::modulus(WB_P));
    return x;
}

// At the limits of limbs, of p, and of what limbs hold
std::vector<Limbs> interesting_limbs()
{
    std::vector<Limbs> all;
    Random random(10);

    for (unsigned times : { 0, 1, 2, 3, 4, 12, 15 })
        for (const Number &x : { Number(0), Number(1), subtract(0, 1, WB_P), subtract(0, 2, WB_P) })
            all.push_back(limbs_of(x, times));
    for (size_t i = 0; i < WB_LIMBS; i++) {
        Limbs one = {}, others;

        others.fill(mask52);

        one[i] = mask52;
        others[i] = 0;
        all.push_back(one);
        all.push_back(others);
    }
    Limbs limbs;
    limbs.fill(mask52);
    all.push_back(limbs);
    for (int i = 0; i < 5; i++) {
        for (uint64_t &limb : limbs)
            limb = random.next() & mask52;
        all.push_back(limbs);
    }
    return all;
}

// All that run here, called in turn: what the first one gives is for the test, and all others have to give the same, bit by bit, as
// they are instances of one body.
struct Kernels {
    std::vector<const wb_kernels *> all;

    void multiply(wb_fe r, const wb_fe a, const wb_fe b) const
    {
        each([&](const wb_kernels &k) { k.multiply(r, a, b); }, r, sizeof(wb_fe));
    }
    void square(wb_fe r, const wb_fe a) const
    {
        each([&](const wb_kernels &k) { k.square(r, a); }, r, sizeof(wb_fe));
    }
    void twice(wb_fe point[3]) const
    {
        each([&](const wb_kernels &k) { k.twice(point); }, point, 3 * sizeof(wb_fe));
    }
    void add(wb_fe point[3], const wb_fe entry[2], const uint64_t negative[WB_LANES]) const
    {
        each([&](const wb_kernels &k) { k.add(point, entry, negative); }, point, 3 * sizeof(wb_fe));
    }
    void select(wb_fe entry[2], const wb_fe table[8][2], const uint64_t index[WB_LANES]) const
    {
        each([&](const wb_kernels &k) { k.select(entry, table, index); }, entry, 2 * sizeof(wb_fe));
    }
    void select_base(wb_fe entry[2], unsigned table, const uint64_t index[WB_LANES]) const
    {
        each([&](const wb_kernels &k) { k.select_base(entry, table, index); }, entry, 2 * sizeof(wb_fe));
    }
    void multiples(uint64_t (*points)[2][WORDS], const uint64_t (*multipliers)[WORDS], size_t num, const uint64_t *of) const
    {
        each([&](const wb_kernels &k) { wb_multiples(k.row, points, multipliers, num, of); }, points, num * sizeof(*points));
    }
#ifdef TEST_P256_LANES
    void load(wb_fe entry[2], const uint64_t points[WB_LANES][8], const uint64_t negative[WB_LANES]) const
    {
        each([&](const wb_kernels &k) { k.load(entry, points, negative); }, entry, 2 * sizeof(wb_fe));
    }
#endif
#ifdef TEST_POOLS
    void point(wb_fe entry[2], const uint64_t negative[WB_LANES]) const
    {
        each([&](const wb_kernels &k) { k.point(entry, negative); }, entry, 2 * sizeof(wb_fe));
    }
    void tree_products(wb_fe *products, const wb_fe (*a)[2], wb_fe (*b)[2], size_t half) const
    {
        const std::vector<uint8_t> before = bytes(b, 2 * half * sizeof(*b));

        each(
            [&](const wb_kernels &k) {
                memcpy(b, before.data(), before.size());
                k.tree_products(products, a, b, half);
            },
            products, (2 * half + 2) * sizeof(wb_fe));
    }
    // What b and products had, all of them leave zeros in.
    void tree_sums(wb_fe (*a)[2], wb_fe (*b)[2], wb_fe *products, const wb_fe inverses[2], size_t half) const
    {
        const std::vector<uint8_t> b_before = bytes(b, 2 * half * sizeof(*b));
        const std::vector<uint8_t> products_before = bytes(products, (2 * half + 2) * sizeof(*products));

        each(
            [&](const wb_kernels &k) {
                memcpy(b, b_before.data(), b_before.size());
                memcpy(products, products_before.data(), products_before.size());
                k.tree_sums(a, b, products, inverses, half);
                EXPECT_EQ(bytes(b, b_before.size()), std::vector<uint8_t>(b_before.size())) << k.row;
                EXPECT_EQ(bytes(products, products_before.size()), std::vector<uint8_t>(products_before.size())) << k.row;
            },
            a, 2 * half * sizeof(*a));
    }
#endif

private:
    static std::vector<uint8_t> bytes(const void *data, size_t len)
    {
        return std::vector<uint8_t>(static_cast<const uint8_t *>(data), static_cast<const uint8_t *>(data) + len);
    }
    // data: what is written
    template <typename Call> void each(const Call &call, void *data, size_t len) const
    {
        const std::vector<uint8_t> before = bytes(data, len);
        std::vector<uint8_t> first;

        for (const wb_kernels *k : all) {
            memcpy(data, before.data(), len);
            call(*k);
            if (k == all.front())
                first = bytes(data, len);
            else
                EXPECT_EQ(memcmp(data, first.data(), len), 0) << k->row << " and " << all.front()->row << " differ";
        }
    }
};

void with_kernels(const std::function<void(const Kernels &)> &test)
{
    Kernels kernels;

    for (const wb_kernels *const *k = wb_get_kernels(); *k; k++)
        for (const lc_impl_info &impl : implementations(SIGNATURES))
            if (std::string(impl.name) == (*k)->row && impl.runs_here)
                kernels.all.push_back(*k);
    if (kernels.all.empty())
        GTEST_SKIP() << "no implementation here has lanes";
    test(kernels);
}

} // namespace

TEST(Lanes, Multiplication)
{
    with_kernels([](const Kernels &k) {
        const std::vector<Limbs> all = interesting_limbs();
        const Number p = Number::modulus(WB_P), r = power_of_2(52 * WB_LIMBS);
        const double capacity = std::ldexp(1, 52 * WB_LIMBS - BITS); // of the limbs, in p
        size_t pair = 0;

        // All pairs, eight in a call
        while (pair < all.size() * all.size()) {
            Lanes a, b, product, squared;
            Limbs as[8], bs[8];

            for (size_t lane = 0; lane < 8; lane++) {
                size_t i = (pair + lane) % (all.size() * all.size());

                as[lane] = all[i / all.size()];
                bs[lane] = all[i % all.size()];
                a.set(lane, as[lane]);
                b.set(lane, bs[lane]);
            }
            k.multiply(product.limb, a.limb, b.limb);
            k.square(squared.limb, b.limb);
            for (size_t lane = 0; lane < 8; lane++) {
                Limbs got = product.get(lane), square = squared.get(lane);
                Number va = value(as[lane]), vb = value(bs[lane]);

                // What would be more than the limbs can hold isn't promised.
                const double bound = size_of(as[lane]) * size_of(bs[lane]) / capacity + 1;
                const double square_bound = size_of(bs[lane]) * size_of(bs[lane]) / capacity + 1;

                if (bound < 0.999 * capacity) {
                    ASSERT_EQ(model_multiply(value(got), r, p), model_multiply(va, vb, p)) << pair + lane;
                    ASSERT_TRUE(below(got, bound)) << pair + lane;
                }
                if (square_bound < 0.999 * capacity && (BITS == 256 || size_of(bs[lane]) < capacity / 2)) {
                    ASSERT_EQ(model_multiply(value(square), r, p), model_multiply(vb, vb, p)) << pair + lane;
                    ASSERT_TRUE(below(square, square_bound)) << pair + lane;
                }
            }
            pair += 8;
        }
    });
}

// The generator's table, and what is taken from it
TEST(Lanes, Tables)
{
    with_kernels([](const Kernels &k) {
        const Number r = power_of_2(52 * WB_LIMBS), p = Number::modulus(WB_P);
        static uint64_t table[8][2][WB_LIMBS][8];
        uint64_t index[8], entry[2][WB_LIMBS][8];
        Random random(11);

        for (unsigned window : { 0u, 1u, 8u, 9u, 18u, BASE_TABLES - 2u, BASE_TABLES - 1u })
            for (uint64_t first = 0; first < BASE_ENTRIES; first += window % 2 ? 8 : 24) {
                for (uint64_t lane = 0; lane < 8; lane++)
                    index[lane] = (first + 9 * lane) % BASE_ENTRIES;
                k.select_base(entry, window, index);
                for (size_t lane = 0; lane < 8; lane++) {
                    Number multiple = 2 * index[lane] + 1;

                    for (unsigned i = 0; i < WB_BASE_SHIFT * window; i++)
                        multiple = add(multiple, multiple, WB_N);
                    const Bytes point = public_of(multiple.bytes());
                    for (size_t c = 0; c < 2; c++) {
                        const Bytes coordinate(point.begin() + 1 + BYTES * static_cast<ptrdiff_t>(c),
                                               point.begin() + SHORT_LEN + BYTES * static_cast<ptrdiff_t>(c));
                        Limbs limbs;

                        for (size_t i = 0; i < WB_LIMBS; i++)
                            limbs[i] = entry[c][i][lane];
                        ASSERT_EQ(limbs, limbs_of(model_multiply(Number(coordinate), r, p), 0));
                    }
                }
            }
        for (auto &point : table)
            for (auto &number : point)
                for (auto &limb : number)
                    for (uint64_t &word : limb)
                        word = random.next() & mask52;
        for (uint64_t shift = 0; shift < 8; shift++) {
            for (uint64_t lane = 0; lane < 8; lane++)
                index[lane] = (3 * lane + shift) % 8;
            k.select(entry, table, index);
            for (size_t c = 0; c < 2; c++)
                for (size_t i = 0; i < WB_LIMBS; i++)
                    for (size_t lane = 0; lane < 8; lane++)
                        ASSERT_EQ(entry[c][i][lane], table[index[lane]][c][i][lane]);
        }
    });
}

namespace {

// In lanes a point has any Z, and coordinates that aren't below p.
struct LanePoint {
    uint64_t c[3][WB_LIMBS][8];

    void set(size_t lane, const Bytes &point, const Number &z, unsigned x_times, unsigned y_times, unsigned z_times)
    {
        const Number p = Number::modulus(WB_P), r = power_of_2(52 * WB_LIMBS);
        const Number zz = model_multiply(z, z, p), x(Bytes(point.begin() + 1, point.begin() + SHORT_LEN)),
                     y(Bytes(point.begin() + SHORT_LEN, point.end()));
        const Limbs limbs[3] = { limbs_of(model_multiply(model_multiply(x, zz, p), r, p), x_times),
                                 limbs_of(model_multiply(model_multiply(y, model_multiply(zz, z, p), p), r, p), y_times),
                                 limbs_of(model_multiply(z, r, p), z_times) };

        for (size_t i = 0; i < 3; i++)
            for (size_t l = 0; l < WB_LIMBS; l++)
                c[i][l][lane] = limbs[i][l];
    }

    // As bytes; empty for Z = 0
    Bytes get(size_t lane) const
    {
        const Number p = Number::modulus(WB_P);
        Number v[3];

        for (size_t i = 0; i < 3; i++) {
            Limbs limbs;

            for (size_t l = 0; l < WB_LIMBS; l++)
                limbs[l] = c[i][l][lane];
            v[i] = value(limbs);
        }
        if (v[2] == Number(0))
            return {};
        // R cancels but for one: x = X Z^-2 R, with X, Z in Montgomery's form
        const Number r = power_of_2(52 * WB_LIMBS), inverse = invert(v[2], WB_P), square = model_multiply(inverse, inverse, p);
        const Number x = model_multiply(model_multiply(v[0], square, p), r, p);
        const Number y = model_multiply(model_multiply(model_multiply(v[1], square, p), inverse, p), model_multiply(r, r, p), p);
        Bytes out = x.bytes(), last = y.bytes();

        out.insert(out.begin(), 4);
        out.insert(out.end(), last.begin(), last.end());
        return out;
    }
    bool bounded() const // what the functions promise
    {
        const double bounds[3] = { BITS == 256 ? 1.01 : 13.1, BITS == 256 ? 2.5 : 2, BITS == 256 ? 4 : 2.1 }; // X, Y, Z

        for (size_t i = 0; i < 3; i++)
            for (size_t lane = 0; lane < 8; lane++) {
                Limbs limbs;

                for (size_t l = 0; l < WB_LIMBS; l++)
                    limbs[l] = c[i][l][lane];
                if (!below(limbs, bounds[i]))
                    return false;
            }
        return true;
    }
};

} // namespace

// Doubling and adding, with coordinates up to their bounds; equal and opposite points, and infinity, give Z = 0.
TEST(Lanes, Points)
{
    with_kernels([](const Kernels &k) {
        Random random(12);
        // How many p a coordinate has, below `most`, P-384's bound; P-256 has less.
        const auto times = [&](unsigned most) {
            most = BITS == 256 && most > 4 ? 2 : most;
            return static_cast<unsigned>(random.below(2) ? most - 1 : random.below(most));
        };

        for (int turn = 0; turn < 40; turn++) {
            LanePoint sum, twice, entry;
            Number a[8], b[8];
            uint64_t negative[8];

            for (size_t lane = 0; lane < 8; lane++) {
                a[lane] = random_number(random, WB_N);
                b[lane] = random_number(random, WB_N);
                if (turn % 4 == 3 && lane % 3 == 0)
                    b[lane] = a[lane];
                negative[lane] = random.below(2) ? ~UINT64_C(0) : 0;
                const Bytes point = public_of(a[lane].bytes());
                const Number z = lane == 5 ? Number(1) : random_number(random, WB_P);
                sum.set(lane, point, z, times(13), times(2), times(4));
                twice.set(lane, point, z, times(90), times(70), times(4));
                if (turn % 4 == 2 && lane == 4) { // infinity
                    const Limbs zero = limbs_of(0, times(4));

                    for (size_t l = 0; l < WB_LIMBS; l++)
                        sum.c[2][l][lane] = twice.c[2][l][lane] = zero[l];
                }
                entry.set(lane, public_of(b[lane].bytes()), 1, times(90), times(90), 0);
            }
            k.twice(twice.c);
            k.add(sum.c, const_cast<const uint64_t(*)[WB_LIMBS][8]>(entry.c), negative);
            ASSERT_TRUE(twice.bounded() && sum.bounded());
            for (size_t lane = 0; lane < 8; lane++) {
                const bool infinity = turn % 4 == 2 && lane == 4, same_point = a[lane] == b[lane];
                const Number c = negative[lane] ? subtract(a[lane], b[lane], WB_N) : add(a[lane], b[lane], WB_N);

                ASSERT_EQ(twice.get(lane), infinity ? Bytes() : public_of(add(a[lane], a[lane], WB_N).bytes()));
                ASSERT_EQ(sum.get(lane), infinity || same_point ? Bytes() : public_of(c.bytes()));
            }
        }
    });
}

// Multiples of the generator and of another point; in every lane those for which equal points are added in the last window: of the
// generator 15 * 2^253, or 63 * 2^379 for P-384, less n, and n less that; of another point 2 and n - 2, or 6 and n - 6 for P-384,
// and none on SM2's curve.
TEST(Lanes, Multiples)
{
    with_kernels([](const Kernels &k) {
        Random random(14);
        const Number of = 7;
        Number last = 1;
        std::vector<Number> others, special = { 1, 2, 6, subtract(0, 1, WB_N), subtract(0, 2, WB_N), subtract(0, 6, WB_N) };

        for (int bit = 0; bit < (BITS == 256 ? 253 : 379); bit++)
            last = add(last, last, WB_N);
        last = multiply(last, BITS == 256 ? 15 : 63, WB_N);
        special.push_back(last);
        special.push_back(subtract(0, last, WB_N));
        for (size_t i = 0; i < 8; i++)
            others.push_back(random_number(random, WB_N));
        for (bool base : { true, false })
            for (const Number &s : special)
                for (size_t lane = 0; lane < 8; lane++) {
                    uint64_t multipliers[8][WORDS], points[8][2][WORDS];

                    for (size_t i = 0; i < 8; i++)
                        memcpy(multipliers[i], i == lane ? s.w : others[i].w, BYTES);
                    k.multiples(points, multipliers, 8, base ? nullptr : of.w);
                    for (size_t i : { lane, (lane + 1) % 8, (lane + 5) % 8 }) {
                        const Number multiplier = multiply(i == lane ? s : others[i], base ? 1 : of, WB_N);
                        const Bytes expected = public_of(multiplier.bytes());
                        Number x, y;

                        memcpy(x.w, points[i][0], BYTES);
                        memcpy(y.w, points[i][1], BYTES);
                        ASSERT_EQ(x.bytes(), Bytes(expected.begin() + 1, expected.begin() + SHORT_LEN)) << base << ", " << lane;
                        ASSERT_EQ(y.bytes(), Bytes(expected.begin() + SHORT_LEN, expected.end())) << base << ", " << lane;
                    }
                }
    });
}

#ifdef TEST_POOLS

namespace {

void set_number(wb_fe to, size_t lane, const Limbs &limbs)
{
    for (size_t i = 0; i < WB_LIMBS; i++)
        to[i][lane] = limbs[i];
}

Limbs number_of(const wb_fe from, size_t lane)
{
    Limbs limbs;

    for (size_t i = 0; i < WB_LIMBS; i++)
        limbs[i] = from[i][lane];
    return limbs;
}

Number coordinate(const Bytes &point, ptrdiff_t c)
{
    return Number(Bytes(point.begin() + 1 + BYTES * c, point.begin() + 1 + BYTES + BYTES * c));
}

// How many p a coordinate has, before what may be an addition of the last round: both limits
unsigned times_of(Random &random, ptrdiff_t c)
{
    const bool most = random.below(2);

    if (BITS == 256)
        return c && most;
    return c ? (most ? 66 : 61) : most ? 84 : 54;
}

} // namespace

// Affine additions that share inverses, with coordinates up to their bounds; of points with one x the product of differences is 0,
// and others don't suffer from it.
TEST(Pools, Tree)
{
    with_kernels([](const Kernels &k) {
        const Number p = Number::modulus(WB_P), r = power_of_2(52 * WB_LIMBS), rr = model_multiply(r, r, p);
        static wb_fe a[2 * WB_MAX_HALF][2], b[2 * WB_MAX_HALF][2], products[2 * WB_MAX_HALF + 2], inverses[2];
        Random random(13);

        for (size_t half : { size_t(1), size_t(WB_MAX_HALF) })
            for (int turn = 0; turn < 4; turn++) {
                std::vector<Bytes> sums;
                const size_t bad_lane = turn, bad_pair = turn % 2 ? 2 * half - 1 : 0;

                for (size_t i = 0; i < 2 * half; i++)
                    for (size_t lane = 0; lane < 8; lane++) {
                        const Number x = random_number(random, WB_N);
                        Number y = random_number(random, WB_N);

                        if (i == bad_pair && lane == bad_lane)
                            y = turn < 2 ? x : subtract(0, x, WB_N);
                        const Bytes px = public_of(x.bytes()), py = public_of(y.bytes());
                        for (ptrdiff_t c = 0; c < 2; c++) {
                            const Number cx = coordinate(px, c), cy = coordinate(py, c);

                            set_number(a[i][c], lane, limbs_of(model_multiply(cx, r, p), times_of(random, c)));
                            set_number(b[i][c], lane, limbs_of(model_multiply(cy, r, p), times_of(random, c)));
                        }
                        const Number sum = add(x, y, WB_N);
                        sums.push_back(sum == Number(0) || x == y ? Bytes() : public_of(sum.bytes()));
                    }
                for (size_t lane = 0; lane < 8; lane++)
                    for (size_t first : { size_t(0), half + 1 })
                        set_number(products[first], lane, limbs_of(r, 0));
                k.tree_products(products, a, b, half);
                for (size_t chain = 0; chain < 2; chain++)
                    for (size_t lane = 0; lane < 8; lane++) {
                        const Limbs last = number_of(products[chain ? 2 * half + 1 : half], lane);
                        const bool bad = lane == bad_lane && chain == bad_pair / half;

                        ASSERT_TRUE(below(last, 2));
                        ASSERT_EQ(value(last) == Number(0), bad);
                        const Number inverse = model_multiply(invert(value(last), WB_P), rr, p);
                        set_number(inverses[chain], lane, limbs_of(inverse, 0));
                    }
                k.tree_sums(a, b, products, inverses, half);
                for (size_t i = 0; i < 2 * half; i++)
                    for (size_t lane = 0; lane < 8; lane++) {
                        const Bytes &sum = sums[8 * i + lane];

                        if (lane == bad_lane && i / half == bad_pair / half)
                            continue;
                        for (ptrdiff_t c = 0; c < 2; c++) {
                            ASSERT_TRUE(below(number_of(a[i][c], lane), BITS == 256 ? 1.01 : c ? 68.3 : 85.7));
                            ASSERT_EQ(value(number_of(a[i][c], lane)), model_multiply(coordinate(sum, c), r, p))
                                << i << " " << lane;
                        }
                    }
            }
    });
}

// What a pool adds is a table's entry, or that negated.
TEST(Pools, Point)
{
    with_kernels([](const Kernels &k) {
        static wb_fe entry[2];
        uint64_t negative[8];
        const std::vector<Number> numbers = interesting(WB_P);

        for (size_t i = 0; BITS == 384 && i < numbers.size(); i++) {
            for (size_t lane = 0; lane < 8; lane++) {
                negative[lane] = (i + lane) % 2 ? ~UINT64_C(0) : 0;
                for (ptrdiff_t c = 0; c < 2; c++)
                    set_number(entry[c], lane, limbs_of(numbers[(i + lane) % numbers.size()], 0));
            }
            k.point(entry, negative);
            for (size_t lane = 0; lane < 8; lane++) {
                const Number &x = numbers[(i + lane) % numbers.size()], minus_x = subtract(0, x, WB_P);

                ASSERT_EQ(number_of(entry[0], lane), limbs_of(x, 64));
                ASSERT_EQ(number_of(entry[1], lane),
                          negative[lane] ? limbs_of(minus_x, x == Number(0) ? 64 : 63) : limbs_of(x, 64));
            }
        }
    });
}

#endif

#ifdef TEST_P256_LANES

namespace {

// 2p - x, of x up to 2p
Limbs twice_p_less(const Limbs &x)
{
    Limbs r = limbs_of(0, 2);
    int64_t carry = 0;

    for (size_t i = 0; i < 5; i++) {
        carry += static_cast<int64_t>(r[i] - x[i]);
        r[i] = static_cast<uint64_t>(carry) & mask52;
        carry >>= 52;
    }
    return r;
}

} // namespace

// Points of four words: any that are below 2^256, with bits where limbs meet
TEST(P256Lanes, Load)
{
    with_kernels([](const Kernels &k) {
        Random random(11);
        uint64_t negative[8], entry[2][5][8];

        for (int turn = 0; turn < 40; turn++) {
            uint64_t points[8][8];

            for (auto &point : points)
                for (uint64_t &word : point)
                    word = random.below(4) ? random.next() : random.below(2) ? ~UINT64_C(0) : 0;
            for (uint64_t &n : negative)
                n = random.below(2) ? ~UINT64_C(0) : 0;
            k.load(entry, points, negative);
            for (size_t c = 0; c < 2; c++)
                for (size_t lane = 0; lane < 8; lane++) {
                    Number x;
                    Limbs limbs;

                    memcpy(x.w, points[lane] + 4 * c, sizeof(x.w));
                    for (size_t i = 0; i < 5; i++)
                        limbs[i] = entry[c][i][lane];
                    ASSERT_EQ(limbs, c && negative[lane] ? twice_p_less(limbs_of(x, 0)) : limbs_of(x, 0));
                }
        }
    });
}

// A prepared key's table: all entries of some windows, and some of all
TEST(P256Lanes, PreparedKey)
{
    with_kernels([](const Kernels &k) {
        const Number r = power_of_2(260), p = Number::modulus(WB_P), d(UINT64_C(0x123456789abcdef1));
        const Bytes raw = public_of(d.bytes());
        std::vector<lc_ecdsa_p256_public_key> keys(k.all.size());
        std::vector<Bytes> tables;

        for (size_t i = 0; i < keys.size(); i++) {
            must(lc_ecdsa_p256_public_init_impl(&keys[i], k.all[i]->row, raw.data(), raw.size()), "public_init_impl");
            tables.push_back(Bytes(lc_ecdsa_p256_prepare_len(&keys[i])));
            must(lc_ecdsa_p256_prepare(&keys[i], tables[i].data(), tables[i].size()), "prepare");
        }
        Number weight = d;
        for (unsigned window = 0; window < WB_KEY_WINDOWS; window++) {
            const Number twice = add(weight, weight, WB_N);
            Number multiple = weight;

            for (unsigned e = 0; e < WB_KEY_ENTRIES; e++, multiple = add(multiple, twice, WB_N)) {
                Number got[2];
                uint64_t words[2][4];

                wb_key_entry(words, &keys[0], window, e);
                for (const lc_ecdsa_p256_public_key &other : keys) {
                    uint64_t others[2][4];

                    wb_key_entry(others, &other, window, e);
                    ASSERT_EQ(memcmp(others, words, sizeof(words)), 0) << window << " " << e;
                }
                if (window % 18 && e % 9)
                    continue;
                const Bytes point = public_of(multiple.bytes());
                for (size_t c = 0; c < 2; c++) {
                    memcpy(got[c].w, words[c], sizeof(got[c].w));
                    const Bytes coordinate(point.begin() + 1 + 32 * static_cast<ptrdiff_t>(c),
                                           point.begin() + 33 + 32 * static_cast<ptrdiff_t>(c));
                    ASSERT_EQ(got[c], model_multiply(Number(coordinate), r, p)) << window << " " << e;
                }
            }
            for (int i = 0; i < WB_KEY_BITS; i++)
                weight = add(weight, weight, WB_N);
        }
    });
}

#endif

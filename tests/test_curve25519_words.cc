// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Curve25519 in general registers (src/x86/curve25519_bmi2.S): numbers and formulas at the limits of what they take.
#include "ed25519_support.h"

namespace {

using Words = std::array<uint64_t, 4>;
using Four = std::array<Words, 4>;

const Words ANY = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
const Words TIGHT = { { (1 << 23) - 1, 0, 0, UINT64_C(1) << 63 } };

Number value(const Words &w)
{
    return Number(w[0], w[1], w[2], w[3]) + Number(0);
}

bool is_tight(const Words &w)
{
    return w[3] < UINT64_C(1) << 63 || (w[3] == UINT64_C(1) << 63 && w[2] == 0 && w[1] == 0 && w[0] <= TIGHT[0]);
}

Words minus_small(Words w, uint64_t small)
{
    for (size_t i = 0; i < 4; i++) {
        const uint64_t before = w[i];

        w[i] -= small;
        small = w[i] > before;
    }
    return w;
}

// Numbers up to that one, most of them at a limit: of the kind, of p, of words, or where a carry runs through all words
class Source {
public:
    Source(const Words &largest, uint64_t seed) : random(seed)
    {
        const Words two_p = { { UINT64_MAX - 37, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
        const Words p = { { UINT64_MAX - 18, UINT64_MAX, UINT64_MAX, UINT64_MAX >> 1 } };

        for (uint64_t i : { 0, 1, 18, 19, 20, 37, 38, 39 }) {
            all.push_back({ { i, 0, 0, 0 } });
            all.push_back(minus_small(largest, i));
            all.push_back(minus_small(p, i));
            if (largest[3] == UINT64_MAX)
                all.push_back(minus_small(two_p, i));
        }
        for (size_t i = 0; i < 4; i++) {
            all.push_back({});
            all.back()[i] = i == 3 ? largest[3] : UINT64_MAX;
            all.push_back(minus_small(p, 0));
            all.back()[i] = 0;
        }
        tight = largest == TIGHT;
    }
    Words next()
    {
        Words w;

        if (random.below(2))
            return all[random.below(all.size())];
        for (uint64_t &word : w)
            word = random.next();
        if (tight)
            w[3] >>= 1;
        return w;
    }
    size_t size() const { return all.size(); }
    const Words &operator[](size_t i) const { return all[i]; }

private:
    Random random;
    std::vector<Words> all;
    bool tight;
};

void expect_tight_point(const Four &p, const Number &e, const Number &f, const Number &g, const Number &h)
{
    for (const Words &coordinate : p)
        EXPECT_TRUE(is_tight(coordinate));
    EXPECT_TRUE(value(p[0]) == e * f);
    EXPECT_TRUE(value(p[1]) == g * h);
    EXPECT_TRUE(value(p[2]) == f * g);
    EXPECT_TRUE(value(p[3]) == e * h);
}

uint64_t (*data(Four *p))[4]
{
    return reinterpret_cast<uint64_t(*)[4]>(p->data());
}

const uint64_t (*data(const Four *p))[4]
{
    return reinterpret_cast<const uint64_t(*)[4]>(p->data());
}

class Curve25519Words : public testing::Test {
protected:
    void SetUp() override
    {
        ops = wb_25519_get_words();
        for (const lc_impl_info &impl : implementations("ed25519"))
            if (ops && std::string(impl.name) == ops->row && impl.runs_here)
                return;
        GTEST_SKIP() << "not here";
    }
    const wb_25519_words *ops;
};

} // namespace

TEST_F(Curve25519Words, Products)
{
    const Source any(ANY, 1);

    for (size_t i = 0; i < any.size(); i++) {
        const Number a = value(any[i]);
        Words r;

        ops->sqr(r.data(), any[i].data(), 1);
        EXPECT_TRUE(is_tight(r));
        EXPECT_TRUE(value(r) == a * a);
        ops->sqr(r.data(), any[i].data(), 3);
        EXPECT_TRUE(value(r) == (a * a) * (a * a) * ((a * a) * (a * a)));
        for (size_t j = 0; j < any.size(); j++) {
            ops->mul(r.data(), any[i].data(), any[j].data());
            EXPECT_TRUE(is_tight(r));
            EXPECT_TRUE(value(r) == a * value(any[j])) << i << " " << j;
        }
    }
    Source random(ANY, 2);
    for (int n = 0; n < 2000; n++) {
        const Words a = random.next(), b = random.next();
        Words r;

        ops->mul(r.data(), a.data(), b.data());
        EXPECT_TRUE(is_tight(r));
        EXPECT_TRUE(value(r) == value(a) * value(b));
        ops->sqr(r.data(), a.data(), 1);
        EXPECT_TRUE(is_tight(r));
        EXPECT_TRUE(value(r) == value(a) * value(a));
    }
}

// Coordinates needn't be those of a point: the formulas are what is compared.
TEST_F(Curve25519Words, Points)
{
    Source tight(TIGHT, 3), any(ANY, 4);

    for (int n = 0; n < 4000; n++) {
        const Four before = { { tight.next(), tight.next(), tight.next(), tight.next() } };
        const Four q = { { any.next(), any.next(), any.next(), any.next() } };
        const Number x = value(before[0]), y = value(before[1]), z = value(before[2]), g = y * y - x * x;
        Four p = before;

        ops->twice(data(&p), 1);
        expect_tight_point(p, x * y + x * y, z * z + z * z - g, g, y * y + x * x);
        const Number a = (y - x) * value(q[1]), b = (y + x) * value(q[0]), c = value(before[3]) * value(q[2]);
        for (bool affine : { false, true }) {
            const Number d = affine ? z + z : z * value(q[3]);

            p = before;
            (affine ? ops->add_affine : ops->add)(data(&p), data(&q));
            expect_tight_point(p, b - a, d - c, d + c, b + a);
        }
    }
    // Several times: t is calculated at the end.
    Four once = { { tight.next(), tight.next(), tight.next(), tight.next() } }, thrice = once;
    for (int i = 0; i < 3; i++)
        ops->twice(data(&once), 1);
    ops->twice(data(&thrice), 3);
    EXPECT_EQ(once, thrice);
}

// All 255 steps, from coordinates that needn't be those of points
TEST_F(Curve25519Words, Ladder)
{
    Source tight(TIGHT, 5);

    for (int n = 0; n < 60; n++) {
        Four p = { { tight.next(), tight.next(), tight.next(), tight.next() } };
        const Words u = tight.next();
        Words bits = { { 0, 0, 0, 0 } };
        Number x2 = value(p[0]), z2 = value(p[1]), x3 = value(p[2]), z3 = value(p[3]);

        for (uint64_t &word : bits)
            word = n < 2 ? 0 - static_cast<uint64_t>(n) : tight.next()[0];
        ops->ladder(data(&p), u.data(), bits.data());
        for (int bit = 254; bit >= 0; bit--) {
            if (bits[static_cast<size_t>(bit) / 64] >> bit % 64 & 1) {
                std::swap(x2, x3);
                std::swap(z2, z3);
            }
            const Number a = x2 + z2, b = x2 - z2, da = (x3 - z3) * a, cb = (x3 + z3) * b, e = a * a - b * b;

            x3 = (da + cb) * (da + cb);
            z3 = value(u) * ((da - cb) * (da - cb));
            x2 = a * a * (b * b);
            z2 = e * (a * a + Number(121665) * e);
        }
        EXPECT_TRUE(value(p[0]) == x2 && value(p[1]) == z2 && value(p[2]) == x3 && value(p[3]) == z3) << n;
        for (const Words &coordinate : p)
            EXPECT_TRUE(is_tight(coordinate));
    }
}

// Every entry, with both signs
TEST_F(Curve25519Words, Select)
{
    uint64_t table[16][3][4];
    Random random(6);

    for (auto &entry : table)
        for (auto &number : entry)
            for (size_t i = 0; i < 4; i++)
                number[i] = i == 3 ? random.next() >> 1 : random.next();
    memset(table[3][2], 0, sizeof(table[3][2]));
    table[4][2][0] = 38;
    table[4][2][1] = table[4][2][2] = table[4][2][3] = 0;
    memset(table[5][2], 0xff, sizeof(table[5][2]));
    table[5][2][3] = 5; /* the negative one has a borrow through all words */
    for (uint64_t e = 0; e < 16; e++)
        for (bool negative : { false, true }) {
            std::array<Words, 3> q;

            ops->select(reinterpret_cast<uint64_t(*)[4]>(q.data()), table, e, 0 - static_cast<uint64_t>(negative));
            EXPECT_EQ(memcmp(q[0].data(), table[e][negative], 32), 0);
            EXPECT_EQ(memcmp(q[1].data(), table[e][!negative], 32), 0);
            const Words dxy = { { table[e][2][0], table[e][2][1], table[e][2][2], table[e][2][3] } };
            EXPECT_TRUE(value(q[2]) == (negative ? Number(0) - value(dxy) : value(dxy))) << e;
        }
}

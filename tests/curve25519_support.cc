// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "curve25519_support.h"

__extension__ typedef unsigned __int128 Wide;

constexpr Number P(UINT64_C(0xffffffffffffffed), UINT64_MAX, UINT64_MAX, UINT64_C(0x7fffffffffffffff));
constexpr Number L(UINT64_C(0x5812631a5cf5d3ed), UINT64_C(0x14def9dea2f79cd6), 0, UINT64_C(0x1000000000000000));

Number::Number(const Bytes &bytes)
{
    for (size_t i = 0; i < 32; i++)
        w[i / 8] |= static_cast<uint64_t>(bytes.at(i)) << 8 * (i % 8);
}

Bytes Number::bytes() const
{
    Bytes out(32);

    for (size_t i = 0; i < 32; i++)
        out[i] = static_cast<uint8_t>(w[i / 8] >> 8 * (i % 8));
    return out;
}

bool Number::operator<(const Number &other) const
{
    for (size_t i = 4; i--;)
        if (w[i] != other.w[i])
            return w[i] < other.w[i];
    return false;
}

Number sum(const Number &a, const Number &b)
{
    Number r;
    Wide t = 0;

    for (size_t i = 0; i < 4; i++) {
        t += static_cast<Wide>(a.w[i]) + b.w[i];
        r.w[i] = static_cast<uint64_t>(t);
        t >>= 64;
    }
    return r;
}

Number difference(const Number &a, const Number &b)
{
    Number r;

    for (size_t i = 0; i < 4; i++)
        r.w[i] = ~b.w[i];
    return sum(sum(a, r), 1);
}

static Number reduce(Number a)
{
    while (!(a < P))
        a = difference(a, P);
    return a;
}

Number operator+(const Number &a, const Number &b)
{
    return reduce(sum(reduce(a), reduce(b)));
}

Number operator-(const Number &a, const Number &b)
{
    return reduce(sum(reduce(a), difference(P, reduce(b))));
}

// 2^256 = 38
Number operator*(const Number &a, const Number &b)
{
    uint64_t t[8] = {};

    for (size_t i = 0; i < 4; i++) {
        Wide carry = 0;

        for (size_t j = 0; j < 4; j++) {
            carry += static_cast<Wide>(a.w[i]) * b.w[j] + t[i + j];
            t[i + j] = static_cast<uint64_t>(carry);
            carry >>= 64;
        }
        t[i + 4] = static_cast<uint64_t>(carry);
    }
    Number r;
    Wide carry = 0;
    for (size_t i = 0; i < 4; i++) {
        carry += static_cast<Wide>(t[i + 4]) * 38 + t[i];
        r.w[i] = static_cast<uint64_t>(carry);
        carry >>= 64;
    }
    return reduce(r) + reduce(Number(static_cast<uint64_t>(carry) * 38));
}

// By Fermat
Number inverse(const Number &a)
{
    const Number e = difference(P, 2);
    Number r = 1;

    for (int bit = 254; bit >= 0; bit--) {
        r = r * r;
        if (e.w[static_cast<size_t>(bit / 64)] >> (bit % 64) & 1)
            r = r * a;
    }
    return r;
}

Number random_number(Random &random, const Number &below)
{
    for (;;) {
        Number r(random.bytes(32));

        r.w[3] &= below.w[3] | (below.w[3] - 1);
        if (r < below)
            return r;
    }
}

Point operator+(const Point &a, const Point &b)
{
    static const Number d = Number(0) - Number(121665) * inverse(121666);
    const Number xy = a.x * b.y, yx = b.x * a.y, t = d * xy * yx;

    return { (xy + yx) * inverse(Number(1) + t), (a.y * b.y + a.x * b.x) * inverse(Number(1) - t) };
}

Point negative(const Point &a)
{
    return { Number(0) - a.x, a.y };
}

std::vector<Point> small_points()
{
    // y of order 8: the root of y^4 = .. that is published; x from the curve's equation, by either sign
    const Number y(from_hex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"));
    wb_25519_item item = {};
    std::vector<Point> points = { { 0, 1 } };

    memcpy(item.y, y.w.data(), 32);
    wb_25519_decompress(lc_impl_count("ed25519") - 1, &item, 1);
    EXPECT_TRUE(item.right);
    Point first{ Number(item.x[0], item.x[1], item.x[2], item.x[3]), y };
    for (size_t i = 1; i < 8; i++)
        points.push_back(points.back() + first);
    EXPECT_TRUE(points.back() + first == points[0]);
    EXPECT_FALSE(points[4] == points[0]);
    return points;
}

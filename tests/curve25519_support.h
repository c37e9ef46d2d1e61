/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of X25519 and of Ed25519 share: numbers modulo p and L, and points, one by one. */
#ifndef LC_TESTS_CURVE25519_SUPPORT_H
#define LC_TESTS_CURVE25519_SUPPORT_H

#include <array>

#include "curve25519_white_box.h"
#include "mode_support.h"
#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

enum { LANES = 8 };

/* A number below 2^256.  Sums and products of them are modulo p and below p. */
struct Number {
    std::array<uint64_t, 4> w{};

    constexpr Number(uint64_t small = 0) : w{ { small, 0, 0, 0 } } {}
    constexpr Number(uint64_t a, uint64_t b, uint64_t c, uint64_t d) : w{ { a, b, c, d } } {}
    explicit Number(const Bytes &bytes); /* 32, little-endian */
    Bytes bytes() const;
    bool operator==(const Number &other) const { return w == other.w; }
    bool operator<(const Number &other) const;
};
extern const Number P, L; /* there before other files begin with theirs */

Number operator+(const Number &a, const Number &b);
Number operator-(const Number &a, const Number &b);
Number operator*(const Number &a, const Number &b);
Number inverse(const Number &a);
/* a + b and a - b without a modulus */
Number sum(const Number &a, const Number &b);
Number difference(const Number &a, const Number &b);
Number random_number(Random &random, const Number &below); /* below L or more */

/* Of edwards25519 */
struct Point {
    Number x, y;

    bool operator==(const Point &other) const { return x == other.x && y == other.y; }
};
Point operator+(const Point &a, const Point &b);
Point negative(const Point &a);

/* All points of small order: multiples 0 .. 7 of one of order 8 */
std::vector<Point> small_points();

#endif

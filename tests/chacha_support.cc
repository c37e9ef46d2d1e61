// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "chacha_support.h"

#include <algorithm>

#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

// ---- The reference ----

namespace reference {

static uint32_t load32(const uint8_t *p)
{
    return p[0] | static_cast<uint32_t>(p[1]) << 8 | static_cast<uint32_t>(p[2]) << 16 | static_cast<uint32_t>(p[3]) << 24;
}

static void store32(uint8_t *p, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        p[i] = static_cast<uint8_t>(x >> 8 * i);
}

struct State {
    uint32_t w[16];
};

static State state_of(const Bytes &raw, const Bytes &iv)
{
    State s;

    for (int i = 0; i < 4; i++) {
        s.w[i] = load32(reinterpret_cast<const uint8_t *>("expand 32-byte k") + 4 * i);
        s.w[4 + i] = load32(&raw[4 * i]);
        s.w[8 + i] = load32(&raw[16 + 4 * i]);
        s.w[12 + i] = load32(&iv[4 * i]);
    }
    return s;
}

static void quarter_round(State *s, int a, int b, int c, int d)
{
    auto step = [s](int to, int from, int xored, int rotation) {
        uint32_t x = s->w[xored] ^ (s->w[to] += s->w[from]);

        s->w[xored] = x << rotation | x >> (32 - rotation);
    };
    step(a, b, d, 16);
    step(c, d, b, 12);
    step(a, b, d, 8);
    step(c, d, b, 7);
}

static State twenty_rounds(State s)
{
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < 4; i++) // columns and diagonals
            if (round % 2 == 0)
                quarter_round(&s, i, 4 + i, 8 + i, 12 + i);
            else
                quarter_round(&s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    return s;
}

Bytes chacha20(const Bytes &raw, const Bytes &src, const Bytes &iv)
{
    State start = state_of(raw, iv);
    Bytes dst = src;

    for (size_t at = 0; at < src.size(); at += 64) {
        State s = twenty_rounds(start);
        uint8_t block[64];

        for (int i = 0; i < 16; i++)
            store32(block + 4 * i, s.w[i] + start.w[i]);
        for (size_t i = 0; i < 64 && at + i < src.size(); i++)
            dst[at + i] ^= block[i];
        if (++start.w[12] == 0)
            start.w[13]++;
    }
    return dst;
}

Bytes hchacha20(const Bytes &raw, const Bytes &nonce)
{
    State s = twenty_rounds(state_of(raw, nonce));
    Bytes key(32);

    for (int i = 0; i < 4; i++) {
        store32(&key[4 * i], s.w[i]);
        store32(&key[16 + 4 * i], s.w[12 + i]);
    }
    return key;
}

static const Number p = { { UINT64_C(0xfffffffffffffffb), UINT64_C(0xffffffffffffffff), 3 } };

bool operator==(const Number &a, const Number &b)
{
    return std::equal(a.w, a.w + 3, b.w);
}

// Sum and difference modulo 2^192
static Number plain_sum(const Number &a, const Number &b)
{
    Number sum;
    uint64_t carry = 0;

    for (int i = 0; i < 3; i++) {
        sum.w[i] = a.w[i] + carry;
        carry = sum.w[i] < carry;
        sum.w[i] += b.w[i];
        carry += sum.w[i] < b.w[i];
    }
    return sum;
}

static Number plain_difference(const Number &a, const Number &b)
{
    return plain_sum(plain_sum(a, { { ~b.w[0], ~b.w[1], ~b.w[2] } }), { { 1, 0, 0 } });
}

static bool is_less(const Number &a, const Number &b)
{
    return a.w[2] != b.w[2] ? a.w[2] < b.w[2] : a.w[1] != b.w[1] ? a.w[1] < b.w[1] : a.w[0] < b.w[0];
}

Number reduce(Number a)
{
    while (!is_less(a, p))
        a = plain_difference(a, p);
    return a;
}

Number add(const Number &a, const Number &b)
{
    return reduce(plain_sum(a, b));
}

Number subtract(const Number &a, const Number &b)
{
    return add(a, plain_difference(p, b));
}

// As in school, with digits of 32 bits; then 2^130 is 5, whatever is left of p is subtracted.
Number multiply(const Number &a, const Number &b)
{
    uint64_t digits[12] = { 0 };
    Number low, high, product;

    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0, carry = 0; j < 6; j++) { // b's sixth digit is 0, and takes the carry
            const uint64_t x = a.w[i / 2] >> 32 * (i % 2) & UINT32_MAX, y = b.w[j / 2] >> 32 * (j % 2) & UINT32_MAX;

            digits[i + j] += x * y + carry;
            carry = digits[i + j] >> 32;
            digits[i + j] &= UINT32_MAX;
        }
    for (size_t i = 0; i < 3; i++) {
        low.w[i] = digits[2 * i] | digits[2 * i + 1] << 32;
        high.w[i] = (digits[4 + 2 * i] | digits[5 + 2 * i] << 32) >> 2;
        if (i < 2)
            high.w[i] |= digits[6 + 2 * i] << 62;
    }
    low.w[2] &= 3;
    product = low;
    for (int i = 0; i < 5; i++)
        product = plain_sum(product, high);
    return reduce(product);
}

// a^(p - 2); p is a prime number
Number inverse(const Number &a)
{
    const Number exponent = plain_difference(p, { { 2, 0, 0 } });
    Number power = { { 1, 0, 0 } };

    for (int bit = 129; bit >= 0; bit--) {
        power = multiply(power, power);
        if (exponent.w[bit / 64] >> bit % 64 & 1)
            power = multiply(power, a);
    }
    return power;
}

static Number load_number(const uint8_t *bytes, size_t len)
{
    Number n = { { 0, 0, 0 } };

    for (size_t i = 0; i < len; i++)
        n.w[i / 8] |= static_cast<uint64_t>(bytes[i]) << 8 * (i % 8);
    return n;
}

Number clamped_r(const Bytes &raw)
{
    Bytes r(raw.begin(), raw.begin() + 16);

    for (int i : { 3, 7, 11, 15 })
        r[i] &= 15;
    for (int i : { 4, 8, 12 })
        r[i] &= 252;
    return load_number(r.data(), 16);
}

Number poly1305_sum(const Bytes &raw, const Bytes &msg, Number h)
{
    const Number r = clamped_r(raw);

    h = reduce(h);
    for (size_t at = 0; at < msg.size(); at += 16) {
        uint8_t block[17] = { 0 };
        size_t len = std::min(msg.size() - at, size_t{ 16 });

        std::copy_n(&msg[at], len, block);
        block[len] = 1;
        h = multiply(add(h, load_number(block, 17)), r);
    }
    return h;
}

Bytes poly1305(const Bytes &raw, const Bytes &msg)
{
    Number sum = plain_sum(poly1305_sum(raw, msg), load_number(&raw[16], 16));
    Bytes tag(16);

    for (int i = 0; i < 16; i++)
        tag[i] = static_cast<uint8_t>(sum.w[i / 8] >> 8 * (i % 8));
    return tag;
}

} // namespace reference

Bytes chacha20_iv(const Bytes &nonce, uint64_t counter)
{
    Bytes iv(16 - nonce.size());

    for (size_t i = 0; i < iv.size(); i++)
        iv[i] = static_cast<uint8_t>(counter >> 8 * i);
    iv.insert(iv.end(), nonce.begin(), nonce.end());
    return iv;
}

// ---- libcrypto ----

Bytes chacha20_by_libcrypto(const Bytes &raw, const Bytes &src, const Bytes &iv, const Bytes &otherwise)
{
#ifdef HAVE_LIBCRYPTO
    if (!src.empty())
        return Libcrypto::chacha20(raw).crypt(src.data(), src.size(), iv.data());
#endif
    (void)raw, (void)src, (void)iv;
    return otherwise;
}

Bytes poly1305_by_libcrypto(const Bytes &raw, const Bytes &msg, const Bytes &otherwise)
{
#ifdef HAVE_LIBCRYPTO
    (void)otherwise;
    return Libcrypto::poly1305(raw, msg);
#else
    (void)raw, (void)msg;
    return otherwise;
#endif
}

// ---- Texts ----

const char *const sunscreen = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
                              "sunscreen would be it.";
const char *const jabberwocky =
    "'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\n"
    "All mimsy were the borogoves,\nAnd the mome raths outgrabe.";
const char *const ietf_contribution =
    "Any submission to the IETF intended by the Contributor for publication as all or part of an IETF Internet-Draft or RFC and "
    "any statement made within the context of an IETF activity is considered an \"IETF Contribution\". Such statements include "
    "oral "
    "statements in IETF sessions, as well as written and electronic communications made at any time or place, which are addressed "
    "to";

Bytes from_text(const std::string &text)
{
    return Bytes(text.begin(), text.end());
}

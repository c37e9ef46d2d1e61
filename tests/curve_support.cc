// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "curve_support.h"

Number::Number(const Bytes &bytes)
{
    for (size_t i = 0; i < BYTES; i++)
        w[WORDS - 1 - i / 8] = w[WORDS - 1 - i / 8] << 8 | bytes.at(i);
}

Number Number::modulus(wb_modulus m)
{
    Number r;

    wb_get_modulus(r.w, m);
    return r;
}

Bytes Number::bytes() const
{
    Bytes out(BYTES);

    for (size_t i = 0; i < BYTES; i++)
        out[i] = static_cast<uint8_t>(w[WORDS - 1 - i / 8] >> (56 - 8 * (i % 8)));
    return out;
}

bool Number::operator<(const Number &other) const
{
    return bytes() < other.bytes();
}

Number add(const Number &a, const Number &b, wb_modulus m)
{
    Number r;

    wb_add(r.w, a.w, b.w, m);
    return r;
}

Number subtract(const Number &a, const Number &b, wb_modulus m)
{
    Number r;

    wb_subtract(r.w, a.w, b.w, m);
    return r;
}

Number multiply(const Number &a, const Number &b, wb_modulus m)
{
    Number r;

    wb_multiply(r.w, a.w, b.w, m);
    return r;
}

Number invert(const Number &a, wb_modulus m)
{
    Number r;

    wb_invert(r.w, a.w, m);
    return r;
}

Number random_number(Random &random, wb_modulus m)
{
    Number r;

    do
        for (uint64_t &word : r.w)
            word = random.next();
    while (!(r < Number::modulus(m)) || r == Number(0));
    return r;
}

Bytes nonce_hash(const Bytes &msg)
{
    Bytes digest(BYTES);

    must(NONCE_HASH(digest.data(), msg.data(), msg.size()), "the hash");
    return digest;
}

WrittenNonces::WrittenNonces(const Bytes &raw, const Bytes &e, const Bytes &extra) : k(BYTES, 0), v(BYTES, 1)
{
    next_key(0, { raw, e, extra });
    next_key(1, { raw, e, extra });
}

Bytes WrittenNonces::next()
{
    const Bytes nonce = v = hmac(v);

    next_key(0, {});
    return nonce;
}

Bytes WrittenNonces::hmac(Bytes msg) const
{
    Bytes inner(HASH_BLOCK, 0x36), outer(HASH_BLOCK, 0x5c);

    for (size_t i = 0; i < BYTES; i++) {
        inner[i] ^= k[i];
        outer[i] ^= k[i];
    }
    inner.insert(inner.end(), msg.begin(), msg.end());
    msg = nonce_hash(inner);
    outer.insert(outer.end(), msg.begin(), msg.end());
    return nonce_hash(outer);
}

void WrittenNonces::next_key(uint8_t byte, const std::vector<Bytes> &input)
{
    Bytes msg = v;

    msg.push_back(byte);
    for (const Bytes &part : input)
        msg.insert(msg.end(), part.begin(), part.end());
    k = hmac(msg);
    v = hmac(v);
}

Bytes public_of(const Bytes &raw)
{
    Bytes out(POINT_LEN);

    wb_multiple(out.data(), Number(raw).w);
    return out;
}

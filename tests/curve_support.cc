// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "p256_support.h"

Number::Number(const Bytes &bytes)
{
    for (size_t i = 0; i < 32; i++)
        w[3 - i / 8] = w[3 - i / 8] << 8 | bytes.at(i);
}

Number Number::modulus(wb_p256_modulus m)
{
    Number r;

    wb_p256_get_modulus(r.w, m);
    return r;
}

Bytes Number::bytes() const
{
    Bytes out(32);

    for (size_t i = 0; i < 32; i++)
        out[i] = static_cast<uint8_t>(w[3 - i / 8] >> (56 - 8 * (i % 8)));
    return out;
}

bool Number::operator<(const Number &other) const
{
    return bytes() < other.bytes();
}

Number add(const Number &a, const Number &b, wb_p256_modulus m)
{
    Number r;

    wb_p256_add(r.w, a.w, b.w, m);
    return r;
}

Number subtract(const Number &a, const Number &b, wb_p256_modulus m)
{
    Number r;

    wb_p256_subtract(r.w, a.w, b.w, m);
    return r;
}

Number multiply(const Number &a, const Number &b, wb_p256_modulus m)
{
    Number r;

    wb_p256_multiply(r.w, a.w, b.w, m);
    return r;
}

Number invert(const Number &a, wb_p256_modulus m)
{
    Number r;

    wb_p256_invert(r.w, a.w, m);
    return r;
}

Number random_number(Random &random, wb_p256_modulus m)
{
    Number r;

    do
        for (uint64_t &word : r.w)
            word = random.next();
    while (!(r < Number::modulus(m)) || r == Number(0));
    return r;
}

Bytes sha256(const Bytes &msg)
{
    Bytes digest(32);

    must(lc_sha256(digest.data(), msg.data(), msg.size()), "lc_sha256");
    return digest;
}

Bytes public_of(const Bytes &raw)
{
    lc_ecdh_p256_key key;
    Bytes out(65);

    must(lc_ecdh_p256_init_impl(&key, "ecdh-p256-portable", raw.data(), raw.size()), "lc_ecdh_p256_init_impl");
    lc_ecdh_p256_get_public(&key, out.data());
    lc_ecdh_p256_wipe(&key);
    return out;
}

bool next_record(std::istream &in, std::map<std::string, std::string> *record)
{
    std::string line;

    record->clear();
    while (std::getline(in, line)) {
        size_t equals = line.find(" =");

        if (line.empty() && !record->empty())
            return true;
        if (equals != std::string::npos && line[0] != '#')
            (*record)[line.substr(0, equals)] = equals + 3 < line.size() ? line.substr(equals + 3) : "";
    }
    return !record->empty();
}

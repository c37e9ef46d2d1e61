// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "gcm_support.h"

#include <algorithm>

#include "white_box.h"

#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

namespace reference {

bool operator==(const Block &a, const Block &b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

Block load(const uint8_t *bytes)
{
    Block b = { 0, 0 };

    for (int i = 0; i < 8; i++) {
        b.hi = b.hi << 8 | bytes[i];
        b.lo = b.lo << 8 | bytes[8 + i];
    }
    return b;
}

Bytes store(const Block &block)
{
    Bytes bytes(16);

    for (int i = 0; i < 8; i++) {
        bytes[i] = static_cast<uint8_t>(block.hi >> (56 - 8 * i));
        bytes[8 + i] = static_cast<uint8_t>(block.lo >> (56 - 8 * i));
    }
    return bytes;
}

// Algorithm 1 of section 6.3; without branches, which take four times as long because no CPU can guess them
Block multiply(const Block &x, const Block &y)
{
    Block z = { 0, 0 }, v = y;

    for (int i = 0; i < 128; i++) {
        const uint64_t taken = 0 - ((i < 64 ? x.hi >> (63 - i) : x.lo >> (127 - i)) & 1), r = 0 - (v.lo & 1);

        z.hi ^= v.hi & taken;
        z.lo ^= v.lo & taken;
        v.lo = v.lo >> 1 | v.hi << 63;
        v.hi = v.hi >> 1 ^ (r & UINT64_C(0xe1) << 56);
    }
    return z;
}

// x^(2^128 - 2): 2 + 4 + ... + 2^127
Block inverse(const Block &x)
{
    Block square = multiply(x, x), product = square;

    for (int i = 2; i < 128; i++) {
        square = multiply(square, square);
        product = multiply(product, square);
    }
    return product;
}

static void add(Block *hash, const Block &h, const uint8_t *bytes, size_t len)
{
    for (size_t at = 0; at < len; at += 16) {
        uint8_t padded[16] = { 0 };

        std::copy(bytes + at, bytes + std::min(len, at + 16), padded);
        Block b = load(padded);
        hash->hi ^= b.hi;
        hash->lo ^= b.lo;
        *hash = multiply(*hash, h);
    }
}

// Blocks for the bitsliced AES, padded to the 8 that it does at once.
static Bytes encrypt_blocks(const Bytes &raw, Bytes blocks)
{
    uint8_t enc[15][16];
    lc_aes_bitsliced bs;
    size_t len = blocks.size();

    blocks.resize((len + 127) / 128 * 128);
    lc_aes_expand_portable(enc, nullptr, raw.data(), raw.size());
    lc_aes_bitslice_load(&bs, enc, static_cast<unsigned>(raw.size() / 4 + 6));
    for (size_t at = 0; at < blocks.size(); at += 128)
        lc_aes_bitslice_encrypt(&bs, &blocks[at]);
    blocks.resize(len);
    return blocks;
}

Block hash_key(const Bytes &raw)
{
    return load(encrypt_blocks(raw, Bytes(16)).data());
}

// Section 7.1
Sealed compute(const Message &m)
{
    const Block h = hash_key(m.raw);
    Block j0 = { 0, 0 }, hash = { 0, 0 };
    Bytes blocks;

    if (m.nonce.size() == 12) {
        Bytes block = m.nonce;

        block.insert(block.end(), { 0, 0, 0, 1 });
        j0 = load(block.data());
    } else {
        add(&j0, h, m.nonce.data(), m.nonce.size());
        add(&j0, h, store({ 0, 8 * m.nonce.size() }).data(), 16);
    }
    for (size_t i = 0; i <= (m.src.size() + 15) / 16; i++) {
        uint32_t count = static_cast<uint32_t>(j0.lo) + static_cast<uint32_t>(i);
        Bytes block = store({ j0.hi, j0.lo >> 32 << 32 | count });

        blocks.insert(blocks.end(), block.begin(), block.end());
    }
    blocks = encrypt_blocks(m.raw, blocks);

    Sealed s = { m.src, Bytes(blocks.begin(), blocks.begin() + 16) };
    for (size_t i = 0; i < s.ct.size(); i++)
        s.ct[i] ^= blocks[16 + i];
    add(&hash, h, m.aad.data(), m.aad.size());
    add(&hash, h, s.ct.data(), s.ct.size());
    add(&hash, h, store({ 8 * m.aad.size(), 8 * s.ct.size() }).data(), 16);
    for (size_t i = 0; i < 16; i++)
        s.tag[i] ^= store(hash)[i];
    return s;
}

} // namespace reference

Sealed by_libcrypto(const Message &m, const Sealed &otherwise)
{
#ifdef HAVE_LIBCRYPTO
    if (m.nonce.size() <= 128) { // it takes no longer ones
        Sealed s;

        s.ct = Libcrypto::gcm(m.raw).seal(m.src, m.aad, m.nonce, &s.tag);
        return s;
    }
#endif
    (void)m;
    return otherwise;
}

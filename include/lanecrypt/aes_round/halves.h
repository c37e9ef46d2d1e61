/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A block as two numbers, little-endian: bytes 0..7 and 8..15, that is columns 0, 1 and 2, 3.  RISC-V's scalar instructions take a
 * block so, and so does whatever has no vector registers.
 */
#ifndef LANECRYPT_AES_ROUND_HALVES_H
#define LANECRYPT_AES_ROUND_HALVES_H

#include <string.h>

typedef uint64_t lc_aes_halves __attribute__((vector_size(16), may_alias));

LC_AES_INLINE uint64_t lc_aes_little_endian(uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return x;
#else
    return __builtin_bswap64(x);
#endif
}

LC_AES_INLINE uint64_t lc_aes_low(lc_aes_block x)
{
    return lc_aes_little_endian(((lc_aes_halves)x)[0]);
}

LC_AES_INLINE uint64_t lc_aes_high(lc_aes_block x)
{
    return lc_aes_little_endian(((lc_aes_halves)x)[1]);
}

LC_AES_INLINE lc_aes_block lc_aes_from_halves(uint64_t low, uint64_t high)
{
    lc_aes_halves x = { lc_aes_little_endian(low), lc_aes_little_endian(high) };

    return (lc_aes_block)x;
}

/*
 * From and to memory of any alignment.  Compilers for RISC-V call memcpy() for what may not be aligned, which costs more than to
 * see whether it is.
 */
LC_AES_INLINE lc_aes_block lc_aes_load(const void *p)
{
    lc_aes_block x;

#ifdef __riscv
    if ((uintptr_t)p % sizeof(x) == 0)
        return *(const lc_aes_block *)p;
#endif
    memcpy(&x, p, sizeof(x));
    return x;
}

LC_AES_INLINE void lc_aes_store(void *p, lc_aes_block x)
{
#ifdef __riscv
    if ((uintptr_t)p % sizeof(x) == 0) {
        *(lc_aes_block *)p = x;
        return;
    }
#endif
    memcpy(p, &x, sizeof(x));
}

/* Column 0..3 as a little-endian number. */
LC_AES_INLINE uint32_t lc_aes_column(lc_aes_block x, unsigned column)
{
    uint64_t half = column < 2 ? lc_aes_low(x) : lc_aes_high(x);

    return (uint32_t)(column & 1 ? half >> 32 : half);
}

LC_AES_INLINE lc_aes_block lc_aes_from_columns(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3)
{
    return lc_aes_from_halves((uint64_t)c1 << 32 | c0, (uint64_t)c3 << 32 | c2);
}

/* n = 1..31 */
LC_AES_INLINE uint32_t lc_aes_rotate_left(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Numbers of BITS bits: what mod.h includes for each size. */
struct MODULUS {
    uint64_t m[WORDS];
    uint64_t neg_inverse; /* -1/m mod 2^64 */
    uint64_t one[WORDS];      /* R mod m: 1 in Montgomery's form */
    uint64_t rr[WORDS];       /* R^2 mod m */
    int64_t m62[WORDS + 1];       /* m in digits of 62 bits */
    uint64_t inverse62;   /* 1/m mod 2^62 */
};

/* r = mask ? a : r */
LC_INLINE void NUM(move_if)(uint64_t r[WORDS], const uint64_t a[WORDS], uint64_t mask)
{
    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        r[i] ^= (r[i] ^ a[i]) & mask;
}

/* -1 if a is 0, else 0 */
LC_INLINE uint64_t NUM(is_zero)(const uint64_t a[WORDS])
{
    uint64_t any = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        any |= a[i];
    return lc_mask_if_zero(any);
}

LC_INLINE uint64_t NUM(equal)(const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    uint64_t any = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        any |= a[i] ^ b[i];
    return lc_mask_if_zero(any);
}

/* -1 if a < b, else 0 */
LC_INLINE uint64_t NUM(below)(const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    uint64_t borrow = 0;

    LC_UNROLL
    for (int i = 0; i < WORDS; i++)
        lc_sub_borrow(a[i], b[i], &borrow);
    return lc_opaque(0 - borrow);
}

/*
 * mod256.c, mod384.c.  (Not inline, so that what they leave on the stack is below their callers' frames, where lc_wipe_frame() gets
 * it.)
 */

/* r = t + top * 2^BITS, less m if it is m or more; it's below 2m. */
void MOD(reduce_once)(uint64_t r[WORDS], const uint64_t t[WORDS], uint64_t top, const struct MODULUS *m);
void MOD(add)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const struct MODULUS *m);
void MOD(sub)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const struct MODULUS *m);
/* r = a * b / R */
void MOD(mul)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const struct MODULUS *m);
/* r = (a * b + c) / R */
void MOD(mul_add)(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], const uint64_t c[WORDS],
                  const struct MODULUS *m);

/* r = a / R */
void MOD(from_montgomery)(uint64_t r[WORDS], const uint64_t a[WORDS], const struct MODULUS *m);

LC_INLINE void MOD(to_montgomery)(uint64_t r[WORDS], const uint64_t a[WORDS], const struct MODULUS *m)
{
    MOD(mul)(r, a, m->rr, m);
}

/* Bytes, big-endian, and back */
LC_INLINE void NUM(from_bytes)(uint64_t r[WORDS], const uint8_t bytes[BYTES])
{
    LC_UNROLL
    for (int i = 0; i < WORDS; i++) {
        uint64_t word;

        memcpy(&word, bytes + BYTES - 8 - 8 * i, 8);
        r[i] = __builtin_bswap64(word); /* the portable code needs a little-endian CPU */
    }
}

LC_INLINE void NUM(to_bytes)(uint8_t bytes[BYTES], const uint64_t a[WORDS])
{
    LC_UNROLL
    for (int i = 0; i < WORDS; i++) {
        uint64_t word = __builtin_bswap64(a[i]);

        memcpy(bytes + BYTES - 8 - 8 * i, &word, 8);
    }
}

/* r = 1 / a, both in Montgomery's form; 0 for 0. */
void MOD(inverse)(uint64_t r[WORDS], const uint64_t a[WORDS], const struct MODULUS *m);
#ifdef __SIZEOF_INT128__
/* The same, neither of them in Montgomery's form */
void MOD(plain_inverse)(uint64_t r[WORDS], const uint64_t a[WORDS], const struct MODULUS *m);
#endif

/*
 * The same for num numbers, each in its place, for the price of one inversion and three multiplications each.  None may be 0.
 * scratch: num of them.
 */
void MOD(inverse_many)(uint64_t (*a)[WORDS], uint64_t (*scratch)[WORDS], size_t num, const struct MODULUS *m);

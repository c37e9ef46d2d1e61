/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-GCM in constant time on any CPU, 8 blocks at a time. */
#include "aes_bitslice.h"
#include "gcm_internal.h"

#define BATCH LC_BITSLICE_BLOCKS

/*
 * GHASH of up to 8 blocks b[0..n-1] at once (docs/gcm.md has the field and its order of bits):
 *
 *      hash' = (hash ^ b[0]) * H^n  ^  b[1] * H^(n-1)  ^ ... ^  b[n-1] * H
 *
 * The products are added up before they are reduced, as polynomials of degree up to 254.  A block read as a big-endian number has
 * its coefficient of x^0 at the top, bit 127, so the carry-less product of two numbers is that of the polynomials with x^0 at
 * bit 254.
 *
 * There is no multiplication here, as some cores' take a variable time, and no table.  All products are made together, bit after
 * bit from the top:
 *
 *      sum = 2 * sum;   for each block:  sum ^= power of H, where the block's next bit is set
 *
 * and "where" is a mask that is made of the bit.  To double the sum costs as much as what is done for one block, but is done once
 * for all of them.  A block is PARTS words, whose top bits are taken in the same step.
 *
 * With 128-bit registers a word has four lanes of 32 bits, and lane l belongs to block l of a group of four.  Else a word is a lane
 * of 64 bits, and a group is one block.
 *
 * Measured on Zen 4 at -O2, the products alone, in cycles a byte, with GCC 12 and Clang 14: with vectors 8 and 9, with 64-bit words
 * 19 and 20.  Lost: multiplications of 64-bit numbers that have only every fourth bit of the operands, so that carries end in the
 * holes, 16 of them in each of Karatsuba's three products: 10 and 8, but in a time that is the multiplier's business.
 */
#if LC_BITSLICE_VECTOR
typedef uint32_t lane;
typedef uint32_t word __attribute__((vector_size(16)));
enum { LANES = 4, PARTS = 4 };
#define EACH_PART(i, statement)                                                                                                    \
    do {                                                                                                                           \
        EACH(i, 0, statement) EACH(i, 1, statement) EACH(i, 2, statement) EACH(i, 3, statement)                                    \
    } while (0)
#else
typedef uint64_t lane, word;
enum { LANES = 1, PARTS = 2 };
#define EACH_PART(i, statement)                                                                                                    \
    do {                                                                                                                           \
        EACH(i, 0, statement) EACH(i, 1, statement)                                                                                \
    } while (0)
#endif
enum { LANE_BITS = 8 * sizeof(lane), GROUPS = BATCH / LANES };

/* Unrolled, and inlined, so that the sum stays in registers: GCC -O2 doesn't unroll such loops. */
#define EACH(i, n, statement)                                                                                                      \
    {                                                                                                                              \
        enum { i = n };                                                                                                            \
        statement;                                                                                                                 \
    }
#define INLINE static inline __attribute__((always_inline))

/* Blocks, or powers of H, as words: the least significant part first. */
union group {
    word part[PARTS];
    lane lanes[PARTS][LANES];
};
_Static_assert(sizeof(union group[GROUPS]) <= sizeof(((struct lc_gcm_key *)0)->powers), "8 powers fit into the key");

/* A 128-bit number, halves in order of significance, becomes the i-th of 8. */
static void set_block(union group g[GROUPS], size_t i, const uint64_t x[2])
{
    for (size_t p = 0; p < PARTS; p++)
        g[i / LANES].lanes[p][i % LANES] = (lane)(x[p * LANE_BITS / 64] >> p * LANE_BITS % 64);
}

/* x = 2 * x + *carry; *carry = the bit that fell out. */
INLINE void double_word(word *x, word *carry)
{
    word top = *x >> (LANE_BITS - 1);

    *x = *x << 1 | *carry;
    *carry = top;
}

INLINE void add_masked(word sum[PARTS], word mask, const union group *h)
{
    EACH_PART(i, sum[i] ^= mask & h->part[i]);
}

/*
 * The sum of the products of blocks and powers, from group `first` on: 255 bits in each lane.  Inlined, GCC knows that h and x are
 * neighbours and carries loads over from one group to the next, in registers that it doesn't have, which costs 15 %.
 */
static __attribute__((__noinline__)) void multiply(word product[2 * PARTS], const union group x[GROUPS],
                                                   const union group h[GROUPS], size_t first)
{
    word sum[2 * PARTS] = { 0 };

    for (unsigned bit = 0; bit < LANE_BITS; bit++) {
        word carry = { 0 };

        EACH_PART(i, double_word(&sum[i], &carry));
        EACH_PART(i, double_word(&sum[PARTS + i], &carry));
        for (size_t g = first; g < GROUPS; g++)
            EACH_PART(i, add_masked(sum + i, -(x[g].part[i] << bit >> (LANE_BITS - 1)), &h[g]));
    }
    memcpy(product, sum, sizeof(sum));
}

/*
 * The 255-bit product is moved up by one bit, so that x^0 is at bit 255, and then has four words r3..r0 of coefficients of
 * x^0, x^64, x^128, x^192 and up.  As x^128 = 1 + x + x^2 + x^7, r0 is added to the words 128 bits above it, shifted down by 0, 1,
 * 2 and 7 bits; what falls out of these is added to the word below, r1.  Then the same is done with r1, and r3, r2 are left.
 */
static void reduce(uint64_t hash[2], const word product[2 * PARTS])
{
    uint64_t p[4] = { 0 }, r0, r1, r2, r3;

    for (size_t i = 0; i < 2 * PARTS; i++) {
        lane lanes[LANES], x = 0;

        memcpy(lanes, &product[i], sizeof(lanes));
        for (size_t l = 0; l < LANES; l++)
            x ^= lanes[l];
        p[i * LANE_BITS / 64] |= (uint64_t)x << i * LANE_BITS % 64;
    }
    r3 = p[3] << 1 | p[2] >> 63;
    r2 = p[2] << 1 | p[1] >> 63;
    r1 = p[1] << 1 | p[0] >> 63;
    r0 = p[0] << 1;
    r2 ^= r0 ^ r0 >> 1 ^ r0 >> 2 ^ r0 >> 7;
    r1 ^= r0 << 63 ^ r0 << 62 ^ r0 << 57;
    r3 ^= r1 ^ r1 >> 1 ^ r1 >> 2 ^ r1 >> 7;
    r2 ^= r1 << 63 ^ r1 << 62 ^ r1 << 57;
    hash[0] = r2;
    hash[1] = r3;
}

/* Everything secret that a call needs, in one place to be wiped: 1.4 KB in a kernel, which has no vectors. */
struct work {
    struct lc_aes_bitsliced key;
    union group h[GROUPS];        /* H^8 .. H */
    union group x[GROUPS];        /* blocks to be multiplied by them */
    size_t first, next;           /* the first of 8 that is in use, and where the next block goes */
    uint64_t hash[2];             /* halves in order of significance */
    uint8_t keystream[16 * BATCH];
};

static void load_block(uint64_t x[2], const uint8_t block[16])
{
    uint64_t half[2];

    memcpy(half, block, 16);
    x[0] = __builtin_bswap64(half[1]); /* from a little-endian CPU, like all that aes_bitslice.c supports */
    x[1] = __builtin_bswap64(half[0]);
}

static void store_block(uint8_t block[16], const uint64_t x[2])
{
    uint64_t half[2] = { __builtin_bswap64(x[1]), __builtin_bswap64(x[0]) };

    memcpy(block, half, 16);
}

/* The last of a batch has to be the 8th, so that it meets H.  With num_blocks to come, it is the first batch that's short. */
static void hash_start(struct work *w, uint64_t num_blocks)
{
    w->first = w->next = -num_blocks % BATCH;
}

static void hash_number(struct work *w, const uint64_t number[2])
{
    uint64_t x[2] = { number[0], number[1] };

    if (w->next == w->first) {
        x[0] ^= w->hash[0];
        x[1] ^= w->hash[1];
    }
    set_block(w->x, w->next++, x);
    if (w->next == BATCH) {
        word product[2 * PARTS];

        multiply(product, w->x, w->h, w->first / LANES);
        reduce(w->hash, product);
        w->first = w->next = 0;
    }
}

static void hash_bytes(struct work *w, const uint8_t *data, size_t len)
{
    uint64_t x[2];

    for (; len >= 16; data += 16, len -= 16) {
        load_block(x, data);
        hash_number(w, x);
    }
    if (len) {
        uint8_t block[16] = { 0 };

        memcpy(block, data, len);
        load_block(x, block);
        hash_number(w, x);
    }
}

void lc_aes_gcm_powers_portable(struct lc_gcm_key *key)
{
    struct work w;
    uint64_t power[2];

    memset(&w, 0, sizeof(w));
    lc_aes_bitslice_load(&w.key, (const uint8_t(*)[16])key->enc, key->rounds);
    lc_aes_bitslice_encrypt(&w.key, w.keystream);
    load_block(power, w.keystream);
    set_block(w.h, BATCH - 1, power);
    /* Each is the one before it, hashed as if it were a message of one block. */
    for (size_t i = BATCH - 1; i-- > 0;) {
        w.hash[0] = w.hash[1] = 0;
        hash_start(&w, 1);
        hash_number(&w, power);
        memcpy(power, w.hash, sizeof(power));
        set_block(w.h, i, power);
    }
    memset(key->powers, 0, sizeof(key->powers));
    memcpy(key->powers, w.h, sizeof(w.h));
    lc_wipe(power, sizeof(power));
    lc_wipe(&w, sizeof(w));
}

/* The n-th counter block: 32 bits are counted, and wrap. */
static void set_counter(uint8_t block[16], const uint64_t j0[2], uint64_t n)
{
    uint32_t count;

    memcpy(block, j0, 16);
    memcpy(&count, block + 12, 4);
    count = __builtin_bswap32(__builtin_bswap32(count) + (uint32_t)n);
    memcpy(block + 12, &count, 4);
}

/* The text; with e_j0, that gets the encrypted J0, which is made along with the first blocks' key stream. */
static void crypt_text(struct work *w, uint8_t *dst, const uint8_t *src, size_t len, const struct lc_gcm_msg *msg, uint8_t *e_j0,
                       int encrypt)
{
    uint64_t next = msg->num_done + 1;

    for (;;) {
        size_t first = e_j0 ? 1 : 0, n = 16 * (BATCH - first);

        if (e_j0)
            set_counter(w->keystream, msg->j0, 0);
        for (size_t i = first; i < BATCH; i++)
            set_counter(w->keystream + 16 * i, msg->j0, next++);
        lc_aes_bitslice_encrypt(&w->key, w->keystream);
        if (e_j0)
            memcpy(e_j0, w->keystream, 16);
        if (n > len)
            n = len;
        if (!encrypt)
            hash_bytes(w, src, n); /* first, as dst may be src */
        lc_xor_bytes(dst, src, w->keystream + 16 * first, n);
        if (encrypt)
            hash_bytes(w, dst, n);
        len -= n;
        if (len == 0)
            break;
        dst += n;
        src += n;
        e_j0 = NULL;
    }
}

static void crypt(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, struct lc_gcm_msg *msg, unsigned how,
                  int encrypt)
{
    const int last = how & LC_GCM_LAST;
    uint8_t hash[16], e_j0[16] = { 0 };
    struct work w;

    memset(&w, 0, sizeof(w));
    memcpy(w.h, key->powers, sizeof(w.h));
    memcpy(hash, msg->hash, 16);
    load_block(w.hash, hash);
    hash_start(&w, ((uint64_t)msg->aad_len + 15) / 16 + ((uint64_t)len + 15) / 16 + (last ? 1 : 0));
    hash_bytes(&w, msg->aad, msg->aad_len);
    if (len || last) {
        lc_aes_bitslice_load(&w.key, key->enc, key->rounds);
        crypt_text(&w, dst, src, len, msg, last ? e_j0 : NULL, encrypt);
    }
    if (last)
        hash_number(&w, msg->num_bits);
    store_block(hash, w.hash);
    lc_xor_bytes(hash, hash, e_j0, 16);
    memcpy(msg->hash, hash, 16);
    lc_wipe(hash, sizeof(hash));
    lc_wipe(e_j0, sizeof(e_j0));
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

void lc_aes_gcm_encrypt_portable(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, struct lc_gcm_msg *msg,
                                 unsigned how)
{
    crypt(key, dst, src, len, msg, how, 1);
}

void lc_aes_gcm_decrypt_portable(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, struct lc_gcm_msg *msg,
                                 unsigned how)
{
    crypt(key, dst, src, len, msg, how, 0);
}

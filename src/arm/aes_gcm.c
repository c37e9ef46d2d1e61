/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM for 64-bit Arm with the AES and PMULL instructions: one body for both directions.
 *
 * -- The field ----------------------------------------------------------------------------------------------------------------
 *
 * GHASH's blocks are polynomials modulo x^128 + x^7 + x^2 + x + 1 whose coefficient of x^i is bit 7 - i % 8 of byte i / 8.  RBIT
 * reverses the bits of each byte; then x^i is bit i of a little-endian number, and everything is in its natural order:  PMULL
 * multiplies the lower halves of two registers, PMULL2 the upper ones, and a product a * b of halves a1 a0, b1 b0 is (Karatsuba)
 *
 *      lo + mid * x^64 + hi * x^128,   lo = a0 * b0,  hi = a1 * b1,  mid = (a0 + a1) * (b0 + b1) + lo + hi
 *
 * Sums of such products are reduced together.  As x^128 = 1 + x + x^2 + x^7, the upper half of hi, at x^192, goes to x^64 times
 * that.  The 1 is for free: with its halves swapped, hi is added to mid, which also takes its lower half, at x^128, to where it
 * belongs in mid.  x + x^2 + x^7 is a product by 0x86.  Then the same is done once more with mid and lo:
 *
 *      mid += swap(hi) + hi1 * 0x86;   lo += swap(mid) + mid1 * 0x86
 *
 * x86, which can't reverse bits, reverses bytes, has everything mirrored, and takes the same steps from the other end, with a
 * factor of x^-1 in the powers.  Here a block costs one operation (RBIT or REV64) either way, so there is no point in that.
 *
 * -- The powers of H ----------------------------------------------------------------------------------------------------------
 *
 * Blocks whose products are summed up meet falling powers of H, the last of them H itself.  key->powers has H^12 .. H, each as two
 * halves, and after them the sums of the halves, 8 bytes each: so two blocks' sums are loaded at once, and multiplied as the lower
 * and upper half of one register.  12 are enough for a message of up to 3 blocks of AAD, 8 of text, and the length block to be one
 * sum with one reduction.
 *
 * -- The loop -----------------------------------------------------------------------------------------------------------------
 *
 * Eight blocks a group.  A block takes these vector operations, the group's divided by 8:
 *
 *      n       AESE and AESMC, n pairs
 *      3.25    PMULL: 3 for the product, 2/8 for the reduction
 *      9.25    others: 1 for the counter (see ctr.c), 2 xors of the text, RBIT, 1.5 for the sums of halves, 2.6 to add products
 *              up, and 9/8 for the reduction and to add the hash to the first block
 *
 * Neoverse N1 does the first two in one of its two vector pipes, so they are what bounds it: n + 3.25 cycles a block.  Four
 * products without sums of halves instead of Karatsuba's three are n + 4.25, and the same number in all.  Cores that do everything
 * in four pipes are bounded by the sum.  (The counts are counts; nothing has been measured on hardware.)
 *
 * The hash is made among the AES rounds.  For decryption it's that of the same group; for encryption that of the group before,
 * which stays in registers: neither ciphertext nor plaintext is ever read twice, so that nobody who shares the memory can have one
 * text hashed and another one decrypted.
 *
 * Constant time: branches and addresses depend on lengths, the number of rounds and how only.
 */
#include "../gcm_internal.h"
#include "aes_rounds.h"

#define GROUP 8 /* blocks in flight; see xts.c */

/* ---- Powers of H ---- */

#define NUM_POWERS 12

struct powers {
    uint8_t power[NUM_POWERS][16]; /* H^12 .. H */
    uint8_t sum[NUM_POWERS][8];    /* of each one's halves */
};
_Static_assert(sizeof(struct powers) <= sizeof(((struct lc_gcm_key *)NULL)->powers), "the powers fit into the key");

INLINE const struct powers *powers_of(const struct lc_gcm_key *key)
{
    return (const struct powers *)key->powers; /* bytes all of it */
}

/* ---- Multiplication ---- */

/* As in the comment above, but mid still lacks lo and hi. */
struct product {
    uint64x2_t lo, mid, hi;
};

INLINE uint64x2_t multiply_low(uint64x2_t a, uint64x2_t b)
{
    return vreinterpretq_u64_p128(vmull_p64((poly64_t)vgetq_lane_u64(a, 0), (poly64_t)vgetq_lane_u64(b, 0)));
}

INLINE uint64x2_t multiply_high(uint64x2_t a, uint64x2_t b)
{
    return vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)));
}

INLINE uint64x2_t swap(uint64x2_t x)
{
    return vextq_u64(x, x, 1);
}

/* sum + b * H^exponent */
INLINE struct product add_product(struct product sum, const struct powers *h, size_t exponent, uint64x2_t b)
{
    const uint64x2_t power = vreinterpretq_u64_u8(vld1q_u8(h->power[NUM_POWERS - exponent]));
    const uint64x2_t halves = vreinterpretq_u64_u8(vcombine_u8(vld1_u8(h->sum[NUM_POWERS - exponent]), vdup_n_u8(0)));

    sum.lo = veorq_u64(sum.lo, multiply_low(b, power));
    sum.hi = veorq_u64(sum.hi, multiply_high(b, power));
    sum.mid = veorq_u64(sum.mid, multiply_low(veorq_u64(b, swap(b)), halves));
    return sum;
}

/* sum + b * H^exponent + c * H^(exponent - 1), for an even exponent */
INLINE struct product add_two_products(struct product sum, const struct powers *h, size_t exponent, uint64x2_t b, uint64x2_t c)
{
    const uint64x2_t power_b = vreinterpretq_u64_u8(vld1q_u8(h->power[NUM_POWERS - exponent]));
    const uint64x2_t power_c = vreinterpretq_u64_u8(vld1q_u8(h->power[NUM_POWERS - exponent + 1]));
    const uint64x2_t halves = vreinterpretq_u64_u8(vld1q_u8(h->sum[NUM_POWERS - exponent]));
    const uint64x2_t both = veorq_u64(vzip1q_u64(b, c), vzip2q_u64(b, c));

    sum.lo = veorq_u64(sum.lo, multiply_low(b, power_b));
    sum.hi = veorq_u64(sum.hi, multiply_high(b, power_b));
    sum.mid = veorq_u64(sum.mid, multiply_low(both, halves));
    sum.lo = veorq_u64(sum.lo, multiply_low(c, power_c));
    sum.hi = veorq_u64(sum.hi, multiply_high(c, power_c));
    sum.mid = veorq_u64(sum.mid, multiply_high(both, halves));
    return sum;
}

INLINE struct product zero_product(void)
{
    const uint64x2_t zero = vdupq_n_u64(0);

    return (struct product){ zero, zero, zero };
}

/* x^7 + x^2 + x in both halves.  Hidden from Clang, which else makes lower halves of upper ones, by way of general registers. */
INLINE uint64x2_t modulus(void)
{
    uint64x2_t x = vdupq_n_u64(0x86);

    __asm__("" : "+w"(x));
    return x;
}

/* The reduction, in two steps of which the first leaves mid complete, and hi done with. */
INLINE struct product reduce_high(struct product p)
{
    p.mid = veorq_u64(veorq_u64(p.mid, veorq_u64(p.lo, p.hi)), swap(p.hi));
    p.mid = veorq_u64(p.mid, multiply_high(p.hi, modulus()));
    return p;
}

INLINE uint64x2_t reduce_middle(struct product p)
{
    return veorq_u64(veorq_u64(p.lo, swap(p.mid)), multiply_high(p.mid, modulus()));
}

INLINE uint64x2_t reduce(struct product p)
{
    return reduce_middle(reduce_high(p));
}

/* ---- Blocks and bytes ---- */

/* A block as a polynomial, and back. */
INLINE uint64x2_t polynomial(uint8x16_t block)
{
    return vreinterpretq_u64_u8(vrbitq_u8(block));
}

INLINE uint8x16_t block_of(uint64x2_t polynomial)
{
    return vrbitq_u8(vreinterpretq_u8_u64(polynomial));
}

/* Two 64-bit numbers that have just been stored one by one: not to be loaded as one, see gcm_internal.h. */
INLINE uint64x2_t load_halves(const uint64_t half[2])
{
    uint64_t lo = half[0], hi = half[1];

    __asm__("" : "+r"(lo), "+r"(hi)); /* compilers would make it one */
    return vcombine_u64(vcreate_u64(lo), vcreate_u64(hi));
}

INLINE uint64_t load_64(const uint8_t *p)
{
    uint64_t x;

    memcpy(&x, p, 8);
    return x;
}

INLINE uint32_t load_32(const uint8_t *p)
{
    uint32_t x;

    memcpy(&x, p, 4);
    return x;
}

/* n = 1..15 bytes at p, zeros after them: the first of them and the last, which overlap. */
INLINE uint8x16_t load_part(const uint8_t *p, size_t n)
{
    uint64_t lo, hi = 0;

    if (n >= 8) {
        lo = load_64(p);
        hi = load_64(p + n - 8) >> 4 * (16 - n) >> 4 * (16 - n); /* 64 for n = 8 */
    } else if (n >= 4) {
        lo = load_32(p) | (uint64_t)load_32(p + n - 4) << 8 * (n - 4);
    } else {
        lo = p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) | (uint64_t)p[n - 1] << 8 * (n - 1);
    }
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(lo), vcreate_u64(hi)));
}

/* The first n = 1..15 bytes of the block. */
INLINE void store_part(uint8_t *p, size_t n, uint8x16_t block)
{
    uint64_t x = vgetq_lane_u64(vreinterpretq_u64_u8(block), 0);

    if (n & 8) {
        memcpy(p, &x, 8);
        p += 8;
        x = vgetq_lane_u64(vreinterpretq_u64_u8(block), 1);
    }
    if (n & 4) {
        uint32_t y = (uint32_t)x;

        memcpy(p, &y, 4);
        p += 4;
        x >>= 32;
    }
    if (n & 2) {
        uint16_t y = (uint16_t)x;

        memcpy(p, &y, 2);
        p += 2;
        x >>= 16;
    }
    if (n & 1)
        *p = (uint8_t)x;
}

/* The first n bytes, zeros after them. */
INLINE uint8x16_t first_bytes(uint8x16_t block, size_t n)
{
    static const uint8_t index[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

    return vandq_u8(block, vcltq_u8(vld1q_u8(index), vdupq_n_u8((uint8_t)n)));
}

/* ---- The hash ---- */

/* len > 0 bytes, the last block padded, under H^exponent and the powers below.  *hash is added to the first block, and zeroed. */
INLINE struct product add_data(struct product sum, const struct powers *h, size_t exponent, const uint8_t *data, size_t len,
                               uint64x2_t *hash)
{
    for (;;) {
        uint8x16_t block = len >= 16 ? vld1q_u8(data) : load_part(data, len);

        sum = add_product(sum, h, exponent--, veorq_u64(polynomial(block), *hash));
        *hash = vdupq_n_u64(0);
        if (len <= 16)
            return sum;
        data += 16;
        len -= 16;
    }
}

/* The hash of len bytes in sums of up to 12 blocks.  A function, as it is for AAD that isn't short. */
static __attribute__((__noinline__)) uint64x2_t hash_data(const struct lc_gcm_key *key, const uint8_t *data, size_t len,
                                                          uint64x2_t hash)
{
    while (len) {
        const size_t n = len < 16 * NUM_POWERS ? len : 16 * NUM_POWERS;

        struct product sum = add_data(zero_product(), powers_of(key), (n + 15) / 16, data, n, &hash);
        hash = reduce(sum);
        data += n;
        len -= n;
    }
    return hash;
}

/* The i-th of four steps of a group's hash; `hash` is the one so far. */
INLINE struct product hash_step(struct product sum, const struct powers *h, const uint8x16_t g[GROUP], size_t i, uint64x2_t hash)
{
    uint64x2_t b = polynomial(g[2 * i]);

    if (i == 0)
        b = veorq_u64(b, hash);
    return add_two_products(sum, h, GROUP - 2 * i, b, polynomial(g[2 * i + 1]));
}

INLINE uint64x2_t hash_group(const struct powers *h, const uint8x16_t g[GROUP], uint64x2_t hash)
{
    struct product sum = hash_step(zero_product(), h, g, 0, hash);

    sum = hash_step(sum, h, g, 1, hash);
    sum = hash_step(sum, h, g, 2, hash);
    sum = hash_step(sum, h, g, 3, hash);
    return reduce(sum);
}

/* ---- Groups ---- */

/* Counter blocks: the first 12 bytes of J0, and a number. */
struct counter {
    uint64_t lo; /* 8 bytes */
    uint32_t hi; /* 4 bytes */
    uint32_t next;
};

INLINE uint8x16_t counter_block(const struct counter *c, uint32_t i)
{
    const uint64_t hi = c->hi | (uint64_t)__builtin_bswap32(c->next + i) << 32;

    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(c->lo), vcreate_u64(hi)));
}

/* One block, with the last key too */
INLINE uint8x16_t encrypt_block(const struct lc_gcm_key *key, uint8x16_t x)
{
    aes_rounds(&x, 1, vld1q_u8(key->enc[0]), key->enc, key->rounds, 1);
    return veorq_u8(x, vld1q_u8(key->enc[14]));
}

/*
 * All rounds on a group as aes_rounds() does them, and among them the hash goes on with the group g.
 *
 * GCC would rather collect the whole hash in one place, where the pipe for AES and PMULL waits for the other one, which adds up the
 * products, and later the other way round, further than a core looks ahead.  PIN() is a point that one of the AES blocks, the sum,
 * and the two blocks that are hashed next have to pass together; then the rest keeps its place as well.  (In a model of the pipes,
 * not on hardware, 3 to 6 % of the time for encryption.)  All blocks in PIN() make GCC copy registers.
 */
INLINE uint64x2_t rounds_and_hash(const struct lc_gcm_key *key, uint8x16_t x[GROUP], uint8x16_t g[GROUP], uint64x2_t hash)
{
    const struct powers *h = powers_of(key);
    struct product sum;

#define ROUND(slot)                                                                                                                \
    do {                                                                                                                           \
        const uint8x16_t round_key = vld1q_u8(key->enc[slot]);                                                                     \
        EACH_BLOCK(i, GROUP, x[i] = aes_round(x[i], round_key, 1));                                                                \
    } while (0)
#define PIN(next) __asm__("" : "+w"(x[0]), "+w"(sum.lo), "+w"(sum.mid), "+w"(sum.hi), "+w"(g[next]), "+w"(g[next + 1]))
    ROUND(0);
    if (key->rounds > 10) {
        if (key->rounds > 12) {
            ROUND(1);
            ROUND(2);
        }
        ROUND(3);
        ROUND(4);
    }
    ROUND(5);
    sum = hash_step(zero_product(), h, g, 0, hash);
    PIN(2);
    ROUND(6);
    sum = hash_step(sum, h, g, 1, hash);
    PIN(4);
    ROUND(7);
    sum = hash_step(sum, h, g, 2, hash);
    PIN(6);
    ROUND(8);
    sum = hash_step(sum, h, g, 3, hash);
    ROUND(9);
    PIN(0);
    ROUND(10);
    sum = reduce_high(sum);
    ROUND(11);
    PIN(0);
    ROUND(12);
    hash = reduce_middle(sum);
    const uint8x16_t last_key = vld1q_u8(key->enc[13]);
    EACH_BLOCK(i, GROUP, x[i] = aes_last_round(x[i], last_key, 1));
#undef ROUND
#undef PIN
    return hash;
}

/* num > 0 groups; the hash goes on. */
static __attribute__((__noinline__)) uint64x2_t encrypt_groups(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src,
                                                               size_t num, struct counter c, uint64x2_t hash)
{
    uint8x16_t x[GROUP], g[GROUP];

    EACH_BLOCK(i, GROUP, x[i] = counter_block(&c, i));
    aes_rounds(x, GROUP, vld1q_u8(key->enc[0]), key->enc, key->rounds, 1);
    for (;;) {
        const uint8x16_t last = vld1q_u8(key->enc[14]);

        EACH_BLOCK(i, GROUP, {
            g[i] = veorq_u8(x[i], veorq_u8(last, vld1q_u8(src + 16 * i)));
            vst1q_u8(dst + 16 * i, g[i]);
        });
        if (--num == 0)
            return hash_group(powers_of(key), g, hash);
        dst += 16 * GROUP;
        src += 16 * GROUP;
        c.next += GROUP;
        EACH_BLOCK(i, GROUP, x[i] = counter_block(&c, i));
        hash = rounds_and_hash(key, x, g, hash);
    }
}

static __attribute__((__noinline__)) uint64x2_t decrypt_groups(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src,
                                                               size_t num, struct counter c, uint64x2_t hash)
{
    for (; num; num--, dst += 16 * GROUP, src += 16 * GROUP, c.next += GROUP) {
        uint8x16_t x[GROUP], g[GROUP], last;

        EACH_BLOCK(i, GROUP, x[i] = counter_block(&c, i));
        EACH_BLOCK(i, GROUP, g[i] = vld1q_u8(src + 16 * i));
        hash = rounds_and_hash(key, x, g, hash);
        last = vld1q_u8(key->enc[14]);
        EACH_BLOCK(i, GROUP, vst1q_u8(dst + 16 * i, veorq_u8(x[i], veorq_u8(last, g[i]))));
    }
    return hash;
}

/* ---- The contract: see gcm_internal.h ---- */

INLINE size_t blocks_of(size_t len)
{
    return len / 16 + (len % 16 != 0);
}

INLINE void crypt(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, struct lc_gcm_msg *msg, unsigned how,
                  int encrypt)
{
    const struct powers *h = powers_of(key);
    struct counter c = { msg->j0[0], (uint32_t)msg->j0[1], __builtin_bswap32((uint32_t)(msg->j0[1] >> 32)) };
    uint64x2_t hash = polynomial(vreinterpretq_u8_u64(load_halves(msg->hash)));
    struct product sum = zero_product();
    size_t exponent; /* of the next block's power */

    /* E(J0) waits in msg->hash for the end. */
    if (how & LC_GCM_LAST)
        vst1q_u64(msg->hash, vreinterpretq_u64_u8(encrypt_block(key, counter_block(&c, 0))));
    c.next += (uint32_t)msg->num_done + 1;

    exponent = blocks_of(len) + (how & LC_GCM_LAST);
    if (len <= 16 * GROUP && msg->aad_len <= 16 * NUM_POWERS && exponent + blocks_of(msg->aad_len) <= NUM_POWERS) {
        /* One sum for everything */
        if (msg->aad_len) {
            const size_t n = blocks_of(msg->aad_len);

            sum = add_data(sum, h, exponent + n, msg->aad, msg->aad_len, &hash);
        }
    } else {
        const size_t num = len / (16 * GROUP);

        hash = hash_data(key, msg->aad, msg->aad_len, hash);
        if (num) {
            hash = encrypt ? encrypt_groups(key, dst, src, num, c, hash) : decrypt_groups(key, dst, src, num, c, hash);
            c.next += (uint32_t)(GROUP * num);
            dst += 16 * GROUP * num;
            src += 16 * GROUP * num;
            len %= 16 * GROUP;
            exponent -= GROUP * num;
        }
    }

    /* Up to 8 blocks */
    if (len) {
        const uint8x16_t first = vld1q_u8(key->enc[0]), last = vld1q_u8(key->enc[14]);
        const uint8x16_t zero = vdupq_n_u8(0);
        uint8x16_t x[GROUP] = { zero, zero, zero, zero, zero, zero, zero, zero }, part = zero;

        if (len <= 32) {
            EACH_BLOCK(i, 2, x[i] = counter_block(&c, i));
            aes_rounds(x, 2, first, key->enc, key->rounds, 1);
        } else if (len <= 64) {
            EACH_BLOCK(i, 4, x[i] = counter_block(&c, i));
            aes_rounds(x, 4, first, key->enc, key->rounds, 1);
        } else if (len <= 96) {
            EACH_BLOCK(i, 6, x[i] = counter_block(&c, i));
            aes_rounds(x, 6, first, key->enc, key->rounds, 1);
        } else {
            EACH_BLOCK(i, 8, x[i] = counter_block(&c, i));
            aes_rounds(x, 8, first, key->enc, key->rounds, 1);
        }
        EACH_BLOCK(i, GROUP, {
            if (len < 16) {
                part = x[i];
                src += 16 * i;
                dst += 16 * i;
                goto last_block;
            }
            const uint8x16_t in = vld1q_u8(src + 16 * i);
            const uint8x16_t out = veorq_u8(x[i], veorq_u8(last, in));
            vst1q_u8(dst + 16 * i, out);
            sum = add_product(sum, h, exponent--, veorq_u64(polynomial(encrypt ? out : in), hash));
            hash = vdupq_n_u64(0);
            len -= 16;
        });
    last_block:
        if (len) {
            const uint8x16_t in = load_part(src, len);
            const uint8x16_t out = veorq_u8(part, veorq_u8(last, in));

            store_part(dst, len, out);
            sum = add_product(sum, h, exponent--, veorq_u64(polynomial(encrypt ? first_bytes(out, len) : in), hash));
            hash = vdupq_n_u64(0);
        }
    }
    (void)exponent;

    if (how & LC_GCM_LAST) {
        const uint64x2_t num_bits = load_halves(msg->num_bits); /* the block with its bytes reversed */

        sum = add_product(sum, h, 1, veorq_u64(polynomial(vrev64q_u8(vreinterpretq_u8_u64(swap(num_bits)))), hash));
        vst1q_u64(msg->hash, vreinterpretq_u64_u8(veorq_u8(block_of(reduce(sum)), vreinterpretq_u8_u64(vld1q_u64(msg->hash)))));
    } else {
        /* There needn't have been anything; then the sum is 0. */
        vst1q_u64(msg->hash, vreinterpretq_u64_u8(block_of(veorq_u64(reduce(sum), hash))));
    }
}

void lc_aes_gcm_encrypt_ce(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, struct lc_gcm_msg *msg,
                           unsigned how)
{
    crypt(key, dst, src, len, msg, how, 1);
}

void lc_aes_gcm_decrypt_ce(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, struct lc_gcm_msg *msg,
                           unsigned how)
{
    crypt(key, dst, src, len, msg, how, 0);
}

/* Each power is the product of two of about half its exponent, so that a chain has 4 products, and not 11. */
void lc_aes_gcm_powers_ce(struct lc_gcm_key *key)
{
    struct powers *h = (struct powers *)key->powers;
    uint64x2_t power;

    memset(key->powers, 0, sizeof(key->powers));
    power = polynomial(encrypt_block(key, vdupq_n_u8(0)));
    for (size_t e = 1;; e++) {
        vst1q_u8(h->power[NUM_POWERS - e], vreinterpretq_u8_u64(power));
        vst1_u8(h->sum[NUM_POWERS - e], vget_low_u8(vreinterpretq_u8_u64(veorq_u64(power, swap(power)))));
        if (e == NUM_POWERS)
            break;
        const size_t half = (e + 1) / 2;
        power = vreinterpretq_u64_u8(vld1q_u8(h->power[NUM_POWERS - half]));
        power = reduce(add_product(zero_product(), h, e + 1 - half, power));
    }
}

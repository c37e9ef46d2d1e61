/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_rsa_lanes rsa-lanes: the C code of RSA in lanes and across them, src/x86/rsa.c and rsa_one.c, with functions in C in place of
 * the assembly, to be run by valgrind (see check_ct.sh), which can't decode AVX-512: primes, exponents and what is raised to them
 * are marked undefined, so memcheck reports every branch and every address that depends on them.  Results are compared with the
 * portable implementation's, so this is the code that is meant.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "rsa_internal.h"

#define LC_LANES_SYMBOL model
#define lc_rsa_one_power one_power
#define lc_rsa_one_public_power one_public_power
#define lc_rsa_one_set_lanes one_set_lanes
#include "x86/rsa.c"
#if LC_LANES == 8
#define mul one_mul
#define add one_add
#define put_modulus one_put_modulus
#define get_reduced one_get_reduced
#include "x86/rsa_one.c"
#endif

#include "../../bench/rsa_keys.h"

enum { NUM = 2 }; /* the other lanes repeat the first one's work */

/* ---- What the assembly does ---- */

void lc_rsa_mul_model(struct lc_rsa_limb *r, const struct lc_rsa_limb *a, const struct lc_rsa_limb *b, struct lc_rsa_lanes *w,
                      uint64_t len)
{
    const size_t limbs = len / sizeof(struct lc_rsa_limb);

    for (size_t lane = 0; lane < NUM; lane++) {
        lc_u128 t[2 * LC_RSA_MAX_LIMBS + 1] = { 0 };

        for (size_t i = 0; i < limbs; i++)
            for (size_t j = 0; j < limbs; j++)
                t[i + j] += (lc_u128)a[i].lane[lane] * b[j].lane[lane];
        for (size_t i = 0; i < limbs; i++) {
            const uint64_t q = (uint64_t)t[i] * w->neg_inverse.lane[lane] & MASK52;

            for (size_t j = 0; j < limbs; j++)
                t[i + j] += (lc_u128)q * w->m[j].lane[lane];
            t[i + 1] += t[i] >> 52;
        }
        for (size_t i = 0; i < limbs; i++) {
            r[i].lane[lane] = (uint64_t)t[limbs + i] & MASK52;
            t[limbs + i + 1] += t[limbs + i] >> 52;
        }
    }
    for (size_t i = 0; i < limbs; i++)
        for (size_t lane = NUM; lane < LC_LANES; lane++)
            r[i].lane[lane] = r[i].lane[0];
}

void lc_rsa_select_model(struct lc_rsa_limb *r, const struct lc_rsa_limb *table, const struct lc_rsa_limb *index, uint64_t len)
{
    const size_t limbs = len / sizeof(struct lc_rsa_limb);

    for (size_t i = 0; i < limbs; i++)
        for (size_t lane = 0; lane < LC_LANES; lane++) {
            r[i].lane[lane] = 0;
            for (uint64_t e = 0; e < LC_RSA_ENTRIES; e++)
                r[i].lane[lane] |= table[e * limbs + i].lane[lane] & lc_mask_if_zero(e ^ index->lane[lane]);
        }
}

#if LC_LANES == 8
/* limbs = sum, with 52 bits and X's 50, whose rest it gives */
static uint64_t model_carry(uint64_t *limbs, const lc_u128 *sum, size_t num)
{
    lc_u128 c = 0;

    for (size_t i = 0; i < num; i++) {
        const size_t bits_of_limb = i + 1 < num ? 52 : 50;

        c += sum[i];
        limbs[i] = (uint64_t)c & ((UINT64_C(1) << bits_of_limb) - 1);
        c >>= bits_of_limb;
    }
    return (uint64_t)c;
}

/* columns += limb * the block in a lane */
static void model_add(lc_u128 *columns, uint64_t limb, const struct lc_rsa_limb *block, size_t lane, size_t num)
{
    for (size_t i = 0; i < num; i++)
        columns[i] += (lc_u128)limb * block[i].lane[lane];
}

/* One number: see x86/rsa_one.S */
static void model_number(struct lc_rsa_limb *r, const struct lc_rsa_limb *a, const struct lc_rsa_limb *b,
                         const struct lc_rsa_one *w, size_t first, size_t blocks, size_t num)
{
    lc_u128 t[LC_LANES + 1][2 * LC_RSA_ONE_LIMBS] = { 0 };
    uint64_t q[LC_RSA_ONE_LIMBS], limbs[LC_LANES][LC_RSA_ONE_LIMBS], c = 0;

    for (size_t block = 0; block < blocks; block++) {
        const int last = block + 1 == blocks;

        for (size_t lane = 0; lane < blocks; lane++)
            for (size_t i = 0; i < num; i++)
                model_add(t[lane] + i, a[i].lane[first + block], b, first + lane, num);
        c = model_carry(q, t[0], num);
        if (last) {
            lc_u128 product[2 * LC_RSA_ONE_LIMBS] = { 0 };

            for (size_t i = 0; i < num; i++)
                model_add(product + i, q[i], w->k, first, num);
            model_carry(q, product, num);
            for (size_t lane = 0; lane < blocks; lane++)
                for (size_t i = 0; i < num; i++)
                    model_add(t[lane] + i, q[i], w->m, first + lane, num);
            c = model_carry(q, t[0], num);
        }
        for (size_t lane = 0; lane < blocks; lane++)
            for (size_t i = 0; i < num; i++) {
                t[lane][i] = t[lane + 1][i] + 4 * t[lane][num + i];
                t[lane][num + i] = 0;
            }
        t[0][0] += c;
        for (size_t lane = 0; !last && lane < blocks; lane++)
            for (size_t i = 0; i < num; i++)
                model_add(t[lane] + i, q[i], w->m_high, first + lane, num);
    }
    c = 0;
    for (size_t lane = 0; lane < blocks; lane++) {
        t[lane][0] += c;
        c = model_carry(limbs[lane], t[lane], num);
        for (size_t i = 0; i < num; i++)
            r[i].lane[first + lane] = limbs[lane][i];
    }
}

void lc_rsa_one_mul_model(struct lc_rsa_limb *r, const struct lc_rsa_limb *a, const struct lc_rsa_limb *b,
                          const struct lc_rsa_one *w, uint64_t blocks, uint64_t len)
{
    struct lc_rsa_limb t[LC_RSA_ONE_LIMBS] = { 0 };

    for (size_t first = 0; first < LC_LANES; first += blocks)
        model_number(t, a, b, w, first, blocks, len / sizeof(*t));
    memcpy(r, t, len);
}

/* 2 m + 5, in which a block is X, is 5 modulo m. */
static void check_reduced(const uint64_t *m, size_t words)
{
    static struct lc_rsa_one w;
    static struct lc_rsa_limb a[LC_RSA_ONE_LIMBS];
    uint64_t t[LC_RSA_MAX_WORDS + 1] = { 5 }, r[LC_RSA_MAX_WORDS], carry;
    struct layout l;

    for (int times = 0; times < 2; times++) {
        carry = 0;
        for (size_t i = 0; i < words; i++)
            t[i] = lc_add_carry(t[i], m[i], &carry);
        t[words] += carry;
    }
    set_layout(&l, &w, 2, words);
    put(a, 1, t, words + 1, 0, &l);
    a[0].lane[5]--; /* X from block 1 to block 0: it isn't zero */
    a[l.limbs - 1].lane[4] += UINT64_C(1) << 50;
    one_get_reduced(r, a, 1, m, &l);
    for (size_t i = 0; i < words; i++)
        if (r[i] != (i ? 0 : 5))
            fail("2 m + 5 isn't 5", i);
}
#endif

/* ---- ---- */

static void compare(const uint64_t *a, const uint64_t *expected, size_t words)
{
    expect_secret((const uint8_t *)a, 8 * words);
    (void)VALGRIND_MAKE_MEM_DEFINED(a, 8 * words);
    if (memcmp(a, expected, 8 * words) != 0)
        fail("another result than the portable implementation's", words);
}

int main(int argc, char **argv)
{
    static struct lc_rsa_key key;
    static struct lc_rsa_power powers[NUM], expected[NUM];
    static struct lc_rsa_public_op ops[NUM], expected_ops[NUM];
    static uint64_t x[32];
    uint8_t der[RSA_MAX_DER_LEN];
    const size_t words = 16;

    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with a name", 0);
    if (lc_rsa_init_der_impl(&key, "rsa-portable", der, rsa_key_der(der, 0)) != LC_OK)
        fail("a key", 0);
    for (size_t i = 0; i < 2 * words; i++)
        x[i] = UINT64_C(0x0123456789abcdef) * (i + 1) >> 1;
    for (size_t i = 0; i < NUM; i++) {
        powers[i].prime = &key.prime[i];
        powers[i].x = x;
        ops[i].key = &key.public_key;
        memcpy(ops[i].x, x, sizeof(x));
    }
    memcpy(expected, powers, sizeof(expected));
    memcpy(expected_ops, ops, sizeof(ops));
    lc_rsa_power_portable(expected, NUM, words);
    lc_rsa_public_power_portable(expected_ops, NUM);
#if LC_LANES == 8
    check_reduced(key.prime[1].m, words);
#endif
    make_secret(key.prime, sizeof(key.prime));
    make_secret(x, sizeof(x));
    for (int across = 0; across < LC_LANES / 4; across++) {
        if (LC_LANES == 8 && !across)
            power_part(powers, NUM, words);
        else
            lc_rsa_power_model(powers, NUM, words);
        for (size_t i = 0; i < NUM; i++) {
            compare(powers[i].r, expected[i].r, words);
            memset(powers[i].r, 0, sizeof(powers[i].r));
            memcpy(ops[i].x, x, sizeof(x));
            make_secret(ops[i].x, sizeof(ops[i].x));
        }
        if (LC_LANES == 8 && !across)
            public_power_part(ops, NUM);
        else
            lc_rsa_public_power_model(ops, NUM);
        for (size_t i = 0; i < NUM; i++)
            compare(ops[i].x, expected_ops[i].x, 2 * words);
    }
    printf("%s: done\n", argv[1]);
    return 0;
}

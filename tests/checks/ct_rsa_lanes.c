/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_rsa_lanes rsa-lanes: the C code of RSA in lanes, src/x86/rsa.c, with functions in C in place of the assembly, to be run by
 * valgrind (see check_ct.sh), which can't decode AVX-512: primes, exponents and what is raised to them are marked undefined, so
 * memcheck reports every branch and every address that depends on them.  Results are compared with the portable
 * implementation's, so this is the code that is meant.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "rsa_internal.h"

#define LC_LANES_SYMBOL model
#define lc_cpu_features() LC_WIDE_ZMM /* so that few powers aren't left to the assembly of four lanes */
#include "x86/rsa.c"

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
    make_secret(key.prime, sizeof(key.prime));
    make_secret(x, sizeof(x));
    lc_rsa_power_model(powers, NUM, words);
    for (size_t i = 0; i < NUM; i++) {
        compare(powers[i].r, expected[i].r, words);
        make_secret(ops[i].x, sizeof(ops[i].x));
    }
    lc_rsa_public_power_model(ops, NUM);
    for (size_t i = 0; i < NUM; i++)
        compare(ops[i].x, expected_ops[i].x, 2 * words);
    printf("%s: done\n", argv[1]);
    return 0;
}

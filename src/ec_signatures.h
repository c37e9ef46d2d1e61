/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Nonces and DER of a curve's signatures, ECDSA's or SM2's, by what is the same for all curves.  Whoever includes it defines CURVE
 * and BITS (ec_names.h), and
 *
 *      HASH_PARTS   the hash function of the nonces, whose values have as many bits as n
 *      BLOCK        the bytes of its blocks
 *      MAX_DER_LEN
 */
int SIG(nonces)(struct SIG(job) * jobs, size_t num)
{
    static const struct lc_ec_drbg kind = { &EC(n), HASH_PARTS, BLOCK };
    struct lc_ec_nonce nonces[LC_EC_CHUNK];

    for (size_t i = 0; i < num; i++)
        nonces[i] = (struct lc_ec_nonce){ jobs[i].key->d, jobs[i].e, jobs[i].k, jobs[i].extra, jobs[i].extra_len, jobs[i].skip };
    return lc_ec_nonces(nonces, num, &kind);
}

_Static_assert(MAX_DER_LEN == LC_EC_MAX_DER_LEN(BYTES), "a signature's longest form");

size_t SIG(to_der)(uint8_t der[MAX_DER_LEN], const uint8_t sig[2 * BYTES])
{
    return lc_ec_to_der(der, sig, BYTES);
}

int SIG(from_der)(uint8_t sig[2 * BYTES], const uint8_t *der, size_t der_len)
{
    return lc_ec_from_der(sig, BYTES, der, der_len);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* RSA keys from their numbers and from DER. */
#include "rsa_internal.h"

/* ---- Numbers ---- */

static size_t bits_of(const uint64_t *a, size_t words)
{
    while (words > 0 && a[words - 1] == 0)
        words--;
    return words ? 64 * words - (size_t)__builtin_clzll(a[words - 1]) : 0;
}

/* All of it is public. */
static int make_public(struct lc_rsa_public_key *key, const struct lc_impl *row, const uint8_t *n, size_t n_len, const uint8_t *e,
                       size_t e_len)
{
    struct lc_rsa_public_key k = { .impl = (const struct lc_rsa_impl *)row }; /* its first member */
    size_t bits;

    while (n_len > 0 && *n == 0) {
        n++;
        n_len--;
    }
    if ((n_len != 256 && n_len != 384 && n_len != 512) || !(n[0] & 0x80))
        return LC_ERR_KEY_LEN;
    k.words = (uint32_t)(n_len / 8);
    lc_rsa_from_bytes(k.n, k.words, n, n_len);
    if (!lc_rsa_from_bytes(k.e, LC_RSA_MAX_E, e, e_len))
        return LC_ERR_KEY;
    bits = bits_of(k.e, LC_RSA_MAX_E);
    if (bits < 2 || !(k.e[0] & 1) || !(k.n[0] & 1))
        return LC_ERR_KEY;
    k.e_bits = (uint32_t)bits;
    k.neg_inverse = lc_rsa_neg_inverse(k.n[0]);
    lc_rsa_squares(k.rr, k.rr52, k.n, k.neg_inverse, k.words);
    *key = k;
    return LC_OK;
}

/* Is e * exponent = 1 modulo m - 1, where m is odd?  -1 or 0.  Bit by bit of e, so that nothing is divided. */
static uint64_t is_inverse_of_e(const struct lc_rsa_public_key *key, const struct lc_rsa_prime *prime, size_t words)
{
    uint64_t less[LC_RSA_MAX_HALF], t[LC_RSA_MAX_HALF], one[LC_RSA_MAX_HALF] = { 1 }, right;

    memcpy(less, prime->m, 8 * words);
    less[0] -= 1;
    right = lc_rsa_below(prime->exponent, less, words);
    memcpy(t, prime->exponent, 8 * words);
    for (size_t bit = key->e_bits - 1; bit-- > 0;) {
        lc_rsa_mod_add(t, t, t, less, words);
        if (key->e[bit / 64] >> (bit % 64) & 1)
            lc_rsa_mod_add(t, t, prime->exponent, less, words);
    }
    right &= lc_rsa_equal(t, one, words);
    return right;
}

/* A prime and its exponent; -1, or 0 if it isn't odd or hasn't its highest bit set, or if the exponent doesn't fit */
static uint64_t make_prime(struct lc_rsa_prime *prime, const struct lc_rsa_public_key *key, size_t words, const uint8_t *p,
                           size_t p_len, const uint8_t *d, size_t d_len)
{
    uint64_t right = lc_rsa_from_bytes(prime->m, words, p, p_len) & lc_rsa_from_bytes(prime->exponent, words, d, d_len);

    right &= lc_opaque(0 - (prime->m[0] & prime->m[words - 1] >> 63));
    right &= is_inverse_of_e(key, prime, words);
    prime->neg_inverse = lc_rsa_neg_inverse(prime->m[0]);
    lc_rsa_squares(prime->rr, prime->rr52, prime->m, prime->neg_inverse, words);
    return right;
}

/*
 * *to = the key, of which the public part is there.  (Not inline, so that the one branch on what comes of secrets, whether the
 * numbers belong together, has a place.)
 */
static __attribute__((noinline)) int make_private(struct lc_rsa_key *to, struct lc_rsa_key *key, const struct lc_rsa_numbers *from)
{
    const size_t half = key->public_key.words / 2;
    uint64_t product[LC_RSA_MAX_WORDS], one[LC_RSA_MAX_HALF] = { 1 };
    struct lc_rsa_prime *p = &key->prime[0], *q = &key->prime[1];
    uint64_t right;

    right = make_prime(p, &key->public_key, half, from->p, from->p_len, from->dp, from->dp_len);
    right &= make_prime(q, &key->public_key, half, from->q, from->q_len, from->dq, from->dq_len);
    lc_rsa_mul(product, p->m, q->m, half);
    right &= lc_rsa_equal(product, key->public_key.n, 2 * half);
    /* The inverse is kept in Montgomery's form; times q, which may be above p, it is 1. */
    right &= lc_rsa_from_bytes(product, half, from->q_inverse, from->q_inverse_len);
    right &= lc_rsa_below(product, p->m, half);
    lc_rsa_mod_mul(key->q_inverse, product, p->rr, p->m, p->neg_inverse, half);
    lc_rsa_mod_mul(product, key->q_inverse, q->m, p->m, p->neg_inverse, half);
    right &= lc_rsa_equal(product, one, half);
    if (!right)
        return LC_ERR_KEY;
    *to = *key;
    return LC_OK;
}

/* ---- DER (X.690, 10.1): lengths in their shortest form ---- */

enum { SEQUENCE = 0x30, INTEGER = 0x02, BIT_STRING = 0x03, OCTET_STRING = 0x04 };

struct der {
    const uint8_t *at;
    size_t len;
};

/* Take the element with that tag from the front: its contents.  Returns 1, or 0 if there is none.  Lengths: below 2^24. */
static int take(struct der *contents, struct der *from, uint8_t tag)
{
    size_t len, head = 2;

    if (from->len < 2 || from->at[0] != tag)
        return 0;
    len = from->at[1];
    if (len & 0x80) {
        const size_t more = len & 0x7f;

        if (more < 1 || more > 3 || from->len < 2 + more || from->at[2] == 0)
            return 0;
        len = 0;
        for (size_t i = 0; i < more; i++)
            len = len << 8 | from->at[2 + i];
        if (len < 0x80)
            return 0;
        head += more;
    }
    if (len > from->len - head)
        return 0;
    *contents = (struct der){ from->at + head, len };
    from->at += head + len;
    from->len -= head + len;
    return 1;
}

/* The same, and nothing comes after it */
static int take_last(struct der *contents, struct der *from, uint8_t tag)
{
    return take(contents, from, tag) && from->len == 0;
}

/* An INTEGER that isn't negative, in its shortest form */
static int take_integer(struct der *number, struct der *from)
{
    return take(number, from, INTEGER) && number->len > 0 && !(number->at[0] & 0x80) &&
           (number->len == 1 || number->at[0] != 0 || number->at[1] & 0x80);
}

/* version 0 */
static int take_version(struct der *from)
{
    struct der version;

    return take_integer(&version, from) && version.len == 1 && version.at[0] == 0;
}

/* AlgorithmIdentifier: rsaEncryption with NULL (RFC 8017, A.1) */
static int take_algorithm(struct der *from)
{
    static const uint8_t rsa[13] = { 0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 0x05, 0 };
    struct der algorithm;

    return take(&algorithm, from, SEQUENCE) && algorithm.len == sizeof(rsa) && memcmp(algorithm.at, rsa, sizeof(rsa)) == 0;
}

static int parse_public(struct der *n, struct der *e, const uint8_t *der, size_t der_len)
{
    struct der all = { der, der_len }, key, bits;

    if (!take_last(&key, &all, SEQUENCE))
        return 0;
    if (key.len > 0 && key.at[0] == SEQUENCE) {
        if (!take_algorithm(&key) || !take_last(&bits, &key, BIT_STRING) || bits.len < 1 || bits.at[0] != 0)
            return 0;
        bits.at++;
        bits.len--;
        if (!take_last(&key, &bits, SEQUENCE))
            return 0;
    }
    return take_integer(n, &key) && take_integer(e, &key) && key.len == 0;
}

static int parse_private(struct der numbers[8], const uint8_t *der, size_t der_len)
{
    struct der all = { der, der_len }, key, octets;

    if (!take_last(&key, &all, SEQUENCE) || !take_version(&key))
        return 0;
    if (key.len > 0 && key.at[0] == SEQUENCE) {
        if (!take_algorithm(&key) || !take_last(&octets, &key, OCTET_STRING) || !take_last(&key, &octets, SEQUENCE) ||
            !take_version(&key))
            return 0;
    }
    for (int i = 0; i < 8; i++)
        if (!take_integer(&numbers[i], &key))
            return 0;
    return key.len == 0;
}

/* ---- The public functions ---- */

int lc_rsa_public_init_impl(struct lc_rsa_public_key *key, const char *impl, const uint8_t *n, size_t n_len, const uint8_t *e,
                            size_t e_len)
{
    const struct lc_impl *row;
    int status = lc_select(&lc_rsa_mode, impl, &row);

    return status == LC_OK ? make_public(key, row, n, n_len, e, e_len) : status;
}

int lc_rsa_public_init(struct lc_rsa_public_key *key, const uint8_t *n, size_t n_len, const uint8_t *e, size_t e_len)
{
    return lc_rsa_public_init_impl(key, NULL, n, n_len, e, e_len);
}

int lc_rsa_public_init_der_impl(struct lc_rsa_public_key *key, const char *impl, const uint8_t *der, size_t der_len)
{
    struct der n, e;

    if (!parse_public(&n, &e, der, der_len))
        return LC_ERR_KEY;
    return lc_rsa_public_init_impl(key, impl, n.at, n.len, e.at, e.len);
}

int lc_rsa_public_init_der(struct lc_rsa_public_key *key, const uint8_t *der, size_t der_len)
{
    return lc_rsa_public_init_der_impl(key, NULL, der, der_len);
}

/* (Not inline, so that its frame is one of those that are wiped.) */
static __attribute__((noinline)) int init(struct lc_rsa_key *key, const char *impl, const struct lc_rsa_numbers *numbers)
{
    const struct lc_impl *row;
    struct lc_rsa_key k = { 0 };
    int status = lc_select(&lc_rsa_mode, impl, &row);

    if (status == LC_OK)
        status = make_public(&k.public_key, row, numbers->n, numbers->n_len, numbers->e, numbers->e_len);
    if (status == LC_OK)
        status = make_private(key, &k, numbers);
    return status;
}

static __attribute__((noinline)) LC_NO_CANARY void wipe_stack(void)
{
    uint8_t frames[16 * 1024];

    lc_wipe_registers();
    lc_wipe(frames, sizeof(frames));
}

int lc_rsa_init_impl(struct lc_rsa_key *key, const char *impl, const struct lc_rsa_numbers *numbers)
{
    int status = init(key, impl, numbers);

    wipe_stack();
    return status;
}

int lc_rsa_init(struct lc_rsa_key *key, const struct lc_rsa_numbers *numbers)
{
    return lc_rsa_init_impl(key, NULL, numbers);
}

int lc_rsa_init_der_impl(struct lc_rsa_key *key, const char *impl, const uint8_t *der, size_t der_len)
{
    struct der d[8]; /* n, e, d, p, q, dp, dq, 1/q */
    struct lc_rsa_numbers numbers;

    if (!parse_private(d, der, der_len))
        return LC_ERR_KEY;
    numbers = (struct lc_rsa_numbers){ d[0].at,  d[1].at,  d[3].at,  d[4].at,  d[5].at,  d[6].at,  d[7].at, /* where they are, .. */
                                       d[0].len, d[1].len, d[3].len, d[4].len, d[5].len, d[6].len, d[7].len };
    return lc_rsa_init_impl(key, impl, &numbers);
}

int lc_rsa_init_der(struct lc_rsa_key *key, const uint8_t *der, size_t der_len)
{
    return lc_rsa_init_der_impl(key, NULL, der, der_len);
}

const char *lc_rsa_impl_name(const struct lc_rsa_key *key)
{
    return key->public_key.impl->impl.name;
}

const char *lc_rsa_public_impl_name(const struct lc_rsa_public_key *key)
{
    return key->impl->impl.name;
}

void lc_rsa_wipe(struct lc_rsa_key *key)
{
    lc_wipe(key, sizeof(*key));
}

void lc_rsa_get_public(const struct lc_rsa_key *key, struct lc_rsa_public_key *public_key)
{
    *public_key = key->public_key;
}

size_t lc_rsa_len(const struct lc_rsa_key *key)
{
    return 8 * (size_t)key->public_key.words;
}

size_t lc_rsa_public_len(const struct lc_rsa_public_key *key)
{
    return 8 * (size_t)key->words;
}

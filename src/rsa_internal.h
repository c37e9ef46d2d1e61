/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* RSA: numbers, and what an implementation gives and gets.  A number is 64-bit words, the lowest first. */
#ifndef LC_RSA_INTERNAL_H
#define LC_RSA_INTERNAL_H

#include "internal.h"
#include "lanecrypt/hash.h"
#include "lanecrypt/rsa.h"
#include "mod.h"

enum {
    LC_RSA_CHUNK = 8, /* operations that an implementation is given at once, at most */
    LC_RSA_MAX_DIGEST = 64,
    LC_RSA_MAX_WORDS = 64,
    LC_RSA_MAX_HALF = 32, /* words of a prime */
    LC_RSA_MAX_E = 4,     /* words of e */
};

/* r = x^exponent mod m, which is a prime of a key, or whatever is taken for one. */
struct lc_rsa_power {
    const struct lc_rsa_prime *prime;
    const uint64_t *x;           /* twice as many words as the prime has; any number */
    uint64_t r[LC_RSA_MAX_HALF]; /* written; below m */
};

/* x = x^e mod n */
struct lc_rsa_public_op {
    const struct lc_rsa_public_key *key;
    uint64_t x[LC_RSA_MAX_WORDS]; /* below n, before and after */
};

/*
 * A row.  All numbers that `power` is given are secret, and no branch and no address depends on them; nor on what public_power
 * raises to e, which is public.  All of a call have the same number of words.
 */
struct lc_rsa_impl {
    struct lc_impl impl;
    void (*power)(struct lc_rsa_power *powers, size_t num, size_t words); /* num: 1 .. 2 LC_RSA_CHUNK; words: of a prime */
    void (*public_power)(struct lc_rsa_public_op *ops, size_t num);       /* num: 1 .. LC_RSA_CHUNK */
    /*
     * Zeros in the registers, and in the stack below the caller's frame: LC_RSA_SIGNING_STACK and what both functions above may
     * have used.  Neither wipes anything itself; what has had secrets calculated ends with this.
     */
    void (*wipe)(void);
};

enum { LC_RSA_SIGNING_STACK = 22 * 1024 }; /* bytes: what there is between the public functions and a row's */

/* A row's wipe, for functions that use so many bytes themselves */
#define LC_RSA_WIPE(symbol, bytes) LC_RSA_WIPE_OF(symbol, bytes) /* symbol may be a macro */
#define LC_RSA_WIPE_OF(symbol, bytes)                                                                                              \
    __attribute__((__noinline__)) LC_NO_CANARY void lc_rsa_wipe_##symbol(void)                                                     \
    {                                                                                                                              \
        uint8_t frames[LC_RSA_SIGNING_STACK + (bytes)];                                                                            \
                                                                                                                                   \
        lc_wipe_registers();                                                                                                       \
        lc_wipe(frames, sizeof(frames));                                                                                           \
    }

extern const struct lc_rsa_impl lc_rsa_impls[]; /* rows.c */

/* The functions of the rows */
#define ROW_RSA(name, symbol, ...)                                                                                                 \
    void lc_rsa_power_##symbol(struct lc_rsa_power *powers, size_t num, size_t words);                                             \
    void lc_rsa_public_power_##symbol(struct lc_rsa_public_op *ops, size_t num);                                                   \
    void lc_rsa_wipe_##symbol(void);
#include "rows.def"

/* ---- Calls for many (rsa.c) ---- */

/* A chunk: items whose keys have one length and one implementation.  Each kind of call uses a part of it. */
struct lc_rsa_work {
    const struct lc_rsa_key *keys[LC_RSA_CHUNK];
    uint64_t x[LC_RSA_CHUNK][LC_RSA_MAX_WORDS], s[LC_RSA_CHUNK][LC_RSA_MAX_WORDS]; /* s = x^d */
    uint64_t right[LC_RSA_CHUNK];                                                  /* -1 if s^e is x, else 0 */
    struct lc_rsa_power powers[2 * LC_RSA_CHUNK];
    struct lc_rsa_public_op ops[LC_RSA_CHUNK];
    uint64_t t[LC_RSA_MAX_WORDS];
    size_t hash_len[LC_RSA_CHUNK];
    uint8_t label_hash[LC_RSA_CHUNK][LC_RSA_MAX_DIGEST];
};

/* One of the caller's items */
struct lc_rsa_item {
    const struct lc_rsa_public_key *key; /* or that of a private one */
    int *status;
    void *item;
};

struct lc_rsa_call {
    struct lc_rsa_item (*item)(void *items, size_t i);
    int (*begin)(struct lc_rsa_work *w, size_t i, void *item);              /* LC_OK: the item is the chunk's i-th */
    void (*end)(struct lc_rsa_work *w, void *const *items, size_t num);     /* the chunk; sets the status of those that fail */
    int secret;                                                             /* wipe the stack when all is done */
};

/* All items; the status of the first one that failed */
int lc_rsa_many(const struct lc_rsa_call *call, void *items, size_t num_items);

/* s = x^d for each of the chunk's keys, and whether that's right.  All are secret but x. */
void lc_rsa_private_power(struct lc_rsa_work *w, size_t num);

/* What is the caller's is read once, as somebody may change it meanwhile. */
size_t lc_rsa_read_once(const volatile size_t *len);

/* 0: there is no such hash function. */
size_t lc_rsa_digest_len(const volatile enum lc_rsa_hash *hash);

/* By the hash function whose digests have that length */
int lc_rsa_hash_many(size_t len, const struct lc_hash_item *items, size_t num);

/* bytes ^= MGF1(seed) (B.2.1); seed: a digest.  len: up to LC_RSA_MAX_LEN. */
int lc_rsa_mask(uint8_t *bytes, size_t len, const uint8_t *seed, size_t hash_len);

/* len: up to 256.  0: the system gives none. */
int lc_rsa_random(uint8_t *bytes, size_t len);

/* ---- For the OpenSSL provider (rsa_private.c) ---- */

struct lc_rsa_private_item {
    const struct lc_rsa_key *key;
    uint8_t *out;      /* in^d mod n, lc_rsa_len() bytes: written if status is LC_OK */
    const uint8_t *in; /* lc_rsa_len() bytes */
    int status;        /* LC_ERR_CIPHERTEXT: not below n; LC_ERR_FAULT, LC_ERR_KEY as with signatures */
};

int lc_rsa_private_many(struct lc_rsa_private_item *items, size_t num_items);

enum { LC_RSA_TLS_SECRET_LEN = 48 };

/*
 * The premaster secret that is in em, or the random bytes that are in `secret` before, if em isn't 0, 2, bytes that aren't 0, 0,
 * and 48 bytes of which the first two are the version that the client has offered (or another one, if that isn't 0).  In constant
 * time, so that nothing shows which it is: neither where it is wrong nor whether (Bleichenbacher, CRYPTO 1998; Klima, Pokorny and
 * Rosa, CHES 2003).  len: as that of a key.
 */
void lc_rsa_tls_secret(uint8_t secret[LC_RSA_TLS_SECRET_LEN], const uint8_t *em, size_t len, unsigned version,
                       unsigned other_version);

/* ---- Numbers (rsa_numbers.c), in constant time ---- */

/* From big-endian bytes.  -1, or 0 if it has more than `words` words. */
uint64_t lc_rsa_from_bytes(uint64_t *r, size_t words, const uint8_t *bytes, size_t len);

/* 8 * words bytes */
void lc_rsa_to_bytes(uint8_t *bytes, const uint64_t *a, size_t words);

/* -1 if a < b, else 0 */
uint64_t lc_rsa_below(const uint64_t *a, const uint64_t *b, size_t words);

/* -1 if a = b, else 0 */
uint64_t lc_rsa_equal(const uint64_t *a, const uint64_t *b, size_t words);

/* r = a, less m if it is m or more; a < 2m */
void lc_rsa_reduce_once(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t words);

/* r = a + b, a - b modulo m, where a and b are below m */
void lc_rsa_mod_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t words);
void lc_rsa_mod_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t words);

/* r[0 .. 2 words - 1] = a * b */
void lc_rsa_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words);

/*
 * r = a * b / 2^(64 words) mod m, below m; a * b is below m * 2^(64 words), m odd.  neg_inverse: -1/m mod 2^64.  (mod.h has how it
 * works.)
 */
void lc_rsa_mod_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, uint64_t neg_inverse, size_t words);

/* -1/m mod 2^64 for odd m */
uint64_t lc_rsa_neg_inverse(uint64_t m);

/*
 * For odd m, whose highest bit is set: rr = 2^(128 words) mod m, which makes Montgomery's form of lc_rsa_mod_mul(), and rr52 =
 * 2^(104 limbs) mod m, which makes that with limbs of 52 bits (LC_RSA_LIMBS).
 */
void lc_rsa_squares(uint64_t *rr, uint64_t *rr52, const uint64_t *m, uint64_t neg_inverse, size_t words);

/*
 * How many limbs of 52 bits a number of so many words has in lanes: a multiple of ten, with 16 bits or more to spare.
 * 16 words: 20, 24: 30, 32: 40, 48: 60, 64: 80.
 */
#define LC_RSA_LIMBS(words) ((words) / 8 * 10)

#endif

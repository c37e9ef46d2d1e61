/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Public keys, SM3 and TLS 1.3's key derivation, which the configuration has to ask for: what the files pkey*.c, digest_sm3.c and
 * kdf_tls13.c share.
 *
 * Keys are the default provider's.  The module loads that provider once more, into a library context of its own, and hands on all
 * that is done with keys to the functions of its public tables: import, export, generation, comparison.  Signatures and key
 * exchanges are handed on in the same way, except for what the core does faster.  For that it asks the default provider for the
 * key's numbers, by their public names.
 *
 * This needs functions of libcrypto, of the one that has loaded the module.  They are looked up by name (pkey_libcrypto.c); where
 * that isn't possible, because it is part of a program without their names, there are no public keys.
 */
#ifndef LANECRYPT_PROVIDER_PKEY_H
#define LANECRYPT_PROVIDER_PKEY_H

#include <stdatomic.h>

#include <openssl/async.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/rand.h>

#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/rsa.h"
#include "lanecrypt/sha2.h"
#include "lanecrypt/sm2.h"
#include "lanecrypt/sm3.h"
#include "lanecrypt/x25519.h"
#include "provider.h"

/*
 * LCP_MAY_BE_MISSING: a function that glibc has had in other libraries before 2.34.  The module isn't linked with those, but has to
 * load there.  So the reference is weak, and to the version of the symbol that all have: the linker would want the newest.
 */
#if defined(__GLIBC__) && defined(__x86_64__)
#define LCP_SYMBOL_VERSION(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5");
#elif defined(__GLIBC__) && defined(__aarch64__)
#define LCP_SYMBOL_VERSION(name) __asm__(".symver " #name "," #name "@GLIBC_2.17");
#else
#define LCP_SYMBOL_VERSION(name)
#endif
#define LCP_MAY_BE_MISSING(name)                                                                                                   \
    extern __typeof__(name) name __attribute__((__weak__));                                                                        \
    LCP_SYMBOL_VERSION(name)

/* ---- libcrypto (pkey_libcrypto.c) ---- */

#define LCP_LIBCRYPTO(F)                                                                                                           \
    F(OSSL_LIB_CTX_new)                                                                                                            \
    F(OSSL_LIB_CTX_free)                                                                                                           \
    F(OSSL_PROVIDER_load)                                                                                                          \
    F(OSSL_PROVIDER_unload)                                                                                                        \
    F(OSSL_PROVIDER_query_operation)                                                                                               \
    F(OSSL_PROVIDER_get0_provider_ctx)                                                                                             \
    F(OSSL_PROVIDER_get_capabilities)                                                                                              \
    F(RAND_priv_bytes_ex)                                                                                                          \
    F(EVP_MD_fetch)                                                                                                                \
    F(EVP_MD_free)                                                                                                                 \
    F(EVP_MD_get_flags)                                                                                                            \
    F(EVP_MAC_fetch)                                                                                                               \
    F(EVP_MAC_free)                                                                                                                \
    F(EVP_MAC_get0_provider)                                                                                                       \
    F(ERR_set_mark)                                                                                                                \
    F(ERR_pop_to_mark)                                                                                                             \
    F(OSSL_PROVIDER_get0_name)                                                                                                     \
    F(OPENSSL_version_major)                                                                                                       \
    F(OPENSSL_version_minor)

/* Where it was built without these, there are no jobs. */
#define LCP_LIBCRYPTO_ASYNC(F)                                                                                                     \
    F(ASYNC_get_current_job)                                                                                                       \
    F(ASYNC_get_wait_ctx)                                                                                                          \
    F(ASYNC_pause_job)                                                                                                             \
    F(ASYNC_WAIT_CTX_get_fd)                                                                                                       \
    F(ASYNC_WAIT_CTX_set_wait_fd)                                                                                                  \
    F(ASYNC_WAIT_CTX_get_callback)

struct lcp_libcrypto {
    const void *base; /* where it is in memory */
    bool has_async, has_queues; /* without queues, what is within a job is the default provider's */
#define LCP_MEMBER(name) __typeof__(name) *name;
    LCP_LIBCRYPTO(LCP_MEMBER)
    LCP_LIBCRYPTO_ASYNC(LCP_MEMBER)
#undef LCP_MEMBER
    /* RSA_padding_check_PKCS1_OAEP_mgf1(), which is deprecated; NULL where it was built without such functions */
    int (*oaep_check)(unsigned char *to, int to_len, const unsigned char *em, int em_len, int key_len, const unsigned char *label,
                      int label_len, const EVP_MD *hash, const EVP_MD *mask_hash);
};

/* lcp_find_libcrypto: the library in which a function is, one of those that OSSL_provider_init() was given. */
bool lcp_find_libcrypto(struct lcp_libcrypto *lib, void (*function)(void));

/* ---- Delegation (pkey.c) ---- */

/*
 * One algorithm of the default provider: its functions by their numbers, and the table that is offered instead.  It is the same for
 * all library contexts, since it is the same library.
 */
enum { LCP_MAX_FUNCTIONS = 64 };

struct lcp_table {
    const char *names, *properties;
    void (*function[LCP_MAX_FUNCTIONS])(void);
    OSSL_DISPATCH dispatch[LCP_MAX_FUNCTIONS];
};

/* One of its functions, or NULL. */
#define LCP_DEFAULT(table, fn, id) ((OSSL_FUNC_##fn##_fn *)(table)->function[id])

/* One provider's part. */
struct lcp_public_keys {
    OSSL_LIB_CTX *libctx;
    OSSL_PROVIDER *provider; /* the default one, in libctx */
    void *provctx;           /* of that */
    unsigned wanted;         /* by the configuration, bits of enum lcp_algorithm */
    bool with_portable;
    bool with_threads;       /* `combine-threads = yes` */
    struct lc_sm3_state sm3; /* no byte in it yet */
    _Atomic(EVP_MAC *) default_hmac; /* the default provider's in the program's library context, once it was needed */
    OSSL_ALGORITHM keys[6], signatures[5], exchanges[3], ciphers[2], digests[2], kdfs[2], macs[2]; /* offered */
};

enum lcp_algorithm {
    LCP_RSA = 1,
    LCP_ECDSA = 2,
    LCP_ECDH = 4,
    LCP_X25519 = 8,
    LCP_ED25519 = 16,
    LCP_SM3 = 32,
    LCP_SM2 = 64,
    LCP_TLS13_KDF = 128,
    LCP_HMAC = 256
};

extern struct lcp_libcrypto lcp_libcrypto; /* not changed once a provider has public keys */

/*
 * lcp_public_keys_start: what the configuration asks for, as `public-key = LIST`.  Without it, or if it can't be, there are none.
 * upcall: one of the functions that OSSL_provider_init() was given.
 */
struct lcp_public_settings {
    const char *list;
    bool with_portable, with_threads, with_counters;
};

void lcp_public_keys_start(struct lcp_provider *prov, const struct lcp_public_settings *settings, void (*upcall)(void));
void lcp_public_keys_end(struct lcp_provider *prov);
const OSSL_ALGORITHM *lcp_public_keys_query(const struct lcp_provider *prov, int operation);
int lcp_public_keys_capabilities(const struct lcp_provider *prov, const char *capability, OSSL_CALLBACK *cb, void *arg);

/* ---- HMAC (mac_hmac.c) ---- */

enum { LCP_MAX_HASH_LEN = LC_SHA512_LEN, LCP_MAX_BLOCK_LEN = 128, LCP_NUM_HASHES = 3 };

struct lcp_hash {
    char names[3][9];
    size_t len, block_len;
    int (*whole)(uint8_t *digest, const uint8_t *msg, size_t len);
};
extern const struct lcp_hash lcp_hashes[LCP_NUM_HASHES]; /* SHA-256, SHA-384, SHA-512 */

const struct lcp_hash *lcp_hash_by_name(const char *name); /* or NULL */

/* lcp_hmac: of text, with a key no longer than a block.  The text comes after a block's room, which is wiped in the end. */
bool lcp_hmac(const struct lcp_hash *hash, uint8_t *mac, const uint8_t *key, size_t key_len, uint8_t text[], size_t text_len);

/* ---- Keys ---- */

enum lcp_use { LCP_SIGN, LCP_VERIFY, LCP_DERIVE, LCP_NUM_USES };

/* A key as libcrypto knows it: the default provider's, and the core's keys that were made of it so far. */
struct lcp_key {
    const struct lcp_provider *prov;
    const struct lcp_table *table;
    void *key; /* the default provider's */
    atomic_uint refs;
    _Atomic(struct lcp_core *) core[LCP_NUM_USES];
};

struct lcp_key *lcp_key_up_ref(struct lcp_key *key);
void lcp_key_free(struct lcp_key *key);

extern struct lcp_table lcp_key_rsa, lcp_key_ec, lcp_key_x25519, lcp_key_ed25519, lcp_key_sm2;
extern struct lcp_table lcp_signature_rsa, lcp_signature_ecdsa, lcp_signature_ed25519, lcp_signature_sm2; /* pkey_sign.c */
extern struct lcp_table lcp_exchange_ecdh, lcp_exchange_x25519;                         /* pkey_exchange.c */
extern struct lcp_table lcp_cipher_rsa;                                                 /* pkey_decrypt.c */
extern struct lcp_table lcp_digest_sm3;                                                 /* digest_sm3.c */
extern struct lcp_table lcp_kdf_tls13;                                                  /* kdf_tls13.c */
extern struct lcp_table lcp_mac_hmac;                                                   /* mac_hmac.c */
extern const OSSL_DISPATCH lcp_rsa_functions[], lcp_ecdsa_functions[], lcp_ed25519_functions[], lcp_sm2_functions[];
extern const OSSL_DISPATCH lcp_ecdh_functions[], lcp_x25519_functions[], lcp_rsa_cipher_functions[];
extern const OSSL_DISPATCH lcp_sm3_functions[], lcp_tls13_functions[], lcp_hmac_functions[];

bool lcp_sm3_selftest(struct lc_sm3_state *begun); /* a state that has begun: digests begin as its copy */
bool lcp_tls13_selftest(bool with_portable);
bool lcp_hmac_selftest(bool with_portable);

#define LCP_FUNCTION(id, function) { id, (void (*)(void))(function) }

/* ---- The core's keys (pkey_core.c) ---- */

enum lcp_kind { LCP_KIND_NONE, LCP_KIND_P256, LCP_KIND_P384, LCP_KIND_X25519, LCP_KIND_ED25519, LCP_KIND_RSA, LCP_KIND_SM2 };

/* Of SM2: the key, and what is hashed before a message, for the identity that nearly all have, and for an empty one. */
struct lcp_sm2 {
    union {
        struct lc_sm2_key private_key;
        struct lc_sm2_public_key public_key;
    } key;
    uint8_t raw[65]; /* the public key */
    size_t raw_len;
    uint8_t usual_z[LC_SM2_LEN], empty_z[LC_SM2_LEN];
};

/* Made of a key for one use; it never changes.  LCP_KIND_NONE: of a key that the core doesn't take. */
struct lcp_core {
    atomic_uint refs;
    enum lcp_kind kind;
    enum lcp_use use;
    unsigned bits; /* of an RSA key */
    bool is_combined; /* with what other threads do: see lcp_run_with_threads() */
    size_t len;       /* of all this: where the key isn't RSA's, `u` ends after sm2 */
    union {
        struct lc_ecdsa_p256_key p256;
        struct lc_ecdsa_p256_public_key p256_public;
        struct lc_ecdh_p256_key p256_dh;
        struct lc_ecdsa_p384_key p384;
        struct lc_ecdsa_p384_public_key p384_public;
        struct lc_ecdh_p384_key p384_dh;
        struct lc_x25519_key x25519;
        struct lc_ed25519_key ed25519;
        struct lc_ed25519_public_key ed25519_public;
        struct lc_rsa_key rsa;
        struct lcp_sm2 sm2;
    } u;
};

/*
 * lcp_core_get: a reference to the core's key for that use, made on the first call; NULL if the key isn't one that the core takes.
 * A key that was changed has none of those from before.
 */
struct lcp_core *lcp_core_get(struct lcp_key *key, enum lcp_use use);
void lcp_core_free(struct lcp_core *core); /* one reference */
void lcp_core_forget(struct lcp_key *key); /* all that were made: the key is about to change */

/* lcp_key_public: the public key of a curve's key, as bytes; 0 if there is none, or it doesn't fit. */
size_t lcp_key_public(const struct lcp_key *key, uint8_t *raw, size_t size);
/* lcp_curve_by_name: the same of a name. */
enum lcp_kind lcp_curve_by_name(const char *name);
/* lcp_key_curve: LCP_KIND_P256 or .._P384, or LCP_KIND_NONE. */
enum lcp_kind lcp_key_curve(const struct lcp_key *key);

/*
 * A new key pair, P-384, SM2 or X25519, as in a key's parameters: a curve's private key is a number in the machine's byte order.
 */
struct lcp_pair {
    enum lcp_kind kind;
    uint8_t private_key[48], public_key[97];
    size_t private_len, public_len;
};

/*
 * lcp_generate: by random bytes of the default provider's library context.  false: the default provider has to do it.  Wipe the
 * pair.
 */
bool lcp_generate(const struct lcp_provider *prov, struct lcp_pair *pair);

/* ---- Operations (pkey_core.c, pkey_queue.c) ---- */

enum lcp_op {
    LCP_OP_P256_SIGN,
    LCP_OP_P384_SIGN,
    LCP_OP_ED25519_SIGN,
    LCP_OP_SM2_SIGN,
    LCP_OP_P256_DH,
    LCP_OP_P384_DH,
    LCP_OP_X25519,
    LCP_OP_RSA_PKCS1_2048, /* those of RSA have one for each length, in this order */
    LCP_OP_RSA_PKCS1_3072,
    LCP_OP_RSA_PKCS1_4096,
    LCP_OP_RSA_PSS_2048,
    LCP_OP_RSA_PSS_3072,
    LCP_OP_RSA_PSS_4096,
    LCP_OP_RSA_PRIVATE_2048, /* without a padding */
    LCP_OP_RSA_PRIVATE_3072,
    LCP_OP_RSA_PRIVATE_4096,
    LCP_NUM_OPS
};

enum { LCP_BATCH = 8, LCP_MAX_MESSAGE = 512 };

/* One operation with a secret.  It has copies of everything, so that it can outlive who asked for it. */
struct lcp_job {
    enum lcp_op op;
    struct lcp_core *core;
    enum lc_rsa_hash hash;
    uint8_t in[LCP_MAX_MESSAGE]; /* the digest, the other one's public key, Ed25519's message, or a number as long as RSA's key */
    size_t in_len;
    const uint8_t *message; /* Ed25519's, if it is longer; then it can't wait */
    uint8_t out[LC_RSA_MAX_LEN];
    int status; /* LC_OK, or an error of the core's: then the default provider is asked */
};

/* lcp_run_jobs: all of one kind; each has its status.  At most LCP_BATCH. */
void lcp_run_jobs(struct lcp_job *const jobs[], size_t num);
/* lcp_alone_pays: is one operation with that key, alone, faster than the default provider's? */
bool lcp_alone_pays(const struct lcp_core *core);
/* lcp_core_for: as lcp_core_get(), but NULL if an operation with it isn't faster here, alone or with others. */
struct lcp_core *lcp_core_for(struct lcp_key *key, enum lcp_use use);
/* lcp_rsa_op: the operation for the length of that key; first: for 2048 bits. */
enum lcp_op lcp_rsa_op(const struct lcp_core *core, enum lcp_op first);
/*
 * lcp_run: do it, at once, or, if that is within a job of libcrypto's, together with others: then it pauses.
 * Answers whether job->out has the result.  If not, the default provider has to do it.
 */
bool lcp_run(struct lcp_job *job);
/* lcp_can_wait: is this within such a job, on a thread that can have a batch? */
bool lcp_can_wait(void);
/*
 * lcp_on_stack: call a function on this thread's stack for operations, as the caller's may have less room than they take.  If
 * another call is there, or threads have none here, it is called on the caller's, but within a job not at all: false.  Nor if the
 * system gives no memory for one.
 */
bool lcp_on_stack(void (*function)(void *arg), void *arg);
bool lcp_queues_start(void); /* once in a process */

/* ---- SM2 (pkey_sm2.c) ---- */

/* Who signs, if that was set.  Longer identities are the default provider's. */
struct lcp_sm2_id {
    size_t len; /* 0: it wasn't */
    uint8_t bytes[256];
};

/* lcp_sm2_z: what is hashed before a message.  false: the default provider has to do it. */
bool lcp_sm2_z(uint8_t z[LC_SM2_LEN], const struct lcp_provider *prov, const struct lcp_core *core, const struct lcp_sm2_id *id);

/* ---- Counters (pkey_count.c) ---- */

enum lcp_way { LCP_ALONE, LCP_IN_JOBS, LCP_IN_THREADS };

void lcp_count_start(void); /* there is somebody who wants to know */
void lcp_count(enum lcp_op op, enum lcp_way way, size_t num); /* so many were done at once */

/* ---- Threads (pkey_threads.c) ---- */

/* For each provider whose configuration asks for it */
void lcp_threads_start(void);
void lcp_threads_end(void);
/*
 * lcp_run_with_threads: do it together with what other threads do, if that is worth it now; the job has its status then.
 * In any case this thread is counted as one that is at such an operation until it says lcp_leave(), or begins another one.
 */
bool lcp_run_with_threads(struct lcp_job *job);
void lcp_leave(void);

/* ---- Processes (pkey_process.c) ---- */

unsigned lcp_process(void); /* a number that no parent of this process has */

/* ---- Stacks (pkey_stack.c) ---- */

#if defined(__x86_64__)
enum { LCP_HAS_STACKS = 1 };
#else
enum { LCP_HAS_STACKS = 0 };
#endif

void *lcp_stack_new(void); /* NULL if there is none */
void lcp_stack_free(void *stack);
void lcp_call_on_stack(void *stack, void (*function)(void *arg), void *arg);

#endif

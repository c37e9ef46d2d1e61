/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt verify --roots: bundles of certificates, each in a file: a certificate, and those between it and a root.
 *
 * Chains are libcrypto's: it finds them and checks names, dates, extensions, lengths of paths and all else that isn't a signature.
 * For signatures and dates it has a hook, X509_STORE_set_verify(), which is called when the chain is complete and the rest was
 * checked.  Ours checks the dates, as libcrypto's own does, and whether each issuer may sign, and leaves the signatures for later.
 * When the answer is yes, the signature of each certificate but the root under the key of the next one is put into a batch; those
 * that the library here doesn't know, libcrypto verifies.  libcrypto's way to a chain never depends on a signature.  So what is
 * right is what it would say is right.
 *
 * A bundle is right if libcrypto said yes, the hook was called, and as many signatures are right as the chain has certificates
 * without the root.  All else is wrong.
 *
 * What is signed is taken out of the certificate as libcrypto has it and would hash it, i2d_X509(), and so are keys.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "ossl.h"
#include "signatures.h"
#include "verify_run.h"

enum {
    BLOCK = 64,          /* bundles that a thread takes at once */
    MAX_BUNDLE = 1 << 20, /* bytes of one */
    MAX_ROOTS = 1 << 26,
    MAX_CHAIN = 128,      /* libcrypto finds no longer ones than 102 */
    NUM_KEPT = 256,       /* certificates, and keys, that a thread keeps */
    MAX_KEPT = 1 << 13,   /* bytes of one */
};

/* ---- libcrypto ---- */

#define X509_FUNCTIONS(F)                                                                                                          \
    F(void *, BIO_new_mem_buf, (const void *buf, int len))                                                                         \
    F(int, BIO_free, (void *bio))                                                                                                  \
    F(void *, PEM_read_bio_X509, (void *bio, void **x, void *cb, void *arg))                                                       \
    F(void, X509_free, (void *x))                                                                                                  \
    F(int, X509_up_ref, (void *x))                                                                                                 \
    F(int, i2d_X509, (const void *x, unsigned char **out))                                                                         \
    F(int, X509_check_issued, (void *issuer, void *subject))                                                                       \
    F(const void *, X509_get0_notBefore, (const void *x))                                                                          \
    F(const void *, X509_get0_notAfter, (const void *x))                                                                           \
    F(int, X509_cmp_time, (const void *asn1_time, void *now))                                                                      \
    F(void *, X509_get0_pubkey, (const void *x))                                                                                   \
    F(int, X509_verify, (void *x, void *key))                                                                                      \
    F(const char *, X509_verify_cert_error_string, (long error))                                                                   \
    F(void *, X509_STORE_new, (void))                                                                                              \
    F(void, X509_STORE_free, (void *store))                                                                                        \
    F(int, X509_STORE_add_cert, (void *store, void *x))                                                                            \
    F(void, X509_STORE_set_verify, (void *store, int (*verify)(void *ctx)))                                                        \
    F(void *, X509_STORE_get0_param, (const void *store))                                                                          \
    F(void, X509_VERIFY_PARAM_set_auth_level, (void *param, int level))                                                            \
    F(void *, X509_STORE_CTX_new, (void))                                                                                          \
    F(void, X509_STORE_CTX_free, (void *ctx))                                                                                      \
    F(int, X509_STORE_CTX_init, (void *ctx, void *store, void *leaf, void *untrusted))                                             \
    F(int, X509_STORE_CTX_set_ex_data, (void *ctx, int index, void *data))                                                         \
    F(void *, X509_STORE_CTX_get_ex_data, (const void *ctx, int index))                                                            \
    F(void *, X509_STORE_CTX_get0_chain, (const void *ctx))                                                                        \
    F(int, X509_STORE_CTX_get_error, (const void *ctx))                                                                            \
    F(void, X509_STORE_CTX_set_error, (void *ctx, int error))                                                                      \
    F(int, X509_STORE_CTX_get_error_depth, (const void *ctx))                                                                      \
    F(void, X509_STORE_CTX_set_error_depth, (void *ctx, int depth))                                                                \
    F(int, X509_verify_cert, (void *ctx))                                                                                          \
    F(void *, OPENSSL_sk_new_null, (void))                                                                                         \
    F(int, OPENSSL_sk_push, (void *stack, const void *x))                                                                          \
    F(void, OPENSSL_sk_free, (void *stack))                                                                                        \
    F(int, OPENSSL_sk_num, (const void *stack))                                                                                    \
    F(void *, OPENSSL_sk_value, (const void *stack, int i))                                                                        \
    F(void, CRYPTO_free, (void *memory, const char *file, int line))                                                               \
    F(void, ERR_clear_error, (void))

static struct {
#define X509_MEMBER(type, name, args) type(*name) args;
    X509_FUNCTIONS(X509_MEMBER)
#undef X509_MEMBER
} x509; /* written before there are threads */

/* X509_V_ERR_.. of the public headers; the level (SSL_CTX_set_security_level) at which SHA-1, RSA below 1024 bits .. are refused */
enum { V_OK = 0, V_NOT_YET_VALID = 9, V_HAS_EXPIRED = 10, V_NOT_BEFORE_FIELD = 13, V_NOT_AFTER_FIELD = 14, AUTH_LEVEL = 1 };

static bool load_libcrypto(void)
{
    struct ossl o;
    char err[256];

    if (!ossl_open(&o, NULL, err, sizeof(err))) {
        cli_error("certificates need OpenSSL's libcrypto, 3.0 or later: %s", err);
        return false;
    }
#define X509_GET(type, name, args)                                                                                                 \
    if (!ossl_get(&o, #name, &x509.name)) {                                                                                        \
        cli_error("this libcrypto has no %s()", #name);                                                                            \
        return false;                                                                                                              \
    }
    X509_FUNCTIONS(X509_GET)
#undef X509_GET
    return true;
}

/* ---- DER: what is in a certificate (RFC 5280, 4.1) ---- */

struct bytes {
    const uint8_t *p;
    size_t len;
};

/*
 * Take the element that `from` begins with, which has to have this tag and a length in DER.  *whole: with its head, unless NULL.
 * false if it isn't so; `from` and what was to be written are of no use then.
 */
static bool take(struct bytes *from, uint8_t tag, struct bytes *content, struct bytes *whole)
{
    const uint8_t *p = from->p;
    size_t head = 2, len;

    if (from->len < 2 || p[0] != tag)
        return false;
    len = p[1];
    if (len >= 0x80) {
        const size_t num = len & 0x7f;

        if (num < 1 || num > 4 || from->len < 2 + num || p[2] == 0)
            return false;
        len = 0;
        for (size_t i = 0; i < num; i++)
            len = len << 8 | p[2 + i];
        if (len < 0x80)
            return false;
        head += num;
    }
    if (len > from->len - head)
        return false;
    if (content)
        *content = (struct bytes){ p + head, len };
    if (whole)
        *whole = (struct bytes){ p, head + len };
    from->p += head + len;
    from->len -= head + len;
    return true;
}

static bool same(struct bytes a, const void *p, size_t len)
{
    return a.len == len && memcmp(a.p, p, len) == 0;
}

enum { TAG_INTEGER = 2, TAG_BITS = 3, TAG_SEQUENCE = 0x30, TAG_VERSION = 0xa0 };

/* A BIT STRING of whole bytes */
static bool take_bits(struct bytes *from, struct bytes *bits)
{
    if (!take(from, TAG_BITS, bits, NULL) || bits->len < 1 || bits->p[0] != 0)
        return false;
    bits->p++;
    bits->len--;
    return true;
}

struct certificate {
    struct bytes tbs; /* what is signed */
    struct bytes algorithm; /* of the signature: AlgorithmIdentifier */
    struct bytes sig;
    struct bytes spki; /* SubjectPublicKeyInfo */
};

static bool parse_certificate(struct certificate *c, struct bytes der)
{
    struct bytes certificate, tbs, inner;

    if (!take(&der, TAG_SEQUENCE, &certificate, NULL) || der.len != 0 || !take(&certificate, TAG_SEQUENCE, &tbs, &c->tbs) ||
        !take(&certificate, TAG_SEQUENCE, NULL, &c->algorithm) || !take_bits(&certificate, &c->sig) || certificate.len != 0)
        return false;
    if (tbs.len > 0 && tbs.p[0] == TAG_VERSION && !take(&tbs, TAG_VERSION, NULL, NULL))
        return false;
    /* Serial number, algorithm, issuer, dates, subject, key.  The algorithm is there twice, and has to be the same (4.1.1.2). */
    return take(&tbs, TAG_INTEGER, NULL, NULL) && take(&tbs, TAG_SEQUENCE, NULL, &inner) &&
           same(inner, c->algorithm.p, c->algorithm.len) && take(&tbs, TAG_SEQUENCE, NULL, NULL) &&
           take(&tbs, TAG_SEQUENCE, NULL, NULL) && take(&tbs, TAG_SEQUENCE, NULL, NULL) && take(&tbs, TAG_SEQUENCE, NULL, &c->spki);
}

/*
 * AlgorithmIdentifiers, byte for byte: RFC 5758, 3.2; RFC 4055, 5; RFC 8410, 3.  What is written otherwise is libcrypto's, for
 * instance PSS with other parameters than one hash function and a salt of its length.
 */
#define ECDSA_WITH(hash) "\x30\x0a\x06\x08\x2a\x86\x48\xce\x3d\x04\x03" hash
#define RSA_WITH(hash) "\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01" hash "\x05\x00"
#define SHA_AND_NULL(hash) "\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02" hash "\x05\x00"
#define PSS_WITH(hash, salt_len)                                                                                                   \
    "\x30\x41\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0a\x30\x34\xa0\x0f" SHA_AND_NULL(                                           \
        hash) "\xa1\x1c\x30\x1a\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x08" SHA_AND_NULL(hash) "\xa2\x03\x02\x01" salt_len
#define ALGORITHM(kind, hash, text) { kind, hash, { (const uint8_t *)(text), sizeof(text) - 1 } }

/* SIG_P256 here stands for ECDSA on any curve */
static const struct {
    enum signature_kind kind;
    enum lc_rsa_hash hash;
    struct bytes identifier;
} algorithms[] = {
    ALGORITHM(SIG_P256, LC_RSA_SHA256, ECDSA_WITH("\x02")),
    ALGORITHM(SIG_P256, LC_RSA_SHA384, ECDSA_WITH("\x03")),
    ALGORITHM(SIG_P256, LC_RSA_SHA512, ECDSA_WITH("\x04")),
    ALGORITHM(SIG_RSA_PKCS1, LC_RSA_SHA256, RSA_WITH("\x0b")),
    ALGORITHM(SIG_RSA_PKCS1, LC_RSA_SHA384, RSA_WITH("\x0c")),
    ALGORITHM(SIG_RSA_PKCS1, LC_RSA_SHA512, RSA_WITH("\x0d")),
    ALGORITHM(SIG_RSA_PSS, LC_RSA_SHA256, PSS_WITH("\x01", "\x20")),
    ALGORITHM(SIG_RSA_PSS, LC_RSA_SHA384, PSS_WITH("\x02", "\x30")),
    ALGORITHM(SIG_RSA_PSS, LC_RSA_SHA512, PSS_WITH("\x03", "\x40")),
    ALGORITHM(SIG_ED25519, LC_RSA_SHA512, "\x30\x05\x06\x03\x2b\x65\x70"),
};

union public_key {
    struct lc_ecdsa_p256_public_key p256;
    struct lc_ecdsa_p384_public_key p384;
    struct lc_ed25519_public_key ed25519;
    struct lc_rsa_public_key rsa;
};

/* A key and its kind, SIG_RSA_PKCS1 for any RSA.  false: it is none that can be used here. */
static bool parse_key(union public_key *key, enum signature_kind *kind, struct bytes spki)
{
    static const char p256[] = "\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07";
    static const char p384[] = "\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22";
    struct bytes rest = spki, content, algorithm, bits;

    if (!take(&rest, TAG_SEQUENCE, &content, NULL) || !take(&content, TAG_SEQUENCE, NULL, &algorithm) ||
        !take_bits(&content, &bits) || content.len != 0)
        return false;
    if (same(algorithm, p256, sizeof(p256) - 1)) {
        *kind = SIG_P256;
        return lc_ecdsa_p256_public_init(&key->p256, bits.p, bits.len) == LC_OK;
    }
    if (same(algorithm, p384, sizeof(p384) - 1)) {
        *kind = SIG_P384;
        return lc_ecdsa_p384_public_init(&key->p384, bits.p, bits.len) == LC_OK;
    }
    if (same(algorithm, "\x30\x05\x06\x03\x2b\x65\x70", 7)) {
        *kind = SIG_ED25519;
        return lc_ed25519_public_init(&key->ed25519, bits.p, bits.len) == LC_OK;
    }
    *kind = SIG_RSA_PKCS1;
    return lc_rsa_public_init_der(&key->rsa, spki.p, spki.len) == LC_OK;
}

/* ---- Bundles ---- */

struct bundle {
    const char *path;
    const char *problem; /* NULL, or why it can't be verified */
    const char *wrong; /* NULL, or what is wrong, as libcrypto has it */
    int number; /* of the certificate that this is about, in the file from 1 on; 0: none, or one of the roots */
    int num_signatures; /* that the chain has */
    int num_right, num_by_libcrypto; /* of these */
};

/* A signature that waits for its batch */
struct pending {
    struct bundle *bundle;
    int number; /* as above */
    uint8_t *subject, *issuer; /* DER, libcrypto's memory */
    union public_key key; /* if it couldn't be kept */
    uint8_t sig[96]; /* ECDSA: r || s */
};

/* A certificate that was met before: bundles have the same ones between them and the roots, so each thread keeps some. */
struct kept {
    char *text; /* PEM; NULL if nothing was kept here yet */
    size_t len;
    void *cert;
};

/* A key that was met before */
struct kept_key {
    uint8_t *spki; /* DER; NULL if nothing was kept here yet */
    size_t len;
    uint64_t batch; /* the last one in which signatures are under it */
    enum signature_kind kind;
    bool usable;
    union public_key key;
};

struct job {
    char **paths;
    size_t num_paths, next;
    void *store;
    _Atomic uint64_t num_signatures, num_by_libcrypto;
};

struct worker {
    struct verify_worker common;
    struct job *job;
    size_t first, num;
    struct bundle bundles[BLOCK];
    struct kept kept[NUM_KEPT];
    struct kept_key keys[NUM_KEPT];
    uint64_t batch; /* how many there were before this one */
    size_t num_pending;
    struct pending pending[MAX_SIGNATURES];
    struct signature signatures[MAX_SIGNATURES];
    struct signature_work work;
};

static void free_der(uint8_t *der)
{
    x509.CRYPTO_free(der, __FILE__, __LINE__);
}

/* Verify what waits, and count what is right. */
static void finish_pending(struct worker *w)
{
    signatures_verify(&w->work, w->signatures, w->num_pending);
    for (size_t i = 0; i < w->num_pending; i++) {
        struct pending *p = &w->pending[i];
        const int status = w->signatures[i].status;

        if (status == LC_OK) {
            p->bundle->num_right++;
        } else if (!p->bundle->wrong) {
            p->bundle->wrong = status == LC_ERR_SIGNATURE ? "certificate signature failure" : lc_strerror(status);
            p->bundle->number = p->number;
        }
        free_der(p->subject);
        free_der(p->issuer);
    }
    w->num_pending = 0;
    w->batch++;
}

/* Where something is kept.  FNV-1a.  Who chooses what meets there makes it be read again, no more. */
static size_t place_of(const void *bytes, size_t len)
{
    const uint8_t *p = bytes;
    uint32_t hash = 2166136261;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ p[i]) * 16777619;
    return (hash ^ hash >> 16) % NUM_KEPT;
}

/*
 * The key of spki: one that is kept, or made now, in place of one that no signature of this batch is under; else it is made in
 * *own.  NULL if it can't be used here.
 */
static const void *get_key(struct worker *w, union public_key *own, enum signature_kind *kind, struct bytes spki)
{
    struct kept_key *k = &w->keys[place_of(spki.p, spki.len)];

    if (!k->spki || k->len != spki.len || memcmp(k->spki, spki.p, spki.len) != 0) {
        uint8_t *copy = k->spki && k->batch == w->batch ? NULL : malloc(spki.len);

        if (!copy)
            return parse_key(own, kind, spki) ? own : NULL;
        memcpy(copy, spki.p, spki.len);
        free(k->spki);
        k->spki = copy;
        k->len = spki.len;
        k->usable = parse_key(&k->key, &k->kind, spki);
    }
    k->batch = w->batch;
    *kind = k->kind;
    return k->usable ? &k->key : NULL;
}

/* Can it be verified here?  Then it waits. */
static bool add_pending(struct worker *w, struct bundle *b, int number, const void *subject, const void *issuer)
{
    struct pending *p = &w->pending[w->num_pending];
    struct signature *s = &w->signatures[w->num_pending];
    struct certificate c, i;
    enum signature_kind key_kind = NUM_SIGNATURE_KINDS;
    bool ok;
    int subject_len, issuer_len;

    p->bundle = b;
    p->number = number;
    p->subject = p->issuer = NULL;
    subject_len = x509.i2d_X509(subject, &p->subject);
    issuer_len = x509.i2d_X509(issuer, &p->issuer);
    ok = subject_len > 0 && issuer_len > 0 && parse_certificate(&c, (struct bytes){ p->subject, (size_t)subject_len }) &&
         parse_certificate(&i, (struct bytes){ p->issuer, (size_t)issuer_len });
    *s = (struct signature){ .kind = NUM_SIGNATURE_KINDS };
    s->key = ok ? get_key(w, &p->key, &key_kind, i.spki) : NULL;
    ok = s->key != NULL;
    for (size_t k = 0; ok && k < sizeof(algorithms) / sizeof(algorithms[0]); k++)
        if (same(c.algorithm, algorithms[k].identifier.p, algorithms[k].identifier.len)) {
            s->kind = algorithms[k].kind;
            s->hash = algorithms[k].hash;
        }
    if (ok) {
        s->msg = c.tbs.p;
        s->msg_len = c.tbs.len;
        s->sig = c.sig.p;
        s->sig_len = c.sig.len;
        s->salt_len = signature_digest_len(s->hash); /* as the algorithm says */
        s->status = LC_ERR_STATE;
    }
    /* The key has to be one for the algorithm. */
    if (ok && s->kind == SIG_P256 && (key_kind == SIG_P256 || key_kind == SIG_P384)) {
        s->kind = key_kind;
        s->sig = p->sig;
        ok = (key_kind == SIG_P256 ? lc_ecdsa_p256_from_der(p->sig, c.sig.p, c.sig.len)
                                   : lc_ecdsa_p384_from_der(p->sig, c.sig.p, c.sig.len)) == LC_OK;
    } else if (ok) {
        ok = (s->kind == SIG_RSA_PSS ? SIG_RSA_PKCS1 : s->kind) == key_kind &&
             (key_kind != SIG_ED25519 || c.sig.len == LC_ED25519_SIG_LEN);
    }
    if (ok) {
        w->num_pending++;
    } else {
        free_der(p->subject);
        free_der(p->issuer);
    }
    return ok;
}

/* ---- Chains ---- */

/* Is a certificate's time now?  X509_V_OK or an error */
static int check_dates(const void *x)
{
    int before = x509.X509_cmp_time(x509.X509_get0_notBefore(x), NULL);
    int after = x509.X509_cmp_time(x509.X509_get0_notAfter(x), NULL);

    if (before == 0)
        return V_NOT_BEFORE_FIELD;
    if (before > 0)
        return V_NOT_YET_VALID;
    if (after == 0)
        return V_NOT_AFTER_FIELD;
    return after < 0 ? V_HAS_EXPIRED : V_OK;
}

/*
 * What libcrypto calls in place of its own last step, with a complete chain: from the root on, dates, and whether the issuer is
 * one, and its key may sign.  Signatures come later.
 */
static int check_without_signatures(void *ctx)
{
    bool *called = x509.X509_STORE_CTX_get_ex_data(ctx, 0);
    void *chain = x509.X509_STORE_CTX_get0_chain(ctx);
    const int num = x509.OPENSSL_sk_num(chain);

    for (int i = num - 1; i >= 0; i--) {
        void *x = x509.OPENSSL_sk_value(chain, i);
        int error = i < num - 1 ? x509.X509_check_issued(x509.OPENSSL_sk_value(chain, i + 1), x) : V_OK;

        if (error == V_OK)
            error = check_dates(x);
        if (error != V_OK) {
            x509.X509_STORE_CTX_set_error(ctx, error);
            x509.X509_STORE_CTX_set_error_depth(ctx, i);
            return 0;
        }
    }
    *called = true;
    return num > 0;
}

/* Which certificate of the file is it, from 1 on?  0: none */
static int number_of(void *const *certs, int num, const void *x)
{
    for (int i = 0; i < num; i++)
        if (certs[i] == x)
            return i + 1;
    return 0;
}

/* The signatures of a chain that is right otherwise */
static void take_signatures(struct worker *w, struct bundle *b, void *chain, void *const *certs, int num)
{
    b->num_signatures = x509.OPENSSL_sk_num(chain) - 1;
    if (b->num_signatures < 0 || b->num_signatures >= MAX_CHAIN) {
        b->problem = "its chain is too long";
        return;
    }
    if (w->num_pending + MAX_CHAIN > MAX_SIGNATURES)
        finish_pending(w);
    for (int i = 0; i < b->num_signatures && !b->wrong; i++) {
        void *subject = x509.OPENSSL_sk_value(chain, i), *issuer = x509.OPENSSL_sk_value(chain, i + 1), *key;
        const int number = number_of(certs, num, subject);

        if (add_pending(w, b, number, subject, issuer))
            continue;
        b->num_by_libcrypto++;
        key = x509.X509_get0_pubkey(issuer);
        if (key && x509.X509_verify(subject, key) == 1) {
            b->num_right++;
        } else {
            b->wrong = "certificate signature failure";
            b->number = number;
        }
    }
}

static void verify_chain(struct worker *w, struct bundle *b, void *const *certs, int num)
{
    void *ctx = x509.X509_STORE_CTX_new(), *untrusted = x509.OPENSSL_sk_new_null();
    bool called = false, ok = ctx && untrusted;

    for (int i = 1; ok && i < num; i++)
        ok = x509.OPENSSL_sk_push(untrusted, certs[i]) > 0;
    if (!ok || x509.X509_STORE_CTX_init(ctx, w->job->store, certs[0], untrusted) != 1 ||
        x509.X509_STORE_CTX_set_ex_data(ctx, 0, &called) != 1) {
        b->problem = "no memory for its chain";
    } else if (x509.X509_verify_cert(ctx) != 1 || x509.X509_STORE_CTX_get_error(ctx) != V_OK || !called) {
        const int error = x509.X509_STORE_CTX_get_error(ctx), depth = x509.X509_STORE_CTX_get_error_depth(ctx);
        void *chain = x509.X509_STORE_CTX_get0_chain(ctx);

        b->wrong = error == V_OK ? "libcrypto didn't look at its dates" : x509.X509_verify_cert_error_string(error);
        if (chain && depth >= 0 && depth < x509.OPENSSL_sk_num(chain))
            b->number = number_of(certs, num, x509.OPENSSL_sk_value(chain, depth));
    } else {
        take_signatures(w, b, x509.X509_STORE_CTX_get0_chain(ctx), certs, num);
    }
    x509.X509_STORE_CTX_free(ctx);
    x509.OPENSSL_sk_free(untrusted);
}

/* ---- Files ---- */

/* A whole file.  Returns NULL, with *problem, if it can't be read; free it. */
static char *read_file(const char *path, size_t max, size_t *len, const char **problem)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = NULL;
    struct stat st;
    ssize_t got = -1;

    *len = 0;
    *problem = NULL;
    if (fd < 0 || fstat(fd, &st) != 0)
        *problem = strerror(errno);
    else if (S_ISDIR(st.st_mode))
        *problem = "it is a directory";
    else if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > max)
        *problem = "it is too large";
    else if (!(text = malloc((S_ISREG(st.st_mode) ? (size_t)st.st_size : max) + 1)))
        *problem = "there is no memory for it";
    if (!*problem) {
        const size_t room = (S_ISREG(st.st_mode) ? (size_t)st.st_size : max) + 1;

        do {
            got = read(fd, text + *len, room - *len);
            if (got > 0)
                *len += (size_t)got;
        } while (*len < room && (got > 0 || (got < 0 && errno == EINTR)));
        if (got < 0)
            *problem = strerror(errno);
        else if (*len == room)
            *problem = "it is too large, or grows";
    }
    if (fd >= 0)
        close(fd);
    if (*problem) {
        free(text);
        text = NULL;
    }
    return text;
}

/* The next certificate in PEM, from its first line to its last one or the end of all.  NULL if there is none. */
static const char *next_pem(const char *text, const char *end, size_t *len)
{
    static const char begin[] = "-----BEGIN ";
    static const char *const names[] = { "CERTIFICATE-----", "X509 CERTIFICATE-----", "TRUSTED CERTIFICATE-----" };
    const char *first, *last;
    bool is_one = false;

    for (; (first = memmem(text, (size_t)(end - text), begin, sizeof(begin) - 1)) != NULL; text = first + 1) {
        const char *name = first + sizeof(begin) - 1;

        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
            is_one = is_one || ((size_t)(end - name) >= strlen(names[i]) && memcmp(name, names[i], strlen(names[i])) == 0);
        if (is_one)
            break;
    }
    if (!first)
        return NULL;
    last = memmem(first, (size_t)(end - first), "\n-----END ", 10);
    if (last)
        last = memchr(last + 1, '\n', (size_t)(end - (last + 1)));
    *len = (size_t)((last ? last + 1 : end) - first);
    return first;
}

/*
 * Does it begin a line of the text, as it has to?  Otherwise libcrypto's functions and others that read the file pass over it (or
 * don't, if the line is long): the first certificate is another one to them.  They pass over a byte order mark.
 */
static bool begins_line(const char *text, const char *p)
{
    return p == text || p[-1] == '\n' || (p == text + 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0);
}

/* The certificate; X509_free() ends it.  kept: NUM_KEPT, or NULL.  NULL if it can't be read. */
static void *read_pem(struct kept *kept, const char *text, size_t len)
{
    char no_password[] = ""; /* rather than to ask for one, if it is encrypted */
    void *bio, *cert;

    kept = kept && len <= MAX_KEPT ? &kept[place_of(text, len)] : NULL;
    if (kept && kept->text && kept->len == len && memcmp(kept->text, text, len) == 0)
        return x509.X509_up_ref(kept->cert) == 1 ? kept->cert : NULL;
    bio = x509.BIO_new_mem_buf(text, (int)len);
    cert = bio ? x509.PEM_read_bio_X509(bio, NULL, NULL, no_password) : NULL;
    x509.BIO_free(bio);
    if (cert && kept && x509.X509_up_ref(cert) == 1) {
        free(kept->text);
        x509.X509_free(kept->cert);
        *kept = (struct kept){ .text = malloc(len), .len = len, .cert = cert };
        if (kept->text)
            memcpy(kept->text, text, len);
    }
    return cert;
}

/*
 * The certificates of a PEM file.  Returns how many, and *certs, an array that free_certs() frees; or -1, with *problem, and
 * *number if it is about one of them.  Of the first one nothing is kept.
 */
static int read_certs(void ***certs, struct kept *kept, const char *path, size_t max, const char **problem, int *number)
{
    static const char trusted[] = "-----BEGIN TRUSTED ";
    size_t text_len, len, expected = 0;
    char *text = read_file(path, max, &text_len, problem);
    const char *end;
    int num = 0;

    *certs = NULL;
    *number = 0;
    if (!text)
        return -1;
    end = text + text_len;
    for (const char *p = text; (p = next_pem(p, end, &len)) != NULL; p += len)
        expected++;
    *certs = calloc(expected + 1, sizeof(**certs));
    if (expected == 0)
        *problem = "there is no certificate in it";
    else if (!*certs)
        *problem = "there is no memory for it";
    else if (memchr(text, '\0', text_len)) /* with which a line can begin a certificate to libcrypto, and not here */
        *problem = "there is a zero byte in it";
    for (const char *p = text; !*problem && (p = next_pem(p, end, &len)) != NULL; p += len) {
        /* The first one is what libcrypto finds first in the whole text; with its trust it wouldn't find it. */
        if (!begins_line(text, p) || memcmp(p, trusted, sizeof(trusted) - 1) == 0)
            (*certs)[num] = NULL;
        else if (num == 0)
            (*certs)[num] = read_pem(NULL, text, text_len);
        else
            (*certs)[num] = read_pem(kept, p, len);
        if (!(*certs)[num++]) {
            *problem = "it can't be read";
            *number = num;
        }
    }
    x509.ERR_clear_error();
    free(text);
    return *problem ? -1 : num;
}

static void free_certs(void **certs)
{
    for (size_t i = 0; certs && certs[i]; i++) /* it ends with NULL, or with what can't be read */
        x509.X509_free(certs[i]);
    free(certs);
}

static void free_kept(struct worker *w)
{
    for (size_t i = 0; i < NUM_KEPT; i++) {
        free(w->kept[i].text);
        x509.X509_free(w->kept[i].cert);
        free(w->keys[i].spki);
    }
}

static bool load_roots(struct job *job, const char *path)
{
    const char *problem;
    void **certs;
    int number, num = read_certs(&certs, NULL, path, MAX_ROOTS, &problem, &number);
    bool ok = num > 0;

    if (!ok && number)
        cli_error("%s: certificate %d: %s", path, number, problem);
    else if (!ok)
        cli_error("%s: %s", path, problem);
    job->store = ok ? x509.X509_STORE_new() : NULL;
    for (int i = 0; job->store && i < num; i++)
        ok = ok && x509.X509_STORE_add_cert(job->store, certs[i]) == 1;
    if (num > 0 && (!ok || !job->store)) {
        cli_error("%s: libcrypto can't take these roots", path);
        ok = false;
    }
    if (ok) {
        x509.X509_STORE_set_verify(job->store, check_without_signatures);
        x509.X509_VERIFY_PARAM_set_auth_level(x509.X509_STORE_get0_param(job->store), AUTH_LEVEL);
    }
    free_certs(certs);
    return ok;
}

/* ---- Blocks ---- */

static bool next_bundles(struct verify_worker *common)
{
    struct worker *w = (struct worker *)common;
    struct job *job = w->job;

    w->first = job->next;
    w->num = job->num_paths - job->next < BLOCK ? job->num_paths - job->next : BLOCK;
    job->next += w->num;
    common->progress_len = w->num;
    return w->num > 0;
}

/* Text as JSON has it: with quotation marks, ASCII */
static bool print_json_text(FILE *out, const char *text)
{
    char *escaped = cli_escape(text);
    json_t *string = escaped ? json_string(escaped) : NULL;
    char *json = string ? json_dumps(string, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    bool ok = json && fputs(json, out) >= 0;

    free(json);
    json_decref(string);
    free(escaped);
    return ok;
}

static bool print_line(const struct verify_run *run, FILE *out, const struct bundle *b, const char *verdict, const char *reason)
{
    char *path;
    bool ok;

    if (run->json) {
        ok = fputs("{\"file\": ", out) >= 0 && print_json_text(out, b->path) && fprintf(out, ", \"verdict\": \"%s\"", verdict) >= 0;
        if (ok && reason)
            ok = fputs(", \"reason\": ", out) >= 0 && print_json_text(out, reason);
        if (ok && b->number)
            ok = fprintf(out, ", \"certificate\": %d", b->number) >= 0;
        if (ok && !reason)
            ok = fprintf(out, ", \"signatures\": %d, \"by_libcrypto\": %d", b->num_signatures, b->num_by_libcrypto) >= 0;
        return ok && fputs("}\n", out) >= 0;
    }
    path = cli_escape(b->path);
    ok = path && fprintf(out, "%s: %s", path, verdict) >= 0;
    free(path);
    if (ok && reason && b->number)
        ok = fprintf(out, ": certificate %d: %s", b->number, reason) >= 0;
    else if (ok && reason)
        ok = fprintf(out, ": %s", reason) >= 0;
    if (ok && !reason && b->num_by_libcrypto)
        ok = fprintf(out, " (%d of %d signatures by libcrypto)", b->num_by_libcrypto, b->num_signatures) >= 0;
    return ok && fputc('\n', out) != EOF;
}

static void print_bundle(struct verify_worker *w, const struct bundle *b)
{
    bool ok = true;

    if (b->problem) {
        w->counts.errors++;
        ok = print_line(w->run, w->out, b, "error", b->problem);
    } else if (b->wrong || b->num_right != b->num_signatures) {
        w->counts.wrong++;
        ok = print_line(w->run, w->out, b, "wrong", b->wrong ? b->wrong : "not all signatures were verified");
    } else {
        w->counts.ok++;
        if (!w->run->failed_only)
            ok = print_line(w->run, w->out, b, "ok", NULL);
    }
    if (!ok)
        w->out_failed = true;
}

static void verify_bundles(struct verify_worker *common)
{
    struct worker *w = (struct worker *)common;

    for (size_t i = 0; i < w->num; i++) {
        struct bundle *b = &w->bundles[i];
        void **certs;
        int num;

        *b = (struct bundle){ .path = w->job->paths[w->first + i] };
        num = read_certs(&certs, w->kept, b->path, MAX_BUNDLE, &b->problem, &b->number);
        if (num > 0)
            verify_chain(w, b, certs, num);
        x509.ERR_clear_error();
        free_certs(certs);
    }
    finish_pending(w);
    for (size_t i = 0; i < w->num; i++) {
        print_bundle(common, &w->bundles[i]);
        atomic_fetch_add(&w->job->num_signatures, (uint64_t)w->bundles[i].num_signatures);
        atomic_fetch_add(&w->job->num_by_libcrypto, (uint64_t)w->bundles[i].num_by_libcrypto);
    }
}

bool verify_certs(struct verify_run *run, const char *roots, char **paths, size_t num_paths)
{
    struct job job = { .paths = paths, .num_paths = num_paths };
    const struct verify_counts *counts = &run->counts;
    struct worker *workers;
    size_t num_workers;
    bool ok = load_libcrypto() && load_roots(&job, roots);

    if (!ok)
        return false;
    if (run->num_threads > (num_paths + BLOCK - 1) / BLOCK)
        run->num_threads = (num_paths + BLOCK - 1) / BLOCK;
    workers = calloc(run->num_threads, sizeof(*workers));
    if (!workers)
        cli_error("no memory for %" PRIu64 " threads", run->num_threads);
    for (size_t i = 0; workers && i < run->num_threads; i++)
        workers[i].job = &job;
    run->next = next_bundles;
    run->verify = verify_bundles;
    run->has_progress = true;
    progress_start(&run->progress, num_paths, run->quiet, "");
    run->progress.unit = "bundles";
    num_workers = run->num_threads;
    if (workers)
        verify_run(run, workers, sizeof(*workers));
    progress_finish(&run->progress);
    for (size_t i = 0; workers && i < num_workers; i++)
        free_kept(&workers[i]);
    free(workers);
    x509.X509_STORE_free(job.store);
    if (!workers || run->write_failed)
        return false;
    if (!run->quiet) {
        fprintf(stderr,
                "lanecrypt: %zu bundles: %" PRIu64 " ok, %" PRIu64 " wrong, %" PRIu64 " with errors; %" PRIu64
                " signatures, %" PRIu64 " of them by libcrypto; ",
                num_paths, counts->ok, counts->wrong, counts->errors, job.num_signatures, job.num_by_libcrypto);
        verify_print_speed(run, num_paths);
    }
    return counts->ok == num_paths;
}

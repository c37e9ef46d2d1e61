/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * openssl_public: what signatures, decryption, key exchanges, HMAC and TLS 1.3's key derivation cost through EVP with the default
 * provider and with lanecrypt's, in one process and in turns; alone, and in 8 and 64 jobs (ASYNC_start_job()) of which each does
 * one operation.
 *   openssl_public CONF      a configuration by `lanecrypt openssl-conf --public-key`
 *
 * The time is the thread's CPU time.  The figures are the medians of the turns' ratios.  Each operation has contexts of its own,
 * and a key exchange takes the other one's public key as bytes, as in TLS; keys are made before.  It is linked with libcrypto.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/async.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

enum { TURNS = 21, MAX_JOBS = 64, SLICE_NS = 4000000 };

static const struct operation {
    const char *name, *algorithm, *detail, *hash;
    enum { SIGN, VERIFY, DECRYPT, DERIVE, GENERATE, EXPAND, MAC } what;
    bool with_pss;
} operations[] = {
    { "ECDSA P-256, sign", "EC", "P-256", "SHA256", SIGN, false },
    { "ECDSA P-256, verify", "EC", "P-256", "SHA256", VERIFY, false },
    { "ECDSA P-384, sign", "EC", "P-384", "SHA384", SIGN, false },
    { "ECDSA P-384, verify", "EC", "P-384", "SHA384", VERIFY, false },
    { "Ed25519, sign", "ED25519", NULL, NULL, SIGN, false },
    { "Ed25519, verify", "ED25519", NULL, NULL, VERIFY, false },
    { "SM2, sign", "SM2", NULL, "SM3", SIGN, false },
    { "SM2, verify", "SM2", NULL, "SM3", VERIFY, false },
    { "ECDH P-256", "EC", "P-256", NULL, DERIVE, false },
    { "ECDH P-384", "EC", "P-384", NULL, DERIVE, false },
    { "X25519", "X25519", NULL, NULL, DERIVE, false },
    { "RSA-2048 PSS, sign", "RSA", "2048", "SHA256", SIGN, true },
    { "RSA-2048 PKCS #1, sign", "RSA", "2048", "SHA256", SIGN, false },
    { "RSA-2048 PKCS #1, verify", "RSA", "2048", "SHA256", VERIFY, false },
    { "RSA-3072 PSS, sign", "RSA", "3072", "SHA256", SIGN, true },
    { "RSA-4096 PSS, sign", "RSA", "4096", "SHA256", SIGN, true },
    { "RSA-2048 OAEP, decrypt", "RSA", "2048", "SHA1", DECRYPT, false },
    { "RSA-4096 OAEP, decrypt", "RSA", "4096", "SHA256", DECRYPT, false },
    { "new key, P-256", "EC", "P-256", NULL, GENERATE, false },
    { "new key, P-384", "EC", "P-384", NULL, GENERATE, false },
    { "new key, SM2", "SM2", NULL, NULL, GENERATE, false },
    { "new key, X25519", "X25519", NULL, NULL, GENERATE, false },
    { "TLS13-KDF, SHA-256", "X25519", NULL, "SHA256", EXPAND, false }, /* a key isn't needed */
    { "TLS13-KDF, SHA-384", "X25519", NULL, "SHA384", EXPAND, false },
    { "HMAC, SHA-256", "X25519", NULL, "SHA256", MAC, false }, /* of one hash value, as TLS has it */
    { "HMAC, SHA-384", "X25519", NULL, "SHA384", MAC, false },
};

/* One provider's */
struct side {
    OSSL_LIB_CTX *lib;
    EVP_PKEY *key;
    unsigned char *peer; /* a public key, as TLS has it */
    size_t peer_len;
    const struct operation *op;
    unsigned char message[32], sig[1024]; /* or what is decrypted */
    size_t sig_len;
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "openssl_public: %s failed\n", what);
    exit(2);
}

static void must(bool ok, const char *what)
{
    if (!ok)
        die(what);
}

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static EVP_PKEY *new_key(const struct operation *op, OSSL_LIB_CTX *lib)
{
    if (strcmp(op->algorithm, "RSA") == 0)
        return EVP_PKEY_Q_keygen(lib, NULL, "RSA", (size_t)atoi(op->detail));
    return op->detail ? EVP_PKEY_Q_keygen(lib, NULL, op->algorithm, op->detail) : EVP_PKEY_Q_keygen(lib, NULL, op->algorithm);
}

static EVP_PKEY *copy_key(EVP_PKEY *key, OSSL_LIB_CTX *lib)
{
    unsigned char *der = NULL;
    int len = i2d_PrivateKey(key, &der);
    const unsigned char *p = der;
    EVP_PKEY *copy = len > 0 ? d2i_AutoPrivateKey_ex(NULL, &p, len, lib, NULL) : NULL;

    OPENSSL_free(der);
    must(copy, "copying a key");
    return copy;
}

static int init(EVP_MD_CTX *md, const struct side *s, bool to_sign)
{
    const struct operation *op = s->op;
    EVP_PKEY_CTX *ctx;
    int ok = to_sign ? EVP_DigestSignInit_ex(md, &ctx, op->hash, s->lib, NULL, s->key, NULL)
                     : EVP_DigestVerifyInit_ex(md, &ctx, op->hash, s->lib, NULL, s->key, NULL);

    if (ok == 1 && op->with_pss)
        ok = EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
             EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1;
    return ok;
}

/* A traffic secret of a hash value, as libssl does it */
static int expand(const struct side *s)
{
    EVP_KDF *kdf = EVP_KDF_fetch(s->lib, "TLS13-KDF", NULL);
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
    const size_t len = strcmp(s->op->hash, "SHA256") == 0 ? 32 : 48;
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY, ok;
    unsigned char secret[48] = { 1 }, out[48];
    char prefix[] = "tls13 ", label[] = "s hs traffic", hash[8];
    const OSSL_PARAM params[] = {
        OSSL_PARAM_int("mode", &mode),
        OSSL_PARAM_utf8_string("digest", hash, 0),
        OSSL_PARAM_octet_string("key", secret, len),
        OSSL_PARAM_octet_string("prefix", prefix, 6),
        OSSL_PARAM_octet_string("label", label, 12),
        OSSL_PARAM_octet_string("data", secret, len),
        OSSL_PARAM_END
    };

    snprintf(hash, sizeof(hash), "%s", s->op->hash);
    EVP_KDF_free(kdf);
    ok = EVP_KDF_derive(ctx, out, len, params);
    EVP_KDF_CTX_free(ctx);
    return ok;
}

static int operate(struct side *s)
{
    unsigned char out[1024];
    size_t len = sizeof(out);
    int ok = 0;

    switch (s->op->what) {
    case SIGN:
    case VERIFY: {
        EVP_MD_CTX *md = EVP_MD_CTX_new();

        ok = init(md, s, s->op->what == SIGN);
        if (ok == 1)
            ok = s->op->what == SIGN ? EVP_DigestSign(md, out, &len, s->message, sizeof(s->message))
                                     : EVP_DigestVerify(md, s->sig, s->sig_len, s->message, sizeof(s->message));
        EVP_MD_CTX_free(md);
        break;
    }
    case DECRYPT: {
        EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(s->lib, s->key, NULL);

        ok = EVP_PKEY_decrypt_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) == 1 &&
             EVP_PKEY_CTX_set_rsa_oaep_md_name(ctx, s->op->hash, NULL) == 1 &&
             EVP_PKEY_decrypt(ctx, out, &len, s->sig, s->sig_len) == 1;
        EVP_PKEY_CTX_free(ctx);
        break;
    }
    case DERIVE: {
        EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(s->lib, s->key, NULL);
        EVP_PKEY *peer = EVP_PKEY_new();

        ok = EVP_PKEY_copy_parameters(peer, s->key) == 1 && EVP_PKEY_set1_encoded_public_key(peer, s->peer, s->peer_len) == 1 &&
             EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, peer) == 1 && EVP_PKEY_derive(ctx, out, &len) == 1;
        EVP_PKEY_CTX_free(ctx);
        EVP_PKEY_free(peer);
        break;
    }
    case GENERATE: {
        EVP_PKEY *key = new_key(s->op, s->lib);

        ok = key != NULL;
        EVP_PKEY_free(key);
        break;
    }
    case EXPAND: ok = expand(s); break;
    case MAC: {
        const size_t hash_len = strcmp(s->op->hash, "SHA256") == 0 ? 32 : 48;

        memset(out, 1, sizeof(out));
        ok = EVP_Q_mac(s->lib, "HMAC", NULL, s->op->hash, NULL, out, hash_len, out + 64, hash_len, out + 128, 64, &len) != NULL;
        break;
    }
    }
    return ok == 1;
}

static int in_job(void *arg)
{
    return operate(*(struct side **)arg);
}

/* So many operations in so many jobs; each is resumed in turn until it's done. */
static void in_jobs(struct side *s, int count, int num_jobs)
{
    static ASYNC_WAIT_CTX *wait[MAX_JOBS];
    ASYNC_JOB *job[MAX_JOBS] = { NULL };
    int left = count, running = 0;
    bool busy[MAX_JOBS] = { false };

    while (left || running)
        for (int i = 0; i < num_jobs; i++) {
            int ret = 0;

            if (!busy[i] && !left)
                continue;
            if (!wait[i])
                wait[i] = ASYNC_WAIT_CTX_new();
            if (!busy[i]) {
                left--;
                running++;
                busy[i] = true;
            }
            switch (ASYNC_start_job(&job[i], wait[i], &ret, in_job, &s, sizeof(s))) {
            case ASYNC_PAUSE: break;
            case ASYNC_FINISH:
                must(ret, s->op->name);
                busy[i] = false;
                running--;
                break;
            default: die("a job");
            }
        }
}

/* Nanoseconds for each of so many; num_jobs 0: no jobs. */
static double slice(struct side *s, int count, int num_jobs)
{
    double start = now_ns();

    if (num_jobs)
        in_jobs(s, count, num_jobs);
    else
        for (int i = 0; i < count; i++)
            must(operate(s), s->op->name);
    return (now_ns() - start) / count;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static const int jobs[] = { 0, 8, 64 };
    OSSL_LIB_CTX *stock = OSSL_LIB_CTX_new(), *ours = OSSL_LIB_CTX_new();

    if (argc != 2) {
        fputs("usage: openssl_public CONF\n", stderr);
        return 2;
    }
    must(OSSL_PROVIDER_load(stock, "default") && OSSL_LIB_CTX_load_config(ours, argv[1]), argv[1]);
    printf("%s; microseconds by the default provider, and lanecrypt's time divided by that\n\n", OpenSSL_version(OPENSSL_VERSION));
    puts("| | default, us | alone | 8 jobs | 64 jobs |\n| --- | --- | --- | --- | --- |");
    for (size_t o = 0; o < sizeof(operations) / sizeof(*operations); o++) {
        struct side s[2] = { { .lib = stock, .op = &operations[o] }, { .lib = ours, .op = &operations[o] } };
        double default_ns = 0;

        s[0].key = new_key(s[0].op, stock);
        must(s[0].key, "a new key");
        if (s[0].op->what == DERIVE) { /* such keys are new for each handshake; others come from files */
            s[1].key = new_key(s[1].op, ours);
            must(s[1].key, "a new key");
            for (int i = 0; i < 2; i++)
                s[i].peer_len = EVP_PKEY_get1_encoded_public_key(s[0].key, &s[i].peer);
        } else {
            s[1].key = copy_key(s[0].key, ours);
        }
        for (int i = 0; i < 2 && s[0].op->what == VERIFY; i++) {
            EVP_MD_CTX *md = EVP_MD_CTX_new();

            s[i].sig_len = sizeof(s[i].sig);
            must(init(md, &s[i], true) == 1 && EVP_DigestSign(md, s[i].sig, &s[i].sig_len, s[i].message, sizeof(s[i].message)) == 1,
                 "a signature");
            EVP_MD_CTX_free(md);
        }
        for (int i = 0; i < 2 && s[0].op->what == DECRYPT; i++) {
            EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(stock, s[0].key, NULL);

            s[i].sig_len = sizeof(s[i].sig);
            must(EVP_PKEY_encrypt_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) == 1 &&
                     EVP_PKEY_CTX_set_rsa_oaep_md_name(ctx, s[0].op->hash, NULL) == 1 &&
                     EVP_PKEY_encrypt(ctx, s[i].sig, &s[i].sig_len, s[i].message, sizeof(s[i].message)) == 1,
                 "a ciphertext");
            EVP_PKEY_CTX_free(ctx);
        }
        printf("| %s |", s[0].op->name);
        for (size_t j = 0; j < sizeof(jobs) / sizeof(*jobs); j++) {
            double ratios[TURNS], all[TURNS];
            int count;

            slice(&s[1], 64, jobs[j]);
            count = (int)(SLICE_NS / slice(&s[0], 8, 0)) + 1;
            if (jobs[j])
                count = (count + jobs[j] - 1) / jobs[j] * jobs[j];
            for (int turn = 0; turn < TURNS; turn++) {
                double first = slice(&s[0], count, jobs[j]);

                ratios[turn] = slice(&s[1], count, jobs[j]) / first;
                all[turn] = first;
            }
            qsort(ratios, TURNS, sizeof(*ratios), compare);
            qsort(all, TURNS, sizeof(*all), compare);
            if (j == 0) {
                default_ns = all[TURNS / 2];
                printf(" %.1f |", default_ns / 1000);
            }
            printf(" %.2f |", ratios[TURNS / 2]);
            fflush(stdout);
        }
        puts("");
        for (int i = 0; i < 2; i++) {
            EVP_PKEY_free(s[i].key);
            OPENSSL_free(s[i].peer);
        }
    }
    return 0;
}

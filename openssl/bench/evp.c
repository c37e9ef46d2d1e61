/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * openssl_evp: what a message costs through EVP with the default provider and with lanecrypt's, in one process and in turns.
 *
 * A message is what a TLS library makes of it: init with a new iv, AAD, text, final, tag; the key is set once.  (`openssl speed`
 * sets it for each block.)  The distance between input and output is another one in each turn, as code may happen to wait where
 * addresses agree in their last 12 bits.  libcrypto is loaded at run time, so that one binary measures with any of them.
 */
#include <dlfcn.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum {
    MAX_LEN = 16384,
    AAD_LEN = 13,
    TAG_LEN = 16,
    TURNS = 41,          /* slices of each provider; odd, so that there is a median */
    PAGE = 4096,
    TURN_LEN = 1040,     /* by which the output moves: 16 bytes more than a quarter of a page */
    SLICE_NS = 200000,
    GET_TAG = 0x10,      /* EVP_CTRL_AEAD_... */
    SET_TAG = 0x11
};

static const struct cipher {
    const char *name;
    int key_len, iv_len;
    bool is_aead;
} ciphers[] = {
    { "AES-128-GCM", 16, 12, true },       { "AES-192-GCM", 24, 12, true },  { "AES-256-GCM", 32, 12, true },
    { "AES-128-CTR", 16, 16, false },      { "AES-192-CTR", 24, 16, false }, { "AES-256-CTR", 32, 16, false },
    { "AES-128-XTS", 32, 16, false },      { "AES-256-XTS", 64, 16, false }, { "ChaCha20", 32, 16, false },
    { "ChaCha20-Poly1305", 32, 12, true },
};
static const int sizes[] = { 16, 64, 256, 512, 1024, 1420, 4096, 8192, 16384 };
enum { NUM_CIPHERS = sizeof(ciphers) / sizeof(*ciphers), NUM_SIZES = sizeof(sizes) / sizeof(*sizes) };

/* libcrypto's functions, the same in OpenSSL 3 and 4 */
static struct {
    void *(*lib_ctx_new)(void);
    int (*set_search_path)(void *lib_ctx, const char *path);
    void *(*provider_load)(void *lib_ctx, const char *name);
    void *(*fetch)(void *lib_ctx, const char *name, const char *properties);
    void *(*ctx_new)(void);
    void (*ctx_free)(void *ctx);
    int (*init)(void *ctx, const void *cipher, void *engine, const unsigned char *key, const unsigned char *iv, int encrypt);
    int (*update)(void *ctx, unsigned char *out, int *out_len, const unsigned char *in, int in_len);
    int (*final)(void *ctx, unsigned char *out, int *out_len);
    int (*ctrl)(void *ctx, int what, int arg, void *p);
    const char *(*version)(int what);
} crypto;

static _Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "openssl_evp: %s: %s\n", what, why);
    exit(2);
}

static void load_libcrypto(const char *path)
{
    static const struct {
        const char *name;
        void *function;
    } functions[] = {
        { "OSSL_LIB_CTX_new", &crypto.lib_ctx_new },     { "OSSL_PROVIDER_set_default_search_path", &crypto.set_search_path },
        { "OSSL_PROVIDER_load", &crypto.provider_load }, { "EVP_CIPHER_fetch", &crypto.fetch },
        { "EVP_CIPHER_CTX_new", &crypto.ctx_new },       { "EVP_CIPHER_CTX_free", &crypto.ctx_free },
        { "EVP_CipherInit_ex", &crypto.init },           { "EVP_CipherUpdate", &crypto.update },
        { "EVP_CipherFinal_ex", &crypto.final },         { "EVP_CIPHER_CTX_ctrl", &crypto.ctrl },
        { "OpenSSL_version", &crypto.version },
    };
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!lib)
        die(path, dlerror());
    for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
        void *symbol = dlsym(lib, functions[i].name);

        if (!symbol)
            die(path, dlerror());
        memcpy(functions[i].function, &symbol, sizeof(symbol)); /* C has no conversion from void * to a function */
    }
}

/* One provider's context and what belongs to its messages */
struct side {
    void *ctx;
    const struct cipher *cipher;
    bool encrypt;
    int len, piece_len;
    unsigned char iv[16], aad[AAD_LEN], tag[TAG_LEN], *in, *out;
};

static bool text(const struct side *s)
{
    int n;

    for (int done = 0; done < s->len; done += s->piece_len)
        if (crypto.update(s->ctx, s->out + done, &n, s->in + done, s->len - done < s->piece_len ? s->len - done : s->piece_len) !=
            1)
            return false;
    return true;
}

static bool message(struct side *s)
{
    int n;

    if (crypto.init(s->ctx, NULL, NULL, NULL, s->iv, -1) != 1)
        return false;
    if (!s->cipher->is_aead)
        return text(s) && crypto.final(s->ctx, s->out + s->len, &n) == 1;
    return (s->encrypt || crypto.ctrl(s->ctx, SET_TAG, TAG_LEN, s->tag) == 1) &&
           crypto.update(s->ctx, NULL, &n, s->aad, AAD_LEN) == 1 && text(s) && crypto.final(s->ctx, s->out + s->len, &n) == 1 &&
           (!s->encrypt || crypto.ctrl(s->ctx, GET_TAG, TAG_LEN, s->tag) == 1);
}

/* Nanoseconds for a message, in a slice of so many */
static double slice(struct side *s, int count)
{
    double start = bench_now_ns();

    for (int i = 0; i < count; i++) {
        if (s->encrypt)
            s->iv[s->cipher->iv_len - 1]++; /* decryption would find the tag wrong */
        if (!message(s))
            die(s->cipher->name, "a message was refused");
    }
    return (bench_now_ns() - start) / count;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct result {
    double ns[2], ratio, low, high; /* best times; the median of the turns' ratios, and the quartiles */
};

static struct result measure(struct side sides[2])
{
    struct result r = { { 1e30, 1e30 }, 0, 0, 0 };
    double ratios[TURNS];
    unsigned char *out = sides[0].out;
    int counts[2];

    for (int i = 0; i < 2; i++) {
        slice(&sides[i], 20);
        counts[i] = 1 + (int)(SLICE_NS / slice(&sides[i], 20));
    }
    for (int turn = 0; turn < TURNS; turn++) {
        double ns[2];

        for (int i = 0; i < 2; i++) {
            int side = (turn + i) % 2; /* each begins as often */

            sides[side].out = out + turn * TURN_LEN % PAGE;
            ns[side] = slice(&sides[side], counts[side]);
            if (ns[side] < r.ns[side])
                r.ns[side] = ns[side];
        }
        ratios[turn] = ns[1] / ns[0];
    }
    qsort(ratios, TURNS, sizeof(*ratios), compare);
    r.ratio = ratios[TURNS / 2];
    r.low = ratios[TURNS / 4];
    r.high = ratios[TURNS - 1 - TURNS / 4];
    return r;
}

static void *new_ctx(void *lib_ctx, const struct cipher *cipher, const char *properties, bool encrypt)
{
    static const unsigned char key[64] = { 1, 2, 3 };
    void *fetched = crypto.fetch(lib_ctx, cipher->name, properties), *ctx = crypto.ctx_new();

    if (!fetched || !ctx || crypto.init(ctx, fetched, NULL, key, NULL, encrypt) != 1)
        die(cipher->name, properties);
    return ctx;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        { "libcrypto", required_argument, NULL, 'l' }, { "module-dir", required_argument, NULL, 'm' },
        { "cipher", required_argument, NULL, 'c' },    { "size", required_argument, NULL, 's' },
        { "pieces", required_argument, NULL, 'p' },    { NULL, 0, NULL, 0 }
    };
    const char *libcrypto = "libcrypto.so.3", *module_dir = NULL, *only_cipher = NULL;
    int only_size = 0, piece_len = MAX_LEN, slower = 0;
    unsigned char *in = malloc(MAX_LEN), *sealed = malloc(MAX_LEN + TAG_LEN), *out = malloc(MAX_LEN + TAG_LEN + PAGE);
    void *lib_ctx;

    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'l')
            libcrypto = optarg;
        else if (option == 'm')
            module_dir = optarg;
        else if (option == 'c')
            only_cipher = optarg;
        else if (option == 's')
            only_size = atoi(optarg);
        else if (option == 'p')
            piece_len = atoi(optarg);
        else
            optind = argc + 1;
    }
    if (optind != argc || !in || !sealed || !out || piece_len <= 0) {
        fprintf(stderr, "usage: openssl_evp [--libcrypto FILE] [--module-dir DIR] [--cipher NAME] [--size BYTES]\n"
                        "                   [--pieces BYTES]    the text in pieces that long; not for XTS\n");
        return 2;
    }
    load_libcrypto(libcrypto);
    lib_ctx = crypto.lib_ctx_new();
    if (!lib_ctx || (module_dir && crypto.set_search_path(lib_ctx, module_dir) != 1) || !crypto.provider_load(lib_ctx, "default"))
        die(libcrypto, "there is no default provider");
    if (!crypto.provider_load(lib_ctx, "lanecrypt"))
        die("lanecrypt", "the module can't be loaded");
    memset(in, 0x5a, MAX_LEN);

    printf("%s: nanoseconds for a message, best of %d slices; ratio: median and quartiles of slices in turns\n\n",
           crypto.version(0), TURNS);
    printf("%-18s %-8s %6s %9s %10s %7s %15s\n", "cipher", "", "bytes", "default", "lanecrypt", "ratio", "");
    for (int c = 0; c < NUM_CIPHERS; c++)
        for (int encrypt = 1; encrypt >= 0; encrypt--)
            for (int i = 0; i < NUM_SIZES; i++) {
                const struct cipher *cipher = &ciphers[c];
                struct side
                    maker = { .cipher = cipher, .encrypt = true, .len = sizes[i], .piece_len = piece_len, .in = in, .out = sealed },
                    sides[2];
                struct result r;

                if ((only_cipher && strcmp(only_cipher, cipher->name) != 0) || (only_size && only_size != sizes[i]) ||
                    (piece_len < MAX_LEN && (piece_len >= sizes[i] || strstr(cipher->name, "XTS"))))
                    continue;
                maker.ctx = new_ctx(lib_ctx, cipher, "provider=default", true);
                if (!message(&maker))
                    die(cipher->name, "a message was refused");
                crypto.ctx_free(maker.ctx);
                for (int j = 0; j < 2; j++) {
                    sides[j] = maker;
                    sides[j].encrypt = encrypt;
                    sides[j].in = encrypt ? in : sealed;
                    sides[j].out = out;
                    sides[j].ctx = new_ctx(lib_ctx, cipher, j ? "provider=lanecrypt" : "provider=default", encrypt);
                    if (!message(&sides[j]) || memcmp(out, encrypt ? sealed : in, (size_t)sizes[i]) != 0)
                        die(cipher->name, "the results differ");
                }
                r = measure(sides);
                slower += r.ratio > 1;
                printf("%-18s %-8s %6d %9.1f %10.1f %7.3f   (%.3f-%.3f)%s\n", cipher->name, encrypt ? "encrypt" : "decrypt",
                       sizes[i], r.ns[0], r.ns[1], r.ratio, r.low, r.high, r.ratio > 1 ? "  slower" : "");
                fflush(stdout);
                for (int j = 0; j < 2; j++)
                    crypto.ctx_free(sides[j].ctx);
            }
    printf("\n%d slower\n", slower);
    free(in);
    free(sealed);
    free(out);
    return slower > 0;
}

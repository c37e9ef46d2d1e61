/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt speed --alg ecdsa-p256-sign, ecdsa-p256-verify, ecdh-p256: one operation and many in a call, by every implementation,
 * and by libcrypto one after the other.
 *
 * Each operation of a call has a key of its own.  Signing makes its nonce, from additional data; libcrypto's takes a random one.
 * Before a cell is timed libcrypto has to take its signatures, or have made those that it takes, or has to have the same secrets.
 * Samples are taken as speed_cell.c says, in turn.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"
#include "speed.h"

enum {
    SAMPLES = 15,
    MAX_BATCH = 1024,
    RUN_NS = 200000,
};

static const size_t default_batches[] = { 1, 2, 8, 64 };
enum { NUM_BATCHES = sizeof(default_batches) / sizeof(default_batches[0]) };

/* ---- libcrypto: what OpenSSL has had since 1.0, so that no provider is asked ---- */

#define PRIME256V1 415

static struct {
    void *library;
    void *(*key_new)(int curve);
    void (*key_free)(void *key);
    int (*put_private)(void *key, const uint8_t *raw, size_t len);
    int (*put_public)(void *key, const uint8_t *raw, size_t len, void *ctx);
    const void *(*public_of)(const void *key);
    int (*sign)(int type, const uint8_t *digest, int digest_len, uint8_t *sig, unsigned *sig_len, void *key);
    int (*verify)(int type, const uint8_t *digest, int digest_len, const uint8_t *sig, int sig_len, void *key);
    int (*dh)(void *out, size_t len, const void *point, const void *key, void *kdf);
    const char *(*version)(int what);
} ossl;

static bool open_libcrypto(const char *path)
{
    static const struct {
        const char *name;
        size_t at;
    } functions[] = {
#define FUNCTION(name, member) { name, offsetof(__typeof__(ossl), member) }
        FUNCTION("EC_KEY_new_by_curve_name", key_new),
        FUNCTION("EC_KEY_free", key_free),
        FUNCTION("EC_KEY_oct2priv", put_private),
        FUNCTION("EC_KEY_oct2key", put_public),
        FUNCTION("EC_KEY_get0_public_key", public_of),
        FUNCTION("ECDSA_sign", sign),
        FUNCTION("ECDSA_verify", verify),
        FUNCTION("ECDH_compute_key", dh),
        FUNCTION("OpenSSL_version", version),
    };

    ossl.library = dlopen(path ? path : "libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; ossl.library && i < sizeof(functions) / sizeof(functions[0]); i++) {
        void *function = dlsym(ossl.library, functions[i].name);

        if (!function) {
            cli_error("speed: --peer %s: it has no %s()", path ? path : "libcrypto.so.3", functions[i].name);
            return false;
        }
        memcpy((char *)&ossl + functions[i].at, &function, sizeof(function));
    }
    if (!ossl.library)
        cli_error("speed: no peer: %s; use --peer PATH or --peer none", dlerror());
    return ossl.library != NULL;
}

/* ---- Data: as many as the largest call has ---- */

static struct {
    uint8_t raw[32], public_raw[65], digest[32], sig[64], secret[32], der[80];
    unsigned der_len;
    struct lc_ecdsa_p256_key sign_key;
    struct lc_ecdsa_p256_public_key public_key;
    struct lc_ecdh_p256_key dh_key;
    void *their_key, *their_public;
} *data;

static struct lc_ecdsa_p256_sign_item sign_items[MAX_BATCH];
static struct lc_ecdsa_p256_verify_item verify_items[MAX_BATCH];
static struct lc_ecdh_p256_item dh_items[MAX_BATCH];

static void free_data(void)
{
    for (size_t i = 0; data && ossl.library && i < MAX_BATCH; i++) {
        if (data[i].their_key)
            ossl.key_free(data[i].their_key);
        if (data[i].their_public)
            ossl.key_free(data[i].their_public);
    }
    free(data);
}

static bool make_data(void)
{
    bool ok = true;

    data = calloc(MAX_BATCH, sizeof(*data));
    if (!data) {
        cli_error("speed: out of memory");
        return false;
    }
    for (size_t i = 0; ok && i < MAX_BATCH; i++) {
        for (size_t k = 0; k < 32; k++) {
            data[i].raw[k] = (uint8_t)(i * 37 + (i >> 8) + k * 131 + 1);
            data[i].digest[k] = (uint8_t)(i * 11 + k * k);
        }
        ok = lc_ecdsa_p256_init(&data[i].sign_key, data[i].raw, 32) == LC_OK;
        lc_ecdsa_p256_get_public(&data[i].sign_key, data[i].public_raw);
        if (!ossl.library) {
            ok = ok && lc_ecdsa_p256_sign(&data[i].sign_key, data[i].sig, data[i].digest, 32) == LC_OK;
            continue;
        }
        data[i].their_key = ossl.key_new(PRIME256V1);
        data[i].their_public = ossl.key_new(PRIME256V1);
        ok = ok && data[i].their_key && data[i].their_public && ossl.put_private(data[i].their_key, data[i].raw, 32) == 1;
        ok = ok && ossl.put_public(data[i].their_public, data[i].public_raw, 65, NULL) == 1;
        ok = ok && ossl.sign(0, data[i].digest, 32, data[i].der, &data[i].der_len, data[i].their_key) == 1;
        ok = ok && lc_ecdsa_p256_from_der(data[i].sig, data[i].der, data[i].der_len) == LC_OK;
    }
    if (!ok)
        cli_error("speed: keys or signatures can't be made");
    return ok;
}

/* The keys of that implementation */
static bool make_items(const char *ecdsa_impl, const char *ecdh_impl)
{
    for (size_t i = 0; i < MAX_BATCH; i++) {
        const size_t other = (i + 1) % MAX_BATCH;

        if (lc_ecdsa_p256_init_impl(&data[i].sign_key, ecdsa_impl, data[i].raw, 32) != LC_OK ||
            lc_ecdsa_p256_public_init_impl(&data[i].public_key, ecdsa_impl, data[i].public_raw, 65) != LC_OK ||
            lc_ecdh_p256_init_impl(&data[i].dh_key, ecdh_impl, data[i].raw, 32) != LC_OK)
            return false;
        sign_items[i] = (struct lc_ecdsa_p256_sign_item){ &data[i].sign_key, data[i].sig, data[i].digest, 32, data[i].raw, 32, 0 };
        verify_items[i] = (struct lc_ecdsa_p256_verify_item){ &data[i].public_key, data[i].sig, data[i].digest, 32, 0 };
        dh_items[i] = (struct lc_ecdh_p256_item){ &data[i].dh_key, data[i].secret, data[other].public_raw, 65, 0 };
    }
    return true;
}

/* ---- What is timed ---- */

static bool sign_ours(size_t num)
{
    return lc_ecdsa_p256_sign_many_with(sign_items, num) == LC_OK;
}

static bool sign_theirs(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= ossl.sign(0, data[i].digest, 32, data[i].der, &data[i].der_len, data[i].their_key) == 1;
    return ok;
}

static bool check_signatures(size_t num)
{
    for (size_t i = 0; i < num; i++) {
        uint8_t der[LC_ECDSA_P256_MAX_DER_LEN];
        size_t len = lc_ecdsa_p256_to_der(der, data[i].sig);

        if (ossl.library ? ossl.verify(0, data[i].digest, 32, der, (int)len, data[i].their_public) != 1
                         : lc_ecdsa_p256_verify(&data[i].public_key, data[i].sig, data[i].digest, 32) != LC_OK)
            return false;
    }
    return true;
}

static bool verify_ours(size_t num)
{
    return lc_ecdsa_p256_verify_many(verify_items, num) == LC_OK;
}

static bool verify_theirs(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= ossl.verify(0, data[i].digest, 32, data[i].der, (int)data[i].der_len, data[i].their_public) == 1;
    return ok;
}

/* Those that were taken are libcrypto's; with a bit changed none is. */
static bool check_refusal(size_t num)
{
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        data[i].sig[i % 64] ^= 1;
    ok = lc_ecdsa_p256_verify_many(verify_items, num) == LC_ERR_SIGNATURE;
    for (size_t i = 0; i < num; i++) {
        ok &= verify_items[i].status == LC_ERR_SIGNATURE;
        data[i].sig[i % 64] ^= 1;
    }
    return ok;
}

static bool dh_ours(size_t num)
{
    return lc_ecdh_p256_many(dh_items, num) == LC_OK;
}

static bool dh_theirs(size_t num)
{
    uint8_t secret[32];
    bool ok = true;

    for (size_t i = 0; i < num; i++)
        ok &= ossl.dh(secret, 32, ossl.public_of(data[(i + 1) % MAX_BATCH].their_public), data[i].their_key, NULL) == 32;
    return ok;
}

static bool check_secrets(size_t num)
{
    uint8_t secret[32];

    for (size_t i = 0; ossl.library && i < num; i++)
        if (ossl.dh(secret, 32, ossl.public_of(data[(i + 1) % MAX_BATCH].their_public), data[i].their_key, NULL) != 32 ||
            memcmp(secret, data[i].secret, 32) != 0)
            return false;
    return true;
}

static const struct p256_alg {
    const char *name, *mode;
    bool (*ours)(size_t num), (*theirs)(size_t num), (*check)(size_t num);
} algs[] = {
    { "ecdsa-p256-sign", "ecdsa-p256", sign_ours, sign_theirs, check_signatures },
    { "ecdsa-p256-verify", "ecdsa-p256", verify_ours, verify_theirs, check_refusal },
    { "ecdh-p256", "ecdh-p256", dh_ours, dh_theirs, check_secrets },
};
enum { NUM_P256 = sizeof(algs) / sizeof(algs[0]) };

int speed_p256_alg(const char *name)
{
    for (int a = 0; a < NUM_P256; a++)
        if (strcmp(name, algs[a].name) == 0)
            return a;
    return -1;
}

/* ---- Times ---- */

static double time_run(bool (*run)(size_t), size_t num, size_t repeats)
{
    double start;
    bool ok = run(num);

    start = bench_now_ns();
    for (size_t i = 0; i < repeats; i++)
        ok &= run(num);
    if (!ok)
        abort(); /* it took the call that was checked */
    return (bench_now_ns() - start) / (double)repeats;
}

static void time_cell(const struct p256_alg *alg, size_t num, struct result *r, double *best_ghz)
{
    double ours[SAMPLES], theirs[SAMPLES], ratios[SAMPLES], ghz = 0, peer_ns = INFINITY;
    size_t repeats = (size_t)(RUN_NS / time_run(alg->ours, num, 1)) + 1;
    size_t peer_repeats = ossl.library ? (size_t)(RUN_NS / time_run(alg->theirs, num, 1)) + 1 : 0;

    for (int s = 0; s < SAMPLES; s++) {
        ghz = fmax(ghz, bench_ghz());
        ours[s] = time_run(alg->ours, num, repeats);
        theirs[s] = ossl.library ? time_run(alg->theirs, num, peer_repeats) : 0;
        ratios[s] = theirs[s] / ours[s];
        peer_ns = fmin(peer_ns, theirs[s]);
    }
    r->ns_median = quantile(ours, SAMPLES, 0.5);
    r->ns = ours[0]; /* sorted now */
    r->cycles = r->ns * ghz;
    r->ratio = quantile(ratios, SAMPLES, 0.5);
    r->peer_ns = peer_ns;
    *best_ghz = fmax(*best_ghz, ghz);
}

struct cell_result {
    const struct p256_alg *alg;
    char impl[40];
    size_t batch;
    struct result r;
};

static bool time_all(const struct p256_options *o, struct cell_result *cells, size_t *num_cells, double *ghz)
{
    const size_t num_batches = o->batch ? 1 : NUM_BATCHES;

    for (size_t a = 0; a < NUM_P256; a++) {
        struct lc_impl_info info;

        for (size_t i = 0; o->alg[a] && lc_impl_get(algs[a].mode, i, &info) == LC_OK; i++) {
            char ecdsa[40], ecdh[40];
            const char *features = info.name + strlen(algs[a].mode);

            if (!info.runs_here || (o->impl && strcmp(o->impl, info.name) != 0))
                continue;
            snprintf(ecdsa, sizeof(ecdsa), "ecdsa-p256%s", features);
            snprintf(ecdh, sizeof(ecdh), "ecdh-p256%s", features);
            if (!make_items(ecdsa, ecdh))
                abort(); /* each row has both */
            for (size_t b = 0; b < num_batches; b++) {
                struct cell_result *cell = &cells[(*num_cells)++];

                cell->alg = &algs[a];
                cell->batch = o->batch ? o->batch : default_batches[b];
                memcpy(cell->impl, a == 2 ? ecdh : ecdsa, sizeof(cell->impl));
                if (!algs[a].ours(cell->batch) || !algs[a].check(cell->batch)) {
                    cli_error("speed: %s x %zu: %s and %s differ", algs[a].name, cell->batch, cell->impl,
                              ossl.library ? "libcrypto" : "what is right");
                    return false;
                }
                time_cell(&algs[a], cell->batch, &cell->r, ghz);
                /* libcrypto's signatures again, for what comes next */
                for (size_t k = 0; ossl.library && k < MAX_BATCH; k++)
                    if (lc_ecdsa_p256_from_der(data[k].sig, data[k].der, data[k].der_len) != LC_OK)
                        return false;
            }
        }
    }
    return true;
}

/* ---- Reports ---- */

static void print_cells(const struct cell_result *cells, size_t num)
{
    const char *version = ossl.library ? ossl.version(0) : "none";

    printf("\ncycles and microseconds of an operation; x: how many times the time of one by the peer, %s\n", version);
    printf("%-20s %-28s %6s %10s %10s %8s\n", "", "", "batch", "cycles", "us", "x");
    for (const struct cell_result *c = cells; c < cells + num; c++) {
        double n = (double)c->batch;

        printf("%-20s %-28s %6zu %10.0f %10.2f", c->alg->name, c->impl, c->batch, c->r.cycles / n, c->r.ns / n / 1000);
        if (ossl.library)
            printf(" %8.2f", c->r.ratio);
        putchar('\n');
    }
}

static json_t *rows_of(const struct cell_result *cells, size_t num)
{
    json_t *rows = json_array();

    for (const struct cell_result *c = cells; c < cells + num; c++) {
        json_t *peers = json_array();

        if (ossl.library)
            json_array_append_new(peers, json_pack("{s:s, s:s, s:f, s:f}", "name", "libcrypto", "version", ossl.version(0), "ns",
                                                   c->r.peer_ns, "ratio", c->r.ratio));
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:I, s:I, s:b, s:f, s:f, s:f, s:o}", "alg", c->alg->name, "op",
                                              c->alg->mode, "impl", c->impl, "size", (json_int_t)32, "batch", (json_int_t)c->batch,
                                              "cold", 0, "ns", c->r.ns, "ns_median", c->r.ns_median, "cycles", c->r.cycles, "peers",
                                              peers));
    }
    return rows;
}

bool speed_p256(const struct p256_options *o)
{
    struct cell_result cells[NUM_P256 * MAX_IMPLS * NUM_BATCHES];
    size_t num = 0;
    double ghz = 0;
    bool ok = ((o->peer_path && strcmp(o->peer_path, "none") == 0) || open_libcrypto(o->peer_path)) && make_data() &&
              time_all(o, cells, &num, &ghz);

    if (ok && !(o->json_path && strcmp(o->json_path, "-") == 0)) {
        print_header(ghz, NULL);
        print_cells(cells, num);
    }
    if (ok && o->json_path) {
        json_t *root = report_head(ghz);

        json_object_set_new(root, "rows", rows_of(cells, num));
        ok = write_json(root);
    }
    free_data();
    if (ossl.library)
        dlclose(ossl.library);
    return ok;
}

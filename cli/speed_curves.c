/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt speed --alg ecdsa-p256-sign, ecdh-p256, sm2-sign, x25519, ed25519-sign, rsa-2048-sign and so on: one operation and many
 * in a call, by every implementation, and by libcrypto one after the other.
 *
 * Each operation of a call has a key of its own, but for RSA.  ECDSA and SM2 make their nonce, from additional data; libcrypto's
 * takes a random one.  Before a cell is timed libcrypto has to take its signatures, or have made those that it takes, or has to
 * have the same secrets. Samples are taken as speed_cell.c says, in turn.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lanecrypt/cpu.h"
#include "speed_curves.h"

enum {
    SAMPLES = 15,
    RUN_NS = 200000,
};

static const size_t default_batches[] = { 1, 2, 8, 64 };
enum { NUM_BATCHES = sizeof(default_batches) / sizeof(default_batches[0]) };

/* ---- libcrypto: what OpenSSL has had since 1.0, so that no provider is asked but for SM2 ---- */

struct speed_ossl speed_ossl;

static bool open_libcrypto(const char *path)
{
    static const struct {
        const char *name;
        size_t at;
    } functions[] = {
#define FUNCTION(name, member) { name, offsetof(struct speed_ossl, member) }
        FUNCTION("EC_KEY_new_by_curve_name", key_new),
        FUNCTION("EC_KEY_free", key_free),
        FUNCTION("EC_KEY_oct2priv", put_private),
        FUNCTION("EC_KEY_oct2key", put_public),
        FUNCTION("EC_KEY_get0_public_key", public_of),
        FUNCTION("ECDSA_sign", sign),
        FUNCTION("ECDSA_verify", verify),
        FUNCTION("ECDH_compute_key", dh),
        FUNCTION("OpenSSL_version", version),
        FUNCTION("EVP_PKEY_new", pkey_new),
        FUNCTION("EVP_PKEY_free", pkey_free),
        FUNCTION("EVP_PKEY_set1_EC_KEY", pkey_set_key),
        FUNCTION("EVP_PKEY_CTX_new", ctx_new),
        FUNCTION("EVP_PKEY_CTX_free", ctx_free),
        FUNCTION("EVP_PKEY_sign_init", sign_init),
        FUNCTION("EVP_PKEY_sign", pkey_sign),
        FUNCTION("EVP_PKEY_verify_init", verify_init),
        FUNCTION("EVP_PKEY_verify", pkey_verify),
        FUNCTION("d2i_AutoPrivateKey", decode_private),
        FUNCTION("EVP_PKEY_CTX_ctrl_str", ctx_set),
        FUNCTION("EVP_PKEY_encrypt_init", encrypt_init),
        FUNCTION("EVP_PKEY_encrypt", pkey_encrypt),
        FUNCTION("EVP_PKEY_decrypt_init", decrypt_init),
        FUNCTION("EVP_PKEY_decrypt", pkey_decrypt),
    };

    speed_ossl.library = dlopen(path ? path : "libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; speed_ossl.library && i < sizeof(functions) / sizeof(functions[0]); i++) {
        void *function = dlsym(speed_ossl.library, functions[i].name);

        if (!function) {
            cli_error("speed: --peer %s: it has no %s()", path ? path : "libcrypto.so.3", functions[i].name);
            return false;
        }
        memcpy((char *)&speed_ossl + functions[i].at, &function, sizeof(function));
    }
    if (!speed_ossl.library)
        cli_error("speed: no peer: %s; use --peer PATH or --peer none", dlerror());
    return speed_ossl.library != NULL;
}

/* ---- What is timed ---- */

static const struct speed_curve *const curves[NUM_CURVES] = { &speed_p256, &speed_p384, &speed_sm2, &speed_25519, &speed_rsa };

bool speed_curves_choose(struct curve_options *o, const char *name)
{
    for (size_t c = 0; c < NUM_CURVES; c++)
        for (size_t a = 0; a < MAX_CURVE_ALGS; a++)
            if (curves[c]->algs[a].name && strcmp(name, curves[c]->algs[a].name) == 0)
                return o->alg[c][a] = true;
    return false;
}

bool speed_curves_any(const struct curve_options *o)
{
    for (size_t c = 0; c < NUM_CURVES; c++)
        for (size_t a = 0; a < MAX_CURVE_ALGS; a++)
            if (o->alg[c][a])
                return true;
    return false;
}

bool speed_curves_have(const struct curve_options *o, const char *impl)
{
    struct lc_impl_info info;

    for (size_t c = 0; c < NUM_CURVES; c++)
        for (size_t a = 0; a < MAX_CURVE_ALGS; a++)
            for (size_t i = 0; o->alg[c][a] && lc_impl_get(curves[c]->algs[a].mode, i, &info) == LC_OK; i++)
                if (strcmp(info.name, impl) == 0)
                    return info.runs_here;
    return false;
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

static void time_cell(const struct curve_alg *alg, size_t num, struct result *r, double *best_ghz)
{
    double ours[SAMPLES], theirs[SAMPLES], ratios[SAMPLES], ghz = 0, peer_ns = INFINITY;
    size_t repeats = (size_t)(RUN_NS / time_run(alg->ours, num, 1)) + 1;
    size_t peer_repeats = speed_ossl.library ? (size_t)(RUN_NS / time_run(alg->theirs, num, 1)) + 1 : 0;

    for (int s = 0; s < SAMPLES; s++) {
        ghz = fmax(ghz, bench_ghz());
        ours[s] = time_run(alg->ours, num, repeats);
        theirs[s] = speed_ossl.library ? time_run(alg->theirs, num, peer_repeats) : 0;
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
    const struct curve_alg *alg;
    char impl[40];
    size_t batch;
    struct result r;
};

/* All implementations of one algorithm */
static bool time_alg(const struct curve_options *o, const struct speed_curve *curve, const struct curve_alg *alg,
                     struct cell_result *cells, size_t *num_cells, double *ghz)
{
    const size_t num_batches = o->batch ? 1 : NUM_BATCHES;
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get(alg->mode, i, &info) == LC_OK; i++) {
        if (!info.runs_here || (o->impl && strcmp(o->impl, info.name) != 0))
            continue;
        if (!curve->make_items(info.name + strlen(alg->mode)))
            abort(); /* each row has all */
        if (alg->has && !alg->has())
            continue;
        for (size_t b = 0; b < num_batches; b++) {
            struct cell_result *cell = &cells[(*num_cells)++];

            cell->alg = alg;
            cell->batch = o->batch ? o->batch : default_batches[b];
            snprintf(cell->impl, sizeof(cell->impl), "%s", info.name);
            if (!alg->ours(cell->batch) || !alg->check(cell->batch)) {
                cli_error("speed: %s x %zu: %s and %s differ", alg->name, cell->batch, cell->impl,
                          speed_ossl.library ? "libcrypto" : "what is right");
                return false;
            }
            time_cell(alg, cell->batch, &cell->r, ghz);
            if (!curve->restore())
                return false;
        }
    }
    return true;
}

static bool time_all(const struct curve_options *o, struct cell_result *cells, size_t *num_cells, double *ghz)
{
    bool ok = true;

    for (size_t c = 0; ok && c < NUM_CURVES; c++) {
        bool has_data = false;

        for (size_t a = 0; ok && a < MAX_CURVE_ALGS; a++) {
            if (!o->alg[c][a])
                continue;
            ok = has_data = has_data || curves[c]->make_data();
            ok = ok && time_alg(o, curves[c], &curves[c]->algs[a], cells, num_cells, ghz);
        }
        curves[c]->free_data();
    }
    return ok;
}

/* ---- Reports ---- */

static void print_cells(const struct cell_result *cells, size_t num)
{
    const char *version = speed_ossl.library ? speed_ossl.version(0) : "none";

    printf("\ncycles and microseconds of an operation; x: how many times the time of one by the peer, %s\n", version);
    printf("%-26s %-34s %6s %10s %10s %8s\n", "", "", "batch", "cycles", "us", "x");
    for (const struct cell_result *c = cells; c < cells + num; c++) {
        double n = (double)c->batch;

        printf("%-26s %-34s %6zu %10.0f %10.2f", c->alg->name, c->impl, c->batch, c->r.cycles / n, c->r.ns / n / 1000);
        if (speed_ossl.library)
            printf(" %8.2f", c->r.ratio);
        putchar('\n');
    }
}

static json_t *rows_of(const struct cell_result *cells, size_t num)
{
    json_t *rows = json_array();

    for (const struct cell_result *c = cells; c < cells + num; c++) {
        json_t *peers = json_array();

        if (speed_ossl.library)
            json_array_append_new(peers, json_pack("{s:s, s:s, s:f, s:f}", "name", "libcrypto", "version", speed_ossl.version(0),
                                                   "ns", c->r.peer_ns, "ratio", c->r.ratio));
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:I, s:I, s:b, s:f, s:f, s:f, s:o}", "alg", c->alg->name, "op",
                                              c->alg->mode, "impl", c->impl, "size", (json_int_t)32, "batch", (json_int_t)c->batch,
                                              "cold", 0, "ns", c->r.ns, "ns_median", c->r.ns_median, "cycles", c->r.cycles, "peers",
                                              peers));
    }
    return rows;
}

bool speed_curves(const struct curve_options *o)
{
    static struct cell_result cells[NUM_CURVES * MAX_CURVE_ALGS * MAX_IMPLS * NUM_BATCHES];
    size_t num = 0;
    double ghz = 0;
    bool ok =
        ((o->peer_path && strcmp(o->peer_path, "none") == 0) || open_libcrypto(o->peer_path)) && time_all(o, cells, &num, &ghz);

    if (ok && num == 0) {
        cli_error("speed: pools and prepared keys are of no use for the implementations that were chosen or that run here");
        ok = false;
    }
    if (ok && !(o->json_path && strcmp(o->json_path, "-") == 0)) {
        print_header(ghz, NULL);
        print_cells(cells, num);
    }
    if (ok) {
        json_t *root = report_head(ghz);

        json_object_set_new(root, "rows", rows_of(cells, num));
        ok = write_json(root);
    }
    if (speed_ossl.library)
        dlclose(speed_ossl.library);
    return ok;
}

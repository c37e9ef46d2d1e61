/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How `lanecrypt speed` measures.
 *
 * Machines are shared and clocks wander, so a single time says nothing.  Each cell is sampled many times in short runs,
 * the clock, all implementations and the peer in turn (A B C A B C), so that they can be compared with each other; reported are the
 * best run (what the code can do), in cycles of the best clock seen beside it, and the median of the ratios to the peer (how they
 * compare under the same conditions).
 *
 * Before a cell is timed its result is compared with the peer's byte for byte.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "speed.h"

enum {
    SAMPLES = 41,
    COLD_SAMPLES = 9,
    RUN_NS = 20000,      /* a run: long against the clock's resolution, short against a time slice */
    CURVE_PASSES = 25,   /* over all sizes */
    CURVE_RUN_NS = 8000,
    CURVE_ROUNDS = 5,    /* of passes, as long as there is a step that looks like a cliff */
    CURVE_MIN_ROUNDS = 2,
};

static cell_run *run_ours(const struct cell *c)
{
    return c->size.batch > 1 ? c->alg->mode->run_batch[c->op] : c->alg->mode->run[c->op];
}

bool cell_prepare(struct cell *c)
{
    return !c->alg->mode->prepare || c->alg->mode->prepare(c);
}

void cell_release(struct cell *c)
{
    free(c->tags);
    free(c->nonces);
    free(c->items);
}

bool cell_check(struct cell *c, const char *impl, const uint8_t *raw)
{
    const struct speed_mode *mode = c->alg->mode;
    size_t len = c->size.len * c->size.batch, tags_len = c->num_tags * sizeof(*c->tags);
    uint8_t *ours = malloc(len + tags_len + 1);
    union speed_key portable;
    struct cell other = *c;
    bool ok;

    if (!ours) {
        cli_error("speed: out of memory");
        return false;
    }
    other.key = &portable;
    memset(c->dst, 0, len); /* which a MAC leaves alone */
    ok = mode->init(&portable, mode->portable, raw, c->alg->raw_len) == LC_OK && run_ours(c)(c, 7);
    memcpy(ours, c->dst, len);
    memset(c->dst, 0, len);
    if (tags_len) {
        memcpy(ours + len, c->tags, tags_len);
        if (c->op == SEAL || mode->one_op)
            memset(c->tags, 0, tags_len);
    }
    ok = ok && (c->peer ? mode->run_peer : run_ours(c))(&other, 7);
    ok = ok && memcmp(ours, c->dst, len) == 0 && (!tags_len || memcmp(ours + len, c->tags, tags_len) == 0);
    free(ours);
    if (!ok)
        cli_error("speed: %s, %s, %zu bytes x %zu: %s and %s differ", c->alg->name, op_title(c->alg, c->op), c->size.len,
                  c->size.batch, impl, c->peer ? "the peer" : "the portable implementation");
    return ok;
}

/*
 * Time of a call, from a run of several after one that isn't counted, as it finds the caches and branch predictors as other code
 * has left them; cold: of one call after everything has left the caches.
 */
static double time_run(cell_run *run, const struct cell *c, uint64_t repeats, bool cold)
{
    double start;
    bool ok = true;

    if (cold) {
        bench_flush_code();
        bench_flush_data(c->src, c->size.len * c->size.batch);
        bench_flush_data(c->dst, c->size.len * c->size.batch);
        bench_flush_data(c->key, sizeof(*c->key));
        repeats = 1;
    } else {
        ok &= run(c, 0);
    }
    start = bench_now_ns();
    for (uint64_t i = 0; i < repeats; i++)
        ok &= run(c, i);
    if (!ok)
        abort(); /* it took the call that was checked */
    return (bench_now_ns() - start) / (double)repeats;
}

/*
 * How many calls take that long; at least so many, but only one where that takes very long.  An interruption must not make it too
 * few: that would time the clock.
 */
static uint64_t repeats_for(cell_run *run, const struct cell *c, double run_ns, uint64_t at_least)
{
    double ns = INFINITY;

    for (int turn = 0; turn < 3; turn++)
        ns = fmin(ns, time_run(run, c, 1, false));
    for (int turn = 0; turn < 3 && ns < 10 * run_ns; turn++)
        ns = fmin(ns, time_run(run, c, 4, false));
    return ns < 10 * run_ns ? fmax((double)at_least, run_ns / ns + 1) : 1;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double quantile(double *values, int num, double fraction)
{
    qsort(values, (size_t)num, sizeof(*values), compare_doubles);
    return values[(int)(num * fraction)];
}

void cells_time(const struct cell *cells, size_t num, bool cold, struct result *results)
{
    double ours[MAX_IMPLS][SAMPLES], ratios[MAX_IMPLS][SAMPLES], peer_ns[SAMPLES], best_ghz = 0, best_peer = INFINITY;
    cell_run *run = run_ours(&cells[0]), *run_peer = cells[0].peer ? cells[0].alg->mode->run_peer : NULL;
    uint64_t repeats[MAX_IMPLS], peer_repeats = run_peer ? repeats_for(run_peer, &cells[0], RUN_NS, 4) : 0;
    int samples = cold ? COLD_SAMPLES : SAMPLES;

    for (size_t i = 0; i < num; i++)
        repeats[i] = repeats_for(run, &cells[i], RUN_NS, 4);
    for (int s = 0; s < samples; s++) {
        best_ghz = fmax(best_ghz, bench_ghz());
        for (size_t i = 0; i < num; i++)
            ours[i][s] = time_run(run, &cells[i], repeats[i], cold);
        peer_ns[s] = run_peer ? time_run(run_peer, &cells[0], peer_repeats, cold) : 0;
        best_peer = fmin(best_peer, peer_ns[s]);
    }
    for (size_t i = 0; i < num; i++) {
        for (int s = 0; s < samples; s++)
            ratios[i][s] = peer_ns[s] / ours[i][s];
        results[i].ns_median = quantile(ours[i], samples, 0.5);
        results[i].ns = ours[i][0]; /* sorted now */
        results[i].cycles = results[i].ns * best_ghz;
        results[i].ratio = quantile(ratios[i], samples, 0.5);
        results[i].peer_ns = best_peer;
    }
}

void inits_time(const struct alg *alg, const char *const *impls, size_t num, const uint8_t *raw, struct result *results)
{
    enum { REPEATS = 20 };
    double samples[MAX_IMPLS][SAMPLES], best_ghz = 0;
    union speed_key key;

    for (int s = 0; s < SAMPLES; s++) {
        best_ghz = fmax(best_ghz, bench_ghz());
        for (size_t i = 0; i < num; i++) {
            double start = bench_now_ns();

            for (int k = 0; k < REPEATS; k++)
                if (alg->mode->init(&key, impls[i], raw, alg->raw_len) != LC_OK)
                    abort(); /* only such are in the list */
            samples[i][s] = (bench_now_ns() - start) / REPEATS;
        }
    }
    for (size_t i = 0; i < num; i++) {
        results[i].ns_median = quantile(samples[i], SAMPLES, 0.5);
        results[i].ns = samples[i][0];
        results[i].cycles = results[i].ns * best_ghz;
    }
}

/*
 * Sizes are compared with each other here, so each pass goes over all sizes of all implementations, there and back in turn: what a
 * busy machine or a change of clock does to a pass, it does to neighbouring sizes alike.  Of a size's samples the slowest of the
 * fastest fifth counts: that one wasn't disturbed, and it's no stroke of luck either.  If a step then looks like a cliff, all is
 * measured again, up to CURVE_ROUNDS times, and each size keeps its best round; a real cliff stays.
 */
void curves_time(const struct cell *cells, size_t num, size_t num_sizes, double *ns, double *ghz)
{
    static double samples[MAX_IMPLS * CURVE_POINTS][CURVE_PASSES];
    static uint64_t repeats[MAX_IMPLS * CURVE_POINTS];
    cell_run *run = run_ours(&cells[0]);
    bool cliff = true;

    for (size_t i = 0; i < num; i++) {
        ns[i] = INFINITY;
        repeats[i] = repeats_for(run, &cells[i], CURVE_RUN_NS, 1);
    }
    for (int round = 0; round < CURVE_ROUNDS && (cliff || round < CURVE_MIN_ROUNDS); round++) {
        for (int pass = 0; pass < CURVE_PASSES; pass++)
            for (size_t k = 0; k < num; k++) {
                size_t i = pass % 2 ? num - 1 - k : k;

                if (k % 64 == 0)
                    *ghz = fmax(*ghz, bench_ghz());
                samples[i][pass] = time_run(run, &cells[i], repeats[i], false);
            }
        cliff = false;
        for (size_t i = 0; i < num; i++) {
            ns[i] = fmin(ns[i], quantile(samples[i], CURVE_PASSES, 0.2));
            cliff = cliff || (i % num_sizes > 0 && (ns[i] - ns[i - 1]) * *ghz > CURVE_LIMIT);
        }
    }
}

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

bool cell_prepare(struct cell *c)
{
    bool ok = !c->alg->mode->prepare || c->alg->mode->prepare(c);

    c->m[OURS].tags = c->m[THEIRS].tags = c->tags;
    return ok;
}

/* num calls.  False if one was refused. */
static bool run(const struct cell *c, enum who who, uint64_t first, uint64_t num)
{
    const struct speed_mode *mode = c->alg->mode;
    lanecrypt_call *call = who == THEIRS ? c->peer : mode->run[c->op];
    cell_run *batch = who == THEIRS ? speed_peer_batch : mode->run_batch[c->op];
    bool ok = true;

    if (c->size.batch > 1)
        for (uint64_t i = first; i < first + num; i++)
            ok &= batch(c, i);
    else
        for (uint64_t i = first; i < first + num; i++)
            ok &= call(&c->m[who], i) != 0;
    return ok;
}

void cell_release(struct cell *c)
{
    free(c->tags);
    free(c->items);
    free(c->messages);
}

bool cell_check(struct cell *c, const char *impl, const uint8_t *raw)
{
    const struct speed_mode *mode = c->alg->mode;
    size_t len = c->size.len * c->size.batch, tags_len = c->num_tags * sizeof(*c->tags);
    uint8_t *ours = malloc(len + tags_len + 1), *dst = c->m[OURS].dst;
    union speed_key portable;
    struct cell other = *c;
    bool ok;

    if (!ours) {
        cli_error("speed: out of memory");
        return false;
    }
    other.m[OURS].key = &portable;
    memset(dst, 0, len); /* which a MAC leaves alone */
    ok = mode->init(&portable, mode->portable, raw, c->alg->raw_len) == LC_OK && run(c, OURS, 7, 1);
    memcpy(ours, dst, len);
    memset(dst, 0, len);
    if (tags_len) {
        memcpy(ours + len, c->tags, tags_len);
        if (c->op == SEAL || mode->one_op)
            memset(c->tags, 0, tags_len);
    }
    ok = ok && run(&other, c->peer ? THEIRS : OURS, 7, 1);
    ok = ok && memcmp(ours, dst, len) == 0 && (!tags_len || memcmp(ours + len, c->tags, tags_len) == 0);
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
static double time_run(const struct cell *c, enum who who, uint64_t repeats, bool cold)
{
    const struct lanecrypt_message *m = &c->m[OURS];
    double start;
    bool ok = true;

    if (cold) {
        bench_flush_code();
        bench_flush_data(m->src, c->size.len * c->size.batch);
        bench_flush_data(m->dst, c->size.len * c->size.batch);
        bench_flush_data(m->key, sizeof(union speed_key));
        repeats = 1;
    } else {
        ok &= run(c, who, 0, 1);
    }
    start = bench_now_ns();
    ok &= run(c, who, 0, repeats);
    if (!ok)
        abort(); /* it took the call that was checked */
    return (bench_now_ns() - start) / (double)repeats;
}

/*
 * How many calls take that long; at least so many, but only one where that takes very long.  An interruption must not make it too
 * few: that would time the clock.
 */
static uint64_t repeats_for(const struct cell *c, enum who who, double run_ns, uint64_t at_least)
{
    double ns = INFINITY;

    for (int turn = 0; turn < 3; turn++)
        ns = fmin(ns, time_run(c, who, 1, false));
    for (int turn = 0; turn < 3 && ns < 10 * run_ns; turn++)
        ns = fmin(ns, time_run(c, who, 4, false));
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
    uint64_t repeats[MAX_IMPLS], peer_repeats = cells[0].peer ? repeats_for(&cells[0], THEIRS, RUN_NS, 4) : 0;
    int samples = cold ? COLD_SAMPLES : SAMPLES;

    for (size_t i = 0; i < num; i++)
        repeats[i] = repeats_for(&cells[i], OURS, RUN_NS, 4);
    for (int s = 0; s < samples; s++) {
        best_ghz = fmax(best_ghz, bench_ghz());
        for (size_t i = 0; i < num; i++)
            ours[i][s] = time_run(&cells[i], OURS, repeats[i], cold);
        peer_ns[s] = cells[0].peer ? time_run(&cells[0], THEIRS, peer_repeats, cold) : 0;
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
    bool cliff = true;

    for (size_t i = 0; i < num; i++) {
        ns[i] = INFINITY;
        repeats[i] = repeats_for(&cells[i], OURS, CURVE_RUN_NS, 1);
    }
    for (int round = 0; round < CURVE_ROUNDS && (cliff || round < CURVE_MIN_ROUNDS); round++) {
        for (int pass = 0; pass < CURVE_PASSES; pass++)
            for (size_t k = 0; k < num; k++) {
                size_t i = pass % 2 ? num - 1 - k : k;

                if (k % 64 == 0)
                    *ghz = fmax(*ghz, bench_ghz());
                samples[i][pass] = time_run(&cells[i], OURS, repeats[i], false);
            }
        cliff = false;
        for (size_t i = 0; i < num; i++) {
            ns[i] = fmin(ns[i], quantile(samples[i], CURVE_PASSES, 0.2));
            cliff = cliff || (i % num_sizes > 0 && (ns[i] - ns[i - 1]) * *ghz > CURVE_LIMIT);
        }
    }
}

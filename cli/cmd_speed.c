/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt speed: every implementation against the ceiling of the hardware and against a peer.
 *
 * Here are the options and the order of things; what can be timed is in speed_algs.c, how it's measured in speed_cell.c, what's
 * printed in speed_report.c.  AES rounds are no mode, and all in speed_rounds.c.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "lanecrypt/cpu.h"
#include "speed.h"

static struct results results;

/* ---- All cells, all curves ---- */

static uint8_t raw_key[64], *src, *dst;

static void show_progress(size_t done, size_t total, const char *what)
{
    static double last;

    if (!isatty(STDERR_FILENO) || bench_now_ns() - last < 1e8)
        return;
    last = bench_now_ns();
    fprintf(stderr, "\r\033[K%3zu %%  %s", 100 * done / total, what);
}

/* The buffers, for the longest call, and the key. */
static bool make_data(const struct options *o)
{
    size_t max_len = o->curve ? CURVE_POINTS * CURVE_STEP : 1;

    for (size_t a = 0; a < NUM_ALGS; a++)
        for (size_t s = 0; o->alg[a] && s < plan_of(o, a)->num_sizes; s++) {
            const struct cell_size *size = &plan_of(o, a)->sizes[s];

            max_len = size->len * size->batch > max_len ? size->len * size->batch : max_len;
        }
    src = aligned_alloc(4096, (max_len + 4095) / 4096 * 4096);
    dst = aligned_alloc(4096, (max_len + 4095) / 4096 * 4096);
    if (!src || !dst) {
        cli_error("speed: no memory for two buffers of %zu bytes", max_len);
        return false;
    }
    for (size_t i = 0; i < sizeof(raw_key); i++)
        raw_key[i] = (uint8_t)(i * 7 + 1);
    for (size_t i = 0; i < max_len; i++)
        src[i] = (uint8_t)(i * 131 + i / 251);
    speed_make_ivs();
    memset(dst, 0, max_len); /* the pages are there before anything is timed */
    return true;
}

static struct cell make_cell(size_t a, enum op op, struct cell_size size, union speed_key *key)
{
    struct cell c = { .alg = &speed_algs[a], .op = op, .size = size };

    c.m[OURS] = (struct lanecrypt_message){
        .key = key, .dst = dst, .src = src, .len = size.len, .ivs = (const uint8_t(*)[16])c.alg->mode->ivs, .iv_mask = SPEED_IVS - 1
    };
    c.m[THEIRS] = c.m[OURS];
    return c;
}

static bool prepare_and_check(struct cell *c, const char *impl)
{
    if (!cell_prepare(c)) {
        cli_error("speed: %s, %zu bytes x %zu: out of memory, or %s fails", c->alg->name, c->size.len, c->size.batch, impl);
        return false;
    }
    return cell_check(c, impl, raw_key);
}

/* One algorithm in one direction, all implementations and sizes.  keys: one for each implementation; peer: NULL, or with a key. */
static bool time_sizes(const struct options *o, size_t a, enum op op, union speed_key *keys, lanecrypt_call *peer, void *peer_key,
                       size_t *done, size_t total)
{
    const struct plan *plan = plan_of(o, a);
    bool ok = true;

    for (size_t s = 0; ok && s < plan->num_sizes; s++) {
        struct cell cells[MAX_IMPLS];
        size_t num = 0;

        show_progress((*done)++, total, speed_algs[a].name);
        for (; ok && num < plan->num_impls; num++) {
            cells[num] = make_cell(a, op, plan->sizes[s], &keys[num]);
            cells[num].peer = peer;
            cells[num].m[THEIRS].key = peer_key;
            ok = prepare_and_check(&cells[num], plan->impls[num]);
        }
        if (ok)
            cells_time(cells, num, o->cold, results.cells[a][op][s]);
        while (num-- > 0)
            cell_release(&cells[num]);
    }
    return ok;
}

static bool time_curves(const struct options *o, size_t a, enum op op, union speed_key *keys, size_t *done, size_t total)
{
    static struct cell cells[MAX_IMPLS * CURVE_POINTS];
    static double ns[MAX_IMPLS * CURVE_POINTS];
    const struct plan *plan = plan_of(o, a);
    size_t first = first_point(&speed_algs[a]), num_sizes = CURVE_POINTS - first, num = 0;
    bool ok = true;

    show_progress((*done)++, total, speed_algs[a].name);
    for (; ok && num < plan->num_impls * num_sizes; num++) {
        size_t i = num / num_sizes;

        cells[num] = make_cell(a, op, (struct cell_size){ (first + num % num_sizes) * CURVE_STEP, 1 }, &keys[i]);
        ok = prepare_and_check(&cells[num], plan->impls[i]);
    }
    if (ok)
        curves_time(cells, num, num_sizes, ns, &results.ghz);
    for (size_t i = 0; ok && i < plan->num_impls; i++)
        memcpy(&results.curves[a][op][i][first], &ns[i * num_sizes], num_sizes * sizeof(*ns));
    while (num-- > 0)
        cell_release(&cells[num]);
    return ok;
}

/* Before and after what it is the ceiling of: the best counts, so a time when the machine was busy does no harm. */
static void measure_ceiling(enum bench_unit unit)
{
    results.units[unit] = fmax(results.units[unit], bench_unit_per_ns(unit));
    results.ghz = fmax(results.ghz, bench_ghz());
}

/* Did the peer's default provider make it?  Ours timed as the peer would be a comparison with itself. */
static bool is_peers_own(const struct alg *alg, const struct lanecrypt_peer *peer, const void *key)
{
    const char *provider = key ? bench_peer_key_provider(peer, key) : NULL;

    if (!provider || strcmp(provider, "default") == 0)
        return true;
    cli_error("speed: the peer's %s comes from its provider '%s', not from its default one: give another libcrypto as --peer",
              alg->name, provider);
    return false;
}

static bool time_alg(const struct options *o, size_t a, const struct lanecrypt_peer *peer, size_t *done, size_t total)
{
    const struct alg *alg = &speed_algs[a];
    const struct plan *plan = plan_of(o, a);
    union speed_key keys[MAX_IMPLS];
    bool ok = true;

    for (size_t i = 0; i < plan->num_impls; i++)
        if (alg->mode->init(&keys[i], plan->impls[i], raw_key, alg->raw_len) != LC_OK)
            abort(); /* only such are in the list */
    if (!o->curve)
        inits_time(alg, plan->impls, plan->num_impls, raw_key, results.inits[a]);
    for (enum op op = SEAL; ok && op < NUM_OPS; op++) {
        lanecrypt_call *peer_call = NULL;
        void *peer_key = NULL;

        if (!is_timed(o, a, op))
            continue;
        measure_ceiling(alg->unit);
        if (peer)
            peer_call = peer->key_new(alg->name, raw_key, op == SEAL, &peer_key);
        if (!is_peers_own(alg, peer, peer_key))
            ok = false;
        else
            ok = o->curve ? time_curves(o, a, op, keys, done, total) : time_sizes(o, a, op, keys, peer_call, peer_key, done, total);
        if (peer_call)
            peer->key_free(peer_key);
        measure_ceiling(alg->unit);
    }
    return ok;
}

static bool time_all(const struct options *o, const struct lanecrypt_peer *peer)
{
    size_t done = 0, total = 0;
    bool ok = make_data(o);

    for (size_t a = 0; a < NUM_ALGS; a++)
        for (enum op op = SEAL; op < NUM_OPS; op++)
            total += is_timed(o, a, op) * (o->curve ? 1 : plan_of(o, a)->num_sizes);
    for (size_t a = 0; ok && a < NUM_ALGS; a++)
        if (o->alg[a])
            ok = time_alg(o, a, peer, &done, total);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    free(src);
    free(dst);
    return ok;
}

/* ---- Options ---- */

static const char help[] =
    "usage: lanecrypt speed [OPTION]...\n\n"
    "  --alg A,..       aes-N-xts, aes-N-ctr, aes-N-gcm, where N is 128, 192 or 256; chacha20, poly1305,\n"
    "                   chacha20-poly1305, sha256, sha384, sha512, sm3 (default: aes-256-xts, aes-128-ctr, aes-256-ctr,\n"
    "                   aes-128-gcm, aes-256-gcm, chacha20, poly1305, chacha20-poly1305; with --impl or --batch only\n"
    "                   those that have it);\n"
    "                   or ecdsa-C-sign, ecdsa-C-sign-pool, ecdsa-C-verify, ecdh-C, where C is p256 or p384,\n"
    "                   ecdsa-p256-verify-prepared, sm2-sign, sm2-verify, x25519, x25519-base, ed25519-sign,\n"
    "                   ed25519-verify, ed25519-verify-batch, rsa-N-sign, rsa-N-verify, rsa-N-oaep-encrypt,\n"
    "                   rsa-N-oaep-decrypt (2048, 3072, 4096), with --batch (default: 1, 2, 8 and 64 operations in a\n"
    "                   call), --impl, --peer, --json and --compare only;\n"
    "                   or aes-round, the AES rounds for emulators: no other algorithm, no options but --json, --compare\n"
    "  --size N,..      bytes of a message (xts: of a data unit, 16 or more), up to 16M (default: 16 .. 64K)\n"
    "  --batch N        xts, gcm, chacha20-poly1305, sha*, sm3: messages in one call (default: 1; without --size also some calls\n"
    "                   of 32)\n"
    "  --op seal|open   encryption or decryption only (default: both; for ctr, chacha20, poly1305 and hashes they are the\n"
    "                   same and shown once)\n"
    "  --impl NAME|all  one implementation (default: all that run here)\n"
    "  --cold           time one call after code and data were flushed from the caches\n"
    "  --curve          time calls of 0, 16, 32, .. 4096 bytes instead, and show what 16 more bytes cost at most; not with\n"
    "                   --size, --batch, --cold, --peer\n"
    "  --peer PATH      the libcrypto to compare with, or a library as bench/peer.h has it, or `none` (default: the\n"
    "                   system's libcrypto.so.3)\n"
    "  --json FILE|-    write the results as JSON\n"
    "  --html FILE      write the results as an HTML page\n"
    "  --compare FILE   then show which cells are slower or faster than in that file, which --json has written in an earlier\n"
    "                   run with the same options; by more than 3 %, and more than the noise of both; exit status 1 if one\n"
    "                   is slower; not with --curve\n\n"
    "Calls are timed one after the other.  Messages of gcm and chacha20-poly1305 have nonces of 12 bytes, 13 bytes of\n"
    "additional data and tags of 16 bytes; each message of poly1305 begins with setting its key.  Before a cell is timed, its\n"
    "results are compared byte for byte with the peer's, or with the portable implementation's if the peer has no such\n"
    "cipher and for --curve.  With --cold the peer's own context stays warm.\n";

/* What the command line says; options that weren't given are NULL, 0 or false. */
struct arguments {
    struct options *o;
    const char *impl;
    uint64_t batch;
    size_t lens[MAX_SIZES], num_lens;
    bool any_alg;
    struct curve_options curves;
};

/* The next word of a comma-separated list, or NULL; *list moves on.  The list is cut up. */
static char *next_word(char **list)
{
    return strsep(list, ",");
}

static bool parse_algs(struct arguments *args, char *list)
{
    for (char *word; (word = next_word(&list));) {
        size_t a = 0;

        args->any_alg = true;
        if (strcmp(word, "aes-round") == 0) {
            args->o->rounds = true;
            continue;
        }
        if (speed_curves_choose(&args->curves, word))
            continue;
        while (a < NUM_ALGS && strcmp(speed_algs[a].name, word) != 0)
            a++;
        if (a == NUM_ALGS) {
            cli_error("speed: --alg '%s': unknown algorithm, not aes-{128,192,256}-{xts,ctr,gcm}, chacha20, poly1305, "
                      "chacha20-poly1305, sha{256,384,512}, sm3, ecdsa-{p256,p384}-{sign,sign-pool,verify}, "
                      "ecdh-{p256,p384}, ecdsa-p256-verify-prepared, sm2-{sign,verify}, x25519, x25519-base, "
                      "ed25519-{sign,verify,verify-batch}, rsa-{2048,3072,4096}-{sign,verify} or "
                      "aes-round",
                      word);
            return false;
        }
        args->o->alg[a] = true;
    }
    return true;
}

static bool parse_sizes(struct arguments *args, char *list)
{
    for (char *word; (word = next_word(&list));) {
        uint64_t len;

        if (!cli_parse_number("--size", word, &len))
            return false;
        if (args->num_lens == MAX_SIZES) {
            cli_error("speed: --size %s: too many sizes", word);
            return false;
        }
        args->lens[args->num_lens++] = len;
    }
    return true;
}

static bool parse_batch(struct arguments *args, const char *text)
{
    if (!cli_parse_number("--batch", text, &args->batch))
        return false;
    if (args->batch < 1 || args->batch > 1 << 20) {
        cli_error("speed: --batch %s: must be 1 to 1M messages", text);
        return false;
    }
    return true;
}

static bool parse_op(struct arguments *args, const char *text)
{
    args->o->op[SEAL] = strcmp(text, "seal") == 0;
    args->o->op[OPEN] = strcmp(text, "open") == 0;
    if (!args->o->op[SEAL] && !args->o->op[OPEN])
        cli_error("speed: --op '%s': must be seal or open", text);
    return args->o->op[SEAL] || args->o->op[OPEN];
}

/* The mode that has an implementation of that name, or NULL. */
static const struct speed_mode *mode_of_impl(const char *name, bool *runs_here)
{
    struct lc_impl_info info;

    for (const struct speed_mode *mode = speed_modes; mode < speed_modes + NUM_MODES; mode++)
        for (size_t i = 0; lc_impl_get(mode->name, i, &info) == LC_OK; i++)
            if (strcmp(info.name, name) == 0) {
                *runs_here = info.runs_here;
                return mode;
            }
    return NULL;
}

/* The algorithms that are asked for, or by default those that fit the other options. */
static bool choose_algs(const struct arguments *args)
{
    const struct speed_mode *only = NULL;
    bool runs_here = true, any = false;

    if (args->impl && !(only = mode_of_impl(args->impl, &runs_here))) {
        cli_error("speed: --impl '%s': unknown implementation; see `lanecrypt list`", args->impl);
        return false;
    }
    if (!runs_here) {
        cli_error("speed: --impl %s: this CPU can't run it", args->impl);
        return false;
    }
    for (size_t a = 0; a < NUM_ALGS; a++) {
        const struct alg *alg = &speed_algs[a];
        bool other_impl = only && alg->mode != only, no_batch = args->batch > 1 && !alg->mode->run_batch[SEAL];

        if (!args->any_alg)
            args->o->alg[a] = alg->by_default && !other_impl && !no_batch;
        if (args->o->alg[a] && other_impl) {
            cli_error("speed: --impl %s: not an implementation of %s", args->impl, alg->name);
            return false;
        }
        if (args->o->alg[a] && no_batch) {
            cli_error("speed: --batch: %s has no call for many messages", alg->name);
            return false;
        }
        any = any || args->o->alg[a];
    }
    if (!any)
        cli_error("speed: --batch: %s has no call for many messages", only->name);
    return any;
}

static bool choose_sizes(const struct arguments *args, const struct alg *alg, struct plan *plan)
{
    const struct speed_mode *mode = alg->mode;

    plan->num_sizes = 0;
    for (size_t s = 0; s < args->num_lens; s++) {
        size_t len = args->lens[s], batch = args->batch ? args->batch : 1;

        if (len < mode->min_len || len > mode->max_len) {
            cli_error("speed: --size %zu: %s takes %zu bytes to %zuM", len, alg->name, mode->min_len, mode->max_len >> 20);
            return false;
        }
        plan->sizes[plan->num_sizes++] = (struct cell_size){ len, batch };
    }
    for (const struct cell_size *size = mode->sizes; args->num_lens == 0 && size->batch; size++) {
        if (!args->batch)
            plan->sizes[plan->num_sizes++] = *size;
        else if (size->batch == 1)
            plan->sizes[plan->num_sizes++] = (struct cell_size){ size->len, args->batch };
    }
    for (size_t s = 0; s < plan->num_sizes; s++)
        if (plan->sizes[s].len * plan->sizes[s].batch > (size_t)1 << 30) {
            cli_error("speed: %zu messages of %zu bytes are more than the 1G that can be measured", plan->sizes[s].batch,
                      plan->sizes[s].len);
            return false;
        }
    return true;
}

/* Those of the mode that run here, or the one that is wanted.  The chosen one leads the table. */
static void choose_impls(const struct arguments *args, const struct speed_mode *mode, struct plan *plan)
{
    struct lc_impl_info info;

    plan->num_impls = 0;
    for (size_t i = 0; lc_impl_get(mode->name, i, &info) == LC_OK; i++) {
        size_t at = plan->num_impls;

        if (!info.runs_here || (args->impl && strcmp(args->impl, info.name) != 0))
            continue;
        if (info.selected) {
            memmove(plan->impls + 1, plan->impls, at * sizeof(plan->impls[0]));
            at = 0;
        }
        plan->impls[at] = info.name;
        plan->num_impls++;
    }
}

/* What doesn't go together, and the plans. */
static bool check_arguments(const struct arguments *args)
{
    struct options *o = args->o;

    if (speed_curves_any(&args->curves)) {
        bool other = args->num_lens || o->op[SEAL] || o->op[OPEN] || o->cold || o->curve || o->html_path || o->rounds;

        for (size_t a = 0; a < NUM_ALGS; a++)
            other = other || o->alg[a];
        if (other)
            cli_error(
                "speed: --alg ecdsa-*, ecdh-*, sm2-*, x25519*, ed25519-* and rsa-* take no other algorithms, and no options but "
                "--batch, --impl, --peer, --json and --compare");
        else if (args->batch > 1024)
            cli_error("speed: --batch: ecdsa-*, ecdh-*, sm2-*, x25519*, ed25519-* and rsa-* have up to 1024 operations in a call");
        else if (args->impl && !speed_curves_have(&args->curves, args->impl))
            cli_error("speed: --impl %s: not an implementation of what --alg names, or this CPU can't run it", args->impl);
        else
            return true;
        return false;
    }
    if (o->rounds) {
        bool other = args->impl || args->batch || args->num_lens || o->op[SEAL] || o->op[OPEN] || o->cold || o->curve ||
                     o->peer_path || o->html_path;

        for (size_t a = 0; a < NUM_ALGS; a++)
            other = other || o->alg[a];
        if (other)
            cli_error("speed: --alg aes-round takes no other algorithm, and no options but --json and --compare");
        return !other;
    }
    if (o->curve && (args->num_lens || args->batch || o->cold || o->peer_path)) {
        cli_error("speed: --curve has its own sizes and no peer: it can't be used with --size, --batch, --cold or --peer");
        return false;
    }
    if (o->cold && !bench_flush_code()) {
        cli_error("speed: --cold: caches can't be flushed on this CPU");
        return false;
    }
    if (!o->op[SEAL] && !o->op[OPEN])
        o->op[SEAL] = o->op[OPEN] = true;
    if (!choose_algs(args))
        return false;
    for (size_t a = 0; a < NUM_ALGS; a++) {
        struct plan *plan = &o->plans[speed_algs[a].mode - speed_modes];

        if (o->alg[a] && !choose_sizes(args, &speed_algs[a], plan))
            return false;
        if (o->alg[a])
            choose_impls(args, speed_algs[a].mode, plan);
    }
    return true;
}

static bool parse_options(struct options *o, struct curve_options *curves, int argc, char **argv, int *status)
{
    enum { ALG = 256, SIZE, BATCH, OP, IMPL, COLD, CURVE, PEER, JSON, HTML, COMPARE };
    static const struct option long_options[] = {
        { "alg", required_argument, NULL, ALG },
        { "size", required_argument, NULL, SIZE },
        { "batch", required_argument, NULL, BATCH },
        { "op", required_argument, NULL, OP },
        { "impl", required_argument, NULL, IMPL },
        { "cold", no_argument, NULL, COLD },
        { "curve", no_argument, NULL, CURVE },
        { "peer", required_argument, NULL, PEER },
        { "json", required_argument, NULL, JSON },
        { "html", required_argument, NULL, HTML },
        { "compare", required_argument, NULL, COMPARE },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    struct arguments args = { .o = o };
    bool ok = true;
    int opt;

    *status = EXIT_USAGE;
    optind = 0;
    while (ok && (opt = cli_getopt_long(argc, argv, long_options)) != -1) {
        switch (opt) {
        case ALG: ok = parse_algs(&args, optarg); break;
        case SIZE: ok = parse_sizes(&args, optarg); break;
        case BATCH: ok = parse_batch(&args, optarg); break;
        case OP: ok = parse_op(&args, optarg); break;
        case IMPL: args.impl = strcmp(optarg, "all") == 0 ? NULL : optarg; break;
        case COLD: o->cold = true; break;
        case CURVE: o->curve = true; break;
        case PEER: o->peer_path = optarg; break;
        case JSON: o->json_path = optarg; break;
        case COMPARE: o->compare_path = optarg; break;
        case HTML:
            if (strcmp(optarg, "-") == 0) {
                cli_error("speed: --html -: a page needs a file, not stdout");
                return false;
            }
            o->html_path = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            *status = EXIT_OK;
            return false;
        default: return false;
        }
    }
    if (ok && optind < argc) {
        cli_wrong_use(argv, "unexpected argument '%s'", argv[optind]);
        return false;
    }
    if (ok && o->compare_path && (o->curve || (o->json_path && strcmp(o->json_path, "-") == 0))) {
        cli_error("speed: --compare: not with --curve, nor with --json -, as both write to standard output");
        return false;
    }
    ok = ok && check_arguments(&args);
    *curves = args.curves;
    curves->batch = args.batch;
    curves->impl = args.impl;
    curves->peer_path = o->peer_path;
    curves->json_path = o->json_path;
    return ok;
}

int cmd_speed(int argc, char **argv)
{
    static struct options o;
    struct curve_options curves;
    const struct lanecrypt_peer *peer = NULL;
    char err[256];
    int status;
    bool ok;

    if (cli_env_is_bad())
        return EXIT_FAILED;
    if (!parse_options(&o, &curves, argc, argv, &status))
        return status;
    if (speed_curves_any(&curves) && cli_stack_is_small())
        return EXIT_FAILED;
    if (!open_reports(o.json_path, o.html_path, o.compare_path))
        return EXIT_FAILED;
    if (speed_curves_any(&curves)) {
        ok = speed_curves(&curves);
        close_reports();
        return ok ? EXIT_OK : EXIT_FAILED;
    }
    if (o.rounds) {
        ok = speed_rounds(o.json_path);
        close_reports();
        return ok ? EXIT_OK : EXIT_FAILED;
    }
    if (!o.curve && !(o.peer_path && strcmp(o.peer_path, "none") == 0)) {
        peer = bench_peer_open(o.peer_path, err, sizeof(err));
        if (!peer) {
            cli_error("speed: no peer: %s; use --peer PATH or --peer none", err);
            close_reports();
            return EXIT_FAILED;
        }
    }
    ok = time_all(&o, peer);
    if (ok && !(o.json_path && strcmp(o.json_path, "-") == 0)) {
        print_header(results.ghz, peer);
        if (o.curve)
            print_curves(&o, &results);
        else
            print_tables(&o, &results, peer);
    }
    ok = ok && write_reports(&o, &results, peer);
    close_reports();
    bench_peer_close();
    return ok ? EXIT_OK : EXIT_FAILED;
}

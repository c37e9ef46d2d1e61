/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt speed: every implementation against the ceiling of the hardware and against a peer.
 *
 * Machines are shared and clocks wander, so a single time says nothing.  Each cell is sampled many times in short runs,
 * the clock, the implementation and the peer in turn (A B A B); reported are the best run (what the code can do), in
 * cycles of the best clock seen beside it, and the median of the ratios to the peer (how they compare under the same
 * conditions).  The iv is a new one in each call, written as a disk's user writes it: the sector's number, 64 bits.
 *
 * Before a cell is timed its result is compared with the peer's byte for byte.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cli.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/xts.h"
#include "report_page.h"

enum {
    MAX_SIZES = 32,
    MAX_IMPLS = 16,
    SAMPLES = 41,
    COLD_SAMPLES = 9,
    RUN_NS = 20000, /* a run: long against the clock's resolution, short against a time slice */
};

static const struct alg {
    const char *name;
    size_t raw_len;
    int rounds;
    const char *peer_cipher; /* NULL: OpenSSL has none */
    bool by_default;
} algs[] = {
    { "aes-128-xts", 32, 10, "aes-128-xts", true },
    { "aes-192-xts", 48, 12, NULL, false },
    { "aes-256-xts", 64, 14, "aes-256-xts", true },
};
#define NUM_ALGS (sizeof(algs) / sizeof(algs[0]))

static const struct {
    const char *name, *title;
} ops[2] = { { "seal", "encryption" }, { "open", "decryption" } };

struct cell_size {
    size_t len, batch; /* bytes of a data unit, units in a call */
};

struct options {
    bool alg[NUM_ALGS], op[2], cold;
    struct cell_size sizes[MAX_SIZES];
    size_t num_sizes;
    const char *impls[MAX_IMPLS]; /* best first */
    size_t num_impls;
    const char *json_path, *html_path;
};

struct result {
    double ns, ns_median, cycles, ratio, peer_ns; /* of a call; cycles 0: unknown; ratio 0: no peer */
};

/* ---- One cell ---- */

struct cell {
    const struct alg *alg;
    bool encrypt;
    struct cell_size size;
    const struct lc_xts_key *key;
    struct bench_peer_key *peer;
    uint8_t *dst;
    const uint8_t *src;
};

static void run_ours(const struct cell *c, uint64_t sector)
{
    uint8_t iv[16] = { 0 };
    int status;

    memcpy(iv, &sector, sizeof(sector));
    if (c->size.batch > 1)
        status = (c->encrypt ? lc_xts_encrypt_sectors : lc_xts_decrypt_sectors)(c->key, c->dst, c->src, c->size.len * c->size.batch,
                                                                                c->size.len, sector, 1);
    else
        status = (c->encrypt ? lc_xts_encrypt : lc_xts_decrypt)(c->key, c->dst, c->src, c->size.len, iv);
    if (status != LC_OK)
        abort(); /* the options were checked */
}

static void run_peer(const struct cell *c, uint64_t sector)
{
    uint8_t iv[16] = { 0 };

    for (size_t i = 0; i < c->size.batch; i++, sector++) {
        memcpy(iv, &sector, sizeof(sector));
        if (!bench_peer_crypt(c->peer, c->dst + i * c->size.len, c->src + i * c->size.len, c->size.len, iv))
            abort(); /* it took the first message */
    }
}

/* Time of a call, from a run of about RUN_NS; cold: of one call after everything has left the caches. */
static double time_runs(void (*run)(const struct cell *c, uint64_t sector), const struct cell *c, uint64_t repeats, bool cold)
{
    double start;

    if (cold) {
        bench_flush_code();
        bench_flush_data(c->src, c->size.len * c->size.batch);
        bench_flush_data(c->dst, c->size.len * c->size.batch);
        bench_flush_data(c->key, sizeof(*c->key));
        repeats = 1;
    }
    start = bench_now_ns();
    for (uint64_t i = 0; i < repeats; i++)
        run(c, i);
    return (bench_now_ns() - start) / (double)repeats;
}

static uint64_t repeats_for(void (*run)(const struct cell *c, uint64_t sector), const struct cell *c)
{
    double ns;

    run(c, 0);
    ns = time_runs(run, c, 4, false);
    return ns * 4 > RUN_NS ? 4 : (uint64_t)(RUN_NS / ns) + 1;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, int num)
{
    qsort(values, (size_t)num, sizeof(*values), compare_doubles);
    return values[num / 2];
}

static struct result time_cell(const struct cell *c, bool cold)
{
    double ours[SAMPLES], ratios[SAMPLES], best_ghz = 0;
    uint64_t repeats = repeats_for(run_ours, c), peer_repeats = c->peer ? repeats_for(run_peer, c) : 0;
    struct result r = { .ns = INFINITY, .peer_ns = INFINITY };
    int samples = cold ? COLD_SAMPLES : SAMPLES;

    for (int i = 0; i < samples; i++) {
        best_ghz = fmax(best_ghz, bench_ghz());
        ours[i] = time_runs(run_ours, c, repeats, cold);
        r.ns = fmin(r.ns, ours[i]);
        if (c->peer) {
            double peer_ns = time_runs(run_peer, c, peer_repeats, cold);

            r.peer_ns = fmin(r.peer_ns, peer_ns);
            ratios[i] = peer_ns / ours[i];
        }
    }
    r.cycles = r.ns * best_ghz;
    r.ns_median = median(ours, samples);
    r.ratio = c->peer ? median(ratios, samples) : 0;
    return r;
}

/* The result must be the peer's, or where there is none the portable implementation's. */
static bool cross_check(struct cell *c, const uint8_t *raw)
{
    size_t len = c->size.len * c->size.batch;
    struct lc_xts_key portable;
    uint8_t *ours = malloc(len);
    bool equal;

    if (!ours) {
        cli_error("speed: out of memory");
        return false;
    }
    run_ours(c, 7);
    memcpy(ours, c->dst, len);
    memset(c->dst, 0, len);
    if (c->peer) {
        run_peer(c, 7);
    } else {
        struct cell p = *c;

        if (lc_xts_init_impl(&portable, "xts-aes-portable", raw, c->alg->raw_len) != LC_OK)
            abort();
        p.key = &portable;
        run_ours(&p, 7);
    }
    equal = memcmp(ours, c->dst, len) == 0;
    free(ours);
    if (!equal)
        cli_error("speed: %s, %s, %zu bytes x %zu: %s and %s differ", c->alg->name, ops[!c->encrypt].title, c->size.len,
                  c->size.batch, lc_xts_impl_name(c->key), c->peer ? "the peer" : "the portable implementation");
    return equal;
}

/* ---- All cells ---- */

static struct result results[NUM_ALGS][2][MAX_SIZES][MAX_IMPLS];
static struct result inits[NUM_ALGS][MAX_IMPLS];
static double aes_blocks_per_ns, ghz;

static double ceiling(const struct alg *alg)
{
    return 16 * aes_blocks_per_ns / alg->rounds;
}

/* lc_xts_init, both directions' keys; the peer sets a key for one direction. */
static struct result time_init(const struct alg *alg, const char *impl, const uint8_t *raw)
{
    struct result r = { .ns = INFINITY };
    double samples[SAMPLES], best_ghz = 0;
    struct lc_xts_key key;

    for (int i = 0; i < SAMPLES; i++) {
        enum { REPEATS = 20 };
        double start;

        best_ghz = fmax(best_ghz, bench_ghz());
        start = bench_now_ns();
        for (int k = 0; k < REPEATS; k++)
            if (lc_xts_init_impl(&key, impl, raw, alg->raw_len) != LC_OK)
                abort();
        samples[i] = (bench_now_ns() - start) / REPEATS;
        r.ns = fmin(r.ns, samples[i]);
    }
    lc_xts_wipe(&key);
    r.cycles = r.ns * best_ghz;
    r.ns_median = median(samples, SAMPLES);
    return r;
}

static void show_progress(size_t done, size_t total, const char *what)
{
    static double last;

    if (!isatty(STDERR_FILENO) || bench_now_ns() - last < 1e8)
        return;
    last = bench_now_ns();
    fprintf(stderr, "\r\033[K%3zu %%  %s", 100 * done / total, what);
}

static bool time_all(const struct options *o, const struct bench_peer *peer)
{
    static uint8_t raw[64];
    size_t max_len = 0, done = 0, total = 0;
    uint8_t *src, *dst;
    bool ok = true;

    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)(i * 7 + 1);
    for (size_t s = 0; s < o->num_sizes; s++)
        if (o->sizes[s].len * o->sizes[s].batch > max_len)
            max_len = o->sizes[s].len * o->sizes[s].batch;
    src = aligned_alloc(4096, (max_len + 4095) / 4096 * 4096);
    dst = aligned_alloc(4096, (max_len + 4095) / 4096 * 4096);
    if (!src || !dst) {
        cli_error("speed: no memory for two buffers of %zu bytes", max_len);
        ok = false;
    }
    for (size_t i = 0; ok && i < max_len; i++)
        src[i] = (uint8_t)(i * 131 + i / 251);
    for (size_t a = 0; a < NUM_ALGS; a++)
        total += o->alg[a] * (size_t)(o->op[0] + o->op[1]) * o->num_impls * o->num_sizes;

    for (size_t a = 0; ok && a < NUM_ALGS; a++) {
        for (int op = 0; ok && o->alg[a] && op < 2; op++) {
            struct bench_peer_key *peer_key = NULL;

            if (!o->op[op])
                continue;
            if (peer && algs[a].peer_cipher) {
                peer_key = bench_peer_key_new(peer, algs[a].peer_cipher, raw, op == 0);
                if (!peer_key) {
                    cli_error("speed: the peer has no %s", algs[a].peer_cipher);
                    ok = false;
                }
            }
            for (size_t i = 0; ok && i < o->num_impls; i++) {
                struct lc_xts_key key;

                if (lc_xts_init_impl(&key, o->impls[i], raw, algs[a].raw_len) != LC_OK)
                    abort(); /* only such are in the list */
                inits[a][i] = time_init(&algs[a], o->impls[i], raw);
                aes_blocks_per_ns = fmax(aes_blocks_per_ns, bench_aes_blocks_per_ns());
                ghz = fmax(ghz, bench_ghz());
                for (size_t s = 0; ok && s < o->num_sizes; s++, done++) {
                    struct cell c = { &algs[a], op == 0, o->sizes[s], &key, peer_key, dst, src };

                    show_progress(done, total, o->impls[i]);
                    ok = cross_check(&c, raw);
                    if (ok)
                        results[a][op][s][i] = time_cell(&c, o->cold);
                }
                lc_xts_wipe(&key);
            }
            bench_peer_key_free(peer_key);
        }
    }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    free(src);
    free(dst);
    return ok;
}

/* ---- Reports ---- */

static void cpu_name(char *name, size_t len)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    struct utsname u;
    char line[256];

    name[0] = '\0';
    while (f && !name[0] && fgets(line, sizeof(line), f)) {
        const char *value = strchr(line, ':');

        if (value && strncmp(line, "model name", 10) == 0)
            snprintf(name, len, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
    }
    if (f)
        fclose(f);
    if (!name[0])
        snprintf(name, len, "%s", uname(&u) == 0 ? u.machine : "unknown");
}

static void print_table(const struct options *o, size_t a, int op, const struct bench_peer *peer)
{
    const char *prefix = "xts-aes-";

    printf("\n%s %s%s: cycles a call; the ceiling is %.2f GB/s (%.2f bytes a cycle)\n", algs[a].name, ops[op].title,
           o->cold ? ", code and data cold" : "", ceiling(&algs[a]), ghz > 0 ? ceiling(&algs[a]) / ghz : 0);
    printf("%10s  %-16.16s %6s %8s", "bytes", o->impls[0] + strlen(prefix), "GB/s", "ceiling");
    if (peer && algs[a].peer_cipher)
        printf("  x %-8.8s %-6.6s", bench_peer_name(peer), bench_peer_version(peer));
    for (size_t i = 1; i < o->num_impls; i++)
        printf(" %15.15s", o->impls[i] + strlen(prefix));
    putchar('\n');
    for (size_t s = 0; s < o->num_sizes; s++) {
        const struct result *r = results[a][op][s];
        size_t len = o->sizes[s].len * o->sizes[s].batch;
        char label[32];

        snprintf(label, sizeof(label), o->sizes[s].batch > 1 ? "%zu x %zu" : "%zu", o->sizes[s].batch > 1 ? o->sizes[s].batch : len,
                 o->sizes[s].len);
        printf("%10s  %16.0f %6.2f %6.1f %%", label, r[0].cycles, (double)len / r[0].ns,
               100 * (double)len / r[0].ns / ceiling(&algs[a]));
        if (r[0].ratio > 0)
            printf("  %14.2f   ", r[0].ratio);
        for (size_t i = 1; i < o->num_impls; i++)
            printf(" %15.0f", r[i].cycles);
        putchar('\n');
    }
    printf("%10s  %16.0f", "init", inits[a][0].cycles);
    printf("%*s", peer && algs[a].peer_cipher ? 35 : 16, "");
    for (size_t i = 1; i < o->num_impls; i++)
        printf(" %15.0f", inits[a][i].cycles);
    putchar('\n');
}

/* Three significant digits more than anyone can measure, and no more. */
static json_t *number(double x)
{
    double scale = x > 0 ? pow(10, 5 - floor(log10(x))) : 1;

    return json_real(round(x * scale) / scale);
}

static json_t *report(const struct options *o, const struct bench_peer *peer)
{
    json_t *root = json_object(), *ceilings = json_object(), *rows = json_array(), *init_rows = json_array();
    char text[256];
    time_t now = time(NULL);

    cpu_name(text, sizeof(text));
    json_object_set_new(root, "cpu", json_string(text));
    json_object_set_new(root, "ghz", number(ghz));
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    json_object_set_new(root, "date", json_string(text));
    json_object_set_new(root, "version", json_string(lc_version()));
    json_object_set_new(root, "ceilings", ceilings);
    json_object_set_new(root, "rows", rows);
    json_object_set_new(root, "init", init_rows);

    for (size_t a = 0; a < NUM_ALGS; a++) {
        if (!o->alg[a])
            continue;
        if (aes_blocks_per_ns > 0)
            json_object_set_new(ceilings, algs[a].name, number(ceiling(&algs[a])));
        for (size_t i = 0; i < o->num_impls; i++)
            json_array_append_new(init_rows, json_pack("{s:s, s:s, s:o, s:o}", "alg", algs[a].name, "impl", o->impls[i], "ns",
                                                       number(inits[a][i].ns), "cycles", number(inits[a][i].cycles)));
        for (int op = 0; op < 2; op++) {
            for (size_t i = 0; o->op[op] && i < o->num_impls; i++) {
                for (size_t s = 0; s < o->num_sizes; s++) {
                    const struct result *r = &results[a][op][s][i];
                    double gbps = (double)(o->sizes[s].len * o->sizes[s].batch) / r->ns;
                    json_t *peers = json_array(), *row;

                    if (r->ratio > 0)
                        json_array_append_new(peers, json_pack("{s:s, s:s, s:o, s:o}", "name", bench_peer_name(peer), "version",
                                                               bench_peer_version(peer), "ns", number(r->peer_ns), "ratio",
                                                               number(r->ratio)));
                    row = json_pack("{s:s, s:s, s:s, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o}",
                                    "alg", algs[a].name, "op", ops[op].name, "impl", o->impls[i],
                                    "size", (json_int_t)o->sizes[s].len, "batch", (json_int_t)o->sizes[s].batch, "cold",
                                    (int)o->cold,
                                    "ns", number(r->ns), "ns_median", number(r->ns_median), "cycles", number(r->cycles),
                                    "gbps", number(gbps), "peers", peers);
                    if (aes_blocks_per_ns > 0)
                        json_object_set_new(row, "of_ceiling", number(gbps / ceiling(&algs[a])));
                    json_array_append_new(rows, row);
                }
            }
        }
    }
    return root;
}

/* Inside a page's <script> no "<" may stand in a string (see report/page.html); outside of strings JSON has none. */
static void write_json_for_html(FILE *f, const char *json)
{
    for (; *json; json++)
        if (*json == '<')
            fputs("\\u003c", f);
        else
            putc(*json, f);
}

/* "-" is standard output.  A file that can't be written whole is removed (a file: not a device that somebody named). */
static bool write_report(const char *path, const char *json, bool html)
{
    bool to_stdout = strcmp(path, "-") == 0, ok;
    FILE *f = to_stdout ? stdout : fopen(path, "w");
    struct stat st;

    if (!f) {
        cli_error("speed: %s: %s", path, strerror(errno));
        return false;
    }
    if (html) {
        fwrite(lc_report_head, 1, lc_report_head_len, f);
        write_json_for_html(f, json);
        fwrite(lc_report_tail, 1, lc_report_tail_len, f);
    } else {
        fprintf(f, "%s\n", json);
    }
    ok = fflush(f) == 0 && !ferror(f);
    if (!ok)
        cli_error("speed: %s: %s", path, strerror(errno));
    if (!ok && !to_stdout && fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
    if (!to_stdout)
        fclose(f);
    return ok;
}

/* ---- Options ---- */

static const char help[] =
    "usage: lanecrypt speed [OPTION]...\n\n"
    "  --alg A,..       aes-128-xts, aes-192-xts, aes-256-xts (default: without 192)\n"
    "  --size N,..      bytes of a data unit, 16 .. 16M (default: 16 .. 64K)\n"
    "  --batch N        data units in one call (default: 1; without --size also 32 x 512 and 32 x 4096)\n"
    "  --op seal|open   encryption or decryption only (default: both)\n"
    "  --impl NAME|all  one implementation (default: all that run here)\n"
    "  --cold           one call after code and data have been pushed out of the caches\n"
    "  --peer PATH      the libcrypto to compare with (default: the system's libcrypto.so.3; `none` for none)\n"
    "  --json FILE|-    write the results as JSON\n"
    "  --html FILE      write the results as a page\n\n"
    "Times are those of calls one after the other.  Every cell is compared byte for byte with the peer, or where it has no such\n"
    "cipher with the portable implementation, before it is timed.  With --cold the peer's own context stays warm.\n";

/* The next word of a comma-separated list, or NULL; *list moves on.  The list is cut up. */
static char *next_word(char **list)
{
    return strsep(list, ",");
}

static bool parse_algs(struct options *o, char *list)
{
    for (char *word; (word = next_word(&list));) {
        size_t a = 0;

        while (a < NUM_ALGS && strcmp(algs[a].name, word) != 0)
            a++;
        if (a == NUM_ALGS) {
            cli_error("speed: --alg '%s' is none of aes-128-xts, aes-192-xts, aes-256-xts", word);
            return false;
        }
        o->alg[a] = true;
    }
    return true;
}

static bool parse_sizes(struct options *o, char *list)
{
    for (char *word; (word = next_word(&list));) {
        uint64_t len;

        if (!cli_parse_number("--size", word, &len))
            return false;
        if (len < LC_XTS_MIN_LEN || len > LC_XTS_MAX_LEN || o->num_sizes == MAX_SIZES) {
            cli_error("speed: --size %s: %s", word,
                      o->num_sizes == MAX_SIZES ? "too many sizes" : "a data unit has 16 bytes to 16M");
            return false;
        }
        o->sizes[o->num_sizes++].len = len;
    }
    return true;
}

static bool collect_impls(struct options *o, const char *wanted)
{
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("xts", i, &info) == LC_OK; i++) {
        bool named = wanted && strcmp(wanted, info.name) == 0;

        if (named && !info.runs_here) {
            cli_error("speed: --impl %s: this CPU can't run it", wanted);
            return false;
        }
        if (!info.runs_here || (wanted && !named))
            continue;
        if (info.selected && o->num_impls) { /* the chosen one leads the table */
            memmove(o->impls + 1, o->impls, o->num_impls * sizeof(o->impls[0]));
            o->impls[0] = info.name;
        } else {
            o->impls[o->num_impls] = info.name;
        }
        o->num_impls++;
    }
    if (o->num_impls == 0)
        cli_error("speed: --impl '%s' is no implementation; see `lanecrypt list`", wanted);
    return o->num_impls > 0;
}

static bool parse_options(struct options *o, int argc, char **argv, const char **peer_path, int *status)
{
    enum { ALG = 1, SIZE, BATCH, OP, IMPL, COLD, PEER, JSON, HTML };
    static const struct option long_options[] = {
        { "alg", required_argument, NULL, ALG },
        { "size", required_argument, NULL, SIZE },
        { "batch", required_argument, NULL, BATCH },
        { "op", required_argument, NULL, OP },
        { "impl", required_argument, NULL, IMPL },
        { "cold", no_argument, NULL, COLD },
        { "peer", required_argument, NULL, PEER },
        { "json", required_argument, NULL, JSON },
        { "html", required_argument, NULL, HTML },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    static const size_t default_sizes[] = { 16, 32, 64, 128, 256, 512, 1024, 4096, 16384, 65536 };
    const char *impl = NULL;
    bool any_alg = false;
    uint64_t batch = 0;
    int opt;

    *status = EXIT_USAGE;
    optind = 0;
    while ((opt = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        switch (opt) {
        case ALG:
            if (!parse_algs(o, optarg))
                return false;
            break;
        case SIZE:
            if (!parse_sizes(o, optarg))
                return false;
            break;
        case BATCH:
            if (!cli_parse_number("--batch", optarg, &batch))
                return false;
            if (batch < 1 || batch > 1 << 20) {
                cli_error("speed: --batch %s: 1 .. 1M units in a call", optarg);
                return false;
            }
            break;
        case OP:
            o->op[0] = strcmp(optarg, "seal") == 0;
            o->op[1] = strcmp(optarg, "open") == 0;
            if (!o->op[0] && !o->op[1]) {
                cli_error("speed: --op '%s' is neither seal nor open", optarg);
                return false;
            }
            break;
        case IMPL: impl = strcmp(optarg, "all") == 0 ? NULL : optarg; break;
        case COLD: o->cold = true; break;
        case PEER: *peer_path = optarg; break;
        case JSON: o->json_path = optarg; break;
        case HTML:
            if (strcmp(optarg, "-") == 0) {
                cli_error("speed: --html: a page goes to a file");
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
    if (optind < argc) {
        cli_error("speed: '%s': takes no arguments", argv[optind]);
        return false;
    }
    if (o->cold && !bench_flush_code()) {
        cli_error("speed: --cold: caches can't be flushed on this CPU");
        return false;
    }
    for (size_t a = 0; a < NUM_ALGS; a++)
        any_alg = any_alg || o->alg[a];
    for (size_t a = 0; a < NUM_ALGS; a++)
        o->alg[a] = any_alg ? o->alg[a] : algs[a].by_default;
    if (!o->op[0] && !o->op[1])
        o->op[0] = o->op[1] = true;
    if (o->num_sizes == 0) {
        for (size_t i = 0; i < sizeof(default_sizes) / sizeof(default_sizes[0]); i++)
            o->sizes[o->num_sizes++] = (struct cell_size){ default_sizes[i], batch };
        if (!batch) {
            o->sizes[o->num_sizes++] = (struct cell_size){ 512, 32 };
            o->sizes[o->num_sizes++] = (struct cell_size){ 4096, 32 };
        }
    }
    for (size_t s = 0; s < o->num_sizes; s++) {
        if (!o->sizes[s].batch)
            o->sizes[s].batch = batch ? batch : 1;
        if (o->sizes[s].len * o->sizes[s].batch > (size_t)1 << 30) {
            cli_error("speed: %zu units of %zu bytes are more than the 1G that this measures", o->sizes[s].batch, o->sizes[s].len);
            return false;
        }
    }
    return collect_impls(o, impl);
}

int cmd_speed(int argc, char **argv)
{
    static struct options o;
    const char *peer_path = NULL;
    struct bench_peer *peer = NULL;
    char text[256], *json;
    json_t *root;
    int status;
    bool ok = true;

    if (cli_env_is_bad())
        return EXIT_FAILED;
    if (!parse_options(&o, argc, argv, &peer_path, &status))
        return status;
    if (!peer_path || strcmp(peer_path, "none") != 0) {
        peer = bench_peer_open(peer_path, text, sizeof(text));
        if (!peer) {
            cli_error("speed: no peer: %s (use --peer PATH, or --peer none)", text);
            return EXIT_FAILED;
        }
    }
    if (!time_all(&o, peer)) {
        bench_peer_close(peer);
        return EXIT_FAILED;
    }

    if (!(o.json_path && strcmp(o.json_path, "-") == 0)) {
        cpu_name(text, sizeof(text));
        printf("%s, %.2f GHz when measured; lanecrypt %s", text, ghz, lc_version());
        if (peer)
            printf("; peer: %s %s, every cell compared", bench_peer_name(peer), bench_peer_version(peer));
        putchar('\n');
        for (size_t a = 0; a < NUM_ALGS; a++)
            for (int op = 0; o.alg[a] && op < 2; op++)
                if (o.op[op])
                    print_table(&o, a, op, peer);
    }
    root = report(&o, peer);
    bench_peer_close(peer);
    json = json_dumps(root, JSON_INDENT(1));
    if (!json) {
        cli_error("speed: out of memory");
        return EXIT_FAILED;
    }
    if (o.json_path)
        ok = write_report(o.json_path, json, false);
    if (o.html_path)
        ok = write_report(o.html_path, json, true) && ok;
    json_decref(root);
    free(json);
    return ok ? EXIT_OK : EXIT_FAILED;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The reports of `lanecrypt speed`: tables, JSON, a page. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "report_page.h"
#include "speed.h"

static const char *const op_names[NUM_OPS] = { "seal", "open" };

/* An implementation's name after "<mode>-" and "aes-". */
static const char *short_name(const struct alg *alg, const char *impl)
{
    const char *name = impl + strlen(alg->mode->name) + 1;

    return strncmp(name, "aes-", 4) == 0 ? name + 4 : name;
}

/* 0: unknown */
static double ceiling(const struct results *r, const struct alg *alg)
{
    return r->units[alg->unit] * alg->bytes;
}

/* By cycles where they are known, as the clock may have been another one when the ceiling was measured */
static double of_ceiling(const struct results *all, const struct alg *alg, const struct cell_size *size, const struct result *r)
{
    double ns = (double)(size->len * size->batch) / ceiling(all, alg);

    return r->cycles > 0 && all->ghz > 0 ? ns * all->ghz / r->cycles : ns / r->ns;
}

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

/* ---- Tables ---- */

void print_header(double ghz, const struct lanecrypt_peer *peer)
{
    char text[256];

    cpu_name(text, sizeof(text));
    printf("%s, %.2f GHz when measured; lanecrypt %s", text, ghz, lc_version());
    if (peer)
        printf("; peer: %s %s%s%s, every cell compared", peer->name, peer->version, bench_peer_provider() ? ", provider " : "",
               bench_peer_provider() ? bench_peer_provider() : "");
    putchar('\n');
}

/* How wide an implementation's column is: as its name, or as the figures need it */
static int column(const struct alg *alg, const struct plan *plan, size_t i)
{
    int len = (int)strlen(short_name(alg, plan->impls[i])), least = i ? 15 : 16;

    return len > least ? len : least;
}

static void print_table(const struct options *o, const struct results *all, size_t a, enum op op, const struct lanecrypt_peer *peer)
{
    const struct plan *plan = plan_of(o, a);
    const struct alg *alg = &speed_algs[a];
    double limit = ceiling(all, alg);
    bool has_peer = all->cells[a][op][0][0].ratio > 0;

    printf("\n%s %s%s: cycles per call; the ceiling is ", alg->name, op_title(alg, op), o->cold ? ", code and data cold" : "");
    if (limit > 0)
        printf("%.2f GB/s (%.2f bytes per cycle)\n", limit, all->ghz > 0 ? limit / all->ghz : 0);
    else
        puts("unknown");
    printf("%10s  %-*s %6s %8s", "bytes", column(alg, plan, 0), short_name(alg, plan->impls[0]), "GB/s", "ceiling");
    if (has_peer)
        printf("  x %-8.8s %-6.6s", peer->name, peer->version);
    for (size_t i = 1; i < plan->num_impls; i++)
        printf(" %*s", column(alg, plan, i), short_name(alg, plan->impls[i]));
    putchar('\n');
    for (size_t s = 0; s < plan->num_sizes; s++) {
        const struct result *r = all->cells[a][op][s];
        const struct cell_size *size = &plan->sizes[s];
        double gbps = (double)(size->len * size->batch) / r[0].ns;
        char label[32];

        if (size->batch > 1)
            snprintf(label, sizeof(label), "%zu x %zu", size->batch, size->len);
        else
            snprintf(label, sizeof(label), "%zu", size->len);
        printf("%10s  %*.0f %6.2f ", label, column(alg, plan, 0), r[0].cycles, gbps);
        if (limit > 0)
            printf("%6.1f %%", 100 * of_ceiling(all, alg, size, &r[0]));
        else
            printf("%8s", "-");
        if (r[0].ratio > 0)
            printf("  %14.2f   ", r[0].ratio);
        for (size_t i = 1; i < plan->num_impls; i++)
            printf(" %*.0f", column(alg, plan, i), r[i].cycles);
        putchar('\n');
    }
    printf("%10s  %*.0f", "init", column(alg, plan, 0), all->inits[a][0].cycles);
    printf("%*s", has_peer ? 35 : 16, "");
    for (size_t i = 1; i < plan->num_impls; i++)
        printf(" %*.0f", column(alg, plan, i), all->inits[a][i].cycles);
    putchar('\n');
}

void print_tables(const struct options *o, const struct results *r, const struct lanecrypt_peer *peer)
{
    for (size_t a = 0; a < NUM_ALGS; a++)
        for (enum op op = SEAL; op < NUM_OPS; op++)
            if (is_timed(o, a, op))
                print_table(o, r, a, op, peer);
}

/* ---- Curves ---- */

struct step {
    size_t size; /* its upper end */
    double cost; /* of size over that of CURVE_STEP less */
};

static int compare_steps(const void *a, const void *b)
{
    double x = ((const struct step *)a)->cost, y = ((const struct step *)b)->cost;

    return (x < y) - (x > y);
}

/* All steps, the largest first, in units of `scale` a nanosecond.  Returns how many there are. */
static size_t sort_steps(const struct alg *alg, const double *ns, double scale, struct step *steps)
{
    size_t num = 0;

    for (size_t i = first_point(alg) + 1; i < CURVE_POINTS; i++)
        steps[num++] = (struct step){ i * CURVE_STEP, (ns[i] - ns[i - 1]) * scale };
    qsort(steps, num, sizeof(*steps), compare_steps);
    return num;
}

static size_t count_cliffs(const struct step *steps, size_t num)
{
    size_t cliffs = 0;

    while (cliffs < num && steps[cliffs].cost > CURVE_LIMIT)
        cliffs++;
    return cliffs;
}

void print_curves(const struct options *o, const struct results *r)
{
    static const size_t shown[] = { 16, 64, 256, 1024, 4096 };
    double scale = r->ghz > 0 ? r->ghz : 1; /* without a known clock, nanoseconds take the place of cycles */

    for (size_t a = 0; a < NUM_ALGS; a++)
        for (enum op op = SEAL; op < NUM_OPS; op++) {
            const struct plan *plan = plan_of(o, a);

            if (!is_timed(o, a, op))
                continue;
            printf("\n%s %s: %s per call of %zu to %d bytes, and what the largest steps of %d bytes cost\n%-41s",
                   speed_algs[a].name, op_title(&speed_algs[a], op), r->ghz > 0 ? "cycles" : "nanoseconds",
                   first_point(&speed_algs[a]) * CURVE_STEP, (CURVE_POINTS - 1) * CURVE_STEP, CURVE_STEP, "implementation");
            for (size_t s = 0; s < sizeof(shown) / sizeof(shown[0]); s++)
                printf(" %6zu", shown[s]);
            printf("  %s\n", "the largest steps, `cost at bytes`");
            for (size_t i = 0; i < plan->num_impls; i++) {
                const double *ns = r->curves[a][op][i];
                struct step steps[CURVE_POINTS];
                size_t num = sort_steps(&speed_algs[a], ns, scale, steps);

                printf("%-41s", plan->impls[i]);
                for (size_t s = 0; s < sizeof(shown) / sizeof(shown[0]); s++)
                    printf(" %6.0f", ns[shown[s] / CURVE_STEP] * scale);
                for (size_t k = 0; k < CURVE_STEPS; k++)
                    printf("%s%.0f at %zu", k ? ", " : "  ", steps[k].cost, steps[k].size);
                if (r->ghz > 0)
                    printf("; %zu over %d", count_cliffs(steps, num), CURVE_LIMIT);
                putchar('\n');
            }
        }
}

/* ---- JSON ---- */

static json_t *cell_row(const struct options *o, const struct results *all, size_t a, enum op op, size_t s, size_t i,
                        const struct lanecrypt_peer *peer)
{
    const struct cell_size *size = &plan_of(o, a)->sizes[s];
    const struct result *r = &all->cells[a][op][s][i];
    double gbps = (double)(size->len * size->batch) / r->ns;
    json_t *peers = json_array(), *row;

    if (r->ratio > 0)
        json_array_append_new(peers, json_pack("{s:s, s:s, s:s*, s:f, s:f}", "name", peer->name, "version", peer->version,
                                               "provider", bench_peer_provider(), "ns", r->peer_ns, "ratio", r->ratio));
    row = json_pack("{s:s, s:s, s:s, s:I, s:I, s:b, s:f, s:f, s:f, s:f, s:o}", "alg", speed_algs[a].name, "op", op_names[op],
                    "impl", plan_of(o, a)->impls[i], "size", (json_int_t)size->len, "batch", (json_int_t)size->batch, "cold",
                    (int)o->cold, "ns", r->ns, "ns_median", r->ns_median, "cycles", r->cycles, "gbps", gbps, "peers", peers);
    if (all->units[speed_algs[a].unit] > 0)
        json_object_set_new(row, "of_ceiling", json_real(of_ceiling(all, &speed_algs[a], size, r)));
    return row;
}

static json_t *curve_row(const struct options *o, const struct results *all, size_t a, enum op op, size_t i)
{
    const double *curve = all->curves[a][op][i];
    json_t *sizes = json_array(), *ns = json_array(), *cycles = json_array(), *largest = json_array(), *row;
    struct step steps[CURVE_POINTS];
    size_t num = sort_steps(&speed_algs[a], curve, all->ghz, steps);

    for (size_t k = first_point(&speed_algs[a]); k < CURVE_POINTS; k++) {
        json_array_append_new(sizes, json_integer((json_int_t)(k * CURVE_STEP)));
        json_array_append_new(ns, json_real(curve[k]));
        json_array_append_new(cycles, json_real(curve[k] * all->ghz));
    }
    for (size_t k = 0; k < CURVE_STEPS && all->ghz > 0; k++)
        json_array_append_new(largest, json_pack("{s:I, s:f}", "size", (json_int_t)steps[k].size, "cycles", steps[k].cost));
    row = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:I}", "alg", speed_algs[a].name, "op", op_names[op], "impl",
                    plan_of(o, a)->impls[i], "sizes", sizes, "ns", ns, "cycles", cycles, "steps", largest, "cliffs",
                    (json_int_t)count_cliffs(steps, num));
    return row;
}

json_t *report_head(double ghz)
{
    json_t *root = json_object();
    char text[256];
    time_t now = time(NULL);

    cpu_name(text, sizeof(text));
    json_object_set_new(root, "cpu", json_string(text));
    json_object_set_new(root, "ghz", json_real(ghz));
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    json_object_set_new(root, "date", json_string(text));
    json_object_set_new(root, "version", json_string(lc_version()));
    return root;
}

static json_t *report(const struct options *o, const struct results *r, const struct lanecrypt_peer *peer)
{
    json_t *root = report_head(r->ghz), *ceilings = json_object(), *rows = json_array(), *inits = json_array();
    json_t *curves = json_array(), *one_op = json_array();

    json_object_set_new(root, "ceilings", ceilings);
    json_object_set_new(root, "one_op", one_op);
    json_object_set_new(root, "rows", rows);
    json_object_set_new(root, "init", inits);
    if (o->curve) {
        json_object_set_new(root, "curves", curves);
        json_object_set_new(root, "curve_limit", json_integer(CURVE_LIMIT));
    } else {
        json_decref(curves);
    }

    for (size_t a = 0; a < NUM_ALGS; a++) {
        const struct plan *plan = plan_of(o, a);

        if (o->alg[a] && r->units[speed_algs[a].unit] > 0)
            json_object_set_new(ceilings, speed_algs[a].name, json_real(ceiling(r, &speed_algs[a])));
        if (o->alg[a] && speed_algs[a].mode->one_op)
            json_array_append_new(one_op, json_string(speed_algs[a].name));
        for (size_t i = 0; o->alg[a] && !o->curve && i < plan->num_impls; i++)
            json_array_append_new(inits, json_pack("{s:s, s:s, s:f, s:f}", "alg", speed_algs[a].name, "impl", plan->impls[i], "ns",
                                                   r->inits[a][i].ns, "cycles", r->inits[a][i].cycles));
        for (enum op op = SEAL; op < NUM_OPS; op++)
            for (size_t i = 0; is_timed(o, a, op) && i < plan->num_impls; i++) {
                if (o->curve)
                    json_array_append_new(curves, curve_row(o, r, a, op, i));
                for (size_t s = 0; !o->curve && s < plan->num_sizes; s++)
                    json_array_append_new(rows, cell_row(o, r, a, op, s, i, peer));
            }
    }
    return root;
}

/* ---- Files ---- */

/* Inside a page's <script> no "<" may stand in a string (see report/page.html); outside of strings JSON has none. */
static void write_json_for_html(FILE *f, const char *json)
{
    for (; *json; json++)
        if (*json == '<')
            fputs("\\u003c", f);
        else
            putc(*json, f);
}

static struct report_file {
    const char *path;
    FILE *f;      /* NULL: not wanted, or written */
    bool is_new;
} json_file, html_file;
static const char *old_path;
static json_t *old_run; /* NULL: not compared */

static bool open_report(struct report_file *r, const char *path)
{
    int fd;

    *r = (struct report_file){ .path = path };
    if (path && strcmp(path, "-") == 0) {
        r->f = stdout;
    } else if (path) {
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        r->is_new = fd >= 0;
        if (fd < 0 && errno == EEXIST)
            fd = open(path, O_WRONLY | O_CLOEXEC); /* without O_TRUNC */
        r->f = fd >= 0 ? fdopen(fd, "w") : NULL;
        if (!r->f)
            cli_error("speed: %s: %s", path, strerror(errno));
    }
    return !path || r->f;
}

/* With nothing written to it */
static void close_report(struct report_file *r)
{
    if (r->is_new)
        unlink(r->path);
    if (r->f && r->f != stdout)
        fclose(r->f);
    *r = (struct report_file){ 0 };
}

void close_reports(void)
{
    close_report(&json_file);
    close_report(&html_file);
    json_decref(old_run);
    old_run = NULL;
}

bool open_reports(const char *json_path, const char *html_path, const char *compare_path)
{
    bool ok;

    old_path = compare_path; /* read before a report is written, which may go to the same file */
    ok = (!old_path || (old_run = compare_open(old_path)) != NULL) && open_report(&json_file, json_path) &&
         open_report(&html_file, html_path);

    if (!ok)
        close_reports();
    return ok;
}

/* A file that can't be written whole is removed (a file: not a device that somebody named). */
static bool write_report(struct report_file *r, const char *json, bool html)
{
    bool is_file, ok;
    struct stat st;

    is_file = r->f != stdout && fstat(fileno(r->f), &st) == 0 && S_ISREG(st.st_mode);
    if (is_file && ftruncate(fileno(r->f), 0) != 0) {
        cli_error("speed: %s: %s", r->path, strerror(errno));
        return false;
    }
    if (html) {
        fwrite(lc_report_head, 1, lc_report_head_len, r->f);
        write_json_for_html(r->f, json);
        fwrite(lc_report_tail, 1, lc_report_tail_len, r->f);
    } else {
        fprintf(r->f, "%s\n", json);
    }
    ok = fflush(r->f) == 0 && !ferror(r->f);
    if (!ok && r->f != stdout) /* of which main() tells */
        cli_error("speed: %s: %s", r->path, strerror(errno));
    r->is_new = !ok && is_file; /* close_report() removes it */
    close_report(r);
    return ok;
}

bool write_json(json_t *root)
{
    char *json = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(6)); /* three more digits than anyone can measure */
    bool ok = json != NULL;

    if (!ok)
        cli_error("speed: out of memory");
    if (ok && json_file.f)
        ok = write_report(&json_file, json, false);
    if (json && html_file.f)
        ok = write_report(&html_file, json, true) && ok;
    free(json);
    if (old_run)
        ok = compare_print(old_path, old_run, root) && ok;
    json_decref(root);
    return ok;
}

bool write_reports(const struct options *o, const struct results *r, const struct lanecrypt_peer *peer)
{
    return write_json(report(o, r, peer));
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt speed --alg aes-round: AES rounds for emulators, in the form for this CPU, in portable C, and by tables.
 *
 * Calls are through the structure that lc_aes_round_ops() gives, each with the result of the one before in memory, as an emulator's
 * helpers have it; blocks of AES-128 by the inline functions too.  Samples are taken as speed_cell.c says, in turn.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/aes_blocks.h"
#include "bench/aes_table.h"
#include "cli.h"
#include "speed.h"

enum {
    SAMPLES = 41,
    RUN_NS = 20000,
    WIDE = 64, /* blocks in a call that is long enough to show what the AES unit does */
    MAX_FORMS = 5,
};

struct data { /* aligned as vectors of 64 bytes are in what emulators keep */
    _Alignas(64) uint8_t blocks[WIDE][16], keys[WIDE][16], out[WIDE][16];
};

typedef void rounds_run(const struct lc_aes_round_ops *ops, struct data *d, size_t times);

/* ---- Primitives ---- */

#define UNARY(name)                                                                                                                \
    static void run_##name(const struct lc_aes_round_ops *ops, struct data *d, size_t times)                                       \
    {                                                                                                                              \
        while (times--)                                                                                                            \
            ops->name(d->blocks, d->blocks);                                                                                       \
    }
#define KEYED(name)                                                                                                                \
    static void run_##name(const struct lc_aes_round_ops *ops, struct data *d, size_t times)                                       \
    {                                                                                                                              \
        while (times--)                                                                                                            \
            ops->name(d->blocks, d->blocks, d->keys);                                                                              \
    }

UNARY(sb)
UNARY(isb)
UNARY(mc)
UNARY(imc)
KEYED(sb_sr_ak)
KEYED(sb_sr_mc_ak)
KEYED(isb_isr_ak)
KEYED(isb_isr_imc_ak)
KEYED(isb_isr_ak_imc)
KEYED(ak_sb_sr)
KEYED(ak_sb_sr_mc)
KEYED(ak_isb_isr)
KEYED(ak_isb_isr_imc)
KEYED(sb_sr_mc_ak_rev)

static void run_keygenassist(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    while (times--)
        ops->keygenassist(d->blocks, d->blocks, 1);
}

static void run_subword(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint32_t x = d->blocks[0][0];

    while (times--)
        x = ops->subword(x);
    memcpy(d->blocks, &x, sizeof(x));
}

static void run_aes64_esm(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint64_t x[2];

    memcpy(x, d->blocks, sizeof(x));
    while (times--)
        x[0] = ops->aes64_esm(x[0], x[1]);
    memcpy(d->blocks, x, sizeof(x));
}

static void run_aes64_esm2(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint64_t x[2];

    memcpy(x, d->blocks, sizeof(x));
    while (times--)
        ops->aes64_esm2(x, x[0], x[1]);
    memcpy(d->blocks, x, sizeof(x));
}

static void run_aes32_esmi(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint32_t x[2];

    memcpy(x, d->blocks, sizeof(x));
    while (times--)
        x[0] = ops->aes32_esmi(x[1], x[0], 2);
    memcpy(d->blocks, x, sizeof(x));
}

static void run_sb_sr_mc_ak_4(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    while (times--)
        ops->sb_sr_mc_ak_n(d->blocks, d->blocks, d->keys, 4, 16);
}

static void run_sb_sr_mc_ak_wide(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    while (times--)
        ops->sb_sr_mc_ak_n(d->out, d->blocks, d->keys, WIDE, 0);
}

static void run_mc_wide(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    while (times--)
        ops->mc_n(d->out, d->blocks, WIDE);
}

/* ---- AES-128 by a guest's instructions, as in bench/aes_blocks.c ---- */

static void add(uint8_t d[16], const uint8_t k[16])
{
    uint64_t x[2], y[2];

    memcpy(x, d, sizeof(x));
    memcpy(y, k, sizeof(y));
    x[0] ^= y[0];
    x[1] ^= y[1];
    memcpy(d, x, sizeof(x));
}

static void block_x86(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint8_t *x = d->blocks[0];

    while (times--) {
        add(x, d->keys[0]);
        for (int r = 1; r < 10; r++)
            ops->sb_sr_mc_ak(x, x, d->keys[r]);
        ops->sb_sr_ak(x, x, d->keys[10]);
    }
}

static void block_arm(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint8_t *x = d->blocks[0];

    while (times--) {
        for (int r = 0; r < 9; r++) {
            ops->ak_sb_sr(x, x, d->keys[r]);
            ops->mc(x, x);
        }
        ops->ak_sb_sr(x, x, d->keys[9]);
        add(x, d->keys[10]);
    }
}

static void block_arm_pairs(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint8_t *x = d->blocks[0];

    while (times--) {
        for (int r = 0; r < 9; r++)
            ops->ak_sb_sr_mc(x, x, d->keys[r]);
        ops->ak_sb_sr(x, x, d->keys[9]);
        add(x, d->keys[10]);
    }
}

static void block_power(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint8_t *x = d->blocks[0];

    while (times--) {
        add(x, d->keys[0]);
        for (int r = 1; r < 10; r++)
            ops->sb_sr_mc_ak_rev(x, x, d->keys[r]);
        ops->sb_sr_ak_rev(x, x, d->keys[10]);
    }
}

static void block_riscv64(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint64_t x[2], y[2], k[2];

    memcpy(x, d->blocks, sizeof(x));
    while (times--) {
        for (int r = 0; r < 10; r++) {
            uint64_t (*half)(uint64_t, uint64_t) = r < 9 ? ops->aes64_esm : ops->aes64_es;

            memcpy(k, d->keys[r], sizeof(k));
            y[0] = x[0] ^ k[0];
            y[1] = x[1] ^ k[1];
            x[0] = half(y[0], y[1]);
            x[1] = half(y[1], y[0]);
        }
        memcpy(k, d->keys[10], sizeof(k));
        x[0] ^= k[0];
        x[1] ^= k[1];
    }
    memcpy(d->blocks, x, sizeof(x));
}

static void block_riscv64_pairs(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint64_t x[2], k[2];

    memcpy(x, d->blocks, sizeof(x));
    while (times--) {
        for (int r = 0; r < 10; r++) {
            memcpy(k, d->keys[r], sizeof(k));
            (r < 9 ? ops->aes64_esm2 : ops->aes64_es2)(x, x[0] ^ k[0], x[1] ^ k[1]);
        }
        memcpy(k, d->keys[10], sizeof(k));
        x[0] ^= k[0];
        x[1] ^= k[1];
    }
    memcpy(d->blocks, x, sizeof(x));
}

static void block_riscv32(const struct lc_aes_round_ops *ops, struct data *d, size_t times)
{
    uint32_t x[4], y[4];

    memcpy(x, d->blocks, sizeof(x));
    while (times--) {
        memcpy(y, d->keys[0], sizeof(y));
        for (unsigned c = 0; c < 4; c++)
            x[c] ^= y[c];
        for (int r = 1; r <= 10; r++) {
            memcpy(y, d->keys[r], sizeof(y));
            for (unsigned c = 0; c < 4; c++)
                for (unsigned bs = 0; bs < 4; bs++)
                    y[c] = (r < 10 ? ops->aes32_esmi : ops->aes32_esi)(y[c], x[(c + bs) % 4], bs);
            memcpy(x, y, sizeof(x));
        }
    }
    memcpy(d->blocks, x, sizeof(x));
}

/* ---- What is timed ---- */

static const struct rounds_case {
    const char *name;
    rounds_run *run;
    size_t num_blocks;
} primitives[] = {
    { "sb", run_sb, 1 },
    { "isb", run_isb, 1 },
    { "mc", run_mc, 1 },
    { "imc", run_imc, 1 },
    { "sb_sr_ak", run_sb_sr_ak, 1 },
    { "sb_sr_mc_ak", run_sb_sr_mc_ak, 1 },
    { "isb_isr_ak", run_isb_isr_ak, 1 },
    { "isb_isr_imc_ak", run_isb_isr_imc_ak, 1 },
    { "isb_isr_ak_imc", run_isb_isr_ak_imc, 1 },
    { "ak_sb_sr", run_ak_sb_sr, 1 },
    { "ak_sb_sr_mc", run_ak_sb_sr_mc, 1 },
    { "ak_isb_isr", run_ak_isb_isr, 1 },
    { "ak_isb_isr_imc", run_ak_isb_isr_imc, 1 },
    { "sb_sr_mc_ak_rev", run_sb_sr_mc_ak_rev, 1 },
    { "keygenassist", run_keygenassist, 1 },
    { "subword", run_subword, 1 },
    { "aes64_esm", run_aes64_esm, 1 },
    { "aes64_esm2", run_aes64_esm2, 1 },
    { "aes32_esmi", run_aes32_esmi, 1 },
    { "sb_sr_mc_ak_n", run_sb_sr_mc_ak_4, 4 },
    { "sb_sr_mc_ak_n", run_sb_sr_mc_ak_wide, WIDE },
    { "mc_n", run_mc_wide, WIDE },
}, guests[BENCH_NUM_GUESTS] = {
    [BENCH_GUEST_X86] = { "aes-128, x86", block_x86, 1 },
    [BENCH_GUEST_ARM] = { "aes-128, arm", block_arm, 1 },
    [BENCH_GUEST_ARM_PAIRS] = { "aes-128, arm, pairs", block_arm_pairs, 1 },
    [BENCH_GUEST_POWER] = { "aes-128, power", block_power, 1 },
    [BENCH_GUEST_RISCV64] = { "aes-128, riscv64", block_riscv64, 1 },
    [BENCH_GUEST_RISCV64_PAIRS] = { "aes-128, riscv64, pairs", block_riscv64_pairs, 1 },
    [BENCH_GUEST_RISCV32] = { "aes-128, riscv32", block_riscv32, 1 },
};

enum { NUM_PRIMITIVES = sizeof(primitives) / sizeof(primitives[0]) };

/* A column: calls through ops, or the inline functions of the host's name. */
struct form {
    const char *name;
    const struct lc_aes_round_ops *ops;    /* NULL: inlines */
    const struct bench_aes_blocks *blocks; /* NULL: calls */
};

struct line {
    struct form forms[MAX_FORMS]; /* the byte table last */
    size_t num_forms;
    struct result results[MAX_FORMS];
};

static const struct bench_aes_blocks *blocks_of(const char *host)
{
#define FORM(name) extern const struct bench_aes_blocks bench_aes_blocks_##name;
    AES_ROUND_FORMS
#undef FORM
#define FORM(name) &bench_aes_blocks_##name,
    static const struct bench_aes_blocks *const all[] = { AES_ROUND_FORMS };
#undef FORM
    size_t i = 0;

    while (strcmp(all[i]->host, host) != 0)
        i++; /* for every one that the library has there is one */
    return all[i];
}

static const struct lc_aes_round_ops *portable_ops(void)
{
    return lc_aes_round_get(lc_aes_round_count() - 1, NULL);
}

static void add_form(struct line *line, const char *name, const struct lc_aes_round_ops *ops, const struct bench_aes_blocks *blocks)
{
    line->forms[line->num_forms++] = (struct form){ name, ops, blocks };
}

static void choose_forms(struct line *line, bool inlines)
{
    const struct lc_aes_round_ops *host = lc_aes_round_ops();

    line->num_forms = 0;
    if (inlines)
        add_form(line, host->name, NULL, blocks_of(host->name));
    add_form(line, host->name, host, NULL);
    if (host != portable_ops())
        add_form(line, "portable", portable_ops(), NULL);
    add_form(line, bench_aes_word_tables()->name, bench_aes_word_tables(), NULL);
    add_form(line, bench_aes_byte_table()->name, bench_aes_byte_table(), NULL);
}

static void run(const struct rounds_case *c, const struct form *form, struct data *d, size_t times)
{
    if (form->ops)
        c->run(form->ops, d, times);
    else
        form->blocks->run[c - guests](d->blocks[0], (const uint8_t(*)[16])d->keys, times);
}

static void make_data(struct data *d)
{
    for (int i = 0; i < WIDE * 16; i++) {
        d->blocks[i / 16][i % 16] = (uint8_t)(i * 131 + i / 251);
        d->keys[i / 16][i % 16] = (uint8_t)(i * 7 + 1);
        d->out[i / 16][i % 16] = 0;
    }
}

/* Do all forms say what the byte table does? */
static bool check(const struct rounds_case *c, const struct line *line)
{
    struct data expected, d;

    make_data(&expected);
    run(c, &line->forms[line->num_forms - 1], &expected, 3);
    for (size_t i = 0; i + 1 < line->num_forms; i++) {
        make_data(&d);
        run(c, &line->forms[i], &d, 3);
        if (memcmp(&d, &expected, sizeof(d)) != 0) {
            cli_error("speed: aes-round, %s: %s and the byte table differ", c->name, line->forms[i].name);
            return false;
        }
    }
    return true;
}

static double time_run(const struct rounds_case *c, const struct form *form, struct data *d, size_t times)
{
    double start;

    run(c, form, d, 1);
    start = bench_now_ns();
    run(c, form, d, times);
    return (bench_now_ns() - start) / (double)times;
}

static void time_line(const struct rounds_case *c, struct line *line, double *best_ghz)
{
    double samples[MAX_FORMS][SAMPLES], ratios[SAMPLES], ghz = 0;
    size_t times[MAX_FORMS], num = line->num_forms;
    struct data d;

    make_data(&d);
    for (size_t i = 0; i < num; i++) {
        double ns = INFINITY;

        for (int turn = 0; turn < 3; turn++)
            ns = fmin(ns, time_run(c, &line->forms[i], &d, 16));
        times[i] = (size_t)(RUN_NS / ns) + 1;
    }
    for (int s = 0; s < SAMPLES; s++) {
        ghz = fmax(ghz, bench_ghz());
        for (size_t i = 0; i < num; i++)
            samples[i][s] = time_run(c, &line->forms[i], &d, times[i]);
    }
    for (size_t i = 0; i < num; i++) {
        for (int s = 0; s < SAMPLES; s++)
            ratios[s] = samples[num - 1][s] / samples[i][s];
        line->results[i].ratio = quantile(ratios, SAMPLES, 0.5);
    }
    for (size_t i = 0; i < num; i++) {
        struct result *r = &line->results[i];

        r->ns_median = quantile(samples[i], SAMPLES, 0.5);
        r->ns = samples[i][0]; /* sorted now */
        r->cycles = r->ns * ghz;
    }
    *best_ghz = fmax(*best_ghz, ghz);
}

/* ---- Reports ---- */

static void print_lines(const struct rounds_case *cases, const struct line *lines, size_t num)
{
    size_t num_forms = lines[0].num_forms;

    printf("%-26s", "");
    for (size_t i = 0; i < num_forms; i++) {
        char title[32];

        snprintf(title, sizeof(title), "%s%s", lines[0].forms[i].name, lines[0].forms[i].ops ? "" : " inline");
        printf("  %17s", title);
    }
    printf("  %s\n", "x byte table");
    for (const struct line *line = lines; line < lines + num; line++) {
        const struct rounds_case *c = &cases[line - lines];
        char label[40];

        snprintf(label, sizeof(label), c->num_blocks > 1 ? "%s, %zu blocks" : "%s", c->name, c->num_blocks);
        printf("%-26s", label);
        for (size_t i = 0; i < num_forms; i++)
            printf("  %8.1f %8.1f", line->results[i].cycles, line->results[i].ns);
        printf("  %12.1f\n", line->results[0].ratio);
    }
}

static void print_report(const struct line *rounds, const struct line *blocks, double units, double ghz)
{
    const struct line *wide = rounds;

    print_header(ghz, NULL);
    printf("\naes-round: a call through lc_aes_round_ops(), whose input is the last call's result; in cycles and nanoseconds\n");
    print_lines(primitives, rounds, NUM_PRIMITIVES);
    printf("\na block of AES-128 with its keys ready, instruction by instruction: the inline functions, and calls\n");
    print_lines(guests, blocks, BENCH_NUM_GUESTS);
    while (primitives[wide - rounds].run != run_sb_sr_mc_ak_wide)
        wide++;
    if (units > 0)
        printf("\nthe AES unit does a round in %.2f ns at best, sb_sr_mc_ak_n for %d blocks one in %.2f ns\n", 1 / units, WIDE,
               wide->results[0].ns / WIDE);
}

static void add_rows(json_t *rows, const struct rounds_case *cases, const struct line *lines, size_t num)
{
    for (const struct line *line = lines; line < lines + num; line++)
        for (size_t i = 0; i < line->num_forms; i++) {
            const struct rounds_case *c = &cases[line - lines];
            const struct result *r = &line->results[i];

            json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:b, s:I, s:f, s:f, s:f, s:f}", "alg", "aes-round", "primitive",
                                                  c->name, "form", line->forms[i].name, "inline", line->forms[i].ops == NULL,
                                                  "num_blocks", (json_int_t)c->num_blocks, "ns", r->ns, "ns_median", r->ns_median,
                                                  "cycles", r->cycles, "ratio", r->ratio));
        }
}

bool speed_rounds(const char *json_path)
{
    static struct line rounds[NUM_PRIMITIVES], blocks[BENCH_NUM_GUESTS];
    double ghz = 0, units = bench_unit_per_ns(BENCH_AES);
    json_t *root, *rows;
    bool ok = true;

    for (size_t i = 0; ok && i < NUM_PRIMITIVES + BENCH_NUM_GUESTS; i++) {
        bool is_guest = i >= NUM_PRIMITIVES;
        const struct rounds_case *c = is_guest ? &guests[i - NUM_PRIMITIVES] : &primitives[i];
        struct line *line = is_guest ? &blocks[i - NUM_PRIMITIVES] : &rounds[i];

        choose_forms(line, is_guest);
        ok = check(c, line);
        if (ok)
            time_line(c, line, &ghz);
    }
    units = fmax(units, bench_unit_per_ns(BENCH_AES));
    if (ok && !(json_path && strcmp(json_path, "-") == 0))
        print_report(rounds, blocks, units, ghz);
    if (!ok)
        return false;
    root = report_head(ghz);
    rows = json_array();
    json_object_set_new(root, "aes_rounds_per_ns", json_real(units));
    json_object_set_new(root, "rows", rows);
    add_rows(rows, primitives, rounds, NUM_PRIMITIVES);
    add_rows(rows, guests, blocks, BENCH_NUM_GUESTS);
    return write_json(root);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt speed --compare`: what has become slower or faster since an earlier run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "speed.h"

/* A change that is smaller is noise, whatever the two runs say of theirs. */
#define LEAST_NOISE 0.03

/* What says which cell a row is about; any row has some of them. */
static const char *const key_members[] = {
    "alg", "op", "primitive", "impl", "form", "size", "num_blocks", "batch", "inline", "cold"
};
enum { NUM_KEY_MEMBERS = sizeof(key_members) / sizeof(key_members[0]) };

static bool is_same_cell(const json_t *a, const json_t *b)
{
    for (size_t i = 0; i < NUM_KEY_MEMBERS; i++) {
        json_t *va = json_object_get(a, key_members[i]), *vb = json_object_get(b, key_members[i]);

        if (va != vb && !json_equal(va, vb))
            return false;
    }
    return true;
}

static json_t *find_cell(json_t *rows, const json_t *cell)
{
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
        if (is_same_cell(row, cell))
            return row;
    return NULL;
}

static void print_key(const json_t *row)
{
    for (size_t i = 0; i < NUM_KEY_MEMBERS; i++) {
        const char *name = key_members[i];
        const json_t *v = json_object_get(row, name);

        if (json_is_string(v))
            printf("%s ", json_string_value(v));
        else if (json_is_true(v))
            printf("%s ", name);
        else if (json_is_integer(v) && strcmp(name, "batch") == 0)
            printf("x %lld ", (long long)json_integer_value(v));
        else if (json_is_integer(v))
            printf("%lld %s ", (long long)json_integer_value(v), strcmp(name, "size") == 0 ? "bytes" : "blocks");
    }
}

static double number(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

/* By how much a run's usual time is above its best. */
static double noise_of(const json_t *row)
{
    return number(row, "ns_median") / number(row, "ns") - 1;
}

json_t *compare_open(const char *path)
{
    json_error_t error;
    json_t *old = json_load_file(path, 0, &error), *rows = json_object_get(old, "rows"), *row;
    size_t i;

    if (!old) {
        cli_error("speed: --compare %s: %s", path, error.text);
        return NULL;
    }
    json_array_foreach(rows, i, row)
        if (!(number(row, "ns") > 0))
            break;
    if (json_array_size(rows) > 0 && i == json_array_size(rows))
        return old;
    cli_error("speed: --compare %s: that isn't what `lanecrypt speed --json` writes, without --curve", path);
    json_decref(old);
    return NULL;
}

bool compare_print(const char *path, json_t *old, const json_t *now)
{
    static const char *const heads[] = { "cpu", "version", "date" };
    json_t *old_rows = json_object_get(old, "rows"), *row;
    size_t i, num = 0, slower = 0, faster = 0;

    printf("\nthis run beside %s:", path);
    for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        const char *text = json_string_value(json_object_get(old, heads[i]));
        char *escaped = cli_escape(text ? text : "?");

        printf("%s %s", i ? "," : "", escaped ? escaped : "?");
        free(escaped);
    }
    puts("");
    if (!json_equal(json_object_get(old, "cpu"), json_object_get(now, "cpu")))
        puts("These are two kinds of CPU, so this doesn't say what the code has gained or lost.");
    json_array_foreach(json_object_get(now, "rows"), i, row) {
        const json_t *was = find_cell(old_rows, row);
        bool has_cycles = number(row, "cycles") > 0 && number(was, "cycles") > 0;
        const char *unit = has_cycles ? "cycles" : "ns";
        double ratio = number(row, unit) / number(was, unit), noise = was ? fmax(noise_of(row), noise_of(was)) : 0;
        bool is_slower = ratio > 1 + fmax(noise, LEAST_NOISE), is_faster = 1 / ratio > 1 + fmax(noise, LEAST_NOISE);

        if (!was)
            continue;
        num++;
        slower += is_slower;
        faster += is_faster;
        if (is_slower || is_faster) {
            printf("%s %.2f  ", is_slower ? "slower" : "faster", ratio);
            print_key(row);
            printf(" %.0f -> %.0f %s\n", number(was, unit), number(row, unit), unit);
        }
    }
    printf("%zu slower, %zu faster, %zu the same, but for noise; %zu cells are only in the old run, %zu only in this one\n", slower,
           faster, num - slower - faster, json_array_size(old_rows) - num, json_array_size(json_object_get(now, "rows")) - num);
    if (num == 0)
        cli_error("speed: --compare %s: it has none of the cells of this run; give the options that it was made with", path);
    return num > 0 && slower == 0;
}

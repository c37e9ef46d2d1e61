/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt list --kernel`: which driver the kernel's crypto API takes for an algorithm, worked out from /proc/crypto. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* What lanecrypt's kernel module has drivers for, the mode of the library that it belongs to, and who keeps a driver. */
static const struct {
    const char *mode, *name, *users;
} algs[] = {
    { "xts", "xts(aes)", "mapped devices that were opened" },
    { "ctr", "ctr(aes)", "users that asked" },
    { "gcm", "gcm(aes)", "users that asked" },
    { "gcm", "rfc4106(gcm(aes))", "IPsec associations that were made" },
    { "chacha20-poly1305", "rfc7539(chacha20,poly1305)", "users that asked" },
    { "chacha20-poly1305", "rfc7539esp(chacha20,poly1305)", "IPsec associations that were made" },
};
#define NUM_ALGS (sizeof(algs) / sizeof(algs[0]))

/* The fields that matter, in any order.  Every entry has those before NUM_NEEDED, whatever the kernel and the type. */
enum { NAME, DRIVER, MODULE, PRIORITY, REFCNT, SELFTEST, TYPE, NUM_NEEDED, INTERNAL = NUM_NEEDED, NUM_FIELDS };
static const char *const field_names[] = { "name", "driver", "module", "priority", "refcnt", "selftest", "type", "internal" };

/* The kernel's names have at most 127 characters, with 15 before them.  No kernel has nearly as many drivers. */
enum { LINE_SIZE = 256, MAX_DRIVERS = 256 };

struct entry {
    char field[NUM_FIELDS][LINE_SIZE];
    unsigned seen; /* bit f: field f was there; the driver of a larval entry can be empty */
    size_t alg;
    long long priority, users;
    int64_t rank; /* in the output: by algorithm, and the highest priority first */
};

static struct entry drivers[MAX_DRIVERS]; /* by rank */
static size_t num_drivers;
static bool any_entry, module_loaded;

static bool is(const struct entry *e, int field, const char *value)
{
    return strcmp(e->field[field], value) == 0;
}

static bool parse_integer(const char *text, long long min, long long max, long long *value)
{
    char *end;

    *value = strtoll(text, &end, 10); /* out of its range it returns its limit, which is out of ours */
    return end != text && *end == '\0' && *value >= min && *value <= max;
}

/* The parsers below return false for what /proc/crypto never has. */
static bool parse_line(struct entry *e, const char *line)
{
    const char *colon = strchr(line, ':');
    size_t name_len = colon ? (size_t)(colon - line) : 0;

    for (const char *p = line; *p; p++)
        if (!isprint((unsigned char)*p)) /* nor may a file of somebody else's send such to the terminal */
            return false;
    while (name_len && line[name_len - 1] == ' ')
        name_len--;
    for (int f = 0; name_len && f < NUM_FIELDS; f++)
        if (strlen(field_names[f]) == name_len && memcmp(field_names[f], line, name_len) == 0) {
            if (e->seen >> f & 1) /* the empty line between two entries was lost */
                return false;
            e->seen |= 1U << f;
            strcpy(e->field[f], colon + 1 + strspn(colon + 1, " ")); /* no longer than the line */
        }
    return name_len != 0;
}

static bool end_entry(struct entry *e, const char *mode)
{
    size_t at = num_drivers;

    if (~e->seen & ((1U << NUM_NEEDED) - 1) || !parse_integer(e->field[PRIORITY], INT32_MIN, INT32_MAX, &e->priority) ||
        !parse_integer(e->field[REFCNT], 1, UINT32_MAX, &e->users))
        return false;
    e->users--; /* being registered counts as one */
    any_entry = true;
    module_loaded = module_loaded || is(e, MODULE, "lanecrypt");

    while (e->alg < NUM_ALGS && !(is(e, NAME, algs[e->alg].name) && (!mode || strcmp(mode, algs[e->alg].mode) == 0)))
        e->alg++;
    /* A larval entry stands for a driver under test, under the driver's own name; internal ones aren't for users. */
    if (e->alg == NUM_ALGS || is(e, TYPE, "larval") || is(e, INTERNAL, "yes"))
        return true;
    if (num_drivers == MAX_DRIVERS)
        return false;
    e->rank = ((int64_t)e->alg << 32) - e->priority;
    for (; at && drivers[at - 1].rank > e->rank; at--) /* of two with the same priority the kernel takes the first */
        drivers[at] = drivers[at - 1];
    drivers[at] = *e;
    num_drivers++;
    return true;
}

static bool read_drivers(const char *path, const char *mode)
{
    struct entry e = { .seen = 0 };
    char line[LINE_SIZE];
    size_t num_lines = 0;
    bool more = true, ok = true;
    FILE *f = fopen(path, "r");

    while (f && more && ok) {
        more = fgets(line, sizeof(line), f) != NULL;
        size_t len = more ? strlen(line) : 0;

        num_lines++;
        /* Neither a line that is too long nor one with a NUL; the last may lack its end. */
        ok = !more || (len && (line[len - 1] == '\n' || feof(f)));
        while (len && strchr(" \r\n", line[len - 1])) /* a copy that came over a serial line has \r */
            line[--len] = '\0';
        if (len) {
            ok = ok && parse_line(&e, line);
        } else if (ok && e.seen) {
            ok = end_entry(&e, mode);
            e = (struct entry){ .seen = 0 };
        }
    }
    ok = ok && any_entry;
    if (!f || ferror(f))
        cli_error("list: %s: %s", path, strerror(errno));
    else if (!ok)
        cli_error("list: %s, line %zu: not in the form of /proc/crypto, or cut off", path, num_lines);
    ok = ok && !ferror(f); /* without f there is no entry either */
    if (f)
        fclose(f);
    return ok;
}

/* What is asked for by the algorithm's name gets the first that has passed its self-test. */
static const struct entry *chosen(size_t alg)
{
    for (const struct entry *e = drivers; e < drivers + num_drivers; e++)
        if (e->alg == alg && is(e, SELFTEST, "passed"))
            return e;
    return NULL;
}

static void print_facts(size_t alg)
{
    const struct entry *best = chosen(alg);
    long long others_users = 0;
    bool any = false;

    for (const struct entry *e = drivers; e < drivers + num_drivers; e++) {
        if (e->alg != alg)
            continue;
        any = true;
        others_users += e == best ? 0 : e->users;
        if (is(e, MODULE, "lanecrypt") && !is(e, SELFTEST, "passed"))
            printf("%s hasn't passed the kernel's self-test: it failed (see dmesg), or is still running.\n", e->field[DRIVER]);
    }
    if (!best)
        printf("%s: %s.\n", algs[alg].name,
               any ? "no driver has passed its self-test" : "no driver yet; the kernel looks for one when it is first needed");
    else if (is(best, MODULE, "lanecrypt") && others_users)
        printf("%s: %lld user%s of other drivers: %s earlier keep the driver they got.\n", algs[alg].name, others_users,
               others_users == 1 ? "" : "s", algs[alg].users);
}

int list_kernel(const char *path, const char *mode)
{
    bool known = !mode;
    int alg_width = 18, width = 6;

    for (size_t i = 0; i < NUM_ALGS; i++)
        known = known || strcmp(mode, algs[i].mode) == 0;
    if (!known) {
        cli_error("list: --kernel: lanecrypt's kernel module has no mode '%s', only xts, ctr, gcm and chacha20-poly1305", mode);
        return EXIT_USAGE;
    }
    if (!read_drivers(path, mode))
        return EXIT_FAILED;
    for (const struct entry *e = drivers; e < drivers + num_drivers; e++) {
        if ((int)strlen(algs[e->alg].name) > alg_width)
            alg_width = (int)strlen(algs[e->alg].name);
        if ((int)strlen(e->field[DRIVER]) > width)
            width = (int)strlen(e->field[DRIVER]);
    }
    printf("%-*s %-*s %8s  %-9s %5s  %s\n", alg_width, "algorithm", width, "driver", "priority", "self-test", "users", "module");
    for (const struct entry *e = drivers; e < drivers + num_drivers; e++) {
        printf("%-*s %-*s %8lld  %-9s", alg_width, algs[e->alg].name, width, e->field[DRIVER], e->priority, e->field[SELFTEST]);
        printf(e == chosen(e->alg) ? " %5lld  %-12s chosen\n" : " %5lld  %s\n", e->users, e->field[MODULE]);
    }
    puts("\nchosen: what a new user gets, such as a dm-crypt mapping; users: how many have the driver open now.");
    if (!module_loaded)
        puts("lanecrypt's module isn't loaded: run `modprobe lanecrypt`; docs/linux.md tells how to install it.");
    for (size_t i = 0; i < NUM_ALGS; i++)
        if (!mode || strcmp(mode, algs[i].mode) == 0)
            print_facts(i);
    return EXIT_OK;
}

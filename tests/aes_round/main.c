/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tests of AES rounds.
 *
 *      aes_round [-s NAME] [-i COUNT] VECTORS KNOWN_ANSWERS...
 *
 * Without OWN_FORM: the library's forms, all that this CPU can run, and which one is chosen.  With it: the structure of that name.
 * That is the one that aes_round_ops.c makes with the program's options, so the header's inline functions by them; or the model.
 *
 * -s: the form that has to be chosen; on a CPU that cannot run it, it is a later one.  With OWN_FORM, its name.
 * -i: how many instructions of the file of vectors this host has to have, and do as the file says.  The form of -s has to be chosen
 * then without any such excuse.
 */
#define _DEFAULT_SOURCE
#include "check.h"

#include <lanecrypt/cpu.h>
#include <sys/wait.h>
#include <unistd.h>

/* What comes of a million states, on every host. */
#define MILLION_STATES 0x560d2a076bc9eb83u

static void check(const ops_t *ops, char **files)
{
    unsigned cases, num_instructions, answers = 0;
    uint64_t hash;

    testing = ops->name;
    check_steps(ops);
    check_standard(ops);
    for (char **file = files + 1; *file; file++)
        answers += check_known_answers(ops, *file);
    cases = check_vectors(ops, files[0], &num_instructions);
    hash = million_states(ops);
    printf("%s: %u known answers, %u cases of %u instructions, a million states: %016llx\n", ops->name, answers, cases,
           num_instructions, (unsigned long long)hash);
    if (hash != MILLION_STATES)
        fail("a million states should give %016llx", (unsigned long long)MILLION_STATES);
}

#ifdef OWN_FORM
extern const ops_t OWN_FORM;

static void check_forms(const char *selected, unsigned own, char **files)
{
    (void)own;
    testing = OWN_FORM.name;
    if (selected && strcmp(OWN_FORM.name, selected))
        fail("the header's form should be %s", selected);
    check(&OWN_FORM, files);
}
#else

/* ---- Which form is chosen: not on big-endian hosts, whose library has no lc_cpu_features() ---- */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The names of the features that a form needs, and of those without which it is passed over. */
static const struct {
    const char *form, *needs, *prefers;
} known_forms[] = {
    { "vaes-512", "ssse3 aes pclmulqdq avx avx2 vaes avx512f", "prefer_zmm" },
    { "vaes-256", "ssse3 aes pclmulqdq avx avx2 vaes", "" },
    { "aesni", "ssse3 aes pclmulqdq", "" },
    { "gfni", "ssse3 gfni", "" },
    { "ssse3", "ssse3", "" },
    { "armv8", "neon aes pmull", "" },
    { "neon", "neon", "" },
    { "power8", "vcrypto", "" },
    { "zkn", "zknd zkne", "" },
    { "zvkned", "zvkned", "" },
    { "portable", "", "" },
};

#define NUM_KNOWN_FORMS (sizeof(known_forms) / sizeof(known_forms[0]))

static int have(const char *features)
{
    for (size_t len; *features; features += len + (features[len] == ' ')) {
        int found = 0;

        len = strcspn(features, " ");
        for (unsigned bit = 0; bit < 64; bit++) {
            const char *name = lc_cpu_feature_name((uint64_t)1 << bit);

            if (name && strlen(name) == len && !strncmp(name, features, len))
                found = (int)(lc_cpu_features() >> bit & 1);
        }
        if (!found)
            return 0;
    }
    return 1;
}

static void check_choice(void)
{
    const ops_t *ops, *best = NULL;
    size_t i;
    int runs_here;

    for (i = 0; (ops = lc_aes_round_get(i, &runs_here)) != NULL; i++) {
        size_t n = 0;

        while (n < NUM_KNOWN_FORMS && strcmp(known_forms[n].form, ops->name))
            n++;
        if (n == NUM_KNOWN_FORMS)
            fail("no form should be called %s", ops->name);
        if (runs_here != have(known_forms[n].needs))
            fail("%s %s, it is said", ops->name, runs_here ? "can run here" : "cannot run here");
        if (!best && runs_here && have(known_forms[n].prefers))
            best = ops;
    }
    if (i != lc_aes_round_count())
        fail("there are %zu forms, not %zu", i, lc_aes_round_count());
    if (lc_aes_round_ops() != best)
        fail("%s is chosen, but should be %s", lc_aes_round_ops()->name, best ? best->name : "another");
}

/* With each feature taken away by itself, each time in a process of its own, as the library looks once. */
static void check_choices(void)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        const char *name = lc_cpu_feature_name((uint64_t)1 << bit);
        pid_t child;
        int status;

        if (!name)
            continue;
        child = fork();
        if (child == 0) {
            testing = name;
            setenv("LANECRYPT_DISABLE", name, 1);
            check_choice();
            exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            fail("the choice without %s", name);
    }
    check_choice();
}
#else
static void check_choices(void)
{
}
#endif

static void check_forms(const char *selected, unsigned own, char **files)
{
    const ops_t *chosen, *ops;
    int runs_here, last_runs = 0, known = 0, chosen_seen = 0;

    check_choices();
    chosen = lc_aes_round_ops();
    testing = chosen->name;
    if (selected && own && strcmp(chosen->name, selected))
        fail("chosen, but should be %s on a CPU with its instructions", selected);
    for (size_t i = 0; (ops = lc_aes_round_get(i, &runs_here)) != NULL; i++) {
        if (selected && !strcmp(ops->name, selected)) {
            known = 1;
            if (runs_here && chosen != ops)
                fail("chosen, but should be %s", selected);
        }
        if (ops == chosen) {
            chosen_seen = 1;
            if (!runs_here)
                fail("chosen, but cannot run here");
            if (selected && !known)
                fail("chosen, but should be %s or one after it", selected);
        }
        if (!runs_here)
            printf("%s: cannot run here\n", ops->name);
        last_runs = runs_here;
    }
    if (!chosen_seen || !last_runs || lc_aes_round_get(lc_aes_round_count(), NULL) || lc_aes_round_ops() != chosen)
        fail("the list of forms is wrong");
    printf("chosen: %s\n", chosen->name);

    for (size_t i = 0; (ops = lc_aes_round_get(i, &runs_here)) != NULL; i++)
        if (runs_here)
            check(ops, files);
}
#endif

int main(int argc, char **argv)
{
    const char *selected = NULL;
    unsigned cases, own, own_expected = 0;
    int i = 1;

    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        if (!strcmp(argv[i], "-s"))
            selected = argv[i + 1];
        else if (!strcmp(argv[i], "-i"))
            own_expected = (unsigned)atoi(argv[i + 1]);
        else
            break;
    }
    if (argc - i < 2 || argv[i][0] == '-') {
        fprintf(stderr, "usage: %s [-s NAME] [-i COUNT] VECTORS KNOWN_ANSWERS...\n", argv[0]);
        return 2;
    }
    model_start();

    testing = "own instructions";
    cases = check_vectors(NULL, argv[i], &own);
    printf("this CPU's own instructions: %u, %u cases\n", own, cases);
    if (own < own_expected)
        fail("there should be %u", own_expected);

    check_forms(selected, own_expected, argv + i);
    return 0;
}

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
 * -i: how many instructions of the file of vectors this host has to have, and do as the file says.
 */
#include "check.h"

/* What comes of a million states, on every host. */
#define MILLION_STATES 0xfef3d19be47ae164u

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

static void check_forms(const char *selected, char **files)
{
    testing = OWN_FORM.name;
    if (selected && strcmp(OWN_FORM.name, selected))
        fail("the header's form should be %s", selected);
    check(&OWN_FORM, files);
}
#else
static void check_forms(const char *selected, char **files)
{
    const ops_t *const chosen = lc_aes_round_ops(), *ops;
    int runs_here, last_runs = 0, known = 0, chosen_seen = 0;

    testing = chosen->name;
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
                fail("chosen, but should be %s or one behind it", selected);
        }
        if (!runs_here)
            printf("%s: cannot run here\n", ops->name);
        last_runs = runs_here;
        if (lc_aes_round_count() <= i)
            fail("there are more forms than lc_aes_round_count()");
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
    check_forms(selected, argv + i);

    testing = "own instructions";
    cases = check_vectors(NULL, argv[i], &own);
    printf("this CPU's own instructions: %u, %u cases\n", own, cases);
    if (own < own_expected)
        fail("there should be %u", own_expected);
    return 0;
}

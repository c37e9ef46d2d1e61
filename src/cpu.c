/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Features: found once, less what LANECRYPT_DISABLE takes away.
 *
 * "Once" is one atomic word.  Threads that come first at the same time all detect, get the same answer and store the same
 * word, so no lock is needed and any thread may be first.  The rows are settled on at the same time, before the word is stored.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>

#include "internal.h"

#define DETECTED (UINT64_C(1) << 63) /* set in the word once it holds an answer */
#define BAD_ENV (UINT64_C(1) << 62)  /* LANECRYPT_DISABLE or LANECRYPT_IMPL can't be followed */

static _Atomic uint64_t cached;

static const struct {
    uint64_t bit;
    const char *name;
} feature_names[] = {
#define ROW(bit, NAME, name) { LC_##NAME, name },
    LC_FEATURES(ROW)
#undef ROW
        { 0, NULL },
};

static const char *environment(const char *name)
{
#if defined(__linux__)
    return secure_getenv(name);
#else
    return getenv(name);
#endif
}

const char *lc_parse_features(const char *list, uint64_t *bits)
{
    *bits = 0;
    while (*list) {
        size_t len = strcspn(list, ",");
        size_t i = 0;

        while (feature_names[i].name && (strlen(feature_names[i].name) != len || memcmp(feature_names[i].name, list, len) != 0))
            i++;
        if (!feature_names[i].name)
            return list;
        *bits |= feature_names[i].bit;
        list += len;
        if (*list == ',' && !*++list)
            return list - 1; /* nothing after the comma */
    }
    return NULL;
}

static uint64_t features_word(void)
{
    uint64_t word = atomic_load_explicit(&cached, memory_order_acquire);

    if (!(word & DETECTED)) {
        const char *policy, *disable = environment("LANECRYPT_DISABLE"), *impls = environment("LANECRYPT_IMPL");
        uint64_t off = 0;
        int bad;

        word = lc_cpu_detect(&policy);
        bad = disable && lc_parse_features(disable, &off);
        word &= ~off;
        bad |= impls && lc_parse_impls(impls, NULL, word, NULL);
        lc_settle_rows(word, bad ? NULL : impls);
        word |= DETECTED | (bad ? BAD_ENV : 0);
        atomic_store_explicit(&cached, word, memory_order_release);
    }
    return word;
}

uint64_t lc_cpu_features(void)
{
    return features_word() & ~(DETECTED | BAD_ENV);
}

int lc_env_is_bad(void)
{
    return (features_word() & BAD_ENV) != 0;
}

uint64_t lc_cpu_features_detected(void)
{
    const char *policy;

    return lc_cpu_detect(&policy);
}

const char *lc_cpu_zmm_policy(void)
{
    const char *policy;

    lc_cpu_detect(&policy);
    return policy;
}

const char *lc_cpu_feature_name(uint64_t bit)
{
    for (size_t i = 0; feature_names[i].name; i++)
        if (feature_names[i].bit == bit)
            return feature_names[i].name;
    return NULL;
}

const char *lc_env_problem(void)
{
    const char *list = environment("LANECRYPT_DISABLE"), *bad;
    uint64_t bits;

    if (list && (bad = lc_parse_features(list, &bits)))
        return bad;
    list = environment("LANECRYPT_IMPL");
    return list ? lc_parse_impls(list, NULL, lc_cpu_features(), NULL) : NULL;
}

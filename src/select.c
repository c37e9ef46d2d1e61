/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The one selector.  A mode is a table of rows, best first; the row that runs is the first whose needs the CPU has and that
 * policy doesn't pass over.  Nowhere else does a feature bit meet an implementation.
 */
#include <stdatomic.h>

#include "internal.h"

/* LC_CIPHERS_ONLY: for what is linked with the ciphers and nothing else; this table would draw all modes in. */
static const struct lc_mode *const modes[] = {
    &lc_xts_mode,       &lc_ctr_mode,    &lc_gcm_mode,    &lc_chacha20_mode,   &lc_poly1305_mode,  &lc_chacha20poly1305_mode,
#ifndef LC_CIPHERS_ONLY
    &lc_sha256_mode,    &lc_sha512_mode, &lc_sm3_mode,    &lc_ecdsa_p256_mode, &lc_ecdh_p256_mode, &lc_ecdsa_p384_mode,
    &lc_ecdh_p384_mode, &lc_sm2_mode,    &lc_x25519_mode, &lc_ed25519_mode,    &lc_rsa_mode
#endif
};
#define NUM_MODES (sizeof(modes) / sizeof(modes[0]))

/* Is the word that ends at a comma or at the end of the string this name? */
static int word_is(const char *word, size_t len, const char *name)
{
    return strlen(name) == len && memcmp(word, name, len) == 0;
}

const struct lc_impl *lc_best_row(const struct lc_mode *mode, uint64_t features)
{
    size_t i = 0;

    while (i + 1 < mode->num_rows && (lc_mode_row(mode, i)->needs | lc_mode_row(mode, i)->prefers) & ~features)
        i++;
    return lc_mode_row(mode, i);
}

const struct lc_impl *lc_row_by_name(const struct lc_mode *mode, const char *name, uint64_t features)
{
    for (size_t i = 0; i < mode->num_rows; i++) {
        const struct lc_impl *row = lc_mode_row(mode, i);

        if (word_is(name, strcspn(name, ","), row->name))
            return row->needs & ~features ? NULL : row;
    }
    return NULL;
}

const char *lc_parse_impls(const char *list, const struct lc_mode *mode, uint64_t features, const struct lc_impl **row)
{
    while (*list) {
        size_t len = strcspn(list, ","), mode_len = strcspn(list, "=,");
        const struct lc_mode *m = NULL;
        const struct lc_impl *found;

        for (size_t i = 0; i < NUM_MODES; i++)
            if (word_is(list, mode_len, modes[i]->name))
                m = modes[i];
        if (!m || list[mode_len] != '=' || !(found = lc_row_by_name(m, list + mode_len + 1, features)))
            return list;
        if (m == mode)
            *row = found;
        list += len;
        if (*list == ',' && !*++list)
            return list - 1; /* nothing after the comma */
    }
    return NULL;
}

void lc_settle_rows(uint64_t features, const char *impls)
{
    for (size_t i = 0; i < NUM_MODES; i++) {
        const struct lc_impl *row = lc_best_row(modes[i], features);

        if (impls)
            lc_parse_impls(impls, modes[i], features, &row);
        atomic_store_explicit(modes[i]->selected, row, memory_order_relaxed);
    }
}

int lc_select(const struct lc_mode *mode, const char *name, const struct lc_impl **row)
{
    const struct lc_impl *found;

    /* A problem in the environment is an error for inits by name too: what was asked for there isn't what runs. */
    if (lc_env_is_bad())
        return LC_ERR_ENV;
    if (!name)
        found = atomic_load_explicit(mode->selected, memory_order_relaxed);
    else if (strchr(name, ','))
        found = NULL; /* words end at commas: don't take the first one for the name */
    else
        found = lc_row_by_name(mode, name, lc_cpu_features());
    if (!found)
        return LC_ERR_IMPL;
    *row = found;
    return LC_OK;
}

static const struct lc_mode *mode_by_name(const char *name)
{
    for (size_t i = 0; i < NUM_MODES; i++)
        if (strcmp(name, modes[i]->name) == 0)
            return modes[i];
    return NULL;
}

const char *lc_mode_name(size_t index)
{
    return index < NUM_MODES ? modes[index]->name : NULL;
}

size_t lc_impl_count(const char *name)
{
    const struct lc_mode *mode = mode_by_name(name);

    return mode ? mode->num_rows : 0;
}

int lc_impl_get(const char *name, size_t index, struct lc_impl_info *out)
{
    const struct lc_mode *mode = mode_by_name(name);
    const struct lc_impl *row, *selected;
    uint64_t features = lc_cpu_features();

    if (!mode || index >= mode->num_rows)
        return LC_ERR_IMPL;
    row = lc_mode_row(mode, index);
    out->name = row->name;
    out->needs = row->needs;
    out->prefers = row->prefers;
    out->runs_here = !(row->needs & ~features);
    out->preferred_here = !((row->needs | row->prefers) & ~features);
    out->selected = lc_select(mode, NULL, &selected) == LC_OK && row == selected;
    out->text_len = row->text_len ? *row->text_len : 0;
    return LC_OK;
}

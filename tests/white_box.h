/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the tests need of src/internal.h, in a form that C++ can read (that header has C11 atomics in it).  One mode at a time
 * is all that is asked for, so modes go by their name here; the functions fail by abort() if there is no such mode.
 */
#ifndef LC_TESTS_WHITE_BOX_H
#define LC_TESTS_WHITE_BOX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "aes.h"
#include "aes_bitslice.h"
#include "feature_list.h"

/* lc_best_row(): the name of the row. */
const char *wb_best_row(const char *mode, uint64_t features);

/* The name of that row's class, without LC_CLASS_. */
const char *wb_best_class(const char *mode, uint64_t features);

/* The class of row i, an enum lc_class: a better one is less. */
int wb_row_class(const char *mode, size_t i);
int wb_row_is_portable(const char *mode, size_t i);

/* lc_row_by_name(): the name of the row, or NULL. */
const char *wb_row_by_name(const char *mode, const char *name, uint64_t features);

/* lc_parse_features(). */
const char *wb_parse_features(const char *list, uint64_t *bits);

/* lc_parse_impls(); *row: the name of the row, untouched if the list has none for the mode. */
const char *wb_parse_impls(const char *list, const char *mode, uint64_t features, const char **row);

/* How many powers of the hash key are first in a GCM key of x86-64's rows; that is what the kernel makes. */
size_t wb_gcm_powers(int avx512);

#ifdef __cplusplus
}
#endif
#endif

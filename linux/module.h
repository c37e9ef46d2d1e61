/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the files of the kernel module share. */
#ifndef LC_LINUX_MODULE_H
#define LC_LINUX_MODULE_H

#include <linux/crypto.h>

#include "../src/internal.h"

/* The features of this CPU that the kernel lets be used, and the policy on 512-bit vectors. */
extern uint64_t lc_kernel_features;

/*
 * Give alg the driver name, which begins with `prefix`, and the priority of an implementation: rank 0 is the best of its mode.
 * False if this CPU can't run it; then the name has been made all the same.
 */
bool lc_kernel_describe(struct crypto_alg *alg, const char *prefix, const struct lc_impl *impl, unsigned int rank);

#define RFC4106_PREFIX "rfc4106-"

/* xts.c, ctr.c, gcm.c */
const struct lc_impl *lc_kernel_xts_impl(unsigned int i); /* NULL behind the last */
const struct lc_impl *lc_kernel_ctr_impl(unsigned int i);
const struct lc_impl *lc_kernel_gcm_impl(unsigned int i);
int lc_kernel_xts_register(void); /* on failure nothing is registered */
int lc_kernel_ctr_register(void);
int lc_kernel_gcm_register(void);
void lc_kernel_xts_unregister(void);
void lc_kernel_ctr_unregister(void);
void lc_kernel_gcm_unregister(void);

#endif

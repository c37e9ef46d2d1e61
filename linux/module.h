/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the files of the kernel module share. */
#ifndef LC_LINUX_MODULE_H
#define LC_LINUX_MODULE_H

#include <linux/crypto.h>

#include "../src/internal.h"

/* The features of this CPU that the kernel lets be used, and the policy on 512-bit vectors. */
extern uint64_t lc_kernel_features;

/*
 * Give alg the driver name and the priority of an implementation: rank 0 is the best of its mode.  False if this CPU can't run it;
 * then the name has been made all the same.
 */
bool lc_kernel_describe(struct crypto_alg *alg, const struct lc_impl *impl, unsigned int rank);

/* xts.c */
const struct lc_impl *lc_kernel_xts_impl(unsigned int i); /* NULL behind the last */
int lc_kernel_xts_register(void);
void lc_kernel_xts_unregister(void);

#endif

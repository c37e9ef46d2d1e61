/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The curve P-384 (FIPS 186-5, SP 800-186) */
#ifndef LC_P384_INTERNAL_H
#define LC_P384_INTERNAL_H

#include "ec.h"
#include "lanecrypt/ecdsa.h"

#define CURVE p384
#define BITS 384
#include "ec_internal.h"
extern const struct lc_ec_impl ECDH(impls)[]; /* rows.c */
#undef CURVE
#undef BITS

#define ROW_ECDSA_P384(name, symbol, ...)                                                                                          \
    void lc_p384_base_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other);                                       \
    void lc_p384_base_x_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other);                                     \
    void lc_p384_multiply_##symbol(struct lc_ec_product *products, size_t num);                                                    \
    void lc_p384_check_##symbol(struct lc_ec_check *checks, size_t num);                                                           \
    size_t lc_p384_base_pool_##symbol(struct lc_ec_product *products, size_t num, void *memory, uint64_t *other);
#include "rows.def"
#ifdef __x86_64__
lc_mod_mul_add_function lc_p384_mul_add_bmi2_avx2; /* modulo n or p */
#endif

#endif

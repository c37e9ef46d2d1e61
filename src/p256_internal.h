/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The curve P-256 (FIPS 186-5, SP 800-186) */
#ifndef LC_P256_INTERNAL_H
#define LC_P256_INTERNAL_H

#include "ec.h"
#include "lanecrypt/ecdsa.h"

#define CURVE p256
#define BITS 256
#include "ec_internal.h"
extern const struct lc_ec_impl ECDH(impls)[]; /* rows.c */
#undef CURVE
#undef BITS

#define ROW_ECDSA_P256(name, symbol, ...)                                                                                          \
    void lc_p256_base_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other);                                       \
    void lc_p256_base_x_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other);                                     \
    void lc_p256_multiply_##symbol(struct lc_ec_product *products, size_t num);                                                    \
    void lc_p256_check_##symbol(struct lc_ec_check *checks, size_t num);                                                           \
    size_t lc_p256_base_pool_##symbol(struct lc_ec_product *products, size_t num, void *memory, uint64_t *other);                  \
    size_t lc_p256_prepare_##symbol(void *table, const uint64_t *q);
#include "rows.def"
#ifdef __x86_64__
lc_mod_mul_add_function lc_p256_mul_add_bmi2_avx2; /* modulo n or p, SM2's too */
#endif

#endif

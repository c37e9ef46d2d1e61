/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The curve of SM2 (GB/T 32918.5) */
#ifndef LC_SM2_INTERNAL_H
#define LC_SM2_INTERNAL_H

#include "ec.h"
#include "lanecrypt/sm2.h"

#define CURVE sm2
#define BITS 256
#include "ec_internal.h"
#undef CURVE
#undef BITS

#define ROW_SM2(name, symbol, ...)                                                                                                 \
    void lc_sm2_base_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other);                                        \
    void lc_sm2_base_x_##symbol(struct lc_ec_product *products, size_t num, uint64_t *other);                                      \
    void lc_sm2_multiply_##symbol(struct lc_ec_product *products, size_t num);                                                     \
    void lc_sm2_check_##symbol(struct lc_ec_check *checks, size_t num);
#include "rows.def"

#endif

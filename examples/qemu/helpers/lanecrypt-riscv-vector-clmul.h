/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Zvbc: both halves of a product. */
#include "lanecrypt-rounds.h"

static uint64_t clmul64(uint64_t y, uint64_t x)
{
    uint64_t product[2];

    rounds.clmul64(product, x, y);
    return product[0];
}

static uint64_t clmulh64(uint64_t y, uint64_t x)
{
    uint64_t product[2];

    rounds.clmul64(product, x, y);
    return product[1];
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Zbc: the low half of the product, and the half from the bit before its middle; QEMU makes clmulh of the latter. */
#include "lanecrypt-rounds.h"

target_ulong HELPER(clmul)(target_ulong rs1, target_ulong rs2)
{
    uint64_t product[2];

    rounds.clmul64(product, rs1, rs2);
    return product[0];
}

target_ulong HELPER(clmulr)(target_ulong rs1, target_ulong rs2)
{
    uint64_t product[2];

    rounds.clmul64(product, rs1, rs2);
    return TARGET_LONG_BITS == 32 ? product[0] >> 31 : product[1] << 1 | product[0] >> 63;
}

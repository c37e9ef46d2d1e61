/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Zkne, Zknd and Zksed.  shamt is 8 times the instruction's bs; results of 32 bits are sign-extended. */
#include "lanecrypt-rounds.h"

#define COLUMN(instruction, call)                                                                                                  \
    target_ulong HELPER(instruction)(target_ulong rs1, target_ulong rs2, target_ulong shamt)                                       \
    {                                                                                                                              \
        return (target_long)(int32_t)rounds.call(rs1, rs2, shamt / 8);                                                             \
    }
#define HALF(instruction)                                                                                                          \
    target_ulong HELPER(aes64##instruction)(target_ulong rs1, target_ulong rs2)                                                    \
    {                                                                                                                              \
        return rounds.aes64_##instruction(rs1, rs2);                                                                               \
    }

COLUMN(aes32esi, aes32_esi)
COLUMN(aes32esmi, aes32_esmi)
COLUMN(aes32dsi, aes32_dsi)
COLUMN(aes32dsmi, aes32_dsmi)
COLUMN(sm4ed, sm4_ed)
COLUMN(sm4ks, sm4_ks)
HALF(es)
HALF(esm)
HALF(ds)
HALF(dsm)
HALF(ks1i)
HALF(ks2)

target_ulong HELPER(aes64im)(target_ulong rs1)
{
    return rounds.aes64_im(rs1);
}

#undef COLUMN
#undef HALF

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* PMULL and PMULL2 of doublewords; which of them is in the descriptor. */
#include "lanecrypt-rounds.h"

void HELPER(gvec_pmull_q)(void *vd, void *vn, void *vm, uint32_t desc)
{
    const size_t len = simd_oprsz(desc);
    const uint64_t *n = vn, *m = vm;

    for (size_t i = 0; i < len / 8; i += 2)
        rounds.clmul64(vd + 8 * i, n[i + simd_data(desc)], m[i + simd_data(desc)]);
    clear_tail(vd, len, simd_maxsz(desc));
}

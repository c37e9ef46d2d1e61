/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* x86 with GFNI, but without AES-NI: its inversion is in AES's own field. */
#ifndef LANECRYPT_AES_ROUND_GFNI_H
#define LANECRYPT_AES_ROUND_GFNI_H

#include <immintrin.h>

#include "tables.h"
#include "vector_mix_columns.h"
#include "vector_shift_rows.h"

#define LC_AES_ROUND_HOST "gfni"

LC_AES_INLINE lc_aes_block lc_aes_sb(lc_aes_block x)
{
    const lc_aes_halves affine = { LC_AES_GFNI_AFFINE, LC_AES_GFNI_AFFINE };

    return (lc_aes_block)_mm_gf2p8affineinv_epi64_epi8((__m128i)x, (__m128i)affine, 0x63);
}

LC_AES_INLINE lc_aes_block lc_aes_isb(lc_aes_block x)
{
    const lc_aes_halves affine = { LC_AES_GFNI_INV_AFFINE, LC_AES_GFNI_INV_AFFINE };
    const lc_aes_halves identity = { LC_AES_GFNI_IDENTITY, LC_AES_GFNI_IDENTITY };
    __m128i y = _mm_gf2p8affine_epi64_epi8((__m128i)x, (__m128i)affine, LC_AES_GFNI_INV_CONSTANT);

    return (lc_aes_block)_mm_gf2p8affineinv_epi64_epi8(y, (__m128i)identity, 0);
}

#define LC_AES_HOST_LOOKUP
LC_AES_INLINE lc_aes_block lc_aes_lookup(lc_aes_block table, lc_aes_block index)
{
    return (lc_aes_block)_mm_shuffle_epi8((__m128i)table, (__m128i)index);
}

#include "rounds_of_steps.h"

#endif

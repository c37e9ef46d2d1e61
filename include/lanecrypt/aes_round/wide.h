/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wide forms: the same for num_blocks blocks in memory, of any alignment.
 *
 * key_stride: 16 if each block has its own key, at k + 16 * i; 0 if the one at k is everybody's.  d may be s, k or both; other
 * overlaps are not allowed.  Nothing is read or written but the blocks and their keys.
 */
#ifndef LANECRYPT_AES_ROUND_WIDE_H
#define LANECRYPT_AES_ROUND_WIDE_H

/*
 * From block i on, vectors of `blocks` blocks as long as there are whole ones; returns how far that went.  If key_stride is 0, the
 * key is `key`, as what is at k may be overwritten already.  `round` is known where this is compiled into, and so becomes
 * instructions.
 */
#define LC_AES_EACH(size, blocks, vector, load, store, broadcast)                                                                  \
    LC_AES_INLINE size_t lc_aes_each_##size(unsigned char *d, const unsigned char *s, const unsigned char *k, lc_aes_block key,    \
                                            size_t i, size_t num_blocks, size_t key_stride, vector round(vector, vector))          \
    {                                                                                                                              \
        if (key_stride) {                                                                                                          \
            for (; num_blocks - i >= blocks; i += blocks)                                                                          \
                store(d + 16 * i, round(load(s + 16 * i), load(k + 16 * i)));                                                      \
        } else if (num_blocks - i >= blocks) {                                                                                     \
            const vector keys = broadcast(key);                                                                                    \
                                                                                                                                   \
            for (; num_blocks - i >= blocks; i += blocks)                                                                          \
                store(d + 16 * i, round(load(s + 16 * i), keys));                                                                  \
        }                                                                                                                          \
        return i;                                                                                                                  \
    }

/* Block by block the key can as well come from memory each time, which is one loop instead of two. */
LC_AES_INLINE void lc_aes_each_x1(unsigned char *d, const unsigned char *s, const unsigned char *k, const lc_aes_block *key,
                                  size_t i, size_t num_blocks, size_t key_stride, lc_aes_block round(lc_aes_block, lc_aes_block))
{
    if (!key_stride)
        k = (const unsigned char *)key;
    for (; i < num_blocks; i++)
        lc_aes_store(d + 16 * i, round(lc_aes_load(s + 16 * i), lc_aes_load(k + key_stride * i)));
}

/*
 * x86 has rounds on wider vectors as well: lc_aes_x2_<name>() and lc_aes_x4_<name>().  RISC-V's vectors take all blocks, however
 * wide they are: lc_aes_vla_<name>().
 */
#if defined(LC_AES_HOST_VLA)
#define LC_AES_WIDER(name) i = lc_aes_vla_##name(out, in, keys, num_blocks, key_stride);
#elif defined(LC_AES_HOST_X2)
LC_AES_EACH(x2, 2, __m256i, lc_aes_load_x2, lc_aes_store_x2, lc_aes_broadcast_x2)
#ifdef LC_AES_HOST_X4
LC_AES_EACH(x4, 4, __m512i, lc_aes_load_x4, lc_aes_store_x4, lc_aes_broadcast_x4)
#define LC_AES_WIDER(name)                                                                                                         \
    i = lc_aes_each_x4(out, in, keys, key, i, num_blocks, key_stride, lc_aes_x4_##name);                                           \
    i = lc_aes_each_x2(out, in, keys, key, i, num_blocks, key_stride, lc_aes_x2_##name);
#else
#define LC_AES_WIDER(name) i = lc_aes_each_x2(out, in, keys, key, i, num_blocks, key_stride, lc_aes_x2_##name);
#endif
#else
#define LC_AES_WIDER(name)
#endif

#define LC_AES_WIDE(name)                                                                                                          \
    static inline void lc_aes_##name##_n(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride)              \
    {                                                                                                                              \
        unsigned char *out = (unsigned char *)d;                                                                                   \
        const unsigned char *in = (const unsigned char *)s, *keys = (const unsigned char *)k;                                      \
        lc_aes_block key = { 0 };                                                                                                  \
        size_t i = 0;                                                                                                              \
                                                                                                                                   \
        if (num_blocks)                                                                                                            \
            key = lc_aes_load(k);                                                                                                  \
        LC_AES_WIDER(name)                                                                                                         \
        lc_aes_each_x1(out, in, keys, &key, i, num_blocks, key_stride, lc_aes_##name);                                             \
    }

LC_AES_WIDE(sb_sr_ak)
LC_AES_WIDE(sb_sr_mc_ak)
LC_AES_WIDE(isb_isr_ak)
LC_AES_WIDE(isb_isr_imc_ak)
LC_AES_WIDE(isb_isr_ak_imc)
LC_AES_WIDE(ak_sb_sr)
LC_AES_WIDE(ak_sb_sr_mc)
LC_AES_WIDE(ak_isb_isr)
LC_AES_WIDE(ak_isb_isr_imc)

/* MixColumns and its inverse take no key. */
LC_AES_INLINE lc_aes_block lc_aes_keyless_mc(lc_aes_block x, lc_aes_block k)
{
    (void)k;
    return lc_aes_mc(x);
}

LC_AES_INLINE lc_aes_block lc_aes_keyless_imc(lc_aes_block x, lc_aes_block k)
{
    (void)k;
    return lc_aes_imc(x);
}

LC_AES_WIDE(keyless_mc)
LC_AES_WIDE(keyless_imc)

static inline void lc_aes_mc_n(void *d, const void *s, size_t num_blocks)
{
    const lc_aes_block zero = { 0 };

    lc_aes_keyless_mc_n(d, s, &zero, num_blocks, 0);
}

static inline void lc_aes_imc_n(void *d, const void *s, size_t num_blocks)
{
    const lc_aes_block zero = { 0 };

    lc_aes_keyless_imc_n(d, s, &zero, num_blocks, 0);
}

#undef LC_AES_EACH
#undef LC_AES_WIDER
#undef LC_AES_WIDE

#endif

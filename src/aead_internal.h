/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the authenticated modes share: tags, the phases of a stream, the table of functions. */
#ifndef LC_AEAD_INTERNAL_H
#define LC_AEAD_INTERNAL_H

#include <stdint.h>
#include <string.h>

#include "lanecrypt/aead.h"

/* ---- Tags ---- */

/*
 * Tags have 4 bytes or at least 8; then the first 8 and the last 8 are all of them, without a loop.  The whole tag was written as
 * two words: the asm statement keeps compilers from reading it by one load, which would have to wait for both.
 */
static inline void lc_copy_tag(uint8_t *tag, size_t tag_len, const uint64_t whole[2])
{
    const uint8_t *w = (const uint8_t *)whole;
    uint64_t first, last;

    if (tag_len == 4) {
        memcpy(tag, w, 4);
        return;
    }
    memcpy(&first, w, 8);
    memcpy(&last, w + tag_len - 8, 8);
    __asm__("" : "+r"(first), "+r"(last));
    memcpy(tag, &first, 8);
    memcpy(tag + tag_len - 8, &last, 8);
}

/* Not 0 if the tag is wrong.  Looks at all bytes, whatever the first ones are. */
static inline uint64_t lc_tag_difference(const uint8_t *tag, size_t tag_len, const uint64_t right[2])
{
    const uint8_t *r = (const uint8_t *)right;
    uint64_t a[2] = { 0, 0 }, b[2] = { 0, 0 };

    if (tag_len == 4) {
        memcpy(&a[0], tag, 4);
        memcpy(&b[0], r, 4);
    } else {
        memcpy(&a[0], tag, 8);
        memcpy(&b[0], r, 8);
        memcpy(&a[1], tag + tag_len - 8, 8);
        memcpy(&b[1], r + tag_len - 8, 8);
    }
    return (a[0] ^ b[0]) | (a[1] ^ b[1]);
}

/* LC_OK or LC_ERR_AUTH */
static inline int lc_check_tag(const uint8_t *tag, size_t tag_len, const uint64_t right[2])
{
    uint64_t differ = lc_tag_difference(tag, tag_len, right);

    return -(int)((differ | -differ) >> 63) & LC_ERR_AUTH; /* by no branch: who asks makes that */
}

/* The same of 1 to 16 bytes. */
static inline int lc_check_tag_prefix(const uint8_t *tag, size_t tag_len, const uint64_t right[2])
{
    const uint8_t *r = (const uint8_t *)right;
    uint64_t differ = 0;

    if (tag_len == 4 || tag_len >= 8)
        return lc_check_tag(tag, tag_len, right);
    for (size_t i = 0; i < tag_len; i++)
        differ |= tag[i] ^ r[i];
    return -(int)((differ | -differ) >> 63) & LC_ERR_AUTH;
}

/* ---- Many messages ---- */

/* The first status that isn't LC_OK, if there is one. */
static inline int lc_first_error(const struct lc_aead_item *items, size_t num_items)
{
    for (size_t i = 0; i < num_items; i++)
        if (items[i].status != LC_OK)
            return items[i].status;
    return LC_OK;
}

/* ---- Streams ---- */

enum lc_aead_phase {
    LC_AEAD_AAD, /* so far */
    LC_AEAD_ENCRYPT,
    LC_AEAD_DECRYPT,
    LC_AEAD_ENDED
};

/* May a stream in phase `now` take what belongs to phase `next`: text, or its tag? */
static inline int lc_phase_is_bad(uint32_t now, enum lc_aead_phase next)
{
    return now != LC_AEAD_AAD && now != (uint32_t)next;
}

/* ---- The table of functions ---- */

/* lc_<mode>_ops(), with functions of exactly the table's types: to call others by its pointers would be undefined. */
#define LC_AEAD_OPS(mode)                                                                                                          \
    static int ops_init(void *key, const uint8_t *raw, size_t raw_len)                                                             \
    {                                                                                                                              \
        return lc_##mode##_init(key, raw, raw_len);                                                                                \
    }                                                                                                                              \
    static int ops_init_impl(void *key, const char *impl, const uint8_t *raw, size_t raw_len)                                      \
    {                                                                                                                              \
        return lc_##mode##_init_impl(key, impl, raw, raw_len);                                                                     \
    }                                                                                                                              \
    static const char *ops_impl_name(const void *key)                                                                              \
    {                                                                                                                              \
        return lc_##mode##_impl_name(key);                                                                                         \
    }                                                                                                                              \
    static void ops_wipe(void *key)                                                                                                \
    {                                                                                                                              \
        lc_##mode##_wipe(key);                                                                                                     \
    }                                                                                                                              \
    static int ops_seal(const void *key, uint8_t *dst, uint8_t *tag, size_t tag_len, const uint8_t *src, size_t len,               \
                        const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)                                \
    {                                                                                                                              \
        return lc_##mode##_seal(key, dst, tag, tag_len, src, len, aad, aad_len, nonce, nonce_len);                                 \
    }                                                                                                                              \
    static int ops_open(const void *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag, size_t tag_len,         \
                        const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)                                \
    {                                                                                                                              \
        return lc_##mode##_open(key, dst, src, len, tag, tag_len, aad, aad_len, nonce, nonce_len);                                 \
    }                                                                                                                              \
    static int ops_seal_many(const void *key, struct lc_aead_item *items, size_t num_items)                                        \
    {                                                                                                                              \
        return lc_##mode##_seal_many(key, items, num_items);                                                                       \
    }                                                                                                                              \
    static int ops_open_many(const void *key, struct lc_aead_item *items, size_t num_items)                                        \
    {                                                                                                                              \
        return lc_##mode##_open_many(key, items, num_items);                                                                       \
    }                                                                                                                              \
    static int ops_start(void *s, const void *key, const uint8_t *nonce, size_t nonce_len)                                         \
    {                                                                                                                              \
        return lc_##mode##_start(s, key, nonce, nonce_len);                                                                        \
    }                                                                                                                              \
    static void ops_state_set_key(void *s, const void *key)                                                                        \
    {                                                                                                                              \
        lc_##mode##_state_set_key(s, key);                                                                                         \
    }                                                                                                                              \
    static int ops_aad(void *s, const uint8_t *aad, size_t aad_len)                                                                \
    {                                                                                                                              \
        return lc_##mode##_aad(s, aad, aad_len);                                                                                   \
    }                                                                                                                              \
    static int ops_encrypt(void *s, uint8_t *dst, const uint8_t *src, size_t len)                                                  \
    {                                                                                                                              \
        return lc_##mode##_encrypt(s, dst, src, len);                                                                              \
    }                                                                                                                              \
    static int ops_decrypt(void *s, uint8_t *dst, const uint8_t *src, size_t len)                                                  \
    {                                                                                                                              \
        return lc_##mode##_decrypt(s, dst, src, len);                                                                              \
    }                                                                                                                              \
    static int ops_tag(void *s, uint8_t *tag, size_t tag_len)                                                                      \
    {                                                                                                                              \
        return lc_##mode##_tag(s, tag, tag_len);                                                                                   \
    }                                                                                                                              \
    static int ops_verify(void *s, const uint8_t *tag, size_t tag_len)                                                             \
    {                                                                                                                              \
        return lc_##mode##_verify(s, tag, tag_len);                                                                                \
    }                                                                                                                              \
    static int ops_verify_prefix(void *s, const uint8_t *tag, size_t tag_len)                                                      \
    {                                                                                                                              \
        return lc_##mode##_verify_prefix(s, tag, tag_len);                                                                         \
    }                                                                                                                              \
    static void ops_state_wipe(void *s)                                                                                            \
    {                                                                                                                              \
        lc_##mode##_state_wipe(s);                                                                                                 \
    }                                                                                                                              \
    const struct lc_aead_ops *lc_##mode##_ops(void)                                                                                \
    {                                                                                                                              \
        static const struct lc_aead_ops ops = {                                                                                    \
            .key_size = sizeof(struct lc_##mode##_key),                                                                            \
            .state_size = sizeof(struct lc_##mode##_state),                                                                        \
            .init = ops_init,                                                                                                      \
            .init_impl = ops_init_impl,                                                                                            \
            .impl_name = ops_impl_name,                                                                                            \
            .wipe = ops_wipe,                                                                                                      \
            .seal = ops_seal,                                                                                                      \
            .open = ops_open,                                                                                                      \
            .seal_many = ops_seal_many,                                                                                            \
            .open_many = ops_open_many,                                                                                            \
            .start = ops_start,                                                                                                    \
            .aad = ops_aad,                                                                                                        \
            .encrypt = ops_encrypt,                                                                                                \
            .decrypt = ops_decrypt,                                                                                                \
            .tag = ops_tag,                                                                                                        \
            .verify = ops_verify,                                                                                                  \
            .verify_prefix = ops_verify_prefix,                                                                                    \
            .state_set_key = ops_state_set_key,                                                                                    \
            .state_wipe = ops_state_wipe                                                                                           \
        };                                                                                                                         \
                                                                                                                                   \
        return &ops;                                                                                                               \
    }

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-XTS (IEEE 1619-2018): the public functions.  docs/xts.md has the maths.
 */
#include "xts_internal.h"

/* ---- The public functions ---- */

static int key_len_is_bad(size_t raw_len)
{
    return raw_len != 32 && raw_len != 48 && raw_len != 64;
}

static int init(struct lc_xts_key *key, const char *impl, const uint8_t *raw, size_t raw_len, uint32_t num_encrypt_lens)
{
    const struct lc_impl *row;
    int status = lc_select(&lc_xts_mode, impl, &row);

    if (status != LC_OK)
        return status;
    key->impl = (const struct lc_xts_impl *)row; /* its first member */
    key->num_encrypt_lens = num_encrypt_lens;
    lc_xts_expand(key, key->impl->expand, raw, raw_len);
    return LC_OK;
}

int lc_xts_init_impl(struct lc_xts_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    uint8_t differ = 0;

    if (key_len_is_bad(raw_len))
        return LC_ERR_KEY_LEN;
    /* Both halves equal would make XTS leak (SP 800-38E; FIPS 140-3 IG C.I); compared without stopping early. */
    for (size_t i = 0; i < raw_len / 2; i++)
        differ |= raw[i] ^ raw[raw_len / 2 + i];
    if (!differ)
        return LC_ERR_WEAK_KEY;
    return init(key, impl, raw, raw_len, LC_XTS_MAX_LEN - LC_XTS_MIN_LEN + 1);
}

int lc_xts_init(struct lc_xts_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_xts_init_impl(key, NULL, raw, raw_len);
}

int lc_xts_init_decrypt_impl(struct lc_xts_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    return key_len_is_bad(raw_len) ? LC_ERR_KEY_LEN : init(key, impl, raw, raw_len, 0);
}

int lc_xts_init_decrypt(struct lc_xts_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_xts_init_decrypt_impl(key, NULL, raw, raw_len);
}

const char *lc_xts_impl_name(const struct lc_xts_key *key)
{
    return key->impl->impl.name;
}

void lc_xts_wipe(struct lc_xts_key *key)
{
    lc_wipe(key, sizeof(*key));
}

static int len_is_bad(size_t len)
{
    return len < LC_XTS_MIN_LEN || len > LC_XTS_MAX_LEN;
}

int lc_xts_encrypt(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16])
{
    /* One comparison for both: a key for decryption has no length that it may encrypt. */
    if (len - LC_XTS_MIN_LEN >= key->num_encrypt_lens)
        return len_is_bad(len) ? LC_ERR_LEN : LC_ERR_DECRYPT_ONLY;
    key->impl->encrypt(key, dst, src, len, (union lc_xts_tweak){ .iv = iv }, LC_XTS_IV);
    return LC_OK;
}

int lc_xts_decrypt(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16])
{
    if (len_is_bad(len))
        return LC_ERR_LEN;
    key->impl->decrypt(key, dst, src, len, (union lc_xts_tweak){ .iv = iv }, LC_XTS_IV);
    return LC_OK;
}

static int crypt_sectors(lc_xts_crypt_fn *crypt_fn, const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                         size_t sector_len, uint64_t first_sector, uint64_t step)
{
    struct lc_xts_units u;

    if (len_is_bad(sector_len) || (len % sector_len && len % sector_len < LC_XTS_MIN_LEN))
        return LC_ERR_LEN;
    if (len == 0)
        return LC_OK;
    for (unsigned i = 0; i < 4; i++) {
        u.iv[i][0] = first_sector + i * step;
        u.iv[i][1] = 0;
    }
    for (unsigned i = 0; i < 3; i++) {
        u.step[i][0] = step << i;
        u.step[i][1] = 0;
    }
    u.unit_len = sector_len;
    crypt_fn(key, dst, src, len, (union lc_xts_tweak){ .units = &u }, LC_XTS_UNITS);
    lc_wipe(u.tweak, sizeof(u.tweak));
    return LC_OK;
}

int lc_xts_encrypt_sectors(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, size_t sector_len,
                           uint64_t first_sector, uint64_t step)
{
    if (!key->num_encrypt_lens)
        return LC_ERR_DECRYPT_ONLY;
    return crypt_sectors(key->impl->encrypt, key, dst, src, len, sector_len, first_sector, step);
}

int lc_xts_decrypt_sectors(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, size_t sector_len,
                           uint64_t first_sector, uint64_t step)
{
    return crypt_sectors(key->impl->decrypt, key, dst, src, len, sector_len, first_sector, step);
}

void lc_xts_start(struct lc_xts_state *s, const uint8_t iv[16])
{
    memcpy(s->tweak, iv, 16);
    s->done_len = 0;
    s->ended = 0;
}

static int update(lc_xts_crypt_fn *crypt_fn, const struct lc_xts_key *key, struct lc_xts_state *s, uint8_t *dst, const uint8_t *src,
                  size_t len)
{
    if (s->ended)
        return LC_ERR_STATE;
    if (len == 0)
        return LC_OK;
    if (len < LC_XTS_MIN_LEN || len > LC_XTS_MAX_LEN - s->done_len)
        return LC_ERR_LEN;
    crypt_fn(key, dst, src, len, (union lc_xts_tweak){ .block = s->tweak },
             LC_XTS_RETURN_TWEAK | (s->done_len ? LC_XTS_ENCRYPTED : LC_XTS_IV));
    s->done_len += (uint32_t)len;
    s->ended = len % 16 != 0;
    return LC_OK;
}

int lc_xts_encrypt_update(const struct lc_xts_key *key, struct lc_xts_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    if (!key->num_encrypt_lens)
        return LC_ERR_DECRYPT_ONLY;
    return update(key->impl->encrypt, key, s, dst, src, len);
}

int lc_xts_decrypt_update(const struct lc_xts_key *key, struct lc_xts_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    return update(key->impl->decrypt, key, s, dst, src, len);
}

void lc_xts_state_wipe(struct lc_xts_state *s)
{
    lc_wipe(s, sizeof(*s));
}

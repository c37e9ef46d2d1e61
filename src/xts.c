/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-XTS (IEEE 1619-2018): the public functions and the portable implementation.  docs/xts.md has the maths.
 */
#include "aes_bitslice.h"
#include "xts_internal.h"

/* ---- The portable implementation: constant time on any CPU, 8 blocks at a time ---- */

#define BATCH LC_BITSLICE_BLOCKS

/* Little-endian, like all CPUs that aes_bitslice.c supports */
static uint64_t load64(const uint8_t *p)
{
    uint64_t x;

    memcpy(&x, p, sizeof(x));
    return x;
}

static void store64(uint8_t *p, uint64_t x)
{
    memcpy(p, &x, sizeof(x));
}

/* next = tweak * x: a 128-bit shift to the left; the bit that falls out comes back as 0x87, without a branch. */
static void double_tweak(uint8_t next[16], const uint8_t tweak[16])
{
    uint64_t lo = load64(tweak), hi = load64(tweak + 8);

    store64(next, lo << 1 ^ (0x87 & -(hi >> 63)));
    store64(next + 8, hi << 1 ^ lo >> 63);
}

static void xor_blocks(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t num_blocks)
{
    for (size_t i = 0; i < 16 * num_blocks; i += 8)
        store64(dst + i, load64(a + i) ^ load64(b + i));
}

/* Everything secret that a call needs, in one place to be wiped. */
struct work {
    struct lc_aes_bitsliced data, tweak_key;
    uint8_t tweak[16 * (BATCH + 1)];
    uint8_t block[16 * BATCH];
    int encrypt;
};

/* dst = src, num_blocks <= BATCH of them, under the tweaks that begin with w's first-th. */
static void crypt_blocks(struct work *w, uint8_t *dst, const uint8_t *src, size_t num_blocks, size_t first)
{
    xor_blocks(w->block, src, w->tweak + 16 * first, num_blocks);
    (w->encrypt ? lc_aes_bitslice_encrypt : lc_aes_bitslice_decrypt)(&w->data, w->block);
    xor_blocks(dst, w->block, w->tweak + 16 * first, num_blocks);
}

/* One unit, or a piece of one; tweak: its first block's, replaced by that of the block behind it. */
static void crypt_unit(struct work *w, uint8_t *dst, const uint8_t *src, size_t len, uint8_t tweak[16])
{
    size_t rest = len % 16;
    size_t bulk_len = rest ? len - rest - 16 : len; /* without the two blocks that ciphertext stealing takes */

    memcpy(w->tweak, tweak, 16);
    while (bulk_len) {
        size_t num_blocks = bulk_len / 16 < BATCH ? bulk_len / 16 : BATCH;

        for (size_t i = 0; i < num_blocks; i++)
            double_tweak(w->tweak + 16 * (i + 1), w->tweak + 16 * i);
        crypt_blocks(w, dst, src, num_blocks, 0);
        memcpy(w->tweak, w->tweak + 16 * num_blocks, 16);
        dst += 16 * num_blocks;
        src += 16 * num_blocks;
        bulk_len -= 16 * num_blocks;
    }
    if (rest) {
        /* Encryption takes the tweaks in order; decryption undoes the last step first. */
        uint8_t x[16], y[16];

        double_tweak(w->tweak + 16, w->tweak);
        crypt_blocks(w, x, src, 1, w->encrypt ? 0 : 1);
        memcpy(y, src + 16, rest);
        memcpy(y + rest, x + rest, 16 - rest);
        memcpy(dst + 16, x, rest);
        crypt_blocks(w, dst, y, 1, w->encrypt ? 1 : 0);
        lc_wipe(x, sizeof(x));
        lc_wipe(y, sizeof(y));
    }
    memcpy(tweak, w->tweak, 16);
}

static void crypt(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, void *tweak, unsigned how,
                  int encrypt)
{
    struct work w;

    memset(&w, 0, sizeof(w));
    w.encrypt = encrypt;
    lc_aes_bitslice_load(&w.data, key->enc, key->rounds);
    if (!(how & LC_XTS_ENCRYPTED))
        lc_aes_bitslice_load(&w.tweak_key, key->tweak, key->rounds);

    if (how & LC_XTS_UNITS) {
        struct lc_xts_units *u = tweak;
        uint64_t iv = u->iv[0][0], step = u->step[0][0];

        for (size_t i = 0; len; i = (i + 1) % BATCH) {
            size_t unit_len = len < u->unit_len ? len : u->unit_len;

            if (i == 0) {
                memset(u->tweak, 0, 16 * BATCH);
                for (size_t j = 0; j < BATCH; j++, iv += step)
                    store64(u->tweak[j], iv);
                lc_aes_bitslice_encrypt(&w.tweak_key, (uint8_t *)u->tweak);
            }
            crypt_unit(&w, dst, src, unit_len, u->tweak[i]);
            dst += unit_len;
            src += unit_len;
            len -= unit_len;
        }
    } else {
        uint8_t t[16 * BATCH] = { 0 };

        memcpy(t, tweak, 16);
        if (!(how & LC_XTS_ENCRYPTED))
            lc_aes_bitslice_encrypt(&w.tweak_key, t);
        crypt_unit(&w, dst, src, len, t);
        if (how & LC_XTS_RETURN_TWEAK)
            memcpy(tweak, t, 16);
        lc_wipe(t, sizeof(t));
    }
    lc_wipe(&w, sizeof(w));
}

static void encrypt_portable(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, void *tweak, unsigned how)
{
    crypt(key, dst, src, len, tweak, how, 1);
}

static void decrypt_portable(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, void *tweak, unsigned how)
{
    crypt(key, dst, src, len, tweak, how, 0);
}

static const struct lc_xts_impl portable = {
    { .name = "xts-aes-portable" }, lc_aes_expand_portable, encrypt_portable, decrypt_portable
};

/* ---- The table ---- */

static const struct lc_impl *const rows[] = {
#if LC_XTS_ISA_ROWS == 1
    &lc_xts_isa_rows[0].impl,
#elif LC_XTS_ISA_ROWS == 5
    &lc_xts_isa_rows[0].impl, &lc_xts_isa_rows[1].impl, &lc_xts_isa_rows[2].impl,
    &lc_xts_isa_rows[3].impl, &lc_xts_isa_rows[4].impl,
#elif LC_XTS_ISA_ROWS
#error "list them here"
#endif
    &portable.impl,
};

static _Atomic(const struct lc_impl *) selected;

const struct lc_mode lc_xts_mode = { "xts", rows, sizeof(rows) / sizeof(rows[0]), &selected };

/* ---- The public functions ---- */

int lc_xts_init_impl(struct lc_xts_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    uint8_t differ = 0;
    int status;

    if (raw_len != 32 && raw_len != 48 && raw_len != 64)
        return LC_ERR_KEY_LEN;
    /* Both halves equal would make XTS leak (SP 800-38E; FIPS 140-3 IG C.I); compared without stopping early. */
    for (size_t i = 0; i < raw_len / 2; i++)
        differ |= raw[i] ^ raw[raw_len / 2 + i];
    if (!differ)
        return LC_ERR_WEAK_KEY;
    status = lc_select(&lc_xts_mode, impl, &row);
    if (status != LC_OK)
        return status;

    key->impl = (const struct lc_xts_impl *)row; /* its first member */
    key->rounds = (uint32_t)(raw_len / 8) + 6;
    key->reserved = 0;
    key->impl->expand(key->enc, key->dec, raw, raw_len / 2);
    key->impl->expand(key->tweak, NULL, raw + raw_len / 2, raw_len / 2);
    return LC_OK;
}

int lc_xts_init(struct lc_xts_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_xts_init_impl(key, NULL, raw, raw_len);
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

/* The iv is only read, for `how` says so; the functions' parameter isn't const because other calls store there. */
int lc_xts_encrypt(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16])
{
    if (len_is_bad(len))
        return LC_ERR_LEN;
    key->impl->encrypt(key, dst, src, len, (void *)(uintptr_t)iv, LC_XTS_IV);
    return LC_OK;
}

int lc_xts_decrypt(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t iv[16])
{
    if (len_is_bad(len))
        return LC_ERR_LEN;
    key->impl->decrypt(key, dst, src, len, (void *)(uintptr_t)iv, LC_XTS_IV);
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
    crypt_fn(key, dst, src, len, &u, LC_XTS_UNITS);
    lc_wipe(u.tweak, sizeof(u.tweak));
    return LC_OK;
}

int lc_xts_encrypt_sectors(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, size_t sector_len,
                           uint64_t first_sector, uint64_t step)
{
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
    crypt_fn(key, dst, src, len, s->tweak, LC_XTS_RETURN_TWEAK | (s->done_len ? LC_XTS_ENCRYPTED : LC_XTS_IV));
    s->done_len += (uint32_t)len;
    s->ended = len % 16 != 0;
    return LC_OK;
}

int lc_xts_encrypt_update(const struct lc_xts_key *key, struct lc_xts_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
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

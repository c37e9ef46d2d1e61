/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What SHA-256 and SHA-512 have in common but for the size of their words.  Whoever includes it defines
 *
 *      SHA(name)   the name with the hash's in front: lc_sha256_##name
 *      WORD, SWAP  the type of a word, and what turns it round
 *
 * and gets messages from any beginning and with a digest of any length, as SHA-384 is SHA-512 in both.
 */
enum { BLOCK_LEN = 16 * sizeof(WORD) };

/* digest: digest_len bytes of the hash value, words in big-endian order */
static void put_digest(uint8_t *digest, size_t digest_len, const WORD h[8])
{
    for (size_t i = 0; i < digest_len / sizeof(WORD); i++) {
        WORD word = SWAP(h[i]);

        memcpy(digest + i * sizeof(WORD), &word, sizeof(WORD));
    }
}

/*
 * The end of a message (FIPS 180-4, 5.1): what follows its last whole block, a 1 bit, zeros, and the length in bits as a number of
 * two words.  Returns how many blocks that is, 1 or 2.
 */
static size_t pad(uint8_t end[2 * BLOCK_LEN], const uint8_t *rest, uint64_t len)
{
    const size_t rest_len = len % BLOCK_LEN, num = rest_len < BLOCK_LEN - 2 * sizeof(WORD) ? 1 : 2;
    const uint64_t bits[2] = { __builtin_bswap64(len >> 61), __builtin_bswap64(len << 3) };

    if (rest_len)
        memcpy(end, rest, rest_len);
    memset(end + rest_len, 0, num * BLOCK_LEN - rest_len);
    end[rest_len] = 0x80;
    /* of SHA-256's, the lower half */
    memcpy(end + num * BLOCK_LEN - 2 * sizeof(WORD), (const uint8_t *)bits + 16 - 2 * sizeof(WORD), 2 * sizeof(WORD));
    return num;
}

static void begin(struct SHA(state) * s, const struct SHA(impl) * impl, const WORD iv[8])
{
    memset(s, 0, sizeof(*s));
    memcpy(s->h, iv, sizeof(s->h));
    s->impl = impl;
}

static int start(struct SHA(state) * s, const char *name, const WORD iv[8])
{
    const struct lc_impl *row;
    int status = lc_select(&SHA(mode), name, &row);

    if (status == LC_OK)
        begin(s, (const struct SHA(impl) *)row, iv); /* its first member */
    return status;
}

static void update(struct SHA(state) * s, const uint8_t *msg, size_t len)
{
    const size_t begun = s->len % BLOCK_LEN;

    if (!len)
        return;
    s->len += len;
    if (begun) {
        size_t n = BLOCK_LEN - begun < len ? BLOCK_LEN - begun : len;

        memcpy(s->block + begun, msg, n);
        msg += n;
        len -= n;
        if (begun + n == BLOCK_LEN)
            s->impl->blocks(s->h, s->block, 1);
    }
    if (len >= BLOCK_LEN)
        s->impl->blocks(s->h, msg, len / BLOCK_LEN);
    if (len % BLOCK_LEN)
        memcpy(s->block, msg + len / BLOCK_LEN * BLOCK_LEN, len % BLOCK_LEN);
}

static void finish(struct SHA(state) * s, uint8_t *digest, size_t digest_len)
{
    uint8_t end[2 * BLOCK_LEN];

    s->impl->blocks(s->h, end, pad(end, s->block, s->len));
    put_digest(digest, digest_len, s->h);
    lc_wipe(end, sizeof(end));
    lc_wipe(s, sizeof(*s));
}

/* A message in one piece needs no state. */
static void hash(const struct SHA(impl) * impl, uint8_t *digest, size_t digest_len, const uint8_t *msg, size_t len,
                 const WORD iv[8])
{
    uint8_t end[2 * BLOCK_LEN];
    const size_t num = len / BLOCK_LEN;
    WORD h[8];

    memcpy(h, iv, sizeof(h));
    if (num)
        impl->blocks(h, msg, num);
    impl->blocks(h, end, pad(end, num ? msg + num * BLOCK_LEN : msg, len));
    put_digest(digest, digest_len, h);
    lc_wipe(end, sizeof(end));
    lc_wipe(h, sizeof(h));
}

static int one(uint8_t *digest, size_t digest_len, const uint8_t *msg, size_t len, const WORD iv[8])
{
    const struct lc_impl *row;
    int status = lc_select(&SHA(mode), NULL, &row);

    if (status == LC_OK)
        hash((const struct SHA(impl) *)row, digest, digest_len, msg, len, iv);
    return status;
}

static int many(const char *name, const struct lc_sha2_item *items, size_t num_items, size_t digest_len, const WORD iv[8])
{
    const struct lc_impl *row;
    int status = lc_select(&SHA(mode), name, &row);

    for (size_t i = 0; status == LC_OK && i < num_items; i++)
        hash((const struct SHA(impl) *)row, items[i].digest, digest_len, items[i].msg, items[i].len, iv);
    return status;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Part of cmd_selftest.c, included once for each AEAD.  Before that are its vectors, FN(vectors), and macros:
 *   FN(name)                          what the functions here are called; FN(test) is what others call
 *   AEAD(name)                        the library's functions and structs
 *   SEAL(nonce_len), OPEN(nonce_len)  the functions for whole messages with such a nonce
 *   PORTABLE                          the portable implementation's name
 *   SOURCE                            where the vectors are from, in messages
 *   MIN_RAW_LEN                       the shortest key; others are longer by 8, up to 32
 *   NONCE_LEN_FOR(len), TAG_LEN_FOR(len)  lengths for a message of that length
 *   STREAMS_TAKE(nonce_len)           is there a message over several calls with such a nonce?
 */

/* `out` in place: refused and wiped with a wrong tag. */
static bool FN(refuses)(const char *impl, const struct AEAD(key) * key, size_t len, const uint8_t *tag, size_t tag_len,
                        const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    static const uint8_t zeros[MAX_LEN];
    uint8_t wrong[16];

    memcpy(wrong, tag, tag_len);
    wrong[len % tag_len] ^= (uint8_t)(1 << len % 8);
    return (OPEN(nonce_len)(key, out, out, len, wrong, tag_len, aad, aad_len, nonce, nonce_len) == LC_ERR_AUTH &&
            memcmp(out, zeros, len) == 0) ||
           failed(impl, "refusal of a wrong tag", len);
}

static bool FN(vector)(const char *impl, const struct aead_vector *v)
{
    uint8_t nonce[64], aad[32], plain[128], cipher[128], tag[16], got[16];
    size_t raw_len = from_hex(raw, v->key), len = from_hex(plain, v->plain);
    size_t nonce_len = from_hex(nonce, v->nonce), aad_len = from_hex(aad, v->aad);
    struct AEAD(key) key;

    from_hex(cipher, v->cipher);
    from_hex(tag, v->tag);
    if (AEAD(init_impl)(&key, impl, raw, raw_len) != LC_OK ||
        SEAL(nonce_len)(&key, out, got, 16, plain, len, aad, aad_len, nonce, nonce_len) != LC_OK)
        return failed(impl, "a vector's lengths", len);
    return same(impl, SOURCE "ciphertext", len, out, cipher) && same(impl, SOURCE "tag", 16, got, tag) &&
           FN(refuses)(impl, &key, len, tag, 16, aad, aad_len, nonce, nonce_len) &&
           (OPEN(nonce_len)(&key, out, cipher, len, tag, 16, aad, aad_len, nonce, nonce_len) == LC_OK ||
            failed(impl, "a tag", len)) &&
           same(impl, SOURCE "text", len, out, plain);
}

/* One message, and the same over several calls. */
static bool FN(compare_one)(const char *impl, const struct AEAD(key) * key, const struct AEAD(key) * portable, size_t len)
{
    size_t aad_len = len % 67, nonce_len = NONCE_LEN_FOR(len), tag_len = TAG_LEN_FOR(len), piece_len = len / 3;
    const uint8_t *aad = src + 1, *nonce = src + len % 100;
    struct AEAD(state) state;
    uint8_t tag[16], got[16];

    if (SEAL(nonce_len)(portable, expected, tag, tag_len, src, len, aad, aad_len, nonce, nonce_len) != LC_OK ||
        SEAL(nonce_len)(key, out, got, tag_len, src, len, aad, aad_len, nonce, nonce_len) != LC_OK ||
        !same(impl, "encryption", len, out, expected) || !same(impl, "tag", tag_len, got, tag))
        return failed(impl, "encryption", len);
    if (OPEN(nonce_len)(key, out, out, len, tag, tag_len, aad, aad_len, nonce, nonce_len) != LC_OK ||
        !same(impl, "text", len, out, src))
        return failed(impl, "decryption", len);
    memcpy(out, expected, len);
    if (!FN(refuses)(impl, key, len, tag, tag_len, aad, aad_len, nonce, nonce_len))
        return false;
    if (!STREAMS_TAKE(nonce_len))
        return true;
    if (AEAD(start)(&state, key, nonce, nonce_len) != LC_OK || AEAD(aad)(&state, aad, aad_len / 2) != LC_OK ||
        AEAD(aad)(&state, aad + aad_len / 2, aad_len - aad_len / 2) != LC_OK ||
        AEAD(encrypt)(&state, out, src, piece_len) != LC_OK ||
        AEAD(encrypt)(&state, out + piece_len, src + piece_len, len - piece_len) != LC_OK ||
        AEAD(tag)(&state, got, tag_len) != LC_OK || !same(impl, "pieces", len, out, expected) ||
        !same(impl, "tag of pieces", tag_len, got, tag))
        return failed(impl, "pieces", len);
    if (AEAD(start)(&state, key, nonce, nonce_len) != LC_OK || AEAD(aad)(&state, aad, aad_len) != LC_OK ||
        AEAD(decrypt)(&state, out, out, len - piece_len) != LC_OK ||
        AEAD(decrypt)(&state, out + len - piece_len, out + len - piece_len, piece_len) != LC_OK ||
        AEAD(verify)(&state, tag, tag_len) != LC_OK || !same(impl, "pieces' text", len, out, src))
        return failed(impl, "pieces' decryption", len);
    return true;
}

/* Many messages in one call, of different lengths; then back, one of them with a wrong tag. */
static bool FN(compare_many)(const char *impl, const struct AEAD(key) * key, const struct AEAD(key) * portable)
{
    enum { NUM = 19, WRONG = 12 };
    struct lc_aead_item items[NUM];
    uint8_t tags[NUM][16], tag[16];
    size_t at = 0;

    for (size_t i = 0; i < NUM; at += items[i++].len)
        items[i] = (struct lc_aead_item){
            .dst = out + at,
            .tag = tags[i],
            .src = src + at,
            .len = i * 61 % 211,
            .aad = src + i,
            .aad_len = i % 4 == 3 ? i * 7 % 71 : i % 17,
            .nonce = src + 12 * i
        };
    if (AEAD(seal_many)(key, items, NUM) != LC_OK)
        return failed(impl, "many messages", at);
    for (size_t i = 0; i < NUM; i++) {
        const struct lc_aead_item *m = &items[i];

        if (AEAD(seal)(portable, expected, tag, 16, m->src, m->len, m->aad, m->aad_len, m->nonce, 12) != LC_OK ||
            !same(impl, "many messages", m->len, m->dst, expected) || !same(impl, "many tags", 16, tags[i], tag))
            return failed(impl, "many messages", m->len);
    }
    tags[WRONG][3] ^= 16;
    for (size_t i = 0; i < NUM; i++)
        items[i].src = items[i].dst;
    if (AEAD(open_many)(key, items, NUM) != LC_ERR_AUTH)
        return failed(impl, "refusal of a wrong tag of many", at);
    for (size_t i = 0; i < NUM; i++)
        if (items[i].status != (i == WRONG ? LC_ERR_AUTH : LC_OK))
            return failed(impl, "status of many", items[i].len);
    memcpy(expected, src, at);
    memset(expected + (items[WRONG].dst - out), 0, items[WRONG].len);
    return same(impl, "many texts", at, out, expected);
}

static bool FN(compare)(const char *impl, size_t raw_len)
{
    struct AEAD(key) key, portable;

    fill_inputs(raw_len);
    if (AEAD(init_impl)(&key, impl, raw, raw_len) != LC_OK || AEAD(init_impl)(&portable, PORTABLE, raw, raw_len) != LC_OK)
        return failed(impl, "key setup", raw_len);
    for (size_t len = 0; len <= MAX_LEN; len = next_len(len))
        if (!FN(compare_one)(impl, &key, &portable, len))
            return false;
    return FN(compare_many)(impl, &key, &portable);
}

static bool FN(test)(const char *impl)
{
    bool ok = true;

    for (size_t i = 0; i < sizeof(FN(vectors)) / sizeof(FN(vectors)[0]); i++)
        ok = FN(vector)(impl, &FN(vectors)[i]) && ok;
    for (size_t raw_len = MIN_RAW_LEN; raw_len <= 32; raw_len += 8)
        ok = FN(compare)(impl, raw_len) && ok;
    return ok;
}

#undef FN
#undef AEAD
#undef SEAL
#undef OPEN
#undef PORTABLE
#undef SOURCE
#undef MIN_RAW_LEN
#undef NONCE_LEN_FOR
#undef TAG_LEN_FOR
#undef STREAMS_TAKE

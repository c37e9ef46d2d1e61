/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A hash's part of the self-test, for cmd_selftest.c, which defines FN (the names here), HASH (those of the library), PORTABLE, and
 * a text with its digest and that of no text.
 */

static bool FN(piecewise)(const char *impl, const uint8_t *msg, size_t len, size_t piece_len, uint8_t *digest)
{
    struct HASH(_state) state;

    if (HASH(_start_impl)(&state, impl) != LC_OK)
        return failed(impl, "start", len);
    HASH(_update)(&state, msg, piece_len);
    HASH(_update)(&state, msg + piece_len, len - piece_len);
    HASH(_finish)(&state, digest);
    return true;
}

static bool FN(vector)(const char *impl, const char *text, const char *hex)
{
    uint8_t digest[64], wanted[64];
    size_t digest_len = from_hex(wanted, hex);

    return FN(piecewise)(impl, (const uint8_t *)text, strlen(text), 0, digest) && same(impl, "digest", digest_len, digest, wanted);
}

/* For each length a message in two pieces, and 19 of them, cut by and by, in one call */
static bool FN(compare)(const char *impl)
{
    enum { NUM = 19 };
    const size_t digest_len = strlen(DIGEST) / 2;
    uint8_t digests[NUM][64], wanted[64];
    struct lc_hash_item items[NUM];

    fill_inputs(0);
    for (size_t len = 0; len <= MAX_LEN; len = next_len(len)) {
        for (size_t i = 0; i < NUM; i++)
            items[i] = (struct lc_hash_item){ digests[i], src + (MAX_LEN - len) * i / NUM, len * (NUM - i) / NUM };
        if (HASH(_many_impl)(impl, items, NUM) != LC_OK)
            return failed(impl, "many messages", len);
        for (size_t i = 0; i < NUM; i++)
            if (!FN(piecewise)(PORTABLE, items[i].msg, items[i].len, 0, wanted) ||
                !same(impl, "digest of many", digest_len, digests[i], wanted) ||
                (i % 8 == 0 && (!FN(piecewise)(impl, items[i].msg, items[i].len, items[i].len / 3, digests[0]) ||
                                !same(impl, "digest of pieces", digest_len, digests[0], wanted))))
                return failed(impl, "a message", items[i].len);
    }
    return true;
}

static bool FN(test)(const char *impl)
{
    bool ok = FN(vector)(impl, TEXT, DIGEST);

    ok = FN(vector)(impl, "", DIGEST_OF_NOTHING) && ok;
    return FN(compare)(impl) && ok;
}

#undef FN
#undef HASH
#undef PORTABLE
#undef TEXT
#undef DIGEST
#undef DIGEST_OF_NOTHING

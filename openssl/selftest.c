/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The self-test: each cipher's known answer, through the functions that libcrypto calls and the implementation that the core has
 * chosen.  The answers are hashes of what OpenSSL's default provider makes of the same inputs, for a text that is done as a whole
 * message and one that is long enough for the widest loops; each is done in one update and in several.
 */
#include "provider.h"

enum { SHORT_LEN = 100, LONG_LEN = 2100, MAX_TAG_LEN = 16 };

static const struct {
    const struct lcp_cipher *cipher;
    uint64_t hash;
} answers[] = {
    { &lcp_aes_128_gcm, UINT64_C(0xa2d2287ace10e0a7) }, { &lcp_aes_192_gcm, UINT64_C(0x82d34633e0db19fd) },
    { &lcp_aes_256_gcm, UINT64_C(0xccdabce1b8ad2b16) }, { &lcp_chacha20_poly1305, UINT64_C(0x8ea31210b1fc926a) },
    { &lcp_aes_128_ctr, UINT64_C(0x2186fca5da283501) }, { &lcp_aes_192_ctr, UINT64_C(0x038f0090540b8575) },
    { &lcp_aes_256_ctr, UINT64_C(0xdd80aa91f5df0c53) }, { &lcp_chacha20, UINT64_C(0xcd379be87d16bb1c) },
    { &lcp_aes_128_xts, UINT64_C(0x0d18be919c04d5d5) }, { &lcp_aes_256_xts, UINT64_C(0x60d65b7d31ccb600) },
};

struct functions {
    OSSL_FUNC_cipher_newctx_fn *newctx;
    OSSL_FUNC_cipher_freectx_fn *freectx;
    OSSL_FUNC_cipher_encrypt_init_fn *encrypt_init;
    OSSL_FUNC_cipher_decrypt_init_fn *decrypt_init;
    OSSL_FUNC_cipher_update_fn *update;
    OSSL_FUNC_cipher_final_fn *final;
    OSSL_FUNC_cipher_get_ctx_params_fn *get_ctx_params;
    OSSL_FUNC_cipher_set_ctx_params_fn *set_ctx_params;
};

static void look_up(struct functions *f, const OSSL_DISPATCH *table)
{
    for (; table->function_id; table++) {
        switch (table->function_id) {
        case OSSL_FUNC_CIPHER_NEWCTX: f->newctx = OSSL_FUNC_cipher_newctx(table); break;
        case OSSL_FUNC_CIPHER_FREECTX: f->freectx = OSSL_FUNC_cipher_freectx(table); break;
        case OSSL_FUNC_CIPHER_ENCRYPT_INIT: f->encrypt_init = OSSL_FUNC_cipher_encrypt_init(table); break;
        case OSSL_FUNC_CIPHER_DECRYPT_INIT: f->decrypt_init = OSSL_FUNC_cipher_decrypt_init(table); break;
        case OSSL_FUNC_CIPHER_UPDATE: f->update = OSSL_FUNC_cipher_update(table); break;
        case OSSL_FUNC_CIPHER_FINAL: f->final = OSSL_FUNC_cipher_final(table); break;
        case OSSL_FUNC_CIPHER_GET_CTX_PARAMS: f->get_ctx_params = OSSL_FUNC_cipher_get_ctx_params(table); break;
        case OSSL_FUNC_CIPHER_SET_CTX_PARAMS: f->set_ctx_params = OSSL_FUNC_cipher_set_ctx_params(table); break;
        default: break;
        }
    }
}

/* One message, in place: `len` bytes, of which the first piece_len in an update of their own. */
static bool crypt_message(const struct lcp_cipher *cipher, const struct functions *f, void *ctx, bool encrypt, uint8_t *buf,
                          size_t len, size_t piece_len, uint8_t tag[MAX_TAG_LEN])
{
    static const uint8_t aad[] = "20 bytes of AAD here";
    OSSL_PARAM params[] = { { OSSL_CIPHER_PARAM_AEAD_TAG, OSSL_PARAM_OCTET_STRING, tag, MAX_TAG_LEN, 0 }, { NULL, 0, NULL, 0, 0 } };
    static const uint8_t iv[16] = { 255, 255, 255, 255, 1, 2, 3, 4, 255, 255, 255, 255, 255, 255, 255, 255 }; /* counters wrap */
    uint8_t key[64];
    size_t n;

    for (size_t i = 0; i < sizeof(key); i++)
        key[i] = (uint8_t)i;
    if (!(encrypt ? f->encrypt_init : f->decrypt_init)(ctx, key, cipher->key_len, iv, cipher->iv_len, NULL))
        return false;
    if (cipher->is_aead && !encrypt && !f->set_ctx_params(ctx, params))
        return false;
    if (cipher->is_aead && !f->update(ctx, NULL, &n, sizeof(aad), aad, sizeof(aad)))
        return false;
    if (piece_len && (!f->update(ctx, buf, &n, piece_len, buf, piece_len) || n != piece_len))
        return false;
    if (!f->update(ctx, buf + piece_len, &n, len - piece_len, buf + piece_len, len - piece_len) || n != len - piece_len)
        return false;
    return f->final(ctx, buf + len, &n, 0) && n == 0 && (!cipher->is_aead || !encrypt || f->get_ctx_params(ctx, params));
}

/* FNV-1a: it is to tell right from wrong, not to keep anybody from anything. */
static uint64_t hash_more(uint64_t hash, const uint8_t *p, size_t len)
{
    while (len--)
        hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
    return hash;
}

static bool test_messages(const struct lcp_cipher *cipher, const struct functions *f, void *ctx, bool in_pieces, uint64_t *hash)
{
    static const size_t lens[] = { SHORT_LEN, LONG_LEN };
    uint8_t text[LONG_LEN], buf[LONG_LEN], tag[MAX_TAG_LEN] = { 0 };

    for (size_t i = 0; i < LONG_LEN; i++)
        text[i] = (uint8_t)(i * i >> 3);
    *hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < 2; i++) {
        size_t len = lens[i], piece_len = in_pieces ? SHORT_LEN / 3 : 0;

        memcpy(buf, text, len);
        if (!crypt_message(cipher, f, ctx, true, buf, len, piece_len, tag))
            return false;
        *hash = hash_more(*hash, buf, len);
        if (cipher->is_aead)
            *hash = hash_more(*hash, tag, MAX_TAG_LEN);
        if (!crypt_message(cipher, f, ctx, false, buf, len, piece_len, tag) || memcmp(buf, text, len) != 0)
            return false;
        if (!cipher->is_aead)
            continue;
        tag[i] ^= 1; /* a forgery */
        memcpy(buf, text, len);
        if (crypt_message(cipher, f, ctx, false, buf, len, piece_len, tag))
            return false;
    }
    return true;
}

bool lcp_selftest(struct lcp_provider *prov, const struct lcp_cipher *cipher, const char **impl)
{
    struct functions f = { .newctx = NULL };
    uint64_t whole, pieces = 0;
    bool ok;
    void *ctx;

    look_up(&f, cipher->functions);
    ctx = f.newctx(prov);
    if (!ctx)
        return false;
    ok = test_messages(cipher, &f, ctx, false, &whole);
    if (ok && cipher->has_pieces)
        ok = test_messages(cipher, &f, ctx, true, &pieces) && pieces == whole;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
        if (answers[i].cipher == cipher)
            ok = ok && whole == answers[i].hash;
    if (ok)
        *impl = cipher->impl_name(ctx);
    f.freectx(ctx);
    return ok;
}

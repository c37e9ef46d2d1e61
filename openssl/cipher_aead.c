/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM and ChaCha20-Poly1305.
 *
 * Most callers give the text in one update, and libcrypto wants it back at once, before anybody knows that nothing follows.  The
 * core is fastest with a whole message: one call instead of three or four.  So the first piece of a text, if it is short, is taken
 * for a whole message, and its ciphertext kept.  If more follows, the stream is made to where it would be, from the ciphertext,
 * and goes on.  That costs more than the stream would have, so after a message in pieces some have to come whole before one is
 * taken for whole again.
 */
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/params.h>

#include "cipher_aead.h"

/* ---- Contexts ---- */

static void *aead_newctx(void *prov, const struct lcp_cipher *cipher)
{
    struct aead_ctx *c = malloc(sizeof(*c));

    if (!c) {
        lcp_refuse(prov, ALLOC);
        return NULL;
    }
    memset(c, 0, offsetof(struct aead_ctx, key)); /* what lies after is written before it is read */
    c->prov = prov;
    c->cipher = cipher;
    c->is_gcm = cipher != &lcp_chacha20_poly1305;
    c->ops = c->is_gcm ? lc_gcm_ops() : lc_chacha20poly1305_ops();
    c->iv_len = IV_LEN;
    c->num_whole = HOLD_AFTER;
    /* GCM draws an iv if none is set; ChaCha20-Poly1305 has always begun with one of zeros. */
    c->iv_state = c->is_gcm ? IV_NONE : IV_SET;
    return c;
}

static void aead_freectx(void *ctx)
{
    struct aead_ctx *c = ctx;

    if (!c)
        return;
    lcp_free(c->state, sizeof(*c->state));
    free(c->held);
    lcp_free(c, sizeof(*c));
}

static void *aead_dupctx(void *ctx)
{
    const struct aead_ctx *c = ctx;
    struct aead_ctx *dup = malloc(sizeof(*dup));

    if (dup) {
        memcpy(dup, c, sizeof(*dup));
        dup->state = c->phase == STREAM ? malloc(sizeof(*dup->state)) : NULL;
        dup->held_size = c->phase == HELD ? c->held_size : 0;
        dup->held = dup->held_size ? malloc(dup->held_size) : NULL;
    }
    if (!dup || (c->phase == STREAM && !dup->state) || (c->phase == HELD && !dup->held)) {
        aead_freectx(dup);
        lcp_refuse(c->prov, ALLOC);
        return NULL;
    }
    if (dup->held)
        memcpy(dup->held, c->held, c->held_len);
    if (dup->state) {
        memcpy(dup->state, c->state, sizeof(*dup->state));
        dup->ops->state_set_key(dup->state, &dup->key);
    }
    return dup;
}

static const char *aead_impl_name(const void *ctx)
{
    const struct aead_ctx *c = ctx;

    return c->ops->impl_name(&c->key);
}

/* ---- Messages ---- */

void lcp_aead_new_message(struct aead_ctx *c, enum iv_state iv_state)
{
    c->iv_state = iv_state;
    c->phase = FRESH;
    c->aad_len = 0;
    c->num_pieces = 0;
    c->is_tag_ready = false;
}

/* To where the stream would be, had it got what is in `aad` and no text. */
int lcp_aead_start_stream(struct aead_ctx *c)
{
    if (!c->state && !(c->state = malloc(sizeof(*c->state))))
        return lcp_refuse(c->prov, ALLOC);
    if (c->ops->start(c->state, &c->key, c->iv, c->iv_len) != LC_OK || c->ops->aad(c->state, c->aad, c->aad_len) != LC_OK)
        return lcp_refuse(c->prov, BAD_IV_LEN);
    c->phase = STREAM;
    return 1;
}

/* The core opens whole messages with the tags that the standards have only; OpenSSL takes any number of bytes from 1 to 16. */
static bool is_standard_tag_len(const struct aead_ctx *c, size_t tag_len)
{
    return tag_len == MAX_TAG_LEN || (c->is_gcm && (tag_len == 4 || tag_len == 8 || tag_len >= 12));
}

static int stream_text(struct aead_ctx *c, uint8_t *dst, const uint8_t *src, size_t len)
{
    return (c->is_encrypting ? c->ops->encrypt : c->ops->decrypt)(c->state, dst, src, len);
}

/* From HELD to STREAM: more text follows, or another tag.  Encryption needs the plaintext, which a stream the other way finds. */
static int resume_stream(struct aead_ctx *c)
{
    uint8_t text[HELD_LEN];
    const uint8_t *src = c->held;
    int ok = 1;

    if (c->is_encrypting) {
        ok = lcp_aead_start_stream(c) && c->ops->decrypt(c->state, text, c->held, c->held_len) == LC_OK;
        src = text;
    }
    ok = ok && lcp_aead_start_stream(c) && stream_text(c, text, src, c->held_len) == LC_OK;
    lc_wipe(text, sizeof(text));
    return ok;
}

static int draw_iv(struct aead_ctx *c)
{
    if (!c->is_encrypting || c->iv_len < IV_LEN)
        return lcp_refuse(c->prov, NO_IV);
    if (getentropy(c->iv, c->iv_len) != 0)
        return lcp_refuse(c->prov, NO_RANDOM);
    c->is_iv_generated = true;
    c->iv_state = IV_SET;
    return 1;
}

/* May there be AAD, text or an end now? */
static inline int check_message(struct aead_ctx *c)
{
    if (!c->has_key)
        return lcp_refuse(c->prov, NO_KEY);
    if (c->iv_state == IV_NONE && !draw_iv(c))
        return 0;
    if (c->iv_state != IV_SET)
        return lcp_refuse(c->prov, IV_USED);
    if (c->is_encrypting && c->phase == FRESH)
        c->has_tls_iv = false; /* this message has its iv */
    return 1;
}

static int add_aad(struct aead_ctx *c, const uint8_t *aad, size_t aad_len)
{
    int status;

    if (c->phase == HELD)
        return lcp_refuse(c->prov, AAD_AFTER_TEXT);
    if (c->phase == FRESH) {
        if (aad_len <= AAD_LEN - c->aad_len) {
            memcpy(c->aad + c->aad_len, aad, aad_len);
            c->aad_len += aad_len;
            return 1;
        }
        if (!lcp_aead_start_stream(c))
            return 0;
    }
    status = c->ops->aad(c->state, aad, aad_len);
    if (status == LC_ERR_STATE)
        return lcp_refuse(c->prov, AAD_AFTER_TEXT);
    return status == LC_OK ? 1 : lcp_refuse(c->prov, BAD_AAD_LEN);
}

/* The first piece of text, of up to HELD_LEN bytes, as a whole message.  To decrypt, the tag has to be known and right. */
static int hold_text(struct aead_ctx *c, uint8_t *dst, const uint8_t *src, size_t len)
{
    int status;

    if (c->is_encrypting) {
        status = c->ops->seal(&c->key, dst, c->tag, MAX_TAG_LEN, src, len, c->aad, c->aad_len, c->iv, c->iv_len);
        memcpy(c->held, dst, len);
    } else {
        memcpy(c->held, src, len);
        status = c->ops->open(&c->key, dst, c->held, len, c->tag, c->tag_len, c->aad, c->aad_len, c->iv, c->iv_len);
    }
    if (status == LC_OK) {
        c->held_len = len;
        c->phase = HELD;
    }
    return status;
}

static bool has_room(struct aead_ctx *c, size_t len)
{
    const size_t size = (len + 63) & ~(size_t)63;

    if (len <= c->held_size)
        return true;
    free(c->held);
    c->held = malloc(size);
    c->held_size = c->held ? size : 0;
    return c->held;
}

static int add_text(struct aead_ctx *c, uint8_t *dst, const uint8_t *src, size_t len)
{
    int status;

    c->num_pieces += c->num_pieces < 2;
    if (c->phase == FRESH) {
        if (len <= HELD_LEN && c->num_whole == HOLD_AFTER && (c->is_encrypting || is_standard_tag_len(c, c->tag_len)) &&
            has_room(c, len)) {
            status = hold_text(c, dst, src, len);
            if (status == LC_OK)
                return 1;
            if (c->is_encrypting)
                return lcp_refuse(c->prov, CORE);
            src = c->held; /* the tag is wrong, but the message may go on; if dst == src, the text is gone */
        }
        if (!lcp_aead_start_stream(c))
            return 0;
    } else if (c->phase == HELD && !resume_stream(c)) {
        return 0;
    }
    status = stream_text(c, dst, src, len);
    return status == LC_OK ? 1 : lcp_refuse(c->prov, TEXT_TOO_LONG);
}

static int end_message(struct aead_ctx *c)
{
    int status = LC_OK;

    if (c->is_encrypting) {
        if (c->phase == FRESH)
            status = c->ops->seal(&c->key, NULL, c->tag, MAX_TAG_LEN, NULL, 0, c->aad, c->aad_len, c->iv, c->iv_len);
        else if (c->phase == STREAM)
            status = c->ops->tag(c->state, c->tag, MAX_TAG_LEN);
    } else {
        if (!c->tag_len)
            return lcp_refuse(c->prov, NO_TAG);
        if (c->phase == FRESH && !lcp_aead_start_stream(c))
            return 0;
        if (c->phase == STREAM)
            status = c->ops->verify_prefix(c->state, c->tag, c->tag_len);
        c->tag_len = 0;
    }
    if (c->num_pieces > 1)
        c->num_whole = 0;
    else
        c->num_whole += c->num_whole < HOLD_AFTER;
    lcp_aead_new_message(c, IV_SPENT);
    c->is_tag_ready = c->is_encrypting;
    return status == LC_OK; /* no error in the queue for a wrong tag: that it is empty tells callers forgeries from all else */
}

/* ---- Parameters ---- */

static int set_tag(struct aead_ctx *c, const OSSL_PARAM *p)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return lcp_refuse(c->prov, BAD_PARAM);
    if (p->data_size == 0 || p->data_size > MAX_TAG_LEN)
        return lcp_refuse(c->prov, BAD_TAG_LEN);
    if (p->data == NULL) /* only announced */
        return c->is_gcm ? lcp_refuse(c->prov, BAD_PARAM) : 1;
    if (c->is_encrypting)
        return lcp_refuse(c->prov, TAG_ON_ENCRYPTION);
    if (c->phase == HELD && !resume_stream(c)) /* it was right with another tag */
        return 0;
    memcpy(c->tag, p->data, p->data_size);
    c->tag_len = p->data_size;
    return 1;
}

static int get_tag(struct aead_ctx *c, OSSL_PARAM *p)
{
    if (!c->is_encrypting || !c->is_tag_ready)
        return lcp_refuse(c->prov, TAG_NOT_READY);
    if (p->data_size == 0 || p->data_size > MAX_TAG_LEN)
        return lcp_refuse(c->prov, BAD_TAG_LEN);
    return lcp_write_octets(p, c->tag, p->data_size) ? 1 : lcp_refuse(c->prov, BAD_PARAM);
}

static int set_iv_len(struct aead_ctx *c, const OSSL_PARAM *p)
{
    size_t len;

    if (!lcp_read_size(p, &len))
        return lcp_refuse(c->prov, BAD_PARAM);
    if (len == 0 || len > MAX_IV_LEN || (!c->is_gcm && len != IV_LEN))
        return lcp_refuse(c->prov, BAD_IV_LEN);
    if (len != c->iv_len) {
        c->iv_len = len;
        c->has_tls_iv = false;
        lcp_aead_new_message(c, c->iv_state == IV_NONE ? IV_NONE : IV_SPENT);
    }
    return 1;
}

static int aead_set_ctx_params(void *ctx, const OSSL_PARAM params[])
{
    struct aead_ctx *c = ctx;

    for (const OSSL_PARAM *p = params; p && p->key; p++) {
        int ok = 1;

        switch (lcp_param(p->key)) {
        case LCP_P_TAG: ok = set_tag(c, p); break;
        case LCP_P_IV_LEN: ok = set_iv_len(c, p); break;
        case LCP_P_KEY_LEN: ok = lcp_expect_size(c->prov, p, c->cipher->key_len, BAD_KEY_LEN); break;
        case LCP_P_TLS_AAD: ok = lcp_tls_set_aad(c, p); break;
        case LCP_P_TLS_IV_FIXED: ok = lcp_tls_set_fixed_iv(c, p); break;
        case LCP_P_TLS_IV_INV:
            if (c->is_gcm)
                ok = lcp_tls_set_iv(c, p);
            break;
        default: break;
        }
        if (!ok)
            return 0;
    }
    return 1;
}

static int get_iv(struct aead_ctx *c, OSSL_PARAM *p)
{
    if (c->iv_state == IV_NONE && !draw_iv(c))
        return 0;
    return lcp_write_octets(p, c->iv, c->iv_len) ? 1 : lcp_refuse(c->prov, BAD_PARAM);
}

static int aead_get_ctx_params(void *ctx, OSSL_PARAM params[])
{
    struct aead_ctx *c = ctx;

    for (OSSL_PARAM *p = params; p && p->key; p++) {
        size_t value;

        switch (lcp_param(p->key)) {
        case LCP_P_KEY_LEN: value = c->cipher->key_len; break;
        case LCP_P_IV_LEN: value = c->iv_len; break;
        case LCP_P_TAG_LEN: value = c->tag_len ? c->tag_len : MAX_TAG_LEN; break;
        case LCP_P_TLS_AAD_PAD:
            value = MAX_TAG_LEN; /* that much longer does encryption make a record */
            break;
        case LCP_P_IV_GENERATED: value = c->is_iv_generated; break;
        case LCP_P_TAG:
            if (!get_tag(c, p))
                return 0;
            continue;
        case LCP_P_IV:
        case LCP_P_UPDATED_IV:
            if (!get_iv(c, p))
                return 0;
            continue;
        case LCP_P_TLS_IV_GEN:
            if (c->is_gcm && !lcp_tls_get_iv(c, p))
                return 0;
            continue;
        default: continue;
        }
        if (!lcp_write_size(p, value))
            return lcp_refuse(c->prov, BAD_PARAM);
    }
    return 1;
}

/* ChaCha20-Poly1305 has no iv to be generated, but all else. */
LCP_PARAM_LIST(
    aead_gettable_ctx_params, OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL), OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, NULL), OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
    OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0), OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, NULL),
    OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN, NULL, 0),
    OSSL_PARAM_uint("iv-generated", NULL)) /* new in 3.1 */

LCP_PARAM_LIST(aead_settable_ctx_params, OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
               OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL), OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
               OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, NULL, 0),
               OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, NULL, 0),
               OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, NULL, 0))

/* ---- Encryption and decryption ---- */

/*
 * A message that has begun ends with a new key or in the other direction.  An iv that was used stays so until there is another,
 * whatever the key.
 */
static int aead_init(struct aead_ctx *c, bool is_encrypting, const uint8_t *raw, size_t raw_len, const uint8_t *iv, size_t iv_len,
                     const OSSL_PARAM params[])
{
    bool turns = c->is_encrypting != is_encrypting;

    if (raw && raw_len != c->cipher->key_len)
        return lcp_refuse(c->prov, BAD_KEY_LEN);
    if (iv && (iv_len == 0 || iv_len > MAX_IV_LEN || (!c->is_gcm && iv_len != IV_LEN)))
        return lcp_refuse(c->prov, BAD_IV_LEN);
    c->is_encrypting = is_encrypting;
    if (turns) {
        c->tag_len = 0;
        c->has_tls_iv = false;
        c->is_tls_record = false;
    }
    if (raw || turns)
        c->is_tag_ready = false;
    if (iv) {
        if (iv_len != c->iv_len)
            c->has_tls_iv = false;
        if (iv_len == IV_LEN) /* as nearly always: two moves, and no call */
            memcpy(c->iv, iv, IV_LEN);
        else
            memcpy(c->iv, iv, iv_len);
        c->iv_len = iv_len;
        c->is_iv_generated = false;
        c->is_tls_record = false;
        lcp_aead_new_message(c, IV_SET);
    } else if ((raw || turns) && (c->phase != FRESH || c->aad_len || (turns && c->iv_state == IV_RECORDS))) {
        lcp_aead_new_message(c, IV_SPENT);
    }
    if (raw)
        c->num_tls_records = 0;
    if (raw && !(c->has_key && lcp_same_key(c->raw, raw, raw_len))) {
        c->has_key = false;
        if (c->ops->init(&c->key, raw, raw_len) != LC_OK)
            return lcp_refuse(c->prov, CORE);
        memcpy(c->raw, raw, raw_len);
        c->has_key = true;
    }
    return params ? aead_set_ctx_params(c, params) : 1;
}

static int aead_encrypt_init(void *ctx, const unsigned char *raw, size_t raw_len, const unsigned char *iv, size_t iv_len,
                             const OSSL_PARAM params[])
{
    return aead_init(ctx, true, raw, raw_len, iv, iv_len, params);
}

static int aead_decrypt_init(void *ctx, const unsigned char *raw, size_t raw_len, const unsigned char *iv, size_t iv_len,
                             const OSSL_PARAM params[])
{
    return aead_init(ctx, false, raw, raw_len, iv, iv_len, params);
}

/* Without `out`, it is AAD. */
static int aead_update(void *ctx, unsigned char *out, size_t *out_len, size_t out_size, const unsigned char *in, size_t len)
{
    struct aead_ctx *c = ctx;

    *out_len = 0;
    if (len == 0)
        return 1;
    if (!in)
        return lcp_refuse(c->prov, NO_INPUT);
    if (out_size < len)
        return lcp_refuse(c->prov, BUFFER_TOO_SMALL);
    if (len > PTRDIFF_MAX) /* a negative number on its way through EVP */
        return lcp_refuse(c->prov, TEXT_TOO_LONG);
    if (c->is_tls_record)
        return lcp_tls_record(c, out, out_len, in, len);
    if (!check_message(c) || !(out ? add_text(c, out, in, len) : add_aad(c, in, len)))
        return 0;
    *out_len = len;
    return 1;
}

static int aead_final(void *ctx, unsigned char *out, size_t *out_len, size_t out_size)
{
    struct aead_ctx *c = ctx;

    (void)out;
    (void)out_size;
    *out_len = 0;
    if (c->is_tls_record)
        return lcp_refuse(c->prov, BAD_TLS_RECORD);
    return check_message(c) && end_message(c);
}

/*
 * EVP_Cipher(): without `in`, it is the end.  As with the default provider, GCM answers what it was given also for a record that
 * was decrypted, and a record of nothing is an error.
 */
static int aead_cipher(void *ctx, unsigned char *out, size_t *out_len, size_t out_size, const unsigned char *in, size_t len)
{
    struct aead_ctx *c = ctx;

    if (!in)
        return aead_final(ctx, out, out_len, out_size);
    if (c->is_gcm && c->is_tls_record && len == 0) {
        *out_len = 0;
        return lcp_refuse(c->prov, BAD_TLS_RECORD);
    }
    if (!aead_update(ctx, out, out_len, out_size, in, len))
        return 0;
    if (c->is_gcm)
        *out_len = len;
    return 1;
}

/* ---- The ciphers ---- */

#define AEAD_CIPHER(cipher, ...)                                                                                                   \
    LCP_CIPHER(cipher, aead, aead_encrypt_init, aead_decrypt_init, aead_cipher, .iv_len = IV_LEN, .is_aead = true,                 \
               .has_custom_iv = true, .has_pieces = true, .impl_name = aead_impl_name, __VA_ARGS__)

AEAD_CIPHER(aes_128_gcm, .names = "AES-128-GCM:id-aes128-GCM:2.16.840.1.101.3.4.1.6", .description = "lanecrypt AES-128-GCM",
            .key_len = 16, .mode = EVP_CIPH_GCM_MODE)
AEAD_CIPHER(aes_192_gcm, .names = "AES-192-GCM:id-aes192-GCM:2.16.840.1.101.3.4.1.26", .description = "lanecrypt AES-192-GCM",
            .key_len = 24, .mode = EVP_CIPH_GCM_MODE)
AEAD_CIPHER(aes_256_gcm, .names = "AES-256-GCM:id-aes256-GCM:2.16.840.1.101.3.4.1.46", .description = "lanecrypt AES-256-GCM",
            .key_len = 32, .mode = EVP_CIPH_GCM_MODE)
AEAD_CIPHER(chacha20_poly1305, .names = "ChaCha20-Poly1305", .description = "lanecrypt ChaCha20-Poly1305", .key_len = 32,
            .mode = EVP_CIPH_STREAM_CIPHER)

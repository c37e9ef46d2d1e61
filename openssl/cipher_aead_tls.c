/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * TLS 1.2 records.
 *
 * GCM (RFC 5288): the iv is a fixed part and 8 bytes that precede the text in the record; here they are counted from a random
 * start.
 * ChaCha20-Poly1305 (RFC 7905): the iv's last 8 bytes are xored with the sequence number, and the record has none of it.
 */
#include <unistd.h>

#include "cipher_aead.h"

static size_t explicit_iv_len(const struct aead_ctx *c)
{
    return c->is_gcm ? 8 : 0;
}

/* The header's length is that of the record; authenticated is that of the text. */
int lcp_tls_set_aad(struct aead_ctx *c, const OSSL_PARAM *p)
{
    size_t overhead = explicit_iv_len(c) + (c->is_encrypting ? 0 : MAX_TAG_LEN), len;
    const uint8_t *aad = p->data;

    if (aad == NULL || p->data_type != OSSL_PARAM_OCTET_STRING)
        return lcp_refuse(c->prov, BAD_PARAM);
    if (p->data_size != TLS_AAD_LEN)
        return lcp_refuse(c->prov, BAD_TLS_AAD);
    len = (size_t)aad[TLS_AAD_LEN - 2] << 8 | aad[TLS_AAD_LEN - 1];
    if (len < overhead)
        return lcp_refuse(c->prov, BAD_TLS_AAD);
    len -= overhead;
    memcpy(c->tls_aad, aad, TLS_AAD_LEN);
    c->tls_aad[TLS_AAD_LEN - 2] = (uint8_t)(len >> 8);
    c->tls_aad[TLS_AAD_LEN - 1] = (uint8_t)len;
    c->tls_text_len = len;
    c->is_tls_record = true;
    return 1;
}

int lcp_tls_set_fixed_iv(struct aead_ctx *c, const OSSL_PARAM *p)
{
    size_t len = p->data_size;

    if (p->data == NULL || p->data_type != OSSL_PARAM_OCTET_STRING)
        return lcp_refuse(c->prov, BAD_PARAM);
    if (c->is_gcm && len == SIZE_MAX) { /* how libcrypto's callers put a whole iv back */
        len = c->iv_len;
        if (len < IV_LEN)
            return lcp_refuse(c->prov, BAD_TLS_IV);
        memcpy(c->iv, p->data, len);
        c->is_iv_generated = false;
    } else if (c->is_gcm) {
        if (len < TLS_MIN_FIXED_LEN || len > c->iv_len || c->iv_len - len < explicit_iv_len(c))
            return lcp_refuse(c->prov, BAD_TLS_IV);
        memcpy(c->iv, p->data, len);
        if (c->is_encrypting) {
            if (getentropy(c->iv + len, c->iv_len - len) != 0)
                return lcp_refuse(c->prov, NO_RANDOM);
            c->is_iv_generated = true;
        }
    } else {
        if (len != IV_LEN)
            return lcp_refuse(c->prov, BAD_TLS_IV);
        memcpy(c->iv, p->data, len);
    }
    c->has_tls_iv = true;
    lcp_aead_new_message(c, IV_SET);
    return 1;
}

static void count_iv(struct aead_ctx *c)
{
    uint8_t *explicit_iv = c->iv + c->iv_len - 8;

    for (size_t i = 8; i-- > 0;)
        if (++explicit_iv[i])
            break;
}

/* Give the iv's end out, count it, and begin the message that has it. */
int lcp_tls_get_iv(struct aead_ctx *c, OSSL_PARAM *p)
{
    size_t len = p->data_size == 0 || p->data_size > c->iv_len ? c->iv_len : p->data_size; /* 0: the caller has room for all */

    if (p->data == NULL || p->data_type != OSSL_PARAM_OCTET_STRING)
        return lcp_refuse(c->prov, BAD_PARAM);
    if (!c->has_key)
        return lcp_refuse(c->prov, NO_KEY);
    if (!c->has_tls_iv)
        return lcp_refuse(c->prov, NO_IV);
    lcp_aead_new_message(c, IV_SET);
    if (!lcp_aead_start_stream(c))
        return 0;
    memcpy(p->data, c->iv + c->iv_len - len, len);
    count_iv(c);
    return 1;
}

int lcp_tls_set_iv(struct aead_ctx *c, const OSSL_PARAM *p)
{
    if (p->data == NULL || p->data_type != OSSL_PARAM_OCTET_STRING)
        return lcp_refuse(c->prov, BAD_PARAM);
    if (!c->has_key)
        return lcp_refuse(c->prov, NO_KEY);
    if (!c->has_tls_iv)
        return lcp_refuse(c->prov, NO_IV);
    if (c->is_encrypting)
        return lcp_refuse(c->prov, DECRYPTION_ONLY);
    if (p->data_size > c->iv_len)
        return lcp_refuse(c->prov, BAD_TLS_IV);
    memcpy(c->iv + c->iv_len - p->data_size, p->data, p->data_size);
    lcp_aead_new_message(c, IV_SET);
    return 1;
}

/* The whole record: [explicit iv] text tag. */
int lcp_tls_record(struct aead_ctx *c, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len)
{
    size_t explicit_len = explicit_iv_len(c), text_len = c->tls_text_len;
    uint8_t nonce[MAX_IV_LEN];
    int status;

    c->is_tls_record = false;
    if (!c->has_key)
        return lcp_refuse(c->prov, NO_KEY);
    if (!out || len != explicit_len + text_len + MAX_TAG_LEN)
        return lcp_refuse(c->prov, BAD_TLS_RECORD);
    if (explicit_len) {
        if (!c->has_tls_iv)
            return lcp_refuse(c->prov, NO_IV);
        if (out != in)
            return lcp_refuse(c->prov, NOT_IN_PLACE);
        if (!c->is_encrypting)
            memcpy(c->iv + c->iv_len - explicit_len, in, explicit_len);
    }
    if (!explicit_len && c->is_encrypting && c->iv_state != IV_RECORDS &&
        (c->iv_state != IV_SET || c->phase != FRESH || c->aad_len))
        return lcp_refuse(c->prov, IV_USED);
    if (c->is_encrypting && ++c->num_tls_records == 0)
        return lcp_refuse(c->prov, RECORDS);
    memcpy(nonce, c->iv, c->iv_len);
    if (!explicit_len)
        for (size_t i = 0; i < TLS_SEQ_LEN; i++)
            nonce[IV_LEN - TLS_SEQ_LEN + i] ^= c->tls_aad[i];
    lcp_aead_new_message(c, explicit_len ? IV_SPENT : IV_RECORDS);
    if (c->is_encrypting) {
        memcpy(out, c->iv + c->iv_len - explicit_len, explicit_len);
        status = c->ops->seal(&c->key, out + explicit_len, out + explicit_len + text_len, MAX_TAG_LEN, in + explicit_len, text_len,
                              c->tls_aad, TLS_AAD_LEN, nonce, c->iv_len);
        if (explicit_len)
            count_iv(c);
    } else {
        status = c->ops->open(&c->key, out + explicit_len, in + explicit_len, text_len, in + explicit_len + text_len, MAX_TAG_LEN,
                              c->tls_aad, TLS_AAD_LEN, nonce, c->iv_len);
    }
    if (status != LC_OK)
        return lcp_refuse(c->prov, AUTH);
    *out_len = c->is_encrypting ? len : text_len;
    return 1;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-GCM and ChaCha20-Poly1305: what the messages (cipher_aead.c) and the records of TLS 1.2 (cipher_aead_tls.c) share. */
#ifndef LANECRYPT_PROVIDER_AEAD_H
#define LANECRYPT_PROVIDER_AEAD_H

#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/gcm.h"
#include "provider.h"

enum {
    IV_LEN = 12,        /* unless "ivlen" is set */
    MAX_IV_LEN = 128,   /* as the default provider's */
    MAX_KEY_LEN = 32,
    MAX_TAG_LEN = 16,
    AAD_LEN = 64,       /* as much is kept until the text comes; the AAD of TLS has 5 or 13 bytes */
    HELD_LEN = 2048,    /* the longest piece of text that is taken for a whole message */
    HOLD_AFTER = 4,     /* messages that came whole: then the next is expected to */
    TLS_AAD_LEN = 13,   /* sequence number, type, version, length (RFC 5246, 6.2.3.3) */
    TLS_SEQ_LEN = 8,
    TLS_MIN_FIXED_LEN = 4
};

union aead_key {
    struct lc_gcm_key gcm;
    struct lc_chacha20poly1305_key chacha20poly1305;
};

union aead_state {
    struct lc_gcm_state gcm;
    struct lc_chacha20poly1305_state chacha20poly1305;
};

/*
 * What may be done under `iv`, so that no two encryptions come under one.
 *
 *                  plain message                            TLS 1.2 record, GCM                    ... ChaCha20-Poly1305
 *     IV_NONE      GCM, to encrypt: one is drawn            if has_tls_iv                          no
 *     IV_SET       yes; and has_tls_iv ends with it         if has_tls_iv                          if no message has begun
 *     IV_SPENT     no                                       if has_tls_iv                          no
 *     IV_RECORDS   no                                       -                                      yes
 *
 * A plain message's end leaves IV_SPENT; a record leaves IV_SPENT and the iv counted, or IV_RECORDS.  To decrypt, an iv that is set
 * serves for any of them.
 */
enum iv_state {
    IV_NONE,
    IV_SET,     /* for the message that is being made, or for the next one */
    IV_SPENT,
    IV_RECORDS  /* ChaCha20-Poly1305: each record makes a nonce of it and of its sequence number */
};

/* What has become of the message so far */
enum phase {
    FRESH,  /* there may be AAD in `aad`; nothing is computed yet */
    HELD,   /* one piece of text was done as if it were all; its ciphertext is in `held`.  Encryption: `tag` is the tag that it
               would have.  Decryption: that was `tag`. */
    STREAM  /* all of it is in `state` */
};

struct aead_ctx {
    const struct lcp_provider *prov;
    const struct lcp_cipher *cipher;
    const struct lc_aead_ops *ops;
    bool is_gcm;
    bool is_encrypting;
    bool has_key;
    bool is_iv_generated;  /* by the operating system's random bytes */
    bool has_tls_iv;       /* GCM: the iv has a fixed part, and the rest is counted: no message has had it yet */
    bool is_tls_record;    /* the next call is for a whole record, and tls_aad its header */
    bool is_tag_ready;     /* encryption has ended: `tag` can be read */
    enum iv_state iv_state;
    enum phase phase;
    unsigned num_pieces;   /* of text in this message, counted until 2 */
    unsigned num_whole;    /* messages with one piece at most since the last with more, counted until HOLD_AFTER */
    size_t iv_len, aad_len, held_len;
    size_t tag_len;        /* decryption: of the tag that was set, or 0 */
    size_t tls_text_len;
    uint64_t num_tls_records;
    uint8_t tag[MAX_TAG_LEN];
    uint8_t tls_aad[TLS_AAD_LEN];
    uint8_t aad[AAD_LEN];
    uint8_t iv[MAX_IV_LEN];
    uint8_t raw[MAX_KEY_LEN]; /* what `key` was made of */
    union aead_state *state;  /* NULL until a message is a stream: most come whole */
    uint8_t *held;            /* ciphertext, so no secret */
    size_t held_size;         /* of its room */
    union aead_key key;
};

/* cipher_aead.c */
void lcp_aead_new_message(struct aead_ctx *c, enum iv_state iv_state);
int lcp_aead_start_stream(struct aead_ctx *c);

/* cipher_aead_tls.c: parameters, and the whole record that is in an update after "tlsaad" */
int lcp_tls_set_aad(struct aead_ctx *c, const OSSL_PARAM *p);
int lcp_tls_set_fixed_iv(struct aead_ctx *c, const OSSL_PARAM *p);
int lcp_tls_set_iv(struct aead_ctx *c, const OSSL_PARAM *p);
int lcp_tls_get_iv(struct aead_ctx *c, OSSL_PARAM *p);
int lcp_tls_record(struct aead_ctx *c, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The OpenSSL provider: what its files share.
 *
 * The module is linked with the core and with libc, not with libcrypto: a program may have its own, static one, of another version
 * than the system's.  What it needs of libcrypto it calls through the functions that OSSL_provider_init() is given; of OpenSSL's
 * headers it uses constants, types and macros of 3.0, which have not changed since.
 */
#ifndef LANECRYPT_PROVIDER_H
#define LANECRYPT_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>

#include "../src/wipe.h"

/* ---- Errors ---- */

/* Why something was refused: the reason, and the details that ERR_print_errors() shows after it. */
#define LCP_REASONS(R)                                                                                                             \
    R(ALLOC, "out of memory", "")                                                                                                  \
    R(AUTH, "authentication failed", "the tag, text, AAD, iv or key of a TLS record is wrong")                                     \
    R(AAD_AFTER_TEXT, "AAD after text", "the AAD of a message must come before its text")                                          \
    R(BAD_AAD_LEN, "AAD too long", "for one message")                                                                              \
    R(BAD_IV_LEN, "invalid iv length", "this cipher does not support ivs of that length")                                          \
    R(BAD_KEY_LEN, "invalid key length", "this cipher does not support keys of that length")                                       \
    R(BAD_PARAM, "invalid parameter", "its type or size is wrong, or it has no data")                                              \
    R(BAD_TAG_LEN, "invalid tag length", "this cipher does not support tags of that length")                                       \
    R(BAD_TLS_AAD, "invalid TLS header", "it must have 13 bytes, and a length with room for iv and tag")                           \
    R(BAD_TLS_IV, "invalid TLS iv", "a part of the iv has the wrong length")                                                       \
    R(BAD_TLS_RECORD, "invalid TLS record length", "it differs from the length in the header")                                     \
    R(BUFFER_TOO_SMALL, "output buffer too small", "")                                                                             \
    R(CORE, "lanecrypt refused", "LANECRYPT_IMPL or LANECRYPT_DISABLE has a name that is unknown or cannot run here")              \
    R(DECRYPTION_ONLY, "for decryption only", "encryption makes that part of the iv itself")                                       \
    R(IV_USED, "iv already used", "set a new iv for each message")                                                                 \
    R(NOT_IN_PLACE, "TLS record not in place", "input and output must be the same buffer")                                         \
    R(NOT_STARTED, "not started", "the last digest has ended, and no new one was begun")                                           \
    R(NO_INPUT, "no input", "the input is NULL, but its length is not 0")                                                          \
    R(NO_IV, "no iv set", "")                                                                                                      \
    R(NO_KEY, "no key set", "")                                                                                                    \
    R(NO_OUTPUT, "no output buffer", "this cipher has no AAD, so it needs one")                                                    \
    R(NO_RANDOM, "no random bytes", "the operating system gave none for an iv")                                                    \
    R(NO_TAG, "no tag set", "decryption needs the tag before it ends")                                                             \
    R(NUM, "invalid position in the block", "only 0 can be set, which drops the rest of the block")                                \
    R(RECORDS, "too many TLS records", "under one key")                                                                            \
    R(TAG_NOT_READY, "tag not ready", "it is made when an encryption ends")                                                        \
    R(TAG_ON_ENCRYPTION, "tag set for encryption", "encryption makes the tag itself")                                              \
    R(TEXT_TOO_LONG, "text too long", "for one iv")                                                                                \
    R(XTS_EQUAL_KEYS, "xts duplicated keys", "the halves of the key must differ to encrypt")                                       \
    R(XTS_UNIT_LEN, "invalid XTS data unit length", "each call must be one data unit of 16 to 2^24 bytes")

enum lcp_reason {
    LCP_R_NONE,
#define LCP_REASON(id, text, more) LCP_R_##id,
    LCP_REASONS(LCP_REASON)
#undef LCP_REASON
};

/* ---- The provider ---- */

/* One for each library context that has loaded the module. */
struct lcp_provider {
    const OSSL_CORE_HANDLE *handle;
    OPENSSL_CORE_CTX *program; /* the library context in which the module is */
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_ALGORITHM *ciphers; /* those that are offered, and an empty one */
    struct lcp_public_keys *public_keys; /* pkey.h; NULL if there are none */
    char info[1024];         /* "buildinfo": the implementations in use */
};

/* lcp_refuse: put an error into OpenSSL's queue.  Answers 0, which is what functions return that fail. */
#define lcp_refuse(prov, reason) lcp_raise(prov, LCP_R_##reason, __FILE__, __LINE__, __func__)
__attribute__((cold)) int lcp_raise(const struct lcp_provider *prov, enum lcp_reason reason, const char *file, int line,
                                    const char *func);

/* ---- Ciphers ---- */

/* What is the same for all contexts of a cipher. */
struct lcp_cipher {
    const char *names;       /* all of them, with OIDs, separated by colons: as the default provider has them */
    const char *description;
    size_t key_len, iv_len;  /* bytes */
    unsigned mode;           /* EVP_CIPH_*_MODE */
    bool is_aead;
    bool has_custom_iv;
    bool has_pieces;         /* updates go on with one message; of XTS each is one */
    const OSSL_DISPATCH *functions;
    const char *(*impl_name)(const void *ctx); /* of a context that has a key */
};

extern const struct lcp_cipher lcp_aes_128_gcm, lcp_aes_192_gcm, lcp_aes_256_gcm, lcp_chacha20_poly1305; /* cipher_aead.c */
extern const struct lcp_cipher lcp_aes_128_ctr, lcp_aes_192_ctr, lcp_aes_256_ctr, lcp_chacha20;          /* cipher_stream.c */
extern const struct lcp_cipher lcp_aes_128_xts, lcp_aes_256_xts;                                         /* cipher_xts.c */

/*
 * lcp_selftest: does the cipher give the known answers, whole and in pieces, in both directions?  impl gets the name of its
 * implementation.
 */
bool lcp_selftest(struct lcp_provider *prov, const struct lcp_cipher *cipher, const char **impl);

/* lcp_is_portable: by its name.  Portable implementations are slower than libcrypto's, or no faster. */
bool lcp_is_portable(const char *impl);

#define LCP_ENTRY(id, function) { OSSL_FUNC_CIPHER_##id, (void (*)(void))(function) }

/*
 * LCP_CIPHER: the functions and the description of lcp_<cipher>.  Those of its kind (xts, stream, aead) begin with `kind`; the rest
 * are members of struct lcp_cipher.  newctx and get_params get no hint of the cipher that they are for: each cipher has its own.
 */
#define LCP_CIPHER(cipher, kind, encrypt_init, decrypt_init, whole, ...)                                                           \
    static void *cipher##_newctx(void *prov)                                                                                       \
    {                                                                                                                              \
        return kind##_newctx(prov, &lcp_##cipher);                                                                                 \
    }                                                                                                                              \
    static int cipher##_get_params(OSSL_PARAM params[])                                                                            \
    {                                                                                                                              \
        return lcp_get_params(params, &lcp_##cipher);                                                                              \
    }                                                                                                                              \
    static const OSSL_DISPATCH cipher##_functions[] = {                                                                            \
        LCP_ENTRY(NEWCTX, cipher##_newctx),                                                                                        \
        LCP_ENTRY(FREECTX, kind##_freectx),                                                                                        \
        LCP_ENTRY(DUPCTX, kind##_dupctx),                                                                                          \
        LCP_ENTRY(ENCRYPT_INIT, encrypt_init),                                                                                     \
        LCP_ENTRY(DECRYPT_INIT, decrypt_init),                                                                                     \
        LCP_ENTRY(UPDATE, kind##_update),                                                                                          \
        LCP_ENTRY(FINAL, kind##_final),                                                                                            \
        LCP_ENTRY(CIPHER, whole), /* EVP_Cipher() */                                                                               \
        LCP_ENTRY(GET_PARAMS, cipher##_get_params),                                                                                \
        LCP_ENTRY(GETTABLE_PARAMS, lcp_gettable_params),                                                                           \
        LCP_ENTRY(GET_CTX_PARAMS, kind##_get_ctx_params),                                                                          \
        LCP_ENTRY(GETTABLE_CTX_PARAMS, kind##_gettable_ctx_params),                                                                \
        LCP_ENTRY(SET_CTX_PARAMS, kind##_set_ctx_params),                                                                          \
        LCP_ENTRY(SETTABLE_CTX_PARAMS, kind##_settable_ctx_params),                                                                \
        { 0, NULL }                                                                                                                \
    };                                                                                                                             \
    const struct lcp_cipher lcp_##cipher = { .functions = cipher##_functions, __VA_ARGS__ };

/* ---- Parameters (params.c) ---- */

enum lcp_param {
    LCP_P_OTHER,
    LCP_P_AEAD,
    LCP_P_BLOCK_SIZE,
    LCP_P_CTS,
    LCP_P_CUSTOM_IV,
    LCP_P_ENCRYPT_THEN_MAC,
    LCP_P_HAS_RAND_KEY,
    LCP_P_IV,
    LCP_P_IV_GENERATED,
    LCP_P_IV_LEN,
    LCP_P_KEY_LEN,
    LCP_P_MODE,
    LCP_P_NUM,
    LCP_P_TAG,
    LCP_P_TAG_LEN,
    LCP_P_TLS_AAD,
    LCP_P_TLS_AAD_PAD,
    LCP_P_TLS_IV_FIXED,
    LCP_P_TLS_IV_GEN,
    LCP_P_TLS_IV_INV,
    LCP_P_TLS_MULTIBLOCK,
    LCP_P_UPDATED_IV
};

/* Is it one of the names, in either case, which have some of the separators between them? */
bool lcp_has_name(const char *names, const char *name, const char *separators);

/* Has each parameter one of these names? */
bool lcp_all_named(const OSSL_PARAM params[], const char *const *names, size_t num);

/* lcp_param: which one it is, by one look at its name; what other ciphers have is LCP_P_OTHER, to be passed over. */
enum lcp_param lcp_param(const char *key);

/* Read a number; write one, or bytes.  They answer 0 if type or size are wrong. */
int lcp_read_size(const OSSL_PARAM *p, size_t *value);
int lcp_write_size(OSSL_PARAM *p, size_t value);
int lcp_write_octets(OSSL_PARAM *p, const uint8_t *octets, size_t len);

/* A size that can be set to one value only.  1, or 0 and an error in the queue, which for another value is `reason`. */
#define lcp_expect_size(prov, p, size, reason) lcp_check_size(prov, p, size, LCP_R_##reason, __FILE__, __LINE__, __func__)
int lcp_check_size(const struct lcp_provider *prov, const OSSL_PARAM *p, size_t size, enum lcp_reason reason, const char *file,
                   int line, const char *func);

/* LCP_PARAM_LIST: the function of a dispatch table that answers with a constant list of parameters. */
#define LCP_PARAM_LIST(function, ...)                                                                                              \
    static const OSSL_PARAM *function(void *ctx, void *prov)                                                                       \
    {                                                                                                                              \
        static const OSSL_PARAM list[] = { __VA_ARGS__, OSSL_PARAM_END };                                                          \
                                                                                                                                   \
        (void)ctx;                                                                                                                 \
        (void)prov;                                                                                                                \
        return list;                                                                                                               \
    }

/* What can be asked of a context of a cipher that isn't an AEAD. */
#define LCP_GETTABLE_CTX_PARAMS                                                                                                    \
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL), OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),                           \
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL), OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),                      \
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0)

/* The functions of the dispatch tables that are the same for all ciphers. */
int lcp_get_params(OSSL_PARAM params[], const struct lcp_cipher *cipher);
const OSSL_PARAM *lcp_gettable_params(void *prov);

/* ---- Memory ---- */

/*
 * Many programs set the key for each message, and mostly it is the same: then it is not expanded again.  All bytes are looked at;
 * that it is the same is no secret.
 */
static inline bool lcp_same_key(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint64_t differ = 0;

    for (size_t i = 0; i < len; i += 8) { /* keys have 16 to 64 bytes */
        uint64_t x, y;

        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        differ |= x ^ y;
    }
    return differ == 0;
}

/* Contexts.  The two that make one answer NULL, with an error in the queue, if there is no memory; secret_len: what to wipe. */
void *lcp_new(const struct lcp_provider *prov, size_t len);
void *lcp_copy(const struct lcp_provider *prov, const void *ctx, size_t len);
void lcp_free(void *ctx, size_t secret_len);

#endif

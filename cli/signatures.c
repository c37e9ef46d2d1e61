/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "signatures.h"

size_t signature_digest_len(enum lc_rsa_hash hash)
{
    return hash == LC_RSA_SHA256 ? LC_SHA256_LEN : hash == LC_RSA_SHA384 ? LC_SHA384_LEN : LC_SHA512_LEN;
}

/* The digests of the first num of w->of_kind, function by function.  Hashing fails for none or for all. */
static int hash_all(struct signature_work *w, size_t num)
{
    static int (*const hash_many[])(const struct lc_hash_item *, size_t) = {
        [LC_RSA_SHA256] = lc_sha256_many, [LC_RSA_SHA384] = lc_sha384_many, [LC_RSA_SHA512] = lc_sha512_many
    };
    int status = LC_OK;

    for (enum lc_rsa_hash hash = LC_RSA_SHA256; status == LC_OK && hash <= LC_RSA_SHA512; hash++) {
        size_t num_messages = 0;

        for (size_t i = 0; i < num; i++)
            if (w->of_kind[i]->hash == hash)
                w->messages[num_messages++] = (struct lc_hash_item){ w->digests[i], w->of_kind[i]->msg, w->of_kind[i]->msg_len };
        status = hash_many[hash](w->messages, num_messages);
    }
    return status;
}

/*
 * The kinds: w->of_kind[0 .. num - 1], whose digests are made.  status: what came of that.  Each item has its own; the call's
 * is LC_OK if all have.
 */
static void verify_p256(struct signature_work *w, size_t num, int status)
{
    for (size_t i = 0; i < num; i++)
        w->items.p256[i] = (struct lc_ecdsa_p256_verify_item){ w->of_kind[i]->key, w->of_kind[i]->sig, w->digests[i],
                                                               signature_digest_len(w->of_kind[i]->hash), status };
    if (status == LC_OK)
        status = lc_ecdsa_p256_verify_many(w->items.p256, num);
    for (size_t i = 0; i < num; i++)
        w->of_kind[i]->status = status == LC_OK ? LC_OK : w->items.p256[i].status;
}

static void verify_p384(struct signature_work *w, size_t num, int status)
{
    for (size_t i = 0; i < num; i++)
        w->items.p384[i] = (struct lc_ecdsa_p384_verify_item){ w->of_kind[i]->key, w->of_kind[i]->sig, w->digests[i],
                                                               signature_digest_len(w->of_kind[i]->hash), status };
    if (status == LC_OK)
        status = lc_ecdsa_p384_verify_many(w->items.p384, num);
    for (size_t i = 0; i < num; i++)
        w->of_kind[i]->status = status == LC_OK ? LC_OK : w->items.p384[i].status;
}

static void verify_ed25519(struct signature_work *w, size_t num)
{
    int status;

    for (size_t i = 0; i < num; i++)
        w->items.ed25519[i] = (struct lc_ed25519_verify_item){ w->of_kind[i]->key, w->of_kind[i]->sig, w->of_kind[i]->msg,
                                                               w->of_kind[i]->msg_len, LC_OK };
    status = lc_ed25519_verify_many(w->items.ed25519, num);
    for (size_t i = 0; i < num; i++)
        w->of_kind[i]->status = status == LC_OK ? LC_OK : w->items.ed25519[i].status;
}

static void verify_rsa(struct signature_work *w, size_t num, int status, int (*verify_many)(struct lc_rsa_verify_item *, size_t))
{
    for (size_t i = 0; i < num; i++)
        w->items.rsa[i] = (struct lc_rsa_verify_item){
            .key = w->of_kind[i]->key,
            .sig = w->of_kind[i]->sig,
            .sig_len = w->of_kind[i]->sig_len,
            .hash = w->of_kind[i]->hash,
            .digest = w->digests[i],
            .salt_len = w->of_kind[i]->salt_len,
            .status = status
        };
    if (status == LC_OK)
        status = verify_many(w->items.rsa, num);
    for (size_t i = 0; i < num; i++)
        w->of_kind[i]->status = status == LC_OK ? LC_OK : w->items.rsa[i].status;
}

void signatures_verify(struct signature_work *w, struct signature *signatures, size_t num)
{
    for (enum signature_kind kind = 0; kind < NUM_SIGNATURE_KINDS; kind++) {
        size_t n = 0;

        for (size_t i = 0; i < num; i++)
            if (signatures[i].kind == kind)
                w->of_kind[n++] = &signatures[i];
        if (n == 0)
            continue;
        switch (kind) {
        case SIG_P256: verify_p256(w, n, hash_all(w, n)); break;
        case SIG_P384: verify_p384(w, n, hash_all(w, n)); break;
        case SIG_ED25519: verify_ed25519(w, n); break;
        case SIG_RSA_PKCS1: verify_rsa(w, n, hash_all(w, n), lc_rsa_pkcs1_verify_many); break;
        default: verify_rsa(w, n, hash_all(w, n), lc_rsa_pss_verify_many); break;
        }
    }
}

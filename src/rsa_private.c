/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA for the OpenSSL provider: the private operation without a padding, and the padding of TLS up to 1.2 (RFC 5246, 7.4.7.1).
 * Neither is in the public headers: who has the number that was decrypted also has to hide what is wrong with it.
 */
#include "rsa_internal.h"

/* ---- Private operations ---- */

static struct lc_rsa_item private_item(void *items, size_t i)
{
    struct lc_rsa_private_item *item = (struct lc_rsa_private_item *)items + i;

    return (struct lc_rsa_item){ &item->key->public_key, &item->status, item };
}

static int begin_private(struct lc_rsa_work *w, size_t i, void *of)
{
    const struct lc_rsa_private_item *item = of;
    const struct lc_rsa_public_key *key = &item->key->public_key;

    w->keys[i] = item->key;
    lc_rsa_from_bytes(w->x[i], key->words, item->in, 8 * key->words);
    return lc_rsa_below(w->x[i], key->n, key->words) ? LC_OK : LC_ERR_CIPHERTEXT;
}

/* (Not inline, so that the branch has a place: was the calculation right.) */
static __attribute__((noinline)) void private_chunk(struct lc_rsa_work *w, void *const *items, size_t num)
{
    lc_rsa_private_power(w, num);
    for (size_t i = 0; i < num; i++) {
        struct lc_rsa_private_item *item = items[i];

        if (w->right[i])
            lc_rsa_to_bytes(item->out, w->s[i], w->keys[i]->public_key.words);
        else
            item->status = LC_ERR_FAULT;
    }
}

int lc_rsa_private_many(struct lc_rsa_private_item *items, size_t num_items)
{
    static const struct lc_rsa_call call = { private_item, begin_private, private_chunk, 1 };

    return lc_rsa_many(&call, items, num_items);
}

/* ---- TLS ---- */

void lc_rsa_tls_secret(uint8_t secret[LC_RSA_TLS_SECRET_LEN], const uint8_t *em, size_t len, unsigned version,
                       unsigned other_version)
{
    const size_t at = len - LC_RSA_TLS_SECRET_LEN;
    const unsigned found = (unsigned)em[at] << 8 | em[at + 1];
    uint64_t wrong = em[0] | (em[1] ^ 2u) | em[at - 1], right;

    for (size_t i = 2; i < at - 1; i++)
        wrong |= lc_mask_if_zero(em[i]);
    /* 0 is no version: then there is no other one. */
    right = lc_mask_if_zero(found ^ (version & 0xffff)) |
            (lc_mask_if_zero(found ^ (other_version & 0xffff)) & ~lc_mask_if_zero(other_version));
    right &= lc_mask_if_zero(wrong);
    for (size_t i = 0; i < LC_RSA_TLS_SECRET_LEN; i++)
        secret[i] ^= (uint8_t)((secret[i] ^ em[at + i]) & right);
}

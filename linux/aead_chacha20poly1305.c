/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * rfc7539(chacha20,poly1305), and rfc7539esp(chacha20,poly1305) for IPsec, for the kernel's crypto API: a synchronous aead for each
 * implementation.  aead.h has what is the same for all AEADs.
 */
#include <linux/module.h>

#include "../src/chacha20poly1305_internal.h"
#include "aead.h"
#include "chacha20_work.h"
#include "compat.h"
#include "module.h"

#define KEY_LEN 32
#define TAG_LEN 16

struct chacha20poly1305_key {
    const struct lc_chacha20poly1305_impl *impl;
    u8 raw[KEY_LEN];
    u32 salt;
    bool esp; /* asked for each message, as functions of its own would double the code */
};

/* Places in lc_chacha20poly1305_impls, and how many there are besides the portable one. */
enum {
#define ROW_CHACHA20POLY1305(name, symbol, ...) ROW_##symbol,
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"
    NUM_ROWS
};

/* rfc7539(..), then rfc7539esp(..) */
static struct aead_alg algs[2 * NUM_ROWS];

static int set_key(struct crypto_aead *tfm, const u8 *raw, unsigned int raw_len)
{
    unsigned int index = crypto_aead_alg(tfm) - algs;
    struct chacha20poly1305_key *key = crypto_aead_ctx(tfm);

    key->esp = index >= NUM_ROWS;
    if (raw_len != KEY_LEN + (key->esp ? IPSEC_SALT_LEN : 0))
        return -EINVAL;
    key->impl = &lc_chacha20poly1305_impls[index % NUM_ROWS];
    memcpy(key->raw, raw, KEY_LEN);
    if (key->esp)
        memcpy(&key->salt, raw + KEY_LEN, IPSEC_SALT_LEN);
    return 0;
}

static int set_authsize(struct crypto_aead *tfm, unsigned int authsize)
{
    return authsize == TAG_LEN ? 0 : -EINVAL;
}

/* ---- Messages ---- */

/* What all calls for a message begin with. */
static __always_inline void begin(struct lc_chacha20poly1305_msg *msg, const struct lc_kernel_message *m)
{
    msg->iv[0] = 0;
    memcpy(&msg->iv[1], m->nonce, sizeof(m->nonce));
    msg->lens[0] = m->aad_len;
    msg->lens[1] = m->len;
    msg->kept = 0;
    msg->power = NULL;
    msg->powers = NULL;
}

/* The tag, which may be the right one of a forgery, and Poly1305's key */
static __always_inline void wipe_secrets(struct lc_chacha20poly1305_msg *msg)
{
    memzero_explicit(msg->hash, sizeof(msg->hash));
    memzero_explicit(msg->r, sizeof(msg->r));
    memzero_explicit(msg->s, sizeof(msg->s));
}

/* Comparisons and a direct call: see skcipher_xts.c. */
static __always_inline void crypt_simd(const struct chacha20poly1305_key *key, u8 *dst, const u8 *src, size_t len,
                                       struct lc_chacha20poly1305_msg *msg, bool encrypt)
{
    const unsigned int how = LC_CHACHA20POLY1305_FIRST | LC_CHACHA20POLY1305_LAST;

    kernel_fpu_begin();
#define ROW_CHACHA20POLY1305(name, symbol, ...)                                                                                    \
    if (key->impl == &lc_chacha20poly1305_impls[ROW_##symbol])                                                                     \
        (encrypt ? lc_chacha20poly1305_encrypt_##symbol                                                                            \
                 : lc_chacha20poly1305_decrypt_##symbol)(key->raw, dst, src, len, msg, how);                                       \
    else
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"
    {
    }
    kernel_fpu_end();
}

struct chacha20poly1305_pieces {
    struct lc_kernel_pieces pieces;
    const struct chacha20poly1305_key *key;
    struct lc_chacha20poly1305_msg msg;
    u64 power[4];
    unsigned int first; /* LC_CHACHA20POLY1305_FIRST until the first call */
};

static void crypt_piece(struct lc_kernel_pieces *pieces, const u8 *aad, size_t aad_len, u8 *dst, const u8 *src, size_t len,
                        bool last)
{
    struct chacha20poly1305_pieces *p = container_of(pieces, struct chacha20poly1305_pieces, pieces);
    const struct chacha20poly1305_key *key = p->key;
    struct lc_chacha20poly1305_msg *msg = &p->msg;
    const unsigned int how = p->first | (last ? LC_CHACHA20POLY1305_LAST : 0);

    msg->aad = aad;
    msg->aad_len = aad_len;
    if (crypto_simd_usable()) {
        kernel_fpu_begin();
        (pieces->encrypt ? key->impl->encrypt : key->impl->decrypt)(key->raw, dst, src, len, msg, how);
        kernel_fpu_end();
    } else {
        (pieces->encrypt ? lc_chacha20poly1305_encrypt_portable
                         : lc_chacha20poly1305_decrypt_portable)(key->raw, dst, src, len, msg, how);
    }
    msg->iv[0] += p->first + len / 64; /* block 0 isn't text's */
    p->first = 0;
}

static noinline int crypt_by_pieces(struct aead_request *req, const struct chacha20poly1305_key *key,
                                    const struct lc_kernel_message *m, bool encrypt)
{
    struct chacha20poly1305_pieces p = {
        .pieces = { .crypt = crypt_piece, .encrypt = encrypt, .tag = p.msg.hash },
        .key = key,
        .first = LC_CHACHA20POLY1305_FIRST,
    };
    int err;

    begin(&p.msg, m);
    p.msg.power = p.power;
    err = lc_kernel_crypt_pieces(req, m, &p.pieces);
    wipe_secrets(&p.msg);
    memzero_explicit(p.power, sizeof(p.power));
    return err;
}

static noinline int crypt(struct aead_request *req, bool encrypt)
{
    const struct chacha20poly1305_key *key = crypto_aead_ctx(crypto_aead_reqtfm(req));
    struct lc_kernel_message m;
    struct lc_chacha20poly1305_msg msg;
    int err;

    if (key->esp && req->assoclen < IPSEC_IV_LEN)
        return -EINVAL;
    look_at(&m, req, key->esp ? &key->salt : NULL, encrypt);
    if (unlikely(!m.from || !crypto_simd_usable()))
        return crypt_by_pieces(req, key, &m, encrypt);
    begin(&msg, &m);
    msg.aad = m.aad;
    msg.aad_len = m.aad_len;
    crypt_simd(key, m.to, m.from, m.len, &msg, encrypt);
    err = write_or_check_tag(req, &m, msg.hash, encrypt);
    wipe_secrets(&msg);
    return err;
}

static int encrypt(struct aead_request *req)
{
    return crypt(req, true);
}

static int decrypt(struct aead_request *req)
{
    return crypt(req, false);
}

/* ---- Registration ---- */

#define WHAT_BOTH_HAVE                                                                                                             \
    .base.cra_blocksize = 1, .base.cra_ctxsize = sizeof(struct chacha20poly1305_key), .base.cra_module = THIS_MODULE,              \
    .maxauthsize = TAG_LEN, .chunksize = 64, .setkey = set_key, .setauthsize = set_authsize, .encrypt = encrypt,                   \
    .decrypt = decrypt

static struct aead_alg algs[2 * NUM_ROWS] = {
    [0 ... NUM_ROWS - 1] = {
        WHAT_BOTH_HAVE,
        .base.cra_name = "rfc7539(chacha20,poly1305)",
        .ivsize = NONCE_LEN,
    },
    [NUM_ROWS ... 2 * NUM_ROWS - 1] = {
        WHAT_BOTH_HAVE,
        .base.cra_name = "rfc7539esp(chacha20,poly1305)",
        .ivsize = IPSEC_IV_LEN,
    },
};

const struct lc_kernel_algorithm lc_kernel_rfc7539 = { &lc_chacha20poly1305_mode, "chacha20-poly1305", "rfc7539-", NULL, algs };
const struct lc_kernel_algorithm lc_kernel_rfc7539esp = { &lc_chacha20poly1305_mode, "chacha20-poly1305", "rfc7539esp-", NULL,
                                                          algs + NUM_ROWS };

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * gcm(aes), and rfc4106(gcm(aes)) for IPsec, for the kernel's crypto API: a synchronous aead for each implementation.  aead.h has
 * what is the same for all AEADs.
 */
#include <linux/module.h>

#include <crypto/gcm.h> /* after the others, as it needs size_t */

#include "../src/gcm_internal.h"
#include "aead.h"
#include "compat.h"
#include "module.h"

/*
 * Each implementation has powers of the hash key in a form of its own, so there are two of the library's keys: one for when FPU
 * registers may be used, and one for when not.
 */
struct gcm_key {
    struct lc_gcm_key simd, portable;
    u32 salt;     /* RFC 4106: the nonce's first four bytes, which come with the key */
    bool rfc4106; /* asked for each message, as functions of its own would double the code */
};

#define ALIGN_BY (__alignof__(struct gcm_key))

/* Aligned for the legacy SSE code; see skcipher_xts.c. */
static struct gcm_key *key_of(struct crypto_aead *tfm)
{
    return PTR_ALIGN((struct gcm_key *)crypto_aead_ctx(tfm), ALIGN_BY);
}

/* Places in lc_gcm_impls, and how many there are besides the portable one. */
enum {
#define ROW_GCM(name, symbol, ...) ROW_##symbol,
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"
    NUM_ROWS
};

/* All of them are given LC_GCM_FROM_NONCE. */
#define ROW_GCM(name, symbol, needs, prefers, class, cpus, knows_nonce, ...) static_assert(knows_nonce);
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"

/* gcm(aes), then rfc4106(gcm(aes)) */
static struct aead_alg algs[2 * NUM_ROWS];

/* ---- Keys ---- */

/* The highest power of the hash key in the row's keys; they are the first of lc_gcm_key.powers, down to H^1. */
static unsigned int num_powers_of(const struct lc_gcm_impl *impl)
{
    return impl->powers == lc_aes_gcm_powers_pclmul ? LC_GCM_POWERS : LC_GCM_POWERS_AVX512;
}

/*
 * What the row's own powers() makes, where that may not be used: each power times x^-1 and with its bytes reversed.  Hashing a
 * block of zeros is a multiplication by H.
 */
static noinline void make_simd_powers(struct gcm_key *key)
{
    static const u8 x_inverse[16] = { [0] = 0xc2, [15] = 1 }, zeros[16];
    const unsigned int num_powers = num_powers_of(key->simd.impl);
    const bool avx512 = num_powers == LC_GCM_POWERS_AVX512;
    struct lc_gcm_msg msg = { .aad = zeros, .aad_len = sizeof(zeros) };
    u64 power[2], more[2];

    memset(key->simd.powers, 0, sizeof(key->simd.powers));
    memcpy(msg.hash, x_inverse, sizeof(x_inverse));
    for (unsigned int i = num_powers; i-- > 0;) {
        lc_aes_gcm_encrypt_portable(&key->portable, NULL, NULL, 0, &msg, LC_GCM_MORE);
        power[0] = swab64(msg.hash[1]);
        power[1] = swab64(msg.hash[0]);
        memcpy(key->simd.powers[i], power, sizeof(power));
        /* After the zeros: for 512 bits H^16, H^12, H^8, H^4 times x^64, see _fold in src/x86/aes_gcm_body.h; or added halves */
        if (avx512 && i >= num_powers - 16 && i % 4 == 0) {
            more[0] = power[1] ^ power[0] << 63 ^ power[0] << 62 ^ power[0] << 57;
            more[1] = power[0] ^ power[0] >> 1 ^ power[0] >> 2 ^ power[0] >> 7;
            memcpy(key->simd.powers[num_powers + 3 + (i - (num_powers - 16)) / 4], more, sizeof(more));
        } else if (!avx512) {
            more[0] = more[1] = power[0] ^ power[1];
            memcpy(key->simd.powers[num_powers + 3 + i], more, sizeof(more));
        }
    }
    memzero_explicit(power, sizeof(power));
    memzero_explicit(more, sizeof(more));
    memzero_explicit(msg.hash, sizeof(msg.hash));
}

static int set_key(struct crypto_aead *tfm, const u8 *raw, unsigned int raw_len)
{
    unsigned int index = crypto_aead_alg(tfm) - algs;
    const struct lc_gcm_impl *impl = &lc_gcm_impls[index % NUM_ROWS];
    struct gcm_key *key = key_of(tfm);
    const bool simd = crypto_simd_usable();
    u32 salt = 0;

    if (index >= NUM_ROWS) {
        if (raw_len < IPSEC_SALT_LEN)
            return -EINVAL;
        raw_len -= IPSEC_SALT_LEN;
        memcpy(&salt, raw + raw_len, IPSEC_SALT_LEN);
    }
    if (raw_len != 16 && raw_len != 24 && raw_len != 32)
        return -EINVAL;
    key->salt = salt;
    key->rfc4106 = index >= NUM_ROWS;
    key->simd.impl = impl;
    key->simd.rounds = key->portable.rounds = raw_len / 4 + 6;
    if (simd) {
        kernel_fpu_begin();
        impl->expand(key->simd.enc, NULL, raw, raw_len);
        impl->powers(&key->simd);
        kernel_fpu_end();
    } else {
        lc_aes_expand_portable(key->simd.enc, NULL, raw, raw_len);
    }
    memcpy(key->portable.enc, key->simd.enc, sizeof(key->portable.enc));
    if (simd) {
        portable_powers_of_simd(&key->portable, &key->simd.powers[num_powers_of(impl)]);
    } else {
        lc_aes_gcm_powers_portable(&key->portable);
        make_simd_powers(key);
    }
    return 0;
}

static int set_authsize(struct crypto_aead *tfm, unsigned int authsize)
{
    return crypto_gcm_check_authsize(authsize);
}

static int rfc4106_set_authsize(struct crypto_aead *tfm, unsigned int authsize)
{
    return crypto_rfc4106_check_authsize(authsize);
}

/* ---- Messages ---- */

/* Comparisons and a direct call: see skcipher_xts.c. */
static __always_inline void crypt_simd(const struct lc_gcm_key *key, u8 *dst, const u8 *src, size_t len, struct lc_gcm_msg *msg,
                                       bool encrypt)
{
    kernel_fpu_begin();
#define ROW_GCM(name, symbol, ...)                                                                                                 \
    if (key->impl == &lc_gcm_impls[ROW_##symbol])                                                                                  \
        (encrypt ? lc_aes_gcm_encrypt_##symbol : lc_aes_gcm_decrypt_##symbol)(key, dst, src, len, msg, LC_GCM_WHOLE);              \
    else
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"
    {
    }
    kernel_fpu_end();
}

struct gcm_pieces {
    struct lc_kernel_pieces pieces;
    const struct gcm_key *key;
    const struct lc_kernel_message *m;
    struct lc_gcm_msg msg;
    bool begun;
};

/* What the calls for a message need besides its pieces, and a first call from the nonce may have lost. */
static void set_up(struct lc_gcm_msg *msg, const struct lc_kernel_message *m)
{
    /* The nonce and a 1, big-endian; in memory order */
    msg->j0[0] = m->nonce[0] | (u64)m->nonce[1] << 32;
    msg->j0[1] = m->nonce[2] | 1ULL << 56;
    msg->num_bits[0] = 8 * (u64)m->len;
    msg->num_bits[1] = 8 * (u64)m->aad_len;
}

static void crypt_piece(struct lc_kernel_pieces *pieces, const u8 *aad, size_t aad_len, u8 *dst, const u8 *src, size_t len,
                        bool last)
{
    struct gcm_pieces *p = container_of(pieces, struct gcm_pieces, pieces);
    const struct gcm_key *key = p->key;
    struct lc_gcm_msg *msg = &p->msg;
    unsigned int how = last ? LC_GCM_LAST : LC_GCM_MORE;

    msg->aad = aad;
    msg->aad_len = aad_len;
    if (crypto_simd_usable()) {
        /* The first piece, which may be all of the text, has its counters from the nonce. */
        const bool from_nonce = !p->begun && len;

        how |= from_nonce ? LC_GCM_FROM_NONCE : LC_GCM_PUBLIC;
        kernel_fpu_begin();
        (pieces->encrypt ? key->simd.impl->encrypt : key->simd.impl->decrypt)(&key->simd, dst, src, len, msg, how);
        kernel_fpu_end();
        if (from_nonce)
            set_up(msg, p->m);
    } else {
        (pieces->encrypt ? lc_aes_gcm_encrypt_portable : lc_aes_gcm_decrypt_portable)(&key->portable, dst, src, len, msg, how);
    }
    msg->num_done += len / 16;
    p->begun = true;
}

static noinline int crypt_by_pieces(struct aead_request *req, const struct gcm_key *key, const struct lc_kernel_message *m,
                                    bool encrypt)
{
    struct gcm_pieces p = {
        .pieces = { .crypt = crypt_piece, .encrypt = encrypt, .tag = p.msg.hash },
        .key = key,
        .m = m,
        .msg = { .nonce = (const u8 *)m->nonce, .tag = (u8 *)p.msg.hash },
    };

    set_up(&p.msg, m);
    return lc_kernel_crypt_pieces(req, m, &p.pieces);
}

static noinline int crypt(struct aead_request *req, bool encrypt)
{
    const struct gcm_key *key = key_of(crypto_aead_reqtfm(req));
    struct lc_kernel_message m;
    struct lc_gcm_msg msg;
    u8 tag[16];
    int err;

    if (key->rfc4106) {
        err = crypto_ipsec_check_assoclen(req->assoclen);
        if (err)
            return err;
    }
    look_at(&m, req, key->rfc4106 ? &key->salt : NULL, encrypt);
    if (unlikely(!m.from || !crypto_simd_usable()))
        return crypt_by_pieces(req, key, &m, encrypt);
    msg.aad = m.aad;
    msg.aad_len = m.aad_len;
    msg.nonce = (const u8 *)m.nonce;
    msg.tag = tag;
    crypt_simd(&key->simd, m.to, m.from, m.len, &msg, encrypt);
    err = write_or_check_tag(req, &m, tag, encrypt);
    /* What is left out of a short tag is secret, and so is the right tag of a forgery. */
    memzero_explicit(tag, sizeof(tag));
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
    .base.cra_blocksize = 1, .base.cra_ctxsize = sizeof(struct gcm_key) + ALIGN_BY - CRYPTO_MINALIGN,                              \
    .base.cra_module = THIS_MODULE, .maxauthsize = 16, .chunksize = 16, .setkey = set_key, .encrypt = encrypt, .decrypt = decrypt

static struct aead_alg algs[2 * NUM_ROWS] = {
    [0 ... NUM_ROWS - 1] = {
        WHAT_BOTH_HAVE,
        .base.cra_name = "gcm(aes)",
        .ivsize = NONCE_LEN,
        .setauthsize = set_authsize,
    },
    [NUM_ROWS ... 2 * NUM_ROWS - 1] = {
        WHAT_BOTH_HAVE,
        .base.cra_name = "rfc4106(gcm(aes))",
        .ivsize = IPSEC_IV_LEN,
        .setauthsize = rfc4106_set_authsize,
    },
};

const struct lc_kernel_algorithm lc_kernel_gcm = { &lc_gcm_mode, "gcm-aes", "", NULL, algs };
const struct lc_kernel_algorithm lc_kernel_rfc4106_gcm = { &lc_gcm_mode, "gcm-aes", "rfc4106-", NULL, algs + NUM_ROWS };

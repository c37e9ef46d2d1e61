/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * gcm(aes), and rfc4106(gcm(aes)) for IPsec, for the kernel's crypto API: a synchronous aead for each implementation.
 *
 * As in skcipher_xts.c, a message of up to a page that lies in one piece with its tag takes one section of FPU use and one
 * direct call.  Its associated data is in front of it in the same piece (IPsec), or in one of its own (TLS).  Everything else
 * walks.
 *
 * If a tag is wrong the request returns -EBADMSG, and dst holds what the decryption gave: the API leaves it to the caller to throw
 * that away, and the kernel's own drivers leave it there too.
 */
#include <crypto/internal/aead.h>
#include <crypto/internal/simd.h>
#include <crypto/internal/skcipher.h>
#include <crypto/scatterwalk.h>
#include <linux/module.h>

#include <crypto/gcm.h> /* after the others, as it needs size_t */

#include "../src/gcm_internal.h"
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

/* crypt_simd() gives all of them LC_GCM_WHOLE. */
#define ROW_GCM(name, symbol, needs, prefers, class, cpus, knows_nonce, ...) static_assert(knows_nonce);
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"

/* gcm(aes), then rfc4106(gcm(aes)) */
static struct aead_alg algs[2 * NUM_ROWS];

/* ---- Keys ---- */

/* The highest power of the hash key in the row's keys; they are the first of lc_gcm_key.powers, down to H^1. */
static unsigned int num_powers_of(const struct lc_gcm_impl *impl)
{
    return impl->powers == lc_aes_gcm_powers_pclmul ? 18 : 36;
}

/*
 * What the row's own powers() makes, where that may not be used: each power times x^-1 and with its bytes reversed.  Hashing a
 * block of zeros is a multiplication by H.
 */
static noinline void make_simd_powers(struct gcm_key *key)
{
    static const u8 x_inverse[16] = { [0] = 0xc2, [15] = 1 }, zeros[16];
    const unsigned int num_powers = num_powers_of(key->simd.impl);
    const bool avx512 = num_powers == 36;
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
        if (raw_len < sizeof(salt))
            return -EINVAL;
        raw_len -= sizeof(salt);
        memcpy(&salt, raw + raw_len, sizeof(salt));
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

/* A piece of a message, at most a page of text: preemption is off meanwhile. */
static void crypt_piece(const struct gcm_key *key, u8 *dst, const u8 *src, size_t len, struct lc_gcm_msg *msg, unsigned int how,
                        bool encrypt)
{
    if (crypto_simd_usable()) {
        kernel_fpu_begin();
        (encrypt ? key->simd.impl->encrypt : key->simd.impl->decrypt)(&key->simd, dst, src, len, msg, how);
        kernel_fpu_end();
    } else {
        (encrypt ? lc_aes_gcm_encrypt_portable : lc_aes_gcm_decrypt_portable)(&key->portable, dst, src, len, msg, how);
    }
    msg->aad_len = 0;
    msg->num_done += len / 16;
}

/* Messages in several pieces, large ones, and all when FPU registers may not be used.  The tag is left in msg->hash. */
static noinline int crypt_by_pieces(struct aead_request *req, const struct gcm_key *key, struct lc_gcm_msg *msg, bool encrypt)
{
    unsigned int aad_len = msg->aad_len, aad_done = 0;
    struct skcipher_walk walk;
    u8 aad[256];
    int err;

    /* All of the associated data but its last piece, before the walk: that may disable preemption from step to step. */
    for (; aad_len - aad_done > sizeof(aad); aad_done += sizeof(aad)) {
        scatterwalk_map_and_copy(aad, req->src, aad_done, sizeof(aad), 0);
        msg->aad = aad;
        msg->aad_len = sizeof(aad);
        crypt_piece(key, NULL, NULL, 0, msg, LC_GCM_MORE, encrypt);
    }
    if (aad_len)
        scatterwalk_map_and_copy(aad, req->src, aad_done, aad_len - aad_done, 0);
    msg->aad = aad;
    msg->aad_len = aad_len - aad_done;

    err = encrypt ? skcipher_walk_aead_encrypt(&walk, req, false) : skcipher_walk_aead_decrypt(&walk, req, false);
    if (!err && !walk.nbytes)
        crypt_piece(key, NULL, NULL, 0, msg, LC_GCM_LAST, encrypt);
    while (!err && walk.nbytes) {
        const bool last = walk.nbytes == walk.total;
        unsigned int len = last ? walk.nbytes : round_down(walk.nbytes, 16);

        crypt_piece(key, walk.dst.virt.addr, walk.src.virt.addr, len, msg, last ? LC_GCM_LAST : LC_GCM_MORE, encrypt);
        err = skcipher_walk_done(&walk, walk.nbytes - len);
    }
    return err;
}

/* Where the len bytes after the first `at` are, if that is in the list's first or second entry; else NULL. */
static __always_inline u8 *in_one_piece(struct scatterlist *sg, size_t at, size_t len)
{
    if (at >= sg->length) {
        at -= sg->length;
        sg = sg_next(sg);
        if (!sg)
            return NULL;
    }
    /* (There is no highmem on x86-64: an entry's pages are contiguous, and always mapped.) */
    return at + len <= sg->length ? (u8 *)sg_virt(sg) + at : NULL;
}

/* Of an iv.  Words, as in src/gcm.c: callers have often just stored it in two pieces, and a load over two stores waits for both. */
static __always_inline u32 word(const u8 *p)
{
    u32 x;

    memcpy(&x, p, sizeof(x));
    OPTIMIZER_HIDE_VAR(x); /* or the compiler makes one load of two */
    return x;
}

/* The nonce and a 1, big-endian; in memory order */
static void set_j0(struct lc_gcm_msg *msg, const u32 nonce[3])
{
    msg->j0[0] = nonce[0] | (u64)nonce[1] << 32;
    msg->j0[1] = nonce[2] | 1ULL << 56;
}

static __always_inline int crypt(struct aead_request *req, bool encrypt)
{
    struct crypto_aead *tfm = crypto_aead_reqtfm(req);
    const struct gcm_key *key = key_of(tfm);
    struct scatterlist *src = req->src, *dst = req->dst;
    const size_t tag_len = crypto_aead_authsize(tfm);
    const size_t text_at = req->assoclen;
    const size_t len = encrypt ? req->cryptlen : req->cryptlen - tag_len; /* the API has checked that there is a tag */
    const size_t tag_at = text_at + len;
    size_t aad_len = req->assoclen;
    u32 nonce[3];
    const u8 *from;
    u8 *to, tag[16];
    int err = 0;

    if (key->rfc4106) {
        err = crypto_ipsec_check_assoclen(req->assoclen);
        if (err)
            return err;
        aad_len -= GCM_RFC4106_IV_SIZE; /* the iv, which is sent in the packet, is after the associated data */
        nonce[0] = key->salt;
        nonce[1] = word(req->iv);
        nonce[2] = word(req->iv + 4);
    } else {
        for (unsigned int i = 0; i < 3; i++)
            nonce[i] = word(req->iv + 4 * i);
    }

    from = in_one_piece(src, text_at, encrypt ? len : len + tag_len);
    to = in_one_piece(dst, text_at, encrypt ? len + tag_len : len);
    if (likely(from && to && len <= PAGE_SIZE && text_at <= PAGE_SIZE && aad_len <= src->length && crypto_simd_usable())) {
        struct lc_gcm_msg msg;

        msg.aad = sg_virt(src);
        msg.aad_len = aad_len;
        msg.nonce = (const u8 *)nonce;
        msg.tag = tag;
        crypt_simd(&key->simd, to, from, len, &msg, encrypt);
        if (encrypt)
            memcpy(to + len, tag, tag_len);
        else if (crypto_memneq(from + len, tag, tag_len))
            err = -EBADMSG;
    } else {
        struct lc_gcm_msg msg = { .aad_len = aad_len, .num_bits = { 8 * (u64)len, 8 * (u64)aad_len } };
        u8 received[16];

        set_j0(&msg, nonce);
        err = crypt_by_pieces(req, key, &msg, encrypt);
        memcpy(tag, msg.hash, sizeof(tag));
        memzero_explicit(msg.hash, sizeof(msg.hash));
        if (!err && encrypt) {
            scatterwalk_map_and_copy(tag, dst, tag_at, tag_len, 1);
        } else if (!err) {
            scatterwalk_map_and_copy(received, src, tag_at, tag_len, 0);
            if (crypto_memneq(received, tag, tag_len))
                err = -EBADMSG;
        }
    }
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
        .ivsize = GCM_AES_IV_SIZE,
        .setauthsize = set_authsize,
    },
    [NUM_ROWS ... 2 * NUM_ROWS - 1] = {
        WHAT_BOTH_HAVE,
        .base.cra_name = "rfc4106(gcm(aes))",
        .ivsize = GCM_RFC4106_IV_SIZE,
        .setauthsize = rfc4106_set_authsize,
    },
};

const struct lc_kernel_algorithm lc_kernel_gcm = { &lc_gcm_mode, "", NULL, algs };
const struct lc_kernel_algorithm lc_kernel_rfc4106_gcm = { &lc_gcm_mode, "rfc4106-", NULL, algs + NUM_ROWS };

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * xts(aes) for the kernel's crypto API: a synchronous skcipher for each implementation.
 *
 * Disk encryption sends a request for each sector, so what is done around the cipher counts as much as the cipher.  Hence the two
 * paths: a message of up to a page that lies in one piece, as practically all are, takes one section of FPU use and one direct
 * call, which does the iv as well.  Everything else walks.
 */
#include <crypto/internal/simd.h>
#include <crypto/internal/skcipher.h>
#include <crypto/scatterwalk.h>
#include <crypto/xts.h>
#include <linux/module.h>

#include "../src/xts_internal.h"
#include "compat.h"
#include "module.h"

#define ALIGN_BY (__alignof__(struct lc_xts_key))

/*
 * The key is the library's, aligned for the legacy SSE code; the API aligns contexts to CRYPTO_MINALIGN only.  It lives in the
 * transform's memory, which the API zeroes when it frees it.
 */
static struct lc_xts_key *key_of(struct crypto_skcipher *tfm)
{
    return PTR_ALIGN((struct lc_xts_key *)crypto_skcipher_ctx(tfm), ALIGN_BY);
}

/* Places in lc_xts_impls, and how many there are besides the portable one. */
enum {
#define ROW_XTS(name, symbol, ...) ROW_##symbol,
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"
    NUM_ROWS
};

static struct skcipher_alg algs[NUM_ROWS];

static int set_key(struct crypto_skcipher *tfm, const u8 *raw, unsigned int raw_len)
{
    const struct lc_xts_impl *impl = &lc_xts_impls[crypto_skcipher_alg(tfm) - algs];
    struct lc_xts_key *key = key_of(tfm);
    int err = xts_verify_key(tfm, raw, raw_len);

    if (err)
        return err;
    if (raw_len != 32 && raw_len != 48 && raw_len != 64)
        return -EINVAL;
    key->impl = impl;
    if (crypto_simd_usable()) {
        kernel_fpu_begin();
        lc_xts_expand(key, impl->expand, raw, raw_len);
        kernel_fpu_end();
    } else {
        lc_xts_expand(key, lc_aes_expand_portable, raw, raw_len);
    }
    return 0;
}

/*
 * Comparisons, best implementation first, and a direct call: an indirect one costs much where there are retpolines, and a copy of
 * the functions below for each implementation costs code.
 */
static __always_inline void crypt_simd(const struct lc_xts_key *key, u8 *dst, const u8 *src, unsigned int len, u8 block[16],
                                       unsigned int how, bool encrypt)
{
    const union lc_xts_tweak tweak = { .block = block };

    kernel_fpu_begin();
#define ROW_XTS(name, symbol, ...)                                                                                                 \
    if (key->impl == &lc_xts_impls[ROW_##symbol])                                                                                  \
        (encrypt ? lc_aes_xts_encrypt_##symbol : lc_aes_xts_decrypt_##symbol)(key, dst, src, len, tweak, how);                     \
    else
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"
    {
    }
    kernel_fpu_end();
}

/* A piece of a message, at most a page: preemption is off meanwhile. */
static noinline void crypt_piece(const struct lc_xts_key *key, u8 *dst, const u8 *src, unsigned int len, u8 block[16],
                                 unsigned int how, bool encrypt)
{
    const union lc_xts_tweak tweak = { .block = block };

    if (crypto_simd_usable()) {
        kernel_fpu_begin();
        (encrypt ? key->impl->encrypt : key->impl->decrypt)(key, dst, src, len, tweak, how);
        kernel_fpu_end();
    } else {
        (encrypt ? lc_aes_xts_encrypt_portable : lc_aes_xts_decrypt_portable)(key, dst, src, len, tweak, how);
    }
}

/* Messages in several pieces, large ones, and all when FPU registers may not be used. */
static noinline int crypt_by_pieces(struct skcipher_request *req, bool encrypt)
{
    struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);
    const struct lc_xts_key *key = key_of(tfm);
    /* Ciphertext stealing takes the last whole block and the bytes after it in one piece, wherever pages end. */
    unsigned int tail_len = req->cryptlen % 16 ? req->cryptlen % 16 + 16 : 0;
    unsigned int bulk_len = req->cryptlen - tail_len;
    unsigned int how = LC_XTS_IV;
    struct skcipher_request bulk;
    struct skcipher_walk walk;
    u8 tweak[16], tail[32];
    int err = 0;

    if (req->cryptlen < 16)
        return -EINVAL;
    memcpy(tweak, req->iv, sizeof(tweak));
    if (bulk_len) {
        skcipher_request_set_tfm(&bulk, tfm);
        skcipher_request_set_callback(&bulk, skcipher_request_flags(req), NULL, NULL);
        skcipher_request_set_crypt(&bulk, req->src, req->dst, bulk_len, req->iv);
        err = skcipher_walk_virt(&walk, &bulk, false);
        while (walk.nbytes) {
            unsigned int len = round_down(walk.nbytes, 16);

            crypt_piece(key, walk.dst.virt.addr, walk.src.virt.addr, len, tweak, how | LC_XTS_RETURN_TWEAK, encrypt);
            how = LC_XTS_ENCRYPTED;
            err = skcipher_walk_done(&walk, walk.nbytes - len);
        }
    }
    if (tail_len && !err) {
        scatterwalk_map_and_copy(tail, req->src, bulk_len, tail_len, 0);
        crypt_piece(key, tail, tail, tail_len, tweak, how, encrypt);
        scatterwalk_map_and_copy(tail, req->dst, bulk_len, tail_len, 1);
        memzero_explicit(tail, sizeof(tail));
    }
    memzero_explicit(tweak, sizeof(tweak));
    return err;
}

static noinline int crypt(struct skcipher_request *req, bool encrypt)
{
    const struct lc_xts_key *key = key_of(crypto_skcipher_reqtfm(req));
    struct scatterlist *src = req->src, *dst = req->dst;
    unsigned int len = req->cryptlen;

    /* (There is no highmem on x86-64: an entry's pages are contiguous, and always mapped.) */
    if (likely(len - 16 <= PAGE_SIZE - 16 && len <= src->length && len <= dst->length && crypto_simd_usable())) {
        crypt_simd(key, sg_virt(dst), sg_virt(src), len, req->iv, LC_XTS_IV, encrypt);
        return 0;
    }
    return crypt_by_pieces(req, encrypt);
}

static int encrypt(struct skcipher_request *req)
{
    return crypt(req, true);
}

static int decrypt(struct skcipher_request *req)
{
    return crypt(req, false);
}

static struct skcipher_alg algs[NUM_ROWS] = {
    [0 ... NUM_ROWS - 1] = {
        .base.cra_name = "xts(aes)",
        .base.cra_blocksize = 16,
        .base.cra_ctxsize = sizeof(struct lc_xts_key) + ALIGN_BY - CRYPTO_MINALIGN,
        .base.cra_module = THIS_MODULE,
        .min_keysize = 32,
        .max_keysize = 64,
        .ivsize = 16,
        .setkey = set_key,
        .encrypt = encrypt,
        .decrypt = decrypt,
    },
};

const struct lc_kernel_algorithm lc_kernel_xts = { &lc_xts_mode, "xts-aes", "", algs, NULL };

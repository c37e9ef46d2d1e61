/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ctr(aes) for the kernel's crypto API: a synchronous skcipher for each implementation.
 *
 * As in skcipher_xts.c, a message of up to a page that lies in one piece takes one section of FPU use and one direct call.
 * Everything else walks.
 */
#include <crypto/internal/simd.h>
#include <crypto/internal/skcipher.h>
#include <linux/module.h>
#include <linux/scatterlist.h>

#include "../src/ctr_internal.h"
#include "compat.h"
#include "module.h"

#define ALIGN_BY (__alignof__(struct lc_ctr_key))

/* The key is the library's, aligned for the legacy SSE code; see skcipher_xts.c. */
static struct lc_ctr_key *key_of(struct crypto_skcipher *tfm)
{
    return PTR_ALIGN((struct lc_ctr_key *)crypto_skcipher_ctx(tfm), ALIGN_BY);
}

/* Places in lc_ctr_impls, and how many there are besides the portable one. */
enum {
#define ROW_CTR(name, symbol, ...) ROW_##symbol,
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"
    NUM_ROWS
};

static struct skcipher_alg algs[NUM_ROWS];

static int set_key(struct crypto_skcipher *tfm, const u8 *raw, unsigned int raw_len)
{
    const struct lc_ctr_impl *impl = &lc_ctr_impls[crypto_skcipher_alg(tfm) - algs];
    struct lc_ctr_key *key = key_of(tfm);

    if (raw_len != 16 && raw_len != 24 && raw_len != 32)
        return -EINVAL;
    key->impl = impl;
    if (crypto_simd_usable()) {
        kernel_fpu_begin();
        lc_ctr_expand(key, impl->expand, raw, raw_len);
        kernel_fpu_end();
    } else {
        lc_ctr_expand(key, lc_aes_expand_portable, raw, raw_len);
    }
    return 0;
}

/* Comparisons and a direct call: see skcipher_xts.c. */
static __always_inline void crypt_simd(const struct lc_ctr_key *key, u8 *dst, const u8 *src, unsigned int len, const u8 iv[16])
{
    kernel_fpu_begin();
#define ROW_CTR(name, symbol, ...)                                                                                                 \
    if (key->impl == &lc_ctr_impls[ROW_##symbol])                                                                                  \
        lc_aes_ctr_##symbol(key, dst, src, len, iv);                                                                               \
    else
#define LC_WITHOUT_PORTABLE
#include "../src/rows.def"
    {
    }
    kernel_fpu_end();
}

/* Does the counter's low half wrap among len bytes, other than after the last block?  The implementations can't do that. */
static bool wraps(const u8 counter[16], unsigned int len)
{
    return (len - 1) / 16 > ~lc_ctr_low(counter);
}

/* A piece of a message, at most a page: preemption is off meanwhile.  The counter goes on. */
static void crypt_piece(const struct lc_ctr_key *key, u8 *dst, const u8 *src, unsigned int len, u8 counter[16])
{
    const bool simd = crypto_simd_usable();
    lc_ctr_xor_fn *xor = simd ? key->impl->xor : lc_aes_ctr_portable;

    if (simd)
        kernel_fpu_begin();
    while (len) {
        unsigned int n = wraps(counter, len) ? 16 * -lc_ctr_low(counter) : len; /* as far as the wrap */

        xor(key, dst, src, n, counter);
        lc_ctr_add(counter, counter, DIV_ROUND_UP(n, 16));
        dst += n;
        src += n;
        len -= n;
    }
    if (simd)
        kernel_fpu_end();
}

/* Messages in several pieces, large ones, those with a wrap, and all when FPU registers may not be used. */
static noinline int crypt_by_pieces(struct skcipher_request *req)
{
    const struct lc_ctr_key *key = key_of(crypto_skcipher_reqtfm(req));
    struct skcipher_walk walk;
    int err = skcipher_walk_virt(&walk, req, false);

    while (walk.nbytes) {
        unsigned int len = walk.nbytes < walk.total ? round_down(walk.nbytes, 16) : walk.nbytes;

        crypt_piece(key, walk.dst.virt.addr, walk.src.virt.addr, len, walk.iv);
        err = skcipher_walk_done(&walk, walk.nbytes - len);
    }
    return err;
}

/* Both directions.  req->iv becomes the counter after the last block, also if that is a part of one, as all drivers have it. */
static int crypt(struct skcipher_request *req)
{
    const struct lc_ctr_key *key = key_of(crypto_skcipher_reqtfm(req));
    struct scatterlist *src = req->src, *dst = req->dst;
    unsigned int len = req->cryptlen;

    if (likely(len - 1 < PAGE_SIZE && len <= src->length && len <= dst->length && !wraps(req->iv, len) && crypto_simd_usable())) {
        crypt_simd(key, sg_virt(dst), sg_virt(src), len, req->iv);
        lc_ctr_add(req->iv, req->iv, DIV_ROUND_UP(len, 16));
        return 0;
    }
    return crypt_by_pieces(req);
}

static struct skcipher_alg algs[NUM_ROWS] = {
    [0 ... NUM_ROWS - 1] = {
        .base.cra_name = "ctr(aes)",
        .base.cra_blocksize = 1,
        .base.cra_ctxsize = sizeof(struct lc_ctr_key) + ALIGN_BY - CRYPTO_MINALIGN,
        .base.cra_module = THIS_MODULE,
        .min_keysize = 16,
        .max_keysize = 32,
        .ivsize = 16,
        .chunksize = 16,
        .setkey = set_key,
        .encrypt = crypt,
        .decrypt = crypt,
    },
};

const struct lc_kernel_algorithm lc_kernel_ctr = { &lc_ctr_mode, "ctr-aes", "", algs, NULL };

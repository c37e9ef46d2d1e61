/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Messages of AEADs in several pieces, large ones, and all when FPU registers may not be used. */
#include "aead.h"

#include <crypto/internal/skcipher.h>

#include "compat.h"

int lc_kernel_walk_to_tag(struct aead_request *req, const struct lc_kernel_message *m, void *tag, bool encrypt)
{
    const size_t tag_at = req->assoclen + m->len;
    u8 received[16] COMPAT_UNINITIALIZED;

    if (encrypt) {
        scatterwalk_map_and_copy(tag, req->dst, tag_at, m->tag_len, 1);
        return 0;
    }
    scatterwalk_map_and_copy(received, req->src, tag_at, m->tag_len, 0);
    return crypto_memneq(received, tag, m->tag_len) ? -EBADMSG : 0;
}

int lc_kernel_crypt_pieces(struct aead_request *req, const struct lc_kernel_message *m, struct lc_kernel_pieces *p)
{
    const unsigned int chunk = crypto_aead_chunksize(crypto_aead_reqtfm(req));
    size_t aad_len = m->aad_len, aad_done = 0;
    const u8 *aad = m->aad;
    struct skcipher_walk walk;
    u8 copy[256] COMPAT_UNINITIALIZED; /* Not zero first, as kernels have it: that took 55 cycles. */
    int err;

    /* All of the associated data but its last piece, before the walk: that may disable preemption from step to step. */
    if (!aad) {
        for (; aad_len - aad_done > sizeof(copy); aad_done += sizeof(copy)) {
            scatterwalk_map_and_copy(copy, req->src, aad_done, sizeof(copy), 0);
            p->crypt(p, copy, sizeof(copy), NULL, NULL, 0, false);
        }
        aad_len -= aad_done;
        if (aad_len)
            scatterwalk_map_and_copy(copy, req->src, aad_done, aad_len, 0);
        aad = copy;
    }

    err = p->encrypt ? skcipher_walk_aead_encrypt(&walk, req, false) : skcipher_walk_aead_decrypt(&walk, req, false);
    if (!err && !walk.nbytes)
        p->crypt(p, aad, aad_len, NULL, NULL, 0, true);
    while (!err && walk.nbytes) {
        const bool last = walk.nbytes == walk.total;
        unsigned int len = last ? walk.nbytes : round_down(walk.nbytes, chunk);

        p->crypt(p, aad, aad_len, walk.dst.virt.addr, walk.src.virt.addr, len, last);
        aad_len = 0;
        err = skcipher_walk_done(&walk, walk.nbytes - len);
    }
    if (!err)
        err = lc_kernel_walk_to_tag(req, m, p->tag, p->encrypt);
    /* What is left out of a short tag is secret, and so is the right tag of a forgery. */
    memzero_explicit(p->tag, 16);
    return err;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the drivers of AEADs share: where a request's message is, and how one in several pieces is walked.
 *
 * As in skcipher_xts.c, a message whose text lies in one piece takes one section of FPU use and one direct call.  Its associated
 * data is in front of it in the same piece (IPsec), or in one of its own (TLS); its tag is wherever it is.  Everything else walks.
 *
 * If a tag is wrong the request returns -EBADMSG, and dst holds what the decryption gave: the API leaves it to the caller to throw
 * that away, and the kernel's own drivers leave it there too.
 */
#ifndef LC_LINUX_AEAD_H
#define LC_LINUX_AEAD_H

#include <crypto/algapi.h>
#include <crypto/internal/aead.h>
#include <crypto/internal/simd.h>
#include <crypto/scatterwalk.h>
#include <linux/scatterlist.h>

/* For IPsec, 8 bytes of the nonce, the request's iv, are sent in the packet, after the associated data; 4 come with the key. */
#define IPSEC_IV_LEN 8
#define IPSEC_SALT_LEN 4
#define NONCE_LEN 12

/*
 * The longest text in one section of FPU use, in which preemption is off: a record of TLS (RFC 8446, 5.2).  That is 2 to 7
 * microseconds on Zen 4; by pages it would be a tenth more.
 */
#define MAX_AT_ONCE (16384 + 256)

/* What a request is about. */
struct lc_kernel_message {
    size_t len; /* of the text */
    size_t tag_len;
    size_t aad_len;
    u32 nonce[NONCE_LEN / 4];
    u8 *to; /* the text, if it is all in one piece, and neither it nor the associated data is too long; else `from` is NULL */
    const u8 *from;
    const u8 *aad;    /* .. if that is in one piece; else NULL */
    bool tag_follows; /* the text, in its piece */
};

/*
 * Where the len bytes after the first `at` are, if that is in the list's first or second entry; else NULL.  after: how many more
 * there are in it.
 */
static __always_inline u8 *in_one_piece(struct scatterlist *sg, size_t at, size_t len, size_t *after)
{
    if (at >= sg->length) {
        at -= sg->length;
        sg = sg_next(sg);
        if (!sg)
            return NULL;
    }
    if (at + len > sg->length)
        return NULL;
    *after = sg->length - at - len;
    /* (There is no highmem on x86-64: an entry's pages are contiguous, and always mapped.) */
    return (u8 *)sg_virt(sg) + at;
}

/* Of an iv.  Words, as in src/gcm.c: callers have often just stored it in two pieces, and a load over two stores waits for both. */
static __always_inline u32 word(const u8 *p)
{
    u32 x;

    memcpy(&x, p, sizeof(x));
    OPTIMIZER_HIDE_VAR(x); /* or the compiler makes one load of two */
    return x;
}

/* salt: NULL, or that of an IPsec key */
static __always_inline void look_at(struct lc_kernel_message *m, struct aead_request *req, const u32 *salt, bool encrypt)
{
    struct scatterlist *src = req->src, *dst = req->dst;
    const size_t text_at = req->assoclen;
    size_t after_from = 0, after_to = 0;

    m->tag_len = crypto_aead_authsize(crypto_aead_reqtfm(req));
    m->len = encrypt ? req->cryptlen : req->cryptlen - m->tag_len; /* the API has checked that there is a tag */
    if (salt) {
        m->aad_len = req->assoclen - IPSEC_IV_LEN;
        m->nonce[0] = *salt;
        m->nonce[1] = word(req->iv);
        m->nonce[2] = word(req->iv + 4);
    } else {
        m->aad_len = req->assoclen;
        for (unsigned int i = 0; i < 3; i++)
            m->nonce[i] = word(req->iv + 4 * i);
    }
    m->from = in_one_piece(src, text_at, m->len, &after_from);
    m->to = in_one_piece(dst, text_at, m->len, &after_to);
    m->tag_follows = (encrypt ? after_to : after_from) >= m->tag_len;
    m->aad = text_at > PAGE_SIZE || m->aad_len > src->length ? NULL : sg_virt(src);
    if (!m->to || m->len > MAX_AT_ONCE || !m->aad)
        m->from = NULL;
}

/* The end of any message; tag: 16 bytes */
int lc_kernel_walk_to_tag(struct aead_request *req, const struct lc_kernel_message *m, void *tag, bool encrypt);

/* .. of one in one piece */
static __always_inline int write_or_check_tag(struct aead_request *req, const struct lc_kernel_message *m, void *tag, bool encrypt)
{
    if (!m->tag_follows)
        return lc_kernel_walk_to_tag(req, m, tag, encrypt);
    if (!encrypt)
        return crypto_memneq(m->from + m->len, tag, m->tag_len) ? -EBADMSG : 0;
    memcpy(m->to + m->len, tag, m->tag_len);
    return 0;
}

/* ---- In several pieces (aead.c) ---- */

struct lc_kernel_pieces {
    /*
     * The next ones: associated data, and then at most a page of text, for preemption is off meanwhile.  All lengths but those
     * of the last associated data and of the last text are multiples of the algorithm's chunksize.
     */
    void (*crypt)(struct lc_kernel_pieces *p, const u8 *aad, size_t aad_len, u8 *dst, const u8 *src, size_t len, bool last);
    bool encrypt;
    void *tag; /* where the last one leaves it, 16 bytes; is lost */
};

int lc_kernel_crypt_pieces(struct aead_request *req, const struct lc_kernel_message *m, struct lc_kernel_pieces *p);

#endif

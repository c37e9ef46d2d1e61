/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-GCM, ChaCha20-Poly1305, XChaCha20-Poly1305. */
#include <string.h>

#include "context.h"

/* The core's functions.  XChaCha20-Poly1305 is ChaCha20-Poly1305 with a key for each message. */
static const struct lc_aead_ops *ops_of(const struct lcj_context *c)
{
    return c->mode == LCJ(GCM) ? lc_gcm_ops() : lc_chacha20poly1305_ops();
}

/* ---- Messages ---- */

enum { XNONCE_LEN = 24, SHORT_NONCE_LEN = 12 };

/* What a message begins with: of XChaCha20-Poly1305 the key and the nonce that are made of the longer nonce. */
struct start {
    const struct lc_aead_ops *ops;
    const union lcj_key *key;
    const uint8_t *nonce;
    size_t nonce_len;
    uint8_t short_nonce[SHORT_NONCE_LEN];
};

static int find_start(struct lcj_context *c, struct start *s, jint nonce_len, jint aad_len)
{
    if (!c->begun && (nonce_len < 0 || nonce_len > LCJ(NONCE_LEN))) /* a longer one isn't here: the message has begun with it */
        return LC_ERR_NONCE_LEN;
    if (aad_len < 0 || aad_len > LCJ(AAD_LEN))
        return LC_ERR_LEN;
    s->ops = ops_of(c);
    s->key = &c->key;
    s->nonce = c->nonce;
    s->nonce_len = (size_t)nonce_len;
    if (c->mode == LCJ(XCHACHA20_POLY1305) && !c->begun) {
        s->key = &c->message_key;
        s->nonce = s->short_nonce;
        s->nonce_len = SHORT_NONCE_LEN;
        return lc_xchacha20poly1305_subkey(&c->message_key.chacha20poly1305, s->short_nonce, &c->key.chacha20poly1305, c->nonce,
                                           XNONCE_LEN);
    }
    return LC_OK;
}

/* The state, and the AAD that is in scratch memory. */
static int begin(struct lcj_context *c, const struct start *s, jint aad_len)
{
    int status;

    if (c->begun)
        return LC_OK;
    status = s->ops->start(&c->state, s->key, s->nonce, s->nonce_len);
    if (status != LC_OK)
        return status;
    c->begun = true;
    return s->ops->aad(&c->state, c->aad, (size_t)aad_len);
}

JNIEXPORT jint JNICALL Java_org_lanecrypt_Context_start(JNIEnv *env, jobject self, jlong address, jbyteArray array)
{
    struct lcj_context *c = lcj_context(address);
    size_t nonce_len = (size_t)(*env)->GetArrayLength(env, array);
    uint8_t *nonce;
    int status;

    (void)self;
    if (c->mode != LCJ(GCM)) /* no other mode has long nonces */
        return LC_ERR_NONCE_LEN;
    nonce = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (!nonce)
        return LCJ(NO_MEMORY);
    status = lc_gcm_start(&c->state.gcm, &c->key.gcm, nonce, nonce_len);
    (*env)->ReleasePrimitiveArrayCritical(env, array, nonce, JNI_ABORT);
    c->begun = status == LC_OK;
    return status;
}

JNIEXPORT jint JNICALL Java_org_lanecrypt_Context_aad(JNIEnv *env, jobject self, jlong address, jint nonce_len, jint aad_len,
                                                      jbyteArray in, jint in_offset, jint length)
{
    struct lcj_context *c = lcj_context(address);
    struct lcj_texts t = { 0 };
    struct start s;
    int status = find_start(c, &s, nonce_len, aad_len);

    (void)self;
    if (status == LC_OK)
        status = begin(c, &s, aad_len);
    if (status != LC_OK)
        return status;
    if (!lcj_place_init(env, &t.in, c, in, in_offset, length))
        return LC_ERR_LEN;
    for (jint done = 0; done < length && status == LC_OK;) {
        jint n = length - done < LCJ_PIECE_LEN ? length - done : LCJ_PIECE_LEN;

        if (!lcj_hold(env, &t))
            return LCJ(NO_MEMORY);
        status = s.ops->aad(&c->state, t.in.base + t.in.offset + done, (size_t)n);
        lcj_release(env, &t);
        done += n;
    }
    return status;
}

/* The text, in pieces; the message has begun. */
static int crypt_pieces(JNIEnv *env, struct lcj_context *c, struct lcj_texts *t,
                        int (*crypt)(void *state, uint8_t *dst, const uint8_t *src, size_t len), jint length)
{
    int status = LC_OK;

    for (jint done = 0; done < length && status == LC_OK;) {
        jint n = length - done < LCJ_PIECE_LEN ? length - done : LCJ_PIECE_LEN;

        if (!lcj_hold(env, t))
            return LCJ(NO_MEMORY);
        status = crypt(&c->state, t->out.base + t->out.offset + done, t->in.base + t->in.offset + done, (size_t)n);
        lcj_release(env, t);
        done += n;
    }
    return status;
}

JNIEXPORT jint JNICALL Java_org_lanecrypt_Context_update(JNIEnv *env, jobject self, jlong address, jint nonce_len, jint aad_len,
                                                         jbyteArray in, jint in_offset, jint length, jbyteArray out,
                                                         jint out_offset)
{
    struct lcj_context *c = lcj_context(address);
    struct lcj_texts t;
    struct start s;
    int status = find_start(c, &s, nonce_len, aad_len);

    (void)self;
    if (status == LC_OK)
        status = begin(c, &s, aad_len);
    if (status != LC_OK)
        return status;
    if (!lcj_texts_init(env, &t, c, in, in_offset, length, out, out_offset, length))
        return LC_ERR_LEN;
    if (!lcj_hold(env, &t))
        return LCJ(NO_MEMORY);
    lcj_settle(&t, (size_t)length, (size_t)length);
    lcj_release(env, &t);
    return crypt_pieces(env, c, &t, s.ops->encrypt, length);
}

/* A whole message that is held, in one call. */
static int whole(struct lcj_context *c, const struct start *s, struct lcj_texts *t, bool decrypt, jint aad_len, size_t tag_len,
                 size_t len)
{
    uint8_t *dst = t->out.base + t->out.offset;
    const uint8_t *src = t->in.base + t->in.offset;

    if (decrypt)
        return s->ops->open(s->key, dst, src, len, c->tag, tag_len, c->aad, (size_t)aad_len, s->nonce, s->nonce_len);
    return s->ops->seal(s->key, dst, dst + len, tag_len, src, len, c->aad, (size_t)aad_len, s->nonce, s->nonce_len);
}

static int pieces(JNIEnv *env, struct lcj_context *c, const struct start *s, struct lcj_texts *t, bool decrypt, jint aad_len,
                  size_t tag_len, jint length)
{
    int status = begin(c, s, aad_len);

    if (status == LC_OK)
        status = crypt_pieces(env, c, t, decrypt ? s->ops->decrypt : s->ops->encrypt, length);
    if (status != LC_OK)
        return status;
    if (decrypt)
        return s->ops->verify(&c->state, c->tag, tag_len);
    if (!lcj_hold(env, t))
        return LCJ(NO_MEMORY);
    status = s->ops->tag(&c->state, t->out.base + t->out.offset + length, tag_len);
    lcj_release(env, t);
    return status;
}

static int finish(JNIEnv *env, struct lcj_context *c, struct lcj_texts *t, bool decrypt, jint nonce_len, jint aad_len,
                  size_t tag_len, jint length)
{
    struct start s;
    int status = find_start(c, &s, nonce_len, aad_len);

    if (status != LC_OK)
        return status;
    if (!lcj_hold(env, t))
        return LCJ(NO_MEMORY);
    if (decrypt)
        memcpy(c->tag, t->in.base + t->in.offset + length, tag_len);
    lcj_settle(t, (size_t)length, (size_t)length + (decrypt ? 0 : tag_len));
    if (length <= LCJ_PIECE_LEN && !c->begun) {
        status = whole(c, &s, t, decrypt, aad_len, tag_len, (size_t)length);
        lcj_release(env, t);
        if (c->mode == LCJ(XCHACHA20_POLY1305))
            lcj_reset(c);
    } else {
        lcj_release(env, t);
        status = pieces(env, c, &s, t, decrypt, aad_len, tag_len, length);
        lcj_reset(c);
    }
    return status;
}

JNIEXPORT jint JNICALL Java_org_lanecrypt_Context_finish(JNIEnv *env, jobject self, jlong address, jboolean decrypt, jint nonce_len,
                                                         jint aad_len, jint tag_len, jbyteArray in, jint in_offset, jint length,
                                                         jbyteArray out, jint out_offset)
{
    struct lcj_context *c = lcj_context(address);
    struct lcj_texts t;

    (void)self;
    if (tag_len < 0 || tag_len > LCJ(TAG_LEN) || length < 0 || length > INT32_MAX - tag_len)
        return LC_ERR_LEN;
    if (!lcj_texts_init(env, &t, c, in, in_offset, length + (decrypt ? tag_len : 0), out, out_offset,
                        length + (decrypt ? 0 : tag_len)))
        return LC_ERR_LEN;
    return finish(env, c, &t, decrypt, nonce_len, aad_len, (size_t)tag_len, length);
}

JNIEXPORT jint JNICALL Java_org_lanecrypt_Context_finishShort(JNIEnv *env, jobject self, jlong address, jboolean decrypt,
                                                              jint nonce_len, jint aad_len, jint tag_len, jint length)
{
    struct lcj_context *c = lcj_context(address);
    struct lcj_texts t = { .in.base = c->text, .out.base = c->text };

    (void)self;
    if (tag_len < 0 || tag_len > LCJ(TAG_LEN) || length < 0 || length > LCJ(TEXT_LEN))
        return LC_ERR_LEN;
    return finish(env, c, &t, decrypt, nonce_len, aad_len, (size_t)tag_len, length);
}

/* ---- Many messages ---- */

enum { MAX_MANY = 64 }; /* what one call of the core gets */

/* The message at item: answers what comes after it, or NULL if it doesn't end before end. */
static uint8_t *read_item(struct lc_aead_item *m, uint8_t *item, const uint8_t *end)
{
    size_t room = (size_t)(end - item);
    uint32_t len, aad_len;

    if (room < LCJ(ITEM_AAD) + LCJ(TAG_LEN))
        return NULL;
    room -= LCJ(ITEM_AAD) + LCJ(TAG_LEN);
    memcpy(&len, item + LCJ(ITEM_LEN), sizeof(len));
    memcpy(&aad_len, item + LCJ(ITEM_AAD_LEN), sizeof(aad_len));
    if (aad_len > room || len > room - aad_len)
        return NULL;
    m->len = len;
    m->aad_len = aad_len;
    m->nonce = item + LCJ(ITEM_NONCE);
    m->aad = item + LCJ(ITEM_AAD);
    m->dst = item + LCJ(ITEM_AAD) + aad_len;
    m->src = m->dst;
    m->tag = m->dst + len;
    m->status = LC_OK;
    return m->tag + LCJ(TAG_LEN);
}

/* XChaCha20-Poly1305 has another key for each message. */
static void one_by_one(struct lcj_context *c, struct lc_aead_item *items, size_t num, bool decrypt)
{
    struct start s;

    for (size_t i = 0; i < num; i++) {
        struct lc_aead_item *m = &items[i];

        memcpy(c->nonce, m->nonce, XNONCE_LEN);
        m->status = find_start(c, &s, XNONCE_LEN, 0);
        if (m->status != LC_OK)
            continue;
        if (decrypt)
            m->status = s.ops->open(s.key, m->dst, m->src, m->len, m->tag, 16, m->aad, m->aad_len, s.nonce, s.nonce_len);
        else
            m->status = s.ops->seal(s.key, m->dst, m->tag, 16, m->src, m->len, m->aad, m->aad_len, s.nonce, s.nonce_len);
    }
    lcj_reset(c);
}

JNIEXPORT jint JNICALL Java_org_lanecrypt_Context_many(JNIEnv *env, jobject self, jlong address, jboolean decrypt, jobject batch,
                                                       jint count)
{
    struct lcj_context *c = lcj_context(address);
    const struct lc_aead_ops *ops = ops_of(c);
    uint8_t *at = (*env)->GetDirectBufferAddress(env, batch); /* Aead's own */
    const uint8_t *end;

    (void)self;
    if (!at || (*env)->GetDirectBufferCapacity(env, batch) != LCJ(BATCH_LEN))
        return LC_ERR_LEN;
    end = at + LCJ(BATCH_LEN);
    while (count > 0) {
        struct lc_aead_item items[MAX_MANY];
        uint8_t *places[MAX_MANY];
        size_t num = count < MAX_MANY ? (size_t)count : MAX_MANY;
        int status = LC_OK;

        for (size_t i = 0; i < num; i++) {
            places[i] = at;
            at = read_item(&items[i], at, end);
            if (!at)
                return LC_ERR_LEN;
        }
        if (c->mode == LCJ(XCHACHA20_POLY1305))
            one_by_one(c, items, num, decrypt);
        else
            status = decrypt ? ops->open_many(&c->key, items, num) : ops->seal_many(&c->key, items, num);
        (void)status; /* each message has its own */
        for (size_t i = 0; i < num; i++)
            memcpy(places[i] + LCJ(ITEM_LEN), &items[i].status, sizeof(items[i].status));
        count -= (jint)num;
    }
    return LC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-CTR, ChaCha20, AES-XTS. */
#include "context.h"

static void stream_start(struct lcj_context *c, jint counter)
{
    if (c->mode == LCJ(CTR))
        lc_ctr_start(&c->state.ctr, c->nonce);
    else
        lc_chacha20_start(&c->state.chacha20, &c->key.chacha20, c->nonce, (uint32_t)counter);
}

static int stream_update(struct lcj_context *c, uint8_t *dst, const uint8_t *src, size_t len)
{
    if (c->mode == LCJ(CTR)) {
        lc_ctr_update(&c->key.ctr, &c->state.ctr, dst, src, len);
        return LC_OK;
    }
    return lc_chacha20_update(&c->state.chacha20, dst, src, len);
}

static int stream_whole(struct lcj_context *c, uint8_t *dst, const uint8_t *src, size_t len, jint counter)
{
    if (c->mode == LCJ(CTR)) {
        lc_ctr_xor(&c->key.ctr, dst, src, len, c->nonce);
        return LC_OK;
    }
    return lc_chacha20_crypt(&c->key.chacha20, dst, src, len, c->nonce, (uint32_t)counter);
}

JNIEXPORT jint JNICALL Java_org_lanecrypt_Context_xor(JNIEnv *env, jobject self, jlong address, jint part, jint counter,
                                                      jbyteArray in, jint in_offset, jint length, jbyteArray out, jint out_offset)
{
    struct lcj_context *c = lcj_context(address);
    struct lcj_texts t;
    bool is_whole = part == (LCJ(FIRST) | LCJ(LAST)) && length <= LCJ_PIECE_LEN;
    int status = LC_OK;

    (void)self;
    if (!lcj_texts_init(env, &t, c, in, in_offset, length, out, out_offset, length))
        return LC_ERR_LEN;
    if (!is_whole && part & LCJ(FIRST))
        stream_start(c, counter);
    for (jint done = 0; done < length && status == LC_OK;) {
        jint n = length - done < LCJ_PIECE_LEN ? length - done : LCJ_PIECE_LEN;
        uint8_t *dst;
        const uint8_t *src;

        if (!lcj_hold(env, &t))
            return LCJ(NO_MEMORY);
        if (done == 0)
            lcj_settle(&t, (size_t)length, (size_t)length);
        dst = t.out.base + t.out.offset + done;
        src = t.in.base + t.in.offset + done;
        status = is_whole ? stream_whole(c, dst, src, (size_t)n, counter) : stream_update(c, dst, src, (size_t)n);
        lcj_release(env, &t);
        done += n;
    }
    if (!is_whole && part & LCJ(LAST))
        lcj_reset(c);
    return status;
}

/* A data unit; all pieces but the last have a multiple of 16 bytes, and the last at least 16. */
JNIEXPORT jint JNICALL Java_org_lanecrypt_Context_xts(JNIEnv *env, jobject self, jlong address, jboolean decrypt, jbyteArray in,
                                                      jint in_offset, jint length, jbyteArray out, jint out_offset)
{
    struct lcj_context *c = lcj_context(address);
    struct lcj_texts t;
    int status = LC_OK;

    (void)self;
    if (!lcj_texts_init(env, &t, c, in, in_offset, length, out, out_offset, length))
        return LC_ERR_LEN;
    if (length <= LCJ_PIECE_LEN) {
        uint8_t *dst;
        const uint8_t *src;

        if (!lcj_hold(env, &t))
            return LCJ(NO_MEMORY);
        lcj_settle(&t, (size_t)length, (size_t)length);
        dst = t.out.base + t.out.offset;
        src = t.in.base + t.in.offset;
        status = decrypt ? lc_xts_decrypt(&c->key.xts, dst, src, (size_t)length, c->nonce)
                         : lc_xts_encrypt(&c->key.xts, dst, src, (size_t)length, c->nonce);
        lcj_release(env, &t);
        return status;
    }
    lc_xts_start(&c->state.xts, c->nonce);
    for (jint done = 0; done < length && status == LC_OK;) {
        jint n = length - done < LCJ_PIECE_LEN + 16 ? length - done : LCJ_PIECE_LEN;
        uint8_t *dst;
        const uint8_t *src;

        if (!lcj_hold(env, &t))
            return LCJ(NO_MEMORY);
        if (done == 0)
            lcj_settle(&t, (size_t)length, (size_t)length);
        dst = t.out.base + t.out.offset + done;
        src = t.in.base + t.in.offset + done;
        status = decrypt ? lc_xts_decrypt_update(&c->key.xts, &c->state.xts, dst, src, (size_t)n)
                         : lc_xts_encrypt_update(&c->key.xts, &c->state.xts, dst, src, (size_t)n);
        lcj_release(env, &t);
        done += n;
    }
    lcj_reset(c);
    return status;
}

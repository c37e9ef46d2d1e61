/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Native memory of one cipher, and the texts of one call. */
#include "context.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT_ALIGN = 64 };

_Static_assert(offsetof(struct lcj_context, aad) - offsetof(struct lcj_context, nonce) == LCJ(AAD), "Context.AAD");
_Static_assert(offsetof(struct lcj_context, text) - offsetof(struct lcj_context, nonce) == LCJ(TEXT), "Context.TEXT");
_Static_assert(offsetof(struct lcj_context, mark) - offsetof(struct lcj_context, nonce) == LCJ(MARK), "Context.MARK");
_Static_assert(LCJ(MARK) + sizeof(((struct lcj_context *)0)->mark) == LCJ(SCRATCH_LEN), "Context.SCRATCH_LEN");
_Static_assert(LC_ERR_AUTH == LCJ(WRONG_TAG) && LC_ERR_LEN == LCJ(WRONG_LENGTH) && LC_ERR_WEAK_KEY == LCJ(WEAK_KEY), "statuses");

/* ---- Memory ---- */

static size_t context_len(void)
{
    return (sizeof(struct lcj_context) + CONTEXT_ALIGN - 1) / CONTEXT_ALIGN * CONTEXT_ALIGN;
}

JNIEXPORT jlong JNICALL Java_org_lanecrypt_Context_create(JNIEnv *env, jclass class, jint mode)
{
    struct lcj_context *c = aligned_alloc(CONTEXT_ALIGN, context_len());

    (void)class;
    if (!c) {
        jclass error = (*env)->FindClass(env, "java/lang/OutOfMemoryError");

        if (error)
            (*env)->ThrowNew(env, error, "out of native memory for a cipher");
        return 0;
    }
    memset(c, 0, sizeof(*c));
    c->mode = mode;
    return (jlong)(intptr_t)c;
}

JNIEXPORT jobject JNICALL Java_org_lanecrypt_Context_scratch(JNIEnv *env, jclass class, jlong address)
{
    (void)class;
    return (*env)->NewDirectByteBuffer(env, lcj_context(address)->nonce, LCJ(SCRATCH_LEN));
}

JNIEXPORT void JNICALL Java_org_lanecrypt_Context_destroy(JNIEnv *env, jclass class, jlong address)
{
    (void)env;
    (void)class;
    lc_wipe(lcj_context(address), sizeof(struct lcj_context));
    free(lcj_context(address));
}

/* ---- Keys ---- */

static int expand(struct lcj_context *c, const uint8_t *raw, size_t raw_len)
{
    switch (c->mode) {
    case LCJ(GCM): return lc_gcm_init(&c->key.gcm, raw, raw_len);
    case LCJ(CTR): return lc_ctr_init(&c->key.ctr, raw, raw_len);
    case LCJ(XTS): return lc_xts_init(&c->key.xts, raw, raw_len);
    case LCJ(CHACHA20): return lc_chacha20_init(&c->key.chacha20, raw, raw_len);
    default: return lc_chacha20poly1305_init(&c->key.chacha20poly1305, raw, raw_len);
    }
}

/* All bytes are looked at, whatever the first ones are. */
static bool same(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint8_t differ = 0;

    for (size_t i = 0; i < len; i++)
        differ |= a[i] ^ b[i];
    return differ == 0;
}

/*
 * The mark: key stream of ChaCha20, which doesn't tell its key, under the raw key, with zeros at its end, and a nonce that has its
 * length.  Two keys have the same one with a chance of 2^-64.
 */
static int set_mark(struct lcj_context *c, const uint8_t *raw, size_t raw_len)
{
    uint8_t nonce[12] = { 'k', 'e', 'y', (uint8_t)raw_len };
    uint8_t part[32];
    int status = LC_OK;

    memset(c->mark, 0, sizeof(c->mark));
    for (size_t done = 0; done < raw_len && status == LC_OK; done += sizeof(part)) {
        size_t n = raw_len - done < sizeof(part) ? raw_len - done : sizeof(part);

        memset(part, 0, sizeof(part));
        memcpy(part, raw + done, n);
        status = lc_chacha20_xor(c->mark, c->mark, sizeof(c->mark), part, nonce, (uint32_t)done);
    }
    lc_wipe(part, sizeof(part));
    return status;
}

JNIEXPORT jint JNICALL Java_org_lanecrypt_Context_setKey(JNIEnv *env, jobject self, jlong address, jbyteArray array)
{
    struct lcj_context *c = lcj_context(address);
    uint8_t raw[LCJ_MAX_KEY_LEN];
    size_t raw_len = (size_t)(*env)->GetArrayLength(env, array);
    int status = LC_OK;

    (void)self;
    if (raw_len > sizeof(raw))
        return LC_ERR_KEY_LEN;
    (*env)->GetByteArrayRegion(env, array, 0, (jsize)raw_len, (jbyte *)raw);
    if (raw_len != c->raw_len || !same(raw, c->raw, raw_len)) {
        lcj_reset(c);
        lc_wipe(&c->key, sizeof(c->key));
        lc_wipe(c->raw, sizeof(c->raw));
        c->raw_len = 0;
        status = expand(c, raw, raw_len);
        if (status == LC_OK)
            status = set_mark(c, raw, raw_len);
        if (status == LC_OK) {
            memcpy(c->raw, raw, raw_len);
            c->raw_len = raw_len;
        }
    }
    lc_wipe(raw, sizeof(raw));
    return status;
}

JNIEXPORT void JNICALL Java_org_lanecrypt_Context_forget(JNIEnv *env, jobject self, jlong address)
{
    struct lcj_context *c = lcj_context(address);
    int mode = c->mode;

    (void)env;
    (void)self;
    lc_wipe(c, sizeof(*c));
    c->mode = mode;
}

void lcj_reset(struct lcj_context *c)
{
    lc_wipe(&c->state, sizeof(c->state));
    lc_wipe(&c->message_key, sizeof(c->message_key));
    c->begun = false;
}

JNIEXPORT void JNICALL Java_org_lanecrypt_Context_reset(JNIEnv *env, jobject self, jlong address)
{
    (void)env;
    (void)self;
    lcj_reset(lcj_context(address));
}

/* ---- Texts ---- */

bool lcj_place_init(JNIEnv *env, struct lcj_place *place, struct lcj_context *c, jbyteArray array, jint offset, jint len)
{
    jint size = array ? (*env)->GetArrayLength(env, array) : (jint)sizeof(c->text);

    place->array = array;
    place->offset = offset;
    place->base = array ? NULL : c->text;
    return offset >= 0 && len >= 0 && offset <= size && len <= size - offset;
}

bool lcj_texts_init(JNIEnv *env, struct lcj_texts *t, struct lcj_context *c, jbyteArray in, jint in_offset, jint in_len,
                    jbyteArray out, jint out_offset, jint out_len)
{
    t->one_array = in && out && (*env)->IsSameObject(env, in, out);
    return lcj_place_init(env, &t->in, c, in, in_offset, in_len) && lcj_place_init(env, &t->out, c, out, out_offset, out_len);
}

/*
 * Only compares addresses: whether there is memory at them isn't known here.  A JVM may refuse to tell an address; then the answer
 * is yes, which costs a copy, where a wrong no would cost the text.
 */
JNIEXPORT jboolean JNICALL Java_org_lanecrypt_Context_isAhead(JNIEnv *env, jclass class, jobject in, jint in_offset, jint length,
                                                              jobject out, jint out_offset)
{
    uintptr_t in_base = (uintptr_t)(*env)->GetDirectBufferAddress(env, in);
    uintptr_t out_base = (uintptr_t)(*env)->GetDirectBufferAddress(env, out);
    uintptr_t from = in_base + (uintptr_t)in_offset, to = out_base + (uintptr_t)out_offset;

    (void)class;
    return !in_base || !out_base || (to > from && to - from < (uintptr_t)length);
}

bool lcj_hold(JNIEnv *env, struct lcj_texts *t)
{
    if (t->out.array) {
        t->out.base = (*env)->GetPrimitiveArrayCritical(env, t->out.array, NULL);
        if (!t->out.base)
            return false;
    }
    if (t->one_array) {
        t->in.base = t->out.base;
    } else if (t->in.array) {
        t->in.base = (*env)->GetPrimitiveArrayCritical(env, t->in.array, NULL);
        if (!t->in.base) {
            if (t->out.array)
                (*env)->ReleasePrimitiveArrayCritical(env, t->out.array, t->out.base, JNI_ABORT);
            return false;
        }
    }
    return true;
}

void lcj_release(JNIEnv *env, struct lcj_texts *t)
{
    if (t->in.array && !t->one_array)
        (*env)->ReleasePrimitiveArrayCritical(env, t->in.array, t->in.base, JNI_ABORT);
    if (t->out.array)
        (*env)->ReleasePrimitiveArrayCritical(env, t->out.array, t->out.base, 0);
}

void lcj_settle(struct lcj_texts *t, size_t len, size_t out_len)
{
    uintptr_t in = (uintptr_t)(t->in.base + t->in.offset), out = (uintptr_t)(t->out.base + t->out.offset);

    if (in != out && in < out + out_len && out < in + len) {
        memmove(t->out.base + t->out.offset, t->in.base + t->in.offset, len);
        t->in = t->out; /* if they are arrays, they are one */
    }
}

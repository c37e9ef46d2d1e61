/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Native memory of one cipher, and the texts of one call. */
#ifndef LCJ_CONTEXT_H
#define LCJ_CONTEXT_H

#include <jni.h>
#include <stdbool.h>

#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/ctr.h"
#include "lanecrypt/gcm.h"
#include "lanecrypt/xts.h"
#include "../../../../src/wipe.h"
#include "org_lanecrypt_Context.h"

/* Constants of Context.java, which javac has written into the header above. */
#define LCJ(name) org_lanecrypt_Context_##name

enum { LCJ_MAX_KEY_LEN = 64 };

/* Longer texts go in pieces of this length, as the JVM may not be able to collect garbage while an array is held. */
#define LCJ_PIECE_LEN ((jint)256 << 10)

union lcj_key {
    struct lc_gcm_key gcm;
    struct lc_chacha20poly1305_key chacha20poly1305;
    struct lc_ctr_key ctr;
    struct lc_chacha20_key chacha20;
    struct lc_xts_key xts;
};

union lcj_state {
    struct lc_gcm_state gcm;
    struct lc_chacha20poly1305_state chacha20poly1305;
    struct lc_ctr_state ctr;
    struct lc_chacha20_state chacha20;
    struct lc_xts_state xts;
};

struct lcj_context {
    union lcj_key key;
    union lcj_key message_key;   /* XChaCha20-Poly1305: made of the key and the nonce */
    union lcj_state state;       /* if begun */
    bool begun;
    int mode;
    size_t raw_len;              /* 0: no key */
    uint8_t raw[LCJ_MAX_KEY_LEN];
    uint8_t tag[LCJ(TAG_LEN)];   /* of a text to be decrypted: where it was may be written to */
    /* What Java sees: */
    uint8_t nonce[LCJ(NONCE_LEN)];
    uint8_t aad[LCJ(AAD_LEN)];
    uint8_t text[LCJ(TEXT_LEN) + LCJ(TAG_LEN)];
    uint8_t mark[8];             /* of the key */
};

static inline struct lcj_context *lcj_context(jlong address)
{
    return (struct lcj_context *)(intptr_t)address; /* NOLINT: Java keeps pointers as numbers */
}

/*
 * A text that Java gave: in an array, or without one in the scratch memory.  Never in a buffer: only the JVM knows whether a
 * buffer's memory is still there, and whose it is.
 */
struct lcj_place {
    jbyteArray array;
    uint8_t *base;  /* of an array only while it is held */
    jint offset;
};

/* The input and the output of one call. */
struct lcj_texts {
    struct lcj_place in, out;
    bool one_array;
};

/* false: the array, or the scratch memory, hasn't len bytes from offset on. */
bool lcj_place_init(JNIEnv *env, struct lcj_place *place, struct lcj_context *c, jbyteArray array, jint offset, jint len);
bool lcj_texts_init(JNIEnv *env, struct lcj_texts *t, struct lcj_context *c, jbyteArray in, jint in_offset, jint in_len,
                    jbyteArray out, jint out_offset, jint out_len);

/* Hold the arrays; between the two calls nothing else may be asked of the JVM.  false: no memory. */
bool lcj_hold(JNIEnv *env, struct lcj_texts *t);
void lcj_release(JNIEnv *env, struct lcj_texts *t);

/*
 * While held: if the output, of out_len bytes, overlaps the input other than in place, move the input there, and go on in place.
 */
void lcj_settle(struct lcj_texts *t, size_t len, size_t out_len);

void lcj_reset(struct lcj_context *c);

#endif

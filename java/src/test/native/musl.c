/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * musl.c LIBRARY VERSION: loads Java's native library where the C library is musl, as a JVM on Alpine does, and encrypts a message
 * by it.  There is no JVM; the few functions of JNI that this takes are here.
 */
#include <dlfcn.h>
#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "org_lanecrypt_Context.h"

struct array {
    jsize len;
    uint8_t *bytes;
};

static char utf[64];

static jstring JNICALL new_string(JNIEnv *env, const char *text)
{
    (void)env;
    snprintf(utf, sizeof(utf), "%s", text);
    return NULL;
}

static jsize JNICALL array_length(JNIEnv *env, jarray array)
{
    (void)env;
    return ((struct array *)array)->len;
}

static void JNICALL array_region(JNIEnv *env, jbyteArray array, jsize start, jsize len, jbyte *to)
{
    (void)env;
    memcpy(to, ((struct array *)array)->bytes + start, (size_t)len);
}

static void *JNICALL hold(JNIEnv *env, jarray array, jboolean *is_copy)
{
    (void)env;
    (void)is_copy;
    return ((struct array *)array)->bytes;
}

static void JNICALL let_go(JNIEnv *env, jarray array, void *bytes, jint mode)
{
    (void)env;
    (void)array;
    (void)bytes;
    (void)mode;
}

static jboolean JNICALL is_same(JNIEnv *env, jobject a, jobject b)
{
    (void)env;
    return a == b;
}

static jobject JNICALL new_buffer(JNIEnv *env, void *address, jlong len)
{
    (void)env;
    (void)len;
    return address;
}

/* A function of the library by its name; a pointer to data and one to code are the same here, which C leaves open. */
static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, sizeof(found));
}

/* AES-256-GCM of 16 zeros under a key and a nonce of zeros: test case 14 of the proposal for GCM. */
static const uint8_t expected[32] = {
    0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e, 0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18,
    0xd0, 0xd1, 0xc8, 0xa7, 0x99, 0x99, 0x6b, 0xf0, 0x26, 0x5b, 0x98, 0xb5, 0xd4, 0x8a, 0xb9, 0x19,
};

int main(int argc, char **argv)
{
    struct JNINativeInterface_ functions = {
        .NewStringUTF = new_string,
        .GetArrayLength = array_length,
        .GetByteArrayRegion = array_region,
        .GetPrimitiveArrayCritical = hold,
        .ReleasePrimitiveArrayCritical = let_go,
        .IsSameObject = is_same,
        .NewDirectByteBuffer = new_buffer,
    };
    JNIEnv env = &functions;
    uint8_t raw[32] = { 0 }, text[16] = { 0 }, sealed[32] = { 0 };
    struct array key = { sizeof(raw), raw }, in = { sizeof(text), text }, out = { sizeof(sealed), sealed };
    jstring(JNICALL * version)(JNIEnv *, jclass);
    jlong(JNICALL * create)(JNIEnv *, jclass, jint);
    jobject(JNICALL * scratch)(JNIEnv *, jclass, jlong);
    jint(JNICALL * set_key)(JNIEnv *, jobject, jlong, jbyteArray);
    jint(JNICALL * finish)(JNIEnv *, jobject, jlong, jboolean, jint, jint, jint, jbyteArray, jint, jint, jbyteArray, jint);
    void(JNICALL * destroy)(JNIEnv *, jclass, jlong);
    void *library;
    jlong context;
    int status;

#ifdef __GLIBC__
#error "this is for musl"
#endif
    if (argc != 3)
        return 2;
    library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    find(library, "Java_org_lanecrypt_Library_version", &version);
    find(library, "Java_org_lanecrypt_Context_create", &create);
    find(library, "Java_org_lanecrypt_Context_scratch", &scratch);
    find(library, "Java_org_lanecrypt_Context_setKey", &set_key);
    find(library, "Java_org_lanecrypt_Context_finish", &finish);
    find(library, "Java_org_lanecrypt_Context_destroy", &destroy);
    if (!version || !create || !scratch || !set_key || !finish || !destroy)
        return 1;
    version(&env, NULL);
    if (strcmp(utf, argv[2]) != 0) {
        fprintf(stderr, "version %s, not %s\n", utf, argv[2]);
        return 1;
    }
    context = create(&env, NULL, org_lanecrypt_Context_GCM);
    memset((void *)scratch(&env, NULL, context), 0, 12); /* the nonce */
    status = set_key(&env, NULL, context, (jbyteArray)&key);
    if (status == 0)
        status = finish(&env, NULL, context, JNI_FALSE, 12, 0, 16, (jbyteArray)&in, 0, 16, (jbyteArray)&out, 0);
    destroy(&env, NULL, context);
    if (status != 0 || memcmp(sealed, expected, sizeof(sealed)) != 0) {
        fprintf(stderr, "status %d, or a wrong text\n", status);
        return 1;
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the library says of itself. */
#include <jni.h>
#include <stdio.h>

#include "lanecrypt/cpu.h"
#include "lanecrypt/lanecrypt.h"
#include "org_lanecrypt_Library.h"

JNIEXPORT jstring JNICALL Java_org_lanecrypt_Library_version(JNIEnv *env, jclass class)
{
    (void)class;
    return (*env)->NewStringUTF(env, lc_version());
}

/* A sentence, and after it a word of the environment, which may hold anything. */
static jstring sentence(JNIEnv *env, const char *text, const char *word)
{
    char both[256];

    snprintf(both, sizeof(both), "%s%s%s", text, word ? ": " : "", word ? word : "");
    for (char *p = both; *p; p++)
        if (*p < ' ' || *p > '~')
            *p = '?';
    return (*env)->NewStringUTF(env, both);
}

JNIEXPORT jstring JNICALL Java_org_lanecrypt_Library_explain(JNIEnv *env, jclass class, jint status)
{
    (void)class;
    return sentence(env, lc_strerror(status), status == LC_ERR_ENV ? lc_env_problem() : NULL);
}

JNIEXPORT jstring JNICALL Java_org_lanecrypt_Library_problem(JNIEnv *env, jclass class)
{
    (void)class;
    return lc_env_problem() ? sentence(env, lc_strerror(LC_ERR_ENV), lc_env_problem()) : NULL;
}

/* The implementation of each mode that keys get here, if the environment has no problem. */
JNIEXPORT jobjectArray JNICALL Java_org_lanecrypt_Library_implementations(JNIEnv *env, jclass class)
{
    jsize num = 0;
    jclass string = (*env)->FindClass(env, "java/lang/String");
    jobjectArray names;

    (void)class;
    if (!string)
        return NULL;
    while (lc_mode_name((size_t)num))
        num++;
    names = (*env)->NewObjectArray(env, num, string, NULL);
    for (jsize i = 0; names && i < num; i++) {
        const char *mode = lc_mode_name((size_t)i);
        struct lc_impl_info info;
        jstring name;

        for (size_t row = 0; lc_impl_get(mode, row, &info) == LC_OK && !info.selected; row++)
            ;
        name = (*env)->NewStringUTF(env, info.name);
        if (!name)
            return NULL;
        (*env)->SetObjectArrayElement(env, names, i, name);
        (*env)->DeleteLocalRef(env, name);
    }
    return names;
}

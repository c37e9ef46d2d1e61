/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt: the names that all headers of the library share.
 *
 * These rules hold for every function, unless its own text says otherwise.  docs/conventions.md gives the reasons.
 *   Parameters  The order is context, outputs, inputs.  Lengths are `size_t` bytes, and their names end in `_len`.
 *   NULL        A pointer may be NULL only if its length is 0.  This is not checked.
 *   Overlap     `dst == src` is allowed.  Any other overlap gives undefined contents, but never an access out of bounds.
 *   Secrets     Keys and states hold secrets.  The caller wipes them with lc_<mode>_wipe() and lc_<mode>_state_wipe().
 *   Contexts    Keys and states hold no pointer into themselves, and may be copied by memcpy.
 *   Threads     Calls may run at the same time unless one of them writes an object that another uses.  `const` keys may be shared.
 *   Returns     LC_OK or a negative enum lc_status.  After an error nothing has been written.
 * No function allocates memory or does I/O.
 */
#ifndef LANECRYPT_LANECRYPT_H
#define LANECRYPT_LANECRYPT_H

#include <stddef.h>
#include <stdint.h>

#define LANECRYPT_VERSION_MAJOR 0
#define LANECRYPT_VERSION_MINOR 1
#define LANECRYPT_VERSION_PATCH 0

#if defined(__GNUC__)
#define LC_API __attribute__((visibility("default")))
#define LC_MUST_CHECK __attribute__((warn_unused_result))
#else
#define LC_API
#define LC_MUST_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum lc_status {
    LC_OK = 0,
    LC_ERR_KEY_LEN = -1,   /* the key's length is none that the cipher has */
    LC_ERR_LEN = -2,       /* a length of data is too short, too long, or not the multiple it has to be */
    LC_ERR_NONCE_LEN = -3, /* the nonce's length */
    LC_ERR_TAG_LEN = -4,   /* the tag's length */
    LC_ERR_AUTH = -5,      /* the tag is wrong: nothing is released */
    LC_ERR_WEAK_KEY = -6,  /* a key that the standard forbids */
    LC_ERR_IMPL = -7,      /* no implementation of that name, or this CPU can't run it */
    LC_ERR_STATE = -8,     /* a call out of order: a stream that has ended, AAD behind text, ... */
    LC_ERR_ENV = -9,       /* LANECRYPT_DISABLE or LANECRYPT_IMPL can't be followed; see lc_env_problem() */
    LC_ERR_DECRYPT_ONLY = -10 /* the key was made for decryption only */
};

/*
 * lc_strerror: describe a status in a few words.
 * status: any value.
 * Returns a constant string, never NULL.
 */
LC_API const char *lc_strerror(int status);

/*
 * lc_version: the version of the library that is linked.  The macros above have the version of the header.
 * Returns "major.minor.patch", a constant string.
 */
LC_API const char *lc_version(void);

#ifdef __cplusplus
}
#endif
#endif

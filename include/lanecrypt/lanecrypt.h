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
#define LC_ALIGNED(n) alignas(n)
#else
#define LC_ALIGNED(n) _Alignas(n)
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum lc_status {
    LC_OK = 0,
    LC_ERR_KEY_LEN = -1,   /* unsupported key length for this cipher */
    LC_ERR_LEN = -2,       /* a length of data is too short, too long, or not a multiple of the required size */
    LC_ERR_NONCE_LEN = -3, /* unsupported nonce length for this cipher */
    LC_ERR_TAG_LEN = -4,   /* unsupported tag length for this cipher */
    LC_ERR_AUTH = -5,      /* the tag is wrong; no text is released */
    LC_ERR_WEAK_KEY = -6,  /* the standard forbids this key */
    LC_ERR_IMPL = -7,      /* unknown implementation, or this CPU can't run it */
    LC_ERR_STATE = -8,     /* a call out of order: the message has ended, or AAD came after text, ... */
    LC_ERR_ENV = -9,       /* LANECRYPT_DISABLE or LANECRYPT_IMPL has a name that can't be used; see lc_env_problem() */
    LC_ERR_DECRYPT_ONLY = -10, /* the key was made for decryption only */
    LC_ERR_KEY = -11,      /* the bytes are no key: malformed, a number out of range, or no point of the curve */
    LC_ERR_SIGNATURE = -12, /* the signature is wrong */
    LC_ERR_RANDOM = -13,   /* the system gives no random bytes */
    LC_ERR_CHANGED = -14,  /* the message has changed while it was being signed */
    LC_ERR_FAULT = -15,    /* the result was wrong, and isn't given out */
    LC_ERR_CIPHERTEXT = -16, /* the ciphertext is wrong; nothing is released */
    LC_ERR_ENCRYPTED = -17 /* the key is encrypted, and nothing here decrypts it */
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

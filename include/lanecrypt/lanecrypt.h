/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt: the names that every theme of the library shares.
 *
 * Rules that hold for every function, unless its own text says otherwise (docs/conventions.md has them with the reasons):
 *   - Lengths are `size_t` bytes and end in `_len`.  Order of arguments: context, outputs, inputs.
 *   - `dst == src` is allowed; any other overlap of dst and src gives undefined contents (never an access out of bounds).
 *   - A pointer may be NULL only if its length is 0.
 *   - Functions that return int return LC_OK or a negative enum lc_status.  On an error nothing has been written.
 *   - Everything is thread-safe as long as no two threads use one object of which one writes it; `const` keys may be shared.
 *   - Nothing allocates, nothing does I/O; contexts hold no pointer into themselves and may be copied by memcpy.
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
    LC_ERR_ENV = -9        /* LANECRYPT_DISABLE or LANECRYPT_IMPL can't be followed; see lc_env_problem() */
};

/* lc_strerror: a sentence for a status; a constant string, never NULL, also for unknown values. */
LC_API const char *lc_strerror(int status);

/* lc_version: "major.minor.patch" of the library that is linked (the macros above are those of the header). */
LC_API const char *lc_version(void);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What this CPU has, and which implementation of each mode is chosen on it and why.
 *
 * Two environment variables are read once, with secure_getenv(), when the library is first used:
 *   LANECRYPT_DISABLE=vaes,prefer_zmm      takes these features away (see lc_cpu_feature_name());
 *   LANECRYPT_IMPL=xts=xts-aes-vaes-avx2   picks rows by name, `mode=name` pairs separated by commas.
 * Both can only subtract: a feature that the CPU lacks can't be switched on, and a row that it can't run can't be picked.
 * (Set them before the process starts: what is read is what counts.)
 * An unknown word in either makes lc_*_init() fail with LC_ERR_ENV, if its arguments are right: never a silent fallback.
 */
#ifndef LANECRYPT_CPU_H
#define LANECRYPT_CPU_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One implementation of one mode. */
struct lc_impl_info {
    const char *name;    /* "<mode>-<cipher>-<features>"; the same in every door */
    uint64_t needs;      /* features without which it can't run; bits as in lc_cpu_features() */
    uint64_t prefers;    /* policy bits without which it is passed over, though reachable by name */
    int runs_here;       /* the CPU, less what LANECRYPT_DISABLE took, has all of `needs` */
    int preferred_here;  /* ... and all of `prefers` */
    int selected;        /* what lc_<mode>_init() takes in this process */
    size_t text_len;     /* bytes of machine code, all directions; 0 where it isn't known (code that is shared C) */
};

/* lc_cpu_features: the features that the library may use here, LANECRYPT_DISABLE taken off. */
LC_API uint64_t lc_cpu_features(void);

/* lc_cpu_features_detected: the same before anything was taken off. */
LC_API uint64_t lc_cpu_features_detected(void);

/*
 * lc_cpu_feature_name: the name of one feature.
 * bit: a mask with a single bit set, 1 << 0 .. 1 << 63.
 * Returns a constant string, or NULL if the bit names no feature of this architecture.
 */
LC_API const char *lc_cpu_feature_name(uint64_t bit);

/* lc_cpu_zmm_policy: why 512-bit vectors are preferred on this CPU or not, whatever LANECRYPT_DISABLE says. Never NULL. */
LC_API const char *lc_cpu_zmm_policy(void);

/*
 * lc_env_problem: the first word of LANECRYPT_DISABLE or LANECRYPT_IMPL, as they are now, that can't be followed, up to
 * a comma or the end of the string, or NULL if all is well.  Points into the environment.  To explain LC_ERR_ENV.
 */
LC_API const char *lc_env_problem(void);

/* lc_mode_name: the name of the index-th mode that the library knows ("xts", ...), or NULL behind the last. */
LC_API const char *lc_mode_name(size_t index);

/* lc_impl_count: how many implementations of a mode are compiled in; 0 for an unknown mode. */
LC_API size_t lc_impl_count(const char *mode);

/*
 * lc_impl_get: describe the index-th implementation of a mode, best first.
 * Returns LC_OK, or LC_ERR_IMPL if there is no such mode or index (then *out is untouched).
 */
LC_API LC_MUST_CHECK int lc_impl_get(const char *mode, size_t index, struct lc_impl_info *out);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What this CPU has, which implementation of each mode is chosen on it, and why.
 *
 * The library reads two environment variables once, with secure_getenv(), when it is first used:
 *   LANECRYPT_DISABLE=vaes,prefer_zmm      takes features away; lc_cpu_feature_name() has their names
 *   LANECRYPT_IMPL=xts=xts-aes-vaes-avx2   chooses implementations by name: `mode=name` pairs, separated by commas
 * Set them before the process starts; later changes have no effect.
 * Both can only restrict: they can't switch on a feature that the CPU lacks, or choose an implementation that it can't run.
 * There is no silent fallback: after a word that is unknown or can't be used, every lc_*_init() whose arguments are right
 * returns LC_ERR_ENV.
 *
 * Strings that these functions return need not be freed.  Threads may call the functions at any time, except lc_env_problem() while
 * another thread changes the environment.
 */
#ifndef LANECRYPT_CPU_H
#define LANECRYPT_CPU_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One implementation of one mode. */
struct lc_impl_info {
    const char *name;    /* "<mode>-<cipher>-<features>"; the same in the library, the program and all providers */
    uint64_t needs;      /* the features that it can't run without; bits as in lc_cpu_features() */
    uint64_t prefers;    /* policy bits; if one is missing, the default choice passes over it, but it can be chosen by name */
    int runs_here;       /* 1 if all of `needs` are here and LANECRYPT_DISABLE has none of them, else 0 */
    int preferred_here;  /* 1 if, in addition, all of `prefers` are here, else 0 */
    int selected;        /* 1 if lc_<mode>_init() takes it in this process, else 0 */
    size_t text_len;     /* bytes of machine code, for all directions; 0 if unknown, because the code is shared C */
};

/*
 * lc_cpu_features: the features that the library may use here: those of the CPU without those of LANECRYPT_DISABLE.
 * Returns a mask; lc_cpu_feature_name() has the names of its bits.
 */
LC_API uint64_t lc_cpu_features(void);

/*
 * lc_cpu_features_detected: the features of the CPU, whatever LANECRYPT_DISABLE says.
 * Returns a mask, as lc_cpu_features().
 */
LC_API uint64_t lc_cpu_features_detected(void);

/*
 * lc_cpu_feature_name: the name of one feature.
 * bit: a mask with a single bit set, 1 << 0 .. 1 << 63.
 * Returns a constant string, or NULL if no feature of this architecture has this bit.
 */
LC_API const char *lc_cpu_feature_name(uint64_t bit);

/*
 * lc_cpu_zmm_policy: why 512-bit vectors are preferred on this CPU or not, whatever LANECRYPT_DISABLE says.
 * Returns a constant string, never NULL.
 */
LC_API const char *lc_cpu_zmm_policy(void);

/*
 * lc_env_problem: the first word of LANECRYPT_DISABLE or LANECRYPT_IMPL, as they are now, that can't be used.  Explains LC_ERR_ENV.
 * Returns a pointer into the environment, to a word that ends at a comma or at the end of the string; NULL if all is well.
 */
LC_API const char *lc_env_problem(void);

/*
 * lc_mode_name: the name of a mode, such as "xts".
 * index: from 0.
 * Returns a constant string, or NULL after the last mode.
 */
LC_API const char *lc_mode_name(size_t index);

/*
 * lc_impl_count: how many implementations of a mode are compiled in.
 * mode: a name that lc_mode_name() returns; not NULL.
 * Returns the number; 0 for an unknown mode.
 */
LC_API size_t lc_impl_count(const char *mode);

/*
 * lc_impl_get: describe one implementation of a mode.
 * mode: a name that lc_mode_name() returns; not NULL.  index: from 0, best first.  out: written.
 * Returns LC_OK; LC_ERR_IMPL if there is no such mode or index, and then *out is untouched.
 */
LC_API LC_MUST_CHECK int lc_impl_get(const char *mode, size_t index, struct lc_impl_info *out);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "white_box.h"

#include <stdlib.h>

#include "gcm_internal.h"
#include "internal.h"

static const struct lc_mode *find(const char *mode)
{
    static const struct lc_mode *const modes[] = {
        &lc_xts_mode,       &lc_ctr_mode,    &lc_gcm_mode,    &lc_chacha20_mode,   &lc_poly1305_mode,  &lc_chacha20poly1305_mode,
        &lc_sha256_mode,    &lc_sha512_mode, &lc_sm3_mode,    &lc_ecdsa_p256_mode, &lc_ecdh_p256_mode, &lc_ecdsa_p384_mode,
        &lc_ecdh_p384_mode, &lc_sm2_mode,    &lc_x25519_mode, &lc_ed25519_mode,    &lc_rsa_mode
    };

    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
        if (strcmp(mode, modes[i]->name) == 0)
            return modes[i];
    abort();
}

const char *wb_best_row(const char *mode, uint64_t features)
{
    return lc_best_row(find(mode), features)->name;
}

const char *wb_best_class(const char *mode, uint64_t features)
{
#define NAME(class) [LC_CLASS_##class] = #class
    static const char *const names[] = { NAME(SHANI), NAME(AVX512_512), NAME(AVX512_256), NAME(AVX2),    NAME(AVX),
                                         NAME(SSE),   NAME(NEON),       NAME(SCALAR),     NAME(PORTABLE) };
#undef NAME

    return names[lc_best_row(find(mode), features)->class];
}

int wb_row_class(const char *mode, size_t i)
{
    return (int)lc_mode_row(find(mode), i)->class;
}

int wb_row_is_portable(const char *mode, size_t i)
{
    return lc_mode_row(find(mode), i)->class == LC_CLASS_PORTABLE;
}

const char *wb_row_by_name(const char *mode, const char *name, uint64_t features)
{
    const struct lc_impl *row = lc_row_by_name(find(mode), name, features);

    return row ? row->name : NULL;
}

const char *wb_parse_features(const char *list, uint64_t *bits)
{
    return lc_parse_features(list, bits);
}

const char *wb_parse_impls(const char *list, const char *mode, uint64_t features, const char **row)
{
    const struct lc_impl *found = NULL;
    const char *bad = lc_parse_impls(list, find(mode), features, &found);

    if (found)
        *row = found->name;
    return bad;
}

#ifdef __x86_64__
size_t wb_gcm_powers(int avx512)
{
    return avx512 ? LC_GCM_POWERS_AVX512 : LC_GCM_POWERS;
}
#endif

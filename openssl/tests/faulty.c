/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The core's calls for many, with faults: one item of three has failed, and has something wrong where its result would be.  The
 * linker puts these functions into a module that is otherwise the real one (--wrap).
 */
#include <string.h>

#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/rsa.h"
#include "lanecrypt/sm2.h"
#include "lanecrypt/x25519.h"

static unsigned count;

#define FAULTY(function, type, out, len)                                                                                           \
    int __real_##function(struct type *items, size_t num);                                                                         \
    int __wrap_##function(struct type *items, size_t num);                                                                         \
    int __wrap_##function(struct type *items, size_t num)                                                                          \
    {                                                                                                                              \
        int status = __real_##function(items, num);                                                                                \
                                                                                                                                   \
        for (size_t i = 0; i < num; i++)                                                                                           \
            if (__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) % 3 == 0) {                                                        \
                memset(items[i].out, 0xa5, len);                                                                                   \
                items[i].status = status = LC_ERR_CHANGED;                                                                         \
            }                                                                                                                      \
        return status;                                                                                                             \
    }

FAULTY(lc_ecdsa_p256_sign_many, lc_ecdsa_p256_sign_item, sig, 64)
FAULTY(lc_ecdsa_p384_sign_many, lc_ecdsa_p384_sign_item, sig, 96)
FAULTY(lc_ed25519_sign_many, lc_ed25519_sign_item, sig, 64)
FAULTY(lc_sm2_sign_many, lc_sm2_sign_item, sig, 64)
FAULTY(lc_ecdh_p256_many, lc_ecdh_p256_item, secret, 32)
FAULTY(lc_ecdh_p384_many, lc_ecdh_p384_item, secret, 48)
FAULTY(lc_x25519_many, lc_x25519_item, secret, 32)
FAULTY(lc_rsa_pkcs1_sign_many, lc_rsa_sign_item, sig, 256)
FAULTY(lc_rsa_pss_sign_many, lc_rsa_sign_item, sig, 256)

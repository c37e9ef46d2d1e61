/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Do the headers agree with what the Rust side has written down?  build.rs defines the numbers. */
#include <stddef.h>

#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/gcm.h"
#include "lanecrypt/xts.h"

#define WORD sizeof(void *)

#define IS_KEY(type, size)                                                                                                         \
    _Static_assert(sizeof(type) == (size) || (WORD == 4 && sizeof(type) < (size)), "rust/src/sizes.rs: " #type);                   \
    _Static_assert(_Alignof(type) == 16, "rust/src/sys.rs: " #type)
IS_KEY(struct lc_gcm_key, GCM_KEY);
IS_KEY(struct lc_chacha20poly1305_key, CHACHA20POLY1305_KEY);
IS_KEY(struct lc_xts_key, XTS_KEY);

#define IS_AT(member, words) _Static_assert(offsetof(struct lc_aead_item, member) == (words) * WORD, "rust/src/sys.rs: Item")
IS_AT(dst, 0);
IS_AT(tag, 1);
IS_AT(src, 2);
IS_AT(len, 3);
IS_AT(aad, 4);
IS_AT(aad_len, 5);
IS_AT(nonce, 6);
IS_AT(status, 7);
_Static_assert(sizeof(struct lc_aead_item) == 8 * WORD, "rust/src/sys.rs: Item");
_Static_assert(offsetof(struct lc_impl_info, runs_here) == 24 || WORD == 4, "rust/src/sys.rs: ImplInfo");
_Static_assert(offsetof(struct lc_impl_info, selected) == 32 || WORD == 4, "rust/src/sys.rs: ImplInfo");
_Static_assert(sizeof(struct lc_impl_info) == 48 || WORD == 4, "rust/src/sys.rs: ImplInfo");

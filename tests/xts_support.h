/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of XTS share. */
#ifndef LC_TESTS_XTS_SUPPORT_H
#define LC_TESTS_XTS_SUPPORT_H

#include "lanecrypt/xts.h"
#include "mode_support.h"

/* The implementation that the others are compared with.  It is compared with published vectors and with libcrypto. */
#define PORTABLE "xts-aes-portable"

static const size_t key_lens[] = { 32, 48, 64 };

using XtsKey = ModeKey<lc_xts_key, lc_xts_init_impl, lc_xts_wipe>;

/* The public functions with the direction as an argument. */
int crypt(bool encrypt, const lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *iv);
int crypt_sectors(bool encrypt, const lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, size_t sector_len,
                  uint64_t first_sector, uint64_t step);
int crypt_update(bool encrypt, const lc_xts_key *key, lc_xts_state *state, uint8_t *dst, const uint8_t *src, size_t len);

/* The same into new memory; throws on an error. */
Bytes crypt(bool encrypt, const lc_xts_key *key, const Bytes &src, const Bytes &iv);

/* The iv of a sector in the "plain64" form. */
Bytes sector_iv(uint64_t sector);

/* Tests that run once for every implementation. */
class Xts : public EachRow {};

#endif

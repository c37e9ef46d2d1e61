/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of XTS share: the fixture that makes every test run once for every implementation, and keys. */
#ifndef LC_TESTS_XTS_SUPPORT_H
#define LC_TESTS_XTS_SUPPORT_H

#include "lanecrypt/xts.h"
#include "support.h"

/* The implementation that the others are compared with.  It is compared with published vectors and with libcrypto. */
#define PORTABLE "xts-aes-portable"

static const bool both_directions[] = { true, false }; /* encrypt, decrypt */
static const size_t key_lens[] = { 32, 48, 64 };

/* A key that wipes itself.  Throws if the key can't be made, which GoogleTest reports as a failure. */
struct XtsKey {
    lc_xts_key key;

    XtsKey(const std::string &impl, const Bytes &raw);
    ~XtsKey() { lc_xts_wipe(&key); }
    XtsKey(const XtsKey &) = delete;
    XtsKey &operator=(const XtsKey &) = delete;
    operator const lc_xts_key *() const { return &key; }
};

/* The public functions with the direction as an argument. */
int crypt(bool encrypt, const lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *iv);
int crypt_sectors(bool encrypt, const lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, size_t sector_len,
                  uint64_t first_sector, uint64_t step);
int crypt_update(bool encrypt, const lc_xts_key *key, lc_xts_state *state, uint8_t *dst, const uint8_t *src, size_t len);

/* The same into new memory; throws on an error. */
Bytes crypt(bool encrypt, const lc_xts_key *key, const Bytes &src, const Bytes &iv);

/* The iv of a sector in the "plain64" form. */
Bytes sector_iv(uint64_t sector);

/*
 * Tests of this fixture run once for every implementation that is compiled in.  Those that this CPU (less what LANECRYPT_DISABLE
 * takes away) can't run are skipped, with the features that are missing; test_xts_rows.cc checks that no others are.
 */
class Xts : public ::testing::TestWithParam<size_t> {
protected:
    lc_impl_info impl; /* the implementation under test */

    void SetUp() override;
};

#endif

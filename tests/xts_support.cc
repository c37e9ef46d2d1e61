// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "xts_support.h"

const char *const mode_under_test = "xts";

int init_mode_under_test(const char *impl, std::string *name)
{
    Bytes raw = Random(1).bytes(64);
    lc_xts_key key;
    int status = lc_xts_init_impl(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = lc_xts_impl_name(&key);
    return status;
}

int crypt(bool encrypt, const lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *iv)
{
    return (encrypt ? lc_xts_encrypt : lc_xts_decrypt)(key, dst, src, len, iv);
}

int crypt_sectors(bool encrypt, const lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len, size_t sector_len,
                  uint64_t first_sector, uint64_t step)
{
    return (encrypt ? lc_xts_encrypt_sectors : lc_xts_decrypt_sectors)(key, dst, src, len, sector_len, first_sector, step);
}

int crypt_update(bool encrypt, const lc_xts_key *key, lc_xts_state *state, uint8_t *dst, const uint8_t *src, size_t len)
{
    return (encrypt ? lc_xts_encrypt_update : lc_xts_decrypt_update)(key, state, dst, src, len);
}

Bytes crypt(bool encrypt, const lc_xts_key *key, const Bytes &src, const Bytes &iv)
{
    Bytes dst(src.size());

    must(crypt(encrypt, key, dst.data(), src.data(), src.size(), iv.data()), "a call that has to work");
    return dst;
}

Bytes sector_iv(uint64_t sector)
{
    Bytes iv(16);

    for (int i = 0; i < 8; i++)
        iv[i] = static_cast<uint8_t>(sector >> 8 * i);
    return iv;
}

FOR_EACH_ROW(Xts);

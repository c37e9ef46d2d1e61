// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "xts_support.h"

#include <stdexcept>

static void must(int status, const std::string &what)
{
    if (status != LC_OK)
        throw std::runtime_error(what + ": " + lc_strerror(status));
}

XtsKey::XtsKey(const std::string &impl, const Bytes &raw)
{
    must(lc_xts_init_impl(&key, impl.c_str(), raw.data(), raw.size()), "lc_xts_init_impl(\"" + impl + "\")");
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

void Xts::SetUp()
{
    ASSERT_EQ(lc_impl_get("xts", GetParam(), &impl), LC_OK);
    if (impl.needs & ~lc_cpu_features())
        GTEST_SKIP() << impl.name << " needs " << feature_names(impl.needs & ~lc_cpu_features()) << ", which is missing here";
}

static std::string test_name(const ::testing::TestParamInfo<size_t> &info)
{
    std::string name = implementations("xts")[info.param].name;

    for (char &c : name)
        if (c == '-')
            c = '_'; // GoogleTest allows nothing else
    return name;
}

INSTANTIATE_TEST_SUITE_P(Implementation, Xts, ::testing::Range(size_t{ 0 }, lc_impl_count("xts")), test_name);

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "ctr_support.h"

#include <algorithm>

#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

const char *const mode_under_test = "ctr";

int init_mode_under_test(const char *impl, std::string *name)
{
    Bytes raw = Random(1).bytes(32);
    lc_ctr_key key;
    int status = lc_ctr_init_impl(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = lc_ctr_impl_name(&key);
    return status;
}

Bytes crypt(const lc_ctr_key *key, const Bytes &src, const Bytes &iv)
{
    Bytes dst(src.size());

    lc_ctr_xor(key, dst.data(), src.data(), src.size(), iv.data());
    return dst;
}

Bytes crypt_in_pieces(const lc_ctr_key *key, const Bytes &src, const Bytes &iv, const std::vector<size_t> &lens)
{
    Bytes dst(src.size());
    lc_ctr_state state;
    size_t done = 0;

    lc_ctr_start(&state, iv.data());
    for (size_t len : lens) {
        lc_ctr_update(key, &state, dst.data() + done, src.data() + done, len);
        done += len;
    }
    lc_ctr_update(key, &state, dst.data() + done, src.data() + done, src.size() - done);
    lc_ctr_state_wipe(&state);
    return dst;
}

Bytes crypt_block_by_block(const lc_ctr_key *key, const Bytes &src, const Bytes &iv)
{
    Bytes dst(src.size()), counter = iv;

    for (size_t at = 0; at < src.size(); at += 16) {
        lc_ctr_xor(key, &dst[at], &src[at], std::min(src.size() - at, size_t{ 16 }), counter.data());
        counter = counter_plus(counter, 1);
    }
    return dst;
}

Bytes counter_plus(const Bytes &counter, uint64_t n)
{
    Bytes sum = counter;
    unsigned carry = 0;

    for (int i = 15; i >= 0; i--, n >>= 8) {
        carry += sum[i] + static_cast<unsigned>(n & 0xff);
        sum[i] = static_cast<uint8_t>(carry);
        carry >>= 8;
    }
    return sum;
}

Bytes counter_minus(const Bytes &counter, uint64_t n)
{
    Bytes difference = counter;
    int borrow = 0;

    for (int i = 15; i >= 0; i--, n >>= 8) {
        int byte = difference[i] - static_cast<int>(n & 0xff) - borrow;

        difference[i] = static_cast<uint8_t>(byte);
        borrow = byte < 0;
    }
    return difference;
}

Bytes by_libcrypto(const Bytes &raw, const Bytes &src, const Bytes &iv, const Bytes &otherwise)
{
#ifdef HAVE_LIBCRYPTO
    if (!src.empty())
        return Libcrypto::ctr(raw).crypt(src.data(), src.size(), iv.data());
#endif
    (void)raw, (void)src, (void)iv;
    return otherwise;
}

FOR_EACH_ROW(Ctr);

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "chacha20_support.h"

const char *const mode_under_test = "chacha20";

int init_mode_under_test(const char *impl, std::string *name)
{
    Bytes raw = Random(1).bytes(32);
    lc_chacha20_key key;
    int status = lc_chacha20_init_impl(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = lc_chacha20_impl_name(&key);
    return status;
}

Bytes crypt(const lc_chacha20_key *key, const Bytes &src, const Bytes &nonce, uint32_t counter)
{
    Bytes dst(src.size());

    must(lc_chacha20_crypt(key, dst.data(), src.data(), src.size(), nonce.data(), counter), "lc_chacha20_crypt()");
    return dst;
}

void start(lc_chacha20_state *state, const lc_chacha20_key *key, const Bytes &nonce, uint64_t counter)
{
    if (nonce.size() == 8)
        lc_chacha20_start_64(state, key, nonce.data(), counter);
    else
        lc_chacha20_start(state, key, nonce.data(), static_cast<uint32_t>(counter));
}

Bytes crypt_in_pieces(const lc_chacha20_key *key, const Bytes &src, const Bytes &nonce, uint64_t counter,
                      const std::vector<size_t> &lens)
{
    Bytes dst(src.size());
    lc_chacha20_state state;
    size_t done = 0;

    start(&state, key, nonce, counter);
    for (size_t len : lens) {
        len = len < src.size() - done ? len : src.size() - done;
        must(lc_chacha20_update(&state, dst.data() + done, src.data() + done, len), "lc_chacha20_update()");
        done += len;
    }
    must(lc_chacha20_update(&state, dst.data() + done, src.data() + done, src.size() - done), "lc_chacha20_update()");
    lc_chacha20_state_wipe(&state);
    return dst;
}

FOR_EACH_ROW(Chacha20);

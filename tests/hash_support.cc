// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "hash_support.h"

#include <algorithm>

#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

int init_mode_under_test(const char *impl, std::string *name)
{
    State state;
    int status = hashes[0].start_impl(state, impl);

    if (status == LC_OK)
        *name = hashes[0].impl_name(state);
    return status;
}

Bytes digest_of(const Hash &hash, const lc_impl_info &impl, const Bytes &msg, const std::vector<size_t> &lens)
{
    State state;
    Bytes digest(hash.len);
    size_t done = 0;

    must(hash.start_impl(state, impl.name), "start_impl");
    for (size_t len : lens) {
        len = std::min(len, msg.size() - done);
        hash.update(state, msg.data() + done, len);
        done += len;
    }
    hash.update(state, msg.data() + done, msg.size() - done);
    hash.finish(state, digest.data());
    return digest;
}

std::vector<Bytes> digests_of(const Hash &hash, const lc_impl_info &impl, const std::vector<Bytes> &msgs)
{
    std::vector<Bytes> digests(msgs.size(), Bytes(hash.len));
    std::vector<lc_hash_item> items;

    for (size_t i = 0; i < msgs.size(); i++)
        items.push_back({ digests[i].data(), msgs[i].data(), msgs[i].size() });
    must(hash.many_impl(impl.name, items.data(), items.size()), "many_impl");
    return digests;
}

Bytes other_digest(const Hash &hash, const Bytes &msg)
{
#ifdef HAVE_LIBCRYPTO
    return Libcrypto::digest(hash.name, msg);
#else
    return digest_of(hash, implementations(mode_under_test).back(), msg, {});
#endif
}

FOR_EACH_ROW(Hashes);

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "ed25519_support.h"

const char *const mode_under_test = "ed25519";

int init_mode_under_test(const char *impl, std::string *name)
{
    lc_ed25519_key key;
    const Bytes raw(32, 7);
    int status = lc_ed25519_init_impl(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = lc_ed25519_impl_name(&key);
    return status;
}

lc_ed25519_public_key public_key(const std::string &impl, const Bytes &raw)
{
    lc_ed25519_public_key key;

    must(lc_ed25519_public_init_impl(&key, impl.c_str(), raw.data(), raw.size()), "public_init_impl");
    return key;
}

Bytes public_of(const lc_ed25519_key *key)
{
    Bytes out(32);

    lc_ed25519_get_public(key, out.data());
    return out;
}

Bytes sign(const lc_ed25519_key *key, const Bytes &msg)
{
    Bytes sig(64);

    must(lc_ed25519_sign(key, sig.data(), msg.data(), msg.size()), "sign");
    return sig;
}

void verify_all(const std::vector<Signature> &signatures)
{
    std::vector<lc_ed25519_verify_item> items;
    int first = LC_OK;

    for (const Signature &s : signatures) {
        items.push_back({ &s.key, s.sig.data(), s.msg.data(), s.msg.size(), 1 });
        first = first == LC_OK ? s.expected : first;
    }
    EXPECT_EQ(lc_ed25519_verify_many(items.data(), items.size()), first);
    for (size_t i = 0; i < items.size(); i++)
        EXPECT_EQ(items[i].status, signatures[i].expected) << i << " of " << items.size();
}

int verify_batch(const std::vector<Signature> &signatures, size_t len)
{
    std::vector<lc_ed25519_verify_item> items;
    const Bytes zeros(32);

    for (const Signature &s : signatures)
        items.push_back({ &s.key, s.sig.data(), s.msg.data(), s.msg.size(), 77 });
    if (len == SIZE_MAX)
        len = items.empty() ? 0 : lc_ed25519_verify_batch_len(&signatures[0].key, items.size());
    Guarded memory(len + 1);
    const int status = lc_ed25519_verify_batch(items.data(), items.size(), nullptr, memory.end() - len, len);

    // a seed changes nothing, nor do others' results
    EXPECT_EQ(lc_ed25519_verify_batch(items.data(), items.size(), zeros.data(), memory.end() - len, len), status);
    for (const lc_ed25519_verify_item &item : items)
        EXPECT_EQ(item.status, 77);
    return status;
}

std::vector<Signature> bad_signatures(const std::string &impl)
{
    const PrivateKey key("ed25519-portable", Bytes(32, 1)), other("ed25519-portable", Bytes(32, 2));
    const lc_ed25519_public_key good = public_key(impl, public_of(key)), wrong = public_key(impl, public_of(other));
    const Bytes msg(40, 0x33), sig = sign(key, msg);
    Bytes too_large = sig, r_changed = sig, s_changed = sig, top_bit = sig, msg_changed = msg, identity(32);
    const Number s = sum(Number(Bytes(sig.begin() + 32, sig.end())), L);

    memcpy(too_large.data() + 32, s.w.data(), 32);
    flip(&r_changed, 100);
    flip(&s_changed, 256 + 100);
    flip(&top_bit, 255);
    flip(&msg_changed, 7);
    identity[0] = 1;
    return { { good, msg, too_large, LC_ERR_SIGNATURE }, { good, msg, r_changed, LC_ERR_SIGNATURE },
             { wrong, msg, sig, LC_ERR_SIGNATURE },      { good, msg_changed, sig, LC_ERR_SIGNATURE },
             { good, msg, top_bit, LC_ERR_SIGNATURE },   { public_key(impl, identity), msg, sig, LC_ERR_SIGNATURE },
             { good, msg, s_changed, LC_ERR_SIGNATURE } };
}

void verify_in_every_lane(const Signature &signature, const std::vector<Signature> &bad)
{
    for (size_t lane = 0; lane < LANES; lane++) {
        std::vector<Signature> batch = bad;

        batch.insert(batch.begin() + static_cast<ptrdiff_t>(lane), signature);
        verify_all(batch);
    }
}

FOR_EACH_ROW(Ed25519);

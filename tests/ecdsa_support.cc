// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "ecdsa_support.h"

#include <memory>

const char *const mode_under_test = "ecdsa-" CURVE_NAME;

int init_mode_under_test(const char *impl, std::string *name)
{
    ECDSA(key) key;
    const Bytes raw(BYTES, 7);
    int status = ECDSA(init_impl)(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = ECDSA(impl_name)(&key);
    return status;
}

ECDSA(public_key) public_key(const std::string &impl, const Bytes &raw)
{
    ECDSA(public_key) key;

    must(ECDSA(public_init_impl)(&key, impl.c_str(), raw.data(), raw.size()), "public_init_impl");
    return key;
}

Bytes sign(const ECDSA(key) * key, const Bytes &digest)
{
    Bytes sig(SIG_LEN);

    must(ECDSA(sign_with)(key, sig.data(), digest.data(), digest.size(), nullptr, 0), "sign_with");
    return sig;
}

const ECDSA(public_key) * prepared(const ECDSA(public_key) & key)
{
    struct Kept {
        ECDSA(public_key) key;
        Bytes table;
    };
    static std::map<std::pair<std::string, Bytes>, std::unique_ptr<Kept>> all;
    const size_t len = ECDSA(prepare_len)(&key);

    if (len == 0)
        return &key;
    std::unique_ptr<Kept> &kept = all[{ ECDSA(public_impl_name)(&key), bytes_of(key.point) }];
    if (!kept) {
        kept.reset(new Kept{ key, Bytes(len) });
        must(ECDSA(prepare)(&kept->key, kept->table.data(), len), "prepare");
    }
    return &kept->key;
}

void verify_all(const std::vector<Signature> &signatures)
{
    bool have_tables = false;

    for (int turn = 0; turn == 0 || (turn < 3 && have_tables); turn++) {
        std::vector<ECDSA(verify_item)> items;
        int first = LC_OK;

        SCOPED_TRACE(turn);
        for (size_t i = 0; i < signatures.size(); i++) {
            const Signature &s = signatures[i];
            const bool as_it_is = turn == 0 || (turn == 2 && i % 3 == 0);

            items.push_back({ as_it_is ? &s.key : prepared(s.key), s.sig.data(), s.digest.data(), s.digest.size(), 1 });
            have_tables |= ECDSA(prepare_len)(&s.key) != 0;
            if (first == LC_OK)
                first = s.expected;
        }
        EXPECT_EQ(ECDSA(verify_many)(items.data(), items.size()), first);
        for (size_t i = 0; i < items.size(); i++)
            EXPECT_EQ(items[i].status, signatures[i].expected) << i << " of " << items.size();
    }
}

std::vector<Signature> bad_signatures(const std::string &impl)
{
    Random random(77);
    const Bytes raw = random_number(random, WB_N).bytes(), n = Number::modulus(WB_N).bytes(), zero(BYTES, 0);
    const PrivateKey key("ecdsa-" CURVE_NAME "-portable", raw);
    const ECDSA(public_key) good = public_key(impl, public_of(raw)), other = public_key(impl, public_of(Bytes(BYTES, 3)));
    const Bytes digest = random.bytes(BYTES), right = sign(key, digest), r(right.begin(), right.begin() + BYTES),
                s(right.begin() + BYTES, right.end());
    auto join = [](const Bytes &a, const Bytes &b) {
        Bytes both = a;

        both.insert(both.end(), b.begin(), b.end());
        return both;
    };
    Bytes wrong = digest;
    std::vector<Signature> bad;

    flip(&wrong, 0);
    bad.push_back({ good, wrong, right, LC_ERR_SIGNATURE });
    bad.push_back({ good, digest, join(zero, s), LC_ERR_SIGNATURE });
    bad.push_back({ other, digest, right, LC_ERR_SIGNATURE });
    bad.push_back({ good, digest, join(r, n), LC_ERR_SIGNATURE });
    bad.push_back({ good, Bytes(), right, LC_ERR_LEN });
    // u1 G + u2 Q is infinity: e / s = -d r / s
    const Number d(raw), r1 = random_number(random, WB_N);
    bad.push_back({ good, subtract(0, multiply(d, r1, WB_N), WB_N).bytes(), join(r1.bytes(), s), LC_ERR_SIGNATURE });
    bad.push_back({ good, zero, join(n, s), LC_ERR_SIGNATURE });
    return bad;
}

void verify_in_every_lane(const Signature &signature, const std::vector<Signature> &bad)
{
    for (size_t lane = 0; lane < LANES; lane++) {
        std::vector<Signature> all(bad.begin(), bad.begin() + LANES - 1);

        all.insert(all.begin() + static_cast<ptrdiff_t>(lane), signature);
        verify_all(all);
    }
}

FOR_EACH_ROW(Ecdsa);

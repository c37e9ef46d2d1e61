// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ECDSA: batches, keys, errors, nonces, what no usual signature comes to.
#include <algorithm>
#include <set>

#include "ecdsa_support.h"

namespace {

struct KeyPair {
    Bytes raw, public_raw;
    ECDSA(key) key;
    ECDSA(public_key) public_key;

    KeyPair(const std::string &impl, const Number &d) : raw(d.bytes()), public_raw(POINT_LEN)
    {
        must(ECDSA(init_impl)(&key, impl.c_str(), raw.data(), raw.size()), "init_impl");
        ECDSA(get_public)(&key, public_raw.data());
        public_key = ::public_key(impl, public_raw);
    }
};

Bytes join(const Number &r, const Number &s)
{
    Bytes both = r.bytes(), last = s.bytes();

    both.insert(both.end(), last.begin(), last.end());
    return both;
}

} // namespace

// What only sign_many_with() takes isn't looked at by the others.
TEST_P(Ecdsa, ExtraOfOthers)
{
    KeyPair pair(impl.name, Number(5));
    Bytes sig(SIG_LEN), digest(32, 1);
    ECDSA(sign_item) item = { &pair.key, sig.data(), digest.data(), digest.size(), nullptr, SIZE_MAX, 1 };

    EXPECT_EQ(ECDSA(sign_many)(&item, 1), LC_OK);
    EXPECT_EQ(ECDSA(verify)(&pair.public_key, sig.data(), digest.data(), digest.size()), LC_OK);
    EXPECT_EQ(ECDSA(sign_pool)(&item, 1, nullptr, 0), LC_OK);
    EXPECT_EQ(ECDSA(verify)(&pair.public_key, sig.data(), digest.data(), digest.size()), LC_OK);
    EXPECT_EQ(ECDSA(sign_many_with)(&item, 1), LC_ERR_LEN);
}

// Batches of all sizes around a vector, under many keys, some items wrong; signatures are the portable implementation's.
TEST_P(Ecdsa, Batches)
{
    Random random(1);
    std::vector<KeyPair> keys;
    std::vector<PrivateKey *> portable;

    for (size_t i = 0; i < 5; i++) {
        keys.emplace_back(impl.name, random_number(random, WB_N));
        portable.push_back(new PrivateKey("ecdsa-" CURVE_NAME "-portable", keys[i].raw));
    }
    for (size_t num = 0; num <= 17; num++) {
        std::vector<Bytes> sigs, digests;
        std::vector<ECDSA(sign_item)> items;
        std::vector<Signature> signatures;
        int first = LC_OK;

        for (size_t i = 0; i < num; i++) {
            sigs.emplace_back(SIG_LEN, 0xa5);
            digests.push_back(random.bytes(random.below(6) ? 1 + random.below(64) : random.below(2) * 65));
        }
        for (size_t i = 0; i < num; i++) {
            items.push_back({ &keys[i % 5].key, sigs[i].data(), digests[i].data(), digests[i].size(), nullptr, 0, 1 });
            if (first == LC_OK && digests[i].size() % 65 == 0)
                first = LC_ERR_LEN;
        }
        EXPECT_EQ(ECDSA(sign_many_with)(items.data(), num), first);
        for (size_t i = 0; i < num; i++) {
            const Bytes &digest = digests[i];

            SCOPED_TRACE(std::to_string(i) + " of " + std::to_string(num));
            if (digest.size() % 65 == 0) {
                EXPECT_EQ(items[i].status, LC_ERR_LEN);
                EXPECT_TRUE(all_bytes(sigs[i].data(), SIG_LEN, 0xa5));
                continue;
            }
            EXPECT_EQ(items[i].status, LC_OK);
            EXPECT_TRUE(same(sign(*portable[i % 5], digest), sigs[i]));
#ifdef HAVE_LIBCRYPTO
            Bytes der(MAX_DER_LEN);
            der.resize(ECDSA(to_der)(der.data(), sigs[i].data()));
            EXPECT_TRUE(Libcrypto::ec_verify(CURVE_NID, keys[i % 5].public_raw, digest, der));
#endif
            if (random.below(4) == 0) {
                flip(&sigs[i], random.below(8 * SIG_LEN));
                signatures.push_back({ keys[i % 5].public_key, digest, sigs[i], LC_ERR_SIGNATURE });
            } else {
                signatures.push_back({ keys[i % 5].public_key, digest, sigs[i], LC_OK });
            }
        }
        verify_all(signatures);
    }
    for (PrivateKey *key : portable)
        delete key;
}

#ifdef HAVE_LIBCRYPTO
// Its signatures, and the same with a bit changed
TEST_P(Ecdsa, LibcryptosSignatures)
{
    Random random(2);
    std::vector<Signature> signatures;

    for (size_t i = 0; i < 40; i++) {
        const KeyPair key(impl.name, random_number(random, WB_N));
        const Bytes digest = random.bytes(1 + random.below(64)), der = Libcrypto::ec_sign(CURVE_NID, key.raw, digest);
        Bytes sig(SIG_LEN);

        EXPECT_TRUE(same(Libcrypto::ec_public(CURVE_NID, key.raw), key.public_raw));
        ASSERT_EQ(ECDSA(from_der)(sig.data(), der.data(), der.size()), LC_OK);
        signatures.push_back({ key.public_key, digest, sig, LC_OK });
        flip(&sig, random.below(8 * SIG_LEN));
        signatures.push_back({ key.public_key, digest, sig, LC_ERR_SIGNATURE });
    }
    verify_all(signatures);
}
#endif

// The usual call takes fresh randomness, the other one the caller's; both are right, and all are different.
TEST_P(Ecdsa, Hedged)
{
    Random random(3);
    const KeyPair key(impl.name, random_number(random, WB_N));
    const Bytes digest = random.bytes(BYTES), extra = random.bytes(LC_ECDSA_MAX_EXTRA_LEN);
    std::set<Bytes> all = { sign(&key.key, digest) };
    std::vector<ECDSA(sign_item)> items;
    std::vector<Bytes> sigs(11, Bytes(SIG_LEN));

    for (Bytes &sig : sigs)
        items.push_back({ &key.key, sig.data(), digest.data(), digest.size(), nullptr, 0, 1 });
    EXPECT_EQ(ECDSA(sign_many)(items.data(), items.size()), LC_OK);
    all.insert(sigs.begin(), sigs.end());
    for (size_t i = 0; i < 3; i++) {
        ASSERT_EQ(ECDSA(sign)(&key.key, sigs[0].data(), digest.data(), digest.size()), LC_OK);
        all.insert(sigs[0]);
    }
    EXPECT_EQ(all.size(), 15u);
    // Every byte of the additional data counts, and its length.
    for (size_t len : { 1, 32, 63, 64 }) {
        Bytes other = extra;

        ASSERT_EQ(ECDSA(sign_with)(&key.key, sigs[0].data(), digest.data(), digest.size(), extra.data(), len), LC_OK);
        EXPECT_TRUE(all.insert(sigs[0]).second);
        ASSERT_EQ(ECDSA(sign_with)(&key.key, sigs[1].data(), digest.data(), digest.size(), extra.data(), len), LC_OK);
        EXPECT_EQ(sigs[0], sigs[1]);
        flip(&other, 8 * len - 1);
        ASSERT_EQ(ECDSA(sign_with)(&key.key, sigs[1].data(), digest.data(), digest.size(), other.data(), len), LC_OK);
        EXPECT_TRUE(all.insert(sigs[1]).second);
    }
    for (const Bytes &sig : all)
        EXPECT_EQ(ECDSA(verify)(&key.public_key, sig.data(), digest.data(), digest.size()), LC_OK);
    EXPECT_EQ(ECDSA(sign_with)(&key.key, sigs[0].data(), digest.data(), digest.size(), extra.data(), 65), LC_ERR_LEN);
}

// Nonces with additional data of any length, and the next ones, which no signature ever needs, against their HMACs written out
TEST_P(Ecdsa, Nonces)
{
    Random random(20);
    const KeyPair key(impl.name, 12345);
    const Number e(Bytes(BYTES, 0x77));

    for (size_t len = 0; len <= LC_ECDSA_MAX_EXTRA_LEN; len++) {
        const Bytes extra = random.bytes(len);
        WrittenNonces expected(key.raw, e.bytes(), extra);

        for (unsigned skip = 0; skip < 3; skip++) {
            Number nonce;

            must(wb_nonce(&key.key, nonce.w, e.w, skip, extra.data(), len), "wb_nonce");
            EXPECT_EQ(nonce.bytes(), expected.next()) << len;
        }
    }
}

// Nonces and digests at their limits.  s = 0 is for e = -r d, and is seen.
TEST_P(Ecdsa, GivenNonces)
{
    Random random(4);
    const Number n = Number::modulus(WB_N), d = random_number(random, WB_N);
    const KeyPair key(impl.name, d);
    std::vector<Signature> signatures;
    std::vector<Number> nonces = { 1, 2, 3, subtract(0, 1, WB_N), subtract(0, 2, WB_N) };
    Number rs[2];

    for (int bit : { 6, 7, 63, 64, 127, 128, BITS - 5, BITS - 4, BITS - 3, BITS - 1 }) {
        Number k;

        k.w[bit / 64] = UINT64_C(1) << bit % 64;
        nonces.push_back(k);
        nonces.push_back(subtract(k, 1, WB_N));
    }
    for (const Number &k : nonces)
        for (const Number &e : { Number(0), Number(1), subtract(0, 1, WB_N), random_number(random, WB_N) }) {
            uint64_t out[2][WORDS];

            wb_sign(&key.key, out, e.w, k.w);
            memcpy(rs[0].w, out[0], BYTES);
            memcpy(rs[1].w, out[1], BYTES);
            EXPECT_EQ(multiply(rs[1], k, WB_N), add(e, multiply(rs[0], d, WB_N), WB_N));
            EXPECT_EQ(rs[0].bytes() < n.bytes(), true);
            signatures.push_back({ key.public_key, e.bytes(), join(rs[0], rs[1]), LC_OK });
            wb_sign(&key.key, out, subtract(0, multiply(rs[0], d, WB_N), WB_N).w, k.w);
            EXPECT_TRUE(all_bytes(out[1], BYTES, 0));
            // (r, n - s) is right as well, and more than n - 1 isn't.
            signatures.push_back({ key.public_key, e.bytes(), join(rs[0], subtract(0, rs[1], WB_N)), LC_OK });
            signatures.push_back({ key.public_key, e.bytes(), join(rs[0], n), LC_ERR_SIGNATURE });
            signatures.push_back({ key.public_key, e.bytes(), join(n, rs[1]), LC_ERR_SIGNATURE });
        }
    verify_all(signatures);
}

// Verifying where points that are equal or opposite, or infinity, are added on the way: made from u1 and u2.
TEST_P(Ecdsa, Exceptions)
{
    Random random(5);
    std::vector<Signature> signatures;
    auto make = [&](const Number &d, const Number &u1, const Number &u2, bool exists = true) {
        const KeyPair key(impl.name, d);
        const Number k = add(u1, multiply(u2, d, WB_N), WB_N);
        Number r = 1;

        if (exists) {
            const Bytes x = public_of(k.bytes());
            const Bytes bytes(x.begin() + 1, x.begin() + SHORT_LEN);

            r = add(subtract(Number(bytes), 0, WB_P), 0, WB_P);
            if (!(r < Number::modulus(WB_N)))
                r = subtract(r, Number::modulus(WB_N), WB_P);
        }
        const Number s = multiply(r, invert(u2, WB_N), WB_N), e = multiply(u1, s, WB_N);
        signatures.push_back({ key.public_key, e.bytes(), join(r, s), exists ? LC_OK : LC_ERR_SIGNATURE });
    };

    for (int i = 0; i < 3; i++) {
        const Number d = i ? random_number(random, WB_N) : Number(1), u2 = random_number(random, WB_N), u = multiply(u2, d, WB_N);

        make(d, u, u2);                                 // u1 G = u2 Q
        make(d, subtract(0, u, WB_N), u2, false);       // u1 G = -u2 Q
        make(d, 0, u2);                                 // no G
        make(d, 1, u2);
        make(d, subtract(0, 1, WB_N), u2);
        make(d, add(u, 1, WB_N), u2);                   // equal but for the last digit
        for (uint64_t small = 1; small < 40; small++) { // also multiples that end near n, where the last addition may be a doubling
            make(d, small, small);
            make(d, small, subtract(0, small, WB_N), !(d == Number(1)));
        }
        make(d, subtract(0, 2, WB_N), 4);
    }
    verify_all(signatures);
}

// r is the point's x modulo n, which may be r or r + n.  A point with n <= x < p: found by search from n on.
TEST_P(Ecdsa, XAboveN)
{
    const Number n = Number::modulus(WB_N), p = Number::modulus(WB_P);
    size_t found = 0;

    for (uint64_t i = 0; i < 60 && found < 5; i++) {
        const Number x = add(add(n, 0, WB_P), i, WB_P), s(1234567);
        Bytes compressed = x.bytes();
        ECDSA(public_key) point;

        ASSERT_TRUE(n < x || n == x);
        ASSERT_TRUE(x < p);
        compressed.insert(compressed.begin(), 2);
        // With e = 0 and r = s, u1 = 0 and u2 = 1: so that the point itself is the key.
        if (i == 0 || ECDSA(public_init_impl)(&point, impl.name, compressed.data(), SHORT_LEN) != LC_OK)
            continue;
        verify_all(
            { { point, Bytes(BYTES, 0), join(i, i), LC_OK }, { point, Bytes(BYTES, 0), join(i + 1, i + 1), LC_ERR_SIGNATURE } });
        found++;
    }
    EXPECT_EQ(found, 5u);
    // r + n = p or more is none: r would be the x of a point, but isn't below p - n.
    Number difference = subtract(p, n, WB_P);
    EXPECT_TRUE(difference == subtract(0, n, WB_P));
}

TEST_P(Ecdsa, Keys)
{
    const Bytes n = Number::modulus(WB_N).bytes(), p = Number::modulus(WB_P).bytes();
    const Bytes good = public_of(Bytes(BYTES, 5));
    ECDSA(key) key;
    ECDSA(public_key) point, other;
    const Bytes before(sizeof(key), 0xa5), point_before(sizeof(point), 0xa5);
    auto refused = [&](const Bytes &raw, int status) {
        memset(&key, 0xa5, sizeof(key));
        EXPECT_EQ(ECDSA(init_impl)(&key, impl.name, raw.data(), raw.size()), status);
        EXPECT_EQ(bytes_of(key), before);
    };
    auto no_point = [&](const Bytes &raw, int status) {
        memset(&point, 0xa5, sizeof(point));
        EXPECT_EQ(ECDSA(public_init_impl)(&point, impl.name, raw.data(), raw.size()), status) << to_hex(raw.data(), raw.size());
        EXPECT_EQ(bytes_of(point), point_before);
    };
    Bytes raw = n;

    refused(Bytes(BYTES, 0), LC_ERR_KEY);
    refused(n, LC_ERR_KEY);
    refused(Bytes(BYTES, 0xff), LC_ERR_KEY);
    for (size_t len : { 0, 1, BYTES - 1, BYTES + 1, 2 * BYTES })
        refused(Bytes(len, 1), LC_ERR_KEY_LEN);
    raw[BYTES - 1]--;
    EXPECT_EQ(ECDSA(init_impl)(&key, impl.name, raw.data(), BYTES), LC_OK);
    raw[BYTES - 1] += 2;
    refused(raw, LC_ERR_KEY);

    // Both encodings are the same key, with either sign.
    for (uint8_t d = 1; d < 20; d++) {
        const Bytes both = public_of(Number(d).bytes());
        Bytes one(both.begin(), both.begin() + SHORT_LEN);

        one[0] = 2 + (both[POINT_LEN - 1] & 1);
        point = public_key(impl.name, both);
        other = public_key(impl.name, one);
        EXPECT_EQ(bytes_of(point), bytes_of(other));
        one[0] ^= 1;
        other = public_key(impl.name, one);
        EXPECT_NE(bytes_of(point), bytes_of(other));
    }
    for (size_t len : { 0, 1, BYTES, BYTES + 2, 2 * BYTES, 2 * BYTES + 2 }) {
        Bytes short_one = good;

        short_one.resize(len, 4);
        no_point(short_one, LC_ERR_KEY_LEN);
    }
    for (int first : { 0, 1, 2, 3, 5, 6, 7, 0xff }) {
        raw = good;
        raw[0] = static_cast<uint8_t>(first);
        no_point(raw, LC_ERR_KEY);
        raw.resize(SHORT_LEN);
        if (first != 2 && first != 3)
            no_point(raw, LC_ERR_KEY);
    }
    for (size_t bit = 8; bit < POINT_LEN * 8; bit += 13) {
        raw = good;
        flip(&raw, bit);
        no_point(raw, LC_ERR_KEY);
    }
    // Coordinates that are right modulo p, but not below it: the first x that are points'
    size_t num_small = 0;
    for (uint64_t x = 0; num_small < 3; x++) {
        Bytes small = Number(x).bytes();

        small.insert(small.begin(), 2);
        if (ECDSA(public_init_impl)(&point, impl.name, small.data(), SHORT_LEN) != LC_OK)
            continue;
        num_small++;
        raw = p;
        for (size_t i = BYTES, carry = x; i-- > 0; carry >>= 8) {
            carry += raw[i];
            raw[i] = static_cast<uint8_t>(carry);
        }
        raw.insert(raw.begin(), 2);
        no_point(raw, LC_ERR_KEY);
        raw.resize(POINT_LEN, 0);
        raw[0] = 4;
        no_point(raw, LC_ERR_KEY);
    }
    // Not every x is a point's.
    size_t num = 0;
    for (uint8_t x = 0; x < 100; x++) {
        raw = Number(x).bytes();
        raw.insert(raw.begin(), 3);
        num += ECDSA(public_init_impl)(&point, impl.name, raw.data(), SHORT_LEN) == LC_OK;
    }
    EXPECT_GT(num, 30u);
    EXPECT_LT(num, 70u);
}

// Signing in a pool gives the same signatures, whatever the number, the memory and the neighbours; memory is zero afterwards.
TEST_P(Ecdsa, Pools)
{
    Random random(14);
    const KeyPair keys[] = { { impl.name, 1000 }, { impl.name, 1001 }, { "ecdsa-" CURVE_NAME "-portable", 1002 } };
    const size_t most = ECDSA(sign_pool_len)(&keys[0].key, 1000);

    EXPECT_EQ(ECDSA(sign_pool_len)(&keys[2].key, 1000), 0u);
    EXPECT_EQ(ECDSA(sign_pool_len)(&keys[0].key, WB_POOL_MIN - 1), 0u);
    EXPECT_EQ(ECDSA(sign_pool_len)(&keys[0].key, WB_POOL_MAX), most);
    std::vector<size_t> nums = { 0, 33 };
    if (most)
        nums = { 0, 1, 16, 31, 32, 33, 47, 48, 49, 63, 64, 65, 95, 96, 97, 130 };
    for (size_t num : nums) {
        // none wrong or of another implementation; some
        for (int kind = 0; kind < (most ? 2 : 1); kind++) {
            std::vector<Bytes> digests, sigs, expected;
            std::vector<ECDSA(sign_item)> items;

            for (size_t i = 0; i < num; i++) {
                digests.push_back(random.bytes(kind && random.below(9) == 0 ? 0 : 32));
                sigs.emplace_back(SIG_LEN, 0xa5);
                expected.emplace_back(SIG_LEN, 0xa5);
            }
            for (size_t i = 0; i < num; i++) {
                const KeyPair &key = keys[kind && i % 50 == 40 ? 2 : random.below(2)];

                items.push_back({ &key.key, expected[i].data(), digests[i].data(), digests[i].size(), nullptr, 0, 1 });
            }
            const int status = ECDSA(sign_many_with)(items.data(), num);
            const size_t len = ECDSA(sign_pool_len)(&keys[0].key, num);
            const size_t first_len = ECDSA(sign_pool_len)(&keys[0].key, WB_POOL_MIN);
            std::set<size_t> lens = { 0, len };

            if (most && (num == 65 || num == 130))
                lens.insert({ 1, first_len - 1, first_len, len - 1, len + 1 });
            for (size_t workspace_len : lens)
                for (bool at_end : { true, false }) {
                    Guarded memory(workspace_len + 1);
                    uint8_t *workspace = memory.place(at_end, workspace_len);

                    memset(memory.begin(), 0xa5, memory.size());
                    for (size_t i = 0; i < num; i++) {
                        sigs[i].assign(SIG_LEN, 0xa5);
                        items[i].sig = sigs[i].data();
                        items[i].status = 1;
                    }
                    EXPECT_EQ(ECDSA(sign_pool_with)(items.data(), num, workspace, workspace_len), status);
                    EXPECT_EQ(sigs, expected) << num << " items, workspace " << workspace_len;
                    for (size_t i = 0; i < num; i++)
                        EXPECT_EQ(items[i].status, digests[i].empty() ? LC_ERR_LEN : LC_OK);
                    size_t used = workspace_len;
                    while (used && workspace[used - 1] == 0xa5)
                        used--;
                    EXPECT_TRUE(all_bytes(workspace, used, 0));
                    EXPECT_EQ(used >= WB_POOL_MIN, most && workspace_len >= first_len && num >= WB_POOL_MIN) << used;
                    EXPECT_TRUE(all_bytes(memory.begin(), static_cast<size_t>(workspace - memory.begin()), 0xa5));
                    EXPECT_TRUE(
                        all_bytes(workspace + workspace_len, static_cast<size_t>(memory.end() - workspace) - workspace_len, 0xa5));
                }
        }
    }
    if (most) { // fresh randomness
        std::vector<Bytes> sigs(WB_POOL_MAX, Bytes(SIG_LEN));
        std::vector<Signature> signatures;
        std::vector<ECDSA(sign_item)> items;
        const Bytes digest(32, 3);
        Bytes workspace(most);

        for (Bytes &sig : sigs)
            items.push_back({ &keys[0].key, sig.data(), digest.data(), 32, nullptr, 0, 1 });
        ASSERT_EQ(ECDSA(sign_pool)(items.data(), items.size(), workspace.data(), most), LC_OK);
        for (const Bytes &sig : sigs)
            signatures.push_back({ keys[0].public_key, digest, sig, LC_OK });
        verify_all(signatures);
        EXPECT_EQ(std::set<Bytes>(sigs.begin(), sigs.end()).size(), sigs.size());
    }
}

namespace {

// Multipliers for which the last addition is of equal or opposite points: n = a + b, where a and b are sums of windows' digits as
// they are added there, and the multiplier is the one that has b's digits negated.  With one pass that is the last one of the tree;
// with more of them a is the first pass.
std::vector<Number> tree_exceptions()
{
    const Number n = Number::modulus(WB_N);
    std::vector<std::set<unsigned>> sets;
    std::vector<Number> found;

    for (unsigned i = 0; i < BASE_WINDOWS; i++)
        sets.push_back({ i });
    while (BASE_PASSES == 1 && sets.size() > 2) {
        const size_t half = sets.size() / 2, rest = sets.size() - half;

        for (size_t i = 0; i < half; i++)
            sets[i].insert(sets[i + rest].begin(), sets[i + rest].end());
        sets.resize(rest);
    }
    if (BASE_PASSES > 1) {
        std::set<unsigned> others;

        for (unsigned i = 0; i < BASE_WINDOWS; i++)
            if (i % BASE_PASSES)
                others.insert(i);
        sets = { others };
    }
    for (const std::set<unsigned> &negated : sets) {
        Number k = 0, weight = 1;

        if (negated.count(BASE_WINDOWS - 1)) // the last digit is positive
            continue;
        for (unsigned i = 0; i < BASE_WINDOWS; i++) {
            const unsigned at = i * BASE_BITS + 1;
            uint64_t bits = n.w[at / 64] >> at % 64;

            if (at % 64 > 64 - BASE_BITS && at / 64 < WORDS - 1)
                bits |= n.w[at / 64 + 1] << (64 - at % 64);
            bits &= (1 << BASE_BITS) - 1;
            if (i == BASE_WINDOWS - 1)
                bits |= 1 << (BASE_BITS - 1);
            const Number up = multiply(2 * bits + 1, weight, WB_N), down = multiply(1 << BASE_BITS, weight, WB_N);
            const Number digit = subtract(up, down, WB_N); // 2 bits + 1 - 2^BASE_BITS

            k = negated.count(i) ? subtract(k, digit, WB_N) : add(k, digit, WB_N);
            for (int b = 0; b < BASE_BITS; b++)
                weight = add(weight, weight, WB_N);
        }
        found.push_back(k);
        found.push_back(subtract(0, k, WB_N));
    }
    return found;
}

} // namespace

// x of multiples of G by a pool: at the limits, and where points with one x are added.
TEST_P(Ecdsa, PoolsOfMultiples)
{
    Random random(15);
    const PrivateKey key(impl.name, Bytes(BYTES, 1));
    std::vector<Number> special = tree_exceptions();

    ASSERT_EQ(special.size(), 2u);
    special.insert(special.end(), { 1, 2, 3, subtract(0, 1, WB_N), subtract(0, 2, WB_N) });
    for (size_t num = WB_POOL_MIN; num <= WB_POOL_MAX; num += WB_POOL_STEP)
        for (size_t turn = 0; turn <= special.size(); turn++) {
            uint64_t k[WB_POOL_MAX][WORDS], xs[WB_POOL_MAX][WORDS];
            const size_t at = 7 * turn % num;

            for (size_t i = 0; i < num; i++) {
                const Number number = i == at && turn < special.size() ? special[turn] : random_number(random, WB_N);

                memcpy(k[i], number.w, sizeof(k[i]));
            }
            const int done = wb_base_pool(key, xs, k, num);

            if (!done)
                return;
            ASSERT_EQ(done, 1);
            for (size_t i = 0; i < num; i++) {
                Number multiplier, x;

                memcpy(multiplier.w, k[i], sizeof(multiplier.w));
                memcpy(x.w, xs[i], sizeof(x.w));
                const Bytes point = public_of(multiplier.bytes());
                ASSERT_EQ(x.bytes(), Bytes(point.begin() + 1, point.begin() + 1 + BYTES)) << i << ", " << turn;
            }
        }
}

// Memory for a table: what is too short is refused, and no more than that is written, or read later, wherever it lies.
TEST_P(Ecdsa, Prepare)
{
    const KeyPair pair(impl.name, 31337);
    const Bytes digest(32, 5), sig = sign(&pair.key, digest);
    ECDSA(public_key) key = pair.public_key, copy;
    const size_t len = ECDSA(prepare_len)(&key);

    if (len == 0) {
        EXPECT_EQ(ECDSA(prepare)(&key, nullptr, 0), LC_OK);
        EXPECT_EQ(ECDSA(prepare)(&key, &copy, 1), LC_OK);
        EXPECT_EQ(bytes_of(key), bytes_of(pair.public_key));
        return;
    }
    EXPECT_EQ(len, ECDSA(prepare_len)(prepared(key)));
    for (size_t too_short : { size_t(0), size_t(1), len - 1 }) {
        Bytes table(len, 0xa5);

        EXPECT_EQ(ECDSA(prepare)(&key, table.data(), too_short), LC_ERR_LEN);
        EXPECT_TRUE(all_bytes(table.data(), len, 0xa5));
        EXPECT_EQ(bytes_of(key), bytes_of(pair.public_key));
    }
    for (size_t shift : { 0, 1, 8, 63, 64 }) {
        Guarded memory(len + 64);

        for (uint8_t *table : { memory.begin() + shift, memory.at_end(len + shift) }) {
            Bytes other = digest;

            memory.writable();
            memset(memory.begin(), 0xa5, memory.size());
            key = pair.public_key;
            ASSERT_EQ(ECDSA(prepare)(&key, table, len), LC_OK);
            EXPECT_TRUE(all_bytes(memory.begin(), static_cast<size_t>(table - memory.begin()), 0xa5));
            EXPECT_TRUE(all_bytes(table + len, static_cast<size_t>(memory.end() - table) - len, 0xa5));
            memory.read_only();
            memcpy(&copy, &key, sizeof(key));
            memset(&key, 0, sizeof(key));
            for (uint8_t i = 0; i < 10; i++) {
                EXPECT_EQ(ECDSA(verify)(&copy, sig.data(), digest.data(), 32), LC_OK);
                other[31] = static_cast<uint8_t>(6 + i);
                EXPECT_EQ(ECDSA(verify)(&copy, sig.data(), other.data(), 32), LC_ERR_SIGNATURE);
            }
        }
    }
}

TEST_P(Ecdsa, UnknownImplementations)
{
    ECDSA(key) key;
    ECDSA(public_key) point;
    const Bytes raw(BYTES, 5), good = public_of(raw);

    for (const char *name : { "", ",", "ecdsa-" CURVE_NAME, "ecdsa-" CURVE_NAME "-portable,", "ecdh-" CURVE_NAME "-portable" }) {
        EXPECT_EQ(ECDSA(init_impl)(&key, name, raw.data(), raw.size()), LC_ERR_IMPL);
        EXPECT_EQ(ECDSA(public_init_impl)(&point, name, good.data(), good.size()), LC_ERR_IMPL);
    }
    EXPECT_STREQ(ECDSA(impl_name)(PrivateKey(impl.name, raw)), impl.name);
    point = public_key(impl.name, good);
    EXPECT_STREQ(ECDSA(public_impl_name)(&point), impl.name);
}

// Keys of different implementations in one call
TEST_P(Ecdsa, MixedImplementations)
{
    const KeyPair ours(impl.name, 99), portable("ecdsa-" CURVE_NAME "-portable", 98);
    std::vector<Bytes> sigs(20, Bytes(SIG_LEN));
    std::vector<ECDSA(sign_item)> items;
    std::vector<Signature> signatures;
    const Bytes digest(BYTES, 1);

    for (size_t i = 0; i < sigs.size(); i++)
        items.push_back({ i % 5 < 3 ? &ours.key : &portable.key, sigs[i].data(), digest.data(), digest.size(), nullptr, 0, 1 });
    EXPECT_EQ(ECDSA(sign_many_with)(items.data(), items.size()), LC_OK);
    for (size_t i = 0; i < sigs.size(); i++)
        signatures.push_back({ i % 5 < 3 ? ours.public_key : portable.public_key, digest, sigs[i], LC_OK });
    signatures[7].digest[0] = 2;
    signatures[7].expected = LC_ERR_SIGNATURE;
    verify_all(signatures);
}

// Exactly the bytes that are promised are read and written.
TEST_P(Ecdsa, GuardPages)
{
    const KeyPair pair(impl.name, 4321);
    Guarded sig(SIG_LEN), digest(64), extra(64), key(sizeof(ECDSA(key))), point(sizeof(ECDSA(public_key))), raw(POINT_LEN);
    Random random(6);

    memcpy(key.at_end(sizeof(pair.key)), &pair.key, sizeof(pair.key));
    memcpy(point.at_end(sizeof(pair.public_key)), &pair.public_key, sizeof(pair.public_key));
    key.read_only();
    point.read_only();
    for (bool at_end : { true, false })
        for (size_t len : { 1, 20, 32, 33, 64 }) {
            uint8_t *s = sig.place(at_end, SIG_LEN), *d = put(digest, at_end, random.bytes(len), true);
            const uint8_t *e = put(extra, at_end, random.bytes(len), true);
            const auto *k = reinterpret_cast<const ECDSA(key) *>(key.at_end(sizeof(pair.key)));
            const auto *q = reinterpret_cast<const ECDSA(public_key) *>(point.at_end(sizeof(pair.public_key)));

            ASSERT_EQ(ECDSA(sign_with)(k, s, d, len, e, len), LC_OK);
            ASSERT_EQ(ECDSA(verify)(q, s, d, len), LC_OK);
            ASSERT_EQ(ECDSA(sign)(k, s, d, len), LC_OK);
            ASSERT_EQ(ECDSA(verify)(q, s, d, len), LC_OK);
            ECDSA(get_public)(k, raw.place(at_end, POINT_LEN));
            EXPECT_TRUE(same(pair.public_raw.data(), raw.place(at_end, POINT_LEN), POINT_LEN));
        }
}

// A signature may be written where the digest was.
TEST_P(Ecdsa, InPlace)
{
    const KeyPair key(impl.name, 77);
    Bytes buffer(SIG_LEN, 9);
    const Bytes digest(buffer.begin(), buffer.begin() + 64), expected = sign(&key.key, digest);

    ASSERT_EQ(ECDSA(sign_with)(&key.key, buffer.data(), buffer.data(), 64, nullptr, 0), LC_OK);
    EXPECT_EQ(buffer, expected);
}

TEST_P(Ecdsa, Wipe)
{
    KeyPair key(impl.name, 77);

    ECDSA(wipe)(&key.key);
    EXPECT_TRUE(all_bytes(&key.key, sizeof(key.key), 0));
}

// ---- DER: no implementation has a part in it ----

TEST(EcdsaDer, ThereAndBack)
{
    Random random(8);

    for (int i = 0; i < 2000; i++) {
        Bytes sig = random.bytes(SIG_LEN), der(MAX_DER_LEN), back(SIG_LEN);

        for (size_t number = 0; number < SIG_LEN; number += BYTES) // leading zeros
            std::fill_n(sig.begin() + static_cast<ptrdiff_t>(number), random.below(2) ? random.below(BYTES + 1) : 0, 0);
        der.resize(ECDSA(to_der)(der.data(), sig.data()));
        EXPECT_GE(der.size(), 8u);
        ASSERT_EQ(ECDSA(from_der)(back.data(), der.data(), der.size()), LC_OK);
        EXPECT_EQ(back, sig);
        back = der;
        back.resize(MAX_DER_LEN);
        ASSERT_EQ(ECDSA(from_der)(back.data(), back.data(), der.size()), LC_OK);
        back.resize(SIG_LEN);
        EXPECT_EQ(back, sig) << "where the DER was";
        // Every prefix is refused, and so is one byte more.
        for (size_t len = 0; i < 20 && len <= der.size() + 1; len++) {
            Guarded memory(128);
            Bytes part = der;

            part.resize(len, 0);
            memcpy(memory.at_end(len), part.data(), len);
            EXPECT_EQ(ECDSA(from_der)(back.data(), memory.at_end(len), len), len == der.size() ? LC_OK : LC_ERR_SIGNATURE);
        }
    }
}

TEST(EcdsaDer, OnlyDer)
{
    static const char *const refused[] = {
        "",
        "3006020101020101"
        "00", // something after it
        "300602010102010100",
        "3007020101020101", // longer than it is
        "3005020101020101",
        "308106020101020101", // a long length
        "30800201010201010000", // an indefinite one
        "31060201010201"
        "01", // no SEQUENCE
        "3006030101020101", // no INTEGER
        "3006020101030101",
        "300702020001020101", // a zero too many
        "300702010102020001",
        "3006020181020101", // negative
        "30060201010201ff",
        "30050200020101", // no bytes
        "3005020101"
        "0200",
        "30070281010102"
        "0101",
        "3003020101", // one number
        "3009020101020101020101", // three
        "3006020101020201", // beyond its end
    };
    const Bytes before(SIG_LEN, 0xa5);
    auto refuse = [&](const Bytes &der) {
        Bytes sig = before;

        EXPECT_EQ(ECDSA(from_der)(sig.data(), der.data(), der.size()), LC_ERR_SIGNATURE) << to_hex(der.data(), der.size());
        EXPECT_EQ(sig, before);
    };
    for (const char *hex : refused)
        refuse(from_hex(hex));
    // 2^BITS, and a number of a byte more, as r
    for (size_t more : { 1, 2 }) {
        Bytes number(BYTES + more, 0), last = from_hex("020101");

        number[0] = 1;
        number.insert(number.begin(), static_cast<uint8_t>(number.size()));
        number.insert(number.begin(), 2);
        number.insert(number.end(), last.begin(), last.end());
        number.insert(number.begin(), static_cast<uint8_t>(number.size()));
        number.insert(number.begin(), 0x30);
        refuse(number);
    }
    const Bytes der = from_hex("3006020100020101");
    Bytes sig(SIG_LEN, 1), expected(SIG_LEN, 0);
    expected[SIG_LEN - 1] = 1;
    EXPECT_EQ(ECDSA(from_der)(sig.data(), der.data(), der.size()), LC_OK);
    EXPECT_EQ(sig, expected);
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// RSA: one and many in a call, lanes beside others, faults, errors.
#include <memory>

#include "rsa_support.h"

namespace {

// Signatures by the portable implementation
const KeyPair &reference(size_t number)
{
    static std::vector<std::unique_ptr<KeyPair>> pairs;

    while (pairs.size() <= number)
        pairs.emplace_back(new KeyPair("rsa-portable", pairs.size()));
    return *pairs[number];
}

/* clang-format off */
// By the first key, of what has no 1 before the salt: the block is zeros, and the hash after it begins with 1.
const char *const no_one_hex =
    "2e7a5526318d56e4df4869b5919df1038018bd833e73c1ef7d3e6a1fd02d79e25520193e380d5583bfc34bee1a3db622c60bd6d22cb849eec837aee1"
    "5fa21b51599e911a8ad94aee656d64db68b2fb913b0df1ddee193eb2807ca7923e96e732bfb06714f2e4648007ac929012e8d8c468d0bf8d8d645474"
    "1251c61a25fa15fbb3a83f293e277f2fcfed1b503afc8e05fd88c1f4805b9d8fcae9f938a30b09b250d6d88747bb783dd8add1c7b4ab80686f8b9ca6"
    "7f162fceb9bb97abe581ecbd1a5c952282e45e7485adb4cda93c60b795d3e1b760bad637d4d32bd7aaac78c8f3afc5e91eff5507d07f2cae967519fa"
    "b544e20dc7a497ca8a9a07dfa930736b";
/* clang-format on */

} // namespace

// Many of all lengths, hash functions and keys; some that are refused.  PSS has given salts.
TEST_P(Rsa, Batches)
{
    Random random(1);
    std::vector<std::unique_ptr<KeyPair>> pairs;

    for (size_t i = 0; i < RSA_NUM_KEYS; i++)
        pairs.emplace_back(new KeyPair(impl.name, i));
    for (size_t num : { 0, 1, 2, 3, 5, 9, 17, 26 }) {
        const Scheme scheme = num % 2 ? PSS : PKCS1;
        std::vector<Bytes> sigs, digests, salts;
        std::vector<size_t> numbers;
        std::vector<lc_rsa_sign_item> items;
        std::vector<Signature> signatures;
        int first = LC_OK;

        for (size_t i = 0; i < num; i++) {
            const size_t number = num > 20 ? random.below(2) : random.below(RSA_NUM_KEYS); // more than a chunk of one length
            const lc_rsa_hash hash = hashes[random.below(3)];

            numbers.push_back(number);
            sigs.emplace_back(lc_rsa_len(&pairs[number]->key), 0xa5);
            digests.push_back(random.bytes(digest_len(hash)));
            salts.push_back(random.bytes(random.below(3) * digest_len(hash)));
            items.push_back({ nullptr, nullptr, random.below(7) ? hash : no_hash, nullptr, nullptr, 0, 1 });
        }
        for (size_t i = 0; i < num; i++) {
            items[i].key = &pairs[numbers[i]]->key;
            items[i].sig = sigs[i].data();
            items[i].digest = digests[i].data();
            items[i].salt = salts[i].data();
            items[i].salt_len = salts[i].size();
            if (first == LC_OK && items[i].hash == no_hash)
                first = LC_ERR_LEN;
        }
        EXPECT_EQ((scheme == PSS ? lc_rsa_pss_sign_many_with : lc_rsa_pkcs1_sign_many)(items.data(), num), first);
        for (size_t i = 0; i < num; i++) {
            SCOPED_TRACE(std::to_string(i) + " of " + std::to_string(num));
            if (items[i].hash == no_hash) {
                EXPECT_EQ(items[i].status, LC_ERR_LEN);
                EXPECT_TRUE(all_bytes(sigs[i].data(), sigs[i].size(), 0xa5));
                continue;
            }
            EXPECT_EQ(items[i].status, LC_OK);
            EXPECT_EQ(sign(&reference(numbers[i]).key, scheme, items[i].hash, digests[i], salts[i]), sigs[i]);
            Signature s = { &pairs[numbers[i]]->public_key, sigs[i], items[i].hash, digests[i], salts[i].size(), LC_OK };
            switch (random.below(6)) {
            case 0: flip(&s.sig, random.below(8 * s.sig.size() - 1) + 1); break;
            case 1: flip(&s.digest, random.below(8 * s.digest.size())); break;
            case 2: s.sig.pop_back(); break;
            case 3: s.sig.insert(s.sig.begin(), 0); break;
            default: signatures.push_back(s); continue;
            }
            s.expected = LC_ERR_SIGNATURE;
            signatures.push_back(s);
        }
        verify_all(signatures, scheme);
    }
}

// In every lane, beside keys that have faults: these give no signature.
TEST_P(Rsa, EveryLane)
{
    Random random(2);

    for (size_t number : { 0, 2, 4 }) {
        const KeyPair good(impl.name, number), other(impl.name, number + 1);
        const Bytes digest = random.bytes(32), expected = sign(&reference(number).key, PKCS1, LC_RSA_SHA256, digest);
        lc_rsa_key damaged[NUM_FAULTS];

        for (int how = 0; how < NUM_FAULTS; how++) {
            damaged[how] = good.key;
            damage(&damaged[how], how);
        }
        for (size_t lane = 0; lane < LANES; lane += in_lanes() || number == 0 ? 1 : 5) {
            std::vector<Bytes> sigs(LANES, Bytes(lc_rsa_len(&good.key), 0xa5));
            std::vector<lc_rsa_sign_item> items;
            std::vector<Signature> signatures;

            for (size_t i = 0; i < LANES; i++)
                items.push_back({ i == lane             ? &good.key
                                  : i == (lane + 3) % 8 ? &other.key
                                                        : &damaged[(i + lane) % NUM_FAULTS],
                                  sigs[i].data(), LC_RSA_SHA256, digest.data(), nullptr, 0, 1 });
            EXPECT_EQ(lc_rsa_pkcs1_sign_many(items.data(), LANES), LC_ERR_FAULT);
            for (size_t i = 0; i < LANES; i++) {
                const bool right = i == lane || i == (lane + 3) % 8;

                EXPECT_EQ(items[i].status, right ? LC_OK : LC_ERR_FAULT) << i;
                EXPECT_NE(all_bytes(sigs[i].data(), sigs[i].size(), 0xa5), right) << i;
                signatures.push_back({ i == (lane + 3) % 8 ? &other.public_key : &good.public_key, sigs[i], LC_RSA_SHA256, digest,
                                       0, right ? LC_OK : LC_ERR_SIGNATURE });
            }
            EXPECT_EQ(sigs[lane], expected) << lane;
            verify_all(signatures, PKCS1);
        }
    }
}

// Each fault alone, of each length of keys
TEST_P(Rsa, Faults)
{
    const Bytes digest(48, 7);

    for (size_t number = 0; number < RSA_NUM_KEYS; number += in_lanes() ? 1 : 2)
        for (int how = 0; how < NUM_FAULTS; how++) {
            KeyPair pair(impl.name, number);
            Bytes sig(lc_rsa_len(&pair.key), 0xa5);

            damage(&pair.key, how);
            EXPECT_EQ(lc_rsa_pkcs1_sign(&pair.key, sig.data(), LC_RSA_SHA384, digest.data()), LC_ERR_FAULT) << how;
            EXPECT_EQ(lc_rsa_pss_sign(&pair.key, sig.data(), LC_RSA_SHA384, digest.data()), LC_ERR_FAULT) << how;
            EXPECT_TRUE(all_bytes(sig.data(), sig.size(), 0xa5));
        }
}

// Verifying in every lane, beside other keys with other e and what is wrong; 0, 1, n - 1 and n are no signatures.
TEST_P(Rsa, VerifyEveryLane)
{
    Random random(4);

    for (size_t number : { 0, 2, 4 })
        for (Scheme scheme : { PKCS1, PSS }) {
            const KeyPair good(impl.name, number), other(impl.name, number + 1);
            const size_t len = lc_rsa_len(&good.key);
            const Bytes digest = random.bytes(32);
            const Signature right = { &good.public_key,
                                      sign(&reference(number).key, scheme, LC_RSA_SHA256, digest, Bytes(20, 1)),
                                      LC_RSA_SHA256,
                                      digest,
                                      20,
                                      LC_OK };
            const Signature others = { &other.public_key,
                                       sign(&reference(number + 1).key, scheme, LC_RSA_SHA256, digest, Bytes(20, 1)),
                                       LC_RSA_SHA256,
                                       digest,
                                       20,
                                       LC_OK };
            Bytes n(len), zero(len), one(len), sum(len);
            std::vector<Signature> bad(8, right);

            for (size_t i = 0; i < len; i++)
                n[len - 1 - i] = static_cast<uint8_t>(good.public_key.n[i / 8] >> (i % 8 * 8));
            one[len - 1] = 1;
            bad[0].sig = zero;
            bad[1].sig = one;
            bad[2].sig = n;
            bad[3].sig = n;
            bad[3].sig[len - 1]--;
            bad[4].sig = Bytes(len, 0xff);
            bad[5].key = &other.public_key;
            bad[6].sig.clear();
            bad[7].hash = no_hash;
            for (size_t i = 0; i < 8; i++)
                bad[i].expected = i == 7 ? LC_ERR_LEN : LC_ERR_SIGNATURE;
            for (size_t lane = 0; lane < LANES; lane++) {
                std::vector<Signature> all = bad;

                all.insert(all.begin() + static_cast<ptrdiff_t>(lane), right);
                all.insert(all.begin() + 4, others);
                verify_all(all, scheme);
            }
            verify_all(std::vector<Signature>(9, right), scheme);
        }
}

TEST_P(Rsa, Salts)
{
    const KeyPair pair(impl.name, 0);
    const Bytes digest(64, 3);
    Bytes sig(256, 0xa5), other(256);
    const size_t most = 256 - 64 - 2;

    for (size_t salt_len : { size_t{ 0 }, size_t{ 1 }, most - 1, most }) {
        sig = sign(&pair.key, PSS, LC_RSA_SHA512, digest, Bytes(salt_len, 1));
        for (size_t other_len : { size_t{ 0 }, size_t{ 1 }, most - 1, most, most + 1 })
            EXPECT_EQ(verify(&pair.public_key, PSS, sig, LC_RSA_SHA512, digest, other_len),
                      other_len == salt_len ? LC_OK : LC_ERR_SIGNATURE);
        EXPECT_EQ(verify(&pair.public_key, PSS, sig, LC_RSA_SHA512, digest, LC_RSA_ANY_SALT_LEN), LC_OK);
    }
    sig.assign(256, 0xa5);
    for (size_t salt_len : { most + 1, size_t{ 300 }, SIZE_MAX })
        EXPECT_EQ(lc_rsa_pss_sign_with(&pair.key, sig.data(), LC_RSA_SHA512, digest.data(), digest.data(), salt_len), LC_ERR_LEN);
    EXPECT_TRUE(all_bytes(sig.data(), sig.size(), 0xa5));
    // From the system: as long as the digest, and another one each time
    must(lc_rsa_pss_sign(&pair.key, sig.data(), LC_RSA_SHA512, digest.data()), "lc_rsa_pss_sign");
    must(lc_rsa_pss_sign(&pair.key, other.data(), LC_RSA_SHA512, digest.data()), "lc_rsa_pss_sign");
    EXPECT_EQ(verify(&pair.public_key, PSS, sig, LC_RSA_SHA512, digest, 64), LC_OK);
    EXPECT_EQ(verify(&pair.public_key, PSS, other, LC_RSA_SHA512, digest, 64), LC_OK);
    EXPECT_NE(sig, other);
}

// Where the salt begins isn't looked for beyond the block.
TEST_P(Rsa, NoOne)
{
    const KeyPair pair(impl.name, 0);

    for (size_t salt_len : { size_t{ 0 }, LC_RSA_ANY_SALT_LEN })
        EXPECT_EQ(verify(&pair.public_key, PSS, from_hex(no_one_hex), LC_RSA_SHA256, Bytes(32), salt_len), LC_ERR_SIGNATURE);
}

// What only one function takes isn't looked at by the others; each scheme refuses the other's signatures.
TEST_P(Rsa, Schemes)
{
    const KeyPair pair(impl.name, 1);
    const Bytes digest(32, 9);
    Bytes sig(256), pss(256);
    lc_rsa_sign_item item = { &pair.key, sig.data(), LC_RSA_SHA256, digest.data(), nullptr, SIZE_MAX, 1 };

    EXPECT_EQ(lc_rsa_pkcs1_sign_many(&item, 1), LC_OK);
    item.sig = pss.data();
    EXPECT_EQ(lc_rsa_pss_sign_many(&item, 1), LC_OK);
    EXPECT_EQ(lc_rsa_pss_sign_many_with(&item, 1), LC_ERR_LEN);
    EXPECT_EQ(verify(&pair.public_key, PKCS1, sig, LC_RSA_SHA256, digest, SIZE_MAX - 1), LC_OK);
    EXPECT_EQ(verify(&pair.public_key, PSS, pss, LC_RSA_SHA256, digest, 32), LC_OK);
    EXPECT_EQ(verify(&pair.public_key, PKCS1, pss, LC_RSA_SHA256, digest, 0), LC_ERR_SIGNATURE);
    EXPECT_EQ(verify(&pair.public_key, PSS, sig, LC_RSA_SHA256, digest, LC_RSA_ANY_SALT_LEN), LC_ERR_SIGNATURE);
    EXPECT_EQ(lc_rsa_pkcs1_sign(&pair.key, sig.data(), no_hash, digest.data()), LC_ERR_LEN);
    EXPECT_EQ(lc_rsa_pkcs1_sign_many(nullptr, 0), LC_OK);
    EXPECT_EQ(lc_rsa_pss_sign_many(nullptr, 0), LC_OK);
    EXPECT_EQ(lc_rsa_pss_sign_many_with(nullptr, 0), LC_OK);
    EXPECT_EQ(lc_rsa_pkcs1_verify_many(nullptr, 0), LC_OK);
    EXPECT_EQ(lc_rsa_pss_verify_many(nullptr, 0), LC_OK);
}

// A key that was wiped, or whose init failed, neither signs nor verifies anything; keys beside it do.
TEST_P(Rsa, NoKey)
{
    const KeyPair good(impl.name, 0);
    static const lc_rsa_key zeros = {};
    const Bytes digest(32, 4), right = sign(&good.key, PKCS1, LC_RSA_SHA256, digest);
    lc_rsa_public_key public_zeros;
    Bytes sig(256, 0xa5), other(256);

    lc_rsa_get_public(&zeros, &public_zeros);
    for (Scheme scheme : { PKCS1, PSS }) {
        std::vector<lc_rsa_sign_item> items;

        EXPECT_EQ(verify(&public_zeros, scheme, right, LC_RSA_SHA256, digest, 32), LC_ERR_KEY);
        EXPECT_EQ(verify(&public_zeros, scheme, {}, LC_RSA_SHA256, digest, 32), LC_ERR_KEY);
        EXPECT_EQ((scheme == PSS ? lc_rsa_pss_sign : lc_rsa_pkcs1_sign)(&zeros, sig.data(), LC_RSA_SHA256, digest.data()),
                  LC_ERR_KEY);
        items.push_back({ &good.key, other.data(), LC_RSA_SHA256, digest.data(), nullptr, 0, 1 });
        items.push_back({ &zeros, sig.data(), LC_RSA_SHA256, digest.data(), nullptr, 0, LC_OK });
        EXPECT_EQ((scheme == PSS ? lc_rsa_pss_sign_many : lc_rsa_pkcs1_sign_many)(items.data(), 2), LC_ERR_KEY);
        EXPECT_EQ(items[0].status, LC_OK);
        EXPECT_EQ(items[1].status, LC_ERR_KEY);
        EXPECT_TRUE(all_bytes(sig.data(), sig.size(), 0xa5));
        verify_all({ { &good.public_key, other, LC_RSA_SHA256, digest, 32, LC_OK },
                     { &public_zeros, other, LC_RSA_SHA256, digest, 32, LC_ERR_KEY } },
                   scheme);
    }
    EXPECT_EQ(lc_rsa_pss_sign_with(&zeros, sig.data(), LC_RSA_SHA256, digest.data(), nullptr, 0), LC_ERR_KEY);
}

// Keys of several implementations in one call
TEST_P(Rsa, MixedImplementations)
{
    const KeyPair ours(impl.name, 0), portable("rsa-portable", 0);
    const Bytes digest(32, 5), expected = sign(&reference(0).key, PKCS1, LC_RSA_SHA256, digest);
    std::vector<Bytes> sigs(5, Bytes(256));
    std::vector<lc_rsa_sign_item> items;
    std::vector<Signature> signatures;

    for (size_t i = 0; i < sigs.size(); i++)
        items.push_back({ i % 2 ? &ours.key : &portable.key, sigs[i].data(), LC_RSA_SHA256, digest.data(), nullptr, 0, 1 });
    EXPECT_EQ(lc_rsa_pkcs1_sign_many(items.data(), items.size()), LC_OK);
    for (size_t i = 0; i < sigs.size(); i++) {
        EXPECT_EQ(sigs[i], expected);
        signatures.push_back({ i % 3 ? &ours.public_key : &portable.public_key, sigs[i], LC_RSA_SHA256, digest, 0, LC_OK });
    }
    verify_all(signatures, PKCS1);
}

TEST_P(Rsa, CopiedKey)
{
    std::unique_ptr<KeyPair> pair(new KeyPair(impl.name, 0));
    const Bytes digest(32, 6), expected = sign(&pair->key, PKCS1, LC_RSA_SHA256, digest);
    std::unique_ptr<lc_rsa_key> copy(new lc_rsa_key(pair->key));

    pair.reset();
    EXPECT_EQ(sign(copy.get(), PKCS1, LC_RSA_SHA256, digest), expected);
    EXPECT_STREQ(lc_rsa_impl_name(copy.get()), impl.name);
    lc_rsa_wipe(copy.get());
    EXPECT_TRUE(all_bytes(copy.get(), sizeof(*copy), 0));
}

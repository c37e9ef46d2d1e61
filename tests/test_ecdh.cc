// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ECDH on P-256, with every implementation: published secrets in every lane, libcrypto, batches, errors.
#include "p256_support.h"

const char *const mode_under_test = "ecdh-p256";

int init_mode_under_test(const char *impl, std::string *name)
{
    lc_ecdh_p256_key key;
    const Bytes raw(32, 7);
    int status = lc_ecdh_p256_init_impl(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = lc_ecdh_p256_impl_name(&key);
    return status;
}

namespace {

using Key = ModeKey<lc_ecdh_p256_key, lc_ecdh_p256_init_impl, lc_ecdh_p256_wipe>;

class EcdhP256 : public EachRow {};

struct Exchange {
    Bytes raw, peer, secret; /* secret: empty if the peer isn't one */
};

// All in one call
void check_all(const std::string &impl, const std::vector<Exchange> &exchanges)
{
    std::vector<lc_ecdh_p256_key> keys(exchanges.size());
    std::vector<Bytes> secrets(exchanges.size(), Bytes(32, 0xa5));
    std::vector<lc_ecdh_p256_item> items;
    bool all_right = true;

    for (size_t i = 0; i < exchanges.size(); i++) {
        const Exchange &e = exchanges[i];

        must(lc_ecdh_p256_init_impl(&keys[i], impl.c_str(), e.raw.data(), e.raw.size()), "init_impl");
        items.push_back({ &keys[i], secrets[i].data(), e.peer.data(), e.peer.size(), 1 });
        all_right = all_right && !e.secret.empty();
    }
    EXPECT_EQ(lc_ecdh_p256_many(items.data(), items.size()) == LC_OK, all_right);
    for (size_t i = 0; i < exchanges.size(); i++) {
        SCOPED_TRACE(std::to_string(i) + " of " + std::to_string(exchanges.size()));
        EXPECT_EQ(items[i].status == LC_OK, !exchanges[i].secret.empty());
        EXPECT_TRUE(same(exchanges[i].secret.empty() ? Bytes(32, 0xa5) : exchanges[i].secret, secrets[i]));
    }
}

Bytes multiple(const Number &k)
{
    const Bytes point = public_of(k.bytes());

    return Bytes(point.begin() + 1, point.begin() + 33);
}

} // namespace

TEST_P(EcdhP256, Wycheproof)
{
    std::ifstream in = open_vectors("wycheproof/ecdh_secp256r1_ecpoint.rsp");
    std::map<std::string, std::string> record;
    const bool in_lanes = std::string(impl.name).find("portable") == std::string::npos;
    std::vector<Exchange> all;
    // The neighbours: no points, and exchanges in which equal points are added on the way
    const Bytes g = public_of(Number(1).bytes());
    Bytes no_point = g;
    no_point[64] ^= 1;
    std::vector<Exchange> bad;
    for (uint64_t i = 0; i < LANES - 1; i++) {
        const Number k = subtract(0, 32 + i, WB_N);

        bad.push_back({ k.bytes(), i % 3 ? g : no_point, i % 3 ? multiple(k) : Bytes() });
    }

    while (next_record(in, &record)) {
        const Exchange e = { from_hex(record["Private"]), from_hex(record["Public"]),
                             record["Result"] == "valid" ? from_hex(record["Shared"]) : Bytes() };
        const Key key(impl.name, e.raw);
        Bytes secret(32, 0xa5);

        SCOPED_TRACE(record["Count"]);
        EXPECT_EQ(lc_ecdh_p256(key, secret.data(), e.peer.data(), e.peer.size()) == LC_OK, !e.secret.empty());
        EXPECT_EQ(secret, e.secret.empty() ? Bytes(32, 0xa5) : e.secret);
        all.push_back(e);
        for (size_t lane = 0; in_lanes && lane < LANES; lane++) {
            std::vector<Exchange> batch = bad;

            batch.insert(batch.begin() + static_cast<ptrdiff_t>(lane), e);
            check_all(impl.name, batch);
        }
    }
    EXPECT_EQ(all.size(), 355u);
    check_all(impl.name, all);
}

// Private keys for which windows' sums are small, or end near n, where the last addition may be one of equal points
TEST_P(EcdhP256, SmallAndLargeKeys)
{
    const Number d(0x123456789abcdef);
    const Bytes peer = public_of(d.bytes());
    std::vector<Exchange> all;

    for (uint64_t i = 1; i < 70; i++)
        for (const Number &k : { Number(i), subtract(0, i, WB_N) })
            all.push_back({ k.bytes(), peer, multiple(multiply(k, d, WB_N)) });
    for (int bit = 3; bit < 256; bit += 7) {
        Number k;

        k.w[bit / 64] = UINT64_C(1) << bit % 64;
        all.push_back({ k.bytes(), peer, multiple(multiply(k, d, WB_N)) });
    }
    check_all(impl.name, all);
}

// 15 * 2^253 - n and n less it: the generator's last window adds a point to itself.
TEST_P(EcdhP256, EqualPointsInTheLastWindow)
{
    const uint8_t one[] = { 0xe0, 0,    0,    0,    0xff, 0xff, 0xff, 0xff, 0,    0,    0,    0,    0,    0,    0,    0,
                            0x43, 0x19, 0x05, 0x52, 0x58, 0xe8, 0x61, 0x7b, 0x0c, 0x46, 0x35, 0x3d, 0x03, 0x9c, 0xda, 0xaf };
    const uint8_t other[] = { 0x1f, 0xff, 0xff, 0xfe, 0,    0,    0,    1,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                              0x79, 0xcd, 0xf5, 0x5b, 0x4e, 0x2f, 0x3d, 0x09, 0xe7, 0x73, 0x95, 0x85, 0xf8, 0xc6, 0x4a, 0xa2 };

    for (const uint8_t *raw : { one, other }) {
        lc_ecdh_p256_key key, portable;
        uint8_t got[65], want[65];

        ASSERT_EQ(lc_ecdh_p256_init_impl(&key, impl.name, raw, 32), LC_OK);
        ASSERT_EQ(lc_ecdh_p256_init_impl(&portable, "ecdh-p256-portable", raw, 32), LC_OK);
        lc_ecdh_p256_get_public(&key, got);
        lc_ecdh_p256_get_public(&portable, want);
        EXPECT_EQ(Bytes(got, got + 65), Bytes(want, want + 65));
    }
}

// Batches of all sizes around a vector, and both public keys of each
TEST_P(EcdhP256, Batches)
{
    Random random(1);

    for (size_t num = 0; num <= 17; num++) {
        std::vector<Exchange> all;
        std::vector<lc_ecdh_p256_key> keys(num);
        std::vector<lc_ecdh_p256_public_item> items;
        std::vector<Bytes> publics(num, Bytes(65));

        for (size_t i = 0; i < num; i++) {
            const Number a = random_number(random, WB_N), b = random_number(random, WB_N);
            Bytes peer = public_of(b.bytes()), secret = multiple(multiply(a, b, WB_N));

            if (random.below(3) == 0) {
                peer[0] = 2 + (peer[64] & 1);
                peer.resize(33);
            }
            if (random.below(4) == 0) {
                peer[0] = 5;
                secret.clear();
            }
            all.push_back({ a.bytes(), peer, secret });
            must(lc_ecdh_p256_init_impl(&keys[i], impl.name, all[i].raw.data(), 32), "init_impl");
            items.push_back({ &keys[i], publics[i].data() });
        }
        check_all(impl.name, all);
        lc_ecdh_p256_get_public_many(items.data(), num);
        for (size_t i = 0; i < num; i++)
            EXPECT_TRUE(same(public_of(all[i].raw), publics[i]));
    }
}

#ifdef HAVE_LIBCRYPTO
TEST_P(EcdhP256, Libcrypto)
{
    Random random(2);
    std::vector<Exchange> all;

    for (size_t i = 0; i < 40; i++) {
        const Bytes raw = random_number(random, WB_N).bytes(), peer = Libcrypto::p256_public(random_number(random, WB_N).bytes());
        const Key key(impl.name, raw);
        Bytes ours(65);

        lc_ecdh_p256_get_public(key, ours.data());
        EXPECT_TRUE(same(Libcrypto::p256_public(raw), ours));
        all.push_back({ raw, peer, Libcrypto::p256_shared(raw, peer) });
    }
    check_all(impl.name, all);
}
#endif

TEST_P(EcdhP256, Errors)
{
    const Bytes raw(32, 9), good = public_of(raw);
    const Key key(impl.name, raw);
    lc_ecdh_p256_key other;
    Bytes secret(32, 0xa5);

    EXPECT_STREQ(lc_ecdh_p256_impl_name(key), impl.name);
    for (size_t len : { 0, 1, 32, 34, 64, 66 }) {
        Bytes peer = good;

        peer.resize(len);
        EXPECT_EQ(lc_ecdh_p256(key, secret.data(), peer.data(), len), LC_ERR_KEY_LEN);
    }
    for (size_t bit = 0; bit < 65 * 8; bit += 7) {
        Bytes peer = good;

        flip(&peer, bit);
        EXPECT_EQ(lc_ecdh_p256(key, secret.data(), peer.data(), 65), LC_ERR_KEY);
    }
    EXPECT_TRUE(all_bytes(secret.data(), 32, 0xa5));
    memset(&other, 0xa5, sizeof(other));
    for (const Bytes &bad : { Bytes(32, 0), Number::modulus(WB_N).bytes(), Bytes(32, 0xff) })
        EXPECT_EQ(lc_ecdh_p256_init_impl(&other, impl.name, bad.data(), 32), LC_ERR_KEY);
    EXPECT_EQ(lc_ecdh_p256_init_impl(&other, impl.name, raw.data(), 31), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_ecdh_p256_init_impl(&other, "ecdsa-p256-portable", raw.data(), 32), LC_ERR_IMPL);
    EXPECT_TRUE(all_bytes(&other, sizeof(other), 0xa5));
}

TEST_P(EcdhP256, GuardPages)
{
    const Bytes raw(32, 9);
    Guarded secret(32), peer(65), key(sizeof(lc_ecdh_p256_key));
    auto *k = reinterpret_cast<lc_ecdh_p256_key *>(key.at_end(sizeof(lc_ecdh_p256_key)));

    must(lc_ecdh_p256_init_impl(k, impl.name, raw.data(), 32), "init_impl");
    key.read_only();
    for (bool at_end : { true, false })
        for (size_t len : { 33, 65 }) {
            Bytes bytes = public_of(Bytes(32, 8));

            if (len == 33)
                bytes[0] = 2;
            bytes.resize(len);
            ASSERT_EQ(lc_ecdh_p256(k, secret.place(at_end, 32), put(peer, at_end, bytes, true), len), LC_OK);
        }
}

TEST_P(EcdhP256, Wipe)
{
    lc_ecdh_p256_key key;
    const Bytes raw(32, 9);

    must(lc_ecdh_p256_init_impl(&key, impl.name, raw.data(), 32), "init_impl");
    lc_ecdh_p256_wipe(&key);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
}

FOR_EACH_ROW(EcdhP256);

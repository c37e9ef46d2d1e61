// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ECDH with every implementation: published secrets in every lane, libcrypto, batches, errors.
#include "curve_support.h"

const char *const mode_under_test = "ecdh-" CURVE_NAME;

int init_mode_under_test(const char *impl, std::string *name)
{
    ECDH(key) key;
    const Bytes raw(BYTES, 7);
    int status = ECDH(init_impl)(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = ECDH(impl_name)(&key);
    return status;
}

namespace {

using Key = ModeKey<ECDH(key), ECDH(init_impl), ECDH(wipe)>;

class Ecdh : public EachRow {};

struct Exchange {
    Bytes raw, peer, secret; /* secret: empty if the peer isn't one */
};

// All in one call
void check_all(const std::string &impl, const std::vector<Exchange> &exchanges)
{
    std::vector<ECDH(key)> keys(exchanges.size());
    std::vector<Bytes> secrets(exchanges.size(), Bytes(BYTES, 0xa5));
    std::vector<ECDH(item)> items;
    bool all_right = true;

    for (size_t i = 0; i < exchanges.size(); i++) {
        const Exchange &e = exchanges[i];

        must(ECDH(init_impl)(&keys[i], impl.c_str(), e.raw.data(), e.raw.size()), "init_impl");
        items.push_back({ &keys[i], secrets[i].data(), e.peer.data(), e.peer.size(), 1 });
        all_right = all_right && !e.secret.empty();
    }
    EXPECT_EQ(ECDH(many)(items.data(), items.size()) == LC_OK, all_right);
    for (size_t i = 0; i < exchanges.size(); i++) {
        SCOPED_TRACE(std::to_string(i) + " of " + std::to_string(exchanges.size()));
        EXPECT_EQ(items[i].status == LC_OK, !exchanges[i].secret.empty());
        EXPECT_TRUE(same(exchanges[i].secret.empty() ? Bytes(BYTES, 0xa5) : exchanges[i].secret, secrets[i]));
    }
}

Bytes multiple(const Number &k)
{
    const Bytes point = public_of(k.bytes());

    return Bytes(point.begin() + 1, point.begin() + SHORT_LEN);
}

} // namespace

TEST_P(Ecdh, Wycheproof)
{
    std::ifstream in = open_vectors(std::string("wycheproof/ecdh_secp") + (BITS == 256 ? "256" : "384") + "r1_ecpoint.rsp");
    std::map<std::string, std::string> record;
    const bool in_lanes = std::string(impl.name).find("ifma") != std::string::npos;
    std::vector<Exchange> all;
    // The neighbours: no points, and exchanges in which equal points are added on the way
    const Bytes g = public_of(Number(1).bytes());
    Bytes no_point = g;
    no_point[POINT_LEN - 1] ^= 1;
    std::vector<Exchange> bad;
    for (uint64_t i = 0; i < LANES - 1; i++) {
        const Number k = subtract(0, 32 + i, WB_N);

        bad.push_back({ k.bytes(), i % 3 ? g : no_point, i % 3 ? multiple(k) : Bytes() });
    }

    while (next_record(in, &record)) {
        const Exchange e = { from_hex(record["Private"]), from_hex(record["Public"]),
                             record["Result"] == "valid" ? from_hex(record["Shared"]) : Bytes() };
        const Key key(impl.name, e.raw);
        Bytes secret(BYTES, 0xa5);

        SCOPED_TRACE(record["Count"]);
        EXPECT_EQ(ECDH_SHARED(key, secret.data(), e.peer.data(), e.peer.size()) == LC_OK, !e.secret.empty());
        EXPECT_EQ(secret, e.secret.empty() ? Bytes(BYTES, 0xa5) : e.secret);
        all.push_back(e);
        for (size_t lane = 0; in_lanes && lane < LANES; lane++) {
            std::vector<Exchange> batch = bad;

            batch.insert(batch.begin() + static_cast<ptrdiff_t>(lane), e);
            check_all(impl.name, batch);
        }
    }
    EXPECT_EQ(all.size(), BITS == 256 ? 355u : 790u);
    check_all(impl.name, all);
}

// Private keys for which windows' sums are small, or end near n, where the last addition may be one of equal points
TEST_P(Ecdh, SmallAndLargeKeys)
{
    const Number d(0x123456789abcdef);
    const Bytes peer = public_of(d.bytes());
    std::vector<Exchange> all;

    for (uint64_t i = 1; i < 70; i++)
        for (const Number &k : { Number(i), subtract(0, i, WB_N) })
            all.push_back({ k.bytes(), peer, multiple(multiply(k, d, WB_N)) });
    for (int bit = 3; bit < BITS; bit += 7) {
        Number k;

        k.w[bit / 64] = UINT64_C(1) << bit % 64;
        all.push_back({ k.bytes(), peer, multiple(multiply(k, d, WB_N)) });
    }
    check_all(impl.name, all);
}

// 15 * 2^253 - n or 63 * 2^379 - n, and n less it: the generator's last window adds a point to itself.
TEST_P(Ecdh, EqualPointsInTheLastWindow)
{
    Number power;
    const int bit = BITS == 256 ? 253 : 379;

    power.w[bit / 64] = UINT64_C(1) << bit % 64;
    const Number one = multiply(BITS == 256 ? 15 : 63, power, WB_N), other = subtract(0, one, WB_N);
    for (const Bytes &raw : { one.bytes(), other.bytes() }) {
        const Key key(impl.name, raw);
        std::vector<Bytes> got(LANES, Bytes(POINT_LEN)); /* few of them might be computed one by one */
        std::vector<ECDH(public_item)> items;

        for (Bytes &one_got : got)
            items.push_back({ key, one_got.data() });
        ECDH(get_public_many)(items.data(), items.size());
        for (const Bytes &one_got : got)
            EXPECT_TRUE(same(public_of(raw), one_got));
    }
}

// Batches of all sizes around a vector, and both public keys of each
TEST_P(Ecdh, Batches)
{
    Random random(1);

    for (size_t num = 0; num <= 17; num++) {
        std::vector<Exchange> all;
        std::vector<ECDH(key)> keys(num);
        std::vector<ECDH(public_item)> items;
        std::vector<Bytes> publics(num, Bytes(POINT_LEN));

        for (size_t i = 0; i < num; i++) {
            const Number a = random_number(random, WB_N), b = random_number(random, WB_N);
            Bytes peer = public_of(b.bytes()), secret = multiple(multiply(a, b, WB_N));

            if (random.below(3) == 0) {
                peer[0] = 2 + (peer[POINT_LEN - 1] & 1);
                peer.resize(SHORT_LEN);
            }
            if (random.below(4) == 0) {
                peer[0] = 5;
                secret.clear();
            }
            all.push_back({ a.bytes(), peer, secret });
            must(ECDH(init_impl)(&keys[i], impl.name, all[i].raw.data(), BYTES), "init_impl");
            items.push_back({ &keys[i], publics[i].data() });
        }
        check_all(impl.name, all);
        ECDH(get_public_many)(items.data(), num);
        for (size_t i = 0; i < num; i++)
            EXPECT_TRUE(same(public_of(all[i].raw), publics[i]));
    }
}

#ifdef HAVE_LIBCRYPTO
TEST_P(Ecdh, Libcrypto)
{
    Random random(2);
    std::vector<Exchange> all;

    for (size_t i = 0; i < 40; i++) {
        const Bytes raw = random_number(random, WB_N).bytes(),
                    peer = Libcrypto::ec_public(CURVE_NID, random_number(random, WB_N).bytes());
        const Key key(impl.name, raw);
        Bytes ours(POINT_LEN);

        ECDH(get_public)(key, ours.data());
        EXPECT_TRUE(same(Libcrypto::ec_public(CURVE_NID, raw), ours));
        all.push_back({ raw, peer, Libcrypto::ec_shared(CURVE_NID, raw, peer) });
    }
    check_all(impl.name, all);
}
#endif

TEST_P(Ecdh, Errors)
{
    const Bytes raw(BYTES, 9), good = public_of(raw);
    const Key key(impl.name, raw);
    ECDH(key) other;
    Bytes secret(BYTES, 0xa5);

    EXPECT_STREQ(ECDH(impl_name)(key), impl.name);
    for (size_t len : { 0, 1, BYTES, BYTES + 2, 2 * BYTES, 2 * BYTES + 2 }) {
        Bytes peer = good;

        peer.resize(len);
        EXPECT_EQ(ECDH_SHARED(key, secret.data(), peer.data(), len), LC_ERR_KEY_LEN);
    }
    for (size_t bit = 0; bit < POINT_LEN * 8; bit += 7) {
        Bytes peer = good;

        flip(&peer, bit);
        EXPECT_EQ(ECDH_SHARED(key, secret.data(), peer.data(), POINT_LEN), LC_ERR_KEY);
    }
    EXPECT_TRUE(all_bytes(secret.data(), BYTES, 0xa5));
    memset(&other, 0xa5, sizeof(other));
    for (const Bytes &bad : { Bytes(BYTES, 0), Number::modulus(WB_N).bytes(), Bytes(BYTES, 0xff) })
        EXPECT_EQ(ECDH(init_impl)(&other, impl.name, bad.data(), BYTES), LC_ERR_KEY);
    EXPECT_EQ(ECDH(init_impl)(&other, impl.name, raw.data(), BYTES - 1), LC_ERR_KEY_LEN);
    EXPECT_EQ(ECDH(init_impl)(&other, "ecdsa-" CURVE_NAME "-portable", raw.data(), BYTES), LC_ERR_IMPL);
    EXPECT_TRUE(all_bytes(&other, sizeof(other), 0xa5));
}

TEST_P(Ecdh, GuardPages)
{
    const Bytes raw(BYTES, 9);
    Guarded secret(BYTES), peer(POINT_LEN), key(sizeof(ECDH(key)));
    auto *k = reinterpret_cast<ECDH(key) *>(key.at_end(sizeof(ECDH(key))));

    must(ECDH(init_impl)(k, impl.name, raw.data(), BYTES), "init_impl");
    key.read_only();
    for (bool at_end : { true, false })
        for (size_t len : { SHORT_LEN, POINT_LEN }) {
            Bytes bytes = public_of(Bytes(BYTES, 8));

            if (len == SHORT_LEN)
                bytes[0] = 2;
            bytes.resize(len);
            ASSERT_EQ(ECDH_SHARED(k, secret.place(at_end, BYTES), put(peer, at_end, bytes, true), len), LC_OK);
        }
}

// A secret may be written where the other one's key was.
TEST_P(Ecdh, InPlace)
{
    ECDH(key) key;
    const Bytes raw(BYTES, 9);
    Bytes secret(BYTES), buffer = public_of(Bytes(BYTES, 8));

    must(ECDH(init_impl)(&key, impl.name, raw.data(), BYTES), "init_impl");
    must(ECDH_SHARED(&key, secret.data(), buffer.data(), buffer.size()), "ecdh");
    ASSERT_EQ(ECDH_SHARED(&key, buffer.data(), buffer.data(), buffer.size()), LC_OK);
    buffer.resize(BYTES);
    EXPECT_EQ(buffer, secret);
}

TEST_P(Ecdh, Wipe)
{
    ECDH(key) key;
    const Bytes raw(BYTES, 9);

    must(ECDH(init_impl)(&key, impl.name, raw.data(), BYTES), "init_impl");
    ECDH(wipe)(&key);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
}

FOR_EACH_ROW(Ecdh);

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// X25519, with every implementation: published secrets in every lane, libcrypto, batches, errors.
#include "curve25519_support.h"
#include "lanecrypt/x25519.h"

const char *const mode_under_test = "x25519";

int init_mode_under_test(const char *impl, std::string *name)
{
    lc_x25519_key key;
    const Bytes raw(32, 7);
    int status = lc_x25519_init_impl(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = lc_x25519_impl_name(&key);
    return status;
}

namespace {

using Key = ModeKey<lc_x25519_key, lc_x25519_init_impl, lc_x25519_wipe>;

class X25519 : public EachRow {};

struct Exchange {
    Bytes raw, peer, secret; /* secret: empty if it would be 0 */
};

// All in one call
void check_all(const std::string &impl, const std::vector<Exchange> &exchanges)
{
    std::vector<lc_x25519_key> keys(exchanges.size());
    std::vector<Bytes> secrets(exchanges.size(), Bytes(32, 0xa5));
    std::vector<lc_x25519_item> items;
    bool all_right = true;

    for (size_t i = 0; i < exchanges.size(); i++) {
        const Exchange &e = exchanges[i];

        must(lc_x25519_init_impl(&keys[i], impl.c_str(), e.raw.data(), e.raw.size()), "init_impl");
        items.push_back({ &keys[i], secrets[i].data(), e.peer.data(), 1 });
        all_right = all_right && !e.secret.empty();
    }
    EXPECT_EQ(lc_x25519_many(items.data(), items.size()), all_right ? LC_OK : LC_ERR_KEY);
    for (size_t i = 0; i < exchanges.size(); i++) {
        SCOPED_TRACE(std::to_string(i) + " of " + std::to_string(exchanges.size()));
        EXPECT_EQ(items[i].status, exchanges[i].secret.empty() ? LC_ERR_KEY : LC_OK);
        EXPECT_TRUE(same(exchanges[i].secret.empty() ? Bytes(32, 0xa5) : exchanges[i].secret, secrets[i]));
    }
}

Bytes shared(const std::string &impl, const Bytes &raw, const Bytes &peer)
{
    const Key key(impl, raw);
    Bytes secret(32, 0xa5);

    if (lc_x25519(key, secret.data(), peer.data()) != LC_OK) {
        EXPECT_EQ(secret, Bytes(32, 0xa5));
        secret.clear();
    }
    return secret;
}

Bytes public_of(const std::string &impl, const Bytes &raw)
{
    const Key key(impl, raw);
    Bytes out(32);

    lc_x25519_get_public(key, out.data());
    return out;
}

Bytes nine()
{
    Bytes u(32);

    u[0] = 9;
    return u;
}

// u of all points of small order, on the curve and on the twist, and p more (RFC 7748, 7; the list of Bernstein's page)
std::vector<Bytes> small_us()
{
    std::vector<Bytes> us = {
        Number(0).bytes(),
        Number(1).bytes(),
        from_hex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
        from_hex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
        difference(P, 1).bytes(),
        P.bytes(),
        sum(P, 1).bytes()
    };

    for (size_t i = 0, num = us.size(); i < num; i++) {
        us.push_back(us[i]);
        us.back()[31] |= 0x80;
    }
    return us;
}

} // namespace

TEST_P(X25519, Wycheproof)
{
    std::ifstream in = open_vectors("wycheproof/x25519.rsp");
    std::map<std::string, std::string> record;
    const bool in_lanes = std::string(impl.name).find("portable") == std::string::npos;
    const std::vector<Bytes> small = small_us();
    std::vector<Exchange> all, bad;

    for (size_t i = 0; i < LANES - 1; i++)
        bad.push_back({ Bytes(32, static_cast<uint8_t>(37 * i)), small[i], Bytes() });
    while (next_record(in, &record)) {
        const bool zero = record["Result"] == "zero";
        const Exchange e = { from_hex(record["Private"]), from_hex(record["Public"]), zero ? Bytes() : from_hex(record["Shared"]) };

        SCOPED_TRACE(record["Count"]);
        EXPECT_EQ(shared(impl.name, e.raw, e.peer), e.secret);
        all.push_back(e);
        for (size_t lane = 0; in_lanes && lane < LANES; lane++) {
            std::vector<Exchange> batch = bad;

            batch.insert(batch.begin() + static_cast<ptrdiff_t>(lane), e);
            check_all(impl.name, batch);
        }
    }
    EXPECT_EQ(all.size(), 518u);
    check_all(impl.name, all);
}

// RFC 7748, 5.2: in turns, k is the result and u the k before.  (After 1,000,000 it's
// 7c3911e0ab2586fd864497297e575e6f3bc601c0883c30df5f4dd2d24f665424; that takes half a minute, and was done once.)
TEST_P(X25519, Rfc7748Iterated)
{
    Bytes k = nine(), u = nine();

    for (int i = 0; i < 1000; i++) {
        const Bytes next = shared(impl.name, k, u);

        u = k;
        k = next;
        if (i == 0) {
            EXPECT_EQ(to_hex(k.data(), 32), "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079");
        }
    }
    EXPECT_EQ(to_hex(k.data(), 32), "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51");
}

// RFC 7748, 5.2 and 6.1
TEST_P(X25519, Rfc7748)
{
    static const struct {
        const char *k, *u, *result;
    } cases[] = {
        { "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
          "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
          "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552" },
        { "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
          "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
          "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957" },
    };
    const Bytes alice = from_hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    const Bytes alice_public = from_hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    const Bytes bob = from_hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    const Bytes bob_public = from_hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
    const Bytes common = from_hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");

    EXPECT_EQ(public_of(impl.name, alice), alice_public);
    EXPECT_EQ(public_of(impl.name, bob), bob_public);
    EXPECT_EQ(shared(impl.name, alice, bob_public), common);
    EXPECT_EQ(shared(impl.name, bob, alice_public), common);
    for (const auto &c : cases)
        EXPECT_EQ(shared(impl.name, from_hex(c.k), from_hex(c.u)), from_hex(c.result));
}

// Bits that don't count
TEST_P(X25519, Clamping)
{
    Random random(1);

    for (int i = 0; i < 10; i++) {
        const Bytes raw = random.bytes(32), peer = random.bytes(32), want = shared(impl.name, raw, peer);

        for (size_t bit : { 0, 1, 2, 254, 255 }) {
            Bytes other = raw;

            flip(&other, bit);
            EXPECT_EQ(shared(impl.name, other, peer), want);
            EXPECT_EQ(public_of(impl.name, other), public_of(impl.name, raw));
        }
        for (size_t bit : { 3, 100, 253 }) {
            Bytes other = raw;

            flip(&other, bit);
            EXPECT_NE(shared(impl.name, other, peer), want);
            EXPECT_NE(public_of(impl.name, other), public_of(impl.name, raw));
        }
        Bytes other = peer;
        flip(&other, 255);
        EXPECT_EQ(shared(impl.name, raw, other), want);
    }
    // p + u is u: of these there are 19.
    for (uint64_t u = 0; u < 19; u++)
        EXPECT_EQ(shared(impl.name, Bytes(32, 0x5a), sum(P, u).bytes()), shared(impl.name, Bytes(32, 0x5a), Number(u).bytes()));
}

TEST_P(X25519, SmallOrder)
{
    for (const Bytes &u : small_us())
        for (uint8_t byte : { 0, 0x55, 0xff })
            EXPECT_EQ(shared(impl.name, Bytes(32, byte), u), Bytes()) << to_hex(u.data(), 32);
}

// Keys whose multiples of the generator have short or long chains, by the table and by the ladder
TEST_P(X25519, PublicKeys)
{
    std::vector<Exchange> all;
    std::vector<Bytes> raws = { Bytes(32, 0), Bytes(32, 0xff), L.bytes(), difference(L, 1).bytes() };

    for (size_t bit = 0; bit < 256; bit += 3) {
        raws.push_back(Bytes(32, 0));
        flip(&raws.back(), bit);
        raws.push_back(Bytes(32, 0xff));
        flip(&raws.back(), bit);
    }
    for (const Bytes &raw : raws)
        all.push_back({ raw, nine(), public_of(impl.name, raw) });
    check_all(impl.name, all);
}

// Batches of all sizes around a vector, and the public keys of each; secrets are the portable implementation's.
TEST_P(X25519, Batches)
{
    Random random(2);
    const std::vector<Bytes> small = small_us();

    for (size_t num = 0; num <= 17; num++) {
        std::vector<Exchange> all;
        std::vector<lc_x25519_key> keys(num);
        std::vector<lc_x25519_public_item> items;
        std::vector<Bytes> publics(num, Bytes(32));

        for (size_t i = 0; i < num; i++) {
            const Bytes raw = random.bytes(32), peer = random.below(4) ? random.bytes(32) : small[random.below(small.size())];

            all.push_back({ raw, peer, shared("x25519-portable", raw, peer) });
            must(lc_x25519_init_impl(&keys[i], impl.name, raw.data(), 32), "init_impl");
            items.push_back({ &keys[i], publics[i].data() });
        }
        check_all(impl.name, all);
        lc_x25519_get_public_many(items.data(), num);
        for (size_t i = 0; i < num; i++)
            EXPECT_TRUE(same(public_of("x25519-portable", all[i].raw), publics[i]));
    }
}

// Keys of different implementations in one call
TEST_P(X25519, MixedImplementations)
{
    const Key here(impl.name, Bytes(32, 1)), portable("x25519-portable", Bytes(32, 1));
    const Bytes peer = public_of("x25519-portable", Bytes(32, 2)), want = shared("x25519-portable", Bytes(32, 1), peer);
    std::vector<Bytes> secrets(20, Bytes(32));
    std::vector<lc_x25519_item> items;

    for (size_t i = 0; i < secrets.size(); i++)
        items.push_back({ i % 5 < 3 ? here : portable, secrets[i].data(), peer.data(), 1 });
    EXPECT_EQ(lc_x25519_many(items.data(), items.size()), LC_OK);
    for (const Bytes &secret : secrets)
        EXPECT_EQ(secret, want);
}

#ifdef HAVE_LIBCRYPTO
TEST_P(X25519, Libcrypto)
{
    Random random(3);
    std::vector<Exchange> all;

    for (size_t i = 0; i < 60; i++) {
        const Bytes raw = random.bytes(32), peer = i % 2 ? random.bytes(32) : Libcrypto::raw_public("X25519", random.bytes(32));

        EXPECT_TRUE(same(Libcrypto::raw_public("X25519", raw), public_of(impl.name, raw)));
        all.push_back({ raw, peer, Libcrypto::x25519_shared(raw, peer) });
    }
    for (const Bytes &u : small_us())
        all.push_back({ Bytes(32, 3), u, Libcrypto::x25519_shared(Bytes(32, 3), u) });
    check_all(impl.name, all);
}
#endif

TEST_P(X25519, Errors)
{
    const Bytes raw(32, 9);
    const Key key(impl.name, raw);
    lc_x25519_key other;

    EXPECT_STREQ(lc_x25519_impl_name(key), impl.name);
    memset(&other, 0xa5, sizeof(other));
    for (size_t len : { 0, 1, 31, 33, 64 })
        EXPECT_EQ(lc_x25519_init_impl(&other, impl.name, Bytes(len + 1).data(), len), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_x25519_init_impl(&other, "ed25519-portable", raw.data(), 32), LC_ERR_IMPL);
    EXPECT_TRUE(all_bytes(&other, sizeof(other), 0xa5));
}

TEST_P(X25519, GuardPages)
{
    const Bytes raw(32, 9), peer = public_of(impl.name, Bytes(32, 8)), want = shared(impl.name, raw, peer);
    Guarded in(32), out(32), key(sizeof(lc_x25519_key));
    auto *k = reinterpret_cast<lc_x25519_key *>(key.at_end(sizeof(lc_x25519_key)));

    for (bool at_end : { true, false }) {
        must(lc_x25519_init_impl(k, impl.name, put(in, at_end, raw, true), 32), "init_impl");
        key.read_only();
        uint8_t *secret = put(out, at_end, Bytes(32, 0), false);
        ASSERT_EQ(lc_x25519(k, secret, put(in, at_end, peer, true)), LC_OK);
        EXPECT_TRUE(holds(out, secret, want));
        lc_x25519_get_public(k, secret);
        EXPECT_TRUE(holds(out, secret, public_of(impl.name, raw)));
        // in place
        secret = put(out, at_end, peer, false);
        ASSERT_EQ(lc_x25519(k, secret, secret), LC_OK);
        EXPECT_TRUE(holds(out, secret, want));
        key.writable();
    }
}

TEST_P(X25519, Wipe)
{
    lc_x25519_key key;
    const Bytes raw(32, 9);

    must(lc_x25519_init_impl(&key, impl.name, raw.data(), 32), "init_impl");
    lc_x25519_wipe(&key);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
}

FOR_EACH_ROW(X25519);

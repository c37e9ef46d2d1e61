// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Ed25519: batches, keys, errors, messages of all lengths, and ones that change.
#include <csignal>
#include <sys/mman.h>
#include <unistd.h>

#include "ed25519_support.h"

namespace {

// What messages are copied up to, and what is hashed at a time of longer ones: src/ed25519.c
enum { SHORT = 448, PIECE = 1024 };

const std::vector<size_t> lengths = { 0,         1,     31,        32,        63,    64,        111,       112,           127, 128,
                                      SHORT - 1, SHORT, SHORT + 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 7, 5000 };

Bytes encode(const Point &p)
{
    Bytes out = p.y.bytes();

    out[31] |= static_cast<uint8_t>(p.x.w[0] << 7);
    return out;
}

} // namespace

// Batches of all sizes around a vector, under many keys, some items wrong; signatures are the portable implementation's.
TEST_P(Ed25519, Batches)
{
    Random random(1);
    std::vector<lc_ed25519_key> keys(5), portable(5);
    std::vector<lc_ed25519_public_key> publics;

    for (size_t i = 0; i < 5; i++) {
        const Bytes raw = random.bytes(32);

        must(lc_ed25519_init_impl(&keys[i], impl.name, raw.data(), 32), "init_impl");
        must(lc_ed25519_init_impl(&portable[i], "ed25519-portable", raw.data(), 32), "init_impl");
        EXPECT_EQ(public_of(&keys[i]), public_of(&portable[i]));
        publics.push_back(public_key(impl.name, public_of(&keys[i])));
    }
    for (size_t num = 0; num <= 17; num++) {
        std::vector<Bytes> sigs(num, Bytes(64, 0xa5)), msgs;
        std::vector<lc_ed25519_sign_item> items;
        std::vector<Signature> signatures;

        for (size_t i = 0; i < num; i++)
            msgs.push_back(random.bytes(random.below(4) ? random.below(200) : lengths[random.below(lengths.size())]));
        for (size_t i = 0; i < num; i++)
            items.push_back({ &keys[i % 5], sigs[i].data(), msgs[i].data(), msgs[i].size(), 1 });
        EXPECT_EQ(lc_ed25519_sign_many(items.data(), num), LC_OK);
        for (size_t i = 0; i < num; i++) {
            SCOPED_TRACE(std::to_string(i) + " of " + std::to_string(num));
            EXPECT_EQ(items[i].status, LC_OK);
            EXPECT_TRUE(same(sign(&portable[i % 5], msgs[i]), sigs[i]));
            signatures.push_back({ publics[i % 5], msgs[i], sigs[i], LC_OK });
            if (random.below(4) == 0) {
                flip(&signatures[i].sig, random.below(512));
                signatures[i].expected = LC_ERR_SIGNATURE;
            } else if (msgs[i].size() && random.below(4) == 0) {
                flip(&signatures[i].msg, random.below(8 * msgs[i].size()));
                signatures[i].expected = LC_ERR_SIGNATURE;
            }
        }
        verify_all(signatures);
    }
}

#ifdef HAVE_LIBCRYPTO
TEST_P(Ed25519, Libcrypto)
{
    Random random(2);
    std::vector<Signature> signatures;

    for (size_t i = 0; i < 60; i++) {
        const Bytes raw = random.bytes(32), msg = random.bytes(i < lengths.size() ? lengths[i] : random.below(300));
        const PrivateKey key(impl.name, raw);
        Bytes sig = Libcrypto::ed25519_sign(raw, msg);

        EXPECT_EQ(Libcrypto::raw_public("ED25519", raw), public_of(key));
        EXPECT_TRUE(same(sig, sign(key, msg))) << msg.size();
        signatures.push_back({ public_key(impl.name, public_of(key)), msg, sig, LC_OK });
        flip(&sig, random.below(512));
        signatures.push_back({ public_key(impl.name, public_of(key)), msg, sig, LC_ERR_SIGNATURE });
    }
    verify_all(signatures);
}
#endif

// Keys of different implementations in one call
TEST_P(Ed25519, MixedImplementations)
{
    const PrivateKey here(impl.name, Bytes(32, 1)), portable("ed25519-portable", Bytes(32, 1));
    const Bytes msg(20, 9), want = sign(portable, msg);
    std::vector<Bytes> sigs(20, Bytes(64));
    std::vector<lc_ed25519_sign_item> items;
    std::vector<Signature> signatures;

    for (size_t i = 0; i < sigs.size(); i++)
        items.push_back({ i % 5 < 3 ? here : portable, sigs[i].data(), msg.data(), msg.size(), 1 });
    EXPECT_EQ(lc_ed25519_sign_many(items.data(), items.size()), LC_OK);
    for (size_t i = 0; i < sigs.size(); i++) {
        EXPECT_EQ(sigs[i], want);
        signatures.push_back({ public_key(i % 4 ? impl.name : "ed25519-portable", public_of(here)), msg, sigs[i], LC_OK });
    }
    verify_all(signatures);
}

// S: 0, L - 1, L, L + 1, and all bits; right ones are made by taking R as S B - k A would be with a known A.
TEST_P(Ed25519, LimitsOfS)
{
    Random random(3);
    const size_t portable = lc_impl_count("ed25519") - 1;
    const PrivateKey key(impl.name, random.bytes(32));
    const lc_ed25519_public_key good = public_key(impl.name, public_of(key));
    Bytes identity(32);

    identity[0] = 1;
    const lc_ed25519_public_key neutral = public_key(impl.name, identity);
    std::vector<Signature> signatures;
    for (const Number &s : { Number(0), Number(1), Number(2), difference(L, 1), difference(L, 2), L, sum(L, 1), sum(L, L),
                             Number(0, 0, 0, UINT64_C(1) << 63), Number(UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX) }) {
        // With the neutral point for A, R is S B, whatever the message is.
        wb_25519_item item = {};
        memcpy(item.k, s.w.data(), 32);
        item.k[3] &= INT64_MAX;
        wb_25519_base(portable, &item, 1);
        Point r;
        memcpy(r.x.w.data(), item.x, 32);
        memcpy(r.y.w.data(), item.y, 32);
        Bytes sig = encode(r);
        const Bytes bytes = s.bytes();
        sig.insert(sig.end(), bytes.begin(), bytes.end());
        signatures.push_back({ neutral, random.bytes(10), sig, s < L ? LC_OK : LC_ERR_SIGNATURE });
        signatures.push_back({ good, random.bytes(10), sig, LC_ERR_SIGNATURE });
    }
    verify_all(signatures);
    for (const Signature &s : signatures)
        EXPECT_EQ(lc_ed25519_verify(&s.key, s.sig.data(), s.msg.data(), s.msg.size()), s.expected);
}

TEST_P(Ed25519, PublicKeys)
{
    lc_ed25519_public_key key;
    const Bytes before(sizeof(key), 0xa5);
    auto refused = [&](const Bytes &raw, int status) {
        memset(&key, 0xa5, sizeof(key));
        EXPECT_EQ(lc_ed25519_public_init_impl(&key, impl.name, raw.data(), raw.size()), status) << to_hex(raw.data(), raw.size());
        EXPECT_EQ(bytes_of(key), before);
    };
    Random random(4);
    size_t points = 0;

    for (size_t len : { 0, 1, 31, 33, 64 })
        refused(Bytes(len, 1), LC_ERR_KEY_LEN);
    // y from p on, with both signs
    for (uint64_t i = 0; i < 19; i++)
        for (uint8_t sign : { 0, 0x80 }) {
            Bytes raw = sum(P, i).bytes();

            raw[31] |= sign;
            refused(raw, LC_ERR_KEY);
        }
    // x = 0 has no sign: (0, 1), (0, -1)
    for (const Number &y : { Number(1), difference(P, 1) }) {
        Bytes raw = y.bytes();

        EXPECT_EQ(lc_ed25519_public_init_impl(&key, impl.name, raw.data(), 32), LC_OK);
        raw[31] |= 0x80;
        refused(raw, LC_ERR_KEY);
    }
    for (const Point &p : small_points())
        EXPECT_EQ(lc_ed25519_public_init_impl(&key, impl.name, encode(p).data(), 32), LC_OK);
    // Half of the others are points, and -x has the other sign.
    for (int i = 0; i < 100; i++) {
        Bytes raw = random.bytes(32);
        bool is_point = lc_ed25519_public_init_impl(&key, impl.name, raw.data(), 32) == LC_OK;

        points += is_point;
        flip(&raw, 255);
        EXPECT_EQ(lc_ed25519_public_init_impl(&key, impl.name, raw.data(), 32), is_point ? LC_OK : LC_ERR_KEY);
    }
    EXPECT_GT(points, 30u);
    EXPECT_LT(points, 70u);
    refused(from_hex("0200000000000000000000000000000000000000000000000000000000000000"), LC_ERR_KEY);
}

TEST_P(Ed25519, Errors)
{
    const Bytes raw(32, 9);
    const PrivateKey key(impl.name, raw);
    const lc_ed25519_public_key point = public_key(impl.name, public_of(key));
    lc_ed25519_key other;
    lc_ed25519_public_key other_point;

    EXPECT_STREQ(lc_ed25519_impl_name(key), impl.name);
    EXPECT_STREQ(lc_ed25519_public_impl_name(&point), impl.name);
    memset(&other, 0xa5, sizeof(other));
    memset(&other_point, 0xa5, sizeof(other_point));
    for (size_t len : { 0, 1, 31, 33, 64 })
        EXPECT_EQ(lc_ed25519_init_impl(&other, impl.name, Bytes(len + 1).data(), len), LC_ERR_KEY_LEN);
    EXPECT_EQ(lc_ed25519_init_impl(&other, "x25519-portable", raw.data(), 32), LC_ERR_IMPL);
    EXPECT_EQ(lc_ed25519_public_init_impl(&other_point, "x25519-portable", public_of(key).data(), 32), LC_ERR_IMPL);
    EXPECT_TRUE(all_bytes(&other, sizeof(other), 0xa5));
    EXPECT_TRUE(all_bytes(&other_point, sizeof(other_point), 0xa5));
}

// Every bit of a signature and of a message counts.
TEST_P(Ed25519, EveryBit)
{
    const PrivateKey key(impl.name, Bytes(32, 5));
    const lc_ed25519_public_key point = public_key(impl.name, public_of(key));
    const Bytes msg(8, 0x77), sig = sign(key, msg);
    std::vector<Signature> signatures = { { point, msg, sig, LC_OK } };

    for (size_t bit = 0; bit < 512; bit++) {
        signatures.push_back({ point, msg, sig, LC_ERR_SIGNATURE });
        flip(&signatures.back().sig, bit);
    }
    for (size_t bit = 0; bit < 64; bit++) {
        signatures.push_back({ point, msg, sig, LC_ERR_SIGNATURE });
        flip(&signatures.back().msg, bit);
    }
    verify_all(signatures);
}

TEST_P(Ed25519, GuardPages)
{
    const Bytes raw(32, 9);
    Guarded in(1 << 13), out(64), key_memory(sizeof(lc_ed25519_key)), sig_memory(64);
    auto *k = reinterpret_cast<lc_ed25519_key *>(key_memory.at_end(sizeof(lc_ed25519_key)));

    for (bool at_end : { true, false })
        for (size_t len : lengths) {
            const Bytes msg(len, 0x21);
            lc_ed25519_public_key point;

            must(lc_ed25519_init_impl(k, impl.name, put(in, at_end, raw, true), 32), "init_impl");
            key_memory.read_only();
            must(lc_ed25519_public_init_impl(&point, impl.name, put(in, at_end, public_of(k), true), 32), "public_init_impl");
            const uint8_t *text = put(in, at_end, msg, true);
            uint8_t *sig = put(out, at_end, Bytes(64, 0), false);
            ASSERT_EQ(lc_ed25519_sign(k, sig, text, len), LC_OK);
            const Bytes want = sign(k, msg);
            EXPECT_TRUE(holds(out, sig, want));
            EXPECT_EQ(lc_ed25519_verify(&point, put(sig_memory, at_end, want, true), text, len), LC_OK);
            key_memory.writable();
        }
    EXPECT_EQ(lc_ed25519_sign(k, out.begin(), nullptr, 0), LC_OK);
}

/*
 * A long message that changes between its two readings: its last page can't be read at first, and the handler of that fault changes
 * the first byte, which has been hashed by then.
 */
static uint8_t *changing;
static size_t changing_len;

static void change(int)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));

    mprotect(changing, changing_len + page, PROT_READ | PROT_WRITE);
    changing[0] ^= 1;
}

TEST_P(Ed25519, ChangingMessage)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const PrivateKey key(impl.name, Bytes(32, 5));
    const Bytes short_msg(10, 1), want = sign(key, short_msg);
    Guarded memory(3 * page);
    struct sigaction action = {}, before;

    changing = memory.begin();
    changing_len = 2 * page;
    action.sa_handler = change;
    sigaction(SIGSEGV, &action, &before);
    for (size_t num : { 1, 3 }) {
        std::vector<Bytes> sigs(num, Bytes(64, 0xa5));
        std::vector<lc_ed25519_sign_item> items;

        mprotect(changing + 2 * page, page, PROT_NONE);
        for (size_t i = 0; i < num; i++)
            items.push_back({ key, sigs[i].data(), short_msg.data(), short_msg.size(), 1 });
        items[num / 2].msg = changing;
        items[num / 2].len = 3 * page;
        EXPECT_EQ(lc_ed25519_sign_many(items.data(), num), LC_ERR_CHANGED);
        for (size_t i = 0; i < num; i++) {
            EXPECT_EQ(items[i].status, i == num / 2 ? LC_ERR_CHANGED : LC_OK);
            EXPECT_EQ(sigs[i], i == num / 2 ? Bytes(64, 0xa5) : want);
        }
    }
    sigaction(SIGSEGV, &before, nullptr);
}

TEST_P(Ed25519, Wipe)
{
    lc_ed25519_key key;
    const Bytes raw(32, 9);

    must(lc_ed25519_init_impl(&key, impl.name, raw.data(), 32), "init_impl");
    lc_ed25519_wipe(&key);
    EXPECT_TRUE(all_bytes(&key, sizeof(key), 0));
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// ChaCha20-Poly1305: what is read and written.  Overruns hit guard pages (a crash is the failure) or bytes with a known value;
// reading is checked by guard pages only, so buffers end and begin right at them; keys and all inputs lie in memory that can't be
// written.
#include "chacha20poly1305_support.h"

TEST_P(Chapoly, EveryAlignment)
{
    static const size_t margin = 64;
    Random random(350);
    Guarded src_memory(2048), dst_memory(2048), aad_memory(256);

    for (size_t len : { 1, 63, 64, 100, 192, 256, 300, 512, 600, 1100 }) {
        Message m = random_message(random, len, 21);
        ChapolyKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (bool encrypt : both_directions) {
            const Bytes &in = encrypt ? m.src : expected.ct, &out = encrypt ? expected.ct : m.src;

            for (size_t i = 0; i < 64; i++) {
                uint8_t *src = src_memory.begin() + margin + i, *aad = aad_memory.begin() + i, tag[64 + 16];

                memcpy(src, in.data(), len);
                memcpy(aad, m.aad.data(), 21);
                for (size_t j = 0; j < 64; j += 1 + i % 3) {
                    uint8_t *dst = dst_memory.begin() + margin + j, *t = tag + j;

                    memset(dst - margin, 0xa5, margin + len + margin);
                    memcpy(t, expected.tag.data(), 16);
                    if (encrypt)
                        memset(t, 0, 16);
                    ASSERT_EQ(seal_or_open(encrypt, key, dst, src, len, t, aad, 21, m.nonce.data(), 12), LC_OK)
                        << len << " from alignment " << i << " to " << j;
                    ASSERT_TRUE(same(out.data(), dst, len)) << len << " from alignment " << i << " to " << j;
                    ASSERT_TRUE(same(expected.tag.data(), t, 16));
                    ASSERT_TRUE(all_bytes(dst - margin, margin, 0xa5) && all_bytes(dst + len, margin, 0xa5))
                        << "written outside: " << len << " from alignment " << i << " to " << j;
                }
            }
        }
    }
}

// Everything that a call takes, each by itself between guard pages; what is only read can't be written.
struct GuardedMessage {
    Guarded src{ 4096 }, dst{ 4096 }, aad{ 1024 }, nonce{ 24 }, tag{ 16 }, key{ sizeof(lc_chacha20poly1305_key) };

    const lc_chacha20poly1305_key *set_key(const std::string &impl, const Bytes &raw)
    {
        lc_chacha20poly1305_key *k = reinterpret_cast<lc_chacha20poly1305_key *>(key.at_end(sizeof(lc_chacha20poly1305_key)));

        key.writable();
        must(lc_chacha20poly1305_init_impl(k, impl.c_str(), raw.data(), raw.size()), "lc_chacha20poly1305_init_impl()");
        key.read_only();
        return k;
    }
};

static void guarded(const lc_impl_info &impl, GuardedMessage &g, const Message &m, unsigned ends)
{
    const lc_chacha20poly1305_key *key = g.set_key(impl.name, m.raw);
    Sealed expected = reference::seal(m);
    const size_t len = m.src.size();
    const uint8_t *aad = put(g.aad, ends & 1, m.aad, true), *nonce = put(g.nonce, ends & 2, m.nonce, true);

    SCOPED_TRACE("text " + std::to_string(len) + ", AAD " + std::to_string(m.aad.size()) + ", ends " + std::to_string(ends));
    for (bool in_place : { false, true })
        for (bool encrypt : both_directions) {
            const Bytes &in = encrypt ? m.src : expected.ct, &out = encrypt ? expected.ct : m.src;
            uint8_t *dst = put(g.dst, ends & 4, in_place ? in : Bytes(len, 0xa5), false);
            uint8_t *tag = put(g.tag, ends & 8, encrypt ? Bytes(16, 0xa5) : expected.tag, !encrypt);
            const uint8_t *src = in_place ? dst : put(g.src, ends & 16, in, true);

            ASSERT_EQ(seal_or_open(encrypt, key, dst, src, len, tag, aad, m.aad.size(), nonce, m.nonce.size()), LC_OK);
            ASSERT_TRUE(holds(g.tag, tag, expected.tag));
            ASSERT_TRUE(holds(g.dst, dst, out));
        }
}

TEST_P(Chapoly, GuardPages)
{
    Random random(351);
    GuardedMessage g;

    for (size_t len = 0; len <= 1200; len++)
        for (unsigned ends : { 0u, 31u, static_cast<unsigned>(random.below(32)) })
            ASSERT_NO_FATAL_FAILURE(guarded(impl, g, random_message(random, len, len % 41), ends));
}

TEST_P(Chapoly, GuardPagesX)
{
    Random random(352);
    GuardedMessage g;

    for (size_t len = 0; len <= 130; len++)
        for (unsigned ends : { 0u, 31u })
            ASSERT_NO_FATAL_FAILURE(guarded(impl, g, random_message(random, len, len % 41, 24), ends));
}

TEST_P(Chapoly, GuardPagesAad)
{
    Random random(353);
    GuardedMessage g;

    for (size_t aad_len = 0; aad_len <= 400; aad_len++)
        for (unsigned ends : { 0u, 31u })
            ASSERT_NO_FATAL_FAILURE(guarded(impl, g, random_message(random, aad_len % 23, aad_len), ends));
}

// A failure wipes the destination and not a byte more.
TEST_P(Chapoly, GuardPagesFailure)
{
    Random random(354);
    GuardedMessage g;

    for (size_t len = 0; len <= 600; len++)
        for (bool at_end : { false, true })
            for (size_t nonce_len : { 12, 24 }) {
                Message m = random_message(random, len, 5, nonce_len);
                const lc_chacha20poly1305_key *key = g.set_key(impl.name, m.raw);
                uint8_t *dst = put(g.dst, at_end, Bytes(len, 0xa5), false);

                ASSERT_EQ(seal_or_open(false, key, dst, m.src.data(), len, m.raw.data(), m.aad.data(), 5, m.nonce.data(),
                                       nonce_len),
                          LC_ERR_AUTH);
                ASSERT_TRUE(holds(g.dst, dst, Bytes(len))) << len;
            }
}

TEST_P(Chapoly, GuardPagesStream)
{
    Random random(355);
    GuardedMessage g;
    Guarded state_memory(sizeof(lc_chacha20poly1305_state));
    lc_chacha20poly1305_state *state =
        reinterpret_cast<lc_chacha20poly1305_state *>(state_memory.at_end(sizeof(lc_chacha20poly1305_state)));

    for (size_t len = 0; len <= 600; len++)
        for (bool at_end : { false, true })
            for (size_t before : { 0, 5, 64, 70 }) { // bytes of the calls before those that are looked at
                Message m = random_message(random, before + len, before + len % 50);
                const lc_chacha20poly1305_key *key = g.set_key(impl.name, m.raw);
                Sealed expected = reference::seal(m);
                auto rest = [before](const Bytes &b) { return Bytes(b.begin() + static_cast<long>(before), b.end()); };
                const uint8_t *aad = put(g.aad, at_end, rest(m.aad), true);

                const bool encrypt = len % 2 == at_end;
                const Bytes &in = encrypt ? m.src : expected.ct, &out = encrypt ? expected.ct : m.src;
                const uint8_t *src = put(g.src, at_end, rest(in), true);
                uint8_t *dst = put(g.dst, at_end, Bytes(len, 0xa5), false);
                uint8_t *tag = put(g.tag, at_end, encrypt ? Bytes(16, 0xa5) : expected.tag, !encrypt);
                Bytes start(before);

                ASSERT_EQ(lc_chacha20poly1305_start(state, key, put(g.nonce, at_end, m.nonce, true), 12), LC_OK);
                ASSERT_EQ(lc_chacha20poly1305_aad(state, m.aad.data(), before), LC_OK);
                ASSERT_EQ(lc_chacha20poly1305_aad(state, aad, m.aad.size() - before), LC_OK);
                ASSERT_EQ(crypt_text(encrypt, state, start.data(), in.data(), before), LC_OK);
                ASSERT_EQ(crypt_text(encrypt, state, dst, src, len), LC_OK);
                ASSERT_TRUE(holds(g.dst, dst, rest(out))) << len << " behind " << before;
                ASSERT_EQ(encrypt ? lc_chacha20poly1305_tag(state, tag, 16) : lc_chacha20poly1305_verify(state, tag, 16), LC_OK)
                    << len << " behind " << before;
                ASSERT_TRUE(holds(g.tag, tag, expected.tag)) << len << " behind " << before;
            }
}

TEST_P(Chapoly, InPlace)
{
    Random random(356);

    for (size_t len = 0; len <= 1100; len++) {
        Message m = random_message(random, len, len % 19, len % 7 ? 12 : 24);
        ChapolyKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);
        Bytes data = m.src, tag(16);

        for (bool encrypt : both_directions) {
            ASSERT_EQ(seal_or_open(encrypt, key, data.data(), data.data(), len, tag.data(), m.aad.data(), m.aad.size(),
                                   m.nonce.data(), m.nonce.size()),
                      LC_OK);
            ASSERT_TRUE(same(encrypt ? expected : Sealed({ m.src, expected.tag }), { data, tag })) << len;
        }
    }
}

// The usual form of a packet: header, text, tag, one behind the other, in place; and with the tag in front of the text.
TEST_P(Chapoly, PacketsInPlace)
{
    Random random(357);

    for (size_t len = 0; len <= 600; len++)
        for (bool tag_first : { false, true }) {
            Message m = random_message(random, len, 13);
            ChapolyKey key(impl.name, m.raw);
            Sealed expected = reference::seal(m);
            Bytes packet = m.aad;
            uint8_t *text, *tag;

            packet.resize(13 + len + 16, 0x5a);
            tag = packet.data() + 13 + (tag_first ? 0 : len);
            text = packet.data() + 13 + (tag_first ? 16 : 0);
            std::copy(m.src.begin(), m.src.end(), text);
            for (bool encrypt : both_directions) {
                ASSERT_EQ(seal_or_open(encrypt, key, text, text, len, tag, packet.data(), 13, m.nonce.data(), 12), LC_OK);
                ASSERT_TRUE(same(m.aad.data(), packet.data(), 13)) << len;
                ASSERT_TRUE(same((encrypt ? expected.ct : m.src).data(), text, len)) << len;
                ASSERT_TRUE(same(expected.tag.data(), tag, 16)) << len;
            }
        }
}

// All short texts with some AAD, each between guard pages, before the one and behind the other, in both directions; in place at one
// of them.  Too many for the reference, so the portable row has to do, which other tests compare with it.
TEST_P(Chapoly, LongTableOfGuardPages)
{
    static const size_t margin = 64;
    Random random(358);
    Bytes raw = random.bytes(32), text = random.bytes(1300), all_aad = random.bytes(80), nonce = random.bytes(12), ct(1300);
    ChapolyKey key(impl.name, raw), portable("chacha20-poly1305-portable", raw);
    Guarded src_memory(4096), dst_memory(4096), aad_memory(128);

    for (size_t aad_len = 0; aad_len <= 80; aad_len += 1 + aad_len % 5)
        for (size_t len = 0; len <= 1300; len++) {
            uint8_t expected[16], tag[16];

            ASSERT_EQ(seal_or_open(true, portable, ct.data(), text.data(), len, expected, all_aad.data(), aad_len, nonce.data(),
                                   12),
                      LC_OK);
            for (bool at_end : { false, true })
                for (bool encrypt : both_directions) {
                    const uint8_t *in = encrypt ? text.data() : ct.data(), *out = encrypt ? ct.data() : text.data();
                    uint8_t *src = src_memory.place(at_end, len), *dst = dst_memory.place(at_end != (len % 2 != 0), len);
                    uint8_t *aad = aad_memory.place(at_end, aad_len), *free_side;

                    free_side = dst == dst_memory.begin() ? dst + len : dst - margin;
                    memset(free_side, 0xa5, margin);
                    if (len) {
                        memcpy(aad_len % 2 ? src : dst, in, len);
                        if (aad_len % 2 == 0)
                            src = dst;
                    }
                    if (aad_len)
                        memcpy(aad, all_aad.data(), aad_len);
                    memcpy(tag, expected, 16);
                    if (encrypt)
                        memset(tag, 0, 16);
                    ASSERT_EQ(seal_or_open(encrypt, key, dst, src, len, tag, aad, aad_len, nonce.data(), 12), LC_OK)
                        << "text " << len << ", AAD " << aad_len;
                    ASSERT_TRUE(same(out, dst, len)) << "text " << len << ", AAD " << aad_len;
                    ASSERT_TRUE(same(expected, tag, 16)) << "text " << len << ", AAD " << aad_len;
                    ASSERT_TRUE(all_bytes(free_side, margin, 0xa5)) << "written outside: text " << len << ", AAD " << aad_len;
                }
        }
}

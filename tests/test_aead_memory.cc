// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AEADs: what is read and written.  Overruns hit guard pages (a crash is the failure) or bytes with a known value; reading is
// checked by guard pages only, so buffers end and begin right at them; keys and all inputs lie in memory that can't be written.
#include <algorithm>

#include "aead_support.h"

TEST_P(Aead, EveryAlignment)
{
    static const size_t margin = 64;
    Random random(70);
    Guarded src_memory(2048), dst_memory(2048), aad_memory(256);

    for (size_t len : { 0, 1, 15, 16, 31, 63, 64, 100, 192, 255, 256, 300, 512, 600, 1100 }) {
        const size_t aad_len = len ? 21 : 13; // up to 16 bytes, and no text: GCM has functions for that
        Message m = random_message(random, nth(Mode::key_lens, len), len, aad_len);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (bool encrypt : both_directions) {
            const Bytes &in = encrypt ? m.src : expected.ct, &out = encrypt ? expected.ct : m.src;

            for (size_t i = 0; i < 64; i++) {
                uint8_t *src = src_memory.begin() + margin + i, *aad = aad_memory.begin() + i, tag[64 + 16];

                std::copy(in.begin(), in.end(), src);
                memcpy(aad, m.aad.data(), aad_len);
                for (size_t j = 0; j < 64; j += 1 + i % 3) {
                    uint8_t *dst = dst_memory.begin() + margin + j, *t = tag + j;

                    memset(dst - margin, 0xa5, margin + len + margin);
                    memcpy(t, expected.tag.data(), 16);
                    if (encrypt)
                        memset(t, 0, 16);
                    ASSERT_EQ(crypt(encrypt, key, dst, src, len, t, 16, aad, aad_len, m.nonce.data(), m.nonce.size()), LC_OK)
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
    Guarded src{ 4096 }, dst{ 4096 }, aad{ 4096 }, nonce{ 256 }, tag{ 16 }, key{ sizeof(Mode::Key) };

    const Mode::Key *set_key(const std::string &impl, const Bytes &raw)
    {
        Mode::Key *k = reinterpret_cast<Mode::Key *>(key.at_end(sizeof(Mode::Key)));

        key.writable();
        must(Mode::init_impl(k, impl.c_str(), raw.data(), raw.size()), "init with \"" + impl + "\"");
        key.read_only();
        return k;
    }
};

// ends: bits that say at which guard page things lie
static void guarded(const lc_impl_info &impl, GuardedMessage &g, const Message &m, size_t tag_len, size_t ends)
{
    const Mode::Key *key = g.set_key(impl.name, m.raw);
    Sealed expected = reference::seal(m);
    const size_t len = m.src.size();
    const uint8_t *aad = put(g.aad, ends & 1, m.aad, true), *nonce = put(g.nonce, ends & 2, m.nonce, true);

    SCOPED_TRACE("text " + std::to_string(len) + ", AAD " + std::to_string(m.aad.size()) + ", nonce " +
                 std::to_string(m.nonce.size()) + ", tag " + std::to_string(tag_len) + ", ends " + std::to_string(ends));
    expected.tag.resize(tag_len);
    for (bool in_place : { false, true })
        for (bool encrypt : both_directions) {
            const Bytes &in = encrypt ? m.src : expected.ct, &out = encrypt ? expected.ct : m.src;
            uint8_t *dst = put(g.dst, ends & 4, in_place ? in : Bytes(len, 0xa5), false);
            uint8_t *tag = put(g.tag, ends & 8, encrypt ? Bytes(tag_len, 0xa5) : expected.tag, !encrypt);
            const uint8_t *src = in_place ? dst : put(g.src, ends & 16, in, true);

            ASSERT_EQ(crypt(encrypt, key, dst, src, len, tag, tag_len, aad, m.aad.size(), nonce, m.nonce.size()), LC_OK);
            ASSERT_TRUE(holds(g.tag, tag, expected.tag));
            ASSERT_TRUE(holds(g.dst, dst, out));
        }
}

TEST_P(Aead, GuardPages)
{
    Random random(71);
    GuardedMessage g;

    for (size_t len = 0; len <= 4096; len += len < Mode::short_len / 2 + 100 ? 1 : 29)
        for (size_t ends : { size_t{ 0 }, size_t{ 31 }, random.below(32) })
            ASSERT_NO_FATAL_FAILURE(guarded(impl, g, random_message(random, nth(Mode::key_lens, len), len, len % 41), 16, ends));
}

TEST_P(Aead, GuardPagesAad)
{
    Random random(72);
    GuardedMessage g;

    for (size_t aad_len = 0; aad_len <= 660; aad_len += aad_len < 400 ? 1 : 13)
        for (size_t ends : { 0, 31 })
            ASSERT_NO_FATAL_FAILURE(
                guarded(impl, g, random_message(random, nth(Mode::key_lens, aad_len), aad_len % 23, aad_len), 16, ends));
    for (size_t aad_len = 0; aad_len <= 17; aad_len++) // without text
        for (size_t key_len : Mode::key_lens)
            for (size_t ends : { 0, 31 })
                ASSERT_NO_FATAL_FAILURE(guarded(impl, g, random_message(random, key_len, 0, aad_len), 16, ends));
}

// All lengths of nonces that a flavour takes, and with the last flavour's some texts too.
TEST_P(Aead, GuardPagesNonceAndTag)
{
    Random random(73);
    GuardedMessage g;

    for (const Flavour<Mode::Key> &flavour : Mode::flavours)
        for (size_t nonce_len = 1; nonce_len <= 128; nonce_len = nonce_len == 64 ? 128 : nonce_len + 1)
            for (size_t tag_len : Mode::tag_lens)
                for (size_t ends : { 0, 31 })
                    if (flavour.takes(nonce_len)) {
                        Message m = random_message(random, nth(Mode::key_lens, nonce_len), nonce_len, 13, nonce_len);

                        ASSERT_NO_FATAL_FAILURE(guarded(impl, g, m, tag_len, ends));
                    }
    for (size_t len = 0; len <= 130; len++)
        for (size_t ends : { 0, 31 }) {
            Message m = random_message(random, nth(Mode::key_lens, len), len, len % 41, *(std::end(Mode::nonce_lens) - 1));

            ASSERT_NO_FATAL_FAILURE(guarded(impl, g, m, 16, ends));
        }
}

// A failure wipes the destination and not a byte more.
TEST_P(Aead, GuardPagesFailure)
{
    Random random(74);
    GuardedMessage g;

    for (size_t len = 0; len <= 600; len++)
        for (bool at_end : { false, true })
            for (size_t i = 0; i < 2; i++) {
                Message m = random_message(random, nth(Mode::key_lens, len), len, 5, nth(Mode::nonce_lens, i));
                const Mode::Key *key = g.set_key(impl.name, m.raw);
                uint8_t *dst = put(g.dst, at_end, Bytes(len, 0xa5), false);

                ASSERT_EQ(crypt(false, key, dst, m.src.data(), m.raw.data(), 16, m), LC_ERR_AUTH);
                ASSERT_TRUE(holds(g.dst, dst, Bytes(len))) << len;
            }
}

TEST_P(Aead, GuardPagesStream)
{
    const size_t block_len = Mode::block_len;
    Random random(75);
    GuardedMessage g;
    Guarded state_memory(sizeof(State));
    State *state = reinterpret_cast<State *>(state_memory.at_end(sizeof(State)));

    for (size_t len = 0; len <= 2 * Mode::split_len; len++)
        for (bool at_end : { false, true })
            for (size_t before : { size_t{ 0 }, size_t{ 5 }, block_len, 2 * block_len + 5 }) { // bytes of earlier calls
                Message m = random_message(random, nth(Mode::key_lens, len), before + len, before + len % 50);
                const Mode::Key *key = g.set_key(impl.name, m.raw);
                Sealed expected = reference::seal(m);
                auto rest = [before](const Bytes &b) { return Bytes(b.begin() + static_cast<long>(before), b.end()); };
                const uint8_t *aad = put(g.aad, at_end, rest(m.aad), true), *nonce = put(g.nonce, at_end, m.nonce, true);

                for (bool encrypt : both_directions) {
                    const Bytes &in = encrypt ? m.src : expected.ct, &out = encrypt ? expected.ct : m.src;
                    const uint8_t *src = put(g.src, at_end, rest(in), true);
                    uint8_t *dst = put(g.dst, at_end, Bytes(len, 0xa5), false);
                    uint8_t *tag = put(g.tag, at_end, encrypt ? Bytes(16, 0xa5) : expected.tag, !encrypt);
                    Bytes start(before);

                    ASSERT_EQ(Mode::start(state, key, nonce, m.nonce.size()), LC_OK);
                    ASSERT_EQ(Mode::aad(state, m.aad.data(), before), LC_OK);
                    ASSERT_EQ(Mode::aad(state, aad, m.aad.size() - before), LC_OK);
                    ASSERT_EQ(crypt_text(encrypt, state, start.data(), in.data(), before), LC_OK);
                    ASSERT_EQ(crypt_text(encrypt, state, dst, src, len), LC_OK);
                    ASSERT_TRUE(holds(g.dst, dst, rest(out))) << len << " after " << before;
                    ASSERT_EQ(tag_or_verify(encrypt, state, tag, 16), LC_OK) << len << " after " << before;
                    ASSERT_TRUE(holds(g.tag, tag, expected.tag)) << len << " after " << before;
                }
            }
}

TEST_P(Aead, InPlace)
{
    Random random(76);

    for (size_t len = 0; len <= 12000; len += len < 1100 ? 1 : len < 3700 ? 13 : 61) {
        Message m = random_message(random, nth(Mode::key_lens, len), len, len % 19, nth(Mode::nonce_lens, len % 7 ? 0 : len / 7));
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);
        Bytes data = m.src, tag(16);

        for (bool encrypt : both_directions) {
            ASSERT_EQ(crypt(encrypt, key, data.data(), data.data(), tag.data(), 16, m), LC_OK);
            ASSERT_TRUE(same({ encrypt ? expected.ct : m.src, expected.tag }, { data, tag })) << len;
        }
    }
}

// The usual form of a packet: header, text, tag, one right after the other, in place; and with the tag in front of the text.
TEST_P(Aead, PacketsInPlace)
{
    Random random(77);

    for (size_t len = 0; len <= 2 * Mode::split_len + 100; len++)
        for (size_t tag_len : Mode::tag_lens)
            for (bool tag_first : { false, true }) {
                Message m = random_message(random, nth(Mode::key_lens, 0), len, 13);
                AeadKey key(impl.name, m.raw);
                Sealed expected = reference::seal(m);
                Bytes packet = m.aad;
                uint8_t *text, *tag;

                packet.resize(13 + len + tag_len, 0x5a);
                tag = packet.data() + 13 + (tag_first ? 0 : len);
                text = packet.data() + 13 + (tag_first ? tag_len : 0);
                std::copy(m.src.begin(), m.src.end(), text);
                for (bool encrypt : both_directions) {
                    ASSERT_EQ(crypt(encrypt, key, text, text, len, tag, tag_len, packet.data(), 13, m.nonce.data(), 12), LC_OK);
                    ASSERT_TRUE(same(m.aad.data(), packet.data(), 13)) << len;
                    ASSERT_TRUE(same((encrypt ? expected.ct : m.src).data(), text, len)) << len;
                    ASSERT_TRUE(same(expected.tag.data(), tag, tag_len)) << len;
                }
            }
}

// All short texts with all short AAD and some longer AAD, each between guard pages, before the one and after the other, in both
// directions; in place at one of them.  These are too many for the reference: they are compared with the portable row, which other
// tests compare with the reference.
TEST_P(Aead, LongTableOfGuardPages)
{
    static const size_t margin = 64, max_len = Mode::short_len / 2 + 200;
    Random random(78);
    Bytes raw = random.bytes(32), text = random.bytes(max_len), all_aad = random.bytes(80), nonce = random.bytes(12), ct(max_len);
    AeadKey key(impl.name, raw), portable(Mode::portable, raw);
    Guarded src_memory(4096), dst_memory(4096), aad_memory(128);

    for (size_t aad_len = 0; aad_len <= 80; aad_len += aad_len < 40 ? 1 : 1 + aad_len % 5)
        for (size_t len = 0; len <= max_len; len++) {
            uint8_t expected[16], tag[16];

            ASSERT_EQ(crypt(true, portable, ct.data(), text.data(), len, expected, 16, all_aad.data(), aad_len, nonce.data(), 12),
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
                    ASSERT_EQ(crypt(encrypt, key, dst, src, len, tag, 16, aad, aad_len, nonce.data(), 12), LC_OK)
                        << "text " << len << ", AAD " << aad_len;
                    ASSERT_TRUE(same(out, dst, len)) << "text " << len << ", AAD " << aad_len;
                    ASSERT_TRUE(same(expected, tag, 16)) << "text " << len << ", AAD " << aad_len;
                    ASSERT_TRUE(all_bytes(free_side, margin, 0xa5)) << "written outside: text " << len << ", AAD " << aad_len;
                }
        }
}

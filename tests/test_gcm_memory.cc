// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-GCM: what is read and written.  Overruns hit guard pages (a crash is the failure) or bytes with a known value; reading is
// checked by guard pages only, so buffers end and begin right at them; keys and all inputs lie in memory that can't be written.
#include "gcm_support.h"

TEST_P(Gcm, EveryAlignment)
{
    static const size_t margin = 64;
    static const size_t lens[] = { 1, 15, 16, 31, 64, 100, 255, 256, 300 };
    Random random(70);
    Guarded src_memory(2048), dst_memory(2048), aad_memory(256);

    for (size_t len : lens) {
        Message m = random_message(random, key_lens[len % 3], len, 21);
        GcmKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (bool encrypt : both_directions) {
            const Bytes &in = encrypt ? m.src : expected.ct, &out = encrypt ? expected.ct : m.src;

            for (size_t i = 0; i < 64; i++) {
                uint8_t *src = src_memory.begin() + margin + i, *aad = aad_memory.begin() + i, tag[64 + 16];

                memcpy(src, in.data(), len);
                memcpy(aad, m.aad.data(), 21);
                for (size_t j = 0; j < 64; j += 1 + i % 3) {
                    uint8_t *dst = dst_memory.begin() + margin + j, *t = tag + j;
                    int status;

                    memset(dst - margin, 0xa5, margin + len + margin);
                    memcpy(t, expected.tag.data(), 16);
                    if (encrypt) {
                        memset(t, 0, 16);
                        status = lc_gcm_seal(key, dst, t, 16, src, len, aad, 21, m.nonce.data(), 12);
                    } else {
                        status = lc_gcm_open(key, dst, src, len, t, 16, aad, 21, m.nonce.data(), 12);
                    }
                    ASSERT_EQ(status, LC_OK) << len << " from alignment " << i << " to " << j;
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
    Guarded src{ 1 << 12 }, dst{ 1 << 12 }, aad{ 1 << 12 }, nonce{ 256 }, tag{ 16 }, key{ sizeof(lc_gcm_key) };

    const lc_gcm_key *set_key(const std::string &impl, const Bytes &raw)
    {
        lc_gcm_key *k = reinterpret_cast<lc_gcm_key *>(key.at_end(sizeof(lc_gcm_key)));

        key.writable();
        must(lc_gcm_init_impl(k, impl.c_str(), raw.data(), raw.size()), "lc_gcm_init_impl()");
        key.read_only();
        return k;
    }

    // right before the guard page, or right behind the other
    static uint8_t *put(Guarded &memory, bool at_end, const Bytes &bytes)
    {
        uint8_t *p = memory.place(at_end, bytes.size());

        memory.writable();
        std::copy(bytes.begin(), bytes.end(), p);
        memory.read_only();
        return p;
    }
};

static void guarded(const lc_impl_info &impl, GuardedMessage &g, const Message &m, size_t tag_len, unsigned ends)
{
    const lc_gcm_key *key = g.set_key(impl.name, m.raw);
    Sealed expected = reference::seal(m);
    const size_t len = m.src.size();
    const uint8_t *aad = GuardedMessage::put(g.aad, ends & 1, m.aad), *nonce = GuardedMessage::put(g.nonce, ends & 2, m.nonce);
    uint8_t *dst = g.dst.place(ends & 4, len), *tag = g.tag.place(ends & 8, tag_len);

    SCOPED_TRACE("text " + std::to_string(len) + ", AAD " + std::to_string(m.aad.size()) + ", nonce " +
                 std::to_string(m.nonce.size()) + ", tag " + std::to_string(tag_len) + ", ends " + std::to_string(ends));
    expected.tag.resize(tag_len);
    for (bool in_place : { false, true })
        for (bool encrypt : both_directions) {
            const Bytes &in = encrypt ? m.src : expected.ct, &out = encrypt ? expected.ct : m.src;
            const uint8_t *src = GuardedMessage::put(g.src, ends & 16, in);

            memset(g.dst.begin(), 0xa5, g.dst.size());
            if (in_place) {
                std::copy(in.begin(), in.end(), dst);
                src = dst;
            }
            if (encrypt) {
                g.tag.writable();
                memset(g.tag.begin(), 0xa5, g.tag.size());
                ASSERT_EQ(lc_gcm_seal(key, dst, tag, tag_len, src, len, aad, m.aad.size(), nonce, m.nonce.size()), LC_OK);
                ASSERT_TRUE(same(expected.tag.data(), tag, tag_len));
                ASSERT_TRUE(all_bytes(g.tag.begin(), static_cast<size_t>(tag - g.tag.begin()), 0xa5));
                ASSERT_TRUE(all_bytes(tag + tag_len, static_cast<size_t>(g.tag.end() - tag) - tag_len, 0xa5));
            } else {
                GuardedMessage::put(g.tag, ends & 8, expected.tag);
                ASSERT_EQ(lc_gcm_open(key, dst, src, len, tag, tag_len, aad, m.aad.size(), nonce, m.nonce.size()), LC_OK);
            }
            ASSERT_TRUE(same(out.data(), dst, len));
            ASSERT_TRUE(all_bytes(g.dst.begin(), static_cast<size_t>(dst - g.dst.begin()), 0xa5));
            ASSERT_TRUE(all_bytes(dst + len, static_cast<size_t>(g.dst.end() - dst) - len, 0xa5));
        }
}

TEST_P(Gcm, GuardPages)
{
    Random random(71);
    GuardedMessage g;

    for (size_t len = 0; len <= 600; len++)
        for (unsigned ends : { 0u, 31u, static_cast<unsigned>(random.below(32)) })
            ASSERT_NO_FATAL_FAILURE(guarded(impl, g, random_message(random, key_lens[len % 3], len, len % 41), 16, ends));
}

TEST_P(Gcm, GuardPagesAad)
{
    Random random(72);
    GuardedMessage g;

    for (size_t aad_len = 0; aad_len <= 400; aad_len++)
        for (unsigned ends : { 0u, 31u })
            ASSERT_NO_FATAL_FAILURE(
                guarded(impl, g, random_message(random, key_lens[aad_len % 3], aad_len % 23, aad_len), 16, ends));
}

TEST_P(Gcm, GuardPagesNonceAndTag)
{
    Random random(73);
    GuardedMessage g;

    for (size_t nonce_len = 1; nonce_len <= 128; nonce_len = nonce_len == 64 ? 128 : nonce_len + 1)
        for (size_t tag_len : tag_lens)
            for (unsigned ends : { 0u, 31u })
                ASSERT_NO_FATAL_FAILURE(
                    guarded(impl, g, random_message(random, key_lens[nonce_len % 3], nonce_len, 13, nonce_len), tag_len, ends));
}

// A failure wipes the destination and not a byte more.
TEST_P(Gcm, GuardPagesFailure)
{
    Random random(74);
    GuardedMessage g;

    for (size_t len = 0; len <= 300; len++)
        for (bool at_end : { false, true }) {
            Message m = random_message(random, 16, len, 5);
            const lc_gcm_key *key = g.set_key(impl.name, m.raw);
            uint8_t *dst = g.dst.place(at_end, len);

            memset(g.dst.begin(), 0xa5, g.dst.size());
            ASSERT_EQ(lc_gcm_open(key, dst, m.src.data(), len, m.raw.data(), 16, m.aad.data(), 5, m.nonce.data(), 12), LC_ERR_AUTH);
            ASSERT_TRUE(all_bytes(dst, len, 0)) << len;
            ASSERT_TRUE(all_bytes(g.dst.begin(), static_cast<size_t>(dst - g.dst.begin()), 0xa5)) << len;
            ASSERT_TRUE(all_bytes(dst + len, static_cast<size_t>(g.dst.end() - dst) - len, 0xa5)) << len;
        }
}

TEST_P(Gcm, GuardPagesStream)
{
    Random random(75);
    GuardedMessage g;
    Guarded state_memory(sizeof(lc_gcm_state));
    lc_gcm_state *state = reinterpret_cast<lc_gcm_state *>(state_memory.at_end(sizeof(lc_gcm_state)));

    for (size_t len = 0; len <= 300; len++)
        for (bool at_end : { false, true })
            for (size_t before : { 0, 5, 16, 37 }) { // bytes of the calls before those that are looked at
                Message m = random_message(random, key_lens[len % 3], before + len, before + len % 50);
                const lc_gcm_key *key = g.set_key(impl.name, m.raw);
                Sealed expected = reference::seal(m);
                auto rest = [before](const Bytes &b) { return Bytes(b.begin() + static_cast<long>(before), b.end()); };
                const uint8_t *aad = GuardedMessage::put(g.aad, at_end, rest(m.aad));

                for (bool encrypt : both_directions) {
                    const Bytes &in = encrypt ? m.src : expected.ct, &out = encrypt ? expected.ct : m.src;
                    const uint8_t *src = GuardedMessage::put(g.src, at_end, rest(in));
                    uint8_t *dst = g.dst.place(at_end, len), tag[16];
                    Bytes start(before);

                    memset(g.dst.begin(), 0xa5, g.dst.size());
                    ASSERT_EQ(lc_gcm_start(state, key, m.nonce.data(), 12), LC_OK);
                    ASSERT_EQ(lc_gcm_aad(state, m.aad.data(), before), LC_OK);
                    ASSERT_EQ(lc_gcm_aad(state, aad, m.aad.size() - before), LC_OK);
                    ASSERT_EQ(crypt_text(encrypt, state, start.data(), in.data(), before), LC_OK);
                    ASSERT_EQ(crypt_text(encrypt, state, dst, src, len), LC_OK);
                    ASSERT_TRUE(same(out.data() + before, dst, len)) << len << " behind " << before;
                    ASSERT_TRUE(all_bytes(g.dst.begin(), static_cast<size_t>(dst - g.dst.begin()), 0xa5));
                    ASSERT_TRUE(all_bytes(dst + len, static_cast<size_t>(g.dst.end() - dst) - len, 0xa5));
                    if (encrypt) {
                        ASSERT_EQ(lc_gcm_tag(state, tag, 16), LC_OK);
                        ASSERT_TRUE(same(expected.tag.data(), tag, 16)) << len << " behind " << before;
                    } else {
                        ASSERT_EQ(lc_gcm_verify(state, expected.tag.data(), 16), LC_OK) << len << " behind " << before;
                    }
                }
            }
}

TEST_P(Gcm, InPlace)
{
    Random random(76);

    for (size_t len = 0; len <= 1100; len++) {
        Message m = random_message(random, key_lens[len % 3], len, len % 19);
        GcmKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);
        Bytes data = m.src, tag(16);

        ASSERT_EQ(lc_gcm_seal(key, data.data(), tag.data(), 16, data.data(), len, m.aad.data(), m.aad.size(), m.nonce.data(), 12),
                  LC_OK);
        ASSERT_TRUE(same(expected, { data, tag })) << len;
        ASSERT_EQ(lc_gcm_open(key, data.data(), data.data(), len, tag.data(), 16, m.aad.data(), m.aad.size(), m.nonce.data(), 12),
                  LC_OK);
        ASSERT_TRUE(same(m.src, data)) << len;
    }
}

// The usual form of a packet: header, text, tag, one behind the other, in place.
TEST_P(Gcm, PacketsInPlace)
{
    Random random(77);

    for (size_t len = 0; len <= 300; len++)
        for (size_t tag_len : tag_lens) {
            Message m = random_message(random, 16, len, 13);
            GcmKey key(impl.name, m.raw);
            Sealed expected = reference::seal(m);
            Bytes packet = m.aad;
            uint8_t *text, *tag;

            packet.insert(packet.end(), m.src.begin(), m.src.end());
            packet.resize(13 + len + tag_len, 0x5a);
            text = packet.data() + 13;
            tag = text + len;
            ASSERT_EQ(lc_gcm_seal(key, text, tag, tag_len, text, len, packet.data(), 13, m.nonce.data(), 12), LC_OK);
            ASSERT_TRUE(same(m.aad.data(), packet.data(), 13)) << len;
            ASSERT_TRUE(same(expected.ct.data(), text, len)) << len;
            ASSERT_TRUE(same(expected.tag.data(), tag, tag_len)) << len;
            ASSERT_EQ(lc_gcm_open(key, text, text, len, tag, tag_len, packet.data(), 13, m.nonce.data(), 12), LC_OK);
            ASSERT_TRUE(same(m.src.data(), text, len)) << len;
        }
}

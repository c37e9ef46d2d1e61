// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-GCM: many messages in one call.  An implementation may take short ones together, four at a time (gcm.c), in any mixture with
// others; no message may have an influence on the next.  Also the table of all short lengths of text and AAD between guard pages.
#include <algorithm>
#include <memory>

#include "gcm_support.h"

static const size_t max_num = 13; // three times four, and one

// Everything that an item points to, each by itself between guard pages.
struct GuardedItem {
    Guarded src{ 400 }, dst{ 400 }, aad{ 64 }, nonce{ 12 }, tag{ 16 };
    Message m;
    Sealed expected;
    Bytes in, out; // of this call
    bool in_place = false;

    GuardedItem() {}

    static uint8_t *put(Guarded &memory, bool at_end, const Bytes &bytes, bool read_only)
    {
        uint8_t *p = memory.place(at_end, bytes.size());

        memory.writable();
        memset(memory.begin(), 0xa5, memory.size());
        std::copy(bytes.begin(), bytes.end(), p);
        if (read_only)
            memory.read_only();
        return p;
    }

    // ends: bits that say at which guard page things lie, and whether src is dst
    lc_aead_item item(bool encrypt, size_t ends)
    {
        lc_aead_item i;

        in = encrypt ? m.src : expected.ct;
        out = encrypt ? expected.ct : m.src;
        in_place = ends & 1;
        i.dst = put(dst, ends & 2, in_place ? in : Bytes(in.size(), 0xa5), false);
        i.src = put(src, ends & 4, in, true);
        if (in_place)
            i.src = i.dst;
        i.tag = put(tag, ends & 8, encrypt ? Bytes(16, 0xa5) : expected.tag, !encrypt);
        i.len = in.size();
        i.aad = put(aad, ends & 16, m.aad, true);
        i.aad_len = m.aad.size();
        i.nonce = put(nonce, ends & 32, m.nonce, true);
        i.status = 77;
        return i;
    }

    // Is `text` at p, and nothing else changed in that memory?
    static ::testing::AssertionResult holds(const Guarded &memory, const uint8_t *p, const Bytes &text)
    {
        if (!all_bytes(memory.begin(), static_cast<size_t>(p - memory.begin()), 0xa5) ||
            !all_bytes(p + text.size(), static_cast<size_t>(memory.end() - p) - text.size(), 0xa5))
            return ::testing::AssertionFailure() << "written outside";
        return same(text.data(), p, text.size());
    }

    ::testing::AssertionResult is_done(const lc_aead_item &i) const
    {
        ::testing::AssertionResult text = holds(dst, i.dst, out), t = holds(tag, i.tag, expected.tag);

        if (i.status != LC_OK)
            return ::testing::AssertionFailure() << "status " << i.status;
        return !text ? text : !t ? t : in_place ? text : holds(src, i.src, in);
    }
};

static std::vector<std::unique_ptr<GuardedItem>> guarded_items()
{
    std::vector<std::unique_ptr<GuardedItem>> items;

    for (size_t i = 0; i < max_num; i++)
        items.emplace_back(new GuardedItem);
    return items;
}

// Messages of these lengths in one call, both ways, each thing at one guard page or the other
static void many_guarded(const lc_impl_info &impl, Random &random, const std::vector<size_t> &lens,
                         const std::vector<size_t> &aad_lens)
{
    static std::vector<std::unique_ptr<GuardedItem>> memory = guarded_items();
    Bytes raw = random.bytes(key_lens[lens[0] % 3]);
    GcmKey key(impl.name, raw);
    const size_t num = lens.size();

    for (size_t i = 0; i < num; i++) {
        memory[i]->m = random_message(random, 16, lens[i], aad_lens[i]);
        memory[i]->m.raw = raw;
        memory[i]->expected = reference::seal(memory[i]->m);
    }
    for (bool encrypt : both_directions) {
        std::vector<lc_aead_item> items, before;

        for (size_t i = 0; i < num; i++)
            items.push_back(memory[i]->item(encrypt, random.below(64)));
        before = items;
        ASSERT_EQ((encrypt ? lc_gcm_seal_many : lc_gcm_open_many)(key, items.data(), num), LC_OK);
        for (size_t i = 0; i < num; i++) {
            ASSERT_TRUE(memory[i]->is_done(items[i]))
                << "item " << i << " of " << num << ": " << lens[i] << ", AAD " << aad_lens[i];
            before[i].status = LC_OK;
            ASSERT_EQ(memcmp(&before[i], &items[i], offsetof(lc_aead_item, status) + sizeof(int)), 0) << "the item has changed";
        }
    }
}

// Every length in every place of the four, next to others of all kinds; what has more than 256 bytes, or 16 of AAD, in between.
TEST_P(Gcm, BatchesOfAllLengths)
{
    Random random(80);

    for (size_t len = 0; len <= 300; len++)
        for (size_t place = 0; place < 4; place++) {
            std::vector<size_t> lens(place + 1 + (len + place) % (max_num - 3)), aad_lens(lens.size());

            for (size_t i = 0; i < lens.size(); i++) {
                lens[i] = i == place ? len : random.below(random.below(8) ? 257 : 301);
                aad_lens[i] = random.below(8) ? (len + 5 * i) % 17 : random.below(41);
            }
            ASSERT_NO_FATAL_FAILURE(many_guarded(impl, random, lens, aad_lens));
        }
}

TEST_P(Gcm, BatchesOfAllAadLengths)
{
    Random random(81);

    for (size_t aad_len = 0; aad_len <= 40; aad_len++)
        for (size_t place = 0; place < 4; place++)
            for (size_t len : { 0, 1, 16, 64, 65, 255, 256 }) {
                std::vector<size_t> lens(4, len), aad_lens(4);

                for (size_t i = 0; i < 4; i++) {
                    lens[i] = i == place || random.below(2) ? len : random.below(257);
                    aad_lens[i] = i == place ? aad_len : random.below(17);
                }
                ASSERT_NO_FATAL_FAILURE(many_guarded(impl, random, lens, aad_lens));
            }
}

// All lengths at their ends: whole vectors, whole blocks, one byte more or less, in all mixtures of four.
TEST_P(Gcm, BatchesOfEdges)
{
    static const size_t edges[] = { 0, 1, 16, 63, 64, 65, 192, 256 };
    Random random(82);

    for (size_t a : edges)
        for (size_t b : edges)
            for (size_t c : edges)
                ASSERT_NO_FATAL_FAILURE(many_guarded(impl, random, { a, b, c, edges[random.below(8)] }, { a % 17, 16, 0, c % 17 }));
}

// Small messages under one key with memory of their own, for what follows.
struct Packets {
    std::vector<Message> messages;
    std::vector<Sealed> sealed;
    std::vector<Bytes> dst;
    std::vector<lc_aead_item> items;

    Packets(Random &random, const Bytes &raw, size_t num) : dst(num), items(num)
    {
        for (size_t i = 0; i < num; i++) {
            messages.push_back(random_message(random, 16, random.below(300), random.below(24)));
            messages[i].raw = raw;
            sealed.push_back(reference::seal(messages[i]));
        }
    }

    void to_open(bool in_place)
    {
        for (size_t i = 0; i < items.size(); i++) {
            const Message &m = messages[i];

            dst[i] = in_place ? sealed[i].ct : Bytes(m.src.size(), 0x5a);
            items[i] = { dst[i].data(), sealed[i].tag.data(), in_place ? dst[i].data() : sealed[i].ct.data(), m.src.size(),
                         m.aad.data(), m.aad.size(), m.nonce.data(), 77 };
        }
    }

    // Those in the set are refused and wiped, the others opened.
    ::testing::AssertionResult opened_but(uint32_t bad) const
    {
        for (size_t i = 0; i < items.size(); i++) {
            bool is_bad = bad >> i & 1;

            if (items[i].status != (is_bad ? LC_ERR_AUTH : LC_OK))
                return ::testing::AssertionFailure() << "status of " << i << " is " << items[i].status;
            if (is_bad ? !all_bytes(dst[i].data(), dst[i].size(), 0) : dst[i] != messages[i].src)
                return ::testing::AssertionFailure() << "the text of " << i;
        }
        return ::testing::AssertionSuccess();
    }
};

TEST_P(Gcm, BatchesWithAnySubsetBad)
{
    Random random(83);
    Bytes raw = random.bytes(32);
    GcmKey key(impl.name, raw);

    for (size_t num = 0; num <= max_num; num++) {
        Packets p(random, raw, num);
        const uint32_t all = (1u << num) - 1;

        for (uint32_t i = 0; i <= std::min(all, 255u); i++) {
            const uint32_t bad = all <= 255 ? i : static_cast<uint32_t>(random.next()) & all;
            std::vector<size_t> bits(num);

            p.to_open(i & 1);
            for (size_t n = 0; n < num; n++) {
                bits[n] = random.below(128);
                p.sealed[n].tag[bits[n] / 8] ^= static_cast<uint8_t>((bad >> n & 1) << bits[n] % 8);
            }
            std::vector<Sealed> before = p.sealed;
            ASSERT_EQ(lc_gcm_open_many(key, p.items.data(), num), bad ? LC_ERR_AUTH : LC_OK);
            ASSERT_TRUE(p.opened_but(bad)) << bad << " of " << num;
            for (size_t n = 0; n < num; n++) {
                ASSERT_TRUE(same(before[n], p.sealed[n])) << "the tag or the source has changed";
                p.sealed[n].tag[bits[n] / 8] ^= static_cast<uint8_t>((bad >> n & 1) << bits[n] % 8);
            }
        }
    }
}

// A single bit anywhere in one message, and the messages that it was taken together with are none the worse.
TEST_P(Gcm, BatchesWithAnyBitWrong)
{
    Random random(84);
    Bytes raw = random.bytes(16);
    GcmKey key(impl.name, raw);

    for (size_t place = 0; place < 5; place++) {
        Packets p(random, raw, 5);
        Message &m = p.messages[place];

        m.src.resize(20 + 13 * place);
        m.aad.resize(16 - place);
        p.sealed[place] = reference::seal(m);
        for (Bytes *bytes : { &p.sealed[place].tag, &p.sealed[place].ct, &m.aad, &m.nonce })
            for (size_t bit = 0; bit < 8 * bytes->size(); bit++) {
                const uint8_t mask = static_cast<uint8_t>(1 << bit % 8);

                (*bytes)[bit / 8] ^= mask;
                p.to_open(bit % 2);
                ASSERT_EQ(lc_gcm_open_many(key, p.items.data(), 5), LC_ERR_AUTH) << place << ", bit " << bit;
                ASSERT_TRUE(p.opened_but(1u << place)) << place << ", bit " << bit;
                (*bytes)[bit / 8] ^= mask;
            }
    }
}

// Lengths that are refused: nothing of that item is touched, in whatever place it is; the others are done.
TEST_P(Gcm, BatchesWithRefusedLengths)
{
    Random random(85);
    Bytes raw = random.bytes(24);
    GcmKey key(impl.name, raw);
    Guarded nothing(1);
    uint8_t *no = nothing.end();

    for (size_t num = 1; num <= max_num; num++)
        for (size_t bad = 0; bad < num; bad++) {
            Packets p(random, raw, num);
            std::vector<Bytes> tags(num, Bytes(16));
            const size_t too_long = static_cast<size_t>(bad % 2 ? LC_GCM_MAX_LEN : LC_GCM_MAX_AAD_LEN) + 1;

            p.to_open(false);
            p.items[bad] = { no, no, no, bad % 2 ? too_long : 5, no, bad % 2 ? 5 : too_long, no, 77 };
            ASSERT_EQ(lc_gcm_open_many(key, p.items.data(), num), LC_ERR_LEN);
            for (size_t i = 0; i < num; i++) {
                ASSERT_EQ(p.items[i].status, i == bad ? LC_ERR_LEN : LC_OK) << i << " of " << num;
                ASSERT_TRUE(i == bad || same(p.messages[i].src, p.dst[i])) << i << " of " << num;
                if (i != bad) {
                    p.items[i].src = p.messages[i].src.data();
                    p.items[i].tag = tags[i].data();
                }
            }
            ASSERT_EQ(lc_gcm_seal_many(key, p.items.data(), num), LC_ERR_LEN);
            for (size_t i = 0; i < num; i++) {
                ASSERT_EQ(p.items[i].status, i == bad ? LC_ERR_LEN : LC_OK) << i << " of " << num;
                ASSERT_TRUE(i == bad || same(p.sealed[i], { p.dst[i], tags[i] })) << i << " of " << num;
            }
        }
}

// A ring of packets, one right behind the other, header, text and tag, in place.
TEST_P(Gcm, BatchesOfPacketsInARow)
{
    Random random(86);
    Bytes raw = random.bytes(32);
    GcmKey key(impl.name, raw);

    for (size_t round = 0; round < 300; round++) {
        const size_t num = round % (max_num + 1);
        Bytes plain, sealed, nonces;
        std::vector<size_t> begins;
        std::vector<Message> messages;

        for (size_t i = 0; i < num; i++) {
            Message m = random_message(random, 32, random.below(270), random.below(17));

            m.raw = raw;
            Sealed s = reference::seal(m);
            begins.push_back(plain.size());
            for (Bytes *to : { &plain, &sealed })
                to->insert(to->end(), m.aad.begin(), m.aad.end());
            plain.insert(plain.end(), m.src.begin(), m.src.end());
            plain.insert(plain.end(), s.tag.begin(), s.tag.end());
            sealed.insert(sealed.end(), s.ct.begin(), s.ct.end());
            sealed.insert(sealed.end(), s.tag.begin(), s.tag.end());
            messages.push_back(m);
        }
        Bytes memory = plain;
        for (bool encrypt : both_directions) {
            std::vector<lc_aead_item> items;

            for (size_t i = 0; i < num; i++) {
                const Message &m = messages[i];
                uint8_t *aad = memory.data() + begins[i], *text = aad + m.aad.size(), *tag = text + m.src.size();

                if (encrypt)
                    memset(tag, 0, 16);
                items.push_back({ text, tag, text, m.src.size(), aad, m.aad.size(), m.nonce.data(), 77 });
            }
            ASSERT_EQ((encrypt ? lc_gcm_seal_many : lc_gcm_open_many)(key, items.data(), num), LC_OK);
            ASSERT_TRUE(same(encrypt ? sealed : plain, memory)) << num;
        }
    }
}

// NULL wherever there is a length of 0, next to messages that have everything.
TEST_P(Gcm, BatchesWithNull)
{
    Random random(87);
    Bytes raw = random.bytes(16);
    GcmKey key(impl.name, raw);

    for (unsigned which = 0; which < 256; which++) { // two bits an item: without text, without AAD
        std::vector<Message> messages;
        std::vector<Bytes> dst(4), tags(4, Bytes(16));
        std::vector<lc_aead_item> items;

        for (size_t i = 0; i < 4; i++) {
            const bool text = which >> 2 * i & 1, aad = which >> 2 * i & 2;

            messages.push_back(random_message(random, 16, text ? 1 + random.below(256) : 0, aad ? 1 + random.below(16) : 0));
            messages[i].raw = raw;
            dst[i].resize(messages[i].src.size());
            items.push_back({ text ? dst[i].data() : nullptr, tags[i].data(), text ? messages[i].src.data() : nullptr,
                              dst[i].size(), aad ? messages[i].aad.data() : nullptr, messages[i].aad.size(),
                              messages[i].nonce.data(), 77 });
        }
        ASSERT_EQ(lc_gcm_seal_many(key, items.data(), 4), LC_OK);
        for (size_t i = 0; i < 4; i++) {
            ASSERT_TRUE(same(reference::seal(messages[i]), { dst[i], tags[i] })) << which << ", " << i;
            items[i].src = items[i].dst;
        }
        ASSERT_EQ(lc_gcm_open_many(key, items.data(), 4), LC_OK);
        for (size_t i = 0; i < 4; i++)
            ASSERT_TRUE(same(messages[i].src, dst[i])) << which << ", " << i;
    }
}

// ---- All short texts with all short AAD ----

// Each between guard pages, before the one and behind the other, in both directions; in place at one of them.  Too many for the
// reference, so the portable row has to do, which other tests compare with it.
TEST_P(Gcm, LongTableOfGuardPages)
{
    static const size_t margin = 64;
    Random random(88);
    Bytes raw = random.bytes(32), text = random.bytes(600), all_aad = random.bytes(40), nonce = random.bytes(12), ct(600);
    GcmKey key(impl.name, raw), portable("gcm-aes-portable", raw);
    Guarded src_memory(4096), dst_memory(4096), aad_memory(64);

    for (size_t aad_len = 0; aad_len <= 40; aad_len++)
        for (size_t len = 0; len <= 600; len++) {
            uint8_t expected[16], tag[16];

            ASSERT_EQ(lc_gcm_seal(portable, ct.data(), expected, 16, text.data(), len, all_aad.data(), aad_len, nonce.data(), 12),
                      LC_OK);
            for (bool at_end : { false, true })
                for (bool encrypt : both_directions) {
                    const uint8_t *in = encrypt ? text.data() : ct.data(), *out = encrypt ? ct.data() : text.data();
                    uint8_t *src = src_memory.place(at_end, len), *dst = dst_memory.place(at_end != (len % 2 != 0), len);
                    uint8_t *aad = aad_memory.place(at_end, aad_len), *free_side;
                    int status;

                    free_side = dst == dst_memory.begin() ? dst + len : dst - margin;
                    memset(free_side, 0xa5, margin);
                    if (len) {
                        memcpy(aad_len % 2 ? src : dst, in, len);
                        if (aad_len % 2 == 0)
                            src = dst;
                    }
                    if (aad_len)
                        memcpy(aad, all_aad.data(), aad_len);
                    if (encrypt)
                        status = lc_gcm_seal(key, dst, tag, 16, src, len, aad, aad_len, nonce.data(), 12);
                    else
                        status = lc_gcm_open(key, dst, src, len, expected, 16, aad, aad_len, nonce.data(), 12);
                    ASSERT_EQ(status, LC_OK) << "text " << len << ", AAD " << aad_len;
                    ASSERT_TRUE(same(out, dst, len)) << "text " << len << ", AAD " << aad_len;
                    ASSERT_TRUE(!encrypt || same(expected, tag, 16)) << "text " << len << ", AAD " << aad_len;
                    ASSERT_TRUE(all_bytes(free_side, margin, 0xa5)) << "written outside: text " << len << ", AAD " << aad_len;
                }
        }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AEADs: many messages in one call.  An implementation may take short ones together, in any mixture with others.  No message may
// have an influence on another.
#include <algorithm>
#include <memory>

#include "aead_support.h"

static const size_t max_num = 40, batch_len = Mode::batch_len, batch_aad_len = Mode::batch_aad_len;

// Everything that an item points to, each by itself between guard pages.
struct GuardedItem {
    Guarded src{ 1200 }, dst{ 1200 }, aad{ 320 }, nonce{ 12 }, tag{ 16 };
    Message m;
    Sealed expected;
    Bytes in, out; // of this call
    bool in_place = false;

    // ends: bits that say at which guard page things lie, and whether src is dst
    lc_aead_item item(bool encrypt, size_t ends)
    {
        lc_aead_item i;

        in = encrypt ? m.src : expected.ct;
        out = encrypt ? expected.ct : m.src;
        in_place = ends & 1;
        i.dst = put(dst, ends & 2, in_place ? in : Bytes(in.size(), 0xa5), false);
        i.src = in_place ? i.dst : put(src, ends & 4, in, true);
        i.tag = put(tag, ends & 8, encrypt ? Bytes(16, 0xa5) : expected.tag, !encrypt);
        i.len = in.size();
        i.aad = put(aad, ends & 16, m.aad, true);
        i.aad_len = m.aad.size();
        i.nonce = put(nonce, ends & 32, m.nonce, true);
        i.status = 77;
        return i;
    }

    ::testing::AssertionResult is_done(const lc_aead_item &i) const
    {
        ::testing::AssertionResult text = holds(dst, i.dst, out), t = holds(tag, i.tag, expected.tag);

        if (i.status != LC_OK)
            return ::testing::AssertionFailure() << "status " << i.status;
        return !text ? text : t;
    }
};

// Messages of these lengths in one call, both ways, each thing at one guard page or the other
static void many_guarded(const lc_impl_info &impl, Random &random, const std::vector<size_t> &lens,
                         const std::vector<size_t> &aad_lens)
{
    static std::vector<std::unique_ptr<GuardedItem>> memory;
    Bytes raw = random.bytes(nth(Mode::key_lens, lens[0]));
    AeadKey key(impl.name, raw);
    const size_t num = lens.size();

    for (size_t i = 0; i < num; i++) {
        if (i == memory.size())
            memory.emplace_back(new GuardedItem);
        memory[i]->m = random_message(random, 0, lens[i], aad_lens[i]);
        memory[i]->m.raw = raw;
        memory[i]->expected = reference::seal(memory[i]->m);
    }
    for (bool encrypt : both_directions) {
        std::vector<lc_aead_item> items, before;

        for (size_t i = 0; i < num; i++)
            items.push_back(memory[i]->item(encrypt, random.below(64)));
        before = items;
        ASSERT_EQ(crypt_many(encrypt, key, items.data(), num), LC_OK);
        for (size_t i = 0; i < num; i++) {
            ASSERT_TRUE(memory[i]->is_done(items[i]))
                << "item " << i << " of " << num << ": " << lens[i] << ", AAD " << aad_lens[i];
            before[i].status = LC_OK;
            ASSERT_EQ(memcmp(&before[i], &items[i], offsetof(lc_aead_item, status) + sizeof(int)), 0) << "the item has changed";
        }
    }
}

// Every length in several places, next to others of all kinds: those that are taken together, and longer ones in between
TEST_P(Aead, BatchesOfAllLengths)
{
    Random random(80);

    for (size_t len = 0; len <= 600; len += len < 200 ? 1 : 5)
        for (size_t place : { 0, 1, 2, 3, 7 }) {
            std::vector<size_t> lens(place + 1 + random.below(10)), aad_lens(lens.size());

            for (size_t i = 0; i < lens.size(); i++) {
                const size_t most = random.below(2) ? 70 : random.below(8) ? batch_len + 1 : random.below(4) ? 301 : 1200;

                lens[i] = i == place ? len : random.below(most);
                aad_lens[i] = random.below(random.below(8) ? batch_aad_len + 1 : random.below(4) ? 41 : 301);
            }
            ASSERT_NO_FATAL_FAILURE(many_guarded(impl, random, lens, aad_lens));
        }
}

TEST_P(Aead, BatchesOfAllAadLengths)
{
    Random random(81);

    for (size_t aad_len = 0; aad_len <= 80; aad_len++)
        for (size_t place = 0; place < 4; place++)
            for (size_t len : { size_t{ 0 }, size_t{ 1 }, size_t{ 16 }, size_t{ 64 }, size_t{ 65 }, batch_len - 1, batch_len }) {
                std::vector<size_t> lens(4, len), aad_lens(4);

                for (size_t i = 0; i < 4; i++) {
                    lens[i] = i == place || random.below(2) ? len : random.below(batch_len + 1);
                    aad_lens[i] = i == place ? aad_len : random.below(batch_aad_len + 1);
                }
                ASSERT_NO_FATAL_FAILURE(many_guarded(impl, random, lens, aad_lens));
            }
    for (size_t aad_len = 81; aad_len <= 300; aad_len++)
        for (size_t len : { size_t{ 0 }, size_t{ 64 }, batch_len })
            ASSERT_NO_FATAL_FAILURE(many_guarded(impl, random, { 10, len, random.below(200) }, { aad_len % 50, aad_len, 13 }));
}

// Batches of every number of items, all of one length, so that they end with every number of blocks
TEST_P(Aead, BatchesOfAllSizes)
{
    Random random(82);

    for (size_t num = 1; num <= max_num; num++)
        for (size_t len : { 0, 1, 64, 65, 128, 129, 192, 193 })
            ASSERT_NO_FATAL_FAILURE(many_guarded(impl, random, std::vector<size_t>(num, len), std::vector<size_t>(num, 13)));
}

// Whole vectors, whole blocks, one byte more or less, in all mixtures of four
TEST_P(Aead, BatchesOfEdges)
{
    static const size_t edges[] = { 0, 1, 16, 63, 64, 65, 192, 256, 512 };
    Random random(83);

    for (size_t a : edges)
        for (size_t b : edges)
            for (size_t c : edges)
                ASSERT_NO_FATAL_FAILURE(many_guarded(impl, random, { a, b, c, edges[random.below(std::size(edges))] },
                                                     { a % 17, 16, 0, c % (batch_aad_len + 1) }));
}

// Small messages under one key with memory of their own, for what follows.
struct Packets {
    std::vector<Message> messages;
    std::vector<Sealed> sealed;
    std::vector<Bytes> dst, tags;
    std::vector<lc_aead_item> items;

    Packets(Random &random, const Bytes &raw, size_t num, size_t max_len) : dst(num), tags(num), items(num)
    {
        for (size_t i = 0; i < num; i++) {
            messages.push_back(random_message(random, 0, random.below(max_len + 1), random.below(random.below(8) ? 24 : 60)));
            messages[i].raw = raw;
            sealed.push_back(reference::seal(messages[i]));
        }
    }

    lc_aead_item *prepare(bool encrypt, bool in_place)
    {
        for (size_t i = 0; i < items.size(); i++) {
            const Message &m = messages[i];
            const Bytes &in = encrypt ? m.src : sealed[i].ct;

            tags[i] = encrypt ? Bytes(16, 0x5a) : sealed[i].tag;
            dst[i] = in_place ? in : Bytes(in.size(), 0x5a);
            items[i] = { dst[i].data(),
                         tags[i].data(),
                         in_place ? dst[i].data() : in.data(),
                         in.size(),
                         m.aad.data(),
                         m.aad.size(),
                         m.nonce.data(),
                         77 };
        }
        return items.data();
    }

    // Those in the set are refused and wiped, the others opened.
    ::testing::AssertionResult opened_but(uint64_t bad) const
    {
        for (size_t i = 0; i < items.size(); i++) {
            bool is_bad = bad >> i & 1;

            if (items[i].status != (is_bad ? LC_ERR_AUTH : LC_OK))
                return ::testing::AssertionFailure() << "status of " << i << " is " << items[i].status;
            if (is_bad ? !all_bytes(dst[i].data(), dst[i].size(), 0) : dst[i] != messages[i].src)
                return ::testing::AssertionFailure() << "the text of " << i;
            if (tags[i] != sealed[i].tag)
                return ::testing::AssertionFailure() << "the tag of " << i << " has changed";
        }
        return ::testing::AssertionSuccess();
    }

    // All have the right results, but for one that was refused for its length.
    ::testing::AssertionResult done_but(size_t bad, bool encrypt) const
    {
        for (size_t i = 0; i < items.size(); i++) {
            if (items[i].status != (i == bad ? LC_ERR_LEN : LC_OK))
                return ::testing::AssertionFailure() << "status of " << i << " is " << items[i].status;
            if (i != bad && !same({ encrypt ? sealed[i].ct : messages[i].src, sealed[i].tag }, { dst[i], tags[i] }))
                return ::testing::AssertionFailure() << "the text or the tag of " << i;
        }
        return ::testing::AssertionSuccess();
    }
};

static const size_t none_bad = SIZE_MAX;

TEST_P(Aead, Many)
{
    Random random(84);
    Bytes raw = random.bytes(32);
    AeadKey key(impl.name, raw);

    for (size_t num = 0; num <= max_num; num++)
        for (size_t max_len : { 20, 200, 300, 3000 }) {
            Packets p(random, raw, num, max_len);

            for (bool in_place : { false, true })
                for (bool encrypt : both_directions) {
                    ASSERT_EQ(crypt_many(encrypt, key, p.prepare(encrypt, in_place), num), LC_OK);
                    ASSERT_TRUE(p.done_but(none_bad, encrypt)) << num;
                }
        }
    for (bool encrypt : both_directions)
        EXPECT_EQ(crypt_many(encrypt, key, nullptr, 0), LC_OK);
}

TEST_P(Aead, BatchesWithAnySubsetBad)
{
    Random random(85);
    Bytes raw = random.bytes(32);
    AeadKey key(impl.name, raw);

    for (size_t num = 0; num <= max_num; num++) {
        Packets p(random, raw, num, num % 2 ? 60 : 300);
        const uint64_t all = (UINT64_C(1) << num) - 1, num_sets = num <= 13 ? std::min(all + 1, UINT64_C(256)) : num + 64;

        for (uint64_t i = 0; i < num_sets; i++) {
            // every set; or every single one, and then any
            const uint64_t bad = all < 256 ? i : i < num ? UINT64_C(1) << i : i == num ? all : random.next() & all;
            std::vector<Sealed> right = p.sealed;

            for (size_t n = 0; n < num; n++)
                if (bad >> n & 1)
                    flip(&p.sealed[n].tag, random.below(128));
            std::vector<Sealed> before = p.sealed;
            ASSERT_EQ(crypt_many(false, key, p.prepare(false, i & 1), num), bad ? LC_ERR_AUTH : LC_OK);
            ASSERT_TRUE(p.opened_but(bad)) << bad << " of " << num;
            for (size_t n = 0; n < num; n++)
                ASSERT_TRUE(same(before[n], p.sealed[n])) << "the source has changed";
            p.sealed = right;
        }
    }
}

// A single bit anywhere in one message, and the messages that it was taken together with are none the worse.
TEST_P(Aead, BatchesWithAnyBitWrong)
{
    Random random(86);
    Bytes raw = random.bytes(32);
    AeadKey key(impl.name, raw);

    for (size_t place = 0; place < 5; place++) {
        Packets p(random, raw, 5, 100);
        Message &m = p.messages[place];

        m.src.resize(20 + 33 * place);
        m.aad.resize(16 - place);
        p.sealed[place] = reference::seal(m);
        for (Bytes *bytes : { &p.sealed[place].tag, &p.sealed[place].ct, &m.aad, &m.nonce })
            for (size_t bit = 0; bit < 8 * bytes->size(); bit++) {
                flip(bytes, bit);
                ASSERT_EQ(crypt_many(false, key, p.prepare(false, bit % 2), 5), LC_ERR_AUTH) << place << ", bit " << bit;
                ASSERT_TRUE(p.opened_but(1u << place)) << place << ", bit " << bit;
                flip(bytes, bit);
            }
    }
}

// Lengths that are refused: nothing of that item is touched, in whatever place it is; the others are done.
TEST_P(Aead, BatchesWithRefusedLengths)
{
    const size_t most = Mode::max_len, most_aad = Mode::max_aad_len;
    Random random(87);
    Bytes raw = random.bytes(nth(Mode::key_lens, 1));
    AeadKey key(impl.name, raw);
    Untouchable no;

    for (size_t num : { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 20, 40 })
        for (size_t bad = 0; bad < num; bad++) {
            Packets p(random, raw, num, 200);

            for (bool encrypt : both_directions)
                for (bool long_aad : { false, true }) {
                    if (long_aad && most_aad == SIZE_MAX)
                        continue;
                    p.prepare(encrypt, bad % 2);
                    p.items[bad] = { no.p, no.p, no.p, long_aad ? 5 : most + 1, no.p, long_aad ? most_aad + 1 : 5, no.p, 77 };
                    ASSERT_EQ(crypt_many(encrypt, key, p.items.data(), num), LC_ERR_LEN);
                    ASSERT_TRUE(p.done_but(bad, encrypt)) << bad << " of " << num;
                }
        }
    // of several errors, the first is returned
    for (bool length_first : { false, true }) {
        Packets p(random, raw, 20, 200);

        p.prepare(false, false);
        flip(&p.tags[length_first ? 9 : 4], 0);
        p.items[length_first ? 4 : 9].len = most + 1;
        EXPECT_EQ(crypt_many(false, key, p.items.data(), 20), length_first ? LC_ERR_LEN : LC_ERR_AUTH);
        EXPECT_EQ(p.items[4].status, length_first ? LC_ERR_LEN : LC_ERR_AUTH);
        EXPECT_EQ(p.items[9].status, length_first ? LC_ERR_AUTH : LC_ERR_LEN);
    }
}

// A ring of packets, one right after the other, header, text and tag, in place.
TEST_P(Aead, BatchesOfPacketsInARow)
{
    Random random(88);
    Bytes raw = random.bytes(32);
    AeadKey key(impl.name, raw);

    for (size_t round = 0; round < 300; round++) {
        const size_t num = round % 2 ? round / 2 % 14 : round / 2 % (max_num + 1);
        Packets p(random, raw, num, 270);
        Bytes plain, sealed;

        for (size_t i = 0; i < num; i++) {
            const Message &m = p.messages[i];

            for (Bytes *to : { &plain, &sealed })
                to->insert(to->end(), m.aad.begin(), m.aad.end());
            plain.insert(plain.end(), m.src.begin(), m.src.end());
            sealed.insert(sealed.end(), p.sealed[i].ct.begin(), p.sealed[i].ct.end());
            for (Bytes *to : { &plain, &sealed })
                to->insert(to->end(), p.sealed[i].tag.begin(), p.sealed[i].tag.end());
        }
        Bytes memory = plain;
        for (bool encrypt : both_directions) {
            uint8_t *at = memory.data();

            for (size_t i = 0; i < num; i++) {
                const Message &m = p.messages[i];
                uint8_t *text = at + m.aad.size(), *tag = text + m.src.size();

                if (encrypt)
                    memset(tag, 0, 16);
                p.items[i] = { text, tag, text, m.src.size(), at, m.aad.size(), m.nonce.data(), 77 };
                at = tag + 16;
            }
            ASSERT_EQ(crypt_many(encrypt, key, p.items.data(), num), LC_OK);
            ASSERT_TRUE(same(encrypt ? sealed : plain, memory)) << num;
        }
    }
}

// NULL wherever there is a length of 0, next to messages that have everything.
TEST_P(Aead, BatchesWithNull)
{
    Random random(89);
    Bytes raw = random.bytes(nth(Mode::key_lens, 0));
    AeadKey key(impl.name, raw);

    for (unsigned which = 0; which < 256; which++) { // two bits an item: without text, without AAD
        Packets p(random, raw, 4, 0);

        for (size_t i = 0; i < 4; i++) {
            p.messages[i].src = random.bytes(which >> 2 * i & 1 ? 1 + random.below(batch_len) : 0);
            p.messages[i].aad = random.bytes(which >> 2 * i & 2 ? 1 + random.below(16) : 0);
            p.sealed[i] = reference::seal(p.messages[i]);
        }
        for (bool in_place : { false, true })
            for (bool encrypt : both_directions) {
                p.prepare(encrypt, in_place);
                for (lc_aead_item &item : p.items) {
                    if (!item.len)
                        item.dst = nullptr, item.src = nullptr;
                    if (!item.aad_len)
                        item.aad = nullptr;
                }
                ASSERT_EQ(crypt_many(encrypt, key, p.items.data(), 4), LC_OK);
                ASSERT_TRUE(p.done_but(none_bad, encrypt)) << which;
            }
    }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Hashes of many messages in one call: all numbers and mixes of lengths, every lane, nothing of one in another.
#include <algorithm>
#include <memory>

#include "hash_support.h"

static void check(const Hash &hash, const lc_impl_info &impl, const std::vector<Bytes> &msgs)
{
    std::vector<Bytes> digests = digests_of(hash, impl, msgs);

    for (size_t i = 0; i < msgs.size(); i++)
        ASSERT_TRUE(same(other_digest(hash, msgs[i]), digests[i]))
            << hash.name << ": message " << i << " of " << msgs.size() << ", " << msgs[i].size() << " bytes";
}

static std::vector<Bytes> random_messages(Random &random, size_t num, size_t max_len)
{
    std::vector<Bytes> msgs;

    for (size_t i = 0; i < num; i++)
        msgs.push_back(random.bytes(random.below(max_len + 1)));
    return msgs;
}

TEST_P(Hashes, ManyOfOneLength)
{
    Random random(320);

    for (const Hash &hash : hashes)
        for (size_t num = 0; num <= 40; num++)
            for (size_t len : { 0, 1, 55, 56, 64, 111, 112, 128, 1000 }) {
                std::vector<Bytes> msgs;

                for (size_t i = 0; i < num; i++)
                    msgs.push_back(random.bytes(len));
                check(hash, impl, msgs);
            }
}

TEST_P(Hashes, ManyOfMixedLengths)
{
    Random random(321);

    for (const Hash &hash : hashes)
        for (size_t num = 1; num <= 40; num++)
            for (size_t max_len : { 70, 300, 3000 })
                check(hash, impl, random_messages(random, num, max_len));
}

TEST_P(Hashes, ManyOfAllLengths)
{
    Random random(322);
    std::vector<Bytes> msgs;

    for (size_t len = 0; len <= 520; len++)
        msgs.push_back(random.bytes(len));
    for (const Hash &hash : hashes) {
        check(hash, impl, msgs);
        check(hash, impl, std::vector<Bytes>(msgs.rbegin(), msgs.rend()));
    }
}

// One message is longer than all others together, in every place: it has lanes beside it that end, come again, and stay empty.
TEST_P(Hashes, ManyWithALongOne)
{
    Random random(323);

    for (const Hash &hash : hashes)
        for (size_t place = 0; place < 34; place++) {
            std::vector<Bytes> msgs = random_messages(random, 34, 150);

            msgs[place] = random.bytes(9000);
            check(hash, impl, msgs);
        }
}

// A message's digest is the same whatever is beside it, and in every lane.
TEST_P(Hashes, ManyLanesAreIndependent)
{
    Random random(324);
    const Bytes msg = random.bytes(333);

    for (const Hash &hash : hashes) {
        const Bytes expected = other_digest(hash, msg);

        for (size_t place = 0; place < 17; place++)
            for (uint8_t byte : { 0x00, 0xff }) {
                std::vector<Bytes> msgs(17, Bytes(333, byte));

                msgs[place] = msg;
                std::vector<Bytes> digests = digests_of(hash, impl, msgs);
                for (size_t i = 0; i < 17; i++)
                    ASSERT_EQ(digests[i] == expected, i == place) << place << ", " << i;
                EXPECT_TRUE(same(digests[place], expected));
            }
    }
}

// The same memory as several messages, and messages that overlap
TEST_P(Hashes, ManyOfSharedMemory)
{
    Random random(325);
    const Bytes memory = random.bytes(2000);

    for (const Hash &hash : hashes) {
        std::vector<lc_hash_item> items;
        std::vector<Bytes> digests(40, Bytes(hash.len));

        for (size_t i = 0; i < 40; i++)
            items.push_back({ digests[i].data(), &memory[i % 7], 1000 + i });
        must(hash.many_impl(impl.name, items.data(), 40), "many_impl");
        for (size_t i = 0; i < 40; i++) {
            auto begin = memory.begin() + static_cast<ptrdiff_t>(i % 7);

            ASSERT_TRUE(same(other_digest(hash, Bytes(begin, begin + 1000 + static_cast<ptrdiff_t>(i))), digests[i])) << i;
        }
    }
}

// Each message by itself between guard pages, all of them read-only; digests at a guard page as well
TEST_P(Hashes, ManyGuardPages)
{
    enum { NUM = 19 };
    Random random(326);
    std::vector<std::unique_ptr<Guarded>> memory, out;

    for (size_t i = 0; i < NUM; i++) {
        memory.push_back(std::make_unique<Guarded>(4096));
        out.push_back(std::make_unique<Guarded>(64));
    }
    for (const Hash &hash : hashes)
        for (size_t round = 0; round < 60; round++)
            for (bool at_end : { true, false }) {
                std::vector<Bytes> msgs = random_messages(random, NUM, round % 2 ? 300 : 4000);
                std::vector<lc_hash_item> items;

                for (size_t i = 0; i < NUM; i++)
                    items.push_back(
                        { put(*out[i], at_end, Bytes(hash.len), false), put(*memory[i], at_end, msgs[i], true), msgs[i].size() });
                must(hash.many_impl(impl.name, items.data(), NUM), "many_impl");
                for (size_t i = 0; i < NUM; i++)
                    ASSERT_TRUE(holds(*out[i], items[i].digest, other_digest(hash, msgs[i]))) << i << ", " << msgs[i].size();
            }
}

// The selected implementation, and NULL for nothing
TEST_P(Hashes, ManyBySelection)
{
    Random random(327);

    for (const Hash &hash : hashes) {
        std::vector<Bytes> msgs = random_messages(random, 33, 500), digests(33, Bytes(hash.len));
        std::vector<lc_hash_item> items;

        for (size_t i = 0; i < 33; i++)
            items.push_back({ digests[i].data(), msgs[i].data(), msgs[i].size() });
        EXPECT_EQ(hash.many(items.data(), 33), LC_OK);
        for (size_t i = 0; i < 33; i++)
            EXPECT_TRUE(same(other_digest(hash, msgs[i]), digests[i]));
        EXPECT_EQ(hash.many(nullptr, 0), LC_OK);
        EXPECT_EQ(hash.many_impl(impl.name, nullptr, 0), LC_OK);
    }
}

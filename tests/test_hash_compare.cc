// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Hashes: every implementation against libcrypto, over lengths, pieces and alignments; states.
#include "hash_support.h"

// Of every length up to 300, two blocks of SHA-512 and more, in every two pieces; one after the other in the message's memory
TEST_P(Hashes, AllShortLengthsAndSplits)
{
    Random random(300);

    for (const Hash &hash : hashes)
        for (size_t len = 0; len <= 300; len++) {
            Bytes msg = random.bytes(len), expected = other_digest(hash, msg);

            for (size_t first = 0; first <= len; first++)
                ASSERT_TRUE(same(expected, digest_of(hash, impl, msg, { first }))) << hash.name << ", " << first << " of " << len;
        }
}

TEST_P(Hashes, PiecesOfOneLength)
{
    Random random(301);
    Bytes msg = random.bytes(1000);

    for (const Hash &hash : hashes) {
        Bytes expected = other_digest(hash, msg);

        for (size_t piece = 1; piece <= 300; piece++)
            ASSERT_TRUE(same(expected, digest_of(hash, impl, msg, std::vector<size_t>(1000 / piece, piece)))) << piece;
    }
}

TEST_P(Hashes, RandomLengths)
{
    Random random(302);

    for (const Hash &hash : hashes)
        for (int i = 0; i < 200; i++) {
            Bytes msg = random.bytes(random.below(10000));

            ASSERT_TRUE(same(other_digest(hash, msg), digest_of(hash, impl, msg, random_pieces(random, msg.size()))));
        }
}

// Every number of blocks up to 40: loops over blocks, in pairs, too
TEST_P(Hashes, WholeBlocks)
{
    Random random(303);

    for (const Hash &hash : hashes)
        for (size_t num = 1; num <= 40; num++) {
            Bytes msg = random.bytes(num * hash.block_len);

            ASSERT_TRUE(same(other_digest(hash, msg), digest_of(hash, impl, msg, {}))) << num;
        }
}

TEST_P(Hashes, EveryAlignment)
{
    Random random(304);
    Bytes memory = random.bytes(1000);

    for (const Hash &hash : hashes)
        for (size_t at = 0; at < 64; at++) {
            Bytes msg(memory.begin() + static_cast<ptrdiff_t>(at), memory.begin() + static_cast<ptrdiff_t>(at) + 700), digest(200);
            State state;

            must(hash.start_impl(state, impl.name), "start_impl");
            hash.update(state, &memory[at], 700);
            hash.finish(state, &digest[at]);
            digest.erase(digest.begin(), digest.begin() + static_cast<ptrdiff_t>(at));
            digest.resize(hash.len);
            ASSERT_TRUE(same(other_digest(hash, msg), digest)) << at;
        }
}

TEST_P(Hashes, ExtremeWords)
{
    for (const Hash &hash : hashes)
        for (uint8_t byte : { 0x00, 0xff, 0x80, 0x7f, 0x01 }) {
            Bytes msg(3 * hash.block_len, byte);

            EXPECT_TRUE(same(other_digest(hash, msg), digest_of(hash, impl, msg, {}))) << int{ byte };
        }
}

TEST_P(Hashes, CopiedState)
{
    Random random(305);

    for (const Hash &hash : hashes)
        for (size_t at : { 0, 1, 63, 64, 100, 128, 200, 255, 256, 300 }) {
            Bytes msgs[2] = { random.bytes(500), random.bytes(500) }, digest(hash.len);
            State states[2];

            std::copy(msgs[0].begin(), msgs[0].begin() + static_cast<ptrdiff_t>(at), msgs[1].begin());
            must(hash.start_impl(states[0], impl.name), "start_impl");
            hash.update(states[0], msgs[0].data(), at);
            states[1] = states[0];
            for (size_t i = 0; i < 2; i++) {
                hash.update(states[i], msgs[i].data() + at, 500 - at);
                hash.finish(states[i], digest.data());
                ASSERT_TRUE(same(other_digest(hash, msgs[i]), digest)) << at << ", " << i;
            }
        }
}

TEST_P(Hashes, TwoImplementationsSideBySide)
{
    Random random(306);

    for (const Hash &hash : hashes)
        for (const lc_impl_info &other : implementations(mode_under_test)) {
            Bytes msg = random.bytes(1000), digest(hash.len);
            State states[2];

            if (other.needs & ~lc_cpu_features())
                continue; // has its own, loud skip
            must(hash.start_impl(states[0], impl.name), impl.name);
            must(hash.start_impl(states[1], other.name), other.name);
            EXPECT_STREQ(hash.impl_name(states[0]), impl.name);
            EXPECT_STREQ(hash.impl_name(states[1]), other.name);
            for (size_t at = 0; at < 1000; at += 500)
                for (State &state : states)
                    hash.update(state, &msg[at], 500);
            for (State &state : states) {
                hash.finish(state, digest.data());
                EXPECT_TRUE(same(other_digest(hash, msg), digest)) << other.name;
            }
        }
}

TEST_P(Hashes, Wipe)
{
    Random random(307);

    for (const Hash &hash : hashes)
        for (bool finish : { true, false }) {
            State state = {};
            Bytes msg = random.bytes(300), digest(hash.len);

            must(hash.start_impl(state, impl.name), "start_impl");
            hash.update(state, msg.data(), msg.size());
            EXPECT_FALSE(all_bytes(state.bytes, hash.state_size, 0));
            if (finish)
                hash.finish(state, digest.data());
            else
                hash.wipe(state);
            EXPECT_TRUE(all_bytes(state.bytes, sizeof(state.bytes), 0)) << finish;
        }
}

// Starting leaves nothing of the message before.
TEST_P(Hashes, StartForgets)
{
    Bytes msg = Random(308).bytes(333);

    for (const Hash &hash : hashes) {
        State used = {}, fresh = {};

        must(hash.start_impl(used, impl.name), "start_impl");
        hash.update(used, msg.data(), msg.size());
        must(hash.start_impl(used, impl.name), "start_impl");
        must(hash.start_impl(fresh, impl.name), "start_impl");
        EXPECT_TRUE(same(fresh.bytes, used.bytes, sizeof(fresh.bytes)));
    }
}

TEST_P(Hashes, GuardPages)
{
    Random random(309);
    Guarded msg(4096), out(64);

    for (const Hash &hash : hashes)
        for (size_t len = 0; len <= 700; len++)
            for (bool at_end : { true, false }) {
                Bytes text = random.bytes(len), expected = other_digest(hash, text);
                uint8_t *m = put(msg, at_end, text, true), *d = put(out, at_end, Bytes(hash.len), false);
                State state;

                must(hash.start_impl(state, impl.name), "start_impl");
                hash.update(state, m, len);
                hash.finish(state, d);
                ASSERT_TRUE(holds(out, d, expected)) << len;
            }
}

// The functions without a name take the selected implementation; the digest may be written over the message.
TEST_P(Hashes, OneCallInPlace)
{
    Random random(310);

    for (const Hash &hash : hashes)
        for (size_t len = hash.len; len < 300; len++) {
            Bytes msg = random.bytes(len), expected = other_digest(hash, msg);

            must(hash.one(msg.data(), msg.data(), len), "one");
            msg.resize(hash.len);
            ASSERT_TRUE(same(expected, msg)) << len;
        }
}

TEST_P(Hashes, Empty)
{
    for (const Hash &hash : hashes) {
        Bytes expected = other_digest(hash, {}), digest(hash.len);
        State state;

        must(hash.one(digest.data(), nullptr, 0), "one");
        EXPECT_TRUE(same(expected, digest));
        must(hash.start_impl(state, impl.name), "start_impl");
        hash.update(state, nullptr, 0);
        hash.finish(state, digest.data());
        EXPECT_TRUE(same(expected, digest));
    }
}

#ifdef HAVE_LIBCRYPTO // which is what can be relied on for this
// The length in bits doesn't fit into 32 bits.
TEST(HashesLong, TheSelected)
{
    Bytes msg((size_t{ 1 } << 29) + 77), digest(hashes[0].len);

    for (size_t i = 0; i < msg.size(); i += 4093)
        msg[i] = static_cast<uint8_t>(i);
    must(hashes[0].one(digest.data(), msg.data(), msg.size()), "one");
    EXPECT_TRUE(same(other_digest(hashes[0], msg), digest));
}
#endif

TEST(HashesErrors, ImplementationNames)
{
    const std::string mode = mode_under_test;

    for (const Hash &hash : hashes) {
        State state;
        uint8_t digest[64];
        lc_hash_item item = { digest, nullptr, 0 };

        memset(state.bytes, 0x5a, sizeof(state.bytes));
        memset(digest, 0x5a, sizeof(digest));
        for (const std::string &name :
             { std::string(), std::string(","), mode, mode + "-", mode + "-portabl", mode + "-portable,",
               mode + "=" + mode + "-portable", std::string("sha384-portable"), std::string("xts-aes-portable") }) {
            EXPECT_EQ(hash.start_impl(state, name.c_str()), LC_ERR_IMPL) << name;
            EXPECT_EQ(hash.many_impl(name.c_str(), &item, 1), LC_ERR_IMPL) << name;
        }
        EXPECT_TRUE(all_bytes(state.bytes, sizeof(state.bytes), 0x5a));
        EXPECT_TRUE(all_bytes(digest, sizeof(digest), 0x5a));
        EXPECT_EQ(hash.start_impl(state, (mode + "-portable").c_str()), LC_OK);
        EXPECT_EQ(hash.start_impl(state, nullptr), LC_OK);
        EXPECT_EQ(hash.start(state), LC_OK);
        EXPECT_EQ(hash.many_impl(nullptr, &item, 1), LC_OK);
    }
}

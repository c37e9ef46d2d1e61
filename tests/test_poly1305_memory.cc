// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Poly1305: what is read and written, states that are copied, what is refused, and that what is secret is wiped.
#include "poly1305_support.h"

TEST_P(Poly1305, EveryAlignment)
{
    Random random(260);
    Bytes raw = random.bytes(32);
    Guarded memory(4096);

    for (size_t len : { 1, 15, 16, 63, 64, 128, 255, 256, 300, 512, 1100 }) {
        Bytes msg = random.bytes(len), expected = reference::poly1305(raw, msg);

        for (size_t i = 0; i < 64; i++) {
            uint8_t tags[64 + 16 + 64];
            lc_poly1305_state state;

            memset(tags, 0xa5, sizeof(tags));
            memcpy(memory.begin() + i, msg.data(), len);
            must(lc_poly1305_start_impl(&state, impl.name, raw.data()), "lc_poly1305_start_impl()");
            lc_poly1305_update(&state, memory.begin() + i, len);
            lc_poly1305_finish(&state, tags + i);
            ASSERT_TRUE(same(expected.data(), tags + i, 16)) << len << " at " << i;
            ASSERT_TRUE(all_bytes(tags, i, 0xa5) && all_bytes(tags + i + 16, sizeof(tags) - i - 16, 0xa5));
        }
    }
}

// Everything by itself between guard pages; what is only read can't be written.
TEST_P(Poly1305, GuardPages)
{
    Random random(261);
    Guarded msg_memory(4096), key_memory(32), tag_memory(16), state_memory(sizeof(lc_poly1305_state));
    lc_poly1305_state *state = reinterpret_cast<lc_poly1305_state *>(state_memory.at_end(sizeof(lc_poly1305_state)));

    for (size_t len = 0; len <= 1200; len++)
        for (unsigned ends : { 0u, 7u, static_cast<unsigned>(random.below(8)) }) {
            Bytes raw = random.bytes(32), msg = random.bytes(len), expected = reference::poly1305(raw, msg);
            const size_t at = random.below(3) ? 0 : random.below(len + 1);
            const uint8_t *m = put(msg_memory, ends & 1, msg, true), *k = put(key_memory, ends & 2, raw, true);
            uint8_t *tag = put(tag_memory, ends & 4, Bytes(16, 0xa5), false);

            must(lc_poly1305_start_impl(state, impl.name, k), "lc_poly1305_start_impl()");
            lc_poly1305_update(state, m, at);
            lc_poly1305_update(state, m + at, len - at);
            lc_poly1305_finish(state, tag);
            ASSERT_TRUE(holds(tag_memory, tag, expected)) << len << " at " << at << ", ends " << ends;
            ASSERT_EQ(lc_poly1305(tag, m, len, k), LC_OK);
            ASSERT_TRUE(holds(tag_memory, tag, expected)) << len << ", ends " << ends;
        }
}

TEST_P(Poly1305, NoData)
{
    static Untouchable no;
    Random random(262);
    Bytes raw = random.bytes(32), msg = random.bytes(40), tag(16), before;

    EXPECT_EQ(lc_poly1305(tag.data(), nullptr, 0, raw.data()), LC_OK);
    EXPECT_TRUE(same(Bytes(raw.begin() + 16, raw.end()), tag)); // s
    for (size_t first : { 0, 1, 16, 40 }) {
        lc_poly1305_state state;

        must(lc_poly1305_start_impl(&state, impl.name, raw.data()), "lc_poly1305_start_impl()");
        lc_poly1305_update(&state, msg.data(), first);
        before = bytes_of(state);
        lc_poly1305_update(&state, nullptr, 0);
        lc_poly1305_update(&state, no.p, 0);
        EXPECT_TRUE(same(before, bytes_of(state))) << first;
    }
}

// The state is copied after any number of bytes, the original wiped, and two copies go on with messages of their own.
TEST_P(Poly1305, CopiedState)
{
    Random random(263);
    Bytes raw = random.bytes(32), tag(16);

    for (size_t len : { 100, 700 })
        for (size_t at = 0; at <= len; at += len > 100 ? 7 : 1) {
            Bytes msgs[2] = { random.bytes(len), {} };
            lc_poly1305_state state, copies[2];

            msgs[1] = Bytes(msgs[0].begin(), msgs[0].begin() + static_cast<long>(at));
            msgs[1].resize(len + 300);
            must(lc_poly1305_start_impl(&state, impl.name, raw.data()), "lc_poly1305_start_impl()");
            lc_poly1305_update(&state, msgs[0].data(), at);
            for (lc_poly1305_state &copy : copies)
                memcpy(&copy, &state, sizeof(state));
            lc_poly1305_state_wipe(&state);
            ASSERT_TRUE(all_bytes(&state, sizeof(state), 0));
            for (size_t i = 0; i < 2; i++) {
                EXPECT_STREQ(lc_poly1305_impl_name(&copies[i]), impl.name);
                lc_poly1305_update(&copies[i], msgs[i].data() + at, msgs[i].size() - at);
                lc_poly1305_finish(&copies[i], tag.data());
                ASSERT_TRUE(same(reference::poly1305(raw, msgs[i]), tag)) << at << ", " << i;
            }
        }
}

TEST_P(Poly1305, TwoImplementationsSideBySide)
{
    Random random(264);

    for (const lc_impl_info &other : implementations("poly1305")) {
        Bytes raw = random.bytes(32), msg = random.bytes(1000), tag(16);
        lc_poly1305_state states[2];

        if (other.needs & ~lc_cpu_features())
            continue; // has its own, loud skip
        SCOPED_TRACE(other.name);
        must(lc_poly1305_start_impl(&states[0], impl.name, raw.data()), impl.name);
        must(lc_poly1305_start_impl(&states[1], other.name, raw.data()), other.name);
        EXPECT_STREQ(lc_poly1305_impl_name(&states[0]), impl.name);
        EXPECT_STREQ(lc_poly1305_impl_name(&states[1]), other.name);
        for (size_t at = 0; at < 1000; at += 500)
            for (lc_poly1305_state &state : states)
                lc_poly1305_update(&state, &msg[at], 500);
        for (lc_poly1305_state &state : states) {
            lc_poly1305_finish(&state, tag.data());
            EXPECT_TRUE(same(reference::poly1305(raw, msg), tag));
        }
    }
}

// A state with the sum, the powers and a begun block
TEST_P(Poly1305, Wipe)
{
    Random random(265);
    Bytes raw = random.bytes(32), msg = random.bytes(700), tag(16);

    for (bool finish : { true, false }) {
        lc_poly1305_state state;

        memset(&state, 0, sizeof(state)); // padding too
        must(lc_poly1305_start_impl(&state, impl.name, raw.data()), "lc_poly1305_start_impl()");
        lc_poly1305_update(&state, msg.data(), msg.size());
        EXPECT_FALSE(all_bytes(state.h, sizeof(state.h), 0));
        EXPECT_FALSE(all_bytes(state.block, sizeof(state.block), 0));
        if (finish)
            lc_poly1305_finish(&state, tag.data());
        else
            lc_poly1305_state_wipe(&state);
        EXPECT_TRUE(all_bytes(&state, sizeof(state), 0)) << finish;
    }
}

// Starting leaves nothing of the message before but powers that don't count any more.
TEST_P(Poly1305, StartForgets)
{
    Random random(266);
    Bytes raw = random.bytes(32), msg = random.bytes(700);
    lc_poly1305_state used, fresh;

    memset(&fresh, 0, sizeof(fresh)); // padding too
    memset(&used, 0, sizeof(used));
    must(lc_poly1305_start_impl(&used, impl.name, msg.data()), "lc_poly1305_start_impl()");
    lc_poly1305_update(&used, msg.data(), msg.size());
    must(lc_poly1305_start_impl(&used, impl.name, raw.data()), "lc_poly1305_start_impl()");
    must(lc_poly1305_start_impl(&fresh, impl.name, raw.data()), "lc_poly1305_start_impl()");
    EXPECT_EQ(used.num_powers, 0u);
    memset(used.powers, 0, sizeof(used.powers));
    EXPECT_TRUE(same(bytes_of(fresh), bytes_of(used)));
}

TEST(Poly1305Errors, ImplementationNames)
{
    static Untouchable no;
    lc_poly1305_state state;
    Bytes raw = Random(267).bytes(32);

    memset(&state, 0x5a, sizeof(state));
    for (const char *name : { "", ",", "poly1305", "poly1305-", "poly1305-portabl", "poly1305-portable,", "chacha20-portable",
                              "chacha20-poly1305-portable", "poly1305=poly1305-portable" })
        EXPECT_EQ(lc_poly1305_start_impl(&state, name, no.p), LC_ERR_IMPL) << name;
    EXPECT_TRUE(all_bytes(&state, sizeof(state), 0x5a));
    EXPECT_EQ(lc_poly1305_start_impl(&state, "poly1305-portable", raw.data()), LC_OK);
    EXPECT_EQ(lc_poly1305_start_impl(&state, nullptr, raw.data()), LC_OK);
    EXPECT_EQ(lc_poly1305_start(&state, raw.data()), LC_OK);
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-CTR: what is read and written.  Overruns hit guard pages (a crash is the failure) or bytes with a known value; reading is
// checked by guard pages only, so buffers end and begin right at them; keys and sources lie in memory that can't be written.
#include <algorithm>

#include "ctr_support.h"

TEST_P(Ctr, EveryAlignment)
{
    static const size_t margin = 64;
    static const size_t lens[] = { 1, 15, 16, 31, 64, 100, 127, 255, 256, 512, 1024 + 61 };
    Random random(140);
    Bytes iv = random.bytes(16);
    Guarded src_memory(2048), dst_memory(2048);
    size_t turn = 0;

    for (size_t len : lens) {
        Bytes raw = random.bytes(key_lens[turn++ % 3]), data = random.bytes(len);
        CtrKey key(impl.name, raw), portable(PORTABLE, raw);
        Bytes expected = crypt(portable, data, iv);

        for (size_t i = 0; i < 64; i++) {
            uint8_t *src = src_memory.begin() + margin + i;

            memcpy(src, data.data(), len);
            for (size_t j = 0; j < 64; j++) {
                uint8_t *dst = dst_memory.begin() + margin + j;

                memset(dst - margin, 0xa5, margin + len + margin);
                lc_ctr_xor(key, dst, src, len, iv.data());
                ASSERT_TRUE(same(expected.data(), dst, len)) << len << " from alignment " << i << " to " << j;
                ASSERT_TRUE(all_bytes(dst - margin, margin, 0xa5) && all_bytes(dst + len, margin, 0xa5))
                    << "written outside: " << len << " from alignment " << i << " to " << j;
            }
            lc_ctr_xor(key, src, src, len, iv.data());
            ASSERT_TRUE(same(expected.data(), src, len)) << len << " in place at alignment " << i;
        }
    }
}

// The iv, the raw key and the copy of an expanded key, at each alignment that they may have.
TEST_P(Ctr, SmallThingsAtEveryAlignment)
{
    Random random(141);

    for (size_t key_len : key_lens)
        for (size_t i = 0; i < 64; i++) {
            Bytes raw = random.bytes(key_len), src = random.bytes(600), iv = random.bytes(16), memory(256);
            CtrKey portable(PORTABLE, raw);
            alignas(64) uint8_t key_memory[sizeof(lc_ctr_key) + 64];
            lc_ctr_key *key = reinterpret_cast<lc_ctr_key *>(key_memory + i / 16 * 16);
            Bytes dst(600);

            memcpy(&memory[i], raw.data(), key_len);
            ASSERT_EQ(lc_ctr_init_impl(key, impl.name, &memory[i], key_len), LC_OK);
            memcpy(&memory[128 + i], iv.data(), 16);
            lc_ctr_xor(key, dst.data(), src.data(), 600, &memory[128 + i]);
            ASSERT_TRUE(same(crypt(portable, src, iv), dst)) << i;
        }
}

using CtrGuardedCall = GuardedCall<lc_ctr_key, lc_ctr_state, lc_ctr_init_impl>;

// The last argument of the calls: at the end of its memory, or the beginning, and read-only.
static const uint8_t *guarded_iv(CtrGuardedCall &call, bool at_end, const Bytes &iv)
{
    call.iv.writable();
    memcpy(call.iv.place(at_end, 16), iv.data(), 16);
    call.iv.read_only();
    return call.iv.place(at_end, 16);
}

TEST_P(Ctr, GuardPages)
{
    Random random(142);
    CtrGuardedCall call;

    for (size_t len = 0; len <= 1100; len++)
        for (bool wraps : { false, true }) { // two calls of the implementation
            Bytes raw = random.bytes(key_lens[len % 3]), data = random.bytes(len), iv = random.bytes(16);
            CtrKey portable(PORTABLE, raw);

            if (wraps)
                iv = counter_minus(from_hex("123456789abcdef10000000000000000"), random.below(len / 16 + 1));
            Bytes expected = crypt_block_by_block(portable, data, iv);

            call.set_key(impl.name, raw);
            for (bool src_at_end : { false, true }) {
                uint8_t *src = call.src.place(src_at_end, len);

                call.src.writable();
                std::copy(data.begin(), data.end(), src);
                call.src.read_only();
                for (bool dst_at_end : { false, true }) {
                    uint8_t *dst = call.dst.place(dst_at_end, len);

                    memset(call.dst.begin(), 0xa5, 2048);
                    memset(call.dst.at_end(2048), 0xa5, 2048);
                    lc_ctr_xor(call.const_key, dst, src, len, guarded_iv(call, src_at_end != dst_at_end, iv));
                    ASSERT_TRUE(same(expected.data(), dst, len)) << len;
                    ASSERT_TRUE(dst_at_end ? all_bytes(dst - 512, 512, 0xa5) : all_bytes(dst + len, 512, 0xa5)) << len;
                }
            }
        }
}

TEST_P(Ctr, GuardPagesUpdate)
{
    Random random(143);
    CtrGuardedCall call;

    for (size_t len = 0; len <= 600; len++)
        for (size_t before : { 0, 1, 8, 15, 16, 259 }) { // bytes of the call before the one that is looked at
            Bytes raw = random.bytes(key_lens[len % 3]), data = random.bytes(before + len), iv = random.bytes(16), start(before);
            CtrKey portable(PORTABLE, raw);
            Bytes expected = crypt(portable, data, iv);

            call.set_key(impl.name, raw);
            for (bool at_end : { false, true }) {
                uint8_t *src = call.src.place(at_end, len), *dst = call.dst.place(at_end, len);

                call.src.writable();
                std::copy(data.begin() + static_cast<long>(before), data.end(), src);
                call.src.read_only();
                memset(call.dst.begin(), 0xa5, 2048);
                memset(call.dst.at_end(2048), 0xa5, 2048);
                lc_ctr_start(call.state, guarded_iv(call, at_end, iv));
                lc_ctr_update(call.const_key, call.state, start.data(), data.data(), before);
                ASSERT_TRUE(same(expected.data(), start.data(), before)) << before;
                lc_ctr_update(call.const_key, call.state, dst, src, len);
                ASSERT_TRUE(same(expected.data() + before, dst, len)) << len << " after " << before;
                ASSERT_TRUE(at_end ? all_bytes(dst - 512, 512, 0xa5) : all_bytes(dst + len, 512, 0xa5)) << len;
            }
        }
}

// The key before it is expanded, and what it is expanded to.
TEST_P(Ctr, GuardPagesInit)
{
    Random random(144);
    Guarded memory(32), key_memory(sizeof(lc_ctr_key));

    for (size_t key_len : key_lens)
        for (bool at_end : { false, true })
            for (bool key_at_end : { false, true }) {
                Bytes raw = random.bytes(key_len), src = random.bytes(100), iv = random.bytes(16);
                CtrKey portable(PORTABLE, raw);
                lc_ctr_key *key = reinterpret_cast<lc_ctr_key *>(key_memory.place(key_at_end, sizeof(lc_ctr_key)));

                memory.writable();
                memcpy(memory.place(at_end, key_len), raw.data(), key_len);
                memory.read_only();
                ASSERT_EQ(lc_ctr_init_impl(key, impl.name, memory.place(at_end, key_len), key_len), LC_OK);
                ASSERT_TRUE(same(crypt(portable, src, iv), crypt(key, src, iv))) << key_len;
                lc_ctr_wipe(key);
            }
}

TEST_P(Ctr, InPlace)
{
    Random random(145);

    for (size_t len = 0; len <= 1100; len++) {
        Bytes raw = random.bytes(key_lens[len % 3]), data = random.bytes(len), iv = random.bytes(16);
        CtrKey key(impl.name, raw), portable(PORTABLE, raw);
        Bytes expected = crypt(portable, data, iv), dst = data;
        lc_ctr_state state;

        lc_ctr_xor(key, dst.data(), dst.data(), len, iv.data());
        ASSERT_TRUE(same(expected, dst)) << len;
        for (size_t first : { size_t{ 0 }, len / 3, len - len / 16 }) {
            dst = data;
            lc_ctr_start(&state, iv.data());
            lc_ctr_update(key, &state, dst.data(), dst.data(), first);
            lc_ctr_update(key, &state, dst.data() + first, dst.data() + first, len - first);
            ASSERT_TRUE(same(expected, dst)) << len << " by update, first " << first;
        }
    }
}

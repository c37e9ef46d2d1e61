// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-XTS: what is read and written.  Overruns hit guard pages (a crash is the failure) or bytes with a known value; reading is
// checked by guard pages only, so buffers end and begin right at them; keys and sources lie in memory that can't be written.
#include <algorithm>

#include "xts_support.h"

TEST_P(Xts, EveryAlignment)
{
    static const size_t margin = 64;
    static const size_t lens[] = { 16, 31, 64, 100, 255, 256, 512, 1024 + 17 };
    Random random(40);
    Bytes iv = random.bytes(16);
    Guarded src_memory(2048), dst_memory(2048);
    size_t turn = 0;

    for (size_t len : lens) {
        Bytes raw = random.bytes(key_lens[turn++ % 3]), data = random.bytes(len);
        XtsKey key(impl.name, raw), portable(PORTABLE, raw);

        for (bool encrypt : both_directions) {
            Bytes expected = crypt(encrypt, portable, data, iv);

            for (size_t i = 0; i < 64; i++) {
                uint8_t *src = src_memory.begin() + margin + i;

                memcpy(src, data.data(), len);
                for (size_t j = 0; j < 64; j++) {
                    uint8_t *dst = dst_memory.begin() + margin + j;

                    memset(dst - margin, 0xa5, margin + len + margin);
                    ASSERT_EQ(crypt(encrypt, key, dst, src, len, iv.data()), LC_OK);
                    ASSERT_TRUE(same(expected.data(), dst, len)) << len << " from alignment " << i << " to " << j;
                    ASSERT_TRUE(all_bytes(dst - margin, margin, 0xa5) && all_bytes(dst + len, margin, 0xa5))
                        << "written outside: " << len << " from alignment " << i << " to " << j;
                }
                ASSERT_EQ(crypt(encrypt, key, src, src, len, iv.data()), LC_OK);
                ASSERT_TRUE(same(expected.data(), src, len)) << len << " in place at alignment " << i;
            }
        }
    }
}

using XtsGuardedCall = GuardedCall<lc_xts_key, lc_xts_state, lc_xts_init_impl>;

TEST_P(Xts, GuardPages)
{
    Random random(41);
    XtsGuardedCall call;

    for (size_t len = 16; len <= 600; len++) {
        Bytes raw = random.bytes(key_lens[len % 3]), data = random.bytes(len), iv = random.bytes(16);
        XtsKey portable(PORTABLE, raw);

        call.set_key(impl.name, raw);
        memcpy(call.iv.at_end(16), iv.data(), 16);
        call.iv.read_only();
        for (bool encrypt : both_directions) {
            Bytes expected = crypt(encrypt, portable, data, iv);

            for (bool src_at_end : { false, true }) {
                uint8_t *src = call.src.place(src_at_end, len);

                call.src.writable();
                memcpy(src, data.data(), len);
                call.src.read_only();
                for (bool dst_at_end : { false, true }) {
                    uint8_t *dst = call.dst.place(dst_at_end, len);

                    memset(call.dst.begin(), 0xa5, 2048);
                    memset(call.dst.at_end(2048), 0xa5, 2048);
                    ASSERT_EQ(crypt(encrypt, call.const_key, dst, src, len, call.iv.at_end(16)), LC_OK);
                    ASSERT_TRUE(same(expected.data(), dst, len)) << len;
                    ASSERT_TRUE(dst_at_end ? all_bytes(dst - 512, 512, 0xa5) : all_bytes(dst + len, 512, 0xa5)) << len;
                }
            }
        }
        call.iv.writable();
    }
}

TEST_P(Xts, GuardPagesUpdate)
{
    Random random(42);
    XtsGuardedCall call;

    for (size_t len = 16; len <= 600; len++) {
        Bytes raw = random.bytes(key_lens[len % 3]), data = random.bytes(256 + len), iv = random.bytes(16);
        XtsKey portable(PORTABLE, raw);

        call.set_key(impl.name, raw);
        for (bool encrypt : both_directions) {
            Bytes expected = crypt(encrypt, portable, data, iv);

            for (bool at_end : { false, true })
                for (size_t before : { 0, 16, 256 }) { // bytes of the call before the one that is looked at
                    uint8_t *src = call.src.place(at_end, len), *dst = call.dst.place(at_end, len);
                    Bytes start(before);

                    call.src.writable();
                    memcpy(src, &data[before], len);
                    call.src.read_only();
                    lc_xts_start(call.state, iv.data());
                    ASSERT_EQ(crypt_update(encrypt, call.const_key, call.state, start.data(), data.data(), before), LC_OK);
                    ASSERT_EQ(crypt_update(encrypt, call.const_key, call.state, dst, src, len), LC_OK);
                    // the last two blocks of the whole unit depend on where it ends
                    size_t sure = len % 16 ? len - len % 16 - 16 : len;
                    ASSERT_TRUE(same(&expected[before], dst, sure)) << len << " after " << before;
                }
        }
    }
}

TEST_P(Xts, GuardPagesSectors)
{
    Random random(43);
    XtsGuardedCall call;
    size_t turn = 0;

    for (size_t sector_len : { 16, 17, 31, 32, 33, 48, 100, 255, 256, 272, 512, 520, 1040 })
        for (size_t count = 0; count <= 20; count++)
            for (size_t last : { size_t{ 0 }, size_t{ 16 }, sector_len - 1 }) { // an unfinished one after them
                if (count + last == 0 || (last && (last < 16 || last >= sector_len)))
                    continue;
                Bytes raw = random.bytes(key_lens[turn % 3]), data = random.bytes(count * sector_len + last);
                bool encrypt = turn % 2, at_end = turn / 2 % 2;
                uint8_t *src = call.src.place(at_end, data.size()), *dst = call.dst.place(at_end, data.size());
                XtsKey portable(PORTABLE, raw);
                Bytes expected(data.size());

                turn++;
                call.set_key(impl.name, raw);
                call.src.writable();
                memcpy(src, data.data(), data.size());
                call.src.read_only();
                memset(call.dst.begin(), 0xa5, call.dst.size());
                for (size_t i = 0, at = 0; at < data.size(); i++, at += sector_len)
                    ASSERT_EQ(crypt(encrypt, portable, &expected[at], &data[at], std::min(sector_len, data.size() - at),
                                    sector_iv(77 + i).data()),
                              LC_OK);
                ASSERT_EQ(crypt_sectors(encrypt, call.const_key, dst, src, data.size(), sector_len, 77, 1), LC_OK);
                ASSERT_TRUE(same(expected.data(), dst, data.size())) << count << " of " << sector_len << " and " << last;
                ASSERT_TRUE(all_bytes(call.dst.begin(), static_cast<size_t>(dst - call.dst.begin()), 0xa5));
                ASSERT_TRUE(all_bytes(dst + data.size(), static_cast<size_t>(call.dst.end() - dst) - data.size(), 0xa5));
            }
}

TEST_P(Xts, InPlace)
{
    Random random(44);

    for (size_t len = 16; len <= 1100; len++) {
        Bytes raw = random.bytes(key_lens[len % 3]), data = random.bytes(len), iv = random.bytes(16);
        XtsKey key(impl.name, raw), portable(PORTABLE, raw);

        for (bool encrypt : both_directions) {
            Bytes expected = crypt(encrypt, portable, data, iv), dst = data;
            lc_xts_state state;

            ASSERT_EQ(crypt(encrypt, key, dst.data(), dst.data(), len, iv.data()), LC_OK);
            ASSERT_TRUE(same(expected, dst)) << len;
            dst = data;
            lc_xts_start(&state, iv.data());
            ASSERT_EQ(crypt_update(encrypt, key, &state, dst.data(), dst.data(), len), LC_OK);
            ASSERT_TRUE(same(expected, dst)) << len << " by update";
        }
    }
}

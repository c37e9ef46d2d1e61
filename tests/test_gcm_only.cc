// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-GCM: what the other AEADs don't have: nonces of any length, and counters that begin anywhere and wrap.
#include <algorithm>

#include "aead_support.h"
#include "white_box.h"

#ifdef __x86_64__
// Keys begin with so many powers, and three blocks of zeros: the kernel makes them by these numbers, where vectors may not be used.
TEST_P(Aead, NumberOfPowers)
{
    const std::string name = impl.name;
    Mode::Key key = {};
    Bytes raw = Random(18).bytes(16);
    size_t num = 0;

    if (name == "gcm-aes-portable")
        return;
    ASSERT_EQ(Mode::init_impl(&key, impl.name, raw.data(), raw.size()), LC_OK);
    while (std::any_of(key.powers[num], key.powers[num] + 16, [](uint8_t byte) { return byte != 0; }))
        num++;
    EXPECT_EQ(num, wb_gcm_powers(name.find("avx512") != std::string::npos));
    EXPECT_TRUE(std::all_of(key.powers[num], key.powers[num + 3], [](uint8_t byte) { return byte == 0; }));
    Mode::wipe(&key);
}
#endif

TEST_P(Aead, NonceLengths)
{
    Random random(15);

    for (size_t nonce_len = 1; nonce_len <= 600; nonce_len = nonce_len == 130 ? 600 : nonce_len + 1)
        for (size_t key_len : Mode::key_lens)
            ASSERT_NO_FATAL_FAILURE(compare(impl, random_message(random, key_len, 50, 20, nonce_len)));
}

// The 16-byte nonce of a J0: J0 = (N * H ^ L) * H, where L is the block with the nonce's length.
static Bytes nonce_of(const Bytes &raw, const reference::Block &j0)
{
    reference::Block h1 = reference::inverse(reference::hash_key(raw)), n = reference::multiply(j0, h1);

    n.lo ^= 128;
    return reference::store(reference::multiply(n, h1));
}

TEST_P(Aead, TheReferenceInverts)
{
    for (size_t i = 0; i < 10; i++) {
        Bytes raw = Random(100 + i).bytes(16);
        reference::Block h = reference::hash_key(raw), one = { UINT64_C(1) << 63, 0 };

        ASSERT_TRUE(reference::multiply(h, reference::inverse(h)) == one);
    }
}

// 32 bits are counted: the block after ...ffffffff is ...00000000, with the same 12 bytes in front.  Nearly all distances from
// the start of a message to the wrap, so that it falls on every place in a group of blocks.
TEST_P(Aead, CounterWraps)
{
    Random random(16);
    Bytes raw = random.bytes(32), src = random.bytes(1400), aad = random.bytes(20);

    for (uint64_t before = 0; before <= 70; before++) // blocks with counters before the wrap, J0 included
        for (uint64_t above : { UINT64_C(0), UINT64_C(0xffffffff), random.next() >> 32 }) {
            uint32_t last = static_cast<uint32_t>(0 - before);
            reference::Block j0 = { above ? ~UINT64_C(0) : random.next(), above << 32 | last };
            Message m = { raw, src, aad, nonce_of(raw, j0) };

            m.src.resize(before % 3 == 0 ? 1400 : before % 2 ? 600 : 37 + 16 * before % 512);
            ASSERT_NO_FATAL_FAILURE(compare(impl, m)) << before;
        }
}

// As above, where counters that are kept as little-endian bytes or words would carry too far or not far enough.
TEST_P(Aead, CounterCarries)
{
    Random random(17);
    Bytes raw = random.bytes(16), src = random.bytes(700);

    for (uint64_t at : { UINT64_C(0x100), UINT64_C(0x10000), UINT64_C(0x1000000), UINT64_C(0x7f000000), UINT64_C(0x80000000) })
        for (uint64_t before = 0; before <= 40; before++) {
            reference::Block j0 = { random.next(), UINT64_C(0xffffffff) << 32 | (at - before) };

            ASSERT_NO_FATAL_FAILURE(compare(impl, { raw, src, {}, nonce_of(raw, j0) }));
        }
}

// 2^32 - 2 blocks are allowed, so counters of 12-byte nonces go up to 2^32 - 1.  The stream is told that it has come that far.
TEST_P(Aead, TheLastBlocksOfTheLongestMessage)
{
    Random random(37);
    Bytes raw = random.bytes(32), src = random.bytes(1000), nonce = random.bytes(12), dst(1000);
    AeadKey key(impl.name, raw);

    for (size_t blocks = 1; blocks <= 50; blocks++) { // before the last one
        const size_t cut = blocks % 2; // by one byte key stream is made ahead, but no more than there is
        const uint32_t first = UINT32_MAX - static_cast<uint32_t>(blocks) + 1;
        Bytes block = nonce;
        State state;

        for (int i = 3; i >= 0; i--)
            block.push_back(static_cast<uint8_t>((first - 1) >> 8 * i)); // J0 if it were the message's beginning
        ASSERT_EQ(lc_gcm_start(&state, key, nonce.data(), 12), LC_OK);
        ASSERT_EQ(lc_gcm_encrypt(&state, nullptr, nullptr, 0), LC_OK);
        state.len = LC_GCM_MAX_LEN - 16 * blocks;
        ASSERT_EQ(lc_gcm_encrypt(&state, dst.data(), src.data(), cut), LC_OK);
        ASSERT_LE(state.left, LC_GCM_MAX_LEN - state.len);
        ASSERT_EQ(lc_gcm_encrypt(&state, dst.data() + cut, src.data() + cut, 16 * blocks - cut), LC_OK);
        ASSERT_EQ(state.left, 0u);
        for (size_t i = 0; i < blocks; i++) {
            // a message of one block whose only counter is this one, by the key stream alone
            State one;
            uint8_t expected[16];

            ASSERT_EQ(lc_gcm_start(&one, key, nonce.data(), 12), LC_OK);
            memcpy(one.j0, block.data(), 16);
            one.is_short_nonce = 0; // that isn't the nonce's J0
            one.len = 16 * i;
            ASSERT_EQ(lc_gcm_encrypt(&one, expected, &src[16 * i], 16), LC_OK);
            ASSERT_TRUE(same(expected, &dst[16 * i], 16)) << blocks << ", " << i;
        }
        EXPECT_EQ(lc_gcm_encrypt(&state, dst.data(), src.data(), 1), LC_ERR_LEN);
    }
}

// The counters of a nonce of 12 bytes are public in later pieces, too: a long one takes them from a table, from whatever number it
// begins with.  Their last byte comes round at each place in its head, its first group and its second one.
TEST_P(Aead, CountersCarryInALaterPiece)
{
    Random random(39);

    for (size_t before = 0; before <= 52; before++) { // blocks of the second piece whose counters are below 512
        const size_t first = 16 * (510 - before), second = 768 + 64 * (before % 5) + 16 * (before % 4);
        Message m = random_message(random, nth(Mode::key_lens, before), first + second, 0);
        AeadKey key(impl.name, m.raw);
        Sealed expected = reference::seal(m);

        for (bool encrypt : both_directions)
            ASSERT_TRUE(stream(encrypt, key, m, expected, {}, { first, second })) << before;
    }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The authenticated modes as code sees them that serves several: the table of functions, states whose key has moved, cut tags.
#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/gcm.h"
#include "support.h"

namespace {

constexpr size_t KEY_LEN = 32, NONCE_LEN = 12, TAG_LEN = 16, AAD_LEN = 21, MAX_LEN = 300;

// A mode, and sealing by its own functions: the measure for the table.
struct Mode {
    const char *name;
    const lc_aead_ops *ops;
    size_t key_size, state_size;
    int (*seal)(const std::string &impl, const Bytes &raw, uint8_t *dst, uint8_t *tag, const uint8_t *src, size_t len,
                const uint8_t *aad, size_t aad_len, const uint8_t *nonce);
};

#define SEAL(mode)                                                                                                                 \
    int seal_##mode(const std::string &impl, const Bytes &raw, uint8_t *dst, uint8_t *tag, const uint8_t *src, size_t len,         \
                    const uint8_t *aad, size_t aad_len, const uint8_t *nonce)                                                      \
    {                                                                                                                              \
        lc_##mode##_key key;                                                                                                       \
        int status = lc_##mode##_init_impl(&key, impl.c_str(), raw.data(), raw.size());                                            \
                                                                                                                                   \
        return status ? status : lc_##mode##_seal(&key, dst, tag, TAG_LEN, src, len, aad, aad_len, nonce, NONCE_LEN);              \
    }
SEAL(gcm)
SEAL(chacha20poly1305)

// Memory of a mode's key or state, which no other object can be taken for.
struct Memory {
    alignas(16) uint8_t bytes[4096];

    explicit Memory(uint8_t fill = 0x5a) { memset(bytes, fill, sizeof(bytes)); }
    operator void *() { return bytes; }
    bool is_all(size_t len, uint8_t value) const { return all_bytes(bytes, len, value); }
};
static_assert(sizeof(lc_gcm_key) < sizeof(Memory) && sizeof(lc_gcm_state) < sizeof(Memory), "room for a byte more");
static_assert(sizeof(lc_chacha20poly1305_key) < sizeof(Memory) && sizeof(lc_chacha20poly1305_state) < sizeof(Memory),
              "room for a byte more");

class AeadOps : public ::testing::TestWithParam<Mode> {
protected:
    Random random{ 70 };
    const lc_aead_ops *ops = GetParam().ops;
    std::string impl;
    Bytes raw, src, aad, nonce, ct, tag;
    Memory key;

    // A message under the row's key
    void make(const lc_impl_info &info, size_t len)
    {
        impl = info.name;
        raw = random.bytes(KEY_LEN);
        src = random.bytes(len);
        aad = random.bytes(AAD_LEN);
        nonce = random.bytes(NONCE_LEN);
        ct = Bytes(len);
        tag = Bytes(TAG_LEN);
        ASSERT_EQ(GetParam().seal(impl, raw, ct.data(), tag.data(), src.data(), len, aad.data(), AAD_LEN, nonce.data()), LC_OK);
        ASSERT_EQ(ops->init_impl(key, info.name, raw.data(), raw.size()), LC_OK);
    }

    // A decryption that has got all of its text
    void decrypt(void *state, const void *its_key)
    {
        Bytes dst(ct.size());

        ASSERT_EQ(ops->start(state, its_key, nonce.data(), NONCE_LEN), LC_OK);
        ASSERT_EQ(ops->aad(state, aad.data(), AAD_LEN), LC_OK);
        ASSERT_EQ(ops->decrypt(state, dst.data(), ct.data(), ct.size()), LC_OK);
        ASSERT_TRUE(same(src, dst));
    }

    template <typename Function> void each_row(Function function)
    {
        size_t num = 0;

        for (const lc_impl_info &info : implementations(GetParam().name))
            for (size_t len : { size_t{ 0 }, size_t{ 1 }, size_t{ 64 }, size_t{ 100 }, MAX_LEN })
                if (info.runs_here) {
                    SCOPED_TRACE(std::string(info.name) + ", " + std::to_string(len) + " bytes");
                    make(info, len);
                    function();
                    num++;
                }
        EXPECT_GT(num, 0u);
    }
};

TEST_P(AeadOps, Sizes)
{
    EXPECT_EQ(ops->key_size, GetParam().key_size);
    EXPECT_EQ(ops->state_size, GetParam().state_size);
}

TEST_P(AeadOps, Keys)
{
    each_row([&] {
        Memory k;

        EXPECT_EQ(ops->init_impl(k, "none", raw.data(), raw.size()), LC_ERR_IMPL);
        EXPECT_EQ(ops->init(k, raw.data(), 31), LC_ERR_KEY_LEN);
        EXPECT_TRUE(k.is_all(sizeof(k.bytes), 0x5a));
        ASSERT_EQ(ops->init(k, raw.data(), raw.size()), LC_OK);
        ASSERT_EQ(ops->init_impl(k, impl.c_str(), raw.data(), raw.size()), LC_OK);
        EXPECT_EQ(ops->impl_name(k), impl);
        ops->wipe(k);
        EXPECT_TRUE(k.is_all(ops->key_size, 0));
        EXPECT_EQ(k.bytes[ops->key_size], 0x5a);
    });
}

TEST_P(AeadOps, WholeMessages)
{
    each_row([&] {
        Bytes dst(src.size()), t(TAG_LEN);

        ASSERT_EQ(ops->seal(key, dst.data(), t.data(), TAG_LEN, src.data(), src.size(), aad.data(), AAD_LEN, nonce.data(),
                            NONCE_LEN),
                  LC_OK);
        EXPECT_TRUE(same(ct, dst));
        EXPECT_TRUE(same(tag, t));
        ASSERT_EQ(ops->open(key, dst.data(), ct.data(), ct.size(), t.data(), TAG_LEN, aad.data(), AAD_LEN, nonce.data(), NONCE_LEN),
                  LC_OK);
        EXPECT_TRUE(same(src, dst));
        t[15] ^= 1;
        EXPECT_EQ(ops->open(key, dst.data(), ct.data(), ct.size(), t.data(), TAG_LEN, aad.data(), AAD_LEN, nonce.data(), NONCE_LEN),
                  LC_ERR_AUTH);
    });
}

TEST_P(AeadOps, ManyMessages)
{
    each_row([&] {
        Bytes dst(src.size()), t(TAG_LEN);
        lc_aead_item item = { dst.data(), t.data(), src.data(), src.size(), aad.data(), AAD_LEN, nonce.data(), 77 };

        ASSERT_EQ(ops->seal_many(key, &item, 1), LC_OK);
        EXPECT_TRUE(same(ct, dst));
        EXPECT_TRUE(same(tag, t));
        item.src = ct.data();
        ASSERT_EQ(ops->open_many(key, &item, 1), LC_OK);
        EXPECT_TRUE(same(src, dst));
        t[0] ^= 1;
        EXPECT_EQ(ops->open_many(key, &item, 1), LC_ERR_AUTH);
    });
}

TEST_P(AeadOps, Streams)
{
    each_row([&] {
        Bytes dst(src.size()), t(TAG_LEN);
        Memory s;

        ASSERT_EQ(ops->start(s, key, nonce.data(), NONCE_LEN), LC_OK);
        ASSERT_EQ(ops->aad(s, aad.data(), AAD_LEN), LC_OK);
        ASSERT_EQ(ops->encrypt(s, dst.data(), src.data(), src.size()), LC_OK);
        EXPECT_EQ(ops->aad(s, aad.data(), AAD_LEN), LC_ERR_STATE);
        EXPECT_EQ(ops->verify(s, tag.data(), TAG_LEN), LC_ERR_STATE);
        EXPECT_EQ(ops->verify_prefix(s, tag.data(), TAG_LEN), LC_ERR_STATE);
        ASSERT_EQ(ops->tag(s, t.data(), TAG_LEN), LC_OK);
        EXPECT_TRUE(same(ct, dst));
        EXPECT_TRUE(same(tag, t));
        decrypt(s, key);
        EXPECT_EQ(ops->tag(s, t.data(), TAG_LEN), LC_ERR_STATE);
        EXPECT_EQ(ops->verify(s, tag.data(), 7), LC_ERR_TAG_LEN);
        EXPECT_EQ(ops->verify(s, tag.data(), TAG_LEN), LC_OK);
        ops->state_wipe(s);
        EXPECT_TRUE(s.is_all(ops->state_size, 0));
        EXPECT_EQ(s.bytes[ops->state_size], 0x5a);
    });
}

// A state and its key are copied, and the originals lost, at each place where the message may be.
TEST_P(AeadOps, KeysThatMove)
{
    each_row([&] {
        for (size_t at = 0; at <= src.size(); at += src.size() / 3 + 1) {
            Memory s, first_key, moved, moved_key;
            Bytes dst(src.size()), t(TAG_LEN);

            memcpy(first_key, key, ops->key_size);
            ASSERT_EQ(ops->start(s, first_key, nonce.data(), NONCE_LEN), LC_OK);
            ASSERT_EQ(ops->aad(s, aad.data(), AAD_LEN), LC_OK);
            ASSERT_EQ(ops->encrypt(s, dst.data(), src.data(), at), LC_OK);
            memcpy(moved, s, ops->state_size);
            memcpy(moved_key, first_key, ops->key_size);
            ops->state_set_key(moved, moved_key);
            ops->wipe(first_key);
            ops->state_wipe(s);
            ASSERT_EQ(ops->encrypt(moved, dst.data() + at, src.data() + at, src.size() - at), LC_OK);
            ASSERT_EQ(ops->tag(moved, t.data(), TAG_LEN), LC_OK);
            ASSERT_TRUE(same(ct, dst)) << at;
            ASSERT_TRUE(same(tag, t)) << at;
        }
    });
}

// Every length, every bit that counts, and those after them, which don't.
TEST_P(AeadOps, CutTags)
{
    each_row([&] {
        for (size_t tag_len = 1; tag_len <= TAG_LEN; tag_len++) {
            Memory s, before;
            Bytes t(tag.begin(), tag.begin() + static_cast<long>(tag_len)); // of that length: a sanitizer sees reads beyond

            decrypt(s, key);
            memcpy(before, s, sizeof(s.bytes));
            ASSERT_EQ(ops->verify_prefix(s, t.data(), tag_len), LC_OK) << tag_len;
            EXPECT_EQ(ops->verify_prefix(s, t.data(), tag_len), LC_ERR_STATE);
            EXPECT_EQ(ops->verify(s, tag.data(), TAG_LEN), LC_ERR_STATE);
            for (size_t bit = 0; bit < 8 * tag_len; bit++) {
                memcpy(s, before, sizeof(s.bytes));
                t[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
                ASSERT_EQ(ops->verify_prefix(s, t.data(), tag_len), LC_ERR_AUTH) << tag_len << ", bit " << bit;
                EXPECT_EQ(ops->verify_prefix(s, t.data(), tag_len), LC_ERR_STATE);
                t[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            }
        }
    });
}

TEST_P(AeadOps, CutTagsOfOtherLengths)
{
    each_row([&] {
        Memory s, before;
        Bytes t(64);

        decrypt(s, key);
        memcpy(before, s, sizeof(s.bytes));
        for (size_t tag_len : { size_t{ 0 }, size_t{ 17 }, size_t{ 32 }, SIZE_MAX })
            EXPECT_EQ(ops->verify_prefix(s, t.data(), tag_len), LC_ERR_TAG_LEN) << tag_len;
        EXPECT_TRUE(same(before.bytes, s.bytes, sizeof(s.bytes)));
        EXPECT_EQ(ops->verify_prefix(s, tag.data(), TAG_LEN), LC_OK);
    });
}

// The right tag of a forgery is a secret, also when the message has ended.
TEST_P(AeadOps, NoTagIsLeftInTheState)
{
    each_row([&] {
        for (size_t tag_len : { 1, 5, 16 }) {
            Bytes wrong(tag_len);
            Memory s;

            for (size_t i = 0; i < tag_len; i++)
                wrong[i] = tag[i] ^ 0x80;
            decrypt(s, key);
            ASSERT_EQ(ops->verify_prefix(s, wrong.data(), tag_len), LC_ERR_AUTH);
            for (size_t i = 0; i + 8 <= ops->state_size; i++)
                for (size_t half = 0; half < TAG_LEN; half += 8)
                    ASSERT_NE(memcmp(s.bytes + i, &tag[half], 8), 0) << "at " << i;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(
    Modes, AeadOps,
    ::testing::Values(Mode{ "gcm", lc_gcm_ops(), sizeof(lc_gcm_key), sizeof(lc_gcm_state), seal_gcm },
                      Mode{ "chacha20-poly1305", lc_chacha20poly1305_ops(), sizeof(lc_chacha20poly1305_key),
                            sizeof(lc_chacha20poly1305_state), seal_chacha20poly1305 }),
    [](const ::testing::TestParamInfo<Mode> &mode) { return std::string(mode.param.name) == "gcm" ? "Gcm" : "Chacha20Poly1305"; });

} // namespace

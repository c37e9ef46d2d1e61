// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Random sequences of calls to both providers (sequence.h), and GCM's random ivs, in which the two can't agree.
#include <cstdlib>

#include "sequence.h"

class RandomChoices : public Choices {
public:
    explicit RandomChoices(uint64_t seed) : random(seed) {}
    size_t below(size_t n) override { return random.below(n); }

private:
    Random random;
};

FOR_CIPHERS(Sequences, ciphers);
FOR_CIPHERS(Ivs, ciphers_of({ Kind::GCM }));

// LANECRYPT_SEQUENCES: how many, for a longer search
TEST_P(Sequences, Random)
{
    Fetched fetched(cipher);
    const std::string wanted = environment("LANECRYPT_SEQUENCES");
    const uint64_t count = wanted.empty() ? 3000 : std::strtoull(wanted.c_str(), nullptr, 0);

    for (uint64_t seed = 0; seed < count; seed++) {
        RandomChoices choices(seed);
        Sequence sequence(cipher, fetched, choices, seed);

        for (size_t i = 0; i < 30 && !HasFailure(); i++)
            sequence.step();
        ASSERT_FALSE(HasFailure()) << "sequence " << seed << ":\n" << sequence.log;
    }
}

// GCM makes an iv of its own if it's given none, which the caller can read.
TEST_P(Ivs, Random)
{
    Random random(20);

    for (size_t iv_len : { 11, 12, 16, 60 }) {
        EvpMessage m = random_message(random, cipher, 50, 5);
        Bytes before(iv_len);

        for (int round = 0; round < 2; round++) {
            Ctx ctx = start(Library::lanecrypt(), cipher, m.key, {}, true);
            Bytes ct(50), iv(iv_len), tag(16);
            int n;

            ASSERT_EQ(set_size(ctx.get(), OSSL_CIPHER_PARAM_IVLEN, iv_len), 1);
            ERR_clear_error();
            if (iv_len < 12) { // too short to be random
                ASSERT_EQ(update(ctx, nullptr, &n, m.aad.data(), 5), 0);
                ASSERT_TRUE(provider_gave_reason());
                continue;
            }
            ASSERT_EQ(update(ctx, nullptr, &n, m.aad.data(), 5), 1) << errors();
            ASSERT_EQ(update(ctx, ct.data(), &n, m.text.data(), 50), 1);
            ASSERT_EQ(EVP_EncryptFinal_ex(ctx.get(), tag.data(), &n), 1);
            ASSERT_EQ(get_octets(ctx.get(), OSSL_CIPHER_PARAM_AEAD_TAG, tag.data(), 16), 1);
            ASSERT_EQ(get_octets(ctx.get(), OSSL_CIPHER_PARAM_IV, iv.data(), iv_len), 1);
            EXPECT_FALSE(same(before, iv)) << "not random";
            before = iv;
            EvpMessage sealed = { m.key, iv, m.aad, ct, tag };
            EXPECT_TRUE(same(m.text, crypt(Library::stock(), cipher, &sealed, false)));
        }
    }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "chacha20poly1305_support.h"

#include <stdexcept>

const char *const mode_under_test = "chacha20-poly1305";

int init_mode_under_test(const char *impl, std::string *name)
{
    Bytes raw = Random(1).bytes(32);
    lc_chacha20poly1305_key key;
    int status = lc_chacha20poly1305_init_impl(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = lc_chacha20poly1305_impl_name(&key);
    return status;
}

int seal_or_open(bool encrypt, const lc_chacha20poly1305_key *key, uint8_t *dst, const uint8_t *src, size_t len, uint8_t *tag,
                 const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    if (encrypt)
        return (nonce_len == 24 ? lc_xchacha20poly1305_seal : lc_chacha20poly1305_seal)(key, dst, tag, 16, src, len, aad, aad_len,
                                                                                        nonce, nonce_len);
    return (nonce_len == 24 ? lc_xchacha20poly1305_open : lc_chacha20poly1305_open)(key, dst, src, len, tag, 16, aad, aad_len,
                                                                                    nonce,
                                                                                    nonce_len);
}

Sealed seal(const lc_chacha20poly1305_key *key, const Message &m)
{
    Sealed s = { Bytes(m.src.size()), Bytes(16) };

    must(seal_or_open(true, key, s.ct.data(), m.src.data(), m.src.size(), s.tag.data(), m.aad.data(), m.aad.size(), m.nonce.data(),
                      m.nonce.size()),
         "sealing");
    return s;
}

int open(const lc_chacha20poly1305_key *key, Bytes *dst, const Sealed &s, const Message &m)
{
    Bytes tag = s.tag;

    dst->assign(s.ct.size(), 0x5a);
    return seal_or_open(false, key, dst->data(), s.ct.data(), s.ct.size(), tag.data(), m.aad.data(), m.aad.size(), m.nonce.data(),
                        m.nonce.size());
}

::testing::AssertionResult both_ways(const lc_chacha20poly1305_key *key, const Message &m, const Sealed &expected)
{
    ::testing::AssertionResult sealed = same(expected, seal(key, m));
    Bytes dst;
    int status = open(key, &dst, expected, m);

    if (!sealed)
        return ::testing::AssertionFailure() << "sealing: " << sealed.message();
    if (status != LC_OK)
        return ::testing::AssertionFailure() << "opening: " << lc_strerror(status);
    return same(m.src, dst);
}

int crypt_text(bool encrypt, lc_chacha20poly1305_state *state, uint8_t *dst, const uint8_t *src, size_t len)
{
    return (encrypt ? lc_chacha20poly1305_encrypt : lc_chacha20poly1305_decrypt)(state, dst, src, len);
}

::testing::AssertionResult stream(bool encrypt, const lc_chacha20poly1305_key *key, const Message &m, const Sealed &expected,
                                  const std::vector<size_t> &aad_lens, const std::vector<size_t> &lens)
{
    const Bytes &src = encrypt ? m.src : expected.ct;
    Bytes dst(src.size()), tag(16);
    lc_chacha20poly1305_state state;
    size_t done = 0, aad_done = 0;

    must(lc_chacha20poly1305_start(&state, key, m.nonce.data(), m.nonce.size()), "lc_chacha20poly1305_start()");
    for (size_t len : aad_lens) {
        must(lc_chacha20poly1305_aad(&state, m.aad.data() + aad_done, len), "lc_chacha20poly1305_aad()");
        aad_done += len;
    }
    for (size_t len : lens) {
        must(crypt_text(encrypt, &state, dst.data() + done, src.data() + done, len), "a piece of text");
        done += len;
    }
    if (done != src.size() || aad_done != m.aad.size())
        throw std::logic_error("this test is broken: the pieces aren't the whole");
    if (encrypt)
        must(lc_chacha20poly1305_tag(&state, tag.data(), 16), "lc_chacha20poly1305_tag()");
    else if (lc_chacha20poly1305_verify(&state, expected.tag.data(), 16) != LC_OK)
        return ::testing::AssertionFailure() << "lc_chacha20poly1305_verify() refuses";
    lc_chacha20poly1305_state_wipe(&state);
    return encrypt ? same(expected, { dst, tag }) : same(m.src, dst);
}

FOR_EACH_ROW(Chapoly);

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "chacha20poly1305_support.h"

#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

namespace reference {

static void add_padded(Bytes *to, const Bytes &bytes)
{
    to->insert(to->end(), bytes.begin(), bytes.end());
    to->resize((to->size() + 15) / 16 * 16);
}

static void add_length(Bytes *to, uint64_t len)
{
    for (int i = 0; i < 8; i++)
        to->push_back(static_cast<uint8_t>(len >> 8 * i));
}

Sealed compute(const Message &m)
{
    if (m.nonce.size() == 24) {
        Bytes nonce(4);

        nonce.insert(nonce.end(), m.nonce.begin() + 16, m.nonce.end());
        return compute({ hchacha20(m.raw, m.nonce), m.src, m.aad, nonce });
    }
    Bytes one_time_key = chacha20(m.raw, Bytes(32), chacha20_iv(m.nonce, 0)), hashed;
    Sealed s;

    s.ct = chacha20(m.raw, m.src, chacha20_iv(m.nonce, 1));
    add_padded(&hashed, m.aad);
    add_padded(&hashed, s.ct);
    add_length(&hashed, m.aad.size());
    add_length(&hashed, s.ct.size());
    s.tag = poly1305(one_time_key, hashed);
    return s;
}

} // namespace reference

Sealed by_libcrypto(const Message &m, const Sealed &otherwise)
{
#ifdef HAVE_LIBCRYPTO
    if (m.nonce.size() == 12) { // it has no XChaCha20
        Sealed s;

        s.ct = Libcrypto::chacha20_poly1305(m.raw).seal(m.src, m.aad, m.nonce, &s.tag);
        return s;
    }
#endif
    (void)m;
    return otherwise;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt selftest: ECDSA and ECDH on a curve: published answers in every place of a call for many, beside other keys.
 * selftest_p256.c and selftest_p384.c define for it CURVE, BYTES and, as arrays,
 *
 *      sign_key, digest, signature       RFC 6979's
 *      dh_key, dh_peer, dh_secret        Wycheproof's: a key, another one's public key, their secret
 */
#define NAME_OF(prefix, curve, name) NAME_PASTE(prefix, curve, name)
#define NAME_PASTE(prefix, curve, name) prefix##curve##name
#define ECDSA(name) NAME_OF(lc_ecdsa_, CURVE, _##name)
#define ECDH(name) NAME_OF(lc_ecdh_, CURVE, _##name)

enum { NUM = 9 }; /* a vector of eight, and one more */

static bool wrong(const char *impl, const char *what)
{
    cli_error("selftest: %s: wrong result: %s", impl, what);
    return false;
}

bool NAME_OF(selftest_ecdsa_, CURVE, )(const char *impl)
{
    struct ECDSA(key) key, other;
    struct ECDSA(public_key) public_key, other_public;
    struct ECDSA(sign_item) sign[NUM];
    struct ECDSA(verify_item) verify[NUM];
    uint8_t sigs[NUM][2 * BYTES], raw[2 * BYTES + 1];
    bool ok = true;

    if (ECDSA(init_impl)(&key, impl, sign_key, BYTES) != LC_OK || ECDSA(init_impl)(&other, impl, digest, BYTES) != LC_OK)
        return wrong(impl, "a key is refused");
    ECDSA(get_public)(&key, raw);
    if (ECDSA(public_init_impl)(&public_key, impl, raw, 2 * BYTES + 1) != LC_OK)
        return wrong(impl, "its own public key is refused");
    ECDSA(get_public)(&other, raw);
    if (ECDSA(public_init_impl)(&other_public, impl, raw, 2 * BYTES + 1) != LC_OK)
        return wrong(impl, "its own public key is refused");
    for (size_t i = 0; i < NUM; i++) {
        sign[i] = (struct ECDSA(sign_item)){ i % 2 ? &other : &key, sigs[i], digest, BYTES, NULL, 0, 0 };
        verify[i] = (struct ECDSA(verify_item)){ i % 4 < 2 ? &public_key : &other_public, sigs[i], digest, BYTES, 0 };
    }
    if (ECDSA(sign_many_with)(sign, NUM) != LC_OK)
        return wrong(impl, "signing fails");
    if (ECDSA(verify_many)(verify, NUM) == LC_OK)
        return wrong(impl, "signatures of another key are taken");
    for (size_t i = 0; i < NUM; i++) {
        if (i % 2 == 0 && memcmp(sigs[i], signature, 2 * BYTES) != 0)
            ok = wrong(impl, "RFC 6979's signature");
        if ((verify[i].status == LC_OK) != (i % 2 == i % 4 / 2))
            ok = wrong(impl, "what is verified");
    }
    return ok;
}

bool NAME_OF(selftest_ecdh_, CURVE, )(const char *impl)
{
    struct ECDH(key) key, other;
    struct ECDH(item) items[NUM];
    uint8_t secrets[NUM][BYTES], back[BYTES], raw[2 * BYTES + 1];
    bool ok = true;

    if (ECDH(init_impl)(&key, impl, dh_key, BYTES) != LC_OK || ECDH(init_impl)(&other, impl, sign_key, BYTES) != LC_OK)
        return wrong(impl, "a key is refused");
    for (size_t i = 0; i < NUM; i++)
        items[i] = (struct ECDH(item)){ i % 2 ? &other : &key, secrets[i], dh_peer, 2 * BYTES + 1, 0 };
    if (ECDH(many)(items, NUM) != LC_OK)
        return wrong(impl, "a public key is refused");
    for (size_t i = 0; i < NUM; i += 2)
        if (memcmp(secrets[i], dh_secret, BYTES) != 0)
            ok = wrong(impl, "Wycheproof's secret");
    ECDH(get_public)(&other, raw);
    if (NAME_OF(lc_ecdh_, CURVE, )(&key, back, raw, 2 * BYTES + 1) != LC_OK)
        return wrong(impl, "its own public key is refused");
    ECDH(get_public)(&key, raw);
    if (NAME_OF(lc_ecdh_, CURVE, )(&other, secrets[0], raw, 2 * BYTES + 1) != LC_OK || memcmp(back, secrets[0], BYTES) != 0)
        ok = wrong(impl, "secrets of both sides");
    return ok;
}

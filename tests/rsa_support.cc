// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "rsa_support.h"

const char *const mode_under_test = "rsa";

int init_mode_under_test(const char *impl, std::string *name)
{
    const Bytes der = key_der(0);
    lc_rsa_key key;
    int status = lc_rsa_init_der_impl(&key, impl, der.data(), der.size());

    if (status == LC_OK)
        *name = lc_rsa_impl_name(&key);
    return status;
}

lc_rsa_hash hash_of_name(const std::string &name)
{
    return name == "SHA-256" ? LC_RSA_SHA256 : name == "SHA-384" ? LC_RSA_SHA384 : name == "SHA-512" ? LC_RSA_SHA512 : no_hash;
}

Bytes digest_of(lc_rsa_hash hash, const Bytes &msg)
{
    Bytes digest(digest_len(hash));

    must(hash == LC_RSA_SHA256   ? lc_sha256(digest.data(), msg.data(), msg.size())
         : hash == LC_RSA_SHA384 ? lc_sha384(digest.data(), msg.data(), msg.size())
                                 : lc_sha512(digest.data(), msg.data(), msg.size()),
         "hashing");
    return digest;
}

Bytes key_der(size_t key)
{
    Bytes der(RSA_MAX_DER_LEN);

    der.resize(rsa_key_der(der.data(), key));
    return der;
}

KeyPair::KeyPair(const std::string &impl, size_t number)
{
    const Bytes der = key_der(number);

    must(lc_rsa_init_der_impl(&key, impl.c_str(), der.data(), der.size()), "lc_rsa_init_der_impl");
    lc_rsa_get_public(&key, &public_key);
}

void damage(lc_rsa_key *key, int how)
{
    switch (how) {
    case 0: key->prime[0].exponent[3] ^= UINT64_C(1) << 17; break;
    case 1: key->prime[1].exponent[0] ^= 2; break;
    case 2: key->prime[0].m[5] ^= UINT64_C(1) << 63; break;
    case 3: key->prime[1].m[1] ^= 1; break;
    case 4: key->prime[0].rr[2] ^= 4, key->prime[0].rr52[2] ^= 4; break;
    case 5: key->prime[1].rr[0] ^= 1, key->prime[1].rr52[0] ^= 1; break;
    default: key->q_inverse[4] ^= 8; break;
    }
}

Bytes sign(const lc_rsa_key *key, Scheme scheme, lc_rsa_hash hash, const Bytes &digest, const Bytes &salt)
{
    Bytes sig(lc_rsa_len(key));

    if (scheme == PKCS1)
        must(lc_rsa_pkcs1_sign(key, sig.data(), hash, digest.data()), "lc_rsa_pkcs1_sign");
    else
        must(lc_rsa_pss_sign_with(key, sig.data(), hash, digest.data(), salt.data(), salt.size()), "lc_rsa_pss_sign_with");
    return sig;
}

int verify(const lc_rsa_public_key *key, Scheme scheme, const Bytes &sig, lc_rsa_hash hash, const Bytes &digest, size_t salt_len)
{
    return scheme == PKCS1 ? lc_rsa_pkcs1_verify(key, sig.data(), sig.size(), hash, digest.data())
                           : lc_rsa_pss_verify(key, sig.data(), sig.size(), hash, digest.data(), salt_len);
}

void verify_all(const std::vector<Signature> &signatures, Scheme scheme)
{
    std::vector<lc_rsa_verify_item> items;
    int first = LC_OK;

    for (const Signature &s : signatures) {
        items.push_back({ s.key, s.sig.data(), s.sig.size(), s.hash, s.digest.data(), s.salt_len, 1 });
        first = first == LC_OK ? s.expected : first;
    }
    EXPECT_EQ((scheme == PKCS1 ? lc_rsa_pkcs1_verify_many : lc_rsa_pss_verify_many)(items.data(), items.size()), first);
    for (size_t i = 0; i < items.size(); i++)
        EXPECT_EQ(items[i].status, signatures[i].expected) << i << " of " << items.size();
}

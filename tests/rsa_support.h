/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of RSA share. */
#ifndef LC_TESTS_RSA_SUPPORT_H
#define LC_TESTS_RSA_SUPPORT_H

#include "lanecrypt/rsa.h"
#include "lanecrypt/sha2.h"
#include "mode_support.h"
#include "../bench/rsa_keys.h"
#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

enum { LANES = 8 };

static const lc_rsa_hash hashes[] = { LC_RSA_SHA256, LC_RSA_SHA384, LC_RSA_SHA512 };

inline size_t digest_len(lc_rsa_hash hash)
{
    return 16 + 16 * static_cast<size_t>(hash);
}

static const lc_rsa_hash no_hash = static_cast<lc_rsa_hash>(0);

lc_rsa_hash hash_of_name(const std::string &name); /* "SHA-256" */
Bytes digest_of(lc_rsa_hash hash, const Bytes &msg);

/* Of the keys in bench/rsa_keys.h */
Bytes key_der(size_t key);

struct KeyPair {
    lc_rsa_key key;
    lc_rsa_public_key public_key;

    KeyPair(const std::string &impl, size_t number);
    ~KeyPair() { lc_rsa_wipe(&key); }
    KeyPair(const KeyPair &) = delete;
    KeyPair &operator=(const KeyPair &) = delete;
};

/* A fault in one half, or in what puts them together */
enum { NUM_FAULTS = 7 };
void damage(lc_rsa_key *key, int how);

enum Scheme { PKCS1, PSS };

/* One signature; PSS: with that salt */
Bytes sign(const lc_rsa_key *key, Scheme scheme, lc_rsa_hash hash, const Bytes &digest, const Bytes &salt = {});
int verify(const lc_rsa_public_key *key, Scheme scheme, const Bytes &sig, lc_rsa_hash hash, const Bytes &digest, size_t salt_len);

/* One that is to be verified */
struct Signature {
    const lc_rsa_public_key *key;
    Bytes sig;
    lc_rsa_hash hash;
    Bytes digest;
    size_t salt_len;
    int expected;
};

/* All of them in one call; each gets its status. */
void verify_all(const std::vector<Signature> &signatures, Scheme scheme);

class Rsa : public EachRow {
protected:
    bool in_lanes() const { return std::string(impl.name).find("portable") == std::string::npos; }
};

#endif

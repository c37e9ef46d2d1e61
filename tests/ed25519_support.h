/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#ifndef LC_TESTS_ED25519_SUPPORT_H
#define LC_TESTS_ED25519_SUPPORT_H

#include "curve25519_support.h"
#include "lanecrypt/ed25519.h"

using PrivateKey = ModeKey<lc_ed25519_key, lc_ed25519_init_impl, lc_ed25519_wipe>;

/* Throws if it isn't one. */
lc_ed25519_public_key public_key(const std::string &impl, const Bytes &raw);

Bytes public_of(const lc_ed25519_key *key);
Bytes sign(const lc_ed25519_key *key, const Bytes &msg);

/* One that is to be verified, with the key that it's about */
struct Signature {
    lc_ed25519_public_key key;
    Bytes msg, sig;
    int expected;
};

/* All of them in one call; each gets its status. */
void verify_all(const std::vector<Signature> &signatures);

/* As one sum, in memory of that length, or of what is said to be of use.  No item's status is touched. */
int verify_batch(const std::vector<Signature> &signatures, size_t len = SIZE_MAX);

/* Signatures that are wrong, each in another way: numbers out of range, another message, another key, R changed, A of small
   order */
std::vector<Signature> bad_signatures(const std::string &impl);

/* In every lane, with the bad ones in all others */
void verify_in_every_lane(const Signature &signature, const std::vector<Signature> &bad);

class Ed25519 : public EachRow {};

#endif

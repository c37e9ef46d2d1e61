/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#ifndef LC_TESTS_ECDSA_SUPPORT_H
#define LC_TESTS_ECDSA_SUPPORT_H

#include "curve_support.h"

using PrivateKey = ModeKey<ECDSA(key), ECDSA(init_impl), ECDSA(wipe)>;

ECDSA(public_key) public_key(const std::string &impl, const Bytes &raw);

/* Deterministic signature */
Bytes sign(const ECDSA(key) * key, const Bytes &digest);

/* One that is to be verified, with the key that it's about */
struct Signature {
    ECDSA(public_key) key;
    Bytes digest, sig;
    int expected;
};

/* The same key with a table, which is kept; if its implementation has no use for one, the key as it is */
const ECDSA(public_key) * prepared(const ECDSA(public_key) & key);

/* All of them in one call; each gets its status.  And again with keys that are prepared, all of them and some. */
void verify_all(const std::vector<Signature> &signatures);

/*
 * Signatures that are wrong, each in another way: numbers out of range, another digest, another key, and some for which points
 * that are equal or opposite are added on the way.
 */
std::vector<Signature> bad_signatures(const std::string &impl);

/* In every lane, with the bad ones in all others */
void verify_in_every_lane(const Signature &signature, const std::vector<Signature> &bad);

class Ecdsa : public EachRow {};

#endif

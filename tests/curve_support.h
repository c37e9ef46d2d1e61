/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of ECDSA and of ECDH share. */
#ifndef LC_TESTS_CURVE_SUPPORT_H
#define LC_TESTS_CURVE_SUPPORT_H

#include <map>

#include "curve.h"
#include "curve_white_box.h"
#include "lanecrypt/sha2.h"
#include "lanecrypt/sm3.h"
#include "mode_support.h"
#ifdef HAVE_LIBCRYPTO
#include "libcrypto.h"
#endif

enum { LANES = 8 };

/* A number of BITS bits, modulo p or n */
struct Number {
    uint64_t w[WORDS] = { 0 };

    Number() {}
    Number(uint64_t small) { w[0] = small; }
    explicit Number(const Bytes &bytes); /* big-endian */
    static Number modulus(wb_modulus m);
    Bytes bytes() const;
    bool operator==(const Number &other) const { return memcmp(w, other.w, sizeof(w)) == 0; }
    bool operator<(const Number &other) const;
};
Number add(const Number &a, const Number &b, wb_modulus m);
Number subtract(const Number &a, const Number &b, wb_modulus m);
Number multiply(const Number &a, const Number &b, wb_modulus m);
Number invert(const Number &a, wb_modulus m);
Number random_number(Random &random, wb_modulus m); /* 1 .. m - 1 */

/* By the hash function of the nonces */
Bytes nonce_hash(const Bytes &msg);

// The nonces of RFC 6979 (3.2 and 3.6), one after the other: HMACs of nonce_hash() written out
class WrittenNonces {
public:
    WrittenNonces(const Bytes &raw, const Bytes &e, const Bytes &extra);
    Bytes next();

private:
    Bytes hmac(Bytes msg) const;
    void next_key(uint8_t byte, const std::vector<Bytes> &input);

    Bytes k, v;
};

/* Those of a public key, by the portable implementation, which libcrypto's is compared with elsewhere */
Bytes public_of(const Bytes &raw);

#endif

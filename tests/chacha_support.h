/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of ChaCha20, Poly1305 and ChaCha20-Poly1305 share. */
#ifndef LC_TESTS_CHACHA_SUPPORT_H
#define LC_TESTS_CHACHA_SUPPORT_H

#include "lanecrypt/chacha20poly1305.h"
#include "mode_support.h"

/*
 * RFC 8439 and draft-irtf-cfrg-xchacha-03 word for word, with nothing of the library: the measure for all rows, so that it is there
 * in cross builds too.  It is compared with libcrypto where there is one.
 */
namespace reference {
/* The key stream xored with src.  iv: words 12 .. 15 of the first block, of which the first two are counted, modulo 2^64. */
Bytes chacha20(const Bytes &raw, const Bytes &src, const Bytes &iv);
Bytes hchacha20(const Bytes &raw, const Bytes &nonce);
Bytes poly1305(const Bytes &raw, const Bytes &msg);

/* Numbers modulo p = 2^130 - 5, always below p */
struct Number {
    uint64_t w[3]; /* little-endian */
};
bool operator==(const Number &a, const Number &b);
Number reduce(Number a); /* of any number below 2^192, if one doesn't mind waiting for those that aren't near 2^130 */
Number add(const Number &a, const Number &b);
Number subtract(const Number &a, const Number &b);
Number multiply(const Number &a, const Number &b);
Number inverse(const Number &a);
Number clamped_r(const Bytes &raw);
Number poly1305_sum(const Bytes &raw, const Bytes &msg, Number h = { { 0, 0, 0 } });
}

/* iv for reference::chacha20(): 8 bytes of nonce get a 64-bit counter, 12 a 32-bit one. */
Bytes chacha20_iv(const Bytes &nonce, uint64_t counter);

/* libcrypto's opinion; `otherwise` in builds that have none (tests/CMakeLists.txt says so). */
Bytes chacha20_by_libcrypto(const Bytes &raw, const Bytes &src, const Bytes &iv, const Bytes &otherwise);
Bytes poly1305_by_libcrypto(const Bytes &raw, const Bytes &msg, const Bytes &otherwise);

/* The texts of the RFC's examples */
extern const char *const sunscreen, *const jabberwocky, *const ietf_contribution;
Bytes from_text(const std::string &text);

#endif

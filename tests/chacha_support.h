/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of ChaCha20, Poly1305 and ChaCha20-Poly1305 share. */
#ifndef LC_TESTS_CHACHA_SUPPORT_H
#define LC_TESTS_CHACHA_SUPPORT_H

#include "lanecrypt/chacha20poly1305.h"
#include "mode_support.h"

static const bool both_directions[] = { true, false }; /* encrypt, decrypt */

/* What goes into sealing a message; nonces of 24 bytes are XChaCha20-Poly1305's. */
struct Message {
    Bytes raw, src, aad, nonce;
};
Message random_message(Random &random, size_t len, size_t aad_len, size_t nonce_len = 12);

/* What comes out. */
struct Sealed {
    Bytes ct, tag;
};
::testing::AssertionResult same(const Sealed &expected, const Sealed &actual);

/*
 * RFC 8439 and draft-irtf-cfrg-xchacha-03 word for word, with nothing of the library: the measure for all rows, so that it is there
 * in cross builds too.  It is compared with libcrypto where there is one.
 */
namespace reference {
/* The key stream xored with src.  iv: words 12 .. 15 of the first block, of which the first two are counted, modulo 2^64. */
Bytes chacha20(const Bytes &raw, const Bytes &src, const Bytes &iv);
Bytes hchacha20(const Bytes &raw, const Bytes &nonce);
Bytes poly1305(const Bytes &raw, const Bytes &msg);
Sealed seal(const Message &m);

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
Sealed seal_by_libcrypto(const Message &m, const Sealed &otherwise);

/* Lengths that add up to len: short and long ones, empty ones, whole blocks. */
std::vector<size_t> random_pieces(Random &random, size_t len);

/* Memory that can neither be read nor written: if a call is refused, it hasn't been touched.  The page behind a Guarded. */
struct Untouchable {
    Guarded memory{ 1 };
    uint8_t *p = memory.end();
};

/* A text in guarded memory, right before one guard page or right behind the other; all else there is 0xa5. */
uint8_t *put(Guarded &memory, bool at_end, const Bytes &bytes, bool read_only);
/* Is it `text`, and nothing else changed? */
::testing::AssertionResult holds(const Guarded &memory, const uint8_t *p, const Bytes &text);

void flip(Bytes *bytes, size_t bit);

/* The texts of the RFC's examples */
extern const char *const sunscreen, *const jabberwocky, *const ietf_contribution;
Bytes from_text(const std::string &text);

#endif

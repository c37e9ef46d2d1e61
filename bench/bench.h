/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Measuring: the clock, the hardware's ceilings, a peer to compare with.  Used by `lanecrypt speed`; no part of the library. */
#ifndef LC_BENCH_H
#define LC_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nanoseconds of a monotonic clock. */
double bench_now_ns(void);

/*
 * The core's clock in GHz at this moment: a chain of dependent multiplies, 3 cycles each on every x86-64 core since
 * 2008, for about 15 microseconds.  An interruption makes it look slower, never faster: take the best of several.  0
 * where no such chain is known.
 */
double bench_ghz(void);

/*
 * What limits a cipher.  bench_unit_per_ns() is how much of it the core does in a nanosecond when it does nothing else: by the
 * best of the ways that it has, in the best of several short runs.  0 if no way is known.
 */
enum bench_unit {
    BENCH_AES,  /* rounds of AES on 16 bytes */
    BENCH_ARX,  /* additions, xors and rotations of 32-bit words by vectors, as many of each, as ChaCha's rounds have them */
    BENCH_POLY, /* the products for 16 bytes of Poly1305, as words are multiplied by words: neither carries nor sums of them */
    BENCH_NUM_UNITS
};
double bench_unit_per_ns(enum bench_unit unit);

/* Push the code of all loaded objects, and len bytes at p, out of all caches.  False where that isn't possible. */
bool bench_flush_code(void);
void bench_flush_data(const void *p, size_t len);

/* ---- The peer: a libcrypto, loaded at run time through EVP ---- */

struct bench_peer;

/* path NULL: the system's libcrypto.so.3.  Returns NULL with a message in err if it can't be had. */
struct bench_peer *bench_peer_open(const char *path, char *err, size_t err_len);
void bench_peer_close(struct bench_peer *peer);
const char *bench_peer_name(const struct bench_peer *peer);     /* "OpenSSL" */
const char *bench_peer_version(const struct bench_peer *peer);  /* "3.0.19" */
const char *bench_peer_provider(const struct bench_peer *peer); /* "default", or NULL if it has no providers */

/* A cipher or MAC by EVP's name ("aes-256-xts"), its key set once for one direction.  NULL if the peer doesn't have it. */
struct bench_peer_key;
struct bench_peer_key *bench_peer_key_new(const struct bench_peer *peer, const char *name, const uint8_t *key, bool encrypt);
void bench_peer_key_free(struct bench_peer_key *key);
const char *bench_peer_key_provider(const struct bench_peer_key *key); /* whose code it is: not to be lanecrypt's; NULL as above */

/* One message with a new iv: EVP_CipherInit_ex(iv), EVP_CipherUpdate.  False if the peer refuses. */
bool bench_peer_crypt(struct bench_peer_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *iv);

/*
 * The same for an AEAD: EVP_CipherInit_ex(nonce), EVP_CipherUpdate for the aad and the text, EVP_CipherFinal_ex.  tag is written
 * when the key is one for encryption, otherwise only read; false also if it's wrong.
 */
bool bench_peer_aead(struct bench_peer_key *key, uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len, const uint8_t *aad,
                     size_t aad_len, const uint8_t nonce[12]);

/* The same for Poly1305, whose key is one message's: EVP_MAC_init(key), EVP_MAC_update, EVP_MAC_final. */
bool bench_peer_mac(struct bench_peer_key *key, uint8_t tag[16], const uint8_t *src, size_t len);

#endif

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

/* Rounds of AES on 16 bytes that the core can do in a nanosecond; the best of several short runs.  0 without AES instructions. */
double bench_aes_blocks_per_ns(void);

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

/* A cipher by EVP's name ("aes-256-xts"), its key set once for one direction.  NULL if the peer doesn't have it. */
struct bench_peer_key;
struct bench_peer_key *bench_peer_key_new(const struct bench_peer *peer, const char *cipher, const uint8_t *key, bool encrypt);
void bench_peer_key_free(struct bench_peer_key *key);

/* One message with a new iv: EVP_CipherInit_ex(iv), EVP_CipherUpdate.  False if the peer refuses. */
bool bench_peer_crypt(struct bench_peer_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *iv);

/*
 * The same for GCM: EVP_CipherInit_ex(nonce), EVP_CipherUpdate for the aad and the text, EVP_CipherFinal_ex.  tag is written when
 * the key is one for encryption, otherwise only read; false also if it's wrong.
 */
bool bench_peer_gcm(struct bench_peer_key *key, uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len, const uint8_t *aad,
                    size_t aad_len, const uint8_t nonce[12]);

#endif

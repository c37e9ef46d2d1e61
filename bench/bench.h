/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Measuring: the clock, the hardware's ceilings, a peer to compare with.  Used by `lanecrypt speed`; no part of the library. */
#ifndef LC_BENCH_H
#define LC_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "peer.h"

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
    BENCH_SHA256, /* rounds of SHA-256 of several messages, by the instructions for it */
    BENCH_SHA512, /* rounds of SHA-512, or of SM3: no way is known */
    BENCH_NUM_UNITS
};
double bench_unit_per_ns(enum bench_unit unit);

/* Push the code of all loaded objects, and len bytes at p, out of all caches.  False where that isn't possible. */
bool bench_flush_code(void);
void bench_flush_data(const void *p, size_t len);

/* ---- The peer: functions of a library that is loaded at run time ---- */

/* path: a libcrypto, or a library as peer.h has it; NULL: the system's libcrypto.so.3.  NULL, and why in err: it can't be had. */
const struct lanecrypt_peer *bench_peer_open(const char *path, char *err, size_t err_len);
void bench_peer_close(void);

/* libcrypto's provider whose code it is: "default"; or of this key, which is not to be lanecrypt's.  NULL: it has no providers. */
const char *bench_peer_provider(void);
const char *bench_peer_key_provider(const struct lanecrypt_peer *peer, const void *key);

#endif

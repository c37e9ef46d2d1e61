/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The inside of RSA for its tests. */
#ifndef LC_TESTS_RSA_WHITE_BOX_H
#define LC_TESTS_RSA_WHITE_BOX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WB_RSA_LANES = 8, WB_RSA_MAX_LIMBS = 80 };

/*
 * a * b / R in eight lanes, each modulo m (x86/rsa.S); b may be a, then it's a square.  Lane i's number is limbs[..][i].
 * in_place: 0, or where the result goes: 1 to a, 2 to b.  Returns 0 if there are no such lanes here; -1 if four lanes give other
 * results than eight.
 */
int wb_rsa_mul_lanes(uint64_t (*r)[WB_RSA_LANES], uint64_t (*a)[WB_RSA_LANES], uint64_t (*b)[WB_RSA_LANES],
                     uint64_t (*m)[WB_RSA_LANES], size_t limbs, int in_place);

void wb_rsa_mul_avx512ifma_512(uint64_t (*r)[WB_RSA_LANES], uint64_t (*a)[WB_RSA_LANES], uint64_t (*b)[WB_RSA_LANES],
                               uint64_t (*m)[WB_RSA_LANES], size_t limbs, int in_place);
void wb_rsa_mul_avx512ifma_256(uint64_t (*r)[WB_RSA_LANES], uint64_t (*a)[WB_RSA_LANES], uint64_t (*b)[WB_RSA_LANES],
                               uint64_t (*m)[WB_RSA_LANES], size_t limbs, int in_place);

/*
 * The same of one or two numbers across lanes (x86/rsa_one.S), which has `limbs` of each block: limb i of the block in lane j is
 * [i][j].  k: -1/m mod X; m_high: (k m + 1) / X.  Returns 0 if there are no such lanes here.
 */
int wb_rsa_mul_one(uint64_t (*r)[WB_RSA_LANES], uint64_t (*a)[WB_RSA_LANES], uint64_t (*b)[WB_RSA_LANES],
                   uint64_t (*m)[WB_RSA_LANES], uint64_t (*m_high)[WB_RSA_LANES], uint64_t (*k)[WB_RSA_LANES], size_t numbers,
                   size_t limbs, int in_place);

/*
 * r = x^d mod p or q (prime: 0 or 1) by the key's implementation; x has as many words as n, r half of them.  A call is for the same
 * power `num` times, up to 16; r is one of the results only if they are all the same.
 */
struct lc_rsa_key;
void wb_rsa_power(uint64_t *r, const struct lc_rsa_key *key, size_t prime, const uint64_t *x, size_t num);

/* x = x^e mod n by the key's implementation, likewise, up to 8 times */
struct lc_rsa_public_key;
void wb_rsa_public_power(uint64_t *x, const struct lc_rsa_public_key *key, size_t num);

#ifdef __cplusplus
}
#endif
#endif

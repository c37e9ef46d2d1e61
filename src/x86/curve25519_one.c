/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* X25519 for x86-64 with AVX-512 IFMA, one at a time: a ladder that has the four lanes for itself (x86/curve25519_one.S) */
#include "curve25519_one.h"

#include "../fe25519.h"

#include "curve25519.h"

LC_25519_FUNCTIONS(avx512ifma_256)

static void put_number(uint64_t to[5][4], size_t lane, const uint64_t x[4])
{
    struct fe limbs;

    fe_from_words(&limbs, x);
    for (int i = 0; i < 5; i++)
        to[i][lane] = limbs.d[i];
}

static void get_number(uint64_t x[4], const uint64_t (*from)[4], size_t lane)
{
    struct fe limbs;

    for (int i = 0; i < 5; i++)
        limbs.d[i] = from[i][lane];
    fe_to_words(x, &limbs);
}

static void dh_one(struct lc_25519_dh *item)
{
    static const uint64_t none[4] = { 0 }, one[4] = { 1 };
    const struct lc_mod *const p = &lc_25519_p;
    struct {
        struct lc_25519_ladder_one ladder;
        struct fe limbs;
        uint64_t u[4], sum[4], difference[4], x[4], z[4], zero;
    } w;

    fe_from_words(&w.limbs, item->u);
    fe_to_words(w.u, &w.limbs); /* below p */
    lc_mod_sub(w.difference, none, w.u, p);
    for (size_t lane = 0; lane < 4; lane++)
        put_number(w.ladder.u, lane, lane % 2 ? w.difference : w.u);
    lc_mod_add(w.sum, w.u, one, p);
    lc_mod_sub(w.difference, w.u, one, p);
    put_number(w.ladder.lanes, 0, one); /* infinity: X = 1, Z = 0 */
    put_number(w.ladder.lanes, 1, one);
    put_number(w.ladder.lanes, 2, w.sum);
    put_number(w.ladder.lanes, 3, w.difference);
    memcpy(w.ladder.k, item->k, sizeof(w.ladder.k));
    lc_25519_ladder_one_avx512ifma_256(&w.ladder);

    get_number(w.sum, (const uint64_t(*)[4])w.ladder.lanes, 0);
    get_number(w.difference, (const uint64_t(*)[4])w.ladder.lanes, 1);
    lc_mod_add(w.x, w.sum, w.difference, p);
    lc_mod_sub(w.z, w.sum, w.difference, p);
    w.zero = lc_words_are_zero(w.z, 4);
    lc_256_move_if(w.z, one, w.zero);
    lc_mod_inverse(w.z, w.z, p); /* 2^512 / z, as it takes it for 2^256 times z / 2^256 */
    lc_mod_mul(w.x, w.x, w.z, p);
    lc_mod_from_montgomery(w.x, w.x, p);
    for (int i = 0; i < 4; i++)
        item->result[i] = w.x[i] & ~w.zero;
    lc_wipe(&w, sizeof(w));
}

void lc_25519_dh_one_avx512ifma_256(struct lc_25519_dh *items, size_t num)
{
    for (size_t i = 0; i < num; i++)
        dh_one(&items[i]);
    lc_wipe_frame();
    lc_25519_clear_avx512ifma_256();
}

#define LADDER(member) offsetof(struct lc_25519_ladder_one, member)
_Static_assert(LADDER(lanes) == 0 && LADDER(u) == 160 && LADDER(k) == 320, "LANES, U_FACTORS, MULTIPLIER");

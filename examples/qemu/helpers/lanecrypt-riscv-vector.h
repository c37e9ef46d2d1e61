/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Zvkned and Zvksed: element groups of four words, from vstart to vl.  What follows them in the register is QEMU's business. */
#include "lanecrypt-rounds.h"

/* The groups to be done, after the check that QEMU begins such helpers with */
#define BEGIN                                                                                                                      \
    const uint32_t first = env->vstart / 4, num_groups = env->vl / 4 - env->vstart / 4;                                            \
    const size_t at = 16 * (size_t)first;                                                                                          \
                                                                                                                                   \
    VSTART_CHECK_EARLY_EXIT(env, env->vl)
#define END                                                                                                                        \
    env->vstart = 0;                                                                                                               \
    vext_set_elems_1s(vd, vext_vta(desc), 4 * env->vl, 4 * vext_get_total_elems(env, desc, 4))

/* .vv: each group has its key; .vs: all have group 0. */
#define KEYED(instruction, call)                                                                                                   \
    void HELPER(instruction##_vv)(void *vd, void *vs2, CPURISCVState *env, uint32_t desc)                                          \
    {                                                                                                                              \
        BEGIN;                                                                                                                     \
        rounds.call##_n(vd + at, vd + at, vs2 + at, num_groups, 16);                                                               \
        END;                                                                                                                       \
    }                                                                                                                              \
    void HELPER(instruction##_vs)(void *vd, void *vs2, CPURISCVState *env, uint32_t desc)                                          \
    {                                                                                                                              \
        BEGIN;                                                                                                                     \
        rounds.call##_n(vd + at, vd + at, vs2, num_groups, 0);                                                                     \
        END;                                                                                                                       \
    }

KEYED(vaesem, sb_sr_mc_ak)
KEYED(vaesef, sb_sr_ak)
KEYED(vaesdm, isb_isr_ak_imc)
KEYED(vaesdf, isb_isr_ak)

/* One call for each group: the pointers are d to its result, k to group i of vs2, and k0 to group 0. */
#define GROUPS(call)                                                                                                               \
    BEGIN;                                                                                                                         \
    for (uint32_t i = 0; i < num_groups; i++) {                                                                                    \
        uint8_t *d = vd + at + 16 * i, *k G_GNUC_UNUSED = vs2 + at + 16 * i, *k0 G_GNUC_UNUSED = vs2;                              \
                                                                                                                                   \
        call;                                                                                                                      \
    }                                                                                                                              \
    END

void HELPER(vaesz_vs)(void *vd, void *vs2, CPURISCVState *env, uint32_t desc)
{
    GROUPS(lc_aes_store(d, lc_aes_load(d) ^ lc_aes_load(k0)));
}

void HELPER(vaeskf1_vi)(void *vd, void *vs2, uint32_t rnd, CPURISCVState *env, uint32_t desc)
{
    GROUPS(rounds.vaeskf1(d, k, rnd));
}

void HELPER(vaeskf2_vi)(void *vd, void *vs2, uint32_t rnd, CPURISCVState *env, uint32_t desc)
{
    GROUPS(rounds.vaeskf2(d, d, k, rnd));
}

void HELPER(vsm4r_vv)(void *vd, void *vs2, CPURISCVState *env, uint32_t desc)
{
    GROUPS(rounds.sm4_e4(d, d, k));
}

void HELPER(vsm4r_vs)(void *vd, void *vs2, CPURISCVState *env, uint32_t desc)
{
    GROUPS(rounds.sm4_e4(d, d, k0));
}

/* Byte j of SM4's constants is 7 j; the first of a word is its most significant one. */
void HELPER(vsm4k_vi)(void *vd, void *vs2, uint32_t rnd, CPURISCVState *env, uint32_t desc)
{
    uint32_t constants[4] = { 0 };

    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            constants[i] = constants[i] << 8 | ((16 * (rnd & 7) + 4 * i + j) * 7 & 255);
    GROUPS(rounds.sm4_ekey4(d, k, constants));
}

#undef BEGIN
#undef END
#undef KEYED
#undef GROUPS

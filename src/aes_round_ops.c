/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The structure of pointers of <lanecrypt/aes_round.h> for one host.  Compiled once for each, with the options that give it, and
 * with LC_AES_ROUND_OPS, the structure's name.
 */
#include "aes_round_internal.h"

#define UNARY(name)                                                                                                                \
    static void op_##name(void *d, const void *s)                                                                                  \
    {                                                                                                                              \
        lc_aes_store(d, lc_aes_##name(lc_aes_load(s)));                                                                            \
    }
#define BINARY(prefix, name)                                                                                                       \
    static void op_##name(void *d, const void *s, const void *k)                                                                   \
    {                                                                                                                              \
        lc_aes_store(d, prefix##_##name(lc_aes_load(s), lc_aes_load(k)));                                                          \
    }
#define NUMBERED(name)                                                                                                             \
    static void op_##name(void *d, const void *s, unsigned number)                                                                 \
    {                                                                                                                              \
        lc_aes_store(d, lc_aes_##name(lc_aes_load(s), number));                                                                    \
    }

UNARY(sb)
UNARY(isb)
UNARY(sr)
UNARY(isr)
UNARY(mc)
UNARY(imc)
UNARY(sb_sr)
UNARY(isb_isr)
UNARY(sb_sr_mc)
UNARY(isb_isr_imc)
BINARY(lc_aes, sb_sr_ak)
BINARY(lc_aes, sb_sr_mc_ak)
BINARY(lc_aes, isb_isr_ak)
BINARY(lc_aes, isb_isr_imc_ak)
BINARY(lc_aes, isb_isr_ak_imc)
BINARY(lc_aes, ak_sb_sr)
BINARY(lc_aes, ak_sb_sr_mc)
BINARY(lc_aes, ak_isb_isr)
BINARY(lc_aes, ak_isb_isr_imc)
BINARY(lc_aes, sb_sr_ak_rev)
BINARY(lc_aes, sb_sr_mc_ak_rev)
BINARY(lc_aes, isb_isr_ak_rev)
BINARY(lc_aes, isb_isr_ak_imc_rev)
BINARY(lc_sm4, e4)
BINARY(lc_sm4, ekey4)
NUMBERED(keygenassist)
NUMBERED(vaeskf1)

static void op_vaeskf2(void *d, const void *prev, const void *cur, unsigned rnd)
{
    lc_aes_store(d, lc_aes_vaeskf2(lc_aes_load(prev), lc_aes_load(cur), rnd));
}

static void op_clmul64(void *d, uint64_t a, uint64_t b)
{
    lc_aes_store(d, lc_clmul64(a, b));
}

/* The address of an inline function is that of a copy in this file. */
const struct lc_aes_round_ops LC_AES_ROUND_OPS = {
    .name = LC_AES_ROUND_HOST,
    .sb = op_sb,
    .isb = op_isb,
    .sr = op_sr,
    .isr = op_isr,
    .mc = op_mc,
    .imc = op_imc,
    .sb_sr = op_sb_sr,
    .isb_isr = op_isb_isr,
    .sb_sr_mc = op_sb_sr_mc,
    .isb_isr_imc = op_isb_isr_imc,
    .sb_sr_ak = op_sb_sr_ak,
    .sb_sr_mc_ak = op_sb_sr_mc_ak,
    .isb_isr_ak = op_isb_isr_ak,
    .isb_isr_imc_ak = op_isb_isr_imc_ak,
    .isb_isr_ak_imc = op_isb_isr_ak_imc,
    .ak_sb_sr = op_ak_sb_sr,
    .ak_sb_sr_mc = op_ak_sb_sr_mc,
    .ak_isb_isr = op_ak_isb_isr,
    .ak_isb_isr_imc = op_ak_isb_isr_imc,
    .sb_sr_ak_rev = op_sb_sr_ak_rev,
    .sb_sr_mc_ak_rev = op_sb_sr_mc_ak_rev,
    .isb_isr_ak_rev = op_isb_isr_ak_rev,
    .isb_isr_ak_imc_rev = op_isb_isr_ak_imc_rev,
    .sb_sr_ak_n = lc_aes_sb_sr_ak_n,
    .sb_sr_mc_ak_n = lc_aes_sb_sr_mc_ak_n,
    .isb_isr_ak_n = lc_aes_isb_isr_ak_n,
    .isb_isr_imc_ak_n = lc_aes_isb_isr_imc_ak_n,
    .isb_isr_ak_imc_n = lc_aes_isb_isr_ak_imc_n,
    .ak_sb_sr_n = lc_aes_ak_sb_sr_n,
    .ak_sb_sr_mc_n = lc_aes_ak_sb_sr_mc_n,
    .ak_isb_isr_n = lc_aes_ak_isb_isr_n,
    .ak_isb_isr_imc_n = lc_aes_ak_isb_isr_imc_n,
    .mc_n = lc_aes_mc_n,
    .imc_n = lc_aes_imc_n,
    .keygenassist = op_keygenassist,
    .vaeskf1 = op_vaeskf1,
    .vaeskf2 = op_vaeskf2,
    .subword = lc_aes_subword,
    .aes64_es = lc_aes64_es,
    .aes64_esm = lc_aes64_esm,
    .aes64_ds = lc_aes64_ds,
    .aes64_dsm = lc_aes64_dsm,
    .aes64_im = lc_aes64_im,
    .aes64_ks1i = lc_aes64_ks1i,
    .aes64_ks2 = lc_aes64_ks2,
    .aes64_es2 = lc_aes64_es2,
    .aes64_esm2 = lc_aes64_esm2,
    .aes64_ds2 = lc_aes64_ds2,
    .aes64_dsm2 = lc_aes64_dsm2,
    .aes32_esi = lc_aes32_esi,
    .aes32_esmi = lc_aes32_esmi,
    .aes32_dsi = lc_aes32_dsi,
    .aes32_dsmi = lc_aes32_dsmi,
    .sm4_subword = lc_sm4_subword,
    .sm4_ed = lc_sm4_ed,
    .sm4_ks = lc_sm4_ks,
    .sm4_e4 = op_e4,
    .sm4_ekey4 = op_ekey4,
    .clmul64 = op_clmul64,
};

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES rounds for emulators: the AES instructions of any guest on any host.
 *
 * Each function does some steps of FIPS 197, in an order that a CPU's instruction has.  The name spells the order:
 *
 *      sb  SubBytes      sr  ShiftRows      mc  MixColumns      ak  AddRoundKey
 *      isb, isr, imc     their inverses
 *
 * These are the guests' instructions and the functions for them (docs/aes-round.md has more about each):
 *
 *      x86       AESENC, AESENCLAST          lc_aes_sb_sr_mc_ak, sb_sr_ak          256 and 512 bits: _n
 *                AESDEC, AESDECLAST          lc_aes_isb_isr_imc_ak, isb_isr_ak
 *                AESIMC, AESKEYGENASSIST     lc_aes_imc, keygenassist
 *                VSM4RNDS4, VSM4KEY4         lc_sm4_e4, ekey4
 *      Arm       AESE, AESD                  lc_aes_ak_sb_sr, ak_isb_isr             SVE2: _n
 *                AESMC, AESIMC               lc_aes_mc, imc
 *                AESE + AESMC, AESEMC        lc_aes_ak_sb_sr_mc
 *                AESD + AESIMC, AESDIMC      lc_aes_ak_isb_isr_imc
 *                SM4E, SM4EKEY               lc_sm4_e4, ekey4
 *      POWER     vcipher, vcipherlast        lc_aes_sb_sr_mc_ak, sb_sr_ak            registers as numbers of a
 *                vncipher, vncipherlast      lc_aes_isb_isr_ak_imc, isb_isr_ak       little-endian host: _rev
 *                vsbox                       lc_aes_sb
 *      RISC-V    aes64es, esm, ds, dsm       lc_aes64_es, esm, ds, dsm               both halves at once: es2, ...
 *                aes64im, ks1i, ks2          lc_aes64_im, ks1i, ks2
 *                aes32esi, esmi, dsi, dsmi   lc_aes32_esi, esmi, dsi, dsmi
 *                sm4ed, sm4ks                lc_sm4_ed, ks
 *                vaesem, vaesef              lc_aes_sb_sr_mc_ak_n, sb_sr_ak_n          .vv: key_stride 16, .vs: 0
 *                vaesdm, vaesdf              lc_aes_isb_isr_ak_imc_n, isb_isr_ak_n
 *                vaeskf1, vaeskf2, vsm4r     lc_aes_vaeskf1, vaeskf2, lc_sm4_e4
 *      all       PCLMULQDQ, PMULL, vpmsumd, clmul, clmulh                          lc_clmul64
 *
 * There are two ways to call them:
 *   - Inline functions take and return blocks by value.  They use the instructions that the compiler is told to use (-maes,
 *     -march=armv8-a+crypto, -mcpu=power8, -march=rv64gc_zknd_zkne, ...), else portable C.  LC_AES_ROUND_HOST names the choice;
 *     define LC_AES_ROUND_PORTABLE to force portable C.  They need this header and those in aes_round/, but not the library.
 *   - lc_aes_round_ops() returns a structure of pointers to the same functions, in the best form for this CPU.  A code translator
 *     can call them at their addresses.
 *
 * Byte order: byte i of a block is byte i of the state in FIPS 197 (row i % 4, column i / 4), and is byte i in memory, on every
 * host.  For guests that number bytes from the other end there are the _rev functions.
 *
 * Secrets: time does not depend on data, on any host, and no table is indexed by data.  Round numbers, constants and byte selectors
 * are public.
 * Threads: all functions may be called at any time.
 */
#ifndef LANECRYPT_AES_ROUND_H
#define LANECRYPT_AES_ROUND_H

#include "lanecrypt.h"

/* A block, or a round key. */
typedef uint8_t lc_aes_block __attribute__((vector_size(16), may_alias));

#define LC_AES_INLINE static inline __attribute__((always_inline, unused))

#if defined(__clang__) || __GNUC__ >= 12
#define LC_AES_SHUFFLE(x, ...) __builtin_shufflevector(x, x, __VA_ARGS__)
#else
#define LC_AES_SHUFFLE(x, ...) __builtin_shuffle(x, (lc_aes_block){ __VA_ARGS__ })
#endif

#include "aes_round/halves.h"

/*
 * The host's own forms of
 *      lc_aes_sb, isb, sr, isr, mc, imc (x)
 *      lc_aes_sb_sr_ak, sb_sr_mc_ak, isb_isr_ak, isb_isr_imc_ak, isb_isr_ak_imc (x, k)
 *      lc_aes_ak_sb_sr, ak_sb_sr_mc, ak_isb_isr, ak_isb_isr_imc (x, k)
 */
#if defined(LC_AES_ROUND_PORTABLE)
#include "aes_round/portable.h"
#elif defined(__x86_64__) && defined(__AES__)
#include "aes_round/x86.h"
#elif defined(__x86_64__) && defined(__GFNI__) && defined(__SSSE3__)
#include "aes_round/gfni.h"
#elif defined(__x86_64__) && defined(__SSSE3__)
#include "aes_round/vperm.h"
#elif defined(__AARCH64EL__) && (defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO))
#include "aes_round/arm.h"
#elif defined(__AARCH64EL__) && defined(__ARM_NEON)
#include "aes_round/vperm.h"
#elif defined(__powerpc64__) && defined(__CRYPTO__)
#include "aes_round/power.h"
#elif defined(__riscv_zkne) && defined(__riscv_zknd) && __riscv_xlen == 64
#include "aes_round/zkn.h"
#elif defined(__riscv_zvkned) && __riscv_xlen == 64 && __riscv_v_min_vlen >= 128
#include "aes_round/zvkned.h"
#else
#include "aes_round/portable.h"
#endif

/* ---- Without a key ---- */

LC_AES_INLINE lc_aes_block lc_aes_sb_sr(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_ak_sb_sr(x, zero);
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_ak_isb_isr(x, zero);
}

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_mc(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_ak_sb_sr_mc(x, zero);
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_imc(lc_aes_block x)
{
    lc_aes_block zero = { 0 };

    return lc_aes_ak_isb_isr_imc(x, zero);
}

/* ---- Block, key and result with bytes numbered from the other end, as on POWER ---- */

LC_AES_INLINE lc_aes_block lc_aes_reverse(lc_aes_block x)
{
    return LC_AES_SHUFFLE(x, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_ak_rev(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_reverse(lc_aes_sb_sr_ak(lc_aes_reverse(x), lc_aes_reverse(k)));
}

LC_AES_INLINE lc_aes_block lc_aes_sb_sr_mc_ak_rev(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_reverse(lc_aes_sb_sr_mc_ak(lc_aes_reverse(x), lc_aes_reverse(k)));
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak_rev(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_reverse(lc_aes_isb_isr_ak(lc_aes_reverse(x), lc_aes_reverse(k)));
}

LC_AES_INLINE lc_aes_block lc_aes_isb_isr_ak_imc_rev(lc_aes_block x, lc_aes_block k)
{
    return lc_aes_reverse(lc_aes_isb_isr_ak_imc(lc_aes_reverse(x), lc_aes_reverse(k)));
}

#include "aes_round/guests.h"
#include "aes_round/wide.h"
#include "aes_round/clmul.h"

/* ---- The same at run time ---- */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Pointers to the functions above, with blocks in memory: d = f(s) or d = f(s, k).
 * d, s, k: 16 bytes each, with any alignment.  They may be the same.  For the _n functions, which take num_blocks blocks, see
 * aes_round/wide.h.
 */
struct lc_aes_round_ops {
    const char *name; /* as LC_AES_ROUND_HOST */

    void (*sb)(void *d, const void *s);
    void (*isb)(void *d, const void *s);
    void (*sr)(void *d, const void *s);
    void (*isr)(void *d, const void *s);
    void (*mc)(void *d, const void *s);
    void (*imc)(void *d, const void *s);
    void (*sb_sr)(void *d, const void *s);
    void (*isb_isr)(void *d, const void *s);
    void (*sb_sr_mc)(void *d, const void *s);
    void (*isb_isr_imc)(void *d, const void *s);

    void (*sb_sr_ak)(void *d, const void *s, const void *k);
    void (*sb_sr_mc_ak)(void *d, const void *s, const void *k);
    void (*isb_isr_ak)(void *d, const void *s, const void *k);
    void (*isb_isr_imc_ak)(void *d, const void *s, const void *k);
    void (*isb_isr_ak_imc)(void *d, const void *s, const void *k);
    void (*ak_sb_sr)(void *d, const void *s, const void *k);
    void (*ak_sb_sr_mc)(void *d, const void *s, const void *k);
    void (*ak_isb_isr)(void *d, const void *s, const void *k);
    void (*ak_isb_isr_imc)(void *d, const void *s, const void *k);
    void (*sb_sr_ak_rev)(void *d, const void *s, const void *k);
    void (*sb_sr_mc_ak_rev)(void *d, const void *s, const void *k);
    void (*isb_isr_ak_rev)(void *d, const void *s, const void *k);
    void (*isb_isr_ak_imc_rev)(void *d, const void *s, const void *k);

    void (*sb_sr_ak_n)(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);
    void (*sb_sr_mc_ak_n)(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);
    void (*isb_isr_ak_n)(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);
    void (*isb_isr_imc_ak_n)(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);
    void (*isb_isr_ak_imc_n)(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);
    void (*ak_sb_sr_n)(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);
    void (*ak_sb_sr_mc_n)(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);
    void (*ak_isb_isr_n)(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);
    void (*ak_isb_isr_imc_n)(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);
    void (*mc_n)(void *d, const void *s, size_t num_blocks);
    void (*imc_n)(void *d, const void *s, size_t num_blocks);

    void (*keygenassist)(void *d, const void *s, unsigned rcon);
    void (*vaeskf1)(void *d, const void *cur, unsigned rnd);
    void (*vaeskf2)(void *d, const void *prev, const void *cur, unsigned rnd);
    uint32_t (*subword)(uint32_t x);

    uint64_t (*aes64_es)(uint64_t lo, uint64_t hi);
    uint64_t (*aes64_esm)(uint64_t lo, uint64_t hi);
    uint64_t (*aes64_ds)(uint64_t lo, uint64_t hi);
    uint64_t (*aes64_dsm)(uint64_t lo, uint64_t hi);
    uint64_t (*aes64_im)(uint64_t x);
    uint64_t (*aes64_ks1i)(uint64_t x, unsigned rnum);
    uint64_t (*aes64_ks2)(uint64_t x, uint64_t y);
    void (*aes64_es2)(uint64_t out[2], uint64_t lo, uint64_t hi);
    void (*aes64_esm2)(uint64_t out[2], uint64_t lo, uint64_t hi);
    void (*aes64_ds2)(uint64_t out[2], uint64_t lo, uint64_t hi);
    void (*aes64_dsm2)(uint64_t out[2], uint64_t lo, uint64_t hi);

    uint32_t (*aes32_esi)(uint32_t rs1, uint32_t rs2, unsigned bs);
    uint32_t (*aes32_esmi)(uint32_t rs1, uint32_t rs2, unsigned bs);
    uint32_t (*aes32_dsi)(uint32_t rs1, uint32_t rs2, unsigned bs);
    uint32_t (*aes32_dsmi)(uint32_t rs1, uint32_t rs2, unsigned bs);

    uint32_t (*sm4_subword)(uint32_t x);
    uint32_t (*sm4_ed)(uint32_t rs1, uint32_t rs2, unsigned bs);
    uint32_t (*sm4_ks)(uint32_t rs1, uint32_t rs2, unsigned bs);
    void (*sm4_e4)(void *d, const void *state, const void *k);
    void (*sm4_ekey4)(void *d, const void *state, const void *k);

    void (*clmul64)(void *d, uint64_t a, uint64_t b);
};

/*
 * lc_aes_round_ops: the best form for this CPU, without the features that LANECRYPT_DISABLE took away.  An unknown word in that
 * variable and all words after it are ignored; lc_env_problem() reports it.
 * Returns a pointer to a constant structure, never NULL, and the same at each call.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* C++ takes the function's name for one that hides the structure's constructor */
LC_API const struct lc_aes_round_ops *lc_aes_round_ops(void);
#pragma GCC diagnostic pop

/*
 * lc_aes_round_count: how many forms are compiled in.  This CPU may not run all of them.
 * Returns the number.
 */
LC_API size_t lc_aes_round_count(void);

/*
 * lc_aes_round_get: one of the forms.
 * index: from 0, best first.
 * runs_here: written, or NULL.  1 if this CPU can run the form; if 0, don't call its functions.
 * Returns a pointer to a constant structure, or NULL after the last form.
 */
LC_API const struct lc_aes_round_ops *lc_aes_round_get(size_t index, int *runs_here);

#ifdef __cplusplus
}
#endif
#endif

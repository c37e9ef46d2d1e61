/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_aes_round aes_round-NAME: all functions of that form of AES rounds, to be run by valgrind (see check_ct.sh): blocks, keys and
 * words are marked undefined, so memcheck reports every branch and every address that depends on them.  Round numbers, constants,
 * byte selectors and numbers of blocks are public.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "lanecrypt/aes_round.h"

enum { MAX_BLOCKS = 9 };

static uint8_t state[16 * MAX_BLOCKS], keys[16 * MAX_BLOCKS], result[16 * MAX_BLOCKS];

static uint64_t secret_word(void)
{
    uint64_t x = 0x0123456789abcdef;

    make_secret(&x, sizeof(x));
    return x;
}

/* A call that writes num_blocks blocks of `result` */
#define BLOCKS(num_blocks, call)                                                                                                   \
    do {                                                                                                                           \
        memset(result, 0, sizeof(result));                                                                                         \
        call;                                                                                                                      \
        expect_secret(result, 16 * (num_blocks));                                                                                  \
    } while (0)

#define WORD(type, call)                                                                                                           \
    do {                                                                                                                           \
        type word = call;                                                                                                          \
        expect_secret((const uint8_t *)&word, sizeof(word));                                                                       \
    } while (0)

static void check_blocks(const struct lc_aes_round_ops *ops)
{
    void (*const unary[])(void *, const void *) = { ops->sb,  ops->isb,   ops->sr,      ops->isr,      ops->mc,
                                                    ops->imc, ops->sb_sr, ops->isb_isr, ops->sb_sr_mc, ops->isb_isr_imc };
    void (*const binary[])(void *, const void *, const void *) = {
        ops->sb_sr_ak,        ops->sb_sr_mc_ak,    ops->isb_isr_ak,         ops->isb_isr_imc_ak, ops->isb_isr_ak_imc,
        ops->ak_sb_sr,        ops->ak_sb_sr_mc,    ops->ak_isb_isr,         ops->ak_isb_isr_imc, ops->sb_sr_ak_rev,
        ops->sb_sr_mc_ak_rev, ops->isb_isr_ak_rev, ops->isb_isr_ak_imc_rev, ops->sm4_e4,         ops->sm4_ekey4,
    };
    void (*const wide[])(void *, const void *, const void *, size_t, size_t) = {
        ops->sb_sr_ak_n, ops->sb_sr_mc_ak_n, ops->isb_isr_ak_n, ops->isb_isr_imc_ak_n, ops->isb_isr_ak_imc_n,
        ops->ak_sb_sr_n, ops->ak_sb_sr_mc_n, ops->ak_isb_isr_n, ops->ak_isb_isr_imc_n,
    };

    for (size_t i = 0; i < sizeof(unary) / sizeof(unary[0]); i++)
        BLOCKS(1, unary[i](result, state));
    for (size_t i = 0; i < sizeof(binary) / sizeof(binary[0]); i++)
        BLOCKS(1, binary[i](result, state, keys));
    for (size_t n = 1; n <= MAX_BLOCKS; n++) {
        for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
            for (size_t stride = 0; stride <= 16; stride += 16)
                BLOCKS(n, wide[i](result, state, keys, n, stride));
        BLOCKS(n, ops->mc_n(result, state, n));
        BLOCKS(n, ops->imc_n(result, state, n));
    }
    for (unsigned number = 0; number < 16; number++) {
        BLOCKS(1, ops->keygenassist(result, state, number));
        BLOCKS(1, ops->vaeskf1(result, state, number));
        BLOCKS(1, ops->vaeskf2(result, state, keys, number));
    }
}

static void check_words(const struct lc_aes_round_ops *ops)
{
    const uint64_t x = secret_word(), y = secret_word();
    const uint32_t u = (uint32_t)x, v = (uint32_t)y;
    uint64_t (*const halves[])(uint64_t,
                               uint64_t) = { ops->aes64_es, ops->aes64_esm, ops->aes64_ds, ops->aes64_dsm, ops->aes64_ks2 };
    void (*const pairs[])(uint64_t[2], uint64_t, uint64_t) = { ops->aes64_es2, ops->aes64_esm2, ops->aes64_ds2, ops->aes64_dsm2 };
    uint32_t (*const columns[])(uint32_t, uint32_t, unsigned) = { ops->aes32_esi,  ops->aes32_esmi, ops->aes32_dsi,
                                                                  ops->aes32_dsmi, ops->sm4_ed,     ops->sm4_ks };

    for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++)
        WORD(uint64_t, halves[i](x, y));
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        uint64_t out[2] = { 0, 0 };

        pairs[i](out, x, y);
        expect_secret((const uint8_t *)out, sizeof(out));
    }
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        for (unsigned bs = 0; bs < 4; bs++)
            WORD(uint32_t, columns[i](u, v, bs));
    for (unsigned rnum = 0; rnum <= 10; rnum++)
        WORD(uint64_t, ops->aes64_ks1i(x, rnum));
    WORD(uint64_t, ops->aes64_im(x));
    BLOCKS(1, ops->clmul64(result, x, y));
    WORD(uint32_t, ops->subword(u));
    WORD(uint32_t, ops->sm4_subword(u));
}

/* With ONLY_FORM, this program is made with a form of that name, and without the library. */
static const struct lc_aes_round_ops *form(const char *name)
{
#ifdef ONLY_FORM
    extern const struct lc_aes_round_ops ONLY_FORM;

    return strcmp(ONLY_FORM.name, name) == 0 ? &ONLY_FORM : NULL;
#else
    const struct lc_aes_round_ops *ops;
    int runs_here;

    for (size_t i = 0; (ops = lc_aes_round_get(i, &runs_here)) != NULL; i++)
        if (runs_here && strcmp(ops->name, name) == 0)
            return ops;
    return NULL;
#endif
}

int main(int argc, char **argv)
{
    static const char prefix[] = "aes_round-";
    const struct lc_aes_round_ops *ops;

    if (!RUNNING_ON_VALGRIND || argc != 2 || strncmp(argv[1], prefix, strlen(prefix)) != 0)
        fail("to be run by valgrind, with aes_round- and the name of a form", 0);
    ops = form(argv[1] + strlen(prefix));
    if (!ops)
        fail("this form doesn't run here", 0);
    make_secret(state, sizeof(state));
    make_secret(keys, sizeof(keys));
    check_blocks(ops);
    check_words(ops);
    printf("%s: done\n", argv[1]);
    return 0;
}

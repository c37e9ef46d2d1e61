/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* BENCH_AES_BLOCKS is the structure's name. */
#include "aes_blocks.h"

#include "lanecrypt/aes_round.h"

static void x86(uint8_t block[16], const uint8_t keys[11][16], size_t times)
{
    lc_aes_block x = lc_aes_load(block);

    while (times--) {
        x ^= lc_aes_load(keys[0]);
        for (int r = 1; r < 10; r++)
            x = lc_aes_sb_sr_mc_ak(x, lc_aes_load(keys[r]));
        x = lc_aes_sb_sr_ak(x, lc_aes_load(keys[10]));
    }
    lc_aes_store(block, x);
}

static void arm(uint8_t block[16], const uint8_t keys[11][16], size_t times)
{
    lc_aes_block x = lc_aes_load(block);

    while (times--) {
        for (int r = 0; r < 9; r++)
            x = lc_aes_mc(lc_aes_ak_sb_sr(x, lc_aes_load(keys[r])));
        x = lc_aes_ak_sb_sr(x, lc_aes_load(keys[9])) ^ lc_aes_load(keys[10]);
    }
    lc_aes_store(block, x);
}

static void arm_pairs(uint8_t block[16], const uint8_t keys[11][16], size_t times)
{
    lc_aes_block x = lc_aes_load(block);

    while (times--) {
        for (int r = 0; r < 9; r++)
            x = lc_aes_ak_sb_sr_mc(x, lc_aes_load(keys[r]));
        x = lc_aes_ak_sb_sr(x, lc_aes_load(keys[9])) ^ lc_aes_load(keys[10]);
    }
    lc_aes_store(block, x);
}

static void power(uint8_t block[16], const uint8_t keys[11][16], size_t times)
{
    lc_aes_block x = lc_aes_load(block);

    while (times--) {
        x ^= lc_aes_load(keys[0]);
        for (int r = 1; r < 10; r++)
            x = lc_aes_sb_sr_mc_ak_rev(x, lc_aes_load(keys[r]));
        x = lc_aes_sb_sr_ak_rev(x, lc_aes_load(keys[10]));
    }
    lc_aes_store(block, x);
}

/* Two keys of the words that RISC-V has in its registers */
static void load_halves(uint64_t halves[2], const uint8_t p[16])
{
    lc_aes_block x = lc_aes_load(p);

    halves[0] = lc_aes_low(x);
    halves[1] = lc_aes_high(x);
}

static void riscv64(uint8_t block[16], const uint8_t keys[11][16], size_t times)
{
    uint64_t x[2], y[2], k[2];

    load_halves(x, block);
    while (times--) {
        for (int r = 0; r < 10; r++) {
            load_halves(k, keys[r]);
            y[0] = x[0] ^ k[0];
            y[1] = x[1] ^ k[1];
            x[0] = r < 9 ? lc_aes64_esm(y[0], y[1]) : lc_aes64_es(y[0], y[1]);
            x[1] = r < 9 ? lc_aes64_esm(y[1], y[0]) : lc_aes64_es(y[1], y[0]);
        }
        load_halves(k, keys[10]);
        x[0] ^= k[0];
        x[1] ^= k[1];
    }
    lc_aes_store(block, lc_aes_from_halves(x[0], x[1]));
}

static void riscv64_pairs(uint8_t block[16], const uint8_t keys[11][16], size_t times)
{
    uint64_t x[2], k[2];

    load_halves(x, block);
    while (times--) {
        for (int r = 0; r < 9; r++) {
            load_halves(k, keys[r]);
            lc_aes64_esm2(x, x[0] ^ k[0], x[1] ^ k[1]);
        }
        load_halves(k, keys[9]);
        lc_aes64_es2(x, x[0] ^ k[0], x[1] ^ k[1]);
        load_halves(k, keys[10]);
        x[0] ^= k[0];
        x[1] ^= k[1];
    }
    lc_aes_store(block, lc_aes_from_halves(x[0], x[1]));
}

static void riscv32(uint8_t block[16], const uint8_t keys[11][16], size_t times)
{
    uint32_t x[4], y[4];

    for (unsigned c = 0; c < 4; c++)
        x[c] = lc_aes_column(lc_aes_load(block), c);
    while (times--) {
        for (unsigned c = 0; c < 4; c++)
            x[c] ^= lc_aes_column(lc_aes_load(keys[0]), c);
        for (int r = 1; r <= 10; r++) {
            for (unsigned c = 0; c < 4; c++) {
                y[c] = lc_aes_column(lc_aes_load(keys[r]), c);
                for (unsigned bs = 0; bs < 4; bs++)
                    y[c] = r < 10 ? lc_aes32_esmi(y[c], x[(c + bs) % 4], bs) : lc_aes32_esi(y[c], x[(c + bs) % 4], bs);
            }
            memcpy(x, y, sizeof(x));
        }
    }
    lc_aes_store(block, lc_aes_from_columns(x[0], x[1], x[2], x[3]));
}

extern const struct bench_aes_blocks BENCH_AES_BLOCKS; /* only speed_rounds.c knows all names */
const struct bench_aes_blocks BENCH_AES_BLOCKS = {
    .host = LC_AES_ROUND_HOST,
    .run = { x86, arm, arm_pairs, power, riscv64, riscv64_pairs, riscv32 },
};

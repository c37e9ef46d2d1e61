/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES rounds in an emulator: an interpreter of five instructions of 64-bit Arm, which runs the guest's AES-128 on any host.
 *
 *      cc aes_round_interpreter.c $(pkg-config --cflags --libs lanecrypt)
 *
 * The guest's code is what an assembler makes of a routine with Arm's AES instructions, one AESE and AESMC for a round.  The host
 * may have other ones, or none: the interpreter asks once which functions are the best here.  It prints the result for the example
 * of FIPS 197, appendix C.1, and fails if that is wrong.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lanecrypt/aes_round.h"

struct guest {
    uint64_t x[32];    /* general registers; addresses are offsets in memory */
    uint8_t v[32][16]; /* vector registers, byte 0 first, as Arm has them in memory too */
    uint8_t memory[256];
};

/* Runs code until RET.  False, with a message, where a CPU would trap. */
static bool interpret(struct guest *g, const uint32_t *code, size_t num_instructions)
{
    const struct lc_aes_round_ops *aes = lc_aes_round_ops(); /* once: nothing is asked in the loop */

    for (size_t pc = 0; pc < num_instructions; pc++) {
        uint32_t insn = code[pc];
        unsigned d = insn & 31, n = insn >> 5 & 31, m = insn >> 16 & 31;

        if ((insn & 0xfffffc00) == 0x4e284800) { /* AESE Vd.16B, Vn.16B */
            aes->ak_sb_sr(g->v[d], g->v[d], g->v[n]);
        } else if ((insn & 0xfffffc00) == 0x4e286800) { /* AESMC Vd.16B, Vn.16B */
            aes->mc(g->v[d], g->v[n]);
        } else if ((insn & 0xffe0fc00) == 0x6e201c00) { /* EOR Vd.16B, Vn.16B, Vm.16B */
            for (int i = 0; i < 16; i++)
                g->v[d][i] = g->v[n][i] ^ g->v[m][i];
        } else if ((insn & 0xfffffc00) == 0x3cc10400 && n < 31) { /* LDR Qd, [Xn], #16 */
            if (g->x[n] > sizeof(g->memory) - 16) {
                fprintf(stderr, "instruction %zu: no memory at %llu\n", pc, (unsigned long long)g->x[n]);
                return false;
            }
            memcpy(g->v[d], g->memory + g->x[n], 16);
            g->x[n] += 16;
        } else if (insn == 0xd65f03c0) { /* RET */
            return true;
        } else {
            fprintf(stderr, "instruction %zu: %08x is unknown\n", pc, insn);
            return false;
        }
    }
    fprintf(stderr, "the code has no end\n");
    return false;
}

/* AES-128 of v0, with the round keys at x1 */
#define KEY 0x3cc10421   /* ldr q1, [x1], #16 */
#define AESE 0x4e284820  /* aese v0.16b, v1.16b */
#define AESMC 0x4e286800 /* aesmc v0.16b, v0.16b */
#define EOR 0x6e211c00   /* eor v0.16b, v0.16b, v1.16b */
#define RET 0xd65f03c0
static const uint32_t aes_128[] = {
    KEY,  AESE,  AESMC, KEY,  AESE,  AESMC, KEY,  AESE,  AESMC, KEY,  AESE,  AESMC, KEY,  AESE, AESMC, KEY,
    AESE, AESMC, KEY,   AESE, AESMC, KEY,   AESE, AESMC, KEY,   AESE, AESMC, KEY,   AESE, KEY,  EOR,   RET,
};

int main(void)
{
    static const uint8_t expected[16] = { 0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                          0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a };
    const struct lc_aes_round_ops *aes = lc_aes_round_ops();
    static struct guest g;

    for (int i = 0; i < 16; i++) {
        g.v[0][i] = (uint8_t)(i * 0x11); /* the text */
        g.memory[i] = (uint8_t)i;        /* the key; the round keys follow, each made of the one before */
    }
    for (unsigned r = 1; r <= 10; r++)
        aes->vaeskf1(g.memory + 16 * r, g.memory + 16 * (r - 1), r);

    if (!interpret(&g, aes_128, sizeof(aes_128) / sizeof(aes_128[0])))
        return 1;
    for (int i = 0; i < 16; i++)
        printf("%02x", g.v[0][i]);
    printf(" by %s\n", aes->name);
    return memcmp(g.v[0], expected, sizeof(expected)) != 0;
}

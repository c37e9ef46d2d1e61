/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SM3's compression in C (GM/T 0004-2012, 5.3).  Whoever includes it defines BLOCKS, the name of the function.
 *
 * There are no tables, and no branches but the loops': time depends on num alone.  Of the schedule only 16 words are kept.  The
 * eight variables would move down by one in each round; here the round is told which is which instead, and after four rounds they
 * have their own names again.
 */
#include "sm3_internal.h"

#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define P0(x) ((x) ^ ROTL(x, 9) ^ ROTL(x, 17))
#define P1(x) ((x) ^ ROTL(x, 15) ^ ROTL(x, 23))

#define XOR(x, y, z) ((x) ^ (y) ^ (z))
#define MOST(x, y, z) (((x) & (y)) | ((z) & ((x) | (y)))) /* what two of them have */
#define CHOOSE(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))       /* y where x has ones, else z */

/* Word j + 4 of the schedule from those before it, of which 16 are kept */
#define W(i) w[(i) % 16]
#define NEXT_WORD(i)                                                                                                               \
    do {                                                                                                                           \
        uint32_t x = W((i) + 4) ^ W((i) + 11) ^ ROTL(W((i) + 1), 15);                                                              \
                                                                                                                                   \
        W((i) + 4) = P1(x) ^ ROTL(W((i) + 7), 7) ^ W((i) + 14);                                                                    \
    } while (0)

/*
 * Round j = i modulo 16; t is its constant, T_j rotated by j.  What a round waits for is e, which the last one has made last: it is
 * added to what is there already, in an order that the compiler has to keep.
 */
#define ROUND(FF, GG, a, b, c, d, e, f, g, h, i)                                                                                   \
    do {                                                                                                                           \
        uint32_t a12 = ROTL(a, 12), ss1 = a12 + t, word = W(i);                                                                    \
                                                                                                                                   \
        __asm__("" : "+r"(ss1));                                                                                                   \
        ss1 = ROTL(ss1 + e, 7);                                                                                                    \
                                                                                                                                   \
        h += GG(e, f, g) + ss1 + word;                                                                                             \
        if ((i) >= 12 || j)                                                                                                        \
            NEXT_WORD(i);                                                                                                          \
        d += FF(a, b, c) + (ss1 ^ a12) + (word ^ W((i) + 4));                                                                      \
        h = P0(h);                                                                                                                 \
        b = ROTL(b, 9);                                                                                                            \
        f = ROTL(f, 19);                                                                                                           \
        t = ROTL(t, 1);                                                                                                            \
    } while (0)
#define FOUR_ROUNDS(FF, GG, i)                                                                                                     \
    do {                                                                                                                           \
        ROUND(FF, GG, a, b, c, d, e, f, g, h, (i));                                                                                \
        ROUND(FF, GG, d, a, b, c, h, e, f, g, (i) + 1);                                                                            \
        ROUND(FF, GG, c, d, a, b, g, h, e, f, (i) + 2);                                                                            \
        ROUND(FF, GG, b, c, d, a, f, g, h, e, (i) + 3);                                                                            \
    } while (0)
#define SIXTEEN_ROUNDS(FF, GG)                                                                                                     \
    do {                                                                                                                           \
        FOUR_ROUNDS(FF, GG, 0);                                                                                                    \
        FOUR_ROUNDS(FF, GG, 4);                                                                                                    \
        FOUR_ROUNDS(FF, GG, 8);                                                                                                    \
        FOUR_ROUNDS(FF, GG, 12);                                                                                                   \
    } while (0)

#define NAME_OF(name) name##_no_wipe
#define NAME(name) NAME_OF(name)

static __attribute__((__noinline__)) void NAME(BLOCKS)(uint32_t *state, const uint8_t *data, size_t num)
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7], w[16];

    for (; num; num--, data += sizeof(w)) {
        uint32_t t = 0x79cc4519;
        unsigned j = 0;

        memcpy(w, data, sizeof(w));
        for (size_t i = 0; i < 16; i++)
            w[i] = __builtin_bswap32(w[i]);
        SIXTEEN_ROUNDS(XOR, XOR);
        t = ROTL(UINT32_C(0x7a879d8a), 16);
        for (j = 16; j < 64; j += 16)
            SIXTEEN_ROUNDS(MOST, CHOOSE);
        a = state[0] ^= a;
        b = state[1] ^= b;
        c = state[2] ^= c;
        d = state[3] ^= d;
        e = state[4] ^= e;
        f = state[5] ^= f;
        g = state[6] ^= g;
        h = state[7] ^= h;
    }
}

void BLOCKS(uint32_t *state, const uint8_t *data, size_t num)
{
    NAME(BLOCKS)(state, data, num);
    lc_wipe_frame(); /* w, and what there were no registers for */
}

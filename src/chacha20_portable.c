/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ChaCha20 in constant time on any CPU: additions, xors and rotations by constants, and nothing else. */
#include "chacha20_internal.h"

/*
 * With 128-bit registers, four blocks at once: word w of block l is lane l of vector w, so that the rounds need no shuffles, and
 * the key stream is put in order at the end, by 32-bit loads and stores.  Else one block, in plain words: a compiler that has to
 * make vectors of scalars would spill all of them.
 */
#if defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON)) || defined(__VSX__)
typedef uint32_t word __attribute__((vector_size(16)));
#else
typedef uint32_t word;
#endif
enum { LANES = sizeof(word) / 4, BATCH_LEN = 64 * LANES };

union state {
    word w[16];
    uint32_t lanes[16][LANES];
};

#define INLINE static inline __attribute__((always_inline))

INLINE word rotate(word x, unsigned n)
{
    return x << n | x >> (32 - n);
}

INLINE void quarter_round(word *a, word *b, word *c, word *d)
{
    *a += *b;
    *d = rotate(*d ^ *a, 16);
    *c += *d;
    *b = rotate(*b ^ *c, 12);
    *a += *b;
    *d = rotate(*d ^ *a, 8);
    *c += *d;
    *b = rotate(*b ^ *c, 7);
}

/* All indices are constants, and x is copied as a whole: so compilers keep it in registers, as far as there are any. */
static __attribute__((__noinline__)) void block_function(union state *out, const union state *start)
{
    union state x = *start;

    for (int i = 0; i < 10; i++) {
        quarter_round(&x.w[0], &x.w[4], &x.w[8], &x.w[12]);
        quarter_round(&x.w[1], &x.w[5], &x.w[9], &x.w[13]);
        quarter_round(&x.w[2], &x.w[6], &x.w[10], &x.w[14]);
        quarter_round(&x.w[3], &x.w[7], &x.w[11], &x.w[15]);
        quarter_round(&x.w[0], &x.w[5], &x.w[10], &x.w[15]);
        quarter_round(&x.w[1], &x.w[6], &x.w[11], &x.w[12]);
        quarter_round(&x.w[2], &x.w[7], &x.w[8], &x.w[13]);
        quarter_round(&x.w[3], &x.w[4], &x.w[9], &x.w[14]);
    }
    *out = x;
    for (int i = 0; i < 16; i++)
        out->w[i] += start->w[i];
}

void lc_chacha20_xor_portable(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32], const uint32_t iv[4])
{
    struct {
        union state start, out;
        uint32_t key[8];
        uint8_t keystream[BATCH_LEN];
    } w;

    memcpy(w.key, key, 32); /* the portable code needs a little-endian CPU */
    for (unsigned l = 0; l < LANES; l++) {
        w.start.lanes[0][l] = 0x61707865; /* "expand 32-byte k" */
        w.start.lanes[1][l] = 0x3320646e;
        w.start.lanes[2][l] = 0x79622d32;
        w.start.lanes[3][l] = 0x6b206574;
        for (unsigned i = 0; i < 8; i++)
            w.start.lanes[4 + i][l] = w.key[i];
        w.start.lanes[12][l] = iv[0] + l;
        for (unsigned i = 1; i < 4; i++)
            w.start.lanes[12 + i][l] = iv[i];
    }
    while (len) {
        size_t n = len < BATCH_LEN ? len : BATCH_LEN;

        block_function(&w.out, &w.start);
        for (unsigned l = 0; l < LANES; l++) {
            w.start.lanes[12][l] += LANES;
            for (unsigned j = 0; j < 16; j++)
                memcpy(w.keystream + 64 * l + 4 * j, &w.out.lanes[j][l], 4);
        }
        lc_xor_bytes(dst, src, w.keystream, n);
        dst += n;
        src += n;
        len -= n;
    }
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

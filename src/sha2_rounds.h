/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SHA-2's compression in C (FIPS 180-4, 6.2.2 and 6.4.2), for both sizes of words.  Whoever includes it defines
 *
 *      BLOCKS      the name of the function
 *      WORD        uint32_t or uint64_t
 *      NUM_ROUNDS  64 or 80
 *      K           the list of constants
 *      SWAP        what turns a big-endian word round
 *      BIG_SIGMA0, BIG_SIGMA1, SMALL_SIGMA0, SMALL_SIGMA1
 *                  their rotations; the last of a small sigma is a shift
 *
 * There are no tables but K, which is read in order, and no branches but the loops': time depends on num alone.
 *
 * Of the message schedule W only the last 16 words are kept.  The eight variables would move down by one in each round; here the
 * round is told which is which instead.
 */
#define ROTR(x, n) ((x) >> (n) | (x) << (8 * sizeof(WORD) - (n)))
#define XOR3(x, a, b, c) (ROTR(x, a) ^ ROTR(x, b) ^ ROTR(x, c))
#define XOR2(x, a, b, c) (ROTR(x, a) ^ ROTR(x, b) ^ (x) >> (c))
#define NAME_OF(name, suffix) name##suffix
#define NAME(name, suffix) NAME_OF(name, suffix)
#define CALL(macro, ...) macro(__VA_ARGS__) /* so that a list of rotations becomes arguments */

/* Word i of the schedule becomes the one 16 later. */
#define SCHEDULE(i)                                                                                                                \
    (w[i] += CALL(XOR2, w[((i) + 1) % 16], SMALL_SIGMA0) + w[((i) + 9) % 16] + CALL(XOR2, w[((i) + 14) % 16], SMALL_SIGMA1))

/* Ch(e, f, g) takes f where e has ones and g elsewhere; Maj(a, b, c) has what two of the three have. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                                                                           \
    do {                                                                                                                           \
        h += CALL(XOR3, e, BIG_SIGMA1) + (g ^ (e & (f ^ g))) + k[t + (i)] + (t ? SCHEDULE(i) : w[i]);                              \
        d += h;                                                                                                                    \
        h += CALL(XOR3, a, BIG_SIGMA0) + ((a & b) | (c & (a | b)));                                                                \
    } while (0)
#define EIGHT_ROUNDS(i)                                                                                                            \
    do {                                                                                                                           \
        ROUND(a, b, c, d, e, f, g, h, (i));                                                                                        \
        ROUND(h, a, b, c, d, e, f, g, (i) + 1);                                                                                    \
        ROUND(g, h, a, b, c, d, e, f, (i) + 2);                                                                                    \
        ROUND(f, g, h, a, b, c, d, e, (i) + 3);                                                                                    \
        ROUND(e, f, g, h, a, b, c, d, (i) + 4);                                                                                    \
        ROUND(d, e, f, g, h, a, b, c, (i) + 5);                                                                                    \
        ROUND(c, d, e, f, g, h, a, b, (i) + 6);                                                                                    \
        ROUND(b, c, d, e, f, g, h, a, (i) + 7);                                                                                    \
    } while (0)

static __attribute__((__noinline__)) void NAME(BLOCKS, _no_wipe)(WORD *state, const uint8_t *data, size_t num)
{
    static const WORD k[NUM_ROUNDS] = { K };
    WORD a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7], w[16];

    for (; num; num--, data += sizeof(w)) {
        memcpy(w, data, sizeof(w));
        for (size_t i = 0; i < 16; i++)
            w[i] = SWAP(w[i]);
        for (size_t t = 0; t < NUM_ROUNDS; t += 16) {
            EIGHT_ROUNDS(0);
            EIGHT_ROUNDS(8);
        }
        a = state[0] += a;
        b = state[1] += b;
        c = state[2] += c;
        d = state[3] += d;
        e = state[4] += e;
        f = state[5] += f;
        g = state[6] += g;
        h = state[7] += h;
    }
}

void BLOCKS(WORD *state, const uint8_t *data, size_t num)
{
    NAME(BLOCKS, _no_wipe)(state, data, num);
    lc_wipe_frame(); /* w, and what there were no registers for */
}

#undef NAME
#undef NAME_OF
#undef SCHEDULE
#undef EIGHT_ROUNDS
#undef ROTR
#undef XOR3
#undef XOR2
#undef CALL
#undef ROUND
#undef BLOCKS
#undef WORD
#undef NUM_ROUNDS
#undef K
#undef SWAP
#undef BIG_SIGMA1
#undef BIG_SIGMA0
#undef SMALL_SIGMA0
#undef SMALL_SIGMA1

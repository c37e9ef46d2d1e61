/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Constant-time AES for any CPU, bitsliced, in plain C with GNU vector types.
 *
 * Layout
 * ------
 * The state is 8 words, the bit planes: s[i] holds bit i of all bytes. In a plane, the byte in row r and column c of block
 * b (FIPS 197: byte 4c + r of the block) has its bit at
 *
 *      128-bit planes, 8 blocks:  bit 32*lane(r) + 8*c + b,  lane(0, 1, 2, 3) = 0, 2, 1, 3
 *       64-bit planes, 4 blocks:  bit 16*r       + 4*c + b
 *
 * that is, a row is contiguous, and a column is a byte (a nibble) of it. So going to the next row is one shuffle of 32-bit
 * elements (one 64-bit rotation), and going to the next column is a rotation inside the 32-bit elements. In the 128-bit
 * form rows 0, 2 sit in the low half and rows 1, 3 in the high half, because SSE2 shuffles 16-bit elements only inside one
 * half: with this order each of "row + 2", "column + 2 of row + 2" and "column + 2 in odd rows" is one or two instructions.
 * SSE2 has no byte shuffle, so single columns are moved by shifts.
 *
 * Half of ShiftRows is never computed
 * -----------------------------------
 * ShiftRows only moves bytes, and the S-box does not care where they are; only MixColumns does. Let F be the state before k
 * ShiftRows that were skipped: S[r][c] = F[r][c + k*r] (all indices modulo 4). After one more ShiftRows, MixColumns makes
 *
 *      S'[r][c] = sum over j of m[j] * F[r + j][c + (k+1)*(r + j)],    (m = 2, 3, 1, 1)
 *
 * and if the result is again kept with k+1 skipped, F'[r][d] with d = c + (k+1)*r is
 *
 *      F'[r][d] = sum over j of m[j] * F[r + j][d + (k+1)*j].
 *
 * So skipping costs no more than a MixColumns that goes "one row down and k+1 columns right" instead of "one row down".
 * This is the fixslicing of Adomnicai and Peyrin ("Fixslicing AES-like Ciphers", TCHES 2021). They skip all of them and
 * come back to k = 0 after four rounds, with four kinds of MixColumns. Here k goes 0, 1, 0, 1: an odd round skips ShiftRows
 * and has the diagonal MixColumns (k+1 = 1); an even round makes up for both by the double ShiftRows, which only swaps
 * columns 0, 2 and 1, 3 in rows 1 and 3 and costs one instruction a plane, and has the plain MixColumns. That needs only
 * two kinds, i.e. half the code, and is about as fast, as k+1 = 2 and 3 are dearer than the double ShiftRows. AES has
 * an even number of rounds, so k ends at 0. Round keys of odd rounds are moved the same way when they are loaded.
 *
 * The S-box constant is in the round keys
 * ---------------------------------------
 * SubBytes ends with XOR 0x63 on all bytes. ShiftRows and MixColumns keep such a constant (2 + 3 + 1 + 1 = 1), so it can be
 * added to the following round key instead: all round keys but the first are loaded XOR 0x63, and the S-box circuit has no
 * NOT. Decryption, which undoes the very same steps, uses the same keys.
 */
#include "aes_bitslice.h"

#include <string.h>

#include "wipe.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "The layout of planes and key words is little-endian."
#endif

typedef lc_word word;

/* Helpers must vanish into their callers: arrays then become registers. */
#define INLINE static inline __attribute__((always_inline))

/* One copy each is enough. */
#define CALLED static __attribute__((__noinline__))

/* What a round consists of */
#ifdef LC_SMALL
#define STEP CALLED /* AES-128 takes a third longer, in 1.9 KB less */
#else
#define STEP INLINE
#endif

/* Repeat for i = 0..7, unrolled: loops would keep the planes in memory, and GCC -O2 does not unroll these. */
/* clang-format off */
#define EACH(i, n, statement) { enum { i = n }; statement; }
#ifdef LC_SMALL
#define EACH_OF_8(i, statement) do { for (unsigned i = 0; i < 8; i++) { statement; } } while (0)
#else
#define EACH_OF_8(i, statement)                                                                                            \
    do {                                                                                                                   \
        EACH(i, 0, statement) EACH(i, 1, statement) EACH(i, 2, statement) EACH(i, 3, statement)                            \
        EACH(i, 4, statement) EACH(i, 5, statement) EACH(i, 6, statement) EACH(i, 7, statement)                            \
    } while (0)
#endif
/* clang-format on */

/*
 * Exchange the bits of *a under mask << n with the bits of *b under mask.
 */
INLINE void swap_bits(word *a, word *b, unsigned n, uint64_t mask)
{
    word t = ((*a >> n) ^ *b) & mask;

    *b ^= t;
    *a ^= t << n;
}

/* ------------------------------------------------------------------------------------------------------------------------
 * Moving bytes: the only part that knows the layout of a plane, written twice.
 */
#if LC_BITSLICE_VECTOR

#define WORD_BLOCKS 8                           /* blocks in a plane, bits in the field of one byte */
#define WORD_BLOCK_0 0x0101010101010101ull      /* bits of block 0 */

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef uint32_t word32 __attribute__((vector_size(16)));
typedef uint16_t word16 __attribute__((vector_size(16)));
typedef uint8_t word8 __attribute__((vector_size(16)));

#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(type, x, ...) ((word)__builtin_shufflevector((type)(x), (type)(x), __VA_ARGS__))
#else
#define SHUFFLE(type, x, ...) ((word)__builtin_shuffle((type)(x), (type){ __VA_ARGS__ }))
#endif

/* Result[r][c] = x[r + 1][c] */
INLINE word row_1(word x)
{
    return SHUFFLE(word32, x, 2, 3, 1, 0);
}

/* Result[r][c] = x[r + 2][c] */
INLINE word row_2(word x)
{
    return SHUFFLE(word32, x, 1, 0, 3, 2);
}

/* Result[r][c] = x[r + 1][c + 1] */
INLINE word row_1_column_1(word x)
{
    word32 y = (word32)row_1(x);

    return (word)(y >> 8 | y << 24);
}

/* Result[r][c] = x[r + 2][c + 2] */
INLINE word row_2_column_2(word x)
{
    return SHUFFLE(word16, x, 3, 2, 1, 0, 7, 6, 5, 4);
}

/* ShiftRows twice, its own inverse: result[r][c] = x[r][c + 2r] */
INLINE word shift_rows_twice(word x)
{
    return SHUFFLE(word16, x, 0, 1, 2, 3, 5, 4, 7, 6);
}

/* InvShiftRows: result[r][c] = x[r][c - r]: by two columns in rows 2 and 3, then by one in rows 1 and 3. */
INLINE word inv_shift_rows(word x)
{
    const word odd_rows = { 0, ~(uint64_t)0 };
    word32 y = (word32)SHUFFLE(word16, x, 0, 1, 3, 2, 4, 5, 7, 6);

    return ((word)y & ~odd_rows) | ((word)(y << 8 | y >> 24) & odd_rows);
}

/*
 * Reorder the bytes of a block from [c][r] to [lane][c] and back. Interleaving the two halves of 16 bytes rotates the four
 * bits of each byte's index: c1 c0 r1 r0 -> c0 r1 r0 c1; done twice it transposes. Then rows 1 and 2 trade places. This
 * form is five SSE2 instructions; as one byte shuffle it would be sixteen loads and stores there.
 */
INLINE word interleave_halves(word x)
{
#ifdef __SSE2__
    /* GCC 12 does not find this one by itself. */
    return (word)_mm_unpacklo_epi8((__m128i)x, _mm_srli_si128((__m128i)x, 8));
#else
    return SHUFFLE(word8, x, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
#endif
}

INLINE word swap_middle_rows(word x)
{
    return SHUFFLE(word32, x, 0, 2, 1, 3);
}

INLINE void load_blocks(word s[8], const uint8_t *blocks)
{
    for (unsigned b = 0; b < 8; b++) {
        word x;

        memcpy(&x, blocks + 16 * b, 16);
        s[b] = swap_middle_rows(interleave_halves(interleave_halves(x)));
    }
}

INLINE void store_blocks(uint8_t *blocks, const word s[8])
{
    for (unsigned b = 0; b < 8; b++) {
        word x = interleave_halves(interleave_halves(swap_middle_rows(s[b])));

        memcpy(blocks + 16 * b, &x, 16);
    }
}

INLINE uint64_t low_bits(word x)
{
    return x[0];
}

#else /* 64-bit planes */

#define WORD_BLOCKS 4
#define WORD_BLOCK_0 0x1111111111111111ull

INLINE word rotate_right(word x, unsigned n)
{
    return x >> n | x << (64 - n);
}

/* Result[r][c] = x[r + 1][c] */
INLINE word row_1(word x)
{
    return rotate_right(x, 16);
}

/* Result[r][c] = x[r + 2][c] */
INLINE word row_2(word x)
{
    return rotate_right(x, 32);
}

/* Result[r][c] = x[r + 1][c + 1]: columns 0..2 from 16 + 4 bits above, column 3 (from column 0) from 16 - 12 bits above. */
INLINE word row_1_column_1(word x)
{
    return (rotate_right(x, 20) & 0x0fff0fff0fff0fffull) | (rotate_right(x, 4) & 0xf000f000f000f000ull);
}

/* Result[r][c] = x[r + 2][c + 2]: columns 0, 1 from 32 + 8 bits above, columns 2, 3 from 32 - 8 bits above. */
INLINE word row_2_column_2(word x)
{
    return (rotate_right(x, 40) & 0x00ff00ff00ff00ffull) | (rotate_right(x, 24) & 0xff00ff00ff00ff00ull);
}

/* Swap columns 0, 2 and 1, 3 in the rows whose lower half `mask` covers. */
INLINE word shift_by_two(word x, uint64_t mask)
{
    word t = (x ^ x >> 8) & mask;

    return x ^ t ^ t << 8;
}

/* ShiftRows twice, its own inverse: result[r][c] = x[r][c + 2r] */
INLINE word shift_rows_twice(word x)
{
    return shift_by_two(x, 0x00ff000000ff0000ull);
}

/* InvShiftRows: result[r][c] = x[r][c - r]: by two columns in rows 2 and 3, then by one in rows 1 and 3. */
INLINE word inv_shift_rows(word x)
{
    x = shift_by_two(x, 0x00ff00ff00000000ull);
    return (x & 0x0000ffff0000ffffull) | (x << 4 & 0xfff00000fff00000ull) | (x >> 12 & 0x000f0000000f0000ull);
}

/*
 * A block is two words (columns 0, 1 and 2, 3), i.e. bit c1 of a byte's index picks the word, and c0 r1 r0 the byte in it.
 * Each swap exchanges the bit that picks the word with one of those three, and the three together give [c0; r1 r0 c1]: s[b]
 * gets columns 0, 2 and s[4 + b] columns 1, 3, both sorted by rows. transpose_bits() turns 4*c0 + b into the place in the
 * byte, so that a byte's bit ends at r1 r0 c1 c0 b.
 */
INLINE void load_blocks(word s[8], const uint8_t *blocks)
{
    for (unsigned b = 0; b < 4; b++) {
        word x, y;

        memcpy(&x, blocks + 16 * b, 8);
        memcpy(&y, blocks + 16 * b + 8, 8);
        swap_bits(&x, &y, 8, 0x00ff00ff00ff00ffull);
        swap_bits(&x, &y, 16, 0x0000ffff0000ffffull);
        swap_bits(&x, &y, 32, 0x00000000ffffffffull);
        s[b] = x;
        s[4 + b] = y;
    }
}

INLINE void store_blocks(uint8_t *blocks, const word s[8])
{
    for (unsigned b = 0; b < 4; b++) {
        word x = s[b], y = s[4 + b];

        swap_bits(&x, &y, 32, 0x00000000ffffffffull);
        swap_bits(&x, &y, 16, 0x0000ffff0000ffffull);
        swap_bits(&x, &y, 8, 0x00ff00ff00ff00ffull);
        memcpy(blocks + 16 * b, &x, 8);
        memcpy(blocks + 16 * b + 8, &y, 8);
    }
}

INLINE uint64_t low_bits(word x)
{
    return x;
}

#endif

/*
 * Transpose each 8x8 bit matrix whose row i is the same byte of s[i]: bit j of word i <-> bit i of word j. Its own inverse.
 */
CALLED void transpose_bits(word s[8])
{
    EACH_OF_8(i, if (!(i & 1)) swap_bits(&s[i], &s[i + 1], 1, 0x5555555555555555ull));
    EACH_OF_8(i, if (!(i & 2)) swap_bits(&s[i], &s[i + 2], 2, 0x3333333333333333ull));
    EACH_OF_8(i, if (!(i & 4)) swap_bits(&s[i], &s[i + 4], 4, 0x0f0f0f0f0f0f0f0full));
}

/* WORD_BLOCKS blocks to planes and back */
CALLED void slice(word s[8], const uint8_t *blocks)
{
    load_blocks(s, blocks);
    transpose_bits(s);
}

CALLED void unslice(uint8_t *blocks, word s[8])
{
    transpose_bits(s);
    store_blocks(blocks, s);
}

/* SubBytes and InvSubBytes: lc_aes_sub_planes() and lc_aes_inv_sub_planes(), without the XOR 0x63 */
#define LC_AES_PLANE word
#define LC_AES_INLINE STEP
#include "lanecrypt/aes_round/sbox_planes.h"

/* ------------------------------------------------------------------------------------------------------------------------
 * The other steps of a round
 */
STEP void add_round_key(word s[8], const word k[8])
{
    EACH_OF_8(i, s[i] ^= k[i]);
}

STEP void double_shift_rows(word s[8])
{
    EACH_OF_8(i, s[i] = shift_rows_twice(s[i]));
}

/*
 * MixColumns, with R = one row down, and one column right if `diagonal`:
 *
 *      2x + 3Rx + R^2 x + R^3 x = 2t + Rx + R^2 t      with t = x + Rx.
 *
 * Doubling moves plane i to i + 1, and plane 7 into planes 0, 1, 3 and 4 (x^8 = x^4 + x^3 + x + 1).
 */
STEP void mix_columns(word s[8], int diagonal)
{
    word t[8];

    EACH_OF_8(i, {
        word r = diagonal ? row_1_column_1(s[i]) : row_1(s[i]);

        t[i] = s[i] ^ r;
        s[i] = r ^ (diagonal ? row_2_column_2(t[i]) : row_2(t[i]));
    });
    s[0] ^= t[7];
    s[1] ^= t[0] ^ t[7];
    s[2] ^= t[1];
    s[3] ^= t[2] ^ t[7];
    s[4] ^= t[3] ^ t[7];
    s[5] ^= t[4];
    s[6] ^= t[5];
    s[7] ^= t[6];
}

/*
 * InvMixColumns multiplies by (14, 11, 13, 9) = (2, 3, 1, 1) * (5, 0, 4, 0) as polynomials in R modulo R^4 + 1. So it is
 * MixColumns of x + 4(x + R^2 x). Times 4: plane i to i + 2, plane 6 into 0, 1, 3, 4 and plane 7 into 1, 2, 4, 5.
 */
STEP void inv_mix_columns(word s[8], int diagonal)
{
    word t[8], t67;

    EACH_OF_8(i, t[i] = s[i] ^ (diagonal ? row_2_column_2(s[i]) : row_2(s[i])));
    t67 = t[6] ^ t[7];
    s[0] ^= t[6];
    s[1] ^= t67;
    s[2] ^= t[0] ^ t[7];
    s[3] ^= t[1] ^ t[6];
    s[4] ^= t[2] ^ t67;
    s[5] ^= t[3] ^ t[7];
    s[6] ^= t[4];
    s[7] ^= t[5];
    mix_columns(s, diagonal);
}

/* ------------------------------------------------------------------------------------------------------------------------
 * The cipher
 */

/*
 * The keys are sliced like blocks, WORD_BLOCKS slots at a time. Then the bit of one slot is smeared over all blocks: where
 * only bits of block 0 are left, x * (2^WORD_BLOCKS - 1) fills their fields. Slots count from the last round, but as the
 * number of rounds is even, odd slots are odd rounds. Unused slots are sliced too, to keep it simple.
 */
void lc_aes_bitslice_load(struct lc_aes_bitsliced *bs, const uint8_t enc[15][16], unsigned rounds)
{
    bs->rounds = rounds;
    for (unsigned first = 0; first < 15; first += WORD_BLOCKS) {
        uint64_t constant = ~(uint64_t)0; /* for bits that are set in 0x63, in all slots but slot 0 */
        word s[8];

        if (first == 0)
            constant ^= WORD_BLOCK_0;
        /* The last batch overlaps the one before it, so as not to read beyond the schedule. */
        if (first > 15 - WORD_BLOCKS)
            first = 15 - WORD_BLOCKS;
        slice(s, (const uint8_t *)enc + 16 * first);
        for (unsigned i = 0; i < 8; i++) {
            word shifted;

            if (0x63 >> i & 1)
                s[i] ^= constant;
            shifted = inv_shift_rows(s[i]);
            for (unsigned b = 0; b < WORD_BLOCKS; b++) {
                unsigned slot = first + b;
                word x = ((slot & 1 ? shifted : s[i]) >> b) & WORD_BLOCK_0;

                bs->k[slot][i] = (x << WORD_BLOCKS) - x;
            }
        }
        lc_wipe(s, sizeof(s));
    }
}

/*
 * The rounds whose keys are in `slot` to 14, all but adding the last key. A round is SubBytes, ShiftRows, MixColumns and a
 * round key; the last one has no MixColumns. The state passes through memory when this starts and ends, but not from round
 * to round.
 *
 * This holds the only copy of the S-box, which with its spills is 1 KB; sub_word() calls it for one round. The S-box as a
 * function of its own, called every round, cost 20 % of the speed.
 */
CALLED void encrypt_rounds(word state[8], const struct lc_aes_bitsliced *bs, unsigned slot)
{
    word s[8];

    EACH_OF_8(i, s[i] = state[i]);
    for (;; slot++) {
        lc_aes_sub_planes(s);
        if (slot & 1) {
            mix_columns(s, 1);
        } else {
            double_shift_rows(s);
            if (slot == 14)
                break;
            mix_columns(s, 0);
        }
        add_round_key(s, bs->k[slot]);
    }
    EACH_OF_8(i, state[i] = s[i]);
}

/* The same rounds undone, from the one in slot 14, whose key is off already, to the one in slot `last`. */
CALLED void decrypt_rounds(word state[8], const struct lc_aes_bitsliced *bs, unsigned last)
{
    word s[8];
    unsigned slot = 14;

    EACH_OF_8(i, s[i] = state[i]);
    double_shift_rows(s);
    for (;;) {
        lc_aes_inv_sub_planes(s);
        if (slot == last)
            break;
        slot--;
        add_round_key(s, bs->k[slot]);
        if (slot & 1) {
            inv_mix_columns(s, 1);
        } else {
            inv_mix_columns(s, 0);
            double_shift_rows(s);
        }
    }
    EACH_OF_8(i, state[i] = s[i]);
}

void lc_aes_bitslice_encrypt(const struct lc_aes_bitsliced *bs, uint8_t *blocks)
{
    for (unsigned done = 0; done < LC_BITSLICE_BLOCKS; done += WORD_BLOCKS) {
        word s[8];

        slice(s, blocks + 16 * done);
        add_round_key(s, bs->k[0]);
        encrypt_rounds(s, bs, 15 - bs->rounds);
        add_round_key(s, bs->k[14]);
        unslice(blocks + 16 * done, s);
        lc_wipe(s, sizeof(s));
    }
}

void lc_aes_bitslice_decrypt(const struct lc_aes_bitsliced *bs, uint8_t *blocks)
{
    for (unsigned done = 0; done < LC_BITSLICE_BLOCKS; done += WORD_BLOCKS) {
        word s[8];

        slice(s, blocks + 16 * done);
        add_round_key(s, bs->k[14]);
        decrypt_rounds(s, bs, 15 - bs->rounds);
        add_round_key(s, bs->k[0]);
        unslice(blocks + 16 * done, s);
        lc_wipe(s, sizeof(s));
    }
}

/* ------------------------------------------------------------------------------------------------------------------------
 * Key schedules
 */

/* Rotate the four bytes of a little-endian word: byte i of the result is byte i + n of x. */
INLINE uint32_t rotate_bytes(uint32_t x, unsigned n)
{
    return x >> 8 * n | x << (32 - 8 * n);
}

/*
 * The S-box on each byte of x. No transposition needed: bit 8j of x >> i is bit i of byte j. Planes carry other bits in
 * between, which do no harm and are masked at the end. The S-box is the last round's; that also does ShiftRows twice, which
 * is therefore undone beforehand.
 */
static uint32_t sub_word(uint32_t x)
{
    uint32_t y = 0x63636363;
    word s[8];

    EACH_OF_8(i, s[i] = (word){ x >> i });
    double_shift_rows(s);
    encrypt_rounds(s, NULL, 14);
    EACH_OF_8(i, y ^= ((uint32_t)low_bits(s[i]) & 0x01010101) << i);
    lc_wipe(s, sizeof(s));
    return y;
}

/* FIPS 197, 5.2, on words of four bytes: w[i] = w[i - nk] ^ g(w[i - 1]), where g depends on i mod nk. */
static void expand(uint8_t enc[15][16], const uint8_t *key, size_t key_len)
{
    const unsigned nk = (unsigned)key_len / 4;
    const unsigned unused = 8 - nk;     /* slots; round key i is made in slot unused + i, and slot 0 copied in the end */
    uint8_t *const first = (uint8_t *)enc;
    uint8_t *const w = first + 16 * unused;
    uint32_t rcon = 1;

    memcpy(w, key, key_len);
    for (unsigned i = nk; i < 4 * (15 - unused); i++) {
        uint32_t x, t;

        memcpy(&x, w + 4 * (i - nk), 4);
        memcpy(&t, w + 4 * (i - 1), 4);
        if (i % nk == 0) {
            t = sub_word(rotate_bytes(t, 1)) ^ rcon;
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;     /* public, so is the order of calls */
        } else if (nk == 8 && i % nk == 4) {
            t = sub_word(t);
        }
        x ^= t;
        memcpy(w + 4 * i, &x, 4);
    }
    if (unused) {
        memcpy(first, w, 16);
        memset(first + 16, 0, 16 * unused);
    }
}

/* Double each byte of x in GF(2^8). 0x1b has bits 0, 1, 3, 4; no multiplication, as some cores' take a variable time. */
INLINE uint32_t double_bytes(uint32_t x)
{
    uint32_t carry = x >> 7 & 0x01010101;

    return (x & 0x7f7f7f7f) << 1 ^ carry ^ carry << 1 ^ carry << 3 ^ carry << 4;
}

/* InvMixColumns on one column, by the same maths as inv_mix_columns(). */
static uint32_t inv_mix_column(uint32_t x)
{
    uint32_t t = x ^ rotate_bytes(x, 2);

    x ^= double_bytes(double_bytes(t));
    t = x ^ rotate_bytes(x, 1);
    return double_bytes(t) ^ rotate_bytes(x, 1) ^ rotate_bytes(t, 2);
}

static void invert(uint8_t dec[15][16], uint8_t enc[15][16], unsigned rounds)
{
    const unsigned first = 15 - rounds; /* slot of round key 1 */

    memset(dec, 0, 15 * 16);
    memcpy(dec[0], enc[14], 16);
    memcpy(dec[14], enc[0], 16);
    for (unsigned slot = first; slot < 14; slot++) {
        for (unsigned i = 0; i < 16; i += 4) {
            uint32_t x;

            memcpy(&x, enc[slot] + i, 4);
            x = inv_mix_column(x);
            memcpy(dec[first + 13 - slot] + i, &x, 4);
        }
    }
}

void lc_aes_expand_portable(uint8_t enc[15][16], uint8_t (*dec)[16], const uint8_t *key, size_t key_len)
{
    expand(enc, key, key_len);
    if (dec)
        invert(dec, enc, (unsigned)key_len / 4 + 6);
}

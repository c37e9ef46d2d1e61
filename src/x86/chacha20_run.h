/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What x86/chacha20.S gives, and what it gets. */
#ifndef LC_X86_CHACHA20_RUN_H
#define LC_X86_CHACHA20_RUN_H

#include "../poly1305_internal.h"
#include "../chacha20_internal.h"

/* What the assembly works on, what it uses most in the first 256 bytes.  Apart from pointers, all is secret, or as good as. */
struct lc_chacha20_run {
    _Alignas(64) uint32_t words[16];  /* of the next block */
    uint64_t rm[3];                   /* r^m, below 2^131 */
    uint8_t *dst;
    const uint8_t *src;
    const uint8_t *hashed;            /* what Poly1305 goes on with */
    uint32_t apart;                   /* 1: the first block's text is in `first`, and dst and src are the second's. */
                                      /* 2: the last block's is in more[0]; 3: both */
    union {
        uint32_t rounds;              /* of a block in general registers to go */
        uint32_t missing;             /* bytes that the last pass lacks */
    };
    uint64_t s1;                      /* r1 + r1 / 4 */
    uint32_t single[4];               /* words of that block for which there is no register */
    struct lc_poly1305_state poly;
    _Alignas(64) uint32_t ivs[4][16]; /* words 12 .. 15 of each block of a pass, if they are not of one message */
    uint8_t first[64];                /* the first block's text, if that is apart */
    union {
        uint8_t last[64];             /* the last output of rows, if that isn't a whole vector, padded with zeros */
        uint8_t spill[4][32];         /* vectors for which there is no register */
    };
    uint8_t more[8][64];              /* key stream after a pass; the last block's text, if that is apart; else a pass of up to */
                                      /* 8 blocks, of which not all are wanted */
};

_Static_assert(offsetof(struct lc_chacha20_run, words) == 0, "RUN_WORDS");
_Static_assert(offsetof(struct lc_chacha20_run, rm) == 64, "RUN_RM");
_Static_assert(offsetof(struct lc_chacha20_run, dst) == 88, "RUN_DST");
_Static_assert(offsetof(struct lc_chacha20_run, src) == 96, "RUN_SRC");
_Static_assert(offsetof(struct lc_chacha20_run, hashed) == 104, "RUN_HASHED");
_Static_assert(offsetof(struct lc_chacha20_run, apart) == 112, "RUN_APART");
_Static_assert(offsetof(struct lc_chacha20_run, rounds) == 116, "RUN_ROUNDS");
_Static_assert(offsetof(struct lc_chacha20_run, missing) == 116, "RUN_MISSING");
_Static_assert(offsetof(struct lc_chacha20_run, s1) == 120, "RUN_S1");
_Static_assert(offsetof(struct lc_chacha20_run, single) == 128, "RUN_SINGLE");
_Static_assert(offsetof(struct lc_chacha20_run, poly.h) == 144, "RUN_H");
_Static_assert(offsetof(struct lc_chacha20_run, poly.r) == 168, "RUN_R");
_Static_assert(offsetof(struct lc_chacha20_run, ivs) == 640, "RUN_IVS");
_Static_assert(offsetof(struct lc_chacha20_run, first) == 896, "RUN_FIRST");
_Static_assert(offsetof(struct lc_chacha20_run, spill) == 960, "RUN_SPILL");
_Static_assert(offsetof(struct lc_chacha20_run, last) == 960, "RUN_LAST");
_Static_assert(offsetof(struct lc_chacha20_run, more) == 1088, "RUN_MORE");

/* The key stream of run->words, one block, in run->more[0]; run->single gets zeros. */
typedef void lc_chacha20_block_fn(struct lc_chacha20_run *run);

/*
 * num_passes passes of shape.num_blocks blocks, from src to dst.  hash: 1 if in each of them Poly1305 goes on with shape.m * 2
 * blocks, before the pass writes anything; 2 for one pass with shape.more / 2 more bytes of key stream, those after the pass, in
 * run->more, or 3 with twice that (a block in general registers has only the 2); 4, if shape.pairs, for an even number of passes,
 * two at a time, or 6, the same where vector multiplications follow; 7, as 6, for num_passes = 2, a pass and the key stream of the
 * next one, which goes to run->hashed; 5, for one pass with run->ivs; 8, if shape.first_beside, for one pass that begins with block
 * 1, and the key stream of block 0 in run->first; else 0.  If shape.masks, for one pass also 256 times how many bytes of at most
 * 255 it has less; for pairs, the last one, of at most 511.
 */
typedef void lc_chacha20_columns_fn(struct lc_chacha20_run *run, size_t num_passes, unsigned hash);

/*
 * len bytes, with a first block apart or not, in all no more than the implementation's rows_len.  Returns how many of the last ones
 * are also in run->last, padded with zeros: those that don't fill a vector.  If no first block is apart and len is at most 4 *
 * shape.rows_hash, apart is 256 times how many times shape.rows_hash bytes, at most 10, at run->hashed go through Poly1305 beside
 * it.  If shape.first_beside, apart may be 2, the same as 1, for 257 to 512 bytes; run->dst and run->src are then spoilt, and
 * run->apart is 0 afterwards.
 */
typedef unsigned lc_chacha20_rows_fn(struct lc_chacha20_run *run, uint8_t *dst, const uint8_t *src, size_t len, unsigned apart);

#define SHAPE(symbol, ...)                                                                                                         \
    lc_chacha20_columns_fn lc_chacha20_columns_##symbol;                                                                           \
    lc_chacha20_rows_fn lc_chacha20_rows_##symbol;
#include "chacha20_tuning.h"

lc_chacha20_block_fn lc_chacha20_block_ssse3_general;

/* Blocks that follow each other. */
struct lc_poly1305_part {
    const uint8_t *blocks;
    size_t num;
};

/* By general registers, with BMI2 and without: some parts more; and a whole message's tag. */
typedef void lc_poly1305_parts_fn(struct lc_poly1305_state *s, const struct lc_poly1305_part *parts, size_t num_parts);
typedef void lc_poly1305_whole_fn(uint64_t tag[2], const struct lc_poly1305_part *parts, size_t num_parts, uint8_t key[32]);
lc_poly1305_parts_fn lc_poly1305_parts_x86_64, lc_poly1305_parts_bmi2;
lc_poly1305_whole_fn lc_poly1305_whole_x86_64, lc_poly1305_whole_bmi2;

/* From run->poly's r: s1, and rm = r^m for m = 2 * (2^n - 1). */
void lc_poly1305_power_x86_64(struct lc_chacha20_run *run, unsigned n);

/* What the lines of chacha20_tuning.h come to: blocks in a pass of columns, bytes that rows take, Poly1305's m. */
enum lc_chacha20_tuning {
#define SHAPE(symbol, vl, code, hash_blocks, hash_turns, most_sets, ...)                                                           \
    LC_CHACHA20_BLOCKS_##symbol = (vl) / 4, LC_CHACHA20_ROWS_LEN_##symbol = 4 * (vl) * (most_sets),                                \
    LC_CHACHA20_M_##symbol = (hash_blocks) * (hash_turns) / 2,
#include "chacha20_tuning.h"
};

/* Constants, for which compilers drop what isn't needed. */
struct lc_chacha20_shape {
    size_t num_blocks;  /* in a pass of columns */
    unsigned pass_bits; /* 2^pass_bits bytes */
    size_t rows_len;    /* bytes */
    size_t short_len;   /* bytes */
    size_t m;           /* blocks in each of the two chains that Poly1305 has in a pass */
    unsigned m_power;   /* n: m = 2 * (2^n - 1) */
    size_t more;        /* bytes that can be made beside a pass, hash = 2 and 3 */
    size_t rows_hash;   /* bytes that Poly1305 can take beside a double round of rows, or 0 */
    int masks;          /* can a pass have less of its last four blocks? */
    int pairs;          /* is there hash = 4, and faster? */
    int first_beside;   /* can block 0 be made beside the blocks after it, by general registers? */
    lc_chacha20_columns_fn *columns;
    lc_chacha20_block_fn *block; /* or NULL: rows are as good */
    lc_chacha20_rows_fn *rows, *short_rows; /* the latter for up to short_len bytes */
    lc_poly1305_parts_fn *parts;
    lc_poly1305_whole_fn *whole;
    lc_poly1305_blocks_fn *blocks; /* where there are many */
};
/*
 * By 512 bits: up to so many bytes rows are those of 256 bits.  wide: do one set of 512 bits instead of two of these.  By AVX2
 * one block has rows of 128 bits: its rounds are a chain, to which 256 bits add shuffles across lanes.
 */
#define LC_CHACHA20_SHORT_LEN(wide) ((wide) ? 128 : 256)

#define LC_CHACHA20_SHAPE(symbol, more, masks, pairs, block, short_symbol, scalar, blocks)                                         \
    { LC_CHACHA20_BLOCKS_##symbol,                                                                                                 \
      (unsigned)__builtin_ctz(64 * LC_CHACHA20_BLOCKS_##symbol),                                                                   \
      LC_CHACHA20_ROWS_LEN_##symbol,                                                                                               \
      LC_CHACHA20_BLOCKS_##symbol < 16 ? 64 : LC_CHACHA20_SHORT_LEN(pairs),                                                        \
      LC_CHACHA20_M_##symbol,                                                                                                      \
      (unsigned)__builtin_ctz(LC_CHACHA20_M_##symbol / 2 + 1),                                                                     \
      more,                                                                                                                        \
      LC_CHACHA20_BLOCKS_##symbol < 16 ? 8 * LC_CHACHA20_BLOCKS_##symbol : 0,                                                      \
      masks,                                                                                                                       \
      pairs,                                                                                                                       \
      LC_CHACHA20_BLOCKS_##symbol == 16 && LC_CHACHA20_FIRST_BESIDE,                                                               \
      lc_chacha20_columns_##symbol,                                                                                                \
      block,                                                                                                                       \
      lc_chacha20_rows_##symbol,                                                                                                   \
      lc_chacha20_rows_##short_symbol,                                                                                             \
      lc_poly1305_parts_##scalar,                                                                                                  \
      lc_poly1305_whole_##scalar,                                                                                                  \
      lc_poly1305_blocks_##blocks }
#ifdef LC_SMALL
#define LC_CHACHA20_MORE_256 0
#define LC_CHACHA20_FIRST_BESIDE 0
#else
#define LC_CHACHA20_MORE_256 64
#define LC_CHACHA20_FIRST_BESIDE 1
#endif
#define LC_CHACHA20_SHAPE_avx512_512_wide_general                                                                                  \
    LC_CHACHA20_SHAPE(avx512_512, 512, 1, 1, lc_chacha20_block_ssse3_general, avx512_256, bmi2, avx512_ifma)
#define LC_CHACHA20_SHAPE_avx512_512_wide LC_CHACHA20_SHAPE(avx512_512, 512, 1, 1, NULL, avx512_256, bmi2, avx512_ifma)
#define LC_CHACHA20_SHAPE_avx512_512 LC_CHACHA20_SHAPE(avx512_512, 512, 1, 0, NULL, avx512_256, bmi2, avx512_ifma)
#define LC_CHACHA20_SHAPE_avx512_256_general                                                                                       \
    LC_CHACHA20_SHAPE(avx512_256, LC_CHACHA20_MORE_256, 1, 0, lc_chacha20_block_ssse3_general, avx512_256, bmi2, avx2)
#define LC_CHACHA20_SHAPE_avx512_256 LC_CHACHA20_SHAPE(avx512_256, LC_CHACHA20_MORE_256, 1, 0, NULL, avx512_256, bmi2, avx2)
#define LC_CHACHA20_SHAPE_avx2_general                                                                                             \
    LC_CHACHA20_SHAPE(avx2, LC_CHACHA20_MORE_256, 0, 0, lc_chacha20_block_ssse3_general, avx2, bmi2, avx2)
#ifdef LC_SMALL /* a kernel has no SSSE3 row */
#define LC_CHACHA20_SHAPE_avx2 LC_CHACHA20_SHAPE(avx2, LC_CHACHA20_MORE_256, 0, 0, NULL, avx2, bmi2, avx2)
#else
#define LC_CHACHA20_SHAPE_avx2 LC_CHACHA20_SHAPE(avx2, LC_CHACHA20_MORE_256, 0, 0, NULL, ssse3, bmi2, avx2)
#endif
#define LC_CHACHA20_SHAPE_ssse3_general LC_CHACHA20_SHAPE(ssse3, 0, 0, 0, lc_chacha20_block_ssse3_general, ssse3, x86_64, x86_64)
#define LC_CHACHA20_SHAPE_ssse3 LC_CHACHA20_SHAPE(ssse3, 0, 0, 0, NULL, ssse3, x86_64, x86_64)

/* So each implementation's code is built for its shape.  A kernel build leaves it to the compiler, and has the same for all. */
#ifndef LC_INLINE
#define LC_INLINE static inline __attribute__((always_inline))
#endif

/*
 * Words 12 .. 15, as two words of 64 bits, which is how rows read them.  iv was written just before, as 4 and 12 or 8 and 8 bytes
 * or what else, and a load of 8 would have to wait for two stores; the asm statements keep compilers from making one load of two,
 * and from leaving out the store of a word that is there already.
 */
LC_INLINE void lc_chacha20_load_iv(struct lc_chacha20_run *run, uint32_t counter, const uint32_t iv[4])
{
    uint32_t w1 = iv[1], w2 = iv[2], w3 = iv[3];
    uint64_t low, high;

    __asm__("" : "+r"(counter));
    __asm__("" : "+r"(w1));
    __asm__("" : "+r"(w2));
    __asm__("" : "+r"(w3));
    low = counter | (uint64_t)w1 << 32;
    high = w2 | (uint64_t)w3 << 32;
    memcpy(run->words + 12, &low, 8);
    memcpy(run->words + 14, &high, 8);
}

/* The first block of text, if its key stream is in run->first */
LC_INLINE void lc_chacha20_xor_first(struct lc_chacha20_run *run, uint8_t *dst, const uint8_t *src)
{
    lc_xor_bytes(dst, src, run->first, 64);
    lc_wipe(run->first, 64);
}

/*
 * Rows: up to short_len, where the widest vectors don't pay, others; and where none pay, general registers.  Nine blocks are two
 * sets and a block beside them: Emerald Rapids takes 446 cycles, and 504 by three sets.  Thirteen are a pass: 561, beside three
 * sets 530.  One set and a block take 376, as the block alone takes 324; two sets 355.
 */
LC_INLINE unsigned lc_chacha20_rows(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, uint8_t *dst,
                                    const uint8_t *src, size_t len, unsigned apart, size_t short_len)
{
#ifndef LC_SMALL /* no row there has it */
    if (shape->block && 64 * apart + len <= 64) {
        shape->block(run);
        if (apart)
            memcpy(run->first, run->more[0], 64);
        else
            lc_xor_bytes(dst, src, run->more[0], len);
        lc_wipe(run->more[0], 64);
        return 0;
    }
#endif
    if (64 * apart + len <= short_len)
        return shape->short_rows(run, dst, src, len, apart);
    if (shape->first_beside && 64 * apart + len - 513 < 64) {
        unsigned part_len = shape->rows(run, dst + 64 * !apart, src + 64 * !apart, len - 64 * !apart, 2);

        if (!apart)
            lc_chacha20_xor_first(run, dst, src);
        return part_len;
    }
    return shape->rows(run, dst, src, len, apart);
}

LC_INLINE void lc_chacha20_load(struct lc_chacha20_run *run, const uint8_t key[32], const uint32_t iv[4])
{
    static const uint32_t constants[4] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 }; /* "expand 32-byte k" */

    memcpy(run->words, constants, 16);
    memcpy(run->words + 4, key, 32);
    lc_chacha20_load_iv(run, iv[0], iv);
}

/* len may be 0, and src NULL then. */
LC_INLINE uint8_t *lc_chacha20_copy(uint8_t *dst, const uint8_t *src, size_t len)
{
    if (len)
        memcpy(dst, src, len);
    return dst;
}

/* How much of the next len bytes goes beside a pass?  Nothing, if rows, or another pass, would be as quick with that block. */
LC_INLINE size_t lc_chacha20_more(const struct lc_chacha20_shape *shape, size_t len)
{
    if (len <= shape->more)
        return len;
    return shape->more == 64 && len <= shape->rows_len && (len - 1) / 64 % 2 == 0 ? 64 : 0;
}

/*
 * A pass, and so many bytes of text beside it, those after the pass; dst and src are where these are.  Up to a block, where
 * general registers make it: then it is the first one, and the pass has what follows.
 */
LC_INLINE void lc_chacha20_pass_and_more(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, uint8_t *dst,
                                         const uint8_t *src, size_t more)
{
    if (shape->first_beside && !run->apart && more <= 64) {
        dst = run->dst;
        src = run->src;
        run->dst += 64;
        run->src += 64;
        shape->columns(run, 1, 8 + 256 * (unsigned)(64 - more));
        lc_chacha20_xor_first(run, dst, src);
        return;
    }
    shape->columns(run, 1, more <= shape->more / 2 || shape->more == 64 ? 2 : 3);
    lc_xor_bytes(dst, src, run->more[0], more);
    lc_wipe(run->more, shape->more);
    run->words[12] += (uint32_t)((more + 63) / 64);
}

/*
 * Where passes go in pairs: a last one without another makes a pair with the rest, if that is too much to go beside it.  How many
 * bytes does the pair lack?  0: there is none.
 */
LC_INLINE size_t lc_chacha20_missing(const struct lc_chacha20_shape *shape, size_t num_passes, size_t rest_len)
{
    return shape->pairs && num_passes % 2 && rest_len > shape->more ? 64 * shape->num_blocks - rest_len : 0;
}

/* Passes with nothing beside them; in_pairs_hash: as columns get it for pairs, 4 or 6, and what the last one lacks. */
LC_INLINE void lc_chacha20_passes(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, size_t num_passes,
                                  unsigned in_pairs_hash)
{
    const size_t in_pairs = shape->pairs ? num_passes & ~(size_t)1 : 0;

    if (in_pairs)
        shape->columns(run, in_pairs, in_pairs_hash);
    if (num_passes > in_pairs)
        shape->columns(run, num_passes - in_pairs, 0);
}

/*
 * A pass for less text than it makes, len bytes, but more than rows can do; of them block 0 may be apart.  hash is as columns get
 * it, 0 or 1.
 */
LC_INLINE void lc_chacha20_part(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, uint8_t *dst,
                                const uint8_t *src, size_t len, unsigned hash)
{
    const size_t pass_len = 64 * shape->num_blocks;

    if (shape->masks) {
        run->dst = dst;
        run->src = src;
        shape->columns(run, 1, hash + 256 * (unsigned)(pass_len - 64 * run->apart - len));
#ifndef LC_SMALL
    } else if (len > pass_len - 128) {
        /* Only what isn't a whole block is copied.  If the pass has one block more than the text, that is the one before. */
        const size_t part_len = len % 64, whole_len = len - part_len;
        const unsigned before = !run->apart && len <= pass_len - 64;

        run->apart |= before | (part_len ? 2 : 0);
        run->words[12] -= before;
        run->dst = dst;
        run->src = src;
        lc_chacha20_copy(run->more[0], src + whole_len, part_len);
        shape->columns(run, 1, hash);
        lc_chacha20_copy(dst + whole_len, run->more[0], part_len);
        lc_wipe(run->more[0], 64);
        if (before)
            lc_wipe(run->first, 64);
#endif
    } else {
        uint8_t *const buffer = run->more[0];

        lc_chacha20_copy(buffer, src, len);
        run->dst = buffer;
        run->src = buffer;
        shape->columns(run, 1, hash);
        lc_chacha20_copy(dst, buffer, len);
        lc_wipe(buffer, pass_len); /* after the text there is key stream */
    }
}

/* A ciphertext up to this length is copied when it is to be overwritten, so that it can be hashed after its decryption. */
#define LC_CHACHA20_COPY_LEN 1536

/* What a call needs of memory: too much for a kernel's stack, so a kernel build has its own definition of LC_CHACHA20_WORK. */
struct lc_chacha20_work {
    struct lc_chacha20_run run;
    uint8_t copy[LC_CHACHA20_COPY_LEN];
};
#ifndef LC_CHACHA20_WORK
#define LC_CHACHA20_WORK(name) struct lc_chacha20_work name##_here, *const name = &name##_here
#endif

LC_INLINE void lc_chacha20_xor_shape(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[32], const uint32_t iv[4],
                                     const struct lc_chacha20_shape *shape)
{
    const size_t pass_len = 64 * shape->num_blocks;
    LC_CHACHA20_WORK(work);
    struct lc_chacha20_run *const run = &work->run;

    lc_chacha20_load(run, key, iv);
    run->apart = 0;
    /* A whole pass is faster than rows for as much; with masks one pass is all that there is to be done. */
    if ((len > shape->rows_len || len == pass_len) && (!shape->masks || len > pass_len)) {
        size_t num_passes = len >> shape->pass_bits, whole_len = num_passes << shape->pass_bits, more, missing;

        run->dst = dst;
        run->src = src;
        more = shape->more && whole_len ? lc_chacha20_more(shape, len - whole_len) : 0;
        missing = lc_chacha20_missing(shape, num_passes, len - whole_len);
        if (missing) {
            num_passes++;
            whole_len = len;
        }
        if (num_passes > (more > 0))
            lc_chacha20_passes(run, shape, num_passes - (more > 0), 4 + 256 * (unsigned)missing);
        if (more) {
            lc_chacha20_load_iv(run, run->words[12], run->words + 12); /* as rows read it */
            lc_chacha20_pass_and_more(run, shape, dst + whole_len, src + whole_len, more);
            whole_len += more;
        }
        dst += whole_len;
        src += whole_len;
        len -= whole_len;
        if (len && whole_len)
            lc_chacha20_load_iv(run, run->words[12], run->words + 12);
    }
    if (len > shape->rows_len) {
        lc_chacha20_part(run, shape, dst, src, len, 0);
    } else if (len) {
        if (lc_chacha20_rows(run, shape, dst, src, len, 0, shape->short_len))
            lc_wipe(run->last, sizeof(run->last));
    }
    lc_wipe(run->words, sizeof(run->words));
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ChaCha20-Poly1305 for x86-64: the order in which ChaCha20's vectors and Poly1305's multiplications are put side by side, for all
 * widths.
 *
 * ChaCha20 needs the vector units only and Poly1305 the multiplier and the general registers only.  So a pass of columns
 * (x86/chacha20.S) takes nearly as much text through Poly1305 as it encrypts, and that costs it little: ciphertext of the passes
 * before it; or, when that is going to be overwritten, its own.
 */
#include "../chacha20poly1305_internal.h"
#include "chacha20_run.h"

/*
 * Short messages have code for each shape; long ones only by 512 bits, which most servers choose.  For the others it is there once
 * and asks the shape: 20 cycles more, up to 2 % for most, and 27 KB of code less.  By 512 bits it would be 40, 4 % of 1 KB.
 */
#define SHARED __attribute__((__noinline__))

/* The last block, less than 16 bytes, padded.  By two words, as that is how it's going to be read. */
LC_INLINE void pad_block(uint8_t block[16], const uint8_t *data, size_t len)
{
    uint64_t low = 0, high = 0;
    uint32_t a, b;

    if (len >= 8) {
        memcpy(&low, data, 8);
        memcpy(&high, data + len - 8, 8);
        high = len > 8 ? high >> (128 - 8 * len) : 0;
    } else if (len >= 4) {
        memcpy(&a, data, 4);
        memcpy(&b, data + len - 4, 4);
        low = a | (uint64_t)b << (8 * len - 32);
    } else {
        for (size_t i = 0; i < len; i++)
            low |= (uint64_t)data[i] << (8 * i);
    }
    memcpy(block, &low, 8);
    memcpy(block + 8, &high, 8);
}

LC_INLINE size_t add_part(struct lc_poly1305_part *parts, size_t num_parts, const void *blocks, size_t num)
{
    parts[num_parts].blocks = blocks;
    parts[num_parts].num = num;
    return num_parts + 1;
}

/* So many bytes that follow each other, the last block padded in `block`: adds at most two parts. */
LC_INLINE size_t add_parts(struct lc_poly1305_part *parts, size_t num_parts, const uint8_t *data, size_t len, uint8_t block[16])
{
    if (len >= 16)
        num_parts = add_part(parts, num_parts, data, len / 16);
    if (len % 16) {
        pad_block(block, data + len / 16 * 16, len % 16);
        num_parts = add_part(parts, num_parts, block, 1);
    }
    return num_parts;
}

/* From here on a part is for vectors: as soon as IFMA is quicker, and by others from where AVX2 is. */
#define LONG_PART(shape) ((size_t)((shape)->num_blocks == 16 ? 14 : 16))

static SHARED void hash_parts(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape,
                              const struct lc_poly1305_part *parts, size_t num_parts)
{
    size_t begin = 0;

    for (size_t i = 0; i < num_parts; i++)
        if (parts[i].num >= LONG_PART(shape)) {
            if (i > begin)
                shape->parts(&run->poly, parts + begin, i - begin);
            shape->blocks(&run->poly, parts[i].blocks, 16 * parts[i].num, 1);
            begin = i + 1;
        }
    if (num_parts > begin)
        shape->parts(&run->poly, parts + begin, num_parts - begin);
}

/*
 * Parts for what rows, which returned part_len, have just written to dst.  IFMA takes all whole blocks from there: when it comes to
 * the last ones, a store under a mask is done, too.
 */
LC_INLINE size_t add_rows(struct lc_poly1305_part *parts, size_t num_parts, const struct lc_chacha20_run *run,
                          const struct lc_chacha20_shape *shape, const uint8_t *dst, size_t len, size_t part_len)
{
    const int by_ifma = shape->num_blocks == 16 && len >= 16 * LONG_PART(shape);
    const size_t last_len = by_ifma ? part_len % 16 : part_len;

    if (len > last_len)
        num_parts = add_part(parts, num_parts, dst, (len - last_len) / 16);
    return add_part(parts, num_parts, run->last + part_len - last_len, (last_len + 15) / 16);
}

/*
 * Added to `how` by a -wide row, for what it leaves to the row whose code it is: rows of 129 to 256 bytes are one set of 512 bits.
 * So these CPUs have it without that code once more.  A kernel has no -wide rows.
 */
#ifdef LC_ONE_MESSAGE
#define WIDE_ROWS 0
#else
#define WIDE_ROWS 4
#endif

LC_INLINE size_t short_len_of(const struct lc_chacha20_shape *shape, unsigned how)
{
    return shape->num_blocks == 16 && how & WIDE_ROWS ? LC_CHACHA20_SHORT_LEN(1) : shape->short_len;
}

/* A whole message that rows can do: the key stream of all of it comes out of one pass. */
LC_INLINE void crypt_short(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len, struct lc_chacha20poly1305_msg *msg,
                           unsigned how, int decrypt, const struct lc_chacha20_shape *shape)
{
    const size_t short_len = short_len_of(shape, how);
    LC_CHACHA20_WORK(work);
    struct lc_chacha20_run *const run = &work->run;
    struct lc_poly1305_part parts[6];
    size_t num_parts, part_len;
    uint8_t aad_block[16], text_block[16];

    lc_chacha20_load(run, key, msg->iv);
    num_parts = add_parts(parts, 0, msg->aad, msg->aad_len, aad_block);
    if (decrypt) {
        const uint8_t *text = src;

        if (dst == src)
            text = lc_chacha20_copy(work->copy, src, len);
        num_parts = add_parts(parts, num_parts, text, len, text_block);
        lc_chacha20_rows(run, shape, dst, src, len, 1, short_len);
    } else {
        part_len = lc_chacha20_rows(run, shape, dst, src, len, 1, short_len);
        num_parts = add_rows(parts, num_parts, run, shape, dst, len, part_len);
    }
    num_parts = add_part(parts, num_parts, msg->lens, 1);
    if (len + msg->aad_len < 16 * LONG_PART(shape)) {
        shape->whole(msg->hash, parts, num_parts, run->first);
    } else {
        uint64_t s[2];

        memset(run->poly.h, 0, sizeof(run->poly.h));
        run->poly.num_powers = 0;
        lc_poly1305_load_key(run->poly.r, s, run->first);
        hash_parts(run, shape, parts, num_parts);
        lc_poly1305_tag((uint8_t *)msg->hash, run->poly.h, s);
        lc_wipe(s, sizeof(s));
        lc_wipe(&run->poly, offsetof(struct lc_poly1305_state, s)); /* h, r */
        if (run->poly.num_powers)
            lc_wipe(run->poly.powers, sizeof(run->poly.powers));
    }
    lc_wipe(run->words + 4, 32);
    lc_wipe(run->first, 64);
    if (decrypt)
        lc_wipe(run->last, 64);
}

/* So many blocks, by what is best for that many. */
LC_INLINE void hash_blocks(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, const uint8_t *blocks, size_t num)
{
    struct lc_poly1305_part part = { blocks, num };

    hash_parts(run, shape, &part, 1);
}

/* Poly1305's part in a pass, m * 2 blocks, is four short.  After so many passes it catches up, with text in the first cache. */
#define PASSES 32

/*
 * Poly1305 follows: `hashed` is what it has come to in the ciphertext, which is at text up to dst and src, and after them when it
 * is made.  there_len: a pass's length if it is there before, as in decryption, else 0.  Returns what `hashed` is afterwards.
 */
LC_INLINE const uint8_t *passes_behind(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, const uint8_t *hashed,
                                       const uint8_t *text, size_t there_len, size_t num_passes)
{
    const size_t pass_len = 64 * shape->num_blocks, hash_len = 32 * shape->m;

    while (num_passes) {
        unsigned hash = (size_t)(text - hashed) + there_len >= hash_len;
        size_t n = !hash ? 1 : num_passes < PASSES ? num_passes : PASSES;

        run->hashed = hashed;
        shape->columns(run, n, hash);
        text += n * pass_len;
        if (hash)
            hashed += n * hash_len;
        num_passes -= n;
        if (num_passes && hash) {
            size_t behind = (size_t)(text - hashed) - pass_len;

            hash_blocks(run, shape, hashed, behind / 16);
            hashed += behind;
        }
    }
    return hashed;
}

/* Poly1305 leads, for a ciphertext that is overwritten: nothing from run->src on is hashed yet; afterwards all of it is. */
LC_INLINE void passes_ahead(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, size_t num_passes)
{
    while (num_passes) {
        size_t n = num_passes < PASSES ? num_passes : PASSES, ahead = n * (64 * shape->num_blocks - 32 * shape->m);

        hash_blocks(run, shape, run->src, ahead / 16);
        run->hashed = run->src + ahead;
        shape->columns(run, n, 1);
        num_passes -= n;
    }
}

/*
 * Is block 0 one too many: is it a multiple of four blocks that start_len and what passes leave over is, without it?  Then it is
 * made beside the first pass, which has a block of text more.  If that is the end of the text, it may be less than a block.
 */
LC_INLINE int goes_beside(const struct lc_chacha20_shape *shape, size_t len, size_t start_len)
{
    const size_t pass_len = 64 * shape->num_blocks, rest_len = (len - start_len) & (pass_len - 1);

    return shape->first_beside && 64 + start_len == pass_len && rest_len && (rest_len - 1) % 256 < 64 &&
           (rest_len >= 64 || rest_len == len - start_len);
}

/*
 * The first pass of a message: block 0 to run->first and start_len bytes of text, or if that fills columns, and there is room
 * beside them, some more of the len bytes there are.  Returns how many it has done; run is ready for the blocks after them.
 */
LC_INLINE size_t first_pass(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, uint8_t *dst, const uint8_t *src,
                            size_t len, size_t start_len, size_t short_len)
{
    const size_t pass_len = 64 * shape->num_blocks;

    if (goes_beside(shape, len, start_len)) {
        start_len = len < pass_len ? len : pass_len;
        run->dst = dst;
        run->src = src;
        shape->columns(run, 1, 8 + 256 * (unsigned)(pass_len - start_len));
        return start_len;
    }
    if (64 + start_len <= shape->rows_len && !(shape->more && 64 + start_len == pass_len)) {
        lc_chacha20_rows(run, shape, dst, src, start_len, 1, short_len);
    } else {
        memset(run->first, 0, 64);
        run->apart = 1;
        if (64 + start_len == pass_len) {
            /* Blocks that passes would leave over come with the first one, if they are whole or the message's end. */
            size_t more = shape->more ? lc_chacha20_more(shape, (len - start_len) & (pass_len - 1)) : 0;

            run->dst = dst;
            run->src = src;
            if (!more || (more % 64 && more != len - start_len)) {
                shape->columns(run, 1, 0);
                return start_len;
            }
            lc_chacha20_pass_and_more(run, shape, dst + start_len, src + start_len, more);
            return start_len + more;
        }
        lc_chacha20_part(run, shape, dst, src, start_len, 0);
        run->words[12] -= (uint32_t)shape->num_blocks; /* as rows leave it */
    }
    run->words[12] += 1 + (uint32_t)(start_len / 64);
    return start_len;
}

/* How far a long message, or a piece of one, has come. */
struct progress {
    uint8_t *dst; /* what is left */
    const uint8_t *src;
    size_t len;
    const uint8_t *text; /* the ciphertext of dst and src: one of them, or a copy */
    const uint8_t *hashed; /* up to here the ciphertext is hashed, once the parts are */
    struct lc_poly1305_part parts[6];
    size_t num_parts;
    size_t short_len; /* as rows get it */
    int has_power; /* is run->rm made? */
    int has_s1;
};

LC_INLINE void go_on(struct progress *p, size_t len)
{
    p->dst += len;
    p->src += len;
    p->text += len;
    p->len -= len;
}

/* May a piece's end be left to be hashed in the next one's shadow?  Not in a kernel, where it may be gone by then. */
#ifdef LC_ONE_MESSAGE
#define KEEPS 0
#else
#define KEEPS 1
#endif

/*
 * A message begins: Poly1305's key, and with it a pass's worth of text, as there is nothing to be hashed beside it.  If Poly1305
 * leads, it is what leaves as many blocks as passes have, so that nothing is left for rows; and by 128 bits, whose rows have
 * less of Poly1305 beside them, whenever passes have their own text to be hashed.
 */
LC_INLINE void begin_message(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, struct progress *p,
                             struct lc_chacha20poly1305_msg *msg, int decrypt, int ahead, uint8_t *copy)
{
    const size_t pass_len = 64 * shape->num_blocks;
    size_t start_len = p->len < pass_len - 64 ? p->len : pass_len - 64;

    if (ahead || (decrypt && shape->num_blocks == 4 && p->len > pass_len - 64))
        start_len = (p->len + 63) & (pass_len - 64);
    if (ahead)
        p->num_parts = add_part(p->parts, p->num_parts, lc_chacha20_copy(copy, p->src, start_len), start_len / 16);
    start_len = first_pass(run, shape, p->dst, p->src, p->len, start_len, p->short_len);
    memset(run->poly.h, 0, sizeof(run->poly.h));
    lc_poly1305_load_key(run->poly.r, msg->s, run->first);
    memcpy(msg->r, run->poly.r, sizeof(msg->r));
    if (ahead) { /* now, as the copy isn't for long */
        hash_parts(run, shape, p->parts, p->num_parts);
        p->num_parts = 0;
    }
    if (start_len) /* else there may be no text, and the pointers NULL */
        go_on(p, start_len);
}

/* A piece of a stream, after its first call.  (Not inline, as GCC then leaves r on the stack.) */
static SHARED void resume_message(struct lc_chacha20_run *run, const struct lc_chacha20poly1305_msg *msg, int needs_powers)
{
    memcpy(run->poly.h, msg->hash, sizeof(run->poly.h));
    memcpy(run->poly.r, msg->r, sizeof(run->poly.r));
    if (needs_powers && msg->powers && msg->powers->num_powers) {
        run->poly.num_powers = msg->powers->num_powers;
        memcpy(run->poly.powers, msg->powers->powers, sizeof(run->poly.powers));
    }
}

/* r^m, which a stream may have from the call before; power: msg->power */
LC_INLINE void make_power(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, struct progress *p, uint64_t *power)
{
    p->has_power = 1;
    p->has_s1 = 1;
    if (power && power[3]) {
        memcpy(run->rm, power, sizeof(run->rm));
        run->s1 = run->poly.r[1] + run->poly.r[1] / 4;
    } else {
        lc_poly1305_power_x86_64(run, shape->m_power);
        if (power) {
            memcpy(power, run->rm, sizeof(run->rm));
            power[3] = 1;
        }
    }
}

/*
 * All the whole passes that there are.  kept: NULL, or kept_len bytes of ciphertext from before them, enough for the first pass:
 * else that would have nothing to be hashed beside it.
 */
LC_INLINE void crypt_passes(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, struct progress *p, int decrypt,
                            int ahead, const uint8_t *kept, size_t kept_len, uint64_t *power)
{
    const size_t pass_len = 64 * shape->num_blocks, hash_len = 32 * shape->m;
    const size_t num_passes = p->len >> shape->pass_bits, whole_len = num_passes << shape->pass_bits;

    if (!whole_len)
        return;
    hash_parts(run, shape, p->parts, p->num_parts);
    p->num_parts = 0;
    /* Are there passes with Poly1305 in them? */
    if (decrypt || kept || (size_t)(p->text - p->hashed) + whole_len > pass_len)
        make_power(run, shape, p, power);
    run->dst = p->dst;
    run->src = p->src;
    if (ahead) {
        passes_ahead(run, shape, num_passes);
    } else if (kept) {
        run->hashed = kept;
        shape->columns(run, 1, 1);
        hash_blocks(run, shape, kept + hash_len, (kept_len - hash_len) / 16);
        p->hashed = passes_behind(run, shape, p->hashed, p->text + pass_len, 0, num_passes - 1);
    } else {
        p->hashed = passes_behind(run, shape, p->hashed, p->text, decrypt ? pass_len : 0, num_passes);
    }
    go_on(p, whole_len);
}

/* What can be hashed beside the rest.  A kernel has no code for that. */
#ifdef LC_SMALL
#define HASHES_BESIDE_REST 0
#else
#define HASHES_BESIDE_REST 1
#endif

/* The rest, less than a pass; then all that is encrypted is hashed, or among the parts. */
LC_INLINE void crypt_rest(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, struct progress *p, int decrypt,
                          uint64_t *power, uint8_t text_block[16])
{
    const size_t pass_len = 64 * shape->num_blocks, hash_len = 32 * shape->m;
    /* A ciphertext that is decrypted is there to be hashed, all of it. */
    const size_t waiting = (size_t)(p->text - p->hashed) + (decrypt ? p->len : 0);
    /* With 512 bits, IFMA is as quick afterwards: it needs no power of r for a single pass. */
    const int beside_pass = HASHES_BESIDE_REST && shape->num_blocks < 16 && waiting >= hash_len;
    const int is_pass = p->len > (beside_pass ? pass_len / 2 : shape->rows_len);
    unsigned hash = 0; /* as columns or rows get it */
    size_t part_len = 0;

    if (is_pass)
        hash = beside_pass;
    else if (HASHES_BESIDE_REST && p->len && p->len <= 4 * shape->rows_hash)
        hash = 256 * (unsigned)(waiting < 10 * shape->rows_hash ? waiting / shape->rows_hash : 10);
    if (hash) {
        hash_parts(run, shape, p->parts, p->num_parts);
        p->num_parts = 0;
        if (is_pass && !p->has_power)
            make_power(run, shape, p, power);
        run->s1 = run->poly.r[1] + run->poly.r[1] / 4;
        p->has_s1 = 1;
        run->hashed = p->hashed;
        p->hashed += is_pass ? hash_len : hash / 256 * shape->rows_hash;
    }
    if (is_pass) {
        lc_chacha20_part(run, shape, p->dst, p->src, p->len, hash);
    } else if (p->len) {
        lc_chacha20_load_iv(run, run->words[12], run->words + 12);
        if (hash)
            part_len = shape->rows(run, p->dst, p->src, p->len, hash);
        else
            part_len = lc_chacha20_rows(run, shape, p->dst, p->src, p->len, 0, p->short_len);
    }
    if (part_len && !decrypt) {
        /* rows have left the end in run->last */
        p->num_parts = add_rows(p->parts, p->num_parts, run, shape, p->hashed, (size_t)(p->text - p->hashed) + p->len, part_len);
    } else {
        p->num_parts = add_parts(p->parts, p->num_parts, p->hashed, (size_t)(p->text - p->hashed) + p->len, text_block);
    }
}

/* The tag, or what the next call goes on with; and nothing is left of the secrets. */
LC_INLINE void end_call(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, struct progress *p,
                        struct lc_chacha20poly1305_msg *msg, unsigned how)
{
    if (how & LC_CHACHA20POLY1305_LAST)
        p->num_parts = add_part(p->parts, p->num_parts, msg->lens, 1);
    if (p->num_parts)
        hash_parts(run, shape, p->parts, p->num_parts);
    if (how & LC_CHACHA20POLY1305_LAST)
        lc_poly1305_tag((uint8_t *)msg->hash, run->poly.h, msg->s);
    else
        memcpy(msg->hash, run->poly.h, sizeof(run->poly.h));
    lc_wipe(run->words + 4, 32);
    if (p->has_power)
        lc_wipe(run->rm, sizeof(run->rm));
    if (p->has_s1)
        lc_wipe(&run->s1, sizeof(run->s1));
    lc_wipe(run->first, sizeof(run->first));
    lc_wipe(run->last, sizeof(run->last));
    lc_wipe(&run->poly, offsetof(struct lc_poly1305_state, s)); /* h, r */
    if (run->poly.num_powers) {
        if (msg->powers && msg->powers->num_powers != run->poly.num_powers) {
            msg->powers->num_powers = run->poly.num_powers;
            memcpy(msg->powers->powers, run->poly.powers, sizeof(run->poly.powers));
        }
        lc_wipe(run->poly.powers, sizeof(run->poly.powers));
    }
}

/*
 * All but short messages.  A ciphertext that is overwritten by its decryption is copied first if it is short; if it is long, or of
 * passes of a stream, Poly1305 leads (`ahead`); else it follows.  In encryption the last pass's text is kept for a stream's next
 * piece, whose first pass has something beside it then.
 */
LC_INLINE void crypt_long(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len, struct lc_chacha20poly1305_msg *msg,
                          unsigned how, int decrypt, const struct lc_chacha20_shape *shape)
{
    const size_t pass_len = 64 * shape->num_blocks;
    const int resumes = !(how & LC_CHACHA20POLY1305_FIRST) && len >= pass_len, in_place = decrypt && dst == src && len;
    const int ahead = in_place && (resumes || len > LC_CHACHA20_COPY_LEN);
    const int has_kept = KEEPS && resumes && !decrypt && msg->aad_len >= 32 * shape->m && msg->aad_len % 16 == 0;
    /* A pass leaves 64 bytes that aren't hashed beside it.  What three leave is less than LONG_PART: no vectors, no powers. */
    const int needs_powers = !((has_kept || (resumes && decrypt)) && len < 4 * pass_len);
    LC_CHACHA20_WORK(work);
    struct lc_chacha20_run *const run = &work->run;
    struct progress p;
    uint8_t aad_block[16], text_block[16];

    p.dst = dst;
    p.src = src;
    p.len = len;
    p.text = decrypt ? src : dst;
    p.short_len = short_len_of(shape, how);
    p.has_power = 0;
    p.has_s1 = 0;
    lc_chacha20_load(run, key, msg->iv);
    run->apart = 0;
    run->poly.num_powers = 0;
    p.num_parts = has_kept ? 0 : add_parts(p.parts, 0, msg->aad, msg->aad_len, aad_block);
    if (in_place && !ahead)
        p.text = lc_chacha20_copy(work->copy, src, len);
    p.hashed = p.text;
    if (how & LC_CHACHA20POLY1305_FIRST)
        begin_message(run, shape, &p, msg, decrypt, ahead, work->copy);
    else
        resume_message(run, msg, needs_powers);
    crypt_passes(run, shape, &p, decrypt, ahead, has_kept ? msg->aad : NULL, msg->aad_len, msg->power);
    if (ahead)
        p.hashed = p.text = lc_chacha20_copy(work->copy, p.src, p.len);
    if (KEEPS && resumes && !decrypt && !(how & LC_CHACHA20POLY1305_LAST) && p.len == 0 &&
        (size_t)(p.text - p.hashed) >= pass_len) {
        msg->kept = pass_len;
        p.text -= pass_len;
    }
    crypt_rest(run, shape, &p, decrypt, msg->power, text_block);
    end_call(run, shape, &p, msg, how);
}

static SHARED void crypt_long_by_shape(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len,
                                       struct lc_chacha20poly1305_msg *msg, unsigned how, int decrypt,
                                       const struct lc_chacha20_shape *shape)
{
    crypt_long(key, dst, src, len, msg, how, decrypt, shape);
}

/* A message in one call */
#define WHOLE (LC_CHACHA20POLY1305_FIRST | LC_CHACHA20POLY1305_LAST)

#ifndef LC_ONE_MESSAGE
/*
 * Where passes go in pairs.  A CPU whose vector units do more than a pass can use, Zen 5, takes 670 cycles for two passes side by
 * side, and 580 for one.  Poly1305 in the shadow of a pass then takes longer than by vectors afterwards, 100 cycles for 1024 bytes.
 * Intel gains less, 1100 instead of 1190, and IFMA takes 150; but in the shadow a pass takes 745.  So messages of some length, and
 * such pieces, go chunk after chunk: each is encrypted or decrypted, and hashed while it is in the first cache; in place it is
 * hashed first.  Before a message's first goes a pair, which has Poly1305's key in block 0; or where all of the text is passes, one
 * of them, with block 0 beside it, so that they stay whole.  Zen 5 gains by that if the others are pairs, and Intel in any case,
 * also with the shortest first pair.  Streams don't send later pieces here: lc_chacha20_passes_fn does without the state's copies.
 */
#define PAIR (2 * 1024)
#define FIRST_PAIR (PAIR - 64)
#define SHORT_FIRST_PAIR (FIRST_PAIR - 511) /* as much as a pair may lack */
#define CHUNK_PASSES 16
#define PAIRS_BEFORE_IFMA 6 /* as columns get it */
#define AHEAD_BEFORE_IFMA 7

/* All that is encrypted, whole blocks. */
LC_INLINE void hash_waiting(struct lc_chacha20_run *run, const struct lc_chacha20_shape *shape, struct progress *p)
{
    if (p->text != p->hashed)
        p->num_parts = add_part(p->parts, p->num_parts, p->hashed, (size_t)(p->text - p->hashed) / 16);
    hash_parts(run, shape, p->parts, p->num_parts);
    p->num_parts = 0;
    p->hashed = p->text;
}

static SHARED void crypt_in_pairs(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len,
                                  struct lc_chacha20poly1305_msg *msg, unsigned how, int decrypt, int general)
{
    static const struct lc_chacha20_shape chosen = LC_CHACHA20_SHAPE_avx512_512_wide, *const shape = &chosen;
    static const struct lc_chacha20_shape for_block = LC_CHACHA20_SHAPE_avx512_512_wide_general;
    const size_t num_blocks = (len + 63) / 64;
    const int beside = num_blocks % 16 == 0 && (!general || num_blocks % 32);
    const size_t first_len = beside ? 1024 : len < FIRST_PAIR ? len : FIRST_PAIR;
    int in_place = decrypt && dst == src;
    struct lc_chacha20_run memory, *const run = &memory;
    struct progress p;
    size_t num_passes, more, missing, part_len = 0;
    uint8_t aad_block[16], text_block[16], copy[FIRST_PAIR];

    p.dst = dst;
    p.src = src;
    p.len = len;
    p.text = decrypt ? src : dst;
    p.short_len = shape->short_len;
    p.has_power = 0;
    p.has_s1 = 0;
    p.num_parts = add_parts(p.parts, 0, msg->aad, msg->aad_len, aad_block);
    lc_chacha20_load(run, key, msg->iv);
    run->poly.num_powers = 0;
    run->dst = dst;
    run->src = src;
    run->apart = 0;
    if (how & LC_CHACHA20POLY1305_FIRST) {
        if (in_place)
            p.text = lc_chacha20_copy(copy, src, first_len);
        p.hashed = p.text;
        if (beside) {
            shape->columns(run, 1, 8);
        } else {
            memset(run->first, 0, 64);
            run->apart = 1;
            shape->columns(run, 2, PAIRS_BEFORE_IFMA + 256 * (unsigned)(FIRST_PAIR - first_len));
        }
        memset(run->poly.h, 0, sizeof(run->poly.h));
        lc_poly1305_load_key(run->poly.r, msg->s, run->first);
        memcpy(msg->r, run->poly.r, sizeof(msg->r));
        go_on(&p, first_len);
    } else {
        p.hashed = p.text;
        resume_message(run, msg, 1);
    }
    num_passes = p.len / 1024;
    /* What is left after a pass without another one goes beside it. */
    more = !in_place && num_passes % 2 ? lc_chacha20_more(shape, p.len % 1024) : 0;
    missing = lc_chacha20_missing(shape, num_passes, p.len % 1024);
    num_passes = num_passes - (more > 0) + (missing > 0);
    in_place = in_place && p.len;
    if (in_place)
        hash_waiting(run, shape, &p);
    while (num_passes) {
        const size_t n = num_passes < CHUNK_PASSES ? num_passes : CHUNK_PASSES;
        const size_t lacks = n < num_passes ? 0 : missing, chunk_len = 1024 * n - lacks;

        if (in_place) {
            /* What isn't a whole block ends the text. */
            part_len = chunk_len % 16;
            hash_blocks(run, shape, p.src, chunk_len / 16);
            lc_chacha20_copy(copy, p.src + chunk_len - part_len, part_len);
        } else if ((size_t)(p.text - p.hashed) >= 1024 * CHUNK_PASSES) {
            hash_waiting(run, shape, &p);
        }
        lc_chacha20_passes(run, shape, n, PAIRS_BEFORE_IFMA + 256 * (unsigned)lacks);
        go_on(&p, chunk_len);
        num_passes -= n;
    }
    if (more) {
        lc_chacha20_load_iv(run, run->words[12], run->words + 12); /* as rows read it */
        lc_chacha20_pass_and_more(run, shape, p.dst + 1024, p.src + 1024, more);
        go_on(&p, 1024 + more);
    }
    if (in_place) {
        p.hashed = copy;
        p.text = lc_chacha20_copy(copy + part_len, p.src, p.len);
    }
    if (general && p.len - 1 < 64) {
        lc_chacha20_rows(run, &for_block, p.dst, p.src, p.len, 0, p.short_len);
        go_on(&p, p.len);
    }
    crypt_rest(run, shape, &p, decrypt, NULL, text_block);
    end_call(run, shape, &p, msg, how);
}
#endif

LC_INLINE void crypt(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len, struct lc_chacha20poly1305_msg *msg,
                     unsigned how, int decrypt, const struct lc_chacha20_shape *shape)
{
#ifndef LC_ONE_MESSAGE
    if (shape->pairs) { /* what isn't for pairs is as for the row whose code it is */
        if (len >= (how & LC_CHACHA20POLY1305_FIRST ? SHORT_FIRST_PAIR + 64 * !shape->block : PAIR))
            crypt_in_pairs(key, dst, src, len, msg, how, decrypt, shape->block != NULL);
        else if (decrypt)
            lc_chacha20poly1305_decrypt_avx512_512(key, dst, src, len, msg, how | WIDE_ROWS);
        else
            lc_chacha20poly1305_encrypt_avx512_512(key, dst, src, len, msg, how | WIDE_ROWS);
        return;
    }
#endif
    if ((how & WHOLE) == WHOLE && 64 + len <= shape->rows_len)
        crypt_short(key, dst, src, len, msg, how, decrypt, shape);
    else if (shape->num_blocks == 16)
        crypt_long(key, dst, src, len, msg, how, decrypt, shape);
    else
        crypt_long_by_shape(key, dst, src, len, msg, how, decrypt, shape);
}

#ifndef LC_ONE_MESSAGE /* a kernel's requests are single messages */

/* ---- Streams ---- */

void lc_chacha20_passes_avx512_512(uint8_t *dst, const uint8_t *src, size_t num_passes, uint8_t *ahead, const uint8_t key[32],
                                   const uint32_t iv[4])
{
    static const struct lc_chacha20_shape shape = LC_CHACHA20_SHAPE_avx512_512_wide;
    struct lc_chacha20_run run;

    lc_chacha20_load(&run, key, iv);
    run.dst = dst;
    run.src = src;
    run.hashed = ahead;
    run.apart = 0;
    if (ahead)
        lc_chacha20_columns_avx512_512(&run, 2, AHEAD_BEFORE_IFMA);
    else
        lc_chacha20_passes(&run, &shape, num_passes, PAIRS_BEFORE_IFMA);
    lc_wipe(run.words + 4, 32);
}

/* ---- Many messages ---- */

LC_INLINE void mac(uint64_t tag[2], uint8_t key[32], const struct lc_aead_item *m, const uint8_t *text, lc_poly1305_whole_fn *whole)
{
    const uint64_t lens[2] = { m->aad_len, m->len };
    uint8_t aad_block[16], text_block[16];
    struct lc_poly1305_part parts[5];
    size_t num_parts = add_parts(parts, 0, m->aad, m->aad_len, aad_block);

    num_parts = add_parts(parts, num_parts, text, m->len, text_block);
    whole(tag, parts, add_part(parts, num_parts, lens, 1), key);
}

void lc_chacha20poly1305_mac_bmi2(uint64_t tag[2], uint8_t key[32], const struct lc_aead_item *m, const uint8_t *text)
{
    mac(tag, key, m, text, lc_poly1305_whole_bmi2);
}

void lc_chacha20poly1305_mac_x86_64(uint64_t tag[2], uint8_t key[32], const struct lc_aead_item *m, const uint8_t *text)
{
    mac(tag, key, m, text, lc_poly1305_whole_x86_64);
}

/* As many passes as it takes; zeros become the key stream. */
LC_INLINE void many(uint8_t keystream[LC_CHACHA20POLY1305_MANY][64], size_t num_blocks, const uint8_t key[32],
                    const uint32_t ivs[4][LC_CHACHA20POLY1305_MANY], const struct lc_chacha20_shape *shape)
{
    static const uint32_t no_iv[4];
    struct lc_chacha20_run run;

    lc_chacha20_load(&run, key, no_iv);
    memset(keystream, 0, 64 * LC_CHACHA20POLY1305_MANY);
    run.apart = 0;
    for (size_t i = 0; i < num_blocks; i += shape->num_blocks) {
        for (size_t w = 0; w < 4; w++)
            memcpy(run.ivs[w], ivs[w] + i, 4 * shape->num_blocks);
        run.dst = keystream[i];
        run.src = keystream[i];
        shape->columns(&run, 1, 5);
    }
    lc_wipe(run.words + 4, 32);
}

/* -wide rows have that of the row whose code they are. */
#define MANY(symbol)                                                                                                               \
    void lc_chacha20poly1305_many_##symbol(uint8_t keystream[LC_CHACHA20POLY1305_MANY][64], size_t num_blocks,                     \
                                           const uint8_t key[32], const uint32_t ivs[4][LC_CHACHA20POLY1305_MANY])                 \
    {                                                                                                                              \
        static const struct lc_chacha20_shape shape = LC_CHACHA20_SHAPE_##symbol;                                                  \
                                                                                                                                   \
        many(keystream, num_blocks, key, ivs, &shape);                                                                             \
    }
MANY(avx512_512)
MANY(avx512_256)
MANY(avx2)
MANY(ssse3)

#endif

/* ---- Single messages ---- */

#define FUNCTION(which, decrypt, symbol)                                                                                           \
    void lc_chacha20poly1305_##which##_##symbol(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len,               \
                                                struct lc_chacha20poly1305_msg *msg, unsigned how)                                 \
    {                                                                                                                              \
        crypt(key, dst, src, len, msg, how, decrypt, &shape_##symbol);                                                             \
    }
#define ROW_CHACHA20POLY1305(name, symbol, ...)                                                                                    \
    static const struct lc_chacha20_shape shape_##symbol = LC_CHACHA20_SHAPE_##symbol;                                             \
    FUNCTION(encrypt, 0, symbol)                                                                                                   \
    FUNCTION(decrypt, 1, symbol)
#define LC_WITHOUT_PORTABLE
#include "../rows.def"

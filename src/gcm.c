/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-GCM (SP 800-38D): the public functions.  docs/gcm.md has the maths.
 */
#include "aead_internal.h"
#include "gcm_internal.h"

/* ---- Keys ---- */

int lc_gcm_init_impl(struct lc_gcm_key *key, const char *impl, const uint8_t *raw, size_t raw_len)
{
    const struct lc_impl *row;
    int status;

    if (raw_len != 16 && raw_len != 24 && raw_len != 32)
        return LC_ERR_KEY_LEN;
    status = lc_select(&lc_gcm_mode, impl, &row);
    if (status != LC_OK)
        return status;

    key->impl = (const struct lc_gcm_impl *)row; /* its first member */
    key->rounds = (uint32_t)(raw_len / 4) + 6;
    key->late_len = 0;
    if (key->impl->knows_nonce)
        key->late_len = key->impl->knows_nonce > 1 ? LC_GCM_LATE_LEN << (14 - key->rounds) / 2 : UINT32_MAX;
    key->impl->expand(key->enc, NULL, raw, raw_len);
    key->impl->powers(key);
    return LC_OK;
}

int lc_gcm_init(struct lc_gcm_key *key, const uint8_t *raw, size_t raw_len)
{
    return lc_gcm_init_impl(key, NULL, raw, raw_len);
}

const char *lc_gcm_impl_name(const struct lc_gcm_key *key)
{
    return key->impl->impl.name;
}

void lc_gcm_wipe(struct lc_gcm_key *key)
{
    lc_wipe(key, sizeof(*key));
}

/* ---- What whole messages and streams share ---- */

static int tag_len_is_bad(size_t tag_len)
{
    return tag_len != 4 && tag_len != 8 && (tag_len < 12 || tag_len > 16);
}

static int nonce_len_is_bad(size_t nonce_len)
{
    return nonce_len == 0 || (uint64_t)nonce_len > LC_GCM_MAX_NONCE_LEN;
}

/* The hash, or the tag, and J0, which is a hash as well unless the nonce has 12 bytes: each of them gives the hash key away. */
static void wipe_secrets(struct lc_gcm_msg *msg)
{
    lc_wipe(msg->j0, sizeof(msg->j0));
    lc_wipe(msg->hash, sizeof(msg->hash));
}

/* J0: the nonce and a 1; or GHASH of the nonce, padded with zeros, and a block with its length (7.1, step 2). */
static void make_j0(const struct lc_gcm_key *key, uint64_t j0[2], const uint8_t *nonce, size_t nonce_len)
{
    if (nonce_len == 12) {
        /*
         * By words: the nonce was written just before, as 4 and 8 bytes or as 8 and 4, and a load of 8 would have to wait for two
         * stores (45 cycles for each message).  The asm statement keeps compilers from making one load of two.
         */
        uint32_t w[3];

        memcpy(&w[0], nonce, 4);
        memcpy(&w[1], nonce + 4, 4);
        memcpy(&w[2], nonce + 8, 4);
        __asm__("" : "+r"(w[1]));
        j0[0] = w[0] | (uint64_t)w[1] << 32; /* little-endian, like all CPUs that the portable code supports */
        j0[1] = w[2] | UINT64_C(1) << 56;
    } else {
        uint64_t len_block[2] = { 0, __builtin_bswap64(8 * (uint64_t)nonce_len) };
        struct lc_gcm_msg msg = { .aad = nonce, .aad_len = nonce_len };

        key->impl->encrypt(key, NULL, NULL, 0, &msg, LC_GCM_MORE);
        msg.aad = (const uint8_t *)len_block;
        msg.aad_len = 16;
        key->impl->encrypt(key, NULL, NULL, 0, &msg, LC_GCM_MORE);
        memcpy(j0, msg.hash, 16);
        wipe_secrets(&msg);
    }
}

/* ---- Whole messages ---- */

static int len_is_bad(size_t len, size_t aad_len)
{
    return (uint64_t)len > LC_GCM_MAX_LEN || (uint64_t)aad_len > LC_GCM_MAX_AAD_LEN;
}

/*
 * Almost all messages: the assembly takes them as they are.  They have a path of their own, as branches and registers that have to
 * be saved are what a short message costs.  For the same reason functions that others go to take what they get in the order of
 * the public functions: so it stays in its registers.
 *
 * limit: key->impl->whole_limit; or key->late_len, which isn't more, and 0 if that is.
 */
static inline int goes_whole(uint64_t limit, size_t tag_len, size_t len, size_t aad_len, size_t nonce_len)
{
    return len < limit && tag_len == 16 && nonce_len == 12 && (uint64_t)aad_len <= LC_GCM_MAX_AAD_LEN;
}

/* Is it one without text that has a function of its own? */
static inline int goes_empty(const struct lc_gcm_key *key, size_t tag_len, size_t aad_len, size_t nonce_len)
{
    __asm__("" : "+r"(tag_len)); /* Else GCC looks at it before len, as all ways do. */
    return tag_len == 16 && nonce_len == 12 && aad_len < key->impl->empty_limit;
}

/*
 * Any other message: encrypt or decrypt, and write the whole tag, 16 bytes.  The caller's, if it is to be as long; else one to be
 * wiped: of a short tag the rest isn't public, nor is the right one of a forgery.
 */
static int crypt_message(lc_gcm_crypt_fn *crypt_fn, const struct lc_gcm_key *key, struct lc_gcm_msg *msg, size_t tag_len,
                         uint8_t *dst, const uint8_t *src, size_t len, size_t nonce_len)
{
    if (tag_len_is_bad(tag_len))
        return LC_ERR_TAG_LEN;
    if (len_is_bad(len, msg->aad_len))
        return LC_ERR_LEN;
    if (nonce_len_is_bad(nonce_len))
        return LC_ERR_NONCE_LEN;
    if (len == 0 && goes_empty(key, 16, msg->aad_len, nonce_len))
        return key->impl->empty(key, msg->tag, msg->aad, msg->aad_len, msg->nonce, NULL);
    if (goes_whole(key->impl->whole_limit, 16, len, msg->aad_len, nonce_len)) {
        crypt_fn(key, dst, src, len, msg, LC_GCM_WHOLE);
        return LC_OK;
    }
    make_j0(key, msg->j0, msg->nonce, nonce_len);
    msg->hash[0] = 0;
    msg->hash[1] = 0;
    msg->num_bits[0] = 8 * (uint64_t)len;
    msg->num_bits[1] = 8 * (uint64_t)msg->aad_len;
    msg->num_done = 0;
    crypt_fn(key, dst, src, len, msg, LC_GCM_LAST);
    lc_copy_tag(msg->tag, 16, msg->hash);
    wipe_secrets(msg);
    return LC_OK;
}

static __attribute__((__noinline__)) int seal_by_parts(const struct lc_gcm_key *key, struct lc_gcm_msg *msg, size_t tag_len,
                                                       uint8_t *dst, const uint8_t *src, size_t len, size_t nonce_len)
{
    uint64_t whole[2];
    uint8_t *tag = msg->tag;
    int status;

    if (tag_len == 16)
        return crypt_message(key->impl->encrypt, key, msg, 16, dst, src, len, nonce_len);
    msg->tag = (uint8_t *)whole;
    status = crypt_message(key->impl->encrypt, key, msg, tag_len, dst, src, len, nonce_len);
    if (status == LC_OK) {
        lc_copy_tag(tag, tag_len, whole);
        lc_wipe(whole, sizeof(whole));
    }
    return status;
}

/* A long message, with the memory that LC_GCM_LATE wants */
static __attribute__((__noinline__)) int seal_long(const struct lc_gcm_key *key, const struct lc_gcm_msg *msg, uint8_t *dst,
                                                   const uint8_t *src, size_t len)
{
    struct lc_gcm_long_msg late;
    size_t aad_len = msg->aad_len;
    uint8_t *tag = msg->tag;

    /* Else compilers load aad and aad_len as one, or nonce and tag, which waits until both have been stored: 200 cycles. */
    __asm__("" : "+r"(aad_len), "+r"(tag));
    late.msg.aad = msg->aad;
    late.msg.aad_len = aad_len;
    late.msg.nonce = msg->nonce;
    late.msg.tag = tag;
    key->impl->encrypt(key, dst, src, len, &late.msg, LC_GCM_WHOLE | LC_GCM_LATE);
    return LC_OK;
}

static __attribute__((__noinline__)) int seal_any(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                                  struct lc_gcm_msg *msg, size_t nonce_len, size_t tag_len)
{
    if (len >= key->late_len && key->impl->knows_nonce > 1 &&
        goes_whole(key->impl->whole_limit, tag_len, len, msg->aad_len, nonce_len))
        return seal_long(key, msg, dst, src, len);
    return seal_by_parts(key, msg, tag_len, dst, src, len, nonce_len);
}

/*
 * Without text there is so little to do that what counts is the number of instructions: 6 of them are a cycle.  So there is no
 * structure then, and what remains is a jump to the implementation's function, with the arguments that it wants: 3 cycles of 26.
 *
 * The question comes before anything else.  That costs texts two instructions, if compilers leave arguments where they are until it
 * has been asked.  GCC loads those on the stack where a function begins, and saves registers for them; but not volatile ones.  (How
 * a definition qualifies its parameters is no part of a function's type.)
 */
#if defined(__x86_64__) && defined(__LP64__)
#define ON_STACK volatile /* these are passed there: System V ABI, 3.2.3 */
#else
#define ON_STACK
#endif

/* msg is filled first: then its pointers keep no registers busy, and fewer have to be saved: 2 cycles of a short message. */
int lc_gcm_seal(const struct lc_gcm_key *key, uint8_t *dst, uint8_t *tag, size_t tag_len, const uint8_t *src, size_t len,
                const uint8_t *ON_STACK aad_, ON_STACK size_t aad_len_, const uint8_t *ON_STACK nonce_, ON_STACK size_t nonce_len_)
{
    struct lc_gcm_msg msg;
    const uint8_t *nonce;
    size_t aad_len, nonce_len;

    if (__builtin_expect(len == 0, 0)) {
        aad_len = aad_len_;
        if (goes_empty(key, tag_len, aad_len, nonce_len_))
            return key->impl->empty(key, tag, aad_, aad_len, nonce_, NULL);
    }
    nonce = nonce_;
    __asm__("" : "+r"(nonce)); /* Else GCC makes one store of this and tag, by way of a vector register. */
    msg.nonce = nonce;
    msg.tag = tag;
    msg.aad = aad_;
    msg.aad_len = aad_len = aad_len_;
    nonce_len = nonce_len_;
    if (!goes_whole(key->late_len, tag_len, len, aad_len, nonce_len))
        return seal_any(key, dst, src, len, &msg, nonce_len, tag_len);
    key->impl->encrypt(key, dst, src, len, &msg, LC_GCM_WHOLE);
    return LC_OK;
}

/*
 * A message that is opened, and what is wanted afterwards.  The assembly gets a pointer into it, so compilers load that again, and
 * save one register instead of four: 2 cycles of 38, as a message without text took them that came here.
 */
struct opening {
    uint64_t whole[2]; /* what the tag should be */
    const uint8_t *tag;
    uint8_t *dst;
    size_t len;
    struct lc_gcm_msg msg;
};

/* What opens a message ends with this.  The branch is on the whole difference: not on a half of it, whatever compilers think of. */
static inline int check(struct opening *m, size_t tag_len)
{
    uint64_t differ = lc_tag_difference(m->tag, tag_len, m->whole);

    __asm__("" : "+r"(differ));
    lc_wipe(m->whole, 16);
    if (differ == 0)
        return LC_OK;
    if (m->len)
        lc_wipe(m->dst, m->len);
    return LC_ERR_AUTH;
}

static __attribute__((__noinline__)) int open_any(const struct lc_gcm_key *key, struct opening *m, const uint8_t *src,
                                                  size_t nonce_len, size_t tag_len)
{
    int status = crypt_message(key->impl->decrypt, key, &m->msg, tag_len, m->dst, src, m->len, nonce_len);

    return status == LC_OK ? check(m, tag_len) : status;
}

/* By itself, as a tag that goes elsewhere costs lc_gcm_open() a register, and texts a cycle. */
static __attribute__((__noinline__)) int open_empty(const struct lc_gcm_key *key, const uint8_t *tag, const uint8_t *aad,
                                                    size_t aad_len, const uint8_t *nonce)
{
    return key->impl->empty(key, NULL, aad, aad_len, nonce, tag);
}

int lc_gcm_open(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag, size_t tag_len,
                const uint8_t *ON_STACK aad_, ON_STACK size_t aad_len_, const uint8_t *ON_STACK nonce_, ON_STACK size_t nonce_len_)
{
    struct opening m;
    size_t aad_len, nonce_len;

    if (__builtin_expect(len == 0, 0)) {
        aad_len = aad_len_;
        if (goes_empty(key, tag_len, aad_len, nonce_len_))
            return open_empty(key, tag, aad_, aad_len, nonce_);
    }
    aad_len = aad_len_, nonce_len = nonce_len_;
    m.tag = tag;
    m.dst = dst;
    m.len = len;
    m.msg.aad = aad_;
    m.msg.aad_len = aad_len;
    m.msg.nonce = nonce_;
    m.msg.tag = (uint8_t *)m.whole;
    if (!goes_whole(key->impl->whole_limit, tag_len, len, aad_len, nonce_len))
        return open_any(key, &m, src, nonce_len, tag_len);
    key->impl->encrypt(key, dst, src, len, &m.msg, LC_GCM_WHOLE | LC_GCM_DECRYPT);
    return check(&m, 16);
}

/* The first num of the messages are the caller's; another fills the batch up.  Answers whether one of them has failed. */
static int run_batch(const struct lc_gcm_key *key, struct lc_aead_item *const batch[LC_GCM_MANY], size_t num, int decrypt)
{
    unsigned wrong = key->impl->many(key, batch, decrypt);
    int failed = 0;

    for (size_t i = 0; i < num; i++, wrong >>= 2) {
        struct lc_aead_item *m = batch[i];

        m->status = LC_OK;
        if (wrong & 3) {
            failed = 1;
            m->status = LC_ERR_AUTH;
            if (m->len)
                lc_wipe(m->dst, m->len);
        }
    }
    return failed;
}

static int run_one(const struct lc_gcm_key *key, struct lc_aead_item *m, int decrypt)
{
    if (decrypt)
        m->status = lc_gcm_open(key, m->dst, m->src, m->len, m->tag, 16, m->aad, m->aad_len, m->nonce, 12);
    else
        m->status = lc_gcm_seal(key, m->dst, m->tag, 16, m->src, m->len, m->aad, m->aad_len, m->nonce, 12);
    return m->status != LC_OK;
}

/*
 * What is left in the end.  One or two messages go one by one, and more than two long ones: that takes less time than a batch of
 * four.
 */
static int run_rest(const struct lc_gcm_key *key, struct lc_aead_item *batch[LC_GCM_MANY], size_t num, int decrypt)
{
    int failed = 0;

    if (num == LC_GCM_MANY - 1 && batch[0]->len <= LC_GCM_MANY_LEN / 2) {
        static const uint8_t nonce[12];
        uint8_t tag[16] = { 0 };
        struct lc_aead_item empty = { .tag = tag, .nonce = nonce };

        batch[num] = &empty;
        failed = run_batch(key, batch, num, decrypt);
        lc_wipe(tag, sizeof(tag)); /* it is key stream: E(J0) of that nonce */
        return failed;
    }
    for (size_t i = 0; i < num; i++)
        failed |= run_one(key, batch[i], decrypt);
    return failed;
}

/*
 * Does a message of more than lane_len bytes go by itself?  With 512 bits its J0 may be in a free lane of its last vector: then
 * that takes less time than a batch.
 */
static int goes_alone(const struct lc_gcm_impl *impl, size_t len)
{
    return len > impl->many_len || (len <= LC_GCM_MANY_LEN / 2 && (-len & 48) != 0);
}

/* lane_len.  With AES-128, which has fewer rounds for a batch to share, two vectors with a free lane go alone as well. */
static size_t shortest_alone(const struct lc_gcm_key *key)
{
    const size_t lane_len = key->impl->lane_len;

    return lane_len < key->impl->many_len && key->rounds == 10 ? LC_GCM_LANE_LEN_128 : lane_len;
}

/* Batches are of short messages, or of those of more than LC_GCM_MANY_LEN / 2: one takes as long as its longest message. */
static int crypt_many(const struct lc_gcm_key *key, struct lc_aead_item *items, size_t num_items, int decrypt)
{
    struct lc_aead_item *short_ones[LC_GCM_MANY], *long_ones[LC_GCM_MANY]; /* no copies: see make_j0() */
    const size_t num_many = key->impl->num_many, lane_len = shortest_alone(key);
    size_t num_short = 0, num_long = 0;
    int failed = 0;

    for (size_t i = 0; i < num_items; i++) {
        struct lc_aead_item *m = &items[i];
        const size_t len = m->len;

        if (num_many == 0 || m->aad_len > LC_GCM_MANY_AAD_LEN || (len > lane_len && goes_alone(key->impl, len))) {
            failed |= run_one(key, m, decrypt);
        } else if (len <= LC_GCM_MANY_LEN / 2) {
            short_ones[num_short++] = m;
            if (num_short == num_many) {
                failed |= run_batch(key, short_ones, num_many, decrypt);
                num_short = 0;
            }
        } else {
            long_ones[num_long++] = m;
            if (num_long == num_many) {
                failed |= run_batch(key, long_ones, num_many, decrypt);
                num_long = 0;
            }
        }
    }
    failed |= run_rest(key, short_ones, num_short, decrypt);
    failed |= run_rest(key, long_ones, num_long, decrypt);
    return failed ? lc_first_error(items, num_items) : LC_OK;
}

int lc_gcm_seal_many(const struct lc_gcm_key *key, struct lc_aead_item *items, size_t num_items)
{
    return crypt_many(key, items, num_items, 0);
}

int lc_gcm_open_many(const struct lc_gcm_key *key, struct lc_aead_item *items, size_t num_items)
{
    return crypt_many(key, items, num_items, 1);
}

/* ---- Streams ---- */

int lc_gcm_start(struct lc_gcm_state *s, const struct lc_gcm_key *key, const uint8_t *nonce, size_t nonce_len)
{
    if (nonce_len_is_bad(nonce_len))
        return LC_ERR_NONCE_LEN;
    memset(s, 0, offsetof(struct lc_gcm_state, block));
    s->key = key;
    make_j0(key, s->j0, nonce, nonce_len);
    s->phase = LC_AEAD_AAD;
    s->is_short_nonce = nonce_len == 12;
    return LC_OK;
}

void lc_gcm_state_set_key(struct lc_gcm_state *s, const struct lc_gcm_key *key)
{
    s->key = key;
}

/* One call of the implementation: where a text block begins, or without text.  hash: what comes of s->hash, maybe in its place. */
static void crypt_piece(const struct lc_gcm_state *s, uint64_t hash[2], lc_gcm_crypt_fn *crypt_fn, const uint8_t *aad,
                        size_t aad_len, uint8_t *dst, const uint8_t *src, size_t len, unsigned how)
{
    struct lc_gcm_msg msg = {
        .aad = aad,
        .aad_len = aad_len,
        .j0 = { s->j0[0], s->j0[1] },
        .hash = { s->hash[0], s->hash[1] },
        .num_bits = { 8 * s->len, 8 * s->aad_len },
        .num_done = s->len / 16,
        .nonce = (const uint8_t *)s->j0
    };

    if (s->is_short_nonce && s->key->impl->knows_nonce)
        how |= len && s->len == 0 ? LC_GCM_FROM_NONCE : LC_GCM_PUBLIC;
    crypt_fn(s->key, dst, src, len, &msg, how);
    hash[0] = msg.hash[0];
    hash[1] = msg.hash[1];
    wipe_secrets(&msg);
}

static void hash_blocks(struct lc_gcm_state *s, const uint8_t *data, size_t len)
{
    crypt_piece(s, s->hash, s->key->impl->encrypt, data, len, NULL, NULL, 0, LC_GCM_MORE);
}

static void hash_block(struct lc_gcm_state *s)
{
    hash_blocks(s, s->block, s->block_len);
    s->block_len = 0;
}

/* AAD or ciphertext: few bytes wait in `block`, and so does what isn't a whole block yet. */
static void hash_bytes(struct lc_gcm_state *s, const uint8_t *data, size_t len)
{
    size_t n = sizeof(s->block) - s->block_len;

    if (len < n) {
        memcpy(s->block + s->block_len, data, len);
        s->block_len += (uint32_t)len;
        return;
    }
    if (s->block_len) {
        memcpy(s->block + s->block_len, data, n);
        s->block_len += (uint32_t)n;
        hash_block(s);
        data += n;
        len -= n;
    }
    n = len & ~(size_t)15;
    if (n)
        hash_blocks(s, data, n);
    s->block_len = (uint32_t)(len - n);
    memcpy(s->block, data + n, s->block_len);
}

int lc_gcm_aad(struct lc_gcm_state *s, const uint8_t *aad, size_t aad_len)
{
    if (s->phase != LC_AEAD_AAD)
        return LC_ERR_STATE;
    if (aad_len > LC_GCM_MAX_AAD_LEN - s->aad_len)
        return LC_ERR_LEN;
    s->aad_len += aad_len;
    if (aad_len) /* else aad may be NULL */
        hash_bytes(s, aad, aad_len);
    return LC_OK;
}

/*
 * The key stream of the next blocks, at the end of its array.  The hash of the call is dropped.  (To keep the state's in a variable
 * during the call wouldn't do: compilers have it in two places on the stack then, and one of them would be wiped.)
 */
static void make_keystream(struct lc_gcm_state *s, size_t num_blocks)
{
    uint8_t *keystream = s->keystream + sizeof(s->keystream) - 16 * num_blocks;
    uint64_t dropped[2];

    memset(keystream, 0, 16 * num_blocks);
    crypt_piece(s, dropped, s->key->impl->encrypt, NULL, 0, keystream, keystream, 16 * num_blocks, LC_GCM_MORE);
    s->left = 16 * (uint32_t)num_blocks;
    lc_wipe(dropped, sizeof(dropped));
}

/*
 * Many blocks, or those of a message's first piece, go to the implementation, with what `block` still holds (the end of the AAD, or
 * whole blocks of text) in the same call.  All else is done here, by key stream that is made ahead: see lc_blocks_ahead().
 */
static int crypt_text(struct lc_gcm_state *s, enum lc_aead_phase phase, lc_gcm_crypt_fn *crypt_fn, uint8_t *dst, const uint8_t *src,
                      size_t len)
{
    const size_t direct_len = s->len ? 64 : 16;
    uint64_t done_len = s->len;

    if (lc_phase_is_bad(s->phase, phase))
        return LC_ERR_STATE;
    if (len > LC_GCM_MAX_LEN - s->len)
        return LC_ERR_LEN;
    s->phase = phase;
    while (len) {
        size_t n;

        if (s->left == 0 && len >= direct_len) {
            n = len & ~(size_t)15;
            crypt_piece(s, s->hash, crypt_fn, s->block, s->block_len, dst, src, n, LC_GCM_MORE);
            s->block_len = 0;
            done_len = 0; /* the rest gets its own block and no more: the next piece may be as long, and go the same way */
        } else {
            if (s->left == 0)
                make_keystream(s,
                               lc_blocks_ahead(len, done_len, 16, sizeof(s->keystream) / 16, (LC_GCM_MAX_LEN - s->len + 15) / 16));
            if (s->len == 0 && s->block_len)
                hash_block(s); /* the AAD ends, and is padded */
            n = len < s->left ? len : s->left;
            if (phase == LC_AEAD_DECRYPT)
                hash_bytes(s, src, n);
            lc_xor_bytes(dst, src, s->keystream + sizeof(s->keystream) - s->left, n);
            if (phase == LC_AEAD_ENCRYPT)
                hash_bytes(s, dst, n);
            s->left -= (uint32_t)n;
        }
        s->len += n;
        dst += n;
        src += n;
        len -= n;
    }
    return LC_OK;
}

int lc_gcm_encrypt(struct lc_gcm_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    return crypt_text(s, LC_AEAD_ENCRYPT, s->key->impl->encrypt, dst, src, len);
}

int lc_gcm_decrypt(struct lc_gcm_state *s, uint8_t *dst, const uint8_t *src, size_t len)
{
    return crypt_text(s, LC_AEAD_DECRYPT, s->key->impl->decrypt, dst, src, len);
}

/* Leaves the whole tag in s->hash, which is to be wiped. */
static int finish(struct lc_gcm_state *s, enum lc_aead_phase phase, size_t tag_len)
{
    if (lc_phase_is_bad(s->phase, phase))
        return LC_ERR_STATE;
    if (tag_len_is_bad(tag_len))
        return LC_ERR_TAG_LEN;
    crypt_piece(s, s->hash, s->key->impl->encrypt, s->block, s->block_len, NULL, NULL, 0, LC_GCM_LAST);
    lc_wipe(s->keystream, sizeof(s->keystream));
    s->phase = LC_AEAD_ENDED;
    return LC_OK;
}

int lc_gcm_tag(struct lc_gcm_state *s, uint8_t *tag, size_t tag_len)
{
    int status = finish(s, LC_AEAD_ENCRYPT, tag_len);

    if (status == LC_OK) {
        lc_copy_tag(tag, tag_len, s->hash);
        lc_wipe(s->hash, sizeof(s->hash));
    }
    return status;
}

int lc_gcm_verify(struct lc_gcm_state *s, const uint8_t *tag, size_t tag_len)
{
    int status = finish(s, LC_AEAD_DECRYPT, tag_len);

    if (status == LC_OK) {
        status = lc_check_tag(tag, tag_len, s->hash);
        lc_wipe(s->hash, sizeof(s->hash));
    }
    return status;
}

int lc_gcm_verify_prefix(struct lc_gcm_state *s, const uint8_t *tag, size_t tag_len)
{
    int status = tag_len == 0 || tag_len > 16 ? LC_ERR_TAG_LEN : finish(s, LC_AEAD_DECRYPT, 16);

    if (status == LC_OK) {
        status = lc_check_tag_prefix(tag, tag_len, s->hash);
        lc_wipe(s->hash, sizeof(s->hash));
    }
    return status;
}

void lc_gcm_state_wipe(struct lc_gcm_state *s)
{
    lc_wipe(s, sizeof(*s));
}

/* ---- The table of functions ---- */

LC_AEAD_OPS(gcm)

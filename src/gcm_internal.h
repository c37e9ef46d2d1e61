/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an implementation of GCM gives, and what it gets. */
#ifndef LC_GCM_INTERNAL_H
#define LC_GCM_INTERNAL_H

#include "aes.h"
#include "internal.h"
#include "lanecrypt/gcm.h"

/*
 * What a call needs besides the text.  All of it that is read is written by 64-bit stores right before the call, so load pairs by
 * two 64-bit loads: a 16-byte load would wait until both stores have reached the cache.
 */
struct lc_gcm_msg {
    const uint8_t *aad;
    size_t aad_len;
    uint64_t j0[2];       /* the 16 bytes of J0 (SP 800-38D, 7.1), in memory order */
    uint64_t hash[2];     /* 16 bytes: the hash before this call -> after it, or the whole tag; may be stored as one */
    uint64_t num_bits[2]; /* of the whole message's text, and of its AAD: so as one little-endian 128-bit number, they are the
                             length block with its bytes reversed */
    uint64_t num_done;    /* blocks of text before this call */
    const uint8_t *nonce; /* 12 bytes; LC_GCM_FROM_NONCE only, as is */
    uint8_t *tag;         /* 16 bytes, written */
    _Alignas(16) uint64_t group[20]; /* for the implementation: what is to be hashed later, E(J0) and the lengths.  Afterwards it is
                                        as it was, or ciphertext, zeros and lengths: so it needn't be wiped. */
};

/* With more room for a group: four vectors of 64 bytes, aligned to 64, as each that spans two lines would take twice the time */
struct lc_gcm_long_msg {
    _Alignas(64) uint64_t gap[4];
    struct lc_gcm_msg msg;
    uint64_t group[12]; /* msg.group goes on here. */
};

/*
 * Is it the message's last call?  Does it begin with the first block of text, under a nonce of 12 bytes?  Or with a later one?  An
 * argument of its own, as these are branches and the rest is data.
 */
enum lc_gcm_how {
    LC_GCM_MORE = 0,
    LC_GCM_LAST = 1,
    LC_GCM_FROM_NONCE = 16,
    LC_GCM_PUBLIC = 64,
    LC_GCM_DECRYPT = 128,
    LC_GCM_LATE = 512,
    LC_GCM_WHOLE = LC_GCM_LAST | LC_GCM_FROM_NONCE
};

/* From how many bytes on LC_GCM_LATE pays with AES-256; AES-192, twice that, and AES-128, four times, have less AES a product */
#define LC_GCM_LATE_LEN 2048u

/*
 * Encrypt or decrypt, a whole message or a piece of one:
 *
 *  1. msg->hash goes on with aad_len bytes at msg->aad, the last block padded with zeros.
 *  2. len bytes of text go from src to dst (dst == src is possible), block i under the counter block that is J0 with
 *     num_done + 1 + i added to its last four bytes, a big-endian number modulo 2^32.  The ciphertext is hashed, the last block
 *     padded with zeros.
 *  3. With LC_GCM_LAST, the length block (num_bits) is hashed as well, and msg->hash becomes hash ^ E(J0), the tag.
 *
 * With LC_GCM_FROM_NONCE, for rows that know it, the text begins with this call, and J0 is msg->nonce and a counter of 1 (7.1,
 * step 2): j0 and num_done aren't read; j0 and num_bits may be written.  It takes less time, as the counters are public.
 *
 * With both, LC_GCM_WHOLE, it is all of a message: the hash before is 0, the lengths are aad_len and len, and the tag goes to
 * msg->tag.  Of msg only aad, aad_len, nonce and tag are read.
 *
 * With LC_GCM_PUBLIC, for the same rows, and not with LC_GCM_FROM_NONCE, j0 is a nonce of 12 bytes and a counter of 1, and so
 * public.  Long texts take less time.
 *
 * With LC_GCM_DECRYPT as well as LC_GCM_WHOLE, `encrypt` is `decrypt`, for the same rows: one jump less than by its name.
 *
 * With LC_GCM_LATE, for rows that know that, and to encrypt only, msg is that of a struct lc_gcm_long_msg.  It takes less time for
 * texts of key->late_len bytes and more, by 3 % to 6 % of a long one.
 *
 * A whole message is one call with LC_GCM_WHOLE, or with LC_GCM_LAST, num_done = 0, hash = 0.  In a stream, `aad` is whatever has
 * been left over to be hashed before the text, also ciphertext.  Any of the lengths may be 0, and the pointer then NULL; but with
 * LC_GCM_FROM_NONCE alone there is text.  Without LC_GCM_LAST, len is a multiple of 16; aad_len needn't be.  len <= LC_GCM_MAX_LEN;
 * nothing is checked again.
 *
 * Nothing else is written but dst and msg->hash, or with LC_GCM_WHOLE dst and then msg->tag.  Secret: the key and everything made
 * of it, the text, the hash, and J0 too, which is a hash unless the nonce has 12 bytes.  Public: lengths, num_done, num_bits, how;
 * with LC_GCM_FROM_NONCE and LC_GCM_PUBLIC when counters carry, which lengths and num_done determine.
 */
typedef void lc_gcm_crypt_fn(const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src, size_t len, struct lc_gcm_msg *msg,
                             unsigned how);

/* Fill key->powers from key->enc and key->rounds: H = E(0) and what the row's other functions want of its powers. */
typedef void lc_gcm_powers_fn(struct lc_gcm_key *key);

lc_gcm_powers_fn lc_aes_gcm_powers_vaes_avx512_512, lc_aes_gcm_powers_vaes_avx512_256, lc_aes_gcm_powers_pclmul,
    lc_aes_gcm_powers_ce, lc_aes_gcm_powers_portable;

/* How many powers x86-64's rows have first in key->powers, H^n .. H^1: NUM_POWERS in x86/aes_gcm.S.  The kernel makes them, too. */
#define LC_GCM_POWERS 19
#define LC_GCM_POWERS_AVX512 36

/*
 * num_many messages of up to many_len bytes, with up to LC_GCM_MANY_AAD_LEN bytes of AAD and 12-byte nonces: dst = src, encrypted
 * or decrypted.  To encrypt, the tags are written, and the answer is 0.  To decrypt, they are only read, and bits 2 * i, 2 * i + 1
 * of the answer are set if the halves of item i's tag are wrong.  The items themselves, and so their status, are left alone.
 */
#define LC_GCM_MANY 4
#define LC_GCM_MANY_LEN 512
#define LC_GCM_MANY_AAD_LEN 16
#define LC_GCM_LANE_LEN_128 64 /* lane_len with AES-128, where that is less than many_len */
typedef unsigned lc_gcm_many_fn(const struct lc_gcm_key *key, struct lc_aead_item *const items[], int decrypt);

lc_gcm_many_fn lc_aes_gcm_many_vaes_avx512_512, lc_aes_gcm_many_vaes_avx512_256, lc_aes_gcm_many_vaes_avx2;

/*
 * A whole message without text, with a nonce of 12 bytes and up to LC_GCM_EMPTY_AAD_LEN bytes of AAD.  To seal it, given is NULL:
 * its 16 bytes go to tag, and the answer is LC_OK.  To open it, tag is NULL, and given has 16 bytes, which are only read: the
 * answer is LC_OK if they are the tag, else LC_ERR_AUTH.  It takes less time than `encrypt` with LC_GCM_WHOLE.
 */
#define LC_GCM_EMPTY_AAD_LEN 16
typedef int lc_gcm_empty_fn(const struct lc_gcm_key *key, uint8_t *tag, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                            const uint8_t *given);

lc_gcm_empty_fn lc_aes_gcm_empty_vaes_avx512_256, lc_aes_gcm_empty_aesni;

struct lc_gcm_impl {
    struct lc_impl impl;
    lc_aes_expand_fn *expand;
    lc_gcm_powers_fn *powers;
    lc_gcm_crypt_fn *encrypt, *decrypt;
    int knows_nonce; /* 1: they take LC_GCM_FROM_NONCE and LC_GCM_PUBLIC; 2: and encrypt LC_GCM_LATE */
    uint64_t whole_limit; /* texts of fewer bytes than these go to `encrypt` whole, with LC_GCM_WHOLE: 0 unless knows_nonce */
    lc_gcm_empty_fn *empty; /* or NULL */
    uint64_t empty_limit; /* without text, fewer bytes of AAD than these go to `empty`: 0 if there is none */
    lc_gcm_many_fn *many; /* or NULL; then the next two are 0 */
    size_t num_many; /* of so many messages at once, at most LC_GCM_MANY, */
    size_t many_len; /* each of up to so many bytes, at most LC_GCM_MANY_LEN; */
    size_t lane_len; /* .. if it has more than these and no more than LC_GCM_MANY_LEN / 2, its last 64 bytes leave no lane free */
};

extern const struct lc_gcm_impl lc_gcm_impls[]; /* rows.c */
#define ROW_GCM(name, symbol, ...) lc_gcm_crypt_fn lc_aes_gcm_encrypt_##symbol, lc_aes_gcm_decrypt_##symbol;
#include "rows.def"

#endif

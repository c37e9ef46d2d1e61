/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an implementation of ChaCha20-Poly1305 gives, and what it gets. */
#ifndef LC_CHACHA20POLY1305_INTERNAL_H
#define LC_CHACHA20POLY1305_INTERNAL_H

#include "chacha20_internal.h"
#include "lanecrypt/chacha20poly1305.h"
#include "poly1305_internal.h"

/* What a call needs besides the text. */
struct lc_chacha20poly1305_msg {
    const uint8_t *aad;
    size_t aad_len;
    uint32_t iv[4]; /* words 12 .. 15 of the first block's state: block 0 with LC_CHACHA20POLY1305_FIRST, else the text's first */
    uint64_t hash[3]; /* Poly1305's sum before this call -> after it; or in its first 16 bytes the tag */
    uint64_t r[2]; /* Poly1305's key, clamped: with LC_CHACHA20POLY1305_FIRST, written, unless it's the last call too */
    uint64_t s[2];
    uint64_t lens[2]; /* bytes of the whole message's AAD, and of its text: the last block */
    size_t kept; /* 0; afterwards how many of the last bytes of an encrypted piece aren't hashed yet: come as the next one's aad */
    uint64_t *power; /* 3 words for one power of r, likewise, and one that says if it's there */
    struct lc_poly1305_state *powers; /* has powers of r, for those that want them again in the next call; NULL if it's the last */
};

/* Is it the message's first call, its last? */
enum lc_chacha20poly1305_how { LC_CHACHA20POLY1305_MORE = 0, LC_CHACHA20POLY1305_FIRST = 1, LC_CHACHA20POLY1305_LAST = 2 };

/*
 * Encrypt or decrypt, a whole message or a piece of one:
 *
 *  1. With LC_CHACHA20POLY1305_FIRST, r and s are made of the key stream of block iv, which is not used for text, hash = 0, and
 *     the text begins with the block after it.
 *  2. hash goes on with aad_len bytes at aad, the last block padded with zeros.
 *  3. len bytes of text go from src to dst (dst == src is possible) as in lc_chacha20_xor_fn.  The ciphertext is hashed, the
 *     last block padded with zeros.
 *     Between FIRST and LAST, encryption may leave out whole blocks of the end, up to 1024 bytes, and say so in kept.
 *  4. With LC_CHACHA20POLY1305_LAST, `lens` is hashed as well, and the first two words of hash become the tag.
 *
 * A whole message is one call with both.  In a stream, `aad` is whatever has been left over to be hashed before the text, also
 * ciphertext.  Any of the lengths may be 0, and the pointer then NULL.  Without LC_CHACHA20POLY1305_LAST, len is a multiple of 64;
 * aad_len needn't be.  The counter, iv[0], doesn't wrap other than after the last block; nothing is checked again.
 *
 * Nothing is written but dst, hash, r, s, kept, power and the powers.  Secret: the key and everything made of it, the text, hash,
 * r, s. Public: lengths, `how`, the nonce.
 */
typedef void lc_chacha20poly1305_crypt_fn(const uint8_t key[32], uint8_t *dst, const uint8_t *src, size_t len,
                                          struct lc_chacha20poly1305_msg *msg, unsigned how);

/* The same, made of an implementation of each part (chacha20poly1305_portable.c). */
void lc_chacha20poly1305_by_parts(lc_chacha20_xor_fn * xor, lc_poly1305_blocks_fn *blocks, const uint8_t key[32], uint8_t *dst,
                                  const uint8_t *src, size_t len, struct lc_chacha20poly1305_msg *msg, unsigned how, int decrypt);

/*
 * The key stream of num_blocks blocks, at most LC_CHACHA20POLY1305_MANY, each with words 12 .. 15 of its own: ivs[w][i] is word
 * 12 + w of block i.  All of keystream may be written; and ivs be read, where there are no blocks as well.
 */
#define LC_CHACHA20POLY1305_MANY 16
typedef void lc_chacha20poly1305_many_fn(uint8_t keystream[LC_CHACHA20POLY1305_MANY][64], size_t num_blocks, const uint8_t key[32],
                                         const uint32_t ivs[4][LC_CHACHA20POLY1305_MANY]);

/*
 * The tag of a short message by its one-time key, which is lost: Poly1305 of the AAD and the ciphertext, which is at text, both
 * padded with zeros, and of their lengths.
 */
typedef void lc_chacha20poly1305_mac_fn(uint64_t tag[2], uint8_t key[32], const struct lc_aead_item *m, const uint8_t *text);

lc_chacha20poly1305_mac_fn lc_chacha20poly1305_mac_portable;
lc_chacha20poly1305_mac_fn lc_chacha20poly1305_mac_x86_64, lc_chacha20poly1305_mac_bmi2; /* x86/chacha20poly1305.c */

/*
 * For streams, where Poly1305 by vectors takes less time after passes than in their shadow: num_passes > 0 passes of text go from
 * src to dst as in lc_chacha20_xor_fn.  ahead: NULL, or if num_passes is 1, where the key stream of the pass after it goes, a
 * multiple of 64.  Word 12 doesn't wrap other than after the last block of all that.
 */
typedef void lc_chacha20_passes_fn(uint8_t *dst, const uint8_t *src, size_t num_passes, uint8_t *ahead, const uint8_t key[32],
                                   const uint32_t iv[4]);

/* dst = src ^ keystream, num_blocks > 0 blocks of 64 bytes; dst == src is possible. */
typedef void lc_chacha20_apply_fn(uint8_t *dst, const uint8_t *src, const uint8_t *keystream, size_t num_blocks);

lc_chacha20_passes_fn lc_chacha20_passes_avx512_512; /* x86/chacha20poly1305.c */
lc_chacha20_apply_fn lc_chacha20_apply_avx512_512; /* x86/chacha20.S */

struct lc_chacha20poly1305_impl {
    struct lc_impl impl;
    size_t pass_len; /* as ChaCha20's */
    lc_chacha20poly1305_crypt_fn *encrypt, *decrypt;
    lc_chacha20_xor_fn * xor ;
    lc_chacha20poly1305_many_fn *many; /* or NULL */
    lc_chacha20poly1305_mac_fn *mac;
    lc_poly1305_blocks_fn *blocks;
    lc_chacha20_passes_fn *passes; /* or NULL, and so is the next */
    lc_chacha20_apply_fn *apply;
    uint32_t ahead_from; /* after so many bytes of a message a pass has the next one's key stream made beside it; 0: never */
};

extern const struct lc_chacha20poly1305_impl lc_chacha20poly1305_impls[]; /* rows.c */

#define ROW_CHACHA20POLY1305(name, symbol, needs, prefers, class, cpus, pass_len, ...)                                             \
    lc_chacha20poly1305_crypt_fn lc_chacha20poly1305_encrypt_##symbol, lc_chacha20poly1305_decrypt_##symbol;                       \
    lc_chacha20poly1305_many_fn lc_chacha20poly1305_many_##symbol;                                                                 \
    _Static_assert(pass_len % 64 == 0 && pass_len <= LC_CHACHA20_AHEAD_LEN, name ": streams have no room for a pass");
#include "rows.def"

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-XTS (IEEE 1619-2018; NIST SP 800-38E): the mode of disk encryption.
 *
 * XTS encrypts a data unit (a sector) under its number, without making it longer.  It does NOT detect changes: an attacker who
 * can write the ciphertext can garble any 16 bytes of the plaintext unnoticed.  Use it only for storage that has no room for a
 * tag.
 *
 * Use each pair of key and iv for one data unit only.
 *
 * Lengths in bytes:
 *   key        32 (AES-128), 48 (AES-192) or 64 (AES-256): data key || tweak key
 *   data unit  LC_XTS_MIN_LEN .. LC_XTS_MAX_LEN, 2^20 blocks (section 5.1).  It need not be a multiple of 16: the last two blocks
 *              are then done by ciphertext stealing (sections 5.3.2, 5.4.2).
 *   iv         16
 *
 * Overlap, secrets, threads: the rules of lanecrypt.h.
 */
#ifndef LANECRYPT_XTS_H
#define LANECRYPT_XTS_H

#include "lanecrypt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_XTS_MIN_LEN 16              /* bytes of the shortest data unit */
#define LC_XTS_MAX_LEN (16u << 20)     /* bytes of the longest data unit: 2^20 blocks */

struct lc_xts_impl;

/*
 * A key, expanded for one implementation.  The members are private; only size and alignment are part of the interface.
 * It holds secrets: wipe it with lc_xts_wipe().  It may be copied by memcpy, and threads may share it.
 */
struct lc_xts_key {
    LC_ALIGNED(16) uint8_t tweak[15][16]; /* private: round keys, encryption under the tweak key */
    uint8_t enc[15][16];                  /* private: data key, encryption */
    uint32_t rounds;                      /* private: 10, 12 or 14 */
    uint32_t num_encrypt_lens;            /* private: lengths that it may encrypt, from LC_XTS_MIN_LEN on; or 0 */
    const struct lc_xts_impl *impl;       /* private: a static row */
    uint8_t dec[15][16];                  /* private: data key, decryption (equivalent inverse cipher) */
};

/*
 * lc_xts_init: expand a key for the best implementation on this CPU.
 * key: written.  raw: raw_len bytes, data key || tweak key.  raw_len: 32, 48 or 64.
 * Returns:
 *   LC_OK
 *   LC_ERR_KEY_LEN   raw_len is another length
 *   LC_ERR_WEAK_KEY  both halves are equal (SP 800-38E; FIPS 140-3 IG C.I)
 *   LC_ERR_ENV       see cpu.h
 * After an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_xts_init(struct lc_xts_key *key, const uint8_t *raw, size_t raw_len);

/*
 * lc_xts_init_impl: lc_xts_init() with an implementation chosen by name.
 * impl: the name, or NULL for the best one.  The others: as lc_xts_init().
 * Returns as lc_xts_init(); also LC_ERR_IMPL if the name is unknown or this CPU can't run it.
 */
LC_API LC_MUST_CHECK int lc_xts_init_impl(struct lc_xts_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/*
 * lc_xts_init_decrypt: expand a key for decryption only.  Its halves may be equal: this is for data that was encrypted under such
 * keys before the standards forbade them.
 * lc_xts_init_decrypt_impl: lc_xts_init_decrypt() with an implementation chosen by name.
 * key: written.  lc_xts_decrypt*() take it like any other; lc_xts_encrypt*() return LC_ERR_DECRYPT_ONLY, also if its halves differ.
 * raw, raw_len: as for lc_xts_init().  impl: the name, or NULL for the best one.
 * Both return:
 *   LC_OK
 *   LC_ERR_KEY_LEN  raw_len is another length
 *   LC_ERR_IMPL     lc_xts_init_decrypt_impl() only: the name is unknown, or this CPU can't run it
 *   LC_ERR_ENV      see cpu.h
 * After an error *key is untouched.
 */
LC_API LC_MUST_CHECK int lc_xts_init_decrypt(struct lc_xts_key *key, const uint8_t *raw, size_t raw_len);
LC_API LC_MUST_CHECK int lc_xts_init_decrypt_impl(struct lc_xts_key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/* lc_xts_impl_name: the name of the implementation that the key was expanded for, a constant string. */
LC_API const char *lc_xts_impl_name(const struct lc_xts_key *key);

/* lc_xts_wipe: overwrite the key with zeros.  The compiler can't drop this. */
LC_API void lc_xts_wipe(struct lc_xts_key *key);

/*
 * lc_xts_encrypt, lc_xts_decrypt: encrypt or decrypt one data unit.
 * dst, src: len bytes each.  len: LC_XTS_MIN_LEN .. LC_XTS_MAX_LEN.
 * iv: 16 bytes, the number of the data unit as the storage format encodes it (dm-crypt's plain64: 64-bit little endian, then
 * zeros).
 * Returns LC_OK; LC_ERR_LEN if len is out of range; LC_ERR_DECRYPT_ONLY from lc_xts_encrypt() if the key is for decryption only.
 */
LC_API LC_MUST_CHECK int lc_xts_encrypt(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                        const uint8_t iv[16]);
LC_API LC_MUST_CHECK int lc_xts_decrypt(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                        const uint8_t iv[16]);

/*
 * lc_xts_encrypt_sectors, lc_xts_decrypt_sectors: encrypt or decrypt many data units in one call.  For small sectors this is much
 * faster than a call for each, because the tweaks of several sectors are encrypted at once.
 * dst, src: len bytes each; may be NULL if len is 0.
 * len: any length.  All units have sector_len bytes, except that the last may be shorter, but not shorter than LC_XTS_MIN_LEN.
 * sector_len: LC_XTS_MIN_LEN .. LC_XTS_MAX_LEN; it need not be a multiple of 16.
 * first_sector, step: the iv of unit i is first_sector + i * step (mod 2^64) as 64-bit little endian, followed by zeros
 * ("plain64").  step is 1, or sector_len / 512 for dm-crypt's numbering without iv_large_sectors.
 * Returns LC_OK; LC_ERR_LEN if sector_len or the length of the last unit is out of range; LC_ERR_DECRYPT_ONLY from
 * lc_xts_encrypt_sectors() if the key is for decryption only.
 */
LC_API LC_MUST_CHECK int lc_xts_encrypt_sectors(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                                size_t sector_len, uint64_t first_sector, uint64_t step);
LC_API LC_MUST_CHECK int lc_xts_decrypt_sectors(const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src, size_t len,
                                                size_t sector_len, uint64_t first_sector, uint64_t step);

/*
 * One data unit over several calls: lc_xts_start() once, then lc_xts_encrypt_update() or lc_xts_decrypt_update() for each piece,
 * always with the same key, then lc_xts_state_wipe().
 *
 * iv: 16 bytes, as for lc_xts_encrypt().
 * dst, src: len bytes each; may be NULL if len is 0.
 * len: a multiple of 16, 0 included.  Only the last piece may have another length, which is then at least 17: it ends in ciphertext
 * stealing.
 * Secrets: the state holds the encrypted tweak.
 * The updates return:
 *   LC_OK
 *   LC_ERR_LEN           len is 1 .. 15, or the data unit would become longer than LC_XTS_MAX_LEN
 *   LC_ERR_STATE         the data unit has ended already
 *   LC_ERR_DECRYPT_ONLY  lc_xts_encrypt_update() only: the key is for decryption only
 * After an error nothing is written, and the state is untouched.
 */
struct lc_xts_state {
    uint8_t tweak[16];  /* private: the iv, then the tweak of the next block */
    uint32_t done_len;  /* private: bytes so far */
    uint32_t ended;     /* private */
};
LC_API void lc_xts_start(struct lc_xts_state *s, const uint8_t iv[16]);
LC_API LC_MUST_CHECK int lc_xts_encrypt_update(const struct lc_xts_key *key, struct lc_xts_state *s, uint8_t *dst,
                                               const uint8_t *src, size_t len);
LC_API LC_MUST_CHECK int lc_xts_decrypt_update(const struct lc_xts_key *key, struct lc_xts_state *s, uint8_t *dst,
                                               const uint8_t *src, size_t len);
LC_API void lc_xts_state_wipe(struct lc_xts_state *s);

#ifdef __cplusplus
}
#endif
#endif

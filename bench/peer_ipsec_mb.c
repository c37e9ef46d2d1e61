/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * intel-ipsec-mb as a peer, and an example of one: its functions for single messages of AES-GCM and ChaCha20-Poly1305.
 *
 *      apt-get install libipsec-mb-dev
 *      gcc -O2 -shared -fPIC bench/peer_ipsec_mb.c -lIPSec_MB -o ipsec-mb.so
 *      lanecrypt speed --peer ./ipsec-mb.so
 */
#include <intel-ipsec-mb.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

struct key {
    struct gcm_key_data gcm; /* wants 64 bytes of alignment */
    struct gcm_context_data gcm_context;
    struct chacha20_poly1305_context_data chapoly_context;
    uint8_t raw[32];
};

static IMB_MGR *mb;

/* When the program is done with this peer, it unloads it, and nobody knows of the manager any more. */
__attribute__((destructor)) static void unload(void)
{
    if (mb)
        free_mb_mgr(mb);
}

static int right(const uint8_t tag[16], const uint8_t made[16])
{
    uint64_t a[2], b[2];

    memcpy(a, tag, 16);
    memcpy(b, made, 16);
    return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
}

#define AES_GCM(bits)                                                                                                              \
    static int gcm_##bits##_seal(const struct lanecrypt_message *m, uint64_t number)                                               \
    {                                                                                                                              \
        struct key *key = m->key;                                                                                                  \
                                                                                                                                   \
        IMB_AES##bits##_GCM_ENC(mb, &key->gcm, &key->gcm_context, m->dst, m->src, m->len, lanecrypt_nonce(m, number), m->aad,      \
                                m->aad_len, lanecrypt_tag(m, number), 16);                                                         \
        return 1;                                                                                                                  \
    }                                                                                                                              \
    static int gcm_##bits##_open(const struct lanecrypt_message *m, uint64_t number)                                               \
    {                                                                                                                              \
        struct key *key = m->key;                                                                                                  \
        uint8_t made[16];                                                                                                          \
                                                                                                                                   \
        IMB_AES##bits##_GCM_DEC(mb, &key->gcm, &key->gcm_context, m->dst, m->src, m->len, lanecrypt_nonce(m, number), m->aad,      \
                                m->aad_len, made, 16);                                                                             \
        return right(lanecrypt_tag(m, number), made);                                                                              \
    }
AES_GCM(128)
AES_GCM(192)
AES_GCM(256)

static int chapoly_seal(const struct lanecrypt_message *m, uint64_t number)
{
    struct key *key = m->key;

    IMB_CHACHA20_POLY1305_INIT(mb, key->raw, &key->chapoly_context, lanecrypt_nonce(m, number), m->aad, m->aad_len);
    IMB_CHACHA20_POLY1305_ENC_UPDATE(mb, key->raw, &key->chapoly_context, m->dst, m->src, m->len);
    IMB_CHACHA20_POLY1305_ENC_FINALIZE(mb, &key->chapoly_context, lanecrypt_tag(m, number), 16);
    return 1;
}

static int chapoly_open(const struct lanecrypt_message *m, uint64_t number)
{
    struct key *key = m->key;
    uint8_t made[16];

    IMB_CHACHA20_POLY1305_INIT(mb, key->raw, &key->chapoly_context, lanecrypt_nonce(m, number), m->aad, m->aad_len);
    IMB_CHACHA20_POLY1305_DEC_UPDATE(mb, key->raw, &key->chapoly_context, m->dst, m->src, m->len);
    IMB_CHACHA20_POLY1305_DEC_FINALIZE(mb, &key->chapoly_context, made, 16);
    return right(lanecrypt_tag(m, number), made);
}

static lanecrypt_call *key_new(const char *alg, const uint8_t *raw, int encrypt, void **new_key)
{
    struct key *key = aligned_alloc(64, (sizeof(*key) + 63) / 64 * 64);

    if (!mb && (mb = alloc_mb_mgr(0)))
        init_mb_mgr_auto(mb, NULL);
    if (key && mb) {
        *new_key = key;
        if (strcmp(alg, "aes-128-gcm") == 0) {
            IMB_AES128_GCM_PRE(mb, raw, &key->gcm);
            return encrypt ? gcm_128_seal : gcm_128_open;
        }
        if (strcmp(alg, "aes-192-gcm") == 0) {
            IMB_AES192_GCM_PRE(mb, raw, &key->gcm);
            return encrypt ? gcm_192_seal : gcm_192_open;
        }
        if (strcmp(alg, "aes-256-gcm") == 0) {
            IMB_AES256_GCM_PRE(mb, raw, &key->gcm);
            return encrypt ? gcm_256_seal : gcm_256_open;
        }
        if (strcmp(alg, "chacha20-poly1305") == 0) {
            memcpy(key->raw, raw, sizeof(key->raw));
            return encrypt ? chapoly_seal : chapoly_open;
        }
    }
    free(key);
    return NULL;
}

const struct lanecrypt_peer lanecrypt_peer = { LANECRYPT_PEER_ABI, "ipsec-mb", IMB_VERSION_STR, key_new, free };

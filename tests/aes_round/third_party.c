/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Code by others that is written with x86's AES intrinsics, built as it is with lanecrypt/compat/, against its published vectors:
 * pycryptodome's AES, and libaegis with 128, 256 and 512-bit vectors.
 *
 *      third_party KNOWN_ANSWERS...
 */
#include "check.h"

/* pycryptodome's src/AESNI.c and block_base.h */
struct block_base {
    int (*encrypt)(const struct block_base *state, const uint8_t *in, uint8_t *out, size_t len);
    int (*decrypt)(const struct block_base *state, const uint8_t *in, uint8_t *out, size_t len);
    int (*destructor)(struct block_base *state);
    size_t block_len;
};
int AESNI_start_operation(const uint8_t *key, size_t key_len, struct block_base **result);

/* How many blocks at a time: the code has a way of its own for 8. */
#define NUM_BLOCKS 11

static void check_aes(const struct answer *answer)
{
    uint8_t plain[16 * NUM_BLOCKS], cipher[16 * NUM_BLOCKS], out[16 * NUM_BLOCKS];
    struct block_base *state;

    for (size_t i = 0; i < NUM_BLOCKS; i++) {
        memcpy(plain + 16 * i, answer->plain, 16);
        memcpy(cipher + 16 * i, answer->cipher, 16);
    }
    if (AESNI_start_operation(answer->key, answer->key_len, &state))
        fail("AESNI_start_operation");
    if (state->encrypt(state, plain, out, sizeof(out)))
        fail("encrypt");
    expect_bytes("pycryptodome's encryption", out, cipher, sizeof(out));
    if (state->decrypt(state, cipher, out, sizeof(out)))
        fail("decrypt");
    expect_bytes("pycryptodome's decryption", out, plain, sizeof(out));
    state->destructor(state);
}

/* libaegis: the beginning of struct aegis128l_implementation, and of those of 128X2 and 128X4 */
struct aegis {
    int (*encrypt)(uint8_t *c, uint8_t *mac, size_t mac_len, const uint8_t *m, size_t m_len, const uint8_t *ad, size_t ad_len,
                   const uint8_t *npub, const uint8_t *k);
    int (*decrypt)(uint8_t *m, const uint8_t *c, size_t c_len, const uint8_t *mac, size_t mac_len, const uint8_t *ad, size_t ad_len,
                   const uint8_t *npub, const uint8_t *k);
};
extern struct aegis libaegis_aegis128l_aesni_implementation, libaegis_aegis128x2_avx2_implementation,
    libaegis_aegis128x4_avx512_implementation;

/*
 * What libaegis' files need of its common.c: 0 if the tags are equal, else -1.  It isn't built itself, as it has a constructor that
 * calls all of libaegis.
 */
int aegis_verify_16(const uint8_t *x, const uint8_t *y);
int aegis_verify_32(const uint8_t *x, const uint8_t *y);

int aegis_verify_16(const uint8_t *x, const uint8_t *y)
{
    return memcmp(x, y, 16) ? -1 : 0;
}

int aegis_verify_32(const uint8_t *x, const uint8_t *y)
{
    return memcmp(x, y, 32) ? -1 : 0;
}

static void check_aegis(const struct aegis *aegis, const char *key, const char *nonce, const char *plain, const char *cipher,
                        const char *mac)
{
    uint8_t k[16], n[16], p[64], expected[64], m[16], out[64], out_mac[16];
    size_t len = from_hex(p, sizeof(p), plain);

    from_hex(k, 16, key);
    from_hex(n, 16, nonce);
    from_hex(m, 16, mac);
    from_hex(expected, sizeof(expected), cipher);
    aegis->encrypt(out, out_mac, 16, p, len, NULL, 0, n, k);
    expect_bytes("libaegis' cipher text", out, expected, len);
    expect_bytes("libaegis' tag", out_mac, m, 16);
    if (aegis->decrypt(out, expected, len, m, 16, NULL, 0, n, k))
        fail("libaegis refuses the tag");
    expect_bytes("libaegis' plain text", out, p, len);
    out_mac[0] ^= 1;
    if (!aegis->decrypt(out, expected, len, out_mac, 16, NULL, 0, n, k))
        fail("libaegis does not refuse a wrong tag");
}

int main(int argc, char **argv)
{
    unsigned count = 0;

    testing = "third-party code";
    for (int i = 1; i < argc; i++) {
        FILE *f = open_file(argv[i]);
        struct answer answer;

        while (next_answer(f, &answer)) {
            check_aes(&answer);
            count++;
        }
        fclose(f);
    }
    if (count < 1000)
        fail("there are only %u known answers", count);

    /* From draft-irtf-cfrg-aegis-aead, test vectors */
    check_aegis(&libaegis_aegis128l_aesni_implementation, "10010000000000000000000000000000", "10000200000000000000000000000000",
                "00000000000000000000000000000000", "c1c0e58bd913006feba00f4b3cc3594e", "abe0ece80c24868a226a35d16bdae37a");
    check_aegis(&libaegis_aegis128x2_avx2_implementation, "000102030405060708090a0b0c0d0e0f", "101112131415161718191a1b1c1d1e1f",
                "", "", "63117dc57756e402819a82e13eca8379");
    check_aegis(&libaegis_aegis128x4_avx512_implementation, "000102030405060708090a0b0c0d0e0f", "101112131415161718191a1b1c1d1e1f",
                "", "", "5bef762d0947c00455b97bb3af30dfa3");
    printf("pycryptodome's AES: %u known answers; AEGIS-128L, -128X2, -128X4\n", count);
    return 0;
}

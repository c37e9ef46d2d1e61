/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Tests of AES rounds, in plain C, so that a C compiler and an emulator are enough for a host. */
#ifndef AES_ROUND_CHECK_H
#define AES_ROUND_CHECK_H

#ifndef LC_AES_ROUND_PORTABLE
#define LC_AES_ROUND_PORTABLE /* nothing but the structure is wanted of the header */
#endif
#include <lanecrypt/aes_round.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lc_aes_round_ops ops_t;

/* ---- support.c ---- */

/* What is being tested, for messages. */
extern const char *testing;

/* fail: report what is wrong, and end the program. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/* expect_bytes: fail, with both in hexadecimal, unless they are equal. */
void expect_bytes(const char *what, const uint8_t *got, const uint8_t *expected, size_t len);

/*
 * from_hex: the hexadecimal digits at the start of `text` as bytes, which must be an even number, no more than 2 max; returns how
 * many bytes.
 */
size_t from_hex(uint8_t *bytes, size_t max, const char *text);

/* open_file: for reading; fails if that isn't possible. */
FILE *open_file(const char *path);

/* next_answer: the next one of a file of NIST's CAVP (KEY, PLAINTEXT, CIPHERTEXT of one block each); 0 at its end. */
struct answer {
    uint8_t key[32], plain[16], cipher[16];
    unsigned key_len;
};
int next_answer(FILE *f, struct answer *answer);

/* random_bytes: the same after each start of the program. */
void random_bytes(void *bytes, size_t len);

/* Little-endian numbers in memory. */
static inline uint64_t get(const uint8_t *p, size_t len)
{
    uint64_t x = 0;

    while (len--)
        x = x << 8 | p[len];
    return x;
}

static inline void put(uint8_t *p, size_t len, uint64_t x)
{
    for (size_t i = 0; i < len; i++)
        p[i] = (uint8_t)(x >> 8 * i);
}

/* ---- model.c: all operations byte by byte, from their definitions ---- */

extern const ops_t model;

/* model_start: compute the S-boxes; first of all. */
void model_start(void);
extern uint8_t model_sbox[256], model_isbox[256], model_sm4_sbox[256];

/* ---- The tests; each ends the program if something is wrong ---- */

/* steps.c: S-boxes, linearity, identities, every operation against the model, aliasing, wide forms. */
void check_steps(const ops_t *ops);

/* steps.c: the hash of what comes of a million states, which has to be the same everywhere. */
uint64_t million_states(const ops_t *ops);

/* ciphers.c: AES and SM4 made of the operations as programs for each guest make them. */
void check_standard(const ops_t *ops);

/* ciphers.c: the known answers of a file, by all guests' ways; returns how many. */
unsigned check_known_answers(const ops_t *ops, const char *path);

/* vectors.c: vectors/aes-round.json; returns how many cases.  ops == NULL: by this host's own instructions, where it has them. */
unsigned check_vectors(const ops_t *ops, const char *path, unsigned *num_instructions);

/* ---- instructions.c: real instructions ---- */

/* An operand or a result: blocks as bytes, or a number. */
struct operand {
    uint8_t bytes[64];
    size_t len; /* of the blocks */
    uint64_t number;
};

/* own_instruction: do the instruction, if this host has it. */
int own_instruction(const char *guest, const char *name, const struct operand *in, struct operand *out);

#endif

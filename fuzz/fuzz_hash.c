/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hashes: messages as the input cuts them, by each of the hashes in one call for all of them, and one after another in two pieces,
 * with every implementation that this CPU can run; a digest that differs from the portable implementation's aborts.
 *
 * Input: 1 byte: how many messages, less 1 (mod 32); 2 bytes for each: its length (mod 2000); the rest, repeated, is in them all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecrypt/cpu.h"
#include "lanecrypt/sha2.h"
#include "lanecrypt/sm3.h"

enum { MAX_NUM = 32, MAX_LEN = 2000 };

static uint8_t text[MAX_LEN];
static size_t num, lens[MAX_NUM];

#define COMPARE(hash, mode, digest_len)                                                                                            \
    static void compare_##hash(void)                                                                                               \
    {                                                                                                                              \
        static uint8_t expected[MAX_NUM][64], digests[MAX_NUM][64], one[64];                                                       \
        static struct lc_hash_item items[MAX_NUM];                                                                                 \
        struct lc_##hash##_state state;                                                                                            \
        struct lc_impl_info info;                                                                                                  \
                                                                                                                                   \
        for (size_t i = lc_impl_count(mode); i-- > 0;) { /* the portable one first */                                              \
            if (lc_impl_get(mode, i, &info) != LC_OK || !info.runs_here)                                                           \
                continue;                                                                                                          \
            for (size_t n = 0; n < num; n++) {                                                                                     \
                if (lc_##hash##_start_impl(&state, info.name) != LC_OK)                                                            \
                    abort();                                                                                                       \
                lc_##hash##_update(&state, text, lens[n] / 3);                                                                     \
                lc_##hash##_update(&state, text + lens[n] / 3, lens[n] - lens[n] / 3);                                             \
                lc_##hash##_finish(&state, i + 1 == lc_impl_count(mode) ? expected[n] : one);                                      \
                if (i + 1 < lc_impl_count(mode) && memcmp(one, expected[n], digest_len) != 0) {                                    \
                    fprintf(stderr, "%s differs\n", info.name);                                                                    \
                    abort();                                                                                                       \
                }                                                                                                                  \
                items[n] = (struct lc_hash_item){ digests[n], text, lens[n] };                                                     \
            }                                                                                                                      \
            if (lc_##hash##_many_impl(info.name, items, num) != LC_OK)                                                             \
                abort();                                                                                                           \
            for (size_t n = 0; n < num; n++)                                                                                       \
                if (memcmp(digests[n], expected[n], digest_len) != 0) {                                                            \
                    fprintf(stderr, "%s: message %zu of many differs\n", info.name, n);                                            \
                    abort();                                                                                                       \
                }                                                                                                                  \
        }                                                                                                                          \
    }
COMPARE(sha256, "sha256", 32)
COMPARE(sha384, "sha512", 48)
COMPARE(sha512, "sha512", 64)
COMPARE(sm3, "sm3", 32)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size < 2 + 2 * (size_t)(data[0] % MAX_NUM + 1))
        return 0;
    num = data[0] % MAX_NUM + 1;
    for (size_t n = 0; n < num; n++)
        lens[n] = (data[1 + 2 * n] | (size_t)data[2 + 2 * n] << 8) % MAX_LEN;
    data += 1 + 2 * num;
    size -= 1 + 2 * num;
    for (size_t i = 0; i < MAX_LEN; i++)
        text[i] = data[i % size];
    compare_sha256();
    compare_sha384();
    compare_sha512();
    compare_sm3();
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ct_hash IMPL: SHA-256, SM3, or SHA-512 and SHA-384, with that implementation, to be run by valgrind (see check_ct.sh): messages
 * are marked undefined, so memcheck reports every branch and every address that depends on them.
 *
 * Exit status: 0; 2 if something didn't work as it should, or if this can't check anything here.
 */
#include "ct_support.h"

#include "lanecrypt/sha2.h"
#include "lanecrypt/sm3.h"

enum { MAX_LEN = 1200, NUM = 19 };

static uint8_t msg[MAX_LEN], digests[NUM][64];

#define CHECK(hash, digest_len)                                                                                                    \
    static void check_##hash(const char *impl, size_t len)                                                                         \
    {                                                                                                                              \
        struct lc_##hash##_state state;                                                                                            \
        struct lc_hash_item items[NUM];                                                                                            \
                                                                                                                                   \
        make_secret(msg, len);                                                                                                     \
        memset(digests, 0, sizeof(digests));                                                                                       \
        if (lc_##hash##_start_impl(&state, impl) != LC_OK)                                                                         \
            fail("this implementation doesn't run here", len);                                                                     \
        if (strcmp(lc_##hash##_impl_name(&state), impl) != 0)                                                                      \
            fail("another implementation was chosen", len);                                                                        \
        lc_##hash##_update(&state, msg, len / 3);                                                                                  \
        lc_##hash##_update(&state, msg + len / 3, len - len / 3);                                                                  \
        lc_##hash##_finish(&state, digests[0]);                                                                                    \
        if (len)                                                                                                                   \
            expect_secret(digests[0], digest_len);                                                                                 \
        for (size_t i = 0; i < NUM; i++)                                                                                           \
            items[i] = (struct lc_hash_item){ digests[i], msg, i % 5 ? len : len / 2 };                                            \
        if (lc_##hash##_many_impl(impl, items, NUM) != LC_OK)                                                                      \
            fail("many", len);                                                                                                     \
        for (size_t i = 0; len > 1 && i < NUM; i++)                                                                                \
            expect_secret(digests[i], digest_len);                                                                                 \
    }
CHECK(sha256, 32)
CHECK(sha384, 48)
CHECK(sha512, 64)
CHECK(sm3, 32)

int main(int argc, char **argv)
{
    if (!RUNNING_ON_VALGRIND || argc != 2)
        fail("to be run by valgrind, with the name of an implementation", 0);
    for (size_t len = 0; len <= MAX_LEN; len += len < 40 ? 1 : len < 300 ? 13 : 97) {
        if (strncmp(argv[1], "sha256-", 7) == 0) {
            check_sha256(argv[1], len);
        } else if (strncmp(argv[1], "sm3-", 4) == 0) {
            check_sm3(argv[1], len);
        } else {
            check_sha384(argv[1], len);
            check_sha512(argv[1], len);
        }
    }
    printf("%s: done\n", argv[1]);
    return 0;
}

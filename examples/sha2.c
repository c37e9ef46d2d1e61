/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * SHA-256: the digests of many messages in one call, and that of one which comes in pieces.
 *
 *      cc sha2.c $(pkg-config --cflags --libs lanecrypt)
 *
 * Makes the root of a Merkle tree over eight leaves, level by level.  Fails if it isn't what the same by single calls gives.
 */
#include <lanecrypt/sha2.h>
#include <stdio.h>
#include <string.h>

enum { LEAVES = 8, NODE_LEN = 2 * LC_SHA256_LEN };

int main(void)
{
    uint8_t leaves[LEAVES][100], nodes[LEAVES][LC_SHA256_LEN], one[LEAVES][LC_SHA256_LEN], digest[LC_SHA256_LEN];
    struct lc_hash_item items[LEAVES];
    struct lc_sha256_state state;
    int status = LC_OK;

    memset(leaves, 0, sizeof(leaves));
    for (size_t i = 0; i < LEAVES; i++) {
        leaves[i][0] = (uint8_t)i;
        items[i] = (struct lc_hash_item){ nodes[i], leaves[i], sizeof(leaves[i]) - i }; /* of any lengths */
        status |= lc_sha256(one[i], leaves[i], sizeof(leaves[i]) - i);
    }
    status |= lc_sha256_many(items, LEAVES);

    /* A node is the digest of the two below it.  Digests may not be written to where messages of the same call are. */
    for (size_t num = LEAVES / 2; num; num /= 2) {
        uint8_t level[LEAVES / 2][LC_SHA256_LEN];

        for (size_t i = 0; i < num; i++) {
            items[i] = (struct lc_hash_item){ level[i], nodes[2 * i], NODE_LEN };
            status |= lc_sha256(one[i], one[2 * i], NODE_LEN);
        }
        status |= lc_sha256_many(items, num);
        memcpy(nodes, level, num * LC_SHA256_LEN);
    }

    /* One message in pieces */
    status |= lc_sha256_start(&state);
    if (status != LC_OK) {
        fprintf(stderr, "sha2: %s\n", lc_strerror(status));
        return 1;
    }
    lc_sha256_update(&state, nodes[0], 20);
    lc_sha256_update(&state, nodes[0] + 20, LC_SHA256_LEN - 20);
    printf("%s: ", lc_sha256_impl_name(&state));
    lc_sha256_finish(&state, digest);
    for (size_t i = 0; i < LC_SHA256_LEN; i++)
        printf("%02x", digest[i]);
    putchar('\n');
    if (memcmp(nodes[0], one[0], LC_SHA256_LEN) != 0) {
        fprintf(stderr, "sha2: wrong result\n");
        return 1;
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program of the build: it prints the table of the generator's multiples for p256_one.c as C.  It's made by the portable code for
 * other points, and a test compares it with that again.
 */
#include <inttypes.h>
#include <stdio.h>

#include "p256_one.h"

/* What is linked here wants it, and doesn't read it. */
const struct lc_p256_point lc_p256_one_table[LC_P256_ONE_WINDOWS / 2][LC_P256_ONE_ENTRIES];

static void print(const uint64_t number[4])
{
    for (int i = 0; i < 4; i++)
        printf("%s0x%016" PRIx64, i ? ", " : "{ ", number[i]);
    printf(" }");
}

int main(void)
{
    struct lc_p256_product product = { .p = &lc_p256_generator };
    uint64_t weight[4] = { 1 }, twice[4];

    printf("/* Made by src/p256_table.c. */\n#include \"p256_one.h\"\n\n");
    printf("_Alignas(64) const struct lc_p256_point lc_p256_one_table[%d][%d] = {\n", LC_P256_ONE_WINDOWS / 2, LC_P256_ONE_ENTRIES);
    for (int window = 0; window < LC_P256_ONE_WINDOWS / 2; window++) {
        printf("    {\n");
        memcpy(product.k, weight, sizeof(weight));
        lc_mod_add(twice, weight, weight, &lc_p256_n);
        for (int e = 0; e < LC_P256_ONE_ENTRIES; e++) {
            lc_p256_multiply_portable(&product, 1);
            printf("        { ");
            print(product.result.x);
            printf(",\n          ");
            print(product.result.y);
            printf(" },\n");
            lc_mod_add(product.k, product.k, twice, &lc_p256_n);
        }
        printf("    },\n");
        for (int i = 0; i < 2 * LC_P256_ONE_BITS; i++)
            lc_mod_add(weight, weight, weight, &lc_p256_n);
    }
    printf("};\n");
    return fflush(stdout) || ferror(stdout);
}

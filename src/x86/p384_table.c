/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A program of the build: it prints the table of the generator's multiples for x86/p384.c as C, as x86/p256_table.c does. */
#include <inttypes.h>
#include <stdio.h>

#include "../p384_one.h"
#include "p384.h"

/* What is linked here wants it, and doesn't read it. */
const struct lc_p384_point lc_p384_one_table[1][LC_ONE_ENTRIES];

int main(void)
{
    /* 2^32: from Montgomery's form with 2^384 to that with 2^416 */
    static const uint64_t power32[6] = { UINT64_C(1) << 32 };
    uint64_t factor[6], weight[6] = { 1 };

    lc_mod_to_montgomery(factor, power32, &lc_p384_p);
    printf("/* Made by src/x86/p384_table.c. */\n#include \"x86/p384.h\"\n\n");
    printf("_Alignas(64) const uint64_t lc_p384_base_table[%d][12][64] = {\n", LC_P384_BASE_TABLES);
    for (int table = 0; table < LC_P384_BASE_TABLES; table++) {
        static uint64_t words[12][64];
        struct lc_p384_product product = { .p = &lc_p384_generator };
        uint64_t twice[6];

        memcpy(product.k, weight, sizeof(weight));
        lc_mod_add(twice, weight, weight, &lc_p384_n);
        for (int e = 0; e < 64; e++) {
            lc_p384_multiply_portable(&product, 1);
            for (int y = 0; y < 2; y++) {
                uint64_t t[6];

                lc_mod_mul(t, y ? product.result.y : product.result.x, factor, &lc_p384_p);
                for (int i = 0; i < 6; i++)
                    words[6 * y + i][e] = t[i];
            }
            lc_mod_add(product.k, product.k, twice, &lc_p384_n);
        }
        printf("    {\n");
        for (int i = 0; i < 12; i++) {
            printf("        {");
            for (int e = 0; e < 64; e++)
                printf("%s0x%" PRIx64 ",", e % 8 ? " " : "\n            ", words[i][e]);
            printf("\n        },\n");
        }
        printf("    },\n");
        for (int i = 0; i < LC_P384_BASE_BITS * LC_P384_BASE_PASSES; i++)
            lc_mod_add(weight, weight, weight, &lc_p384_n);
    }
    printf("};\n");
    return fflush(stdout) || ferror(stdout);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program of the build: it prints the table of the generator's multiples as C (ec_internal.h).  (As a file here it would have
 * some hundred KB that nobody can read.)  It's made by the portable code for other points, and tests compare it with that again.
 * Whoever includes it defines CURVE and BITS (ec_names.h).
 */
#include <inttypes.h>
#include <stdio.h>

#define STRING(name) STRING_OF(name)
#define STRING_OF(name) #name
#define NAME STRING(CURVE)

/* What is linked here wants it, and doesn't read it. */
const uint64_t EC(base_table)[BASE_TABLES][2 * WORDS][BASE_ENTRIES];

int main(void)
{
    static const uint64_t power[WORDS] = { UINT64_C(1) << BASE_SHIFT }; /* from the portable code's form to that of lanes */
    struct lc_ec_product product = { .p = EC(generator) };
    uint64_t factor[WORDS], weight[WORDS] = { 1 }, twice[WORDS];

    lc_mod_to_montgomery(factor, power, &EC(p));
    printf("/* Made by src/" NAME "_table.c. */\n#include \"" NAME "_internal.h\"\n\n");
    printf("_Alignas(64) const uint64_t lc_" NAME "_base_table[%d][%d][%d] = {\n", BASE_TABLES, 2 * WORDS, BASE_ENTRIES);
    for (int table = 0; table < BASE_TABLES; table++) {
        static uint64_t x[WORDS][BASE_ENTRIES], y[WORDS][BASE_ENTRIES];

        memcpy(product.k, weight, sizeof(weight));
        lc_mod_add(twice, weight, weight, &EC(n));
        for (int e = 0; e < BASE_ENTRIES; e++) {
            EC(multiply_portable)(&product, 1);
            lc_mod_mul(product.result, product.result, factor, &EC(p));
            lc_mod_mul(product.result + WORDS, product.result + WORDS, factor, &EC(p));
            for (int i = 0; i < WORDS; i++) {
                x[i][e] = product.result[i];
                y[i][e] = product.result[WORDS + i];
            }
            lc_mod_add(product.k, product.k, twice, &EC(n));
        }
        printf("    {\n");
        for (int i = 0; i < 2 * WORDS; i++) {
            printf("        {");
            for (int e = 0; e < BASE_ENTRIES; e++)
                printf("%s0x%016" PRIx64 ",", e % 4 ? " " : "\n            ", i < WORDS ? x[i][e] : y[i - WORDS][e]);
            printf("\n        },\n");
        }
        printf("    },\n");
        for (int i = 0; i < BASE_PASSES * BASE_BITS; i++)
            lc_mod_add(weight, weight, weight, &EC(n));
    }
    printf("};\n");
    return fflush(stdout) || ferror(stdout);
}

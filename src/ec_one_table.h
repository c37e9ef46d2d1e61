/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program of the build: it prints the table of the generator's multiples for ec_one_body.h as C.  It's made by the portable code
 * for other points, and a test compares it with that again.  Whoever includes it defines CURVE and BITS (ec_names.h).
 */
#include <inttypes.h>
#include <stdio.h>

#define STRING(name) STRING_OF(name)
#define STRING_OF(name) #name
#define NAME STRING(CURVE)

/* What is linked here wants it, and doesn't read it. */
const struct EC(point) EC(one_table)[1][LC_ONE_ENTRIES];

static void print(const uint64_t number[WORDS])
{
    for (int i = 0; i < WORDS; i++)
        printf("%s0x%016" PRIx64, i ? ", " : "{ ", number[i]);
    printf(" }");
}

int main(void)
{
    struct EC(product) product = { .p = &EC(generator) };
    uint64_t weight[WORDS] = { 1 }, twice[WORDS];

    printf("/* Made by src/" NAME "_table.c. */\n#include \"" NAME "_one.h\"\n\n");
    printf("_Alignas(64) const struct lc_" NAME "_point lc_" NAME "_one_table[%d][%d] = {\n", ONE_TABLES, LC_ONE_ENTRIES);
    for (int table = 0; table < ONE_TABLES; table++) {
        printf("    {\n");
        memcpy(product.k, weight, sizeof(weight));
        lc_mod_add(twice, weight, weight, &EC(n));
        for (int e = 0; e < LC_ONE_ENTRIES; e++) {
            EC(multiply_portable)(&product, 1);
            printf("        { ");
            print(product.result.x);
            printf(",\n          ");
            print(product.result.y);
            printf(" },\n");
            lc_mod_add(product.k, product.k, twice, &EC(n));
        }
        printf("    },\n");
        for (int i = 0; i < ONE_SHARED * LC_ONE_BITS; i++)
            lc_mod_add(weight, weight, weight, &EC(n));
    }
    printf("};\n");
    return fflush(stdout) || ferror(stdout);
}

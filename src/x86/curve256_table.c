/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program of the build: it prints the table of the generator's multiples for x86/curve256_body.h as C, of the curve TABLE_CURVE.
 * (As a file here it would have 400 KB that nobody can read; so it's made by the portable code, and a test compares it with that
 * again.)
 */
#include <inttypes.h>
#include <stdio.h>

#include "../p256_one.h"
#include "../sm2_one.h"
#include "p256.h"
#include "sm2.h"

#define CURVE TABLE_CURVE
#define BITS 256
#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)

/* What is linked here wants it, and doesn't read it. */
const struct EC(point) EC(one_table)[1][LC_ONE_ENTRIES];

int main(void)
{
    /* 2^4: from Montgomery's form with 2^256 to that with 2^260 */
    static const uint64_t sixteen[4] = { 16 };
    uint64_t factor[4], weight[4] = { 1 };

    lc_mod_to_montgomery(factor, sixteen, &EC(p));
    printf("/* Made by src/x86/curve256_table.c. */\n#include \"x86/%s.h\"\n\n", STRING(CURVE));
    printf("_Alignas(64) const uint64_t %s[%d][8][64] = {\n", STRING(EC(base_table)), LC_256_BASE_WINDOWS);
    for (int window = 0; window < LC_256_BASE_WINDOWS; window++) {
        static uint64_t words[8][64];
        struct EC(product) product = { .p = &EC(generator) };
        uint64_t twice[4];

        memcpy(product.k, weight, sizeof(weight));
        lc_mod_add(twice, weight, weight, &EC(n));
        for (int e = 0; e < 64; e++) {
            EC(multiply_portable)(&product, 1);
            for (int y = 0; y < 2; y++) {
                uint64_t t[4];

                lc_mod_mul(t, y ? product.result.y : product.result.x, factor, &EC(p));
                for (int i = 0; i < 4; i++)
                    words[4 * y + i][e] = t[i];
            }
            lc_mod_add(product.k, product.k, twice, &EC(n));
        }
        printf("    {\n");
        for (int i = 0; i < 8; i++) {
            printf("        {");
            for (int e = 0; e < 64; e++)
                printf("%s0x%" PRIx64 ",", e % 8 ? " " : "\n            ", words[i][e]);
            printf("\n        },\n");
        }
        printf("    },\n");
        for (int i = 0; i < LC_256_BASE_BITS; i++)
            lc_mod_add(weight, weight, weight, &EC(n));
    }
    printf("};\n");
    return fflush(stdout) || ferror(stdout);
}

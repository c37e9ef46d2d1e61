/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program of the build: it prints the table of the generator's multiples for x86/curve25519.c as C.  It adds points in affine
 * form by the curve's law itself, with an inversion for each coordinate, so that it shares no formula with what the table is for.
 */
#include <inttypes.h>
#include <stdio.h>

#include "curve25519.h"

static const struct lc_mod *const p = &lc_25519_p;
static uint64_t d[4]; /* all numbers here are in Montgomery's form */

static void divide(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    uint64_t t[4];

    lc_mod_inverse(t, b, p);
    lc_mod_mul(r, a, t, p);
}

/*
 * r = a + b:  x = (x1 y2 + y1 x2) / (1 + d x1 x2 y1 y2),  y = (y1 y2 + x1 x2) / (1 - d x1 x2 y1 y2)
 */
static void add(struct lc_25519_point *r, const struct lc_25519_point *a, const struct lc_25519_point *b)
{
    uint64_t xy[4], yx[4], xx[4], yy[4], product[4], t[4];

    lc_mod_mul(xy, a->x, b->y, p);
    lc_mod_mul(yx, a->y, b->x, p);
    lc_mod_mul(xx, a->x, b->x, p);
    lc_mod_mul(yy, a->y, b->y, p);
    lc_mod_mul(product, xx, yy, p);
    lc_mod_mul(product, product, d, p);
    lc_mod_add(xy, xy, yx, p);
    lc_mod_add(t, p->one, product, p);
    divide(r->x, xy, t);
    lc_mod_add(yy, yy, xx, p);
    lc_mod_sub(t, p->one, product, p);
    divide(r->y, yy, t);
}

static void get_limbs(uint64_t limbs[5], const uint64_t a[4])
{
    uint64_t x[4];

    lc_mod_from_montgomery(x, a, p);
    for (int i = 0; i < 5; i++) {
        int bit = 51 * i;

        limbs[i] = x[bit / 64] >> bit % 64;
        if (bit % 64 > 13 && bit / 64 < 3)
            limbs[i] |= x[bit / 64 + 1] << (64 - bit % 64);
        limbs[i] &= (UINT64_C(1) << 51) - 1;
    }
}

/* y + x, y - x, 2 d x y */
static void get_entry(uint64_t limbs[15], const struct lc_25519_point *a)
{
    uint64_t t[4];

    lc_mod_add(t, a->y, a->x, p);
    get_limbs(limbs, t);
    lc_mod_sub(t, a->y, a->x, p);
    get_limbs(limbs + 5, t);
    lc_mod_mul(t, a->x, a->y, p);
    lc_mod_mul(t, t, d, p);
    lc_mod_add(t, t, t, p);
    get_limbs(limbs + 10, t);
}

static void print_limbs(const uint64_t *limbs, int num)
{
    printf("{");
    for (int i = 0; i < num; i++)
        printf("%s0x%" PRIx64 ",", i % 8 ? " " : "\n            ", limbs[i]);
    printf("\n        },\n");
}

int main(void)
{
    static const uint64_t numerator[4] = { 121665 }, denominator[4] = { 121666 }, zero[4];
    struct lc_25519_point b = { { UINT64_C(0xc9562d608f25d51a), UINT64_C(0x692cc7609525a7b2), UINT64_C(0xc0a4e231fdd6dc5c),
                                  UINT64_C(0x216936d3cd6e53fe) },
                                { UINT64_C(0x6666666666666658), UINT64_C(0x6666666666666666), UINT64_C(0x6666666666666666),
                                  UINT64_C(0x6666666666666666) } },
                          weighted, multiple;
    uint64_t limbs[15];

    lc_mod_to_montgomery(b.x, b.x, p);
    lc_mod_to_montgomery(b.y, b.y, p);
    lc_mod_to_montgomery(d, denominator, p);
    lc_mod_inverse(d, d, p);
    lc_mod_mul(d, d, numerator, p); /* not in Montgomery's form */
    lc_mod_to_montgomery(d, d, p);
    lc_mod_sub(d, zero, d, p);

    printf("/* Made by src/x86/curve25519_table.c. */\n#include \"x86/curve25519.h\"\n\n");
    printf("_Alignas(64) const uint64_t lc_25519_base_table[%d][15][%d] = {\n", LC_25519_WINDOWS, LC_25519_BASE_ENTRIES);
    weighted = b;
    for (int window = 0; window < LC_25519_WINDOWS; window++) {
        uint64_t columns[15][LC_25519_BASE_ENTRIES];
        struct lc_25519_point twice;

        multiple = weighted;
        add(&twice, &weighted, &weighted);
        for (int e = 0; e < LC_25519_BASE_ENTRIES; e++) {
            get_entry(limbs, &multiple);
            for (int i = 0; i < 15; i++)
                columns[i][e] = limbs[i];
            add(&multiple, &multiple, &twice);
        }
        printf("    {\n");
        for (int i = 0; i < 15; i++)
            print_limbs(columns[i], LC_25519_BASE_ENTRIES);
        printf("    },\n");
        for (int i = 0; i < LC_25519_BITS; i++)
            add(&weighted, &weighted, &weighted);
    }
    printf("};\n\nconst uint64_t lc_25519_b_table[%d][16] = {\n", LC_25519_B_ENTRIES + 1);
    multiple = (struct lc_25519_point){ .x = { 0 } };
    memcpy(multiple.y, p->one, sizeof(multiple.y));
    for (int e = 0; e < LC_25519_B_ENTRIES; e++) {
        get_entry(limbs, &multiple);
        print_limbs(limbs, 15);
        add(&multiple, &multiple, &b);
    }
    printf("};\n");
    return fflush(stdout) || ferror(stdout);
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "curve25519_white_box.h"

#include "curve25519.h"
#include "fe25519.h"

static struct fe digits(const uint64_t a[5])
{
    struct fe r;

    memcpy(r.d, a, sizeof(r.d));
    return r;
}

void wb_25519_from_words(uint64_t r[5], const uint64_t a[4])
{
    struct fe t;

    fe_from_words(&t, a);
    memcpy(r, t.d, sizeof(t.d));
}

void wb_25519_to_words(uint64_t r[4], const uint64_t a[5])
{
    const struct fe t = digits(a);

    fe_to_words(r, &t);
}

#define OPERATION(name, function)                                                                                                  \
    void wb_25519_##name(uint64_t r[5], const uint64_t a[5], const uint64_t b[5])                                                  \
    {                                                                                                                              \
        struct fe x = digits(a);                                                                                                   \
        const struct fe y = digits(b);                                                                                             \
                                                                                                                                   \
        function(&x, &x, &y);                                                                                                      \
        memcpy(r, x.d, sizeof(x.d));                                                                                               \
    }
OPERATION(mul, fe_mul_inline)
OPERATION(add, fe_add)
OPERATION(sub, fe_sub)
OPERATION(sub4, fe_sub4)

void wb_25519_sqr(uint64_t r[5], const uint64_t a[5])
{
    struct fe x = digits(a);

    fe_sqr_inline(&x, &x);
    memcpy(r, x.d, sizeof(x.d));
}

void wb_25519_mul_small_add(uint64_t r[5], const uint64_t a[5], uint64_t c, const uint64_t b[5])
{
    struct fe x = digits(a);
    const struct fe y = digits(b);

    fe_mul_small_add(&x, &x, c, &y);
    memcpy(r, x.d, sizeof(x.d));
}

void wb_25519_mul_add_l(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const uint64_t c[4])
{
    uint64_t t[4];

    lc_mod_to_montgomery(t, a, &lc_25519_l);
    lc_mod_mul(t, t, b, &lc_25519_l);
    lc_mod_add(r, t, c, &lc_25519_l);
}

#define EACH(i) for (size_t i = 0; i < num; i++)

void wb_25519_dh(size_t row, struct wb_25519_item *items, size_t num)
{
    struct lc_25519_dh dh[LC_25519_CHUNK];

    EACH(i) {
        memcpy(dh[i].k, items[i].k, sizeof(dh[i].k));
        memcpy(dh[i].u, items[i].u, sizeof(dh[i].u));
    }
    lc_ed25519_impls[row].dh(dh, num);
    EACH(i)
        memcpy(items[i].u, dh[i].result, sizeof(items[i].u));
}

static void base(size_t row, struct wb_25519_item *items, size_t num, int u)
{
    struct lc_25519_base work[LC_25519_CHUNK];

    EACH(i)
        memcpy(work[i].k, items[i].k, sizeof(work[i].k));
    (u ? lc_ed25519_impls[row].base_u : lc_ed25519_impls[row].base)(work, num);
    EACH(i) {
        if (u) {
            memcpy(items[i].u, work[i].u, sizeof(items[i].u));
        } else {
            memcpy(items[i].x, work[i].result.x, sizeof(items[i].x));
            memcpy(items[i].y, work[i].result.y, sizeof(items[i].y));
        }
    }
}

void wb_25519_base(size_t row, struct wb_25519_item *items, size_t num)
{
    base(row, items, num, 0);
}

void wb_25519_base_u(size_t row, struct wb_25519_item *items, size_t num)
{
    base(row, items, num, 1);
}

void wb_25519_check(size_t row, struct wb_25519_item *items, size_t num)
{
    struct lc_25519_check checks[LC_25519_CHUNK];
    struct lc_25519_point points[LC_25519_CHUNK];

    EACH(i) {
        memcpy(checks[i].k, items[i].k, sizeof(checks[i].k));
        memcpy(checks[i].s, items[i].s, sizeof(checks[i].s));
        memcpy(points[i].x, items[i].x, sizeof(points[i].x));
        memcpy(points[i].y, items[i].y, sizeof(points[i].y));
        checks[i].a = &points[i];
    }
    lc_ed25519_impls[row].check(checks, num);
    EACH(i) {
        memcpy(items[i].x, checks[i].result.x, sizeof(items[i].x));
        memcpy(items[i].y, checks[i].result.y, sizeof(items[i].y));
    }
}

void wb_25519_decompress(size_t row, struct wb_25519_item *items, size_t num)
{
    struct lc_25519_decompress work[LC_25519_CHUNK];

    EACH(i) {
        memcpy(work[i].y, items[i].y, sizeof(work[i].y));
        work[i].sign = items[i].u[0];
    }
    lc_ed25519_impls[row].decompress(work, num);
    EACH(i) {
        items[i].right = work[i].right;
        if (work[i].right) {
            memcpy(items[i].x, work[i].result.x, sizeof(items[i].x));
            memcpy(items[i].y, work[i].result.y, sizeof(items[i].y));
        }
    }
}

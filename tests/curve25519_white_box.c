/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "curve25519_white_box.h"

#include "curve25519.h"
#include "fe25519.h"
#ifdef __x86_64__
#include "x86/curve25519.h"
#include "x86/curve25519_bmi2.h"
#endif

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

void wb_25519_reduce(uint64_t r[4], const uint64_t wide[8])
{
    lc_25519_reduce(r, wide);
}

#define EACH(i) for (size_t i = 0; i < num; i++)

void wb_25519_dh(size_t row, struct wb_25519_item *items, size_t num)
{
    struct lc_25519_dh dh[LC_25519_CHUNK];

    EACH(i)
    {
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
    EACH(i)
    {
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

    EACH(i)
    {
        memcpy(checks[i].k, items[i].k, sizeof(checks[i].k));
        memcpy(checks[i].s, items[i].s, sizeof(checks[i].s));
        memcpy(points[i].x, items[i].x, sizeof(points[i].x));
        memcpy(points[i].y, items[i].y, sizeof(points[i].y));
        checks[i].a = &points[i];
    }
    lc_ed25519_impls[row].check(checks, num);
    EACH(i)
    {
        memcpy(items[i].x, checks[i].result.x, sizeof(items[i].x));
        memcpy(items[i].y, checks[i].result.y, sizeof(items[i].y));
    }
}

void wb_25519_decompress(size_t row, struct wb_25519_item *items, size_t num)
{
    struct lc_25519_decompress work[LC_25519_CHUNK];

    EACH(i)
    {
        memcpy(work[i].y, items[i].y, sizeof(work[i].y));
        work[i].sign = items[i].u[0];
    }
    lc_ed25519_impls[row].decompress(work, num);
    EACH(i)
    {
        items[i].right = work[i].right;
        if (work[i].right) {
            memcpy(items[i].x, work[i].result.x, sizeof(items[i].x));
            memcpy(items[i].y, work[i].result.y, sizeof(items[i].y));
        }
    }
}

int wb_25519_sum_is_small(size_t row, const struct wb_25519_term *terms, size_t num, const uint64_t b[4])
{
    enum { MOST = 20 };
    static _Alignas(LC_25519_ALIGN) uint8_t memory[MOST * 8192];
    struct lc_25519_term all[MOST];
    struct lc_25519_point points[MOST];

    if (num > MOST || lc_ed25519_impls[row].sum_len(num) > sizeof(memory))
        return -1;
    EACH(i)
    {
        memcpy(all[i].z, terms[i].z, sizeof(all[i].z));
        memcpy(all[i].e, terms[i].e, sizeof(all[i].e));
        memcpy(&points[i], terms[i].a, sizeof(points[i]));
        memcpy(&all[i].r, terms[i].r, sizeof(all[i].r));
        all[i].a = &points[i];
    }
    return lc_ed25519_impls[row].sum_is_small(all, num, b, memory) ? 1 : 0;
}

#ifdef __x86_64__

/* ---- One at a time ---- */

static struct lc_25519_words words(const uint64_t a[4])
{
    struct lc_25519_words r;

    memcpy(r.w, a, sizeof(r.w));
    return r;
}

static void mul_words(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    const struct lc_25519_words x = words(a);
    struct lc_25519_words y = words(b);

    lc_25519_mul_bmi2_avx2(&y, &x, &y);
    memcpy(r, y.w, sizeof(y.w));
}

static void sqr_words(uint64_t r[4], const uint64_t a[4], size_t times)
{
    struct lc_25519_words x = words(a);

    lc_25519_sqr_bmi2_avx2(&x, &x, times);
    memcpy(r, x.w, sizeof(x.w));
}

static void ladder_words(uint64_t points[4][4], const uint64_t u[4], const uint64_t bits[4])
{
    struct lc_25519_ladder_bmi2 w;

    memcpy(&w, points, 4 * sizeof(w.x2));
    w.u = words(u);
    memcpy(w.bits, bits, sizeof(w.bits));
    lc_25519_ladder_bmi2_avx2(&w);
    memcpy(points, &w, 4 * sizeof(w.x2));
}

static void twice_words(uint64_t point[4][4], size_t times)
{
    struct lc_25519_point_bmi2 p;

    memcpy(&p, point, 4 * sizeof(p.x));
    lc_25519_double_bmi2_avx2(&p, times);
    memcpy(point, &p, 4 * sizeof(p.x));
}

static void add_by(void (*add)(struct lc_25519_point_bmi2 *p, const struct lc_25519_addend_bmi2 *q, int with_t),
                   uint64_t point[4][4], const uint64_t addend[4][4])
{
    struct lc_25519_point_bmi2 p, without_t;
    struct lc_25519_addend_bmi2 q;

    memcpy(&p, point, 4 * sizeof(p.x));
    memcpy(&q, addend, sizeof(q));
    without_t = p;
    add(&without_t, &q, 0);
    add(&p, &q, 1);
    memcpy(point, &p, 4 * sizeof(p.x));
    /* The same but for t, or nothing that a test takes for it */
    if (memcmp(&without_t, &p, 3 * sizeof(p.x)) != 0)
        memset(point, 0, sizeof(p.x));
}

static void add_words(uint64_t point[4][4], const uint64_t addend[4][4])
{
    add_by(lc_25519_add_bmi2_avx2, point, addend);
}

static void add_affine_words(uint64_t point[4][4], const uint64_t addend[4][4])
{
    add_by(lc_25519_add_affine_bmi2_avx2, point, addend);
}

static void select_words(uint64_t addend[3][4], const uint64_t table[16][3][4], uint64_t index, uint64_t negative)
{
    struct lc_25519_addend_bmi2 q;

    lc_25519_select_bmi2_avx2(&q, (const struct lc_25519_entry *)(const void *)table, index, negative);
    memcpy(addend, &q, 3 * sizeof(q.plus));
}

static const struct wb_25519_words all_words = { "ed25519-bmi2-avx2", mul_words, sqr_words,        ladder_words,
                                                 twice_words,         add_words, add_affine_words, select_words };

const struct wb_25519_words *wb_25519_get_words(void)
{
    return &all_words;
}

/* ---- Lanes ---- */

const struct wb_25519_kernels *const *wb_25519_get_kernels(void)
{
    static const struct wb_25519_kernels *const all[] = { &wb_25519_kernels_avx512ifma_512, &wb_25519_kernels_avx512ifma_256,
                                                          &wb_25519_kernels_avxifma, NULL };

    return all;
}

void wb_25519_get_entry(uint64_t entry[3][5], unsigned window, unsigned e)
{
    for (size_t limb = 0; limb < 15; limb++)
        entry[limb / 5][limb % 5] = lc_25519_base_table[window][limb][e];
}

#else

const struct wb_25519_words *wb_25519_get_words(void)
{
    return NULL;
}

const struct wb_25519_kernels *const *wb_25519_get_kernels(void)
{
    static const struct wb_25519_kernels *const none[] = { NULL };

    return none;
}

void wb_25519_get_entry(uint64_t entry[3][5], unsigned window, unsigned e)
{
    (void)window;
    (void)e;
    memset(entry, 0, 3 * sizeof(entry[0]));
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A curve of prime order with a = -3 on any CPU, in constant time where a multiplication takes a constant time.  Whoever includes
 * it defines CURVE and BITS (ec_names.h).
 *
 * Points are (X : Y : Z), x = X / Z, y = Y / Z, infinity is (0 : 1 : 0).  One formula adds any two points, equal, opposite or
 * infinity among them, since the curve has an odd number of points (Renes, Costello and Batina, "Complete addition formulas for
 * prime order elliptic curves", 2016).  So there is no case that secrets could be in.
 *
 * With a = -3, let  p = X1 X2,  q = Y1 Y2,  r = Z1 Z2,  and the mixed products
 *
 *      s = X1 Y2 + X2 Y1,   t = Y1 Z2 + Y2 Z1,   u = X1 Z2 + X2 Z1
 *
 * each of them one product of sums less two of p, q and r.  Then with
 *
 *      v = 3 (u - b r),   w = 3 (b u - 3 r - p),   z = 3 p - 3 r
 *
 *      X3 = s (q + v) - t w,   Y3 = (q + v)(q - v) + z w,   Z3 = t (q - v) + s z
 *
 * which takes 14 multiplications.  Between two additions come several doublings, which take 8 each in Jacobian coordinates,
 * x = X / Z^2, y = Y / Z^3:
 *
 *      alpha = 3 (X - Z^2)(X + Z^2),   gamma = Y^2,   beta = X gamma
 *      X' = alpha^2 - 8 beta,   Y' = alpha (4 beta - X') - 8 gamma^2,   Z' = 2 Y Z
 *
 * (X : Y : Z) are (X Z, Y Z^2, Z) there, and (X, Y, Z) are (X Z : Y : Z^3) here, three multiplications each way.  Infinity is
 * (0, 0, 0) there and stays so; no other point comes to it, as none has Y = 0.
 */

struct projective {
    uint64_t x[WORDS], y[WORDS], z[WORDS];
};

static void mul(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    lc_mod_mul(r, a, b, &EC(p));
}

static void add(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    lc_mod_add(r, a, b, &EC(p));
}

static void sub(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS])
{
    lc_mod_sub(r, a, b, &EC(p));
}

static void triple(uint64_t r[WORDS], const uint64_t a[WORDS])
{
    uint64_t t[WORDS];

    add(t, a, a);
    add(r, t, a);
}

/* r = a1 b2 + a2 b1, as (a1 + b1)(a2 + b2) - aa - bb, where aa = a1 a2 and bb = b1 b2 */
static void mixed(uint64_t r[WORDS], const uint64_t a1[WORDS], const uint64_t b1[WORDS], const uint64_t a2[WORDS],
                  const uint64_t b2[WORDS], const uint64_t aa[WORDS], const uint64_t bb[WORDS])
{
    uint64_t t1[WORDS], t2[WORDS];

    add(t1, a1, b1);
    add(t2, a2, b2);
    mul(r, t1, t2);
    sub(r, r, aa);
    sub(r, r, bb);
}

static void add_points(struct projective *out, const struct projective *a, const struct projective *b)
{
    uint64_t p[WORDS], q[WORDS], r[WORDS], s[WORDS], t[WORDS], u[WORDS], v[WORDS], w[WORDS], z[WORDS], x3[WORDS];

    mul(p, a->x, b->x);
    mul(q, a->y, b->y);
    mul(r, a->z, b->z);
    mixed(s, a->x, a->y, b->x, b->y, p, q);
    mixed(t, a->y, a->z, b->y, b->z, q, r);
    mixed(u, a->x, a->z, b->x, b->z, p, r);
    mul(v, EC(b), r);
    sub(v, u, v);
    triple(v, v);
    mul(w, EC(b), u);
    triple(r, r);
    sub(w, w, r);
    sub(w, w, p);
    triple(w, w);
    triple(z, p);
    sub(z, z, r);
    add(u, q, v);  /* q + v */
    sub(q, q, v);  /* q - v */
    mul(x3, s, u);
    mul(v, t, w);
    sub(x3, x3, v);
    mul(u, u, q);
    mul(v, z, w);
    add(out->y, u, v);
    mul(t, t, q);
    mul(s, s, z);
    add(out->z, t, s);
    memcpy(out->x, x3, sizeof(x3));
}

/* ---- Multiples: windows of 4 bits, from the highest; of the table of 0 P .. 15 P all is read ---- */

enum { WINDOW = 4, ENTRIES = 1 << WINDOW };

static void set_infinity(struct projective *p)
{
    memset(p, 0, sizeof(*p));
    memcpy(p->y, EC(p).one, sizeof(p->y));
}

static void make_table(struct projective table[ENTRIES], const struct EC(point) * p)
{
    set_infinity(&table[0]);
    memcpy(table[1].x, p->x, sizeof(p->x));
    memcpy(table[1].y, p->y, sizeof(p->y));
    memcpy(table[1].z, EC(p).one, sizeof(table[1].z));
    for (int i = 2; i < ENTRIES; i++)
        add_points(&table[i], &table[i - 1], &table[1]);
}

static void add_window(struct projective *sum, struct projective *entry, const struct projective table[ENTRIES],
                       const uint64_t k[WORDS], int bit)
{
    uint64_t digit = k[bit / 64] >> (bit % 64) & (ENTRIES - 1);

    *entry = table[0];
    for (uint64_t i = 1; i < ENTRIES; i++) {
        uint64_t mask = lc_mask_if_zero(i ^ digit);

        NUM(move_if)(entry->x, table[i].x, mask);
        NUM(move_if)(entry->y, table[i].y, mask);
        NUM(move_if)(entry->z, table[i].z, mask);
    }
    add_points(sum, sum, entry);
}

static void double_jacobian(struct projective *p)
{
    uint64_t alpha[WORDS], beta[WORDS], gamma[WORDS], t[WORDS], u[WORDS];

    mul(t, p->z, p->z);
    sub(u, p->x, t);
    add(t, p->x, t);
    mul(alpha, u, t);
    triple(alpha, alpha);
    mul(gamma, p->y, p->y);
    mul(p->z, p->y, p->z);
    add(p->z, p->z, p->z);
    mul(beta, p->x, gamma);
    add(beta, beta, beta);
    add(beta, beta, beta);
    mul(p->x, alpha, alpha);
    sub(p->x, p->x, beta);
    sub(p->x, p->x, beta);
    sub(t, beta, p->x);
    mul(t, t, alpha);
    add(gamma, gamma, gamma);
    mul(gamma, gamma, gamma);
    add(gamma, gamma, gamma);
    sub(p->y, t, gamma);
}

/* sum = 2^WINDOW sum */
static void shift(struct projective *sum)
{
    uint64_t zz[WORDS];

    mul(zz, sum->z, sum->z);
    mul(sum->x, sum->x, sum->z);
    mul(sum->y, sum->y, zz);
    for (int i = 0; i < WINDOW; i++)
        double_jacobian(sum);
    mul(zz, sum->z, sum->z);
    mul(sum->x, sum->x, sum->z);
    mul(sum->z, sum->z, zz);
    NUM(move_if)(sum->y, EC(p).one, NUM(is_zero)(sum->z));
}

void EC(multiply_portable)(struct EC(product) * products, size_t num)
{
    struct {
        struct projective table[ENTRIES], sum, entry;
        uint64_t inverse[WORDS];
    } w;

    for (struct EC(product) *product = products; product < products + num; product++) {
        make_table(w.table, product->p);
        set_infinity(&w.sum);
        for (int bit = BITS - WINDOW; bit >= 0; bit -= WINDOW) {
            shift(&w.sum);
            add_window(&w.sum, &w.entry, w.table, product->k, bit);
        }
        lc_mod_inverse(w.inverse, w.sum.z, &EC(p));
        mul(product->result.x, w.sum.x, w.inverse);
        mul(product->result.y, w.sum.y, w.inverse);
    }
    lc_wipe(&w, sizeof(w));
    lc_wipe_frame();
}

void EC(base_portable)(struct EC(product) * products, size_t num)
{
    for (size_t i = 0; i < num; i++)
        products[i].p = &EC(generator);
    EC(multiply_portable)(products, num);
}

/* ---- Checks: two multiples with one chain of doublings.  All of it is public. ---- */

void EC(check_portable)(struct EC(check) * checks, size_t num)
{
    struct projective g_table[ENTRIES], q_table[ENTRIES], sum, entry;

    make_table(g_table, &EC(generator));
    for (struct EC(check) *check = checks; check < checks + num; check++) {
        make_table(q_table, check->q);
        set_infinity(&sum);
        for (int bit = BITS - WINDOW; bit >= 0; bit -= WINDOW) {
            shift(&sum);
            add_window(&sum, &entry, g_table, check->u1, bit);
            add_window(&sum, &entry, q_table, check->u2, bit);
        }
        check->right = EC(has_x)(sum.x, sum.z, check->r);
    }
}

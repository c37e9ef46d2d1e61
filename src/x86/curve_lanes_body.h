/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A curve in the lanes of vectors: as many points at once as there are lanes (x86/curve_lanes.h).  The calculations with points are
 * the assembly's; here is what is done with them, as far as it is the same for all curves.  Whoever includes it has included the
 * curve's header and defines CURVE and BITS (ec_names.h), what is declared below, and
 *
 *      ONE(name)   the function that does the same one by one: it gets the calls with lanes in which equal points were added, and
 *      FEW_BASE, FEW_MULTIPLY, FEW_CHECK
 *                  calls with up to so many, as it is faster then (docs/publickey.md has the figures)
 *      FOUR(name)  the function that does the same in four lanes, if these are eight and it isn't missing
 *
 * -- Digits ---------------------------------------------------------------------------------------------------------------------
 *
 * A multiplier k is made odd: it is k or n - k, and in the second case all is negated.  An odd number has digits that are odd, too,
 * and so never 0: with windows of w bits
 *
 *      k = d_0 + d_1 2^w + d_2 2^2w + ..,      d_i = (k / 2^(w i) mod 2^(w+1) | 1) - 2^w
 *
 * since k - d_0 is 2^w times an odd number, k / 2^w | 1 rounded down, which goes on in the same way.  The last digit is what is
 * left, which is positive.  So every window adds a point, and tables have 2^(w-1) entries, 1 P, 3 P, 5 P, ..
 *
 * -- Multiples of points --------------------------------------------------------------------------------------------------------
 *
 * Windows of 4 bits, from the highest, with 4 doublings between them; the table of P, 3 P, .. 15 P is made in affine form, for
 * which all lanes and entries share one inversion.  Windows of 5 bits have 12 additions less, and 8 entries more to be made
 * affine and to be read each time: no faster.
 *
 * D = 2 P = (X : Y : Z) is added to P seven times.  That takes it as an affine point, (X, Y), on the curve on which all points
 * (x, y) are (x Z^2, y Z^3): addition doesn't use the curve's coefficients.  Back from there a point's Z is multiplied by that of
 * D.
 *
 * Exceptions can only be in the last window: before it the sum is S P with 2^4 S < n.  There 16 S + d = k, and 16 S = d (mod n)
 * is possible: for k = n + 2d, if that has d as its last digit, d = -(n - 16 mod 32).  So it's k = n - 2 for P-256, n - 6 for
 * P-384, and with these 2 and 6, which become them, and none for SM2's curve.  Then Z is 0 (see the function that adds), and the
 * call is computed again one by one.  That is a branch on a secret, taken by one in 2^250, and by who knows the secret.
 *
 * -- Multiples of the generator -------------------------------------------------------------------------------------------------
 *
 * Windows of w = BASE_BITS bits, of which only every BASE_PASSES-th has a table, 2^(w-1) odd multiples of 2^(w PASSES j) G.  So the
 * sum is made in as many passes, with w doublings between them.  With three, for instance,
 *
 *      k  =  sum d_3j 2^(3w j)  +  2^w (sum d_(3j+1) 2^(3w j)  +  2^w sum d_(3j+2) 2^(3w j))
 *
 * Tables have words of 64 bits, not limbs.  docs/publickey.md says what they take.
 *
 * Exceptions: as numbers, the sum S and the next entry d 2^(w PASSES j) are never equal or opposite.  In the first pass |S| is less
 * than 2^(w PASSES j).  In the others S is 2^w times what there was, and what this pass has added.  With the last j that there was,
 * the digits of the passes before make an odd number times 2^w 2^(w PASSES j), and all below them, digits of windows of their own,
 * less than 2^(w PASSES j).  So |S| > (2^w - 1) 2^(w PASSES j), and an entry is that at most.  The last pass has one digit more, of
 * 2^252, or 2^378 for P-384; for that |S| is less again.  Modulo n sum and difference are below n but for this last digit.  There
 * S + d 2^252 is k, which isn't 0; but S - d 2^252 = k - d 2^253 may be -n, k = d 2^253 - n.  That takes 8 <= d <= 15, and the last
 * digit of this k is d for d = 15 only.  (P-384: k = d 2^379 - n, d = 63.)  So there are two multipliers, that one and n less it,
 * for which the entry is equal to the sum: Z is 0 (see the function that adds), and the call is computed again one by one.  k = 0
 * ends in infinity (k = n - 0 is odd), which verifying may bring.
 *
 * -- Checks ---------------------------------------------------------------------------------------------------------------------
 *
 * u2 Q as above, and u1 G is added to it: its last pass at the end, the others between the doublings, where as many remain.  There
 * may be exceptions anywhere, but all of it is public.
 */

/* ---- What the curve's file has ---- */

#define MASK52 ((UINT64_C(1) << 52) - 1)
enum { HALVINGS = LC_LANES == 8 ? 3 : 2 }; /* of all lanes, until there is one */

/*
 * Modulo p: 1; 2^BITS as an integer, by which a product has the form of 64-bit words; and as an integer what makes 1 / (x R), with
 * the R of lanes, the form of 1 / x there, where put_lane() has multiplied it by R / 2^BITS: R^3 * 2^BITS / R
 */
static const struct EC(fe) one, to_words, of_inverse;
static const uint64_t limbs_of_p[LIMBS];

/* From Montgomery's form with R = 2^BITS, as all that comes from outside has, to that of lanes, below their capacity */
static void put_lane(struct EC(fe) * r, size_t lane, const uint64_t x[WORDS]);
/* Words, below p, of a number that is below 2p: the same form.  (The other way is to multiply by to_words before.) */
static void get_lane(uint64_t x[WORDS], const struct EC(fe) * r, size_t lane);

/* The sum is the entry. */
static void begin(struct EC(lanes) * w);
/* Sum = u1 G + u2 Q of each lane's check */
static void sum_checks(struct EC(lanes) * w, const struct EC(check) * checks, size_t num);

/* ---- Numbers in lanes ---- */

static void multiply(struct EC(fe) * r, const struct EC(fe) * a, const struct EC(fe) * b)
{
    LANES(mul)(r, a, b);
}

/* All lanes, of a number that is below 4p */
static void get_lanes(uint64_t x[LC_LANES][WORDS], const struct EC(fe) * a)
{
    struct EC(fe) t;

    multiply(&t, a, &to_words);
    for (size_t lane = 0; lane < LC_LANES; lane++)
        get_lane(x[lane], &t, lane);
    lc_wipe(&t, sizeof(t));
}

/* The same lanes in another order: lane i gets lane i ^ distance. */
static void exchange(struct EC(fe) * r, const struct EC(fe) * a, size_t distance)
{
    for (int i = 0; i < LIMBS; i++)
        for (size_t lane = 0; lane < LC_LANES; lane++)
            r->limb[i][lane] = a->limb[i][lane ^ distance];
}

/*
 * 1 / a, and 0 for 0, of a below 4p.  zero: -1 where a is 0, else 0.
 *
 * All lanes share one inversion: products of two lanes, of four, and of eight if there are so many, are made in all lanes, and what
 * was multiplied by on the way are the others' factors that the inverse of the last product has too many.
 */
static void invert(struct EC(fe) * r, const struct EC(fe) * a, uint64_t zero[LC_LANES])
{
    struct {
        struct EC(fe) product, others[HALVINGS];
        uint64_t inverse[WORDS];
    } w;

    multiply(&w.product, a, &one); /* the same, below 2p: 0 is 0 or p */
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        uint64_t bits = 0, difference = 0;

        for (int i = 0; i < LIMBS; i++) {
            bits |= w.product.limb[i][lane];
            difference |= w.product.limb[i][lane] ^ limbs_of_p[i];
        }
        zero[lane] = lc_mask_if_zero(bits) | lc_mask_if_zero(difference);
        for (int i = 0; i < LIMBS; i++)
            w.product.limb[i][lane] ^= (w.product.limb[i][lane] ^ one.limb[i][lane]) & zero[lane];
    }
    for (int i = 0; i < HALVINGS; i++) {
        exchange(&w.others[i], &w.product, (size_t)1 << i);
        multiply(&w.product, &w.product, &w.others[i]);
    }
    get_lane(w.inverse, &w.product, 0);
    lc_mod_plain_inverse(w.inverse, w.inverse, &EC(p));
    for (size_t lane = 0; lane < LC_LANES; lane++)
        put_lane(r, lane, w.inverse);
    multiply(r, r, &of_inverse);
    for (int i = 0; i < HALVINGS; i++)
        multiply(r, r, &w.others[i]);
    for (int i = 0; i < LIMBS; i++)
        for (size_t lane = 0; lane < LC_LANES; lane++)
            r->limb[i][lane] &= ~zero[lane];
    lc_wipe(&w, sizeof(w));
}

/* ---- Digits ---- */

struct digits {
    _Alignas(8 * LC_LANES) uint64_t k[WORDS][LC_LANES]; /* odd */
    uint64_t negated[LC_LANES];
};

static void make_odd(struct digits *d, size_t lane, const uint64_t k[WORDS])
{
    uint64_t other[WORDS], borrow = 0, even = lc_opaque((k[0] & 1) - 1);

    for (int i = 0; i < WORDS; i++)
        other[i] = lc_sub_borrow(EC(n).m[i], k[i], &borrow);
    NUM(move_if)(other, k, ~even);
    for (int i = 0; i < WORDS; i++)
        d->k[i][lane] = other[i];
    d->negated[lane] = even;
    lc_wipe(other, sizeof(other));
}

/* The index and the sign of digit i of num, each of `bits` bits */
static void set_digit(struct EC(lanes) * w, const struct digits *d, unsigned i, unsigned num, unsigned bits)
{
    typedef uint64_t pair __attribute__((vector_size(16), may_alias)); /* as any x86-64 has it: the same for two lanes at once */
    const unsigned at = i * bits + 1, shift = at % 64;
    const uint64_t sign_bit = UINT64_C(1) << (bits - 1);

    for (size_t lane = 0; lane < LC_LANES; lane += 2) {
        pair digit = *(const pair *)&d->k[at / 64][lane] >> shift, negative;

        if (shift + bits > 64 && at / 64 < WORDS - 1)
            digit |= *(const pair *)&d->k[at / 64 + 1][lane] << (64 - shift);
        digit &= 2 * sign_bit - 1; /* (d_i + 2^bits - 1) / 2 */
        if (i == num - 1)
            digit |= sign_bit;
        negative = (digit >> (bits - 1)) - 1;
        *(pair *)&w->index[lane] = (digit ^ negative) & (sign_bit - 1);
        *(pair *)&w->negative[lane] = negative ^ *(const pair *)&d->negated[lane];
    }
}

/* ---- Points ---- */

static void set_affine(struct EC(lanes) * w)
{
    w->z = one;
#if BITS == 256
    w->zz = one;
#endif
}

/* The sum is the point P that is the entry, and the entry is D = 2 P, on D's curve; z of D, which leads back from there. */
static void begin_multiples(struct EC(lanes) * w, struct EC(fe) * z)
{
    const struct EC(entry) p = w->entry;
    struct EC(fe) t;

#if BITS == 256
    memset(w->negative, 0, sizeof(w->negative));
#else
    memset(w->sign, 0, sizeof(w->sign));
#endif
    begin(w);
    LANES(double)(w, 1);
    *z = w->z;
    w->entry.x = w->x;
    w->entry.y = w->y;
    multiply(&t, z, z);
    multiply(&w->x, &p.x, &t);
    multiply(&t, &t, z);
    multiply(&w->y, &p.y, &t);
    set_affine(w);
}

/* The next of P, 3 P, 5 P, .. in affine form, 1 to LC_LANES_ENTRIES - 1 of them */
static void next_multiples(struct EC(entry) * table, int num, struct EC(lanes) * w, const struct EC(fe) * z)
{
    struct {
        struct EC(fe) z[LC_LANES_ENTRIES - 1], products[LC_LANES_ENTRIES - 1], z2, inverse, t;
        uint64_t zero[LC_LANES]; /* never: they are odd multiples of a point, below n */
    } v;
    int i = 0;

    do {
        LANES(add)(w);
        table[i].x = w->x;
        table[i].y = w->y;
        multiply(&v.z[i], &w->z, z);
        if (i == 0)
            v.products[i] = v.z[i];
        else
            multiply(&v.products[i], &v.products[i - 1], &v.z[i]);
    } while (++i < num);
    invert(&v.inverse, &v.products[num - 1], v.zero);
    while (i-- > 0) {
        if (i > 0) {
            multiply(&v.t, &v.inverse, &v.products[i - 1]);
            multiply(&v.inverse, &v.inverse, &v.z[i]);
        } else {
            v.t = v.inverse;
        }
        multiply(&v.z2, &v.t, &v.t);
        multiply(&table[i].x, &table[i].x, &v.z2);
        multiply(&v.z2, &v.z2, &v.t);
        multiply(&table[i].y, &table[i].y, &v.z2);
    }
    lc_wipe(&v, sizeof(v));
}

/* P, 3 P, .. 15 P of the point that is the entry, both of its coordinates below 2p */
static void make_table(struct EC(entry) table[LC_LANES_ENTRIES], struct EC(lanes) * w)
{
    struct EC(fe) z;

    table[0] = w->entry;
    begin_multiples(w, &z);
    next_multiples(table + 1, LC_LANES_ENTRIES - 1, w, &z);
    lc_wipe(&z, sizeof(z));
}

/*
 * Sum += 2^(-w pass) times the digits of that pass, of the generator's multiples; or sum = that, if it is the first.
 */
static void add_base_pass(struct EC(lanes) * w, const struct digits *d, unsigned pass, int first)
{
    set_digit(w, d, pass, BASE_WINDOWS, BASE_BITS);
    for (unsigned i = pass; i < BASE_WINDOWS; i += BASE_PASSES) {
        LANES(select_base)(w, EC(base_table)[i / BASE_PASSES]);
        /* The next one already, as the selection would wait for eight words that are just being written. */
        if (i + BASE_PASSES < BASE_WINDOWS)
            set_digit(w, d, i + BASE_PASSES, BASE_WINDOWS, BASE_BITS);
        if (first && i == pass)
            begin(w);
        else
            LANES(add)(w);
    }
}

/* Sum = k G, for the digits of k */
static void sum_base(struct EC(lanes) * w, const struct digits *d)
{
    add_base_pass(w, d, BASE_PASSES - 1, 1);
    for (unsigned pass = BASE_PASSES - 1; pass-- > 0;) {
        LANES(double)(w, BASE_BITS);
        add_base_pass(w, d, pass, 0);
    }
}

/*
 * The doublings before window i of another point is added, whose digit is set already; and if base isn't NULL, what belongs there
 * of the generator's multiple by those digits.
 */
static void go_down(struct EC(lanes) * w, const struct digits *base, unsigned i)
{
    const unsigned to = i * LC_LANES_BITS;
    unsigned from = to + LC_LANES_BITS;

    for (unsigned pass = BASE_PASSES; base && pass-- > 1;) {
        const unsigned at = pass * BASE_BITS;
        uint64_t digit[2][LC_LANES];

        if (at < to || at >= from)
            continue;
        LANES(double)(w, from - at);
        memcpy(digit[0], w->index, sizeof(digit[0]));
        memcpy(digit[1], w->negative, sizeof(digit[1]));
        add_base_pass(w, base, pass, 0);
        memcpy(w->index, digit[0], sizeof(digit[0]));
        memcpy(w->negative, digit[1], sizeof(digit[1]));
        from = at;
    }
    if (from > to)
        LANES(double)(w, from - to);
}

/* Sum = k P of the point that is the entry; and if base isn't NULL, plus the generator's multiple by those digits */
static void multiply_entry(struct EC(lanes) * w, struct EC(entry) table[LC_LANES_ENTRIES], const struct digits *d,
                           const struct digits *base)
{
    const unsigned num = BITS / LC_LANES_BITS;

    make_table(table, w);
    for (unsigned i = num; i-- > 0;) {
        /* Before the doublings, as the selection would wait for eight words that are just being written. */
        set_digit(w, d, i, num, LC_LANES_BITS);
        if (i < num - 1)
            go_down(w, base, i);
        LANES(select)(w, table);
        if (i < num - 1)
            LANES(add)(w);
        else
            begin(w);
    }
    if (base)
        add_base_pass(w, base, 0, 0);
}

/* Results of lanes, affine, of coordinates below 4p */
static void put_results(struct EC(product) * products, size_t num, const struct EC(fe) * x, const struct EC(fe) * y)
{
    uint64_t words[LC_LANES][WORDS];

    get_lanes(words, x);
    for (size_t i = 0; i < num; i++)
        memcpy(products[i].result.x, words[i], sizeof(words[i]));
    get_lanes(words, y);
    for (size_t i = 0; i < num; i++)
        memcpy(products[i].result.y, words[i], sizeof(words[i]));
    lc_wipe(words, sizeof(words));
}

/* The sum's affine coordinates, by 1 / Z */
static void get_results(struct EC(product) * products, size_t num, struct EC(lanes) * w, const struct EC(fe) * inverse)
{
    multiply(&w->t[0], inverse, inverse);
    multiply(&w->t[1], &w->t[0], inverse);
    multiply(&w->x, &w->x, &w->t[0]);
    multiply(&w->y, &w->y, &w->t[1]);
    put_results(products, num, &w->x, &w->y);
}

/* The lane's item; lanes without one do the first one's work again. */
static size_t item_of(size_t lane, size_t num)
{
    return lane < num ? lane : 0;
}

static void put_points(struct EC(entry) * entry, const struct EC(point) *const points[LC_LANES])
{
    for (size_t lane = 0; lane < LC_LANES; lane++) {
        put_lane(&entry->x, lane, points[lane]->x);
        put_lane(&entry->y, lane, points[lane]->y);
    }
    multiply(&entry->x, &entry->x, &one);
    multiply(&entry->y, &entry->y, &one);
}

static void sum_two_multiples(struct EC(lanes) * w, const struct EC(check) * checks, size_t num)
{
    struct EC(entry) table[LC_LANES_ENTRIES];
    struct digits d, base;
    const struct EC(point) * points[LC_LANES];

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        make_odd(&d, lane, checks[item_of(lane, num)].u2);
        make_odd(&base, lane, checks[item_of(lane, num)].u1);
        points[lane] = checks[item_of(lane, num)].q;
    }
    put_points(&w->entry, points);
    multiply_entry(w, table, &d, &base);
}

/* ---- The row ---- */

/* How many of num are in the next vector */
static size_t part_of(size_t num)
{
    return num < LC_LANES ? num : LC_LANES;
}

static void sum_part(struct EC(lanes) * w, struct digits *d, const struct EC(product) * products, size_t num)
{
    for (size_t lane = 0; lane < LC_LANES; lane++)
        make_odd(d, lane, products[item_of(lane, num)].k);
    sum_base(w, d);
}

/*
 * A chunk's one or two vectors share the inversion.  (Not inline, so that the one branch on what comes of secrets has a place.)
 */
static __attribute__((noinline)) void base_in_lanes(struct EC(product) * products, size_t num)
{
    enum { VECTORS = LC_EC_CHUNK / LC_LANES }; /* one or two */
    struct {
        struct EC(lanes) w[VECTORS];
        struct EC(fe) inverse;
        struct digits d;
        uint64_t zero[LC_LANES];
    } v;
    struct EC(lanes) *const second = &v.w[VECTORS - 1];

    sum_part(&v.w[0], &v.d, products, part_of(num));
    if (VECTORS > 1 && num > LC_LANES) {
        sum_part(second, &v.d, products + LC_LANES, num - LC_LANES);
        multiply(&v.inverse, &v.w[0].z, &second->z);
        invert(&v.inverse, &v.inverse, v.zero);
        multiply(&v.w[0].z, &v.w[0].z, &v.inverse);
        get_results(products + LC_LANES, num - LC_LANES, second, &v.w[0].z);
        multiply(&v.inverse, &v.inverse, &second->z);
    } else {
        invert(&v.inverse, &v.w[0].z, v.zero);
    }
    get_results(products, part_of(num), &v.w[0], &v.inverse);
    for (size_t i = 1; i < LC_LANES; i++)
        v.zero[0] |= v.zero[i];
    if (v.zero[0]) /* two multipliers of all: see above */
        ONE(base)(products, num);
    lc_wipe(&v, sizeof(v));
    lc_wipe_frame();
    LANES(clear)();
}

static __attribute__((noinline)) void multiply_in_lanes(struct EC(product) * products, size_t num)
{
    struct {
        struct EC(lanes) w;
        struct EC(entry) table[LC_LANES_ENTRIES];
        struct digits d;
        uint64_t zero[LC_LANES];
    } v;
    const struct EC(point) * points[LC_LANES];

    for (size_t lane = 0; lane < LC_LANES; lane++) {
        make_odd(&v.d, lane, products[item_of(lane, num)].k);
        points[lane] = products[item_of(lane, num)].p;
    }
    put_points(&v.w.entry, points);
    multiply_entry(&v.w, v.table, &v.d, NULL);
    invert(&v.w.z, &v.w.z, v.zero); /* where Z was 0, zero is -1, and the results are of no use. */
    get_results(products, num, &v.w, &v.w.z);
    for (size_t i = 1; i < num; i++)
        v.zero[0] |= v.zero[i];
    if (v.zero[0]) /* so rare that all are computed again */
        ONE(multiply)(products, num);
    lc_wipe(&v, sizeof(v));
    lc_wipe_frame();
    LANES(clear)();
}

static void check_in_lanes(struct EC(check) * checks, size_t num)
{
    struct EC(lanes) w;
    uint64_t x[LC_LANES][WORDS], z[LC_LANES][WORDS];

    sum_checks(&w, checks, num);
    get_lanes(x, &w.x);
    get_lanes(z, &w.z);
    for (size_t i = 0; i < num; i++) {
        if (NUM(is_zero)(z[i])) {
            ONE(check)(&checks[i], 1);
            continue;
        }
        lc_mod_mul(z[i], z[i], z[i], &EC(p));
        checks[i].right = EC(has_x)(x[i], z[i], checks[i].r);
    }
}

#ifdef FOUR
#define FIT_IN_FOUR(num) lc_fit_in_four(num)
#else
#define FIT_IN_FOUR(num) 0
#define FOUR(name) LANES(name)
#endif

void LANES(base)(struct EC(product) * products, size_t num)
{
    if (FIT_IN_FOUR(num)) {
        FOUR(base)(products, num);
        return;
    }
    for (size_t i = 0, part; i < num; i += part) {
        /* What is too few for a second vector isn't worth it. */
        part = num - i > LC_LANES && num - i <= LC_LANES + FEW_BASE ? LC_LANES : num - i;
        if (part <= FEW_BASE)
            ONE(base)(products + i, part);
        else
            base_in_lanes(products + i, part);
    }
}

void LANES(multiply)(struct EC(product) * products, size_t num)
{
    if (FIT_IN_FOUR(num)) {
        FOUR(multiply)(products, num);
        return;
    }
    for (size_t i = 0, part; i < num; i += part) {
        part = part_of(num - i);
        if (part <= FEW_MULTIPLY)
            ONE(multiply)(products + i, part);
        else
            multiply_in_lanes(products + i, part);
    }
}

void LANES(check)(struct EC(check) * checks, size_t num)
{
    if (FIT_IN_FOUR(num)) {
        FOUR(check)(checks, num);
        return;
    }
    for (size_t i = 0, part; i < num; i += part) {
        part = part_of(num - i);
        if (part <= FEW_CHECK && !checks[i].table)
            ONE(check)(checks + i, part);
        else
            check_in_lanes(checks + i, part);
    }
}

_Static_assert(LC_EC_CHUNK % LC_LANES == 0, "a chunk is vectors");
_Static_assert(LC_LANES_ENTRIES == 1 << (LC_LANES_BITS - 1), "tables have the odd multiples");
_Static_assert(BITS % LC_LANES_BITS == 0, "all bits");
_Static_assert(sizeof(struct EC(fe)) == LIMBS * LC_LANES * 8, "FE");
_Static_assert(offsetof(struct EC(entry), y) == sizeof(struct EC(fe)), "EY");
_Static_assert(sizeof(struct EC(entry)) == 2 * sizeof(struct EC(fe)), "tables");

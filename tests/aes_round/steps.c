/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Each operation by itself: what has to be true of it, and the model. */
#define _DEFAULT_SOURCE
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

/* ---- All operations with numbers, on two blocks of input; numbers lie in them little-endian ---- */

#define UNARY_OPS(X) X(sb) X(isb) X(sr) X(isr) X(mc) X(imc) X(sb_sr) X(isb_isr) X(sb_sr_mc) X(isb_isr_imc)
#define KEYED_OPS(X)                                                                                                               \
    X(sb_sr_ak)                                                                                                                    \
    X(sb_sr_mc_ak) X(isb_isr_ak) X(isb_isr_imc_ak) X(isb_isr_ak_imc) X(ak_sb_sr) X(ak_sb_sr_mc) X(ak_isb_isr) X(ak_isb_isr_imc)
#define OTHER_BINARY_OPS(X) X(sb_sr_ak_rev) X(sb_sr_mc_ak_rev) X(isb_isr_ak_rev) X(isb_isr_ak_imc_rev) X(sm4_e4) X(sm4_ekey4)
#define SUBWORD_OPS(X) X(subword) X(sm4_subword)
#define HALVES_OPS(X) X(aes64_es) X(aes64_esm) X(aes64_ds) X(aes64_dsm) X(aes64_ks2)
#define PAIR_OPS(X) X(aes64_es2) X(aes64_esm2) X(aes64_ds2) X(aes64_dsm2)
#define COLUMN_OPS(X) X(aes32_esi) X(aes32_esmi) X(aes32_dsi) X(aes32_dsmi) X(sm4_ed) X(sm4_ks)
#define SINGLE_OPS(X) X(keygenassist) X(vaeskf1) X(vaeskf2) X(aes64_im) X(aes64_ks1i) X(clmul64)
#define ALL_OPS(X)                                                                                                                 \
    UNARY_OPS(X) KEYED_OPS(X) OTHER_BINARY_OPS(X) SUBWORD_OPS(X) HALVES_OPS(X) PAIR_OPS(X) COLUMN_OPS(X) SINGLE_OPS(X)

#define ENUMERATOR(name) OP_##name,
#define NAME(name) #name,
enum { ALL_OPS(ENUMERATOR) NUM_OPS };
static const char *const names[] = { ALL_OPS(NAME) };

#define MAX_BLOCKS 33

static void pair(void (*f)(uint64_t *, uint64_t, uint64_t), uint8_t out[16], const uint8_t a[16])
{
    uint64_t halves[2];

    f(halves, get(a, 8), get(a + 8, 8));
    put(out, 8, halves[0]);
    put(out + 8, 8, halves[1]);
}

/* Results shorter than a block are 0 after their end.  out may be a or b. */
static void apply(const ops_t *ops, unsigned which, uint8_t out[16], const uint8_t a[16], const uint8_t b[16], unsigned number)
{
    uint64_t result = 0;

    switch (which) {
#define CASE(name)                                                                                                                 \
    case OP_##name: ops->name(out, a); return;
        UNARY_OPS(CASE)
#undef CASE
#define CASE(name)                                                                                                                 \
    case OP_##name: ops->name(out, a, b); return;
        KEYED_OPS(CASE)
        OTHER_BINARY_OPS(CASE)
#undef CASE
#define CASE(name)                                                                                                                 \
    case OP_##name: pair(ops->name, out, a); return;
        PAIR_OPS(CASE)
#undef CASE
    case OP_keygenassist: ops->keygenassist(out, a, number & 0xff); return;
    case OP_vaeskf1: ops->vaeskf1(out, a, number & 31); return;
    case OP_vaeskf2: ops->vaeskf2(out, a, b, number & 31); return;
#define CASE(name)                                                                                                                 \
    case OP_##name: result = ops->name((uint32_t)get(a, 4)); break;
        SUBWORD_OPS(CASE)
#undef CASE
#define CASE(name)                                                                                                                 \
    case OP_##name: result = ops->name(get(a, 8), get(b, 8)); break;
        HALVES_OPS(CASE)
#undef CASE
#define CASE(name)                                                                                                                 \
    case OP_##name: result = ops->name((uint32_t)get(a, 4), (uint32_t)get(b, 4), number & 3); break;
        COLUMN_OPS(CASE)
#undef CASE
    case OP_clmul64: ops->clmul64(out, get(a, 8), get(b, 8)); return;
    case OP_aes64_im: result = ops->aes64_im(get(a, 8)); break;
    case OP_aes64_ks1i: result = ops->aes64_ks1i(get(a, 8), number % 11); break;
    default: fail("no operation %u", which);
    }
    put(out, 8, result);
    memset(out + 8, 0, 8);
}

/* ---- S-boxes: each value of a byte in each place, among zeros and among random bytes ---- */

static void check_sboxes(const ops_t *ops)
{
    uint8_t rest[16], in[16], out[16], expected[16];

    for (int others = 0; others < 2; others++)
        for (unsigned place = 0; place < 16; place++) {
            memset(rest, 0, 16);
            if (others)
                random_bytes(rest, 16);
            for (unsigned value = 0; value < 256; value++) {
                const unsigned row = place % 4, column = place / 4;

                memcpy(in, rest, 16);
                in[place] = (uint8_t)value;
                for (unsigned i = 0; i < 16; i++)
                    expected[i] = model_sbox[in[i]];
                ops->sb(out, in);
                expect_bytes("sb", out, expected, 16);
                ops->isb(out, expected);
                expect_bytes("isb", out, in, 16);
                ops->sb_sr(out, in);
                expect_bytes("sb_sr", out + 4 * ((column - row) % 4) + row, &model_sbox[value], 1);
                ops->isb_isr(out, in);
                expect_bytes("isb_isr", out + 4 * ((column + row) % 4) + row, &model_isbox[value], 1);
            }
        }
    for (unsigned place = 0; place < 4; place++)
        for (unsigned value = 0; value < 256; value++) {
            uint32_t x = value << 8 * place;

            if ((ops->subword(x) >> 8 * place & 0xff) != model_sbox[value] ||
                (ops->subword(x) | 0xffu << 8 * place) != (0x63636363 | 0xffu << 8 * place))
                fail("subword of %08x is %08x", (unsigned)x, (unsigned)ops->subword(x));
            if ((ops->sm4_subword(x) >> 8 * place & 0xff) != model_sm4_sbox[value])
                fail("sm4_subword of %08x is %08x", (unsigned)x, (unsigned)ops->sm4_subword(x));
        }
}

/* ---- The linear steps: all vectors with one byte, and sums, which is everything; ShiftRows and its inverse by themselves ---- */

static void check_linear(const ops_t *ops)
{
    static const uint8_t mix[2][4] = { { 2, 1, 1, 3 }, { 14, 9, 13, 11 } };
    void (*const step[2])(void *, const void *) = { ops->mc, ops->imc };

    for (unsigned inverse = 0; inverse < 2; inverse++) {
        const char *name = inverse ? "imc" : "mc";
        uint8_t in[16], out[16], expected[16], other[16], sum[16];

        for (unsigned place = 0; place < 16; place++)
            for (unsigned value = 0; value < 256; value++) {
                memset(in, 0, 16);
                memset(expected, 0, 16);
                in[place] = (uint8_t)value;
                for (unsigned i = 0; i < 4; i++) {
                    uint8_t *e = &expected[place / 4 * 4 + (place + i) % 4];

                    for (unsigned bit = 0; bit < 4; bit++) {
                        unsigned x = value;

                        for (unsigned times = 0; times < bit; times++)
                            x = (x << 1 ^ (x & 0x80 ? 0x11b : 0)) & 0xff;
                        *e ^= (uint8_t)(mix[inverse][i] >> bit & 1 ? x : 0);
                    }
                }
                step[inverse](out, in);
                expect_bytes(name, out, expected, 16);
            }
        for (unsigned i = 0; i < 1000; i++) {
            random_bytes(in, 16);
            random_bytes(other, 16);
            step[inverse](out, in);
            step[inverse](expected, other);
            for (unsigned j = 0; j < 16; j++) {
                sum[j] = in[j] ^ other[j];
                expected[j] ^= out[j];
            }
            step[inverse](out, sum);
            expect_bytes("mc or imc of a sum", out, expected, 16);
        }
    }

    static const uint8_t rows[16] = { 0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11 };
    uint8_t in[16], out[16], back[16];

    random_bytes(in, 16);
    ops->sr(out, in);
    ops->isr(back, out);
    expect_bytes("isr of sr", back, in, 16);
    for (unsigned i = 0; i < 16; i++)
        expect_bytes("sr", &out[i], &in[rows[i]], 1);
}

/* ---- What the compositions have to do with each other ---- */

static void add(uint8_t *d, const uint8_t *a, const uint8_t *b)
{
    for (int i = 0; i < 16; i++)
        d[i] = a[i] ^ b[i];
}

static void reverse(uint8_t *d, const uint8_t *s)
{
    for (int i = 0; i < 16; i++)
        d[i] = s[15 - i];
}

static void check_identities(const ops_t *ops)
{
    for (unsigned i = 0; i < 500; i++) {
        uint8_t x[16], k[16], y[16], z[16], w[16], rx[16], rk[16];

        random_bytes(x, 16);
        random_bytes(k, 16);
        reverse(rx, x);
        reverse(rk, k);

        ops->mc(y, x);
        ops->imc(z, y);
        expect_bytes("imc of mc", z, x, 16);
        ops->sb_sr(y, x);
        ops->isb_isr(z, y);
        expect_bytes("isb_isr of sb_sr", z, x, 16);
        ops->sb_sr_mc_ak(y, x, k);
        add(y, y, k);
        ops->imc(y, y);
        ops->isb_isr(z, y);
        expect_bytes("sb_sr_mc_ak back", z, x, 16);

#define LAST(keyed, keyless)                                                                                                       \
    ops->keyed(y, x, k);                                                                                                           \
    ops->keyless(z, x);                                                                                                            \
    add(z, z, k);                                                                                                                  \
    expect_bytes(#keyed " is " #keyless ", key", y, z, 16);
        LAST(sb_sr_ak, sb_sr)
        LAST(sb_sr_mc_ak, sb_sr_mc)
        LAST(isb_isr_ak, isb_isr)
        LAST(isb_isr_imc_ak, isb_isr_imc)
#define FIRST(keyed, keyless)                                                                                                      \
    ops->keyed(y, x, k);                                                                                                           \
    add(z, x, k);                                                                                                                  \
    ops->keyless(z, z);                                                                                                            \
    expect_bytes(#keyed " is key, " #keyless, y, z, 16);
        FIRST(ak_sb_sr, sb_sr)
        FIRST(ak_sb_sr_mc, sb_sr_mc)
        FIRST(ak_isb_isr, isb_isr)
        FIRST(ak_isb_isr_imc, isb_isr_imc)
        ops->isb_isr_ak_imc(y, x, k);
        ops->isb_isr_ak(z, x, k);
        ops->imc(z, z);
        expect_bytes("isb_isr_ak_imc is isb_isr_ak, imc", y, z, 16);

#define REVERSED(name)                                                                                                             \
    ops->name##_rev(y, rx, rk);                                                                                                    \
    ops->name(w, x, k);                                                                                                            \
    reverse(z, w);                                                                                                                 \
    expect_bytes(#name "_rev is " #name " from the other end", y, z, 16);
        REVERSED(sb_sr_ak)
        REVERSED(sb_sr_mc_ak)
        REVERSED(isb_isr_ak)
        REVERSED(isb_isr_ak_imc)
    }
}

/* ---- Everything against the model, at any address, and with results where inputs were ---- */

static void check_against_model(const ops_t *ops)
{
    for (unsigned which = 0; which < NUM_OPS; which++)
        for (unsigned i = 0; i < 400; i++) {
            uint8_t a[16], b[16], expected[16], room[3][32], number;

            random_bytes(a, 16);
            random_bytes(b, 16);
            random_bytes(&number, 1);
            apply(&model, which, expected, a, b, number);

            /* The rest of the room has to stay as it is. */
            uint8_t *out = room[0] + i % 16, *in = room[1] + i / 3 % 16, *key = room[2] + i / 5 % 16, before[32], after[32];

            random_bytes(room, sizeof(room));
            memcpy(before, room[0], 32);
            memcpy(in, a, 16);
            memcpy(key, b, 16);
            apply(ops, which, out, in, key, number);
            expect_bytes(names[which], out, expected, 16);
            memcpy(after, room[0], 32);
            memcpy(after + (out - room[0]), before + (out - room[0]), 16);
            expect_bytes("what is around the result", after, before, 32);
            expect_bytes("the input", in, a, 16);
            expect_bytes("the key", key, b, 16);

            apply(ops, which, in, in, key, number);
            expect_bytes("d = s", in, expected, 16);
            memcpy(in, a, 16);
            apply(ops, which, key, in, key, number);
            expect_bytes("d = k", key, expected, 16);
            memcpy(in, a, 16);
            apply(&model, which, expected, a, a, number);
            apply(ops, which, in, in, in, number);
            expect_bytes("d = s = k", in, expected, 16);
        }
}

/* ---- Nothing is accessed after the end of the blocks ---- */

/* Memory of `size` bytes, a page or less, after which nothing can be accessed. */
static uint8_t *end_of_memory(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE))
        fail("no memory");
    return pages + page - size;
}

static void check_ends(const ops_t *ops)
{
    uint8_t *const in = end_of_memory(16), *const key = end_of_memory(16), *const out = end_of_memory(16);

    for (unsigned which = 0; which < NUM_OPS; which++) {
        uint8_t expected[16];

        random_bytes(in, 16);
        random_bytes(key, 16);
        apply(&model, which, expected, in, key, 0);
        apply(ops, which, out, in, key, 0);
        expect_bytes(names[which], out, expected, 16);
    }
}

/* ---- The wide forms are n narrow ones ---- */

typedef void wide(void *d, const void *s, const void *k, size_t num_blocks, size_t key_stride);

/* At the end of memory, and nothing at all if there are no blocks. */
static void check_wide_ends(const char *name, wide *f, unsigned which)
{
    uint8_t *const in_end = end_of_memory(0), *const key_end = end_of_memory(0), *const out_end = end_of_memory(0);

    for (unsigned stride = 0; stride <= 16; stride += 16) {
        f(out_end, in_end, key_end, 0, stride);
        for (size_t n = 1; n <= MAX_BLOCKS; n++) {
            uint8_t *const in = in_end - 16 * n, *const key = key_end - (stride ? 16 * n : 16), *const out = out_end - 16 * n;
            uint8_t expected[16];

            random_bytes(in, 16 * n);
            random_bytes(key, stride ? 16 * n : 16);
            f(out, in, key, n, stride);
            for (size_t i = 0; i < n; i++) {
                apply(&model, which, expected, in + 16 * i, key + i * stride, 0);
                expect_bytes(name, out + 16 * i, expected, 16);
            }
        }
    }
}

static void check_wide_keyed(const char *name, wide *f, unsigned which)
{
    const size_t guard = 16, max = 16 * MAX_BLOCKS + 2 * 16;

    for (size_t n = 0; n <= MAX_BLOCKS; n++)
        for (unsigned stride = 0; stride <= 16; stride += 16)
            for (unsigned places = 0; places < 5; places++) {
                uint8_t s[16 * MAX_BLOCKS], k[16 * MAX_BLOCKS + 16], expected[16 * MAX_BLOCKS + 32], room[3][16 * MAX_BLOCKS + 48];
                uint8_t *in = room[0] + n % 3, *key = room[1] + n % 5, *out = room[2] + n % 7;

                random_bytes(room, sizeof(room));
                switch (places) {
                case 0: /* all different */ break;
                case 1: out = in; break;
                case 2: out = key; break;
                case 3: key = in; break;
                case 4: out = key = in; break;
                }
                memcpy(s, in + guard, 16 * n);
                memcpy(k, key + guard, stride ? 16 * n : 16);
                memcpy(expected, out, max);
                for (size_t i = 0; i < n; i++)
                    apply(&model, which, expected + guard + 16 * i, s + 16 * i, k + i * stride, 0);
                f(out + guard, in + guard, key + guard, n, stride);
                expect_bytes(name, out, expected, max);
            }
}

static void check_wide_keyless(const char *name, void (*f)(void *, const void *, size_t), unsigned which)
{
    for (size_t n = 0; n <= MAX_BLOCKS; n++)
        for (unsigned places = 0; places < 2; places++) {
            uint8_t room[2][16 * MAX_BLOCKS + 48], expected[16 * MAX_BLOCKS + 32];
            uint8_t *in = room[0] + n % 3, *out = places ? in : room[1] + n % 7;

            random_bytes(room, sizeof(room));
            memcpy(expected, out, sizeof(expected));
            for (size_t i = 0; i < n; i++)
                apply(&model, which, expected + 16 + 16 * i, in + 16 + 16 * i, in, 0);
            f(out + 16, in + 16, n);
            expect_bytes(name, out, expected, sizeof(expected));
        }

    uint8_t *const end = end_of_memory(0), expected[16 * MAX_BLOCKS];

    f(end, end, 0);
    for (size_t n = 1; n <= MAX_BLOCKS; n++) {
        random_bytes(end - 16 * n, 16 * n);
        for (size_t i = 0; i < n; i++)
            apply(&model, which, expected + 16 * i, end - 16 * (n - i), end - 16, 0);
        f(end - 16 * n, end - 16 * n, n);
        expect_bytes(name, end - 16 * n, expected, 16 * n);
    }
}

void check_steps(const ops_t *ops)
{
    check_sboxes(ops);
    check_linear(ops);
    check_identities(ops);
    check_against_model(ops);
    check_ends(ops);
#define WIDE(name)                                                                                                                 \
    check_wide_keyed(#name "_n", ops->name##_n, OP_##name);                                                                        \
    check_wide_ends(#name "_n", ops->name##_n, OP_##name);
    KEYED_OPS(WIDE)
    check_wide_keyless("mc_n", ops->mc_n, OP_mc);
    check_wide_keyless("imc_n", ops->imc_n, OP_imc);
}

/* ---- A million states ---- */

uint64_t million_states(const ops_t *ops)
{
    uint64_t seed = 1, hash = 0;

    for (unsigned i = 0; i < 1000000; i++) {
        uint8_t in[32], out[16];

        for (unsigned j = 0; j < 32; j += 8) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            put(in + j, 8, seed ^ seed >> 29);
        }
        apply(ops, i % NUM_OPS, out, in, in + 16, (unsigned)(seed >> 56));
        for (unsigned j = 0; j < 16; j += 8) {
            hash = (hash ^ get(out + j, 8)) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
    }
    return hash;
}

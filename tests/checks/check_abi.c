/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Do the assembly functions keep the System V ABI, and our own stricter rule that they use no stack at all?
 *
 * Each function of each row is called through abi_trampoline.S; afterwards
 *   - rbx, rbp, r12-r15 and rsp are what they were, the direction flag is clear, MXCSR and the x87 environment unchanged;
 *   - no byte of the stack has changed, red zone included, but the return address;
 *   - the upper halves of ymm0-15 and zmm0-15 are zero: vzeroupper.  They are looked at themselves, not XINUSE (xgetbv 1), as
 *     CPUs may say that a state is in use which is all zeros.
 * The upper half of `how`'s register, which the ABI leaves undefined, holds ones.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "xts_internal.h"

#define MAX_LEN 600
#define STACK_LEN 4096
#define GUARD_LEN 512 /* of the stack, on each side of rsp, are checked: more than the 128 of the red zone */
#define NUM_SAVED 6
static const char *const saved_names[NUM_SAVED] = { "rbx", "rbp", "r12", "r13", "r14", "r15" };

struct abi_state {
    uint64_t function, stack, args[6];
    uint64_t before[9]; /* rbx, rbp, r12, r13, r14, r15; rax, r10, r11 */
    uint64_t after[7];  /* rbx, rbp, r12, r13, r14, r15; rsp */
    uint64_t flags;
    uint32_t mxcsr[2];
    uint8_t x87[2][28];
    uint32_t save_vectors;
    uint8_t unused[52];
    uint8_t vectors[16][64];
};
_Static_assert(offsetof(struct abi_state, stack) == 8, "S_STACK");
_Static_assert(offsetof(struct abi_state, args) == 16, "S_ARGS");
_Static_assert(offsetof(struct abi_state, before) == 64, "S_BEFORE");
_Static_assert(offsetof(struct abi_state, after) == 136, "S_AFTER");
_Static_assert(offsetof(struct abi_state, flags) == 192, "S_FLAGS");
_Static_assert(offsetof(struct abi_state, mxcsr) == 200, "S_MXCSR");
_Static_assert(offsetof(struct abi_state, x87) == 208, "S_X87");
_Static_assert(offsetof(struct abi_state, save_vectors) == 264, "S_SAVE_VECTORS");
_Static_assert(offsetof(struct abi_state, vectors) == 320, "S_VECTORS");

void abi_call(struct abi_state *s);

static uint32_t vector_len; /* of the widest registers that the CPU has, if more than 16 bytes */
static unsigned long calls;

static void fail(const char *function, size_t len, unsigned how, const char *what)
{
    printf("check_abi: %s, len %zu, how %u: %s\n", function, len, how, what);
    exit(1);
}

static uint64_t pattern(size_t i)
{
    return (i + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ calls;
}

static uint64_t address_of(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

static void call(const char *function, uint64_t address, const uint64_t args[6], size_t len, unsigned how)
{
    static _Alignas(64) uint64_t stack[STACK_LEN / 8];
    struct abi_state s = { .function = address, .save_vectors = vector_len };
    const size_t top = STACK_LEN / 8 / 2; /* index of what rsp points at before the call; 16-byte aligned */
    char text[64];

    calls++;
    memcpy(s.args, args, sizeof(s.args));
    for (size_t i = 0; i < 9; i++)
        s.before[i] = pattern(1000 + i);
    for (size_t i = 0; i < STACK_LEN / 8; i++)
        stack[i] = pattern(i);
    s.stack = address_of(&stack[top]);

    abi_call(&s);

    for (size_t i = 0; i < NUM_SAVED; i++)
        if (s.after[i] != s.before[i]) {
            snprintf(text, sizeof(text), "%s has changed", saved_names[i]);
            fail(function, len, how, text);
        }
    if (s.after[6] != s.stack)
        fail(function, len, how, "rsp has changed");
    for (size_t i = top - GUARD_LEN / 8; i < top + GUARD_LEN / 8; i++)
        if (stack[i] != pattern(i) && i != top - 1) {
            snprintf(text, sizeof(text), "the stack has changed at %+ld(%%rsp) of the function", 8 * ((long)i - (long)top + 1));
            fail(function, len, how, text);
        }
    if (s.flags & 0x400)
        fail(function, len, how, "the direction flag is set");
    if (s.mxcsr[0] != s.mxcsr[1])
        fail(function, len, how, "MXCSR has changed");
    if (memcmp(s.x87[0], s.x87[1], 12) != 0) /* control, status, tags; what follows is where the last instruction was */
        fail(function, len, how, "the x87 environment has changed (MMX?)");
    for (size_t i = 0; i < 16; i++)
        for (size_t j = 16; j < vector_len; j++)
            if (s.vectors[i][j]) {
                snprintf(text, sizeof(text), "byte %zu of vector register %zu isn't 0: no vzeroupper", j, i);
                fail(function, len, how, text);
            }
}

static void call_crypt(const char *function, lc_xts_crypt_fn *fn, const struct lc_xts_key *key, uint8_t *dst, const uint8_t *src,
                       size_t len, void *tweak, unsigned how)
{
    const uint64_t args[6] = { address_of(key), address_of(dst),   address_of(src),
                               len,             address_of(tweak), ~UINT64_C(0) << 32 | how };

    call(function, (uint64_t)(uintptr_t)fn, args, len, how);
}

static void call_expand(const struct lc_xts_impl *row, uint8_t enc[15][16], uint8_t (*dec)[16], const uint8_t *raw, size_t raw_len)
{
    const uint64_t args[6] = { address_of(enc), address_of(dec), address_of(raw), raw_len, pattern(1), pattern(2) };

    call("expand", (uint64_t)(uintptr_t)row->expand, args, raw_len, 0);
}

static void start_units(struct lc_xts_units *u, size_t unit_len)
{
    memset(u, 0, sizeof(*u));
    for (unsigned i = 0; i < 4; i++)
        u->iv[i][0] = i;
    for (unsigned i = 0; i < 3; i++)
        u->step[i][0] = UINT64_C(1) << i;
    u->unit_len = unit_len;
}

/* Encrypt and decrypt; that the data comes back shows that the functions did run. */
static void round_trip(const struct lc_xts_impl *row, const struct lc_xts_key *key, size_t len, size_t unit_len, unsigned how)
{
    static uint8_t src[MAX_LEN], dst[MAX_LEN], back[MAX_LEN];
    struct lc_xts_units u[2];
    uint8_t tweak[2][16] = { { 1, 2, 3 }, { 1, 2, 3 } };
    void *const tweaks[2] = { unit_len ? (void *)&u[0] : tweak[0], unit_len ? (void *)&u[1] : tweak[1] };
    char name[2][80];

    snprintf(name[0], sizeof(name[0]), "%s encrypt (unit_len %zu)", row->impl.name, unit_len);
    snprintf(name[1], sizeof(name[1]), "%s decrypt (unit_len %zu)", row->impl.name, unit_len);
    for (size_t i = 0; i < len; i++)
        src[i] = (uint8_t)(7 * i + len);
    start_units(&u[0], unit_len);
    start_units(&u[1], unit_len);
    call_crypt(name[0], row->encrypt, key, dst, src, len, tweaks[0], how);
    call_crypt(name[1], row->decrypt, key, back, dst, len, tweaks[1], how);
    if (memcmp(src, dst, len) == 0 || memcmp(src, back, len) != 0)
        fail(row->impl.name, len, how, "the data doesn't come back");
}

static void check_row(const struct lc_xts_impl *row)
{
    static const unsigned hows[] = { LC_XTS_IV, LC_XTS_RETURN_TWEAK, LC_XTS_ENCRYPTED, LC_XTS_ENCRYPTED | LC_XTS_RETURN_TWEAK };
    static const size_t unit_lens[] = { 16, 17, 32, 48, 63, 64, 100, 128, 256, 300, 512 };
    uint8_t raw[64];
    struct lc_xts_key key;

    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)(3 * i + 1);
    for (size_t raw_len = 16; raw_len <= 32; raw_len += 8) {
        memset(&key, 0, sizeof(key));
        key.rounds = (uint32_t)(raw_len / 4) + 6;
        call_expand(row, key.enc, key.dec, raw, raw_len);
        call_expand(row, key.tweak, NULL, raw + raw_len, raw_len);
        for (size_t len = 16; len <= MAX_LEN; len++) {
            for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++)
                round_trip(row, &key, len, 0, hows[i]);
            for (size_t i = 0; i < sizeof(unit_lens) / sizeof(unit_lens[0]); i++)
                if (len % unit_lens[i] == 0 || len % unit_lens[i] >= 16)
                    round_trip(row, &key, len, unit_lens[i], LC_XTS_UNITS);
        }
    }
}

int main(void)
{
    uint64_t features = lc_cpu_features_detected();
    size_t rows = 0;

    vector_len = features & LC_AVX512F ? 64 : features & LC_AVX ? 32 : 0;
    for (size_t i = 0; i < LC_XTS_ISA_ROWS; i++) {
        const struct lc_xts_impl *row = &lc_xts_isa_rows[i];
        unsigned long before = calls;

        if (row->impl.needs & ~features) {
            printf("%s: not on this CPU\n", row->impl.name);
            continue;
        }
        check_row(row);
        printf("%s: %lu calls\n", row->impl.name, calls - before);
        rows++;
    }
    return rows ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Do the assembly functions keep the System V ABI, and our own stricter rule that they use no stack but for the caller's registers?
 *
 * Each function of each row is called through abi_trampoline.S; afterwards
 *   - rbx, rbp, r12-r15 and rsp are what they were, the direction flag is clear, MXCSR and the x87 environment unchanged;
 *   - no byte of the stack has changed, red zone included, but the return address, and right below it, what the caller had in the
 *     registers that it owns, the arguments, and an address in the function, to which what it called has returned;
 *   - the upper halves of ymm0-15 and zmm0-15 are zero: vzeroupper.  They are looked at themselves, not XINUSE (xgetbv 1), as
 *     CPUs may say that a state is in use which is all zeros.
 * The upper half of `how`'s register, which the ABI leaves undefined, holds ones.
 *
 * Where the CPU has no AVX-IFMA, emulate_avxifma.c does its multiplications: the code is that of the library.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctr_internal.h"
#include "gcm_internal.h"
#include "p256_internal.h"
#include "sha2_internal.h"
#include "sm2_internal.h"
#include "sm3_internal.h"
#include "x86/chacha20_run.h"
#include "x86/curve25519_bmi2.h"
#include "x86/curve25519_one.h"
#include "x86/p256_bmi2.h"
#include "x86/p384_bmi2.h"
#include "x86/rsa.h"
#include "xts_internal.h"

#define MAX_LEN 600
#define CTR_MAX_LEN 1100 /* two groups of the widest vectors, and what can be after them */
#define GCM_MAX_LEN 4400 /* counters of whole messages carry at 4064 */
#define CHACHA20_MAX_LEN 3072 /* three passes of the widest vectors */
#define STACK_LEN 4096
#define GUARD_LEN 512 /* of the stack, on each side of rsp, are checked: more than the 128 of the red zone */
#define MAX_PUSHED 8
#define MAX_FUNCTION_LEN 16384
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

/* May a function leave that there, so many words below its return address? */
static int is_saved(uint64_t word, size_t place, const struct abi_state *s)
{
    if (place < 1 || place > MAX_PUSHED)
        return 0;
    for (size_t i = 0; i < NUM_SAVED; i++)
        if (word == s->before[i] || word == s->args[i])
            return 1;
    return word - s->function < MAX_FUNCTION_LEN; /* the return address of what it calls */
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
        if (stack[i] != pattern(i) && i != top - 1 && !is_saved(stack[i], top - 1 - i, &s)) {
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
    const uint64_t args[6] = {
        address_of(key), address_of(dst), address_of(src), len, address_of(tweak), ~UINT64_C(0) << 32 | how
    };

    call(function, (uint64_t)(uintptr_t)fn, args, len, how);
}

static void call_expand(lc_aes_expand_fn *expand, uint8_t enc[15][16], uint8_t (*dec)[16], const uint8_t *raw, size_t raw_len)
{
    const uint64_t args[6] = { address_of(enc), address_of(dec), address_of(raw), raw_len, pattern(1), pattern(2) };

    call("expand", (uint64_t)(uintptr_t)expand, args, raw_len, 0);
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
        call_expand(row->expand, key.enc, key.dec, raw, raw_len);
        call_expand(row->expand, key.tweak, NULL, raw + raw_len, raw_len);
        for (size_t len = 16; len <= MAX_LEN; len++) {
            for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++)
                round_trip(row, &key, len, 0, hows[i]);
            for (size_t i = 0; i < sizeof(unit_lens) / sizeof(unit_lens[0]); i++)
                if (len % unit_lens[i] == 0 || len % unit_lens[i] >= 16)
                    round_trip(row, &key, len, unit_lens[i], LC_XTS_UNITS);
        }
    }
}

/* There and back, as for XTS; the registers that CTR takes no argument in hold anything. */
static void check_ctr_row(const struct lc_ctr_impl *row)
{
    static const uint8_t iv[16] = { 1, 2, 3 };
    static uint8_t src[CTR_MAX_LEN], dst[CTR_MAX_LEN], back[CTR_MAX_LEN];
    uint8_t raw[32];
    struct lc_ctr_key key;

    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)(3 * i + 1);
    for (size_t raw_len = 16; raw_len <= 32; raw_len += 8) {
        memset(&key, 0, sizeof(key));
        key.rounds = (uint32_t)(raw_len / 4) + 6;
        key.distance = 16 * (2 - (int32_t)key.rounds);
        call_expand(row->expand, key.enc, NULL, raw, raw_len);
        memmove(key.enc[1], key.enc[15 - key.rounds], 16);
        for (size_t len = 1; len <= CTR_MAX_LEN; len++) {
            for (size_t i = 0; i < len; i++)
                src[i] = (uint8_t)(7 * i + len);
            for (size_t i = 0; i < 2; i++) {
                const uint64_t args[6] = {
                    address_of(&key), address_of(i ? back : dst), address_of(i ? dst : src), len, address_of(iv), pattern(3)
                };

                call(row->impl.name, (uint64_t)(uintptr_t)row->xor, args, len, 0);
            }
            if (memcmp(src, back, len) != 0 || (len >= 16 && memcmp(src, dst, len) == 0))
                fail(row->impl.name, len, 0, "the data doesn't come back");
        }
    }
}

static void call_gcm(const struct lc_gcm_impl *row, int decrypt, const struct lc_gcm_key *key, uint8_t *dst, const uint8_t *src,
                     size_t len, struct lc_gcm_msg *msg, unsigned how)
{
    const uint64_t args[6] = { address_of(key), address_of(dst), address_of(src), len, address_of(msg), ~UINT64_C(0) << 32 | how };

    call(row->impl.name, (uint64_t)(uintptr_t)(decrypt ? row->decrypt : row->encrypt), args, len, how);
}

/* Several messages; that the data comes back, with the right tags, shows that the function did run. */
static void check_gcm_many(const struct lc_gcm_impl *row, const struct lc_gcm_key *key)
{
    static uint8_t text[3][LC_GCM_MANY][LC_GCM_MANY_LEN], tags[LC_GCM_MANY][16];
    static const uint8_t aad[LC_GCM_MANY_AAD_LEN] = { 5, 6, 7 }, nonce[12] = { 1, 2, 3 };
    struct lc_aead_item items[LC_GCM_MANY], *pointers[LC_GCM_MANY];

    for (size_t len = 0; len <= row->many_len; len += len < 128 ? 1 : 3) {
        for (uint64_t decrypt = 0; decrypt < 2; decrypt++) {
            uint64_t args[6] = { address_of(key), address_of(pointers), ~UINT64_C(0) << 32 | decrypt,
                                 pattern(1),      pattern(2),           pattern(3) };

            for (size_t i = 0; i < row->num_many; i++) {
                const size_t lens[] = { len, row->many_len - len, 0, len / 2 };

                memset(text[0][i], (int)(i + len), LC_GCM_MANY_LEN);
                items[i] =
                    (struct lc_aead_item){ text[1 + decrypt][i], tags[i], text[decrypt][i], lens[i], aad, len % 17, nonce, 0 };
                pointers[i] = &items[i];
            }
            call(row->impl.name, (uint64_t)(uintptr_t)row->many, args, len, (unsigned)decrypt);
        }
        if (memcmp(text[0][0], text[2][0], len) != 0 || (len >= 16 && memcmp(text[0][0], text[1][0], len) == 0))
            fail(row->impl.name, len, 0, "many: the data doesn't come back");
        if (row->many(key, pointers, 1) != 0)
            fail(row->impl.name, len, 1, "many: the tags are wrong");
    }
}

/* Messages without text: the tag is what it is by the function for all messages, and no other is taken for it. */
static void check_gcm_empty(const struct lc_gcm_impl *row, const struct lc_gcm_key *key)
{
    static const uint8_t aad[LC_GCM_EMPTY_AAD_LEN] = { 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2 }, nonce[12] = { 1, 2, 3 };
    static uint8_t tags[2][16];

    if (!row->empty != !row->empty_limit)
        fail(row->impl.name, row->empty_limit, 0, "empty: a limit without a function, or the other way round");
    for (size_t aad_len = 0; aad_len < row->empty_limit; aad_len++) {
        uint64_t args[6] = { address_of(key), address_of(tags[0]), address_of(aad), aad_len, address_of(nonce), 0 };
        struct lc_gcm_msg msg = { .aad = aad, .aad_len = aad_len, .nonce = nonce, .tag = tags[1] };

        call(row->impl.name, (uint64_t)(uintptr_t)row->empty, args, aad_len, 0);
        call_gcm(row, 0, key, tags[0], tags[0], 0, &msg, LC_GCM_WHOLE);
        if (memcmp(tags[0], tags[1], 16) != 0)
            fail(row->impl.name, aad_len, 0, "empty: another tag");
        memset(tags[1], 0, 16);
        if (row->empty(key, tags[1], aad_len ? aad : NULL, aad_len, nonce, NULL) != LC_OK || memcmp(tags[0], tags[1], 16) != 0)
            fail(row->impl.name, aad_len, 0, "empty: its answer");
        args[1] = 0;
        args[5] = address_of(tags[0]);
        call(row->impl.name, (uint64_t)(uintptr_t)row->empty, args, aad_len, 0);
        if (row->empty(key, NULL, aad, aad_len, nonce, tags[0]) != LC_OK)
            fail(row->impl.name, aad_len, 0, "empty: the right tag");
        for (unsigned bit = 0; bit < 128; bit++) {
            tags[0][bit / 8] ^= 1 << bit % 8;
            if (row->empty(key, NULL, aad, aad_len, nonce, tags[0]) != LC_ERR_AUTH)
                fail(row->impl.name, aad_len, 0, "empty: a wrong tag");
            tags[0][bit / 8] ^= 1 << bit % 8;
        }
        if (memcmp(tags[0], tags[1], 16) != 0)
            fail(row->impl.name, aad_len, 0, "empty: the given tag is another");
    }
}

/* There and back, the tags the same, with AAD of all lengths that the code makes a difference of. */
static void check_gcm_row(const struct lc_gcm_impl *row)
{
    static const size_t aad_lens[] = { 0, 1, 13, 16, 17, 64, 300 };
    static const uint8_t nonce[12] = { 1, 2, 3 };
    static uint8_t src[GCM_MAX_LEN], dst[GCM_MAX_LEN], back[GCM_MAX_LEN], aad[300], tags[2][16];
    static const unsigned hows[] = { LC_GCM_MORE, LC_GCM_LAST, LC_GCM_FROM_NONCE, LC_GCM_WHOLE, LC_GCM_PUBLIC };
    const size_t num_hows = row->knows_nonce ? sizeof(hows) / sizeof(hows[0]) : 2;
    uint8_t raw[32];
    struct lc_gcm_key key;

    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)(3 * i + 1);
    for (size_t raw_len = 16; raw_len <= 32; raw_len += 8) {
        uint64_t args[6] = { address_of(&key), pattern(1), pattern(2), pattern(3), pattern(4), pattern(5) };

        memset(&key, 0, sizeof(key));
        key.rounds = (uint32_t)(raw_len / 4) + 6;
        call_expand(row->expand, key.enc, NULL, raw, raw_len);
        call("powers", (uint64_t)(uintptr_t)row->powers, args, raw_len, 0);
        for (size_t len = 0; len <= GCM_MAX_LEN; len += len < 600 ? 1 : 257) {
            const size_t aad_len = aad_lens[len % (sizeof(aad_lens) / sizeof(aad_lens[0]))];

            for (size_t i = 0; i < len; i++)
                src[i] = (uint8_t)(7 * i + len);
            for (size_t h = 0; h < num_hows; h++) {
                const unsigned how = hows[h];
                struct lc_gcm_msg msg[2];
                const size_t this_len = how & LC_GCM_LAST ? len : len & ~(size_t)15;

                if (how == LC_GCM_FROM_NONCE && this_len == 0)
                    continue;
                for (size_t i = 0; i < 2; i++) {
                    msg[i] = (struct lc_gcm_msg){
                        .aad = aad,
                        .aad_len = aad_len,
                        .j0 = { 1, UINT64_C(1) << 56 | 2 },
                        .hash = { 3, 4 },
                        .num_bits = { 5, 6 },
                        .num_done = ~UINT32_C(0) - len,
                        .nonce = nonce,
                        .tag = tags[i]
                    };
                    call_gcm(row, (int)i, &key, i ? back : dst, i ? dst : src, this_len, &msg[i], how);
                }
                if (memcmp(src, back, this_len) != 0 || (len >= 16 && memcmp(src, dst, this_len) == 0))
                    fail(row->impl.name, len, how, "the data doesn't come back");
                if (how == LC_GCM_WHOLE ? memcmp(tags[0], tags[1], 16) != 0 : memcmp(msg[0].hash, msg[1].hash, 16) != 0)
                    fail(row->impl.name, len, how, "the hashes differ");
            }
        }
        check_gcm_empty(row, &key);
        if (row->many)
            check_gcm_many(row, &key);
    }
}

/* ---- ChaCha20 and Poly1305 ---- */

static uint8_t chacha20_text[3][CHACHA20_MAX_LEN + 64];

static const uint8_t chacha20_key[32] = { 1, 2, 3 };

static void start_run(struct lc_chacha20_run *run, uint64_t apart)
{
    static const uint32_t iv[4] = { 5, 6, 7, 8 };

    memset(run, 0, sizeof(*run));
    lc_chacha20_load(run, chacha20_key, iv);
    for (uint32_t i = 0; i < 64; i++)
        run->ivs[i / 16][i % 16] = run->words[12 + i / 16] + (i < 16 ? i : 0);
    run->apart = apart;
    run->hashed = chacha20_text[0];
    run->rm[0] = run->poly.r[0] = 5;
    run->s1 = run->poly.r[1] = 0;
    run->poly.h[0] = 1;
    run->poly.h[2] = 3;
    memset(run->more, 0xee, sizeof(run->more));
}

/* So many blocks have gone through Poly1305, and no more.  Both sums as tags, since they needn't be reduced in the same way. */
static void check_hashed(const char *name, size_t len, unsigned how, const struct lc_chacha20_run *run,
                         const struct lc_chacha20_shape *shape, size_t num_blocks)
{
    static const uint64_t zeros[2];
    struct lc_chacha20_run before;
    struct lc_poly1305_part part = { chacha20_text[0], num_blocks };
    uint8_t expected[16], actual[16];

    start_run(&before, 0);
    shape->parts(&before.poly, &part, num_blocks > 0);
    lc_poly1305_tag(expected, before.poly.h, zeros);
    lc_poly1305_tag(actual, run->poly.h, zeros);
    if (memcmp(expected, actual, 16) != 0 || run->hashed != chacha20_text[0] + 16 * num_blocks)
        fail(name, len, how, "another sum of Poly1305");
}

static void check_back(const char *name, size_t len, unsigned how)
{
    if (memcmp(chacha20_text[0], chacha20_text[2], len) != 0 || (len >= 16 && memcmp(chacha20_text[0], chacha20_text[1], len) == 0))
        fail(name, len, how, "the data doesn't come back");
}

/*
 * There and back: passes of columns, with what there can be beside them, and rows of all lengths, whose output is compared, too.
 * Then a block.
 */
static void check_chacha20_row(const char *name, const struct lc_chacha20_shape *shape)
{
    static const uint8_t zeros[16];
    struct lc_chacha20_run run;
    const uint64_t run_alone[6] = { address_of(&run), pattern(1), pattern(2), pattern(3), pattern(4), pattern(5) };
    const size_t pass_len = 64 * shape->num_blocks;

    for (size_t i = 0; i < sizeof(chacha20_text[0]); i++)
        chacha20_text[0][i] = (uint8_t)(7 * i + 1);
    for (uint64_t passes = 1; passes <= 3; passes++)
        for (unsigned how = 0; how < 12; how++) {
            const int is_there[6] = { 1, 1, shape->more > 0, shape->more > 64, shape->pairs && passes == 2, 1 };
            const size_t len = pass_len * passes - 64 * (how % 2);

            for (size_t i = 0; i < 2 && is_there[how / 2]; i++) {
                const uint64_t args[6] = { address_of(&run), passes,     ~UINT64_C(0) << 32 | how / 2,
                                           pattern(1),       pattern(2), pattern(3) };

                start_run(&run, how % 2);
                run.src = chacha20_text[i];
                run.dst = chacha20_text[i + 1];
                call(name, (uint64_t)(uintptr_t)shape->columns, args, len, how);
                if (how / 2 != 1) /* m isn't that of rm */
                    check_hashed(name, len, how, &run, shape, 0);
                if (how / 2 == 2 && shape->more == 64 && memcmp(run.single, zeros, 16) != 0)
                    fail(name, len, how, "words are left");
            }
            check_back(name, len, how);
        }
    for (unsigned how = 0; how < (shape->rows_hash ? 3 : 2); how++)
        for (size_t len = 1; len + 64 * (how == 1) <= (how < 2 ? shape->rows_len : 4 * shape->rows_hash); len++) {
            const uint64_t apart = how < 2 ? how : 256 * (1 + len % 10); /* or what is hashed beside them */
            const uint32_t iv[4] = { how == 1 ? 6 : 5, 6, 7, 8 };
            static uint8_t expected[CHACHA20_MAX_LEN];

            lc_chacha20_xor_portable(expected, chacha20_text[0], len, chacha20_key, iv);
            memset(chacha20_text[1], 0, len);
            memset(chacha20_text[2], 0, len);
            for (size_t i = 0; i < 2; i++) {
                const uint64_t args[6] = { address_of(&run),
                                           address_of(chacha20_text[i + 1]),
                                           address_of(chacha20_text[i]),
                                           len,
                                           ~UINT64_C(0) << 32 | apart,
                                           pattern(3) };

                start_run(&run, 0);
                call(name, (uint64_t)(uintptr_t)shape->rows, args, len, how);
                check_hashed(name, len, how, &run, shape, apart / 256 * shape->rows_hash / 16);
            }
            if (memcmp(chacha20_text[1], expected, len) != 0)
                fail(name, len, how, "other output than by the portable code");
            check_back(name, len, how);
        }
    start_run(&run, 0);
    if (shape->block) {
        call(name, (uint64_t)(uintptr_t)shape->block, run_alone, 0, 0);
        memset(chacha20_text[1], 0, 64);
        shape->rows(&run, chacha20_text[1], chacha20_text[1], 64, 0);
        if (memcmp(run.more[0], chacha20_text[1], 64) != 0)
            fail(name, 64, 0, "a block differs from rows'");
    }
}

static void check_tag(const char *name, size_t len, const struct lc_poly1305_state *expected, const uint64_t actual[2])
{
    uint8_t tag[16];

    lc_poly1305_tag(tag, expected->h, expected->s);
    if (memcmp(tag, actual, 16) != 0)
        fail(name, len, 0, "another tag");
}

static void start_poly1305(struct lc_poly1305_state s[2], const uint8_t key[32])
{
    memset(s, 0, 2 * sizeof(*s));
    for (size_t i = 0; i < 2; i++)
        lc_poly1305_load_key(s[i].r, s[i].s, key);
}

/* A call and a second one, which finds powers, against the portable code */
static void check_poly1305_row(const struct lc_poly1305_impl *row)
{
    struct lc_poly1305_state s[2];
    uint64_t tag[2];

    for (size_t len = 16; len <= CHACHA20_MAX_LEN; len += 16) {
        const uint64_t args[6] = { address_of(&s[0]), address_of(chacha20_text[0]), len, 1, pattern(1), pattern(2) };
        const uint64_t last[6] = { address_of(&s[0]), address_of(chacha20_text[0]), 16, 0, pattern(1), pattern(2) };

        start_poly1305(s, chacha20_text[0] + len % 61);
        for (size_t i = 0; i < 2; i++) {
            call(row->impl.name, (uint64_t)(uintptr_t)row->blocks, args, len, 1);
            lc_poly1305_blocks_portable(&s[1], chacha20_text[0], len, 1);
        }
        call(row->impl.name, (uint64_t)(uintptr_t)row->blocks, last, 16, 0);
        lc_poly1305_blocks_portable(&s[1], chacha20_text[0], 16, 0);
        lc_poly1305_tag((uint8_t *)tag, s[0].h, s[0].s);
        check_tag(row->impl.name, len, &s[1], tag);
    }
}

/* Up to 4 parts of 1 to 20 blocks */
static void check_poly1305_parts(lc_poly1305_parts_fn *parts_fn, lc_poly1305_whole_fn *whole_fn)
{
    const uint8_t *const key = chacha20_text[0] + 3;
    struct lc_poly1305_part parts[4];
    struct lc_poly1305_state s[2];
    uint64_t tag[2];

    for (size_t i = 0; i < 2000; i++) {
        const size_t num = 1 + i % 4;
        const uint64_t args[6] = { address_of(&s[0]), address_of(parts), num, pattern(1), pattern(2), pattern(3) };
        const uint64_t whole[6] = { address_of(tag), address_of(parts), num, address_of(key), pattern(2), pattern(3) };

        start_poly1305(s, key);
        for (size_t n = 0; n < num; n++) {
            parts[n] = (struct lc_poly1305_part){ chacha20_text[0] + pattern(n + i) % 1000, 1 + pattern(n + i + 50) % 20 };
            lc_poly1305_blocks_portable(&s[1], parts[n].blocks, 16 * parts[n].num, 1);
        }
        call("poly1305 parts", (uint64_t)(uintptr_t)parts_fn, args, num, 0);
        lc_poly1305_tag((uint8_t *)tag, s[0].h, s[0].s);
        check_tag("poly1305 parts", num, &s[1], tag);
        call("poly1305 whole", (uint64_t)(uintptr_t)whole_fn, whole, num, 0);
        check_tag("poly1305 whole", num, &s[1], tag);
    }
}

/* r^6, r^14 and r^30 */
static void check_poly1305_power(void)
{
    static const uint8_t zeros[16];
    struct lc_chacha20_run run;
    struct lc_poly1305_state s[2];

    for (unsigned n = 2; n <= 4; n++) {
        const uint64_t args[6] = { address_of(&run), ~UINT64_C(0) << 32 | n, pattern(1), pattern(2), pattern(3), pattern(4) };

        memset(&run, 0, sizeof(run));
        start_poly1305(s, chacha20_text[0] + n);
        memcpy(run.poly.r, s[1].r, sizeof(run.poly.r));
        memcpy(s[1].h, s[1].r, sizeof(s[1].r));
        for (unsigned i = 1; i < 2 * ((1u << n) - 1); i++)
            lc_poly1305_blocks_portable(&s[1], zeros, 16, 0);
        call("poly1305 power", (uint64_t)(uintptr_t)lc_poly1305_power_x86_64, args, n, 0);
        lc_poly1305_tag((uint8_t *)s[0].powers, run.rm, s[1].s);
        check_tag("poly1305 power", n, &s[1], s[0].powers);
    }
}

static const struct lc_chacha20_shape chacha20_shapes[] = {
#define ROW_CHACHA20(name, symbol, ...) LC_CHACHA20_SHAPE_##symbol,
#define LC_WITHOUT_PORTABLE
#include "rows.def"
};

/* ---- Hashes ---- */

enum { HASH_BLOCKS = 7, HASH_LANES = LC_SM3_MAX_LANES };

static uint8_t hash_text[HASH_LANES][HASH_BLOCKS * 128];

/*
 * One message, if that is assembly, and as many as there are lanes, all with a hash value of their own; the portable implementation
 * gives the same.
 */
#define CHECK_HASH_ROW(hash, word)                                                                                                 \
    static void check_##hash##_row(const struct lc_##hash##_impl *row, int blocks_are_asm)                                         \
    {                                                                                                                              \
        static struct lc_##hash##_lanes l;                                                                                         \
        word start[HASH_LANES][8], h[HASH_LANES][24], one[24];                                                                     \
                                                                                                                                   \
        for (size_t i = 0; i < sizeof(hash_text); i++)                                                                             \
            hash_text[i / sizeof(hash_text[0])][i % sizeof(hash_text[0])] = (uint8_t)(7 * i + i / 251);                            \
        for (size_t num = 1; num <= HASH_BLOCKS; num++) {                                                                          \
            for (size_t n = 0; n < HASH_LANES; n++) {                                                                              \
                for (size_t i = 0; i < 8; i++)                                                                                     \
                    h[n][i] = one[i] = (word)pattern(8 * n + i);                                                                   \
                if (n == 0 && blocks_are_asm) {                                                                                    \
                    const uint64_t args[6] = {                                                                                     \
                        address_of(one), address_of(hash_text[0]), num, pattern(1), pattern(2), pattern(3)                         \
                    };                                                                                                             \
                                                                                                                                   \
                    call(row->impl.name, (uint64_t)(uintptr_t)row->blocks, args, num, 0);                                          \
                }                                                                                                                  \
                memcpy(start[n], h[n], sizeof(start[n]));                                                                          \
                lc_##hash##_blocks_portable(h[n], hash_text[n], num);                                                              \
                if (n == 0 && blocks_are_asm && memcmp(one, h[0], sizeof(word) * 8) != 0)                                          \
                    fail(row->impl.name, num, 0, "the hash value is wrong");                                                       \
            }                                                                                                                      \
            for (unsigned k = 0; k < 2 && row->lanes[k].run; k++) {                                                                \
                const uint64_t args[6] = { address_of(&l), num, pattern(1), pattern(2), pattern(3), pattern(4) };                  \
                                                                                                                                   \
                for (size_t n = 0; n < row->lanes[k].num_lanes; n++) {                                                             \
                    l.data[n] = hash_text[n];                                                                                      \
                    for (size_t i = 0; i < 8; i++)                                                                                 \
                        l.h[i * row->lanes[k].word_stride + n * row->lanes[k].lane_stride] = start[n][i];                          \
                }                                                                                                                  \
                call(row->impl.name, (uint64_t)(uintptr_t)row->lanes[k].run, args, num, 1 + k);                                    \
                for (size_t n = 0; n < row->lanes[k].num_lanes; n++)                                                               \
                    for (size_t i = 0; i < 8; i++)                                                                                 \
                        if (l.h[i * row->lanes[k].word_stride + n * row->lanes[k].lane_stride] != h[n][i])                         \
                            fail(row->impl.name, num, 1 + k, "a lane's hash value is wrong");                                      \
            }                                                                                                                      \
        }                                                                                                                          \
    }
CHECK_HASH_ROW(sha256, uint32_t)
CHECK_HASH_ROW(sha512, uint64_t)
CHECK_HASH_ROW(sm3, uint32_t)

/* ---- P-256, SM2 ---- */

static void call_p256(const char *function, uint64_t address, const void *w, const void *a, const void *b)
{
    const uint64_t args[6] = { address_of(w), address_of(a), address_of(b), pattern(1), pattern(2), pattern(3) };

    call(function, address, args, 0, 0);
}

/*
 * 1 * 1 and 1^2 are 1 / R; entries of a table; a point (1, 1), doubled and added to, of which only the calls matter.
 * Structures are as x86/curve_lanes.h has them for so many lanes, a row of these here for each limb.  The generators' tables have
 * words, of which the last limb is the top bits.
 */
enum { LIMBS_256 = 5, ENTRY_256 = 20, ROWS_256 = 57, LIMBS_384 = 8, ENTRY_384 = 24, ROWS_384 = 91, LANES_ENTRIES = 8 };
#define LAST_LIMB_256(table, index) ((table)[7][index] >> 16)
#define LAST_LIMB_384(table, index) ((table)[11][index] >> 44)
#define CHECK_LANES_ROW(check, curve, bits, symbol, lanes)                                                                         \
    void lc_##curve##_mul_##symbol(void), lc_##curve##_sqr_##symbol(void), lc_##curve##_double_##symbol(void);                     \
    void lc_##curve##_add_##symbol(void), lc_##curve##_select_##symbol(void), lc_##curve##_select_base_##symbol(void);             \
    void lc_##curve##_clear_##symbol(void);                                                                                        \
    static void check(void)                                                                                                        \
    {                                                                                                                              \
        enum { LIMBS = LIMBS_##bits, ENTRY = ENTRY_##bits, Y_LAST = 2 * LIMBS - 1, INDEX = ENTRY + 2 * LIMBS + 1 };                \
        static _Alignas(64) uint64_t w[ROWS_##bits + LIMBS][lanes], table[LANES_ENTRIES][2 * LIMBS][lanes];                        \
        static uint64_t behind[LIMBS][lanes]; /* what they work on; it must not change */                                          \
        static _Alignas(64) uint64_t a[LIMBS][lanes], b[2 * LIMBS][lanes], r[LIMBS][lanes];                                        \
                                                                                                                                   \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            a[0][lane] = b[0][lane] = 1;                                                                                           \
        call_p256(#curve " mul", (uint64_t)(uintptr_t)lc_##curve##_mul_##symbol, r, a, b);                                         \
        call_p256(#curve " sqr", (uint64_t)(uintptr_t)lc_##curve##_sqr_##symbol, b, a, a);                                         \
        if (memcmp(r, b, sizeof(r)) != 0)                                                                                          \
            fail(#curve, 0, 0, "1 * 1 isn't 1^2");                                                                                 \
        for (size_t i = 0; i < LANES_ENTRIES; i++)                                                                                 \
            for (size_t lane = 0; lane < lanes; lane++)                                                                            \
                table[i][Y_LAST][lane] = 100 * i + lane;                                                                           \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            w[INDEX][lane] = (3 * lane + 1) % LANES_ENTRIES;                                                                       \
        call_p256(#curve " select", (uint64_t)(uintptr_t)lc_##curve##_select_##symbol, w, table, a);                               \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            if (w[ENTRY + Y_LAST][lane] != 100 * w[INDEX][lane] + lane)                                                            \
                fail(#curve " select", lane, 0, "another entry");                                                                  \
        call_p256(#curve " select base", (uint64_t)(uintptr_t)lc_##curve##_select_base_##symbol, w, lc_##curve##_base_table[1],    \
                  a);                                                                                                              \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            if (w[ENTRY + Y_LAST][lane] != LAST_LIMB_##bits(lc_##curve##_base_table[1], w[INDEX][lane]))                           \
                fail(#curve " select base", lane, 0, "another entry");                                                             \
        for (size_t i = 0; i < ENTRY / LIMBS; i++) /* x, y, z, and z^2 of 256 bits */                                              \
            memcpy(w[i * LIMBS], a, sizeof(a));                                                                                    \
        memset(behind, 0x55, sizeof(behind));                                                                                      \
        memcpy(w[ROWS_##bits], behind, sizeof(behind));                                                                            \
        {                                                                                                                          \
            const uint64_t args[6] = { address_of(w), 3, pattern(1), pattern(2), pattern(3), pattern(4) };                         \
                                                                                                                                   \
            call(#curve " double", (uint64_t)(uintptr_t)lc_##curve##_double_##symbol, args, 3, 0);                                 \
        }                                                                                                                          \
        call_p256(#curve " add", (uint64_t)(uintptr_t)lc_##curve##_add_##symbol, w, a, a);                                         \
        if (memcmp(w[ROWS_##bits], behind, sizeof(behind)) != 0)                                                                   \
            fail(#curve, 0, 0, "what is behind its memory has changed");                                                           \
        call_p256(#curve " clear", (uint64_t)(uintptr_t)lc_##curve##_clear_##symbol, w, a, a);                                     \
    }
CHECK_LANES_ROW(check_p256_lanes_avx512ifma_512, p256, 256, avx512ifma_512, 8)
CHECK_LANES_ROW(check_p256_lanes_avx512ifma_256, p256, 256, avx512ifma_256, 4)
CHECK_LANES_ROW(check_p256_lanes_avxifma, p256, 256, avxifma, 4)
CHECK_LANES_ROW(check_sm2_avx512ifma_512, sm2, 256, avx512ifma_512, 8)
CHECK_LANES_ROW(check_sm2_avx512ifma_256, sm2, 256, avx512ifma_256, 4)
CHECK_LANES_ROW(check_sm2_avxifma, sm2, 256, avxifma, 4)
CHECK_LANES_ROW(check_p384_lanes_avx512ifma_512, p384, 384, avx512ifma_512, 8)
CHECK_LANES_ROW(check_p384_lanes_avx512ifma_256, p384, 384, avx512ifma_256, 4)
CHECK_LANES_ROW(check_p384_lanes_avxifma, p384, 384, avxifma, 4)

/* Affine additions, of pools */
#define CHECK_POOL(check, curve, bits, symbol, lanes)                                                                              \
    void lc_##curve##_tree_products_##symbol(void), lc_##curve##_tree_sums_##symbol(void);                                         \
    static void check(void)                                                                                                        \
    {                                                                                                                              \
        enum { NUMBERS = 4 * LIMBS_##bits };                                                                                       \
        static _Alignas(64) uint64_t w[ROWS_##bits][lanes], from[NUMBERS][lanes], to[NUMBERS][lanes], products[NUMBERS][lanes];    \
        const uint64_t args[6] = { address_of(products), address_of(from), address_of(to), 1, pattern(1), pattern(2) };            \
        const uint64_t args2[6] = { address_of(w), address_of(from), address_of(to), address_of(products), 1, pattern(1) };        \
                                                                                                                                   \
        call(#curve " tree products", (uint64_t)(uintptr_t)lc_##curve##_tree_products_##symbol, args, 1, 0);                       \
        call(#curve " tree sums", (uint64_t)(uintptr_t)lc_##curve##_tree_sums_##symbol, args2, 1, 0);                              \
    }
CHECK_POOL(check_p256_pool_avx512ifma_512, p256, 256, avx512ifma_512, 8)
CHECK_POOL(check_p256_pool_avx512ifma_256, p256, 256, avx512ifma_256, 4)
CHECK_POOL(check_p256_pool_avxifma, p256, 256, avxifma, 4)
CHECK_POOL(check_p384_pool_avx512ifma_512, p384, 384, avx512ifma_512, 8)
CHECK_POOL(check_p384_pool_avx512ifma_256, p384, 384, avx512ifma_256, 4)
CHECK_POOL(check_p384_pool_avxifma, p384, 384, avxifma, 4)

/* What only P-256 has */
#define CHECK_P256_ROW(symbol, lanes)                                                                                              \
    void lc_p256_load_##symbol(void);                                                                                              \
    static void check_p256_##symbol(void)                                                                                          \
    {                                                                                                                              \
        static _Alignas(64) uint64_t w[ROWS_256][lanes], lines[lanes][8];                                                          \
        const uint64_t *points[lanes];                                                                                             \
                                                                                                                                   \
        check_p256_lanes_##symbol();                                                                                               \
        for (size_t lane = 0; lane < lanes; lane++) {                                                                              \
            lines[lane][7] = lane << 60;                                                                                           \
            points[lane] = lines[lane];                                                                                            \
        }                                                                                                                          \
        call_p256("p256 load", (uint64_t)(uintptr_t)lc_p256_load_##symbol, w, points, points);                                     \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            if (w[ENTRY_256 + 9][lane] != lane << 44)                                                                              \
                fail("p256 load", lane, 0, "another point");                                                                       \
        check_p256_pool_##symbol();                                                                                                \
    }
CHECK_P256_ROW(avx512ifma_512, 8)
CHECK_P256_ROW(avx512ifma_256, 4)
CHECK_P256_ROW(avxifma, 4)

/* What only P-384 has */
#define CHECK_P384_ROW(symbol, lanes)                                                                                              \
    void lc_p384_point_##symbol(void);                                                                                             \
    static void check_p384_##symbol(void)                                                                                          \
    {                                                                                                                              \
        static _Alignas(64) uint64_t w[ROWS_384][lanes];                                                                           \
                                                                                                                                   \
        check_p384_lanes_##symbol();                                                                                               \
        call_p256("p384 point", (uint64_t)(uintptr_t)lc_p384_point_##symbol, w, w, w);                                             \
        check_p384_pool_##symbol();                                                                                                \
    }
CHECK_P384_ROW(avx512ifma_512, 8)
CHECK_P384_ROW(avx512ifma_256, 4)
CHECK_P384_ROW(avxifma, 4)

/* RSA across lanes: a product of one number and of two, for each length */
static void check_rsa_one(void)
{
    static struct lc_rsa_limb a[LC_RSA_ONE_LIMBS], b[LC_RSA_ONE_LIMBS], r[LC_RSA_ONE_LIMBS];
    static struct lc_rsa_one one;

    for (size_t numbers = 1; numbers <= 2; numbers++)
        for (size_t limbs = 5; limbs <= 10; limbs += limbs == 5 ? 3 : 2) {
            const uint64_t args[6] = { address_of(r), address_of(a), address_of(b), address_of(&one), 8 / numbers, limbs * 64 };

            lc_rsa_one_set_lanes(&one, numbers);
            memset(one.k, -1, sizeof(one.k));
            memset(one.m, 1, sizeof(one.m));
            memset(one.m_high, 1, sizeof(one.m_high));
            memset(a, 1, sizeof(a));
            memset(b, 1, sizeof(b));
            call("rsa one mul", (uint64_t)(uintptr_t)lc_rsa_one_mul_avx512ifma_512, args, limbs, 0);
        }
}

/* RSA: for each length of a number, a product and a square, and all entries of a table.  A row here is a limb in so many lanes. */
enum { RSA_HIGH = 1, RSA_Q = RSA_HIGH + LC_RSA_BLOCK, RSA_M = RSA_Q + LC_RSA_MAX_LIMBS, RSA_ROWS = RSA_M + LC_RSA_MAX_LIMBS };
#define CHECK_RSA_ROW(symbol, lanes)                                                                                               \
    static void check_rsa_##symbol(void)                                                                                           \
    {                                                                                                                              \
        typedef uint64_t limb[lanes];                                                                                              \
        static _Alignas(64) limb a[LC_RSA_MAX_LIMBS], b[LC_RSA_MAX_LIMBS], r[LC_RSA_MAX_LIMBS], index, w[RSA_ROWS];                \
        static _Alignas(64) limb table[LC_RSA_ENTRIES * LC_RSA_HALF_LIMBS];                                                        \
                                                                                                                                   \
        if (lanes == 8)                                                                                                            \
            check_rsa_one();                                                                                                       \
        for (size_t words = 16; words <= 64; words += words < 32 ? 8 : 16) {                                                       \
            const size_t limbs = LC_RSA_LIMBS(words), len = limbs * sizeof(limb);                                                  \
            uint64_t args[6] = { address_of(r), address_of(a), address_of(b), address_of(w), len, pattern(2) };                    \
                                                                                                                                   \
            for (size_t lane = 0; lane < lanes; lane++) {                                                                          \
                for (size_t i = 0; i < limbs; i++) {                                                                               \
                    a[i][lane] = b[i][lane] = 7 * i + lane;                                                                        \
                    w[RSA_M + i][lane] = 2 * i + 1;                                                                                \
                }                                                                                                                  \
                w[0][lane] = (UINT64_C(1) << 52) - 1;                                                                              \
                index[lane] = (5 * lane + words) % LC_RSA_ENTRIES;                                                                 \
            }                                                                                                                      \
            call("rsa mul", (uint64_t)(uintptr_t)lc_rsa_mul_##symbol, args, limbs, 0);                                             \
            args[2] = args[1];                                                                                                     \
            args[0] = address_of(b);                                                                                               \
            call("rsa square", (uint64_t)(uintptr_t)lc_rsa_mul_##symbol, args, limbs, 0);                                          \
            if (memcmp(r, b, len) != 0)                                                                                            \
                fail("rsa", limbs, 0, "a * a isn't a^2");                                                                          \
            if (limbs > LC_RSA_HALF_LIMBS)                                                                                         \
                continue;                                                                                                          \
            for (size_t i = 0; i < LC_RSA_ENTRIES * limbs; i++)                                                                    \
                for (size_t lane = 0; lane < lanes; lane++)                                                                        \
                    table[i][lane] = 100 * i + lane;                                                                               \
            args[1] = address_of(table);                                                                                           \
            args[2] = address_of(index);                                                                                           \
            args[3] = len;                                                                                                         \
            call("rsa select", (uint64_t)(uintptr_t)lc_rsa_select_##symbol, args, limbs, 0);                                       \
            for (size_t i = 0; i < limbs; i++)                                                                                     \
                for (size_t lane = 0; lane < lanes; lane++)                                                                        \
                    if (b[i][lane] != 100 * (index[lane] * limbs + i) + lane)                                                      \
                        fail("rsa select", i, lane, "another entry");                                                              \
        }                                                                                                                          \
    }
CHECK_RSA_ROW(avx512ifma_512, 8)
void lc_rsa_mul_avx512ifma_256(void), lc_rsa_select_avx512ifma_256(void);
CHECK_RSA_ROW(avx512ifma_256, 4)

/* Products modulo n */
static void check_p256_mul_add(void)
{
    uint64_t a[4] = { 7 }, r[4], expected[4];
    const uint64_t args[6] = { address_of(r), address_of(a), address_of(a), address_of(a), address_of(&lc_p256_n), pattern(1) };

    lc_mod_mul_add(expected, a, a, a, &lc_p256_n);
    call("p256 mul add", (uint64_t)(uintptr_t)lc_p256_mul_add_bmi2_avx2, args, 1, 0);
    if (memcmp(r, expected, sizeof(r)) != 0)
        fail("p256 mul add", 0, 0, "another number");
}

/* The same as in lanes, one at a time */
#define CHECK_ONE_ROW(curve, words, symbol, also)                                                                                  \
    static void check_##curve##_##symbol(void)                                                                                     \
    {                                                                                                                              \
        static struct lc_##curve##_point table[LC_ONE_ENTRIES];                                                                    \
        static struct lc_##curve##_work w;                                                                                         \
        uint64_t a[words] = { 1 }, b[words] = { 1 }, r[words] = { 0 };                                                             \
                                                                                                                                   \
        call_p256(#curve " mul", (uint64_t)(uintptr_t)lc_##curve##_mul_##symbol, r, a, b);                                         \
        call_p256(#curve " sqr", (uint64_t)(uintptr_t)lc_##curve##_sqr_##symbol, b, a, a);                                         \
        if (memcmp(r, b, sizeof(r)) != 0)                                                                                          \
            fail(#curve, 0, 0, "1 * 1 isn't 1^2");                                                                                 \
        for (size_t i = 0; i < LC_ONE_ENTRIES; i++)                                                                                \
            table[i].x[words - 1] = 100 + i;                                                                                       \
        w.index = 13;                                                                                                              \
        call_p256(#curve " select", (uint64_t)(uintptr_t)lc_##curve##_select_##symbol, &w, table, a);                              \
        if (w.entry.x[words - 1] != 113)                                                                                           \
            fail(#curve " select", 0, 0, "another entry");                                                                         \
        call_p256(#curve " select base", (uint64_t)(uintptr_t)lc_##curve##_select_base_##symbol, &w, lc_##curve##_base_table[1],   \
                  a);                                                                                                              \
        for (size_t i = 0; i < words; i++)                                                                                         \
            if (w.entry.x[i] != lc_##curve##_base_table[1][i][13] || w.entry.y[i] != lc_##curve##_base_table[1][words + i][13])    \
                fail(#curve " select base", i, 0, "another entry");                                                                \
        memcpy(w.x, a, sizeof(a));                                                                                                 \
        memcpy(w.y, a, sizeof(a));                                                                                                 \
        memcpy(w.z, a, sizeof(a));                                                                                                 \
        {                                                                                                                          \
            const uint64_t args[6] = { address_of(&w), 3, pattern(1), pattern(2), pattern(3), pattern(4) };                        \
                                                                                                                                   \
            call(#curve " double", (uint64_t)(uintptr_t)lc_##curve##_double_##symbol, args, 3, 0);                                 \
        }                                                                                                                          \
        call_p256(#curve " add", (uint64_t)(uintptr_t)lc_##curve##_add_##symbol, &w, a, a);                                        \
        also;                                                                                                                      \
    }
CHECK_ONE_ROW(p256, 4, bmi2_avx2, check_p256_mul_add())
CHECK_ONE_ROW(p384, 6, bmi2_avx2, (void)0)

/* ---- Curve25519 ---- */

static void call_25519(const char *function, uint64_t address, const void *a, const void *b, uint64_t c, const void *d)
{
    const uint64_t args[6] = { address_of(a), address_of(b), c, address_of(d), pattern(2), pattern(3) };

    call(function, address, args, 0, 0);
}

/* One ladder in four lanes: zeros but for infinity remain it. */
static void check_25519_one(void)
{
    static struct lc_25519_ladder_one w = { .lanes = { { 1, 1 } } };
    static const uint64_t nothing[4];

    call_25519("25519 ladder one", (uint64_t)(uintptr_t)lc_25519_ladder_one_avx512ifma_256, &w, nothing, pattern(1), nothing);
    if (w.lanes[0][0] != w.lanes[0][1] || w.lanes[4][0] != w.lanes[4][1])
        fail("25519 ladder one", 0, 0, "a multiple of infinity");
}

/*
 * 3 * 5 and 5 * 5; entries of the generator's table; points (0, 0), of which only the calls matter.  Structures are as
 * x86/curve25519.h has them for so many lanes, a row of these here for each limb.
 */
extern const uint64_t lc_25519_base_table[][15][16];
enum {
    FE_25519 = 5,
    LADDER_25519_ROWS = 13 * FE_25519 + 4,
    ADDEND_25519 = 4 * FE_25519,
    U_25519 = 8 * FE_25519,
    INDEX_25519 = 11 * FE_25519 + 6,
    LANES_25519_ROWS = INDEX_25519 + 1
};
#define CHECK_25519_ROW(symbol, lanes, check_one)                                                                                  \
    void lc_25519_mul_##symbol(void), lc_25519_sqr_##symbol(void), lc_25519_sqr_two_##symbol(void), lc_25519_rows_##symbol(void);  \
    void lc_25519_take_##symbol(void), lc_25519_sums_##symbol(void), lc_25519_ladder_##symbol(void),                               \
        lc_25519_clear_##symbol(void);                                                                                             \
    void lc_25519_double_##symbol(void), lc_25519_comb_##symbol(void);                                                             \
    void lc_25519_first_##symbol(void), lc_25519_exchange_##symbol(void), lc_25519_replace_zeros_##symbol(void);                   \
    static void check_25519_##symbol(void)                                                                                         \
    {                                                                                                                              \
        static _Alignas(64) uint64_t ladder[LADDER_25519_ROWS][lanes], w[LANES_25519_ROWS][lanes], rows[lanes][20];                \
        static _Alignas(64) uint64_t a[FE_25519][lanes], b[FE_25519][lanes], r[FE_25519][lanes], sum[FE_25519][lanes];             \
        const uint64_t *addresses[lanes];                                                                                          \
                                                                                                                                   \
        for (size_t lane = 0; lane < lanes; lane++) {                                                                              \
            addresses[lane] = rows[lane];                                                                                          \
            a[0][lane] = 3;                                                                                                        \
            b[0][lane] = 5;                                                                                                        \
            for (size_t i = 0; i < ADDEND_25519; i++)                                                                              \
                w[ADDEND_25519 + i][lane] = 100 * lane + i;                                                                        \
        }                                                                                                                          \
        call_25519("25519 mul", (uint64_t)(uintptr_t)lc_25519_mul_##symbol, r, a, address_of(b), b);                               \
        if (r[0][lanes - 1] != 15)                                                                                                 \
            fail("25519 mul", 0, 0, "3 * 5 isn't 15");                                                                             \
        call_25519("25519 sqr", (uint64_t)(uintptr_t)lc_25519_sqr_##symbol, r, b, 2, b);                                           \
        if (r[0][lanes - 1] != 625)                                                                                                \
            fail("25519 sqr", 0, 0, "5^4 isn't 625");                                                                              \
        call_25519("25519 sums", (uint64_t)(uintptr_t)lc_25519_sums_##symbol, sum, r, address_of(a), b);                           \
        if (sum[0][lanes - 1] != 8)                                                                                                \
            fail("25519 sums", 0, 0, "3 + 5 isn't 8");                                                                             \
        call_25519("25519 exchange", (uint64_t)(uintptr_t)lc_25519_exchange_##symbol, w, w[ADDEND_25519], 2, b);                   \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            if (w[4][lane] != w[ADDEND_25519 + 4][lane ^ 2])                                                                       \
                fail("25519 exchange", lane, 0, "another lane");                                                                   \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            w[INDEX_25519][lane] = 15 - lane;                                                                                      \
        call_25519("25519 first", (uint64_t)(uintptr_t)lc_25519_first_##symbol, w, lc_25519_base_table[1], pattern(1), b);         \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            if (w[ADDEND_25519 + 2 * FE_25519 + 4][lane] != lc_25519_base_table[1][14][15 - lane])                                 \
                fail("25519 first", lane, 0, "another entry");                                                                     \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            for (size_t i = 0; i < ADDEND_25519; i++)                                                                              \
                w[ADDEND_25519 + i][lane] = 100 * lane + i;                                                                        \
        call_25519("25519 rows", (uint64_t)(uintptr_t)lc_25519_rows_##symbol, rows, w[ADDEND_25519], pattern(1), b);               \
        memset(w, 0, sizeof(w));                                                                                                   \
        call_25519("25519 take", (uint64_t)(uintptr_t)lc_25519_take_##symbol, w, addresses, pattern(1), b);                        \
        for (size_t lane = 0; lane < lanes; lane++)                                                                                \
            for (size_t i = 0; i < ADDEND_25519; i++)                                                                              \
                if (rows[lane][i] != 100 * lane + i || w[ADDEND_25519 + i][lane] != 100 * lane + i)                                \
                    fail("25519 take", lane, i, "another limb");                                                                   \
        call_25519("25519 sqr two", (uint64_t)(uintptr_t)lc_25519_sqr_two_##symbol, w[U_25519], (const void *)(uintptr_t)3,        \
                   pattern(1), b);                                                                                                 \
        call_25519("25519 ladder", (uint64_t)(uintptr_t)lc_25519_ladder_##symbol, ladder, a, pattern(1), b);                       \
        call_25519("25519 double", (uint64_t)(uintptr_t)lc_25519_double_##symbol, w, (const void *)(uintptr_t)3, pattern(1), b);   \
        call_25519("25519 comb", (uint64_t)(uintptr_t)lc_25519_comb_##symbol, w, NULL, 1, b);                                      \
        call_25519("25519 comb", (uint64_t)(uintptr_t)lc_25519_comb_##symbol, w, lc_25519_base_table, 2, b);                       \
        a[0][1] = 0;                                                                                                               \
        call_25519("25519 replace zeros", (uint64_t)(uintptr_t)lc_25519_replace_zeros_##symbol, a, w[INDEX_25519], pattern(1), b); \
        if (a[0][0] != 3 || a[0][1] != 1 || w[INDEX_25519][0] + 1 != 0 || w[INDEX_25519][1] != 0)                                  \
            fail("25519 replace zeros", 0, 0, "another one is 1");                                                                 \
        call_25519("25519 clear", (uint64_t)(uintptr_t)lc_25519_clear_##symbol, w, a, pattern(1), b);                              \
        check_one;                                                                                                                 \
    }
CHECK_25519_ROW(avx512ifma_512, 8, (void)0)
CHECK_25519_ROW(avx512ifma_256, 4, check_25519_one())
CHECK_25519_ROW(avxifma, 4, (void)0)
void lc_25519_ladder_avx512ifma_512_radix52(void);
static void check_25519_avx512ifma_512_radix52(void)
{
    static _Alignas(64) uint64_t ladder[LADDER_25519_ROWS][8];
    static const uint64_t nothing[1];

    call_25519("25519 ladder", (uint64_t)(uintptr_t)lc_25519_ladder_avx512ifma_512_radix52, ladder, nothing, pattern(1), nothing);
}

/* The same, one at a time */
static void check_25519_bmi2_avx2(void)
{
    static struct lc_25519_ladder_bmi2 ladder;
    static struct lc_25519_point_bmi2 p;
    static uint64_t table[16][3][4]; /* struct lc_25519_entry */
    struct lc_25519_addend_bmi2 q;
    struct lc_25519_words a = { { 3 } }, b = { { 5 } }, r;

    for (size_t e = 0; e < 16; e++)
        table[e][1][3] = 100 + e;
    call_25519("25519 mul", (uint64_t)(uintptr_t)lc_25519_mul_bmi2_avx2, &r, &a, address_of(&b), &b);
    if (r.w[0] != 15)
        fail("25519 mul", 0, 0, "3 * 5 isn't 15");
    call_25519("25519 sqr", (uint64_t)(uintptr_t)lc_25519_sqr_bmi2_avx2, &r, &b, 2, &b);
    if (r.w[0] != 625)
        fail("25519 sqr", 0, 0, "5^4 isn't 625");
    call_25519("25519 ladder", (uint64_t)(uintptr_t)lc_25519_ladder_bmi2_avx2, &ladder, &a, pattern(1), &b);
    call_25519("25519 select", (uint64_t)(uintptr_t)lc_25519_select_bmi2_avx2, &q, table, 5, NULL);
    if (q.minus.w[3] != 105)
        fail("25519 select", 0, 0, "another entry");
    q.z2 = a;
    call_25519("25519 double", (uint64_t)(uintptr_t)lc_25519_double_bmi2_avx2, &p, (const void *)(uintptr_t)3, pattern(1), &b);
    call_25519("25519 add", (uint64_t)(uintptr_t)lc_25519_add_bmi2_avx2, &p, &q, 0, &b);
    call_25519("25519 add", (uint64_t)(uintptr_t)lc_25519_add_affine_bmi2_avx2, &p, &q, 1, &b);
}

enum {
#define ROW_X25519(name, symbol, ...) ROW_25519_##symbol,
#define LC_WITHOUT_PORTABLE
#include "rows.def"
};

enum {
#define ROW_ECDSA_P256(name, symbol, ...) ROW_##symbol,
#define LC_WITHOUT_PORTABLE
#include "rows.def"
};
enum {
#define ROW_ECDSA_P384(name, symbol, ...) ROW_P384_##symbol,
#define LC_WITHOUT_PORTABLE
#include "rows.def"
};
enum {
#define ROW_SM2(name, symbol, ...) ROW_SM2_##symbol,
#define LC_WITHOUT_PORTABLE
#include "rows.def"
};
enum {
#define ROW_RSA(name, symbol, ...) ROW_RSA_##symbol,
#define LC_WITHOUT_PORTABLE
#include "rows.def"
};

static size_t rows; /* that were checked */

/* The last row of each table isn't. */
static int is_asm(const struct lc_impl *impl)
{
    return impl->class != LC_CLASS_PORTABLE;
}

static int runs_here(const struct lc_impl *impl)
{
    int runs = !(impl->needs & ~lc_cpu_features_detected());

    if (!runs)
        printf("%s: not on this CPU\n", impl->name);
    return runs;
}

static void checked(const struct lc_impl *impl)
{
    static unsigned long before;

    printf("%s: %lu calls\n", impl->name, calls - before);
    before = calls;
    rows++;
}

int main(void)
{
    uint64_t features = lc_cpu_features_detected();

    vector_len = features & LC_AVX512F ? 64 : features & LC_AVX ? 32 : 0;
    for (size_t i = 0; is_asm(&lc_xts_impls[i].impl); i++)
        if (runs_here(&lc_xts_impls[i].impl)) {
            check_row(&lc_xts_impls[i]);
            checked(&lc_xts_impls[i].impl);
        }
    for (size_t i = 0; is_asm(&lc_ctr_impls[i].impl); i++)
        if (runs_here(&lc_ctr_impls[i].impl)) {
            check_ctr_row(&lc_ctr_impls[i]);
            checked(&lc_ctr_impls[i].impl);
        }
    for (size_t i = 0; is_asm(&lc_gcm_impls[i].impl); i++)
        if (runs_here(&lc_gcm_impls[i].impl)) {
            check_gcm_row(&lc_gcm_impls[i]);
            checked(&lc_gcm_impls[i].impl);
        }
    for (size_t i = 0; is_asm(&lc_chacha20_impls[i].impl); i++)
        if (runs_here(&lc_chacha20_impls[i].impl)) {
            check_chacha20_row(lc_chacha20_impls[i].impl.name, &chacha20_shapes[i]);
            checked(&lc_chacha20_impls[i].impl);
        }
    for (size_t i = 0; is_asm(&lc_poly1305_impls[i].impl); i++)
        if (runs_here(&lc_poly1305_impls[i].impl)) {
            check_poly1305_row(&lc_poly1305_impls[i]);
            if (lc_poly1305_impls[i].blocks == lc_poly1305_blocks_bmi2)
                check_poly1305_parts(lc_poly1305_parts_bmi2, lc_poly1305_whole_bmi2);
            if (lc_poly1305_impls[i].blocks == lc_poly1305_blocks_x86_64) {
                check_poly1305_parts(lc_poly1305_parts_x86_64, lc_poly1305_whole_x86_64);
                check_poly1305_power();
            }
            checked(&lc_poly1305_impls[i].impl);
        }
    for (size_t i = 0; is_asm(&lc_sha256_impls[i].impl); i++)
        if (runs_here(&lc_sha256_impls[i].impl)) {
            check_sha256_row(&lc_sha256_impls[i], lc_sha256_impls[i].blocks != lc_sha256_blocks_bmi2);
            checked(&lc_sha256_impls[i].impl);
        }
    for (size_t i = 0; is_asm(&lc_sha512_impls[i].impl); i++)
        if (runs_here(&lc_sha512_impls[i].impl)) {
            check_sha512_row(&lc_sha512_impls[i], 1);
            checked(&lc_sha512_impls[i].impl);
        }
    for (size_t i = 0; is_asm(&lc_sm3_impls[i].impl); i++)
        if (runs_here(&lc_sm3_impls[i].impl)) {
            check_sm3_row(&lc_sm3_impls[i], 0);
            checked(&lc_sm3_impls[i].impl);
        }
#define ROW_ECDSA_P384(name, symbol, ...)                                                                                          \
    if (runs_here(&lc_ecdsa_p384_impls[ROW_P384_##symbol].impl)) {                                                                 \
        check_p384_##symbol();                                                                                                     \
        checked(&lc_ecdsa_p384_impls[ROW_P384_##symbol].impl);                                                                     \
    }
#define ROW_SM2(name, symbol, ...)                                                                                                 \
    if (runs_here(&lc_sm2_impls[ROW_SM2_##symbol].impl)) {                                                                         \
        check_sm2_##symbol();                                                                                                      \
        checked(&lc_sm2_impls[ROW_SM2_##symbol].impl);                                                                             \
    }
#define ROW_ECDSA_P256(name, symbol, ...)                                                                                          \
    if (runs_here(&lc_ecdsa_p256_impls[ROW_##symbol].impl)) {                                                                      \
        check_p256_##symbol();                                                                                                     \
        checked(&lc_ecdsa_p256_impls[ROW_##symbol].impl);                                                                          \
    }
#define LC_WITHOUT_PORTABLE
#include "rows.def"
#define ROW_RSA(name, symbol, ...)                                                                                                 \
    if (runs_here(&lc_rsa_impls[ROW_RSA_##symbol].impl)) {                                                                         \
        check_rsa_##symbol();                                                                                                      \
        checked(&lc_rsa_impls[ROW_RSA_##symbol].impl);                                                                             \
    }
#define ROW_X25519(name, symbol, ...)                                                                                              \
    if (runs_here(&lc_x25519_impls[ROW_25519_##symbol].impl)) {                                                                    \
        check_25519_##symbol();                                                                                                    \
        checked(&lc_x25519_impls[ROW_25519_##symbol].impl);                                                                        \
    }
#define LC_WITHOUT_PORTABLE
#include "rows.def"
    return rows ? 0 : 1;
}

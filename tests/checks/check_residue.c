/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a call leaves behind: no round key, tweak or key stream on the dead part of the stack, after a call of any implementation;
 * and no round key in a vector register, after one in assembly (what the compiler does with registers can't be
 * promised).  The stack is scrubbed before the call; the registers are stored, and the stack below is read, right
 * behind it.
 */
#include <stdio.h>
#include <string.h>

#include "aes.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/ctr.h"
#include "lanecrypt/gcm.h"
#include "lanecrypt/xts.h"

enum { STACK_LEN = 16384, VECTORS = 32, VECTOR_LEN = 64, MAX_SECRETS = 64 };

static uint8_t vectors[VECTORS * VECTOR_LEN] __attribute__((aligned(64)));
static uint8_t stack[STACK_LEN];
static uint8_t secrets[MAX_SECRETS][16];
static size_t num_secrets;
static int failures;

static int has_avx512;

static __attribute__((noinline)) void scrub_stack(void)
{
    volatile uint8_t dead[STACK_LEN + 4096];

    for (size_t i = 0; i < sizeof(dead); i++)
        dead[i] = 0x5a;
}

/* Inline, and by instructions that need no stack: a function's frame would lie on what is looked for. */
static inline __attribute__((always_inline)) void capture(void)
{
    const uint8_t *sp;
    uint8_t *to = stack;
    size_t len = STACK_LEN;

    if (has_avx512)
        __asm__ volatile(".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                         "vmovdqu64 %%zmm\\i, 64*\\i(%0)\n\t.endr" : : "r"(vectors) : "memory");
    else
        __asm__ volatile(".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\tmovdqu %%xmm\\i, 64*\\i(%0)\n\t.endr"
                         : : "r"(vectors) : "memory");
    __asm__ volatile("lea %c3(%%rsp), %0\n\trep movsb" : "=&S"(sp), "+D"(to), "+c"(len) : "i"(-STACK_LEN) : "memory");
}

static void look(const char *impl, const char *what, const char *where, const uint8_t *memory, size_t len)
{
    for (size_t s = 0; s < num_secrets; s++)
        for (size_t i = 0; i + 16 <= len; i++)
            if (memcmp(memory + i, secrets[s], 16) == 0) {
                printf("%s, %s: secret %zu is left %s, at %zu\n", impl, what, s, where, i);
                failures++;
                return;
            }
}

static void add_schedule(const uint8_t keys[15][16])
{
    static const uint8_t zeros[16];

    for (int i = 0; i < 15; i++)
        if (memcmp(keys[i], zeros, 16) != 0)
            memcpy(secrets[num_secrets++], keys[i], 16);
}

static uint8_t src[8192], dst[8192], raw[64], iv[16];
static int calls;

static int check_xts(void)
{
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("xts", i, &info) == LC_OK; i++) {
        for (size_t raw_len = 32; info.runs_here && raw_len <= 64; raw_len += 16) {
            static struct lc_xts_key key; /* not on the stack that is searched */
            static struct lc_xts_state state;

            for (size_t k = 0; k < raw_len; k++)
                raw[k] = (uint8_t)(k * 29 + 11 * raw_len + i);
            num_secrets = 0;
            scrub_stack();
            if (lc_xts_init_impl(&key, info.name, raw, raw_len) != LC_OK)
                return 1;
            capture();
            add_schedule((const uint8_t(*)[16])key.enc);
            add_schedule((const uint8_t(*)[16])key.tweak);
            if (info.text_len) {
                look(info.name, "init", "in a register", vectors, sizeof(vectors));
                look(info.name, "init", "on the stack", stack, sizeof(stack));
            }
            add_schedule((const uint8_t(*)[16])key.dec);
            /* The tweak of sector 0, which an update() with no more than one block gives; the state's copy is static. */
            lc_xts_start(&state, iv);
            if (lc_xts_encrypt_update(&key, &state, dst, src, 16) != LC_OK)
                return 1;

            for (size_t len = 16; len <= 2048; len += len < 80 ? 1 : 61) {
                for (int how = 0; how < 4; how++) {
                    static const char *const names[] = { "encrypt", "decrypt", "encrypt_sectors", "decrypt_sectors" };
                    size_t keys_only;
                    int status;

                    scrub_stack();
                    status = how == 0   ? lc_xts_encrypt(&key, dst, src, len, iv)
                             : how == 1 ? lc_xts_decrypt(&key, dst, src, len, iv)
                             : how == 2 ? lc_xts_encrypt_sectors(&key, dst, src, 4 * len, len, 0, 1)
                                        : lc_xts_decrypt_sectors(&key, dst, src, 4 * len, len, 0, 1);
                    capture();
                            if (status != LC_OK)
                        return 1;
                    if (info.text_len)
                        look(info.name, names[how], "in a register", vectors, sizeof(vectors));
                    /* On the stack the second block's tweak may not be either. */
                    keys_only = num_secrets;
                    memcpy(secrets[num_secrets++], state.tweak, 16);
                    look(info.name, names[how], "on the stack", stack, sizeof(stack));
                    num_secrets = keys_only;
                    calls++;
                }
            }
        }
    }
    return 0;
}

static int check_ctr(void)
{
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("ctr", i, &info) == LC_OK; i++)
        for (size_t raw_len = 16; info.runs_here && raw_len <= 32; raw_len += 8) {
            static struct lc_ctr_key key; /* not on the stack that is searched */
            static struct lc_ctr_state state;
            static const uint8_t zeros[2048];

            for (size_t k = 0; k < raw_len; k++)
                raw[k] = (uint8_t)(k * 31 + 7 * raw_len + i);
            num_secrets = 0;
            scrub_stack();
            if (lc_ctr_init_impl(&key, info.name, raw, raw_len) != LC_OK)
                return 1;
            capture();
            add_schedule((const uint8_t(*)[16])key.enc);
            if (info.text_len) {
                look(info.name, "init", "in a register", vectors, sizeof(vectors));
                look(info.name, "init", "on the stack", stack, sizeof(stack));
            }
            for (size_t len = 1; len <= 2048; len += len < 80 ? 1 : 61)
                for (int how = 0; how < 2; how++) {
                    size_t keys_only = num_secrets;

                    scrub_stack();
                    if (how == 0) {
                        lc_ctr_xor(&key, dst, src, len, iv);
                    } else {
                        lc_ctr_start(&state, iv);
                        lc_ctr_update(&key, &state, dst, src, len);
                    }
                    capture();
                    if (info.text_len)
                        look(info.name, how ? "update" : "xor", "in a register", vectors, sizeof(vectors));
                    /* On the stack the key stream may not be either: that of the first block, of the last whole one, and behind. */
                    lc_ctr_xor(&key, dst, zeros, (len + 15) / 16 * 16, iv);
                    memcpy(secrets[num_secrets++], dst, 16);
                    memcpy(secrets[num_secrets++], dst + (len - 1) / 16 * 16, 16);
                    if (len >= 16)
                        memcpy(secrets[num_secrets++], dst + (len / 16 - 1) * 16, 16);
                    look(info.name, how ? "update" : "xor", "on the stack", stack, sizeof(stack));
                    num_secrets = keys_only;
                    calls++;
                }
        }
    return 0;
}

/* Round keys, the hash key, key stream of the first and the last block, E(J0), and the tag of a forgery. */
static int check_gcm(void)
{
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("gcm", i, &info) == LC_OK; i++)
        for (size_t raw_len = 16; info.runs_here && raw_len <= 32; raw_len += 8) {
            static struct lc_gcm_key key; /* not on the stack that is searched */
            static struct lc_ctr_key ctr;
            static const uint8_t zeros[2048];
            static uint8_t stream[2048 + 16], tag[16], wrong[16], counter[16];

            for (size_t k = 0; k < raw_len; k++)
                raw[k] = (uint8_t)(k * 37 + 5 * raw_len + i);
            num_secrets = 0;
            scrub_stack();
            if (lc_gcm_init_impl(&key, info.name, raw, raw_len) != LC_OK)
                return 1;
            capture();
            add_schedule((const uint8_t(*)[16])key.enc);
            if (info.text_len) {
                look(info.name, "init", "in a register", vectors, sizeof(vectors));
                look(info.name, "init", "on the stack", stack, sizeof(stack));
            }
            if (lc_ctr_init(&ctr, raw, raw_len) != LC_OK)
                return 1;
            lc_ctr_xor(&ctr, secrets[num_secrets++], zeros, 16, zeros); /* H */
            for (size_t len = 1; len <= 2048; len += len < 80 ? 1 : 61) {
                const size_t keys_only = num_secrets;

                memcpy(counter, iv, 12);
                counter[15] = 1;
                lc_ctr_xor(&ctr, stream, zeros, 16, counter);
                counter[15] = 2;
                lc_ctr_xor(&ctr, stream + 16, zeros, (len + 15) / 16 * 16 > 2048 ? 2048 : (len + 15) / 16 * 16, counter);
                if (lc_gcm_seal(&key, dst, tag, 16, src, len, src, 21, iv, 12) != LC_OK)
                    return 1;
                memcpy(secrets[num_secrets++], stream, 16);
                memcpy(secrets[num_secrets++], stream + 16, 16);
                memcpy(secrets[num_secrets++], stream + 16 + (len - 1) / 16 * 16, 16);
                for (int how = 0; how < 2; how++) {
                    int status;

                    if (how == 1)
                        memcpy(secrets[num_secrets++], tag, 16);
                    scrub_stack();
                    status = how == 0 ? lc_gcm_seal(&key, dst, tag, 16, src, len, src, 21, iv, 12)
                                      : lc_gcm_open(&key, dst, dst, len, wrong, 16, src, 21, iv, 12);
                    capture();
                    if (status != (how == 0 ? LC_OK : LC_ERR_AUTH))
                        return 1;
                    if (info.text_len) {
                        size_t all = num_secrets;

                        num_secrets = keys_only;
                        look(info.name, how ? "open" : "seal", "in a register", vectors, sizeof(vectors));
                        num_secrets = all;
                    }
                    look(info.name, how ? "open" : "seal", "on the stack", stack, sizeof(stack));
                    calls++;
                }
                num_secrets = keys_only;
            }
        }
    return 0;
}

int main(void)
{
    has_avx512 = __builtin_cpu_supports("avx512f") != 0;
    for (size_t i = 0; i < sizeof(src); i++)
        src[i] = (uint8_t)(i * 7 + i / 256);
    if (check_xts() != 0 || check_ctr() != 0 || check_gcm() != 0)
        return 1;
    printf("%d calls looked behind, %d with something left\n", calls, failures);
    return failures != 0 || calls == 0;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a call leaves behind: no round key or tweak on the dead part of the stack, after a call of any implementation;
 * and no round key in a vector register, after one in assembly (what the compiler does with registers can't be
 * promised).  The stack is scrubbed before the call; the registers are stored, and the stack below is read, right
 * behind it.
 */
#include <stdio.h>
#include <string.h>

#include "aes.h"
#include "lanecrypt/cpu.h"
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

int main(void)
{
    static uint8_t src[8192], dst[8192], raw[64], iv[16];
    struct lc_impl_info info;
    int calls = 0;

    has_avx512 = __builtin_cpu_supports("avx512f") != 0;
    for (size_t i = 0; i < sizeof(src); i++)
        src[i] = (uint8_t)(i * 7 + i / 256);
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
    printf("%d calls looked behind, %d with something left\n", calls, failures);
    return failures != 0 || calls == 0;
}

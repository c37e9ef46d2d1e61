/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a call leaves behind: no round key, tweak or key stream on the dead part of the stack, after a call of any implementation;
 * and no round key in a vector register, nor one ^ an XTS tweak, after one in assembly (what the compiler does with registers can't
 * be promised).  The stack is scrubbed before the call; the registers are stored, and the stack below is read, right
 * after it.  That also tells how much of the stack the call has used.
 *
 * GCM's secrets can be computed from each other: who knows H, or a sum in GHASH of a known text, or AES(J0) and the tag, or the J0
 * of a nonce that isn't 12 bytes long, can forge messages.  So after its assembly, what is looked for in the registers is not
 * what may not be there: it is anything else than what may, text, its key stream, and constants.  So it is with ChaCha20, whose key
 * is in the registers as words, and with Poly1305.
 */
#include <stdio.h>
#include <string.h>

#include "aes.h"
#include "ctr_internal.h"
#include "gcm_internal.h"
#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/ctr.h"
#include "curve25519.h"
#include "p256_internal.h"
#include "p384_internal.h"
#include "rsa_internal.h"
#include "sm2_internal.h"
#include "lanecrypt/ecdh.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/x25519.h"
#include "sha2_internal.h"
#include "sm3_internal.h"
#include "xts_internal.h"
#include "x86/chacha20_run.h"
#include "../../bench/rsa_keys.h"

enum { STACK_LEN = 131072, VECTORS = 32, VECTOR_LEN = 64, MAX_SECRETS = 2048, MAX_MESSAGES = 50, UNTOUCHED = 0x5a };
enum { XTS_MAX_LEN = 2048, XTS_UNITS = 4 };

static uint8_t vectors[VECTORS * VECTOR_LEN] __attribute__((aligned(64)));
static uint8_t stack[STACK_LEN];
static uint8_t secrets[MAX_SECRETS][16];
static size_t num_secrets;
static int failures;

static int has_avx512;

/* So that nothing is there from before */
static inline __attribute__((always_inline)) void clear_registers(void)
{
    if (has_avx512)
        __asm__ volatile(".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                         "vpxord %%zmm\\i, %%zmm\\i, %%zmm\\i\n\t.endr\n\tvzeroupper"
                         :
                         :
                         : "memory");
    else
        __asm__ volatile(".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\tpxor %%xmm\\i, %%xmm\\i\n\t.endr" : : : "memory");
}

static __attribute__((noinline)) void scrub_stack(void)
{
    volatile uint64_t dead[(STACK_LEN + 4096) / 8];

    for (size_t i = 0; i < sizeof(dead) / 8; i++)
        dead[i] = UNTOUCHED * UINT64_C(0x0101010101010101);
    clear_registers(); /* of what this program has done with keys */
}

/* Inline, and by instructions that need no stack: a function's frame would lie on what is looked for. */
static inline __attribute__((always_inline)) void capture(void)
{
    const uint8_t *sp;
    uint8_t *to = stack;
    size_t len = STACK_LEN;

    if (has_avx512)
        __asm__ volatile(".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                         "vmovdqu64 %%zmm\\i, 64*\\i(%0)\n\t.endr"
                         :
                         : "r"(vectors)
                         : "memory");
    else
        __asm__ volatile(".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\tmovdqu %%xmm\\i, 64*\\i(%0)\n\t.endr"
                         :
                         : "r"(vectors)
                         : "memory");
    __asm__ volatile("lea %c3(%%rsp), %0\n\trep movsb" : "=&S"(sp), "+D"(to), "+c"(len) : "i"(-STACK_LEN) : "memory");
}

/* General registers that a function may clobber, but rdi, right after assembly that has had secrets in them */
static uint64_t general[8];
static inline __attribute__((always_inline)) void capture_general(void)
{
    __asm__ volatile("mov %%rax, %0\n\tmov %%rcx, %1\n\tmov %%rdx, %2\n\tmov %%rsi, %3\n\t"
                     "mov %%r8, %4\n\tmov %%r9, %5\n\tmov %%r10, %6\n\tmov %%r11, %7"
                     : "=m"(general[0]), "=m"(general[1]), "=m"(general[2]), "=m"(general[3]), "=m"(general[4]), "=m"(general[5]),
                       "=m"(general[6]), "=m"(general[7]));
}

/* Secrets by halves, as compilers keep them in words; but a half of zeros tells nothing. */
static void look(const char *impl, const char *what, const char *where, const uint8_t *memory, size_t len)
{
    static uint8_t may_begin[65536]; /* by the first two bytes: saves most of the comparisons */
    static const uint8_t zeros[8];

    memset(may_begin, 0, sizeof(may_begin));
    for (size_t s = 0; s < num_secrets; s++)
        for (size_t half = 0; half < 16; half += 8)
            may_begin[secrets[s][half] << 8 | secrets[s][half + 1]] = 1;
    for (size_t i = 0; i + 8 <= len; i++)
        for (size_t s = 0; s < num_secrets && may_begin[memory[i] << 8 | memory[i + 1]]; s++)
            if ((memcmp(memory + i, secrets[s], 8) == 0 || memcmp(memory + i, secrets[s] + 8, 8) == 0) &&
                memcmp(memory + i, zeros, 8) != 0) {
                if (failures++ < MAX_MESSAGES)
                    printf("%s, %s: secret %zu is left %s, at %zu\n", impl, what, s, where, i);
                return;
            }
}

/* docs/conventions.md promises these, in KB. */
static size_t max_stack_len(const char *impl)
{
    if (strncmp(impl, "sha", 3) == 0)
        return 7 * 1024;
    if (strncmp(impl, "sm3", 3) == 0)
        return 10 * 1024;
    if (strncmp(impl, "ecd", 3) == 0 || strncmp(impl, "sm2", 3) == 0)
        return strstr(impl, "p384") ? 36 * 1024 : 24 * 1024;
    if (strncmp(impl, "x25519-", 7) == 0 || strncmp(impl, "ed25519-", 8) == 0)
        return (impl[0] == 'x' ? 27 : 40) * 1024;
    if (strncmp(impl, "rsa-", 4) == 0)
        return (strstr(impl, "-portable") ? 34 : 86) * 1024;
    if (strstr(impl, "-portable"))
        return 6 * 1024;
    if (strncmp(impl, "chacha20-poly1305-", 18) == 0)
        return 9 * 1024;
    return strncmp(impl, "chacha20-", 9) == 0 || strncmp(impl, "poly1305-", 9) == 0 ? 4 * 1024 : 1024;
}

/* What is left on the stack, and how deep the call has gone: to the lowest byte that is another one than before. */
static void look_at_stack(const char *impl, const char *what)
{
    const uint64_t untouched_word = UNTOUCHED * UINT64_C(0x0101010101010101);
    size_t untouched = 0, begin;

    while (untouched + 8 <= sizeof(stack) && memcmp(stack + untouched, &untouched_word, 8) == 0)
        untouched += 8;
    while (untouched < sizeof(stack) && stack[untouched] == UNTOUCHED)
        untouched++;
    begin = untouched < 7 ? 0 : untouched - 7; /* a secret may begin with bytes like these */
    look(impl, what, "on the stack", stack + begin, sizeof(stack) - begin);
    if (sizeof(stack) - untouched > max_stack_len(impl) && failures++ < MAX_MESSAGES)
        printf("%s, %s: %zu bytes of stack, and no more than %zu are promised\n", impl, what, sizeof(stack) - untouched,
               max_stack_len(impl));
}

static void add_schedule(const uint8_t keys[15][16])
{
    static const uint8_t zeros[16];

    for (int i = 0; i < 15; i++)
        if (memcmp(keys[i], zeros, 16) != 0)
            memcpy(secrets[num_secrets++], keys[i], 16);
}

/* A state that has ended has no tag: the right one, instead of a forger's, is a secret. */
static void look_in_state(const char *impl, const char *what, const void *state, size_t len, const uint8_t tag[16])
{
    const size_t common = num_secrets;
    uint8_t first[16];

    memcpy(first, secrets[0], 16);
    memcpy(secrets[0], tag, 16);
    num_secrets = 1;
    look(impl, what, "in the state", state, len);
    memcpy(secrets[0], first, 16);
    num_secrets = common;
}

static uint8_t src[8192], dst[8192], raw[64], iv[16];
static int calls;

/* The outer round keys ^ the tweak of each block that a unit here may have: what is added to text before and after the rounds */
static void add_keys_with_tweaks(const struct lc_xts_key *key)
{
    for (uint8_t sector = 0; sector < XTS_UNITS; sector++) {
        uint8_t tweak[16] = { sector };

        key->impl->encrypt(key, dst, src, 0, (union lc_xts_tweak){ .block = tweak }, LC_XTS_RETURN_TWEAK);
        for (int block = 0; block <= XTS_MAX_LEN / 16; block++) {
            unsigned carry = 0;

            for (int round = 0; round <= 14; round += 14, num_secrets++)
                for (int i = 0; i < 16; i++)
                    secrets[num_secrets][i] = key->enc[round][i] ^ tweak[i];
            for (int i = 0; i < 16; i++, carry >>= 8) {
                carry |= (unsigned)tweak[i] << 1;
                tweak[i] = (uint8_t)carry;
            }
            tweak[0] ^= (uint8_t)(0x87 * carry);
        }
    }
}

/* The kernel module's code of the rows that it has: kernel_xts.S.  It takes one unit a call. */
#define LC_SMALL
#define LC_WITHOUT_PORTABLE
#define ROW_XTS(row_name, symbol, ...) lc_xts_crypt_fn kernel_xts_encrypt_##symbol, kernel_xts_decrypt_##symbol;
#include "rows.def"
#define LC_WITHOUT_PORTABLE
#define ROW_XTS(row_name, symbol, ...)                                                                                             \
    { .impl = { .name = "kernel's " row_name }, .encrypt = kernel_xts_encrypt_##symbol, .decrypt = kernel_xts_decrypt_##symbol },
static const struct lc_xts_impl kernel_xts_rows[] = {
#include "rows.def"
};
#undef LC_SMALL

/*
 * The result of the first step of stealing, of a unit that ends by it: len % 16 of its bytes are output, and what comes after them
 * is nobody's.  So its last 8 bytes may not be left as they are; they make both halves of this secret.
 */
static void add_stolen(const struct lc_xts_key *key, uint8_t sector, const uint8_t *from, size_t len, int decrypt)
{
    static uint8_t blocks[XTS_MAX_LEN + 16];
    const uint8_t sector_iv[16] = { sector };
    const union lc_xts_tweak tweak = { .iv = sector_iv };
    const size_t whole_len = len / 16 * 16;
    const uint8_t *end = blocks + whole_len + (decrypt ? 16 : 0);

    memcpy(blocks, from, whole_len);
    memcpy(blocks + whole_len, from + whole_len - 16, 16); /* decryption takes the tweak of the block after it */
    (decrypt ? key->impl->decrypt : key->impl->encrypt)(key, blocks, blocks, (size_t)(end - blocks), tweak, LC_XTS_IV);
    memcpy(secrets[num_secrets], end - 8, 8);
    memcpy(secrets[num_secrets++] + 8, end - 8, 8);
}

/* The first num_hows of the ways to call it, all lengths.  The key's secrets are there already; tweak: that of the second block. */
static int check_xts_calls(const struct lc_xts_key *key, const char *impl, int in_assembly, const uint8_t tweak[16], int num_hows)
{
    for (size_t len = 16; len <= XTS_MAX_LEN; len += len < 288 ? 1 : len < 800 ? 12 : 61)
        for (int how = 0; how < num_hows; how++) {
            static const char *const names[] = { "encrypt", "decrypt", "encrypt_sectors", "decrypt_sectors" };
            const size_t keys_only = num_secrets;
            int status;

            for (uint8_t sector = 0; len % 16 && sector < (how < 2 ? 1 : XTS_UNITS); sector++)
                add_stolen(key, sector, src + sector * len, len, how % 2);
            scrub_stack();
            status = how == 0   ? lc_xts_encrypt(key, dst, src, len, iv)
                     : how == 1 ? lc_xts_decrypt(key, dst, src, len, iv)
                     : how == 2 ? lc_xts_encrypt_sectors(key, dst, src, XTS_UNITS * len, len, 0, 1)
                                : lc_xts_decrypt_sectors(key, dst, src, XTS_UNITS * len, len, 0, 1);
            capture();
            if (status != LC_OK)
                return 1;
            if (in_assembly)
                look(impl, names[how], "in a register", vectors, sizeof(vectors));
            /* On the stack the second block's tweak may not be either. */
            memcpy(secrets[num_secrets++], tweak, 16);
            if (len % 16) { /* nor what ciphertext stealing puts together */
                memcpy(secrets[num_secrets++], src + (how < 2 ? 0 : (XTS_UNITS - 1) * len) + len / 16 * 16, 16);
                memcpy(secrets[num_secrets++], dst + (how < 2 ? 0 : (XTS_UNITS - 1) * len) + len / 16 * 16, 16);
            }
            look_at_stack(impl, names[how]);
            num_secrets = keys_only;
            calls++;
        }
    return 0;
}

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
                look_at_stack(info.name, "init");
            }
            add_schedule((const uint8_t(*)[16])key.dec);
            add_keys_with_tweaks(&key);
            /* The tweak of sector 0, which an update() with no more than one block gives; the state's copy is static. */
            lc_xts_start(&state, iv);
            if (lc_xts_encrypt_update(&key, &state, dst, src, 16) != LC_OK)
                return 1;

            if (check_xts_calls(&key, info.name, info.text_len != 0, state.tweak, 4) != 0)
                return 1;
            for (size_t k = 0; k < sizeof(kernel_xts_rows) / sizeof(kernel_xts_rows[0]); k++)
                if (strcmp(kernel_xts_rows[k].impl.name + strlen("kernel's "), info.name) == 0) {
                    key.impl = &kernel_xts_rows[k];
                    if (check_xts_calls(&key, key.impl->impl.name, 1, state.tweak, 2) != 0)
                        return 1;
                }
        }
    }
    return 0;
}

/* The kernel module's code of the rows that it has: kernel_ctr.S */
#define LC_SMALL
#define LC_WITHOUT_PORTABLE
#define ROW_CTR(row_name, symbol, ...) lc_ctr_xor_fn kernel_ctr_##symbol;
#include "rows.def"
#define LC_WITHOUT_PORTABLE
#define ROW_CTR(row_name, symbol, ...) { .impl = { .name = "kernel's " row_name }, .xor = kernel_ctr_##symbol },
static const struct lc_ctr_impl kernel_ctr_rows[] = {
#include "rows.def"
};
#undef LC_SMALL

/* Messages and streams, the key's secrets being there already */
static void check_ctr_calls(const struct lc_ctr_key *key, const char *impl, int in_assembly)
{
    static struct lc_ctr_state state; /* not on the stack that is searched */
    static const uint8_t zeros[2048];

    for (size_t len = 1; len <= 2048; len += len < 80 ? 1 : 61)
        for (int how = 0; how < 2; how++) {
            size_t keys_only = num_secrets;

            scrub_stack();
            if (how == 0) {
                lc_ctr_xor(key, dst, src, len, iv);
            } else {
                lc_ctr_start(&state, iv);
                lc_ctr_update(key, &state, dst, src, len);
            }
            capture();
            if (in_assembly)
                look(impl, how ? "update" : "xor", "in a register", vectors, sizeof(vectors));
            /* On the stack the key stream may not be either: that of the first block, of the last whole one, and after. */
            lc_ctr_xor(key, dst, zeros, (len + 15) / 16 * 16, iv);
            memcpy(secrets[num_secrets++], dst, 16);
            memcpy(secrets[num_secrets++], dst + (len - 1) / 16 * 16, 16);
            if (len >= 16)
                memcpy(secrets[num_secrets++], dst + (len / 16 - 1) * 16, 16);
            look_at_stack(impl, how ? "update" : "xor");
            num_secrets = keys_only;
            calls++;
        }
}

static int check_ctr(void)
{
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("ctr", i, &info) == LC_OK; i++)
        for (size_t raw_len = 16; info.runs_here && raw_len <= 32; raw_len += 8) {
            static struct lc_ctr_key key; /* not on the stack that is searched */

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
                look_at_stack(info.name, "init");
            }
            check_ctr_calls(&key, info.name, info.text_len != 0);
            for (size_t k = 0; k < sizeof(kernel_ctr_rows) / sizeof(kernel_ctr_rows[0]); k++)
                if (strcmp(kernel_ctr_rows[k].impl.name + strlen("kernel's "), info.name) == 0) {
                    key.impl = &kernel_ctr_rows[k];
                    check_ctr_calls(&key, key.impl->impl.name, 1);
                }
        }
    return 0;
}

/* Round keys, the hash key, key stream of the first and the last block, E(J0), and the tag of a forgery. */
/* ---- GCM ---- */

enum { GCM_BLOCKS = 280, MAX_MAY_STAY = 8 * LC_GCM_MANY * GCM_BLOCKS + 1000 };

static uint8_t may_stay[MAX_MAY_STAY][16];
static size_t num_may_stay;

/* The assembly has blocks with their bytes reversed. */
static void add_both_ways(uint8_t (*list)[16], size_t *num, const void *bytes)
{
    memcpy(list[*num], bytes, 16);
    for (int i = 0; i < 16; i++)
        list[*num + 1][i] = list[*num][15 - i];
    *num += 2;
}

static void add_secret(const void *bytes)
{
    add_both_ways(secrets, &num_secrets, bytes);
}

static void add_may_stay(const void *bytes)
{
    add_both_ways(may_stay, &num_may_stay, bytes);
}

/* A message's text, what has become of it, and stream_len bytes of key stream; after its end, text counts as zeros. */
static void add_text(const uint8_t *from, const uint8_t *to, size_t len, const uint8_t *stream, size_t stream_len)
{
    for (size_t at = 0; at < stream_len; at += 16) {
        uint8_t block[4][16] = { { 0 } };

        for (size_t i = 0; i < 16; i++) {
            block[0][i] = at + i < len ? from[at + i] : 0;
            block[1][i] = at + i < len ? to[at + i] : 0;
            block[2][i] = stream[at + i];
            block[3][i] = block[0][i] ^ stream[at + i];
        }
        for (size_t i = 0; i < 4; i++)
            add_may_stay(block[i]);
    }
}

/* A message's counters, and J0: public, as the nonce has 12 bytes */
static void add_counters(const uint8_t nonce[12], uint32_t num_blocks)
{
    uint8_t counter[16];

    memcpy(counter, nonce, 12);
    for (uint32_t n = 1; n <= 1 + num_blocks; n++) {
        for (uint32_t i = 0; i < 4; i++)
            counter[12 + i] = (uint8_t)(n >> (24 - 8 * i));
        add_may_stay(counter);
    }
}

/* What the assembly has in registers and isn't secret */
static void add_constants(void)
{
    static const uint64_t poly[2] = { UINT64_C(0xc200000000000000), 0 };
    uint8_t bswap[16];

    for (uint8_t i = 0; i < 16; i++)
        bswap[i] = i;
    add_may_stay(bswap);
    add_may_stay(poly);
    for (uint32_t i = 1; i <= 4; i++) {
        const uint32_t step[4] = { i, 0, 0, 0 };

        add_may_stay(step);
    }
}

static void look_in_registers(const char *impl, const char *what, size_t len)
{
    static const uint8_t zeros[16];
    const size_t lanes = has_avx512 ? VECTOR_LEN / 16 : 1, registers = has_avx512 ? VECTORS : 16;

    for (size_t r = 0; r < registers; r++)
        for (size_t lane = 0; lane < lanes; lane++) {
            const uint8_t *v = vectors + VECTOR_LEN * r + 16 * lane;
            size_t i = 0;

            if (memcmp(v, zeros, 16) == 0)
                continue;
            while (i < num_may_stay && memcmp(v, may_stay[i], 16) != 0)
                i++;
            if (i == num_may_stay) {
                if (failures++ < MAX_MESSAGES)
                    printf("%s, %s, %zu bytes: data is left in lane %zu of vector register %zu\n", impl, what, len, lane, r);
                return;
            }
        }
}

/* A call's own memory, apart from the hash, which is its answer.  first: AES(J0); the key's secrets are in the list already. */
static void look_in_group(const char *impl, const char *what, const struct lc_gcm_msg *msg, const uint8_t first[16])
{
    const size_t keys_only = num_secrets;

    add_secret(first);
    look(impl, what, "in msg->group", (const uint8_t *)msg->group, sizeof(msg->group));
    num_secrets = keys_only;
}

static struct lc_gcm_key gcm_key; /* not on the stack that is searched */
static uint8_t keystream[LC_GCM_MANY][16 * GCM_BLOCKS];

/* The key stream of the text, and AES(J0) */
static void make_keystream(const uint64_t j0[2], uint8_t *stream, uint8_t first[16])
{
    static const uint8_t zeros[16 * GCM_BLOCKS];
    static struct lc_gcm_msg msg;

    msg = (struct lc_gcm_msg){ .j0 = { j0[0], j0[1] } };
    gcm_key.impl->encrypt(&gcm_key, stream, zeros, 16 * GCM_BLOCKS, &msg, LC_GCM_MORE);
    msg = (struct lc_gcm_msg){ .j0 = { j0[0], j0[1] }, .num_done = 0xffffffff };
    gcm_key.impl->encrypt(&gcm_key, first, zeros, 16, &msg, LC_GCM_MORE);
}

/* The registers, after the assembly functions themselves */
static void check_gcm_registers(const struct lc_gcm_impl *row)
{
    static const uint64_t j0[2] = { UINT64_C(0x1122334455667788), UINT64_C(0xfe00000011223344) };
    static const size_t aad_lens[] = { 0, 1, 16, 17, 40, 64, 300 };
    static uint8_t first[16];

    clear_registers();
    row->powers(&gcm_key);
    capture();
    num_may_stay = 0;
    look_in_registers(row->impl.name, "powers", 0);
    make_keystream(j0, keystream[0], first);

    for (size_t len = 0; len <= 600; len += len < 130 ? 1 : 11)
        for (size_t a = 0; a < sizeof(aad_lens) / sizeof(aad_lens[0]); a++)
            for (unsigned i = 0; i < 4; i++) {
                const unsigned decrypt = i % 2, how = i / 2 ? LC_GCM_LAST : LC_GCM_MORE;
                const size_t this_len = how == LC_GCM_LAST ? len : len & ~(size_t)15;
                struct lc_gcm_msg msg = { .aad = src + 1000,
                                          .aad_len = aad_lens[a],
                                          .j0 = { j0[0], j0[1] },
                                          .hash = { 5, 6 },
                                          .num_bits = { 8 * this_len, 8 * aad_lens[a] } };

                clear_registers();
                (decrypt ? row->decrypt : row->encrypt)(&gcm_key, dst, src, this_len, &msg, how);
                capture();
                num_may_stay = 0;
                add_constants();
                add_text(src, dst, this_len, keystream[0], this_len + 64);
                look_in_registers(row->impl.name, decrypt ? "decrypt" : "encrypt", this_len);
                look_in_group(row->impl.name, decrypt ? "decrypt" : "encrypt", &msg, first);
                calls++;
            }
}

/* The same for whole messages and first pieces, whose counters the assembly makes itself, and others whose counters are public */
static void check_gcm_whole_registers(const struct lc_gcm_impl *row)
{
    static const uint8_t nonce[12] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc };
    static const size_t aad_lens[] = { 0, 1, 13, 16, 17, 40, 64, 300 };
    static uint8_t first[16], tag[16];
    uint64_t j0[2] = { 0, UINT64_C(1) << 56 };

    memcpy(j0, nonce, 8);
    for (unsigned i = 0; i < 4; i++)
        j0[1] |= (uint64_t)nonce[8 + i] << (8 * i);
    make_keystream(j0, keystream[0], first);
    for (size_t len = 0; len <= 4400; len += len < 300 ? 1 : len < 1400 ? 61 : 257) /* counters carry at 4064 */
        for (size_t a = 0; a < sizeof(aad_lens) / sizeof(aad_lens[0]); a++)
            for (unsigned i = 0; i < (a ? 2 : len < 16 ? 4 : 6); i++) { /* a first piece has text */
                static const char *const whats[] = { "encrypt, whole",  "decrypt, whole",       "encrypt, public",
                                                     "decrypt, public", "encrypt, first piece", "decrypt, first piece" };
                static const unsigned hows[] = { LC_GCM_WHOLE, LC_GCM_PUBLIC, LC_GCM_FROM_NONCE };
                const unsigned how = hows[i / 2];
                const size_t this_len = i / 2 ? len & ~(size_t)15 : len;
                struct lc_gcm_msg msg = {
                    .aad = src + 1000, .aad_len = aad_lens[a], .j0 = { j0[0], j0[1] }, .nonce = nonce, .tag = tag
                };

                clear_registers();
                (i % 2 ? row->decrypt : row->encrypt)(&gcm_key, dst, src, this_len, &msg, how);
                capture();
                num_may_stay = 0;
                add_constants();
                add_text(src, dst, this_len, keystream[0], this_len + 64);
                add_counters(nonce, (uint32_t)(this_len / 16 + 4));
                look_in_registers(row->impl.name, whats[i], this_len);
                look_in_group(row->impl.name, whats[i], &msg, first);
                calls++;
            }
}

/* .. and those without text that have a function of their own */
static void check_gcm_empty_registers(const struct lc_gcm_impl *row)
{
    static const uint8_t nonce[12] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc };
    static uint8_t tag[16];

    for (size_t aad_len = 0; aad_len < row->empty_limit; aad_len++) {
        /* sealed, opened, and a forgery, of which the right tag is a secret */
        for (int i = 0; i < 3; i++) {
            clear_registers();
            (void)row->empty(&gcm_key, i ? NULL : tag, src + 1000, aad_len, nonce, i ? tag : NULL);
            capture();
            num_may_stay = 0;
            add_constants();
            look_in_registers(row->impl.name, "empty", aad_len);
            tag[0] ^= i;
            calls++;
        }
    }
}

/* The kernel module's code of the rows that it has: kernel_gcm.S */
#define LC_SMALL
#define LC_WITHOUT_PORTABLE
#define ROW_GCM(row_name, symbol, ...) lc_gcm_crypt_fn kernel_gcm_encrypt_##symbol, kernel_gcm_decrypt_##symbol;
#include "rows.def"
#define LC_WITHOUT_PORTABLE
#define ROW_GCM(row_name, symbol, ...)                                                                                             \
    { .impl = { .name = "kernel's " row_name }, .encrypt = kernel_gcm_encrypt_##symbol, .decrypt = kernel_gcm_decrypt_##symbol },
static const struct lc_gcm_impl kernel_rows[] = {
#include "rows.def"
};
#undef LC_SMALL

static void check_kernel_gcm_registers(const char *impl)
{
    for (size_t i = 0; i < sizeof(kernel_rows) / sizeof(kernel_rows[0]); i++)
        if (strcmp(kernel_rows[i].impl.name + strlen("kernel's "), impl) == 0)
            check_gcm_whole_registers(&kernel_rows[i]);
}

static void check_gcm_many_registers(const struct lc_gcm_impl *row)
{
    static uint8_t first[16], nonces[LC_GCM_MANY][12], tags[LC_GCM_MANY][16];
    static struct lc_aead_item items[LC_GCM_MANY];

    for (size_t i = 0; i < LC_GCM_MANY; i++) {
        uint64_t j0[2] = { 0, 0 };

        memset(nonces[i], (int)i + 1, 12);
        memcpy(j0, nonces[i], 12);
        j0[1] |= UINT64_C(1) << 56;
        make_keystream(j0, keystream[i], first);
    }
    for (size_t len = 0; len <= row->many_len; len += len < 128 ? 1 : 3)
        for (int decrypt = 0; decrypt < 2; decrypt++) {
            struct lc_aead_item *pointers[LC_GCM_MANY];
            const size_t lens[LC_GCM_MANY] = { len, row->many_len - len, 0, len / 3 };

            for (size_t i = 0; i < row->num_many; i++) {
                items[i] =
                    (struct lc_aead_item){ dst + 512 * i, tags[i], src + 512 * i, lens[i], src, (len + i) % 17, nonces[i], 0 };
                pointers[i] = &items[i];
            }
            clear_registers();
            (void)row->many(&gcm_key, pointers, decrypt);
            capture();
            num_may_stay = 0;
            add_constants();
            for (size_t i = 0; i < row->num_many; i++) {
                add_text(src + 512 * i, dst + 512 * i, lens[i], keystream[i], LC_GCM_MANY_LEN);
                add_counters(nonces[i], LC_GCM_MANY_LEN / 16 + 4);
            }
            look_in_registers(row->impl.name, decrypt ? "many, opened" : "many, sealed", len);
            calls++;
        }
}

/* The stack, after the public functions.  The key's secrets are in the list already. */
static int check_gcm_stack(const char *impl, const uint8_t *nonce, size_t nonce_len, size_t len, size_t aad_len)
{
    enum { SEAL, OPEN, FORGERY, STREAM, SEAL_MANY, OPEN_MANY, NUM_CALLS };
    static const char *const names[] = { "seal", "open", "open of a forgery", "stream", "seal_many", "open_many" };
    static const uint8_t zeros[16], wrong[16];
    static struct lc_gcm_state state;
    static uint8_t ct[1024], tag[16], whole[16], first[16], empty_tag[16];
    static struct lc_aead_item item;
    const size_t keys_only = num_secrets, last = len ? (len - 1) / 16 * 16 : 0;
    int status = lc_gcm_start(&state, &gcm_key, nonce, nonce_len);

    /* J0 if it is a hash; AES(J0); key stream; the hash after every block */
    if (nonce_len != 12)
        add_secret(state.j0);
    make_keystream(state.j0, keystream[0], first);
    add_secret(first);
    add_secret(keystream[0]);
    add_secret(keystream[0] + last);
    for (size_t at = 0; at < aad_len && status == LC_OK; at += 16) {
        status = lc_gcm_aad(&state, src + at, aad_len - at < 16 ? aad_len - at : 16);
        if (memcmp(state.hash, zeros, 16) != 0)
            add_secret(state.hash);
    }
    for (size_t at = 0; at < len && status == LC_OK; at += 16) {
        status = lc_gcm_encrypt(&state, ct + at, src + at, len - at < 16 ? len - at : 16);
        if (memcmp(state.hash, zeros, 16) != 0)
            add_secret(state.hash);
    }
    if (status != LC_OK || lc_gcm_tag(&state, whole, 16) != LC_OK)
        return 1;
    /* What fills a batch up has a nonce of zeros, and its tag is AES(J0). */
    if (lc_gcm_seal(&gcm_key, NULL, empty_tag, 16, NULL, 0, NULL, 0, zeros, 12) != LC_OK)
        return 1;
    add_secret(empty_tag);

    for (int call = 0; call < (nonce_len == 12 ? NUM_CALLS : SEAL_MANY); call++) {
        const size_t tag_len = len % 2 || call >= SEAL_MANY ? 16 : 12, common = num_secrets;

        memcpy(tag, whole, 16);
        item = (struct lc_aead_item){ dst, tag, call == SEAL_MANY ? src : ct, len, src, aad_len, nonce, 0 };
        scrub_stack();
        clear_registers();
        switch (call) {
        case SEAL: status = lc_gcm_seal(&gcm_key, dst, tag, tag_len, src, len, src, aad_len, nonce, nonce_len); break;
        case OPEN: status = lc_gcm_open(&gcm_key, dst, ct, len, tag, tag_len, src, aad_len, nonce, nonce_len); break;
        case FORGERY: status = lc_gcm_open(&gcm_key, dst, ct, len, wrong, tag_len, src, aad_len, nonce, nonce_len); break;
        case STREAM:
            status = lc_gcm_start(&state, &gcm_key, nonce, nonce_len);
            status |= lc_gcm_aad(&state, src, aad_len);
            status |= lc_gcm_encrypt(&state, dst, src, len);
            status |= lc_gcm_tag(&state, tag, tag_len);
            break;
        case SEAL_MANY: status = lc_gcm_seal_many(&gcm_key, &item, 1); break;
        default: status = lc_gcm_open_many(&gcm_key, &item, 1);
        }
        capture();
        if (status != (call == FORGERY ? LC_ERR_AUTH : LC_OK))
            return 1;
        if (call == STREAM) {
            look_in_state(impl, "tag", &state, sizeof(state), whole);
            status = lc_gcm_start(&state, &gcm_key, nonce, nonce_len);
            status |= lc_gcm_aad(&state, src, aad_len);
            status |= lc_gcm_decrypt(&state, dst, ct, len);
            if (status != LC_OK || lc_gcm_verify(&state, wrong, tag_len) != LC_ERR_AUTH)
                return 1;
            look_in_state(impl, "verify", &state, sizeof(state), whole);
        }
        if (tag_len < 16 || call == FORGERY)
            add_secret(whole); /* the rest of a short tag, and the right one instead of a forger's */
        look_at_stack(impl, names[call]);
        num_secrets = common;
        calls++;
    }
    num_secrets = keys_only;
    return 0;
}

static int check_gcm(void)
{
    static const uint8_t nonce[20] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4 };
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("gcm", i, &info) == LC_OK; i++)
        for (size_t raw_len = 16; info.runs_here && raw_len <= 32; raw_len += 8) {
            static const uint8_t zeros[16];

            for (size_t k = 0; k < raw_len; k++)
                raw[k] = (uint8_t)(k * 37 + 5 * raw_len + i);
            num_secrets = 0;
            scrub_stack();
            if (lc_gcm_init_impl(&gcm_key, info.name, raw, raw_len) != LC_OK)
                return 1;
            capture();
            add_schedule((const uint8_t(*)[16])gcm_key.enc);
            for (size_t p = 0; p < sizeof(gcm_key.powers) / 16; p++)
                if (memcmp(gcm_key.powers[p], zeros, 16) != 0)
                    add_secret(gcm_key.powers[p]);
            look_at_stack(info.name, "init");
            if (info.text_len) {
                look(info.name, "init", "in a register", vectors, sizeof(vectors));
                check_gcm_registers(gcm_key.impl);
                check_gcm_empty_registers(gcm_key.impl);
                if (gcm_key.impl->knows_nonce)
                    check_gcm_whole_registers(gcm_key.impl);
                if (raw_len == 16)
                    check_kernel_gcm_registers(info.name);
                if (gcm_key.impl->many)
                    check_gcm_many_registers(gcm_key.impl);
            }
            for (size_t len = 0; len <= 600; len += len < 40 ? 1 : 61)
                if (check_gcm_stack(info.name, nonce, 12, len, len % 37) != 0 ||
                    check_gcm_stack(info.name, nonce, 1 + len % 20, len, 16 + len % 50) != 0)
                    return 1;
        }
    return 0;
}

/* ---- ChaCha20, Poly1305 and ChaCha20-Poly1305 ---- */

enum { CHAPOLY_MAX_LEN = 2048, CHAPOLY_STACK_LEN = 4400 };

static const uint8_t chapoly_nonce[24] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4 };
static uint8_t chapoly_stream[64 + CHAPOLY_STACK_LEN + 64];
/* No piece of it is in the text, which is a secret when it is a forgery's. */
static uint8_t aad[50];

static void start_run(struct lc_chacha20_run *run, uint64_t apart)
{
    uint32_t words[4] = { 0 };

    memset(run, 0, sizeof(*run));
    memcpy(&words[1], chapoly_nonce, 12);
    lc_chacha20_load(run, raw, words);
    for (uint32_t i = 0; i < 64; i++)
        run->ivs[i / 16][i % 16] = words[i / 16] + (i < 16 ? i : 0);
    run->apart = apart;
    run->src = src;
    run->dst = dst;
    run->hashed = src + 4096;
    memcpy(run->poly.r, raw, 16);
    run->poly.r[0] &= UINT64_C(0x0ffffffc0fffffff);
    run->poly.r[1] &= UINT64_C(0x0ffffffc0ffffffc);
    run->s1 = run->poly.r[1] + run->poly.r[1] / 4;
    memcpy(run->rm, run->poly.r, 16);
}

/* Key stream from block 0 on */
static void make_chacha20_stream(const uint8_t key[32])
{
    static const uint8_t zeros[sizeof(chapoly_stream)];
    uint32_t words[4] = { 0 };

    memcpy(&words[1], chapoly_nonce, 12);
    lc_chacha20_xor_portable(chapoly_stream, zeros, sizeof(chapoly_stream), key, words);
}

/* Text, key stream, and what they are made of that isn't secret */
static void allow_chacha20(size_t len, uint64_t apart)
{
    static const uint8_t rotations[2][16] = { { 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13 },
                                              { 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14 } };
    uint32_t words[4] = { 0 };

    num_may_stay = 0;
    add_text(src, dst, len, chapoly_stream + 64 * apart, (len + 63) / 64 * 64);
    for (size_t at = 0; at < 64; at += 16)
        add_may_stay(chapoly_stream + at);
    add_may_stay("expand 32-byte k");
    add_may_stay(rotations[0]);
    add_may_stay(rotations[1]);
    memcpy(&words[1], chapoly_nonce, 12);
    for (words[0] = 0; words[0] <= 64; words[0]++)
        add_may_stay(words);
}

/*
 * Block 0, made by general registers: neither its words nor what they were before the first ones were added, which gives the key.
 * beside: what it went beside, which leaves addresses in these registers, and lengths.
 */
static void look_for_block(const char *name, const char *beside, const struct lc_chacha20_run *run)
{
    for (size_t i = 0; i < 8; i++)
        for (size_t w = 0; w < 16; w++) {
            uint32_t word, first = w == 12 ? 0 : run->words[w];

            memcpy(&word, chapoly_stream + 4 * w, 4);
            if ((general[i] == word || general[i] == (uint32_t)(word - first)) && failures++ < MAX_MESSAGES)
                printf("%s, %s: block 0's word %zu is left in general register %zu\n", name, beside, w, i);
        }
    for (size_t i = 0; i < sizeof(run->single) / sizeof(*run->single); i++)
        if (run->single[i] && failures++ < MAX_MESSAGES)
            printf("%s, %s: a word of a block's scratch memory isn't wiped\n", name, beside);
}

static void check_chacha20_registers(const char *name, const struct lc_chacha20_shape *shape)
{
    static struct lc_chacha20_run run;

    make_chacha20_stream(raw);
    for (unsigned how = 0; how < 14; how++)
        for (size_t passes = how / 2 == 4 || how / 2 == 6 ? 2 : 1; passes <= 2; passes++) {
            const int is_there[7] = { 1, 1, shape->more > 0, shape->more > 64, shape->pairs, 1, shape->pairs };
            const size_t len = 64 * (passes * shape->num_blocks - how % 2);

            if (!is_there[how / 2])
                continue;
            start_run(&run, how % 2);
            clear_registers();
            shape->columns(&run, passes, how / 2);
            capture();
            allow_chacha20(len, how % 2);
            look_in_registers(name, "columns", len);
            calls++;
        }
    for (unsigned missing = 1; shape->pairs && missing <= 511; missing += 51) { /* of the last pair's */
        const unsigned apart = missing / 51 % 2;
        const size_t len = 64 * (2 * shape->num_blocks - apart) - missing;

        start_run(&run, apart);
        clear_registers();
        shape->columns(&run, 2, 4 + 256 * missing);
        capture();
        allow_chacha20(len, apart);
        look_in_registers(name, "columns in a pair, not all", len);
        calls++;
    }
    for (unsigned missing = 0; shape->first_beside && missing <= 255; missing += 51) {
        const size_t len = 64 * shape->num_blocks - missing;

        start_run(&run, 0);
        clear_registers();
        shape->columns(&run, 1, 8 + 256 * missing);
        capture_general();
        capture();
        look_for_block(name, "columns", &run);
        allow_chacha20(len, 1);
        look_in_registers(name, "columns and block 0", len);
        calls++;
    }
    for (size_t len = 257; shape->first_beside && len <= 512; len++) {
        start_run(&run, 0);
        clear_registers();
        shape->rows(&run, dst, src, len, 2);
        capture_general();
        capture();
        look_for_block(name, "rows", &run);
        allow_chacha20(len, 1);
        look_in_registers(name, "rows and block 0", len);
        calls++;
    }
    if (shape->block) {
        start_run(&run, 0);
        clear_registers();
        shape->block(&run);
        capture_general();
        capture();
        /* The state before the first words are added: with a known key stream that is the key. */
        for (size_t i = 0; i < 8; i++)
            if (general[i] && failures++ < MAX_MESSAGES)
                printf("%s, block: data is left in general register %zu\n", name, i);
        allow_chacha20(0, 0);
        look_in_registers(name, "block", 64);
        for (size_t i = 0; i < sizeof(run.single) / sizeof(*run.single); i++)
            if (run.single[i] && failures++ < MAX_MESSAGES)
                printf("%s, block: a word of its scratch memory isn't wiped\n", name);
        calls++;
    }
    for (uint64_t how = 0; how < (shape->rows_hash ? 3 : 2); how++) /* 2: Poly1305 beside them */
        for (size_t len = 1, apart = how % 2; len + 64 * apart <= (how < 2 ? shape->rows_len : 4 * shape->rows_hash); len++) {
            start_run(&run, 0);
            clear_registers();
            shape->rows(&run, dst, src, len, (unsigned)(how < 2 ? apart : 256 * (1 + len % 10)));
            capture_general();
            capture();
            for (size_t i = 0; how == 2 && i < 8; i++)
                for (size_t word = 0; word < 2; word++)
                    if (general[i] == run.poly.h[word] && failures++ < MAX_MESSAGES)
                        printf("%s, rows: the sum's word %zu is left in general register %zu\n", name, word, i);
            allow_chacha20(len, apart);
            look_in_registers(name, "rows", len);
            calls++;
        }
}

/* Nothing but the message and constants of avx512_ifma may stay */
static void check_poly1305_registers(const struct lc_poly1305_impl *row)
{
    static const uint64_t constants[][2] = { { (UINT64_C(1) << 44) - 1, (UINT64_C(1) << 44) - 1 },
                                             { (UINT64_C(1) << 42) - 1, (UINT64_C(1) << 42) - 1 },
                                             { UINT64_C(1) << 40, UINT64_C(1) << 40 },
                                             { 5 << 10, 5 << 10 } };
    static struct lc_poly1305_state s;

    for (size_t len = 16; len <= CHAPOLY_MAX_LEN; len += 16) {
        memset(&s, 0, sizeof(s));
        lc_poly1305_load_key(s.r, s.s, raw);
        for (size_t i = 0; i < 2; i++) { /* without powers, with them */
            clear_registers();
            row->blocks(&s, src, len, 1);
            capture();
            num_may_stay = 0;
            for (size_t c = 0; c < sizeof(constants) / sizeof(constants[0]); c++)
                add_may_stay(constants[c]);
            for (size_t at = 0; at < len; at += 16)
                add_may_stay(src + at);
            look_in_registers(row->impl.name, "blocks", len);
            calls++;
        }
    }
}

static void add_secrets(const void *bytes, size_t len)
{
    static const uint8_t zeros[16];

    for (size_t at = 0; at + 16 <= len; at += 16)
        if (memcmp((const uint8_t *)bytes + at, zeros, 16) != 0)
            memcpy(secrets[num_secrets++], (const uint8_t *)bytes + at, 16);
}

/* A key, as it is and by words in all lanes */
static void add_chacha20_key(const uint8_t key[32])
{
    add_secrets(key, 32);
    for (size_t i = 0; i < 32; i += 4) {
        uint8_t word[16];

        for (size_t j = 0; j < 16; j++)
            word[j] = key[i + j % 4];
        add_secrets(word, 16);
    }
}

/* r, s, powers of r in all forms that there are, and the sum after every block of msg */
static void add_poly1305_secrets(const uint8_t key[32], const uint8_t *msg, size_t len)
{
    static const uint8_t zeros[16];
    static struct lc_poly1305_state s;
    struct lc_impl_info info;

    add_secrets(key, 32);
    if (lc_poly1305_start_impl(&s, "poly1305-portable", key) != LC_OK)
        return;
    memcpy(s.h, s.r, 16);
    for (size_t i = 1; i <= 30; i++) {
        add_secrets(s.h, 16);
        lc_poly1305_blocks_portable(&s, zeros, 16, 0);
    }
    memset(s.h, 0, sizeof(s.h));
    for (size_t at = 0; at + 16 <= len; at += 16) {
        lc_poly1305_blocks_portable(&s, msg + at, 16, 1);
        add_secrets(s.h, 16);
    }
    for (size_t i = 0; lc_impl_get("poly1305", i, &info) == LC_OK; i++)
        if (info.runs_here && lc_poly1305_start_impl(&s, info.name, key) == LC_OK) {
            lc_poly1305_update(&s, src, 1024);
            add_secrets(s.powers, sizeof(s.powers));
        }
}

static int check_chapoly_stack(const char *impl, size_t len, size_t aad_len)
{
    enum { SEAL, OPEN, IN_PLACE, FORGERY, STREAM, OPEN_STREAM, SEAL_MANY, OPEN_MANY, X_SEAL, X_OPEN, X_FORGERY, NUM_CALLS };
    static const char *const names[] = { "seal",    "open",          "open in place",       "open of a forgery",
                                         "stream",  "opened stream", "seal_many",           "open_many",
                                         "X: seal", "X: open",       "X: open of a forgery" };
    static const uint8_t wrong[16];
    static struct lc_chacha20poly1305_key key, subkey;
    static struct lc_chacha20poly1305_state state;
    static uint8_t ct[CHAPOLY_STACK_LEN], tag[16], whole[16], x_ct[CHAPOLY_STACK_LEN], x_tag[16];
    static uint8_t hashed[2 * CHAPOLY_STACK_LEN + 32], block[64], x_nonce[12];
    static struct lc_aead_item item;
    const uint64_t lens[2] = { aad_len, len };
    const size_t first_len = len % 2 ? len / 3 : len / 3 / 64 * 64; /* after whole blocks it goes on by passes */
    size_t hashed_len = (aad_len + 15) / 16 * 16;
    uint32_t words[4];
    int status;

    if (lc_chacha20poly1305_init_impl(&key, impl, raw, 32) != LC_OK ||
        lc_chacha20poly1305_seal(&key, ct, whole, 16, src, len, aad, aad_len, chapoly_nonce, 12) != LC_OK ||
        lc_xchacha20poly1305_seal(&key, x_ct, x_tag, 16, src, len, aad, aad_len, chapoly_nonce, 24) != LC_OK)
        return 1;
    num_secrets = 0;
    make_chacha20_stream(raw);
    add_chacha20_key(raw);
    add_secrets(chapoly_stream, 64 + (len + 63) / 64 * 64);
    memset(hashed, 0, sizeof(hashed));
    memcpy(hashed, aad, aad_len);
    memcpy(hashed + hashed_len, ct, len);
    hashed_len += (len + 15) / 16 * 16;
    memcpy(hashed + hashed_len, lens, 16);
    add_poly1305_secrets(chapoly_stream, hashed, hashed_len + 16);
    /* the subkey, by HChaCha20 as block minus input, and its one-time key */
    memcpy(words, chapoly_nonce, 16);
    memset(block, 0, 64);
    lc_chacha20_xor_portable(block, block, 64, raw, words);
    for (size_t i = 0; i < 4; i++) {
        uint32_t w[2], constant;

        memcpy(&constant, &"expand 32-byte k"[4 * i], 4);
        memcpy(&w[0], block + 4 * i, 4);
        memcpy(&w[1], block + 48 + 4 * i, 4);
        w[0] -= constant;
        w[1] -= words[i];
        memcpy(subkey.raw + 4 * i, &w[0], 4);
        memcpy(subkey.raw + 16 + 4 * i, &w[1], 4);
    }
    add_chacha20_key(subkey.raw);
    memcpy(x_nonce + 4, chapoly_nonce + 16, 8);
    memcpy(words + 1, x_nonce, 12);
    words[0] = 0;
    memset(block, 0, 64);
    lc_chacha20_xor_portable(block, block, 64, subkey.raw, words);
    add_secrets(block, 64);

    for (int call = 0; call < NUM_CALLS; call++) {
        const size_t common = num_secrets;
        const uint8_t *in = call >= X_SEAL ? x_ct : ct;

        memcpy(tag, call >= X_SEAL ? x_tag : whole, 16);
        item = (struct lc_aead_item){ dst, tag, call == SEAL_MANY ? src : ct, len, aad, aad_len, chapoly_nonce, 0 };
        if (call == OPEN || call == IN_PLACE || call == FORGERY || call == OPEN_STREAM || call == OPEN_MANY || call >= X_OPEN)
            add_secrets(src, len); /* text that may not be released */
        if (call == IN_PLACE)
            memcpy(dst, ct, len);
        scrub_stack();
        clear_registers();
        switch (call) {
        case SEAL: status = lc_chacha20poly1305_seal(&key, dst, tag, 16, src, len, aad, aad_len, chapoly_nonce, 12); break;
        case OPEN: status = lc_chacha20poly1305_open(&key, dst, in, len, tag, 16, aad, aad_len, chapoly_nonce, 12); break;
        case IN_PLACE: status = lc_chacha20poly1305_open(&key, dst, dst, len, tag, 16, aad, aad_len, chapoly_nonce, 12); break;
        case FORGERY: status = lc_chacha20poly1305_open(&key, dst, in, len, wrong, 16, aad, aad_len, chapoly_nonce, 12); break;
        case STREAM:
            status = lc_chacha20poly1305_start(&state, &key, chapoly_nonce, 12);
            status |= lc_chacha20poly1305_aad(&state, aad, aad_len);
            status |= lc_chacha20poly1305_encrypt(&state, dst, src, first_len);
            status |= lc_chacha20poly1305_encrypt(&state, dst + first_len, src + first_len, len - first_len);
            status |= lc_chacha20poly1305_tag(&state, tag, 16);
            break;
        case OPEN_STREAM:
            status = lc_chacha20poly1305_start(&state, &key, chapoly_nonce, 12);
            status |= lc_chacha20poly1305_aad(&state, aad, aad_len);
            status |= lc_chacha20poly1305_decrypt(&state, dst, ct, first_len);
            status |= lc_chacha20poly1305_decrypt(&state, dst + first_len, ct + first_len, len - first_len);
            status |= lc_chacha20poly1305_verify(&state, whole, 16);
            break;
        case SEAL_MANY: status = lc_chacha20poly1305_seal_many(&key, &item, 1); break;
        case OPEN_MANY: status = lc_chacha20poly1305_open_many(&key, &item, 1); break;
        case X_SEAL: status = lc_xchacha20poly1305_seal(&key, dst, tag, 16, src, len, aad, aad_len, chapoly_nonce, 24); break;
        case X_OPEN: status = lc_xchacha20poly1305_open(&key, dst, in, len, tag, 16, aad, aad_len, chapoly_nonce, 24); break;
        default: status = lc_xchacha20poly1305_open(&key, dst, in, len, wrong, 16, aad, aad_len, chapoly_nonce, 24);
        }
        capture();
        if (status != (call == FORGERY || call == X_FORGERY ? LC_ERR_AUTH : LC_OK))
            return 1;
        if (call == STREAM) {
            look_in_state(impl, "tag", &state, sizeof(state), whole);
            status = lc_chacha20poly1305_start(&state, &key, chapoly_nonce, 12);
            status |= lc_chacha20poly1305_aad(&state, aad, aad_len);
            status |= lc_chacha20poly1305_decrypt(&state, dst, ct, len);
            if (status != LC_OK || lc_chacha20poly1305_verify(&state, wrong, 16) != LC_ERR_AUTH)
                return 1;
            look_in_state(impl, "verify", &state, sizeof(state), whole);
        }
        if (call == FORGERY || call == X_FORGERY)
            add_secrets(call == FORGERY ? whole : x_tag, 16); /* the right tag instead of a forger's */
        look_at_stack(impl, names[call]);
        num_secrets = common;
        calls++;
    }
    return 0;
}

enum { MOST_CHAPOLY_PIECE = 3072 };

/* A stream's piece of whole passes, late in a message: one of them may have key stream made ahead for the next. */
static int check_chapoly_piece(const char *impl, size_t piece_len)
{
    enum { BEFORE = 8192, LEN = BEFORE + MOST_CHAPOLY_PIECE };
    static const char *const names[] = { "late piece", "opened late piece" };
    const size_t len = BEFORE + piece_len;
    static struct lc_chacha20poly1305_key key;
    static struct lc_chacha20poly1305_state state;
    static uint8_t text[LEN], ct[LEN], tag[16], stream[MOST_CHAPOLY_PIECE + 1024];
    uint32_t words[4] = { 1 + BEFORE / 64 };

    memcpy(words + 1, chapoly_nonce, 12);
    memset(text, 0xa7, LEN); /* else the key stream would be no secret */
    for (int open = 0; open < 2; open++) {
        const uint8_t *in = open ? ct : text;
        int status;

        if (lc_chacha20poly1305_init_impl(&key, impl, raw, 32) != LC_OK ||
            lc_chacha20poly1305_seal(&key, ct, tag, 16, text, len, NULL, 0, chapoly_nonce, 12) != LC_OK)
            return 1;
        num_secrets = 0;
        make_chacha20_stream(raw);
        add_chacha20_key(raw);
        memset(stream, 0, sizeof(stream));
        lc_chacha20_xor_portable(stream, stream, sizeof(stream), raw, words);
        add_secrets(stream, sizeof(stream));
        add_poly1305_secrets(chapoly_stream, ct, len);
        if (lc_chacha20poly1305_start(&state, &key, chapoly_nonce, 12) != LC_OK ||
            (open ? lc_chacha20poly1305_decrypt : lc_chacha20poly1305_encrypt)(&state, ct, in, BEFORE) != LC_OK)
            return 1;
        scrub_stack();
        clear_registers();
        if (open)
            status = lc_chacha20poly1305_decrypt(&state, dst, ct + BEFORE, piece_len);
        else
            status = lc_chacha20poly1305_encrypt(&state, dst, text + BEFORE, piece_len);
        capture();
        if (status != LC_OK)
            return 1;
        look_at_stack(impl, names[open]);
        calls++;
    }
    return 0;
}

/* What the last two rounds of the last four blocks go through, by words of four blocks as the portable code has them */
static void add_chacha20_rounds(const uint8_t key[32], size_t len)
{
    static const uint8_t quarters[8][4] = { { 0, 4, 8, 12 },  { 1, 5, 9, 13 },  { 2, 6, 10, 14 }, { 3, 7, 11, 15 },
                                            { 0, 5, 10, 15 }, { 1, 6, 11, 12 }, { 2, 7, 8, 13 },  { 3, 4, 9, 14 } };
    static const unsigned rotations[4] = { 16, 12, 8, 7 };
    uint32_t x[16][4], start[16] = { 0 };

    memcpy(start, "expand 32-byte k", 16);
    memcpy(start + 4, key, 32);
    memcpy(start + 13, chapoly_nonce, 12);
    for (size_t i = 0; i < 16; i++)
        for (uint32_t lane = 0; lane < 4; lane++)
            x[i][lane] = i == 12 ? (uint32_t)((len - 1) / 256 * 4) + lane : start[i];
    for (size_t n = 0; n < 10 * 8 * 4; n++) { /* a += b, d = (d ^ a) <<< 16; then c += d, b = (b ^ c) <<< 12; ... */
        const uint8_t *q = quarters[n / 4 % 8];
        uint32_t *sum = x[q[n % 2 ? 2 : 0]], *addend = x[q[n % 2 ? 3 : 1]], *turned = x[q[n % 2 ? 1 : 3]];

        for (size_t lane = 0; lane < 4; lane++) {
            sum[lane] += addend[lane];
            turned[lane] ^= sum[lane];
            turned[lane] = turned[lane] << rotations[n % 4] | turned[lane] >> (32 - rotations[n % 4]);
        }
        if (n >= 9 * 8 * 4) {
            add_secrets(sum, 16);
            add_secrets(turned, 16);
        }
    }
}

static int check_chacha20_stack(const char *impl, size_t len)
{
    static struct lc_chacha20_key key;
    static struct lc_chacha20_state state;
    static uint8_t untouched[sizeof(chapoly_stream)];
    uint32_t words[4] = { 0 };

    memcpy(words + 1, chapoly_nonce, 12);
    if (lc_chacha20_init_impl(&key, impl, raw, 32) != LC_OK)
        return 1;
    num_secrets = 0;
    make_chacha20_stream(raw);
    add_chacha20_key(raw);
    add_secrets(chapoly_stream, (len + 63) / 64 * 64);
    for (size_t i = 0; i < sizeof(untouched); i++)
        untouched[i] = chapoly_stream[i] ^ UNTOUCHED; /* what it makes of memory that nobody has written yet */
    add_secrets(untouched, (len + 63) / 64 * 64);
    add_chacha20_rounds(raw, len);
    lc_chacha20_xor_portable(dst, src, len, raw, words);
    add_secrets(dst, len); /* which may be the plaintext */
    for (int stream = 0; stream < 2; stream++) {
        int status = LC_OK;

        scrub_stack();
        if (stream) {
            lc_chacha20_start(&state, &key, chapoly_nonce, 0);
            status |= lc_chacha20_update(&state, dst, src, len / 3);
            status |= lc_chacha20_update(&state, dst + len / 3, src + len / 3, len - len / 3);
        } else {
            status = lc_chacha20_crypt(&key, dst, src, len, chapoly_nonce, 0);
        }
        capture();
        if (status != LC_OK)
            return 1;
        look_at_stack(impl, stream ? "update" : "crypt");
        calls++;
    }
    return 0;
}

static int check_poly1305_stack(const char *impl, size_t len)
{
    static struct lc_poly1305_state s;
    static uint8_t tag[16];

    num_secrets = 0;
    add_poly1305_secrets(raw, src, len);
    for (int whole = 0; whole < 2; whole++) {
        int status;

        scrub_stack();
        if (whole) {
            status = lc_poly1305(tag, src, len, raw);
        } else {
            status = lc_poly1305_start_impl(&s, impl, raw);
            lc_poly1305_update(&s, src, len / 3);
            lc_poly1305_update(&s, src + len / 3, len - len / 3);
            lc_poly1305_finish(&s, tag);
        }
        capture();
        if (status != LC_OK)
            return 1;
        look_at_stack(impl, whole ? "poly1305" : "update");
        calls++;
    }
    return 0;
}

static int check_chapoly(void)
{
    static const struct lc_chacha20_shape shapes[] = {
#define ROW_CHACHA20(name, symbol, ...) LC_CHACHA20_SHAPE_##symbol,
#define LC_WITHOUT_PORTABLE
#include "rows.def"
    };
    struct lc_impl_info info;

    for (size_t k = 0; k < 32; k++)
        raw[k] = (uint8_t)(k * 41 + 3);
    for (size_t i = 0; i < sizeof(aad); i++)
        aad[i] = (uint8_t)(i * 13 + 1);
    for (size_t i = 0; lc_impl_get("chacha20", i, &info) == LC_OK; i++) {
        if (info.runs_here && info.text_len)
            check_chacha20_registers(info.name, &shapes[i]);
        for (size_t len = 1; info.runs_here && len <= CHAPOLY_MAX_LEN; len += len < 130 ? 1 : 61)
            if (check_chacha20_stack(info.name, len) != 0)
                return 1;
    }
    for (size_t i = 0; lc_impl_get("poly1305", i, &info) == LC_OK; i++) {
        if (info.runs_here && info.text_len)
            check_poly1305_registers(&lc_poly1305_impls[i]);
        for (size_t len = 1; info.runs_here && len <= CHAPOLY_MAX_LEN; len += len < 130 ? 1 : 61)
            if (check_poly1305_stack(info.name, len) != 0)
                return 1;
    }
    for (size_t i = 0; lc_impl_get("chacha20-poly1305", i, &info) == LC_OK; i++)
        for (size_t len = 0; info.runs_here && len <= CHAPOLY_STACK_LEN; len += len < 40 ? 1 : len < 1100 ? 31 : 173)
            if (check_chapoly_stack(info.name, len, len % sizeof(aad)) != 0)
                return 1;
    for (size_t i = 0; lc_impl_get("chacha20-poly1305", i, &info) == LC_OK; i++)
        for (size_t len = 1024; info.runs_here && len <= MOST_CHAPOLY_PIECE; len += 1024)
            if (check_chapoly_piece(info.name, len) != 0)
                return 1;
    return 0;
}

/* ---- Hashes ---- */

enum { HASH_MAX_LEN = 700, HASH_ITEMS = 19 };

/* Nothing at all may stay in vector registers. */
static void look_for_zeros(const char *impl, const char *what)
{
    for (size_t i = 0; i < (has_avx512 ? sizeof(vectors) : 256); i++)
        if (vectors[i]) {
            if (failures++ < MAX_MESSAGES)
                printf("%s, %s: a vector register isn't zero, at %zu\n", impl, what, i);
            return;
        }
}

/*
 * Secret are the message, as it is and as words, and the hash value after each block; the last one isn't, of which the digest is
 * made.  A call for many has several of them, cut at the front, which a look at one's words would find.
 */
#define CHECK_HASH(hash, word, bits)                                                                                               \
    static int check_##hash##_stack(const struct lc_##hash##_impl *row, size_t len)                                                \
    {                                                                                                                              \
        static struct lc_##hash##_state state;                                                                                     \
        static struct lc_hash_item items[HASH_ITEMS];                                                                              \
        static uint8_t digests[HASH_ITEMS][64];                                                                                    \
        static word words[HASH_MAX_LEN / sizeof(word)];                                                                            \
        static word h[24];                                                                                                         \
        const size_t block_len = 16 * sizeof(word);                                                                                \
                                                                                                                                   \
        memcpy(words, src, len / sizeof(word) * sizeof(word));                                                                     \
        for (size_t i = 0; i < len / sizeof(word); i++)                                                                            \
            words[i] = __builtin_bswap##bits(words[i]);                                                                            \
        num_secrets = 0;                                                                                                           \
        add_secrets(src, len);                                                                                                     \
        add_secrets(words, len / 16 * 16);                                                                                         \
        if (lc_##hash##_start_impl(&state, row->impl.name) != LC_OK)                                                               \
            return 1;                                                                                                              \
        memcpy(h, state.h, sizeof(h));                                                                                             \
        for (size_t at = 0; at + block_len <= len; at += block_len) {                                                              \
            lc_##hash##_blocks_portable(h, src + at, 1);                                                                           \
            add_secrets(h, 8 * sizeof(word));                                                                                      \
        }                                                                                                                          \
        for (int how = 0; how < 4; how++) {                                                                                        \
            static const char *const names[] = { "update", "many", "many of one length", "one" };                                  \
            int status = LC_OK;                                                                                                    \
                                                                                                                                   \
            for (size_t i = 0; i < HASH_ITEMS; i++)                                                                                \
                items[i] = (struct lc_hash_item){ digests[i], src, how == 2 || i % 3 ? len : len / block_len * block_len };        \
            scrub_stack();                                                                                                         \
            if (how == 0) {                                                                                                        \
                status = lc_##hash##_start_impl(&state, row->impl.name);                                                           \
                lc_##hash##_update(&state, src, len / 3);                                                                          \
                lc_##hash##_update(&state, src + len / 3, len - len / 3);                                                          \
                lc_##hash##_finish(&state, digests[0]);                                                                            \
            } else if (how < 3) {                                                                                                  \
                status = lc_##hash##_many_impl(row->impl.name, items, HASH_ITEMS);                                                 \
            } else {                                                                                                               \
                status = lc_##hash(digests[0], src, len);                                                                          \
            }                                                                                                                      \
            capture();                                                                                                             \
            if (status != LC_OK)                                                                                                   \
                return 1;                                                                                                          \
            look_at_stack(row->impl.name, names[how]);                                                                             \
            calls++;                                                                                                               \
        }                                                                                                                          \
        return 0;                                                                                                                  \
    }                                                                                                                              \
                                                                                                                                   \
    static int check_##hash(void)                                                                                                  \
    {                                                                                                                              \
        static struct lc_##hash##_lanes l;                                                                                         \
        static word h[24];                                                                                                         \
        struct lc_impl_info info;                                                                                                  \
                                                                                                                                   \
        for (size_t i = 0; lc_impl_get(#hash, i, &info) == LC_OK; i++) {                                                           \
            const struct lc_##hash##_impl *row = &lc_##hash##_impls[i];                                                            \
                                                                                                                                   \
            if (!info.runs_here)                                                                                                   \
                continue;                                                                                                          \
            for (size_t n = 0; n < sizeof(l.data) / sizeof(l.data[0]); n++)                                                        \
                l.data[n] = src + n;                                                                                               \
            for (size_t num = 1; info.text_len && num <= 3; num++)                                                                 \
                for (size_t k = 0; k < 3; k++) {                                                                                   \
                    if (k < 2 ? !row->lanes[k].run : IS_C_##hash(row))                                                             \
                        continue;                                                                                                  \
                    clear_registers();                                                                                             \
                    if (k < 2)                                                                                                     \
                        row->lanes[k].run(&l, num);                                                                                \
                    else                                                                                                           \
                        row->blocks(h, src, num);                                                                                  \
                    capture();                                                                                                     \
                    look_for_zeros(info.name, k < 2 ? "lanes" : "blocks");                                                         \
                    calls++;                                                                                                       \
                }                                                                                                                  \
            for (size_t len = 1; len <= HASH_MAX_LEN; len += len < 260 ? 1 : 61)                                                   \
                if (check_##hash##_stack(row, len) != 0)                                                                           \
                    return 1;                                                                                                      \
        }                                                                                                                          \
        return 0;                                                                                                                  \
    }
#define IS_C_sha256(row) ((row)->blocks == lc_sha256_blocks_bmi2)
#define IS_C_sha512(row) 0
CHECK_HASH(sha256, uint32_t, 32)
CHECK_HASH(sha512, uint64_t, 64)
#define IS_C_sm3(row) 1
CHECK_HASH(sm3, uint32_t, 32)
/* ---- Curves ---- */

/*
 * Nothing at all may stay below the public functions' own frames, nor in xmm registers, nor in the vector registers that the C
 * library's memcpy() takes: secrets come in many forms there.  At the
 * lowest place of the stack is what the function that wipes has of its own: its call of memset().
 */
static void look_for_zeros_of_c(const char *impl, const char *what)
{
    enum { OWN_FRAMES = 4096, LOWEST = 64 };
    size_t begin = 0;

    while (begin < sizeof(stack) - OWN_FRAMES && stack[begin] == UNTOUCHED)
        begin++;
    for (size_t i = begin + LOWEST; i < sizeof(stack) - OWN_FRAMES; i++)
        if (stack[i] != 0) {
            if (failures++ < MAX_MESSAGES)
                printf("%s, %s: the stack isn't zero, at %zu\n", impl, what, i);
            return;
        }
    for (size_t i = 0; i < 16; i++) /* the registers that C code uses */
        if (memcmp(vectors + i * VECTOR_LEN, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16) != 0) {
            if (failures++ < MAX_MESSAGES)
                printf("%s, %s: xmm%zu isn't zero\n", impl, what, i);
            return;
        }
    for (size_t i = 16 * VECTOR_LEN; has_avx512 && i < sizeof(vectors); i++)
        if (vectors[i]) {
            if (failures++ < MAX_MESSAGES)
                printf("%s, %s: zmm%zu isn't zero\n", impl, what, i / VECTOR_LEN);
            return;
        }
}

#define CURVE p256
#define BITS 256
#define SIGNATURES "ecdsa-p256"
#define WITH_LEN .digest_len = BYTES,
#define MORE_SECRETS
#define SIGN(items, num, memory, len) SIG(sign_pool_with)(items, num, memory, len)
#define POOL_LEN(key, num) SIG(sign_pool_len)(key, num)
#define ECDH_MODE "ecdh-p256"
#include "check_residue_curve.h"
#undef CURVE
#undef BITS
#undef SIGNATURES
#undef ECDH_MODE
#define CURVE p384
#define BITS 384
#define SIGNATURES "ecdsa-p384"
#define ECDH_MODE "ecdh-p384"
#include "check_residue_curve.h"
#undef CURVE
#undef BITS
#undef SIGNATURES
#undef WITH_LEN
#undef MORE_SECRETS
#undef SIGN
#undef POOL_LEN
#undef ECDH_MODE
#define CURVE sm2
#define BITS 256
#define SIGNATURES "sm2"
#define WITH_LEN
#define MORE_SECRETS add_sums(&key, &job);
#define SIGN(items, num, memory, len) ((void)(memory), (void)(len), lc_sm2_sign_many_with(items, num))
#define POOL_LEN(key, num) 0
static void add_sums(const struct lc_sm2_key *key, struct lc_sm2_job *job);
#include "check_residue_curve.h"

/* 1 / (1 + d), 1 + d, r + k and its product with the first: r and s are public */
static void add_sums(const struct lc_sm2_key *key, struct lc_sm2_job *job)
{
    uint64_t t[WORDS];

    lc_mod_from_montgomery(t, key->d + WORDS, &lc_sm2_n);
    lc_sm2_add_number(t, &lc_sm2_n);
    lc_mod_from_montgomery(t, lc_sm2_n.one, &lc_sm2_n);
    lc_mod_add(t, t, key->d, &lc_sm2_n);
    lc_sm2_add_number(t, &lc_sm2_n);
    lc_sm2_finish(job, 1);
    lc_mod_add(t, job->r, job->k, &lc_sm2_n);
    lc_sm2_add_number(t, &lc_sm2_n);
}

/* ---- X25519, Ed25519: the private key's number, the nonces, the shared secret ---- */

static int check_x25519(void)
{
    static struct lc_x25519_key key;
    static struct lc_x25519_item items[9];
    static struct lc_x25519_public_item publics[9];
    static uint8_t peer[32] = { 9 }, secret[9][32];
    struct lc_impl_info info;
    uint64_t x[4];

    for (size_t i = 0; lc_impl_get("x25519", i, &info) == LC_OK; i++) {
        if (!info.runs_here)
            continue;
        scrub_stack();
        if (lc_x25519_init_impl(&key, info.name, raw, 32) != LC_OK)
            return 1;
        capture();
        num_secrets = 0;
        lc_p256_add_number(key.k, &lc_25519_p);
        look_at_stack(info.name, "init");
        look_for_zeros_of_c(info.name, "init");
        if (lc_x25519(&key, dst, peer) != LC_OK)
            return 1;
        memcpy(x, dst, sizeof(x));
        lc_p256_add_number(x, &lc_25519_p);
        memset(dst, 0, 32);
        for (size_t num = 1; num <= 9; num += 2) {
            int status;

            for (size_t k = 0; k < num; k++) {
                items[k] = (struct lc_x25519_item){ &key, secret[k], peer, 0 };
                publics[k] = (struct lc_x25519_public_item){ &key, secret[k] };
            }
            scrub_stack();
            status = lc_x25519_many(items, num);
            capture();
            if (status != LC_OK)
                return 1;
            look_at_stack(info.name, "shared");
            look_for_zeros_of_c(info.name, "shared");
            look(info.name, "shared", "in a register", vectors, sizeof(vectors));
            scrub_stack();
            lc_x25519_get_public_many(publics, num);
            capture();
            look_at_stack(info.name, "get_public");
            look_for_zeros_of_c(info.name, "get_public");
            look(info.name, "get_public", "in a register", vectors, sizeof(vectors));
            calls++;
        }
    }
    return 0;
}

/* The nonce of SHA-512(prefix || message), as ed25519.c has it */
static int add_nonce(const struct lc_ed25519_key *key, const uint8_t *msg, size_t len)
{
    static uint8_t text[4096];
    uint64_t wide[8], nonce[4];
    uint8_t digest[64];
    int status;

    memcpy(text, key->prefix, 32);
    memcpy(text + 32, msg, len);
    status = lc_sha512(digest, text, 32 + len);
    memset(text, 0, sizeof(text));
    memcpy(wide, digest, sizeof(wide));
    lc_25519_reduce(nonce, wide);
    lc_p256_add_number(nonce, &lc_25519_l);
    for (size_t i = 0; i < 64; i += 16)
        memcpy(secrets[num_secrets++], digest + i, 16);
    return status;
}

static int check_ed25519(void)
{
    static struct lc_ed25519_key key;
    static struct lc_ed25519_sign_item items[9];
    static struct lc_ed25519_public_key public_key;
    static struct lc_ed25519_verify_item checks[9];
    static uint8_t sigs[9][64], workspace[300000], seed[32];
    static const size_t lens[] = { 100, 3000 };
    struct lc_impl_info info;
    uint64_t a[8]; /* as it is hashed, before it's kept modulo L */

    if (lc_sha512((uint8_t *)a, raw, 32) != LC_OK)
        return 1;
    lc_25519_clamp(a);
    for (size_t i = 0; lc_impl_get("ed25519", i, &info) == LC_OK; i++) {
        if (!info.runs_here)
            continue;
        scrub_stack();
        if (lc_ed25519_init_impl(&key, info.name, raw, 32) != LC_OK)
            return 1;
        capture();
        num_secrets = 0;
        lc_p256_add_number(a, &lc_25519_l);
        lc_p256_add_number(key.a, &lc_25519_l);
        memcpy(secrets[num_secrets++], key.prefix, 16);
        memcpy(secrets[num_secrets++], key.prefix + 16, 16);
        look_at_stack(info.name, "init");
        look_for_zeros_of_c(info.name, "init");
        for (size_t l = 0; l < 2; l++)
            if (add_nonce(&key, src, lens[l]) != LC_OK)
                return 1;
        for (size_t num = 1; num <= 9; num += 2) {
            int status;

            for (size_t k = 0; k < num; k++)
                items[k] = (struct lc_ed25519_sign_item){ &key, sigs[k], src, lens[k % 4 == 2], 0 };
            scrub_stack();
            status = lc_ed25519_sign_many(items, num);
            capture();
            if (status != LC_OK)
                return 1;
            look_at_stack(info.name, "sign");
            look_for_zeros_of_c(info.name, "sign");
            look(info.name, "sign", "in a register", vectors, sizeof(vectors));
            if (lc_ed25519_public_init_impl(&public_key, info.name, key.public_key, sizeof(key.public_key)) != LC_OK)
                return 1;
            for (size_t k = 0; k < num; k++)
                checks[k] = (struct lc_ed25519_verify_item){ &public_key, sigs[k], src, items[k].len, 0 };
            scrub_stack();
            status = lc_ed25519_verify_many(checks, num);
            capture();
            if (status != LC_OK)
                return 1;
            look_at_stack(info.name, "verify");
            scrub_stack();
            status = lc_ed25519_verify_batch(checks, num, seed, workspace, sizeof(workspace));
            capture();
            if (status != LC_OK)
                return 1;
            look_at_stack(info.name, "verify_batch");
            calls++;
        }
    }
    return 0;
}

/* ---- RSA: primes, exponents, 1/q; what is encrypted, its seed, and both masked ---- */

static void add_words(const uint64_t *words, size_t num)
{
    for (size_t i = 0; i < num; i += 2)
        memcpy(secrets[num_secrets++], words + i, 16);
}

static void look_at_captured(const char *impl, const char *what)
{
    look_at_stack(impl, what);
    look_for_zeros_of_c(impl, what);
    look(impl, what, "in a register", vectors, sizeof(vectors));
    calls++;
}

/* Encryption of `num` messages, and decryption, with another label for one of several.  The key's secrets are there already. */
static int check_oaep(const char *impl, const struct lc_rsa_key *key, size_t num)
{
    static struct lc_rsa_encrypt_item encrypt[9];
    static struct lc_rsa_decrypt_item decrypt[9];
    static struct lc_rsa_public_key public_key;
    static uint8_t places[9][LC_RSA_MAX_LEN], out[9][LC_RSA_MAX_LEN];
    const uint8_t *const msg = src + 1024, *const seed = src + 2048;
    const size_t msg_len = 64, before = num_secrets;
    int status;

    lc_rsa_get_public(key, &public_key);
    for (size_t i = 0; i < msg_len; i += 16)
        memcpy(secrets[num_secrets++], msg + i, 16);
    for (size_t i = 0; i < 32; i += 16)
        memcpy(secrets[num_secrets++], seed + i, 16);
    for (size_t k = 0; k < num; k++) {
        encrypt[k] = (struct lc_rsa_encrypt_item){ &public_key, places[k], LC_RSA_SHA256, msg, msg_len, NULL, 0, seed, 0 };
        decrypt[k] =
            (struct lc_rsa_decrypt_item){ key, out[k], 0, LC_RSA_SHA256, places[k], lc_rsa_len(key), src, k == 1 ? 1 : 0, 0 };
    }
    scrub_stack();
    status = lc_rsa_oaep_encrypt_many_with(encrypt, num);
    capture();
    look_at_captured(impl, "encrypt");
    if (status != LC_OK)
        return 1;
    scrub_stack();
    status = lc_rsa_oaep_decrypt_many(decrypt, num);
    capture();
    look_at_captured(impl, "decrypt");
    num_secrets = before;
    return status != (num > 1 ? LC_ERR_CIPHERTEXT : LC_OK) || memcmp(out[0], msg, msg_len) != 0;
}

/* The same without a padding.  What comes of it is a secret, too. */
static int check_private(const char *impl, const struct lc_rsa_key *key, size_t num)
{
    static struct lc_rsa_private_item items[9];
    static uint8_t out[9][LC_RSA_MAX_LEN], in[LC_RSA_MAX_LEN];
    const size_t before = num_secrets, len = lc_rsa_len(key);

    memcpy(in + 1, src, len - 1); /* below n */
    for (int after = 0; after < 2; after++) {
        int status;

        for (size_t i = 0; after && i + 16 <= 256; i += 16)
            memcpy(secrets[num_secrets++], out[0] + i, 16);
        for (size_t k = 0; k < num; k++)
            items[k] = (struct lc_rsa_private_item){ key, out[k], in, 0 };
        scrub_stack();
        status = lc_rsa_private_many(items, num);
        capture();
        look_at_captured(impl, "without a padding");
        if (status != LC_OK)
            return 1;
    }
    num_secrets = before;
    return 0;
}

static int check_rsa(void)
{
    static struct lc_rsa_key key;
    static struct lc_rsa_sign_item items[9];
    static uint8_t der[RSA_MAX_DER_LEN], sigs[9][LC_RSA_MAX_LEN];
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("rsa", i, &info) == LC_OK; i++)
        for (size_t number = 0; info.runs_here && number < RSA_NUM_KEYS; number += 2) {
            const size_t len = rsa_key_der(der, number);
            int status;

            scrub_stack();
            status = lc_rsa_init_der_impl(&key, info.name, der, len);
            capture();
            if (status != LC_OK)
                return 1;
            num_secrets = 0;
            for (size_t k = 0; k < 2; k++) {
                add_words(key.prime[k].m, key.public_key.words / 2);
                add_words(key.prime[k].rr, key.public_key.words / 2);
                add_words(key.prime[k].exponent, key.public_key.words / 2);
            }
            add_words(key.q_inverse, key.public_key.words / 2);
            look_at_stack(info.name, "init");
            look_for_zeros_of_c(info.name, "init");
            for (size_t num = 1; num <= 9; num += info.text_len ? 4 : 8) {
                for (size_t k = 0; k < num; k++)
                    items[k] = (struct lc_rsa_sign_item){ &key, sigs[k], LC_RSA_SHA256, src, NULL, 0, 0 };
                scrub_stack();
                status = lc_rsa_pss_sign_many(items, num);
                capture();
                look_at_captured(info.name, "sign");
                if (status != LC_OK || check_oaep(info.name, &key, num) != 0 || check_private(info.name, &key, num) != 0)
                    return 1;
            }
        }
    return 0;
}

int main(void)
{
    has_avx512 = __builtin_cpu_supports("avx512f") != 0;
    lc_wipe_registers(); /* the first call asks the CPU what it has, and that stays on the stack */
    for (size_t i = 0; i < sizeof(src); i++) {
        src[i] = (uint8_t)(i * 7 + i / 256);
        dst[i] = (uint8_t)(i * 11 + i / 256); /* what is looked for may go beyond a message's end, and zeros are everywhere */
    }
    if (check_xts() != 0 || check_ctr() != 0 || check_gcm() != 0 || check_chapoly() != 0 || check_sha256() != 0 ||
        check_sha512() != 0 || check_sm3() != 0 || lc_p256_check_signatures() != 0 || lc_p256_check_ecdh() != 0 ||
        lc_p384_check_signatures() != 0 || lc_p384_check_ecdh() != 0 || lc_sm2_check_signatures() != 0 || check_x25519() != 0 ||
        check_ed25519() != 0 || check_rsa() != 0)
        return 1;
    printf("%d calls checked for what they leave behind, %d left something\n", calls, failures);
    return failures != 0 || calls == 0;
}

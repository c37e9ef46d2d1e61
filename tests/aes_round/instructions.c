/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Real instructions of this host, to see that the file of vectors says what CPUs do.  On x86, Arm and POWER those that the CPU has;
 * on RISC-V, where the kernel may not say so, if the compiler was told of Zknd, Zkne and Zksed, or else those of vectors if it was
 * told of vectors.
 */
#include "check.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/* Instructions, one line each */
/* clang-format off */
#define LOAD(in) _mm_loadu_si128((const __m128i *)(in).bytes)

__attribute__((target("aes"))) static void x86_aes(unsigned which, const struct operand *in, struct operand *out)
{
    __m128i x = LOAD(in[0]), k = LOAD(in[1]);

    switch (which) {
    case 0: x = _mm_aesenc_si128(x, k); break;
    case 1: x = _mm_aesenclast_si128(x, k); break;
    case 2: x = _mm_aesdec_si128(x, k); break;
    case 3: x = _mm_aesdeclast_si128(x, k); break;
    case 4: x = _mm_aesimc_si128(x); break;
    }
    _mm_storeu_si128((__m128i *)out->bytes, x);
}

/* The immediate is part of the instruction. */
__attribute__((target("aes"))) static void x86_keygenassist(const struct operand *in, struct operand *out)
{
    __m128i x = LOAD(in[0]);

    switch (in[1].number) {
#define CASE(imm) case imm: x = _mm_aeskeygenassist_si128(x, imm); break;
    CASE(0x00) CASE(0x01) CASE(0x02) CASE(0x04) CASE(0x08) CASE(0x10)
    CASE(0x20) CASE(0x40) CASE(0x80) CASE(0x1b) CASE(0x36) CASE(0xff)
#undef CASE
    default: fail("the immediate %u is not known here", (unsigned)in[1].number);
    }
    _mm_storeu_si128((__m128i *)out->bytes, x);
}

__attribute__((target("avx2,vaes"))) static void x86_ymm(unsigned which, const struct operand *in, struct operand *out)
{
    __m256i x = _mm256_loadu_si256((const __m256i *)in[0].bytes), k = _mm256_loadu_si256((const __m256i *)in[1].bytes);

    switch (which) {
    case 0: x = _mm256_aesenc_epi128(x, k); break;
    case 1: x = _mm256_aesenclast_epi128(x, k); break;
    case 2: x = _mm256_aesdec_epi128(x, k); break;
    case 3: x = _mm256_aesdeclast_epi128(x, k); break;
    }
    _mm256_storeu_si256((__m256i *)out->bytes, x);
}

__attribute__((target("avx512f,vaes"))) static void x86_zmm(unsigned which, const struct operand *in, struct operand *out)
{
    __m512i x = _mm512_loadu_si512(in[0].bytes), k = _mm512_loadu_si512(in[1].bytes);

    switch (which) {
    case 0: x = _mm512_aesenc_epi128(x, k); break;
    case 1: x = _mm512_aesenclast_epi128(x, k); break;
    case 2: x = _mm512_aesdec_epi128(x, k); break;
    case 3: x = _mm512_aesdeclast_epi128(x, k); break;
    }
    _mm512_storeu_si512(out->bytes, x);
}
/* clang-format on */

/* Clang 14's __builtin_cpu_supports() does not know it. */
static int has_vaes(void)
{
    unsigned eax, ebx, ecx, edx;

    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && ecx >> 9 & 1;
}

int own_instruction(const char *guest, const char *name, const struct operand *in, struct operand *out)
{
    static const char *const names[] = { "AESENC", "AESENCLAST", "AESDEC", "AESDECLAST", "AESIMC" };
    const unsigned vector = name[0] == 'V';
    const size_t len = strcspn(name + vector, " ");

    if (strcmp(guest, "x86") || !__builtin_cpu_supports("aes"))
        return 0;
    out->len = in[0].len;
    if (!strcmp(name, "AESKEYGENASSIST")) {
        x86_keygenassist(in, out);
        return 1;
    }
    for (unsigned i = 0; i < 5; i++) {
        if (strlen(names[i]) != len || strncmp(names[i], name + vector, len))
            continue;
        if (in[0].len == 16)
            x86_aes(i, in, out);
        else if (in[0].len == 32 && has_vaes() && __builtin_cpu_supports("avx2"))
            x86_ymm(i, in, out);
        else if (in[0].len == 64 && has_vaes() && __builtin_cpu_supports("avx512f"))
            x86_zmm(i, in, out);
        else
            return 0;
        return 1;
    }
    return 0;
}

#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>

/* The ABI of Linux: bits of AT_HWCAP and AT_HWCAP2 */
#define HAS_AES (getauxval(AT_HWCAP) >> 3 & 1)
#define HAS_SM4 (getauxval(AT_HWCAP) >> 19 & 1)
#define HAS_SVE_AES (getauxval(AT_HWCAP2) >> 2 & 1)
#define HAS_SVE_SM4 (getauxval(AT_HWCAP2) >> 6 & 1)

/* If it's this one: x = op(x, k) or x = op(x), as the assembler's line has them as %0 and %1. */
#define NEON(instruction, has, arch, line)                                                                                         \
    if (!strcmp(name, instruction)) {                                                                                              \
        uint8x16_t x = vld1q_u8(in[0].bytes), k = vld1q_u8(in[1].bytes);                                                           \
                                                                                                                                   \
        if (!(has))                                                                                                                \
            return 0;                                                                                                              \
        __asm__(".arch " arch "\n\t" line : "+w"(x) : "w"(k));                                                                     \
        vst1q_u8(out->bytes, x);                                                                                                   \
        out->len = 16;                                                                                                             \
        return 1;                                                                                                                  \
    }
/* For operands no longer than the CPU's vectors; loads and stores are of their length. */
#define SVE(instruction, has, arch, line)                                                                                          \
    if (!strncmp(name, instruction " sve", strlen(instruction " sve"))) {                                                          \
        uint64_t vector_len = 0;                                                                                                   \
                                                                                                                                   \
        if (has)                                                                                                                   \
            __asm__(".arch " arch "\n\tcntb %0" : "=r"(vector_len));                                                               \
        if (vector_len < in[0].len)                                                                                                \
            return 0;                                                                                                              \
        __asm__ volatile(".arch " arch "\n\twhilelo p0.b, xzr, %3\n\t"                                                             \
                         "ld1b {z0.b}, p0/z, [%0]\n\tld1b {z1.b}, p0/z, [%1]\n\t" line "\n\tst1b {z0.b}, p0, [%2]"                 \
                         :                                                                                                         \
                         : "r"(in[0].bytes), "r"(in[1].bytes), "r"(out->bytes), "r"(in[0].len)                                     \
                         : "v0", "v1", "cc", "memory");                                                                            \
        out->len = in[0].len;                                                                                                      \
        return 1;                                                                                                                  \
    }

int own_instruction(const char *guest, const char *name, const struct operand *in, struct operand *out)
{
    if (strcmp(guest, "arm"))
        return 0;
    NEON("AESE", HAS_AES, "armv8-a+crypto", "aese %0.16b, %1.16b")
    NEON("AESD", HAS_AES, "armv8-a+crypto", "aesd %0.16b, %1.16b")
    NEON("AESMC", HAS_AES, "armv8-a+crypto", "aesmc %0.16b, %0.16b")
    NEON("AESIMC", HAS_AES, "armv8-a+crypto", "aesimc %0.16b, %0.16b")
    NEON("AESEMC", HAS_AES, "armv8-a+crypto", "aese %0.16b, %1.16b\n\taesmc %0.16b, %0.16b") /* what it is said to be */
    NEON("AESDIMC", HAS_AES, "armv8-a+crypto", "aesd %0.16b, %1.16b\n\taesimc %0.16b, %0.16b")
    NEON("SM4E", HAS_SM4, "armv8.2-a+sm4", "sm4e %0.4s, %1.4s")
    NEON("SM4EKEY", HAS_SM4, "armv8.2-a+sm4", "sm4ekey %0.4s, %0.4s, %1.4s")
    SVE("AESE", HAS_SVE_AES, "armv8.5-a+sve2-aes", "aese z0.b, z0.b, z1.b")
    SVE("AESD", HAS_SVE_AES, "armv8.5-a+sve2-aes", "aesd z0.b, z0.b, z1.b")
    SVE("AESMC", HAS_SVE_AES, "armv8.5-a+sve2-aes", "aesmc z0.b, z0.b")
    SVE("AESIMC", HAS_SVE_AES, "armv8.5-a+sve2-aes", "aesimc z0.b, z0.b")
    SVE("SM4E", HAS_SVE_SM4, "armv8.5-a+sve2-sm4", "sm4e z0.s, z0.s, z1.s")
    SVE("SM4EKEY", HAS_SVE_SM4, "armv8.5-a+sve2-sm4", "sm4ekey z0.s, z0.s, z1.s")
    return 0;
}

#elif defined(__powerpc64__)
#include <sys/auxv.h>

/* The ABI of Linux: a bit of AT_HWCAP2 */
#define HAS_VCRYPTO (getauxval(AT_HWCAP2) >> 25 & 1)

/* The first byte is the register's most significant one; lvx takes it from the other end of memory on little-endian hosts. */
static void copy(uint8_t *d, const uint8_t *s)
{
    for (int i = 0; i < 16; i++)
        d[i] = s[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 15 - i : i];
}

/*
 * If it's this one: x = op(x, k) or x = op(x), in v0 and v1.  All in asm, as this file must run on any POWER: with -mcpu=power8 the
 * compiler would use that CPU's instructions before it's known that they are there.
 */
#define POWER(instruction, line)                                                                                                   \
    if (!strcmp(name, instruction)) {                                                                                              \
        _Alignas(16) uint8_t x[16], k[16];                                                                                         \
                                                                                                                                   \
        copy(x, in[0].bytes);                                                                                                      \
        copy(k, in[1].bytes);                                                                                                      \
        __asm__ volatile(".machine push\n\t.machine power8\n\t"                                                                    \
                         "lvx 0, 0, %0\n\tlvx 1, 0, %1\n\t" line "\n\tstvx 0, 0, %0\n\t.machine pop"                               \
                         :                                                                                                         \
                         : "r"(x), "r"(k)                                                                                          \
                         : "v0", "v1", "memory");                                                                                  \
        copy(out->bytes, x);                                                                                                       \
        out->len = 16;                                                                                                             \
        return 1;                                                                                                                  \
    }

int own_instruction(const char *guest, const char *name, const struct operand *in, struct operand *out)
{
    if (strcmp(guest, "power") || !HAS_VCRYPTO)
        return 0;
    POWER("vcipher", "vcipher 0, 0, 1")
    POWER("vcipherlast", "vcipherlast 0, 0, 1")
    POWER("vncipher", "vncipher 0, 0, 1")
    POWER("vncipherlast", "vncipherlast 0, 0, 1")
    POWER("vsbox", "vsbox 0, 0")
    return 0;
}

#elif defined(__riscv) && __riscv_xlen == 64 && defined(__riscv_zknd) && defined(__riscv_zkne) && defined(__riscv_zksed)

#define TWO(name)                                                                                                                  \
    if (!strcmp(instruction, #name)) {                                                                                             \
        __asm__(#name " %0, %1, %2" : "=r"(out->number) : "r"(in[0].number), "r"(in[1].number));                                   \
        return 1;                                                                                                                  \
    }
#define IMMEDIATE(name, imm)                                                                                                       \
    case imm: __asm__(#name " %0, %1, " #imm : "=r"(out->number) : "r"(in[0].number)); return 1;
#define BYTE(name, imm)                                                                                                            \
    case imm: __asm__(#name " %0, %1, %2, " #imm : "=r"(x) : "r"(in[0].number), "r"(in[1].number)); break;
/* The instruction extends the sign, the file has the 32 bits. */
#define BYTE_SELECT(name)                                                                                                          \
    if (!strcmp(instruction, #name)) {                                                                                             \
        uint64_t x = 0;                                                                                                            \
                                                                                                                                   \
        switch (in[2].number) {                                                                                                    \
            BYTE(name, 0) BYTE(name, 1) BYTE(name, 2) BYTE(name, 3)                                                                \
        }                                                                                                                          \
        if (x != (uint64_t)(int32_t)x)                                                                                             \
            fail("%s does not extend the sign", instruction);                                                                      \
        out->number = (uint32_t)x;                                                                                                 \
        return 1;                                                                                                                  \
    }

int own_instruction(const char *guest, const char *instruction, const struct operand *in, struct operand *out)
{
    if (strcmp(guest, "riscv"))
        return 0;
    TWO(aes64es)
    TWO(aes64esm)
    TWO(aes64ds)
    TWO(aes64dsm)
    TWO(aes64ks2)
    BYTE_SELECT(sm4ed)
    BYTE_SELECT(sm4ks)
    if (!strcmp(instruction, "aes64im")) {
        __asm__("aes64im %0, %1" : "=r"(out->number) : "r"(in[0].number));
        return 1;
    }
    if (!strcmp(instruction, "aes64ks1i"))
        switch (in[1].number) {
            /* Many a line */
            /* clang-format off */
            IMMEDIATE(aes64ks1i, 0) IMMEDIATE(aes64ks1i, 1) IMMEDIATE(aes64ks1i, 2) IMMEDIATE(aes64ks1i, 3)
            IMMEDIATE(aes64ks1i, 4) IMMEDIATE(aes64ks1i, 5) IMMEDIATE(aes64ks1i, 6) IMMEDIATE(aes64ks1i, 7)
            IMMEDIATE(aes64ks1i, 8) IMMEDIATE(aes64ks1i, 9) IMMEDIATE(aes64ks1i, 10)
            /* clang-format on */
        }
    return 0;
}

#elif defined(__riscv_vector)

/*
 * Zvkned and Zvksed, as numbers, so that an assembler that doesn't know them will do: opcode 0x77, funct3 2, unmasked, and funct6.
 * Where an instruction has no vs1, its place in the code has a number that tells it from others, or an immediate.
 *
 * The first operand and the result are in v8 to v11, the second operand in v24 to v27.  zvkned.h finds these there later, where at
 * the program's start were the zeros that it has to write.
 */
#ifdef __riscv_v_intrinsic
#define CLOBBERS "memory", "vl", "vtype", "v8", "v9", "v10", "v11", "v24", "v25", "v26", "v27"
#else /* the compiler doesn't know the registers, and doesn't use them */
#define CLOBBERS "memory"
#endif
#define VECTORS(funct6, vs1, vs2)                                                                                                  \
    __asm__ volatile("vsetvli zero, %[len], e8, m4, ta, ma\n\t"                                                                    \
                     "vle8.v v8, (%[x])\n\t"                                                                                       \
                     "vle8.v v24, (%[k])\n\t"                                                                                      \
                     "vsetvli zero, %[words], e32, m4, ta, ma\n\t"                                                                 \
                     ".insn r 0x77, 2, 2 * " #funct6 " + 1, x8, x" #vs1 ", x" #vs2 "\n\t"                                          \
                     "vsetvli zero, %[len], e8, m4, ta, ma\n\t"                                                                    \
                     "vse8.v v8, (%[result])"                                                                                      \
                     :                                                                                                             \
                     : [len] "r"(in[0].len), [words] "r"(in[0].len / 4), [x] "r"(in[0].bytes), [k] "r"(in[1].bytes),               \
                       [result] "r"(out->bytes)                                                                                    \
                     : CLOBBERS)
#define TWO(name, funct6, vs1)                                                                                                     \
    if (!strcmp(instruction, name)) {                                                                                              \
        VECTORS(funct6, vs1, 24);                                                                                                  \
        return 1;                                                                                                                  \
    }
/* A case is a line */
/* clang-format off */
#define CASE(funct6, imm, vs2) case imm: VECTORS(funct6, imm, vs2); return 1;
#define IMMEDIATE(name, funct6, vs2, imm)                                                                                          \
    if (!strcmp(instruction, name))                                                                                                \
        switch (imm) {                                                                                                             \
            CASE(funct6, 0, vs2) CASE(funct6, 1, vs2) CASE(funct6, 2, vs2) CASE(funct6, 3, vs2)                                    \
            CASE(funct6, 4, vs2) CASE(funct6, 5, vs2) CASE(funct6, 6, vs2) CASE(funct6, 7, vs2)                                    \
            CASE(funct6, 8, vs2) CASE(funct6, 9, vs2) CASE(funct6, 10, vs2) CASE(funct6, 11, vs2)                                  \
            CASE(funct6, 12, vs2) CASE(funct6, 13, vs2) CASE(funct6, 14, vs2) CASE(funct6, 15, vs2)                                \
        }
/* clang-format on */

int own_instruction(const char *guest, const char *instruction, const struct operand *in, struct operand *out)
{
    if (strcmp(guest, "riscv"))
        return 0;
    out->len = in[0].len;
    TWO("vaesdm.vv", 0x28, 0)
    TWO("vaesdf.vv", 0x28, 1)
    TWO("vaesem.vv", 0x28, 2)
    TWO("vaesef.vv", 0x28, 3)
    TWO("vsm4r.vv", 0x28, 16)
    TWO("vaesdm.vs", 0x29, 0)
    TWO("vaesdf.vs", 0x29, 1)
    TWO("vaesem.vs", 0x29, 2)
    TWO("vaesef.vs", 0x29, 3)
    TWO("vaesz.vs", 0x29, 7)
    TWO("vsm4r.vs", 0x29, 16)
    IMMEDIATE("vaeskf1.vi", 0x22, 8, in[1].number)
    IMMEDIATE("vaeskf2.vi", 0x2a, 24, in[2].number)
    IMMEDIATE("vsm4k.vi", 0x21, 8, in[1].number)
    return 0;
}

#else
int own_instruction(const char *guest, const char *name, const struct operand *in, struct operand *out)
{
    (void)guest, (void)name, (void)in, (void)out;
    return 0;
}
#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * x86-64: which features there are, and the one place where it is decided whether 512-bit vectors should be used.
 *
 * A vector extension counts only if the system also saves its registers (XCR0): bits 1, 2 for xmm and ymm, 5, 6, 7 for mask
 * registers and zmm.
 */
#include "../internal.h"
#include "cpu.h"

#define XCR0_YMM 0x06u
#define XCR0_ZMM 0xe6u

/*
 * Capability is not preference.  These families have AVX-512 and lower the core's clock while 512-bit registers are in use and for
 * some time after (Intel's licence levels): a few short messages would slow down the program around them.  They get 256-bit vectors
 * with the same instructions.  The list is what is known of them, and what other software avoids; none of it was measured here.
 * All of them are of family 6.
 */
static const struct {
    uint8_t model;
    const char *reason;
} zmm_excluded[] = {
    { 0x55, "no: Skylake-X, Cascade Lake and Cooper Lake lower their clock under 512-bit vectors" },
    { 0x66, "no: Cannon Lake lowers its clock under 512-bit vectors" },
    { 0x6a, "no: Ice Lake (server) lowers its clock under 512-bit vectors" },
    { 0x6c, "no: Ice Lake (Xeon D) lowers its clock under 512-bit vectors" },
    { 0x7d, "no: Ice Lake (client) lowers its clock under 512-bit vectors" },
    { 0x7e, "no: Ice Lake (client) lowers its clock under 512-bit vectors" },
    { 0x9d, "no: Ice Lake (NNP-I) lowers its clock under 512-bit vectors" },
    { 0x8c, "no: Tiger Lake lowers its clock under 512-bit vectors" },
    { 0x8d, "no: Tiger Lake lowers its clock under 512-bit vectors" },
};

static uint32_t family_of(const struct lc_x86_cpuid *id)
{
    uint32_t family = (id->leaf1_eax >> 8) & 0xf;

    return family == 15 ? family + ((id->leaf1_eax >> 20) & 0xff) : family;
}

/* Of family 6, or of 15 and later */
static uint32_t model_of(const struct lc_x86_cpuid *id)
{
    return ((id->leaf1_eax >> 4) & 0xf) | ((id->leaf1_eax >> 12) & 0xf0);
}

static int prefer_zmm(const struct lc_x86_cpuid *id, const char **reason)
{
    if (family_of(id) == 6 && memcmp(id->vendor, "GenuineIntel", 12) == 0)
        for (size_t i = 0; i < sizeof(zmm_excluded) / sizeof(zmm_excluded[0]); i++)
            if (zmm_excluded[i].model == model_of(id)) {
                *reason = zmm_excluded[i].reason;
                return 0;
            }
    *reason = "yes: this family isn't known to lose clock under 512-bit vectors";
    return 1;
}

/*
 * Are 512-bit vectors the better ones for short texts too?  They are where the units for AES, products and stores are as wide as
 * they: in all of Intel's CPUs that should have them at all (measured on Granite Rapids), in Zen 5's servers (measured on model 2)
 * and desktops.  Its models for laptops do 512 bits in two steps, as Zen 4 does.
 */
static int wide_zmm(const struct lc_x86_cpuid *id)
{
    uint32_t model = model_of(id);

    if (memcmp(id->vendor, "GenuineIntel", 12) == 0)
        return 1;
    return memcmp(id->vendor, "AuthenticAMD", 12) == 0 && family_of(id) == 26 && (model < 0x20 || (model >= 0x40 && model < 0x50));
}

/*
 * Is a single chain better in general registers than in vectors?  Zen 5's vectors take two cycles for an addition, an xor or a
 * rotation that has to wait for another one; general registers take one.  Measured on model 2.
 */
static int prefer_general(const struct lc_x86_cpuid *id)
{
    return memcmp(id->vendor, "AuthenticAMD", 12) == 0 && family_of(id) == 26;
}

/*
 * By AES-GCM with 512 bits, are three products of halves and some additions better than four?  Zen 5 does two AES rounds a cycle,
 * but a product takes a unit for two: so products bound it.  Measured on model 2.  In Intel's CPUs rounds have one port for vectors
 * of 512 bits, products another one, and additions want both.  There it took 3 to 13 % longer from 1 KB on (Granite Rapids).
 */
static int prefer_karatsuba(const struct lc_x86_cpuid *id)
{
    return memcmp(id->vendor, "AuthenticAMD", 12) == 0 && wide_zmm(id);
}

/*
 * By X25519's ladder in eight lanes, are fewer instructions better, of which more wait for each other, and more multiply?  Intel's
 * servers from Sapphire Rapids on have two ports for 512 bits, and either multiplies: measured on Granite Rapids.  In Rocket Lake
 * only one does, and it lacks AVX512-FP16, which these servers have.  Zen 4 multiplies once a cycle; Zen 5 has four ports, and
 * takes two cycles for each step of a chain.
 */
static int prefer_radix52(const struct lc_x86_cpuid *id)
{
    const uint32_t avx512_fp16 = 1u << 23;

    return memcmp(id->vendor, "GenuineIntel", 12) == 0 && (id->leaf7_edx & avx512_fp16) != 0;
}

uint64_t lc_x86_features(const struct lc_x86_cpuid *id, const char **zmm_policy)
{
    /* One line a feature: its bit here, the CPUID word and bit, the state that the system must save for it. */
    const struct {
        uint64_t feature;
        uint32_t word, bit, xcr0;
    } map[] = {
        { LC_SSSE3, id->leaf1_ecx, 9, 0 },
        { LC_SSE41, id->leaf1_ecx, 19, 0 },
        { LC_AES, id->leaf1_ecx, 25, 0 },
        { LC_PCLMULQDQ, id->leaf1_ecx, 1, 0 },
        { LC_AVX, id->leaf1_ecx, 28, XCR0_YMM },
        { LC_AVX2, id->leaf7_ebx, 5, XCR0_YMM },
        { LC_BMI2, id->leaf7_ebx, 8, 0 },
        { LC_VPCLMULQDQ, id->leaf7_ecx, 10, XCR0_YMM },
        { LC_VAES, id->leaf7_ecx, 9, XCR0_YMM },
        { LC_AVX512F, id->leaf7_ebx, 16, XCR0_ZMM },
        { LC_AVX512BW, id->leaf7_ebx, 30, XCR0_ZMM },
        { LC_AVX512VL, id->leaf7_ebx, 31, XCR0_ZMM },
        { LC_AVX512IFMA, id->leaf7_ebx, 21, XCR0_ZMM },
        { LC_GFNI, id->leaf7_ecx, 8, 0 },
        { LC_SHANI, id->leaf7_ebx, 29, 0 },
#ifdef LC_AVXIFMA_BY_EVEX /* builds for tests only: x86/ifma.h, and tests/checks/emulate_avxifma.c, for which AVX2 is enough */
        { LC_AVXIFMA, id->leaf7_ebx, 21, XCR0_ZMM },
#elif defined(LC_AVXIFMA_EMULATED)
        { LC_AVXIFMA, id->leaf7_ebx, 5, XCR0_YMM },
#else
        { LC_AVXIFMA, id->leaf7_1_eax, 23, XCR0_YMM },
#endif
    };
    uint64_t features = 0;

    for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
        if (map[i].word >> map[i].bit & 1 && (id->xcr0 & map[i].xcr0) == map[i].xcr0)
            features |= map[i].feature;
    *zmm_policy = "no: this CPU, or the system, has no AVX-512";
    if (features & LC_AVX512F && prefer_zmm(id, zmm_policy))
        features |=
            LC_PREFER_ZMM | (wide_zmm(id) ? (uint64_t)LC_WIDE_ZMM : 0) |
            (prefer_karatsuba(id) ? (uint64_t)LC_PREFER_KARATSUBA : 0) | (prefer_radix52(id) ? (uint64_t)LC_PREFER_RADIX52 : 0);
    if (prefer_general(id))
        features |= LC_PREFER_GENERAL;
    return features;
}

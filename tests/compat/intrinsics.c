/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Every intrinsic of include/lanecrypt/compat/: prints a hash of its results for many inputs.  expected.txt has what an x86 prints
 * with the compiler's own: gcc -O2 -march=x86-64-v4 -maes -mpclmul -mvaes intrinsics.c && ./a.out >expected.txt
 */
#include <immintrin.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TURNS = 1000 };

static uint64_t random_state, hash;

static uint64_t random64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* FNV-1a */
static void add_to_hash(const void *p, size_t len)
{
    for (const uint8_t *bytes = p; len--; bytes++)
        hash = (hash ^ *bytes) * 0x100000001b3;
}

/* Bytes at random, and some of them extreme, which comparisons, signs and carries need. */
static void fill(void *p, size_t len)
{
    static const uint8_t extreme[4] = { 0x00, 0x7f, 0x80, 0xff };

    for (uint8_t *bytes = p; len--; bytes++) {
        uint64_t r = random64();

        *bytes = r >> 8 & 1 ? (uint8_t)r : extreme[r & 3];
    }
}

static void begin(void)
{
    random_state = 0x9e3779b97f4a7c15;
    hash = 0xcbf29ce484222325;
}

static void end(const char *name)
{
    printf("%-26s %016llx\n", name, (unsigned long long)hash);
}

#define DEFINE_INPUT(vector)                                                                                                       \
    static vector input_##vector(void)                                                                                             \
    {                                                                                                                              \
        vector a;                                                                                                                  \
                                                                                                                                   \
        fill(&a, sizeof(a));                                                                                                       \
        return a;                                                                                                                  \
    }
DEFINE_INPUT(__m128i)
DEFINE_INPUT(__m128)
DEFINE_INPUT(__m128d)
DEFINE_INPUT(__m256i)
DEFINE_INPUT(__m512i)

#define RESULT(type, expression)                                                                                                   \
    do {                                                                                                                           \
        type result = expression;                                                                                                  \
        add_to_hash(&result, sizeof(result));                                                                                      \
    } while (0)

/* What is done with new a, b, c, e in every turn */
#define TEST(name, vector, ...)                                                                                                    \
    do {                                                                                                                           \
        begin();                                                                                                                   \
        for (int turn = 0; turn < TURNS; turn++) {                                                                                 \
            vector a = input_##vector(), b = input_##vector(), c = input_##vector();                                               \
            uint8_t e[64];                                                                                                         \
            fill(e, sizeof(e));                                                                                                    \
            (void)a, (void)b, (void)c;                                                                                             \
            __VA_ARGS__                                                                                                            \
        }                                                                                                                          \
        end(#name);                                                                                                                \
    } while (0)
#define BINARY(name, vector) TEST(name, vector, RESULT(vector, name(a, b));)
#define COUNTS(name, c0, c1, c2, c3, c4)                                                                                           \
    TEST(name, __m128i, RESULT(__m128i, name(a, c0)); RESULT(__m128i, name(a, c1)); RESULT(__m128i, name(a, c2));                  \
         RESULT(__m128i, name(a, c3)); RESULT(__m128i, name(a, c4));)
#define ELEMENT32(i) (int)(e[4 * i] | e[4 * i + 1] << 8 | e[4 * i + 2] << 16 | (uint32_t)e[4 * i + 3] << 24)

static long long element64(const uint8_t *e)
{
    long long x;

    memcpy(&x, e, sizeof(x));
    return x;
}

static void test_constants_and_memory(void)
{
    TEST(_mm_setzero_si128, __m128i, RESULT(__m128i, _mm_setzero_si128()););
    TEST(_mm_set1_epi8, __m128i, RESULT(__m128i, _mm_set1_epi8((char)e[0])););
    TEST(_mm_set1_epi16, __m128i, RESULT(__m128i, _mm_set1_epi16((short)ELEMENT32(0))););
    TEST(_mm_set1_epi32, __m128i, RESULT(__m128i, _mm_set1_epi32(ELEMENT32(0))););
    TEST(_mm_set1_epi64x, __m128i, RESULT(__m128i, _mm_set1_epi64x(element64(e))););
    TEST(_mm_set_epi64x, __m128i, RESULT(__m128i, _mm_set_epi64x(element64(e), element64(e + 8))););
    TEST(_mm_set_epi32, __m128i, RESULT(__m128i, _mm_set_epi32(ELEMENT32(0), ELEMENT32(1), ELEMENT32(2), ELEMENT32(3))););
    TEST(_mm_setr_epi32, __m128i, RESULT(__m128i, _mm_setr_epi32(ELEMENT32(0), ELEMENT32(1), ELEMENT32(2), ELEMENT32(3))););
#define CHARS                                                                                                                      \
    (char)e[0], (char)e[1], (char)e[2], (char)e[3], (char)e[4], (char)e[5], (char)e[6], (char)e[7], (char)e[8], (char)e[9],        \
        (char)e[10], (char)e[11], (char)e[12], (char)e[13], (char)e[14], (char)e[15]
    TEST(_mm_set_epi8, __m128i, RESULT(__m128i, _mm_set_epi8(CHARS)););
    TEST(_mm_setr_epi8, __m128i, RESULT(__m128i, _mm_setr_epi8(CHARS)););
    TEST(_mm_loadu_si128, __m128i, RESULT(__m128i, _mm_loadu_si128((const __m128i *)(e + turn % 16))););
    TEST(_mm_load_si128, __m128i, RESULT(__m128i, _mm_load_si128(&b)););
    TEST(_mm_storeu_si128, __m128i, _mm_storeu_si128((__m128i *)(e + turn % 16), a); add_to_hash(e, sizeof(e)););
    TEST(_mm_store_si128, __m128i, _mm_store_si128(&b, a); RESULT(__m128i, b););
    TEST(_mm_loadl_epi64, __m128i, RESULT(__m128i, _mm_loadl_epi64((const __m128i *)(e + turn % 16))););
    TEST(_mm_storel_epi64, __m128i, _mm_storel_epi64((__m128i *)(e + turn % 16), a); add_to_hash(e, sizeof(e)););
    TEST(_mm_cvtsi32_si128, __m128i, RESULT(__m128i, _mm_cvtsi32_si128(ELEMENT32(0))););
    TEST(_mm_cvtsi128_si32, __m128i, RESULT(int, _mm_cvtsi128_si32(a)););
    TEST(_mm_cvtsi64_si128, __m128i, RESULT(__m128i, _mm_cvtsi64_si128(element64(e))););
    TEST(_mm_cvtsi128_si64, __m128i, RESULT(long long, _mm_cvtsi128_si64(a)););
    TEST(_mm_castsi128_ps, __m128i, RESULT(__m128, _mm_castsi128_ps(a)););
    TEST(_mm_castps_si128, __m128, RESULT(__m128i, _mm_castps_si128(a)););
    TEST(_mm_castsi128_pd, __m128i, RESULT(__m128d, _mm_castsi128_pd(a)););
    TEST(_mm_castpd_si128, __m128d, RESULT(__m128i, _mm_castpd_si128(a)););
}

static void test_operations(void)
{
    BINARY(_mm_xor_si128, __m128i);
    BINARY(_mm_and_si128, __m128i);
    BINARY(_mm_or_si128, __m128i);
    BINARY(_mm_andnot_si128, __m128i);
    BINARY(_mm_add_epi8, __m128i);
    BINARY(_mm_add_epi16, __m128i);
    BINARY(_mm_add_epi32, __m128i);
    BINARY(_mm_add_epi64, __m128i);
    BINARY(_mm_sub_epi8, __m128i);
    BINARY(_mm_sub_epi16, __m128i);
    BINARY(_mm_sub_epi32, __m128i);
    BINARY(_mm_sub_epi64, __m128i);
    BINARY(_mm_cmpeq_epi8, __m128i);
    TEST(_mm_cmpeq_epi16, __m128i, RESULT(__m128i, _mm_cmpeq_epi16(a, _mm_or_si128(a, _mm_and_si128(b, c)))););
    TEST(_mm_cmpeq_epi32, __m128i, RESULT(__m128i, _mm_cmpeq_epi32(a, _mm_unpacklo_epi64(a, b))););
    BINARY(_mm_cmpgt_epi8, __m128i);
    BINARY(_mm_cmpgt_epi32, __m128i);
    BINARY(_mm_unpacklo_epi8, __m128i);
    BINARY(_mm_unpackhi_epi8, __m128i);
    BINARY(_mm_unpacklo_epi16, __m128i);
    BINARY(_mm_unpackhi_epi16, __m128i);
    BINARY(_mm_unpacklo_epi32, __m128i);
    BINARY(_mm_unpackhi_epi32, __m128i);
    BINARY(_mm_unpacklo_epi64, __m128i);
    BINARY(_mm_unpackhi_epi64, __m128i);
    COUNTS(_mm_slli_epi16, 0, 1, 15, 16, 200);
    COUNTS(_mm_slli_epi32, 0, 1, 31, 32, 200);
    COUNTS(_mm_slli_epi64, 0, 1, 63, 64, 200);
    COUNTS(_mm_srli_epi16, 0, 1, 15, 16, 200);
    COUNTS(_mm_srli_epi32, 0, 1, 31, 32, 200);
    COUNTS(_mm_srli_epi64, 0, 1, 63, 64, 200);
    COUNTS(_mm_srai_epi16, 0, 1, 15, 16, 200);
    COUNTS(_mm_srai_epi32, 0, 1, 31, 32, 200);
    COUNTS(_mm_slli_si128, 0, 1, 8, 15, 16);
    COUNTS(_mm_srli_si128, 0, 1, 8, 15, 16);
    COUNTS(_mm_bslli_si128, 0, 4, 8, 12, 200);
    COUNTS(_mm_bsrli_si128, 0, 4, 8, 12, 200);
    COUNTS(_mm_shuffle_epi32, 0x00, 0x1b, 0x4e, 0xaa, 0xff);
    TEST(_mm_shuffle_ps, __m128, RESULT(__m128, _mm_shuffle_ps(a, b, 0x10)); RESULT(__m128, _mm_shuffle_ps(a, b, 0x8c));
         RESULT(__m128, _mm_shuffle_ps(a, b, 0x1b)); RESULT(__m128, _mm_shuffle_ps(a, b, 0xe4)););
    TEST(_mm_shuffle_pd, __m128d, RESULT(__m128d, _mm_shuffle_pd(a, b, 0)); RESULT(__m128d, _mm_shuffle_pd(a, b, 1));
         RESULT(__m128d, _mm_shuffle_pd(a, b, 2)); RESULT(__m128d, _mm_shuffle_pd(a, b, 3)););
    TEST(_mm_movemask_epi8, __m128i, RESULT(int, _mm_movemask_epi8(a)););
}

static void test_ssse3_and_sse41(void)
{
    BINARY(_mm_shuffle_epi8, __m128i);
#define BOTH(n) _mm_alignr_epi8(a, b, n)
    TEST(_mm_alignr_epi8, __m128i, RESULT(__m128i, BOTH(0)); RESULT(__m128i, BOTH(5)); RESULT(__m128i, BOTH(15));
         RESULT(__m128i, BOTH(16)); RESULT(__m128i, BOTH(23)); RESULT(__m128i, BOTH(31)); RESULT(__m128i, BOTH(32)););
    TEST(_mm_extract_epi8, __m128i, RESULT(int, _mm_extract_epi8(a, 0)); RESULT(int, _mm_extract_epi8(a, 15)););
    TEST(_mm_extract_epi32, __m128i, RESULT(int, _mm_extract_epi32(a, 0)); RESULT(int, _mm_extract_epi32(a, 3)););
    TEST(_mm_extract_epi64, __m128i, RESULT(long long, _mm_extract_epi64(a, 0)); RESULT(long long, _mm_extract_epi64(a, 1)););
    TEST(_mm_insert_epi8, __m128i, RESULT(__m128i, _mm_insert_epi8(a, ELEMENT32(0), 0));
         RESULT(__m128i, _mm_insert_epi8(a, ELEMENT32(0), 15)););
    TEST(_mm_insert_epi32, __m128i, RESULT(__m128i, _mm_insert_epi32(a, ELEMENT32(0), 0));
         RESULT(__m128i, _mm_insert_epi32(a, ELEMENT32(0), 3)););
    TEST(_mm_insert_epi64, __m128i, RESULT(__m128i, _mm_insert_epi64(a, element64(e), 0));
         RESULT(__m128i, _mm_insert_epi64(a, element64(e), 1)););
    TEST(_mm_testz_si128, __m128i, RESULT(int, _mm_testz_si128(a, b)); RESULT(int, _mm_testz_si128(a, _mm_andnot_si128(a, b)));
         RESULT(int, _mm_testz_si128(a, _mm_slli_si128(a, 15)));
         RESULT(int, _mm_testz_si128(_mm_and_si128(a, b), _mm_srli_si128(c, 15))););
}

static void test_aes_and_clmul(void)
{
    BINARY(_mm_aesenc_si128, __m128i);
    BINARY(_mm_aesenclast_si128, __m128i);
    BINARY(_mm_aesdec_si128, __m128i);
    BINARY(_mm_aesdeclast_si128, __m128i);
    TEST(_mm_aesimc_si128, __m128i, RESULT(__m128i, _mm_aesimc_si128(a)););
    COUNTS(_mm_aeskeygenassist_si128, 0, 1, 0x36, 0x80, 0xff);
#define CLMUL(imm) _mm_clmulepi64_si128(a, b, imm)
    TEST(_mm_clmulepi64_si128, __m128i, RESULT(__m128i, CLMUL(0x00)); RESULT(__m128i, CLMUL(0x01)); RESULT(__m128i, CLMUL(0x10));
         RESULT(__m128i, CLMUL(0x11)););
}

#define TEST_WIDE(prefix, vector, suffix)                                                                                          \
    static void test##prefix(void)                                                                                                 \
    {                                                                                                                              \
        BINARY(prefix##_aesenc_epi128, vector);                                                                                    \
        BINARY(prefix##_aesenclast_epi128, vector);                                                                                \
        BINARY(prefix##_aesdec_epi128, vector);                                                                                    \
        BINARY(prefix##_aesdeclast_epi128, vector);                                                                                \
        BINARY(prefix##_xor_##suffix, vector);                                                                                     \
        BINARY(prefix##_and_##suffix, vector);                                                                                     \
        BINARY(prefix##_or_##suffix, vector);                                                                                      \
        BINARY(prefix##_andnot_##suffix, vector);                                                                                  \
        BINARY(prefix##_add_epi32, vector);                                                                                        \
        BINARY(prefix##_add_epi64, vector);                                                                                        \
        BINARY(prefix##_shuffle_epi8, vector);                                                                                     \
        TEST(prefix##_setzero_##suffix, vector, RESULT(vector, prefix##_setzero_##suffix()););                                     \
        TEST(prefix##_loadu_##suffix, vector, uint8_t bytes[65] = { 0 }; memcpy(bytes + 1, &a, sizeof(a));                         \
             RESULT(vector, prefix##_loadu_##suffix((const void *)(bytes + 1))););                                                 \
        TEST(prefix##_load_##suffix, vector, RESULT(vector, prefix##_load_##suffix(&b)););                                         \
        TEST(prefix##_storeu_##suffix, vector, uint8_t bytes[65] = { 0 }; prefix##_storeu_##suffix((void *)(bytes + 1), a);        \
             add_to_hash(bytes, sizeof(bytes)););                                                                                  \
        TEST(prefix##_store_##suffix, vector, prefix##_store_##suffix(&b, a); RESULT(vector, b););                                 \
        TEST(prefix##_ternarylogic_epi64, vector, RESULT(vector, prefix##_ternarylogic_epi64(a, b, c, 0x01));                      \
             RESULT(vector, prefix##_ternarylogic_epi64(a, b, c, 0x78));                                                           \
             RESULT(vector, prefix##_ternarylogic_epi64(a, b, c, 0x96));                                                           \
             RESULT(vector, prefix##_ternarylogic_epi64(a, b, c, 0xca)););                                                         \
    }
TEST_WIDE(_mm256, __m256i, si256)
TEST_WIDE(_mm512, __m512i, si512)

static void test_parts(void)
{
    TEST(_mm256_broadcastsi128_si256, __m128i, RESULT(__m256i, _mm256_broadcastsi128_si256(a)););
    TEST(_mm256_castsi128_si256, __m128i, RESULT(__m128i, _mm256_castsi256_si128(_mm256_castsi128_si256(a))););
    TEST(_mm256_extracti128_si256, __m256i, RESULT(__m128i, _mm256_extracti128_si256(a, 0));
         RESULT(__m128i, _mm256_extracti128_si256(a, 1)););
    TEST(_mm256_inserti128_si256, __m256i, RESULT(__m256i, _mm256_inserti128_si256(a, _mm256_castsi256_si128(b), 0));
         RESULT(__m256i, _mm256_inserti128_si256(a, _mm256_castsi256_si128(b), 1)););
    TEST(_mm256_set_m128i, __m128i, RESULT(__m256i, _mm256_set_m128i(a, b)););
    TEST(_mm512_broadcast_i32x4, __m128i, RESULT(__m512i, _mm512_broadcast_i32x4(a)););
    TEST(_mm512_castsi512_si128, __m512i, RESULT(__m128i, _mm512_castsi512_si128(a)););
    TEST(_mm512_extracti32x4_epi32, __m512i, RESULT(__m128i, _mm512_extracti32x4_epi32(a, 0));
         RESULT(__m128i, _mm512_extracti32x4_epi32(a, 3)););
    TEST(_mm512_inserti32x4, __m512i, RESULT(__m512i, _mm512_inserti32x4(a, _mm512_castsi512_si128(b), 0));
         RESULT(__m512i, _mm512_inserti32x4(a, _mm512_castsi512_si128(b), 3)););
}

int main(void)
{
    test_constants_and_memory();
    test_operations();
    test_ssse3_and_sse41();
    test_aes_and_clmul();
    test_mm256();
    test_mm512();
    test_parts();
    return 0;
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Part of each mode's test program: did its other tests really run with the implementations that they should have run with?
#include <iostream>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

#include "feature_list.h"
#include "mode_support.h"

#if defined(__x86_64__)
// Clang 14's __builtin_cpu_supports() doesn't know all of them: bits of CPUID leaf 7, ebx and ecx, and subleaf 1, eax.
static bool has_leaf_7(bool in_ecx, unsigned bit)
{
    unsigned eax, ebx, ecx, edx;

    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (in_ecx ? ecx : ebx) >> bit & 1;
}

static bool has_leaf_7_1(unsigned bit)
{
    unsigned eax, ebx, ecx, edx;

    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && eax >= 1 && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) &&
           eax >> bit & 1;
}
#endif

// What this CPU has in the compiler's opinion: were the library's detection to lose a feature, all tests that need it would be
// skipped, and nothing else would say so.
static uint64_t features_by_compiler()
{
    uint64_t features = 0;
#if defined(__x86_64__)
#define ADD(name, FEATURE) features |= __builtin_cpu_supports(name) ? LC_##FEATURE : 0
    ADD("ssse3", SSSE3);
    ADD("sse4.1", SSE41);
    ADD("aes", AES);
    ADD("pclmul", PCLMULQDQ);
    ADD("avx", AVX);
    ADD("avx2", AVX2);
    ADD("bmi2", BMI2);
    ADD("vpclmulqdq", VPCLMULQDQ);
    features |= __builtin_cpu_supports("avx") && has_leaf_7(true, 9) ? LC_VAES : 0; // the registers are saved if AVX's are
    ADD("avx512f", AVX512F);
    ADD("avx512bw", AVX512BW);
    ADD("avx512vl", AVX512VL);
    ADD("avx512ifma", AVX512IFMA);
    ADD("gfni", GFNI);
    features |= has_leaf_7(false, 29) ? LC_SHANI : 0;
    features |= __builtin_cpu_supports("avx") && has_leaf_7_1(23) ? LC_AVXIFMA : 0;
#undef ADD
#elif defined(__aarch64__)
    unsigned long hwcap = getauxval(AT_HWCAP);

    features |= hwcap & HWCAP_ASIMD ? LC_ARM_NEON : 0;
    features |= hwcap & HWCAP_AES ? LC_ARM_AES : 0;
    features |= hwcap & HWCAP_PMULL ? LC_ARM_PMULL : 0;
    features |= hwcap & HWCAP_SHA2 ? LC_ARM_SHA2 : 0;
#endif
    return features;
}

static uint64_t without_policy(uint64_t features)
{
#if defined(__x86_64__)
    features &= ~static_cast<uint64_t>(LC_PREFER_ZMM | LC_WIDE_ZMM | LC_PREFER_GENERAL | LC_PREFER_KARATSUBA | LC_PREFER_RADIX52);
#endif
    return features;
}

TEST(Rows, DetectionAgreesWithTheCompilers)
{
    EXPECT_EQ(feature_names(without_policy(lc_cpu_features_detected())), feature_names(features_by_compiler()));
}

TEST(Rows, NothingIsAddedToWhatWasDetected)
{
    EXPECT_EQ(feature_names(lc_cpu_features() & ~lc_cpu_features_detected()), "");
}

TEST(Rows, EachCanBeHadByNameExactlyIfTheFeaturesAllowIt)
{
    for (const lc_impl_info &impl : implementations(mode_under_test)) {
        bool allowed = !(impl.needs & ~lc_cpu_features());
        std::string name;

        EXPECT_EQ(impl.runs_here, allowed) << impl.name;
        EXPECT_EQ(init_mode_under_test(impl.name, &name), allowed ? LC_OK : LC_ERR_IMPL) << impl.name;
        EXPECT_EQ(name, allowed ? impl.name : "");
    }
}

TEST(Rows, TheBestIsSelected)
{
    std::string best, selected, name;

    for (const lc_impl_info &impl : implementations(mode_under_test)) {
        if (best.empty() && !((impl.needs | impl.prefers) & ~lc_cpu_features()))
            best = impl.name;
        if (impl.selected)
            selected += impl.name;
    }
    ASSERT_EQ(init_mode_under_test(nullptr, &name), LC_OK);
    EXPECT_EQ(name, best);
    EXPECT_EQ(selected, best); // this one and no other
}

// CTest reruns this program with features taken away and says which row has to be selected then (see tests/CMakeLists.txt):
//   EXPECT_SELECTED=row          that row
//   EXPECT_SELECTED_AT_BEST=row  that row, or if this CPU could never select it, the first after it that it could
TEST(Rows, TheExpectedOneIsSelected)
{
    std::string expected = environment("EXPECT_SELECTED"), at_best = environment("EXPECT_SELECTED_AT_BEST"), selected;
    bool reached = false;

    for (const lc_impl_info &impl : implementations(mode_under_test)) {
        reached |= impl.name == at_best;
        if (reached && expected.empty() && !((impl.needs | impl.prefers) & ~lc_cpu_features_detected()))
            expected = impl.name;
        if (impl.selected)
            selected = impl.name;
    }
    EXPECT_EQ(reached, !at_best.empty()) << "EXPECT_SELECTED_AT_BEST names no row";
    std::cout << "selected: " << selected << "; features: " << feature_names(lc_cpu_features()) << "\n";
    if (!expected.empty()) {
        EXPECT_EQ(selected, expected);
    }
}

// When all is over: of the tests that run for every implementation, exactly those were skipped whose implementation can't run.
class NothingWasLost : public ::testing::Environment {
    void TearDown() override
    {
        const ::testing::UnitTest *all = ::testing::UnitTest::GetInstance();
        std::vector<lc_impl_info> impls = implementations(mode_under_test);
        std::vector<int> compiled(impls.size()), ran(impls.size()), skipped(impls.size());

        for (int s = 0; s < all->total_test_suite_count(); s++)
            for (int t = 0; t < all->GetTestSuite(s)->total_test_count(); t++) {
                const ::testing::TestInfo *test = all->GetTestSuite(s)->GetTestInfo(t);

                if (test->value_param()) {
                    size_t i = std::stoul(test->value_param());

                    compiled[i]++;
                    if (test->should_run()) // the filter lets it through
                        (test->result()->Skipped() ? skipped : ran)[i]++;
                }
            }
        for (size_t i = 0; i < impls.size(); i++) {
            bool allowed = !(impls[i].needs & ~lc_cpu_features());

            std::cout << impls[i].name << ": " << ran[i] << " tests ran, " << skipped[i] << " were skipped\n";
            EXPECT_EQ((allowed ? skipped : ran)[i], 0) << impls[i].name;
            EXPECT_GT(compiled[i], 5) << impls[i].name;
            EXPECT_EQ(compiled[i], compiled[0]) << impls[i].name << " hasn't the same tests as the first";
        }
    }
};

static ::testing::Environment *const nothing_was_lost = ::testing::AddGlobalTestEnvironment(new NothingWasLost);

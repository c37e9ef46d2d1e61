// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Which features and which row any CPU gets: the selector is given CPUs that aren't here.
#include <set>

#include "feature_list.h"
#include "support.h"
#include "white_box.h"

static const char *const modes[] = { "xts",       "ctr",    "gcm",    "chacha20",   "poly1305",  "chacha20-poly1305",
                                     "sha256",    "sha512", "sm3",    "ecdsa-p256", "ecdh-p256", "ecdsa-p384",
                                     "ecdh-p384", "sm2",    "x25519", "ed25519",    "rsa" };

// What rows.def says of each mode; a table that lost a row would leave it without tests.
struct ListedRow {
    const char *mode, *name;
    uint64_t needs, prefers;
};

#define ROW(mode, name, needs, prefers) ListedRow{ mode, name, needs, prefers },
static const ListedRow listed_rows[] = {
#define ROW_XTS(name, symbol, needs, prefers, ...) ROW("xts", name, needs, prefers)
#define ROW_CTR(name, symbol, needs, prefers, ...) ROW("ctr", name, needs, prefers)
#define ROW_GCM(name, symbol, needs, prefers, ...) ROW("gcm", name, needs, prefers)
#define ROW_CHACHA20(name, symbol, needs, prefers, ...) ROW("chacha20", name, needs, prefers)
#define ROW_POLY1305(name, symbol, needs, prefers, ...) ROW("poly1305", name, needs, prefers)
#define ROW_CHACHA20POLY1305(name, symbol, needs, prefers, ...) ROW("chacha20-poly1305", name, needs, prefers)
#define ROW_SHA256(name, symbol, needs, prefers, ...) ROW("sha256", name, needs, prefers)
#define ROW_SHA512(name, symbol, needs, prefers, ...) ROW("sha512", name, needs, prefers)
#define ROW_SM3(name, symbol, needs, prefers, ...) ROW("sm3", name, needs, prefers)
#define ROW_ECDSA_P256(name, symbol, needs, prefers, ...) ROW("ecdsa-p256", name, needs, prefers)
#define ROW_ECDH_P256(name, symbol, needs, prefers, ...) ROW("ecdh-p256", name, needs, prefers)
#define ROW_ECDSA_P384(name, symbol, needs, prefers, ...) ROW("ecdsa-p384", name, needs, prefers)
#define ROW_ECDH_P384(name, symbol, needs, prefers, ...) ROW("ecdh-p384", name, needs, prefers)
#define ROW_SM2(name, symbol, needs, prefers, ...) ROW("sm2", name, needs, prefers)
#define ROW_X25519(name, symbol, needs, prefers, ...) ROW("x25519", name, needs, prefers)
#define ROW_ED25519(name, symbol, needs, prefers, ...) ROW("ed25519", name, needs, prefers)
#define ROW_RSA(name, symbol, needs, prefers, ...) ROW("rsa", name, needs, prefers)
#include "rows.def"
};

TEST(Select, TablesHaveTheListedRowsInTheirOrder)
{
    for (const std::string mode : modes) {
        std::string listed, got;

        for (const ListedRow &row : listed_rows)
            if (row.mode == mode)
                listed += std::string(row.name) + ": " + feature_names(row.needs | row.prefers) + "\n";
        for (const lc_impl_info &impl : implementations(mode.c_str()))
            got += std::string(impl.name) + ": " + feature_names(impl.needs | impl.prefers) + "\n";
        EXPECT_EQ(got, listed);
    }
}

// Best first: classes are in that order, the last row is the portable one, and each name says the mode.
TEST(Select, RowsAreInTheOrderOfTheirClasses)
{
    for (const std::string mode : modes) {
        const std::vector<lc_impl_info> rows = implementations(mode.c_str());

        ASSERT_FALSE(rows.empty()) << mode;
        for (size_t i = 0; i < rows.size(); i++) {
            const bool last = i + 1 == rows.size();

            EXPECT_EQ(std::string(rows[i].name).substr(0, mode.size() + 1), mode + "-");
            EXPECT_EQ(wb_row_is_portable(mode.c_str(), i), last) << rows[i].name;
            if (i) {
                EXPECT_LE(wb_row_class(mode.c_str(), i - 1), wb_row_class(mode.c_str(), i)) << rows[i].name;
            }
        }
        EXPECT_EQ(rows.back().needs, 0u) << mode; // so there always is one
        EXPECT_EQ(rows.back().prefers, 0u) << mode;
    }
}

TEST(Select, ModesAndUnknownNames)
{
    lc_impl_info info;

    size_t n = 0;

    for (const char *mode : modes)
        EXPECT_STREQ(lc_mode_name(n++), mode);
    EXPECT_EQ(lc_mode_name(n), nullptr);
    n = 0;
    while (lc_mode_name(n))
        EXPECT_GT(lc_impl_count(lc_mode_name(n++)), 0u);
    EXPECT_EQ(lc_mode_name(n + 1), nullptr);

    memset(&info, 0x5a, sizeof(info));
    for (const char *mode : { "", "xt", "xtss", "XTS", "xts-aes", "xts," }) {
        EXPECT_EQ(lc_impl_count(mode), 0u) << mode;
        EXPECT_EQ(lc_impl_get(mode, 0, &info), LC_ERR_IMPL) << mode;
    }
    EXPECT_EQ(lc_impl_get("xts", lc_impl_count("xts"), &info), LC_ERR_IMPL);
    EXPECT_EQ(lc_impl_get("xts", SIZE_MAX, &info), LC_ERR_IMPL);
    EXPECT_TRUE(all_bytes(&info, sizeof(info), 0x5a));
}

TEST(Select, FeatureNamesAreDistinct)
{
    std::set<std::string> names;
    uint64_t known = 0;

    for (int i = 0; i < 64; i++) {
        const char *name = lc_cpu_feature_name(UINT64_C(1) << i);

        if (name) {
            uint64_t bits;

            known |= UINT64_C(1) << i;
            EXPECT_TRUE(names.insert(name).second) << name;
            EXPECT_EQ(wb_parse_features(name, &bits), nullptr) << name;
            EXPECT_EQ(bits, UINT64_C(1) << i) << name;
        }
    }
    EXPECT_EQ(lc_cpu_features_detected() & ~known, 0u);
    for (const char *mode : modes)
        for (const lc_impl_info &impl : implementations(mode))
            EXPECT_EQ((impl.needs | impl.prefers) & ~known, 0u) << impl.name;
    EXPECT_EQ(lc_cpu_feature_name(0), nullptr);
    EXPECT_EQ(lc_cpu_feature_name(3), nullptr);
}

// Whatever the set of features: the row that is taken needs nothing else, is preferred, and no better one would do; and by name
// exactly those can be had whose needs are there.
static void check_set(const char *mode, const std::vector<lc_impl_info> &rows, uint64_t features)
{
    std::string best = wb_best_row(mode, features), first;

    for (const lc_impl_info &impl : rows) {
        bool runs = !(impl.needs & ~features), preferred = !((impl.needs | impl.prefers) & ~features);
        const char *by_name = wb_row_by_name(mode, impl.name, features);

        if (preferred && first.empty())
            first = impl.name;
        EXPECT_EQ(by_name ? by_name : "", std::string(runs ? impl.name : "")) << feature_names(features);
    }
    EXPECT_EQ(best, first) << feature_names(features);
}

// For each mode all sets of the features that its rows name, without any other feature and with all others.
TEST(Select, EverySetOfFeatures)
{
    for (const char *mode : modes) {
        const std::vector<lc_impl_info> rows = implementations(mode);
        std::vector<uint64_t> bits;
        uint64_t named = 0;

        for (const lc_impl_info &impl : rows)
            named |= impl.needs | impl.prefers;
        for (int i = 0; i < 64; i++)
            if (named >> i & 1)
                bits.push_back(UINT64_C(1) << i);
        ASSERT_LE(bits.size(), 16u) << mode << ": too many features by now to try all sets";
        for (uint32_t set = 0; set < 1u << bits.size(); set++) {
            uint64_t features = 0;

            for (size_t i = 0; i < bits.size(); i++)
                features |= set >> i & 1 ? bits[i] : 0;
            for (uint64_t others : { UINT64_C(0), ~named })
                check_set(mode, rows, features | others);
            if (::testing::Test::HasFailure())
                return;
        }
    }
}

TEST(Select, ParseFeatures)
{
    static const struct {
        const char *list, *bad; // what is returned: NULL, or the rest of the list from the first bad word on
    } cases[] = {
        { "", nullptr },
        { "aes", nullptr },
        { "aes,aes", nullptr },
        { "nonsense", "nonsense" },
        { "aes,nonsense", "nonsense" },
        { "aes,nonsense,aes", "nonsense,aes" },
        { ",", "," },
        { "aes,", "," },
        { ",aes", ",aes" },
        { "aes,,aes", ",aes" },
        { "ae", "ae" },
        { "aess", "aess" },
        { "AES", "AES" },
        { " aes", " aes" },
        { "aes ", "aes " },
        { "aes=1", "aes=1" },
        { "aes;aes", "aes;aes" },
        { "-aes", "-aes" },
        { "all", "all" },
    };

    if (!lc_cpu_feature_name(1))
        GTEST_SKIP() << "no features are known for this architecture, so there are no names to parse";
    for (const auto &c : cases) {
        uint64_t bits = UINT64_MAX;
        const char *bad = wb_parse_features(c.list, &bits);

        EXPECT_STREQ(bad, c.bad) << c.list;
        EXPECT_TRUE(!bad || (bad >= c.list && bad <= c.list + strlen(c.list))) << "doesn't point into the list: " << c.list;
        if (!c.bad) {
            EXPECT_EQ(feature_names(bits), *c.list ? "aes" : "") << c.list;
        }
    }
}

TEST(Select, ParseImpls)
{
    static const struct {
        const char *list, *bad, *row;
    } cases[] = {
        { "", nullptr, "" },
        { "xts=xts-aes-portable", nullptr, "xts-aes-portable" },
        { "ctr=ctr-aes-portable", nullptr, "" }, // fine, but another mode's
        { "ctr=ctr-aes-portable,xts=xts-aes-portable", nullptr, "xts-aes-portable" },
        { "ctr=xts-aes-portable", "ctr=xts-aes-portable", "" },
        { "xts=ctr-aes-portable", "xts=ctr-aes-portable", "" },
        { "xts", "xts", "" },
        { "xts=", "xts=", "" },
        { "=", "=", "" },
        { "=xts-aes-portable", "=xts-aes-portable", "" },
        { "xts-aes-portable", "xts-aes-portable", "" },
        { "xts,xts-aes-portable", "xts,xts-aes-portable", "" },
        { "xts==xts-aes-portable", "xts==xts-aes-portable", "" },
        { "xts=xts-aes-portable=", "xts=xts-aes-portable=", "" },
        { "xts=xts-aes-portable=xts", "xts=xts-aes-portable=xts", "" },
        { "xts=nonsense", "xts=nonsense", "" },
        { "xts=xts-aes-portabl", "xts=xts-aes-portabl", "" },
        { "xts=xts-aes-portable2", "xts=xts-aes-portable2", "" },
        { "nonsense=xts-aes-portable", "nonsense=xts-aes-portable", "" },
        { "xt=xts-aes-portable", "xt=xts-aes-portable", "" },
        { "XTS=xts-aes-portable", "XTS=xts-aes-portable", "" },
        { "chacha20=chacha20-portable,chacha20-poly1305=chacha20-poly1305-portable,poly1305=poly1305-portable", nullptr, "" },
        { "chacha20=chacha20-poly1305-portable", "chacha20=chacha20-poly1305-portable", "" },
        { "chacha20-poly1305=chacha20-portable", "chacha20-poly1305=chacha20-portable", "" },
        { "chacha20-=chacha20-portable", "chacha20-=chacha20-portable", "" },
        { "xts =xts-aes-portable", "xts =xts-aes-portable", "" },
        { ",", ",", "" },
        { ",xts=xts-aes-portable", ",xts=xts-aes-portable", "" },
        { "xts=xts-aes-portable,", ",", "xts-aes-portable" },
        { "xts=xts-aes-portable,,xts=xts-aes-portable", ",xts=xts-aes-portable", "xts-aes-portable" },
        { "xts=xts-aes-portable,nonsense", "nonsense", "xts-aes-portable" },
        { "xts=xts-aes-portable,xts=nonsense,xts=xts-aes-portable", "xts=nonsense,xts=xts-aes-portable", "xts-aes-portable" },
    };

    for (const auto &c : cases) {
        const char *row = "", *bad = wb_parse_impls(c.list, "xts", 0, &row);

        EXPECT_STREQ(bad, c.bad) << c.list;
        EXPECT_TRUE(!bad || (bad >= c.list && bad <= c.list + strlen(c.list))) << "doesn't point into the list: " << c.list;
        EXPECT_STREQ(row, c.row) << c.list;
    }
    // a row is refused if a feature is missing, and had if it is there
    for (const lc_impl_info &impl : implementations("xts")) {
        std::string list = std::string("xts=") + impl.name;
        const char *row = "";

        EXPECT_EQ(wb_parse_impls(list.c_str(), "xts", impl.needs, &row), nullptr);
        EXPECT_STREQ(row, impl.name);
        for (int i = 0; i < 64; i++)
            if (impl.needs >> i & 1) {
                row = "";
                EXPECT_STREQ(wb_parse_impls(list.c_str(), "xts", ~(UINT64_C(1) << i), &row), list.c_str());
                EXPECT_STREQ(row, "");
            }
    }
}

#if defined(__x86_64__)

extern "C" {
#include "x86/cpu.h"
}

#define AVX512_ALL "avx512f, avx512bw, avx512vl"
#define SSE "ssse3, sse4.1, aes, pclmulqdq"
#define AVX_TO_BMI2 SSE ", avx, avx2, bmi2"

static void check_set(uint64_t features)
{
    for (const char *mode : modes)
        check_set(mode, implementations(mode), features);
}

/*
 * Words like those that such CPUs give to software: leaf 1 eax (signature) and ecx, leaf 7 ebx, ecx, edx, the eax of
 * its subleaf 1, XCR0 (0x07: x87,
 * xmm, ymm; 0xe7: and zmm; 0x200 is PKRU).  What the library has to make of them is written down by name, so a mistake in a word
 * shows: the features, and the classes of the rows that are chosen (enum lc_class).
 */
/* clang-format off */
static const struct FakeCpu {
    const char *name;
    lc_x86_cpuid id;
    const char *features, *zmm_policy, *xts, *ctr, *chacha, *poly; /* xts: also gcm; chacha: also chacha20-poly1305 */
} fake_cpus[] = {
    { "Westmere",
      { "GenuineIntel", 0x000206c2, 0x029ee3ff, 0, 0, 0, 0, 0 },
      SSE, "no: this CPU, or the system",
      "SSE", "SSE", "SSE", "SCALAR" },
    { "Nehalem, which has no AES",
      { "GenuineIntel", 0x000106a5, 0x009ce3bd, 0, 0, 0, 0, 0 },
      "ssse3, sse4.1", "no: this CPU, or the system",
      "PORTABLE", "PORTABLE", "SSE", "SCALAR" },
    { "Silvermont",
      { "GenuineIntel", 0x000406d8, 0x43d8e3bf, 0x00002282, 0, 0, 0, 0 },
      SSE, "no: this CPU, or the system",
      "SSE", "SSE", "SSE", "SCALAR" },
    { "Haswell",
      { "GenuineIntel", 0x000306c3, 0x7ffafbbf, 0x000027ab, 0, 0x9c000000, 0, 0x07 },
      AVX_TO_BMI2, "no: this CPU, or the system",
      "AVX", "AVX", "AVX2", "AVX2" },
    { "Skylake-X",
      { "GenuineIntel", 0x00050654, 0x7ffefbff, 0xd39ffffb, 0x00000008, 0xbc000600, 0, 0x2e7 },
      AVX_TO_BMI2 ", " AVX512_ALL, "no: Skylake-X",
      "AVX", "AVX", "AVX512_256", "AVX2" },
    { "Cascade Lake",
      { "GenuineIntel", 0x00050657, 0x7ffefbff, 0xd39ffffb, 0x00000818, 0xbc000400, 0, 0x2e7 },
      AVX_TO_BMI2 ", " AVX512_ALL, "no: Skylake-X, Cascade Lake",
      "AVX", "AVX", "AVX512_256", "AVX2" },
    { "Cannon Lake",
      { "GenuineIntel", 0x00060663, 0x7ffafbbf, 0xf2bf27ef, 0x0000001e, 0xbc000400, 0, 0x2e7 },
      AVX_TO_BMI2 ", " AVX512_ALL ", avx512ifma, sha_ni", "no: Cannon Lake",
      "AVX", "AVX", "AVX512_256", "AVX2" },
    { "Zen 2",
      { "AuthenticAMD", 0x00830f10, 0x7ed8320b, 0x219c91a9, 0x00400004, 0, 0, 0x207 },
      AVX_TO_BMI2 ", sha_ni", "no: this CPU, or the system",
      "AVX", "AVX", "AVX2", "AVX2" },
    { "Zen 3",
      { "AuthenticAMD", 0x00a20f10, 0x7ef8320b, 0x219c97a9, 0x0040068c, 0x00000010, 0, 0x207 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, sha_ni", "no: this CPU, or the system",
      "AVX2", "AVX2", "AVX2", "AVX2" },
    { "Alder Lake",
      { "GenuineIntel", 0x00090672, 0x7ffafbff, 0x239ca7eb, 0x98c027ac, 0xfc1cc410, 0, 0x207 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, gfni, sha_ni", "no: this CPU, or the system",
      "AVX2", "AVX2", "AVX2", "AVX2" },
    { "Arrow Lake",
      { "GenuineIntel", 0x000c0662, 0x7ffaf39f, 0x219c27eb, 0x18400724, 0xfc004410, 0x008008d7, 0x207 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, gfni, sha_ni, avxifma", "no: this CPU, or the system",
      "AVX2", "AVX2", "AVX2", "AVX2" },
    { "Arrow Lake whose system doesn't save the ymm registers",
      { "GenuineIntel", 0x000c0662, 0x7ffaf39f, 0x219c27eb, 0x18400724, 0xfc004410, 0x008008d7, 0x03 },
      SSE ", bmi2, gfni, sha_ni", "no: this CPU, or the system",
      "SSE", "SSE", "SSE", "SCALAR" },
    { "Ice Lake (client)",
      { "GenuineIntel", 0x000706e5, 0x7ffafbbf, 0xf2bf27ef, 0x40405f4e, 0xbc000410, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni", "no: Ice Lake (client)",
      "AVX512_256", "AVX512_256", "AVX512_256", "AVX2" },
    { "Ice Lake (server)",
      { "GenuineIntel", 0x000606a6, 0x7ffefbff, 0xf3bfbffb, 0x40417f5e, 0xbc040412, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni", "no: Ice Lake (server)",
      "AVX512_256", "AVX512_256", "AVX512_256", "AVX2" },
    { "Ice Lake (Xeon D)",
      { "GenuineIntel", 0x000606c1, 0x7ffefbff, 0xf3bfbffb, 0x40417f5e, 0xbc040412, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni", "no: Ice Lake (Xeon D)",
      "AVX512_256", "AVX512_256", "AVX512_256", "AVX2" },
    { "Ice Lake (client, Y)",
      { "GenuineIntel", 0x000706d5, 0x7ffafbbf, 0xf2bf27ef, 0x40405f4e, 0xbc000410, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni", "no: Ice Lake (client)",
      "AVX512_256", "AVX512_256", "AVX512_256", "AVX2" },
    { "Ice Lake (NNP-I)",
      { "GenuineIntel", 0x000906d0, 0x7ffafbbf, 0xf2bf27ef, 0x40405f4e, 0xbc000410, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni", "no: Ice Lake (NNP-I)",
      "AVX512_256", "AVX512_256", "AVX512_256", "AVX2" },
    { "Tiger Lake",
      { "GenuineIntel", 0x000806c1, 0x7ffafbbf, 0xf3bfa7eb, 0x18c05fce, 0xfc100510, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni", "no: Tiger Lake",
      "AVX512_256", "AVX512_256", "AVX512_256", "AVX2" },
    { "Tiger Lake (H)",
      { "GenuineIntel", 0x000806d1, 0x7ffafbbf, 0xf3bfa7eb, 0x18c05fce, 0xfc100510, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni", "no: Tiger Lake",
      "AVX512_256", "AVX512_256", "AVX512_256", "AVX2" },
    { "Rocket Lake",
      { "GenuineIntel", 0x000a0671, 0x7ffafbbf, 0xf2bf27eb, 0x40405f4e, 0xbc000410, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni, prefer_zmm, wide_zmm", "yes: ",
      "AVX512_512", "AVX512_512", "AVX512_512", "AVX512_512" },
    { "Sapphire Rapids",
      { "GenuineIntel", 0x000806f8, 0x7ffefbff, 0xf3bfbffb, 0xfb417ffe, 0xffdd4432, 0, 0x602e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni, prefer_zmm, wide_zmm, prefer_radix52", "yes: ",
      "AVX512_512", "AVX512_512", "AVX512_512", "AVX512_512" },
    { "Zen 4",
      { "AuthenticAMD", 0x00a10f11, 0x7efa320b, 0xf1bf97a9, 0x00405fce, 0x10000010, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni, prefer_zmm", "yes: ",
      "AVX512_512", "AVX512_512", "AVX512_512", "AVX512_512" },
    { "Zen 5",
      { "AuthenticAMD", 0x00b40f40, 0x7efa320b, 0xf1bf97a9, 0x08405fce, 0x10000310, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni, prefer_zmm, wide_zmm, prefer_general, prefer_karatsuba", "yes: ",
      "AVX512_512", "AVX512_512", "AVX512_512", "AVX512_512" },
    { "Zen 5 (server)",
      { "AuthenticAMD", 0x00b00f21, 0x7efa320b, 0xf1bf97a9, 0x08405fce, 0x10000310, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni, prefer_zmm, wide_zmm, prefer_general, prefer_karatsuba", "yes: ",
      "AVX512_512", "AVX512_512", "AVX512_512", "AVX512_512" },
    { "Zen 5 (laptop)",
      { "AuthenticAMD", 0x00b20f40, 0x7efa320b, 0xf1bf97a9, 0x08405fce, 0x10000310, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni, prefer_zmm, prefer_general", "yes: ",
      "AVX512_512", "AVX512_512", "AVX512_512", "AVX512_512" },
    { "Zen 5 whose system doesn't save zmm",
      { "AuthenticAMD", 0x00b40f40, 0x7efa320b, 0xf1bf97a9, 0x08405fce, 0x10000310, 0, 0x07 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, gfni, sha_ni, prefer_general", "no: this CPU, or the system",
      "AVX2", "AVX2", "AVX2", "AVX2" },
    { "Sapphire Rapids whose system doesn't save zmm",
      { "GenuineIntel", 0x000806f8, 0x7ffefbff, 0xf3bfbffb, 0xfb417ffe, 0xffdd4432, 0, 0x07 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, gfni, sha_ni", "no: this CPU, or the system",
      "AVX2", "AVX2", "AVX2", "AVX2" },
    { "Sapphire Rapids whose system saves the mask registers and only the lower halves of zmm",
      { "GenuineIntel", 0x000806f8, 0x7ffefbff, 0xf3bfbffb, 0xfb417ffe, 0xffdd4432, 0, 0xa7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, gfni, sha_ni", "no: this CPU, or the system",
      "AVX2", "AVX2", "AVX2", "AVX2" },
    { "Sapphire Rapids whose system doesn't save ymm",
      { "GenuineIntel", 0x000806f8, 0x7ffefbff, 0xf3bfbffb, 0xfb417ffe, 0xffdd4432, 0, 0x03 },
      SSE ", bmi2, gfni, sha_ni", "no: this CPU, or the system",
      "SSE", "SSE", "SSE", "SCALAR" },
    { "Sapphire Rapids whose system has no XSAVE at all",
      { "GenuineIntel", 0x000806f8, 0x77fefbff, 0xf3bfbffb, 0xfb417ffe, 0xffdd4432, 0, 0 },
      SSE ", bmi2, gfni, sha_ni", "no: this CPU, or the system",
      "SSE", "SSE", "SSE", "SCALAR" },
    { "Sapphire Rapids under a hypervisor that hides VAES",
      { "GenuineIntel", 0x000806f8, 0xfffefbff, 0xf3bfbffb, 0xfb417dfe, 0xffdd4432, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, " AVX512_ALL ", avx512ifma, gfni, sha_ni, prefer_zmm, wide_zmm, prefer_radix52", "yes: ",
      "AVX", "AVX", "AVX512_512", "AVX512_512" },
    { "Sapphire Rapids under a hypervisor that hides VPCLMULQDQ",
      { "GenuineIntel", 0x000806f8, 0xfffefbff, 0xf3bfbffb, 0xfb417bfe, 0xffdd4432, 0, 0x2e7 },
      AVX_TO_BMI2 ", vaes, " AVX512_ALL ", avx512ifma, gfni, sha_ni, prefer_zmm, wide_zmm, prefer_radix52", "yes: ",
      "AVX", "AVX512_512", "AVX512_512", "AVX512_512" },
    { "Ice Lake (server) under a hypervisor that hides AVX-512BW",
      { "GenuineIntel", 0x000606a6, 0xfffefbff, 0xb3bfbffb, 0x40417f5e, 0xbc040412, 0, 0x2e7 },
      AVX_TO_BMI2 ", vpclmulqdq, vaes, avx512f, avx512vl, avx512ifma, gfni, sha_ni", "no: Ice Lake (server)",
      "AVX2", "AVX2", "AVX2", "AVX2" },
    { "the first x86-64",
      { "AuthenticAMD", 0x00000f4a, 0, 0, 0, 0, 0, 0 },
      "", "no: this CPU, or the system",
      "PORTABLE", "PORTABLE", "PORTABLE", "SCALAR" },
};
/* clang-format on */

// Feature names are listed in the order of their bits, which is not the order in which a reader looks for them; sets compare.
static std::set<std::string> words(const std::string &list)
{
    std::set<std::string> set;
    size_t begin = 0;

    while (begin < list.size()) {
        size_t end = list.find(", ", begin);

        end = end == std::string::npos ? list.size() : end;
        set.insert(list.substr(begin, end - begin));
        begin = end + 2;
    }
    return set;
}

TEST(FakeCpus, FeaturesPolicyAndRow)
{
    for (const FakeCpu &cpu : fake_cpus) {
        const char *policy = nullptr;
        uint64_t features = lc_x86_features(&cpu.id, &policy);

        SCOPED_TRACE(cpu.name);
        EXPECT_EQ(words(feature_names(features)), words(cpu.features));
        ASSERT_NE(policy, nullptr);
        EXPECT_EQ(std::string(policy).substr(0, strlen(cpu.zmm_policy)), cpu.zmm_policy);
        EXPECT_GT(strlen(policy), strlen("yes: ") + 10);
        EXPECT_EQ((features & LC_PREFER_ZMM) != 0, std::string(policy).substr(0, 4) == "yes:");
        for (const char *mode : { "xts", "ctr", "gcm" }) {
            const bool karatsuba = std::string(mode) == "gcm" && (features & LC_PREFER_KARATSUBA) != 0;
            const std::string best = wb_best_row(mode, features), wide = karatsuba ? "-512-karatsuba" : "-512-wide";

            EXPECT_EQ(best.size() > wide.size() && best.compare(best.size() - wide.size(), wide.size(), wide) == 0,
                      (features & LC_WIDE_ZMM) != 0 && std::string(wb_best_class(mode, features)) == "AVX512_512")
                << best;
        }
        // ChaCha20's block in general registers is for Zen 5, by 512 bits as well.
        for (const std::string mode : { "chacha20", "chacha20-poly1305" }) {
            const std::string best = wb_best_row(mode.c_str(), features);

            if (features & LC_WIDE_ZMM)
                EXPECT_EQ(best, mode + (features & LC_PREFER_GENERAL ? "-avx512-512-wide-general" : "-avx512-512-wide"));
            else
                EXPECT_EQ(best.find("-wide"), std::string::npos) << best;
        }
        // X25519's ladder with limbs of 52 bits is for CPUs with that policy; Ed25519 has none.
        if (features & LC_PREFER_ZMM && features & LC_AVX512IFMA) {
            EXPECT_STREQ(wb_best_row("x25519", features),
                         features & LC_PREFER_RADIX52 ? "x25519-avx512ifma-512-radix52" : "x25519-avx512ifma-512");
            EXPECT_STREQ(wb_best_row("ed25519", features), "ed25519-avx512ifma-512");
        }
        // Zen 5 without AVX-512, or without AVX2
        EXPECT_EQ(std::string(wb_best_row("chacha20", features)) == "chacha20-avx2-general",
                  (features & LC_PREFER_GENERAL) != 0 && (features & LC_AVX512F) == 0);
        EXPECT_EQ(std::string(wb_best_row("chacha20", features & ~static_cast<uint64_t>(LC_AVX2))) == "chacha20-ssse3-general",
                  (features & LC_PREFER_GENERAL) != 0);
        EXPECT_EQ(std::string(wb_best_row("chacha20", features & ~static_cast<uint64_t>(LC_PREFER_ZMM))) ==
                      "chacha20-avx512-256-general",
                  (features & LC_PREFER_GENERAL) != 0 && (features & LC_AVX512F) != 0);
        EXPECT_STREQ(wb_best_class("xts", features), cpu.xts);
        EXPECT_STREQ(wb_best_class("gcm", features), cpu.xts);
        EXPECT_STREQ(wb_best_class("ctr", features), cpu.ctr);
        EXPECT_STREQ(wb_best_class("chacha20", features), cpu.chacha);
        EXPECT_STREQ(wb_best_class("chacha20-poly1305", features), cpu.chacha);
        EXPECT_STREQ(wb_best_class("poly1305", features), cpu.poly);
        const std::string lanes = std::string(cpu.chacha) == "SSE" ? "PORTABLE" : cpu.chacha; // which hashes have from AVX2 on
        EXPECT_EQ(wb_best_class("sha256", features), features & LC_SHANI ? "SHANI" : lanes);
        EXPECT_EQ(wb_best_class("sha512", features), lanes);
        EXPECT_EQ(wb_best_class("sm3", features), lanes);
        check_set(features);
    }
}

// Policy passes over the 512-bit row of these; it stays reachable by name.
TEST(FakeCpus, WhatPolicyPassesOverIsReachableByName)
{
    size_t passed_over = 0;

    for (const FakeCpu &cpu : fake_cpus) {
        const char *policy;
        uint64_t features = lc_x86_features(&cpu.id, &policy);

        if (std::string(cpu.xts) == "AVX512_256") {
            passed_over++;
            EXPECT_STREQ(wb_row_by_name("xts", "xts-aes-vaes-avx512-512", features), "xts-aes-vaes-avx512-512") << cpu.name;
            EXPECT_STREQ(wb_row_by_name("ctr", "ctr-aes-vaes-avx512-512", features), "ctr-aes-vaes-avx512-512") << cpu.name;
        }
    }
    EXPECT_EQ(passed_over, 7u);
}

// Features taken away one after another, newest first: the row that is selected never needs one that is gone, and rows only get
// worse.
TEST(FakeCpus, NewestFeaturesTakenAwayFirst)
{
    for (const char *mode : modes) {
        const std::vector<lc_impl_info> rows = implementations(mode);

        for (const FakeCpu &cpu : fake_cpus) {
            const char *policy;
            uint64_t features = lc_x86_features(&cpu.id, &policy);
            size_t last = 0;

            for (int bit = 63; bit >= 0; bit--) {
                size_t row = 0;

                features &= ~(UINT64_C(1) << bit);
                while (strcmp(rows[row].name, wb_best_row(mode, features)) != 0)
                    row++;
                EXPECT_EQ(rows[row].needs & ~features, 0u) << mode << ", " << cpu.name << ", " << bit;
                EXPECT_GE(row, last) << mode << ", " << cpu.name << ", " << bit;
                last = row;
                check_set(features);
            }
            EXPECT_EQ(rows[last].needs, 0u) << mode; // the portable one, or what any x86-64 CPU can do
        }
    }
}

// Every bit of every word by itself, XCR0 being complete: each means one feature at most.
TEST(FakeCpus, SingleBits)
{
    lc_x86_cpuid all = { "GenuineIntel", 0x000806f8, ~0u, ~0u, ~0u, ~0u, ~0u, ~UINT64_C(0) };
    const char *policy;
    const uint64_t policies = LC_PREFER_ZMM | LC_WIDE_ZMM | LC_PREFER_RADIX52; // those of this CPU
    uint64_t every = lc_x86_features(&all, &policy), found = 0;

    EXPECT_EQ(every, ((UINT64_C(2) << 15) - 1) | policies); // avxifma is the last of the others
    for (int word = 0; word < 5; word++)
        for (int bit = 0; bit < 32; bit++) {
            lc_x86_cpuid one = { "GenuineIntel", 0x000806f8, 0, 0, 0, 0, 0, ~UINT64_C(0) };
            uint32_t *words[] = { &one.leaf1_ecx, &one.leaf7_ebx, &one.leaf7_ecx, &one.leaf7_edx, &one.leaf7_1_eax };
            uint64_t features;

            *words[word] = 1u << bit;
            features = lc_x86_features(&one, &policy) & ~policies;
            EXPECT_EQ(features & (features - 1), 0u) << "word " << word << ", bit " << bit;
            EXPECT_EQ(features & found, 0u) << "word " << word << ", bit " << bit;
            found |= features;
        }
    EXPECT_EQ(found | policies, every);
}

#endif

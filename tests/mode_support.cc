// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "mode_support.h"

#include <stdexcept>

void must(int status, const std::string &what)
{
    if (status != LC_OK)
        throw std::runtime_error(what + ": " + lc_strerror(status));
}

void EachRow::SetUp()
{
    ASSERT_EQ(lc_impl_get(mode_under_test, GetParam(), &impl), LC_OK);
    if (impl.needs & ~lc_cpu_features())
        GTEST_SKIP() << impl.name << " needs " << feature_names(impl.needs & ~lc_cpu_features()) << ", which is missing here";
}

std::string row_test_name(const ::testing::TestParamInfo<size_t> &info)
{
    std::string name = implementations(mode_under_test)[info.param].name;

    for (char &c : name)
        if (c == '-')
            c = '_'; // GoogleTest allows nothing else
    return name;
}

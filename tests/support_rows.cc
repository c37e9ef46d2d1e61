// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The part of support.h that calls the library, apart so that test programs without the library link too.
#include <cstdio>
#include <cstdlib>

#include "support.h"

std::vector<lc_impl_info> implementations(const char *mode)
{
    std::vector<lc_impl_info> list(lc_impl_count(mode));

    for (size_t i = 0; i < list.size(); i++)
        if (lc_impl_get(mode, i, &list[i]) != LC_OK) {
            std::fprintf(stderr, "lc_impl_get() fails below lc_impl_count()\n");
            std::abort();
        }
    return list;
}

std::string feature_names(uint64_t features)
{
    std::string names;

    for (int i = 0; i < 64; i++)
        if (features >> i & 1) {
            const char *name = lc_cpu_feature_name(UINT64_C(1) << i);

            names += std::string(names.empty() ? "" : ", ") + (name ? name : "?");
        }
    return names;
}

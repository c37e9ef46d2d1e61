// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "mode_support.h"

#include <algorithm>
#include <stdexcept>

void must(int status, const std::string &what)
{
    if (status != LC_OK)
        throw std::runtime_error(what + ": " + lc_strerror(status));
}

static std::string vectors_folder()
{
    std::string folder = environment("LANECRYPT_VECTORS_DIR");

    return (folder.empty() ? DEFAULT_VECTORS_DIR : folder) + "/";
}

std::ifstream open_vectors(const std::string &path)
{
    std::string name = vectors_folder() + path;
    std::ifstream in(name);

    if (!in)
        throw std::runtime_error("can't read " + name + ": run tests/fetch_vectors.sh DIR and set LANECRYPT_VECTORS_DIR=DIR");
    return in;
}

void expect_records(size_t num, size_t num_published)
{
    if (std::ifstream(vectors_folder() + "README.md"))
        EXPECT_TRUE(num_published ? num > 0 && num >= num_published / 200 : num == 0) << num << " of " << num_published;
    else
        EXPECT_EQ(num, num_published);
}

std::vector<size_t> random_pieces(Random &random, size_t len)
{
    std::vector<size_t> lens;

    while (len) {
        size_t most = random.below(2) ? 100 : 3000, n = std::min(len, random.below(most));

        if (random.below(2))
            n -= n % (random.below(2) ? 16 : 64);
        lens.push_back(n);
        len -= n;
    }
    return lens;
}

uint8_t *put(Guarded &memory, bool at_end, const Bytes &bytes, bool read_only)
{
    uint8_t *p = memory.place(at_end, bytes.size());

    memory.writable();
    memset(memory.begin(), 0xa5, memory.size());
    std::copy(bytes.begin(), bytes.end(), p);
    if (read_only)
        memory.read_only();
    return p;
}

::testing::AssertionResult holds(const Guarded &memory, const uint8_t *p, const Bytes &text)
{
    if (!all_bytes(memory.begin(), static_cast<size_t>(p - memory.begin()), 0xa5) ||
        !all_bytes(p + text.size(), static_cast<size_t>(memory.end() - p) - text.size(), 0xa5))
        return ::testing::AssertionFailure() << "written outside";
    return same(text.data(), p, text.size());
}

void flip(Bytes *bytes, size_t bit)
{
    (*bytes)[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
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

bool next_record(std::istream &in, std::map<std::string, std::string> *record)
{
    std::string line;

    record->clear();
    while (std::getline(in, line)) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        size_t equals = line.find(" =");

        if (line.empty() && !record->empty())
            return true;
        if (equals != std::string::npos && line[0] != '#')
            (*record)[line.substr(0, equals)] = equals + 3 < line.size() ? line.substr(equals + 3) : "";
    }
    return !record->empty();
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the modes' test programs share: the fixture that makes every test run once for every implementation, keys, calls between
 * guard pages, and what test_rows.cc, which is part of each of these programs, has to know of the mode.
 */
#ifndef LC_TESTS_MODE_SUPPORT_H
#define LC_TESTS_MODE_SUPPORT_H

#include <fstream>
#include <map>

#include "support.h"

/* ---- From <mode>_support.cc ---- */

extern const char *const mode_under_test; /* "xts" */

/* The mode's init_impl function with a key that it takes; *name: what its impl_name function says then. */
int init_mode_under_test(const char *impl, std::string *name);

/* ---- For all modes ---- */

/* Throws, which GoogleTest reports as a failure, if the status isn't LC_OK. */
void must(int status, const std::string &what);

/* A file of published vectors.  Throws if it isn't there. */
std::ifstream open_vectors(const std::string &path);

/* Expects that num records were read where num_published are; of the choice in vectors/nist one in 200, and at least one. */
void expect_records(size_t num, size_t num_published);

/* The next "Name = value" lines up to an empty one; false at the end. */
bool next_record(std::istream &in, std::map<std::string, std::string> *record);

static const bool both_directions[] = { true, false }; /* encrypt, decrypt */

/* Lengths that add up to len: short and long ones, empty ones, whole blocks. */
std::vector<size_t> random_pieces(Random &random, size_t len);

void flip(Bytes *bytes, size_t bit);

/* Memory that can neither be read nor written: if a call is refused, it hasn't been touched.  The page after a Guarded. */
struct Untouchable {
    Guarded memory{ 1 };
    uint8_t *p = memory.end();
};

/* A text in guarded memory, right before one guard page or right after the other; all else there is 0xa5. */
uint8_t *put(Guarded &memory, bool at_end, const Bytes &bytes, bool read_only);
/* Is it `text`, and nothing else changed? */
::testing::AssertionResult holds(const Guarded &memory, const uint8_t *p, const Bytes &text);

/* Memory whose bytes are compared before and after. */
template <typename T> Bytes bytes_of(const T &object)
{
    const uint8_t *p = reinterpret_cast<const uint8_t *>(&object);

    return Bytes(p, p + sizeof(object));
}

template <typename Key> using InitImpl = int(Key *key, const char *impl, const uint8_t *raw, size_t raw_len);

/* A key that wipes itself.  Throws if the key can't be made. */
template <typename Key, InitImpl<Key> *init_impl, void (*wipe)(Key *)> struct ModeKey {
    Key key;

    ModeKey(const std::string &impl, const Bytes &raw)
    {
        must(init_impl(&key, impl.c_str(), raw.data(), raw.size()), "init with \"" + impl + "\"");
    }
    ~ModeKey() { wipe(&key); }
    ModeKey(const ModeKey &) = delete;
    ModeKey &operator=(const ModeKey &) = delete;
    operator const Key *() const { return &key; }
};

/* Everything that the calls take, each by itself between guard pages.  The key is read-only during the calls. */
template <typename Key, typename State, InitImpl<Key> *init_impl> struct GuardedCall {
    Guarded src{ 1 << 16 }, dst{ 1 << 16 }, iv{ 16 }, state_memory{ sizeof(State) }, key{ sizeof(Key) };
    State *const state = reinterpret_cast<State *>(state_memory.at_end(sizeof(State)));
    const Key *const_key = nullptr;

    void set_key(const std::string &impl, const Bytes &raw)
    {
        key.writable();
        Key *k = reinterpret_cast<Key *>(key.at_end(sizeof(Key)));
        must(init_impl(k, impl.c_str(), raw.data(), raw.size()), "init with \"" + impl + "\"");
        key.read_only();
        const_key = k;
    }
};

/*
 * Tests of this fixture run once for every implementation that is compiled in.  Those that this CPU (less what LANECRYPT_DISABLE
 * takes away) can't run are skipped, with the features that are missing; test_rows.cc checks that no others are.
 */
class EachRow : public ::testing::TestWithParam<size_t> {
protected:
    lc_impl_info impl; /* the implementation under test */

    void SetUp() override;
};

/* What makes tests of them; once in a program. */
std::string row_test_name(const ::testing::TestParamInfo<size_t> &info);
#define FOR_EACH_ROW(fixture)                                                                                                      \
    INSTANTIATE_TEST_SUITE_P(Implementation, fixture, ::testing::Range(size_t{ 0 }, lc_impl_count(mode_under_test)), row_test_name)

#endif

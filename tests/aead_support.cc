// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "aead_support.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>

const char *const mode_under_test = Mode::name;

int init_mode_under_test(const char *impl, std::string *name)
{
    Bytes raw = Random(1).bytes(Mode::key_lens[0]);
    Mode::Key key;
    int status = Mode::init_impl(&key, impl, raw.data(), raw.size());

    if (status == LC_OK)
        *name = Mode::impl_name(&key);
    return status;
}

FOR_EACH_ROW(Aead);

// ---- The reference ----

const Sealed &reference::seal(const Message &m)
{
    static std::unordered_map<std::string, Sealed> results;
    std::string name; // all of the message

    for (const Bytes *bytes : { &m.raw, &m.nonce, &m.aad, &m.src })
        name += std::to_string(bytes->size()) + ' ';
    for (const Bytes *bytes : { &m.raw, &m.nonce, &m.aad, &m.src })
        name.append(reinterpret_cast<const char *>(bytes->data()), bytes->size());
    auto found = results.find(name);
    return found != results.end() ? found->second : results.emplace(name, compute(m)).first->second;
}

// ---- Lengths and messages ----

std::vector<size_t> bad_tag_lens()
{
    std::vector<size_t> lens = { SIZE_MAX, (size_t{ 1 } << 32) + 16 };

    for (size_t len = 0; len <= 130; len++)
        if (std::find(std::begin(Mode::tag_lens), std::end(Mode::tag_lens), len) == std::end(Mode::tag_lens))
            lens.push_back(len);
    return lens;
}

std::vector<size_t> bad_nonce_lens(const Flavour<Mode::Key> &flavour)
{
    const size_t most = flavour.max_nonce_len;
    std::vector<size_t> lens;

    for (size_t len = 0; len <= 40; len++)
        if (!flavour.takes(len))
            lens.push_back(len);
    for (size_t len : { most + 1, most + 13, SIZE_MAX, (size_t{ 1 } << 32) + 12, (size_t{ 1 } << 32) + 24 })
        if (!flavour.takes(len))
            lens.push_back(len);
    return lens;
}

Message random_message(Random &random, size_t key_len, size_t len, size_t aad_len, size_t nonce_len)
{
    return { random.bytes(key_len), random.bytes(len), random.bytes(aad_len), random.bytes(nonce_len) };
}

::testing::AssertionResult same(const Sealed &expected, const Sealed &actual)
{
    ::testing::AssertionResult text = same(expected.ct, actual.ct), tag = same(expected.tag, actual.tag);

    if (!text)
        return ::testing::AssertionFailure() << "the text: " << text.message();
    if (!tag)
        return ::testing::AssertionFailure() << "the tag: " << tag.message();
    return tag;
}

// ---- Calls ----

int crypt(bool encrypt, const Mode::Key *key, uint8_t *dst, const uint8_t *src, size_t len, uint8_t *tag, size_t tag_len,
          const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    const Flavour<Mode::Key> *flavour = Mode::flavours; // gets what no flavour takes

    for (const Flavour<Mode::Key> &f : Mode::flavours)
        if (f.takes(nonce_len))
            flavour = &f;
    if (encrypt)
        return flavour->seal(key, dst, tag, tag_len, src, len, aad, aad_len, nonce, nonce_len);
    return flavour->open(key, dst, src, len, tag, tag_len, aad, aad_len, nonce, nonce_len);
}

int crypt(bool encrypt, const Mode::Key *key, uint8_t *dst, const uint8_t *src, uint8_t *tag, size_t tag_len, const Message &m)
{
    return crypt(encrypt, key, dst, src, m.src.size(), tag, tag_len, m.aad.data(), m.aad.size(), m.nonce.data(), m.nonce.size());
}

Sealed seal(const Mode::Key *key, const Message &m, size_t tag_len)
{
    Sealed s = { Bytes(m.src.size()), Bytes(tag_len) };

    must(crypt(true, key, s.ct.data(), m.src.data(), s.tag.data(), tag_len, m), "sealing");
    return s;
}

int open(const Mode::Key *key, Bytes *dst, const Sealed &s, const Message &m)
{
    Bytes tag = s.tag;

    dst->assign(s.ct.size(), 0x5a);
    return crypt(false, key, dst->data(), s.ct.data(), s.ct.size(), tag.data(), tag.size(), m.aad.data(), m.aad.size(),
                 m.nonce.data(), m.nonce.size());
}

::testing::AssertionResult both_ways(const Mode::Key *key, const Message &m, const Sealed &expected)
{
    ::testing::AssertionResult sealed = same(expected, seal(key, m, expected.tag.size()));
    Bytes dst;
    int status = open(key, &dst, expected, m);

    if (!sealed)
        return ::testing::AssertionFailure() << "sealing: " << sealed.message();
    if (status != LC_OK)
        return ::testing::AssertionFailure() << "opening: " << lc_strerror(status);
    return same(m.src, dst);
}

void compare(const lc_impl_info &impl, const Message &m)
{
    AeadKey key(impl.name, m.raw);
    Sealed expected = reference::seal(m);

    SCOPED_TRACE("key " + std::to_string(m.raw.size()) + ", text " + std::to_string(m.src.size()) + ", AAD " +
                 std::to_string(m.aad.size()) + ", nonce " + std::to_string(m.nonce.size()));
    ASSERT_TRUE(same(by_libcrypto(m, expected), expected)) << "the reference itself";
    ASSERT_TRUE(both_ways(key, m, expected));
}

void start(State *state, const Mode::Key *key, const Message &m)
{
    must(Mode::start(state, key, m.nonce.data(), m.nonce.size()), "starting a stream");
    must(Mode::aad(state, m.aad.data(), m.aad.size()), "a stream's AAD");
}

int crypt_text(bool encrypt, State *state, uint8_t *dst, const uint8_t *src, size_t len)
{
    return (encrypt ? Mode::encrypt : Mode::decrypt)(state, dst, src, len);
}

int tag_or_verify(bool encrypt, State *state, uint8_t *tag, size_t tag_len)
{
    return encrypt ? Mode::tag(state, tag, tag_len) : Mode::verify(state, tag, tag_len);
}

::testing::AssertionResult stream(bool encrypt, const Mode::Key *key, const Message &m, const Sealed &expected,
                                  const std::vector<size_t> &aad_lens, const std::vector<size_t> &lens)
{
    const Bytes &src = encrypt ? m.src : expected.ct;
    Bytes dst(src.size()), tag = encrypt ? Bytes(16) : expected.tag;
    State state;
    size_t done = 0, aad_done = 0;

    must(Mode::start(&state, key, m.nonce.data(), m.nonce.size()), "starting a stream");
    for (size_t len : aad_lens) {
        must(Mode::aad(&state, m.aad.data() + aad_done, len), "a piece of AAD");
        aad_done += len;
    }
    for (size_t len : lens) {
        must(crypt_text(encrypt, &state, dst.data() + done, src.data() + done, len), "a piece of text");
        done += len;
    }
    if (done != src.size() || aad_done != m.aad.size())
        throw std::logic_error("this test is broken: the pieces aren't the whole");
    if (tag_or_verify(encrypt, &state, tag.data(), 16) != LC_OK)
        return ::testing::AssertionFailure() << "the stream's tag is refused";
    Mode::state_wipe(&state);
    return same({ encrypt ? expected.ct : m.src, expected.tag }, { dst, tag });
}

int crypt_many(bool encrypt, const Mode::Key *key, lc_aead_item *items, size_t num)
{
    return (encrypt ? Mode::seal_many : Mode::open_many)(key, items, num);
}

// ---- Published vectors ----

struct Record {
    Message m;
    Sealed s; // the tag as short as it is in the file
    bool valid;
};

// Throws if anything isn't as expected.  Each row asks for the same files, so they are read once.
static const std::vector<Record> &read_rsp(const std::string &path)
{
    static std::map<std::string, std::vector<Record>> files;
    std::vector<Record> records;

    if (files.count(path))
        return files[path];

    std::ifstream in = open_vectors(path);
    std::map<std::string, std::string> fields;
    std::string line;

    auto end_record = [&] {
        if (fields.empty())
            return;
        bool fail = fields.count("FAIL") != 0 || (fields.count("Result") && fields.at("Result") == "invalid");
        Record r = { { from_hex(fields.at("Key")), from_hex(fields.count("FAIL") ? "" : fields.at("PT")),
                       from_hex(fields.at("AAD")), from_hex(fields.at("IV")) },
                     { from_hex(fields.at("CT")), from_hex(fields.at("Tag")) },
                     !fail };

        if (r.valid && r.m.src.size() != r.s.ct.size())
            throw std::runtime_error("unexpected lengths in " + path);
        records.push_back(r);
        fields.clear();
    };
    while (std::getline(in, line)) {
        size_t equals = line.find(" =");

        while (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (line.empty() || line[0] == '#' || line[0] == '[')
            continue;
        if (line.substr(0, equals) == "Count")
            end_record();
        fields[line.substr(0, equals)] = equals == std::string::npos || equals + 3 >= line.size() ? "" : line.substr(equals + 3);
    }
    end_record();
    return files[path] = records;
}

static void check_record(const Mode::Key *key, const Record &r, const Flavour<Mode::Key> &flavour)
{
    const Message &m = r.m;
    Bytes dst;

    if (!flavour.takes(m.nonce.size())) { // nothing is written, as nothing has begun
        Bytes tag(16, 0x5a);

        dst.assign(m.src.size(), 0x5a);
        ASSERT_FALSE(r.valid);
        ASSERT_EQ(flavour.seal(key, dst.data(), tag.data(), 16, m.src.data(), m.src.size(), m.aad.data(), m.aad.size(),
                               m.nonce.data(), m.nonce.size()),
                  LC_ERR_NONCE_LEN);
        ASSERT_EQ(flavour.open(key, dst.data(), m.src.data(), m.src.size(), tag.data(), 16, m.aad.data(), m.aad.size(),
                               m.nonce.data(), m.nonce.size()),
                  LC_ERR_NONCE_LEN);
        ASSERT_TRUE(all_bytes(dst.data(), dst.size(), 0x5a) && all_bytes(tag.data(), 16, 0x5a));
    } else if (r.valid) {
        Sealed whole = reference::seal(m);

        whole.tag.resize(r.s.tag.size());
        ASSERT_TRUE(both_ways(key, m, r.s));
        ASSERT_TRUE(same(r.s, whole)) << "the reference itself";
    } else {
        ASSERT_EQ(open(key, &dst, r.s, m), LC_ERR_AUTH);
        ASSERT_TRUE(all_bytes(dst.data(), dst.size(), 0));
    }
}

void check_records(const lc_impl_info &impl, const std::string &path, const Flavour<Mode::Key> &flavour, size_t num_valid,
                   size_t num_invalid, size_t num_refused)
{
    size_t valid = 0, invalid = 0, refused = 0;

    SCOPED_TRACE(path);
    for (const Record &r : read_rsp(path)) {
        AeadKey key(impl.name, r.m.raw);

        SCOPED_TRACE("key " + to_hex(r.m.raw.data(), r.m.raw.size()) + ", nonce " + to_hex(r.m.nonce.data(), r.m.nonce.size()));
        (!flavour.takes(r.m.nonce.size()) ? refused : r.valid ? valid : invalid)++;
        ASSERT_NO_FATAL_FAILURE(check_record(key, r, flavour));
    }
    expect_records(valid, num_valid);
    expect_records(invalid, num_invalid);
    expect_records(refused, num_refused);
}

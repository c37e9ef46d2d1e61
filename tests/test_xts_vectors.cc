// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-XTS against published vectors, with every implementation.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "ieee1619.h"
#include "white_box.h"
#include "xts_support.h"

static Bytes plaintext(const Ieee1619 &v)
{
    Bytes bytes(512);

    if (v.plaintext)
        return from_hex(v.plaintext);
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i] = static_cast<uint8_t>(i);
    return bytes;
}

TEST_P(Xts, Ieee1619)
{
    for (const Ieee1619 &v : ieee1619) {
        Bytes raw = from_hex(v.key), iv = from_hex(v.iv), pt = plaintext(v), ct = from_hex(v.ciphertext), init = raw;

        SCOPED_TRACE(v.number);
        if (v.number == 1)
            init[0] ^= 1; // this key's halves are equal, which the library refuses: see below
        XtsKey key(impl.name, init);
        if (v.number == 1) {
            lc_aes_expand_portable(key.key.enc, key.key.dec, raw.data(), 16);
            lc_aes_expand_portable(key.key.tweak, nullptr, raw.data() + 16, 16);
        }
        EXPECT_TRUE(same(ct, crypt(true, key, pt, iv)));
        EXPECT_TRUE(same(pt, crypt(false, key, ct, iv)));
    }
}

struct Record {
    Bytes key, iv, pt, ct;
};

// A file of CAVP's form: "name = value" lines; CT, or PT after it in a [DECRYPT] section, ends a record.  Data units that aren't
// whole bytes are left out and counted.  Throws if anything isn't as expected.
static std::vector<Record> read_rsp(const std::string &path, size_t *excluded)
{
    std::ifstream in = open_vectors(path);
    std::vector<Record> records;
    std::map<std::string, std::string> fields;
    std::string line;

    while (std::getline(in, line)) {
        size_t equals = line.find(" = ");

        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.pop_back();
        if (equals == std::string::npos)
            continue;
        fields[line.substr(0, equals)] = line.substr(equals + 3);
        if (!fields.count("PT") || !fields.count("CT"))
            continue;

        unsigned long bits = std::stoul(fields.at("DataUnitLen"));
        Record r = { from_hex(fields.at("Key")), {}, from_hex(fields.at("PT")), from_hex(fields.at("CT")) };

        r.iv = fields.count("i") ? from_hex(fields.at("i")) : sector_iv(std::stoull(fields.at("DataUnitSeqNumber")));
        fields.clear();
        if (r.iv.size() != 16 || r.pt.size() != (bits + 7) / 8 || r.ct.size() != r.pt.size())
            throw std::runtime_error("unexpected lengths in " + path);
        if (bits % 8)
            ++*excluded;
        else
            records.push_back(r);
    }
    if (!fields.empty())
        throw std::runtime_error("half a record at the end of " + path);
    return records;
}

static void check_records(const lc_impl_info &impl, const std::string &path, size_t num_records, size_t num_excluded)
{
    size_t excluded = 0;
    std::vector<Record> records = read_rsp(path, &excluded);

    expect_records(records.size(), num_records);
    expect_records(excluded, num_excluded);
    for (const Record &r : records) {
        XtsKey key(impl.name, r.key);

        ASSERT_TRUE(same(r.ct, crypt(true, key, r.pt, r.iv))) << to_hex(r.key.data(), r.key.size());
        ASSERT_TRUE(same(r.pt, crypt(false, key, r.ct, r.iv))) << to_hex(r.key.data(), r.key.size());
    }
}

// Excluded: data units of 130, 140 and 250 bits.
TEST_P(Xts, Cavp)
{
    for (const char *form : { "tweak-128hexstr", "tweak-dataunitseqno" }) {
        std::string folder = std::string("cryptography_vectors/ciphers/AES/XTS/") + form;

        SCOPED_TRACE(form);
        check_records(impl, folder + "/XTSGenAES128.rsp", 800, 200);
        check_records(impl, folder + "/XTSGenAES256.rsp", 600, 400);
    }
}

// The only published vectors for AES-192.
TEST_P(Xts, Wycheproof)
{
    check_records(impl, "wycheproof/aes_xts.rsp", 123, 0);
}

// tests/gen/xts_monte_carlo.py has the definition, and printed the expected bytes.
TEST_P(Xts, MonteCarlo)
{
    Bytes pool(2048), raw(64), iv(16), result(1515);

    for (size_t j = 0; j < pool.size(); j++)
        pool[j] = static_cast<uint8_t>(7 * j + 1);
    std::copy_n(pool.begin(), 64, raw.begin());
    std::copy_n(pool.begin() + 64, 16, iv.begin());
    for (size_t i = 0; i < 10000; i++) {
        XtsKey key(impl.name, Bytes(raw.begin(), raw.begin() + static_cast<long>(key_lens[i % 3])));
        size_t len = 16 + static_cast<size_t>(iv[0] + 256 * iv[1]) % 1500;

        ASSERT_EQ(crypt(i % 2 == 0, key, result.data(), pool.data(), len, iv.data()), LC_OK);
        for (size_t j = 0; j < len; j++)
            raw[j % 64] ^= result[j];
        std::copy_n(&result[len - 16], 16, iv.begin());
        pool.erase(pool.begin(), pool.begin() + static_cast<long>(len));
        pool.insert(pool.end(), result.begin(), result.begin() + static_cast<long>(len));
    }
    EXPECT_EQ(to_hex(raw.data(), 64), "4dd2ca66479a9b173fd8e1c58e91218b5b7cb88d2bc468a72ccfd2314e9de3b8"
                                      "cf0acc800a2db0069f2b8714af5b2bde35df64146542bc9b976bdb883f60b749");
    EXPECT_EQ(to_hex(iv.data(), 16), "1562c6ee996f95ece90793963b8da86b");
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// AES-GCM against published vectors, with every implementation.
#include <fstream>
#include <map>
#include <stdexcept>

#include "gcm_support.h"

struct Record {
    Message m;
    Sealed s; /* the tag as short as it is in the file */
    bool valid;
};

// A file of CAVP's form: "name = value" lines from Count on, in Decrypt files FAIL instead of PT; Wycheproof's have a Result, too.
// Throws if anything isn't as expected.
static std::vector<Record> read_rsp(const std::string &path)
{
    std::string file = environment("LANECRYPT_VECTORS_DIR");
    std::vector<Record> records;
    std::map<std::string, std::string> fields;
    std::string line;

    if (file.empty())
        file = DEFAULT_VECTORS_DIR;
    file += "/" + path;
    std::ifstream in(file);
    if (!in)
        throw std::runtime_error("can't read " + file + ": run tests/fetch_vectors.sh DIR and set LANECRYPT_VECTORS_DIR=DIR");
    auto end_record = [&] {
        if (fields.empty())
            return;
        bool fail = fields.count("FAIL") != 0 || (fields.count("Result") && fields.at("Result") == "invalid");
        Record r = { { from_hex(fields.at("Key")), from_hex(fail ? "" : fields.at("PT")), from_hex(fields.at("AAD")),
                       from_hex(fields.at("IV")) },
                     { from_hex(fields.at("CT")), from_hex(fields.at("Tag")) },
                     !fail };

        if (r.valid && r.m.src.size() != r.s.ct.size())
            throw std::runtime_error("unexpected lengths in " + file);
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
    return records;
}

static void check_records(const lc_impl_info &impl, const std::string &path, size_t num_valid, size_t num_invalid)
{
    size_t valid = 0, invalid = 0;

    SCOPED_TRACE(path);
    for (const Record &r : read_rsp(path)) {
        GcmKey key(impl.name, r.m.raw);
        Bytes dst;

        SCOPED_TRACE(to_hex(r.m.raw.data(), r.m.raw.size()));
        (r.valid ? valid : invalid)++;
        if (r.valid) {
            Bytes tag(r.s.tag.size());

            dst.resize(r.m.src.size());
            ASSERT_EQ(lc_gcm_seal(key, dst.data(), tag.data(), tag.size(), r.m.src.data(), r.m.src.size(), r.m.aad.data(),
                                  r.m.aad.size(), r.m.nonce.data(), r.m.nonce.size()),
                      LC_OK);
            ASSERT_TRUE(same(r.s, { dst, tag }));
            ASSERT_EQ(open(key, &dst, r.s, r.m), LC_OK);
            ASSERT_TRUE(same(r.m.src, dst));
        } else {
            // Wycheproof has nonces of 0 bytes; then nothing is written, as nothing has begun
            bool no_nonce = r.m.nonce.empty();

            ASSERT_EQ(open(key, &dst, r.s, r.m), no_nonce ? LC_ERR_NONCE_LEN : LC_ERR_AUTH);
            ASSERT_TRUE(all_bytes(dst.data(), dst.size(), no_nonce ? 0x5a : 0));
        }
    }
    EXPECT_EQ(valid, num_valid);
    EXPECT_EQ(invalid, num_invalid);
}

// Tags of all lengths; nonces of 1, 12 and 128 bytes.
TEST_P(Gcm, CavpEncrypt)
{
    for (const char *bits : { "128", "192", "256" })
        check_records(impl, std::string("cryptography_vectors/ciphers/AES/GCM/gcmEncryptExtIV") + bits + ".rsp", 7875, 0);
}

TEST_P(Gcm, CavpDecrypt)
{
    static const struct {
        const char *bits;
        size_t num_invalid;
    } files[] = { { "128", 4011 }, { "192", 3978 }, { "256", 3919 } };

    for (const auto &f : files)
        check_records(impl, std::string("cryptography_vectors/ciphers/AES/GCM/gcmDecrypt") + f.bits + ".rsp", 7875 - f.num_invalid,
                      f.num_invalid);
}

TEST_P(Gcm, Wycheproof)
{
    check_records(impl, "wycheproof/aes_gcm.rsp", 229, 87);
}

// SP 800-38D's predecessor, McGrew and Viega's specification, test case 4: known before the others, and complete in one place.
TEST_P(Gcm, McGrewViega4)
{
    Message m = { from_hex("feffe9928665731c6d6a8f9467308308"),
                  from_hex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                           "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"),
                  from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2"), from_hex("cafebabefacedbaddecaf888") };
    GcmKey key(impl.name, m.raw);

    EXPECT_TRUE(both_ways(key, m,
                          { from_hex("42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                                     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"),
                            from_hex("5bc94fbc3221a5db94fae95ae7121a47") }));
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// RSA keys that are text: PEM
#include "lanecrypt/pem.h"
#include "rsa_support.h"

namespace {

std::string base64(const Bytes &bytes, size_t columns = 64, const std::string &end = "\n")
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string all, lines;

    for (size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](size_t k) { return i + k < bytes.size() ? static_cast<unsigned>(bytes[i + k]) : 0; };
        const unsigned bits = at(0) << 16 | at(1) << 8 | at(2);

        for (size_t k = 0; k < 4; k++)
            all += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    for (size_t i = 0; i < all.size(); i += columns)
        lines += all.substr(i, columns) + end;
    return lines;
}

std::string block(const std::string &label, const std::string &lines, const std::string &end = "\n")
{
    return "-----BEGIN " + label + "-----" + end + lines + "-----END " + label + "-----" + end;
}

// Decodes in its own place and in another, both of just the length that they need; nothing else is written.
int decode(Bytes *der, const std::string &text, const char *label = nullptr)
{
    Guarded memory(text.size() + 1), other(text.size() + 1), source(text.size() + 1);
    const size_t room = text.size() / 4 * 3;
    uint8_t *place = memory.at_end(text.size()), *to = other.at_end(room), *from = source.at_end(text.size());
    size_t len = 77, len_in_place = 77;

    memcpy(place, text.data(), text.size());
    memcpy(from, text.data(), text.size());
    memset(to, 0xa5, room);
    const int status = lc_pem_decode(to, &len, label, reinterpret_cast<char *>(from), text.size());

    EXPECT_EQ(lc_pem_decode(place, &len_in_place, label, reinterpret_cast<char *>(place), text.size()), status);
    EXPECT_EQ(len, len_in_place);
    der->clear();
    if (status == LC_OK) {
        *der = Bytes(to, to + len);
        EXPECT_EQ(Bytes(place, place + len), *der);
        EXPECT_TRUE(all_bytes(to + len, room - len, 0xa5));
        EXPECT_EQ(std::string(place + len, place + text.size()), text.substr(len));
    } else {
        EXPECT_EQ(len, 77u);
        EXPECT_TRUE(all_bytes(to, room, 0xa5));
        EXPECT_EQ(std::string(place, place + text.size()), text);
    }
    return status;
}

int status_of(const std::string &text, const char *label = nullptr)
{
    Bytes der;

    return decode(&der, text, label);
}

} // namespace

// Wycheproof's private keys, as PEM by another program; PKCS #1's
TEST(RsaPem, Keys)
{
    std::map<std::string, std::string> record;
    size_t num = 0;

    for (const char *file : { "2048_sha256_mgf1sha256", "3072_sha512_mgf1sha512", "4096_sha256_mgf1sha256", "misc" }) {
        std::ifstream in = open_vectors(std::string("wycheproof/rsa_oaep_") + file + ".rsp");

        while (next_record(in, &record)) {
            Bytes der;

            if (!record.count("Key"))
                continue;
            const Bytes pem = from_hex(record["Pem"]);
            ASSERT_EQ(decode(&der, std::string(pem.begin(), pem.end()), num % 2 ? "PRIVATE KEY" : nullptr), LC_OK);
            EXPECT_EQ(der, from_hex(record["Key"]));
            num++;
        }
    }
    EXPECT_EQ(num, 12u);
    for (size_t i = 0; i < RSA_NUM_KEYS; i++) {
        const Bytes expected = key_der(i);
        lc_rsa_key key;
        Bytes der;

        ASSERT_EQ(decode(&der, block("RSA PRIVATE KEY", base64(expected))), LC_OK);
        EXPECT_EQ(der, expected);
        ASSERT_EQ(lc_rsa_init_der(&key, der.data(), der.size()), LC_OK);
        lc_rsa_wipe(&key);
    }
}

// All lengths, lines of any length, both ends of lines, text around it
TEST(RsaPem, Lengths)
{
    Random random(21);

    for (size_t len = 1; len < 200; len++) {
        const Bytes bytes = random.bytes(len);
        const std::string end = len % 2 ? "\n" : "\r\n", lines = base64(bytes, len % 5 ? 64 : 1 + random.below(80), end);
        std::string text = block("A KEY", lines, end);
        Bytes der;

        ASSERT_EQ(decode(&der, text, "A KEY"), LC_OK) << len;
        EXPECT_EQ(der, bytes);
        ASSERT_EQ(decode(&der, text.substr(0, text.size() - end.size())), LC_OK) << len; // no end of the last line
        EXPECT_EQ(der, bytes);
        text = "Subject: -----BEGIN\n\n-----BEGIN A KEY----\n" + text + "\n-----BEGIN";
        ASSERT_EQ(decode(&der, text), LC_OK) << len;
        EXPECT_EQ(der, bytes);
    }
    Bytes all(256 * 3);
    for (size_t i = 0; i < all.size(); i++)
        all[i] = static_cast<uint8_t>(i * (i / 256 * 2 + 1));
    Bytes der;
    ASSERT_EQ(decode(&der, block("A", base64(all))), LC_OK);
    EXPECT_EQ(der, all);
}

TEST(RsaPem, Labels)
{
    const Bytes one(30, 1), two(40, 2);
    const std::string text = block("ONE", base64(one)) + "text\n" + block("TWO", base64(two)) + block("ONE", base64(two));
    Bytes der;

    ASSERT_EQ(decode(&der, text), LC_OK);
    EXPECT_EQ(der, one);
    ASSERT_EQ(decode(&der, text, "ONE"), LC_OK);
    EXPECT_EQ(der, one);
    ASSERT_EQ(decode(&der, text, "TWO"), LC_OK);
    EXPECT_EQ(der, two);
    for (const char *other : { "TW", "TWO ", "two", "THREE", "", "TWO-----" })
        EXPECT_EQ(status_of(text, other), LC_ERR_KEY) << other;
    EXPECT_EQ(status_of("-----BEGIN ONE-----\nAAAA\n-----END TWO-----\n"), LC_ERR_KEY);
    EXPECT_EQ(status_of("-----BEGIN ONE-----\nAAAA\n-----END ON-----\n"), LC_ERR_KEY);
    EXPECT_EQ(status_of(""), LC_ERR_KEY);
    EXPECT_EQ(lc_pem_decode(nullptr, nullptr, nullptr, nullptr, 0), LC_ERR_KEY);
}

TEST(RsaPem, Encrypted)
{
    const std::string key = block("PRIVATE KEY", "AAAA\n"), encrypted = block("ENCRYPTED PRIVATE KEY", "AAAB\n");
    const std::string old =
        block("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\nAAAA\n");
    Bytes der;

    EXPECT_EQ(status_of(encrypted), LC_ERR_ENCRYPTED);
    EXPECT_EQ(status_of(encrypted, "PRIVATE KEY"), LC_ERR_ENCRYPTED);
    EXPECT_EQ(status_of(encrypted + key), LC_ERR_ENCRYPTED);
    EXPECT_EQ(status_of(encrypted + key, "PRIVATE KEY"), LC_OK);
    EXPECT_EQ(status_of(key + encrypted), LC_OK);
    EXPECT_EQ(status_of(old), LC_ERR_ENCRYPTED);
    EXPECT_EQ(status_of(old, "RSA PRIVATE KEY"), LC_ERR_ENCRYPTED);
    EXPECT_EQ(status_of(old, "PRIVATE KEY"), LC_ERR_KEY); // its label says nothing
    EXPECT_EQ(decode(&der, encrypted, "ENCRYPTED PRIVATE KEY"), LC_OK);
    EXPECT_EQ(der, (Bytes{ 0, 0, 1 }));
}

// Everything alone that isn't strict
TEST(RsaPem, Refused)
{
    const std::string good = block("A KEY", base64(Bytes(100, 0x5a)));

    EXPECT_EQ(status_of(good), LC_OK);
    for (const char *lines :
         { "",
           "\n",
           "A\n",
           "AA\n",
           "AAA\n",
           "AAAAA\n",
           "AAAA\n\n",
           "\nAAAA\n",
           "AA=A\n",
           "A===\n",
           "====\n",
           "=AAA\n",
           "AA==AAAA\n",
           "AAA=\nAAAA\n",
           "AAAA=\n",
           "AAAA====\n",
           "AAB=\n",
           "AA9=\n",
           "AB==\n",
           "AP==\n",
           " AAAA\n",
           "AAAA \n",
           "AA AA\n",
           "AA\rAA\n",
           "AAAA\r\r\n",
           "AAA-\n",
           "AAA_\n",
           "-AAA\n",
           "Name: a\n\nAAAA\n" })
        EXPECT_EQ(status_of(block("A KEY", lines)), LC_ERR_KEY) << lines;
    for (const char *lines : { "AAA=\n", "AAE=\n", "AA==\n", "AQ==\n", "A\nA\nA\nA\n", "+/+/\n" })
        EXPECT_EQ(status_of(block("A KEY", lines)), LC_OK) << lines;
    for (size_t at = 0; at + 2 < good.size(); at++) { // a prefix; but for the end of the last line
        EXPECT_EQ(status_of(good.substr(0, at + 1)), LC_ERR_KEY) << at;
    }
    for (unsigned c = 0; c < 256; c++) { // a character in the middle of a line
        std::string text = good;

        text[50] = static_cast<char>(c);
        const bool right = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
        EXPECT_EQ(status_of(text), right ? LC_OK : LC_ERR_KEY) << c;
    }
    for (const char *text :
         { " -----BEGIN A-----\nAAAA\n-----END A-----\n", "-----BEGIN A-----\nAAAA\n -----END A-----\n",
           "-----BEGIN A----- \nAAAA\n-----END A-----\n", "-----BEGIN A-----\nAAAA\n-----END A----- \n",
           "-----BEGIN A-----\nAAAA-----END A-----\n", "-----BEGIN A-----AAAA\n-----END A-----\n",
           "-----BEGIN -----\nAAAA\n-----END -----\n", "-----BEGIN A-----\nAAAA\n-----BEGIN A-----\n",
           "-----BEGIN A-----\nAAAA\n-----END A----\n", "-----BEGIN A-----\nAAAA\n----END A-----\n" })
        EXPECT_EQ(status_of(text), LC_ERR_KEY) << text;
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// RSA: encryption with OAEP against published vectors, a model and libcrypto; what isn't such a ciphertext; faults.
#include <algorithm>
#include <memory>

#include "rsa_support.h"
#include "rsa_white_box.h"

namespace {

// ---- A model of the encoding, as RFC 8017 has it ----

Bytes mgf1(lc_rsa_hash hash, const Bytes &seed, size_t len)
{
    Bytes all;

    for (uint8_t i = 0; all.size() < len; i++) {
        Bytes input = seed;

        input.insert(input.end(), { 0, 0, 0, i });
        const Bytes digest = digest_of(hash, input);
        all.insert(all.end(), digest.begin(), digest.end());
    }
    all.resize(len);
    return all;
}

void add(Bytes *to, const Bytes &from)
{
    for (size_t i = 0; i < from.size(); i++)
        (*to)[i] ^= from[i];
}

// Hash(label), zeros, 1, msg
Bytes block_of(lc_rsa_hash hash, size_t len, const Bytes &msg, const Bytes &label)
{
    Bytes block = digest_of(hash, label);

    block.resize(len - digest_len(hash) - 1 - msg.size() - 1);
    block.push_back(1);
    block.insert(block.end(), msg.begin(), msg.end());
    return block;
}

Bytes masked(lc_rsa_hash hash, Bytes seed, Bytes block, uint8_t first = 0)
{
    Bytes em(1, first);

    add(&block, mgf1(hash, seed, block.size()));
    add(&seed, mgf1(hash, block, seed.size()));
    em.insert(em.end(), seed.begin(), seed.end());
    em.insert(em.end(), block.begin(), block.end());
    return em;
}

// em^e, whatever em is
Bytes power(const lc_rsa_public_key *key, const Bytes &em)
{
    std::vector<uint64_t> x(64);
    Bytes ct(em.size());

    for (size_t i = 0; i < em.size(); i++)
        x[i / 8] |= static_cast<uint64_t>(em[em.size() - 1 - i]) << (i % 8 * 8);
    wb_rsa_public_power(x.data(), key, 1);
    for (size_t i = 0; i < em.size(); i++)
        ct[em.size() - 1 - i] = static_cast<uint8_t>(x[i / 8] >> (i % 8 * 8));
    return ct;
}

// ---- Calls ----

struct Encrypted {
    const lc_rsa_key *key;
    lc_rsa_hash hash;
    Bytes ct, label, msg;
    int expected;
};

// The memory of a message between guard pages; what isn't written is 0xa5.
struct Place {
    Guarded memory{ LC_RSA_MAX_LEN };
    size_t len;
    uint8_t *p;

    explicit Place(size_t max_len) : len(max_len), p(memory.at_end(max_len)) { memset(p - 16, 0xa5, len + 16); }
    void check(const Encrypted &e, int status, size_t msg_len) const
    {
        EXPECT_EQ(status, e.expected);
        EXPECT_TRUE(all_bytes(p - 16, 16, 0xa5));
        if (status == LC_OK) {
            EXPECT_EQ(msg_len, e.msg.size());
            EXPECT_EQ(Bytes(p, p + msg_len), e.msg);
            EXPECT_TRUE(all_bytes(p + msg_len, len - msg_len, 0));
        } else {
            EXPECT_EQ(msg_len, 0xa5a5u);
            EXPECT_TRUE(all_bytes(p, len, 0xa5));
        }
    }
};

void decrypt_one(const Encrypted &e)
{
    const Place place(lc_rsa_oaep_max_len(lc_rsa_len(e.key), e.hash));
    size_t msg_len = 0xa5a5;
    const int status = lc_rsa_oaep_decrypt(e.key, place.p, &msg_len, e.hash, e.ct.data(), e.ct.size(),
                                           e.label.empty() ? nullptr : e.label.data(), e.label.size());

    place.check(e, status, msg_len);
}

void decrypt_all(const std::vector<Encrypted> &all)
{
    std::vector<std::unique_ptr<Place>> places;
    std::vector<lc_rsa_decrypt_item> items;
    int first = LC_OK;

    for (const Encrypted &e : all) {
        places.emplace_back(new Place(lc_rsa_oaep_max_len(lc_rsa_len(e.key), e.hash)));
        items.push_back({ e.key, places.back()->p, 0xa5a5, e.hash, e.ct.data(), e.ct.size(), e.label.data(), e.label.size(), 1 });
        first = first == LC_OK ? e.expected : first;
    }
    EXPECT_EQ(lc_rsa_oaep_decrypt_many(items.data(), items.size()), first);
    for (size_t i = 0; i < all.size(); i++) {
        SCOPED_TRACE(std::to_string(i) + " of " + std::to_string(all.size()));
        places[i]->check(all[i], items[i].status, items[i].msg_len);
    }
}

Bytes encrypt(const lc_rsa_public_key *key, lc_rsa_hash hash, const Bytes &msg, const Bytes &label, const Bytes &seed)
{
    Bytes ct(lc_rsa_public_len(key));

    must(lc_rsa_oaep_encrypt_with(key, ct.data(), hash, msg.data(), msg.size(), label.data(), label.size(), seed.data()),
         "lc_rsa_oaep_encrypt_with");
    return ct;
}

size_t max_len(const KeyPair &pair, lc_rsa_hash hash)
{
    return lc_rsa_len(&pair.key) - 2 - 2 * digest_len(hash);
}

} // namespace

// A whole file in one call, and some of it alone
TEST_P(Rsa, OaepWycheproof)
{
    std::vector<std::unique_ptr<lc_rsa_key>> keys;
    size_t num = 0;

    for (const char *file :
         { "2048_sha256_mgf1sha256", "2048_sha384_mgf1sha384", "2048_sha512_mgf1sha512", "3072_sha256_mgf1sha256",
           "3072_sha512_mgf1sha512", "4096_sha256_mgf1sha256", "4096_sha512_mgf1sha512", "misc" }) {
        std::ifstream in = open_vectors(std::string("wycheproof/rsa_oaep_") + file + ".rsp");
        std::map<std::string, std::string> record;
        std::vector<Encrypted> all;

        while (next_record(in, &record)) {
            if (record.count("Key")) {
                const Bytes der = from_hex(record["Key"]);

                keys.emplace_back(new lc_rsa_key);
                must(lc_rsa_init_der_impl(keys.back().get(), impl.name, der.data(), der.size()), "PrivateKeyInfo");
            }
            if (record.count("Ct"))
                all.push_back({ keys.back().get(), hash_of_name(record["Hash"]), from_hex(record["Ct"]), from_hex(record["Label"]),
                                from_hex(record["Msg"]), record["Result"] == "valid" ? LC_OK : LC_ERR_CIPHERTEXT });
        }
        decrypt_all(all);
        for (size_t i = num % 16; i < all.size(); i += 16)
            decrypt_one(all[i]);
        num += all.size();
    }
    EXPECT_EQ(num, 274u);
    for (auto &key : keys)
        lc_rsa_wipe(key.get());
}

// Messages of all lengths; the ciphertext is the model's.
TEST_P(Rsa, OaepEveryLength)
{
    Random random(11);

    for (lc_rsa_hash hash : hashes) {
        const KeyPair pair(impl.name, hash == LC_RSA_SHA256 ? 1 : 0);
        const size_t most = max_len(pair, hash);
        std::vector<Encrypted> all;

        EXPECT_EQ(lc_rsa_oaep_max_len(256, hash), most);
        for (size_t len = 0; len <= most; len += in_lanes() || len < 3 || len + 3 > most ? 1 : 9) {
            const Bytes msg = random.bytes(len), label = random.bytes(len % 7), seed = random.bytes(digest_len(hash));
            const Bytes ct = power(&pair.public_key, masked(hash, seed, block_of(hash, 256, msg, label)));

            EXPECT_EQ(encrypt(&pair.public_key, hash, msg, label, seed), ct) << len;
            all.push_back({ &pair.key, hash, ct, label, msg, LC_OK });
        }
        decrypt_all(all);
    }
}

// Each thing alone that isn't as it should be: the first byte, each byte of the label's hash, what stands before the message
TEST_P(Rsa, OaepPadding)
{
    Random random(12);

    for (size_t number : { 0, 2, 4 }) {
        const KeyPair pair(impl.name, number);
        const lc_rsa_hash hash = hashes[number / 2];
        const size_t len = lc_rsa_len(&pair.key), hash_len = digest_len(hash), most = max_len(pair, hash);
        const Bytes seed = random.bytes(hash_len), msg = { 1, 0, 1, 2 }, good = block_of(hash, len, msg, {});
        std::vector<Encrypted> all;
        const auto put = [&](const Bytes &block, uint8_t first = 0, int expected = LC_ERR_CIPHERTEXT, const Bytes &text = {}) {
            all.push_back({ &pair.key, hash, power(&pair.public_key, masked(hash, seed, block, first)), {}, text, expected });
        };
        Bytes bad;

        put(good, 0, LC_OK, msg);
        for (uint8_t first : { 1, 2, 0x40, 0x7f })
            put(good, first);
        for (size_t i = 0; i < hash_len; i += in_lanes() ? 1 : 9) {
            (bad = good)[i] ^= static_cast<uint8_t>(1 << i % 8);
            put(bad);
        }
        for (size_t i = 0; i < 8; i++) { // the byte that is 1
            (bad = good)[good.size() - msg.size() - 1] ^= static_cast<uint8_t>(1 << i);
            if (i > 0)
                put(bad);
            bad = good; // the first and the last of the zeros
            bad[i % 2 ? hash_len : good.size() - msg.size() - 2] = static_cast<uint8_t>(i == 0 ? 0xff : 1 << i);
            put(bad);
        }
        std::fill(bad.begin() + static_cast<ptrdiff_t>(hash_len), bad.end(), 0); // no 1 at all
        put(bad);
        bad.back() = 2; // nor in the last place
        put(bad);
        bad.back() = 1; // an empty message
        put(bad, 0, LC_OK);
        bad[hash_len] = 1; // the longest one
        put(bad, 0, LC_OK, Bytes(bad.begin() + static_cast<ptrdiff_t>(hash_len) + 1, bad.end()));
        EXPECT_EQ(all.back().msg.size(), most);
        all.push_back({ &pair.key, hash, Bytes(len, 0), {}, {}, LC_ERR_CIPHERTEXT }); // 0 and 1 are powers of themselves
        all.push_back({ &pair.key, hash, Bytes(len - 1, 0), {}, {}, LC_ERR_CIPHERTEXT });
        all.push_back({ &pair.key, hash, Bytes(len + 1, 0), {}, {}, LC_ERR_CIPHERTEXT });
        all.push_back({ &pair.key, hash, {}, {}, {}, LC_ERR_CIPHERTEXT });
        all.push_back({ &pair.key, hash, Bytes(len, 0xff), {}, {}, LC_ERR_CIPHERTEXT });
        Bytes n(len);
        for (size_t i = 0; i < len; i++)
            n[len - 1 - i] = static_cast<uint8_t>(pair.public_key.n[i / 8] >> (i % 8 * 8));
        for (int less : { 0, 1 }) { // n, n - 1
            n[len - 1] -= static_cast<uint8_t>(less);
            all.push_back({ &pair.key, hash, n, {}, {}, LC_ERR_CIPHERTEXT });
        }
        all.push_back({ &pair.key, hash, all[0].ct, { 0 }, {}, LC_ERR_CIPHERTEXT }); // another label, hash function
        all.push_back({ &pair.key, hashes[(number / 2 + 1) % 3], all[0].ct, {}, {}, LC_ERR_CIPHERTEXT });
        decrypt_all(all);
        for (size_t i = 0; i < all.size(); i += in_lanes() ? 5 : 20)
            decrypt_one(all[i]);
    }
}

// In every lane, beside keys that have faults and ciphertexts that aren't any
TEST_P(Rsa, OaepEveryLane)
{
    Random random(13);

    for (size_t number : { 0, 2, 4 }) {
        const KeyPair good(impl.name, number), other(impl.name, number + 1);
        const Bytes msg = random.bytes(20), label = random.bytes(3), seed = random.bytes(32);
        const Encrypted right = { &good.key, LC_RSA_SHA256, encrypt(&good.public_key, LC_RSA_SHA256, msg, label, seed),
                                  label,     msg,           LC_OK };
        const Encrypted others = { &other.key, LC_RSA_SHA256, encrypt(&other.public_key, LC_RSA_SHA256, msg, label, seed),
                                   label,      msg,           LC_OK };
        lc_rsa_key damaged[NUM_FAULTS];

        for (int how = 0; how < NUM_FAULTS; how++) {
            damaged[how] = good.key;
            damage(&damaged[how], how);
        }
        for (size_t lane = 0; lane < LANES; lane += in_lanes() || number == 0 ? 1 : 5) {
            std::vector<Encrypted> all;

            for (size_t i = 0; i < LANES + 2; i++) {
                Encrypted e = i == lane ? right : i == (lane + 3) % 8 ? others : right;

                if (i != lane && i != (lane + 3) % 8 && i % 2) {
                    e.key = &damaged[(i + lane) % NUM_FAULTS];
                    e.expected = LC_ERR_FAULT;
                } else if (i != lane && i != (lane + 3) % 8) {
                    flip(&e.ct, 8 + random.below(8 * e.ct.size() - 8));
                    e.expected = LC_ERR_CIPHERTEXT;
                }
                all.push_back(e);
            }
            decrypt_all(all);
        }
        for (int how = 0; how < NUM_FAULTS; how++) {
            Encrypted e = right;

            e.key = &damaged[how];
            e.expected = LC_ERR_FAULT;
            if (in_lanes() || number == 0)
                decrypt_one(e);
            lc_rsa_wipe(&damaged[how]);
        }
    }
}

// Many of all lengths, keys, hash functions and labels; some that are refused
TEST_P(Rsa, OaepBatches)
{
    Random random(14);
    std::vector<std::unique_ptr<KeyPair>> pairs;

    for (size_t i = 0; i < RSA_NUM_KEYS; i++)
        pairs.emplace_back(new KeyPair(i % 4 ? impl.name : "rsa-portable", i)); // of several implementations
    for (size_t num : { 0, 1, 2, 9, 20 }) {
        std::vector<Encrypted> all(num);
        std::vector<Bytes> seeds;
        std::vector<lc_rsa_encrypt_item> items;
        int first = LC_OK;

        for (Encrypted &e : all) {
            const KeyPair &pair = *pairs[num > 10 ? random.below(2) : random.below(RSA_NUM_KEYS)];
            const size_t how = random.below(8);

            e.key = &pair.key;
            e.hash = how == 0 ? no_hash : hashes[random.below(3)];
            e.expected = how < 2 ? LC_ERR_LEN : LC_OK;
            e.msg = random.bytes(how == 1 ? max_len(pair, e.hash) + 1 : random.below(how ? max_len(pair, e.hash) + 1 : 20));
            e.label = random.bytes(random.below(300));
            e.ct = Bytes(lc_rsa_len(e.key), 0xa5);
            seeds.push_back(random.bytes(64));
            first = first == LC_OK ? e.expected : first;
            items.push_back({ &pair.public_key, e.ct.data(), e.hash, e.msg.data(), e.msg.size(), e.label.data(), e.label.size(),
                              seeds.back().data(), 1 });
        }
        EXPECT_EQ(lc_rsa_oaep_encrypt_many_with(items.data(), num), first);
        for (size_t i = 0; i < num; i++) {
            EXPECT_EQ(items[i].status, all[i].expected);
            if (items[i].status == LC_OK) {
                const Bytes seed(seeds[i].begin(), seeds[i].begin() + static_cast<ptrdiff_t>(digest_len(all[i].hash)));
                const Bytes block = block_of(all[i].hash, all[i].ct.size(), all[i].msg, all[i].label);

                EXPECT_EQ(power(items[i].key, masked(all[i].hash, seed, block)), all[i].ct);
            } else {
                EXPECT_TRUE(all_bytes(all[i].ct.data(), all[i].ct.size(), 0xa5));
            }
            if (all[i].hash != no_hash && items[i].status != LC_OK)
                all[i].expected = LC_ERR_CIPHERTEXT; // it's still 0xa5
        }
        decrypt_all(all);
    }
}

// Seeds are the system's, and others each time.
TEST_P(Rsa, OaepSeeds)
{
    const KeyPair pair(impl.name, 0);
    const Bytes msg(33, 7);
    Bytes ct[4];
    std::vector<lc_rsa_encrypt_item> items;

    for (Bytes &c : ct)
        c.resize(256);
    must(lc_rsa_oaep_encrypt(&pair.public_key, ct[0].data(), LC_RSA_SHA384, msg.data(), msg.size(), nullptr, 0), "encrypt");
    must(lc_rsa_oaep_encrypt(&pair.public_key, ct[1].data(), LC_RSA_SHA384, msg.data(), msg.size(), nullptr, 0), "encrypt");
    for (size_t i = 2; i < 4; i++)
        items.push_back({ &pair.public_key, ct[i].data(), LC_RSA_SHA384, msg.data(), msg.size(), nullptr, 0, nullptr, 1 });
    must(lc_rsa_oaep_encrypt_many(items.data(), 2), "encrypt_many");
    for (size_t i = 0; i < 4; i++) {
        EXPECT_NE(ct[i], ct[(i + 1) % 4]);
        decrypt_one({ &pair.key, LC_RSA_SHA384, ct[i], {}, msg, LC_OK });
    }
    EXPECT_EQ(lc_rsa_oaep_encrypt_many(nullptr, 0), LC_OK);
    EXPECT_EQ(lc_rsa_oaep_encrypt_many_with(nullptr, 0), LC_OK);
    EXPECT_EQ(lc_rsa_oaep_decrypt_many(nullptr, 0), LC_OK);
}

// A ciphertext in its message's place, and the other way
TEST_P(Rsa, OaepInPlace)
{
    const KeyPair pair(impl.name, 1);
    const Bytes msg(50, 3), seed(32, 9), expected = encrypt(&pair.public_key, LC_RSA_SHA256, msg, {}, seed);
    std::vector<Bytes> places(9, msg);
    std::vector<lc_rsa_encrypt_item> encrypting;
    std::vector<lc_rsa_decrypt_item> decrypting;

    for (Bytes &place : places) {
        place.resize(256);
        encrypting.push_back({ &pair.public_key, place.data(), LC_RSA_SHA256, place.data(), 50, nullptr, 0, seed.data(), 1 });
        decrypting.push_back({ &pair.key, place.data(), 0, LC_RSA_SHA256, place.data(), 256, nullptr, 0, 1 });
    }
    EXPECT_EQ(lc_rsa_oaep_encrypt_many_with(encrypting.data(), 9), LC_OK);
    for (const Bytes &place : places)
        EXPECT_EQ(place, expected);
    EXPECT_EQ(lc_rsa_oaep_decrypt_many(decrypting.data(), 9), LC_OK);
    for (const Bytes &place : places) {
        EXPECT_EQ(Bytes(place.begin(), place.begin() + 50), msg);
        EXPECT_TRUE(all_bytes(place.data() + 50, 140, 0));
        EXPECT_EQ(Bytes(place.begin() + 190, place.end()), Bytes(expected.begin() + 190, expected.end()));
    }
}

TEST_P(Rsa, OaepErrors)
{
    const KeyPair pair(impl.name, 0);
    static const lc_rsa_key zeros = {};
    const Bytes msg(300, 1), ct(256);
    lc_rsa_public_key public_zeros;
    Bytes out(512, 0xa5);
    size_t len = 7;

    lc_rsa_get_public(&zeros, &public_zeros);
    for (lc_rsa_hash hash : hashes) {
        for (size_t msg_len : { max_len(pair, hash) + 1, size_t{ 257 }, SIZE_MAX - 200, SIZE_MAX }) {
            EXPECT_EQ(lc_rsa_oaep_encrypt(&pair.public_key, out.data(), hash, msg.data(), msg_len, nullptr, 0), LC_ERR_LEN);
        }
        EXPECT_EQ(lc_rsa_oaep_encrypt(&public_zeros, out.data(), hash, msg.data(), 1, nullptr, 0), LC_ERR_KEY);
        EXPECT_EQ(lc_rsa_oaep_decrypt(&zeros, out.data(), &len, hash, ct.data(), 256, nullptr, 0), LC_ERR_KEY);
        EXPECT_EQ(lc_rsa_oaep_decrypt(&zeros, out.data(), &len, hash, ct.data(), 0, nullptr, 0), LC_ERR_KEY);
        EXPECT_EQ(lc_rsa_oaep_max_len(0, hash), 0u);
        EXPECT_EQ(lc_rsa_oaep_max_len(2 * digest_len(hash) + 1, hash), 0u);
        EXPECT_EQ(lc_rsa_oaep_max_len(512, hash), 510 - 2 * digest_len(hash));
    }
    EXPECT_EQ(lc_rsa_oaep_encrypt(&pair.public_key, out.data(), no_hash, msg.data(), 1, nullptr, 0), LC_ERR_LEN);
    EXPECT_EQ(lc_rsa_oaep_decrypt(&pair.key, out.data(), &len, no_hash, ct.data(), 256, nullptr, 0), LC_ERR_LEN);
    EXPECT_EQ(lc_rsa_oaep_max_len(256, no_hash), 0u);
    EXPECT_TRUE(all_bytes(out.data(), out.size(), 0xa5));
    EXPECT_EQ(len, 7u);
}

#ifdef HAVE_LIBCRYPTO
// What each has encrypted, the other decrypts; with a bit changed neither does.
TEST_P(Rsa, OaepLibcrypto)
{
    Random random(15);

    for (size_t number = 0; number < RSA_NUM_KEYS; number++) {
        const KeyPair pair(impl.name, number);
        const Libcrypto::RsaKey theirs(key_der(number));
        std::vector<Encrypted> all;

        for (lc_rsa_hash hash : hashes) {
            const size_t most = max_len(pair, hash);
            const Bytes msg = random.bytes(hash == LC_RSA_SHA256 ? most : random.below(most)), label = random.bytes(number * 5);
            Bytes ct = encrypt(&pair.public_key, hash, msg, label, random.bytes(digest_len(hash))), decrypted;

            EXPECT_TRUE(theirs.decrypt(&decrypted, ct, digest_len(hash), label));
            EXPECT_EQ(decrypted, msg);
            ct = theirs.encrypt(msg, digest_len(hash), label);
            all.push_back({ &pair.key, hash, ct, label, msg, LC_OK });
            flip(&ct, 8 + random.below(8 * ct.size() - 8));
            EXPECT_FALSE(theirs.decrypt(&decrypted, ct, digest_len(hash), label));
            all.push_back({ &pair.key, hash, ct, label, {}, LC_ERR_CIPHERTEXT });
        }
        decrypt_all(all);
    }
}
#endif

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// What NIST has for SHA-2 alone.
#include "hash_support.h"

// CAVP's Monte Carlo test: 100 times 1000 digests, each of a message of the three digests before it
TEST_P(Hashes, CavpMonteCarlo)
{
    for (const Hash &hash : hashes) {
        std::ifstream in = open_vectors("cryptography_vectors/hashes/SHA2/" + std::string(hash.name) + "Monte.rsp");
        std::string word, equals, value;
        Bytes seed;
        size_t num = 0;

        while (in >> word) {
            if (word == "Seed") {
                in >> equals >> value;
                seed = from_hex(value);
            } else if (word == "MD") {
                Bytes msg;

                in >> equals >> value;
                for (size_t i = 0; i < 3; i++)
                    msg.insert(msg.end(), seed.begin(), seed.end());
                for (size_t i = 0; i < 1000; i++) {
                    State state;

                    must(hash.start_impl(state, impl.name), "start_impl");
                    hash.update(state, msg.data(), msg.size());
                    hash.finish(state, seed.data());
                    msg.erase(msg.begin(), msg.begin() + static_cast<ptrdiff_t>(hash.len));
                    msg.insert(msg.end(), seed.begin(), seed.end());
                }
                ASSERT_TRUE(same(from_hex(value), seed)) << hash.name << ", " << num;
                num++;
            }
        }
        EXPECT_EQ(num, 100u);
    }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The OpenSSL provider: a sequence of calls (../openssl/tests/sequence.h) as the input chooses, to lanecrypt's provider, which is
// linked, and to the default one of the system's libcrypto; what differs aborts.
//
// Input: 1 byte: the cipher; the rest are the sequence's choices, of 1 byte each, or 2 where there are more than 256 possibilities.
#include <cstdio>
#include <cstdlib>

#include "sequence.h"

class InputChoices : public Choices {
public:
    InputChoices(const uint8_t *input, size_t size) : p(input), end(input + size) {}

    size_t below(size_t n) override
    {
        size_t value = next();

        if (n > 256)
            value |= next() << 8;
        return value % n;
    }
    bool left() const { return p < end; }

private:
    const uint8_t *p, *end;

    size_t next() { return p < end ? *p++ : 0; }
};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    InputChoices choices(data + 1, size - 1);
    const Cipher &cipher = ciphers[data[0] % ciphers.size()];
    Fetched fetched(cipher);
    Sequence sequence(cipher, fetched, choices, data[0]);
    for (size_t i = 0; i < 50 && choices.left() && !testing::Test::HasFailure(); i++) // longer ones find nothing else
        sequence.step();
    if (testing::Test::HasFailure()) { // GoogleTest has said what
        std::fprintf(stderr, "%s:\n%s", cipher.name, sequence.log.c_str());
        std::abort();
    }
    return 0;
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "support.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

[[noreturn]] static void give_up(const char *why)
{
    std::fprintf(stderr, "the test program itself is broken: %s\n", why);
    std::abort();
}

static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return static_cast<unsigned>(c - '0');
    c = static_cast<char>(c | 0x20);
    if (c < 'a' || c > 'f')
        give_up("not a hexadecimal digit");
    return static_cast<unsigned>(c - 'a' + 10);
}

Bytes from_hex(const std::string &hex)
{
    Bytes bytes;

    if (hex.size() % 2)
        give_up("an odd number of hexadecimal digits");
    for (size_t i = 0; i < hex.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(digit(hex[i]) << 4 | digit(hex[i + 1])));
    return bytes;
}

std::string to_hex(const uint8_t *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    std::string hex;

    for (size_t i = 0; i < len; i++) {
        hex += digits[bytes[i] >> 4];
        hex += digits[bytes[i] & 15];
    }
    return hex;
}

::testing::AssertionResult same(const uint8_t *expected, const uint8_t *actual, size_t len)
{
    size_t i = 0, n;

    if (len == 0 || std::memcmp(expected, actual, len) == 0)
        return ::testing::AssertionSuccess();
    while (expected[i] == actual[i])
        i++;
    n = len - i < 16 ? len - i : 16;
    return ::testing::AssertionFailure() << "byte " << i << " of " << len << " and on: " << to_hex(actual + i, n) << ", expected "
                                         << to_hex(expected + i, n);
}

::testing::AssertionResult same(const Bytes &expected, const Bytes &actual)
{
    if (expected.size() != actual.size())
        return ::testing::AssertionFailure() << actual.size() << " bytes, expected " << expected.size();
    return same(expected.data(), actual.data(), expected.size());
}

bool all_bytes(const void *bytes, size_t len, uint8_t value)
{
    const uint8_t *p = static_cast<const uint8_t *>(bytes);

    // the first one is right, and each is like the one before it
    return len == 0 || (p[0] == value && std::memcmp(p, p + 1, len - 1) == 0);
}

uint64_t Random::next()
{
    uint64_t x = state += 0x9e3779b97f4a7c15;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

void Random::fill(uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i += 8) {
        uint64_t x = next();

        for (size_t j = i; j < len && j < i + 8; j++, x >>= 8)
            bytes[j] = static_cast<uint8_t>(x);
    }
}

Bytes Random::bytes(size_t len)
{
    Bytes b(len);

    fill(b.data(), len);
    return b;
}

Guarded::Guarded(size_t min_len) : page(static_cast<size_t>(sysconf(_SC_PAGESIZE)))
{
    void *p;

    len = (min_len + page - 1) / page * page;
    p = mmap(nullptr, len + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        give_up("mmap() failed");
    first = static_cast<uint8_t *>(p) + page;
    writable();
}

Guarded::~Guarded()
{
    munmap(first - page, len + 2 * page);
}

void Guarded::read_only()
{
    if (mprotect(first, len, PROT_READ) != 0)
        give_up("mprotect() failed");
}

void Guarded::writable()
{
    if (mprotect(first, len, PROT_READ | PROT_WRITE) != 0)
        give_up("mprotect() failed");
}

std::string environment(const char *name)
{
    const char *value = std::getenv(name);

    return value ? value : "";
}

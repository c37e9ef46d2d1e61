/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What all tests share: bytes, repeatable random numbers, memory between guard pages, the list of implementations. */
#ifndef LC_TESTS_SUPPORT_H
#define LC_TESTS_SUPPORT_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lanecrypt/cpu.h"

using Bytes = std::vector<uint8_t>;

/* Aborts the test program on anything but pairs of hexadecimal digits: a broken vector must not become a shorter one. */
Bytes from_hex(const std::string &hex);
std::string to_hex(const uint8_t *bytes, size_t len);

/* Are they equal?  If not, says where the first difference is. */
::testing::AssertionResult same(const uint8_t *expected, const uint8_t *actual, size_t len);
::testing::AssertionResult same(const Bytes &expected, const Bytes &actual);

/* All of them the same byte? */
bool all_bytes(const void *bytes, size_t len, uint8_t value);

/* splitmix64: the same numbers on every machine and in every run. */
class Random {
public:
    explicit Random(uint64_t seed) : state(seed) {}
    uint64_t next();
    size_t below(size_t n) { return static_cast<size_t>(next() % n); }
    void fill(uint8_t *bytes, size_t len);
    Bytes bytes(size_t len);

private:
    uint64_t state;
};

/* Memory with a page on either side that can't be touched. */
class Guarded {
public:
    explicit Guarded(size_t min_len); /* rounded up to whole pages */
    ~Guarded();
    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;

    uint8_t *begin() const { return first; }            /* the byte before it is out of bounds */
    uint8_t *end() const { return first + len; }        /* this byte is out of bounds */
    uint8_t *at_end(size_t n) const { return end() - n; }
    /* n bytes right before one guard page, or right after the other */
    uint8_t *place(bool at_end_of_it, size_t n) const { return at_end_of_it ? at_end(n) : begin(); }
    size_t size() const { return len; }
    void read_only();
    void writable();

private:
    uint8_t *first;
    size_t len, page;
};

/* All implementations of a mode, best first. */
std::vector<lc_impl_info> implementations(const char *mode);

/* "vaes, avx2": the names of feature bits. */
std::string feature_names(uint64_t features);

/* The value of an environment variable, or "" if it isn't set. */
std::string environment(const char *name);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* How often libcrypto allocates memory.  It has to be told before the first time, so one file of a program includes this. */
#ifndef LC_TESTS_ALLOCATIONS_H
#define LC_TESTS_ALLOCATIONS_H

#include <atomic>
#include <cstdlib>
#include <openssl/crypto.h>

static std::atomic<size_t> num_allocations;
static void *allocate(size_t len, const char *, int)
{
    num_allocations++;
    return malloc(len);
}
static void *reallocate(void *p, size_t len, const char *, int)
{
    return realloc(p, len);
}
static void deallocate(void *p, const char *, int)
{
    free(p);
}
static const bool allocations_are_counted = CRYPTO_set_mem_functions(allocate, reallocate, deallocate) == 1;

#endif

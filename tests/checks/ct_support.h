/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the programs that valgrind runs share (see check_ct.sh): marking what is secret, and seeing that the marks aren't lost. */
#ifndef LC_CHECKS_CT_SUPPORT_H
#define LC_CHECKS_CT_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <valgrind/memcheck.h>

static inline void fail(const char *what, size_t len)
{
    printf("%s (len %zu)\n", what, len);
    exit(2);
}

static inline void make_secret(void *p, size_t len)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(p, len);
}

/* The result of secret data is secret.  If it isn't, marks were lost on the way, and the run would prove nothing. */
static inline void expect_secret(const uint8_t *p, size_t len)
{
    static uint8_t vbits[4096];

    if (len > sizeof(vbits) || VALGRIND_GET_VBITS(p, vbits, len) != 1)
        fail("no V bits: is this memcheck?", len);
    for (size_t i = 0; i < len; i++)
        if (vbits[i] == 0)
            fail("a byte of the result doesn't depend on secrets", len);
}

#endif

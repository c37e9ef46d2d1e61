/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* How full batches were: see counters.h. */
#include "counters.h"
#include "pkey.h"

_Static_assert((int)LCP_NUM_OPS < (int)LCP_MAX_KINDS && (int)LCP_BATCH <= (int)LCP_MAX_BATCH, "there is a place for each");

static struct lcp_counters counters __attribute__((aligned(LCP_COUNTERS_ALIGN))) = {
    .magic = LCP_COUNTERS_MAGIC,
    .kinds = { [LCP_OP_P256_SIGN].name = "ecdsa P-256",
               [LCP_OP_P384_SIGN].name = "ecdsa P-384",
               [LCP_OP_ED25519_SIGN].name = "ed25519",
               [LCP_OP_SM2_SIGN].name = "sm2",
               [LCP_OP_P256_DH].name = "ecdh P-256",
               [LCP_OP_P384_DH].name = "ecdh P-384",
               [LCP_OP_X25519].name = "x25519",
               [LCP_OP_RSA_PKCS1_2048].name = "rsa 2048 PKCS #1",
               [LCP_OP_RSA_PKCS1_3072].name = "rsa 3072 PKCS #1",
               [LCP_OP_RSA_PKCS1_4096].name = "rsa 4096 PKCS #1",
               [LCP_OP_RSA_PSS_2048].name = "rsa 2048 PSS",
               [LCP_OP_RSA_PSS_3072].name = "rsa 3072 PSS",
               [LCP_OP_RSA_PSS_4096].name = "rsa 4096 PSS",
               [LCP_OP_RSA_PRIVATE_2048].name = "rsa 2048, other",
               [LCP_OP_RSA_PRIVATE_3072].name = "rsa 3072, other",
               [LCP_OP_RSA_PRIVATE_4096].name = "rsa 4096, other" }
};

void lcp_count_start(void)
{
    __atomic_store_n(&counters.is_on, 1, __ATOMIC_RELAXED);
}

void lcp_count(enum lcp_op op, enum lcp_way way, size_t num)
{
    struct lcp_count *c = &counters.kinds[op];

    if (__atomic_load_n(&counters.is_on, __ATOMIC_RELAXED))
        __atomic_fetch_add(way == LCP_ALONE     ? &c->alone
                           : way == LCP_IN_JOBS ? &c->in_jobs[num - 1]
                                                : &c->in_threads[num - 1],
                           1, __ATOMIC_RELAXED);
}

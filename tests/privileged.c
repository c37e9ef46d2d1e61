/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* For test_privileges.sh: does this process have raised privileges, and what did the library make of the environment? */
#include <stdio.h>
#include <sys/auxv.h>

#include "lanecrypt/cpu.h"
#include "lanecrypt/xts.h"

int main(void)
{
    static const uint8_t raw[64] = { 1 };
    struct lc_xts_key key;
    int status = lc_xts_init(&key, raw, sizeof(raw));
    const char *problem = lc_env_problem();

    printf("secure: %lu\n", getauxval(AT_SECURE));
    printf("init: %s; %s; %s\n", lc_strerror(status), status == LC_OK ? lc_xts_impl_name(&key) : "none",
           problem ? problem : "no problem");
    return 0;
}

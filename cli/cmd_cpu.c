/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include <stdio.h>

#include "cli.h"
#include "lanecrypt/cpu.h"

static void print_features(const char *title, uint64_t features)
{
    printf("%-10s", title);
    for (unsigned bit = 0; bit < 64; bit++)
        if (features >> bit & 1)
            printf(" %s", lc_cpu_feature_name(UINT64_C(1) << bit));
    puts(features ? "" : " none");
}

int cmd_cpu(int argc, char **argv)
{
    int status =
        cli_plain_options(argc, argv,
                          "usage: lanecrypt cpu\n\n"
                          "Prints the CPU features that the library uses and found here, those that LANECRYPT_DISABLE took away,\n"
                          "and whether 512-bit vectors are preferred on this CPU, with the reason.\n");
    uint64_t detected = lc_cpu_features_detected(), usable = lc_cpu_features();

    if (status >= 0)
        return status;
    if (cli_env_is_bad())
        return EXIT_FAILED;
    print_features("found:", detected);
    print_features("disabled:", detected & ~usable);
    printf("%-10s %s\n", "512-bit:", lc_cpu_zmm_policy());
    return EXIT_OK;
}

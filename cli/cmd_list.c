/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "lanecrypt/aes_round.h"
#include "lanecrypt/cpu.h"

static void print_names(uint64_t features)
{
    for (unsigned bit = 0; bit < 64; bit++)
        if (features >> bit & 1)
            printf(" %s", lc_cpu_feature_name(UINT64_C(1) << bit));
}

static void list_mode(const char *mode)
{
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get(mode, i, &info) == LC_OK; i++) {
        printf("%-41s %-9s", info.name,
               info.selected         ? "chosen"
               : info.preferred_here ? "runs"
               : info.runs_here      ? "runs (*)"
                                     : "-");
        if (info.text_len)
            printf(" %6zu  needs", info.text_len);
        else
            printf(" %6s  needs", "-");
        print_names(info.needs);
        if (!info.needs)
            printf(" nothing");
        if (info.prefers) {
            printf("; wants");
            print_names(info.prefers);
        }
        putchar('\n');
    }
}

/* The forms of AES rounds for emulators, which are shared C, and which nobody asks for by name. */
static void list_rounds(void)
{
    const struct lc_aes_round_ops *ops, *chosen = lc_aes_round_ops();
    const char *here = "runs (*)"; /* what runs and comes before the chosen one is passed over by policy */
    int runs_here;

    for (size_t i = 0; (ops = lc_aes_round_get(i, &runs_here)) != NULL; i++) {
        printf("aes-round-%-24s %-9s %6s\n", ops->name, ops == chosen ? "chosen" : runs_here ? here : "-", "-");
        if (ops == chosen)
            here = "runs";
    }
}

static const char help[] =
    "usage: lanecrypt list [--kernel[=FILE]] [MODE]\n\n"
    "Lists the implementations of every mode, or of MODE, best first: the name, whether it runs here and which one is\n"
    "chosen, its machine code in bytes, and the CPU features that it needs.\n"
    "MODE is `xts`, `ctr`, `gcm`, `chacha20`, `poly1305`, `chacha20-poly1305`, `sha256`, `sha512`, `sm3`,\n"
    "`ecdsa-p256`, `ecdh-p256`, `ecdsa-p384`, `ecdh-p384`, `sm2`, `x25519`, `ed25519`, `rsa` or `aes-round`.\n"
    "LANECRYPT_IMPL=MODE=NAME and `lanecrypt speed --impl NAME` take these names.  Only the AES rounds can't be chosen by\n"
    "name: LANECRYPT_DISABLE decides, and they are listed without code size and features.\n\n"
    "  --kernel[=FILE]  list the Linux kernel's drivers for xts, ctr and gcm instead, and which one a new user such as\n"
    "                   dm-crypt gets; from /proc/crypto, or from FILE, a copy of it\n";

int cmd_list(int argc, char **argv)
{
    enum { KERNEL = 256 };
    static const struct option options[] = {
        { "kernel", optional_argument, NULL, KERNEL },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    const char *kernel = NULL, *only;
    int opt;

    optind = 0;
    while ((opt = cli_getopt_long(argc, argv, options)) != -1) {
        switch (opt) {
        case KERNEL: kernel = optarg ? optarg : "/proc/crypto"; break;
        case 'h': fputs(help, stdout); return EXIT_OK;
        default: return EXIT_USAGE;
        }
    }
    if (argc - optind > 1)
        return cli_wrong_use(argv, "unexpected argument '%s'", argv[optind + 1]);
    only = argv[optind];
    if (cli_env_is_bad())
        return EXIT_FAILED;
    if (only && strcmp(only, "aes-round") != 0 && lc_impl_count(only) == 0)
        return cli_wrong_use(argv, "unknown mode '%s'", only);
    if (kernel)
        return list_kernel(kernel, only);
    printf("%-41s %-9s %6s\n", "implementation", "here", "bytes");
    if (only)
        list_mode(only);
    for (size_t i = 0; !only && lc_mode_name(i); i++)
        list_mode(lc_mode_name(i));
    if (!only || strcmp(only, "aes-round") == 0)
        list_rounds();
    puts("\nchosen: used by default; runs: can be chosen by name; (*): policy passes over it; -: can't run here.\n"
         "bytes: the size of its machine code.");
    return EXIT_OK;
}

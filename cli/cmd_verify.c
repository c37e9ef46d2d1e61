/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* lanecrypt verify: signatures, many at once, by all CPUs.  verify_run.h says how it goes. */
#define _GNU_SOURCE
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>

#include "cli.h"
#include "verify_run.h"

static const char usage[] =
    "usage: lanecrypt verify --keys JWKS [OPTION]... [TOKENS]\n"
    "       lanecrypt verify --roots ROOTS [OPTION]... BUNDLE...\n\n"
    "Verifies signatures, and prints a verdict for each token or bundle: `ok`, `wrong`, or `error:` and why it can't be "
    "verified.\n\n"
    "With --keys, those of JSON Web Tokens: the lines of TOKENS, or of standard input, each a token in compact form.\n"
    "Only signatures are verified: whether a token has expired, and for whom it is, is up to who uses it.\n\n"
    "With --roots, those of certificates: each BUNDLE is a file in PEM with a certificate, then those between it and a root.\n"
    "Chains are OpenSSL's: dates, names of issuers, extensions. Whether a certificate is for a host isn't looked at.\n\n"
    "  --keys JWKS    the public keys, a JWK Set (RFC 7517): P-256 (ES256), P-384 (ES384), Ed25519 (EdDSA),\n"
    "                 RSA of 2048, 3072 or 4096 bits (RS256, PS256)\n"
    "  --roots ROOTS  the certificates to trust, in PEM\n"
    "  --failed       print only what isn't ok\n"
    "  --json         print an object for each, with verdict and reason; line, alg and kid; or file and certificate\n"
    "  --threads N    default: one for each CPU\n"
    "  -q, --quiet    neither a progress bar nor a summary\n\n"
    "Exit status: 0 if all are right; 1 if not, or if there is no token, or something can't be read; 2 for wrong usage.\n";

/* Return EXIT_OK, EXIT_USAGE, or -1 if only help was asked for. */
static int parse_options(struct verify_run *run, const char **keys, const char **roots, int argc, char **argv)
{
    enum { KEYS = 256, ROOTS, FAILED, JSON, THREADS };
    static const struct option longs[] = {
        { "keys", required_argument, NULL, KEYS },
        { "roots", required_argument, NULL, ROOTS },
        { "failed", no_argument, NULL, FAILED },
        { "json", no_argument, NULL, JSON },
        { "threads", required_argument, NULL, THREADS },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    cpu_set_t cpus;
    int c;

    /* It fails if the machine has more CPUs than cpu_set_t has bits: then as many threads as bits. */
    run->num_threads = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? (uint64_t)CPU_COUNT(&cpus) : MAX_THREADS;
    optind = 0;
    while ((c = cli_getopt_long(argc, argv, longs)) != -1) {
        switch (c) {
        case KEYS: *keys = optarg; break;
        case ROOTS: *roots = optarg; break;
        case FAILED: run->failed_only = true; break;
        case JSON: run->json = true; break;
        case THREADS:
            if (!cli_parse_number("--threads", optarg, &run->num_threads))
                return EXIT_USAGE;
            break;
        case 'q': run->quiet = true; break;
        case 'h': return -1;
        default: return EXIT_USAGE;
        }
    }
    if (!*keys == !*roots)
        cli_wrong_use(argv, "%s", *keys ? "--keys and --roots exclude each other" : "--keys or --roots is missing");
    else if (*keys && argc - optind > 1)
        cli_wrong_use(argv, "unexpected argument '%s'", argv[optind + 1]);
    else if (*roots && optind == argc)
        cli_wrong_use(argv, "--roots without bundles");
    else if (run->num_threads < 1 || run->num_threads > MAX_THREADS)
        cli_error("--threads %" PRIu64 ": must be 1 to %d", run->num_threads, MAX_THREADS);
    else
        return EXIT_OK;
    return EXIT_USAGE;
}

int cmd_verify(int argc, char **argv)
{
    const char *keys = NULL, *roots = NULL;
    struct verify_run run;
    int parsed;
    bool ok;

    verify_run_init(&run);
    parsed = parse_options(&run, &keys, &roots, argc, argv);
    if (parsed < 0) {
        fputs(usage, stdout);
        return EXIT_OK;
    }
    if (parsed != EXIT_OK)
        return parsed;
    if (cli_env_is_bad() || cli_stack_is_small())
        return EXIT_FAILED;
    if (keys)
        ok = verify_tokens(&run, keys, optind < argc ? argv[optind] : "-");
    else
        ok = verify_certs(&run, roots, argv + optind, (size_t)(argc - optind));
    return ok ? EXIT_OK : EXIT_FAILED;
}

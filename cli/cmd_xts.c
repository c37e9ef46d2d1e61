/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * `lanecrypt xts`: encrypt or decrypt a disk image, partition or LUKS payload with AES-XTS.
 *
 * The data is cut into pieces. Each thread takes the next piece, reads it, ciphers it in its own buffer and writes
 * it to its place, so that one thread's input and output overlap with another's ciphering, with no queue between.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "cli.h"
#include "file_io.h"
#include "luks.h"
#include "progress.h"

#include <lanecrypt/cpu.h>
#include <lanecrypt/lanecrypt.h>
#include <lanecrypt/xts.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 20) /* bytes; a multiple of every sector size; small enough to stay in an L2 cache */
#define MAX_THREADS CPU_SETSIZE
#define MAX_PASSPHRASE 8192

static const char usage[] =
    "usage: lanecrypt xts encrypt|decrypt --key-file KEY [options] IN OUT\n"
    "       lanecrypt xts encrypt|decrypt --key-file KEY [options] --in-place IN\n"
    "       lanecrypt xts decrypt --luks [--key-file PASSPHRASE] [options] IN OUT\n"
    "\n"
    "Encrypt or decrypt a disk image or block device with AES-XTS, as dm-crypt's aes-xts-plain64 and LUKS do.\n"
    "\n"
    "  -k, --key-file KEY    file of exactly 32, 48 or 64 raw bytes: data key, then tweak key; - is stdin\n"
    "      --luks            IN is a LUKS1 or LUKS2 volume: its header says all that is about sectors, and KEY is a file\n"
    "                        with its passphrase; without --key-file the terminal is asked for it\n"
    "      --sector-size N   bytes in a sector: 512 (default), 1024, 2048 or 4096\n"
    "      --first-sector N  number of the first sector (default 0)\n"
    "      --iv-512          number the sectors in units of 512 bytes, as dm-crypt without iv_large_sectors\n"
    "                        and LUKS2 do; matters only with --sector-size over 512\n"
    "      --offset B        start at byte B of IN (default 0)\n"
    "      --length B        process B bytes (default: up to IN's end)\n"
    "      --impl NAME       use this implementation instead of the best one; `lanecrypt list xts` lists them\n"
    "      --threads N       number of threads (default: one for each CPU that this process may use)\n"
    "      --in-place        change IN itself; a crash or error on the way leaves it partly ciphered\n"
    "  -f, --force           replace an OUT that exists; write to a block device\n"
    "  -q, --quiet           print nothing but errors\n"
    "  -h, --help            print this text\n"
    "\n"
    "Numbers may end in K, M, G or T (powers of 1024). XTS cannot detect changed data or a wrong key.\n";

struct options {
    bool encrypt;
    const char *key_file, *impl;
    uint64_t sector_size, first_sector, offset, length, threads;
    bool has_offset, has_length, iv_512, in_place, force, quiet, luks, has_layout;
    const char *in, *out;
};

/* What all threads share. */
struct job {
    struct lc_xts_key key;
    int (*crypt)(const struct lc_xts_key *, uint8_t *, const uint8_t *, size_t, size_t, uint64_t, uint64_t);
    const struct options *opt;
    struct input in;
    struct output out;
    uint64_t step;         /* from one sector's number to the next one's */
    uint64_t length;       /* bytes to process */
    uint64_t out_offset;   /* where in OUT they go */
    _Atomic uint64_t next; /* the first byte of them that no thread has taken yet */
    atomic_bool failed;
    char error[8192];      /* the first failure's message */
    struct progress progress;
};

struct worker {
    pthread_t thread;
    struct job *job;
    uint8_t *buf; /* PIECE bytes */
};

/* Stop all threads; the first one's message is kept for the main thread to print. */
__attribute__((format(printf, 2, 3))) static void fail(struct job *job, const char *fmt, ...)
{
    va_list args;

    if (atomic_exchange(&job->failed, true))
        return;
    va_start(args, fmt);
    vsnprintf(job->error, sizeof(job->error), fmt, args);
    va_end(args);
}

static void *work(void *arg)
{
    struct worker *w = arg;
    struct job *job = w->job;
    const struct options *opt = job->opt;

    while (!atomic_load(&job->failed)) {
        uint64_t at = atomic_fetch_add(&job->next, PIECE);
        size_t len;
        int err;

        if (at >= job->length)
            break;
        len = job->length - at < PIECE ? (size_t)(job->length - at) : PIECE;

        err = read_at(job->in.fd, w->buf, len, opt->offset + at);
        if (err == END_OF_FILE)
            fail(job, "%s: ended early: the file became shorter while it was read", opt->in);
        else if (err != 0)
            fail(job, "%s: cannot read at byte %" PRIu64 ": %s", opt->in, opt->offset + at, strerror(err));
        if (err != 0)
            break;
        err = job->crypt(&job->key, w->buf, w->buf, len, (size_t)opt->sector_size,
                         opt->first_sector + at / opt->sector_size * job->step, job->step);
        if (err != LC_OK) {
            fail(job, "%s: %s", opt->in, lc_strerror(err));
            break;
        }
        err = write_at(job->out.fd, w->buf, len, job->out_offset + at);
        if (err != 0) {
            fail(job, "%s: cannot write at byte %" PRIu64 ": %s", job->out.path, job->out_offset + at, strerror(err));
            break;
        }
        progress_add(&job->progress, len);
    }
    explicit_bzero(w->buf, PIECE); /* half of what has been in it is plaintext */
    return NULL;
}

/* What a message calls it. */
static const char *key_name(const struct options *opt)
{
    return strcmp(opt->key_file, "-") == 0 ? "stdin" : opt->key_file;
}

/*
 * Up to size bytes of the key file, or SIZE_MAX and a message.  It is read with read(2): stdio would leave copies of the key in its
 * buffers.
 */
static size_t read_key_file(const struct options *opt, uint8_t *raw, size_t size)
{
    bool from_stdin = strcmp(opt->key_file, "-") == 0;
    const char *name = key_name(opt);
    struct stat st;
    size_t len = 0;
    ssize_t n;
    int fd = from_stdin ? STDIN_FILENO : open(opt->key_file, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        cli_error("key file %s: cannot open: %s", name, strerror(errno));
        return SIZE_MAX;
    }
    if (!opt->quiet && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & S_IROTH))
        cli_error("warning: key file %s: every user may read it (chmod go= makes it yours alone)", name);
    do {
        n = read(fd, raw + len, size - len);
        if (n > 0)
            len += (size_t)n;
    } while ((n > 0 && len < size) || (n < 0 && errno == EINTR));

    if (n < 0) {
        cli_error("key file %s: cannot read: %s", name, strerror(errno));
        len = SIZE_MAX;
    }
    if (!from_stdin)
        close(fd);
    return len;
}

static bool set_key(struct job *job, const uint8_t *raw, size_t len)
{
    const struct options *opt = job->opt;
    int status = opt->impl ? lc_xts_init_impl(&job->key, opt->impl, raw, len) : lc_xts_init(&job->key, raw, len);

    if (status == LC_ERR_WEAK_KEY)
        cli_error("%s: weak key: its two halves are equal, which XTS forbids", opt->luks ? opt->in : key_name(opt));
    else if (status == LC_ERR_IMPL && opt->impl)
        cli_error("--impl %s: unknown implementation, or this CPU can't run it; see `lanecrypt list xts`", opt->impl);
    else if (status == LC_ERR_ENV)
        cli_env_is_bad();
    else if (status != LC_OK)
        cli_error("cannot set up the key: %s", lc_strerror(status));
    return status == LC_OK;
}

static bool load_key(struct job *job)
{
    uint8_t raw[65]; /* one more than the longest key, to see that there is more */
    size_t len = read_key_file(job->opt, raw, sizeof(raw));
    bool ok = len == 32 || len == 48 || len == 64;

    if (ok)
        ok = set_key(job, raw, len);
    else if (len != SIZE_MAX)
        cli_error("key file %s: has %s%zu bytes, not exactly 32, 48 or 64 (a newline counts too)", key_name(job->opt),
                  len > 64 ? "more than " : "", len > 64 ? (size_t)64 : len);
    explicit_bzero(raw, sizeof(raw));
    return ok;
}

static volatile sig_atomic_t tty_signal;

static void on_tty_signal(int sig)
{
    tty_signal = sig;
}

/* A line without its end, or SIZE_MAX after a signal, which can come only here. */
static size_t read_line(int tty, const sigset_t *mask, char *line, size_t size)
{
    struct pollfd input = { .fd = tty, .events = POLLIN };
    size_t len = 0;
    ssize_t n;

    while (len < size) {
        while (ppoll(&input, 1, NULL, mask) < 0 && errno == EINTR && !tty_signal)
            ;
        n = tty_signal ? 0 : read(tty, line + len, size - len);
        if (n <= 0)
            break;
        len += (size_t)n;
        if (line[len - 1] == '\n')
            return len - 1;
    }
    return tty_signal ? SIZE_MAX : len;
}

/*
 * What is typed at the terminal, or SIZE_MAX if there is none.  getpass() leaves it in a buffer of stdio, and makes an ordinary
 * character of ^C.  The terminal shows what is typed again before a signal ends or stops the program.
 */
static size_t type_passphrase(char *passphrase, size_t size)
{
    static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP };
    static const char prompt[] = "Passphrase: ";
    enum { NUM = sizeof(signals) / sizeof(signals[0]) };
    struct sigaction action = { .sa_handler = on_tty_signal }, before[NUM];
    struct termios shown, hidden;
    sigset_t blocked, mask;
    size_t len;
    int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);

    if (tty < 0)
        return SIZE_MAX;
    sigemptyset(&blocked);
    for (int i = 0; i < NUM; i++)
        sigaddset(&blocked, signals[i]);
    do {
        tty_signal = 0;
        len = SIZE_MAX;
        sigprocmask(SIG_BLOCK, &blocked, &mask);
        for (int i = 0; i < NUM; i++)
            if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
                sigaction(signals[i], &action, NULL);
        if (tcgetattr(tty, &shown) == 0) {
            hidden = shown;
            hidden.c_lflag &= ~(tcflag_t)ECHO;
            if (tcsetattr(tty, TCSAFLUSH, &hidden) == 0 && write(tty, prompt, sizeof(prompt) - 1) > 0)
                len = read_line(tty, &mask, passphrase, size);
            tcsetattr(tty, TCSAFLUSH, &shown);
            if (write(tty, "\n", 1) != 1)
                len = SIZE_MAX;
        }
        for (int i = 0; i < NUM; i++)
            sigaction(signals[i], &before[i], NULL);
        if (tty_signal) {
            explicit_bzero(passphrase, size);
            raise(tty_signal);
        }
        sigprocmask(SIG_SETMASK, &mask, NULL);
    } while (tty_signal); /* after SIGTSTP and SIGCONT */
    close(tty);
    return len;
}

/* The passphrase's length, or SIZE_MAX and a message. */
static size_t read_passphrase(const struct options *opt, char passphrase[MAX_PASSPHRASE + 1])
{
    size_t len;

    if (opt->key_file) {
        len = read_key_file(opt, (uint8_t *)passphrase, MAX_PASSPHRASE + 1);
        if (len != SIZE_MAX && len > MAX_PASSPHRASE) {
            cli_error("key file %s: has more than the %d bytes that a passphrase may have", key_name(opt), MAX_PASSPHRASE);
            len = SIZE_MAX;
        }
        return len;
    }
    len = type_passphrase(passphrase, MAX_PASSPHRASE);
    if (len == SIZE_MAX)
        cli_error("xts: --luks: there is no terminal to ask for the passphrase: give --key-file, - is stdin");
    return len;
}

/* Key and layout of the LUKS volume. */
static bool load_volume(struct job *job, struct options *opt)
{
    static char passphrase[MAX_PASSPHRASE + 1];
    struct luks_volume v = { 0 };
    size_t len = read_passphrase(opt, passphrase);
    bool ok = len != SIZE_MAX && luks_open(&v, opt->in, passphrase, len) && set_key(job, v.key, v.key_len);

    opt->offset = v.offset;
    opt->length = v.length;
    opt->has_offset = true;
    opt->has_length = v.length != 0;
    opt->sector_size = v.sector_size;
    opt->first_sector = v.first_sector;
    opt->iv_512 = true;
    explicit_bzero(passphrase, sizeof(passphrase));
    explicit_bzero(&v, sizeof(v));
    return ok;
}

/* XTS with the volume key is for what comes after the header; with the header ciphered as well, all of it is garbage. */
static bool is_luks_with_header(const struct job *job)
{
    static const char magic[6] = { 'L', 'U', 'K', 'S', '\xba', '\xbe' };
    char start[sizeof(magic)];

    return !job->opt->has_offset && read_at(job->in.fd, start, sizeof(start), 0) == 0 && memcmp(start, magic, sizeof(magic)) == 0;
}

/* Work out how much of IN to process, and refuse what XTS or the sector numbers cannot do. */
static bool measure(struct job *job)
{
    const struct options *opt = job->opt;
    uint64_t size = job->in.size;

    if (is_luks_with_header(job)) {
        cli_error("%s: begins with a LUKS header, which isn't part of the encrypted data: decrypt it by --luks with the volume's "
                  "passphrase, or give the payload's start as --offset.  `cryptsetup luksDump %s` shows it (LUKS2: offset of the "
                  "data segment, in bytes; LUKS1: payload offset, times 512).  --offset 0 processes the header too.",
                  opt->in, opt->in);
        return false;
    }
    if (opt->offset > size || (opt->has_length && opt->length > size - opt->offset)) {
        cli_error("%s: has %" PRIu64 " bytes; %s past its end", opt->in, size,
                  opt->luks ? "its header says that the data reach" : "--offset and --length reach");
        return false;
    }
    job->length = opt->has_length ? opt->length : size - opt->offset;
    if (job->length == 0) {
        cli_error("%s: nothing to do: no bytes to %s", opt->in, opt->encrypt ? "encrypt" : "decrypt");
        return false;
    }
    if (job->length % opt->sector_size != 0) {
        cli_error("%s: %" PRIu64 " bytes are not whole sectors of %" PRIu64 ": %" PRIu64 " are left over", opt->in, job->length,
                  opt->sector_size, job->length % opt->sector_size);
        return false;
    }
    job->step = opt->iv_512 ? opt->sector_size / 512 : 1;
    if ((job->length / opt->sector_size - 1) > (UINT64_MAX - opt->first_sector) / job->step) {
        cli_error("--first-sector %" PRIu64 ": the last sectors' numbers need more than 64 bits", opt->first_sector);
        return false;
    }
    return true;
}

/* Cipher the whole length with several threads; this one works too. False: nothing must look complete. */
static bool run(struct job *job, struct worker *workers, size_t num_workers)
{
    size_t started = 1;

    /* If the system gives fewer threads, fewer do the work. */
    while (started < num_workers && pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
        started++;
    work(&workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    return !atomic_load(&job->failed);
}

/* The key is ready, IN is open and measured. */
static bool process(struct job *job, size_t num_workers)
{
    const struct options *opt = job->opt;
    struct worker *workers = calloc(num_workers, sizeof(*workers));
    uint8_t *bufs = aligned_alloc(4096, num_workers * PIECE);
    bool ok = false;

    if (workers == NULL || bufs == NULL) {
        cli_error("no memory for %zu threads", num_workers);
        goto out;
    }
    for (size_t i = 0; i < num_workers; i++)
        workers[i] = (struct worker){ .job = job, .buf = bufs + i * PIECE };

    job->out_offset = opt->in_place ? opt->offset : 0;
    if (!(opt->in_place ? output_open_in_place(&job->out, &job->in, opt->offset, job->length, opt->force)
                        : output_open(&job->out, opt->out, &job->in, job->length, opt->force)))
        goto out;
    posix_fadvise(job->in.fd, (off_t)opt->offset, (off_t)job->length, POSIX_FADV_SEQUENTIAL);
    /* The last bytes are in the page cache then, not on the disk. */
    progress_start(&job->progress, job->length, opt->quiet, "syncing");
    if (run(job, workers, num_workers)) {
        ok = output_commit(&job->out);
    } else {
        output_discard();
        cli_error("%s", job->error);
        if (!job->out.is_part)
            cli_error("%s: is now only partly %s", job->out.path, opt->encrypt ? "encrypted" : "decrypted");
    }
    progress_finish(&job->progress);
out:
    free(bufs);
    free(workers);
    return ok;
}

static void print_summary(const struct job *job, size_t num_workers)
{
    const struct options *opt = job->opt;
    double seconds = progress_seconds(&job->progress);

    fprintf(stderr, "lanecrypt: %s %" PRIu64 " bytes in %.3f s, %.2f GB/s, %s, %zu thread%s\n",
            opt->encrypt ? "encrypted" : "decrypted", job->length, seconds, (double)job->length / seconds / 1e9,
            lc_xts_impl_name(&job->key), num_workers, num_workers == 1 ? "" : "s");
}

/* Return EXIT_OK, EXIT_USAGE, or -1 if only help was asked for. */
static int parse_options(struct options *opt, int argc, char **argv)
{
    enum { SECTOR_SIZE = 256, FIRST_SECTOR, IV_512, OFFSET, LENGTH, IMPL, THREADS, IN_PLACE, LUKS };
    static const struct option longs[] = {
        { "key-file", required_argument, NULL, 'k' },
        { "luks", no_argument, NULL, LUKS },
        { "sector-size", required_argument, NULL, SECTOR_SIZE },
        { "first-sector", required_argument, NULL, FIRST_SECTOR },
        { "iv-512", no_argument, NULL, IV_512 },
        { "offset", required_argument, NULL, OFFSET },
        { "length", required_argument, NULL, LENGTH },
        { "impl", required_argument, NULL, IMPL },
        { "threads", required_argument, NULL, THREADS },
        { "in-place", no_argument, NULL, IN_PLACE },
        { "force", no_argument, NULL, 'f' },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    bool has_direction = argc > 1 && (strcmp(argv[1], "encrypt") == 0 || strcmp(argv[1], "decrypt") == 0);
    cpu_set_t cpus;
    int c, words;

    *opt = (struct options){ .sector_size = 512 };
    /* It fails if the machine has more CPUs than cpu_set_t has bits: then as many threads as bits. */
    opt->threads = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? (uint64_t)CPU_COUNT(&cpus) : MAX_THREADS;
    if (has_direction) {
        opt->encrypt = argv[1][0] == 'e';
        argv[1] = argv[0]; /* messages begin with it */
        argc--;
        argv++;
    }
    optind = 0; /* 0: start afresh, whatever the caller has parsed */
    while ((c = cli_getopt_long(argc, argv, longs)) != -1) {
        bool ok = true;

        switch (c) {
        case 'k': opt->key_file = optarg; break;
        case 'f': opt->force = true; break;
        case 'q': opt->quiet = true; break;
        case 'h': return -1;
        case LUKS: opt->luks = true; break;
        case IV_512: opt->iv_512 = true; break;
        case IMPL: opt->impl = optarg; break;
        case IN_PLACE: opt->in_place = true; break;
        case SECTOR_SIZE: ok = cli_parse_number("--sector-size", optarg, &opt->sector_size); break;
        case FIRST_SECTOR: ok = cli_parse_number("--first-sector", optarg, &opt->first_sector); break;
        case OFFSET: ok = opt->has_offset = cli_parse_number("--offset", optarg, &opt->offset); break;
        case LENGTH: ok = opt->has_length = cli_parse_number("--length", optarg, &opt->length); break;
        case THREADS: ok = cli_parse_number("--threads", optarg, &opt->threads); break;
        default: ok = false;
        }
        if (!ok)
            return EXIT_USAGE;
        opt->has_layout |= c == SECTOR_SIZE || c == FIRST_SECTOR || c == IV_512 || c == OFFSET || c == LENGTH;
    }
    words = argc - optind;
    opt->in = words > 0 ? argv[optind] : NULL;
    opt->out = words > 1 ? argv[optind + 1] : NULL;

    if (!has_direction)
        cli_wrong_use(argv, "the first argument must be encrypt or decrypt");
    else if (opt->luks && (opt->encrypt || opt->in_place || opt->has_layout))
        cli_error(
            "xts: --luks is for decrypt to a file OUT; the header says what --sector-size, --first-sector, --iv-512, --offset "
            "and --length would");
    else if (opt->key_file == NULL && !opt->luks)
        cli_wrong_use(argv, "--key-file is missing");
    else if (words > 2)
        cli_wrong_use(argv, "unexpected argument '%s'", argv[optind + 2]);
    else if (opt->in == NULL || (opt->out == NULL && !opt->in_place))
        cli_wrong_use(argv, "%s is missing", opt->in == NULL ? "IN" : "OUT");
    else if (strcmp(opt->in, "-") == 0 || (opt->out && strcmp(opt->out, "-") == 0))
        cli_error("xts: '-': IN and OUT must be seekable files, not stdin or stdout (write ./- for a file named -)");
    else if (opt->in_place && opt->out && strcmp(opt->in, opt->out) != 0)
        cli_error("xts: --in-place changes IN itself: leave out OUT ('%s')", opt->out);
    else if (opt->sector_size < 512 || opt->sector_size > 4096 || (opt->sector_size & (opt->sector_size - 1)) != 0)
        cli_error("--sector-size %" PRIu64 ": must be 512, 1024, 2048 or 4096", opt->sector_size);
    else if (opt->threads < 1 || opt->threads > MAX_THREADS)
        cli_error("--threads %" PRIu64 ": must be 1 to %d", opt->threads, MAX_THREADS);
    else
        return EXIT_OK;
    return EXIT_USAGE;
}

int cmd_xts(int argc, char **argv)
{
    struct options opt;
    struct job job = { .opt = &opt };
    int parsed = parse_options(&opt, argc, argv);
    uint64_t pieces;
    size_t num_workers;
    bool ok = false;

    if (parsed < 0) {
        fputs(usage, stdout);
        return EXIT_OK;
    }
    if (parsed != EXIT_OK)
        return parsed;

    job.crypt = opt.encrypt ? lc_xts_encrypt_sectors : lc_xts_decrypt_sectors;
#ifndef LANECRYPT_SANITIZED /* whose leak checker has to attach to the process */
    /* No core file with the key, whatever signal ends this. */
    prctl(PR_SET_DUMPABLE, 0);
#endif
    if ((opt.luks ? load_volume(&job, &opt) : load_key(&job)) && input_open(&job.in, opt.in, opt.in_place) && measure(&job)) {
        pieces = (job.length + PIECE - 1) / PIECE;
        num_workers = (size_t)(opt.threads < pieces ? opt.threads : pieces);
        ok = process(&job, num_workers);
        if (ok && !opt.quiet)
            print_summary(&job, num_workers);
    }
    lc_xts_wipe(&job.key);
    return ok ? EXIT_OK : EXIT_FAILED;
}

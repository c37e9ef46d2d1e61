/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * More than 4 GiB in one call: lengths, counts of sectors and of blocks that don't fit into 32 bits.  The memory is
 * some 2 MiB of a file, mapped over and over: source and destination have as much each, and what the last turn has written is
 * what is compared.  4 GiB aren't a multiple of that: else an offset without its higher half would lead to the same bytes.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/cpu.h"
#include "lanecrypt/ctr.h"
#include "lanecrypt/gcm.h"
#include "lanecrypt/xts.h"

enum { WINDOW = (2 << 20) + 5 * 4096, TURNS = 2050, SECTOR = 512, LONG_SECTOR = 520 };

static uint8_t *map_over_and_over(void)
{
    int fd = memfd_create("window", 0);
    uint8_t *memory = mmap(NULL, (size_t)WINDOW * TURNS, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (fd < 0 || ftruncate(fd, WINDOW) != 0 || memory == MAP_FAILED)
        return NULL;
    for (size_t i = 0; i < TURNS; i++)
        if (mmap(memory + i * WINDOW, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
            return NULL;
    return memory;
}

static const size_t len = (size_t)WINDOW * (TURNS - 1) + 7 * SECTOR + 100; /* the last unit is short */
static uint8_t *src, *dst, raw[64], expected[LONG_SECTOR];
static int checked;

/*
 * Portable C has no registers to take the wrong half of, and is slow.  A -general row is the code of the row after it, but for
 * single blocks.
 */
static int is_checked(const struct lc_impl_info *info)
{
    const char *end = strrchr(info->name, '-');

    return info->runs_here && info->needs && !(end && strcmp(end, "-general") == 0);
}

/*
 * Units of 512 bytes are whole groups of blocks, and the next one's tweaks are made beside the last group.  From units of 520 bytes
 * there is another way to the next one.  Of each width there are two rows, one after the other: so one gets these.
 */
static int check_xts(void)
{
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("xts", i, &info) == LC_OK; i++) {
        const size_t sector_len = i % 2 ? LONG_SECTOR : SECTOR;
        struct lc_xts_key key;

        if (!is_checked(&info))
            continue;
        memset(dst, 0, WINDOW);
        if (lc_xts_init_impl(&key, info.name, raw, sizeof(raw)) != LC_OK ||
            lc_xts_encrypt_sectors(&key, dst, src, len, sector_len, 5, 1) != LC_OK)
            return 1;
        /* The last sectors of the last whole turn, and those after it */
        for (uint64_t n = (uint64_t)WINDOW * (TURNS - 1) / sector_len - 20; n * sector_len < len; n++) {
            const size_t at = n * sector_len, unit_len = len - at < sector_len ? len - at : sector_len;
            uint64_t sector = 5 + n;
            uint8_t iv[16] = { 0 };

            memcpy(iv, &sector, sizeof(sector));
            if (lc_xts_encrypt(&key, expected, src + at, unit_len, iv) != LC_OK || memcmp(expected, dst + at, unit_len) != 0) {
                printf("%s: wrong at byte %zu of %zu\n", info.name, at, len);
                return 1;
            }
        }
        checked++;
    }
    return 0;
}

/* counter = high:low, plus the blocks before byte `at` */
static void counter_at(uint8_t counter[16], uint64_t high, uint64_t low, size_t at)
{
    uint64_t sum = low + at / 16;

    high += sum < low;
    for (unsigned i = 0; i < 8; i++) {
        counter[i] = (uint8_t)(high >> (56 - 8 * i));
        counter[8 + i] = (uint8_t)(sum >> (56 - 8 * i));
    }
}

/* The low half of the counter wraps after more than 4 GiB, between what is compared; and near the start, by update. */
static int check_ctr(void)
{
    static const uint64_t lows[] = { 0 - ((uint64_t)WINDOW * (TURNS - 1) - 10 * SECTOR) / 16, 0 - (uint64_t)1000 };
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("ctr", i, &info) == LC_OK; i++) {
        if (!is_checked(&info))
            continue;
        for (size_t n = 0; n < sizeof(lows) / sizeof(lows[0]); n++) {
            struct lc_ctr_key key;
            struct lc_ctr_state state;
            uint8_t counter[16];

            memset(dst, 0, WINDOW);
            counter_at(counter, 7, lows[n], 0);
            if (lc_ctr_init_impl(&key, info.name, raw, 32) != LC_OK)
                return 1;
            lc_ctr_start(&state, counter);
            if (n == 1)
                lc_ctr_update(&key, &state, dst, src, len);
            else
                lc_ctr_xor(&key, dst, src, len, counter);
            for (size_t at = (size_t)WINDOW * (TURNS - 1) - 20 * SECTOR; at < len; at += SECTOR) {
                size_t part_len = len - at < SECTOR ? len - at : SECTOR;

                counter_at(counter, 7, lows[n], at);
                lc_ctr_xor(&key, expected, src + at, part_len, counter);
                if (memcmp(expected, dst + at, part_len) != 0) {
                    printf("%s: wrong at byte %zu of %zu\n", info.name, at, len);
                    return 1;
                }
            }
        }
        checked++;
    }
    return 0;
}

/* What comes of src in one direction: the end of the text, and the tag. */
struct gcm_result {
    uint8_t end[WINDOW], tag[16];
};

/* A stream in pieces that have no more than piece_len bytes; an error gives a tag of zeros. */
static void gcm_stream(struct gcm_result *r, const struct lc_gcm_key *key, size_t nonce_len, int encrypt, size_t aad_len,
                       size_t piece_len)
{
    struct lc_gcm_state state;
    size_t n;
    int status = lc_gcm_start(&state, key, raw, nonce_len);

    memset(dst, 0, WINDOW);
    memset(r->tag, 0, 16);
    for (size_t at = 0; at < aad_len && status == LC_OK; at += n) {
        n = aad_len - at < piece_len ? aad_len - at : piece_len;
        status = lc_gcm_aad(&state, src + at, n);
    }
    for (size_t at = 0; at < len && status == LC_OK; at += n) {
        n = len - at < piece_len ? len - at : piece_len;
        status = (encrypt ? lc_gcm_encrypt : lc_gcm_decrypt)(&state, dst + at, src + at, n);
    }
    state.phase = 1; /* a tag in either direction: private, but there is no other way to it */
    if (status != LC_OK || lc_gcm_tag(&state, r->tag, 16) != LC_OK)
        puts("a stream fails");
    memcpy(r->end, dst, WINDOW);
}

/*
 * As much AAD as text.  The memory holds no more than the last ciphertext, so what is decrypted and opened is src.  Nonces of 12
 * bytes let the assembly begin a message, and make its length block.  Every other row gets one of 13 bytes, with which gcm.c makes
 * it, and counters are secret; of these rows, too, each has a neighbour of its width.
 */
static int check_gcm(void)
{
    static const uint8_t zeros[16];
    static struct gcm_result results[2][2], r;
    struct lc_impl_info info;
    struct lc_gcm_key key;

    if (lc_gcm_init(&key, raw, 32) != LC_OK)
        return 1;
    for (size_t i = 0; i < 4; i++) {
        gcm_stream(&results[i / 2][i % 2], &key, 12 + i / 2, i % 2, i % 2 ? len : 13, WINDOW);
        if (memcmp(results[i / 2][i % 2].tag, zeros, 16) == 0)
            return 1;
    }
    for (size_t i = 0; lc_impl_get("gcm", i, &info) == LC_OK; i++) {
        const struct gcm_result *right = results[i % 2];
        const size_t nonce_len = 12 + i % 2;

        if (!is_checked(&info))
            continue;
        memset(dst, 0, WINDOW);
        if (lc_gcm_init_impl(&key, info.name, raw, 32) != LC_OK ||
            lc_gcm_seal(&key, dst, r.tag, 16, src, len, src, len, raw, nonce_len) != LC_OK)
            return 1;
        if (memcmp(right[1].tag, r.tag, 16) != 0 || memcmp(right[1].end, dst, WINDOW) != 0) {
            printf("%s: encrypts %zu bytes wrong\n", info.name, len);
            return 1;
        }
        gcm_stream(&r, &key, nonce_len, 0, 13, len);
        if (memcmp(right[0].tag, r.tag, 16) != 0 || memcmp(right[0].end, r.end, WINDOW) != 0) {
            printf("%s: decrypts %zu bytes wrong\n", info.name, len);
            return 1;
        }
        memset(dst, 0, WINDOW);
        if (lc_gcm_open(&key, dst, src, len, right[0].tag, 16, src, 13, raw, nonce_len) != LC_OK ||
            memcmp(right[0].end, dst, WINDOW) != 0) {
            printf("%s: opens %zu bytes wrong\n", info.name, len);
            return 1;
        }
        checked++;
    }
    return 0;
}

/*
 * In one call, against the end of it in small pieces.  Where the counter's low word wraps, a row gets another call: so that comes
 * after more than 4 GiB, near the end.
 */
static int check_chacha20(void)
{
    static uint8_t right[WINDOW];
    const uint64_t counter = (UINT64_C(9) << 32) - ((uint64_t)WINDOW * (TURNS - 1) - 10 * SECTOR) / 64;
    struct lc_chacha20_state state;
    struct lc_chacha20_key key;
    struct lc_impl_info info;

    for (size_t i = 0; lc_impl_get("chacha20", i, &info) == LC_OK; i++) {
        if (!is_checked(&info))
            continue;
        /* the last two turns by themselves */
        if (lc_chacha20_init(&key, raw, 32) != LC_OK)
            return 1;
        memset(dst, 0, WINDOW);
        lc_chacha20_start_64(&state, &key, raw, counter + (uint64_t)WINDOW * (TURNS - 2) / 64);
        for (size_t at = (size_t)WINDOW * (TURNS - 2); at < len; at += 4096)
            if (lc_chacha20_update(&state, dst + at, src + at, len - at < 4096 ? len - at : 4096) != LC_OK)
                return 1;
        memcpy(right, dst, WINDOW);
        memset(dst, 0, WINDOW);
        if (lc_chacha20_init_impl(&key, info.name, raw, 32) != LC_OK)
            return 1;
        lc_chacha20_start_64(&state, &key, raw, counter);
        if (lc_chacha20_update(&state, dst, src, len) != LC_OK || memcmp(right, dst, WINDOW) != 0) {
            printf("%s: wrong within %zu bytes\n", info.name, len);
            return 1;
        }
        checked++;
    }
    return 0;
}

/* A stream in pieces that have no more than piece_len bytes, as for GCM */
static int chapoly_stream(struct gcm_result *r, const char *impl, int encrypt, size_t aad_len, size_t piece_len)
{
    struct lc_chacha20poly1305_key key;
    struct lc_chacha20poly1305_state state;
    size_t n;
    int status = lc_chacha20poly1305_init_impl(&key, impl, raw, 32);

    if (status == LC_OK)
        status = lc_chacha20poly1305_start(&state, &key, raw, 12);
    for (size_t at = 0; at < aad_len && status == LC_OK; at += n) {
        n = aad_len - at < piece_len ? aad_len - at : piece_len;
        status = lc_chacha20poly1305_aad(&state, src + at, n);
    }
    memset(dst, 0, WINDOW);
    for (size_t at = 0; at < len && status == LC_OK; at += n) {
        n = len - at < piece_len ? len - at : piece_len;
        status = (encrypt ? lc_chacha20poly1305_encrypt : lc_chacha20poly1305_decrypt)(&state, dst + at, src + at, n);
    }
    if (status != LC_OK)
        return 1;
    state.phase = 1; /* a tag in either direction */
    memcpy(r->end, dst, WINDOW);
    return lc_chacha20poly1305_tag(&state, r->tag, 16) != LC_OK;
}

static int check_chapoly(void)
{
    static struct gcm_result right[2], r;
    struct lc_chacha20poly1305_key key;
    struct lc_impl_info info;

    for (int encrypt = 0; encrypt < 2; encrypt++)
        if (chapoly_stream(&right[encrypt], NULL, encrypt, encrypt ? len : 13, WINDOW) != 0)
            return 1;
    for (size_t i = 0; lc_impl_get("chacha20-poly1305", i, &info) == LC_OK; i++) {
        if (!is_checked(&info))
            continue;
        memset(dst, 0, WINDOW);
        if (lc_chacha20poly1305_init_impl(&key, info.name, raw, 32) != LC_OK ||
            lc_chacha20poly1305_seal(&key, dst, r.tag, 16, src, len, src, len, raw, 12) != LC_OK)
            return 1;
        if (memcmp(right[1].tag, r.tag, 16) != 0 || memcmp(right[1].end, dst, WINDOW) != 0) {
            printf("%s: encrypts %zu bytes wrong\n", info.name, len);
            return 1;
        }
        if (chapoly_stream(&r, info.name, 0, 13, len) != 0 || memcmp(right[0].tag, r.tag, 16) != 0 ||
            memcmp(right[0].end, r.end, WINDOW) != 0) {
            printf("%s: decrypts %zu bytes wrong\n", info.name, len);
            return 1;
        }
        checked++;
    }
    return 0;
}

int main(void)
{
    src = map_over_and_over();
    dst = map_over_and_over();
    if (!src || !dst) {
        puts("cannot map the memory");
        return 1;
    }
    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)(i * 3);
    for (size_t i = 0; i < WINDOW; i++)
        src[i] = (uint8_t)(i * 7 + i / 4096);
    if (check_xts() != 0 || check_ctr() != 0 || check_gcm() != 0 || check_chacha20() != 0 || check_chapoly() != 0)
        return 1;
    printf("%d implementations, %zu bytes in a call\n", checked, len);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * More than 4 GiB in one call: lengths and counts of sectors that don't fit into 32 bits.  The memory is 2 MiB of a
 * file, mapped over and over: source and destination have 2 MiB each, and what the last turn has written is what is
 * compared.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lanecrypt/cpu.h"
#include "lanecrypt/xts.h"

enum { WINDOW = 2 << 20, TURNS = 2050, SECTOR = 512 };

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

int main(void)
{
    static const size_t len = (size_t)WINDOW * (TURNS - 1) + 7 * SECTOR + 100; /* the last unit is short */
    uint8_t *src = map_over_and_over(), *dst = map_over_and_over(), raw[64], expected[SECTOR];
    struct lc_impl_info info;
    int checked = 0;

    if (!src || !dst) {
        puts("cannot map the memory");
        return 1;
    }
    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)(i * 3);
    for (size_t i = 0; i < WINDOW; i++)
        src[i] = (uint8_t)(i * 7 + i / 4096);
    for (size_t i = 0; lc_impl_get("xts", i, &info) == LC_OK; i++) {
        struct lc_xts_key key;

        if (!info.runs_here || !info.needs) /* portable C has no registers to take the wrong half of, and is slow */
            continue;
        memset(dst, 0, WINDOW);
        if (lc_xts_init_impl(&key, info.name, raw, sizeof(raw)) != LC_OK ||
            lc_xts_encrypt_sectors(&key, dst, src, len, SECTOR, 5, 1) != LC_OK)
            return 1;
        /* The last sectors of the last whole turn, and those behind it. */
        for (size_t at = (size_t)WINDOW * (TURNS - 1) - 20 * SECTOR; at < len; at += SECTOR) {
            size_t unit_len = len - at < SECTOR ? len - at : SECTOR;
            uint64_t sector = 5 + at / SECTOR;
            uint8_t iv[16] = { 0 };

            memcpy(iv, &sector, sizeof(sector));
            if (lc_xts_encrypt(&key, expected, src + at, unit_len, iv) != LC_OK || memcmp(expected, dst + at, unit_len) != 0) {
                printf("%s: wrong at byte %zu of %zu\n", info.name, at, len);
                return 1;
            }
        }
        checked++;
    }
    printf("%d implementations, %zu bytes in a call\n", checked, len);
    return 0;
}

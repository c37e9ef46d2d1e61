/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES-256-XTS: sectors of a disk, as dm-crypt numbers them.
 *
 *      cc xts.c $(pkg-config --cflags --libs lanecrypt)
 *
 * Encrypts eight sectors in one call, reads one of them back by itself, and then all.  Fails if they aren't what they were.
 */
#include <lanecrypt/xts.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum { SECTOR_LEN = 512, NUM_SECTORS = 8, FIRST_SECTOR = 1000, DISK_LEN = NUM_SECTORS * SECTOR_LEN };

/* disk: plaintext; secret, back: room for as much.  LC_OK or the status of what failed. */
static int there_and_back(const struct lc_xts_key *key, const uint8_t *disk, uint8_t *secret, uint8_t *back)
{
    uint8_t iv[16] = { (FIRST_SECTOR + 3) & 0xff, (FIRST_SECTOR + 3) >> 8 }; /* the fourth sector's number, little-endian */
    int status = lc_xts_encrypt_sectors(key, secret, disk, DISK_LEN, SECTOR_LEN, FIRST_SECTOR, 1);

    if (status == LC_OK)
        status = lc_xts_decrypt(key, back, secret + 3 * SECTOR_LEN, SECTOR_LEN, iv);
    if (status == LC_OK)
        printf("sector %d: %.40s\n", FIRST_SECTOR + 3, (const char *)back);
    if (status == LC_OK)
        status = lc_xts_decrypt_sectors(key, back, secret, DISK_LEN, SECTOR_LEN, FIRST_SECTOR, 1);
    return status;
}

int main(void)
{
    static uint8_t disk[DISK_LEN], secret[DISK_LEN], back[DISK_LEN];
    uint8_t raw[64]; /* data key || tweak key: 32 bytes each for AES-256 */
    struct lc_xts_key key;
    int status;

    for (int i = 0; i < NUM_SECTORS; i++)
        snprintf((char *)disk + i * SECTOR_LEN, SECTOR_LEN, "what stands in sector %d", FIRST_SECTOR + i);
    if (getrandom(raw, sizeof(raw), 0) != sizeof(raw)) {
        perror("getrandom");
        return 1;
    }
    status = lc_xts_init(&key, raw, sizeof(raw));
    explicit_bzero(raw, sizeof(raw));
    if (status == LC_OK) {
        printf("%s\n", lc_xts_impl_name(&key));
        status = there_and_back(&key, disk, secret, back);
    }
    lc_xts_wipe(&key);
    if (status != LC_OK) {
        fprintf(stderr, "xts: %s\n", lc_strerror(status));
        return 1;
    }
    if (memcmp(disk, secret, DISK_LEN) == 0 || memcmp(disk, back, DISK_LEN) != 0) {
        fprintf(stderr, "xts: wrong result\n");
        return 1;
    }
    printf("%d sectors there and back\n", NUM_SECTORS);
    return 0;
}

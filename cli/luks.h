/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* `lanecrypt xts --luks`: what the header of a LUKS volume says, read by libcryptsetup, which is loaded when it's needed. */
#ifndef LANECRYPT_LUKS_H
#define LANECRYPT_LUKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct luks_volume {
    uint8_t key[64]; /* data key, then tweak key: wipe it */
    size_t key_len;
    uint64_t offset, length; /* of the encrypted data, in bytes; length 0: to the end */
    uint64_t sector_size, first_sector; /* first_sector: its tweak, in units of 512 bytes */
};

/*
 * Read the header of LUKS1 or LUKS2 at the start of a file or block device, and get the volume key by a passphrase.  Needs no root:
 * nothing is mapped, and nothing written.  False, with a message, if that fails, or isn't AES-XTS as dm-crypt's aes-xts-plain64.
 */
bool luks_open(struct luks_volume *v, const char *path, const char *passphrase, size_t passphrase_len);

#endif

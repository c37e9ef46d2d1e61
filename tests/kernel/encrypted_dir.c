/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* encrypted_dir MOUNT_POINT DIRECTORY: a key that is always the same for a file system's encryption (fscrypt); files in the empty
 * directory, unless it has a policy, will be encrypted by it, with AES-256-XTS.  Exit status 0 if all went well. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fscrypt.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

int main(int argc, char **argv)
{
    struct {
        struct fscrypt_add_key_arg arg;
        unsigned char raw[64];
    } key = { .arg = { .key_spec = { .type = FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER }, .raw_size = 64 } };
    struct fscrypt_policy_v2 policy = { .version = FSCRYPT_POLICY_V2,
                                        .contents_encryption_mode = FSCRYPT_MODE_AES_256_XTS,
                                        .filenames_encryption_mode = FSCRYPT_MODE_AES_256_CTS,
                                        .flags = FSCRYPT_POLICY_FLAGS_PAD_32 };

    if (argc != 3)
        return 2;
    for (unsigned i = 0; i < sizeof(key.raw); i++)
        key.raw[i] = (unsigned char)(i * 5 + 1);
    if (ioctl(open(argv[1], O_RDONLY), FS_IOC_ADD_ENCRYPTION_KEY, &key.arg)) {
        perror("encrypted_dir: the key");
        return 1;
    }
    memcpy(policy.master_key_identifier, key.arg.key_spec.u.identifier, sizeof(policy.master_key_identifier));
    if (ioctl(open(argv[2], O_RDONLY), FS_IOC_SET_ENCRYPTION_POLICY, &policy)) {
        perror("encrypted_dir: the policy");
        return 1;
    }
    return 0;
}

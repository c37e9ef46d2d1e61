/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "lanecrypt/lanecrypt.h"

#define STR2(x) #x
#define STR(x) STR2(x)

const char *lc_version(void)
{
    return STR(LANECRYPT_VERSION_MAJOR) "." STR(LANECRYPT_VERSION_MINOR) "." STR(LANECRYPT_VERSION_PATCH);
}

const char *lc_strerror(int status)
{
    switch (status) {
    case LC_OK: return "success";
    case LC_ERR_KEY_LEN: return "the key's length is none that this cipher has";
    case LC_ERR_LEN: return "the data's length is out of range, or not the multiple it has to be";
    case LC_ERR_NONCE_LEN: return "the nonce's length is out of range";
    case LC_ERR_TAG_LEN: return "the tag's length is none that this mode has";
    case LC_ERR_AUTH: return "authentication failed: the data, the key or the tag is wrong";
    case LC_ERR_WEAK_KEY: return "the standard forbids this key (both halves are equal)";
    case LC_ERR_IMPL: return "no implementation of that name, or this CPU can't run it";
    case LC_ERR_STATE: return "a call out of order: the stream has ended, or was going the other way, or AAD came behind text";
    case LC_ERR_ENV: return "LANECRYPT_DISABLE or LANECRYPT_IMPL names something unknown, or that this CPU can't run";
    case LC_ERR_DECRYPT_ONLY: return "this key was made for decryption only";
    default: return "unknown status";
    }
}

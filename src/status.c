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
    case LC_ERR_KEY_LEN: return "unsupported key length for this cipher";
    case LC_ERR_LEN: return "invalid data length: too short, too long, or not a multiple of the required size";
    case LC_ERR_NONCE_LEN: return "unsupported nonce length for this cipher";
    case LC_ERR_TAG_LEN: return "unsupported tag length for this cipher";
    case LC_ERR_AUTH: return "authentication failed: wrong key or nonce, or the data or the tag was changed";
    case LC_ERR_WEAK_KEY: return "weak key: its two halves are equal, which the standard forbids";
    case LC_ERR_IMPL: return "unknown implementation, or this CPU can't run it";
    case LC_ERR_STATE: return "call out of order: the message has ended, or changed direction, or AAD came after text";
    case LC_ERR_ENV: return "LANECRYPT_DISABLE or LANECRYPT_IMPL has a name that is unknown or that this CPU can't run";
    case LC_ERR_DECRYPT_ONLY: return "this key is for decryption only";
    case LC_ERR_KEY: return "not a key: malformed, a number out of range, or no point of the curve";
    case LC_ERR_SIGNATURE: return "wrong signature: of another key or digest, changed, or not encoded as it must be";
    case LC_ERR_RANDOM: return "the system gives no random bytes: getrandom() fails";
    case LC_ERR_CHANGED: return "the message has changed while it was being signed: keep others from writing to it";
    case LC_ERR_ENCRYPTED: return "encrypted key: it has to be decrypted first, by another program";
    case LC_ERR_CIPHERTEXT: return "wrong ciphertext: it was changed, or is of another key";
    case LC_ERR_FAULT: return "wrong result, not given out: a fault in the calculation, or numbers of the key that aren't prime";
    default: return "unknown status";
    }
}

// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "hash_support.h"

const char *const mode_under_test = "sha256";
const std::vector<Hash> hashes = {
    MAKE_HASH(sha256, "SHA256", 32, 64, { "SHA2/SHA256ShortMsg.rsp", 65 }, { "SHA2/SHA256LongMsg.rsp", 64 })
};

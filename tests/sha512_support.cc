// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "hash_support.h"

const char *const mode_under_test = "sha512";
const std::vector<Hash> hashes = {
    MAKE_HASH(sha512, "SHA512", 64, 128, { "SHA2/SHA512ShortMsg.rsp", 129 }, { "SHA2/SHA512LongMsg.rsp", 128 }),
    MAKE_HASH(sha384, "SHA384", 48, 128, { "SHA2/SHA384ShortMsg.rsp", 129 }, { "SHA2/SHA384LongMsg.rsp", 128 })
};

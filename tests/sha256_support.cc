// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sha2_support.h"

const char *const mode_under_test = "sha256";
const std::vector<Hash> hashes = { MAKE_HASH(sha256, "SHA256", 32, 64) };

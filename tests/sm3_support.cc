// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "hash_support.h"

const char *const mode_under_test = "sm3";
const std::vector<Hash> hashes = { MAKE_HASH(sm3, "SM3", 32, 64, { "SM3/oscca.txt", 6 }) };

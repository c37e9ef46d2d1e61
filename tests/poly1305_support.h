/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the tests of Poly1305 by itself share. */
#ifndef LC_TESTS_POLY1305_SUPPORT_H
#define LC_TESTS_POLY1305_SUPPORT_H

#include "chacha_support.h"

/* The tag of msg in pieces of these lengths, as far as it goes, and what is left behind them. */
Bytes tag_of(const lc_impl_info &impl, const Bytes &raw, const Bytes &msg, const std::vector<size_t> &lens);

/* Tests that run once for every implementation. */
class Poly1305 : public EachRow {};

#endif

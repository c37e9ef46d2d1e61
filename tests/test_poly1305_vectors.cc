// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Poly1305 against the examples of RFC 8439, with every implementation, and with the reference in chacha_support.cc.
#include "poly1305_support.h"

static void check(const lc_impl_info &impl, const char *where, const std::string &raw, const Bytes &msg, const std::string &tag)
{
    Bytes r = from_hex(raw), expected = from_hex(tag);

    SCOPED_TRACE(where);
    EXPECT_TRUE(same(expected, reference::poly1305(r, msg)));
    EXPECT_TRUE(same(expected, tag_of(impl, r, msg, {})));
    EXPECT_TRUE(same(expected, tag_of(impl, r, msg, { 1, 16, 7 })));
}

#define ZEROS_16 "00000000000000000000000000000000"
#define FF_16 "ffffffffffffffffffffffffffffffff"
#define S_OF_A3 "36e5f6b5c5e06070f0efca96227a863e"

// 2.5.2, A.3 #1 .. #4
TEST_P(Poly1305, Rfc8439)
{
    check(impl, "2.5.2", "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
          from_text("Cryptographic Forum Research Group"), "a8061dc1305136c6c22b8baf0c0127a9");
    check(impl, "A.3, #1", ZEROS_16 ZEROS_16, Bytes(64), ZEROS_16);
    check(impl, "A.3, #2", ZEROS_16 S_OF_A3, from_text(ietf_contribution), S_OF_A3);
    check(impl, "A.3, #3", S_OF_A3 ZEROS_16, from_text(ietf_contribution), "f3477e7cd95417af89a6b8794c310cf0");
    check(impl, "A.3, #4", "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0", from_text(jabberwocky),
          "4541669a7eaaee61e708dc7cbcc5eb62");
}

// A.3 #5 .. #11: carries that are easily lost
TEST_P(Poly1305, Rfc8439Edges)
{
    static const struct {
        const char *where, *raw, *msg, *tag;
    } cases[] = {
        { "A.3, #5", "02000000000000000000000000000000" ZEROS_16, FF_16, "03000000000000000000000000000000" },
        { "A.3, #6", "02000000000000000000000000000000" FF_16, "02000000000000000000000000000000",
          "03000000000000000000000000000000" },
        { "A.3, #7", "01000000000000000000000000000000" ZEROS_16,
          FF_16 "f0ffffffffffffffffffffffffffffff11000000000000000000000000000000", "05000000000000000000000000000000" },
        { "A.3, #8", "01000000000000000000000000000000" ZEROS_16,
          FF_16 "fbfefefefefefefefefefefefefefefe01010101010101010101010101010101", ZEROS_16 },
        { "A.3, #9", "02000000000000000000000000000000" ZEROS_16, "fdffffffffffffffffffffffffffffff",
          "faffffffffffffffffffffffffffffff" },
        { "A.3, #10", "01000000000000000400000000000000" ZEROS_16,
          "e33594d7505e43b900000000000000003394d7505e4379cd01000000000000000000000000000000000000000000000001000000000000000000"
          "000000000000",
          "14000000000000005500000000000000" },
        { "A.3, #11", "01000000000000000400000000000000" ZEROS_16,
          "e33594d7505e43b900000000000000003394d7505e4379cd010000000000000000000000000000000000000000000000",
          "13000000000000000000000000000000" },
    };

    for (const auto &c : cases)
        check(impl, c.where, c.raw, from_hex(c.msg), c.tag);
}

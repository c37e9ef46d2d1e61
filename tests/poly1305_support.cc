// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "poly1305_support.h"

const char *const mode_under_test = "poly1305";

int init_mode_under_test(const char *impl, std::string *name)
{
    Bytes raw = Random(1).bytes(32);
    lc_poly1305_state state;
    int status = lc_poly1305_start_impl(&state, impl, raw.data());

    if (status == LC_OK)
        *name = lc_poly1305_impl_name(&state);
    return status;
}

Bytes tag_of(const lc_impl_info &impl, const Bytes &raw, const Bytes &msg, const std::vector<size_t> &lens)
{
    lc_poly1305_state state;
    Bytes tag(16);
    size_t done = 0;

    must(lc_poly1305_start_impl(&state, impl.name, raw.data()), "lc_poly1305_start_impl()");
    for (size_t len : lens) {
        len = len < msg.size() - done ? len : msg.size() - done;
        lc_poly1305_update(&state, msg.data() + done, len);
        done += len;
    }
    lc_poly1305_update(&state, msg.data() + done, msg.size() - done);
    lc_poly1305_finish(&state, tag.data());
    return tag;
}

FOR_EACH_ROW(Poly1305);

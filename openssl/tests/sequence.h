/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A sequence of calls to both providers, for the random test and the fuzz target: the same return values, lengths, bytes and
 * parameters, but where lanecrypt's is stricter on purpose (docs/openssl.md); there it has to refuse with a reason and write
 * nothing.
 */
#ifndef LC_TESTS_SEQUENCE_H
#define LC_TESTS_SEQUENCE_H

#include "evp_support.h"

/* What decides which calls are made, and of what lengths. */
class Choices {
public:
    virtual ~Choices() = default;
    virtual size_t below(size_t n) = 0;
};

class Sequence {
public:
    Sequence(const Cipher &c, const Fetched &f, Choices &decisions, uint64_t seed); /* the seed is for keys and texts */

    void step(); /* one call or a few; what differs is a failure of GoogleTest's */
    std::string log;

private:
    enum class Answer { SAME, REFUSED, EITHER }; /* what lanecrypt's provider has to give, compared with the default one */

    const Cipher &cipher;
    const Fetched &fetched;
    Choices &choices;
    Random random;
    Ctx stock, ours;
    static Guarded in_memory, stock_memory, our_memory; /* for whichever sequence makes a call */

    /* What has happened since the contexts began */
    bool encrypt = true, key_set = false, iv_set = false, finished = false, tag_set = false, tag_used = false;
    bool tag_ready = false;
    bool failed = false;  /* the tag was wrong, after which the default provider takes more text and another tag */
    bool stale = false;   /* a new key in the middle of a message: which is nothing that anybody means */
    bool refused = false; /* by one of them only */
    size_t iv_len = 0;
    Bytes key, iv, aad, text;

    size_t below(size_t n) { return choices.below(n); }
    bool coin() { return below(2); }
    void note(const std::string &what) { log += what + "\n"; }
    template <typename Call> bool both(const std::string &what, Answer answer, Call call);

    void begin();
    void init(bool with_key, bool with_iv);
    void update(bool is_aad);
    void final();
    void set_tag();
    void get_tag();
    void get_params();
    void set_iv_len();
    void set_others();
    void copy();
    Bytes right_tag();
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the hashes have in common that work on blocks of 16 big-endian words and end messages in SHA-2's way: SHA-256, SHA-512 and
 * SHA-384, SM3.  Whoever includes it defines
 *
 *      HASH(name)   the name with the hash's in front: lc_sha256_##name
 *      WORD, SWAP   the type of a word, and what turns it round
 *      ROOM         words of a hash value, and what implementations want behind them
 *      MAX_LANES    of any implementation
 *
 * and gets messages from any beginning and with a digest of any length, as SHA-384 is SHA-512 in both.
 */
enum { BLOCK_LEN = 16 * sizeof(WORD) };

/* digest: digest_len bytes of the hash value, words in big-endian order, whose word i is h[i * stride] */
static void put_digest(uint8_t *digest, size_t digest_len, const WORD *h, size_t stride)
{
    for (size_t i = 0; i < digest_len / sizeof(WORD); i++) {
        WORD word = SWAP(h[i * stride]);

        memcpy(digest + i * sizeof(WORD), &word, sizeof(WORD));
    }
}

/*
 * The end of a message (FIPS 180-4, 5.1; GM/T 0004-2012, 5.2): what follows its last whole block, a 1 bit, zeros, and the length in
 * bits as a number of two words.  Returns how many blocks that is, 1 or 2.
 */
static size_t pad(uint8_t end[2 * BLOCK_LEN], const uint8_t *rest, uint64_t len)
{
    const size_t rest_len = len % BLOCK_LEN, num = rest_len < BLOCK_LEN - 2 * sizeof(WORD) ? 1 : 2;
    const uint64_t bits[2] = { __builtin_bswap64(len >> 61), __builtin_bswap64(len << 3) };

    /* Of constant lengths, so that the compiler needs no calls */
    memset(end, 0, BLOCK_LEN);
    if (num > 1)
        memset(end + BLOCK_LEN, 0, BLOCK_LEN);
    if (rest_len)
        memcpy(end, rest, rest_len);
    end[rest_len] = 0x80;
    /* of SHA-256's, the lower half */
    memcpy(end + num * BLOCK_LEN - 2 * sizeof(WORD), (const uint8_t *)bits + 16 - 2 * sizeof(WORD), 2 * sizeof(WORD));
    return num;
}

static void begin(struct HASH(state) * s, const struct HASH(impl) * impl, const WORD iv[8])
{
    memset(s, 0, sizeof(*s));
    memcpy(s->h, iv, 8 * sizeof(WORD));
    s->impl = impl;
}

static int start(struct HASH(state) * s, const char *name, const WORD iv[8])
{
    const struct lc_impl *row;
    int status = lc_select(&HASH(mode), name, &row);

    if (status == LC_OK)
        begin(s, (const struct HASH(impl) *)row, iv); /* its first member */
    return status;
}

static __attribute__((__noinline__)) void update(struct HASH(state) * s, const uint8_t *msg, size_t len)
{
    const size_t begun = s->len % BLOCK_LEN;

    if (!len)
        return;
    s->len += len;
    if (begun) {
        size_t n = BLOCK_LEN - begun < len ? BLOCK_LEN - begun : len;

        memcpy(s->block + begun, msg, n);
        msg += n;
        len -= n;
        if (begun + n == BLOCK_LEN)
            s->impl->blocks(s->h, s->block, 1);
    }
    if (len >= BLOCK_LEN)
        s->impl->blocks(s->h, msg, len / BLOCK_LEN);
    if (len % BLOCK_LEN)
        memcpy(s->block, msg + len / BLOCK_LEN * BLOCK_LEN, len % BLOCK_LEN);
}

static __attribute__((__noinline__)) void finish(struct HASH(state) * s, uint8_t *digest, size_t digest_len)
{
    uint8_t end[2 * BLOCK_LEN];

    s->impl->blocks(s->h, end, pad(end, s->block, s->len));
    put_digest(digest, digest_len, s->h, 1);
    lc_wipe(end, sizeof(end));
    lc_wipe(s, sizeof(*s));
}

/* A message in one piece needs no state. */
static __attribute__((__noinline__)) void hash(const struct HASH(impl) * impl, uint8_t *digest, size_t digest_len,
                                               const uint8_t *msg, size_t len, const WORD iv[8])
{
    uint8_t end[2 * BLOCK_LEN];
    const size_t num = len / BLOCK_LEN;
    WORD h[ROOM];

    memcpy(h, iv, 8 * sizeof(WORD));
    if (num)
        impl->blocks(h, msg, num);
    impl->blocks(h, end, pad(end, num ? msg + num * BLOCK_LEN : msg, len));
    put_digest(digest, digest_len, h, 1);
    lc_wipe(end, sizeof(end));
    lc_wipe(h, sizeof(h));
}

static int one(uint8_t *digest, size_t digest_len, const uint8_t *msg, size_t len, const WORD iv[8])
{
    const struct lc_impl *row;
    int status = lc_select(&HASH(mode), NULL, &row);

    if (status == LC_OK)
        hash((const struct HASH(impl) *)row, digest, digest_len, msg, len, iv);
    return status;
}

/* ---- Many messages ---- */

/* A message that has begun.  While it is in a lane, its hash value and where it is are there. */
struct job {
    WORD h[ROOM];
    const uint8_t *data;            /* blocks that are next */
    size_t num;                     /* of them, > 0 */
    const struct lc_hash_item *item;
    size_t is_ending;               /* they are those of pad() */
    uint8_t end[2 * BLOCK_LEN];
};

struct work {
    const struct lc_hash_item *items; /* that haven't begun */
    size_t num_items, digest_len;
    const WORD *iv;
    struct job *waiting[MAX_LANES];   /* have begun, and are in no lane */
    size_t num_waiting;
    struct job *free[MAX_LANES];
    size_t num_free;
    size_t num_jobs; /* that have ever been used: jobs[0 .. num_jobs - 1] */
    struct job jobs[MAX_LANES];
    struct HASH(lanes) lanes;
};

/* The job has no blocks left: its end, if it still has to come.  False if that was it. */
static bool next_blocks(struct job *job)
{
    const struct lc_hash_item *item = job->item;

    if (job->is_ending)
        return false;
    job->is_ending = 1;
    job->num = pad(job->end, item->len >= BLOCK_LEN ? item->msg + item->len / BLOCK_LEN * BLOCK_LEN : item->msg, item->len);
    job->data = job->end;
    return true;
}

/* One that waits, or else the next item.  NULL: there is none. */
static struct job *take(struct work *w)
{
    struct job *job;

    if (w->num_waiting)
        return w->waiting[--w->num_waiting];
    if (!w->num_items)
        return NULL;
    job = w->num_free ? w->free[--w->num_free] : &w->jobs[w->num_jobs++];
    memcpy(job->h, w->iv, 8 * sizeof(WORD));
    job->item = w->items++;
    w->num_items--;
    job->data = job->item->msg;
    job->num = job->item->len / BLOCK_LEN;
    job->is_ending = 0;
    if (!job->num)
        next_blocks(job);
    return job;
}

/* Messages begin in all lanes.  Where a word's lanes lie side by side, 16 bytes of them are stored at once. */
static void begin_lanes(struct HASH(lanes) * l, const WORD iv[8], size_t num_lanes, size_t word, size_t lane)
{
    typedef WORD words __attribute__((__vector_size__(16)));

    if (lane != 1) {
        for (size_t n = 0; n < num_lanes; n++)
            memcpy(l->h + n * lane, iv, 8 * sizeof(WORD));
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        const words same = (words){ 0 } + iv[i];

        for (size_t n = 0; n < num_lanes; n += 16 / sizeof(WORD))
            memcpy(l->h + i * word + n, &same, sizeof(same));
    }
}

static void wipe_lanes(struct HASH(lanes) * l, size_t num_lanes)
{
    lc_wipe(l->h, 8 * num_lanes * sizeof(WORD));
    lc_wipe(l->w, sizeof(l->w) / MAX_LANES * num_lanes);
}

/* Are there num items, and all as long as the first? */
static bool are_equal(const struct work *w, size_t num)
{
    if (w->num_items < num)
        return false;
    for (size_t n = 1; n < num; n++)
        if (w->items[n].len != w->items->len)
            return false;
    return true;
}

/* As long as the next items are as many as the lanes and of one length, there is nothing to schedule, and no job has to be kept. */
static __attribute__((__noinline__)) void run_equal(struct work *w, void (*run)(struct HASH(lanes) * l, size_t num),
                                                    size_t num_lanes, size_t word, size_t lane)
{
    struct HASH(lanes) *l = &w->lanes;

    if (!are_equal(w, num_lanes))
        return;
    do {
        const struct lc_hash_item *items = w->items;
        const uint64_t len = items->len;
        const size_t num = len / BLOCK_LEN;
        size_t num_end = 0;

        begin_lanes(l, w->iv, num_lanes, word, lane);
        if (num) {
            for (size_t n = 0; n < num_lanes; n++)
                l->data[n] = items[n].msg;
            run(l, num);
        }
        for (size_t n = 0; n < num_lanes; n++) {
            /* Without a rest all have the same end. */
            struct job *const job = &w->jobs[len % BLOCK_LEN ? n : 0];

            if (&w->jobs[n] == job)
                num_end = pad(job->end, num ? items[n].msg + num * BLOCK_LEN : items[n].msg, len);
            l->data[n] = job->end;
        }
        run(l, num_end);
        for (size_t n = 0; n < num_lanes; n++)
            put_digest(items[n].digest, w->digest_len, l->h + n * lane, word);
        w->items += num_lanes;
        w->num_items -= num_lanes;
    } while (are_equal(w, num_lanes));
    lc_wipe(w->jobs, num_lanes * sizeof(w->jobs[0]));
    wipe_lanes(l, num_lanes);
}

static void leave_lane(const struct HASH(lanes) * l, struct job *job, size_t n, size_t word, size_t lane)
{
    for (size_t i = 0; i < 8; i++)
        job->h[i] = l->h[i * word + n * lane];
    job->data = l->data[n];
}

/*
 * Fill the lanes, let them run until the first has no blocks left, and so on, as long as there are `least` to fill.  Those that are
 * empty at the end do another's work again.  What is left waits.
 */
static __attribute__((__noinline__)) void run_lanes(struct work *w, void (*run)(struct HASH(lanes) * l, size_t num),
                                                    size_t num_lanes, size_t least, size_t word, size_t lane)
{
    struct job *jobs[MAX_LANES] = { NULL };
    struct HASH(lanes) *l = &w->lanes;

    for (;;) {
        size_t num_used = 0, num = SIZE_MAX;
        const uint8_t *some = NULL;

        for (size_t n = 0; n < num_lanes; n++) {
            if (!jobs[n] && (jobs[n] = take(w))) {
                for (size_t i = 0; i < 8; i++)
                    l->h[i * word + n * lane] = jobs[n]->h[i];
                l->data[n] = jobs[n]->data;
            }
            if (jobs[n]) {
                num_used++;
                num = jobs[n]->num < num ? jobs[n]->num : num;
                some = l->data[n];
            }
        }
        if (num_used < least)
            break;
        for (size_t n = 0; n < num_lanes; n++)
            if (!jobs[n])
                l->data[n] = some;
        run(l, num);
        for (size_t n = 0; n < num_lanes; n++) {
            struct job *job = jobs[n];

            if (!job)
                continue;
            l->data[n] += num * BLOCK_LEN;
            job->num -= num;
            if (job->num)
                continue;
            if (next_blocks(job)) {
                l->data[n] = job->data;
            } else {
                put_digest(job->item->digest, w->digest_len, l->h + n * lane, word);
                w->free[w->num_free++] = job;
                jobs[n] = NULL;
            }
        }
    }
    for (size_t n = 0; n < num_lanes; n++)
        if (jobs[n]) {
            leave_lane(l, jobs[n], n, word, lane);
            w->waiting[w->num_waiting++] = jobs[n];
        }
    wipe_lanes(l, num_lanes);
}

static __attribute__((__noinline__)) void hash_many(const struct HASH(impl) * impl, const struct lc_hash_item *items,
                                                    size_t num_items, size_t digest_len, const WORD iv[8])
{
    struct work w;
    struct job *job;

    w.items = items;
    w.num_items = num_items;
    w.digest_len = digest_len;
    w.iv = iv;
    w.num_waiting = w.num_free = w.num_jobs = 0;
    if (impl->lanes[0].run)
        run_equal(&w, impl->lanes[0].run, impl->lanes[0].num_lanes, impl->lanes[0].word_stride, impl->lanes[0].lane_stride);
    for (size_t i = 0; i < 2 && impl->lanes[i].run; i++)
        if (w.num_waiting + w.num_items >= impl->lanes[i].least)
            run_lanes(&w, impl->lanes[i].run, impl->lanes[i].num_lanes, impl->lanes[i].least, impl->lanes[i].word_stride,
                      impl->lanes[i].lane_stride);
    while ((job = take(&w))) {
        do
            impl->blocks(job->h, job->data, job->num);
        while (next_blocks(job));
        put_digest(job->item->digest, digest_len, job->h, 1);
        w.free[w.num_free++] = job;
    }
    lc_wipe(w.jobs, w.num_jobs * sizeof(w.jobs[0]));
}

static int many(const char *name, const struct lc_hash_item *items, size_t num_items, size_t digest_len, const WORD iv[8])
{
    const struct lc_impl *row;
    int status = lc_select(&HASH(mode), name, &row);

    if (status == LC_OK && num_items == 1)
        hash((const struct HASH(impl) *)row, items->digest, digest_len, items->msg, items->len, iv);
    else if (status == LC_OK)
        hash_many((const struct HASH(impl) *)row, items, num_items, digest_len, iv);
    return status;
}

/* ---- Parts of messages ---- */

static int parts_from(const struct lc_hash_part *parts, size_t num_parts, size_t num_blocks, size_t digest_len, const WORD iv[8])
{
    const struct HASH(impl) * impl;
    const struct lc_impl *row;
    struct HASH(lanes) l;
    size_t most = ROOM / 8;
    int status = lc_select(&HASH(mode), NULL, &row);

    if (status != LC_OK)
        return status;
    impl = (const struct HASH(impl) *)row;
    while (num_parts) {
        void (*run)(struct HASH(lanes) * l, size_t num) = NULL;
        size_t num_lanes = 1, word = 1, lane = 0, num;

        for (size_t k = 0; k < 2 && impl->lanes[k].run && !run; k++)
            if (num_parts >= impl->lanes[k].least) {
                run = impl->lanes[k].run;
                num_lanes = impl->lanes[k].num_lanes;
                word = impl->lanes[k].word_stride;
                lane = impl->lanes[k].lane_stride;
            }
        most = num_lanes > most ? num_lanes : most;
        num = num_lanes < num_parts ? num_lanes : num_parts;
        for (size_t n = 0; n < num_lanes; n++) { /* lanes without a part do the first one again */
            const struct lc_hash_part *part = &parts[n < num ? n : 0];
            const uint8_t *from = part->from ? part->from : (const uint8_t *)iv;

            if (word == 1)
                memcpy(l.h + n * lane, from, 8 * sizeof(WORD));
            for (size_t i = 0; word > 1 && i < 8; i++)
                memcpy(&l.h[i * word + n * lane], from + i * sizeof(WORD), sizeof(WORD));
            l.data[n] = part->data;
        }
        if (run)
            run(&l, num_blocks);
        else
            impl->blocks(l.h, parts->data, num_blocks);
        for (size_t n = 0; n < num; n++) {
            uint8_t *const to = parts[n].to;

            if (digest_len)
                put_digest(to, digest_len, l.h + n * lane, word);
            else if (word == 1)
                memcpy(to, l.h + n * lane, 8 * sizeof(WORD));
            else
                for (size_t i = 0; i < 8; i++)
                    memcpy(to + i * sizeof(WORD), &l.h[i * word + n * lane], sizeof(WORD));
        }
        parts += num;
        num_parts -= num;
    }
    wipe_lanes(&l, most);
    return LC_OK;
}

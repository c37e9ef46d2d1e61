/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the files of `lanecrypt speed` share: algorithms (speed_algs.c), cells and times (speed_cell.c), reports, AES rounds. */
#ifndef LANECRYPT_SPEED_H
#define LANECRYPT_SPEED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/bench.h"
#include "lanecrypt/aead.h"
#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/ctr.h"
#include "lanecrypt/gcm.h"
#include "lanecrypt/sha2.h"
#include "lanecrypt/sm3.h"
#include "lanecrypt/xts.h"

enum {
    NUM_MODES = 10,
    NUM_ALGS = 16,
    MAX_SIZES = 32,
    SPEED_IVS = 64,     /* a power of 2 */
    MAX_IMPLS = 16,
    CURVE_STEP = 16,    /* bytes between neighbours of a curve */
    CURVE_POINTS = 257, /* 0 .. 4096 bytes */
    CURVE_LIMIT = 48,   /* cycles that a step may cost before it's called a cliff */
    CURVE_STEPS = 5,    /* that many of the largest are reported */
};

/* ---- What can be timed ---- */

enum op { SEAL, OPEN, NUM_OPS };

struct cell_size {
    size_t len, batch; /* bytes of a message (XTS: a data unit), messages in a call */
};

union speed_key {
    struct lc_xts_key xts;
    struct lc_ctr_key ctr;
    struct lc_gcm_key gcm;
    struct lc_chacha20_key chacha20;
    struct lc_poly1305_state poly1305; /* as a message begins */
    struct lc_chacha20poly1305_key chacha20poly1305;
    struct lc_sha256_state sha256; /* these as messages begin, too */
    struct lc_sha384_state sha384;
    struct lc_sha512_state sha512;
    struct lc_sm3_state sm3;
};

/* One thing to time: what a call needs.  Ours and the peer's have the same form. */
enum who { OURS, THEIRS };

struct cell {
    const struct alg *alg;
    enum op op;
    struct cell_size size;
    struct lanecrypt_message m[THEIRS + 1]; /* of a batch the first one; m[OURS].key: union speed_key */
    lanecrypt_call *peer;                 /* NULL: none */
    /* Only for AEADs, and tags for MACs and hashes; cell_prepare() makes them. */
    uint8_t (*tags)[16]; /* to be written; for an AEAD's OPEN those of src, batch for each of several calls; a digest is several */
    struct lc_aead_item *items;
    struct lc_hash_item *messages;
    size_t num_tags;
};

/* One call.  False if it was refused. */
typedef bool cell_run(const struct cell *c, uint64_t number);

struct speed_mode {
    const char *name; /* the library's */
    const char *portable; /* its portable implementation */
    size_t min_len, max_len; /* of a message */
    const char *one_op; /* NULL, or if to open is to seal: what it does */
    int (*init)(union speed_key *key, const char *impl, const uint8_t *raw, size_t raw_len);
    bool (*prepare)(struct cell *c); /* NULL: nothing to do */
    lanecrypt_call *run[NUM_OPS];
    cell_run *run_batch[NUM_OPS]; /* NULL: there is no call for many messages */
    uint8_t (*ivs)[16]; /* SPEED_IVS of them, which calls have in turn */
    struct cell_size sizes[MAX_SIZES]; /* by default, up to the first of batch 0 */
};
extern const struct speed_mode speed_modes[NUM_MODES];

extern const struct alg {
    const char *name; /* EVP has it under the same name */
    const struct speed_mode *mode;
    size_t raw_len;
    enum bench_unit unit; /* what limits it, and for how many bytes of text one of it is enough */
    double bytes;
    bool by_default;
} speed_algs[NUM_ALGS];

/* Call this before any cell is prepared. */
void speed_make_ivs(void);

/* The peer's work for a call of many. */
cell_run speed_peer_batch;

/* "encryption" */
const char *op_title(const struct alg *alg, enum op op);

/* ---- Cells ---- */

/* Allocate and fill what a cell needs beyond its buffers.  False: no memory, or the implementation fails. */
bool cell_prepare(struct cell *c);
void cell_release(struct cell *c);

/* Is the result the peer's, or where there is none the portable implementation's?  If not, say so. */
bool cell_check(struct cell *c, const char *impl, const uint8_t *raw);

struct result {
    double ns, ns_median, cycles, ratio, peer_ns; /* of a call; cycles 0: unknown; ratio 0: no peer */
};

/* The same call by num implementations, and the first one's peer, in turn. */
void cells_time(const struct cell *cells, size_t num, bool cold, struct result *results);

/* Key setup, for both directions. */
void inits_time(const struct alg *alg, const char *const *impls, size_t num, const uint8_t *raw, struct result *results);

/*
 * Nanoseconds of a call for each of num cells, those of num / num_sizes implementations one after the other; *ghz is raised to the
 * best clock seen.
 */
void curves_time(const struct cell *cells, size_t num, size_t num_sizes, double *ns, double *ghz);

/* The value at this fraction of the num values, which are sorted. */
double quantile(double *values, int num, double fraction);

/* ---- A run: what was asked for, and what came out ---- */

struct plan { /* what is timed of a mode */
    const char *impls[MAX_IMPLS]; /* the chosen one first */
    size_t num_impls;
    struct cell_size sizes[MAX_SIZES];
    size_t num_sizes;
};

struct options {
    bool alg[NUM_ALGS], op[NUM_OPS], cold, curve, rounds;
    struct plan plans[NUM_MODES];
    const char *peer_path, *json_path, *html_path, *compare_path;
};

struct results {
    double units[BENCH_NUM_UNITS], ghz;
    struct result cells[NUM_ALGS][NUM_OPS][MAX_SIZES][MAX_IMPLS];
    struct result inits[NUM_ALGS][MAX_IMPLS];
    double curves[NUM_ALGS][NUM_OPS][MAX_IMPLS][CURVE_POINTS]; /* ns of a call; below the mode's min_len nothing */
};

static inline const struct plan *plan_of(const struct options *o, size_t alg)
{
    return &o->plans[speed_algs[alg].mode - speed_modes];
}

/* Is it timed?  Where to open is to seal, one of both is enough. */
static inline bool is_timed(const struct options *o, size_t alg, enum op op)
{
    return o->alg[alg] && o->op[op] && !(speed_algs[alg].mode->one_op && op == OPEN && o->op[SEAL]);
}

/* A curve's first point: modes that take no empty message begin later. */
static inline size_t first_point(const struct alg *alg)
{
    return (alg->mode->min_len + CURVE_STEP - 1) / CURVE_STEP;
}

/* ---- Reports ---- */

void print_header(double ghz, const struct lanecrypt_peer *peer);
void print_tables(const struct options *o, const struct results *r, const struct lanecrypt_peer *peer);
void print_curves(const struct options *o, const struct results *r);

/*
 * Open the files for the reports, so that one that can't be written is found before anything is measured; NULL: not wanted, "-":
 * standard output.  What is in them stays until a report is written.  Closing removes those that didn't exist and were not written.
 * compare_path: an earlier report, NULL or read here.
 */
bool open_reports(const char *json_path, const char *html_path, const char *compare_path);
void close_reports(void);

/* An object with the CPU, its clock, date and version. */
json_t *report_head(double ghz);

/*
 * A report to the files that are open, and beside the earlier one to standard output.  False if a file couldn't be written, or
 * something has become slower.  The first takes root over.
 */
bool write_json(json_t *root);
bool write_reports(const struct options *o, const struct results *r, const struct lanecrypt_peer *peer);

/* An earlier report, or NULL with a message.  Prints what has changed since; false if something is slower, or nothing in both. */
json_t *compare_open(const char *path);
bool compare_print(const char *path, json_t *old, const json_t *now);

/* ---- AES rounds: all that --alg aes-round does ---- */

/* json_path: where write_json() writes to, or NULL.  False if results differ, or as write_json() has it. */
bool speed_rounds(const char *json_path);

/* ---- Curves: all that --alg ecdsa-p256-sign and its like do ---- */

enum { NUM_CURVES = 5, MAX_CURVE_ALGS = 12 }; /* RSA counts as a curve. */

struct curve_options {
    bool alg[NUM_CURVES][MAX_CURVE_ALGS];
    size_t batch; /* 0: several */
    const char *impl; /* NULL: all */
    const char *peer_path, *json_path;
};

/* Adds that algorithm; false if there is none. */
bool speed_curves_choose(struct curve_options *o, const char *name);

/* Is any algorithm chosen?  Does one of them have that implementation, and does it run here? */
bool speed_curves_any(const struct curve_options *o);
bool speed_curves_have(const struct curve_options *o, const char *impl);

/* False if results are wrong or can't be written. */
bool speed_curves(const struct curve_options *o);

#endif

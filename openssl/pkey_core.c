/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Public keys: the core's keys, made of the numbers that the default provider gives by their public names; and their operations. */
#include <openssl/params.h>

#include "../src/rsa_internal.h"
#include "pkey.h"

enum { MAX_POINT_LEN = 133, MAX_NUMBER_LEN = 66 }; /* P-521's */

/* ---- Numbers of a key ---- */

static bool get_key_params(const struct lcp_key *key, OSSL_PARAM params[])
{
    return LCP_DEFAULT(key->table, keymgmt_get_params, OSSL_FUNC_KEYMGMT_GET_PARAMS)(key->key, params);
}

static OSSL_PARAM param(const char *name, unsigned type, void *data, size_t size)
{
    return (OSSL_PARAM){ name, type, data, size, OSSL_PARAM_UNMODIFIED };
}

static bool is_set(const OSSL_PARAM *p)
{
    return p->return_size != OSSL_PARAM_UNMODIFIED && p->return_size > 0;
}

/* OSSL_PARAM has numbers in the machine's order of bytes. */
static void to_big_endian(uint8_t *number, size_t len)
{
    const union {
        uint16_t number;
        uint8_t first;
    } order = { 1 };

    for (size_t i = 0; order.first && i < len / 2; i++) {
        uint8_t byte = number[i];

        number[i] = number[len - 1 - i];
        number[len - 1 - i] = byte;
    }
}

enum lcp_kind lcp_curve_by_name(const char *name)
{
    static const struct {
        const char *name;
        enum lcp_kind kind;
    } curves[] = { { "prime256v1", LCP_KIND_P256 },
                   { "P-256", LCP_KIND_P256 },
                   { "secp256r1", LCP_KIND_P256 },
                   { "secp384r1", LCP_KIND_P384 },
                   { "P-384", LCP_KIND_P384 } };

    for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++)
        if (strcmp(name, curves[i].name) == 0)
            return curves[i].kind;
    return LCP_KIND_NONE;
}

enum lcp_kind lcp_key_curve(const struct lcp_key *key)
{
    char group[80] = "", encoding[32] = "";
    OSSL_PARAM params[] = { param(OSSL_PKEY_PARAM_GROUP_NAME, OSSL_PARAM_UTF8_STRING, group, sizeof(group) - 1),
                            param(OSSL_PKEY_PARAM_EC_ENCODING, OSSL_PARAM_UTF8_STRING, encoding, sizeof(encoding) - 1),
                            OSSL_PARAM_END };

    if (!get_key_params(key, params) || (*encoding && strcmp(encoding, "named_curve") != 0))
        return LCP_KIND_NONE;
    return lcp_curve_by_name(group);
}

size_t lcp_key_public(const struct lcp_key *key, uint8_t *raw, size_t size)
{
    OSSL_PARAM params[] = { param(OSSL_PKEY_PARAM_PUB_KEY, OSSL_PARAM_OCTET_STRING, raw, size), OSSL_PARAM_END };

    return get_key_params(key, params) && is_set(params) ? params[0].return_size : 0;
}

/* ---- The core's keys ---- */

/* The portable implementations are slower than what libcrypto has. */
static bool is_welcome(const struct lcp_provider *prov, const char *impl)
{
    return prov->public_keys->with_portable || !lcp_is_portable(impl);
}

/*
 * The private key of a curve: what OpenSSL gives has as many bytes as the order.  More than that are zeros, and with less the
 * core's key isn't made; nor with none, which is what this answers if there is no such key.
 */
static size_t get_private_number(const struct lcp_key *key, uint8_t number[MAX_NUMBER_LEN], size_t key_len)
{
    OSSL_PARAM params[] = { param(OSSL_PKEY_PARAM_PRIV_KEY, OSSL_PARAM_UNSIGNED_INTEGER, number, MAX_NUMBER_LEN), OSSL_PARAM_END };
    uint8_t more = 0;
    size_t len, skip;

    if (!get_key_params(key, params) || !is_set(params))
        return 0;
    len = params[0].return_size;
    to_big_endian(number, len);
    skip = len > key_len ? len - key_len : 0;
    for (size_t i = 0; i < skip; i++)
        more |= number[i];
    memmove(number, number + skip, len - skip);
    return more ? 0 : len - skip;
}

static enum lcp_kind make_ec(struct lcp_core *c, const struct lcp_key *key)
{
    uint8_t point[MAX_POINT_LEN], number[MAX_NUMBER_LEN];
    enum lcp_kind kind = lcp_key_curve(key);
    size_t len;
    int status;
    const char *impl = NULL;

    if (kind == LCP_KIND_NONE)
        return LCP_KIND_NONE;
    if (c->use == LCP_VERIFY) {
        len = lcp_key_public(key, point, sizeof(point));
        if (kind == LCP_KIND_P256) {
            status = lc_ecdsa_p256_public_init(&c->u.p256_public, point, len);
            if (status == LC_OK)
                impl = lc_ecdsa_p256_public_impl_name(&c->u.p256_public);
        } else {
            status = lc_ecdsa_p384_public_init(&c->u.p384_public, point, len);
            if (status == LC_OK)
                impl = lc_ecdsa_p384_public_impl_name(&c->u.p384_public);
        }
        return impl && is_welcome(key->prov, impl) ? kind : LCP_KIND_NONE;
    }

    len = get_private_number(key, number, kind == LCP_KIND_P256 ? 32 : 48);
    if (kind == LCP_KIND_P256 && c->use == LCP_SIGN) {
        if (lc_ecdsa_p256_init(&c->u.p256, number, len) == LC_OK)
            impl = lc_ecdsa_p256_impl_name(&c->u.p256);
    } else if (kind == LCP_KIND_P256) {
        if (lc_ecdh_p256_init(&c->u.p256_dh, number, len) == LC_OK)
            impl = lc_ecdh_p256_impl_name(&c->u.p256_dh);
    } else if (c->use == LCP_SIGN) {
        if (lc_ecdsa_p384_init(&c->u.p384, number, len) == LC_OK)
            impl = lc_ecdsa_p384_impl_name(&c->u.p384);
    } else {
        if (lc_ecdh_p384_init(&c->u.p384_dh, number, len) == LC_OK)
            impl = lc_ecdh_p384_impl_name(&c->u.p384_dh);
    }
    lc_wipe(number, sizeof(number));
    return impl && is_welcome(key->prov, impl) ? kind : LCP_KIND_NONE;
}

/* The public key is part of what is signed, as it was given: it needn't belong to the private one. */
static enum lcp_kind make_sm2(struct lcp_core *c, const struct lcp_key *key)
{
    uint8_t point[MAX_POINT_LEN], number[MAX_NUMBER_LEN];
    struct lcp_sm2 *sm2 = &c->u.sm2;
    const char *impl = NULL;
    size_t len = lcp_key_public(key, point, sizeof(point));

    if (len > sizeof(sm2->raw) || lc_sm2_z(sm2->empty_z, point, len, NULL, 0) != LC_OK ||
        lc_sm2_z(sm2->usual_z, point, len, (const uint8_t *)LC_SM2_DEFAULT_ID, strlen(LC_SM2_DEFAULT_ID)) != LC_OK)
        return LCP_KIND_NONE;
    memcpy(sm2->raw, point, len);
    sm2->raw_len = len;
    if (c->use == LCP_VERIFY) {
        if (lc_sm2_public_init(&sm2->key.public_key, point, len) == LC_OK)
            impl = lc_sm2_public_impl_name(&sm2->key.public_key);
    } else {
        len = get_private_number(key, number, 32);
        if (lc_sm2_init(&sm2->key.private_key, number, len) == LC_OK)
            impl = lc_sm2_impl_name(&sm2->key.private_key);
        lc_wipe(number, sizeof(number));
    }
    return impl && is_welcome(key->prov, impl) ? LCP_KIND_SM2 : LCP_KIND_NONE;
}

static enum lcp_kind make_x25519(struct lcp_core *c, const struct lcp_key *key)
{
    uint8_t private_key[LC_X25519_LEN];
    OSSL_PARAM params[] = { param(OSSL_PKEY_PARAM_PRIV_KEY, OSSL_PARAM_OCTET_STRING, private_key, sizeof(private_key)),
                            OSSL_PARAM_END };
    bool ok = get_key_params(key, params) && is_set(params) &&
              lc_x25519_init(&c->u.x25519, private_key, params[0].return_size) == LC_OK &&
              is_welcome(key->prov, lc_x25519_impl_name(&c->u.x25519));

    lc_wipe(private_key, sizeof(private_key));
    return ok ? LCP_KIND_X25519 : LCP_KIND_NONE;
}

static enum lcp_kind make_ed25519(struct lcp_core *c, const struct lcp_key *key)
{
    uint8_t private_key[LC_ED25519_KEY_LEN], public_key[LC_ED25519_KEY_LEN], own[LC_ED25519_KEY_LEN];
    OSSL_PARAM params[] = { param(OSSL_PKEY_PARAM_PRIV_KEY, OSSL_PARAM_OCTET_STRING, private_key, sizeof(private_key)),
                            OSSL_PARAM_END };
    bool ok = lcp_key_public(key, public_key, sizeof(public_key)) == sizeof(public_key);

    if (c->use == LCP_VERIFY)
        return ok && lc_ed25519_public_init(&c->u.ed25519_public, public_key, sizeof(public_key)) == LC_OK &&
                       is_welcome(key->prov, lc_ed25519_public_impl_name(&c->u.ed25519_public))
                   ? LCP_KIND_ED25519
                   : LCP_KIND_NONE;
    ok = ok && get_key_params(key, params) && is_set(params) &&
         lc_ed25519_init(&c->u.ed25519, private_key, params[0].return_size) == LC_OK &&
         is_welcome(key->prov, lc_ed25519_impl_name(&c->u.ed25519));
    lc_wipe(private_key, sizeof(private_key));
    if (!ok)
        return LCP_KIND_NONE;
    /* The default provider signs with the public key that it was given, whether it belongs to the private one or not. */
    lc_ed25519_get_public(&c->u.ed25519, own);
    return memcmp(own, public_key, sizeof(own)) == 0 ? LCP_KIND_ED25519 : LCP_KIND_NONE;
}

static enum lcp_kind make_rsa(struct lcp_core *c, const struct lcp_key *key)
{
    enum { N, E, P, Q, DP, DQ, Q_INVERSE, NUM };
    static const char *const names[NUM] = {
        OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,         OSSL_PKEY_PARAM_RSA_FACTOR1,     OSSL_PKEY_PARAM_RSA_FACTOR2,
        OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1
    };
    uint8_t number[NUM][LC_RSA_MAX_LEN], third[LC_RSA_MAX_LEN];
    OSSL_PARAM params[NUM + 2];
    int bits = 0;
    OSSL_PARAM length[] = { param(OSSL_PKEY_PARAM_BITS, OSSL_PARAM_INTEGER, &bits, sizeof(bits)), OSSL_PARAM_END };
    struct lc_rsa_numbers numbers;
    bool ok;

    if (c->use != LCP_SIGN) /* one verification is as fast there */
        return LCP_KIND_NONE;
    /* Numbers that don't fit would leave an error in the program's queue. */
    if (!get_key_params(key, length) || (bits != 2048 && bits != 3072 && bits != 4096))
        return LCP_KIND_NONE;
    for (size_t i = 0; i < NUM; i++)
        params[i] = param(names[i], OSSL_PARAM_UNSIGNED_INTEGER, number[i], LC_RSA_MAX_LEN);
    params[NUM] = param(OSSL_PKEY_PARAM_RSA_FACTOR3, OSSL_PARAM_UNSIGNED_INTEGER, third, LC_RSA_MAX_LEN);
    params[NUM + 1] = param(NULL, 0, NULL, 0);
    ok = get_key_params(key, params) && !is_set(&params[NUM]);
    for (size_t i = 0; i < NUM; i++) {
        ok = ok && is_set(&params[i]);
        if (ok)
            to_big_endian(number[i], params[i].return_size);
    }
    if (ok) {
        numbers = (struct lc_rsa_numbers){
            .n = number[N],
            .e = number[E],
            .p = number[P],
            .q = number[Q],
            .dp = number[DP],
            .dq = number[DQ],
            .q_inverse = number[Q_INVERSE],
            .n_len = params[N].return_size,
            .e_len = params[E].return_size,
            .p_len = params[P].return_size,
            .q_len = params[Q].return_size,
            .dp_len = params[DP].return_size,
            .dq_len = params[DQ].return_size,
            .q_inverse_len = params[Q_INVERSE].return_size
        };
        ok = lc_rsa_init(&c->u.rsa, &numbers) == LC_OK && is_welcome(key->prov, lc_rsa_impl_name(&c->u.rsa));
    }
    lc_wipe(number, sizeof(number));
    lc_wipe(third, sizeof(third));
    if (!ok)
        return LCP_KIND_NONE;
    c->bits = (unsigned)lc_rsa_len(&c->u.rsa) * 8;
    return LCP_KIND_RSA;
}

/* Does it do several at once, at a time in which it does one?  Of those that are worth it for threads, see enough(). */
static bool has_lanes(const struct lcp_core *c)
{
    const char *impl =
        c->use == LCP_VERIFY         ? ""
        : c->kind == LCP_KIND_RSA    ? lc_rsa_impl_name(&c->u.rsa)
        : c->use != LCP_DERIVE       ? ""
        : c->kind == LCP_KIND_P256   ? lc_ecdh_p256_impl_name(&c->u.p256_dh)
        : c->kind == LCP_KIND_P384   ? lc_ecdh_p384_impl_name(&c->u.p384_dh)
        : c->kind == LCP_KIND_X25519 ? lc_x25519_impl_name(&c->u.x25519)
                                     : "";

    return strstr(impl, "-avx512ifma") != NULL;
}

struct making {
    struct lcp_core *core;
    const struct lcp_key *key;
};

static void make(void *arg)
{
    const struct making *m = arg;
    struct lcp_core *c = m->core;

    if (m->key->table == &lcp_key_ec)
        c->kind = make_ec(c, m->key);
    else if (m->key->table == &lcp_key_x25519)
        c->kind = make_x25519(c, m->key);
    else if (m->key->table == &lcp_key_ed25519)
        c->kind = make_ed25519(c, m->key);
    else if (m->key->table == &lcp_key_sm2)
        c->kind = make_sm2(c, m->key);
    else if (m->key->table == &lcp_key_rsa)
        c->kind = make_rsa(c, m->key);
    if (c->kind == LCP_KIND_NONE)
        lc_wipe(&c->u, c->len - offsetof(struct lcp_core, u));
    c->is_combined = m->key->prov->public_keys->with_threads && has_lanes(c);
}

/* One of X25519 lives for one handshake, and RSA's numbers take 18 times the room of any other key. */
static size_t core_len(const struct lcp_key *key)
{
    enum { CURVES_LEN = offsetof(struct lcp_core, u) + sizeof(struct lcp_sm2) };

#define FITS(member) (sizeof(((struct lcp_core *)0)->u.member) <= sizeof(struct lcp_sm2))
    _Static_assert(FITS(p256) && FITS(p256_public) && FITS(p256_dh) && FITS(p384) && FITS(p384_public) && FITS(p384_dh) &&
                       FITS(x25519) && FITS(ed25519) && FITS(ed25519_public),
                   "SM2's is the largest after RSA's");
#undef FITS
    return key->table == &lcp_key_rsa ? sizeof(struct lcp_core) : CURVES_LEN;
}

struct lcp_core *lcp_core_get(struct lcp_key *key, enum lcp_use use)
{
    struct lcp_core *core = atomic_load_explicit(&key->core[use], memory_order_acquire);

    if (!core) {
        struct lcp_core *other = NULL;
        const size_t len = core_len(key);
        struct making m = { calloc(1, len), key };

        if (!m.core)
            return NULL;
        core = m.core;
        atomic_init(&core->refs, 1);
        core->use = use;
        core->len = len;
        if (!lcp_on_stack(make, &m)) {
            lcp_core_free(core);
            return NULL;
        }
        if (!atomic_compare_exchange_strong_explicit(&key->core[use], &other, core, memory_order_acq_rel, memory_order_acquire)) {
            lcp_core_free(core); /* another thread was faster */
            core = other;
        }
    }
    if (core->kind == LCP_KIND_NONE)
        return NULL;
    atomic_fetch_add_explicit(&core->refs, 1, memory_order_relaxed);
    return core;
}

void lcp_core_free(struct lcp_core *core)
{
    if (!core || atomic_fetch_sub_explicit(&core->refs, 1, memory_order_acq_rel) != 1)
        return;
    lcp_free(core, core->len);
}

void lcp_core_forget(struct lcp_key *key)
{
    for (size_t i = 0; i < LCP_NUM_USES; i++)
        lcp_core_free(atomic_exchange_explicit(&key->core[i], NULL, memory_order_acq_rel));
}

/* ---- New keys ---- */

struct generating {
    const struct lcp_provider *prov;
    struct lcp_pair *pair;
    bool ok;
};

static void make_pair(void *arg)
{
    struct generating *g = arg;
    struct lcp_pair *pair = g->pair;
    union {
        struct lc_ecdh_p384_key p384;
        struct lc_sm2_key sm2;
        struct lc_x25519_key x25519;
    } key;
    const char *impl = NULL;

    pair->private_len = pair->kind == LCP_KIND_P384 ? 48 : 32;
    pair->public_len = pair->kind == LCP_KIND_X25519 ? 32 : 2 * pair->private_len + 1;
    for (int tries = 0; tries < 16 && !impl; tries++) { /* of numbers of that many bits, one of 2^32 is the order or more */
        if (lcp_libcrypto.RAND_priv_bytes_ex(g->prov->public_keys->libctx, pair->private_key, pair->private_len, 0) != 1)
            break;
        if (pair->kind == LCP_KIND_X25519) { /* these bits don't count, but the default provider's keys have them so */
            pair->private_key[0] &= 0xf8;
            pair->private_key[31] = (uint8_t)((pair->private_key[31] & 0x3f) | 0x40);
        }
        if (pair->kind == LCP_KIND_P384 && lc_ecdh_p384_init(&key.p384, pair->private_key, 48) == LC_OK)
            impl = lc_ecdh_p384_impl_name(&key.p384);
        else if (pair->kind == LCP_KIND_SM2 && lc_sm2_init(&key.sm2, pair->private_key, 32) == LC_OK)
            impl = lc_sm2_impl_name(&key.sm2);
        else if (pair->kind == LCP_KIND_X25519 && lc_x25519_init(&key.x25519, pair->private_key, 32) == LC_OK)
            impl = lc_x25519_impl_name(&key.x25519);
    }
    g->ok = impl && is_welcome(g->prov, impl);
    if (g->ok && pair->kind == LCP_KIND_P384)
        lc_ecdh_p384_get_public(&key.p384, pair->public_key);
    else if (g->ok && pair->kind == LCP_KIND_SM2)
        lc_sm2_get_public(&key.sm2, pair->public_key);
    else if (g->ok)
        lc_x25519_get_public(&key.x25519, pair->public_key);
    lc_wipe(&key, sizeof(key));
    if (pair->kind != LCP_KIND_X25519)
        to_big_endian(pair->private_key, pair->private_len); /* and back is the same */
}

bool lcp_generate(const struct lcp_provider *prov, struct lcp_pair *pair)
{
    struct generating g = { prov, pair, false };

    return lcp_on_stack(make_pair, &g) && g.ok;
}

/* ---- Operations ---- */

/*
 * One signature by RSA: in 512-bit vectors it lies across the lanes.  Otherwise the core does several at once, whether they are
 * needed or not, and OpenSSL is as fast with one of 2048 bits, and of more since 3.1.
 */
bool lcp_alone_pays(const struct lcp_core *core)
{
    return core->kind != LCP_KIND_RSA || strcmp(lc_rsa_impl_name(&core->u.rsa), "rsa-avx512ifma-512") == 0 ||
           (core->bits > 2048 && lcp_libcrypto.OPENSSL_version_major() == 3 && lcp_libcrypto.OPENSSL_version_minor() == 0);
}

struct lcp_core *lcp_core_for(struct lcp_key *key, enum lcp_use use)
{
    struct lcp_core *core = lcp_core_get(key, use);

    if (core && !core->is_combined && !lcp_alone_pays(core) && !lcp_can_wait()) {
        lcp_core_free(core);
        return NULL;
    }
    return core;
}

enum lcp_op lcp_rsa_op(const struct lcp_core *core, enum lcp_op first)
{
    return first + (core->bits - 2048) / 1024;
}

#define RUN_MANY(type, many, ...)                                                                                                  \
    {                                                                                                                              \
        struct type items[LCP_BATCH];                                                                                              \
        for (size_t i = 0; i < num; i++)                                                                                           \
            items[i] = (struct type){ __VA_ARGS__ };                                                                               \
        int status = many(items, num); /* each has its own, too */                                                                 \
        (void)status;                                                                                                              \
        for (size_t i = 0; i < num; i++)                                                                                           \
            jobs[i]->status = items[i].status;                                                                                     \
        break;                                                                                                                     \
    }

void lcp_run_jobs(struct lcp_job *const jobs[], size_t num)
{
    switch (jobs[0]->op) {
    case LCP_OP_P256_SIGN:
        RUN_MANY(lc_ecdsa_p256_sign_item, lc_ecdsa_p256_sign_many, .key = &jobs[i]->core->u.p256, .sig = jobs[i]->out,
                 .digest = jobs[i]->in, .digest_len = jobs[i]->in_len)
    case LCP_OP_P384_SIGN:
        RUN_MANY(lc_ecdsa_p384_sign_item, lc_ecdsa_p384_sign_many, .key = &jobs[i]->core->u.p384, .sig = jobs[i]->out,
                 .digest = jobs[i]->in, .digest_len = jobs[i]->in_len)
    case LCP_OP_ED25519_SIGN:
        RUN_MANY(lc_ed25519_sign_item, lc_ed25519_sign_many, .key = &jobs[i]->core->u.ed25519, .sig = jobs[i]->out,
                 .msg = jobs[i]->message ? jobs[i]->message : jobs[i]->in, .len = jobs[i]->in_len)
    case LCP_OP_SM2_SIGN:
        RUN_MANY(lc_sm2_sign_item, lc_sm2_sign_many, .key = &jobs[i]->core->u.sm2.key.private_key, .sig = jobs[i]->out,
                 .digest = jobs[i]->in)
    case LCP_OP_P256_DH:
        RUN_MANY(lc_ecdh_p256_item, lc_ecdh_p256_many, .key = &jobs[i]->core->u.p256_dh, .secret = jobs[i]->out,
                 .peer = jobs[i]->in, .peer_len = jobs[i]->in_len)
    case LCP_OP_P384_DH:
        RUN_MANY(lc_ecdh_p384_item, lc_ecdh_p384_many, .key = &jobs[i]->core->u.p384_dh, .secret = jobs[i]->out,
                 .peer = jobs[i]->in, .peer_len = jobs[i]->in_len)
    case LCP_OP_X25519:
        RUN_MANY(lc_x25519_item, lc_x25519_many, .key = &jobs[i]->core->u.x25519, .secret = jobs[i]->out, .peer = jobs[i]->in)
    case LCP_OP_RSA_PKCS1_2048:
    case LCP_OP_RSA_PKCS1_3072:
    case LCP_OP_RSA_PKCS1_4096:
        RUN_MANY(lc_rsa_sign_item, lc_rsa_pkcs1_sign_many, .key = &jobs[i]->core->u.rsa, .sig = jobs[i]->out, .hash = jobs[i]->hash,
                 .digest = jobs[i]->in)
    case LCP_OP_RSA_PSS_2048:
    case LCP_OP_RSA_PSS_3072:
    case LCP_OP_RSA_PSS_4096:
        RUN_MANY(lc_rsa_sign_item, lc_rsa_pss_sign_many, .key = &jobs[i]->core->u.rsa, .sig = jobs[i]->out, .hash = jobs[i]->hash,
                 .digest = jobs[i]->in)
    case LCP_OP_RSA_PRIVATE_2048:
    case LCP_OP_RSA_PRIVATE_3072:
    case LCP_OP_RSA_PRIVATE_4096:
        RUN_MANY(lc_rsa_private_item, lc_rsa_private_many, .key = &jobs[i]->core->u.rsa, .out = jobs[i]->out, .in = jobs[i]->in)
    case LCP_NUM_OPS: break;
    }
}

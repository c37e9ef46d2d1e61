/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Public keys: types for keys, and calls for many operations.  Such a call first takes what it needs into `struct operation`s, then
 * computes while other threads run, and makes the results' objects at last.
 *
 * Signatures and public keys that are arguments are copied, but for RSA's signatures.  Of these, of digests and messages the
 * buffers are held.  If they change meanwhile, the library sees one content or the other: it reads a digest that it signs once, and
 * makes no signature if a message of Ed25519 changes.
 */
#include "module.h"

#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/pem.h"
#include "lanecrypt/rsa.h"
#include "lanecrypt/x25519.h"

/* ---- Keys ---- */

struct key_kind {
    const char *name, *form; /* form: what its bytes are, for a message */
    int (*init)(void *key, const uint8_t *raw, size_t raw_len);
    const char *(*impl_name)(const void *key);
    void (*wipe)(void *key);                           /* NULL: it has no secrets */
    void (*get_public)(const void *key, uint8_t *raw); /* of a private key */
    size_t public_len;
};

struct key {
    PyObject_HEAD const struct key_kind *kind; /* NULL: there is no key in it */
    uint64_t memory[];
};

/* One key for both, as the package cryptography has it; `signing` comes first, so a pointer to it is one to all. */
struct p256_private {
    struct lc_ecdsa_p256_key signing;
    struct lc_ecdh_p256_key exchange;
};

struct p384_private {
    struct lc_ecdsa_p384_key signing;
    struct lc_ecdh_p384_key exchange;
};

/* The library's functions for keys, with pointers to any kind of key */
#define PUBLIC_KEY(kind, init_function, impl_name_function)                                                                        \
    static int kind##_init(void *key, const uint8_t *raw, size_t raw_len)                                                          \
    {                                                                                                                              \
        return init_function(key, raw, raw_len);                                                                                   \
    }                                                                                                                              \
    static const char *kind##_impl_name(const void *key)                                                                           \
    {                                                                                                                              \
        return impl_name_function(key);                                                                                            \
    }
#define PRIVATE_KEY(kind, init_function, wipe_function, prefix)                                                                    \
    PUBLIC_KEY(kind, init_function, prefix##_impl_name)                                                                            \
    static void kind##_wipe(void *key)                                                                                             \
    {                                                                                                                              \
        wipe_function(key);                                                                                                        \
    }                                                                                                                              \
    static void kind##_get_public(const void *key, uint8_t *raw)                                                                   \
    {                                                                                                                              \
        prefix##_get_public(key, raw);                                                                                             \
    }
#define CURVE(curve)                                                                                                               \
    static int init_##curve(struct curve##_private *key, const uint8_t *raw, size_t raw_len)                                       \
    {                                                                                                                              \
        int status = lc_ecdsa_##curve##_init(&key->signing, raw, raw_len);                                                         \
                                                                                                                                   \
        return status == LC_OK ? lc_ecdh_##curve##_init(&key->exchange, raw, raw_len) : status;                                    \
    }                                                                                                                              \
    static void wipe_##curve(struct curve##_private *key)                                                                          \
    {                                                                                                                              \
        lc_ecdsa_##curve##_wipe(&key->signing);                                                                                    \
        lc_ecdh_##curve##_wipe(&key->exchange);                                                                                    \
    }                                                                                                                              \
    PRIVATE_KEY(curve##_private, init_##curve, wipe_##curve, lc_ecdsa_##curve)                                                     \
    PUBLIC_KEY(curve##_public, lc_ecdsa_##curve##_public_init, lc_ecdsa_##curve##_public_impl_name)
CURVE(p256)
CURVE(p384)
PRIVATE_KEY(ed25519_private, lc_ed25519_init, lc_ed25519_wipe, lc_ed25519)
PUBLIC_KEY(ed25519_public, lc_ed25519_public_init, lc_ed25519_public_impl_name)
PRIVATE_KEY(x25519_private, lc_x25519_init, lc_x25519_wipe, lc_x25519)
PUBLIC_KEY(rsa_public, lc_rsa_public_init_der, lc_rsa_public_impl_name)
#undef PUBLIC_KEY
#undef PRIVATE_KEY
#undef CURVE

enum {
    P256_PRIVATE,
    P256_PUBLIC,
    P384_PRIVATE,
    P384_PUBLIC,
    ED25519_PRIVATE,
    ED25519_PUBLIC,
    X25519_PRIVATE,
    RSA_PUBLIC,
    NUM_KINDS
};

#define FUNCTIONS(kind) kind##_init, kind##_impl_name
#define PRIVATE_FUNCTIONS(kind) FUNCTIONS(kind), kind##_wipe, kind##_get_public
static const struct key_kind kinds[NUM_KINDS] = {
    [P256_PRIVATE] = { "P256PrivateKey", "32 bytes", PRIVATE_FUNCTIONS(p256_private), 65 },
    [P256_PUBLIC] = { "P256PublicKey", "65 or 33 bytes", FUNCTIONS(p256_public) },
    [P384_PRIVATE] = { "P384PrivateKey", "48 bytes", PRIVATE_FUNCTIONS(p384_private), 97 },
    [P384_PUBLIC] = { "P384PublicKey", "97 or 49 bytes", FUNCTIONS(p384_public) },
    [ED25519_PRIVATE] = { "Ed25519PrivateKey", "32 bytes", PRIVATE_FUNCTIONS(ed25519_private), 32 },
    [ED25519_PUBLIC] = { "Ed25519PublicKey", "32 bytes", FUNCTIONS(ed25519_public) },
    [X25519_PRIVATE] = { "X25519PrivateKey", "32 bytes", PRIVATE_FUNCTIONS(x25519_private), 32 },
    [RSA_PUBLIC] = { "RSAPublicKey", "a modulus of 2048, 3072 or 4096 bits", FUNCTIONS(rsa_public) },
};
static PyTypeObject *types[NUM_KINDS]; /* the module is never unloaded */

static PyObject *make_key(int kind, const uint8_t *raw, size_t raw_len)
{
    PyTypeObject *type = types[kind];
    struct key *self = ((struct key * (*)(PyTypeObject *, Py_ssize_t)) PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    int status;

    if (!self)
        return NULL;
    self->kind = &kinds[kind];
    status = self->kind->init(self->memory, raw, raw_len);
    if (status == LC_OK)
        return (PyObject *)self;
    Py_DECREF(self);
    return status == LC_ERR_KEY_LEN ? PyErr_Format(PyExc_ValueError, "a %s has %s", kinds[kind].name, kinds[kind].form)
                                    : raise_status(status);
}

static PyObject *new_key(int kind, PyObject *args, PyObject *kwargs)
{
    static char *names[] = { "data", NULL };
    PyObject *object, *key;
    struct bytes raw;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &object) || !get_bytes(&raw, object, "data"))
        return NULL;
    key = make_key(kind, raw.p, raw.len);
    put_bytes(&raw);
    return key;
}

static void free_key(PyObject *object)
{
    struct key *self = (struct key *)object;

    if (self->kind && self->kind->wipe)
        self->kind->wipe(self->memory);
    free_object(object);
}

static PyObject *key_implementation(PyObject *object, void *closure)
{
    const struct key *self = (const struct key *)object;

    (void)closure;
    return PyUnicode_FromString(self->kind->impl_name(self->memory));
}

static PyObject *public_bytes(PyObject *object, PyObject *unused)
{
    const struct key *self = (const struct key *)object;
    uint8_t raw[97];

    (void)unused;
    self->kind->get_public(self->memory, raw);
    return PyBytes_FromStringAndSize((const char *)raw, (Py_ssize_t)self->kind->public_len);
}

static PyObject *rsa_from_pem(PyObject *unused, PyObject *object)
{
    static const char *const labels[] = { "PUBLIC KEY", "RSA PUBLIC KEY" };
    PyObject *key = NULL;
    struct bytes text;
    uint8_t *der;
    size_t der_len;
    int status = LC_ERR_KEY;

    (void)unused;
    if (!get_bytes(&text, object, "data"))
        return NULL;
    der = PyMem_Malloc(text.len / 4 * 3 + 1);
    if (!der) {
        PyErr_NoMemory();
        goto end;
    }
    for (size_t i = 0; i < 2 && status != LC_OK; i++)
        status = lc_pem_decode(der, &der_len, labels[i], (const char *)text.p, text.len);
    if (status == LC_OK)
        key = make_key(RSA_PUBLIC, der, der_len);
    else
        PyErr_SetString(PyExc_ValueError, "there is no PEM of a PUBLIC KEY or an RSA PUBLIC KEY, or it isn't as it should be");
end:
    PyMem_Free(der);
    put_bytes(&text);
    return key;
}

/* ---- Many operations ---- */

/* One of a call: a signature, a verification, a key exchange */
struct operation {
    const void *key;
    const uint8_t *in, *data; /* in: a signature or a public key; data: what is signed */
    size_t in_len, len, salt_len;
    int status;       /* LC_OK until it's known to fail */
    uint8_t copy[97]; /* of in */
    uint8_t out[96];
};

/* What a call does.  Arguments: keys; `in`, signatures or peers, and `data`, digests or messages, unless these are NULL; der. */
struct call {
    const char *function, *in, *data;
    int kind;                /* of its keys */
    size_t in_len;           /* of signatures and peers; others fail.  0: the library says which */
    size_t min_len, max_len; /* of data */
    size_t out_len;          /* of a result; 0: it's true or false */
    /* Of signatures that are made, or that are verified.  Both NULL: there is no argument der. */
    size_t (*to_der)(uint8_t *der, const uint8_t *sig);
    int (*from_der)(uint8_t *sig, const uint8_t *der, size_t der_len);
    void (*run)(struct operation *operations, size_t num, void *room);
    size_t item_len; /* of room for one */
};

/* Those that haven't failed yet, by a function of the library, whose items have these members */
#define RUN(name, item, function, ...)                                                                                             \
    static void name(struct operation *operations, size_t num, void *room)                                                         \
    {                                                                                                                              \
        struct item *items = room;                                                                                                 \
        size_t done = 0, num_items = 0;                                                                                            \
        int status;                                                                                                                \
                                                                                                                                   \
        for (size_t i = 0; i < num; i++) {                                                                                         \
            struct operation *o = &operations[i];                                                                                  \
                                                                                                                                   \
            if (o->status == LC_OK)                                                                                                \
                items[num_items++] = (struct item){ .key = o->key, __VA_ARGS__ };                                                  \
        }                                                                                                                          \
        status = function(items, num_items);                                                                                       \
        (void)status; /* each item has its own */                                                                                  \
        for (size_t i = 0; i < num; i++)                                                                                           \
            if (operations[i].status == LC_OK)                                                                                     \
                operations[i].status = items[done++].status;                                                                       \
    }
#define CURVE(curve)                                                                                                               \
    RUN(curve##_sign, lc_ecdsa_##curve##_sign_item, lc_ecdsa_##curve##_sign_many, .sig = o->out, .digest = o->data,                \
        .digest_len = o->len)                                                                                                      \
    RUN(curve##_verify, lc_ecdsa_##curve##_verify_item, lc_ecdsa_##curve##_verify_many, .sig = o->in, .digest = o->data,           \
        .digest_len = o->len)                                                                                                      \
    RUN(curve##_exchange, lc_ecdh_##curve##_item, lc_ecdh_##curve##_many, .secret = o->out, .peer = o->in, .peer_len = o->in_len)
CURVE(p256)
CURVE(p384)
RUN(ed25519_sign, lc_ed25519_sign_item, lc_ed25519_sign_many, .sig = o->out, .msg = o->data, .len = o->len)
RUN(ed25519_verify, lc_ed25519_verify_item, lc_ed25519_verify_many, .sig = o->in, .msg = o->data, .len = o->len)
RUN(x25519_exchange, lc_x25519_item, lc_x25519_many, .secret = o->out, .peer = o->in)

static enum lc_rsa_hash hash_of(size_t digest_len)
{
    return digest_len == 32 ? LC_RSA_SHA256 : digest_len == 48 ? LC_RSA_SHA384 : LC_RSA_SHA512;
}
RUN(rsa_pkcs1_verify, lc_rsa_verify_item, lc_rsa_pkcs1_verify_many, .sig = o->in, .sig_len = o->in_len, .hash = hash_of(o->len),
    .digest = o->data)
RUN(rsa_pss_verify, lc_rsa_verify_item, lc_rsa_pss_verify_many, .sig = o->in, .sig_len = o->in_len, .hash = hash_of(o->len),
    .digest = o->data, .salt_len = o->salt_len)
#undef CURVE

/* What a call holds */
struct batch {
    size_t num, num_views;
    struct operation *operations;
    struct bytes *views;
    void *room;
    PyObject *keys, *in, *data; /* tuples, or NULL */
};

static void end_batch(struct batch *b)
{
    for (size_t i = 0; i < b->num_views; i++)
        put_bytes(&b->views[i]);
    if (b->operations)
        wipe_memory(b->operations, b->num * sizeof(*b->operations));
    PyMem_Free(b->operations);
    PyMem_Free(b->views);
    PyMem_Free(b->room);
    Py_XDECREF(b->keys);
    Py_XDECREF(b->in);
    Py_XDECREF(b->data);
}

/* The elements of an argument, b->num of them, which the first sequence says */
static PyObject *get_elements(struct batch *b, PyObject *object, const char *what, bool is_first)
{
    PyObject *elements = get_sequence(object, what);

    if (elements && is_first) {
        b->num = (size_t)PyTuple_Size(elements);
    } else if (elements && (size_t)PyTuple_Size(elements) != b->num) {
        PyErr_Format(PyExc_ValueError, "there are %zd %s, and have to be %zu", PyTuple_Size(elements), what, b->num);
        Py_CLEAR(elements);
    }
    return elements;
}

/* Each operation's key: one for all, or of a sequence */
static bool get_keys(struct batch *b, PyObject *object, int kind)
{
    if (Py_TYPE(object) != types[kind] && !(b->keys = get_elements(b, object, "keys", false)))
        return false;
    for (size_t i = 0; i < b->num; i++) {
        PyObject *key = b->keys ? PyTuple_GetItem(b->keys, (Py_ssize_t)i) : object;

        if (Py_TYPE(key) != types[kind]) {
            PyErr_Format(PyExc_TypeError, "keys must be a %s, or a sequence of them", kinds[kind].name);
            return false;
        }
        b->operations[i].key = ((const struct key *)key)->memory;
    }
    return true;
}

/* An operation's signature or peer.  One that can't be right is no error of the call. */
static bool get_in(struct batch *b, struct operation *o, PyObject *object, const struct call *call, bool der)
{
    struct bytes *in = &b->views[b->num_views];

    if (!get_bytes(in, object, call->in))
        return false;
    o->in = o->copy;
    o->in_len = in->len;
    if (der) {
        uint8_t copy[LC_ECDSA_P384_MAX_DER_LEN]; /* which doesn't change while it is parsed */

        o->status = LC_ERR_SIGNATURE;
        if (in->len <= sizeof(copy)) {
            memcpy(copy, in->p, in->len);
            o->status = call->from_der(o->copy, copy, in->len);
        }
    } else if (call->kind == RSA_PUBLIC) {
        o->in = in->p;
        b->num_views++;
        return true;
    } else if (in->len > sizeof(o->copy) || (call->in_len && in->len != call->in_len)) {
        o->status = LC_ERR_SIGNATURE;
    } else {
        memcpy(o->copy, in->p, in->len);
    }
    put_bytes(in);
    return true;
}

static bool get_data(struct batch *b, struct operation *o, PyObject *object, const struct call *call)
{
    struct bytes *data = &b->views[b->num_views];

    if (!get_bytes(data, object, call->data))
        return false;
    b->num_views++;
    o->data = data->p;
    o->len = data->len;
    if (call->kind == RSA_PUBLIC && data->len != 32 && data->len != 48 && data->len != 64) {
        PyErr_SetString(PyExc_ValueError, "a digest is of SHA-256, SHA-384 or SHA-512: 32, 48 or 64 bytes");
        return false;
    }
    if (data->len < call->min_len || data->len > call->max_len) {
        PyErr_Format(PyExc_ValueError, "a digest has %zu to %zu bytes", call->min_len, call->max_len);
        return false;
    }
    return true;
}

/* Has it failed in a way that is an error of the call? */
static bool is_error(const struct operation *o, const struct call *call)
{
    return o->status != LC_OK &&
           !(call->in && (o->status == LC_ERR_SIGNATURE || o->status == LC_ERR_KEY || o->status == LC_ERR_KEY_LEN));
}

/* What has come of one: True, False; bytes, or None for a peer with whom there is no secret */
static PyObject *get_result(const struct operation *o, const struct call *call, bool der)
{
    uint8_t encoded[LC_ECDSA_P384_MAX_DER_LEN];
    PyObject *result;

    if (!call->out_len) {
        result = o->status == LC_OK ? Py_True : Py_False;
        Py_INCREF(result);
        return result;
    }
    if (o->status != LC_OK) {
        Py_INCREF(Py_None);
        return Py_None;
    }
    if (der)
        return PyBytes_FromStringAndSize((const char *)encoded, (Py_ssize_t)call->to_der(encoded, o->out));
    return PyBytes_FromStringAndSize((const char *)o->out, (Py_ssize_t)call->out_len);
}

/* values: keys; signatures or peers; digests or messages.  salt_len: PY_SSIZE_T_MAX: as long as the digest */
static PyObject *many(const struct call *call, PyObject *const *values, bool der, size_t salt_len)
{
    struct batch b = { 0 };
    PyObject *list = NULL;
    PyThreadState *others;

    if ((call->in && !(b.in = get_elements(&b, values[1], call->in, true))) ||
        (call->data && !(b.data = get_elements(&b, values[2], call->data, !call->in))))
        goto end;
    b.operations = PyMem_Calloc(b.num + 1, sizeof(*b.operations));
    b.views = PyMem_Calloc(2 * b.num + 2, sizeof(*b.views));
    b.room = PyMem_Calloc(b.num + 1, call->item_len);
    if (!b.operations || !b.views || !b.room) {
        PyErr_NoMemory();
        goto end;
    }
    if (!get_keys(&b, values[0], call->kind))
        goto end;
    for (size_t i = 0; i < b.num; i++) {
        struct operation *o = &b.operations[i];

        if ((b.in && !get_in(&b, o, PyTuple_GetItem(b.in, (Py_ssize_t)i), call, der)) ||
            (b.data && !get_data(&b, o, PyTuple_GetItem(b.data, (Py_ssize_t)i), call)))
            goto end;
        o->salt_len = salt_len == PY_SSIZE_T_MAX ? o->len : salt_len;
    }
    others = PyEval_SaveThread();
    call->run(b.operations, b.num, b.room);
    PyEval_RestoreThread(others);
    /* Exceptions first: to make one may run the garbage collector, which would show others a list with nothing in it. */
    for (size_t i = 0; i < b.num; i++)
        if (is_error(&b.operations[i], call)) {
            raise_status(b.operations[i].status);
            goto end;
        }
    list = PyList_New((Py_ssize_t)b.num);
    for (size_t i = 0; list && i < b.num; i++) {
        PyObject *result = get_result(&b.operations[i], call, der);

        if (result)
            PyList_SetItem(list, (Py_ssize_t)i, result);
        else
            Py_CLEAR(list);
    }
end:
    end_batch(&b);
    return list;
}

/* The arguments of a call but RSA's */
static PyObject *call_many(const struct call *call, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)
{
    const char *names[4] = { "keys" };
    PyObject *values[4] = { NULL }, *ordered[3];
    Py_ssize_t needed = 1;
    int der = 0;

    if (call->in)
        names[needed++] = call->in;
    if (call->data)
        names[needed++] = call->data;
    names[needed] = "der";
    if (!get_arguments(call->function, names, needed, call->to_der || call->from_der ? needed + 1 : needed, args, num, kwnames,
                       values) ||
        (values[needed] && (der = PyObject_IsTrue(values[needed])) < 0))
        return NULL;
    ordered[0] = values[0];
    ordered[1] = values[1];
    ordered[2] = values[call->in ? 2 : 1];
    return many(call, ordered, der, 0);
}

#define ITEMS(function, item) .run = function, .item_len = sizeof(struct item)
#define CURVE(curve, CURVE, len)                                                                                                   \
    static const struct call curve##_sign_call = {                                                                                 \
        .function = "sign_many",                                                                                                   \
        .data = "digests",                                                                                                         \
        .kind = CURVE##_PRIVATE,                                                                                                   \
        .min_len = 1,                                                                                                              \
        .max_len = LC_ECDSA_MAX_DIGEST_LEN,                                                                                        \
        .out_len = 2 * (len),                                                                                                      \
        .to_der = lc_ecdsa_##curve##_to_der,                                                                                       \
        ITEMS(curve##_sign, lc_ecdsa_##curve##_sign_item)                                                                          \
    };                                                                                                                             \
    static const struct call curve##_verify_call = {                                                                               \
        .function = "verify_many",                                                                                                 \
        .in = "signatures",                                                                                                        \
        .data = "digests",                                                                                                         \
        .kind = CURVE##_PUBLIC,                                                                                                    \
        .in_len = 2 * (len),                                                                                                       \
        .min_len = 1,                                                                                                              \
        .max_len = LC_ECDSA_MAX_DIGEST_LEN,                                                                                        \
        .from_der = lc_ecdsa_##curve##_from_der,                                                                                   \
        ITEMS(curve##_verify, lc_ecdsa_##curve##_verify_item)                                                                      \
    };                                                                                                                             \
    static const struct call curve##_exchange_call = {                                                                             \
        .function = "exchange_many",                                                                                               \
        .in = "peers",                                                                                                             \
        .kind = CURVE##_PRIVATE,                                                                                                   \
        .out_len = len,                                                                                                            \
        ITEMS(curve##_exchange, lc_ecdh_##curve##_item)                                                                            \
    };
CURVE(p256, P256, 32)
CURVE(p384, P384, 48)
#undef CURVE
static const struct call ed25519_sign_call = {
    .function = "sign_many",
    .data = "messages",
    .kind = ED25519_PRIVATE,
    .max_len = SIZE_MAX,
    .out_len = LC_ED25519_SIG_LEN,
    ITEMS(ed25519_sign, lc_ed25519_sign_item)
};
static const struct call ed25519_verify_call = {
    .function = "verify_many",
    .in = "signatures",
    .data = "messages",
    .kind = ED25519_PUBLIC,
    .in_len = LC_ED25519_SIG_LEN,
    .max_len = SIZE_MAX,
    ITEMS(ed25519_verify, lc_ed25519_verify_item)
};
static const struct call x25519_exchange_call = {
    .function = "exchange_many",
    .in = "peers",
    .kind = X25519_PRIVATE,
    .in_len = LC_X25519_LEN,
    .out_len = LC_X25519_LEN,
    ITEMS(x25519_exchange, lc_x25519_item)
};
static const struct call rsa_pkcs1_call = {
    .in = "signatures", .data = "digests", .kind = RSA_PUBLIC, .max_len = SIZE_MAX, ITEMS(rsa_pkcs1_verify, lc_rsa_verify_item)
};
static const struct call rsa_pss_call = {
    .in = "signatures", .data = "digests", .kind = RSA_PUBLIC, .max_len = SIZE_MAX, ITEMS(rsa_pss_verify, lc_rsa_verify_item)
};
#undef ITEMS

#define DEFINE(kind, operation)                                                                                                    \
    static PyObject *kind##_##operation##_many(PyObject *unused, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)         \
    {                                                                                                                              \
        (void)unused;                                                                                                              \
        return call_many(&kind##_##operation##_call, args, num, kwnames);                                                          \
    }
DEFINE(p256, sign)
DEFINE(p256, verify)
DEFINE(p256, exchange)
DEFINE(p384, sign)
DEFINE(p384, verify)
DEFINE(p384, exchange)
DEFINE(ed25519, sign)
DEFINE(ed25519, verify)
DEFINE(x25519, exchange)
#undef DEFINE

static PyObject *rsa_verify_many(PyObject *unused, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)
{
    static const char *const names[] = { "keys", "signatures", "digests", "padding", "salt_length" };
    PyObject *values[5] = { NULL };
    size_t salt_len = PY_SSIZE_T_MAX;
    bool is_pss;

    (void)unused;
    if (!get_arguments("verify_many", names, 4, 5, args, num, kwnames, values))
        return NULL;
    if (!PyUnicode_Check(values[3]))
        return PyErr_Format(PyExc_TypeError, "padding must be a str");
    is_pss = PyUnicode_CompareWithASCIIString(values[3], "pss") == 0;
    if (!is_pss && PyUnicode_CompareWithASCIIString(values[3], "pkcs1v15") != 0)
        return PyErr_Format(PyExc_ValueError, "padding must be 'pkcs1v15' or 'pss'");
    if (values[4] && values[4] != Py_None) {
        if (!is_pss)
            return PyErr_Format(PyExc_ValueError, "only 'pss' has salts");
        salt_len = PyLong_AsSize_t(values[4]);
        if (salt_len == (size_t)-1 && PyErr_Occurred())
            return NULL;
        if (salt_len > LC_RSA_MAX_LEN)
            return PyErr_Format(PyExc_ValueError, "a salt has at most %d bytes", LC_RSA_MAX_LEN);
    }
    return many(is_pss ? &rsa_pss_call : &rsa_pkcs1_call, values, false, salt_len);
}

/* ---- The types ---- */

#define PUBLIC_BYTES { "public_bytes", public_bytes, METH_NOARGS, NULL }
static PyMethodDef p256_private_methods[] = {
    METHOD(p256, sign_many, METH_STATIC), METHOD(p256, exchange_many, METH_STATIC), PUBLIC_BYTES, { 0 }
};
static PyMethodDef p256_public_methods[] = { METHOD(p256, verify_many, METH_STATIC), { 0 } };
static PyMethodDef p384_private_methods[] = {
    METHOD(p384, sign_many, METH_STATIC), METHOD(p384, exchange_many, METH_STATIC), PUBLIC_BYTES, { 0 }
};
static PyMethodDef p384_public_methods[] = { METHOD(p384, verify_many, METH_STATIC), { 0 } };
static PyMethodDef ed25519_private_methods[] = { METHOD(ed25519, sign_many, METH_STATIC), PUBLIC_BYTES, { 0 } };
static PyMethodDef ed25519_public_methods[] = { METHOD(ed25519, verify_many, METH_STATIC), { 0 } };
static PyMethodDef x25519_private_methods[] = { METHOD(x25519, exchange_many, METH_STATIC), PUBLIC_BYTES, { 0 } };
static PyMethodDef rsa_public_methods[] = {
    METHOD(rsa, verify_many, METH_STATIC), { "from_pem", rsa_from_pem, METH_O | METH_STATIC, NULL }, { 0 }
};
static PyGetSetDef members[] = { { "implementation", key_implementation, NULL, NULL, NULL }, { 0 } };

#define DEFINE(kind, KIND)                                                                                                         \
    static PyObject *new_##kind(PyTypeObject *type, PyObject *args, PyObject *kwargs)                                              \
    {                                                                                                                              \
        (void)type; /* it has no subclasses */                                                                                     \
        return new_key(KIND, args, kwargs);                                                                                        \
    }
DEFINE(p256_private, P256_PRIVATE)
DEFINE(p256_public, P256_PUBLIC)
DEFINE(p384_private, P384_PRIVATE)
DEFINE(p384_public, P384_PUBLIC)
DEFINE(ed25519_private, ED25519_PRIVATE)
DEFINE(ed25519_public, ED25519_PUBLIC)
DEFINE(x25519_private, X25519_PRIVATE)
DEFINE(rsa_public, RSA_PUBLIC)
#undef DEFINE

bool add_public_key_types(PyObject *module)
{
    static const struct {
        const char *name;
        size_t key_len;
        newfunc new;
        PyMethodDef *methods;
    } all[NUM_KINDS] = {
        [P256_PRIVATE] = { "lanecrypt.P256PrivateKey", sizeof(struct p256_private), new_p256_private, p256_private_methods },
        [P256_PUBLIC] = { "lanecrypt.P256PublicKey", sizeof(struct lc_ecdsa_p256_public_key), new_p256_public,
                          p256_public_methods },
        [P384_PRIVATE] = { "lanecrypt.P384PrivateKey", sizeof(struct p384_private), new_p384_private, p384_private_methods },
        [P384_PUBLIC] = { "lanecrypt.P384PublicKey", sizeof(struct lc_ecdsa_p384_public_key), new_p384_public,
                          p384_public_methods },
        [ED25519_PRIVATE] = { "lanecrypt.Ed25519PrivateKey", sizeof(struct lc_ed25519_key), new_ed25519_private,
                              ed25519_private_methods },
        [ED25519_PUBLIC] = { "lanecrypt.Ed25519PublicKey", sizeof(struct lc_ed25519_public_key), new_ed25519_public,
                             ed25519_public_methods },
        [X25519_PRIVATE] = { "lanecrypt.X25519PrivateKey", sizeof(struct lc_x25519_key), new_x25519_private,
                             x25519_private_methods },
        [RSA_PUBLIC] = { "lanecrypt.RSAPublicKey", sizeof(struct lc_rsa_public_key), new_rsa_public, rsa_public_methods },
    };

    for (int i = 0; i < NUM_KINDS; i++)
        if (!(types[i] = add_type(module, all[i].name, (int)(sizeof(struct key) + all[i].key_len), all[i].new, free_key,
                                  all[i].methods, members)))
            return false;
    return true;
}

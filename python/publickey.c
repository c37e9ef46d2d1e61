/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Public keys: types for keys, and calls for many operations.  Such a call first takes what it needs into `struct operation`s, then
 * computes while other threads run, and makes the results' objects at last.
 *
 * What keys are made of is copied before it is looked at, and so are signatures, public keys and ciphertexts that are arguments.
 * Of digests and messages the buffers are held.  If they change meanwhile, the library sees one content or the other: it reads a
 * digest that it signs and a message that it encrypts once, and makes no signature if a message of Ed25519 changes.
 */
#include "module.h"

#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/pem.h"
#include "lanecrypt/rsa.h"
#include "lanecrypt/sm2.h"
#include "lanecrypt/x25519.h"

/* ---- Keys ---- */

struct key_kind {
    const char *name, *form; /* form: what its bytes are, for a message */
    int (*init)(void *key, const uint8_t *raw, size_t raw_len);
    const char *(*impl_name)(const void *key);
    void (*wipe)(void *key);                           /* NULL: it has no secrets */
    void (*get_public)(const void *key, uint8_t *raw); /* of a private key; NULL: it has another method for that */
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
#define SECRET_KEY(kind, init_function, wipe_function, impl_name_function)                                                         \
    PUBLIC_KEY(kind, init_function, impl_name_function)                                                                            \
    static void kind##_wipe(void *key)                                                                                             \
    {                                                                                                                              \
        wipe_function(key);                                                                                                        \
    }
#define PRIVATE_KEY(kind, init_function, wipe_function, prefix)                                                                    \
    SECRET_KEY(kind, init_function, wipe_function, prefix##_impl_name)                                                             \
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
PRIVATE_KEY(sm2_private, lc_sm2_init, lc_sm2_wipe, lc_sm2)
PUBLIC_KEY(sm2_public, lc_sm2_public_init, lc_sm2_public_impl_name)
SECRET_KEY(rsa_private, lc_rsa_init_der, lc_rsa_wipe, lc_rsa_impl_name)
PUBLIC_KEY(rsa_public, lc_rsa_public_init_der, lc_rsa_public_impl_name)
#undef PUBLIC_KEY
#undef SECRET_KEY
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
    SM2_PRIVATE,
    SM2_PUBLIC,
    RSA_PRIVATE,
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
    [SM2_PRIVATE] = { "SM2PrivateKey", "32 bytes", PRIVATE_FUNCTIONS(sm2_private), 65 },
    [SM2_PUBLIC] = { "SM2PublicKey", "65 or 33 bytes", FUNCTIONS(sm2_public) },
    [RSA_PRIVATE] = { "RSAPrivateKey", "a modulus of 2048, 3072 or 4096 bits", FUNCTIONS(rsa_private), rsa_private_wipe },
    [RSA_PUBLIC] = { "RSAPublicKey", "a modulus of 2048, 3072 or 4096 bits", FUNCTIONS(rsa_public) },
};
static PyTypeObject *types[NUM_KINDS]; /* the module is never unloaded */

/* A key of that kind, without a key in it */
static struct key *alloc_key(int kind)
{
    PyTypeObject *type = types[kind];

    return ((struct key * (*)(PyTypeObject *, Py_ssize_t)) PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

static PyObject *make_key(int kind, const uint8_t *raw, size_t raw_len)
{
    struct key *self = alloc_key(kind);
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

/* A copy of what a key is made of, which doesn't change while it is looked at; for free_copy().  NULL: an exception is set. */
static uint8_t *copy_bytes(PyObject *object, size_t *len)
{
    struct bytes b;
    uint8_t *copy;

    if (!get_bytes(&b, object, "data"))
        return NULL;
    copy = PyMem_Malloc(b.len + 1);
    if (copy)
        memcpy(copy, b.p, b.len);
    else
        PyErr_NoMemory();
    *len = b.len;
    put_bytes(&b);
    return copy;
}

static void free_copy(uint8_t *copy, size_t len)
{
    wipe_memory(copy, len);
    PyMem_Free(copy);
}

static PyObject *new_key(int kind, PyObject *args, PyObject *kwargs)
{
    static char *names[] = { "data", NULL };
    PyObject *object, *key;
    uint8_t *raw;
    size_t raw_len;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &object) || !(raw = copy_bytes(object, &raw_len)))
        return NULL;
    key = make_key(kind, raw, raw_len);
    free_copy(raw, raw_len);
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

/* Of the first block with the first label that is there */
static PyObject *rsa_from_pem(int kind, const char *const labels[2], PyObject *object)
{
    size_t text_len, der_len, room_len;
    uint8_t *text = copy_bytes(object, &text_len), *der;
    PyObject *key = NULL;
    int status = LC_ERR_KEY;

    if (!text)
        return NULL;
    room_len = text_len / 4 * 3;
    der = PyMem_Malloc(room_len + 1);
    if (!der) {
        free_copy(text, text_len);
        return PyErr_NoMemory();
    }
    for (int i = 0; i < 2 && status != LC_OK; i++)
        status = lc_pem_decode(der, &der_len, labels[i], (const char *)text, text_len);
    if (status == LC_OK)
        key = make_key(kind, der, der_len);
    else if (status == LC_ERR_KEY)
        PyErr_Format(PyExc_ValueError, "there is no PEM of a %s or an %s, or it isn't as it should be", labels[0], labels[1]);
    else
        raise_status(status);
    free_copy(der, room_len);
    free_copy(text, text_len);
    return key;
}

static PyObject *rsa_public_from_pem(PyObject *unused, PyObject *object)
{
    static const char *const labels[] = { "PUBLIC KEY", "RSA PUBLIC KEY" };

    (void)unused;
    return rsa_from_pem(RSA_PUBLIC, labels, object);
}

static PyObject *rsa_private_from_pem(PyObject *unused, PyObject *object)
{
    static const char *const labels[] = { "PRIVATE KEY", "RSA PRIVATE KEY" };

    (void)unused;
    return rsa_from_pem(RSA_PRIVATE, labels, object);
}

static PyObject *rsa_public_key(PyObject *object, PyObject *unused)
{
    struct key *key = alloc_key(RSA_PUBLIC);

    (void)unused;
    if (key) {
        key->kind = &kinds[RSA_PUBLIC];
        lc_rsa_get_public((const void *)((const struct key *)object)->memory, (void *)key->memory);
    }
    return (PyObject *)key;
}

static PyObject *sm2_z(PyObject *unused, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)
{
    static const char *const names[] = { "public_key", "identity" };
    PyObject *values[2] = { NULL }, *result = NULL;
    struct bytes raw = { 0 }, id = { 0 };
    uint8_t z[LC_SM2_LEN], copy[65]; /* which doesn't change while it is looked at */
    int status = LC_ERR_KEY_LEN;

    (void)unused;
    if (!get_arguments("sm2_z", names, 1, 2, args, num, kwnames, values) || !get_bytes(&raw, values[0], "public_key") ||
        (values[1] && !get_bytes(&id, values[1], "identity")))
        goto end;
    if (!values[1]) {
        id.p = (uint8_t *)LC_SM2_DEFAULT_ID;
        id.len = sizeof(LC_SM2_DEFAULT_ID) - 1;
    }
    if (raw.len <= sizeof(copy)) {
        memcpy(copy, raw.p, raw.len);
        status = lc_sm2_z(z, copy, raw.len, id.p, id.len);
    }
    if (status == LC_OK)
        result = PyBytes_FromStringAndSize((const char *)z, sizeof(z));
    else if (status == LC_ERR_LEN)
        PyErr_Format(PyExc_ValueError, "an identity has at most %d bytes", LC_SM2_MAX_ID_LEN);
    else
        raise_status(status);
end:
    put_bytes(&raw);
    put_bytes(&id);
    return result;
}

/* ---- Many operations ---- */

/* What all operations of a call share */
struct options {
    bool der;
    size_t salt_len;       /* of PSS; SALT_AS_DIGEST: as long as the digest */
    enum lc_rsa_hash hash; /* of OAEP */
    struct bytes label;    /* of OAEP */
};
#define SALT_AS_DIGEST SIZE_MAX

/* One of a call: a signature, a verification, a key exchange, an encryption */
struct operation {
    const void *key;
    const struct options *options;
    const uint8_t *in, *data; /* in: a signature, a public key or a ciphertext; data: what is signed or encrypted */
    uint8_t *out;
    size_t in_len, len, out_len;
    int status; /* LC_OK until it's known to fail */
};

/* What a call does.  Arguments: keys; `in`, signatures, peers or ciphertexts, and `data`, digests or messages, unless these are
 * NULL; der. */
struct call {
    const char *function, *in, *data;
    int kind;                /* of its keys */
    size_t in_len;           /* of signatures and peers; others fail.  0: the library says which */
    size_t in_max;           /* the longest that may be right */
    size_t min_len, max_len; /* of data */
    bool is_rsa_digest;      /* data is a digest of RSA's hash functions */
    size_t out_max;          /* of a result; 0: it's true or false */
    /* Of signatures that are made, or that are verified.  Both NULL: there is no argument der. */
    size_t (*to_der)(uint8_t *der, const uint8_t *sig);
    int (*from_der)(uint8_t *sig, const uint8_t *der, size_t der_len);
    void (*run)(struct operation *operations, size_t num, void *room);
    size_t item_len; /* of room for one */
};

/* Those that haven't failed yet, by a function of the library, whose items have these members.  last: done with each. */
#define RUN_AND(name, item_type, function, last, ...)                                                                              \
    static void name(struct operation *operations, size_t num, void *room)                                                         \
    {                                                                                                                              \
        struct item_type *items = room;                                                                                            \
        size_t done = 0, num_items = 0;                                                                                            \
        int status;                                                                                                                \
                                                                                                                                   \
        for (size_t i = 0; i < num; i++) {                                                                                         \
            struct operation *o = &operations[i];                                                                                  \
                                                                                                                                   \
            if (o->status == LC_OK)                                                                                                \
                items[num_items++] = (struct item_type){ .key = o->key, __VA_ARGS__ };                                             \
        }                                                                                                                          \
        status = function(items, num_items);                                                                                       \
        (void)status; /* each item has its own */                                                                                  \
        for (size_t i = 0; i < num; i++) {                                                                                         \
            struct operation *o = &operations[i];                                                                                  \
                                                                                                                                   \
            if (o->status == LC_OK) {                                                                                              \
                const struct item_type *item = &items[done++];                                                                     \
                                                                                                                                   \
                o->status = item->status;                                                                                          \
                last;                                                                                                              \
            }                                                                                                                      \
        }                                                                                                                          \
    }
#define RUN(name, item_type, function, ...) RUN_AND(name, item_type, function, , __VA_ARGS__)
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

RUN(sm2_sign, lc_sm2_sign_item, lc_sm2_sign_many, .sig = o->out, .digest = o->data)
RUN(sm2_verify, lc_sm2_verify_item, lc_sm2_verify_many, .sig = o->in, .digest = o->data)

static enum lc_rsa_hash hash_of(size_t digest_len)
{
    return digest_len == 32 ? LC_RSA_SHA256 : digest_len == 48 ? LC_RSA_SHA384 : LC_RSA_SHA512;
}

static size_t salt_len_of(const struct operation *o)
{
    return o->options->salt_len == SALT_AS_DIGEST ? o->len : o->options->salt_len;
}
#define OUT_LEN(function) o->out_len = function(o->key)
#define RSA_SIGN(padding)                                                                                                          \
    RUN_AND(rsa_##padding##_sign, lc_rsa_sign_item, lc_rsa_##padding##_sign_many, OUT_LEN(lc_rsa_len), .sig = o->out,              \
            .hash = hash_of(o->len), .digest = o->data)
RSA_SIGN(pkcs1)
RSA_SIGN(pss)
RUN(rsa_pkcs1_verify, lc_rsa_verify_item, lc_rsa_pkcs1_verify_many, .sig = o->in, .sig_len = o->in_len, .hash = hash_of(o->len),
    .digest = o->data)
RUN(rsa_pss_verify, lc_rsa_verify_item, lc_rsa_pss_verify_many, .sig = o->in, .sig_len = o->in_len, .hash = hash_of(o->len),
    .digest = o->data, .salt_len = salt_len_of(o))
#define OAEP .hash = o->options->hash, .label = o->options->label.p, .label_len = o->options->label.len
RUN_AND(rsa_encrypt, lc_rsa_encrypt_item, lc_rsa_oaep_encrypt_many, OUT_LEN(lc_rsa_public_len), .ct = o->out, .msg = o->data,
        .msg_len = o->len, OAEP)
RUN_AND(rsa_decrypt, lc_rsa_decrypt_item, lc_rsa_oaep_decrypt_many, o->out_len = item->msg_len, .msg = o->out, .ct = o->in,
        .ct_len = o->in_len, OAEP)
#undef OAEP
#undef RSA_SIGN
#undef OUT_LEN
#undef CURVE

/* What a call holds */
struct batch {
    size_t num, num_views;
    struct operation *operations;
    struct bytes *views;
    uint8_t *copies, *outs; /* of `in`; results */
    size_t outs_len;
    void *room;
    PyObject *keys, *in, *data; /* tuples, or NULL */
};

static void end_batch(struct batch *b)
{
    for (size_t i = 0; i < b->num_views; i++)
        put_bytes(&b->views[i]);
    if (b->outs)
        wipe_memory(b->outs, b->outs_len);
    PyMem_Free(b->operations);
    PyMem_Free(b->views);
    PyMem_Free(b->copies);
    PyMem_Free(b->outs);
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

/* An operation's signature, peer or ciphertext, to copy.  One that can't be right is no error of the call. */
static bool get_in(struct operation *o, uint8_t *copy, PyObject *object, const struct call *call)
{
    struct bytes in;

    if (!get_bytes(&in, object, call->in))
        return false;
    o->in = copy;
    o->in_len = in.len;
    if (o->options->der) {
        uint8_t der[LC_ECDSA_P384_MAX_DER_LEN]; /* which doesn't change while it is parsed */

        o->status = LC_ERR_SIGNATURE;
        if (in.len <= sizeof(der)) {
            memcpy(der, in.p, in.len);
            o->status = call->from_der(copy, der, in.len);
        }
    } else if (in.len > call->in_max || (call->in_len && in.len != call->in_len)) {
        o->status = LC_ERR_SIGNATURE;
    } else {
        memcpy(copy, in.p, in.len);
    }
    put_bytes(&in);
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
    if (call->is_rsa_digest && data->len != 32 && data->len != 48 && data->len != 64) {
        PyErr_SetString(PyExc_ValueError, "a digest is of SHA-256, SHA-384 or SHA-512: 32, 48 or 64 bytes");
        return false;
    }
    if (data->len < call->min_len || data->len > call->max_len) {
        if (call->min_len == call->max_len)
            PyErr_Format(PyExc_ValueError, "a digest has %zu bytes", call->min_len);
        else
            PyErr_Format(PyExc_ValueError, "a digest has %zu to %zu bytes", call->min_len, call->max_len);
        return false;
    }
    return true;
}

/* Has it failed in a way that is an error of the call? */
static bool is_error(const struct operation *o, const struct call *call)
{
    return o->status != LC_OK && !(call->in && (o->status == LC_ERR_SIGNATURE || o->status == LC_ERR_CIPHERTEXT ||
                                                o->status == LC_ERR_KEY || o->status == LC_ERR_KEY_LEN));
}

/* What has come of one: True, False; bytes, or None for a peer with whom there is no secret, or what isn't a ciphertext */
static PyObject *get_result(const struct operation *o, const struct call *call)
{
    uint8_t encoded[LC_ECDSA_P384_MAX_DER_LEN];
    PyObject *result;

    if (!call->out_max) {
        result = o->status == LC_OK ? Py_True : Py_False;
        Py_INCREF(result);
        return result;
    }
    if (o->status != LC_OK) {
        Py_INCREF(Py_None);
        return Py_None;
    }
    if (o->options->der)
        return PyBytes_FromStringAndSize((const char *)encoded, (Py_ssize_t)call->to_der(encoded, o->out));
    return PyBytes_FromStringAndSize((const char *)o->out, (Py_ssize_t)o->out_len);
}

/* values: keys; signatures, peers or ciphertexts; digests or messages */
static PyObject *many(const struct call *call, PyObject *const *values, const struct options *options)
{
    struct batch b = { 0 };
    PyObject *list = NULL;
    PyThreadState *others;

    if ((call->in && !(b.in = get_elements(&b, values[1], call->in, true))) ||
        (call->data && !(b.data = get_elements(&b, values[2], call->data, !call->in))))
        goto end;
    b.operations = PyMem_Calloc(b.num + 1, sizeof(*b.operations));
    b.views = PyMem_Calloc(b.num + 1, sizeof(*b.views));
    b.copies = PyMem_Calloc(b.num + 1, call->in_max);
    b.outs = PyMem_Calloc(b.num + 1, call->out_max);
    b.outs_len = b.num * call->out_max;
    b.room = PyMem_Calloc(b.num + 1, call->item_len);
    if (!b.operations || !b.views || !b.copies || !b.outs || !b.room) {
        PyErr_NoMemory();
        goto end;
    }
    if (!get_keys(&b, values[0], call->kind))
        goto end;
    for (size_t i = 0; i < b.num; i++) {
        struct operation *o = &b.operations[i];

        o->options = options;
        o->out = b.outs + i * call->out_max;
        o->out_len = call->out_max;
        if ((b.in && !get_in(o, b.copies + i * call->in_max, PyTuple_GetItem(b.in, (Py_ssize_t)i), call)) ||
            (b.data && !get_data(&b, o, PyTuple_GetItem(b.data, (Py_ssize_t)i), call)))
            goto end;
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
        PyObject *result = get_result(&b.operations[i], call);

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
    struct options options = { 0 };
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
    options.der = der;
    return many(call, ordered, &options);
}

#define ITEMS(function, item) .run = function, .item_len = sizeof(struct item)
#define CURVE(curve, CURVE, len)                                                                                                   \
    static const struct call curve##_sign_call = {                                                                                 \
        .function = "sign_many",                                                                                                   \
        .data = "digests",                                                                                                         \
        .kind = CURVE##_PRIVATE,                                                                                                   \
        .min_len = 1,                                                                                                              \
        .max_len = LC_ECDSA_MAX_DIGEST_LEN,                                                                                        \
        .out_max = 2 * (len),                                                                                                      \
        .to_der = lc_ecdsa_##curve##_to_der,                                                                                       \
        ITEMS(curve##_sign, lc_ecdsa_##curve##_sign_item)                                                                          \
    };                                                                                                                             \
    static const struct call curve##_verify_call = {                                                                               \
        .function = "verify_many",                                                                                                 \
        .in = "signatures",                                                                                                        \
        .data = "digests",                                                                                                         \
        .kind = CURVE##_PUBLIC,                                                                                                    \
        .in_len = 2 * (len),                                                                                                       \
        .in_max = 2 * (len),                                                                                                       \
        .min_len = 1,                                                                                                              \
        .max_len = LC_ECDSA_MAX_DIGEST_LEN,                                                                                        \
        .from_der = lc_ecdsa_##curve##_from_der,                                                                                   \
        ITEMS(curve##_verify, lc_ecdsa_##curve##_verify_item)                                                                      \
    };                                                                                                                             \
    static const struct call curve##_exchange_call = {                                                                             \
        .function = "exchange_many",                                                                                               \
        .in = "peers",                                                                                                             \
        .kind = CURVE##_PRIVATE,                                                                                                   \
        .in_max = 2 * (len) + 1,                                                                                                   \
        .out_max = len,                                                                                                            \
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
    .out_max = LC_ED25519_SIG_LEN,
    ITEMS(ed25519_sign, lc_ed25519_sign_item)
};
static const struct call ed25519_verify_call = {
    .function = "verify_many",
    .in = "signatures",
    .data = "messages",
    .kind = ED25519_PUBLIC,
    .in_len = LC_ED25519_SIG_LEN,
    .in_max = LC_ED25519_SIG_LEN,
    .max_len = SIZE_MAX,
    ITEMS(ed25519_verify, lc_ed25519_verify_item)
};
static const struct call x25519_exchange_call = {
    .function = "exchange_many",
    .in = "peers",
    .kind = X25519_PRIVATE,
    .in_len = LC_X25519_LEN,
    .in_max = LC_X25519_LEN,
    .out_max = LC_X25519_LEN,
    ITEMS(x25519_exchange, lc_x25519_item)
};
static const struct call sm2_sign_call = {
    .function = "sign_many",
    .data = "digests",
    .kind = SM2_PRIVATE,
    .min_len = LC_SM2_LEN,
    .max_len = LC_SM2_LEN,
    .out_max = 64,
    .to_der = lc_sm2_to_der,
    ITEMS(sm2_sign, lc_sm2_sign_item)
};
static const struct call sm2_verify_call = {
    .function = "verify_many",
    .in = "signatures",
    .data = "digests",
    .kind = SM2_PUBLIC,
    .in_len = 64,
    .in_max = 64,
    .min_len = LC_SM2_LEN,
    .max_len = LC_SM2_LEN,
    .from_der = lc_sm2_from_der,
    ITEMS(sm2_verify, lc_sm2_verify_item)
};
/* RSA's: with PKCS #1 v1.5 and with PSS */
#define RSA_SIGN(padding)                                                                                                          \
    { .function = "sign_many",                                                                                                     \
      .data = "digests",                                                                                                           \
      .kind = RSA_PRIVATE,                                                                                                         \
      .max_len = SIZE_MAX,                                                                                                         \
      .is_rsa_digest = true,                                                                                                       \
      .out_max = LC_RSA_MAX_LEN,                                                                                                   \
      ITEMS(rsa_##padding##_sign, lc_rsa_sign_item) }
#define RSA_VERIFY(padding)                                                                                                        \
    { .function = "verify_many",                                                                                                   \
      .in = "signatures",                                                                                                          \
      .data = "digests",                                                                                                           \
      .kind = RSA_PUBLIC,                                                                                                          \
      .in_max = LC_RSA_MAX_LEN,                                                                                                    \
      .max_len = SIZE_MAX,                                                                                                         \
      .is_rsa_digest = true,                                                                                                       \
      ITEMS(rsa_##padding##_verify, lc_rsa_verify_item) }
static const struct call rsa_sign_calls[] = { RSA_SIGN(pkcs1), RSA_SIGN(pss) };
static const struct call rsa_verify_calls[] = { RSA_VERIFY(pkcs1), RSA_VERIFY(pss) };
#undef RSA_SIGN
#undef RSA_VERIFY
static const struct call rsa_encrypt_call = {
    .function = "encrypt_many",
    .data = "messages",
    .kind = RSA_PUBLIC,
    .max_len = SIZE_MAX,
    .out_max = LC_RSA_MAX_LEN,
    ITEMS(rsa_encrypt, lc_rsa_encrypt_item)
};
static const struct call rsa_decrypt_call = {
    .function = "decrypt_many",
    .in = "ciphertexts",
    .kind = RSA_PRIVATE,
    .in_max = LC_RSA_MAX_LEN,
    .out_max = LC_RSA_MAX_LEN,
    ITEMS(rsa_decrypt, lc_rsa_decrypt_item)
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
DEFINE(sm2, sign)
DEFINE(sm2, verify)
#undef DEFINE

/* Which of two strings an argument is; -1: an exception is set */
static int get_choice(PyObject *object, const char *what, const char *const *choices, int num, const char *message)
{
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be a str", what);
        return -1;
    }
    for (int i = 0; i < num; i++)
        if (PyUnicode_CompareWithASCIIString(object, choices[i]) == 0)
            return i;
    PyErr_Format(PyExc_ValueError, "%s must be %s", what, message);
    return -1;
}

/* 0: PKCS #1 v1.5, 1: PSS */
static int get_padding(PyObject *object)
{
    static const char *const choices[] = { "pkcs1v15", "pss" };

    return get_choice(object, "padding", choices, 2, "'pkcs1v15' or 'pss'");
}

static PyObject *rsa_sign_many(PyObject *unused, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)
{
    static const char *const names[] = { "keys", "digests", "padding" };
    PyObject *values[3] = { NULL }, *ordered[3];
    const struct options options = { 0 };
    int padding;

    (void)unused;
    if (!get_arguments("sign_many", names, 3, 3, args, num, kwnames, values) || (padding = get_padding(values[2])) < 0)
        return NULL;
    ordered[0] = values[0];
    ordered[1] = NULL;
    ordered[2] = values[1];
    return many(&rsa_sign_calls[padding], ordered, &options);
}

static PyObject *rsa_verify_many(PyObject *unused, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)
{
    static const char *const names[] = { "keys", "signatures", "digests", "padding", "salt_length" };
    PyObject *values[5] = { NULL };
    struct options options = { .salt_len = SALT_AS_DIGEST };
    int padding;

    (void)unused;
    if (!get_arguments("verify_many", names, 4, 5, args, num, kwnames, values) || (padding = get_padding(values[3])) < 0)
        return NULL;
    if (values[4] && values[4] != Py_None) {
        if (!padding)
            return PyErr_Format(PyExc_ValueError, "only 'pss' has salts");
        options.salt_len = PyLong_AsSize_t(values[4]);
        if (options.salt_len == (size_t)-1 && PyErr_Occurred())
            return NULL;
        if (options.salt_len > LC_RSA_MAX_LEN)
            return PyErr_Format(PyExc_ValueError, "a salt has at most %d bytes", LC_RSA_MAX_LEN);
    }
    return many(&rsa_verify_calls[padding], values, &options);
}

/* encrypt_many and decrypt_many: RSAES-OAEP */
static PyObject *rsa_oaep_many(const struct call *call, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)
{
    static const char *const hashes[] = { "sha256", "sha384", "sha512" };
    const char *const names[] = { "keys", call->in ? call->in : call->data, "hash", "label" };
    PyObject *values[4] = { NULL }, *ordered[3], *list;
    struct options options = { 0 };
    int hash;

    if (!get_arguments(call->function, names, 3, 4, args, num, kwnames, values) ||
        (hash = get_choice(values[2], "hash", hashes, 3, "'sha256', 'sha384' or 'sha512'")) < 0 ||
        (values[3] && values[3] != Py_None && !get_bytes(&options.label, values[3], "label")))
        return NULL;
    options.hash = (enum lc_rsa_hash)(LC_RSA_SHA256 + hash);
    ordered[0] = values[0];
    ordered[1] = ordered[2] = values[1];
    list = many(call, ordered, &options);
    put_bytes(&options.label);
    return list;
}

static PyObject *rsa_encrypt_many(PyObject *unused, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)
{
    (void)unused;
    return rsa_oaep_many(&rsa_encrypt_call, args, num, kwnames);
}

static PyObject *rsa_decrypt_many(PyObject *unused, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)
{
    (void)unused;
    return rsa_oaep_many(&rsa_decrypt_call, args, num, kwnames);
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
static PyMethodDef sm2_private_methods[] = { METHOD(sm2, sign_many, METH_STATIC), PUBLIC_BYTES, { 0 } };
static PyMethodDef sm2_public_methods[] = { METHOD(sm2, verify_many, METH_STATIC), { 0 } };
static PyMethodDef rsa_private_methods[] = {
    METHOD(rsa, sign_many, METH_STATIC),
    METHOD(rsa, decrypt_many, METH_STATIC),
    { "from_pem", rsa_private_from_pem, METH_O | METH_STATIC, NULL },
    { "public_key", rsa_public_key, METH_NOARGS, NULL },
    { 0 }
};
static PyMethodDef rsa_public_methods[] = {
    METHOD(rsa, verify_many, METH_STATIC),
    METHOD(rsa, encrypt_many, METH_STATIC),
    { "from_pem", rsa_public_from_pem, METH_O | METH_STATIC, NULL },
    { 0 }
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
DEFINE(sm2_private, SM2_PRIVATE)
DEFINE(sm2_public, SM2_PUBLIC)
DEFINE(rsa_private, RSA_PRIVATE)
DEFINE(rsa_public, RSA_PUBLIC)
#undef DEFINE

bool add_public_key_types(PyObject *module)
{
    static PyMethodDef functions[] = { FUNCTION(sm2_z), { 0 } };
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
        [SM2_PRIVATE] = { "lanecrypt.SM2PrivateKey", sizeof(struct lc_sm2_key), new_sm2_private, sm2_private_methods },
        [SM2_PUBLIC] = { "lanecrypt.SM2PublicKey", sizeof(struct lc_sm2_public_key), new_sm2_public, sm2_public_methods },
        [RSA_PRIVATE] = { "lanecrypt.RSAPrivateKey", sizeof(struct lc_rsa_key), new_rsa_private, rsa_private_methods },
        [RSA_PUBLIC] = { "lanecrypt.RSAPublicKey", sizeof(struct lc_rsa_public_key), new_rsa_public, rsa_public_methods },
    };

    for (int i = 0; i < NUM_KINDS; i++)
        if (!(types[i] = add_type(module, all[i].name, (int)(sizeof(struct key) + all[i].key_len), all[i].new, free_key,
                                  all[i].methods, members)))
            return false;
    return PyModule_AddFunctions(module, functions) == 0;
}

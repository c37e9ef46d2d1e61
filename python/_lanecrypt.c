/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lanecrypt for Python: the module lanecrypt._lanecrypt, by the limited API of Python 3.11.  __init__.pyi has the interface, with
 * its documentation.
 *
 * Memory.  Between PyEval_SaveThread() and PyEval_RestoreThread() other threads run.  Whatever a call uses is kept until it ends:
 * objects by references of its own (lists become tuples first), buffers by their exports, so that they can't be resized.  What is
 * looked at twice, lengths and offsets, is copied first.  Contents of writable buffers may still change: that garbles a result, and
 * nothing else, as results are objects of their own until they are returned.
 */
#include "module.h"

#include <sys/random.h>

#include "lanecrypt/aead.h"
#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/gcm.h"
#include "lanecrypt/xts.h"

enum { TAG_LEN = 16 };
enum { RELEASE_LEN = 4096 }; /* bytes of a call from which on others may run meanwhile: about 1 us */

static PyObject *invalid_tag; /* the exception; the module is never unloaded */

/* ---- Arguments ---- */

bool get_arguments(const char *function, const char *const *names, Py_ssize_t min, Py_ssize_t max, PyObject *const *args,
                   Py_ssize_t num, PyObject *kwnames, PyObject **values)
{
    Py_ssize_t num_names = kwnames ? PyTuple_Size(kwnames) : 0;

    if (num > max) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %zd arguments", function, max);
        return false;
    }
    for (Py_ssize_t i = 0; i < num; i++)
        values[i] = args[i];
    for (Py_ssize_t k = 0; k < num_names; k++) {
        PyObject *name = PyTuple_GetItem(kwnames, k);
        Py_ssize_t i = 0;

        while (i < max && PyUnicode_CompareWithASCIIString(name, names[i]) != 0)
            i++;
        if (i == max || values[i]) {
            PyErr_Format(PyExc_TypeError, i == max ? "%s() has no argument '%U'" : "%s() got '%U' twice", function, name);
            return false;
        }
        values[i] = args[num + k];
    }
    for (Py_ssize_t i = 0; i < min; i++)
        if (!values[i]) {
            PyErr_Format(PyExc_TypeError, "%s() lacks the argument '%s'", function, names[i]);
            return false;
        }
    return true;
}

/* TypeError, unless there is an exception that isn't about buffers: of the object's own code, or of want of memory */
static void wrong_type(const char *message, const char *what)
{
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_BufferError) ||
        PyErr_ExceptionMatches(PyExc_ValueError)) /* NumPy's */
        PyErr_Format(PyExc_TypeError, message, what);
}

bool get_bytes(struct bytes *b, PyObject *object, const char *what)
{
    char *p;
    Py_ssize_t len;

    b->view.obj = NULL;
    if (PyBytes_CheckExact(object)) {
        if (PyBytes_AsStringAndSize(object, &p, &len) != 0)
            return false;
        b->p = (uint8_t *)p;
        b->len = (size_t)len;
        return true;
    }
    if (PyUnicode_Check(object) || PyObject_GetBuffer(object, &b->view, PyBUF_SIMPLE) != 0) {
        b->view.obj = NULL;
        wrong_type("%s must be bytes-like, and contiguous", what);
        return false;
    }
    b->p = b->view.buf;
    b->len = (size_t)b->view.len;
    return true;
}

bool get_writable(struct bytes *b, PyObject *object, const char *what)
{
    if (PyObject_GetBuffer(object, &b->view, PyBUF_WRITABLE) != 0) {
        b->view.obj = NULL;
        wrong_type("%s must be a writable buffer, and contiguous", what);
        return false;
    }
    b->p = b->view.buf;
    b->len = (size_t)b->view.len;
    return true;
}

void put_bytes(struct bytes *b)
{
    if (b->view.obj)
        PyBuffer_Release(&b->view);
}

void wipe_memory(void *p, size_t len)
{
    memset(p, 0, len);
    __asm__ volatile("" : : "r"(p) : "memory");
}

PyObject *get_sequence(PyObject *object, const char *what)
{
    PyObject *tuple = PySequence_Tuple(object);

    if (!tuple && PyErr_ExceptionMatches(PyExc_TypeError))
        wrong_type("%s must be a sequence", what);
    return tuple;
}

bool overlap(const struct bytes *a, const struct bytes *b)
{
    return a->len && b->len && (uintptr_t)a->p < (uintptr_t)b->p + b->len && (uintptr_t)b->p < (uintptr_t)a->p + a->len;
}

/* ---- Errors of the library ---- */

PyObject *raise_status(int status)
{
    if (status == LC_ERR_AUTH)
        PyErr_SetNone(invalid_tag);
    else if (status == LC_ERR_ENV)
        PyErr_Format(PyExc_RuntimeError, "%s; lanecrypt's environment variables are wrong", lc_strerror(status));
    else
        PyErr_Format(PyExc_ValueError, "%s", lc_strerror(status));
    return NULL;
}

/* ---- Authenticated ciphers ---- */

struct kind {
    const char *name, *key_lens;
    size_t min_nonce_len, max_nonce_len;
    const struct lc_aead_ops *(*ops)(void);
    int (*seal)(const void *key, uint8_t *dst, uint8_t *tag, size_t tag_len, const uint8_t *src, size_t len, const uint8_t *aad,
                size_t aad_len, const uint8_t *nonce, size_t nonce_len); /* NULL: as in ops */
    int (*open)(const void *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag, size_t tag_len,
                const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);
};

struct aead {
    PyObject_HEAD const struct kind *kind;
    const struct lc_aead_ops *ops;
    union {
        LC_ALIGNED(16) uint8_t memory[16];
        struct lc_gcm_key gcm;
        struct lc_chacha20poly1305_key chacha20poly1305;
    } key;
};

static int xchacha_seal(const void *key, uint8_t *dst, uint8_t *tag, size_t tag_len, const uint8_t *src, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    return lc_xchacha20poly1305_seal(key, dst, tag, tag_len, src, len, aad, aad_len, nonce, nonce_len);
}

static int xchacha_open(const void *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag, size_t tag_len,
                        const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    return lc_xchacha20poly1305_open(key, dst, src, len, tag, tag_len, aad, aad_len, nonce, nonce_len);
}

static const struct kind aesgcm = { "AESGCM", "16, 24 or 32", 8, 128, lc_gcm_ops, NULL, NULL };
static const struct kind chacha = { "ChaCha20Poly1305", "32", 12, 12, lc_chacha20poly1305_ops, NULL, NULL };
static const struct kind xchacha = { "XChaCha20Poly1305", "32", 24, 24, lc_chacha20poly1305_ops, xchacha_seal, xchacha_open };

static PyObject *new_aead(PyTypeObject *type, PyObject *args, PyObject *kwargs, const struct kind *kind)
{
    static char *names[] = { "key", NULL };
    struct bytes raw;
    struct aead *self;
    PyObject *object;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &object) || !get_bytes(&raw, object, "key"))
        return NULL;
    self = ((struct aead * (*)(PyTypeObject *, Py_ssize_t)) PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self) {
        self->kind = kind;
        self->ops = kind->ops();
        status = self->ops->init(&self->key, raw.p, raw.len);
        if (status == LC_ERR_KEY_LEN)
            PyErr_Format(PyExc_ValueError, "a key of %s has %s bytes", kind->name, kind->key_lens);
        else if (status != LC_OK)
            raise_status(status);
        if (status != LC_OK) {
            self->ops = NULL;
            Py_DECREF(self);
            self = NULL;
        }
    }
    put_bytes(&raw);
    return (PyObject *)self;
}

static PyObject *new_aesgcm(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return new_aead(type, args, kwargs, &aesgcm);
}

static PyObject *new_chacha(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return new_aead(type, args, kwargs, &chacha);
}

static PyObject *new_xchacha(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return new_aead(type, args, kwargs, &xchacha);
}

void free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static void free_aead(PyObject *object)
{
    struct aead *self = (struct aead *)object;

    if (self->ops)
        self->ops->wipe(&self->key);
    free_object(object);
}

static PyObject *aead_implementation(PyObject *object, void *closure)
{
    struct aead *self = (struct aead *)object;

    (void)closure;
    return PyUnicode_FromString(self->ops->impl_name(&self->key));
}

static int seal_one(const struct aead *self, uint8_t *dst, const struct bytes *text, const struct bytes *aad,
                    const struct bytes *nonce)
{
    return (self->kind->seal ? self->kind->seal : self->ops->seal)(&self->key, dst, dst + text->len, TAG_LEN, text->p, text->len,
                                                                   aad->p, aad->len, nonce->p, nonce->len);
}

static int open_one(const struct aead *self, uint8_t *dst, const struct bytes *sealed, const struct bytes *aad,
                    const struct bytes *nonce)
{
    const size_t len = sealed->len - TAG_LEN;

    return (self->kind->open ? self->kind->open : self->ops->open)(&self->key, dst, sealed->p, len, sealed->p + len, TAG_LEN,
                                                                   aad->p, aad->len, nonce->p, nonce->len);
}

static bool nonce_is_wrong(const struct kind *kind, size_t len)
{
    if (len >= kind->min_nonce_len && len <= kind->max_nonce_len)
        return false;
    if (kind->min_nonce_len == kind->max_nonce_len)
        PyErr_Format(PyExc_ValueError, "a nonce of %s has %zu bytes", kind->name, kind->min_nonce_len);
    else
        PyErr_Format(PyExc_ValueError, "a nonce of %s has %zu to %zu bytes", kind->name, kind->min_nonce_len, kind->max_nonce_len);
    return true;
}

/* encrypt, encrypt_into, decrypt and decrypt_into */
static PyObject *crypt_message(const struct aead *self, const char *function, bool decrypt, bool into, PyObject *const *args,
                               Py_ssize_t num, PyObject *kwnames)
{
    static const char *const names[] = { "nonce", "data", "associated_data", "buf" };
    PyObject *values[4] = { NULL }, *result = NULL;
    struct bytes nonce = { 0 }, data = { 0 }, aad = { 0 }, out = { 0 };
    PyThreadState *others;
    int status = LC_OK;
    size_t len;

    if (!get_arguments(function, names, into ? 4 : 3, into ? 4 : 3, args, num, kwnames, values) ||
        !get_bytes(&nonce, values[0], "nonce"))
        return NULL;
    if (nonce_is_wrong(self->kind, nonce.len) || !get_bytes(&data, values[1], "data") ||
        (values[2] != Py_None && !get_bytes(&aad, values[2], "associated_data")) || (into && !get_writable(&out, values[3], "buf")))
        goto end;
    if (decrypt && data.len < TAG_LEN) {
        raise_status(LC_ERR_AUTH);
        goto end;
    }
    len = decrypt ? data.len - TAG_LEN : data.len + TAG_LEN;
    if (len > PY_SSIZE_T_MAX) {
        PyErr_Format(PyExc_OverflowError, "data is too long");
        goto end;
    }
    if (!into) {
        result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)len);
        if (!result)
            goto end;
        out.p = (uint8_t *)PyBytes_AsString(result);
    } else if (out.len != len) {
        PyErr_Format(PyExc_ValueError, "buf has to have %zu bytes, not %zu", len, out.len);
        goto end;
    } else if (out.p == data.p ? overlap(&out, &nonce) || overlap(&out, &aad)
                               : overlap(&out, &data) || overlap(&out, &nonce) || overlap(&out, &aad)) {
        PyErr_Format(PyExc_ValueError, "buf overlaps what is read");
        goto end;
    }
    if (data.len < RELEASE_LEN) {
        status = (decrypt ? open_one : seal_one)(self, out.p, &data, &aad, &nonce);
    } else {
        others = PyEval_SaveThread();
        status = (decrypt ? open_one : seal_one)(self, out.p, &data, &aad, &nonce);
        PyEval_RestoreThread(others);
    }
    if (status != LC_OK) {
        Py_CLEAR(result);
        raise_status(status);
    } else if (into) {
        result = PyLong_FromSize_t(len);
    }
end:
    put_bytes(&nonce);
    put_bytes(&data);
    put_bytes(&aad);
    put_bytes(&out);
    return result;
}

#define DEFINE(name, decrypt, into)                                                                                                \
    static PyObject *aead_##name(PyObject *self, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)                         \
    {                                                                                                                              \
        return crypt_message((const struct aead *)self, #name, decrypt, into, args, num, kwnames);                                 \
    }
DEFINE(encrypt, false, false)
DEFINE(encrypt_into, false, true)
DEFINE(decrypt, true, false)
DEFINE(decrypt_into, true, true)
#undef DEFINE

/* ---- Many messages ---- */

/* What a call for many takes: nonces and AAD one for each message, or memory that has them all. */
struct many {
    size_t num;
    struct lc_aead_item *items;
    struct bytes *views;      /* of messages, nonces and AAD, num_views of them */
    size_t num_views;
    PyObject *sequences[3];   /* tuples that keep those alive */
    PyObject **results; /* what is written; in no list yet, which the garbage collector would show to others */
};

static PyObject *hold(struct many *m, size_t slot, PyObject *object, const char *what)
{
    return m->sequences[slot] = get_sequence(object, what);
}

static bool is_bytes_like(PyObject *object)
{
    return PyBytes_Check(object) || PyByteArray_Check(object) || PyObject_CheckBuffer(object);
}

/* The bytes of an element, held by one of m->views */
static const struct bytes *view_of(struct many *m, PyObject *object, const char *what)
{
    struct bytes *b = &m->views[m->num_views];

    if (!get_bytes(b, object, what))
        return NULL;
    m->num_views++;
    return b;
}

/* Each item's nonce: of a buffer with all of them, or of a sequence */
static bool get_nonces(struct many *m, PyObject *object, const struct kind *kind)
{
    const size_t len = kind->min_nonce_len == 8 ? 12 : kind->min_nonce_len;

    if (is_bytes_like(object)) {
        const struct bytes *all = view_of(m, object, "nonces");

        if (!all)
            return false;
        if (all->len % len || all->len / len != m->num) {
            PyErr_Format(PyExc_ValueError, "nonces have to be %zu times %zu bytes", m->num, len);
            return false;
        }
        for (size_t i = 0; i < m->num; i++)
            m->items[i].nonce = all->p + len * i;
        return true;
    }
    if (!hold(m, 1, object, "nonces"))
        return false;
    if ((size_t)PyTuple_Size(m->sequences[1]) != m->num) {
        PyErr_Format(PyExc_ValueError, "there have to be as many nonces as messages");
        return false;
    }
    for (size_t i = 0; i < m->num; i++) {
        const struct bytes *nonce = view_of(m, PyTuple_GetItem(m->sequences[1], (Py_ssize_t)i), "a nonce");

        if (!nonce)
            return false;
        if (nonce->len != len) {
            PyErr_Format(PyExc_ValueError, "a nonce of a call for many has %zu bytes", len);
            return false;
        }
        m->items[i].nonce = nonce->p;
    }
    return true;
}

/* Each item's AAD: none, one for all, or of a sequence */
static bool get_aads(struct many *m, PyObject *object)
{
    const struct bytes *one;

    if (!object || object == Py_None)
        return true;
    if (is_bytes_like(object)) {
        if (!(one = view_of(m, object, "associated_data")))
            return false;
        for (size_t i = 0; i < m->num; i++) {
            m->items[i].aad = one->p;
            m->items[i].aad_len = one->len;
        }
        return true;
    }
    if (!hold(m, 2, object, "associated_data"))
        return false;
    if ((size_t)PyTuple_Size(m->sequences[2]) != m->num) {
        PyErr_Format(PyExc_ValueError, "there has to be as much associated_data as messages");
        return false;
    }
    for (size_t i = 0; i < m->num; i++) {
        PyObject *element = PyTuple_GetItem(m->sequences[2], (Py_ssize_t)i);

        if (element == Py_None)
            continue;
        if (!(one = view_of(m, element, "associated_data")))
            return false;
        m->items[i].aad = one->p;
        m->items[i].aad_len = one->len;
    }
    return true;
}

/* Room for num messages with up to three views each */
static bool begin_many(struct many *m, size_t num)
{
    m->num = num;
    m->items = PyMem_Calloc(num ? num : 1, sizeof(*m->items));
    m->views = PyMem_Calloc(3 * num + 3, sizeof(*m->views));
    if (m->items && m->views)
        return true;
    PyErr_NoMemory();
    return false;
}

static void end_many(struct many *m)
{
    for (size_t i = 0; m->views && i < m->num_views; i++)
        put_bytes(&m->views[i]);
    for (size_t i = 0; i < 3; i++)
        Py_XDECREF(m->sequences[i]);
    for (size_t i = 0; m->results && i < m->num; i++)
        Py_XDECREF(m->results[i]);
    PyMem_Free(m->results);
    PyMem_Free(m->items);
    PyMem_Free(m->views);
}

/* All items.  XChaCha20 has a key for each of them. */
static void run_many(const struct aead *self, const struct many *m, bool decrypt)
{
    if (!self->kind->seal) {
        int status = (decrypt ? self->ops->open_many : self->ops->seal_many)(&self->key, m->items, m->num);

        (void)status; /* each item has its own */
        return;
    }
    for (size_t i = 0; i < m->num; i++) {
        struct lc_aead_item *a = &m->items[i];

        a->status =
            decrypt ? self->kind->open(&self->key, a->dst, a->src, a->len, a->tag, TAG_LEN, a->aad, a->aad_len, a->nonce, 24)
                    : self->kind->seal(&self->key, a->dst, a->tag, TAG_LEN, a->src, a->len, a->aad, a->aad_len, a->nonce, 24);
    }
}

/* seal_many and open_many: lists */
static PyObject *crypt_many(const struct aead *self, const char *function, bool decrypt, PyObject *const *args, Py_ssize_t num_args,
                            PyObject *kwnames)
{
    static const char *const names[] = { "nonces", "messages", "associated_data" };
    uint8_t too_short[TAG_LEN] = { 0 }; /* the tag of what has none; whatever comes out then, it is wrong */
    PyObject *values[3] = { NULL }, *list = NULL;
    struct many m = { 0 };
    PyThreadState *others;

    if (!get_arguments(function, names, 2, 3, args, num_args, kwnames, values) || !hold(&m, 0, values[1], "messages") ||
        !begin_many(&m, (size_t)PyTuple_Size(m.sequences[0])) || !get_nonces(&m, values[0], self->kind) || !get_aads(&m, values[2]))
        goto end;
    m.results = PyMem_Calloc(m.num ? m.num : 1, sizeof(*m.results));
    if (!m.results) {
        PyErr_NoMemory();
        goto end;
    }
    for (size_t i = 0; i < m.num; i++) {
        struct lc_aead_item *item = &m.items[i];
        const struct bytes *msg = view_of(&m, PyTuple_GetItem(m.sequences[0], (Py_ssize_t)i), "a message");
        uint8_t *out;

        if (!msg)
            goto end;
        item->len = decrypt ? msg->len < TAG_LEN ? 0 : msg->len - TAG_LEN : msg->len;
        m.results[i] = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(item->len + (decrypt ? 0 : TAG_LEN)));
        if (!m.results[i])
            goto end;
        out = (uint8_t *)PyBytes_AsString(m.results[i]);
        item->dst = out;
        item->src = msg->p;
        item->tag = !decrypt ? out + item->len : msg->len < TAG_LEN ? too_short : msg->p + item->len;
    }
    others = PyEval_SaveThread();
    run_many(self, &m, decrypt);
    PyEval_RestoreThread(others);
    for (size_t i = 0; !decrypt && i < m.num; i++)
        if (m.items[i].status != LC_OK) {
            raise_status(m.items[i].status);
            goto end;
        }
    list = PyList_New((Py_ssize_t)m.num);
    for (size_t i = 0; list && i < m.num; i++) {
        PyObject *result = m.items[i].status == LC_OK && m.items[i].tag != too_short ? m.results[i] : Py_None;

        Py_INCREF(result);
        PyList_SetItem(list, (Py_ssize_t)i, result);
    }
end:
    end_many(&m);
    return list;
}

uint64_t *get_offsets(PyObject *object, size_t *num)
{
    Py_buffer view;
    uint64_t *copy = NULL;

    if (PyObject_GetBuffer(object, &view, PyBUF_ND | PyBUF_FORMAT) != 0) {
        PyErr_SetString(PyExc_TypeError, "offsets must be a buffer of 64-bit integers, such as array('Q')");
        return NULL;
    }
    if (view.ndim != 1 || view.itemsize != 8 || !view.format || strlen(view.format) != 1 || !strchr("qQlLnN", view.format[0])) {
        PyErr_SetString(PyExc_TypeError, "offsets must be a buffer of 64-bit integers, such as array('Q')");
    } else if (view.len == 0) {
        PyErr_SetString(PyExc_ValueError, "offsets lack the end of the last message: there is one more than messages");
    } else {
        copy = PyMem_Malloc((size_t)view.len);
        if (copy) {
            memcpy(copy, view.buf, (size_t)view.len);
            *num = (size_t)view.len / 8;
        } else {
            PyErr_NoMemory();
        }
    }
    PyBuffer_Release(&view);
    return copy;
}

bool check_offsets(const uint64_t *offsets, size_t num, size_t len)
{
    for (size_t i = 0; i < num; i++)
        if (offsets[i] > len || (i && offsets[i] < offsets[i - 1]) || (!i && offsets[i])) {
            PyErr_Format(PyExc_ValueError, "offsets have to begin with 0, never go down, and end at most at %zu, the text's length",
                         len);
            return false;
        }
    return true;
}

/* seal_many_into and open_many_into: one buffer for all messages */
static PyObject *crypt_many_into(const struct aead *self, const char *function, bool decrypt, PyObject *const *args,
                                 Py_ssize_t num_args, PyObject *kwnames)
{
    static const char *const names[] = { "nonces", "data", "offsets", "out", "associated_data" };
    PyObject *values[5] = { NULL }, *result = NULL;
    struct bytes data = { 0 }, out = { 0 };
    struct many m = { 0 };
    uint64_t *offsets = NULL;
    PyThreadState *others;
    size_t num, text_len, sealed_len;
    bool overlaps;
    char *verdicts;

    if (!get_arguments(function, names, 4, 5, args, num_args, kwnames, values) || !get_bytes(&data, values[1], "data"))
        return NULL;
    if (!(offsets = get_offsets(values[2], &num)) || !get_writable(&out, values[3], "out") || !begin_many(&m, num - 1) ||
        !get_nonces(&m, values[0], self->kind) || !get_aads(&m, values[4]))
        goto end;
    if (decrypt ? data.len / TAG_LEN < m.num : out.len / TAG_LEN < m.num) {
        PyErr_Format(PyExc_ValueError, "%s is too short for %zu tags", decrypt ? "data" : "out", m.num);
        goto end;
    }
    text_len = decrypt ? data.len - TAG_LEN * m.num : data.len;
    sealed_len = decrypt ? data.len : out.len;
    if (!check_offsets(offsets, num, text_len))
        goto end;
    text_len = (size_t)offsets[m.num];
    if ((decrypt ? out.len : data.len) < text_len || sealed_len < text_len + TAG_LEN * m.num) {
        PyErr_Format(PyExc_ValueError, "out has %zu bytes, and needs %zu", out.len, text_len + (decrypt ? 0 : TAG_LEN * m.num));
        goto end;
    }
    overlaps = overlap(&out, &data);
    for (size_t i = 0; i < m.num_views; i++)
        overlaps |= overlap(&out, &m.views[i]);
    if (overlaps) {
        PyErr_SetString(PyExc_ValueError, "out overlaps what is read");
        goto end;
    }
    for (size_t i = 0; i < m.num; i++) {
        struct lc_aead_item *item = &m.items[i];
        uint8_t *text = (decrypt ? out.p : data.p) + offsets[i], *sealed = (decrypt ? data.p : out.p) + offsets[i] + TAG_LEN * i;

        item->len = (size_t)(offsets[i + 1] - offsets[i]);
        item->dst = decrypt ? text : sealed;
        item->src = decrypt ? sealed : text;
        item->tag = sealed + item->len;
    }
    others = PyEval_SaveThread();
    run_many(self, &m, decrypt);
    PyEval_RestoreThread(others);
    result = decrypt ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)m.num) : PyLong_FromSize_t(text_len + TAG_LEN * m.num);
    if (!result)
        goto end;
    verdicts = decrypt ? PyBytes_AsString(result) : NULL;
    for (size_t i = 0; i < m.num; i++)
        if (decrypt) {
            verdicts[i] = m.items[i].status == LC_OK;
        } else if (m.items[i].status != LC_OK) {
            Py_CLEAR(result);
            raise_status(m.items[i].status);
            break;
        }
end:
    PyMem_Free(offsets);
    put_bytes(&data);
    put_bytes(&out);
    end_many(&m);
    return result;
}

#define DEFINE(name, function, decrypt)                                                                                            \
    static PyObject *aead_##name(PyObject *self, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)                         \
    {                                                                                                                              \
        return function((const struct aead *)self, #name, decrypt, args, num, kwnames);                                            \
    }
DEFINE(seal_many, crypt_many, false)
DEFINE(open_many, crypt_many, true)
DEFINE(seal_many_into, crypt_many_into, false)
DEFINE(open_many_into, crypt_many_into, true)
#undef DEFINE

/* ---- Keys at random ---- */

static PyObject *random_key(size_t len)
{
    uint8_t key[64];
    PyObject *result;

    if (getrandom(key, len, 0) != (ssize_t)len)
        return PyErr_SetFromErrno(PyExc_OSError);
    result = PyBytes_FromStringAndSize((const char *)key, (Py_ssize_t)len);
    wipe_memory(key, sizeof(key));
    return result;
}

static PyObject *generate_256(PyObject *class, PyObject *unused)
{
    (void)class;
    (void)unused;
    return random_key(32);
}

static PyObject *generate_aes(PyObject *class, PyObject *bits, long halves)
{
    long n = PyLong_AsLong(bits);

    (void)class;
    if (n == -1 && PyErr_Occurred())
        return NULL;
    if (n != 128 && n != 192 && n != 256)
        return PyErr_Format(PyExc_ValueError, "bit_length must be 128, 192 or 256");
    return random_key((size_t)(n / 8 * halves));
}

static PyObject *generate_gcm(PyObject *class, PyObject *bits)
{
    return generate_aes(class, bits, 1);
}

static PyObject *generate_xts(PyObject *class, PyObject *bits)
{
    return generate_aes(class, bits, 2); /* two halves at random are never equal */
}

/* ---- XTS ---- */

struct xts {
    PyObject_HEAD bool is_set;
    struct lc_xts_key key;
};

static PyObject *new_xts(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = { "key", NULL };
    struct bytes raw;
    struct xts *self;
    PyObject *object;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &object) || !get_bytes(&raw, object, "key"))
        return NULL;
    self = ((struct xts * (*)(PyTypeObject *, Py_ssize_t)) PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self) {
        status = lc_xts_init(&self->key, raw.p, raw.len);
        self->is_set = status == LC_OK;
        if (status != LC_OK) {
            raise_status(status);
            Py_DECREF(self);
            self = NULL;
        }
    }
    put_bytes(&raw);
    return (PyObject *)self;
}

static void free_xts(PyObject *object)
{
    struct xts *self = (struct xts *)object;

    if (self->is_set)
        lc_xts_wipe(&self->key);
    free_object(object);
}

static PyObject *xts_implementation(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(lc_xts_impl_name(&((struct xts *)self)->key));
}

/* encrypt and decrypt: a data unit */
static PyObject *crypt_unit(const struct xts *self, const char *function, bool decrypt, PyObject *const *args, Py_ssize_t num,
                            PyObject *kwnames)
{
    static const char *const names[] = { "tweak", "data" };
    PyObject *values[2] = { NULL }, *result = NULL;
    struct bytes tweak = { 0 }, data = { 0 };
    PyThreadState *others;
    int status;

    if (!get_arguments(function, names, 2, 2, args, num, kwnames, values) || !get_bytes(&tweak, values[0], "tweak"))
        return NULL;
    if (tweak.len != 16) {
        PyErr_SetString(PyExc_ValueError, "a tweak has 16 bytes");
        goto end;
    }
    if (!get_bytes(&data, values[1], "data") || !(result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)data.len)))
        goto end;
    {
        uint8_t *out = (uint8_t *)PyBytes_AsString(result);

        if (data.len < RELEASE_LEN) {
            status = (decrypt ? lc_xts_decrypt : lc_xts_encrypt)(&self->key, out, data.p, data.len, tweak.p);
        } else {
            others = PyEval_SaveThread();
            status = (decrypt ? lc_xts_decrypt : lc_xts_encrypt)(&self->key, out, data.p, data.len, tweak.p);
            PyEval_RestoreThread(others);
        }
    }
    if (status != LC_OK) {
        Py_CLEAR(result);
        raise_status(status);
    }
end:
    put_bytes(&tweak);
    put_bytes(&data);
    return result;
}

/* encrypt_sectors and decrypt_sectors: units whose tweaks are their numbers */
static PyObject *crypt_sectors(const struct xts *self, const char *function, bool decrypt, PyObject *const *args, Py_ssize_t num,
                               PyObject *kwnames)
{
    static const char *const names[] = { "first", "data", "sector_size" };
    PyObject *values[3] = { NULL }, *result = NULL;
    struct bytes data = { 0 };
    PyThreadState *others;
    unsigned long long first;
    size_t sector_len;
    int status;

    if (!get_arguments(function, names, 3, 3, args, num, kwnames, values))
        return NULL;
    first = PyLong_AsUnsignedLongLong(values[0]);
    if (first == (unsigned long long)-1 && PyErr_Occurred())
        return NULL;
    sector_len = PyLong_AsSize_t(values[2]);
    if (sector_len == (size_t)-1 && PyErr_Occurred())
        return NULL;
    if (!get_bytes(&data, values[1], "data") || !(result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)data.len)))
        goto end;
    {
        uint8_t *out = (uint8_t *)PyBytes_AsString(result);

        others = PyEval_SaveThread();
        status =
            (decrypt ? lc_xts_decrypt_sectors : lc_xts_encrypt_sectors)(&self->key, out, data.p, data.len, sector_len, first, 1);
        PyEval_RestoreThread(others);
    }
    if (status != LC_OK) {
        Py_CLEAR(result);
        raise_status(status);
    }
end:
    put_bytes(&data);
    return result;
}

#define DEFINE(name, function, decrypt)                                                                                            \
    static PyObject *xts_##name(PyObject *self, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)                          \
    {                                                                                                                              \
        return function((const struct xts *)self, #name, decrypt, args, num, kwnames);                                             \
    }
DEFINE(encrypt, crypt_unit, false)
DEFINE(decrypt, crypt_unit, true)
DEFINE(encrypt_sectors, crypt_sectors, false)
DEFINE(decrypt_sectors, crypt_sectors, true)
#undef DEFINE

/* ---- The types and the module ---- */

#define AEAD_METHODS                                                                                                               \
    METHOD(aead, encrypt, 0), METHOD(aead, decrypt, 0), METHOD(aead, encrypt_into, 0), METHOD(aead, decrypt_into, 0),              \
        METHOD(aead, seal_many, 0), METHOD(aead, open_many, 0), METHOD(aead, seal_many_into, 0), METHOD(aead, open_many_into, 0)

static PyMethodDef gcm_methods[] = { AEAD_METHODS, { "generate_key", generate_gcm, METH_O | METH_STATIC, NULL }, { 0 } };
static PyMethodDef chacha_methods[] = { AEAD_METHODS, { "generate_key", generate_256, METH_NOARGS | METH_STATIC, NULL }, { 0 } };
static PyMethodDef xts_methods[] = {
    METHOD(xts, encrypt, 0),
    METHOD(xts, decrypt, 0),
    METHOD(xts, encrypt_sectors, 0),
    METHOD(xts, decrypt_sectors, 0),
    { "generate_key", generate_xts, METH_O | METH_STATIC, NULL },
    { 0 }
};
static PyGetSetDef aead_members[] = { { "implementation", aead_implementation, NULL, NULL, NULL }, { 0 } };
static PyGetSetDef xts_members[] = { { "implementation", xts_implementation, NULL, NULL, NULL }, { 0 } };

PyTypeObject *add_type(PyObject *module, const char *name, int size, newfunc new, destructor free, PyMethodDef *methods,
                       PyGetSetDef *members)
{
    PyType_Slot slots[] = { { Py_tp_new, (void *)new },
                            { Py_tp_dealloc, (void *)free },
                            { Py_tp_methods, methods },
                            { Py_tp_getset, members },
                            { 0, NULL } };
    PyType_Spec spec = { name, size, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots };
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    int error = PyModule_AddObjectRef(module, strchr(name, '.') + 1, type);

    Py_XDECREF(type);
    return error ? NULL : (PyTypeObject *)type;
}

static struct PyModuleDef module_definition = { PyModuleDef_HEAD_INIT, "_lanecrypt", NULL, -1, NULL, NULL, NULL, NULL, NULL };

PyMODINIT_FUNC PyInit__lanecrypt(void)
{
    PyObject *module = PyModule_Create(&module_definition);

    if (!module)
        return NULL;
    invalid_tag = PyErr_NewException("lanecrypt.InvalidTag", NULL, NULL);
    if (PyModule_AddObjectRef(module, "InvalidTag", invalid_tag) != 0 ||
        PyModule_AddStringConstant(module, "__version__", lc_version()) != 0)
        goto error;

    const struct {
        const char *name;
        int size;
        newfunc new;
        destructor free;
        PyMethodDef *methods;
        PyGetSetDef *members;
    } types[] = {
        { "lanecrypt.AESGCM", sizeof(struct aead), new_aesgcm, free_aead, gcm_methods, aead_members },
        { "lanecrypt.ChaCha20Poly1305", sizeof(struct aead), new_chacha, free_aead, chacha_methods, aead_members },
        { "lanecrypt.XChaCha20Poly1305", sizeof(struct aead), new_xchacha, free_aead, chacha_methods, aead_members },
        { "lanecrypt.AESXTS", sizeof(struct xts), new_xts, free_xts, xts_methods, xts_members },
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (!add_type(module, types[i].name, types[i].size, types[i].new, types[i].free, types[i].methods, types[i].members))
            goto error;
    if (!add_public_key_types(module) || !add_hash_functions(module))
        goto error;
    return module;
error:
    Py_DECREF(module);
    return NULL;
}

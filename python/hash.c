/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hash functions: the digests of many messages in a call, of a list or of one buffer.  Other threads run meanwhile.  If they change
 * a message, its digest is garbled, and nothing else: the buffers are held, and offsets are copied first.
 */
#include "module.h"

#include "lanecrypt/sha2.h"
#include "lanecrypt/sm3.h"

struct hash {
    const char *name, *into_name; /* of the functions */
    size_t len;
    int (*many)(const struct lc_hash_item *items, size_t num_items);
};

static int compute(const struct hash *hash, const struct lc_hash_item *items, size_t num)
{
    PyThreadState *others = PyEval_SaveThread();
    int status = hash->many(items, num);

    PyEval_RestoreThread(others);
    return status;
}

static PyObject *hash_list(const struct hash *hash, PyObject *const *args, Py_ssize_t num_args, PyObject *kwnames)
{
    static const char *const names[] = { "messages" };
    PyObject *values[1] = { NULL }, *messages, *list = NULL;
    struct lc_hash_item *items;
    struct bytes *views;
    uint8_t *digests;
    size_t num, num_views = 0;
    int status;

    if (!get_arguments(hash->name, names, 1, 1, args, num_args, kwnames, values) ||
        !(messages = get_sequence(values[0], "messages")))
        return NULL;
    num = (size_t)PyTuple_Size(messages);
    items = PyMem_Calloc(num + 1, sizeof(*items));
    views = PyMem_Calloc(num + 1, sizeof(*views));
    digests = PyMem_Calloc(num + 1, hash->len);
    if (!items || !views || !digests) {
        PyErr_NoMemory();
        goto end;
    }
    for (; num_views < num; num_views++) {
        struct bytes *msg = &views[num_views];

        if (!get_bytes(msg, PyTuple_GetItem(messages, (Py_ssize_t)num_views), "a message"))
            goto end;
        items[num_views] = (struct lc_hash_item){ digests + num_views * hash->len, msg->p, msg->len };
    }
    status = compute(hash, items, num);
    if (status != LC_OK) {
        raise_status(status);
        goto end;
    }
    list = PyList_New((Py_ssize_t)num);
    for (size_t i = 0; list && i < num; i++) {
        PyObject *digest = PyBytes_FromStringAndSize((const char *)items[i].digest, (Py_ssize_t)hash->len);

        if (digest)
            PyList_SetItem(list, (Py_ssize_t)i, digest);
        else
            Py_CLEAR(list);
    }
end:
    for (size_t i = 0; i < num_views; i++)
        put_bytes(&views[i]);
    if (digests)
        wipe_memory(digests, num * hash->len);
    PyMem_Free(digests);
    PyMem_Free(views);
    PyMem_Free(items);
    Py_DECREF(messages);
    return list;
}

static PyObject *hash_into(const struct hash *hash, PyObject *const *args, Py_ssize_t num_args, PyObject *kwnames)
{
    static const char *const names[] = { "data", "offsets", "out" };
    PyObject *values[3] = { NULL }, *result = NULL;
    struct bytes data = { 0 }, out = { 0 };
    struct lc_hash_item *items = NULL;
    uint64_t *offsets = NULL;
    size_t num;
    int status;

    if (!get_arguments(hash->into_name, names, 3, 3, args, num_args, kwnames, values) || !get_bytes(&data, values[0], "data"))
        return NULL;
    if (!(offsets = get_offsets(values[1], &num)) || !check_offsets(offsets, num, data.len) ||
        !get_writable(&out, values[2], "out"))
        goto end;
    num--;
    if (out.len / hash->len < num) {
        PyErr_Format(PyExc_ValueError, "out has %zu bytes, and needs %zu for each of %zu digests", out.len, hash->len, num);
        goto end;
    }
    if (overlap(&out, &data)) {
        PyErr_SetString(PyExc_ValueError, "out overlaps what is read");
        goto end;
    }
    items = PyMem_Calloc(num + 1, sizeof(*items));
    if (!items) {
        PyErr_NoMemory();
        goto end;
    }
    for (size_t i = 0; i < num; i++)
        items[i] = (struct lc_hash_item){ out.p + i * hash->len, data.p + offsets[i], (size_t)(offsets[i + 1] - offsets[i]) };
    status = compute(hash, items, num);
    result = status == LC_OK ? PyLong_FromSize_t(num * hash->len) : raise_status(status);
end:
    PyMem_Free(items);
    PyMem_Free(offsets);
    put_bytes(&data);
    put_bytes(&out);
    return result;
}

#define DEFINE(name, digest_len)                                                                                                   \
    static const struct hash name = { #name "_many", #name "_many_into", digest_len, lc_##name##_many };                           \
    static PyObject *name##_many(PyObject *unused, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)                       \
    {                                                                                                                              \
        (void)unused;                                                                                                              \
        return hash_list(&name, args, num, kwnames);                                                                               \
    }                                                                                                                              \
    static PyObject *name##_many_into(PyObject *unused, PyObject *const *args, Py_ssize_t num, PyObject *kwnames)                  \
    {                                                                                                                              \
        (void)unused;                                                                                                              \
        return hash_into(&name, args, num, kwnames);                                                                               \
    }
DEFINE(sha256, LC_SHA256_LEN)
DEFINE(sha384, LC_SHA384_LEN)
DEFINE(sha512, LC_SHA512_LEN)
DEFINE(sm3, LC_SM3_LEN)
#undef DEFINE

bool add_hash_functions(PyObject *module)
{
#define BOTH(name) FUNCTION(name##_many), FUNCTION(name##_many_into)
    static PyMethodDef functions[] = { BOTH(sha256), BOTH(sha384), BOTH(sha512), BOTH(sm3), { 0 } };

    return PyModule_AddFunctions(module, functions) == 0;
}

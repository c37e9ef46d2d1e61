/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the files of the module lanecrypt._lanecrypt share; _lanecrypt.c says how memory is kept. */
#ifndef LANECRYPT_PYTHON_MODULE_H
#define LANECRYPT_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * values[i] = the argument called names[i], of max; those from min on may be missing, which leaves their value as it is.  False: an
 * exception is set.
 */
bool get_arguments(const char *function, const char *const *names, Py_ssize_t min, Py_ssize_t max, PyObject *const *args,
                   Py_ssize_t num, PyObject *kwnames, PyObject **values);

/* Bytes that are read or written, until put_bytes().  Zeros: none. */
struct bytes {
    Py_buffer view; /* its obj: NULL for what is of the type bytes, which needs none */
    uint8_t *p;
    size_t len;
};

bool get_bytes(struct bytes *b, PyObject *object, const char *what);
bool get_writable(struct bytes *b, PyObject *object, const char *what);
void put_bytes(struct bytes *b);
bool overlap(const struct bytes *a, const struct bytes *b);

/* Overwrites what was secret; the compiler can't drop it. */
void wipe_memory(void *p, size_t len);

/* A tuple of a sequence's elements, which stay; NULL: an exception is set. */
PyObject *get_sequence(PyObject *object, const char *what);

/* Offsets as they are now: a copy of a buffer of 64-bit integers, num of them, for PyMem_Free().  NULL: an exception is set. */
uint64_t *get_offsets(PyObject *object, size_t *num);

/* Do these begin with 0, never go down, and end at most at len?  False: an exception is set. */
bool check_offsets(const uint64_t *offsets, size_t num, size_t len);

/* The exception for a status of the library.  NULL. */
PyObject *raise_status(int status);

/* For types that are made by a specification and have no cycles */
void free_object(PyObject *self);

/* A type, which the module gets; its name is "lanecrypt." and more.  NULL: an exception is set.  The reference is borrowed. */
PyTypeObject *add_type(PyObject *module, const char *name, int size, newfunc new, destructor free, PyMethodDef *methods,
                       PyGetSetDef *members);

/* Functions of the module and methods with positional and keyword arguments.  (A cast by way of a third type, as -Wpedantic wants
 * it.) */
#define CALLABLE(name, function, flags)                                                                                            \
    { name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS | (flags), NULL }
#define FUNCTION(name) CALLABLE(#name, name, 0)
#define METHOD(prefix, name, flags) CALLABLE(#name, prefix##_##name, flags)

/* publickey.c and hash.c: what they have.  False: an exception is set. */
bool add_public_key_types(PyObject *module);
bool add_hash_functions(PyObject *module);

#endif

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Reading a file or block device and writing another one whole or not at all.
 * Every function that can fail prints its own message with cli_error() and returns false.
 */
#ifndef LANECRYPT_FILE_IO_H
#define LANECRYPT_FILE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct input {
    const char *path;
    int fd;
    struct stat st;
    uint64_t size; /* bytes, of a block device too */
};

struct output {
    const char *path;
    int fd;
    bool is_part;     /* data goes to a temporary file in OUT's folder that replaces OUT at the end */
    bool is_nameless; /* of which nothing stays behind, whatever happens; else it's lanecrypt.XXXXXX.part */
    bool force;       /* OUT may exist */
    mode_t mode;      /* of OUT at the end; the temporary file is 0600 */
};

/*
 * Open a regular file or block device; `writable` for one that is to be changed in place, which no other process may be reading or
 * changing then.
 */
bool input_open(struct input *in, const char *path, bool writable);

/*
 * Make ready to write len bytes to `path`, with the room for them set aside where the file system can.
 * Until output_commit() a regular OUT does not exist (or is the old one); a block device is written directly.
 * A signal that ends the program removes the temporary file first and then says what was interrupted.
 */
bool output_open(struct output *out, const char *path, const struct input *in, uint64_t len, bool force);

/* The same for changing `in` itself, from byte `offset` on. */
bool output_open_in_place(struct output *out, const struct input *in, uint64_t offset, uint64_t len, bool force);

/* Bring the data to the disk and give OUT its name. If that fails, the temporary file is removed. */
bool output_commit(struct output *out);

/* Remove the temporary file. */
void output_discard(void);

/* Transfer exactly len bytes. Return 0, an errno value or, reading, END_OF_FILE if the file ended before them. */
#define END_OF_FILE (-1)
int read_at(int fd, void *buf, size_t len, uint64_t offset);
int write_at(int fd, const void *buf, size_t len, uint64_t offset);

#endif

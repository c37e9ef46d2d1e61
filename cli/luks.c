/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "luks.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* What is used of libcryptsetup 2.4 and later, as its header has it. */
struct crypt_device;

#define CRYPTSETUP_FUNCTIONS(FUNCTION)                                                                                             \
    FUNCTION(int, crypt_init, (struct crypt_device * *cd, const char *device))                                                     \
    FUNCTION(void, crypt_free, (struct crypt_device * cd))                                                                         \
    FUNCTION(int, crypt_load, (struct crypt_device * cd, const char *type, void *params))                                          \
    FUNCTION(int, crypt_metadata_locking, (struct crypt_device * cd, int enable))                                                  \
    FUNCTION(void, crypt_set_log_callback,                                                                                         \
             (struct crypt_device * cd, void (*log)(int level, const char *message, void *usrptr), void *usrptr))                  \
    FUNCTION(int, crypt_volume_key_get,                                                                                            \
             (struct crypt_device * cd, int slot, char *key, size_t *key_len, const char *passphrase, size_t passphrase_len))      \
    FUNCTION(const char *, crypt_get_type, (struct crypt_device * cd))                                                             \
    FUNCTION(const char *, crypt_get_cipher, (struct crypt_device * cd))                                                           \
    FUNCTION(const char *, crypt_get_cipher_mode, (struct crypt_device * cd))                                                      \
    FUNCTION(int, crypt_get_sector_size, (struct crypt_device * cd))                                                               \
    FUNCTION(uint64_t, crypt_get_data_offset, (struct crypt_device * cd))                                                          \
    FUNCTION(uint64_t, crypt_get_iv_offset, (struct crypt_device * cd))                                                            \
    FUNCTION(int, crypt_dump_json, (struct crypt_device * cd, const char **json, uint32_t flags))

enum { ANY_SLOT = -1, LOG_ERROR = 1 };

static struct {
#define MEMBER(type, name, args) type(*name) args;
    CRYPTSETUP_FUNCTIONS(MEMBER)
#undef MEMBER
} lib;

static bool load_library(void)
{
    static const char name[] = "libcryptsetup.so.12";
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL), *symbol;

    if (!handle) {
        cli_error("xts: --luks reads headers by libcryptsetup: %s; install it (Debian: libcryptsetup12)", dlerror());
        return false;
    }
#define GET(type, function, args)                                                                                                  \
    symbol = dlsym(handle, #function);                                                                                             \
    if (!symbol) {                                                                                                                 \
        cli_error("xts: --luks: %s has no %s(): libcryptsetup 2.4 or later is needed", name, #function);                           \
        return false;                                                                                                              \
    }                                                                                                                              \
    memcpy(&lib.function, &symbol, sizeof(symbol));
    CRYPTSETUP_FUNCTIONS(GET)
#undef GET
    return true;
}

static void pass_on(int level, const char *message, void *usrptr)
{
    (void)usrptr;
    if (level == LOG_ERROR)
        cli_error("libcryptsetup: %.*s", (int)strcspn(message, "\n"), message);
}

/* LUKS2 may have several areas of data, while it's being re-encrypted, and tags between sectors: what says which of both. */
static const char *segment_trouble(struct luks_volume *v, const json_t *header)
{
    const json_t *segments = json_object_get(header, "segments"), *segment = json_object_get(segments, "0");
    const json_t *requirements = json_object_get(json_object_get(header, "config"), "requirements");
    const char *size = json_string_value(json_object_get(segment, "size"));
    const char *type = json_string_value(json_object_get(segment, "type"));
    const char *tweak = json_string_value(json_object_get(segment, "iv_tweak"));
    char *end;

    if (json_array_size(json_object_get(requirements, "mandatory")) != 0)
        return "it has requirements that this program doesn't know, as re-encryption makes them; see cryptsetup luksDump";
    if (json_object_size(segments) != 1 || !size)
        return "it is being re-encrypted, or its data isn't in one piece; finish that with cryptsetup";
    if (!type || strcmp(type, "crypt") != 0)
        return "its data isn't encrypted, or not only by software";
    if (!tweak || strcmp(tweak, "0") != 0) /* libcryptsetup passes over it */
        return "its sectors' numbers don't begin with 0";
    if (json_object_get(segment, "integrity"))
        return "it has authentication tags between its sectors, which dm-integrity manages";
    if (strcmp(size, "dynamic") == 0)
        return NULL;
    errno = 0;
    v->length = strtoull(size, &end, 10);
    return errno || *end || v->length == 0 ? "its header has a size that isn't one" : NULL;
}

static const char *trouble(struct luks_volume *v, struct crypt_device *cd)
{
    const char *type = lib.crypt_get_type(cd), *cipher = lib.crypt_get_cipher(cd), *mode = lib.crypt_get_cipher_mode(cd);
    const char *text, *why = "its header can't be read";
    json_t *header;

    if (!cipher || !mode || strcmp(cipher, "aes") != 0 || strcmp(mode, "xts-plain64") != 0)
        return "its cipher isn't aes-xts-plain64, which is all that this program has";
    if (type && strcmp(type, "LUKS1") == 0)
        return NULL;
    header = lib.crypt_dump_json(cd, &text, 0) == 0 ? json_loads(text, 0, NULL) : NULL;
    if (header)
        why = segment_trouble(v, header);
    json_decref(header);
    return why;
}

static bool read_header(struct luks_volume *v, struct crypt_device *cd, const char *path, const char *passphrase, size_t len)
{
    const char *why;
    int slot;

    if (lib.crypt_load(cd, NULL, NULL) != 0) {
        cli_error("%s: has no header of LUKS1 or LUKS2 that libcryptsetup can read", path);
        return false;
    }
    why = trouble(v, cd);
    if (why) {
        cli_error("%s: --luks can't open this volume: %s", path, why);
        return false;
    }
    v->offset = lib.crypt_get_data_offset(cd) * 512;
    if (v->offset == 0) {
        cli_error("%s: is a detached header: its data lies in another file, which --luks doesn't know", path);
        return false;
    }
    v->sector_size = (uint64_t)lib.crypt_get_sector_size(cd);
    if (v->sector_size < 512 || v->sector_size > 4096 || (v->sector_size & (v->sector_size - 1)) != 0) {
        cli_error("%s: its header says that sectors have %" PRIu64 " bytes, not 512, 1024, 2048 or 4096", path, v->sector_size);
        return false;
    }
    v->first_sector = lib.crypt_get_iv_offset(cd);
    v->key_len = sizeof(v->key);
    slot = lib.crypt_volume_key_get(cd, ANY_SLOT, (char *)v->key, &v->key_len, passphrase, len);
    if (slot == -EPERM || slot == -ENOENT)
        cli_error("%s: no key slot opens by this passphrase (a newline in its file counts too)", path);
    else if (slot < 0)
        cli_error("%s: cannot get the volume key: %s", path, strerror(-slot));
    return slot >= 0;
}

bool luks_open(struct luks_volume *v, const char *path, const char *passphrase, size_t passphrase_len)
{
    struct crypt_device *cd;
    int err;
    bool ok;

    *v = (struct luks_volume){ 0 };
    if (!load_library())
        return false;
    lib.crypt_set_log_callback(NULL, pass_on, NULL);
    lib.crypt_metadata_locking(NULL, 0); /* its folder is root's; a header that's only read needs none */
    err = access(path, R_OK) == 0 ? -lib.crypt_init(&cd, path) : errno;
    if (err != 0) {
        cli_error("%s: %s", path, strerror(err));
        return false;
    }
    ok = read_header(v, cd, path, passphrase, passphrase_len);
    lib.crypt_free(cd);
    return ok;
}

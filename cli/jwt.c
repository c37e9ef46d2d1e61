/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define _GNU_SOURCE
#include "jwt.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

const char *const jwt_alg_names[NUM_JWT_ALGS] = { "ES256", "ES384", "EdDSA", "RS256", "PS256" };

static const enum jwk_kind kind_of_alg[NUM_JWT_ALGS] = { JWK_P256, JWK_P384, JWK_ED25519, JWK_RSA, JWK_RSA };

static size_t sig_len_of(const struct jwk *key)
{
    switch (key->kind) {
    case JWK_P256: return 64;
    case JWK_P384: return 96;
    case JWK_ED25519: return LC_ED25519_SIG_LEN;
    default: return lc_rsa_public_len(&key->key.rsa);
    }
}

/* Of a member that is there twice, others may take the other one.  No number is of interest, so a large one is no error. */
#define HOW_TO_READ (JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL)

enum { MAX_DEPTH = 64 }; /* of a header's JSON; headers with certificates or keys in them have 3 */

/*
 * malloc() that ends the program if there is no memory: a header that couldn't be kept or read says nothing of its token.  Jansson
 * takes some such failures for errors of the text, and doesn't see others.
 */
static void *must_malloc(size_t len)
{
    void *memory = malloc(len);

    if (!memory) {
        cli_error("no memory for what the keys and headers say");
        _exit(EXIT_FAILED);
    }
    return memory;
}

/* Bits of a character of base64url, or -1. */
static int base64url_bits(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '-'             ? 62
           : c == '_'             ? 63
                                  : -1;
}

/*
 * base64url without padding (RFC 7515, 2).  Bits that don't make a byte have to be zero, so that there is one text for some bytes.
 * out: room for 3 / 4 len bytes, or NULL if only the form is of interest.  Returns the number of bytes, or -1.
 */
static long base64url_decode(uint8_t *out, const char *text, size_t len)
{
    unsigned bits = 0, num_bits = 0;
    long out_len = 0;

    for (size_t i = 0; i < len; i++) {
        int value = base64url_bits(text[i]);

        if (value < 0)
            return -1;
        bits = bits << 6 | (unsigned)value;
        num_bits += 6;
        if (num_bits >= 8) {
            num_bits -= 8;
            if (out)
                out[out_len] = (uint8_t)(bits >> num_bits);
            out_len++;
            bits &= (1U << num_bits) - 1;
        }
    }
    return num_bits < 6 && bits == 0 ? out_len : -1;
}

/* ---- Keys ---- */

/* The algorithm of that name, or NUM_JWT_ALGS.  Ed25519 is what RFC 9864 calls EdDSA with this curve. */
static enum jwt_alg alg_of_name(const char *name)
{
    enum jwt_alg alg = 0;

    if (strcmp(name, "Ed25519") == 0)
        return JWT_EDDSA;
    while (alg < NUM_JWT_ALGS && strcmp(name, jwt_alg_names[alg]) != 0)
        alg++;
    return alg;
}

/* A member that is bytes in base64url: exactly len of them to out. */
static bool get_bytes(const json_t *jwk, const char *name, uint8_t *out, size_t len)
{
    const json_t *value = json_object_get(jwk, name);
    size_t text_len = value ? json_string_length(value) : 0;

    return text_len == (len * 4 + 2) / 3 && base64url_decode(out, json_string_value(value), text_len) == (long)len;
}

/* A member that is bytes in base64url: up to room of them to out.  Returns how many, or 0. */
static size_t get_number(const json_t *jwk, const char *name, uint8_t *out, size_t room)
{
    const json_t *value = json_object_get(jwk, name);
    size_t text_len = value ? json_string_length(value) : 0;
    long len = text_len / 4 * 3 + 2 <= room ? base64url_decode(out, json_string_value(value), text_len) : 0;

    return len > 0 ? (size_t)len : 0;
}

static bool has_operation(const json_t *operations, const char *name)
{
    const json_t *operation;
    size_t i;

    json_array_foreach(operations, i, operation) {
        if (json_is_string(operation) && strcmp(json_string_value(operation), name) == 0)
            return true;
    }
    return false;
}

static const char *make_rsa(struct jwk *key, const json_t *jwk)
{
    uint8_t n[LC_RSA_MAX_LEN + 8], e[40];
    size_t n_len = get_number(jwk, "n", n, sizeof(n)), e_len = get_number(jwk, "e", e, sizeof(e));
    int status;

    if (n_len == 0 || e_len == 0)
        return "n or e isn't a number of up to 4096 or 256 bits in base64url";
    status = lc_rsa_public_init(&key->key.rsa, n, n_len, e, e_len);
    return status == LC_ERR_KEY_LEN ? "n hasn't 2048, 3072 or 4096 bits" : status == LC_OK ? NULL : lc_strerror(status);
}

/* Make a key of a JWK.  Returns NULL, or why it can't be used, as a constant string. */
static const char *make_key(struct jwk *key, const json_t *jwk)
{
    const char *kty = json_string_value(json_object_get(jwk, "kty")), *crv = json_string_value(json_object_get(jwk, "crv"));
    const json_t *alg = json_object_get(jwk, "alg"), *use = json_object_get(jwk, "use"), *ops = json_object_get(jwk, "key_ops");
    const json_t *kid = json_object_get(jwk, "kid");
    const char *problem = NULL;
    uint8_t raw[97] = { 4 };
    int status = LC_OK;

    if (!kty)
        return "it has no kty";
    if (strcmp(kty, "EC") == 0 && crv && strcmp(crv, "P-256") == 0)
        key->kind = JWK_P256;
    else if (strcmp(kty, "EC") == 0 && crv && strcmp(crv, "P-384") == 0)
        key->kind = JWK_P384;
    else if (strcmp(kty, "OKP") == 0 && crv && strcmp(crv, "Ed25519") == 0)
        key->kind = JWK_ED25519;
    else if (strcmp(kty, "RSA") == 0)
        key->kind = JWK_RSA;
    else
        return "it isn't of P-256, P-384, Ed25519 or RSA";
    if (use && (!json_is_string(use) || strcmp(json_string_value(use), "sig") != 0))
        return "its use isn't sig";
    if (ops && !has_operation(ops, "verify"))
        return "verify isn't among its key_ops";
    key->alg = alg && json_is_string(alg) ? alg_of_name(json_string_value(alg)) : NUM_JWT_ALGS;
    if (alg && (key->alg == NUM_JWT_ALGS || kind_of_alg[key->alg] != key->kind))
        return "its alg isn't one of its kind that is verified here";
    if (kid && !json_is_string(kid))
        return "its kid isn't a string";

    if (key->kind == JWK_RSA) {
        problem = make_rsa(key, jwk);
    } else if (key->kind == JWK_ED25519) {
        if (!get_bytes(jwk, "x", raw, 32))
            return "x isn't 32 bytes in base64url";
        status = lc_ed25519_public_init(&key->key.ed25519, raw, 32);
    } else {
        size_t len = key->kind == JWK_P256 ? 32 : 48;

        if (!get_bytes(jwk, "x", raw + 1, len) || !get_bytes(jwk, "y", raw + 1 + len, len))
            return "x or y isn't a number of the curve's length in base64url";
        if (key->kind == JWK_P256)
            status = lc_ecdsa_p256_public_init(&key->key.p256, raw, 1 + 2 * len);
        else
            status = lc_ecdsa_p384_public_init(&key->key.p384, raw, 1 + 2 * len);
    }
    if (problem || status != LC_OK)
        return problem ? problem : lc_strerror(status);
    key->kid_json = json_dumps(kid, JSON_ENCODE_ANY | JSON_ENSURE_ASCII); /* which may go to a terminal */
    if (!kid)
        key->kid_json = strdup("null");
    else
        key->kid = strdup(json_string_value(kid));
    return key->kid_json && (!kid || key->kid) ? NULL : "there is no memory for it";
}

/* Which of two keys comes first: by kind, then by kid, those without one first. */
static int compare(enum jwk_kind kind_a, const char *kid_a, enum jwk_kind kind_b, const char *kid_b)
{
    if (kind_a != kind_b)
        return (int)kind_a - (int)kind_b;
    return !kid_a || !kid_b ? !!kid_a - !!kid_b : strcmp(kid_a, kid_b);
}

static int compare_keys(const void *a, const void *b)
{
    const struct jwk *x = a, *y = b;

    return compare(x->kind, x->kid, y->kind, y->kid);
}

/* jwks: the set as JSON, or one key. */
static bool make_keys(struct jwks *set, const char *path, json_t *jwks)
{
    json_t *list = json_object_get(jwks, "keys");
    size_t num = json_is_array(list) ? json_array_size(list) : 1;

    if (!json_is_array(list) && (list || !json_object_get(jwks, "kty"))) {
        cli_error("%s: not a JWK Set: there is no array 'keys' in it, and it isn't a key", path);
        return false;
    }
    set->keys = calloc(num ? num : 1, sizeof(*set->keys));
    if (!set->keys) {
        cli_error("%s: no memory for %zu keys", path, num);
        return false;
    }
    for (size_t i = 0; i < num; i++) {
        const json_t *jwk = json_is_array(list) ? json_array_get(list, i) : jwks;
        const char *problem = json_is_object(jwk) ? make_key(&set->keys[set->num_keys], jwk) : "it isn't an object";
        const char *kid = json_string_value(json_object_get(jwk, "kid"));

        if (!problem)
            set->num_keys++;
        else
            cli_error("%s: key %zu%s%s is left out: %s", path, i + 1, kid ? ", kid " : "", kid ? kid : "", problem);
    }
    if (set->num_keys == 0) {
        cli_error("%s: no key in it can be used", path);
        return false;
    }
    qsort(set->keys, set->num_keys, sizeof(*set->keys), compare_keys);
    for (size_t i = 1; i < set->num_keys; i++)
        if (set->keys[i].kid && compare_keys(&set->keys[i - 1], &set->keys[i]) == 0) {
            cli_error("%s: two keys of one kind have the kid %s", path, set->keys[i].kid);
            return false;
        }
    return true;
}

bool jwks_load(struct jwks *set, const char *path)
{
    json_error_t error;
    json_t *jwks;
    bool ok = false;

    json_set_alloc_funcs(must_malloc, free);
    jwks = json_load_file(path, HOW_TO_READ, &error);
    *set = (struct jwks){ 0 };
    if (!jwks && error.line > 0)
        cli_error("%s: line %d isn't JSON: %s", path, error.line, error.text);
    else if (!jwks)
        cli_error("%s", error.text); /* it has the file's name */
    else
        ok = make_keys(set, path, jwks);
    json_decref(jwks);
    return ok;
}

void jwks_free(struct jwks *set)
{
    for (size_t i = 0; i < set->num_keys; i++) {
        const struct lc_ecdsa_p256_public_key *prepared = set->keys[i].p256_prepared;

        free(set->keys[i].kid);
        free(set->keys[i].kid_json);
        free((void *)(uintptr_t)prepared);
    }
    free(set->keys);
    *set = (struct jwks){ 0 };
}

/* ---- Tokens ---- */

/* The algorithm and the key that a header wants.  Returns NULL, or what is wrong. */
static const char *find_key(enum jwt_alg *alg, struct jwk **key, const struct jwks *set, const json_t *header)
{
    const char *alg_name = json_string_value(json_object_get(header, "alg"));
    const json_t *kid_member = json_object_get(header, "kid");
    const char *kid = json_string_value(kid_member);
    size_t first = 0, end = set->num_keys, num_fit = 0;

    if (!json_is_object(header))
        return "the header isn't an object";
    if (json_object_get(header, "crit"))
        return "the header has crit, of which nothing is understood";
    if (!alg_name)
        return "the header has no alg";
    *alg = alg_of_name(alg_name);
    if (*alg == NUM_JWT_ALGS)
        return "its alg isn't one that is verified here";
    if (kid_member && !kid)
        return "its kid isn't a string";
    /* The first key of its kind: with a kid, the only one that can have it; without one any may be meant. */
    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (compare(set->keys[middle].kind, set->keys[middle].kid, kind_of_alg[*alg], kid) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    for (size_t i = first; i < set->num_keys && num_fit < 2 && set->keys[i].kind == kind_of_alg[*alg]; i++) {
        if (kid && (!set->keys[i].kid || strcmp(set->keys[i].kid, kid) != 0))
            break;
        if (set->keys[i].alg == *alg || set->keys[i].alg == NUM_JWT_ALGS) {
            *key = &set->keys[i];
            num_fit++;
        }
    }
    if (num_fit == 1)
        return NULL;
    return num_fit ? "it has no kid, and more than one key is for its alg" : "there is no key with its kid and alg";
}

/*
 * Is it nested too deeply?  Jansson calls itself for each level, up to 2048 of them, which is more than the stacks have that musl
 * gives to threads.  Of what isn't JSON it sees no more than what is counted here.
 */
static bool is_deep(const char *json, size_t len)
{
    bool in_string = false;
    size_t depth = 0;

    for (size_t i = 0; i < len && depth <= MAX_DEPTH; i++) {
        if (in_string && json[i] == '\\')
            i++;
        else if (json[i] == '"')
            in_string = !in_string;
        else if (!in_string && (json[i] == '[' || json[i] == '{'))
            depth++;
        else if (!in_string && (json[i] == ']' || json[i] == '}') && depth > 0)
            depth--;
    }
    return depth > MAX_DEPTH;
}

/* len / 4 * 3 < JWT_MAX_HEADER_LEN */
static const char *parse_header(enum jwt_alg *alg, struct jwk **key, const struct jwks *set, const char *text, size_t len)
{
    char json[JWT_MAX_HEADER_LEN];
    const char *problem;
    json_t *header;
    long json_len;

    json_len = base64url_decode((uint8_t *)json, text, len);
    if (json_len < 0)
        return "the header isn't base64url";
    if (is_deep(json, (size_t)json_len))
        return "the header is nested too deeply";
    header = json_loadb(json, (size_t)json_len, HOW_TO_READ, NULL);
    problem = header ? find_key(alg, key, set, header) : "the header isn't JSON";
    json_decref(header);
    return problem;
}

/* The same, of a header that may have been met before. */
static const char *get_header(struct jwt *jwt, const struct jwks *set, struct jwt_header *headers, const char *text, size_t len)
{
    struct jwt_header *header;
    uint32_t hash = 2166136261; /* FNV-1a.  Who chooses headers that meet makes them be read again, no more. */

    if (len / 4 * 3 >= JWT_MAX_HEADER_LEN)
        return "the header is too long"; /* and isn't kept, as a line can have a megabyte of it */
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619;
    header = &headers[(hash ^ hash >> 16) % NUM_JWT_HEADERS];
    if (!header->text || header->len != len || memcmp(header->text, text, len) != 0) {
        char *copy = must_malloc(len + 1);

        memcpy(copy, text, len);
        free(header->text);
        *header = (struct jwt_header){ .text = copy, .len = len };
        header->problem = parse_header(&header->alg, &header->key, set, text, len);
    }
    jwt->alg = header->alg;
    jwt->key = header->key;
    return header->problem;
}

void jwt_headers_free(struct jwt_header *headers)
{
    for (size_t i = 0; i < NUM_JWT_HEADERS; i++)
        free(headers[i].text);
}

const char *jwt_parse(struct jwt *jwt, const struct jwks *set, struct jwt_header *headers, const char *text, size_t len)
{
    const char *dot = memchr(text, '.', len), *end = text + len;
    const char *dot2 = dot ? memchr(dot + 1, '.', (size_t)(end - (dot + 1))) : NULL;
    const char *problem;
    size_t sig_len;

    if (!dot2 || memchr(dot2 + 1, '.', (size_t)(end - (dot2 + 1))))
        return "it hasn't three parts with a dot between them";
    problem = get_header(jwt, set, headers, text, (size_t)(dot - text));
    if (problem)
        return problem;
    if (base64url_decode(NULL, dot + 1, (size_t)(dot2 - (dot + 1))) < 0)
        return "the payload isn't base64url";
    sig_len = sig_len_of(jwt->key);
    if ((size_t)(end - (dot2 + 1)) != (sig_len * 4 + 2) / 3 ||
        base64url_decode(jwt->sig, dot2 + 1, (size_t)(end - (dot2 + 1))) != (long)sig_len)
        return "the signature isn't base64url of its key's length";
    jwt->msg = (const uint8_t *)text;
    jwt->msg_len = (size_t)(dot2 - text);
    return NULL;
}

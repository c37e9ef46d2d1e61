/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PEM (RFC 7468).  A block is read twice: is it right, and then what is in it.  No table is read by a character, and no branch is
 * made of one but where it ends a line: a block's characters may be those of a private key.
 */
#include "lanecrypt/pem.h"
#include "mod.h"

struct piece {
    const uint8_t *at;
    size_t len;
};

/* ---- Lines ---- */

/* (Not inline, so that this branch has a place: of a secret character it tells that it isn't the end of a line.) */
static __attribute__((noinline)) size_t line_len(const uint8_t *text, size_t len)
{
    size_t i = 0;

    while (i < len && text[i] != '\n')
        i++;
    return i;
}

/* Take a line from the front, without its end.  Returns 1, or 0 if there is none. */
static int take_line(struct piece *line, struct piece *text)
{
    const size_t len = line_len(text->at, text->len), end = len < text->len ? len + 1 : len;

    if (text->len == 0)
        return 0;
    *line = (struct piece){ text->at, len > 0 && text->at[len - 1] == '\r' ? len - 1 : len };
    text->at += end;
    text->len -= end;
    return 1;
}

/* The first character alone decides that a block's line begins with none of these. */
static int begins_with(const struct piece *line, const char *what)
{
    const size_t len = strlen(what);

    return line->len >= len && line->at[0] == (uint8_t)what[0] && memcmp(line->at, what, len) == 0;
}

/* "-----BEGIN label-----", or with END */
static int is_boundary(struct piece *label, const struct piece *line, const char *begin)
{
    const size_t len = strlen(begin);

    if (!begins_with(line, begin) || line->len < len + 6 || memcmp(line->at + line->len - 5, "-----", 5) != 0)
        return 0;
    *label = (struct piece){ line->at + len, line->len - len - 5 };
    return 1;
}

static int same_label(const struct piece *a, const uint8_t *b, size_t b_len)
{
    return a->len == b_len && memcmp(a->at, b, b_len) == 0;
}

/* ---- Base64 ---- */

/* -1 if first <= c <= last, else 0 */
static uint32_t in_range(uint32_t c, uint32_t first, uint32_t last)
{
    return (uint32_t)lc_opaque(0 - (uint64_t)(((first - 1 - c) & (c - last - 1)) >> 31));
}

/* The value of a character; that of "=" is 0, and *pads counts it.  *wrong: not 0 if it's another one, or the fourth "=". */
static uint32_t value_of(uint32_t c, uint32_t *pads, uint32_t *wrong)
{
    const uint32_t upper = in_range(c, 'A', 'Z'), lower = in_range(c, 'a', 'z'), digit = in_range(c, '0', '9');
    const uint32_t plus = in_range(c, '+', '+'), slash = in_range(c, '/', '/'), pad = in_range(c, '=', '=');

    *pads += pad & 1;
    *wrong |= ~(upper | lower | digit | plus | slash | pad) | *pads >> 2;
    return (upper & (c - 'A')) | (lower & (c - 'a' + 26)) | (digit & (c - '0' + 52)) | (plus & 62) | (slash & 63);
}

static uint8_t *put(uint8_t *to, uint32_t bits, size_t num)
{
    for (size_t i = 0; i < num; i++)
        to[i] = (uint8_t)(bits >> (16 - 8 * i));
    return to + num;
}

/*
 * What follows the BEGIN, up to the END: to der, unless that's NULL.  Returns 1, or 0 if it isn't right.  label: the BEGIN's, or
 * NULL when it has been compared already, as what is written may take its place.  Three bytes are written when the next character
 * comes, as the last ones may be fewer.  (Not inline, so that this branch has a place: is it right?)
 */
static __attribute__((noinline)) int decode_lines(uint8_t *der, size_t *der_len, struct piece text, const struct piece *label)
{
    uint32_t bits = 0, wrong = 0, pads = 0;
    uint8_t last[2] = { 0, 0 };
    struct piece line, end;
    size_t num = 0, num_pads;

    for (;;) {
        if (!take_line(&line, &text) || line.len == 0)
            return 0;
        if (line.at[0] == '-')
            break;
        for (size_t i = 0; i < line.len; i++) {
            if (der && num > 0 && num % 4 == 0)
                der = put(der, bits, 3);
            last[0] = last[1];
            last[1] = line.at[i];
            bits = bits << 6 | value_of(last[1], &pads, &wrong);
            num++;
        }
    }
    if (!is_boundary(&end, &line, "-----END ") || (label && !same_label(&end, label->at, label->len)) || num == 0 || num % 4 != 0)
        return 0;
    num_pads = last[1] != '=' ? 0 : last[0] != '=' ? 1 : 2;
    wrong |= pads ^ (uint32_t)num_pads;
    wrong |= bits & ((UINT32_C(1) << (8 * num_pads)) - 1);
    if (lc_opaque(wrong))
        return 0;
    if (der)
        put(der, bits, 3 - num_pads);
    *der_len = num / 4 * 3 - num_pads;
    return 1;
}

static int is_encrypted(const struct piece *label)
{
    return begins_with(label, "ENCRYPTED ");
}

/* (Not inline, so that its frame is one of those that are wiped.) */
static __attribute__((noinline)) int decode_block(uint8_t *der, size_t *der_len, const char *label, struct piece text)
{
    struct piece line, found;
    int encrypted = 0;

    while (take_line(&line, &text)) {
        if (!is_boundary(&found, &line, "-----BEGIN "))
            continue;
        if (label ? same_label(&found, (const uint8_t *)label, strlen(label)) : !is_encrypted(&found)) {
            size_t len;

            if (decode_lines(NULL, &len, text, &found))
                return decode_lines(der, der_len, text, NULL) ? LC_OK : LC_ERR_KEY; /* if it has changed meanwhile */
            return take_line(&line, &text) && begins_with(&line, "Proc-Type: 4,ENCRYPTED") ? LC_ERR_ENCRYPTED : LC_ERR_KEY;
        }
        if (!label)
            return LC_ERR_ENCRYPTED;
        encrypted |= is_encrypted(&found);
    }
    return encrypted ? LC_ERR_ENCRYPTED : LC_ERR_KEY;
}

LC_WIPE_STACK(static, wipe_stack, 1024)

int lc_pem_decode(uint8_t *der, size_t *der_len, const char *label, const char *text, size_t text_len)
{
    const int status = decode_block(der, der_len, label, (struct piece){ (const uint8_t *)text, text_len });

    wipe_stack();
    return status;
}

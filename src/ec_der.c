/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Signatures of two numbers as DER, and back, for numbers of any curve. */
#include "ec.h"

enum { SEQUENCE = 0x30, INTEGER = 0x02 };

/* A number as an INTEGER: no more leading zeros than keep it from being negative.  Returns its bytes. */
static size_t put_integer(uint8_t *der, const uint8_t *number, size_t bytes)
{
    size_t skip = 0, zero;

    while (skip < bytes - 1 && number[skip] == 0)
        skip++;
    zero = number[skip] >> 7;
    der[0] = INTEGER;
    der[1] = (uint8_t)(bytes - skip + zero);
    der[2] = 0;
    memcpy(der + 2 + zero, number + skip, bytes - skip);
    return 2 + zero + bytes - skip;
}

size_t lc_ec_to_der(uint8_t *der, const uint8_t *sig, size_t bytes)
{
    size_t len = put_integer(der + 2, sig, bytes);

    len += put_integer(der + 2 + len, sig + bytes, bytes);
    der[0] = SEQUENCE;
    der[1] = (uint8_t)len;
    return 2 + len;
}

/* The INTEGER at der, of at most len bytes.  Returns how many it has; 0 if it isn't one. */
static size_t get_integer(uint8_t *number, size_t bytes, const uint8_t *der, size_t len)
{
    size_t size;

    if (len < 3 || der[0] != INTEGER || der[1] < 1 || der[1] > bytes + 1 || (size_t)der[1] + 2 > len)
        return 0;
    size = der[1];
    der += 2;
    if (der[0] & 0x80 || (der[0] == 0 && size > 1 && !(der[1] & 0x80))) /* negative, or a zero too many */
        return 0;
    if (size == bytes + 1 && *der)
        return 0;
    memset(number, 0, bytes);
    if (size == bytes + 1)
        memcpy(number, der + 1, bytes);
    else
        memcpy(number + bytes - size, der, size);
    return 2 + size;
}

int lc_ec_from_der(uint8_t *sig, size_t bytes, const uint8_t *der, size_t der_len)
{
    uint8_t numbers[2 * 8 * LC_EC_WORDS];
    size_t r_len, s_len;

    /* The numbers have less than 128 bytes, so the length is one byte. */
    if (der_len < 2 || der_len > LC_EC_MAX_DER_LEN(bytes) || der[0] != SEQUENCE || der[1] != der_len - 2)
        return LC_ERR_SIGNATURE;
    r_len = get_integer(numbers, bytes, der + 2, der_len - 2);
    s_len = r_len ? get_integer(numbers + bytes, bytes, der + 2 + r_len, der_len - 2 - r_len) : 0;
    if (!s_len || 2 + r_len + s_len != der_len)
        return LC_ERR_SIGNATURE;
    memcpy(sig, numbers, 2 * bytes);
    return LC_OK;
}

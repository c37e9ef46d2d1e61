/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Signatures of two numbers as DER, and back.  Whoever includes it defines CURVE and BITS (ec_names.h), and MAX_DER_LEN. */
enum { SEQUENCE = 0x30, INTEGER = 0x02 };

/* A number as an INTEGER: no more leading zeros than keep it from being negative.  Returns its bytes. */
static size_t put_integer(uint8_t *der, const uint8_t number[BYTES])
{
    size_t skip = 0, zero;

    while (skip < BYTES - 1 && number[skip] == 0)
        skip++;
    zero = number[skip] >> 7;
    der[0] = INTEGER;
    der[1] = (uint8_t)(BYTES - skip + zero);
    der[2] = 0;
    memcpy(der + 2 + zero, number + skip, BYTES - skip);
    return 2 + zero + BYTES - skip;
}

size_t SIG(to_der)(uint8_t der[MAX_DER_LEN], const uint8_t sig[2 * BYTES])
{
    size_t len = put_integer(der + 2, sig);

    len += put_integer(der + 2 + len, sig + BYTES);
    der[0] = SEQUENCE;
    der[1] = (uint8_t)len;
    return 2 + len;
}

/* The INTEGER at der, of at most len bytes.  Returns how many it has; 0 if it isn't one. */
static size_t get_integer(uint8_t number[BYTES], const uint8_t *der, size_t len)
{
    size_t size;

    if (len < 3 || der[0] != INTEGER || der[1] < 1 || der[1] > BYTES + 1 || (size_t)der[1] + 2 > len)
        return 0;
    size = der[1];
    der += 2;
    if (der[0] & 0x80 || (der[0] == 0 && size > 1 && !(der[1] & 0x80))) /* negative, or a zero too many */
        return 0;
    if (size == BYTES + 1 && *der)
        return 0;
    memset(number, 0, BYTES);
    if (size == BYTES + 1)
        memcpy(number, der + 1, BYTES);
    else
        memcpy(number + BYTES - size, der, size);
    return 2 + size;
}

int SIG(from_der)(uint8_t sig[2 * BYTES], const uint8_t *der, size_t der_len)
{
    uint8_t numbers[2 * BYTES];
    size_t r_len, s_len;

    /* The numbers have less than 128 bytes, so the length is one byte. */
    if (der_len < 2 || der_len > MAX_DER_LEN || der[0] != SEQUENCE || der[1] != der_len - 2)
        return LC_ERR_SIGNATURE;
    r_len = get_integer(numbers, der + 2, der_len - 2);
    s_len = r_len ? get_integer(numbers + BYTES, der + 2 + r_len, der_len - 2 - r_len) : 0;
    if (!s_len || 2 + r_len + s_len != der_len)
        return LC_ERR_SIGNATURE;
    memcpy(sig, numbers, sizeof(numbers));
    return LC_OK;
}

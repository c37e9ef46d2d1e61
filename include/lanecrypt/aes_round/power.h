/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * POWER8 and later.  Its instructions add the key last, and the inverse cipher's adds it before InvMixColumns.  They take byte 0 of
 * the state from the register's most significant byte.  Big-endian, that is where byte 0 of a vector is; little-endian, it is where
 * byte 15 is, so everything goes in and comes out reversed.  Of a chain of calls, compilers leave one reversal at either end (but
 * GCC 12 leaves them all in a loop), and none of a _rev function.
 */
#ifndef LANECRYPT_AES_ROUND_POWER_H
#define LANECRYPT_AES_ROUND_POWER_H

#include "vector_shift_rows.h"

#define LC_AES_ROUND_HOST "power8"

LC_AES_INLINE lc_aes_block lc_aes_power_order(lc_aes_block x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return LC_AES_SHUFFLE(x, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
#else
    return x;
#endif
}

/* Compilers differ in what they call the instructions, and in whether they reverse bytes themselves: hence assembly. */
#define LC_AES_POWER(name, instruction)                                                                                            \
    LC_AES_INLINE lc_aes_block lc_aes_##name(lc_aes_block x, lc_aes_block k)                                                       \
    {                                                                                                                              \
        lc_aes_block y;                                                                                                            \
                                                                                                                                   \
        __asm__(instruction " %0,%1,%2" : "=v"(y) : "v"(lc_aes_power_order(x)), "v"(lc_aes_power_order(k)));                       \
        return lc_aes_power_order(y);                                                                                              \
    }

LC_AES_POWER(sb_sr_ak, "vcipherlast")
LC_AES_POWER(sb_sr_mc_ak, "vcipher")
LC_AES_POWER(isb_isr_ak, "vncipherlast")
LC_AES_POWER(isb_isr_ak_imc, "vncipher")

#include "key_before_imc.h"

#undef LC_AES_POWER

#endif

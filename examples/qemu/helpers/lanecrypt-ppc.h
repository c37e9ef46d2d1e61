/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* vcipher and the like.  POWER's byte 0 is the most significant one, so at the other end of a little-endian host's number. */
#include "lanecrypt-rounds.h"

#define KEYED(instruction, call)                                                                                                   \
    void helper_##instruction(ppc_avr_t *r, ppc_avr_t *a, ppc_avr_t *b)                                                            \
    {                                                                                                                              \
        rounds.call##_rev(r, a, b);                                                                                                \
    }

KEYED(vcipher, sb_sr_mc_ak)
KEYED(vcipherlast, sb_sr_ak)
KEYED(vncipher, isb_isr_ak_imc)
KEYED(vncipherlast, isb_isr_ak)

void helper_vsbox(ppc_avr_t *r, ppc_avr_t *a)
{
    rounds.sb(r, a);
}

#undef KEYED

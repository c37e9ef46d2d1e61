/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* AES-NI, VAES and PCLMULQDQ; QEMU includes this for each vector length: SHIFT is 1 for 128 bits, and 2 for 256. */
#include "lanecrypt-rounds.h"

#if SHIFT == 1
#define KEYED(instruction, call)                                                                                                   \
    void glue(helper_##instruction, SUFFIX)(CPUX86State * env, Reg * d, Reg * v, Reg * s)                                          \
    {                                                                                                                              \
        rounds.call(d, v, s);                                                                                                      \
    }
#else
#define KEYED(instruction, call)                                                                                                   \
    void glue(helper_##instruction, SUFFIX)(CPUX86State * env, Reg * d, Reg * v, Reg * s)                                          \
    {                                                                                                                              \
        rounds.call##_n(d, v, s, SHIFT, 16);                                                                                       \
    }
#endif

KEYED(aesenc, sb_sr_mc_ak)
KEYED(aesenclast, sb_sr_ak)
KEYED(aesdec, isb_isr_imc_ak)
KEYED(aesdeclast, isb_isr_ak)

#if SHIFT == 1
void glue(helper_aesimc, SUFFIX)(CPUX86State *env, Reg *d, Reg *s)
{
    rounds.imc(d, s);
}

void glue(helper_aeskeygenassist, SUFFIX)(CPUX86State *env, Reg *d, Reg *s, uint32_t ctrl)
{
    rounds.keygenassist(d, s, ctrl);
}
#endif

#ifdef LANECRYPT_CLMUL
void glue(helper_pclmulqdq, SUFFIX)(CPUX86State *env, Reg *d, Reg *v, Reg *s, uint32_t ctrl)
{
    for (int i = 0; i < SHIFT; i++)
        rounds.clmul64(&d->Q(2 * i), v->Q(2 * i + (ctrl & 1)), s->Q(2 * i + (ctrl >> 4 & 1)));
}
#endif

#undef KEYED

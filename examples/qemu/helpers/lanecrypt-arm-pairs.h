/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * For the translator of AArch64: AESE and the AESMC after it as one, and AESD and AESIMC.  Code has them next to each other, as
 * CPUs execute them together.  On a host with x86's instructions the pair is one of them, and AESMC alone is two.
 *
 * The pair counts as one instruction.  So it isn't one where somebody could see the state in between: a debugger, a plugin, or
 * who counts instructions.  A jump to the second one is translated by itself.
 */
#define AESMC 0x4e286800
#define AESIMC 0x4e287800

static bool next_is(DisasContext *s, uint32_t instruction, int reg)
{
    if (tb_cflags(s->base.tb) & (CF_USE_ICOUNT | CF_SINGLE_STEP) || s->ss_active || s->base.plugin_enabled ||
        !QTAILQ_EMPTY(&current_cpu->breakpoints) || (s->base.pc_next & ~TARGET_PAGE_MASK) == 0)
        return false;
    return arm_ldl_code(cpu_env(current_cpu), &s->base, s->base.pc_next, s->sctlr_b) == (instruction | reg << 5 | reg);
}

static bool aes_pair(DisasContext *s, arg_qrrr_e *a, uint32_t second, gen_helper_gvec_3 *first, gen_helper_gvec_3 *both)
{
    if (!next_is(s, second, a->rd))
        return do_gvec_op3_ool(s, a, 0, first);
    s->base.pc_next += 4;
    return do_gvec_op3_ool(s, a, 0, both);
}

TRANS_FEAT(AESE, aa64_aes, aes_pair, a, AESMC, gen_helper_crypto_aese, gen_helper_crypto_aese_aesmc)
TRANS_FEAT(AESD, aa64_aes, aes_pair, a, AESIMC, gen_helper_crypto_aesd, gen_helper_crypto_aesd_aesimc)

#undef AESMC
#undef AESIMC

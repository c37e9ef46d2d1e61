/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * AES rounds for QEMU's helpers: what the files of the targets, lanecrypt-*.h, have in common.  Each of them has helpers by the
 * names and types that QEMU declares, and is included where QEMU's own ones were.
 */
#ifndef LANECRYPT_ROUNDS_H
#define LANECRYPT_ROUNDS_H

#include <lanecrypt/aes_round.h>

/* QEMU keeps guests' vector registers as numbers of the host, so that on a big-endian one all blocks would be reversed. */
QEMU_BUILD_BUG_ON(HOST_BIG_ENDIAN);

/* Asked for once, before the guest starts, and copied: a helper is a jump to where a variable says. */
static struct lc_aes_round_ops rounds;

static void __attribute__((constructor)) choose_rounds(void)
{
    rounds = *lc_aes_round_ops();
}

#endif

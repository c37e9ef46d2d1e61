/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* <x86intrin.h> as wmmintrin.h says. */
#pragma GCC system_header
#include "lanecrypt_compat_host.h"
#ifdef LC_COMPAT_IS_X86
#include_next <x86intrin.h>
#else
#include "wmmintrin.h"
#endif

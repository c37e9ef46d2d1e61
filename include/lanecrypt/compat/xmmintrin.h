/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* <xmmintrin.h> as wmmintrin.h says. */
#pragma GCC system_header
#include "lanecrypt_compat_host.h"
#ifdef LC_COMPAT_IS_X86
#include_next <xmmintrin.h>
#else
#include "wmmintrin.h"
#endif

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# check_kernel_headers.sh LINUX_DIR COMPILER BUILD_DIR: the library's C files that the kernel module includes compile with no more
# of the standard headers than linux/include/ gives, without a kernel at hand.  What those name of the kernel's own is made here,
# with what Linux has of it.  (Whether the module builds, tests/kernel/run.sh sees.)
set -eu
linux=$1 compiler=$2 build=$3

rm -rf "$build"
mkdir -p "$build/linux"
cat >"$build/linux/types.h" <<'EOF'
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
EOF
cat >"$build/linux/stddef.h" <<'EOF'
#undef NULL
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
EOF
cat >"$build/linux/string.h" <<'EOF'
#include <linux/types.h>
void *memcpy(void *dst, const void *src, size_t len);
void *memmove(void *dst, const void *src, size_t len);
void *memset(void *dst, int byte, size_t len);
int memcmp(const void *a, const void *b, size_t len);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
EOF

sed -n 's/^#include "\(\.\.\/src\/.*\.c\)"$/\1/p' "$linux"/*.c >"$build/files"
flags="-std=gnu11 -ffreestanding -nostdinc -mgeneral-regs-only -Wall -Werror -DLC_ONE_UNIT -DLC_ONE_MESSAGE -DLC_SMALL=1"
while read -r file; do
    # shellcheck disable=SC2086
    "$compiler" $flags -fsyntax-only -I "$build" -I "$linux/include" -I "$linux/../include" "$linux/$file" ||
        { echo "check_kernel_headers.sh: $file wants what the kernel's headers don't have"; exit 1; }
done <"$build/files"
[ -s "$build/files" ] && echo "$(wc -l <"$build/files") files"

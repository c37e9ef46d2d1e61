# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# find_package(lanecrypt) gives lanecrypt::lanecrypt_static and lanecrypt::lanecrypt_shared.
include(${CMAKE_CURRENT_LIST_DIR}/lanecrypt-targets.cmake)

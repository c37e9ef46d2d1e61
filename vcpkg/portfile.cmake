# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# The port of vcpkg, for the tree that it lies in; docs/library.md says how to install it.  One for vcpkg's own list would have
# vcpkg_from_github(), with the address and the sum of a release, in place of SOURCE_PATH.  Both libraries are made, whatever the
# triplet says.
set(SOURCE_PATH "${CURRENT_PORT_DIR}/..")
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DLANECRYPT_CLI=OFF -DLANECRYPT_OPENSSL=OFF -DLANECRYPT_TESTS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/lanecrypt)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/LICENSES/BSD-2-Clause.txt"
  "${SOURCE_PATH}/LICENSES/GPL-2.0-only.txt")

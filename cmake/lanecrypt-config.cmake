# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# find_package(lanecrypt) gives lanecrypt::lanecrypt_static and lanecrypt::lanecrypt_shared.  It has no components.
include(${CMAKE_CURRENT_LIST_DIR}/lanecrypt-targets.cmake)
foreach(component ${lanecrypt_FIND_COMPONENTS})
  set(lanecrypt_${component}_FOUND FALSE)
  if(lanecrypt_FIND_REQUIRED_${component})
    set(lanecrypt_FOUND FALSE)
    set(lanecrypt_NOT_FOUND_MESSAGE "lanecrypt has no component `${component}': use find_package(lanecrypt) without components")
  endif()
endforeach()

# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# What all of this project is compiled and linked with, be it for the library or for a door of it.

# No path of the building machine gets into __FILE__ and debugging information: the same source gives the same bytes anywhere.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH source_dir)
add_compile_options(-ffile-prefix-map=${source_dir}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build)
# Intel's CET: indirect branches go to endbr64 only, returns to where a call came from.  The assembly has what it takes by itself.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fcf-protection>)
endif()
# Pointers to functions of other libraries are filled in at the start, and read-only from then on.
add_link_options(-Wl,-z,relro -Wl,-z,now)

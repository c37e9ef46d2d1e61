# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# cmake -D MANIFEST=BUILD/install_manifest.txt -P uninstall.cmake: remove what the last `cmake --install BUILD` has written, and the
# folders of the library's name that are empty then.  DESTDIR is honoured.
cmake_minimum_required(VERSION 3.22)
if(NOT EXISTS ${MANIFEST})
  message(FATAL_ERROR "There is no ${MANIFEST}: nothing was installed from this folder")
endif()
file(STRINGS ${MANIFEST} files)
set(folders)
foreach(file IN LISTS files)
  set(file "$ENV{DESTDIR}${file}")
  if(EXISTS "${file}" OR IS_SYMLINK "${file}")
    message(STATUS "Removing: ${file}")
    file(REMOVE "${file}")
    cmake_path(GET file PARENT_PATH folder)
    while(folder MATCHES "/lanecrypt(/|$)" AND NOT folder IN_LIST folders)
      list(APPEND folders "${folder}")
      cmake_path(GET folder PARENT_PATH folder)
    endwhile()
  endif()
endforeach()
# Those inside of others come first.  What isn't empty stays, which the system sees to: file(GLOB) finds nothing in a folder whose
# name has brackets.
list(SORT folders ORDER DESCENDING)
foreach(folder IN LISTS folders)
  execute_process(COMMAND rmdir "${folder}" ERROR_QUIET)
endforeach()

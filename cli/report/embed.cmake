# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# cmake -D PAGE=page.html -D LIB_DIR=DIR -D OUT=report_page.h [-D SAMPLE=sample.json -D SAMPLE_OUT=sample.html] -P embed.cmake
#
# Inlines the chart library into the page and writes it as two byte arrays, lc_report_head (everything before the JSON) and
# lc_report_tail (everything after), each with its _len. LIB_DIR is what fetch-chart-lib.sh filled; without a library in it the
# page has tables only. With SAMPLE, it also writes a whole page that holds that JSON, for tests/report/test_report.py.

cmake_minimum_required(VERSION 3.22)

# The marker must be there exactly once, or we'd write a page that silently lacks a part.
function(inline marker text)
  string(FIND "${page}" "${marker}" first)
  string(FIND "${page}" "${marker}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${PAGE}: ${marker} must occur exactly once")
  endif()
  string(REPLACE "${marker}" "${text}" page "${page}")
  set(page "${page}" PARENT_SCOPE)
endfunction()

file(READ "${PAGE}" page)
set(lib "")
set(licence "none: built without a chart library")
if(EXISTS "${LIB_DIR}/chart.js")
  file(READ "${LIB_DIR}/chart.js" lib)
  file(READ "${LIB_DIR}/chart-licence.txt" licence)
  string(REPLACE "&" "&amp;" licence "${licence}")
  string(REPLACE "<" "&lt;" licence "${licence}")
endif()
inline("<!--LANECRYPT-CHART-LICENCE-->" "${licence}")
inline("<!--LANECRYPT-CHART-JS-->" "${lib}")

set(marker "<!--LANECRYPT-JSON-->")
string(FIND "${page}" "${marker}" at)
string(LENGTH "${marker}" marker_len)
if(at EQUAL -1)
  message(FATAL_ERROR "${PAGE}: ${marker} is missing")
endif()
string(SUBSTRING "${page}" 0 ${at} head)
math(EXPR after "${at} + ${marker_len}")
string(SUBSTRING "${page}" ${after} -1 tail)

# Bytes and not string literals: C11 compilers need to take only 4095 characters in one of those.
set(code "/* Made by cli/report/embed.cmake from page.html. */\n#include <stddef.h>\n\n")
foreach(part IN ITEMS head tail)
  string(HEX "${${part}}" hex)
  string(REGEX REPLACE "(..)" "0x\\1," list "${hex}")
  string(APPEND code "static const unsigned char lc_report_${part}[] = {${list}};\n"
                     "static const size_t lc_report_${part}_len = sizeof(lc_report_${part});\n\n")
endforeach()
file(WRITE "${OUT}" "${code}")

if(SAMPLE)
  file(READ "${SAMPLE}" json)
  string(REPLACE "<" "\\u003c" json "${json}")   # as the C writer does it; see page.html
  file(WRITE "${SAMPLE_OUT}" "${head}${json}${tail}")
endif()

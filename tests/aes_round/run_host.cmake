# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# cmake -DSOURCE=... -DBUILD=... -DOPTIONS=... -DNUM_TESTS=... -P run_host.cmake: configure, build and run these tests for another
# host; NUM_TESTS is how many there have to be, so that none is missing unnoticed.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
  if(result)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G Ninja ${OPTIONS})
run(${CMAKE_COMMAND} --build ${BUILD} --parallel 1) # CTest runs several hosts at a time
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${BUILD} -N OUTPUT_VARIABLE list)
if(NOT list MATCHES "Total Tests: ${NUM_TESTS}\n")
  message(FATAL_ERROR "there should be ${NUM_TESTS} tests, but there are:\n${list}")
endif()
run(${CMAKE_CTEST_COMMAND} --test-dir ${BUILD} --output-on-failure)

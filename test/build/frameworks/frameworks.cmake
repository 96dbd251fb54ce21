# Checks that a test program of another framework passes, and that its hidden cases fail with the reports of the test
# kit, as failures of the framework. The failing properties of rapidcheck are reported with minimal values.
# Usage: cmake -D PROGRAM=<file> -D FRAMEWORK=<googletest, catch2 or rapidcheck> -P frameworks.cmake

cmake_minimum_required(VERSION 3.21)

if(FRAMEWORK STREQUAL "googletest")
    set(hidden --gtest_also_run_disabled_tests "--gtest_filter=hidden.*" --gtest_color=no)
    set(passed "PASSED  \\] 1 test")
    set(failed "C\\+\\+ exception with description \"stalled at t=" "exception with description \"test case completed with"
               "Expected equality of these values" "3 FAILED TESTS")
elseif(FRAMEWORK STREQUAL "rapidcheck")
    set(ENV{RC_PARAMS} seed=1) # the same values in each run
    set(hidden failing)
    set(passed "OK, passed 100 tests")
    set(booking "{\"code\":\"AA0\",\"note\":\"\",\"count\":5,")
    set(fault "{\"server\":\"weather\",\"connection\":1,\"message\":1,\"fault\":\"drop\",\"delay_ms\":1,\"amount\":0}")
    set(failed "{\"code\":\"AA0\",\"note\":\"aaaa\",\"count\":11,\"seats\":\\[\\]}"
               "${booking}\"price\":3,\"seats\":\\[\\]}"
               "${booking}\"seats\":\\[0,0,0\\]}" "{\"code\":\"AA00\",\"note\":\"\",\"count\":5,\"seats\":\\[\\]}"
               "Falsifiable after [0-9]+ tests? and [0-9]+ shrinks?[^{]*{\"faults\":\\[${fault}\\]}")
else()
    set(hidden "[hidden]")
    set(passed "2 assertions in 1 test case")
    set(failed "due to unexpected exception with message:[ \n]*stalled at t=" "message:[ \n]*test case completed with"
               "REQUIRE\\( now\\(\\)" "test cases: 3 \\| 3 failed")
endif()

execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status STREQUAL "0" OR NOT output MATCHES "${passed}")
    message(FATAL_ERROR "the cases do not pass, status ${status}: ${output}")
endif()
execute_process(COMMAND "${PROGRAM}" ${hidden} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status MATCHES "^[1-9][0-9]*$") # a name of a signal is not a failure of the framework
    message(FATAL_ERROR "the hidden cases end with ${status}: ${output}")
endif()
if(NOT FRAMEWORK STREQUAL "rapidcheck")
    list(APPEND failed "weather: no response to tools/call forecast")
endif()
foreach(part IN LISTS failed)
    if(NOT output MATCHES "${part}")
        message(FATAL_ERROR "the report of the hidden cases lacks '${part}': ${output}")
    endif()
endforeach()

# Checks that CHECK rejects the tree in this directory with exactly the messages in CHECK.txt.
# Usage: cmake -D CHECK=layering -P expect_violations.cmake

cmake_minimum_required(VERSION 3.21)

set(folder "${CMAKE_CURRENT_LIST_DIR}")
execute_process(COMMAND "${CMAKE_COMMAND}" -D "INCLUDE=${folder}" -P "${folder}/../${CHECK}.cmake"
                RESULT_VARIABLE status ERROR_VARIABLE output)
string(REGEX MATCHALL "linkspan[^\n]*pp: [^\n]*" violations "${output}")
list(SORT violations)

file(STRINGS "${folder}/${CHECK}.txt" expected)
list(SORT expected)
if(status EQUAL 0 OR NOT violations STREQUAL expected)
    message(FATAL_ERROR "the messages differ from ${CHECK}.txt (status ${status}):\n${output}")
endif()

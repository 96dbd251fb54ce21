# Checks that CHECK rejects the tree in FOLDER, by default this directory, with exactly the messages in CHECK.txt.
# Usage: cmake -D CHECK=layering [-D FOLDER=<directory>] -P expect_violations.cmake

cmake_minimum_required(VERSION 3.21)

set(folder "${CMAKE_CURRENT_LIST_DIR}")
if(FOLDER)
    set(folder "${FOLDER}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -D "INCLUDE=${folder}" -D "ROOT=${folder}"
                        -P "${CMAKE_CURRENT_LIST_DIR}/../${CHECK}.cmake" RESULT_VARIABLE status ERROR_VARIABLE output)
string(REGEX MATCHALL "(linkspan[^\n]*pp|doc/[^\n]*\\.md): [^\n]*" violations "${output}")
list(SORT violations)

file(STRINGS "${folder}/${CHECK}.txt" expected)
list(SORT expected)
if(status EQUAL 0 OR NOT violations STREQUAL expected)
    message(FATAL_ERROR "the messages differ from ${CHECK}.txt (status ${status}):\n${output}")
endif()

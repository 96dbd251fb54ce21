# Checks that every test that doc/checklist.md names exists. A test is named as
#
# `scenario.connector.connector_calls: call_with_lost_response_is_not_replayed_if_unsafe`   a case of that file in test/
#     `unit.config.expand`   all cases of test/unit/config/expand.cpp
#     `example.tour`         a test of example/CMakeLists.txt
#     `test/build/rotation/installed_package.sh`   a script
#
# Usage: cmake -D ROOT=<the project> -P checklist.cmake

cmake_minimum_required(VERSION 3.21)

file(READ "${ROOT}/doc/checklist.md" text)
string(REPLACE ";" " " text "${text}") # CMake splits lists at semicolons
string(REGEX MATCHALL "`(unit|scenario|process|threads|interop)\\.[a-z0-9_.]+(: [a-z0-9_]+)?`" names "${text}")
list(LENGTH names count)
if(count LESS 100)
    message(FATAL_ERROR "doc/checklist.md names ${count} tests, expected at least 100")
endif()

set(failures 0)
macro(fail sentence)
    message(NOTICE "${name}: ${sentence}")
    math(EXPR failures "${failures} + 1")
endmacro()

foreach(name IN LISTS names)
    string(REGEX MATCH "^`([a-z0-9_.]+)(: ([a-z0-9_]+))?`$" match "${name}")
    set(case "${CMAKE_MATCH_3}")
    string(REPLACE "." "/" file "test/${CMAKE_MATCH_1}")
    string(APPEND file ".cpp")
    if(NOT EXISTS "${ROOT}/${file}")
        fail("${file} does not exist")
    elseif(case)
        file(STRINGS "${ROOT}/${file}" found REGEX "^[A-Z_]*CASE[A-Z_]*\\((.*, *)?${case}[,)]" LIMIT_COUNT 1)
        if(NOT found) # the name is on the next line
            file(STRINGS "${ROOT}/${file}" found REGEX "^ +${case}[,)]" LIMIT_COUNT 1)
        endif()
        if(NOT found)
            fail("${file} has no such case")
        endif()
    endif()
endforeach()

file(READ "${ROOT}/example/CMakeLists.txt" examples)
string(REGEX MATCHALL "`example\\.[a-z0-9_]+`" names "${text}")
foreach(name IN LISTS names)
    string(REGEX REPLACE "`example\\.(.*)`" "\\1" example "${name}")
    if(NOT examples MATCHES "[( .]${example}[ )]")
        fail("example/CMakeLists.txt has no such test")
    endif()
endforeach()

string(REGEX MATCHALL "`compile_fail\\.[a-z0-9_]+`" names "${text}")
foreach(name IN LISTS names)
    string(REGEX REPLACE "`compile_fail\\.(.*)`" "\\1" misuse "${name}")
    if(NOT EXISTS "${ROOT}/test/build/compile_fail/${misuse}.cpp")
        fail("test/build/compile_fail/${misuse}.cpp does not exist")
    endif()
endforeach()

# Collects the tests named in a CMakeLists.txt; those of a directory are defined by a loop or a function.
set(tests "")
foreach(folder test test/bindings)
    file(READ "${ROOT}/${folder}/CMakeLists.txt" more)
    string(APPEND tests "${more}")
endforeach()
string(REGEX MATCHALL "`(bindings|conformance|consume)\\.[a-z0-9_]+`|`(headers|quotes|layering|checklist)`" names "${text}")
foreach(name IN LISTS names)
    string(REGEX REPLACE "`(.*)`" "\\1" test "${name}")
    if(NOT tests MATCHES "[( ]${test}[ )]")
        fail("no CMakeLists.txt in test/ defines this test")
    endif()
endforeach()

string(REGEX MATCHALL "`test/build/[a-z0-9_/.-]+`" names "${text}")
foreach(name IN LISTS names)
    string(REPLACE "`" "" script "${name}")
    if(NOT EXISTS "${ROOT}/${script}")
        fail("${script} does not exist")
    endif()
endforeach()

if(failures)
    message(FATAL_ERROR "doc/checklist.md names ${failures} tests that do not exist")
endif()

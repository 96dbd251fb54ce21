# Included by the checks of the documents that name tests: reads the document `path` into `text`, and rejects each test
# in it that does not exist, and a document with fewer than `min_cases` cases. A test is named as
#
# `scenario.connector.connector_calls: call_with_lost_response_is_not_replayed_if_unsafe`   a case of that file in test/
#     `unit.config.expand`   all cases of test/unit/config/expand.cpp
#     `example.tour`         a test of example/CMakeLists.txt
#     `conformance.server`   the official suite with test/interop/conformance/conformance-server.cpp
#     `official.client`      test/interop/official/client.mjs, which runs official programs
#     `test/build/rotation/installed_package.sh`   a script

include("${CMAKE_CURRENT_LIST_DIR}/reject.cmake")

file(READ "${ROOT}/${path}" text)
string(REPLACE ";" " " text "${text}") # CMake splits lists at semicolons
string(REGEX MATCHALL "`(unit|scenario|process|threads|interop)\\.[a-z0-9_.]+(: [a-z0-9_]+)?`" names "${text}")
list(LENGTH names count)
if(count LESS min_cases)
    reject("expected at least ${min_cases} tests, found ${count}")
endif()

foreach(name IN LISTS names)
    string(REGEX MATCH "^`([a-z0-9_.]+)(: ([a-z0-9_]+))?`$" match "${name}")
    set(case "${CMAKE_MATCH_3}")
    string(REPLACE "." "/" file "test/${CMAKE_MATCH_1}")
    string(APPEND file ".cpp")
    if(NOT EXISTS "${ROOT}/${file}")
        reject("${name}: ${file} does not exist")
    elseif(case)
        file(STRINGS "${ROOT}/${file}" found REGEX "^[A-Z_]*CASE[A-Z_]*\\((.*, *)?${case}[,)]" LIMIT_COUNT 1)
        if(NOT found) # the name is on the next line
            file(STRINGS "${ROOT}/${file}" found REGEX "^ +${case}[,)]" LIMIT_COUNT 1)
        endif()
        if(NOT found)
            reject("${name}: ${file} has no such case")
        endif()
    endif()
endforeach()

file(READ "${ROOT}/example/CMakeLists.txt" examples)
string(REGEX MATCHALL "`example\\.[a-z0-9_]+`" names "${text}")
foreach(name IN LISTS names)
    string(REGEX REPLACE "`example\\.(.*)`" "\\1" example "${name}")
    if(NOT examples MATCHES "[( .]${example}[ )]")
        reject("${name}: example/CMakeLists.txt has no such test")
    endif()
endforeach()

# Rejects the tests of a group for which there is no source.
macro(require_sources group source_prefix extension)
    string(REGEX MATCHALL "`${group}\\.[a-z0-9_]+`" names "${text}")
    foreach(name IN LISTS names)
        string(REGEX REPLACE "`${group}\\.(.*)`" "${source_prefix}\\1.${extension}" file "${name}")
        if(NOT EXISTS "${ROOT}/${file}")
            reject("${name}: ${file} does not exist")
        endif()
    endforeach()
endmacro()
require_sources(compile_fail "test/build/compile_fail/" cpp)
require_sources(conformance "test/interop/conformance/conformance-" cpp)
require_sources(official "test/interop/official/" mjs)

# Collects the tests named in a CMakeLists.txt; those of a directory are defined by a loop or a function.
set(tests "")
foreach(folder test test/bindings)
    file(READ "${ROOT}/${folder}/CMakeLists.txt" more)
    string(APPEND tests "${more}")
endforeach()
string(REGEX MATCHALL "`(bindings|consume)\\.[a-z0-9_]+`|`(headers|quotes|layering|checklist)`" names "${text}")
foreach(name IN LISTS names)
    string(REGEX REPLACE "`(.*)`" "\\1" test "${name}")
    if(NOT tests MATCHES "[( ]${test}[ )]")
        reject("${name}: no CMakeLists.txt in test/ defines this test")
    endif()
endforeach()

string(REGEX MATCHALL "`test/build/[a-z0-9_/.-]+`" names "${text}")
foreach(name IN LISTS names)
    string(REPLACE "`" "" script "${name}")
    if(NOT EXISTS "${ROOT}/${script}")
        reject("${script} does not exist")
    endif()
endforeach()

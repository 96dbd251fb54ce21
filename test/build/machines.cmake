# Checks the tables of doc/machines.md: each event of a machine is a function in its header, and a unit test that names
# the machine calls it.
# Usage: cmake -D ROOT=<folder of the project> -P machines.cmake

cmake_minimum_required(VERSION 3.21)

set(path "doc/machines.md")
include("${CMAKE_CURRENT_LIST_DIR}/reject.cmake")

file(STRINGS "${ROOT}/${path}" rows REGEX "^\\| `")
list(LENGTH rows count)
if(count LESS 20)
    reject("expected a row for each machine, found ${count} rows")
endif()
get_filename_component(ROOT "${ROOT}" ABSOLUTE) # file(GLOB RELATIVE) requires an absolute path
file(GLOB_RECURSE tests RELATIVE "${ROOT}" "${ROOT}/test/unit/*.cpp")
foreach(test IN LISTS tests)
    file(READ "${ROOT}/${test}" "text_of_${test}")
endforeach()

foreach(row IN LISTS rows)
    string(REGEX REPLACE "^\\| `([^`]*)` \\| `([^`]*)` \\| ([^|]*) \\|.*" "\\1;\\2;\\3" cells "${row}")
    list(GET cells 0 machine)
    list(GET cells 1 header)
    list(GET cells 2 events)
    if(NOT EXISTS "${ROOT}/include/linkspan/${header}")
        reject("${machine}: no header '${header}'")
        continue()
    endif()
    file(READ "${ROOT}/include/linkspan/${header}" text)
    set(calls "") # texts of the tests that name the machine
    foreach(test IN LISTS tests)
        if("${text_of_${test}}" MATCHES "[^a-z_]${machine}[^a-z_]")
            string(APPEND calls "${text_of_${test}}")
        endif()
    endforeach()
    string(REGEX MATCHALL "`[a-z_]+`" names "${events}")
    foreach(name IN LISTS names)
        string(REPLACE "`" "" name "${name}")
        if(NOT text MATCHES "[ &*]${name}\\(")
            reject("${machine}: no function '${name}' in ${header}")
        elseif(NOT calls MATCHES "[^a-z_]${name}\\(")
            reject("${machine}: no unit test that names the machine calls '${name}'")
        endif()
    endforeach()
endforeach()
if(violations)
    message(FATAL_ERROR "${violations} rows or events of ${path} do not match the headers and the tests")
endif()

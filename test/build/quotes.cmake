# Checks that the code in the documents is the code of the examples. Each block of C++ must be preceded by its source:
#
#     <!-- example/02_quickstart.cpp: quickstart -->
#
# In that file, the region is enclosed in "//[ quickstart" and "//]".
# Usage: cmake -D ROOT=<the project> -P quotes.cmake

cmake_minimum_required(VERSION 3.21)

# CMake lists cannot contain semicolons and brackets.
function(read_text path result)
    file(READ "${path}" text)
    string(REPLACE ";" "<semicolon>" text "${text}")
    string(REPLACE "[" "<open>" text "${text}")
    string(REPLACE "]" "<close>" text "${text}")
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(failures 0)
macro(fail sentence)
    message(NOTICE "${document}: ${sentence}")
    math(EXPR failures "${failures} + 1")
endmacro()

file(GLOB documents RELATIVE "${ROOT}" "${ROOT}/README.md" "${ROOT}/doc/*.md")
foreach(document IN LISTS documents)
    read_text("${ROOT}/${document}" text)
    string(REGEX MATCHALL "(<!-- [^\n]* -->\n)?```cpp\n[^`]*```" blocks "${text}")
    foreach(block IN LISTS blocks)
        if(NOT block MATCHES "^<!-- ([^:\n]+): ([a-z_]+) -->\n```cpp\n(.*)```$")
            fail("a block of C++ does not name its example:\n${block}")
            continue()
        endif()
        set(file "${CMAKE_MATCH_1}")
        set(region "${CMAKE_MATCH_2}")
        set(quoted "${CMAKE_MATCH_3}")
        read_text("${ROOT}/${file}" source)
        string(FIND "${source}" "//<open> ${region}\n${quoted}//<close>\n" position)
        if(position EQUAL -1)
            fail("the block is not the region '${region}' of ${file}:\n${quoted}")
        endif()
    endforeach()
endforeach()

if(failures)
    message(FATAL_ERROR "${failures} blocks differ from the examples")
endif()

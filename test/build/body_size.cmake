# Checks that no body (.ipp) has more than 400 lines. A longer body is divided: a part of the class becomes a class with
# a header of its own, or the header gets several bodies, whose names have a second part.
# Usage: cmake -D INCLUDE=<folder that contains linkspan/> -P body_size.cmake

cmake_minimum_required(VERSION 3.21)

set(max_lines 400)

get_filename_component(INCLUDE "${INCLUDE}" ABSOLUTE) # file(GLOB RELATIVE) requires an absolute path
file(GLOB_RECURSE bodies RELATIVE "${INCLUDE}" "${INCLUDE}/*.ipp")
if(NOT bodies)
    message(FATAL_ERROR "INCLUDE: expected the folder that contains linkspan/ and its bodies, found '${INCLUDE}'")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/reject.cmake")

foreach(path IN LISTS bodies)
    file(READ "${INCLUDE}/${path}" text)
    string(REGEX REPLACE "[^\n]" "" ends "${text}")
    string(LENGTH "${ends}" count)
    if(count GREATER max_lines)
        reject("${count} lines, expected at most ${max_lines}")
    endif()
endforeach()
if(violations)
    message(FATAL_ERROR "${violations} bodies are too long")
endif()

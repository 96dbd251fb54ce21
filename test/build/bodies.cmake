# Checks that each body <module>/impl/x.ipp has the header <module>/x.hpp or <module>/detail/x.hpp, and that the lists
# of bodies for separate compilation, src.hpp and src_*.hpp, name each body once.
# Usage: cmake -D INCLUDE=<folder that contains linkspan/> -P bodies.cmake

cmake_minimum_required(VERSION 3.21)

get_filename_component(INCLUDE "${INCLUDE}" ABSOLUTE) # file(GLOB RELATIVE) requires an absolute path
file(GLOB_RECURSE bodies RELATIVE "${INCLUDE}" "${INCLUDE}/*.ipp")
if(NOT bodies)
    message(FATAL_ERROR "INCLUDE: expected the folder that contains linkspan/ and its bodies, found '${INCLUDE}'")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/reject.cmake")

# The bodies named by the lists, including duplicates.
file(GLOB_RECURSE lists RELATIVE "${INCLUDE}" "${INCLUDE}/src.hpp" "${INCLUDE}/src_*.hpp")
set(listed "")
foreach(path IN LISTS lists)
    file(STRINGS "${INCLUDE}/${path}" lines REGEX "^#include <.*\\.ipp>")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#include <|>.*$" "" body "${line}")
        list(APPEND listed "${body}")
    endforeach()
endforeach()

foreach(path IN LISTS bodies)
    cmake_path(GET path STEM name)
    cmake_path(GET path PARENT_PATH folder)
    if(NOT folder MATCHES "^(.*)/impl$")
        reject("a body must be in the folder impl/ of its module")
        continue()
    endif()
    set(module "${CMAKE_MATCH_1}")
    if(NOT EXISTS "${INCLUDE}/${module}/${name}.hpp" AND NOT EXISTS "${INCLUDE}/${module}/detail/${name}.hpp")
        reject("no header of this name is in ${module}/ or ${module}/detail/")
    endif()
    set(found ${listed})
    list(FILTER found INCLUDE REGEX "^${path}$")
    list(LENGTH found count)
    if(NOT count EQUAL 1)
        reject("${count} lists of bodies name this body, expected 1")
    endif()
endforeach()
if(violations)
    message(FATAL_ERROR "${violations} bodies violate these rules")
endif()

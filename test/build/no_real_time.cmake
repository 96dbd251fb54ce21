# Checks that the library uses real time and random numbers only in time.hpp, because virtual time cannot replace other
# uses.
# Usage: cmake -D INCLUDE=<folder that contains linkspan/> -P no_real_time.cmake

cmake_minimum_required(VERSION 3.21)

get_filename_component(INCLUDE "${INCLUDE}" ABSOLUTE) # file(GLOB RELATIVE) requires an absolute path
if(NOT IS_DIRECTORY "${INCLUDE}/linkspan")
    message(FATAL_ERROR "INCLUDE: expected the folder that contains linkspan/, found '${INCLUDE}'")
endif()

set(names steady_clock system_clock high_resolution_clock steady_timer system_timer high_resolution_timer
          waitable_timer random_device mt19937 default_random_engine sleep_for sleep_until usleep nanosleep
          clock_gettime gettimeofday timerfd std::time)
list(JOIN names "|" names)

include("${CMAKE_CURRENT_LIST_DIR}/reject.cmake")
file(GLOB_RECURSE paths RELATIVE "${INCLUDE}" "${INCLUDE}/*.hpp" "${INCLUDE}/*.ipp")
if(NOT paths)
    message(FATAL_ERROR "no header in ${INCLUDE}")
endif()
list(REMOVE_ITEM paths linkspan/core/time.hpp linkspan/core/impl/time.ipp)
foreach(path IN LISTS paths)
    file(STRINGS "${INCLUDE}/${path}" lines REGEX "${names}")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "//.*$" "" line "${line}") # comments may name a clock
        if(NOT line MATCHES "${names}")
            continue()
        endif()
        # fwd.hpp may name the types of the clock but not read it.
        if(path STREQUAL "linkspan/core/fwd.hpp" AND
           line MATCHES "^using [a-z_]+ = std::chrono::(steady|system)_clock::[a-z_]+;$")
            continue()
        endif()
        string(REGEX MATCH "${names}" name "${line}")
        reject("${name} is permitted in time.hpp only")
    endforeach()
endforeach()
if(violations)
    message(FATAL_ERROR "${violations} lines use real time or random numbers")
endif()

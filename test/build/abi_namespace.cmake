# Checks that each header and body opens the namespace linkspan as `namespace linkspan::inline LINKSPAN_ABI`, and
# includes a header of the library, by which the macro is defined, or defines it. Otherwise units of a program with and
# without LINKSPAN_SEPARATE_COMPILATION could define one function differently.
# Usage: cmake -D INCLUDE=<folder that contains linkspan/> -P abi_namespace.cmake

cmake_minimum_required(VERSION 3.21)

include("${CMAKE_CURRENT_LIST_DIR}/paths.cmake")

include("${CMAKE_CURRENT_LIST_DIR}/reject.cmake")

foreach(path IN LISTS paths)
    file(STRINGS "${INCLUDE}/${path}" opened REGEX "^ *(inline )?namespace linkspan")
    set(outside ${opened})
    list(FILTER outside EXCLUDE REGEX "^namespace linkspan::inline LINKSPAN_ABI[: ]")
    if(outside)
        reject("the namespace linkspan is not opened as linkspan::inline LINKSPAN_ABI")
    endif()
    if(opened)
        file(STRINGS "${INCLUDE}/${path}" includes REGEX "^#include <linkspan/|^#define LINKSPAN_ABI ")
        if(NOT includes)
            reject("LINKSPAN_ABI may be undefined: no header of linkspan is included")
        endif()
    endif()
endforeach()
if(violations)
    message(FATAL_ERROR "${violations} files open the namespace in another way")
endif()

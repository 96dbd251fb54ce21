# Checks the order of declarations and bodies in header-only programs, in which a header includes its bodies after its
# declarations. If a program includes a public header first, no body may be compiled before the declarations of a header
# that the body includes, also indirectly: that header is then being compiled, and its include guard hides it.
# Usage: cmake -D INCLUDE=<folder that contains linkspan/> -P include_order.cmake

cmake_minimum_required(VERSION 3.21)

include("${CMAKE_CURRENT_LIST_DIR}/paths.cmake")

include("${CMAKE_CURRENT_LIST_DIR}/reject.cmake")

# The headers of the library that each file includes, before its declarations and after them.
foreach(file IN LISTS paths)
    set(before_${file} "")
    set(after_${file} "")
    set(place before)
    file(STRINGS "${INCLUDE}/${file}" lines REGEX "^[ \t]*#[ \t]*include <linkspan|^}( |$)")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[^<]*<|>.*$" "" included "${line}")
        if(line MATCHES "^}" OR included MATCHES "\\.ipp$") # the end of a namespace, or a body
            set(place after)
        endif()
        if(NOT line MATCHES "^}")
            list(APPEND ${place}_${file} "${included}")
        endif()
    endforeach()
endforeach()

# Follows the includes as the preprocessor does. `bodies`: number of bodies in which the current file is included.
# Variables of a file: `compiled_`, the program that has included it last; `declared_`, whether its declarations are
# complete; `bodies_`, the value of `bodies` at its begin. A macro, because a function has its own variables.
macro(compile file)
    if(NOT compiled_${file} STREQUAL program)
        set(compiled_${file} "${program}")
        set(declared_${file} FALSE)
        set(bodies_${file} ${bodies})
        foreach(included IN LISTS before_${file})
            compile("${included}")
        endforeach()
        set(declared_${file} TRUE)
        foreach(included IN LISTS after_${file})
            if(included MATCHES "\\.ipp$")
                math(EXPR bodies "${bodies} + 1")
                compile("${included}")
                math(EXPR bodies "${bodies} - 1")
            else()
                compile("${included}")
            endif()
        endforeach()
    elseif(NOT declared_${file} AND bodies GREATER bodies_${file} AND NOT "${file}" MATCHES "\\.ipp$"
           AND NOT DEFINED rejected_${file})
        set(rejected_${file} TRUE)
        set(path "${file}")
        reject("if a program includes <${program}> first, a body that needs these declarations precedes them")
    endif()
endmacro()

foreach(program IN LISTS paths)
    if(NOT program MATCHES "/(detail|impl)/|/src(_[a-z_]+)?\\.hpp$")
        set(bodies 0)
        compile("${program}")
    endif()
endforeach()
if(violations)
    message(FATAL_ERROR "${violations} headers violate this order")
endif()

# Checks that the project, its header and the newest entry of its changelog have the same version.
# Usage: cmake -D ROOT=<source folder> -D VERSION=<of the project> -P version.cmake

file(READ "${ROOT}/include/linkspan/core/version.hpp" header)
set(numbers "")
foreach(part MAJOR MINOR PATCH)
    string(REGEX MATCH "#define LINKSPAN_VERSION_${part} ([0-9]+)" match "${header}")
    list(APPEND numbers "${CMAKE_MATCH_1}")
endforeach()
list(JOIN numbers "." macros)
string(REGEX MATCH "version = \"([^\"]*)\"" match "${header}")
set(constant "${CMAKE_MATCH_1}")

file(STRINGS "${ROOT}/doc/changelog.md" entry REGEX "^## " LIMIT_COUNT 1)
string(REGEX MATCH "^## ([0-9.]+)" match "${entry}")
set(changelog "${CMAKE_MATCH_1}")

foreach(source macros constant changelog)
    if(NOT "${${source}}" STREQUAL VERSION)
        message(FATAL_ERROR "the project is ${VERSION}, but ${source}: ${${source}}")
    endif()
endforeach()

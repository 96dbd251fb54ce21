# Checks doc/protocol.md: each rule of the specification has one row, each row names a test, and each test that the page
# names exists.
# Usage: cmake -D ROOT=<the project> -P protocol_rules.cmake

cmake_minimum_required(VERSION 3.21)

set(path "doc/protocol.md")
set(min_cases 100)
include("${CMAKE_CURRENT_LIST_DIR}/test_references.cmake")

# The rules of servers and of clients. C-41 to C-45 are rules of OAuth, which the library does not implement.
set(rules "")
foreach(group S-1-42 C-1-40 C-46-50)
    string(REGEX MATCH "^([SC])-([0-9]+)-([0-9]+)$" match "${group}")
    set(side ${CMAKE_MATCH_1})
    foreach(number RANGE ${CMAKE_MATCH_2} ${CMAKE_MATCH_3})
        if(number LESS 10)
            set(number 0${number})
        endif()
        list(APPEND rules ${side}-${number})
    endforeach()
endforeach()

string(REGEX MATCHALL "\n\\| [SC]-[0-9]+ \\|[^\n]*" rows "${text}")
set(found "")
foreach(row IN LISTS rows)
    string(REGEX MATCH "[SC]-[0-9]+" rule "${row}")
    if(rule IN_LIST found)
        reject("${rule} has two rows")
    elseif(NOT rule IN_LIST rules)
        reject("${rule} is not a rule")
    elseif(NOT row MATCHES "^\n\\| [^|]+ \\| [^|]+ \\| [^|]+ \\| [^|]+ \\| [^|]*`[^|]* \\|$")
        reject("${rule}: expected a row of 5 cells, the last one with a test")
    endif()
    list(APPEND found ${rule})
endforeach()
foreach(rule IN LISTS rules)
    if(NOT rule IN_LIST found)
        reject("${rule} has no row")
    endif()
endforeach()

if(violations)
    message(FATAL_ERROR "${violations} rows or tests of ${path} are wrong")
endif()

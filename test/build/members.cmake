# Checks that no class or struct declares more than 25 non-static data members. A larger class is divided: members that
# are used together become a class or a struct of their own.
# Usage: cmake -D INCLUDE=<folder that contains linkspan/> -P members.cmake

cmake_minimum_required(VERSION 3.21)

set(max_members 25)

include("${CMAKE_CURRENT_LIST_DIR}/paths.cmake")

include("${CMAKE_CURRENT_LIST_DIR}/reject.cmake")

# replace_nested(NAME PATTERN BY): replaces PATTERN in the variable NAME until no match is left.
macro(replace_nested name pattern by)
    while(${name} MATCHES "${pattern}")
        string(REGEX REPLACE "${pattern}" "${by}" ${name} "${${name}}")
    endwhile()
endmacro()

set(literal_or_comment "R\"\\(([^)]|\\)+[^)\"])*\\)+\"|\"([^\"\\\n]|\\\\.)*\"|'([^'\\\n]|\\\\.)'|//[^\n]*")
set(class_without_blocks "(class|struct) +([^;{}$]*){([^{}]*)}")
set(other_declaration "^ ?(enum|union|struct|class|template) |(^| )(static|using|friend|typedef) |operator|[$]")

# count_members(BODY): sets `count` to the number of members that the text BODY of a class declares. In the text, `$`
# replaces each pair of parentheses, and `@` each inner block.
function(count_members body)
    string(REGEX REPLACE "=[^;,]*" "" declarations "${body}")
    # A block before `;` or `,` is an initializer or an inner class. Any other block is the body of a function, which
    # ends a declaration.
    string(REGEX REPLACE "@[ \n@]*([;,])" "\\1" declarations "${declarations}")
    string(REGEX REPLACE "@|(public|protected|private) *:" ";" declarations "${declarations}")
    string(REGEX REPLACE "[ \n]+" " " declarations "${declarations}")
    list(FILTER declarations EXCLUDE REGEX "^ *$|${other_declaration}")
    # Separators of declarations, and of the members of one declaration.
    string(REGEX REPLACE "[^;,]" "" separators "${declarations}")
    string(LENGTH "${separators}" count)
    if(declarations)
        math(EXPR count "${count} + 1")
    endif()
    set(count "${count}" PARENT_SCOPE)
endfunction()

foreach(path IN LISTS paths)
    file(READ "${INCLUDE}/${path}" text)
    string(REGEX REPLACE "${literal_or_comment}" "" text "${text}")
    string(REGEX REPLACE "\\\\\n" "" text "${text}")
    string(REGEX REPLACE "\n *#[^\n]*" "" text "${text}")
    string(REGEX REPLACE "operator *[^A-Za-z0-9_ (;]+" "operator" text "${text}")
    string(REGEX REPLACE "->|<<|<=|>=|[][@$]" "" text "${text}") # a list of CMake must not contain brackets
    string(REGEX REPLACE "enum +(class|struct)" "enum" text "${text}")
    string(REGEX REPLACE "\\([A-Za-z_:]*[*]([A-Za-z0-9_]+)\\) *\\(" "\\1 = (" text "${text}") # pointer to a function
    replace_nested(text "<[^<>;{}]*>" "")
    # The innermost blocks are replaced first, because parentheses may contain a block, and the reverse.
    while(text MATCHES "{[^{}]*}")
        replace_nested(text "[(][^(){}]*[)]" "$")
        string(REGEX REPLACE "(alignas|decltype) *[$]" "" text "${text}")
        while(text MATCHES "${class_without_blocks}")
            set(class "${CMAKE_MATCH_0}")
            set(name "${CMAKE_MATCH_2}")
            count_members("${CMAKE_MATCH_3}")
            if(count GREATER max_members)
                string(REGEX MATCH "^[A-Za-z0-9_:]+" name "${name}")
                reject("${name}: ${count} data members, expected at most ${max_members}")
            endif()
            string(REPLACE "${class}" "@" text "${text}")
        endwhile()
        string(REGEX REPLACE "{[^{}]*}" "@" text "${text}")
    endwhile()
    if(text MATCHES "[{}]")
        reject("the braces do not match")
    endif()
endforeach()
if(violations)
    message(FATAL_ERROR "${violations} classes have too many data members, or files cannot be read")
endif()

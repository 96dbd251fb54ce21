# Compiles SOURCE, which must fail with one error: the text in its first line, after "// error: ".
# Usage: cmake -D COMPILER=... -D INCLUDE=... -D SOURCE=... -P expect_error.cmake

file(STRINGS "${SOURCE}" first_line LIMIT_COUNT 1)
string(REGEX REPLACE "^// error: " "" expected "${first_line}")
if(expected STREQUAL first_line)
    message(FATAL_ERROR "the first line of ${SOURCE} must read: // error: <expected text>")
endif()

# A discarded [[nodiscard]] result is only a warning by default. The bodies are irrelevant here.
execute_process(COMMAND "${COMPILER}" -std=c++20 -Werror=unused-result -DLINKSPAN_SEPARATE_COMPILATION "-I${INCLUDE}"
                        -fsyntax-only "${SOURCE}"
                RESULT_VARIABLE status ERROR_VARIABLE output)
if(status EQUAL 0)
    message(FATAL_ERROR "compiled, but should not")
endif()

# A semicolon would split the list of lines, and brackets would join its elements.
string(REGEX REPLACE "[][;]" "_" lines "${output}")
# clang prints the condition of an assertion before its message, over several lines.
string(REGEX REPLACE " due to requirement '[^']*'" "" lines "${lines}")
string(REGEX MATCHALL "[^\n]* error: [^\n]*" errors "${lines}")
list(LENGTH errors count)
string(FIND "${errors}" "${expected}" position)
if(NOT count EQUAL 1 OR position EQUAL -1)
    message(FATAL_ERROR "expected one error: ${expected}\ngot ${count}:\n${output}")
endif()

# Checks that a test program fails with the given arguments, and that its output matches a regular expression.
# Usage: cmake -D PROGRAM=<file> -D "ARGUMENTS=<separated by blanks>" -D "SENTENCE=<regular expression>"
#        -P expect_report.cmake

separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
execute_process(COMMAND "${PROGRAM}" ${arguments} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ${ARGUMENTS} succeeded: ${output}")
endif()
if(NOT output MATCHES "${SENTENCE}")
    message(FATAL_ERROR "${PROGRAM} ${ARGUMENTS} did not print '${SENTENCE}': ${output}")
endif()

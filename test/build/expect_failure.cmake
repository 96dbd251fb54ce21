# Checks that a program that fails exits with a status other than 0 and reports the cause on stderr.
# Usage: cmake -D PROGRAM=<file> -D SENTENCE=<regular expression> -P expect_failure.cmake

execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} succeeded: ${output}")
endif()
if(NOT errors MATCHES "${SENTENCE}")
    message(FATAL_ERROR "${PROGRAM} did not print '${SENTENCE}': ${errors}")
endif()

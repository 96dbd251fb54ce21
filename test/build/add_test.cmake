# Tests of all folders: their environment, and linkspan_add_test().

# The folders of the programs, of the tests, of the pinned npm servers, and of the shared test data. The environment of
# CMake and CTest overrides the last two.
set(environment "LINKSPAN_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "LINKSPAN_TEST_DIR=${PROJECT_SOURCE_DIR}/test"
                BOOST_TEST_COLOR_OUTPUT=no)
if(NOT DEFINED ENV{LINKSPAN_NPM_DIR})
    list(APPEND environment "LINKSPAN_NPM_DIR=${PROJECT_SOURCE_DIR}/build/npm")
endif()
if(NOT DEFINED ENV{LINKSPAN_SHARED}) # the wire schemas and the official conformance suite
    list(APPEND environment "LINKSPAN_SHARED=${PROJECT_SOURCE_DIR}/../shared")
endif()
set(LINKSPAN_TEST_ENVIRONMENT "${environment}" CACHE INTERNAL "")

# linkspan_add_test(NAME SECONDS COMMAND...): adds a test with a timeout. A test that exits with 77 is skipped, and
# prints the reason.
function(linkspan_add_test name seconds)
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds} SKIP_RETURN_CODE 77
                                            ENVIRONMENT "${LINKSPAN_TEST_ENVIRONMENT}")
endfunction()

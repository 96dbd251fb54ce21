# Functions that generate headers with typed bindings for the tools of a server, with linkspan-bindgen, during a build.
# The functions are defined by the package linkspan, and by its source folder, which builds the generator if it is used.

# linkspan_generate_bindings(TARGET target SERVER name LOCK file [NAMESPACE name] [HEADER name] [TOOLS pattern...])
#
# Generates a header from a lock file and adds its folder to the include directories of a target. HEADER is the name of
# the header; default: SERVER_tools.hpp with the value of SERVER. No server is started: the tools are read from the lock
# file, which is committed with the sources, and is created with
#
#     linkspan-bindgen --config servers.json --server weather --lock weather.tools.lock.json
function(linkspan_generate_bindings)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;SERVER;LOCK;NAMESPACE;HEADER" "TOOLS")
    linkspan_require_arguments(linkspan_generate_bindings TARGET SERVER LOCK)
    if(NOT arg_HEADER)
        set(arg_HEADER "${arg_SERVER}_tools.hpp")
    endif()
    cmake_path(ABSOLUTE_PATH arg_LOCK BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_bindings")
    set(options --lock "${arg_LOCK}" --out "${folder}/${arg_HEADER}")
    if(arg_NAMESPACE)
        list(APPEND options --namespace "${arg_NAMESPACE}")
    endif()
    foreach(pattern IN LISTS arg_TOOLS)
        list(APPEND options --tools "${pattern}")
    endforeach()
    linkspan_find_bindgen(bindgen)
    file(MAKE_DIRECTORY "${folder}")
    # The generator does not modify a header that is up to date; the stamp records that the generator has run.
    set(stamp "${folder}/${arg_HEADER}.stamp")
    add_custom_command(OUTPUT "${stamp}" BYPRODUCTS "${folder}/${arg_HEADER}"
                       COMMAND ${bindgen} ${options}
                       COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
                       DEPENDS "${arg_LOCK}" ${bindgen}
                       COMMENT "Bindings for the tools of ${arg_SERVER}"
                       VERBATIM)
    target_sources(${arg_TARGET} PRIVATE "${stamp}")
    target_include_directories(${arg_TARGET} PRIVATE "${folder}")
endfunction()

# linkspan_add_drift_test(NAME test CONFIG file SERVER name LOCK file [TOOLS pattern...])
#
# Adds a test that compares the tools of the server with the lock file. The test fails with exit status 5 if a
# difference is breaking, and with 6 if one is risky. With additive differences only, the test passes. Each difference
# is printed.
function(linkspan_add_drift_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;CONFIG;SERVER;LOCK" "TOOLS")
    linkspan_require_arguments(linkspan_add_drift_test NAME CONFIG SERVER LOCK)
    foreach(file IN ITEMS CONFIG LOCK)
        cmake_path(ABSOLUTE_PATH arg_${file} BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    endforeach()
    set(patterns "")
    foreach(pattern IN LISTS arg_TOOLS)
        list(APPEND patterns --tools "${pattern}")
    endforeach()
    linkspan_find_bindgen(bindgen)
    if(TARGET ${bindgen}) # the test does not build it
        set_target_properties(${bindgen} PROPERTIES EXCLUDE_FROM_ALL OFF)
    endif()
    add_test(NAME ${arg_NAME}
             COMMAND ${bindgen} --config "${arg_CONFIG}" --server "${arg_SERVER}" --lock "${arg_LOCK}" ${patterns}
                     --check)
    set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT 120)
endfunction()

# A macro, because it reads the arguments of its caller.
macro(linkspan_require_arguments function)
    foreach(required IN ITEMS ${ARGN})
        if(NOT arg_${required})
            message(FATAL_ERROR "${function}: ${required} is missing")
        endif()
    endforeach()
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${function} has no argument ${arg_UNPARSED_ARGUMENTS}")
    endif()
endmacro()

# Finds the generator: that of this build, or the installed one.
function(linkspan_find_bindgen result)
    if(TARGET linkspan_bindgen)
        set(${result} linkspan_bindgen PARENT_SCOPE)
        return()
    endif()
    # An installed package has this file in share/cmake/linkspan.
    find_program(LINKSPAN_BINDGEN linkspan-bindgen
                 HINTS "${LINKSPAN_BINDGEN_HINT}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../bin")
    if(NOT LINKSPAN_BINDGEN)
        message(FATAL_ERROR "linkspan-bindgen was not found: install linkspan, or set LINKSPAN_BINDGEN to the path of "
                            "the program; the source folder builds the program if Boost.URL was found (Debian: "
                            "libboost-url-dev)")
    endif()
    set(${result} "${LINKSPAN_BINDGEN}" PARENT_SCOPE)
endfunction()

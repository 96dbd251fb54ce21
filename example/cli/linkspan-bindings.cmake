# Headers with typed bindings for the tools of a server, made by linkspan-bindgen while a project is built. The package
# of linkspan brings these functions, and so does its source folder where it builds its examples, with TLS.

# linkspan_generate_bindings(TARGET target SERVER name LOCK file [NAMESPACE name] [HEADER name] [TOOLS pattern...])
#
# Makes a header of a lock file and adds it to a target, which includes it by its name: NAME_tools.hpp, NAME being
# SERVER, unless HEADER says otherwise. No server is asked: what the tools are stands in the lock file, which is kept
# with the sources. It is made with
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
    # The generator leaves a header alone that is as it should be; a stamp tells that it was looked at.
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
# A test that asks the server what its tools are, and fails when they are not what the lock file says and callers break,
# with 5, or might, with 6: what is only added is told, and passes. CTest prints each difference.
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
    add_test(NAME ${arg_NAME}
             COMMAND ${bindgen} --config "${arg_CONFIG}" --server "${arg_SERVER}" --lock "${arg_LOCK}" ${patterns}
                     --check)
    set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT 120)
endfunction()

# A macro, so that it sees the arguments of its caller.
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

# The generator that this project builds, or the one that was installed.
function(linkspan_find_bindgen result)
    if(TARGET linkspan_bindgen)
        set(${result} linkspan_bindgen PARENT_SCOPE)
        return()
    endif()
    # An installed package has this file in share/cmake/linkspan.
    find_program(LINKSPAN_BINDGEN linkspan-bindgen
                 HINTS "${LINKSPAN_BINDGEN_HINT}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../bin")
    if(NOT LINKSPAN_BINDGEN)
        message(FATAL_ERROR "linkspan-bindgen is not there: linkspan builds it with LINKSPAN_BUILD_EXAMPLES and "
                            "LINKSPAN_WITH_TLS; or set LINKSPAN_BINDGEN")
    endif()
    set(${result} "${LINKSPAN_BINDGEN}" PARENT_SCOPE)
endfunction()

# Targets that compile the function bodies of linkspan once, in the build of the program that uses them:
# linkspan::compiled and linkspan::compiled_server require Boost.JSON; linkspan::compiled_http,
# linkspan::compiled_http_server, and linkspan::compiled_test with the test kit, also require Boost.URL;
# linkspan::compiled_tls also requires OpenSSL. The package linkspan and its source folder define the targets whose
# dependencies were found. A target that is not linked is not built.
#
# A program links either these targets or header-only targets: units of both kinds do not link with each other.

# linkspan_add_compiled(NAME USES target... BODIES header...): defines linkspan::NAME, with one translation unit for
# each header.
function(linkspan_add_compiled name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES;BODIES")
    set(units "")
    foreach(header IN LISTS arg_BODIES)
        string(MAKE_C_IDENTIFIER "${header}" unit)
        list(APPEND units "${CMAKE_CURRENT_BINARY_DIR}/linkspan_compiled/${unit}.cpp")
        file(CONFIGURE OUTPUT "linkspan_compiled/${unit}.cpp" CONTENT "#include <${header}>\n")
    endforeach()
    add_library(linkspan_${name} STATIC EXCLUDE_FROM_ALL ${units})
    add_library(linkspan::${name} ALIAS linkspan_${name})
    target_link_libraries(linkspan_${name} PUBLIC ${arg_USES})
    string(TOUPPER "${name}" upper_name)
    target_compile_definitions(linkspan_${name} PUBLIC LINKSPAN_SEPARATE_COMPILATION LINKSPAN_LINKS_${upper_name})
    # A shared library may contain the bodies. Without the option, g++ assumes that another library may replace each of
    # them, and does not inline them in position-independent code.
    set_target_properties(linkspan_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(linkspan_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
endfunction()

# Several folders of one project may find the package; the targets exist once.
if(NOT TARGET linkspan_compiled AND TARGET linkspan::linkspan AND TARGET Boost::json)
    linkspan_add_compiled(compiled USES linkspan::linkspan BODIES linkspan/src.hpp)
    linkspan_add_compiled(compiled_server USES linkspan_compiled BODIES linkspan/src_server.hpp)
endif()
if(NOT TARGET linkspan_compiled_http AND TARGET linkspan_compiled AND TARGET linkspan::http AND TARGET Boost::url)
    linkspan_add_compiled(compiled_http USES linkspan_compiled linkspan::http BODIES linkspan/src_http.hpp)
    linkspan_add_compiled(compiled_http_server USES linkspan_compiled_server linkspan_compiled_http
                          BODIES linkspan/src_http_server.hpp)
    linkspan_add_compiled(compiled_test USES linkspan_compiled_http_server
                          BODIES linkspan/bindgen/src.hpp linkspan/test/src.hpp linkspan/test/src_http.hpp)
endif()
if(NOT TARGET linkspan_compiled_tls AND TARGET linkspan_compiled_http AND TARGET linkspan::tls AND TARGET OpenSSL::SSL)
    linkspan_add_compiled(compiled_tls USES linkspan_compiled_http linkspan::tls BODIES linkspan/src_tls.hpp)
endif()

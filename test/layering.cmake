# Checks that every include of the library goes to the same layer or down, and that third-party headers stay in theirs.
# Usage: cmake -D INCLUDE=<folder that holds linkspan/> -P layering.cmake

cmake_minimum_required(VERSION 3.21)

if(NOT IS_DIRECTORY "${INCLUDE}/linkspan")
    message(FATAL_ERROR "INCLUDE: expected the folder that holds linkspan/, found '${INCLUDE}'")
endif()

# A layer, and what stands in it. A name goes before its folder.
set(table
    0 detail/config version fwd
    1 arguments attempt back_off call_context call_error call_options call_result content diagnostics elicitation error json_scan
      json_writer message meta nearest_names redact responder revision roots sampling selector session_state tool typed_responder typed_result detail/config_text detail/toml_text
      detail/base64 detail/canonical_json detail/code_points detail/http_text detail/json_fault detail/json_pointer detail/sha256 detail/shared_text
    2 bindings call_result_as local_tool describe/* impl/pattern_reader schema/*
    3 protocol/*
    4 interceptor request_op throwing time wait_store policy/concepts policy/set policy/views transport/any_transport
      transport/concept detail/*
    5 server_options session session_options detail/input_exchange detail/session_core detail/session_ops impl/http_replies impl/session_opening impl/session_repairs policy/*
      transport/*
    6 catalog impl/catalog_json connection_error connector connector_state named_calls typed_calls detail/call_flow detail/connector_core detail/logical_call detail/typed_call
      detail/published_server detail/server_entry detail/server_turn detail/tool_checks detail/interception impl/server_lifecycle impl/server_tools impl/tool_lookup impl/tool_pins
      impl/interception
    7 agent impl/model_answer impl/server_address blocking_connector bridge bindgen/* call_many client_config config_problem connector_config impl/config_json default_servers detail/config_document detail/config_reader detail/http_choice
      detail/server_reader expand fallback_servers make_connector run server_config signal_guard tool_export validate while_open with_fallback test/*)

# The third-party libraries for a header. A library of Boost goes by its folder; "platform" are the C headers.
function(find_libraries header layer result)
    set(libraries json system describe mp11 assert config core)
    if(layer GREATER_EQUAL 4)
        list(APPEND libraries asio platform)
    endif()
    if(layer GREATER_EQUAL 6)
        list(APPEND libraries unordered)
    endif()
    if(header MATCHES "^transport/(stdio$|child_)")
        list(APPEND libraries process)
    elseif(header MATCHES "^transport/(http|streamable_http|legacy_sse)")
        list(APPEND libraries beast url optional)
    elseif(header STREQUAL "transport/tls")
        list(APPEND libraries asio/ssl openssl)
    endif()
    set(${result} ${libraries} PARENT_SCOPE)
endfunction()

set(umbrellas boost/asio.hpp boost/beast.hpp boost/process.hpp boost/process/v2.hpp)
set(threads_and_files thread mutex shared_mutex condition_variable future semaphore latch barrier stop_token fstream
                      filesystem)

foreach(entry IN LISTS table)
    if(entry MATCHES "^[0-9]$")
        set(layer ${entry})
    else()
        set("layer_of_${entry}" ${layer})
    endif()
endforeach()

# "linkspan/protocol/outcome.hpp" is the header "protocol/outcome". A body stands where the header of its name does,
# which it includes, or where the table says.
function(name_header path result)
    if(path MATCHES "/impl/([^/]+)\\.ipp$")
        set(own_include "^#include <linkspan/([^>]+/)?${CMAKE_MATCH_1}\\.hpp>")
        file(STRINGS "${INCLUDE}/${path}" own REGEX "${own_include}" LIMIT_COUNT 1)
        if(own)
            string(REGEX REPLACE "^#include <|>.*" "" path "${own}")
        endif()
    endif()
    string(REGEX REPLACE "^linkspan/|\\.[hi]pp$" "" header "${path}")
    set(${result} "${header}" PARENT_SCOPE)
endfunction()

# Empty for a header that has no place.
function(find_layer header result)
    set(place "${header}")
    while(place AND NOT DEFINED "layer_of_${place}")
        string(REGEX REPLACE "/\\*$" "" place "${place}")
        cmake_path(GET place PARENT_PATH place)
        if(place)
            string(APPEND place "/*")
        endif()
    endwhile()
    set(${result} "${layer_of_${place}}" PARENT_SCOPE)
endfunction()

set(refusals 0)
macro(refuse sentence)
    message(NOTICE "${path}: ${sentence}")
    math(EXPR refusals "${refusals} + 1")
endmacro()

function(check_own path header layer included)
    name_header("${included}" other)
    find_layer("${other}" other_layer)
    if(other_layer STREQUAL "")
        refuse("<${included}> has no layer: give it one in layering.cmake")
    elseif(other_layer GREATER layer)
        refuse("<${included}> is of layer ${other_layer}, above layer ${layer}")
    elseif(layer EQUAL 3 AND other_layer EQUAL 2)
        refuse("<${included}>: describe and protocol do not know each other")
    elseif(header MATCHES "^(session|detail/session|policy/)" AND other MATCHES "^transport/" AND other_layer EQUAL 5)
        refuse("<${included}>: no session and no policy knows a concrete transport")
    elseif(header MATCHES "^test/" AND other MATCHES "^detail/" AND NOT other STREQUAL "detail/config")
        refuse("<${included}>: the test kit uses public headers only")
    endif()
    set(refusals ${refusals} PARENT_SCOPE)
endfunction()

function(check_foreign path header layer included)
    if(included MATCHES "^(boost/asio/ssl|boost/beast/ssl)[./]")
        set(library asio/ssl)
    elseif(included MATCHES "^boost/([^/.]+)")
        set(library "${CMAKE_MATCH_1}")
    elseif(included MATCHES "^openssl/")
        set(library openssl)
    elseif(included MATCHES "^[a-z_]+$")
        set(library std)
    elseif(included MATCHES "^((sys|linux|net|netinet|arpa)/)?[a-z]+\\.h$")
        set(library platform)
    else()
        set(library "${included}")
    endif()
    find_libraries("${header}" ${layer} libraries)
    if(layer EQUAL 3 AND included IN_LIST threads_and_files)
        refuse("<${included}>: layer 3 has no thread and no file")
    elseif(NOT library STREQUAL "std" AND NOT library IN_LIST libraries)
        refuse("<${included}> is no header for this place in layer ${layer}")
    endif()
    set(refusals ${refusals} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE paths RELATIVE "${INCLUDE}" "${INCLUDE}/*.hpp" "${INCLUDE}/*.ipp")
if(NOT paths)
    message(FATAL_ERROR "no header in ${INCLUDE}")
endif()
foreach(path IN LISTS paths)
    name_header("${path}" header)
    find_layer("${header}" layer)
    # These include everything.
    if(path STREQUAL "linkspan.hpp" OR path MATCHES "^linkspan/((test|bindgen)/)?((http|tls)_)?src.hpp$")
        set(layer any)
    elseif(layer STREQUAL "")
        refuse("has no layer: give it one in layering.cmake")
        continue()
    endif()
    file(STRINGS "${INCLUDE}/${path}" lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "<([^>]+)>")
            refuse("${line}: includes stand in angle brackets")
            continue()
        endif()
        set(included "${CMAKE_MATCH_1}")
        if(included IN_LIST umbrellas)
            refuse("<${included}> is an umbrella: include the narrowest header")
        elseif(layer STREQUAL "any")
            continue()
        elseif(included MATCHES "^linkspan[./]")
            check_own("${path}" "${header}" ${layer} "${included}")
        else()
            check_foreign("${path}" "${header}" ${layer} "${included}")
        endif()
    endforeach()
endforeach()
if(refusals)
    message(FATAL_ERROR "the layers are broken in ${refusals} places")
endif()

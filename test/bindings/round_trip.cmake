# Writes a unit that passes values for each tool of a generated header through its struct.
# Usage: cmake -D HEADER=<file> -D NAME=<suite> -D UNIT=<file> -P round_trip.cmake

cmake_minimum_required(VERSION 3.21)

file(STRINGS "${HEADER}" lines REGEX "^(namespace [A-Za-z0-9_:]+ {|struct [A-Za-z0-9_]+ {|    static constexpr std::string_view tool = )")
set(calls "")
foreach(line IN LISTS lines)
    if(line MATCHES "^namespace ([A-Za-z0-9_:]+)")
        set(space "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^struct ([A-Za-z0-9_]+)")
        set(struct "${CMAKE_MATCH_1}")
    else()
        string(APPEND calls "    bindings::round_trip<::${space}::${struct}>();\n")
    endif()
endforeach()

string(MAKE_C_IDENTIFIER "${NAME}" case)
file(CONFIGURE OUTPUT "${UNIT}" @ONLY CONTENT [[
#include "@HEADER@"

#include <boost/test/unit_test.hpp>

#include "round_trip.hpp"

BOOST_AUTO_TEST_SUITE(round_trip_test)

BOOST_AUTO_TEST_CASE(@case@)
{
@calls@}

BOOST_AUTO_TEST_SUITE_END()
]])

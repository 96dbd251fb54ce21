#ifndef LINKSPAN_TEST_BINDINGS_ROUND_TRIP_HPP
#define LINKSPAN_TEST_BINDINGS_ROUND_TRIP_HPP

// Values that a schema accepts go through the struct that was made of it, and come back as they were.

#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/mismatch.hpp>

#include <concepts>
#include <string>
#include <string_view>

namespace linkspan {

class call_result;

} // namespace linkspan

namespace bindings {

/// Reads a text as the type that was made of a schema, and writes it again; an empty text and `why` when it cannot be
/// read.
using through_struct = std::string (*)(std::string_view json, std::string& why);

template<class T>
std::string pass_through(std::string_view json, std::string& why)
{
    T value{};
    linkspan::mismatches problems;
    if (decode(value, json, problems))
        return linkspan::encode(value);
    why = to_string(problems);
    return {};
}

/// Samples of `schema`, through the struct and back.
void hold_samples(std::string_view tool, std::string_view schema, through_struct pass);

/// Of a generated struct: its arguments, and its result where that has a type.
template<class Call>
void round_trip()
{
    hold_samples(Call::tool, Call::input_schema, &pass_through<Call>);
    if constexpr (requires { Call::output_schema; } && !std::same_as<typename Call::result_type, linkspan::call_result>)
        hold_samples(Call::tool, Call::output_schema, &pass_through<typename Call::result_type>);
}

} // namespace bindings

#endif

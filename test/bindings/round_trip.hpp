#ifndef LINKSPAN_TEST_BINDINGS_ROUND_TRIP_HPP
#define LINKSPAN_TEST_BINDINGS_ROUND_TRIP_HPP

// Round trip of valid values through the structs generated from their schemas.

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/mismatch.hpp>

#include <concepts>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

class call_result;

} // namespace linkspan

namespace bindings {

/// Decodes a text as a generated type and encodes the value again. Returns an empty text and sets `why` if the text
/// cannot be decoded.
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

/// Checks samples of `schema` in a round trip through the struct.
void check_samples(std::string_view tool, std::string_view schema, through_struct pass);

/// Checks the arguments of a generated struct, and its result if the result has a type.
template<class Call>
void round_trip()
{
    check_samples(Call::tool, Call::input_schema, &pass_through<Call>);
    if constexpr (requires { Call::output_schema; } && !std::same_as<typename Call::result_type, linkspan::call_result>)
        check_samples(Call::tool, Call::output_schema, &pass_through<typename Call::result_type>);
}

} // namespace bindings

#endif

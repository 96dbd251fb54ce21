#ifndef LINKSPAN_DESCRIBE_DETAIL_TOOL_CODEC_HPP
#define LINKSPAN_DESCRIBE_DETAIL_TOOL_CODEC_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/describe/call_result_as.hpp>
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/detail/kind.hpp>
#include <linkspan/describe/detail/union_choice.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/model/call_result.hpp>

#include <string>

// Defines the conversions of typed calls, so that a program that also includes <linkspan/connector.hpp> can make typed
// calls. <linkspan.hpp>, <linkspan/describe.hpp> and <linkspan/describe/struct.hpp> include this header.

namespace linkspan::inline LINKSPAN_ABI::detail {

template<class Arguments>
struct argument_codec {
    // Returns the text of the violated constraints; empty: none.
    static std::string mismatches_of(Arguments const& arguments)
    {
        require_json_form<Arguments>();
        if constexpr (has_json_form) {
            static_assert(is_object<Arguments>(),
                          "linkspan: the arguments of a tool must be a JSON object: use a struct, a "
                          "map, or a variant of structs");
            mismatches problems;
            return check(arguments, problems) ? std::string() : to_string(problems);
        }
        return {};
    }

    static void append(std::string& out, Arguments const& arguments)
    {
        if constexpr (has_json_form)
            encode(out, arguments);
    }

private:
    // If false, the functions do not use `check` and `encode`, so that the compiler reports one failed assertion only.
    static constexpr bool has_json_form = kind_of<Arguments> != type_kind::none;
};

template<class Result>
struct result_codec {
    // Reads the value of a result. On failure, `problem` is the text of the tool's error or of the mismatches.
    static error_code read(Result& value, call_result const& result, std::string& problem)
    {
        mismatches problems;
        auto const ec = read_result(value, result, problems);
        if (ec)
            problem = ec == error::tool_failed ? result.text() : to_string(problems);
        return ec;
    }
};

} // namespace linkspan::detail

#endif

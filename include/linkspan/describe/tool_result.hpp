#ifndef LINKSPAN_DESCRIBE_TOOL_RESULT_HPP
#define LINKSPAN_DESCRIBE_TOOL_RESULT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/detail/text_members.hpp>
#include <linkspan/describe/detail/union_choice.hpp>
#include <linkspan/describe/encode.hpp>

#include <concepts>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the members of the result of a tool call: the value as structured content, and its JSON as text for clients
/// without support for structured content.
///
/// A `std::string` is text only. A value of another type that is not always an object in JSON is wrapped in the
/// structured content: `{"result": value}`.
///
/// \tparam Result `std::string`, a described struct or another type with a JSON representation.
/// \param value The result of the tool.
/// \returns `"content":[...]`, and `"structuredContent":{...}` unless `Result` is `std::string`; without braces.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`, and exceptions of `json_as<Result>::to`.
/// \par Thread safety
/// Distinct objects: safe.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Tool Result".
template<class Result>
std::string result_members(Result const& value)
{
    if constexpr (std::same_as<Result, std::string>) {
        return detail::text_members(value);
    } else {
        auto const json = encode(value);
        auto out = detail::text_members(json) + R"(,"structuredContent":)";
        if (detail::is_object<Result>())
            out += json;
        else
            ((out += R"({"result":)") += json) += '}';
        return out;
    }
}

} // namespace linkspan

#endif

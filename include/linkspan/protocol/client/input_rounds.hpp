#ifndef LINKSPAN_PROTOCOL_CLIENT_INPUT_ROUNDS_HPP
#define LINKSPAN_PROTOCOL_CLIENT_INPUT_ROUNDS_HPP

#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// Something that a server wants to know before it goes on with a request.
struct input_request {
    std::string_view key;    ///< between its quotes, escapes as written
    std::string_view method; ///< between its quotes
    std::string_view params; ///< JSON text; empty: none
};

/// A result that is none yet.
///
/// Lifetime: refers to the text that was read.
struct input_wanted {
    std::vector<input_request> requests; ///< empty: the request is to be sent again as it was, with the state
    std::string_view state;              ///< a JSON string, never looked into; empty: none was given
};

/// What was asked, and the answer.
struct input_answer {
    std::string key;    ///< as in `input_request`
    std::string result; ///< JSON text
};

/// True for the methods whose result may ask back.
constexpr bool may_require_input(std::string_view method) noexcept
{
    return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

/// Reads a result of `resultType` "input_required"; nothing when it asks for nothing, or makes no sense.
///
/// Specification: 2026-07-28, basic, "Multi Round-Trip Requests".
LINKSPAN_DECL std::optional<input_wanted> read_input_required(std::string_view result);

/// Replaces `out` by the members that the original params get when the request is sent again.
LINKSPAN_DECL void compose_input(std::string& out, std::span<input_answer const> answers, std::string_view state);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/client/impl/input_rounds.ipp>
#endif

#endif

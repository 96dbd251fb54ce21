#ifndef LINKSPAN_MODEL_DETAIL_SAMPLING_RULES_HPP
#define LINKSPAN_MODEL_DETAIL_SAMPLING_RULES_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Checks the tool calls in the messages of a sampling request, which a language model would refuse otherwise:
// - a message with a tool result is a message of the user, and has no other content;
// - the message after one with tool calls has the result of each of them, and no other result.
//
// messages: text of a JSON array. Returns an empty string, or the first violation.
//
// Specification: MCP 2025-11-25 and 2026-07-28, client/sampling, "Message Content Constraints".
LINKSPAN_DECL std::string violation_of_tool_rules(std::string_view messages);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/sampling_rules.ipp>
#endif

#endif

#ifndef LINKSPAN_MODEL_PROMPT_HPP
#define LINKSPAN_MODEL_PROMPT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/annotations.hpp>
#include <linkspan/model/content.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Argument that a prompt accepts. The value of an argument in `prompts/get` is a string.
///
/// \par Specification
/// MCP 2026-07-28, schema: `PromptArgument`.
struct prompt_argument {
    std::string name{};        ///< name; not empty after `read_prompt`
    std::string title{};       ///< human-readable title (since 2025-06-18); empty: none
    std::string description{}; ///< description; empty: none
    bool required = false;     ///< whether the argument must be present

    bool operator==(prompt_argument const&) const = default;
};

/// A prompt as its server describes it in `prompts/list`. All texts are untrusted.
///
/// \par Specification
/// MCP 2026-07-28, server/prompts, "Prompt".
struct prompt {
    std::string name{};                       ///< name on its server; not empty after `read_prompt`
    std::string title{};                      ///< human-readable title (since 2025-06-18); empty: none
    std::string description{};                ///< description; empty: none
    std::vector<prompt_argument> arguments{}; ///< arguments; empty: none
    std::vector<icon> icons{};                ///< icons (since 2025-11-25); empty: none
    std::string meta{};                       ///< `_meta` as JSON text (since 2025-06-18); empty: none

    bool operator==(prompt const&) const = default;
};

/// Names and values of the arguments of a prompt.
using argument_values = std::vector<std::pair<std::string, std::string>>;

/// Message of a prompt: a role, and one content block.
///
/// \par Specification
/// MCP 2026-07-28, schema: `PromptMessage`.
struct prompt_message {
    std::string role{};      ///< `user` or `assistant`; empty: sent as `user`
    content_block content{}; ///< content of the message

    bool operator==(prompt_message const&) const = default;
};

/// Result of `prompts/get`.
///
/// \par Specification
/// MCP 2026-07-28, schema: `GetPromptResult`.
struct prompt_result {
    std::string description{};              ///< description; empty: none
    std::vector<prompt_message> messages{}; ///< messages in their order

    bool operator==(prompt_result const&) const = default;
};

/// Reads a prompt from the text of a JSON object. Arguments without a name are ignored.
///
/// \returns The prompt; empty if `name` is missing, empty or not a string.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<prompt> read_prompt(std::string_view json);

/// Reads the result of `prompts/get` from the text of a JSON object.
///
/// \returns The result; empty if `messages` is not an array, or a message has no role or no content.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<prompt_result> read_prompt_result(std::string_view json);

/// Appends a prompt as a JSON object. Members that the protocol version does not define are omitted.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, prompt const& from, protocol_version id);

/// Appends the members of a result of `prompts/get` as JSON text, without braces.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_members(std::string& out, prompt_result const& from, protocol_version id);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/prompt.ipp>
#endif

#endif

#ifndef LINKSPAN_MODEL_COMPLETION_HPP
#define LINKSPAN_MODEL_COMPLETION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Request for values that complete the beginning of an argument (`completion/complete`).
///
/// \par Specification
/// MCP 2026-07-28, server/utilities/completion.
struct completion_request {
    /// Kinds of subjects that have arguments.
    enum class kind {
        prompt,           ///< a prompt, which has arguments
        resource_template ///< a resource template, which has variables
    };

    kind subject = kind::prompt; ///< kind of the subject (`ref/prompt`, `ref/resource`)
    std::string name;            ///< name of the prompt, or the URI template
    std::string argument;        ///< name of the argument
    std::string value;           ///< text that the end user has entered so far
    /// Names and values of arguments that are complete already (since 2025-06-18).
    std::vector<std::pair<std::string, std::string>> arguments;

    bool operator==(completion_request const&) const = default;
};

/// Values that complete an argument.
struct completion_result {
    /// Maximum number of values of a result. Further values are neither read nor sent, and `hasMore` is true.
    static constexpr std::size_t max_values = 100;

    std::vector<std::string> values;   ///< values, best first
    std::optional<std::int64_t> total; ///< number of all values; empty: not known
    bool has_more = false;             ///< there are more values than `values` contains

    bool operator==(completion_result const&) const = default;
};

/// Reads the params of `completion/complete`.
///
/// \returns The request; empty if `ref` or `argument` is missing, incomplete, or of an unknown type.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<completion_request> read_completion_request(std::string_view params);

/// Reads the result of `completion/complete`.
///
/// \returns The result; empty if `completion.values` is not an array.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<completion_result> read_completion_result(std::string_view result);

/// Appends the members of the params of `completion/complete` that the protocol version has, as JSON text without
/// braces.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_members(std::string& out, completion_request const& from, protocol_version id);

/// Appends the members of the result of `completion/complete` as JSON text, without braces. If there are more than
/// `max_values` values, the first ones are written, and `hasMore` is true.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_members(std::string& out, completion_result const& from);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/completion.ipp>
#endif

#endif

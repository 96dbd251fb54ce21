#ifndef LINKSPAN_MODEL_TOOL_HPP
#define LINKSPAN_MODEL_TOOL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/annotations.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Hints of a server about the effects of a tool. The defaults are those of the specification.
///
/// Hints are untrusted: they are meaningful only if the operator trusts the server.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "ToolAnnotations".
struct tool_annotations {
    bool read_only = false;  ///< `readOnlyHint`: the tool does not modify its environment
    bool destructive = true; ///< `destructiveHint`: the tool may delete or overwrite; no meaning if `read_only`
    bool idempotent = false; ///< `idempotentHint`: a repeated call has no further effect; no meaning if `read_only`
    bool open_world = true;  ///< `openWorldHint`: the tool interacts with external systems

    bool operator==(tool_annotations const&) const = default;
};

/// Returns annotations as JSON text, with all four hints under the names of the specification.
LINKSPAN_DECL std::string to_json(tool_annotations const& hints);

/// Whether a tool can be called as a task (`execution.taskSupport`, 2025-11-25 only).
enum class task_support {
    forbidden, ///< the tool must not be called as a task; the default
    optional,  ///< the tool may be called as a task
    required,  ///< the tool must be called as a task
};

/// A tool as its server describes it in `tools/list`.
///
/// All texts are untrusted. Names and texts are decoded; schemas and `_meta` are kept as JSON text.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Tool".
struct tool {
    std::string name{};             ///< name on its server; never empty in a `tool_list`
    std::string title{};            ///< human-readable title: `title`, else `annotations.title`; empty: none
    std::string description{};      ///< description for models; empty: none
    std::string input_schema{};     ///< JSON Schema of the arguments, as the server sent it; `{}` if it sent none
    std::string output_schema{};    ///< JSON Schema of `structuredContent`, as the server sent it; empty: none
    std::string meta{};             ///< `_meta` as JSON text; empty: none
    tool_annotations annotations{}; ///< hints; defaults where the server sent none
    bool has_hints = false;         ///< the server sent at least one boolean hint, even if it is equal to the default
    task_support tasks = task_support::forbidden; ///< `execution.taskSupport`
    std::vector<icon> icons{};                    ///< icons (since 2025-11-25); empty: none

    bool operator==(tool const&) const = default;
};

/// Appends a tool as a JSON object, with the members that the protocol version defines. The annotations are written if
/// `has_hints` is true. Before 2026-07-28, an output schema is written only if its `type` is `object`.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, tool const& from, protocol_version version);

/// SHA-256 hash of the input schema of a tool, or of the parts of a tool that a pin covers; or no value. Schemas are
/// hashed in a canonical form.
///
/// Schemas that are equal as JSON values have equal fingerprints: the order of keys, whitespace, and the notation of
/// numbers and strings do not matter.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe for concurrent reads.
class fingerprint {
public:
    /// Constructs a fingerprint without a value.
    fingerprint() = default;

    /// Returns the fingerprint of an input schema.
    ///
    /// The library regards tools of the same name as interchangeable if the fingerprints of their input schemas are
    /// equal.
    ///
    /// \param schema JSON text of the schema. If the text is not valid JSON, the text itself is hashed.
    /// \throws std::bad_alloc
    LINKSPAN_DECL static fingerprint of_input(std::string_view schema);

    /// Returns the fingerprint of a tool for pins, as `schema_fingerprint` describes it.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL static fingerprint of_pin(tool const& tool);

    /// Returns whether the fingerprint has a value.
    bool has_value() const noexcept { return has_value_; }

    /// Returns the fingerprint as 64 hexadecimal digits. Empty: no value.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::string text() const;

    /// Returns the first 8 hexadecimal digits. Empty: no value.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::string short_text() const;

    /// Returns whether both fingerprints have the same value, or both have none.
    bool operator==(fingerprint const&) const = default;

private:
    explicit fingerprint(std::array<std::uint32_t, 8> const& words) noexcept : words_(words), has_value_(true) {}

    std::array<std::uint32_t, 8> words_{}; // zero without a value
    bool has_value_ = false;
};

/// Returns a short fingerprint of the input schema of a tool: the first 8 hexadecimal digits of its SHA-256 hash.
///
/// Two tools have the same fingerprint if their input schemas are equal as JSON values: the order of keys, whitespace,
/// and the notation of numbers and strings do not matter. If the schema is not valid JSON, its text is hashed.
/// Different schemas have the same fingerprint with a probability of 1 in 2^32. The text is meant for display; the
/// library compares complete fingerprints.
///
/// \throws std::bad_alloc
LINKSPAN_DECL std::string input_fingerprint(tool const& tool);

/// Returns the fingerprint of a tool for pins: the SHA-256 hash of the input schema, the output schema and the four
/// hints, as 64 hexadecimal digits.
///
/// The order of keys, whitespace, and the notation of numbers and strings in the schemas do not matter. Titles and
/// descriptions within the schemas matter, because models read them. The name, the title and the description of the
/// tool do not matter.
///
/// \throws std::bad_alloc
LINKSPAN_DECL std::string schema_fingerprint(tool const& tool);

/// Pin of a tool: the fingerprint that the tool must have, such as the one for which bindings were generated.
///
/// \par Lifetime
/// The members are views, whose texts must outlive the object. Generated code uses literals.
struct tool_pin {
    std::string_view tool{};        ///< name of the tool on its server
    std::string_view fingerprint{}; ///< `schema_fingerprint` of the tool

    bool operator==(tool_pin const&) const = default;
};

/// Difference between a pin and the tools of a server: the drift of one tool.
struct pin_difference {
    std::string tool{};   ///< name of the tool
    std::string pinned{}; ///< fingerprint of the pin
    std::string found{};  ///< different fingerprint of a listed tool of that name; empty: no tool of that name

    bool operator==(pin_difference const&) const = default;
};

/// Returns a sentence that names the tool and whether it is missing or changed.
LINKSPAN_DECL std::string to_string(pin_difference const& difference);

/// Compares the tools of a server with pins.
///
/// If several tools have the same name, each must match the pin, because the server chooses which of them a call
/// executes. Tools without a pin are ignored.
///
/// \param pins The pins.
/// \param tools The tools that the server lists.
/// \returns One difference per pin that does not match, in the order of the pins. Empty: all match.
/// \throws std::bad_alloc
LINKSPAN_DECL std::vector<pin_difference> compare_pins(std::span<tool_pin const> pins, std::span<tool const> tools);

/// The tools of one server: the merged pages of `tools/list`.
struct tool_list {
    std::vector<tool> tools{}; ///< usable tools in the order of the server
    std::size_t dropped = 0;   ///< number of entries without a name, which are not in `tools`

    /// Listed tools that are not in `tools`, because the transport cannot call them or because they do not match their
    /// pins. `diagnostic::subject` is the name of the tool on its server, and `diagnostic::message` is the reason.
    std::vector<diagnostic> unusable{};

    std::optional<duration> ttl{}; ///< `ttlMs`: validity of the list, the minimum of all pages; empty: not sent
    bool is_public = false;        ///< `cacheScope` is `public` on all pages: the list is the same for all users
    std::size_t pages = 0;         ///< number of pages that were read

    /// Human-readable text about a failed request, such as the message of the error response. The text may contain
    /// untrusted text of the server. Empty: success, or no text.
    std::string detail{};
};

/// Reads a value of `ttlMs`.
///
/// \param milliseconds The value as JSON text. Negative numbers are read as 0 (stale immediately), numbers above 1e12
/// as 1e12.
/// \returns The duration, or an empty optional if the value is not a number.
/// \par Specification
/// MCP 2026-07-28, "Caching".
LINKSPAN_DECL std::optional<duration> read_ttl(std::string_view milliseconds) noexcept;

/// Appends one page of `tools/list` to a list, counts the page, and merges its caching hints: the minimum of `ttlMs`,
/// and `public` only if it is the `cacheScope` of all pages.
///
/// Entries without a name are counted in `tool_list::dropped`. A missing `inputSchema` is read as `{}`. Members that
/// are `null` are treated as missing.
///
/// \param list The list to which the tools of the page are appended.
/// \param page The result of `tools/list` as JSON text.
/// \par Errors
/// `malformed_message`: `tools` is not an array. The list is not modified then.
/// \par Exception safety
/// Basic: a part of the page may be appended. Throws `std::bad_alloc`.
LINKSPAN_DECL error_code append_page(tool_list& list, std::string_view page);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/tool.ipp>
#include <linkspan/model/pin_comparison.hpp> // its body defines compare_pins()
#endif

#endif

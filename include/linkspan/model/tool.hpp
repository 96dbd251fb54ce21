#ifndef LINKSPAN_MODEL_TOOL_HPP
#define LINKSPAN_MODEL_TOOL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// What a server says about the effects of a tool. Hints are untrusted: they say nothing unless the operator trusts
/// the server. The defaults are those of the specification.
struct tool_annotations {
    bool read_only = false;
    bool destructive = true;
    bool idempotent = false;
    bool open_world = true;

    bool operator==(tool_annotations const&) const = default;
};

/// The text of `annotations`, all of them.
LINKSPAN_DECL std::string to_json(tool_annotations const& hints);

/// A tool as its server describes it.
///
/// Specification: 2025-11-25 and 2026-07-28, server/tools, "Tool".
struct tool {
    std::string name;
    std::string title;         ///< for people; empty when neither `title` nor `annotations.title` is there
    std::string description;   ///< untrusted text
    std::string input_schema;  ///< JSON text, as the server wrote it
    std::string output_schema; ///< JSON text; empty: none
    std::string meta;          ///< JSON text of `_meta`; empty: none
    tool_annotations annotations;
    bool has_hints = false; ///< the server told at least one of `annotations`, be it the default

    bool operator==(tool const&) const = default;
};

/// 8 hexadecimal digits that tools of the same input share: the SHA-256 of the input schema, whatever the order of its
/// keys, its blanks, and how its numbers and strings are spelt. That of a schema that is no JSON is that of its text.
///
/// Two tools of one name stand in for each other when their schemas are equal, which this says but for a chance of one
/// in 4 thousand million.
LINKSPAN_DECL std::string input_fingerprint(tool const& tool);

/// 64 hexadecimal digits that stand for all that a caller relies on: the SHA-256 of the input schema, the output schema
/// and the annotations. The order of keys, blanks, and how numbers and strings are spelt make no difference; texts
/// within the schemas do, because a model reads them.
LINKSPAN_DECL std::string schema_fingerprint(tool const& tool);

/// What a tool was when code was written against it: its `schema_fingerprint`.
///
/// Lifetime: borrows. Generated code has literals there.
struct tool_pin {
    std::string_view tool, fingerprint;

    bool operator==(tool_pin const&) const = default;
};

/// A tool that is not what its pin says.
struct pin_difference {
    std::string tool;
    std::string pinned; ///< the fingerprint of the pin
    std::string found;  ///< that of the tool as it is listed now, or of one of that name; empty: it is not

    bool operator==(pin_difference const&) const = default;
};

/// "forecast: its schemas or annotations are not those that it was pinned with"
LINKSPAN_DECL std::string to_string(pin_difference const& difference);

/// In the order of the pins. Tools without a pin are not looked at. Of several tools of one name, each has to be what
/// was pinned: which of them a call reaches is the server's choice.
LINKSPAN_DECL std::vector<pin_difference> compare_pins(std::span<tool_pin const> pins, std::span<tool const> tools);

/// A tool that a server lists, and that cannot be called: the way that its server is reached does not allow it, or it is
/// not what it was pinned as.
struct unusable_tool {
    std::string name;
    std::string reason; ///< for people

    bool operator==(unusable_tool const&) const = default;
};

/// The tools of one server.
struct tool_list {
    std::vector<tool> tools;             ///< in the order of the server
    std::size_t dropped = 0;             ///< entries that have no name and so cannot be called
    std::vector<unusable_tool> unusable; ///< left out of `tools`
    std::optional<duration> fresh_for;   ///< `ttlMs`: the server says how long the list holds; the least of its pages
    bool is_public = false;              ///< `cacheScope`: others may be told the same, as all its pages say
    std::size_t pages = 0;               ///< that were read
};

/// The value of `ttlMs`. A negative number means stale at once, as 0 does; what is no number says nothing.
///
/// Specification: 2026-07-28, "Caching".
LINKSPAN_DECL std::optional<duration> read_ttl(std::string_view milliseconds) noexcept;

/// Appends one page of `tools/list`, the text of its result. An input schema that is missing is read as `{}`: the tool
/// may still be called.
///
/// Errors: `malformed_message` when `tools` is no array.
LINKSPAN_DECL error_code append_page(tool_list& list, std::string_view page);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/tool.ipp>
#endif

#endif

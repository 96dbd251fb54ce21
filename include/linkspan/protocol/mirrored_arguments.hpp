#ifndef LINKSPAN_PROTOCOL_MIRRORED_ARGUMENTS_HPP
#define LINKSPAN_PROTOCOL_MIRRORED_ARGUMENTS_HPP

#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// An argument that a server wants as a header too, so that what stands before it can route by it.
struct mirrored_argument {
    std::string header;            ///< "Mcp-Param-Region"
    std::vector<std::string> path; ///< the keys that lead to it in the arguments
};

/// What a tool says of its mirrored arguments.
struct mirrored_arguments {
    std::vector<mirrored_argument> all; ///< in the order of the schema; none when there is a fault
    std::string fault; ///< why the tool must not be called over HTTP, with the place in the schema; empty: it may be
};

/// Reads the annotations `x-mcp-header` of an input schema. Each must be a new token of HTTP, and stand at an integer,
/// a string or a boolean that `properties` alone lead to; else the tool is invalid as a whole.
///
/// Specification: 2026-07-28, basic/transports, "Custom Headers from Tool Parameters".
LINKSPAN_DECL mirrored_arguments read_mirrored_arguments(std::string_view input_schema);

/// The value of the header for these arguments, encoded; nothing when the argument is missing, null, or of a type that
/// has no header.
LINKSPAN_DECL std::optional<std::string> mirrored_value(std::string_view arguments, mirrored_argument const& which);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/mirrored_arguments.ipp>
#endif

#endif

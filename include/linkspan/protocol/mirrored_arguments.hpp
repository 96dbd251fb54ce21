#ifndef LINKSPAN_PROTOCOL_MIRRORED_ARGUMENTS_HPP
#define LINKSPAN_PROTOCOL_MIRRORED_ARGUMENTS_HPP

#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// An argument of a tool that is also sent as an HTTP header, so that intermediaries can route by its value.
struct mirrored_argument {
    /// Name of the header, such as "Mcp-Param-Region".
    std::string header;
    /// Keys that lead from the arguments object to the value; at least one.
    std::vector<std::string> path;
};

/// The arguments of one tool that are also sent as headers.
struct mirrored_arguments {
    /// The arguments, in the order of the schema; empty if there is a fault.
    std::vector<mirrored_argument> all;

    /// Description of an invalid annotation, with the JSON Pointer of the property or of the keyword (such as `oneOf`)
    /// that contains the annotation; the tool must then not be called over stateless HTTP. Empty: all annotations are
    /// valid.
    std::string fault;
};

/// Reads the annotations `x-mcp-header` of an input schema.
///
/// The value of an annotation must be an HTTP token that is unique within the schema, regardless of case. The annotated
/// schema must have the type integer, string or boolean, and must be reachable through `properties` only. One invalid
/// annotation makes the tool invalid.
///
/// \param input_schema JSON text of the schema. A text that is not valid JSON has no annotations and no fault.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// 2026-07-28, basic/transports, "Custom Headers from Tool Parameters".
LINKSPAN_DECL mirrored_arguments read_mirrored_arguments(std::string_view input_schema);

/// Returns the encoded value of the header for one argument.
///
/// \param arguments JSON text of the arguments object.
/// \param argument Argument to read.
/// \returns The value of a boolean, a string, or an integer of magnitude less than 2^53 (a number such as 42.0 is an
///   integer). Empty: the argument is missing, null, or has another type, and the header is omitted.
/// \par Specification
/// 2026-07-28, basic/transports, "Custom Headers from Tool Parameters".
LINKSPAN_DECL std::optional<std::string> mirrored_value(std::string_view arguments, mirrored_argument const& argument);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/mirrored_arguments.ipp>
#endif

#endif

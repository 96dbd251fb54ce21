#ifndef LINKSPAN_BINDGEN_EMIT_WRITE_HEADER_HPP
#define LINKSPAN_BINDGEN_EMIT_WRITE_HEADER_HPP

#include <linkspan/bindgen/mapping/model.hpp>
#include <linkspan/core/detail/config.hpp>

#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Options of `write_header`.
struct header_options {
    /// Namespace of the types. Precondition: `is_usable_namespace(name_space)`.
    std::string name_space;

    /// SHA-256 of the lock file, as hexadecimal digits, for the comment at the beginning of the header. Written without
    /// escaping. Precondition: no line end.
    std::string lock_digest;

    /// Name and version of the server for the comment at the beginning of the header. Written by `comment_lines`: each
    /// line of the text is a line of the comment, and control characters are removed. Empty: the comment does not name
    /// the server.
    std::string server;
};

/// Returns the text of a C++ header with one struct per tool and the types of its members.
///
/// The text is a function of the arguments and of the library version. It contains no date and no path; lines end with
/// LF. The header includes <linkspan/describe/bindings.hpp> only, and compiles without warnings with -Wall -Wextra
/// -Wpedantic -Wconversion -Wshadow.
///
///     auto const mapped = map_tools(lock.tools);
///     auto const text = write_header(mapped.tools, {.name_space = "weather", .lock_digest = digest, .server = {}});
///
/// \param tools Tools as returned by `map_tools`.
/// \param options Namespace of the types, and contents of the comment at the beginning of the header.
/// \returns The text of the header.
/// \par Preconditions
/// `is_usable_namespace(options.name_space)`, and `options.lock_digest` contains no line end.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string write_header(std::vector<tool_binding> const& tools, header_options const& options);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/emit/impl/write_header.ipp>
#endif

#endif

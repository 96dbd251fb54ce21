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

    /// SHA-256 of the lock file, as hexadecimal digits, for the comment at the beginning of the header.
    std::string lock_digest;

    /// Name and version of the server for the comment at the beginning of the header. Empty: the comment does not name
    /// the server.
    std::string server;
};

/// Returns the text of a C++ header with one struct per tool.
///
/// The text depends on the arguments and the version of the library only: it contains no date and no path, and lines
/// end in `\n`. The header includes <linkspan/describe/bindings.hpp> and standard headers only, and compiles without
/// warnings with -Wall -Wextra -Wpedantic -Wconversion -Wshadow.
///
///     auto const mapped = map_tools(lock.tools);
///     auto const text = write_header(mapped.tools, {.name_space = "weather", .lock_digest = digest, .server = {}});
///
/// \param tools Tools as returned by `map_tools`.
/// \param options Namespace of the types, and contents of the comment at the beginning of the header.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string write_header(std::vector<tool_binding> const& tools, header_options const& options);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/emit/impl/write_header.ipp>
#endif

#endif

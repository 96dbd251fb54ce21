#ifndef LINKSPAN_BINDGEN_EMIT_WRITE_HEADER_HPP
#define LINKSPAN_BINDGEN_EMIT_WRITE_HEADER_HPP

#include <linkspan/bindgen/mapping/model.hpp>
#include <linkspan/core/detail/config.hpp>

#include <string>
#include <vector>

namespace linkspan::bindgen {

struct header_options {
    std::string name_space;  ///< as `is_usable_namespace` takes it
    std::string lock_digest; ///< of the lock file that the tools are from
    std::string server;      ///< its name and version, for people
};

/// The text of a C++ header with a struct for each tool. It depends on nothing but its arguments and the version of
/// this library: no date, no path, `\n` at the ends of lines. It needs <linkspan/describe/bindings.hpp> alone, and gives no
/// warning with -Wall -Wextra -Wpedantic -Wconversion -Wshadow.
LINKSPAN_DECL std::string write_header(std::vector<tool_binding> const& tools, header_options const& options);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/emit/impl/write_header.ipp>
#endif

#endif

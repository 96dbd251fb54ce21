#ifndef LINKSPAN_BINDGEN_FILES_HPP
#define LINKSPAN_BINDGEN_FILES_HPP

#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace linkspan::bindgen {

/// All bytes of a file; nothing when it cannot be read, or is larger than 256 MiB.
LINKSPAN_DECL std::optional<std::string> read_file(std::string const& path);

/// Writes a file as a whole or not at all: what was there stays until all is written beside it. A file that has these
/// bytes already is not touched, so that nothing is built anew for it. False when that cannot be done.
LINKSPAN_DECL bool write_file(std::string const& path, std::string_view bytes);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/impl/files.ipp>
#endif

#endif

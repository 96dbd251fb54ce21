#ifndef LINKSPAN_BINDGEN_FILES_HPP
#define LINKSPAN_BINDGEN_FILES_HPP

#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Returns the content of a regular file.
///
/// \param path Path of the file.
/// \param ec Receives the error of the system, or `std::errc::file_too_large` for more than 256 MiB; success: none.
/// \returns The content; empty: an error.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::optional<std::string> read_file(std::string const& path, std::error_code& ec);

/// As `read_file(path, ec)`, without the reason of an error.
///
/// \param path Path of the file.
/// \returns The content; empty: an error.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
inline std::optional<std::string> read_file(std::string const& path)
{
    std::error_code ec;
    return read_file(path, ec);
}

/// Writes a file atomically: the bytes are written to a temporary file in the same folder, which then replaces the
/// file.
///
/// The permissions of an existing file are kept, and a symbolic link is followed. A file with the same content is not
/// modified, so that build systems do not rebuild its dependents.
///
/// \param path Path of the file. Its folder must exist.
/// \param bytes Content of the file.
/// \returns Whether the file has the content. On failure, an existing file is unchanged.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL bool write_file(std::string const& path, std::string_view bytes);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/impl/files.ipp>
#endif

#endif

#ifndef LINKSPAN_BINDGEN_IMPL_FILES_IPP
#define LINKSPAN_BINDGEN_IMPL_FILES_IPP

#include <linkspan/bindgen/files.hpp>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

LINKSPAN_DECL std::optional<std::string> read_file(std::string const& path, std::error_code& ec)
{
    constexpr std::uintmax_t max_size = std::uintmax_t{256} << 20;
    auto const size = std::filesystem::file_size(path, ec); // fails for folders and special files
    if (!ec && size > max_size)
        ec = make_error_code(std::errc::file_too_large);
    if (ec)
        return std::nullopt;
    errno = EIO; // the reason if the stream does not set another one
    std::ifstream file(path, std::ios::binary);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) {
        ec.assign(errno, std::system_category());
        return std::nullopt;
    }
    return bytes;
}

LINKSPAN_DECL bool write_file(std::string const& path, std::string_view bytes)
{
    namespace fs = std::filesystem;
    if (read_file(path) == bytes)
        return true;
    std::error_code ec;
    auto const target = fs::weakly_canonical(path, ec); // follows a symbolic link instead of replacing it
    if (ec || !target.has_filename())
        return false;
    auto const name = "." + target.filename().string() + ".linkspan-" + std::to_string(::getpid());
    auto const temporary = target.parent_path() / name;
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (file) {
        if (auto const old = fs::status(target, ec); !ec && fs::is_regular_file(old))
            fs::permissions(temporary, old.permissions(), ec);
        fs::rename(temporary, target, ec);
        if (!ec)
            return true;
    }
    fs::remove(temporary, ec);
    return false;
}

} // namespace linkspan::bindgen

#endif

#include "attachment.hpp"

#include <linkspan/core/detail/unique_fd.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace mock_email {

namespace {

using linkspan::detail::unique_fd;

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> types{{
    {".csv", "text/csv"},
    {".gif", "image/gif"},
    {".html", "text/html"},
    {".jpg", "image/jpeg"},
    {".json", "application/json"},
    {".pdf", "application/pdf"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".txt", "text/plain"},
    {".zip", "application/zip"},
}};

[[noreturn]] void reject(std::string const& path, std::string const& reason)
{
    throw email_error("The attachment '" + path + "' " + reason + ".");
}

unique_fd open_below(int folder, std::string const& name, int flags, std::string const& path)
{
    unique_fd out(::openat(folder, name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
    if (out.get() >= 0)
        return out;
    // `openat` fails with ELOOP for a symbolic link, and with ENOTDIR if a folder is expected.
    if (errno == ELOOP || errno == ENOTDIR)
        reject(path, "is not a file below the artifacts folder");
    reject(path, std::string("cannot be opened: ") + std::strerror(errno));
}

std::string read_all(int file, std::string const& path, std::size_t max_bytes)
{
    std::string out;
    std::array<char, 65536> part{};
    for (;;) {
        auto const size = ::read(file, part.data(), part.size());
        if (size == 0)
            return out;
        if (size < 0 && errno != EINTR)
            reject(path, std::string("cannot be read: ") + std::strerror(errno));
        if (size > 0)
            out.append(part.data(), static_cast<std::size_t>(size));
        if (out.size() > max_bytes)
            reject(path, "is larger than " + std::to_string(max_bytes) + " bytes");
    }
}

} // namespace

artifacts_folder::artifacts_folder(std::string const& path)
    : path_(path), fd_(::open(path.c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC))
{
    if (fd_ < 0)
        throw email_error("cannot open the folder '" + path + "': " + std::strerror(errno));
    while (path_.ends_with('/'))
        path_.pop_back();
}

artifacts_folder::~artifacts_folder() { ::close(fd_); }

attachment artifacts_folder::read(std::string const& path, std::size_t max_bytes) const
{
    if (path.find('\0') != path.npos)
        reject(path.c_str(), "has a NUL character in its path");
    std::string_view rest = path;
    if (rest.starts_with('/')) {
        if (!rest.starts_with(path_ + "/"))
            reject(path, "is not a file below the artifacts folder");
        rest.remove_prefix(path_.size() + 1);
    }
    unique_fd folder;
    for (;;) {
        auto const slash = rest.find('/');
        std::string const name(rest.substr(0, slash));
        if (name.empty() || name == "." || name == "..")
            reject(path, "is not a file below the artifacts folder");
        int const parent = folder.get() >= 0 ? folder.get() : fd_;
        if (slash != rest.npos) {
            folder = open_below(parent, name, O_DIRECTORY | O_RDONLY, path);
            rest.remove_prefix(slash + 1);
            continue;
        }
        // O_NONBLOCK: opening a FIFO must not wait for its writer.
        auto const file = open_below(parent, name, O_RDONLY | O_NONBLOCK, path);
        struct stat status {};
        if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
            reject(path, "is not a regular file");
        return {name, media_type(name), read_all(file.get(), path, max_bytes)};
    }
}

std::string media_type(std::string_view name)
{
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char one) { return static_cast<char>(std::tolower(one)); });
    auto const found = std::ranges::find_if(types, [&](auto const& row) { return lower.ends_with(row.first); });
    return std::string(found == types.end() ? std::string_view("application/octet-stream") : found->second);
}

} // namespace mock_email

#ifndef LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_USAGE_IPP
#define LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_USAGE_IPP

#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/transport/stdio/child_usage.hpp>

#include <array>
#include <charconv>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns the resident pages from the text of /proc/PID/statm, the second number. Empty: not a number, or none, as for
// a process that has terminated and was not reaped.
inline std::optional<std::uint64_t> resident_pages(std::string_view statm) noexcept
{
    auto const start = statm.find(' ');
    if (start == statm.npos)
        return std::nullopt;
    std::uint64_t pages = 0;
    auto const read = std::from_chars(statm.data() + start + 1, statm.data() + statm.size(), pages);
    if (read.ec != std::errc() || pages == 0)
        return std::nullopt;
    return pages;
}

} // namespace detail

LINKSPAN_DECL child_usage read_child_usage(std::int64_t pid)
{
    child_usage out;
    auto const folder = "/proc/" + std::to_string(pid);
    detail::unique_fd const file(::open((folder + "/statm").c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 256> text;
    auto const size = file ? ::read(file.get(), text.data(), text.size()) : -1;
    auto const page_size = ::sysconf(_SC_PAGESIZE);
    if (size > 0 && page_size > 0)
        if (auto const pages = detail::resident_pages({text.data(), static_cast<std::size_t>(size)}))
            out.resident_bytes = *pages * static_cast<std::uint64_t>(page_size);
    // The folder of a process that was not reaped is empty, but can be opened.
    if (!out.resident_bytes)
        return out;
    std::unique_ptr<::DIR, int (*)(::DIR*)> const files(::opendir((folder + "/fd").c_str()), &::closedir);
    if (!files)
        return out;
    std::size_t count = 0;
    while (auto const* const entry = ::readdir(files.get()))
        count += entry->d_name[0] == '.' ? 0 : 1;
    out.open_files = count;
    return out;
}

} // namespace linkspan

#endif

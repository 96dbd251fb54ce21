#ifndef LINKSPAN_TEST_FILESYSTEM_HPP
#define LINKSPAN_TEST_FILESYSTEM_HPP

#include <linkspan/describe/tool_result.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace detail {

/// Input schema of both tools.
inline constexpr std::string_view path_schema =
    R"({"type":"object","properties":{"path":{"type":"string"}},"required":["path"]})";

inline constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 20; ///< maximum size for `read_file`, in bytes

/// Returns the members of a result with `isError` and the text `why`.
inline std::string failed_result(std::string_view why)
{
    return result_members(std::string(why)) + R"(,"isError":true)";
}

/// Returns the canonical path of the file or directory that the argument `path` names, relative to `root`.
///
/// Empty if the argument is missing or the path is outside `root` after resolution of symbolic links. Whole components
/// are compared: `/srv/files_of_others` is not inside `/srv/files`.
inline std::optional<std::filesystem::path> path_within(std::filesystem::path const& root, std::string_view arguments)
{
    auto const named = json_scan::string(json_scan::member(arguments, "path"));
    if (!named || named->find('\0') != named->npos)
        return std::nullopt;
    std::error_code ec;
    auto const real_root = std::filesystem::weakly_canonical(root, ec);
    auto const path = std::filesystem::weakly_canonical(real_root / *named, ec);
    if (ec || std::mismatch(real_root.begin(), real_root.end(), path.begin(), path.end()).first != real_root.end())
        return std::nullopt;
    return path;
}

/// Returns the members of the result of `list_directory`: the sorted names, or an error.
inline std::string list_directory(std::filesystem::path const& root, std::string_view arguments)
{
    auto const path = path_within(root, arguments);
    if (!path)
        return failed_result("'path' is missing or outside the served directory");
    std::error_code ec;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator entry(*path, ec), end; !ec && entry != end; entry.increment(ec))
        names.push_back(entry->path().filename().string());
    if (ec)
        return failed_result("listing the directory failed: " + ec.message());
    std::ranges::sort(names);
    return result_members(names);
}

/// Returns the members of the result of `read_file`: the text of the file, or an error.
inline std::string read_file(std::filesystem::path const& root, std::string_view arguments)
{
    auto const path = path_within(root, arguments);
    if (!path)
        return failed_result("'path' is missing or outside the served directory");
    std::error_code ec;
    if (!std::filesystem::is_regular_file(*path, ec))
        return failed_result("'path' is not a regular file");
    auto const size = std::filesystem::file_size(*path, ec);
    if (!ec && size > largest_file)
        return failed_result("the file is larger than 1 MiB, the limit of this tool");
    std::ifstream in(*path, std::ios::binary);
    if (ec || !in)
        return failed_result("reading the file failed");
    return result_members(std::string(std::istreambuf_iterator<char>(in), {}));
}

} // namespace detail

/// Declares the tools of a read-only file server on `server` and sets its name.
///
/// - `list_directory`: returns the sorted names of the entries of a directory.
/// - `read_file`: returns the text of a regular file of at most 1 MiB.
///
/// Both tools have `readOnlyHint` and the argument `path`, relative to `root`. For a path outside `root`, also through
/// a symbolic link, and for errors of the file system, the result has `isError`.
///
/// \param server The server on which the tools are declared.
/// \param root The only directory whose content is accessible.
inline void make_filesystem(scripted_server& server, std::filesystem::path root)
{
    server.dialogue().name = "Filesystem";
    std::string const hints = R"({"readOnlyHint":true})";
    server.tool(
        "list_directory", std::string(detail::path_schema),
        [root](std::string_view arguments) { return detail::list_directory(root, arguments); }, hints);
    server.describe("list_directory", "List files in a directory.");
    server.tool(
        "read_file", std::string(detail::path_schema),
        [root](std::string_view arguments) { return detail::read_file(root, arguments); }, hints);
    server.describe("read_file", "Read file contents.");
}

} // namespace linkspan::test

#endif

#ifndef LINKSPAN_TEST_FILESYSTEM_HPP
#define LINKSPAN_TEST_FILESYSTEM_HPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::test {

namespace detail {

inline constexpr std::string_view path_schema =
    R"({"type":"object","properties":{"path":{"type":"string"}},"required":["path"]})";

inline constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 20; ///< bytes

inline std::string failed_result(std::string_view why)
{
    std::string members = R"("content":[{"type":"text","text":)";
    append_quoted(members, why);
    return members += R"(}],"isError":true)";
}

/// The path within `root` that the arguments name; nothing when it is missing or leads out of it, through a link too.
/// Whole components are compared: `/srv/files_of_others` is not in `/srv/files`.
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

inline std::string list_directory(std::filesystem::path const& root, std::string_view arguments)
{
    auto const path = path_within(root, arguments);
    if (!path)
        return failed_result("the path is missing, or leads out of the sandbox");
    std::error_code ec;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator entry(*path, ec), end; !ec && entry != end; entry.increment(ec))
        names.push_back(entry->path().filename().string());
    if (ec)
        return failed_result("cannot list: " + ec.message());
    std::ranges::sort(names);
    boost::json::object wrapped;
    wrapped["result"] = boost::json::array(names.begin(), names.end());
    std::string json, members = R"("content":[{"type":"text","text":)";
    append_json(json, wrapped["result"]);
    append_quoted(members, json);
    append_json(members += R"(}],"structuredContent":)", wrapped);
    return members;
}

inline std::string read_file(std::filesystem::path const& root, std::string_view arguments)
{
    auto const path = path_within(root, arguments);
    if (!path)
        return failed_result("the path is missing, or leads out of the sandbox");
    std::error_code ec;
    if (!std::filesystem::is_regular_file(*path, ec))
        return failed_result("it is no file");
    if (std::filesystem::file_size(*path, ec) > largest_file || ec)
        return failed_result("the file is larger than 1 MiB");
    std::ifstream in(*path, std::ios::binary);
    if (!in)
        return failed_result("the file cannot be read");
    std::string const text(std::istreambuf_iterator<char>(in), {});
    std::string members = R"("content":[{"type":"text","text":)";
    append_quoted(members, text);
    return members += "}]";
}

} // namespace detail

/// Makes a file server of `server`, which shows what is in one folder and nothing else: `list_directory` ("List files
/// in a directory.") gives the names, sorted; `read_file` ("Read file contents.") gives the text of a file of up to 1
/// MiB. Both take a `path` within the folder.
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

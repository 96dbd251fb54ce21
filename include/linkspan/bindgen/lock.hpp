#ifndef LINKSPAN_BINDGEN_LOCK_HPP
#define LINKSPAN_BINDGEN_LOCK_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/tool.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Tools of a server at one point in time: the content of a lock file.
struct tool_lock {
    /// Name that the server reports. May be empty.
    std::string server;

    /// Version that the server reports. May be empty.
    std::string version;

    /// Tools of the server, in any order. Several tools may have the same name.
    std::vector<tool> tools;

    /// Returns name and version as human-readable text, such as "weather 1.2". Empty if `server` and `version` are
    /// empty.
    std::string described_server() const
    {
        return server + (server.empty() || version.empty() ? "" : " ") + version;
    }
};

/// Exception for a text that is not a list of tools. The message states the problem and its place.
class lock_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Returns the text of a lock file.
///
/// The text is JSON with sorted keys, tools sorted by name, and one line per member; it contains no date and no path.
/// Equal tools result in equal texts, regardless of the order and layout of the server's response. Numbers are kept as
/// they were written. Blanks at the ends of lines are removed from the descriptions of tools. For a tool with hints,
/// the lock contains all four hints, also those with default values; for a tool without hints, the object `annotations`
/// is omitted. Of several tools with one name, the first is kept.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string write_lock(tool_lock lock);

/// Reads the tools from a lock file, a result of `tools/list`, a response with such a result, or any object with an
/// array `tools`.
///
/// The server is read from `server`, `serverInfo` or `initialize.serverInfo`.
///
/// \throws lock_error The text is not a JSON object, is nested too deeply, has an unknown lock version, or has no array
/// `tools` of tools with names.
/// \par Exception safety
/// Strong. Also throws `std::bad_alloc`.
LINKSPAN_DECL tool_lock read_lock(std::string_view text);

/// Returns a text without whitespace at the ends of its lines, which some editors would remove, and without line ends
/// at its end.
LINKSPAN_DECL std::string without_trailing_blanks(std::string_view text);

/// Returns whether a name matches a pattern: `*` matches any number of characters, `?` matches one byte, and every
/// other character matches itself.
///
///     matches_glob("get_*", "get_forecast"); // true
///
/// The whole name must match. The run time is at most proportional to the product of the sizes of pattern and name.
LINKSPAN_DECL bool matches_glob(std::string_view pattern, std::string_view name);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/impl/lock.ipp>
#endif

#endif

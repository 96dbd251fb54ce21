#ifndef LINKSPAN_BINDGEN_LOCK_HPP
#define LINKSPAN_BINDGEN_LOCK_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/tool.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::bindgen {

/// The tools of a server, as they were when somebody looked.
struct tool_lock {
    std::string server, version; ///< what the server calls itself; may be empty
    std::vector<tool> tools;

    /// Name and version, for people.
    std::string described_server() const { return server + (version.empty() ? "" : " " + version); }
};

/// What is no list of tools. Its text says what is wrong, and where.
class lock_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The text of a lock file: JSON with its keys in order, tools by their names, a line for each member, no date and no
/// path. Equal tools get equal texts, whatever the order and the layout of what the server wrote. Numbers stay as they
/// were written. The description of a tool loses the blanks at the ends of its lines; nothing else is changed. Of
/// annotations it has those that differ from the defaults. Of tools of one name, the first is kept.
LINKSPAN_DECL std::string write_lock(tool_lock lock);

/// Reads a lock file, a result of `tools/list`, or any object with `tools`; of these, `serverInfo` or
/// `initialize.serverInfo` tells the server. Throws `lock_error`.
LINKSPAN_DECL tool_lock read_lock(std::string_view text);

/// Without the blanks at the ends of lines, which nobody sees and some editors lose, and the line ends at the end.
LINKSPAN_DECL std::string without_trailing_blanks(std::string_view text);

/// Whether `name` is what `pattern` means: `*` stands for any characters, `?` for one.
LINKSPAN_DECL bool matches_glob(std::string_view pattern, std::string_view name);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/impl/lock.ipp>
#endif

#endif

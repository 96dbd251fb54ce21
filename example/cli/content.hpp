#ifndef LINKSPAN_EXAMPLE_CLI_CONTENT_HPP
#define LINKSPAN_EXAMPLE_CLI_CONTENT_HPP

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "exit_status.hpp"

namespace cli {

/// Saves content as files of one folder: overwrites nothing, follows no link, and writes nowhere else.
class file_saver {
public:
    /// Empty: nothing is saved. The folder is made if it is missing; throws `usage_error` where that fails.
    explicit file_saver(std::string folder);

    bool is_wanted() const noexcept { return !folder_.empty(); }

    /// Writes a new file, whose name is `wanted` made safe, and with a number where that name is taken. Returns "saved
    /// as" its path, or "not saved" and why.
    std::string save(std::string_view wanted, std::string_view bytes);

    /// What `save` returned, in order.
    std::vector<std::string> const& notes() const noexcept { return notes_; }

    /// Whether a file could not be saved.
    bool failed() const noexcept { return failed_; }

private:
    std::string folder_;
    std::vector<std::string> notes_;
    bool failed_ = false;
};

/// A file name of at most 100 bytes of `A-Za-z0-9._-` that begins with none of `.-`.
std::string safe_file_name(std::string_view wanted);

/// The content blocks of a result, of a resource or of a prompt as text that is safe for a terminal; what is no text is
/// a line in brackets, and saved. `name`: of the tool, for files without a name.
std::string show_result(boost::json::value const& result, std::string_view name, file_saver& files);

/// The result of a server as a document, or as text. The status is `not_written` if a file could not be saved.
finished show_response(std::string_view raw, std::string_view name, file_saver& files, bool json, int status = ok);

} // namespace cli

#endif

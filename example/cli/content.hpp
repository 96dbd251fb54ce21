#ifndef LINKSPAN_EXAMPLE_CLI_CONTENT_HPP
#define LINKSPAN_EXAMPLE_CLI_CONTENT_HPP

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "exit_status.hpp"

namespace cli {

/// Saves content as new files in one folder. Existing files are not overwritten, and symbolic links are not followed.
class file_saver {
public:
    /// Creates the folder if it does not exist. Throws `usage_error` on failure. Empty: no content is saved.
    explicit file_saver(std::string folder);

    /// Returns whether content is saved.
    bool is_wanted() const noexcept { return !folder_.empty(); }

    /// Writes a new file. The name is `wanted` as a safe file name, with a number if that name is in use. Returns a
    /// note that begins with "saved as" or "not saved".
    std::string save(std::string_view wanted, std::string_view bytes);

    /// Returns the results of `save`, in order.
    std::vector<std::string> const& notes() const noexcept { return notes_; }

    /// Returns whether a file could not be saved.
    bool failed() const noexcept { return failed_; }

private:
    std::string folder_;
    std::vector<std::string> notes_;
    bool failed_ = false;
};

/// Returns a file name of at most 100 bytes of `A-Za-z0-9._-` that does not begin with any of `.-`.
std::string safe_file_name(std::string_view wanted);

/// Returns the content of a result, of a resource or of a prompt as text that is safe for a terminal. Other content
/// than text is written as a line in brackets, and saved. `name`: name of the tool, for files without a name.
std::string show_result(boost::json::value const& result, std::string_view name, file_saver& files);

/// Returns the response of a server as a JSON document or as text. The status is `not_written` if a file could not be
/// saved.
finished show_response(std::string_view raw, std::string_view name, file_saver& files, bool json, int status = ok);

} // namespace cli

#endif

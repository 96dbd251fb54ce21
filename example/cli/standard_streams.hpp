#ifndef LINKSPAN_EXAMPLE_CLI_STANDARD_STREAMS_HPP
#define LINKSPAN_EXAMPLE_CLI_STANDARD_STREAMS_HPP

#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace cli {

/// Opens /dev/null for each standard stream that is closed, so that no connection gets its descriptor, and ignores
/// SIGPIPE, so that a closed pipe is an error of `write`. Returns whether stdout was open.
bool prepare_standard_streams();

/// Writes all of `text`. Waits until the file is writable if it is non-blocking.
std::error_code write_all(int descriptor, std::string_view text);

/// Writes all of `text` to stdout.
std::error_code write_to_stdout(std::string_view text);

/// Writes a line to stderr: "linkspan: " and the text, made safe for a terminal.
void note(std::string_view text);

/// Returns the content of stdin. Throws `usage_error` if stdin cannot be read or has more than 64 MiB.
std::string read_stdin();

/// Returns the content of a file. Throws `usage_error` if it is a directory, cannot be read, or has more than 64 MiB.
std::string read_file(std::string const& path);

/// Prompts the user on the terminal, independent of stdin and stdout. Returns an empty optional if there is no
/// terminal. Throws `interrupted_prompt` on Ctrl-C and Ctrl-D.
std::optional<std::string> prompt_on_terminal(std::string const& question, bool is_password);

/// Shows the progress of a call on one line of stderr. Has no effect if stderr is not a terminal.
class progress_line {
public:
    progress_line();
    progress_line(progress_line const&) = delete;
    progress_line& operator=(progress_line const&) = delete;
    ~progress_line() { clear(); }

    bool is_shown() const noexcept { return on_terminal_; }

    /// Replaces the line by `text`, made safe for a terminal and shortened to the width of the terminal.
    void show(std::string_view text);
    void clear();

private:
    bool on_terminal_;
    bool has_text_ = false;
};

} // namespace cli

#endif

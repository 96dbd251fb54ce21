#ifndef LINKSPAN_EXAMPLE_CLI_STANDARD_STREAMS_HPP
#define LINKSPAN_EXAMPLE_CLI_STANDARD_STREAMS_HPP

#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace cli {

/// Takes the numbers 0 to 2 if the program was started without these descriptors, so that no connection to a server gets
/// one of them. Returns whether stdout was there. SIGPIPE is ignored from here on, so that a closed pipe is an error of
/// `write`.
bool prepare_standard_streams();

/// Writes all of `text`; waits while the file is not ready to be written.
std::error_code write_all(int descriptor, std::string_view text);

/// Writes all of `text` to stdout.
std::error_code write_to_stdout(std::string_view text);

/// Writes "linkspan: ", the text, made safe for a terminal, and a line feed to stderr.
void note(std::string_view text);

/// All of stdin. Throws `usage_error` if stdin cannot be read or has more than 64 MiB.
std::string read_stdin();

/// The content of a file. Throws `usage_error` for a directory, a file that cannot be read, or one over 64 MiB.
std::string read_file(std::string const& path);

/// Asks the user on the terminal, whatever stdin and stdout are; nothing where there is no terminal. Throws
/// `interrupted_prompt` on Ctrl-C.
std::optional<std::string> ask_on_terminal(std::string const& question, bool is_password);

/// Shows the progress of a call on one line of stderr, if that is a terminal; otherwise does nothing.
class progress_line {
public:
    progress_line();
    progress_line(progress_line const&) = delete;
    progress_line& operator=(progress_line const&) = delete;
    ~progress_line() { clear(); }

    bool is_shown() const noexcept { return on_terminal_; }

    /// Replaces the line by `text`, made safe for a terminal and cut where it would wrap.
    void show(std::string_view text);
    void clear();

private:
    bool on_terminal_;
    bool has_text_ = false;
};

} // namespace cli

#endif

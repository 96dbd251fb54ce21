#ifndef LINKSPAN_BINDGEN_COMMAND_HPP
#define LINKSPAN_BINDGEN_COMMAND_HPP

#include <linkspan/bindgen/lock.hpp>
#include <linkspan/core/detail/config.hpp>

#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Exit statuses of `linkspan-bindgen`.
enum exit_status {
    exit_done = 0,          ///< Success; with `--check`: no differences, or additive ones only.
    exit_failed = 1,        ///< A file cannot be written, or an unexpected error occurred.
    exit_wrong_usage = 2,   ///< The options or the configuration are invalid, or a file cannot be read.
    exit_not_connected = 3, ///< The server could not be reached, or did not list its tools.
    exit_breaking = 5,      ///< `--check`: the server refuses calls that were valid, or results have another form.
    exit_risky = 6,         ///< `--check`: the server changed a property that may matter to callers.
    exit_stale = 7,         ///< `--check`: the header was not generated from the lock file.
};

/// Exception that terminates the program with an exit status. The message is a human-readable sentence.
class command_error : public std::runtime_error {
public:
    /// Constructs the exception with the exit status `code` and a message.
    command_error(exit_status code, std::string const& sentence) : std::runtime_error(sentence), status(code) {}

    /// Exit status of the program.
    exit_status status;
};

/// Options of `linkspan-bindgen`.
///
/// A source of tools is either `config` together with `server`, or `from`. Without a source, the tools are read from
/// `lock`.
struct command {
    std::string config;     ///< value of `--config`; empty: the option is not given
    std::string server;     ///< value of `--server`; empty: the option is not given
    std::string from;       ///< value of `--from`; empty: the option is not given
    std::string lock;       ///< value of `--lock`; empty: the option is not given
    std::string out;        ///< value of `--out`; empty: the option is not given
    std::string name_space; ///< value of `--namespace`; empty: the option is not given

    /// Patterns of `--tools`, as for `matches_glob`. Empty: all tools.
    std::vector<std::string> tools;

    /// Whether `--check` is given: the command compares files and writes none.
    bool check = false;

    /// Whether `--help` is given: the command writes `help_text()` and ignores other options.
    bool help = false;
};

/// Returns the text of `--help`: usage, options and exit statuses.
///
/// \par Exception safety
/// Never throws.
LINKSPAN_DECL std::string_view help_text() noexcept;

/// Reads the arguments of the program, without its name.
///
/// \throws command_error With `exit_wrong_usage`: an option is unknown, is given twice or has no value; or the
/// combination of options is invalid.
/// \par Exception safety
/// Strong. Also throws `std::bad_alloc`.
LINKSPAN_DECL command read_command(std::vector<std::string> const& words);

/// Streams that `run_command` writes to, and its access to servers.
struct command_context {
    /// Receives the header if `--out` is not given and no lock file is written, each written file whose path is `-`,
    /// the differences of `--check`, and the text of `--help`.
    std::ostream& out;

    /// Receives error messages and warnings.
    std::ostream& err;

    /// Returns the tools of the server `server` in the configuration file `config`. Throws `command_error`. Called only
    /// if `--config` is given.
    std::function<tool_lock(std::string const& config, std::string const& server)> fetch_tools;
};

/// Executes a command: writes the header and the lock file. With `--check`, the function instead compares the source
/// and the header with the lock file.
///
///     std::vector<std::string> const words(argv + 1, argv + argc);
///     return run_command(read_command(words), {std::cout, std::cerr, fetch_tools});
///
/// \param request The command, as returned by `read_command`.
/// \param context Streams, and access to servers.
/// \returns The exit status. Errors are reported on `context.err`.
/// \par Exception safety
/// Never throws.
LINKSPAN_DECL exit_status run_command(command const& request, command_context const& context) noexcept;

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/impl/command.ipp>
#endif

#endif

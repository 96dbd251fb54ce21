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

namespace linkspan::bindgen {

/// How `linkspan-bindgen` ends.
enum exit_status {
    exit_done = 0,
    exit_failed = 1,        ///< a file cannot be written
    exit_wrong_usage = 2,   ///< options, configuration, or a file that cannot be read
    exit_not_connected = 3, ///< the server was not reached, or did not list its tools
    exit_breaking = 5,      ///< `--check`: calls that worked are refused, or results no longer fit
    exit_risky = 6,         ///< `--check`: the server changed something that may matter
    exit_stale = 7,         ///< `--check`: the header was not made from the lock file
};

/// What ends the program early, with a sentence for people.
class command_error : public std::runtime_error {
public:
    command_error(exit_status how, std::string const& sentence) : std::runtime_error(sentence), status(how) {}

    exit_status status;
};

/// What the options ask for; those that are not there are empty.
struct command {
    std::string config, server, from, lock, out, name_space;
    std::vector<std::string> tools; ///< globs; empty: all
    bool check = false;
    bool help = false;
};

LINKSPAN_DECL std::string_view help_text() noexcept;

/// Throws `command_error` with `exit_wrong_usage`.
LINKSPAN_DECL command read_command(std::vector<std::string> const& words);

/// Where the program stands.
struct command_surroundings {
    std::ostream& out;
    std::ostream& err;
    /// Asks the server of that name in that configuration. Throws `command_error`.
    std::function<tool_lock(std::string const& config, std::string const& server)> ask;
};

/// Does it. Nothing is thrown: what goes wrong is told on `err`.
LINKSPAN_DECL exit_status run_command(command const& what, command_surroundings const& where) noexcept;

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/impl/command.ipp>
#endif

#endif

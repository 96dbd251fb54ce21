#ifndef LINKSPAN_EXAMPLE_CLI_COMMAND_HPP
#define LINKSPAN_EXAMPLE_CLI_COMMAND_HPP

#include <linkspan/core/fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// The words of the command line.
struct command {
    std::string verb;                  ///< the name of a command
    std::vector<std::string> operands; ///< without those that name the server
    std::vector<std::string> configs;
    std::string address;              ///< of one server, in place of files; else empty
    std::vector<std::string> program; ///< of one server, with its arguments; likewise
    std::vector<std::pair<std::string, std::string>> headers;
    std::vector<std::pair<std::string, std::optional<std::string>>> env;
    std::vector<std::string> tags;
    std::map<std::string, std::string> inputs;
    std::vector<std::pair<std::string, std::string>> meta;
    std::string save;   ///< a folder; empty: nothing is saved
    std::string format; ///< of `tools`; empty: text
    std::optional<linkspan::duration> timeout;
    bool json = false;
    bool man = false;

    /// Whether one server is given by its address or command.
    bool has_own_server() const { return !address.empty() || !program.empty(); }

    /// Whether an operand is the address or command of the server that `doctor` opens; with files it is a name.
    bool diagnoses_operand() const { return verb == "doctor" && configs.empty() && !has_own_server(); }
};

/// Throws `usage_error`; its text has no value of an option that may be secret.
command read_command(std::vector<std::string> const& words);

} // namespace cli

#endif

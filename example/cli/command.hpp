#ifndef LINKSPAN_EXAMPLE_CLI_COMMAND_HPP
#define LINKSPAN_EXAMPLE_CLI_COMMAND_HPP

#include <linkspan/core/fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// Arguments of the command line.
struct command {
    std::string verb;                  ///< the name of a command
    std::vector<std::string> operands; ///< without an operand that is the server
    std::vector<std::string> configs;  ///< paths of `--config`, in order; empty: files of known clients
    std::string address;               ///< URL of one server, instead of configurations; else empty
    std::vector<std::string> program;  ///< command and arguments of one server, instead of configurations; else empty
    std::vector<std::pair<std::string, std::string>> headers;
    std::vector<std::pair<std::string, std::optional<std::string>>> env;
    std::vector<std::string> tags;
    std::map<std::string, std::string> inputs;
    std::vector<std::pair<std::string, std::string>> meta;
    std::string save;    ///< folder for content; empty: nothing is saved
    std::string warning; ///< line for stderr about the command line; empty: none
    std::string format;  ///< format of `tools`; empty: text
    std::optional<linkspan::duration> timeout;
    bool json = false;
    bool man = false;

    /// Returns whether one server is given by its URL or command.
    bool has_own_server() const { return !address.empty() || !program.empty(); }

    /// Returns whether the operand of `doctor` is a URL or command; with configurations it is a name.
    bool diagnoses_operand() const { return verb == "doctor" && configs.empty() && !has_own_server(); }
};

/// Reads the command line. Throws `usage_error`, whose text contains no value of an option that may be secret.
command read_command(std::vector<std::string> const& words);

} // namespace cli

#endif

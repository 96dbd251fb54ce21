#ifndef LINKSPAN_EXAMPLE_CLI_USAGE_HPP
#define LINKSPAN_EXAMPLE_CLI_USAGE_HPP

#include <span>
#include <string>
#include <string_view>

// Commands and options of the program. The help, the man page, the completions and the parser of the command line use
// these tables.
namespace cli {

struct command_usage {
    std::string_view name;
    std::string_view operands; ///< such as "SERVER METHOD [JSON]"
    std::string_view text;     ///< one sentence
};

struct option_usage {
    std::string_view name;     ///< with "--"
    std::string_view value;    ///< placeholder of its value; empty: none
    std::string_view commands; ///< commands that accept the option, each between blanks; empty: all
    bool repeats;
    std::string_view text;
};

struct status_usage {
    int status;
    std::string_view text;
};

std::span<command_usage const> all_commands();
std::span<option_usage const> all_options();
std::span<status_usage const> all_statuses();

std::string help_text();

/// Returns the man page linkspan(1), as troff text.
std::string man_page();

/// Returns the completion script for "bash", "zsh" or "fish"; empty for another shell.
std::string completion_script(std::string_view shell);

} // namespace cli

#endif

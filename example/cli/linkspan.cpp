// linkspan: calls the tools of MCP servers from the command line. doc/command_line.md describes the program, and
// `linkspan --help` lists its commands.

#include <linkspan/core/version.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "failure.hpp"
#include "standard_streams.hpp"
#include "usage.hpp"

namespace {

cli::finished print_completion(std::string const& shell)
{
    auto script = cli::completion_script(shell);
    if (script.empty())
        throw cli::usage_error("command 'completion': expected bash, zsh or fish, found '" + shell + "'");
    return {cli::ok, std::move(script)};
}

cli::finished run(cli::command const& what)
{
    auto const& verb = what.verb;
    if (!what.warning.empty())
        cli::note(what.warning);
    if (verb == "help")
        return {cli::ok, what.man ? cli::man_page() : cli::help_text()};
    if (verb == "version")
        return {cli::ok, "linkspan " + std::string(linkspan::version) + "\n"};
    if (verb == "completion")
        return print_completion(what.operands[0]);
    if (verb == "servers")
        return cli::list_servers(what);
    if (verb == "request" || verb == "resources" || verb == "prompts")
        return cli::run_on_session(what);
    if (verb == "doctor" && (what.has_own_server() || (what.diagnoses_operand() && !what.operands.empty())))
        return cli::diagnose_one_server(what);
    return cli::run_on_connector(what);
}

// Returns whether --json is given, also on an invalid command line.
bool asks_for_json(std::vector<std::string> const& words)
{
    auto const end = std::ranges::find(words, "--");
    return std::find(words.begin(), end, "--json") != end;
}

cli::finished run(std::vector<std::string> const& words)
{
    bool const json = asks_for_json(words);
    try {
        return run(cli::read_command(words));
    } catch (cli::usage_error const& wrong) {
        auto const hint = words.empty() ? "; 'linkspan --help' lists the commands" : "";
        return cli::failure(cli::wrong_usage, std::string(wrong.what()) + hint, json);
    } catch (cli::interrupted_prompt const&) {
        return cli::failure(cli::interrupted, "interrupted", json);
    } catch (std::exception const& failed) {
        return cli::failure(cli::not_connected, failed.what(), json);
    }
}

} // namespace

int main(int argc, char** argv)
{
    bool const has_stdout = cli::prepare_standard_streams();
    auto const done = run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    if (done.out.empty())
        return done.status;
    auto const failure =
        has_stdout ? cli::write_to_stdout(done.out) : std::make_error_code(std::errc::bad_file_descriptor);
    if (!failure)
        return done.status;
    cli::note("writing to stdout failed: " + failure.message());
    return cli::not_written;
}

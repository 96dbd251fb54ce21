#include "usage.hpp"

#include <algorithm>

#include "exit_status.hpp"

namespace cli {
namespace {

constexpr command_usage commands[] = {
    {"tools", "[SERVER|TOOL]", "Lists tools with their signatures, or shows one tool in detail."},
    {"call", "TOOL [KEY=VALUE...|JSON|-]", "Calls a tool, with values typed by its schema, a JSON object, or stdin."},
    {"state", "", "Opens the servers and shows their states."},
    {"doctor", "[URL|COMMAND]", "Opens each server and reports the phase it reached, with a hint."},
    {"servers", "", "Lists the configured servers and their files; opens none."},
    {"resources", "SERVER [URI]", "Lists the resources of a server, or reads one."},
    {"prompts", "SERVER [NAME [KEY=VALUE...]]", "Lists the prompts of a server, or gets one."},
    {"request", "SERVER METHOD [JSON|-]", "Sends any request to a server."},
    {"completion", "bash|zsh|fish", "Prints a completion script for a shell."},
    {"help", "", "Prints this text; with --man, the man page."},
};

constexpr option_usage options[] = {
    {"--config", "FILE", "", true,
     "A configuration file; later files take precedence. Default: files of known clients."},
    {"--url", "URL", "", false, "One server by its URL, instead of configuration files."},
    {"--stdio", "COMMAND", "", false, "One server by its command line, instead of configuration files."},
    {"--header", "NAME:VALUE", "", true, "With a URL: a header of each request."},
    {"--env", "NAME[=VALUE]", "", true,
     "With a command: a variable of the server; without VALUE: the value in the environment of linkspan."},
    {"--tag", "TAG", "", true, "Only servers that have this tag."},
    {"--input", "ID=VALUE", "", true, "The value of an input that a configuration declares."},
    {"--timeout", "SECONDS", "", false, "Timeout of opening a server, and of a call; 0.001 to 3600."},
    {"--json", "", "", false, "Prints one JSON document, also on failure; no effect on help, version and completion."},
    {"--meta", "KEY=VALUE", " call request ", true, "A member of the request's _meta; VALUE is JSON or text."},
    {"--save", "FOLDER", " call resources prompts ", false, "Saves images, audio and files; existing files are kept."},
    {"--format", "flat|openai|anthropic", " tools ", false, "Prints tools in the format of a model's API."},
    {"--man", "", " help ", false, "Prints the man page."},
    {"--help", "", "", false, "Prints the help."},
    {"--version", "", "", false, "Prints the version."},
};

constexpr status_usage statuses[] = {
    {ok, "success"},
    {tool_failed, "the tool failed, or the server responded with an error"},
    {wrong_usage, "wrong usage, configuration or name; no tool was called"},
    {not_connected, "a server could not be opened, was lost, or did not respond in time"},
    {not_written, "the output could not be written"},
    {interrupted, "interrupted by SIGINT"},
    {terminated, "ended by SIGTERM"},
};

constexpr std::string_view details =
    "TOOL is the name of a tool, or SERVER.TOOL, for which only that server is opened. A URL after the command, or a "
    "command line after --, has the effect of --url or --stdio. KEY:=JSON specifies a value as JSON. Without --config, "
    "the servers of Claude, Cursor, VS Code, Codex, Gemini, Windsurf and Cline are used, those of the current folder "
    "first; 'linkspan servers' lists them.";

constexpr std::string_view examples[] = {
    "linkspan tools",
    "linkspan tools github",
    "linkspan call calc.add a=2 b=3",
    "linkspan call https://example.com/mcp search '{\"query\": \"boost\"}'",
    "linkspan call add a=2 b=3 -- mock-calculator",
};

std::string wrapped(std::string_view text, std::size_t width, std::string const& indent)
{
    std::string out, line;
    while (!text.empty()) {
        auto const end = std::min(text.find(' '), text.size());
        if (!line.empty() && line.size() + 1 + end > width) {
            out += indent + line + '\n';
            line.clear();
        }
        line.append(line.empty() ? "" : " ").append(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out + indent + line + '\n';
}

void append_row(std::string& out, std::string left, std::string_view text)
{
    constexpr std::size_t column = 32;
    left.insert(0, "  ");
    left.resize(std::max(column, left.size() + 2), ' ');
    out.append(left).append(text).append("\n");
}

std::string words(auto const&... parts)
{
    std::string out;
    ((parts.empty() ? out : out.append(out.empty() ? "" : " ").append(parts)), ...);
    return out;
}

// Escapes dashes, which troff would replace, and control characters at the beginning of a line.
std::string troff(std::string_view text)
{
    std::string out;
    for (char const c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if ((c == '.' || c == '\'') && out.empty())
            (out += "\\&") += c;
        else
            out += c;
    }
    return out;
}

std::string joined(auto const& table, std::string_view separator, auto name_of)
{
    std::string out;
    for (auto const& row : table)
        out.append(out.empty() ? "" : separator).append(name_of(row));
    return out;
}

std::string bash_script(std::string const& names, std::string const& flags)
{
    return R"sh(# Completion of linkspan for bash: source <(linkspan completion bash)
_linkspan()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i verb=
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case " )sh" +
           names + R"sh( " in *" ${COMP_WORDS[i]} "*) verb=${COMP_WORDS[i]}; break ;; esac
    done
    case $before in
        --config | --save) COMPREPLY=($(compgen -f -- "$word")); return ;;
        --format) COMPREPLY=($(compgen -W "flat openai anthropic" -- "$word")); return ;;
        completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W ")sh" +
           flags + R"sh(" -- "$word"))
    elif [[ -z $verb ]]; then
        COMPREPLY=($(compgen -W ")sh" +
           names + R"sh(" -- "$word"))
    elif [[ $before == "$verb" && " tools resources prompts request " == *" $verb "* ]]; then
        COMPREPLY=($(compgen -W "$(linkspan servers 2>/dev/null | cut -d' ' -f1)" -- "$word"))
    fi
}
complete -F _linkspan linkspan
)sh";
}

std::string zsh_script()
{
    std::string out =
        "#compdef linkspan\n# Completion of linkspan for zsh: linkspan completion zsh > FOLDER/_linkspan\n"
        "_linkspan()\n{\n    local -a commands flags\n    commands=(\n";
    auto const quote = [](std::string_view text) {
        std::string quoted;
        for (char const c : text)
            quoted += c == '\'' ? "'\\''" : std::string(1, c);
        return quoted;
    };
    for (auto const& row : commands)
        out += "        '" + std::string(row.name) + ":" + quote(row.text) + "'\n";
    out += "    )\n    flags=(\n";
    for (auto const& row : options)
        out += "        '" + std::string(row.name) + ":" + quote(row.text) + "'\n";
    return out + R"sh(    )
    if [[ $PREFIX == -* ]]; then
        _describe option flags
    elif (( CURRENT == 2 )); then
        _describe command commands
    elif [[ ${words[CURRENT-1]} == (tools|resources|prompts|request) ]]; then
        compadd -- ${(f)"$(linkspan servers 2>/dev/null | cut -d' ' -f1)"}
    else
        _files
    fi
}
if [ "$funcstack[1]" = _linkspan ]; then _linkspan "$@"; else compdef _linkspan linkspan; fi
)sh";
}

std::string fish_script(std::string const& names)
{
    std::string out = "# Completion of linkspan for fish: linkspan completion fish | source\n"
                      "complete -c linkspan -f\n";
    auto const quote = [](std::string_view text) {
        std::string quoted = "'";
        for (char const c : text)
            quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        return quoted + "'";
    };
    for (auto const& row : commands)
        out += "complete -c linkspan -n '__fish_use_subcommand' -a " + std::string(row.name) + " -d " +
               quote(row.text) + "\n";
    for (auto const& row : options) {
        out += "complete -c linkspan -l " + std::string(row.name.substr(2));
        out += row.value == "FILE" || row.value == "FOLDER" ? " -r -F" : row.value.empty() ? "" : " -r";
        out += " -d " + quote(row.text) + "\n";
    }
    return out +
           "complete -c linkspan -n '__fish_seen_subcommand_from tools resources prompts request' -a "
           "\"(linkspan servers 2>/dev/null | string split -f1 ' ')\"\n# commands: " +
           names + "\n";
}

} // namespace

std::span<command_usage const> all_commands() { return commands; }
std::span<option_usage const> all_options() { return options; }
std::span<status_usage const> all_statuses() { return statuses; }

std::string help_text()
{
    std::string out = "Calls the tools of MCP servers.\n\nusage: linkspan [OPTION...] COMMAND [OPERAND...] "
                      "[-- SERVER-COMMAND...]\n\ncommands:\n";
    for (auto const& row : commands)
        append_row(out, words(row.name, row.operands), row.text);
    out += "\noptions:\n";
    for (auto const& row : options)
        append_row(out, words(row.name, row.value), row.text);
    out += "\n" + wrapped(details, 100, "") + "\nexit status:\n";
    for (auto const& row : statuses)
        append_row(out, std::to_string(row.status), row.text);
    out += "\nexamples:\n";
    for (auto const example : examples)
        out.append("  ").append(example).append("\n");
    return out;
}

std::string man_page()
{
    std::string out =
        ".TH LINKSPAN 1 \"\" \"linkspan\" \"User Commands\"\n.SH NAME\nlinkspan \\- calls the tools of MCP "
        "servers\n.SH SYNOPSIS\n.B linkspan\n[\\fIOPTION\\fR...] \\fICOMMAND\\fR [\\fIOPERAND\\fR...] "
        "[\\-\\- \\fISERVER\\-COMMAND\\fR...]\n.SH DESCRIPTION\n" +
        troff(details) + "\n.SH COMMANDS\n";
    auto const entry = [&](std::string_view name, std::string_view value, std::string_view text) {
        out += ".TP\n\\fB" + troff(name) + "\\fR" + (value.empty() ? "" : " \\fI" + troff(value) + "\\fR") + "\n" +
               troff(text) + "\n";
    };
    for (auto const& row : commands)
        entry(row.name, row.operands, row.text);
    out += ".SH OPTIONS\n";
    for (auto const& row : options)
        entry(row.name, row.value, row.text);
    out += ".SH EXIT STATUS\n";
    for (auto const& row : statuses)
        entry(std::to_string(row.status), "", row.text);
    out += ".SH EXAMPLES\n.nf\n";
    for (auto const example : examples)
        out += troff(example) + "\n";
    return out + ".fi\n";
}

std::string completion_script(std::string_view shell)
{
    auto const names = joined(commands, " ", [](auto const& row) { return row.name; });
    if (shell == "bash")
        return bash_script(names, joined(options, " ", [](auto const& row) { return row.name; }));
    if (shell == "zsh")
        return zsh_script();
    return shell == "fish" ? fish_script(names) : std::string();
}

} // namespace cli

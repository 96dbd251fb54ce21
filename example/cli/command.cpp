#include "command.hpp"

#include <linkspan/config/server_config.hpp>
#include <linkspan/core/similar_names.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <set>
#include <stdexcept>

#include "exit_status.hpp"
#include "usage.hpp"

namespace cli {
namespace {

using text_pair = std::pair<std::string, std::string>;

template<class Table>
std::string suggestion(std::string_view word, Table const& table)
{
    std::vector<std::string_view> names;
    for (auto const& row : table)
        names.push_back(row.name);
    auto const found = linkspan::similar_names(word, names, 1);
    return found.empty() ? "" : "; did you mean '" + found.front() + "'?";
}

linkspan::duration seconds_from(std::string const& word)
{
    double seconds = 0;
    auto const* const end = word.data() + word.size();
    auto const [stop, ec] = std::from_chars(word.data(), end, seconds);
    if (ec != std::errc() || stop != end || !(seconds >= 0.001 && seconds <= 3600))
        throw usage_error("option '--timeout': expected seconds from 0.001 to 3600, found '" + word + "'");
    return std::chrono::duration_cast<linkspan::duration>(std::chrono::duration<double>(seconds));
}

// Error messages omit the value, which may be secret.
text_pair split_at(char separator, std::string const& value, std::string const& option)
{
    auto const at = value.find(separator);
    if (at == value.npos || at == 0)
        throw usage_error("option '" + option + "': expected a name, '" + separator + "' and a value");
    return {value.substr(0, at), value.substr(at + 1)};
}

bool is_address(std::string const& word)
{
    auto const has_scheme = [&](std::string_view scheme) { return word.starts_with(scheme); };
    return has_scheme("http://") || has_scheme("https://") || has_scheme("unix:") || has_scheme("command://");
}

class reader {
public:
    command read(std::vector<std::string> const& words)
    {
        for (std::size_t i = 0; i != words.size(); ++i) {
            auto const& word = words[i];
            if (word == "--") {
                set_program({words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end()});
                break;
            }
            if (word.size() < 2 || word[0] != '-')
                take_operand(word);
            else
                i += take_option(word, i + 1 == words.size() ? nullptr : &words[i + 1]);
        }
        finish();
        return std::move(out_);
    }

private:
    void take_operand(std::string const& word)
    {
        bool const may_be_server = out_.operands.empty() && out_.verb != "doctor" && !out_.has_own_server();
        if (may_be_server && is_address(word))
            set_address(word);
        else if (out_.verb.empty())
            set_verb(word);
        else
            out_.operands.push_back(word);
    }

    void set_verb(std::string const& word)
    {
        out_.verb = word;
        if (word != "check") // name of the command `doctor` in version 0.1
            return;
        out_.verb = "doctor";
        out_.warning = "the command 'check' is deprecated: use 'doctor'";
    }

    // Returns the number of further words that the option uses: 0 or 1.
    std::size_t take_option(std::string const& word, std::string const* next)
    {
        auto const equals = word.starts_with("--") ? word.find('=') : word.npos;
        auto const name = word == "-h" ? "--help" : word == "-V" ? "--version" : word.substr(0, equals);
        auto const found = std::ranges::find(all_options(), std::string_view(name), &option_usage::name);
        if (found == all_options().end())
            throw usage_error("unknown option '" + name + "'" + suggestion(name, all_options()));
        if (!given_.insert(name).second && !found->repeats)
            throw usage_error("option '" + name + "' is given twice");
        if (found->value.empty()) {
            if (equals != word.npos)
                throw usage_error("option '" + name + "' does not accept a value");
            set_flag(name);
            return 0;
        }
        if (equals == word.npos && !next)
            throw usage_error("option '" + name + "': value is missing");
        set(name, equals == word.npos ? *next : word.substr(equals + 1));
        return equals == word.npos ? 1 : 0;
    }

    void set_flag(std::string const& name)
    {
        if (name == "--json")
            out_.json = true;
        else if (name == "--man")
            out_.man = true;
        else
            early_verb_ = name.substr(2);
    }

    void set(std::string const& name, std::string const& value)
    {
        if (name == "--config")
            out_.configs.push_back(value);
        else if (name == "--url")
            set_address(value);
        else if (name == "--stdio")
            set_command(value);
        else if (name == "--header")
            set_header(split_at(':', value, name));
        else if (name == "--env")
            set_env(value);
        else if (name == "--tag")
            out_.tags.push_back(value);
        else if (name == "--input")
            out_.inputs.insert(split_at('=', value, name));
        else if (name == "--meta")
            out_.meta.push_back(split_at('=', value, name));
        else if (name == "--timeout")
            out_.timeout = seconds_from(value);
        else if (name == "--save")
            out_.save = value;
        else if (name == "--format")
            set_format(value);
    }

    void set_address(std::string const& address)
    {
        if (out_.has_own_server())
            throw usage_error("two servers are given; expected one URL or one command");
        out_.address = address;
    }

    void set_program(std::vector<std::string> words)
    {
        if (out_.has_own_server())
            throw usage_error("two servers are given; expected one URL or one command");
        if (words.empty() || words.front().empty())
            throw usage_error("expected the command of a server after '--'");
        out_.program = std::move(words);
    }

    void set_command(std::string const& text)
    {
        try {
            auto server = linkspan::server_config::from_string(text);
            if (!server.url.empty() || server.command.empty())
                throw usage_error("option '--stdio': expected a command, found a URL");
            server.args.insert(server.args.begin(), server.command);
            set_program(std::move(server.args));
        } catch (std::invalid_argument const& rejected) {
            throw usage_error(std::string("option '--stdio': ") + rejected.what());
        }
    }

    void set_header(text_pair header)
    {
        header.second.erase(0, std::min(header.second.find_first_not_of(" \t"), header.second.size()));
        out_.headers.push_back(std::move(header));
    }

    void set_env(std::string const& value)
    {
        auto const at = value.find('=');
        if (value.empty() || at == 0)
            throw usage_error("option '--env': expected NAME or NAME=VALUE");
        out_.env.emplace_back(value.substr(0, at),
                              at == value.npos ? std::nullopt : std::optional(value.substr(at + 1)));
    }

    void set_format(std::string const& value)
    {
        if (value != "flat" && value != "openai" && value != "anthropic")
            throw usage_error("option '--format': expected flat, openai or anthropic, found '" + value + "'");
        out_.format = value;
    }

    void finish()
    {
        if (!early_verb_.empty()) {
            out_.verb = early_verb_;
            return;
        }
        if (out_.verb.empty())
            throw usage_error("a command is missing");
        auto const known = std::ranges::find(all_commands(), std::string_view(out_.verb), &command_usage::name);
        if (known == all_commands().end())
            throw usage_error("unknown command '" + out_.verb + "'" + suggestion(out_.verb, all_commands()));
        for (auto const& option : all_options())
            if (given_.contains(std::string(option.name)) && !option.commands.empty() &&
                option.commands.find(" " + out_.verb + " ") == option.commands.npos)
                throw usage_error("command '" + out_.verb + "' does not accept the option '" +
                                  std::string(option.name) + "'");
        if (out_.json && !out_.format.empty())
            throw usage_error("options '--format' and '--json' are both given; expected one of them");
        check_server();
        check_operands();
    }

    void check_server()
    {
        if (out_.has_own_server() && !out_.configs.empty())
            throw usage_error("option '--config' and a server are both given; expected one of them");
        bool const is_url = is_address(given_server()) && !given_server().starts_with("command://");
        if (!out_.headers.empty() && !is_url)
            throw usage_error("option '--header' is given without a URL");
        if (!out_.env.empty() && out_.program.empty() && (given_server().empty() || is_url))
            throw usage_error("option '--env' is given without the command of a server");
    }

    // Returns the operand of `doctor` if it specifies the server, else the URL of the server; empty: neither is given.
    std::string const& given_server() const
    {
        bool const is_checked = out_.diagnoses_operand() && !out_.operands.empty();
        return is_checked ? out_.operands.front() : out_.address;
    }

    void check_operands()
    {
        auto const& verb = out_.verb;
        auto const count = out_.operands.size();
        std::size_t min_count = 0, max_count = 0;
        if (verb == "tools" || (verb == "doctor" && !out_.has_own_server()))
            max_count = 1;
        else if (verb == "call")
            min_count = 1, max_count = count;
        else if (verb == "completion")
            min_count = max_count = 1;
        else if (verb == "resources")
            min_count = 1, max_count = 2;
        else if (verb == "prompts")
            min_count = 1, max_count = count;
        else if (verb == "request")
            min_count = 2, max_count = 3;
        if (out_.has_own_server() && (verb == "resources" || verb == "prompts" || verb == "request")) {
            --min_count; // a server that an option or a command specifies replaces the operand SERVER
            max_count = std::max(max_count, std::size_t{1}) - 1;
        }
        if (verb == "prompts")
            max_count = count;
        if (count < min_count)
            throw usage_error("command '" + verb + "': an operand is missing; expected " + operands_of(verb));
        if (count > max_count)
            throw usage_error("command '" + verb + "': surplus operand '" + out_.operands[max_count] + "'" +
                              (verb == "doctor" ? "; a command with arguments follows '--'" : ""));
    }

    static std::string operands_of(std::string_view verb)
    {
        return std::string(std::ranges::find(all_commands(), verb, &command_usage::name)->operands);
    }

    command out_;
    std::set<std::string> given_;
    std::string early_verb_; // "help" or "version"; takes precedence over all other arguments
};

} // namespace

command read_command(std::vector<std::string> const& words) { return reader().read(words); }

} // namespace cli

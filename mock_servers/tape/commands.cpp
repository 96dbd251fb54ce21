#include "commands.hpp"

#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/serve_http.hpp>
#include <linkspan/test/serve_stdio.hpp>
#include <linkspan/test/tape.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "recorder.hpp"

namespace mock_servers {

using linkspan::test::replay_options;
using linkspan::test::scripted_server;
using linkspan::test::tape;
using linkspan::test::tape_match;
using linkspan::test::tape_order;

std::string_view const tape_usage = R"(
Tapes, which are recorded sessions:

  linkspan-mock record --out TAPE [--http PORT] [--no-redaction] [--redact-env NAME]... -- COMMAND [ARGUMENT...]
  linkspan-mock record --out TAPE [--http PORT] [--no-redaction] [--redact-env NAME]... --url URL
      starts the server COMMAND, or uses the server over HTTP at URL, passes the messages of the client that started
      this process on to it, and records them; --http serves clients over HTTP on this port of 127.0.0.1 instead, and
      writes the URL to stdout, 0: any free port; --redact-env replaces the value of an environment variable wherever it
      occurs
  linkspan-mock replay TAPE [--match params|method|order] [--order any|per-method|all] [--ignore POINTER]... [--pace]
                            [--http PORT]
      serves the recorded responses; --ignore names parameters that are not compared, in addition to /_meta; --pace
      sends them after their recorded times
  linkspan-mock to-script TAPE
      writes a script with the recorded tools and responses to stdout
)";

bool is_tape_command(std::string_view word) { return word == "record" || word == "replay" || word == "to-script"; }

namespace {

int record_tape(option_reader words)
{
    recording what;
    what.server.inherit = linkspan::environment::all;
    bool has_command = false;
    while (words.next()) {
        auto const& word = words.option();
        if (word == "--out") {
            what.out = words.value();
        } else if (word == "--url") {
            what.url = words.value();
        } else if (word == "--http") {
            what.port = words.number<std::uint16_t>();
        } else if (word == "--no-redaction") {
            what.redacts = false;
        } else if (word == "--redact-env") {
            auto const& name = words.value();
            constexpr std::size_t min_size = 4; // a shorter value occurs in other texts
            auto const* const value = std::getenv(name.c_str());
            if (!value || std::string_view(value).size() < min_size)
                throw std::invalid_argument("option '--redact-env': expected a variable whose value has at least 4 "
                                            "characters, found '" +
                                            name + (value ? "'" : "', which is not set"));
            what.secrets.emplace_back(value);
        } else if (word == "--") {
            what.server.command = words.value();
            while (words.next())
                what.server.args.push_back(words.option());
            has_command = true;
        } else {
            throw word.starts_with('-')
                ? words.unknown()
                : std::invalid_argument("expected '--' before the command, found '" + word + "'");
        }
    }
    if (what.out.empty() || has_command == !what.url.empty())
        throw std::invalid_argument("expected 'record --out TAPE -- COMMAND' or 'record --out TAPE --url URL'");
    if (!what.port)
        return record_streams(std::move(what));
    return has_command ? record_http_to_command(what) : record_http(what);
}

tape_match match_of(std::string const& word)
{
    if (word == "params")
        return tape_match::params;
    if (word == "method")
        return tape_match::method;
    if (word == "order")
        return tape_match::order;
    throw std::invalid_argument("option '--match': expected 'params', 'method' or 'order', found '" + word + "'");
}

tape_order order_of(std::string const& word)
{
    if (word == "any")
        return tape_order::any;
    if (word == "per-method")
        return tape_order::per_method;
    if (word == "all")
        return tape_order::all;
    throw std::invalid_argument("option '--order': expected 'any', 'per-method' or 'all', found '" + word + "'");
}

std::string pointer_of(std::string word)
{
    if (word.empty() || !linkspan::test::detail::is_json_pointer(word))
        throw std::invalid_argument("option '--ignore': expected a JSON Pointer into the parameters, such as "
                                    "'/arguments/requestId', found '" +
                                    word + "'");
    return word;
}

int replay_tape(option_reader words)
{
    std::string path;
    std::optional<std::uint16_t> port;
    replay_options with;
    while (words.next()) {
        auto const& word = words.option();
        if (word == "--match")
            with.match = match_of(words.value());
        else if (word == "--order")
            with.order = order_of(words.value());
        else if (word == "--ignore")
            with.ignore.push_back(pointer_of(words.value()));
        else if (word == "--pace")
            with.is_paced = true;
        else if (word == "--http")
            port = words.number<std::uint16_t>();
        else if (path.empty() && !word.starts_with('-'))
            path = word;
        else
            throw words.unknown();
    }
    if (path.empty())
        throw std::invalid_argument("expected 'replay TAPE'");
    scripted_server server;
    tape::load(path).add_to(server, std::move(with));
    server.record_messages(false);
    if (port)
        return linkspan::test::serve_http(server, {.sse_path = "", .port = *port});
    return linkspan::test::serve_stdio(server, {}, true);
}

} // namespace

int run_tape_command(std::string_view command, option_reader words)
{
    if (command == "record")
        return record_tape(std::move(words));
    if (command == "replay")
        return replay_tape(std::move(words));
    if (!words.next())
        throw std::invalid_argument("expected 'to-script TAPE'");
    auto const path = words.option();
    if (words.next())
        throw words.unknown();
    std::cout << tape::load(path).to_script() << '\n';
    return 0;
}

} // namespace mock_servers

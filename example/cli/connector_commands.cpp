#include <linkspan/agent/tool_export.hpp>
#include <linkspan/config/make_connector.hpp>
#include <linkspan/connector.hpp>
#include <linkspan/policy/fallback.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../web.hpp"
#include "as_tuple_token.hpp"
#include "call_route.hpp"
#include "clean_text.hpp"
#include "commands.hpp"
#include "content.hpp"
#include "doctor.hpp"
#include "failure.hpp"
#include "interruption.hpp"
#include "json_text.hpp"
#include "request_options.hpp"
#include "servers.hpp"
#include "signature.hpp"
#include "standard_streams.hpp"

namespace cli {
namespace {

namespace asio = boost::asio;

using linkspan::stdio;
using hub_type = linkspan::connector<linkspan::transports<stdio, web_transport>, linkspan::safe_failover>;

// Results collected before the servers are closed.
struct findings {
    linkspan::open_report report;
    linkspan::error_code ec; // of the call
    linkspan::call_result result;
    std::shared_ptr<linkspan::catalog const> tools;
    std::vector<linkspan::server_status> servers;
    std::exception_ptr usage;
    bool is_complete = false; // set before the shutdown unless a signal was received
};

struct job {
    explicit job(command const& of) : what(of), files(of.save) {}

    command const& what;
    tool_name target;    // of `tools` and `call`
    std::string unknown; // sentence for TOOL of the form SERVER.TOOL with an unknown server; else empty
    std::string input;   // arguments as a JSON object; empty: they are KEY=VALUE operands
    server_set set;
    file_saver files;
    findings found;
};

std::string number_text(double value)
{
    auto out = std::to_string(value);
    out.erase(out.find_last_not_of('0') + 1);
    return out.ends_with('.') ? out.substr(0, out.size() - 1) : out;
}

linkspan::call_options options_with_progress(command const& what, progress_line& progress)
{
    auto out = options_for(what);
    if (progress.is_shown())
        out.on_progress = [&progress](linkspan::progress_update const& now) {
            progress.show(number_text(now.progress) + (now.total ? " of " + number_text(*now.total) : "") +
                          (now.message.empty() ? "" : ": " + now.message));
        };
    return out;
}

// Returns the tools with this name, except those that the configuration hides.
std::vector<linkspan::catalog_entry const*> entries_for(job const& on)
{
    std::vector<linkspan::catalog_entry const*> out;
    auto const key = on.target.server.empty() ? std::string() : linkspan::server_key(on.target.server);
    for (auto const& entry : on.found.tools->tools()) {
        bool const is_selected = on.target.tool.empty() || entry.tool->name == on.target.tool ||
                                 (key.empty() && entry.exposed == on.target.tool);
        if ((key.empty() || entry.server_key == key) && is_selected && allows(on.set, entry))
            out.push_back(&entry);
    }
    return out;
}

std::string arguments_of(job const& on, call_route const& route)
{
    if (!on.input.empty())
        return on.input;
    auto const words = std::span(on.what.operands).subspan(1);
    return typed_arguments(words, route.definition ? std::string_view(route.definition->input_schema) : "");
}

// `to`: the connector or a `server_scope`.
template<class Calls>
asio::awaitable<void> send(Calls& to, call_route const& route, job& on, interruption& stop)
{
    progress_line progress;
    auto const text = arguments_of(on, route);
    linkspan::arguments const args{linkspan::raw_json(text)};
    auto options = options_with_progress(on.what, progress);
    auto done = co_await to.async_call(route.tool, args, std::move(options),
                                       asio::bind_cancellation_slot(stop.slot(), as_tuple_token));
    on.found.ec = std::get<0>(done);
    on.found.result = std::get<1>(std::move(done));
}

asio::awaitable<void> call(hub_type& hub, job& on, interruption& stop)
{
    auto const route = route_call(*on.found.tools, on.found.servers, on.set, on.target);
    if (!on.target.server.empty()) {
        auto const key = linkspan::server_key(on.target.server);
        auto server = hub.on_server(key);
        co_await send(server, route, on, stop);
    } else if (!route.servers.empty()) {
        linkspan::selector which;
        which.servers = route.servers;
        auto servers = hub.on_servers(which);
        co_await send(servers, route, on, stop);
    } else {
        co_await send(hub, route, on, stop);
    }
}

asio::awaitable<void> work(hub_type& hub, job& on, interruption& stop)
{
    auto const close = [&hub] { hub.close(); };
    stop.on_first_signal(close);
    stop.on_second_signal(close);
    auto opened = co_await hub.async_open(as_tuple_token);
    on.found.report = std::get<1>(std::move(opened));
    on.found.tools = hub.catalog();
    on.found.servers = hub.state().servers;
    stop.on_first_signal({});
    bool const has_servers = on.found.report.failures() < on.found.report.servers.size();
    if (on.what.verb == "call" && stop.status() == ok && has_servers) {
        try {
            co_await call(hub, on, stop);
        } catch (usage_error const&) {
            on.found.usage = std::current_exception();
        }
    }
    on.found.is_complete = stop.status() == ok; // a later signal only shortens the shutdown
    stop.on_first_signal(close);
    co_await hub.async_shutdown(std::chrono::seconds(10), as_tuple_token);
    stop.stop();
}

// Adds the servers. A server that cannot be added is skipped, and reported on stderr.
void add(hub_type& hub, server_set& set)
{
    for (auto const& problem : add_servers(hub, set.config, set.from))
        note(to_string(problem));
    auto const added = hub.state().servers;
    set.skipped += set.config.servers.size() - added.size();
    if (std::ranges::all_of(added, [](auto const& server) { return server.state == linkspan::server_state::disabled; }))
        throw usage_error("no server can be used");
}

// Returns the exit status of a signal, or `ok`.
int run(job& on)
{
    asio::io_context context(1);
    linkspan::safe_failover fallback;
    fallback.max_attempts = on.set.config.max_attempts();
    hub_type hub(context.get_executor(), fallback);
    add(hub, on.set);
    interruption stop(context.get_executor());
    std::exception_ptr failure;
    asio::co_spawn(context, work(hub, on, stop), [&failure](std::exception_ptr thrown) { failure = thrown; });
    context.run();
    if (failure)
        std::rethrow_exception(failure);
    return on.found.is_complete ? ok : stop.status();
}

std::string interruption_text(findings const& found)
{
    auto const attempts = found.result.attempts();
    auto const may_have_run = [](auto const& one) { return one.result.certainty == linkspan::certainty::unknown; };
    return std::ranges::any_of(attempts, may_have_run) ? "interrupted; the tool may have been executed" : "interrupted";
}

std::string text_of(linkspan::server_report const& failed)
{
    return "server '" + failed.server + "': " + failed.ec.message() +
           (failed.detail.empty() ? "" : ": " + failed.detail);
}

void note_failures(linkspan::open_report const& report)
{
    for (auto const& line : report.servers)
        if (line.ec)
            note(text_of(line));
}

std::string state_text(std::vector<linkspan::server_status> const& servers, bool json)
{
    std::string out = json ? "[" : "";
    for (auto const& server : servers) {
        auto const version_text =
            server.protocol_version ? std::string(to_string(*server.protocol_version)) : std::string("-");
        if (json)
            out += (out == "[" ? "\n" : ",\n") + (R"({"server":)" + json_string(server.server)) + R"(,"transport":)" +
                   json_string(server.transport) + R"(,"state":)" + json_string(to_string(server.state)) +
                   R"(,"protocol_version":)" + json_string(version_text) + R"(,"tools":)" +
                   std::to_string(server.tools) + R"(,"last_error":)" + json_string(server.last_error) + "}";
        else
            out += server.server + "  " + std::string(to_string(server.state)) + "  " + version_text + "  " +
                   std::to_string(server.tools) + " tools  " + terminal_line(server.last_error) + "\n";
    }
    return json ? out + "\n]\n" : out;
}

std::string tools_text(job const& on)
{
    auto const entries = entries_for(on);
    if (on.what.json)
        return tools_as_json(entries);
    std::string out;
    for (auto const* const entry : entries) {
        if (!on.target.tool.empty()) {
            out += (out.empty() ? "" : "\n") + describe_tool(*entry);
            continue;
        }
        auto const& about = entry->tool->description;
        bool const names_server = on.found.servers.size() > 1 || entry->display_name().empty();
        auto const name = names_server ? entry->server_key + "." + entry->tool->name : entry->display_name();
        out += signature(*entry->tool, name) + "  " + terminal_line(about.substr(0, about.find('\n'))) + "\n";
    }
    return out;
}

std::string exported_tools(job const& on)
{
    using format = linkspan::tool_format;
    auto const entries = entries_for(on);
    std::vector<linkspan::catalog_entry> chosen;
    for (auto const* const entry : entries)
        chosen.push_back(*entry);
    linkspan::catalog const part(std::move(chosen), on.found.servers.size() == 1);
    auto const as = on.what.format == "flat"     ? format::flat
                    : on.what.format == "openai" ? format::openai
                                                 : format::anthropic;
    return clean_json(export_tools(part, as)) + "\n";
}

finished show_call(job& on)
{
    auto const& result = on.found.result;
    if (on.found.ec == linkspan::error::tool_not_found && !on.unknown.empty())
        note(on.unknown);
    if (on.found.ec)
        return failure(on.found.ec, result, on.found.report.failures() == 0, on.what.json);
    return show_response(result.raw(), on.target.tool, on.files, on.what.json, result.is_error() ? tool_failed : ok);
}

finished show(job& on)
{
    auto const& verb = on.what.verb;
    auto const& report = on.found.report;
    bool const diagnoses = verb == "doctor";
    bool const none_is_open = report.failures() == report.servers.size();
    if (none_is_open && (verb == "call" || verb == "tools")) {
        std::string why = "no server could be opened";
        for (auto const& line : report.servers)
            if (line.ec)
                why += (why.ends_with("opened") ? ": " : "; ") + text_of(line);
        return failure(not_connected, why, on.what.json);
    }
    if (!diagnoses)
        note_failures(report);
    if (on.found.usage)
        std::rethrow_exception(on.found.usage);
    if (verb == "call")
        return show_call(on);
    int const status = report.failures() + on.set.skipped != 0 ? not_connected : ok;
    if (diagnoses)
        return {status, doctor::text(report, on.set, on.what.json)};
    if (verb == "state")
        return {status, state_text(on.found.servers, on.what.json)};
    if (!on.target.tool.empty() && entries_for(on).empty())
        return failure(status == ok ? wrong_usage : status, "no server or tool is named '" + on.what.operands[0] + "'",
                       on.what.json);
    return {status, on.what.format.empty() ? tools_text(on) : exported_tools(on)};
}

// Returns the arguments if they are given as JSON; empty: KEY=VALUE. Called before any server is started.
std::string given_object(command const& what)
{
    auto const count = what.operands.size();
    if (count < 2)
        return "{}";
    auto const& first = what.operands[1];
    bool const is_stdin = first == "-", is_json = first.starts_with('{') || first.starts_with('[');
    if (!is_stdin && first.find('=') != first.npos && !first.starts_with('{')) {
        for (auto const& word : std::span(what.operands).subspan(1))
            typed_arguments(std::span(&word, 1), {}); // finds an invalid form; duplicate keys are found later
        return {};
    }
    auto const fail_surplus = [&](std::string const& predecessor) {
        throw usage_error("arguments: surplus operand '" + what.operands[2] + "' after " + predecessor);
    };
    if (is_stdin && count > 2)
        fail_surplus("'-'");
    constexpr auto expected = "arguments: expected KEY=VALUE, a JSON object, or '-' for stdin";
    auto const text = is_stdin ? read_stdin() : first;
    boost::system::error_code ec;
    auto const parsed = parse_json(text, ec);
    if (ec && !is_stdin && !is_json)
        throw usage_error(std::string(expected) + ", found '" + first + "'");
    if (ec)
        throw usage_error(std::string(expected) + ": " + ec.message());
    if (!parsed.is_object())
        throw usage_error(std::string(expected) + ", found JSON of type " + std::string(kind_of(parsed)));
    if (count > 2)
        fail_surplus("the JSON object");
    return text;
}

std::string server_named(server_book const& book, std::string const& word)
{
    for (auto const& name : book.names())
        if (name == word || linkspan::server_key(name) == word)
            return name;
    return {};
}

} // namespace

finished run_on_connector(command const& what)
{
    auto input = what.verb == "call" ? given_object(what) : std::string();
    auto const book = read_servers(what);
    job on(what);
    on.input = std::move(input);
    if (what.verb == "call") {
        on.target = split_tool(book, what.operands[0]);
        auto const& word = what.operands[0];
        // The name of a tool may contain a dot, so that the name of the server is unknown only if the tool is unknown.
        if (auto const dot = word.find('.'); on.target.server.empty() && dot != word.npos && dot != 0)
            on.unknown = unknown_server_text(book, word.substr(0, dot));
    } else if (!what.operands.empty()) {
        on.target.server = server_named(book, what.operands[0]);
        if (on.target.server.empty() && what.verb == "doctor")
            on.target.server = what.operands[0]; // `choose` reports similar names
        else if (on.target.server.empty())
            on.target = split_tool(book, what.operands[0]);
    }
    on.set = choose(book, what, on.target.server);
    if (auto const status = run(on); status != ok)
        return failure(status, interruption_text(on.found), what.json);
    return show(on);
}

} // namespace cli

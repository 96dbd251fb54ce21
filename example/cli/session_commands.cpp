#include <linkspan/session.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <exception>
#include <stdexcept>
#include <utility>

#include "../web.hpp"
#include "as_tuple_token.hpp"
#include "clean_text.hpp"
#include "commands.hpp"
#include "content.hpp"
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
namespace json = boost::json;

constexpr std::size_t max_pages = 64; // of a list: a server may return cursors endlessly

// Configuration of a server with its variables replaced.
struct ready_server {
    linkspan::server_config config;
    linkspan::resolved_server resolved;
};

// Request, or list that is read page by page.
struct session_job {
    explicit session_job(command const& of) : what(of), files(of.save) {}

    command const& what;
    std::string method, params = "{}";
    std::string list; // key of the list in the result; empty: a single request
    file_saver files;
    ready_server server;
    linkspan::error_code ec;
    linkspan::call_result result;
    std::vector<std::string> pages; // results, as clean JSON
    bool is_complete = false;       // set before the shutdown unless a signal was received
};

std::string object_from(std::string const& word)
{
    auto const text = word == "-" ? read_stdin() : word;
    boost::system::error_code ec;
    auto const parsed = parse_json(text, ec);
    if (ec)
        throw usage_error("parameters: expected a JSON object, or '-' for stdin: " + ec.message());
    if (!parsed.is_object())
        throw usage_error("parameters: expected a JSON object, or '-' for stdin, found JSON of type " +
                          std::string(kind_of(parsed)));
    return text;
}

std::string with_cursor(std::string const& page)
{
    auto const parsed = parse_json(page);
    auto const* const cursor = parsed.is_object() ? parsed.get_object().if_contains("nextCursor") : nullptr;
    auto const* const text = cursor ? cursor->if_string() : nullptr;
    return text ? R"({"cursor":)" + json_string({text->data(), text->size()}) + "}" : std::string();
}

asio::awaitable<void> send_all(linkspan::session& session, session_job& on, interruption& stop)
{
    while (!on.params.empty() && on.pages.size() != max_pages && stop.status() == ok) {
        linkspan::arguments params{linkspan::raw_json(on.params)};
        auto done = co_await session.async_request(on.method, std::move(params), options_for(on.what),
                                                   asio::bind_cancellation_slot(stop.slot(), as_tuple_token));
        on.ec = std::get<0>(done);
        on.result = std::get<1>(std::move(done));
        if (on.ec) // sessions do not redact secrets
            co_return;
        on.pages.push_back(clean_json(on.result.raw()));
        on.params = on.list.empty() ? "" : with_cursor(on.pages.back());
    }
}

asio::awaitable<void> work(linkspan::session& session, session_job& on, interruption& stop)
{
    auto const close = [&session] { session.close(); };
    stop.on_first_signal(close);
    stop.on_second_signal(close);
    auto const [ec] = co_await session.async_open(as_tuple_token);
    stop.on_first_signal({});
    on.ec = ec;
    if (ec)
        on.result.trail({}, session.diagnostics());
    else
        co_await send_all(session, on, stop);
    on.is_complete = stop.status() == ok; // a later signal only shortens the shutdown
    stop.on_first_signal(close);
    co_await session.async_shutdown(as_tuple_token);
    stop.stop();
}

//[ resolve
ready_server resolve(linkspan::server_config const& server, linkspan::variable_sources const& from)
{
    ready_server out{server, server.resolve(from)};
    out.config.options.secrets.add(out.resolved.secrets);
    for (auto const& problem : out.resolved.problems)
        note(to_string(problem));
    if (!out.resolved.stdio && out.resolved.url.empty())
        throw usage_error("no server can be used");
    return out;
}
//]

linkspan::transport_factory factory_for(ready_server const& server)
{
    if (server.resolved.stdio)
        return linkspan::via<linkspan::stdio>(*server.resolved.stdio);
    return linkspan::via<web_transport>(server.resolved.http());
}

int run(session_job& on)
{
    asio::io_context context(1);
    interruption stop(context.get_executor());
    linkspan::session session(context.get_executor(), factory_for(on.server), on.server.config.options.session);
    std::exception_ptr failure;
    asio::co_spawn(context, work(session, on, stop), [&failure](std::exception_ptr thrown) { failure = thrown; });
    context.run();
    if (failure)
        std::rethrow_exception(failure);
    return on.is_complete ? ok : stop.status();
}

// Returns "uri  name (type)", or "name(argument, other?)  description".
std::string line_for(json::value const& entry)
{
    auto const uri = text_at(entry, "uri"), about = text_at(entry, "description");
    if (!uri.empty()) {
        auto const type = text_at(entry, "mimeType");
        return terminal_line(uri + "  " + text_at(entry, "name") + (type.empty() ? "" : " (" + type + ")")) + "\n";
    }
    std::string arguments;
    auto const* const list = entry.is_object() ? entry.get_object().if_contains("arguments") : nullptr;
    if (list && list->is_array())
        for (auto const& each : list->get_array()) {
            auto const* const required = each.is_object() ? each.get_object().if_contains("required") : nullptr;
            arguments +=
                (arguments.empty() ? "" : ", ") + text_at(each, "name") + (required && *required == true ? "" : "?");
        }
    return terminal_line(text_at(entry, "name") + "(" + arguments + ")  " + about.substr(0, about.find('\n'))) + "\n";
}

std::string list_text(session_job const& on)
{
    std::string out = on.what.json ? "[" : "";
    for (auto const& page : on.pages) {
        auto const parsed = parse_json(page);
        auto const* const list = parsed.is_object() ? parsed.get_object().if_contains(on.list) : nullptr;
        for (auto const& entry : list && list->is_array() ? list->get_array() : json::array())
            if (on.what.json)
                out += (out == "[" ? "\n" : ",\n") + clean_json(json::serialize(entry));
            else
                out += line_for(entry);
    }
    return on.what.json ? out + "\n]\n" : out;
}

finished show(session_job& on)
{
    if (on.ec) { // a session does not redact
        std::vector<linkspan::attempt_record> attempts(on.result.attempts().begin(), on.result.attempts().end());
        for (auto& attempt : attempts)
            attempt.detail = on.server.resolved.secrets(attempt.detail);
        linkspan::call_result redacted;
        redacted.trail(std::move(attempts), on.server.resolved.secrets(on.result.detail()));
        return failure(on.ec, redacted, true, on.what.json);
    }
    if (!on.list.empty()) {
        bool const is_cut = !on.params.empty();
        if (is_cut)
            note("the list has more than " + std::to_string(max_pages) + " pages; the others were not read");
        return {is_cut ? not_connected : ok, list_text(on)};
    }
    if (on.what.verb == "request")
        return {ok, on.pages.back() + "\n"};
    return show_response(on.pages.back(), on.what.verb, on.files, on.what.json);
}

// A raw request must not call a tool that the configuration disables.
void check_tool(session_job const& on)
{
    auto const& server = on.server.config;
    auto const tool = on.method == "tools/call" ? text_at(parse_json(on.params), "name") : std::string();
    if (!tool.empty() && !server.allows_tool(tool))
        throw usage_error("tool '" + tool + "' of server '" + server.key() + "' is disabled in " + server.origin);
}

// Creates the request. `words`: operands after the server.
void prepare(session_job& on, std::span<std::string const> words)
{
    auto const& verb = on.what.verb;
    if (verb == "request") {
        on.method = words[0];
        on.params = words.size() > 1 ? object_from(words[1]) : "{}";
    } else if (verb == "resources") {
        on.method = words.empty() ? "resources/list" : "resources/read";
        on.list = words.empty() ? "resources" : "";
        on.params = words.empty() ? "{}" : R"({"uri":)" + json_string(words[0]) + "}";
    } else if (words.empty()) {
        on.method = "prompts/list";
        on.list = "prompts";
    } else {
        std::string members;
        for (auto const& word : words.subspan(1)) {
            auto const at = word.find('=');
            if (at == word.npos || at == 0)
                throw usage_error("arguments: expected KEY=VALUE, found '" + word.substr(0, at) + "'");
            members +=
                (members.empty() ? "" : ",") + json_string(word.substr(0, at)) + ":" + json_string(word.substr(at + 1));
        }
        on.method = "prompts/get";
        on.params = R"({"name":)" + json_string(words[0]) + R"(,"arguments":{)" + members + "}}";
    }
}

} // namespace

finished run_on_session(command const& what)
{
    session_job on(what);
    auto const own = what.has_own_server();
    auto const words = std::span(what.operands).subspan(own ? 0 : 1);
    prepare(on, words);
    auto const book = read_servers(what);
    auto name = own ? book.config.servers.front().name : what.operands[0];
    for (auto const& server : book.config.servers)
        if (server.key() == name)
            name = server.name;
    auto const set = choose(book, what, name);
    on.server = resolve(set.config.servers.front(), set.from);
    check_tool(on);
    int status = ok;
    try {
        status = run(on);
    } catch (std::invalid_argument const& rejected) {
        throw usage_error("server '" + name + "': " + linkspan::detail::message_of(rejected));
    }
    return status == ok ? show(on) : failure(status, "interrupted", what.json);
}

finished list_servers(command const& what)
{
    auto const book = read_servers(what);
    std::string out = what.json ? "[" : "";
    for (auto const& server : book.config.servers) {
        auto const kind = server.url.empty() ? "stdio" : "http";
        auto const state = server.options.enabled ? "enabled" : "disabled";
        if (what.json)
            out += (out == "[" ? "\n" : ",\n") + (R"({"server":)" + json_string(server.key())) + R"(,"name":)" +
                   json_string(server.name) + R"(,"transport":)" + json_string(kind) + R"(,"enabled":)" +
                   (server.options.enabled ? "true" : "false") + R"(,"file":)" + json_string(server.origin) + "}";
        else
            out += server.key() + "  " + kind + "  " + state + "  " + terminal_line(server.origin) + "\n";
    }
    for (auto const& problem : book.config.problems)
        if (!book.is_found || problem.level == linkspan::config_problem::severity::error)
            note(to_string(problem));
    return {ok, what.json ? out + "\n]\n" : out};
}

} // namespace cli

// mock-fault MODE: an MCP server over standard streams with one tool, `echo`, and a fault. MODE is one of
//
//   none      no fault
//   die       exits on the third call, without a response
//   garbage   writes a line that is not a message before each response
//   notify    sends a notification in the same write as each response
//   ping      pings the client before each response, and waits for the response of the client
//   split     writes each response in two parts, 2 ms apart
//   crlf      ends lines with CR LF
//   hang      does not respond to the third call
//   late      responds to the third call when the fourth is received, before the response to it, even if the third was
//             cancelled
//   stubborn  ignores SIGTERM and the end of stdin
//   chatty    writes 200 KB to stderr before each response
//   retire    exits with status 0 after each response
//   refuse    refuses each call with the error -32600, whose message contains the number of calls
//   leave     exits on `server/discover`, like a server that requires `initialize` first

#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/serve_stdio.hpp>

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>

using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view modes[] = {"none", "die",  "garbage",  "notify", "ping",   "split",  "crlf",
                                      "hang", "late", "stubborn", "chatty", "retire", "refuse", "leave"};

//[ actions
std::string echoed(exchange const& on)
{
    std::string members = R"("content":[{"type":"text","text":)";
    auto const text = linkspan::json_scan::member(on.arguments(), "text");
    return members.append(text.empty() ? "\"\"" : text).append("}]");
}

void echo(exchange& on, std::function<void()> const& next)
{
    on.reply(echoed(on));
    next();
}
//]

// Returns the response to the last request. `late` sends it even if the client has cancelled the request.
std::string response_to_last_request(exchange const& on, scripted_server const& server)
{
    std::string line = R"({"jsonrpc":"2.0","id":)";
    line += linkspan::json_scan::member(server.received().back(), "id");
    return line.append(R"(,"result":{"resultType":"complete",)").append(echoed(on)).append("}}");
}

action exit_with(int status)
{
    return [status](exchange&, std::function<void()> const&) { std::_Exit(status); };
}

// Refuses calls: the tool was certainly not executed, and the client may retry on another server.
action refuse_counting()
{
    return [count = 0](exchange& on, std::function<void()> const& next) mutable {
        on.refuse(-32600, "call " + std::to_string(++count));
        next();
    };
}

void flood_stderr(exchange&, std::function<void()> const& next)
{
    std::string const line = std::string(999, 'e') + '\n';
    for (int i = 0; i < 200; ++i)
        if (::write(STDERR_FILENO, line.data(), line.size()) < 0)
            break;
    next();
}

} // namespace

int main(int argc, char** argv)
{
    std::string_view const mode = argc > 1 ? argv[1] : "none";
    if (argc > 2 || std::ranges::find(modes, mode) == std::end(modes)) {
        bool const is_help = mode == "--help";
        auto& out = is_help ? std::cout : std::cerr;
        out << "usage: mock-fault [MODE]; modes:";
        for (auto const known : modes)
            out << ' ' << known;
        out << '\n';
        return is_help ? 0 : 2;
    }
    scripted_server server;
    server.dialogue().name = "fault";
    server.tool("echo", R"({"type":"object","properties":{"text":{"type":"string"}}})", nullptr);
    auto& calls = server.on(call("echo"));
    std::string held_response;

    if (mode == "die")
        calls.times(2, echo).then(exit_with(1));
    else if (mode == "garbage")
        calls.then(raw("debug: hello, I print to stdout"), echo);
    else if (mode == "notify")
        calls.then(notify("notifications/message", R"({"level":"info","data":"x"})"), echo);
    else if (mode == "ping")
        calls.then(send_request("ping"), echo);
    else if (mode == "hang")
        calls.times(2, echo).once(hang()).then(echo);
    else if (mode == "late")
        calls.times(2, echo)
            .once([&](exchange& on, std::function<void()> const&) {
                held_response = response_to_last_request(on, server);
            })
            .once(
                [&held_response](exchange& on, std::function<void()> const& next) {
                    on.send(held_response);
                    next();
                },
                echo)
            .then(echo);
    else if (mode == "retire")
        calls.then([&server](exchange& on, std::function<void()> const&) {
            auto const line = response_to_last_request(on, server) + '\n';
            auto const written = ::write(STDOUT_FILENO, line.data(), line.size());
            std::_Exit(written == static_cast<ssize_t>(line.size()) ? 0 : 1);
        });
    else if (mode == "refuse")
        calls.then(refuse_counting());
    else if (mode == "chatty")
        calls.then(flood_stderr, echo);
    else
        calls.then(echo);

    if (mode == "crlf")
        server.line_suffix("\r");
    if (mode == "leave")
        server.on(request("server/discover")).then(exit_with(3));
    if (mode == "ping" || mode == "leave")
        server.dialogue().protocol_versions = {linkspan::protocol_version::v2025_11_25};
    if (mode == "stubborn")
        std::signal(SIGTERM, SIG_IGN);
    serve_stdio(server, {.split_pause = mode == "split" ? linkspan::duration(2ms) : linkspan::duration()});
    while (mode == "stubborn")
        ::pause();
}

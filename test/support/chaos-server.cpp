// chaos-server LOG (stdio | http | events | sse) [PORT]: an MCP server for the chaos test, which kills and stops it.
//
// The server appends to the file LOG: "start PID NANOSECONDS" of the steady clock, and one line per execution: "write
// k7". The tools `read` and `write` take {"key":"k7","ms":5}, are executed immediately, and return "write k7" after
// that many milliseconds. `http` is a stateless server with JSON responses; `events` has sessions and resumable
// response streams; `sse` is HTTP+SSE of protocol version 2024-11-05.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/serve_http.hpp>
#include <linkspan/test/serve_stdio.hpp>

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

using namespace linkspan::test;
using linkspan::protocol_version;

namespace {

// Each line is written by one system call, so that no partial lines occur.
class execution_log {
public:
    explicit execution_log(char const* path) : fd_(::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600))
    {
        auto const now = std::chrono::steady_clock::now().time_since_epoch();
        append("start " + std::to_string(::getpid()) + ' ' +
               std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()));
    }

    void append(std::string line) const
    {
        line += '\n';
        if (::write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            std::_Exit(3);
    }

private:
    int fd_;
};

std::string key_of(exchange const& on)
{
    return linkspan::json_scan::string(linkspan::json_scan::member(on.arguments(), "key")).value_or("");
}

void add_tool(scripted_server& server, execution_log const& log, std::string const& name)
{
    server.tool(name, R"({"type":"object","properties":{"key":{"type":"string"},"ms":{"type":"integer"}}})", nullptr);
    auto execute = [&log, name](exchange& on, std::function<void()> next) {
        log.append(name + ' ' + key_of(on));
        auto const pause = linkspan::json_scan::integer(linkspan::json_scan::member(on.arguments(), "ms"));
        on.wait(std::chrono::milliseconds(pause.value_or(0)), std::move(next));
    };
    auto respond = [name](exchange& on, std::function<void()> const& next) {
        on.reply(R"("content":[{"type":"text","text":")" + name + ' ' + key_of(on) + R"("}])");
        next();
    };
    server.on(call(name)).then(execute, respond);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::cerr << "usage: chaos-server LOG (stdio | http | events | sse) [PORT]\n";
        return 2;
    }
    std::string_view const kind = argv[2];
    auto const protocol = kind == "events" ? protocol_version::v2025_11_25
                          : kind == "sse"  ? protocol_version::v2024_11_05
                                           : protocol_version::v2026_07_28;
    execution_log const log(argv[1]);
    scripted_server server({protocol});
    add_tool(server, log, "read");
    add_tool(server, log, "write");
    if (kind == "stdio") {
        serve_stdio(server);
        return 0;
    }
    http_server_options serving;
    serving.port = static_cast<std::uint16_t>(argc > 3 ? std::atoi(argv[3]) : 0);
    serving.sse_path = kind == "sse" ? "/sse" : "";
    serving.resumable = kind == "events";
    serving.response_form = kind == "events" ? http_server_options::form::stream : http_server_options::form::json;
    serve_http(server, serving);
}

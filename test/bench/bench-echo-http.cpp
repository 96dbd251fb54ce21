// bench-echo-http: an MCP server over HTTP on loopback with the tool `echo`. Prints its URL on one line, and ends on
// SIGTERM or when its stdin is closed.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/serve_http.hpp>

#include <string>
#include <string_view>

int main()
{
    linkspan::test::scripted_server server;
    server.tool("echo", R"({"type":"object"})", [](std::string_view arguments) {
        auto const text = linkspan::json_scan::member(arguments, "text");
        return R"("content":[{"type":"text","text":)" + std::string(text) + "}]";
    });
    linkspan::test::http_server_options options;
    options.sessions = false; // the floors of `linkspan-bench` send calls without `initialize`
    linkspan::test::serve_http(server, options);
}

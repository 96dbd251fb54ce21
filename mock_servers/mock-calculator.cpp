// mock-calculator [--http [PORT] | --sse [PORT]] [VERSION...]: an MCP server with arithmetic tools.
//
// The transport is standard streams, or HTTP on loopback. Over HTTP the program prints its URL on one line, and exits
// on SIGTERM, on SIGINT, or when its stdin is closed. `--sse` selects HTTP+SSE of 2024-11-05. VERSION is a protocol
// version to support; default: all. The tool `process_id` returns the process id, so that a test can kill the server.

#include <linkspan/test/calculator.hpp>
#include <linkspan/test/serve_http.hpp>
#include <linkspan/test/serve_stdio.hpp>

#include <charconv>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include "protocol_versions.hpp"

namespace {

// Returns the port that an argument is; empty: it is something else.
std::optional<std::uint16_t> port_from(std::string_view argument)
{
    std::uint16_t port = 0;
    auto const [end, ec] = std::from_chars(argument.data(), argument.data() + argument.size(), port);
    return ec == std::errc() && end == argument.data() + argument.size() ? std::optional(port) : std::nullopt;
}

int print_usage()
{
    std::cout << "usage: mock-calculator [--http [PORT] | --sse [PORT]] [VERSION...]\n\n"
                 "An MCP server with arithmetic tools, over standard streams or over HTTP on loopback. VERSION is a\n"
                 "protocol version to support; default: all.\n";
    return 0;
}

} // namespace

//[ program
int main(int argc, char** argv)
{
    std::string_view const transport = argc > 1 ? argv[1] : "";
    if (transport == "--help")
        return print_usage();
    bool const is_sse = transport == "--sse", is_http = transport == "--http" || is_sse;
    auto const port = is_http && argc > 2 ? port_from(argv[2]) : std::nullopt;

    linkspan::test::scripted_server server(protocol_versions_from(argc, argv, 1 + is_http + port.has_value()));
    linkspan::test::make_calculator(server);
    server.tool("process_id", R"({"type":"object"})", [](std::string_view) {
        return R"("content":[{"type":"text","text":")" + std::to_string(::getpid()) + R"("}])";
    });
    if (is_http)
        linkspan::test::serve_http(server, {.sse_path = is_sse ? "/sse" : "", .port = port.value_or(0)});
    else
        linkspan::test::serve_stdio(server);
}
//]

// bench-server [--http]: a `server` with the tool `echo`, for the comparison with a minimal echo server under the same
// load. Serves the standard streams, or HTTP on loopback, and then prints its URL.

#include <linkspan/server.hpp>
#include <linkspan/server/http_endpoint.hpp>

#include <boost/asio/io_context.hpp>

#include <csignal>
#include <iostream>
#include <optional>
#include <string_view>

#include "echo_server.hpp"

int main(int count, char** words)
{
    boost::asio::io_context context{1};
    linkspan::server echo(context.get_executor(), {.name = "bench-server", .version = "1"});
    bench::add_echo(echo);
    std::optional<linkspan::http_endpoint> endpoint;
    std::signal(SIGPIPE, SIG_IGN); // a write needs no other system calls
    if (count == 2 && std::string_view(words[1]) == "--http")
        std::cout << endpoint.emplace(echo).listen() << std::endl;
    else
        linkspan::serve_stdio(echo);
    context.run();
}

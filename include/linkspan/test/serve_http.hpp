#ifndef LINKSPAN_TEST_SERVE_HTTP_HPP
#define LINKSPAN_TEST_SERVE_HTTP_HPP

#include <linkspan/test/detail/exit_scope.hpp>
#include <linkspan/test/detail/program_end.hpp>
#include <linkspan/test/http_server.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <iostream>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Serves a scripted server over HTTP on loopback until the program receives a signal to exit. The function is intended
/// for the `main` of a test program.
///
/// Writes the URL of the server to stdout, followed by a line end, once the server listens. Returns after SIGTERM or
/// SIGINT (after the second signal, if a rule with the trigger `signal_received` applies to the first), or when stdin
/// of this process is closed, so that the process does not outlive its parent. Responses in progress then have one
/// second to complete. Replaces `script_values::exit`, so that the action `exit` ends the server in the same way.
///
///     int main()
///     {
///         linkspan::test::scripted_server server;
///         linkspan::test::make_calculator(server);
///         linkspan::test::serve_http(server);
///     }
///
/// \param server The server, which must outlive the call.
/// \param options Options of the HTTP server. `hosts` is replaced by "127.0.0.1" and "localhost".
/// \returns The status of the action `exit`; 0 after any other end.
/// \throws boost::system::system_error The port cannot be opened. Exceptions of actions and of functions of tools also
/// end the call.
/// \par Thread safety
/// Blocks the calling thread. Handlers run on this thread.
inline int serve_http(scripted_server& server, http_server_options options = {})
{
    asio::io_context context{1};
    options.hosts = {"127.0.0.1", "localhost"};
    http_server web(context.get_executor(), server, std::move(options));
    auto const url = web.url();
    int out = 0;
    auto& values = server.values();
    auto const end = [&] {
        if (!std::exchange(values.ending, true))
            web.stop(std::chrono::seconds(1), [&] { context.stop(); });
    };
    detail::exit_scope const scope(server, [&](int status) {
        out = values.ending ? out : status;
        end();
    });
    detail::program_end const waiting(context.get_executor(), end, [&](std::string_view name) {
        return !values.ending && server.receive_signal(context.get_executor(), name);
    });
    std::cout << url << std::endl; // a signal that follows the URL has its effect
    context.run();
    return out;
}

} // namespace linkspan::test

#endif

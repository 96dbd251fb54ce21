#ifndef LINKSPAN_SERVER_SERVE_STDIO_HPP
#define LINKSPAN_SERVER_SERVE_STDIO_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/server/server.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/standard_streams.hpp>

#include <boost/asio/error.hpp>

#include <cstdio>
#include <functional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Writes an error of the standard streams to standard error, unless the client or the server has closed the connection.
inline void report_end_of_streams(error_code ec)
{
    if (!ec || ec == asio::error::broken_pipe || ec == asio::error::operation_aborted)
        return;
    std::fprintf(stderr, "linkspan: serving standard input and output failed: %s\n", ec.message().c_str());
}

} // namespace detail

/// Serves the client that started this process, over standard input and output.
///
/// The function returns at once; the client is served on the executor of the server. `io_context::run` returns when the
/// client has closed the input and there is no other work.
///
/// The program must write nothing else to standard output. Text for people belongs on standard error.
///
/// If the client closes its end of the output, only the connection ends, when the next message is sent to the client.
/// See `standard_streams` about SIGPIPE.
///
///     int main()
///     {
///         boost::asio::io_context context;
///         linkspan::server server(context.get_executor(), {.name = "clock", .version = "1.0"});
///         server.add(linkspan::local_tool("now", "Returns the time", [] { return current_time(); }));
///         linkspan::serve_stdio(server);
///         context.run();
///     }
///
/// \param mcp_server The server, which must outlive the connection.
/// \param on_end Called once at the end of the connection: without an error if the client has closed the input, with
/// `broken_pipe` if it has closed the output, and with the error of the operating system if the streams cannot be read
/// or written, for example because standard input is a directory. Empty: such an error is reported in one line on
/// standard error.
/// \param config Limits of the connection.
/// \throws boost::system::system_error Standard input or output is closed.
/// \par Thread safety
/// Unsafe. Call on the executor of the server.
/// \par Specification
/// MCP 2026-07-28, basic/transports, "stdio".
inline void serve_stdio(server& mcp_server, std::function<void(error_code)> on_end = {},
                        standard_streams_config config = {})
{
    auto client = any_transport::make<line_connection<standard_streams>>(mcp_server.get_executor(), config);
    if (!on_end)
        on_end = detail::report_end_of_streams;
    mcp_server.async_serve(std::move(client), {}, [on_end = std::move(on_end)](error_code ec) { on_end(ec); });
}

} // namespace linkspan

#endif

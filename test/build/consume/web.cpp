// A program over HTTP, or over HTTPS if linked with linkspan::tls. No server listens on port 1, so the opening must
// fail with the error of the system within its timeout.

#include <linkspan.hpp>

#if defined(CONSUMER_HAS_TLS)
#include <linkspan/http/tls/tls.hpp>
using transport = linkspan::https;
constexpr char const* url = "https://127.0.0.1:1/mcp";
#else
#include <linkspan/http/client/auto_http.hpp>
using transport = linkspan::auto_http;
constexpr char const* url = "http://127.0.0.1:1/mcp";
#endif

#include <boost/asio/io_context.hpp>

#include <iostream>

boost::asio::awaitable<void> open(boost::asio::any_io_executor executor)
{
    linkspan::http_config config;
    config.url = url;
    linkspan::session server(executor, linkspan::via<transport>(config));
    co_await server.async_open();
}

int main()
try {
    boost::asio::io_context context;
    linkspan::run(context, open(context.get_executor()));
    return 1;
} catch (boost::system::system_error const& failure) {
    std::cout << failure.what() << '\n';
    return failure.code() == boost::system::errc::connection_refused ? 0 : 1;
}

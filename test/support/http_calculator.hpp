#ifndef LINKSPAN_TEST_SUPPORT_HTTP_CALCULATOR_HPP
#define LINKSPAN_TEST_SUPPORT_HTTP_CALCULATOR_HPP

#include <linkspan/http/http_config.hpp>
#include <linkspan/session.hpp>
#include <linkspan/test/calculator.hpp>
#include <linkspan/test/http_server.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <utility>

#include "harness.hpp"
#include "recorded_transport.hpp"

namespace harness {

inline boost::json::object const sum{{"a", 2}, {"b", 3}};

// A calculator over HTTP on loopback.
struct http_calculator {
    explicit http_calculator(asio::any_io_executor executor,
                             linkspan::protocol_version version = linkspan::protocol_version::v2026_07_28,
                             linkspan::test::http_server_options with = {})
        : server({version}), web(std::move(executor), server, std::move(with))
    {
        linkspan::test::make_calculator(server);
    }

    linkspan::test::scripted_server server;
    linkspan::test::http_server web;
};

// Returns the URL of an acceptor on loopback, without a path. `origin` is the scheme and the host.
inline std::string url_of(asio::ip::tcp::acceptor const& acceptor, std::string const& origin = "http://127.0.0.1")
{
    return origin + ':' + std::to_string(acceptor.local_endpoint().port());
}

// Returns a configuration with the given URL.
inline linkspan::http_config config_for(std::string url)
{
    linkspan::http_config out;
    out.url = std::move(url);
    return out;
}

// Opens a session, whose messages are recorded, and makes a call if the opening succeeded. Returns the error of the
// opening.
template<class Transport>
asio::awaitable<linkspan::error_code> opening(typename Transport::config_type config)
{
    linkspan::session session(co_await asio::this_coro::executor,
                              linkspan::via<linkspan::test::recorded_client<Transport>>(std::move(config)));
    auto const [ec] = co_await session.async_open(in_tuple);
    if (ec)
        co_return ec;
    auto const [failed, result] = co_await session.async_call_tool("add", sum, in_tuple);
    BOOST_TEST(!failed, linkspan::explain(failed, result));
    BOOST_TEST(result.text() == "5");
    co_await shuts_down(session);
    co_return ec;
}

} // namespace harness

#endif

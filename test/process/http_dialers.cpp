// HTTP over real sockets: TCP, proxy and Unix socket, with the errors of each.

#include <linkspan/core/time.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/http_dialers.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/policy/fallback.hpp>
#include <linkspan/test/calculator.hpp>
#include <linkspan/test/http_server.hpp>
#include <linkspan/transport/socket_stream.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/harness.hpp"
#include "support/http_calculator.hpp"
#include "support/proxy.hpp"

BOOST_AUTO_TEST_SUITE(http_dialers_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::auto_http;
using linkspan::error;
using linkspan::error_code;
using linkspan::protocol_version;
using linkspan::reachable;
using linkspan::test::http_server;
using linkspan::test::scripted_server;
using tcp = asio::ip::tcp;

namespace {

std::string host_of_first(http_server const& web) { return std::string(web.requests().at(0).header("Host")); }

std::uint16_t port_in(std::string const& url)
{
    return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))); // stoi ignores the path
}

} // namespace

HARNESS_CASE(closed_port_and_unknown_host_are_connection_errors)
{
    std::string nowhere;
    {
        auto const acceptor = listening(executor);
        nowhere = url_of(acceptor);
    }
    auto const refused = co_await opening<auto_http>(config_for(nowhere));
    BOOST_TEST((refused == asio::error::connection_refused), refused.message());
    BOOST_TEST((refused == linkspan::condition::transport_failed));
    auto const unknown = co_await opening<auto_http>(config_for("http://no-such-host.invalid/mcp"));
    BOOST_TEST((unknown.category() == asio::error::get_netdb_category()), unknown.message());
    BOOST_TEST((unknown == linkspan::condition::transport_failed));
}

HARNESS_CASE(connection_ended_or_reset_without_response_fails_the_opening)
{
    auto acceptor = listening(executor);
    bool resets = false;
    std::vector<tcp::socket> kept; // half-closed
    asio::co_spawn(executor,
                   accept_all(acceptor,
                              [&](tcp::socket socket, std::string const&) {
                                  if (resets) {
                                      socket.set_option(tcp::socket::linger(true, 0));
                                      return;
                                  }
                                  socket.shutdown(tcp::socket::shutdown_send);
                                  kept.push_back(std::move(socket));
                              }),
                   asio::detached);
    auto const ended = co_await opening<auto_http>(config_for(url_of(acceptor)));
    BOOST_TEST((ended == error::stream_ended), ended.message());
    BOOST_TEST(!kept.empty());
    resets = true;
    auto const reset = co_await opening<auto_http>(config_for(url_of(acceptor)));
    BOOST_TEST((reset == linkspan::condition::transport_failed), reset.message());
    acceptor.close();
}

HARNESS_CASE(server_without_response_fails_the_opening_after_startup_timeout)
{
    auto acceptor = listening(executor);
    linkspan::session_options options;
    options.startup_timeout = options.probe_timeout = 100ms;
    linkspan::session session(executor, linkspan::via<auto_http>(config_for(url_of(acceptor))), options);
    auto const [ec] = co_await session.async_open(in_tuple);
    BOOST_TEST((ec == boost::system::errc::timed_out), ec.message());
}

HARNESS_CASE(idle_connection_closed_by_server_is_reestablished)
{
    http_calculator sums(executor);
    linkspan::session session(executor, linkspan::via<auto_http>(config_for(sums.web.url())));
    co_await opens(session);
    for (int i = 0; i != 100; ++i) {
        sums.web.drop_connections();
        auto const [ec, result] = co_await session.async_call_tool("add", sum, in_tuple);
        BOOST_TEST(!ec, linkspan::explain(ec, result));
        BOOST_TEST(result.attempts().empty());
    }
    BOOST_TEST(sums.web.connections() >= 101u);
    co_await shuts_down(session);
}

HARNESS_CASE(proxy_is_used_except_for_no_proxy_hosts)
{
    http_calculator sums(executor);
    proxy way(executor, port_in(sums.web.url()));
    auto config = config_for("http://weather.invalid/mcp"); // only the proxy can resolve this name
    config.proxy = way.url();
    auto const ec = co_await opening<auto_http>(config);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST_REQUIRE(!way.heads.empty());
    BOOST_TEST(way.heads[0] == "CONNECT weather.invalid:80 HTTP/1.1\r\nHost: weather.invalid:80\r\n\r\n");
    BOOST_TEST(host_of_first(sums.web) == "weather.invalid");

    auto const proxied_requests = way.heads.size();
    config.url = sums.web.url();
    config.no_proxy = "localhost,127.0.0.1";
    auto const direct = co_await opening<auto_http>(config);
    BOOST_TEST(!direct, direct.message());
    BOOST_TEST(way.heads.size() == proxied_requests);
    way.acceptor.close();
    sums.web.drop_connections();
}

HARNESS_CASE(refusal_of_proxy_fails_the_opening)
{
    http_calculator sums(executor);
    proxy way(executor, port_in(sums.web.url()));
    auto config = config_for("http://weather.invalid/mcp");
    config.proxy = way.url();
    struct {
        std::string response;
        error_code ec;
    } const rows[] = {
        {"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nno",
         error_code(407, linkspan::proxy_category())},
        {"HTTP/1.1 502 Bad Gateway\r\n\r\n", error_code(502, linkspan::proxy_category())},
        {"220 mail.example ESMTP\r\n\r\n", error::malformed_http},
        {"HTTP/1.1 200 OK\r\nX-" + std::string(100'000, 'x'), error::body_too_long},
        {"HTTP/1.1 200 OK\r\nX-Never: ", asio::error::timed_out},
        {"", asio::error::timed_out},
    };
    for (auto const& row : rows) {
        way.response = row.response;
        config.connect_timeout = row.ec == asio::error::timed_out ? 100ms : 10'000ms;
        auto const ec = co_await opening<auto_http>(config);
        BOOST_TEST(ec == row.ec, row.response.substr(0, 40) << ": " << ec.message());
    }
    BOOST_TEST(sums.web.requests().empty());
    way.acceptor.close();
    sums.web.drop_connections();
}

HARNESS_CASE(server_is_reached_through_unix_socket)
{
    using local = asio::local::stream_protocol;
    observe::folder const folder;
    auto const path = folder.path() + "/server.sock";
    http_calculator sums(executor);
    local::acceptor acceptor(executor, local::endpoint(path));
    std::function<void()> const accept = [&] {
        acceptor.async_accept([&](error_code ec, local::socket socket) {
            if (ec)
                return;
            sums.web.serve(std::make_unique<linkspan::socket_stream<local::socket>>(std::move(socket)));
            accept();
        });
    };
    accept();
    auto config = config_for("http://localhost/mcp");
    config.unix_socket = path;
    auto const ec = co_await opening<auto_http>(config);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(host_of_first(sums.web) == "localhost");

    config.unix_socket = folder.path() + "/none.sock";
    auto const missing = co_await opening<auto_http>(config);
    BOOST_TEST((missing == boost::system::errc::no_such_file_or_directory), missing.message());
    config.unix_socket = folder.path() + "/" + std::string(200, 'x');
    auto const too_long = co_await opening<auto_http>(config);
    BOOST_TEST((too_long == boost::system::errc::filename_too_long), too_long.message());
    acceptor.close();
    co_await asio::post(executor, asio::use_awaitable); // runs the aborted accept handler, which uses both
}

HARNESS_CASE(non_public_addresses_are_not_connected_if_forbidden)
{
    http_calculator sums(executor);
    auto const port = std::to_string(port_in(sums.web.url()));
    for (std::string const host : {"127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]",
                                   "[fe80::1]", "0.0.0.0", "localhost"}) {
        auto config = config_for("http://" + host + ":" + port + "/mcp");
        config.reach = reachable::public_only;
        auto const ec = co_await opening<auto_http>(config);
        BOOST_TEST((ec == error::address_forbidden), host << ": " << ec.message());
        BOOST_TEST((ec == linkspan::condition::transport_failed), host);
    }
    BOOST_TEST(sums.web.connections() == 0u);
}

HARNESS_CASE(ten_thousand_connections_leave_no_descriptors)
{
    auto acceptor = listening(executor);
    std::size_t accepted = 0;
    linkspan::timer event(executor);
    std::function<void()> const accept = [&] {
        acceptor.async_accept([&](error_code ec, tcp::socket socket) {
            if (ec)
                return;
            if (++accepted == 10'000)
                event.cancel();
            socket.set_option(tcp::socket::linger(true, 0)); // avoids TIME_WAIT
            accept();
        });
    };
    accept();
    auto const dialer = linkspan::make_tcp_dialer();
    linkspan::dial_target const target{"127.0.0.1", acceptor.local_endpoint().port()};
    auto const before = observe::descriptors_of("self").size();
    std::size_t connected = 0;
    for (int round = 0; round != 100; ++round) {
        std::size_t left = 100;
        std::vector<std::shared_ptr<void>> dialing;
        event.expires_at(linkspan::time_point::max());
        for (int i = 0; i != 100; ++i)
            dialing.push_back(dialer->dial(executor, target,
                                           {[&](error_code ec, std::unique_ptr<linkspan::byte_stream> stream) {
                                                connected += !ec && stream ? 1u : 0u;
                                                if (--left == 0)
                                                    event.cancel();
                                            },
                                            executor}));
        while (left != 0)
            co_await event.async_wait(in_tuple);
    }
    BOOST_TEST(connected == 10'000u);
    while (accepted != 10'000)
        co_await event.async_wait(in_tuple);
    BOOST_TEST(observe::descriptors_of("self").size() <= before + 1); // the last socket may not be destroyed yet
    acceptor.close();
    co_await asio::post(executor, asio::use_awaitable);
}

HARNESS_CASE(ten_thousand_requests_on_closed_connections_leave_no_descriptors)
{
    constexpr std::size_t rounds = 50, at_once = 100; // for each row of the outer loop
    for (bool const announced : {true, false}) {
        http_calculator sums(executor);
        auto acceptor = listening(executor);
        std::function<void()> const accept = [&] {
            acceptor.async_accept([&](error_code ec, tcp::socket socket) {
                if (ec)
                    return;
                socket.set_option(tcp::socket::linger(true, 0)); // avoids TIME_WAIT
                sums.web.serve(std::make_unique<linkspan::socket_stream<tcp::socket>>(std::move(socket)));
                accept();
            });
        };
        accept();
        if (announced)
            sums.web.set_interceptor([](linkspan::http_server_request const& request, linkspan::http_exchange on) {
                if (!contains(request.body, "\"tools/call\""))
                    return false;
                std::string const id(linkspan::json_scan::member(request.body, "id"));
                auto const body = R"({"jsonrpc":"2.0","id":)" + id +
                                  R"(,"result":{"resultType":"complete","content":[{"type":"text","text":"5"}]}})";
                on.respond(200, {{"Connection", "close"}}, body);
                return true;
            });
        auto config = config_for(url_of(acceptor) + "/mcp");
        config.max_connections = at_once;
        linkspan::session session(executor, linkspan::via<auto_http>(std::move(config)));
        co_await opens(session);
        auto const before = observe::descriptors_of("self").size();
        std::size_t right = 0, max_open = 0;
        for (std::size_t round = 0; round != rounds; ++round) {
            completions calls(executor, at_once);
            for (std::size_t i = 0; i != at_once; ++i)
                session.async_call_tool("add", sum, calls.handler(i));
            co_await calls.wait();
            for (auto const& [times, ec, result] : calls.entries())
                right += times == 1 && result.text() == "5" && result.attempts().empty() ? 1u : 0u;
            if (!announced)
                sums.web.drop_connections();
            max_open = std::max(max_open, observe::descriptors_of("self").size());
        }
        BOOST_TEST(right == rounds * at_once);
        BOOST_TEST(sums.web.connections() >= rounds * at_once);
        BOOST_TEST(max_open <= before + 2 * at_once); // both ends belong to this process
        co_await shuts_down(session);
        acceptor.close();
        co_await asio::post(executor, asio::use_awaitable);
    }
}

HARNESS_CASE(abandoned_dials_leave_no_resources)
{
    auto acceptor = listening(executor);
    auto const dialer = linkspan::make_tcp_dialer();
    linkspan::timer event(executor);
    event.expires_at(linkspan::time_point::max());
    std::size_t ended = 0;
    auto const port = acceptor.local_endpoint().port();
    for (auto const* const host : {"127.0.0.1", "::1"}) {
        linkspan::dial_target const target{host, port};
        for (int i = 0; i != 20; ++i) {
            auto const dialing = dialer->dial(executor, target,
                                              {[&](error_code ec, std::unique_ptr<linkspan::byte_stream>) {
                                                   BOOST_TEST((ec == asio::error::operation_aborted), ec.message());
                                                   if (++ended == 40)
                                                       event.cancel();
                                               },
                                               executor});
        }
    }
    while (ended != 40)
        co_await event.async_wait(in_tuple);
}

// The connection may be established before the cancellation, with its handler outstanding.
BOOST_AUTO_TEST_CASE(cancellation_between_two_handlers_aborts_dial)
{
    for (std::size_t handlers = 0;; ++handlers) {
        asio::io_context context(1);
        auto const acceptor = listening(context.get_executor());
        std::size_t ends = 0;
        error_code how;
        auto handle =
            linkspan::make_tcp_dialer()->dial(context.get_executor(), {"127.0.0.1", port_in(url_of(acceptor))},
                                              {[&](error_code ec, std::unique_ptr<linkspan::byte_stream> const&) {
                                                   ++ends;
                                                   how = ec;
                                               },
                                               context.get_executor()});
        for (std::size_t i = 0; i != handlers && ends == 0; ++i)
            context.run_one();
        if (ends != 0) {
            BOOST_TEST(handlers > 1u);
            return;
        }
        asio::post(context, [&] { handle.reset(); });
        context.run();
        BOOST_TEST(ends == 1u, handlers);
        BOOST_TEST((how == asio::error::operation_aborted), handlers << ": " << how.message());
    }
}

HARNESS_CASE(call_fails_over_through_servers_of_all_transports)
{
    http_calculator stateless(executor), session(executor, protocol_version::v2025_11_25);
    http_calculator stream(executor, protocol_version::v2024_11_05, {.sse_path = "/sse"});
    linkspan::connector<linkspan::transports<linkspan::stdio, auto_http>, linkspan::safe_failover> hub(
        executor, linkspan::safe_failover{.max_attempts = 4});
    auto const at = [](int priority) {
        linkspan::server_options options;
        options.priority = priority;
        options.tools["add"].replay = linkspan::replay_class::read_only;
        return options;
    };
    hub.add<auto_http>("stateless", config_for(stateless.web.url()), at(90))
        .add<auto_http>("session", config_for(session.web.url()), at(80))
        .add<auto_http>("stream", config_for(stream.web.url()), at(70))
        .add<linkspan::stdio>("child", mock("mock-calculator"), at(60));
    co_await opens(hub);
    auto const cut_calls = [](http_calculator& which) {
        which.web.set_interceptor([](linkspan::http_server_request const& request, linkspan::http_exchange on) {
            bool const is_call = contains(request.body, "\"tools/call\"");
            if (is_call)
                on.cut();
            return is_call;
        });
    };
    std::vector<std::pair<std::string, http_calculator*>> const rows{
        {"stateless", &stateless}, {"session", &session}, {"stream", &stream}, {"child", nullptr}};
    for (auto const& [server, next_to_fail] : rows) {
        auto const [ec, result] = co_await hub.async_call("add", sum, in_tuple);
        BOOST_TEST(!ec, linkspan::explain(ec, result));
        BOOST_TEST(result.text() == "5");
        BOOST_TEST(result.server() == server);
        if (next_to_fail)
            cut_calls(*next_to_fail);
    }
    co_await shuts_down(hub);
}

BOOST_AUTO_TEST_SUITE_END()

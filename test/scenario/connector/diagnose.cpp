// Tests of `async_diagnose` in virtual time.

#include <linkspan/config/diagnose.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <stdexcept>
#include <string_view>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(diagnose_test)

using namespace linkspan::test;
namespace asio = boost::asio;
using namespace std::chrono_literals;
using linkspan::diagnosis_code;

HTTP_CASE(url_is_trimmed_or_reported_as_invalid)
{
    serve(stateless_era);
    add().then(text("5"));
    linkspan::diagnose_options with;
    with.dialer = net;
    auto const good = co_await linkspan::async_diagnose(executor, " HTTP://server/mcp ", with, asio::use_awaitable);
    BOOST_TEST(good.success, good.detail);
    BOOST_TEST(good.name == "server");
    for (auto const* const typed : {"ftp://server/mcp", "", "'server"}) {
        auto const bad = co_await linkspan::async_diagnose(executor, typed, with, asio::use_awaitable);
        BOOST_TEST((bad.code == diagnosis_code::invalid_url), typed);
        BOOST_TEST(bad.message == "Invalid URL format. Must be HTTP/HTTPS.");
        BOOST_TEST(!bad.detail.empty());
        BOOST_TEST(!has_part(bad.detail, "linkspan:"), bad.detail);
    }
}

HTTP_CASE(server_without_tools_capability_is_not_listed_by_diagnose)
{
    for (auto const& versions : {stateless_era, handshake_era}) {
        serve(versions);
        server->dialogue().capabilities = R"({"resources":{}})";
        server->on(request("tools/list")).then(rpc_error(-32601, "no such method"));
        linkspan::diagnose_options with;
        with.dialer = net;
        auto const report = co_await linkspan::async_diagnose(executor, "http://server/mcp", with, asio::use_awaitable);
        BOOST_TEST(report.success, report.detail);
        BOOST_TEST_REQUIRE(report.warnings.size() == 1u);
        BOOST_TEST((report.warnings[0] == diagnosis_code::no_tools));
        BOOST_TEST(web->requests("POST", "tools/list") == 0u);
    }
}

HTTP_CASE(server_ignoring_session_delete_does_not_exceed_timeout_of_diagnose)
{
    serve(handshake_era);
    auto ignores = [](linkspan::http_server_request const& request, linkspan::http_exchange) {
        return request.method == "DELETE";
    };
    web->set_interceptor(ignores);
    linkspan::diagnose_options with;
    with.dialer = net;
    with.timeout = 500ms;
    auto const began = time.now();
    auto const report = co_await linkspan::async_diagnose(executor, "http://server/mcp", with, asio::use_awaitable);
    BOOST_TEST(report.success, report.detail);
    BOOST_TEST(web->requests("DELETE") == 1u);
    BOOST_TEST((time.now() - began == 500ms));
}

BOOST_AUTO_TEST_CASE(diagnose_with_timeout_of_zero_or_less_throws)
{
    asio::io_context io;
    auto const names_timeout = [](std::invalid_argument const& thrown) {
        return std::string_view(thrown.what()) == "linkspan: diagnose_options::timeout must be greater than 0";
    };
    for (auto const timeout : {0ms, -5ms}) {
        linkspan::diagnose_options with;
        with.timeout = timeout;
        for (auto const* const server : {"http://server/mcp", "server-program", "ftp://server"})
            BOOST_CHECK_EXCEPTION(linkspan::async_diagnose(io.get_executor(), server, with, asio::detached),
                                  std::invalid_argument, names_timeout);
        auto const config = linkspan::server_config::from_string("server-program");
        BOOST_CHECK_EXCEPTION(linkspan::async_diagnose(io.get_executor(), config, with, asio::detached),
                              std::invalid_argument, names_timeout);
    }
}

// A request that a proxy refuses does not reach the server, so the status is not a response of the server.
BOOST_AUTO_TEST_CASE(refusal_of_proxy_is_classified_as_connection_failure)
{
    for (int const status : {403, 407, 502}) {
        linkspan::error_code const ec(status, linkspan::proxy_category());
        BOOST_TEST((ec == linkspan::condition::transport_failed), status);
        BOOST_TEST((linkspan::diagnosis_code_of(ec) == diagnosis_code::connection_failed), status);
    }
    BOOST_TEST(linkspan::error_code(407, linkspan::proxy_category()).message() ==
               "the proxy refused the connection: HTTP 407 Proxy Authentication Required");
}

BOOST_AUTO_TEST_SUITE_END()

// Tests of `async_diagnose` in virtual time.

#include <linkspan/config/diagnose.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(diagnose_test)

using namespace linkspan::test;
namespace asio = boost::asio;
using namespace std::chrono_literals;
using linkspan::diagnosis_code;

namespace {

// Connects to a scripted server instead of starting a child process.
class scripted_stdio_stream : public linkspan::memory_stream {
public:
    using config_type = linkspan::stdio_config;
    static constexpr std::string_view kind = "stdio";

    scripted_stdio_stream(asio::any_io_executor executor, config_type const&)
        : memory_stream(std::move(executor), *server)
    {}

    static inline linkspan::inproc_config const* server = nullptr; // set by the constructor of `stdio_world`
};

struct stdio_world : world {
    using list = linkspan::transports<linkspan::line_connection<scripted_stdio_stream>>;

    stdio_world() { scripted_stdio_stream::server = &config; }

    scripted_server server{handshake_era};
    linkspan::inproc_config config = server;
};

} // namespace

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
        return request.method() == "DELETE";
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

// Some servers over stdio ignore methods that they do not know.
LINKSPAN_CASE_IN(stdio_world, stdio_server_ignoring_probe_is_diagnosed_by_handshake)
{
    server.on(request("server/discover")).then(hang());
    server.on(call("add")).then(text("5"));
    for (auto const timeout : {9s, 60s}) {
        linkspan::diagnose_options with;
        with.timeout = timeout;
        auto const report =
            co_await linkspan::async_diagnose<list>(executor, "server-program", with, asio::use_awaitable);
        BOOST_TEST(report.success, report.message);
        BOOST_TEST((report.protocol_version == linkspan::protocol_version::v2025_11_25));
        BOOST_TEST((report.elapsed == timeout / 3));
    }
}

LINKSPAN_CASE_IN(stdio_world, stdio_server_without_any_response_is_reported_as_timeout)
{
    for (auto const* const method : {"server/discover", "initialize"})
        server.on(request(method)).then(hang());
    linkspan::diagnose_options const with;
    auto const report = co_await linkspan::async_diagnose<list>(executor, "server-program", with, asio::use_awaitable);
    BOOST_TEST((report.code == diagnosis_code::timeout));
    BOOST_TEST(report.message == "Connection timed out after 10 seconds.");
    BOOST_TEST((report.elapsed == 10s));
}

HTTP_CASE(probe_over_http_is_awaited_for_whole_timeout_of_diagnose)
{
    serve(stateless_era);
    net->takes = 9s;
    linkspan::diagnose_options with;
    with.dialer = net;
    auto const report = co_await linkspan::async_diagnose(executor, "http://server/mcp", with, asio::use_awaitable);
    BOOST_TEST(report.success, report.message);
    BOOST_TEST((report.elapsed >= 9s));
}

HTTP_CASE(event_stream_of_http_sse_is_awaited_for_whole_timeout_of_diagnose)
{
    serving.sse_path = "/sse";
    serve({linkspan::protocol_version::v2024_11_05});
    web->set_interceptor([](linkspan::http_server_request const&, linkspan::http_exchange) { return true; });
    linkspan::diagnose_options with;
    with.dialer = net;
    with.timeout = 60s;
    auto const report = co_await linkspan::async_diagnose<linkspan::transports<linkspan::http_sse>>(
        executor, "http://server/sse", with, asio::use_awaitable);
    BOOST_TEST((report.code == diagnosis_code::timeout));
    BOOST_TEST(report.message == "Connection timed out after 60 seconds.");
    BOOST_TEST((report.elapsed == 60s));
}

HTTP_CASE(failed_tools_list_is_reported_with_message_of_server)
{
    for (auto const& versions : {stateless_era, handshake_era}) {
        serve(versions);
        add().then(text("5"));
        server->on(request("tools/list")).then(rpc_error(-32603, "table 'tools' is locked"));
        linkspan::diagnose_options with;
        with.dialer = net;
        auto const report = co_await linkspan::async_diagnose(executor, "http://server/mcp", with, asio::use_awaitable);
        BOOST_TEST((report.code == diagnosis_code::invalid_mcp_server));
        BOOST_TEST(report.message == "Not a valid MCP server.");
        BOOST_TEST(report.detail == "tools/list failed: " + report.ec.message() + ": table 'tools' is locked");
    }
}

LINKSPAN_CASE(list_without_required_transport_is_reported_with_name_of_transport)
{
    using web_only = linkspan::transports<linkspan::auto_http>;
    using stdio_only = linkspan::transports<linkspan::stdio>;
    linkspan::diagnose_options const with;
    auto const command =
        co_await linkspan::async_diagnose<web_only>(executor, "mcp-files /srv", with, asio::use_awaitable);
    BOOST_TEST((command.code == diagnosis_code::invalid_url));
    BOOST_TEST(command.detail == "command 'mcp-files' requires the transport stdio, which the list does not contain");
    auto const url = co_await linkspan::async_diagnose<stdio_only>(executor, "http://server/mcp?key=hunter2", with,
                                                                   asio::use_awaitable);
    BOOST_TEST((url.code == diagnosis_code::invalid_url));
    BOOST_TEST(url.detail == "URL 'http://server/mcp?key=***' requires a transport over HTTP, such as auto_http, which "
                             "the list does not contain");
}

LINKSPAN_CASE(error_of_a_configuration_is_reported_also_after_a_warning)
{
    linkspan::server_config server;
    server.name = "files";
    server.command = "mcp-files";
    server.expansion = linkspan::expand::interpolate;
    server.env = {{"FIRST", "${NOT_SET}"}, {"SECOND", "${NOT_SET:-${NESTED}}"}};
    linkspan::diagnose_options with;
    with.variables = linkspan::env_source([](std::string_view) { return std::optional<std::string>(); });
    auto const report = co_await linkspan::async_diagnose(executor, server, with, asio::use_awaitable);
    BOOST_TEST((report.code == diagnosis_code::invalid_url));
    BOOST_TEST(has_part(report.detail, "the default after ':-' must not contain variables"), report.detail);
}

LINKSPAN_CASE(local_server_is_rejected_with_reason_if_only_public_addresses_are_permitted)
{
    linkspan::diagnose_options with;
    with.reach = linkspan::reachable::public_only;
    struct {
        char const* server;
        std::string found;
    } const rows[] = {{"mcp-files /srv", "command"}, {"unix:/run/mcp.sock", "Unix socket"}};
    for (auto const& row : rows) {
        auto const report = co_await linkspan::async_diagnose(executor, row.server, with, asio::use_awaitable);
        BOOST_TEST((report.code == diagnosis_code::invalid_url));
        BOOST_TEST(report.detail == "server rejected: found a " + row.found +
                                        ", expected an http or https URL, because diagnose_options::reach is "
                                        "public_only");
    }
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

// Diagnosis of servers over real transports.

#include <linkspan/config/diagnose.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/http_dialers.hpp>
#include <linkspan/test/calculator.hpp>
#include <linkspan/test/http_server.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "support/harness.hpp"
#include "support/http_calculator.hpp"

BOOST_AUTO_TEST_SUITE(diagnose_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::diagnose_options;
using linkspan::diagnosis;
using linkspan::diagnosis_code;
using linkspan::protocol_version;
using linkspan::server_config;
using linkspan::test::http_server;
using linkspan::test::scripted_server;
using tcp = asio::ip::tcp;

namespace {

server_config at(std::string url)
{
    server_config out;
    out.name = "it";
    out.url = std::move(url);
    return out;
}

asio::awaitable<diagnosis> diagnose_server(server_config server, diagnose_options with = {})
{
    auto const executor = co_await asio::this_coro::executor;
    co_return co_await linkspan::async_diagnose(executor, server, with, asio::use_awaitable);
}

void fails(diagnosis const& report, diagnosis_code code, std::string_view message)
{
    BOOST_TEST(!report.success);
    BOOST_TEST_REQUIRE(report.code.has_value());
    BOOST_TEST(to_string(*report.code) == to_string(code), report.ec.message());
    BOOST_TEST(report.message == message);
    BOOST_TEST(report.ec.failed());
    BOOST_TEST(report.tools.empty());
    auto const json = to_json(report);
    BOOST_TEST(json.at("success") == false);
    BOOST_TEST(json.at("error_code").as_string() == to_string(code));
    BOOST_TEST(json.at("error_message").as_string() == message);
}

std::string all_text(diagnosis const& report)
{
    return boost::json::serialize(to_json(report)) + report.detail + report.challenge + report.ec.message();
}

// Connects to the server at `url`, regardless of the requested host.
class redirecting_dialer final : public linkspan::dialer {
public:
    explicit redirecting_dialer(std::string const& url) : to_{"127.0.0.1", linkspan::read_http_url(url).value().port} {}

    std::shared_ptr<void> dial(asio::any_io_executor const& executor, linkspan::dial_target const&,
                               handler done) override
    {
        return below_->dial(executor, to_, std::move(done));
    }

private:
    linkspan::dial_target to_;
    std::shared_ptr<linkspan::dialer> below_ = linkspan::make_tcp_dialer();
};

} // namespace

HARNESS_CASE(working_server_is_reported_with_era_protocol_version_and_tools)
{
    struct {
        protocol_version version;
        char const* version_text;
        char const* era;
        char const* path;
    } const rows[] = {{protocol_version::v2026_07_28, "2026-07-28", "stateless", ""},
                      {protocol_version::v2025_11_25, "2025-11-25", "handshake", ""},
                      {protocol_version::v2024_11_05, "2024-11-05", "handshake", "/sse"}};
    for (auto const& row : rows) {
        http_calculator sums(executor, row.version, {.sse_path = row.path});
        auto const report = co_await diagnose_server(at(sums.web.url()));
        BOOST_TEST(report.success, report.message << ": " << report.ec.message() << ": " << report.detail);
        BOOST_TEST(!report.code.has_value());
        BOOST_TEST(!report.ec);
        BOOST_TEST(report.message == "");
        BOOST_TEST(report.warnings.empty());
        BOOST_TEST((report.protocol_version == row.version));
        BOOST_TEST(report.server.name == "Calculator");
        BOOST_TEST(report.elapsed.count() > 0);
        BOOST_TEST(!report.peer_certificate.has_value());
        auto const json = to_json(report);
        BOOST_TEST(json.at("success") == true);
        BOOST_TEST(json.at("error_code").is_null());
        BOOST_TEST(json.at("error_message").is_null());
        BOOST_TEST(json.at("protocol_version").as_string() == row.version_text);
        BOOST_TEST(json.at("era").as_string() == row.era);
        BOOST_TEST(json.at("server_info").at("name").as_string() == "Calculator");
        BOOST_TEST(json.at("tools").as_array().size() == report.tools.size());
        BOOST_TEST(json.at("tools").at(0).at("name").as_string() == "add");
        BOOST_TEST(json.at("tools").at(0).at("description").as_string() == "Add two numbers.");
        BOOST_TEST(json.at("warnings").as_array().empty());
        BOOST_TEST(json.at("elapsed_ms").is_int64());
        for (auto const* const unknown : {"certificate", "challenge", "detail"})
            BOOST_TEST(json.at(unknown).is_null(), unknown);
        if (*row.path == '\0') // with SSE, the server detects the end of the stream later
            BOOST_TEST(sums.web.sessions() == 0u);
    }
}

HARNESS_CASE(server_started_by_command_is_diagnosed)
{
    auto const good = co_await diagnose_server(server_config::from_string(mock("mock-calculator").command));
    BOOST_TEST(good.success, good.message << ": " << good.detail);
    BOOST_TEST(good.server.name == "Calculator");
    auto const missing = co_await diagnose_server(server_config::from_string("/no/such/program"));
    fails(missing, diagnosis_code::connection_failed, "Cannot connect to server.");
    auto const other = co_await diagnose_server(server_config::from_string("sh -c 'echo no licence >&2; exit 7'"));
    fails(other, diagnosis_code::invalid_mcp_server, "Not a valid MCP server.");
    BOOST_TEST(contains(other.detail, "no licence"), other.detail);
}

HARNESS_CASE(diagnosis_of_server_without_tools_succeeds_with_warning)
{
    scripted_server empty;
    http_server web(executor, empty);
    auto const report = co_await diagnose_server(at(web.url()));
    BOOST_TEST(report.success, report.message);
    BOOST_TEST(!report.code.has_value());
    BOOST_TEST_REQUIRE(report.warnings.size() == 1u);
    BOOST_TEST((report.warnings[0] == diagnosis_code::no_tools));
    BOOST_TEST(report.message == "Connected but no tools found.");
    BOOST_TEST(to_json(report).at("warnings").at(0) == "NO_TOOLS");
}

HARNESS_CASE(invalid_url_is_reported_without_connection)
{
    for (auto const* const url :
         {"ftp://example.com/mcp", "example.com", "http://", "http://user:hunter2@example.com/", "http://x:99999/"}) {
        auto const report = co_await diagnose_server(at(url));
        fails(report, diagnosis_code::invalid_url, "Invalid URL format. Must be HTTP/HTTPS.");
        BOOST_TEST(!report.detail.empty());
        BOOST_TEST(!contains(all_text(report), "hunter2"), all_text(report));
    }
    auto const empty_config = co_await diagnose_server(server_config());
    fails(empty_config, diagnosis_code::invalid_url, "Invalid URL format. Must be HTTP/HTTPS.");
    linkspan::diagnose_options const none;
    auto const started = co_await linkspan::async_diagnose<linkspan::transports<linkspan::auto_http>>(
        executor, server_config::from_string("sh"), none, asio::use_awaitable);
    fails(started, diagnosis_code::invalid_url, "Invalid URL format. Must be HTTP/HTTPS.");
}

HARNESS_CASE(refused_connection_is_reported_as_connection_failed)
{
    std::uint16_t port = 0;
    {
        tcp::acceptor const acceptor(executor, {asio::ip::address_v4::loopback(), 0});
        port = acceptor.local_endpoint().port();
    }
    auto const report = co_await diagnose_server(at("http://127.0.0.1:" + std::to_string(port) + "/mcp"));
    fails(report, diagnosis_code::connection_failed, "Cannot connect to server.");
    BOOST_TEST((report.ec == asio::error::connection_refused), report.ec.message());
    BOOST_TEST(to_json(report).at("server_info").is_null());
    BOOST_TEST(to_json(report).at("era").is_null());
}

HARNESS_CASE(server_without_response_is_reported_as_timeout)
{
    tcp::acceptor const silent(executor, {asio::ip::address_v4::loopback(), 0});
    auto const url = "http://127.0.0.1:" + std::to_string(silent.local_endpoint().port()) + "/mcp";
    for (auto const& [limit, words] : {std::pair(50ms, "0.05"), {1000ms, "1"}}) {
        diagnose_options with;
        with.timeout = limit;
        auto const report = co_await diagnose_server(at(url), with);
        fails(report, diagnosis_code::timeout, "Connection timed out after " + std::string(words) + " seconds.");
        BOOST_TEST((report.elapsed >= limit));
    }
    BOOST_TEST((diagnose_options().timeout == 10s));
}

HARNESS_CASE(missing_tools_list_response_is_reported_as_timeout)
{
    http_calculator sums(executor);
    sums.web.set_interceptor([](linkspan::http_server_request const& request, linkspan::http_exchange) {
        return contains(request.body, "\"tools/list\"");
    });
    diagnose_options with;
    with.timeout = 500ms;
    auto const report = co_await diagnose_server(at(sums.web.url()), with);
    fails(report, diagnosis_code::timeout, "Connection timed out after 0.5 seconds.");
    BOOST_TEST((report.protocol_version == protocol_version::v2026_07_28));
}

HARNESS_CASE(unauthorized_response_is_reported_with_challenge)
{
    for (int const status : {401, 403}) {
        http_calculator sums(executor);
        sums.web.set_interceptor([status](linkspan::http_server_request const& request, linkspan::http_exchange on) {
            auto const given = std::string(request.header("Authorization"));
            on.respond(status, {{"WWW-Authenticate", "Bearer realm=\"sums\", given=\"" + given + "\""}},
                       "{\"refused\":\"" + given + "\"}");
            return true;
        });
        auto server = at(sums.web.url() + "?key=hunter2-in-address");
        server.headers["Authorization"] = "Bearer hunter2-planted";
        auto const report = co_await diagnose_server(server);
        fails(report, diagnosis_code::auth_failed, "Authentication failed.");
        BOOST_TEST((report.ec == linkspan::error_code(status, linkspan::http_category())), report.ec.message());
        BOOST_TEST(report.challenge.starts_with("Bearer realm=\"sums\""), report.challenge);
        BOOST_TEST(to_json(report).at("challenge").as_string() == report.challenge);
        BOOST_TEST(!contains(all_text(report), "hunter2"), all_text(report));
    }
}

HARNESS_CASE(response_of_other_service_is_reported_as_invalid_mcp_server)
{
    struct {
        int status;
        char const* type;
        char const* body;
    } const rows[] = {{200, "text/html", "<html>hello</html>"},
                      {200, "application/json", "{\"hello\":1}"},
                      {200, "application/json", "no json"},
                      {404, "text/plain", "not here"},
                      {500, "text/plain", "no"},
                      {204, "text/plain", ""}};
    for (auto const& row : rows) {
        http_calculator sums(executor);
        sums.web.set_interceptor([&row](linkspan::http_server_request const&, linkspan::http_exchange on) {
            on.respond(row.status, {{"Content-Type", row.type}}, row.body);
            return true;
        });
        auto const report = co_await diagnose_server(at(sums.web.url()));
        BOOST_TEST_CONTEXT(row.status << " " << row.body) {
            fails(report, diagnosis_code::invalid_mcp_server, "Not a valid MCP server.");
        }
    }
}

HARNESS_CASE(non_public_address_is_not_contacted_if_forbidden)
{
    http_calculator sums(executor);
    diagnose_options with;
    with.reach = linkspan::reachable::public_only;
    auto const port = std::to_string(linkspan::read_http_url(sums.web.url()).value().port);
    for (std::string const host : {"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "169.254.169.254"}) {
        auto const report = co_await diagnose_server(at("http://" + host + ":" + port + "/mcp"), with);
        fails(report, diagnosis_code::connection_failed, "Cannot connect to server.");
        BOOST_TEST((report.ec == linkspan::error::address_forbidden), host << ": " << report.ec.message());
    }
    for (auto const* const local : {"unix:/run/docker.sock", "mock-calculator", "command://sh"}) {
        auto const report = co_await diagnose_server(server_config::from_string(local), with);
        BOOST_TEST(!report.success, local);
        BOOST_TEST((report.code == diagnosis_code::invalid_url), local);
    }
    BOOST_TEST(sums.web.connections() == 0u);
}

HARNESS_CASE(redirect_to_another_server_is_not_followed)
{
    http_calculator inner(executor), outer(executor);
    auto const to = inner.web.url();
    outer.web.set_interceptor([to](linkspan::http_server_request const&, linkspan::http_exchange on) {
        on.respond(307, {{"Location", to}});
        return true;
    });
    diagnose_options with;
    with.reach = linkspan::reachable::public_only;
    with.dialer = std::make_shared<redirecting_dialer>(outer.web.url());
    auto const report = co_await diagnose_server(at("http://weather.example/mcp"), with);
    fails(report, diagnosis_code::invalid_mcp_server, "Not a valid MCP server.");
    BOOST_TEST(!outer.web.requests().empty());
    BOOST_TEST(inner.web.connections() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

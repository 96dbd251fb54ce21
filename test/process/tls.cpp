// TLS on real sockets: verification of certificates and diagnosis.

#include <linkspan/config/diagnose.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/client/streamable_http.hpp>
#include <linkspan/http/dialer.hpp>
#include <linkspan/http/http_dialers.hpp>
#include <linkspan/http/http_url.hpp>
#include <linkspan/http/tls/tls.hpp>
#include <linkspan/test/tape.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/detached.hpp>
#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/http_calculator.hpp"
#include "support/http_mock.hpp"
#include "support/proxy.hpp"
#include "support/test_authority.hpp"
#include "support/tls_server.hpp"

BOOST_AUTO_TEST_SUITE(tls_test)

using namespace harness;
using namespace std::chrono_literals;
using certificates::certificate_options;
using certificates::identity;
using certificates::test_authority;
using linkspan::diagnosis;
using linkspan::diagnosis_code;
using linkspan::error;
using linkspan::error_code;
using linkspan::http_config;
using linkspan::https;
using linkspan::tls_config;
using tcp = asio::ip::tcp;

namespace {

http_config tls_config_for(std::string url, tls_config const& with)
{
    auto out = config_for(std::move(url));
    out.tls = linkspan::tls(with);
    return out;
}

std::string secure_url_of(tcp::acceptor const& acceptor) { return url_of(acceptor, "https://localhost") + "/mcp"; }

bool is_certificate_error(error_code ec, int reason)
{
    return ec == error_code(reason, linkspan::tls_category()) && ec == linkspan::condition::transport_failed &&
           ec.message().starts_with("server certificate is not trusted: ");
}

// Accepts connections one at a time. Reads the first bytes of each, passes the socket to `then`, and closes the socket.
template<class Then>
asio::awaitable<void> serve_and_disconnect(tcp::acceptor& acceptor, Then then)
{
    for (;;) {
        auto [ec, socket] = co_await acceptor.async_accept(in_tuple);
        if (ec)
            co_return;
        std::array<char, 64> first;
        co_await socket.async_read_some(asio::buffer(first), in_tuple);
        then(socket);
    }
}

std::uint16_t port_of(tls_server const& server) { return linkspan::read_http_url(server.url()).value().port; }

template<class Transport = linkspan::auto_http>
asio::awaitable<diagnosis> diagnose_server(std::string url, std::optional<tls_config> trusting)
{
    auto const executor = co_await asio::this_coro::executor;
    linkspan::server_config server;
    server.url = std::move(url);
    linkspan::diagnose_options with;
    if (trusting)
        with.tls = linkspan::tls(*trusting);
    co_return co_await linkspan::async_diagnose<linkspan::transports<Transport>>(executor, server, with,
                                                                                 asio::use_awaitable);
}

bool is_no_connection(diagnosis const& report)
{
    return !report.success && report.code == diagnosis_code::connection_failed &&
           report.message == "Cannot connect to server." && !report.peer_certificate &&
           to_json(report).at("certificate").is_null();
}

} // namespace

HARNESS_CASE(server_with_trusted_certificate_is_accepted_and_certificate_is_reported)
{
    test_authority const by;
    tls_server server(executor, by.localhost);
    auto from_file = by.trusting();
    from_file.ca_pem.clear();
    from_file.ca_file = by.file("ca.pem", by.authority.certificate());
    for (auto const& with : {by.trusting(), from_file}) {
        std::vector<linkspan::certificate> reported;
        auto config = tls_config_for(server.url(), with);
        config.on_certificate = [&reported](linkspan::certificate const& theirs) { reported.push_back(theirs); };
        auto const ec = co_await opening<https>(config);
        BOOST_TEST(!ec, ec.message());
        BOOST_TEST_REQUIRE(!reported.empty());
        BOOST_TEST(reported[0].subject == "CN=localhost");
        BOOST_TEST(reported[0].issuer == "CN=Afternoon Root");
        BOOST_TEST(reported[0].protocol == "TLSv1.3");
        BOOST_TEST(reported[0].not_before.ends_with(" GMT"), reported[0].not_before);
        BOOST_TEST(reported[0].not_after.ends_with(" GMT"), reported[0].not_after);
    }
    BOOST_TEST_REQUIRE(!server.received_server_names.empty());
    BOOST_TEST(server.received_server_names[0] == "localhost");
}

HARNESS_CASE(tls_1_2_is_accepted_and_older_versions_are_refused)
{
    test_authority const by;
    tls_server server(executor, by.localhost);
    SSL_CTX_set_max_proto_version(server.context().native_handle(), TLS1_2_VERSION);
    std::string protocol;
    auto config = tls_config_for(server.url(), by.trusting());
    config.on_certificate = [&protocol](linkspan::certificate const& theirs) { protocol = theirs.protocol; };
    auto const ec = co_await opening<https>(config);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(protocol == "TLSv1.2");
    SSL_CTX_set_max_proto_version(server.context().native_handle(), TLS1_1_VERSION);
    auto const refused = co_await opening<https>(config);
    BOOST_TEST((refused == linkspan::condition::transport_failed), refused.message());
}

HARNESS_CASE(server_with_untrusted_certificate_receives_no_request)
{
    test_authority const by;
    identity const other_authority({.name = "Somebody's Root", .names = "", .is_authority = true});
    struct {
        char const* what;
        identity const theirs;
        int reason;
    } const rows[] = {
        {"another name", identity({.name = "localhost", .names = "DNS:other.example"}, &by.authority),
         X509_V_ERR_HOSTNAME_MISMATCH},
        {"a part of the name", identity({.names = "DNS:local"}, &by.authority), X509_V_ERR_HOSTNAME_MISMATCH},
        {"expired", identity({.begins_in_days = -9, .ends_in_days = -1}, &by.authority), X509_V_ERR_CERT_HAS_EXPIRED},
        {"not yet", identity({.begins_in_days = 1}, &by.authority), X509_V_ERR_CERT_NOT_YET_VALID},
        {"self-signed", identity({}), X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT},
        {"of another authority", identity({}, &other_authority), X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY},
    };
    for (auto const& row : rows) {
        tls_server server(executor, row.theirs);
        bool reported = false;
        auto config = tls_config_for(server.url(), by.trusting());
        config.on_certificate = [&reported](linkspan::certificate const&) { reported = true; };
        auto const ec = co_await opening<https>(config);
        BOOST_TEST(is_certificate_error(ec, row.reason), row.what << ": " << ec << " " << ec.message());
        BOOST_TEST(!reported);
        BOOST_TEST(server.web.requests().empty());

        auto trusting = by.trusting();
        trusting.trust_any_certificate_without_verification = true;
        auto const trusted = co_await opening<https>(tls_config_for(server.url(), trusting));
        BOOST_TEST(!trusted, row.what << ": " << trusted.message());
    }
}

HARNESS_CASE(ip_address_must_be_in_certificate)
{
    test_authority const by;
    identity const numbered({.names = "IP:127.0.0.1"}, &by.authority);
    tls_server named(executor, by.localhost), server(executor, numbered);
    auto const wrong = co_await opening<https>(tls_config_for(named.url("127.0.0.1"), by.trusting()));
    BOOST_TEST(is_certificate_error(wrong, X509_V_ERR_IP_ADDRESS_MISMATCH), wrong.message());
    auto const right = co_await opening<https>(tls_config_for(server.url("127.0.0.1"), by.trusting()));
    BOOST_TEST(!right, right.message());
    BOOST_TEST(server.received_server_names.at(0) == ""); // an IP address is not sent as server name
}

HARNESS_CASE(server_name_option_replaces_expected_host_name)
{
    test_authority const by;
    identity const other({.name = "other.example.com", .names = "DNS:*.example.com"}, &by.authority);
    tls_server server(executor, other);
    auto with = by.trusting();
    with.server_name = "other.example.com";
    auto const ec = co_await opening<https>(tls_config_for(server.url(), with));
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(server.received_server_names.at(0) == "other.example.com");
    with.server_name = "one.other.example.com"; // a wildcard matches only one label
    auto const refused = co_await opening<https>(tls_config_for(server.url(), with));
    BOOST_TEST(is_certificate_error(refused, X509_V_ERR_HOSTNAME_MISMATCH), refused.message());
}

HARNESS_CASE(client_certificate_is_sent_on_request)
{
    test_authority const by;
    identity const ours({.name = "client", .names = ""}, &by.authority);
    tls_server server(executor, by.localhost, by.authority.certificate());
    auto with = by.trusting();
    auto const refused = co_await opening<https>(tls_config_for(server.url(), with));
    BOOST_TEST((refused == linkspan::condition::transport_failed), refused.message());
    BOOST_TEST(server.web.requests().empty());
    with.certificate_file = by.file("client.pem", ours.certificate());
    with.key_file = by.file("client.key", ours.key());
    auto const ec = co_await opening<https>(tls_config_for(server.url(), with));
    BOOST_TEST(!ec, ec.message());
}

BOOST_AUTO_TEST_CASE(unusable_tls_files_are_rejected_at_construction)
{
    test_authority const by;
    auto const garbage = by.file("garbage.pem", "garbage");
    auto const key = by.file("other.key", identity({}).key());
    auto const certificate = by.file("own.pem", by.localhost.certificate());
    auto const refuses = [](tls_config const& with) {
        BOOST_CHECK_THROW(linkspan::tls(with), boost::system::system_error);
    };
    refuses({.ca_file = "/no/such/file"});
    refuses({.ca_file = garbage});
    refuses({.ca_pem = "garbage"});
    refuses({.certificate_file = garbage, .key_file = key});
    refuses({.certificate_file = certificate, .key_file = garbage});
    refuses({.certificate_file = certificate, .key_file = key}); // the key does not belong to the certificate
    BOOST_CHECK_THROW(linkspan::tls({.certificate_file = certificate}), std::invalid_argument);
    BOOST_CHECK_THROW(linkspan::tls({.key_file = key}), std::invalid_argument);
}

HARNESS_CASE(connection_closed_by_tls_server_after_response_is_stale)
{
    test_authority const by;
    tls_server with_context(executor, by.localhost);
    tcp::acceptor acceptor(executor, {asio::ip::address_v4::loopback(), 0});
    std::unique_ptr<linkspan::byte_stream> client;
    auto take = [&client](error_code ec, std::unique_ptr<linkspan::byte_stream> made) {
        BOOST_TEST(!ec, ec.message());
        client = std::move(made);
    };
    auto const dialer = linkspan::tls(by.trusting())->over(linkspan::make_tcp_dialer(), {});
    linkspan::dial_target const target{"localhost", acceptor.local_endpoint().port()};
    auto const lease = dialer->dial(executor, target, {take, executor});
    auto const server = std::make_shared<asio::ssl::stream<tcp::socket>>(
        co_await acceptor.async_accept(asio::use_awaitable), with_context.context());
    co_await server->async_handshake(asio::ssl::stream_base::server, asio::use_awaitable);
    while (!client)
        co_await asio::post(executor, asio::use_awaitable);

    linkspan::timer came(executor);
    std::array<char, 64> bytes{};
    std::string read;
    auto take_bytes = [&](error_code, std::size_t size) {
        read.assign(bytes.data(), size);
        came.cancel();
    };
    for (bool const is_last : {false, true}) {
        came.expires_at(linkspan::time_point::max());
        client->read_some(asio::buffer(bytes), {take_bytes, executor});
        if (is_last) {
            SSL_write(server->native_handle(), "text", 4);   // sent together with the following alert
            server->async_shutdown([server](error_code) {}); // waits for the close_notify of the client
        } else {
            co_await asio::async_write(*server, asio::buffer("text", 4), asio::use_awaitable);
        }
        co_await came.async_wait(in_tuple);
        BOOST_TEST(read == "text");
        BOOST_TEST(client->is_stale() == is_last);
    }
    client.reset();
    server->next_layer().close();
}

HARNESS_CASE(connection_closed_during_tls_handshake_fails_the_opening)
{
    test_authority const by;
    tcp::acceptor acceptor(executor, {asio::ip::address_v4::loopback(), 0});
    bool resets = false;
    asio::co_spawn(executor,
                   serve_and_disconnect(acceptor,
                                        [&resets](tcp::socket& socket) {
                                            if (resets)
                                                socket.set_option(tcp::socket::linger(true, 0));
                                        }),
                   asio::detached);
    auto const ended = co_await opening<https>(tls_config_for(secure_url_of(acceptor), by.trusting()));
    BOOST_TEST((ended == linkspan::condition::transport_failed), ended.message());
    resets = true;
    auto const reset = co_await opening<https>(tls_config_for(secure_url_of(acceptor), by.trusting()));
    BOOST_TEST((reset == linkspan::condition::transport_failed), reset.message());
    acceptor.close();
}

HARNESS_CASE(tls_handshake_is_limited_by_connect_timeout)
{
    test_authority const by;
    tcp::acceptor acceptor(executor, {asio::ip::address_v4::loopback(), 0});
    auto config = tls_config_for(secure_url_of(acceptor), by.trusting());
    config.connect_timeout = 50ms;
    auto const ec = co_await opening<https>(config);
    BOOST_TEST((ec == boost::system::errc::timed_out), ec.message());
}

HARNESS_CASE(plain_http_and_tls_mismatch_fails_the_opening)
{
    test_authority const by;
    linkspan::test::scripted_server plain;
    linkspan::test::http_server web(executor, plain);
    auto url = web.url();
    auto const at_plain = co_await opening<https>(tls_config_for(url.replace(0, 4, "https"), by.trusting()));
    BOOST_TEST((at_plain == linkspan::condition::transport_failed), at_plain.message());
    BOOST_TEST(web.requests().empty());

    tls_server server(executor, by.localhost);
    http_config config;
    config.url = server.url("localhost", "http");
    auto const at_tls = co_await opening<https>(config);
    BOOST_TEST(at_tls.failed());
    BOOST_TEST(server.web.requests().empty());
}

HARNESS_CASE(https_requires_tls_unless_transport_is_https)
{
    test_authority const by;
    tls_server server(executor, by.localhost);
    http_config config;
    config.url = server.url();
    linkspan::session without(executor, linkspan::via<linkspan::auto_http>(config));
    auto const [missing] = co_await without.async_open(in_tuple);
    BOOST_TEST((missing == error::tls_missing), missing.message());
    auto const ec = co_await opening<https>(config); // the system does not trust the authority
    BOOST_TEST(is_certificate_error(ec, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY), ec.message());
    BOOST_TEST(server.web.requests().empty());
}

HARNESS_CASE(large_and_concurrent_responses_are_received_over_tls)
{
    test_authority const by;
    tls_server server(executor, by.localhost);
    std::string const description(std::size_t{1} << 20, 'd');
    server.server.tool("large", R"({"type":"object","description":")" + description + "\"}", nullptr);
    auto config = tls_config_for(server.url(), by.trusting());
    config.max_connections = 8;
    linkspan::session session(executor, linkspan::via<https>(config));
    co_await opens(session);
    auto const list = co_await session.async_list_tools(asio::use_awaitable);
    BOOST_TEST_REQUIRE(!list.tools.empty());
    BOOST_TEST(list.tools.back().input_schema.size() > description.size());
    completions calls(executor, 100);
    for (std::size_t i = 0; i != 100; ++i)
        session.async_call_tool("add", sum, calls.handler(i));
    co_await calls.wait();
    for (auto const& [times, ec, result] : calls.entries())
        BOOST_TEST(result.text() == "5", linkspan::explain(ec, result));
    BOOST_TEST(server.received_server_names.size() <= 9u);
    co_await shuts_down(session);
}

HARNESS_CASE(tls_connection_closed_by_server_is_reestablished)
{
    test_authority const by;
    tls_server server(executor, by.localhost);
    linkspan::session session(executor, linkspan::via<https>(tls_config_for(server.url(), by.trusting())));
    co_await opens(session);
    for (int i = 0; i != 3; ++i) {
        server.web.drop_connections();
        auto const [ec, result] = co_await session.async_call_tool("add", sum, in_tuple);
        BOOST_TEST(!ec, linkspan::explain(ec, result));
    }
    BOOST_TEST(server.received_server_names.size() == 4u);
    co_await shuts_down(session);
}

// Proxy

HARNESS_CASE(proxy_tunnels_tls_and_receives_no_request_data)
{
    test_authority const by;
    identity const theirs({.name = "weather.invalid", .names = "DNS:weather.invalid"}, &by.authority);
    tls_server server(executor, theirs);
    proxy way(executor, port_of(server));
    auto config = tls_config_for("https://weather.invalid/mcp", by.trusting()); // only the proxy can resolve this name
    config.proxy = way.url();
    config.headers["Authorization"] = "Bearer hunter2";
    std::vector<linkspan::certificate> reported;
    config.on_certificate = [&reported](linkspan::certificate const& one) { reported.push_back(one); };
    auto const ec = co_await opening<https>(config);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST_REQUIRE(!way.heads.empty());
    for (auto const& head : way.heads)
        BOOST_TEST(head == "CONNECT weather.invalid:443 HTTP/1.1\r\nHost: weather.invalid:443\r\n\r\n");
    BOOST_TEST(server.received_server_names.at(0) == "weather.invalid");
    BOOST_TEST_REQUIRE(!reported.empty());
    BOOST_TEST(reported[0].subject == "CN=weather.invalid");
    BOOST_TEST(server.web.requests().at(0).header("Host") == "weather.invalid");
    BOOST_TEST(server.web.requests().at(0).header("Authorization") == "Bearer hunter2");
    way.acceptor.close();
    server.web.drop_connections();
}

HARNESS_CASE(certificate_is_verified_through_proxy)
{
    test_authority const by;
    tls_server server(executor, by.localhost);
    proxy way(executor, port_of(server));
    auto config = tls_config_for("https://weather.invalid/mcp", by.trusting());
    config.proxy = way.url();
    auto const other = co_await opening<https>(config);
    BOOST_TEST(is_certificate_error(other, X509_V_ERR_HOSTNAME_MISMATCH), other.message());
    auto const shaken = server.received_server_names.size();
    way.response = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
    auto const refused = co_await opening<https>(config);
    BOOST_TEST((refused == error_code(407, linkspan::proxy_category())), refused.message());
    way.response = "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"; // the bytes after the head are not TLS
    auto const garbled = co_await opening<https>(config);
    BOOST_TEST((garbled == linkspan::condition::transport_failed), garbled.message());
    BOOST_TEST(server.received_server_names.size() == shaken);
    BOOST_TEST(server.web.requests().empty());
    way.acceptor.close();
    server.web.drop_connections();
}

// Diagnosis

HARNESS_CASE(diagnosis_contains_certificate_of_server)
{
    test_authority const by;
    tls_server server(executor, by.localhost);
    for (bool const refuses : {false, true}) {
        if (refuses)
            server.web.set_interceptor([](linkspan::http_server_request const&, linkspan::http_exchange on) {
                on.respond(401);
                return true;
            });
        auto const report = co_await diagnose_server(server.url(), by.trusting());
        BOOST_TEST(report.success == !refuses, report.ec.message());
        BOOST_TEST((report.code == (refuses ? std::optional(diagnosis_code::auth_failed) : std::nullopt)));
        BOOST_TEST_REQUIRE(report.peer_certificate.has_value());
        BOOST_TEST(report.peer_certificate->subject == "CN=localhost");
        BOOST_TEST(report.peer_certificate->issuer == "CN=Afternoon Root");
        BOOST_TEST(report.peer_certificate->protocol == "TLSv1.3");
        auto const json = to_json(report);
        auto const& reported = json.at("certificate");
        BOOST_TEST(reported.at("subject").as_string() == "CN=localhost");
        BOOST_TEST(reported.at("issuer").as_string() == "CN=Afternoon Root");
        BOOST_TEST(reported.at("not_before").as_string() == report.peer_certificate->not_before);
        BOOST_TEST(reported.at("not_after").as_string() == report.peer_certificate->not_after);
        BOOST_TEST(report.peer_certificate->not_after.ends_with(" GMT"), report.peer_certificate->not_after);
        BOOST_TEST(reported.at("protocol").as_string() == "TLSv1.3");
    }
}

HARNESS_CASE(diagnosis_of_untrusted_server_contains_reason)
{
    test_authority const by;
    identity const other_authority({.name = "Somebody's Root", .names = "", .is_authority = true});
    struct {
        char const* what;
        identity const theirs;
        int reason;
    } const rows[] = {
        {"another name", identity({.names = "DNS:other.example"}, &by.authority), X509_V_ERR_HOSTNAME_MISMATCH},
        {"expired", identity({.begins_in_days = -9, .ends_in_days = -1}, &by.authority), X509_V_ERR_CERT_HAS_EXPIRED},
        {"of another authority", identity({}, &other_authority), X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY},
    };
    for (auto const& row : rows) {
        tls_server server(executor, row.theirs);
        auto const report = co_await diagnose_server(server.url(), by.trusting());
        BOOST_TEST(is_no_connection(report), row.what << ": " << report.message);
        BOOST_TEST(is_certificate_error(report.ec, row.reason), row.what << ": " << report.ec.message());
        BOOST_TEST(server.web.requests().empty());

        auto trusting = by.trusting();
        trusting.trust_any_certificate_without_verification = true;
        auto const trusted = co_await diagnose_server(server.url(), trusting);
        BOOST_TEST(trusted.success, row.what << ": " << trusted.ec.message());
        BOOST_TEST(trusted.peer_certificate.has_value(), row.what);
    }
}

HARNESS_CASE(diagnosis_of_https_requires_tls)
{
    test_authority const by;
    tls_server server(executor, by.localhost);
    auto const url = server.url();
    auto const without = co_await diagnose_server(url, std::nullopt);
    BOOST_TEST(is_no_connection(without), without.message);
    BOOST_TEST((without.ec == error::tls_missing), without.ec.message());
    // The system does not trust the authority.
    auto const own = co_await diagnose_server<https>(url, std::nullopt);
    BOOST_TEST(is_no_connection(own), own.message);
    BOOST_TEST(is_certificate_error(own.ec, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY), own.ec.message());
    auto const given = co_await diagnose_server<https>(url, by.trusting());
    BOOST_TEST(given.success, given.ec.message());
    BOOST_TEST(given.peer_certificate.has_value());
    auto const plain = co_await diagnose_server(server.url("localhost", "http"), by.trusting());
    BOOST_TEST(!plain.success);
    BOOST_TEST((plain.code == diagnosis_code::invalid_mcp_server), plain.ec.message()); // the port is open
    BOOST_TEST(!plain.peer_certificate.has_value());
}

HARNESS_CASE(session_with_a_server_over_https_is_recorded)
{
    test_authority const by;
    tls_server server(executor, by.localhost);
    auto const path = by.folder.path() + "/x.jsonl";
    auto recorder = mock("linkspan-mock", {"record", "--out", path, "--url", server.url()});
    recorder.env["SSL_CERT_FILE"] = by.file("authority.pem", by.authority.certificate());
    BOOST_TEST(!(co_await opening<linkspan::stdio>(recorder)));
    BOOST_TEST(linkspan::test::tape::load(path).entries().size() >= 4u);

    recorder.args.insert(recorder.args.end(), {"--http", "0"});
    http_mock over_http(executor, recorder);
    auto const config = http_config::of(co_await over_http.url());
    BOOST_TEST(!(co_await opening<linkspan::streamable_http>(config)));
    co_await over_http.ends();
    BOOST_TEST(linkspan::test::tape::load(path).entries().size() >= 4u);
}

BOOST_AUTO_TEST_SUITE_END()

// A server with TLS on real sockets.

#include <linkspan/http/tls/server_tls.hpp>
#include <linkspan/http/tls/tls.hpp>
#include <linkspan/server.hpp>
#include <linkspan/server/http_endpoint.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <openssl/ssl.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "support/contains.hpp"
#include "support/http_calculator.hpp"
#include "support/test_authority.hpp"

BOOST_AUTO_TEST_SUITE(server_tls_test)

using namespace harness;
using namespace std::chrono_literals;
using certificates::identity;
using certificates::test_authority;
using linkspan::error_code;
using linkspan::http_config;
using linkspan::http_endpoint;
using linkspan::https;
using linkspan::server_tls_config;
using tcp = asio::ip::tcp;

namespace {

//[ tls
linkspan::http_endpoint_options options_with_tls(std::string certificate_file, std::string key_file)
{
    linkspan::http_endpoint_options serving;
    serving.address = "0.0.0.0";
    serving.port = 8443;
    serving.hosts = {"tools.example"};
    serving.tls = linkspan::server_tls({.certificate_file = certificate_file, .key_file = key_file});
    return serving;
}
//]

// A server with the tool that `opening` calls, and the authority that has signed its certificate.
struct secure_server : test_authority {
    identity client{{.name = "client", .names = ""}, &authority};
    identity stranger{{.name = "stranger", .names = ""}};
    linkspan::server server;

    explicit secure_server(asio::any_io_executor executor) : server(std::move(executor), {.name = "adder"})
    {
        server.add(linkspan::tool{.name = "add", .input_schema = R"({"type":"object"})"},
                   [](linkspan::server_request request) { request.complete(linkspan::tool_output::text("5")); });
    }

    server_tls_config own() const { return {.certificate_pem = localhost.certificate(), .key_pem = localhost.key()}; }

    server_tls_config own_in_files() const
    {
        return {.certificate_file = file("server.pem", localhost.certificate()),
                .key_file = file("server.key", localhost.key())};
    }

    linkspan::http_endpoint_options with(server_tls_config const& tls) const
    {
        linkspan::http_endpoint_options out;
        out.tls = linkspan::server_tls(tls);
        return out;
    }

    // Returns the configuration of a client that trusts the authority.
    http_config trusting(http_endpoint const& endpoint) const { return trusting(endpoint, test_authority::trusting()); }

    http_config trusting(http_endpoint const& endpoint, linkspan::tls_config const& from) const
    {
        auto out = config_for("https://localhost:" + std::to_string(endpoint.port()) + "/mcp");
        out.tls = linkspan::tls(from);
        return out;
    }

    // Returns a client that presents a certificate.
    linkspan::tls_config presenting(identity const& which, std::string const& name) const
    {
        auto out = test_authority::trusting();
        out.certificate_file = file(name + ".pem", which.certificate());
        out.key_file = file(name + ".key", which.key());
        return out;
    }
};

// Writes bytes to an endpoint, and returns the bytes that it sends until it closes the connection.
asio::awaitable<std::string> response_of(http_endpoint const& endpoint, std::string_view bytes)
{
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect({asio::ip::address_v4::loopback(), endpoint.port()}, asio::use_awaitable);
    co_await asio::async_write(socket, asio::buffer(bytes), in_tuple);
    std::string out;
    co_await asio::async_read(socket, asio::dynamic_buffer(out), in_tuple);
    co_return out;
}

} // namespace

HARNESS_CASE(client_that_trusts_the_authority_is_served)
{
    secure_server secure(executor);
    http_endpoint endpoint(secure.server, secure.with(secure.own()));
    auto const url = endpoint.listen();
    BOOST_TEST(url == "https://127.0.0.1:" + std::to_string(endpoint.port()) + "/mcp");
    auto config = secure.trusting(endpoint);
    std::string protocol;
    config.on_certificate = [&](linkspan::certificate const& found) { protocol = found.protocol; };
    auto const ec = co_await opening<https>(config);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(protocol == "TLSv1.3");
}

HARNESS_CASE(certificate_and_key_are_read_from_files)
{
    secure_server secure(executor);
    auto const files = secure.own_in_files();
    auto serving = options_with_tls(files.certificate_file, files.key_file);
    serving.address = "127.0.0.1";
    serving.port = 0;
    serving.hosts = {"localhost"};
    http_endpoint endpoint(secure.server, std::move(serving));
    endpoint.listen();
    auto const config = secure.trusting(endpoint);
    auto const ec = co_await opening<https>(config);
    BOOST_TEST(!ec, ec.message());
}

HARNESS_CASE(client_certificate_is_required_if_authorities_of_clients_are_set)
{
    secure_server secure(executor);
    auto tls = secure.own();
    tls.client_ca_pem = secure.authority.certificate();
    http_endpoint endpoint(secure.server, secure.with(tls));
    endpoint.listen();
    auto const without = secure.trusting(endpoint);
    auto const none = co_await opening<https>(without);
    BOOST_TEST((none == linkspan::condition::transport_failed), none.message());
    auto const wrong = secure.trusting(endpoint, secure.presenting(secure.stranger, "stranger"));
    auto const untrusted = co_await opening<https>(wrong);
    BOOST_TEST((untrusted == linkspan::condition::transport_failed), untrusted.message());
    auto const right = secure.trusting(endpoint, secure.presenting(secure.client, "client"));
    auto const trusted = co_await opening<https>(right);
    BOOST_TEST(!trusted, trusted.message());
    BOOST_TEST(endpoint.sessions() == 0U); // the client uses the stateless protocol version
}

HARNESS_CASE(session_with_a_client_certificate_is_resumed)
{
    secure_server secure(executor);
    auto tls = secure.own();
    tls.client_ca_file = secure.file("clients.pem", secure.authority.certificate());
    http_endpoint endpoint(secure.server, secure.with(tls));
    endpoint.listen();
    asio::ssl::context settings(asio::ssl::context::tlsv12_client); // the session is known after the handshake
    settings.use_certificate_chain(asio::buffer(secure.client.certificate()));
    settings.use_private_key(asio::buffer(secure.client.key()), asio::ssl::context::pem);
    SSL_SESSION* session = nullptr;
    for (bool const is_resumed : {false, true}) {
        asio::ssl::stream<tcp::socket> client(executor, settings);
        if (session)
            SSL_set_session(client.native_handle(), session);
        tcp::endpoint const address(asio::ip::address_v4::loopback(), endpoint.port());
        co_await client.lowest_layer().async_connect(address, asio::use_awaitable);
        co_await client.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
        BOOST_TEST((SSL_session_reused(client.native_handle()) == 1) == is_resumed);
        SSL_SESSION_free(std::exchange(session, SSL_get1_session(client.native_handle())));
        SSL_set_shutdown(client.native_handle(), SSL_SENT_SHUTDOWN); // else the session cannot be resumed
    }
    SSL_SESSION_free(session);
}

HARNESS_CASE(client_that_offers_other_protocols_only_is_refused)
{
    secure_server secure(executor);
    http_endpoint endpoint(secure.server, secure.with(secure.own()));
    endpoint.listen();
    struct {
        std::string_view protocols;
        bool is_accepted;
    } const rows[] = {{"\x02h2", false}, {"\x02h2\x08http/1.1", true}, {"", true}};
    for (auto const& row : rows) {
        asio::ssl::context settings(asio::ssl::context::tls_client);
        asio::ssl::stream<tcp::socket> client(executor, settings);
        if (!row.protocols.empty())
            SSL_set_alpn_protos(client.native_handle(), reinterpret_cast<unsigned char const*>(row.protocols.data()),
                                static_cast<unsigned>(row.protocols.size()));
        tcp::endpoint const address(asio::ip::address_v4::loopback(), endpoint.port());
        co_await client.lowest_layer().async_connect(address, asio::use_awaitable);
        auto const [ec] = co_await client.async_handshake(asio::ssl::stream_base::client, in_tuple);
        BOOST_TEST(ec.failed() != row.is_accepted, row.protocols << ": " << ec.message());
    }
}

HARNESS_CASE(client_without_tls_is_disconnected)
{
    secure_server secure(executor);
    http_endpoint endpoint(secure.server, secure.with(secure.own()));
    endpoint.listen();
    auto const plain = co_await response_of(endpoint, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    BOOST_TEST(!contains(plain, "HTTP/1.1"));
    auto const config = secure.trusting(endpoint);
    auto const ec = co_await opening<https>(config);
    BOOST_TEST(!ec, ec.message());
}

HARNESS_CASE(silent_client_is_disconnected_after_the_idle_timeout)
{
    secure_server secure(executor);
    auto options = secure.with(secure.own());
    options.limits.idle_timeout = 50ms;
    http_endpoint endpoint(secure.server, std::move(options));
    endpoint.listen();
    auto const silent = co_await response_of(endpoint, "");
    BOOST_TEST(silent.empty());
    auto const incomplete = co_await response_of(endpoint, "\x16\x03\x01\x02"); // the beginning of a TLS record
    BOOST_TEST(incomplete.empty());
}

HARNESS_CASE(invalid_configurations_name_the_member_and_no_content)
{
    secure_server secure(executor);
    auto const text_of = [](server_tls_config const& from) -> std::string {
        try {
            linkspan::server_tls(from);
        } catch (std::exception const& failure) {
            return failure.what();
        }
        return {};
    };
    auto const key = secure.localhost.key(), certificate = secure.localhost.certificate();
    constexpr std::string_view prefix = "linkspan: server_tls_config: ";
    BOOST_CHECK_THROW(linkspan::server_tls({}), std::invalid_argument);
    BOOST_TEST(text_of({}) == std::string(prefix) + "either certificate_file or certificate_pem must be set");
    BOOST_TEST(text_of({.certificate_file = "a", .certificate_pem = certificate}) ==
               std::string(prefix) + "either certificate_file or certificate_pem must be set");
    BOOST_TEST(text_of({.certificate_pem = certificate}) ==
               std::string(prefix) + "either key_file or key_pem must be set");
    auto const missing = text_of({.certificate_file = "/none/server.pem", .key_pem = key});
    BOOST_TEST(missing.starts_with(std::string(prefix) + "certificate_file '/none/server.pem': "), missing);
    auto const other = text_of({.certificate_pem = certificate, .key_pem = secure.stranger.key()});
    BOOST_TEST(other.starts_with(std::string(prefix) + "key_pem: "), other);
    auto const encrypted = text_of({.certificate_pem = certificate, .key_pem = secure.localhost.key("hunter2")});
    BOOST_TEST(encrypted.starts_with(std::string(prefix) + "key_pem: "), encrypted);
    auto const garbage = text_of({.certificate_pem = certificate, .key_pem = "hunter2"});
    BOOST_TEST(garbage.starts_with(std::string(prefix) + "key_pem: "), garbage);
    BOOST_TEST(!contains(garbage, "hunter2"));
    co_return;
}

BOOST_AUTO_TEST_SUITE_END()

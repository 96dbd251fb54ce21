// Pages of other origins in browsers as clients of a server over HTTP.

#include <functional>
#include <string>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(server_http_cors_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

// An endpoint for pages of https://app.example that refuses requests without a token.
struct cors_world : endpoint_world {
    int authenticated = 0;

    cors_world()
    {
        serving.cors_origins = {"https://app.example"};
        serving.authenticate = [this](http_server_request const& request, std::function<void(http_admission)> done) {
            ++authenticated;
            http_admission admission;
            admission.status = request.header("Authorization").empty() ? 401 : 200;
            admission.principal = request.header("Authorization");
            admission.challenge = admission.status == 401 ? "Bearer" : "";
            done(admission);
        };
    }

    asio::awaitable<std::string> preflight(std::string origin, std::string host = "localhost")
    {
        return exchange("OPTIONS /mcp HTTP/1.1\r\nHost: " + host + "\r\nOrigin: " + origin +
                            "\r\nAccess-Control-Request-Method: POST"
                            "\r\nAccess-Control-Request-Headers: authorization,mcp-session-id",
                        "");
    }
};

std::string const from_app = "\r\nOrigin: https://app.example";
std::string const with_token = "\r\nAuthorization: ada";
std::string const permission = "Access-Control-Allow-Origin: https://app.example\r\n";

} // namespace

LINKSPAN_CASE_IN(cors_world, preflight_of_a_permitted_origin_receives_a_response_before_the_authentication)
{
    make_endpoint();
    auto const response = co_await preflight("https://app.example");
    BOOST_TEST(contains(response, "HTTP/1.1 204"), response);
    BOOST_TEST(contains(response, permission), response);
    BOOST_TEST(header(response, "Access-Control-Allow-Headers") == "authorization,mcp-session-id");
    BOOST_TEST(header(response, "Access-Control-Allow-Methods") == "POST, GET, DELETE");
    BOOST_TEST(authenticated == 0);
}

LINKSPAN_CASE_IN(cors_world, preflight_of_another_origin_or_host_is_refused)
{
    make_endpoint();
    auto const foreign = co_await preflight("https://evil.example");
    BOOST_TEST(contains(foreign, "HTTP/1.1 403"), foreign);
    BOOST_TEST(!contains(foreign, "Access-Control"), foreign);
    auto const rebound = co_await preflight("https://app.example", "evil.example");
    BOOST_TEST(contains(rebound, "HTTP/1.1 403"), rebound);
    BOOST_TEST(!contains(rebound, "Access-Control-Allow-Methods"), rebound);
    BOOST_TEST(authenticated == 0);
}

LINKSPAN_CASE_IN(cors_world, page_of_a_permitted_origin_reads_all_responses)
{
    serving.protected_resource = R"({"resource":"http://localhost/mcp"})";
    make_endpoint().add(any_tool("log"), [](server_request request) {
        request.report_progress(1);
        request.complete(tool_output::text("done"));
    });
    auto const anonymous = co_await exchange(post(from_app), std::string(initialize));
    BOOST_TEST(contains(anonymous, "HTTP/1.1 401"), anonymous);
    BOOST_TEST(contains(anonymous, permission), anonymous);
    auto const begun = co_await exchange(post(from_app + with_token), std::string(initialize));
    BOOST_TEST(contains(begun, "HTTP/1.1 200"), begun);
    BOOST_TEST(contains(begun, permission), begun);
    BOOST_TEST(contains(header(begun, "Access-Control-Expose-Headers"), "Mcp-Session-Id"), begun);
    auto const session = with_token + "\r\nMcp-Session-Id: " + header(begun, "Mcp-Session-Id");
    auto const stream = co_await exchange(
        post(from_app + session),
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"log","_meta":{"progressToken":1}}})");
    BOOST_TEST(contains(stream, "text/event-stream"), stream);
    BOOST_TEST(contains(stream, permission), stream);
    auto const metadata =
        co_await exchange("GET /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: localhost" + from_app, "");
    BOOST_TEST(contains(metadata, "HTTP/1.1 200"), metadata);
    BOOST_TEST(contains(metadata, permission), metadata);
}

LINKSPAN_CASE_IN(cors_world, fields_apply_to_one_request_of_a_connection)
{
    make_endpoint();
    raw_http::client raw(executor);
    endpoint->serve(raw.other());
    auto const body = std::string(initialize);
    auto const rest = "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    co_await raw.write(post(from_app + with_token) + rest);
    auto const first = co_await raw.read_until("serverInfo");
    BOOST_TEST(contains(first, permission), first);
    co_await raw.write(post(with_token) + rest);
    auto const second = co_await raw.read_until("serverInfo");
    BOOST_TEST(contains(second, "HTTP/1.1 200"), second);
    BOOST_TEST(!contains(second, "Access-Control"), second);
    BOOST_TEST(contains(second, "Vary: Origin\r\n"), second);
    raw.close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(cors_world, no_fields_are_sent_without_the_option)
{
    serving.cors_origins = {};
    serving.origins = {"https://app.example"};
    make_endpoint();
    auto const response = co_await exchange(post(from_app + with_token), std::string(initialize));
    BOOST_TEST(contains(response, "HTTP/1.1 200"), response);
    BOOST_TEST(!contains(response, "Access-Control"), response);
    BOOST_TEST(!contains(response, "Vary"), response);
    auto const refused = co_await preflight("https://app.example");
    BOOST_TEST(contains(refused, "HTTP/1.1 401"), refused);
    BOOST_TEST(authenticated == 2);
}

BOOST_AUTO_TEST_SUITE_END()

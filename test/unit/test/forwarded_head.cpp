// Heads of HTTP messages that linkspan-mock forwards while it records.

#include "../mock_servers/tape/forwarded_head.hpp"

#include <boost/beast/http/field.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forwarded_head_test {

namespace {

using fields = std::vector<std::pair<std::string_view, std::string_view>>;

void add(linkspan::http_head& to, fields const& all)
{
    for (auto const& [name, value] : all)
        to.add(boost::beast::http::string_to_field(name), name, value);
}

linkspan::http_head response(fields const& all)
{
    linkspan::http_head out;
    out.start_response(200);
    add(out, all);
    return out;
}

std::string forwarded(std::string_view method, fields const& all, std::string body)
{
    linkspan::http_server_request what;
    what.head.start_request(method, "/mcp?a=1");
    add(what.head, all);
    what.body = std::move(body);
    linkspan::http_url to;
    to.host = "example.com";
    to.port = 8080;
    to.target = "/other";
    return mock_servers::forwarded_request(what, to);
}

std::string text_of(linkspan::http_head const& head, bool is_stream)
{
    std::string out;
    for (auto const& [name, value] : mock_servers::forwarded_fields(head, is_stream))
        ((out += name) += '=') += value + ";";
    return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(forwarded_head_test)

BOOST_AUTO_TEST_CASE(request_has_the_fields_of_the_client_except_those_of_its_connection)
{
    auto const text = forwarded("POST",
                                {{"Host", "127.0.0.1:4000"},
                                 {"connection", "keep-alive, X-Hop ,x-other"},
                                 {"Keep-Alive", "timeout=5"},
                                 {"X-Hop", "1"},
                                 {"X-OTHER", "2"},
                                 {"X-Kept", "3"},
                                 {"Accept-Encoding", "gzip"},
                                 {"Transfer-Encoding", "chunked"},
                                 {"TE", "trailers"},
                                 {"Expect", "100-continue"},
                                 {"Upgrade", "h2c"},
                                 {"Proxy-Authorization", "Basic x"},
                                 {"Authorization", "Bearer t"},
                                 {"x-kept", "4"}},
                                "{}");
    BOOST_TEST(text == "POST /mcp?a=1 HTTP/1.1\r\nHost: example.com:8080\r\nX-Kept: 3\r\nAuthorization: Bearer t\r\n"
                       "x-kept: 4\r\nAccept-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}");
}

BOOST_AUTO_TEST_CASE(request_without_a_body_has_a_length_only_if_it_is_a_post)
{
    BOOST_TEST(forwarded("GET", {}, "") ==
               "GET /mcp?a=1 HTTP/1.1\r\nHost: example.com:8080\r\nAccept-Encoding: identity\r\n\r\n");
    BOOST_TEST(forwarded("POST", {}, "") == "POST /mcp?a=1 HTTP/1.1\r\nHost: example.com:8080\r\n"
                                            "Accept-Encoding: identity\r\nContent-Length: 0\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(response_has_the_fields_of_the_server_except_those_of_its_connection)
{
    auto const head = response({{"Content-Type", "application/json"},
                                {"Content-Length", "5"},
                                {"Connection", "x-hop"},
                                {"X-Hop", "1"},
                                {"Cache-Control", "no-cache"},
                                {"Set-Cookie", "a=1"},
                                {"Set-Cookie", "b=2"}});
    BOOST_TEST(text_of(head, false) ==
               "Content-Type=application/json;Cache-Control=no-cache;Set-Cookie=a=1;Set-Cookie=b=2;");
    BOOST_TEST(text_of(head, true) == "Content-Type=application/json;Set-Cookie=a=1;Set-Cookie=b=2;");
}

BOOST_AUTO_TEST_CASE(secrets_are_credentials_cookies_session_ids_and_keys)
{
    auto const head = response({{"Authorization", "Bearer secret-of-bearer"},
                                {"cookie", "a=first-cookie; short=1;b=second-cookie"},
                                {"Set-Cookie", "sid=third-cookie; Path=/long-enough-path"},
                                {"mcp-session-id", "session-0001"},
                                {"X-API-Key", "value-of-key"},
                                {"X-Auth-Token", "value-of-token"},
                                {"Content-Type", "application/json"},
                                {"X-Secret", "short"}});
    std::vector<std::string> const expected{"secret-of-bearer", "first-cookie", "second-cookie", "third-cookie",
                                            "session-0001",     "value-of-key", "value-of-token"};
    auto const found = mock_servers::secrets_of(head);
    BOOST_TEST(found == expected, boost::test_tools::per_element());
    BOOST_TEST(mock_servers::secrets_of(response({{"Cookie", ";;=;"}, {"Authorization", ""}})).empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace forwarded_head_test

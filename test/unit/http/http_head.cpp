#include <linkspan/http/http_head.hpp>

#include <boost/beast/http/field.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(http_head_test)

using field = boost::beast::http::field;
using linkspan::http_head;

BOOST_AUTO_TEST_CASE(head_of_response_has_status_and_version)
{
    http_head head;
    head.start_response(404, 10);
    BOOST_TEST(head.status() == 404);
    BOOST_TEST(head.version() == 10);
    BOOST_TEST(head.method() == "");
    BOOST_TEST(head.target() == "");
}

BOOST_AUTO_TEST_CASE(head_of_request_has_method_and_target)
{
    http_head head;
    head.start_request("POST", "/mcp");
    head.add(field::host, "Host", "a");
    BOOST_TEST(head.status() == 0);
    BOOST_TEST(head.version() == 11);
    BOOST_TEST(head.method() == "POST");
    BOOST_TEST(head.target() == "/mcp");
}

BOOST_AUTO_TEST_CASE(first_field_with_a_name_is_found)
{
    http_head head;
    head.start_response(200);
    head.add(field::unknown, "Mcp-Session-Id", "s1");
    head.add(field::retry_after, "Retry-After", "1");
    head.add(field::retry_after, "retry-after", "2");
    BOOST_TEST(head[field::retry_after] == "1");
    BOOST_TEST(head["RETRY-AFTER"] == "1");
    BOOST_TEST(head["mcp-session-id"] == "s1");
    BOOST_TEST(head.count(field::retry_after) == 2);
    BOOST_TEST(head[field::location] == "");
    BOOST_TEST(head["Mcp-Session"] == "");
    BOOST_TEST(head.count(field::location) == 0);
}

BOOST_AUTO_TEST_CASE(value_of_a_field_is_replaced_by_a_longer_and_a_shorter_one)
{
    http_head head;
    head.start_request("POST", "/mcp");
    head.add(field::host, "Host", "a");
    head.add(field::content_length, "Content-Length", "12");
    head.add(field::unknown, "Mcp-Name", "echo");
    for (auto const* const value : {"12345", "7", "12"}) {
        head.replace(field::content_length, value);
        BOOST_TEST(head[field::content_length] == value);
        BOOST_TEST(head["Mcp-Name"] == "echo");
        BOOST_TEST(head[field::host] == "a");
        BOOST_TEST(head.target() == "/mcp");
    }
    head.replace(field::expect, "100-continue");
    BOOST_TEST(head.size() == 3u);
}

BOOST_AUTO_TEST_CASE(fields_have_the_order_in_which_they_were_added)
{
    http_head head;
    head.start_response(200);
    head.add(field::server, "Server", "x");
    head.add(field::unknown, "A", "");
    BOOST_TEST_REQUIRE(head.size() == 2);
    BOOST_TEST(head.field_at(0).name == "Server");
    BOOST_TEST(head.field_at(0).value == "x");
    BOOST_TEST(head.field_at(1).name == "A");
    BOOST_TEST(head.field_at(1).value == "");
}

BOOST_AUTO_TEST_CASE(start_line_removes_the_content_of_the_last_message)
{
    http_head head;
    head.start_request("POST", "/mcp", 10);
    head.add(field::host, "Host", "a");
    head.start_response(200);
    BOOST_TEST(head.size() == 0);
    BOOST_TEST(head.version() == 11);
    BOOST_TEST(head.method() == "");
    head.add(field::server, "Server", "x");
    head.start_request("GET", "/");
    BOOST_TEST(head.size() == 0);
    BOOST_TEST(head.status() == 0);
    BOOST_TEST(head.target() == "/");
}

BOOST_AUTO_TEST_SUITE_END()

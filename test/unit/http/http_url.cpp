#include <linkspan/http/http_url.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

BOOST_AUTO_TEST_SUITE(http_url_test)

namespace data = boost::unit_test::data;
using namespace linkspan;

struct readable {
    char const* text;
    http_url url;

    friend std::ostream& operator<<(std::ostream& out, readable const& row) { return out << row.text; }
};

static readable const readables[] = {
    {"http://localhost:8080/mcp", {false, "localhost", 8080, "/mcp"}},
    {"https://example.com/mcp", {true, "example.com", 443, "/mcp"}},
    {"http://example.com", {false, "example.com", 80, "/"}},
    {"HTTP://Example.COM/A", {false, "example.com", 80, "/A"}},
    {"http://example.com?q=1", {false, "example.com", 80, "/?q=1"}},
    {"http://example.com/a%20b?q=%2F#part", {false, "example.com", 80, "/a%20b?q=%2F"}},
    {"http://[::1]:8001/sse", {false, "::1", 8001, "/sse"}},
    {"http://127.0.0.1:1/", {false, "127.0.0.1", 1, "/"}},
    {"https://example.com:65535/", {true, "example.com", 65535, "/"}},
    {"http://example.com:/", {false, "example.com", 80, "/"}},
};

BOOST_DATA_TEST_CASE(http_url_is_split_into_parts, data::make(readables))
{
    std::string why;
    auto const url = read_http_url(sample.text, &why);
    BOOST_TEST_REQUIRE(url.has_value(), why);
    BOOST_TEST((*url == sample.url), url->text());
}

struct unreadable {
    char const *text, *why;

    friend std::ostream& operator<<(std::ostream& out, unreadable const& row) { return out << row.text; }
};

static unreadable const unreadables[] = {
    {"", "expected an absolute URL such as https://host/path"},
    {"localhost:8080/mcp", "expected a URL that begins with http:// or https://"},
    {"/mcp", "expected an absolute URL such as https://host/path"},
    {"ftp://example.com/", "expected a URL that begins with http:// or https://"},
    {"file:///etc/passwd", "expected a URL that begins with http:// or https://"},
    {"http://", "expected a URL with a host"},
    {"http:///mcp", "expected a URL with a host"},
    {"http://user:secret@example.com/", "URL must not contain a user name or a password, use a header instead"},
    {"http://example.com:0/", "expected a port from 1 to 65535"},
    {"http://example.com:65536/", "expected a port from 1 to 65535"},
    {"http://example.com:99999/", "expected a port from 1 to 65535"},
    {"http://example.com:165536/", "expected a port from 1 to 65535"},
    {"http://example.com:http/", "expected a port from 1 to 65535"},
    {"http://exa mple.com/", "expected an absolute URL such as https://host/path"},
    {"http://example.com/\r\nX: y", "expected an absolute URL such as https://host/path"},
    {"http://example.com%0d%0aX/", "expected a host without blanks and control characters"},
};

BOOST_DATA_TEST_CASE(invalid_http_url_is_rejected_with_a_message, data::make(unreadables))
{
    std::string why;
    BOOST_TEST(!read_http_url(sample.text, &why).has_value());
    BOOST_TEST(why == sample.why);
    BOOST_TEST(why.find("secret") == why.npos);
}

BOOST_AUTO_TEST_CASE(relative_reference_is_resolved)
{
    auto const base = *read_http_url("http://example.com:8001/app/sse?x=1");
    auto const resolved = [&](char const* reference) {
        auto const url = resolve_http_url(base, reference);
        return url ? url->text() : std::string();
    };
    BOOST_TEST(resolved("/message?id=1") == "http://example.com:8001/message?id=1");
    BOOST_TEST(resolved("message") == "http://example.com:8001/app/message");
    BOOST_TEST(resolved("?y=2") == "http://example.com:8001/app/sse?y=2");
    BOOST_TEST(resolved("http://example.com:8001/m") == "http://example.com:8001/m");
    BOOST_TEST(resolved("//elsewhere/m") == "http://elsewhere/m");
    BOOST_TEST(resolved("https://example.com/m") == "https://example.com/m");
    BOOST_TEST(resolved("file:///m") == "");
    BOOST_TEST(resolved("http://a b/") == "");
}

BOOST_AUTO_TEST_CASE(origin_is_scheme_host_and_port)
{
    auto const base = *read_http_url("http://example.com/a");
    BOOST_TEST(base.has_origin_of(*read_http_url("http://EXAMPLE.com:80/b?c")));
    BOOST_TEST(!base.has_origin_of(*read_http_url("https://example.com/a")));
    BOOST_TEST(!base.has_origin_of(*read_http_url("http://example.com:81/a")));
    BOOST_TEST(!base.has_origin_of(*read_http_url("http://www.example.com/a")));
}

BOOST_AUTO_TEST_CASE(default_port_is_omitted)
{
    BOOST_TEST(read_http_url("http://example.com:80/")->authority() == "example.com");
    BOOST_TEST(read_http_url("https://example.com:80/")->authority() == "example.com:80");
    BOOST_TEST(read_http_url("http://[::1]:8001/")->authority() == "[::1]:8001");
}

BOOST_AUTO_TEST_SUITE_END()

#include <linkspan/http/server/detail/cors.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(cors_test)

using namespace linkspan::detail::cors;
using linkspan::http_head;
using linkspan::http_server_field;

namespace {

std::vector<std::string> const origins{"https://app.example", "http://localhost:6274"};

http_head request(std::string_view method, std::string_view name, std::string_view value)
{
    http_head out;
    out.start_request(method, "/mcp");
    out.add(boost::beast::http::string_to_field(name), name, value);
    return out;
}

// Returns the value of a field; "none": there is no such field.
std::string value_of(std::vector<http_server_field> const& fields, std::string_view name)
{
    for (auto const& each : fields)
        if (each.name == name)
            return each.value;
    return "none";
}

} // namespace

BOOST_AUTO_TEST_CASE(permitted_origin_may_read_the_response)
{
    auto const fields = response_fields(origins, request("POST", "Origin", "http://localhost:6274"));
    BOOST_TEST(value_of(fields, "Access-Control-Allow-Origin") == "http://localhost:6274");
    BOOST_TEST(value_of(fields, "Access-Control-Expose-Headers") == "Mcp-Session-Id, WWW-Authenticate, Retry-After");
    BOOST_TEST(value_of(fields, "Vary") == "Origin");
}

BOOST_AUTO_TEST_CASE(other_origins_may_not_read_the_response)
{
    for (std::string_view const origin : {"https://evil.example", "https://app.example.evil.example",
                                          "https://app.example:444", "http://app.example", "null", "*", ""}) {
        auto const fields = response_fields(origins, request("POST", "Origin", origin));
        BOOST_TEST(value_of(fields, "Access-Control-Allow-Origin") == "none", origin);
        BOOST_TEST(value_of(fields, "Access-Control-Expose-Headers") == "none", origin);
        BOOST_TEST(value_of(fields, "Vary") == "Origin", origin);
    }
    auto const without = response_fields(origins, request("POST", "Accept", "https://app.example"));
    BOOST_TEST(value_of(without, "Access-Control-Allow-Origin") == "none");
    BOOST_TEST(value_of(without, "Vary") == "Origin");
}

BOOST_AUTO_TEST_CASE(preflight_request_has_the_method_options_and_names_a_method)
{
    BOOST_TEST(is_preflight(request("OPTIONS", "Access-Control-Request-Method", "POST")));
    BOOST_TEST(!is_preflight(request("OPTIONS", "Origin", "https://app.example")));
    BOOST_TEST(!is_preflight(request("POST", "Access-Control-Request-Method", "POST")));
}

BOOST_AUTO_TEST_CASE(preflight_permits_the_methods_of_the_endpoint_and_the_requested_headers)
{
    auto const fields =
        preflight_fields(request("OPTIONS", "Access-Control-Request-Headers", "mcp-param-city,mcp-session-id"));
    BOOST_TEST(value_of(fields, "Access-Control-Allow-Methods") == "POST, GET, DELETE");
    BOOST_TEST(value_of(fields, "Access-Control-Allow-Headers") == "mcp-param-city,mcp-session-id");
    BOOST_TEST(value_of(fields, "Access-Control-Max-Age") == "600");
    auto const without = preflight_fields(request("OPTIONS", "Access-Control-Request-Method", "GET"));
    BOOST_TEST(value_of(without, "Access-Control-Allow-Headers") == "none");
}

BOOST_AUTO_TEST_SUITE_END()

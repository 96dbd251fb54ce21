#include <linkspan/http/client/detail/post_headers.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(post_headers_test)

using linkspan::header_value;
using linkspan::http_message;
using linkspan::protocol_version;
using linkspan::detail::post_headers;

// A kept header must not appear in the request of another message: each pair of messages is written in succession.
BOOST_AUTO_TEST_CASE(headers_are_those_of_the_message_after_any_other_message)
{
    std::vector<header_value> const mirrored{{"Mcp-Param-City", "Oslo"}};
    std::vector<http_message> messages;
    std::vector<std::optional<protocol_version>> versions{std::nullopt};
    for (auto const& traits : linkspan::protocol_versions)
        versions.emplace_back(traits.id);
    for (auto const version : versions)
        for (std::string_view const method : {"tools/call", "tools/list", ""})
            for (std::string_view const name : {"", "add"})
                for (std::string_view const session : {"", "s1", "s2"}) {
                    messages.push_back({method, name, version, {}, session});
                    messages.push_back({method, name, version, mirrored, session});
                }
    for (auto const& first : messages)
        for (auto const& second : messages) {
            post_headers writer;
            std::string out;
            writer.append(out, first);
            out = "kept: ";
            writer.append(out, second);
            std::string expected = "kept: ";
            linkspan::append_post_headers(expected, second);
            BOOST_TEST_REQUIRE(out == expected);
        }
}

BOOST_AUTO_TEST_SUITE_END()

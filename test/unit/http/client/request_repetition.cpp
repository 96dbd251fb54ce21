#include <linkspan/http/client/detail/request_repetition.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(request_repetition_test)

using linkspan::read_http_url;
using linkspan::redirects;
using linkspan::detail::request_repetition;
using step = request_repetition::step;

namespace {

// Returns the target of a redirect; empty: the redirect is not followed.
std::optional<std::string> target(request_repetition& of, int status, std::string_view location,
                                  redirects follow = redirects::same_origin)
{
    return of.on_response(status, location, read_http_url("https://one.example/mcp").value(), "/mcp", follow);
}

std::optional<std::string> target(int status, std::string_view location, redirects follow = redirects::same_origin)
{
    request_repetition repetition;
    return target(repetition, status, location, follow);
}

} // namespace

BOOST_AUTO_TEST_CASE(redirects_that_keep_the_method_are_followed_within_the_origin)
{
    BOOST_TEST((target(307, "/other") == "/other"));
    BOOST_TEST((target(308, "https://one.example/other?a=1") == "/other?a=1"));
    BOOST_TEST((target(307, "next") == "/next"));
    for (int const status : {200, 301, 302, 303, 304, 401, 500})
        BOOST_TEST(!target(status, "/other"), status);
    for (auto const* const location : {"", "http://one.example/other", "https://two.example/other",
                                       "https://one.example:444/other", "https://one.example@two.example/"})
        BOOST_TEST(!target(307, location), location);
    BOOST_TEST(!target(307, "/other", redirects::none));
}

BOOST_AUTO_TEST_CASE(redirects_of_one_request_are_limited)
{
    request_repetition repetition;
    for (unsigned i = 0; i != request_repetition::max_redirects; ++i) {
        BOOST_TEST(!target(repetition, 307, "http://two.example/")); // not followed, and not counted
        BOOST_TEST(target(repetition, 307, "/other").has_value());
    }
    BOOST_TEST(!target(repetition, 307, "/other"));
}

BOOST_AUTO_TEST_CASE(relative_location_refers_to_the_target_that_was_redirected)
{
    request_repetition repetition;
    auto const base = read_http_url("https://one.example/mcp").value();
    BOOST_TEST((repetition.on_response(307, "c", base, "/a/b", redirects::same_origin) == "/a/c"));
}

BOOST_AUTO_TEST_CASE(request_is_sent_once_with_another_token)
{
    request_repetition without_provider, with_old_token, with_current_token;
    BOOST_TEST((without_provider.on_unauthorized(false, true) == step::none));
    BOOST_TEST((with_old_token.on_unauthorized(true, false) == step::send_again));
    BOOST_TEST((with_old_token.on_unauthorized(true, false) == step::none));
    BOOST_TEST((with_current_token.on_unauthorized(true, true) == step::request_token));
    BOOST_TEST((with_current_token.on_unauthorized(true, true) == step::none));
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_a_redirect_is_not_counted)
{
    constexpr std::string_view location = "/a/target/that/is/too/long/for/the/memory/of/a/short/string";
    auto const base = read_http_url("https://one.example/mcp").value();
    linkspan::test::fail_each_allocation([&](auto& failing) {
        request_repetition repetition;
        auto const redirect = [&] {
            return repetition.on_response(307, location, base, "/mcp", redirects::same_origin);
        };
        for (unsigned i = 1; i != request_repetition::max_redirects; ++i)
            BOOST_TEST(redirect().has_value());
        std::optional<std::string> last;
        if (!failing([&] { last = redirect(); }))
            last = redirect();
        BOOST_TEST((last == location));
        BOOST_TEST(!redirect());
    });
}

BOOST_AUTO_TEST_SUITE_END()

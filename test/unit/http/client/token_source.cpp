#include <linkspan/http/client/detail/token_source.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(token_source_test)

using linkspan::access_token;
using linkspan::error;
using linkspan::redactor;
using linkspan::time_point;
using linkspan::detail::token_source;
using namespace std::chrono_literals;

namespace {

constexpr auto start = time_point(100s);

// Source with a provider.
struct fixture {
    token_source tokens{linkspan::token_provider(), secrets()};

    static redactor secrets()
    {
        redactor out;
        out.add("configured");
        return out;
    }

    // Receives a token.
    void receive(std::string value, std::optional<linkspan::duration> expires_in = {})
    {
        BOOST_TEST(tokens.begin_request() != 0U);
        BOOST_TEST(tokens.end_request());
        BOOST_TEST(!tokens.on_result({}, {std::move(value), expires_in}, start));
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(fixed_credentials_are_a_header_without_a_wait)
{
    token_source const none({}, {});
    BOOST_TEST(none.authorization().empty());
    token_source const bearer(linkspan::bearer_token{"abc"}, {});
    BOOST_TEST(bearer.authorization() == "Authorization: Bearer abc\r\n");
    token_source const key(linkspan::api_key{"abc", "X-Key"}, {});
    BOOST_TEST(key.authorization() == "X-Key: abc\r\n");
    for (auto const* each : {&none, &bearer, &key}) {
        BOOST_TEST(!each->has_provider());
        BOOST_TEST(!each->must_wait("", start));
        BOOST_TEST(!each->must_wait("Bearer", start));
    }
}

BOOST_FIXTURE_TEST_CASE(request_waits_for_the_first_token, fixture)
{
    BOOST_TEST(tokens.has_provider());
    BOOST_TEST(tokens.authorization().empty());
    BOOST_TEST(tokens.number() == 0U);
    BOOST_TEST(tokens.must_wait("", start));
    receive("first");
    BOOST_TEST(!tokens.must_wait("", start));
    BOOST_TEST(tokens.number() == 1U);
    BOOST_TEST(tokens.authorization() == "Authorization: Bearer first\r\n");
}

BOOST_FIXTURE_TEST_CASE(refused_request_waits_for_another_token, fixture)
{
    receive("first");
    BOOST_TEST(tokens.must_wait("Bearer", start));
    BOOST_TEST(tokens.begin_request() != 0U);
    BOOST_TEST(tokens.must_wait("", start)); // the refused token is not used for other requests either
}

BOOST_FIXTURE_TEST_CASE(token_expires, fixture)
{
    receive("first", 10s);
    BOOST_TEST(!tokens.must_wait("", start + 9s));
    BOOST_TEST(tokens.must_wait("", start + 10s));
    receive("second", linkspan::duration::max());
    BOOST_TEST(!tokens.must_wait("", start + 1000h));
}

BOOST_FIXTURE_TEST_CASE(token_without_expiry_is_valid_until_it_is_refused, fixture)
{
    receive("first", 1s);
    receive("second");
    BOOST_TEST(!tokens.must_wait("", start + 1000h));
}

BOOST_FIXTURE_TEST_CASE(requests_share_one_request_for_a_token, fixture)
{
    auto const first = tokens.begin_request();
    BOOST_TEST(first != 0U);
    BOOST_TEST(tokens.begin_request() == 0U);
    BOOST_TEST(tokens.is_outstanding(first));
    BOOST_TEST(tokens.end_request());
    BOOST_TEST(!tokens.is_outstanding(first));
    BOOST_TEST(!tokens.end_request());
}

BOOST_FIXTURE_TEST_CASE(result_of_an_earlier_request_is_recognized, fixture)
{
    auto const first = tokens.begin_request();
    tokens.end_request(); // its timeout
    auto const second = tokens.begin_request();
    BOOST_TEST(first != second);
    BOOST_TEST(!tokens.is_outstanding(first));
    BOOST_TEST(tokens.is_outstanding(second));
}

BOOST_FIXTURE_TEST_CASE(failed_request_leaves_no_valid_token, fixture)
{
    receive("first");
    tokens.begin_request();
    tokens.end_request();
    BOOST_TEST((tokens.on_result(error::attempt_timed_out, {}, start) == error::attempt_timed_out));
    BOOST_TEST(tokens.must_wait("", start));
    BOOST_TEST(tokens.number() == 1U);
}

BOOST_FIXTURE_TEST_CASE(token_with_control_characters_is_rejected, fixture)
{
    tokens.begin_request();
    tokens.end_request();
    BOOST_TEST((tokens.on_result({}, {"a\r\nb", {}}, start) == boost::asio::error::invalid_argument));
    BOOST_TEST(tokens.must_wait("", start));
    BOOST_TEST(tokens.number() == 0U);
    BOOST_TEST(tokens.authorization().empty());
}

BOOST_FIXTURE_TEST_CASE(recent_tokens_and_configured_secrets_are_redacted, fixture)
{
    BOOST_TEST(tokens.secrets()("configured token-0") == "*** token-0");
    for (std::size_t i = 0; i != token_source::max_recent_tokens; ++i)
        receive("token-" + std::to_string(i));
    BOOST_TEST(tokens.secrets()("configured token-0 token-3") == "*** *** ***");
    receive("token-4"); // replaces the oldest one
    BOOST_TEST(tokens.secrets()("token-0 token-1 token-4") == "token-0 *** ***");
}

BOOST_AUTO_TEST_CASE(token_is_not_valid_after_a_failed_allocation)
{
    std::string const value(40, 't'); // longer than the small buffer of a string
    for (std::size_t earlier = 0; earlier <= token_source::max_recent_tokens; ++earlier)
        linkspan::test::fail_each_allocation([&](auto& failing) {
            fixture of;
            for (std::size_t i = 0; i != earlier; ++i)
                of.receive("token-" + std::to_string(i));
            auto const header = of.tokens.authorization();
            of.tokens.begin_request();
            of.tokens.end_request();
            linkspan::error_code ec;
            if (!failing([&] { ec = of.tokens.on_result({}, {value, 10s}, start); })) {
                BOOST_TEST(of.tokens.must_wait("", start));
                BOOST_TEST(of.tokens.number() == earlier);
                BOOST_TEST(of.tokens.authorization() == header);
                for (std::size_t i = 0; i != std::min(earlier, token_source::max_recent_tokens); ++i)
                    BOOST_TEST(of.tokens.secrets()("token-" + std::to_string(earlier - 1 - i)) == "***");
                ec = of.tokens.on_result({}, {value, 10s}, start);
            }
            BOOST_TEST(!ec);
            BOOST_TEST(!of.tokens.must_wait("", start));
            BOOST_TEST(of.tokens.number() == earlier + 1);
            BOOST_TEST(of.tokens.authorization() == "Authorization: Bearer " + value + "\r\n");
            BOOST_TEST(of.tokens.secrets()("configured " + value) == "*** ***");
        });
}

BOOST_AUTO_TEST_SUITE_END()

#include <linkspan/http/server/detail/request_quota.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <utility>

BOOST_AUTO_TEST_SUITE(request_quota_test)

using linkspan::detail::request_quota;

BOOST_AUTO_TEST_CASE(each_owner_has_the_maximum_number_of_places)
{
    request_quota quota(2);
    auto const ada = quota.open("ada"), eve = quota.open("eve");
    request_quota::place const first(ada);
    BOOST_TEST(quota.has_place(ada));
    std::optional<request_quota::place> second(ada);
    BOOST_TEST(!quota.has_place(ada));
    BOOST_TEST(quota.has_place(eve));
    second.reset();
    BOOST_TEST(quota.has_place(ada));
}

BOOST_AUTO_TEST_CASE(moved_place_is_given_back_once)
{
    request_quota quota(1);
    auto const ada = quota.open("ada");
    request_quota::place first(ada), held;
    held = std::move(first);
    first = {};
    BOOST_TEST(!quota.has_place(ada));
    request_quota::place const moved(std::move(held));
    held = {};
    BOOST_TEST(!quota.has_place(ada));
}

BOOST_AUTO_TEST_CASE(assigned_place_gives_the_former_one_back)
{
    request_quota quota(1);
    auto const ada = quota.open("ada"), eve = quota.open("eve");
    request_quota::place held(ada);
    held = request_quota::place(eve);
    BOOST_TEST(quota.has_place(ada));
    BOOST_TEST(!quota.has_place(eve));
    held = {};
    BOOST_TEST(quota.has_place(eve));
}

BOOST_AUTO_TEST_CASE(account_exists_while_it_is_used)
{
    request_quota quota(1);
    BOOST_TEST(quota.accounts() == 0u);
    auto ada = quota.open("ada");
    auto again = quota.open("ada");
    BOOST_TEST((ada == again));
    BOOST_TEST((ada != quota.open("eve")));
    BOOST_TEST(quota.accounts() == 1u);
    request_quota::place held(std::exchange(ada, nullptr));
    again.reset();
    BOOST_TEST(quota.accounts() == 1u); // the place refers to it
    BOOST_TEST(!quota.has_place(quota.open("ada")));
    held = {};
    BOOST_TEST(quota.accounts() == 0u);
}

BOOST_AUTO_TEST_CASE(places_may_outlive_the_quota)
{
    std::optional<request_quota> quota(std::in_place, 1u);
    request_quota::place held(quota->open("ada"));
    quota.reset();
    held = {};
    BOOST_TEST(!quota.has_value());
}

BOOST_AUTO_TEST_CASE(maximum_of_zero_means_no_limit)
{
    BOOST_TEST(!request_quota(0).is_limited());
    BOOST_TEST(request_quota(1).is_limited());
}

BOOST_AUTO_TEST_SUITE_END()

#include <linkspan/http/server/detail/request_quota.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(request_quota_test)

using linkspan::detail::request_quota;

BOOST_AUTO_TEST_CASE(each_owner_has_the_maximum_number_of_requests)
{
    request_quota quota(2);
    auto const ada = quota.open("ada"), eve = quota.open("eve");
    BOOST_TEST(quota.has_place(ada));
    ++*ada;
    BOOST_TEST(quota.has_place(ada));
    ++*ada;
    BOOST_TEST(!quota.has_place(ada));
    BOOST_TEST(quota.has_place(eve));
    --*ada;
    BOOST_TEST(quota.has_place(ada));
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
    ++*ada;
    ada.reset();
    BOOST_TEST(!quota.has_place(quota.open("ada"))); // `again` refers to the account
    again.reset();
    BOOST_TEST(quota.accounts() == 0u);
    BOOST_TEST(quota.has_place(quota.open("ada")));
}

BOOST_AUTO_TEST_CASE(account_may_outlive_the_quota)
{
    std::optional<request_quota> quota(std::in_place, 1u);
    auto ada = quota->open("ada");
    quota.reset();
    BOOST_TEST(*ada == 0u);
    ada.reset();
}

BOOST_AUTO_TEST_CASE(maximum_of_zero_means_no_limit)
{
    BOOST_TEST(!request_quota(0).is_limited());
    BOOST_TEST(request_quota(1).is_limited());
}

BOOST_AUTO_TEST_CASE(several_requests_have_a_place_together_or_not_at_all)
{
    request_quota quota(3);
    auto const ada = quota.open("ada");
    BOOST_TEST(quota.has_place(ada, 3));
    BOOST_TEST(!quota.has_place(ada, 4));
    *ada += 2;
    BOOST_TEST(!quota.has_place(ada, 2));
    BOOST_TEST(quota.has_place(ada, 1));
    ++*ada;
    BOOST_TEST(quota.has_place(ada, 0));
    BOOST_TEST(!quota.has_place(ada, static_cast<std::size_t>(-1)));
    BOOST_TEST(quota.has_place(nullptr, 4));
}

BOOST_AUTO_TEST_CASE(client_gives_the_places_of_its_requests_back)
{
    request_quota quota(9);
    auto const ada = quota.open("ada");
    {
        request_quota::share first(ada), second(ada);
        first.remove(); // no request is counted
        first.add(3);
        second.add(2);
        BOOST_TEST(*ada == 5u);
        first.remove();
        BOOST_TEST(*ada == 4u);
        first.clear();
        BOOST_TEST(*ada == 2u);
        first.remove();
        first.clear();
        BOOST_TEST(*ada == 2u);
        first.add(1);
        BOOST_TEST(*ada == 3u);
    }
    BOOST_TEST(*ada == 0u);
}

BOOST_AUTO_TEST_CASE(client_without_an_account_is_not_counted)
{
    request_quota::share client(nullptr);
    client.add(2);
    client.remove();
    client.clear();
    BOOST_TEST(!client.of_account());
}

BOOST_AUTO_TEST_CASE(failed_allocation_opens_no_account)
{
    std::string const owner(40, 'o'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        request_quota quota(1);
        request_quota::counter counter;
        if (!failing([&] { counter = quota.open(owner); })) {
            BOOST_TEST(!counter);
            BOOST_TEST(quota.accounts() == 0u);
            counter = quota.open(owner);
        }
        BOOST_TEST(quota.has_place(counter));
        BOOST_TEST((quota.open(owner) == counter));
        BOOST_TEST(quota.accounts() == 1u);
        counter.reset();
        BOOST_TEST(quota.accounts() == 0u);
    });
}

BOOST_AUTO_TEST_SUITE_END()

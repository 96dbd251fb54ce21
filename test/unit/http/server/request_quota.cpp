#include <linkspan/http/server/detail/request_quota.hpp>

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_CASE(failed_allocation_opens_no_account)
{
    std::string const owner(40, 'o'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        request_quota quota(1);
        request_quota::account account;
        if (!failing([&] { account = quota.open(owner); })) {
            BOOST_TEST(!account);
            BOOST_TEST(quota.accounts() == 0u);
            account = quota.open(owner);
        }
        BOOST_TEST(quota.has_place(account));
        BOOST_TEST((quota.open(owner) == account));
        BOOST_TEST(quota.accounts() == 1u);
        account.reset();
        BOOST_TEST(quota.accounts() == 0u);
    });
}

BOOST_AUTO_TEST_SUITE_END()

#include <linkspan/protocol/principal_quota.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(principal_quota_test)

using namespace linkspan;

BOOST_AUTO_TEST_CASE(each_principal_has_the_maximum_number_of_places)
{
    principal_quota quota(2);
    auto first = quota.take("ada");
    auto const second = quota.take("ada");
    BOOST_TEST((first && second));
    BOOST_TEST(!quota.take("ada"));
    BOOST_TEST(!!quota.take("eve"));
    BOOST_TEST(quota.count("ada") == 2u);
    BOOST_TEST(quota.count("eve") == 0u);
    first.reset();
    BOOST_TEST(!!quota.take("ada"));
    BOOST_TEST(quota.count("ada") == 1u);
}

BOOST_AUTO_TEST_CASE(anonymous_clients_have_no_maximum)
{
    principal_quota quota(1);
    auto const first = quota.take("");
    auto const second = quota.take("");
    BOOST_TEST((first && second));
    BOOST_TEST(quota.count("") == 0u);
}

BOOST_AUTO_TEST_CASE(account_is_the_principal_or_the_address_of_an_anonymous_client)
{
    BOOST_TEST(client_account("ada", "192.0.2.1") == client_account("ada"));
    BOOST_TEST(client_account("ada") != client_account("eve"));
    BOOST_TEST(client_account("", "192.0.2.1") != client_account("", "192.0.2.2"));
    BOOST_TEST(client_account("", "192.0.2.1") != client_account("192.0.2.1"));
    BOOST_TEST(client_account("") == "");
}

BOOST_AUTO_TEST_CASE(quota_of_zero_admits_no_principal)
{
    principal_quota quota(0);
    BOOST_TEST(!quota.take("ada"));
    BOOST_TEST(!!quota.take(""));
}

BOOST_AUTO_TEST_CASE(place_may_outlive_the_quota)
{
    std::optional<principal_quota> quota(1);
    auto place = quota->take("ada");
    quota.reset();
    place.reset();
    BOOST_TEST(!place);
}

BOOST_AUTO_TEST_CASE(failed_allocation_takes_no_place)
{
    std::string const name(40, 'n'); // longer than the small buffer of a string
    for (std::size_t const held : {0u, 1u})
        linkspan::test::fail_each_allocation([&](auto& failing) {
            principal_quota quota(held + 1);
            auto const first = held == 0 ? nullptr : quota.take(name);
            principal_quota::place place;
            bool const is_taken = failing([&] { place = quota.take(name); });
            BOOST_TEST(!place == !is_taken);
            BOOST_TEST(quota.count(name) == held + (is_taken ? 1u : 0u));
            if (!is_taken)
                place = quota.take(name);
            BOOST_TEST(!!place);
            BOOST_TEST(!quota.take(name));
            place.reset();
            BOOST_TEST(quota.count(name) == held);
        });
}

BOOST_AUTO_TEST_SUITE_END()

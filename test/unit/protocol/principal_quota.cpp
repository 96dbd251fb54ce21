#include <linkspan/protocol/principal_quota.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>

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

BOOST_AUTO_TEST_SUITE_END()

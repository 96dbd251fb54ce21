#include <linkspan/http/server/detail/http_remote.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(http_remote_test)

using boost::asio::ip::make_address;
using linkspan::detail::address_of_client;

BOOST_AUTO_TEST_CASE(ipv4_address_is_the_address_of_the_client)
{
    BOOST_TEST(address_of_client(make_address("192.0.2.1")) == "192.0.2.1");
}

BOOST_AUTO_TEST_CASE(mapped_ipv4_address_equals_the_ipv4_address)
{
    BOOST_TEST(address_of_client(make_address("::ffff:192.0.2.1")) == "192.0.2.1");
}

BOOST_AUTO_TEST_CASE(ipv6_addresses_of_one_network_are_equal)
{
    auto const first = address_of_client(make_address("2001:db8:0:1::1"));
    BOOST_TEST(first == "2001:db8:0:1::/64");
    BOOST_TEST(address_of_client(make_address("2001:db8:0:1:ffff:ffff:ffff:ffff")) == first);
    BOOST_TEST(address_of_client(make_address("2001:db8:0:2::1")) != first);
}

BOOST_AUTO_TEST_CASE(request_is_counted_until_it_ends)
{
    linkspan::detail::request_quota quota(2);
    linkspan::detail::http_remote remote{"192.0.2.1"};
    remote.on_request_end(); // no request is counted
    remote.requests = quota.open("ada");
    remote.on_request_end();
    BOOST_TEST(*remote.requests == 0u);
    remote.count_request();
    BOOST_TEST(*remote.requests == 1u);
    remote.on_request_end();
    remote.on_request_end();
    BOOST_TEST(*remote.requests == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

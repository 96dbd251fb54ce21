#include <linkspan/http/http_dialers.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

BOOST_AUTO_TEST_SUITE(http_dialers_test)

namespace data = boost::unit_test::data;
using namespace linkspan;

struct proxy_row {
    char const* list;
    char const* host;
    bool bypasses;

    friend std::ostream& operator<<(std::ostream& out, proxy_row const& row)
    {
        return out << "'" << row.list << "', " << row.host;
    }
};

static proxy_row const proxy_rows[] = {
    {"", "example.com", false},
    {"*", "example.com", true},
    {"example.com", "example.com", true},
    {"example.com", "EXAMPLE.com", true},
    {"example.com", "www.example.com", true},
    {"example.com", "badexample.com", false},
    {"example.com", "example.com.evil.net", false},
    {"example.com", "com", false},
    {".example.com", "www.example.com", true},
    {".example.com", "example.com", true},
    {".example.com", "badexample.com", false},
    {"localhost,.internal,10.0.0.1", "localhost", true},
    {"localhost, .internal , 10.0.0.1", "db.internal", true},
    {"localhost,.internal,10.0.0.1", "10.0.0.1", true},
    {"localhost,.internal,10.0.0.1", "10.0.0.10", false},
    {"localhost,.internal,10.0.0.1", "110.0.0.1", false},
    {"::1", "::1", true},
    {",,", "example.com", false},
    {".", "example.com", false},
    {" , *", "example.com", true},
};

BOOST_DATA_TEST_CASE(no_proxy_list_matches_names_and_subdomains, data::make(proxy_rows))
{
    BOOST_TEST(bypasses_proxy(sample.list, sample.host) == sample.bypasses);
}

static char const* const public_addresses[] = {
    "8.8.8.8",         "1.1.1.1",         "9.255.255.255",        "11.0.0.0",
    "100.63.255.255",  "100.128.0.0",     "126.255.255.255",      "128.0.0.0",
    "169.253.255.255", "169.255.0.0",     "172.15.255.255",       "172.32.0.0",
    "192.167.255.255", "192.169.0.0",     "198.17.255.255",       "198.20.0.0",
    "223.255.255.255", "2606:4700::1111", "2001:4860:4860::8888", "2001:200::1",
    "3fff:1000::1",    "::ffff:8.8.8.8",  "64:ff9b::808:808",     "2002:808:808::1",
};

BOOST_DATA_TEST_CASE(global_address_is_public, data::make(public_addresses)) { BOOST_TEST(is_public_address(sample)); }

static char const* const other_addresses[] = {
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.169.254", // metadata service of cloud providers
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1", // deprecated IPv4-compatible address
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:1ff::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a00:1::1",
    "3fff::1",
    "3fff:fff:ffff::1",
    "4000::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
};

BOOST_DATA_TEST_CASE(private_or_reserved_address_is_not_public, data::make(other_addresses))
{
    BOOST_TEST(!is_public_address(sample));
}

static char const* const no_addresses[] = {"", "example.com", "localhost", "1.2.3", "8.8.8.8:80", "[::1]", "0x8080808"};

BOOST_DATA_TEST_CASE(text_that_is_not_an_address_is_not_public, data::make(no_addresses))
{
    BOOST_TEST(!is_public_address(sample));
}

BOOST_AUTO_TEST_SUITE_END()

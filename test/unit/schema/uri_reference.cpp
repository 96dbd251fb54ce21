#include <linkspan/schema/uri_reference.hpp>

#include <boost/test/unit_test.hpp>

#include <string_view>
#include <utility>

BOOST_AUTO_TEST_SUITE(uri_reference_test)

using linkspan::resolve_uri;

// RFC 3986, 5.4
BOOST_AUTO_TEST_CASE(reference_resolution_matches_the_examples_of_rfc_3986)
{
    constexpr std::pair<std::string_view, std::string_view> examples[] = {
        {"g:h", "g:h"},
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q#s"},
        {"g#s", "http://a/b/c/g#s"},
        {"g?y#s", "http://a/b/c/g?y#s"},
        {";x", "http://a/b/c/;x"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"./", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../g", "http://a/g"},
        {"../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"/../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {"..g", "http://a/b/c/..g"},
        {"./g/.", "http://a/b/c/g/"},
        {"g/../h", "http://a/b/c/h"},
        {"g?y/../x", "http://a/b/c/g?y/../x"},
        {"g#s/../x", "http://a/b/c/g#s/../x"},
    };
    for (auto const& [reference, meaning] : examples)
        BOOST_TEST(resolve_uri("http://a/b/c/d;p?q", reference) == meaning);
}

BOOST_AUTO_TEST_CASE(base_can_be_empty_relative_or_a_urn)
{
    BOOST_TEST(resolve_uri("", "#/a") == "#/a");
    BOOST_TEST(resolve_uri("", "b.json") == "b.json");
    BOOST_TEST(resolve_uri("x/y", "z#/a:b/c") == "x/z#/a:b/c");
    BOOST_TEST(resolve_uri("urn:uuid:1?=q", "#a") == "urn:uuid:1?=q#a");
    BOOST_TEST(resolve_uri("http://a", "b") == "http://a/b");
    BOOST_TEST(resolve_uri("http://a/b#c", "d") == "http://a/d");
}

BOOST_AUTO_TEST_CASE(percent_encoding_is_decoded_and_invalid_codes_are_kept)
{
    BOOST_TEST(linkspan::decode_percent("a%25b%22%c3%A9") == "a%b\"\u00e9");
    BOOST_TEST(linkspan::decode_percent("%") == "%");
    BOOST_TEST(linkspan::decode_percent("%4") == "%4");
    BOOST_TEST(linkspan::decode_percent("%zz%4z") == "%zz%4z");
}

BOOST_AUTO_TEST_SUITE_END()

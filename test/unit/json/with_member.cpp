#include <linkspan/json/detail/with_member.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(with_member_test)

using linkspan::detail::with_member;

BOOST_AUTO_TEST_CASE(missing_outer_member_is_added)
{
    BOOST_TEST(with_member("{}", "_meta", "a/b", "1") == R"({"_meta":{"a/b":1}})");
    BOOST_TEST(with_member("{ \n }", "_meta", "a", "1") == "{ \n \"_meta\":{\"a\":1}}");
    BOOST_TEST(with_member(R"({"x":[{}]})", "_meta", "a", "{}") == R"({"x":[{}],"_meta":{"a":{}}})");
}

BOOST_AUTO_TEST_CASE(existing_outer_member_is_extended)
{
    BOOST_TEST(with_member(R"({"_meta":{},"x":1})", "_meta", "a", "1") == R"({"_meta":{"a":1},"x":1})");
    BOOST_TEST(with_member(R"({"x":1,"_meta":{"b":{"c":2}}})", "_meta", "a", "1") ==
               R"({"x":1,"_meta":{"b":{"c":2},"a":1}})");
}

BOOST_AUTO_TEST_CASE(existing_inner_member_and_outer_member_that_is_no_object_are_kept)
{
    BOOST_TEST(with_member(R"({"_meta":{"a":2}})", "_meta", "a", "1") == R"({"_meta":{"a":2}})");
    BOOST_TEST(with_member(R"({"_meta":null})", "_meta", "a", "1") == R"({"_meta":null})");
}

BOOST_AUTO_TEST_SUITE_END()

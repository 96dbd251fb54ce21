#include <linkspan/describe/check.hpp>
#include <linkspan/describe/struct.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include "support/every_kind.hpp"

BOOST_AUTO_TEST_SUITE(check_test)

namespace json = boost::json;
using linkspan::check;
using linkspan::mismatches;

namespace {

struct numbers {
    int from_to = 1;
    std::int64_t least = 0;
    std::uint64_t most = 0;
    double above = 1;
    double below = 0;
    double steps = 0;
    float single = 0.1F;
};

LINKSPAN_STRUCT(numbers, (from_to, min{1}, max{14}), (least, min{-9223372036854775807}),
                (most, max{18446744073709551614u}), (above, above{0.5}), (below, below{0.5}),
                (steps, multiple_of{0.01}), (single, max{0.1}))

struct texts {
    std::string length = "ab";
    std::string code = "A-1";
    std::optional<std::string> optional;
    linkspan::nullable<std::string> nullable;
    linkspan::box<std::string> boxed{std::string("a")};
};

LINKSPAN_STRUCT(texts, (length, min_length{2}, max_length{3}), (code, pattern{"^[A-Z]-\\d+$"}),
                (optional, min_length{1}), (nullable, pattern{"a"}), (boxed, max_length{1}))

struct lists {
    std::vector<int> items{1};
    std::vector<std::string> unique{"a"};
    linkspan::one_or_many<int> some{1};
    std::map<std::string, int> map{{"a", 1}};
    std::vector<std::vector<int>> nested;
    std::tuple<int, app_every_kind::circle> tuple;
    json::array any{1};
    json::object object{{"a", 1}};
};

LINKSPAN_STRUCT(lists, (items, min_items{1}, max_items{2}, min{1}, max{3}), (unique, unique_items, max_length{1}),
                (some, max_items{2}, max{3}), (map, min_properties{1}, max_properties{2}, min{1}), (nested, max{3}),
                (tuple), (any, min_items{1}, unique_items), (object, max_properties{1}))

struct must {
    std::optional<int> optional;
    linkspan::nullable<int> nullable;
    linkspan::rest<int> others;
};

LINKSPAN_STRUCT(must, (optional, required), (nullable, required, named{"n/a"}), (others, max{5}))

struct chain {
    std::optional<linkspan::box<chain>> next;
};

BOOST_DESCRIBE_STRUCT(chain, (), (next))

template<class T>
std::string problems_of(T const& value)
{
    mismatches all;
    bool const ok = check(value, all);
    BOOST_TEST(ok == all.empty());
    return to_string(all);
}

// Returns the mismatches of a T with the given value in one member.
template<auto Member, class T, class Value>
std::string with(T value, Value of_member)
{
    value.*Member = std::move(of_member);
    return problems_of(value);
}

} // namespace

BOOST_AUTO_TEST_CASE(number_out_of_bounds_is_reported)
{
    numbers const good;
    BOOST_TEST(problems_of(good) == "");
    BOOST_TEST(with<&numbers::from_to>(good, 1) == "");
    BOOST_TEST(with<&numbers::from_to>(good, 14) == "");
    BOOST_TEST(with<&numbers::from_to>(good, 0) == "/from_to: expected an integer from 1 to 14, found 0");
    BOOST_TEST(with<&numbers::from_to>(good, 15) == "/from_to: expected an integer from 1 to 14, found 15");
    BOOST_TEST(with<&numbers::above>(good, std::nextafter(0.5, 1)) == "");
    BOOST_TEST(with<&numbers::above>(good, 0.5) == "/above: expected a number above 0.5, found 0.5");
    BOOST_TEST(with<&numbers::below>(good, std::nextafter(0.5, 0)) == "");
    BOOST_TEST(with<&numbers::below>(good, 0.5) == "/below: expected a number below 0.5, found 0.5");
    BOOST_TEST(with<&numbers::steps>(good, 19.99) == "");
    BOOST_TEST(with<&numbers::steps>(good, 19.995) ==
               "/steps: expected a number that is a multiple of 0.01, found 19.995");
}

BOOST_AUTO_TEST_CASE(number_bounds_are_exact)
{
    numbers const good;
    auto const least = std::numeric_limits<std::int64_t>::min();
    auto const most = std::numeric_limits<std::uint64_t>::max();
    BOOST_TEST(with<&numbers::least>(good, least + 1) == "");
    BOOST_TEST(with<&numbers::least>(good, least) ==
               "/least: expected an integer from -9223372036854775807, found -9223372036854775808");
    BOOST_TEST(with<&numbers::most>(good, most - 1) == "");
    BOOST_TEST(with<&numbers::most>(good, most) ==
               "/most: expected an integer up to 18446744073709551614, found 18446744073709551615");
    // A float is compared in its shortest decimal form: as a double, 0.1F is greater than 0.1.
    BOOST_TEST(with<&numbers::single>(good, 0.1F) == "");
    BOOST_TEST(with<&numbers::single>(good, std::nextafter(0.1F, 1.0F)) != "");
}

BOOST_AUTO_TEST_CASE(number_that_is_not_finite_is_reported)
{
    auto const infinite = std::numeric_limits<double>::infinity();
    BOOST_TEST(with<&numbers::above>(numbers(), infinite) == "/above: expected a finite number, found NaN or infinity");
    BOOST_TEST(with<&numbers::below>(numbers(), -infinite) ==
               "/below: expected a finite number, found NaN or infinity");
    BOOST_TEST(problems_of(std::numeric_limits<float>::quiet_NaN()) ==
               "expected a finite number, found NaN or infinity");
    BOOST_TEST(problems_of(std::vector<double>{1, infinite}) == "/1: expected a finite number, found NaN or infinity");
}

BOOST_AUTO_TEST_CASE(number_that_is_not_finite_in_free_form_json_is_reported)
{
    json::array const pair{1, NAN};
    json::object const holder{{"a", pair}, {"b", INFINITY}};
    BOOST_TEST(problems_of(json::value(pair)) == "/1: expected a finite number, found NaN or infinity");
    BOOST_TEST(problems_of(pair) == "/1: expected a finite number, found NaN or infinity");
    BOOST_TEST(problems_of(holder) == "/a/1: expected a finite number, found NaN or infinity; "
                                      "/b: expected a finite number, found NaN or infinity");
    BOOST_TEST(with<&lists::any>(lists(), pair) == "/any/1: expected a finite number, found NaN or infinity");
    BOOST_TEST(problems_of(json::value{{"a", {1, "b", nullptr, true, 0.5}}}) == "");
}

BOOST_AUTO_TEST_CASE(string_length_counts_code_points_and_pattern_is_applied)
{
    texts const good;
    BOOST_TEST(problems_of(good) == "");
    BOOST_TEST(with<&texts::length>(good, "abc") == "");
    BOOST_TEST(with<&texts::length>(good, "\u20ac\U0001f600\u00e9") == "");
    BOOST_TEST(with<&texts::length>(good, "a") == "/length: expected from 2 to 3 characters, found 1");
    BOOST_TEST(with<&texts::length>(good, "\u20ac") == "/length: expected from 2 to 3 characters, found 1");
    BOOST_TEST(with<&texts::length>(good, "abcd") == "/length: expected from 2 to 3 characters, found 4");
    BOOST_TEST(with<&texts::code>(good, "Z-42") == "");
    BOOST_TEST(with<&texts::code>(good, "secret") ==
               "/code: expected a string that matches ^[A-Z]-\\d+$, found another string");
    BOOST_TEST(with<&texts::optional>(good, "") == "/optional: expected at least 1 character, found 0");
    BOOST_TEST(with<&texts::nullable>(good, nullptr) == "");
    BOOST_TEST(with<&texts::nullable>(good, std::string("b")) ==
               "/nullable: expected a string that matches a, found another string");
    BOOST_TEST(with<&texts::boxed>(good, std::string("ab")) == "/boxed: expected at most 1 character, found 2");
}

BOOST_AUTO_TEST_CASE(size_and_element_bounds_of_lists_and_maps_are_checked)
{
    lists const good;
    BOOST_TEST(problems_of(good) == "");
    using ints = std::vector<int>;
    BOOST_TEST(with<&lists::items>(good, ints{1, 3}) == "");
    BOOST_TEST(with<&lists::items>(good, ints{}) == "/items: expected from 1 to 2 items, found 0");
    BOOST_TEST(
        with<&lists::items>(good, ints{0, 4, 2}) ==
        "/items/0: expected an integer from 1 to 3, found 0; /items/1: expected an integer from 1 to 3, found 4; "
        "/items: expected from 1 to 2 items, found 3");
    using words = std::vector<std::string>;
    BOOST_TEST(with<&lists::unique>(good, words{"a", "b"}) == "");
    BOOST_TEST(with<&lists::unique>(good, words{"a", "b", "a"}) == "/unique: expected unique items, found equal items");
    BOOST_TEST(with<&lists::unique>(good, words{"ab"}) == "/unique/0: expected at most 1 character, found 2");
    BOOST_TEST(with<&lists::some>(good, 4) == "/some: expected an integer up to 3, found 4");
    BOOST_TEST(with<&lists::some>(good, ints{3, 3}) == "");
    BOOST_TEST(with<&lists::some>(good, ints{3, 4}) == "/some/1: expected an integer up to 3, found 4");
    BOOST_TEST(with<&lists::some>(good, ints{1, 2, 3}) == "/some: expected at most 2 items, found 3");
    using map = std::map<std::string, int>;
    BOOST_TEST(with<&lists::map>(good, map{{"a", 1}, {"b", 2}}) == "");
    BOOST_TEST(with<&lists::map>(good, map{}) == "/map: expected from 1 to 2 members, found 0");
    BOOST_TEST(with<&lists::map>(good, map{{"a~", 0}}) == "/map/a~0: expected an integer from 1, found 0");
    BOOST_TEST(with<&lists::nested>(good, std::vector<ints>{{1}, {4}}) ==
               "/nested/1/0: expected an integer up to 3, found 4");
}

BOOST_AUTO_TEST_CASE(size_of_free_form_arrays_and_objects_is_checked)
{
    lists const good;
    BOOST_TEST(with<&lists::any>(good, json::array{1, "1", nullptr}) == "");
    BOOST_TEST(with<&lists::any>(good, json::array{}) == "/any: expected at least 1 item, found 0");
    BOOST_TEST(with<&lists::any>(good, json::array{1, 2, 1}) == "/any: expected unique items, found equal items");
    BOOST_TEST(with<&lists::object>(good, json::object{{"a", 1}, {"b", 1}}) ==
               "/object: expected at most 1 member, found 2");
}

BOOST_AUTO_TEST_CASE(missing_required_member_is_reported)
{
    must value;
    BOOST_TEST(problems_of(value) == "/optional: expected a value, found nothing; /n~1a: expected a value or null, "
                                     "found nothing");
    value.optional = 1;
    value.nullable = nullptr;
    BOOST_TEST(problems_of(value) == "");
}

BOOST_AUTO_TEST_CASE(additional_member_with_the_name_of_a_described_member_is_reported)
{
    must value;
    value.optional = 1;
    value.nullable = 1;
    value.others["others"] = 5; // the name of the rest itself is allowed
    BOOST_TEST(problems_of(value) == "");
    value.others["a"] = 6;
    value.others["optional"] = 1;
    BOOST_TEST(problems_of(value) == "/optional: expected a name that no other member has, found the name of a member; "
                                     "/a: expected an integer up to 5, found 6");
}

BOOST_AUTO_TEST_CASE(string_that_is_not_utf8_is_reported)
{
    BOOST_TEST(problems_of(std::string("a\x01\u20ac")) == ""); // a control character is written as an escape
    BOOST_TEST(problems_of(std::string("a\xff")) == "expected valid UTF-8, found invalid bytes");
    BOOST_TEST(problems_of(json::value("a\xff")) == "expected valid UTF-8, found invalid bytes");
    BOOST_TEST(problems_of(json::object{{"\xff", 1}}) == "expected names in valid UTF-8, found invalid bytes");
    BOOST_TEST(with<&lists::map>(lists(), std::map<std::string, int>{{"\xff", 1}}) ==
               "/map: expected names in valid UTF-8, found invalid bytes");
    BOOST_TEST(with<&lists::unique>(lists(), std::vector<std::string>{"a", "\xc3"}) ==
               "/unique/1: expected valid UTF-8, found invalid bytes");
}

// Like in JSON Schema, the order of members does not matter, and 1 equals 1.0.
BOOST_AUTO_TEST_CASE(items_are_equal_if_their_json_values_are_equal)
{
    json::object const one{{"a", 1}, {"b", 2}};
    json::object const other{{"b", 2.0}, {"a", 1}};
    BOOST_TEST(with<&lists::any>(lists(), json::array{one, other}) == "/any: expected unique items, found equal items");
    BOOST_TEST(with<&lists::any>(lists(), json::array{one, 1}) == "");
}

BOOST_AUTO_TEST_CASE(undescribed_enumeration_value_is_reported)
{
    BOOST_TEST(problems_of(app_every_kind::unit::none) == "");
    BOOST_TEST(problems_of(static_cast<app_every_kind::unit>(3)) ==
               "expected a described enumerator, found another value");
    BOOST_TEST((problems_of(std::pair<int, app_every_kind::unit>(1, static_cast<app_every_kind::unit>(3))) ==
                "/1: expected a described enumerator, found another value"));
}

BOOST_AUTO_TEST_CASE(alternatives_of_a_variant_are_checked)
{
    using either = std::variant<int, std::vector<double>>;
    BOOST_TEST(problems_of(either(std::vector<double>{0, NAN})) ==
               "/1: expected a finite number, found NaN or infinity");
    app_every_kind::every_kind value;
    BOOST_TEST(problems_of(value) == "");
    value.nodes["a"].next = app_every_kind::node();
    value.pair.second.radius = NAN;
    value.shape = app_every_kind::square{{}, INFINITY, {}};
    BOOST_TEST(problems_of(value) == "/pair/1/radius: expected a finite number, found NaN or infinity; "
                                     "/shape/a \"side\"\n: expected a finite number, found NaN or infinity");
}

BOOST_AUTO_TEST_CASE(value_nested_deeper_than_the_limit_is_reported)
{
    chain value;
    for (int i = 1; i != 512; ++i) {
        chain outer;
        outer.next = std::move(value);
        value = std::move(outer);
    }
    BOOST_TEST(problems_of(value) == "");
    chain outer;
    outer.next = std::move(value);
    BOOST_TEST(problems_of(outer).ends_with("expected fewer nested values, found more levels than the limit"));
}

BOOST_AUTO_TEST_CASE(free_form_json_nested_deeper_than_the_limit_is_reported)
{
    json::value value = 1;
    for (int i = 0; i != 512; ++i)
        value = json::array{value};
    BOOST_TEST(problems_of(value) == "");
    value = json::array{value};
    BOOST_TEST(problems_of(value).ends_with("expected fewer nested values, found more levels than the limit"));
    lists deep;
    deep.any = {value};
    BOOST_TEST(problems_of(deep).find("more levels than the limit") != std::string::npos); // elements are not compared
}

BOOST_AUTO_TEST_CASE(check_reports_at_most_32_problems)
{
    mismatches all;
    BOOST_TEST(!check(std::vector<double>(100, NAN), all));
    BOOST_TEST(all.size() == linkspan::max_mismatches);
}

BOOST_AUTO_TEST_SUITE_END()

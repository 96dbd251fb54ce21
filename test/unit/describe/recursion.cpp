// Structs with a required member whose type contains the struct itself.

#include <linkspan/describe/box.hpp>
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/struct.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <variant>
#include <vector>

#include "support/both_sources.hpp"

BOOST_AUTO_TEST_SUITE(recursion_test)

using namespace linkspan::test;
using linkspan::box;

namespace app_recursion {

struct sum {
    std::variant<box<sum>, double> left;

    bool operator==(sum const&) const = default;
};

struct step {
    linkspan::one_or_many<box<step>> then;

    bool operator==(step const&) const = default;
};

// A struct that no finite JSON text represents.
struct endless {
    box<endless> up;

    bool operator==(endless const&) const = default;
};

LINKSPAN_STRUCT(sum, (left))
LINKSPAN_STRUCT(step, (then))
LINKSPAN_STRUCT(endless, (up))

} // namespace app_recursion

using namespace app_recursion;

BOOST_AUTO_TEST_CASE(struct_with_itself_as_alternative_is_decoded_and_encoded)
{
    auto const made = read<sum>(R"({"left":{"left":{"left":2.5}}})");
    auto const& inner = *std::get<box<sum>>(made.left);
    BOOST_TEST(std::get<double>(std::get<box<sum>>(inner.left)->left) == 2.5);
    BOOST_TEST(linkspan::encode(made) == R"({"left":{"left":{"left":2.5}}})");
    BOOST_TEST((read<sum>(R"({"left":1})") == sum{1.0}));
    BOOST_TEST(problems_of<sum>(R"({"left":{"left":{}}})") == "/left/left/left: expected a value, found nothing");
}

BOOST_AUTO_TEST_CASE(recursive_struct_with_empty_list_is_decoded)
{
    auto const made = read<step>(R"({"then":[{"then":[]},{"then":{"then":[]}}]})");
    BOOST_TEST_REQUIRE(made.then.all().size() == 2U);
    BOOST_TEST(made.then.all()[0]->then.all().empty());
    BOOST_TEST(!made.then.all()[1]->then.is_list());
    BOOST_TEST(linkspan::encode(made) == R"({"then":[{"then":[]},{"then":{"then":[]}}]})");
}

BOOST_AUTO_TEST_CASE(json_text_for_infinitely_recursive_struct_is_rejected)
{
    BOOST_TEST(problems_of<endless>("{}") == "/up: expected a value, found nothing");
    BOOST_TEST(problems_of<endless>(R"({"up":{"up":{}}})") == "/up/up/up: expected a value, found nothing");
    BOOST_TEST(problems_of<endless>(R"({"up":null})") == "/up: expected an object, found null");
}

BOOST_AUTO_TEST_CASE(empty_box_in_infinitely_recursive_struct_is_reported_once)
{
    linkspan::mismatches all;
    endless const made;
    BOOST_TEST(!check(made, all));
    BOOST_TEST(to_string(all) == "/up: expected a value, found nothing");
    BOOST_TEST(linkspan::encode(made) == R"({"up":null})");
    BOOST_TEST(linkspan::encode(sum()) == R"({"left":null})");
    auto const copy = made;
    BOOST_TEST((copy == made));
    BOOST_TEST((*made.up == made)); // reading a const empty box returns a default-constructed value
}

BOOST_AUTO_TEST_SUITE_END()

#include <linkspan/describe/types.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(types_test)

using linkspan::box;
using linkspan::constant;
using linkspan::literal;
using linkspan::nullable;
using linkspan::one_or_many;
using linkspan::rest;

namespace {

struct node {
    std::string label;
    std::optional<box<node>> next;

    bool operator==(node const&) const = default;
};

} // namespace

BOOST_AUTO_TEST_CASE(copied_box_contains_a_copy)
{
    node first{"a", node{"b", std::nullopt}};
    auto second = first;
    BOOST_TEST((second == first));
    (*second.next)->label = "c";
    BOOST_TEST((*first.next)->label == "b");
    BOOST_TEST(!(second == first));
    first = second;
    (*second.next)->label = "d";
    BOOST_TEST((*first.next)->label == "c");
}

BOOST_AUTO_TEST_CASE(box_keeps_its_value_on_self_assignment)
{
    box<std::string> one(std::string("text"));
    auto const& same = one;
    one = same;
    BOOST_TEST(*one == "text");
}

BOOST_AUTO_TEST_CASE(moved_from_box_can_be_assigned)
{
    box<std::string> one(std::string("text"));
    auto const two = std::move(one);
    one = two;
    BOOST_TEST(*one == "text");
    BOOST_TEST(*two == "text");
    BOOST_TEST(*box<int>() == 0);
    static_assert(std::is_nothrow_move_constructible_v<box<node>> && std::is_nothrow_move_assignable_v<box<node>>);
}

BOOST_AUTO_TEST_CASE(default_box_is_empty_until_written)
{
    box<std::string> one;
    auto const& same = one;
    BOOST_TEST(!one.has_value());
    BOOST_TEST(*same == "");
    BOOST_TEST(same->empty());
    BOOST_TEST(!one.has_value());
    auto two = one;
    BOOST_TEST((two == one));
    two->push_back('a');
    BOOST_TEST(two.has_value());
    BOOST_TEST(*two == "a");
    BOOST_TEST(!(two == one));
    two = one;
    BOOST_TEST(!two.has_value());
    BOOST_TEST(*two == "");
    BOOST_TEST(two.has_value());
    BOOST_TEST(!(two == one)); // an empty box is not equal to a box with an empty text
    static_assert(std::is_nothrow_default_constructible_v<box<node>>);
}

BOOST_AUTO_TEST_CASE(box_can_hold_a_type_without_default_constructor)
{
    struct from_text {
        explicit from_text(std::string of) : text(std::move(of)) {}
        std::string text;
    };
    box<from_text> const one(from_text("a"));
    auto two = one;
    two->text += "b";
    BOOST_TEST(one->text == "a");
    BOOST_TEST((*two).text == "ab");
}

BOOST_AUTO_TEST_CASE(nullable_is_absent_null_or_a_value)
{
    nullable<int> value;
    BOOST_TEST(value.is_absent());
    BOOST_TEST(!value.is_null());
    BOOST_TEST(!value);
    value = nullptr;
    BOOST_TEST(!value.is_absent());
    BOOST_TEST(value.is_null());
    BOOST_TEST(!value.has_value());
    value = 0;
    BOOST_TEST(!value.is_absent());
    BOOST_TEST(!value.is_null());
    BOOST_TEST(value.has_value());
    BOOST_TEST(*value == 0);
    value = nullptr;
    BOOST_TEST(!value.has_value());
    value.emplace(7);
    BOOST_TEST(!value.is_null());
    BOOST_TEST(*value == 7);
    value.reset();
    BOOST_TEST(value.is_absent());
}

BOOST_AUTO_TEST_CASE(absent_and_null_nullables_are_not_equal)
{
    static_assert(nullable<int>() == nullable<int>());
    static_assert(nullable<int>() != nullable<int>(nullptr));
    static_assert(nullable<int>(nullptr) != nullable<int>(0));
    static_assert(nullable<int>(1) == nullable<int>(1));
    nullable<int> emptied(5);
    emptied.reset();
    BOOST_TEST((emptied == nullable<int>()));
    emptied.emplace(5);
    emptied = nullptr;
    BOOST_TEST((emptied == nullable<int>(nullptr)));
}

BOOST_AUTO_TEST_CASE(one_or_many_keeps_its_form)
{
    one_or_many<int> const one(5), many(std::vector<int>{5});
    BOOST_TEST(!one.is_list());
    BOOST_TEST(many.is_list());
    BOOST_TEST(one.all().size() == 1u);
    BOOST_TEST(one.all()[0] == 5);
    BOOST_TEST(many.all().size() == 1u);
    BOOST_TEST(!(one == many));
    BOOST_TEST(one_or_many<int>(std::vector<int>()).all().empty());
}

BOOST_AUTO_TEST_CASE(literal_types_differ_by_value)
{
    static_assert(literal<"circle">::value == "circle");
    static_assert(literal<"">::value.empty());
    static_assert(!std::is_same_v<literal<"a">, literal<"b">>);
    static_assert(literal<"a">() == literal<"a">());
    static_assert(constant<true>::value && constant<-5>::value == -5);
    static_assert(std::is_empty_v<literal<"a">>);
}

BOOST_AUTO_TEST_CASE(rest_is_a_map)
{
    rest<int> others{{"b", 2}, {"a", 1}};
    BOOST_TEST(others.begin()->first == "a");
    BOOST_TEST((others.find(std::string_view("b")) != others.end())); // without a copy of the name
}

BOOST_AUTO_TEST_SUITE_END()

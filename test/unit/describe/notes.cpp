#include <linkspan/describe/detail/members.hpp>
#include <linkspan/describe/struct.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(notes_test)

using linkspan::json_literal;
using linkspan::member_notes;
using linkspan::detail::notes_of;
using linkspan::detail::struct_notes;

namespace app_notes {

// A note defined by a program.
struct percent {
    constexpr void apply(member_notes& notes) const
    {
        linkspan::note::min{0}.apply(notes);
        linkspan::note::max{100}.apply(notes);
        linkspan::note::keyword{"x-unit", "%"}.apply(notes);
    }
};

struct everything {
    std::string text;
    double number = 0;
    std::optional<int> plain;
    std::map<std::string, int> map;
    int share = 0;
};

LINKSPAN_STRUCT((everything, "all of it", title{"Everything"}, closed, deprecated, keyword{"x-of", 1}),
                (text, "a text", title{"Text"}, named{"x-text"}, min_length{1}, max_length{3}, pattern{"^a"},
                 format{"uri"}, default_value{"a"}, example{"b"}, example{"c"}),
                (number, min{0.5}, max{2}, above{-1}, below{3u}, multiple_of{0.25}, required), (plain),
                (map, min_properties{1}, max_properties{2}, min_items{3}, max_items{4}, unique_items, deprecated),
                (share, percent{}))

} // namespace app_notes

// A struct described by another library: the notes are in its namespace but not in its header.
namespace foreign {

struct point {
    double x = 0, y = 0;
};

BOOST_DESCRIBE_STRUCT(point, (), (x, y))

} // namespace foreign

namespace foreign {

LINKSPAN_NOTES((point, "where"), (y, "north"))

} // namespace foreign

namespace app_notes {

struct animal {
    std::string name;
    int legs = 0;
};

LINKSPAN_STRUCT((animal, "a living thing", closed), (name, "its name"), (legs, min{0}))

struct bird : animal {
    bool flies = true;
};

BOOST_DESCRIBE_STRUCT(bird, (animal), (flies))
LINKSPAN_NOTES((bird, "one that has wings"), (legs, max{2}))

struct fish : animal {};

BOOST_DESCRIBE_STRUCT(fish, (animal), ())

struct empty {};

LINKSPAN_STRUCT(empty)

} // namespace app_notes

BOOST_AUTO_TEST_CASE(notes_about_a_struct_follow_its_name)
{
    constexpr auto notes = struct_notes<app_notes::everything>;
    static_assert(notes.description == "all of it" && notes.title == "Everything");
    static_assert(notes.closed && notes.deprecated);
    static_assert(notes.keywords[0].name == "x-of" && notes.keywords[0].value.integer() == 1);
    static_assert(notes.keywords[1].name.empty());
}

BOOST_AUTO_TEST_CASE(each_note_sets_one_property)
{
    constexpr auto text = notes_of<app_notes::everything>[0];
    static_assert(text.member == "text" && text.name == "x-text");
    static_assert(text.title == "Text" && text.description == "a text");
    static_assert(text.min_length == 1 && text.max_length == 3);
    static_assert(text.pattern == "^a" && text.format == "uri");
    static_assert(text.default_value.text() == "a");
    static_assert(text.examples[0].text() == "b" && text.examples[1].text() == "c" && !text.examples[2]);

    constexpr auto number = notes_of<app_notes::everything>[1];
    static_assert(number.name == "number" && number.required && number.description.empty());
    static_assert(number.minimum.number() == 0.5 && number.maximum.integer() == 2);
    static_assert(number.exclusive_minimum.integer() == -1 && number.exclusive_maximum.integer() == 3);
    static_assert(number.multiple_of.number() == 0.25);

    constexpr auto map = notes_of<app_notes::everything>[3];
    static_assert(map.min_properties == 1 && map.max_properties == 2 && map.min_items == 3 && map.max_items == 4);
    static_assert(map.unique_items && map.deprecated && map.constrains());
    static_assert(!notes_of<app_notes::everything>[2].constrains());
}

BOOST_AUTO_TEST_CASE(user_defined_notes_set_keywords)
{
    constexpr auto share = notes_of<app_notes::everything>[4];
    static_assert(share.minimum.integer() == 0 && share.maximum.integer() == 100);
    static_assert(share.keywords[0].name == "x-unit" && share.keywords[0].value.text() == "%");
}

BOOST_AUTO_TEST_CASE(notes_can_be_declared_for_foreign_types)
{
    static_assert(struct_notes<foreign::point>.description == "where");
    static_assert(notes_of<foreign::point>[0].description.empty());
    static_assert(notes_of<foreign::point>[0].name == "x");
    static_assert(notes_of<foreign::point>[1].description == "north");
}

BOOST_AUTO_TEST_CASE(derived_struct_inherits_member_notes_unless_overridden)
{
    static_assert(notes_of<app_notes::bird>.size() == 3);
    static_assert(notes_of<app_notes::bird>[0].description == "its name");
    static_assert(notes_of<app_notes::bird>[1].maximum.integer() == 2 && !notes_of<app_notes::bird>[1].minimum);
    static_assert(notes_of<app_notes::bird>[2].name == "flies");
    static_assert(struct_notes<app_notes::bird>.description == "one that has wings");
}

BOOST_AUTO_TEST_CASE(struct_notes_are_not_inherited)
{
    static_assert(struct_notes<app_notes::animal>.closed);
    static_assert(!struct_notes<app_notes::fish>.closed && struct_notes<app_notes::fish>.description.empty());
    static_assert(notes_of<app_notes::fish>[0].description == "its name");
}

BOOST_AUTO_TEST_CASE(struct_without_members_is_accepted) { static_assert(notes_of<app_notes::empty>.empty()); }

BOOST_AUTO_TEST_CASE(json_literal_has_kind_and_value_of_its_source)
{
    using kind = json_literal::kind;
    static_assert(json_literal().what() == kind::none && !json_literal());
    static_assert(json_literal(nullptr).what() == kind::null && json_literal(nullptr));
    static_assert(json_literal(false).what() == kind::boolean && json_literal(false).integer() == 0);
    static_assert(json_literal(true).what() == kind::boolean && json_literal(true).integer() == 1);
    static_assert(json_literal(-5).integer() == -5 && json_literal('\5').integer() == 5);
    static_assert(json_literal(0u).what() == kind::integer);
    static_assert(json_literal(0.5F).number() == 0.5);
    static_assert(json_literal("x").what() == kind::text);
    static_assert(json_literal(std::string_view("x")).text() == "x");
    static_assert(json_literal(linkspan::raw_json("[1]")).what() == kind::json);
}

BOOST_AUTO_TEST_CASE(json_literal_can_contain_every_64_bit_integer)
{
    using kind = json_literal::kind;
    constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    constexpr auto all = std::numeric_limits<std::uint64_t>::max();
    static_assert(json_literal(least).what() == kind::integer && json_literal(least).integer() == least);
    static_assert(json_literal(std::uint64_t{most}).what() == kind::integer);
    static_assert(json_literal(std::uint64_t{most} + 1).what() == kind::large);
    static_assert(json_literal(all).large() == all && json_literal(all).is_number());
    static_assert(!json_literal("5").is_number() && !json_literal(true).is_number());
}

BOOST_AUTO_TEST_SUITE_END()

#include <linkspan/describe/detail/read_union.hpp>
#include <linkspan/describe/struct.hpp>

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "support/both_sources.hpp"
#include "support/shapes.hpp"

BOOST_AUTO_TEST_SUITE(read_union_test)

using namespace linkspan::test;
using linkspan::box;
using linkspan::literal;

namespace app_read_union {

using app_shapes::circle;
using app_shapes::square;

// A struct with a literal that may be missing.
struct maybe_ring {
    literal<"ring"> kind;
    double radius = 0;

    bool operator==(maybe_ring const&) const = default;
};

struct maybe_disc {
    literal<"disc"> kind;
    double radius = 0;

    bool operator==(maybe_disc const&) const = default;
};

LINKSPAN_STRUCT(maybe_ring, (kind, default_value{"ring"}), (radius))
LINKSPAN_STRUCT(maybe_disc, (kind, default_value{"disc"}), (radius))

struct anything {
    std::optional<std::string> kind;

    bool operator==(anything const&) const = default;
};

struct untagged {
    literal<""> kind;
    double width = 0;

    bool operator==(untagged const&) const = default;
};

LINKSPAN_STRUCT(untagged, (kind), (width))
LINKSPAN_STRUCT(anything, (kind))

// Two tags, one of them with another name in JSON.
struct created {
    literal<"event"> type;
    literal<"created"> what;

    bool operator==(created const&) const = default;
};

struct removed {
    literal<"event"> type;
    literal<"removed"> what;
    int at = 0;

    bool operator==(removed const&) const = default;
};

LINKSPAN_STRUCT(created, (type), (what, named{"@what"}))
LINKSPAN_STRUCT(removed, (type), (what, named{"@what"}), (at))

// Structs without literals, distinguished by their required members.
struct by_name {
    std::string name;

    bool operator==(by_name const&) const = default;
};

struct by_id {
    int id = 0;
    std::optional<int> page;

    bool operator==(by_id const&) const = default;
};

LINKSPAN_STRUCT(by_name, (name))
LINKSPAN_STRUCT(by_id, (id), (page))

// More required members than a mismatch names.
struct wide {
    int a = 0, b = 0, c = 0, d = 0;

    bool operator==(wide const&) const = default;
};

LINKSPAN_STRUCT(wide, (a), (b), (c), (d))

struct folder {
    std::vector<folder> children;
    std::vector<std::variant<by_name, by_id>> items;

    bool operator==(folder const&) const = default;
};

LINKSPAN_STRUCT(folder, (children, default_value{linkspan::raw_json("[]")}),
                (items, default_value{linkspan::raw_json("[]")}))

struct leaf {
    int value = 0;

    bool operator==(leaf const&) const = default;
};

struct sum;
using term = std::variant<box<leaf>, box<sum>>;

struct sum {
    std::vector<term> terms;

    bool operator==(sum const&) const = default;
};

LINKSPAN_STRUCT(leaf, (value))
LINKSPAN_STRUCT(sum, (terms))

// Recursive alternatives that are distinguished only by a member behind the nested value.
struct left;
struct right;
using either = std::variant<box<left>, box<right>>;

struct left {
    std::optional<either> next;
    int left_end = 0;

    bool operator==(left const&) const = default;
};

struct right {
    std::optional<either> next;
    int right_end = 0;

    bool operator==(right const&) const = default;
};

LINKSPAN_STRUCT(left, (next), (left_end))
LINKSPAN_STRUCT(right, (next), (right_end))

// Recursive alternatives that are distinguished by literals; unknown members are ignored.
struct tagged_left;
struct tagged_right;
using tagged = std::variant<box<tagged_left>, box<tagged_right>>;

struct tagged_left {
    literal<"left"> tag;
    std::optional<tagged> next;

    bool operator==(tagged_left const&) const = default;
};

struct tagged_right {
    literal<"right"> tag;
    std::optional<tagged> next;

    bool operator==(tagged_right const&) const = default;
};

LINKSPAN_STRUCT(tagged_left, (tag), (next))
LINKSPAN_STRUCT(tagged_right, (tag), (next))

} // namespace app_read_union

using shape = std::variant<app_read_union::circle, app_read_union::square>;
using event = std::variant<app_read_union::created, app_read_union::removed>;
using name_or_id = std::variant<app_read_union::by_name, app_read_union::by_id>;

BOOST_AUTO_TEST_CASE(json_kind_selects_the_alternative)
{
    using any = std::variant<linkspan::null_type, bool, int, std::string, std::vector<int>, app_read_union::by_id>;
    BOOST_TEST((read<any>("null") == any(linkspan::null_type())));
    BOOST_TEST((read<any>("true") == any(true)));
    BOOST_TEST((read<any>("5") == any(5)));
    BOOST_TEST((read<any>(R"("5")") == any(std::string("5"))));
    BOOST_TEST((read<any>("[5]") == any(std::vector<int>{5})));
    BOOST_TEST((read<any>(R"({"id":5})") == any(app_read_union::by_id{5, {}})));
    BOOST_TEST(problems_of<any>("5.5") == "expected an integer, found 5.5");
    BOOST_TEST(problems_of<any>("[true]") == "/0: expected an integer, found a boolean");
    BOOST_TEST((problems_of<std::variant<int, std::string>>("[]") == "expected a number or a string, found an array"));
}

BOOST_AUTO_TEST_CASE(tag_selects_the_alternative_at_any_position)
{
    BOOST_TEST((read<shape>(R"({"kind":"square","side":2})") == shape(app_read_union::square{{}, 2})));
    BOOST_TEST((read<shape>(R"({"side":2,"kind":"square"})") == shape(app_read_union::square{{}, 2})));
    BOOST_TEST(
        (read<shape>(R"({"radius":[1],"side":2,"kind":"\u0073quare"})") == shape(app_read_union::square{{}, 2})));
    BOOST_TEST((read<shape>(R"({"radius":2,"\u006bind":"circle"})") == shape(app_read_union::circle{{}, 2})));
    BOOST_TEST(
        (read<event>(R"({"type":"event","@what":"removed","at":1})") == event(app_read_union::removed{{}, {}, 1})));
    BOOST_TEST((read<event>(R"({"@what":"created","at":1,"type":"event"})") == event(app_read_union::created{})));
    using boxed = std::variant<box<app_read_union::circle>, box<app_read_union::square>>;
    BOOST_TEST((*std::get<1>(read<boxed>(R"({"side":2,"kind":"square"})")) == app_read_union::square{{}, 2}));
}

BOOST_AUTO_TEST_CASE(tag_can_be_empty)
{
    using perhaps = std::variant<app_read_union::untagged, app_read_union::circle>;
    BOOST_TEST((read<perhaps>(R"({"kind":"","width":2})") == perhaps(app_read_union::untagged{{}, 2})));
    BOOST_TEST((read<perhaps>(R"({"kind":"circle","radius":2})") == perhaps(app_read_union::circle{{}, 2})));
}

BOOST_AUTO_TEST_CASE(mismatch_after_a_matching_tag_is_reported_for_that_alternative)
{
    BOOST_TEST(problems_of<shape>(R"({"kind":"square"})") == "/side: expected a value, found nothing");
    BOOST_TEST(problems_of<shape>(R"({"radius":-1,"kind":"circle"})") == "/radius: expected a number from 0, found -1");
    BOOST_TEST(problems_of<std::vector<shape>>(R"([{"kind":"square","side":"1"}])") ==
               "/0/side: expected a number, found a string");
}

BOOST_AUTO_TEST_CASE(missing_or_unknown_tag_is_reported_with_known_tags)
{
    std::string const expected = R"(expected an object of kind "circle" or an object of kind "square", found )";
    BOOST_TEST(problems_of<shape>("{}") == expected + "an object");
    BOOST_TEST(problems_of<shape>(R"({"radius":1})") == expected + "an object");
    BOOST_TEST(problems_of<shape>(R"({"kind":"hexagon"})") == expected + "an object");
    BOOST_TEST(problems_of<shape>(R"({"kind":1})") == expected + "an object");
    BOOST_TEST(problems_of<shape>(R"({"Kind":"circle"})") == expected + "an object");
    BOOST_TEST(problems_of<shape>("[]") == expected + "an array");
    BOOST_TEST(problems_of<event>(R"({"type":"event"})") ==
               R"(expected an object of type "event" and @what "created" or )"
               R"(an object of type "event" and @what "removed", found an object)");
}

BOOST_AUTO_TEST_CASE(optional_tag_selects_the_alternative_if_present)
{
    using either = std::variant<app_read_union::maybe_ring, app_read_union::maybe_disc>;
    BOOST_TEST(read<either>(R"({"kind":"disc","radius":1})").index() == 1u);
    BOOST_TEST(read<either>(R"({"radius":1})").index() == 0u);
}

BOOST_AUTO_TEST_CASE(untagged_struct_accepts_objects_that_other_alternatives_reject)
{
    using open = std::variant<app_read_union::circle, app_read_union::anything>;
    BOOST_TEST((read<open>(R"({"kind":"circle","radius":1})") == open(app_read_union::circle{{}, 1})));
    BOOST_TEST((read<open>(R"({"kind":"hexagon"})") == open(app_read_union::anything{"hexagon"})));
    BOOST_TEST((read<open>("{}") == open(app_read_union::anything{})));
    BOOST_TEST((read<open>(R"({"kind":"circle"})") ==
                open(app_read_union::anything{"circle"}))); // not a circle: the radius is missing
}

BOOST_AUTO_TEST_CASE(first_matching_alternative_is_used_if_nothing_distinguishes_them)
{
    BOOST_TEST((read<name_or_id>(R"({"name":"a"})") == name_or_id(app_read_union::by_name{"a"})));
    BOOST_TEST((read<name_or_id>(R"({"id":1})") == name_or_id(app_read_union::by_id{1, {}})));
    BOOST_TEST((read<name_or_id>(R"({"id":1,"name":"a"})") == name_or_id(app_read_union::by_name{"a"})));
    using number = std::variant<int, double>;
    BOOST_TEST((read<number>("5") == number(5)));
    BOOST_TEST((read<number>("5.5") == number(5.5)));
    using texts = std::variant<literal<"auto">, std::string>;
    BOOST_TEST((read<texts>(R"("auto")") == texts(literal<"auto">())));
    BOOST_TEST((read<texts>(R"("off")") == texts(std::string("off"))));
    using lists = std::variant<std::vector<int>, std::vector<std::string>>;
    BOOST_TEST((read<lists>(R"(["a"])") == lists(std::vector<std::string>{"a"})));
    BOOST_TEST((read<lists>("[]") == lists(std::vector<int>())));
}

BOOST_AUTO_TEST_CASE(closest_alternative_is_reported_if_none_matches)
{
    BOOST_TEST(problems_of<name_or_id>(R"({"id":"1"})") ==
               R"(expected an object with "name" or an object with "id", found a value that matches none of them; )"
               "/name: expected a value, found nothing");
    BOOST_TEST(problems_of<name_or_id>(R"({"id":"1","name":2})") ==
               R"(expected an object with "name" or an object with "id", found a value that matches none of them; )"
               "/name: expected a string, found a number");
}

BOOST_AUTO_TEST_CASE(alternative_without_literals_is_named_by_its_required_members)
{
    using several = std::variant<app_read_union::wide, app_read_union::by_id, app_read_union::folder>;
    BOOST_TEST(problems_of<several>("[]") ==
               R"(expected an object with "a", "b", "c" and other members or an object with "id" or an object, )"
               "found an array");
}

BOOST_AUTO_TEST_CASE(partial_result_of_a_failed_alternative_is_discarded)
{
    using lists = std::vector<std::variant<std::vector<int>, std::vector<std::string>>>;
    auto const both = read<lists>(R"([[1,2],["a","b"],[3]])");
    BOOST_TEST((both == lists{std::vector<int>{1, 2}, std::vector<std::string>{"a", "b"}, std::vector<int>{3}}));
}

BOOST_AUTO_TEST_CASE(nested_alternatives_are_decoded)
{
    auto const made = read<app_read_union::term>(R"({"terms":[{"value":1},{"terms":[{"value":2}]},{"terms":[]}]})");
    auto const& all = std::get<box<app_read_union::sum>>(made)->terms;
    BOOST_REQUIRE(all.size() == 3u);
    BOOST_TEST(std::get<box<app_read_union::leaf>>(all[0])->value == 1);
    BOOST_TEST(std::get<box<app_read_union::leaf>>(std::get<box<app_read_union::sum>>(all[1])->terms[0])->value == 2);
    // Both alternatives fail, and both alternatives of the inner variant.
    BOOST_TEST(problems_of<app_read_union::term>(R"({"terms":[{"value":"a"}]})") ==
               R"(expected an object with "value" or an object with "terms", found a value that matches none of them; )"
               R"(/terms/0: expected an object with "value" or an object with "terms", )"
               "found a value that matches none of them; "
               "/terms/0/value: expected an integer, found a string");
    using nested_one = std::variant<std::variant<int, bool>, std::variant<std::string, shape>>;
    BOOST_TEST(read<nested_one>("true").index() == 0u);
    BOOST_TEST(read<nested_one>(R"({"kind":"circle","radius":1})").index() == 1u);
}

BOOST_AUTO_TEST_CASE(long_list_of_alternatives_is_decoded)
{
    std::string text = "[";
    for (int i = 0; i != 70'000; ++i)
        text += R"({"id":1},)";
    auto const all = read<std::vector<name_or_id>>(text + R"({"name":"a"}])");
    BOOST_TEST(all.size() == 70'001u);
    BOOST_TEST(all.front().index() == 1u);
    BOOST_TEST(all.back().index() == 0u);
    std::string reals = "[5.5";
    for (int i = 0; i != 70'000; ++i)
        reals += ",5.5";
    BOOST_TEST((read<std::vector<std::variant<int, double>>>(reals + "]").size() == 70'001u));
}

// Text that is not JSON is reported as such, even if the error is found while an alternative is tried.
BOOST_AUTO_TEST_CASE(invalid_json_within_an_alternative_is_reported)
{
    for (std::string_view const text :
         {"{\"\xff\":1,\"id\":5}", "{\"id\":5,\"\\q\":1}", "{\"name\":\"a\",\"more\":{\"x\":}}"}) {
        linkspan::mismatches all;
        name_or_id out;
        BOOST_TEST(!linkspan::decode(out, text, all));
        BOOST_TEST(to_string(all).starts_with("expected JSON, found invalid text at byte "));
        all.clear();
        std::vector<std::variant<app_read_union::folder, std::vector<name_or_id>>> list;
        BOOST_TEST(!linkspan::decode(list, "[[" + std::string(text) + "]]", all));
        BOOST_TEST(to_string(all).starts_with("expected JSON, found invalid text at byte "));
    }
}

// The pointers of the mismatches of all failed alternatives would together be much longer than the text.
BOOST_AUTO_TEST_CASE(deep_and_long_list_of_alternatives_is_decoded)
{
    std::string items = R"({"id":1})";
    for (int i = 0; i != 20'000; ++i)
        items += R"(,{"id":1})";
    auto const text = nested(R"({"children":[)", 200, R"({"items":[)" + items + "]}", "]}");
    auto const root = read<app_read_union::folder>(text);
    auto const* at = &root;
    while (!at->children.empty())
        at = &at->children.front();
    BOOST_TEST(at->items.size() == 20'001u);
    auto const bad = nested(R"({"children":[)", 3, R"({"items":[{"id":1},{}]})", "]}");
    BOOST_TEST(problems_of<app_read_union::folder>(bad) ==
               R"(/children/0/children/0/children/0/items/1: expected an object with "name" or an object with "id", )"
               "found a value that matches none of them; "
               "/children/0/children/0/children/0/items/1/name: expected a value, found nothing");
}

// Without a limit of steps, 2^200 combinations of alternatives would be tried.
BOOST_AUTO_TEST_CASE(nested_alternatives_take_bounded_time)
{
    auto const text = nested(R"({"next":)", 200, "{}", "}");
    auto const gives_up = [](auto const& from) {
        linkspan::mismatches all;
        app_read_union::either out;
        BOOST_TEST(!linkspan::decode(out, from, all));
        BOOST_TEST(linkspan::to_string(all).find("a value that takes too many steps to match") != std::string::npos);
    };
    gives_up(text); // the limits of text and of a parsed value are separate
    gives_up(boost::json::parse(text, {}, {.max_depth = 300}));
    auto const ended = nested(R"({"left_end":1,"next":)", 100, R"({"right_end":1})", "}");
    BOOST_TEST(problems_of<app_read_union::either>(ended) == "");
}

// Each search for a literal reads all members before the literal.
BOOST_AUTO_TEST_CASE(tags_after_long_members_take_bounded_time)
{
    std::string const much = "[" + nested("0,", 200'000, "0", "") + "]";
    auto const text = nested(R"({"next":)", 500, R"({"more":)" + much + R"(,"tag":"left"})", R"(,"tag":"right"})");
    linkspan::mismatches all;
    app_read_union::tagged out;
    BOOST_TEST(!linkspan::decode(out, text, all));
    BOOST_REQUIRE(all.size() == 1u);
    BOOST_TEST(all[0].found == "a value that takes too many steps to match");
    auto const fewer = nested(R"({"next":)", 100, R"({"more":)" + much + R"(,"tag":"left"})", R"(,"tag":"right"})");
    all.clear();
    BOOST_TEST(linkspan::decode(out, fewer, all));
}

BOOST_AUTO_TEST_CASE(alternatives_are_disjoint_if_a_kind_or_tag_distinguishes_them)
{
    using linkspan::detail::are_alternatives_disjoint;
    static_assert(are_alternatives_disjoint<app_read_union::circle, app_read_union::square>());
    static_assert(are_alternatives_disjoint<app_read_union::created, app_read_union::removed>());
    static_assert(are_alternatives_disjoint<box<app_read_union::circle>, app_read_union::square, int>());
    static_assert(are_alternatives_disjoint<literal<"a">, literal<"b">, bool>());
    static_assert(!are_alternatives_disjoint<app_read_union::circle, app_read_union::anything>());
    static_assert(!are_alternatives_disjoint<app_read_union::circle, app_read_union::circle>());
    static_assert(!are_alternatives_disjoint<literal<"a">, std::string>());
    static_assert(!are_alternatives_disjoint<app_read_union::maybe_ring, app_read_union::maybe_disc>());
    static_assert(!are_alternatives_disjoint<int, double>());
    static_assert(!are_alternatives_disjoint<int, std::optional<int>>());
    static_assert(!are_alternatives_disjoint<std::optional<int>, linkspan::null_type>());
    static_assert(!are_alternatives_disjoint<int, linkspan::one_or_many<int>>());
}

BOOST_AUTO_TEST_SUITE_END()

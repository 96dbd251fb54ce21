#ifndef LINKSPAN_TEST_SUPPORT_EVERY_KIND_HPP
#define LINKSPAN_TEST_SUPPORT_EVERY_KIND_HPP

#include <linkspan/describe/detail/kind.hpp>
#include <linkspan/describe/struct.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// A struct with a member of each kind, and one with each constraint.
namespace app_every_kind {

enum class unit { celsius, fahrenheit, none };
LINKSPAN_ENUM(unit, (celsius), (fahrenheit, "deg \"F\""), (none, ""))

struct id {
    unsigned value = 0;

    bool operator==(id const&) const = default;
};

struct circle {
    linkspan::literal<"circle"> kind;
    double radius = 0;

    bool operator==(circle const&) const = default;
};

struct square {
    linkspan::literal<"square"> kind;
    float side = 0;
    std::optional<std::string> name;

    bool operator==(square const&) const = default;
};

struct node {
    std::string label;
    std::vector<node> children;
    std::optional<linkspan::box<node>> next;

    bool operator==(node const&) const = default;
};

} // namespace app_every_kind

template<>
struct linkspan::json_as<app_every_kind::id> {
    using type = std::string;
    static std::string to(app_every_kind::id const& value) { return "#" + std::string(value.value % 7, 'x'); }
    static bool from(std::string const& text, app_every_kind::id& value)
    {
        value.value = static_cast<unsigned>(text.size()) - 1;
        return text.size() <= 7 && text == to(value);
    }
    static constexpr std::string_view expected = "an id";
};

namespace app_every_kind {

LINKSPAN_STRUCT(circle, (kind), (radius))
LINKSPAN_STRUCT(square, (side, named{"a \"side\"\n"}), (name), (kind))
BOOST_DESCRIBE_STRUCT(node, (), (label, children, next))

struct every_kind {
    bool flag = false;
    std::int8_t tiny = 0;
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    double number = 0;
    float single = 0;
    std::string text;
    unit in = unit::celsius;
    linkspan::null_type nothing;
    linkspan::literal<"x\"y"> tag;
    linkspan::constant<-5> five;
    linkspan::constant<true> yes;
    id who;
    boost::json::value any;
    boost::json::object object;
    boost::json::array array;
    std::optional<int> missing;
    std::optional<std::vector<std::string>> more;
    linkspan::nullable<std::string> cleared;
    linkspan::nullable<circle> gone;
    linkspan::box<double> boxed{0.0};
    std::vector<double> list;
    std::vector<bool> bits;
    std::vector<std::optional<int>> gaps;
    std::set<std::string> set;
    std::array<int, 3> three{};
    std::tuple<int, std::string, bool> tuple;
    std::pair<circle, circle> pair;
    std::map<std::string, int> map;
    std::unordered_map<std::string, node> nodes;
    linkspan::one_or_many<std::string> some;
    std::variant<circle, square> shape;
    std::variant<linkspan::null_type, bool, std::string, std::vector<int>, square> either;
    node tree;

    bool operator==(every_kind const&) const = default;
};

LINKSPAN_STRUCT(every_kind, (flag), (tiny), (integer), (natural), (number), (single), (text), (in), (nothing), (tag),
                (five), (yes), (who), (any), (object), (array), (missing), (more), (cleared), (gone), (boxed), (list),
                (bits), (gaps), (set), (three), (tuple), (pair), (map), (nodes), (some), (shape), (either), (tree))

struct bounded {
    int from_to = 1;
    double between = 0.5;
    float single = 0.1F;
    std::uint64_t large = 0;
    double steps = 0;
    std::string length = "ab";
    std::string matching = "a1";
    std::optional<int> optional;
    linkspan::nullable<int> nullable;
    linkspan::box<int> boxed{1};
    std::vector<int> list{1};
    std::set<int> set{1};
    std::array<int, 2> array{1, 2};
    boost::json::array any{1};
    boost::json::object object{{"a", 1}};
    std::map<std::string, int> map{{"a", 1}};
    linkspan::one_or_many<int> some{1};
    std::variant<int, std::string> either{1};
    std::optional<int> needed = 1;
    linkspan::nullable<int> present{nullptr};
    linkspan::rest<int> others;

    bool operator==(bounded const&) const = default;
};

LINKSPAN_STRUCT((bounded, closed), (from_to, min{1}, max{9}), (between, above{0}, below{5}),
                (single, min{0.1}, max{9.7}), (large, max{18446744073709551614u}), (steps, multiple_of{0.1}),
                (length, min_length{1}, max_length{3}), (matching, pattern{"^[a-c1]*$"}), (optional, min{1}),
                (nullable, max{9}), (boxed, min{1}, max{9}), (list, min_items{1}, max_items{3}, unique_items, min{1}),
                (set, min_items{1}, max{9}), (array, unique_items, min{0}), (any, min_items{1}, unique_items),
                (object, min_properties{1}, max_properties{2}),
                (map, min_properties{1}, max_properties{2}, min{0}, max{9}), (some, max_items{2}, min{1}),
                (either, min{1}, min_length{1}), (needed, required, max{9}), (present, required), (others, min{1}))

} // namespace app_every_kind

#endif

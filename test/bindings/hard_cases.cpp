// Checks the types of a generated header; their schemas are in hard_cases.lock.json.

#include "generated/hard_cases.hpp"

#include <type_traits>

namespace {

using namespace hard_cases;

// g++ 12 miscompiles temporaries of aggregates in `co_await`.
static_assert(!std::is_aggregate_v<closed> && !std::is_aggregate_v<maps> && !std::is_aggregate_v<recursive_node>);
static_assert(std::is_default_constructible_v<recursive> && std::is_copy_constructible_v<recursive> &&
              std::is_nothrow_move_constructible_v<closed>);

// The constructor takes the required members without a fixed value, in the order of the schema.
static_assert(std::is_constructible_v<scalars, std::string, std::int64_t, boost::json::value>);
static_assert(std::is_constructible_v<nullable, linkspan::nullable<std::string>, nullable_object>);
static_assert(!std::is_convertible_v<std::string, recursive_node>);
static_assert(std::is_same_v<decltype(collisions::a_b_3), std::string>);

static_assert(std::is_same_v<decltype(constants::kind), linkspan::literal<"ship">>);
static_assert(std::is_same_v<decltype(constants::yes), linkspan::constant<true>>);
static_assert(std::is_same_v<decltype(lists::pair), std::tuple<double, std::string>>);
static_assert(std::is_same_v<decltype(lists::open_pair), std::optional<boost::json::array>>);
static_assert(std::is_same_v<decltype(lists::sized_pair), std::optional<std::tuple<bool, std::int64_t>>>);
static_assert(
    std::is_same_v<decltype(lists_of_draft_7::old_pair), std::optional<std::tuple<std::int64_t, std::int64_t>>>);
static_assert(std::is_same_v<decltype(lists::one_or_many), linkspan::one_or_many<std::string>>);
static_assert(std::is_same_v<decltype(maps::others), linkspan::rest<linkspan::nullable<std::string>>>);
static_assert(std::is_same_v<decltype(unions::tagged), std::variant<unions_tagged_circle, unions_tagged_square_ish>>);
static_assert(std::is_same_v<decltype(recursive_node::kids), std::optional<std::vector<recursive_node>>>);
static_assert(std::is_same_v<decltype(recursive_node::parent), std::optional<linkspan::box<recursive_node>>>);

// A recursion through required members is possible if a variant or a list ends the recursion.
static_assert(std::is_same_v<decltype(recursive_and_required_e::left),
                             std::variant<linkspan::box<recursive_and_required_e>, double>>);
static_assert(std::is_same_v<decltype(recursive_and_required_node::up),
                             linkspan::one_or_many<linkspan::box<recursive_and_required_node>>>);
static_assert(std::is_constructible_v<fixed_or_null, linkspan::nullable<linkspan::literal<"x">>>);
static_assert(std::is_same_v<decltype(beside_references_whole::id), std::string> &&
              std::is_same_v<decltype(beside_references_whole::extra), std::optional<std::int64_t>>);

// Names that would otherwise occur twice in a struct.
static_assert(std::is_same_v<decltype(arguments::arguments_2), linkspan::rest<boost::json::value>>);
static_assert(std::is_same_v<decltype(get::get_result_2), std::string> && std::is_same_v<get::result_type, get_result>);
static_assert(std::is_same_v<decltype(late_failure_result::e), late_failure_result_e>);

// The order of the alternatives ensures that the first match drops no members.
static_assert(std::is_same_v<decltype(unions_in_order::last_requires_more),
                             std::variant<unions_in_order_last_requires_more_2, unions_in_order_last_requires_more_3,
                                          unions_in_order_last_requires_more_1>>);
static_assert(std::is_same_v<decltype(unions_in_order_result::alike), boost::json::value>);

static_assert(linkspan_names(enums_berth()).size() == 126);
static_assert(linkspan_names(enums_lang())[1].name == "zh-hans");

// Texts may contain zero bytes.
static_assert(zero_byte::tool == std::string_view("zero\0byte", 9) && pins.back().tool == zero_byte::tool);
static_assert(linkspan_names(zero_byte_h())[1].name == std::string_view("i\0j", 3));
static_assert(std::is_same_v<decltype(zero_byte::k), std::optional<linkspan::literal<"l\0m">>>);

static_assert(list_harbours::tool == "list-harbours");
static_assert(closed::hints == linkspan::tool_annotations{
                                   .read_only = true, .destructive = false, .idempotent = true, .open_world = false});
static_assert(std::is_same_v<closed::result_type, linkspan::call_result>);
static_assert(
    std::is_same_v<result_of_map::result_type, std::map<std::string, std::vector<result_of_map_result_value_item>>>);
static_assert(closed::fingerprint.size() == 64 && closed::input_schema.starts_with('{'));
static_assert(pins.size() == 34 && pins.front() == linkspan::tool_pin{Empty::tool, Empty::fingerprint});

} // namespace

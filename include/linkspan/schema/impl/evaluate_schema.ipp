#ifndef LINKSPAN_SCHEMA_IMPL_EVALUATE_SCHEMA_IPP
#define LINKSPAN_SCHEMA_IMPL_EVALUATE_SCHEMA_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/core/detail/counted.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/schema/detail/compilation.hpp>
#include <linkspan/schema/detail/evaluate_schema.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline std::string text_of_kinds(std::uint8_t kinds)
{
    constexpr std::pair<std::uint8_t, std::string_view> names[] = {
        {value_kinds::null, "null"},       {value_kinds::boolean, "boolean"}, {value_kinds::fraction, "number"},
        {value_kinds::integer, "integer"}, {value_kinds::string, "string"},   {value_kinds::array, "array"},
        {value_kinds::object, "object"}};
    std::string out;
    for (auto const& [bit, name] : names) {
        bool const is_number_too = bit == value_kinds::integer && (kinds & value_kinds::fraction);
        if ((kinds & bit) && !is_number_too)
            out.append(out.empty() ? "" : " or ").append(name);
    }
    return out;
}

inline std::string text_of_number(boost::json::value const& number)
{
    if (!number.is_double())
        return boost::json::serialize(number);
    std::array<char, 32> text;
    auto const end = std::to_chars(text.data(), text.data() + text.size(), number.get_double()).ptr;
    return {text.data(), end};
}

LINKSPAN_DECL bool schema_evaluation::run(boost::json::value const& of)
{
    place const root{nullptr, {}, 0, false};
    return check(0, of, root, nullptr, nullptr) && !gave_up_;
}

LINKSPAN_DECL bool schema_evaluation::give_up() noexcept
{
    gave_up_ = true;
    return false;
}

LINKSPAN_DECL bool schema_evaluation::take_steps(std::size_t count) noexcept
{
    if (gave_up_ || steps_left_ < count)
        return give_up();
    steps_left_ -= count;
    return true;
}

LINKSPAN_DECL bool schema_evaluation::add(bool& valid, bool result) const noexcept
{
    valid &= result;
    return (valid || (errors_ && errors_->size() < max_errors_)) && !gave_up_;
}

// Inserts the error at `position`, or at the end.
LINKSPAN_DECL void schema_evaluation::report(visit const& now, std::string_view keyword, std::string message,
                                             std::size_t position)
{
    std::string instance;
    std::vector<place const*> path;
    for (auto const* at = &now.at; at->up; at = at->up)
        path.push_back(at);
    for (; !path.empty(); path.pop_back())
        instance +=
            '/' + (path.back()->is_element ? std::to_string(path.back()->index) : shortened_key(path.back()->key));
    auto schema = locate_schema(schema_.nodes, now.node, keyword == "false" ? "" : keyword);
    take_steps(1 + (instance.size() + schema.size() + message.size()) / 16);
    auto const at = errors_->begin() + static_cast<std::ptrdiff_t>(std::min(position, errors_->size()));
    errors_->insert(at, {std::move(instance), std::move(schema), std::string(keyword), std::move(message)});
    if (errors_->size() > max_errors_)
        errors_->pop_back();
}

LINKSPAN_DECL bool schema_evaluation::check(schema_index node, value const& of, place const& at, scope const* in,
                                            marks* seen)
{
    if (!take_step())
        return false;
    auto const& rules = schema_.nodes[node];
    scope const entered{in, rules.resource};
    bool const enters = !schema_.overrides.empty() && (!in || in->resource != rules.resource);
    visit const now{node, of, at, enters ? &entered : in, seen};
    if (rules.rejects_all)
        return fail(now, "false", "no value is allowed here");
    if (!(rules.kinds & kind_of_value(of)))
        return fail(now, "type", [&] { return "must be " + text_of_kinds(rules.kinds); });
    if (depth_left_ == 0)
        return give_up();
    --depth_left_;
    bool const is_valid = check_rules(now);
    ++depth_left_;
    return is_valid;
}

// Checks without recording errors.
LINKSPAN_DECL bool schema_evaluation::check_quietly(visit const& now, schema_index node, value const& of,
                                                    place const& at, marks* seen)
{
    auto* const errors = std::exchange(errors_, nullptr);
    bool const is_valid = check(node, of, at, now.in, seen);
    errors_ = errors;
    return is_valid;
}

// The `unevaluated...` keywords apply after all others to the rest that the schema has not evaluated. Therefore the
// schema has its own marks, which are merged into those of the enclosing schema if the value is valid.
LINKSPAN_DECL bool schema_evaluation::check_rules(visit const& outer)
{
    auto const& node = schema_.nodes[outer.node];
    if (node.unevaluated == no_schema)
        return check_adjacent(outer);
    marks own;
    visit const now{outer.node, outer.of, outer.at, outer.in, &own};
    if (!check_adjacent(now) || !check_unevaluated(now, schema_.unevaluated[node.unevaluated]))
        return false;
    return !outer.seen || merge(*outer.seen, own);
}

LINKSPAN_DECL bool schema_evaluation::check_adjacent(visit const& now)
{
    auto const& node = schema_.nodes[now.node];
    bool valid = true;
    if (node.enumerated != no_schema && !add(valid, check_values(now, schema_.values[node.enumerated])))
        return false;
    if (node.constant != no_schema && !add(valid, check_values(now, schema_.values[node.constant])))
        return false;
    if (node.number != no_schema && now.of.is_number() && !add(valid, check_number(now, schema_.numbers[node.number])))
        return false;
    if (node.string != no_schema && now.of.is_string() && !add(valid, check_string(now, schema_.strings[node.string])))
        return false;
    if (node.array != no_schema && now.of.is_array() && !add(valid, check_array(now, schema_.arrays[node.array])))
        return false;
    if (node.object != no_schema && now.of.is_object() && !add(valid, check_object(now, schema_.objects[node.object])))
        return false;
    if (node.logic != no_schema && !add(valid, check_logic(now, schema_.logic[node.logic])))
        return false;
    return valid;
}

LINKSPAN_DECL bool schema_evaluation::check_values(visit const& now, value_rules const& rules)
{
    if (auto const* const text = now.of.if_string()) {
        if (!take_text(*text))
            return false;
        if (std::ranges::binary_search(rules.strings, std::string_view(*text), std::less<>()))
            return true;
    } else {
        for (auto const& each : rules.others)
            if (equal(each, now.of))
                return true;
    }
    bool const is_one = rules.strings.size() + rules.others.size() == 1;
    return fail(now, rules.keyword,
                is_one ? "must be equal to the allowed value" : "must be one of the allowed values");
}

LINKSPAN_DECL bool schema_evaluation::check_number(visit const& now, number_rules const& rules)
{
    bool valid = true;
    auto const reject = [&](std::string_view keyword, std::string_view words, value const& bound) {
        return add(valid, fail(now, keyword, [&] { return std::string(words) + text_of_number(bound); }));
    };
    if (rules.minimum && compare_numbers(now.of, *rules.minimum) < 0 &&
        !reject("minimum", "must be at least ", *rules.minimum))
        return false;
    if (rules.maximum && compare_numbers(now.of, *rules.maximum) > 0 &&
        !reject("maximum", "must be at most ", *rules.maximum))
        return false;
    if (rules.above && compare_numbers(now.of, *rules.above) <= 0 &&
        !reject("exclusiveMinimum", "must be greater than ", *rules.above))
        return false;
    if (rules.below && compare_numbers(now.of, *rules.below) >= 0 &&
        !reject("exclusiveMaximum", "must be less than ", *rules.below))
        return false;
    if (rules.multiple_of && !is_multiple(now.of, *rules.multiple_of) &&
        !reject("multipleOf", "must be a multiple of ", *rules.multiple_of))
        return false;
    return valid;
}

// Checks a count against its limits.
LINKSPAN_DECL bool schema_evaluation::check_count(visit const& now, std::size_t count, count_range const& range,
                                                  count_names const& words)
{
    if (count >= range.min && count <= range.max)
        return true;
    bool const is_below = count < range.min;
    return fail(now, is_below ? words.min : words.max, [&] {
        return is_below ? "must have at least " + counted(range.min, words.of)
                        : "must have at most " + counted(range.max, words.of);
    });
}

LINKSPAN_DECL bool schema_evaluation::check_string(visit const& now, string_rules const& rules)
{
    std::string_view const text = now.of.get_string();
    bool valid = true;
    if (rules.length.min != 0 || rules.length.max < text.size()) {
        if (!take_text(text))
            return false;
        count_names const words{"minLength", "maxLength", {"character", "characters"}};
        if (!add(valid, check_count(now, count_code_points(text), rules.length, words)))
            return false;
    }
    if (rules.pattern != no_schema && !matches(rules.pattern, text))
        return fail(now, "pattern", "must match the pattern");
    return valid;
}

// Compares only elements with the same hash. All elements of a hostile array may have the same hash; the steps bound
// the cost.
LINKSPAN_DECL bool schema_evaluation::check_unique(visit const& now)
{
    auto const& array = now.of.get_array();
    if (array.size() < 2)
        return true;
    std::vector<std::pair<std::size_t, std::size_t>> order; // hash, position
    order.reserve(array.size());
    for (auto const& each : array)
        order.emplace_back(hash(each), order.size());
    std::ranges::sort(order);
    for (auto first = order.begin(); first != order.end(); ++first)
        for (auto other = first + 1; other != order.end() && other->first == first->first && !gave_up_; ++other)
            if (equal(array[first->second], array[other->second]))
                return fail(now, "uniqueItems", [&] {
                    return "must not have duplicate elements: " + std::to_string(first->second) + " equals " +
                           std::to_string(other->second);
                });
    return !gave_up_;
}

LINKSPAN_DECL bool schema_evaluation::matches(schema_index pattern, std::string_view text)
{
    auto const found = schema_.patterns[pattern].search(text, memory_, steps_left_);
    return found == schema_pattern::outcome::gave_up ? give_up() : found == schema_pattern::outcome::found;
}

LINKSPAN_DECL bool schema_evaluation::equal(value const& a, value const& b, std::size_t depth)
{
    if (!take_step())
        return false;
    if (depth > depth_left_)
        return give_up();
    if (a.is_number() && b.is_number())
        return compare_numbers(a, b) == 0;
    if (a.kind() != b.kind())
        return false;
    if (auto const* const array = a.if_array())
        return std::ranges::equal(*array, b.get_array(),
                                  [&](value const& x, value const& y) { return equal(x, y, depth + 1); });
    if (auto const* const object = a.if_object()) {
        auto const& other = b.get_object();
        return object->size() == other.size() && std::ranges::all_of(*object, [&](auto const& member) {
                   auto const* const counterpart = take_text(member.key()) ? other.if_contains(member.key()) : nullptr;
                   return counterpart && equal(member.value(), *counterpart, depth + 1);
               });
    }
    if (auto const* const text = a.if_string())
        return take_text(*text) && *text == b.get_string();
    return a == b;
}

inline constexpr std::size_t hash_factor = 0x9e3779b9;

inline std::size_t hash_member(std::string_view key, std::size_t of_value) noexcept
{
    return (std::hash<std::string_view>()(key) ^ of_value) * hash_factor;
}

// Equal values have the same hash.
LINKSPAN_DECL std::size_t schema_evaluation::hash(value const& of, std::size_t depth)
{
    if (!take_step() || (depth > depth_left_ && !give_up()))
        return 0;
    if (of.is_number())
        return std::hash<double>()(as_double(of));
    if (auto const* const text = of.if_string())
        return take_text(*text) ? std::hash<std::string_view>()(*text) : 0;
    std::size_t sum = static_cast<std::size_t>(of.kind());
    if (auto const* const array = of.if_array())
        for (auto const& each : *array)
            sum = sum * hash_factor + hash(each, depth + 1);
    else if (auto const* const object = of.if_object())
        for (auto const& member : *object) // the sum does not depend on the order
            sum += take_text(member.key()) ? hash_member(member.key(), hash(member.value(), depth + 1)) : 0;
    else if (auto const* const is_true = of.if_bool())
        sum += *is_true;
    return sum;
}

} // namespace linkspan::detail

#endif

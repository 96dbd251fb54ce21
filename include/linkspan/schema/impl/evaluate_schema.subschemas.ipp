#ifndef LINKSPAN_SCHEMA_IMPL_EVALUATE_SCHEMA_SUBSCHEMAS_IPP
#define LINKSPAN_SCHEMA_IMPL_EVALUATE_SCHEMA_SUBSCHEMAS_IPP

#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/schema/detail/evaluate_schema.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline property_rule const* find_property(std::vector<property_rule> const& rules, std::string_view name) noexcept
{
    auto const* at = rules.data();
    for (auto count = rules.size(); count != 0;) {
        auto const half = count / 2;
        auto const& middle = at[half];
        auto const order = property_order(middle.name, name);
        if (order == 0)
            return &middle;
        if (order < 0)
            at += half + 1;
        count = order < 0 ? count - half - 1 : half;
    }
    return nullptr;
}

LINKSPAN_DECL void schema_evaluation::marks::add(std::size_t position, std::size_t size)
{
    if (some_.size() < size)
        some_.resize(size);
    some_[position] = true;
}

LINKSPAN_DECL void schema_evaluation::marks::merge(marks const& other)
{
    all_ |= other.all_;
    if (some_.size() < other.some_.size())
        some_.resize(other.some_.size());
    for (std::size_t i = 0; i != other.some_.size(); ++i)
        if (other.some_[i])
            some_[i] = true;
}

LINKSPAN_DECL bool schema_evaluation::merge(marks& into, marks const& from)
{
    into.merge(from);
    return take_steps(from.size() / 64);
}

LINKSPAN_DECL bool schema_evaluation::check_array(visit const& now, array_rules const& rules)
{
    auto const& array = now.of.get_array();
    bool valid = true;
    if (!add(valid, check_count(now, array.size(), rules.size, {"minItems", "maxItems", {"element", "elements"}})))
        return false;
    if (!take_steps(array.size()))
        return false;
    auto const last = rules.rest != no_schema ? array.size() : std::min(rules.first.size(), array.size());
    for (std::size_t i = 0; i != last; ++i) {
        place const element{&now.at, {}, i, true};
        auto const schema = i < rules.first.size() ? rules.first[i] : rules.rest;
        if (!add(valid, check(schema, array[i], element, now.in, nullptr)))
            return false;
        if (now.seen && rules.rest == no_schema)
            now.seen->add(i, array.size());
    }
    if (now.seen && rules.rest != no_schema)
        now.seen->add_all();
    if (rules.contains != no_schema && !add(valid, check_contains(now, rules)))
        return false;
    if (rules.is_unique && !add(valid, check_unique(now)))
        return false;
    return valid;
}

LINKSPAN_DECL bool schema_evaluation::check_contains(visit const& now, array_rules const& rules)
{
    auto const& array = now.of.get_array();
    std::size_t count = 0;
    for (std::size_t i = 0; i != array.size(); ++i) {
        place const element{&now.at, {}, i, true};
        if (!check_quietly(now, rules.contains, array[i], element, nullptr))
            continue;
        ++count;
        if (now.seen)
            now.seen->add(i, array.size());
        else if (count >= rules.contained.min && rules.contained.max == no_count)
            return true;
    }
    if (count == 0 && rules.contained.min == 1)
        return fail(now, "contains", "must contain at least one element that matches 'contains'");
    return check_count(
        now, count, rules.contained,
        {"minContains", "maxContains", {"element that matches 'contains'", "elements that match 'contains'"}});
}

LINKSPAN_DECL bool schema_evaluation::check_object(visit const& now, object_rules const& rules)
{
    auto const& object = now.of.get_object();
    bool valid = true;
    if (!add(valid,
             check_count(now, object.size(), rules.size, {"minProperties", "maxProperties", {"member", "members"}})))
        return false;
    if (!take_steps(object.size()))
        return false;
    std::size_t required = 0;
    bool const checks_members = !rules.properties.empty() || !rules.patterns.empty() || rules.has_unsupported_pattern ||
                                rules.additional != no_schema;
    for (std::size_t i = 0; checks_members && i != object.size(); ++i)
        if (!add(valid, check_member(now, rules, i, required)))
            return false;
    if (required != rules.required && !add(valid, report_missing(now, rules)))
        return false;
    if (rules.names != no_schema && !add(valid, check_names(now, rules.names)))
        return false;
    if (!take_steps(rules.dependencies.size()))
        return false;
    for (auto const& rule : rules.dependencies)
        if (!take_text(rule.name) || (object.contains(rule.name) && !add(valid, check_dependency(now, rule))))
            return false;
    return valid;
}

LINKSPAN_DECL bool schema_evaluation::check_names(visit const& now, schema_index names)
{
    bool valid = true;
    for (auto const& member : now.of.get_object()) {
        if (!take_text(member.key()))
            return false;
        place const named{&now.at, member.key(), 0, false};
        value const name(member.key());
        if (!add(valid, check(names, name, named, now.in, nullptr)))
            return false;
    }
    return valid;
}

LINKSPAN_DECL bool schema_evaluation::check_member(visit const& now, object_rules const& rules, std::size_t position,
                                                   std::size_t& required)
{
    auto const& object = now.of.get_object();
    auto const& member = object.begin()[static_cast<std::ptrdiff_t>(position)];
    std::string_view const name = member.key();
    place const inner{&now.at, name, 0, false};
    if (!take_text(name))
        return false;
    bool valid = true;
    bool is_known = false;
    if (auto const* const rule = find_property(rules.properties, name)) {
        required += rule->is_required;
        is_known = rule->schema != no_schema;
        if (is_known && !add(valid, check(rule->schema, member.value(), inner, now.in, nullptr)))
            return false;
    }
    for (auto const& [pattern, schema] : rules.patterns) {
        if (!matches(pattern, name))
            continue;
        is_known = true;
        if (!add(valid, check(schema, member.value(), inner, now.in, nullptr)))
            return false;
    }
    is_known |= rules.has_unsupported_pattern;
    if (!is_known && rules.additional != no_schema) {
        is_known = true;
        if (!add(valid, check(rules.additional, member.value(), inner, now.in, nullptr)))
            return false;
    }
    if (now.seen && is_known)
        now.seen->add(position, object.size());
    return valid;
}

LINKSPAN_DECL bool schema_evaluation::report_missing(visit const& now, object_rules const& rules)
{
    for (auto const& rule : rules.properties) {
        if (!errors_ || errors_->size() >= max_errors_ || !take_step() || !take_text(rule.name))
            return false;
        if (rule.is_required && !now.of.get_object().contains(rule.name))
            fail(now, "required", [&] { return "must have the member '" + shortened_text(rule.name) + "'"; });
    }
    return false;
}

LINKSPAN_DECL bool schema_evaluation::check_dependency(visit const& now, dependency_rule const& rule)
{
    if (rule.schema != no_schema)
        return check(rule.schema, now.of, now.at, now.in, now.seen);
    auto const reject = [&](std::string_view name) {
        return fail(now, rule.keyword, [&] {
            return "must have '" + shortened_text(name) + "', required by '" + shortened_text(rule.name) + "'";
        });
    };
    bool valid = true;
    for (auto const& name : rule.required) {
        if (!take_step() || !take_text(name))
            return false;
        if (!now.of.get_object().contains(name) && !add(valid, reject(name)))
            return false;
    }
    return valid;
}

LINKSPAN_DECL bool schema_evaluation::check_logic(visit const& now, logic_rules const& rules)
{
    bool valid = true;
    for (auto const& reference : rules.references)
        if (!add(valid, check_reference(now, reference)))
            return false;
    for (auto const each : rules.all)
        if (!add(valid, check(each, now.of, now.at, now.in, now.seen)))
            return false;
    if (!rules.any.empty() && !add(valid, check_any(now, rules.any)))
        return false;
    if (!rules.one.empty() && !add(valid, check_one(now, rules.one)))
        return false;
    if (rules.no != no_schema && check_quietly(now, rules.no, now.of, now.at, nullptr) &&
        !add(valid, fail(now, "not", "must not match the schema of 'not'")))
        return false;
    if (rules.condition != no_schema && !add(valid, check_condition(now, rules)))
        return false;
    return valid;
}

// A dynamic reference refers to the schema with its name in the outermost of the entered resources that has the name.
LINKSPAN_DECL bool schema_evaluation::check_reference(visit const& now, reference_rule const& rule)
{
    auto target = rule.schema;
    if (rule.overrides != no_schema) {
        auto const& overrides = schema_.overrides[rule.overrides];
        auto const steps = static_cast<std::size_t>(std::bit_width(overrides.size()));
        for (auto const* at = now.in; at; at = at->up) {
            if (!take_steps(steps))
                return false;
            auto const found =
                std::ranges::lower_bound(overrides, at->resource, {}, &dynamic_overrides::value_type::first);
            target = found == overrides.end() || found->first != at->resource ? target : found->second;
        }
    }
    return check(target, now.of, now.at, now.in, now.seen);
}

// The error that no alternative matches is known last, but precedes the errors of the alternatives.
LINKSPAN_DECL bool schema_evaluation::check_any(visit const& now, std::vector<schema_index> const& alternatives)
{
    auto const before = errors_ ? errors_->size() : 0;
    bool valid = false;
    for (auto const each : alternatives) {
        marks own;
        if (!check(each, now.of, now.at, now.in, now.seen ? &own : nullptr))
            continue;
        valid = true;
        if (!now.seen)
            break;
        if (!merge(*now.seen, own))
            return false;
    }
    if (valid && errors_)
        errors_->resize(before);
    if (valid || gave_up_)
        return valid && !gave_up_;
    return fail_before(before, now, "anyOf", [&] {
        return "must match at least one of " + std::to_string(alternatives.size()) + " schemas, but matches none";
    });
}

LINKSPAN_DECL bool schema_evaluation::check_one(visit const& now, std::vector<schema_index> const& alternatives)
{
    auto const before = errors_ ? errors_->size() : 0;
    std::size_t first = alternatives.size();
    for (std::size_t i = 0; i != alternatives.size() && !gave_up_; ++i) {
        marks own;
        if (!check(alternatives[i], now.of, now.at, now.in, now.seen ? &own : nullptr))
            continue;
        if (first != alternatives.size()) {
            if (errors_)
                errors_->resize(before);
            return fail(now, "oneOf", [&] {
                return "must match exactly one schema, but matches the schemas " + std::to_string(first) + " and " +
                       std::to_string(i);
            });
        }
        first = i;
        if (now.seen && !merge(*now.seen, own))
            return false;
    }
    bool const valid = first != alternatives.size();
    if (valid && errors_)
        errors_->resize(before);
    if (valid || gave_up_)
        return valid && !gave_up_;
    return fail_before(before, now, "oneOf", [&] {
        return "must match exactly one of " + std::to_string(alternatives.size()) + " schemas, but matches none";
    });
}

LINKSPAN_DECL bool schema_evaluation::check_condition(visit const& now, logic_rules const& rules)
{
    marks own;
    bool const holds = check_quietly(now, rules.condition, now.of, now.at, now.seen ? &own : nullptr);
    if (gave_up_ || (holds && now.seen && !merge(*now.seen, own)))
        return false;
    auto const next = holds ? rules.then : rules.otherwise;
    return next == no_schema || check(next, now.of, now.at, now.in, now.seen);
}

LINKSPAN_DECL bool schema_evaluation::check_unevaluated(visit const& now,
                                                        compiled_schema::unevaluated_rules const& rules)
{
    bool valid = true;
    if (auto const* const array = now.of.if_array(); array && rules.items != no_schema) {
        for (std::size_t i = 0; i != array->size(); ++i) {
            place const element{&now.at, {}, i, true};
            if (!now.seen->has(i) && !add(valid, check(rules.items, (*array)[i], element, now.in, nullptr)))
                return false;
        }
        now.seen->add_all();
    }
    if (auto const* const object = now.of.if_object(); object && rules.properties != no_schema) {
        std::size_t position = 0;
        for (auto const& member : *object) {
            place const inner{&now.at, member.key(), 0, false};
            if (!now.seen->has(position++) &&
                !add(valid, check(rules.properties, member.value(), inner, now.in, nullptr)))
                return false;
        }
        now.seen->add_all();
    }
    return valid;
}

} // namespace linkspan::detail

#endif

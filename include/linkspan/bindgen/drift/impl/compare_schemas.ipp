#ifndef LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_IPP
#define LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_IPP

#include <linkspan/bindgen/drift/detail/compare_schemas.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

inline constexpr unsigned max_compared_depth = 64;
inline constexpr std::size_t max_steps = 300'000;
inline constexpr std::size_t step_of_text = 64; // bytes of text that cost as much as one value

inline std::size_t size_of(json::object const* schema) { return schema ? schema->size() : 0; }

LINKSPAN_DECL bool schema_comparison::charge(std::size_t steps)
{
    steps_ += steps;
    is_limit_exceeded_ = is_limit_exceeded_ || steps_ > max_steps;
    return !is_limit_exceeded_;
}

LINKSPAN_DECL bool schema_comparison::charge_text(std::size_t size) { return charge(1 + size / step_of_text); }

// Adds the cost of a value. Called before the value is copied, hashed or compared.
LINKSPAN_DECL bool schema_comparison::charge_value(json::value const& value)
{
    if (auto const* const text = value.if_string())
        return charge_text(text->size());
    if (auto const* const elements = value.if_array())
        return charge(1) && std::ranges::all_of(*elements, [&](auto const& element) { return charge_value(element); });
    auto const* const object = value.if_object();
    return charge(1) && (!object || std::ranges::all_of(*object, [&](auto const& member) {
               return charge_text(member.key().size()) && charge_value(member.value());
           }));
}

// Adds the cost of the pointers of all members, because each name is appended to `pointer`.
LINKSPAN_DECL bool schema_comparison::charge_names(json::value const& names, std::string const& pointer)
{
    if (auto const* const object = names.if_object())
        return std::ranges::all_of(
            *object, [&](auto const& member) { return charge_text(pointer.size() + member.key().size()); });
    auto const* const list = names.if_array();
    return !list || (charge(list->size() * (pointer.size() / step_of_text)) && charge_value(names));
}

LINKSPAN_DECL bool schema_comparison::is_equal(json::value const& then, json::value const& now)
{
    return charge_value(then) && charge_value(now) && then == now;
}

LINKSPAN_DECL void schema_comparison::report(drift effect, std::string const& pointer, std::string what)
{
    if (charge_text(pointer.size() + what.size()))
        out_.push_back({effect, {}, pointer, std::move(what)});
}

LINKSPAN_DECL void schema_comparison::report_wider(std::string const& pointer, std::string what, drift for_result)
{
    report(side_ == schema_side::arguments ? drift::additive : for_result, pointer, std::move(what));
}

LINKSPAN_DECL void schema_comparison::report_narrower(std::string const& pointer, std::string what, drift for_arguments)
{
    report(side_ == schema_side::result ? drift::additive : for_arguments, pointer, std::move(what));
}

LINKSPAN_DECL std::vector<difference> schema_comparison::compare(std::string const& pointer)
{
    compare(then_root_, now_root_, pointer, 0);
    if (is_limit_exceeded_)
        out_.push_back({drift::risky, {}, pointer, "too large to be compared completely"});
    return std::exchange(out_, {});
}

LINKSPAN_DECL auto schema_comparison::read(json::value const& schema, json::value const& root) -> node
{
    node out;
    auto const& targets = &root == &then_root_ ? then_targets_ : now_targets_;
    auto const* at = &schema;
    for (unsigned count = 0; count != max_compared_depth; ++count) {
        auto const* const object = at->if_object();
        if (object && out.description.empty())
            out.description = keyword_view(*object)["description"].text().value_or("");
        if (object && out.title.empty())
            out.title = keyword_view(*object)["title"].text().value_or("");
        auto const* const ref = object ? find(*object, "$ref") : nullptr;
        if (!ref) {
            out.schema = &simplified(*at);
            out.members = out.schema->if_object();
            out.accepts_nothing = at->is_bool() && !at->get_bool();
            return out;
        }
        if (!charge(object->size()) || !charge_value(*ref))
            return out;
        out.refers = true;
        for (auto const& [key, value] : *object)
            if (key != "$ref" && !is_annotation(view(key)))
                out.beside[view(key)] = &value;
        at = ref->is_string() ? targets.find_target(view(ref->get_string())) : nullptr;
        if (!at)
            return out;
    }
    return out;
}

LINKSPAN_DECL void schema_comparison::compare(json::value const& then, json::value const& now,
                                              std::string const& pointer, unsigned depth)
{
    if (is_trial_ && !out_.empty())
        return;
    is_limit_exceeded_ = is_limit_exceeded_ || depth > max_compared_depth;
    if (!charge_text(pointer.size()))
        return;
    auto const a = read(then, then_root_);
    auto const b = read(now, now_root_);
    if (!charge(size_of(a.members) + size_of(b.members)))
        return;
    if (!a.schema || !b.schema) {
        if (roots_differ_ || !is_equal(then, now))
            report(drift::risky, pointer, "reference has no target, and cannot be compared");
        return;
    }
    if (roots_differ_ && ((a.refers && then_targets_.has_parts()) || (b.refers && now_targets_.has_parts())))
        report(drift::risky, pointer, "target of the reference may be a schema with its own $id, and may have changed");
    if (!pairs_.emplace(a.schema, b.schema).second)
        return;
    entered_.emplace_back(a.schema, b.schema);
    compare_beside(a, b, pointer);
    compare_texts(a, b, pointer);
    if (a.accepts_nothing || b.accepts_nothing) {
        if (!a.accepts_nothing)
            report_narrower(pointer, "no value is allowed now");
        else if (!b.accepts_nothing)
            report_wider(pointer, "values are allowed now", drift::additive);
        return;
    }
    json::object const none;
    auto const& old = a.members ? *a.members : none;
    auto const& fresh = b.members ? *b.members : none;
    if (!compare_types(*a.schema, *b.schema, pointer))
        return;
    compare_default(old, fresh, pointer);
    if (!compare_unions(a, b, pointer, depth))
        compare_members(old, fresh, pointer, depth);
}

LINKSPAN_DECL void schema_comparison::forget_pairs(std::size_t known)
{
    for (; entered_.size() != known; entered_.pop_back())
        pairs_.erase(entered_.back());
}

LINKSPAN_DECL void schema_comparison::compare_members(members const& old, members const& fresh,
                                                      std::string const& pointer, unsigned depth)
{
    compare_values(old, fresh, pointer);
    compare_limits(old, fresh, pointer);
    compare_rules(old, fresh, pointer);
    compare_properties(old, fresh, pointer, depth);
    compare_others(old, fresh, pointer, depth);
    compare_items(old, fresh, pointer, depth);
    compare_all_of(old, fresh, pointer, depth);
    compare_rest(old, fresh, pointer);
}

LINKSPAN_DECL bool schema_comparison::is_same(json::value const& then, json::value const& now, unsigned depth)
{
    auto reported = std::exchange(out_, {});
    auto const was_trial = std::exchange(is_trial_, true);
    auto const known = entered_.size();
    compare(then, now, {}, depth);
    bool const same = out_.empty() && !is_limit_exceeded_;
    out_ = std::move(reported);
    is_trial_ = was_trial;
    if (!same)
        forget_pairs(known);
    return same;
}

} // namespace linkspan::bindgen::detail

#endif

#ifndef LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SOURCE_CONTAINERS_IPP
#define LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SOURCE_CONTAINERS_IPP

#include <linkspan/test/sample/sample_source.hpp>
#include <linkspan/test/sample/sample_text.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <array>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

inline std::string escape_token(std::string_view token)
{
    std::string out;
    for (char const c : token)
        if (c == '~' || c == '/')
            out += c == '~' ? "~0" : "~1";
        else
            out += c;
    return out;
}

} // namespace detail

LINKSPAN_DECL sample_source::places sample_source::at_position(demand const& wanted, std::size_t at) const
{
    places out;
    bool is_known = false;
    for (auto const* const part : wanted.parts) {
        auto const items = detail::keyword_view(*part)["items"];
        auto const* first = schema_->keyword(*part, "prefixItems").array();
        auto const* rest = items.get();
        if (items.array()) { // draft 7
            first = items.array();
            rest = part->if_contains("additionalItems");
        }
        if (first && at < first->size())
            rest = &(*first)[at];
        if (rest) {
            out.push_back(rest);
            is_known = true;
        }
    }
    for (auto const* const part : wanted.parts)
        if (auto const rest = schema_->keyword(*part, "unevaluatedItems"); rest && !is_known)
            out.push_back(rest.get());
    return out;
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make_array(demand const& wanted)
{
    constexpr std::size_t max_items = 32;
    detail::sample_range size;
    bool is_unique = false;
    places contained;
    for (auto const* const part : wanted.parts) {
        size.narrow(*part, "minItems", "maxItems");
        is_unique |= detail::keyword_view(*part)["uniqueItems"].is(true);
        auto const* const some = part->if_contains("contains");
        if (!some)
            continue;
        auto const count = schema_->keyword(*part, "minContains").count().value_or(1);
        if (count > limits_.max_values - contained.size())
            return fail("more than " + std::to_string(limits_.max_values) + " items are required");
        contained.insert(contained.end(), count, some);
    }
    size.min = std::max(size.min, contained.size());
    if (size.min > limits_.max_values)
        return fail("more than " + std::to_string(limits_.max_values) + " items are required");
    if (size.min > size.max)
        return fail("more items are required than 'maxItems' permits");
    auto const count = choose_size(size, wanted.depth < 3 ? 4 : 2, max_items, is_small(wanted.depth));
    array out;
    while (out.size() < count) {
        auto where = at_position(wanted, out.size());
        if (count - out.size() <= contained.size()) // contained items are the last ones
            where.push_back(contained[count - out.size() - 1]);
        if (std::ranges::any_of(where, [](value const* one) { return *one == false; }) && out.size() >= size.min)
            break;
        if (!add_item(out, where, is_unique, wanted.depth)) {
            if (out.size() < size.min)
                return std::nullopt;
            break;
        }
    }
    return value(std::move(out));
}

LINKSPAN_DECL bool sample_source::add_item(array& to, places const& where, bool is_unique, std::size_t depth)
{
    constexpr unsigned trials = 12;
    auto const before = varies_;
    bool is_added = false;
    for (unsigned trial = 0; trial != trials && !is_added; ++trial) {
        auto item = make_member(where, std::to_string(to.size()), depth);
        if (!item)
            break;
        is_added = !is_unique || !spend(to.size() / 16) || std::ranges::find(to, *item) == to.end();
        if (is_added)
            to.push_back(std::move(*item));
        varies_ = before + 1;
    }
    varies_ = before;
    if (!is_added)
        fail("found no further item that differs from the others");
    return is_added;
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make_member(places const& where, std::string_view token,
                                                                           std::size_t depth)
{
    static value const anything = true;
    auto const size = path_.size();
    path_ += '/' + detail::escape_token(token);
    auto out = make(where.empty() ? places{&anything} : where, depth + 1);
    path_.resize(size);
    return out;
}

LINKSPAN_DECL sample_source::places sample_source::at_name(demand const& wanted, std::string_view name)
{
    places out;
    for (auto const* const part : wanted.parts) {
        auto const before = out.size();
        if (auto const* const properties = detail::keyword_view(*part)["properties"].object())
            if (auto const* const property = properties->if_contains(name))
                out.push_back(property);
        if (auto const* const rules = detail::keyword_view(*part)["patternProperties"].object())
            for (auto const& rule : *rules) {
                auto const& compiled = pattern(rule.key());
                if (compiled.fault_kind() == schema_pattern::fault::none && finds(compiled, name))
                    out.push_back(&rule.value());
            }
        if (auto const* const others = part->if_contains("additionalProperties"); others && out.size() == before)
            out.push_back(others);
    }
    if (out.empty())
        for (auto const* const part : wanted.parts)
            if (auto const others = schema_->keyword(*part, "unevaluatedProperties"))
                out.push_back(others.get());
    return out;
}

// Returns a name for an additional member; empty if none was found.
LINKSPAN_DECL std::string sample_source::make_name(demand const& wanted)
{
    constexpr std::array<std::string_view, 8> some{"extra",    "x-extra",    "a/b~c", "two words",
                                                   "\xd1\x8f", "\"quoted\"", "class", "0"};
    places rules;
    std::vector<std::string_view> patterns;
    for (auto const* const part : wanted.parts) {
        if (auto const* const rule = part->if_contains("propertyNames"))
            rules.push_back(rule);
        if (auto const* const named = detail::keyword_view(*part)["patternProperties"].object())
            for (auto const& rule : *named)
                patterns.emplace_back(rule.key());
    }
    if (!rules.empty()) {
        auto name = make(rules, wanted.depth + 1, detail::is_string);
        return name && name->is_string() ? std::string(name->get_string()) : std::string();
    }
    if (!patterns.empty() && !draw_.one_in(4))
        if (auto const& compiled = pattern(draw_.pick(patterns)); compiled.fault_kind() == schema_pattern::fault::none)
            return sample_pattern(compiled, 0, 100, is_small(wanted.depth), draw_).value_or(std::string());
    return draw_.one_in(4) ? sample_text(1 + draw_.below(8), draw_) : std::string(draw_.pick(some));
}

LINKSPAN_DECL void sample_source::add_extra_names(demand const& wanted, detail::sample_range size,
                                                  std::set<std::string, std::less<>>& known,
                                                  std::vector<std::string>& names)
{
    constexpr std::size_t trials = 16;
    bool is_map = true; // the object is a map: no names are specified
    for (auto const* const part : wanted.parts)
        is_map = is_map && !detail::keyword_view(*part)["properties"].object();
    for (auto const* const part : wanted.parts)
        is_map |= detail::keyword_view(*part)["additionalProperties"].object() || part->contains("patternProperties");
    std::size_t more = is_small(wanted.depth) || (!is_map && !draw_.one_in(8)) ? 0 : is_map ? draw_.below(4) : 1;
    if (wanted.depth >= 3)
        more = std::min<std::size_t>(more, 1);
    auto const count = std::min(size.max, std::max(size.min, names.size() + more));
    for (std::size_t failed = 0; names.size() < count && failed != trials && spend(1); ++failed) {
        auto name = make_name(wanted);
        auto const rejects_all = [](value const* one) { return *one == false; };
        if (known.contains(name) || std::ranges::any_of(at_name(wanted, name), rejects_all))
            continue;
        known.insert(name);
        names.push_back(std::move(name));
        failed = 0;
    }
}

// Returns the required names, some of the optional ones, and additional ones where the schemas permit them.
LINKSPAN_DECL std::vector<std::string> sample_source::choose_names(demand const& wanted, detail::sample_range size)
{
    std::set<std::string_view> const required(wanted.required.begin(), wanted.required.end());
    std::set<std::string, std::less<>> known(wanted.forbidden.begin(), wanted.forbidden.end());
    std::vector<std::string> names, others;
    for (auto const* const part : wanted.parts)
        if (auto const* const properties = detail::keyword_view(*part)["properties"].object())
            for (auto const& property : *properties) {
                std::string_view const name = property.key();
                if (!spend(1) || !known.emplace(name).second)
                    continue;
                bool const can_be = schema_->cost(property.value()) != detail::infinite_cost;
                bool const is_wanted = !is_small(wanted.depth) && can_be && draw_.below(4) < optional_share_;
                (is_wanted || required.contains(name) ? names : others).emplace_back(name);
            }
    for (auto const& name : wanted.required)
        if (known.emplace(name).second)
            names.emplace_back(name);
    for (auto at = names.end(); at != names.begin() && names.size() > size.max;)
        if (--at; !required.contains(*at))
            at = names.erase(at);
    while (names.size() < size.min && !others.empty()) {
        std::swap(others[is_small(wanted.depth) ? 0 : draw_.below(others.size())], others.back());
        names.push_back(std::move(others.back()));
        others.pop_back();
    }
    add_extra_names(wanted, size, known, names);
    return names;
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make_object(demand const& wanted)
{
    detail::sample_range size;
    for (auto const* const part : wanted.parts)
        size.narrow(*part, "minProperties", "maxProperties");
    if (size.min > limits_.max_values)
        return fail("more than " + std::to_string(limits_.max_values) + " members are required");
    auto names = choose_names(wanted, size);
    if (names.size() < size.min)
        return fail("fewer members than 'minProperties' requires");
    if (!is_small(wanted.depth) && draw_.one_in(4)) // the order of members has no meaning
        for (auto last = names.size(); last > 1; --last)
            std::swap(names[last - 1], names[draw_.below(last)]);
    object out;
    for (auto const& name : names) {
        auto member = make_member(at_name(wanted, name), name, wanted.depth);
        if (member)
            out.emplace(name, std::move(*member));
        else if (std::ranges::find(wanted.required, name) != wanted.required.end() || values_ > limits_.max_values)
            return std::nullopt;
    }
    return value(std::move(out));
}

} // namespace linkspan::test

#endif

#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_UNION_PARTS_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_UNION_PARTS_HPP

// Functions for mapping unions that do not depend on the state of a `schema_mapper`.

#include <linkspan/bindgen/mapping/detail/schema_mapper.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

inline constexpr std::size_t max_alternatives = 60; // of a union

inline mapped_type unchecked_string(std::string const& keyword)
{
    auto out = simple_type("std::string", kinds::string);
    out.unchecked.push_back(keyword);
    return out;
}

inline bool accepts_only_null(json::value const& schema)
{
    auto const* const object = schema.if_object();
    auto const* const value = object ? find(*object, "const") : nullptr;
    return object && (value ? value->is_null() : types_of(*object) == std::vector<std::string>{"null"});
}

inline void flatten(std::vector<mapped_type>& out, mapped_type const& part, mapped_type& whole)
{
    append(whole.unchecked, part.unchecked);
    append(whole.remarks, part.remarks);
    if (part.kinds == kinds::null && part.text == "linkspan::null_type") {
        whole.is_nullable = true;
        return;
    }
    whole.is_nullable = whole.is_nullable || part.is_nullable;
    if (part.parts.empty())
        out.push_back(part);
    else
        out.insert(out.end(), part.parts.begin(), part.parts.end());
    out.back().is_nullable = false;
}

// Replaces all parts of one kind by one type, at the place of the first.
inline void unite_kind(std::vector<mapped_type>& parts, unsigned kind, mapped_type united)
{
    auto const is_of_kind = [kind](mapped_type const& part) { return (part.kinds & ~kind) == 0; };
    auto const first = std::ranges::find_if(parts, is_of_kind);
    *first = std::move(united);
    parts.erase(std::remove_if(first + 1, parts.end(), is_of_kind), parts.end());
}

// Returns the parts of one kind, each type once.
inline std::vector<mapped_type> parts_of_kind(std::vector<mapped_type> const& parts, unsigned kind)
{
    std::vector<mapped_type> out;
    for (auto const& part : parts)
        if ((part.kinds & ~kind) == 0 &&
            std::ranges::none_of(out, [&](auto const& other) { return other.text == part.text; }))
            out.push_back(part);
    return out;
}

inline bool requires_all_of(object_shape const& one, object_shape const& other)
{
    return std::ranges::all_of(other.members, [&](auto const& theirs) {
        auto const own = one.members.find(theirs.first);
        return !theirs.second.is_required || (own != one.members.end() && own->second.is_required);
    });
}

inline bool requires_more(object_shape const& one, object_shape const& other)
{
    return requires_all_of(one, other) && !requires_all_of(other, one);
}

// Returns whether no value of one member is valid for the other.
inline bool exclude_each_other(object_shape::member const& one, object_shape::member const& other)
{
    auto const common = one.kinds & other.kinds;
    bool const have_other_values = !one.fixed.empty() && !other.fixed.empty() && one.fixed != other.fixed;
    return common == 0 || (have_other_values && (common & kinds::null) == 0);
}

// Returns whether a required member distinguishes the objects.
inline bool exclude_each_other(object_shape const& one, object_shape const& other)
{
    return std::ranges::any_of(one.members, [&](auto const& member) {
        auto const theirs = other.members.find(member.first);
        return theirs != other.members.end() && (member.second.is_required || theirs->second.is_required) &&
               exclude_each_other(member.second, theirs->second);
    });
}

// Returns whether an object that only `one` allows, judged by its member names, may be read as `other`, which drops
// members of it.
inline bool may_lose_members(object_shape const& one, object_shape const& other)
{
    using enum object_shape::others;
    if (other.of_others != dropped || exclude_each_other(one, other))
        return false;
    bool const has_any = one.of_others == kept && other.is_closed;
    bool const has_required = std::ranges::all_of(other.members, [&](auto const& theirs) {
        return has_any || !theirs.second.is_required || one.members.contains(theirs.first);
    });
    bool const has_more = has_any || std::ranges::any_of(one.members, [&](auto const& member) {
                              return !other.members.contains(member.first);
                          });
    return has_required && has_more;
}

// Returns the order in which alternatives are tried; the first that matches is used. An alternative precedes those that
// would drop its members; otherwise one that requires more precedes one that requires less. Empty: no order
// distinguishes the alternatives.
inline std::vector<std::size_t> order_of_trials(std::vector<object_shape const*> const& shapes)
{
    auto const are_alike = [](object_shape const& one, object_shape const& other) {
        return requires_all_of(one, other) && requires_all_of(other, one) && !exclude_each_other(one, other);
    };
    auto const comes_before = [](object_shape const& one, object_shape const& other) {
        return may_lose_members(one, other) || (requires_more(one, other) && !may_lose_members(other, one));
    };
    std::vector<std::vector<std::size_t>> before(shapes.size()); // indexes of the alternatives that precede each one
    for (std::size_t i = 0; i != shapes.size(); ++i)
        for (std::size_t j = 0; j != shapes.size(); ++j) {
            if (i != j && are_alike(*shapes[i], *shapes[j]))
                return {};
            if (i != j && comes_before(*shapes[i], *shapes[j]))
                before[j].push_back(i);
        }
    std::vector<std::size_t> out;
    std::vector<bool> is_placed(shapes.size());
    while (out.size() != shapes.size()) {
        std::size_t next = 0;
        while (next != shapes.size() &&
               (is_placed[next] || !std::ranges::all_of(before[next], [&](auto i) { return is_placed[i]; })))
            ++next;
        if (next == shapes.size())
            return {};
        is_placed[next] = true;
        out.push_back(next);
    }
    return out;
}

inline mapped_type one_or_many(mapped_type const& one, mapped_type const& many, mapped_type whole)
{
    whole.text = "linkspan::one_or_many<" + complete_text(one) + ">";
    whole.kinds = one.kinds | kinds::array;
    whole.parts = {one, many};
    return whole;
}

} // namespace linkspan::bindgen::detail

#endif

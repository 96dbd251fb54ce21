#ifndef LINKSPAN_BINDGEN_DRIFT_DETAIL_UNION_PARTS_HPP
#define LINKSPAN_BINDGEN_DRIFT_DETAIL_UNION_PARTS_HPP

// Functions of the comparison of unions. The functions do not use the state of a `schema_comparison`.

#include <linkspan/bindgen/drift/detail/compare_schemas.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

// Maximum number of alternatives of a union that is compared. A larger union is reported as `drift::risky`;
// `schema_comparison::exclude_each_other` returns false for it.
inline constexpr std::size_t max_compared_alternatives = 60;

inline bool has_union(json::object const& schema)
{
    return std::ranges::any_of(union_keys, [&](auto key) { return parts_of(schema, key) != nullptr; });
}

// Returns the alternatives of the only union of a schema. Null: the schema has no union, has two, or has a keyword
// other than the union, annotations and `ignored`.
inline json::array const* only_union_of(json::object const& schema, std::string_view ignored = {})
{
    json::array const* out = nullptr;
    for (auto const key : union_keys)
        if (auto const* const parts = parts_of(schema, key))
            out = parts;
    auto const is_other_keyword = [&](auto const& member) {
        auto const key = view(member.key());
        return key != ignored && member.value().if_array() != out && !is_annotation(key);
    };
    return std::ranges::any_of(schema, is_other_keyword) ? nullptr : out;
}

inline std::vector<json::value const*> pointers_to(json::array const& parts)
{
    std::vector<json::value const*> out;
    for (auto const& part : parts)
        out.push_back(&part);
    return out;
}

// For each element of `old_items`, in order: finds the first element of `new_items` that matches, passes both to `use`,
// and removes both from the lists.
template<class Items, class Matches, class Use>
void pair_up(Items& old_items, Items& new_items, Matches matches, Use use)
{
    for (auto each = old_items.begin(); each != old_items.end();) {
        auto const found = std::ranges::find_if(new_items, [&](auto const& other) { return matches(*each, other); });
        if (found == new_items.end()) {
            ++each;
            continue;
        }
        use(*each, *found);
        new_items.erase(found);
        each = old_items.erase(each);
    }
}

} // namespace linkspan::bindgen::detail

#endif

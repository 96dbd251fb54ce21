#ifndef LINKSPAN_BINDGEN_DRIFT_DETAIL_UNION_PARTS_HPP
#define LINKSPAN_BINDGEN_DRIFT_DETAIL_UNION_PARTS_HPP

// Functions for comparing unions that do not depend on the state of a `schema_comparison`.

#include <linkspan/bindgen/drift/detail/compare_schemas.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

inline constexpr std::size_t max_compared_alternatives = 60;

inline bool has_union(json::object const& schema)
{
    return std::ranges::any_of(union_keys, [&](auto key) { return parts_of(schema, key) != nullptr; });
}

// Returns the alternatives of a schema that consists of one union. Null: the schema has other keywords, except
// annotations and `but`.
inline json::array const* only_union_of(json::object const& schema, std::string_view but = {})
{
    json::array const* out = nullptr;
    for (auto const key : union_keys)
        if (auto const* const parts = parts_of(schema, key))
            out = parts;
    auto const is_other_keyword = [&](auto const& member) {
        auto const key = view(member.key());
        return key != but && member.value().if_array() != out && !is_annotation(key);
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

// Removes each pair for which `matches` is true from both lists, and passes it to `use`.
template<class Items, class Matches, class Use>
void pair_up(Items& then, Items& now, Matches matches, Use use)
{
    for (auto old = then.begin(); old != then.end();) {
        auto const fresh = std::ranges::find_if(now, [&](auto const& other) { return matches(*old, other); });
        if (fresh == now.end()) {
            ++old;
            continue;
        }
        use(*old, *fresh);
        now.erase(fresh);
        old = then.erase(old);
    }
}

} // namespace linkspan::bindgen::detail

#endif

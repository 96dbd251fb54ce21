#ifndef LINKSPAN_BINDGEN_DRIFT_IMPL_DRIFT_IPP
#define LINKSPAN_BINDGEN_DRIFT_IMPL_DRIFT_IPP

#include <linkspan/bindgen/drift/detail/compare_schemas.hpp>
#include <linkspan/bindgen/drift/drift.hpp>
#include <linkspan/bindgen/lock.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen {
namespace detail {

// Converts integral doubles to integers, because Boost.JSON treats 1 and 1.0 as different values.
inline void write_alike(json::value& value)
{
    constexpr double exact = 9007199254740992; // 2^53
    if (auto* const object = value.if_object()) {
        for (auto& member : *object)
            write_alike(member.value());
    } else if (auto* const array = value.if_array()) {
        for (auto& element : *array)
            write_alike(element);
    } else if (auto const* const real = value.if_double();
               real && std::abs(*real) < exact && std::trunc(*real) == *real) {
        value = static_cast<std::int64_t>(*real);
    }
}

class tool_comparison {
public:
    explicit tool_comparison(std::vector<difference>& out) : out_(out) {}

    void compare(tool const& then, tool const& now)
    {
        tool_ = then.name;
        if (without_trailing_blanks(then.description) != without_trailing_blanks(now.description))
            report(drift::risky, "/description", "changed; models read it");
        if (then.title != now.title)
            report(drift::additive, "/title", "changed");
        compare_schemas(then.input_schema, now.input_schema, "/inputSchema", schema_side::arguments);
        if (then.output_schema.empty() != now.output_schema.empty())
            now.output_schema.empty() ? report(drift::breaking, "/outputSchema", "removed")
                                      : report(drift::additive, "/outputSchema", "added");
        else if (!then.output_schema.empty())
            compare_schemas(then.output_schema, now.output_schema, "/outputSchema", schema_side::result);
        compare_hints(then.annotations, now.annotations);
        if (then.has_hints != now.has_hints)
            report(drift::additive, "/annotations", now.has_hints ? "hints added" : "hints removed");
    }

private:
    void report(drift effect, std::string pointer, std::string message)
    {
        out_.push_back({effect, tool_, std::move(pointer), std::move(message)});
    }

    void compare_schemas(std::string const& then, std::string const& now, std::string const& pointer, schema_side side)
    {
        auto old = parse_schema(then);
        auto fresh = parse_schema(now);
        if (!old || !fresh) {
            if (then != now)
                report(drift::risky, pointer, "not valid JSON or nested too deeply, and cannot be compared");
            return;
        }
        write_alike(*old);
        write_alike(*fresh);
        for (auto& one : schema_comparison(*old, *fresh, side).compare(pointer))
            report(one.effect, std::move(one.pointer), std::move(one.message));
    }

    void compare_hints(tool_annotations const& then, tool_annotations const& now)
    {
        // Reports that a guarantee was removed or added. `promised` and `promises`: whether the hint `key` expresses a
        // guarantee, such as "read-only" or "not destructive", in the older and in the newer tool.
        auto const compare_hint = [&](std::string_view key, bool promised, bool promises) {
            auto pointer = "/annotations/" + std::string(key);
            if (promised && !promises)
                report(drift::risky, std::move(pointer), "guarantee removed");
            else if (promises && !promised)
                report(drift::additive, std::move(pointer), "guarantee added");
        };
        compare_hint("readOnlyHint", then.read_only, now.read_only);
        compare_hint("idempotentHint", then.idempotent, now.idempotent);
        compare_hint("destructiveHint", !then.destructive, !now.destructive);
        compare_hint("openWorldHint", !then.open_world, !now.open_world);
    }

    std::vector<difference>& out_; // receives the differences; set by the constructor
    std::string tool_;             // name of the tool that is compared; set by each comparison
};

} // namespace detail

LINKSPAN_DECL std::vector<difference> compare_tools(std::vector<tool> const& then, std::vector<tool> const& now)
{
    std::map<std::string_view, std::pair<tool const*, tool const*>> both;
    for (auto const& tool : then)
        both[tool.name].first = both[tool.name].first ? both[tool.name].first : &tool;
    for (auto const& tool : now)
        both[tool.name].second = both[tool.name].second ? both[tool.name].second : &tool;
    std::vector<difference> out;
    detail::tool_comparison comparison(out);
    for (auto const& [name, tools] : both) {
        auto const& [old, fresh] = tools;
        if (!fresh)
            out.push_back({drift::breaking, std::string(name), {}, "removed"});
        else if (!old)
            out.push_back({drift::additive, std::string(name), {}, "added"});
        else
            comparison.compare(*old, *fresh);
    }
    return out;
}

} // namespace linkspan::bindgen

#endif

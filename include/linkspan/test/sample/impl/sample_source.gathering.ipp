#ifndef LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SOURCE_GATHERING_IPP
#define LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SOURCE_GATHERING_IPP

#include <linkspan/test/sample/sample_source.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns false if the schemas permit no value.
LINKSPAN_DECL bool sample_source::gather(places queue, demand& out)
{
    std::vector<void const*> decided;
    std::size_t at = 0;
    do {
        for (; at != queue.size(); ++at) {
            if (!spend(1))
                return false;
            if (auto const* const always = queue[at]->if_bool(); always && !*always)
                return fail("the schema 'false' permits no value"), false;
            auto const* const schema = queue[at]->if_object();
            if (!schema || std::ranges::find(out.parts, schema) != out.parts.end())
                continue;
            if (gather_one(*schema, out.depth, queue))
                add_part(*schema, out);
        }
    } while (gather_dependencies(out, queue, decided));
    return true;
}

LINKSPAN_DECL void sample_source::add_part(object const& schema, demand& out)
{
    out.parts.push_back(&schema);
    detail::keyword_view const keywords(schema);
    if (auto const type = keywords["type"])
        out.kinds &= type.kinds();
    keywords["required"].for_texts([&](std::string_view name) { out.required.emplace_back(name); });
}

// Returns false for a reference of draft 7, whose sibling keywords are ignored.
LINKSPAN_DECL bool sample_source::gather_one(object const& schema, std::size_t depth, places& queue)
{
    bool is_whole = true;
    for (auto const* const keyword : {"$ref", "$dynamicRef"})
        if (auto const reference = schema_->keyword(schema, keyword).text()) {
            if (auto const* const target = schema_->target(schema, *reference))
                queue.push_back(target);
            is_whole = !schema_->is_draft_7();
        }
    if (is_whole)
        gather_branches(schema, depth, queue);
    return is_whole;
}

LINKSPAN_DECL void sample_source::gather_branches(object const& schema, std::size_t depth, places& queue)
{
    if (auto const* const all = detail::keyword_view(schema)["allOf"].array())
        for (auto const& one : *all)
            queue.push_back(&one);
    for (auto const* const keyword : {"anyOf", "oneOf"}) {
        auto const* const branches = detail::keyword_view(schema)[keyword].array();
        if (!branches || branches->empty())
            continue;
        auto const cost = [this](value const& branch) { return schema_->cost(branch); };
        auto const* chosen = &*std::ranges::min_element(*branches, {}, cost);
        if (!is_small(depth))
            for (std::size_t i = 0; i != branches->size(); ++i)
                if (auto const* const other = &(*branches)[choose(branches, branches->size())];
                    cost(*other) != detail::infinite_cost) {
                    chosen = other;
                    break;
                }
        queue.push_back(chosen);
    }
    auto const condition = detail::keyword_view(schema)["if"];
    if (!condition)
        return;
    bool const is_met = choose(condition.get(), 2) == 0;
    if (is_met)
        queue.push_back(condition.get());
    if (auto const rest = detail::keyword_view(schema)[is_met ? "then" : "else"])
        queue.push_back(rest.get());
}

// Decides whether members on which others depend are present. Returns false if there was nothing to decide.
LINKSPAN_DECL bool sample_source::gather_dependencies(demand& out, places& queue, std::vector<void const*>& decided)
{
    auto const before = decided.size();
    for (auto const* const part : out.parts)
        for (auto const* const keyword : {"dependentRequired", "dependentSchemas", "dependencies"})
            if (auto const* const rules = schema_->keyword(*part, keyword).object())
                for (auto rule = rules->begin(); rule != rules->end(); ++rule)
                    if (std::ranges::find(decided, static_cast<void const*>(&rule->value())) == decided.end()) {
                        decided.push_back(&rule->value());
                        decide_dependency(rule, out, queue);
                    }
    return decided.size() != before;
}

LINKSPAN_DECL void sample_source::decide_dependency(object::const_iterator dependency, demand& out, places& queue)
{
    std::string_view const name = dependency->key();
    bool const must = std::ranges::find(out.required, name) != out.required.end();
    bool const must_not = std::ranges::find(out.forbidden, name) != out.forbidden.end();
    if (!must && (must_not || is_small(out.depth) || choose(&dependency->value(), 2) == 0)) {
        out.forbidden.push_back(name);
        return;
    }
    out.required.push_back(name);
    detail::keyword_value const rule(&dependency->value());
    rule.for_texts([&](std::string_view other) { out.required.emplace_back(other); });
    if (!rule.array())
        queue.push_back(rule.get());
}

} // namespace linkspan::test

#endif

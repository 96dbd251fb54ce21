#ifndef LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SCHEMA_IPP
#define LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SCHEMA_IPP

#include <linkspan/schema/uri_reference.hpp>
#include <linkspan/test/sample/sample_schema.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
LINKSPAN_DECL sample_schema::sample_schema(boost::json::value const& schema, schema_options const& options)
    : root_(schema),
      documents_(options.documents.begin(), options.documents.end()),
      is_draft_7_(options.dialect == schema_dialect::draft_7)
{
    if (auto const* const object = root_.if_object())
        if (auto const named = detail::keyword_view(*object)["$schema"].text())
            is_draft_7_ = std::string_view(*named).find("draft-07") != std::string_view::npos;
    for (auto const& [uri, document] : documents_) {
        named_.emplace(uri, &document);
        index(document, uri, 0);
    }
    named_[std::string()] = &root_;
    index(root_, {}, 0);
    find_costs();
}

// Indexes all objects, including those that are no schemas: the final validation of each value makes this harmless.
LINKSPAN_DECL void sample_schema::index(boost::json::value const& value, std::string const& base, std::size_t depth)
{
    constexpr std::size_t max_depth = 1000;
    if (depth == max_depth)
        return;
    if (auto const* const array = value.if_array())
        for (auto const& element : *array)
            index(element, base, depth + 1);
    auto const* const object = value.if_object();
    if (!object)
        return;
    auto inner = base;
    if (auto const id = detail::keyword_view(*object)["$id"].text()) {
        auto uri = resolve_uri(base, std::string_view(*id));
        bool const is_anchor = id->starts_with('#'); // draft 7
        if (!is_anchor && uri.ends_with('#'))
            uri.pop_back();
        named_[uri] = &value;
        if (!is_anchor)
            inner = uri;
    }
    for (auto const* const keyword : {"$anchor", "$dynamicAnchor"})
        if (auto const name = detail::keyword_view(*object)[keyword].text())
            named_.emplace((inner + '#').append(*name), &value);
    places_.insert_or_assign(object, place{inner, detail::infinite_cost});
    order_.push_back(object);
    for (auto const& member : *object)
        index(member.value(), inner, depth + 1);
}

LINKSPAN_DECL boost::json::value const* sample_schema::target(boost::json::object const& from,
                                                              std::string_view reference) const
{
    auto const known = places_.find(&from);
    auto const uri = resolve_uri(known == places_.end() ? std::string() : known->second.base, reference);
    auto const hash = std::min(uri.find('#'), uri.size());
    auto const fragment = decode_percent(std::string_view(uri).substr(std::min(hash + 1, uri.size())));
    bool const is_pointer = fragment.empty() || fragment.front() == '/';
    auto const found = named_.find(is_pointer ? uri.substr(0, hash) : uri.substr(0, hash) + '#' + fragment);
    if (found == named_.end() || !is_pointer)
        return found == named_.end() ? nullptr : found->second;
    boost::system::error_code error;
    return found->second->find_pointer(fragment, error);
}

LINKSPAN_DECL double sample_schema::cost(boost::json::value const& schema) const noexcept
{
    if (auto const* const always = schema.if_bool())
        return *always ? 4 : detail::infinite_cost;
    auto const* const object = schema.if_object();
    auto const found = object ? places_.find(object) : places_.end();
    return found == places_.end() ? 4 : found->second.cost;
}

// All costs begin as infinite; the loop repeats until no cost decreases, or the limit of steps is reached.
LINKSPAN_DECL void sample_schema::find_costs()
{
    constexpr std::size_t max_looks = 1'000'000;
    std::size_t looks = 0;
    for (bool is_changed = true; is_changed && looks < max_looks;) {
        is_changed = false;
        for (auto at = order_.rbegin(); at != order_.rend(); ++at, ++looks) {
            auto const now = compute_cost(**at);
            auto& known = places_[*at].cost;
            is_changed |= now < known;
            known = std::min(known, now);
        }
    }
}

LINKSPAN_DECL double sample_schema::compute_cost(boost::json::object const& schema) const
{
    if (schema.contains("const") || schema.contains("enum"))
        return 4;
    if (is_draft_7_ && schema.contains("$ref"))
        return cost_of_references(schema);
    auto own = detail::infinite_cost;
    bool const has_type = schema.contains("type");
    bool const is_object = schema.contains("required");
    bool const is_array = schema.contains("minItems") || schema.contains("contains");
    if (detail::may_be(schema, "object") && (has_type || is_object))
        own = cost_of_object(schema);
    if (detail::may_be(schema, "array") && (has_type || is_array))
        own = std::min(own, cost_of_array(schema));
    if (has_type || !(is_object || is_array))
        for (auto const* const kind : {"null", "boolean", "integer", "number", "string"})
            if (detail::may_be(schema, kind))
                own = std::min(own, 4.0);
    return own + cost_of_references(schema);
}

LINKSPAN_DECL double sample_schema::cost_of_object(boost::json::object const& schema) const
{
    double sum = 2;
    auto const* const properties = detail::keyword_view(schema)["properties"].object();
    detail::keyword_view(schema)["required"].for_texts([&](std::string_view name) {
        auto const* const property = properties ? properties->if_contains(name) : nullptr;
        sum += static_cast<double>(name.size()) + 4 + (property ? cost(*property) : 4);
    });
    return sum;
}

LINKSPAN_DECL double sample_schema::cost_of_array(boost::json::object const& schema) const
{
    auto const size = static_cast<double>(detail::keyword_view(schema)["minItems"].count().value_or(0));
    double sum = 2;
    if (auto const* const items = schema.if_contains("items"); items && size > 0)
        sum += size * (1 + cost(*items));
    if (auto const* const contains = schema.if_contains("contains"))
        sum += static_cast<double>(keyword(schema, "minContains").count().value_or(1)) * (1 + cost(*contains));
    return sum;
}

LINKSPAN_DECL double sample_schema::cost_of_references(boost::json::object const& schema) const
{
    double sum = 0;
    for (auto const* const name : {"$ref", "$dynamicRef"})
        if (auto const reference = keyword(schema, name).text()) {
            auto const* const found = target(schema, *reference);
            sum += found ? 1 + cost(*found) : detail::infinite_cost;
        }
    if (is_draft_7_ && sum > 0)
        return sum;
    if (auto const* const all = detail::keyword_view(schema)["allOf"].array())
        for (auto const& one : *all)
            sum += 1 + cost(one);
    for (auto const* const keyword : {"anyOf", "oneOf"})
        if (auto const* const some = detail::keyword_view(schema)[keyword].array())
            sum += min_cost(*some);
    return sum;
}

LINKSPAN_DECL double sample_schema::min_cost(boost::json::array const& schemas) const
{
    auto min = detail::infinite_cost;
    for (auto const& schema : schemas)
        min = std::min(min, 1 + cost(schema));
    return min;
}

} // namespace linkspan::test

#endif

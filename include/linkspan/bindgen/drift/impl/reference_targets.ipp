#ifndef LINKSPAN_BINDGEN_DRIFT_IMPL_REFERENCE_TARGETS_IPP
#define LINKSPAN_BINDGEN_DRIFT_IMPL_REFERENCE_TARGETS_IPP

#include <linkspan/bindgen/drift/detail/reference_targets.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/schema/uri_reference.hpp>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

LINKSPAN_DECL void reference_targets::index(json::value const& schema, bool is_root)
{
    if (auto const* const elements = schema.if_array())
        for (auto const& element : *elements)
            index(element, false);
    auto const* const object = schema.if_object();
    if (!object)
        return;
    auto const add = [&](std::string_view name) {
        if (name.empty())
            return;
        if (auto const [anchor, is_new] = anchors_.emplace(name, &schema); !is_new)
            anchor->second = nullptr;
    };
    add(keyword_view(*object)["$anchor"].text().value_or(""));
    add(keyword_view(*object)["$dynamicAnchor"].text().value_or(""));
    auto const id = keyword_view(*object)["$id"].text().value_or("");
    if (id.starts_with('#')) // of draft 7
        add(id.substr(1));
    else if (!id.empty() && !is_root)
        has_parts_ = true;
    for (auto const& [key, value] : *object)
        if (key != "default" && key != "examples" && key != "const" && key != "enum") // those have no schemas
            index(value, false);
}

LINKSPAN_DECL json::value const* reference_targets::find_target(std::string_view reference) const
{
    auto const text = decode_percent(reference);
    if (!text.starts_with('#'))
        return nullptr;
    boost::system::error_code ec;
    auto const name = std::string_view(text).substr(1);
    if (name.empty() || name.starts_with('/'))
        return root_.find_pointer(json::string_view(name.data(), name.size()), ec);
    auto const anchor = anchors_.find(name);
    return anchor == anchors_.end() ? nullptr : anchor->second;
}

} // namespace linkspan::bindgen::detail

#endif

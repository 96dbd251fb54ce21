#ifndef LINKSPAN_CONNECTOR_IMPL_CATALOG_JSON_IPP
#define LINKSPAN_CONNECTOR_IMPL_CATALOG_JSON_IPP

#include <linkspan/connector/catalog_json.hpp>
#include <linkspan/json/detail/parse_json.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline boost::json::value text_or_null(std::string_view text)
{
    return text.empty() ? boost::json::value() : boost::json::value(text);
}

// The text of a schema is untrusted.
inline boost::json::value parsed_or_null(std::string_view text)
{
    error_code ec;
    auto out = parse_json(text, ec);
    return ec ? boost::json::value() : out;
}

inline boost::json::object json_of(catalog_entry const& entry)
{
    auto const& tool = *entry.tool;
    boost::json::array tags;
    if (entry.tags)
        tags = boost::json::array(entry.tags->begin(), entry.tags->end());
    boost::json::object out;
    out["name"] = tool.name;
    out["description"] = tool.description;
    out["input_schema"] = parsed_or_null(tool.input_schema);
    out["server_name"] = entry.server_key;
    out["server_priority"] = entry.priority;
    out["exposed_name"] = text_or_null(entry.display_name());
    out["title"] = text_or_null(tool.title);
    out["output_schema"] = parsed_or_null(tool.output_schema);
    out["annotations"] = parsed_or_null(to_json(tool.annotations));
    out["meta"] = parsed_or_null(tool.meta);
    out["fingerprint"] = entry.input.short_text();
    out["replay_class"] = to_string(entry.replay);
    out["tags"] = std::move(tags);
    out["group"] = text_or_null(entry.group);
    return out;
}

} // namespace detail

LINKSPAN_DECL boost::json::object to_json(catalog const& from)
{
    boost::json::array tools;
    tools.reserve(from.tools().size());
    for (auto const& entry : from.tools())
        tools.push_back(detail::json_of(entry));
    boost::json::object out;
    out["tools"] = std::move(tools);
    out["collisions"] = boost::json::array(from.collisions().begin(), from.collisions().end());
    return out;
}

} // namespace linkspan

#endif

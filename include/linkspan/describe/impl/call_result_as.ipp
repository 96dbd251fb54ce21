#ifndef LINKSPAN_DESCRIBE_IMPL_CALL_RESULT_AS_IPP
#define LINKSPAN_DESCRIBE_IMPL_CALL_RESULT_AS_IPP

#include <linkspan/describe/call_result_as.hpp>
#include <linkspan/describe/detail/text_source.hpp>
#include <linkspan/json/json_scan.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the value of the member "result" if that is the only member of an object; else the whole text.
inline std::string_view unwrap(std::string_view json)
{
    json_scan::reader members(json);
    auto const first = members.is_object() ? members.next() : std::nullopt;
    return first && first->key == "result" && !members.next() && members.ok() ? first->value : json;
}

inline json_kind kind_of_json(std::string_view json)
{
    auto reader = json_scan::reader::at_value(json);
    return text_source(reader).kind();
}

LINKSPAN_DECL result_value::result_value(std::string_view result, std::string_view structured, json_kinds wanted,
                                         bool prefers_text)
    : json_(structured)
{
    // Before 2026-07-28, structured content is an object, so servers wrap other values. Some servers send null instead
    // of omitting structured content.
    if (!wanted.has(json_kind::object))
        json_ = unwrap(json_);
    if (json_ == "null" && !wanted.has(json_kind::null))
        json_ = {};
    if (!json_.empty() && (!prefers_text || json_.starts_with('"')))
        return;
    json_ = {};
    is_valid_text_ = append_text_content(text_, result);
    if (prefers_text || !json_scan::is_value(text_))
        return;
    if (auto const kind = kind_of_json(text_); wanted.has(kind) || !wanted.has(json_kind::text))
        json_ = text_;
}

} // namespace linkspan::detail

#endif

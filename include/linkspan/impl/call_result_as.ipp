#ifndef LINKSPAN_IMPL_CALL_RESULT_AS_IPP
#define LINKSPAN_IMPL_CALL_RESULT_AS_IPP

#include <linkspan/call_result_as.hpp>
#include <linkspan/json_scan.hpp>

namespace linkspan::detail {

// What the only member of an object holds, if that is "result"; else all of it.
inline std::string_view unwrap(std::string_view json)
{
    json_scan::reader members(json);
    auto const first = members.is_object() ? members.next() : std::nullopt;
    return first && first->key == "result" && !members.next() && members.ok() ? first->value : json;
}

LINKSPAN_DECL result_value::result_value(call_result const& result, bool unwraps) : json_(result.structured())
{
    if (!json_.empty()) {
        if (unwraps)
            json_ = unwrap(json_);
        return;
    }
    text_ = result.text();
    if (json_scan::is_value(text_))
        json_ = text_;
}

} // namespace linkspan::detail

#endif

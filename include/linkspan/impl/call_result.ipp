#ifndef LINKSPAN_IMPL_CALL_RESULT_IPP
#define LINKSPAN_IMPL_CALL_RESULT_IPP

#include <linkspan/call_result.hpp>
#include <linkspan/json_scan.hpp>

namespace linkspan {

LINKSPAN_DECL bool call_result::is_error() const noexcept { return json_scan::member(raw(), "isError") == "true"; }

LINKSPAN_DECL std::string call_result::text() const
{
    std::string out;
    bool first = true;
    json_scan::reader blocks(json_scan::member(raw(), "content"));
    while (auto const block = blocks.next()) {
        std::string_view type, text;
        json_scan::reader members(block->value);
        while (auto const member = members.next()) {
            if (member->key == "type")
                type = member->value;
            else if (member->key == "text")
                text = member->value;
        }
        if (type != "\"text\"")
            continue;
        if (!std::exchange(first, false))
            out += '\n';
        json_scan::append_string(out, text);
    }
    return out;
}

LINKSPAN_DECL std::string_view call_result::structured() const noexcept
{
    return json_scan::member(raw(), "structuredContent");
}

LINKSPAN_DECL std::string_view call_result::type() const noexcept
{
    return json_scan::quoted(json_scan::member(raw(), "resultType")).value_or("complete");
}

} // namespace linkspan

#endif

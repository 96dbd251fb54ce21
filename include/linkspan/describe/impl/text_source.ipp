#ifndef LINKSPAN_DESCRIBE_IMPL_TEXT_SOURCE_IPP
#define LINKSPAN_DESCRIBE_IMPL_TEXT_SOURCE_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/describe/detail/text_source.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL bool text_source::text(std::string& out)
{
    auto const token = at_->skip_string();
    if (!token || !is_json_text(token->inner))
        return false;
    if (!token->has_escapes) {
        out.assign(token->inner);
        return true;
    }
    out.clear();
    return json_scan::append_unescaped(out, token->inner);
}

LINKSPAN_DECL bool text_source::text(std::string_view& out, std::string& scratch)
{
    auto const token = at_->skip_string();
    if (!token)
        return false;
    out = token->inner;
    return unescape(out, scratch);
}

LINKSPAN_DECL bool text_source::unescape(std::string_view& text, std::string& scratch)
{
    if (!is_json_text(text))
        return false;
    if (text.find('\\') == text.npos)
        return true;
    scratch.clear();
    bool const ok = json_scan::append_unescaped(scratch, text);
    text = scratch;
    return ok;
}

} // namespace linkspan::detail

#endif

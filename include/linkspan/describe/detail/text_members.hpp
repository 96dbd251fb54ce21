#ifndef LINKSPAN_DESCRIBE_DETAIL_TEXT_MEMBERS_HPP
#define LINKSPAN_DESCRIBE_DETAIL_TEXT_MEMBERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_writer.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns `"content":[...]` with one text block.
inline std::string text_members(std::string_view text)
{
    std::string out = R"("content":[{"type":"text","text":)";
    append_quoted(out, text);
    return out += "}]";
}

} // namespace linkspan::detail

#endif

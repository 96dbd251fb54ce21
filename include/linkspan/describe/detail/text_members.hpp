#ifndef LINKSPAN_DESCRIBE_DETAIL_TEXT_MEMBERS_HPP
#define LINKSPAN_DESCRIBE_DETAIL_TEXT_MEMBERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_writer.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns `"content":[...]` with one text block.
inline std::string text_members(std::string_view text)
{
    constexpr std::size_t initial_size = 160; // sufficient for most texts
    std::string out;
    out.reserve(initial_size);
    out += R"("content":[{"type":"text","text":)";
    append_quoted(out, text);
    out += "}]";
    return out;
}

} // namespace linkspan::detail

#endif

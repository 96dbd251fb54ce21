#ifndef LINKSPAN_MOCK_SERVERS_REPLY_TEXT_HPP
#define LINKSPAN_MOCK_SERVERS_REPLY_TEXT_HPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/server/tool_output.hpp>

#include <string>

namespace mock_servers {

/// Returns the text of a result that reports a failure: `{"status":"error","error":"..."}`.
inline std::string failure_text(std::string const& reason)
{
    std::string out = R"({"status":"error","error":)";
    linkspan::append_quoted(out, reason);
    return out += '}';
}

/// Returns a result with one text block. Bytes of the text that are not UTF-8 are replaced by U+FFFD.
inline linkspan::tool_output reply_with(std::string const& text)
{
    return linkspan::tool_output::text(linkspan::detail::to_utf8(text));
}

} // namespace mock_servers

#endif

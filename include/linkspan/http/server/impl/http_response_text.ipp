#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_RESPONSE_TEXT_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_RESPONSE_TEXT_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/http_headers.hpp>
#include <linkspan/http/server/detail/http_response_text.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/beast/http/status.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline void append_hex(std::string& out, std::size_t value)
{
    if (value >= 16)
        append_hex(out, value / 16);
    out += "0123456789abcdef"[value % 16];
}

LINKSPAN_DECL bool has_field(std::vector<http_server_field> const& fields, std::string_view name)
{
    return std::ranges::any_of(fields, [name](auto const& field) { return equal_ignoring_case(field.name, name); });
}

LINKSPAN_DECL void start_response(std::string& out, int status, std::vector<http_server_field> const& fields)
{
    namespace http = boost::beast::http;
    if (status == 200) { // most responses
        out = "HTTP/1.1 200 OK\r\n";
    } else {
        auto const known = http::int_to_status(static_cast<unsigned>(status));
        out = "HTTP/1.1 ";
        append_number(out, status);
        out += ' ';
        if (known != http::status::unknown)
            out += std::string_view(http::obsolete_reason(known));
        out += "\r\n";
    }
    for (auto const& [name, value] : fields)
        append_header(out, name, value);
}

inline void append_line(std::string& out, std::string_view field, std::string_view value)
{
    ((out += field) += value) += '\n';
}

LINKSPAN_DECL std::string event_text(http_server_event const& what)
{
    std::string lines;
    if (!what.type.empty())
        append_line(lines, "event: ", what.type);
    if (!what.id.empty())
        append_line(lines, "id: ", what.id);
    if (what.retry)
        append_line(lines, "retry: ", std::to_string(what.retry->count()));
    for (auto rest = what.data; !rest.empty();) {
        auto const end = std::min(rest.find('\n'), rest.size());
        append_line(lines, "data: ", rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (what.data.empty() && what.writes_empty_data)
        append_line(lines, "data:", "");
    lines += '\n';
    return lines;
}

LINKSPAN_DECL std::string chunk_text(std::string_view bytes)
{
    std::string chunk;
    append_hex(chunk, bytes.size());
    ((chunk += "\r\n") += bytes) += "\r\n";
    return chunk;
}

} // namespace linkspan::detail

#endif

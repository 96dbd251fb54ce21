#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVING_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVING_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/server/http_serving.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/header_value.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail::serving {

// Removes the first part from a list, and returns it without surrounding whitespace.
inline std::string_view take_part(std::string_view& list, char separator) noexcept
{
    auto const end = std::min(list.find(separator), list.size());
    auto const part = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    return trimmed(part);
}

// Returns true if a header Accept contains a media type. Weights are ignored, except "q=0": RFC 9110, section 12.5.1.
inline bool accepts(std::string_view list, std::string_view type) noexcept
{
    auto const all_of_kind = type.substr(0, type.find('/') + 1);
    while (!list.empty()) {
        auto entry = take_part(list, ',');
        auto const range = take_part(entry, ';');
        bool const matches =
            equal_ignoring_case(range, type) || range == "*/*" ||
            (range.ends_with("/*") && equal_ignoring_case(range.substr(0, range.size() - 1), all_of_kind));
        if (matches && !equal_ignoring_case(entry, "q=0"))
            return true;
    }
    return false;
}

// Returns a host such as "localhost:8080" or "[::1]:8080" without the port.
inline std::string_view without_port(std::string_view host) noexcept
{
    auto const colon = host.rfind(':');
    bool const is_port =
        colon != host.npos && host.find(']', colon) == host.npos && (host.starts_with('[') || host.find(':') == colon);
    return is_port ? host.substr(0, colon) : host;
}

inline http_serving::verdict refuse(int status, std::string body = {})
{
    http_serving::verdict out;
    out.status = status;
    out.body = std::move(body);
    return out;
}

inline http_serving::verdict refuse(int status, envelope const& message, int code, std::string_view why)
{
    return refuse(status, server_dialogue::failure(message.raw_id.empty() ? "null" : message.raw_id, code, why));
}

// Returns the member of the parameters that the header Mcp-Name mirrors; empty: the method has none.
inline std::string_view key_of_name(std::string_view method) noexcept
{
    if (method == "tools/call" || method == "prompts/get")
        return "name";
    if (method == "resources/read")
        return "uri";
    if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")
        return "taskId";
    return {};
}

// Returns true if a header value has only visible ASCII characters, spaces and tabs.
inline bool is_valid_value(std::string_view value) noexcept
{
    return std::ranges::all_of(value, [](char c) { return (c >= 0x20 && c <= 0x7e) || c == '\t'; });
}

// Returns true if a header and an argument are equal numbers, for example 42.0 and 42.
inline bool is_same_number(std::string_view header, std::string_view arguments, mirrored_argument const& which) noexcept
{
    for (auto const& key : which.path)
        arguments = json_scan::member(arguments, key);
    auto const inside = json_scan::number(arguments), outside = json_scan::number(header);
    return inside && outside && *inside == *outside;
}

} // namespace detail::serving

LINKSPAN_DECL std::optional<std::string_view> http_serving::request::header(std::string_view name) const noexcept
{
    for (auto const& field : fields)
        if (detail::equal_ignoring_case(field.name, name))
            return detail::trimmed(field.value);
    return std::nullopt;
}

LINKSPAN_DECL http_serving::verdict http_serving::decide(request const& what) const
{
    if (what.target.substr(0, what.target.find('?')) != options_.path)
        return detail::serving::refuse(404);
    if (!has_allowed_origin(what))
        return detail::serving::refuse(403);
    return what.method == "POST" ? decide_post(what) : decide_other(what);
}

// Protects local servers from web pages in the browser of the user: cross-origin requests (RFC 6454) and DNS rebinding.
LINKSPAN_DECL bool http_serving::has_allowed_origin(request const& what) const
{
    auto const origin = what.header("Origin");
    if (origin && std::ranges::find(options_.origins, *origin) == options_.origins.end() && !is_own_origin(*origin))
        return false;
    auto const host = what.header("Host").value_or("");
    return options_.hosts.empty() || is_allowed_host(detail::serving::without_port(host));
}

LINKSPAN_DECL bool http_serving::is_allowed_host(std::string_view host) const noexcept
{
    auto const is_host = [host](std::string const& one) { return detail::equal_ignoring_case(one, host); };
    return std::ranges::any_of(options_.hosts, is_host);
}

// Returns true if the page of the browser was served by an allowed host on the port of this server.
LINKSPAN_DECL bool http_serving::is_own_origin(std::string_view origin) const noexcept
{
    auto const scheme = origin.find("://");
    if (scheme == origin.npos || options_.port == 0)
        return false;
    auto const authority = origin.substr(scheme + 3);
    auto const host = detail::serving::without_port(authority);
    bool const is_secure = origin.substr(0, scheme) == "https";
    auto const port = host.size() == authority.size() ? std::string_view(is_secure ? "443" : "80")
                                                      : authority.substr(host.size() + 1);
    return (is_secure || origin.substr(0, scheme) == "http") && is_allowed_host(host) &&
           json_scan::integer(port) == std::int64_t{options_.port};
}

LINKSPAN_DECL http_serving::verdict http_serving::decide_post(request const& what) const
{
    using detail::serving::refuse;
    using kind = envelope::kind;
    auto types = what.header("Content-Type").value_or("");
    if (!detail::equal_ignoring_case(detail::serving::take_part(types, ';'), "application/json"))
        return refuse(415);
    auto const accept = what.header("Accept").value_or("");
    if (!detail::serving::accepts(accept, "application/json") || !detail::serving::accepts(accept, "text/event-stream"))
        return refuse(406);
    auto const message = read_envelope(what.body);
    if (message.what == kind::not_json || !json_scan::is_value(what.body))
        return refuse(400, message, -32700, "Parse error");
    if (message.what == kind::invalid || (message.raw_id == "null" && message.what != kind::error))
        return refuse(400, message, -32600, "Invalid Request");
    return is_stateless_request(what, message) ? decide_stateless(what, message) : decide_handshake(what, message);
}

LINKSPAN_DECL bool http_serving::is_stateless_request(request const& what, envelope const& message) const
{
    if (!supports(era::stateless) || !supports(era::handshake))
        return supports(era::stateless);
    if (message.what == envelope::kind::batch)
        return false;
    if (!json_scan::member(json_scan::member(message.params, "_meta"), meta_keys::version).empty())
        return true;
    if (message.method == "initialize")
        return false;
    auto const named = protocol_version_from(what.header("MCP-Protocol-Version").value_or(""));
    return named && traits_of(*named).era == era::stateless;
}

LINKSPAN_DECL http_serving::verdict http_serving::decide_stateless(request const& what, envelope const& message) const
{
    using detail::serving::refuse;
    using kind = envelope::kind;
    if (message.what != kind::request && message.what != kind::notification)
        return refuse(400, message, -32600, "Invalid Request");
    auto const meta = json_scan::member(message.params, "_meta");
    auto const proposed = json_scan::member(meta, meta_keys::version);
    auto const header_version = what.header("MCP-Protocol-Version");
    auto requested = protocol_version_from(json_scan::quoted(proposed).value_or(""));
    if (message.what == kind::request) {
        if (message.method == "initialize" && proposed.empty())
            return unsupported(message, json_scan::member(message.params, "protocolVersion"));
        if (!json_scan::quoted(proposed) || !json_scan::member(meta, meta_keys::capabilities).starts_with('{'))
            return refuse(400, message, -32602, "params._meta has no protocol version or no client capabilities");
        if (header_version && *header_version != json_scan::quoted(proposed))
            return refuse(400, message, -32020, "header MCP-Protocol-Version does not match the message");
        if (!requested || !supports(*requested) || traits_of(*requested).era != era::stateless)
            return unsupported(message, proposed);
    }
    for (auto const& fault : {header_fault(what, message), argument_fault(what, message)})
        if (!fault.empty())
            return refuse(400, message, -32020, fault);
    if (message.what == kind::notification && proposed.empty())
        requested = protocol_version_from(header_version.value_or(""));
    if (!header_version || !requested || to_string(*requested) != *header_version)
        return refuse(400, message, -32020, "header MCP-Protocol-Version does not match the message");
    if (message.method == "initialize" && message.what == kind::request)
        return refuse(404, message, -32601, "initialize is not a method of this protocol version");
    verdict out;
    out.what = verdict::kind::message;
    out.message = message;
    out.version = *requested;
    return out;
}

// The specification does not require these headers for notifications. Headers that are present must match.
LINKSPAN_DECL std::string http_serving::header_fault(request const& what, envelope const& message) const
{
    bool const is_request = message.what == envelope::kind::request;
    auto const method = what.header("Mcp-Method");
    if (method ? *method != message.method : is_request)
        return "header Mcp-Method does not match the message";
    auto const key = detail::serving::key_of_name(message.method);
    auto const inside = json_scan::string(json_scan::member(message.params, key));
    if (key.empty() || !inside || !is_request)
        return {};
    auto const header = what.header("Mcp-Name");
    if (!header || !detail::serving::is_valid_value(*header) || decode_header_value(*header) != inside)
        return "header Mcp-Name does not match the message";
    return {};
}

LINKSPAN_DECL std::string http_serving::argument_fault(request const& what, envelope const& message) const
{
    if (message.method != "tools/call" || !options_.mirrored)
        return {};
    auto const tool = json_scan::string(json_scan::member(message.params, "name")).value_or("");
    auto const* const mirrored = options_.mirrored(tool);
    auto const arguments = json_scan::member(message.params, "arguments");
    for (auto const& which : mirrored ? std::span(mirrored->all) : std::span<mirrored_argument const>()) {
        auto const inside = mirrored_value(arguments, which);
        auto const outside = what.header(which.header);
        if (!inside && !outside)
            continue;
        bool const is_same = inside && outside && detail::serving::is_valid_value(*outside) &&
                             (decode_header_value(*outside) == decode_header_value(*inside) ||
                              detail::serving::is_same_number(*outside, arguments, which));
        if (!is_same)
            return which.header + " does not match the message";
    }
    return {};
}

LINKSPAN_DECL http_serving::verdict http_serving::unsupported(envelope const& message, std::string_view proposed) const
{
    std::string data = R"({"supported":[)";
    for (auto const id : options_.protocol_versions)
        if (traits_of(id).era == era::stateless)
            append_quoted(data += data.back() == '[' ? "" : ",", to_string(id));
    data += ']';
    if (!proposed.empty())
        (data += R"(,"requested":)") += proposed;
    return detail::serving::refuse(
        400, server_dialogue::failure(message.raw_id, -32022, "Unsupported protocol version", data + "}"));
}

LINKSPAN_DECL http_serving::verdict http_serving::decide_handshake(request const& what, envelope const& message) const
{
    using detail::serving::refuse;
    verdict out;
    out.message = message;
    if (message.method == "initialize" && message.what == envelope::kind::request) {
        if (what.header("Mcp-Session-Id"))
            return refuse(400, message, -32600, "Invalid Request: initialize must not have the header Mcp-Session-Id");
        out.what = verdict::kind::initialize;
        return out;
    }
    if (auto const refused = check_session(what, message, out))
        return *refused;
    out.what = verdict::kind::message;
    if (message.what == envelope::kind::batch) {
        if (!traits_of(out.version).batches)
            return refuse(400, message, -32600, "Invalid Request");
        for (json_scan::reader in(what.body); auto const one = in.next();)
            if (read_envelope(one->value).method == "initialize")
                return refuse(400, message, -32600, "Invalid Request: initialize is not allowed in a batch");
        out.what = verdict::kind::batch;
    }
    return out;
}

// Clients of protocol versions before 2025-06-18 do not send the header of the version. Without a session, 2025-03-26
// is assumed for them.
LINKSPAN_DECL std::optional<http_serving::verdict>
http_serving::check_session(request const& what, envelope const& message, verdict& found) const
{
    using detail::serving::refuse;
    std::optional<protocol_version> of_session;
    if (options_.sessions) {
        auto const id = what.header("Mcp-Session-Id");
        if (!id || id->empty())
            return refuse(400, message, -32000, "Bad Request: Mcp-Session-Id is missing");
        of_session = options_.session ? options_.session(*id) : std::nullopt;
        if (!of_session)
            return refuse(404, message, -32001, "Session not found");
        found.session = *id;
    }
    auto const header_version = what.header("MCP-Protocol-Version");
    auto const named = protocol_version_from(header_version.value_or(""));
    if (header_version && (!named || !supports(*named) || traits_of(*named).era != era::handshake))
        return refuse(400, message, -32000, "Bad Request: unsupported MCP-Protocol-Version");
    if (of_session) {
        found.version = *of_session;
    } else if (named) {
        found.version = *named;
    } else {
        auto const assumed = {protocol_version::v2025_03_26, protocol_version::v2024_11_05};
        auto const supported = std::ranges::find_if(assumed, [this](protocol_version id) { return supports(id); });
        if (supported == assumed.end())
            return refuse(400, message, -32000, "Bad Request: MCP-Protocol-Version is missing");
        found.version = *supported;
    }
    return std::nullopt;
}

LINKSPAN_DECL http_serving::verdict http_serving::decide_other(request const& what) const
{
    using detail::serving::refuse;
    bool const opens = what.method == "GET" && options_.get_stream && supports(era::handshake);
    bool const ends =
        what.method == "DELETE" && options_.delete_session && options_.sessions && supports(era::handshake);
    if (!opens && !ends) {
        auto out = refuse(405);
        out.fields.emplace_back("Allow", allowed());
        return out;
    }
    if (opens && !detail::serving::accepts(what.header("Accept").value_or(""), "text/event-stream"))
        return refuse(406);
    verdict out;
    if (auto const refused = check_session(what, {}, out))
        return *refused;
    out.what = opens ? verdict::kind::open_stream : verdict::kind::end_session;
    out.last_event = what.header("Last-Event-ID").value_or("");
    return out;
}

LINKSPAN_DECL std::string http_serving::allowed() const
{
    std::string out = "POST";
    if (options_.get_stream && supports(era::handshake))
        out += ", GET";
    if (options_.delete_session && options_.sessions && supports(era::handshake))
        out += ", DELETE";
    return out;
}

LINKSPAN_DECL bool http_serving::supports(protocol_version id) const noexcept
{
    return std::ranges::find(options_.protocol_versions, id) != options_.protocol_versions.end();
}

LINKSPAN_DECL bool http_serving::supports(era which) const noexcept
{
    return std::ranges::any_of(options_.protocol_versions,
                               [which](protocol_version id) { return traits_of(id).era == which; });
}

} // namespace linkspan

#endif

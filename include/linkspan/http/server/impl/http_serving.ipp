#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVING_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVING_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/http/server/detail/request_headers.hpp>
#include <linkspan/http/server/http_serving.hpp>
#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/header_value.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/protocol/server/frequent_request.hpp>
#include <linkspan/protocol/server/request_params.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>

#include <algorithm>
#include <span>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail::serving {

inline http_serving::verdict refuse(int status, std::string body = {})
{
    http_serving::verdict out;
    out.status = status;
    out.body = std::move(body);
    return out;
}

inline http_serving::verdict refuse(int status, envelope const& message, int code, std::string_view why)
{
    return refuse(status, server_dialogue::failure(message.raw_id, code, why));
}

} // namespace detail::serving

// Structure of the message in the body of a POST request, as views of the body.
struct http_serving::posted_message {
    envelope message;
    request_params params;
    required_meta meta;
};

LINKSPAN_DECL http_serving::http_serving(options properties) : options_(std::move(properties))
{
    auto const has = [this](era which) {
        return std::ranges::any_of(options_.protocol_versions,
                                   [which](protocol_version id) { return traits_of(id).era == which; });
    };
    has_handshake_ = has(era::handshake);
    has_stateless_ = has(era::stateless);
}

// Reads the members in one pass. The first of repeated members is significant, as for `json_scan::member`.
LINKSPAN_DECL http_serving::required_meta http_serving::read_required_meta(std::string_view meta) noexcept
{
    required_meta out;
    for (json_scan::reader each(meta); auto const one = each.next();) {
        if (one->key == meta_keys::version && out.version.empty())
            out.version = one->value;
        else if (one->key == meta_keys::capabilities && out.capabilities.empty())
            out.capabilities = one->value;
    }
    return out;
}

LINKSPAN_DECL http_serving::verdict http_serving::decide(http_head const& head, std::string_view body,
                                                         std::string_view principal)
{
    auto const target = head.target();
    if (target.substr(0, target.find('?')) != options_.path)
        return detail::serving::refuse(404);
    if (!has_allowed_origin(head))
        return detail::serving::refuse(403);
    bare_request const from{head, principal};
    return head.method() == "POST" ? decide_post(from, body) : decide_other(from);
}

// Protects local servers from web pages in the browser of the user: cross-origin requests (RFC 6454) and DNS rebinding.
LINKSPAN_DECL bool http_serving::has_allowed_origin(http_head const& head) const
{
    using field = boost::beast::http::field;
    auto const origin = head.find("Origin");
    if (origin && std::ranges::find(options_.origins, *origin) == options_.origins.end() && !is_own_origin(*origin))
        return false;
    auto const host = head[field::host];
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

LINKSPAN_DECL http_serving::verdict http_serving::decide_post(bare_request const& from, std::string_view body)
{
    using detail::serving::refuse;
    using field = boost::beast::http::field;
    using kind = envelope::kind;
    auto types = from.head[field::content_type];
    if (!detail::equal_ignoring_case(detail::serving::take_part(types, ';'), "application/json"))
        return refuse(415);
    if (!detail::serving::accepts_responses(from.head[field::accept]))
        return refuse(406);
    posted_message posted;
    auto& message = posted.message;
    frequent_request read;
    auto const known_meta = std::string_view(accepted_meta_).substr(accepted_meta_.empty() ? 0 : 1);
    if (read_frequent_request(body, known_meta, read)) {
        message = read.message;
        posted.params = read.params;
    } else {
        read = {};
        message = read_envelope(body);
        if (message.what == kind::not_json || !json_scan::is_value(body))
            return refuse(400, message, -32700, "Parse error");
        bool const is_batch = message.what == kind::batch;
        if (message.has_escaped_names || (is_batch && has_escaped_names(body))) {
            auto plain = with_plain_names(body);
            if (!plain)
                return refuse(400, message, -32700, "Parse error");
            verdict again;
            again.what = verdict::kind::escaped;
            again.body = std::move(*plain);
            return again;
        }
        if (message.what == kind::invalid || (message.raw_id == "null" && message.what != kind::error))
            return refuse(400, message, -32600, "Invalid Request");
        posted.params = request_params::read(message.params);
    }
    posted.meta = read.has_known_meta ? accepted_ : read_required_meta(posted.params.meta);
    if (!is_stateless_request(from.head, posted))
        return decide_handshake(from, body, message);
    auto out = decide_stateless(from.head, posted);
    auto const members = read.meta.members;
    bool const is_new = members.starts_with('"') && !read.has_known_meta && members.size() < detail::kept_text;
    if (out.what == verdict::kind::message && is_new) {
        (accepted_meta_ = '{') += members;
        accepted_ = read_required_meta(accepted_meta_);
    }
    return out;
}

LINKSPAN_DECL bool http_serving::is_stateless_request(http_head const& head, posted_message const& posted) const
{
    if (!has_stateless_ || !has_handshake_)
        return has_stateless_;
    if (posted.message.what == envelope::kind::batch)
        return false;
    if (!posted.meta.version.empty())
        return true;
    if (posted.message.method == "initialize")
        return false;
    auto const named = protocol_version_from(head["MCP-Protocol-Version"]);
    return named && traits_of(*named).era == era::stateless;
}

LINKSPAN_DECL http_serving::verdict http_serving::decide_stateless(http_head const& head,
                                                                   posted_message const& posted) const
{
    using detail::serving::refuse;
    using kind = envelope::kind;
    auto const& message = posted.message;
    if (message.what != kind::request && message.what != kind::notification)
        return refuse(400, message, -32600, "Invalid Request");
    auto const proposed = json_scan::quoted(posted.meta.version);
    auto const header_version = head.find("MCP-Protocol-Version");
    auto requested = protocol_version_from(proposed.value_or(""));
    if (message.what == kind::request) {
        if (message.method == "initialize" && posted.meta.version.empty())
            return unsupported(message, json_scan::member(message.params, "protocolVersion"));
        if (!proposed || !posted.meta.capabilities.starts_with('{'))
            return refuse(400, message, -32602, "params._meta has no protocol version or no client capabilities");
        if (header_version && *header_version != *proposed)
            return refuse(400, message, -32020, "header MCP-Protocol-Version does not match the message");
        if (!requested || !supports(*requested) || traits_of(*requested).era != era::stateless)
            return unsupported(message, posted.meta.version);
    }
    auto fault = header_fault(head, posted);
    if (fault.empty())
        fault = argument_fault(head, posted);
    if (!fault.empty())
        return refuse(400, message, -32020, fault);
    if (message.what == kind::notification && posted.meta.version.empty())
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
LINKSPAN_DECL std::string http_serving::header_fault(http_head const& head, posted_message const& posted) const
{
    auto const& message = posted.message;
    bool const is_request = message.what == envelope::kind::request;
    auto const method = head.find("Mcp-Method");
    if (method ? *method != message.method : is_request)
        return "header Mcp-Method does not match the message";
    auto const key = detail::serving::key_of_name(message.method);
    if (key.empty() || !is_request)
        return {};
    auto const name = key == "name" ? posted.params.name : json_scan::member(message.params, key);
    if (!json_scan::quoted(name))
        return {};
    auto const header = head.find("Mcp-Name");
    if (!header || !detail::serving::mirrors(*header, name))
        return "header Mcp-Name does not match the message";
    return {};
}

LINKSPAN_DECL std::string http_serving::argument_fault(http_head const& head, posted_message const& posted) const
{
    if (posted.message.method != "tools/call" || !options_.mirrored)
        return {};
    auto const quoted = json_scan::quoted(posted.params.name);
    bool const is_plain = quoted && quoted->find('\\') == quoted->npos; // as most names, which are not copied then
    auto const* const mirrored =
        options_.mirrored(is_plain ? *quoted : json_scan::string(posted.params.name).value_or(""));
    auto const arguments = posted.params.arguments;
    for (auto const& which : mirrored ? std::span(mirrored->all) : std::span<mirrored_argument const>()) {
        auto const inside = mirrored_value(arguments, which);
        auto const outside = head.find(which.header);
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
    if (!proposed.empty() && detail::is_without_fault(proposed))
        (data += R"(,"requested":)") += proposed;
    return detail::serving::refuse(
        400, server_dialogue::failure(message.raw_id, -32022, "Unsupported protocol version", data + "}"));
}

LINKSPAN_DECL http_serving::verdict http_serving::decide_handshake(bare_request const& from, std::string_view body,
                                                                   envelope const& message) const
{
    using detail::serving::refuse;
    verdict out;
    out.message = message;
    if (message.method == "initialize" && message.what == envelope::kind::request) {
        if (from.head.find("Mcp-Session-Id"))
            return refuse(400, message, -32600, "Invalid Request: initialize must not have the header Mcp-Session-Id");
        out.what = verdict::kind::initialize;
        return out;
    }
    if (auto const refused = check_session(from, message, out))
        return *refused;
    out.what = verdict::kind::message;
    if (message.what == envelope::kind::batch) {
        if (!traits_of(out.version).batches)
            return refuse(400, message, -32600, "Invalid Request");
        for (json_scan::reader in(body); auto const one = in.next();) {
            auto const element = read_envelope(one->value);
            if (element.method == "initialize")
                return refuse(400, message, -32600, "Invalid Request: initialize is not allowed in a batch");
            if (element.what == envelope::kind::batch)
                return refuse(400, message, -32600, "Invalid Request: an array in a batch");
        }
        out.what = verdict::kind::batch;
    }
    return out;
}

// Clients of protocol versions before 2025-06-18 do not send the header of the version. Without a session, 2025-03-26
// is assumed for them.
LINKSPAN_DECL std::optional<http_serving::verdict>
http_serving::check_session(bare_request const& from, envelope const& message, verdict& found) const
{
    using detail::serving::refuse;
    std::optional<protocol_version> of_session;
    if (options_.sessions) {
        auto const id = from.head.find("Mcp-Session-Id");
        if (!id || id->empty())
            return refuse(400, message, -32000, "Bad Request: Mcp-Session-Id is missing");
        of_session = options_.session ? options_.session(*id, from.principal) : std::nullopt;
        if (!of_session)
            return refuse(404, message, -32001, "Session not found");
        found.session = *id;
    }
    auto const header_version = from.head.find("MCP-Protocol-Version");
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

LINKSPAN_DECL http_serving::verdict http_serving::decide_other(bare_request const& from) const
{
    using detail::serving::refuse;
    bool const opens = from.head.method() == "GET" && options_.get_stream && has_handshake_;
    bool const ends = from.head.method() == "DELETE" && options_.delete_session && options_.sessions && has_handshake_;
    if (!opens && !ends) {
        auto out = refuse(405);
        out.fields.emplace_back("Allow", allowed());
        return out;
    }
    if (opens && !detail::serving::accepts(from.head[boost::beast::http::field::accept], "text/event-stream"))
        return refuse(406);
    verdict out;
    if (auto const refused = check_session(from, {}, out))
        return *refused;
    out.what = opens ? verdict::kind::open_stream : verdict::kind::end_session;
    out.last_event = from.head["Last-Event-ID"];
    return out;
}

LINKSPAN_DECL std::string http_serving::allowed() const
{
    std::string out = "POST";
    if (options_.get_stream && has_handshake_)
        out += ", GET";
    if (options_.delete_session && options_.sessions && has_handshake_)
        out += ", DELETE";
    return out;
}

LINKSPAN_DECL bool http_serving::supports(protocol_version id) const noexcept
{
    return std::ranges::find(options_.protocol_versions, id) != options_.protocol_versions.end();
}

} // namespace linkspan

#endif

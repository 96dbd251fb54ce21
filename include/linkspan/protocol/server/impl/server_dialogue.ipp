#ifndef LINKSPAN_PROTOCOL_SERVER_IMPL_SERVER_DIALOGUE_IPP
#define LINKSPAN_PROTOCOL_SERVER_IMPL_SERVER_DIALOGUE_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline server_dialogue::action send(envelope const& request, protocol_version id, std::string text)
{
    server_dialogue::action next;
    next.what = server_dialogue::action::kind::send;
    next.message = request;
    next.version = id;
    next.text = std::move(text);
    return next;
}

} // namespace detail

LINKSPAN_DECL server_dialogue::server_dialogue(options with)
{
    std::string meta = R"({"io.modelcontextprotocol/serverInfo":)";
    append_json(meta, with, protocol_version::v2026_07_28);
    settings_ = std::make_shared<settings const>(settings{std::move(with), meta + "}"});
}

LINKSPAN_DECL server_dialogue::action server_dialogue::on_message(std::string_view line)
{
    using kind = action::kind;
    action next;
    next.message = read_envelope(line);
    next.version = version();
    auto const& message = next.message;
    switch (message.what) {
    case envelope::kind::not_json:
        next.what = kind::malformed;
        next.text = failure("null", -32700, "Parse error");
        return next;
    case envelope::kind::batch:
        if (initialized_ && traits_of(agreed_).batches) {
            next.what = kind::batch;
            return next;
        }
        [[fallthrough]];
    case envelope::kind::invalid:
        next.what = kind::malformed;
        next.text = failure(message.raw_id.empty() ? "null" : message.raw_id, -32600, "Invalid Request");
        return next;
    case envelope::kind::result:
    case envelope::kind::error: next.what = kind::response; return next;
    case envelope::kind::notification: next.what = kind::notify; return next;
    case envelope::kind::request: break;
    }
    auto const meta = next.meta = json_scan::member(message.params, "_meta");
    if (!meta.empty() && meta == accepted_meta_) {
        next.version = accepted_version_;
        next.what = kind::request;
        if (message.method == "server/discover")
            return detail::send(message, next.version, discover(message.raw_id, next.version));
        if (message.method == "initialize")
            return detail::send(message, next.version, failure(message.raw_id, -32601, "Method not found"));
        return next;
    }
    auto const proposed = json_scan::member(meta, meta_keys::version);
    if (message.method == "initialize" && (proposed.empty() || !supports(era::stateless)))
        return initialize(message);
    if (!proposed.empty() || !supports(era::handshake)) {
        auto const known = protocol_version_from(json_scan::quoted(proposed).value_or(""));
        bool const complete = json_scan::member(meta, meta_keys::capabilities).starts_with('{');
        if (!known || !supports(*known) || traits_of(*known).era != era::stateless || !complete)
            return reject_meta(message, proposed, complete);
        next.version = accepted_version_ = *known;
        accepted_meta_ = meta;
        if (message.method == "initialize")
            return detail::send(message, *known, failure(message.raw_id, -32601, "Method not found"));
        if (message.method == "server/discover")
            return detail::send(message, *known, discover(message.raw_id, *known));
    } else {
        next.version = initialized_ ? agreed_ : newest_supported(era::handshake);
        if (message.method == "ping")
            return detail::send(message, next.version, result(message.raw_id, {}, next.version));
    }
    next.what = kind::request;
    return next;
}

LINKSPAN_DECL server_dialogue::action server_dialogue::initialize(envelope const& request)
{
    auto const text = json_scan::member(request.params, "protocolVersion");
    if (!supports(era::handshake))
        return detail::send(request, version(), unsupported(request.raw_id, text));
    if (initialized_)
        return detail::send(request, version(),
                            failure(request.raw_id, -32600, "Invalid Request: the connection is initialized already"));
    auto const proposed = protocol_version_from(json_scan::quoted(text).value_or(""));
    bool const agrees = proposed && supports(*proposed) && traits_of(*proposed).era == era::handshake;
    agreed_ = agrees ? *proposed : newest_supported(era::handshake);
    initialized_ = true;
    std::string members = R"("protocolVersion":")" + std::string(to_string(agreed_)) + R"(","capabilities":)" +
                          capabilities(agreed_) + R"(,"serverInfo":)";
    append_json(members, settings_->with, agreed_);
    if (!settings_->with.instructions.empty())
        append_quoted(members += R"(,"instructions":)", settings_->with.instructions);
    return detail::send(request, agreed_, result(request.raw_id, members, agreed_));
}

LINKSPAN_DECL std::string server_dialogue::discover(std::string_view raw_id, protocol_version id) const
{
    std::string members =
        R"("supportedVersions":)" + supported(era::stateless) + R"(,"capabilities":)" + capabilities(id);
    if (!settings_->with.instructions.empty())
        append_quoted(members += R"(,"instructions":)", settings_->with.instructions);
    return result(raw_id, members, id, true);
}

// A server without stateless protocol versions supports neither `server/discover` nor the members of `_meta`.
LINKSPAN_DECL server_dialogue::action server_dialogue::reject_meta(envelope const& request, std::string_view proposed,
                                                                   bool is_complete) const
{
    if (!supports(era::stateless)) {
        action next;
        next.what = action::kind::request;
        next.message = request;
        next.version = version();
        return request.method == "server/discover"
                   ? detail::send(request, version(), failure(request.raw_id, -32601, "Method not found"))
                   : next;
    }
    if (!is_complete || !json_scan::quoted(proposed))
        return detail::send(
            request, version(),
            failure(request.raw_id, -32602, "_meta must contain the protocol version and the client capabilities"));
    return detail::send(request, version(), unsupported(request.raw_id, proposed));
}

LINKSPAN_DECL std::string server_dialogue::unsupported(std::string_view raw_id, std::string_view proposed) const
{
    auto data = R"({"supported":)" + supported(era::stateless);
    if (!proposed.empty())
        (data += R"(,"requested":)") += proposed;
    return failure(raw_id, -32022, "Unsupported protocol version", data + "}");
}

LINKSPAN_DECL std::string server_dialogue::result(std::string_view raw_id, std::string_view members,
                                                  protocol_version id, bool cacheable) const
{
    std::string object = "{";
    (object += members) += '}';
    auto contains = find_members(object);
    contains.cache = contains.cache || !cacheable;
    std::string out;
    append_result(out, raw_id, members, id, contains);
    return out;
}

LINKSPAN_DECL server_dialogue::contained_members server_dialogue::find_members(std::string_view object) noexcept
{
    contained_members out;
    for (json_scan::reader each(object); auto const one = each.next();) {
        out.type |= one->key == "resultType";
        out.cache |= one->key == "ttlMs" || one->key == "cacheScope";
        out.meta |= one->key == "_meta";
    }
    return out;
}

LINKSPAN_DECL void server_dialogue::append_result(std::string& out, std::string_view raw_id, std::string_view members,
                                                  protocol_version id, contained_members contains) const
{
    out += R"({"jsonrpc":"2.0","id":)";
    out += raw_id;
    out += R"(,"result":{)";
    out += members;
    if (traits_of(id).results_have_type) {
        auto const separate = [&out] {
            if (out.back() != '{')
                out += ',';
        };
        if (!contains.type) {
            separate();
            out += R"("resultType":"complete")";
        }
        if (!contains.cache)
            out += R"(,"ttlMs":0,"cacheScope":"private")";
        if (!contains.meta) {
            separate();
            (out += R"("_meta":)") += settings_->result_meta;
        }
    }
    out += "}}";
}

LINKSPAN_DECL std::string server_dialogue::failure(std::string_view raw_id, int code, std::string_view message,
                                                   std::string_view data)
{
    std::string out = R"({"jsonrpc":"2.0","id":)";
    out += raw_id;
    out += R"(,"error":{"code":)";
    append_number(out, code);
    append_quoted(out += R"(,"message":)", message);
    if (!data.empty())
        (out += R"(,"data":)") += data;
    return out += "}}";
}

LINKSPAN_DECL protocol_version server_dialogue::version() const noexcept
{
    return initialized_ ? agreed_ : *std::ranges::max_element(settings_->with.protocol_versions);
}

LINKSPAN_DECL bool server_dialogue::supports(protocol_version id) const noexcept
{
    return std::ranges::find(settings_->with.protocol_versions, id) != settings_->with.protocol_versions.end();
}

LINKSPAN_DECL bool server_dialogue::supports(era which) const noexcept
{
    return std::ranges::any_of(settings_->with.protocol_versions,
                               [which](protocol_version id) { return traits_of(id).era == which; });
}

LINKSPAN_DECL protocol_version server_dialogue::newest_supported(era which) const noexcept
{
    auto best = settings_->with.protocol_versions.front();
    for (auto const id : settings_->with.protocol_versions)
        if (traits_of(id).era == which && (traits_of(best).era != which || id > best))
            best = id;
    return best;
}

LINKSPAN_DECL std::string server_dialogue::supported(era which) const
{
    std::string out = "[";
    for (auto const id : settings_->with.protocol_versions)
        if (traits_of(id).era == which)
            append_quoted(out += out.size() > 1 ? "," : "", to_string(id));
    return out += ']';
}

LINKSPAN_DECL std::string server_dialogue::capabilities(protocol_version id) const
{
    return settings_->with.capabilities_of ? settings_->with.capabilities_of(id) : settings_->with.capabilities;
}

} // namespace linkspan

#endif

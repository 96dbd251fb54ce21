#ifndef LINKSPAN_PROTOCOL_SERVER_IMPL_SERVER_DIALOGUE_IPP
#define LINKSPAN_PROTOCOL_SERVER_IMPL_SERVER_DIALOGUE_IPP

#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/core/detail/text_writer.hpp>
#include <linkspan/json/detail/json_fault.hpp>
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

inline server_dialogue::action refuse_as_malformed(envelope const& message)
{
    server_dialogue::action next;
    next.what = server_dialogue::action::kind::malformed;
    next.message = message;
    next.text = server_dialogue::failure("null", -32700, "Parse error");
    return next;
}

} // namespace detail

LINKSPAN_DECL server_dialogue::server_dialogue(options values)
{
    std::string meta = R"({"io.modelcontextprotocol/serverInfo":)";
    append_json(meta, values, protocol_version::v2026_07_28);
    auto const newest = *std::ranges::max_element(values.protocol_versions);
    settings_ = std::make_shared<settings const>(settings{std::move(values), newest, meta + "}"});
}

LINKSPAN_DECL server_dialogue::action server_dialogue::on_message(std::string_view line)
{
    using kind = action::kind;
    auto const is_known = [this](split_meta const& meta) {
        return !meta.members.empty() && meta.members == accepted_meta_;
    };
    if (frequent_request read; read_frequent_request(line, accepted_meta_, read))
        return on_request(read.message, read.params, read.meta, read.has_known_meta || is_known(read.meta));
    auto const message = read_envelope(line);
    if (message.has_escaped_names)
        return on_escaped(message, line);
    if (message.what == envelope::kind::request) {
        auto const params = request_params::read(message.params);
        auto const meta = split_meta::read(params.meta);
        return on_request(message, params, meta, is_known(meta));
    }
    action next;
    next.message = message;
    next.version = version();
    switch (message.what) {
    case envelope::kind::not_json:
        next.what = kind::malformed;
        next.text = failure("null", -32700, "Parse error");
        break;
    case envelope::kind::batch:
        if (initialized_ && traits_of(agreed_).batches && json_scan::is_value(line)) {
            next.what = kind::batch;
            break;
        }
        [[fallthrough]];
    case envelope::kind::invalid:
        next.what = kind::malformed;
        next.text = refusal_of_invalid(message, line);
        break;
    case envelope::kind::result:
    case envelope::kind::error: next.what = kind::response; break;
    case envelope::kind::notification: next.what = kind::notify; break;
    case envelope::kind::request: break; // see above
    }
    return next;
}

// A truncated message keeps its id, so that the request of the client has a response.
LINKSPAN_DECL std::string server_dialogue::refusal_of_invalid(envelope const& message, std::string_view line)
{
    return json_scan::is_value(line) ? failure(message.raw_id, -32600, "Invalid Request")
                                     : failure(message.raw_id, -32700, "Parse error");
}

LINKSPAN_DECL server_dialogue::action server_dialogue::on_escaped(envelope const& message, std::string_view line)
{
    action next;
    next.message = message;
    next.version = version();
    auto plain = with_plain_names(line);
    next.what = plain ? action::kind::escaped : action::kind::malformed;
    next.text = plain ? std::move(*plain) : failure("null", -32700, "Parse error");
    return next;
}

// accept() changes the action in place: a function that also returned other actions would move this one.
LINKSPAN_DECL server_dialogue::action server_dialogue::on_request(envelope const& message, request_params const& params,
                                                                  split_meta const& meta, bool has_known_meta)
{
    action next;
    next.what = action::kind::request;
    next.message = message;
    next.params = params;
    next.progress_token = meta.progress_token;
    next.meta_members = meta.members;
    accept(next, has_known_meta);
    return next;
}

LINKSPAN_DECL void server_dialogue::accept(action& next, bool has_known_meta)
{
    auto const& message = next.message;
    // Responses and notifications have these texts, of a message that was not read completely.
    if (!detail::is_without_fault(message.raw_id) || !detail::is_without_fault(next.progress_token))
        return void(next = detail::refuse_as_malformed(message));
    if (has_known_meta)
        return accept_stateless(next);
    auto const proposed = json_scan::member(next.params.meta, meta_keys::version);
    if (!detail::is_without_fault(proposed))
        return void(next = detail::refuse_as_malformed(message));
    if (message.method == "initialize" && (proposed.empty() || !supports(era::stateless)))
        return void(next = initialize(message));
    if (!proposed.empty() || !supports(era::handshake)) {
        auto const known = protocol_version_from(json_scan::quoted(proposed).value_or(""));
        bool const complete = json_scan::member(next.params.meta, meta_keys::capabilities).starts_with('{');
        if (!known || !supports(*known) || traits_of(*known).era != era::stateless || !complete)
            return void(next = reject_meta(next, proposed, complete));
        accepted_meta_ = next.meta_members.size() <= detail::kept_text ? next.meta_members : std::string_view();
        accepted_version_ = *known;
        ++meta_number_;
        return accept_stateless(next);
    }
    next.version = initialized_ ? agreed_ : newest_supported(era::handshake);
    if (message.method == "ping")
        next = detail::send(message, next.version, result(message.raw_id, {}, next.version));
    else if (message.method == "server/discover")
        next = detail::send(message, next.version, failure(message.raw_id, -32601, "Method not found"));
}

LINKSPAN_DECL void server_dialogue::accept_stateless(action& next) const
{
    auto const& message = next.message;
    next.version = accepted_version_;
    next.meta_number = meta_number_;
    if (message.method == "server/discover")
        next = detail::send(message, next.version, discover(message.raw_id, next.version));
    else if (message.method == "initialize")
        next = detail::send(message, next.version, failure(message.raw_id, -32601, "Method not found"));
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
    auto const chosen = agrees ? *proposed : newest_supported(era::handshake);
    std::string members = R"("protocolVersion":")" + std::string(to_string(chosen)) + R"(","capabilities":)" +
                          capabilities(chosen) + R"(,"serverInfo":)";
    append_json(members, settings_->with, chosen);
    if (!settings_->with.instructions.empty())
        append_quoted(members += R"(,"instructions":)", settings_->with.instructions);
    auto next = detail::send(request, chosen, result(request.raw_id, members, chosen));
    agreed_ = chosen; // after the last exception, so that the client can repeat the request
    initialized_ = true;
    return next;
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
LINKSPAN_DECL server_dialogue::action server_dialogue::reject_meta(action next, std::string_view proposed,
                                                                   bool is_complete) const
{
    auto const& request = next.message;
    if (!supports(era::stateless)) {
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
    if (!proposed.empty() && detail::is_without_fault(proposed))
        (data += R"(,"requested":)") += proposed;
    return failure(raw_id, -32022, "Unsupported protocol version", data + "}");
}

LINKSPAN_DECL std::string server_dialogue::result(std::string_view raw_id, std::string_view members,
                                                  protocol_version id, bool cacheable) const
{
    text_buffer out;
    return std::string(write_result(out, raw_id, members, id, find_members(members, cacheable)));
}

LINKSPAN_DECL server_dialogue::contained_members server_dialogue::find_members(std::string_view members,
                                                                               bool cacheable) noexcept
{
    contained_members out;
    out.cache = !cacheable;
    for (auto each = json_scan::reader::of_members(members); auto const one = each.next();) {
        out.type |= one->key == "resultType";
        out.cache |= one->key == "ttlMs" || one->key == "cacheScope";
        out.meta |= one->key == "_meta";
    }
    return out;
}

LINKSPAN_DECL std::string_view server_dialogue::write_result(text_buffer& to_buffer, std::string_view raw_id,
                                                             std::string_view members, protocol_version id,
                                                             contained_members contains) const
{
    using namespace std::string_view_literals; // literals with known sizes: this function is on the path of every call
    constexpr std::size_t max_constants = 160; // with the line end
    char* const begin =
        to_buffer.prepare(max_constants + raw_id.size() + members.size() + settings_->result_meta.size());
    detail::text_writer to(begin);
    to.add(R"({"jsonrpc":"2.0","id":)"sv);
    to.add(raw_id);
    to.add(R"(,"result":{)"sv);
    to.add(members);
    if (traits_of(id).results_have_type) {
        auto const separate = [&to] {
            if (to.last() != '{')
                to.add(',');
        };
        if (!contains.type) {
            separate();
            to.add(R"("resultType":"complete")"sv);
        }
        if (!contains.cache)
            to.add(R"(,"ttlMs":0,"cacheScope":"private")"sv);
        if (!contains.meta) {
            separate();
            to.add(R"("_meta":)"sv);
            to.add(settings_->result_meta);
        }
    }
    to.add("}}"sv);
    return {begin, static_cast<std::size_t>(to.end() - begin)};
}

LINKSPAN_DECL std::string server_dialogue::failure(std::string_view raw_id, int code, std::string_view message,
                                                   std::string_view data)
{
    std::string out = R"({"jsonrpc":"2.0","id":)";
    out += raw_id.empty() || !detail::is_without_fault(raw_id) ? std::string_view("null") : raw_id;
    out += R"(,"error":{"code":)";
    append_number(out, code);
    append_quoted(out += R"(,"message":)", message);
    if (!data.empty())
        (out += R"(,"data":)") += data;
    return out += "}}";
}

LINKSPAN_DECL protocol_version server_dialogue::version() const noexcept
{
    return initialized_ ? agreed_ : settings_->newest;
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

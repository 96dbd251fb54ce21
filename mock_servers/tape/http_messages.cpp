#include "http_messages.hpp"

#include <linkspan/http/server/detail/request_headers.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/message_kind.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>

#include <algorithm>
#include <utility>

namespace mock_servers {

using linkspan::envelope;
using linkspan::message_kind;
using linkspan::request_id;
namespace json_scan = linkspan::json_scan;

namespace {

constexpr std::size_t max_tools = 10'000; // whose arguments are known

// Returns a text in which a part, which is a view of the text, is replaced.
std::string with_part(std::string_view text, std::string_view part, std::string_view replacement)
{
    auto const begin = static_cast<std::size_t>(part.data() - text.data());
    std::string out(text.substr(0, begin));
    return (out += replacement) += text.substr(begin + part.size());
}

message_kind kind_of(envelope const& message)
{
    if (message.is_response())
        return message_kind::response;
    if (message.what == envelope::kind::request)
        return linkspan::kind_of_request(message.method);
    return message.method == "notifications/initialized" ? message_kind::initialized : message_kind::notification;
}

} // namespace

http_messages::sent http_messages::on_client(std::string_view text)
{
    auto const message = linkspan::read_envelope(text);
    sent out;
    text_ = text;
    method_ = message.method;
    auto const key = linkspan::detail::serving::key_of_name(method_);
    name_ = key.empty() ? "" : json_scan::string(json_scan::member(message.params, key)).value_or("");
    read_version(message.params);
    out.message.kind = kind_of(message);
    if (message.what == envelope::kind::request) {
        bool const is_kept =
            message.id && *message.id > 0 && !message.raw_id.starts_with('"') && !requests_.contains(*message.id);
        out.message.id = is_kept ? *message.id : next_id_++;
        requests_[out.message.id] = {std::string(message.raw_id), method_};
        if (!is_kept)
            text_ = with_part(text, message.raw_id, std::to_string(out.message.id));
        mirror_.enable(version_ && traits_of(*version_).era == linkspan::era::stateless);
        if (message.params.starts_with('{'))
            out.message.mirrored =
                mirror_.headers_of(method_, name_, message.params.substr(1, message.params.size() - 2));
    } else if (method_ == "notifications/cancelled") {
        auto const id = json_scan::member(message.params, "requestId");
        auto const found = std::ranges::find_if(requests_, [id](auto const& one) { return one.second.id == id; });
        if (found != requests_.end()) {
            out.ended = found->first;
            text_ = with_part(text, id, std::to_string(found->first));
        }
    }
    if (out.message.kind != message_kind::handshake)
        out.message.version = version_;
    out.message.bytes = text_;
    out.message.method = method_;
    out.message.name = name_;
    return out;
}

std::string http_messages::on_server(std::string_view text, request_id exchange)
{
    auto const message = linkspan::read_envelope(text);
    std::string out(text);
    if (message.is_response()) {
        bool const has_no_id = message.raw_id == "null";
        auto const found = requests_.find(has_no_id ? exchange : message.id.value_or(0));
        if (found != requests_.end()) {
            learn(found->second, message.result);
            out = with_part(text, message.raw_id, found->second.id);
            requests_.erase(found);
        }
    }
    auto const is_line_end = [](char c) { return c == '\n' || c == '\r'; };
    std::ranges::replace_if(out, is_line_end, ' '); // between tokens of JSON only
    return out;
}

std::string http_messages::on_failure(request_id id, int code, std::string_view reason)
{
    auto const found = requests_.find(id);
    if (found == requests_.end())
        return {};
    auto out = R"({"jsonrpc":"2.0","id":)" + found->second.id + R"(,"error":{"code":)" + std::to_string(code) +
               R"(,"message":)";
    linkspan::append_quoted(out, reason);
    requests_.erase(found);
    return out += "}}";
}

void http_messages::read_version(std::string_view params)
{
    auto const named =
        json_scan::quoted(json_scan::member(json_scan::member(params, "_meta"), linkspan::meta_keys::version));
    if (auto const known = linkspan::protocol_version_from(named.value_or("")))
        version_ = known;
}

void http_messages::learn(request const& responded, std::string_view result)
{
    if (responded.method == "initialize")
        version_ = linkspan::protocol_version_from(
            json_scan::quoted(json_scan::member(result, "protocolVersion")).value_or(""));
    if (responded.method != "tools/list")
        return;
    for (json_scan::reader tools(json_scan::member(result, "tools")); auto const tool = tools.next();) {
        auto const name = json_scan::string(json_scan::member(tool->value, "name"));
        auto arguments = linkspan::read_mirrored_arguments(json_scan::member(tool->value, "inputSchema"));
        if (name && (listed_.size() < max_tools || listed_.contains(*name)))
            listed_.insert_or_assign(*name, std::move(arguments.all));
    }
    mirror_.replace(listed_);
}

http_messages::failure http_messages::on_report(linkspan::inbound_report const& report)
{
    constexpr int method_not_found = -32601, internal_error = -32603;
    bool const is_of_handshake = report.era == linkspan::era_evidence::handshake;
    failure out{.reason = "no response over HTTP: " + report.ec.message(), .response = {}};
    if (!report.first_bytes.empty())
        (out.reason += ": ") += report.first_bytes;
    out.response = on_failure(report.id, is_of_handshake ? method_not_found : internal_error, out.reason);
    return out;
}

} // namespace mock_servers

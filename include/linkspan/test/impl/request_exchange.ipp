#ifndef LINKSPAN_TEST_IMPL_REQUEST_EXCHANGE_IPP
#define LINKSPAN_TEST_IMPL_REQUEST_EXCHANGE_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/detail/change_notification.hpp>
#include <linkspan/test/detail/request_exchange.hpp>
#include <linkspan/test/detail/server_connection.hpp>

#include <boost/json/object.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL request_exchange::request_exchange(server_connection& connection, server_dialogue::action const& what,
                                                 std::string_view line, std::uint64_t stream)
    : acting_exchange(connection.executor()),
      connection_(&connection),
      stream_(stream),
      line_(line),
      composed_(what.text),
      id_(what.message.raw_id),
      method_(what.message.method),
      params_(what.message.params),
      version_(what.version)
{
    // The action for a request to which the dialogue has a response has no `params`.
    bool const has_params = what.what == server_dialogue::action::kind::request;
    auto const read = has_params ? what.params : request_params::read(what.message.params);
    auto const members = read.in_copy(what.message.params, params_);
    if (method_ == "tools/call" && !json_scan::append_string(tool_, members.name))
        tool_.clear();
    if (!members.arguments.empty())
        arguments_ = members.arguments;
    meta_ = members.meta;
}

LINKSPAN_DECL std::string request_exchange::message() const
{
    if (!received.empty() || !line_.empty())
        return std::string(received.empty() ? line_ : received);
    auto out = R"({"jsonrpc":"2.0","id":)" + id_ + R"(,"method":)";
    append_quoted(out, method_);
    if (!params_.empty())
        (out += R"(,"params":)") += params_;
    out += '}';
    return out;
}

LINKSPAN_DECL void request_exchange::reply(std::string_view members)
{
    auto const contains = server_dialogue::find_members(members, method_.ends_with("/list"));
    text_buffer response;
    finish(connection_->dialogue().write_result(response, id_, members, version_, contains));
}

LINKSPAN_DECL void request_exchange::refuse(int code, std::string_view message, std::string_view data)
{
    finish(server_dialogue::failure(id_, code, message, data));
}

LINKSPAN_DECL void request_exchange::send(std::string_view bytes) { connection_->send(bytes, stream_); }

LINKSPAN_DECL void request_exchange::notify(std::string_view method, std::string_view params)
{
    bool const is_change = method_ != listen_method && is_change_notification(method, params);
    if (!is_change || !connection_->needs_subscription())
        connection_->send(notification(method, params), stream_);
    if (is_change)
        connection_->notify_all_subscribers(method, params);
}

LINKSPAN_DECL void request_exchange::subscribe(std::string_view capabilities)
{
    granted_ = std::make_unique<subscription_filter>(granted_changes(params_, capabilities));
    auto const params = R"({"notifications":)" + to_json(*granted_) + "}";
    connection_->send(notification("notifications/subscriptions/acknowledged", with_subscription_id(params, id_)),
                      stream_);
}

LINKSPAN_DECL void request_exchange::notify_subscriber(std::string_view method, std::string_view params)
{
    if (granted_ && is_granted(*granted_, method, params))
        connection_->send(notification(method, with_subscription_id(params, id_)), stream_);
}

LINKSPAN_DECL void request_exchange::progress(double value, double total)
{
    auto const token = json_scan::member(meta_, "progressToken");
    if (token.empty())
        return;
    boost::json::object const numbers{{"progress", value}, {"total", total}};
    std::string params;
    append_json(params, numbers);
    auto const line =
        notification("notifications/progress", R"({"progressToken":)" + std::string(token) + "," + params.substr(1));
    connection_->send_recorded(line, stream_, version_);
}

LINKSPAN_DECL void request_exchange::send_request(std::string_view method, std::string_view params,
                                                  std::function<void(std::string_view)> next)
{
    connection_->send_request(method, params, stream_, while_alive(std::move(next)));
}

LINKSPAN_DECL void request_exchange::drop() { connection_->drop(); }

LINKSPAN_DECL http_exchange* request_exchange::http()
{
    return connection_->http ? connection_->http->exchange(stream_) : nullptr;
}

LINKSPAN_DECL std::optional<std::string> request_exchange::http_header(std::string_view name) const
{
    return connection_->http ? connection_->http->header(stream_, name) : std::nullopt;
}

LINKSPAN_DECL std::string request_exchange::nearest_rule() const { return connection_->nearest_rule(*this); }
LINKSPAN_DECL header_fields request_exchange::http_headers() const
{
    return connection_->http ? connection_->http->headers(stream_) : header_fields();
}

LINKSPAN_DECL void request_exchange::respond_by_default()
{
    is_scripted_ = false;
    connection_->respond_by_default(*this);
}

LINKSPAN_DECL void request_exchange::declare_tool(tool_declaration const& what) { connection_->tools().declare(what); }

LINKSPAN_DECL bool request_exchange::has_tool(std::string_view name) const { return connection_->has_tool(name); }

LINKSPAN_DECL void request_exchange::remove_tool(std::string_view name) { connection_->tools().remove(name); }

LINKSPAN_DECL void request_exchange::respond_http(std::string_view text)
{
    if (auto* const to = connection_->http.get()) {
        to->write({.what = fault_step::kind::http_bytes, .text = std::string(text)}, stream_);
        to->write({.what = fault_step::kind::end_response}, stream_);
    }
    mark_complete();
}

LINKSPAN_DECL void request_exchange::mark_complete()
{
    has_response_ = true;
    remove_if_complete();
}

LINKSPAN_DECL script_values& request_exchange::values() { return connection_->values(); }

LINKSPAN_DECL duration request_exchange::since_start() const { return connection_->since_start(); }

LINKSPAN_DECL void request_exchange::cancel()
{
    acting_exchange::cancel();
    if (!has_response_)
        connection_->on_request_cancelled(number);
}

// Messages of scripts and of tool functions may be invalid on purpose, so they are not recorded for validation.
LINKSPAN_DECL void request_exchange::finish(std::string_view response)
{
    if (is_scripted_ || method_ == "tools/call")
        connection_->send(response, stream_, responded());
    else
        connection_->send_recorded(response, stream_, version_, responded());
    mark_complete();
}

// A request with remaining actions stays in the list of the connection, to be cancelled with it.
LINKSPAN_DECL void request_exchange::remove_if_complete()
{
    if (has_response_ && !has_actions())
        connection_->forget(*this);
}

} // namespace linkspan::test::detail

#endif

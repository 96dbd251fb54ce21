#ifndef LINKSPAN_TEST_IMPL_SERVER_CONNECTION_IPP
#define LINKSPAN_TEST_IMPL_SERVER_CONNECTION_IPP

#include <linkspan/core/time.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/test/detail/server_connection.hpp>

#include <boost/json/object.hpp>

#include <algorithm>
#include <ostream>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// A request of a client, with the actions that remain to be executed.
//
// The object is in server_connection::pending_ until the response is sent and the actions are complete, the client
// cancels the request, or the connection ends.
class server_connection::request_exchange final : public exchange,
                                                  public std::enable_shared_from_this<request_exchange> {
public:
    request_exchange(server_connection& connection, server_dialogue::action const& what, std::uint64_t stream)
        : connection_(&connection),
          stream_(stream),
          id_(what.message.raw_id),
          method_(what.message.method),
          params_(what.message.params),
          version_(what.version),
          timer_(connection_->executor_)
    {
        tool_ = method_ == "tools/call" ? json_scan::string(json_scan::member(params_, "name")).value_or("") : "";
        arguments_ = json_scan::member(params_, "arguments");
        if (arguments_.empty())
            arguments_ = "{}";
        token_ = json_scan::member(json_scan::member(params_, "_meta"), "progressToken");
    }

    std::string_view id() const { return id_; }
    bool has_response() const { return has_response_; }
    std::string_view method() const override { return method_; }
    std::string_view tool() const override { return tool_; }
    std::string_view arguments() const override { return arguments_; }
    std::string_view params() const override { return params_; }

    void reply(std::string_view members) override
    {
        bool const cacheable = method_.ends_with("/list");
        finish(connection_->dialogue_.result(id_, members, version_, cacheable));
    }

    void refuse(int code, std::string_view message) override { finish(server_dialogue::failure(id_, code, message)); }

    void send(std::string_view bytes) override { connection_->send(bytes, stream_); }

    void notify(std::string_view method, std::string_view params) override
    {
        connection_->send(notification(method, params), stream_);
    }

    void progress(double value, double total) override
    {
        if (token_.empty())
            return;
        boost::json::object const numbers{{"progress", value}, {"total", total}};
        std::string params;
        append_json(params, numbers);
        auto const line =
            notification("notifications/progress", R"({"progressToken":)" + token_ + "," + params.substr(1));
        connection_->send_recorded(line, stream_, version_);
    }

    void send_request(std::string_view method, std::string_view params, std::function<void()> next) override
    {
        auto const id = "\"q" + std::to_string(++connection_->last_client_request_) + "\"";
        std::string line = R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":)";
        append_quoted(line, method);
        if (!params.empty())
            (line += R"(,"params":)") += params;
        connection_->client_requests_.push_back({id, std::string(method), std::move(next)});
        connection_->send(line += '}', stream_);
    }

    void wait(duration span, std::function<void()> next) override
    {
        timer_.expires_after(span);
        timer_.async_wait([self = shared_from_this(), next = std::move(next)](error_code ec) {
            if (!ec)
                next();
        });
    }

    void drop() override { connection_->drop(); }

    http_exchange* http() override { return connection_->http_of ? connection_->http_of(stream_) : nullptr; }

    void mark_complete() override
    {
        has_response_ = true;
        remove_if_complete();
    }

    // Acknowledges `subscriptions/listen`: grants the requested notifications for which `capabilities` has the
    // capability. The subscription stays open.
    void acknowledge(std::string_view capabilities)
    {
        auto const tools = json_scan::member(capabilities, "tools");
        auto const wanted = json_scan::member(json_scan::member(params_, "notifications"), "toolsListChanged");
        bool const granted = wanted == "true" && json_scan::member(tools, "listChanged") == "true";
        notify("notifications/subscriptions/acknowledged",
               std::string(R"({"notifications":{)") + (granted ? R"("toolsListChanged":true)" : "") +
                   R"(},"_meta":{"io.modelcontextprotocol/subscriptionId":)" + id_ + "}}");
    }

    void perform(std::shared_ptr<std::vector<action> const> actions, std::size_t index)
    {
        is_scripted_ = true;
        if (over_)
            return;
        has_actions_ = index != actions->size();
        if (!has_actions_)
            return remove_if_complete();
        // The pointer is weak, because a request that never completes owns its actions, which must not own the request.
        (*actions)[index](*this, [weak = weak_from_this(), actions, index] {
            if (auto const self = weak.lock())
                self->perform(actions, index + 1);
        });
    }

    // Called when the client cancels the request or the connection ends.
    void cancel()
    {
        over_ = true;
        timer_.cancel();
    }

private:
    static std::string notification(std::string_view method, std::string_view params)
    {
        std::string line = R"({"jsonrpc":"2.0","method":)";
        append_quoted(line, method);
        if (!params.empty())
            (line += R"(,"params":)") += params;
        return line += '}';
    }

    // Messages of scripts and of tool functions may be invalid on purpose, so they are not recorded for validation.
    void finish(std::string const& line)
    {
        if (is_scripted_ || method_ == "tools/call")
            connection_->send(line, stream_);
        else
            connection_->send_recorded(line, stream_, version_, method_);
        mark_complete();
    }

    // A request with remaining actions stays in pending_, to be cancelled with the connection.
    void remove_if_complete()
    {
        if (has_response_ && !has_actions_)
            std::erase(connection_->pending_, shared_from_this());
    }

    server_connection* connection_; // owns this object; cancels it before its own destruction
    std::uint64_t stream_;          // stream of the response
    std::string id_, method_, params_, tool_, arguments_, token_; // id_, params_, arguments_, token_: JSON texts
    protocol_version version_;
    timer timer_;
    bool has_actions_ = false;  // set while an action of the rule is executing, cleared after the last one
    bool has_response_ = false; // set when the response is sent
    bool is_scripted_ = false;  // set when the first action of a rule starts
    bool over_ = false;         // set by cancel(); no further action starts
};

LINKSPAN_DECL server_connection::~server_connection()
{
    for (auto const& request : pending_)
        request->cancel();
}

LINKSPAN_DECL void server_connection::run() { transport_.receive(shared_from_this()); }

LINKSPAN_DECL void server_connection::send(std::string_view line, std::uint64_t stream)
{
    auto const text = std::string(line) + script_->line_suffix;
    outbound message;
    message.bytes = text;
    message.stream = stream;
    transport_.send(message);
}

// Sends a message that the server itself generates, which must be valid and is therefore recorded for validation.
LINKSPAN_DECL void server_connection::send_recorded(std::string_view line, std::uint64_t stream,
                                                    protocol_version version, std::string_view request_method)
{
    script_->log.write(message_log::side::server, version, line, request_method);
    send(line, stream);
}

// `initialize` and requests with a version in their metadata are of the proposed protocol version, which this server
// may not support.
LINKSPAN_DECL void server_connection::log_received(server_dialogue::action const& what, std::string_view line)
{
    auto const& message = what.message;
    auto const meta = json_scan::member(message.params, "_meta");
    auto const proposed = message.method == "initialize" ? json_scan::member(message.params, "protocolVersion")
                                                         : json_scan::member(meta, meta_keys::version);
    auto const named = protocol_version_from(json_scan::quoted(proposed).value_or(""));
    auto const request = std::ranges::find(client_requests_, message.raw_id, &client_request::id);
    bool const is_response = what.what == server_dialogue::action::kind::response && request != client_requests_.end();
    script_->log.write(message_log::side::client, named.value_or(dialogue_.version()), line,
                       is_response ? std::string_view(request->method) : std::string_view());
}

LINKSPAN_DECL void server_connection::list_pending(std::ostream& out) const
{
    for (auto const& request : pending_)
        if (!request->has_response())
            out << script_->display_name() << ": no response to " << request->method()
                << (request->tool().empty() ? "" : " ") << request->tool() << ", id " << request->id() << "; ";
}

LINKSPAN_DECL void server_script::list_pending(std::ostream& out) const
{
    for (auto const& connection : open)
        if (auto const alive = connection.lock())
            alive->list_pending(out);
}

LINKSPAN_DECL void server_connection::on_received(error_code ec, std::span<inbound const> batch)
{
    for (auto const& item : batch)
        if (auto const* message = std::get_if<inbound_message>(&item))
            on_message(message->bytes, message->stream);
        else if (auto const* notice = std::get_if<inbound_notice>(&item))
            on_message(notice->text, 0);
    if (!ec)
        return run();
    for (auto const& request : std::exchange(pending_, {}))
        request->cancel();
    client_requests_.clear();
    transport_.close();
    if (on_end)
        std::exchange(on_end, {})();
}

LINKSPAN_DECL void server_connection::on_message(std::string_view line, std::uint64_t stream)
{
    using kind = server_dialogue::action::kind;
    script_->received.emplace_back(line);
    auto const next = dialogue_.on_message(line);
    if (script_->log)
        log_received(next, line);
    auto const opening = next.message.method == "initialize" || next.message.method == "server/discover" ||
                         next.message.method == "ping";
    switch (next.what) {
    case kind::ignore: return;
    case kind::batch: {
        json_scan::reader messages(line);
        while (auto const message = messages.next())
            on_message(message->value, stream);
        return;
    }
    case kind::send:
        if (opening)
            return on_request(next, stream);
        [[fallthrough]];
    case kind::malformed:
        return next.text.empty() ? void() : send_recorded(next.text, stream, next.version, next.message.method);
    case kind::request: return on_request(next, stream);
    case kind::notify:
        if (next.message.method == "notifications/cancelled") {
            auto const id = json_scan::member(next.message.params, "requestId");
            auto const cancelled = std::ranges::find(pending_, id, [](auto const& p) { return p->id(); });
            if (cancelled != pending_.end()) {
                (*cancelled)->cancel();
                pending_.erase(cancelled);
            }
        }
        return;
    case kind::response:
        auto const request = std::ranges::find(client_requests_, next.message.raw_id, &client_request::id);
        if (request != client_requests_.end()) {
            auto const continuation = std::move(request->next);
            client_requests_.erase(request);
            continuation();
        }
        return;
    }
}

LINKSPAN_DECL void server_connection::on_request(server_dialogue::action const& what, std::uint64_t stream)
{
    auto const request = std::make_shared<request_exchange>(*this, what, stream);
    auto* const rule = script_->match(*request);
    auto const actions = rule ? rule->next() : nullptr;
    if (!actions && !what.text.empty())
        return send_recorded(what.text, stream, what.version, what.message.method);
    pending_.push_back(request);
    if (actions)
        request->perform(actions, 0);
    else if (request->method() == "subscriptions/listen")
        request->acknowledge(script_->dialogue.capabilities);
    else
        respond_by_default(*request);
}

LINKSPAN_DECL void server_connection::respond_by_default(exchange& request)
{
    if (request.method() == "tools/list")
        return list_tools(request);
    if (request.method() != "tools/call")
        return request.refuse(-32601, "Method not found");
    auto const& tools = script_->tools;
    auto const tool = std::ranges::find(tools, request.tool(), &server_script::tool::name);
    if (tool == tools.end())
        return request.refuse(-32602, "Unknown tool: " + std::string(request.tool()));
    request.reply(tool->run ? tool->run(request.arguments()) : R"("content":[])");
}

// The cursor is the index of the first tool on the requested page.
LINKSPAN_DECL void server_connection::list_tools(exchange& request)
{
    auto const& tools = script_->tools;
    auto const cursor = json_scan::member(request.params(), "cursor");
    auto const index = json_scan::integer(json_scan::quoted(cursor).value_or(""));
    auto const size = script_->page_size == 0 ? tools.size() : script_->page_size;
    std::size_t first = 0;
    if (!cursor.empty() && cursor != "null") {
        if (!index || *index <= 0 || static_cast<std::size_t>(*index) >= tools.size())
            return request.refuse(-32602, "Invalid cursor");
        first = static_cast<std::size_t>(*index);
    }
    auto const last = std::min(tools.size(), first + size);
    std::string members = R"("tools":[)";
    for (auto i = first; i != last; ++i) {
        append_quoted(members += i == first ? R"({"name":)" : R"(,{"name":)", tools[i].name);
        if (!tools[i].description.empty())
            append_quoted(members += R"(,"description":)", tools[i].description);
        (members += R"(,"inputSchema":)") += tools[i].input_schema;
        if (!tools[i].output_schema.empty())
            (members += R"(,"outputSchema":)") += tools[i].output_schema;
        if (!tools[i].annotations.empty())
            (members += R"(,"annotations":)") += tools[i].annotations;
        members += '}';
    }
    members += ']';
    if (last != tools.size())
        members += R"(,"nextCursor":")" + std::to_string(last) + '"';
    request.reply(members);
}

} // namespace linkspan::test::detail

#endif

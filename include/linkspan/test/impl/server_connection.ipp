#ifndef LINKSPAN_TEST_IMPL_SERVER_CONNECTION_IPP
#define LINKSPAN_TEST_IMPL_SERVER_CONNECTION_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/test/detail/change_notification.hpp>
#include <linkspan/test/detail/held_connections.hpp>
#include <linkspan/test/detail/server_connection.hpp>
#include <linkspan/test/fault/detail/process_fault.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL server_connection::~server_connection()
{
    if (link_) {
        link_->connection = nullptr;
        link_->receiver = {};
    }
    cancel_requests();
    script_->events.remove(*this);
}

LINKSPAN_DECL void server_connection::cancel_requests()
{
    for (auto const& request : std::exchange(pending_, {}))
        request->cancel();
    for (auto const& request : std::exchange(passed_, {}))
        on_request_cancelled(request.number);
}

LINKSPAN_DECL void server_connection::run()
{
    record("opened");
    script_->events.on_connected(*this);
    receive();
}

// A connection that does not receive keeps itself alive until its process ends.
inline void server_connection::receive()
{
    if (!is_deaf_)
        return transport_.receive(shared_from_this());
    static std::vector<std::shared_ptr<server_connection>> kept; // of a process that serves one server
    kept.push_back(shared_from_this());
}

LINKSPAN_DECL void server_connection::send(std::string_view line, std::uint64_t stream, responded_request const& to)
{
    fault_target& target = *this;
    auto fault = to.fault;
    ++sent_;
    if (http && !to.method.empty() && time_.now() < script_->rejects_tokens_until)
        fault = fault_setting{.kind = fault_kind::token_expired};
    if (!faults_ && (fault || script_->faults || script_->on_fault))
        faults_ =
            std::make_unique<faulty_output>(target, executor_, script_->name(), number_, values(), script_->on_fault);
    if (faults_)
        faults_->send({.text = std::string(line),
                       .number = sent_,
                       .stream = stream,
                       .method = std::string(to.method),
                       .token = std::string(json_scan::member(to.meta, "progressToken")),
                       .carrier = carrier(),
                       .host = http ? http->header(stream, "host").value_or("") : "",
                       .since_start = since_start()},
                      fault, script_->faults.get());
    else
        transmit(line, stream);
}

inline fault_carrier server_connection::carrier() const
{
    if (http)
        return http->has_one_stream() ? fault_carrier::http_sse : fault_carrier::http;
    return values().exit ? fault_carrier::stdio : fault_carrier::inproc;
}

// The suffix may be CR, which a message must not contain.
LINKSPAN_DECL void server_connection::transmit(std::string_view text, std::uint64_t stream)
{
    auto const& suffix = script_->line_suffix;
    record_message("->", text);
    if (!suffix.empty() && transport_.send_bytes(std::string(text) + suffix + '\n'))
        return;
    outbound message;
    message.bytes = text;
    message.stream = stream;
    transport_.send(message);
}

LINKSPAN_DECL void server_connection::write(fault_step const& step, std::uint64_t stream)
{
    if (!step.text.empty())
        record_message("->", step.text);
    if (step.what == fault_step::kind::reject)
        script_->rejects_tokens_until = time_.now() + step.span;
    else if (http)
        http->write(step, stream);
    else if (step.what == fault_step::kind::bytes)
        transport_.send_bytes(step.text);
    else if (step.what == fault_step::kind::end_output)
        close_output();
    else if (step.what == fault_step::kind::cut)
        drop();
}

// Posted, so that the messages of this turn of the event loop are written before.
LINKSPAN_DECL void server_connection::close_output()
{
    if (values().exit)
        asio::post(executor_, [] { affect_own_process({.kind = fault_kind::half_close}); });
    else if (end_output)
        asio::post(executor_, end_output);
    else
        drop();
}

// A server in the process of its client has no process of its own.
LINKSPAN_DECL void server_connection::affect_process(fault_setting const& fault)
{
    bool const ends = fault.kind == fault_kind::exit || fault.kind == fault_kind::exit_before_init ||
                      fault.kind == fault_kind::exit_zero || fault.kind == fault_kind::crash;
    bool const is_own_process = values().exit != nullptr;
    is_deaf_ = is_deaf_ || (is_own_process && fault.kind == fault_kind::stdin_unread);
    if (is_own_process)
        affect_own_process(fault);
    else if (ends)
        drop();
}

LINKSPAN_DECL void server_connection::send_recorded(std::string_view line, std::uint64_t stream,
                                                    protocol_version version, responded_request const& to)
{
    script_->log.write(message_log::side::server, version, line, to.method);
    send(line, stream, to);
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
    auto const request = std::ranges::find(to_client_, message.raw_id, &open_request::id);
    bool const responds = what.what == server_dialogue::action::kind::response;
    bool const is_known = request != to_client_.end();
    auto const version = named.value_or(dialogue_.version());
    // A stateless server sends no requests, so that the response is one to an invalid message of a script.
    if (responds && !is_known && !traits_of(version).server_requests)
        return;
    script_->log.write(message_log::side::client, version, line,
                       responds && is_known ? std::string_view(request->method) : std::string_view());
}

LINKSPAN_DECL void server_connection::list_outstanding(std::vector<std::string>& out) const
{
    auto const name = script_->display_name() + ": ";
    auto const describe = [&](std::string_view method, std::string_view tool, std::string_view id, time_point since) {
        std::ostringstream text;
        text << name << "no response to " << method << (tool.empty() ? "" : " ") << tool << ", id " << id
             << ", received " << std::chrono::duration<double>(time_.now() - since).count() << " s ago by connection "
             << number_;
        out.push_back(std::move(text).str());
    };
    for (auto const& request : pending_)
        if (!request->has_response())
            describe(request->method(), request->tool(), request->id(), request->since);
    for (auto const& request : passed_)
        describe(request.method, request.tool, request.id, request.since);
    if (!has_ended_)
        out.push_back(name + "connection " + std::to_string(number_) + " is open");
}

LINKSPAN_DECL std::vector<std::string> server_script::outstanding() const
{
    std::vector<std::string> out;
    for (auto const& connection : open)
        if (auto const alive = connection.lock())
            alive->list_outstanding(out);
    rules.values().gates.list_waiting(out, display_name());
    return out;
}

LINKSPAN_DECL void server_connection::on_received(error_code ec, std::span<inbound const> batch)
{
    for (auto const& item : batch)
        if (auto const* message = std::get_if<inbound_message>(&item))
            on_message(message->bytes, message->stream);
        else if (auto const* notice = std::get_if<inbound_notice>(&item))
            on_message(notice->text, 0);
    if (!ec)
        return receive();
    on_input_ended(ec);
}

inline void server_connection::on_input_ended(error_code ec)
{
    has_ended_ = true;
    bool const is_ended_by_server = is_dropped_ || values().ending;
    bool const is_end_of_input =
        ec == asio::error::eof || ec == error::stream_ended || ec == error::truncated_line; // closed by the client
    ++(is_ended_by_server ? script_->ended_by_server : is_end_of_input ? script_->closed_by_client : script_->lost);
    record("ended: " + ec.message());
    cancel_requests();
    to_client_.clear();
    if (link_)
        link_->end(ec);
    if (http || is_ended_by_server || !is_end_of_input)
        return finish(is_end_of_input);
    is_held_ = script_->events.on_input_closed(*this, [this] { finish(true); });
    if (!is_held_)
        return finish(true);
    held_connections::of(executor_).add(shared_from_this());
}

LINKSPAN_DECL void server_connection::drop()
{
    is_dropped_ = true;
    transport_.shutdown({[weak = weak_from_this()](error_code) {
                             if (auto const self = weak.lock(); self && self->is_held_)
                                 self->finish(true);
                         },
                         executor_});
}

// A client that has closed its output may still read the responses to its last requests.
inline void server_connection::finish(bool is_end_of_input)
{
    auto const keep_alive = shared_from_this();
    if (faults_)
        faults_->end();
    if (std::exchange(is_held_, false))
        held_connections::of(executor_).remove(keep_alive);
    if (is_end_of_input && transport_.queued_bytes() != 0)
        transport_.shutdown({[self = keep_alive](error_code) { self->transport_.close(); }, executor_});
    else
        transport_.close();
    script_->events.on_disconnected(*this);
    if (on_end)
        std::exchange(on_end, {})();
}

LINKSPAN_DECL void server_connection::on_message(std::string_view line, std::uint64_t stream)
{
    using kind = server_dialogue::action::kind;
    auto const next = dialogue_.on_message(line);
    if (next.what == kind::escaped)
        return on_message(next.text, stream);
    if (script_->rules.is_recording())
        script_->received.emplace_back(line);
    record_message("<-", line);
    if (script_->log)
        log_received(next, line);
    auto const method = next.message.method;
    bool const opens = method == "initialize" || method == "server/discover" || method == "ping";
    if (next.what == kind::batch) {
        json_scan::reader messages(line);
        while (auto const message = messages.next())
            on_message(message->value, stream);
    } else if (next.what == kind::request || (next.what == kind::send && opens)) {
        on_request(next, line, stream);
    } else if (next.what == kind::response && on_response(next.message.raw_id, line)) {
        return;
    } else {
        if (next.what == kind::notify && method == "notifications/cancelled")
            on_cancelled(json_scan::member(next.message.params, "requestId"));
        if (link_)
            link_->pass(line, stream);
        else if (!next.text.empty())
            send_recorded(next.text, stream, next.version, {.method = method});
        if (next.what == kind::notify)
            script_->events.on_notification(*this, method, next.message.params, line);
    }
}

LINKSPAN_DECL void server_connection::on_cancelled(std::string_view raw_id)
{
    std::erase_if(passed_, [&](auto const& request) {
        bool const is_cancelled = request.id == raw_id;
        if (is_cancelled)
            on_request_cancelled(request.number);
        return is_cancelled;
    });
    auto const cancelled = std::ranges::find(pending_, raw_id, [](auto const& p) { return p->id(); });
    if (cancelled != pending_.end()) {
        (*cancelled)->cancel();
        pending_.erase(cancelled);
    }
}

LINKSPAN_DECL bool server_connection::on_response(std::string_view raw_id, std::string_view line)
{
    auto const request = std::ranges::find(to_client_, raw_id, &open_request::id);
    if (request == to_client_.end())
        return false;
    auto const continuation = std::move(request->next);
    auto const method = std::move(request->method);
    to_client_.erase(request);
    script_->events.on_response(*this, method, line);
    if (continuation)
        continuation(line);
    return continuation != nullptr;
}

LINKSPAN_DECL void server_connection::on_request(server_dialogue::action const& what, std::string_view line,
                                                 std::uint64_t stream)
{
    auto const request = std::make_shared<request_exchange>(*this, what, link_ ? line : std::string_view(), stream);
    bool const is_of_era = traits_of(what.version).era == era::stateless;
    is_stateless_ = is_stateless_ || (is_of_era && request->method() != "initialize" && request->method() != "ping");
    request->number = script_->rules.size();
    request->since = time_.now();
    request->received = line;
    auto* const rule = script_->rules.select(*request, script_->received.size() - 1, request->since);
    request->received = {};
    auto const actions = rule ? rule->next() : nullptr;
    pending_.push_back(request);
    if (actions)
        request->perform(actions, 0);
    else
        respond_by_default(*request);
}

LINKSPAN_DECL void server_connection::respond_by_default(request_exchange& request)
{
    if (link_)
        return pass_request(request);
    if (request.composed().empty() && request.method() == listen_method)
        return request.subscribe(script_->dialogue.capabilities);
    if (request.composed().empty())
        return script_->responses.respond(request);
    send_recorded(request.composed(), request.stream(), request.version(), request.responded());
    request.mark_complete();
}

LINKSPAN_DECL void server_connection::notify_subscribers(std::string_view method, std::string_view params)
{
    auto const requests = pending_; // a fault of a message may end requests
    for (auto const& request : requests)
        request->notify_subscriber(method, params);
}

LINKSPAN_DECL void server_connection::forget(request_exchange& request)
{
    std::erase(pending_, request.shared_from_this());
}

LINKSPAN_DECL void server_connection::send_request(std::string_view method, std::string_view params,
                                                   std::uint64_t stream, std::function<void(std::string_view)> next)
{
    // The server behind numbers its requests, so that a text is unique.
    auto const id = "\"q" + std::to_string(++last_client_request_) + "\"";
    std::string line = R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":)";
    append_quoted(line, method);
    if (!params.empty())
        (line += R"(,"params":)") += params;
    to_client_.push_back({.id = id, .method = std::string(method), .next = std::move(next)});
    send(line += '}', stream);
}

} // namespace linkspan::test::detail

#endif

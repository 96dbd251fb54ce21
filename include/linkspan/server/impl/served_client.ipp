#ifndef LINKSPAN_SERVER_IMPL_SERVED_CLIENT_IPP
#define LINKSPAN_SERVER_IMPL_SERVED_CLIENT_IPP

#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/protocol/task_notifications.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>

#include <new>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL served_client::served_client(std::shared_ptr<server_core> server, any_transport transport,
                                           std::string principal, std::string account,
                                           std::optional<protocol_version> only, std::uint64_t number,
                                           pending_handler<void(error_code)> done)
    : server_(std::move(server)),
      transport_(std::move(transport)),
      account_(std::move(account)),
      number_(number),
      dialogue_(server_->dialogue(only)),
      info_(std::make_shared<client_info const>(client_info{{}, "{}", std::move(principal)})),
      done_(std::move(done))
{}

LINKSPAN_DECL served_client::~served_client()
{
    server_->on_client_gone(*this);
    if (subscriber_)
        server_->subscribers().remove(*subscriber_);
    for (auto const& [id, request] : requests_)
        request->drop();
}

LINKSPAN_DECL void served_client::send(std::string_view message, std::uint64_t stream)
{
    outbound out;
    out.bytes = message;
    out.stream = stream;
    transport_.send(out);
    if (transport_.queued_bytes() > server_->options().max_queued_bytes)
        transport_.close(); // the client does not read
}

LINKSPAN_DECL void served_client::notify(std::string_view method, std::string_view params, std::uint64_t stream)
{
    std::string message = R"({"jsonrpc":"2.0","method":)";
    append_quoted(message, method);
    if (!params.empty())
        (message += R"(,"params":)") += params;
    send(message += '}', stream);
}

LINKSPAN_DECL std::string served_client::params_of_log(log_level level, std::string_view data, std::string_view logger)
{
    std::string params;
    object_writer object(params);
    object.text("level", to_string(level));
    object.optional_text("logger", logger);
    object.raw("data", data);
    object.close();
    return params;
}

LINKSPAN_DECL void served_client::respond(served_request& request, std::string_view members,
                                          server_dialogue::contained_members contains)
{
    contains.cache = true; // added by the handlers of the methods that have cache hints
    auto const stream = request.from().stream;
    auto const write = [&](text_buffer& to) {
        return dialogue_.write_result(to, request.from().raw_id, members, request.version(), contains);
    };
    if (auto* const output = transport_.output()) {
        send(write(*output), stream); // before forget(), which may call functions that send other messages
        forget(request);
    } else {
        auto text = std::exchange(response_, {});
        auto const message = write(text);
        forget(request);
        send(message, stream);
        if (message.size() <= kept_text) // a session may be idle for long after a large response
            response_ = std::move(text);
    }
    server_->on_progress_of_stop();
}

LINKSPAN_DECL void served_client::refuse(served_request& request, int code, std::string_view message,
                                         std::string_view data)
{
    auto const text = server_dialogue::failure(request.from().raw_id, code, message, data);
    auto const stream = request.from().stream;
    forget(request);
    send(text, stream);
    server_->on_progress_of_stop();
}

LINKSPAN_DECL void served_client::forget(served_request const& request) noexcept
{
    auto const found = requests_.find(request.from().raw_id);
    if (found == requests_.end() || found->second.get() != &request)
        return;
    free_node_ = requests_.extract(found);
    release_long_text(free_node_.key());
    free_node_.mapped().reset(); // the last function, because the destructor of a handler may complete another request
}

LINKSPAN_DECL void served_client::forget_cancelled(served_request const& request) noexcept
{
    forget(request);
    if (request.from().stream != 0)
        transport_.abandon(static_cast<request_id>(request.from().stream));
}

LINKSPAN_DECL void served_client::replace(served_request const& old, served_request_pointer by)
{
    if (auto const found = requests_.find(old.from().raw_id); found != requests_.end())
        found->second = std::move(by);
}

LINKSPAN_DECL subscription_table::key served_client::subscriber()
{
    if (!subscriber_)
        subscriber_ = server_->subscribers().add(weak_from_this());
    return *subscriber_;
}

LINKSPAN_DECL void served_client::on_received(error_code ec, std::span<inbound const> batch)
{
    for (auto const& item : batch)
        if (auto const* const message = std::get_if<inbound_message>(&item))
            receive(message->bytes, message->stream);
        else if (auto const* const notice = std::get_if<inbound_notice>(&item))
            receive(notice->text, 0);
    if (ec)
        return end(ec);
    try {
        run();
    } catch (std::bad_alloc const&) { // no further message could be received
        end(make_error_code(boost::system::errc::not_enough_memory));
    }
}

LINKSPAN_DECL void served_client::end(error_code ec)
{
    auto const self = shared_from_this();
    has_ended_ = true;
    for (auto const& [id, request] : std::exchange(requests_, {}))
        request->cancel();
    // Over HTTP, a client continues its requests on other connections.
    if (!has_streams())
        server_->waiting().cancel_of(*this);
    for (auto const& [id, functions] : std::exchange(client_requests_, {}))
        functions.done(asio::error::operation_aborted, {});
    for (auto const& each : std::exchange(tasks_, {}))
        if (auto const task = each.lock())
            task->on_client_gone();
    if (subscriber_)
        server_->subscribers().remove(*std::exchange(subscriber_, std::nullopt));
    transport_.close();
    server_->on_progress_of_stop();
    if (done_)
        done_.complete(ec == asio::error::eof || ec == error::stream_ended ? error_code() : ec);
}

// If the memory is not sufficient for an error response either, the connection is closed, because the client would wait
// for the response.
LINKSPAN_DECL void served_client::receive(std::string_view message, std::uint64_t stream, bool is_element)
{
    try {
        if (is_element && message.starts_with('['))
            send(server_dialogue::failure("null", -32600, "Invalid Request: an array in a batch"), stream);
        else
            on_message(message, stream);
    } catch (std::bad_alloc const&) {
        try {
            on_message_lost(message, stream);
        } catch (std::bad_alloc const&) {
            transport_.close();
        }
    }
}

// Event: the memory was not sufficient to handle a message. A request or an invalid message fails, and so does the
// request to the client of which the message is the response. A notification has no effect.
LINKSPAN_DECL void served_client::on_message_lost(std::string_view line, std::uint64_t stream)
{
    using kind = envelope::kind;
    auto const message = read_envelope(line);
    if (message.has_response() && message.what != kind::request) {
        send(server_dialogue::failure(message.raw_id, -32603, "Internal error"), stream);
    } else if (message.what == kind::request) {
        auto const found = requests_.find(message.raw_id);
        // Another request of this client may have the same id on another stream.
        if (found == requests_.end() || found->second->from().stream != stream)
            send(server_dialogue::failure(message.raw_id, -32603, "Internal error"), stream);
        else
            served_request_pointer(found->second)->fail(-32603, "Internal error");
    } else if (message.is_response()) {
        auto const id = static_cast<std::uint64_t>(json_scan::integer(message.raw_id).value_or(0));
        if (auto const found = client_requests_.extract(id))
            found.mapped().done(make_error_code(boost::system::errc::not_enough_memory), {});
    }
}

LINKSPAN_DECL void served_client::on_message(std::string_view line, std::uint64_t stream)
{
    using kind = server_dialogue::action::kind;
    bool const was_initialized = dialogue_.is_initialized();
    auto const next = dialogue_.on_message(line);
    switch (next.what) {
    case kind::escaped: return on_message(next.text, stream);
    case kind::ignore: return;
    case kind::batch:
        for (json_scan::reader messages(line); auto const message = messages.next();)
            receive(message->value, stream, true);
        return;
    case kind::send:
        if (!was_initialized && dialogue_.is_initialized()) {
            describe_client(next.message);
            describe_server(next.text);
        }
        [[fallthrough]];
    case kind::malformed: return next.text.empty() ? void() : send(next.text, stream);
    case kind::request: return on_request(next, stream);
    case kind::notify: return on_notification(next.message);
    case kind::response: return on_response(next.message);
    }
}

LINKSPAN_DECL void served_client::describe_client(envelope const& initialize)
{
    auto const capabilities = json_scan::member(initialize.params, "capabilities");
    auto described = *info_;
    described.identity = read_implementation(json_scan::member(initialize.params, "clientInfo"));
    described.capabilities = capabilities.starts_with('{') ? capabilities : "{}";
    info_ = std::make_shared<client_info const>(std::move(described));
}

// Reads the response to `initialize`: a client is notified only of the changes that it declares.
LINKSPAN_DECL void served_client::describe_server(std::string_view response)
{
    auto const capabilities = json_scan::member(json_scan::member(response, "result"), "capabilities");
    auto const is_declared = [&](std::string_view list) {
        return json_scan::member(json_scan::member(capabilities, list), "listChanged") == "true";
    };
    declared_lists_.tools = is_declared("tools");
    declared_lists_.prompts = is_declared("prompts");
    declared_lists_.resources = is_declared("resources");
}

LINKSPAN_DECL served_request::origin served_client::origin_of(server_dialogue::action const& what, std::uint64_t stream)
{
    bool const is_handshake = traits_of(what.version).era == era::handshake;
    if (!is_handshake && what.meta_number != meta_number_)
        read_meta(what);
    auto const token = !what.progress_token.empty() ? what.progress_token
                       : is_handshake               ? json_scan::member(what.params.meta, "progressToken")
                                                    : std::string_view(last_origin_.progress_token);
    served_request::origin out{weak_from_this(),
                               stream,
                               std::string(what.message.raw_id),
                               std::string(token),
                               is_handshake ? min_level_ : last_origin_.min_level,
                               is_handshake ? info_ : last_origin_.from};
    if (what.meta_members.size() > kept_text) { // has another number in each request, and must not be kept for long
        last_origin_ = {};
        meta_number_ = 0;
    }
    return out;
}

LINKSPAN_DECL void served_client::read_meta(server_dialogue::action const& what)
{
    std::string meta = "{"; // without a progress token as its first member
    meta += what.meta_members;
    client_info described;
    described.principal = info_->principal;
    described.identity = read_implementation(json_scan::member(meta, meta_keys::client_info));
    described.capabilities = json_scan::member(meta, meta_keys::capabilities);
    last_origin_.from = std::make_shared<client_info const>(std::move(described));
    last_origin_.progress_token = json_scan::member(meta, "progressToken");
    last_origin_.min_level =
        log_level_from(json_scan::quoted(json_scan::member(meta, meta_keys::log_level)).value_or(""));
    meta_number_ = what.meta_number;
}

LINKSPAN_DECL void served_client::on_request(server_dialogue::action const& what, std::uint64_t stream)
{
    auto const& message = what.message;
    ++server_->counters().requests;
    auto const refuse = [&](int code, std::string_view why) {
        ++server_->counters().refused;
        send(server_dialogue::failure(message.raw_id, code, why), stream);
    };
    if (!server_->accepts(message.method))
        return refuse(-32603, "The server is shutting down");
    if (requests_.size() >= server_->options().max_requests)
        return refuse(-32603, "Too many requests without a response");
    auto const request = std::make_shared<served_request>(server_, origin_of(what, stream), what.version,
                                                          message.method, message.params, what.params);
    if (!add(request))
        return refuse(-32600, "Invalid Request: the id of an outstanding request");
    try {
        server_->dispatch(request);
    } catch (std::bad_alloc const&) { // no effect if the request has a response
        request->fail(-32603, "Internal error");
    }
}

// Returns false if the id is the one of an outstanding request.
LINKSPAN_DECL bool served_client::add(served_request_pointer const& request)
{
    auto const& id = request->from().raw_id;
    if (free_node_.empty())
        return requests_.emplace(id, request).second;
    free_node_.key() = id;
    free_node_.mapped() = request;
    auto added = requests_.insert(std::move(free_node_));
    free_node_ = std::move(added.node);
    if (!added.inserted)
        free_node_.mapped().reset();
    return added.inserted;
}

LINKSPAN_DECL void served_client::on_notification(envelope const& message)
{
    if (message.method == "notifications/cancelled") {
        auto const found = requests_.find(json_scan::member(message.params, "requestId"));
        if (found != requests_.end())
            served_request_pointer(found->second)->cancel();
        return;
    }
    if (message.method == "notifications/progress" && on_progress(message.params))
        return;
    if (message.method == task_status_notification && on_task_status(message.params))
        return;
    if (message.method == "notifications/initialized" && dialogue_.is_initialized())
        server_->subscribers().add_lists(subscriber(), declared_lists_);
    server_->on_notification(*info_, message.method, message.params, weak_from_this());
}

} // namespace linkspan::detail

#endif

#ifndef LINKSPAN_SERVER_IMPL_CLIENT_TASK_IPP
#define LINKSPAN_SERVER_IMPL_CLIENT_TASK_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/server/detail/client_task.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>

#include <new>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the params of a request about a task.
inline std::string params_of_task(std::string_view id)
{
    std::string out;
    append_quoted(out += R"({"taskId":)", id);
    return out += '}';
}

LINKSPAN_DECL std::shared_ptr<client_task> client_task::start(std::shared_ptr<served_client> const& client,
                                                              stream_function stream, client_request what,
                                                              std::string_view created)
{
    auto const described = json_scan::member(created, "task");
    if (described.empty()) { // clients may ignore the member `task` of the request
        what.done({}, created);
        return nullptr;
    }
    std::shared_ptr<client_task> out;
    std::optional<task> known;
    try {
        if (known = read_task(described); known)
            out = make_waiting(client, std::move(stream), known->id, *what.task);
    } catch (std::bad_alloc const&) { // the task of the client ends with its time to live
        what.done(make_error_code(boost::system::errc::not_enough_memory), {});
        return nullptr;
    }
    if (!known) {
        what.done(error::malformed_message, {});
        return nullptr;
    }
    out->done_ = std::move(what.done);
    out->on_progress_ = std::move(what.on_progress);
    out->act([&] { return out->poll_.start(*known, out->pause_.now()); });
    return out;
}

LINKSPAN_DECL std::shared_ptr<client_task> client_task::make_waiting(std::shared_ptr<served_client> const& client,
                                                                     stream_function stream, std::string const& id,
                                                                     client_request::task_terms const& terms)
{
    auto out = std::make_shared<client_task>(client, std::move(stream), id, terms);
    auto& waits = out->timeout_.in_background(out->executor_);
    waits.expires_after(terms.timeout);
    start_wait(waits, [weak = std::weak_ptr(out)](error_code ec) {
        if (auto const self = weak.lock(); self && !ec)
            self->cancel(asio::error::timed_out);
    });
    client->add_task(out);
    return out;
}

LINKSPAN_DECL client_task::client_task(std::shared_ptr<served_client> const& client, stream_function stream,
                                       std::string const& id, client_request::task_terms const& terms)
    : client_(client),
      stream_(std::move(stream)),
      executor_(client->server().get_executor()),
      terms_(terms),
      poll_(id, era::handshake, 0),
      pause_(executor_)
{}

// No other event repeats a step of the poll, so that the request fails if the memory is not sufficient for it.
template<class Event>
void client_task::act(Event const& event)
{
    auto const self = shared_from_this();
    try {
        perform(event());
    } catch (std::bad_alloc const&) {
        cancel(make_error_code(boost::system::errc::not_enough_memory));
    }
}

LINKSPAN_DECL void client_task::perform(task_poll::action const& next)
{
    using step = task_poll::action::kind;
    if (next.what == step::pause)
        pause(next.until);
    else if (next.what == step::get)
        poll();
    else if (next.what == step::fetch_result)
        send("tasks/result", &client_task::on_outcome);
    else if (next.what == step::fail)
        complete(next.ec, {});
}

LINKSPAN_DECL void client_task::pause(time_point until)
{
    pause_.expires_at(until);
    start_wait(pause_, [self = shared_from_this()](error_code ec) {
        if (!ec && self->done_)
            self->act([&] { return self->poll_.on_pause_over(); });
    });
}

LINKSPAN_DECL void client_task::poll()
{
    send("tasks/get", &client_task::on_state);
    auto const client = client_.lock();
    if (!client || request_ == 0)
        return; // the request of the server is complete
    pause_.expires_after(client->server().options().input_timeout);
    start_wait(pause_, [weak = weak_from_this(), request = request_](error_code ec) {
        if (auto const self = weak.lock(); self && !ec && self->request_ == request)
            self->cancel(asio::error::timed_out);
    });
}

// Sends a request about the task. `on_result` is called with its result, unless the request of the server is complete.
LINKSPAN_DECL void client_task::send(std::string_view method, void (client_task::*on_result)(std::string_view))
{
    auto const client = client_.lock();
    if (!client || !client->is_in_session())
        return complete(asio::error::operation_aborted, {});
    pause_.cancel();
    auto done = [self = shared_from_this(), on_result](error_code ec, std::string_view result) {
        self->request_ = 0;
        self->pause_.cancel(); // the timeout of a poll
        if (!self->done_)
            return;
        if (ec)
            return self->complete(ec, {});
        try {
            ((*self).*on_result)(result);
        } catch (std::bad_alloc const&) { // before the request of the server is complete
            self->cancel(make_error_code(boost::system::errc::not_enough_memory));
        }
    };
    request_ = client->send_request(method, params_of_task(poll_.id()), stream_(), {std::move(done), {}});
}

LINKSPAN_DECL void client_task::on_state(std::string_view result)
{
    if (auto const found = read_task(result))
        act([&] { return poll_.on_task(*found, pause_.now()); });
    else
        complete(error::malformed_message, {});
}

LINKSPAN_DECL void client_task::on_outcome(std::string_view result) { complete({}, result); }

LINKSPAN_DECL void client_task::cancel(error_code ec)
{
    if (!done_)
        return;
    auto const self = shared_from_this(); // the outstanding request may own the object
    auto done = std::move(done_);
    stop();
    auto const client = client_.lock();
    if (client && client->is_in_session()) {
        if (request_ != 0)
            client->cancel_request(request_);
        try {
            if (terms_.can_cancel)
                send_cancellation(*client, poll_.id());
        } catch (std::bad_alloc const&) { // the task of the client ends with its time to live
        }
    }
    post_handler(executor_, [done = std::move(done), ec] { done(ec, {}); });
}

LINKSPAN_DECL void client_task::send_cancellation(served_client& client, std::string_view task)
{
    client.send_request("tasks/cancel", params_of_task(task), 0, {[](error_code, std::string_view) {}, {}});
}

LINKSPAN_DECL void client_task::abort() { cancel(asio::error::operation_aborted); }

LINKSPAN_DECL void client_task::on_client_gone()
{
    if (done_)
        complete(asio::error::operation_aborted, {});
}

LINKSPAN_DECL bool client_task::on_notified(task const& found)
{
    if (!done_ || found.id != poll_.id())
        return false;
    act([&] { return poll_.on_notified(found, pause_.now()); });
    return true;
}

LINKSPAN_DECL void client_task::complete(error_code ec, std::string_view result)
{
    auto const done = std::move(done_);
    stop();
    done(ec, result);
}

LINKSPAN_DECL void client_task::stop() noexcept
{
    done_ = nullptr;
    pause_.cancel();
    on_progress_ = nullptr;
    timeout_.cancel();
}

} // namespace linkspan::detail

#endif

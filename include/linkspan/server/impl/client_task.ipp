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

#include <algorithm>
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
    auto const known = read_task(described);
    if (!known) {
        what.done(error::malformed_message, {});
        return nullptr;
    }
    auto const timeout = what.task->timeout;
    auto out = std::make_shared<client_task>(client, std::move(stream), std::move(what), *known);
    client->add_task(out);
    auto& waits = out->timeout_.in_background(out->executor_);
    waits.expires_after(timeout);
    start_wait(waits, [weak = std::weak_ptr(out)](error_code ec) {
        if (auto const self = weak.lock(); self && !ec)
            self->cancel(asio::error::timed_out);
    });
    out->on_task(*known);
    return out;
}

LINKSPAN_DECL client_task::client_task(std::shared_ptr<served_client> const& client, stream_function stream,
                                       client_request what, task const& known)
    : client_(client),
      stream_(std::move(stream)),
      executor_(client->server().get_executor()),
      can_cancel_(what.task->can_cancel),
      id_(known.id),
      done_(std::move(what.done)),
      on_progress_(std::move(what.on_progress)),
      progress_token_(what.task->request),
      pause_(executor_)
{}

LINKSPAN_DECL void client_task::on_task(task const& found)
{
    if (found.id != id_)
        return complete(error::malformed_message, {});
    if (found.status == task_status::cancelled)
        return complete(error::task_cancelled, {});
    if (found.status != task_status::working) // the result of a task that requires input follows the input
        return send("tasks/result", &client_task::on_outcome);
    poll_after(std::clamp(found.poll_interval.value_or(default_interval), min_interval, max_interval));
}

LINKSPAN_DECL void client_task::poll_after(duration pause)
{
    pause_.expires_after(pause);
    start_wait(pause_, [self = shared_from_this()](error_code ec) {
        if (!ec && self->done_)
            self->poll();
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
    auto done = [self = shared_from_this(), on_result](error_code ec, std::string_view result) {
        self->request_ = 0;
        self->pause_.cancel(); // the timeout of a poll
        if (!self->done_)
            return;
        if (ec)
            self->complete(ec, {});
        else
            ((*self).*on_result)(result);
    };
    request_ = client->send_request(method, params_of_task(id_), stream_(), {std::move(done), {}});
}

LINKSPAN_DECL void client_task::on_state(std::string_view result)
{
    if (auto const found = read_task(result))
        on_task(*found);
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
        if (can_cancel_)
            send_cancellation(*client, id_);
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

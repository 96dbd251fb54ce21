#ifndef LINKSPAN_SERVER_IMPL_SERVED_CLIENT_REQUESTS_IPP
#define LINKSPAN_SERVER_IMPL_SERVED_CLIENT_REQUESTS_IPP

#include <linkspan/core/detail/optional_timer.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/detail/with_member.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/progress.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <boost/asio/error.hpp>

#include <new>
#include <utility>
#include <vector>

// Requests to the client.
namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::uint64_t served_client::send_request(std::string_view method, std::string_view params,
                                                        std::uint64_t stream, request_functions functions)
{
    auto const id = ++last_client_request_;
    bool const has_token = functions.on_progress != nullptr;
    std::string message = R"({"jsonrpc":"2.0","id":)";
    append_number(message, id);
    append_quoted(message += R"(,"method":)", method);
    message += R"(,"params":)";
    message += has_token ? with_member(params, "_meta", "progressToken", std::to_string(id)) : std::string(params);
    message += '}';
    client_requests_.emplace(id, std::move(functions));
    send(message, stream);
    return id;
}

LINKSPAN_DECL void served_client::ask(client_request what, std::optional<duration> timeout)
{
    auto const timeout_wait = std::make_shared<optional_timer>();
    auto const request = std::make_shared<client_request>(std::move(what));
    auto done = [timeout_wait, request, weak = weak_from_this()](error_code ec, std::string_view result) {
        timeout_wait->cancel();
        auto const self = weak.lock();
        if (request->task && !ec && self)
            client_task::start(
                self, [] { return std::uint64_t(0); }, std::move(*request), result);
        else
            request->done(ec, result);
    };
    auto const id = send_request(request->method, request->params, 0,
                                 {std::move(done), request->on_progress, may_leave_task(*request)});
    if (request->task)
        request->task->request = id;
    try {
        auto& waits = timeout_wait->in_background(server_->get_executor());
        waits.expires_after(timeout ? *timeout : request->timeout.value_or(server_->options().input_timeout));
        start_wait(waits, [weak = weak_from_this(), id](error_code ec) {
            if (auto const self = weak.lock(); self && !ec)
                self->expire(id);
        });
    } catch (...) { // the request would have no time limit
        cancel_request(id);
        throw;
    }
}

LINKSPAN_DECL void served_client::expire(std::uint64_t client_request)
{
    if (auto const done = cancel_request(client_request))
        done(asio::error::timed_out, {});
}

LINKSPAN_DECL served_client::response_function served_client::cancel_request(std::uint64_t id)
{
    constexpr std::size_t max_cancelled = 100;
    auto const found = client_requests_.find(id);
    if (found == client_requests_.end())
        return {};
    auto functions = client_requests_.extract(found);
    try {
        if (functions.mapped().may_leave_task) {
            if (cancelled_.size() == max_cancelled)
                cancelled_.erase(cancelled_.begin());
            cancelled_.push_back(id);
        }
        notify("notifications/cancelled", R"({"requestId":)" + std::to_string(id) + "}", 0);
    } catch (std::bad_alloc const&) { // a response of the client has no effect
    }
    return std::move(functions.mapped().done);
}

LINKSPAN_DECL void served_client::add_task(std::shared_ptr<client_task> const& task)
{
    std::erase_if(tasks_, [](auto const& each) { return each.expired(); });
    tasks_.push_back(task);
}

// Returns false if the progress belongs to no request that has a progress token.
LINKSPAN_DECL bool served_client::on_progress(std::string_view params)
{
    auto const read = read_progress(params);
    // A copy, because the function may complete the request.
    auto const report = read ? function_of_progress(static_cast<std::uint64_t>(read->token)) : progress_function();
    if (!report)
        return false;
    report(read->update);
    return true;
}

// Returns false if the task belongs to no request of the server.
LINKSPAN_DECL bool served_client::on_task_status(std::string_view params)
{
    auto const found = read_task(params);
    if (!found)
        return false;
    for (auto const& each : tasks_)
        if (auto const task = each.lock(); task && task->on_notified(*found))
            return true; // the task may have completed a request, which changes `tasks_`
    return false;
}

LINKSPAN_DECL served_client::progress_function served_client::function_of_progress(std::uint64_t token) const
{
    if (auto const found = client_requests_.find(token); found != client_requests_.end())
        return found->second.on_progress;
    for (auto const& each : tasks_)
        if (auto const task = each.lock())
            if (auto out = task->progress_function(token))
                return out;
    return {};
}

LINKSPAN_DECL void served_client::on_response(envelope const& message)
{
    auto const id = static_cast<std::uint64_t>(json_scan::integer(message.raw_id).value_or(0));
    auto const found = client_requests_.find(id);
    if (found == client_requests_.end())
        return on_late_response(id, message);
    auto const done = std::move(found->second.done);
    client_requests_.erase(found);
    if (message.what == envelope::kind::result)
        done({}, message.result);
    else
        done(error::input_refused, {});
}

// Cancels the task that the client has created for a cancelled request.
LINKSPAN_DECL void served_client::on_late_response(std::uint64_t id, envelope const& message)
{
    if (std::erase(cancelled_, id) == 0 || message.what != envelope::kind::result)
        return;
    if (auto const created = read_task(json_scan::member(message.result, "task")))
        client_task::send_cancellation(*this, created->id);
}

} // namespace linkspan::detail

#endif

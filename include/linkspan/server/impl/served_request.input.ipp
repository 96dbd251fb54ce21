#ifndef LINKSPAN_SERVER_IMPL_SERVED_REQUEST_INPUT_IPP
#define LINKSPAN_SERVER_IMPL_SERVED_REQUEST_INPUT_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/server/detail/input_check.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/served_request.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <string_view>
#include <vector>

// Requests to the client, and tasks.
namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void served_request::ask(client_request what)
{
    bool const is_possible = what.is_declared && (!is_stateless() || may_require_input());
    if (!is_possible || is_over()) {
        needed_ = what.needed;
        auto const ec =
            is_over() ? error_code(asio::error::operation_aborted) : error_code(error::unsupported_input_request);
        return post_handler(server_->get_executor(), [done = std::move(what.done), ec] { done(ec, {}); });
    }
    add_client_request(std::move(what), "input-" + std::to_string(++last_client_request_));
}

// Returns whether a request can be sent. Otherwise reports the defect, and completes the request.
LINKSPAN_DECL bool served_request::accept(client_request& what)
{
    auto const defect = prepare_request(what, server_->options().validate_input);
    if (defect.empty())
        return true;
    post_handler(server_->get_executor(), [done = std::move(what.done)] { done(asio::error::invalid_argument, {}); });
    server_->report_defect(*this, defect);
    return false;
}

// Completes a request with `timed_out` after a timeout of its own, also while this request is suspended. The timer
// belongs to the function of the request. It has no effect after the response with a task.
LINKSPAN_DECL void served_request::limit_time(client_request& what, std::string const& key)
{
    auto const wait = std::make_shared<optional_timer>();
    auto& waits = wait->in_background(server_->get_executor());
    waits.expires_after(*what.timeout);
    start_wait(waits, [weak = weak_from_this(), key](error_code ec) {
        if (auto const self = weak.lock(); self && !ec)
            self->finish(key, asio::error::timed_out, {});
    });
    what.done = [wait, done = std::move(what.done)](error_code ec, std::string_view result) {
        wait->cancel();
        done(ec, result);
    };
}

LINKSPAN_DECL void served_request::add_client_request(client_request what, std::string key)
{
    if (!accept(what))
        return;
    if (what.timeout)
        limit_time(what, key);
    client_requests_.push_back({std::move(key), std::move(what)});
    post_client_requests();
}

LINKSPAN_DECL void served_request::post_client_requests()
{
    if (sends_soon_)
        return;
    post_handler(server_->get_executor(), [self = shared_from_this()] { self->send_client_requests(); });
    sends_soon_ = true; // not before the post, which may throw
}

// The request fails if the memory is not sufficient, because no later event sends its requests to the client.
LINKSPAN_DECL void served_request::send_client_requests()
{
    sends_soon_ = false;
    try {
        send_new_client_requests();
    } catch (std::bad_alloc const&) {
        fail(-32603, "Internal error");
    }
}

LINKSPAN_DECL void served_request::send_new_client_requests()
{
    if (stage_ != stage::running || client_requests_.empty())
        return;
    if ((is_task() || is_stateless()) && !count_client_requests())
        return;
    if (is_task()) {
        publish_client_requests();
        send_task_requests();
    } else if (is_stateless()) {
        return suspend();
    } else {
        send_client_requests(origin_.client.lock(), origin_.stream);
    }
    auto const has_timeout = [](auto const& each) { return each.what.timeout.has_value(); };
    if (!std::ranges::all_of(client_requests_, has_timeout))
        wait_for_input(server_->options().input_timeout);
}

LINKSPAN_DECL void served_request::send_client_requests(std::shared_ptr<served_client> const& to, std::uint64_t stream)
{
    for (auto& each : client_requests_) {
        if (!to || each.is_sent)
            continue;
        auto const id = std::make_shared<std::uint64_t>(); // known after the function was passed on
        auto done = [weak = weak_from_this(), key = each.key, id](error_code ec, std::string_view result) {
            if (auto const self = weak.lock())
                self->finish(key, ec, result, *id);
        };
        each.copies.reserve(each.copies.size() + 1);
        *id = to->send_request(each.what.method, params_of_message(each.what.params), stream,
                               {std::move(done), each.what.on_progress, may_leave_task(each.what)});
        each.copies.push_back({to, *id});
        each.is_sent = true;
    }
}

LINKSPAN_DECL void served_request::send_task_requests()
{
    auto const waiting = is_stateless() ? nullptr : server_->tasks().find_waiting(task_id_);
    auto const client = origin_.client.lock();
    if (waiting) // possibly of another session of the same principal
        send_client_requests(waiting->from().client.lock(), waiting->from().stream);
    else if (!is_stateless() && client && !client->has_streams())
        send_client_requests(client, 0);
}

LINKSPAN_DECL void served_request::on_result_stream_gone(bool may_send)
{
    for (auto& each : client_requests_)
        if (auto const client = each.copies.empty() ? nullptr : each.copies.back().to.lock();
            !client || client->has_streams())
            each.is_sent = false;
    if (may_send)
        send_task_requests(); // another request `tasks/result` may wait
}

// Writes the requests to the client into the task, so that clients find them there.
LINKSPAN_DECL void served_request::publish_client_requests()
{
    std::string requests;
    if (!client_requests_.empty()) {
        object_writer object(requests);
        for (auto const& each : client_requests_)
            add_input_request(object, each.key, each.what.method, each.what.params);
        object.close();
    }
    server_->tasks().on_input_required(task_id_, std::move(requests));
}

LINKSPAN_DECL bool served_request::declares_tasks() const noexcept
{
    if (is_stateless())
        return json_scan::member(json_scan::member(origin_.from->capabilities, "extensions"), tasks_extension)
            .starts_with('{');
    return has_member(version_, wire_member::task_support) && parts_.task.starts_with('{');
}

LINKSPAN_DECL bool served_request::become_task(task_options const& options)
{
    auto const client = origin_.client.lock();
    if (is_task() || stage_ != stage::running || !client || method_ != "tools/call" || !declares_tasks() ||
        !server_->tasks().is_offered)
        return is_task();
    if (!keep_params())
        return false;
    auto const* const created = server_->tasks().create(shared_from_this(), options);
    if (!created)
        return false;
    auto const self = shared_from_this(); // respond() forgets the request
    try {
        auto id = created->id;
        std::string members = is_stateless() ? R"("resultType":"task",)" : R"("task":{)";
        append_members(members, *created, version_, false);
        client->respond(*this, is_stateless() ? members : members + "}", {.type = true});
        task_id_ = std::move(id);
    } catch (...) { // the client has no response
        server_->tasks().discard(created->id);
        throw;
    }
    origin_.stream = 0;
    if (is_stateless()) { // notifications of tasks are not part of the extension
        origin_.progress_token.clear();
        origin_.min_level.reset();
    } else if (client->is_in_session()) { // several clients without a session share the object over HTTP
        try {
            server_->subscribers().add_task(client->subscriber(), task_id_);
        } catch (std::bad_alloc const&) { // the client polls the task
        }
    }
    return true;
}

LINKSPAN_DECL served_request::input_results served_request::read_input(std::string_view responses) const
{
    input_results results;
    for (auto const& each : client_requests_)
        if (auto const result = json_scan::member(responses, each.key); result.starts_with('{'))
            results.emplace_back(each.key, result);
    return results;
}

LINKSPAN_DECL void served_request::take_input(input_results const& results)
{
    for (auto const& [key, result] : results)
        finish(key, {}, result);
}

LINKSPAN_DECL void served_request::suspend()
{
    if (server_->is_stopping())
        return abort_client_requests();
    auto const client = origin_.client.lock();
    auto const sealed = keep_params() ? server_->waiting().suspend(shared_from_this()) : std::string();
    if (sealed.empty()) {
        ++server_->counters().refused;
        return fail(-32603, "Too many requests wait for input");
    }
    try {
        std::string members = R"("resultType":"input_required","inputRequests":)";
        object_writer requests(members);
        for (auto const& each : client_requests_)
            add_input_request(requests, each.key, each.what.method, each.what.params);
        requests.close();
        append_quoted(members += R"(,"requestState":)", sealed);
        if (client)
            client->respond(*this, members, {.type = true});
    } catch (...) { // the client has no state
        server_->waiting().forget(*this);
        throw;
    }
    stage_ = stage::suspended;
}

LINKSPAN_DECL bool served_request::keep_params() noexcept
{
    counts_params_ = counts_params_ || server_->keep_params(params_.size());
    return counts_params_;
}

// Counts the params of the requests to the client, which remain until their results, in the same way. Otherwise fails
// the request.
LINKSPAN_DECL bool served_request::count_client_requests()
{
    for (auto& each : client_requests_) {
        if (!each.counted)
            each.counted = server_->keep_bytes(each.what.params.size());
        if (!each.counted) {
            ++server_->counters().refused;
            fail(-32603, "Too many requests wait for input");
            return false;
        }
    }
    return true;
}

// Counts the bytes of the outcome, until it is sent or discarded, with the params. An outcome that exceeds the limit is
// replaced by an error.
LINKSPAN_DECL void served_request::keep_outcome(std::size_t bytes, outcome_function send)
{
    outcome_function kept;
    if (auto counted = server_->keep_bytes(bytes)) {
        kept = [send = std::move(send), counted = std::move(counted)](served_request& to) { send(to); };
    } else {
        kept = [](served_request& to) {
            to.fail(-32603, "The result was discarded, because the server stores too many bytes");
        };
        ++server_->counters().refused;
    }
    stage_ = stage::over; // the entry remains; the rest of the function does not throw
    server_->waiting().keep_outcome(*this, std::move(kept));
}

LINKSPAN_DECL void served_request::resume(origin from, std::string_view input_responses)
{
    earlier_clients_.push_back(std::move(origin_.from)); // the handler may refer to it
    origin_ = std::move(from);
    stage_ = stage::running;
    try {
        take_input(input_responses);
        if (stage_ == stage::running && !client_requests_.empty())
            post_client_requests();
    } catch (std::bad_alloc const&) { // dispatch() reports it
        fail(-32603, "Internal error");
        throw;
    }
}

LINKSPAN_DECL void served_request::cancel_copies(pending_client_request const& of)
{
    for (auto const& each : of.copies)
        if (auto const client = each.to.lock())
            client->cancel_request(each.id);
}

LINKSPAN_DECL void served_request::finish(std::string_view key, error_code ec, std::string_view result,
                                          std::uint64_t id)
{
    auto const found = std::ranges::find(client_requests_, key, &pending_client_request::key);
    if (found == client_requests_.end())
        return;
    auto finished = std::move(*found);
    client_requests_.erase(found);
    cancel_copies(finished); // the one with the response is not outstanding any more
    auto& what = finished.what;
    auto const copy = std::ranges::find(finished.copies, id, &sent_request::id);
    auto const to = copy == finished.copies.end() ? nullptr : copy->to.lock();
    if (what.task)
        what.task->request = id;
    try {
        if (is_task())
            publish_client_requests();
    } catch (std::bad_alloc const&) { // clients ignore requests that they have seen
    }
    if (client_requests_.empty())
        timer_.cancel();
    if (what.task && !ec && to)
        follow_task(to, std::move(what), result);
    else
        what.done(ec, result);
}

// Continues a request to a client after the response with its task, which ends with this request.
LINKSPAN_DECL void served_request::follow_task(std::shared_ptr<served_client> const& of, client_request what,
                                               std::string_view created)
{
    client_task::stream_function stream;
    try { // the rest of the function does not lose a task
        stream = [weak = weak_from_this(), client = std::weak_ptr(of)] {
            auto const self = weak.lock();
            auto const session = client.lock();
            return self && session ? self->stream_of_tasks(*session) : 0;
        };
        if (!client_tasks_)
            client_tasks_ = std::make_unique<std::vector<std::weak_ptr<client_task>>>();
        std::erase_if(*client_tasks_, [](auto const& each) { return each.expired(); });
        client_tasks_->reserve(client_tasks_->size() + 1);
    } catch (std::bad_alloc const&) { // the task of the client ends with its time to live
        return what.done(make_error_code(boost::system::errc::not_enough_memory), {});
    }
    auto const self = shared_from_this(); // a function of the user may end the request
    if (auto const started = client_task::start(of, std::move(stream), std::move(what), created))
        client_tasks_->push_back(started);
}

LINKSPAN_DECL void served_request::end_client_tasks(void (client_task::*by)())
{
    for (auto const& each : std::exchange(*client_tasks_, {}))
        if (auto const task = each.lock())
            ((*task).*by)();
}

// Returns the stream of messages to a client that belong to this request; 0: no particular one.
LINKSPAN_DECL std::uint64_t served_request::stream_of_tasks(served_client const& of) const
{
    if (!is_task())
        return origin_.stream;
    auto const waiting = server_->tasks().find_waiting(task_id_);
    return waiting && waiting->from().client.lock().get() == &of ? waiting->from().stream : 0;
}

// A suspended request is over, because its state is not accepted any more.
LINKSPAN_DECL void served_request::expire()
{
    bool const was_suspended = stage_ == stage::suspended;
    auto const has_expired = [=](auto const& each) { return was_suspended || !each.what.timeout; };
    auto const kept = std::ranges::stable_partition(client_requests_, has_expired).begin();
    abort_client_requests(asio::error::timed_out, static_cast<std::size_t>(kept - client_requests_.begin()));
    if (was_suspended)
        end();
    if (is_task())
        publish_client_requests();
}

} // namespace linkspan::detail

#endif

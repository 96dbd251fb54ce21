#ifndef LINKSPAN_SERVER_IMPL_SERVED_TASKS_IPP
#define LINKSPAN_SERVER_IMPL_SERVED_TASKS_IPP

#include <linkspan/core/detail/secure_random.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/related_task.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/served_tasks.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL served_tasks::served_tasks(asio::any_io_executor executor, task_limits limits,
                                         std::function<void(std::string_view id)> on_changed)
    : time_(time_source::of(executor)), on_changed_(std::move(on_changed)), table_(limits)
{}

LINKSPAN_DECL std::size_t served_tasks::count() noexcept
{
    table_.expire(now());
    return table_.size();
}

// A task belongs to the principal of its client. Without a principal, it belongs to the session of the client, and in
// stateless protocol versions to each client that sends its id.
LINKSPAN_DECL std::string served_tasks::owner_of(served_request const& request)
{
    auto const client = request.from().client.lock();
    return owner_of(request.from().from->principal, request.is_stateless() ? nullptr : client.get());
}

// `client`: null in stateless protocol versions.
LINKSPAN_DECL std::string served_tasks::owner_of(std::string const& principal, served_client const* client)
{
    if (!principal.empty())
        return "@" + principal;
    return client ? "#" + std::to_string(client->number()) : std::string();
}

LINKSPAN_DECL task const* served_tasks::create(served_request_pointer request, task_options const& options)
{
    auto const requested = json_scan::integer(json_scan::member(request->parts().task, "ttl"));
    auto ttl = options.ttl;
    if (!request->is_stateless() && requested && *requested >= 0)
        ttl = std::min(std::chrono::milliseconds(*requested), request->server().options().max_task_ttl);
    auto id = to_hex(secure_bytes(16));
    auto const place = running_.emplace(id, request).first;
    task const* added = nullptr;
    try {
        added = table_.add(std::move(id), owner_of(*request), ttl, options.poll_interval, now(), request->account());
    } catch (...) {
        running_.erase(place);
        throw;
    }
    if (!added)
        running_.erase(place);
    return added;
}

LINKSPAN_DECL void served_tasks::discard(std::string const& id) noexcept
{
    running_.erase(id);
    table_.remove(id); // last, because the id may belong to the task
}

// Clients poll their tasks too, so that an event does not fail for lack of memory for its notification.
LINKSPAN_DECL void served_tasks::notify_changed(std::string const& id)
{
    try {
        on_changed_(id);
    } catch (std::bad_alloc const&) {
    }
}

LINKSPAN_DECL void served_tasks::on_input_required(std::string const& id, std::string requests)
{
    if (table_.on_input_required(id, std::move(requests), now()))
        notify_changed(id);
}

LINKSPAN_DECL bool served_tasks::on_completed(std::string const& id, std::string_view members, bool has_failed)
{
    auto const discarded = table_.discarded();
    if (!table_.on_completed(id, "{" + std::string(members) + "}", now(), has_failed))
        return true;
    bool const is_kept = table_.discarded() == discarded;
    on_final(id);
    return is_kept;
}

LINKSPAN_DECL bool served_tasks::on_failed(std::string const& id, std::string error)
{
    auto const discarded = table_.discarded();
    if (!table_.on_failed(id, std::move(error), now()))
        return true;
    bool const is_kept = table_.discarded() == discarded;
    on_final(id);
    return is_kept;
}

LINKSPAN_DECL void served_tasks::on_cancelled(std::string const& id)
{
    if (table_.on_cancelled(id, now()))
        on_final(id);
}

LINKSPAN_DECL void served_tasks::on_final(std::string const& id)
{
    running_.erase(id);
    notify_changed(id); // before the responses, because a server that stops closes the connections after them
    for (;;) {
        auto const found = waiting_.lower_bound(id);
        if (found == waiting_.end() || found->first != id)
            return;
        auto const request = found->second.lock();
        waiting_.erase(found);
        if (request)
            end_wait(*request, id);
    }
}

// Responds to a request `tasks/result`, which is not in `waiting_` any more.
LINKSPAN_DECL void served_tasks::end_wait(served_request& request, std::string const& id)
{
    request.on_end = nullptr; // would remove the entry
    try {
        if (auto const* const found = table_.find(id, owner_of(request), now()))
            send_result(request, *found);
        else
            request.fail(-32602, "The task has expired");
    } catch (std::bad_alloc const&) { // the client may request the result again
        request.fail(-32603, "Internal error");
    }
}

LINKSPAN_DECL void served_tasks::handle(served_request_pointer const& request)
{
    if (request->is_stateless() && !request->declares_tasks())
        return request->fail(-32021, "Missing required client capability",
                             R"({"requiredCapabilities":{"extensions":{")" + std::string(tasks_extension) +
                                 R"(":{}}}})");
    auto const id = json_scan::string(json_scan::member(request->params(), "taskId")).value_or("");
    auto const at = now();
    table_.expire(at);
    auto const* const found = table_.find(id, owner_of(*request), at);
    if (request->is_stateless())
        handle_stateless(request, found);
    else
        handle_handshake(request, found);
}

LINKSPAN_DECL void served_tasks::handle_stateless(served_request_pointer const& request, task const* found)
{
    auto const& method = request->method();
    if (method != "tasks/get" && method != "tasks/update" && method != "tasks/cancel")
        return request->fail(-32601, "Method not found");
    if (!found)
        return request->fail(-32602, "Unknown task");
    std::string members;
    auto const running = running_.find(found->id);
    auto const operation = running == running_.end() ? nullptr : running->second;
    if (method == "tasks/get")
        append_members(members, *found, request->version(), true);
    served_request::input_results input; // read before the response, which confirms it
    if (method == "tasks/update" && operation)
        input = operation->read_input(json_scan::member(request->params(), "inputResponses"));
    request->complete(members);
    if (method == "tasks/update" && operation)
        operation->take_input(input);
    if (method == "tasks/cancel" && operation)
        operation->cancel();
}

LINKSPAN_DECL void served_tasks::handle_handshake(served_request_pointer const& request, task const* found)
{
    auto const& method = request->method();
    if (method == "tasks/list")
        return list(*request);
    if (method != "tasks/get" && method != "tasks/result" && method != "tasks/cancel")
        return request->fail(-32601, "Method not found");
    if (!found)
        return request->fail(-32602, "Unknown task");
    if (method == "tasks/result")
        return await_result(request, *found);
    if (method == "tasks/cancel") {
        if (is_final(found->status))
            return request->fail(-32602, "The task is " + std::string(to_string(found->status)) + " already");
        auto cancelled = *found;                                               // the next statement may remove the task
        served_request_pointer(running_.find(cancelled.id)->second)->cancel(); // calls a function of the program
        if (auto const* const again = table_.find(cancelled.id, owner_of(*request), now()))
            cancelled = *again;
        cancelled.status = task_status::cancelled;
        return complete_with(*request, cancelled);
    }
    complete_with(*request, *found);
}

LINKSPAN_DECL void served_tasks::complete_with(served_request& request, task const& described)
{
    std::string members;
    append_members(members, described, request.version(), false);
    request.complete(members);
}

// All tasks are on one page, so that no cursor is known.
LINKSPAN_DECL void served_tasks::list(served_request& request) const
{
    if (auto const cursor = json_scan::member(request.params(), "cursor"); !cursor.empty() && cursor != "null")
        return request.fail(-32602, "Unknown cursor");
    std::string members = R"("tasks":[)";
    for (auto const* const each : table_.of(owner_of(request), now())) {
        members += members.back() == '[' ? "{" : ",{";
        append_members(members, *each, request.version(), false);
        members += '}';
    }
    request.complete(members + "]");
}

LINKSPAN_DECL void served_tasks::await_result(served_request_pointer const& request, task const& found)
{
    if (is_final(found.status))
        return send_result(*request, found);
    auto const running = running_.find(found.id);
    auto const operation = running == running_.end() ? nullptr : running->second;
    auto const place = waiting_.emplace(found.id, request);
    try {
        request->on_end = [this, place, weak = std::weak_ptr(operation), client = request->from().client] {
            waiting_.erase(place);
            if (auto const of = weak.lock())
                of->on_result_stream_gone(!client.expired());
        };
    } catch (...) {
        waiting_.erase(place);
        throw;
    }
    if (operation)
        operation->send_task_requests();
}

LINKSPAN_DECL served_request_pointer served_tasks::find_waiting(std::string_view id) const
{
    auto const found = waiting_.find(id);
    return found == waiting_.end() ? nullptr : found->second.lock();
}

// Sends what the call would have responded, with the id of the task in `_meta`.
LINKSPAN_DECL void served_tasks::send_result(served_request& request, task const& found)
{
    if (found.status == task_status::failed && found.result.empty()) {
        auto const code = json_scan::integer(json_scan::member(found.error, "code")).value_or(-32603);
        auto const message = json_scan::string(json_scan::member(found.error, "message")).value_or("");
        return request.fail(static_cast<int>(code), message, json_scan::member(found.error, "data"));
    }
    if (found.status == task_status::cancelled)
        return request.fail(-32603, "The task was cancelled");
    auto const result = with_related_task(found.result, '"' + found.id + '"');
    request.complete(std::string_view(result).substr(1, result.size() - 2));
}

LINKSPAN_DECL std::string served_tasks::describe(std::string_view id, served_request const& listener) const
{
    std::string out;
    if (auto const* const found = table_.find(id, owner_of(listener), now()))
        append_members(out, *found, listener.version(), true);
    return out;
}

LINKSPAN_DECL std::string served_tasks::describe(std::string_view id, served_client const& owner) const
{
    std::string out;
    if (auto const* const found = table_.find(id, owner_of(owner.info().principal, &owner), now()))
        append_members(out, *found, owner.version(), false);
    return out;
}

LINKSPAN_DECL void served_tasks::clear()
{
    for (auto const& [id, request] : std::exchange(running_, {}))
        request->cancel();
}

} // namespace linkspan::detail

#endif

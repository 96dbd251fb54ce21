#ifndef LINKSPAN_SESSION_IMPL_TASK_REQUEST_IPP
#define LINKSPAN_SESSION_IMPL_TASK_REQUEST_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/session/detail/task_request.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL task_form form_of_tasks(session_core const& session, task_support of_tool) noexcept
{
    if (!session.version())
        return task_form::none;
    std::string_view const capabilities = session.server().capabilities;
    auto const has_object = [](std::string_view value) { return value.starts_with('{'); };
    if (session.is_stateless()) {
        auto const settings = json_scan::member(json_scan::member(capabilities, "extensions"), tasks_extension);
        return has_object(settings) ? task_form::extension : task_form::none;
    }
    auto const requests = json_scan::member(json_scan::member(capabilities, "tasks"), "requests");
    bool const is_offered = has_object(json_scan::member(json_scan::member(requests, "tools"), "call"));
    bool const has_tasks = has_member(*session.version(), wire_member::task_support);
    return has_tasks && is_offered && of_tool != task_support::forbidden ? task_form::member : task_form::none;
}

LINKSPAN_DECL void append_task_member(std::string& params, std::optional<std::chrono::milliseconds> ttl)
{
    params += R"(,"task":{)";
    if (ttl)
        append_number(params += R"("ttl":)", std::max(ttl->count(), std::chrono::milliseconds::rep(0)));
    params += '}';
}

// A server of 2025-11-25 may respond with the result to a request for a task.
LINKSPAN_DECL std::string_view task_in(call_result const& result, task_form form) noexcept
{
    switch (form) {
    case task_form::none: break;
    case task_form::member: return json_scan::member(result.raw(), "task");
    case task_form::extension: return result.type() == "task" ? result.raw() : std::string_view();
    }
    return {};
}

LINKSPAN_DECL task_form request_task(session_pointer const& session, session_request& call, task_support of_tool,
                                     std::optional<std::chrono::milliseconds> ttl)
{
    auto const form = form_of_tasks(*session, of_tool);
    if (form == task_form::extension)
        call.declare_tasks();
    if (form == task_form::member)
        append_task_member(call.params_text(), ttl);
    return form;
}

LINKSPAN_DECL started_call read_started_call(error_code& ec, call_result result, request_origin const& origin,
                                             task_form form)
{
    started_call out(std::move(result));
    if (ec)
        return out;
    auto const described = task_in(out.result, form);
    if (described.empty())
        return out;
    out.task = read_task(described);
    if (!out.task)
        explain_malformed(ec, out.result, "the task is not valid", origin);
    return out;
}

LINKSPAN_DECL typed_result<task> read_requested_task(error_code& ec, call_result result, request_origin const& origin,
                                                     std::string_view id)
{
    if (ec)
        return typed_result<task>(std::move(result));
    auto found = read_task(result.raw());
    if (found && found->id == id)
        return typed_result<task>(std::move(*found), std::move(result));
    explain_malformed(ec, result, found ? "the response describes another task" : "the task is not valid", origin);
    return typed_result<task>(std::move(result));
}

LINKSPAN_DECL request_pointer prepare_task_request(session_ref const& on, std::string_view method, std::string_view id)
{
    auto out = prepare_text_request(on, method, "taskId", id);
    out->declare_tasks();
    return out;
}

LINKSPAN_DECL void wait_for_task(session_pointer const& session, request_origin origin, task known,
                                 call_options options, pending_handler<void(error_code, call_result)> done)
{
    std::make_shared<task_wait>(session, std::move(origin), std::move(known), std::move(options), std::move(done))
        ->start();
}

} // namespace linkspan::detail

#endif

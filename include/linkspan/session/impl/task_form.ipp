#ifndef LINKSPAN_SESSION_IMPL_TASK_FORM_IPP
#define LINKSPAN_SESSION_IMPL_TASK_FORM_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/session/detail/session_request.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/task_form.hpp>

#include <algorithm>

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

LINKSPAN_DECL void mark_task(error_code& ec, call_result& result, task_form form, request_origin const& origin)
{
    if (ec || task_in(result, form).empty())
        return;
    result.contains_task(form == task_form::member);
    if (!result.task())
        explain_malformed(ec, result, "the task is not valid", origin);
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

} // namespace linkspan::detail

#endif

#ifndef LINKSPAN_SESSION_IMPL_TASK_REQUEST_IPP
#define LINKSPAN_SESSION_IMPL_TASK_REQUEST_IPP

#include <linkspan/session/detail/task_request.hpp>
#include <linkspan/session/detail/task_wait.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL started_call read_started_call(error_code& ec, call_result result, request_origin const& origin,
                                             task_form form)
{
    mark_task(ec, result, form, origin);
    started_call out(std::move(result));
    if (!ec)
        out.task = out.result.task();
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

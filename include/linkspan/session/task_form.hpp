#ifndef LINKSPAN_SESSION_TASK_FORM_HPP
#define LINKSPAN_SESSION_TASK_FORM_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/session/detail/request_origin.hpp>
#include <linkspan/session/detail/request_pointer.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

class session_request;

// Form in which the response to a call may contain a task.
enum class task_form {
    none,     // the response contains the result
    member,   // 2025-11-25: the member `task` of the result; the client requested a task
    extension // 2026-07-28: the result itself; the client declared the extension
};

// Returns the form in which the server of an open session may respond with a task to a call of a tool.
//
// Specification: MCP 2025-11-25, basic/utilities/tasks, "Tool-Level Negotiation"; 2026-07-28, "Extension Negotiation".
LINKSPAN_DECL task_form form_of_tasks(session_core const& session, task_support of_tool) noexcept;

// Appends the request for a task of the form `member` to the members of `params`.
LINKSPAN_DECL void append_task_member(std::string& params, std::optional<std::chrono::milliseconds> ttl);

// Returns the task that a result contains, as JSON text; empty: none.
LINKSPAN_DECL std::string_view task_in(call_result const& result, task_form form) noexcept;

// Marks a result that contains a task, so that `call_result::task` returns the task. `ec` becomes `malformed_message`
// if the task is not valid.
LINKSPAN_DECL void mark_task(error_code& ec, call_result& result, task_form form, request_origin const& origin);

// Adds the request for a task to a call that is about to start, if the server and the tool support tasks. Returns the
// form of the response.
LINKSPAN_DECL task_form request_task(session_pointer const& session, session_request& call, task_support of_tool,
                                     std::optional<std::chrono::milliseconds> ttl);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/task_form.ipp>
#endif

#endif

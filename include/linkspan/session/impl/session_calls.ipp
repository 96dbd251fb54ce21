#ifndef LINKSPAN_SESSION_IMPL_SESSION_CALLS_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_CALLS_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/session/detail/session_calls.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>
#include <linkspan/session/task_form.hpp>
#include <linkspan/session/task_marker.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL asio::any_io_executor const& executor_of(session_pointer const& session) noexcept
{
    return session->executor();
}

LINKSPAN_DECL void open_session(session_pointer const& session, pending_handler<void(error_code)> done)
{
    session->open(std::move(done));
}

LINKSPAN_DECL void shut_down_session(session_pointer const& session, pending_handler<void(error_code)> done)
{
    session->shutdown(std::move(done));
}

LINKSPAN_DECL request_pointer prepare_request(session_pointer const& session, std::string_view method)
{
    return session_request::prepare(session, method);
}

LINKSPAN_DECL request_pointer prepare_tool_call(session_pointer const& session, std::string_view tool)
{
    return session_request::prepare_call(session, tool);
}

LINKSPAN_DECL std::string& params_text(session_request& request) noexcept { return request.params_text(); }

LINKSPAN_DECL void set_options(session_request& request, call_options options)
{
    request.set_options(std::move(options));
}

LINKSPAN_DECL void set_origin(session_request& request, request_origin origin)
{
    request.set_origin(std::move(origin));
}

LINKSPAN_DECL void reject_params(session_request& request, std::string_view problem) { request.reject(problem); }

// Starts a call that may become a task, which the handler of the call then marks in the result. A function of its own,
// so that other requests have no part of it.
LINKSPAN_DECL void start_with_task(session_pointer const& session, request_pointer call,
                                   pending_handler<void(error_code, call_result)> done)
{
    auto form = std::make_shared<task_form const>(request_task(session, *call, task_support::optional, std::nullopt));
    session_request::start(std::move(call), {task_marker(std::move(form), {}, std::move(done)), session->executor()});
}

LINKSPAN_DECL void start_request(session_pointer const& session, request_pointer request,
                                 pending_handler<void(error_code, call_result)> done)
{
    if (request->allows_task()) [[unlikely]]
        return start_with_task(session, std::move(request), std::move(done));
    session_request::start(std::move(request), std::move(done));
}

LINKSPAN_DECL void list_tools(session_pointer const& session, pending_handler<void(error_code, tool_list)> done)
{
    list_request::start(session, std::move(done));
}

LINKSPAN_DECL void list_entries(session_pointer const& session, std::string_view method, request_origin origin,
                                page_reader read, pending_handler<void(error_code, std::string)> done)
{
    entries_request::start(session, method, std::move(origin), std::move(read), std::move(done));
}

LINKSPAN_DECL bool send_notification(session_pointer const& session, std::string_view method, std::string_view params)
{
    return session->send_notification(method, params);
}

LINKSPAN_DECL bool notify_roots_changed(session_pointer const& session) { return session->notify_roots_changed(); }

LINKSPAN_DECL void set_log_level(session_pointer const& session, request_origin origin, log_level level,
                                 pending_handler<void(error_code, call_result)> done)
{
    bool const is_ready = session->state() == session_state::ready;
    if (is_ready)
        session->set_log_level(level);
    if (is_ready && session->is_stateless())
        return post_handler(session->executor(), [done = std::move(done), origin = std::move(origin)]() mutable {
            done.complete({}, origin.success());
        });
    session_request::start(
        session_request::prepare_text(session, std::move(origin), "logging/setLevel", "level", to_string(level)),
        std::move(done));
}

LINKSPAN_DECL void subscribe_resource(session_pointer const& session, request_origin origin, std::string uri,
                                      pending_handler<void(error_code, call_result)> done)
{
    session->changes().subscribe(std::move(uri), std::move(origin), std::move(done));
}

LINKSPAN_DECL void unsubscribe_resource(session_pointer const& session, request_origin origin, std::string const& uri,
                                        pending_handler<void(error_code, call_result)> done)
{
    session->changes().unsubscribe(uri, std::move(origin), std::move(done));
}

LINKSPAN_DECL void ping_server(session_pointer const& session, pending_handler<void(error_code, call_result)> done)
{
    session_request::start(session_request::prepare(session, ping_method(*session)), std::move(done));
}

LINKSPAN_DECL std::string explain_failed_open(session_pointer const& session)
{
    return session && !session->diagnostics().empty() ? "open session: " + session->diagnostics()
                                                      : std::string("open session");
}

LINKSPAN_DECL void set_request_handler(session_core& session, std::string method, std::string capability,
                                       std::function<void(std::string_view params, responder)> handler)
{
    session.handle(std::move(method), std::move(capability), std::move(handler));
}

#if defined(LINKSPAN_SEPARATE_COMPILATION)
template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code>*, error_code);
template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, call_result>*, error_code,
                               call_result);
template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, tool_list>*, error_code, tool_list);
template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, std::string>*, error_code,
                               std::string);
#endif

} // namespace linkspan::detail

#endif

#ifndef LINKSPAN_SESSION_SRC_HPP
#define LINKSPAN_SESSION_SRC_HPP

// Function definitions of the module `session` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/session/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/session/impl/call_context.ipp>
#include <linkspan/session/impl/change_listener.ipp>
#include <linkspan/session/impl/change_listener.tasks.ipp>
#include <linkspan/session/impl/header_mirror.ipp>
#include <linkspan/session/impl/hosted_task_limit.ipp>
#include <linkspan/session/impl/hosted_tasks.ipp>
#include <linkspan/session/impl/input_exchange.ipp>
#include <linkspan/session/impl/message_writer.ipp>
#include <linkspan/session/impl/notifications.ipp>
#include <linkspan/session/impl/request_origin.ipp>
#include <linkspan/session/impl/server_requests.ipp>
#include <linkspan/session/impl/session.ipp>
#include <linkspan/session/impl/session_calls.ipp>
#include <linkspan/session/impl/session_connection.ipp>
#include <linkspan/session/impl/session_core.ipp>
#include <linkspan/session/impl/session_core.receiving.ipp>
#include <linkspan/session/impl/session_core.recovery.ipp>
#include <linkspan/session/impl/session_core.requests.ipp>
#include <linkspan/session/impl/session_diagnostics.ipp>
#include <linkspan/session/impl/session_opener.ipp>
#include <linkspan/session/impl/session_ops.ipp>
#include <linkspan/session/impl/session_options.ipp>
#include <linkspan/session/impl/session_recovery.ipp>
#include <linkspan/session/impl/session_ref.ipp>
#include <linkspan/session/impl/session_request.ipp>
#include <linkspan/session/impl/task_form.ipp>
#include <linkspan/session/impl/task_host.ipp>
#include <linkspan/session/impl/task_request.ipp>
#include <linkspan/session/impl/task_wait.ipp>
#include <linkspan/session/impl/task_watchers.ipp>
#include <linkspan/session/impl/timeout_text.ipp>
#include <linkspan/session/impl/typed_request.ipp>

#endif

#ifndef LINKSPAN_SESSION_DETAIL_TASK_REQUEST_HPP
#define LINKSPAN_SESSION_DETAIL_TASK_REQUEST_HPP

#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/started_call.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/model/typed_result.hpp>
#include <linkspan/session/detail/typed_request.hpp>
#include <linkspan/session/session_ref.hpp>
#include <linkspan/session/task_form.hpp>
#include <linkspan/session/throwing.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// Requests of a session about tasks.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Converts the response to a call. `ec` becomes `malformed_message` if the response contains an invalid task.
LINKSPAN_DECL started_call read_started_call(error_code& ec, call_result result, request_origin const& origin,
                                             task_form form);

// Converts the response to `tasks/get`. `ec` becomes `malformed_message` if it does not describe the task `id`.
LINKSPAN_DECL typed_result<task> read_requested_task(error_code& ec, call_result result, request_origin const& origin,
                                                     std::string_view id);

// Takes a request object from the pool of the session, for a request about the task `id`.
LINKSPAN_DECL request_pointer prepare_task_request(session_ref const& on, std::string_view method, std::string_view id);

// Waits for the outcome of a task.
LINKSPAN_DECL void wait_for_task(session_pointer const& session, request_origin origin, task known,
                                 call_options options, pending_handler<void(error_code, call_result)> done);

struct initiate_start_task : request_initiation {
    using request_initiation::request_initiation;

    template<class Handler>
    void operator()(Handler&& handler, request_pointer request, task_support of_tool,
                    std::optional<std::chrono::milliseconds> ttl) const
    {
        auto const form = request_task(target(), *request, of_tool, ttl);
        start<&read_started_call>(std::forward<Handler>(handler), std::move(request), form);
    }
};

struct initiate_get_task : request_initiation {
    using request_initiation::request_initiation;

    template<class Handler>
    void operator()(Handler&& handler, request_pointer request, std::string id) const
    {
        start<&read_requested_task>(std::forward<Handler>(handler), std::move(request), std::move(id));
    }
};

// Takes a request object for a call of a tool from the pool of the session, and writes its parameters.
template<class Arguments>
request_pointer prepare_task_call(session_ref const& on, std::string_view tool, Arguments const& args,
                                  call_options options)
{
    auto out = prepare_tool_call(session_access::core(on), tool);
    set_origin(*out, session_access::origin(on));
    options.allow_task = false; // `initiate_start_task` requests the task
    set_options(*out, std::move(options));
    if (auto const problem = append_arguments(params_text(*out), args); !problem.empty())
        reject_params(*out, problem);
    return out;
}

} // namespace linkspan::detail

// A call that fails to start throws `call_error` with the token `use_awaitable`, as other calls do.
template<class Executor>
class boost::asio::async_result<boost::asio::use_awaitable_t<Executor>,
                                void(linkspan::error_code, linkspan::started_call)>
    : public linkspan::detail::throwing_awaitable<Executor, linkspan::started_call> {};

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/task_request.ipp>
#endif

#endif

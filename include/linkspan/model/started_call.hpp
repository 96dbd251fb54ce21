#ifndef LINKSPAN_MODEL_STARTED_CALL_HPP
#define LINKSPAN_MODEL_STARTED_CALL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/task.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Options of a call that may become a task.
///
/// The type is not an aggregate, because g++ 12 miscompiles temporary aggregates in `co_await` expressions.
///
/// \par Thread safety
/// Distinct objects: safe.
struct task_request {
    /// Constructs the defaults.
    task_request() {}

    /// Time to live of the task that the client requests, in milliseconds; the server may choose another one. Sent in
    /// 2025-11-25 only. Range: at least 0. Empty: the server chooses. Default: empty.
    std::optional<std::chrono::milliseconds> ttl;

    /// Options of the request that starts the call, such as timeouts, progress handler and `_meta`; with a connector,
    /// options of the call with all its attempts. The timeouts do not include the time of the task. Default: the
    /// defaults of the session or of the connector.
    call_options call;
};

/// Response of a server to a call that may become a task: the result of the call, or a task.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while they are not modified.
struct started_call {
    /// Constructs a response without a result and without a task.
    started_call() {}

    /// Constructs the response that consists of a result.
    explicit started_call(call_result outcome) : result(std::move(outcome)) {}

    /// Without a task: the result of the call. With a task: the response that describes the task. After an error: the
    /// attempts and the detail.
    call_result result;

    /// The task that continues the call. Empty: the server has responded with the result, or the operation has failed.
    std::optional<linkspan::task> task;
};

/// Returns the exception that represents the error of an operation that completes with a `started_call`:
/// `make_exception(ec, call.result)`. The delivery certainty of the attempts (`call_result::attempts`) states whether a
/// server may have executed the call. After `invalid_arguments`, no request was sent.
///
/// \param ec The error with which the operation completed.
/// \param call The response with which the operation completed.
inline std::exception_ptr make_exception(error_code ec, started_call call)
{
    return make_exception(ec, std::move(call.result));
}

} // namespace linkspan

#endif

#ifndef LINKSPAN_CONNECTOR_DETAIL_ATTEMPT_INTERCEPTION_HPP
#define LINKSPAN_CONNECTOR_DETAIL_ATTEMPT_INTERCEPTION_HPP

#include <linkspan/connector/detail/call_request.hpp>
#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/connector/interceptor.hpp>
#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/model/call_result.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <functional>
#include <memory>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// An attempt of a call on a server that has interceptors. The interceptors surround the attempt. The attempt sends a
// separate `session_request`, instead of the request object of the call.
//
// Shared by the call, until the end of the attempt, and by the function that sends the request.
//
// Invariant: if `is_sent_` is false, no request was passed to the session, so that the tool was not executed.
class attempt_interception : public std::enable_shared_from_this<attempt_interception> {
public:
    using result_function = std::function<void(error_code, call_result const&)>;

    // Runs the interceptors. `time`: maximum time of the attempt, if it is shorter than the timeout of the request.
    // `can_fail_over`: see session_request::fail_over_if(). `done` is invoked later with the outcome.
    LINKSPAN_DECL void start(connector_context& context, server_entry& server, call_request const& request,
                             duration time, std::function<bool()> can_fail_over, result_function done);

    // Returns whether the request passed all interceptors and was sent.
    bool is_sent() const noexcept { return is_sent_; }

    // Returns the name in the request that passed all interceptors; empty before.
    std::string const& tool() const noexcept { return tool_; }

    // Returns the outcome of the attempt that ended with this error or result.
    LINKSPAN_DECL outcome outcome_of(error_code ec, call_result const& result, duration elapsed) const;

    // Returns the outcome of an attempt that the caller cancels.
    LINKSPAN_DECL outcome outcome_if_cancelled(duration elapsed) const;

    // Cancels the interceptors.
    void cancel() { signal_.emit(asio::cancellation_type::terminal); }

private:
    void send(std::shared_ptr<connector_context> const& context, server_id id, std::shared_ptr<session_core> session,
              pending_handler<void(error_code, call_result)> done, tool_request intercepted,
              std::function<bool()> can_fail_over);

    asio::cancellation_signal signal_;     // cancels the interceptors
    bool is_sent_ = false;                 // set by send(), never cleared
    std::string tool_;                     // set by send()
    std::shared_ptr<requested_task> task_; // set by start(); null: the call must not become a task
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/attempt_interception.ipp>
#endif

#endif

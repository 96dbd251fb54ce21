#ifndef LINKSPAN_MODEL_CALL_ERROR_HPP
#define LINKSPAN_MODEL_CALL_ERROR_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns a human-readable text about a failed call.
///
/// The first line names the tool, the error, the detail of the result (usually the message of the server) and, if there
/// is no attempt record, the server. Each attempt follows on a line of its own, with its server, its request id, its
/// certainty, its error and its elapsed time; the line of a stored result has "stored result" in place of the time. The
/// text has the form
///
///     call of tool 'read' failed: <error>: <detail>
///       1. files (request 7): unknown, <error> [linkspan:35], after 30000 ms: <detail>
///       2. backup: not_sent, <error> [linkspan:4], after 0 ms: <detail>
///
/// \param ec The error with which the call completed.
/// \param result The result with which the call completed.
/// \throws std::bad_alloc
LINKSPAN_DECL std::string explain(error_code ec, call_result const& result);

/// Returns whether an error code means that a timeout elapsed, in any layer.
///
/// True for `error::attempt_timed_out`, `error::deadline_exceeded`, `errc::timed_out` of the operating system and of
/// Asio, and the HTTP statuses 408 and 504 of a server (`http_category`) or a proxy (`proxy_category`).
LINKSPAN_DECL bool timed_out(error_code ec) noexcept;

/// Returns whether a call failed because a timeout elapsed, in any layer.
///
/// True if `timed_out(ec)`, or if `ec` summarizes several attempts (`all_servers_failed`, `outcome_unknown`,
/// `no_eligible_server`) and at least one attempt record has a timeout as its error.
///
/// \param ec The error with which the call completed.
/// \param result The result with which the call completed.
LINKSPAN_DECL bool timed_out(error_code ec, call_result const& result) noexcept;

/// Returns whether at least one attempt record of a result has a timeout as its error.
///
/// Use this overload only where the error code of the call is not available: the result is false for a call whose
/// timeout elapsed before its first attempt.
LINKSPAN_DECL bool timed_out(call_result const& result) noexcept;

/// The exception of a failed call: its error code and its result, with one record per attempt.
///
/// Thrown by `co_await` with the default token of calls, with `throwing` and with `asio::use_awaitable`. `what()` is
/// the text of `explain`, with the error code in brackets at the end of the first line. The derived classes name the
/// failures that callers most often handle differently.
///
///     try {
///         co_await hub.async_call("pay", args);
///     } catch (linkspan::outcome_unknown_error const& failure) {
///         log(failure.what()); // the payment may have been made
///     }
///
/// \par Thread safety
/// Distinct objects: safe, also copies of one object. Shared objects: safe while they are not modified.
class call_error : public boost::system::system_error {
public:
    /// Constructs the exception of a call that completed with `ec` and `result`.
    LINKSPAN_DECL call_error(error_code ec, call_result result);

    /// Returns the text of `explain(code(), result())` with the error code at the end of the first line.
    char const* what() const noexcept override { return text_.what(); }

    /// Returns the attempts of the call in their order; empty if the call failed before its first attempt.
    std::span<attempt_record const> attempts() const noexcept { return result_.attempts(); }

    /// Returns the explanation of the error, usually the message of the server; may be empty.
    std::string_view detail() const noexcept { return result_.detail(); }

    /// Returns the result with which the call completed. Its `raw()` is empty, except if the call failed because of the
    /// result: after `tool_failed`, and if the result does not match the output schema of the tool or the requested
    /// type.
    call_result const& result() const noexcept { return result_; }

private:
    call_result result_;
    std::runtime_error text_; // holds what(); unlike a std::string, its copy constructor does not throw
};

/// Returns `timed_out(failure.code(), failure.result())`: whether the call failed because a timeout elapsed.
inline bool timed_out(call_error const& failure) noexcept { return timed_out(failure.code(), failure.result()); }

/// @name Kinds of failed calls
/// @{

/// Thrown if none of the servers that the call may use has the tool (`tool_not_found`), or if no tool has the exposed
/// name (`invalid_tool_name`).
class tool_not_found_error : public call_error {
    using call_error::call_error;
};

/// Thrown if each eligible server failed and repeating the call is safe: `all_servers_failed`. `attempts()` has one
/// record per attempt.
class all_servers_failed_error : public call_error {
    using call_error::call_error;
};

/// Thrown if a server may have executed the tool: `outcome_unknown`. Callers should check the effect of the tool before
/// they call it again.
class outcome_unknown_error : public call_error {
    using call_error::call_error;
};

/// Thrown if the server sent an error response (a code of `rpc_category`), or violated the protocol
/// (`condition::protocol_violated`, such as `malformed_message` and `unexpected_result`).
class protocol_error : public call_error {
    using call_error::call_error;
};

/// @}

/// Returns the exception that represents the failure of a call.
///
/// \param ec The error with which the call completed.
/// \param result The result with which the call completed.
/// \returns A `tool_not_found_error`, `all_servers_failed_error`, `outcome_unknown_error` or `protocol_error` if that
/// class documents the error, else a `call_error`.
LINKSPAN_DECL std::exception_ptr make_exception(error_code ec, call_result result);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/call_error.ipp>
#endif

#endif

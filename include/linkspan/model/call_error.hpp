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

namespace linkspan {

/// Returns a text for people about a failed call: the tool, the error, the server's own words, and each attempt on a
/// line of its own.
LINKSPAN_DECL std::string explain(error_code ec, call_result const& result);

/// Returns whether an error code says that a timeout elapsed, at any layer: `attempt_timed_out`, `deadline_exceeded`,
/// the operating system's and Asio's `timed_out`, and the HTTP statuses 408 and 504, also of a proxy.
LINKSPAN_DECL bool timed_out(error_code ec) noexcept;

/// Returns whether a failed call failed because a timeout elapsed, at any layer: its error says so, or it sums up
/// several failures (`all_servers_failed`, `outcome_unknown`) and at least one attempt timed out.
LINKSPAN_DECL bool timed_out(error_code ec, call_result const& result) noexcept;

/// Returns whether an attempt timed out, judged by the trail alone, for code that no longer has the error. False for a
/// call that ran out of time before its first attempt: take the overload with the error where there is one.
LINKSPAN_DECL bool timed_out(call_result const& result) noexcept;

/// A failed call as an exception, with the trail of its attempts; thrown by `co_await` without a token, with `throwing`
/// and with `use_awaitable`. `what()` is what `explain` returns, with the error code behind its first line.
class call_error : public boost::system::system_error {
public:
    LINKSPAN_DECL call_error(error_code ec, call_result result);

    char const* what() const noexcept override { return text_.what(); }

    std::span<attempt_record const> attempts() const noexcept { return result_.attempts(); }
    std::string_view detail() const noexcept { return result_.detail(); }

    /// The result that came with the error: the trail, and text only where that is what did not fit.
    call_result const& result() const noexcept { return result_; }

private:
    call_result result_;
    std::runtime_error text_; // for its text, which is copied without a failure
};

inline bool timed_out(call_error const& failure) noexcept { return timed_out(failure.code(), failure.result()); }

/// @name The kinds of a failed call that callers tell apart
/// @{

/// No server has the tool: `tool_not_found`, `invalid_tool_name`.
class tool_not_found_error : public call_error {
    using call_error::call_error;
};

/// Every server failed, and calling again is safe: `all_servers_failed`. `attempts()` has one record for each try.
class all_servers_failed_error : public call_error {
    using call_error::call_error;
};

/// A server may have run the tool: `outcome_unknown`. Look before calling again.
class outcome_unknown_error : public call_error {
    using call_error::call_error;
};

/// A server answered with an error, or with what is no answer: a code of `rpc_category`, `malformed_message`.
class protocol_error : public call_error {
    using call_error::call_error;
};

/// @}

/// The failure of a call as the exception of its kind.
LINKSPAN_DECL std::exception_ptr make_exception(error_code ec, call_result result);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/call_error.ipp>
#endif

#endif

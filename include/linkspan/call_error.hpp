#ifndef LINKSPAN_CALL_ERROR_HPP
#define LINKSPAN_CALL_ERROR_HPP

#include <linkspan/call_result.hpp>
#include <linkspan/detail/config.hpp>
#include <linkspan/error.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan {

/// What people want to read about a failed call: the error, each attempt on a line of its own, and what may help.
LINKSPAN_DECL std::string explain(error_code ec, call_result const& result);

/// A failed call as an exception, with the trail of its attempts; thrown by `co_await` with the token `throwing`.
class call_error : public boost::system::system_error {
public:
    call_error(error_code ec, call_result result) : system_error(ec, explain(ec, result)), result_(std::move(result)) {}

    std::span<attempt_record const> attempts() const noexcept { return result_.attempts(); }
    std::string_view detail() const noexcept { return result_.detail(); }

    /// The result that came with the error: the trail, and text only where that is what did not fit.
    call_result const& result() const noexcept { return result_; }

private:
    call_result result_;
};

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
#include <linkspan/impl/call_error.ipp>
#endif

#endif

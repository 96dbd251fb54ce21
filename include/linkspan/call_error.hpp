#ifndef LINKSPAN_CALL_ERROR_HPP
#define LINKSPAN_CALL_ERROR_HPP

#include <linkspan/call_result.hpp>
#include <linkspan/detail/config.hpp>
#include <linkspan/error.hpp>

#include <boost/system/system_error.hpp>

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

    /// The result that came with the error: no text, but the trail.
    call_result const& result() const noexcept { return result_; }

private:
    call_result result_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/impl/call_error.ipp>
#endif

#endif

#ifndef LINKSPAN_MODEL_RESULT_ERROR_HPP
#define LINKSPAN_MODEL_RESULT_ERROR_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>

#include <boost/assert/source_location.hpp>

#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Error of `call_result::as`: an error code, and the reason as text.
///
///     auto const sum = result.as<double>();
///     if (!sum)
///         std::cerr << sum.error().message() << ": " << sum.error().detail() << '\n';
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while they are not modified.
class result_error : public error_code {
public:
    /// Constructs an object without an error.
    result_error() = default;

    /// Constructs an error with its detail.
    result_error(error_code ec, std::string detail) : error_code(ec), detail_(std::move(detail)) {}

    /// Returns the mismatches, such as "/days: expected an integer, found a string". Empty, except for
    /// `unexpected_result`.
    std::string const& detail() const noexcept { return detail_; }

private:
    std::string detail_;
};

/// Throws the `call_error` for an error; its `what()` contains the detail. Called by `boost::system::result::value` if
/// the result has no value.
///
/// \throws protocol_error if the code is `unexpected_result`.
/// \throws call_error if the code is another one.
[[noreturn]] LINKSPAN_DECL void throw_exception_from_error(result_error const& failure, boost::source_location const&);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/result_error.ipp>
#endif

#endif

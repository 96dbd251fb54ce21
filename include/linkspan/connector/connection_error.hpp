#ifndef LINKSPAN_CONNECTOR_CONNECTION_ERROR_HPP
#define LINKSPAN_CONNECTOR_CONNECTION_ERROR_HPP

#include <linkspan/connector/connector_state.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Formats an `open_report` for human readers: one line per failed server, with the phase, the elapsed time, the error
/// and the detail text of the report. Empty if all servers are ready.
LINKSPAN_DECL std::string explain(open_report const& report);

/// Exception for a failed opening of a connector, with a report per server.
///
/// Thrown by `co_await hub.async_open()` with the token `throwing`, which is the default.
class connection_error : public boost::system::system_error {
public:
    /// Constructs the exception from the completion of `async_open`.
    LINKSPAN_DECL connection_error(error_code ec, open_report report);

    /// Returns a line with the message and the error code of `code()`, and after it the text of `explain(report())`.
    char const* what() const noexcept override { return text_.what(); }

    /// Returns the report of the opening, with one entry per server that had to be opened.
    open_report const& report() const noexcept { return report_; }

private:
    open_report report_;
    std::runtime_error text_; // holds what(); unlike a std::string, its copy constructor does not throw
};

/// Returns a pointer to a new `connection_error`. Used by the token `throwing`.
inline std::exception_ptr make_exception(error_code ec, open_report report)
{
    return std::make_exception_ptr(connection_error(ec, std::move(report)));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/connection_error.ipp>
#endif

#endif

#ifndef LINKSPAN_CONNECTOR_CONNECTION_ERROR_HPP
#define LINKSPAN_CONNECTOR_CONNECTION_ERROR_HPP

#include <linkspan/connector/connector_state.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <string>
#include <utility>

namespace linkspan {

/// What people want to read about an opening: a line for each server that failed, with the step that it came to, how
/// long that took, the error, and what the server said.
LINKSPAN_DECL std::string explain(open_report const& report);

/// An opening that failed, as an exception with a record for each server; thrown by `co_await` with the token
/// `throwing`.
class connection_error : public boost::system::system_error {
public:
    connection_error(error_code ec, open_report report) : system_error(ec, explain(report)), report_(std::move(report))
    {}

    open_report const& report() const noexcept { return report_; }

private:
    open_report report_;
};

inline std::exception_ptr make_exception(error_code ec, open_report report)
{
    return std::make_exception_ptr(connection_error(ec, std::move(report)));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/connection_error.ipp>
#endif

#endif

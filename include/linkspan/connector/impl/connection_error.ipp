#ifndef LINKSPAN_CONNECTOR_IMPL_CONNECTION_ERROR_IPP
#define LINKSPAN_CONNECTOR_IMPL_CONNECTION_ERROR_IPP

#include <linkspan/connector/connection_error.hpp>

#include <chrono>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string explain(open_report const& report)
{
    std::string out;
    for (auto const& line : report.servers) {
        if (!line.ec)
            continue;
        auto const elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(line.elapsed).count();
        ((out += out.empty() ? "" : "\n") += line.server) += ": ";
        ((out += to_string(line.phase)) += " failed after ") += std::to_string(elapsed);
        (out += " ms: ") += line.ec.message();
        if (!line.detail.empty() && line.detail != line.ec.message())
            (out += ": ") += line.detail;
    }
    return out;
}

LINKSPAN_DECL connection_error::connection_error(error_code ec, open_report report)
    : system_error(ec),
      report_(std::move(report)),
      text_(ec.message() + " [" + ec.to_string() + "]\n" + explain(report_))
{}

} // namespace linkspan

#endif

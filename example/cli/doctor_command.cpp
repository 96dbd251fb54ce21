#include <linkspan/config/diagnose.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/io_context.hpp>

#include <optional>
#include <stdexcept>

#include "../web.hpp"
#include "client_files.hpp"
#include "commands.hpp"
#include "doctor.hpp"
#include "failure.hpp"
#include "interruption.hpp"
#include "servers.hpp"

namespace cli {
namespace {

// Returns the server on the command line. Empty: the operand is invalid, which `async_diagnose` reports.
std::optional<linkspan::server_config> given_server(command const& what)
{
    if (what.operands.empty())
        return read_servers(what).config.servers.front();
    try {
        auto out = linkspan::server_config::from_string(what.operands.front());
        add_server_options(what, out);
        return out;
    } catch (std::invalid_argument const&) {
        return std::nullopt;
    }
}

} // namespace

finished diagnose_one_server(command const& what)
{
    using list = linkspan::transports<linkspan::stdio, web_transport>;
    linkspan::diagnose_options with;
    if (what.timeout)
        with.timeout = *what.timeout;
    with.variables.workspace_folder = current_folder();
    boost::asio::io_context context(1);
    linkspan::diagnosis report;
    interruption stop(context.get_executor());
    auto on_checked =
        boost::asio::bind_cancellation_slot(stop.slot(), [&](linkspan::error_code, linkspan::diagnosis how) {
            report = std::move(how);
            stop.stop();
        });
    auto const given = what.has_own_server() ? what.address : what.operands.front();
    auto const server = given_server(what);
    if (server)
        linkspan::async_diagnose<list>(context.get_executor(), *server, with, on_checked);
    else
        linkspan::async_diagnose<list>(context.get_executor(), given, with, on_checked);
    context.run();
    if (stop.status() != ok)
        return failure(stop.status(), "interrupted", what.json);
    int const status = report.success                                         ? ok
                       : report.code == linkspan::diagnosis_code::invalid_url ? wrong_usage
                                                                              : not_connected;
    return {status, doctor::text(report, server ? &*server : nullptr, what.json)};
}

} // namespace cli

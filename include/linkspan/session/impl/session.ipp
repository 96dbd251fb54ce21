#ifndef LINKSPAN_SESSION_IMPL_SESSION_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_IPP

#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/session/session.hpp>
#include <linkspan/session/session_core.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Without a request in flight, all requests would be queued until their timeouts.
inline session_options checked(session_options options)
{
    if (options.max_in_flight == 0)
        throw std::invalid_argument("linkspan: the max_in_flight of a session is 0, expected at least 1");
    if (auto const problem = options.extensions.empty() ? std::string() : problem_of_arguments(options.extensions);
        !problem.empty())
        throw std::invalid_argument("linkspan: the extensions of a session are not a JSON object: " + problem);
    return options;
}

} // namespace detail

LINKSPAN_DECL session::session(executor_type executor, transport_factory transport, session_options options)
    : core_(std::make_shared<detail::session_core>(std::move(executor), std::move(transport),
                                                   detail::checked(std::move(options))))
{}

LINKSPAN_DECL asio::any_io_executor session::get_executor() const noexcept { return core_->executor(); }

LINKSPAN_DECL session_state session::state() const noexcept { return core_->state(); }

LINKSPAN_DECL std::optional<linkspan::protocol_version> session::protocol_version() const noexcept
{
    return core_->version();
}

LINKSPAN_DECL server_description const& session::server() const noexcept { return core_->server(); }

LINKSPAN_DECL session_counters const& session::counters() const noexcept { return core_->counters(); }

LINKSPAN_DECL std::size_t session::in_flight() const noexcept { return core_->in_flight(); }

LINKSPAN_DECL std::string const& session::diagnostics() const noexcept { return core_->diagnostics(); }

LINKSPAN_DECL std::string const& session::challenge() const noexcept { return core_->challenge(); }

LINKSPAN_DECL void session::close() noexcept
{
    if (core_)
        core_->close();
}

LINKSPAN_DECL void session::on_request(std::string method,
                                       std::function<void(std::string_view params, responder)> handler)
{
    core_->handle(std::move(method), "{}", std::move(handler));
}

LINKSPAN_DECL void session::on_notification(std::string method, std::function<void(std::string_view params)> handler)
{
    core_->handle_notification(std::move(method), std::move(handler));
}

} // namespace linkspan

#endif

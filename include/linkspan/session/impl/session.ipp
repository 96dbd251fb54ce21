#ifndef LINKSPAN_SESSION_IMPL_SESSION_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_IPP

#include <linkspan/session/session.hpp>
#include <linkspan/session/session_core.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline session_options checked(session_options options)
{
    check(options, "a session");
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

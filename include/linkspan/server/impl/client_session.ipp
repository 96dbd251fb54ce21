#ifndef LINKSPAN_SERVER_IMPL_CLIENT_SESSION_IPP
#define LINKSPAN_SERVER_IMPL_CLIENT_SESSION_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/server/client_session.hpp>
#include <linkspan/server/detail/input_check.hpp>
#include <linkspan/server/detail/json_object_check.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <boost/asio/error.hpp>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns the connection of a session; null: there is no session.
inline std::shared_ptr<served_client> open_client(session_handle const& session) noexcept
{
    auto client = session.client.lock();
    return client && client->is_in_session() ? client : nullptr;
}

LINKSPAN_DECL client_info info_of(session_handle const& session)
{
    auto const client = open_client(session);
    return client ? client->info() : client_info();
}

LINKSPAN_DECL protocol_version version_of(session_handle const& session) noexcept
{
    auto const client = open_client(session);
    return client ? client->version() : protocol_version::v2026_07_28;
}

LINKSPAN_DECL void request_of_client(session_handle const& session, client_request wanted,
                                     std::optional<duration> timeout)
{
    auto const client = open_client(session);
    auto ec = client ? error_code(error::unsupported_input_request) : error_code(asio::error::not_connected);
    if (client && wanted.is_declared) {
        auto& server = client->server();
        auto const defect = prepare_request(wanted, server.options().validate_input);
        if (defect.empty())
            return client->ask(std::move(wanted), timeout);
        server.report_defect({.method = wanted.method, .what = defect});
        ec = asio::error::invalid_argument;
    }
    post_handler(session.executor, [done = std::move(wanted.done), ec] { done(ec, {}); });
}

LINKSPAN_DECL void start_session_request(session_handle const& session, std::string method, std::string params,
                                         duration timeout, pending_handler<void(error_code, std::string)> done)
{
    using handler = pending_handler<void(error_code, std::string)>;
    client_request wanted{std::move(method), std::move(params), {}, true, {}, {}};
    wanted.done = [shared = std::make_shared<handler>(std::move(done))](error_code ec, std::string_view result) {
        shared->complete(ec, std::string(result));
    };
    request_of_client(session, std::move(wanted), timeout);
}

LINKSPAN_DECL void start_ping(session_handle const& session, duration timeout, pending_handler<void(error_code)> done)
{
    client_request wanted{"ping", "{}", {}, true, {}, {}};
    wanted.done = [shared = std::make_shared<pending_handler<void(error_code)>>(std::move(done))](
                      error_code ec, std::string_view) { shared->complete(ec); };
    request_of_client(session, std::move(wanted), timeout);
}

} // namespace detail

LINKSPAN_DECL bool client_session::is_open() const noexcept { return detail::open_client(session_) != nullptr; }

LINKSPAN_DECL void client_session::notify(std::string_view method, raw_json params) const
{
    auto const client = detail::open_client(session_);
    if (!client)
        return;
    if (!params.text().empty() && !detail::is_json_object(params.text()))
        return client->server().report_defect(
            {.method = method, .what = "the params of a notification are not a JSON object"});
    client->notify(method, params.text(), 0);
}

LINKSPAN_DECL void client_session::log(log_level level, raw_json data, std::string_view logger) const
{
    auto const client = detail::open_client(session_);
    if (!client || level < client->min_level())
        return;
    if (!json_scan::is_value(data.text()))
        return client->server().report_defect(
            {.method = "notifications/message", .what = "the data of a log message is not JSON"});
    client->notify("notifications/message", detail::served_client::params_of_log(level, data.text(), logger), 0);
}

LINKSPAN_DECL void client_session::complete_elicitation(std::string_view elicitation_id) const
{
    if (!has_member(detail::version_of(session_), wire_member::elicitation_id))
        return;
    std::string params = R"({"elicitationId":)";
    append_quoted(params, elicitation_id);
    notify("notifications/elicitation/complete", raw_json(params += '}'));
}

} // namespace linkspan

#endif

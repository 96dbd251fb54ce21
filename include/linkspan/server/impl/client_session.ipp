#ifndef LINKSPAN_SERVER_IMPL_CLIENT_SESSION_IPP
#define LINKSPAN_SERVER_IMPL_CLIENT_SESSION_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/entry_list.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/protocol/client/pagination.hpp>
#include <linkspan/server/client_session.hpp>
#include <linkspan/server/detail/input_check.hpp>
#include <linkspan/server/detail/json_object_check.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

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

// Requests the pages of `tasks/list` of a client one after the other. The outstanding request owns the object.
class task_list_request : public std::enable_shared_from_this<task_list_request> {
public:
    using handler = pending_handler<void(error_code, task_list)>;

    task_list_request(session_handle session, duration timeout, handler done)
        : session_(std::move(session)), timeout_(timeout), done_(std::move(done))
    {}

    void request_page(std::string params)
    {
        client_request wanted{"tasks/list", std::move(params), {}, is_declared(), {}, {}};
        wanted.done = [self = shared_from_this()](error_code ec, std::string_view page) { self->on_done(ec, page); };
        request_of_client(session_, std::move(wanted), timeout_);
    }

private:
    static constexpr std::size_t max_tasks = 10'000;

    bool is_declared() const
    {
        auto const tasks = info_of(session_).declared().tasks;
        return tasks && tasks->list && has_member(version_of(session_), wire_member::task_support);
    }

    void on_done(error_code ec, std::string_view page)
    {
        try {
            if (!ec && read(ec, page))
                return;
        } catch (std::bad_alloc const&) {
            ec = make_error_code(boost::system::errc::not_enough_memory);
        }
        done_.complete(ec, ec ? task_list() : std::move(list_));
    }

    // Returns whether the next page was requested.
    bool read(error_code& ec, std::string_view page)
    {
        ec = append_page(list_, page);
        if (!ec && list_.entries.size() > max_tasks)
            ec = error::list_too_long;
        if (ec)
            return false;
        auto const next = pages_.on_page(page);
        ec = next.ec;
        if (next.what != pagination::action::kind::next_page)
            return false;
        request_page(R"({"cursor":)" + std::string(next.cursor) + '}');
        return true;
    }

    session_handle session_; // this, the next and `done_`: set by the constructor
    duration timeout_;
    handler done_;
    task_list list_;   // extended by each page
    pagination pages_; // cursors of all pages so far
};

LINKSPAN_DECL void start_task_list(session_handle const& session, duration timeout,
                                   pending_handler<void(error_code, task_list)> done)
{
    std::make_shared<task_list_request>(session, timeout, std::move(done))->request_page("{}");
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

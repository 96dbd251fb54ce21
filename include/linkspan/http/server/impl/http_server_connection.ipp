#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVER_CONNECTION_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVER_CONNECTION_IPP

#include <linkspan/http/server/detail/http_server_core.hpp>
#include <linkspan/http/server/http_server_connection.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::shared_ptr<detail::http_server_core> http_exchange::current() const noexcept
{
    auto core = core_.lock();
    return core && core->is_current(number_) ? core : nullptr;
}

LINKSPAN_DECL void http_exchange::add_fields(fields_type const& fields)
{
    if (auto const core = current())
        core->add_fields(fields);
}

LINKSPAN_DECL detail::http_remote* http_exchange::remote() const noexcept
{
    auto const core = current();
    return core ? &core->remote() : nullptr;
}

LINKSPAN_DECL std::shared_ptr<void> http_exchange::body_share() const noexcept
{
    auto const core = current();
    return core ? core->body_share() : nullptr;
}

LINKSPAN_DECL bool http_exchange::is_over() const noexcept { return !current(); }

LINKSPAN_DECL bool http_exchange::has_begun() const noexcept
{
    auto const core = current();
    return core && core->has_begun();
}

LINKSPAN_DECL std::size_t http_exchange::unwritten_bytes() const noexcept
{
    auto const core = current();
    return core ? core->unwritten_bytes() : 0;
}

LINKSPAN_DECL void http_exchange::send_interim(int status, fields_type const& fields)
{
    if (auto const core = current())
        core->send_interim(status, fields);
}

LINKSPAN_DECL void http_exchange::respond(int status, fields_type const& fields, std::string_view body)
{
    if (auto const core = current())
        core->respond(status, fields, body);
}

LINKSPAN_DECL void http_exchange::begin_stream(fields_type const& fields)
{
    if (auto const core = current())
        core->begin_stream(fields);
}

LINKSPAN_DECL void http_exchange::event(http_server_event const& content)
{
    if (auto const core = current())
        core->event(content);
}

LINKSPAN_DECL void http_exchange::comment(std::string_view text)
{
    if (auto const core = current())
        core->comment(text);
}

LINKSPAN_DECL void http_exchange::text(std::string_view bytes)
{
    if (auto const core = current())
        core->text(bytes);
}

LINKSPAN_DECL void http_exchange::end()
{
    if (auto const core = current())
        core->end();
}

LINKSPAN_DECL void http_exchange::raw(std::string_view bytes)
{
    if (auto const core = current())
        core->raw(bytes);
}

LINKSPAN_DECL void http_exchange::cut() noexcept
{
    if (auto const core = current())
        core->cut();
}

LINKSPAN_DECL void http_exchange::fail() noexcept
{
    if (auto const core = current())
        core->fail();
}

LINKSPAN_DECL void http_exchange::on_disconnect(std::function<void()> callback)
{
    if (auto const core = current())
        core->on_disconnect(std::move(callback));
}

LINKSPAN_DECL
http_server_connection::http_server_connection(asio::any_io_executor executor, std::unique_ptr<byte_stream> stream,
                                               http_request_handler& handler, http_server_limits const& limits,
                                               std::function<void()> on_end, std::string address,
                                               std::shared_ptr<detail::connection_group> group)
    : core_(std::make_shared<detail::http_server_core>(std::move(executor), std::move(stream), handler, limits,
                                                       std::move(on_end), std::move(address), std::move(group)))
{
    core_->begin();
}

LINKSPAN_DECL http_server_connection::~http_server_connection() { close(); }

LINKSPAN_DECL void http_server_connection::stop() { core_->stop(); }

LINKSPAN_DECL void http_server_connection::disconnect() { core_->disconnect(); }

LINKSPAN_DECL void http_server_connection::close() noexcept { core_->abandon(); }

} // namespace linkspan

#endif

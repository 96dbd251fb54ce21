#ifndef LINKSPAN_SERVER_IMPL_HTTP_BACKEND_IPP
#define LINKSPAN_SERVER_IMPL_HTTP_BACKEND_IPP

#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/server/http_backend.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL http_backend::http_backend(server& mcp_server) : server_(mcp_server.core_) {}

LINKSPAN_DECL std::vector<protocol_version> const& http_backend::protocol_versions() const
{
    return server_->options().protocol_versions;
}

LINKSPAN_DECL mirrored_arguments const* http_backend::mirrored(std::string_view tool)
{
    return server_->mirrored(tool);
}

LINKSPAN_DECL bool http_backend::on_client(http_client client)
{
    auto const served = server_->serve(std::move(client.transport), std::move(client.principal),
                                       std::move(client.account), client.version, {}, client.method);
    if (served)
        served->set_stream_functions({std::move(client.end_exchange), std::move(client.unread_bytes)});
    return served != nullptr;
}

LINKSPAN_DECL bool http_backend::reuses_clients() const noexcept { return !server_->is_stopping(); }

LINKSPAN_DECL bool http_backend::intercept(http_server_request const&, http_exchange) { return false; }

LINKSPAN_DECL void http_backend::on_authentication_defect(std::string_view description)
{
    auto const server = server_; // a function of the user may destroy this object
    server->report_defect({.method = {}, .name = {}, .request_id = {}, .what = description});
}

} // namespace linkspan

#endif

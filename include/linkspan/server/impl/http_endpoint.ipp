#ifndef LINKSPAN_SERVER_IMPL_HTTP_ENDPOINT_IPP
#define LINKSPAN_SERVER_IMPL_HTTP_ENDPOINT_IPP

#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/server/http_endpoint.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL http_endpoint::http_endpoint(server& what, http_endpoint_options options)
    : server_(what.core_), service_(server_->get_executor(), *this, service_options(std::move(options)))
{}

LINKSPAN_DECL http_endpoint::~http_endpoint() = default;

LINKSPAN_DECL http_service_options http_endpoint::service_options(http_endpoint_options&& from)
{
    http_service_options out;
    out.path = std::move(from.path);
    out.sse_path = std::move(from.sse_path);
    out.serves_both = true;
    out.response_form = from.response_form;
    out.resumable = from.resumable;
    out.ends_after_first_event = from.polling;
    out.retry = from.retry;
    out.origins = std::move(from.origins);
    out.cors_origins = std::move(from.cors_origins);
    out.hosts = std::move(from.hosts);
    out.address = std::move(from.address);
    out.port = from.port;
    out.unix_socket = std::move(from.unix_socket);
    out.tls = std::move(from.tls);
    out.limits = from.limits;
    out.max_connections = from.max_connections;
    out.client_limits.max_connections_per_address = from.max_connections_per_address;
    out.client_limits.max_requests_per_principal = from.max_requests_per_principal;
    out.session_limits = from.session_limits;
    out.authenticate = std::move(from.authenticate);
    out.client_limits.authentication_timeout = from.authentication_timeout;
    out.protected_resource = std::move(from.protected_resource);
    return out;
}

LINKSPAN_DECL std::vector<protocol_version> const& http_endpoint::protocol_versions() const
{
    return server_->options().protocol_versions;
}

LINKSPAN_DECL mirrored_arguments const* http_endpoint::mirrored(std::string_view tool)
{
    return server_->mirrored(tool);
}

LINKSPAN_DECL bool http_endpoint::on_client(http_client client)
{
    auto const served = server_->serve(std::move(client.transport), std::move(client.principal), client.version, {});
    if (served)
        served->set_stream_functions({std::move(client.end_exchange), std::move(client.unread_bytes)});
    return served != nullptr;
}

// A server that stops refuses new clients with 503, and therefore also the next request of an earlier one.
LINKSPAN_DECL bool http_endpoint::reuses_clients() const noexcept { return !server_->is_stopping(); }

LINKSPAN_DECL bool http_endpoint::intercept(http_server_request const&, http_exchange) { return false; }

LINKSPAN_DECL void http_endpoint::on_authentication_defect(std::string_view what)
{
    server_->report_defect({.method = {}, .name = {}, .request_id = {}, .what = what});
}

} // namespace linkspan

#endif

#ifndef LINKSPAN_SERVER_IMPL_HTTP_ENDPOINT_IPP
#define LINKSPAN_SERVER_IMPL_HTTP_ENDPOINT_IPP

#include <linkspan/server/http_endpoint.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL http_endpoint::http_endpoint(server& mcp_server, http_endpoint_options options)
    : backend_(mcp_server), service_(mcp_server.get_executor(), backend_, service_options(std::move(options)))
{}

LINKSPAN_DECL http_endpoint::~http_endpoint() = default;

LINKSPAN_DECL http_service_options http_endpoint::service_options(http_endpoint_options&& from)
{
    http_service_options out;
    out.path = std::move(from.path);
    out.sse_path = std::move(from.sse_path);
    out.serves_both = true;
    out.response_form = from.response_form;
    out.get_stream = from.get_stream;
    out.delete_session = from.delete_session;
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

} // namespace linkspan

#endif

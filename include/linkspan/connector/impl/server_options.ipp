#ifndef LINKSPAN_CONNECTOR_IMPL_SERVER_OPTIONS_IPP
#define LINKSPAN_CONNECTOR_IMPL_SERVER_OPTIONS_IPP

#include <linkspan/connector/server_options.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL server_options::server_options() = default;
LINKSPAN_DECL server_options::server_options(server_options const&) = default;
LINKSPAN_DECL server_options::server_options(server_options&&) noexcept = default;
LINKSPAN_DECL server_options& server_options::operator=(server_options const&) = default;
LINKSPAN_DECL server_options& server_options::operator=(server_options&&) = default;
LINKSPAN_DECL server_options::~server_options() = default;

} // namespace linkspan

#endif

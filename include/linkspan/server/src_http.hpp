#ifndef LINKSPAN_SERVER_SRC_HTTP_HPP
#define LINKSPAN_SERVER_SRC_HTTP_HPP

// Includes the function bodies of the carrier for HTTP of the module `server`. Include
// <linkspan/src_http_server.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/server/src_http.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/server/impl/http_backend.ipp>
#include <linkspan/server/impl/http_endpoint.ipp>

#endif

#ifndef LINKSPAN_HTTP_SERVER_SRC_HPP
#define LINKSPAN_HTTP_SERVER_SRC_HPP

// Function definitions of the module `http/server` for separate compilation. Programs include
// <linkspan/src_http_server.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/http/server/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/http/server/impl/accepting_socket.ipp>
#include <linkspan/http/server/impl/http_listener.ipp>
#include <linkspan/http/server/impl/http_peer.events.ipp>
#include <linkspan/http/server/impl/http_peer.ipp>
#include <linkspan/http/server/impl/http_request_reader.ipp>
#include <linkspan/http/server/impl/http_response_text.ipp>
#include <linkspan/http/server/impl/http_server_connection.ipp>
#include <linkspan/http/server/impl/http_server_core.ipp>
#include <linkspan/http/server/impl/http_service.authentication.ipp>
#include <linkspan/http/server/impl/http_service.ipp>
#include <linkspan/http/server/impl/http_service.requests.ipp>
#include <linkspan/http/server/impl/http_serving.ipp>

#endif

#ifndef LINKSPAN_HTTP_SRC_HPP
#define LINKSPAN_HTTP_SRC_HPP

// Function definitions of the module `http`, without TLS, for separate compilation. Programs include
// <linkspan/src_http.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/http/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/http/client/impl/auto_http.ipp>
#include <linkspan/http/client/impl/client_connection.ipp>
#include <linkspan/http/client/impl/http_client.ipp>
#include <linkspan/http/client/impl/http_connection.ipp>
#include <linkspan/http/client/impl/http_core.ipp>
#include <linkspan/http/client/impl/http_core.receiving.ipp>
#include <linkspan/http/client/impl/http_core.responses.ipp>
#include <linkspan/http/client/impl/http_reply.ipp>
#include <linkspan/http/client/impl/http_sse.ipp>
#include <linkspan/http/client/impl/inbound_queue.ipp>
#include <linkspan/http/client/impl/request_repetition.ipp>
#include <linkspan/http/client/impl/response_parser.ipp>
#include <linkspan/http/client/impl/server_stream.ipp>
#include <linkspan/http/client/impl/stream_resumption.ipp>
#include <linkspan/http/client/impl/streamable_http.ipp>
#include <linkspan/http/client/impl/token_source.ipp>
#include <linkspan/http/client/impl/transport_exchange.ipp>
#include <linkspan/http/impl/http_config.ipp>
#include <linkspan/http/impl/http_dialers.ipp>
#include <linkspan/http/impl/http_head.ipp>
#include <linkspan/http/impl/http_headers.ipp>
#include <linkspan/http/impl/http_url.ipp>
#include <linkspan/http/impl/proxy_dialer.ipp>
#include <linkspan/http/impl/public_address.ipp>
#include <linkspan/http/impl/sse.ipp>

#endif

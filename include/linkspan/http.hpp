#ifndef LINKSPAN_HTTP_HPP
#define LINKSPAN_HTTP_HPP

// Public interface of the module "http": the transports over HTTP. TLS is in <linkspan/http/tls/tls.hpp>.

#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>

#endif

#ifndef LINKSPAN_HTTP_HPP
#define LINKSPAN_HTTP_HPP

// The transports over HTTP.

#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/client/legacy_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>

#endif

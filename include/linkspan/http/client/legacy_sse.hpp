#ifndef LINKSPAN_HTTP_CLIENT_LEGACY_SSE_HPP
#define LINKSPAN_HTTP_CLIENT_LEGACY_SSE_HPP

#include <linkspan/http/client/http_transport.hpp>

namespace linkspan {

/// Talks to an older server, which has a stream of events one way and takes POST the other. It is told where to post by
/// the first event; to another origin than its own it cannot send us. To lose the stream is to lose the session.
///
/// Specification: 2024-11-05, basic/transports, "HTTP with SSE".
using legacy_sse = http_transport<http_framing::sse>;

static_assert(Transport<legacy_sse>);

} // namespace linkspan

#endif

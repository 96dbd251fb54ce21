#ifndef LINKSPAN_TEST_HTTP_SERVER_OPTIONS_HPP
#define LINKSPAN_TEST_HTTP_SERVER_OPTIONS_HPP

#include <linkspan/http/server/http_server_connection.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Options of an `http_server`: the behaviour that the protocol leaves to the server.
///
/// The members apply to Streamable HTTP. If `sse_path` is set, the server supports HTTP+SSE instead.
struct http_server_options {
    /// Form of the response to a POST.
    enum class form {
        json,  ///< one JSON body; a stream if the server sends another message before the response
        stream ///< always a stream of server-sent events
    };

    /// Path of the endpoint. Default: "/mcp".
    std::string path = "/mcp";

    /// Path of the event stream, for example "/sse". Not empty: the server serves the HTTP+SSE transport of 2024-11-05
    /// and nothing else. Default: empty.
    std::string sse_path;

    /// Form of responses. Default: `form::json`.
    form response_form = form::json;

    /// Whether a handshake begins a session with an `Mcp-Session-Id`. Default: true.
    bool sessions = true;

    /// Whether a GET opens a stream for messages that are not related to a request; otherwise its status is 405.
    /// Default: true.
    bool get_stream = true;

    /// Whether a DELETE ends a session; otherwise its status is 405. Default: true.
    bool delete_session = true;

    /// Whether requests of the server are sent on the stream of the GET instead of the stream of the call. Default:
    /// false.
    bool requests_on_get = false;

    /// Whether events have ids and streams begin with an event without data, so that a GET with `Last-Event-ID` can
    /// resume them. Applies to protocol versions with a handshake. Default: false.
    bool resumable = false;

    /// Whether the server ends the stream of a POST after its first event; the client receives the response by resuming
    /// the stream with a GET. Applies to resumable streams. Default: false.
    bool ends_after_first_event = false;

    /// Value of `retry` in the first event of a resumable stream. Default: empty, the event has no `retry`.
    std::optional<std::chrono::milliseconds> retry{};

    /// Permitted values of `Origin`, in addition to the origins of `hosts` with the port of this server. A request with
    /// another value is refused with 403; requests without `Origin` are permitted. Default: empty.
    std::vector<std::string> origins{};

    /// Permitted values of `Host`, without a port. A request with another value is refused with 403. Default: empty,
    /// any value is permitted.
    std::vector<std::string> hosts{};

    /// Port on 127.0.0.1. Default: 0, a free port that the system chooses.
    std::uint16_t port = 0;

    /// Limits of connections. Default: those of `http_server_limits`, without comments on silent streams.
    http_server_limits limits{.comment_every = duration::zero()};
};

} // namespace linkspan::test

#endif

#ifndef LINKSPAN_SESSION_SESSION_OPTIONS_HPP
#define LINKSPAN_SESSION_SESSION_OPTIONS_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/core/version.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/client/pagination.hpp>
#include <linkspan/protocol/compose.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace linkspan {

/// The limits and habits of a session. The defaults are those that `doc/limits.md` lists.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct session_options {
    session_options() {}

    /// What the server is told about us. Capabilities follow from the handlers that are set.
    std::string client_name = "linkspan";
    std::string client_version = std::string(version);

    std::optional<era> remembered; ///< the verdict of an earlier session; `handshake` skips the probe
    duration startup_timeout = std::chrono::seconds(30);   ///< from the start of the server to the end of negotiation
    duration probe_timeout = std::chrono::seconds(10);     ///< from the start of the server to the answer to the probe
    duration idle_timeout = std::chrono::seconds(30);      ///< of a request; progress starts it again
    duration attempt_timeout = std::chrono::seconds(300);  ///< of a request, whatever its progress
    std::size_t max_in_flight = 256;                       ///< requests that are sent and not answered
    std::size_t max_queued = 1024;                         ///< requests that wait to be sent
    std::size_t max_pages = pagination::default_max_pages; ///< of a list
    std::size_t max_tools = 10'000;                        ///< of a list
    unsigned max_input_rounds = 10;                        ///< times that a server may ask back about one request
    bool strict = false;                                   ///< a line that is no message ends the connection

    /// Over HTTP: any error on the probe but -32022 makes the session fall back to the handshake, as the SDK for
    /// TypeScript does. The specification takes -32020 and -32021 for signs of a modern server: then the opening fails.
    bool any_error_is_legacy = false;
};

} // namespace linkspan

#endif

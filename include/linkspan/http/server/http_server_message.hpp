#ifndef LINKSPAN_HTTP_SERVER_HTTP_SERVER_MESSAGE_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_SERVER_MESSAGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/http_head.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Header field of a response.
struct http_server_field {
    std::string name;  ///< name of the field
    std::string value; ///< value of the field, without line ends
};

/// Complete HTTP request that a server has received.
struct http_server_request {
    http_head head;   ///< request line and header fields
    std::string body; ///< body without the framing of chunks; may be empty

    /// Returns the method of the request line, for example "POST".
    std::string_view method() const noexcept { return head.method(); }
    /// Returns the target of the request line, for example "/mcp".
    std::string_view target() const noexcept { return head.target(); }
    /// Returns the value of the first field with a name, ignoring case; empty if there is none.
    std::string_view header(std::string_view name) const noexcept { return head[name]; }
};

/// One event that a server sends on a stream of server-sent events. Empty members are not written. An event with an id
/// and without data announces the id after which the client may resume.
///
/// \par Specification
/// HTML, "Server-sent events".
struct http_server_event {
    std::string_view data{};                          ///< data of the event; each line becomes one field `data`
    std::string_view id{};                            ///< field `id`; empty: not written
    std::string_view type{};                          ///< field `event`; empty: not written, and the type is "message"
    std::optional<std::chrono::milliseconds> retry{}; ///< field `retry`: pause before the client reconnects
    bool writes_empty_data = false;                   ///< true: an empty field `data` is written if `data` is empty
};

} // namespace linkspan

#endif

#ifndef LINKSPAN_HTTP_HTTP_URL_HPP
#define LINKSPAN_HTTP_HTTP_URL_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan {

/// The address of an HTTP server and of a resource there, taken apart and in order.
struct http_url {
    bool is_secure = false; ///< https
    std::string host;       ///< a name, or an address without brackets; lower case
    std::uint16_t port = 0; ///< 1 to 65535
    std::string target;     ///< path and query, escaped; "/" at least

    bool operator==(http_url const&) const = default;

    /// The same scheme, host and port: what is meant for one may be sent to the other.
    bool has_origin_of(http_url const& other) const noexcept
    {
        return is_secure == other.is_secure && host == other.host && port == other.port;
    }

    /// What stands in the header `Host`: the port only where it is not the usual one.
    LINKSPAN_DECL std::string authority() const;

    /// The whole.
    LINKSPAN_DECL std::string text() const;
};

/// Reads an absolute address, "http://localhost:8080/mcp". A fragment is dropped. Nothing when it is none, has another
/// scheme, no host, a port that is not within 1 to 65535, or a user's name or password, which would end up in logs;
/// then `why` says what was expected.
///
/// Specification: RFC 3986; RFC 9110, section 4.
LINKSPAN_DECL std::optional<http_url> read_http_url(std::string_view text, std::string* why = nullptr);

/// Reads an address that may be relative to `base`, as of a redirect.
LINKSPAN_DECL std::optional<http_url> resolve_http_url(http_url const& base, std::string_view reference,
                                                       std::string* why = nullptr);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/http_url.ipp>
#endif

#endif

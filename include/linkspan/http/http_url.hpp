#ifndef LINKSPAN_HTTP_HTTP_URL_HPP
#define LINKSPAN_HTTP_HTTP_URL_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Absolute http or https URL, in parsed and normalized form.
struct http_url {
    bool is_secure = false; ///< true: https; false: http
    std::string host;       ///< DNS name, or IP address without brackets; lower case, not empty
    std::uint16_t port = 0; ///< 1 to 65535; the default of the scheme if the URL has none
    std::string target;     ///< path and query, percent-encoded as in the URL; begins with "/"

    bool operator==(http_url const&) const = default;

    /// Returns true if both URLs have the same origin: scheme, host and port. Credentials may be sent to the same
    /// origin only.
    bool has_origin_of(http_url const& other) const noexcept
    {
        return is_secure == other.is_secure && host == other.host && port == other.port;
    }

    /// Returns the value of the header Host: host and port, without the default port of the scheme. An IPv6 address has
    /// brackets.
    LINKSPAN_DECL std::string authority() const;

    /// Returns the complete URL.
    LINKSPAN_DECL std::string text() const;
};

/// Parses an absolute URL, for example "http://localhost:8080/mcp". A fragment is dropped.
///
/// \param text The URL.
/// \param reason Set to a human-readable reason if the URL is rejected; may be null.
/// \returns The URL; empty if the text is not a URL, or if the URL has another scheme than http and https, no host, a
/// port outside 1 to 65535, or a user name or password, which would appear in logs.
/// \par Specification
/// RFC 3986; RFC 9110, section 4.
LINKSPAN_DECL std::optional<http_url> read_http_url(std::string_view text, std::string* reason = nullptr);

/// Parses a URL that may be relative to `base`, for example the Location of a redirect.
///
/// \param base URL of the resource that contains the reference.
/// \param reference Absolute or relative URL.
/// \param reason Set to a human-readable reason if the URL is rejected; may be null.
/// \returns The absolute URL; empty for the same reasons as `read_http_url`.
LINKSPAN_DECL std::optional<http_url> resolve_http_url(http_url const& base, std::string_view reference,
                                                       std::string* reason = nullptr);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/http_url.ipp>
#endif

#endif

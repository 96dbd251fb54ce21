#ifndef LINKSPAN_AUTH_HTTP_AUTH_HPP
#define LINKSPAN_AUTH_HTTP_AUTH_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI {

/// Fixed bearer token. Each request has the header `Authorization: Bearer <value>`.
///
/// \par Specification
/// RFC 6750, section 2.1.
struct bearer_token {
    std::string value; ///< the token, without "Bearer "; must not contain control characters
};

/// Fixed key. Each request has the header `<header>: <value>`.
struct api_key {
    std::string value;                ///< the key; must not contain control characters
    std::string header = "X-API-Key"; ///< name of the header; must not be a header that the transport sets itself
};

/// Token that a `token_provider` returns.
struct access_token {
    std::string value;                  ///< the bearer token, without "Bearer "; must not contain control characters
    std::optional<duration> expires_in; ///< time for which the token is valid; empty: until the server refuses it
};

/// Argument of `token_provider::fetch`.
struct token_request {
    std::string url; ///< URL of the server

    /// `WWW-Authenticate` header of the 401 response that refused the last token; "Bearer" if that response had none.
    /// Empty: no token was refused. Valid until `fetch` returns.
    std::string_view challenge;
};

/// Source of bearer tokens that change over time.
///
/// The transport calls `fetch` before a request if there is no valid token, and, at most once per request, when the
/// server refuses the request with status 401. Requests wait for the token for at most `http_config::token_timeout`,
/// and then fail with `attempt_timed_out`. Concurrent requests share one call of `fetch`.
///
///     linkspan::http_config config{.url = "https://search.example/mcp"};
///     config.auth = linkspan::token_provider{[](linkspan::token_request const&, auto done) {
///         done({}, {.value = read_token(), .expires_in = std::chrono::minutes(10)});
///     }};
struct token_provider {
    /// Function of the program that requests a token; not empty. The function calls its second argument exactly once,
    /// immediately or later, on the executor of the connection. An error becomes the error of the waiting requests. If
    /// `fetch` throws, these requests fail with `asio::error::access_denied`; if the token contains control characters,
    /// with `asio::error::invalid_argument`.
    std::function<void(token_request const&, std::function<void(error_code, access_token)>)> fetch;
};

/// Credentials for a server over HTTP. `std::monostate`: none.
///
/// The values are sent only to the origin of the configured URL, and are redacted in errors and logs.
using http_auth = std::variant<std::monostate, bearer_token, api_key, token_provider>;

} // namespace linkspan

#endif

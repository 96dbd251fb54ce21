#ifndef LINKSPAN_AUTH_HTTP_AUTH_HPP
#define LINKSPAN_AUTH_HTTP_AUTH_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace linkspan {

/// `Authorization: Bearer ...` with each request.
struct bearer_token {
    std::string value;
};

/// A header of one's own with each request.
struct api_key {
    std::string value;
    std::string header = "X-API-Key";
};

/// A token, as a `token_provider` gives it.
struct access_token {
    std::string value;
    std::optional<duration> good_for; ///< from now on; nothing: until the server refuses it
};

/// Why a token is asked for.
struct token_request {
    std::string url;            ///< of the server
    std::string_view challenge; ///< `WWW-Authenticate` of the 401 that refused the last one; empty: there was none.
                                ///< Valid until `ask` returns
};

/// Asks for tokens: before the first request, when one has expired, and once for a request that the server refuses with
/// 401. It answers at once or later, and exactly once, on the executor of the connection; an error is that of the
/// requests that wait for it, and so is `asio::error::access_denied` when it throws. They wait for
/// `http_config::token_timeout` at most.
struct token_provider {
    std::function<void(token_request const&, std::function<void(error_code, access_token)>)> ask;
};

/// How we prove who we are. Values are sent to the origin of the configured address and nowhere else, and never appear
/// in an error or a log.
using http_auth = std::variant<std::monostate, bearer_token, api_key, token_provider>;

} // namespace linkspan

#endif

#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_TOKEN_SOURCE_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_TOKEN_SOURCE_HPP

#include <linkspan/auth/http_auth.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/core/redact.hpp>

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Credentials of one transport over HTTP: the header `Authorization` or that of a key, the validity of the token of a
// provider, and the secrets that texts must not contain. The class performs no I/O: its owner calls the provider.
//
// Invariants:
// 1. At most one request for a token is outstanding. The result of an earlier request is recognized by its number.
// 2. `secrets()` contains the last `max_recent_tokens` tokens, because outstanding responses may contain a token that
//    was replaced.
class token_source {
public:
    // Number of recent tokens of a provider that are redacted.
    static constexpr std::size_t max_recent_tokens = 4;

    // `secrets`: those of the configuration.
    LINKSPAN_DECL token_source(http_auth const& auth, redactor secrets);

    // Returns the header with the credentials, with its line end; empty: none.
    std::string const& authorization() const noexcept { return authorization_; }

    // Returns a redactor for the secrets of the configuration and the recent tokens.
    redactor const& secrets() const noexcept { return secrets_; }

    // Returns whether the tokens come from a provider.
    bool has_provider() const noexcept { return has_provider_; }

    // Returns the number of the current token; 0: none was received. A request that was refused with a token of another
    // number can be sent again immediately.
    unsigned number() const noexcept { return tokens_; }

    // Returns whether a request has to wait for a token. `challenge`: of the response that refused the current token;
    // empty: the request was not refused.
    LINKSPAN_DECL bool must_wait(std::string_view challenge, time_point now) const noexcept;

    // Begins a request for a token, which makes the current one invalid. Returns the number of the request; 0: another
    // request is outstanding, whose result is to be used.
    LINKSPAN_DECL unsigned begin_request() noexcept;

    // Returns whether the request with that number is outstanding.
    bool is_outstanding(unsigned request) const noexcept { return is_requested_ && requests_ == request; }

    // Returns whether a request was outstanding, and abandons the request. If true, the owner calls `on_result`.
    LINKSPAN_DECL bool end_request() noexcept;

    // Called with the result of a request. Returns the error of the requests that wait; none: the token is valid.
    //
    // `invalid_argument`: the token is no valid value of a header. Throws `std::bad_alloc`: the object is unchanged.
    LINKSPAN_DECL error_code on_result(error_code ec, access_token token, time_point now);

private:
    void remember_secret(std::string token);

    bool has_provider_;                   // set by the constructor
    std::string authorization_;           // set by the constructor for fixed credentials; replaced by each token
    redactor const fixed_;                // secrets of the configuration
    redactor secrets_;                    // `fixed_` and `recent_`; replaced by each token
    std::deque<std::string> recent_;      // the last tokens, the newest at the back
    bool is_requested_ = false;           // set by `begin_request`, cleared by `end_request`
    unsigned requests_ = 0;               // incremented by each `begin_request`
    bool has_token_ = false;              // set by a token, cleared by `begin_request`
    unsigned tokens_ = 0;                 // incremented by each token
    time_point ends_ = time_point::max(); // expiry of the token, set by each token; max: unknown
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/token_source.ipp>
#endif

#endif

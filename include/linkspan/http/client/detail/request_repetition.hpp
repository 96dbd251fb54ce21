#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_REQUEST_REPETITION_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_REQUEST_REPETITION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/http/http_url.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Decides whether the request of an exchange is sent again after a response that is not its result: to the target of a
// redirect, or with another token. The class performs no I/O.
//
// Invariant: a request is sent to at most `max_redirects` targets of redirects, and at most once with another token.
class request_repetition {
public:
    static constexpr unsigned max_redirects = 5;

    // Event: a response without a stream has arrived. Returns the target of the redirect that the request follows;
    // empty: none. `base`: URL of the transport; `target`: target of the request that was redirected.
    LINKSPAN_DECL std::optional<std::string> on_response(int status, std::string_view location, http_url const& base,
                                                         std::string_view target, redirects follow);

    // Decisions after a response with the status 401.
    enum class step {
        none,          // the response is the result
        send_again,    // another exchange has received a new token meanwhile
        request_token, // the request waits for a new token
    };

    // Event: a response with the status 401 has arrived. `is_current`: the request had the current token.
    LINKSPAN_DECL step on_unauthorized(bool has_provider, bool is_current) noexcept;

private:
    unsigned redirects_ = 0;        // followed redirects; incremented by on_response()
    bool authorized_again_ = false; // set by on_unauthorized()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/request_repetition.ipp>
#endif

#endif

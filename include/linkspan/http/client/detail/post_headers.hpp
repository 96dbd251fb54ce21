#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_POST_HEADERS_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_POST_HEADERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/http_headers.hpp>

#include <optional>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Writer of the headers of POST requests. Keeps the headers that depend on the method, the protocol version and the
// session id, because successive requests usually have the same values.
//
// Invariant: if `common_` is not empty, its headers are those of `method_`, `version_` and `session_`.
class post_headers {
public:
    // Appends the headers of `append_post_headers`.
    void append(std::string& out, http_message const& message)
    {
        if (common_.empty() || message.method != method_ || message.version != version_ || message.session != session_)
            compose(message);
        out += common_;
        append_call_headers(out, message);
    }

private:
    void compose(http_message const& message)
    {
        method_ = message.method;
        version_ = message.version;
        session_ = message.session;
        common_.clear();
        append_common_headers(common_, message);
    }

    // All of them set by compose().
    std::string common_;                      // the headers; empty: none were composed
    std::string method_;                      // method of the message
    std::string session_;                     // id of the session
    std::optional<protocol_version> version_; // protocol version of the message
};

} // namespace linkspan::detail

#endif

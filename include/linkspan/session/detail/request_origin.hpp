#ifndef LINKSPAN_SESSION_DETAIL_REQUEST_ORIGIN_HPP
#define LINKSPAN_SESSION_DETAIL_REQUEST_ORIGIN_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_result.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

class shared_redactor; // <linkspan/core/detail/shared_redactor.hpp>

// The server of a connector to which a request is sent. Default: a session without a connector.
struct request_origin {
    std::shared_ptr<std::string const> server;      // name of the server; null: none
    std::shared_ptr<shared_redactor const> secrets; // are redacted in texts about errors; null: none

    // Returns a text without the secrets.
    LINKSPAN_DECL std::string redacted(std::string_view text) const;

    // Return the results of an operation that is not one request: an empty result of the server, and a failure with one
    // attempt. `why`: reason for a human reader.
    LINKSPAN_DECL call_result success() const;
    LINKSPAN_DECL call_result failure(outcome const& of, std::string_view why) const;
};

// Returns the beginning of a result that is not valid, for the text of an error. The secrets are redacted before the
// text is cut, because a cut could leave a part of a secret.
LINKSPAN_DECL std::string quote_result(std::string_view result, request_origin const& origin);

// Makes a request fail, whose result is not valid: sets the error and the detail, and adds an attempt record of unknown
// outcome if there is none. `what`: the fault.
LINKSPAN_DECL void explain_malformed(error_code& ec, call_result& result, std::string_view what,
                                     request_origin const& origin);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/request_origin.ipp>
#endif

#endif

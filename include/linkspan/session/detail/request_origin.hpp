#ifndef LINKSPAN_SESSION_DETAIL_REQUEST_ORIGIN_HPP
#define LINKSPAN_SESSION_DETAIL_REQUEST_ORIGIN_HPP

#include <linkspan/core/detail/config.hpp>

#include <memory>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

class shared_redactor; // <linkspan/core/detail/shared_redactor.hpp>

// The server of a connector to which a request is sent. Default: a session without a connector.
struct request_origin {
    std::shared_ptr<std::string const> server;      // name of the server; null: none
    std::shared_ptr<shared_redactor const> secrets; // are redacted in texts about errors; null: none
};

} // namespace linkspan::detail

#endif

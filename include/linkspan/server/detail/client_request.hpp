#ifndef LINKSPAN_SERVER_DETAIL_CLIENT_REQUEST_HPP
#define LINKSPAN_SERVER_DETAIL_CLIENT_REQUEST_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_options.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

class served_request;
using served_request_pointer = std::shared_ptr<served_request>;

// A request to the client that a handler makes, and the function for its result.
struct client_request {
    std::string method;
    std::string params;      // JSON text
    std::string_view needed; // capabilities that the client must declare, as JSON text with static storage
    bool is_declared = false;
    std::function<void(error_code, std::string_view result)> done;
    std::function<void(progress_update const&)> on_progress; // empty: the request has no progress token
};

} // namespace linkspan::detail

#endif

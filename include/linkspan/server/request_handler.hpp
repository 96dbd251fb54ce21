#ifndef LINKSPAN_SERVER_REQUEST_HANDLER_HPP
#define LINKSPAN_SERVER_REQUEST_HANDLER_HPP

#include <linkspan/core/detail/config.hpp>

#include <functional>

namespace linkspan::inline LINKSPAN_ABI {

class server_request;

/// Function that handles a request. It may complete the request later.
using request_handler = std::function<void(server_request)>;

} // namespace linkspan

#endif

#ifndef LINKSPAN_HTTP_SERVER_DETAIL_PENDING_AUTHENTICATION_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_PENDING_AUTHENTICATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/optional_timer.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/http/server/http_server_message.hpp>
#include <linkspan/http/server/http_service_options.hpp>

#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// A request that is being authenticated by the function of the program.
struct pending_authentication {
    pending_authentication(http_server_request what, http_exchange on) : request(std::move(what)), with(std::move(on))
    {}

    // Set by the constructor.
    http_server_request request;
    http_exchange with;

    std::optional<http_admission> admission{}; // set by the first result, and by an exception
    bool is_running = true;                    // the function has not returned
    optional_timer timeout{};                  // bounds the time of the authentication after the function has returned
};

} // namespace linkspan::detail

#endif

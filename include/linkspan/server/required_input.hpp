#ifndef LINKSPAN_SERVER_REQUIRED_INPUT_HPP
#define LINKSPAN_SERVER_REQUIRED_INPUT_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Input that a handler requires of the client (`server_request::require_input`): a request to the client. Returned by
/// `server_request::to_input`.
struct required_input {
    std::string key{};         ///< key for `server_request::input`; unique within one call of `require_input`
    std::string method{};      ///< method of the request to the client, such as `elicitation/create`
    std::string params{};      ///< params as the text of a JSON object
    std::string_view needed{}; ///< capabilities that the client must declare, as JSON text with static storage
    bool is_declared = false;  ///< the client declares these capabilities
};

} // namespace linkspan

#endif

#ifndef LINKSPAN_SERVER_REQUIRED_INPUT_HPP
#define LINKSPAN_SERVER_REQUIRED_INPUT_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Request to the client that a result requires (`require_input`).
struct required_input {
    std::string key{};         ///< key of the input in the handler; unique within one call of `require_input`
    std::string method{};      ///< method of the request to the client, such as `elicitation/create`
    std::string params{};      ///< params as the text of a JSON object
    std::string_view needed{}; ///< capabilities that the client must declare, as JSON text with static storage
    bool is_declared = false;  ///< the client declares these capabilities
};

} // namespace linkspan

#endif
